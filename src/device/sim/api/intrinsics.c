// SPDX-License-Identifier: MIT
#include "device/sim/api/intrinsics.h"
#include "device/sim/detect/causality.h"
#include "device/sim/api/hooks.h"
#include "device/sim/engine/engine.h"
#include "device/sim/memory/memory.h"
#include "device/sim/detect/fast_path.h"
#include "device/sim/detect/races.h"
#include "device/sim/object.h"
#include "device/sim/api/cuda.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Waits for the lanes of the mask, with this lane's operation and value. Returns those that have come. */
static unsigned meet(struct rd_sim_lane *lane)
{
    unsigned me = rd_sim_here->core.thread % RD_SIM_WARP;
    if (!(lane->mask >> me & 1)) {
        rd_sim_here->core.on_event(&(struct rd_sim_event){
            .hazard = RD_HAZARD_MASK_MISMATCH,
            .actor = rd_sim_actor_at(lane->file, lane->line),
            .interval = rd_sim_here->core.interval,
        });
        lane->mask |= 1u << me;
    }
    rd_sim_warp_meet(lane);
    return lane->present;
}

RD_HOOK void rd_sim_syncwarp(unsigned mask, const char *file, unsigned line)
{
    meet(&(struct rd_sim_lane){
        .meeting = RD_MEET_SYNC, .mask = mask, .file = file, .line = line, .frame = RD_SIM_FRAME});
}

RD_HOOK void rd_sim_threadfence(int of_block)
{
    if (!rd_sim_is_running())
        return;
    rd_sim_communicate(0);
    if (!rd_sim_here->core.exact)
        rd_sim_exact_want();
    if (rd_sim_here->core.exact)
        rd_sim_causality_fence(of_block != 0);
}

/* Finds a shuffle's source lane by the CUDA guide: the warp falls into segments of `width` lanes, and a lane whose source
 * would lie outside its segment gets its own value. `width` is a power of two. Of the distance, the device takes five bits (PTX
 * ISA, "shfl.sync"). */
static int source_of(enum rd_sim_shuffle kind, int me, int lane, int width)
{
    int start = me & -width, source = me;
    lane &= RD_SIM_WARP - 1;
    switch (kind) {
    case RD_SHFL:
        return start + (lane & (width - 1));
    case RD_SHFL_UP:
        source = me - lane;
        return source < start ? me : source;
    case RD_SHFL_DOWN:
        source = me + lane;
        return source >= start + width ? me : source;
    case RD_SHFL_XOR:
        source = me ^ lane;
        return source >= start + width ? me : source;
    }
    return source;
}

RD_HOOK uint64_t rd_sim_shuffle(int kind, unsigned mask, uint64_t value, int lane, int width,
                                const char *file, unsigned line)
{
    int me = (int)(rd_sim_here->core.thread % RD_SIM_WARP);
    if (width < 1 || width > RD_SIM_WARP || (width & (width - 1))) {
        rd_sim_here->core.on_event(&(struct rd_sim_event){
            .hazard = RD_HAZARD_SHUFFLE_WIDTH,
            .actor = rd_sim_actor_at(file, line),
            .text = "calls a shuffle of a width that is no power of two from 1 to 32",
            .interval = rd_sim_here->core.interval,
        });
        width = RD_SIM_WARP;
    }
    int source = source_of((enum rd_sim_shuffle)kind, me, lane, width);
    struct rd_sim_lane mine = {
        .meeting = RD_MEET_SHUFFLE,
        .operation = (unsigned)kind,
        .mask = mask,
        .value = value,
        .source = (unsigned)source % RD_SIM_WARP,
        .file = file,
        .line = line,
        .frame = RD_SIM_FRAME,
    };
    unsigned present = meet(&mine);
    if (source < 0 || source >= RD_SIM_WARP || !(present >> source & 1)) {
        struct rd_sim_actor other = rd_sim_actor_at(file, line);
        other.thread =
            rd_sim_here->core.thread / RD_SIM_WARP * RD_SIM_WARP + (unsigned)source % RD_SIM_WARP;
        rd_sim_here->core.on_event(&(struct rd_sim_event){
            .hazard = RD_HAZARD_INACTIVE_LANE,
            .actor = rd_sim_actor_at(file, line),
            .other = other,
            .has_other = true,
            .interval = rd_sim_here->core.interval,
        });
        return value;
    }
    return mine.taken;
}

