// SPDX-License-Identifier: MIT
/* Checkpoints. A loop with one at its head is cut there: what it assigns is unknown at the head, but for what the law says. */
#include "prove/kernel/loops.h"

#include <string.h>

/* Adds the range that the type gives an unknown number. */
static void add_range(struct rd_execution *execution, const struct rd_syntax_type *type,
                      rd_term head)
{
    struct rd_terms *terms = execution->terms;
    rd_wide least, most;
    if (type && type->kind == RD_SYNTAX_INTEGER && rd_type_range(type, &least, &most))
        rd_term_list_add(
            terms, &execution->head_ranges,
            rd_within(terms, rd_number(terms, least), head, rd_number(terms, most + 1)));
}

void rd_forget_assigned(struct rd_execution *execution, struct state *state,
                        const struct rd_syntax_node *node)
{
    struct rd_terms *terms = execution->terms;
    for (size_t k = state->frame; k < state->n_bindings; k++) {
        struct binding *binding = &state->bindings[k];
        if (!rd_assigns(node, binding->declaration))
            continue;
        if (binding->value.kind == VALUE_NUMBER) {
            const rd_term head =
                rd_constant(terms, rd_terms_text(terms, "%s@%u", binding->declaration->name,
                                                 execution->fresh++));
            rd_term_list_add(terms, &execution->heads, head);
            add_range(execution, binding->declaration->type, head);
            binding->value.term = head;
        } else if (binding->value.kind == VALUE_ELEMENT) {
            binding->value =
                rd_element_value(rd_unknown(execution, state, binding->declaration->name));
        } else if (binding->value.kind == VALUE_PARTS) {
            binding->value =
                rd_parts_unknown(execution, state, binding->declaration->name, binding->value);
        } else {
            rd_execution_fail(execution, node, "a loop that moves '%s'",
                              binding->declaration->name);
        }
    }
}

/* ---- checkpoints ---- */

/* Tells whether there is a call of one of the functions in the node, or in a function that is called there. */
static bool has_call(struct rd_execution *execution, const struct rd_syntax_node *node,
                     const char *const names[3])
{
    if (!node)
        return false;
    if (node->kind == RD_SYNTAX_CALL && node->name) {
        for (unsigned k = 0; k < 3 && names[k]; k++)
            if (strcmp(node->name, names[k]) == 0)
                return true;
        const struct rd_syntax_function *function =
            rd_syntax_function_called(execution->unit, node);
        if (function && function->body && execution->depth < 10) {
            execution->depth++;
            const bool has = has_call(execution, function->body, names);
            execution->depth--;
            if (has)
                return true;
        }
    }
    for (size_t k = 0; k < node->n_kids; k++)
        if (has_call(execution, node->kids[k], names))
            return true;
    return false;
}

bool rd_has_cut(struct rd_execution *execution, const struct rd_syntax_node *node)
{
    static const char *const names[] = {"rd_prove_checkpoint", "rd_prove_lane", "rd_prove_law"};
    return has_call(execution, node, names);
}

bool rd_has_barrier(struct rd_execution *execution, const struct rd_syntax_node *node)
{
    static const char *const names[] = {"__syncthreads", NULL, NULL};
    return has_call(execution, node, names);
}

bool rd_cut_fixes(const struct rd_execution *execution, const struct rd_cut *cut, rd_term head)
{
    const rd_term variable = cut->variable;
    bool found = variable == head;
    if (!variable || found || variable->kind != RD_TERM_SUM)
        return found;
    for (unsigned k = 0; k < variable->n_kids; k++) {
        const rd_term kid = variable->kids[k];
        found = found || kid == head;
        if (rd_is_of_thread(execution, kid))
            return false;
        for (size_t i = 0; i < execution->heads.count; i++)
            if (kid != head && rd_term_has(kid, execution->heads.terms[i]))
                return false;
    }
    return found;
}

/* The conditions that all threads of the block know at the cut: they are not of the thread, nor of a loop whose variable the
 * cut doesn't fix. */
