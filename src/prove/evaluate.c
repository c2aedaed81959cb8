// SPDX-License-Identifier: MIT
/* Expressions of a kernel. Integers are mathematical, and each operation requires that its value fits in its type; elements may be
 * added, multiplied and moved, and nothing else. */
#include "prove/state.h"

#include <stdlib.h>
#include <string.h>

static const struct value nothing = {.kind = VALUE_NONE};

static struct value number(rd_term term)
{
    return (struct value){.kind = VALUE_NUMBER, .term = term};
}

static struct value element(rd_term term)
{
    return (struct value){.kind = VALUE_ELEMENT, .term = term};
}

rd_term rd_value_number(struct rd_execution *execution, struct value value)
{
    return value.term && rd_term_is_condition(value.term)
               ? rd_count_of(execution->terms, value.term)
               : value.term;
}

rd_term rd_value_condition(struct rd_execution *execution, struct value value)
{
    if (value.kind != VALUE_NUMBER || !value.term) {
        rd_execution_fail(execution, NULL, "a condition that is no condition on numbers");
        return rd_true(execution->terms);
    }
    return rd_term_is_condition(value.term)
               ? value.term
               : rd_not(execution->terms,
                        rd_equal(execution->terms, value.term, rd_number(execution->terms, 0)));
}

/* ---- ranges of types ---- */

bool rd_type_range(const struct rd_syntax_type *type, rd_wide *least, rd_wide *most)
{
    if (!type || (type->kind != RD_SYNTAX_INTEGER && type->kind != RD_SYNTAX_BOOL))
        return false;
    const unsigned bits = type->kind == RD_SYNTAX_BOOL ? 1 : type->bits;
    const rd_wide one = 1;
    *least = type->is_signed ? -(one << (bits - 1)) : 0;
    *most = (one << (type->is_signed ? bits - 1 : bits)) - 1;
    return true;
}

static const char *name_of(struct rd_execution *execution, const struct rd_syntax_type *type)
{
    return rd_terms_text(execution->terms, "%u bits%s", type->bits,
                         type->is_signed ? " with a sign" : "");
}

/* "i + half fits in 64 bits"; of what is long, the operator alone. */
static const char *fit_text(struct rd_execution *execution, const struct rd_syntax_node *node)
{
    enum { LENGTH_MAX = 60 };
    const bool is_cast = node->kind == RD_SYNTAX_CAST;
    const char *type = name_of(execution, node->type), *text = NULL;
    char *written = NULL;
    size_t length;
    FILE *out = open_memstream(&written, &length);
    if (out)
        rd_syntax_print_expression(is_cast ? node->kids[0] : node, out);
    if (out && fclose(out) == 0 && length <= LENGTH_MAX) {
        const bool enclosed = !is_cast && length > 2 && written[0] == '(';
        text = rd_terms_text(
            execution->terms,
            is_cast ? "the value of %.*s fits in the type to which it is converted, of %s"
                    : "%.*s fits in %s",
            (int)(length - 2 * enclosed), written + enclosed, type);
    }
    free(written);
    if (text)
        return text;
    return is_cast ? rd_terms_text(execution->terms, "what is converted fits in %s", type)
                   : rd_terms_text(execution->terms, "the result of '%s' fits in %s",
                                   node->op ? node->op : "the operation", type);
}

/* That the number is one of the type's; true of a type that has no range. */
static rd_term range_condition(const struct rd_execution *execution, rd_term term,
                               const struct rd_syntax_type *type)
{
    struct rd_terms *terms = execution->terms;
    rd_wide least, most;
    if (!rd_type_range(type, &least, &most))
        return rd_true(terms);
    return rd_and(terms, rd_at_most(terms, rd_number(terms, least), term),
                  rd_at_most(terms, term, rd_number(terms, most)));
}

void rd_require_range(struct rd_execution *execution, struct state *state, rd_term term,
                      const struct rd_syntax_type *type, const char *what, unsigned line)
{
    const struct rd_syntax_node at = {.line = line};
    rd_state_require(execution, state, range_condition(execution, term, type), &at, what);
}

static void require_fit(struct rd_execution *execution, struct state *state, rd_term term,
                        const struct rd_syntax_node *node)
{
    const rd_term fits = range_condition(execution, term, node->type);
    if (fits->kind != RD_TERM_TRUE)
        rd_state_require(execution, state, fits, node, fit_text(execution, node));
}

