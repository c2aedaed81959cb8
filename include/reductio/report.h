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

/* So large a page becomes at most: what costs most, as the expression trees and the pictures of
 * checkpoints, is left out beyond, and the page says so. */
#define RD_REPORT_BYTES_MAX ((size_t)32 << 20)

/* Contents of a page. */
struct rd_report {
    size_t size; /* sizeof(struct rd_report), or 0: see struct rd_run */
    struct rd_history *history;
    struct rd_history *compare;         /* next to it, step by step; NULL: none */
    const struct rd_plot_rounds *times; /* measured apart, as a chart below; NULL: none */
    bool sets;                          /* it begins with the cells' sets of inputs */
    size_t bytes_max;                   /* of the page; 0: RD_REPORT_BYTES_MAX */
};

/* Writes the page to `path`, "-" being standard output: beside it first, so that no half-written one
 * ever stands there. RD_ERROR_IO, RD_ERROR_MEMORY, RD_ERROR_DEVICE. */
enum rd_status rd_report_write(const char *path, const struct rd_report *report,
                               struct rd_error *error);

enum rd_report_format { RD_REPORT_SVG, RD_REPORT_PNG };

/* All rounds below each other. */
#define RD_REPORT_ALL_ROUNDS UINT_MAX
/* The first step or checkpoint that is violated. */
#define RD_REPORT_VIOLATION (UINT_MAX - 1)

/* Writes the picture of the step after that round (0: of step 0), or of one of the above, likewise. PNG
 * takes the program rsvg-convert. RD_ERROR_USAGE where there is no such step. */
enum rd_status rd_report_picture(const char *path, struct rd_history *history, unsigned round,
                                 enum rd_report_format format, struct rd_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
