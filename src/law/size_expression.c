// SPDX-License-Identifier: MIT
/* Expressions and conditions of n, T and B that stand by themselves, outside of a law: each is read within a paragraph that
 * is made around it. */
#include "law/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As the size of an array that is all of a paragraph. */
#define BEFORE "array A["
#define BEHIND "] law A = 0"

/* And as the condition of the law of one. */
#define BEFORE_CONDITION "array A[n] law when "
#define BEHIND_CONDITION ": A = 0"

/* Finds what would end the author's part of the paragraph before its end: a bracket that it doesn't open, or what stands
 * between an array's sizes, or behind a condition. NULL where there is none. */
static const char *find_end(const char *author)
{
    int depth = 0;
    for (const char *at = author; *at; at++) {
        if (*at == '(' || *at == '[')
            depth++;
        else if ((*at == ')' || *at == ']') && depth-- == 0)
            return at;
        else if (*at == ':' || *at == ';' || *at == '#' || (*at == ',' && depth == 0))
            return at;
    }
    return NULL;
}

/* Reads the paragraph of `before`, the author's text and `behind`, and makes a run of it. */
static enum rd_status read_between(const char *before, const char *author, const char *behind,
                                   const struct rd_law_sizes *sizes, struct rd_law **law,
                                   struct rd_law_run **run, struct rd_law_error *error)
{
    char *text = NULL;
    const char *end = find_end(author);
    if (end) {
        rd_law_fail_at(NULL, error, (struct law_span){0}, RD_ERROR_USAGE,
                       "'%c' can't stand in an expression of n, T and B", *end);
        if (error) {
            error->line = 1;
            error->column = strlen(before) + (size_t)(end - author) + 1;
        }
        return RD_ERROR_USAGE;
    }
    if (asprintf(&text, "%s%s%s", before, author, behind) < 0)
        return rd_law_fail_at(NULL, error, (struct law_span){0}, RD_ERROR_MEMORY,
                              "no memory for a law");
    enum rd_status status = rd_law_read(law, text, strlen(before) + strlen(behind), false, error);
    free(text);
    return status == RD_OK ? rd_law_run_create(run, *law, sizes, error) : status;
}

/* Moves the place of an error into the author's text; one of what stands before it, or of no place, has none. */
static void place_in_text(const char *before, struct rd_law_error *error)
{
    if (!error || error->line != 1)
        return;
    if (error->column > strlen(before))
        error->column -= strlen(before);
    else
        error->line = error->column = 0;
}

static void forget(struct rd_law *law, struct rd_law_run *run, const char *before,
                   enum rd_status status, struct rd_law_error *error)
{
    if (status != RD_OK)
        place_in_text(before, error);
    rd_law_run_destroy(run);
    rd_law_destroy(law);
}

enum rd_status rd_law_value(const char *expression, const struct rd_law_sizes *sizes,
                            uint64_t *value, struct rd_law_error *error)
{
    struct rd_law *law = NULL;
    struct rd_law_run *run = NULL;
    enum rd_status status = read_between(BEFORE, expression, BEHIND, sizes, &law, &run, error);
    if (status == RD_OK)
        status = rd_law_array_size(run, rd_law_section(law, 0), NULL, value, error);
    forget(law, run, BEFORE, status, error);
    return status;
}

/* ---- conditions ---- */

struct rd_law_condition {
    struct rd_law *law;
    struct rd_law_run *run;
};

enum rd_status rd_law_condition_create(struct rd_law_condition **condition, const char *text,
                                       struct rd_law_error *error)
{
    const struct rd_law_sizes sizes = {.n = 1, .T = 1, .B = 1};
    struct rd_law_condition made = {NULL, NULL};
    enum rd_status status =
        read_between(BEFORE_CONDITION, text, BEHIND_CONDITION, &sizes, &made.law, &made.run, error);
    struct rd_law_condition *kept = status == RD_OK ? malloc(sizeof *kept) : NULL;
    if (kept) {
        *kept = made;
        *condition = kept;
        return RD_OK;
    }
    forget(made.law, made.run, BEFORE_CONDITION, status, error);
    return status != RD_OK ? status
                           : rd_law_fail_at(NULL, error, (struct law_span){0}, RD_ERROR_MEMORY,
                                            "no memory for a law");
}

enum rd_status rd_law_condition_holds(struct rd_law_condition *condition,
                                      const struct rd_law_sizes *sizes, bool *holds,
                                      struct rd_law_error *error)
{
    struct rd_law_run *run = condition->run;
    const struct rd_law_section *section = condition->law->sections[0];
    rd_law_run_begin(run, error);
    if (rd_law_run_resize(run, sizes) && rd_law_run_go(run, section, NULL))
        rd_law_condition(run, section->claims[RD_LAW_LAW].claims[0].when, holds);
    if (run->status != RD_OK)
        place_in_text(BEFORE_CONDITION, error);
    return run->status;
}

void rd_law_condition_destroy(struct rd_law_condition *condition)
{
    if (condition)
        forget(condition->law, condition->run, BEFORE_CONDITION, RD_OK, NULL);
    free(condition);
}

enum rd_status rd_law_holds(const char *condition, const struct rd_law_sizes *sizes, bool *holds,
                            struct rd_law_error *error)
{
    struct rd_law_condition *read;
    enum rd_status status = rd_law_condition_create(&read, condition, error);
    if (status != RD_OK)
        return status;
    status = rd_law_condition_holds(read, sizes, holds, error);
    rd_law_condition_destroy(read);
    return status;
}
