// SPDX-License-Identifier: MIT
/* Values that are known by unit vectors, taken apart: their products, and their sums over the trips of a loop, in most of which they
 * are 0. */
#include "prove/kernel/loops.h"

enum { LEAVES_MAX = 64 };

/* A value as a sum of numbers, each where its condition holds; and where nothing is known of it. */
struct leaves {
    unsigned count;
    struct leaf {
        rd_term guard;
        rd_wide number;
        rd_term unknown; /* that is multiplied by it; NULL: none */
    } list[LEAVES_MAX];
};

static bool add_leaf(struct leaves *leaves, rd_term guard, rd_wide number, rd_term unknown)
{
    if (guard->kind == RD_TERM_FALSE || number == 0)
        return true;
    if (leaves->count == LEAVES_MAX)
        return false;
    leaves->list[leaves->count++] = (struct leaf){guard, number, unknown};
    return true;
}

static bool take_apart(struct rd_terms *terms, rd_term value, rd_term guard, rd_wide factor,
                       struct leaves *leaves);

static rd_term product_of(struct rd_terms *terms, rd_term x, rd_term y)
{
    return x && y ? rd_multiply(terms, x, y) : x ? x : y;
}

/* Adds the product of both. */
static bool add_product(struct rd_terms *terms, const struct leaf *x, const struct leaf *y,
                        struct leaves *leaves)
{
    rd_wide number;
    return !__builtin_mul_overflow(x->number, y->number, &number) &&
           add_leaf(leaves, rd_and(terms, x->guard, y->guard), number,
                    product_of(terms, x->unknown, y->unknown));
}

static bool multiply(struct rd_terms *terms, rd_term product, rd_term guard, rd_wide factor,
                     struct leaves *leaves)
{
    struct leaves all = {.count = 1, .list = {{guard, factor, NULL}}};
    for (unsigned k = 0; k < product->n_kids; k++) {
        struct leaves of_kid = {.count = 0}, made = {.count = 0};
        if (!take_apart(terms, product->kids[k], rd_true(terms), 1, &of_kid))
            return false;
        for (unsigned x = 0; x < all.count; x++)
            for (unsigned y = 0; y < of_kid.count; y++)
                if (!add_product(terms, &all.list[x], &of_kid.list[y], &made))
                    return false;
        all = made;
    }
    for (unsigned k = 0; k < all.count; k++)
        if (!add_leaf(leaves, all.list[k].guard, all.list[k].number, all.list[k].unknown))
            return false;
    return true;
}

/* Adds `factor` times the value, where the guard holds; false where it has too many parts. */
static bool take_apart(struct rd_terms *terms, rd_term value, rd_term guard, rd_wide factor,
                       struct leaves *leaves)
{
    rd_wide number;
    switch (value->kind) {
    case RD_TERM_NUMBER:
        return !__builtin_mul_overflow(factor, value->number, &number) &&
               add_leaf(leaves, guard, number, NULL);
    case RD_TERM_CHOICE:
        return take_apart(terms, value->kids[1], rd_and(terms, guard, value->kids[0]), factor,
                          leaves) &&
               take_apart(terms, value->kids[2],
                          rd_and(terms, guard, rd_not(terms, value->kids[0])), factor, leaves);
    case RD_TERM_SUM:
        for (unsigned k = 0; k < value->n_kids; k++)
            if (__builtin_mul_overflow(factor, value->coefficients[k], &number) ||
                !take_apart(terms, value->kids[k], guard, number, leaves))
                return false;
        return !__builtin_mul_overflow(factor, value->number, &number) &&
               add_leaf(leaves, guard, number, NULL);
    case RD_TERM_PRODUCT:
        return multiply(terms, value, guard, factor, leaves);
    default:
        return add_leaf(leaves, guard, factor, value);
    }
}

/* ---- products ---- */

/* The inputs of which an element is in it, as bits. */
static unsigned units_in(const struct rd_execution *execution, rd_term term)
{
    unsigned units = 0;
    for (size_t k = 0; k < execution->n_units; k++)
        units |= execution->units[k] && rd_term_has(term, execution->units[k]) ? 1u << k : 0;
    return units;
}

static unsigned units_of(const struct rd_execution *execution, const struct leaf *leaf)
{
    return units_in(execution, leaf->guard) |
           (leaf->unknown ? units_in(execution, leaf->unknown) : 0);
}

/* Requires that both values never have elements of one input: of such a product, a unit vector tells nothing. It goes
 * by how they came to their cells. False where that can't be said. */
