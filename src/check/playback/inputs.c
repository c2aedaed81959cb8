// SPDX-License-Identifier: MIT
/* The inputs of an annotated loop: values that were told before it, in the array's type, as ones to count by, or as numbers for
 * conditions and indices. */
#include "check/playback/played.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

void rd_played_leave_out(struct rd_played_loop *loop, const char *format, ...)
{
    va_list arguments;
    if (loop->why.text[0])
        return;
    va_start(arguments, format);
    vsnprintf(loop->why.text, sizeof loop->why.text, format, arguments);
    va_end(arguments);
}

static bool same_values(const struct rd_played_event *x, const struct rd_played_event *y)
{
    const struct rd_played_array *left = &x->array, *right = &y->array;
    return !x->lack && !y->lack && left->type == right->type && left->count == right->count &&
           memcmp(left->cells, right->cells, left->count * rd_numeric(left->type)->size_bytes) == 0;
}

/* The values of the input, as they were told last before the event: in the law's function, or else in any other. NULL, with the
 * reason: they were not told, or functions have told several of that name. */
static const struct rd_played_event *input_before(const struct rd_played *played,
                                                  struct rd_played_loop *loop, const char *alias)
{
    const struct rd_played_event *last = NULL, *other = NULL;
    for (const struct rd_played_event *one = loop->evaluations[0]; one-- > played->events;) {
        const struct rd_annotation *of = one->annotation;
        if (of->kind != RD_ANNOTATION_INPUT || strcmp(of->array.alias, alias) != 0)
            continue;
        if (of->function == loop->annotation->function)
            return one;
        if (!last)
            last = one;
        else if (of->function != last->annotation->function && !same_values(one, last))
            other = other ? other : one;
    }
    if (!last)
        rd_played_leave_out(
            loop, "the input %s was not told before: its annotation was not reached", alias);
    else if (other)
        rd_played_leave_out(loop,
                            "two functions have told inputs of the name %s, lines %u and %u, and "
                            "neither is that of the law",
                            alias, other->annotation->line, last->annotation->line);
    return other ? NULL : last;
}

/* The event, or one with the same numbers as the array's type has them; NULL: it doesn't have all of them. */
static const struct rd_played_event *of_the_array_s_type(struct rd_played_loop *loop,
                                                         const struct rd_played_event *event,
                                                         const char *alias)
{
    const enum rd_type type = loop->evaluations[0]->array.type;
    if (event->array.type == type)
        return event;
    struct rd_played_event *made = malloc(sizeof *made);
    if (made)
        *made = *event;
    if (made && rd_played_convert(&event->array, type, &made->array) == RD_OK) {
        made->array.narrow_bytes = event->array.narrow_bytes;
        made->array.narrow_least = event->array.narrow_least;
        made->array.narrow_most = event->array.narrow_most;
        return loop->converted[loop->n_inputs] = made;
    }
    free(made);
    rd_played_leave_out(
        loop,
        "the input %s is of %s, and the array of %s, which doesn't have all its numbers: a "
        "law is of one type",
        alias, rd_numeric(event->array.type)->name, rd_numeric(type)->name);
    return NULL;
}

/* As many ones as the input has elements: what they add up to is their number. */
static const struct rd_played_event *ones(struct rd_played_loop *loop,
                                          const struct rd_played_event *event)
{
    const enum rd_type type = loop->evaluations[0]->array.type;
    const struct rd_numeric *numeric = rd_numeric(type);
    struct rd_played_event *made = malloc(sizeof *made);
    void *cells = malloc(event->array.count * numeric->size_bytes);
    if (!made || !cells) {
        free(made);
        free(cells);
        rd_played_leave_out(loop, "no memory for what is counted");
        return NULL;
    }
    *made = *event;
    made->array =
        (struct rd_played_array){.type = type, .count = event->array.count, .cells = cells};
    for (size_t k = 0; k < event->array.count; k++)
        numeric->store(cells, k, numeric->is_float ? numeric->from_double(1) : 1);
    loop->is_counted = true;
    return loop->converted[loop->n_inputs] = made;
}

static void take_input(const struct rd_played *played, struct rd_played_loop *loop,
                       const char *alias)
{
    for (unsigned k = 0; k < loop->n_inputs; k++)
        if (strcmp(loop->input_names[k], alias) == 0)
            return;
    const bool counts = begins(alias, RD_ANNOTATION_ONES);
    const struct rd_played_event *event =
        input_before(played, loop, alias + (counts ? strlen(RD_ANNOTATION_ONES) : 0));
    if (event && event->lack)
        rd_played_leave_out(loop, "the input %s is not known: %s", alias, event->lack);
    else if (event && event->pending)
        rd_played_leave_out(loop, "the input %s is not known: %s may still write it", alias,
                            event->pending);
    else if (event && loop->n_inputs == 2)
        rd_played_leave_out(loop, "there are more than two inputs");
    if (loop->why.text[0])
        return;
    const enum rd_type type = event->array.type;
    event = counts ? ones(loop, event) : of_the_array_s_type(loop, event, alias);
    if (!event)
        return;
    loop->input_types[loop->n_inputs] = type;
    loop->inputs[loop->n_inputs] = event;
    loop->input_names[loop->n_inputs++] = alias;
}

/* Numbers of an input for conditions and indices. */
static void take_table(const struct rd_played *played, struct rd_played_loop *loop,
                       const char *name)
{
    enum { NUMBERS_MAX = 1024 };
    const char *alias = name + strlen(RD_ANNOTATION_VALUE);
    const struct rd_played_event *event = input_before(played, loop, alias);
    struct rd_played_array numbers;
    for (unsigned k = 0; k < loop->n_tables; k++)
        if (strcmp(loop->table_names[k], name) == 0)
            return;
    if (!event)
        return;
    if (event->lack)
        rd_played_leave_out(loop, "the input %s is not known: %s", alias, event->lack);
    else if (event->pending)
        rd_played_leave_out(loop, "the input %s is not known: %s may still write it", alias,
                            event->pending);
    else if (event->array.count > NUMBERS_MAX)
        rd_played_leave_out(
            loop,
            "the input %s has %zu elements: conditions and indices speak of those of at most "
            "%d; where a literal sets its size, '--number NAME=%d' asserts it for so many",
            alias, event->array.count, NUMBERS_MAX, NUMBERS_MAX);
    else if (loop->n_tables == RD_PLAYED_TABLES_MAX)
        rd_played_leave_out(loop, "there are more than %d inputs in conditions and indices",
                            RD_PLAYED_TABLES_MAX);
    else if (rd_played_convert(&event->array, RD_TYPE_I64, &numbers) != RD_OK)
        rd_played_leave_out(loop,
                            "the input %s is of %s: conditions and indices speak of whole numbers",
                            alias, rd_numeric(event->array.type)->name);
    if (loop->why.text[0])
        return;
    loop->tables[loop->n_tables] = numbers;
    loop->table_names[loop->n_tables++] = name;
}

void rd_played_take_inputs(const struct rd_played *played, struct rd_played_loop *loop,
                           const struct rd_annotation *of)
{
    for (size_t k = 0; k < of->n_inputs; k++)
        take_input(played, loop, of->inputs[k]);
    for (size_t k = 0; k < of->n_tables; k++)
        take_table(played, loop, of->tables[k]);
}
