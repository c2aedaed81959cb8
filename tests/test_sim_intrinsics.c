// SPDX-License-Identifier: MIT
/* CUDA's words in C, as the project's own kernels use them: each against its definition, over all lanes.
 * The kernels assert it; tests/hazards has the same for C++. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "device/sim/object.h"
#include "device/sim/api/cuda.h"
#include "device/sim/memory/memory.h"
#include "device/sim/engine/engine.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

#define ALL 0xffffffffu

static unsigned n_events;
static void *cell;

static void on_event(const struct rd_sim_event *event)
{
    if (n_events++ == 0)
        print_message("%s:%u: %s\n", event->actor.site.file ? event->actor.site.file : "",
                      event->actor.site.line, event->text ? event->text : "a hazard");
}

static void run(rd_sim_thread *thread, unsigned n_threads)
{
    for (int schedule = RD_ORDER_ASCENDING; schedule <= RD_ORDER_INTERLEAVE; schedule++) {
        struct rd_sim_grid grid = {
            .thread = thread,
            .grid = {2, 1, 1},
            .block = {n_threads, 1, 1},
            .schedule = {(enum rd_order)schedule, 7},
        };
        n_events = 0;
        enum rd_sim_ending ending = rd_sim_run_grid(&grid);
        if (ending == RD_SIM_EXACT_WANTED) {
            grid.exact = true;
            ending = rd_sim_run_grid(&grid);
        }
        assert_int_equal(ending, RD_SIM_ENDED);
        assert_int_equal(n_events, 0);
    }
}

/* ---- warps ---- */

static int value_of(int lane)
{
    return lane * 37 % 32 - 16;
}

static void shuffle_all(void *const *arguments)
{
    (void)arguments;
    int lane = (int)threadIdx.x % 32, mine = value_of(lane);
    for (int width = 1; width <= 32; width *= 2)
        for (int k = 0; k < 32; k++) {
            int rank = lane % width, first = lane - rank;
            int up = rank >= k ? lane - k : lane, down = rank + k < width ? lane + k : lane;
            int across = (lane ^ k) < first + width ? lane ^ k : lane;
            assert(__shfl_sync(ALL, mine, k, width) == value_of(first + k % width));
            assert(__shfl_up_sync(ALL, mine, k, width) == value_of(up));
            assert(__shfl_down_sync(ALL, mine, k, width) == value_of(down));
            assert(__shfl_xor_sync(ALL, mine, k, width) == value_of(across));
        }
    assert(__shfl_sync(ALL, mine * 0.1, 3) == value_of(3) * 0.1);
    assert(__shfl_xor_sync(ALL, (unsigned long long)lane << 40, 1) == (unsigned long long)(lane ^ 1)
                                                                          << 40);
    __syncwarp();
    __syncwarp(ALL);
}

static void vote_all(void *const *arguments)
{
    (void)arguments;
    int lane = (int)threadIdx.x % 32, n = threadIdx.x < 32 ? 32 : 13;
    unsigned there = n == 32 ? ALL : (1u << n) - 1;
    assert(__activemask() == there);
    for (int k = 0; k < n; k++) {
        assert(__ballot_sync(there, lane == k) == 1u << k);
        assert(__any_sync(there, lane == k) && !__all_sync(there, lane == k));
        assert(__all_sync(there, lane < n) && !__any_sync(there, lane >= n));
    }
    assert(__reduce_add_sync(there, lane) == n * (n - 1) / 2);
    assert(__reduce_min_sync(there, -lane) == 1 - n && __reduce_max_sync(there, -lane) == 0);
    assert(__reduce_min_sync(there, 5u - (unsigned)lane) == 0);
    assert(__reduce_max_sync(there, 5u - (unsigned)lane) == UINT_MAX);
    assert(__reduce_or_sync(there, 1u << lane) == there);
    assert(__reduce_and_sync(there, ~(1u << lane)) == ~there);
    assert(__reduce_xor_sync(there, 3u << lane) == (n == 32 ? 1u : 0x2001u));
}

static void count_all(void *const *arguments)
{
    (void)arguments;
    int n = (int)blockDim.x, me = (int)threadIdx.x;
    for (int k = 0; k <= n; k++) {
        assert(__syncthreads_count(me < k ? -7 : 0) == k);
        assert(!!__syncthreads_and(me >= k) == (k == 0));
        assert(!!__syncthreads_or(me < k) == (k > 0));
    }
    long long start = clock64();
    assert(clock64() >= start);
}

static void test_shuffles_take_what_the_guide_says(void **state)
{
    (void)state;
    run(shuffle_all, 64);
}

static void test_votes_count_the_lanes_that_are_there(void **state)
{
    (void)state;
    run(vote_all, 45);
}

static void test_barriers_count_whose_value_is_true(void **state)
{
    (void)state;
    run(count_all, 1);
    run(count_all, 33);
}

/* ---- atomics ---- */

/* A cell holds `old`; the operation returns that, and leaves `expected`. */
#define ONCE(p, old, operation, expected)                                                          \
    do {                                                                                           \
        *(p) = (old);                                                                              \
        assert((operation) == (old) && *(p) == (expected));                                        \
    } while (0)
