// SPDX-License-Identifier: MIT
/* Parts of terms: replaced, looked for, visited. */
#include "prove/logic/term_internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- replacing ---- */

struct replacing {
    struct rd_terms *terms;
    unsigned count;
    const rd_term *from, *to;
    rd_term *made; /* by the id of a part; NULL: not yet */
};

static rd_term rebuild(struct replacing *with, rd_term term, const rd_term *kids);

static rd_term replace(struct replacing *with, rd_term term)
{
    if (with->made[term->id])
        return with->made[term->id];
    for (unsigned k = 0; k < with->count; k++)
        if (with->from[k] == term)
            return with->made[term->id] = with->to[k];
    if (term->n_kids == 0)
        return with->made[term->id] = term;
    rd_term *kids = calloc(term->n_kids, sizeof *kids);
    bool changed = false;
    if (!kids) {
        rd_terms_fail(with->terms);
        return term;
    }
    for (unsigned k = 0; k < term->n_kids; k++) {
        kids[k] = replace(with, term->kids[k]);
        changed = changed || kids[k] != term->kids[k];
    }
    rd_term made = changed ? rebuild(with, term, kids) : term;
    free(kids);
    return with->made[term->id] = made;
}

static rd_term rebuild(struct replacing *with, rd_term term, const rd_term *kids)
{
    struct rd_terms *terms = with->terms;
    rd_term made;
    switch (term->kind) {
    case RD_TERM_APPLY:
        return rd_apply(terms, term->name, term->n_kids, kids);
    case RD_TERM_SUM:
        made = rd_number(terms, term->number);
        for (unsigned k = 0; k < term->n_kids; k++)
            made = rd_add(terms, made,
                          rd_multiply(terms, rd_number(terms, term->coefficients[k]), kids[k]));
        return made;
    case RD_TERM_PRODUCT:
        made = kids[0];
        for (unsigned k = 1; k < term->n_kids; k++)
            made = rd_multiply(terms, made, kids[k]);
        return made;
    case RD_TERM_DIV:
        return rd_div(terms, kids[0], kids[1]);
    case RD_TERM_MOD:
        return rd_mod(terms, kids[0], kids[1]);
    case RD_TERM_CHOICE:
        return rd_choice(terms, kids[0], kids[1], kids[2]);
    case RD_TERM_NOT:
        return rd_not(terms, kids[0]);
    case RD_TERM_AND:
    case RD_TERM_OR:
        made = kids[0];
        for (unsigned k = 1; k < term->n_kids; k++)
            made = term->kind == RD_TERM_AND ? rd_and(terms, made, kids[k])
                                             : rd_or(terms, made, kids[k]);
        return made;
    case RD_TERM_LESS:
        return rd_less(terms, kids[0], kids[1]);
    case RD_TERM_EQUAL:
        return rd_equal(terms, kids[0], kids[1]);
    case RD_TERM_HOLDS:
        return rd_holds(terms, term->name, term->n_kids, kids);
    default:
        return term;
    }
}

rd_term rd_replace(struct rd_terms *terms, rd_term term, unsigned count, const rd_term *from,
                   const rd_term *to)
{
    struct replacing with = {.terms = terms, .count = count, .from = from, .to = to};
    if (rd_terms_failed(terms))
        return term;
    with.made = calloc((size_t)rd_terms_count(terms) + 1, sizeof(rd_term));
    if (!with.made) {
        rd_terms_fail(terms);
        return term;
    }
    rd_term made = replace(&with, term);
    free(with.made);
    return made;
}

/* ---- visiting ---- */

/* True the first time. */
static bool mark(struct rd_seen *seen, unsigned id)
{
    if (id / 8 >= seen->size) {
        const size_t size = id / 8 * 2 + 64;
        unsigned char *grown = realloc(seen->bits, size);
        if (!grown)
            return true; /* visits it again */
        memset(grown + seen->size, 0, size - seen->size);
        seen->bits = grown;
        seen->size = size;
    }
    const unsigned char bit = (unsigned char)(1u << id % 8);
    const bool first = !(seen->bits[id / 8] & bit);
    seen->bits[id / 8] |= bit;
    return first;
}

void rd_term_visit(rd_term term, struct rd_seen *seen, void (*visit)(void *self, rd_term part),
                   void *self)
{
    if (!mark(seen, term->id))
        return;
    for (unsigned k = 0; k < term->n_kids; k++)
        rd_term_visit(term->kids[k], seen, visit, self);
    visit(self, term);
}

void rd_seen_finish(struct rd_seen *seen)
{
    free(seen->bits);
    *seen = (struct rd_seen){0};
}

