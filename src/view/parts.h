// SPDX-License-Identifier: MIT
/* The parts of the page that runs on plain values and runs on witness values share. Private to
 * src/view. */
#ifndef RD_VIEW_PARTS_H
#define RD_VIEW_PARTS_H

#include "reductio/history.h"
#include "reductio/sources.h"
#include "reductio/summary.h"
#include "reductio/trace.h"
#include "view/paint.h"

/* The sentences under the array of a step. */
struct rd_step_foot {
    const char *statement;
    uint64_t n_asserted;
    uint64_t n_unbounded;
    double widest;       /* as in the step */
    size_t n_frame;      /* dead cells that were asserted unchanged */
    unsigned unchanged;  /* inputs that were: a set of enum rd_input */
    bool frame_violated; /* of these alone one was changed: the live cells hold */
    bool bounded;        /* floats: the bound was asserted too */
    bool any_order;      /* and the bits were not */
    bool is_float;
    enum rd_verdict verdict;
};

/* "fold: n = 8, i32, values iota, 3 rounds", and what the marks mean. */
void rd_print_title(const struct rd_paint *paint, const struct rd_run *run, unsigned rounds);

/* "4 threads" of a launch, or "3 of 4 threads active" where not all have work to do. Returns text. */
enum { RD_THREADS_TEXT_SIZE = 64 };
const char *rd_threads_text(const struct rd_round *round, char text[RD_THREADS_TEXT_SIZE]);

/* Tells whether that is no kernel: the round is what the host of a recorded program does without a launch. */
bool rd_is_of_host(const char *kernel);
/* "round 1 of 3: fold, half = 4, grid 1 x block 4, 4 threads"; of a launch that was refused ", launch refused". */
void rd_print_step_head(const struct rd_paint *paint, const struct rd_round *round, unsigned rounds,
                        bool refused);

/* The line of the loop of a program that was played; 0: it was not. */
unsigned rd_played_line(const struct rd_program *program);

/* The source of the kernel, as the program launches it: one of a user's file is another than that of the library which has
 * its name, and may be that of the function in it that its loop is in. NULL: unknown, and *why (if not NULL) says why. */
const struct rd_source *rd_kernel_source(const struct rd_program *program, const char *kernel,
                                         struct rd_error *why);

/* The source that an access of the kernel stands in: the kernel's own, or a file, whole, that it calls. NULL: unknown. */
const struct rd_source *rd_access_source(const struct rd_access *access, const char *kernel);

/* The size of a grid or a block: "8", or "(3,2)". Returns text. */
enum { RD_DIMENSIONS_TEXT_SIZE = 40 };
const char *rd_dimensions_text(size_t x, unsigned y, char text[RD_DIMENSIONS_TEXT_SIZE]);

/* "round 1, block 0, s = 4: cache at the checkpoint 'sequential'". */
void rd_print_checkpoint_head(const struct rd_paint *paint, const struct rd_step *step);

/* Prints how much of the array the boxes do not show. */
void rd_print_elided(const struct rd_paint *paint, struct rd_elided elided);

void rd_print_step_foot(const struct rd_paint *paint, const struct rd_step_foot *foot);

/* The last line of a run and its result. */
struct rd_summary rd_summary_of_run(const struct rd_run *run, const struct rd_result *result);
/* The same of a replay; of an unknown type `numeric` is NULL. */
struct rd_summary rd_summary_of_replay(const struct rd_replay *replay,
                                       const struct rd_numeric *numeric);

/* The violation of a result in sentences; nothing where there is none. */
void rd_print_violation(const struct rd_paint *paint, const struct rd_run *run,
                        const struct rd_result *result);

/* Returns the way cells were asserted, for behind their number: " (bits and bound)"; "" of integers. */
enum { RD_HOW_SIZE = 64 };
const char *rd_asserted_how(const struct rd_step_foot *foot, char text[RD_HOW_SIZE]);
/* Says how floats are asserted, once for all steps: "floats: = is to the bits of …"; "" of integers. */
const char *rd_float_text(const struct rd_program *program, const struct rd_numeric *numeric);
/* The same of a frame of a history. */
struct rd_step_foot rd_frame_foot(const struct rd_history_about *about,
                                  const struct rd_frame *frame);

