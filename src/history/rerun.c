// SPDX-License-Identifier: MIT
#include "history/accesses.h"
#include "reductio/witness.h"

#include <stdlib.h>
#include <string.h>

/* ---- listening to the simulator ---- */

/* The launch that follows is that of the step. */
static void set_recorder(const struct rd_device *device, const struct rd_listener *listener,
                         unsigned step)
{
    const struct rd_frame *of = listener->of;
    struct rd_sim_recorder recorder = {
        .self = listener->self,
        .take = listener->take,
        .lane = listener->lane,
        .checkpoint = listener->checkpoint,
    };
    if (of->inside && step == of->step) {
        recorder.of_block = true;
        recorder.others = listener->others;
        recorder.block = of->place.block;
        recorder.warp = listener->all ? RD_WHOLE_BLOCK : of->place.warp;
        recorder.from =
            listener->all || listener->earlier == of ? 0 : listener->earlier->place.number;
        recorder.to = of->place.number - 1;
        recorder.by_snapshot = of->place.warp == RD_WHOLE_BLOCK;
        recorder.point = (int)of->place.point;
    }
    rd_sim_enter(device);
    rd_sim_recorder_set(&recorder);
}

static enum rd_status follow(void *self, const struct rd_run *run, const struct rd_step *step,
                             struct rd_error *error)
{
    const struct rd_listener *listener = self;
    const unsigned last = listener->of->step;
    (void)error;
    if (step->place)
        return RD_OK;
    if (listener->step)
        listener->step(listener->self, step->number);
    if (step->number + 1 == last || (listener->all && step->number < last))
        set_recorder(run->device, listener, step->number + 1);
    return step->number == last ? RD_ERROR_INTERRUPTED : RD_OK;
}

enum rd_status rd_listen(struct rd_history *history, const struct rd_listener *listener,
                         struct rd_error *error)
{
    const struct rd_observer observer = {.self = (void *)listener, .step = follow};
    struct rd_result result;
    struct rd_resumed resumed;
    enum rd_status status = rd_resumed_init(&resumed, history, false, error);
    if (status != RD_OK)
        return status;
    resumed.run.frame = false;
    resumed.run.blocks = (struct rd_blocks){.count = 1}; /* nobody looks at checkpoints */
    if (listener->a) {
        resumed.run.numeric = listener->numeric;
        resumed.run.a = listener->a;
        resumed.run.b = listener->b;
    }
    status =
        rd_run(&resumed.run, (const struct rd_observer *const[]){&observer, NULL}, &result, error);
    rd_sim_enter(resumed.run.device);
    rd_sim_recorder_set(NULL);
    rd_resumed_finish(&resumed);
    return status == RD_ERROR_INTERRUPTED ? RD_OK : status;
}

/* ---- inputs of a witness trace ---- */

/* Makes the inputs of a witness trace's first pass. Where they go does not depend on them. */
static enum rd_status make_witness(struct rd_resumed *resumed, const struct rd_history_about *about,
                                   struct rd_error *error)
{
    struct rd_witness_plan plan;
    uint64_t *a = malloc((about->n_a + about->n_b + 1) * sizeof *a);
    if (!a)
        return rd_history_no_memory(error);
    rd_witness_plan(about->program, &about->shape, about->numeric->operation, &plan);
    rd_witness_fill(&plan, 1, about->n_a, a);
    rd_witness_fill_b(&plan, 1, about->n_b, a + about->n_a);
    resumed->witness = a;
    resumed->run.a = a;
    resumed->run.b = about->n_b ? a + about->n_a : NULL;
    return RD_OK;
}

/* Opens the history's simulator, once for all re-runs: it reads the debug information, and maps stacks. */
static enum rd_status open_simulator(struct rd_resumed *resumed, struct rd_history *history,
                                     struct rd_error *error)
{
    struct rd_error why;
    enum rd_status status =
        history->simulator ? RD_OK : rd_device_open("sim", &history->simulator, &why, error);
    if (status == RD_OK)
        resumed->run.device = history->simulator;
    return status;
}

enum rd_status rd_resumed_init(struct rd_resumed *resumed, struct rd_history *history,
                               bool anywhere, struct rd_error *error)
{
    const struct rd_history_about *about = &history->about;
    struct rd_resumed r = {.run = history->run};
    enum rd_status status = RD_OK;
    if (!about->live)
        r.run = (struct rd_run){
            .program = about->program,
            .numeric = about->numeric,
            .n = about->shape.n,
            .block = about->shape.block,
            .grid = about->shape.grid,
            .a = about->a,
            .b = about->b,
            .values = about->values,
        };
    if (!about->live && about->witness)
        status = make_witness(&r, about, error);
    else if (!about->a)
        status =
            rd_fail(error, RD_ERROR_USAGE, "the rounds can't be re-run: %s",
                    about->incomplete ? about->incomplete : "the trace does not have the input");
    bool simulated = about->live && history->run.device->ops->simulates;
    if (status == RD_OK && !simulated && !(anywhere && about->live))
        status = open_simulator(&r, history, error);
    r.run.pass = r.run.passes = 1; /* nothing is explained once more */
    r.run.go_on = true;
    r.run.n_schedules = 1;                   /* what the first has left is what is looked at */
    r.run.hazards_by = RD_HAZARDS_BY_NOBODY; /* they are known */
    r.run.progress = NULL;                   /* a view is on the screen */
    r.run.interrupted = NULL;
    if (status == RD_OK)
        *resumed = r;
    else
        rd_resumed_finish(&r);
    return status;
}

void rd_resumed_finish(struct rd_resumed *resumed)
{
    free(resumed->witness);
    *resumed = (struct rd_resumed){0};
}

/* ---- the rerun of a history ---- */

/* Compares the rounds, re-run in the simulator, with those of the history. */

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
static enum rd_status compare_step(void *self, const struct rd_run *run, const struct rd_step *step,
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
    const struct rd_observer observer = {.self = &comparing, .step = compare_step};
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