/* ---- names ---- */

static struct value place_value(struct rd_execution *execution, const char *place,
                                const char *member, const struct rd_syntax_node *node)
{
    struct rd_terms *terms = execution->terms;
    const bool of_x = strcmp(member, "x") == 0;
    if (strcmp(place, "threadIdx") == 0)
        return number(of_x ? execution->thread : rd_number(terms, 0));
    if (strcmp(place, "blockIdx") == 0)
        return number(of_x ? execution->block : rd_number(terms, 0));
    if (strcmp(place, "blockDim") == 0)
        return number(of_x ? execution->threads : rd_number(terms, 1));
    if (strcmp(place, "gridDim") == 0)
        return number(of_x ? execution->blocks : rd_number(terms, 1));
    rd_execution_fail(execution, node, "'%s.%s' is unknown to the prover", place, member);
    return nothing;
}

static bool is_place(const char *name)
{
    return name && (strcmp(name, "threadIdx") == 0 || strcmp(name, "blockIdx") == 0 ||
                    strcmp(name, "blockDim") == 0 || strcmp(name, "gridDim") == 0);
}

static struct value name_value(struct rd_execution *execution, struct state *state,
                               const struct rd_syntax_node *node)
{
    struct binding *found = node->declaration ? rd_state_find(state, node->declaration) : NULL;
    if (is_place(node->name))
        return (struct value){.kind = VALUE_PLACE, .name = node->name};
    if (!found || found->value.kind == VALUE_NONE) {
        rd_execution_fail(execution, node,
                          found ? "'%s' is read before it is set"
                                : "'%s' is no variable that the prover knows",
                          node->name ? node->name : "?");
        return nothing;
    }
    return found->value;
}

/* ---- memory ---- */

/* A cell that a thread of the block may have written before a barrier: by whom, and what. */
static rd_term written_before(struct rd_execution *execution, const struct rd_cut *from,
                              const struct rd_kernel_access *access, rd_term index, rd_term value)
{
    struct rd_terms *terms = execution->terms;
    rd_term owner;
    for (size_t k = 0; k < execution->heads.count; k++) /* what differs between threads */
        if (!(from->variable && rd_term_has(from->variable, execution->heads.terms[k])) &&
            (rd_term_has(access->value, execution->heads.terms[k]) ||
             rd_term_has(access->path, execution->heads.terms[k]) ||
             rd_term_has(access->index, execution->heads.terms[k])))
            return NULL;
    if (!rd_solve_linear(terms, access->index, execution->thread, index, &owner)) {
        if (rd_term_has(access->index, execution->thread))
            return NULL;
        /* One cell for all: its writer is the thread that the path names. */
        owner = rd_solution(terms, access->path, execution->thread);
        if (!owner)
            return NULL;
    }
    const rd_term zero = rd_number(terms, 0);
    rd_term made =
        rd_and(terms, access->path, rd_within(terms, zero, execution->thread, execution->threads));
    made = rd_replace(terms, made, 1, &execution->thread, &owner);
    made = rd_and(
        terms, made,
        rd_equal(terms, rd_replace(terms, access->index, 1, &execution->thread, &owner), index));
    return rd_choice(terms, made, rd_replace(terms, access->value, 1, &execution->thread, &owner),
                     value);
}

/* What the thread has written there itself in this phase, the last first, then what others have before a barrier, and else what lay there. Whether others write there
 * at the same time is a goal of its own. */
struct value rd_read_memory(struct rd_execution *execution, struct state *state,
                            const struct rd_prove_array *array, rd_term index,
                            const struct rd_syntax_node *node)
{
    struct rd_terms *terms = execution->terms;
    rd_term value = execution->read(execution->self, &state->from, array, index);
    for (size_t k = 0; k < state->n_accesses; k++) {
        const struct rd_kernel_access *access = &state->accesses[k];
        if (access->array != array || !access->is_write)
            continue;
        if (access->phase == state->phase || !array->is_shared) {
            value =
                rd_choice(terms, rd_and(terms, access->path, rd_equal(terms, access->index, index)),
                          access->value, value);
            continue;
        }
        value = written_before(execution, &state->from, access, index, value);
        if (!value) {
            rd_execution_fail(execution, node,
                              "'%s' is read, which line %u has written before a barrier, by a "
                              "thread that can't be told",
                              array->name, access->line);
            return element(rd_number(terms, 0));
        }
    }
    rd_state_access(execution, state,
                    (struct rd_kernel_access){
                        .array = array, .index = index, .file = node->file, .line = node->line});
    return element(value);
}

