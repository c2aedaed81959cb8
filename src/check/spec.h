// SPDX-License-Identifier: MIT
/* The arguments of a checked kernel: what a SPEC says, and what a kernel's parameter gets of it. */
#ifndef RD_CHECK_SPEC_H
#define RD_CHECK_SPEC_H

#include "device/files.h"
#include "reductio/numeric.h"
#include "reductio/status.h"

enum { RD_CHECK_STRUCT_MAX = 4096 }; /* bytes; CUDA takes no more for all parameters together */

enum rd_check_space {
    RD_CHECK_DEVICE,
    RD_CHECK_HOST,  /* host memory, passed where device memory is wanted */
    RD_CHECK_FREED, /* device memory that is freed before the launch */
};

enum rd_check_fill {
    RD_CHECK_ZERO,
    RD_CHECK_ONE,
    RD_CHECK_IOTA,
    RD_CHECK_PLUS,
    RD_CHECK_MOD,
    RD_CHECK_RANDOM,
    RD_CHECK_UNINIT,
    RD_CHECK_FILE,
};

/* A SPEC as it is written, whatever the kernel. */
struct rd_check_spec {
    const char *text; /* the caller's */
    bool is_buffer;
    /* For a buffer: */
    enum rd_check_space space;
    const struct rd_numeric *numeric; /* as of rd_numeric_of_text */
    size_t count;
    enum rd_check_fill fill;
    uint64_t number; /* K or SEED */
    void *cells;     /* elem[count], of a file; else NULL */
};

/* Reads a SPEC, and the file that it may name. RD_ERROR_USAGE, RD_ERROR_INPUT, RD_ERROR_IO,
 * RD_ERROR_MEMORY; *spec is untouched then. */
enum rd_status rd_check_spec_init(struct rd_check_spec *spec, const char *text,
                                  struct rd_error *error);
void rd_check_spec_finish(struct rd_check_spec *spec);
/* Writes the elements that a buffer begins with; of "uninit", nothing. */
void rd_check_spec_write(const struct rd_check_spec *spec, void *memory);

/* Reads exactly `count` numbers of a type from a file, text or .npy. The caller frees *cells.
 * Errors as rd_check_spec_init. */
enum rd_status rd_check_read(const char *path, const struct rd_numeric *numeric, size_t count,
                             void **cells, struct rd_error *error);

/* One argument, ready for the launch. */
struct rd_check_arg {
    struct rd_device *device;
    const struct rd_check_spec *spec;                      /* the caller's */
    void *memory;                                          /* of a buffer */
    char name[64];                                         /* of the parameter, or its number */
    char what[80];                                         /* as messages call it */
    _Alignas(64) unsigned char bytes[RD_CHECK_STRUCT_MAX]; /* of anything else: its value */
};

/* Makes the argument for parameter `number`, which counts from 0, in the device's memory. `name` is the parameter's,
 * "" where that is unknown. RD_ERROR_USAGE, RD_ERROR_MEMORY; there is nothing of it then. */
enum rd_status rd_check_arg_init(struct rd_check_arg *arg, struct rd_device *device,
                                 const struct rd_check_spec *spec,
                                 const struct rd_file_parameter *parameter, unsigned number,
                                 const char *name, struct rd_error *error);
/* Likewise what a variable of the file begins with: of its pointer's buffer, or its own bytes. */
enum rd_status rd_check_arg_init_symbol(struct rd_check_arg *arg, struct rd_device *device,
                                        const struct rd_check_spec *spec,
                                        const struct rd_file_parameter *type, const char *name,
                                        struct rd_error *error);
/* Returns the address of the argument's value. */
void *rd_check_arg_value(struct rd_check_arg *arg);

#endif
