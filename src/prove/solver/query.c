// SPDX-License-Identifier: MIT
#include "prove/solver/query.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- declarations ---- */

/* A symbol is the same with bars as without. */
struct symbols {
    FILE *out;
    bool failed, has_functions;
    size_t n_constants, n_functions, capacity_constants, capacity_functions;
    rd_term *constants, *functions; /* one application of each function */
};

static void keep(struct symbols *symbols, rd_term **terms, size_t *count, size_t *capacity,
                 rd_term term)
{
    if (*count == *capacity) {
        const size_t larger = 2 * *capacity + 16;
        rd_term *grown = realloc(*terms, larger * sizeof *grown);
        if (!grown) {
            symbols->failed = true;
            return;
        }
        *terms = grown;
        *capacity = larger;
    }
    (*terms)[(*count)++] = term;
}

static bool is_known(const struct symbols *symbols, rd_term term)
{
    for (size_t k = 0; k < symbols->n_functions; k++) {
        rd_term other = symbols->functions[k];
        if (other->kind == term->kind && other->n_kids == term->n_kids &&
            strcmp(other->name, term->name) == 0)
            return true;
    }
    return false;
}

static void find_symbols(void *self, rd_term part)
{
    struct symbols *symbols = self;
    if (part->kind == RD_TERM_CONSTANT)
        keep(symbols, &symbols->constants, &symbols->n_constants, &symbols->capacity_constants,
             part);
    if (part->kind != RD_TERM_APPLY && part->kind != RD_TERM_HOLDS)
        return;
    symbols->has_functions = true;
    if (!is_known(symbols, part))
        keep(symbols, &symbols->functions, &symbols->n_functions, &symbols->capacity_functions,
             part);
}

static void declare(const struct symbols *symbols, FILE *out)
{
    for (size_t k = 0; k < symbols->n_constants; k++)
        fprintf(out, "(declare-const |%s| Int)\n", symbols->constants[k]->name);
    for (size_t k = 0; k < symbols->n_functions; k++) {
        rd_term function = symbols->functions[k];
        fprintf(out, "(declare-fun |%s| (", function->name);
        for (unsigned n = 0; n < function->n_kids; n++)
            fputs(n ? " Int" : "Int", out);
        fprintf(out, ") %s)\n", function->kind == RD_TERM_HOLDS ? "Bool" : "Int");
    }
}

/* ---- the query ---- */

static void write_query(const struct rd_query *query, const struct symbols *symbols, FILE *out)
{
    if (query->with_model)
        fputs("(set-option :produce-models true)\n", out);
    fputs("(set-logic ALL)\n", out);
    declare(symbols, out);
    for (size_t k = 0; query->bound > 0 && k < symbols->n_constants; k++)
        fprintf(out, "(assert (<= (- %u) |%s| %u))\n", query->bound, symbols->constants[k]->name,
                query->bound);
    for (size_t list = 0; list < sizeof query->facts / sizeof *query->facts; list++)
        for (size_t k = 0; query->facts[list] && k < query->n_facts[list]; k++) {
            if (query->facts[list]->terms[k]->kind == RD_TERM_TRUE)
                continue;
            fputs("(assert ", out);
            rd_term_write(query->facts[list]->terms[k], out);
            fputs(")\n", out);
        }
    if (query->goal) {
        fputs("(assert (not ", out);
        rd_term_write(query->goal, out);
        fputs("))\n", out);
    }
    fputs("(check-sat)\n", out);
    if (!query->with_model || symbols->n_constants == 0)
        return;
    fputs("(get-value (", out);
    for (size_t k = 0; k < symbols->n_constants; k++)
        fprintf(out, "%s|%s|", k ? " " : "", symbols->constants[k]->name);
    fputs("))\n", out);
}

char *rd_query_text(const struct rd_query *query, bool *has_functions)
{
    struct rd_seen seen = {0};
    struct symbols symbols = {0};
    char *text = NULL;
    size_t size = 0;
    for (size_t list = 0; list < sizeof query->facts / sizeof *query->facts; list++)
        for (size_t k = 0; query->facts[list] && k < query->n_facts[list]; k++)
            rd_term_visit(query->facts[list]->terms[k], &seen, find_symbols, &symbols);
    if (query->goal)
        rd_term_visit(query->goal, &seen, find_symbols, &symbols);
    rd_seen_finish(&seen);
    FILE *out = open_memstream(&text, &size);
    if (out) {
        write_query(query, &symbols, out);
        if (ferror(out))
            symbols.failed = true;
        if (fclose(out) != 0)
            symbols.failed = true;
    }
    if (has_functions)
        *has_functions = symbols.has_functions;
    free(symbols.constants);
    free(symbols.functions);
    if (symbols.failed) {
        free(text);
        text = NULL;
    }
    return text;
}

/* ---- models ---- */

static const char *skip_spaces(const char *at)
{
    while (isspace((unsigned char)*at))
        at++;
    return at;
}

/* Passes over the text if it is next; else NULL. */
static const char *take(const char *at, char character)
{
    at = at ? skip_spaces(at) : NULL;
    return at && *at == character ? at + 1 : NULL;
}

static const char *take_name(const char *at, FILE *out)
{
    at = at ? skip_spaces(at) : NULL;
    if (!at)
        return NULL;
    const bool has_bars = *at == '|';
    at += has_bars;
    const size_t length = strcspn(at, has_bars ? "|" : "() \t\r\n|");
    if (length == 0 || (has_bars && at[length] != '|'))
        return NULL;
    fprintf(out, "%.*s = ", (int)length, at);
    return at + length + has_bars;
}

static const char *take_digits(const char *at, const char *sign, FILE *out)
{
    at = skip_spaces(at);
    const size_t length = strspn(at, "0123456789");
    fprintf(out, "%s%.*s\n", sign, (int)length, at);
    return length > 0 ? at + length : NULL;
}

static const char *take_number(const char *at, FILE *out)
{
    const char *inside = take(at, '(');
    if (inside) {
        inside = take(inside, '-');
        return inside ? take(take_digits(inside, "-", out), ')') : NULL;
    }
    return at ? take_digits(at, "", out) : NULL;
}

char *rd_query_model(const char *values)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    const char *at = take(values, '('), *end = NULL;
    while (at && !(end = take(at, ')'))) {
        at = take(at, '(');
        at = take_name(at, out);
        at = take_number(at, out);
        at = take(at, ')');
    }
    const bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed || !at || !end || *skip_spaces(end) != '\0') {
        free(text);
        return NULL;
    }
    return text;
}
