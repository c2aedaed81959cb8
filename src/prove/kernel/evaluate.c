// SPDX-License-Identifier: MIT
/* Expressions of a kernel. */
#include "prove/kernel/loops.h"

#include <string.h>

static bool is(const struct rd_syntax_node *node, const char *op)
{
    return node->op && strcmp(node->op, op) == 0;
}

/* ---- names ---- */

static struct value place_value(struct rd_execution *execution, const char *place,
                                const char *member, const struct rd_syntax_node *node)
{
    static const char *const places[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
    const struct rd_second_dimension *y = &execution->y;
    const rd_term of_x[] = {execution->thread, execution->block, execution->threads,
                            execution->blocks};
    const rd_term of_y[] = {y->thread, y->block, y->threads, y->blocks};
    for (unsigned k = 0; k < 4; k++) {
        if (strcmp(place, places[k]) != 0)
            continue;
        if (strcmp(member, "x") == 0)
            return rd_number_value(of_x[k]);
        const rd_term one = strcmp(member, "y") == 0 ? of_y[k] : NULL;
        return rd_number_value(one ? one : rd_number(execution->terms, k < 2 ? 0 : 1));
    }
    rd_execution_fail(execution, node, "'%s.%s' is unknown to the prover", place, member);
    return rd_nothing();
}

/* CUDA's own variable, and none of the user's that has such a name. */
static bool is_place(const struct rd_syntax_node *node)
{
    const char *name = node->name;
    return name && node->of_system &&
           (strcmp(name, "threadIdx") == 0 || strcmp(name, "blockIdx") == 0 ||
            strcmp(name, "blockDim") == 0 || strcmp(name, "gridDim") == 0);
}

enum { WARP_SIZE = 32 };

/* CUDA's own number of lanes, and no variable of the user's that is called so. */
static bool is_warp_size(const struct rd_syntax_node *node)
{
    return node->name && node->of_system && strcmp(node->name, "warpSize") == 0;
}

static struct value name_value(struct rd_execution *execution, struct state *state,
                               const struct rd_syntax_node *node)
{
    struct binding *found = node->declaration ? rd_state_find(state, node->declaration) : NULL;
    if (!found && is_place(node))
        return (struct value){.kind = VALUE_PLACE, .name = node->name};
    if (!found && is_warp_size(node))
        return rd_number_value(rd_number(execution->terms, WARP_SIZE));
    if (!found && node->declaration && node->declaration->is_shared && node->declaration->is_global)
        return rd_shared_value(execution, node);
    if (!found || found->value.kind == VALUE_NONE) {
        const struct rd_syntax_declaration *declaration = node->declaration;
        const bool is_float = found && declaration->is_parameter && declaration->type &&
                              declaration->type->kind == RD_SYNTAX_FLOAT;
        rd_execution_fail(
            execution, node,
            is_float ? "the value of '%s' is not known here: a float that is given is "
                       "known where it is set once, to a whole number, and laws are of sums"
            : found  ? "the value of '%s' is not known here"
                     : "'%s' is no variable that the prover knows",
            node->name ? node->name : "?");
        return rd_nothing();
    }
    return found->value;
}

/* ---- assignments ---- */

static void assign_variable(struct rd_execution *execution, struct state *state,
                            const struct rd_syntax_node *node, struct value value)
{
    const struct rd_syntax_node *target = node->kids[0];
    struct binding *found = target->declaration ? rd_state_find(state, target->declaration) : NULL;
    if (!found || !rd_is_of_type(value, target->declaration->type)) {
        rd_execution_fail(execution, node,
                          found ? "an assignment of a value of another type"
                                : "an assignment to a variable that is none of the function's");
        return;
    }
    found->value = value;
    rd_state_push(execution, state, value);
}

static bool is_compound(const struct rd_syntax_node *node)
{
    return node->op && strcmp(node->op, "=") != 0;
}

static void assign(struct rd_execution *execution, struct state *state,
                   const struct rd_syntax_node *node)
{
    const struct rd_syntax_node *target = node->kids[0];
    if (rd_parts_named(state, target)) {
        rd_parts_assign(execution, state, node);
        return;
    }
    struct value pointer = {0};
    if (target->kind == RD_SYNTAX_INDEX)
        rd_pop_index(execution, state, node, &pointer);
    else if (target->kind != RD_SYNTAX_NAME)
        pointer = rd_state_pop(state);
    struct value value = rd_state_pop(state);
    if (!rd_execution_goes(execution))
        return;
    if (is_compound(node) && value.kind == VALUE_ELEMENT)
        rd_check_rounding(execution, node, node->kids[1]->type, target->type);
    if (target->kind == RD_SYNTAX_NAME) {
        if (is_compound(node))
            value = rd_binary(execution, state, node, node->op,
                              name_value(execution, state, target), value);
        assign_variable(execution, state, node, value);
        return;
    }
    if (is_compound(node))
        value =
            rd_binary(execution, state, node, node->op,
                      rd_read_memory(execution, state, pointer.array, pointer.term, node), value);
    if (value.kind != VALUE_ELEMENT && !rd_become_element(execution, node, &value)) {
        rd_execution_fail(execution, node, "a cell that is set to a value that is no element");
        return;
    }
    execution->subtracts =
        execution->subtracts || (value.is_difference && pointer.array->is_shared);
    if (pointer.array->is_ticket)
        rd_execution_fail(execution, node,
                          "a ticket that is written otherwise than by atomicInc()");
    rd_state_access(
        execution, state,
        (struct rd_kernel_access){.array = pointer.array,
                                  .index = pointer.term,
                                  .is_write = true,
                                  .value = rd_sum_of_lanes(execution, state, value.term, false),
                                  .inputs = value.inputs,
                                  .height = value.height,
                                  .file = node->file,
                                  .line = node->line});
    rd_state_push(execution, state, value);
}

static void perform_assignment(struct rd_execution *execution, struct states *states,
                               const struct rd_syntax_node *node)
{
    const struct rd_syntax_node *target = node->kids[0];
    rd_evaluate(execution, states, node->kids[1]); /* before the target, since C++17 */
    if (states->count > 0 && rd_parts_named(states->items[0], target)) {
        rd_parts_evaluate_indices(execution, states, target);
    } else if (target->kind == RD_SYNTAX_INDEX) {
        rd_evaluate(execution, states, target->kids[0]);
        rd_evaluate(execution, states, target->kids[1]);
    } else if (target->kind == RD_SYNTAX_UNARY && is(target, "*")) {
        rd_evaluate(execution, states, target->kids[0]);
    } else if (target->kind != RD_SYNTAX_NAME) {
        rd_execution_fail(execution, node, "an assignment to such a target");
        return;
    }
    for (size_t k = 0; k < states->count && rd_execution_goes(execution); k++)
        assign(execution, states->items[k], node);
}

static void step(struct rd_execution *execution, struct state *state,
                 const struct rd_syntax_node *node)
{
    const struct rd_syntax_node *target = node->kids[0];
    if (target->kind != RD_SYNTAX_NAME) {
        rd_execution_fail(execution, node, "'%s' of something that is no variable", node->op);
        return;
    }
    const struct value before = name_value(execution, state, target);
    const struct value after = rd_binary(execution, state, node, *node->op == '+' ? "+" : "-",
                                         before, rd_number_value(rd_number(execution->terms, 1)));
    struct binding *found = target->declaration ? rd_state_find(state, target->declaration) : NULL;
    if (found && rd_execution_goes(execution))
        found->value = after;
    rd_state_push(execution, state, node->postfix ? before : after);
}

/* ---- each kind ---- */

static void evaluate_unary(struct rd_execution *execution, struct states *states,
                           const struct rd_syntax_node *node)
{
    struct rd_terms *terms = execution->terms;
    if (is(node, "++") || is(node, "--")) {
        for (size_t k = 0; k < states->count && rd_execution_goes(execution); k++)
            step(execution, states->items[k], node);
        return;
    }
    if (is(node, "&") && node->kids[0]->kind == RD_SYNTAX_INDEX) {
        rd_evaluate(execution, states, node->kids[0]->kids[0]);
        rd_evaluate(execution, states, node->kids[0]->kids[1]);
    } else {
        rd_evaluate(execution, states, node->kids[0]);
    }
    for (size_t k = 0; k < states->count && rd_execution_goes(execution); k++) {
        struct state *state = states->items[k];
        struct value value;
        if (is(node, "&")) {
            rd_pop_index(execution, state, node, &value);
        } else {
            value = rd_state_pop(state);
            if (is(node, "!") && value.kind == VALUE_NUMBER)
                value = rd_number_value(rd_not(terms, rd_value_condition(execution, value)));
            else if (is(node, "-") && value.kind == VALUE_NUMBER)
                value = rd_compute(execution, state, node, "-", rd_number(terms, 0),
                                   rd_value_number(execution, value));
            else if (is(node, "*") && value.kind == VALUE_POINTER)
                value = rd_read_cells(execution, state, &value, node);
            else if (!is(node, "+"))
                rd_execution_fail(execution, node, "the operator '%s' of such an operand",
                                  node->op ? node->op : "?");
        }
        rd_state_push(execution, state, value);
    }
}

/* Evaluates an operand that C evaluates on a condition only. Here it is always evaluated: it must not set variables, nor pass a
 * barrier. */
static void evaluate_part(struct rd_execution *execution, struct state *state,
                          const struct rd_syntax_node *part, const char *of)
{
    struct states one = {.count = 1, .items = {state}};
    const struct state before = *state;
    if (rd_sets(part))
        rd_execution_fail(execution, part, "a part of '%s' that sets a variable", of);
    rd_evaluate(execution, &one, part);
    if (one.count != 1 || (one.count == 1 && rd_has_passed(one.items[0], &before)))
        rd_execution_fail(execution, part, "a part of '%s' that forks", of);
}

/* The right side is evaluated where the left one lets it. */
static void evaluate_logic(struct rd_execution *execution, struct states *states,
                           const struct rd_syntax_node *node)
{
    struct rd_terms *terms = execution->terms;
    const bool both = is(node, "&&");
    rd_evaluate(execution, states, node->kids[0]);
    for (size_t k = 0; k < states->count && rd_execution_goes(execution); k++) {
        struct state *state = states->items[k];
        const rd_term left = rd_value_condition(execution, rd_state_pop(state)), path = state->path;
        state->path = rd_and(terms, path, both ? left : rd_not(terms, left));
        evaluate_part(execution, state, node->kids[1], node->op);
        if (!rd_execution_goes(execution))
            return;
        const rd_term right = rd_value_condition(execution, rd_state_pop(state));
        state->path = path;
        rd_state_push(
            execution, state,
            rd_number_value(both ? rd_and(terms, left, right) : rd_or(terms, left, right)));
    }
}

static void evaluate_conditional(struct rd_execution *execution, struct states *states,
                                 const struct rd_syntax_node *node)
{
    struct rd_terms *terms = execution->terms;
    rd_evaluate(execution, states, node->kids[0]);
    for (size_t k = 0; k < states->count && rd_execution_goes(execution); k++) {
        struct state *state = states->items[k];
        const rd_term condition = rd_value_condition(execution, rd_state_pop(state)),
                      path = state->path;
        struct value sides[2];
        for (unsigned side = 0; side < 2; side++) {
            state->path = rd_and(terms, path, side ? rd_not(terms, condition) : condition);
            evaluate_part(execution, state, node->kids[1 + side], "?:");
            if (!rd_execution_goes(execution))
                return;
            sides[side] = rd_state_pop(state);
        }
        state->path = path;
        if (sides[0].kind != sides[1].kind && !rd_become_element(execution, node, &sides[0]))
            rd_become_element(execution, node, &sides[1]);
        if (sides[0].kind == VALUE_PARTS && sides[1].kind == VALUE_PARTS &&
            rd_parts_join(execution, &sides[0], sides[1], condition)) {
            rd_state_push(execution, state, sides[0]);
            continue;
        }
        if (sides[0].kind != sides[1].kind ||
            (sides[0].kind != VALUE_NUMBER && sides[0].kind != VALUE_ELEMENT)) {
            rd_execution_fail(execution, node, "'?:' of such operands");
            return;
        }
        if (sides[0].kind == VALUE_ELEMENT)
            sides[0] = rd_element_choice(execution, condition, sides[0], sides[1]);
        else
            sides[0].term = rd_choice(terms, condition, rd_value_number(execution, sides[0]),
                                      rd_value_number(execution, sides[1]));
        rd_state_push(execution, state, sides[0]);
    }
}

/* ---- C's test for powers of two ---- */

static bool is_binary(const struct rd_syntax_node *node, const char *op)
{
    return node->kind == RD_SYNTAX_BINARY && node->op && strcmp(node->op, op) == 0;
}

static bool is_unsigned(const struct rd_syntax_type *type)
{
    return type && type->kind == RD_SYNTAX_INTEGER && !type->is_signed;
}

/* A variable as it is, or in a wider type. Both types have no sign. */
static const struct rd_syntax_node *widened(const struct rd_syntax_node *node)
{
    while (node->kind == RD_SYNTAX_CAST && is_unsigned(node->type) &&
           is_unsigned(node->kids[0]->type) && node->type->bits >= node->kids[0]->type->bits)
        node = node->kids[0];
    return node->kind == RD_SYNTAX_NAME && node->declaration && is_unsigned(node->type) ? node
                                                                                        : NULL;
}

static bool is_number(const struct rd_syntax_node *node, unsigned number)
{
    while (node->kind == RD_SYNTAX_CAST)
        node = node->kids[0];
    return node->kind == RD_SYNTAX_NUMBER && node->number == number;
}

/* x - 1, in a type without a sign. */
static bool is_one_less(const struct rd_syntax_node *node, const struct rd_syntax_node *x)
{
    return is_binary(node, "-") && is_unsigned(node->type) && is_number(node->kids[1], 1) &&
           widened(node->kids[0]) && widened(node->kids[0])->declaration == x->declaration;
}

/* Returns the x of a test x & (x - 1) == 0, or != 0, of an unsigned variable; NULL of others. */
static const struct rd_syntax_node *tested_power(const struct rd_syntax_node *node)
{
    if (!is_binary(node, "==") && !is_binary(node, "!="))
        return NULL;
    const bool is_left = is_binary(node->kids[0], "&");
    const struct rd_syntax_node *both = node->kids[is_left ? 0 : 1];
    if (!is_binary(both, "&") || !is_unsigned(both->type) ||
        !is_number(node->kids[is_left ? 1 : 0], 0))
        return NULL;
    for (unsigned k = 0; k < 2; k++) {
        const struct rd_syntax_node *x = widened(both->kids[k]);
        if (x && is_one_less(both->kids[1 - k], x))
            return x;
    }
    return NULL;
}

/* x & (x - 1) == 0: x is a power of two, or 0, where x - 1 wraps. The lemma "power-bits" says so. */
static void evaluate_power(struct rd_execution *execution, struct states *states,
                           const struct rd_syntax_node *node, const struct rd_syntax_node *tested)
{
    struct rd_terms *terms = execution->terms;
    rd_evaluate(execution, states, tested);
    for (size_t k = 0; k < states->count && rd_execution_goes(execution); k++) {
        struct state *state = states->items[k];
        const rd_term x = rd_value_number(execution, rd_state_pop(state)),
                      holds = rd_or(terms, rd_equal(terms, x, rd_number(terms, 0)),
                                    rd_holds(terms, "P2", 1, &x));
        rd_state_push(execution, state,
                      rd_number_value(is(node, "==") ? holds : rd_not(terms, holds)));
    }
}

static void evaluate_binary(struct rd_execution *execution, struct states *states,
                            const struct rd_syntax_node *node)
{
    const struct rd_syntax_node *tested = tested_power(node);
    if (tested) {
        evaluate_power(execution, states, node, tested);
        return;
    }
    rd_evaluate(execution, states, node->kids[0]);
    if (is(node, ","))
        for (size_t k = 0; k < states->count; k++)
            rd_state_pop(states->items[k]);
    rd_evaluate(execution, states, node->kids[1]);
    for (size_t k = 0; k < states->count && rd_execution_goes(execution) && !is(node, ","); k++) {
        struct state *state = states->items[k];
        const struct value right = rd_state_pop(state), left = rd_state_pop(state);
        rd_state_push(execution, state, rd_binary(execution, state, node, node->op, left, right));
    }
}

/* Tells whether an index is on top, above something with parts. */
static bool is_part(const struct state *state)
{
    if (state->n_values < 2)
        return false;
    const enum value_kind kind = state->values[state->n_values - 2].kind;
    return kind == VALUE_PARTS || kind == VALUE_OF_CALLER;
}

/* Evaluates, in one state, a node with one operand or none; or a list. */
static struct value evaluate_simple(struct rd_execution *execution, struct state *state,
                                    const struct rd_syntax_node *node)
{
    struct value value;
    switch (node->kind) {
    case RD_SYNTAX_NUMBER:
        return rd_number_value(rd_number(execution->terms, (rd_wide)node->number));
    case RD_SYNTAX_REAL: /* a name: it is not whole */
        return node->name ? rd_element_of_text(execution, node)
                          : rd_element_stated(execution, node, (rd_wide)node->number);
    case RD_SYNTAX_TEXT:
        return (struct value){.kind = VALUE_TEXT, .name = node->name};
    case RD_SYNTAX_NAME:
        return name_value(execution, state, node);
    case RD_SYNTAX_CAST:
        return rd_convert(execution, state, node, rd_state_pop(state));
    case RD_SYNTAX_MEMBER:
        value = rd_state_pop(state);
        if (value.kind == VALUE_PLACE)
            return place_value(execution, value.name, node->name, node);
        if (value.kind == VALUE_PARTS || value.kind == VALUE_OF_CALLER) {
            rd_state_push(execution, state, value);
            return rd_parts_at_member(execution, state, node);
        }
        rd_execution_fail(execution, node, "the member '%s' of a structure", node->name);
        return rd_nothing();
    case RD_SYNTAX_LIST:
        return rd_parts_of_list(execution, state, node);
    case RD_SYNTAX_INDEX:
        if (is_part(state))
            return rd_parts_at_index(execution, state, node);
        rd_pop_index(execution, state, node, &value);
        return rd_execution_goes(execution) ? rd_read_cells(execution, state, &value, node)
                                            : rd_nothing();
    default:
        rd_execution_fail(execution, node, "%s", node->name ? node->name : "such an expression");
        return rd_nothing();
    }
}

/* The same of what is indexed, which may be an array of the function's own. */
static void evaluate_base(struct rd_execution *execution, struct states *states,
                          const struct rd_syntax_node *node)
{
    if (!rd_execution_goes(execution) ||
        (execution->evaluate && execution->evaluate(execution->self, states, node)) ||
        rd_evaluate_selection(execution, states, node))
        return;
    switch (node->kind) {
    case RD_SYNTAX_UNARY:
        evaluate_unary(execution, states, node);
        return;
    case RD_SYNTAX_BINARY:
        if (is(node, "&&") || is(node, "||"))
            evaluate_logic(execution, states, node);
        else
            evaluate_binary(execution, states, node);
        return;
    case RD_SYNTAX_CONDITIONAL:
        evaluate_conditional(execution, states, node);
        return;
    case RD_SYNTAX_ASSIGN:
        perform_assignment(execution, states, node);
        return;
    case RD_SYNTAX_CALL:
        rd_call(execution, states, node);
        return;
    case RD_SYNTAX_CAST:
    case RD_SYNTAX_MEMBER:
        rd_evaluate(execution, states, node->kids[0]);
        break;
    case RD_SYNTAX_INDEX:
        evaluate_base(execution, states, node->kids[0]);
        rd_evaluate(execution, states, node->kids[1]);
        break;
    case RD_SYNTAX_LIST:
        for (size_t k = 0; k < node->n_kids; k++)
            rd_evaluate(execution, states, node->kids[k]);
        break;
    default:
        break;
    }
    for (size_t k = 0; k < states->count && rd_execution_goes(execution); k++)
        rd_state_push(execution, states->items[k],
                      evaluate_simple(execution, states->items[k], node));
}

/* A thread's own array becomes a pointer where it isn't indexed: what is written by that would not be seen. */
void rd_evaluate(struct rd_execution *execution, struct states *states,
                 const struct rd_syntax_node *node)
{
    evaluate_base(execution, states, node);
    for (size_t k = 0; k < states->count && rd_execution_goes(execution); k++) {
        const struct state *state = states->items[k];
        if (node->type && node->type->kind == RD_SYNTAX_ARRAY && node->kind != RD_SYNTAX_LIST &&
            state->n_values > 0 && state->values[state->n_values - 1].kind == VALUE_PARTS)
            rd_execution_fail(execution, node, "a pointer to a thread's own array");
    }
}
