// SPDX-License-Identifier: MIT
/* The kernel launches of a file, `k<<<g, b>>>(x)`, which are no C++. */
#ifndef RD_CHECK_LAUNCHES_H
#define RD_CHECK_LAUNCHES_H

#include "check/edits.h"
#include "check/functions.h"

/* How many of them are of the kernel, and how many stand in the device's code. */
struct rd_check_launches {
    unsigned of_kernel, on_device;
};

/* Makes C++ of them: of one in the device's code a call that launches, of one in the host's, which
 * never runs, a call that does nothing. `kernel` is a name, which may have namespaces and template
 * arguments: neither is compared. */
struct rd_check_launches rd_check_launches_replace(struct rd_check_edits *edits, const char *text,
                                                   const struct rd_check_functions *functions,
                                                   const char *kernel);

#endif
