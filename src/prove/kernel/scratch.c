// SPDX-License-Identifier: MIT
/* Memory of which no law speaks, through which blocks tell each other their sums. What a cell holds is what its only
 * writer has left there, once that is published: at a barrier of the grid, or by a ticket (ticket.c).
 *
 * All threads come to a barrier of the grid, which is a goal, each in one of the states that meet there: of a thread
 * that isn't of the others it is known that it has come by this state's path, and what it has written on it. Other
 * accesses to a cell between the same barriers are races, which are goals, too. */
#include "prove/kernel/state.h"

#include <stdlib.h>

/* ---- published ---- */

rd_term rd_beyond(struct rd_terms *terms, rd_term path, rd_term other)
{
    unsigned n_parts, n_others;
    const rd_term *parts = rd_term_conjuncts(&path, &n_parts),
                  *others = rd_term_conjuncts(&other, &n_others);
    rd_term beyond = rd_true(terms);
    for (unsigned k = 0; k < n_parts; k++) {
        bool has = false;
        for (unsigned i = 0; i < n_others && !has; i++)
            has = others[i] == parts[k];
        if (!has)
            beyond = rd_and(terms, beyond, parts[k]);
    }
    return beyond;
}

bool rd_has_head(const struct rd_execution *execution, rd_term term)
{
    for (size_t k = 0; k < execution->heads.count; k++)
        if (rd_term_has(term, execution->heads.terms[k]))
            return true;
    return false;
}

static void add_way(struct rd_execution *execution, const struct state *state, bool to_ticket)
{
    struct rd_terms *terms = execution->terms;
    struct rd_way *grown =
        realloc(execution->ways, (execution->n_ways + 1) * sizeof *execution->ways);
    if (!grown) {
        rd_execution_fail_memory(execution);
        return;
    }
    execution->ways = grown;
    execution->ways[execution->n_ways++] = (struct rd_way){
        .path = state->path,
        .told = rd_conjuncts_without(terms, state->path, execution->heads.count,
                                     execution->heads.terms),
        .grid = state->grid,
        .to_ticket = to_ticket,
    };
}

rd_term rd_by_way(const struct rd_execution *execution, size_t way)
{
    struct rd_terms *terms = execution->terms;
    rd_term by = rd_true(terms);
    for (size_t k = 0; k < execution->n_ways; k++)
        if (k != way && execution->ways[k].to_ticket == execution->ways[way].to_ticket &&
            (execution->ways[k].to_ticket || execution->ways[k].grid == execution->ways[way].grid))
            by = rd_and(terms, by, rd_not(terms, execution->ways[k].told));
    return by;
}

static void add_published(struct rd_execution *execution, struct rd_published published)
{
    struct rd_published *grown =
        realloc(execution->published, (execution->n_published + 1) * sizeof *execution->published);
    if (!grown) {
        rd_execution_fail_memory(execution);
        return;
    }
    execution->published = grown;
    execution->published[execution->n_published++] = published;
}

void rd_publish(struct rd_execution *execution, const struct state *state, size_t n_accesses,
                rd_term by_ticket, const struct rd_syntax_node *node)
{
    struct rd_terms *terms = execution->terms;
    add_way(execution, state, by_ticket != NULL);
    for (size_t k = 0; k < n_accesses && rd_execution_goes(execution); k++) {
        const struct rd_kernel_access *access = &state->accesses[k];
        if (!access->is_write || !access->array->is_scratch || access->grid != state->grid)
            continue;
        if (access->is_atomic)
            rd_execution_fail(execution, node,
                              "line %u adds atomically to '%s', of which no law speaks",
                              access->line, access->array->name);
        const struct rd_published published = {
            .array = access->array,
            .index = access->index,
            .value = access->value,
            .condition = rd_and(terms, rd_beyond(terms, access->path, state->path),
                                by_ticket ? by_ticket : rd_true(terms)),
            .grid = access->grid,
            .event = access->event,
            .by_ticket = by_ticket != NULL,
            .way = execution->n_ways - 1,
        };
        /* A loop's variable has one value here, and another with the thread that writes. */
        if (rd_has_head(execution, published.index) || rd_has_head(execution, published.value) ||
            rd_has_head(execution, published.condition))
            rd_execution_fail(execution, node,
                              "what line %u writes to '%s' depends on a loop's variable",
                              access->line, access->array->name);
        add_published(execution, published);
    }
}

void rd_require_published(struct rd_execution *execution, struct state *state,
                          const struct rd_syntax_node *node)
{
    const rd_term path = state->path;
    for (size_t k = 0; k < state->n_accesses; k++) {
        const struct rd_kernel_access *access = &state->accesses[k];
        bool published =
            !access->is_write || !access->array->is_scratch || access->grid != state->grid;
        for (size_t i = 0; i < execution->n_published && !published; i++)
            published = execution->published[i].event == access->event;
        if (published)
            continue;
        state->path = access->path;
        rd_state_require(execution, state, rd_false(execution->terms), node,
                         rd_terms_text(execution->terms,
                                       "what is written to '%s' is published before a checkpoint",
                                       access->array->name));
    }
    state->path = path;
}

