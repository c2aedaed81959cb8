// SPDX-License-Identifier: MIT
/* The order of accesses in an exact launch, and the clocks that hold it. */
#ifndef RD_SIM_CAUSALITY_H
#define RD_SIM_CAUSALITY_H

#include "device/sim/object.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- clock.c ---- */

/* Vector clocks: of which other threads' accesses it is known that they came before. A clock maps
 * threads, warps and whole blocks to a bound: what they did in epochs below it is known. Clocks are
 * values: an operation makes a new one, which shares with the old ones all that is the same (big-endian
 * Patricia trees; Okasaki and Gill, "Fast Mergeable Integer Maps", 1998). NULL knows nothing. */
struct rd_sim_clock;

/* Keys of bounds. */
uint64_t rd_sim_clock_thread(uint64_t block, unsigned thread);
uint64_t rd_sim_clock_warp(uint64_t block, unsigned warp);
uint64_t rd_sim_clock_block(uint64_t block);

/* The bound of a key; 0 where there is none. */
unsigned rd_sim_clock_bound(const struct rd_sim_clock *clock, uint64_t key);

/* The clock, knowing of the key at least what is below the bound. */
const struct rd_sim_clock *rd_sim_clock_with(const struct rd_sim_clock *clock, uint64_t key,
                                             unsigned bound);
/* Joins what either of them knows. */
const struct rd_sim_clock *rd_sim_clock_join(const struct rd_sim_clock *x,
                                             const struct rd_sim_clock *y);
/* The clock without all that it knows of a block, its warps and threads. */
const struct rd_sim_clock *rd_sim_clock_without(const struct rd_sim_clock *clock, uint64_t block);

/* Tells whether so much has been made since the last collection that another is due. */
bool rd_sim_clocks_are_many(void);
/* Frees all clocks but those that `visit_roots` names: it calls `keep` with the place of each, which
 * is changed to where the clock has moved. */
void rd_sim_clocks_collect(void (*visit_roots)(void (*keep)(const struct rd_sim_clock **root)));
/* Frees all of them. */
void rd_sim_clocks_free(void);
/* Tells whether memory has run out since they were freed last: clocks then know less than they should. */
bool rd_sim_clocks_failed(void);

/* ---- causality.c ---- */

/* The order of accesses, exactly: what a launch is run with whose threads order each other by more than
 * barriers of blocks and of whole warps. Each thread knows what came before it (a clock), and learns more
 *
 *   - at a barrier of its block or of some lanes of its warp: all that those who meet there know;
 *   - by a strong access, that is by an atomic or a volatile one, which reads what another has written
 *     (PTX ISA, "Memory Consistency Model": release and acquire patterns).
 *
 * A strong write releases what lies before a fence: one of the thread itself, or one of another
 * thread of its block that came before a barrier of both; or before the write itself, where it is a
 * release. A read takes what was released by the write that it reads from, and by those before that in a
 * chain of read-modify-writes. A fence, and an atomic, is of a scope: of two threads in different blocks
 * both must be of the device's.
 *
 * From when on the reader counts on it depends on what reads: PTX asks for a fence behind it. CUDA's own
 * examples do without one behind atomicAdd() and its like, which therefore take it at once, and
 * behind a lock's atomicCAS() and a volatile flag it may be a barrier; a cuda::atomic says itself.
 *
 * A thread that ends has come to all barriers of its block that follow. */

/* Moment from which a read orders the thread after the write that it saw. */
enum rd_sim_acquire { RD_ACQUIRE_NOW, RD_ACQUIRE_AT_BARRIER, RD_ACQUIRE_AT_FENCE };

/* A strong access. */
struct rd_sim_strong {
    bool reads, writes; /* of a read-modify-write, both */
    bool of_block;      /* it is of the block's scope */
    bool releases;      /* by itself, without a fence */
    enum rd_sim_acquire acquires;
};

/* Strong writes to a location, one after the other, each of a scope that reaches the one before. All 0: there
 * was none. */
struct rd_sim_chain {
    /* The writes of a location are numbered from 1 on; these: start + 1 to last. */
    unsigned start, last;
    bool of_block;  /* the last write was of this scope, */
    uint64_t block; /* and by this block */
    /* Clocks released by the last of them, and by those before as long as each was read and modified: */
    const struct rd_sim_clock *far; /* to all, */
    /* All that the writers had done or heard of: see rd_sim_causality_heard */
    const struct rd_sim_clock *heard;
    struct rd_sim_near *near;     /* and to threads of the same block: a hash table by blocks, */
    size_t n_near, near_capacity; /* whose capacity is a power of two */
};
/* Forgets it. */
void rd_sim_chain_finish(struct rd_sim_chain *chain);
/* `to` becomes what `from` is. False without memory. */
bool rd_sim_chain_copy(struct rd_sim_chain *to, const struct rd_sim_chain *from);
/* A weak write: nobody reads what was written before. */
void rd_sim_chain_break(struct rd_sim_chain *chain);
/* Visits every clock in the chain. */
void rd_sim_chain_visit(struct rd_sim_chain *chain, void (*keep)(const struct rd_sim_clock **root));

/* The running thread makes such an access to the location. Where it goes on with the chain, it comes behind its
 * writes, *start + 1 to *last; else these are left as they are. */
void rd_sim_causality_strong(struct rd_sim_chain *chain, const struct rd_sim_strong *strong,
                             unsigned *start, unsigned *last);
/* Notes an access that releases by itself: the thread's next accesses are not released by it. */
void rd_sim_causality_released(void);

/* Finds the lanes, of some of a warp of the block, whose accesses of the epoch did not come before what the running
 * thread does now. */
uint32_t rd_sim_causality_unknown(uint64_t block, unsigned warp, uint32_t lanes, unsigned epoch);
/* Tells what the running block knows of such lanes of another one. RD_SIM_HEARD_OF_BLOCK: some thread of it has
 * seen a strong write that theirs had made after the epoch began, or one that was made after such a one had been
 * seen. RD_SIM_HEARD_OF_THREAD: the lanes have made it themselves, or met at a barrier with who has, and so has the
 * running thread seen it: what they did would come before what it does now, if all strong accesses were releases
 * and acquires. */
enum rd_sim_heard rd_sim_causality_heard(uint64_t block, unsigned warp, uint32_t lanes,
                                         unsigned epoch);
/* Tells whether the running thread has come to a fence, of any scope, and of the device's. */
bool rd_sim_causality_fenced(bool of_device);

/* The running thread comes to a fence. */
void rd_sim_causality_fence(bool of_block);

/* ---- the parts of a chain that its accesses change ---- */

/* Clock released to the threads of the block alone; NULL: nothing. */
const struct rd_sim_clock *rd_sim_chain_near(const struct rd_sim_chain *chain, uint64_t block);
/* Releases it to those of the running block. */
void rd_sim_chain_add_near(struct rd_sim_chain *chain, const struct rd_sim_clock *released);
/* Withdraws what was released: no thread reads any more what released it. */
void rd_sim_chain_withdraw(struct rd_sim_chain *chain);

#endif
