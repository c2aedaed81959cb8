// SPDX-License-Identifier: MIT
/* Which inputs a cell holds. The run is made once more on inputs that are random weights: a cell that
 * then is the sum of the weights that it should hold, holds just these, but for a chance of 2^-64 or
 * so. For any other, runs with witness values look for those by which it differs. */
#include "breaks.h"
#include "history/accesses.h"
#include "history/passes.h"
#include "witness.h"

#include <stdlib.h>
#include <string.h>

enum { ANSWERS = 512 };

/* Beyond this, looking takes longer than a person will wait for. */
#define INPUTS_MAX ((size_t)1 << 22)

struct rd_sets_of {
    struct rd_resumed resumed;
    uint64_t *weights, *ones; /* the inputs */
    struct rd_history *weighed;
    struct answer {
        bool known; /* also where it was refused: */
        enum rd_status status;
        struct rd_error reason;
        size_t frame, index;
        struct rd_input_set actual, expected;
    } answers[ANSWERS];
};

void rd_sets_of_destroy(struct rd_sets_of *sets)
{
    if (!sets)
        return;
    rd_history_destroy(sets->weighed);
    rd_resumed_finish(&sets->resumed);
    free(sets->weights);
    free(sets->ones);
    free(sets);
}

/* SplitMix64. */
static uint64_t weight_of(size_t input)
{
    uint64_t x = (input + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* ---- the weighed run ---- */

static enum rd_status make_inputs(struct rd_sets_of *sets, const struct rd_history_about *about,
                                  struct rd_error *error)
{
    sets->weights = malloc((about->n_a + 1) * sizeof *sets->weights);
    sets->ones = malloc((about->n_b + 1) * sizeof *sets->ones);
    if (!sets->weights || !sets->ones)
        return rd_history_no_memory(error);
    for (size_t j = 0; j < about->n_a; j++)
        sets->weights[j] = weight_of(j);
    for (size_t j = 0; j < about->n_b; j++)
        sets->ones[j] = 1;
    return RD_OK;
}

static enum rd_status weigh(struct rd_sets_of *sets, struct rd_history *history,
                            struct rd_error *error)
{
    const struct rd_history_about *about = &history->about;
    enum rd_status status = rd_resumed_init(&sets->resumed, history, about->live, error);
    if (status == RD_OK)
        status = make_inputs(sets, about, error);
    if (status != RD_OK)
        return status;
    struct rd_run *run = &sets->resumed.run;
    run->numeric = rd_numeric(RD_TYPE_U64);
    run->a = sets->weights;
    run->b = about->n_b ? sets->ones : NULL;
    run->values = "witness";
    run->frame = true;
    return rd_history_run(&sets->weighed, run, &history->options, error);
}

static enum rd_status begin(struct rd_history *history, struct rd_error *error)
{
    const struct rd_history_about *about = &history->about;
    if (history->sets)
        return RD_OK;
    if (about->live && rd_breaks_a_cell(&history->run))
        return rd_fail(error, RD_ERROR_USAGE,
                       "a value was put into a cell by hand, which is no sum of inputs");
    if (about->n_a > INPUTS_MAX)
        return rd_fail(error, RD_ERROR_USAGE, "%zu inputs are too many to look for", about->n_a);
    struct rd_sets_of *sets = calloc(1, sizeof *sets);
    if (!sets)
        return rd_history_no_memory(error);
    enum rd_status status = weigh(sets, history, error);
    if (status == RD_OK)
        history->sets = sets;
    else
        rd_sets_of_destroy(sets);
    return status;
}

/* ---- a cell ---- */

/* The frame of the weighed run that shows the same step; its number of frames where it has none. */
static size_t find_frame(const struct rd_history *weighed, const struct rd_frame *frame,
                         size_t number)
{
    size_t first = number < weighed->n_frames ? number : 0;
    for (size_t k = 0; k < weighed->n_frames; k++) {
        size_t f = (first + k) % weighed->n_frames;
        const struct rd_frame *its = &weighed->frames[f].frame;
        if (its->step == frame->step && its->inside == frame->inside &&
            (!its->inside || rd_place_same(&its->place, &frame->place)))
            return f;
    }
    return weighed->n_frames;
}

static bool reads_unwritten(const struct rd_history *weighed, unsigned step)
{
    for (size_t k = 0; k < weighed->n_hazards; k++)
        if (weighed->hazards[k].step <= step &&
            strcmp(weighed->hazards[k].name, "uninitialised") == 0)
            return true;
    return false;
}

/* The cell is not what it should be. */
static enum rd_status look_for(struct rd_history *history, const struct rd_frame *frame,
                               size_t index, struct rd_input_set *actual, struct rd_error *error)
{
    struct rd_error reason = {""};
    struct rd_evidence evidence;
    struct rd_run run = history->sets->resumed.run;
    const struct rd_violation violation = {
        .kind = RD_VIOLATION_BITS,
        .step = frame->step,
        .inside = frame->inside,
        .place = frame->place,
        .array = frame->array,
        .cell = index,
    };
    if (reads_unwritten(history->sets->weighed, frame->step))
        return rd_fail(error, RD_ERROR_USAGE,
                       "the run has read memory that nobody has written, which is no input");
    run.pass = run.passes = 0;
    enum rd_status status = rd_witness_explain(&run, &violation, &evidence, &reason);
    if (status == RD_ERROR_INPUT || (status == RD_OK && evidence.partial))
        return rd_fail(error, RD_ERROR_USAGE, "what is in %s[%zu] can't be told: %.300s",
                       frame->array, index,
                       status == RD_OK ? "it differs by too many inputs" : reason.text);
    if (status != RD_OK)
        return rd_fail(error, status, "%s", reason.text);
    *actual = evidence.actual;
    return RD_OK;
}

static enum rd_status look(struct rd_history *history, size_t number, size_t index,
                           struct answer *answer, struct rd_error *error)
{
    const struct rd_frame *frame = &history->frames[number].frame;
    struct rd_history *weighed = history->sets->weighed;
    struct rd_history_cell cell = {0};
    struct rd_members members;
    uint64_t weight = 0;
    enum rd_status status = RD_OK;
    if (rd_members_init(&members, history, number, index) != RD_OK)
        return rd_fail(error, RD_ERROR_USAGE, "of %s[%zu], the invariant names no inputs",
                       frame->array, index);
    size_t same = find_frame(weighed, frame, number);
    if (same < weighed->n_frames)
        status = rd_history_cell(weighed, same, index, &cell, error);
    if (status != RD_OK)
        return status;
    if (!cell.known)
        return rd_fail(error, RD_ERROR_USAGE, "nothing is in %s[%zu] at this step", frame->array,
                       index);
    for (size_t j = 0; j < history->about.n_a; j++)
        if (rd_members_has(&members, j)) {
            rd_input_set_add(&answer->expected, j, 1);
            weight += weight_of(j);
        }
    answer->actual = answer->expected;
    if (cell.value != weight)
        status = look_for(history, frame, index, &answer->actual, error);
    return status;
}

enum rd_status rd_history_set(struct rd_history *history, size_t frame, size_t index,
                              struct rd_input_set *actual, struct rd_input_set *expected,
                              struct rd_error *error)
{
    if (frame >= history->n_frames || index >= history->frames[frame].frame.n_cells)
        return rd_fail(error, RD_ERROR_USAGE, "frame %zu has no cell %zu", frame, index);
    if (history->about.witness)
        return rd_passes_set(history, frame, index, actual, expected, error);
    if (history->about.program->no_witness)
        return rd_fail(error, RD_ERROR_USAGE, "what '%s' makes of its input is no sum of it",
                       history->about.program->name);
    enum rd_status status = begin(history, error);
    if (status != RD_OK)
        return status;
    struct answer *answer = &history->sets->answers[(frame * 61 + index) % ANSWERS];
    if (!answer->known || answer->frame != frame || answer->index != index) {
        *answer = (struct answer){.frame = frame, .index = index};
        answer->status = look(history, frame, index, answer, &answer->reason);
        /* A refusal stays one; without memory, or interrupted, it may go better the next time. */
        answer->known = answer->status != RD_ERROR_MEMORY && answer->status != RD_ERROR_INTERRUPTED;
    }
    if (answer->status != RD_OK)
        return rd_fail(error, answer->status, "%s", answer->reason.text);
    *actual = answer->actual;
    *expected = answer->expected;
    return RD_OK;
}