void rd_meet(struct rd_execution *execution, struct states *states,
             const struct rd_syntax_node *call)
{
    rd_states_join(execution, states);
    execution->meets = true;
    for (size_t k = 0; k < states->count && rd_execution_goes(execution); k++) {
        struct state *state = states->items[k];
        if (execution->loop || execution->is_in_head_loop)
            rd_execution_fail(execution, call, "a barrier of the grid in a loop with a checkpoint");
        else if (state->grid != execution->grids) /* others were here before */
            rd_execution_fail(execution, call,
                              "a barrier of the grid to which threads come by different branches");
        rd_state_require(execution, state, NULL, call,
                         "all threads of the grid come to the barrier");
        if (!rd_execution_goes(execution))
            return;
        state->requirements[state->n_requirements - 1].of_grid = true;
        rd_publish(execution, state, state->n_accesses, NULL, call);
        state->grid++;
        state->phase++;
        state->acquired_is_here = false;
        rd_state_push(execution, state, (struct value){.kind = VALUE_NONE});
    }
    execution->grids++;
}

/* ---- read ---- */

struct writer {
    rd_term block, thread;
};

/* Returns the only number of a block, or of a thread, for which the condition can hold; NULL where it depends on the other one. */
static rd_term named_by(const struct rd_execution *execution, rd_term condition, rd_term of)
{
    const rd_term found = rd_solution(execution->terms, condition, of);
    return !found || rd_term_has(found, execution->block) ||
                   rd_term_has(found, execution->thread) || rd_term_has(found, execution->origin)
               ? NULL
               : found;
}

/* Finds the only thread that can have written the cell. */
static bool find_writer(const struct rd_execution *execution, const struct rd_published *published,
                        rd_term cell, struct writer *writer)
{
    struct rd_terms *terms = execution->terms;
    const rd_term index = published->index, block = execution->block, thread = execution->thread,
                  zero = rd_number(terms, 0);
    const bool of_block = rd_term_has(index, block), of_thread = rd_term_has(index, thread);
    if (rd_term_has(index, execution->origin)) {
        writer->block = rd_div(terms, cell, execution->threads);
        writer->thread = rd_mod(terms, cell, execution->threads);
        return index == rd_add(terms, execution->origin, thread);
    }
    if (of_block && of_thread)
        return false;
    writer->block = named_by(execution, published->condition, block);
    writer->thread = named_by(execution, published->condition, thread);
    /* The first thread of the grid. */
    if (rd_solution(terms, published->condition, execution->origin) ==
        rd_subtract(terms, zero, thread)) {
        writer->block = zero;
        writer->thread = zero;
    }
    if (of_block && !rd_solve_linear(terms, index, block, cell, &writer->block))
        return false;
    if (of_thread && !rd_solve_linear(terms, index, thread, cell, &writer->thread))
        return false;
    return writer->block && writer->thread;
}

static rd_term at_writer(const struct rd_execution *execution, rd_term term,
                         const struct writer *writer)
{
    const rd_term from[] = {execution->block, execution->thread, execution->origin};
    const rd_term to[] = {writer->block, writer->thread,
                          rd_multiply(execution->terms, writer->block, execution->threads)};
    return rd_replace(execution->terms, term, 3, from, to);
}

/* What the cell holds: the value of its writer, if it is a thread of the launch that has written it, else `before`. */
static rd_term left_by_writer(struct rd_execution *execution, const struct rd_published *published,
                              rd_term cell, rd_term before)
{
    struct rd_terms *terms = execution->terms;
    const rd_term zero = rd_number(terms, 0);
    struct writer writer;
    if (!find_writer(execution, published, cell, &writer))
        return NULL;
    rd_term made = rd_and(terms, rd_within(terms, zero, execution->thread, execution->threads),
                          rd_within(terms, zero, execution->block, execution->blocks));
    made = rd_and(terms, made, published->condition);
    made = rd_and(terms, made, rd_by_way(execution, published->way));
    made = rd_and(terms, at_writer(execution, made, &writer),
                  rd_equal(terms, at_writer(execution, published->index, &writer), cell));
    return rd_choice(terms, made, at_writer(execution, published->value, &writer), before);
}

struct value rd_read_scratch(struct rd_execution *execution, struct state *state,
                             const struct rd_prove_array *array, rd_term index,
                             const struct rd_syntax_node *node)
{
    const bool behind = state->acquired->kind != RD_TERM_FALSE;
    /* Between the same barriers nothing else is written to it, which is a goal: a cell is what it is for all who read it. */
    rd_term value = rd_apply(execution->terms,
                             rd_terms_text(execution->terms, "%s before %u%s", array->name,
                                           state->grid, behind ? " and tickets" : ""),
                             1, &index);
    for (size_t k = 0; k < execution->n_published && value; k++) {
        const struct rd_published *published = &execution->published[k];
        if (published->array == array &&
            (published->grid < state->grid ||
             (published->by_ticket && behind && published->grid == state->grid)))
            value = left_by_writer(execution, published, index, value);
    }
    if (!value) {
        rd_execution_fail(execution, node,
                          "'%s' is read, and which thread wrote a cell can't be told", array->name);
        return rd_element_value(rd_number(execution->terms, 0));
    }
    if (behind)
        rd_require_last(execution, state, node);
    rd_state_access(execution, state,
                    (struct rd_kernel_access){.array = array,
                                              .index = index,
                                              .is_behind = behind,
                                              .file = node->file,
                                              .line = node->line});
    return rd_element_value(value);
}
