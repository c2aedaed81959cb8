// SPDX-License-Identifier: MIT
/* Conjunctions with unknowns: what each unknown must be. All that is done to a conjunction leaves it equivalent, for all n. */
#include "prove/law/reader.h"

#include <limits.h>
#include <string.h>

enum { REWRITES_MAX = 200, CASES_DEEP_MAX = 8 };

/* ---- equations ---- */

/* 0 <= rest < modulus by the case's conditions and facts but the one. */
static bool is_remainder(struct rd_law_reader *reader, const struct rd_law_case *of, rd_term rest,
                         rd_term modulus)
{
    struct rd_terms *terms = reader->terms;
    const rd_term above =
        rd_subtract(terms, rd_subtract(terms, modulus, rest), rd_number(terms, 1));
    return rd_law_reader_follows(reader, rest, &of->conditions, &of->facts) &&
           rd_law_reader_follows(reader, above, &of->conditions, &of->facts);
}

/* x mod m = y with 0 <= x < m is x = y. */
static bool drop_modulus(struct rd_law_reader *reader, struct rd_law_case *of, size_t index)
{
    const rd_term equation = of->conditions.terms[index];
    for (unsigned k = 0; k < 2; k++) {
        const rd_term side = equation->kids[k];
        if (side->kind != RD_TERM_MOD || !is_remainder(reader, of, side->kids[0], side->kids[1]))
            continue;
        rd_law_case_put_for(reader, of, index,
                            rd_equal(reader->terms, side->kids[0], equation->kids[1 - k]),
                            rd_true(reader->terms));
        return true;
    }
    return false;
}

/* A difference that must be 0, by how it stands to a modulus: modulus * quotient + above - below + number. */
struct sorted {
    rd_term quotient, above, below;
    rd_wide number;
};

/* The multiple of the modulus that takes the monomial away: the modulus has a leading monomial, or is a number. */
static rd_term multiple_in(struct rd_terms *terms, rd_term monomial, rd_wide coefficient,
                           rd_term modulus)
{
    const rd_term zero = rd_number(terms, 0);
    struct rd_law_parts parts;
    rd_wide number;
    if (rd_term_is_number(modulus, &number))
        return coefficient % number == 0 ? rd_law_scaled(terms, monomial, coefficient / number)
                                         : zero;
    rd_law_take_apart(modulus, &parts);
    if (coefficient % parts.coefficients[0] != 0 ||
        rd_mod(terms, monomial, parts.monomials[0]) != zero)
        return zero;
    return rd_law_scaled(terms, rd_div(terms, monomial, parts.monomials[0]),
                         coefficient / parts.coefficients[0]);
}

static void sort_by(struct rd_terms *terms, rd_term difference, rd_term modulus,
                    struct sorted *sorted)
{
    const rd_term zero = rd_number(terms, 0);
    struct rd_law_parts parts;
    *sorted = (struct sorted){zero, zero, zero, 0};
    rd_law_take_apart(difference, &parts);
    for (unsigned k = 0; k < parts.count; k++)
        sorted->quotient =
            rd_add(terms, sorted->quotient,
                   multiple_in(terms, parts.monomials[k], parts.coefficients[k], modulus));
    const rd_term others =
        rd_subtract(terms, difference, rd_multiply(terms, modulus, sorted->quotient));
    rd_law_take_apart(others, &parts);
    for (unsigned k = 0; k < parts.count; k++) {
        const rd_term monomial = rd_law_scaled(terms, parts.monomials[k], parts.coefficients[k]);
        if (parts.coefficients[k] > 0)
            sorted->above = rd_add(terms, sorted->above, monomial);
        else
            sorted->below = rd_subtract(terms, sorted->below, monomial);
    }
    sorted->number = parts.number;
}

/* An unknown that stands in a sum by itself can be solved for there, and not in its quotients. */
static bool has_bare_unknown(const struct rd_law_case *of, rd_term x)
{
    struct rd_law_parts parts;
    rd_law_take_apart(x, &parts);
    for (unsigned k = 0; k < parts.count; k++)
        if (rd_law_is_among(&of->unknowns, parts.monomials[k]))
            return true;
    return false;
}

/* A way to read the difference as x = modulus * quotient + rest. Its number may be part of x or of the rest, its sign may be turned;
 * NO_REST: x is all but the multiples of the modulus. UNKNOWN_REST: the rest is what has unknowns, x all else. */
