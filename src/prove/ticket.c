// SPDX-License-Identifier: MIT
/* Tickets: a thread of each block draws one, by atomicInc() of a number that is 0 before the launch, up to the number of blocks.
 *
 * Each draw reads what the one before it has left: they form a chain, 0, 1, …, blocks - 1, and the one that gets the last number is
 * behind all others. A fence before a draw and one behind the last make of it that what a thread wrote before its fence is there for
 * the one that drew the last: PTX calls that a release pattern, an observation order through read-modify-writes, and an acquire pattern
 * (docs/prove.md). The goals are that each block draws, by one thread, once; that the writes are that thread's, before its fence; and
 * that a thread which reads is of the block that drew the last, behind a fence of the thread that drew it. */
#include "prove/state.h"

/* One place, which a thread passes once. */
static bool is_one_place(struct rd_execution *execution, const struct states *states,
                         const struct rd_syntax_node *call)
{
    const struct state *state = states->items[0];
    if (states->count > 1)
        rd_execution_fail(execution, call, "a ticket to which threads come by more than one way");
    else if (execution->loop || execution->ticket.drawn)
        rd_execution_fail(execution, call,
                          "a ticket that is drawn in a loop, or at a second place");
    else if (state->control->kind == RD_TERM_FALSE)
        rd_execution_fail(execution, call, "a ticket that no thread draws");
    return rd_execution_goes(execution);
}

static bool is_ticket(struct rd_execution *execution, struct value pointer, struct value last,
                      const struct rd_syntax_node *call)
{
    struct rd_terms *terms = execution->terms;
    if (pointer.kind != VALUE_POINTER || !pointer.array->is_ticket ||
        pointer.term != rd_number(terms, 0) || last.kind != VALUE_NUMBER ||
        rd_value_number(execution, last) !=
            rd_subtract(terms, execution->blocks, rd_number(terms, 1)))
        rd_execution_fail(execution, call,
                          "atomicInc() of what is no ticket, or to another end than the number of "
                          "blocks less 1");
    return rd_execution_goes(execution);
}

/* The thread of a block that draws: the only one of which the path can hold. Each block has it, and it comes here. */
static void find_drawer(struct rd_execution *execution, struct state *state,
                        const struct rd_syntax_node *call)
{
    struct rd_terms *terms = execution->terms;
    const rd_term thread = execution->thread, path = state->path,
                  drawer = rd_solution(terms, state->control, thread);
    if (!drawer || rd_term_has(drawer, thread) || rd_has_head(execution, drawer) ||
        rd_has_head(execution, state->control) || rd_term_has(drawer, execution->origin)) {
        rd_execution_fail(execution, call, "which thread of a block draws a ticket can't be told");
        return;
    }
    execution->ticket.drawer = drawer;
    rd_state_require(execution, state, rd_equal(terms, thread, drawer), call,
                     "one thread of a block draws a ticket");
    state->path = rd_true(terms);
    rd_state_require(execution, state,
                     rd_and(terms,
                            rd_within(terms, rd_number(terms, 0), drawer, execution->threads),
                            rd_replace(terms, state->control, 1, &thread, &drawer)),
                     call, "each block draws a ticket");
    state->path = path;
}

/* What a fence has before it is the writing thread's own, which is the one that draws. */
static void require_own(struct rd_execution *execution, struct state *state,
                        const struct rd_syntax_node *call)
{
    const rd_term path = state->path;
    for (size_t k = 0; k < state->n_fenced; k++) {
        const struct rd_kernel_access *access = &state->accesses[k];
        if (!access->is_write || !access->array->is_scratch || access->grid != state->grid)
            continue;
        state->path = access->path;
        rd_state_require(execution, state,
                         rd_equal(execution->terms, execution->thread, execution->ticket.drawer),
                         call, "what a ticket publishes is written by the thread that draws it");
    }
    state->path = path;
}

