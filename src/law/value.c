// SPDX-License-Identifier: MIT
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

/* Reads the paragraph of `before`, the author's text and `behind`, and makes a run of it. */
static enum rd_status read_between(const char *before, const char *author, const char *behind,
                                   const struct rd_law_sizes *sizes, struct rd_law **law,
                                   struct rd_law_run **run, struct rd_law_error *error)
{
    char *text = NULL;
    if (asprintf(&text, "%s%s%s", before, author, behind) < 0)
        return rd_law_fail_at(NULL, error, (struct law_span){0}, RD_ERROR_MEMORY,
                              "no memory for a law");
    enum rd_status status = rd_law_read(law, text, strlen(before) + strlen(behind), false, error);
    free(text);
    return status == RD_OK ? rd_law_run_create(run, *law, sizes, error) : status;
}

static void forget(struct rd_law *law, struct rd_law_run *run, const char *before,
                   enum rd_status status, struct rd_law_error *error)
{
    if (status != RD_OK && error && error->line == 1)
        error->column -= strlen(before);
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

enum rd_status rd_law_holds(const char *condition, const struct rd_law_sizes *sizes, bool *holds,
                            struct rd_law_error *error)
{
    struct rd_law *law = NULL;
    struct rd_law_run *run = NULL;
    enum rd_status status =
        read_between(BEFORE_CONDITION, condition, BEHIND_CONDITION, sizes, &law, &run, error);
    if (status == RD_OK) {
        rd_law_run_begin(run, error);
        if (rd_law_run_go(run, law->sections[0], NULL))
            rd_law_condition(run, law->sections[0]->claims[RD_LAW_LAW].claims[0].when, holds);
        status = run->status;
    }
    forget(law, run, BEFORE_CONDITION, status, error);
    return status;
}