/* Returns the reason of the obligation's verdict at the loop's end, in the words of all views. */
enum { RD_REASON_SIZE = 192 };
const char *rd_obligation_reason(const struct rd_program *program, const struct rd_numeric *numeric,
                                 const struct rd_result *result, enum rd_obligation obligation,
                                 char text[RD_REASON_SIZE]);
/* Words for an exit of which nothing is said, in the place of its verdict; and why, if that is its reason, else NULL. */
#define RD_NOT_ASSERTED "NOT ASSERTED"
const char *rd_obligation_unasked(const char *reason);

/* "open", "HOLDS so far", "HOLDS", "VIOLATED in round 2". Returns text. */
enum { RD_STANDING_TEXT_SIZE = 48 };
const char *rd_standing_text(const struct rd_standing *standing, char text[RD_STANDING_TEXT_SIZE]);

/* "the accesses, trees and sets are those of a re-run in the simulator, which differs from the
 * trace at step 2 in A[1]: 16 in the trace, 17 in the re-run"; "" where it does not, or nobody can tell. Makes
 * the run again when it is first asked. Returns text. */
enum { RD_RERUN_TEXT_SIZE = 512 };
const char *rd_rerun_text(struct rd_history *history, char text[RD_RERUN_TEXT_SIZE]);

/* "v is a, out is A": the parameters of the round's kernel whose names differ from those of the invariant
 * and the boxes; "" where none does. Returns text. */
enum { RD_KERNEL_NAMES_SIZE = 160 };
const char *rd_kernel_names_text(const char *kernel, const struct rd_round *round,
                                 char text[RD_KERNEL_NAMES_SIZE]);

/* initialization, preservation and exit with their verdicts. */
void rd_print_obligations(const struct rd_paint *paint, const struct rd_run *run,
                          const struct rd_result *result);

/* Names the detector of hazards; prints nothing where that is the run's own device. */
void rd_print_looked(const struct rd_paint *paint, const struct rd_run *run,
                     const struct rd_result *result);

/* Tells which schedules were not tried, and what depends on them as expected; nothing where there is neither. */
void rd_print_schedules(const struct rd_paint *paint, const struct rd_result *result);

/* The origins of a value, in words. Private to src/view. */

enum { RD_ORIGIN_TEXT_SIZE = 320, RD_LINE_TEXT_SIZE = 128 };

/* "line 17", or "line 47 of ladder.h" where kernels share it. Returns text. */
const char *rd_line_text(unsigned line, const char *file, char text[RD_LINE_TEXT_SIZE]);

/* "round 1, thread 4 of block 0, line 17", "input", "round 1, register of thread 16 of block 0, …".
 * Returns text. */
const char *rd_origin_text(const struct rd_origin *node, char text[RD_ORIGIN_TEXT_SIZE]);

/* Says how much of the cell's value the tree shows: "whole: …". Returns text. */
const char *rd_origins_text(const struct rd_origins *tree, char text[RD_ORIGIN_TEXT_SIZE]);

/* The verb for an access: "reads", "updates", of an atomic, "takes", … */
const char *rd_access_verb(enum rd_access_op op);

/* Says for which inputs the verdict of a witness run is, and on what condition. `run` is the pass that was observed
 * last. Returns text. */
const char *rd_witness_text(const struct rd_run *run, const struct rd_result *result,
                            char text[RD_SENTENCE_SIZE]);

/* The steps of a witness run, put together from all its passes. */

/* Limit on the inputs of which sets are kept: n*n digits for each step. */
enum { RD_SETS_INPUTS_MAX = 256 };

struct rd_sets;

/* Gets ready for the passes of the run. NULL: out of memory. */
struct rd_sets *rd_sets_create(const struct rd_run *run, unsigned rounds);
void rd_sets_destroy(struct rd_sets *sets); /* NULL is fine */

/* Takes a step of a pass. False: out of memory. */
bool rd_sets_add(struct rd_sets *sets, const struct rd_run *run, const struct rd_step *step);

/* Prints each step once, its cells as sets of inputs. `refused` is the round whose launch was, or
 * 0. */
void rd_sets_print(const struct rd_sets *sets, const struct rd_paint *paint, unsigned refused);

#endif
