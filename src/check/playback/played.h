// SPDX-License-Identifier: MIT
/* A run of a user's whole program, as it was recorded: its annotations are asserted of it, each annotated loop as a program
 * whose rounds are played back to the driver. All that must hold is worked out from the recorded inputs.
 *
 * The event of an annotation has these members:
 *
 *   seal        the run's, which only the simulator knows
 *   site        the annotation's number
 *   instance    which execution of the loop it is, from 1; 0 of a statement
 *   evaluation  of the loop's condition, from 0; 0 of a statement
 *   launches    kernels that were launched before
 *   names       a whole number for each name that the annotation takes from the program, in their order
 *   array       type, count and size_bytes of the array, which is the payload; none of a condition
 *   unwritten   elements that nobody has written: the first, the one behind the last, ...; none where it is not there
 *   of_others   in a kernel, elements that another block has written in no order with this; likewise
 *   pending     in host code, the operation that may still write those of of_others, which are the host's then
 *   lack        instead of names and array: why they could not be taken, a text
 *   differing   of a lack: the name, from 1, that differs among the threads
 *   block       in a kernel: the block, linear in the grid
 *   warp        of a thread's variable: the warp of the block; the array has its lanes
 *
 * The recording was written by the program's process, which may have been made to write anything: what doesn't fit is an
 * error of the recording as a whole. */
#ifndef RD_CHECK_PLAYED_H
#define RD_CHECK_PLAYED_H

#include "check/annotation/annotation.h"
#include "reductio/run.h"
#include "reductio/summary.h"

#include <jansson.h>

struct rd_played_array {
    enum rd_type type;
    /* 1 or 2: the program has integers of so many bytes, which are I32 here; else 0. */
    unsigned narrow_bytes;
    int32_t narrow_least, narrow_most;
    size_t count;
    void *cells; /* NULL: there is none */
};

/* An annotation at one moment of the run. */
struct rd_played_event {
    unsigned site;
    const struct rd_annotation *annotation; /* of that site */
    uint64_t instance, evaluation, launches;
    uint64_t block;  /* UINT64_MAX: the host's */
    uint64_t warp;   /* UINT64_MAX: it is of no thread's variable */
    int64_t *values; /* of its names */
    struct rd_played_array array;
    uint64_t *unwritten; /* pairs as above; NULL: none is known */
    size_t n_unwritten;  /* numbers in it */
    uint64_t *of_others; /* likewise */
    size_t n_of_others;
    char *pending; /* NULL: none is known */
    char *lack;    /* NULL: nothing was missing */
};

struct rd_played_launch {
    char *kernel;
    uint64_t grid[3], block[3];
};

/* A hazard. */
struct rd_played_finding {
    uint64_t launch; /* from 1; 0: of the host's code */
    size_t event;    /* how many annotations had been come to when it was found */
    enum rd_hazard_kind kind;
    char *message;
    char place[200];    /* "fold.cu:6:14"; "" where none is known */
    bool is_same_value; /* a race of threads that write the same */
    bool told;          /* with the round of a loop that was printed */
};

struct rd_played {
    const struct rd_annotations *files;
    size_t n_files;
    struct rd_played_event *events; /* in the order of the run */
    size_t n_events, events_capacity;
    struct rd_played_launch *launches;
    size_t n_launches, launches_capacity;
    struct rd_played_finding *findings;
    size_t n_findings, findings_capacity;
    const char *seal;   /* that each event of an annotation has; only while they are taken */
    const char *device; /* on which the program ran; NULL: sim */
    bool unsound;       /* the recording is none that the simulator has written, because of */
    struct rd_error why;
};

void rd_played_init(struct rd_played *played, const struct rd_annotations *files, size_t n_files);
void rd_played_finish(struct rd_played *played);

/* Takes an event: of a launch, of a finding, or of an annotation; others are passed over. The payload is
 * copied. RD_ERROR_MEMORY. */
enum rd_status rd_played_take(struct rd_played *played, const char *name, const json_t *object,
                              const void *payload, uint64_t size_bytes, struct rd_error *error);

/* Tells whether the finding of that launch was printed with a loop's round. */
bool rd_played_has_told(const struct rd_played *played, uint64_t launch, const char *message);

/* A hazard that leaves open what memory holds at event number `at`: one that was found before, or, in a kernel, in the same
 * launch. NULL: there is none. */
const struct rd_played_finding *rd_played_undefined_by(const struct rd_played *played, size_t at);

/* The annotation of that site, and its file; NULL where there is none. */
const struct rd_annotation *rd_played_annotation(const struct rd_played *played, unsigned site,
                                                 const struct rd_annotations **file);

/* ---- loops as programs ---- */

enum { RD_PLAYED_TABLES_MAX = 4 };

/* An execution of an annotated loop, or a law that is asserted once. */
enum { RD_PLAYED_PROMISES_MAX = 8 };

struct rd_played_loop {
    const struct rd_annotation *annotation;
    const struct rd_annotations *file;
    const struct rd_played_event **evaluations; /* at which the law is asserted, */
    size_t n;                                   /* at least one */
    size_t last;                                /* index of the last among all events */
    /* What stands behind the loop, in its order. */
    const struct rd_played_event *promises[RD_PLAYED_PROMISES_MAX];
    unsigned n_promises;
    /* Values of the law's inputs, by the order of `input_names`. */
    const struct rd_played_event *inputs[2];
    const char *input_names[2];
    enum rd_type input_types[2]; /* as the program has them */
    /* An input of another type than the array's, as numbers of the array's type; NULL: it has that type. */
    struct rd_played_event *converted[2];
    unsigned n_inputs;
    /* Inputs as numbers of i64, for conditions and indices. */
    struct rd_played_array tables[RD_PLAYED_TABLES_MAX];
    const char *table_names[RD_PLAYED_TABLES_MAX];
    unsigned n_tables;
    bool is_counted;                  /* an input has ones in the place of its values */
    const struct rd_program *program; /* held; NULL: it can't be played, because of */
    struct rd_error why;
    char *paragraph;      /* of the program, once it could be written */
    char *goal_paragraph; /* the same with the promise in the law's place; NULL: there is none */
    bool is_plain;        /* it was asserted without the driver: see rd_played_plain() */
    struct rd_error untraced; /* why it was; "": nothing says so */
    char open[400];           /* why its exit stays open; "" where it doesn't */
    bool ends_empty;          /* behind its last round the law claims no cell */
    bool is_long;             /* more evaluations than are played back */
    bool is_unasked;         /* nobody asks what holds at its exit: no 'ensures' stands behind it */
    size_t size;             /* n of the program */
    enum rd_verdict verdict; /* once it was asserted, */
    struct rd_result result; /* if it has a program */
};

/* Says why the loop is no program, once. */
void rd_played_leave_out(struct rd_played_loop *loop, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Adds the inputs and tables of numbers that the annotation speaks of to the loop's; its `why` is set where that can't be. */
void rd_played_take_inputs(const struct rd_played *played, struct rd_played_loop *loop,
                           const struct rd_annotation *of);
/* Makes the program of the loop, whose annotation, file, evaluations and last are set. RD_OK also where it can't be made: then
 * `why` is set. RD_ERROR_MEMORY. */
enum rd_status rd_played_loop_make(const struct rd_played *played, struct rd_played_loop *loop,
                                   struct rd_error *error);
void rd_played_loop_finish(struct rd_played_loop *loop);

/* Tells whether it is in a kernel: then all its evaluations are of one launch. */
bool rd_played_is_in_kernel(const struct rd_played_loop *loop);
/* What the host launched last before evaluation k, or the kernel that this is in; NULL: nothing since the one before it. */
const struct rd_played_launch *rd_played_launch_before(const struct rd_played *played,
                                                       const struct rd_played_loop *loop, size_t k);
/* A kernel's name as the language has names, for the caller to free. NULL without memory. */
char *rd_played_kernel_name(const struct rd_played_launch *launch);

/* Source of what a loop runs, as struct rd_program has it; NULL where it isn't found, or without memory. */
struct rd_played_source {
    char *text, *parts;
};
void rd_played_source_init(struct rd_played_source *source, const struct rd_played *played,
                           const struct rd_played_loop *loop);
void rd_played_source_finish(struct rd_played_source *source);

/* Makes an array with the same numbers in another type, whose cells the caller frees. RD_ERROR_USAGE: the type doesn't have all of
 * them. RD_ERROR_MEMORY. */
enum rd_status rd_played_convert(const struct rd_played_array *from, enum rd_type type,
                                 struct rd_played_array *to);

/* Bytes of as many elements as the program has them. */
size_t rd_played_bytes(const struct rd_played_array *array, size_t count);
/* Makes numbers of the array's type elements as the program has them, in place. False where it doesn't have one of them. */
bool rd_played_store(const struct rd_played_array *as, size_t count, void *cells);

/* Sets the values of names, and the loop's rounds, into the condition, and tells whether it holds. RD_ERROR_USAGE: it has no value. */
enum rd_status rd_played_condition(const struct rd_annotation *annotation, const int64_t *values,
                                   uint64_t rounds, bool *holds, struct rd_error *error);

/* ---- playing back ---- */

/* A device whose launches give the loop's next state. The caller closes it; the loop must outlive it. */
enum rd_status rd_playback_open(struct rd_device **device, const struct rd_played *played,
                                const struct rd_played_loop *loop, struct rd_error *error);

/* ---- verdicts ---- */

/* Tells whether nobody has written the cell: what it holds is the simulator's. */
bool rd_played_is_unwritten(const struct rd_played_event *event, size_t cell);
/* Columns of an array of arrays; 0: it is none. */
uint64_t rd_played_columns(const struct rd_played_loop *loop);
/* "sum[2] holds 4, and the law says 3", of a loop that is violated, in the program's words. Returns text. */
const char *rd_played_violation_text(const struct rd_played_loop *loop,
                                     char text[RD_SENTENCE_SIZE]);

/* Verdict on an annotation. */
struct rd_played_verdict {
    const struct rd_annotations *file;
    const struct rd_annotation *annotation;
    enum rd_verdict verdict;           /* the worst of all its executions */
    size_t n;                          /* these; of a condition how often it was asserted */
    const struct rd_played_loop *loop; /* of a law the execution that is told; else NULL */
    const char *why;                   /* of what is told of no loop, and does not hold; else "" */
};

/* Runs the program once more. */
struct rd_played_again {
    /* With these values for the input at that annotation, and for the others what `self` has for them. */
    enum rd_status (*run)(void *self, unsigned site, const void *values, size_t size_bytes,
                          struct rd_played *again, struct rd_error *error);
    void *self; /* of the run that is asserted, */
    void *own;  /* and of that with the program's own inputs */
};

struct rd_played_options {
    FILE *text; /* what is found out is printed there; NULL: nowhere */
    unsigned width;
    bool color, quiet;
    bool stopped;      /* the program did not end by itself */
    const char *trace; /* the file for a trace of one loop; NULL: none */
    size_t trace_cells;
    const struct rd_played *own; /* the same run with the program's own inputs; NULL: this is it */
    const char *values;          /* of the inputs, where they are others */
    bool hazards_off;            /* nobody has looked for them, but for those that are recorded */
    const struct rd_observer *last; /* optional: sees the run of that loop, too */
    const volatile sig_atomic_t *interrupted;
    const struct rd_played_again *again; /* optional */
    bool explains;                       /* inputs that a wrong cell lacks are to be found by it */
    /* Optional: called for each annotation, in the files' order, once its verdict is known. */
    void (*on_verdict)(void *verdicts, const struct rd_played_verdict *verdict);
    void *verdicts;
};

struct rd_played_summary {
    enum rd_verdict verdict; /* the worst of all; INCONCLUSIVE where there was nothing to assert */
    unsigned invariants;     /* annotations of loops, */
    unsigned assertions;     /* and all others, but inputs, */
    unsigned requirements;   /* of which so many are only required */
    size_t loops, asserted;  /* executions of the ones and of the others */
    size_t violated, open;   /* of both; an annotation that was never reached is open, too */
    unsigned unasked;        /* loops that hold, and at whose exit nothing was asserted */
    uint64_t cells;          /* live cells that were asserted */
    bool traced;             /* a loop was traced: the first that is violated, or else the first */
};

/* Asserts all annotations of the recording. RD_ERROR_MEMORY, RD_ERROR_IO; RD_ERROR_INTERRUPTED. */
enum rd_status rd_played_judge(const struct rd_played *played,
                               const struct rd_played_options *options,
                               struct rd_played_summary *summary, struct rd_error *error);

/* Finds inputs that the violated cell of a loop lacks, or holds too often, by running the program again. False where none is
 * found. */
bool rd_played_explain(const struct rd_played *played, const struct rd_played_options *options,
                       const struct rd_played_loop *loop, struct rd_evidence *evidence);

/* Asserts a loop that has a paragraph, and no program that the driver could assert: its verdicts are in `result`, and `why` says what
 * was left open. Its exit holds if the promise follows from the law at the last evaluation. */
void rd_played_plain(struct rd_played_loop *loop);

#endif
