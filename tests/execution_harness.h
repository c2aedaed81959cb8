// SPDX-License-Identifier: MIT
/* Harness of the tests of symbolic execution: kernels of a few lines, and what was made of them. */
#ifndef RD_TEST_EXECUTION_HARNESS_H
#define RD_TEST_EXECUTION_HARNESS_H

#include "prove/kernel/execution.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

/* Set the flags, else 0, before execute(). */
struct run {
    struct rd_terms *terms;
    struct rd_syntax_unit *unit;
    struct rd_execution execution;
    struct rd_prove_array A, a, p, ticket;
    /* The kernel is k(a, A, p, ticket, n), where p is scratch memory; with b = blockIdx.x. */
    bool has_scratch;
    bool has_rows;            /* a block is T x T threads */
    bool counts, has_squares; /* elements of `a` are counted, and products of two */
    rd_term units[RD_PROVE_INPUTS_MAX], again[RD_PROVE_INPUTS_MAX];
};

/* Executes a kernel k(a, A, n) of that body, with what stands before it. */
void execute(struct run *run, const char *before, const char *body);
void finish(struct run *run);
void assert_refused(const char *before, const char *body, const char *reason);
void assert_requires(const char *body, const char *what);
/* The condition of the first requirement of that name. */
rd_term required(const struct run *run, const char *what);
void assert_says(rd_term term, const char *words);
/* The value that is written to A, the first time. */
rd_term written(const struct run *run);
void assert_writes(const char *before, const char *body, const char *words);

#endif
