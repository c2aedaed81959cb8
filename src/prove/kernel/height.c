// SPDX-License-Identifier: MIT
/* Heights: the run in the algebra in which an addition is one more than the higher of both, and what is nothing adds none. */
#include "prove/kernel/state.h"

#include <string.h>

static const struct rd_height unknown = {.mark = -1};

struct rd_height rd_height_nothing(void)
{
    return (struct rd_height){.known = true, .mark = -1};
}

struct rd_height rd_height_load(struct rd_execution *execution)
{
    return (struct rd_height){.known = true, .mark = -1, .loads = rd_number(execution->terms, 0)};
}

struct rd_height rd_height_cell(struct rd_execution *execution)
{
    return (struct rd_height){.known = true, .mark = -1, .cells = rd_number(execution->terms, 0)};
}

static bool is_nothing(struct rd_height x)
{
    return x.known && !x.loads && !x.cells && x.mark < 0;
}

/* Tells whether a difference is never negative: of what there is in heights, logarithms are none, and quotients are at least 1. */
static bool is_natural(rd_term difference)
{
    rd_wide least = difference->kind == RD_TERM_SUM ? difference->number : 0;
    if (difference->kind == RD_TERM_APPLY)
        return true;
    if (difference->kind != RD_TERM_SUM)
        return false;
    for (unsigned k = 0; k < difference->n_kids; k++) {
        const rd_term kid = difference->kids[k];
        if (difference->coefficients[k] < 0 || kid->kind != RD_TERM_APPLY)
            return false;
        if (strcmp(kid->name, "ceil of quotient") == 0)
            least += difference->coefficients[k];
    }
    return least >= 0;
}

rd_term rd_height_higher(struct rd_terms *terms, rd_term x, rd_term y)
{
    rd_wide number;
    if (!x || !y || x == y)
        return x ? x : y;
    if (x == rd_number(terms, 0) || y == rd_number(terms, 0)) /* none is negative */
        return x == rd_number(terms, 0) ? y : x;
    if (rd_term_is_number(rd_subtract(terms, x, y), &number))
        return number > 0 ? x : y;
    if (is_natural(rd_subtract(terms, x, y)))
        return x;
    if (is_natural(rd_subtract(terms, y, x)))
        return y;
    return rd_most(terms, x, y);
}

struct rd_height rd_height_either(struct rd_execution *execution, struct rd_height x,
                                  struct rd_height y)
{
    struct rd_terms *terms = execution->terms;
    if (!x.known || !y.known)
        return unknown;
    return (struct rd_height){.known = true,
                              .loads = rd_height_higher(terms, x.loads, y.loads),
                              .cells = rd_height_higher(terms, x.cells, y.cells),
                              .mark = x.mark > y.mark ? x.mark : y.mark};
}

static rd_term raised(struct rd_terms *terms, rd_term x, rd_term by)
{
    return x ? rd_add(terms, x, by) : NULL;
}

struct rd_height rd_height_sum(struct rd_execution *execution, struct rd_height x,
                               struct rd_height y)
{
    const rd_term one = rd_number(execution->terms, 1);
    if (!x.known || !y.known)
        return unknown;
    if (is_nothing(x) || is_nothing(y))
        return is_nothing(x) ? y : x;
    struct rd_height sum = rd_height_either(execution, x, y);
    sum.loads = raised(execution->terms, sum.loads, one);
    sum.cells = raised(execution->terms, sum.cells, one);
    sum.mark += sum.mark >= 0;
    return sum;
}

static rd_term of_both(struct rd_terms *terms, rd_term x, rd_term y)
{
    return x && y ? rd_add(terms, rd_add(terms, x, y), rd_number(terms, 1)) : NULL;
}

/* Of both factors the roundings come together, and one of its own. Of two cells, or of what a loop adds to, it isn't worked out. */
struct rd_height rd_height_product(struct rd_execution *execution, struct rd_height x,
                                   struct rd_height y)
{
    struct rd_terms *terms = execution->terms;
    if (!x.known || !y.known || (x.cells && y.cells) || x.mark >= 0 || y.mark >= 0)
        return unknown;
    if (is_nothing(x) || is_nothing(y))
        return rd_height_nothing();
    return (struct rd_height){.known = true,
                              .mark = -1,
                              .loads = of_both(terms, x.loads, y.loads),
                              .cells = x.cells ? of_both(terms, x.cells, y.loads)
                                               : of_both(terms, x.loads, y.cells)};
}

/* One of a loop's trips makes `trip` of what stands for the accumulator: so many trips in all, each of which adds to it once, or not.
 * What was nothing takes the first addition for none. */
struct rd_height rd_height_of_trips(struct rd_execution *execution, struct rd_height before,
                                    struct rd_height trip, rd_term trips)
{
    struct rd_terms *terms = execution->terms;
    const rd_term one = rd_number(terms, 1);
    if (!before.known || before.mark >= 0 || !trip.known || trip.mark != 1 || !trips)
        return unknown;
    const rd_term behind_first = rd_subtract(terms, trips, one);
    struct rd_height made = {.known = true,
                             .loads = raised(terms, trip.loads, behind_first),
                             .cells = raised(terms, trip.cells, behind_first),
                             .mark = -1};
    if (is_nothing(before)) {
        made.loads = raised(terms, made.loads, rd_number(terms, -1));
        made.cells = raised(terms, made.cells, rd_number(terms, -1));
        return made;
    }
    before.loads = raised(terms, before.loads, trips);
    before.cells = raised(terms, before.cells, trips);
    return rd_height_either(execution, before, made);
}
