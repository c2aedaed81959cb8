// SPDX-License-Identifier: MIT
/* Records of a trace in memory, as a walk hands them to its visitor. Private to the library. */
#ifndef RD_TRACE_RECORDED_H
#define RD_TRACE_RECORDED_H

#include "reductio/trace.h"

/* The cells of an array as far as they were recorded. */
struct rd_trace_state {
    size_t count;    /* cells in all */
    bool whole;      /* all n cells of the array; otherwise the live cells, compactly */
    size_t n_head;   /* the first cells; of a state that is not cut, all */
    size_t n_tail;   /* the last cells */
    void *cells;     /* elem[n_head + n_tail] */
    uint64_t digest; /* of all cells; of a cut state only */
};

struct rd_trace_run {
    const char *program_name, *device, *values; /* the reader's, until its next line */
    /* The run's until rd_trace_run_finish: as the record defines it, else the one of that name here. NULL: there is none. */
    const struct rd_program *program;
    const char *described; /* the device, for people; likewise; "" if it is not */
    size_t n;
    const struct rd_numeric *numeric;
    unsigned block;
    size_t grid;              /* 0: the program takes no number of blocks */
    struct rd_shape shape;    /* what follows from these, */
    size_t n_cells, n_a, n_b; /* and how many elements the arrays then have */
    bool frame;
    struct rd_blocks blocks;       /* whose checkpoints were observed */
    enum rd_hazards_by hazards_by; /* who was to look for hazards, */
    bool simulated;                /* and the device looks itself */
    const char *undefined_by;      /* the reader's, until its next line; NULL: by nothing */
    bool has_seed;
    uint64_t seed;
    size_t passes;              /* 0, but in witness runs */
    unsigned digit_bits;        /* likewise */
    struct rd_trace_state a, b; /* not in witness runs; b.cells is NULL where there is none */
};

struct rd_trace_round {
    unsigned number, block;
    const char *kernel, *width_name; /* the reader's, until its next line */
    size_t width, grid, threads;
    unsigned grid_y, block_y; /* 0 is 1 */
};

struct rd_trace_step {
    size_t pass; /* 0, but in witness runs */
    unsigned number;
    bool has_round;
    struct rd_trace_round round;
    bool inside;           /* at a checkpoint inside the round's kernel: */
    struct rd_place place; /* this one */
    bool has_present;
    uint32_t present;
    const char *statement; /* the reader's, until its next line */
    struct rd_claim claim;
    struct rd_trace_state state;
    enum rd_verdict verdict;
    size_t n_asserted, n_unbounded;
    unsigned unchanged; /* inputs that were looked at behind the round: a set of enum rd_input */
    bool violated;
    struct rd_violation violation;
};

/* Recorded cell k of [0, n_head + n_tail) is the state's cell number …: the head is followed by the
 * tail. */
size_t rd_trace_state_index(const struct rd_trace_state *state, size_t k);
/* Tells whether some cells between head and tail were left out. */
bool rd_trace_state_is_cut(const struct rd_trace_state *state);

/* Tells whether n elements fit into memory with all that is computed from them: a and b, the expected array and a
 * copy of it and, for floats, the exact sums and weights. A trace may come from anywhere, and its n is not to be
 * trusted. */
bool rd_trace_inputs_fit(const struct rd_numeric *numeric, size_t n, struct rd_error *reason);

/* A walk over the records of a trace that asserts every step again: replaying, and whoever wants to
 * look on. Private to the library. */

/* Visits the records of a trace. Every member is optional. A status other than RD_OK ends the walk with that status.
 * Pointers are valid during the call. */
struct rd_trace_visitor {
    void *self;
    /* The run was read, and its program would make it, on the inputs `a` and `b`: b is NULL where there
     * is none, a where nothing can be asserted. */
    enum rd_status (*begin)(void *self, const struct rd_program *program,
                            const struct rd_trace_run *run, const void *a, const void *b,
                            struct rd_error *error);
    /* A step, or a checkpoint, as asserting it again has it; `cells` and `n_cells` are not set: the
     * recorded state has them. Steps that are not the program's, and what follows on them, are not
     * told. */
    enum rd_status (*step)(void *self, const struct rd_trace_step *recorded,
                           const struct rd_step *step, struct rd_error *error);
    enum rd_status (*hazard)(void *self, const struct rd_trace_hazard *hazard,
                             struct rd_error *error);
};

/* Replays as rd_trace_replay does, with a visitor (NULL: none). */
enum rd_status rd_trace_walk(const char *path, const struct rd_trace_visitor *visitor,
                             struct rd_replay *replay, struct rd_error *error);

#endif
