// SPDX-License-Identifier: MIT
/* Instructions by which the lanes of a warp, or the threads of a block, meet. */
#include "device/sim/api/intrinsics.h"
#include "device/sim/engine/engine.h"
#include "device/sim/object.h"
#include "device/sim/ptx/ptx_internal.h"

static void needs_sync(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    if (!rd_ptx_is(i, RD_PTX_SYNC))
        rd_ptx_refuse(m, "PTX warp instructions without .sync, which no GPU since sm_70 has");
}

/* Operand 3 has the least and the greatest source of a segment: as shuffles of C++ make it from their width. */
static unsigned width_of(struct rd_ptx_machine *m, bool up)
{
    unsigned c = (unsigned)rd_ptx_get(m, 3, rd_ptx_b32), width = 32 - (c >> 8 & 31);
    if ((c & 31) != (up ? 0u : 31u) || (width & (width - 1)))
        rd_ptx_refuse(m, "a PTX shuffle whose bounds are not those of a width");
    return width;
}

void rd_ptx_run_shfl(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    bool up = rd_ptx_is(i, RD_PTX_UP), down = rd_ptx_is(i, RD_PTX_DOWN),
         cross = rd_ptx_is(i, RD_PTX_BFLY);
    int kind = up ? RD_SHFL_UP : down ? RD_SHFL_DOWN : cross ? RD_SHFL_XOR : RD_SHFL;
    unsigned lane = rd_sim_here->core.thread % RD_SIM_WARP,
             mask = (unsigned)rd_ptx_get(m, 4, rd_ptx_b32);
    unsigned by = (unsigned)rd_ptx_get(m, 2, rd_ptx_b32), width = width_of(m, up);
    RD_SIM_NEEDS_FRAME;
    needs_sync(m, i);
    uint64_t value = rd_sim_shuffle(kind, mask, rd_ptx_get(m, 1, rd_ptx_b32), (int)by, (int)width,
                                    m->file, rd_ptx_line(m));
    by &= 31;
    unsigned first = lane & -width, last = first + width - 1;
    bool inside = up      ? lane >= first + by
                  : down  ? lane + by <= last
                  : cross ? (lane ^ by) <= last
                          : true;
    rd_ptx_put(m, 0, value);
    if (i->operands[0].form == RD_PTX_PAIR)
        rd_ptx_put_part(m, &i->operands[0].parts[1], inside);
}

void rd_ptx_run_vote(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    unsigned mask = (unsigned)rd_ptx_get(m, 2, rd_ptx_b32),
             is_true = (unsigned)rd_ptx_get(m, 1, rd_ptx_pred);
    RD_SIM_NEEDS_FRAME;
    needs_sync(m, i);
    if (rd_ptx_is(i, RD_PTX_UNI)) {
        unsigned lanes = rd_sim_vote(RD_VOTE_BALLOT, mask, is_true, m->file, rd_ptx_line(m));
        rd_ptx_put(m, 0, lanes == 0 || lanes == mask);
        return;
    }
    int kind = rd_ptx_is(i, RD_PTX_ALL)   ? RD_VOTE_ALL
               : rd_ptx_is(i, RD_PTX_ANY) ? RD_VOTE_ANY
                                          : RD_VOTE_BALLOT;
    rd_ptx_put(m, 0, rd_sim_vote(kind, mask, is_true, m->file, rd_ptx_line(m)));
}

void rd_ptx_run_match(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    unsigned mask = (unsigned)rd_ptx_get(m, 2, rd_ptx_b32);
    int same = 0;
    RD_SIM_NEEDS_FRAME;
    needs_sync(m, i);
    rd_ptx_put(m, 0,
               rd_sim_match(mask, rd_ptx_get(m, 1, i->types[0]),
                            rd_ptx_is(i, RD_PTX_ALL) ? &same : NULL, m->file, rd_ptx_line(m)));
    if (i->operands[0].form == RD_PTX_PAIR)
        rd_ptx_put_part(m, &i->operands[0].parts[1], same != 0);
}

void rd_ptx_run_activemask(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    (void)i;
    RD_SIM_NEEDS_FRAME;
    rd_ptx_put(m, 0, rd_sim_activemask(m->file, rd_ptx_line(m)));
}

