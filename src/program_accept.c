// SPDX-License-Identifier: MIT
/* Which shapes a program takes, as its texts say. */
#include "law/law.h"
#include "program.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { PART_MAX = 300 };

/* Copies the text up to the end, as far as there is room. */
static void copy_part(char part[PART_MAX], const char *text, const char *end)
{
    const size_t length = (size_t)(end - text);
    const size_t count = length < PART_MAX ? length : PART_MAX - 1;
    memcpy(part, text, count);
    part[count] = '\0';
}

/* {EXPR} as its number, {EXPR|NOUN} with the noun behind it. */
static void write_number(FILE *out, const char *text, const char *end,
                         const struct rd_law_sizes *sizes)
{
    const char *noun = memchr(text, '|', (size_t)(end - text));
    char expression[PART_MAX];
    uint64_t value;
    copy_part(expression, text, noun ? noun : end);
    if (rd_law_value(expression, sizes, &value, NULL) != RD_OK)
        fputs("?", out);
    else
        fprintf(out, "%llu", (unsigned long long)value);
    if (noun)
        fprintf(out, " %.*s%s", (int)(end - noun - 1), noun + 1, value == 1 ? "" : "s");
}

static enum rd_status refuse(const char *text, const char *end, const struct rd_law_sizes *sizes,
                             struct rd_error *error)
{
    char *message = NULL;
    size_t size;
    FILE *out = open_memstream(&message, &size);
    if (!out)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for what a program takes");
    while (text < end) {
        const char *close = *text == '{' ? memchr(text, '}', (size_t)(end - text)) : NULL;
        if (close)
            write_number(out, text + 1, close, sizes);
        else
            fputc(*text, out);
        text = close ? close + 1 : text + 1;
    }
    const bool written = fclose(out) == 0;
    const enum rd_status status =
        written ? rd_fail(error, RD_ERROR_USAGE, "%s", message)
                : rd_fail(error, RD_ERROR_MEMORY, "no memory for what a program takes");
    free(message);
    return status;
}

/* Evaluates a condition. Where there are no blocks, one that speaks of them holds, if it has a value where there
 * are some. */
static enum rd_status evaluate(const char *condition, const struct rd_shape *shape, bool *holds,
                               struct rd_error *error)
{
    struct rd_law_sizes sizes = {.n = shape->n, .T = shape->block, .B = shape->grid};
    struct rd_law_error why;
    enum rd_status status = rd_law_holds(condition, &sizes, holds, &why);
    if (status == RD_ERROR_USAGE && shape->grid == 0) {
        sizes.B = 1;
        status = rd_law_holds(condition, &sizes, holds, &why);
        *holds = true;
    }
    if (status == RD_OK)
        return RD_OK;
    return rd_fail(error, status, "'accept' asks '%.60s', column %zu: %s", condition, why.column,
                   why.what.text);
}

/* A line: CONDITION else MESSAGE. */
static enum rd_status accept_line(const char *line, const char *end, const struct rd_shape *shape,
                                  struct rd_error *error)
{
    static const char otherwise[] = " else ";
    const struct rd_law_sizes sizes = {.n = shape->n, .T = shape->block, .B = shape->grid};
    const char *message = strstr(line, otherwise);
    char condition[PART_MAX];
    bool holds;
    if (!message || message > end)
        return rd_fail(error, RD_ERROR_USAGE, "'%.60s' has no 'else' and no message", line);
    if (message - line >= PART_MAX)
        return rd_fail(error, RD_ERROR_USAGE,
                       "'accept' begins with '%.60s', a condition of more than %d characters", line,
                       PART_MAX - 1);
    copy_part(condition, line, message);
    const enum rd_status status = evaluate(condition, shape, &holds, error);
    if (status != RD_OK || holds)
        return status;
    return refuse(message + strlen(otherwise), end, &sizes, error);
}

static enum rd_status accept_own(const char *text, const struct rd_shape *shape,
                                 struct rd_error *error)
{
    enum rd_status status = RD_OK;
    while (text && *text && status == RD_OK) {
        const char *end = text + strcspn(text, "\n");
        status = accept_line(text, end, shape, error);
        text = *end ? end + 1 : end;
    }
    return status;
}

enum rd_status rd_program_accept(const struct rd_program *program, const struct rd_shape *shape,
                                 struct rd_error *error)
{
    if (shape->n == 0)
        return rd_fail(error, RD_ERROR_USAGE,
                       "'n' is 0, and there is nothing to reduce: give at least one element");
    if (shape->n > SIZE_MAX / 64)
        return rd_fail(error, RD_ERROR_USAGE, "'n' is %zu, more than memory can hold", shape->n);
    enum rd_status status = accept_own(program->accept, shape, error);
    if (status != RD_OK || shape->grid <= INT_MAX)
        return status;
    return rd_fail(
        error, RD_ERROR_USAGE,
        "'grid' is %zu, and a launch has at most %d blocks (cudaErrorInvalidConfiguration): "
        "use fewer, in which threads do more",
        shape->grid, INT_MAX);
}
