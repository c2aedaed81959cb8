// SPDX-License-Identifier: MIT
/* How far each frame decides the obligations: as the loop stands there, which goes on. */
#include "assertion.h"
#include "history/kept.h"

static enum rd_verdict verdict_of(const struct rd_frame *frame)
{
    return frame->violated ? RD_VIOLATED : frame->verdict;
}

/* Adds what the frame's step gives to an obligation that is asserted step by step. */
static void take_step(struct rd_standing *standing, const struct rd_frame *frame, bool decides)
{
    enum rd_verdict verdict = verdict_of(frame);
    bool first = standing->decided == RD_DECIDED_NOT;
    if (standing->decided == RD_DECIDED)
        return; /* what has failed once has failed */
    standing->verdict = first ? verdict : rd_verdict_worst(standing->verdict, verdict);
    standing->decided =
        decides || standing->verdict == RD_VIOLATED ? RD_DECIDED : RD_DECIDED_SO_FAR;
    standing->round = standing->verdict == RD_VIOLATED ? frame->step : 0;
}

/* Adds what the frame tells of preservation. `held`: the invariant, before its round; `*open`: a round
 * that began without it ended without it, which tells nothing, so that rounds that keep it do not
 * decide. */
static void take_round(struct rd_standing *standing, const struct rd_frame *frame, bool held,
                       bool *open)
{
    *open |= rd_verdict_after(held, verdict_of(frame)) != verdict_of(frame);
    if (!*open || (held && verdict_of(frame) == RD_VIOLATED))
        take_step(standing, frame, false);
    else if (standing->decided != RD_DECIDED)
        *standing = (struct rd_standing){RD_DECIDED_NOT, RD_INCONCLUSIVE, 0};
}

/* The run has ended here, with its loop or before that, as it was violated: what its steps left open is
 * as its result says. */
static void take_result(struct rd_frame *last, const struct rd_result *result)
{
    for (int k = 0; k < RD_OBLIGATION_COUNT; k++) {
        struct rd_standing *standing = &last->standings[k];
        if (standing->decided != RD_DECIDED)
            *standing = (struct rd_standing){RD_DECIDED, result->obligations[k], 0};
    }
}

void rd_history_decide(struct rd_history *history, bool ended)
{
    struct rd_standing now[RD_OBLIGATION_COUNT];
    bool held = false, open = false;
    for (int k = 0; k < RD_OBLIGATION_COUNT; k++)
        now[k] = (struct rd_standing){RD_DECIDED_NOT, RD_INCONCLUSIVE, 0};
    for (size_t f = 0; f < history->n_frames; f++) {
        struct rd_frame *frame = &history->frames[f].frame;
        if (frame->step == 0)
            take_step(&now[RD_INITIALIZATION], frame, true);
        else
            take_round(&now[RD_PRESERVATION], frame, held, &open);
        if (!frame->inside)
            held = verdict_of(frame) != RD_VIOLATED;
        for (int k = 0; k < RD_OBLIGATION_COUNT; k++)
            frame->standings[k] = now[k];
    }
    if (ended && history->n_frames > 0)
        take_result(&history->frames[history->n_frames - 1].frame, &history->about.result);
}