enum { OTHER_SIGN = 1, NUMBER_IN_X = 2, NO_REST = 4, UNKNOWN_REST = 5, WAYS = 7 };
struct division {
    rd_term x, quotient, rest;
};

/* What of the sum has unknowns. */
static rd_term unknown_part(struct rd_terms *terms, rd_term x)
{
    rd_term part = rd_number(terms, 0);
    struct rd_law_parts parts;
    rd_law_take_apart(x, &parts);
    for (unsigned k = 0; k < parts.count; k++)
        if (rd_law_has_unknown(parts.monomials[k]))
            part = rd_add(terms, part,
                          rd_law_scaled(terms, parts.monomials[k], parts.coefficients[k]));
    return part;
}

/* Places of threads may be differences, (row - t_y) + t, which are no remainder in parts. */
static struct division by_unknowns(struct rd_terms *terms, const struct sorted *sorted,
                                   bool other_sign)
{
    const rd_term zero = rd_number(terms, 0),
                  rest = unknown_part(terms, other_sign ? sorted->below : sorted->above);
    rd_term all = rd_add(terms, rd_subtract(terms, sorted->above, sorted->below),
                         rd_number(terms, sorted->number));
    if (other_sign)
        all = rd_subtract(terms, zero, all);
    return (struct division){
        rd_subtract(terms, rest, all),
        other_sign ? rd_subtract(terms, zero, sorted->quotient) : sorted->quotient, rest};
}

static struct division division_of(struct rd_terms *terms, const struct sorted *sorted,
                                   rd_term modulus, unsigned way)
{
    const rd_term zero = rd_number(terms, 0);
    struct division division = {sorted->below, sorted->quotient, sorted->above};
    rd_wide number = sorted->number, by;
    if (way >= UNKNOWN_REST)
        return by_unknowns(terms, sorted, way > UNKNOWN_REST);
    if (way == NO_REST) {
        division.x = rd_subtract(terms, rd_subtract(terms, sorted->below, sorted->above),
                                 rd_number(terms, number));
        division.rest = zero;
        return division;
    }
    if (way & OTHER_SIGN) {
        division = (struct division){sorted->above, rd_subtract(terms, zero, sorted->quotient),
                                     sorted->below};
        number = -number;
    }
    if (!(way & NUMBER_IN_X) && rd_term_is_number(modulus, &by)) {
        const rd_wide rest = (number % by + by) % by;
        division.quotient =
            rd_add(terms, division.quotient, rd_number(terms, (number - rest) / by));
        number = rest;
    }
    if (!(way & NUMBER_IN_X) && number > 0)
        division.rest = rd_add(terms, division.rest, rd_number(terms, number));
    else
        division.x = rd_add(terms, division.x, rd_number(terms, -number));
    return division;
}

/* x = modulus * quotient + rest with 0 <= rest < modulus, as x div modulus = quotient and x mod modulus = rest. */
static bool split_by(struct rd_law_reader *reader, struct rd_law_case *of, size_t index,
                     rd_term modulus)
{
    struct rd_terms *terms = reader->terms;
    const rd_term equation = of->conditions.terms[index];
    struct sorted sorted;
    sort_by(terms, rd_subtract(terms, equation->kids[0], equation->kids[1]), modulus, &sorted);
    if (sorted.quotient == rd_number(terms, 0))
        return false;
    for (unsigned way = 0; way < WAYS; way++) {
        const struct division division = division_of(terms, &sorted, modulus, way);
        if ((way == NO_REST && !has_bare_unknown(of, division.quotient)) ||
            (way >= UNKNOWN_REST && division.rest == rd_number(terms, 0)) ||
            has_bare_unknown(of, division.x) || !is_remainder(reader, of, division.rest, modulus))
            continue;
        rd_law_case_put_for(reader, of, index,
                            rd_equal(terms, rd_div(terms, division.x, modulus), division.quotient),
                            rd_equal(terms, rd_mod(terms, division.x, modulus), division.rest));
        return true;
    }
    return false;
}

