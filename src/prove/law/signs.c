// SPDX-License-Identifier: MIT
/* Signs of numbers: the least that reading a law needs to know, without a prover. */
#include "prove/law/reader.h"

#include <string.h>

static const rd_wide one = 1;

void rd_law_take_apart(rd_term term, struct rd_law_parts *parts)
{
    *parts = (struct rd_law_parts){.only = term};
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

rd_term rd_law_scaled(struct rd_terms *terms, rd_term term, rd_wide factor)
{
    return rd_multiply(terms, rd_number(terms, factor), term);
}

/* ---- signs ---- */

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
        if (term == reader->units.index[k] ||
            (reader->units.again && term == reader->units.again[k]))
            return true;
    if (at->given && at->given->natural && rd_law_is_among(at->given->natural, term))
        return true;
    return at->d && at->d->kind == RD_TERM_SUM && at->d->number > 0 && at->d->n_kids == 1 &&
           at->d->coefficients[0] == 1 && at->d->kids[0] == term;
}

static bool is_natural(struct rd_law_reader *reader, rd_term number);

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
        return is_natural(reader, term->kids[0]);
    case RD_TERM_CHOICE:
        return is_natural(reader, term->kids[1]) && is_natural(reader, term->kids[2]);
    case RD_TERM_APPLY:
        return is_call_of(term, "pow2") || is_call_of(term, "bit_ceil") ||
               is_call_of(term, "log2") || is_call_of(term, "root") || is_call_of(term, "xor");
    default:
        return rd_law_is_unknown(term) || is_given(reader, term);
    }
}

/* Tells whether the number is never negative, whatever the quantities are. */
static bool is_natural(struct rd_law_reader *reader, rd_term number)
{
    struct rd_law_parts parts;
    rd_law_take_apart(number, &parts);
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
rd_term rd_law_reader_slack(struct rd_law_reader *reader, rd_term condition)
{
    struct rd_terms *terms = reader->terms;
    if (condition->kind == RD_TERM_LESS)
        return rd_subtract(terms, rd_subtract(terms, condition->kids[1], condition->kids[0]),
                           rd_number(terms, 1));
    if (condition->kind == RD_TERM_NOT && condition->kids[0]->kind == RD_TERM_LESS)
        return rd_subtract(terms, condition->kids[0]->kids[0], condition->kids[0]->kids[1]);
    return NULL;
}

void rd_law_reader_add_slacks(struct rd_law_reader *reader, const struct rd_term_list *conditions,
                              struct rd_term_list *slacks)
{
    for (size_t k = 0; conditions && k < conditions->count; k++) {
        const rd_term slack = rd_law_reader_slack(reader, conditions->terms[k]);
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
    struct rd_law_parts parts;
    rd_law_take_apart(number, &parts);
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
            if (monomial == reader->units.index[u] ||
                (reader->units.again && monomial == reader->units.again[u]))
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
    bool follows = is_natural(reader, number);
    if (!follows && number->kind != RD_TERM_NUMBER) {
        add_known_slacks(reader, number, &slacks);
        rd_law_reader_add_slacks(reader, conditions, &slacks);
        rd_law_reader_add_slacks(reader, facts, &slacks);
    }
    for (size_t k = 0; k < slacks.count && !follows; k++) {
        const rd_term rest = rd_subtract(reader->terms, number, slacks.terms[k]);
        follows = is_natural(reader, rest);
        for (size_t i = k; i < slacks.count && !follows; i++)
            follows = is_natural(reader, rd_subtract(reader->terms, rest, slacks.terms[i]));
    }
    rd_term_list_finish(&slacks);
    return follows;
}
/* Decides a condition by what holds of all numbers that there are, and by the facts. */
rd_term rd_law_reader_decided(struct rd_law_reader *reader, rd_term condition,
                              const struct rd_term_list *facts)
{
    struct rd_terms *terms = reader->terms;
    const rd_term opposite = rd_not(terms, condition);
    if (facts && (rd_law_is_among(facts, condition) || rd_law_is_among(facts, opposite)))
        return rd_truth(terms, rd_law_is_among(facts, condition));
    if (condition->kind == RD_TERM_AND || condition->kind == RD_TERM_OR) {
        rd_term joined = rd_truth(terms, condition->kind == RD_TERM_AND);
        for (unsigned k = 0; k < condition->n_kids; k++) {
            const rd_term kid = rd_law_reader_decided(reader, condition->kids[k], facts);
            joined = condition->kind == RD_TERM_AND ? rd_and(terms, joined, kid)
                                                    : rd_or(terms, joined, kid);
        }
        return joined;
    }
    if (condition->kind == RD_TERM_NOT && condition->kids[0]->kind != RD_TERM_LESS)
        return rd_not(terms, rd_law_reader_decided(reader, condition->kids[0], facts));
    if (rd_law_is_equation(condition)) {
        const rd_term difference = rd_subtract(terms, condition->kids[0], condition->kids[1]);
        const rd_term minus_one = rd_number(terms, -1);
        if (rd_law_reader_follows(reader, rd_add(terms, difference, minus_one), NULL, NULL) ||
            rd_law_reader_follows(reader, rd_subtract(terms, minus_one, difference), NULL, NULL))
            return rd_false(terms);
    }
    const rd_term slack = rd_law_reader_slack(reader, condition);
    if (slack && rd_law_reader_follows(reader, slack, NULL, NULL))
        return rd_true(terms);
    if (slack && rd_law_reader_follows(reader, rd_law_reader_slack(reader, opposite), NULL, NULL))
        return rd_false(terms);
    return condition;
}
