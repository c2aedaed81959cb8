// SPDX-License-Identifier: MIT
/* __syncthreads() and its forms. */
#include "device/sim/engine/detector.h"
#include "device/sim/engine/engine.h"
#include "device/sim/api/hooks.h"
#include "device/sim/engine/engine_internal.h"
#include "device/sim/object.h"

#include <string.h>

static struct rd_sim_path path_of(const struct rd_sim_block *b, unsigned k, void *const *context)
{
    return (struct rd_sim_path){
        .frame = rd_sim_context_frame(context),
        .end = (uintptr_t)b->stacks[k]->top,
    };
}

/* At the grid's barrier, if not at the block's. */
static void tell_astray(unsigned k)
{
    struct rd_sim_block *b = &rd_sim_here->block;
    struct rd_sim_path paths[2];
    const bool at_block = b->state[k] == RD_SIM_ASTRAY;
    if (at_block) {
        paths[0] = path_of(b, k, b->turns[k].context);
        paths[1] = path_of(b, b->first, b->turns[b->first].context);
    }
    rd_sim_tell_waiting(RD_HAZARD_BARRIER_DIVERGENCE, k, b->first, at_block ? paths : NULL);
}

void rd_sim_barrier_tell_astray(void)
{
    struct rd_sim_block *b = &rd_sim_here->block;
    for (unsigned k = 0; k < b->n && b->file; k++)
        if (b->state[k] == RD_SIM_ASTRAY || b->state[k] == RD_SIM_AT_GRID)
            tell_astray(k);
}

static void tell_absent(enum rd_hazard_kind hazard, unsigned thread, void *self)
{
    struct rd_sim_block *b = self;
    if (hazard != RD_HAZARD_BARRIER_SKIPPED || !b->threads[thread].has_returned)
        b->threads[thread].file = NULL;
    rd_sim_tell_waiting(hazard, b->first, thread, NULL);
}

static void check_meeting(void)
{
    struct rd_sim_block *b = &rd_sim_here->block;
    rd_sim_barrier_tell_astray();
    rd_sim_tell_absent(b, b->file, b->line, tell_absent, b);
}

/* Returns how many waited. */
static unsigned let_go(void)
{
    struct rd_sim_block *b = &rd_sim_here->block;
    unsigned n = 0;
    if (!b->diverged && b->n_done + b->n_at_grid == 0) {
        memset(b->state, RD_SIM_READY, b->n);
        return b->n;
    }
    check_meeting();
    for (unsigned k = 0; k < b->n; k++)
        if (b->state[k] == RD_SIM_AT_BARRIER || b->state[k] == RD_SIM_ASTRAY) {
            b->state[k] = RD_SIM_READY;
            n++;
        }
    return n;
}

void rd_sim_barrier_release(void)
{
    struct rd_sim_block *b = &rd_sim_here->block;
    struct rd_sim_core *core = &rd_sim_here->core;
    b->n_ready = b->released = let_go();
    b->truths = b->n_true;
    b->n_true = 0;
    rd_sim_barrier_await(b);
    b->n_in_vain = 0;
    rd_sim_turns_progress();
    if (b->has_accessed)
        rd_sim_phase_begins();
    b->has_accessed = false;
    core->interval++;
    b->interval_epoch = rd_sim_epoch_next();
    b->uneven = rd_sim_turns_are_short();
    core->interval_stamp = (uint64_t)b->interval_epoch << RD_EPOCH_SHIFT;
    if (!core->exact) {
        core->interval_floor = core->interval_stamp;
        rd_sim_warps_interval();
    }
    RD_SIM_TELL(barrier);
    rd_sim_turns_shuffle();
}

static void come_first(const char *file, unsigned line, const struct rd_sim_path *path)
{
    struct rd_sim_block *b = &rd_sim_here->block;
    b->file = file;
    b->line = line;
    b->first = rd_sim_here->core.thread;
    if (b->omits)
        return;
    b->way = rd_sim_way_of(path);
    b->pc = b->grid->calls_kernel && b->way.n == 2 ? b->way.pcs[0] : 0;
}

/* Tells whether the thread has come to the place of the first, and by the same calls. */
static bool meets_first(const struct rd_sim_block *b, const char *file, unsigned line,
                        const struct rd_sim_path *path)
{
    if (line != b->line || file != b->file)
        return false;
    if (b->first == rd_sim_here->core.thread)
        return true;
    struct rd_sim_path firsts = path_of(b, b->first, b->turns[b->first].context);
    return !rd_sim_paths_differ(path, &firsts);
}

/* The thread that comes to the barrier has made accesses in its turn. */
static inline void note_accesses(struct rd_sim_block *b, const struct rd_sim_core *core)
{
    b->has_accessed |= core->budget != core->granted;
}

/* The first to come says where, and those who come elsewhere are kept apart. Where another thread starts, its
 * frame is never left, so that it must have no guards. */
static void *__attribute__((noinline, no_sanitize("address")))
come_first_or_astray(const char *file, unsigned line, void *context)
{
    struct rd_sim *sim = rd_sim_here;
    struct rd_sim_block *b = &sim->block;
    unsigned k = sim->core.thread;
    struct rd_sim_path path = path_of(b, k, context);
    rd_sim_settle();
    if (b->omits && rd_sim_omit_barrier())
        return context;
    if (!b->file)
        come_first(file, line, &path);
    bool astray = !meets_first(b, file, line, &path);
    b->diverged |= astray;
    b->state[k] = astray ? RD_SIM_ASTRAY : RD_SIM_AT_BARRIER;
    note_accesses(b, &sim->core);
    b->threads[k].file = file;
    b->threads[k].line = line;
    return rd_sim_next_context(sim, context);
}

