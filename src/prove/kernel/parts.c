// SPDX-License-Identifier: MIT
/* Local variables of several elements: arrays of known length, records with one member, and both of each other. A
 * value is a list of elements, the kids of a term that no goal sees: copies are copies, as in C. Which of them is
 * meant, the program says by numbers that are known. A pointer to such a variable is only made by handing an array to
 * a function. */
#include "prove/kernel/state.h"

#include <string.h>

enum { PARTS_MAX = 256 };

unsigned rd_type_parts(const struct rd_syntax_type *type)
{
    const unsigned of = type && type->of ? rd_type_parts(type->of) : 0;
    if (!type)
        return 0;
    switch (type->kind) {
    case RD_SYNTAX_FLOAT:
        return 1;
    case RD_SYNTAX_ARRAY:
        return of > 0 && type->length <= PARTS_MAX / of ? of * (unsigned)type->length : 0;
    case RD_SYNTAX_RECORD: { /* with no space behind its elements */
        const struct rd_syntax_type *element = type->of;
        while (element && element->kind != RD_SYNTAX_FLOAT)
            element = element->of;
        return of > 0 && element && type->bits == of * element->bits ? of : 0;
    }
    default:
        return 0;
    }
}

const struct rd_syntax_type *rd_type_element(const struct rd_syntax_type *type)
{
    while (type && type->kind == RD_SYNTAX_ARRAY)
        type = type->of;
    return type;
}

uint64_t rd_type_cells(const struct rd_syntax_type *type)
{
    uint64_t cells = 1;
    for (; type && type->kind == RD_SYNTAX_ARRAY; type = type->of)
        if (__builtin_mul_overflow(cells, type->length, &cells))
            return 0;
    return cells;
}

bool rd_has_parts(const struct rd_syntax_declaration *declaration)
{
    return declaration->type && !declaration->is_shared &&
           (declaration->type->kind == RD_SYNTAX_ARRAY ||
            declaration->type->kind == RD_SYNTAX_RECORD);
}

/* ---- values ---- */

static rd_term unset(struct rd_execution *execution)
{
    return rd_constant(execution->terms, "unset part");
}

static struct value list_of(struct rd_execution *execution, unsigned count, const rd_term *parts,
                            unsigned inputs)
{
    return (struct value){.kind = VALUE_PARTS,
                          .term = rd_apply(execution->terms, "parts", count, parts),
                          .inputs = inputs};
}

struct value rd_parts_unset(struct rd_execution *execution, unsigned count)
{
    rd_term parts[PARTS_MAX];
    for (unsigned k = 0; k < count; k++)
        parts[k] = unset(execution);
    return list_of(execution, count, parts, 0);
}

struct value rd_parts_unknown(struct rd_execution *execution, const struct state *state,
                              const char *name, struct value before)
{
    rd_term parts[PARTS_MAX];
    unsigned inputs = 0;
    for (unsigned k = 0; k < before.term->n_kids; k++) {
        parts[k] = unset(execution);
        if (rd_term_has(before.term->kids[k], parts[k]))
            continue;
        inputs = UINT_MAX;
        parts[k] = rd_unknown(execution, state, name);
    }
    return list_of(execution, before.term->n_kids, parts, inputs);
}

bool rd_parts_join(struct rd_execution *execution, struct value *yes, struct value no,
                   rd_term condition)
{
    rd_term parts[PARTS_MAX];
    const unsigned count = yes->term->n_kids;
    if (no.term->n_kids != count)
        return false;
    for (unsigned k = 0; k < count; k++)
        parts[k] = rd_choice(execution->terms, condition, yes->term->kids[k], no.term->kids[k]);
    *yes = list_of(execution, count, parts, yes->inputs | no.inputs);
    return true;
}

struct value rd_parts_from(struct rd_execution *execution, const struct rd_syntax_node *node,
                           const rd_term *parts, unsigned inputs)
{
    const unsigned count = rd_type_parts(node->type);
    if (count == 0) {
        rd_execution_fail(execution, node, "a value of such a type");
        return rd_nothing();
    }
    if (node->type->kind != RD_SYNTAX_FLOAT)
        return list_of(execution, count, parts, inputs);
    if (rd_term_has(parts[0], unset(execution)))
        rd_execution_fail(execution, node, "a part of a variable is read before it is set");
    struct value element = rd_element_value(parts[0]);
    element.inputs = inputs;
    return element;
}

