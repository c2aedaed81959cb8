// SPDX-License-Identifier: MIT
/* The scheduler: which blocks run, and in which order their threads do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "device/sim/object.h"
#include "device/sim/api/cuda.h"
#include "device/sim/memory/memory.h"
#include "device/sim/engine/engine.h"
#include "tsan_hooks.h"

#include <signal.h>
#include <string.h>

enum { BLOCKS = 6, THREADS = 40, TURNS = 3 * THREADS };

/* turns[b][k]: the thread of block b that had turn k. */
static unsigned turns[BLOCKS][TURNS], n_turns[BLOCKS];
static int *memory;
static unsigned n_events;

static enum rd_hazard_kind last_class;

static void on_event(const struct rd_sim_event *event)
{
    last_class = event->hazard;
    n_events++;
}

static void take_turns(void *const *arguments)
{
    (void)arguments;
    for (unsigned k = 0; k < 3; k++) {
        uint64_t block = rd_sim_here->core.block;
        turns[block][n_turns[block]++] = rd_sim_here->core.thread;
        __tsan_read4(memory);
        rd_sim_syncthreads(0, 0, "test", k);
    }
}

static void read_often(void *const *arguments)
{
    const unsigned *count = arguments[0];
    for (unsigned k = 0; k < *count; k++)
        __tsan_read4(memory);
}

/* Stops at the barrier with other threads in all kinds of places. */
static void sync_grid(void *const *arguments)
{
    (void)arguments;
    unsigned k = rd_sim_here->core.thread;
    if (k == 1)
        rd_sim_syncwarp(3, "test", 1);
    if (k == 2)
        rd_sim_syncthreads(0, 0, "test", 2);
    if (k == 3)
        return;
    turns[rd_sim_here->core.block][n_turns[rd_sim_here->core.block]++] = k;
    rd_sim_grid_sync("test", 3);
    turns[rd_sim_here->core.block][n_turns[rd_sim_here->core.block]++] = k;
}

static struct rd_sim_grid grid_of(enum rd_order schedule)
{
    return (struct rd_sim_grid){
        .thread = take_turns,
        .grid = {3, 2, 1},
        .block = {THREADS, 1, 1},
        .cooperative = true,
        .schedule = {schedule, 7},
    };
}

static void run(const struct rd_sim_grid *grid)
{
    memset(turns, 0, sizeof turns);
    memset(n_turns, 0, sizeof n_turns);
    n_events = 0;
    assert_int_equal(rd_sim_run_grid(grid), RD_SIM_ENDED);
}

static void test_a_range_of_blocks_runs_those_and_no_others(void **unused)
{
    (void)unused;
    struct rd_sim_grid grid = grid_of(RD_ORDER_ASCENDING);
    grid.first_block = 2;
    grid.end_block = 4;
    run(&grid);
    for (unsigned block = 0; block < BLOCKS; block++)
        assert_int_equal(n_turns[block], block == 2 || block == 3 ? TURNS : 0);
    assert_int_equal(rd_sim_threads_run(), 2 * THREADS);
}

static void test_a_block_runs_the_same_whatever_blocks_ran_before(void **unused)
{
    (void)unused;
    static unsigned whole[BLOCKS][TURNS];
    for (int schedule = RD_ORDER_ASCENDING; schedule <= RD_ORDER_INTERLEAVE; schedule++) {
        struct rd_sim_grid grid = grid_of((enum rd_order)schedule);
        run(&grid);
        memcpy(whole, turns, sizeof whole);
        for (unsigned block = 0; block < BLOCKS; block++) {
            grid.first_block = block;
            grid.end_block = block + 1;
            run(&grid);
            assert_memory_equal(turns[block], whole[block], sizeof whole[block]);
        }
    }
}

static void test_blocks_of_a_random_schedule_differ(void **unused)
{
    (void)unused;
    struct rd_sim_grid grid = grid_of(RD_ORDER_RANDOM);
    run(&grid);
    for (unsigned block = 1; block < BLOCKS; block++)
        assert_memory_not_equal(turns[block], turns[0], sizeof turns[0]);
}

static void test_the_budget_of_a_thread_is_not_that_of_all_blocks(void **unused)
{
    (void)unused;
    unsigned count = 100000;
    void *arguments[] = {&count};
    struct rd_sim_grid grid = grid_of(RD_ORDER_ASCENDING);
    grid.thread = read_often;
    grid.arguments = arguments;
    grid.steps_max = 150000;
    run(&grid);
    assert_int_equal(n_events, 0);
    count = 200000;
    run(&grid);
    assert_int_equal(n_events, BLOCKS * THREADS);
}

