// SPDX-License-Identifier: MIT
/* Cells of an exact launch (races.h says what they are): where they are kept, for those that look through their accesses. */
#ifndef RD_SIM_CELL_H
#define RD_SIM_CELL_H

#include "device/sim/detect/races.h"

/* Accesses of some lanes of a warp that are alike. */
struct rd_sim_cell_entry {
    uint64_t block;
    uintptr_t pc;
    unsigned epoch;
    uint32_t lanes;
    /* Strong ones only: the write's number in the location's chain, 0 for a read, and the writes that a
     * read has seen, seen_start + 1 to seen_last. */
    unsigned number, seen_start, seen_last;
    uint8_t warp;
    bool reads : 1, writes : 1, is_strong : 1, of_block : 1, is_atomic : 1, is_volatile : 1;
};

struct rd_sim_cell_list {
    struct rd_sim_cell_entry *entries;
    size_t n, capacity;
};

/* State of strong accesses to it. */
struct rd_sim_cell_strong {
    struct rd_sim_chain chain;
    struct rd_sim_cell_list polls; /* strong accesses that only read */
};

struct rd_sim_cell {
    uintptr_t address; /* of its first byte; 0: it is free */
    struct rd_sim_cell_list writes, reads;
    struct rd_sim_cell_strong *strong; /* NULL: there was none */
    bool are_others; /* than strong and volatile ones, among its accesses so far */
    size_t next_free;
};

struct rd_sim_cells_state {
    struct rd_sim_cell *cells; /* number 0 is none */
    size_t n_cells, capacity, first_free;
};

static inline uint64_t rd_sim_cell_record(size_t number, uint64_t init)
{
    return (uint64_t)RD_EPOCH_MAX << RD_EPOCH_SHIFT | (uint64_t)number << RD_SITE_SHIFT | init |
           RD_EXCLUSIVE;
}

static inline size_t rd_sim_cell_number(uint64_t record)
{
    return (size_t)(record >> RD_SITE_SHIFT & UINT32_MAX);
}

/* Makes a cell of the bytes that begin there. Returns its number; 0 where there is no memory, or there are too many. The
 * places of others may change. */
size_t rd_sim_cell_make(uintptr_t address);
void rd_sim_cell_free(size_t number);
/* Ends the launch: there is no memory for its cells. */
void rd_sim_cell_fail(void);

#endif
