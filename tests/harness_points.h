// SPDX-License-Identifier: MIT
/* Harness of programs with checkpoints. */
#ifndef RD_TEST_HARNESS_POINTS_H
#define RD_TEST_HARNESS_POINTS_H

#include "harness.h"

/* A checkpoint that a run must come to, and what the claim's cells are there, as text. */
struct test_checkpoint {
    enum rd_point point;
    uint64_t block;
    int warp; /* or RD_WHOLE_BLOCK */
    uint64_t variable;
    const char *cells; /* separated by blanks; NULL ends a list of these */
};
/* The run holds, and comes to each of these checkpoints once. */
void assert_checkpoints(const struct test_case *test, const struct test_checkpoint *wanted);

/* Runs the case on random u64 values. It must hold and, unless a block is no more than a warp, come
 * to all the program's points; and at each checkpoint each cell of the claim is the sum of those
 * inputs that the point's own definition says: a slow oracle next to the tables. So are the cells
 * of A in the end. */
void assert_points_are_definition(const struct test_case *test);

/* At the point's checkpoints with this value of the variable, each input is in just one cell, all
 * blocks and warps taken together. */
void assert_points_partition(const struct test_case *test, enum rd_point point, uint64_t variable);

/* First broken invariant of a fault's run: at the checkpoint `point` of a variable's value, or
 * with RD_POINT_COUNT in A after round 1. */
struct test_broken {
    enum rd_point point;
    uint64_t block;
    int warp;
    uint64_t variable;
    size_t cell, count;
    const char *expected, *actual;
};
void assert_broken(const struct test_case *test, const struct test_broken *wanted);

#endif
