// SPDX-License-Identifier: MIT
/* Decides whether what a paragraph says twice is the same: the array as its start and updates make it, which a run
 * asserts, and as its law states it. */
#ifndef RD_PROGRAM_AGREEMENT_H
#define RD_PROGRAM_AGREEMENT_H

#include "reductio/program.h"

/* Refuses a program of a client's the updates of which lead to other values than its law states: at a step up to the
 * last, or at a place inside a kernel, of the first 16 blocks and the last. Both are evaluated on inputs that look
 * random, as numbers of 64 bits. Arrays and inputs of more than 2^16 elements, and laws that take long at more than
 * 32 elements, are passed over: smaller sizes decide. RD_ERROR_USAGE with the first cell, also if the law has no
 * value there; RD_ERROR_MEMORY. */
enum rd_status rd_program_check_agreement(const struct rd_program *program,
                                          const struct rd_shape *shape, struct rd_error *error);
enum rd_status rd_program_check_agreement_at(const struct rd_program *program,
                                             const struct rd_shape *shape,
                                             const struct rd_place *at, struct rd_error *error);

#endif
