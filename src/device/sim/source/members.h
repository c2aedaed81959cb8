// SPDX-License-Identifier: MIT
/* The members of a struct that a kernel takes by value, from the debug information. */
#ifndef RD_SIM_SOURCE_MEMBERS_H
#define RD_SIM_SOURCE_MEMBERS_H

#include "device/files.h"

#include <stdint.h>

/* Calls `visit` for each number and each pointer in the struct that a parameter of the function is: see struct rd_file_ops.
 * None in a build without libdw. */
void rd_sim_members_visit(uintptr_t function, unsigned number,
                          void (*visit)(void *self, const char *path, size_t offset,
                                        const struct rd_file_parameter *type),
                          void *self);

#endif
