// SPDX-License-Identifier: MIT
/* The programs and the invariants that families share. */
#ifndef RD_INVARIANTS_H
#define RD_INVARIANTS_H

#include "program.h"

/* A lesson is its right program and a difference, which overrides members of it; where nothing is said of its shape, that is
 * not the right program's. */
#pragma GCC diagnostic ignored "-Woverride-init"
#define RD_LESSON(id, right, ...)                                                                  \
    const struct rd_program rd_program_##id = {right, .n_block = 0, .n_grid = 0, __VA_ARGS__}

void rd_fold_advance(struct rd_expect *expect, unsigned step);
void rd_tournament_advance(struct rd_expect *expect, unsigned step);
void rd_multiply_advance(struct rd_expect *expect, unsigned step);
void rd_two_phase_advance(struct rd_expect *expect, unsigned step);
extern const struct rd_point_invariant rd_point_partials;
extern const struct rd_point_invariant *const rd_points_dot_shared[];

/* The tournament's paragraph. */
#define RD_LAW_TOURNAMENT                                                                          \
    "input a[n]\n"                                                                                 \
    "array A[n]\n"                                                                                 \
    "let D = 2^d\n"                                                                                \
    "law for i = 0 mod D, i < n: A[i] = sum of a[j], i <= j < min(i+D, n)\n"                       \
    "update for i = 0 mod D, i + D/2 < n: A[i] = A[i] + A[i + D/2]\n"

/* Refuses an n that is not a power of two. */
enum rd_status rd_accept_power_of_two(const struct rd_shape *shape, struct rd_error *error);

/* X(program): every program, each followed by its faults; `reductio list` keeps this order. */
#define RD_PROGRAMS(X)                                                                             \
    X(fold)                                                                                        \
    X(fold_inclusive_bound)                                                                        \
    X(fold_tournament_table)                                                                       \
    X(fold_missing_guard)                                                                          \
    X(fold_wrong_half)                                                                             \
    X(fold_guard)                                                                                  \
    X(fold_guard_zero_identity)                                                                    \
    X(fold_ceil)                                                                                   \
    X(fold_ceil_floor)                                                                             \
    X(unfold)                                                                                      \
    X(unfold_float)                                                                                \
    X(tournament)                                                                                  \
    X(tournament_interval)                                                                         \
    X(tournament_lost_tail)                                                                        \
    X(tournament_stride_one)                                                                       \
    X(multiply)                                                                                    \
    X(multiply_one_block)                                                                          \
    X(dot_fold)                                                                                    \
    X(dot_tournament)                                                                              \
    X(dot_cpu)                                                                                     \
    X(dot_partial)                                                                                 \
    X(dot_naive)                                                                                   \
    X(dot_shared)                                                                                  \
    X(dot_shared_floor_halving)                                                                    \
    X(dot_shared_fixed_cache)                                                                      \
    X(dot_two_phase)                                                                               \
    X(mse)                                                                                         \
    X(mse_dot)                                                                                     \
    X(cosine)                                                                                      \
    X(cosine_zero_norm)                                                                            \
    X(norm)                                                                                        \
    X(norm_no_root)                                                                                \
    X(multi_block_two_launch)                                                                      \
    X(multi_block_grid_sync)                                                                       \
    X(multi_block_last_block)                                                                      \
    X(multi_block_atomic)                                                                          \
    X(multi_block)                                                                                 \
    X(multi_block_shared_split)                                                                    \
    X(multi_block_divergent_barrier)                                                               \
    X(multi_block_no_grid_barrier)                                                                 \
    X(multi_block_no_round_barrier)                                                                \
    X(multi_block_even)                                                                            \
    X(puzzle_map)                                                                                  \
    X(puzzle_map_no_guard)                                                                         \
    X(puzzle_zip)                                                                                  \
    X(puzzle_zip_no_guard)                                                                         \
    X(puzzle_guard)                                                                                \
    X(puzzle_guard_every_cell)                                                                     \
    X(puzzle_map2d)                                                                                \
    X(puzzle_map2d_every_cell)                                                                     \
    X(puzzle_broadcast)                                                                            \
    X(puzzle_broadcast_every_cell)                                                                 \
    X(puzzle_blocks)                                                                               \
    X(puzzle_blocks2d)                                                                             \
    X(puzzle_shared)                                                                               \
    X(puzzle_shared_branch)                                                                        \
    X(puzzle_pool)                                                                                 \
    X(puzzle_pool_no_halo)                                                                         \
    X(puzzle_dot)                                                                                  \
    X(puzzle_dot_beyond_the_block)                                                                 \
    X(puzzle_dot_one_cell)                                                                         \
    X(puzzle_conv1d)                                                                               \
    X(puzzle_conv1d_three_reads)                                                                   \
    X(puzzle_conv1d_room_for_4)                                                                    \
    X(puzzle_block_sum)                                                                            \
    X(puzzle_axis_sum)                                                                             \
    X(puzzle_axis_sum_write_in_loop)                                                               \
    X(puzzle_matmul)                                                                               \
    X(puzzle_matmul_no_tiles)                                                                      \
    X(puzzle_matmul_one_barrier)                                                                   \
    X(ladder_interleaved_modulo)                                                                   \
    X(ladder_interleaved_strided)                                                                  \
    X(ladder_sequential)                                                                           \
    X(ladder_first_add)                                                                            \
    X(ladder_warp_shuffle)                                                                         \
    X(ladder_short_mask)                                                                           \
    X(ladder_lockstep)                                                                             \
    X(ladder_one_syncwarp)                                                                         \
    X(ladder_descending)                                                                           \
    X(ladder_unrolled)                                                                             \
    X(ladder_stops_at_512)                                                                         \
    X(ladder_grid_stride)                                                                          \
    X(ladder_index_wraps)                                                                          \
    X(ladder_shuffles_twice)                                                                       \
    X(ladder_no_barrier)                                                                           \
    X(ladder_tiles)                                                                                \
    X(ladder_vectorised_atomic)                                                                    \
    X(ladder_vectorised)                                                                           \
    X(ladder_no_fence)                                                                             \
    X(ladder_one_fence)                                                                            \
    X(ladder_cooperative)                                                                          \
    X(ladder_dot)

#define RD_PROGRAM_DECLARE(program) extern const struct rd_program rd_program_##program;
RD_PROGRAMS(RD_PROGRAM_DECLARE)
#undef RD_PROGRAM_DECLARE

#endif
