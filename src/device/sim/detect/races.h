// SPDX-License-Identifier: MIT
/* The slow path of an access: decides whether it races with an earlier one, is out of bounds or misaligned, or reads memory that
 * was never written. The fast path (fast_path.h) has those cases of it that take a compare or two. */
#ifndef RD_SIM_RACES_H
#define RD_SIM_RACES_H

#include "device/sim/object.h"
#include "device/sim/api/intrinsics.h"
#include "device/sim/detect/causality.h"

/* Checks an access of any size and alignment to any address, and tells what is wrong with it. Ends
 * the thread where the access would reach memory that is none. */
void rd_sim_access_check(uintptr_t address, size_t size_bytes, enum rd_sim_op op, uintptr_t pc);

/* The same of a volatile access; and of an atomic one, of which bits of enum rd_sim_atomic tell more, and
 * which only reads where what is there is not what it is `compared` with (optional). */
void rd_sim_access_volatile(uintptr_t address, size_t size_bytes, enum rd_sim_op op, uintptr_t pc);
void rd_sim_access_atomic(uintptr_t address, size_t size_bytes, unsigned atomic,
                          const void *compared, uintptr_t pc);

/* The program reads the bytes of this range: it is checked for bounds as one access, and for alignment
 * where this thread was said to access this address as what has this alignment. */
void rd_sim_access_misaligned(uintptr_t address, size_t alignment);
void rd_sim_access_range(uintptr_t address, size_t size_bytes, enum rd_sim_op op, uintptr_t pc);

/* The program frees these bytes, which is as writing all of them: all their uses must be ordered before it. */
void rd_sim_access_free(uintptr_t address, size_t size_bytes, uintptr_t pc);
/* Tells whether a kernel of a user's file has written these bytes, of which no hook has told. Bytes that are
 * as memory is filled are taken for those that nobody wrote. */
bool rd_sim_access_is_untold(uintptr_t address, size_t size_bytes);
/* A write that is told when it has taken place. */
void rd_sim_access_made(uintptr_t address, size_t size_bytes, uintptr_t pc);

/* An index that the compiler's bounds check refuses. */
void rd_sim_index_check(int64_t index, size_t n_elems, unsigned elem_bytes, uintptr_t pc);

/* ---- attempt.c: an access while it is checked, for bounds, by records (races.c) and by cells (cell.c) ---- */

struct rd_sim_attempt {
    enum rd_sim_op op;
    bool reads, writes; /* an atomic may do either, or both */
    bool is_strong;     /* an atomic or volatile one that others may count on: */
    struct rd_sim_strong strong;
    bool is_volatile;
    bool compares; /* an atomicCAS() */
    bool frees;    /* a free(), which is as writing all of it */
    /* What is freed has no values; of a write that has taken place, nobody knows what was there before. */
    bool hides_values;
    uintptr_t address; /* of the whole access, */
    uintptr_t at;      /* and of the bytes that are stepped now */
    uintptr_t pc;
    bool shared;
    uint64_t floor; /* records below are not of this launch, or not of this block's memory */
    bool hit;       /* the bytes stepped last have raced */
    unsigned bytes; /* all that have, one bit each */
    bool raced;     /* first with: */
    struct rd_sim_actor other;
    enum rd_sim_heard heard; /* of that, see rd_sim_causality_heard */
    bool uninitialised;
    bool is_dropped; /* nobody takes what it reads */
    bool is_untold;  /* it reads what was written without a hook */
};

struct rd_sim_attempt rd_sim_attempt_plain(uintptr_t address, enum rd_sim_op op, uintptr_t pc);
/* Marks the attempt as one on a volatile object in device memory; with more than 8 bytes it counts as plain. */
void rd_sim_attempt_is_volatile(struct rd_sim_attempt *a, size_t size_bytes);
/* An atomic one; bits of enum rd_sim_atomic. */
struct rd_sim_attempt rd_sim_attempt_atomic(uintptr_t address, unsigned atomic, uintptr_t pc);
/* An atomicCAS() has found something else. */
void rd_sim_attempt_only_reads(struct rd_sim_attempt *a);

/* The bytes stepped now have raced. True for the first race of the access, the one that is told in
 * full: `other` is then to be set. */
static inline bool rd_sim_attempt_race(struct rd_sim_attempt *a)
{
    bool first = !a->raced;
    a->hit = a->raced = true;
    return first;
}

/* The record of this access alone, with these flags. */
uint64_t rd_sim_attempt_record(const struct rd_sim_attempt *a, uint64_t flags);

/* ---- cell.c, cells.c ---- */

/* The records of an exact launch. As long as a plain access by one thread stands for all accesses to a
 * granule, its record is as in record.h, with no flags. Else it is a cell: the list of all accesses that are
 * not yet stood for by a later one.
 *
 * A later access N stands for an earlier E that came before it if whatever races with E races with N: what is
 * not ordered behind E is not ordered behind N, since order is transitive, and N conflicts with all that E
 * conflicts with.
 *
 * Strong writes to one location come one after the other for all that see them: so a strong write is also
 * before a strong access that goes on with its chain (causality.h), which has seen it, and before all that is
 * ordered behind such a witness (PTX ISA, "Causality Order"). That is so for accesses to this location only. */

/* The record after the access, `record` before it; both are of the bytes at `address`. `init` is RD_INIT
 * or 0, as it is to be in the record. */
uint64_t rd_sim_cell_step(uint64_t record, uint64_t init, uintptr_t address,
                          struct rd_sim_attempt *a);

/* Tells whether a thread of the running block has written there, and the running thread does not know of it, or is the
 * one that did, since the block's last barrier. *thread: that thread. */
bool rd_sim_cell_is_written(uint64_t record, unsigned *thread);
/* Tells whether another block has written it in this launch, with nothing that orders that before the running thread. */
bool rd_sim_cell_is_of_another_block(uint64_t record);

/* The record of a cell has become those of four bytes: each gets a cell of its own. */
void rd_sim_cell_split(uint64_t record, uint64_t records[4]);
/* Visits every clock in the cells' chains. */
void rd_sim_cells_visit_chains(void (*keep)(const struct rd_sim_clock **root));

#endif
