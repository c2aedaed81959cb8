// SPDX-License-Identifier: MIT
/* The machine's C++ compiler: which it is, how it compiles and links, and what it says. */
#ifndef RD_CHECK_COMPILER_H
#define RD_CHECK_COMPILER_H

#include "check/unit/unit.h"

#include <sys/types.h>

/* Purpose of a build: to be run, or to look at local variables, which are filled with zeros, or otherwise; or only to hear
 * what the compiler warns of. */
enum rd_check_build {
    RD_CHECK_BUILD_PLAIN,
    RD_CHECK_BUILD_PLAIN_OTHERWISE,
    RD_CHECK_BUILD_PRIVATE,
    RD_CHECK_BUILD_PRIVATE_OTHERWISE,
    RD_CHECK_BUILD_WARNINGS,
};

struct rd_check_compiler {
    char text[RD_CHECK_PATH_SIZE]; /* $CXX, or "g++" */
    const char *words[16];         /* of the text: the program and its first arguments */
    unsigned n_words;
    unsigned gcc, clang;   /* its version, as one of both; else 0 */
    const char *directory; /* where all files are */
    const struct rd_check_options *options;
    const struct rd_file_ops *files;          /* of the device that it is compiled for */
    bool is_of_host;                          /* what is compiled has nothing to do with CUDA, */
    bool is_c;                                /* and is compiled as C */
    const struct rd_check_unit *unit;         /* what is compiled; NULL: no file of the user's */
    const struct rd_annotations *annotations; /* of what is compiled; NULL: none */
    size_t n_annotations;
    char shadow[64]; /* the option that says where the shadow of local variables is */
};

/* Sets the words alone, and returns what they are of. */
const char *rd_check_compiler_name(struct rd_check_compiler *compiler);

/* Finds out which compiler there is. RD_ERROR_DEVICE where it can't be run. */
enum rd_status rd_check_compiler_init(struct rd_check_compiler *compiler,
                                      const struct rd_check_options *options,
                                      const struct rd_device_ops *device, const char *directory,
                                      struct rd_error *error);

/* Tells whether local variables can be filled. */
bool rd_check_compiler_fills(const struct rd_check_compiler *compiler);

/* Compiles the unit, which has been written to the directory's file NAME.cpp, to NAME.o, in other ways where the compiler
 * refuses that: refusal.c. */
enum rd_status rd_check_compile_unit(const struct rd_check_compiler *compiler,
                                     struct rd_check_unit *unit, const char *name,
                                     struct rd_error *error);

/* Starts to compile the directory's file SOURCE.cpp to NAME.o, and waits for its end. What the compiler says
 * goes to the directory's file NAME.txt. RD_ERROR_INPUT where it refuses. */
enum rd_status rd_check_compiler_start(const struct rd_check_compiler *compiler, const char *source,
                                       const char *name, enum rd_check_build build, pid_t *process,
                                       struct rd_error *error);
enum rd_status rd_check_compiler_wait(const struct rd_check_compiler *compiler, pid_t process,
                                      struct rd_error *error);
/* Both, of NAME.cpp, and plain. */
enum rd_status rd_check_compiler_compile(const struct rd_check_compiler *compiler, const char *name,
                                         struct rd_error *error);

/* Has the compiler look at the directory's file NAME.cpp, for what it warns of. */
enum rd_status rd_check_compiler_warn(const struct rd_check_compiler *compiler, const char *name,
                                      struct rd_error *error);

/* Links the directory's objects, each without its .o, and NAME.s to NAME.so, with these options for libraries, up to NULL.
 * What the linker says goes to NAME.txt. */
enum rd_status rd_check_compiler_link(const struct rd_check_compiler *compiler, const char *name,
                                      const char *const *objects, unsigned n_objects,
                                      const char *const *libraries, struct rd_error *error);
/* Prepares the objects, writes NAME.s and links it all: link.c. */
enum rd_status rd_check_link(const struct rd_check_compiler *compiler, const char *name,
                             const char *const *objects, unsigned n_objects,
                             const char *const *libraries, struct rd_error *error);

/* Runs a command, up to NULL, and waits for its end. What it says goes to the file `said`. RD_ERROR_INPUT where it fails,
 * RD_ERROR_DEVICE where it can't be run. */
enum rd_status rd_check_command_run(const char *const *words, const char *said,
                                    struct rd_error *error);

/* NAME.cpp has been refused: says in `error` which header it lacks, where there is one; passes on what else has been said, and
 * then leaves `error` as it is. */
void rd_check_compiler_explain(const struct rd_check_compiler *compiler, const char *name,
                               struct rd_error *error);
/* Passes on what has been said of NAME, on standard error. */
void rd_check_compiler_pass_on(const struct rd_check_compiler *compiler, const char *name);

/* Calls `visit` with each line that the compiler has said of NAME, and the line of a source file
 * that it is about; 0 where it is about another. */
void rd_check_compiler_visit(const struct rd_check_compiler *compiler, const char *name,
                             const char *source,
                             void (*visit)(void *self, const char *said, unsigned line),
                             void *self);

/* Makes a folder of our own in that of temporary files; RD_ERROR_IO. */
enum rd_status rd_check_make_directory(char directory[256], struct rd_error *error);

#endif
