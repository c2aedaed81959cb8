// SPDX-License-Identifier: MIT
/* Whether the rounds, made again in the simulator, give what the history has. */
#include "history/accesses.h"

#include <stdlib.h>
#include <string.h>

struct comparing {
    struct rd_history *history;
    size_t next; /* the frame that is due */
    struct rd_rerun rerun;
};

/* The state's cells as the frame has them: head and tail, side by side; 0 for a lane that did not come.
 * False where the step lacks one. */
static bool pack(const struct rd_history *history, const struct rd_kept_frame *kept,
                 const struct rd_step *step, void *cells)
{
    const struct rd_numeric *numeric = history->about.numeric;
    const struct rd_layout *layout = &kept->layout;
    size_t stride = step->whole || step->place ? 1 : step->claim.stride;
    for (size_t k = 0; k < layout->n_head + layout->n_tail; k++) {
        size_t index = rd_layout_index(layout, k);
        bool absent = layout->lanes && !(layout->present >> k & 1);
        if (index % stride != 0 || index / stride >= step->n_cells)
            return false;
        numeric->store(cells, k, absent ? 0 : numeric->load(step->cells, index / stride));
    }
    return true;
}

/* Digests are of bits; two NaNs are the same. */
static enum rd_status find_cell(struct comparing *comparing, size_t frame, const void *cells,
                                struct rd_error *error)
{
    struct rd_history *history = comparing->history;
    const struct rd_kept_frame *kept = &history->frames[frame];
    const struct rd_numeric *numeric = history->about.numeric;
    enum rd_status status = rd_states_show(history, frame, error);
    for (size_t k = 0; k < kept->layout.n_head + kept->layout.n_tail && status == RD_OK; k++) {
        size_t index = rd_layout_index(&kept->layout, k);
        rd_bits was = numeric->load(history->shown.now, index), is = numeric->load(cells, k);
        if ((kept->layout.lanes && !(kept->layout.present >> k & 1)) || numeric->same(was, is))
            continue;
        comparing->rerun = (struct rd_rerun){
            .differs = true,
            .step = kept->frame.step,
            .has_cell = true,
            .frame = frame,
            .cell = index,
            .was = was,
            .is = is,
        };
        break;
    }
    return status;
}

static enum rd_status compare(struct comparing *comparing, size_t frame, const struct rd_step *step,
                              struct rd_error *error)
{
    struct rd_history *history = comparing->history;
    const struct rd_kept_frame *kept = &history->frames[frame];
    size_t count = kept->layout.n_head + kept->layout.n_tail;
    enum rd_status status = RD_OK;
    void *cells = calloc(count + 1, history->about.numeric->size_bytes);
    if (!cells)
        return rd_history_no_memory(error);
    if (!pack(history, kept, step, cells))
        comparing->rerun = (struct rd_rerun){.differs = true, .step = kept->frame.step};
    else if (history->about.numeric->digest(cells, count) != kept->digest)
        status = find_cell(comparing, frame, cells, error);
    free(cells);
    return status;
}

/* Not all checkpoints of a run need be in its trace. */
static enum rd_status follow(void *self, const struct rd_run *run, const struct rd_step *step,
                             struct rd_error *error)
{
    struct comparing *comparing = self;
    const struct rd_history *history = comparing->history;
    enum rd_status status = RD_OK;
    (void)run;
    for (size_t f = comparing->next; f < history->n_frames; f++) {
        const struct rd_frame *frame = &history->frames[f].frame;
        if (frame->step > step->number)
            break;
        if (frame->step != step->number || frame->inside != (step->place != NULL) ||
            (step->place && !rd_place_same(&frame->place, step->place)))
            continue;
        if (f == comparing->next)
            status = compare(comparing, f, step, error);
        else /* what the history has before it did not come */
            comparing->rerun = (struct rd_rerun){.differs = true, .step = step->number};
        comparing->next = f + 1;
        break;
    }
    bool done = comparing->rerun.differs || comparing->next == history->n_frames;
    return status == RD_OK && done ? RD_ERROR_INTERRUPTED : status;
}

static enum rd_status run_again(struct rd_history *history, struct rd_rerun *rerun,
                                struct rd_error *error)
{
    struct comparing comparing = {.history = history};
    const struct rd_observer observer = {.self = &comparing, .step = follow};
    struct rd_resumed resumed;
    struct rd_result result;
    enum rd_status status = rd_resumed_init(&resumed, history, false, error);
    if (status != RD_OK)
        return status;
    resumed.run.frame = true;
    status =
        rd_run(&resumed.run, (const struct rd_observer *const[]){&observer, NULL}, &result, error);
    rd_resumed_finish(&resumed);
    if (status != RD_OK && status != RD_ERROR_INTERRUPTED)
        return status;
    if (!comparing.rerun.differs && comparing.next < history->n_frames)
        comparing.rerun =
            (struct rd_rerun){.differs = true, .step = history->frames[comparing.next].frame.step};
    *rerun = comparing.rerun;
    return RD_OK;
}

enum rd_status rd_history_rerun(struct rd_history *history, struct rd_rerun *rerun,
                                struct rd_error *error)
{
    enum rd_status status = RD_OK;
    bool itself = history->about.live && history->run.device->ops->simulates;
    if (!history->rerun_made && !itself)
        status = run_again(history, &history->rerun, error);
    if (status != RD_OK)
        return status;
    history->rerun_made = true;
    *rerun = history->rerun;
    return RD_OK;
}
