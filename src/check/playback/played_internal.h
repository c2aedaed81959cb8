// SPDX-License-Identifier: MIT
/* Parts of what asserts a recorded run: private to this folder. */
#ifndef RD_CHECK_PLAYED_INTERNAL_H
#define RD_CHECK_PLAYED_INTERNAL_H

#include "check/playback/played.h"

#include <stdint.h>
#include <stdio.h>

/* ---- law.c ---- */

/* Writes the annotation's law, with what `write` makes of each of the program's names, and with the rounds, if they are given,
 * for d. */
void rd_played_law_write(const struct rd_annotation *annotation, const uint64_t *rounds, FILE *out,
                         void (*write)(const void *self, size_t name, FILE *out), const void *self);
/* The law with the values in the place of its names, and the rounds, if they are given, in that of d; NULL where there is
 * no memory. The caller frees it. */
char *rd_played_law_text(const struct rd_annotation *annotation, const int64_t *values,
                         const uint64_t *rounds);

/* Asserts a condition at all its events: it holds where it does at each of them. `n` is how often it was asserted; `text` says why
 * it doesn't hold, else it is "". */
enum rd_verdict rd_played_condition_judge(const struct rd_played *played,
                                          const struct rd_annotation *annotation, size_t *n,
                                          char text[RD_SENTENCE_SIZE]);

/* ---- paragraph.c ---- */

/* The loop in the language of laws; `goal`: with this in the law's place, if it is not NULL. NULL where there is no memory. The
 * caller frees it. */
char *rd_played_paragraph(const struct rd_played *played, const struct rd_played_loop *loop,
                          const char *goal);

/* ---- promise.c ---- */

/* Tells whether an 'ensures' of the array stands behind the loop, and before the next loop of that array's. */
bool rd_played_has_promise(const struct rd_played_loop *loop);
/* Finds what is promised of the loop's array behind it: sets `promises`, or `open`. */
void rd_played_promise_find(const struct rd_played *played, struct rd_played_loop *loop);
/* The laws of `n` promises from that one on as one, in the words of the loop; NULL: one is of an array that has another name in it,
 * or there is no memory. The caller frees it. */
char *rd_played_promise_goal(const struct rd_played_loop *loop, unsigned first, unsigned n);
/* These as their author wrote them, in one line; NULL where there is no memory. The caller frees it. */
char *rd_played_promise_words(const struct rd_played_loop *loop, unsigned first, unsigned n);
/* Makes a text about such a law one about the promise's own: its indices have the names that its author gave them. */
void rd_played_promise_restore(char *text);

/* ---- text.c ---- */

/* Tells whether a hazard leaves open what memory holds at event number `at`, and if so names it, with its place. */
bool rd_played_hazard_before(const struct rd_played *played, size_t at,
                             char text[RD_UNDEFINED_SIZE]);
/* Likewise, and writes the reason. */
bool rd_played_doubt(const struct rd_played *played, size_t at, char text[RD_SENTENCE_SIZE]);

/* ---- judging ---- */

/* What is asserted, and found of it. */
struct rd_played_judging {
    const struct rd_played *played;
    const struct rd_played_options *options;
    struct rd_played_summary *summary;
    bool is_begun;                /* a verdict was counted */
    struct rd_played_loop *loops; /* executions of loops, and laws that are asserted once */
    size_t n_loops, loops_capacity;
    struct rd_error *error;
};

/* Tells whether the annotation is a law of cells: neither an input nor a condition. */
static inline bool rd_played_is_law(const struct rd_annotation *annotation)
{
    return annotation->kind != RD_ANNOTATION_INPUT && annotation->array.expression;
}

/* Tells whether the law is asserted once, and is no invariant. */
static inline bool rd_played_is_once(const struct rd_played_loop *loop)
{
    return loop->annotation->kind != RD_ANNOTATION_INVARIANT;
}

/* ---- judge.c ---- */

/* Asserts that law in another recording of the same program, without a word: the one that is collected there under this
 * number. INCONCLUSIVE where it is not there. */
enum rd_verdict rd_played_judge_alone(const struct rd_played *played, size_t number,
                                      const struct rd_played_loop *like);

/* ---- late_inputs.c ---- */

/* The event of another recording of the program that is the same as this one, by its place and how often that was come to; NULL:
 * there is none. */
const struct rd_played_event *rd_played_same_event(const struct rd_played *other,
                                                   const struct rd_played *played,
                                                   const struct rd_played_event *event);
/* Tells whether two events have the same elements. */
bool rd_played_same_array(const struct rd_played_event *x, const struct rd_played_event *y);
/* Tells whether a law that is violated with other inputs is so as the program has taken elements before 'input' tells them, and if so
 * which: it runs the program again. */
bool rd_played_is_late(const struct rd_played_judging *judging, const struct rd_played_loop *loop,
                       char text[RD_SENTENCE_SIZE]);

/* ---- playback.c ---- */

/* Runs the driver over the loop's recording. */
enum rd_status rd_playback_run(const struct rd_played_judging *judging,
                               const struct rd_played_loop *loop,
                               const struct rd_observer *const *observers,
                               struct rd_result *result);

/* ---- tell.c ---- */

/* Tells and counts the verdicts on all annotations, in the files' order; those on laws are known. */
enum rd_status rd_played_tell(struct rd_played_judging *judging);

#endif
