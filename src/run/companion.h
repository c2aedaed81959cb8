// SPDX-License-Identifier: MIT
/* The simulator beside a run on a device that does not look for hazards: it makes the same rounds before the
 * run does, and what it finds is told with the rounds of the run. Private to the driver. */
#ifndef RD_RUN_COMPANION_H
#define RD_RUN_COMPANION_H

#include "reductio/hazards.h"
#include "reductio/run.h"

struct rd_companion {
    enum rd_hazards_by by;           /* who looked */
    char unlooked[RD_UNLOOKED_SIZE]; /* why nobody has, though the simulator was to; or "" */
    struct rd_shape shape;           /* of the simulator's run; n is 0 where it made none */
    struct rd_result result;         /* likewise */
    const struct rd_hazard *hazards; /* `step` is the round of the accompanied run, */
    size_t n_hazards;
    struct rd_companion_memory *memory; /* and this is where they are kept */
};

/* Looks for hazards as the run asks: where its device does so itself, or nobody is to, there is nothing to
 * do. That the simulator could not is no error, but is `unlooked`. RD_ERROR_MEMORY. */
enum rd_status rd_companion_init(struct rd_companion *companion, const struct rd_run *run,
                                 struct rd_error *error);
void rd_companion_finish(struct rd_companion *companion);

/* Tells whether that hazard was found in the round. */
bool rd_companion_found(const struct rd_companion *companion, unsigned round,
                        enum rd_hazard_kind kind);
/* Where the device has stopped the kernel of this round, in words: the device can't say it, who has looked can. */
void rd_companion_place(const struct rd_companion *companion, unsigned round, char *text,
                        size_t size);

/* The shape of the simulator's run: that of `run`, or a smaller one, of at most RD_COMPANION_WORK_MAX accesses
 * or so, which ends as it does. False where the program takes none that is small enough. */
bool rd_companion_shape(const struct rd_run *run, struct rd_shape *shape);

/* Accesses that the simulator makes in a second, about. Where threads communicate it keeps more of each. */
enum { RD_COMPANION_WORK_MAX = 3 << 20 };

#endif
