// SPDX-License-Identifier: MIT
/* Commands, flags and messages of the C++ compiler, and the linking. Private to this folder. */
#ifndef RD_CHECK_COMPILER_INTERNAL_H
#define RD_CHECK_COMPILER_INTERNAL_H

#include "base/cache_folder.h"
#include "check/compiler/compiler.h"

#include <sys/types.h>

/* ---- command.c ---- */

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

/* ---- flags.c ---- */

/* Adds what the compiler is told for that build, and the user's own options. */
void rd_check_compiler_add_options(struct rd_check_command *command,
                                   const struct rd_check_compiler *compiler,
                                   enum rd_check_build build);

/* Writes the macros of the command line to the directory's RD_CHECK_MACROS, as directives, in their order: they are for the
 * file, and not for the simulator's headers before it. RD_ERROR_IO. */
enum rd_status rd_check_compiler_write_macros(const struct rd_check_compiler *compiler,
                                              struct rd_error *error);

/* ---- precompiled.c: precompiled headers of GCC, as to read the simulator's takes it far longer than most users' files ---- */

enum { RD_CHECK_PRECOMPILED_SIZE = RD_CACHE_PATH_SIZE + 96 };

/* Finds a precompiled header of RD_CHECK_FIRST under these options, `words` from the compiler's name on; makes it from the second
 * request on, beside the headers, if these are in the cache. `folder` is then the folder to name first, by -iquote. False where
 * there is none that may be taken, as where one of the user's folders has a header by the name of one that was read. No error keeps
 * it from that, but *rd_interruption() is to be looked at. */
bool rd_check_precompiled_find(const struct rd_check_compiler *compiler, const char *const *words,
                               size_t n_words, const char *headers,
                               char folder[RD_CHECK_PRECOMPILED_SIZE]);

/* ---- messages.c ---- */

/* A place in a line of a message, "sum.cu:12:3". */
struct rd_check_place {
    const char *path;
    size_t length;         /* of the path */
    unsigned line, column; /* from 1; column 0: none is named */
};

/* An error, a warning or a note, with the lines before it that say how the compiler came there, and behind it those that quote
 * the source. All are numbers of lines of what was said, the last exclusive. */
struct rd_check_message {
    size_t head, line, end;
    struct rd_check_place place;
    const char *text; /* "expected ';' before 'return'" */
    bool is_error, is_note;
};

struct rd_check_messages {
    char *said, **lines;
    size_t n_lines;
    struct rd_check_message *all;
    size_t n;
};

/* Reads the directory's file NAME.txt; empty where that can't be read. The caller finishes it. */
void rd_check_messages_init(struct rd_check_messages *messages,
                            const struct rd_check_compiler *compiler, const char *name);
void rd_check_messages_finish(struct rd_check_messages *messages);

/* Reads the place at the start of a line, behind blanks and "from "; `*behind` is behind its colon. False: there is none. */
bool rd_check_place_read(struct rd_check_place *place, const char *line, const char **behind);
bool rd_check_place_is_same(const struct rd_check_place *a, const struct rd_check_place *b);

/* ---- errors.c ---- */

/* Tells on standard error what has been said of NAME: each error once, at a line of the user's, and what it is about a launch
 * without what the launch is made of. Errors that follow from a bracket that nothing closes are told as that one. */
void rd_check_compiler_errors_tell(const struct rd_check_compiler *compiler, const char *name);

/* ---- brackets.c: brackets and quotation marks that nothing closes, in a text that the compiler has refused for it ---- */

struct rd_check_unclosed {
    const char *open;   /* the bracket or quotation mark */
    const char *before; /* where it should have been closed at the latest; NULL: the text's end */
};

/* Finds the first that nothing closes; of a brace, by the indentation of what closes it instead. Of the branches of an #if, the
 * first is read. False where all are closed. */
bool rd_check_unclosed_find(struct rd_check_unclosed *unclosed, const char *text);

/* ---- missing.c: functions and variables that a user's files use and that nothing defines: those of other files of the program, and of
 * libraries ---- */

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
