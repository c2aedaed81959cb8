// SPDX-License-Identifier: MIT
/* Numbers: polynomials in a normal form, quotients and remainders. */
#include "prove/logic/term_internal.h"

#include <string.h>

enum { EXPONENT_MAX = 100 };

rd_wide rd_wide_floor_div(rd_wide x, rd_wide y)
{
    const rd_wide quotient = x / y;
    return quotient - (x % y < 0);
}

rd_term rd_number(struct rd_terms *terms, rd_wide number)
{
    return rd_term_make(terms, RD_TERM_NUMBER, number, "", 0, NULL, NULL);
}

rd_term rd_constant(struct rd_terms *terms, const char *name)
{
    return rd_term_make(terms, RD_TERM_CONSTANT, 0, name, 0, NULL, NULL);
}

/* Functions whose values for numbers are known. */
static bool value_of(const char *name, rd_wide x, rd_wide *value)
{
    *value = 1;
    if (strcmp(name, "bit_ceil") == 0 && x >= 1) {
        while (*value < x)
            *value *= 2;
        return true;
    }
    if (strcmp(name, "log2") == 0 && x >= 1) {
        for (*value = 0; x > 1; x /= 2)
            ++*value;
        return true;
    }
    return false;
}

rd_term rd_apply(struct rd_terms *terms, const char *name, unsigned n_kids, const rd_term *kids)
{
    rd_wide number, value;
    if (n_kids == 1 && strcmp(name, "pow2") == 0)
        return rd_power_of_two(terms, kids[0]);
    if (n_kids == 1 && rd_term_is_number(kids[0], &number) && value_of(name, number, &value))
        return rd_number(terms, value);
    return rd_term_make(terms, RD_TERM_APPLY, 0, name, n_kids, NULL, kids);
}

/* ---- polynomials ---- */

static rd_wide times(struct rd_terms *terms, rd_wide x, rd_wide y)
{
    rd_wide product;
    if (!__builtin_mul_overflow(x, y, &product))
        return product;
    rd_terms_fail(terms);
    return 0;
}

static rd_wide plus(struct rd_terms *terms, rd_wide x, rd_wide y)
{
    rd_wide sum;
    if (!__builtin_add_overflow(x, y, &sum))
        return sum;
    rd_terms_fail(terms);
    return 0;
}

static void add_monomial(struct rd_terms *terms, struct rd_polynomial *to, rd_term monomial,
                         rd_wide coefficient)
{
    unsigned at = 0;
    while (at < to->count && to->monomials[at]->id < monomial->id)
        at++;
    if (at < to->count && to->monomials[at] == monomial) {
        to->coefficients[at] = plus(terms, to->coefficients[at], coefficient);
        if (to->coefficients[at] != 0)
            return;
        to->count--;
        memmove(&to->monomials[at], &to->monomials[at + 1],
                (to->count - at) * sizeof *to->monomials);
        memmove(&to->coefficients[at], &to->coefficients[at + 1],
                (to->count - at) * sizeof *to->coefficients);
        return;
    }
    if (coefficient == 0)
        return;
    if (to->count == RD_POLYNOMIAL_MAX) {
        rd_terms_fail(terms);
        return;
    }
    memmove(&to->monomials[at + 1], &to->monomials[at], (to->count - at) * sizeof *to->monomials);
    memmove(&to->coefficients[at + 1], &to->coefficients[at],
            (to->count - at) * sizeof *to->coefficients);
    to->monomials[at] = monomial;
    to->coefficients[at] = coefficient;
    to->count++;
}

void rd_polynomial_add(struct rd_terms *terms, struct rd_polynomial *to, rd_term term,
                       rd_wide factor)
{
    if (term->kind == RD_TERM_NUMBER) {
        to->number = plus(terms, to->number, times(terms, term->number, factor));
    } else if (term->kind == RD_TERM_SUM) {
        to->number = plus(terms, to->number, times(terms, term->number, factor));
        for (unsigned k = 0; k < term->n_kids; k++)
            add_monomial(terms, to, term->kids[k], times(terms, term->coefficients[k], factor));
    } else {
        add_monomial(terms, to, term, factor);
    }
}

