// SPDX-License-Identifier: MIT
/* The parts of the page. Private to src/view. */
#ifndef RD_VIEW_PAGE_H
#define RD_VIEW_PAGE_H

#include "reductio/history.h"
#include "reductio/law.h"
#include "view/report/markup.h"
#include "reductio/sources.h"
#include "view/report/picture.h"

/* Sets the assertion at a step as formulas: the law of the program in MathML, with the numbers of the step.
 * Private to src/view. */

/* The law of a history's program, in evaluation; all NULL where there is none. */
struct rd_statements {
    const struct rd_history_about *about;
    struct rd_law *law;
    struct rd_law_run *run;
};

/* Sets up the law's sentences; without a law at hand, the printed sentences are read. */
void rd_statements_init(struct rd_statements *statements, const struct rd_history_about *about);
void rd_statements_finish(struct rd_statements *statements);

/* Writes the statement of a frame: one or more math elements. A sentence that is neither that of the program's law nor
 * one in the language of laws stands as text, as a trace may bring it. */
void rd_statements_write(struct rd_statements *statements, const struct rd_frame *frame,
                         struct rd_markup *to);

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

/* The data for scripts as it is written, and how much more of it there may be. */
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

/* The bytes of the sentence that compares two runs. */
enum { RD_PAGE_COMPARED_SIZE = 512 };

/* Describes the run in one line. */
void rd_page_facts(const struct rd_page_run *run, struct rd_markup *to);

/* The kernels and the invariant of a run, the places of its hazards marked. */
void rd_page_sources(const struct rd_page_run *run, const struct rd_page_data *data,
                     struct rd_markup *to);

/* The data of a frame for scripts. */

/* Sets a member, unless it is empty; takes the value. */
void rd_page_member(json_t *object, const char *name, json_t *value);

/* Puts the offsets of the functions that state the run's claim. */
void rd_page_claim(const struct rd_page_run *run, size_t number, json_t *object);

/* The lines at which the hazards of its round have their places. */
void rd_page_sites(const struct rd_page_run *run, size_t number, json_t *object);

/* Writes all of a frame that follows, and its values; of one that has no picture, whose cells can't be
 * asked, an empty object. Statuses as below. */
enum rd_status rd_page_frame_data(const struct rd_page_run *run, size_t number, bool drawn,
                                  struct rd_page_data *data, struct rd_error *error);

/* Files that are there whole or not at all. */

/* Writes a file: beside it first, then by that name. A pipe, a device, or "-", standard output, is
 * written directly. RD_ERROR_IO. */
enum rd_status rd_report_file(const char *path, const char *data, size_t size,
                              struct rd_error *error);

/* The same of a picture in SVG, made PNG by rsvg-convert. RD_ERROR_USAGE where there is no such
 * program; RD_ERROR_IO. */
enum rd_status rd_report_png(const char *path, const char *svg, size_t size,
                             struct rd_error *error);

#endif
