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

enum {
    BYTES = 16,
    WORDS = BYTES / 4,
    BLOCKS_MAX = 3,
    THREADS_MAX = 70,
    PHASES_MAX = 6,
    PROGRAMS = 10000,
};

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

enum barrier { NONE, OF_WARPS, OF_BLOCKS, OF_THE_GRID };

/* What each thread does in each phase; what ends a phase is the same for all. */
static struct program {
    unsigned blocks, threads, phases;
    enum barrier barriers[PHASES_MAX]; /* what ends a phase */
    struct access accesses[BLOCKS_MAX][THREADS_MAX][PHASES_MAX];
} program;
static char *memory; /* global, or shared */
static bool is_shared;
static bool epochs_are_few; /* they run out in each block */
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
    if (epochs_are_few && rd_sim_core.epoch < RD_EPOCH_MAX - 4)
        rd_sim_core.epoch = RD_EPOCH_MAX - (unsigned)(rd_sim_core.block * 7 % 5);
    for (unsigned phase = 0; phase < program.phases; phase++) {
        const struct access *a = &program.accesses[rd_sim_core.block][rd_sim_core.thread][phase];
        if (a->used)
            perform(a);
        switch (program.barriers[phase]) {
        case NONE:
            break;
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

/* Whether a barrier that both came to lies between. Barriers order the more, the later they stand in the
 * enumeration. */
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

/* Those that make an access. Returns how many. */
static unsigned find_moments(struct moment *moments)
{
    const struct program *p = &program;
    unsigned n = 0;
    for (unsigned b = 0; b < p->blocks; b++)
        for (unsigned t = 0; t < p->threads; t++)
            for (unsigned k = 0; k < p->phases; k++)
                if (p->accesses[b][t][k].used)
                    moments[n++] = (struct moment){b, t, k};
    return n;
}

static const struct access *access_of(const struct moment *m)
{
    return &program.accesses[m->block][m->thread][m->phase];
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
    static struct moment moments[BLOCKS_MAX * THREADS_MAX * PHASES_MAX];
    unsigned n = find_moments(moments);
    for (const struct moment *x = moments; x < moments + n; x++)
        for (const struct moment *y = moments; y < x; y++) {
            bool same_block = x->block == y->block;
            if (same_block ? x->thread != y->thread : !is_shared)
                if (!is_ordered(x, y))
                    compare_pair(access_of(x), access_of(y), expected);
        }
}

/* ---- programs ---- */

/* What the accesses of a program are like. */
struct style {
    unsigned rarely; /* one of so many moments has one */
    unsigned kinds;  /* the operations, a bit each */
    unsigned oddly; /* one of so many is any operation, the others are the common one; 0: all are */
    enum rd_sim_op common;
    unsigned words; /* of the memory in use */
};

static struct style random_style(void)
{
    return (struct style){
        .rarely = 1 + (unsigned)(next_random() % 40),
        .kinds = 1 + (unsigned)(next_random() % 7),
        .oddly = next_random() % 2 ? 0 : 1 + (unsigned)(next_random() % 200),
        .common = next_random() % 2 ? RD_SIM_READ : RD_SIM_ATOMIC,
        .words = 2 << next_random() % 2,
    };
}

static struct access random_access(const struct style *style)
{
    struct access a = {.used = next_random() % style->rarely == 0, .op = style->common};
    if (style->oddly == 0 || next_random() % style->oddly == 0)
        do
            a.op = (enum rd_sim_op)(next_random() % 3);
        while (style->oddly == 0 && !(style->kinds >> a.op & 1));
    a.size = 1u << next_random() % 4;
    if (a.size < 4 && (a.op == RD_SIM_ATOMIC || next_random() % 2))
        a.size = 4;
    if (a.size > 4 * style->words)
        a.size = 4;
    a.offset = (unsigned)(next_random() % (4 * style->words / a.size)) * a.size;
    return a;
}

static void make_grid(unsigned threads)
{
    memset(&program, 0, sizeof program);
    program.blocks = 1 + (unsigned)(next_random() % BLOCKS_MAX);
    program.threads = threads;
    program.phases = 1 + (unsigned)(next_random() % PHASES_MAX);
    for (unsigned k = 0; k < program.phases; k++)
        program.barriers[k] = (enum barrier)(next_random() % 4);
}

static void make_large_program(void)
{
    static const unsigned threads[] = {2, 3, 32, 33, 64, 70};
    struct style style = random_style();
    make_grid(threads[next_random() % 6]);
    for (unsigned b = 0; b < program.blocks; b++)
        for (unsigned t = 0; t < program.threads; t++)
            for (unsigned k = 0; k < program.phases; k++)
                program.accesses[b][t][k] = random_access(&style);
}

/* A few accesses, by lanes 0 and 1 of two warps, where it depends on each whether there is a race. */
static void make_small_program(void)
{
    const struct style style = {
        .rarely = 1,
        .kinds = 7,
        .oddly = 1 + (unsigned)(next_random() % 4),
        .common = next_random() % 2 ? RD_SIM_READ : RD_SIM_ATOMIC,
        .words = 1,
    };
    unsigned n = 2 + (unsigned)(next_random() % 8);
    make_grid(next_random() % 2 ? 2 : 34);
    for (unsigned k = 0; k < n; k++) {
        unsigned thread = (unsigned)(next_random() % 2 * 32 + next_random() % 2);
        program.accesses[next_random() % program.blocks][thread % program.threads]
                        [next_random() % program.phases] = random_access(&style);
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
    bool expected[WORDS] = {false};
    find_races(expected);
    for (int schedule = RD_SIM_ASCENDING; schedule <= RD_SIM_INTERLEAVE; schedule++) {
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
        if (number % 16)
            make_small_program();
        else
            make_large_program();
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

/* They may do so within a launch, at any barrier: then no order changes. */
static void test_races_are_found_when_epochs_run_out_within_blocks(void **unused)
{
    (void)unused;
    char *where = rd_sim_dynamic_shared();
    epochs_are_few = true;
    rd_sim_shared_dynamic((uintptr_t)where, BYTES);
    run_programs(where, true);
    where = rd_sim_memory_alloc(BYTES, 8192);
    memset(where, 0, BYTES);
    rd_sim_memory_written(where, BYTES);
    run_programs(where, false);
    rd_sim_memory_free(where);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_races_in_global_memory_are_those_of_the_definition),
        cmocka_unit_test(test_races_in_shared_memory_are_those_of_the_definition),
        cmocka_unit_test(test_races_are_found_when_epochs_run_out),
        cmocka_unit_test(test_races_are_found_when_epochs_run_out_within_blocks),
    };
    if (rd_sim_memory_init(NULL) != RD_OK || rd_sim_shared_init(NULL) != RD_OK)
        return 2;
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
