// SPDX-License-Identifier: MIT
/* Functions and variables that a user's files use and that nothing defines: those of other files of the program, and
 * of libraries. Private to link.c. */
#ifndef RD_CHECK_MISSING_H
#define RD_CHECK_MISSING_H

#include "check/check.h"

#include <stdbool.h>

/* The name of a variable in the object of a file of C. */
#define RD_CHECK_OF_C "rd_check_of_c"

struct rd_check_missing {
    bool functions, variables; /* there is one */
};

/* Writes, for what the linker has said, in the file `said`, to be undefined:
 *   - the C file `path`, of what the objects do no more than call: a function that a file of C defines, or that such a file calls,
 *     under the name that the other language gives it, goes on there; each other tells that it is not there, and where it was
 *     called;
 *   - the assembler's file `variables`, of all else: between the symbols rd_check_absent and rd_check_absent_end.
 * RD_ERROR_IO. */
enum rd_status rd_check_missing_write(const char *path, const char *variables, const char *said,
                                      const char (*objects)[RD_CHECK_PATH_SIZE], unsigned n_objects,
                                      struct rd_check_missing *missing, struct rd_error *error);

#endif
