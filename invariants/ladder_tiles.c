// SPDX-License-Identifier: MIT
/* list: ladder_tiles after ladder_no_barrier */
/* Tiles of a warp: ladder-tiles, whose kernel is in kernels/ladder_stride.cu. */
#include "invariants.h"
#include "ladder.h"

// clang-format off
#define LAW_OF_TILES                                                                               \
    RD_LAW_RUNG(RD_LAW_OWN                                                                         \
                "let N = ceil(T / 16)\n"                                                           \
                "let for 0 <= k < B, 0 <= v < N: S[k][v] = sum of own[k][t], 0 <= t < T, floor(t / 16) = v\n",\
                RD_LAW_OF_BLOCKS("a[j]"), "shuffle_sums.r[k][0][0]",                               \
                RD_LAW_GRID_STRIDE                                                                 \
                "at shuffle_xor register r[32]\n"                                                  \
                "steps w = 16, w/2, ..., 1\n"                                                      \
                "law for 0 <= l < L, m = 32*warp + l: r[l] = sum of own[block][t], 0 <= t < T,\n"  \
                "    floor(t / 16) = floor(m / 16), t mod w = m mod w\n"                           \
                "start for 0 <= l < L: r[l] = own[block][32*warp + l]\n"                           \
                "update for 0 <= l < L, m = l mod 16, o = (m xor w) mod (2*w), l - m + o < L:\n"   \
                "    r[l] = r[l] + r[l - m + o]\n"                                                 \
                "at tile_sums shared s[N]\n"                                                       \
                "steps tiles = N\n"                                                                \
                "law for 0 <= i < N: s[i] = sum of own[block][t], 0 <= t < T, floor(t / 16) = i\n" \
                "start for 0 <= i < N: s[i] = shuffle_xor.r[block][i div 2][16*(i mod 2)]\n"       \
                RD_LAW_SUMS_OF("tile_sums", "N"))
// clang-format on

/* explain: ladder-tiles
 *
 * ladder-tiles: each thread strides over the grid; the lanes of a tile of 16
 * exchange their sums until each has the tile's, and the first warp adds the
 * tiles' sums. Any n, any block, any number of blocks.
 *
 * Statement
 *     What a thread brings, own, is that of ladder-grid-stride. In each tile of 16
 *     lanes, at w = 16, 8, ..., 1, in all its lanes:
 *         {law shuffle_xor}
 *     Behind the barrier, of the N tiles:
 *         {law tile_sums}
 *     In the first warp, of L lanes, at w = 32, ..., 1:
 *         {law shuffle_sums}
 *     After d launches:
 *         {law}
 *
 * Worked example, n = 8, one block of 4, a = 0 .. 7
 *     w = 16, 8, 4: r =  4   6   8  10     thread t has added a[t] and a[t + 4]
 *     w = 2:        r = 12  16  12  16     lanes 0 and 2 exchange, and 1 and 3
 *     w = 1:        r = 28  28  28  28     lanes 0 and 1 exchange, and 2 and 3
 *     s[0] = 28; A[0] = 28
 *
 * Initialization
 *     w = 16: only m = l has m mod 16 = l mod 16, in one tile; and r[l] = own.
 *
 * Preservation
 *     With o = w/2: m mod o = l mod o just when m mod w is l mod w or (l xor
 *     o) mod w. Lane l holds the sum of the first kind, its partner l xor o that
 *     of the second, and they exchange: a butterfly. Where the block has no such
 *     lane, any lane of the partner's kind holds the same; where it has none of
 *     that kind, there is nothing to add.
 *
 * Variant
 *     In the loop over the grid n - base falls; in a tile, and in the shuffle, w
 *     halves down to 1.
 *
 * Exit
 *     w = 1: all lanes of a tile hold its sum, the same to the bit, since addition
 *     is commutative: x + y = y + x. The second shuffle is that of
 *     ladder-shuffles-twice.
 *
 * Cost
 *     One barrier a block; four exchanges and five shuffles. A tile's mask names
 *     its own lanes, so that tiles of a warp need not wait for each other. On an
 *     H200 it is as fast as ladder-shuffles-twice: 2455 and 2456 GB/s. As floats:
 *     height at most ceil(n/G) + ceil(log2(T)) + B - 2.
 */
const struct rd_program rd_program_ladder_tiles = {
    .name = "ladder-tiles",
    .summary = "sums tiles of 16 lanes: each lane has the sum",
    .law = LAW_OF_TILES,
    .launch = "ladder_tiles(a, A, n) on B blocks of T, shared N",
    .goal = RD_GOAL_TOTAL,
    .any_operation = true,
    .blocks = RD_STRIDE_BLOCKS,
    .accept = RD_LADDER_ACCEPT,
    .n = 10003,
    .n_block = 1000,
    .n_grid = 3,
};
