// SPDX-License-Identifier: MIT
/* Conditions. */
#include "prove/logic/term_internal.h"

#include <stdlib.h>
#include <string.h>

rd_term rd_true(struct rd_terms *terms)
{
    return rd_term_make(terms, RD_TERM_TRUE, 0, "", 0, NULL, NULL);
}

rd_term rd_false(struct rd_terms *terms)
{
    return rd_term_make(terms, RD_TERM_FALSE, 0, "", 0, NULL, NULL);
}

rd_term rd_truth(struct rd_terms *terms, bool truth)
{
    return truth ? rd_true(terms) : rd_false(terms);
}

rd_term rd_not(struct rd_terms *terms, rd_term x)
{
    switch (x->kind) {
    case RD_TERM_TRUE:
        return rd_false(terms);
    case RD_TERM_FALSE:
        return rd_true(terms);
    case RD_TERM_NOT:
        return x->kids[0];
    default:
        return rd_term_make(terms, RD_TERM_NOT, 0, "", 1, NULL, &x);
    }
}

/* ---- and, or ---- */

static bool has(const rd_term *kids, unsigned count, rd_term term)
{
    for (unsigned k = 0; k < count; k++)
        if (kids[k] == term)
            return true;
    return false;
}

static bool is_opposite(rd_term x, rd_term y)
{
    return (x->kind == RD_TERM_NOT && x->kids[0] == y) ||
           (y->kind == RD_TERM_NOT && y->kids[0] == x);
}

/* Joins two by AND, whose neutral element is true, or by OR. */
static rd_term join(struct rd_terms *terms, enum rd_term_kind kind, rd_term x, rd_term y)
{
    const enum rd_term_kind neutral = kind == RD_TERM_AND ? RD_TERM_TRUE : RD_TERM_FALSE;
    const enum rd_term_kind absorbing = kind == RD_TERM_AND ? RD_TERM_FALSE : RD_TERM_TRUE;
    if (x->kind == absorbing || y->kind == neutral || x == y)
        return x;
    if (y->kind == absorbing || x->kind == neutral)
        return y;
    const unsigned n_x = x->kind == kind ? x->n_kids : 1, n_y = y->kind == kind ? y->n_kids : 1;
    rd_term *kids = calloc(n_x + n_y, sizeof *kids);
    unsigned count = 0;
    bool decided = false;
    if (!kids) {
        rd_terms_fail(terms);
        return x;
    }
    for (unsigned k = 0; k < n_x; k++)
        kids[count++] = x->kind == kind ? x->kids[k] : x;
    for (unsigned k = 0; k < n_y; k++) {
        const rd_term kid = y->kind == kind ? y->kids[k] : y;
        for (unsigned i = 0; i < n_x && !decided; i++)
            decided = is_opposite(kids[i], kid);
        if (!has(kids, count, kid))
            kids[count++] = kid;
    }
    rd_term joined = decided      ? rd_truth(terms, kind == RD_TERM_OR)
                     : count == 1 ? kids[0]
                                  : rd_term_make(terms, kind, 0, "", count, NULL, kids);
    free(kids);
    return joined;
}

rd_term rd_and(struct rd_terms *terms, rd_term x, rd_term y)
{
    return join(terms, RD_TERM_AND, x, y);
}

rd_term rd_or(struct rd_terms *terms, rd_term x, rd_term y)
{
    return join(terms, RD_TERM_OR, x, y);
}

rd_term rd_implies(struct rd_terms *terms, rd_term x, rd_term y)
{
    return rd_or(terms, rd_not(terms, x), y);
}

/* ---- comparisons ---- */

static rd_wide common_divisor(rd_wide x, rd_wide y)
{
    while (y != 0) {
        const rd_wide rest = x % y;
        x = y;
        y = rest;
    }
    return x < 0 ? -x : x;
}

static rd_wide divisor_of(const struct rd_polynomial *sum)
{
    rd_wide divisor = 0;
    for (unsigned k = 0; k < sum->count; k++)
        divisor = common_divisor(sum->coefficients[k], divisor);
    return divisor;
}

/* Puts what is subtracted on the left: difference = right - left. */
static void sides(struct rd_terms *terms, const struct rd_polynomial *difference, rd_term *left,
                  rd_term *right)
{
    struct rd_polynomial of_left = {.number = 0}, of_right = {.number = 0};
    if (difference->number < 0)
        of_left.number = -difference->number;
    else
        of_right.number = difference->number;
    for (unsigned k = 0; k < difference->count; k++) {
        const rd_wide coefficient = difference->coefficients[k];
        rd_polynomial_add(terms, coefficient < 0 ? &of_left : &of_right, difference->monomials[k],
                          coefficient < 0 ? -coefficient : coefficient);
    }
    *left = rd_polynomial_term(terms, &of_left);
    *right = rd_polynomial_term(terms, &of_right);
}