/* The way of the first may have to be compared as a whole. */
static void *__attribute__((noinline, no_sanitize("address")))
come_by_way(const char *file, unsigned line, void *context)
{
    struct rd_sim *sim = rd_sim_here;
    struct rd_sim_block *b = &sim->block;
    const struct rd_sim_path path = path_of(b, sim->core.thread, context);
    if (line != b->line || file != b->file || sim->core.is_waiting ||
        !rd_sim_way_is_taken(&b->way, &path))
        return come_first_or_astray(file, line, context);
    b->state[sim->core.thread] = RD_SIM_AT_BARRIER;
    note_accesses(b, &sim->core);
    return rd_sim_next_context(sim, context);
}

struct rd_sim_site rd_sim_last_barrier(void)
{
    const struct rd_sim_thread_state *first = &rd_sim_here->block.threads[rd_sim_here->block.first];
    return (struct rd_sim_site){
        .file = first->file,
        .line = RD_SIM_LINE(first->line),
    };
}

RD_PRIVATE __attribute__((used)) void *rd_sim_barrier_next(const char *file, unsigned line,
                                                           void *context);
void *rd_sim_barrier_next(const char *file, unsigned line, void *context)
{
    struct rd_sim *sim = rd_sim_here;
    struct rd_sim_block *b = &sim->block;
    const struct rd_sim_core *core = &sim->core;
    /* One call has one file. The second half of the way, in the caller's frame, is a cache line more for
     * each thread, which the first cache has no room for. */
    bool other = rd_sim_context_frame(context)->pc != b->pc || line != b->line;
    if (__builtin_expect(other || core->is_waiting, 0))
        return come_by_way(file, line, context);
    b->state[core->thread] = RD_SIM_AT_BARRIER;
    note_accesses(b, core);
    return rd_sim_next_context(sim, context);
}

RD_HOOK RD_SIM_GIVING_WAY(rd_sim_block_sync, rd_sim_barrier_next)

RD_HOOK int rd_sim_syncthreads(int kind, int value, const char *file, unsigned line)
{
    const struct rd_sim_block *b = &rd_sim_here->block;
    RD_SIM_NEEDS_FRAME;
    rd_sim_here->block.n_true += value != 0;
    rd_sim_block_sync(file, line);
    switch ((enum rd_sim_barrier)kind) {
    case RD_BARRIER_AND:
        return b->truths == b->released;
    case RD_BARRIER_OR:
        return b->truths > 0;
    case RD_BARRIER_PLAIN:
    case RD_BARRIER_COUNT:
        break;
    }
    return (int)b->truths;
}

/* ---- those who have returned ---- */

/* Threads are not at a barrier because they have ended: they left by a return in front of it, or passed
 * it by, as in the other branch of an if. */
struct rd_sim_returns_state {
    bool has_returned; /* some thread of the launch, by a return */
};

RD_HOOK void rd_sim_return(const char *file, unsigned line, unsigned first, unsigned from)
{
    struct rd_sim_block *b = &rd_sim_here->block;
    if (!rd_sim_is_running())
        return;
    struct rd_sim_thread_state *thread = &b->threads[rd_sim_here->core.thread];
    rd_sim_here->returns->has_returned = b->kept = thread->has_returned = true;
    thread->file = file;
    thread->line = line;
    thread->first = first;
    thread->from = from;
}

void rd_sim_returns_begin(void)
{
    rd_sim_here->returns->has_returned = false;
}

enum rd_hazard_kind rd_sim_absence(const struct rd_sim_thread_state *gone, const char *file,
                                   unsigned line)
{
    line = RD_SIM_LINE(line);
    if (!rd_sim_here->block.grid->tells_returns)
        return RD_HAZARD_BARRIER_SKIPPED;
    if (!gone)
        return rd_sim_here->returns->has_returned ? RD_HAZARD_BARRIER_SKIPPED
                                                  : RD_HAZARD_BARRIER_DIVERGENCE;
    bool is_behind = gone->has_returned && strcmp(gone->file, file) == 0 && line >= gone->first &&
                     line < gone->from;
    return gone->has_returned && !is_behind ? RD_HAZARD_BARRIER_SKIPPED
                                            : RD_HAZARD_BARRIER_DIVERGENCE;
}

void rd_sim_tell_absent(const struct rd_sim_block *b, const char *file, unsigned line,
                        void (*tell)(enum rd_hazard_kind hazard, unsigned thread, void *self),
                        void *self)
{
    bool told[2] = {false, false};
    for (unsigned k = 0; k < b->n && b->n_done > 0; k++) {
        if (b->state[k] != RD_SIM_DONE || b->threads[k].trapped)
            continue;
        enum rd_hazard_kind hazard = rd_sim_absence(&b->threads[k], file, line);
        if (!told[hazard == RD_HAZARD_BARRIER_SKIPPED])
            tell(hazard, k, self);
        told[hazard == RD_HAZARD_BARRIER_SKIPPED] = true;
    }
}

const struct rd_sim_part rd_sim_part_returns = {
    .size_bytes = sizeof(struct rd_sim_returns_state),
    .at = offsetof(struct rd_sim, returns),
};