/* ---- read ---- */

/* Adds to `first` the place of the node's part in that of which it is an element, or fails. */
static void add_index(struct rd_execution *execution, const struct rd_syntax_node *node,
                      struct value index, rd_wide *first)
{
    const struct rd_syntax_type *of = node->kids[0]->type;
    rd_wide number;
    if (index.kind != VALUE_NUMBER ||
        !rd_term_is_number(rd_value_number(execution, index), &number)) {
        rd_execution_fail(execution, node, "an index that isn't known into a thread's own array");
        return;
    }
    if (!of || number < 0 ||
        number >= (of->kind == RD_SYNTAX_ARRAY ? (rd_wide)of->length : PARTS_MAX))
        rd_execution_fail(execution, node, "an index beyond the end of a thread's own array");
    else
        *first += number * rd_type_parts(node->type);
}

/* Tells whether the node's part lies within the value; or fails. */
static bool is_within(struct rd_execution *execution, const struct rd_syntax_node *node,
                      const struct value *whole, rd_wide first)
{
    const unsigned count = rd_type_parts(node->type);
    if (rd_execution_goes(execution) &&
        (whole->kind != VALUE_PARTS || count == 0 || first + count > whole->term->n_kids))
        rd_execution_fail(execution, node, "a part that the variable does not have");
    return rd_execution_goes(execution);
}

static struct value parts_at(struct rd_execution *execution, struct state *state,
                             const struct rd_syntax_node *node, struct value whole, rd_wide first)
{
    if (whole.kind == VALUE_OF_CALLER)
        whole = state->bindings[whole.of].value;
    return is_within(execution, node, &whole, first)
               ? rd_parts_from(execution, node, whole.term->kids + first, whole.inputs)
               : rd_nothing();
}

struct value rd_parts_at_index(struct rd_execution *execution, struct state *state,
                               const struct rd_syntax_node *node)
{
    const struct value index = rd_state_pop(state), whole = rd_state_pop(state);
    rd_wide first = 0;
    add_index(execution, node, index, &first);
    return parts_at(execution, state, node, whole, first);
}

struct value rd_parts_at_member(struct rd_execution *execution, struct state *state,
                                const struct rd_syntax_node *node)
{
    return parts_at(execution, state, node, rd_state_pop(state), 0);
}

struct value rd_parts_of_list(struct rd_execution *execution, struct state *state,
                              const struct rd_syntax_node *node)
{
    const unsigned count = rd_type_parts(node->type);
    rd_term parts[PARTS_MAX];
    unsigned at = count, inputs = 0;
    struct value kids[PARTS_MAX];
    if (count == 0 || node->n_kids > count) {
        rd_execution_fail(execution, node, "a list of such a type");
        return rd_nothing();
    }
    for (size_t k = node->n_kids; k-- > 0;)
        kids[k] = rd_state_pop(state);
    at = 0;
    for (size_t k = 0; k < node->n_kids && rd_execution_goes(execution); k++) {
        const unsigned of_kid = kids[k].kind == VALUE_PARTS ? kids[k].term->n_kids : 1;
        if ((kids[k].kind != VALUE_ELEMENT && kids[k].kind != VALUE_PARTS) || at + of_kid > count) {
            rd_execution_fail(execution, node, "a list of such values");
            return rd_nothing();
        }
        inputs |= kids[k].inputs;
        execution->subtracts = execution->subtracts || kids[k].is_difference;
        for (unsigned i = 0; i < of_kid; i++)
            parts[at++] = kids[k].kind == VALUE_PARTS ? kids[k].term->kids[i] : kids[k].term;
    }
    if (at < count) /* the rest is 0 */
        rd_element_stated(execution, node, 0);
    while (at < count)
        parts[at++] = rd_number(execution->terms, 0);
    return list_of(execution, count, parts, inputs);
}

/* ---- written ---- */

