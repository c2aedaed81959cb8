// SPDX-License-Identifier: MIT
/* One run of a user's program by `reductio run`, in a process of its own, and what its results say of the annotations. */
#ifndef RD_PROVE_REPLAY_RUN_H
#define RD_PROVE_REPLAY_RUN_H

#include "reductio/status.h"

#include <signal.h>
#include <stdbool.h>

enum { RD_REPLAY_RUN_S = 20 }; /* after which a run is ended */

struct rd_replay_run {
    bool is_whole; /* it came to its end, and wrote its results */
    bool fails;    /* an annotation is violated, or there is a hazard, and not leaks alone */
    bool
        is_outside; /* the program's numbers are none that it requires: no claim is of this run, and it doesn't fail */
    bool crashes_alone; /* its host code was ended by a signal, and nothing else fails */
    bool has_rounds;    /* a loop with an invariant was run */
    /* Where it fails: the annotation, or the hazard, with what is wrong, and the verdict on the run; owned. */
    char *what, *summary;
};

/* Runs "reductio run FILE.cu ...", whose words end with NULL, with its results as JSON. Where a program returns another exit
 * status than 0, or does not free what it allocates, that is no claim of its annotations: it does not fail by it.
 *
 * RD_ERROR_INTERRUPTED: `interrupted`, which may be NULL, was set. RD_ERROR_IO: there is no temporary file.
 * RD_ERROR_MEMORY. */
enum rd_status rd_replay_run(struct rd_replay_run *run, const char *const *words,
                             const volatile sig_atomic_t *interrupted, struct rd_error *error);

void rd_replay_run_finish(struct rd_replay_run *run);

#endif