static unsigned combine(enum rd_sim_vote kind, unsigned x, unsigned y)
{
    switch (kind) {
    case RD_VOTE_ADD:
        return x + y;
    case RD_VOTE_MIN_U:
        return x < y ? x : y;
    case RD_VOTE_MAX_U:
        return x > y ? x : y;
    case RD_VOTE_MIN_S:
        return (int)x < (int)y ? x : y;
    case RD_VOTE_MAX_S:
        return (int)x > (int)y ? x : y;
    case RD_VOTE_AND:
        return x & y;
    case RD_VOTE_OR:
        return x | y;
    case RD_VOTE_XOR:
        return x ^ y;
    case RD_VOTE_BALLOT:
    case RD_VOTE_ANY:
    case RD_VOTE_ALL:
    case RD_VOTE_MATCH_ANY:
    case RD_VOTE_MATCH_ALL:
        break;
    }
    return x;
}

/* The running lane at a vote, made of the parameters of the hook that this stands in. */
#define VOTER(kind)                                                                                \
    (struct rd_sim_lane)                                                                           \
    {                                                                                              \
        .meeting = RD_MEET_VOTE, .operation = (unsigned)(kind), .mask = mask, .value = value,      \
        .file = file, .line = line, .frame = RD_SIM_FRAME, .values = values                        \
    }

RD_HOOK unsigned rd_sim_vote(int kind, unsigned mask, unsigned value, const char *file,
                             unsigned line)
{
    uint64_t values[RD_SIM_WARP];
    unsigned present = meet(&VOTER(kind));
    unsigned ballot = 0, combined = 0;
    bool first = true;
    for (unsigned lane = 0; lane < RD_SIM_WARP; lane++) {
        if (!(present >> lane & 1))
            continue;
        ballot |= (unsigned)(values[lane] != 0) << lane;
        combined = first ? (unsigned)values[lane]
                         : combine((enum rd_sim_vote)kind, combined, (unsigned)values[lane]);
        first = false;
    }
    switch ((enum rd_sim_vote)kind) {
    case RD_VOTE_BALLOT:
        return ballot;
    case RD_VOTE_ANY:
        return ballot != 0;
    case RD_VOTE_ALL:
        return ballot == present;
    default:
        return combined;
    }
}

RD_HOOK unsigned rd_sim_exchange(unsigned operation, unsigned mask, uint64_t value,
                                 uint64_t values[RD_SIM_WARP], const char *file, unsigned line)
{
    return meet(&VOTER(operation));
}

RD_HOOK void rd_sim_whole_warp(unsigned present, const char *file, unsigned line)
{
    if (present == ~0u)
        return;
    rd_sim_here->core.on_event(&(struct rd_sim_event){
        .hazard = RD_HAZARD_MASK_MISMATCH,
        .actor = rd_sim_actor_at(file, line),
        .text =
            "calls a matrix instruction, which is one of the whole warp, without lanes that are "
            "gone, or that the block does not have,",
        .interval = rd_sim_here->core.interval,
    });
}

RD_HOOK unsigned rd_sim_match(unsigned mask, uint64_t value, int *same, const char *file,
                              unsigned line)
{
    uint64_t values[RD_SIM_WARP];
    unsigned operation = same ? RD_VOTE_MATCH_ALL : RD_VOTE_MATCH_ANY, lanes = 0;
    unsigned present = meet(&VOTER(operation));
    for (unsigned lane = 0; lane < RD_SIM_WARP; lane++)
        if ((present >> lane & 1) && values[lane] == value)
            lanes |= 1u << lane;
    if (!same)
        return lanes;
    *same = lanes == present;
    return *same ? lanes : 0;
}

RD_HOOK unsigned rd_sim_activemask(const char *file, unsigned line)
{
    rd_sim_here->core.took_mask = true;
    return meet(&(struct rd_sim_lane){
        .meeting = RD_MEET_ACTIVE,
        .mask = 0xffffffffu,
        .file = file,
        .line = line,
        .frame = RD_SIM_FRAME,
    });
}