static rd_term uniform_part(const struct rd_execution *execution, rd_term path,
                            const struct rd_cut *cut)
{
    struct rd_terms *terms = execution->terms;
    struct rd_term_list differing = {0};
    rd_term_list_add(terms, &differing, execution->thread);
    if (execution->y.thread)
        rd_term_list_add(terms, &differing, execution->y.thread);
    for (size_t k = 0; k < execution->heads.count; k++)
        if (!rd_cut_fixes(execution, cut, execution->heads.terms[k]))
            rd_term_list_add(terms, &differing, execution->heads.terms[k]);
    const rd_term part = rd_conjuncts_without(terms, path, differing.count, differing.terms);
    rd_term_list_finish(&differing);
    return part;
}

/* Heights count from what lies in cells at the last cut: of a value that was made of such before, none is known behind the next. */
static void forget_heights(struct state *state)
{
    for (size_t k = 0; k < state->n_bindings; k++)
        if (state->bindings[k].value.height.cells)
            state->bindings[k].value.height = (struct rd_height){.mark = -1};
    for (size_t k = 0; k < state->n_values; k++)
        if (state->values[k].height.cells)
            state->values[k].height = (struct rd_height){.mark = -1};
}

/* Lanes go on by themselves, if their block doesn't meet there: their path stays, the block's barriers count on, and
 * what was written lies there, unless the loop whose checkpoint it is may have written since. */
void rd_begin_segment(struct rd_execution *execution, struct state *state, struct rd_cut cut,
                      const struct rd_syntax_node *call, bool meets)
{
    state->from = cut;
    state->cut = call;
    forget_heights(state);
    if (meets) {
        state->path = uniform_part(execution, state->path, &cut);
        state->base = cut;
        state->phase = 0;
        state->n_accesses = 0;
        /* What a thread has passed is told by its path. */
        state->way = NO_WAY;
        state->acquired = rd_false(execution->terms);
    }
    rd_state_pass_lanes(execution, state);
    if (meets || (execution->loop && rd_stores(execution, execution->loop->loop)))
        state->n_earlier = 0;
    state->phase_at_cut = state->phase;
    state->n_fenced = 0;
    state->n_requirements = 0;
    for (size_t k = 0; k < execution->heads.count; k++)
        if (rd_cut_fixes(execution, &cut, execution->heads.terms[k]))
            rd_term_list_add_new(execution->terms, &execution->fixed, execution->heads.terms[k]);
}

/* Barriers are counted from one meeting of the block to the next, which this is none of; and lanes of a warp make
 * their trips together. */
static void come_again(struct rd_execution *execution, struct state *state,
                       const struct loop_cut *loop)
{
    if (state->cut != loop->call || state->phase != state->phase_at_cut)
        rd_execution_fail(execution, loop->call,
                          "a loop of lanes with a barrier or another checkpoint in it");
    else
        rd_require_of_lanes(execution, state, loop->call, loop->came, state->path,
                            "lanes of a warp make the loop's trips together");
}

/* Forgets the elements that the expression names. */
static void forget_named(struct rd_execution *execution, struct state *state,
                         const struct rd_syntax_node *node)
{
    struct binding *found = node->kind == RD_SYNTAX_NAME && node->declaration
                                ? rd_state_find(state, node->declaration)
                                : NULL;
    rd_term of[RD_THREAD_NAMES_MAX];
    const unsigned count = rd_thread_names(execution, of);
    if (found && found->value.kind == VALUE_PARTS)
        found->value = rd_parts_unknown(execution, state, node->name, found->value);
    else if (found && found->value.kind == VALUE_ELEMENT)
        found->value = rd_element_value(rd_apply(
            execution->terms,
            rd_terms_text(execution->terms, "%s@%u", node->name, execution->fresh++), count, of));
    for (size_t k = 0; k < node->n_kids; k++)
        forget_named(execution, state, node->kids[k]);
}

