// SPDX-License-Identifier: MIT
/* What the invariants of the ladder's rungs share: what a thread brings, and the trees in which a
 * block adds it. All of it is worked out from the input alone. */
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
#define RD_LAW_SEQUENTIAL(last)                                                                    \
    "at sequential shared x[T]\n"                                                                  \
    "steps w = bit_ceil(T), w/2, ..., " last "\n"                                                  \
    "law for 0 <= i < min(w, T): x[i] = sum of own[block][t], 0 <= t < T, t mod w = i\n"           \
    "start for 0 <= t < T: x[t] = own[block][t]\n"                                                 \
    "update for 0 <= i < w, i + w < T: x[i] = x[i] + x[i + w]\n"
#define RD_LAW_LAST_WARP                                                                           \
    RD_LAW_FOLD_OF_LANES("shuffle_down",                                                           \
                         "sum of own[block][t], 0 <= t < T, t mod w = l",                          \
                         "for 0 <= l < L: r[l] = sequential.x[block][l]")
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
    "law for 0 <= v < W: s[v] = sum of own[block][t], 0 <= t < T, floor(t / 32) = v\n"             \
    "start for 0 <= v < W: s[v] = shuffle_down.r[block][v][0]\n"
#define RD_LAW_WARP_TOTALS                                                                         \
    "let for 0 <= k < B, 0 <= v < W: S[k][v] = sum of own[k][t], 0 <= t < T, floor(t / 32) = v\n"
#define RD_LAW_SUMS_OF(point, count)                                                               \
    RD_LAW_FOLD_OF_LANES("shuffle_sums",                                                           \
                         "sum of S[block][v], 0 <= v < " count ", v mod w = l",                    \
                         "for 0 <= l < M: r[l] = sum of " point ".s[block][v], 0 <= v < " count ", v mod M = l")
// clang-format on

/* A pack of elements that are loaded together. */
enum { RD_LADDER_PACK = 4 };

/* What a thread of the grid brings before its block adds, bit by bit as the kernel makes it. */
struct rd_ladder_load {
    rd_bits (*own)(const struct rd_expect *expect, size_t thread);
    /* How many of the busiest thread's additions round: all but the first, which adds to 0. */
    size_t (*height)(const struct rd_shape *shape);
};
/* 0 + term[t] + term[t+G] + …, G threads in the grid. */
extern const struct rd_ladder_load rd_ladder_stride;
/* 0 + a[2Tk + t] + a[2Tk + T + t], for thread t of block k. */
extern const struct rd_ladder_load rd_ladder_two;
/* Packs t, t+G, … by their places, those four sums as a tree, and the tail behind them. */
extern const struct rd_ladder_load rd_ladder_packs;

/* How a block makes one value of what its threads bring. */
struct rd_ladder_block {
    const struct rd_ladder_load *load;
    rd_bits (*sum)(const struct rd_expect *expect, const struct rd_ladder_load *load,
                   uint64_t block);
};
rd_bits rd_ladder_interleaved(const struct rd_expect *expect, const struct rd_ladder_load *load,
                              uint64_t block);
rd_bits rd_ladder_fold(const struct rd_expect *expect, const struct rd_ladder_load *load,
                       uint64_t block);
rd_bits rd_ladder_twice(const struct rd_expect *expect, const struct rd_ladder_load *load,
                        uint64_t block);
/* The height of what a block makes: that of what a thread brings, and ceil(log2(T)), in whatever
 * tree. A fold of warps or tiles, and one of their sums, have no more rounds than one fold of all;
 * to gather the sums adds to 0, but for more than 32 tiles, and then the tiles have one round
 * fewer. */
size_t rd_ladder_block_height(const struct rd_shape *shape, const struct rd_ladder_load *load);
/* Sets the height of the expectation, where so many additions follow on the blocks' sums. */
void rd_ladder_set_height(struct rd_expect *expect, const struct rd_ladder_load *load,
                          size_t additions_of_blocks);

/* ---- folds of any length ---- */

/* Moves `len` live cells on from width expect->width to `width`, both powers of two:
 * cells[i] = cells[i] + cells[i + half] where i + half < len. So cell i < width is the sum of the
 * cells j with j mod width = i. */
