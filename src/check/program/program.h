// SPDX-License-Identifier: MIT
/* Runs a user's CUDA program whole: compiles its files for the simulator, runs its main function in a process of its own, and
 * tells what was found. */
#ifndef RD_CHECK_PROGRAM_H
#define RD_CHECK_PROGRAM_H

#include "check/annotation/annotation.h"
#include "check/kernel/check.h"
#include "reductio/values.h"

enum { RD_CHECK_FILES_MAX = 200 };

struct rd_annotations;
struct rd_check_laws;

struct rd_check_program_options {
    /* `jobs` of 0: one. Beside a document, the program's own output goes to standard error. */
    struct rd_check_common_options common;
    /* The device's name, or "auto": a GPU where one and nvcc are there, else the simulator. */
    const char *device;
    const char *const *files; /* n_files of them, at least 1 */
    unsigned n_files;
    const char *const *compiler_args;  /* NULL-terminated: -D, -I, -std */
    const char *const *libraries;      /* NULL-terminated: -l, -L */
    const char *const *nvcc_args;      /* NULL-terminated: options for nvcc itself, */
    const char *const *nvcc_libraries; /* and those for its linker */
    bool hazards_off;                  /* no simulator runs beside a GPU */
    char **arguments;                  /* NULL-terminated, of the program, behind its name */
    bool one_order;                    /* launches run in `order` alone */
    enum rd_order order;
    /* Number of schedules that launches whose threads communicate are run under; 0: RD_SCHEDULES_TRIED, as far as
     * time allows. */
    unsigned n_schedules;
    bool expect_nondeterminism; /* a result that depends on the schedule is no hazard */
    unsigned n_devices;         /* that the program sees */
    /* Values of the inputs that laws add up, as of rd_values_init(); NULL: the program's own. */
    const char *values;
    /* Numbers that variables are set to in place of their own. */
    const struct rd_annotation_number *numbers;
    size_t n_numbers;
    const char *trace; /* the file for that of an annotated loop; NULL: none */
    size_t trace_cells;
    const struct rd_observer *last; /* optional: sees the run of that loop, too */
};

/* Returns the exit status. */
int rd_check_program(const struct rd_check_program_options *options);

/* ---- compile.c ---- */

/* Files that the program may load as modules: those with kernels and without main(). */
struct rd_check_modules {
    struct rd_check_module {
        const char *file;
        char library[RD_CHECK_PATH_SIZE], image[RD_CHECK_PATH_SIZE];
    } all[RD_CHECK_FILES_MAX];
    size_t n;
};

/* Compiles all files, with their annotations and those of headers, into `directory`, which must exist; `library` is
 * the path of the result, *main_file the one of the files that has the main function. Passes on what the compiler has
 * to say, on standard error. RD_ERROR_INPUT where it refuses a file, or none has a main function. */
enum rd_status rd_check_program_compile(const struct rd_check_program_options *options,
                                        const struct rd_annotations *annotations,
                                        size_t n_annotations, const struct rd_device_ops *device,
                                        const char *directory, char library[RD_CHECK_PATH_SIZE],
                                        const char **main_file, struct rd_check_modules *modules,
                                        struct rd_error *error);

/* Removes the directory and all that was made there. */
void rd_check_program_clean(const char *directory, unsigned n_files);

/* ---- child.c ---- */

/* Values for the input at an annotation. */
struct rd_check_given {
    unsigned site;
    const void *values;
    const void *own; /* what it holds there with the program's own inputs; NULL: not known */
    size_t size_bytes;
};
enum { RD_CHECK_GIVEN_MAX = 16 };

/* A program that is to be run in this process, which it may end. */
struct rd_check_program_run {
    const struct rd_check_program_options *options;
    const struct rd_device_ops *device;
    const char *directory, *library, *main_file;
    const struct rd_check_modules *modules;
    const char *gpu_program; /* made by nvcc, to be run in place of the library; NULL: none */
    FILE *recording;         /* of what happens: recording.h */
    char seal
        [RD_CHECK_SEAL_SIZE]; /* of this run: stands in the events of annotations and of the end */
    const struct rd_check_laws *laws;
    bool has_laws_in_kernels;
    struct rd_check_given given[RD_CHECK_GIVEN_MAX]; /* values for inputs, instead of their own */
    unsigned n_given;
    bool silent;                 /* the program's output is not wanted */
    bool one_order;              /* all launches run */
    struct rd_schedule schedule; /* under this one alone */
};

/* ---- module.c ---- */

/* As in struct rd_file_program, in the process of the program that this is the run of. */
struct rd_file_compile;
enum rd_status rd_check_program_module(const struct rd_check_program_run *run,
                                       struct rd_file_compile *compile, struct rd_error *error);

/* ---- values.c ---- */

struct rd_check_values {
    struct rd_values all[RD_CHECK_GIVEN_MAX];
    void *own[RD_CHECK_GIVEN_MAX]; /* what these inputs hold in the program's own run */
    unsigned n;
    char names[200]; /* of the inputs: "a, b" */
};
/* Makes values for the inputs that have been recorded, as many as each has elements, and has the run give them.
 * RD_ERROR_USAGE: there is no such input, or these are no values for it; other errors as of rd_values_init(). The
 * caller finishes them, also after an error. */
enum rd_status rd_check_values_init(struct rd_check_values *values, const char *spec,
                                    const struct rd_check_laws *laws,
                                    struct rd_check_program_run *run, struct rd_error *error);
void rd_check_values_finish(struct rd_check_values *values);

/* ---- threads.c ---- */

/* From now on the device is told of this process's new threads. */
void rd_check_program_threads(struct rd_device *device);

/* The program's name and its arguments; NULL where there is no memory. */
char **rd_check_program_arguments(const struct rd_check_program_run *run, int *argc);
_Noreturn void rd_check_program_child(const struct rd_check_program_run *run);

#endif
