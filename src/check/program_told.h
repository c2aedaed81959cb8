// SPDX-License-Identifier: MIT
/* State of a program's run as far as it has told it, and the report on it. */
#ifndef RD_CHECK_PROGRAM_TOLD_H
#define RD_CHECK_PROGRAM_TOLD_H

#include "check/check_internal.h"
#include "check/program_laws.h"

/* A run, as far as it is known. */
struct rd_check_told {
    const struct rd_check_program_options *options;
    struct rd_check_laws *laws;
    struct rd_results *results; /* for other programs; NULL: of nobody */
    json_t *hazards, *lacks;    /* findings, each once; sentences */
    uint64_t n_launches, n_threads;
    uint64_t n_events;
    const char *seal;
    char stopped[RD_SANDBOX_TEXT_SIZE]; /* why the sandbox has ended it; "": it has not */
    char missing[RD_SANDBOX_TEXT_SIZE]; /* what could not be contained; "": all was */
    char refused[512];                  /* a path that it has refused to be written; "": none */
    bool ran;
    char how[16]; /* it has ended, as in a recording; "": it has not said so */
    int status;   /* of its exit, or the number of a signal */
    bool on_gpu;
    bool is_unseen; /* nobody looks for hazards */
};

/* Tells whether the program has returned from main, or called exit(). */
bool rd_check_told_is_at_its_end(const struct rd_check_told *told);
/* Writes its end in words: "exit status 0". */
void rd_check_told_end_text(const struct rd_check_told *told, char text[200]);

/* Tells what has come of the run, of the program whose main function is in `file`: as text, or as a document. `status` and `error`
 * are of the run. Returns the exit status. */
int rd_check_told_tell(struct rd_check_told *told, const char *file, enum rd_status status,
                       struct rd_error *error);

#endif
