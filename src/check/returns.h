// SPDX-License-Identifier: MIT
/* The returns of a file's kernels. */
#ifndef RD_CHECK_RETURNS_H
#define RD_CHECK_RETURNS_H

#include "check/edits.h"
#include "check/functions.h"

/* Has each return of a kernel tell that the thread goes: who waits at a barrier wants to know why others
 * don't come. */
void rd_check_returns_replace(struct rd_check_edits *edits, const char *text,
                              const struct rd_check_functions *functions);

#endif
