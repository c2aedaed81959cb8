// SPDX-License-Identifier: MIT
/* The parts of the page. Private to src/view. */
#ifndef RD_VIEW_PAGE_H
#define RD_VIEW_PAGE_H

#include "reductio/sources.h"
#include "view/report/picture.h"
#include "view/report/statement.h"

/* Frames beyond these have no part in the page; the rounds' ends come first. */
enum { RD_PAGE_FRAMES_MAX = 512, RD_PAGE_HELPERS_MAX = 4 };

struct rd_page_run {
    struct rd_picture picture;
    struct rd_statements statements;
    struct rd_history *history;
    const struct rd_history_about *about;
    unsigned number; /* 0, or 1 of what it is compared with */
    size_t *frames;  /* those that are shown, in their order */
    size_t n_frames;
    size_t left_out;   /* checkpoints that are not */
    size_t n_followed; /* of so many, the first, it is told who read and wrote what */
    size_t bytes_max;  /* that its frames' markup may take */
    size_t bytes;      /* and may still */
    bool full;         /* no more checkpoints are drawn */
    size_t steps_to_come, frames_to_come;
    size_t undrawn; /* frames whose picture would have been too much */
};

/* What scripts are told, as it is written, and how much more of it there may be. */
struct rd_page_data {
    struct rd_markup json;
    size_t bytes;
    size_t sets, origins; /* told so far */
    /* Files, other than the kernel's part of its own, in which this run's threads read or wrote. */
    const struct rd_source *helpers[RD_PAGE_HELPERS_MAX];
    unsigned n_helpers;
    bool spent; /* something was left out */
};

/* A run in the page: its frames, obligations and sources. What scripts need beyond that comes into
 * *data: what cells must hold, their sets and their trees, who read and wrote what, as far as there is
 * room. */
enum rd_status rd_page_run(struct rd_page_run *run, bool alone, struct rd_markup *to,
                           struct rd_page_data *data, struct rd_error *error);

/* How two runs differ: in what they are of, "they differ in type: i32 and f32", or else where their cells first do,
 * "they first differ at round 1 of 3: fold, half = 4: A[0] is 4 and 3"; "the same in all 4 steps". Of
 * two programs the ends of rounds are compared; "" where there is nothing to say, as of witness values.
 * Statuses as for rd_history_cell. */
enum { RD_PAGE_COMPARED_SIZE = 512 };
enum rd_status rd_page_compare(struct rd_history *left, struct rd_history *right,
                               char text[RD_PAGE_COMPARED_SIZE], struct rd_error *error);

/* What the run is of, in one line. */
void rd_page_facts(const struct rd_page_run *run, struct rd_markup *to);

/* The kernels and the invariant of a run, the places of its hazards marked. */
void rd_page_sources(const struct rd_page_run *run, const struct rd_page_data *data,
                     struct rd_markup *to);

#endif
