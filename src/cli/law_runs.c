// SPDX-License-Identifier: MIT
#include "cli/law_runs.h"
#include "cli/run_setup.h"

#include <stdio.h>
#include <string.h>

static const char *const others[] = {"random:1", "random:2"};
enum { N_OTHERS = sizeof others / sizeof *others };

static enum rd_status run_once(struct rd_cli_law_runs *runs, bool more_values,
                               struct rd_error *error)
{
    struct rd_cli_run_setup setup;
    struct rd_error why = {""};
    struct rd_result result = {.verdict = RD_INCONCLUSIVE};
    enum rd_status status =
        rd_cli_run_setup_init(&setup, &runs->options, runs->interrupted, &why, error);
    if (status == RD_OK) {
        setup.run.frame = setup.run.go_on = true;
        setup.run.pass = setup.run.passes = 1; /* what is violated is not explained */
        runs->n = setup.run.n;
        runs->numeric = setup.run.numeric;
        size_t length = more_values ? strlen(runs->values) : 0;
        snprintf(runs->values + length, sizeof runs->values - length, "%s%.40s",
                 length > 0 ? ", " : "", setup.run.values);
        snprintf(runs->device, sizeof runs->device, "%s", setup.run.device->ops->name);
        status = rd_run(&setup.run,
                        (const struct rd_observer *const[]){
                            &setup.progress.observer, rd_candidate_observer(runs->candidate), NULL},
                        &result, error);
        rd_cli_progress_clear(&setup.progress);
        rd_candidate_judge(runs->candidate, &runs->judged);
        runs->own = result.verdict;
        runs->hazards = result.hazards;
    }
    rd_cli_run_setup_finish(&setup);
    return status;
}

static bool holds(const struct rd_cli_law_runs *runs)
{
    return runs->judged.verdict == RD_CANDIDATE_ENOUGH ||
           runs->judged.verdict == RD_CANDIDATE_TOO_WEAK;
}

enum rd_status rd_cli_law_judge(struct rd_cli_law_runs *runs, void (*first)(void *self), void *self,
                                struct rd_error *error)
{
    const char *asked = runs->options.values;
    enum rd_status status = run_once(runs, false, error);
    const struct rd_candidate_result on_asked = runs->judged;
    const enum rd_verdict own = runs->own;
    const unsigned hazards = runs->hazards;
    if (status == RD_OK && first)
        first(self);
    for (int k = 0; k < N_OTHERS && status == RD_OK && holds(runs); k++) {
        if (runs->options.program->goal == RD_GOAL_INPUT)
            break; /* random floats don't come back from sums that are taken apart */
        runs->options.values = others[k];
        status = run_once(runs, true, error);
        if (!holds(runs))
            snprintf(runs->values, sizeof runs->values, "%s", others[k]);
    }
    runs->options.values = asked;
    if (own != RD_HOLDS) { /* of those asked for, too */
        runs->own = own;
        runs->hazards = hazards;
    }
    /* That it is too weak is told of the values asked for. */
    if (runs->judged.verdict == RD_CANDIDATE_TOO_WEAK && on_asked.verdict == RD_CANDIDATE_TOO_WEAK)
        runs->judged = on_asked;
    return status;
}
