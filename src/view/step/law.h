// SPDX-License-Identifier: MIT
/* A law of one's own that a stepper holds against the run that it shows. */
#ifndef RD_VIEW_STEP_LAW_H
#define RD_VIEW_STEP_LAW_H

#include "reductio/history.h"
#include "reductio/candidate.h"
#include "view/candidate_text.h"

struct rd_step_law {
    const volatile sig_atomic_t
        *interrupted; /* the caller's; NULL: that of the run, if it has one */
    bool stopped;     /* an evaluation was, by that; for who takes the signal as meant for it */
    char *text;       /* NULL: there is none */
    struct rd_candidate *candidate;
    struct rd_run run; /* as the candidate sees it */
    char array[32];    /* what its cells are called */
    struct rd_candidate_result judged;
    /* At `frame`, once it was looked at there: */
    bool looked;
    size_t frame;
    enum rd_status status; /* other than RD_OK: nothing is known, for the reason in `error` */
    struct rd_error error;
    struct rd_candidate_look look;
};

/* Reads a law and judges the history by it. After a failure all is as before. RD_ERROR_USAGE where it can't be read,
 * or has no value at a step, with the place in the text; or where the values are not known, as of a trace with witness
 * values; RD_ERROR_INTERRUPTED; RD_ERROR_MEMORY. `text` must not point into *law. */
enum rd_status rd_step_law_set(struct rd_step_law *law, struct rd_history *history,
                               const struct rd_run *run, const char *text,
                               struct rd_law_error *error);
void rd_step_law_finish(struct rd_step_law *law); /* then there is none */

/* RD_ERROR_USAGE, with the reason, where the history is one of which no law can be judged. */
enum rd_status rd_step_law_accept(const struct rd_history_about *about, struct rd_error *error);

/* The frame as the law sees it; NULL where there is no law, it speaks of another array, or nothing is known. */
const struct rd_candidate_look *rd_step_law_look(struct rd_step_law *law,
                                                 struct rd_history *history, size_t frame);

/* "not kept, from round 1 on: A[0] is 4, and the law says 1; 4 cells are wrong". The caller frees it; NULL
 * without memory. */
char *rd_step_law_verdict(const struct rd_step_law *law);

/* How its cells are told. */
struct rd_candidate_words rd_step_law_words(const struct rd_step_law *law);

/* Writes what the law says of a cell at the frame; "·" where it says nothing. */
void rd_step_law_cell_text(const struct rd_step_law *law, const struct rd_candidate_look *look,
                           size_t index, char *text, size_t size);

/* Behind a verdict that the values of this run alone bear out: " on these values"; else "". */
const char *rd_step_law_of_values(const struct rd_step_law *law);

#endif
