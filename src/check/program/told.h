// SPDX-License-Identifier: MIT
/* State of a program's run as far as it has told it, and the report on it. */
#ifndef RD_CHECK_PROGRAM_TOLD_H
#define RD_CHECK_PROGRAM_TOLD_H

#include "check/program/laws.h"

/* A run, as far as it is known. */
struct rd_check_told {
    const struct rd_check_program_options *options;
    struct rd_check_laws *laws;
    struct rd_results *results; /* for other programs; NULL: of nobody */
    json_t *hazards, *lacks;    /* findings, each once; sentences */
    json_t *differences;        /* of what launches leave under other schedules */
    json_t *tried;              /* what was tried of these; NULL: no threads communicate */
    unsigned n_asserted_anew;   /* further runs, under other schedules, that came to their end */
    uint64_t n_launches, n_threads;
    uint64_t n_events;
    const char *seal;
    char stopped[RD_SANDBOX_TEXT_SIZE]; /* why the sandbox has ended it; "": it has not */
    char missing[RD_SANDBOX_TEXT_SIZE]; /* what could not be contained; "": all was */
    char refused[512];                  /* a path that it has refused to be written; "": none */
    char unvaried[40];                  /* as rd_check_unvaried(); "": nothing */
    bool ran;
    double seconds;
    off_t input_start;       /* where standard input stood; -1: it can't be read again */
    char how[16];            /* it has ended, as in a recording; "": it has not said so */
    int status;              /* of its exit, or the number of a signal */
    size_t n_leaks_left_out; /* of a program that ended by an error of its own */
    bool on_gpu;
    bool is_unseen; /* nobody looks for hazards */
};

/* The lists are empty; and are let go of. */
void rd_check_told_init(struct rd_check_told *told);
void rd_check_told_finish(struct rd_check_told *told);
/* Adds a finding; of one that is known, how often it was seen, too, where that counts. */
void rd_check_told_add_hazard(struct rd_check_told *told, json_t *hazard, bool counts);

/* Tells whether the program has returned from main, or called exit(). */
bool rd_check_told_is_at_its_end(const struct rd_check_told *told);
/* Writes its end in words: "exit status 0". */
void rd_check_told_end_text(const struct rd_check_told *told, char text[200]);

/* Tells what has come of the run, of the program whose main function is in `file`: as text, or as a document. `status` and `error`
 * are of the run. Returns the exit status. */
int rd_check_told_tell(struct rd_check_told *told, const char *file, enum rd_status status,
                       struct rd_error *error);

/* ---- orders.c ---- */

/* Takes a sound event "difference" or "tried". */
void rd_check_orders_take(struct rd_check_told *told, const json_t *object);

/* Runs the program in a process, and takes what that tells. */
typedef enum rd_status rd_check_run_once(const struct rd_check_program_run *run,
                                         struct rd_check_told *told, struct rd_error *error);
/* Adds what the order of threads changes: of what launches leave, and, in further runs of the program, of what was asserted, which
 * must have been judged. */
enum rd_status rd_check_orders_judge(const struct rd_check_program_run *run,
                                     struct rd_check_told *told, rd_check_run_once *run_once,
                                     struct rd_error *error);

/* Adds members to the outcome, */
void rd_check_orders_set(const struct rd_check_told *told, json_t *outcome);
/* of which these tell: "x[0] is 3 under schedule descending, and 4 under ascending, behind launch 1, of k", */
void rd_check_orders_difference_text(const json_t *difference, char *text, size_t size);
/* a line for each that is no hazard, */
void rd_check_orders_print(const json_t *outcome, FILE *file);
/* and behind the number of hazards " under 4 schedules"; "" where no threads communicate. */
void rd_check_orders_summary(const json_t *outcome, char text[300]);

/* ---- results.c: results for other programs ---- */

/* Adds what is known of an annotation. `self` is a struct rd_results. */
void rd_check_results_add_annotation(void *self, const struct rd_played_verdict *verdict);
/* Adds what `own`, the results of the run with the program's own inputs, has of violated annotations to the same ones. */
void rd_check_results_add_own(struct rd_results *results, const struct rd_results *own);
/* Adds the outcome of a program that was run whole. `judged`: an annotation was asserted. */
void rd_check_results_add_program(struct rd_results *results, const json_t *outcome, bool judged);

#endif
