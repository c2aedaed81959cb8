// SPDX-License-Identifier: MIT
/* The user's file as the C++ compiler gets it. */
#ifndef RD_CHECK_UNIT_H
#define RD_CHECK_UNIT_H

#include "check/check.h"
#include "check/features.h"
#include "check/launches.h"
#include "check/names.h"

struct rd_check_unit {
    const struct rd_check_options *options;
    const char *directory; /* where it is written */
    char *text;            /* the user's */
    struct rd_check_functions functions;
    struct rd_check_launches launches;
    bool removes_features;        /* what the simulator does not know is left out */
    struct rd_check_names own;    /* get another name, */
    struct rd_check_names others; /* also these, of headers */
};

/* Reads the file. RD_ERROR_IO, RD_ERROR_INPUT, RD_ERROR_MEMORY; there is nothing to finish then. */
enum rd_status rd_check_unit_init(struct rd_check_unit *unit,
                                  const struct rd_check_options *options, const char *directory,
                                  struct rd_error *error);
void rd_check_unit_finish(struct rd_check_unit *unit);

/* Writes it to the directory's file NAME.cpp: with this kernel named, or without one: NULL. */
enum rd_status rd_check_unit_write(struct rd_check_unit *unit, const char *name, const char *kernel,
                                   struct rd_error *error);

/* Writes the directory's file NAME.cpp, which the compiler refuses at the line of each word that no
 * header declares, line 1 being the first word's. */
enum rd_status rd_check_unit_write_probe(const struct rd_check_unit *unit, const char *name,
                                         const struct rd_check_names *names,
                                         struct rd_error *error);

/* ---- reader.c ---- */

/* Reads a source file: a text in UTF-8, of which the caller gets the lines as they end here, without
 * a byte order mark. The caller frees it. RD_ERROR_IO, RD_ERROR_INPUT, RD_ERROR_MEMORY. */
enum rd_status rd_check_read_source(const char *path, char **text, struct rd_error *error);

#endif
