// SPDX-License-Identifier: MIT
/* The programs and the invariants that families share. */
#ifndef RD_INVARIANTS_H
#define RD_INVARIANTS_H

#include "program.h"

void rd_fold_advance(struct rd_expect *expect, unsigned step);
void rd_tournament_advance(struct rd_expect *expect, unsigned step);
void rd_multiply_advance(struct rd_expect *expect, unsigned step);
void rd_two_phase_advance(struct rd_expect *expect, unsigned step);
extern const struct rd_point_invariant rd_point_partials;
extern const struct rd_point_invariant *const rd_points_dot_shared[];
extern rd_schedule rd_schedule_fold, rd_schedule_tournament, rd_schedule_multiply;
extern rd_schedule rd_schedule_dot_shared, rd_schedule_sum_partials;

/* Refuses an n that is not a power of two. */
enum rd_status rd_accept_power_of_two(const struct rd_shape *shape, struct rd_error *error);

/* RD_PROGRAMS(X): every program, each followed by its faults, made from these files by tools/programs.py, which says in
 * which order. */
#include "program_list.h"

#define RD_PROGRAM_DECLARE(program) extern const struct rd_program rd_program_##program;
RD_PROGRAMS(RD_PROGRAM_DECLARE)
#undef RD_PROGRAM_DECLARE

#endif
