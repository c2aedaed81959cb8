// SPDX-License-Identifier: MIT
/* Checks a kernel of a user's own file: compiles the file for the simulator, loads it, runs one
 * launch and tells what was found. */
#ifndef RD_CHECK_H
#define RD_CHECK_H

#include "check/expect.h"
#include "check/launches.h"
#include "check/sandbox.h"
#include "check/spec.h"
#include "device/files.h"
#include "view/results.h"

#include <jansson.h>

enum { RD_CHECK_ARGS_MAX = 64, RD_CHECK_SCHEDULES_MAX = 1000, RD_CHECK_SWEEPS_MAX = 8 };

/* "The file's own variable of this name begins so." */
struct rd_check_set {
    const char *symbol;
    size_t symbol_length;
    const char *spec;
};

struct rd_check_suppressions;
struct rd_check_sweep;

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

/* The kernel under check, with all files that its options name read. */
struct rd_check {
    const struct rd_check_options *options;
    const struct rd_device_ops *device; /* that has `files` */
    struct rd_check_spec specs[RD_CHECK_ARGS_MAX], set_specs[RD_CHECK_ARGS_MAX],
        buffer_specs[RD_CHECK_ARGS_MAX];
    struct rd_check_launch turns[RD_CHECK_LAUNCHES_MAX];
    char *step_args[RD_CHECK_ARGS_MAX];                          /* texts of their arguments */
    char names[512];                                             /* of the kernels, "k1, k2" */
    struct rd_check_buffers buffers;                             /* of the arguments */
    struct rd_check_expectation expectations[RD_CHECK_ARGS_MAX]; /* one for each of expects */
    unsigned prints[RD_CHECK_BUFFERS_MAX], n_prints;             /* buffers */
    struct rd_check_suppressions *suppressions;                  /* NULL: none */
    struct rd_check_sweep *sweep;                                /* NULL: there is one shape */
    const char *directory, *library; /* of what was compiled, and the compiled file in it */
    bool keep; /* the buffers are wanted afterwards, also where no results are compared */
    /* The same library, compiled so that local variables are looked at; NULL: they are not. */
    const char *private_library;
    /* Why local variables are not looked at, or with "not all: " in front what is left out; "" otherwise. */
    char not_private[160];
    bool is_private;                  /* the library is that one */
    bool tells_differences;           /* a hazard for each cell that differs from: */
    const struct rd_check_run *first; /* an earlier run, whose buffers are kept; or NULL */
    bool private_known; /* the first run has told what it does with them, as far as it could */
    /* The check ended before all was looked at: the runs are those that have ended. */
    bool interrupted;
};

/* ---- compile.c: from a file to a library ---- */

enum { RD_CHECK_PATH_SIZE = 512 };

/* Purpose of a build: to be run, or to look at local variables, which are filled with zeros, or otherwise; or only to hear
 * what the compiler warns of. */
enum rd_check_build {
    RD_CHECK_BUILD_PLAIN,
    RD_CHECK_BUILD_PLAIN_OTHERWISE,
    RD_CHECK_BUILD_PRIVATE,
    RD_CHECK_BUILD_PRIVATE_OTHERWISE,
    RD_CHECK_BUILD_WARNINGS,
};

/* Compiles the file into `directory`, which must exist: `library` is the path of the result. Passes
 * on what the compiler has to say, on standard error. RD_ERROR_INPUT where it refuses the file.
 * check->private_library is made on the way, its path in `private_library`, if it can be. */
enum rd_status rd_check_compile(struct rd_check *check, const char *directory,
                                char library[RD_CHECK_PATH_SIZE],
                                char private_library[RD_CHECK_PATH_SIZE], struct rd_error *error);
/* The same file once more, for something else. */
enum rd_status rd_check_compile_again(const struct rd_check *check, const char *directory,
                                      enum rd_check_build build, char library[RD_CHECK_PATH_SIZE],
                                      struct rd_error *error);
/* Removes the directory and what rd_check_compile left there. */
void rd_check_clean(const char *directory);

/* Tells whether the text is a kernel's name, "n::k", with template arguments and parameters or without,
 * "k<float, 2>(float *)", rather than any expression. */
bool rd_check_kernel_is_name(const char *text);

/* The name that a symbol of C++ stands for; the caller frees it. NULL where it is none, or nobody
 * here can tell. */
char *rd_check_demangle(const char *symbol);
/* Writes the kernel's name as a user writes it: "n::k(int*)", without namespaces that have no name. */
void rd_check_written_name(const char *symbol, char *name, size_t size);

/* ---- check.c: limits of a device ---- */

/* RD_ERROR_LAUNCH for a launch that no kernel can have; or not this one. The message starts with
 * CUDA's name for the error. */
