// SPDX-License-Identifier: MIT
/* The race detector against the definition. Random programs of plain, volatile and atomic accesses, fences,
 * barriers of some lanes, of blocks and of the grid, and early exits run under every schedule; what is
 * reported must be exactly what the definition says of all pairs of accesses. The definition
 * stands in exact_order.c.
 *
 * RD_SEED sets the seed, which is printed; RD_PROGRAMS the number of programs (default:
 * 100000, and 20000 with RD_TEST_SHORT). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "exact_order.h"

#include "device/sim/object.h"
#include "device/sim/engine/engine.h"
#include "device/sim/api/intrinsics.h"
#include "device/sim/memory/memory.h"
#include "tsan_hooks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *memory; /* global, or shared */
static bool is_shared;
static bool epochs_are_few; /* they run out in each block */

/* ---- running ---- */

static void perform(const struct op *op)
{
    char *p = memory + op->offset;
    uint32_t other;
    static void (*const hooks[2][9])(void *) = {
        {[1] = __tsan_read1, [2] = __tsan_read2, [4] = __tsan_read4, [8] = __tsan_read8},
        {[1] = __tsan_write1, [2] = __tsan_write2, [4] = __tsan_write4, [8] = __tsan_write8}};
    switch (op->kind) {
    case NOTHING:
        break;
    case READ:
    case WRITE:
        hooks[op->kind == WRITE][op->size](p);
        break;
    case VOLATILE_READ:
        __tsan_volatile_read4(p);
        break;
    case VOLATILE_WRITE:
        __tsan_volatile_write4(p);
        break;
    case ATOMIC:
        memcpy(&other, p, sizeof other);
        other += op->fails;
        if (op->compares)
            rd_sim_atomic_cas((int)op->atomic, p, op->size, &other, (void *)perform);
        else
            rd_sim_atomic((int)op->atomic, p, op->size, (void *)perform);
        break;
    case FENCE:
        rd_sim_threadfence(op->of_block);
        break;
    }
}

/* An operation happens when it returns: nobody else has run since it was made. */
static void do_op(const struct op *op)
{
    unsigned block = (unsigned)rd_sim_here->core.block, thread = rd_sim_here->core.thread;
    if (op->kind == NOTHING)
        return;
    perform(op);
    exact_order_happen(block, thread, op);
}

static void come_to_barrier(unsigned block, unsigned thread, unsigned phase)
{
    uint32_t lanes = program.lanes[phase];
    switch (program.barriers[phase]) {
    case NONE:
        return;
    case OF_WARPS:
        rd_sim_syncwarp(0xffffffffu, "program", phase);
        break;
    case OF_LANES:
        rd_sim_syncwarp(lanes >> thread % 32 & 1 ? lanes : ~lanes, "program", phase);
        break;
    case OF_BLOCKS:
        rd_sim_syncthreads(0, 0, "program", phase);
        break;
    case OF_THE_GRID:
        rd_sim_grid_sync("program", phase);
        break;
    }
    exact_order_pass(block, thread, phase);
}

static void run_thread(void *const *arguments)
{
    unsigned block = (unsigned)rd_sim_here->core.block, thread = rd_sim_here->core.thread;
    (void)arguments;
    if (epochs_are_few && !rd_sim_here->core.exact && rd_sim_here->core.epoch < RD_EPOCH_LAST - 4)
        rd_sim_here->core.epoch = RD_EPOCH_LAST - block * 7 % 5;
    for (unsigned phase = 0; phase < program.phases; phase++) {
        for (unsigned k = 0; k < OPS_MAX; k++)
            do_op(&program.ops[block][thread][phase][k]);
        if (program.exits[block][thread] == phase)
            break;
        come_to_barrier(block, thread, phase);
    }
    exact_order_exit(block, thread);
}

/* ---- what is reported ---- */

struct pair {
    unsigned block, offset;
    struct rd_sim_actor actor, other;
};
enum { PAIRS_MAX = 4096 };
static struct pair pairs[PAIRS_MAX];
static unsigned n_pairs;
static bool reported[BLOCKS_MAX][BYTES];

static void on_event(const struct rd_sim_event *event)
{
    if (event->hazard == RD_HAZARD_UNINITIALISED || event->hazard == RD_HAZARD_BARRIER_SKIPPED)
        return;
    assert_int_equal(event->hazard, RD_HAZARD_RACE);
    size_t offset = event->address - (uintptr_t)memory;
    unsigned block = is_shared ? (unsigned)event->actor.block : 0;
    for (size_t k = 0; k < event->size_bytes; k++)
        if (event->bytes >> k & 1)
            reported[block][offset + k] = true;
    if (n_pairs < PAIRS_MAX)
        pairs[n_pairs++] =
            (struct pair){block, (unsigned)(offset + (unsigned)__builtin_ctz(event->bytes)),
                          event->actor, event->other};
}

/* ---- comparing ---- */

/* Prints all that is known of the byte. */
static void print_byte(unsigned block, unsigned offset)
{
    exact_order_print(block, offset);
    for (unsigned k = 0; k < n_pairs; k++)
        printf("  reported: byte %u, block %u thread %u, block %u thread %u\n", pairs[k].offset,
               (unsigned)pairs[k].actor.block, pairs[k].actor.thread,
               (unsigned)pairs[k].other.block, pairs[k].other.thread);
}

