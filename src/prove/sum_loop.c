// SPDX-License-Identifier: MIT
/* Loops that are summed up. */
#include "prove/loops.h"

#include <string.h>

static const struct rd_syntax_node *bare(const struct rd_syntax_node *node)
{
    while (node &&
           ((node->kind == RD_SYNTAX_BLOCK && node->n_kids == 1) || node->kind == RD_SYNTAX_CAST))
        node = node->kids[0];
    return node;
}

static bool is_op(const struct rd_syntax_node *node, enum rd_syntax_kind kind, const char *op)
{
    return node && node->kind == kind && node->op && strcmp(node->op, op) == 0;
}

static const struct rd_syntax_declaration *variable_of(const struct rd_syntax_node *node)
{
    node = bare(node);
    return node && node->kind == RD_SYNTAX_NAME ? node->declaration : NULL;
}

/* A variable, or its value in a type that has all values of its own. */
static bool is_compared_as_it_is(const struct rd_syntax_node *node)
{
    while (node->kind == RD_SYNTAX_CAST) {
        const struct rd_syntax_type *to = node->type, *from = node->kids[0]->type;
        if (!to || !from || to->kind != RD_SYNTAX_INTEGER || from->kind != RD_SYNTAX_INTEGER ||
            (to->is_signed == from->is_signed ? to->bits < from->bits
                                              : from->is_signed || to->bits <= from->bits))
            return false;
        node = node->kids[0];
    }
    return node->kind == RD_SYNTAX_NAME;
}

/* ---- powers of two ---- */

bool rd_find_power(struct rd_execution *execution, struct states *states,
                   const struct rd_loop_parts *parts)
{
    struct rd_terms *terms = execution->terms;
    const struct rd_syntax_node *condition = parts->condition, *body = bare(parts->body);
    const rd_term one = rd_number(terms, 1);
    if (parts->increment || !is_op(condition, RD_SYNTAX_BINARY, "<") ||
        !is_op(body, RD_SYNTAX_ASSIGN, "*=") || !variable_of(condition->kids[0]) ||
        variable_of(condition->kids[0]) != variable_of(body->kids[0]) ||
        bare(body->kids[1])->kind != RD_SYNTAX_NUMBER || bare(body->kids[1])->number != 2 ||
        !is_compared_as_it_is(condition->kids[0]) || rd_sets(condition->kids[1]))
        return false;
    for (size_t k = 0; k < states->count; k++) {
        struct binding *found = rd_state_find(states->items[k], variable_of(condition->kids[0]));
        if (!found || found->value.kind != VALUE_NUMBER || found->value.term != one)
            return false;
    }
    rd_evaluate(execution, states, condition->kids[1]);
    for (size_t k = 0; k < states->count && rd_execution_goes(execution); k++) {
        struct state *state = states->items[k];
        const rd_term least = rd_value_number(execution, rd_state_pop(state));
        const rd_term power = rd_apply(terms, "bit_ceil", 1, &least);
        const struct rd_syntax_type *type = variable_of(condition->kids[0])->type;
        rd_wide lowest, highest;
        rd_state_require(execution, state, rd_at_most(terms, one, least), parts->loop,
                         "the power of two is of a number of at least 1");
        if (rd_type_range(type, &lowest, &highest))
            rd_state_require(execution, state, rd_less(terms, power, rd_number(terms, highest + 1)),
                             parts->loop, "the power of two fits in its type");
        rd_state_find(state, variable_of(condition->kids[0]))->value.term = power;
    }
    return true;
}

/* ---- sums ---- */

struct sum {
    const struct rd_syntax_declaration *index, *accumulator;
    const struct rd_syntax_node *bound, *stride; /* stride NULL: 1 */
};

/* Tells whether the node sets the variable by what it reads of an array. */
static bool takes_cells(const struct rd_syntax_node *node,
                        const struct rd_syntax_declaration *variable, bool within)
{
    if (!node || (within && node->kind == RD_SYNTAX_INDEX))
        return node != NULL;
    const bool sets = node->kind == RD_SYNTAX_ASSIGN && node->kids[0]->declaration == variable;
    for (size_t k = 0; k < node->n_kids; k++)
        if (takes_cells(node->kids[k], variable, within || sets))
            return true;
    return false;
}

