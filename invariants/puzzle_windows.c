// SPDX-License-Identifier: MIT
/* list: puzzle_pool after puzzle_shared_branch */
/* The puzzles that make each element from elements side by side. The kernels are in
 * kernels/puzzle_windows.cu. */
#include "invariants.h"
#include "puzzles.h"
#include "schedule.h"
#include "terms.h"

/* ---- the last three ---- */

/* Elements of a window, and those of them that lie before the thread's own. */
enum { WINDOW = 3, BEFORE = WINDOW - 1 };

/* explain: puzzle-pool
 *
 * puzzle-pool: out[i] = a[i] + a[i-1] + a[i-2], of those that there are. Any n; a
 * block has 3 threads or more, unless it is the only one.
 *
 * Statement
 *     Before the launch A, the array `out`, is 0. After it:
 *         for 0 <= i < n:   A[i] = sum of a[j], 0 <= j, i - 3 < j <= i
 *     No thread reads or writes global memory more than once.
 *
 * Worked example, n = 8, one block of 8, a = 0 .. 7
 *     copy = 0  1  2  3  4  5  6  7
 *     A    = 0  1  3  6  9 12 15 18        A[3] = 3 + 2 + 1
 *
 * Initialization
 *     A starts as zeros.
 *
 * Preservation
 *     Thread t loads one element; behind the barrier it adds those that threads t,
 *     t-1 and t-2 have loaded. The first two threads of a block have no such
 *     predecessors. So each block but the first begins two elements early: block k
 *     loads a[k(T-2) .. k(T-2)+T), and its first two threads write nothing.
 *
 * Exit
 *     Block 0 writes the cells 0 <= i < T, and each block after it the T-2 that
 *     follow: each cell is written, once, by a thread whose block has loaded all
 *     its predecessors.
 *
 * Cost
 *     1 + ceil(max(0, n-T)/max(1, T-2)) blocks. 2 reads of each block but the
 *     first are of elements that another block reads too. As floats: height at
 *     most 2.
 */
static void pool_terms(const struct rd_shape *shape, size_t i, struct rd_terms *terms)
{
    (void)shape;
    *terms = (struct rd_terms){.count = i < BEFORE ? i + 1 : WINDOW, .first = i, .stride = -1};
}

static void pool_advance(struct rd_expect *expect, unsigned step)
{
    rd_puzzle_advance_sums(expect, step, pool_terms);
}

/* Blocks that overlap by the elements before a window. */
static size_t pool_blocks(const struct rd_shape *shape)
{
    if (shape->n <= shape->block)
        return 1;
    size_t fresh = shape->block - BEFORE;
    return 1 + (shape->n - shape->block + fresh - 1) / fresh;
}

static enum rd_status pool_accept(const struct rd_shape *shape, struct rd_error *error)
{
    if (shape->block >= WINDOW || shape->n <= shape->block)
        return RD_OK;
    return rd_fail(error, RD_ERROR_USAGE,
                   "'block' is %u, and two threads of each block but the first only load: use "
                   "at least %d",
                   shape->block, WINDOW);
}

static bool pool_schedule(const struct rd_shape *shape, unsigned number, struct rd_round *round)
{
    if (!rd_puzzle_schedule(shape, number, round, RD_KERNEL_PUZZLE_POOL, true))
        return false;
    round->grid = pool_blocks(shape);
    round->shared_elems = shape->block;
    return true;
}

#define POOL_GOAL "A[i] = a[i] + a[i-1] + a[i-2] for all i, of those that there are"

const struct rd_program rd_program_puzzle_pool = {
    .name = "puzzle-pool",
    .summary = "adds each element and the two before it",
    .advance = pool_advance,
    .schedule = pool_schedule,
    .goal = RD_GOAL_LAST,
    .goal_text = POOL_GOAL,
    .bounded = true,
    .n_cells = rd_puzzle_cells,
    .accept = pool_accept,
    .n = 11,
    .block = 8,
    .type = RD_TYPE_F32,
};

/* explain: puzzle-pool:no-halo
 *
 * puzzle-pool:no-halo: blocks lie side by side, and none looks over its edge.
 *
 * What is wrong
 *     With one block all is well. With n = 16 and two blocks of 8, thread 0 of
 *     block 1 adds a[8] alone, since copy[-1] and copy[-2] are not there: A[8] is
 *     8 and should be 8 + 7 + 6 = 21; A[9] is 17 and should be 24. Each edge
 *     between blocks makes two cells wrong, and no access is out of bounds.
 *
 * The cure
 *     Load the halo: the two elements before the block's own. Either the first two
 *     threads read two elements each, or, as here, blocks overlap by two.
 */
