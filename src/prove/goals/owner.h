// SPDX-License-Identifier: MIT
/* The thread that writes a cell. Private to the making of goals. */
#ifndef RD_PROVE_OWNER_H
#define RD_PROVE_OWNER_H

#include "prove/goals/segment.h"

enum { RD_OWNER_LOOPS_MAX = 4 };

/* A thread, by its numbers in x and in y; of those that the index doesn't name, 0. And its trips of the loops in which it writes. */
struct rd_owner {
    rd_term thread[2], block[2], number[2];
    /* Its place in x follows from the cell's row or column, and that in y from the other. */
    bool is_transposed;
    unsigned n_loops;
    rd_term loops[RD_OWNER_LOOPS_MAX]; /* their variables, */
    rd_term trips[RD_OWNER_LOOPS_MAX]; /* and the values of these */
};

/* Finds the only thread that can write the cell by that access, of a loop's one of those that may; false where it can't be told. Where
 * it names no such thread, some conditions of rd_place_of, the access's path or the index itself are false of it. */
bool rd_find_owner(const struct rd_launch_proof *launch, const struct rd_kernel_access *write,
                   rd_term cell, struct rd_owner *owner);
bool rd_is_same_owner(const struct rd_owner *x, const struct rd_owner *y);
/* Returns the term with the owner in place of the thread, at its trips; with `same_block` the block stays. */
rd_term rd_at_owner(const struct rd_launch_proof *launch, rd_term term,
                    const struct rd_owner *owner, bool same_block);
/* Returns the condition that the thread is one of the launch's. */
rd_term rd_place_of(const struct rd_launch_proof *launch);

#endif
