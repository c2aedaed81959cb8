// SPDX-License-Identifier: MIT
/* The history of a run: its steps kept, so that a view can go back and forth between them, look
 * into any cell, and ask which thread read and wrote what. It is made from a live run or from a
 * trace; a view need not know from which.
 *
 * A frame is one step: step 0, each checkpoint inside a kernel, and the step after each round, in
 * the order in which they were asserted.
 *
 * Thread safety: calls that use devices of their own may be made at once, on any threads; device.h says
 * what devices share. */
#ifndef RD_HISTORY_H
#define RD_HISTORY_H

#include "run.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct rd_history;

/* Default bound of the memory for cached results. A quarter each is for the states of the run (states that are not cached
 * are made again on demand: the run is repeated, or the trace read again), for the accesses of a frame, for
 * the accesses of all rounds, which the trees need, and for the runs that find the inputs in cells. */
#define RD_HISTORY_BYTES ((size_t)1 << 30)

/* Smallest bound for accesses, and for the inputs in cells. The states of two frames are kept in any case. */
#define RD_HISTORY_BYTES_MIN ((size_t)1 << 20)

struct rd_history_options {
    size_t size; /* sizeof(struct rd_history_options), or 0: see struct rd_run */
    /* 0: RD_HISTORY_BYTES. Not counted, and taken once they are needed: the inputs of a trace, and those
     * of the runs that find the inputs in cells; the array at the frame that is looked into, at
     * the one before, and the expected one, and the same for these runs; their readings of neighbouring cells,
     * some 32 MiB; the frames and hazards themselves, a few hundred bytes each; for a witness trace all
     * passes; and the simulator's memory while it runs. */
    size_t bytes_max;
};

/* Runs the program to its end, also beyond a violated step, and keeps its steps. The run and all it
 * points to must outlive the history, and its device must stay open: the history runs it again.
 * Statuses as for rd_run; an interrupted run has a history too (RD_OK, result.interrupted). */
enum rd_status rd_history_run(struct rd_history **history, const struct rd_run *run,
                              const struct rd_history_options *options, struct rd_error *error);

/* Reads a trace; "-" is standard input. Every step is asserted again, and the frames have the verdicts
 * of that. The caller owns *history. Statuses as for rd_trace_replay. */
enum rd_status rd_history_read(struct rd_history **history, const char *path,
                               const struct rd_history_options *options, struct rd_error *error);

void rd_history_destroy(struct rd_history *history); /* NULL is fine */

/* The run or trace behind a history. Lives as long as the history. */
struct rd_history_about {
    const struct rd_program *program;
    const struct rd_numeric *numeric;
    struct rd_shape shape;
    const char *values;    /* the value spec */
    const char *device;    /* "sim" */
    const char *described; /* "SIMT simulator on the CPU" */
    size_t n_cells;        /* of A */
    size_t n_a, n_b;       /* elements of the inputs; n_b is 0 if there is no b */
    const void *a, *b;     /* the inputs; NULL if a cut trace does not have them */
    unsigned rounds;       /* rounds that the program makes */
    bool witness;          /* the cells are known as sets of inputs only: see rd_history_set */
    bool frame;            /* dead cells are asserted, too */
    bool live;             /* made from a run, which can be broken: see rd_run.breaks */
    /* Replay's reason why the trace is not that of a whole run of the program. NULL: it is. */
    const char *incomplete;
    struct rd_result result;
};

/* Describes the run. It and its texts belong to the history. */
const struct rd_history_about *rd_history_about(const struct rd_history *history);

/* Returns the bytes cached now, which rd_history_options.bytes_max bounds. */
size_t rd_history_bytes(const struct rd_history *history);

/* A hazard of a round. */
struct rd_history_hazard {
    enum rd_hazard_kind kind;
    const char *name, *message; /* as struct rd_hazard */
    unsigned step;
    /* Places of the hazard, as in struct rd_finding; 0 if a trace does not have them. */
    unsigned n_places;
    struct rd_finding_place places[2];
    const char *array; /* "" if the hazard is about no cell */
    bool index_known;
    int64_t index;
};

/* Return the number of hazards, and the k-th of them, from 0 on, in the order of their rounds; NULL beyond. It and its texts belong
 * to the history. */