static void index_of(struct rd_execution *execution, struct state *state,
                     const struct rd_syntax_node *node, struct value *pointer)
{
    struct value index = rd_state_pop(state);
    *pointer = rd_state_pop(state);
    if (pointer->kind != VALUE_POINTER || index.kind != VALUE_NUMBER) {
        rd_execution_fail(execution, node, "an index of what is no array that the prover knows");
        return;
    }
    pointer->term = rd_add(execution->terms, pointer->term, rd_value_number(execution, index));
}

/* ---- operators ---- */

static bool is(const struct rd_syntax_node *node, const char *op)
{
    return node->op && strcmp(node->op, op) == 0;
}

static bool is_power_of_two(rd_wide number, rd_wide *exponent)
{
    *exponent = 0;
    if (number < 1 || (number & (number - 1)) != 0)
        return false;
    while (number > 1) {
        number /= 2;
        ++*exponent;
    }
    return true;
}

/* x & (2^k - 1) is a remainder. */
static rd_term masked(struct rd_execution *execution, const struct rd_syntax_node *node, rd_term x,
                      rd_term y)
{
    struct rd_terms *terms = execution->terms;
    rd_wide mask, exponent;
    if (x->kind == RD_TERM_NUMBER && y->kind != RD_TERM_NUMBER)
        return masked(execution, node, y, x);
    if (rd_term_is_number(y, &mask) && is_power_of_two(mask + 1, &exponent))
        return rd_mod(terms, x, rd_number(terms, mask + 1));
    rd_execution_fail(execution, node, "'&' with what is no 2^k - 1");
    return x;
}

static rd_term shifted(struct rd_execution *execution, struct state *state,
                       const struct rd_syntax_node *node, bool left, rd_term x, rd_term y)
{
    struct rd_terms *terms = execution->terms;
    const rd_term all_lanes = rd_number(terms, ((rd_wide)1 << 32) - 1);
    const rd_wide bits =
        node->type && node->type->kind == RD_SYNTAX_INTEGER ? node->type->bits : 32;
    rd_state_require(execution, state,
                     rd_within(terms, rd_number(terms, 0), y, rd_number(terms, bits)), node,
                     "a shift is by less than the type's bits");
    if (!left && x == all_lanes && bits == 32 && y->kind != RD_TERM_NUMBER) {
        const rd_term count = rd_subtract(terms, rd_number(terms, 32), y); /* ones */
        return rd_apply(terms, "first lanes", 1, &count);
    }
    return left ? rd_multiply(terms, x, rd_power_of_two(terms, y))
                : rd_div(terms, x, rd_power_of_two(terms, y));
}

static rd_term quotient(struct rd_execution *execution, struct state *state,
                        const struct rd_syntax_node *node, bool rest, rd_term x, rd_term y)
{
    struct rd_terms *terms = execution->terms;
    const rd_term zero = rd_number(terms, 0);
    rd_state_require(execution, state, rd_less(terms, zero, y), node,
                     "what is divided by is more than 0");
    if (node->type && node->type->is_signed)
        rd_state_require(execution, state, rd_at_most(terms, zero, x), node,
                         "what is divided is not negative");
    return rest ? rd_mod(terms, x, y) : rd_div(terms, x, y);
}

