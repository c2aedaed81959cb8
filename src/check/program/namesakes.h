// SPDX-License-Identifier: MIT
/* Functions of a program's files that have the same name and parameters. Of nvcc, the device's code is a world of its own: a
 * function of the device in one file and one of the host in another are two. Here both are the host's code, and the linker would
 * take one for both. */
#ifndef RD_CHECK_NAMESAKES_H
#define RD_CHECK_NAMESAKES_H

#include "reductio/status.h"

struct rd_check_unit;

struct rd_check_object {
    const char *path;
    const struct rd_check_unit *unit; /* that it was made of */
};

/* Gives namesakes other names in the objects, so that each file's code calls its own: functions of the device, and inline
 * functions and templates of files that have CUDA's code. Other files find what they found before.
 * RD_ERROR_INPUT where a third file may mean either; RD_ERROR_IO, RD_ERROR_MEMORY. */
enum rd_status rd_check_namesakes_part(const struct rd_check_object *objects, unsigned n,
                                       struct rd_error *error);
/* Gives the functions of a library that was linked of such objects their names again, which reports have. RD_ERROR_IO,
 * RD_ERROR_MEMORY. */
enum rd_status rd_check_namesakes_restore(const char *library, struct rd_error *error);

#endif
