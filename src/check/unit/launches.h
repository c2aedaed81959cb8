// SPDX-License-Identifier: MIT
/* Several launches in turn, "k <<<4, 256>>> (x, n)" each, that see what those before them have written. */
#ifndef RD_CHECK_LAUNCHES_H
#define RD_CHECK_LAUNCHES_H

#include "device/files.h"
#include "reductio/status.h"

#include <stdio.h>

struct rd_check_launch {
    char *kernel;
    struct rd_index3 grid, block;
    size_t shared_bytes;
    unsigned first, n_args; /* its arguments, among all */
};

/* Reads it; its arguments go behind the `n_args` that there are. RD_ERROR_USAGE, RD_ERROR_MEMORY; the caller finishes it in
 * either case. */
enum rd_status rd_check_launch_init(struct rd_check_launch *launch, const char *text, char **args,
                                    unsigned args_max, unsigned *n_args, struct rd_error *error);
void rd_check_launch_finish(struct rd_check_launch *launch);

/* Writes the C++ that launches them. */
void rd_check_launches_write(const struct rd_check_launch *launches, unsigned n, bool tells_returns,
                             FILE *file);

#endif