/* Of two numbers. */
static struct value computed(struct rd_execution *execution, struct state *state,
                             const struct rd_syntax_node *node, const char *op, rd_term x,
                             rd_term y)
{
    struct rd_terms *terms = execution->terms;
    rd_term made = x;
    if (strcmp(op, "<") == 0)
        return number(rd_less(terms, x, y));
    if (strcmp(op, ">") == 0)
        return number(rd_less(terms, y, x));
    if (strcmp(op, "<=") == 0)
        return number(rd_at_most(terms, x, y));
    if (strcmp(op, ">=") == 0)
        return number(rd_at_most(terms, y, x));
    if (strcmp(op, "==") == 0)
        return number(rd_equal(terms, x, y));
    if (strcmp(op, "!=") == 0)
        return number(rd_not(terms, rd_equal(terms, x, y)));
    if (*op == '+')
        made = rd_add(terms, x, y);
    else if (*op == '-')
        made = rd_subtract(terms, x, y);
    else if (*op == '*' && ((x == execution->block && y == execution->threads) ||
                            (y == execution->block && x == execution->threads)))
        made = execution->origin;
    else if (*op == '*')
        made = rd_multiply(terms, x, y);
    else if (*op == '/' || *op == '%')
        return number(quotient(execution, state, node, *op == '%', x, y));
    else if (*op == '&')
        return number(masked(execution, node, x, y));
    else if (strncmp(op, ">>", 2) == 0) /* it is not larger than x */
        return number(shifted(execution, state, node, false, x, y));
    else if (strncmp(op, "<<", 2) == 0)
        made = shifted(execution, state, node, true, x, y);
    else
        rd_execution_fail(execution, node, "the operator '%s'", op);
    require_fit(execution, state, made, node);
    return number(made);
}

/* Which inputs are in the term, as bits. */
static unsigned units_in(const struct rd_execution *execution, rd_term term)
{
    unsigned units = 0;
    for (size_t k = 0; k < execution->n_units; k++)
        units |= execution->units[k] && rd_term_has(term, execution->units[k]) ? 1u << k : 0;
    return units;
}

/* A product is linear in each input only if its factors are of different ones: a unit vector tells nothing of squares. */
static bool are_factors(const struct rd_execution *execution, rd_term x, rd_term y)
{
    const unsigned of_x = units_in(execution, x), of_y = units_in(execution, y);
    return (of_x & (of_x - 1)) == 0 && (of_y & (of_y - 1)) == 0 && (of_x & of_y) == 0;
}

/* Of two elements. */
static struct value combined(struct rd_execution *execution, const struct rd_syntax_node *node,
                             const char *op, rd_term x, rd_term y)
{
    struct rd_terms *terms = execution->terms;
    execution->adds = true;
    execution->subtracts = execution->subtracts || *op == '-';
    if (*op == '+' || *op == '-')
        return element(*op == '+' ? rd_add(terms, x, y) : rd_subtract(terms, x, y));
    if (*op == '*' && are_factors(execution, x, y))
        return element(rd_multiply(terms, x, y));
    if (*op == '*')
        rd_execution_fail(execution, node, "a product of elements that are not of two inputs");
    rd_execution_fail(execution, node, "'%s' of elements: a proof knows sums and products alone",
                      op);
    return element(x);
}

static struct value binary(struct rd_execution *execution, struct state *state,
                           const struct rd_syntax_node *node, const char *op, struct value x,
                           struct value y)
{
    struct rd_terms *terms = execution->terms;
    if (x.kind == VALUE_NUMBER && y.kind == VALUE_NUMBER)
        return computed(execution, state, node, op, rd_value_number(execution, x),
                        rd_value_number(execution, y));
    if (x.kind == VALUE_ELEMENT && y.kind == VALUE_ELEMENT)
        return combined(execution, node, op, x.term, y.term);
    if (x.kind == VALUE_POINTER && y.kind == VALUE_NUMBER && (*op == '+' || *op == '-')) {
        x.term = *op == '+' ? rd_add(terms, x.term, rd_value_number(execution, y))
                            : rd_subtract(terms, x.term, rd_value_number(execution, y));
        return x;
    }
    rd_execution_fail(execution, node, "'%s' of such operands", op);
    return nothing;
}

/* ---- conversions ---- */

/* Every value of the other type is one of this type. */
static bool is_wider(const struct rd_syntax_type *type, const struct rd_syntax_type *other)
{
    rd_wide least, most, other_least, other_most;
    return rd_type_range(type, &least, &most) && rd_type_range(other, &other_least, &other_most) &&
           least <= other_least && other_most <= most;
}

/* An array that decays, or a pointer to what is as large. */
static bool points_to_same(const struct rd_syntax_type *type, const struct rd_syntax_type *other)
{
    return type->of && other && other->of && type->of->kind == other->of->kind &&
           type->of->bits == other->of->bits;
}