rd_term rd_polynomial_term(struct rd_terms *terms, const struct rd_polynomial *from)
{
    if (from->count == 0)
        return rd_number(terms, from->number);
    if (from->count == 1 && from->number == 0 && from->coefficients[0] == 1)
        return from->monomials[0];
    return rd_term_make(terms, RD_TERM_SUM, from->number, "", from->count, from->coefficients,
                        from->monomials);
}

static rd_term combine(struct rd_terms *terms, rd_term x, rd_term y, rd_wide factor)
{
    struct rd_polynomial sum = {.number = 0};
    rd_polynomial_add(terms, &sum, x, 1);
    rd_polynomial_add(terms, &sum, y, factor);
    return rd_polynomial_term(terms, &sum);
}

rd_term rd_add(struct rd_terms *terms, rd_term x, rd_term y)
{
    return combine(terms, x, y, 1);
}

rd_term rd_subtract(struct rd_terms *terms, rd_term x, rd_term y)
{
    return combine(terms, x, y, -1);
}

static unsigned factors_of(rd_term monomial, const rd_term **factors)
{
    if (monomial->kind == RD_TERM_PRODUCT) {
        *factors = monomial->kids;
        return monomial->n_kids;
    }
    *factors = NULL;
    return 1;
}

static rd_term product_of(struct rd_terms *terms, rd_term x, rd_term y)
{
    enum { FACTORS_MAX = 16 };
    rd_term factors[FACTORS_MAX];
    const rd_term *of_x, *of_y;
    unsigned n_x = factors_of(x, &of_x), n_y = factors_of(y, &of_y), count = 0;
    if (n_x + n_y > FACTORS_MAX) {
        rd_terms_fail(terms);
        return x;
    }
    for (unsigned i = 0, k = 0; i < n_x || k < n_y;) {
        const rd_term left = i < n_x ? (of_x ? of_x[i] : x) : NULL;
        const rd_term right = k < n_y ? (of_y ? of_y[k] : y) : NULL;
        if (!right || (left && left->id <= right->id)) {
            factors[count++] = left;
            i++;
        } else {
            factors[count++] = right;
            k++;
        }
    }
    return rd_term_make(terms, RD_TERM_PRODUCT, 0, "", count, NULL, factors);
}

rd_term rd_multiply(struct rd_terms *terms, rd_term x, rd_term y)
{
    struct rd_polynomial of_x = {.number = 0}, of_y = {.number = 0}, product = {.number = 0};
    if (rd_term_is_count(x))
        return rd_choice(terms, x->kids[0], y, rd_number(terms, 0));
    if (rd_term_is_count(y))
        return rd_choice(terms, y->kids[0], x, rd_number(terms, 0));
    rd_polynomial_add(terms, &of_x, x, 1);
    rd_polynomial_add(terms, &of_y, y, 1);
    product.number = times(terms, of_x.number, of_y.number);
    for (unsigned k = 0; k < of_x.count; k++)
        rd_polynomial_add(terms, &product, of_x.monomials[k],
                          times(terms, of_x.coefficients[k], of_y.number));
    for (unsigned k = 0; k < of_y.count; k++)
        rd_polynomial_add(terms, &product, of_y.monomials[k],
                          times(terms, of_y.coefficients[k], of_x.number));
    for (unsigned i = 0; i < of_x.count; i++)
        for (unsigned k = 0; k < of_y.count; k++)
            rd_polynomial_add(terms, &product,
                              product_of(terms, of_x.monomials[i], of_y.monomials[k]),
                              times(terms, of_x.coefficients[i], of_y.coefficients[k]));
    return rd_polynomial_term(terms, &product);
}

/* ---- quotients ---- */

