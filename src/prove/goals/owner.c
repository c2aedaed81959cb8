// SPDX-License-Identifier: MIT
/* The thread that writes a cell, where its index can be solved for it. */
#include "prove/goals/owner.h"

/* Finds y and x of a cell first + y*width + x, where x is the smaller part: the remainder by the width; or of first + y*width - x, where
 * it runs backwards. */
static bool solve_row(struct rd_terms *terms, rd_term index, rd_term x, rd_term y, rd_term cell,
                      rd_term *of_x, rd_term *of_y)
{
    rd_term width, rest, factor, first;
    if (!rd_is_linear(terms, index, y, &width, &rest) ||
        !rd_is_linear(terms, rest, x, &factor, &first) || factor->kind != RD_TERM_NUMBER ||
        (factor->number != 1 && factor->number != -1) || rd_term_has(width, x))
        return false;
    const rd_term last = rd_subtract(terms, width, rd_number(terms, 1));
    cell = rd_subtract(terms, cell, first);
    if (factor->number == -1)
        cell = rd_add(terms, cell, last);
    *of_x = rd_mod(terms, cell, width);
    if (factor->number == -1)
        *of_x = rd_subtract(terms, last, *of_x);
    *of_y = rd_div(terms, cell, width);
    return true;
}

/* Solves the index for two numbers, of which it may name both, one or none. One that is NULL isn't there. The path
 * holds where the cell is written. */
static bool solve(struct rd_terms *terms, rd_term path, rd_term index, const rd_term names[2],
                  rd_term cell, rd_term values[2])
{
    const bool has[] = {rd_term_has(index, names[0]), names[1] && rd_term_has(index, names[1])};
    if (has[0] && has[1])
        return solve_row(terms, index, names[0], names[1], cell, &values[0], &values[1]) ||
               solve_row(terms, index, names[1], names[0], cell, &values[1], &values[0]);
    for (unsigned k = 0; k < 2; k++)
        if (has[k] && !rd_solve_index(terms, path, index, names[k], cell, &values[k]))
            return false;
    return true;
}

/* Names threads by their numbers in the grid alone, where the index knows these alone. */
static bool by_numbers(const struct rd_launch_proof *launch, rd_term *index)
{
    struct rd_terms *terms = launch->subject->terms;
    const struct rd_launch_rows *y = &launch->y;
    const rd_term of_x =
        rd_subtract(terms, launch->number, rd_multiply(terms, launch->block, launch->threads));
    rd_term named = rd_replace(terms, *index, 1, &launch->thread, &of_x);
    if (y->thread) {
        const rd_term of_y =
            y->block ? rd_subtract(terms, y->number, rd_multiply(terms, y->block, y->threads))
                     : y->number;
        named = rd_replace(terms, named, 1, &y->thread, &of_y);
    } else if (y->block) {
        named = rd_replace(terms, named, 1, &y->block, &y->number);
    }
    if (rd_term_has(named, launch->block) || (y->block && rd_term_has(named, y->block)))
        return false;
    *index = named;
    return true;
}

static void split_numbers(const struct rd_launch_proof *launch, struct rd_owner *owner)
{
    struct rd_terms *terms = launch->subject->terms;
    const struct rd_launch_rows *y = &launch->y;
    owner->block[0] = rd_div(terms, owner->number[0], launch->threads);
    owner->thread[0] = rd_mod(terms, owner->number[0], launch->threads);
    owner->block[1] =
        y->thread && y->block ? rd_div(terms, owner->number[1], y->threads) : owner->number[1];
    owner->thread[1] =
        y->thread && y->block ? rd_mod(terms, owner->number[1], y->threads) : owner->number[1];
}

/* Blocks that begin `step` behind each other and have more threads than that: a cell in which two of them meet
 * belongs to the one before, whose last threads reach as far. */
