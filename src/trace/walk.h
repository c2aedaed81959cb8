// SPDX-License-Identifier: MIT
/* A walk over the records of a trace that asserts every step again: replaying, and whoever wants to
 * look on. Private to the library. */
#ifndef RD_TRACE_WALK_H
#define RD_TRACE_WALK_H

#include "trace/recorded.h"

/* Who looks on. Every member is optional. A status other than RD_OK ends the walk with that status.
 * What is pointed to is valid during the call. */
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

/* As rd_trace_replay, with a visitor (NULL: none). */
enum rd_status rd_trace_walk(const char *path, const struct rd_trace_visitor *visitor,
                             struct rd_replay *replay, struct rd_error *error);

#endif
