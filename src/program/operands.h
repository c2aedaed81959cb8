// SPDX-License-Identifier: MIT
/* Compares what rounds pass to their kernels with what these take: see kernels/kernels.h. */
#ifndef RD_PROGRAM_OPERANDS_H
#define RD_PROGRAM_OPERANDS_H

#include "reductio/program.h"

/* Tells whether all rounds of the program, of this shape, pass what their kernels take: as many arguments, of these types,
 * and inputs as const where the round is none that spoils them. RD_ERROR_USAGE with the first that does not. */
enum rd_status rd_program_check_operands(const struct rd_program *program,
                                         const struct rd_shape *shape, struct rd_error *error);

#endif
