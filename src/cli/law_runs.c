// SPDX-License-Identifier: MIT
/* Runs of a program that judge a law proposed for it. */
#include "cli/run_law.h"
#include "cli/cli.h"
#include "law/error.h"
#include "cli/run_options.h"
#include "reductio/operation.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the law's text ---- */

char *rd_cli_law_text(const char *law)
{
    struct rd_error error;
    char *text;
    if (rd_law_given_text(law, &text, &error) == RD_OK)
        return text;
    rd_cli_complain("'--law': %s", error.text);
    return NULL;
}

/* Shows the line of the text with a mark below the column. Of a line that is wider than the terminal, the part around
 * the column. */
static void show_place(const char *text, const struct rd_law_error *error)
{
    enum { INDENT = 2 };
    static const char cut[] = "...";
    const size_t room = rd_cli_width(stderr) - INDENT - 1, n_cut = sizeof cut - 1;
    const char *line = text;
    for (size_t k = 1; k < error->line && strchr(line, '\n'); k++)
        line = strchr(line, '\n') + 1;
    const size_t length = strcspn(line, "\n");
    for (size_t k = 0; k < length; k++)
        if (line[k] < ' ' || line[k] > '~')
            return;
    if (error->column == 0 || error->column > length + 1)
        return;
    const size_t most = room > 2 * n_cut ? room - 2 * n_cut : 1, at = error->column - 1;
    size_t first = 0, count = length;
    if (length > room) {
        first = at > most / 2 ? at - most / 2 : 0;
        if (first + most > length)
            first = length - most;
        count = most;
    }
    const bool before = first > 0, behind = first + count < length;
    fprintf(stderr, "%*s%s%.*s%s\n", INDENT, "", before ? cut : "", (int)count, line + first,
            behind ? cut : "");
    fprintf(stderr, "%*s\n", (int)(INDENT + (before ? n_cut : 0) + at - first + 1), "^");
}

void rd_cli_law_complain(const char *law, const char *text, const struct rd_law_error *error)
{
    char place[RD_LAW_ERROR_PLACE_SIZE];
    rd_cli_complain("%s: %s", rd_law_error_place(place, law[0] == '@' ? law + 1 : "--law", error),
                    error->what.text);
    show_place(text, error);
}

/* ---- runs that judge a law ---- */

/* On which a law is judged besides: what is true of some values by chance is not of these. */
static const char *const others[] = {"ones", "random:1", "random:2"};
enum { N_OTHERS = sizeof others / sizeof *others };

/* Names the values after those before, or in their place. A long list is cut after one of its numbers. */
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

void rd_cli_law_runs_finish(struct rd_cli_law_runs *runs)
{
    free(runs->a);
    runs->a = NULL;
    runs->n_a = 0;
}

/* Keeps the inputs that the cells are indices of, beyond the run. Without memory the indices stand alone. */
static void keep_inputs(struct rd_cli_law_runs *runs, const struct rd_run *run)
{
    const size_t size_bytes = run->numeric->inputs->size_bytes;
    rd_cli_law_runs_finish(runs);
    if (!rd_operation_selects(run->numeric->operation))
        return;
    runs->a = malloc((run->n + 1) * size_bytes);
    if (!runs->a)
        return;
    runs->n_a = run->n;
    memcpy(runs->a, run->a, run->n * size_bytes);
}

/* Counts the hazards as far as a run without a law goes, which ends with the first violated step. */
struct hazard_count {
    unsigned hazards;
    unsigned last_step; /* of such a run */
};

static enum rd_status note_step(void *self, const struct rd_run *run, const struct rd_step *step,
                                struct rd_error *error)
{
    struct hazard_count *count = self;
    (void)run, (void)error;
    if (step->verdict == RD_VIOLATED && step->number < count->last_step)
        count->last_step = step->number;
    return RD_OK;
}

static enum rd_status note_hazard(void *self, const struct rd_run *run,
                                  const struct rd_hazard *hazard, struct rd_error *error)
{
    struct hazard_count *count = self;
    (void)run, (void)error;
    count->hazards += hazard->step <= count->last_step;
    return RD_OK;
}

