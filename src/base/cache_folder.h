// SPDX-License-Identifier: MIT
/* The user's folder of what can be made again: $XDG_CACHE_HOME/reductio, or ~/.cache/reductio. */
#ifndef RD_BASE_CACHE_FOLDER_H
#define RD_BASE_CACHE_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

enum { RD_CACHE_PATH_SIZE = 4096 };

/* Writes the path of the folder NAME in it, without a slash behind it, which is made where it isn't there. False where none can be
 * had that is the user's alone. */
bool rd_cache_folder(const char *name, char path[RD_CACHE_PATH_SIZE]);

/* Tells whether nobody but the user can have written what this is about. */
bool rd_cache_is_own(const struct stat *about);

#endif
