// SPDX-License-Identifier: MIT
/* Checks a kernel of a user's own file: compiles the file for the simulator, loads it, runs one
 * launch and tells what was found. */
#ifndef RD_CHECK_H
#define RD_CHECK_H

#include "check/kernel/expect.h"
#include "check/kernel/spec.h"
#include "check/options.h"
#include "check/unit/launches.h"
#include "device/files.h"
#include "view/results.h"

#include <jansson.h>

struct rd_check_suppressions;
struct rd_check_sweep;

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

/* ---- check.c: limits of a device ---- */

/* RD_ERROR_LAUNCH for a launch that no kernel can have; or not this one. The message starts with
 * CUDA's name for the error. */
enum rd_status rd_check_limits(const struct rd_check_options *options, struct rd_error *error);
enum rd_status rd_check_limits_kernel(const struct rd_check_options *options,
                                      const struct rd_file *file, struct rd_error *error);

/* ---- symbols.c: the file's own variables, __device__, __constant__ and __managed__, in place of the host's code ---- */

/* Gives the loaded file's variables what --set says, and makes what host code would set, and nobody has
 * given, uninitialised. Simulated memory must be there. RD_ERROR_USAGE, RD_ERROR_MEMORY. */
enum rd_status rd_check_symbols_set(const struct rd_check *check, struct rd_device *device,
                                    const struct rd_file *file, struct rd_check_memories *memories,
                                    struct rd_error *error);

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

/* ---- outcome.c, compare.c: the report on all runs ---- */

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

/* A hazard that no device knows: it has happened once, and at no
 * place. */
struct rd_finding rd_check_hazard(const struct rd_check *check, enum rd_hazard_kind kind,
                                  const char *message);

/* The same in JSON, from its first sentence. */
json_t *rd_check_hazard_json(const struct rd_check *check, enum rd_hazard_kind kind,
                             const char *text);

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

/* ---- differences: compare.c, variables.c ---- */

/* Says what a difference of the device heap is, in a clause. */
void rd_check_heap_difference_text(const json_t *difference, char *text, size_t size);

/* What the launch has left in the file's variables, of the child: {"name": {...}}. Pointers are not among them. */
json_t *rd_check_variables_json(struct rd_device *device);
/* The first variable that the runs have left otherwise, best one of numbers; NULL: none. */
json_t *rd_check_variable_difference(const struct rd_check_run *base,
                                     const struct rd_check_run *run);
/* Tells whether it is known to be a difference of numbers, not perhaps of addresses or padding. */
bool rd_check_is_of_values(const json_t *difference);
void rd_check_variable_difference_text(const json_t *difference, char *text, size_t size);

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
