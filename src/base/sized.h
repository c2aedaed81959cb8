// SPDX-License-Identifier: MIT
/* Structs that callers fill, and whose first member is their size where the caller was compiled: so the library may add
 * members behind the others. */
#ifndef RD_BASE_SIZED_H
#define RD_BASE_SIZED_H

#include "reductio/status.h"

#include <stdbool.h>
#include <stddef.h>

/* RD_ERROR_USAGE with the struct's name, "run" of struct rd_run, where it isn't. */
enum rd_status rd_sized_check(const void *given, size_t size_here, size_t first, const char *name,
                              struct rd_error *error);

/* Copies a struct of `size` bytes, 0 standing for `first`, as many as it had in version 0.1, to one of `size_here`: what it
 * lacks is 0. False where it is smaller than `first`, or has members that are unknown here and not 0. */
bool rd_sized_copy(void *to, size_t size_here, const void *from, size_t size, size_t first);

#endif
