// SPDX-License-Identifier: MIT
/* An annotated loop as a program, of its paragraph, which the driver plays. */
#include "check/playback/played_internal.h"
#include "program/definition.h"

#include <stdlib.h>
#include <string.h>

/* Looks whether the law can be asserted at all: the same array each time, and all values. */
static void check_evaluations(struct rd_played_loop *loop)
{
    const struct rd_played_array *first = &loop->evaluations[0]->array;
    for (size_t k = 0; k < loop->n; k++) {
        const struct rd_played_event *one = loop->evaluations[k];
        if (one->lack)
            rd_played_leave_out(loop, "at evaluation %zu: %s", k, one->lack);
        else if (one->array.type != first->type || one->array.count != first->count)
            rd_played_leave_out(
                loop,
                "the array has %zu elements of %s at evaluation %zu, and %zu of %s before: it "
                "is another one",
                one->array.count, rd_numeric(one->array.type)->name, k, first->count,
                rd_numeric(first->type)->name);
    }
}

/* "fold.cu:12": the file and the line, of what a recorded program's name may have in it. */
static void make_name(const struct rd_played_loop *loop, char *name, size_t size)
{
    enum { FILE_MAX = 50 };
    const char *slash = strrchr(loop->file->file, '/'),
               *base = slash ? slash + 1 : loop->file->file;
    size_t n = 0;
    for (; *base && n < FILE_MAX; base++)
        name[n++] = strchr(RD_PROGRAM_PLAYED_NAME, *base) ? *base : '_';
    snprintf(name + n, size - n, ":%u", loop->annotation->line);
}

/* Makes it, with the promise or without. */
static enum rd_status define(const struct rd_played *played, struct rd_played_loop *loop,
                             const char *paragraph, const char *goal, struct rd_error *error)
{
    char *words = goal ? rd_played_promise_words(loop, 0, loop->n_promises) : NULL;
    char name[80], summary[200], accept[120];
    make_name(loop, name, sizeof name);
    snprintf(summary, sizeof summary, "%s of %.100s, line %u",
             loop->annotation->kind == RD_ANNOTATION_INVARIANT ? "an invariant" : "a law",
             loop->file->file, loop->annotation->line);
    snprintf(accept, sizeof accept, "n = %zu else the run that was recorded has n = %zu",
             loop->size, loop->size);
    struct rd_played_source source;
    rd_played_source_init(&source, played, loop);
    const struct rd_program program = {
        .size = sizeof program,
        .name = name,
        .summary = summary,
        .law = paragraph,
        .goal = goal               ? RD_GOAL_LAST
                : loop->is_unasked ? RD_GOAL_UNASKED
                                   : RD_GOAL_NONE,
        .goal_text = goal,
        .goal_words = words,
        .accept = accept,
        .n = loop->size,
        .type = loop->evaluations[0]->array.type,
        .played = true,
        .source_file = source.text ? loop->file->file : NULL,
        .source_text = source.text,
        .source_parts = source.parts,
    };
    const enum rd_status status = rd_program_define(&program, &loop->program, error);
    rd_played_source_finish(&source);
    free(words);
    return status;
}

/* Makes the paragraph of the promise alone. */
static void make_goal(const struct rd_played *played, struct rd_played_loop *loop)
{
    char *goal = rd_played_promise_goal(loop, 0, loop->n_promises);
    loop->goal_paragraph = goal ? rd_played_paragraph(played, loop, goal) : NULL;
    free(goal);
}

/* Makes the program with `n` promises from that one on, if they follow from the law. */
static enum rd_status define_with(const struct rd_played *played, struct rd_played_loop *loop,
                                  const char *paragraph, unsigned first, unsigned n,
                                  struct rd_error *why)
{
    char *goal = rd_played_promise_goal(loop, first, n);
    why->text[0] = '\0';
    const enum rd_status status =
        goal ? define(played, loop, paragraph, goal, why) : RD_ERROR_USAGE;
    free(goal);
    return status;
}