/* Returns an unknown of which the value is the sum with others. */
static rd_term summand_of(struct rd_terms *terms, rd_term value)
{
    for (unsigned k = 0; value->kind == RD_TERM_SUM && k < value->n_kids; k++) {
        const rd_term kid = value->kids[k];
        if (value->coefficients[k] == 1 && kid->kind == RD_TERM_APPLY &&
            !rd_term_has(rd_subtract(terms, value, kid), kid))
            return kid;
    }
    return value->kind == RD_TERM_APPLY ? value : NULL;
}

/* Of an expression of elements, one of them is what the law says, less the others: of those nothing is known. */
static void take_sum(struct rd_execution *execution, struct state *state,
                     const struct rd_syntax_node *call, rd_term law)
{
    struct rd_terms *terms = execution->terms;
    struct states one = {.count = 1, .items = {state}};
    const size_t first_unknown = execution->fresh;
    forget_named(execution, state, call->kids[2]);
    const bool forgot = execution->fresh > first_unknown;
    rd_evaluate(execution, &one, call->kids[2]);
    if (!rd_execution_goes(execution))
        return;
    const struct value value = rd_state_pop(state);
    const rd_term summand = forgot && one.count == 1 && value.kind == VALUE_ELEMENT
                                ? summand_of(terms, value.term)
                                : NULL;
    if (!summand) {
        rd_execution_fail(execution, call, "a checkpoint of lanes whose value is no sum");
        return;
    }
    const rd_term others = rd_subtract(terms, value.term, summand),
                  known = rd_subtract(terms, law, others);
    for (size_t k = state->frame; k < state->n_bindings; k++) {
        struct value *kept = &state->bindings[k].value;
        if (kept->kind == VALUE_PARTS || kept->kind == VALUE_ELEMENT)
            kept->term = rd_replace(terms, kept->term, 1, &summand, &known);
    }
}

/* The lanes' values are what the law says from here on. */
static void take_lane(struct rd_execution *execution, struct state *state,
                      const struct rd_syntax_node *call)
{
    const struct rd_syntax_node *value = call->kids[2];
    struct binding *found = value->kind == RD_SYNTAX_NAME && value->declaration
                                ? rd_state_find(state, value->declaration)
                                : NULL;
    const rd_term law =
        execution->lane ? execution->lane(execution->self, &state->from, execution->thread) : NULL;
    if (!law || rd_sets(value))
        rd_execution_fail(execution, call, "a checkpoint of lanes in such a form");
    else if (found) {
        found->value = rd_element_value(law);
        found->value.height = rd_height_cell(execution);
    } else
        take_sum(execution, state, call, law);
}

/* Forgets what the loop assigns. At its head, before the body has assigned anything, its condition holds. */
static void forget_before(struct rd_execution *execution, struct state *state,
                          const struct loop_cut *loop, const struct rd_syntax_node *call)
{
    struct states one = {.count = 1, .items = {state}};
    const struct rd_syntax_node *first = loop->body;
    if (state->frame != loop->frame) {
        rd_execution_fail(execution, call, "a checkpoint in a function that a loop calls");
        return;
    }
    while (first->kind == RD_SYNTAX_BLOCK && first->n_kids > 0)
        first = first->kids[0];
    if (rd_guarded_lane(first))
        first = rd_guarded_lane(first);
    if (rd_points_to_caller(state) && rd_stores(execution, loop->loop))
        rd_execution_fail(execution, call, "a loop that may write an array of its caller");
    rd_forget_assigned(execution, state, loop->loop);
    if (first != call || !loop->condition)
        return;
    rd_evaluate(execution, &one, loop->condition);
    if (rd_execution_goes(execution))
        state->path = rd_and(execution->terms, state->path,
                             rd_value_condition(execution, rd_state_pop(state)));
}

/* Behind a cut it isn't known by which way a thread came, where that depends on the thread: its variables have the
 * values of either. */
