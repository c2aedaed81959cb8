// SPDX-License-Identifier: MIT
/* list: cosine after mse_dot */
/* The cosine of the angle between two vectors: the kernel is in kernels/similarity.cu. */
#include "block_fold.h"
#include "invariants.h"
#include "program/outcome.h"

#include <math.h>

/* explain: cosine
 *
 * cosine: the cosine of the angle between two vectors, a . b / (|a| |b|).
 *
 * Statement
 *     One launch makes three sums: of a[j]*b[j], a[j]^2 and b[j]^2. Thread t's
 *     three lie side by side: cache[3t], cache[3t+1], cache[3t+2], so that cell c
 *     is of sum q = c mod 3 and of i = floor(c/3). Any n; a block is a power of
 *     two. At the checkpoint of width w in each block, with x[k][q][t] the sum q
 *     of thread t of block k:
 *         {law three_dots}
 *     After d launches, with G threads in the grid and T in a block:
 *         {law}
 *     Where |a| |b| = 0, the result is 0, by convention: there is no angle.
 *
 * Worked example, n = 2, one block of 2, a = 0 1, b = 1 2
 *     cache = 0 0 1   2 1 4      w = 2
 *     cache = 2 1 5 | 2 1 4      w = 1, and cosine = 2/sqrt(1*5) = 0.8944...
 *
 * Initialization
 *     w = T: thread i has just written its three.
 *
 * Preservation
 *     The round of dot-shared, on triples: it keeps q, and i's are as there.
 *
 * Variant
 *     w halves, and the loop ends at w = 1.
 *
 * Exit
 *     Each j is in one block's triple; the host adds the triples, takes the roots
 *     and divides.
 *
 * Cost
 *     Each input is read once for all three sums, where three dot products would
 *     read it twice. The shared memory is three cells a thread. As floats, the
 *     sums have height at most ceil(n/G) + log2(T) + B - 1. With E the bound of
 *     the error of a . b, and r the larger of the relative bounds of the two sums
 *     of squares, the cosine is off by at most
 *     (E + |a . b| r) / (|a| |b| (1 - r)). Squares that underflow are part of r:
 *     of numbers up to 2^-75 in f32 (2^-537.5 in f64) they are 0, and of numbers
 *     below 2^-63 (2^-511) they lose digits. Where r comes to 1, a vector may be
 *     taken for zero that is not: then, and where the bound comes to 1, nothing is
 *     promised, and the exit is INCONCLUSIVE.
 *
 *     As integers the sums are exact modulo 2^32 or 2^64. The number is the cosine
 *     only where the type holds all three; where one wraps, the exit is violated.
 */

struct sums {
    double ab, norms; /* what the device's sums make: a . b, and |a| |b| */
};

static struct sums sums_of(const struct rd_expect *expect, const void *cells)
{
    return (struct sums){
        .ab = rd_host_sum(expect, cells, 0, 3),
        .norms = sqrt(rd_host_sum(expect, cells, 1, 3)) * sqrt(rd_host_sum(expect, cells, 2, 3)),
    };
}

/* The largest relative error of the product of roots: that of the sums of squares, or twice what
 * the product of two small roots loses to underflow. */
static long double error_of_norms(const struct rd_rounding *rounding, const struct rd_exact_sum *aa,
                                  const struct rd_exact_sum *bb)
{
    long double norms = sqrtl(aa->value) * sqrtl(bb->value);
    return fmaxl(rd_off_by(rounding, aa) / aa->value, rd_off_by(rounding, bb) / bb->value) +
           2 * 0x1p-1075L / norms;
}

/* With x = (ab + e)/(N (1 + d)), |d| at most the relative error r of the norms' product N, and
 * |e| <= E: |x - ab/N| <= (E + |ab| r) / (N (1 - r)). Nothing is promised of sums that overflow, nor
 * where the squares underflow so far that r is 1: the device may then take a vector for zero. All of
 * it is in long double, which holds the square of any double. */
