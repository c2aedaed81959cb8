// SPDX-License-Identifier: MIT
/* Lemmas of powers of two, for all integers: from what pow2 is (1 at 0, and each the double of the one before), by induction. */
#include "prove/logic/lemma_internal.h"

rd_term rd_lemma_power(struct rd_terms *terms, rd_term x)
{
    return rd_holds(terms, "P2", 1, &x);
}

rd_term rd_lemma_log(struct rd_terms *terms, rd_term x)
{
    return rd_apply(terms, "log2", 1, &x);
}

static rd_term pow2(struct rd_terms *terms, rd_term e)
{
    return rd_power_of_two(terms, e);
}

static rd_term is_natural(struct rd_terms *terms, rd_term e)
{
    return rd_at_most(terms, rd_number(terms, 0), e);
}

static rd_term zero(struct rd_terms *terms, const rd_term *p)
{
    (void)p;
    return rd_number(terms, 0);
}

/* ---- pow2 ---- */

rd_term rd_lemma_pow2_step(struct rd_terms *terms, const rd_term *p)
{
    const rd_term e = p[0];
    return rd_implies(terms, rd_lemma_above(terms, e, 0),
                      rd_equal(terms, pow2(terms, e),
                               rd_lemma_times(terms, 2, pow2(terms, rd_lemma_plus(terms, e, -1)))));
}

rd_term rd_lemma_pow2_positive(struct rd_terms *terms, const rd_term *p)
{
    return rd_implies(terms, is_natural(terms, p[0]), rd_less(terms, p[0], pow2(terms, p[0])));
}

rd_term rd_lemma_pow2_grows(struct rd_terms *terms, const rd_term *p)
{
    const rd_term e = p[0], f = p[1];
    return rd_implies(terms, rd_and(terms, is_natural(terms, e), rd_less(terms, e, f)),
                      rd_at_most(terms, rd_lemma_times(terms, 2, pow2(terms, e)), pow2(terms, f)));
}

static rd_term one_more(struct rd_terms *terms, const rd_term *p)
{
    return rd_lemma_plus(terms, p[0], 1);
}

static void because_grows(struct rd_terms *terms, const rd_term *p, struct rd_term_list *facts)
{
    rd_term_list_add(terms, facts, rd_lemma_pow2_positive(terms, &p[0]));
    rd_term_list_add(terms, facts, rd_lemma_pow2_positive(terms, &p[1]));
}

rd_term rd_lemma_pow2_sum(struct rd_terms *terms, const rd_term *p)
{
    const rd_term e = p[0], f = p[1];
    return rd_implies(terms, rd_and(terms, is_natural(terms, e), is_natural(terms, f)),
                      rd_equal(terms, pow2(terms, rd_add(terms, e, f)),
                               rd_multiply(terms, pow2(terms, e), pow2(terms, f))));
}

/* ---- log2 ---- */

static rd_term is_log(struct rd_terms *terms, rd_term x, rd_term e)
{
    return rd_and(terms, is_natural(terms, e),
                  rd_within(terms, pow2(terms, e), x, rd_lemma_times(terms, 2, pow2(terms, e))));
}

/* There is such an exponent: of 1 it is 0, and from x's, that of x + 1 follows. */
static rd_term log2_exists(struct rd_terms *terms, const rd_term *p)
{
    const rd_term x = p[0], e = p[1], next = rd_lemma_plus(terms, x, 1);
    const rd_term first = is_log(terms, rd_number(terms, 1), rd_number(terms, 0));
    const rd_term either =
        rd_or(terms, is_log(terms, next, e), is_log(terms, next, rd_lemma_plus(terms, e, 1)));
    return rd_and(terms, first, rd_implies(terms, is_log(terms, x, e), either));
}

rd_term rd_lemma_log2(struct rd_terms *terms, const rd_term *p)
{
    return rd_implies(terms, rd_lemma_above(terms, p[0], 0),
                      is_log(terms, p[0], rd_lemma_log(terms, p[0])));
}

rd_term rd_lemma_log2_monotone(struct rd_terms *terms, const rd_term *p)
{
    return rd_implies(terms,
                      rd_and(terms, rd_lemma_above(terms, p[0], 0), rd_at_most(terms, p[0], p[1])),
                      rd_at_most(terms, rd_lemma_log(terms, p[0]), rd_lemma_log(terms, p[1])));
}

