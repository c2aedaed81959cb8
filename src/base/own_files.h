// SPDX-License-Identifier: MIT
/* Files and folders that are the user's alone, whatever the umask. */
#ifndef RD_BASE_OWN_FILES_H
#define RD_BASE_OWN_FILES_H

#include "reductio/status.h"

/* Makes the folders that the path goes through, up to its last slash, where they aren't there. RD_ERROR_IO. */
enum rd_status rd_make_own_folders(const char *path, struct rd_error *error);

/* Writes the text to a file in place of what is there; through no link. RD_ERROR_IO. */
enum rd_status rd_write_own_file(const char *path, const char *text, struct rd_error *error);

#endif
