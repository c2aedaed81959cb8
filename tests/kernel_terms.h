// SPDX-License-Identifier: MIT
/* A program's kernels as terms, for tests. */
#ifndef RD_TEST_KERNEL_TERMS_H
#define RD_TEST_KERNEL_TERMS_H

#include "prove/goals/segment.h"
#include "prove/syntax/syntax.h"

enum { LAUNCHES_MAX = 4 };

/* Reads of arrays: of the array itself; of the one element of an input that is 1; of what the law says of A, too. The
 * terms of loops that add up are of the second kind, where they add cells of A, of the third. */
enum reading { BY_CELL, BY_UNIT, BY_LAW, READINGS };

struct launch {
    struct rd_syntax_unit *unit;
    struct rd_prove_array A, inputs[RD_SUBJECT_UNITS_MAX];
    struct rd_execution execution;
    rd_term before; /* rounds made, where the law says how many; else d */
    struct program *program;
};

struct program {
    struct rd_proof proof;
    struct rd_proof_subject subject;
    enum reading reading;
    rd_term d, after; /* rounds made before, and behind the round */
    rd_term t, b, T, grid, origin;
    size_t n_launches;
    struct launch launches[LAUNCHES_MAX];
};

/* Executes the program's kernels symbolically, each cell being "cell of A"(index), and at a checkpoint "cell of cache
 * at POINT"(index, variable); a lane is "lane at POINT"(thread, variable). False, with the reason, of a program that
 * is beyond that. Skips the test without libclang. */
bool program_open(struct program *program, const struct rd_program *of, const char **why);
void program_close(struct program *program);
/* Frees what was read of kernels, once all programs are closed. */
void program_forget_files(void);

/* A number or a condition of a launch, in the round behind d. */
rd_term program_number(struct program *program, const struct law_node *node);

#endif
