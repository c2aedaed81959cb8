// SPDX-License-Identifier: MIT
/* What a program promises of a loop's array behind the loop: which 'ensures' that are, and their laws as a goal of the loop. */
#include "check/source/lexer.h"
#include "check/playback/played_internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- which they are ---- */

static bool same_cells(const struct rd_played_array *x, const struct rd_played_array *y)
{
    return x->type == y->type && x->count == y->count && x->cells && y->cells &&
           memcmp(x->cells, y->cells, x->count * rd_numeric(x->type)->size_bytes) == 0;
}

static bool same_array(const struct rd_annotation *x, const struct rd_annotation *y)
{
    return x->array.expression && y->array.expression && x->scalar == y->scalar &&
           strcmp(x->array.expression, y->array.expression) == 0;
}

/* Where promises of the loop end: at the end of a loop around it that has an invariant of the same array, which they would be of. */
static const char *promises_end(const struct rd_played_loop *loop)
{
    const struct rd_annotation *of = loop->annotation;
    const char *end = NULL;
    for (size_t k = 0; k < loop->file->n; k++) {
        const struct rd_annotation *one = &loop->file->all[k];
        if (one->kind == RD_ANNOTATION_INVARIANT && one->function == of->function &&
            one->loop < of->loop && one->loop_end >= of->loop_end && same_array(one, of) &&
            (!end || one->loop_end < end))
            end = one->loop_end;
    }
    return end;
}

static bool is_behind(const char *at, const char *end)
{
    return end && at >= end;
}

bool rd_played_has_promise(const struct rd_played_loop *loop)
{
    const struct rd_annotation *of = loop->annotation;
    for (size_t k = 0; k < loop->file->n; k++) {
        const struct rd_annotation *one = &loop->file->all[k];
        if (one->function != of->function || one->word < of->loop_end || !same_array(one, of) ||
            is_behind(one->word, promises_end(loop)))
            continue;
        if (one->kind == RD_ANNOTATION_ENSURES)
            return true;
        if (one->kind == RD_ANNOTATION_INVARIANT)
            return false;
    }
    return false;
}

/* Tells whether the event is a promise that was made of the loop's array in this block, or warp. */
static bool is_promise(const struct rd_played_loop *loop, const struct rd_played_event *event)
{
    const struct rd_played_event *last = loop->evaluations[loop->n - 1];
    const struct rd_annotation *one = event->annotation, *of = loop->annotation;
    return one->kind == RD_ANNOTATION_ENSURES && !event->lack && same_array(one, of) &&
           event->warp == last->warp;
}

/* Tells whether promises of the loop end at the event: another loop of that array begins, the same statement is come to again, or
 * it is behind the end of the loop around. */
static bool ends_promises(const struct rd_played_loop *loop, const struct rd_played_event *event)
{
    const struct rd_annotation *one = event->annotation, *of = loop->annotation;
    bool ends = loop->n_promises > 0 && one->kind == RD_ANNOTATION_INVARIANT && same_array(one, of);
    for (unsigned k = 0; k < loop->n_promises; k++)
        ends = ends || loop->promises[k]->site == event->site;
    return ends || (is_promise(loop, event) && one->function == of->function &&
                    is_behind(one->word, promises_end(loop)));
}

/* Adds a promise; false where there can be no more. */
static bool add_promise(struct rd_played_loop *loop, const struct rd_played_event *event)
{
    const struct rd_played_event *last = loop->evaluations[loop->n - 1];
    if (!same_cells(&event->array, &last->array)) {
        if (loop->n_promises == 0)
            snprintf(loop->open, sizeof loop->open,
                     "%s is no longer what it was at the loop's end where 'ensures', line %u, "
                     "speaks of it",
                     loop->annotation->array.expression, event->annotation->line);
        return false;
    }
    if (loop->n_promises == RD_PLAYED_PROMISES_MAX) {
        loop->n_promises = 0;
        snprintf(loop->open, sizeof loop->open,
                 "more than %d 'ensures' behind the loop speak of %s: join some by ';'",
                 RD_PLAYED_PROMISES_MAX, loop->annotation->array.expression);
        return false;
    }
    loop->promises[loop->n_promises++] = event;
    return true;
}

