// SPDX-License-Identifier: MIT
/* The launch of a round, and what is asserted while it runs. */
#include "run/breaks.h"
#include "run/driver_internal.h"

#include <string.h>

/* Checkpoints beyond those that are due, of a thread that may yet come to its end. */
enum { COUNT_SLACK = 64 };

/* Asserts the invariant of a checkpoint inside the kernel, where it is one that the program documents, and
 * logs it. What the kernel comes to under other schedules is asserted, too; the log has the first run. */
static enum rd_status assert_checkpoint(void *self, const struct rd_checkpoint *checkpoint)
{
    struct rd_loop *loop = self;
    struct rd_step step;
    struct rd_violation violation;
    bool sound;
    struct rd_checkpoint told = *checkpoint;
    if (loop->trial != checkpoint->trial) {
        rd_points_again(&loop->points);
        rd_checkpoint_order_again(&loop->order);
    }
    loop->trial = checkpoint->trial;
    rd_breaks_excuse(loop->run, loop->round->number,
                     rd_checkpoint_order_lanes(&loop->order, &told.place), &told);
    enum rd_status status = rd_checkpoint_order_take(&loop->order, &told, &sound, loop->error);
    if (status == RD_OK && sound)
        status = rd_points_assert(&loop->points, loop->round->number, checkpoint, &step, &violation,
                                  loop->error);
    if (status != RD_OK || !sound)
        return status;
    step.round = loop->round;
    if (checkpoint->trial == 0)
        return rd_loop_log_step(loop, &step);
    if (step.violation)
        rd_loop_describe_under(loop, step.violation, checkpoint->schedule);
    return RD_OK;
}

/* The same of the array that another schedule has left. */
static enum rd_status assert_again(void *self, const char *schedule)
{
    struct rd_loop *loop = self;
    struct rd_violation violation;
    enum rd_status status = rd_loop_copy_back(loop, loop->round->number);
    if (status != RD_OK)
        return status;
    enum rd_verdict verdict = rd_assert_step(&loop->expect, loop->round->number, &loop->claim,
                                             &loop->found, &loop->view, &violation);
    if (verdict == RD_VIOLATED)
        rd_loop_describe_under(loop, &violation, schedule);
    return RD_OK;
}

static void record_tried(struct rd_result *result, const struct rd_tried *tried)
{
    if (!tried->communicates)
        return;
    if (result->n_schedules == 0 || tried->n_schedules < result->n_schedules)
        result->n_schedules = tried->n_schedules;
    if (!*result->untried)
        memcpy(result->untried, tried->why, sizeof result->untried);
}

enum rd_status rd_loop_launch(struct rd_loop *loop, const struct rd_round *round)
{
    struct rd_error reason = {""};
    struct rd_watch watch = {
        .blocks = rd_run_blocks(loop->run),
        .cells_max = rd_points_cells_max(&loop->points),
        .self = loop,
        .checkpoint = assert_checkpoint,
    };
    struct rd_tried tried = {.self = loop, .again = assert_again};
    loop->round = round;
    loop->undefined = false;
    loop->trial = 0;
    loop->elsewhere[0] = '\0';
    loop->unchanged = 0;
    rd_checkpoint_order_begin(&loop->order, round);
    /* As often as it is due, and so much more that whatever else is wrong shows, too. */
    watch.count_max = 2 * rd_checkpoint_order_most(&loop->order) + COUNT_SLACK;
    rd_loop_tell_activity(loop, RD_ACTIVITY_LAUNCHING);
    enum rd_status status =
        rd_state_launch(&loop->state, round,
                        rd_program_has_points(loop->run->program) ? &watch : NULL, &tried, &reason);
    record_tried(loop->result, &tried);
    return rd_loop_tell_hazards(loop, round, &watch, status, &reason);
}
