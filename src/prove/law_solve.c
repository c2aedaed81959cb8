// SPDX-License-Identifier: MIT
/* Conjunctions with unknowns: what each unknown must be. All that is done to a conjunction leaves it equivalent, for all n. */
#include "prove/law_reader.h"

#include <limits.h>
#include <string.h>

enum { REWRITES_MAX = 200, CASES_DEEP_MAX = 8 };

static const char UNKNOWN = '?';

rd_term rd_law_reader_unknown(struct rd_law_reader *reader)
{
    return rd_constant(reader->terms,
                       rd_terms_text(reader->terms, "%c%u", UNKNOWN, reader->unknowns++));
}

static bool is_unknown(rd_term term)
{
    return term->kind == RD_TERM_CONSTANT && term->name[0] == UNKNOWN;
}

struct counting {
    const struct rd_term_list *among; /* NULL: all */
    unsigned count;
};

static bool is_among(const struct rd_term_list *list, rd_term term)
{
    for (size_t k = 0; k < list->count; k++)
        if (list->terms[k] == term)
            return true;
    return false;
}

static void note_unknown(void *self, rd_term part)
{
    struct counting *counting = self;
    counting->count += is_unknown(part) && (!counting->among || is_among(counting->among, part));
}

/* Counts the unknowns in the term, each once. */
static unsigned count_unknowns(rd_term term, const struct rd_term_list *among)
{
    struct rd_seen seen = {NULL, 0};
    struct counting counting = {among, 0};
    rd_term_visit(term, &seen, note_unknown, &counting);
    rd_seen_finish(&seen);
    return counting.count;
}

bool rd_law_has_unknown(rd_term term)
{
    return count_unknowns(term, NULL) > 0;
}

/* ---- sums ---- */

/* The parts of a number: number + sum of coefficients[k] * monomials[k]. */
struct parts {
    rd_wide number;
    unsigned count;
    const rd_term *monomials;
    const rd_wide *coefficients;
    rd_term only; /* of a term that is no sum */
};

static const rd_wide one = 1;

static void take_apart(rd_term term, struct parts *parts)
{
    *parts = (struct parts){.only = term};
    if (term->kind == RD_TERM_NUMBER) {
        parts->number = term->number;
    } else if (term->kind == RD_TERM_SUM) {
        parts->number = term->number;
        parts->count = term->n_kids;
        parts->monomials = term->kids;
        parts->coefficients = term->coefficients;
    } else {
        parts->count = 1;
        parts->monomials = &parts->only;
        parts->coefficients = &one;
    }
}

static rd_term scaled(struct rd_terms *terms, rd_term term, rd_wide factor)
{
    return rd_multiply(terms, rd_number(terms, factor), term);
}

/* ---- what is known of a number's sign ---- */

static bool is_call_of(rd_term term, const char *name)
{
    return term->kind == RD_TERM_APPLY && strcmp(term->name, name) == 0;
}

/* A block has threads, and a grid blocks. */
static bool is_positive(struct rd_law_reader *reader, rd_term term)
{
    if (term->kind == RD_TERM_PRODUCT) {
        for (unsigned k = 0; k < term->n_kids; k++)
            if (!is_positive(reader, term->kids[k]))
                return false;
        return true;
    }
    return (term == reader->at.T && term->kind == RD_TERM_CONSTANT) ||
           (term == reader->at.B && term->kind == RD_TERM_CONSTANT) || is_call_of(term, "pow2") ||
           is_call_of(term, "bit_ceil");
}

static bool is_given(struct rd_law_reader *reader, rd_term term)
{
    const struct rd_law_numbers *at = &reader->at;
    const rd_term given[] = {at->n,     at->T,    at->B,        at->d,
                             at->block, at->warp, at->variable, at->bytes};
    for (size_t k = 0; k < sizeof given / sizeof *given; k++)
        if (term == given[k])
            return true;
    for (size_t k = 0; k < reader->units.count; k++)
        if (term == reader->units.index[k])
            return true;
    return at->d && at->d->kind == RD_TERM_SUM && at->d->number > 0 && at->d->n_kids == 1 &&
           at->d->coefficients[0] == 1 && at->d->kids[0] == term;
}

