// SPDX-License-Identifier: MIT
/* Runs of clients that were compiled with headers of another version. Private. */
#ifndef RD_RUN_SIZE_H
#define RD_RUN_SIZE_H

#include "reductio/run.h"

/* The run with the members of this version: itself where it has these, else *own, made of it. NULL, with the reason, where
 * it has others. */
const struct rd_run *rd_run_of_this_version(const struct rd_run *run, struct rd_run *own,
                                            struct rd_error *error);

#endif
