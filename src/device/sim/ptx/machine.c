// SPDX-License-Identifier: MIT
/* The registers of a text of PTX, while it is run. */
#include "device/sim/api/cuda.h"
#include "device/sim/engine/engine.h"
#include "device/sim/file/launch.h"
#include "device/sim/object.h"
#include "device/sim/ptx/ptx_internal.h"

#include <stdlib.h>

unsigned rd_ptx_line(const struct rd_ptx_machine *m)
{
    return RD_SIM_LINE(m->line);
}

_Noreturn void rd_ptx_refuse(struct rd_ptx_machine *m, const char *what)
{
    rd_sim_unsimulated(what, m->file, rd_ptx_line(m), NULL);
    abort();
}

/* ---- registers ---- */

static unsigned lane_mask(enum rd_ptx_special which, unsigned lane)
{
    unsigned one = 1u << lane, below = one - 1;
    switch (which) {
    case RD_PTX_LANEMASK_EQ:
        return one;
    case RD_PTX_LANEMASK_LE:
        return below | one;
    case RD_PTX_LANEMASK_LT:
        return below;
    case RD_PTX_LANEMASK_GE:
        return ~below;
    default:
        return ~below & ~one;
    }
}

/* Blocks lie on multiprocessors in turn, as many as an H100 has. */
static uint64_t special(struct rd_ptx_machine *m, enum rd_ptx_special which)
{
    enum { MULTIPROCESSORS = 132 };
    const struct rd_sim_core *core = &rd_sim_here->core;
    const struct rd_sim_dim *place[] = {&rd_sim_place.thread, &rd_sim_place.block_dim,
                                        &rd_sim_place.block, &rd_sim_place.grid_dim};
    if (which <= RD_PTX_NCTAID_Z) {
        const struct rd_sim_dim *dim = place[which / 3];
        return which % 3 == 0 ? dim->x : which % 3 == 1 ? dim->y : dim->z;
    }
    switch (which) {
    case RD_PTX_LANEID:
        return core->thread % RD_SIM_WARP;
    case RD_PTX_WARPID:
        return core->thread / RD_SIM_WARP;
    case RD_PTX_NWARPID:
        return 64;
    case RD_PTX_SMID:
        return core->block % MULTIPROCESSORS;
    case RD_PTX_NSMID:
        return MULTIPROCESSORS;
    case RD_PTX_GRIDID:
        rd_ptx_refuse(m, "the PTX register '%gridid'");
    case RD_PTX_CLOCK:
        return (uint64_t)rd_sim_clock() & rd_ptx_mask(32);
    case RD_PTX_CLOCK_HI:
    case RD_PTX_GLOBALTIMER_HI:
        return (uint64_t)rd_sim_clock() >> 32;
    case RD_PTX_CLOCK64:
    case RD_PTX_GLOBALTIMER:
        return (uint64_t)rd_sim_clock();
    case RD_PTX_GLOBALTIMER_LO:
        return (uint64_t)rd_sim_clock() & rd_ptx_mask(32);
    case RD_PTX_WARP_SZ:
        return RD_SIM_WARP;
    case RD_PTX_LANEMASK_EQ:
    case RD_PTX_LANEMASK_LE:
    case RD_PTX_LANEMASK_LT:
    case RD_PTX_LANEMASK_GE:
    case RD_PTX_LANEMASK_GT:
        return lane_mask(which, core->thread % RD_SIM_WARP);
    case RD_PTX_DYNAMIC_SMEM_SIZE:
        rd_ptx_refuse(m, "the PTX register '%dynamic_smem_size'");
    default:
        rd_ptx_refuse(m, "the PTX register '%total_smem_size'");
    }
}

static void tell_unset(struct rd_ptx_machine *m, unsigned slot)
{
    const char *name = m->program->names[slot];
    m->unset[slot] = 0;
    rd_sim_here->core.on_event(&(struct rd_sim_event){
        .hazard = RD_HAZARD_UNINITIALISED,
        .actor = rd_sim_actor_at(m->file, rd_ptx_line(m)),
        .interval = rd_sim_here->core.interval,
        .is_private = true,
        .size_bytes = (m->program->widths[slot] + 7u) / 8,
        .text = "reads a register that its asm statement has not set",
        .variable = {name, (unsigned)strlen(name), (m->program->widths[slot] + 7u) / 8, 0},
    });
}

uint64_t rd_ptx_get_part(struct rd_ptx_machine *m, const struct rd_ptx_part *part,
                         struct rd_ptx_type type)
{
    double real;
    uint64_t value = 0;
    switch (part->kind) {
    case RD_PTX_NONE:
        break;
    case RD_PTX_SLOT:
        if (m->unset[part->slot])
            tell_unset(m, part->slot);
        value = m->values[part->slot];
        break;
    case RD_PTX_INTEGER:
        value = part->integer;
        if (type.kind == RD_PTX_F && type.bits > 16 && !type.is_packed)
            value = rd_ptx_nearest((double)(int64_t)value, type);
        break;
    case RD_PTX_REAL:
        memcpy(&real, &part->integer, sizeof real);
        value = type.kind == RD_PTX_BITS && type.bits == 32
                    ? rd_ptx_nearest(real, (struct rd_ptx_type){RD_PTX_F, 32, false})
                : type.kind == RD_PTX_BITS ? part->integer
                                           : rd_ptx_nearest(real, type);
        break;
    case RD_PTX_SPECIAL:
        value = special(m, (enum rd_ptx_special)part->slot);
        break;
    }
    if (part->is_negated)
        value = !value;
    return value & rd_ptx_mask(type.bits);
}

void rd_ptx_put_part(struct rd_ptx_machine *m, const struct rd_ptx_part *part, uint64_t bits)
{
    if (part->kind != RD_PTX_SLOT)
        return;
    m->values[part->slot] = bits & rd_ptx_mask(m->program->widths[part->slot]);
    m->unset[part->slot] = 0;
    if (part->slot < m->program->n_user)
        m->written |= UINT64_C(1) << part->slot;
}
