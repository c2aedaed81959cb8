// SPDX-License-Identifier: MIT
/* The machine's C++ compiler, the file that it is given, and why it refuses one. Private to compiler.c and its parts,
 * compile.c, unit.c, and prove/syntax/preprocess.c. */
#ifndef RD_CHECK_COMPILER_H
#define RD_CHECK_COMPILER_H

#include "check/check.h"
#include "check/host_names.h"
#include "check/host_pass.h"
#include "check/includes.h"
#include "check/unsimulated.h"
#include "check/rewrite.h"

#include <sys/types.h>

/* A header of the macros that the command line defines. */
#define RD_CHECK_MACROS "reductio_macros.hpp"
/* That of the simulator which comes before all. */
#define RD_CHECK_FIRST "reductio_first.hpp"

/* The headers that a user's file is compiled with, as text: made at build time from include/. */

struct rd_check_header {
    const char *name; /* relative to the include directory */
    const char *text;
};

/* The last has no name. */
extern const struct rd_check_header rd_check_headers[];
extern const char rd_check_headers_digest[];

/* The user's file as the C++ compiler gets it. */

struct rd_annotations;

struct rd_check_unit {
    const struct rd_check_options *options;
    const char *directory; /* where it is written */
    char *text;            /* the user's */
    struct rd_check_functions functions;
    struct rd_check_includes includes;
    struct rd_check_launches launches;
    /* Annotations of the program's files, and of headers, whose code stands in the text; NULL: none. */
    const struct rd_annotations *annotations;
    size_t n_annotations;
    struct rd_check_host_pass pass;           /* of a file whose host code runs */
    const struct rd_check_host_names *marked; /* in the text that only warns of them; else NULL */
    bool is_of_host;                          /* of C++ alone: nothing of it is changed */
    bool removes_features;                    /* what the simulator does not know is left out, */
    struct rd_check_error_lines errors;       /* for the sake of errors in these lines */
    /* A module's: its kernels are launched by their names. */
    bool is_module;
    unsigned n_registered;
    const char *shown;              /* the name that its text has; NULL: that of the file */
    const char *const *expressions; /* names of kernels and variables, n_expressions of them */
    size_t n_expressions;
    struct rd_check_names own;    /* get another name, */
    struct rd_check_names others; /* also these, of headers */
};

/* Reads the file. RD_ERROR_IO, RD_ERROR_INPUT, RD_ERROR_MEMORY; there is nothing to finish then. */
enum rd_status rd_check_unit_init(struct rd_check_unit *unit,
                                  const struct rd_check_options *options, const char *directory,
                                  struct rd_error *error);
void rd_check_unit_finish(struct rd_check_unit *unit);
/* Tells whether the file has a main function. */
bool rd_check_unit_has_main(const struct rd_check_unit *unit);

/* Writes it to the directory's file NAME.cpp: with this kernel named, or without one: NULL. */
enum rd_status rd_check_unit_write(struct rd_check_unit *unit, const char *name, const char *kernel,
                                   struct rd_error *error);

/* Writes the directory's file NAME.cpp, which the compiler refuses at the line of each word that no
 * header declares, line 1 being the first word's. */
enum rd_status rd_check_unit_write_probe(const struct rd_check_unit *unit, const char *name,
                                         const struct rd_check_names *names,
                                         struct rd_error *error);

/* Compiles the unit without a kernel, for the list of those that it has, to `object`; and the directory's file again.cpp to a
 * library. What the compiler says of the first is passed on where it refuses it: RD_ERROR_INPUT. */
enum rd_status rd_check_compile_file(const struct rd_check *check, struct rd_check_unit *unit,
                                     const char *directory, char object[RD_CHECK_PATH_SIZE],
                                     struct rd_error *error);
enum rd_status rd_check_compile_list(const struct rd_check *check, const char *directory,
                                     char library[RD_CHECK_PATH_SIZE], struct rd_error *error);
/* Writes "sum.cu", with quotes, as in C. */
void rd_check_write_quoted(const char *text, FILE *file);

/* Reads a source file: a text in UTF-8, of which the caller gets the lines as they end here, without
 * a byte order mark. The caller frees it. RD_ERROR_IO, RD_ERROR_INPUT, RD_ERROR_MEMORY. */
enum rd_status rd_check_read_source(const char *path, char **text, struct rd_error *error);

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
 * refuses that: compile.c. */
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

/* Writes the expression that names the kernel: "k<float>" is that, "k(int*)" a cast of k. */
void rd_check_kernel_expression(const char *kernel, FILE *file);

/* Reasons why the compiler refuses a file that nvcc would take, and what to do about it. */

struct rd_check_refusal {
    const struct rd_check_unit *unit;
    /* Names that the file declares, and of these what stands in lines with an error. */
    struct rd_check_names declared, names;
    const char *feature; /* what the simulator does not know and an error is about; or NULL */
    char place[256];     /* of it: "line 12", "util.cuh:3" */
    char near[256];      /* the last place of the user's that was named */
    struct rd_check_error_lines errors;
};

/* Looks at what the compiler has said of the directory's file NAME.cpp, made of the unit. */
void rd_check_refusal_init(struct rd_check_refusal *refusal,
                           const struct rd_check_compiler *compiler,
                           const struct rd_check_unit *unit, const char *name);
void rd_check_refusal_finish(struct rd_check_refusal *refusal);

/* Changes the unit so that it may compile; *changed tells whether there was anything to change. */
enum rd_status rd_check_refusal_evade(struct rd_check_refusal *refusal,
                                      const struct rd_check_compiler *compiler,
                                      struct rd_check_unit *unit, bool *changed,
                                      struct rd_error *error);

/* Calls `visit` with each line that the compiler has said of NAME, and the line of a source file
 * that it is about; 0 where it is about another. */
void rd_check_compiler_visit(const struct rd_check_compiler *compiler, const char *name,
                             const char *source,
                             void (*visit)(void *self, const char *said, unsigned line),
                             void *self);

#endif
