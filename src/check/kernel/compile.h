// SPDX-License-Identifier: MIT
/* Compiles a file for one of its kernels, or for the list of them. */
#ifndef RD_CHECK_COMPILE_H
#define RD_CHECK_COMPILE_H

#include "check/compiler/compiler.h"
#include "check/kernel/check.h"

/* Compiles the file into `directory`, which must exist: `library` is the path of the result. Passes
 * on what the compiler has to say, on standard error. RD_ERROR_INPUT where it refuses the file.
 * check->private_library is made on the way, its path in `private_library`, if it can be. */
enum rd_status rd_check_compile(struct rd_check *check, const char *directory,
                                char library[RD_CHECK_PATH_SIZE],
                                char private_library[RD_CHECK_PATH_SIZE], struct rd_error *error);
/* The same file once more, for something else. */
enum rd_status rd_check_compile_again(const struct rd_check *check, const char *directory,
                                      enum rd_check_build build, char library[RD_CHECK_PATH_SIZE],
                                      struct rd_error *error);
/* Removes the directory and what rd_check_compile left there. */
void rd_check_clean(const char *directory);

/* Compiles the unit without a kernel, for the list of those that it has, to `object`; and the directory's file again.cpp to a
 * library. What the compiler says of the first is passed on where it refuses it: RD_ERROR_INPUT. */
enum rd_status rd_check_compile_file(const struct rd_check *check, struct rd_check_unit *unit,
                                     const char *directory, char object[RD_CHECK_PATH_SIZE],
                                     struct rd_error *error);
enum rd_status rd_check_compile_list(const struct rd_check *check, const char *directory,
                                     char library[RD_CHECK_PATH_SIZE], struct rd_error *error);

#endif
