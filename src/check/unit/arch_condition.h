// SPDX-License-Identifier: MIT
/* Conditions of the preprocessor that ask for __CUDA_ARCH__: which branch the host's compiler takes, and which the device's. */
#ifndef RD_CHECK_ARCH_CONDITION_H
#define RD_CHECK_ARCH_CONDITION_H

#include "check/source/rewrite.h"

#include <stdbool.h>
#include <stddef.h>

/* The value of __CUDA_ARCH__ for the device's code, which the headers define: include/reductio_cuda.hpp. */
#define RD_CHECK_ARCH 900

/* A branch's text, between the lines of its directives; from = NULL: none is taken. */
struct rd_check_branch {
    const char *from, *to;
};

/* #if ... #endif. */
struct rd_check_arch_group {
    const char *at, *end;                /* its first #, and behind its #endif */
    struct rd_check_branch host, device; /* what each takes */
    bool differs; /* they take different ones, for some values of other macros */
};

/* Reads the group whose # is at `at`; false where none begins there that asks for one of these words. `defined`: macros that may
 * be; of others, but for the compiler's own, it is known that they are not. */
bool rd_check_arch_group_read(struct rd_check_arch_group *group, const char *text, const char *at,
                              const struct rd_check_names *words,
                              const struct rd_check_names *defined);

#endif
