// SPDX-License-Identifier: MIT
/* Checks a kernel of a user's own file: compiles the file for the simulator, loads it, runs one
 * launch and tells what was found. */
#ifndef RD_CHECK_H
#define RD_CHECK_H

#include "device.h"
#include "sim/scheduler.h"

#include <stdio.h>

enum { RD_CHECK_ARGS_MAX = 64 };

struct rd_check_options {
    const char *file, *kernel;
    struct rd_sim_dim grid, block;
    size_t shared_bytes;
    const char *args[RD_CHECK_ARGS_MAX]; /* specs */
    unsigned n_args;
    const char *const *compiler_args; /* NULL-terminated: -D, -I, -std */
    enum rd_sim_schedule schedule;
    bool all_schedules; /* one run each */
    uint64_t seed, steps;
    unsigned timeout_s, max_errors;
    bool quiet, json;
    int print; /* the argument to print afterwards; -1: none */
};

/* One argument's value. */
struct rd_check_arg {
    bool is_buffer;
    char type[4]; /* of a buffer's elements: "f32" */
    unsigned elem_bytes;
    size_t count;
    void *memory;            /* of a buffer, in the simulator */
    unsigned char bytes[64]; /* of a scalar or a struct */
    char name[64];
};

/* What the kernel itself says of a parameter; as in include/reductio_cuda.hpp. */
struct rd_check_parameter {
    char kind, pointee_kind;
    unsigned size, pointee_size;
};

/* Makes an argument from its spec, for a parameter. RD_ERROR_USAGE, RD_ERROR_MEMORY. */
enum rd_status rd_check_arg_init(struct rd_check_arg *arg, const char *spec,
                                 const struct rd_check_parameter *parameter, unsigned number,
                                 struct rd_error *error);
void rd_check_arg_print(const struct rd_check_arg *arg, FILE *file);

/* Compiles the file into `directory`, which must exist: `library` is the path of the result. Passes
 * on what the compiler has to say, on standard error. RD_ERROR_INPUT where it refuses the file. */
enum rd_status rd_check_compile(const struct rd_check_options *options, const char *directory,
                                char *library, size_t library_size, struct rd_error *error);
/* Removes the directory and what rd_check_compile left there. */
void rd_check_clean(const char *directory);

/* Blanks out each kernel launch, which is no C++: `k<<<g, b>>>(x)` becomes `((void)0)`. Line ends
 * stay. */
void rd_check_blank_launches(char *text);

/* Prepares an object file for the link: puts a zone of nobody's behind each shared variable. Calls
 * `dynamic` with the name of each that is extern. */
enum rd_status rd_check_object_prepare(const char *path,
                                       void (*dynamic)(void *self, const char *name), void *self,
                                       struct rd_error *error);

/* A file that has been loaded. */
struct rd_check_module {
    void *handle;
    void (*thread)(void *const *arguments);
    const struct rd_check_parameter *parameters;
    unsigned n_parameters;
    void *kernel;
};
enum rd_status rd_check_module_load(struct rd_check_module *module, const char *library,
                                    size_t shared_bytes, struct rd_error *error);
/* The name of the kernel's parameter, from the debug information; "" where it is unknown. */
void rd_check_parameter_name(const struct rd_check_module *module, unsigned number, char name[64]);

/* All of it. Returns the exit status. */
int rd_check(const struct rd_check_options *options);

#endif
