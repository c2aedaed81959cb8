// SPDX-License-Identifier: MIT
/* The calls by which a thread has come to where it waits, from the frames on its stack. Threads that
 * come to a barrier by different calls are in different branches, as if each branch had a barrier of
 * its own. What kernels are made of is compiled with -fno-omit-frame-pointer. */
#ifndef RD_SIM_CALL_PATH_H
#define RD_SIM_CALL_PATH_H

#include "device/sim/engine/event.h"

/* A function's own, as the compiler lays it out. */
struct rd_sim_frame {
    const struct rd_sim_frame *caller; /* the frame of the function that called it, */
    uintptr_t pc;                      /* and where it returns to in that */
};

/* The frame of the function that this stands in, which then has one. */
#define RD_SIM_FRAME ((const struct rd_sim_frame *)__builtin_frame_address(0))
/* Makes the compiler give a function a frame that it has no other need of. */
#define RD_SIM_NEEDS_FRAME __asm__ volatile("" ::"r"(RD_SIM_FRAME))

/* A thread that waits: the frame of the function that it waits in, and where its stack ends. */
struct rd_sim_path {
    const struct rd_sim_frame *frame;
    uintptr_t end;
};

/* Tells whether the path is a kernel and the function that calls it, and no more; those two are known to have
 * frames. */
bool rd_sim_path_is_short(const struct rd_sim_path *path);

/* The return addresses of a short path; most that others come by are the same. */
struct rd_sim_way {
    uintptr_t pc, of_caller;
};
static inline bool rd_sim_way_is_taken(const struct rd_sim_way *way,
                                       const struct rd_sim_frame *frame)
{
    return frame->pc == way->pc && frame->caller->pc == way->of_caller;
}

/* Tells whether two threads have come by different calls of the source; copies that the compiler has made of one
 * call are one. False where there is no debug information that could tell. */
bool rd_sim_paths_differ(const struct rd_sim_path *one, const struct rd_sim_path *other);

/* The outermost calls that differ; false where none do. */
bool rd_sim_paths_part(const struct rd_sim_path *one, const struct rd_sim_path *other,
                       struct rd_sim_site *call_of_one, struct rd_sim_site *call_of_other);

#endif