/* By what bounds an unknown of the equation. */
static bool split_by_bound(struct rd_law_reader *reader, struct rd_law_case *of, size_t index,
                           rd_term unknown)
{
    struct rd_terms *terms = reader->terms;
    struct rd_term_list slacks = {0};
    bool done = false;
    rd_law_reader_add_slacks(reader, &of->conditions, &slacks);
    rd_law_reader_add_slacks(reader, &of->facts, &slacks);
    for (size_t k = 0; k < slacks.count && !done; k++) {
        const rd_term modulus =
            rd_add(terms, slacks.terms[k], rd_add(terms, unknown, rd_number(terms, 1)));
        done = modulus->kind != RD_TERM_NUMBER && !rd_term_has(modulus, unknown) &&
               split_by(reader, of, index, modulus);
    }
    rd_term_list_finish(&slacks);
    return done;
}

static bool split_equation(struct rd_law_reader *reader, struct rd_law_case *of, size_t index)
{
    struct rd_terms *terms = reader->terms;
    const rd_term equation = of->conditions.terms[index];
    struct rd_law_parts parts;
    rd_law_take_apart(rd_subtract(terms, equation->kids[0], equation->kids[1]), &parts);
    for (unsigned k = 0; k < parts.count; k++) {
        const rd_term monomial = parts.monomials[k];
        const rd_wide size =
            parts.coefficients[k] < 0 ? -parts.coefficients[k] : parts.coefficients[k];
        for (unsigned f = 0; monomial->kind == RD_TERM_PRODUCT && f < monomial->n_kids; f++)
            if ((size > 1 &&
                 split_by(reader, of, index, rd_law_scaled(terms, monomial->kids[f], size))) ||
                split_by(reader, of, index, monomial->kids[f]))
                return true;
        if (size > 1 && split_by(reader, of, index, rd_number(terms, size)))
            return true;
        if (rd_law_is_among(&of->unknowns, monomial) && parts.count > 2 &&
            split_by_bound(reader, of, index, monomial))
            return true;
    }
    return false;
}

/* v + rest = 0 or v - rest = 0, where the rest doesn't speak of the unknown v. */
static bool solve_equation(struct rd_law_reader *reader, struct rd_law_case *of, rd_term equation)
{
    struct rd_terms *terms = reader->terms;
    const rd_term difference = rd_subtract(terms, equation->kids[0], equation->kids[1]);
    struct rd_law_parts parts;
    rd_law_take_apart(difference, &parts);
    for (unsigned k = 0; k < parts.count; k++) {
        const rd_term unknown = parts.monomials[k];
        const rd_wide coefficient = parts.coefficients[k];
        if (!rd_law_is_among(&of->unknowns, unknown) || (coefficient != 1 && coefficient != -1))
            continue;
        const rd_term rest =
            rd_subtract(terms, difference, rd_law_scaled(terms, unknown, coefficient));
        if (rd_term_has(rest, unknown))
            continue;
        rd_law_case_put(reader, of, unknown, rd_law_scaled(terms, rest, -coefficient));
        return true;
    }
    return false;
}

/* Solves the first equation that can be, of so many unknowns at most. */
static bool solve_first(struct rd_law_reader *reader, struct rd_law_case *of, unsigned most)
{
    for (size_t k = 0; k < of->conditions.count; k++) {
        const rd_term condition = of->conditions.terms[k];
        if (rd_law_is_equation(condition) &&
            rd_law_count_unknowns(condition, &of->unknowns) <= most &&
            solve_equation(reader, of, condition))
            return true;
    }
    return false;
}

/* Makes one step; false where there is none. */
static bool rewrite(struct rd_law_reader *reader, struct rd_law_case *of)
{
    for (size_t k = 0; k < of->conditions.count; k++)
        if (rd_law_is_equation(of->conditions.terms[k]) &&
            (drop_modulus(reader, of, k) || split_equation(reader, of, k)))
            return true;
    return solve_first(reader, of, 1) || solve_first(reader, of, UINT_MAX);
}

static bool is_never(const struct rd_law_case *of)
{
    for (size_t k = 0; k < of->conditions.count; k++)
        if (of->conditions.terms[k]->kind == RD_TERM_FALSE)
            return true;
    return false;
}

static bool is_solved(const struct rd_law_case *of)
{
    if (is_never(of))
        return true;
    for (size_t k = 0; k < of->solutions.count; k++)
        if (rd_law_count_unknowns(of->solutions.terms[k], &of->unknowns) > 0)
            return false;
    return true;
}
static void decide_all(struct rd_law_reader *reader, struct rd_law_case *of)
{
    struct rd_term_list made = {0};
    for (size_t k = 0; k < of->conditions.count; k++)
        rd_law_add_cut(reader->terms, &made,
                       rd_law_reader_decided(reader, of->conditions.terms[k], &of->facts));
    rd_term_list_finish(&of->conditions);
    of->conditions = made;
}