static bool is_natural_monomial(struct rd_law_reader *reader, rd_term term)
{
    switch (term->kind) {
    case RD_TERM_PRODUCT:
        for (unsigned k = 0; k < term->n_kids; k++)
            if (!is_natural_monomial(reader, term->kids[k]))
                return false;
        return true;
    case RD_TERM_MOD:
        return true;
    case RD_TERM_DIV:
        return rd_law_reader_is_natural(reader, term->kids[0]);
    case RD_TERM_CHOICE:
        return rd_law_reader_is_natural(reader, term->kids[1]) &&
               rd_law_reader_is_natural(reader, term->kids[2]);
    case RD_TERM_APPLY:
        return is_call_of(term, "pow2") || is_call_of(term, "bit_ceil") ||
               is_call_of(term, "log2") || is_call_of(term, "root") || is_call_of(term, "xor");
    default:
        return is_unknown(term) || is_given(reader, term);
    }
}

bool rd_law_reader_is_natural(struct rd_law_reader *reader, rd_term number)
{
    struct parts parts;
    take_apart(number, &parts);
    rd_wide least = parts.number;
    for (unsigned k = 0; k < parts.count; k++) {
        if (parts.coefficients[k] < 0 || !is_natural_monomial(reader, parts.monomials[k]))
            return false;
        if (is_positive(reader, parts.monomials[k]))
            least += parts.coefficients[k];
    }
    return least >= 0;
}

/* The number that isn't negative where the condition holds; NULL of other conditions. */
static rd_term slack_of(struct rd_law_reader *reader, rd_term condition)
{
    struct rd_terms *terms = reader->terms;
    if (condition->kind == RD_TERM_LESS)
        return rd_subtract(terms, rd_subtract(terms, condition->kids[1], condition->kids[0]),
                           rd_number(terms, 1));
    if (condition->kind == RD_TERM_NOT && condition->kids[0]->kind == RD_TERM_LESS)
        return rd_subtract(terms, condition->kids[0]->kids[0], condition->kids[0]->kids[1]);
    return NULL;
}

static void add_slacks(struct rd_law_reader *reader, const struct rd_term_list *conditions,
                       struct rd_term_list *slacks)
{
    for (size_t k = 0; conditions && k < conditions->count; k++) {
        const rd_term slack = slack_of(reader, conditions->terms[k]);
        if (slack)
            rd_term_list_add_new(reader->terms, slacks, slack);
    }
}

/* What holds of remainders, units and blocks that are subtracted in the number. */
static void add_known_slacks(struct rd_law_reader *reader, rd_term number,
                             struct rd_term_list *slacks)
{
    struct rd_terms *terms = reader->terms;
    const rd_term minus_one = rd_number(terms, -1);
    struct parts parts;
    take_apart(number, &parts);
    for (unsigned k = 0; k < parts.count; k++) {
        const rd_term monomial = parts.monomials[k];
        rd_term end = NULL;
        if (parts.coefficients[k] >= 0)
            continue;
        if (monomial->kind == RD_TERM_MOD)
            end = monomial->kids[1];
        else if (monomial->kind == RD_TERM_DIV && monomial->kids[0]->kind == RD_TERM_MOD &&
                 rd_mod(terms, monomial->kids[0]->kids[1], monomial->kids[1]) ==
                     rd_number(terms, 0))
            end = rd_div(terms, monomial->kids[0]->kids[1], monomial->kids[1]);
        else if (monomial == reader->at.block && reader->at.B)
            end = reader->at.B;
        for (size_t u = 0; !end && u < reader->units.count && u < reader->law->n_inputs; u++)
            if (monomial == reader->units.index[u])
                end = rd_law_term_input_size(reader, u, &reader->at);
        if (end)
            rd_term_list_add_new(terms, slacks,
                                 rd_subtract(terms, rd_add(terms, end, minus_one), monomial));
    }
}

bool rd_law_reader_follows(struct rd_law_reader *reader, rd_term number,
                           const struct rd_term_list *conditions, const struct rd_term_list *facts)
{
    struct rd_term_list slacks = {0};
    bool follows = rd_law_reader_is_natural(reader, number);
    if (!follows && number->kind != RD_TERM_NUMBER) {
        add_known_slacks(reader, number, &slacks);
        add_slacks(reader, conditions, &slacks);
        add_slacks(reader, facts, &slacks);
    }
    for (size_t k = 0; k < slacks.count && !follows; k++) {
        const rd_term rest = rd_subtract(reader->terms, number, slacks.terms[k]);
        follows = rd_law_reader_is_natural(reader, rest);
        for (size_t i = k; i < slacks.count && !follows; i++)
            follows =
                rd_law_reader_is_natural(reader, rd_subtract(reader->terms, rest, slacks.terms[i]));
    }
    rd_term_list_finish(&slacks);
    return follows;
}