/* The only variable that the body assigns, but for those that it declares itself. */
static bool find_accumulator(struct rd_execution *execution, const struct rd_syntax_node *node,
                             struct state *state, struct sum *sum)
{
    for (size_t k = state->frame; k < state->n_bindings; k++) {
        const struct rd_syntax_declaration *declaration = state->bindings[k].declaration;
        if (!rd_assigns(node, declaration))
            continue;
        if (takes_cells(node, declaration, false))
            rd_become_element(execution, &state->bindings[k].value);
        if (sum->accumulator || declaration == sum->index ||
            state->bindings[k].value.kind != VALUE_ELEMENT)
            return false;
        sum->accumulator = declaration;
    }
    return sum->accumulator != NULL;
}

static bool is_sum(struct rd_execution *execution, const struct rd_loop_parts *parts,
                   struct states *states, struct sum *sum)
{
    const struct rd_syntax_node *condition = parts->condition, *increment = bare(parts->increment);
    if (!is_op(condition, RD_SYNTAX_BINARY, "<") || !increment)
        return false;
    sum->index = variable_of(condition->kids[0]);
    sum->bound = condition->kids[1];
    if (is_op(increment, RD_SYNTAX_ASSIGN, "+="))
        sum->stride = increment->kids[1];
    else if (!is_op(increment, RD_SYNTAX_UNARY, "++"))
        return false;
    if (!sum->index || variable_of(increment->kids[0]) != sum->index ||
        !is_compared_as_it_is(condition->kids[0]) || rd_sets(sum->bound) || rd_sets(sum->stride))
        return false;
    for (size_t k = 0; k < states->count; k++) {
        struct sum of_state = {.index = sum->index};
        if (!find_accumulator(execution, parts->body, states->items[k], &of_state) ||
            (sum->accumulator && sum->accumulator != of_state.accumulator))
            return false;
        sum->accumulator = of_state.accumulator;
    }
    return sum->accumulator != NULL;
}

/* Returns the sum over i = first, first + stride, … below `bound` of a term that is 1 for one i at most; NULL where that can't be
 * seen. Cells that are read must be live: of others nothing is known. */
static rd_term total(struct rd_execution *execution, struct state *state, rd_term term, rd_term i,
                     rd_term first, rd_term bound, rd_term stride)
{
    struct rd_terms *terms = execution->terms;
    const rd_term zero = rd_number(terms, 0);
    if (term == zero)
        return zero;
    if (term->kind == RD_TERM_CHOICE && term->kids[2]->kind == RD_TERM_APPLY) {
        rd_state_require(execution, state, term->kids[0], NULL, "a loop adds live cells alone");
        return total(execution, state, term->kids[1], i, first, bound, stride);
    }
    if (term->kind != RD_TERM_CHOICE || term->kids[1] != rd_number(terms, 1) ||
        term->kids[2] != zero)
        return NULL;
    const rd_term at = rd_solution(terms, term->kids[0], i);
    if (!at)
        return NULL;
    const rd_term offset = rd_subtract(terms, at, first);
    rd_term condition = rd_replace(terms, term->kids[0], 1, &i, &at);
    condition = rd_and(terms, condition, rd_within(terms, first, at, bound));
    condition = rd_and(terms, condition, rd_equal(terms, rd_mod(terms, offset, stride), zero));
    return rd_count_of(terms, condition);
}

/* Returns what a trip adds to the accumulator: the term without the marker, which stands for what was in it. NULL where more is done
 * with that than to add to it. */