#define SCOPES(p, old, name, argument, expected)                                                   \
    ONCE(p, old, name(p, argument), expected);                                                     \
    ONCE(p, old, name##_block(p, argument), expected);                                             \
    ONCE(p, old, name##_system(p, argument), expected)
#define NUMBERS(T, p)                                                                              \
    SCOPES(p, (T)5, atomicAdd, (T)7, (T)12);                                                       \
    SCOPES(p, (T)7, atomicSub, (T)5, (T)2);                                                        \
    SCOPES(p, (T)5, atomicMin, (T)3, (T)3);                                                        \
    SCOPES(p, (T)5, atomicMin, (T)7, (T)5);                                                        \
    SCOPES(p, (T)5, atomicMax, (T)3, (T)5);                                                        \
    SCOPES(p, (T)5, atomicMax, (T)7, (T)7);                                                        \
    SCOPES(p, (T)5, atomicExch, (T)7, (T)7);                                                       \
    ONCE(p, (T)5, atomicCAS(p, (T)5, (T)9), (T)9);                                                 \
    ONCE(p, (T)5, atomicCAS_block(p, (T)6, (T)9), (T)5)
#define BITS(T, p)                                                                                 \
    SCOPES(p, (T)12, atomicAnd, (T)10, (T)8);                                                      \
    SCOPES(p, (T)12, atomicOr, (T)10, (T)14);                                                      \
    SCOPES(p, (T)12, atomicXor, (T)10, (T)6)

static void update_all(void *const *arguments)
{
    (void)arguments;
    if (blockIdx.x > 0)
        return;
    int *i = cell;
    unsigned *u = cell;
    long long *l = cell;
    unsigned long long *w = cell;
    float *f = cell;
    double *d = cell;
    NUMBERS(int, i);
    NUMBERS(unsigned, u);
    NUMBERS(long long, l);
    NUMBERS(unsigned long long, w);
    NUMBERS(float, f);
    NUMBERS(double, d);
    BITS(int, i);
    BITS(unsigned, u);
    BITS(unsigned long long, w);
    SCOPES(i, INT_MAX, atomicAdd, 1, INT_MIN);
    SCOPES(i, INT_MIN, atomicSub, 1, INT_MAX);
    SCOPES(i, -1, atomicMax, 1, 1);
    SCOPES(u, UINT_MAX, atomicMax, 1u, UINT_MAX);
    SCOPES(l, LLONG_MIN, atomicMax, 1ll, 1ll);
    SCOPES(w, ULLONG_MAX, atomicMin, 1ull, 1ull);
    SCOPES(u, 5u, atomicInc, 5u, 0u);
    SCOPES(u, 4u, atomicInc, 5u, 5u);
    SCOPES(u, 0u, atomicDec, 5u, 5u);
    SCOPES(u, 9u, atomicDec, 5u, 5u);
}

static void test_atomics_do_what_the_guide_says(void **state)
{
    (void)state;
    run(update_all, 1);
}

/* ---- numbers ---- */

static void compare_all(void *const *arguments)
{
    (void)arguments;
    int n = 5;
    assert(min(n++, 9) == 5 && n == 6);
    assert(max(9, n--) == 9 && n == 5);
    assert(__clz(n++) == 29 && n == 6);
    assert(min(-1, 2) == -1 && max(-1, 2) == 2);
    assert(min(-1, 2u) == 2 && max(-1, 2u) == UINT_MAX); /* as unsigned, by C's conversions */
    assert(min(UINT_MAX, 1ll) == 1 && max(UINT_MAX, -1ll) == UINT_MAX);
    assert(min(-1ll, 1ull) == 1 && max(LLONG_MIN, 0l) == 0);
    assert(max((short)-3, (short)-2) == -2 && sizeof(max((short)1, (short)2)) == sizeof(int));
    assert(sizeof(min(1.5f, 2)) == sizeof(float) && min(1.5f, 2) == 1.5f);
    assert(max(1.5, 2.5f) == 2.5 && sizeof(max(1.5, 2.5f)) == sizeof(double));
    assert(min(__builtin_nan(""), 1.0) == 1 && max(1.0f, __builtin_nanf("")) == 1);
    assert(1 / min(0.0, -0.0) < 0 && 1 / max(-0.0f, 0.0f) > 0);
    assert(__clz(0) == 32 && __clz(-1) == 0 && __clzll(1) == 63 && __clzll(0) == 64);
    assert(__ffs(8) == 4 && __ffsll(1ll << 40) == 41 && __popcll(-1) == 64);
    assert(fmaf(0x1p24f, 1 + 0x1p-23f, -0x1p24f) == 2);
}

static void test_numbers_are_compared_once_by_their_types(void **state)
{
    (void)state;
    run(compare_all, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shuffles_take_what_the_guide_says),
        cmocka_unit_test(test_votes_count_the_lanes_that_are_there),
        cmocka_unit_test(test_barriers_count_whose_value_is_true),
        cmocka_unit_test(test_atomics_do_what_the_guide_says),
        cmocka_unit_test(test_numbers_are_compared_once_by_their_types),
    };
    if (!rd_sim_create(NULL) || rd_sim_shared_init(NULL) != RD_OK)
        return 2;
    cell = rd_sim_memory_alloc(8, 8);
    if (!cell)
        return 2;
    rd_sim_memory_written(cell, 8);
    rd_sim_here->core.on_event = on_event;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rd_sim_destroy(rd_sim_here);
    return failed != 0;
}