static void cosine_outcome(const struct rd_expect *expect, const struct sums *sums, double actual,
                           struct rd_outcome *outcome)
{
    struct rd_exact_sum ab = rd_exact_sum(expect, RD_AB), aa = rd_exact_sum(expect, RD_AA),
                        bb = rd_exact_sum(expect, RD_BB);
    struct rd_rounding rounding = rd_rounding_of(expect);
    long double norms = sqrtl(aa.value) * sqrtl(bb.value);
    if (norms == 0) {
        rd_tell_outcome(outcome, "cosine", actual, 0, 0);
        return;
    }
    long double r = error_of_norms(&rounding, &aa, &bb);
    long double error = rd_off_by(&rounding, &ab) + fabsl(ab.value) * r;
    long double limit = error / (norms * (1 - r));
    bool finite = isfinite(sums->ab) && isfinite(sums->norms);
    bool overflows = expect->numeric->is_float && !finite;
    /* A cosine is from -1 to 1: of a bound as wide as that nothing follows. */
    bool underflows = !overflows && (r >= 1 || limit >= 1);
    rd_tell_outcome(outcome, "cosine", actual, ab.value / norms,
                    overflows || underflows ? INFINITY : limit);
    outcome->underflows = underflows && rounding.relative < 1;
    rd_tell_overflow(outcome, expect->numeric, &ab, "a[j]*b[j]");
    rd_tell_overflow(outcome, expect->numeric, &aa, "a[j]^2");
    rd_tell_overflow(outcome, expect->numeric, &bb, "b[j]^2");
}

static void cosine_result(const struct rd_expect *expect, const void *cells,
                          struct rd_outcome *outcome)
{
    const struct sums sums = sums_of(expect, cells);
    cosine_outcome(expect, &sums, sums.norms == 0 ? 0 : sums.ab / sums.norms, outcome);
}

#define COSINE                                                                                     \
    .name = "cosine", .summary = "the cosine of the angle between two vectors",                    \
    .law = "input a[n], b[n]\n"                                                                    \
           "array A[3*B]\n"                                                                        \
           "let e_0(j) = a[j]*b[j]; e_1(j) = a[j]^2; e_2(j) = b[j]^2\n"                            \
           "let for 0 <= k < B, 0 <= q < 3, 0 <= t < T:\n"                                         \
           "    x[k][q][t] = sum of e_q(j), 0 <= j < n, j mod G = k*T + t\n"                       \
           "law when d = 0: for 0 <= i < 3*B: A[i] = 0; when d > 0: for 0 <= k < B, 0 <= q < 3:\n" \
           "    A[3k+q] = sum of e_q(j), 0 <= j < n, floor((j mod G) / T) = k\n"                   \
           "update for 0 <= k < B, q < 3: A[3k+q] = three_dots.cache[k][q]\n"                      \
           "at three_dots shared cache[3*T]\n"                                                     \
           "steps w = bit_ceil(T), w/2, ..., 1\n"                                                  \
           "law for 0 <= i < min(w, T), 0 <= q < 3:\n"                                             \
           "    cache[3i+q] = sum of x[block][q][t], 0 <= t < T, t mod w = i\n"                    \
           "start for 0 <= t < T, q < 3: cache[3t+q] = x[block][q][t]\n"                           \
           "update for 0 <= i < w, q < 3, i + w < T:\n"                                            \
           "    cache[3i+q] = cache[3i+q] + cache[3*(i + w) + q]\n",                               \
    .launch = "three_dots(a, b, A, n) on B blocks of T, shared 3*T", .goal = RD_GOAL_RESULT,       \
    .goal_text = "cosine = a . b / (|a| |b|), or 0 where a norm is 0", .result = cosine_result,    \
    .no_witness = true, .blocks = RD_STRIDE_BLOCKS, .accept = RD_ACCEPT_BLOCK_POWER_OF_TWO,        \
    .n = 1003, .n_block = 64, .n_grid = 5, .type = RD_TYPE_F32

const struct rd_program rd_program_cosine = {COSINE};

/* explain: cosine:zero-norm
 *
 * cosine:zero-norm: divides by the norms, whatever they are.
 *
 * What is wrong
 *     For a zero vector it is 0/0: not a number, which then spreads into all that
 *     is made of it. The sums are right, and the rounds keep their invariant.
 *
 * The cure
 *     A guard and a convention that the documentation states: cosine gives 0.
 */
static void zero_norm_result(const struct rd_expect *expect, const void *cells,
                             struct rd_outcome *outcome)
{
    const struct sums sums = sums_of(expect, cells);
    cosine_outcome(expect, &sums, sums.ab / sums.norms, outcome);
}

RD_LESSON(cosine_zero_norm, COSINE, .name = "cosine:zero-norm",
          .summary = "divides by a norm that is 0", .result = zero_norm_result, .n = 1);