static void because_log2_monotone(struct rd_terms *terms, const rd_term *p,
                                  struct rd_term_list *facts)
{
    const rd_term downwards[] = {rd_lemma_log(terms, p[1]), rd_lemma_log(terms, p[0])};
    rd_term_list_add(terms, facts, rd_lemma_log2(terms, &p[0]));
    rd_term_list_add(terms, facts, rd_lemma_log2(terms, &p[1]));
    rd_term_list_add(terms, facts, rd_lemma_pow2_grows(terms, downwards));
}

/* ---- P2 ---- */

rd_term rd_lemma_power_meaning(struct rd_terms *terms, const rd_term *p)
{
    const rd_term x = p[0];
    return rd_equal(terms, rd_lemma_power(terms, x),
                    rd_and(terms, rd_lemma_above(terms, x, 0),
                           rd_equal(terms, x, pow2(terms, rd_lemma_log(terms, x)))));
}

static void add_meaning(struct rd_terms *terms, rd_term x, struct rd_term_list *facts)
{
    rd_term_list_add(terms, facts, rd_lemma_power_meaning(terms, &x));
    rd_term_list_add(terms, facts, rd_lemma_log2(terms, &x));
}

rd_term rd_lemma_pow2_power(struct rd_terms *terms, const rd_term *p)
{
    const rd_term e = p[0], x = pow2(terms, e);
    return rd_implies(
        terms, is_natural(terms, e),
        rd_and(terms, rd_lemma_power(terms, x), rd_equal(terms, rd_lemma_log(terms, x), e)));
}

static void because_pow2_power(struct rd_terms *terms, const rd_term *p, struct rd_term_list *facts)
{
    const rd_term x = pow2(terms, p[0]), log = rd_lemma_log(terms, x);
    const rd_term up[] = {p[0], log}, down[] = {log, p[0]};
    rd_term_list_add(terms, facts, rd_lemma_pow2_positive(terms, p));
    add_meaning(terms, x, facts);
    rd_term_list_add(terms, facts, rd_lemma_pow2_grows(terms, up));
    rd_term_list_add(terms, facts, rd_lemma_pow2_grows(terms, down));
}

rd_term rd_lemma_power_positive(struct rd_terms *terms, const rd_term *p)
{
    return rd_implies(terms, rd_lemma_power(terms, p[0]), rd_lemma_above(terms, p[0], 0));
}

static void because_power(struct rd_terms *terms, const rd_term *p, struct rd_term_list *facts)
{
    add_meaning(terms, p[0], facts);
}

rd_term rd_lemma_power_double(struct rd_terms *terms, const rd_term *p)
{
    return rd_implies(terms, rd_lemma_power(terms, p[0]),
                      rd_lemma_power(terms, rd_lemma_times(terms, 2, p[0])));
}

static void because_double(struct rd_terms *terms, const rd_term *p, struct rd_term_list *facts)
{
    const rd_term next = rd_lemma_plus(terms, rd_lemma_log(terms, p[0]), 1);
    add_meaning(terms, p[0], facts);
    rd_term_list_add(terms, facts, rd_lemma_pow2_power(terms, &next));
}

rd_term rd_lemma_power_half(struct rd_terms *terms, const rd_term *p)
{
    const rd_term x = p[0], two = rd_number(terms, 2);
    return rd_implies(terms, rd_and(terms, rd_lemma_power(terms, x), rd_lemma_above(terms, x, 1)),
                      rd_and(terms, rd_equal(terms, rd_mod(terms, x, two), rd_number(terms, 0)),
                             rd_lemma_power(terms, rd_div(terms, x, two))));
}

static void because_half(struct rd_terms *terms, const rd_term *p, struct rd_term_list *facts)
{
    const rd_term log = rd_lemma_log(terms, p[0]), before = rd_lemma_plus(terms, log, -1);
    add_meaning(terms, p[0], facts);
    rd_term_list_add(terms, facts, rd_lemma_pow2_step(terms, &log));
    rd_term_list_add(terms, facts, rd_lemma_pow2_power(terms, &before));
    /* pow2(0) = 1 */
    rd_term_list_add(terms, facts,
                     rd_implies(terms, rd_equal(terms, log, rd_number(terms, 0)),
                                rd_equal(terms, pow2(terms, log), rd_number(terms, 1))));
}

rd_term rd_lemma_power_apart(struct rd_terms *terms, const rd_term *p)
{
    const rd_term both = rd_and(terms, rd_lemma_power(terms, p[0]), rd_lemma_power(terms, p[1]));
    return rd_implies(terms, rd_and(terms, both, rd_less(terms, p[0], p[1])),
                      rd_at_most(terms, rd_lemma_times(terms, 2, p[0]), p[1]));
}

