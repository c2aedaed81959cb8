// SPDX-License-Identifier: MIT
/* The engine, as all others see it. It runs a grid: block after block, and in a block thread after thread, each until
 * a barrier or its end. A thread runs as a plain call on the stack of the thread before it; only when it has to wait
 * does it keep that stack, and the next thread gets another. So a kernel without a barrier needs no switch.
 *
 * Most launches are run so that records can be short (record.h). That assumes that blocks run to their ends
 * one after the other, and that barriers of blocks and of whole warps are all that orders threads.
 * A launch that turns out to be of another kind is stopped, and is to be run again, on the memory
 * that there was before, as an *exact* one (races.h): then blocks that wait for others give way to them,
 * and what fences, flags and partial barriers order is told exactly. */
#ifndef RD_SIM_ENGINE_H
#define RD_SIM_ENGINE_H

#include "device/sim/source/source.h"
#include "device/sim/object.h"
#include "device/files.h"
#include "device/schedule.h"
#include "reductio/device.h"

#include <limits.h>
#include <signal.h>
#include <time.h>

struct rd_sim_grid {
    void (*thread)(void *const *arguments); /* runs one thread of the kernel */
    void *const *arguments;
    /* By one call, which is not inlined, and comes to no barrier otherwise: to a place in the kernel itself, all
     * threads come by the same calls. */
    bool calls_kernel;
    struct rd_sim_dim grid, block;
    uint64_t first_block; /* the blocks to run, linear in the grid: from this one on, */
    uint64_t end_block;   /* up to the one before this; 0: to the last */
    size_t shared_bytes;  /* of a block, as far as it is known */
    bool cooperative;     /* its blocks may meet */
    bool tells_returns;   /* its threads call rd_sim_return, if they return before the end */
    struct rd_schedule schedule;
    void (*block_over)(uint64_t block); /* optional: told of each block that is */
    bool exact;
    uint64_t steps_max; /* accesses of a thread between two barriers; 0: a default */
    bool
        is_serial; /* its thread works for many of the device's: only a user's function that it calls may take too long */
    size_t heap_bytes;                        /* of what its threads allocate; 0: CUDA's default */
    const volatile sig_atomic_t *interrupted; /* optional: non-zero asks the launch to stop */
    /* Processes that share the blocks, see jobs.c; 0 and 1, and where somebody is told of blocks or accesses: only
     * this one. */
    unsigned jobs;
};

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
/* The running thread's last access of that kind has shown that it has to wait: it gives way at the next. */
void rd_sim_turn_waits(void);
/* Returns the number of blocks of that many threads and that much shared memory that the device holds at once:
 * more can't meet. */
uint64_t rd_sim_grid_max(unsigned threads, size_t shared_bytes);
/* Tells whether the last run was of a part of the blocks, and stopped at a barrier of the whole grid. */
bool rd_sim_grid_is_wanted_whole(void);

/* Runs these blocks of the launch that is under way, for jobs.c. False if that is impossible. */
bool rd_sim_run_part(uint64_t first, uint64_t end);

/* Tells of the threads that wait at another barrier than the first of their block: of a launch that
 * is to end before they would meet. */
void rd_sim_barrier_tell_astray(void);

/* Returns the site of the barrier to which the block's threads came last, if any. */
struct rd_sim_site rd_sim_last_barrier(void);

/* Tells whether an access to an address that is no device memory may be: a read of a constant. */
bool rd_sim_is_harmless(uintptr_t address, enum rd_sim_op op);
/* Sets the range of a loaded file, whose constants may be read, too. */
void rd_sim_constants_set(uintptr_t start, uintptr_t end);
/* The threads that have begun since the last rd_sim_run_grid. */
uint64_t rd_sim_threads_run(void);
/* The time at which a block was last begun, or passed a barrier behind accesses, by RD_SIM_CLOCK: exact to some milliseconds, and read in a few
 * nanoseconds. */
#define RD_SIM_CLOCK CLOCK_MONOTONIC_COARSE
double rd_sim_phase_began_s(void);
void rd_sim_phase_begins(void);
/* Tells whether it lies on the running thread's own stack. */
bool rd_sim_is_on_stack(uintptr_t address);
/* Ends the running thread, as a trap would, but this one only. */
_Noreturn void rd_sim_thread_end(void);
/* Ends it as a return from its kernel would. */
_Noreturn void rd_sim_thread_exit(void);
/* The call of a user's function in which the thread of a serial launch is, from 1; 0: it is in none. */
uint64_t rd_sim_serial_call(void);
/* Called by an access when core.budget is used up. */
void rd_sim_ask(enum rd_sim_op op);
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

/* ---- fault_injection.c: threads that do not run, and barriers that nobody waits at ---- */

typedef void rd_sim_thread_of(void *const *arguments);

/* A launch begins, of that kernel. Returns what each of its threads is to call. */
rd_sim_thread_of *rd_sim_omit_begin(struct rd_omission *omissions, unsigned count,
                                    rd_sim_thread_of *thread);