static bool no_halo_schedule(const struct rd_shape *shape, unsigned number, struct rd_round *round)
{
    if (!rd_puzzle_schedule(shape, number, round, RD_KERNEL_PUZZLE_POOL_NO_HALO, true))
        return false;
    round->shared_elems = shape->block;
    return true;
}

const struct rd_program rd_program_puzzle_pool_no_halo = {
    .name = "puzzle-pool:no-halo",
    .summary = "forgets what lies across a block's edge",
    .advance = pool_advance,
    .schedule = no_halo_schedule,
    .goal = RD_GOAL_LAST,
    .goal_text = POOL_GOAL,
    .bounded = true,
    .n_cells = rd_puzzle_cells,
    .accept = pool_accept,
    .n = 16,
    .block = 8,
    .type = RD_TYPE_F32,
};

/* ---- correlation ---- */

/* explain: puzzle-conv1d
 *
 * puzzle-conv1d: the correlation of a with a short b: out[i] is the sum of
 * a[i+j]*b[j], as far as a goes. It goes by the name of convolution, which would
 * take b from its end, as the sum of a[i-j]*b[j]; this is a cross-correlation. Any
 * n. b has m = ceil(sqrt(n)) elements, so that 6 go with 3 and 15 with 4; a block
 * has 2m - 1 threads or more.
 *
 * Statement
 *     Before the launch A, the array `out`, is 0. After it:
 *         for 0 <= i < n:   A[i] = sum of a[i+j]*b[j], 0 <= j < m, i + j < n
 *     No thread reads global memory more than twice, or writes it more than once.
 *
 * Worked example, n = 6, m = 3, one block of 8, a = 0 .. 5, b = 0 1 2
 *     A = 5  8 11 14  5  0                 A[0] = 0*0 + 1*1 + 2*2
 *                                          A[4] = 4*0 + 5*1: a ends there
 *
 * Initialization
 *     A starts as zeros.
 *
 * Preservation
 *     Thread t needs a_tile[t .. t+m) and all of b. The last threads reach over
 *     the block's edge: there are the m - 1 elements of the halo, which belong to
 *     the next block. Each thread loads its own element; then threads t < m-1 load
 *     the halo, and threads m-1 <= t < 2m-1 load b. Behind the barrier all of it
 *     is there.
 *
 * Exit
 *     Each i < n is the number of just one thread: each cell is written, once.
 *
 * Cost
 *     n*m - m(m-1)/2 products from shared memory; 2 reads of a thread instead of
 *     2m. As floats: height at most m, one rounding for the product and m - 1 for
 *     the sum.
 */
static size_t conv_b(const struct rd_shape *shape)
{
    size_t m = 1;
    while (m * m < shape->n)
        m++;
    return m;
}

static size_t conv_halo(const struct rd_shape *shape)
{
    return conv_b(shape) - 1;
}

static void conv_terms(const struct rd_shape *shape, size_t i, struct rd_terms *terms)
{
    size_t m = conv_b(shape), left = shape->n - i;
    *terms =
        (struct rd_terms){.count = left < m ? left : m, .first = i, .stride = 1, .stride_b = 1};
}

static void conv_advance(struct rd_expect *expect, unsigned step)
{
    rd_puzzle_advance_sums(expect, step, conv_terms);
}

static enum rd_status conv_accept(const struct rd_shape *shape, struct rd_error *error)
{
    /* Beyond this no block has so many threads, and m would be long in the counting. */
    size_t most = (size_t)(RD_BLOCK_MAX / 2) * (RD_BLOCK_MAX / 2);
    if (shape->n > most)
        return rd_fail(error, RD_ERROR_USAGE,
                       "'n' is %zu, and b of sqrt(n) elements is too long for a block to load: use "
                       "at most %zu",
                       shape->n, most);
    size_t needed = conv_b(shape) + conv_halo(shape);
    if (shape->block >= needed)
        return RD_OK;
    return rd_fail(error, RD_ERROR_USAGE,
                   "'block' is %u, and %zu threads load b and the halo: use at least %zu",
                   shape->block, needed, needed);
}