/* ---- cases ---- */

void rd_law_case_finish(struct rd_law_case *of)
{
    rd_term_list_finish(&of->conditions);
    rd_term_list_finish(&of->facts);
    rd_term_list_finish(&of->unknowns);
    rd_term_list_finish(&of->solutions);
}

static void add_cut(struct rd_terms *terms, struct rd_term_list *list, rd_term condition)
{
    for (unsigned k = 0; condition->kind == RD_TERM_AND && k < condition->n_kids; k++)
        add_cut(terms, list, condition->kids[k]);
    if (condition->kind != RD_TERM_AND && condition->kind != RD_TERM_TRUE)
        rd_term_list_add_new(terms, list, condition);
}

void rd_law_case_need(struct rd_law_reader *reader, struct rd_law_case *of, rd_term condition)
{
    add_cut(reader->terms, &of->conditions, condition);
}

void rd_law_case_know(struct rd_law_reader *reader, struct rd_law_case *of, rd_term fact)
{
    add_cut(reader->terms, &of->facts, fact);
}

void rd_law_case_bind(struct rd_law_reader *reader, struct rd_law_case *of, rd_term unknown)
{
    rd_term_list_add(reader->terms, &of->unknowns, unknown);
    rd_term_list_add(reader->terms, &of->solutions, unknown);
    rd_law_case_need(reader, of, rd_at_most(reader->terms, rd_number(reader->terms, 0), unknown));
}

static void add_all(struct rd_terms *terms, struct rd_term_list *to,
                    const struct rd_term_list *from)
{
    for (size_t k = 0; k < from->count; k++)
        rd_term_list_add(terms, to, from->terms[k]);
}

void rd_law_case_add(struct rd_law_reader *reader, struct rd_law_case *of,
                     const struct rd_law_case *other)
{
    for (size_t k = 0; k < other->conditions.count; k++)
        rd_law_case_need(reader, of, other->conditions.terms[k]);
    for (size_t k = 0; k < other->facts.count; k++)
        rd_law_case_know(reader, of, other->facts.terms[k]);
    add_all(reader->terms, &of->unknowns, &other->unknowns);
    add_all(reader->terms, &of->solutions, &other->solutions);
}

static void replace_all(struct rd_terms *terms, struct rd_term_list *list, bool cut, rd_term from,
                        rd_term to)
{
    struct rd_term_list made = {0};
    for (size_t k = 0; k < list->count; k++) {
        const rd_term term = rd_replace(terms, list->terms[k], 1, &from, &to);
        if (cut)
            add_cut(terms, &made, term);
        else
            rd_term_list_add(terms, &made, term);
    }
    rd_term_list_finish(list);
    *list = made;
}

static void put_in(struct rd_law_reader *reader, struct rd_law_case *of, rd_term unknown,
                   rd_term value)
{
    replace_all(reader->terms, &of->conditions, true, unknown, value);
    replace_all(reader->terms, &of->facts, true, unknown, value);
    replace_all(reader->terms, &of->solutions, false, unknown, value);
    if (of->factor)
        of->factor = rd_replace(reader->terms, of->factor, 1, &unknown, &value);
}

/* Puts two conditions in the place of one. */
static void put_for(struct rd_law_reader *reader, struct rd_law_case *of, size_t index,
                    rd_term first, rd_term second)
{
    struct rd_term_list made = {0};
    for (size_t k = 0; k < of->conditions.count; k++) {
        add_cut(reader->terms, &made, k == index ? first : of->conditions.terms[k]);
        if (k == index)
            add_cut(reader->terms, &made, second);
    }
    rd_term_list_finish(&of->conditions);
    of->conditions = made;
}

/* ---- equations ---- */

static bool is_equation(rd_term condition)
{
    return condition->kind == RD_TERM_EQUAL && !rd_term_is_condition(condition->kids[0]);
}

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
        put_for(reader, of, index, rd_equal(reader->terms, side->kids[0], equation->kids[1 - k]),
                rd_true(reader->terms));
        return true;
    }
    return false;
}

/* A difference that must be 0, by how it stands to a modulus: modulus * quotient + above - below. */
struct sorted {
    rd_term quotient, above, below;
};