static void because_powers(struct rd_terms *terms, const rd_term *p, struct rd_term_list *facts)
{
    const rd_term x = rd_lemma_log(terms, p[0]), y = rd_lemma_log(terms, p[1]);
    const rd_term up[] = {x, y}, down[] = {y, x};
    add_meaning(terms, p[0], facts);
    add_meaning(terms, p[1], facts);
    rd_term_list_add(terms, facts, rd_lemma_pow2_grows(terms, up));
    rd_term_list_add(terms, facts, rd_lemma_pow2_grows(terms, down));
}

rd_term rd_lemma_power_divides(struct rd_terms *terms, const rd_term *p)
{
    const rd_term x = p[0], y = p[1];
    const rd_term both = rd_and(terms, rd_lemma_power(terms, x), rd_lemma_power(terms, y));
    return rd_implies(terms, rd_and(terms, both, rd_at_most(terms, x, y)),
                      rd_and(terms, rd_equal(terms, rd_mod(terms, y, x), rd_number(terms, 0)),
                             rd_lemma_power(terms, rd_div(terms, y, x))));
}

static void because_divides(struct rd_terms *terms, const rd_term *p, struct rd_term_list *facts)
{
    const rd_term x = rd_lemma_log(terms, p[0]), y = rd_lemma_log(terms, p[1]);
    const rd_term rest = rd_subtract(terms, y, x), parts[] = {x, rest};
    const rd_term product[] = {p[1], p[0], pow2(terms, rest), rd_number(terms, 0)};
    because_powers(terms, p, facts);
    rd_term_list_add(terms, facts, rd_lemma_pow2_sum(terms, parts));
    rd_term_list_add(terms, facts, rd_lemma_pow2_power(terms, &rest));
    rd_term_list_add(terms, facts, rd_lemma_unique(terms, product));
}

rd_term rd_lemma_power_product(struct rd_terms *terms, const rd_term *p)
{
    return rd_implies(terms,
                      rd_and(terms, rd_lemma_power(terms, p[0]), rd_lemma_power(terms, p[1])),
                      rd_lemma_power(terms, rd_multiply(terms, p[0], p[1])));
}

static void because_product(struct rd_terms *terms, const rd_term *p, struct rd_term_list *facts)
{
    const rd_term x = rd_lemma_log(terms, p[0]), y = rd_lemma_log(terms, p[1]);
    const rd_term sum = rd_add(terms, x, y), parts[] = {x, y};
    add_meaning(terms, p[0], facts);
    add_meaning(terms, p[1], facts);
    rd_term_list_add(terms, facts, rd_lemma_pow2_sum(terms, parts));
    rd_term_list_add(terms, facts, rd_lemma_pow2_power(terms, &sum));
}

/* ---- bit_ceil ---- */

static rd_term ceil_of(struct rd_terms *terms, rd_term x)
{
    return rd_apply(terms, "bit_ceil", 1, &x);
}

rd_term rd_lemma_bit_ceil_meaning(struct rd_terms *terms, const rd_term *p)
{
    const rd_term x = p[0], floor = pow2(terms, rd_lemma_log(terms, x));
    return rd_implies(
        terms, rd_lemma_above(terms, x, 0),
        rd_equal(terms, ceil_of(terms, x),
                 rd_choice(terms, rd_equal(terms, floor, x), x, rd_lemma_times(terms, 2, floor))));
}

rd_term rd_lemma_bit_ceil(struct rd_terms *terms, const rd_term *p)
{
    const rd_term x = p[0], ceil = ceil_of(terms, x);
    return rd_implies(terms, rd_lemma_above(terms, x, 0),
                      rd_and(terms, rd_lemma_power(terms, ceil),
                             rd_within(terms, x, ceil, rd_lemma_times(terms, 2, x))));
}

static void because_bit_ceil(struct rd_terms *terms, const rd_term *p, struct rd_term_list *facts)
{
    const rd_term log = rd_lemma_log(terms, p[0]), next = rd_lemma_plus(terms, log, 1);
    add_meaning(terms, p[0], facts);
    rd_term_list_add(terms, facts, rd_lemma_bit_ceil_meaning(terms, p));
    rd_term_list_add(terms, facts, rd_lemma_pow2_power(terms, &log));
    rd_term_list_add(terms, facts, rd_lemma_pow2_power(terms, &next));
}