void rd_ptx_run_redux(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    bool is_signed = i->types[0].kind == RD_PTX_SIGNED;
    int kind = rd_ptx_is(i, RD_PTX_ADD)   ? RD_VOTE_ADD
               : rd_ptx_is(i, RD_PTX_MIN) ? (is_signed ? RD_VOTE_MIN_S : RD_VOTE_MIN_U)
               : rd_ptx_is(i, RD_PTX_MAX) ? (is_signed ? RD_VOTE_MAX_S : RD_VOTE_MAX_U)
               : rd_ptx_is(i, RD_PTX_AND) ? RD_VOTE_AND
               : rd_ptx_is(i, RD_PTX_OR)  ? RD_VOTE_OR
                                          : RD_VOTE_XOR;
    RD_SIM_NEEDS_FRAME;
    needs_sync(m, i);
    if (i->types[0].kind > RD_PTX_SIGNED)
        rd_ptx_refuse(m, "the PTX instruction 'redux' of floats");
    rd_ptx_put(m, 0,
               rd_sim_vote(kind, (unsigned)rd_ptx_get(m, 2, rd_ptx_b32),
                           (unsigned)rd_ptx_get(m, 1, rd_ptx_b32), m->file, rd_ptx_line(m)));
}

/* Elects the first of the lanes. */
void rd_ptx_run_elect(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    unsigned mask = (unsigned)rd_ptx_get(m, 1, rd_ptx_b32),
             lane = rd_sim_here->core.thread % RD_SIM_WARP;
    RD_SIM_NEEDS_FRAME;
    needs_sync(m, i);
    unsigned lanes = rd_sim_vote(RD_VOTE_BALLOT, mask, 1, m->file, rd_ptx_line(m));
    unsigned first = lanes ? (unsigned)__builtin_ctz(lanes) : 0;
    rd_ptx_put(m, 0, first);
    if (i->operands[0].form == RD_PTX_PAIR)
        rd_ptx_put_part(m, &i->operands[0].parts[1], first == lane);
}

/* ---- barriers ---- */

/* "bar.red.popc.u32 d, a, p;": with a result in front, and a predicate behind. */
static void reduce(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    int kind = rd_ptx_is(i, RD_PTX_POPC)  ? RD_BARRIER_COUNT
               : rd_ptx_is(i, RD_PTX_AND) ? RD_BARRIER_AND
                                          : RD_BARRIER_OR;
    if (i->n != 3 || rd_ptx_get(m, 1, rd_ptx_b32) != 0)
        rd_ptx_refuse(m, "PTX barriers other than number 0");
    rd_ptx_put(
        m, 0,
        (uint64_t)rd_sim_syncthreads(kind, (int)rd_ptx_get(m, 2, rd_ptx_pred), m->file, m->line));
}

void rd_ptx_run_bar(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    uint64_t n = i->n > 1 ? rd_ptx_get(m, 1, rd_ptx_b32) : rd_sim_here->block.n;
    unsigned whole = (rd_sim_here->block.n + RD_SIM_WARP - 1) / RD_SIM_WARP * RD_SIM_WARP;
    RD_SIM_NEEDS_FRAME;
    if (rd_ptx_is(i, RD_PTX_WARP)) {
        rd_sim_syncwarp((unsigned)rd_ptx_get(m, 0, rd_ptx_b32), m->file, rd_ptx_line(m));
        return;
    }
    if (rd_ptx_is(i, RD_PTX_RED)) {
        reduce(m, i);
        return;
    }
    if (rd_ptx_get(m, 0, rd_ptx_b32) != 0)
        rd_ptx_refuse(m, "PTX barriers other than number 0");
    if (!rd_ptx_is(i, RD_PTX_SYNC) || (n != rd_sim_here->block.n && n != whole))
        rd_ptx_refuse(m, "PTX barriers of a part of the block");
    rd_sim_block_sync(m->file, m->line);
}

/* ---- ends ---- */

void rd_ptx_run_nothing(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    (void)m, (void)i;
}

void rd_ptx_run_trap(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    rd_sim_assert_fail(i->opcode->name, m->file, rd_ptx_line(m));
}

void rd_ptx_run_exit(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    unsigned line = rd_ptx_line(m);
    (void)i;
    rd_sim_return(m->file, line, 0, line);
    rd_sim_thread_exit();
}
