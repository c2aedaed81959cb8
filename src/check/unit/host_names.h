// SPDX-License-Identifier: MIT
/* Functions and variables that only the host has, in code of the device: nvcc refuses them, and the compiler that is used here
 * would take them. */
#ifndef RD_CHECK_HOST_NAMES_H
#define RD_CHECK_HOST_NAMES_H

#include "check/source/rewrite.h"

#include <stddef.h>
#include <stdint.h>

/* Words of the device's code, and names that it has itself. Begins as {0}. */
struct rd_check_host_names {
    struct rd_check_names words, own;
};

struct rd_check_compiler;
struct rd_check_unit;
struct rd_error;

/* Has declarations of what the device's code names carry a mark, of which the compiler then warns at each use: it knows which
 * declaration a name means. */
void rd_check_host_names_mark(const struct rd_check_host_names *names, struct rd_check_edits *edits,
                              const struct rd_check_unit *unit, const char *text);

/* Looks for them; says each on standard error as a compiler would, at its line. RD_ERROR_INPUT where there is one. The unit is to
 * be written anew behind it. */
enum rd_status rd_check_host_names_refuse(const struct rd_check_compiler *compiler,
                                          struct rd_check_unit *unit, struct rd_error *error);

#endif