static bool require_two_inputs(struct rd_execution *execution, struct state *state,
                               const struct rd_syntax_node *node, const struct value *x,
                               const struct value *y)
{
    struct rd_terms *terms = execution->terms;
    rd_term never = rd_false(terms);
    if (x->n_origins == 0 || y->n_origins == 0)
        return (x->inputs & y->inputs) == 0;
    for (unsigned i = 0; i < x->n_origins; i++)
        for (unsigned k = 0; k < y->n_origins; k++)
            if ((x->origins[i].inputs & y->origins[k].inputs) != 0)
                never = rd_or(terms, never,
                              rd_and(terms, x->origins[i].condition, y->origins[k].condition));
    rd_state_require(execution, state, rd_not(terms, never), node,
                     "the factors of a product are of two inputs");
    return true;
}

rd_term rd_product_of_units(struct rd_execution *execution, struct state *state,
                            const struct rd_syntax_node *node, const struct value *x,
                            const struct value *y)
{
    struct rd_terms *terms = execution->terms;
    struct leaves of_x = {.count = 0}, of_y = {.count = 0};
    rd_term product = rd_number(terms, 0);
    if (!require_two_inputs(execution, state, node, x, y) ||
        !take_apart(terms, x->term, rd_true(terms), 1, &of_x) ||
        !take_apart(terms, y->term, rd_true(terms), 1, &of_y))
        return NULL;
    for (unsigned i = 0; i < of_x.count; i++)
        for (unsigned k = 0; k < of_y.count; k++) {
            const struct leaf *one = &of_x.list[i], *other = &of_y.list[k];
            struct leaves made = {.count = 0};
            if ((units_of(execution, one) & units_of(execution, other)) != 0)
                continue; /* both have an element of one input, which is never */
            if (!add_product(terms, one, other, &made))
                return NULL;
            for (unsigned m = 0; m < made.count; m++) {
                const rd_term number = rd_number(terms, made.list[m].number),
                              unknown = made.list[m].unknown;
                product = rd_add(terms, product,
                                 rd_choice(terms, made.list[m].guard,
                                           unknown ? rd_multiply(terms, number, unknown) : number,
                                           rd_number(terms, 0)));
            }
        }
    return product;
}

/* ---- sums ---- */

#define ONE_TRIP "a loop adds an input in one trip at most"

/* Tells whether the number is written as a negative one: -5, -cols. */
static bool is_negative(rd_term number)
{
    return number->kind == RD_TERM_NUMBER
               ? number->number < 0
               : number->kind == RD_TERM_SUM && number->coefficients[0] < 0;
}

/* What of a sum names the thread. */
static rd_term part_of_thread(const struct rd_execution *execution, rd_term sum)
{
    enum { NAMES = RD_THREAD_NAMES_MAX + 2 };
    struct rd_terms *terms = execution->terms;
    rd_term names[NAMES], zeros[NAMES];
    unsigned count = rd_thread_names(execution, names);
    if (execution->origin)
        names[count++] = execution->origin;
    if (execution->y.origin)
        names[count++] = execution->y.origin;
    for (unsigned k = 0; k < count; k++)
        zeros[k] = rd_number(terms, 0);
    return rd_subtract(terms, sum, rd_replace(terms, sum, count, names, zeros));
}

/* The same modulo m, a number, with coefficients of m/2 at most: a remainder has -t as (m - 1)*t. */
static rd_term centered(struct rd_terms *terms, rd_term sum, rd_term modulus)
{
    rd_term made = sum;
    rd_wide m;
    if (!rd_term_is_number(modulus, &m) || sum->kind != RD_TERM_SUM)
        return sum;
    for (unsigned k = 0; k < sum->n_kids; k++)
        if (sum->coefficients[k] > m / 2)
            made = rd_subtract(terms, made, rd_multiply(terms, modulus, sum->kids[k]));
    return made;
}

/* Solves (place + i + others) mod m = rest, or that of the opposite sign, for i, where the place names the thread: the only one, where
 * 0 <= place + i < m, as is required. */
static rd_term solve_remainder(struct rd_execution *execution, struct state *state,
                               rd_term condition, rd_term equation, rd_term i)
{
    struct rd_terms *terms = execution->terms;
    const rd_term zero = rd_number(terms, 0);
    for (unsigned side = 0; side < 2; side++) {
        const rd_term remainder = equation->kids[side];
        rd_term factor, others, rest = equation->kids[1 - side];
        if (remainder->kind != RD_TERM_MOD || rd_term_has(rest, i) ||
            rd_term_has(remainder->kids[1], i) ||
            !rd_is_linear(terms, centered(terms, remainder->kids[0], remainder->kids[1]), i,
                          &factor, &others) ||
            factor->kind != RD_TERM_NUMBER || (factor->number != 1 && factor->number != -1))
            continue;
        if (factor->number == -1) {
            others = rd_subtract(terms, zero, others);
            rest = rd_subtract(terms, zero, rest);
        }
        const rd_term m = remainder->kids[1], place = part_of_thread(execution, others);
        rd_state_require(
            execution, state,
            rd_implies(terms, condition, rd_within(terms, zero, rd_add(terms, place, i), m)), NULL,
            ONE_TRIP);
        rest = rd_subtract(terms, rd_add(terms, rest, place), others);
        return rd_subtract(terms, rd_mod(terms, rest, m), place);
    }
    return NULL;
}