size_t rd_history_hazards(const struct rd_history *history);
const struct rd_history_hazard *rd_history_hazard(const struct rd_history *history, size_t k);

/* State of an obligation at a frame: initialization is decided with step 0, preservation when a round first
 * breaks it or the last one has ended, exit at the end of the loop; at the end of a run, all are. A view shows the
 * standings of its frame (of the frame before, while a quiz hides this one), and never about.result, which gives the end
 * away. */
enum rd_decided {
    RD_DECIDED_NOT,    /* open: no step so far bears on it */
    RD_DECIDED_SO_FAR, /* `verdict` is the worst of the steps until here */
    RD_DECIDED,        /* `verdict` is final */
};

struct rd_standing {
    enum rd_decided decided;
    enum rd_verdict verdict; /* open: RD_INCONCLUSIVE */
    unsigned round; /* the round that broke it; 0: none did, or it was wrong before the first */
};

/* Step of a history, with its place, its law and its verdict. */
struct rd_frame {
    unsigned step;
    bool has_round;        /* not at step 0 */
    struct rd_round round; /* at a checkpoint: the round that is under way */
    const char *kernel;    /* the round's kernel, as the source names it; "" at step 0 */
    bool inside;           /* at a checkpoint inside the round's kernel: */
    struct rd_place place;
    const char *point;    /* the point's name in the source: "sequential"; "" elsewhere */
    const char *array;    /* "A", "cache", … */
    const char *variable; /* name of place.variable; "" elsewhere */
    const char *statement;
    struct rd_claim claim;
    size_t n_cells; /* of the array, whether their values are known or not */
    enum rd_verdict verdict;
    size_t n_asserted, n_unbounded;
    double widest;           /* as in the step */
    bool bounded, any_order; /* floats: as in the step's struct rd_expect */
    bool violated;
    struct rd_violation violation;
    /* Hazards of the round that has ended here; 0 at a checkpoint. The last frame also has the hazards of a
     * round that did not end, even if it is a checkpoint. */
    size_t first_hazard, n_hazards;
    size_t before; /* the frame that shows the same array one step earlier; itself: none does */
    /* Obligations as decided here. The last frame of an interrupted run, or of a cut trace, decides nothing new. */
    struct rd_standing standings[RD_OBLIGATION_COUNT];
};

size_t rd_history_frames(const struct rd_history *history); /* at least 1 */
const struct rd_frame *rd_history_frame(const struct rd_history *history, size_t frame);

/* Returns the frame of the step after that round (0: of step 0), or the last frame if the run ended
 * before. */
size_t rd_history_frame_of_step(const struct rd_history *history, unsigned step);

/* A cell at a frame. */
struct rd_history_cell {
    bool known;   /* `value` is set: it was copied back, and is in the trace */
    bool live;    /* the law claims it */
    bool changed; /* its bits differ from those at frame.before; false if that is unknown */
    bool wrong;   /* it differs from the expected value, or is outside the bound */
    /* `expected` is set: for live cells the law's value, for dead ones the value that they had when they were last
     * live; unset for these if they are not asserted. */
    bool expected_known;
    rd_bits value, expected;
    struct rd_deviation deviation; /* floats with a bound: error and limit; else all 0 */
    /* The run's break whose value the cell holds; NULL: none. For a dead cell `expected` is then
     * the value without the break. */
    const struct rd_break *put;
};

/* Looks into a cell, of index below the frame's n_cells. Fast for many cells of one frame; going to another frame may run
 * the program again. RD_ERROR_MEMORY, RD_ERROR_IO, RD_ERROR_DEVICE. */
enum rd_status rd_history_cell(struct rd_history *history, size_t frame, size_t index,
                               struct rd_history_cell *cell, struct rd_error *error);

/* Tells whether the sum of inputs that an integer cell must hold is too large for its type, so that the cell holds it
 * modulo 2^32 or 2^64; *whole is then the sum. False also if that is unknown. */
bool rd_history_wraps(struct rd_history *history, size_t frame, size_t index, long double *whole);

/* Finds the set of the cell, and its expected set, by witness values: the first call repeats the run with
 * them; for a wrong cell that may take some seconds, and serves its neighbours, too. RD_ERROR_USAGE, with the reason, if
 * the set can't be found: the program's result is no sum, n is too large, or too many inputs are wrong in a run of more
 * than some 16384. A view then shows "?". */
