// SPDX-License-Identifier: MIT
/* Files that are there whole or not at all. Private to src/view. */
#ifndef RD_VIEW_FILE_H
#define RD_VIEW_FILE_H

#include "reductio/status.h"

#include <stddef.h>

/* Writes a file: beside it first, then by that name. A pipe, a device, or "-", standard output, is
 * written directly. RD_ERROR_IO. */
enum rd_status rd_report_file(const char *path, const char *data, size_t size,
                              struct rd_error *error);

/* The same of a picture in SVG, made PNG by rsvg-convert. RD_ERROR_USAGE where there is no such
 * program; RD_ERROR_IO. */
enum rd_status rd_report_png(const char *path, const char *svg, size_t size,
                             struct rd_error *error);

#endif