/* Solves factor*i = rest, a part of the condition, for i: the only one, where the factor is more than 0, as is required; or a
 * remainder. NULL: there is no such part. */
static rd_term solve_multiple(struct rd_execution *execution, struct state *state,
                              rd_term condition, rd_term i)
{
    struct rd_terms *terms = execution->terms;
    const rd_term zero = rd_number(terms, 0);
    unsigned count;
    const rd_term *parts = rd_term_conjuncts(&condition, &count);
    for (unsigned k = 0; k < count; k++) {
        rd_term factor, rest;
        if (parts[k]->kind != RD_TERM_EQUAL || rd_term_is_condition(parts[k]->kids[0]) ||
            !rd_term_has(parts[k], i))
            continue;
        const rd_term by_remainder = solve_remainder(execution, state, condition, parts[k], i);
        if (by_remainder)
            return by_remainder;
        if (!rd_is_linear(terms, rd_subtract(terms, parts[k]->kids[0], parts[k]->kids[1]), i,
                          &factor, &rest))
            continue;
        if (is_negative(factor))
            factor = rd_subtract(terms, zero, factor);
        else
            rest = rd_subtract(terms, zero, rest);
        rd_state_require(execution, state,
                         rd_implies(terms, condition, rd_less(terms, zero, factor)), NULL,
                         ONE_TRIP);
        return rd_div(terms, rest, factor);
    }
    return NULL;
}

/* Returns the number of trips in which the condition holds, where it holds in one at most, by an equation in it; of
 * alternatives, of which no two hold in the same trip, which is required, the sum. NULL where that can't be seen. */
static rd_term trips_with(struct rd_execution *execution, struct state *state, rd_term condition,
                          rd_term i, rd_term is_trip)
{
    struct rd_terms *terms = execution->terms;
    rd_term at = rd_solution(terms, condition, i);
    if (condition->kind == RD_TERM_FALSE)
        return rd_number(terms, 0);
    if (!at)
        at = solve_multiple(execution, state, condition, i);
    if (at)
        return rd_count_of(terms, rd_replace(terms, rd_and(terms, condition, is_trip), 1, &i, &at));
    unsigned count, choice = 0;
    const rd_term *parts = rd_term_conjuncts(&condition, &count);
    while (choice < count && parts[choice]->kind != RD_TERM_OR)
        choice++;
    if (choice == count)
        return NULL;
    const rd_term one_of = parts[choice];
    rd_term given = rd_true(terms), sum = rd_number(terms, 0);
    for (unsigned k = 0; k < count; k++)
        given = k == choice ? given : rd_and(terms, given, parts[k]);
    for (unsigned k = 0; k < one_of->n_kids; k++) {
        const rd_term one = rd_and(terms, given, one_of->kids[k]),
                      with = trips_with(execution, state, one, i, is_trip);
        if (!with)
            return NULL;
        for (unsigned other = 0; other < k; other++)
            rd_state_require(execution, state,
                             rd_not(terms, rd_and(terms, one, one_of->kids[other])), NULL,
                             "a loop adds an input for one reason");
        sum = rd_add(terms, sum, with);
    }
    return sum;
}

rd_term rd_sum_of_trips(struct rd_execution *execution, struct state *state, rd_term value,
                        rd_term i, rd_term is_trip)
{
    struct rd_terms *terms = execution->terms;
    struct leaves leaves = {.count = 0};
    rd_term sum = rd_number(terms, 0);
    if (!take_apart(terms, value, rd_true(terms), 1, &leaves))
        return NULL;
    for (unsigned k = 0; k < leaves.count; k++) {
        const struct leaf *leaf = &leaves.list[k];
        if (leaf->unknown) {
            rd_state_require(execution, state, rd_not(terms, leaf->guard), NULL,
                             "a loop adds live cells alone");
            continue;
        }
        const rd_term counts = trips_with(execution, state, leaf->guard, i, is_trip);
        if (!counts)
            return NULL;
        sum = rd_add(terms, sum, rd_multiply(terms, rd_number(terms, leaf->number), counts));
    }
    return sum;
}
