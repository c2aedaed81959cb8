// SPDX-License-Identifier: MIT
/* The file's own variables, __device__, __constant__ and __managed__, in place of the host's code. */
#ifndef RD_CHECK_SYMBOLS_H
#define RD_CHECK_SYMBOLS_H

#include "check/check.h"

/* Gives the loaded file's variables what --set says, and makes what host code would set, and nobody has
 * given, uninitialised. Simulated memory must be there. RD_ERROR_USAGE, RD_ERROR_MEMORY. */
enum rd_status rd_check_symbols_set(const struct rd_check *check,
                                    const struct rd_check_module *module, struct rd_error *error);

#endif
