// SPDX-License-Identifier: MIT
/* Checkpoints. A loop with one at its head is cut there: what it assigns is unknown at the head, but for what the law says. */
#include "prove/loops.h"

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
            const rd_term of[] = {execution->block, execution->thread};
            binding->value.term = rd_apply(
                terms,
                rd_terms_text(terms, "%s@%u", binding->declaration->name, execution->fresh++), 2,
                of);
        } else {
            rd_execution_fail(execution, node, "a loop that moves '%s'",
                              binding->declaration->name);
        }
    }
}

/* ---- checkpoints ---- */

bool rd_has_cut(struct rd_execution *execution, const struct rd_syntax_node *node)
{
    if (!node)
        return false;
    if (node->kind == RD_SYNTAX_CALL && node->name) {
        if (strcmp(node->name, "rd_prove_checkpoint") == 0 ||
            strcmp(node->name, "rd_prove_lane") == 0 || strcmp(node->name, "rd_prove_law") == 0)
            return true;
        const struct rd_syntax_function *function =
            rd_syntax_function_called(execution->unit, node);
        if (function && function->body && execution->depth < 10) {
            execution->depth++;
            const bool has = rd_has_cut(execution, function->body);
            execution->depth--;
            if (has)
                return true;
        }
    }
    for (size_t k = 0; k < node->n_kids; k++)
        if (rd_has_cut(execution, node->kids[k]))
            return true;
    return false;
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
        if (rd_term_has(kid, execution->thread))
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
    for (size_t k = 0; k < execution->heads.count; k++)
        if (!rd_cut_fixes(execution, cut, execution->heads.terms[k]))
            rd_term_list_add(terms, &differing, execution->heads.terms[k]);
    const rd_term part = rd_conjuncts_without(terms, path, differing.count, differing.terms);
    rd_term_list_finish(&differing);
    return part;
}

/* Lanes go on by themselves: their path stays, and the block's barriers count on. */
void rd_begin_segment(struct rd_execution *execution, struct state *state, struct rd_cut cut,
                      const struct rd_syntax_node *call, bool of_lanes)
{
    state->from = cut;
    state->cut = call;
    if (!of_lanes) {
        state->path = uniform_part(execution, state->path, &cut);
        state->base = cut;
        state->phase = 0;
    }
    state->phase_at_cut = state->phase;
    state->n_accesses = 0;
    state->n_requirements = 0;
    for (size_t k = 0; k < execution->heads.count; k++)
        if (rd_cut_fixes(execution, &cut, execution->heads.terms[k]))
            rd_term_list_add_new(execution->terms, &execution->fixed, execution->heads.terms[k]);
}

/* Barriers would be counted from trip to trip, which phases don't; and lanes of a warp make their trips together. */
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

/* The lanes' values are what the law says from here on. */
static void take_lane(struct rd_execution *execution, struct state *state,
                      const struct rd_syntax_node *call)
{
    const struct rd_syntax_node *value = call->kids[2];
    struct binding *found = value->kind == RD_SYNTAX_NAME && value->declaration
                                ? rd_state_find(state, value->declaration)
                                : NULL;
    if (!found || !execution->lane) {
        rd_execution_fail(execution, call, "a checkpoint of lanes whose value is no variable");
        return;
    }
    found->value.term = execution->lane(execution->self, &state->from, execution->thread);
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
    rd_forget_assigned(execution, state, loop->loop);
    if (first != call || !loop->condition)
        return;
    rd_evaluate(execution, &one, loop->condition);
    if (rd_execution_goes(execution))
        state->path = rd_and(execution->terms, state->path,
                             rd_value_condition(execution, rd_state_pop(state)));
}

/* Behind a cut it isn't known by which way a thread came, where that depends on the thread: its variables have the values of either. */
void rd_join_at_cut(struct rd_execution *execution, struct states *states)
{
    struct rd_terms *terms = execution->terms;
    for (size_t k = 0; k < states->count; k++)
        for (size_t i = k + 1; i < states->count && rd_execution_goes(execution);) {
            struct state *one = states->items[k], *other = states->items[i];
            const rd_term of[] = {execution->block, execution->thread};
            const bool apart = rd_and(terms, one->path, other->path)->kind == RD_TERM_FALSE;
            const rd_term condition =
                apart ? one->path
                      : rd_holds(terms, rd_terms_text(terms, "way %u", execution->fresh++), 2, of);
            if (rd_state_join(execution, one, other, condition, NULL))
                states->items[i] = states->items[--states->count];
            else if (apart)
                i++;
            else
                rd_execution_fail(
                    execution, NULL,
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
        if (!of_lanes)
            rd_state_require(execution, state, NULL, call,
                             "all threads of the block come to the checkpoint");
        if (of_lanes && again)
            come_again(execution, state, loop);
        rd_state_record(execution, state, cut, of_lanes ? shown.term : NULL);
        if (rd_execution_goes(execution))
            execution->segments[execution->n_segments - 1].goes_back = again;
        if (again) {
            rd_state_destroy(state);
            continue;
        }
        if (loop)
            forget_before(execution, state, loop, call);
        struct states one = {.count = 1, .items = {state}};
        rd_evaluate(execution, &one, call->kids[variable]);
        cut.variable = rd_value_number(execution, rd_state_pop(state));
        rd_begin_segment(execution, state, cut, call, of_lanes);
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
    rd_join_at_cut(execution, states);
    if (!loop)
        return;
    loop->came = rd_false(execution->terms);
    for (size_t k = 0; k < states->count; k++)
        loop->came = rd_or(execution->terms, loop->came, states->items[k]->path);
}