/* Makes a run of the options, with these breaks besides, and takes what the candidate says of it. */
static enum rd_status run_once(struct rd_cli_law_runs *runs, bool more_values,
                               const struct rd_break *breaks, unsigned n_breaks,
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
        setup.run.breaks = breaks;
        setup.run.n_breaks = n_breaks;
        runs->n = setup.run.n;
        runs->block = setup.run.block;
        runs->grid = setup.run.grid;
        runs->numeric = setup.run.numeric;
        keep_inputs(runs, &setup.run);
        add_values(runs, more_values, setup.run.values);
        snprintf(runs->device, sizeof runs->device, "%s", setup.run.device->ops->name);
        const struct rd_observer *judges =
            runs->candidate ? rd_candidate_observer(runs->candidate) : NULL;
        struct hazard_count count = {.last_step = UINT_MAX};
        const struct rd_observer counts = {
            .self = &count, .step = note_step, .hazard = note_hazard};
        status = rd_run(
            &setup.run,
            (const struct rd_observer *const[]){&setup.progress.observer, &counts, judges, NULL},
            &result, error);
        rd_cli_progress_clear(&setup.progress);
        if (runs->candidate)
            rd_candidate_judge(runs->candidate, &runs->judged);
        runs->own = result.verdict;
        runs->hazards = count.hazards;
    }
    rd_cli_run_setup_finish(&setup);
    return status;
}

/* Tells whether x refutes the law more than y: verdicts are in that order. */
static bool refutes_more(const struct rd_candidate_result *x, const struct rd_candidate_result *y)
{
    return x->verdict > y->verdict;
}

/* On further values, of as many elements in as many threads. What they refute is told of them, and stays told. */
static enum rd_status judge_on(struct rd_cli_law_runs *runs, const char *values,
                               struct rd_error *error)
{
    struct rd_cli_law_runs before = *runs;
    runs->a = NULL;
    runs->options.values = values;
    runs->options.n = before.n;
    runs->options.block = before.block;
    runs->options.grid = before.grid;
    enum rd_status status = run_once(runs, true, NULL, 0, error);
    const bool rounded = before.judged.rounded || runs->judged.rounded;
    runs->options = before.options;
    /* The values before have tried what was left to try. */
    const bool is_tried = before.judged.verdict == RD_CANDIDATE_ENOUGH &&
                          runs->judged.verdict == RD_CANDIDATE_OPEN && runs->judged.unsaid;
    if (is_tried || !refutes_more(&runs->judged, &before.judged)) {
        runs->judged = before.judged;
        rd_cli_law_runs_finish(runs);
        runs->a = before.a;
        runs->n_a = before.n_a;
        before.a = NULL;
    } else if (status == RD_OK) {
        snprintf(runs->values, sizeof runs->values, "%s", values);
        snprintf(runs->refuted_by, sizeof runs->refuted_by, "%s", values);
    }
    rd_cli_law_runs_finish(&before);
    runs->judged.rounded = rounded;
    if (before.own != RD_HOLDS) {
        runs->own = before.own;
        runs->hazards = before.hazards;
    }
    return status;
}

/* Tells whether the law is to be tried on these values, too. A missing input shows only if floats add exactly, as they do small whole
 * numbers; unfold, which takes sums apart, also gets its inputs back of such numbers only. */
static bool is_worth_trying(const char *values, const struct rd_cli_law_runs *runs)
{
    bool is_ones = strcmp(values, "ones") == 0, is_float = runs->numeric->is_float;
    bool takes_back = runs->options.program->goal == RD_GOAL_INPUT;
    return strcmp(values, runs->options.values) != 0 &&
           (is_ones ? is_float : !(is_float && takes_back));
}

