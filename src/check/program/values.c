// SPDX-License-Identifier: MIT
/* Values that the user wants a program's inputs to have. */
#include "check/program/laws.h"
#include "check/program/program.h"

#include <stdlib.h>
#include <string.h>

static bool is_listed(char *const *names, size_t n, const char *before, const char *alias)
{
    const size_t length = strlen(before);
    for (size_t k = 0; k < n; k++)
        if (strncmp(names[k], before, length) == 0 && strcmp(names[k] + length, alias) == 0)
            return true;
    return false;
}

/* Tells whether laws speak of the input's values, and none of them in a condition or an index: there, others may be beyond what
 * the program has room for. */
static bool is_open(const struct rd_check_laws *laws, const char *alias)
{
    bool is_used = false;
    for (unsigned file = 0; file < laws->n_files; file++)
        for (size_t k = 0; k < laws->files[file].n; k++) {
            const struct rd_annotation *of = &laws->files[file].all[k];
            if (is_listed(of->tables, of->n_tables, RD_ANNOTATION_VALUE, alias))
                return false;
            is_used = is_used || is_listed(of->inputs, of->n_inputs, "", alias);
        }
    return is_used;
}

/* Tells whether the run has values for the input at that annotation. */
static bool has_values(const struct rd_check_program_run *run, unsigned site)
{
    for (unsigned k = 0; k < run->n_given; k++)
        if (run->given[k].site == site)
            return true;
    return false;
}

/* Copies the elements as the program has them. */
static enum rd_status copy_own(const struct rd_played_array *array, void **own,
                               struct rd_error *error)
{
    const size_t size = array->count * rd_numeric(array->type)->size_bytes;
    *own = malloc(size);
    if (!*own)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the values of an input");
    memcpy(*own, array->cells, size);
    rd_played_store(array, array->count, *own);
    return RD_OK;
}

enum rd_status rd_check_values_init(struct rd_check_values *values, const char *spec,
                                    const struct rd_check_laws *laws,
                                    struct rd_check_program_run *run, struct rd_error *error)
{
    const struct rd_played *played = &laws->played;
    enum rd_status status = RD_OK;
    *values = (struct rd_check_values){0};
    for (size_t k = 0; k < played->n_events && status == RD_OK; k++) {
        const struct rd_played_event *event = &played->events[k];
        const struct rd_annotation *of = event->annotation;
        if (of->kind != RD_ANNOTATION_INPUT || event->lack || has_values(run, event->site) ||
            !is_open(laws, of->array.alias))
            continue;
        if (values->n == RD_CHECK_GIVEN_MAX)
            return rd_fail(error, RD_ERROR_USAGE, "'--values' is for at most %d inputs",
                           RD_CHECK_GIVEN_MAX);
        if (values->n > 0 && !rd_values_is_generator(spec))
            return rd_fail(error, RD_ERROR_USAGE,
                           "'--values' is '%.100s', and the program has more than one input: use "
                           "iota, ones, powers, random, edges or marked",
                           spec);
        struct rd_values *made = &values->all[values->n];
        const bool second = values->n % 2 != 0;
        status = rd_values_init(made, rd_numeric(event->array.type), spec, event->array.count,
                                event->array.count, second, error);
        if (status != RD_OK)
            break;
        values->n++;
        if (!rd_played_store(&event->array, event->array.count, second ? made->b : made->a))
            return rd_fail(
                error, RD_ERROR_USAGE,
                "'--values' is '%.100s', and the elements of '%s', of %u bits, have no room "
                "for all of them: use ones, marked, or a list of smaller numbers",
                spec, of->array.expression, 8 * event->array.narrow_bytes);
        void **own = &values->own[values->n - 1];
        status = copy_own(&event->array, own, error);
        run->given[run->n_given++] =
            (struct rd_check_given){event->site, second ? made->b : made->a, *own,
                                    rd_played_bytes(&event->array, event->array.count)};
        const size_t length = strlen(values->names);
        snprintf(values->names + length, sizeof values->names - length, "%s%s", length ? ", " : "",
                 of->array.expression);
    }
    if (status == RD_OK && values->n == 0)
        return rd_fail(error, RD_ERROR_USAGE,
                       "'--values' has no input to set: no law adds up the elements of an 'input' "
                       "that was reached");
    return status;
}

void rd_check_values_finish(struct rd_check_values *values)
{
    for (unsigned k = 0; k < values->n; k++)
        rd_values_finish(&values->all[k]);
    for (unsigned k = 0; k < values->n; k++)
        free(values->own[k]);
    *values = (struct rd_check_values){0};
}
