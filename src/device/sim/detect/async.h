// SPDX-License-Identifier: MIT
/* Detects accesses to what an asynchronous copy to shared memory writes, between its issue and its wait.
 *
 * The simulator copies at once, as a write of the issuing thread, so that races with other threads are found as of any write.
 * It then keeps the records of the written bytes. A record that has changed by the time of the wait, or of the block's end where
 * there is no wait, was accessed too early. Exact launches (races.h) do not see such accesses of the issuing thread
 * itself. */
#ifndef RD_SIM_ASYNC_H
#define RD_SIM_ASYNC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Registers a copy of at most 16 bytes to this address, which the running thread has issued. The write itself is reported before. */
void rd_sim_async_add(uintptr_t to, size_t size_bytes, uintptr_t pc);

/* Makes a group of the running thread's copies since its last commit. */
void rd_sim_async_commit(void);
/* Ends the running thread's copies but for those of its last `groups` groups; `all`: also those that are not committed. */
void rd_sim_async_wait(unsigned groups, bool all);

/* Binds the running thread's copies since its last commit to a phase of the barrier or pipeline at this address. */
void rd_sim_async_bind(uintptr_t object, uint64_t phase);
/* Ends all copies of the block that are bound to that phase or an earlier one. */
void rd_sim_async_done(uintptr_t object, uint64_t phase);

/* Tells whether a copy to this address is under way. */
bool rd_sim_async_has(uintptr_t address);

#endif