static struct value converted(struct rd_execution *execution, struct state *state,
                              const struct rd_syntax_node *node, struct value value)
{
    const struct rd_syntax_type *type = node->type;
    rd_wide constant;
    if (!type || value.kind == VALUE_NONE)
        return value;
    if (value.kind == VALUE_POINTER && !points_to_same(type, node->kids[0]->type))
        rd_execution_fail(execution, node, "a pointer to elements that becomes one to others");
    if (value.kind == VALUE_NUMBER && type->kind == RD_SYNTAX_FLOAT) {
        execution->adds = true;
        if (rd_term_is_number(rd_value_number(execution, value), &constant))
            return element(rd_number(execution->terms, constant));
        rd_execution_fail(execution, node, "a number that becomes an element, and is not known");
    } else if (value.kind == VALUE_NUMBER && type->kind == RD_SYNTAX_BOOL) {
        return number(rd_value_condition(execution, value));
    } else if (value.kind == VALUE_NUMBER && type->kind == RD_SYNTAX_INTEGER) {
        if (!rd_term_is_condition(value.term) && !is_wider(type, node->kids[0]->type))
            require_fit(execution, state, value.term, node);
    } else if (value.kind == VALUE_ELEMENT &&
               (type->kind == RD_SYNTAX_INTEGER || type->kind == RD_SYNTAX_BOOL)) {
        rd_execution_fail(execution, node, "an element that becomes a number");
    }
    return value;
}

/* ---- assignments ---- */

static void assign_variable(struct rd_execution *execution, struct state *state,
                            const struct rd_syntax_node *node, struct value value)
{
    const struct rd_syntax_node *target = node->kids[0];
    struct binding *found = target->declaration ? rd_state_find(state, target->declaration) : NULL;
    if (!found) {
        rd_execution_fail(execution, node, "a variable that is set, and is none of the function's");
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
    struct value value = rd_state_pop(state);
    if (target->kind == RD_SYNTAX_NAME) {
        if (is_compound(node))
            value = binary(execution, state, node, node->op, name_value(execution, state, target),
                           value);
        assign_variable(execution, state, node, value);
        return;
    }
    struct value pointer;
    if (target->kind == RD_SYNTAX_INDEX)
        index_of(execution, state, node, &pointer);
    else
        pointer = rd_state_pop(state);
    if (!rd_execution_goes(execution))
        return;
    if (is_compound(node))
        value = binary(execution, state, node, node->op,
                       rd_read_memory(execution, state, pointer.array, pointer.term, node), value);
    if (value.kind != VALUE_ELEMENT) {
        rd_execution_fail(execution, node, "a cell that is set to what is no element");
        return;
    }
    rd_state_access(execution, state,
                    (struct rd_kernel_access){.array = pointer.array,
                                              .index = pointer.term,
                                              .is_write = true,
                                              .value = value.term,
                                              .file = node->file,
                                              .line = node->line});
    rd_state_push(execution, state, value);
}

static void perform_assignment(struct rd_execution *execution, struct states *states,
                               const struct rd_syntax_node *node)
{
    const struct rd_syntax_node *target = node->kids[0];
    if (target->kind == RD_SYNTAX_INDEX) {
        rd_evaluate(execution, states, target->kids[0]);
        rd_evaluate(execution, states, target->kids[1]);
    } else if (target->kind == RD_SYNTAX_UNARY && is(target, "*")) {
        rd_evaluate(execution, states, target->kids[0]);
    } else if (target->kind != RD_SYNTAX_NAME) {
        rd_execution_fail(execution, node, "an assignment to such a target");
        return;
    }
    rd_evaluate(execution, states, node->kids[1]);
    for (size_t k = 0; k < states->count && rd_execution_goes(execution); k++)
        assign(execution, states->items[k], node);
}

static void step(struct rd_execution *execution, struct state *state,
                 const struct rd_syntax_node *node)
{
    const struct rd_syntax_node *target = node->kids[0];
    if (target->kind != RD_SYNTAX_NAME) {
        rd_execution_fail(execution, node, "'%s' of what is no variable", node->op);
        return;
    }
    const struct value before = name_value(execution, state, target);
    const struct value after = binary(execution, state, node, *node->op == '+' ? "+" : "-", before,
                                      number(rd_number(execution->terms, 1)));
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
            index_of(execution, state, node, &value);
        } else {
            value = rd_state_pop(state);
            if (is(node, "!") && value.kind == VALUE_NUMBER)
                value = number(rd_not(terms, rd_value_condition(execution, value)));
            else if (is(node, "-") && value.kind == VALUE_NUMBER)
                value = computed(execution, state, node, "-", rd_number(terms, 0),
                                 rd_value_number(execution, value));
            else if (is(node, "*") && value.kind == VALUE_POINTER)
                value = rd_read_memory(execution, state, value.array, value.term, node);
            else if (!is(node, "+"))
                rd_execution_fail(execution, node, "the operator '%s' of such an operand",
                                  node->op ? node->op : "?");
        }
        rd_state_push(execution, state, value);
    }
}

