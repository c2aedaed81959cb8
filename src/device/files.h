// SPDX-License-Identifier: MIT
/* Kernels of a file that is loaded: of a user's CUDA, compiled for a device. A device that runs such has `files` among its ops.
 * Whatever such a file does may end the process: each launch has one of its own, in which the device loads one file. */
#ifndef RD_DEVICE_FILES_H
#define RD_DEVICE_FILES_H

#include "device/schedule.h"
#include "reductio/device.h"

#include <limits.h>

enum { RD_FILE_JOBS_MAX = 256 }; /* processes that share the blocks of a launch */

/* Memory that a pointer of the kernel's leads to. */
struct rd_file_buffer {
    size_t size_bytes;
    const char *name;    /* as findings call it; copied, as is: */
    const char *type;    /* of its elements, "f32" */
    unsigned elem_bytes; /* of one */
    bool is_host;        /* host memory, passed where device memory is wanted */
    bool is_freed;       /* before the launch */
    bool is_unset;       /* nobody has written it */
    void (*fill)(const void *self, void *memory); /* writes what it begins with */
    const void *self;
};

/* The kinds of CUDA's floats of 16 bits, which are structs; of all others see below. */
enum { RD_FILE_KIND_F16 = 'h', RD_FILE_KIND_BF16 = 'n' };

/* A parameter as the kernel declares it; as in src/check/include/reductio_kernel.hpp. */
struct rd_file_parameter {
    char
        kind; /* p pointer, i signed, u unsigned, f floating, b boolean, h __half, n __nv_bfloat16, s anything else */
    char pointee_kind; /* of a pointer; v for void, s also for integers of more than 8 bytes */
    unsigned size, pointee_size; /* bytes; 0 for void */
    const unsigned char
        *bytes; /* of a struct that is pointed to, 0 where it has padding; or NULL */
};

/* A file that is to be loaded. All must stay. */
struct rd_file_source {
    const char *library;   /* compiled and linked for the device */
    const char *file;      /* the user's, told as it is written here */
    const char *directory; /* no lines of files in it are told */
    bool is_private;       /* it was built to be looked at for local variables */
    size_t shared_bytes;   /* of dynamic shared memory, which the kernel's launch has */
    void (*restore)(
        char *name); /* puts the user's name in the place of one that it got for the compiler */
    char *(*demangle)(
        const char *symbol); /* the name of a symbol of C++, for the caller to free; NULL: none */
};

/* A file that has been loaded, and its kernel. */
struct rd_file {
    const struct rd_file_parameter *parameters;
    unsigned n_parameters;
    size_t static_bytes;      /* of shared variables that the kernel itself has */
    unsigned n_launches;      /* of it, in the file */
    bool asks_for_shared;     /* the file calls cudaFuncSetAttribute */
    bool multiplies_and_adds; /* floats, each rounded by itself */
    unsigned threads_max;     /* __launch_bounds__ of the kernel; 0 where it has none */
    const char *host_sets;    /* a line NAME@FILE:LINE for each variable that host code may set */
};

/* A variable of the file. */
struct rd_file_variable {
    const char *symbol;
    uint64_t value; /* in the file */
    uintptr_t address;
    size_t size_bytes;
    bool is_shared, is_constant; /* in shared memory; in memory that nobody can write */
};

/* Its type, of the debug information. */
struct rd_file_type {
    bool is_known;
    char type[8]; /* of its elements: "f32"; "" where they are no numbers */
    unsigned elem_bytes;
    bool is_array, is_pointer, is_boolean; /* the latter two of its elements */
    char pointee[4];                       /* what such pointers lead to, as type */
};

enum rd_file_ending {
    RD_FILE_COMPLETED,
    RD_FILE_TIMEOUT,
    RD_FILE_CRASH,
    RD_FILE_FAILED,
    RD_FILE_INEXACT, /* it is to be made again, as an exact launch */
};

/* One launch, that of the process. */
struct rd_file_launch {
    struct rd_index3 grid, block;
    size_t shared_bytes, heap_bytes; /* a heap of 0: the default */
    void *const *arguments;          /* of each parameter, where its value is */
    struct rd_schedule schedule;
    bool exact;         /* all that orders threads is looked at, at some cost */
    uint64_t steps_max; /* accesses of a thread between two barriers; 0: a default */
    unsigned jobs;      /* 0: one process; RD_FILE_JOBS_AUTO: as many as are worth their while */
    unsigned timeout_s;
    /* Who is told, which may be in a signal handler: */
    void *self;
    /* One of a grid; `kernel` is NULL of the launch's own, and else that which a kernel has launched. */
    void (*found)(void *self, const char *kernel, const struct rd_finding *finding);
    /* A grid that a kernel has launched has ended. */
    void (*launched)(void *self, const char *kernel, uint64_t threads);
    /* Tells whether a kernel may launch such a grid: RD_ERROR_LAUNCH. */
    enum rd_status (*allows)(void *self, struct rd_index3 grid, struct rd_index3 block,
                             size_t shared_bytes, struct rd_error *error);
    /* The process can't go on, and must be ended: for an error, or where `last` was found. */
    void (*over)(void *self, enum rd_file_ending ending, const char *error,
                 const struct rd_finding *last);
};
#define RD_FILE_JOBS_AUTO UINT_MAX