/* Leaves out each bound that follows from the others. */
static void drop_implied(struct rd_law_reader *reader, struct rd_law_case *of)
{
    struct rd_term_list *conditions = &of->conditions;
    for (size_t k = 0; k < conditions->count;) {
        const rd_term condition = conditions->terms[k];
        const rd_term slack = rd_law_reader_slack(reader, condition);
        conditions->terms[k] = rd_true(reader->terms);
        if (slack && rd_law_reader_follows(reader, slack, conditions, &of->facts)) {
            conditions->count--;
            memmove(&conditions->terms[k], &conditions->terms[k + 1],
                    (conditions->count - k) * sizeof *conditions->terms);
        } else {
            conditions->terms[k++] = condition;
        }
    }
}

bool rd_law_case_solve(struct rd_law_reader *reader, struct rd_law_case *of)
{
    unsigned left = REWRITES_MAX;
    while (left > 0 && !rd_law_reader_has_failed(reader) && rewrite(reader, of))
        left--;
    if (left == 0 || !is_solved(of))
        return false;
    decide_all(reader, of);
    drop_implied(reader, of);
    return true;
}

/* ---- cases that aren't one ---- */

static bool find_or(const struct rd_law_case *of, size_t *index)
{
    for (size_t k = 0; k < of->conditions.count; k++) {
        *index = k;
        if (of->conditions.terms[k]->kind == RD_TERM_OR &&
            rd_law_count_unknowns(of->conditions.terms[k], &of->unknowns) > 0)
            return true;
    }
    return false;
}

/* p or q: once with p, and once with q where p doesn't hold. */
static void divide(struct rd_law_reader *reader, const struct rd_law_case *of, size_t index,
                   struct rd_law_case halves[2])
{
    struct rd_terms *terms = reader->terms;
    const rd_term choice = of->conditions.terms[index], first = choice->kids[0];
    rd_term others = rd_false(terms);
    for (unsigned k = 1; k < choice->n_kids; k++)
        others = rd_or(terms, others, choice->kids[k]);
    for (unsigned half = 0; half < 2; half++) {
        halves[half] = (struct rd_law_case){.factor = of->factor};
        rd_law_case_add(reader, &halves[half], of);
        rd_law_case_put_for(reader, &halves[half], index, half ? others : first,
                            half && rd_and(terms, first, others)->kind != RD_TERM_FALSE
                                ? rd_not(terms, first)
                                : rd_true(terms));
    }
}

static rd_term value_of(struct rd_law_reader *reader, struct rd_law_case *of,
                        const struct law_node *node, unsigned deep)
{
    struct rd_terms *terms = reader->terms;
    const rd_term zero = rd_number(terms, 0);
    struct rd_law_case halves[2];
    size_t index;
    if (rd_law_case_solve(reader, of))
        return rd_choice(terms, rd_all_of(terms, &of->conditions), of->factor, zero);
    if (deep == CASES_DEEP_MAX || !find_or(of, &index)) {
        rd_law_reader_fail(reader, node,
                           "which elements these are isn't known: a variable can't be solved for");
        return zero;
    }
    divide(reader, of, index, halves);
    const rd_term values[] = {value_of(reader, &halves[0], node, deep + 1),
                              value_of(reader, &halves[1], node, deep + 1)};
    rd_law_case_finish(&halves[0]);
    rd_law_case_finish(&halves[1]);
    /* Where both are chosen by conditions of which one at most holds, so is their sum. */
    if (values[0]->kind == RD_TERM_CHOICE && values[1]->kind == RD_TERM_CHOICE &&
        values[0]->kids[2] == zero && values[1]->kids[2] == zero &&
        values[0]->kids[1] == values[1]->kids[1] &&
        rd_and(terms, values[0]->kids[0], values[1]->kids[0])->kind == RD_TERM_FALSE)
        return rd_choice(terms, rd_or(terms, values[0]->kids[0], values[1]->kids[0]),
                         values[0]->kids[1], zero);
    return rd_add(terms, values[0], values[1]);
}

rd_term rd_law_case_value(struct rd_law_reader *reader, struct rd_law_case *of,
                          const struct law_node *node)
{
    return value_of(reader, of, node, 0);
}
