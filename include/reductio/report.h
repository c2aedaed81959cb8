// SPDX-License-Identifier: MIT
/* A run as one HTML file, which loads nothing from the network; and a round of it as a picture.
 *
 * Thread safety: reports of different histories may be written at once, on any threads. */
#ifndef RD_REPORT_H
#define RD_REPORT_H

#include "history.h"
#include "plot_rounds.h"

#include <limits.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Default limit on the size of a page, in bytes: the largest parts, as expression trees and the pictures of
 * checkpoints, are left out beyond it, and the page says so. */
#define RD_REPORT_BYTES_MAX ((size_t)32 << 20)

/* Proof of a program, for every n, as a page tells it: sentences in the order in which one would teach them. */
struct rd_report_sentence {
    const char *topic; /* "in each round" */
    const char *place; /* of the kernel; "": of none */
    const char *text;
};
struct rd_report_proof {
    const char *claim; /* "PROVED for every n …"; or why that isn't known */
    const char *names; /* what the sentences call quantities; "": nothing */
    size_t count;
    const struct rd_report_sentence *sentences;
};

/* Contents of a page. */
struct rd_report {
    size_t size; /* sizeof(struct rd_report), or 0: see struct rd_run */
    struct rd_history *history;
    struct rd_history *compare;         /* shown beside `history`, step by step; NULL: none */
    const struct rd_plot_rounds *times; /* measurements, shown as a chart below; NULL: none */
    bool sets;                          /* the page first shows the cells' sets of inputs */
    size_t bytes_max;                   /* of the page; 0: RD_REPORT_BYTES_MAX */
    /* What is proved of the program of `history`, which the caller keeps; NULL: nothing is said of it. */
    const struct rd_report_proof *proof;
};

/* Writes the page to `path`, "-" being standard output. A file is written beside `path` and renamed, so that `path` is
 * never half-written. RD_ERROR_USAGE: `size` is that of another version. RD_ERROR_IO, RD_ERROR_MEMORY, RD_ERROR_DEVICE. */
enum rd_status rd_report_write(const char *path, const struct rd_report *report,
                               struct rd_error *error);

enum rd_report_format { RD_REPORT_SVG, RD_REPORT_PNG };

/* In place of a round: all rounds, below each other. */
#define RD_REPORT_ALL_ROUNDS UINT_MAX
/* In place of a round: the first step or checkpoint that is violated. */
#define RD_REPORT_VIOLATION (UINT_MAX - 1)

/* Writes the picture of the step after that round (0: of step 0), or of one of the above, to `path` as rd_report_write
 * does. PNG needs the program rsvg-convert. RD_ERROR_USAGE: there is no such step. RD_ERROR_IO, RD_ERROR_MEMORY,
 * RD_ERROR_DEVICE. */
enum rd_status rd_report_picture(const char *path, struct rd_history *history, unsigned round,
                                 enum rd_report_format format, struct rd_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