/* The launch so far, with all grids. */
struct rd_file_state {
    uint64_t threads;           /* that have begun */
    bool communicates;          /* threads of some grid have, or have launched another one; */
    bool last_communicates;     /* those of the last grid */
    bool took_mask, took_clock; /* which changes by itself */
    const char *outdated;       /* a warp function of before CUDA 9, and where; NULL: none */
    const char *outdated_file;
    unsigned outdated_line;
};

struct rd_file_ops {
    /* ---- building a file for the device ---- */

    const char *link_option; /* with which it is linked */
    const char
        *private_shadow; /* in hex: where in memory the address sanitizer's shadow is to be */
    /* Prepares an object file for the link: puts a zone of nobody's behind each shared variable. Calls
     * `dynamic` with the name of each that is extern. RD_ERROR_IO. */
    enum rd_status (*prepare)(const char *path, void (*dynamic)(void *self, const char *name),
                              void *self, struct rd_error *error);
    /* Calls `kernel` with the symbol of each kernel of an object file, or of what was linked of it, but those
     * made of templates. */
    void (*kernels)(const char *path, void (*kernel)(void *self, const char *name), void *self);

    /* ---- telling of a launch ---- */

    /* The rule that a hazard of this kind breaks, and the usual cure; "" of those that the device doesn't see. */
    const char *(*lesson)(enum rd_hazard_kind kind);

    /* ---- memory, whose addresses are those of the process ---- */

    /* RD_ERROR_MEMORY, without a message. */
    enum rd_status (*alloc)(struct rd_device *device, const struct rd_file_buffer *buffer,
                            void **memory);
    /* An address that leads to no memory, and is passed under this name. */
    void (*given)(struct rd_device *device, const void *address, const char *name);
    /* What parameter `number` points to begins here. */
    void (*passed)(struct rd_device *device, const void *memory, unsigned number);
    /* A variable is uninitialised because host code, which does not run, sets it at a place, "x.cu:12", that stays; NULL
     * where that is not why. The other way round, so much of it has been given. */
    void (*forget)(struct rd_device *device, uintptr_t address, size_t size_bytes,
                   const char *set_at);
    void (*give)(struct rd_device *device, uintptr_t address, size_t size_bytes);

    /* ---- the file ---- */

    /* Loads it. RD_ERROR_INPUT, RD_ERROR_MEMORY. */
    enum rd_status (*load)(struct rd_device *device, const struct rd_file_source *source,
                           const struct rd_file **file, struct rd_error *error);
    /* The name of the kernel's parameter; "" where it is unknown. */
    void (*parameter_name)(struct rd_device *device, unsigned number, char name[64]);
    void (*variables)(struct rd_device *device,
                      void (*visit)(void *self, const struct rd_file_variable *variable),
                      void *self);
    struct rd_file_type (*type_of)(struct rd_device *device,
                                   const struct rd_file_variable *variable);

    /* ---- the launch ---- */

    /* Launches the kernel, and all that it launches. RD_ERROR_MEMORY, RD_ERROR_DEVICE. */
    enum rd_status (*launch)(struct rd_device *device, const struct rd_file_launch *launch,
                             struct rd_error *error);
    /* Also before the launch, and in a signal handler. */
    struct rd_file_state (*state)(struct rd_device *device);
    /* A cell holds something else than after another launch, by an uninitialised local variable: a finding, if somebody has
     * accessed it. */
    void (*differs)(struct rd_device *device, const void *before, const void *after,
                    size_t size_bytes);
    /* Tells what was found, once and after all else. Also before the launch, and in a signal handler. */
    void (*tell)(struct rd_device *device);
};

/* The first of the devices that runs such files, or the one of that name, "auto" being no name: in the process that asks for it.
 * RD_ERROR_USAGE for one that runs none, and for a name that is none of theirs. */
enum rd_status rd_files_find(const struct rd_device_ops *const *devices, const char *name,
                             const struct rd_device_ops **found, struct rd_error *error);

#endif