enum rd_status rd_history_set(struct rd_history *history, size_t frame, size_t index,
                              struct rd_input_set *actual, struct rd_input_set *expected,
                              struct rd_error *error);

/* Comparison of a re-run with the history. Accesses, trees and sets come from a re-run of the program's rounds in the
 * simulator. Its states may differ from the history's if that is of a trace that was edited, or recorded
 * with another build of the kernel, or of a GPU that ordered the threads otherwise. */
struct rd_rerun {
    bool differs;
    unsigned step; /* the first that differs */
    /* A cell differs; else the re-run lacks a step or checkpoint that the history has there. */
    bool has_cell;
    size_t frame, cell;
    rd_bits was, is; /* the cell in the history, and in the re-run */
};

/* Re-runs the rounds, once, and compares: an edited trace must not be explained by another run. The history of
 * a run in the simulator never differs. Statuses as for rd_history_accesses. */
enum rd_status rd_history_rerun(struct rd_history *history, struct rd_rerun *rerun,
                                struct rd_error *error);

/* ---- who read and wrote what ---- */

/* Accesses to memory, and to the registers of a warp's lanes, which are seen at checkpoints and in shuffles, as an
 * array of 32 elements of the thread's warp. */
enum rd_access_op {
    RD_ACCESS_READ,
    RD_ACCESS_WRITE,
    RD_ACCESS_ATOMIC,
    RD_ACCESS_HOLD, /* the lane's register holds it at a checkpoint, */
    RD_ACCESS_HAND, /* or in a shuffle, where others may take it */
    RD_ACCESS_TAKE, /* in a shuffle, it takes what that lane handed */
};

/* Tells whether the access leaves a value in the element; else it reads one. */
static inline bool rd_access_leaves(enum rd_access_op op)
{
    return op != RD_ACCESS_READ && op != RD_ACCESS_TAKE;
}

/* Tells whether the access is to a lane's register. */
static inline bool rd_access_is_of_lane(enum rd_access_op op)
{
    return op >= RD_ACCESS_HOLD;
}

/* An access of a thread to an element. */
struct rd_access {
    uint64_t block;  /* linear in the grid */
    unsigned thread; /* linear in its block */
    enum rd_access_op op;
    unsigned array; /* its number in rd_access_list.arrays */
    size_t index;   /* the element */
    /* Out of bounds: `index` is outside the array, before it if negative as an int64_t; or a lane that does not
     * exist. `value` is then a meaningless 0. */
    bool outside;
    rd_bits value;     /* the value read or left; for an atomic, the value left */
    unsigned interval; /* barriers that the block had passed */
    unsigned line;     /* in the source; 0: unknown */
    /* Source file of the line, a header that kernels share or the kernel's own (sources.h); or "" */
    const char *file;
};

struct rd_access_array {
    const char *name; /* "A", "a", "cache"; "r" of registers */
    const struct rd_numeric *numeric;
    size_t n_elems;
    bool shared; /* of the block; else global */
    bool lanes;  /* the registers of this warp of the block's: */
    unsigned warp;
};

/* Tells whether the array is the one that the frame shows. */
bool rd_frame_shows(const struct rd_frame *frame, const struct rd_access_array *array);

/* A thread that accessed something. */
struct rd_access_thread {
    uint64_t block;
    unsigned thread;
    uint32_t first, count; /* its accesses, in its order: order[first], … */
};

/* A value that a thread has left, and its sources: mostly the values that the thread had read since it last left one.
 * Values that registers keep or hand on are traced by runs on random inputs, as nothing else shows them; a register that
 * keeps its value is no move. */
struct rd_access_move {
    uint32_t thread;         /* in rd_access_list.threads */
    uint32_t first, n_reads; /* sources[first], … */
    uint32_t write;          /* order[write] */
    /* For a value written to memory that came through registers: all reads of memory behind it, by all lanes. None:
     * the sources above are these reads. */
    uint32_t first_far, n_far; /* sources[first_far], … */
    /* The sources may be incomplete: they do not add up to the value, or whether they do is not known. */
    bool unsure;
};

