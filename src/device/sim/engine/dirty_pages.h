// SPDX-License-Identifier: MIT
/* Pages of global memory that several processes have touched, each running a part of one launch on a copy
 * of it: whether the parts were independent of each other, and if so, what they have written. */
#ifndef RD_SIM_DIRTY_PAGES_H
#define RD_SIM_DIRTY_PAGES_H

#include "device/sim/engine/core.h"

#include <stdatomic.h>

/* An array, or the kernel file's own variables. The bits are one for each granule of four bytes,
 * and are shared by the processes, as what is behind them is. */
struct rd_sim_touched_region {
    uintptr_t base;
    size_t n_granules, n_words; /* of bits */
    uint64_t *shadow;
    _Atomic uint64_t *touched, *written;
    _Atomic uint64_t *partial; /* written, and not initialised as a whole: */
    uint8_t *masks;            /* which of its bytes are */
    uint32_t *content;         /* of what is written */
    uint64_t *raced; /* of this process: written, though the record does not tell; or NULL */
};

struct rd_sim_touched {
    uint64_t floor; /* records below it are not of these processes */
    struct rd_sim_touched_region *regions;
    size_t n_regions, capacity;
};

/* Before the processes part. False without memory. */
bool rd_sim_touched_init(struct rd_sim_touched *touched);
void rd_sim_touched_finish(struct rd_sim_touched *touched);

/* In each of them: these bytes have raced, and the later access alone is on record. False without
 * memory. */
bool rd_sim_touched_race(struct rd_sim_touched *touched, uintptr_t address, size_t size_bytes);
/* Its part is done: shares what it has written. False where a part has written what another has
 * touched, as one of the two finds. */
bool rd_sim_touched_share(struct rd_sim_touched *touched);

/* Once all of them have, and none has found that: makes it what memory holds. */
void rd_sim_touched_take(const struct rd_sim_touched *touched);

#endif