/* Finds the first promise that doesn't follow alone, and the reason; where each does, the reason stays. */
static const struct rd_annotation *find_open(const struct rd_played *played,
                                             struct rd_played_loop *loop, const char *paragraph,
                                             struct rd_error *why)
{
    for (unsigned k = 0; k < loop->n_promises && loop->n_promises > 1; k++) {
        struct rd_error own;
        if (define_with(played, loop, paragraph, k, 1, &own) != RD_OK) {
            *why = own;
            return loop->promises[k]->annotation;
        }
        rd_program_release(loop->program);
        loop->program = NULL;
    }
    return loop->promises[0]->annotation;
}

/* Makes the program with all promises, if they follow from the law. */
static enum rd_status define_with_goal(const struct rd_played *played, struct rd_played_loop *loop,
                                       const char *paragraph, struct rd_error *error)
{
    struct rd_error why;
    const enum rd_status status = define_with(played, loop, paragraph, 0, loop->n_promises, &why);
    if (status == RD_ERROR_MEMORY)
        return rd_fail(error, status, "%s", why.text);
    loop->open[0] = '\0';
    if (status == RD_OK)
        return RD_OK;
    const struct rd_annotation *of = find_open(played, loop, paragraph, &why);
    snprintf(loop->open, sizeof loop->open,
             "'ensures', line %u, doesn't follow from the invariant at the loop's end: %.250s",
             of->line, why.text);
    rd_played_promise_restore(loop->open);
    return RD_OK;
}

enum { EVALUATIONS_MAX = 4096 };

enum rd_status rd_played_loop_make(const struct rd_played *played, struct rd_played_loop *loop,
                                   struct rd_error *error)
{
    check_evaluations(loop);
    if (!loop->why.text[0])
        rd_played_take_inputs(played, loop, loop->annotation);
    if (loop->annotation->kind == RD_ANNOTATION_INVARIANT)
        rd_played_promise_find(played, loop);
    loop->is_unasked = loop->annotation->kind == RD_ANNOTATION_INVARIANT && loop->n_promises == 0 &&
                       !rd_played_has_promise(loop);
    if (loop->is_unasked)
        snprintf(loop->open, sizeof loop->open,
                 "no 'ensures' behind the loop says what %s holds there",
                 loop->annotation->array.expression);
    for (unsigned k = 0; k < loop->n_promises && !loop->why.text[0]; k++)
        rd_played_take_inputs(played, loop, loop->promises[k]->annotation);
    if (loop->why.text[0])
        return RD_OK;
    loop->size =
        loop->n_inputs > 0 ? loop->inputs[0]->array.count : loop->evaluations[0]->array.count;
    char *paragraph = rd_played_paragraph(played, loop, NULL);
    enum rd_status status =
        paragraph ? RD_OK : rd_fail(error, RD_ERROR_MEMORY, "no memory for an annotation");
    loop->is_long = loop->n > EVALUATIONS_MAX;
    if (loop->is_long)
        rd_played_leave_out(
            loop, "the loop's condition was evaluated %zu times, and %d can be played back",
            loop->n, EVALUATIONS_MAX);
    if (status == RD_OK && loop->n_promises > 0 && !loop->is_long)
        status = define_with_goal(played, loop, paragraph, error);
    if (status == RD_OK && !loop->program && !loop->is_long)
        status = define(played, loop, paragraph, NULL, &loop->why);
    loop->paragraph = paragraph;
    if (status != RD_ERROR_MEMORY && loop->n_promises > 0 && !loop->program)
        make_goal(played, loop);
    return status == RD_ERROR_MEMORY ? status : RD_OK;
}

void rd_played_loop_finish(struct rd_played_loop *loop)
{
    rd_program_release(loop->program);
    free(loop->paragraph);
    free(loop->goal_paragraph);
    free(loop->evaluations);
    for (unsigned k = 0; k < loop->n_tables; k++)
        free(loop->tables[k].cells);
    for (unsigned k = 0; k < 2; k++) {
        if (loop->converted[k])
            free(loop->converted[k]->array.cells);
        free(loop->converted[k]);
    }
    *loop = (struct rd_played_loop){0};
}
