// SPDX-License-Identifier: MIT
/* list: multi_block after multi_block_atomic */
/* Faults: one launch of several blocks, and how their sums do not come together. The vector has a
 * cell for each thread of the grid. */
#include "invariants.h"
#include "block_fold.h"

/* explain: multi-block
 *
 * multi-block: the sum of a vector in one launch of several blocks. A fault.
 *
 * What is wrong
 *     Four things, each of which is a fault of its own. Shared memory is taken for
 *     one array that is split among the blocks (multi-block:shared-split): each
 *     block gets all of it, 8 x 1024 cells; a static array of 13 x 1024 int is
 *     more than the 48 KiB of a block, and does not assemble. The threads that
 *     have nothing to add leave others waiting at a barrier, three times
 *     (multi-block:divergent-barrier): on an H200 the kernel hangs, at 8 x 1024 as
 *     at 4 x 8. Blocks read each other's sums with nothing to order them
 *     (multi-block:no-grid-barrier). The last rounds have no barrier between them
 *     (multi-block:no-round-barrier). "An even number" of blocks and threads is
 *     not enough either (multi-block:even).
 *
 * The cure
 *     multi-block-two-launch, multi-block-grid-sync, multi-block-last-block or
 *     multi-block-atomic.
 */
#define MULTI_BLOCK                                                                                \
    .name = "multi-block", .summary = "a fault: one launch, and all that can be wrong with it",    \
    .twin = "multi-block-grid-sync", .points = "",                                                 \
    .launch = "multi_block(a, A) on B blocks of T, shared n, spoils inputs", .goal = RD_GOAL_SUM,  \
    .may_hang = true, .blocks = "ceil(n / T)",                                                     \
    .accept = "n = B*T else this fault has a thread for each cell, and n = {n} is not {B|block} "  \
              "of {T}: use multi-block-two-launch",                                                \
    .n = 8192, .block = 1024, .type = RD_TYPE_I32, .values = "ones"

const struct rd_program rd_program_multi_block = {MULTI_BLOCK};

/* explain: multi-block:shared-split
 *
 * multi-block:shared-split: takes the block's array for a part of one of the grid.
 *
 * What is wrong
 *     The launch asks for T cells of shared memory and gets T for each block; the
 *     kernel uses cell blockIdx.x * T + t. In block 0 that is t, and all is well;
 *     from block 1 on it is beyond the end of the array: out of bounds.
 *
 * The cure
 *     The index in shared memory is threadIdx.x: multi-block-two-launch.
 */
RD_LESSON(multi_block_shared_split, MULTI_BLOCK, .name = "multi-block:shared-split",
          .summary = "takes shared memory for one, that blocks split",
          .twin = "multi-block-two-launch",
          .launch = "multi_block_shared_split(a, A) on B blocks of T, shared T",
          .goal = RD_GOAL_TOTAL, .may_hang = false);

/* explain: multi-block:divergent-barrier
 *
 * multi-block:divergent-barrier: the barrier stands inside `if (t < step)`.
 *
 * What is wrong
 *     __syncthreads() is for all threads of the block. Here those that have
 *     nothing to add never come: the others wait for ever, or go on unpredictably.
 *     On an H200 this kernel happens to end, and with the right sum; multi-block,
 *     which has more barriers behind the loop, hangs there.
 *
 * The cure
 *     The barrier behind the `if`, where all threads come: dot-shared,
 *     multi-block-two-launch.
 */
RD_LESSON(multi_block_divergent_barrier, MULTI_BLOCK, .name = "multi-block:divergent-barrier",
          .summary = "has a barrier that some threads never reach",
          .twin = "multi-block-two-launch",
          .launch = "multi_block_divergent_barrier(a, A) on B blocks of T, shared T",
          .goal = RD_GOAL_TOTAL, .n = 32, .block = 8);

/* explain: multi-block:no-grid-barrier
 *
 * multi-block:no-grid-barrier: block 0 adds sums that may not be there yet.
 *
 * What is wrong
 *     __syncthreads() orders a block, not the grid. Each block writes its sum over
 *     its first cell of v, and block 0 reads them all: where it comes too early,
 *     it finds the cell as it was. Of B blocks of T ones with k cells stale, the
 *     result is B*T - k*(T-1): for 8 x 1024, on an H200, 3077 or 2054 have been
 *     seen, never 8192. In the simulator block 0 runs first, as a GPU may, and
 *     finds all others stale: 1031. The race is reported under every order.
 *
 * The cure
 *     A barrier of the grid (multi-block-grid-sync), a second launch, a ticket
 *     (multi-block-last-block), or an atomic add (multi-block-atomic).
 */
RD_LESSON(multi_block_no_grid_barrier, MULTI_BLOCK, .name = "multi-block:no-grid-barrier",
          .summary = "reads other blocks' sums with no barrier",
          .launch = "multi_block_no_grid_barrier(a, A) on B blocks of T, shared T, "
                    "spoils inputs",
          .may_hang = false);

/* explain: multi-block:no-round-barrier
 *
 * multi-block:no-round-barrier: no barrier between the last rounds.
 *
 * What is wrong
 *     The blocks meet, and then the first B threads of block 0 load the B sums
 *     into shared memory and fold them, round after round, as if they were in
 *     lockstep. They are not. Nothing orders the loads before the first round, in
 *     which thread 0 reads cell B/2, which thread B/2 has loaded; and in the
 *     second round thread 0 may add cell B/4 before thread B/4 has made it in the
 *     first: cell 1 of 4 blocks, cell 2 of 8. It is a race within a warp.
 *
 * The cure
 *     A barrier before the first round and after each, for all threads of the
 *     block; or one thread that adds them in a row (multi-block-grid-sync).
 */
RD_LESSON(multi_block_no_round_barrier, MULTI_BLOCK, .name = "multi-block:no-round-barrier",
          .summary = "has no barrier between its last rounds",
          .launch = "multi_block_no_round_barrier(a, A) on B blocks of T, shared T, "
                    "cooperative, spoils inputs",
          .may_hang = false);

/* explain: multi-block:even
 *
 * multi-block:even: blocks of 6 threads: an even number, and no power of two.
 *
 * What is wrong
 *     No thread races. But 6 is halved to 3 and, by floor, to 1: cache[2], which
 *     holds two threads' cells, is lost in every block. Of 4 x 6 ones 16 are
 *     summed.
 *
 * The cure
 *     A block that is a power of two, which multi-block-two-launch asks for.
 */
RD_LESSON(multi_block_even, MULTI_BLOCK, .name = "multi-block:even",
          .summary = "halves blocks of 6 by floor: 16 of 24", .twin = "multi-block-two-launch",
          .launch = "block_sums(a, A, n) on B blocks of T, shared T", .goal = RD_GOAL_TOTAL,
          .may_hang = false, .n = 24, .block = 6);
