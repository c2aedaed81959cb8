// SPDX-License-Identifier: MIT
/* Definitions shared by the invariants of the ladder's rungs. */
#ifndef RD_LADDER_INVARIANTS_H
#define RD_LADDER_INVARIANTS_H

#include "block_fold.h"

/* ---- paragraphs ---- */

// clang-format off
#define RD_LAW_LANES "let W = ceil(T / 32); L = min(32, T - 32*warp); M = min(32, T)\n"

/* A launch of one sum a block: `own` is what a thread brings, `sums` what the blocks' sums are, `end` where they come from. */
#define RD_LAW_RUNG(own, sums, end, points)                                                        \
    "input a[n]\n"                                                                                 \
    "array A[B]\n"                                                                                 \
    RD_LAW_LANES                                                                                   \
    own                                                                                            \
    "law when d = 0: for 0 <= i < B: A[i] = 0; when d > 0: " sums "\n"                             \
    "update for 0 <= k < B: A[k] = " end "\n"                                                      \
    points
#define RD_LAW_OWN                                                                                 \
    RD_LAW_OF_THREADS("own", "a[j]")
#define RD_LAW_OWN_PAIRS                                                                           \
    "let for 0 <= k < B, 0 <= t < T: own[k][t] = sum of a[j], floor(j / (2*T)) = k, j mod T = t\n"
#define RD_LAW_OF_PAIRS                                                                            \
    "for 0 <= k < B: A[k] = sum of a[j], floor(j / (2*T)) = k"

/* At checkpoints: lanes that fold their values; threads that fold x; the last warp behind them; lanes that stride over the
 * grid; each warp's lanes, and the warps' sums; and the first warp's lanes that fold so many of them. */
#define RD_LAW_FOLD_OF_LANES(point, law, start)                                                    \
    "at " point " register r[32]\n"                                                                \
    "steps w = 32, w/2, ..., 1\n"                                                                  \
    "law for 0 <= l < min(w, L): r[l] = " law "\n"                                                 \
    "start " start "\n"                                                                            \
    "update for 0 <= l < w, l + w < L: r[l] = r[l] + r[l + w]\n"
#define RD_LAW_SEQUENTIAL(last, above)                                                             \
    "at sequential shared x[T]\n"                                                                  \
    "steps w = bit_ceil(T), w/2, ..., " last "\n"                                                  \
    "when w > " above "\n"                                                                         \
    "law for 0 <= i < min(w, T): x[i] = sum of own[block][t], 0 <= t < T, t mod w = i\n"           \
    "start for 0 <= t < T: x[t] = own[block][t]\n"                                                 \
    "update for 0 <= i < w, i + w < T: x[i] = x[i] + x[i + w]\n"
#define RD_LAW_LAST_WARP                                                                           \
    RD_LAW_FOLD_OF_LANES("shuffle_down",                                                           \
                         "sum of own[block][t], 0 <= t < T, t mod w = l",                          \
                         "for 0 <= l < L: r[l] = sequential.x[block][l]")                          \
    "when warp = 0\n"
#define RD_LAW_GRID_STRIDE                                                                         \
    "at grid_stride register r[32]\n"                                                              \
    "steps base = 0, base + G, ..., ceil(n / G)*G\n"                                               \
    "law for 0 <= l < L, t = block*T + 32*warp + l:\n"                                             \
    "    r[l] = sum of a[j], j mod G = t, j < base\n"                                              \
    "start for 0 <= l < L: r[l] = 0\n"                                                             \
    "update for 0 <= l < L, t = block*T + 32*warp + l, base - G + t < n:\n"                        \
    "    r[l] = r[l] + a[base - G + t]\n"
#define RD_LAW_EACH_WARP(own)                                                                      \
    RD_LAW_FOLD_OF_LANES("shuffle_down",                                                           \
                         "sum of own[block][t], 0 <= t < T, floor(t / 32) = warp, t mod w = l",    \
                         "for 0 <= l < L: r[l] = " own "[block][32*warp + l]")                     \
    "at warp_sums shared s[W]\n"                                                                   \
    "steps warps = W\n"                                                                            \
    "law for 0 <= v < W: s[v] = sum of own[block][t], 0 <= t < T, floor(t / 32) = v\n"             \
    "start for 0 <= v < W: s[v] = shuffle_down.r[block][v][0]\n"
#define RD_LAW_WARP_TOTALS                                                                         \
    "let for 0 <= k < B, 0 <= v < W: S[k][v] = sum of own[k][t], 0 <= t < T, floor(t / 32) = v\n"
#define RD_LAW_SUMS_OF(point, count)                                                               \
    RD_LAW_FOLD_OF_LANES("shuffle_sums",                                                           \
                         "sum of S[block][v], 0 <= v < " count ", v mod w = l",                    \
                         "for 0 <= l < M: r[l] = sum of " point ".s[block][v], 0 <= v < " count ", v mod M = l") \
    "when warp = 0\n"
// clang-format on

/* No grid that is too large for a launch; and none whose threads leave elements over, of so many of a block. */
#define RD_LADDER_ACCEPT                                                                           \
    "B <= 2147483647 else 'grid' is {B}, and a launch has at most 2147483647 blocks: use "         \
    "ladder-grid-stride, which takes any n with any number of them\n"
#define RD_LADDER_ACCEPT_OF(elements)                                                              \
    RD_LADDER_ACCEPT                                                                               \
    "B >= ceil(n / " elements ") else 'grid' is {B}, and so many blocks of {T} threads load "      \
    "{B*" elements "} of {n} elements: use {ceil(n / " elements ")}, or ladder-grid-stride, "      \
    "which takes any number\n"

#endif
