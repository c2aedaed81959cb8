// SPDX-License-Identifier: MIT
/* Variables that surely are the host's alone: a kernel that is given the address of one can't access it. */
#ifndef RD_CHECK_HOST_VARIABLES_H
#define RD_CHECK_HOST_VARIABLES_H

#include <stdbool.h>
#include <stdio.h>

struct rd_check_unit;

/* Writes the strings of a section that the loader reads, each with a NUL behind it: "=n::x" is a variable outside of functions,
 * ">f x" a static one in functions f of the host's. "-x" takes back all names x, of this
 * unit and of others: there may be an x of the device's. A name that has a "-x" itself stands behind a "~". False
 * without memory. */
bool rd_check_host_variables_write(const struct rd_check_unit *unit, FILE *file);

#endif
