// SPDX-License-Identifier: MIT
/* What cells must hold, worked out from the input when it is asked for. */
#include "history/history_internal.h"

void rd_wanted_finish(struct rd_wanted *wanted)
{
    rd_expect_finish(&wanted->expect);
    rd_points_finish(&wanted->points);
    *wanted = (struct rd_wanted){0};
}

/* The invariant moves on only: to go back, it begins again. */
static enum rd_status want_step(struct rd_history *history, unsigned step, struct rd_error *error)
{
    const struct rd_history_about *about = &history->about;
    struct rd_wanted *wanted = &history->wanted;
    if (wanted->begun && wanted->step > step) {
        rd_expect_finish(&wanted->expect);
        wanted->begun = false;
    }
    if (!wanted->begun) {
        enum rd_status status = rd_expect_init(&wanted->expect, about->program, about->numeric,
                                               &about->shape, about->a, about->b, error);
        if (status == RD_OK)
            status = rd_program_advance(about->program, &wanted->expect, 0, error);
        if (status != RD_OK)
            return status;
        wanted->begun = true;
        wanted->step = 0;
    }
    enum rd_status status = RD_OK;
    while (status == RD_OK && wanted->step < step)
        status = rd_program_advance(about->program, &wanted->expect, ++wanted->step, error);
    return status;
}

static enum rd_status want_point(struct rd_history *history, size_t frame, struct rd_error *error)
{
    const struct rd_history_about *about = &history->about;
    const struct rd_place *place = &history->frames[frame].frame.place;
    struct rd_wanted *wanted = &history->wanted;
    struct rd_expect *expect;
    enum rd_status status = RD_OK;
    if (wanted->inside && wanted->frame == frame)
        return RD_OK;
    if (!wanted->has_points)
        status = rd_points_init(&wanted->points, about->program, about->numeric, &about->shape,
                                about->a, about->b, error);
    if (status != RD_OK)
        return status;
    wanted->has_points = true;
    status = rd_points_expect(&wanted->points, place, &expect, error);
    wanted->inside = status == RD_OK;
    wanted->frame = frame;
    return status;
}

/* The expectation of the frame's array; NULL where the inputs are not known. */
enum rd_status rd_wanted_find(struct rd_history *history, size_t frame, struct rd_expect **expect,
                              struct rd_error *error)
{
    const struct rd_frame *at = &history->frames[frame].frame;
    struct rd_wanted *wanted = &history->wanted;
    enum rd_status status = RD_OK;
    *expect = NULL;
    if (!history->about.a)
        return RD_OK;
    if (at->inside) {
        status = want_point(history, frame, error);
        *expect = &wanted->points.arrays[at->place.point].expect;
    } else {
        status = want_step(history, at->step, error);
        *expect = &wanted->expect;
    }
    return status;
}
