// SPDX-License-Identifier: MIT
#include "run/run_size.h"
#include "base/sized.h"
#include "reductio/version.h"

/* The size of struct rd_run in version 0.1. */
enum { FIRST_SIZE = offsetof(struct rd_run, progress) + sizeof(const struct rd_progress *) };

const struct rd_run *rd_run_of_this_version(const struct rd_run *run, struct rd_run *own,
                                            struct rd_error *error)
{
    if (run->size == sizeof *run)
        return run;
    if (rd_sized_copy(own, sizeof *own, run, run->size, FIRST_SIZE)) {
        own->size = sizeof *own;
        return own;
    }
    rd_fail(error, RD_ERROR_USAGE,
            "'size' is %zu, and reductio %s has no such run: set it to sizeof(struct rd_run)",
            run->size, rd_version());
    return NULL;
}
