// SPDX-License-Identifier: MIT
/* The arguments of a checked kernel: what a SPEC says, and what a kernel's parameter gets of it. */
#ifndef RD_CHECK_SPEC_H
#define RD_CHECK_SPEC_H

#include "device/files.h"
#include "reductio/numeric.h"
#include "reductio/status.h"

enum {
    RD_CHECK_STRUCT_MAX = 4096, /* bytes; CUDA takes no more for all parameters together */
    RD_CHECK_NAME_SIZE = 64,
    RD_CHECK_BUFFERS_MAX = 256
};

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
    RD_CHECK_ALL,       /* each is the number */
    RD_CHECK_ALTERNATE, /* 0, -1, 2, -3 */
    RD_CHECK_WITNESS,   /* 2^i */
    RD_CHECK_UNINIT,
    RD_CHECK_FILE,
};

/* A SPEC as it is written, whatever the kernel. */
struct rd_check_spec {
    char *text;                      /* without the name */
    char name[RD_CHECK_NAME_SIZE];   /* "p" of "p=..."; of a member "p.x"; "" without one */
    char member[RD_CHECK_NAME_SIZE]; /* of a struct's: its name there; "" without one */
    bool is_buffer;
    /* For a buffer: */
    enum rd_check_space space;
    const struct rd_numeric *numeric; /* as of rd_numeric_of_text */
    size_t count;
    enum rd_check_fill fill;
    bool negative;   /* K is */
    uint64_t number; /* K or SEED; of RD_CHECK_ALL the bits */
    void *cells;     /* elem[count], of a file; else NULL */
    unsigned index;  /* among all buffers of the check: see rd_check_specs_list */
    /* For a pointer into a buffer that has a name: */
    const struct rd_check_spec *target; /* that; NULL: it is none */
    int64_t shift;                      /* elements from its start */
    /* For a struct that is given by its members: */
    bool is_struct;
    struct rd_check_spec *members;
    unsigned n_members;
};

/* Reads a SPEC, and the file that it may name. `label` is its name unless it gives one. RD_ERROR_USAGE, RD_ERROR_INPUT,
 * RD_ERROR_IO, RD_ERROR_MEMORY; *spec is untouched then. */
enum rd_status rd_check_spec_init(struct rd_check_spec *spec, const char *text, const char *label,
                                  struct rd_error *error);
void rd_check_spec_finish(struct rd_check_spec *spec);
/* Writes the elements that a buffer begins with; of "uninit", nothing. */
void rd_check_spec_write(const struct rd_check_spec *spec, void *memory);
size_t rd_check_spec_bytes(const struct rd_check_spec *spec);

/* All buffers of some SPECs, and of structs in them, in their order. */
struct rd_check_buffers {
    struct rd_check_buffer {
        const struct rd_check_spec *spec;
        unsigned argument; /* which SPEC it is, or is in */
    } all[RD_CHECK_BUFFERS_MAX];
    unsigned n;
};

/* Adds those of the SPECs, and gives each its index. RD_ERROR_USAGE: there are too many, or two of one name. */
enum rd_status rd_check_specs_list(struct rd_check_spec *specs, unsigned n,
                                   struct rd_check_buffers *buffers, struct rd_error *error);
/* Finds the buffers by name that SPECs point into: "buf", "buf+3". RD_ERROR_USAGE: beyond its ends. */
enum rd_status rd_check_specs_resolve(struct rd_check_spec *specs, unsigned n,
                                      const struct rd_check_buffers *buffers,
                                      struct rd_error *error);
/* Returns the buffer of that name; NULL: there is none. */
const struct rd_check_buffer *rd_check_buffer_named(const struct rd_check_buffers *buffers,
                                                    const char *name, size_t length);

/* Reads exactly `count` numbers of a type from a file, text or .npy. The caller frees *cells.
 * Errors as rd_check_spec_init. */
enum rd_status rd_check_read(const char *path, const struct rd_numeric *numeric, size_t count,
                             void **cells, struct rd_error *error);

/* ---- argument.c ---- */

/* Memory of a check's buffers in the process of a run. */
struct rd_check_memories {
    void *all[RD_CHECK_BUFFERS_MAX];                      /* by index */
    char names[RD_CHECK_BUFFERS_MAX][RD_CHECK_NAME_SIZE]; /* as findings call them */
    struct rd_file_parameter types[RD_CHECK_BUFFERS_MAX]; /* of a pointer to it; kind 0: unknown */
};

/* One argument, ready for the launch. */
struct rd_check_arg {
    struct rd_device *device;
    const struct rd_check_spec *spec; /* the caller's */
    struct rd_check_memories *memories;
    unsigned number;                                       /* of the parameter */
    void *memory;                                          /* of a pointer into a buffer */
    char name[RD_CHECK_NAME_SIZE];                         /* of the parameter, or its number */
    char what[120];                                        /* as messages call it */
    _Alignas(64) unsigned char bytes[RD_CHECK_STRUCT_MAX]; /* of anything else: its value */
};

/* Makes the buffers of the argument for parameter `number`, which counts from 0, in the device's memory. `name` is the
 * parameter's, "" where that is unknown. Findings call a buffer by the SPEC's own name before that. RD_ERROR_MEMORY. */
enum rd_status rd_check_arg_alloc(struct rd_check_arg *arg, struct rd_device *device,
                                  const struct rd_check_spec *spec,
                                  struct rd_check_memories *memories, unsigned number,
                                  const char *name, struct rd_error *error);
/* Makes its value, once all arguments have their buffers. RD_ERROR_USAGE, RD_ERROR_MEMORY; there is nothing of it then. */
enum rd_status rd_check_arg_make(struct rd_check_arg *arg,
                                 const struct rd_file_parameter *parameter, struct rd_error *error);
/* Both, of what a variable of the file begins with: of its pointer's buffer, or its own bytes. */
enum rd_status rd_check_arg_init_symbol(struct rd_check_arg *arg, struct rd_device *device,
                                        const struct rd_check_spec *spec,
                                        struct rd_check_memories *memories,
                                        const struct rd_file_parameter *type, const char *name,
                                        struct rd_error *error);
/* Returns the address of the argument's value. */
void *rd_check_arg_value(struct rd_check_arg *arg);

#endif
