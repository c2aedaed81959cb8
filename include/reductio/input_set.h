// SPDX-License-Identifier: MIT
/* Sets of inputs: the inputs in a cell, with their multiplicities.
 *
 * Thread safety: any thread may call these functions at any time. */
#ifndef RD_INPUT_SET_H
#define RD_INPUT_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum { RD_INPUT_SET_MAX = 16, RD_INPUT_RUNS_MAX = 48 };

/* A multiset of input indices, ascending; the first RD_INPUT_SET_MAX of its members in full, and as
 * many as can be told in RD_INPUT_RUNS_MAX runs of equal steps. */
struct rd_input_set {
    size_t count; /* distinct members in all */
    size_t index[RD_INPUT_SET_MAX];
    int64_t times[RD_INPUT_SET_MAX]; /* multiplicity of each; negative: subtracted */
    struct rd_input_run {
        size_t first, stride, count; /* first, first + stride, … */
        int64_t times;
    } runs[RD_INPUT_RUNS_MAX];
    size_t n_runs;
    size_t in_runs; /* number of members that the runs cover, the first ones */
    bool open;      /* membership of the inputs behind these is unknown */
};

/* Writes a set as "{0,4,8,12}", three and more in a row as "{0..7}", five and more with equal steps
 * as "{0..60 by 4}", members that are in twice as "{3x2}" or "{(0..7)x2}". Members that don't fit into `size` bytes show
 * as "...", unknown ones as "?". Returns text. */
const char *rd_input_set_text(const struct rd_input_set *set, char *text, size_t size);

/* Returns the multiplicity of the input in the set, as far as the set is known. */
int64_t rd_input_set_times(const struct rd_input_set *set, size_t index);

/* Adds a member behind the others; `index` is larger than theirs. */
void rd_input_set_add(struct rd_input_set *set, size_t index, int64_t times);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