/* The monomial without one of its factors; NULL where that is none. */
static rd_term without_factor(struct rd_terms *terms, rd_term monomial, rd_term factor)
{
    if (monomial == factor)
        return rd_number(terms, 1);
    if (monomial->kind != RD_TERM_PRODUCT)
        return NULL;
    for (unsigned k = 0; k < monomial->n_kids; k++) {
        if (monomial->kids[k] != factor)
            continue;
        rd_term rest = rd_number(terms, 1);
        for (unsigned i = 0; i < monomial->n_kids; i++)
            if (i != k)
                rest = rd_multiply(terms, rest, monomial->kids[i]);
        return rest;
    }
    return NULL;
}

/* The monomial without all factors of another; NULL where it lacks one. */
static rd_term without_factors(struct rd_terms *terms, rd_term monomial, rd_term factors)
{
    const rd_term *each;
    const unsigned count = factors_of(factors, &each);
    rd_term rest = monomial;
    for (unsigned k = 0; k < count && rest; k++)
        rest = without_factor(terms, rest, each ? each[k] : factors);
    return rest;
}

/* y = number * monomial, the number > 0; of a number the monomial is NULL. */
static bool is_single(rd_term y, rd_wide *number, rd_term *monomial)
{
    *number = 1;
    *monomial = NULL;
    if (y->kind == RD_TERM_NUMBER)
        *number = y->number;
    else if (y->kind != RD_TERM_SUM)
        *monomial = y;
    else if (y->n_kids == 1 && y->number == 0) {
        *number = y->coefficients[0];
        *monomial = y->kids[0];
    } else
        return false;
    return *number > 0;
}

void rd_split(struct rd_terms *terms, rd_term x, rd_term y, rd_term *quotient, rd_term *rest)
{
    struct rd_polynomial all = {.number = 0}, multiples = {.number = 0}, others = {.number = 0};
    rd_wide number;
    rd_term monomial;
    *quotient = rd_number(terms, 0);
    *rest = x;
    if (!is_single(y, &number, &monomial)) {
        if (x == y) {
            *quotient = rd_number(terms, 1);
            *rest = rd_number(terms, 0);
        }
        return;
    }
    rd_polynomial_add(terms, &all, x, 1);
    others.number = all.number;
    if (!monomial) {
        multiples.number = rd_wide_floor_div(all.number, number);
        others.number = all.number - multiples.number * number;
    }
    for (unsigned k = 0; k < all.count; k++) {
        rd_term left =
            monomial ? without_factors(terms, all.monomials[k], monomial) : all.monomials[k];
        const rd_wide times_in = rd_wide_floor_div(all.coefficients[k], number);
        if (left && times_in != 0) {
            rd_polynomial_add(terms, &multiples, left, times_in);
            rd_polynomial_add(terms, &others, all.monomials[k],
                              all.coefficients[k] - times_in * number);
        } else {
            rd_polynomial_add(terms, &others, all.monomials[k], all.coefficients[k]);
        }
    }
    *quotient = rd_polynomial_term(terms, &multiples);
    *rest = rd_polynomial_term(terms, &others);
}

rd_term rd_div(struct rd_terms *terms, rd_term x, rd_term y)
{
    rd_term quotient, rest;
    rd_wide by, inner;
    rd_split(terms, x, y, &quotient, &rest);
    if (rest->kind == RD_TERM_NUMBER && y->kind == RD_TERM_NUMBER && y->number > 0)
        return rd_add(terms, quotient,
                      rd_number(terms, rd_wide_floor_div(rest->number, y->number)));
    if (rest->kind == RD_TERM_NUMBER && rest->number == 0)
        return quotient;
    if (rd_term_is_number(y, &by) && rest->kind == RD_TERM_DIV &&
        rd_term_is_number(rest->kids[1], &inner) && by > 0 && inner > 0)
        return rd_add(terms, quotient,
                      rd_div(terms, rest->kids[0], rd_number(terms, times(terms, by, inner))));
    rd_term monomial;
    if (y->kind == RD_TERM_SUM && is_single(y, &by, &monomial) && by > 1) /* 2*pow2(d) */
        return rd_add(terms, quotient,
                      rd_div(terms, rd_div(terms, rest, monomial), rd_number(terms, by)));
    const rd_term kids[] = {rest, y};
    return rd_add(terms, quotient, rd_term_make(terms, RD_TERM_DIV, 0, "", 2, NULL, kids));
}

