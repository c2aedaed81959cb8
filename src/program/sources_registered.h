// SPDX-License-Identifier: MIT
/* Sources of kernels that clients have registered: no other files are read. Private; sources.h asks for them. */
#ifndef RD_PROGRAM_SOURCES_REGISTERED_H
#define RD_PROGRAM_SOURCES_REGISTERED_H

#include "reductio/sources.h"

/* The part of its file; NULL where it isn't known. */
const struct rd_source *rd_registered_source_of_kernel(const char *name);
/* The whole file of a registered kernel, also by a path from another folder; NULL where no kernel was compiled from it. */
const struct rd_source *rd_registered_source_of_file(const char *path);
/* See rd_source_explain_absence. */
void rd_registered_source_explain_absence(const char *name, struct rd_error *why);

#endif