static enum rd_sim_ending run(const struct rd_schedule *schedule, bool exact)
{
    const struct rd_sim_grid grid = {
        .thread = run_thread,
        .grid = {program.blocks, 1, 1},
        .block = {program.threads, 1, 1},
        .cooperative = true,
        .schedule = *schedule,
        .exact = exact,
    };
    n_pairs = 0;
    memset(reported, 0, sizeof reported);
    exact_order_begin(is_shared);
    rd_sim_here->core.acquires_by_fence = program.by_fence;
    enum rd_sim_ending ending = rd_sim_run_grid(&grid);
    rd_sim_here->core.acquires_by_fence = false;
    return ending;
}

static void compare(unsigned number, uint64_t seed, bool exact)
{
    for (unsigned b = 0; b < (is_shared ? program.blocks : 1); b++)
        for (unsigned k = 0; k < BYTES; k++)
            if (exact_order_has_raced(b, k) != reported[b][k]) {
                print_byte(b, k);
                fail_msg("RD_SEED=%llu, program %u, %s, byte %u of block %u: %s",
                         (unsigned long long)seed, number, exact ? "exact" : "summary", k, b,
                         reported[b][k] ? "a false alarm" : "a race is missed");
            }
    for (unsigned k = 0; k < n_pairs; k++)
        if (!exact_order_have_raced(pairs[k].block, pairs[k].offset, &pairs[k].actor,
                                    &pairs[k].other)) {
            print_byte(pairs[k].block, pairs[k].offset);
            fail_msg("RD_SEED=%llu, program %u, %s: those of report %u have not raced",
                     (unsigned long long)seed, number, exact ? "exact" : "summary", k);
        }
}

static void check_program(unsigned number, uint64_t seed)
{
    const struct rd_schedule schedule = {(enum rd_order)exact_below(RD_ORDER_INTERLEAVE + 1),
                                         number};
    enum rd_sim_ending ending = run(&schedule, false);
    if (ending == RD_SIM_ENDED)
        compare(number, seed, false);
    else
        assert_int_equal(ending, RD_SIM_EXACT_WANTED);
    if (ending == RD_SIM_EXACT_WANTED || exact_one_in(2)) {
        assert_int_equal(run(&schedule, true), RD_SIM_ENDED);
        compare(number, seed, true);
    }
}

static unsigned count_programs(unsigned part)
{
    const char *text = getenv("RD_PROGRAMS");
    const unsigned count = getenv("RD_TEST_SHORT") ? 20000 : 100000;
    return (unsigned)(text ? strtoull(text, NULL, 10) : count) / part;
}

static void run_programs(char *where, bool shared, unsigned part)
{
    const char *text = getenv("RD_SEED");
    uint64_t seed = text ? strtoull(text, NULL, 10) : 20261122;
    print_message("RD_SEED=%llu\n", (unsigned long long)seed);
    memory = where;
    is_shared = shared;
    exact_program_seed(seed);
    rd_sim_here->core.on_event = on_event;
    for (unsigned number = 0; number < count_programs(part); number++) {
        exact_program_make();
        check_program(number, seed);
    }
}

static void test_races_in_global_memory_are_those_of_the_definition(void **unused)
{
    (void)unused;
    char *where = rd_sim_memory_alloc(BYTES, 8192);
    memset(where, 0, BYTES);
    rd_sim_memory_written(where, BYTES);
    run_programs(where, false, 2);
    rd_sim_memory_free(where);
}

static void test_races_in_shared_memory_are_those_of_the_definition(void **unused)
{
    (void)unused;
    char *where = rd_sim_dynamic_shared();
    rd_sim_shared_dynamic((uintptr_t)where, BYTES);
    run_programs(where, true, 4);
}

/* Epochs are numbered with 26 bits: when they run out, all is forgotten, and nothing goes wrong. */
static void test_races_are_found_when_epochs_run_out(void **unused)
{
    (void)unused;
    char *where = rd_sim_memory_alloc(BYTES, 8192);
    memset(where, 0, BYTES);
    rd_sim_memory_written(where, BYTES);
    rd_sim_here->core.epoch = RD_EPOCH_MAX / 2 - 5000;
    run_programs(where, false, 20);
    assert_true(rd_sim_here->core.epoch < RD_EPOCH_MAX / 2);
    rd_sim_memory_free(where);
}

/* Epochs may run out within a launch, at any barrier: the order of accesses stays what it is. */
static void test_races_are_found_when_epochs_run_out_within_blocks(void **unused)
{
    (void)unused;
    char *where = rd_sim_dynamic_shared();
    epochs_are_few = true;
    rd_sim_shared_dynamic((uintptr_t)where, BYTES);
    run_programs(where, true, 10);
    where = rd_sim_memory_alloc(BYTES, 8192);
    memset(where, 0, BYTES);
    rd_sim_memory_written(where, BYTES);
    run_programs(where, false, 10);
    rd_sim_memory_free(where);
    epochs_are_few = false;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_races_in_global_memory_are_those_of_the_definition),
        cmocka_unit_test(test_races_in_shared_memory_are_those_of_the_definition),
        cmocka_unit_test(test_races_are_found_when_epochs_run_out),
        cmocka_unit_test(test_races_are_found_when_epochs_run_out_within_blocks),
    };
    if (!rd_sim_create(NULL) || rd_sim_shared_init(NULL) != RD_OK)
        return 2;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rd_sim_destroy(rd_sim_here);
    return failed != 0;
}
