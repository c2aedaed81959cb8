// SPDX-License-Identifier: MIT
/* Random programs for the race detector: accesses, fences, barriers and early exits. */
#ifndef EXACT_PROGRAM_H
#define EXACT_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

enum {
    BYTES = 16,
    BLOCKS_MAX = 3,
    THREADS_MAX = 70,
    PHASES_MAX = 5,
    OPS_MAX = 4, /* of a thread in a phase */
};

enum kind { NOTHING, READ, WRITE, VOLATILE_READ, VOLATILE_WRITE, ATOMIC, FENCE };

struct op {
    enum kind kind;
    unsigned offset, size;
    unsigned atomic; /* bits of enum rd_sim_atomic */
    bool compares, fails;
    bool of_block; /* of a fence */
};

enum barrier { NONE, OF_WARPS, OF_LANES, OF_BLOCKS, OF_THE_GRID };

/* Operations of each thread in each phase; a phase ends in the same way for all. */
struct exact_program {
    unsigned blocks, threads, phases;
    enum barrier barriers[PHASES_MAX];
    uint32_t lanes[PHASES_MAX]; /* OF_LANES: these meet, and those that are left meet, too */
    bool by_fence;              /* strong accesses acquire where a fence follows, and only there */
    /* The phase in front of whose barrier each thread exits; phases: never. */
    uint8_t exits[BLOCKS_MAX][THREADS_MAX];
    struct op ops[BLOCKS_MAX][THREADS_MAX][PHASES_MAX][OPS_MAX];
};

/* The program that runs. */
extern struct exact_program program;

void exact_program_seed(uint64_t seed);
/* Makes the next one. */
void exact_program_make(void);

/* At random, from the same seed. */
unsigned exact_below(unsigned n);
bool exact_one_in(unsigned n);

#endif
