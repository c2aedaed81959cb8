// SPDX-License-Identifier: MIT
/* The list of all kernels. A kernel is written once, in a .cu file beside this one, and compiled
 * for each device and element type; this list is what the host knows of them. */
#ifndef RD_KERNELS_H
#define RD_KERNELS_H

/* X(name in the source, name in the enumeration) */
#define RD_KERNELS(X)                                                                              \
    X(fold, FOLD)                                                                                  \
    X(fold_guard, FOLD_GUARD)                                                                      \
    X(fold_guard_zero, FOLD_GUARD_ZERO)                                                            \
    X(fold_ceil, FOLD_CEIL)                                                                        \
    X(fold_missing_guard, FOLD_MISSING_GUARD)                                                      \
    X(fold_wrong_half, FOLD_WRONG_HALF)                                                            \
    X(unfold, UNFOLD)                                                                              \
    X(tournament, TOURNAMENT)                                                                      \
    X(tournament_lost_tail, TOURNAMENT_LOST_TAIL)                                                  \
    X(tournament_stride_one, TOURNAMENT_STRIDE_ONE)                                                \
    X(multiply, MULTIPLY)                                                                          \
    X(gather, GATHER)                                                                              \
    X(digest, DIGEST)                                                                              \
    X(block_sum, BLOCK_SUM)                                                                        \
    X(dot_shared, DOT_SHARED)                                                                      \
    X(dot_fixed_cache, DOT_FIXED_CACHE)                                                            \
    X(sum_partials, SUM_PARTIALS)                                                                  \
    X(dot_serial, DOT_SERIAL)                                                                      \
    X(dot_naive, DOT_NAIVE)                                                                        \
    X(dot_partial, DOT_PARTIAL)                                                                    \
    X(squared_error, SQUARED_ERROR)                                                                \
    X(three_dots, THREE_DOTS)                                                                      \
    X(block_sums, BLOCK_SUMS)                                                                      \
    X(sum_grid_sync, SUM_GRID_SYNC)                                                                \
    X(sum_last_block, SUM_LAST_BLOCK)                                                              \
    X(sum_atomic, SUM_ATOMIC)                                                                      \
    X(multi_block, MULTI_BLOCK)                                                                    \
    X(multi_block_shared_split, MULTI_BLOCK_SHARED_SPLIT)                                          \
    X(multi_block_divergent_barrier, MULTI_BLOCK_DIVERGENT_BARRIER)                                \
    X(multi_block_no_grid_barrier, MULTI_BLOCK_NO_GRID_BARRIER)                                    \
    X(multi_block_no_round_barrier, MULTI_BLOCK_NO_ROUND_BARRIER)                                  \
    X(puzzle_map, PUZZLE_MAP)                                                                      \
    X(puzzle_map_no_guard, PUZZLE_MAP_NO_GUARD)                                                    \
    X(puzzle_zip, PUZZLE_ZIP)                                                                      \
    X(puzzle_zip_no_guard, PUZZLE_ZIP_NO_GUARD)                                                    \
    X(puzzle_guard_every_cell, PUZZLE_GUARD_EVERY_CELL)                                            \
    X(puzzle_map2d, PUZZLE_MAP2D)                                                                  \
    X(puzzle_map2d_every_cell, PUZZLE_MAP2D_EVERY_CELL)                                            \
    X(puzzle_broadcast, PUZZLE_BROADCAST)                                                          \
    X(puzzle_broadcast_every_cell, PUZZLE_BROADCAST_EVERY_CELL)                                    \
    X(puzzle_shared, PUZZLE_SHARED)                                                                \
    X(puzzle_shared_branch, PUZZLE_SHARED_BRANCH)                                                  \
    X(puzzle_pool, PUZZLE_POOL)                                                                    \
    X(puzzle_pool_no_halo, PUZZLE_POOL_NO_HALO)                                                    \
    X(puzzle_conv1d, PUZZLE_CONV1D)                                                                \
    X(puzzle_conv1d_three_reads, PUZZLE_CONV1D_THREE_READS)                                        \
    X(puzzle_conv1d_room_for_4, PUZZLE_CONV1D_ROOM_FOR_4)                                          \
    X(puzzle_dot, PUZZLE_DOT)                                                                      \
    X(puzzle_dot_beyond_the_block, PUZZLE_DOT_BEYOND_THE_BLOCK)                                    \
    X(puzzle_dot_one_cell, PUZZLE_DOT_ONE_CELL)                                                    \
    X(puzzle_block_sum, PUZZLE_BLOCK_SUM)                                                          \
    X(puzzle_axis_sum, PUZZLE_AXIS_SUM)                                                            \
    X(puzzle_axis_sum_write_in_loop, PUZZLE_AXIS_SUM_WRITE_IN_LOOP)                                \
    X(puzzle_matmul, PUZZLE_MATMUL)                                                                \
    X(puzzle_matmul_no_tiles, PUZZLE_MATMUL_NO_TILES)                                              \
    X(puzzle_matmul_one_barrier, PUZZLE_MATMUL_ONE_BARRIER)                                        \
    X(ladder_interleaved_modulo, LADDER_INTERLEAVED_MODULO)                                        \
    X(ladder_interleaved_strided, LADDER_INTERLEAVED_STRIDED)                                      \
    X(ladder_sequential, LADDER_SEQUENTIAL)                                                        \
    X(ladder_first_add, LADDER_FIRST_ADD)                                                          \
    X(ladder_warp_shuffle, LADDER_WARP_SHUFFLE)                                                    \
    X(ladder_short_mask, LADDER_SHORT_MASK)                                                        \
    X(ladder_lockstep, LADDER_LOCKSTEP)                                                            \
    X(ladder_one_syncwarp, LADDER_ONE_SYNCWARP)                                                    \
    X(ladder_descending, LADDER_DESCENDING)                                                        \
    X(ladder_unrolled, LADDER_UNROLLED)                                                            \
    X(ladder_stops_at_512, LADDER_STOPS_AT_512)                                                    \
    X(ladder_grid_stride, LADDER_GRID_STRIDE)                                                      \
    X(ladder_index_wraps, LADDER_INDEX_WRAPS)                                                      \
    X(ladder_shuffles_twice, LADDER_SHUFFLES_TWICE)                                                \
    X(ladder_no_barrier, LADDER_NO_BARRIER)                                                        \
    X(ladder_tiles, LADDER_TILES)                                                                  \
    X(ladder_vectorised_atomic, LADDER_VECTORISED_ATOMIC)                                          \
    X(ladder_vectorised, LADDER_VECTORISED)                                                        \
    X(ladder_no_fence, LADDER_NO_FENCE)                                                            \
    X(ladder_one_fence, LADDER_ONE_FENCE)                                                          \
    X(ladder_cooperative, LADDER_COOPERATIVE)                                                      \
    X(ladder_dot, LADDER_DOT)

