// SPDX-License-Identifier: MIT
/* Lemmas of quotients and remainders by divisors that are no numbers. */
#include "prove/logic/lemma_internal.h"

/* x = m*(x div m) + (x mod m), and the remainder is one. */
rd_term rd_lemma_quotient(struct rd_terms *terms, const rd_term *p)
{
    const rd_term x = p[0], m = p[1], rest = rd_mod(terms, x, m);
    const rd_term whole = rd_multiply(terms, m, rd_div(terms, x, m));
    return rd_implies(terms, rd_lemma_above(terms, m, 0),
                      rd_and(terms, rd_equal(terms, x, rd_add(terms, whole, rest)),
                             rd_and(terms, rd_within(terms, rd_number(terms, 0), rest, m),
                                    rd_and(terms, rd_at_most(terms, whole, x),
                                           rd_less(terms, x, rd_add(terms, whole, m))))));
}

/* A number that is m*q + r with a remainder r has the quotient q and that remainder. */
rd_term rd_lemma_unique(struct rd_terms *terms, const rd_term *p)
{
    const rd_term x = p[0], m = p[1], q = p[2], r = p[3];
    const rd_term is = rd_and(
        terms,
        rd_and(terms, rd_lemma_above(terms, m, 0), rd_within(terms, rd_number(terms, 0), r, m)),
        rd_equal(terms, x, rd_add(terms, rd_multiply(terms, m, q), r)));
    return rd_implies(terms, is,
                      rd_and(terms, rd_equal(terms, rd_mod(terms, x, m), r),
                             rd_equal(terms, rd_div(terms, x, m), q)));
}

static void because_unique(struct rd_terms *terms, const rd_term *p, struct rd_term_list *facts)
{
    rd_term_list_add(terms, facts, rd_lemma_quotient(terms, p));
}

/* The quotient is q if and only if x is in the q-th stretch of m: in a grid, the elements of block q. */
rd_term rd_lemma_within(struct rd_terms *terms, const rd_term *p)
{
    const rd_term x = p[0], m = p[1], q = p[2], first = rd_multiply(terms, m, q);
    const rd_term is = rd_equal(terms, rd_div(terms, x, m), q);
    return rd_implies(
        terms, rd_lemma_above(terms, m, 0),
        rd_and(terms, rd_equal(terms, rd_within(terms, first, x, rd_add(terms, first, m)), is),
               rd_implies(terms, is,
                          rd_equal(terms, rd_mod(terms, x, m), rd_subtract(terms, x, first)))));
}

static void because_within(struct rd_terms *terms, const rd_term *p, struct rd_term_list *facts)
{
    const rd_term x = p[0], m = p[1], q = p[2];
    const rd_term parts[] = {x, m, q, rd_subtract(terms, x, rd_multiply(terms, m, q))};
    rd_term_list_add(terms, facts, rd_lemma_quotient(terms, p));
    rd_term_list_add(terms, facts, rd_lemma_unique(terms, parts));
}

/* The remainder by h from that by w = 2h. */
rd_term rd_lemma_halving(struct rd_terms *terms, const rd_term *p)
{
    const rd_term x = p[0], h = p[1], w = p[2], rest = rd_mod(terms, x, w);
    const rd_term is =
        rd_and(terms, rd_lemma_above(terms, h, 0), rd_equal(terms, w, rd_lemma_times(terms, 2, h)));
    const rd_term is_lower = rd_less(terms, rest, h);
    const rd_term twice = rd_lemma_times(terms, 2, rd_div(terms, x, w));
    return rd_implies(
        terms, is,
        rd_and(terms,
               rd_equal(terms, rd_mod(terms, x, h),
                        rd_choice(terms, is_lower, rest, rd_subtract(terms, rest, h))),
               rd_equal(terms, rd_div(terms, x, h),
                        rd_choice(terms, is_lower, twice, rd_lemma_plus(terms, twice, 1)))));
}

static void because_halving(struct rd_terms *terms, const rd_term *p, struct rd_term_list *facts)
{
    const rd_term x = p[0], h = p[1], w = p[2], rest = rd_mod(terms, x, w);
    const rd_term twice = rd_lemma_times(terms, 2, rd_div(terms, x, w));
    const rd_term lower[] = {x, h, twice, rest};
    const rd_term upper[] = {x, h, rd_lemma_plus(terms, twice, 1), rd_subtract(terms, rest, h)};
    const rd_term whole[] = {x, w};
    rd_term_list_add(terms, facts, rd_lemma_unique(terms, lower));
    rd_term_list_add(terms, facts, rd_lemma_unique(terms, upper));
    rd_term_list_add(terms, facts, rd_lemma_quotient(terms, whole));
}