bool rd_term_is_count(rd_term term)
{
    return term->kind == RD_TERM_CHOICE && term->kids[1]->kind == RD_TERM_NUMBER &&
           term->kids[2]->kind == RD_TERM_NUMBER && term->kids[1]->number == 1 &&
           term->kids[2]->number == 0;
}

rd_term rd_less(struct rd_terms *terms, rd_term x, rd_term y)
{
    struct rd_polynomial difference = {.number = 0};
    rd_term kids[2];
    rd_polynomial_add(terms, &difference, y, 1);
    rd_polynomial_add(terms, &difference, x, -1);
    if (difference.count == 0)
        return rd_truth(terms, difference.number > 0);
    const rd_wide divisor = divisor_of(&difference);
    for (unsigned k = 0; k < difference.count; k++)
        difference.coefficients[k] /= divisor;
    difference.number = -rd_wide_floor_div(-difference.number, divisor);
    sides(terms, &difference, &kids[0], &kids[1]);
    if (kids[0]->kind == RD_TERM_NUMBER && rd_term_is_count(kids[1]) && kids[0]->number == 0)
        return kids[1]->kids[0];
    return rd_term_make(terms, RD_TERM_LESS, 0, "", 2, NULL, kids);
}

rd_term rd_at_most(struct rd_terms *terms, rd_term x, rd_term y)
{
    return rd_not(terms, rd_less(terms, y, x));
}

static rd_term same_truth(struct rd_terms *terms, rd_term x, rd_term y)
{
    const rd_term kids[] = {x->id < y->id ? x : y, x->id < y->id ? y : x};
    if (x == y)
        return rd_true(terms);
    if (x->kind == RD_TERM_TRUE || y->kind == RD_TERM_TRUE)
        return x->kind == RD_TERM_TRUE ? y : x;
    if (x->kind == RD_TERM_FALSE || y->kind == RD_TERM_FALSE)
        return rd_not(terms, x->kind == RD_TERM_FALSE ? y : x);
    if (is_opposite(x, y))
        return rd_false(terms);
    return rd_term_make(terms, RD_TERM_EQUAL, 0, "", 2, NULL, kids);
}

rd_term rd_equal(struct rd_terms *terms, rd_term x, rd_term y)
{
    struct rd_polynomial difference = {.number = 0};
    rd_term kids[2];
    if (rd_term_is_condition(x) || rd_term_is_condition(y))
        return same_truth(terms, x, y);
    if (rd_term_is_count(x) && rd_term_is_count(y))
        return same_truth(terms, x->kids[0], y->kids[0]);
    rd_polynomial_add(terms, &difference, y, 1);
    rd_polynomial_add(terms, &difference, x, -1);
    if (difference.count == 0)
        return rd_truth(terms, difference.number == 0);
    rd_wide divisor = divisor_of(&difference);
    if (difference.number % divisor != 0)
        return rd_false(terms);
    if (difference.coefficients[0] > 0)
        divisor = -divisor;
    for (unsigned k = 0; k < difference.count; k++)
        difference.coefficients[k] /= divisor;
    difference.number /= divisor;
    sides(terms, &difference, &kids[0], &kids[1]);
    for (unsigned k = 0; k < 2; k++)
        if (rd_term_is_count(kids[k]) && kids[1 - k]->kind == RD_TERM_NUMBER)
            return kids[1 - k]->number == 1   ? kids[k]->kids[0]
                   : kids[1 - k]->number == 0 ? rd_not(terms, kids[k]->kids[0])
                                              : rd_false(terms);
    return rd_term_make(terms, RD_TERM_EQUAL, 0, "", 2, NULL, kids);
}

rd_term rd_holds(struct rd_terms *terms, const char *name, unsigned n_kids, const rd_term *kids)
{
    rd_wide number;
    if (n_kids == 1 && strcmp(name, "P2") == 0 && rd_term_is_number(kids[0], &number))
        return rd_truth(terms, number > 0 && (number & (number - 1)) == 0);
    return rd_term_make(terms, RD_TERM_HOLDS, 0, name, n_kids, NULL, kids);
}

rd_term rd_within(struct rd_terms *terms, rd_term first, rd_term x, rd_term end)
{
    return rd_and(terms, rd_at_most(terms, first, x), rd_less(terms, x, end));
}
