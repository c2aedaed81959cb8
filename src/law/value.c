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
    if (run->status != RD_OK && error && error->line == 1)
        error->column -= strlen(BEFORE_CONDITION);
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
