// SPDX-License-Identifier: MIT
/* The fold of a block's array in shared memory, which many kernels share. */
#ifndef RD_BLOCK_FOLD_H
#define RD_BLOCK_FOLD_H

#include "reductio/program.h"

/* Parts of paragraphs: what each thread adds of terms that the grid's threads take in turns; the fold of what the threads
 * of a block bring, x, at a checkpoint; a launch that leaves one sum a block in A; and a second one that adds these. */
// clang-format off
#define RD_LAW_OF_THREADS(array, term)                                                             \
    "let for 0 <= k < B, 0 <= t < T: " array "[k][t] = sum of " term ", j mod G = k*T + t\n"
#define RD_LAW_OF_BLOCKS(term)                                                                     \
    "for 0 <= k < B: A[k] = sum of " term ", floor((j mod G) / T) = k"
#define RD_LAW_OF_ALL(term) "A[0] = sum of " term ", 0 <= j < n"
#define RD_LAW_FOLD(point)                                                                         \
    "at " point " shared cache[T]\n"                                                               \
    "steps w = bit_ceil(T), w/2, ..., 1\n"                                                         \
    "law for 0 <= i < min(w, T): cache[i] = sum of x[block][t], 0 <= t < T, t mod w = i\n"         \
    "start for 0 <= t < T: cache[t] = x[block][t]\n"                                               \
    "update for 0 <= i < w, i + w < T: cache[i] = cache[i] + cache[i + w]\n"
#define RD_LAW_BLOCK_SUMS(inputs, term, point)                                                     \
    "input " inputs "\n"                                                                           \
    "array A[B]\n"                                                                                 \
    RD_LAW_OF_THREADS("x", term)                                                                   \
    "law when d = 0: for 0 <= i < B: A[i] = 0; when d > 0: " RD_LAW_OF_BLOCKS(term) "\n"           \
    "update for 0 <= k < B: A[k] = " point ".cache[k][0]\n"                                        \
    RD_LAW_FOLD(point)
#define RD_LAW_TWO_LAUNCHES(inputs, term, point)                                                   \
    "input " inputs "\n"                                                                           \
    "array A[B]\n"                                                                                 \
    RD_LAW_OF_THREADS("x", term)                                                                   \
    "let for 0 <= k < B: S[k] = sum of " term ", floor((j mod G) / T) = k\n"                       \
    "law when d = 0: for 0 <= i < B: A[i] = 0; when d = 1: " RD_LAW_OF_BLOCKS(term) "; "           \
    "when d = 2: " RD_LAW_OF_ALL(term) "\n"                                                        \
    "update when d = 1: for 0 <= k < B: A[k] = " point ".cache[k][0];\n"                           \
    "    when d = 2: A[0] = partials.cache[0][0]\n"                                                \
    RD_LAW_FOLD(point)                                                                             \
    "when d = 1\n"                                                                                 \
    "at partials shared cache[T]\n"                                                                \
    "steps w = bit_ceil(T), w/2, ..., 1\n"                                                         \
    "law for 0 <= i < min(w, T): cache[i] = sum of S[k], 0 <= k < B, k mod T mod w = i\n"          \
    "start for 0 <= t < T: cache[t] = sum of " point ".cache[k][0], 0 <= k < B, k mod T = t\n"     \
    "update for 0 <= i < w, i + w < T: cache[i] = cache[i] + cache[i + w]\n"                       \
    "when d = 2\n"
// clang-format on

/* Asked of blocks that halve their threads. */
#define RD_ACCEPT_BLOCK_POWER_OF_TWO                                                               \
    "T = bit_ceil(T) else 'block' is {T}, not a power of two: halving it would lose threads' sums"

/* Blocks of a run where the user says nothing: enough for one thread an element, but at most 32. */
#define RD_STRIDE_BLOCKS "min(ceil(n / T), 32)"

/* Programs of two launches: the first makes the blocks' sums, the second folds them. */
#define RD_TWO_LAUNCHES(inputs, term, point, first)                                                \
    .law = RD_LAW_TWO_LAUNCHES(inputs, term, point),                                               \
    .launch = first " on B blocks of T, shared T; when d = 2: "                                    \
                    "sum_partials(A, B) on 1 block of T, n = B, shared T",                         \
    .goal = RD_GOAL_SUM, .blocks = RD_STRIDE_BLOCKS, .accept = RD_ACCEPT_BLOCK_POWER_OF_TWO,       \
    .n = 1003, .n_block = 16, .n_grid = 21, .type = RD_TYPE_F32

#endif