/* The multiple of the modulus that takes the monomial away: the modulus has a leading monomial, or is a number. */
static rd_term multiple_in(struct rd_terms *terms, rd_term monomial, rd_wide coefficient,
                           rd_term modulus)
{
    const rd_term zero = rd_number(terms, 0);
    struct parts parts;
    rd_wide number;
    if (rd_term_is_number(modulus, &number))
        return coefficient % number == 0 ? scaled(terms, monomial, coefficient / number) : zero;
    take_apart(modulus, &parts);
    if (coefficient % parts.coefficients[0] != 0 ||
        rd_mod(terms, monomial, parts.monomials[0]) != zero)
        return zero;
    return scaled(terms, rd_div(terms, monomial, parts.monomials[0]),
                  coefficient / parts.coefficients[0]);
}

static void sort_by(struct rd_terms *terms, rd_term difference, rd_term modulus,
                    struct sorted *sorted)
{
    const rd_term zero = rd_number(terms, 0);
    struct parts parts;
    *sorted = (struct sorted){zero, zero, zero};
    take_apart(difference, &parts);
    for (unsigned k = 0; k < parts.count; k++)
        sorted->quotient =
            rd_add(terms, sorted->quotient,
                   multiple_in(terms, parts.monomials[k], parts.coefficients[k], modulus));
    const rd_term others =
        rd_subtract(terms, difference, rd_multiply(terms, modulus, sorted->quotient));
    take_apart(others, &parts);
    for (unsigned k = 0; k < parts.count; k++) {
        const rd_term monomial = scaled(terms, parts.monomials[k], parts.coefficients[k]);
        if (parts.coefficients[k] > 0)
            sorted->above = rd_add(terms, sorted->above, monomial);
        else
            sorted->below = rd_subtract(terms, sorted->below, monomial);
    }
    if (parts.number > 0)
        sorted->above = rd_add(terms, sorted->above, rd_number(terms, parts.number));
    else
        sorted->below = rd_subtract(terms, sorted->below, rd_number(terms, parts.number));
}

/* An unknown that stands in a sum by itself can be solved for there, and not in its quotients. */
static bool has_bare_unknown(const struct rd_law_case *of, rd_term x)
{
    struct parts parts;
    take_apart(x, &parts);
    for (unsigned k = 0; k < parts.count; k++)
        if (is_among(&of->unknowns, parts.monomials[k]))
            return true;
    return false;
}