static void test_a_part_of_the_blocks_stops_at_the_barrier_of_the_grid(void **unused)
{
    (void)unused;
    struct rd_sim_grid grid = grid_of(RD_ORDER_ASCENDING);
    for (unsigned first = 0; first < BLOCKS; first += 2) {
        grid.thread = sync_grid;
        grid.first_block = first;
        grid.end_block = first + 2;
        run(&grid);
        assert_true(rd_sim_grid_is_wanted_whole());
        assert_int_equal(n_events, 0);
        assert_int_equal(n_turns[first + 1], 0);
        /* All stacks are free again. */
        grid.thread = take_turns;
        grid.first_block = grid.end_block = 0;
        run(&grid);
        assert_false(rd_sim_grid_is_wanted_whole());
        assert_int_equal(rd_sim_threads_run(), BLOCKS * THREADS);
        assert_int_equal(n_turns[BLOCKS - 1], TURNS);
    }
}

static void test_only_a_cooperative_launch_has_a_barrier_of_the_grid(void **unused)
{
    (void)unused;
    struct rd_sim_grid grid = grid_of(RD_ORDER_ASCENDING);
    grid.thread = sync_grid;
    grid.cooperative = false;
    run(&grid);
    assert_int_equal(n_events, 1);
    assert_int_equal(last_class, RD_HAZARD_ILLEGAL_LAUNCH);
    assert_int_equal(n_turns[0], 1);
    assert_int_equal(n_turns[1], 0);
}

static void sync_rounds(void *const *arguments)
{
    (void)arguments;
    uint64_t block = rd_sim_here->core.block;
    for (unsigned k = 0; k < 3; k++) {
        turns[block][n_turns[block]++] = rd_sim_here->core.thread;
        rd_sim_grid_sync("test", k);
        for (unsigned other = 0; other < BLOCKS; other++)
            assert_true(n_turns[other] >= (k + 1) * THREADS);
    }
}

static void test_no_block_goes_on_before_all_have_come(void **unused)
{
    (void)unused;
    for (int schedule = RD_ORDER_ASCENDING; schedule <= RD_ORDER_INTERLEAVE; schedule++) {
        struct rd_sim_grid grid = grid_of((enum rd_order)schedule);
        grid.thread = sync_rounds;
        run(&grid);
        assert_int_equal(n_events, 0);
        for (unsigned block = 0; block < BLOCKS; block++)
            assert_int_equal(n_turns[block], TURNS);
    }
}

static volatile sig_atomic_t interrupted;

/* Asks for it in block 2, whose threads are then at all kinds of places. */
static void interrupt_one(void *const *arguments)
{
    n_turns[rd_sim_here->core.block]++;
    if (rd_sim_here->core.block == 2 && rd_sim_here->core.thread == 5) {
        interrupted = 1;
        read_often(arguments);
        n_turns[rd_sim_here->core.block] = 1000; /* it should not have come here */
    }
    rd_sim_syncthreads(0, 0, "test", 1);
}

static void test_a_launch_that_is_interrupted_ends_soon(void **unused)
{
    (void)unused;
    unsigned count = 1u << 24;
    for (int schedule = RD_ORDER_ASCENDING; schedule <= RD_ORDER_INTERLEAVE; schedule++) {
        struct rd_sim_grid grid = grid_of((enum rd_order)schedule);
        grid.thread = interrupt_one;
        grid.arguments = (void *[]){&count};
        grid.interrupted = &interrupted;
        interrupted = 0;
        run(&grid);
        assert_int_equal(n_events, 0);
        assert_in_range(n_turns[2], 1, THREADS);
        if (schedule == RD_ORDER_ASCENDING || schedule == RD_ORDER_DESCENDING) {
            bool ascending = schedule == RD_ORDER_ASCENDING;
            assert_int_equal(n_turns[ascending ? 1 : 3], THREADS);
            assert_int_equal(n_turns[ascending ? 3 : 1], 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_range_of_blocks_runs_those_and_no_others),
        cmocka_unit_test(test_a_block_runs_the_same_whatever_blocks_ran_before),
        cmocka_unit_test(test_blocks_of_a_random_schedule_differ),
        cmocka_unit_test(test_the_budget_of_a_thread_is_not_that_of_all_blocks),
        cmocka_unit_test(test_a_part_of_the_blocks_stops_at_the_barrier_of_the_grid),
        cmocka_unit_test(test_only_a_cooperative_launch_has_a_barrier_of_the_grid),
        cmocka_unit_test(test_no_block_goes_on_before_all_have_come),
        cmocka_unit_test(test_a_launch_that_is_interrupted_ends_soon),
    };
    if (!rd_sim_create(NULL) || rd_sim_shared_init(NULL) != RD_OK)
        return 2;
    rd_sim_here->core.on_event = on_event;
    memory = rd_sim_memory_alloc(sizeof *memory, 8192);
    rd_sim_memory_written(memory, sizeof *memory);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rd_sim_destroy(rd_sim_here);
    return failed != 0;
}
