// SPDX-License-Identifier: MIT
/* What a short run (RD_TEST_SHORT) has of a sweep. */
#ifndef RD_SHORT_RUN_H
#define RD_SHORT_RUN_H

#include <stdlib.h>

/* The step by which to go through the cases of a sweep: 1, but in a short run `step`. */
static inline unsigned short_run_step(unsigned step)
{
    return getenv("RD_TEST_SHORT") ? step : 1;
}

#endif
