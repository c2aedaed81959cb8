// SPDX-License-Identifier: MIT
/* Hands the checkpoints of a launch over. A block's are collected while it runs, and told when it
 * is over, in the order of their numbers. */
#ifndef RD_SIM_WATCH_H
#define RD_SIM_WATCH_H

#include "reductio/device.h"

/* Starts to observe a launch of so many blocks of so many threads; NULL ends it. `elem_bytes` is
 * the size of the kernel's elements: other arrays are passed over. */
void rd_sim_watch_begin(struct rd_watch *watch, size_t blocks, unsigned threads, size_t elem_bytes);
/* The block is over. */
void rd_sim_watch_block(uint64_t block);
/* Ends it. What the watch was told returned this. */
enum rd_status rd_sim_watch_end(void);

#endif
