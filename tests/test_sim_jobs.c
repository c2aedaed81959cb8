// SPDX-License-Identifier: MIT
/* A grid that several processes run against the same one run by one: random programs, most of
 * whose blocks are independent. What is found, what memory holds afterwards and what of
 * it is initialised must be the same. The seed is printed, and RD_SEED sets it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "device/sim/object.h"
#include "reductio/hazards.h"
#include "device/sim/api/intrinsics.h"
#include "device/sim/engine/engine.h"
#include "device/sim/memory/memory.h"
#include "device/sim/report/report.h"
#include "tsan_hooks.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { BLOCKS = 13, OWN = 24, INPUT = 40, BYTES = BLOCKS * OWN + INPUT };
enum { THREADS = 36, PHASES = 3, PROGRAMS = 300 };
static const unsigned numbers_of_jobs[] = {2, 3, 8};
enum { N_JOBS = sizeof numbers_of_jobs / sizeof *numbers_of_jobs };

/* First each block's own bytes, then those that all of them read. */
static unsigned char *memory;
static uint64_t state;
static pid_t parent;
static volatile pid_t *last_to_run; /* some block; fallen back, this process */

static uint64_t next_random(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

/* ---- random programs ---- */

struct access {
    enum { NONE, READ, WRITE, ATOMIC } op;
    unsigned offset, size;
};
static struct access program[BLOCKS][THREADS][PHASES];
static unsigned n_written; /* by the host, from the start on; the rest is not initialised */

/* Shares, of 1000 accesses, of those to another block's bytes, of atomics, and of those out of bounds. */
struct flavour {
    unsigned strays, atomics, overruns;
};

static struct access make_access(unsigned block, const struct flavour *flavour)
{
    struct access a = {.op = next_random() % 3, .size = 1u << next_random() % 4};
    unsigned unit = (unsigned)(next_random() % (OWN / a.size));
    a.offset = block * OWN + unit * a.size;
    if (a.op == READ && next_random() % 2)
        a.offset = BLOCKS * OWN + (unsigned)(next_random() % (INPUT / a.size)) * a.size;
    if (next_random() % 1000 < flavour->strays)
        a.offset = (unsigned)(next_random() % (BYTES / a.size)) * a.size;
    if (next_random() % 1000 < flavour->atomics)
        a = (struct access){ATOMIC, block * OWN, 4};
    if (next_random() % 1000 < flavour->overruns)
        a.offset = BYTES;
    return a;
}

static void make_program(void)
{
    static const struct flavour flavours[] = {{0, 0, 0}, {0, 0, 0}, {1, 0, 0}, {30, 0, 0},
                                              {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
    const struct flavour *flavour = &flavours[next_random() % 7];
    for (unsigned block = 0; block < BLOCKS; block++)
        for (unsigned thread = 0; thread < THREADS; thread++)
            for (unsigned phase = 0; phase < PHASES; phase++)
                program[block][thread][phase] = make_access(block, flavour);
    n_written = next_random() % 2 ? BYTES : (unsigned)(next_random() % BYTES);
}

static void perform(const struct access *a)
{
    unsigned char *p = memory + a->offset;
    static void (*const hooks[2][9])(void *) = {
        {[1] = __tsan_read1, [2] = __tsan_read2, [4] = __tsan_read4, [8] = __tsan_read8},
        {[1] = __tsan_write1, [2] = __tsan_write2, [4] = __tsan_write4, [8] = __tsan_write8}};
    if (a->op == NONE)
        return;
    if (a->op == ATOMIC)
        rd_sim_atomic(RD_SIM_OF_GRID, p, a->size, (void *)perform);
    else
        hooks[a->op == WRITE][a->size](p);
    for (unsigned k = 0; k < a->size && a->op != READ; k++)
        p[k] = (unsigned char)(p[k] * 3 + rd_sim_here->core.thread + 1);
}

static void run_program(void *const *arguments)
{
    (void)arguments;
    *last_to_run = getpid();
    for (unsigned phase = 0; phase < PHASES; phase++) {
        perform(&program[rd_sim_here->core.block][rd_sim_here->core.thread][phase]);
        rd_sim_syncthreads(0, 0, "program", phase);
    }
}

/* ---- one run, and what came of it ---- */

struct outcome {
    unsigned char bytes[BYTES];
    bool initialised[BYTES];
    uint64_t threads;
    char report[1 << 16];
};

static void reset_memory(void)
{
    enum rd_sim_space space;
    memset(rd_sim_shadow((uintptr_t)memory, &space), 0, BYTES / 4 * sizeof(uint64_t));
    memset(memory, 7, BYTES);
    if (n_written)
        rd_sim_memory_written(memory, n_written);
}

static void run_grid(void (*thread)(void *const *), enum rd_order schedule, unsigned jobs)
{
    const struct rd_sim_grid grid = {
        .thread = thread,
        .grid = {BLOCKS, 1, 1},
        .block = {THREADS, 1, 1},
        .schedule = {.order = schedule},
        .jobs = jobs,
    };
    rd_sim_report_begin(grid.grid, grid.block);
    assert_int_equal(rd_sim_run_grid(&grid), RD_SIM_ENDED);
}

static struct outcome *outcome;
static bool is_shared_out; /* the run was several processes' work */

static void find_uninitialised(const struct rd_sim_event *event)
{
    if (event->hazard == RD_HAZARD_UNINITIALISED)
        outcome->initialised[event->address - (uintptr_t)memory] = false;
}

static void read_all(void *const *arguments)
{
    (void)arguments;
    if (rd_sim_here->core.block == 0 && rd_sim_here->core.thread == 0)
        for (unsigned k = 0; k < BYTES; k++)
            __tsan_read1(memory + k);
}

static void run(struct outcome *out, enum rd_order schedule, unsigned jobs)
{
    size_t n_findings, length = 0;
    reset_memory();
    run_grid(run_program, schedule, jobs);
    is_shared_out = *last_to_run != parent;
    *out = (struct outcome){.threads = rd_sim_threads_run()};
    memcpy(out->bytes, memory, BYTES);
    const struct rd_finding *findings = rd_sim_report_findings(&n_findings);
    for (size_t k = 0; k < n_findings && length < sizeof out->report; k++)
        length += (size_t)snprintf(out->report + length, sizeof out->report - length, "%s: %s\n",
                                   rd_hazard_name(findings[k].hazard), findings[k].message);
    memset(out->initialised, true, sizeof out->initialised);
    outcome = out;
    rd_sim_here->core.on_event = find_uninitialised;
    run_grid(read_all, RD_ORDER_ASCENDING, 1);
    rd_sim_here->core.on_event = rd_sim_report_event;
}

static void test_any_number_of_processes_gives_the_same(void **unused)
{
    (void)unused;
    const char *text = getenv("RD_SEED");
    uint64_t seed = text ? strtoull(text, NULL, 0) : 20261121;
    static struct outcome one, several;
    print_message("RD_SEED=%llu\n", (unsigned long long)seed);
    state = seed;
    unsigned n_shared_out = 0;
    for (unsigned number = 0; number < PROGRAMS; number++) {
        make_program();
        run(&one, RD_ORDER_ASCENDING, 1);
        run(&several, RD_ORDER_ASCENDING, numbers_of_jobs[number % N_JOBS]);
        assert_string_equal(several.report, one.report);
        assert_memory_equal(several.bytes, one.bytes, BYTES);
        assert_memory_equal(several.initialised, one.initialised, sizeof one.initialised);
        assert_int_equal(several.threads, one.threads);
        n_shared_out += is_shared_out;
    }
    assert_in_range(n_shared_out, PROGRAMS / 5, PROGRAMS * 4 / 5);
}

/* ---- which process runs a block ---- */

static void (*before_it_is_told)(void);

static void tell_process(void *const *arguments)
{
    (void)arguments;
    int32_t *cell = (int32_t *)memory + rd_sim_here->core.block;
    if (rd_sim_here->core.thread != 0)
        return;
    if (before_it_is_told)
        before_it_is_told();
    __tsan_write4(cell);
    *cell = getpid();
}

/* The different ones among those of the blocks; they must be of blocks in a row. */
static unsigned count_processes(void)
{
    const int32_t *cells = (const int32_t *)memory;
    unsigned n = 1;
    for (unsigned block = 1; block < BLOCKS; block++)
        n += cells[block] != cells[block - 1];
    return n;
}

static unsigned count_processes_with(void (*first)(void))
{
    before_it_is_told = first;
    n_written = 0;
    reset_memory();
    run_grid(tell_process, RD_ORDER_ASCENDING, 3);
    assert_int_equal(rd_sim_threads_run(), BLOCKS * THREADS);
    return count_processes();
}

static void test_blocks_that_share_nothing_are_run_by_processes(void **unused)
{
    (void)unused;
    assert_int_equal(count_processes_with(NULL), 3);
    assert_int_not_equal(*(const int32_t *)memory, parent);
    for (unsigned k = 0; k < N_JOBS; k++) {
        run_grid(tell_process, RD_ORDER_ASCENDING, numbers_of_jobs[k]);
        assert_int_equal(count_processes(), numbers_of_jobs[k]);
    }
    /* Parts are in ascending order: others are run by one process. */
    run_grid(tell_process, RD_ORDER_DESCENDING, 3);
    assert_int_equal(count_processes(), 1);
    run_grid(tell_process, RD_ORDER_ASCENDING, 100); /* no more than there are blocks */
    assert_int_equal(count_processes(), BLOCKS);
}

static void add_to_all(void)
{
    rd_sim_atomic(RD_SIM_OF_GRID, memory + BLOCKS * OWN, 4, (void *)add_to_all);
}

static void add_to_shared(void)
{
    rd_sim_atomic(RD_SIM_OF_GRID, rd_sim_dynamic_shared(), 4, (void *)add_to_shared);
}

static void read_first_cell(void)
{
    __tsan_read4(memory);
}

static void read_input(void)
{
    __tsan_read4(memory + BLOCKS * OWN);
}

static void die(void)
{
    if (getpid() != parent && rd_sim_here->core.block == BLOCKS - 1)
        raise(SIGKILL);
}

static void crash(void)
{
    if (getpid() != parent && rd_sim_here->core.block == BLOCKS - 1)
        raise(SIGSEGV);
}

static void test_only_blocks_that_share_nothing_are(void **unused)
{
    (void)unused;
    rd_sim_shared_dynamic((uintptr_t)rd_sim_dynamic_shared(), 4);
    assert_int_equal(count_processes_with(read_input), 3);
    assert_int_equal(count_processes_with(add_to_shared), 3);
    static void (*const sharing[])(void) = {add_to_all, read_first_cell, die, crash};
    for (unsigned k = 0; k < sizeof sharing / sizeof *sharing; k++) {
        assert_int_equal(count_processes_with(sharing[k]), 1);
        assert_int_equal(*(const int32_t *)memory, parent);
    }
}

/* Two blocks of one part race, and in a sequential run epochs' numbers run out between them: they are
 * given anew, and the race is told all the same. */
static void race_far_apart(void *const *arguments)
{
    (void)arguments;
    if (rd_sim_here->core.thread != 0)
        return;
    if (rd_sim_here->core.block == 8 || rd_sim_here->core.block == BLOCKS - 1)
        __tsan_write4(memory);
    rd_sim_here->core.epoch += RD_EPOCH_MAX / 2 / BLOCKS;
}

static void test_numbers_that_run_out_are_the_same_numbers(void **unused)
{
    (void)unused;
    size_t n_findings[2];
    for (unsigned k = 0; k < 2; k++) {
        reset_memory();
        rd_sim_here->core.epoch = RD_EPOCH_MAX / 2;
        run_grid(race_far_apart, RD_ORDER_ASCENDING, k + 1);
        rd_sim_report_findings(&n_findings[k]);
    }
    assert_int_equal(n_findings[0], 1);
    assert_int_equal(n_findings[1], 1);
}

/* In a part, too: what it has written must still be known as this launch's, and be taken. */
static void use_up_numbers(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 3000000}, NULL); /* worth other processes' while */
    rd_sim_here->core.epoch = RD_EPOCH_LAST - (rd_sim_here->core.block == 0 ? 100 : 0);
}

static void test_numbers_that_run_out_in_a_part_lose_nothing(void **unused)
{
    (void)unused;
    n_written = 0;
    reset_memory();
    before_it_is_told = use_up_numbers;
    rd_sim_here->core.epoch = 1; /* of a first launch */
    run_grid(tell_process, RD_ORDER_ASCENDING, RD_LAUNCH_JOBS_AUTO);
    for (unsigned block = 0; block < BLOCKS; block++)
        assert_int_not_equal(((const int32_t *)memory)[block], 0x07070707);
    if (sysconf(_SC_NPROCESSORS_ONLN) > 1)
        assert_in_range(count_processes(), 2, BLOCKS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_number_of_processes_gives_the_same),
        cmocka_unit_test(test_blocks_that_share_nothing_are_run_by_processes),
        cmocka_unit_test(test_only_blocks_that_share_nothing_are),
        cmocka_unit_test(test_numbers_that_run_out_are_the_same_numbers),
        cmocka_unit_test(test_numbers_that_run_out_in_a_part_lose_nothing),
    };
    parent = getpid();
    if (!rd_sim_create(NULL) || rd_sim_shared_init(NULL) != RD_OK)
        return 2;
    rd_sim_here->core.on_event = rd_sim_report_event;
    last_to_run =
        mmap(NULL, sizeof *last_to_run, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    memory = rd_sim_memory_alloc(BYTES, 8192);
    rd_sim_memory_name(memory, "cells", "u8", 1);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rd_sim_destroy(rd_sim_here);
    return failed != 0;
}