enum rd_status rd_check_limits(const struct rd_check_options *options, struct rd_error *error);
enum rd_status rd_check_limits_kernel(const struct rd_check_options *options,
                                      const struct rd_file *file, struct rd_error *error);

/* ---- child.c, run.c: one run, in a process of its own ---- */

/* Memory that the two processes of a run share. The child may write anything into it: no size, and no address, is taken from it. */
struct rd_check_shared {
    volatile bool started; /* the kernel has been launched */
    volatile bool kept;    /* `buffers` has them */
    /* The device buffers' bytes afterwards, side by side; then, where results are expected, a byte for each of their cells: 1 where
     * the cell, of a buffer of which something is expected, is not initialised. */
    _Alignas(64) char buffers[];
};

/* Text that only a child and its parent know: a record without it was not written by what looks on. (It is in the child's
 * memory: a program that searches that has it.) */
enum { RD_CHECK_SEAL_SIZE = 33 };

/* The child: loads the file, runs the kernel and writes its record, a JSON object, to `record`:
 *   outcome   "completed", "timeout", "crash" or "failed"; "inexact": it is to be made again, exactly
 *   error     of "failed": why
 *   threads   that have begun
 *   communicates  whether they have, as in struct rd_file_state
 *   hazards   as in the report, in the order in which they were seen
 *   names     of the buffers
 *   seal      as it was given */
void rd_check_child(const struct rd_check *check, const struct rd_schedule *schedule, bool exact,
                    struct rd_check_shared *shared, const char seal[RD_CHECK_SEAL_SIZE],
                    FILE *record);

/* ---- record.c ---- */

/* A temporary file for what a child tells, by a number that no program takes by accident, as one that closes 3 or opens files.
 * NULL, with errno, where there is none. */
FILE *rd_check_record_open(void);
/* False, with errno, where there is no random number. */
bool rd_check_seal_make(char seal[RD_CHECK_SEAL_SIZE]);
/* Control characters in all texts of it become U+FFFD, but for ends of lines and tabs. */
void rd_check_calm(json_t *value);

/* How a child has ended. */
struct rd_check_end {
    int status;          /* of waitpid() */
    bool timed_out;      /* its parent has ended it */
    bool had_time;       /* as much as --timeout gives it */
    bool started;        /* the kernel was launched */
    const char *stopped; /* why the sandbox has ended it; NULL: it has not */
};

/* The record that a child has written, held against what a record is; or one that says why there is none. Control characters in its
 * texts become U+FFFD. Never NULL. */
json_t *rd_check_record(FILE *file, const struct rd_check *check,
                        const char seal[RD_CHECK_SEAL_SIZE], const struct rd_check_end *end);

struct rd_check_run {
    struct rd_schedule schedule;
    struct rd_check_shared *shared;
    size_t shared_bytes;
    json_t *record; /* what the child has told, or what is to be told of it; never NULL */
    bool exact;     /* it was an exact one */
    char *printed;  /* by the kernel; NULL: nothing */
    size_t printed_bytes;
    char *missing; /* what of the child could not be contained, and why; "": all was */
    json_t *
        difference; /* from the first run's buffers; NULL where there is none, or it was not sought */
    json_t *heap_difference;     /* from what the first has left on the device heap; likewise */
    json_t *variable_difference; /* in a variable of the file's; likewise */
    json_t *print_difference;
};

/* Runs it once: as an exact one where that is asked for, or turns out to be needed. The kernel's
 * failures are in the record; RD_ERROR_INTERRUPTED, RD_ERROR_MEMORY, RD_ERROR_IO where there is none, and nothing to
 * finish. */
enum rd_status rd_check_run_init(struct rd_check_run *run, const struct rd_check *check,
                                 const struct rd_schedule *schedule, bool exact,
                                 struct rd_error *error);
/* Blocks are interleaved in an exact launch only: random orders of threads that communicate are to try that,
 * too. */
bool rd_check_run_wants_turns(const struct rd_check_run *run, const struct rd_schedule *schedule);
void rd_check_run_finish(struct rd_check_run *run);
/* Tells whether it has come to its end, with all of its threads; and whether its threads have communicated. */
bool rd_check_run_is_complete(const struct rd_check_run *run);
bool rd_check_run_communicates(const struct rd_check_run *run);
/* Tells whether a thread of it came to no end. */
bool rd_check_run_never_ends(const struct rd_check_run *run);
/* Its buffers are not wanted any more. */
void rd_check_run_drop(struct rd_check_run *run);
/* A buffer after the run; NULL where the kernel has not come to its end. */
const char *rd_check_run_buffer(const struct rd_check_run *run, const struct rd_check *check,
                                unsigned buffer);
