// SPDX-License-Identifier: MIT
/* Vector clocks: of which other threads' accesses it is known that they came before. A clock maps
 * threads, warps and whole blocks to a bound: what they did in epochs below it is known. Clocks are
 * values: an operation makes a new one, which shares with the old ones all that is the same (big-endian
 * Patricia trees; Okasaki and Gill, "Fast Mergeable Integer Maps", 1998). NULL knows nothing. */
#ifndef RD_SIM_CLOCK_H
#define RD_SIM_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif
