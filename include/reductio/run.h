// SPDX-License-Identifier: MIT
/* The driver: launches a program round by round, copies the array back, asserts the invariant and
 * tells its observers.
 *
 *     #include <reductio/reductio.h>
 *     #include <stdio.h>
 *
 *     int main(void)
 *     {
 *         struct rd_error error;
 *         struct rd_values values;
 *         struct rd_result result;
 *         struct rd_run run = {0};
 *         run.program = rd_program_named("fold");
 *         run.numeric = rd_numeric(RD_TYPE_I32);
 *         if (rd_values_init(&values, run.numeric, "iota", 8, 0, false, &error) != RD_OK ||
 *             rd_device_open("sim", &run.device, NULL, &error) != RD_OK)
 *             return 1;
 *         run.n = values.n;
 *         run.a = values.a;
 *         if (rd_run(&run, NULL, &result, &error) == RD_OK)
 *             printf("%s, %u hazards\n", rd_verdict_name(result.verdict), result.hazards);
 *         rd_device_close(run.device);
 *         rd_values_finish(&values);
 *         return 0;
 *     }
 *
 * Thread safety: calls that use devices of their own may be made at once, on any threads; device.h says
 * what devices share. */
#ifndef RD_RUN_H
#define RD_RUN_H

#include "device.h"
#include "evidence.h"
#include "premise.h"
#include "program.h"

#include <signal.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum rd_verdict { RD_HOLDS, RD_VIOLATED, RD_INCONCLUSIVE };

/* "HOLDS", "VIOLATED", "INCONCLUSIVE". */
const char *rd_verdict_name(enum rd_verdict verdict);
/* Looks a verdict up by its name; false if there is none of that name. */
bool rd_verdict_named(const char *name, enum rd_verdict *verdict);

enum rd_obligation { RD_INITIALIZATION, RD_PRESERVATION, RD_EXIT, RD_OBLIGATION_COUNT };

/* "initialization", "preservation", "exit". */
const char *rd_obligation_name(enum rd_obligation obligation);

enum rd_violation_kind {
    RD_VIOLATION_BITS,  /* a live cell does not hold what the invariant says */
    RD_VIOLATION_BOUND, /* a live float cell lies outside the bound */
    RD_VIOLATION_FRAME, /* a dead cell was changed */
    RD_VIOLATION_GOAL,  /* the loop has ended, and the goal is not reached */
};

/* "bits", "bound", "frame", "goal". */
const char *rd_violation_kind_name(enum rd_violation_kind kind);
/* Looks a kind up by its name; false if there is none of that name. */
bool rd_violation_kind_named(const char *name, enum rd_violation_kind *kind);

/* The evidence: data, not an error. */
struct rd_violation {
    enum rd_violation_kind kind;
    unsigned step;
    bool inside;           /* at a checkpoint inside the step's kernel: */
    struct rd_place place; /* this one */
    const char *array;     /* what the array is called; NULL: "A" */
    const char *variable;  /* at a checkpoint: what place.variable is called */
    size_t cell;           /* array index */
    rd_bits expected;      /* what the invariant, the frame or the goal says */
    rd_bits actual;
    /* For an operation that selects, whose cells are indices: the arithmetic of the inputs, and the inputs there. */
    const struct rd_numeric *of_inputs; /* NULL: of none */
    rd_bits expected_input, actual_input;
    bool expected_is_input, actual_is_input; /* its index is one */
    size_t count; /* of BITS and BOUND: live cells of the step that are wrong in this way; else 1 */
    size_t dead;  /* dead cells that were changed, if they are asserted */
    struct rd_deviation deviation; /* of the cell; floats with a bound only, else all 0 */
    struct rd_outcome outcome;     /* of a goal that is a number; name NULL: it is a cell's */
};

/* Writes the expected and the actual value of the cell, as rd_cell_text does. */
void rd_violation_values(const struct rd_violation *violation, const struct rd_numeric *numeric,
                         char expected[RD_VALUE_TEXT_SIZE], char actual[RD_VALUE_TEXT_SIZE]);

/* Faults on purpose, which show the obligation that fails, and where it fails first. */
enum rd_break_kind {
    /* A[cell] is `value` from the step on, as if its round had written it; at step 0, the array starts with it. */
    RD_BREAK_CELL,
    RD_BREAK_THREAD, /* that thread of the round's launch does not run */
    /* The threads of the round's launch pass their barrier of that number without waiting; __syncthreads() and its
     * forms are counted, thread by thread. */
    RD_BREAK_BARRIER,
};

struct rd_break {
    size_t size; /* sizeof(struct rd_break), or 0. Of an array, another size is RD_ERROR_USAGE */
    enum rd_break_kind kind;
    unsigned step;    /* whose round it is; 0 for a cell only */
    size_t cell;      /* RD_BREAK_CELL: index in A, */
    rd_bits value;    /* and what it holds */
    uint64_t block;   /* RD_BREAK_THREAD: linear in the grid, */
    unsigned thread;  /* linear in its block */
    unsigned barrier; /* RD_BREAK_BARRIER: 1 for the first */
};

/* Devices that may look for hazards. */
enum rd_hazards_by {
    RD_HAZARDS_BY_SIM, /* the simulator: as the run's device or, where that does not look, beside it */
    /* None: only those that show by themselves are found, as an illegal launch, a kernel that does not end or that
     * the device stops, and a stale ticket. */
    RD_HAZARDS_BY_NOBODY,
    RD_HAZARDS_BY_SANITIZER, /* CUDA's compute-sanitizer, before the run */
    /* None, either: the rounds are parts of one launch, of whose hazards its own run tells. */
    RD_HAZARDS_BY_LAUNCH,
};

/* "sim", "off", "sanitizer", "launch". */
const char *rd_hazards_by_name(enum rd_hazards_by by);
/* Tells whether hazards of the rounds were looked for: where not, that none were found says nothing. */
bool rd_hazards_looked_for(enum rd_hazards_by by);
/* Looks a device up by its name here; false if there is none of that name. */
bool rd_hazards_by_named(const char *name, enum rd_hazards_by *by);

/* Activities of a run, to be shown while it goes on. */
enum rd_activity {
    RD_ACTIVITY_PREPARING,  /* the array as it must be, and the device's memory */
    RD_ACTIVITY_SIMULATING, /* the rounds in the simulator, which looks for hazards */
    RD_ACTIVITY_COPYING,    /* the inputs to the device */
    RD_ACTIVITY_LAUNCHING,  /* a round */
    RD_ACTIVITY_ASSERTING,  /* what was copied back */
};

/* A subscriber to what a run is doing. */
struct rd_progress {
    size_t size; /* sizeof(struct rd_progress), or 0: see struct rd_run */
    void *self;  /* passed on to `tell` */
    /* Required. Called as each activity begins, on the thread that called rd_run, which it holds up. `round` is
     * the number of the round, from 1; 0 before the first. `rounds` is how many there are. */
    void (*tell)(void *self, enum rd_activity activity, unsigned round, unsigned rounds);
    /* Optional. Called before the run of each pass, numbered from 1, with what its inputs are: "on witness values". */
    void (*pass)(void *self, const char *values, size_t pass, size_t passes);
};

/* A hazard of a run: a fault in an execution, whatever its result. */
struct rd_hazard {
    enum rd_hazard_kind kind;
    /* rd_hazard_name(kind); of RD_HAZARD_UNKNOWN what the trace calls it. NULL of those that are given to a run,
     * which sets it. */
    const char *name;
    unsigned step;                    /* of the round in which it happened */
    const char *message;              /* one sentence, or a few */
    const struct rd_finding *finding; /* of who looked; NULL of what showed by itself */
};

/* The description of a run; constant during the run. The caller keeps all of it, and begins with zeros: a member that
 * is 0 or NULL is absent.
 *
 * `size` lets later versions of the library add members behind these: members that an older client lacks count as 0. A
 * library that is older than its client takes a run in which the members that it doesn't know are 0, and refuses any
 * other, RD_ERROR_USAGE. The same goes for all structs of this library that begin with their size. */
struct rd_run {
    size_t size; /* sizeof(struct rd_run); 0 stands for as many members as version 0.1 has */
    const struct rd_program *program;
    const struct rd_numeric *numeric;
    size_t n;                 /* the size of the problem, at least 1 */
    const void *a;            /* elem[], as many as rd_program_inputs says: n, mostly */
    const void *b;            /* likewise; NULL where the program has no second input */
    const char *values;       /* the value spec that a and b came from, for people and traces */
    unsigned block;           /* threads a block, or at most; 0: the program's default */
    size_t grid;              /* blocks, where the program takes a number of them; 0: its default */
    bool frame;               /* copy and assert dead cells too, at every step */
    struct rd_device *device; /* open */
    size_t pass, passes;      /* witness values: this pass of so many, 1-based; else 0 */
    unsigned digit_bits;      /* witness values: bits a digit; else 0 */
    struct rd_blocks blocks;  /* whose checkpoints are observed */
    bool go_on;               /* make the remaining rounds also after a violated step */
    /* Under how many schedules a launch whose threads communicate is tried, from 1, the first alone, to
     * RD_SCHEDULES_MAX; 0 stands for RD_SCHEDULES_TRIED. A device that can't choose its schedule takes its own. */
    unsigned n_schedules;
    bool expect_nondeterminism; /* what depends on the schedule is no hazard */
    /* A device that does not look for hazards is accompanied by the simulator: it makes the same rounds
     * first, on the same inputs or, where that would take long, on the first of them. */
    enum rd_hazards_by hazards_by;
    /* RD_HAZARDS_BY_SANITIZER: what it has found, each in the round `step` of this run, from 1. The caller's, until
     * rd_run returns; NULL where n_given is 0. Else unused. */
    const struct rd_hazard *given;
    unsigned n_given;
    /* Optional: what goes wrong on purpose. A cell on any device; threads and barriers in the
     * simulator only. A run with a broken cell is not explained by witness values: what was put in
     * is no input. */
    const struct rd_break *breaks;
    unsigned n_breaks;
    const volatile sig_atomic_t *interrupted; /* optional: non-zero asks the run to stop */
    const struct rd_progress *progress;       /* optional */
    /* Optional: the hazard, as "data race at fold.cu:12", that has left memory to chance, but is of no round of the run.
     * What holds then holds as the run went, and each obligation that does is INCONCLUSIVE. */
    const char *undefined_by;
};

/* The shape of the run's launches, with the program's defaults filled in. */
struct rd_shape rd_run_shape(const struct rd_run *run);

/* The blocks whose checkpoints the run observes: all, where it names none. */
struct rd_blocks rd_run_blocks(const struct rd_run *run);

/* A step, as observers see it. Pointers are valid during the call only. */
struct rd_step {
    unsigned number;              /* 0: before the first round */
    const struct rd_round *round; /* NULL at step 0 */
    /* At a checkpoint inside the round's kernel: its place, and the array there, which all members below are then
     * about; else NULL. */
    const struct rd_place *place;
    const struct rd_point_invariant *point;
    uint32_t present;      /* of a warp: the lanes that came */
    const char *statement; /* the law's sentence; NULL at a checkpoint: see rd_step_statement */
    struct rd_claim claim;
    /* The state: with `whole` all n cells; otherwise the claim's live cells only, compactly. */
    const void *cells;
    size_t n_cells;
    bool whole;
    const struct rd_expect *expect; /* the array as it must be at this step */
    enum rd_verdict verdict;
    size_t n_asserted;  /* live cells asserted */
    size_t n_unbounded; /* floats: of these, cells for which the bound says nothing */
    double widest;      /* floats that were added in any order: the widest bound of a cell, or 0 */
    /* Inputs that were looked at after the round and found unchanged: a sum of enum rd_input */
    unsigned unchanged;
    const struct rd_violation *violation; /* NULL unless verdict is RD_VIOLATED */
    /* With `whole`, [n_cells]: 0 of a cell whose value nobody has copied back. NULL: all are known. */
    const unsigned char *known;
};

/* Returns the step's sentence: step->statement or, at a checkpoint, the program's law there, written into `text`. It is
 * written on demand, as there may be many checkpoints, and few sentences that somebody reads. */
const char *rd_step_statement(const struct rd_step *step, const struct rd_program *program,
                              const struct rd_shape *shape, enum rd_operation operation,
                              char text[RD_STATEMENT_SIZE]);

/* Returns the verdict on a run with the hazard: VIOLATED, or INCONCLUSIVE if it only says that something was not looked
 * at. */
enum rd_verdict rd_hazard_verdict(enum rd_hazard_kind kind);

enum { RD_ACCEPTED_SIZE = 512, RD_UNLOOKED_SIZE = 256, RD_UNDEFINED_SIZE = 256 };

/* The part of a run that its trace doesn't show, so that it can't be asserted again. */
enum rd_unseen {
    RD_UNSEEN_NOTHING,
    RD_UNSEEN_INPUTS, /* that can't be generated from their spec */
    RD_UNSEEN_CELLS,  /* cut out of a checkpoint, or added in any order */
};

struct rd_result {
    /* Of the run: VIOLATED with a hazard; never HOLDS if it was stopped, or if checkpoints were lost. */
    enum rd_verdict verdict;
    /* In a run that was stopped, an obligation that holds so far is INCONCLUSIVE if rounds or passes are missing. */
    enum rd_verdict obligations[RD_OBLIGATION_COUNT];
    unsigned steps;            /* steps asserted, checkpoints not counted */
    uint64_t checkpoints;      /* asserted */
    bool truncated;            /* there were more checkpoints than the device had room for */
    bool missing;              /* some documented checkpoint was reached by no thread */
    struct rd_outcome outcome; /* of a program that ends with a number; name NULL: of none */
    uint64_t cells;            /* live cells asserted, over all steps */
    unsigned hazards;
    bool undefined; /* the result of a hazard's round is undefined: see rd_hazard_undefines */
    /* The device that looked for hazards; NOBODY also if the simulator could not: */
    enum rd_hazards_by hazards_by;
    char unlooked[RD_UNLOOKED_SIZE]; /* the reason; or "" */
    /* The n on which the simulator accompanied the run; 0: the device itself looked, or nobody */
    size_t hazards_n;
    size_t hazards_grid; /* number of blocks of that run, if this run has more; else 0 */
    /* Least number of schedules under which a launch whose threads communicate was tried, and the reason why there were
     * no more, or "". 0: there was no such launch, or the device can't choose its schedule. */
    unsigned n_schedules;
    char untried[160];
    char accepted[RD_ACCEPTED_SIZE]; /* cells that depended on the schedule, as expected; or "" */
    bool violated;                   /* `violation` is set */
    struct rd_violation violation;   /* the first */
    bool explained;                  /* `evidence` is set */
    struct rd_evidence evidence;
    struct rd_premise premise; /* of a witness run */
    bool interrupted;          /* stopped before its end, on request */
    bool failed;               /* stopped by an error: the result covers the steps until then */
    enum rd_unseen unseen;     /* RD_UNSEEN_NOTHING for a run; set for a trace */
    char undefined_by[RD_UNDEFINED_SIZE]; /* as the run has it, perhaps cut; or "" */
};

/* A subscriber to a run, the caller's; it begins as zeros, as every member is optional. It may make runs of its own on
 * devices of its own; but at a checkpoint, while a round is under way, the simulator refuses to launch another on the same
 * thread, RD_ERROR_USAGE. Its functions return, and don't leave by longjmp(). A status other than RD_OK ends the run with
 * that status. `end` is called once for each `begin` that succeeded, also when the run fails or is interrupted. */
struct rd_observer {
    size_t size; /* sizeof(struct rd_observer), or 0: see struct rd_run */
    void *self;
    enum rd_status (*begin)(void *self, const struct rd_run *run, struct rd_error *error);
    enum rd_status (*step)(void *self, const struct rd_run *run, const struct rd_step *step,
                           struct rd_error *error);
    enum rd_status (*hazard)(void *self, const struct rd_run *run, const struct rd_hazard *hazard,
                             struct rd_error *error);
    enum rd_status (*end)(void *self, const struct rd_run *run, const struct rd_result *result,
                          struct rd_error *error);
};

/* Runs the program until its end or, unless run->go_on, its first violated step. `observers` is
 * NULL-terminated; NULL: none.
 *
 * A violation is explained by a re-run with witness values, if it shows again in that.
 *
 * RD_OK: *result is the outcome, violated or not. RD_ERROR_USAGE: the run, an observer or a break is of another size; program,
 * numeric, device, or an input that the program takes, is NULL; the program refuses n; a member is no value of its
 * enumeration, or larger than its limit; the block is illegal, there are more schedules than RD_SCHEDULES_MAX, or a
 * break names a step, cell, thread or barrier that does not exist. RD_ERROR_INTERRUPTED: *result covers the steps until
 * then. RD_ERROR_DEVICE, RD_ERROR_MEMORY, or the status of an observer. *result is untouched after any other error. */
enum rd_status rd_run(const struct rd_run *run, const struct rd_observer *const *observers,
                      struct rd_result *result, struct rd_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