/* A multiple that is less than m, in either direction, is 0. */
rd_term rd_lemma_small(struct rd_terms *terms, const rd_term *p)
{
    const rd_term m = p[0], product = rd_multiply(terms, m, p[1]);
    const rd_term is_small =
        rd_and(terms, rd_less(terms, product, m),
               rd_less(terms, rd_subtract(terms, rd_number(terms, 0), m), product));
    return rd_implies(terms, rd_and(terms, rd_lemma_above(terms, m, 0), is_small),
                      rd_equal(terms, p[1], rd_number(terms, 0)));
}

/* Numbers with one remainder that are less than the divisor apart are equal: of a strided loop, each thread has one in a stride. */
rd_term rd_lemma_apart(struct rd_terms *terms, const rd_term *p)
{
    const rd_term x = p[0], y = p[1], m = p[2];
    const rd_term are_near = rd_and(terms, rd_less(terms, rd_subtract(terms, x, y), m),
                                    rd_less(terms, rd_subtract(terms, y, x), m));
    const rd_term are =
        rd_and(terms, rd_lemma_above(terms, m, 0),
               rd_and(terms, are_near, rd_equal(terms, rd_mod(terms, x, m), rd_mod(terms, y, m))));
    return rd_implies(terms, are, rd_equal(terms, x, y));
}

static void because_apart(struct rd_terms *terms, const rd_term *p, struct rd_term_list *facts)
{
    const rd_term x = p[0], y = p[1], m = p[2];
    const rd_term of_x[] = {x, m}, of_y[] = {y, m};
    const rd_term quotients[] = {m, rd_subtract(terms, rd_div(terms, x, m), rd_div(terms, y, m))};
    rd_term_list_add(terms, facts, rd_lemma_quotient(terms, of_x));
    rd_term_list_add(terms, facts, rd_lemma_quotient(terms, of_y));
    rd_term_list_add(terms, facts, rd_lemma_small(terms, quotients));
}

rd_term rd_lemma_monotone(struct rd_terms *terms, const rd_term *p)
{
    const rd_term x = p[0], y = p[1], m = p[2];
    return rd_implies(terms, rd_and(terms, rd_lemma_above(terms, m, 0), rd_at_most(terms, x, y)),
                      rd_at_most(terms, rd_div(terms, x, m), rd_div(terms, y, m)));
}

static void because_monotone(struct rd_terms *terms, const rd_term *p, struct rd_term_list *facts)
{
    const rd_term of_x[] = {p[0], p[2]}, of_y[] = {p[1], p[2]};
    rd_term_list_add(terms, facts, rd_lemma_quotient(terms, of_x));
    rd_term_list_add(terms, facts, rd_lemma_quotient(terms, of_y));
}

/* The number of a thread in the grid: below g*m, that of its block is below g. */
rd_term rd_lemma_bounded(struct rd_terms *terms, const rd_term *p)
{
    const rd_term x = p[0], m = p[1], g = p[2];
    return rd_implies(terms, rd_lemma_above(terms, m, 0),
                      rd_equal(terms, rd_less(terms, x, rd_multiply(terms, g, m)),
                               rd_less(terms, rd_div(terms, x, m), g)));
}

static void because_bounded(struct rd_terms *terms, const rd_term *p, struct rd_term_list *facts)
{
    rd_term_list_add(terms, facts, rd_lemma_quotient(terms, p));
}

/* A quotient's quotient is the one by the product. */
rd_term rd_lemma_nested(struct rd_terms *terms, const rd_term *p)
{
    const rd_term x = p[0], a = p[1], b = p[2], both = rd_multiply(terms, a, b);
    const rd_term first = rd_div(terms, x, a);
    return rd_implies(
        terms, rd_and(terms, rd_lemma_above(terms, a, 0), rd_lemma_above(terms, b, 0)),
        rd_and(terms, rd_equal(terms, rd_div(terms, first, b), rd_div(terms, x, both)),
               rd_equal(terms, rd_mod(terms, x, both),
                        rd_add(terms, rd_multiply(terms, a, rd_mod(terms, first, b)),
                               rd_mod(terms, x, a)))));
}

