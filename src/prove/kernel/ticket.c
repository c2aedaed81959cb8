// SPDX-License-Identifier: MIT
/* Tickets: a thread of each block draws one, by atomicInc() of a number that is 0 before the launch, up to the number
 * of blocks.
 *
 * Each draw reads what the one before it has left: they form a chain, 0, 1, …, blocks - 1, and the one that gets the
 * last number is behind all others. A fence before a draw and one behind the last make of it that what a thread wrote
 * before its fence is there for the one that drew the last: PTX calls that a release pattern, an observation order
 * through read-modify-writes, and an acquire pattern (docs/prove.md). The goals are that each block draws, by one
 * thread, once; that the writes are that thread's, before its fence; and that a thread which reads is of the block
 * that drew the last, behind a fence of the thread that drew it. */
#include "prove/kernel/state.h"

/* One place, which a thread passes once, though it may come there by different ways. */
static bool is_one_place(struct rd_execution *execution, const struct state *state,
                         const struct rd_syntax_node *call)
{
    const struct rd_ticket *ticket = &execution->ticket;
    if (execution->loop || execution->is_in_head_loop || state->has_drawn ||
        (ticket->call && ticket->call != call))
        rd_execution_fail(execution, call,
                          "a ticket that is drawn in a loop, or at a second place");
    else if (ticket->was_used)
        rd_execution_fail(execution, call, "a ticket to which threads come by different branches");
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
    if (execution->ticket.drawer && execution->ticket.drawer != drawer)
        rd_execution_fail(execution, call, "a ticket that different threads of a block draw");
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

/* What was written is the drawing thread's own, and a fence stands behind it. */
static void require_own(struct rd_execution *execution, struct state *state,
                        const struct rd_syntax_node *call)
{
    const rd_term path = state->path;
    for (size_t k = 0; k < state->n_accesses; k++) {
        const struct rd_kernel_access *access = &state->accesses[k];
        if (!access->is_write || !access->array->is_scratch || access->grid != state->grid)
            continue;
        state->path = access->path;
        if (k >= state->n_fenced)
            rd_state_require(execution, state, rd_false(execution->terms), call,
                             "a fence stands between what is written and the ticket");
        rd_state_require(execution, state,
                         rd_equal(execution->terms, execution->thread, execution->ticket.drawer),
                         call, "what a ticket publishes is written by the thread that draws it");
    }
    state->path = path;
}

static void draw(struct rd_execution *execution, struct state *state,
                 const struct rd_syntax_node *call)
{
    struct rd_terms *terms = execution->terms;
    struct rd_ticket *ticket = &execution->ticket;
    const struct value last = rd_state_pop(state), pointer = rd_state_pop(state);
    if (!is_one_place(execution, state, call) || !is_ticket(execution, pointer, last, call))
        return;
    find_drawer(execution, state, call);
    if (!rd_execution_goes(execution))
        return;
    ticket->call = call;
    ticket->last = rd_constant(terms, "last");
    ticket->drawn = rd_apply(terms, "ticket", 1, &execution->block);
    require_own(execution, state, call);
    rd_publish(execution, state, state->n_fenced,
               rd_equal(terms, execution->thread, ticket->drawer), call);
    state->has_drawn = true;
    state->way = execution->n_ways - 1;
    rd_state_push(execution, state, rd_number_value(ticket->drawn));
}

void rd_draw_ticket(struct rd_execution *execution, struct states *states,
                    const struct rd_syntax_node *call)
{
    for (size_t k = 1; k < call->n_kids; k++)
        rd_evaluate(execution, states, call->kids[k]);
    for (size_t k = 0; k < states->count && rd_execution_goes(execution); k++)
        draw(execution, states->items[k], call);
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
        if (state->way != NO_WAY) {
            state->acquired =
                rd_or(terms, state->acquired,
                      rd_beyond(terms, state->path, execution->ways[state->way].path));
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
    execution->ticket.was_used = true;
    /* The drawing thread may have come by another way than this one. */
    const rd_term fenced = rd_and(terms, state->acquired, rd_by_way(execution, state->way));
    if (rd_has_head(execution, state->acquired)) {
        rd_execution_fail(execution, node, "a fence behind a ticket depends on a loop's variable");
        return;
    }
    rd_state_require(execution, state,
                     rd_and(terms, rd_equal(terms, execution->block, ticket->last),
                            rd_replace(terms, fenced, 1, &thread, &ticket->drawer)),
                     node, "what the blocks published is read behind the last ticket and a fence");
    if (state->acquired_is_here)
        rd_state_require(execution, state, rd_equal(terms, thread, ticket->drawer), node,
                         "a barrier stands between another thread's ticket and the reading");
}

/* The condition holds of some thread of the block. */
static rd_term of_any(struct rd_execution *execution, rd_term condition,
                      const struct rd_syntax_node *call)
{
    struct rd_terms *terms = execution->terms;
    const rd_term thread = execution->thread;
    if (!rd_term_has(condition, thread))
        return condition;
    const rd_term only = rd_solution(terms, condition, thread);
    if (!only || rd_term_has(only, thread)) {
        rd_execution_fail(execution, call, "for which threads that holds can't be told");
        return condition;
    }
    return rd_and(terms, rd_replace(terms, condition, 1, &thread, &only),
                  rd_within(terms, rd_number(terms, 0), only, execution->threads));
}

void rd_meet_or(struct rd_execution *execution, struct states *states,
                const struct rd_syntax_node *call)
{
    rd_term any = NULL;
    rd_evaluate(execution, states, call->kids[1]);
    /* All threads come to this barrier, and to no other such one, and bring the same term by whichever way. */
    const char *why = "what threads bring to the barrier depends on their way";
    if (execution->has_asked)
        rd_execution_fail(execution, call, "%s", why);
    if (execution->y.thread)
        rd_execution_fail(execution, call, "'%s' in a block of two dimensions", call->name);
    execution->has_asked = true;
    for (size_t k = 0; k < states->count && rd_execution_goes(execution); k++) {
        struct state *state = states->items[k];
        const rd_term brought = rd_value_condition(execution, rd_state_pop(state));
        if (rd_has_head(execution, brought) || (any && brought != any))
            rd_execution_fail(execution, call, "%s", why);
        any = brought;
        rd_synchronize(execution, state, call);
        rd_state_push(execution, state, rd_number_value(of_any(execution, brought, call)));
    }
}

bool rd_has_passed(const struct state *state, const struct state *other)
{
    return state->phase != other->phase || state->grid != other->grid ||
           state->n_fenced != other->n_fenced || state->has_drawn != other->has_drawn ||
           state->way != other->way || state->acquired != other->acquired;
}
