// SPDX-License-Identifier: MIT
#include "check/unit/launches.h"
#include "check/source/expression.h"
#include "element/values_text.h"
#include "check/source/kernel_names.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 200 };

static enum rd_status refuse(const char *text, const char *why, struct rd_error *error)
{
    return rd_fail(error, RD_ERROR_USAGE,
                   "'--launch' is '%.*s', which %s: write 'KERNEL<<<GRID, BLOCK>>>(SPEC, ...)'",
                   TEXT_MAX, text, why);
}

/* The length up to a comma, or `last`, that no bracket encloses. */
static size_t part_length(const char *text, const char *end)
{
    size_t k = 0;
    for (int depth = 0; text + k < end && (depth > 0 || text[k] != ','); k++)
        depth += (strchr("{[(", text[k]) != NULL) - (strchr("}])", text[k]) != NULL);
    return k;
}

static const char *trim(const char *text, size_t *length)
{
    while (*length > 0 && *text == ' ')
        text++, --*length;
    while (*length > 0 && text[*length - 1] == ' ')
        --*length;
    return text;
}

/* X, dim3(X, Y) or dim3(X, Y, Z). */
static enum rd_status read_dim(const char *text, size_t length, struct rd_index3 *dim,
                               struct rd_error *error)
{
    unsigned n[3] = {1, 1, 1};
    text = trim(text, &length);
    if (length > 6 && strncmp(text, "dim3(", 5) == 0 && text[length - 1] == ')') {
        text += 5;
        length -= 6;
    }
    const char *end = text + length;
    for (unsigned k = 0; text < end; k++) {
        int64_t value;
        size_t part = part_length(text, end);
        enum rd_status status = rd_check_expression(text, part, &value, error);
        if (status != RD_OK)
            return status;
        if (k == 3 || value < 0 || value > UINT32_MAX)
            return rd_fail(error, RD_ERROR_USAGE,
                           "'%.*s' is no grid and no block: write X, or "
                           "dim3(X, Y, Z)",
                           (int)length, text);
        n[k] = (unsigned)value;
        text += part + (text + part < end);
    }
    *dim = (struct rd_index3){n[0], n[1], n[2]};
    return RD_OK;
}

static enum rd_status read_shape(struct rd_check_launch *launch, const char *whole,
                                 const char *text, const char *end, struct rd_error *error)
{
    const char *parts[3];
    size_t lengths[3];
    unsigned n = 0;
    int64_t shared = 0;
    for (; text < end && n < 3; n++) {
        parts[n] = text;
        lengths[n] = part_length(text, end);
        text += lengths[n] + (text + lengths[n] < end);
    }
    if (n < 2 || text < end)
        return refuse(whole,
                      "has no grid and block, and perhaps bytes of shared memory, between "
                      "<<< and >>>",
                      error);
    enum rd_status status = read_dim(parts[0], lengths[0], &launch->grid, error);
    if (status == RD_OK)
        status = read_dim(parts[1], lengths[1], &launch->block, error);
    if (status == RD_OK && n == 3)
        status = rd_check_expression(parts[2], lengths[2], &shared, error);
    if (status == RD_OK && shared < 0)
        return refuse(whole, "has less than 0 bytes of shared memory", error);
    launch->shared_bytes = (size_t)shared;
    return status;
}

enum rd_status rd_check_launch_init(struct rd_check_launch *launch, const char *text, char **args,
                                    unsigned args_max, unsigned *n_args, struct rd_error *error)
{
    *launch = (struct rd_check_launch){.first = *n_args};
    const char *open = strstr(text, "<<<"), *close = open ? strstr(open, ">>>") : NULL;
    if (!close)
        return refuse(text, "has no <<<GRID, BLOCK>>>", error);
    size_t length = (size_t)(open - text);
    const char *name = trim(text, &length);
    launch->kernel = strndup(name, length);
    if (!launch->kernel)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for '--launch'");
    if (!rd_check_kernel_is_name(launch->kernel))
        return refuse(text, "names no kernel", error);
    enum rd_status status = read_shape(launch, text, open + 3, close, error);
    const char *at = close + 3 + strspn(close + 3, " ");
    size_t rest = strlen(at);
    at = trim(at, &rest);
    if (status == RD_OK && (rest < 2 || *at != '(' || at[rest - 1] != ')'))
        return refuse(text, "has no arguments in brackets", error);
    const char *end = at + rest - 1;
    for (at++; status == RD_OK && at < end; launch->n_args++) {
        size_t part = part_length(at, end), used = part;
        const char *spec = trim(at, &used);
        if (used == 0 || *n_args == args_max)
            return refuse(text, used == 0 ? "has an empty argument" : "has too many arguments",
                          error);
        args[*n_args] = strndup(spec, used);
        if (!args[(*n_args)++])
            return rd_fail(error, RD_ERROR_MEMORY, "no memory for '--launch'");
        at += part + (at + part < end);
    }
    return status;
}

void rd_check_launch_finish(struct rd_check_launch *launch)
{
    free(launch->kernel);
    launch->kernel = NULL;
}

/* A text as it stands in a string of C. */
static void write_name(const char *text, FILE *file)
{
    for (; *text; text++)
        fprintf(file, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
}

void rd_check_launches_write(const struct rd_check_launch *launches, unsigned n, bool tells_returns,
                             FILE *file)
{
    fprintf(file, "__RD_CHECK_STEPS_BEGIN(%d)\n", tells_returns);
    for (unsigned k = 0; k < n; k++) {
        const struct rd_check_launch *launch = &launches[k];
        const struct rd_index3 *g = &launch->grid, *b = &launch->block;
        fprintf(file, "#line %u \"--launch\"\n__RD_CHECK_STEP(%u, \"", k + 1, k);
        write_name(launch->kernel, file);
        fprintf(file, "\", %u, %u, %u, %u, %u, %u, %u, %zu, ", k + 1, g->x, g->y, g->z, b->x, b->y,
                b->z, launch->shared_bytes);
        rd_check_kernel_expression(launch->kernel, file);
        fputs(")\n", file);
    }
    fputs("__RD_CHECK_STEPS_END(", file);
    for (unsigned k = 0; k < n; k++)
        fprintf(file, "__rd_describe_step%u(); ", k);
    fputs(", ", file);
    for (unsigned k = 0; k < n; k++)
        fprintf(file, "__rd_step%u(arguments); ", k);
    fputs(")\n", file);
}
