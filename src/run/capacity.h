// SPDX-License-Identifier: MIT
/* Compares the memory that a run takes with what there is. The system hands memory out that it does not have, and
 * ends the process that comes to use it: so a run that is too large is refused before it begins. */
#ifndef RD_RUN_CAPACITY_H
#define RD_RUN_CAPACITY_H

#include "reductio/run.h"

/* Bytes of host memory that the run is yet to take for its arrays: those of the expectation, of the copy,
 * and of its device (NULL: none is counted); and where run->a is NULL, the inputs, too. */
double rd_memory_needed(const struct rd_run *run);

/* Bytes that this process may still take, swap counted; INFINITY where the system does not tell. */
double rd_memory_available(void);

/* RD_ERROR_MEMORY, with both figures, where a run of more than some megabytes needs more than there is.
 * The program must have accepted its shape. */
enum rd_status rd_memory_check(const struct rd_run *run, struct rd_error *error);

/* RD_ERROR_USAGE, with the reason, where cells hold indices that are too narrow for so many inputs: all ones are the index of
 * nothing. */
enum rd_status rd_memory_check_indices(const struct rd_numeric *numeric, size_t n_inputs,
                                       struct rd_error *error);

#endif
