// SPDX-License-Identifier: MIT
/* What tools/sources.py makes of the source tree. Private. */
#ifndef RD_SOURCES_TABLE_H
#define RD_SOURCES_TABLE_H

#include "names.h"
#include "sources.h"

/* A function of a claim of the program that it is named by. */
struct rd_claim_source {
    struct rd_source source;
    enum rd_point point; /* RD_POINT_COUNT: after a round */
};

/* The last of each has no name. */
extern const struct rd_source rd_kernel_sources[];
extern const struct rd_source rd_invariant_sources[];
extern const struct rd_source rd_file_sources[]; /* of kernels, whole; named by their paths */
extern const struct rd_claim_source rd_claim_sources[];

#endif
