// SPDX-License-Identifier: MIT
/* Conjunctions with unknowns: how they are kept. */
#include "prove/law/reader.h"

static const char UNKNOWN = '?';

rd_term rd_law_reader_unknown(struct rd_law_reader *reader)
{
    return rd_constant(reader->terms,
                       rd_terms_text(reader->terms, "%c%u", UNKNOWN, reader->unknowns++));
}

bool rd_law_is_unknown(rd_term term)
{
    return term->kind == RD_TERM_CONSTANT && term->name[0] == UNKNOWN;
}

struct counting {
    const struct rd_term_list *among; /* NULL: all */
    unsigned count;
};

bool rd_law_is_among(const struct rd_term_list *list, rd_term term)
{
    for (size_t k = 0; k < list->count; k++)
        if (list->terms[k] == term)
            return true;
    return false;
}

static void note_unknown(void *self, rd_term part)
{
    struct counting *counting = self;
    counting->count +=
        rd_law_is_unknown(part) && (!counting->among || rd_law_is_among(counting->among, part));
}

/* Counts the unknowns in the term, each once. */
unsigned rd_law_count_unknowns(rd_term term, const struct rd_term_list *among)
{
    struct rd_seen seen = {NULL, 0};
    struct counting counting = {among, 0};
    rd_term_visit(term, &seen, note_unknown, &counting);
    rd_seen_finish(&seen);
    return counting.count;
}

bool rd_law_has_unknown(rd_term term)
{
    return rd_law_count_unknowns(term, NULL) > 0;
}
/* ---- cases ---- */

void rd_law_case_finish(struct rd_law_case *of)
{
    rd_term_list_finish(&of->conditions);
    rd_term_list_finish(&of->facts);
    rd_term_list_finish(&of->unknowns);
    rd_term_list_finish(&of->solutions);
}

void rd_law_add_cut(struct rd_terms *terms, struct rd_term_list *list, rd_term condition)
{
    for (unsigned k = 0; condition->kind == RD_TERM_AND && k < condition->n_kids; k++)
        rd_law_add_cut(terms, list, condition->kids[k]);
    if (condition->kind != RD_TERM_AND && condition->kind != RD_TERM_TRUE)
        rd_term_list_add_new(terms, list, condition);
}

void rd_law_case_need(struct rd_law_reader *reader, struct rd_law_case *of, rd_term condition)
{
    rd_law_add_cut(reader->terms, &of->conditions, condition);
}

void rd_law_case_know(struct rd_law_reader *reader, struct rd_law_case *of, rd_term fact)
{
    rd_law_add_cut(reader->terms, &of->facts, fact);
}

void rd_law_case_bind(struct rd_law_reader *reader, struct rd_law_case *of, rd_term unknown)
{
    rd_term_list_add(reader->terms, &of->unknowns, unknown);
    rd_term_list_add(reader->terms, &of->solutions, unknown);
    rd_law_case_need(reader, of, rd_at_most(reader->terms, rd_number(reader->terms, 0), unknown));
}

void rd_law_case_add(struct rd_law_reader *reader, struct rd_law_case *of,
                     const struct rd_law_case *other)
{
    for (size_t k = 0; k < other->conditions.count; k++)
        rd_law_case_need(reader, of, other->conditions.terms[k]);
    for (size_t k = 0; k < other->facts.count; k++)
        rd_law_case_know(reader, of, other->facts.terms[k]);
    rd_term_list_add_all(reader->terms, &of->unknowns, &other->unknowns);
    rd_term_list_add_all(reader->terms, &of->solutions, &other->solutions);
}

static void replace_all(struct rd_terms *terms, struct rd_term_list *list, bool cut, rd_term from,
                        rd_term to)
{
    struct rd_term_list made = {0};
    for (size_t k = 0; k < list->count; k++) {
        const rd_term term = rd_replace(terms, list->terms[k], 1, &from, &to);
        if (cut)
            rd_law_add_cut(terms, &made, term);
        else
            rd_term_list_add(terms, &made, term);
    }
    rd_term_list_finish(list);
    *list = made;
}

void rd_law_case_put(struct rd_law_reader *reader, struct rd_law_case *of, rd_term unknown,
                     rd_term value)
{
    replace_all(reader->terms, &of->conditions, true, unknown, value);
    replace_all(reader->terms, &of->facts, true, unknown, value);
    replace_all(reader->terms, &of->solutions, false, unknown, value);
    if (of->factor)
        of->factor = rd_replace(reader->terms, of->factor, 1, &unknown, &value);
}

/* Puts two conditions in the place of one. */
void rd_law_case_put_for(struct rd_law_reader *reader, struct rd_law_case *of, size_t index,
                         rd_term first, rd_term second)
{
    struct rd_term_list made = {0};
    for (size_t k = 0; k < of->conditions.count; k++) {
        rd_law_add_cut(reader->terms, &made, k == index ? first : of->conditions.terms[k]);
        if (k == index)
            rd_law_add_cut(reader->terms, &made, second);
    }
    rd_term_list_finish(&of->conditions);
    of->conditions = made;
}