struct search {
    rd_term part;
    bool found;
};

static void compare(void *self, rd_term part)
{
    struct search *search = self;
    search->found = search->found || part == search->part;
}

bool rd_term_has(rd_term term, rd_term part)
{
    struct search search = {.part = part};
    struct rd_seen seen = {0};
    rd_term_visit(term, &seen, compare, &search);
    rd_seen_finish(&seen);
    return search.found;
}

rd_term rd_conjuncts_without(struct rd_terms *terms, rd_term condition, size_t count,
                             const rd_term *without)
{
    unsigned n_parts;
    const rd_term *parts = rd_term_conjuncts(&condition, &n_parts);
    rd_term all = rd_true(terms);
    for (unsigned k = 0; k < n_parts; k++) {
        bool has = false;
        for (size_t i = 0; i < count && !has; i++)
            has = rd_term_has(parts[k], without[i]);
        if (!has)
            all = rd_and(terms, all, parts[k]);
    }
    return all;
}

/* ---- linear terms ---- */

bool rd_is_linear(struct rd_terms *terms, rd_term term, rd_term x, rd_term *factor, rd_term *rest)
{
    const rd_term zero = rd_number(terms, 0), one = rd_number(terms, 1);
    *rest = rd_replace(terms, term, 1, &x, &zero);
    *factor = rd_subtract(terms, rd_replace(terms, term, 1, &x, &one), *rest);
    return rd_subtract(terms, term, rd_multiply(terms, *factor, x)) == *rest &&
           !rd_term_has(*factor, x) && !rd_term_has(*rest, x) && *factor != zero;
}

bool rd_solve_linear(struct rd_terms *terms, rd_term index, rd_term x, rd_term cell, rd_term *value)
{
    rd_term factor, rest;
    if (!rd_term_has(index, x) || !rd_is_linear(terms, index, x, &factor, &rest))
        return false;
    *value = rd_div(terms, rd_subtract(terms, cell, rest), factor);
    return true;
}

/* Returns r of a part x mod m = r, with no x in r; NULL: there is none. */
static rd_term remainder_in(rd_term condition, rd_term quotient, rd_term x)
{
    unsigned count;
    const rd_term *parts = rd_term_conjuncts(&condition, &count);
    for (unsigned k = 0; k < count; k++)
        for (unsigned side = 0; side < 2 && parts[k]->kind == RD_TERM_EQUAL; side++) {
            const rd_term rest = parts[k]->kids[side], other = parts[k]->kids[1 - side];
            if (rest->kind == RD_TERM_MOD && rest->kids[0] == quotient->kids[0] &&
                rest->kids[1] == quotient->kids[1] && !rd_term_has(other, x))
                return other;
        }
    return NULL;
}

bool rd_solve_index(struct rd_terms *terms, rd_term condition, rd_term index, rd_term x,
                    rd_term cell, rd_term *value)
{
    if (rd_solve_linear(terms, index, x, cell, value))
        return true;
    const rd_term rest = index->kind == RD_TERM_DIV && !rd_term_has(index->kids[1], x)
                             ? remainder_in(condition, index, x)
                             : NULL;
    return rest &&
           rd_solve_linear(terms, index->kids[0], x,
                           rd_add(terms, rd_multiply(terms, index->kids[1], cell), rest), value);
}

static rd_term solution_of(struct rd_terms *terms, rd_term equation, rd_term x)
{
    if (equation->kind != RD_TERM_EQUAL || rd_term_is_condition(equation->kids[0]))
        return NULL;
    const rd_term difference = rd_subtract(terms, equation->kids[0], equation->kids[1]);
    const rd_term without = rd_subtract(terms, difference, x), with = rd_add(terms, difference, x);
    if (!rd_term_has(without, x))
        return rd_subtract(terms, rd_number(terms, 0), without);
    return rd_term_has(with, x) ? NULL : with;
}

rd_term rd_solution(struct rd_terms *terms, rd_term condition, rd_term x)
{
    if (condition->kind != RD_TERM_AND && condition->kind != RD_TERM_OR)
        return solution_of(terms, condition, x);
    rd_term found = NULL;
    for (unsigned k = 0; k < condition->n_kids; k++) {
        const rd_term of_kid = rd_solution(terms, condition->kids[k], x);
        if (condition->kind == RD_TERM_AND && of_kid)
            return of_kid;
        if (condition->kind == RD_TERM_OR && (!of_kid || (found && found != of_kid)))
            return NULL;
        found = of_kid;
    }
    return found;
}