rd_term rd_mod(struct rd_terms *terms, rd_term x, rd_term y)
{
    rd_term quotient, rest, whole, left;
    rd_split(terms, x, y, &quotient, &rest);
    if (rest->kind == RD_TERM_NUMBER && y->kind == RD_TERM_NUMBER && y->number > 0)
        return rd_number(terms,
                         rest->number - y->number * rd_wide_floor_div(rest->number, y->number));
    if (rest->kind == RD_TERM_NUMBER && rest->number == 0)
        return rest;
    if (rest->kind == RD_TERM_MOD) {
        rd_split(terms, rest->kids[1], y, &whole, &left);
        if (left->kind == RD_TERM_NUMBER && left->number == 0)
            return rd_mod(terms, rest->kids[0], y);
    }
    const rd_term kids[] = {rest, y};
    return rd_term_make(terms, RD_TERM_MOD, 0, "", 2, NULL, kids);
}

rd_term rd_ceil_div(struct rd_terms *terms, rd_term x, rd_term y)
{
    return rd_div(terms, rd_subtract(terms, rd_add(terms, x, y), rd_number(terms, 1)), y);
}

rd_term rd_power_of_two(struct rd_terms *terms, rd_term exponent)
{
    struct rd_polynomial sum = {.number = 0};
    rd_polynomial_add(terms, &sum, exponent, 1);
    const rd_wide constant = sum.number;
    if (constant < 0 || constant > EXPONENT_MAX)
        return rd_term_make(terms, RD_TERM_APPLY, 0, "pow2", 1, NULL, &exponent);
    if (sum.count == 0)
        return rd_number(terms, (rd_wide)1 << (unsigned)constant);
    sum.number = 0;
    const rd_term rest = rd_polynomial_term(terms, &sum);
    return rd_multiply(terms, rd_number(terms, (rd_wide)1 << (unsigned)constant),
                       rd_term_make(terms, RD_TERM_APPLY, 0, "pow2", 1, NULL, &rest));
}

/* ---- choices ---- */

rd_term rd_choice(struct rd_terms *terms, rd_term condition, rd_term yes, rd_term no)
{
    if (condition->kind == RD_TERM_TRUE || yes == no)
        return yes;
    if (condition->kind == RD_TERM_FALSE)
        return no;
    if (condition->kind == RD_TERM_NOT)
        return rd_choice(terms, condition->kids[0], no, yes);
    if (rd_term_is_count(yes) && no->kind == RD_TERM_NUMBER && no->number == 0)
        return rd_count_of(terms, rd_and(terms, condition, yes->kids[0]));
    if (yes->kind == RD_TERM_CHOICE && yes->kids[0] == condition)
        yes = yes->kids[1];
    if (no->kind == RD_TERM_CHOICE && no->kids[0] == condition)
        no = no->kids[2];
    const rd_term kids[] = {condition, yes, no};
    return yes == no ? yes : rd_term_make(terms, RD_TERM_CHOICE, 0, "", 3, NULL, kids);
}

rd_term rd_least(struct rd_terms *terms, rd_term x, rd_term y)
{
    return rd_choice(terms, rd_less(terms, y, x), y, x);
}

rd_term rd_most(struct rd_terms *terms, rd_term x, rd_term y)
{
    return rd_choice(terms, rd_less(terms, x, y), y, x);
}

rd_term rd_count_of(struct rd_terms *terms, rd_term condition)
{
    return rd_choice(terms, condition, rd_number(terms, 1), rd_number(terms, 0));
}
