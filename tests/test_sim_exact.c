// SPDX-License-Identifier: MIT
/* The race detector against the definition. Random programs, of accesses of 1, 2, 4 and 8 bytes,
 * and barriers of warps, blocks and the grid, run under every schedule; what is reported must be exactly what
 * a comparison of all pairs of accesses finds. The seed is printed, and RD_SEED sets it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "sim/core.h"
#include "sim/intrinsics.h"
#include "sim/memory.h"
#include "sim/scheduler.h"
#include "sim/shared.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 24, WORDS = BYTES / 4, THREADS_MAX = 70, PHASES_MAX = 5, PROGRAMS = 3000 };

void __tsan_read1(void *p);
void __tsan_read2(void *p);
void __tsan_read4(void *p);
void __tsan_read8(void *p);
void __tsan_write1(void *p);
void __tsan_write2(void *p);
void __tsan_write4(void *p);
void __tsan_write8(void *p);

struct access {
    bool used;
    enum rd_sim_op op;
    unsigned offset, size;
};

enum barrier { OF_WARPS, OF_BLOCKS, OF_THE_GRID };

/* What each thread does in each phase; what ends a phase is the same for all. */
static struct program {
    unsigned blocks, threads, phases;
    enum barrier barriers[PHASES_MAX]; /* what ends a phase */
    struct access accesses[3][THREADS_MAX][PHASES_MAX];
} program;
static char *memory; /* global, or shared */
static bool is_shared;
static bool reported[WORDS];
static uint64_t state;

