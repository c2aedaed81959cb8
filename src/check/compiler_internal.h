// SPDX-License-Identifier: MIT
/* Private to compiler.c and its parts: commands, and the options of the C++ compiler. */
#ifndef RD_CHECK_COMPILER_INTERNAL_H
#define RD_CHECK_COMPILER_INTERNAL_H

#include "check/compiler.h"

#include <sys/types.h>

/* ---- compiler_command.c ---- */

enum { RD_CHECK_COMMAND_MAX = 700 };

struct rd_check_command {
    const char *words[RD_CHECK_COMMAND_MAX + 1];
    unsigned n;
};

/* Adds a word, if there is room for it; all words up to NULL, or none of NULL. */
void rd_check_command_add(struct rd_check_command *command, const char *word);
void rd_check_command_add_all(struct rd_check_command *command, const char *const *words);

/* Starts the command, with its output and its errors in the file `said`, and with all that it starts in a group of its own.
 * RD_ERROR_DEVICE where it can't be run. */
enum rd_status rd_check_command_start(const struct rd_check_command *command, const char *said,
                                      pid_t *process, struct rd_error *error);
/* Waits for its end. RD_ERROR_INPUT where it fails, RD_ERROR_INTERRUPTED; RD_ERROR_DEVICE. */
enum rd_status rd_check_command_finish(const char *program, pid_t process, struct rd_error *error);

/* ---- compiler_options.c ---- */

/* Adds what the compiler is told for that build, and the user's own options. */
void rd_check_compiler_add_options(struct rd_check_command *command,
                                   const struct rd_check_compiler *compiler,
                                   enum rd_check_build build);

/* Writes the macros of the command line to the directory's RD_CHECK_MACROS, as directives, in their order: they are for the
 * file, and not for the simulator's headers before it. RD_ERROR_IO. */
enum rd_status rd_check_compiler_write_macros(const struct rd_check_compiler *compiler,
                                              struct rd_error *error);

#endif