/* What is evaluated on a condition is so for all here: it must not set variables, nor pass a barrier. */
static void evaluate_part(struct rd_execution *execution, struct state *state,
                          const struct rd_syntax_node *part, const char *of)
{
    struct states one = {.count = 1, .items = {state}};
    const unsigned phase = state->phase;
    if (rd_sets(part))
        rd_execution_fail(execution, part, "a part of '%s' that sets a variable", of);
    rd_evaluate(execution, &one, part);
    if (one.count != 1 || (one.count == 1 && one.items[0]->phase != phase))
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
        rd_state_push(execution, state,
                      number(both ? rd_and(terms, left, right) : rd_or(terms, left, right)));
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
        if (sides[0].kind != sides[1].kind ||
            (sides[0].kind != VALUE_NUMBER && sides[0].kind != VALUE_ELEMENT)) {
            rd_execution_fail(execution, node, "'?:' of such operands");
            return;
        }
        sides[0].term = rd_choice(terms, condition, rd_value_number(execution, sides[0]),
                                  rd_value_number(execution, sides[1]));
        rd_state_push(execution, state, sides[0]);
    }
}

static void evaluate_binary(struct rd_execution *execution, struct states *states,
                            const struct rd_syntax_node *node)
{
    rd_evaluate(execution, states, node->kids[0]);
    if (is(node, ","))
        for (size_t k = 0; k < states->count; k++)
            rd_state_pop(states->items[k]);
    rd_evaluate(execution, states, node->kids[1]);
    for (size_t k = 0; k < states->count && rd_execution_goes(execution) && !is(node, ","); k++) {
        struct state *state = states->items[k];
        const struct value right = rd_state_pop(state), left = rd_state_pop(state);
        rd_state_push(execution, state, binary(execution, state, node, node->op, left, right));
    }
}

/* What has one operand or none, in one state. */
static struct value evaluate_simple(struct rd_execution *execution, struct state *state,
                                    const struct rd_syntax_node *node)
{
    struct value value;
    switch (node->kind) {
    case RD_SYNTAX_NUMBER:
        return number(rd_number(execution->terms, (rd_wide)node->number));
    case RD_SYNTAX_REAL: /* a name: it is not whole */
        execution->adds = true;
        if (!node->name)
            return element(rd_number(execution->terms, (rd_wide)node->number));
        rd_execution_fail(execution, node, "an element that is %s", node->name);
        return nothing;
    case RD_SYNTAX_TEXT:
        return (struct value){.kind = VALUE_TEXT, .name = node->name};
    case RD_SYNTAX_NAME:
        return name_value(execution, state, node);
    case RD_SYNTAX_CAST:
        return converted(execution, state, node, rd_state_pop(state));
    case RD_SYNTAX_MEMBER:
        value = rd_state_pop(state);
        if (value.kind == VALUE_PLACE)
            return place_value(execution, value.name, node->name, node);
        rd_execution_fail(execution, node, "the member '%s' of a structure", node->name);
        return nothing;
    case RD_SYNTAX_INDEX:
        index_of(execution, state, node, &value);
        return rd_execution_goes(execution)
                   ? rd_read_memory(execution, state, value.array, value.term, node)
                   : nothing;
    default:
        rd_execution_fail(execution, node, "%s", node->name ? node->name : "such an expression");
        return nothing;
    }
}

void rd_evaluate(struct rd_execution *execution, struct states *states,
                 const struct rd_syntax_node *node)
{
    if (!rd_execution_goes(execution))
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
        rd_evaluate(execution, states, node->kids[0]);
        rd_evaluate(execution, states, node->kids[1]);
        break;
    default:
        break;
    }
    for (size_t k = 0; k < states->count && rd_execution_goes(execution); k++)
        rd_state_push(execution, states->items[k],
                      evaluate_simple(execution, states->items[k], node));
}
