// SPDX-License-Identifier: MIT
/* The shapes that a program accepts, by its texts. */
#include "reductio/law.h"
#include "reductio/program.h"

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

/* ---- lines ---- */

/* CONDITION else MESSAGE */
struct line {
    const char *text, *end;
    struct rd_law_condition *condition; /* NULL: it was not asked yet */
};

struct rd_acceptance {
    size_t count;
    struct line lines[];
};

enum rd_status rd_acceptance_create(struct rd_acceptance **acceptance,
                                    const struct rd_program *program, struct rd_error *error)
{
    size_t count = 0;
    const char *text = program->accept ? program->accept : "";
    for (const char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n')
        count++;
    struct rd_acceptance *made = calloc(1, sizeof *made + count * sizeof *made->lines);
    if (!made)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for what a program takes");
    for (const char *at = text; *at; at += *at == '\n') {
        const char *end = at + strcspn(at, "\n");
        made->lines[made->count++] = (struct line){.text = at, .end = end};
        at = end;
    }
    *acceptance = made;
    return RD_OK;
}

void rd_acceptance_destroy(struct rd_acceptance *acceptance)
{
    for (size_t k = 0; acceptance && k < acceptance->count; k++)
        rd_law_condition_destroy(acceptance->lines[k].condition);
    free(acceptance);
}

static enum rd_status fail_at(const struct line *line, size_t length, enum rd_status status,
                              const struct rd_law_error *why, struct rd_error *error)
{
    char place[40] = "";
    if (why->column > 0)
        snprintf(place, sizeof place, ", column %zu", why->column);
    return rd_fail(error, status, "'accept' asks '%.*s'%s: %s", (int)(length < 60 ? length : 60),
                   line->text, place, why->what.text);
}

/* Evaluates a condition. Where there are no blocks, one that speaks of them holds, if it has a value where there
 * are some. */
static enum rd_status evaluate(struct line *line, size_t length, const struct rd_shape *shape,
                               bool *holds, struct rd_error *error)
{
    struct rd_law_sizes sizes = {.n = shape->n, .T = shape->block, .B = shape->grid};
    struct rd_law_error why;
    enum rd_status status = RD_OK;
    if (!line->condition) {
        char condition[PART_MAX];
        copy_part(condition, line->text, line->text + length);
        status = rd_law_condition_create(&line->condition, condition, &why);
    }
    if (status != RD_OK)
        return fail_at(line, length, status, &why, error);
    status = rd_law_condition_holds(line->condition, &sizes, holds, &why);
    if (status == RD_ERROR_USAGE && shape->grid == 0) {
        sizes.B = 1;
        status = rd_law_condition_holds(line->condition, &sizes, holds, &why);
        *holds = true;
    }
    return status == RD_OK ? RD_OK : fail_at(line, length, status, &why, error);
}

static enum rd_status ask_line(struct line *line, const struct rd_shape *shape,
                               struct rd_error *error)
{
    static const char otherwise[] = " else ";
    const struct rd_law_sizes sizes = {.n = shape->n, .T = shape->block, .B = shape->grid};
    const char *message = strstr(line->text, otherwise);
    const ptrdiff_t length = line->end - line->text, shown = length < 60 ? length : 60;
    bool holds;
    if (!message || message > line->end)
        return rd_fail(error, RD_ERROR_USAGE, "'%.*s' has no 'else' and no message", (int)shown,
                       line->text);
    if (message - line->text >= PART_MAX)
        return rd_fail(error, RD_ERROR_USAGE,
                       "'accept' begins with '%.*s', a condition of more than %d characters",
                       (int)shown, line->text, PART_MAX - 1);
    const enum rd_status status =
        evaluate(line, (size_t)(message - line->text), shape, &holds, error);
    if (status != RD_OK || holds)
        return status;
    if (!error)
        return RD_ERROR_USAGE;
    return refuse(message + strlen(otherwise), line->end, &sizes, error);
}

enum rd_status rd_acceptance_ask(struct rd_acceptance *acceptance, const struct rd_shape *shape,
                                 struct rd_error *error)
{
    enum rd_status status = RD_OK;
    if (shape->n == 0)
        return rd_fail(error, RD_ERROR_USAGE,
                       "'n' is 0, and there is nothing to reduce: give at least one element");
    if (shape->n > SIZE_MAX / 64)
        return rd_fail(error, RD_ERROR_USAGE, "'n' is %zu, more than memory can hold", shape->n);
    for (size_t k = 0; k < acceptance->count && status == RD_OK; k++)
        status = ask_line(&acceptance->lines[k], shape, error);
    if (status != RD_OK || shape->grid <= INT_MAX)
        return status;
    return rd_fail(
        error, RD_ERROR_USAGE,
        "'grid' is %zu, and a launch has at most %d blocks (cudaErrorInvalidConfiguration): "
        "use fewer, in which threads do more",
        shape->grid, INT_MAX);
}

enum rd_status rd_program_accept(const struct rd_program *program, const struct rd_shape *shape,
                                 struct rd_error *error)
{
    struct rd_acceptance *acceptance;
    enum rd_status status = rd_acceptance_create(&acceptance, program, error);
    if (status != RD_OK)
        return status;
    status = rd_acceptance_ask(acceptance, shape, error);
    rd_acceptance_destroy(acceptance);
    return status;
}
