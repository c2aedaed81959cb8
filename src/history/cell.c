// SPDX-License-Identifier: MIT
/* Looks into the cells of a frame. */
#include "run/assertion.h"
#include "history/history_internal.h"
#include "history/passes.h"

/* Whether the frame's state has the cell. A cut trace tells of the violated cell, wherever it is. */
static bool is_known(const struct rd_kept_frame *kept, size_t index, bool *cut)
{
    size_t k;
    *cut = false;
    if (rd_layout_find(&kept->layout, index, &k))
        return true;
    *cut = kept->frame.violated && kept->frame.violation.cell == index && !kept->layout.lanes;
    return *cut;
}

static rd_bits load(const struct rd_history *history, const struct rd_kept_frame *kept,
                    const void *array, size_t index, bool cut)
{
    return cut ? kept->frame.violation.actual : history->about.numeric->load(array, index);
}

/* The break that put the value there which the cell still holds at that step, the last of them. */
static const struct rd_break *find_put(const struct rd_history *history,
                                       const struct rd_frame *frame, size_t index, rd_bits value)
{
    const struct rd_run *run = &history->run;
    const struct rd_break *found = NULL;
    for (unsigned k = 0; k < run->n_breaks && !frame->inside; k++) {
        const struct rd_break *b = &run->breaks[k];
        if (b->kind == RD_BREAK_CELL && b->cell == index && b->step <= frame->step &&
            (!found || b->step >= found->step))
            found = b;
    }
    return found && history->about.numeric->same(found->value, value) ? found : NULL;
}

/* Of dead cells the frame speaks: at a step, and not without it. */
static bool asserts_dead(const struct rd_history *history, const struct rd_frame *frame)
{
    return history->about.frame && !frame->inside;
}

static void look(const struct rd_history *history, const struct rd_kept_frame *kept, size_t index,
                 struct rd_history_cell *cell)
{
    const struct rd_kept_frame *before = &history->frames[kept->frame.before];
    const struct rd_shown *shown = &history->shown;
    bool cut;
    cell->live = rd_claim_has(&kept->frame.claim, index);
    cell->known = is_known(kept, index, &cut);
    if (!cell->known)
        return;
    cell->value = load(history, kept, shown->now, index, cut);
    cell->put = find_put(history, &kept->frame, index, cell->value);
    if (before == kept || !is_known(before, index, &cut))
        return;
    cell->changed =
        !history->about.numeric->same(cell->value, load(history, before, shown->then, index, cut));
}

enum rd_status rd_history_cell(struct rd_history *history, size_t frame, size_t index,
                               struct rd_history_cell *cell, struct rd_error *error)
{
    if (frame >= history->n_frames)
        return rd_fail(error, RD_ERROR_USAGE, "frame %zu is none of %zu", frame, history->n_frames);
    const struct rd_kept_frame *kept = &history->frames[frame];
    struct rd_history_cell c = {0};
    struct rd_expect *expect;
    if (index >= kept->frame.n_cells)
        return rd_fail(error, RD_ERROR_USAGE, "%s has %zu cells, and %zu is none of them",
                       kept->frame.array, kept->frame.n_cells, index);
    if (history->about.witness) {
        c.live = rd_claim_has(&kept->frame.claim, index);
        rd_passes_cell(history, frame, index, &c);
        *cell = c;
        return RD_OK;
    }
    enum rd_status status = rd_states_show(history, frame, error);
    if (status == RD_OK)
        status = rd_wanted_find(history, frame, &expect, error);
    if (status != RD_OK)
        return status;
    look(history, kept, index, &c);
    if (expect && (c.live || asserts_dead(history, &kept->frame))) {
        c.expected_known = true;
        c.expected = rd_expect_cell(expect, index);
        if (c.known && c.live && expect->bounded)
            expect->numeric->deviation(expect, index, c.value, &c.deviation);
    }
    /* A lane that did not come has handed nothing in. */
    if (kept->frame.violated)
        c.wrong = c.known ? c.expected_known &&
                                rd_cell_is_wrong(expect, &kept->frame.claim, index, c.value)
                          : c.live && kept->layout.lanes;
    *cell = c;
    return RD_OK;
}