RD_HOOK void rd_sim_outdated(const char *name, const char *file, unsigned line)
{
    const struct rd_sim_outdated call = {name, file, line};
    rd_sim_outdated_add(&rd_sim_here->core.outdated, &call);
}

/* Bits of an atomic that fast_path.h does not know. */
enum { UNUSUAL = ~(RD_SIM_TAKES_LOCK | RD_SIM_ORDER_SAID | RD_SIM_OF_SYSTEM) };

RD_HOOK void rd_sim_atomic_cas(int atomic, const volatile void *address, size_t size_bytes,
                               const void *compared, void *pc)
{
    uintptr_t at = (uintptr_t)address, from = (uintptr_t)pc;
    const struct rd_sim_core *core = &rd_sim_here->core;
    if (!core->is_running && core->on_host_access) { /* by host code: cuda::atomic */
        core->on_host_access(at, size_bytes, RD_SIM_ATOMIC, from);
        return;
    }
    if (!--rd_sim_here->core.budget)
        rd_sim_ask(RD_SIM_ATOMIC);
    rd_sim_communicate(at);
    rd_sim_tell_access(at, size_bytes, RD_SIM_ATOMIC, from);
    if (rd_sim_here->core.on_device_atomic && !(atomic & RD_SIM_OF_SYSTEM))
        rd_sim_here->core.on_device_atomic(at, size_bytes);
    if (compared || (atomic & UNUSUAL) || rd_sim_here->core.exact ||
        !((size_bytes == 4 && rd_sim_access_is_plain(at, 4, RD_SIM_ATOMIC, from)) ||
          (size_bytes == 8 && rd_sim_access_is_plain(at, 8, RD_SIM_ATOMIC, from))))
        rd_sim_access_atomic(at, size_bytes, (unsigned)atomic, compared, from);
    rd_sim_communicated(at, size_bytes);
}

RD_HOOK void rd_sim_atomic(int atomic, const volatile void *address, size_t size_bytes, void *pc)
{
    rd_sim_atomic_cas(atomic, address, size_bytes, NULL, pc);
}

RD_HOOK _Noreturn void rd_sim_assert_fail(const char *text, const char *file, unsigned line)
{
    rd_sim_here->core.on_event(&(struct rd_sim_event){
        .hazard = RD_HAZARD_ASSERT_FAILED,
        .actor = rd_sim_actor_at(file, line),
        .interval = rd_sim_here->core.interval,
        .text = text,
    });
    rd_sim_thread_end();
}

/* Failure of the C library's assert(), also in a file that has been loaded. */
RD_HOOK _Noreturn void __assert_fail(const char *text, const char *file, unsigned line,
                                     const char *function)
{
    if (rd_sim_is_running())
        rd_sim_assert_fail(text, file, line);
    fflush(stdout);
    fprintf(stderr, "%s:%u: %s: assertion '%s' failed\n", file, line, function, text);
    abort();
}

/* The same of a client's kernel; no alias, as the C library says more of that function than an alias may. */
RD_HOOK _Noreturn void rd_sim__assert_fail(const char *text, const char *file, unsigned line,
                                           const char *function);
RD_HOOK _Noreturn void rd_sim__assert_fail(const char *text, const char *file, unsigned line,
                                           const char *function)
{
    __assert_fail(text, file, line, function);
}

/* A thread that only looks at the clock waits for it: the time until it looks again doubles each time. */
RD_HOOK long long rd_sim_clock(void)
{
    enum { CYCLES = 4, CYCLES_MAX = 1 << 14 };
    struct rd_sim_core *core = &rd_sim_here->core;
    if (!core->is_running)
        return clock();
    core->took_clock = true;
    const bool waits = core->clock_thread == core->thread && core->clock_budget == core->budget;
    core->clock_step = !waits                          ? CYCLES
                       : core->clock_step < CYCLES_MAX ? 2 * core->clock_step
                                                       : CYCLES_MAX;
    core->clock_thread = core->thread;
    core->clock_budget = core->budget;
    return core->clock += core->clock_step;
}

/* ---- atomics ---- */

