// SPDX-License-Identifier: MIT
/* The machine's C++ compiler. Private to compile.c, unit.c and kernels.c. */
#ifndef RD_CHECK_COMPILER_H
#define RD_CHECK_COMPILER_H

#include "check/check.h"

#include <sys/types.h>

struct rd_check_compiler {
    char text[RD_CHECK_PATH_SIZE]; /* $CXX, or "g++" */
    const char *words[16];         /* of the text: the program and its first arguments */
    unsigned n_words;
    unsigned gcc, clang;   /* its version, as one of both; else 0 */
    const char *directory; /* where all files are */
    const struct rd_check_options *options;
};

/* Finds out which compiler there is. RD_ERROR_DEVICE where it can't be run. */
enum rd_status rd_check_compiler_init(struct rd_check_compiler *compiler,
                                      const struct rd_check_options *options, const char *directory,
                                      struct rd_error *error);

/* Whether local variables can be filled. */
bool rd_check_compiler_fills(const struct rd_check_compiler *compiler);

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

/* Links the directory's NAME.o and NAME.s to NAME.so. What the linker says goes to NAME.txt. */
enum rd_status rd_check_compiler_link(const struct rd_check_compiler *compiler, const char *name,
                                      struct rd_error *error);

/* Calls `visit` with each line that the compiler has said of NAME, and the line of a source file
 * that it is about; 0 where it is about another. */
void rd_check_compiler_visit(const struct rd_check_compiler *compiler, const char *name,
                             const char *source,
                             void (*visit)(void *self, const char *said, unsigned line),
                             void *self);

/* Passes on what has been said of NAME, on standard error. */
void rd_check_compiler_pass_on(const struct rd_check_compiler *compiler, const char *name);

/* ---- kernels.c ---- */

/* Writes the expression that names the kernel: "k<float>" is that, "k(int*)" a cast of k. */
void rd_check_kernel_expression(const char *kernel, FILE *file);

/* The file does not compile with its kernel named. Compiles NAME.cpp, the file without its kernel.
 * RD_OK where just one kernel has that name: `full` is it with its parameters, as the C library may
 * have a function of the name, too. RD_ERROR_INPUT otherwise, and why, of the kernel or of the
 * file. */
enum rd_status rd_check_kernel_explain(const struct rd_check_compiler *compiler, const char *name,
                                       char *full, size_t full_size, struct rd_error *error);

#endif