static bool solve_overlapping(const struct rd_launch_proof *launch, rd_term index, rd_term cell,
                              struct rd_owner *owner)
{
    struct rd_terms *terms = launch->subject->terms;
    rd_term step, rest, factor, first;
    if (!rd_is_linear(terms, index, launch->block, &step, &rest) ||
        !rd_is_linear(terms, rest, launch->thread, &factor, &first) ||
        factor != rd_number(terms, 1) || rd_term_has(step, launch->thread))
        return false;
    cell = rd_subtract(terms, cell, first);
    const rd_term over = rd_subtract(terms, launch->threads, step);
    step = rd_most(terms, step, rd_number(terms, 1)); /* of one block it may be less */
    owner->block[0] =
        rd_div(terms, rd_most(terms, rd_number(terms, 0), rd_subtract(terms, cell, over)), step);
    owner->thread[0] = rd_subtract(terms, cell, rd_multiply(terms, step, owner->block[0]));
    return true;
}

/* Gives the thread the numbers in the grid that go with its place; 0 where it has no other name. */
static void name_numbers(const struct rd_launch_proof *launch, struct rd_owner *owner)
{
    struct rd_terms *terms = launch->subject->terms;
    const rd_term names[] = {launch->number, launch->y.number},
                  widths[] = {launch->threads, launch->y.threads};
    for (unsigned k = 0; k < 2; k++) {
        if (!names[k] || owner->number[k] != names[k])
            continue;
        owner->number[k] = launch->by_number ? rd_number(terms, 0) : owner->block[k];
        if (!launch->by_number && widths[k])
            owner->number[k] =
                rd_add(terms, rd_multiply(terms, owner->block[k], widths[k]), owner->thread[k]);
    }
}

/* Solves part*step + first for the two names of it, block*extent + thread: the coefficients that the index has of them. */
static bool take_number(struct rd_terms *terms, rd_term *index, rd_term block, rd_term thread,
                        rd_term extent, rd_term *step)
{
    rd_term of_block, rest;
    return rd_is_linear(terms, *index, block, &of_block, &rest) &&
           rd_is_linear(terms, rest, thread, step, index) &&
           of_block == rd_multiply(terms, *step, extent) && !rd_term_has(*step, thread) &&
           !rd_term_has(of_block, block);
}

/* The transpose of a tile: a block's place in x goes with a thread's in y, and the other way around. */
static bool solve_transposed(const struct rd_launch_proof *launch, rd_term index, rd_term cell,
                             struct rd_owner *owner)
{
    struct rd_terms *terms = launch->subject->terms;
    const struct rd_launch_rows *y = &launch->y;
    rd_term of_x, of_y; /* steps of block x with thread y, and of block y with thread x */
    if (!y->thread || !y->block)
        return false;
    const rd_term numbers[] = {launch->number, y->number};
    const rd_term places[] = {
        rd_add(terms, rd_multiply(terms, launch->block, launch->threads), launch->thread),
        rd_add(terms, rd_multiply(terms, y->block, y->threads), y->thread)};
    rd_term first = rd_replace(terms, index, y->number ? 2 : 1, numbers, places);
    if (!take_number(terms, &first, launch->block, y->thread, y->threads, &of_x) ||
        !take_number(terms, &first, y->block, launch->thread, launch->threads, &of_y))
        return false;
    const bool by_x = of_y == rd_number(terms, 1);
    if (!by_x && of_x != rd_number(terms, 1))
        return false;
    const rd_term width = by_x ? of_x : of_y;
    cell = rd_subtract(terms, cell, first);
    const rd_term row = rd_div(terms, cell, width), column = rd_mod(terms, cell, width),
                  x = by_x ? row : column, of_other = by_x ? column : row;
    owner->block[0] = rd_div(terms, x, y->threads);
    owner->thread[1] = rd_mod(terms, x, y->threads);
    owner->block[1] = rd_div(terms, of_other, launch->threads);
    owner->thread[0] = rd_mod(terms, of_other, launch->threads);
    name_numbers(launch, owner);
    owner->is_transposed = true;
    return true;
}

