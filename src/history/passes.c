// SPDX-License-Identifier: MIT
#include "history/passes.h"

#include <stdlib.h>
#include <string.h>

/* ---- taking ---- */

static size_t cells_of(const struct rd_layout *layout)
{
    return layout->n_head + layout->n_tail;
}

/* The frame that shows the same step of the first pass; NULL where it had none. */
static struct rd_kept_frame *find_frame(struct rd_history *history, const struct rd_step *step,
                                        const struct rd_layout *layout, size_t pass)
{
    if (pass != history->pass) {
        history->pass = pass;
        history->pass_frame = 0;
    }
    size_t frame = history->pass_frame++;
    if (frame >= history->n_frames)
        return NULL;
    struct rd_kept_frame *kept = &history->frames[frame];
    const struct rd_place *place = &kept->frame.place;
    bool same = kept->frame.step == step->number && kept->frame.inside == (step->place != NULL) &&
                kept->layout.count == layout->count && kept->layout.stride == layout->stride &&
                kept->layout.n_head == layout->n_head && kept->layout.n_tail == layout->n_tail;
    if (step->place)
        same = same && rd_place_same(place, step->place);
    return same ? kept : NULL;
}

/* The first pass that went wrong is the one to tell of. */
static void take_verdict(struct rd_frame *frame, const struct rd_step *step)
{
    if (frame->verdict == RD_HOLDS)
        frame->verdict = step->verdict;
    if (!step->violation || frame->violated)
        return;
    frame->violated = true;
    frame->violation = *step->violation;
}

enum rd_status rd_passes_add(struct rd_history *history, const struct rd_step *step,
                             const struct rd_layout *layout, size_t n_cells, size_t pass,
                             struct rd_error *error)
{
    size_t count = cells_of(layout);
    enum rd_status status = RD_OK;
    if (pass == 1)
        status = rd_history_add_step(history, step, layout, n_cells, error);
    if (status != RD_OK || history->again.on)
        return status;
    struct rd_kept_frame *kept = find_frame(history, step, layout, pass);
    if (!kept || kept->n_passes + 1 != pass)
        return RD_OK; /* it says nothing of what the other passes tell */
    uint64_t *values = realloc(kept->passes, (pass * count + 1) * sizeof *values);
    if (!values)
        return rd_history_no_memory(error);
    memcpy(values + (pass - 1) * count, step->cells, count * sizeof *values);
    kept->passes = values;
    kept->n_passes = pass;
    take_verdict(&kept->frame, step);
    return RD_OK;
}

/* ---- reading the digits ---- */

struct reading {
    const struct rd_history *history;
    const struct rd_kept_frame *kept;
    struct rd_witness_plan plan;
    size_t k; /* the cell, among those that the state has */
};

static bool start(const struct rd_history *history, size_t frame, size_t index,
                  struct reading *reading)
{
    const struct rd_history_about *about = &history->about;
    *reading = (struct reading){.history = history, .kept = &history->frames[frame]};
    rd_witness_plan(about->program, &about->shape, about->numeric->operation, &reading->plan);
    return rd_layout_find(&reading->kept->layout, index, &reading->k);
}

static size_t inputs_known(const struct reading *reading)
{
    size_t known = reading->kept->n_passes * reading->plan.per_pass;
    return known < reading->history->about.n_a ? known : reading->history->about.n_a;
}

/* How often the input is in the cell. */
static int64_t count_of(const struct reading *reading, size_t input)
{
    size_t pass = input / reading->plan.per_pass;
    const uint64_t *values = reading->kept->passes + pass * cells_of(&reading->kept->layout);
    return (int64_t)rd_witness_count(&reading->plan, input, values[reading->k]);
}

static bool differs(const struct reading *x, const struct reading *y)
{
    size_t known = inputs_known(x) < inputs_known(y) ? inputs_known(x) : inputs_known(y);
    for (size_t j = 0; j < known; j++)
        if (count_of(x, j) != count_of(y, j))
            return true;
    return false;
}

void rd_passes_cell(const struct rd_history *history, size_t frame, size_t index,
                    struct rd_history_cell *cell)
{
    struct reading now, then;
    size_t before = history->frames[frame].frame.before;
    struct rd_members members;
    if (!start(history, frame, index, &now))
        return;
    if (before != frame && start(history, before, index, &then))
        cell->changed = differs(&now, &then);
    if (!now.kept->frame.violated || rd_members_init(&members, history, frame, index) != RD_OK)
        return;
    for (size_t j = 0; j < inputs_known(&now) && !cell->wrong; j++)
        cell->wrong = count_of(&now, j) != rd_members_has(&members, j);
}

enum rd_status rd_passes_set(const struct rd_history *history, size_t frame, size_t index,
                             struct rd_input_set *actual, struct rd_input_set *expected,
                             struct rd_error *error)
{
    struct reading reading;
    struct rd_members members;
    if (!start(history, frame, index, &reading))
        return rd_fail(error, RD_ERROR_USAGE, "%s[%zu] is not in the trace at this step",
                       history->frames[frame].frame.array, index);
    if (rd_members_init(&members, history, frame, index) != RD_OK)
        return rd_fail(error, RD_ERROR_USAGE, "what '%s' makes of its input is no sum of it",
                       history->about.program->name);
    struct rd_input_set are = {.open = inputs_known(&reading) < history->about.n_a}, should = {0};
    for (size_t j = 0; j < history->about.n_a; j++) {
        int64_t times = j < inputs_known(&reading) ? count_of(&reading, j) : 0;
        if (times != 0)
            rd_input_set_add(&are, j, times);
        if (rd_members_has(&members, j))
            rd_input_set_add(&should, j, 1);
    }
    *actual = are;
    *expected = should;
    return RD_OK;
}