/* A byte for each of its cells, of a buffer of which something is expected: 1 where it is not initialised. */
const char *rd_check_run_unset(const struct rd_check_run *run, const struct rd_check *check,
                               unsigned buffer);
/* Returns where they begin in struct rd_check_shared's `buffers`; of the number of buffers, where they end. */
size_t rd_check_unset_offset(const struct rd_check *check, unsigned buffer);

/* ---- compare.c: local variables ---- */

/* Runs it again, for its local variables, and adds what is wrong with them to the run's hazards. Where they
 * can't be looked at, check->not_private says why. `seconds` is what the run has taken. */
enum rd_status rd_check_private(struct rd_check_run *run, struct rd_check *check,
                                const char *directory, double seconds, struct rd_error *error);

/* ---- run.c, compare.c, findings.c: the report on all runs ---- */

/* The report as the JSON object that `--json` prints; the other forms are made of it. `error` is
 * NULL unless something failed. `compare`: whether runs must leave the same results. */
json_t *rd_check_outcome(const struct rd_check *check, const struct rd_check_run *runs,
                         unsigned n_runs, bool compare, const char *error);
/* Names what was not looked at in a report without hazards: its result, unless that was compared with what is
 * expected of it. NULL where there is nothing to say. */
const char *rd_check_not_judged(const json_t *outcome);
/* The report on a launch that a device would refuse. */
json_t *rd_check_outcome_refused(const struct rd_check *check, const char *why);

/* Each hazard of the runs once: that of the first run that saw it, and the schedules under which it
 * was seen. */
json_t *rd_check_merge(const struct rd_check_run *runs, unsigned n_runs);

/* What kernels have asked for that changes by itself, and is the same under all schedules; NULL: nothing. */
const char *rd_check_unvaried(const struct rd_file_state *state);

/* Says so of a report, behind its last line's other parts. */
void rd_check_print_unvaried(const json_t *outcome, FILE *file);

/* Tells whether two hazards of reports are the same. Threads, values and counts may differ. */
bool rd_check_same_hazard(const json_t *x, const json_t *y);

/* Compares the buffers of a run with those of an earlier one, both complete: sets run->difference. */
void rd_check_compare_run(const struct rd_check *check, const struct rd_check_run *base,
                          struct rd_check_run *run);
/* Tells whether the runs left the same bytes in all buffers; null where fewer than two came to their
 * end. */
json_t *rd_check_compare(const struct rd_check_run *runs, unsigned n_runs);
/* The buffers next to what was expected of them. */
json_t *rd_check_compare_expected(const struct rd_check *check, const struct rd_check_run *runs,
                                  unsigned n_runs);
/* The buffer's name in findings, as far as a run has come to know it. */
json_t *rd_check_buffer_name(const struct rd_check *check, const struct rd_check_run *runs,
                             unsigned n_runs, unsigned buffer);
json_t *rd_check_schedule_json(const struct rd_check_run *run);
/* An element as in JSON: what a double would change, an infinity and a NaN are strings. */
json_t *rd_check_value(const struct rd_numeric *numeric, const void *cells, size_t index);
/* The buffers that are asked for, after the first run that came to its end; NULL without one. */
const struct rd_check_run *rd_check_run_to_print(const struct rd_check *check,
                                                 const struct rd_check_run *runs, unsigned n_runs);
/* Text; bytes that are not UTF-8 become U+FFFD. */
json_t *rd_check_text(const char *text, size_t length);

/* ---- text.c, results.c: the report written ---- */

void rd_check_print(const json_t *outcome, const struct rd_check_options *options, FILE *file);
/* The buffers that are asked for. */
void rd_check_print_buffers(const struct rd_check *check, const struct rd_check_run *runs,
                            unsigned n_runs, FILE *file);
/* Its last line. */
void rd_check_print_summary(const json_t *outcome, FILE *file);
/* Writes it in that format. RD_ERROR_MEMORY, and nothing of it. */
enum rd_status rd_check_write(const json_t *outcome, enum rd_format format, FILE *file,
                              struct rd_error *error);
/* Tries whether the file of --sarif can be written: it is left as it is, or not there. RD_ERROR_IO. */
enum rd_status rd_check_sarif_try(const char *path, struct rd_error *error);
/* Writes it; "-" is standard output, whose failure is left to whoever ends that. No file is left where
 * it fails, unless it is a device or the like. RD_ERROR_IO. */
enum rd_status rd_check_sarif_write(const json_t *outcome, const char *path,
                                    struct rd_error *error);

/* All of it. Returns the exit status. */
int rd_check(const struct rd_check_options *options);

#endif
