// SPDX-License-Identifier: MIT
/* Which inputs a cell must hold, by the invariant's own word. */
#include "history/history_internal.h"

enum rd_status rd_members_init(struct rd_members *members, const struct rd_history *history,
                               size_t frame, size_t index)
{
    const struct rd_history_about *about = &history->about;
    const struct rd_frame *at = &history->frames[frame].frame;
    const struct rd_point_invariant *point =
        at->inside ? rd_program_point(about->program, at->place.point) : NULL;
    *members = (struct rd_members){
        .program = about->program, .shape = &about->shape, .point = point, .cell = index};
    if (about->program->no_witness || (at->inside && !point))
        return RD_ERROR_USAGE;
    members->place = &at->place;
    members->step = at->step;
    if (at->inside)
        return rd_claim_has(&at->claim, index) ? RD_OK : RD_ERROR_USAGE;
    /* What it held when it was live last, it must keep. */
    struct rd_claim claim = at->claim;
    while (members->step > 0 && !rd_claim_has(&claim, index))
        rd_program_claim(about->program, &about->shape, --members->step, &claim);
    return rd_claim_has(&claim, index) ? RD_OK : RD_ERROR_USAGE;
}

bool rd_members_has(const struct rd_members *members, size_t input)
{
    if (members->point)
        return rd_program_contains_at(members->program, members->shape, members->place,
                                      members->cell, input);
    return rd_program_contains(members->program, members->shape, members->step, members->cell,
                               input);
}
