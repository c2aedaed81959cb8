// SPDX-License-Identifier: MIT
/* Exit statuses of the program; never 77, which test runners read as 'skipped'. */
#ifndef RD_BASE_EXIT_STATUS_H
#define RD_BASE_EXIT_STATUS_H

enum {
    RD_EXIT_HOLDS = 0,
    RD_EXIT_VIOLATED = 1, /* or a hazard, or a difference */
    RD_EXIT_FAILED = 2,   /* bad usage, or the environment failed */
    RD_EXIT_INCONCLUSIVE = 3,
    RD_EXIT_INTERRUPTED = 130, /* 128 + SIGINT */
    RD_EXIT_PIPE = 141,        /* 128 + SIGPIPE: nobody reads our output any more */
};

#endif
