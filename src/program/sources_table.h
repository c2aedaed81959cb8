// SPDX-License-Identifier: MIT
/* The table that tools/sources.py makes of the source tree. Private. */
#ifndef RD_PROGRAM_SOURCES_TABLE_H
#define RD_PROGRAM_SOURCES_TABLE_H

#include "reductio/sources.h"

/* The last of each has no name. */
extern const struct rd_source rd_kernel_sources[];
extern const struct rd_source rd_invariant_sources[];
extern const struct rd_source rd_file_sources[]; /* of kernels, whole; named by their paths */

#endif