static bool plan_conv(const struct rd_shape *shape, unsigned number, struct rd_round *round,
                      enum rd_kernel kernel, size_t b_room)
{
    if (!rd_puzzle_round(round, number, kernel, shape))
        return false;
    round->shared_elems = shape->block + conv_halo(shape) + b_room;
    rd_round_pass_input(round);
    rd_round_pass_b(round);
    rd_round_pass_a(round);
    rd_round_pass_size(round, shape->n);
    rd_round_pass_size(round, conv_b(shape));
    rd_puzzle_budget(round, 2, 1);
    return true;
}

static bool conv_schedule(const struct rd_shape *shape, unsigned number, struct rd_round *round)
{
    return plan_conv(shape, number, round, RD_KERNEL_PUZZLE_CONV1D, conv_b(shape));
}

#define CONV_GOAL "A[i] = the sum of a[i+j]*b[j] for all i, as far as a goes"

const struct rd_program rd_program_puzzle_conv1d = {
    .name = "puzzle-conv1d",
    .summary = "a correlation with a short b",
    .advance = conv_advance,
    .schedule = conv_schedule,
    .goal = RD_GOAL_LAST,
    .goal_text = CONV_GOAL,
    .has_b = true,
    .bounded = true,
    .term = "a[i+j]*b[j]",
    .n_cells = rd_puzzle_cells,
    .n_b = conv_b,
    .accept = conv_accept,
    .n = 11,
    .block = 8,
    .type = RD_TYPE_F32,
};

/* explain: puzzle-conv1d:three-reads
 *
 * puzzle-conv1d:three-reads: the same threads load the halo, and b.
 *
 * What is wrong
 *     The result is right, and certain: nothing races. But 2 reads of a thread
 *     were promised, and with n = 15, m = 4 and blocks of 8 threads 0, 1 and 2 of
 *     block 0 make 3: a[t], b[t] and a[8 + t], while threads 4 to 7 have made one,
 *     and wait for them. With n = 6 there is no halo, and it does not show.
 *
 * The cure
 *     Let others load b: threads m-1 <= t < 2m-1 are idle then.
 */
static bool three_reads_schedule(const struct rd_shape *shape, unsigned number,
                                 struct rd_round *round)
{
    return plan_conv(shape, number, round, RD_KERNEL_PUZZLE_CONV1D_THREE_READS, conv_b(shape));
}

const struct rd_program rd_program_puzzle_conv1d_three_reads = {
    .name = "puzzle-conv1d:three-reads",
    .summary = "has some threads do all the loading",
    .advance = conv_advance,
    .schedule = three_reads_schedule,
    .goal = RD_GOAL_LAST,
    .goal_text = CONV_GOAL,
    .has_b = true,
    .bounded = true,
    .term = "a[i+j]*b[j]",
    .n_cells = rd_puzzle_cells,
    .n_b = conv_b,
    .accept = conv_accept,
    .n = 15,
    .block = 8,
    .type = RD_TYPE_F32,
};

/* explain: puzzle-conv1d:room-for-4
 *
 * puzzle-conv1d:room-for-4: the copy of b in shared memory is made for 4.
 *
 * What is wrong
 *     A static array of shared memory has its size from the source: b_tile[4]. A b
 *     of up to 4 elements fits. With n = 17 b has m = 5, and the loop over j reads
 *     b_tile[4], behind the end of the array. What is there depends on how the
 *     compiler has laid out shared memory: something of a, or what another block
 *     has left. Nobody has loaded b[4] at all, so that A is wrong where it counts.
 *
 * The cure
 *     Take the size from the launch: dynamic shared memory of as many elements as
 *     are needed, a number that need not be known at compile time. Or refuse an m
 *     that is too large.
 */
static bool room_for_4_schedule(const struct rd_shape *shape, unsigned number,
                                struct rd_round *round)
{
    return plan_conv(shape, number, round, RD_KERNEL_PUZZLE_CONV1D_ROOM_FOR_4, 0);
}

const struct rd_program rd_program_puzzle_conv1d_room_for_4 = {
    .name = "puzzle-conv1d:room-for-4",
    .summary = "has room for 4 elements of b, and takes 5",
    .advance = conv_advance,
    .schedule = room_for_4_schedule,
    .goal = RD_GOAL_LAST,
    .goal_text = CONV_GOAL,
    .has_b = true,
    .bounded = true,
    .term = "a[i+j]*b[j]",
    .n_cells = rd_puzzle_cells,
    .n_b = conv_b,
    .accept = conv_accept,
    .no_witness = true, /* what it reads there is no input */
    .n = 17,
    .block = 16,
    .type = RD_TYPE_F32,
};
