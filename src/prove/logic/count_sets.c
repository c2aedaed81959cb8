// SPDX-License-Identifier: MIT
#include "prove/logic/count_sets.h"

#include <string.h>

static bool is_unknown(rd_term term)
{
    return term->kind == RD_TERM_APPLY &&
           (strncmp(term->name, "dead", 4) == 0 || strncmp(term->name, "unknown", 7) == 0);
}

rd_term rd_count_set_of(struct rd_terms *terms, rd_term count)
{
    rd_wide number;
    if (rd_term_is_number(count, &number))
        return number == 0 || number == 1 ? rd_truth(terms, number == 1) : NULL;
    if (count->kind == RD_TERM_PRODUCT) {
        rd_term all = rd_true(terms);
        for (unsigned k = 0; k < count->n_kids && all; k++) {
            const rd_term set = rd_count_set_of(terms, count->kids[k]);
            all = set ? rd_and(terms, all, set) : NULL;
        }
        return all;
    }
    if (count->kind != RD_TERM_CHOICE)
        return NULL;
    if (is_unknown(count->kids[2]))
        return rd_count_set_of(terms, count->kids[1]);
    if (is_unknown(count->kids[1]))
        return rd_count_set_of(terms, count->kids[2]);
    const rd_term yes = rd_count_set_of(terms, count->kids[1]),
                  no = rd_count_set_of(terms, count->kids[2]);
    if (!yes || !no)
        return NULL;
    return rd_or(terms, rd_and(terms, count->kids[0], yes),
                 rd_and(terms, rd_not(terms, count->kids[0]), no));
}

static bool add_set(struct rd_terms *terms, rd_term count, struct rd_term_list *sets)
{
    const rd_term set = rd_count_set_of(terms, count);
    if (set && set->kind != RD_TERM_FALSE)
        rd_term_list_add(terms, sets, set);
    return set != NULL;
}

/* A choice between sums is one of the sums of choices. */
static bool add_choice(struct rd_terms *terms, rd_term choice, struct rd_term_list *sets)
{
    struct rd_term_list either[2] = {{0}, {0}};
    const rd_term conditions[] = {choice->kids[0], rd_not(terms, choice->kids[0])};
    bool is = true;
    for (unsigned k = 0; k < 2 && is; k++)
        is = rd_count_sets_of(terms, choice->kids[k + 1], &either[k]);
    const size_t count = either[0].count > either[1].count ? either[0].count : either[1].count;
    for (size_t s = 0; s < count && is; s++) {
        rd_term set = rd_false(terms);
        for (unsigned k = 0; k < 2; k++)
            if (s < either[k].count)
                set = rd_or(terms, set, rd_and(terms, conditions[k], either[k].terms[s]));
        rd_term_list_add(terms, sets, set);
    }
    rd_term_list_finish(&either[0]);
    rd_term_list_finish(&either[1]);
    return is;
}

bool rd_count_sets_of(struct rd_terms *terms, rd_term value, struct rd_term_list *sets)
{
    if (value->kind == RD_TERM_CHOICE && is_unknown(value->kids[2]))
        return rd_count_sets_of(terms, value->kids[1], sets);
    if (value->kind == RD_TERM_CHOICE && !rd_count_set_of(terms, value))
        return add_choice(terms, value, sets);
    if (value->kind != RD_TERM_SUM)
        return add_set(terms, value, sets);
    if (value->number != 0)
        return false;
    for (unsigned k = 0; k < value->n_kids; k++)
        if (value->coefficients[k] != 1 || !rd_count_sets_of(terms, value->kids[k], sets))
            return false;
    return true;
}

/* ---- text ---- */

static bool speaks_of_input(rd_term term)
{
    if (term->kind == RD_TERM_CONSTANT)
        return term->name[0] == 'j' && strchr("2'", term->name[1]) != NULL;
    for (unsigned k = 0; k < term->n_kids; k++)
        if (speaks_of_input(term->kids[k]))
            return true;
    return false;
}

/* Tells whether it is a <= x (`least`), or x < b. */
static bool is_bound(rd_term part, bool least, rd_term *x, rd_term *bound)
{
    if (least ? part->kind != RD_TERM_NOT || part->kids[0]->kind != RD_TERM_LESS
              : part->kind != RD_TERM_LESS)
        return false;
    const rd_term less = least ? part->kids[0] : part;
    *x = less->kids[0];
    *bound = less->kids[1];
    return true;
}