void rd_ladder_halve(struct rd_expect *expect, size_t len, size_t width);
/* The sum of them all: `values` are used up. */
rd_bits rd_ladder_fold_of(const struct rd_expect *expect, rd_bits *values, size_t len);
/* The first warp adds `count` values, each lane those that lie as many apart as it has lanes, from
 * 0 on; then it folds its lanes. Puts the lanes' sums into cells, for rd_ladder_halve. */
void rd_ladder_gather(struct rd_expect *expect, const rd_bits *values, size_t count);
rd_bits rd_ladder_gather_of(const struct rd_expect *expect, const rd_bits *values, size_t count);

/* How many lanes a warp of the block has. */
size_t rd_ladder_lanes(const struct rd_shape *shape, int warp);
/* ceil(T / size): warps or tiles of a block. */
size_t rd_ladder_parts(const struct rd_shape *shape, size_t size);
/* The sum over the lanes of each warp of the block, as it folds them. */
void rd_ladder_warp_sums(const struct rd_expect *expect, const struct rd_ladder_load *load,
                         uint64_t block, rd_bits *sums);

/* ---- invariants at checkpoints; `load` is what differs from rung to rung ---- */

size_t rd_ladder_first_thread(const struct rd_shape *shape, const struct rd_place *at);

void rd_ladder_fold_advance(struct rd_expect *expect, const struct rd_ladder_load *load,
                            const struct rd_place *at, bool first);
size_t rd_ladder_fold_passes(const struct rd_passing *by);

/* SHUFFLE_DOWN behind a fold in shared memory: the first warp's lanes < w go on where
 * it stopped. */
size_t rd_ladder_last_warp_passes(const struct rd_passing *by);
void rd_ladder_last_warp_advance(struct rd_expect *expect, const struct rd_ladder_load *load,
                                 const struct rd_place *at, bool first);

/* SHUFFLE_DOWN over what the lanes of each warp bring: lanes < w. */
void rd_ladder_lanes_advance(struct rd_expect *expect, const struct rd_ladder_load *load,
                             const struct rd_place *at, bool first);

void rd_ladder_warp_sums_advance(struct rd_expect *expect, const struct rd_ladder_load *load,
                                 const struct rd_place *at);
size_t rd_ladder_warp_sums_passes(const struct rd_passing *by);

/* SHUFFLE_SUMS behind WARP_SUMS: the first warp's lanes < w. */
void rd_ladder_sums_advance(struct rd_expect *expect, const struct rd_ladder_load *load,
                            const struct rd_place *at, bool first);

/* ---- after the launch: A[k] = what block k makes ---- */

void rd_ladder_blocks_advance(struct rd_expect *expect, const struct rd_ladder_block *block,
                              unsigned step);

/* ---- shapes ---- */

/* Refuses a grid that is too large for a launch. */
enum rd_status rd_ladder_accept(const struct rd_shape *shape, struct rd_error *error);
/* And one whose threads, with one element or two each, leave elements over. */
enum rd_status rd_ladder_accept_one(const struct rd_shape *shape, struct rd_error *error);
enum rd_status rd_ladder_accept_two(const struct rd_shape *shape, struct rd_error *error);

/* What rungs share, and a fault with its twin. */
void rd_ladder_two_advance(struct rd_expect *expect, unsigned step);
void rd_ladder_stride_fold_advance(struct rd_expect *expect, unsigned step);
void rd_ladder_any_order_advance(struct rd_expect *expect, unsigned step);
void rd_ladder_last_block_advance(struct rd_expect *expect, unsigned step);
extern const struct rd_point_invariant rd_ladder_sequential_two, rd_ladder_shuffle_two,
    rd_ladder_sequential_stride, rd_ladder_shuffle_stride, rd_ladder_grid_stride_point;
/* Of rungs that load packs, NULL-terminated: up to the blocks' sums, and these added, too, by the block that
 * comes last or by block 0. */
extern const struct rd_point_invariant *const rd_ladder_atomic_points[],
    *const rd_ladder_last_block_points[], *const rd_ladder_cooperative_points[];

#endif