/* Tries whether the kernel itself keeps the law where a step's array is another, in cells of which the law says nothing. */
static enum rd_status try_breaks(struct rd_cli_law_runs *runs, const struct rd_break *breaks,
                                 unsigned count, bool *kept, struct rd_error *error)
{
    struct rd_cli_law_runs broken = *runs;
    broken.a = NULL;
    broken.options.n = runs->n;
    broken.options.block = runs->block;
    broken.options.grid = runs->grid;
    enum rd_status status = run_once(&broken, false, breaks, count, error);
    rd_cli_law_runs_finish(&broken);
    *kept =
        status == RD_OK && broken.judged.verdict <= RD_CANDIDATE_OPEN && !broken.judged.unfinished;
    if (status != RD_OK || broken.judged.verdict != RD_CANDIDATE_NOT_KEPT)
        return status;
    runs->judged.verdict = RD_CANDIDATE_TOO_WEAK;
    runs->judged.cell = broken.judged.cell;
    runs->judged.n_false = 1;
    runs->judged.state.step = breaks->step;
    runs->judged.state.cell = (int64_t)breaks->cell;
    runs->judged.state.was = breaks->value;
    runs->judged.state.becomes = breaks->value;
    runs->judged.state.with_others = count > 1;
    runs->judged.state.ran = true;
    return RD_OK;
}

static enum rd_status try_what_is_left(struct rd_cli_law_runs *runs, struct rd_error *error)
{
    unsigned count;
    bool all, kept;
    const struct rd_break *given = rd_candidate_to_try(runs->candidate, &count, &all);
    struct rd_break *breaks = malloc((count + 1) * sizeof *breaks);
    enum rd_status status = RD_OK;
    if (!breaks)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for %u breaks", count);
    memcpy(breaks, given, count * sizeof *breaks);
    for (unsigned first = 0, next;
         first < count && status == RD_OK && runs->judged.verdict == RD_CANDIDATE_OPEN;
         first = next) {
        for (next = first; next < count && breaks[next].step == breaks[first].step;)
            next++;
        status = try_breaks(runs, breaks + first, next - first, &kept, error);
        all = all && kept;
    }
    if (status == RD_OK && runs->judged.verdict == RD_CANDIDATE_OPEN && all &&
        !runs->judged.unfinished && !runs->judged.overflows) {
        runs->judged.verdict = RD_CANDIDATE_ENOUGH;
        runs->judged.untried = runs->judged.unsaid = false;
    }
    free(breaks);
    return status;
}

/* Unless the law is refuted already. */
static enum rd_status judge_on_suspect(struct rd_cli_law_runs *runs, size_t input,
                                       struct rd_error *error)
{
    char values[32];
    if (runs->judged.verdict > RD_CANDIDATE_TOO_WEAK || input >= runs->n)
        return RD_OK;
    snprintf(values, sizeof values, "marked:%zu", input);
    return judge_on(runs, values, error);
}

/* The input as far from the end as the one that differs at a smaller n is there. */
static size_t from_the_end(const struct rd_cli_law_runs *runs)
{
    return runs->n - (runs->judged.n_compared - runs->judged.smaller_input);
}

enum rd_status rd_cli_law_show_refuted(const struct rd_cli_law_runs *runs, struct rd_error *error)
{
    struct rd_cli_law_runs shown = *runs;
    shown.a = NULL;
    shown.options.values = runs->refuted_by;
    shown.options.n = runs->n;
    shown.options.block = runs->block;
    shown.options.grid = runs->grid;
    enum rd_status status = run_once(&shown, false, NULL, 0, error);
    rd_cli_law_runs_finish(&shown);
    return status;
}

enum rd_status rd_cli_law_run_alone(struct rd_cli_law_runs *runs, struct rd_error *error)
{
    return run_once(runs, false, NULL, 0, error);
}

enum rd_status rd_cli_law_judge(struct rd_cli_law_runs *runs, void (*first)(void *self), void *self,
                                struct rd_error *error)
{
    runs->refuted_by[0] = '\0';
    enum rd_status status = run_once(runs, false, NULL, 0, error);
    if (status == RD_OK && first)
        first(self);
    if (status == RD_OK && runs->judged.verdict == RD_CANDIDATE_OPEN && runs->judged.unsaid)
        status = try_what_is_left(runs, error);
    for (int k = 0; k < N_OTHERS && status == RD_OK; k++)
        if (runs->judged.verdict <= RD_CANDIDATE_TOO_WEAK && is_worth_trying(others[k], runs))
            status = judge_on(runs, others[k], error);
    if (status == RD_OK && runs->judged.has_suspect)
        status = judge_on_suspect(runs, runs->judged.suspect, error);
    if (status == RD_OK && runs->judged.differs_at_smaller)
        status = judge_on_suspect(runs, from_the_end(runs), error);
    return status;
}
