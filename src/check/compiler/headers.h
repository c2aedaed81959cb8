// SPDX-License-Identifier: MIT
/* The headers that a user's file is compiled with, as files. For those who compile. */
#ifndef RD_CHECK_HEADERS_H
#define RD_CHECK_HEADERS_H

#include "reductio/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Puts them into the directory's folder RD_FILE_HEADERS, or makes that a link to a folder of the user's cache. There is also a
 * folder `toolkit` in it: rd_check_toolkit_link(). RD_ERROR_IO. */
enum rd_status rd_check_headers_write(const char *directory, struct rd_error *error);

/* Writes the path by which the compiler is to know that folder, of RD_CACHE_PATH_SIZE at most: in the cache it is the same for all
 * runs. */
void rd_check_headers_find(const char *directory, char *path, size_t size);

/* Tells whether that is in the cache. */
bool rd_check_headers_are_cached(const char *directory);

/* Removes the folder, or the link. */
void rd_check_headers_remove(const char *directory);

/* Removes a folder with all that is in it; links alone, and not what they lead to. */
void rd_check_folder_remove(const char *path);

/* ---- an installed toolkit: declarations of its libraries, where we have none ---- */

/* Makes DIRECTORY/toolkit, with links to the headers; an empty folder where no toolkit is. False where a part is missing: the
 * compiler says what it lacks. */
bool rd_check_toolkit_link(const char *directory);
/* Returns a digest of the toolkit's path, and of its folder's last change; 0 without one. */
uint64_t rd_check_toolkit_digest(void);

#endif