/* Prints a <= x < b for two of the parts, if the k-th is the first of them; *done: the second is printed with it. */
static bool print_range(unsigned count, const rd_term *parts, unsigned k, bool *done, FILE *out)
{
    rd_term x, least, other, end;
    if (!is_bound(parts[k], true, &x, &least))
        return false;
    for (unsigned l = 0; l < count; l++) {
        if (done[l] || !is_bound(parts[l], false, &other, &end) || other != x)
            continue;
        rd_term_print(least, out);
        fputs(" <= ", out);
        rd_term_print(x, out);
        fputs(" < ", out);
        rd_term_print(end, out);
        done[l] = true;
        return true;
    }
    return false;
}

static void print_part(rd_term part, FILE *out)
{
    const bool turns = part->kind == RD_TERM_EQUAL && !speaks_of_input(part->kids[0]) &&
                       speaks_of_input(part->kids[1]);
    if (turns) {
        rd_term_print(part->kids[1], out);
        fputs(" = ", out);
        rd_term_print(part->kids[0], out);
    } else if (part->kind == RD_TERM_OR) {
        fputc('(', out);
        rd_term_print(part, out);
        fputc(')', out);
    } else {
        rd_term_print(part, out);
    }
}

void rd_conditions_print(unsigned count, const rd_term *parts, FILE *out)
{
    bool done[64] = {false}, any = false;
    if (count > sizeof done / sizeof *done)
        count = sizeof done / sizeof *done;
    for (unsigned k = 0; k < count; k++) /* the ends of ranges are printed with their beginnings */
        for (unsigned l = 0; l < k; l++)
            done[k] = done[k] || parts[l] == parts[k];
    for (unsigned k = 0; k < count; k++) {
        rd_term x, bound, other, least;
        bool is_end = false;
        for (unsigned l = k + 1; l < count && is_bound(parts[k], false, &x, &bound); l++)
            is_end = is_end || (!done[l] && is_bound(parts[l], true, &other, &least) && other == x);
        if (done[k] || is_end)
            continue;
        fputs(any ? " and " : "", out);
        any = true;
        if (!print_range(count, parts, k, done, out))
            print_part(parts[k], out);
    }
}

void rd_count_set_print(rd_term set, FILE *out)
{
    unsigned count;
    if (set->kind == RD_TERM_TRUE) {
        fputs("{all inputs}", out);
        return;
    }
    fputc('{', out);
    if (set->kind == RD_TERM_OR) {
        rd_term_print(set, out);
    } else if (set->kind != RD_TERM_FALSE) {
        const rd_term *parts = rd_term_conjuncts(&set, &count);
        rd_conditions_print(count, parts, out);
    }
    fputc('}', out);
}

static size_t size_of(rd_term term)
{
    size_t size = 1;
    for (unsigned k = 0; k < term->n_kids; k++)
        size += size_of(term->kids[k]);
    return size + (term->kind == RD_TERM_SUM && term->number != 0);
}

/* Puts those that say less first: a thread's own before that which it takes. */
static void sort(struct rd_term_list *sets)
{
    for (size_t k = 1; k < sets->count; k++)
        for (size_t l = k; l > 0 && size_of(sets->terms[l]) < size_of(sets->terms[l - 1]); l--) {
            const rd_term moved = sets->terms[l];
            sets->terms[l] = sets->terms[l - 1];
            sets->terms[l - 1] = moved;
        }
}

void rd_count_sets_print(struct rd_term_list *sets, rd_term together, FILE *out)
{
    sort(sets);
    if (sets->count == 0) {
        rd_count_set_print(together, out);
        fputs(together->kind == RD_TERM_FALSE ? ": no input" : " is empty: no input", out);
        return;
    }
    for (size_t k = 0; k < sets->count; k++) {
        fputs(k == 0 ? "" : k + 1 == sets->count ? " and " : ", ", out);
        rd_count_set_print(sets->terms[k], out);
    }
    if (sets->count > 1)
        fputs(" are disjoint, and together ", out);
    else if (sets->terms[0] == together)
        return;
    else
        fputs(" is the set ", out);
    rd_count_set_print(together, out);
}