struct binding *rd_parts_named(struct state *state, const struct rd_syntax_node *node)
{
    if (node->kind != RD_SYNTAX_INDEX && node->kind != RD_SYNTAX_MEMBER)
        return NULL;
    while (node->kind == RD_SYNTAX_INDEX || node->kind == RD_SYNTAX_MEMBER)
        node = node->kids[0];
    struct binding *found = node->kind == RD_SYNTAX_NAME && node->declaration
                                ? rd_state_find(state, node->declaration)
                                : NULL;
    if (found && found->value.kind == VALUE_OF_CALLER)
        found = &state->bindings[found->value.of];
    return found && found->value.kind == VALUE_PARTS ? found : NULL;
}

void rd_parts_evaluate_indices(struct rd_execution *execution, struct states *states,
                               const struct rd_syntax_node *node)
{
    if (node->kind != RD_SYNTAX_INDEX && node->kind != RD_SYNTAX_MEMBER)
        return;
    rd_parts_evaluate_indices(execution, states, node->kids[0]);
    if (node->kind == RD_SYNTAX_INDEX)
        rd_evaluate(execution, states, node->kids[1]);
}

/* Pops the indices, the last of which is the outermost. */
static rd_wide pop_indices(struct rd_execution *execution, struct state *state,
                           const struct rd_syntax_node *node)
{
    rd_wide first = 0;
    if (node->kind != RD_SYNTAX_INDEX && node->kind != RD_SYNTAX_MEMBER)
        return 0;
    if (node->kind == RD_SYNTAX_INDEX)
        add_index(execution, node, rd_state_pop(state), &first);
    return first + pop_indices(execution, state, node->kids[0]);
}

void rd_parts_assign(struct rd_execution *execution, struct state *state,
                     const struct rd_syntax_node *assignment)
{
    const struct rd_syntax_node *target = assignment->kids[0];
    const unsigned count = rd_type_parts(target->type);
    const rd_wide first = pop_indices(execution, state, target);
    struct value value = rd_state_pop(state);
    struct binding *found = rd_parts_named(state, target);
    rd_term parts[PARTS_MAX];
    if (!found || !is_within(execution, target, &found->value, first))
        return;
    const rd_term whole = found->value.term;
    const unsigned inputs = found->value.inputs;
    if (strcmp(assignment->op, "=") != 0)
        value = rd_binary(execution, state, assignment, assignment->op,
                          rd_parts_from(execution, target, whole->kids + first, inputs), value);
    const bool is_element = value.kind == VALUE_ELEMENT && target->type->kind == RD_SYNTAX_FLOAT;
    if (!is_element && (value.kind != VALUE_PARTS || value.term->n_kids != count)) {
        rd_execution_fail(execution, assignment, "a part that is set to a value of another type");
        return;
    }
    for (unsigned k = 0; k < whole->n_kids; k++)
        parts[k] = k < first || k >= first + count ? whole->kids[k]
                   : is_element                    ? value.term
                                                   : value.term->kids[k - first];
    execution->subtracts = execution->subtracts || value.is_difference;
    found->value = list_of(execution, whole->n_kids, parts, inputs | value.inputs);
    rd_state_push(execution, state, value);
}

/* ---- handed to functions ---- */

void rd_parts_argument(struct rd_execution *execution, struct states *states,
                       const struct rd_syntax_node *node)
{
    const bool is_array = node->kind == RD_SYNTAX_NAME && node->declaration && node->type &&
                          node->type->kind == RD_SYNTAX_ARRAY;
    for (size_t k = 0; k < states->count && is_array; k++) {
        struct state *state = states->items[k];
        struct binding *found = rd_state_find(state, node->declaration);
        if (!found || found->value.kind != VALUE_PARTS) {
            rd_evaluate(execution, states, node);
            return;
        }
        rd_state_push(
            execution, state,
            (struct value){.kind = VALUE_OF_CALLER, .of = (size_t)(found - state->bindings)});
    }
    if (!is_array)
        rd_evaluate(execution, states, node);
}

bool rd_points_to_caller(const struct state *state)
{
    for (size_t k = state->frame; k < state->n_bindings; k++)
        if (state->bindings[k].value.kind == VALUE_OF_CALLER)
            return true;
    return false;
}
