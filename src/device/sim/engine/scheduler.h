// SPDX-License-Identifier: MIT
/* Runs a grid: block after block, and in a block thread after thread, each until a barrier or its
 * end. A thread runs as a plain call on the stack of the thread before it; only when it has to wait
 * does it keep that stack, and the next thread gets another. So a kernel without a barrier needs no
 * switch.
 *
 * Most launches are run so that records can be short (record.h). That assumes that blocks run to their ends
 * one after the other, and that barriers of blocks and of whole warps are all that orders threads.
 * Where a launch turns out to be of another kind, it is stopped, and is to be run again, on the memory
 * that there was before, as an *exact* one (cell.h): then blocks that wait for others give way to them,
 * and what fences, flags and partial barriers order is told exactly. */
#ifndef RD_SIM_SCHEDULER_H
#define RD_SIM_SCHEDULER_H

#include "device/sim/source/call_path.h"
#include "device/sim/engine/core.h"
#include "device/schedule.h"

#include <limits.h>
#include <signal.h>

struct rd_sim_grid {
    void (*thread)(void *const *arguments); /* runs one thread of the kernel */
    void *const *arguments;
    bool calls_kernel; /* by one call, which is not inlined, and comes to no barrier otherwise: to a
                        * place in the kernel itself, all threads come by the same calls */
    struct rd_sim_dim grid, block;
    uint64_t first_block; /* the blocks to run, linear in the grid: from this one on, */
    uint64_t end_block;   /* up to the one before this; 0: to the last */
    size_t shared_bytes;  /* of a block, as far as it is known */
    bool cooperative;     /* its blocks may meet */
    bool tells_returns;   /* its threads call rd_sim_return, if they return before the end */
    struct rd_sim_schedule schedule;
    void (*block_over)(uint64_t block); /* optional: told of each block that is */
    bool exact;
    uint64_t steps_max; /* accesses of a thread between two barriers; 0: a default */
    size_t heap_bytes;  /* of what its threads allocate; 0: CUDA's default */
    const volatile sig_atomic_t *interrupted; /* optional: non-zero asks the launch to stop */
    unsigned jobs; /* processes that share the blocks, see jobs.h; 0 and 1, and where somebody is
                      told of blocks or accesses: none but this */
};

/* Jobs: as many as there are cores, as soon as that is worth its while. */
#define RD_SIM_JOBS_AUTO UINT_MAX

enum rd_sim_ending {
    RD_SIM_ENDED,
    RD_SIM_NO_MEMORY,    /* for stacks and the like */
    RD_SIM_EXACT_WANTED, /* it is to be run again as an exact one: what was found till then is void */
    RD_SIM_EXACT_FAILED, /* it was stopped, as not all could be looked at: rd_sim_exact_failure() */
};

/* Runs it to its end. */
enum rd_sim_ending rd_sim_run_grid(const struct rd_sim_grid *grid);
/* The launch that runs is to be an exact one: it is stopped. */
void rd_sim_exact_want(void);
/* Stops an exact launch for want of memory; `why` is as in "no memory for ...". */
void rd_sim_exact_fails(const char *why);
const char *rd_sim_exact_failure(void);
/* Tells whether threads of the last launch have communicated, so that their order may matter: by atomics,
 * volatile objects, fences or a barrier of the grid. */
bool rd_sim_has_communicated(void);

/* Around an atomic or volatile access to an address, or, of address 0, at a fence: others may go on here, and
 * a thread that waits for another gives way. */
void rd_sim_communicate(uintptr_t address);
void rd_sim_communicated(uintptr_t address, size_t size_bytes);
/* How many blocks of so many threads, with so much shared memory each, the device holds at once:
 * more can't meet. */
uint64_t rd_sim_grid_max(unsigned threads, size_t shared_bytes);
/* Tells whether the last run was of a part of the blocks, and stopped at a barrier of the whole grid. */
bool rd_sim_grid_is_wanted_whole(void);

/* For jobs.c: runs these blocks of the launch that is under way. False where that can't be. */
bool rd_sim_run_part(uint64_t first, uint64_t end);

/* Tells of the threads that wait at another barrier than the first of their block: of a launch that
 * is to end before they would meet. */
void rd_sim_barrier_tell_astray(void);

/* Where the block's threads have last come to a barrier, if they have. */
struct rd_sim_site rd_sim_last_barrier(void);

/* Tells whether a kernel is running. */
bool rd_sim_is_running(void);
/* Tells whether an access to an address that is no device memory may be: a read of a constant. */
bool rd_sim_is_harmless(uintptr_t address, enum rd_sim_op op);
/* Where a loaded file lies, whose constants may be read, too. */
void rd_sim_constants_set(uintptr_t start, uintptr_t end);
/* The threads that have begun since the last rd_sim_run_grid. */
uint64_t rd_sim_threads_run(void);
/* Tells whether it lies on the running thread's own stack. */
bool rd_sim_is_on_stack(uintptr_t address);
/* Ends the running thread, as a trap would, but this one only. */
_Noreturn void rd_sim_thread_end(void);
/* Called by an access when core.budget is used up. */
void rd_sim_ask(void);
/* Has the next access call rd_sim_ask. */
void rd_sim_ask_soon(void);

/* Kinds of results of rd_sim_syncthreads. */
enum rd_sim_barrier { RD_BARRIER_PLAIN, RD_BARRIER_COUNT, RD_BARRIER_AND, RD_BARRIER_OR };

/* ---- warps ---- */

enum rd_sim_meeting { RD_MEET_SYNC, RD_MEET_SHUFFLE, RD_MEET_VOTE, RD_MEET_ACTIVE };

/* Values that a lane brings to a meeting of its warp, and takes from it. */
struct rd_sim_lane {
    enum rd_sim_meeting meeting;
    unsigned operation; /* must be the same for all lanes */
    unsigned mask;
    uint64_t value;
    unsigned source; /* the lane whose value is wanted */
    const char *file;
    unsigned line;
    const struct rd_sim_frame *frame; /* of the function that the kernel has called */
    unsigned present;                 /* out: the lanes that met */
    uint64_t taken;   /* out: the value of `source`; 0 where that is not among them */
    uint64_t *values; /* out, optional: of all 32 lanes */
};

/* Waits until all lanes of the mask that have not exited have come. */
void rd_sim_warp_meet(struct rd_sim_lane *lane);

#endif