void rd_draw_ticket(struct rd_execution *execution, struct states *states,
                    const struct rd_syntax_node *call)
{
    struct rd_terms *terms = execution->terms;
    for (size_t k = 1; k < call->n_kids; k++)
        rd_evaluate(execution, states, call->kids[k]);
    if (!rd_execution_goes(execution) || states->count == 0)
        return;
    struct state *state = states->items[0];
    const struct value last = rd_state_pop(state), pointer = rd_state_pop(state);
    if (!is_one_place(execution, states, call) || !is_ticket(execution, pointer, last, call))
        return;
    find_drawer(execution, state, call);
    if (!rd_execution_goes(execution))
        return;
    execution->ticket.path = state->path;
    execution->ticket.last = rd_constant(terms, "last");
    execution->ticket.drawn = rd_apply(terms, "ticket", 1, &execution->block);
    require_own(execution, state, call);
    rd_publish(execution, state, state->n_fenced,
               rd_equal(terms, execution->thread, execution->ticket.drawer), call);
    state->has_drawn = true;
    rd_state_push(execution, state, rd_number_value(execution->ticket.drawn));
}

rd_term rd_compare_ticket(struct rd_execution *execution, rd_term equation)
{
    struct rd_terms *terms = execution->terms;
    const struct rd_ticket *ticket = &execution->ticket;
    if (!ticket->drawn)
        return equation;
    const rd_term is_last =
        rd_equal(terms, ticket->drawn, rd_subtract(terms, execution->blocks, rd_number(terms, 1)));
    return equation == is_last ? rd_equal(terms, execution->block, ticket->last) : equation;
}

void rd_pass_fence(struct rd_execution *execution, struct states *states,
                   const struct rd_syntax_node *call)
{
    struct rd_terms *terms = execution->terms;
    (void)call;
    for (size_t k = 0; k < states->count && rd_execution_goes(execution); k++) {
        struct state *state = states->items[k];
        state->n_fenced = state->n_accesses;
        if (state->has_drawn) {
            state->acquired = rd_or(terms, state->acquired,
                                    rd_beyond(terms, state->path, execution->ticket.path));
            state->acquired_is_here = true;
        }
        rd_state_push(execution, state, (struct value){.kind = VALUE_NONE});
    }
}

void rd_require_last(struct rd_execution *execution, struct state *state,
                     const struct rd_syntax_node *node)
{
    struct rd_terms *terms = execution->terms;
    const struct rd_ticket *ticket = &execution->ticket;
    const rd_term thread = execution->thread;
    if (rd_has_head(execution, state->acquired)) {
        rd_execution_fail(execution, node, "a fence behind a ticket depends on a loop's variable");
        return;
    }
    rd_state_require(execution, state,
                     rd_and(terms, rd_equal(terms, execution->block, ticket->last),
                            rd_replace(terms, state->acquired, 1, &thread, &ticket->drawer)),
                     node, "what the blocks published is read behind the last ticket and a fence");
    if (state->acquired_is_here)
        rd_state_require(execution, state, rd_equal(terms, thread, ticket->drawer), node,
                         "a barrier stands between another thread's ticket and the reading");
}

void rd_meet_or(struct rd_execution *execution, struct states *states,
                const struct rd_syntax_node *call)
{
    struct rd_terms *terms = execution->terms;
    const rd_term thread = execution->thread, zero = rd_number(terms, 0);
    rd_evaluate(execution, states, call->kids[1]);
    for (size_t k = 0; k < states->count && rd_execution_goes(execution); k++) {
        struct state *state = states->items[k];
        rd_term any = rd_value_condition(execution, rd_state_pop(state));
        if (rd_term_has(any, thread)) {
            const rd_term only = rd_solution(terms, any, thread);
            if (!only || rd_term_has(only, thread)) {
                rd_execution_fail(execution, call, "for which threads that holds can't be told");
                return;
            }
            any = rd_and(terms, rd_replace(terms, any, 1, &thread, &only),
                         rd_within(terms, zero, only, execution->threads));
        }
        /* All threads come to this barrier, and to no other such one, in this state: what they bring is the same term. */
        if (rd_has_head(execution, any) || execution->has_asked)
            rd_execution_fail(execution, call,
                              "what threads bring to the barrier depends on their way");
        execution->has_asked = true;
        rd_synchronize(execution, state, call);
        rd_state_push(execution, state, rd_number_value(any));
    }
}

bool rd_has_passed(const struct state *state, const struct state *other)
{
    return state->phase != other->phase || state->grid != other->grid ||
           state->n_fenced != other->n_fenced || state->has_drawn != other->has_drawn ||
           state->acquired != other->acquired;
}
