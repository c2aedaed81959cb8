// SPDX-License-Identifier: MIT
#include "law/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As the size of an array that is all of a paragraph. */
#define BEFORE "array A["
#define BEHIND "] law A = 0"

enum rd_status rd_law_value(const char *expression, const struct rd_law_sizes *sizes,
                            uint64_t *value, struct rd_law_error *error)
{
    struct rd_law *law = NULL;
    struct rd_law_run *run = NULL;
    char *text = NULL;
    if (asprintf(&text, BEFORE "%s" BEHIND, expression) < 0)
        return rd_law_fail_at(NULL, error, (struct law_span){0}, RD_ERROR_MEMORY,
                              "no memory for a law");
    enum rd_status status = rd_law_read(&law, text, strlen(BEFORE BEHIND), error);
    free(text);
    if (status == RD_OK)
        status = rd_law_run_create(&run, law, sizes, error);
    if (status == RD_OK)
        status = rd_law_array_size(run, rd_law_section(law, 0), NULL, value, error);
    if (status != RD_OK && error && error->line == 1)
        error->column -= strlen(BEFORE);
    rd_law_run_destroy(run);
    rd_law_destroy(law);
    return status;
}
