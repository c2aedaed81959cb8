// SPDX-License-Identifier: MIT
/* Functions that a user's files call and that nothing defines: those of other files of the program, and of libraries. Private to
 * link.c. */
#ifndef RD_CHECK_MISSING_H
#define RD_CHECK_MISSING_H

#include "check/check.h"

#include <stdbool.h>

/* The name of a variable in the object of a file of C. */
#define RD_CHECK_OF_C "rd_check_of_c"

/* Writes the C file `path`: functions in place of those that the linker has said, in the file `said`, to be undefined, as far as
 * the objects do no more than call them: one that a file of C defines, or that such a file calls, under the name that the other language
 * gives it, goes on there; each other tells that it is not there, and where it was called. *any tells whether there is
 * one. RD_ERROR_IO; RD_ERROR_DEVICE, of a symbol that may be a variable. */
enum rd_status rd_check_missing_write(const char *path, const char *said,
                                      const char (*objects)[RD_CHECK_PATH_SIZE], unsigned n_objects,
                                      bool *any, struct rd_error *error);

#endif