void rd_played_promise_find(const struct rd_played *played, struct rd_played_loop *loop)
{
    const struct rd_played_event *last = loop->evaluations[loop->n - 1];
    snprintf(loop->open, sizeof loop->open,
             "no 'ensures' that speaks of %s was reached behind the loop",
             loop->annotation->array.expression);
    for (size_t k = loop->last + 1; k < played->n_events; k++) {
        const struct rd_played_event *event = &played->events[k];
        if (event->block != last->block || (event->site == last->site && event->warp != last->warp))
            continue;
        if (event->site == last->site)
            return; /* the loop was begun again */
        if (event->warp != last->warp)
            continue;
        if (ends_promises(loop, event) || (is_promise(loop, event) && !add_promise(loop, event)))
            return;
    }
}

/* ---- their laws as a goal ---- */

static bool has_name(const struct rd_annotation *of, const char *word, size_t length)
{
    for (size_t k = 0; k < of->n_names; k++)
        if (rd_lexer_is(word, length, of->names[k].alias))
            return true;
    return false;
}

#define OF_PROMISE "OfPromise"

/* Writes a promise's law with other names for the indices that it binds, where the loop's law takes a variable by such a name. */
static char *with_own_indices(const char *law, const struct rd_annotation *of_loop,
                              const struct rd_annotation *of_promise)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    for (const char *at = law; out && *at;) {
        const size_t length = rd_lexer_word_length(at);
        fwrite(at, 1, length ? length : 1, out);
        if (length > 0 && has_name(of_loop, at, length) && !has_name(of_promise, at, length))
            fputs(OF_PROMISE, out);
        at += length ? length : 1;
    }
    if (!out || fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* The law of one promise. */
static char *goal_of(const struct rd_played_loop *loop, const struct rd_played_event *promise)
{
    const struct rd_annotation *ensures = promise->annotation;
    char *law = strcmp(ensures->array.alias, loop->annotation->array.alias) == 0
                    ? rd_played_law_text(ensures, promise->values, NULL)
                    : NULL;
    char *goal = law ? with_own_indices(law, loop->annotation, ensures) : NULL;
    free(law);
    return goal;
}

/* Joined by a semicolon, as laws are. */
char *rd_played_promise_goal(const struct rd_played_loop *loop, unsigned first, unsigned n)
{
    char *all = NULL;
    for (unsigned k = first; k < first + n; k++) {
        char *one = goal_of(loop, loop->promises[k]), *joined = NULL;
        if (one && asprintf(&joined, "%s%s%s", all ? all : "", all ? "; " : "", one) < 0)
            joined = NULL;
        free(one);
        free(all);
        all = joined;
        if (!all)
            return NULL;
    }
    return all;
}

/* Writes the text in one line. */
static void write_words(const char *text, FILE *out)
{
    for (; *text; text++)
        if (!isspace((unsigned char)*text))
            fputc(*text, out);
        else if (!isspace((unsigned char)text[1]))
            fputc(' ', out);
}

char *rd_played_promise_words(const struct rd_played_loop *loop, unsigned first, unsigned n)
{
    char *words = NULL;
    size_t size;
    FILE *out = open_memstream(&words, &size);
    for (unsigned k = first; out && k < first + n; k++) {
        fputs(k > first ? "; " : "", out);
        write_words(loop->promises[k]->annotation->text, out);
    }
    if (out && fclose(out) == 0)
        return words;
    free(words);
    return NULL;
}

void rd_played_promise_restore(char *text)
{
    for (char *at; (at = strstr(text, OF_PROMISE));)
        memmove(at, at + strlen(OF_PROMISE), strlen(at + strlen(OF_PROMISE)) + 1);
}
