// SPDX-License-Identifier: MIT
/* Which inputs a cell holds. The run is made once more on inputs that are random weights: a cell that
 * then is the sum of the weights that it should hold, holds just these, but for a chance of 2^-64 or
 * so. What is in any other, sets_wrong.c reads. */
#include "history/sets.h"
#include "run/breaks.h"
#include "history/passes.h"

#include <stdlib.h>

/* Beyond this, looking takes longer than a person will wait for. */
#define INPUTS_MAX ((size_t)1 << 22)

void rd_sets_of_destroy(struct rd_sets_of *sets)
{
    if (!sets)
        return;
    rd_history_destroy(sets->weighed);
    rd_resumed_finish(&sets->resumed);
    for (size_t k = 0; k < RD_READINGS; k++)
        rd_reading_finish(&sets->readings[k]);
    free(sets->wanted);
    free(sets->times);
    free(sets->weights);
    free(sets->ones);
    free(sets);
}

size_t rd_sets_of_bytes(const struct rd_sets_of *sets)
{
    return sets && sets->weighed ? rd_history_bytes(sets->weighed) : 0;
}

/* ---- the weighed run ---- */

static enum rd_status make_inputs(struct rd_sets_of *sets, const struct rd_history_about *about,
                                  struct rd_error *error)
{
    sets->weights = malloc((about->n_a + 1) * sizeof *sets->weights);
    sets->ones = malloc((about->n_b + 1) * sizeof *sets->ones);
    sets->wanted = malloc(about->n_a + 1);
    sets->times = malloc((about->n_a + 1) * sizeof *sets->times);
    if (!sets->weights || !sets->ones || !sets->wanted || !sets->times)
        return rd_history_no_memory(error);
    for (size_t j = 0; j < about->n_a; j++)
        sets->weights[j] = rd_reading_weight(j);
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
    /* What the run that is weighed takes is a quarter of its own bound: it is asked for states alone. */
    const struct rd_history_options options = {.bytes_max = 4 * rd_history_share(history) + 1};
    return rd_history_run(&sets->weighed, run, &options, error);
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

/* ---- a cell ---- */

/* What it should hold. */
static uint64_t expect(const struct rd_members *members, const struct rd_looking *looking,
                       struct rd_input_set *expected)
{
    uint64_t weight = 0;
    for (size_t j = 0; j < looking->n; j++) {
        looking->wanted[j] = rd_members_has(members, j);
        if (!looking->wanted[j])
            continue;
        rd_input_set_add(expected, j, 1);
        weight += rd_reading_weight(j);
    }
    return weight;
}

static enum rd_status look(struct rd_history *history, size_t number, size_t index,
                           struct rd_answer *answer, struct rd_error *error)
{
    const struct rd_frame *frame = &history->frames[number].frame;
    struct rd_sets_of *sets = history->sets;
    struct rd_history_cell cell = {0};
    struct rd_members members;
    enum rd_status status = RD_OK;
    if (rd_members_init(&members, history, number, index) != RD_OK)
        return rd_fail(error, RD_ERROR_USAGE, "of %s[%zu], the invariant names no inputs",
                       frame->array, index);
    size_t same = find_frame(sets->weighed, frame, number);
    if (same < sets->weighed->n_frames)
        status = rd_history_cell(sets->weighed, same, index, &cell, error);
    if (status != RD_OK)
        return status;
    if (!cell.known)
        return rd_fail(error, RD_ERROR_USAGE, "nothing is in %s[%zu] at this step", frame->array,
                       index);
    const struct rd_looking looking = {
        .n = history->about.n_a,
        .wanted = sets->wanted,
        .times = sets->times,
        .weight = cell.value,
    };
    uint64_t weight = expect(&members, &looking, &answer->expected);
    answer->actual = answer->expected;
    if (cell.value != weight)
        status = rd_sets_look_for(history, number, index, &looking, &answer->actual, error);
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
    struct rd_answer *answer = &history->sets->answers[(frame * 61 + index) % RD_ANSWERS];
    if (!answer->known || answer->frame != frame || answer->index != index) {
        *answer = (struct rd_answer){.frame = frame, .index = index};
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
