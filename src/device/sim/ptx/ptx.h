// SPDX-License-Identifier: MIT
/* Inline PTX, which the simulator interprets. Compiled as C here, as C++ in users' files. */
#ifndef RD_SIM_PTX_H
#define RD_SIM_PTX_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Runs the text of an asm statement for the running thread. `constraints` has one for each operand, "[sum]=r,r", and
 * `values` the bits of each operand, which the text may change. Returns a set of the operands that it has written,
 * bit k for operand k. `line` is an RD_SIM_BARRIER. Ends the run, with a sentence, at an instruction that is not
 * simulated. */
uint64_t rd_sim_ptx(const char *text, const char *constraints, uint64_t *values, const char *file,
                    unsigned line);

/* Convert a generic address of shared memory to one of its window, as cvta.to.shared does, and back. */
uint64_t rd_sim_to_shared(const volatile void *generic);
void *rd_sim_from_shared(uint64_t address);

/* ---- asynchronous copies of the running thread: see async.h ---- */

/* Copies the first read_bytes; fills the rest of size_bytes with 0. `pc` is where the copy stands. */
void rd_sim_async_copy(void *to, const void *from, size_t size_bytes, size_t read_bytes, void *pc);
/* Make a group of the copies since the last one; wait until at most so many groups are under way, or for `all` copies. */
void rd_sim_async_group(void);
void rd_sim_async_await(unsigned groups, int all);
/* Bind the copies since the last group to a phase of the barrier or pipeline at this address; end those of all
 * threads that are bound to it. */
void rd_sim_async_to(const volatile void *object, uint64_t phase);
void rd_sim_async_over(const volatile void *object, uint64_t phase);

/* Lets other threads run: the running thread has seen, by an atomic, that it has to wait. */
void rd_sim_waits(void);

#ifdef __cplusplus
}
#endif

#endif
