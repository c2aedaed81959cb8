// SPDX-License-Identifier: MIT
/* Options of `check`, and those that `run FILE.cu` has, too. */
#ifndef RD_CHECK_OPTIONS_H
#define RD_CHECK_OPTIONS_H

#include "check/sandbox/sandbox.h"
#include "device/files.h"
#include "view/results.h"

enum {
    RD_CHECK_ARGS_MAX = 64,
    RD_CHECK_SCHEDULES_MAX = 1000,
    RD_CHECK_SWEEPS_MAX = 8,
    RD_CHECK_LAUNCHES_MAX = RD_FILE_STEPS_MAX,
    RD_CHECK_PATH_SIZE = 512
};

/* "The file's own variable of this name begins so." */
struct rd_check_set {
    const char *symbol;
    size_t symbol_length;
    const char *spec;
};

struct rd_check_launch;

/* Options of `check` and of `run FILE.cu`: how a file's code is run, and how that is told. */
struct rd_check_common_options {
    uint64_t seed, steps;
    unsigned jobs; /* processes that share the blocks of a launch; 0: the subcommand's default */
    unsigned timeout_s, max_errors;
    struct rd_sandbox_options sandbox; /* of the processes that run the file's code */
    bool quiet, json;
    enum rd_format format; /* of a document on standard output, in place of text */
    bool one_line;         /* a hazard is one line, however long; else it is laid out */
    unsigned width;        /* in so many columns */
};

struct rd_check_options {
    struct rd_check_common_options common;
    const char *device;        /* its name, or "auto": the first that runs files */
    const char *file, *kernel; /* a kernel of NULL: the host's code runs, too */
    bool lists;                /* the file's kernels are listed, and none is run */
    struct rd_index3 grid, block;
    /* A launch's shape as expressions of a sweep's names; NULL: not swept. */
    const char *grid_text, *block_text, *shared_text;
    const char *sweeps[RD_CHECK_SWEEPS_MAX]; /* "n=1..100" */
    unsigned n_sweeps;
    size_t shared_bytes, heap_bytes;     /* a heap of 0: the default */
    const char *args[RD_CHECK_ARGS_MAX]; /* specs */
    unsigned n_args;
    /* Texts of launches that run in turn, in place of all above but `file`; and the launches as they are read. */
    const char *launches[RD_CHECK_LAUNCHES_MAX];
    unsigned n_launches;
    const struct rd_check_launch *turns;
    unsigned n_turns;
    const char *buffers[RD_CHECK_ARGS_MAX]; /* "NAME=SPEC", that arguments point into */
    unsigned n_buffers;
    const char *const *compiler_args; /* NULL-terminated: -D, -I, -std */
    /* One run, in this order; or one in each order; or so many under schedules in turn, whose results are
     * compared; or, of 0, as many as RD_SCHEDULES_TRIED where threads communicate, and else one. */
    bool compile_only; /* nothing is run, and `kernel` may be NULL */
    bool one_order, all_orders;
    enum rd_order order;
    unsigned n_schedules;
    bool expect_nondeterminism; /* the results may differ */
    bool private_memory;        /* local variables are looked at, too */
    bool fmad; /* a product and a sum of floats are rounded once, as nvcc's default has it */
    const char *sarif;                     /* a file, "-" for standard output, or NULL */
    const char *prints[RD_CHECK_ARGS_MAX]; /* buffers, by index or name */
    unsigned n_prints;
    bool print_all;
    const char *expects[RD_CHECK_ARGS_MAX]; /* "1=@FILE", "1=sum(0)" */
    unsigned n_expects;
    const char *tolerance;    /* a number; NULL: the bound */
    const char *suppressions; /* a file; NULL: none */
    struct rd_check_set sets[RD_CHECK_ARGS_MAX];
    unsigned n_sets;
    /* Optional: told each second of a run that takes several, and, with NULL, that it is over. */
    void (*progress)(void *self, const char *text);
    void *progress_self;
};

#endif
