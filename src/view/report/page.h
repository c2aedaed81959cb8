// SPDX-License-Identifier: MIT
/* The parts of the page. Private to src/view. */
#ifndef RD_VIEW_PAGE_H
#define RD_VIEW_PAGE_H

#include "sources.h"
#include "view/report/picture.h"

/* Frames beyond these have no part in the page; the rounds' ends come first. */
enum { RD_PAGE_FRAMES_MAX = 512, RD_PAGE_HELPERS_MAX = 4 };

struct rd_page_run {
    struct rd_picture picture;
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
    size_t arrows_left_out;
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

/* What the run is of, in one line. */
void rd_page_facts(const struct rd_page_run *run, struct rd_markup *to);

/* The kernels and the invariant of a run, the places of its hazards marked. */
void rd_page_sources(const struct rd_page_run *run, const struct rd_page_data *data,
                     struct rd_markup *to);

#endif
