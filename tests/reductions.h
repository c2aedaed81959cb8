// SPDX-License-Identifier: MIT
/* Harness of operations: the programs that reduce by any, and runs of them on arrays of a test's own. */
#ifndef RD_TEST_REDUCTIONS_H
#define RD_TEST_REDUCTIONS_H

#include "harness.h"

/* The folds first, and fold, which takes powers of two alone, first of all. */
enum { TEST_FOLDS = 4, TEST_REDUCTIONS = 16 };
extern const char *const test_reductions[TEST_REDUCTIONS];

/* The cells after a run, and its result. */
struct test_reduction {
    struct rd_result result;
    rd_bits first;   /* of the last step, A[0]; of a cell for each block, all of them */
    char hazard[64]; /* the last one's name, or "" */
};

/* Several blocks, whose last warp lacks lanes. a: elem[n], of the inputs' type. broken: NULL, or what is broken in the
 * run, which then goes on after a violation. A run that fails fails the test. */
struct test_reduction test_reduce_broken(const char *program, const struct rd_numeric *numeric,
                                         const void *a, size_t n, const struct rd_break *broken);
struct test_reduction test_reduce(const char *program, const struct rd_numeric *numeric,
                                  const void *a, size_t n);

#endif
