// SPDX-License-Identifier: MIT
#include "history/listen.h"
#include "history/accesses.h"

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
