// SPDX-License-Identifier: MIT
/* Inline PTX, which the simulator interprets. Compiled as C here, as C++ in users' files. */
#ifndef RD_SIM_PTX_H
#define RD_SIM_PTX_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Runs an asm statement's text for the running thread. `constraints` has one for each operand, "[sum]=r,r", and `values` the
 * bits of each, of which those that the text has written are changed. Returns a bit for each of these. `line` is
 * RD_SIM_BARRIER. The text is read once; what of it is not simulated ends the run, in a sentence. */
uint64_t rd_sim_ptx(const char *text, const char *constraints, uint64_t *values, const char *file,
                    unsigned line);

/* Address of the window of shared memory that a generic one has, and the other way round. */
uint64_t rd_sim_to_shared(const volatile void *generic);
void *rd_sim_from_shared(uint64_t address);

/* ---- asynchronous copies of the running thread: see async.h ---- */

/* Copies `read_bytes` from pc; the rest of size_bytes becomes 0. */
void rd_sim_async_copy(void *to, const void *from, size_t size_bytes, size_t read_bytes, void *pc);
/* Its copies since then are a group; waits until so many groups are under way, or for `all` copies. */
void rd_sim_async_group(void);
void rd_sim_async_await(unsigned groups, int all);
/* Or they belong to a phase of a barrier or a pipeline at this address, which is over. */
void rd_sim_async_to(const volatile void *object, uint64_t phase);
void rd_sim_async_over(const volatile void *object, uint64_t phase);

/* What the running thread has looked at last, by an atomic, shows that it has to wait: others go on. */
void rd_sim_waits(void);

#ifdef __cplusplus
}
#endif

#endif