static rd_term added_to(struct rd_terms *terms, rd_term term, rd_term marker)
{
    if (term->kind == RD_TERM_CHOICE && rd_term_has(term, marker)) {
        if (rd_term_has(term->kids[0], marker))
            return NULL;
        const rd_term yes = added_to(terms, term->kids[1], marker),
                      no = added_to(terms, term->kids[2], marker);
        return yes && no ? rd_choice(terms, term->kids[0], yes, no) : NULL;
    }
    const rd_term rest = rd_subtract(terms, term, marker);
    return rd_term_has(rest, marker) ? NULL : rest;
}

static void fail_sum(struct rd_execution *execution, const struct rd_loop_parts *parts)
{
    rd_execution_fail(execution, parts->loop,
                      "a loop without a checkpoint whose sum the prover can't state");
}

/* One trip at an unknown i, whose accesses and requirements are those of all; the rest is arithmetic. */
static void sum_state(struct rd_execution *execution, struct states *one,
                      const struct rd_loop_parts *parts, const struct sum *sum)
{
    struct rd_terms *terms = execution->terms;
    struct state *state = one->items[0];
    rd_evaluate(execution, one, sum->bound);
    if (sum->stride)
        rd_evaluate(execution, one, sum->stride);
    if (!rd_execution_goes(execution) || one->count != 1)
        return;
    const rd_term stride =
        sum->stride ? rd_value_number(execution, rd_state_pop(state)) : rd_number(terms, 1);
    const rd_term bound = rd_value_number(execution, rd_state_pop(state));
    struct binding *index = rd_state_find(state, sum->index);
    const rd_term first = rd_value_number(execution, index->value);
    const rd_term before = rd_state_find(state, sum->accumulator)->value.term;
    const rd_term path = state->path, zero = rd_number(terms, 0);
    const unsigned phase = state->phase;
    const rd_term i =
        rd_constant(terms, rd_terms_text(terms, "%s@%u", sum->index->name, execution->fresh++));
    const size_t n_accesses = state->n_accesses;
    rd_state_require(execution, state, rd_less(terms, zero, stride), parts->loop,
                     "the stride is more than 0");
    rd_term_list_add(terms, &execution->heads, i);
    index->value.term = i;
    const rd_term marker = rd_constant(
        terms, rd_terms_text(terms, "%s@%u", sum->accumulator->name, execution->fresh++));
    rd_state_find(state, sum->accumulator)->value.term = marker;
    state->path = rd_and(terms, path, rd_within(terms, first, i, bound));
    state->path =
        rd_and(terms, state->path,
               rd_equal(terms, rd_mod(terms, rd_subtract(terms, i, first), stride), zero));
    rd_perform(execution, one, parts->body);
    if (rd_execution_goes(execution) && one->count == 1 && parts->increment)
        rd_perform(execution, one, parts->increment);
    if (!rd_execution_goes(execution))
        return;
    state = one->items[0];
    bool writes = false;
    for (size_t k = n_accesses; k < state->n_accesses; k++)
        writes = writes || state->accesses[k].is_write;
    if (one->count != 1 || writes || state->phase != phase || state->flow != FLOW_RUNS) {
        fail_sum(execution, parts);
        return;
    }
    struct binding *accumulator = rd_state_find(state, sum->accumulator);
    const rd_term each = added_to(terms, accumulator->value.term, marker);
    const rd_term added = each ? total(execution, state, each, i, first, bound, stride) : NULL;
    if (!added) {
        fail_sum(execution, parts);
        return;
    }
    accumulator->value.term = rd_add(terms, before, added);
    rd_state_find(state, sum->index)->value.kind = VALUE_NONE;
    state->path = path;
}

bool rd_sum_up(struct rd_execution *execution, struct states *states,
               const struct rd_loop_parts *parts)
{
    struct sum sum = {0};
    struct states all = {0};
    if (!is_sum(execution, parts, states, &sum))
        return false;
    for (size_t k = 0; k < states->count; k++) {
        struct states one = {.count = 1, .items = {states->items[k]}};
        states->items[k] = NULL;
        if (rd_execution_goes(execution))
            sum_state(execution, &one, parts, &sum);
        rd_states_move(execution, &all, &one);
    }
    states->count = 0;
    rd_states_move(execution, states, &all);
    return true;
}
