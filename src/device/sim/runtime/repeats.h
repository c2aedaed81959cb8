// SPDX-License-Identifier: MIT
/* Launches that are made again, as benchmarks make them. A launch is determined by its kernel, its arguments and the memory
 * that kernels can access: made again with the same arguments, on memory of the same contents, it leaves the same and finds
 * the same. So what it leaves is kept, where nothing was found, and a repeated launch is taken over rather than run. None is
 * that has done what depends on more, such as reading a clock, or that shows otherwise than in memory, such as printing; nor
 * one whose threads communicate, as that is run under several schedules. */
#ifndef RD_SIM_RUNTIME_REPEATS_H
#define RD_SIM_RUNTIME_REPEATS_H

#include "device/sim/engine/engine.h"
#include "device/sim/file/launch.h"

struct rd_sim_reach;

/* Launches are asked for one after the other: first whether it is taken over; where it is not, it begins, and then ends. */

/* Tells whether the launch repeats a known one. If so, memory is then as after that launch, and *reach what it accessed.
 * `looks` says how closely accesses are looked at: only launches with the same number are alike. */
bool rd_sim_repeat_take(const struct rd_sim_launch *launch, const struct rd_sim_grid *grid,
                        unsigned looks, const struct rd_sim_reach **reach);
void rd_sim_repeat_begin(void);
/* It has ended. Gives where to keep what it has accessed, as of a launch that may be taken over some day; else NULL. */
struct rd_sim_reach *rd_sim_repeat_end(bool is_sound);

#endif