static void because_nested(struct rd_terms *terms, const rd_term *p, struct rd_term_list *facts)
{
    const rd_term x = p[0], a = p[1], b = p[2], first = rd_div(terms, x, a);
    const rd_term of_x[] = {x, a}, of_first[] = {first, b};
    const rd_term inner = rd_mod(terms, first, b);
    const rd_term whole[] = {x, rd_multiply(terms, a, b), rd_div(terms, first, b),
                             rd_add(terms, rd_multiply(terms, a, inner), rd_mod(terms, x, a))};
    rd_term_list_add(terms, facts, rd_lemma_quotient(terms, of_x));
    rd_term_list_add(terms, facts, rd_lemma_quotient(terms, of_first));
    rd_term_list_add(terms, facts, rd_lemma_unique(terms, whole));
    /* a*inner <= a*(b - 1) */
    rd_term_list_add(
        terms, facts,
        rd_implies(terms, rd_and(terms, rd_lemma_above(terms, a, 0), rd_less(terms, inner, b)),
                   rd_at_most(terms, rd_multiply(terms, a, inner),
                              rd_multiply(terms, a, rd_lemma_plus(terms, b, -1)))));
}

/* ---- roots ---- */

static rd_term is_root(struct rd_terms *terms, rd_term x, rd_term r)
{
    const rd_term next = rd_lemma_plus(terms, r, 1);
    return rd_and(terms, rd_at_most(terms, rd_number(terms, 0), r),
                  rd_within(terms, rd_multiply(terms, r, r), x, rd_multiply(terms, next, next)));
}

/* There is such a number: of 0 it is 0, and from x's, that of x + 1 follows. */
static rd_term root_exists(struct rd_terms *terms, const rd_term *p)
{
    const rd_term x = p[0], r = p[1], next = rd_lemma_plus(terms, x, 1);
    const rd_term first = is_root(terms, rd_number(terms, 0), rd_number(terms, 0));
    const rd_term either =
        rd_or(terms, is_root(terms, next, r), is_root(terms, next, rd_lemma_plus(terms, r, 1)));
    return rd_and(terms, first, rd_implies(terms, is_root(terms, x, r), either));
}

rd_term rd_lemma_root(struct rd_terms *terms, const rd_term *p)
{
    return rd_implies(terms, rd_at_most(terms, rd_number(terms, 0), p[0]),
                      is_root(terms, p[0], rd_apply(terms, "root", 1, &p[0])));
}

const struct rd_lemma rd_lemmas_of_quotients[] = {
    {"quotient", "x = m*(x div m) + x mod m", 2, {"x", "m"}, rd_lemma_quotient, NULL, NULL, false},
    {"unique",
     "the quotient and the remainder of m*q + r are q and r",
     4,
     {"x", "m", "q", "r"},
     rd_lemma_unique,
     because_unique,
     NULL,
     false},
    {"within",
     "x div m is q if and only if m*q <= x < m*q + m",
     3,
     {"x", "m", "q"},
     rd_lemma_within,
     because_within,
     NULL,
     false},
    {"small",
     "a multiple of m that is between -m and m is 0",
     2,
     {"m", "k"},
     rd_lemma_small,
     NULL,
     NULL,
     false},
    {"halving",
     "x mod h is x mod 2h, or that less h",
     3,
     {"x", "h", "w"},
     rd_lemma_halving,
     because_halving,
     NULL,
     false},
    {"apart",
     "numbers with one remainder that are less than m apart are equal",
     3,
     {"x", "y", "m"},
     rd_lemma_apart,
     because_apart,
     NULL,
     false},
    {"monotone",
     "of the smaller number the quotient is not larger",
     3,
     {"x", "y", "m"},
     rd_lemma_monotone,
     because_monotone,
     NULL,
     false},
    {"bounded",
     "x is below g*m if and only if x div m is below g",
     3,
     {"x", "m", "g"},
     rd_lemma_bounded,
     because_bounded,
     NULL,
     false},
    {"nested",
     "(x div a) div b is x div (a*b)",
     3,
     {"x", "a", "b"},
     rd_lemma_nested,
     because_nested,
     NULL,
     false},
    {"root-exists",
     "each x has an r with r*r <= x < (r + 1)*(r + 1)",
     2,
     {"x", "r"},
     root_exists,
     NULL,
     NULL,
     false},
    {"root", "root(x) is that r", 1, {"x"}, rd_lemma_root, NULL, NULL, true},
    {.name = NULL},
};