/* Of these, those whose threads communicate: by atomics, volatile accesses, fences or a barrier of the grid.
 * What they do may depend on which thread comes first. X(name in the enumeration) */
#define RD_KERNELS_THAT_COMMUNICATE(X)                                                             \
    X(SUM_GRID_SYNC)                                                                               \
    X(SUM_LAST_BLOCK)                                                                              \
    X(SUM_ATOMIC)                                                                                  \
    X(MULTI_BLOCK_NO_ROUND_BARRIER)                                                                \
    X(LADDER_VECTORISED_ATOMIC)                                                                    \
    X(LADDER_VECTORISED)                                                                           \
    X(LADDER_NO_FENCE)                                                                             \
    X(LADDER_ONE_FENCE)                                                                            \
    X(LADDER_COOPERATIVE)                                                                          \
    X(LADDER_DOT)                                                                                  \
    X(LADDER_LOCKSTEP)                                                                             \
    X(DIGEST)

/* The points inside kernels at which invariants are asserted; see checkpoint.h. X(name, name in the
 * enumeration) */
#define RD_POINTS(X)                                                                               \
    X(sequential, SEQUENTIAL)                                                                      \
    X(partials, PARTIALS)                                                                          \
    X(serial, SERIAL)                                                                              \
    X(block_sum, BLOCK_SUM)                                                                        \
    X(squared_error, SQUARED_ERROR)                                                                \
    X(three_dots, THREE_DOTS)                                                                      \
    X(interleaved, INTERLEAVED)                                                                    \
    X(shuffle_down, SHUFFLE_DOWN)                                                                  \
    X(shuffle_sums, SHUFFLE_SUMS)                                                                  \
    X(shuffle_partials, SHUFFLE_PARTIALS)                                                          \
    X(shuffle_xor, SHUFFLE_XOR)                                                                    \
    X(grid_stride, GRID_STRIDE)                                                                    \
    X(pack_stride, PACK_STRIDE)                                                                    \
    X(warp_sums, WARP_SUMS)                                                                        \
    X(tile_sums, TILE_SUMS)                                                                        \
    X(tile, TILE)

#define RD_POINT_MEMBER(name, NAME) RD_POINT_##NAME,
enum rd_point { RD_POINTS(RD_POINT_MEMBER) RD_POINT_COUNT };
#undef RD_POINT_MEMBER

#define RD_KERNEL_MEMBER(name, NAME) RD_KERNEL_##NAME,
enum rd_kernel { RD_KERNELS(RD_KERNEL_MEMBER) RD_KERNEL_COUNT };
#undef RD_KERNEL_MEMBER

#endif
