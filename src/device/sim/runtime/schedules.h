// SPDX-License-Identifier: MIT
/* A launch of a program under other schedules, where its threads communicate, so that their order may matter. Each is run in a copy
 * of the process, which is made before the launch: the program goes on with what its own schedule has left. */
#ifndef RD_SIM_RUNTIME_SCHEDULES_H
#define RD_SIM_RUNTIME_SCHEDULES_H

#include "device/sim/engine/engine.h"
#include "device/sim/file/launch.h"

/* Runs a launch to its end; in a copy it is called with another schedule. */
typedef enum rd_sim_ending rd_sim_launch_run(const struct rd_sim_launch *launch,
                                             const struct rd_sim_grid *grid);

/* A launch is to be run next: keeps a copy of the process for it, where it may communicate. */
void rd_sim_schedules_begin(const struct rd_sim_launch *launch, const struct rd_sim_grid *grid,
                            rd_sim_launch_run *run);
/* It has been run, by this grid: has the copy run it under the others, and tells what differs. */
void rd_sim_schedules_end(const struct rd_sim_launch *launch, const struct rd_sim_grid *grid,
                          enum rd_sim_ending ending);

/* A launch that would have taken so long was not run: other schedules may take as long as if it had been. */
void rd_sim_schedules_spare(double seconds);

/* ---- differences.c ---- */

/* The bytes of all arrays of global memory, the device heap, and what stands for what was printed; false where they can't be
 * written. */
bool rd_sim_arrays_write(int file);
/* The bytes of the arrays alone. */
uint64_t rd_sim_arrays_bytes(void);
/* Tells of each array that is otherwise in the file, as a launch has left it under the other schedule. False where the
 * file is not what this process would write. */
bool rd_sim_arrays_compare(int file, const struct rd_sim_launch *launch,
                           const struct rd_schedule *schedule, const struct rd_schedule *other);

/* ---- heap_differences.c ---- */

/* The same of the device heap and of what was printed: behind the arrays in the file. */
bool rd_sim_heap_write(int file);
/* As in struct rd_file_ops. */
bool rd_sim_heap_visit_blocks(void (*visit)(void *self, const struct rd_file_heap_blocks *blocks),
                              void *self);
bool rd_sim_heap_compare(const unsigned char *bytes, size_t size_bytes,
                         const struct rd_schedule *schedule, const struct rd_schedule *other);

#endif