void rd_sim_omit_end(void);

/* Tells whether the barrier that the running thread has come to is left out. */
bool rd_sim_omit_barrier(void);

/* ---- trials.c ---- */

/* A launch of a kernel of ours, tried under several schedules where its threads communicate: from the same
 * memory, and what it leaves is compared. */

enum { RD_SIM_TRIAL_BUFFERS_MAX = RD_ARG_MAX };

struct rd_sim_trials {
    bool communicates;    /* its threads do, or may */
    unsigned n_schedules; /* at least 1 */
    unsigned n_buffers;   /* that it is passed: */
    struct rd_sim_trial_buffer {
        unsigned char *bytes;
        size_t size_bytes;
        bool is_compared;
    } buffers[RD_SIM_TRIAL_BUFFERS_MAX];
    struct rd_tried *tried; /* optional: told of it */
};

/* Runs the grid under the schedules, the first of which its own is set to; memory is then as the first has left
 * it. What is found is reported (report.h). RD_ERROR_MEMORY; RD_ERROR_INTERRUPTED; RD_ERROR_DEVICE where threads
 * communicate that were not to, or not all could be looked at. */
enum rd_status rd_sim_try(const struct rd_sim_grid *grid, const struct rd_sim_trials *trials,
                          struct rd_error *error);

/* ---- jobs.c ---- */

/* A grid on several cores: each of some processes runs a contiguous part of its blocks, on a copy
 * of the memory. That the parts are independent is a guess. Afterwards it shows
 * whether it was right: no part has written what another has touched, and none has done what
 * depends on the order of blocks, such as an atomic on global memory. Then what was found, written
 * and printed is put together in the order of blocks, and is what a sequential run would have
 * found, written and printed. Otherwise the grid is run sequentially, on memory that no part has
 * changed.
 *
 * It costs what is copied: of a kernel that does little with each cell it reads or writes, more
 * than it gains. */

/* A launch begins. */
void rd_sim_jobs_begin(const struct rd_sim_grid *grid);

/* Results of all parts together. */
struct rd_sim_jobs_result {
    uint64_t threads_run;
    bool trapped;                             /* a thread was ended before its time */
    bool took_mask, took_clock, communicates; /* as in the core */
    struct rd_sim_printed printed;
    struct rd_sim_outdated outdated;
    uintptr_t untold_pc;
};
/* Has the blocks from core.block up to the one before `end` run by processes, if that is asked for
 * or worth its while. False where it is not, or the guess was wrong: then nothing has
 * happened yet. */
bool rd_sim_jobs_run(const struct rd_sim_grid *grid, uint64_t end,
                     struct rd_sim_jobs_result *result);

/* The running block does what may depend on other blocks, or change what they do, in a way that
 * does not show afterwards. Ends a process that runs a part. */
void rd_sim_jobs_depend(void);
/* Ends a process that runs a part, if another part has shown that the parts must be run again in one process. */
void rd_sim_jobs_poll(void);
/* Visits every epoch that parts keep, to read or change it. */
void rd_sim_jobs_visit(void (*visit)(unsigned *epoch));
/* For a signal handler, when there is no more time: if parts are running, all is in vain. Returns
 * whether they are. */
bool rd_sim_jobs_stop(void);

/* ---- epochs.c ---- */

/* Epochs number what is told apart in time: each barrier of a block, each meeting of a warp, and, in an
 * exact launch, each fence begins a new one for the threads concerned. No two blocks share one. */

/* A new epoch. Where the numbers run out, those in use change, and so do the records; an exact launch
 * is stopped instead. */
unsigned rd_sim_epoch_next(void);

/* Begins an interval that is compared with nothing before it: at a launch, or where all blocks have met. */
void rd_sim_epochs_launch(void);
/* core.block runs from here on, in a new epoch. */
void rd_sim_epochs_block(void);
/* The block that an epoch of this launch belongs to. */
uint64_t rd_sim_block_of(unsigned epoch);

/* Counts the epochs given in all, those of before a renumbering included. */
uint64_t rd_sim_epochs_given(void);
/* The epoch in a floor, or in a stamp. */
void rd_sim_epochs_visit_floor(uint64_t *bits, void (*visit)(unsigned *epoch));

/* Order by barriers of whole warps, in a launch that is not exact: where some lanes alone meet, or others
 * have ended without, the launch is to be (see above). */

/* A barrier interval of the block begins. */
void rd_sim_warps_interval(void);
/* All lanes of a warp have met, and begin this epoch. */
void rd_sim_warps_meet(unsigned warp, unsigned epoch);
/* Tells whether what a thread of the running thread's warp did in the epoch, in this interval, is ordered
 * before the running thread. */
bool rd_sim_warp_ordered(unsigned epoch, unsigned thread);
/* Visits every epoch that warps keep, to read or change it. */
void rd_sim_warps_visit(void (*visit)(unsigned *epoch));

#endif