static uint64_t next_random(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static void on_event(const struct rd_sim_event *event)
{
    if (event->class == RD_SIM_UNINITIALISED)
        return;
    assert_int_equal(event->class, RD_SIM_RACE);
    size_t offset = event->address - (uintptr_t)memory;
    for (size_t byte = 0; byte < event->size_bytes; byte++)
        if (event->bytes >> byte & 1)
            reported[(offset + byte) / 4] = true;
}

static void perform(const struct access *a)
{
    void *p = memory + a->offset;
    static void (*const hooks[2][9])(void *) = {
        {[1] = __tsan_read1, [2] = __tsan_read2, [4] = __tsan_read4, [8] = __tsan_read8},
        {[1] = __tsan_write1, [2] = __tsan_write2, [4] = __tsan_write4, [8] = __tsan_write8}};
    if (a->op == RD_SIM_ATOMIC)
        rd_sim_atomic(p, a->size, (void *)perform);
    else
        hooks[a->op == RD_SIM_WRITE][a->size](p);
}

static void run_thread(void *const *arguments)
{
    (void)arguments;
    for (unsigned phase = 0; phase < program.phases; phase++) {
        const struct access *a = &program.accesses[rd_sim_core.block][rd_sim_core.thread][phase];
        if (a->used)
            perform(a);
        switch (program.barriers[phase]) {
        case OF_WARPS:
            rd_sim_syncwarp(0xffffffffu, "program", phase);
            break;
        case OF_BLOCKS:
            rd_sim_syncthreads(0, 0, "program", phase);
            break;
        case OF_THE_GRID:
            rd_sim_grid_sync("program", phase);
            break;
        }
    }
}

/* ---- the definition ---- */

struct moment {
    unsigned block, thread, phase;
};

/* Whether a barrier that both came to lies between. */
static bool is_ordered(const struct moment *x, const struct moment *y)
{
    unsigned first = x->phase < y->phase ? x->phase : y->phase,
             last = x->phase < y->phase ? y->phase : x->phase;
    enum barrier least = x->block != y->block               ? OF_THE_GRID
                         : x->thread / 32 != y->thread / 32 ? OF_BLOCKS
                                                            : OF_WARPS;
    for (unsigned k = first; k < last; k++)
        if (program.barriers[k] >= least)
            return true;
    return false;
}

static struct moment moment_of(unsigned number)
{
    const struct program *p = &program;
    return (struct moment){number / p->phases / p->threads, number / p->phases % p->threads,
                           number % p->phases};
}

static void compare_pair(const struct access *x, const struct access *y, bool expected[WORDS])
{
    if ((x->op == RD_SIM_READ && y->op == RD_SIM_READ) ||
        (x->op == RD_SIM_ATOMIC && y->op == RD_SIM_ATOMIC))
        return;
    for (unsigned byte = 0; byte < BYTES; byte++)
        if (byte - x->offset < x->size && byte - y->offset < y->size)
            expected[byte / 4] = true;
}

static void find_races(bool expected[WORDS])
{
    const struct program *p = &program;
    unsigned all = p->blocks * p->threads * p->phases;
    for (unsigned i = 0; i < all; i++)
        for (unsigned j = 0; j < i; j++) {
            struct moment m = moment_of(i), n = moment_of(j);
            const struct access *x = &p->accesses[m.block][m.thread][m.phase];
            const struct access *y = &p->accesses[n.block][n.thread][n.phase];
            if (!x->used || !y->used || (m.block == n.block && m.thread == n.thread) ||
                (m.block != n.block && is_shared))
                continue;
            if (!is_ordered(&m, &n))
                compare_pair(x, y, expected);
        }
}

/* ---- programs ---- */

static void make_program(void)
{
    static const unsigned threads[] = {2, 3, 32, 33, 64, 70};
    unsigned rarely = 1 + (unsigned)(next_random() % 40), kinds = 1 + (unsigned)(next_random() % 7);
    memset(&program, 0, sizeof program);
    program.blocks = 1 + (unsigned)(next_random() % 3);
    program.threads = threads[next_random() % 6];
    program.phases = 1 + (unsigned)(next_random() % PHASES_MAX);
    for (unsigned k = 0; k < program.phases; k++)
        program.barriers[k] = (enum barrier)(next_random() % 3);
    for (unsigned b = 0; b < program.blocks; b++)
        for (unsigned t = 0; t < program.threads; t++)
            for (unsigned k = 0; k < program.phases; k++) {
                struct access *a = &program.accesses[b][t][k];
                a->used = next_random() % rarely == 0;
                do
                    a->op = (enum rd_sim_op)(next_random() % 3);
                while (!(kinds >> a->op & 1));
                a->size = 1u << next_random() % 4;
                if (a->op == RD_SIM_ATOMIC && a->size < 4)
                    a->size = 4;
                a->offset = (unsigned)(next_random() % (BYTES / a->size)) * a->size;
            }
}

/* For whoever has to find out why. */
static void print_accesses(unsigned word)
{
    for (unsigned k = 0; k < program.phases; k++) {
        for (unsigned b = 0; b < program.blocks; b++)
            for (unsigned t = 0; t < program.threads; t++) {
                const struct access *a = &program.accesses[b][t][k];
                if (a->used && a->offset < word * 4 + 4 && a->offset + a->size > word * 4)
                    printf("  phase %u block %u thread %u: %c, %u bytes at %u\n", k, b, t,
                           "rwa"[a->op], a -> size, a -> offset);
            }
        printf("  barrier %d\n", program.barriers[k]);
    }
}

static void check_program(unsigned number, uint64_t seed)
{
    for (int schedule = RD_SIM_ASCENDING; schedule <= RD_SIM_INTERLEAVE; schedule++) {
        bool expected[WORDS] = {false};
        struct rd_sim_grid grid = {
            .thread = run_thread,
            .grid = {program.blocks, 1, 1},
            .block = {program.threads, 1, 1},
            .cooperative = true,
            .schedule = (enum rd_sim_schedule)schedule,
            .seed = number,
        };
        memset(reported, 0, sizeof reported);
        assert_true(rd_sim_run_grid(&grid));
        find_races(expected);
        for (unsigned word = 0; word < WORDS; word++)
            if (expected[word] != reported[word])
                print_accesses(word);
        for (unsigned word = 0; word < WORDS; word++)
            if (expected[word] != reported[word])
                fail_msg("seed %llu, program %u, schedule %d, word %u: %s",
                         (unsigned long long)seed, number, schedule, word,
                         expected[word] ? "a race is missed" : "a false alarm");
    }
}

static void run_programs(char *where, bool shared)
{
    const char *text = getenv("RD_SEED");
    uint64_t seed = text ? strtoull(text, NULL, 10) : 20260730;
    printf("RD_SEED=%llu\n", (unsigned long long)seed);
    memory = where;
    is_shared = shared;
    state = seed;
    rd_sim_core.on_event = on_event;
    for (unsigned number = 0; number < PROGRAMS; number++) {
        make_program();
        check_program(number, seed);
    }
}

static void test_races_in_global_memory_are_those_of_the_definition(void **unused)
{
    (void)unused;
    char *where = rd_sim_memory_alloc(BYTES, 8192);
    memset(where, 0, BYTES);
    rd_sim_memory_written(where, BYTES);
    run_programs(where, false);
    rd_sim_memory_free(where);
}

static void test_races_in_shared_memory_are_those_of_the_definition(void **unused)
{
    (void)unused;
    char *where = rd_sim_dynamic_shared();
    rd_sim_shared_dynamic((uintptr_t)where, BYTES);
    run_programs(where, true);
}

/* Epochs are numbered with 26 bits: when they run out, all is forgotten, and nothing goes wrong. */
static void test_races_are_found_when_epochs_run_out(void **unused)
{
    (void)unused;
    char *where = rd_sim_memory_alloc(BYTES, 8192);
    memset(where, 0, BYTES);
    rd_sim_memory_written(where, BYTES);
    rd_sim_core.epoch = RD_EPOCH_MAX / 2 - 5000;
    run_programs(where, false);
    assert_true(rd_sim_core.epoch < RD_EPOCH_MAX / 2);
    rd_sim_memory_free(where);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_races_in_global_memory_are_those_of_the_definition),
        cmocka_unit_test(test_races_in_shared_memory_are_those_of_the_definition),
        cmocka_unit_test(test_races_are_found_when_epochs_run_out),
    };
    if (rd_sim_memory_init(NULL) != RD_OK || rd_sim_shared_init(NULL) != RD_OK)
        return 2;
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