/* The same of an index in which no loop's variable is. */
static bool find_thread(const struct rd_launch_proof *launch, rd_term index, rd_term path,
                        rd_term cell, struct rd_owner *owner)
{
    struct rd_terms *terms = launch->subject->terms;
    const struct rd_launch_rows *y = &launch->y;
    const rd_term numbers[] = {launch->number, y->number}, blocks[] = {launch->block, y->block},
                  threads[] = {launch->thread, y->thread};
    if (launch->by_number)
        return solve(terms, path, index, numbers, cell, owner->number);
    const bool of_block = rd_term_has(index, launch->block) ||
                          (y->block && y->thread && rd_term_has(index, y->block));
    const bool of_thread =
        rd_term_has(index, launch->thread) || (y->thread && rd_term_has(index, y->thread));
    const bool of_number =
        y->origin && (rd_term_has(index, launch->number) || rd_term_has(index, y->number));
    if ((of_block && of_thread) || of_number) {
        rd_term named = index;
        if (by_numbers(launch, &named) && solve(terms, path, named, numbers, cell, owner->number)) {
            split_numbers(launch, owner);
            return true;
        }
        return solve_transposed(launch, index, cell, owner) ||
               (!y->number && (solve_overlapping(launch, index, cell, owner) ||
                               solve_row(terms, index, launch->thread, launch->block, cell,
                                         &owner->thread[0], &owner->block[0])));
    }
    if (of_thread && y->block && rd_term_has(index, y->block))
        return false;
    return of_thread ? solve(terms, path, index, threads, cell, owner->thread)
                     : solve(terms, path, index, blocks, cell, owner->block);
}

/* ---- in loops ---- */

/* Finds the trips, and what of the thread the index names beside the loop's variable. */
static bool solve_trips(const struct rd_launch_proof *launch, rd_term index, rd_term path,
                        rd_term cell, unsigned n_heads, const rd_term heads[2],
                        struct rd_owner *owner, rd_term trips[2])
{
    struct rd_terms *terms = launch->subject->terms;
    const struct rd_launch_rows *y = &launch->y;
    rd_term named = index;
    const bool of_number = !launch->by_number && by_numbers(launch, &named);
    if (of_number)
        index = named;
    struct {
        rd_term name, *value;
    } const names[] = {
        {launch->number, &owner->number[0]}, {y->number, &owner->number[1]},
        {launch->thread, &owner->thread[0]}, {y->thread, &owner->thread[1]},
        {launch->block, &owner->block[0]},   {y->block, &owner->block[1]},
    };
    rd_term two[2] = {heads[0], n_heads > 1 ? heads[1] : NULL}, values[2] = {NULL, NULL},
            *of_thread = NULL;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        if (!names[k].name || !rd_term_has(index, names[k].name))
            continue;
        if (two[1])
            return false; /* more than two numbers to solve for */
        two[1] = names[k].name;
        of_thread = names[k].value;
    }
    if (!solve(terms, path, index, two, cell, values))
        return false;
    trips[0] = values[0];
    trips[1] = values[1];
    if (of_thread)
        *of_thread = values[1];
    if (of_thread && of_number)
        split_numbers(launch, owner);
    return true;
}

/* Of a loop whose first trip is the thread's own number, as that over the grid: the thread that comes by the trip. */
static void find_first(const struct rd_launch_proof *launch, const struct rd_loop_trips *loop,
                       rd_term trip, struct rd_owner *owner)
{
    struct rd_terms *terms = launch->subject->terms;
    const rd_term zero = rd_number(terms, 0);
    struct rd_owner found = *owner;
    if (!find_thread(launch, loop->first, rd_true(terms), rd_mod(terms, trip, loop->stride),
                     &found))
        return;
    for (unsigned k = 0; k < 2; k++) {
        if (found.thread[k] != zero)
            owner->thread[k] = found.thread[k];
        if (found.block[k] != zero)
            owner->block[k] = found.block[k];
        if (found.number[k] != (k == 0 ? launch->number : launch->y.number))
            owner->number[k] = found.number[k];
    }
}

static void add_trip(struct rd_owner *owner, rd_term loop, rd_term trip)
{
    if (owner->n_loops == RD_OWNER_LOOPS_MAX)
        return;
    owner->loops[owner->n_loops] = loop;
    owner->trips[owner->n_loops++] = trip;
}