/* x = modulus * quotient + rest with 0 <= rest < modulus, as x div modulus = quotient and x mod modulus = rest. */
static bool split_by(struct rd_law_reader *reader, struct rd_law_case *of, size_t index,
                     rd_term modulus)
{
    struct rd_terms *terms = reader->terms;
    const rd_term equation = of->conditions.terms[index], zero = rd_number(terms, 0);
    struct sorted sorted;
    sort_by(terms, rd_subtract(terms, equation->kids[0], equation->kids[1]), modulus, &sorted);
    if (sorted.quotient == zero)
        return false;
    for (unsigned side = 0; side < 2; side++) {
        const rd_term rest = side ? sorted.below : sorted.above;
        const rd_term x = side ? sorted.above : sorted.below;
        const rd_term quotient = side ? rd_subtract(terms, zero, sorted.quotient) : sorted.quotient;
        if (has_bare_unknown(of, x) || !is_remainder(reader, of, rest, modulus))
            continue;
        put_for(reader, of, index, rd_equal(terms, rd_div(terms, x, modulus), quotient),
                rd_equal(terms, rd_mod(terms, x, modulus), rest));
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
    add_slacks(reader, &of->conditions, &slacks);
    add_slacks(reader, &of->facts, &slacks);
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
    struct parts parts;
    take_apart(rd_subtract(terms, equation->kids[0], equation->kids[1]), &parts);
    for (unsigned k = 0; k < parts.count; k++) {
        const rd_term monomial = parts.monomials[k];
        const rd_wide size =
            parts.coefficients[k] < 0 ? -parts.coefficients[k] : parts.coefficients[k];
        for (unsigned f = 0; monomial->kind == RD_TERM_PRODUCT && f < monomial->n_kids; f++)
            if ((size > 1 && split_by(reader, of, index, scaled(terms, monomial->kids[f], size))) ||
                split_by(reader, of, index, monomial->kids[f]))
                return true;
        if (size > 1 && split_by(reader, of, index, rd_number(terms, size)))
            return true;
        if (is_among(&of->unknowns, monomial) && parts.count > 2 &&
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
    struct parts parts;
    take_apart(difference, &parts);
    for (unsigned k = 0; k < parts.count; k++) {
        const rd_term unknown = parts.monomials[k];
        const rd_wide coefficient = parts.coefficients[k];
        if (!is_among(&of->unknowns, unknown) || (coefficient != 1 && coefficient != -1))
            continue;
        const rd_term rest = rd_subtract(terms, difference, scaled(terms, unknown, coefficient));
        if (rd_term_has(rest, unknown))
            continue;
        put_in(reader, of, unknown, scaled(terms, rest, -coefficient));
        return true;
    }
    return false;
}

/* Solves the first equation that can be, of so many unknowns at most. */
static bool solve_first(struct rd_law_reader *reader, struct rd_law_case *of, unsigned most)
{
    for (size_t k = 0; k < of->conditions.count; k++) {
        const rd_term condition = of->conditions.terms[k];
        if (is_equation(condition) && count_unknowns(condition, &of->unknowns) <= most &&
            solve_equation(reader, of, condition))
            return true;
    }
    return false;
}

/* Makes one step; false where there is none. */
static bool rewrite(struct rd_law_reader *reader, struct rd_law_case *of)
{
    for (size_t k = 0; k < of->conditions.count; k++)
        if (is_equation(of->conditions.terms[k]) &&
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
        if (count_unknowns(of->solutions.terms[k], &of->unknowns) > 0)
            return false;
    return true;
}

/* Decides a condition by what holds of all numbers that there are, and by the facts. */
static rd_term decided(struct rd_law_reader *reader, rd_term condition,
                       const struct rd_term_list *facts)
{
    struct rd_terms *terms = reader->terms;
    const rd_term opposite = rd_not(terms, condition);
    if (facts && (is_among(facts, condition) || is_among(facts, opposite)))
        return rd_truth(terms, is_among(facts, condition));
    if (condition->kind == RD_TERM_AND || condition->kind == RD_TERM_OR) {
        rd_term joined = rd_truth(terms, condition->kind == RD_TERM_AND);
        for (unsigned k = 0; k < condition->n_kids; k++) {
            const rd_term kid = decided(reader, condition->kids[k], facts);
            joined = condition->kind == RD_TERM_AND ? rd_and(terms, joined, kid)
                                                    : rd_or(terms, joined, kid);
        }
        return joined;
    }
    if (condition->kind == RD_TERM_NOT && condition->kids[0]->kind != RD_TERM_LESS)
        return rd_not(terms, decided(reader, condition->kids[0], facts));
    if (is_equation(condition)) {
        const rd_term difference = rd_subtract(terms, condition->kids[0], condition->kids[1]);
        const rd_term minus_one = rd_number(terms, -1);
        if (rd_law_reader_follows(reader, rd_add(terms, difference, minus_one), NULL, NULL) ||
            rd_law_reader_follows(reader, rd_subtract(terms, minus_one, difference), NULL, NULL))
            return rd_false(terms);
    }
    const rd_term slack = slack_of(reader, condition);
    if (slack && rd_law_reader_follows(reader, slack, NULL, NULL))
        return rd_true(terms);
    if (slack && rd_law_reader_follows(reader, slack_of(reader, opposite), NULL, NULL))
        return rd_false(terms);
    return condition;
}

rd_term rd_law_reader_decided(struct rd_law_reader *reader, rd_term condition)
{
    return decided(reader, condition, NULL);
}

static void decide_all(struct rd_law_reader *reader, struct rd_law_case *of)
{
    struct rd_term_list made = {0};
    for (size_t k = 0; k < of->conditions.count; k++)
        add_cut(reader->terms, &made, decided(reader, of->conditions.terms[k], &of->facts));
    rd_term_list_finish(&of->conditions);
    of->conditions = made;
}

/* Leaves out each bound that follows from the others. */
static void drop_implied(struct rd_law_reader *reader, struct rd_law_case *of)
{
    struct rd_term_list *conditions = &of->conditions;
    for (size_t k = 0; k < conditions->count;) {
        const rd_term condition = conditions->terms[k];
        const rd_term slack = slack_of(reader, condition);
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
            count_unknowns(of->conditions.terms[k], &of->unknowns) > 0)
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
        halves[half] = (struct rd_law_case){.factor = of->factor, .inputs = of->inputs};
        rd_law_case_add(reader, &halves[half], of);
        put_for(reader, &halves[half], index, half ? others : first,
                half && rd_and(terms, first, others)->kind != RD_TERM_FALSE ? rd_not(terms, first)
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
