// SPDX-License-Identifier: MIT
/* The obligations' standings at each frame, of a loop that goes on. */
#include "history/history_internal.h"
#include "device/kernel_names.h"
#include "reductio/hazards.h"

#include <string.h>

static enum rd_verdict verdict_of(const struct rd_frame *frame)
{
    return frame->violated ? RD_VIOLATED : frame->verdict;
}

/* Adds what the frame's step gives to an obligation that is asserted step by step. */
static void advance(struct rd_standing *standing, const struct rd_frame *frame,
                    enum rd_verdict verdict, bool decides)
{
    bool first = standing->decided == RD_DECIDED_NOT;
    if (standing->decided == RD_DECIDED)
        return; /* what has failed once has failed */
    standing->verdict = first ? verdict : rd_verdict_worst(standing->verdict, verdict);
    standing->decided =
        decides || standing->verdict == RD_VIOLATED ? RD_DECIDED : RD_DECIDED_SO_FAR;
    standing->round = standing->verdict == RD_VIOLATED ? frame->step : 0;
}

/* Tells whether a hazard of the round that ends with the frame leaves open what the round makes. */
static bool is_undefined(const struct rd_history *history, const struct rd_frame *frame)
{
    for (size_t k = frame->first_hazard; k < frame->first_hazard + frame->n_hazards; k++)
        if (rd_hazard_undefines(history->hazards[k].kind))
            return true;
    return false;
}

/* Adds what the frame tells of preservation. `held`: the invariant, before its round; `*open`: a round
 * that began without it ended without it, which tells nothing, so that rounds that keep it do not
 * decide. */
static void take_round(struct rd_standing *standing, const struct rd_frame *frame, bool held,
                       bool undefined, bool *open)
{
    enum rd_verdict verdict = verdict_of(frame);
    *open |= verdict == RD_VIOLATED && !held;
    if (!*open || (held && verdict == RD_VIOLATED))
        advance(standing, frame, rd_verdict_of_round(held, undefined, verdict), false);
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
    /* Of a run whose memory was left to chance, what holds is decided by its result. */
    const bool decides = (ended || !history->about.witness) && !*history->about.result.undefined_by;
    struct rd_standing now[RD_OBLIGATION_COUNT];
    bool held = false, open = false;
    for (int k = 0; k < RD_OBLIGATION_COUNT; k++)
        now[k] = (struct rd_standing){RD_DECIDED_NOT, RD_INCONCLUSIVE, 0};
    for (size_t f = 0; f < history->n_frames; f++) {
        struct rd_frame *frame = &history->frames[f].frame;
        if (frame->step == 0)
            advance(&now[RD_INITIALIZATION], frame, verdict_of(frame), decides);
        else
            take_round(&now[RD_PRESERVATION], frame, held, is_undefined(history, frame), &open);
        if (!frame->inside)
            held = verdict_of(frame) != RD_VIOLATED;
        for (int k = 0; k < RD_OBLIGATION_COUNT; k++)
            frame->standings[k] = now[k];
    }
    if (ended && history->n_frames > 0)
        take_result(&history->frames[history->n_frames - 1].frame, &history->about.result);
}