struct rd_access_list {
    const struct rd_access *accesses; /* in the order in which the simulator made them */
    size_t count;
    bool truncated; /* there were more than RD_ACCESSES_MAX, or than there is room for */
    bool lanes;     /* some of the accesses are to registers */
    const struct rd_access_array *arrays;
    unsigned n_arrays;
    /* The same once more by thread: indices into `accesses`, block by block, thread by thread. */
    const uint32_t *order;
    const struct rd_access_thread *threads;
    size_t n_threads;
    const struct rd_access_move *moves; /* in that order */
    size_t n_moves;
    const uint32_t *sources; /* of the moves: indices into `accesses` */
};

enum { RD_ACCESSES_MAX = 1 << 22 };

#define RD_NO_ACCESS UINT32_MAX

/* Lists the accesses between frame.before and the frame: for a step those of the whole launch, for a checkpoint those of
 * its block, or warp, since its previous one. The simulator records them: for the history of another device or of a
 * trace, it runs the same rounds on the same inputs. The list lives until the next call. At step 0 it is empty.
 * RD_ERROR_USAGE, with the reason, if there can be no list; RD_ERROR_MEMORY, RD_ERROR_IO, RD_ERROR_DEVICE. */
enum rd_status rd_history_accesses(struct rd_history *history, size_t frame,
                                   struct rd_access_list *list, struct rd_error *error);

/* Gives, for each access of the latest list, the index of the access before it that left the element's value.
 * RD_NO_ACCESS: none in the list did. The array lives as long as the list. RD_ERROR_USAGE if there is no list;
 * RD_ERROR_MEMORY. */
enum rd_status rd_history_seen(struct rd_history *history, const uint32_t **seen,
                               struct rd_error *error);

/* ---- how a value came about ---- */

/* Sources of a node's value. */
enum rd_origin_kind {
    RD_ORIGIN_WRITTEN,   /* a thread has written it, */
    RD_ORIGIN_REGISTER,  /* or has it in its register, where it was seen: see rd_access_op */
    RD_ORIGIN_ZERO,      /* likewise, and it is 0, or the operation's identity, for all inputs */
    RD_ORIGIN_INPUT,     /* it is an input, as it was given */
    RD_ORIGIN_START,     /* no thread wrote it: the array began with it */
    RD_ORIGIN_UNWRITTEN, /* no thread wrote it, in a block's memory: it is unknown */
    RD_ORIGIN_OUTSIDE,   /* out of bounds, or of a lane that does not exist: it is unknown */
    RD_ORIGIN_PUT,       /* a break of the run put it there, after the round `step` */
};

/* A node of the expression tree of a cell: a value, over those that it was made of. */
struct rd_origin {
    enum rd_origin_kind kind;
    const char *array;
    size_t index;
    rd_bits value;
    /* The place at which a WRITTEN or REGISTER value was left: */
    unsigned step;
    uint64_t block;
    unsigned thread;
    unsigned line;     /* 0: unknown, */
    const char *file;  /* as in rd_access */
    unsigned depth;    /* 0: the cell itself */
    unsigned children; /* number of the nodes behind it, one deeper, that are its own */
    bool minus;        /* it was subtracted */
    bool cut;          /* it has more children than n_max allowed */
    bool lacks; /* its children do not add up to it: a source is missing, or one is no source */
};

/* The part of a cell's value that a tree shows. */
enum rd_origins_extent {
    RD_ORIGINS_WHOLE,     /* all: its leaves add up to it, by runs on random inputs */
    RD_ORIGINS_CUT,       /* a part: the tree has more than n_max nodes */
    RD_ORIGINS_LACK,      /* some node's children do not add up to it, or a leaf is unknown */
    RD_ORIGINS_UNCHECKED, /* the values read; whether these are all is unknown, for the reason `why` */
};

struct rd_origins {
    size_t count; /* of nodes */
    enum rd_origins_extent extent;
    char why[120]; /* or "" */
};

/* Builds the tree of a cell, each node before its children, of at most n_max nodes. It shows the values that were read and
 * taken, not the operations on them. nodes: [n_max], the caller's. Statuses as for rd_history_accesses. */
enum rd_status rd_history_origin(struct rd_history *history, size_t frame, size_t index,
                                 struct rd_origin *nodes, size_t n_max, struct rd_origins *tree,
                                 struct rd_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