void rd_join_at_cut(struct rd_execution *execution, struct states *states,
                    const struct rd_syntax_node *place)
{
    struct rd_terms *terms = execution->terms;
    for (size_t k = 0; k < states->count; k++)
        for (size_t i = k + 1; i < states->count && rd_execution_goes(execution);) {
            struct state *one = states->items[k], *other = states->items[i];
            rd_term of[RD_THREAD_NAMES_MAX];
            const unsigned count = rd_thread_names(execution, of);
            const bool apart = rd_and(terms, one->path, other->path)->kind == RD_TERM_FALSE;
            const rd_term condition =
                apart ? one->path
                      : rd_holds(terms, rd_terms_text(terms, "way %u", execution->fresh++), count,
                                 of);
            if (rd_state_join(execution, one, other, condition, NULL))
                states->items[i] = states->items[--states->count];
            else if (apart)
                i++;
            else
                rd_execution_fail(
                    execution, place,
                    "a checkpoint that threads reach by paths whose variables can't be joined");
        }
}

void rd_arrive(struct rd_execution *execution, struct states *states,
               const struct rd_syntax_node *call, bool of_lanes)
{
    const size_t variable = of_lanes ? 3 : 4;
    struct states live = {0};
    struct loop_cut *loop = execution->loop;
    const bool again = loop && loop->visited;
    /* Lanes whose loop has barriers are a block that makes its trips together. */
    const bool meets = !of_lanes || (loop && rd_has_barrier(execution, loop->body));
    if (call->n_kids != (of_lanes ? 4u : 5u) || call->kids[1]->kind != RD_SYNTAX_TEXT) {
        rd_execution_fail(execution, call, "a checkpoint in a form that the prover doesn't know");
        return;
    }
    if (again && loop->call != call) {
        rd_execution_fail(execution, call, "a second checkpoint in a loop");
        return;
    }
    rd_evaluate(execution, states, call->kids[2]);
    rd_evaluate(execution, states, call->kids[variable]);
    for (size_t k = 0; k < states->count && rd_execution_goes(execution); k++) {
        struct state *state = states->items[k];
        states->items[k] = NULL;
        struct rd_cut cut = {
            .point = call->kids[1]->name,
            .variable = rd_value_number(execution, rd_state_pop(state)),
        };
        const struct value shown = rd_state_pop(state);
        cut.array = shown.array;
        if (of_lanes ? shown.kind != VALUE_ELEMENT
                     : shown.kind != VALUE_POINTER || shown.term != rd_number(execution->terms, 0))
            rd_execution_fail(execution, call, "a checkpoint of such a value");
        if (meets)
            rd_state_require(execution, state, NULL, call,
                             "all threads of the block come to the checkpoint");
        rd_require_published(execution, state, call);
        if (!meets && again)
            come_again(execution, state, loop);
        rd_state_record(execution, state, cut, of_lanes ? shown.term : NULL);
        if (rd_execution_goes(execution))
            execution->segments[execution->n_segments - 1].goes_back = again;
        if (rd_execution_goes(execution)) {
            execution->segments[execution->n_segments - 1].meets = meets;
            execution->segments[execution->n_segments - 1].lane_height = shown.height;
        }
        if (again) {
            rd_state_destroy(state);
            continue;
        }
        if (loop)
            forget_before(execution, state, loop, call);
        struct states one = {.count = 1, .items = {state}};
        rd_evaluate(execution, &one, call->kids[variable]);
        cut.variable = rd_value_number(execution, rd_state_pop(state));
        rd_begin_segment(execution, state, cut, call, meets);
        if (of_lanes)
            take_lane(execution, state, call);
        rd_state_push(execution, state, (struct value){.kind = VALUE_NONE});
        rd_states_add(execution, &live, state);
    }
    if (!rd_execution_goes(execution)) {
        rd_states_move(execution, &live, states);
        *states = live;
        return;
    }
    *states = live;
    if (loop) {
        loop->visited = true;
        loop->call = call;
    }
    rd_join_at_cut(execution, states, call);
    if (!loop)
        return;
    loop->came = rd_false(execution->terms);
    for (size_t k = 0; k < states->count; k++)
        loop->came = rd_or(execution->terms, loop->came, states->items[k]->path);
}
