// SPDX-License-Identifier: MIT
#include "cli/law_runs.h"
#include "cli/run_setup.h"

#include <stdio.h>
#include <string.h>

static const char *const others[] = {"ones", "random:1", "random:2"};
enum { N_OTHERS = sizeof others / sizeof *others };

/* A list that is long ends behind one of its numbers. */
static void add_values(struct rd_cli_law_runs *runs, bool more, const char *values)
{
    enum { LENGTH_MAX = 40 };
    size_t length = more ? strlen(runs->values) : 0, shown = strlen(values);
    bool cut = shown > LENGTH_MAX;
    for (shown = cut ? LENGTH_MAX : shown; cut && shown > 0 && values[shown] != ',';)
        shown--;
    snprintf(runs->values + length, sizeof runs->values - length, "%s%.*s%s",
             length > 0 ? ", " : "", (int)shown, values, cut ? ",..." : "");
}

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
        runs->block = setup.run.block;
        runs->grid = setup.run.grid;
        runs->numeric = setup.run.numeric;
        add_values(runs, more_values, setup.run.values);
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

/* From ENOUGH on, what is worse refutes more. */
static bool is_worse(const struct rd_candidate_result *x, const struct rd_candidate_result *y)
{
    return x->verdict > y->verdict;
}

/* On further values, of as many elements in as many threads. What they refute is told of them, and stays told. */
static enum rd_status judge_on(struct rd_cli_law_runs *runs, const char *values,
                               struct rd_error *error)
{
    const struct rd_cli_law_runs before = *runs;
    runs->options.values = values;
    runs->options.n = before.n;
    runs->options.block = before.block;
    runs->options.grid = before.grid;
    enum rd_status status = run_once(runs, true, error);
    runs->options = before.options;
    if (!is_worse(&runs->judged, &before.judged))
        runs->judged = before.judged;
    else if (status == RD_OK)
        snprintf(runs->values, sizeof runs->values, "%s", values);
    if (before.own != RD_HOLDS) {
        runs->own = before.own;
        runs->hazards = before.hazards;
    }
    return status;
}

/* That a sum is one short shows of small whole numbers, which floats add exactly. What unfold takes apart comes
 * back of such alone. */
static bool is_for(const char *values, const struct rd_cli_law_runs *runs)
{
    bool is_ones = strcmp(values, "ones") == 0, is_float = runs->numeric->is_float;
    bool takes_back = runs->options.program->goal == RD_GOAL_INPUT;
    return strcmp(values, runs->options.values) != 0 &&
           (is_ones ? is_float : !(is_float && takes_back));
}

enum rd_status rd_cli_law_judge(struct rd_cli_law_runs *runs, void (*first)(void *self), void *self,
                                struct rd_error *error)
{
    enum rd_status status = run_once(runs, false, error);
    if (status == RD_OK && first)
        first(self);
    for (int k = 0; k < N_OTHERS && status == RD_OK; k++)
        if (runs->judged.verdict <= RD_CANDIDATE_TOO_WEAK && is_for(others[k], runs))
            status = judge_on(runs, others[k], error);
    return status;
}
