// SPDX-License-Identifier: MIT
/* Faults put into a run on purpose. */
#include "run/state.h"

#include <inttypes.h>
#include <string.h>

static enum rd_status check_cell(const struct rd_break *b, size_t n_cells, struct rd_error *error)
{
    if (b->cell < n_cells)
        return RD_OK;
    return rd_fail(error, RD_ERROR_USAGE, "there is no A[%zu] to break: the last is A[%zu]",
                   b->cell, n_cells - 1);
}

static enum rd_status check_omission(const struct rd_run *run, const struct rd_shape *shape,
                                     const struct rd_break *b, struct rd_error *error)
{
    const char *what = b->kind == RD_BREAK_THREAD ? "a thread" : "a barrier";
    struct rd_round round;
    if (!run->device->ops->omits)
        return rd_fail(error, RD_ERROR_USAGE, "'%s' can't leave out %s: use the simulator",
                       run->device->ops->name, what);
    if (b->step == 0 || !rd_program_round(run->program, shape, b->step, &round))
        return rd_fail(error, RD_ERROR_USAGE,
                       "there is no round 0 to leave out %s of: the first is round 1", what);
    uint64_t blocks = rd_round_blocks_in_all(&round);
    unsigned threads = rd_round_threads(&round);
    if (b->kind == RD_BREAK_THREAD && (b->block >= blocks || b->thread >= threads))
        return rd_fail(error, RD_ERROR_USAGE,
                       "there is no thread %u of block %" PRIu64 " in round %u: it has %" PRIu64
                       " block%s of %u thread%s",
                       b->thread, b->block, b->step, blocks, blocks == 1 ? "" : "s", threads,
                       threads == 1 ? "" : "s");
    if (b->kind == RD_BREAK_BARRIER && b->barrier == 0)
        return rd_fail(error, RD_ERROR_USAGE, "there is no barrier 0: the first is 1");
    return RD_OK;
}

enum rd_status rd_breaks_check(const struct rd_run *run, const struct rd_shape *shape,
                               size_t n_cells, struct rd_error *error)
{
    enum rd_status status = RD_OK;
    if (run->n_breaks > RD_BREAKS_MAX)
        return rd_fail(error, RD_ERROR_USAGE, "there are %u breaks: at most %d are taken",
                       run->n_breaks, RD_BREAKS_MAX);
    for (unsigned k = 0; k < run->n_breaks && status == RD_OK; k++) {
        const struct rd_break *b = &run->breaks[k];
        unsigned rounds = rd_program_rounds(run->program, shape);
        if (b->step > rounds)
            return rd_fail(error, RD_ERROR_USAGE,
                           "there is no step %u to break: '%s' ends with step %u", b->step,
                           run->program->name, rounds);
        status = b->kind == RD_BREAK_CELL ? check_cell(b, n_cells, error)
                                          : check_omission(run, shape, b, error);
    }
    return status;
}

unsigned rd_breaks_omissions(const struct rd_run *run, unsigned step,
                             struct rd_omission omissions[RD_BREAKS_MAX])
{
    unsigned count = 0;
    for (unsigned k = 0; k < run->n_breaks; k++) {
        const struct rd_break *b = &run->breaks[k];
        if (b->step == step && b->kind != RD_BREAK_CELL)
            omissions[count++] = (struct rd_omission){
                .of_thread = b->kind == RD_BREAK_THREAD,
                .block = b->block,
                .thread = b->thread,
                .barrier = b->barrier,
            };
    }
    return count;
}

void rd_breaks_excuse(const struct rd_run *run, unsigned step, uint32_t lanes,
                      struct rd_checkpoint *checkpoint)
{
    const struct rd_place *place = &checkpoint->place;
    for (unsigned k = 0; k < run->n_breaks; k++) {
        const struct rd_break *b = &run->breaks[k];
        uint32_t lane = lanes & (uint32_t)1 << b->thread % RD_WARP_LANES;
        bool is_of_block =
            b->kind == RD_BREAK_THREAD && b->step == step && b->block == place->block;
        if (is_of_block && place->warp == RD_WHOLE_BLOCK) {
            checkpoint->threads++;
        } else if (is_of_block && (int)(b->thread / RD_WARP_LANES) == place->warp) {
            checkpoint->threads += (lane & ~checkpoint->present) != 0;
            checkpoint->present |= lane;
        }
    }
}

bool rd_breaks_a_cell(const struct rd_run *run)
{
    for (unsigned k = 0; k < run->n_breaks; k++)
        if (run->breaks[k].kind == RD_BREAK_CELL)
            return true;
    return false;
}
