// SPDX-License-Identifier: MIT
/* Loops that are summed up. */
#include "prove/kernel/loops.h"

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

bool rd_calls(const struct rd_syntax_node *node)
{
    bool calls = node && node->kind == RD_SYNTAX_CALL;
    for (size_t k = 0; node && k < node->n_kids && !calls; k++)
        calls = rd_calls(node->kids[k]);
    return calls;
}

static bool names(const struct rd_syntax_node *node, const struct rd_syntax_declaration *variable)
{
    if (!node)
        return false;
    if (node->kind == RD_SYNTAX_NAME && node->declaration == variable)
        return true;
    for (size_t k = 0; k < node->n_kids; k++)
        if (names(node->kids[k], variable))
            return true;
    return false;
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
        !is_compared_as_it_is(condition->kids[0]) || rd_sets(condition->kids[1]) ||
        rd_calls(condition->kids[1]) || names(condition->kids[1], variable_of(condition->kids[0])))
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

enum { ACCUMULATORS_MAX = 8 };

struct sum {
    const struct rd_syntax_declaration *index;
    unsigned n_accumulators;
    const struct rd_syntax_declaration *accumulators[ACCUMULATORS_MAX];
    const struct rd_syntax_node *condition, *stride; /* stride NULL: 1 */
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

/* Finds the variables that the body assigns, but for those that it declares itself; false where one can't be summed up. */
static bool find_accumulators(struct rd_execution *execution, const struct rd_syntax_node *node,
                              struct state *state, struct sum *sum)
{
    for (size_t k = state->frame; k < state->n_bindings; k++) {
        const struct rd_syntax_declaration *declaration = state->bindings[k].declaration;
        if (!rd_assigns(node, declaration))
            continue;
        if (takes_cells(node, declaration, false))
            rd_become_element(execution, node, &state->bindings[k].value);
        if (sum->n_accumulators == ACCUMULATORS_MAX || declaration == sum->index ||
            state->bindings[k].value.kind != VALUE_ELEMENT)
            return false;
        sum->accumulators[sum->n_accumulators++] = declaration;
    }
    return true;
}

static bool have_same_accumulators(const struct sum *x, const struct sum *y)
{
    for (unsigned k = 0; k < x->n_accumulators && k < y->n_accumulators; k++)
        if (x->accumulators[k] != y->accumulators[k])
            return false;
    return x->n_accumulators == y->n_accumulators;
}

static bool is_sum(struct rd_execution *execution, const struct rd_loop_parts *parts,
                   struct states *states, struct sum *sum)
{
    const struct rd_syntax_node *increment = bare(parts->increment);
    sum->condition = parts->condition;
    if (!sum->condition || !increment)
        return false;
    if (is_op(increment, RD_SYNTAX_ASSIGN, "+="))
        sum->stride = increment->kids[1];
    else if (!is_op(increment, RD_SYNTAX_UNARY, "++"))
        return false;
    sum->index = variable_of(increment->kids[0]);
    if (!sum->index || rd_sets(sum->condition) || rd_sets(sum->stride) ||
        rd_calls(sum->condition) || rd_calls(sum->stride))
        return false;
    for (size_t k = 0; k < states->count; k++) {
        struct sum of_state = {
            .index = sum->index, .condition = sum->condition, .stride = sum->stride};
        const struct binding *index = rd_state_find(states->items[k], sum->index);
        if (rd_points_to_caller(states->items[k]) && rd_stores(execution, parts->body))
            return false;
        if (!index || index->value.kind != VALUE_NUMBER ||
            !find_accumulators(execution, parts->body, states->items[k], &of_state) ||
            (of_state.n_accumulators == 0 && !rd_stores(execution, parts->body)) ||
            (k > 0 && !have_same_accumulators(sum, &of_state)))
            return false;
        *sum = of_state;
    }
    return states->count > 0;
}

/* A few trips whose number is stated: they are written out. */
static bool has_few_trips(const struct rd_loop_parts *parts, struct states *states,
                          const struct sum *sum)
{
    enum { TRIPS_MAX = 64 };
    const struct rd_syntax_node *bound = is_op(sum->condition, RD_SYNTAX_BINARY, "<") &&
                                                 variable_of(sum->condition->kids[0]) == sum->index
                                             ? bare(sum->condition->kids[1])
                                             : NULL;
    bool few = bound && bound->kind == RD_SYNTAX_NUMBER && bound->number <= TRIPS_MAX &&
               !sum->stride && parts->body;
    for (size_t k = 0; k < states->count && few; k++) {
        const struct binding *index = rd_state_find(states->items[k], sum->index);
        few = index && index->value.kind == VALUE_NUMBER && index->value.term &&
              index->value.term->kind == RD_TERM_NUMBER && index->value.term->number >= 0;
    }
    return few;
}

/* A loop that is summed up: for (i = first; goes_on; i += stride). */
struct trips {
    rd_term i, first, stride, goes_on;
};

/* The condition that a trip is made at i, where those before it are: they are, as goes_on gets false once and for all. */
static rd_term is_trip(struct rd_terms *terms, const struct trips *trips)
{
    const rd_term rest = rd_mod(terms, rd_subtract(terms, trips->i, trips->first), trips->stride);
    return rd_and(terms, rd_and(terms, rd_at_most(terms, trips->first, trips->i), trips->goes_on),
                  rd_equal(terms, rest, rd_number(terms, 0)));
}

/* Tells whether the condition is false from some i on: it is a conjunction of bounds of i from above, and of conditions without i. */
static bool ends_for_good(struct rd_terms *terms, rd_term condition, rd_term i)
{
    unsigned count;
    const rd_term *parts = rd_term_conjuncts(&condition, &count);
    for (unsigned k = 0; k < count; k++) {
        const bool is_negated = parts[k]->kind == RD_TERM_NOT;
        const rd_term less = is_negated ? parts[k]->kids[0] : parts[k];
        rd_term factor, rest;
        if (!rd_term_has(parts[k], i))
            continue;
        if (less->kind != RD_TERM_LESS ||
            !rd_is_linear(terms,
                          rd_subtract(terms, less->kids[is_negated], less->kids[!is_negated]), i,
                          &factor, &rest) ||
            factor->kind != RD_TERM_NUMBER || factor->number < 0)
            return false;
    }
    return true;
}

/* Evaluates a part of the loop's head for the index i; NULL where it forks. */
static rd_term head_number(struct rd_execution *execution, struct states *one,
                           const struct rd_syntax_node *node, bool is_condition)
{
    rd_evaluate(execution, one, node);
    if (!rd_execution_goes(execution) || one->count != 1)
        return NULL;
    const struct value value = rd_state_pop(one->items[0]);
    return is_condition ? rd_value_condition(execution, value) : rd_value_number(execution, value);
}

static void fail_sum(struct rd_execution *execution, const struct rd_loop_parts *parts)
{
    rd_execution_fail(execution, parts->loop,
                      "a loop without a checkpoint whose sum the prover can't state");
}

/* Finds the trips of the loop from its head, in a copy of the state. False where they can't be stated. */
static bool find_trips(struct rd_execution *execution, const struct state *state,
                       const struct sum *sum, struct trips *trips)
{
    struct rd_terms *terms = execution->terms;
    struct states one = {.count = 1, .items = {rd_state_copy(execution, state)}};
    if (!one.items[0])
        return false;
    struct binding *index = rd_state_find(one.items[0], sum->index);
    trips->first = rd_value_number(execution, index->value);
    trips->i =
        rd_constant(terms, rd_terms_text(terms, "%s@%u", sum->index->name, execution->fresh++));
    index->value = rd_number_value(trips->i);
    trips->stride = rd_number(terms, 1);
    trips->goes_on = head_number(execution, &one, sum->condition, true);
    if (trips->goes_on && sum->stride)
        trips->stride = head_number(execution, &one, sum->stride, false);
    rd_states_finish(&one);
    return trips->goes_on && trips->stride && !rd_term_has(trips->stride, trips->i) &&
           ends_for_good(terms, trips->goes_on, trips->i);
}

/* Evaluates the head for its requirements: the condition is asked at each trip, and once behind the last. */
static void require_head(struct rd_execution *execution, struct states *one,
                         const struct rd_loop_parts *parts, const struct sum *sum,
                         const struct trips *trips)
{
    struct rd_terms *terms = execution->terms;
    struct state *state = one->items[0];
    const rd_term path = state->path, before = rd_subtract(terms, trips->i, trips->stride);
    const rd_term came = rd_or(terms, rd_equal(terms, trips->i, trips->first),
                               rd_and(terms, rd_at_most(terms, trips->first, before),
                                      rd_replace(terms, trips->goes_on, 1, &trips->i, &before)));
    rd_state_require(execution, state, rd_less(terms, rd_number(terms, 0), trips->stride),
                     parts->loop, "the stride is more than 0");
    state->path = rd_and(terms, path, came);
    if (head_number(execution, one, sum->condition, true) != trips->goes_on ||
        (sum->stride && head_number(execution, one, sum->stride, false) != trips->stride))
        fail_sum(execution, parts);
    if (one->count == 1)
        one->items[0]->path = path;
}

/* What a trip adds to: markers stand for what was in the accumulators before it. */
struct markers {
    unsigned count;
    rd_term terms[ACCUMULATORS_MAX], before[ACCUMULATORS_MAX];
    struct rd_height heights[ACCUMULATORS_MAX]; /* before */
};

static bool has_marker(rd_term term, const struct markers *markers)
{
    for (unsigned k = 0; k < markers->count; k++)
        if (rd_term_has(term, markers->terms[k]))
            return true;
    return false;
}

/* Returns what a trip adds to the accumulator: the term without its marker. NULL where more is done with one of them
 * than to add to it. */
static rd_term added_to(struct rd_terms *terms, rd_term term, unsigned which,
                        const struct markers *markers)
{
    if (term->kind == RD_TERM_CHOICE && has_marker(term, markers)) {
        if (has_marker(term->kids[0], markers))
            return NULL;
        const rd_term yes = added_to(terms, term->kids[1], which, markers),
                      no = added_to(terms, term->kids[2], which, markers);
        return yes && no ? rd_choice(terms, term->kids[0], yes, no) : NULL;
    }
    const rd_term rest = rd_subtract(terms, term, markers->terms[which]);
    return has_marker(rest, markers) ? NULL : rest;
}

static void mark(struct rd_execution *execution, struct state *state, const struct sum *sum,
                 struct markers *markers)
{
    markers->count = sum->n_accumulators;
    for (unsigned k = 0; k < sum->n_accumulators; k++) {
        struct value *value = &rd_state_find(state, sum->accumulators[k])->value;
        markers->before[k] = value->term;
        markers->terms[k] = rd_constant(execution->terms, rd_terms_text(execution->terms, "%s@%u",
                                                                        sum->accumulators[k]->name,
                                                                        execution->fresh++));
        value->term = markers->terms[k];
        value->is_linear = false; /* what was in it isn't known */
        markers->heights[k] = value->height;
        value->height = (struct rd_height){.known = true};
    }
}

static void require_of_height(struct rd_execution *execution, struct state *state,
                              const struct rd_loop_parts *parts, rd_term condition)
{
    const size_t n_requirements = state->n_requirements;
    rd_state_require(execution, state, condition, parts->loop,
                     "a loop makes no more trips than there are steps to its end");
    if (state->n_requirements > n_requirements)
        state->requirements[n_requirements].is_of_height = true;
}

/* Returns ceil(bound / stride), than which there are no more trips, as is required, if these are the same for all
 * threads; else NULL. */
static rd_term most_trips(struct rd_execution *execution, struct state *state,
                          const struct rd_loop_parts *parts, const struct trips *trips)
{
    struct rd_terms *terms = execution->terms;
    const rd_term of_thread[] = {execution->thread,   execution->block,   execution->origin,
                                 execution->y.thread, execution->y.block, execution->y.origin};
    unsigned count;
    const rd_term *bounds = rd_term_conjuncts(&trips->goes_on, &count);
    for (unsigned k = 0; k < count; k++) {
        if (bounds[k]->kind != RD_TERM_LESS || bounds[k]->kids[0] != trips->i)
            continue;
        const rd_term quotient[] = {bounds[k]->kids[1], trips->stride}, bound = quotient[0],
                      most = trips->stride == rd_number(terms, 1)
                                 ? bound
                                 : rd_apply(terms, "ceil of quotient", 2, quotient);
        bool differs = false;
        for (size_t t = 0; t < sizeof of_thread / sizeof *of_thread; t++)
            differs = differs || (of_thread[t] && rd_term_has(most, of_thread[t]));
        for (size_t h = 0; h < execution->heads.count; h++)
            differs = differs || rd_term_has(most, execution->heads.terms[h]);
        if (differs)
            continue;
        const rd_term path = state->path;
        require_of_height(execution, state, parts,
                          rd_at_most(terms, rd_number(terms, 0), trips->first));
        state->path = rd_true(terms); /* ceil(bound / stride) is at least 1 */
        require_of_height(execution, state, parts, rd_at_most(terms, rd_number(terms, 1), bound));
        state->path = path;
        return most;
    }
    return NULL;
}

/* Tells whether the term has a variable of loops within the trip: in each trip that has another value, which no sum of trips knows. */
static bool has_inner_head(const struct rd_execution *execution, rd_term term, size_t n_heads)
{
    for (size_t k = n_heads; k < execution->heads.count; k++)
        if (rd_term_has(term, execution->heads.terms[k]))
            return true;
    return false;
}

/* One trip at an unknown i, whose accesses and requirements are those of all; the rest is arithmetic. */
static void sum_state(struct rd_execution *execution, struct states *one,
                      const struct rd_loop_parts *parts, const struct sum *sum)
{
    struct rd_terms *terms = execution->terms;
    struct state *state = one->items[0];
    struct trips trips;
    if (!find_trips(execution, state, sum, &trips)) {
        fail_sum(execution, parts);
        return;
    }
    const rd_term path = state->path, n_trips = most_trips(execution, state, parts, &trips);
    const struct state at_first = *state;
    const size_t n_accesses = state->n_accesses;
    rd_term_list_add(terms, &execution->heads, trips.i);
    rd_execution_add_trips(execution, (struct rd_loop_trips){trips.i, trips.first, trips.stride});
    const size_t n_heads = execution->heads.count;
    rd_state_find(state, sum->index)->value = rd_number_value(trips.i);
    struct markers markers;
    mark(execution, state, sum, &markers);
    require_head(execution, one, parts, sum, &trips);
    if (!rd_execution_goes(execution))
        return;
    state->path = rd_and(terms, path, is_trip(terms, &trips));
    rd_perform(execution, one, parts->body);
    if (rd_execution_goes(execution) && one->count == 1 && parts->increment)
        rd_perform(execution, one, parts->increment);
    if (!rd_execution_goes(execution))
        return;
    state = one->items[0];
    if (one->count != 1 || rd_has_passed(state, &at_first) || state->flow != FLOW_RUNS) {
        fail_sum(execution, parts);
        return;
    }
    if (!rd_repeat_accesses(execution, parts, state, n_accesses, markers.count, markers.terms))
        return;
    for (unsigned k = 0; k < sum->n_accumulators; k++) {
        struct value *value = &rd_state_find(state, sum->accumulators[k])->value;
        struct trips steps = trips;
        rd_term each = added_to(terms, value->term, k, &markers);
        if (each && has_inner_head(execution, each, n_heads))
            each = NULL;
        if (each)
            rd_split_trips(terms, &each, trips.i, trips.goes_on, &steps.stride);
        state->path = rd_and(terms, path, is_trip(terms, &steps));
        const rd_term added =
            each ? rd_sum_of_trips(execution, state, each, trips.i, is_trip(terms, &steps)) : NULL;
        if (!added) { /* nothing is known of it then */
            *value = rd_unknown_element(execution, state, sum->accumulators[k]->name);
            continue;
        }
        value->term = rd_add(terms, markers.before[k], added);
        value->height = rd_height_of_trips(execution, markers.heights[k], value->height, n_trips);
    }
    rd_state_find(state, sum->index)->value.kind = VALUE_NONE;
    state->path = path;
}

bool rd_sum_up(struct rd_execution *execution, struct states *states,
               const struct rd_loop_parts *parts)
{
    struct sum sum = {0};
    struct states all = {0};
    if (!is_sum(execution, parts, states, &sum) || has_few_trips(parts, states, &sum))
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