/* The simulator runs one thread at a time, and lets no other run between
 * the check of an atomic and its end. */
static float without_subnormal(float x)
{
    return fabsf(x) < FLT_MIN ? copysignf(0, x) : x;
}

RD_HOOK float rd_sim_atomic_sum(const volatile void *address, float x, float y)
{
    if ((uintptr_t)address - rd_sim_here->core.shared < rd_sim_here->core.shared_size)
        return x + y;
    return without_subnormal(without_subnormal(x) + without_subnormal(y));
}

#define ATOMIC_OF(T, name, scope, expression)                                                      \
    RD_HOOK T name(void *p, T value)                                                               \
    {                                                                                              \
        rd_sim_atomic(scope, p, sizeof(T), __builtin_return_address(0));                           \
        T old = *(T *)p;                                                                           \
        *(T *)p = (expression);                                                                    \
        return old;                                                                                \
    }
#define ATOMIC(T, name, type, expression)                                                          \
    ATOMIC_OF(T, rd_sim_##name##_##type, RD_SIM_OF_GRID, expression)                               \
    ATOMIC_OF(T, rd_sim_##name##_block_##type, RD_SIM_OF_BLOCK, expression)
#define CAS_OF(T, name, scope)                                                                     \
    RD_HOOK T name(void *p, T compare, T value)                                                    \
    {                                                                                              \
        rd_sim_atomic_cas(scope | RD_SIM_TAKES_LOCK, p, sizeof(T), &compare,                       \
                          __builtin_return_address(0));                                            \
        T old = *(T *)p;                                                                           \
        if (old == compare)                                                                        \
            *(T *)p = value;                                                                       \
        return old;                                                                                \
    }
/* U is the type to add in: signed integers wrap, as on the device, so that they are added as unsigned
 * ones. */
#define ATOMICS(T, U, type, sum)                                                                   \
    ATOMIC(T, add, type, sum)                                                                      \
    ATOMIC(T, sub, type, (T)((U)old - (U)value))                                                   \
    ATOMIC(T, min, type, value < old ? value : old)                                                \
    ATOMIC(T, max, type, old < value ? value : old)                                                \
    ATOMIC(T, exch, type, value)                                                                   \
    CAS_OF(T, rd_sim_cas_##type, RD_SIM_OF_GRID)                                                   \
    CAS_OF(T, rd_sim_cas_block_##type, RD_SIM_OF_BLOCK)
#define ATOMICS_OF_BITS(T, type)                                                                   \
    ATOMIC(T, and, type, old &value)                                                               \
    ATOMIC(T, or, type, old | value)                                                               \
    ATOMIC(T, xor, type, old ^ value)

ATOMICS(int32_t, uint32_t, i32, (int32_t)((uint32_t)old + (uint32_t)value))
ATOMICS(uint32_t, uint32_t, u32, (uint32_t)((uint32_t)old + (uint32_t)value))
ATOMICS(int64_t, uint64_t, i64, (int64_t)((uint64_t)old + (uint64_t)value))
ATOMICS(uint64_t, uint64_t, u64, (uint64_t)((uint64_t)old + (uint64_t)value))
ATOMICS(float, float, f32, rd_sim_atomic_sum(p, old, value))
ATOMICS(double, double, f64, old + value)
ATOMICS_OF_BITS(int32_t, i32)
ATOMICS_OF_BITS(uint32_t, u32)
ATOMICS_OF_BITS(int64_t, i64)
ATOMICS_OF_BITS(uint64_t, u64)
#define ATOMIC_SUM_OF_HALF(name, NAME, elem, kind)                                                 \
    ATOMIC(rd_##name, add, name, rd_##name##_sum(old, value))
RD_HALF_TYPES(ATOMIC_SUM_OF_HALF)
CAS_OF(uint16_t, rd_sim_cas_u16, RD_SIM_OF_GRID)
CAS_OF(uint16_t, rd_sim_cas_block_u16, RD_SIM_OF_BLOCK)
ATOMIC(uint32_t, inc, u32, old >= value ? 0 : old + 1)
ATOMIC(uint32_t, dec, u32, old == 0 || old > value ? value : old - 1)
