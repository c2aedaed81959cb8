// SPDX-License-Identifier: MIT
/* `reductio run PROGRAM --law LAW`. Private to src/cli. */
#ifndef RD_CLI_RUN_LAW_H
#define RD_CLI_RUN_LAW_H

#include "reductio/law.h"
#include "cli/run_options.h"
#include "reductio/candidate.h"

#include <signal.h>

/* The argument of --law, and what is wrong with it. Private to src/cli. */

/* The text of LAW or @FILE, which the caller frees; NULL after a complaint, where the file can't be read. */
char *rd_cli_law_text(const char *law);

/* Complains of the law that was given so, of this text: with its place in the option or the file, and a mark below the
 * column. */
void rd_cli_law_complain(const char *law, const char *text, const struct rd_law_error *error);

/* Runs of a program that judge a law proposed for it. Private to src/cli. */

/* A law, and what the runs so far say of it. Begins with `options` set, as of the run that is made, and
 * `interrupted`; the rest is 0. */
struct rd_cli_law_runs {
    struct rd_cli_run_options options;
    const volatile sig_atomic_t *interrupted;
    struct rd_candidate *candidate;
    struct rd_candidate_result judged;
    const struct rd_numeric *numeric;
    size_t n, grid; /* as of the run; a block or grid of 0 is the program's own */
    unsigned block;
    char values[128];     /* those on which it was judged, or the ones that refute it */
    char refuted_by[128]; /* of which the options do not speak; "" where there are none */
    char device[16];
    enum rd_verdict own; /* what the program's own law says of the run */
    unsigned hazards;    /* of the run, up to its first violated step */
    /* The inputs of the run, if cells hold indices of inputs; else NULL and 0. */
    void *a;
    size_t n_a;
};

void rd_cli_law_runs_finish(
    struct rd_cli_law_runs *runs); /* leaves the candidate, which is the caller's */

/* Judges the candidate on the values that the options name and, where it holds on them, on others: a law that is true
 * of those by chance is not of these. `first` is called in between, and may be NULL. RD_ERROR_INTERRUPTED, or what a
 * run returns. */
enum rd_status rd_cli_law_judge(struct rd_cli_law_runs *runs, void (*first)(void *self), void *self,
                                struct rd_error *error);

/* Makes the run alone, without a candidate: what it says itself. Statuses as above. */
enum rd_status rd_cli_law_run_alone(struct rd_cli_law_runs *runs, struct rd_error *error);

/* Re-runs on the values that refute the law: the candidate's listener is told, and nothing is judged. Statuses as above. */
enum rd_status rd_cli_law_show_refuted(const struct rd_cli_law_runs *runs, struct rd_error *error);

/* Judges options->law by runs of the program, on one n or on options->sizes. Returns the exit status: 0 where it is
 * true and enough, 1 where it is not, 2 where it can't be read or no run could be made, 130 where *interrupted
 * ended it. */
int rd_cli_run_law(const struct rd_cli_run_options *options,
                   const volatile sig_atomic_t *interrupted);

#endif
