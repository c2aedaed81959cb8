// SPDX-License-Identifier: MIT
/* The right programs, for tests that go through their laws. */
#ifndef RD_TEST_LAWS_H
#define RD_TEST_LAWS_H

#include "reductio/program.h"

/* The k-th of them; NULL behind the last. */
static inline const struct rd_program *right_program(size_t k)
{
    for (const struct rd_program *const *program = rd_programs; *program; program++)
        if (!rd_program_is_fault(*program) && k-- == 0)
            return *program;
    return NULL;
}

static inline size_t count_right_programs(void)
{
    size_t count = 0;
    while (right_program(count))
        count++;
    return count;
}

#endif
