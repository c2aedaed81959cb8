// SPDX-License-Identifier: MIT
/* Binds the names of a law of an annotation: those that its ranges and reductions count with are no variables of the
 * program's. */
#include "check/annotation/reading.h"

#include <string.h>

static bool same(const struct rd_annotation_reading *reading, const struct rd_annotation_token *x,
                 const struct rd_annotation_token *y)
{
    return x->to - x->from == y->to - y->from &&
           memcmp(reading->text + x->from, reading->text + y->from, x->to - x->from) == 0;
}

static bool is_relation(const struct rd_annotation_reading *reading, size_t at)
{
    static const char *const relations[] = {"<", "<=", ">", ">=", "=", "==", "!=", NULL};
    const struct rd_annotation_token *token = at < reading->n ? &reading->tokens[at] : NULL;
    return token && token->kind == RD_TOKEN_SIGN &&
           rd_lexer_is_one_of(reading->text + token->from, token->to - token->from, relations);
}

/* Binds the name throughout the claim, where it is a plain one. */
static void bind(struct rd_annotation_reading *reading, size_t name, size_t from, size_t to)
{
    for (size_t k = from; k < to; k++)
        if (rd_annotation_token_is_plain(reading, k) &&
            same(reading, &reading->tokens[k], &reading->tokens[name]))
            reading->tokens[k].bound = true;
}

/* Tells whether another relation follows in the same comparison: w <= i < n says nothing of w. */
static bool is_chain(const struct rd_annotation_reading *reading, size_t from, size_t to)
{
    const size_t end = rd_annotation_part_end(reading, from, to, ",:;");
    for (size_t k = from; k < end; k++) {
        if (rd_annotation_token_is_word(reading, k, "and") ||
            rd_annotation_token_is_word(reading, k, "or") ||
            rd_annotation_token_is_sign(reading, k, "&&") ||
            rd_annotation_token_is_sign(reading, k, "||"))
            return false;
        if (is_relation(reading, k))
            return true;
    }
    return false;
}

/* Tells whether the name at that token is compared in this condition as one that is bound is: alone on the left, or between
 * two relations, perhaps with others. */
static bool is_compared(const struct rd_annotation_reading *reading, size_t name, size_t from,
                        size_t to)
{
    for (size_t k = from; k < to; k++) {
        if (!rd_annotation_token_is_plain(reading, k) ||
            !same(reading, &reading->tokens[k], &reading->tokens[name]))
            continue;
        const bool first = k == from || rd_annotation_token_is_sign(reading, k - 1, ",") ||
                           rd_annotation_token_is_sign(reading, k - 1, "(") ||
                           rd_annotation_token_is_word(reading, k - 1, "and") ||
                           rd_annotation_token_is_word(reading, k - 1, "over") ||
                           rd_annotation_token_is_word(reading, k - 1, "for");
        size_t behind = k + 1;
        const bool lists = k >= from + 2 && is_relation(reading, k - 1) &&
                           reading->tokens[k - 2].kind == RD_TOKEN_NUMBER;
        while (lists && rd_annotation_token_is_sign(reading, behind, ",") &&
               rd_annotation_token_is_plain(reading, behind + 1))
            behind += 2; /* 0 <= i, j < n */
        if (!is_relation(reading, behind))
            continue;
        if (k > from && is_relation(reading, k - 1))
            return true;
        if (first && !is_chain(reading, behind + 1, to))
            return true;
    }
    return false;
}

void rd_annotation_bind_ranges(struct rd_annotation_reading *reading, size_t from, size_t end,
                               size_t claim, size_t to)
{
    for (size_t k = from; k < end; k++)
        if (rd_annotation_token_is_plain(reading, k) && is_compared(reading, k, from, end))
            bind(reading, k, claim, to);
}

void rd_annotation_mark_numbers(struct rd_annotation_reading *reading, size_t from, size_t to)
{
    for (size_t k = from; k < to; k++)
        reading->tokens[k].number = true;
}

void rd_annotation_mark_indices(struct rd_annotation_reading *reading, size_t from, size_t to)
{
    int depth = 0;
    for (size_t k = from; k < to; k++) {
        depth -= rd_annotation_token_is_sign(reading, k, "]");
        if (depth > 0)
            reading->tokens[k].number = true;
        depth += rd_annotation_token_is_sign(reading, k, "[");
    }
}

void rd_annotation_bind_reduction(struct rd_annotation_reading *reading, size_t of, size_t claim,
                                  size_t to)
{
    const size_t term = of + 1, end = rd_annotation_part_end(reading, term, to, ",;");
    size_t conditions = end;
    for (size_t k = term; k < end; k++)
        if (rd_annotation_token_is_word(reading, k, "over"))
            conditions = k;
    const size_t last = rd_annotation_part_end(reading, term, to, ";");
    rd_annotation_mark_numbers(reading, conditions, last);
    if (rd_annotation_token_is_word(reading, of - 1, "count") && term < end)
        reading->tokens[term].counted = true;
    for (size_t k = term; k < conditions; k++) {
        if (!rd_annotation_token_is_plain(reading, k))
            continue;
        const bool alone = rd_annotation_token_is_sign(reading, k - 1, "[") &&
                           rd_annotation_token_is_sign(reading, k + 1, "]");
        if (alone || is_compared(reading, k, conditions, last))
            bind(reading, k, claim, to);
    }
}