rd_term rd_lemma_bit_ceil_between(struct rd_terms *terms, const rd_term *p)
{
    const rd_term x = p[0], power = p[1], twice = rd_lemma_times(terms, 2, power);
    const rd_term between = rd_and(terms, rd_less(terms, power, x), rd_at_most(terms, x, twice));
    return rd_implies(terms, rd_and(terms, rd_lemma_power(terms, power), between),
                      rd_equal(terms, ceil_of(terms, x), twice));
}

static void because_between(struct rd_terms *terms, const rd_term *p, struct rd_term_list *facts)
{
    const rd_term ceil = ceil_of(terms, p[0]), twice = rd_lemma_times(terms, 2, p[1]);
    const rd_term below[] = {p[1], ceil}, above[] = {twice, ceil};
    rd_term_list_add(terms, facts, rd_lemma_bit_ceil(terms, p));
    rd_term_list_add(terms, facts, rd_lemma_power_positive(terms, &p[1]));
    rd_term_list_add(terms, facts, rd_lemma_power_double(terms, &p[1]));
    rd_term_list_add(terms, facts, rd_lemma_power_apart(terms, below));
    rd_term_list_add(terms, facts, rd_lemma_power_apart(terms, above));
}

const struct rd_lemma rd_lemmas_of_powers[] = {
    {"pow2-step", "2^e is twice 2^(e - 1)", 1, {"e"}, rd_lemma_pow2_step, NULL, NULL, true},
    {"pow2-positive", "2^e is more than e", 1, {"e"}, rd_lemma_pow2_positive, NULL, zero, false},
    {"pow2-grows",
     "2^e is at most half of 2^f, where e < f",
     2,
     {"e", "f"},
     rd_lemma_pow2_grows,
     because_grows,
     one_more,
     false},
    {"pow2-sum", "2^(e + f) is 2^e * 2^f", 2, {"e", "f"}, rd_lemma_pow2_sum, NULL, zero, false},
    {"log2-exists",
     "each x >= 1 has an e with 2^e <= x < 2 * 2^e: 1 has, and with x, x + 1",
     2,
     {"x", "e"},
     log2_exists,
     NULL,
     NULL,
     false},
    {"log2", "log2(x) is that e", 1, {"x"}, rd_lemma_log2, NULL, NULL, true},
    {"log2-monotone",
     "of the smaller number log2 is not larger",
     2,
     {"x", "y"},
     rd_lemma_log2_monotone,
     because_log2_monotone,
     NULL,
     false},
    {"power",
     "x is a power of two if it is 2^log2(x)",
     1,
     {"x"},
     rd_lemma_power_meaning,
     NULL,
     NULL,
     true},
    {"pow2-power",
     "2^e is a power of two, and e its log2",
     1,
     {"e"},
     rd_lemma_pow2_power,
     because_pow2_power,
     NULL,
     false},
    {"power-positive",
     "a power of two is positive",
     1,
     {"x"},
     rd_lemma_power_positive,
     because_power,
     NULL,
     false},
    {"power-double",
     "twice a power of two is one",
     1,
     {"x"},
     rd_lemma_power_double,
     because_double,
     NULL,
     false},
    {"power-half",
     "a power of two above 1 is even, and half of it one",
     1,
     {"x"},
     rd_lemma_power_half,
     because_half,
     NULL,
     false},
    {"power-apart",
     "of two powers of two the smaller is at most half of the larger",
     2,
     {"x", "y"},
     rd_lemma_power_apart,
     because_powers,
     NULL,
     false},
    {"power-divides",
     "a power of two divides each that is larger",
     2,
     {"x", "y"},
     rd_lemma_power_divides,
     because_divides,
     NULL,
     false},
    {"power-product",
     "the product of two powers of two is one",
     2,
     {"x", "y"},
     rd_lemma_power_product,
     because_product,
     NULL,
     false},
    {"bit-ceil-meaning",
     "bit_ceil(x) is x, or twice the largest power of two below it",
     1,
     {"x"},
     rd_lemma_bit_ceil_meaning,
     NULL,
     NULL,
     true},
    {"bit-ceil",
     "bit_ceil(x) is a power of two, at least x and below 2x",
     1,
     {"x"},
     rd_lemma_bit_ceil,
     because_bit_ceil,
     NULL,
     false},
    {"bit-ceil-between",
     "bit_ceil(x) is 2p, where p is a power of two and p < x <= 2p",
     2,
     {"x", "p"},
     rd_lemma_bit_ceil_between,
     because_between,
     NULL,
     false},
    {.name = NULL},
};
