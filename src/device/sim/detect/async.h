// SPDX-License-Identifier: MIT
/* Asynchronous copies of threads to shared memory, from when they are issued until somebody waits for them: who accesses
 * what they write before that may find what was there before.
 *
 * A copy is made at once, as a write of its thread, so that barriers order it and others race with it as with any write.
 * What it has written is then marked in the records. Whoever accesses it changes them, which shows when the copy is waited for,
 * or when the block ends without. In an exact launch (slow_path.h) accesses of the copying thread itself do not show. */
#ifndef RD_SIM_ASYNC_H
#define RD_SIM_ASYNC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The running thread has issued a copy of at most 16 bytes to this address, which it has been told to write. */
void rd_sim_async_add(uintptr_t to, size_t size_bytes, uintptr_t pc);

/* The running thread's copies since its last commit become a group. */
void rd_sim_async_commit(void);
/* It waits until at most so many of its groups are under way; `all`: also for what it has not committed. */
void rd_sim_async_wait(unsigned groups, bool all);

/* Its copies since the last commit belong to a phase of a barrier or a pipeline at this address instead. */
void rd_sim_async_bind(uintptr_t object, uint64_t phase);
/* Somebody has waited for that phase: the copies of all threads of the block that belong to it, or to earlier ones, are done. */
void rd_sim_async_done(uintptr_t object, uint64_t phase);

/* Tells whether a copy to this address is under way. */
bool rd_sim_async_has(uintptr_t address);

#endif
