// SPDX-License-Identifier: MIT
/* Loops of which it isn't told which trips they make: one trip is executed from any values of what the loop assigns. */
#include "prove/kernel/loops.h"

#include <string.h>

/* Adds the arrays that a trip writes to those of which nothing is known in it; false where it does what one trip can't stand for. */
static bool find_written(struct rd_execution *execution, const struct rd_loop_parts *parts,
                         const struct state *state, size_t first)
{
    for (size_t k = first; k < state->n_accesses; k++) {
        const struct rd_kernel_access *access = &state->accesses[k];
        bool is_new = access->is_write;
        for (size_t i = 0; i < execution->n_unsettled; i++)
            is_new = is_new && execution->unsettled[i] != access->array;
        if (access->is_atomic || (access->is_write && access->array->is_scratch) ||
            (is_new && execution->n_unsettled == RD_UNSETTLED_MAX)) {
            rd_execution_fail(execution, parts->loop,
                              "a loop without a checkpoint whose number of trips is not known, and "
                              "that writes memory which blocks share");
            return false;
        }
        if (is_new)
            execution->unsettled[execution->n_unsettled++] = access->array;
    }
    return true;
}

/* The variable that the condition names falls with each trip, or grows: then they come to an end, as it fits in its type. */
static void require_end(struct rd_execution *execution, struct state *state,
                        const struct rd_loop_parts *parts, rd_term before)
{
    const rd_term after = rd_counted_number(execution, state, parts);
    const struct rd_syntax_node *step = parts->increment ? parts->increment : parts->body;
    const bool grows = step->op && (strcmp(step->op, "++") == 0 || strcmp(step->op, "+=") == 0 ||
                                    strcmp(step->op, "*=") == 0 || strcmp(step->op, "<<=") == 0);
    if (!after)
        return;
    rd_state_require(execution, state,
                     grows ? rd_less(execution->terms, before, after)
                           : rd_less(execution->terms, after, before),
                     parts->loop, "the loop comes to an end: its variable falls, or grows");
}

/* Executes a trip in a state in which what the loop assigns is unknown. False, and a failure, where more comes of it
 * than one state that goes on. */
static bool perform_trip(struct rd_execution *execution, struct states *one,
                         const struct rd_loop_parts *parts)
{
    struct state *state = one->items[0];
    struct states done = {0};
    const struct state at_first = *state;
    const rd_term control = state->control;
    rd_forget_assigned(execution, state, parts->loop);
    const struct binding *found =
        rd_state_find(state, rd_counted_by(parts->condition, parts->loop));
    const rd_term before = found && found->value.kind == VALUE_NUMBER ? found->value.term : NULL;
    rd_test_loop(execution, one, &done, parts->condition);
    rd_states_finish(&done);
    rd_stand_in_path(execution, one);
    rd_perform_part(execution, one, parts->body);
    if (rd_execution_goes(execution))
        rd_states_join(execution, one);
    rd_perform_part(execution, one, parts->increment);
    if (!rd_execution_goes(execution))
        return false;
    if (!before || one->count != 1 || one->items[0]->flow != FLOW_RUNS ||
        rd_has_passed(one->items[0], &at_first)) {
        rd_execution_fail(execution, parts->loop,
                          "a loop without a checkpoint whose number of trips is not known");
        return false;
    }
    require_end(execution, one->items[0], parts, before);
    rd_restore_control(one, control);
    return rd_execution_goes(execution);
}

/* The first execution finds what a trip writes; in the second, that is unknown wherever it is read, as another trip
 * may have written it. */
static void perform_state(struct rd_execution *execution, struct states *one,
                          const struct rd_loop_parts *parts)
{
    const struct state *state = one->items[0];
    const rd_term path = state->path;
    const size_t first = state->n_accesses, n_unsettled = execution->n_unsettled;
    struct states trial = {.count = 1, .items = {rd_state_copy(execution, state)}};
    if (trial.items[0] && perform_trip(execution, &trial, parts) &&
        find_written(execution, parts, trial.items[0], first) &&
        perform_trip(execution, one, parts)) {
        struct state *behind = one->items[0];
        for (size_t k = first; k < behind->n_accesses; k++)
            behind->accesses[k].repeats = true;
        behind->path = path;
        rd_forget_assigned(execution, behind, parts->loop);
    }
    rd_states_finish(&trial);
    execution->n_unsettled = n_unsettled;
}

bool rd_perform_any_trip(struct rd_execution *execution, struct states *states,
                         const struct rd_loop_parts *parts)
{
    struct states all = {0};
    if (states->count == 0 || !rd_counted_by(parts->condition, parts->loop) ||
        rd_sets(parts->condition) || rd_calls(parts->condition) ||
        rd_is_known(execution, states, parts->condition) || !rd_stores(execution, parts->body))
        return false;
    for (size_t k = 0; k < states->count; k++) {
        struct states one = {.count = 1, .items = {states->items[k]}};
        states->items[k] = NULL;
        if (rd_points_to_caller(one.items[0]))
            rd_execution_fail(execution, parts->loop,
                              "a loop that may write an array of its caller");
        if (rd_execution_goes(execution))
            perform_state(execution, &one, parts);
        rd_states_move(execution, &all, &one);
    }
    states->count = 0;
    rd_states_move(execution, states, &all);
    return true;
}