/* Nobody writes the cell where no thread does in any trip: so that one does not, at these, is known whichever they are. */
bool rd_find_owner(const struct rd_launch_proof *launch, const struct rd_kernel_access *write,
                   rd_term cell, struct rd_owner *owner)
{
    const rd_term zero = rd_number(launch->subject->terms, 0);
    const struct rd_execution *execution = &launch->execution;
    const struct rd_loop_trips *loops[2];
    rd_term heads[2], trips[2];
    unsigned n_heads = 0;
    *owner = (struct rd_owner){.thread = {zero, zero},
                               .block = {zero, zero},
                               .number = {launch->number, launch->y.number}};
    for (size_t k = 0; k < execution->n_trips; k++)
        if (write->repeats && rd_term_has(write->index, execution->trips[k].i)) {
            if (n_heads == 2)
                return false;
            loops[n_heads] = &execution->trips[k];
            heads[n_heads++] = execution->trips[k].i;
        }
    if (n_heads == 0
            ? !find_thread(launch, write->index, write->path, cell, owner)
            : !solve_trips(launch, write->index, write->path, cell, n_heads, heads, owner, trips))
        return false;
    for (unsigned k = 0; k < n_heads; k++) {
        find_first(launch, loops[k], trips[k], owner);
        add_trip(owner, heads[k], trips[k]);
    }
    if (n_heads > 0)
        name_numbers(launch, owner);
    /* A cell that each trip writes is written in the first. */
    for (size_t k = 0; k < execution->n_trips; k++)
        if (write->repeats && rd_term_has(write->path, execution->trips[k].i) &&
            !rd_term_has(write->index, execution->trips[k].i))
            add_trip(owner, execution->trips[k].i,
                     rd_at_owner(launch, execution->trips[k].first, owner, false));
    return true;
}

bool rd_is_same_owner(const struct rd_owner *x, const struct rd_owner *y)
{
    for (unsigned k = 0; k < 2; k++)
        if (x->block[k] != y->block[k] || x->thread[k] != y->thread[k] ||
            x->number[k] != y->number[k])
            return false;
    for (unsigned k = 0; k < x->n_loops && k < y->n_loops; k++)
        if (x->loops[k] != y->loops[k] || x->trips[k] != y->trips[k])
            return false;
    return x->n_loops == y->n_loops;
}

rd_term rd_at_owner(const struct rd_launch_proof *launch, rd_term term,
                    const struct rd_owner *owner, bool same_block)
{
    const rd_term names[] = {launch->number,   launch->thread, launch->y.number,
                             launch->y.thread, launch->block,  launch->y.block};
    const rd_term values[] = {owner->number[0], owner->thread[0], owner->number[1],
                              owner->thread[1], owner->block[0],  owner->block[1]};
    enum { OF_THREADS = 4, ALL = 6 };
    rd_term from[ALL + RD_OWNER_LOOPS_MAX], to[ALL + RD_OWNER_LOOPS_MAX];
    unsigned count = 0;
    for (unsigned k = 0; k < (same_block ? OF_THREADS : ALL); k++)
        if (names[k]) {
            from[count] = names[k];
            to[count++] = values[k];
        }
    for (unsigned k = 0; k < owner->n_loops; k++) {
        from[count] = owner->loops[k];
        to[count++] = owner->trips[k];
    }
    return rd_replace(launch->subject->terms, term, count, from, to);
}

rd_term rd_place_of(const struct rd_launch_proof *launch)
{
    struct rd_terms *terms = launch->subject->terms;
    const struct rd_launch_rows *y = &launch->y;
    const rd_term zero = rd_number(terms, 0);
    rd_term place;
    if (launch->by_number) {
        place = rd_within(terms, zero, launch->number, launch->all);
        return y->number ? rd_and(terms, place, rd_within(terms, zero, y->number, y->all)) : place;
    }
    place = rd_within(terms, zero, launch->thread, launch->threads);
    if (y->thread)
        place = rd_and(terms, place, rd_within(terms, zero, y->thread, y->threads));
    place = rd_and(terms, place, rd_within(terms, zero, launch->block, launch->grid));
    if (y->block)
        place = rd_and(terms, place, rd_within(terms, zero, y->block, y->grid));
    if (y->origin) {
        const rd_term x =
            rd_add(terms, rd_multiply(terms, launch->block, launch->threads), launch->thread);
        const rd_term row = rd_add(terms, rd_multiply(terms, y->block, y->threads), y->thread);
        place = rd_and(
            terms, place,
            rd_and(terms, rd_equal(terms, launch->number, x), rd_equal(terms, y->number, row)));
    }
    return place;
}
