// SPDX-License-Identifier: MIT
/* Kernels of a user's CUDA file, compiled for a device and loaded. A device that runs them has `files` among its ops.
 * They may end the process: each launch has a process of its own, in which the device loads one file. */
#ifndef RD_DEVICE_FILES_H
#define RD_DEVICE_FILES_H

#include "device/schedule.h"
#include "reductio/device.h"

#include <limits.h>
#include <stdio.h>

/* Limit on the processes that share the blocks of a launch; and as many as there are cores, as soon as that pays. */
enum { RD_LAUNCH_JOBS_MAX = 256 };
#define RD_LAUNCH_JOBS_AUTO UINT_MAX

/* Ends the name of a library that holds the variables which nothing defines: no more than addresses. */
#define RD_FILE_ABSENT_LIBRARY_SUFFIX ".absent.so"

/* In the folder of what is compiled: our headers, as a folder, or as a link to one. */
#define RD_FILE_HEADERS "headers"

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

/* Most launches in turn. */
enum { RD_FILE_STEPS_MAX = 64 };

/* The kinds of CUDA's floats of 16 bits, which are structs; of all others see below. */
enum { RD_FILE_KIND_F16 = 'h', RD_FILE_KIND_BF16 = 'n' };

/* A parameter as the kernel declares it; as in src/check/include/reductio_kernel.hpp. */
struct rd_file_parameter {
    /* p pointer, i signed, u unsigned, f floating, b boolean, h __half, n __nv_bfloat16, s anything else. */
    char kind;
    char pointee_kind; /* of a pointer; v for void, s also for integers of more than 8 bytes */
    unsigned size, pointee_size; /* bytes; 0 for void */
    /* By byte of a struct that is pointed to: 0 where it has padding. NULL: unknown, or no struct. */
    const unsigned char *bytes;
};

/* A file that is to be loaded. All must stay. */
struct rd_file_source {
    const char *library;   /* compiled and linked for the device */
    const char *file;      /* the user's, told as it is written here */
    const char *directory; /* no lines of files in it, or among the headers, are told */
    bool is_private;       /* it was built to be looked at for local variables */
    bool is_program;       /* all of it runs, from main on; else one kernel */
    bool is_module;        /* a program that runs has loaded it: see struct rd_file_program */
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
    unsigned n_steps;         /* launches in turn; 0: there is one, of the kernel */
    unsigned steps_first[RD_FILE_STEPS_MAX]; /* the first of the parameters that is of its kernel */
    unsigned steps_threads_max[RD_FILE_STEPS_MAX]; /* as threads_max, of each launch's kernel */
    const char *host_sets; /* a line NAME@FILE:LINE for each variable that host code may set */
};

/* A variable of the file. */
struct rd_file_variable {
    const char *symbol;
    uint64_t value; /* in the file */
    uintptr_t address;
    size_t size_bytes;
    bool is_shared, is_constant; /* in shared memory; in memory that nobody can write */
};

/* The type of a variable, from the debug information. */
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

/* The single launch of a process. */
struct rd_file_launch {
    struct rd_index3 grid, block;
    size_t shared_bytes, heap_bytes; /* a heap of 0: the default */
    void *const *arguments;          /* of each parameter, where its value is */
    struct rd_schedule schedule;
    bool exact;         /* all that orders threads is looked at, at some cost */
    uint64_t steps_max; /* accesses of a thread between two barriers; 0: a default */
    unsigned jobs;      /* processes; 0: one; or RD_LAUNCH_JOBS_AUTO */
    unsigned timeout_s;
    /* Callbacks, with `self`; they may run in a signal handler. */
    void *self;
    /* Takes a finding of a grid; `kernel` is NULL for the launch's own grid, else the kernel that a kernel launched. */
    void (*on_finding)(void *self, const char *kernel, const struct rd_finding *finding);
    /* Called at the end of each grid that a kernel launched. */
    void (*on_grid_ended)(void *self, const char *kernel, uint64_t threads);
    /* Tells whether a kernel may launch such a grid: RD_ERROR_LAUNCH. */
    enum rd_status (*check_grid)(void *self, struct rd_index3 grid, struct rd_index3 block,
                                 size_t shared_bytes, struct rd_error *error);
    /* Ends the process, which can't go on: for an error, or the finding `last`. */
    void (*on_stopped)(void *self, enum rd_file_ending ending, const char *error,
                       const struct rd_finding *last);
};

/* A launch that the host code of a program makes. */
struct rd_file_launched {
    uint64_t number;    /* from 1 */
    const char *kernel; /* as the launch has it */
    const char *file;
    unsigned line;
    struct rd_index3 grid, block;
    size_t shared_bytes;
    unsigned stream; /* 0: the default stream; others are numbered as they were made */
};

/* An annotation where it is to be asserted. */
struct rd_file_law {
    unsigned site; /* the number of the annotation */
    uint64_t instance,
        evaluation; /* of a loop: its execution from 1, and the evaluation of its condition from 0; else 0 */
    uint64_t launches; /* of kernels, so far */
    bool in_kernel;
    uint64_t block;        /* in a kernel, linear in the grid */
    bool is_register;      /* the array has a variable of each lane of a warp, */
    unsigned warp;         /* which is this one of the block */
    const int64_t *values; /* of the names in it, in its order */
    size_t n_values;
    const char *type; /* "i32", of its array; NULL: it has none */
    const void *cells;
    size_t n_elems, size_bytes;
    /* Elements that nobody has written, as pairs of the first and the one behind the last. */
    const size_t *unwritten;
    size_t n_unwritten; /* so many pairs */
    /* Likewise elements that another block writes, in no order with what is told here. */
    const size_t *of_others;
    size_t n_of_others;
    /* In host code these are elements that this operation, or another one, may still write; NULL: there are none. */
    const char *pending;
    const char *lack; /* why nothing of this could be told; NULL: it could */
    size_t
        differing; /* the name, from 1, that differs among the threads, where that is why; else 0 */
    /* Threads that have not met at a barrier; NULL: none is known. Its places lack the first, that of the annotation, and its
     * message the end. */
    const struct rd_finding *finding;
    const char *kernel;
};

/* How what a launch leaves in an array differs under another schedule. */
enum rd_file_difference_kind {
    RD_FILE_DIFFERS,   /* in values */
    RD_FILE_REORDERED, /* the same elements stand there in another order */
    RD_FILE_ROUNDED,   /* floats, in the second half of their digits at most */
    RD_FILE_PRINTED,   /* what threads print, whichever comes first: of no array */
    RD_FILE_DIFFERENCES
};

/* A difference, of an array. */
struct rd_file_difference {
    enum rd_file_difference_kind kind;
    const char *array;               /* its name */
    const char *cell;                /* and that of the first element that differs, "x[3]" */
    const char *type;                /* of its elements; "" where it is unknown */
    const char *value, *other_value; /* of that element, under the schedule of the program's run, */
    const char *schedule, *other_schedule; /* and under the other */
    uint64_t index, count, n_elems;        /* the element; how many differ, of how many */
};

/* Launches so far whose threads communicate, so that their order may matter. */
struct rd_file_tried {
    uint64_t launches, less; /* all of them; and those that not all schedules were tried of */
    unsigned fewest,
        most; /* schedules that one of them has run under, that of the program itself included */
    char why[100]; /* and why not all: "they take too long"; "" where less is 0 */
};

/* With this begins the text of an image, by which a program has a module; then comes the path of its library, and a line feed. */
#define RD_FILE_IMAGE "// Reductio's module "

/* A file that was given beside the program's, as a module that the program may load: by the name of the image that nvcc would make
 * of it, "k.fatbin" of "k.cu". */
struct rd_file_module {
    const char *file, *library;
    const char *image; /* a file that stands for that */
};

/* Source code that a program has compiled while it runs, as by NVRTC. */
struct rd_file_compile {
    const char *name, *text;
    const char *const *options; /* NULL-terminated: -I, -D, -U, -std, -include */
    const char *const *headers, *const *header_names; /* n_headers of each */
    size_t n_headers;
    const char *const *expressions; /* n_expressions of them, that name kernels or variables */
    size_t n_expressions;
    /* Set: */
    char *log;         /* what the compiler says, for the caller to free; NULL: nothing */
    char library[512]; /* where it has compiled it */
};

/* A program that is run whole. */
struct rd_file_program {
    /* How all launches run; its grid, block and arguments are not looked at. */
    struct rd_file_launch how;
    unsigned n_devices;
    /* Called before each launch; also where the device refuses it. */
    void (*on_launch)(void *self, const struct rd_file_launched *launched);
    /* Called where something could not be looked at; the sentence says what. */
    void (*on_lack)(void *self, const char *text);
    void (*on_law)(void *self, const struct rd_file_law *law);
    /* Called where the sandbox has refused a write to a file of the host's. */
    void (*on_refused_write)(void *self, const char *path);
    bool has_laws_in_kernels;
    /* Number of schedules that launches whose threads communicate are run under; 0 and 1: only that of `how`. */
    unsigned n_schedules;
    bool takes_any_time; /* for it; else about as long as the program itself */
    /* Called in a copy of the process, in which a launch runs under another schedule: what is found there is to be written to
     * this file, */
    void (*on_copy)(void *self, FILE *told);
    /* which the process itself gets when the copy has ended. */
    void (*on_copy_over)(void *self, const char *schedule, FILE *told);
    void (*on_difference)(void *self, const struct rd_file_difference *difference);
    /* Called behind each launch whose threads communicate, when all that was tried of it has been told. */
    void (*on_tried)(void *self, const struct rd_file_tried *tried);
    const struct rd_file_module *modules; /* n_modules of them */
    size_t n_modules;
    /* Compiles a module in this process. RD_ERROR_INPUT: the compiler refuses it, and the log says why. */
    enum rd_status (*compile)(void *self, struct rd_file_compile *compile, struct rd_error *error);
    /* Optional: the values that the input at this annotation is to have, *size_bytes of them; NULL: its own. *own: those that
     * it has with the program's own inputs when it is first told; NULL where they are not known. */
    const void *(*input)(void *self, unsigned site, size_t *size_bytes, const void **own);
};

/* The launch so far, with all grids. */
struct rd_file_state {
    uint64_t threads;           /* that have begun */
    bool communicates;          /* threads of some grid have, or have launched another one; */
    bool last_communicates;     /* those of the last grid */
    bool took_mask, took_clock; /* which changes by itself */
    const char *outdated;       /* a warp function of before CUDA 9, and where; NULL: none */
    const char *outdated_file;
    unsigned outdated_line;
    bool untold; /* a read of what was written unseen, and where */
    const char *untold_file;
    unsigned untold_line;
    uint64_t n_printed,
        printed; /* lines that kernels printed, and a number that all of them make, in any order */
};

/* Blocks of the device heap of one size, allocated at one place and not freed. */
struct rd_file_heap_blocks {
    const char *file;
    unsigned line;
    uint64_t size_bytes, n;
    /* Numbers that what they hold makes, but for pointers to the heap: block by block, and word by word, in any order. */
    uint64_t blocks, words;
};

struct rd_file_ops {
    /* ---- building a file for the device ---- */

    const char *link_option;             /* with which it is linked; */
    const char *program_link_options[3]; /* and, up to NULL, a program that runs whole with these */
    /* In hex: where in memory the address sanitizer's shadow is to be. */
    const char *private_shadow;
    /* Prepares an object file for the link: puts a red zone behind each shared variable. Calls `found` with the name of each
     * thread-local variable that the file lacks, which is an extern shared one unless another file or a library has it; and with
     * that of each of the host's that the file defines for others. RD_ERROR_IO. */
    enum rd_status (*prepare_object)(const char *path,
                                     void (*found)(void *self, const char *name, bool is_defined),
                                     void *self, struct rd_error *error);
    /* Has the linked library of a program loaded without its constructors, which run() calls before main: they may call what
     * has to begin first. RD_ERROR_IO. */
    enum rd_status (*prepare_program)(const char *path, struct rd_error *error);
    /* Calls `kernel` with the symbol of each kernel of an object file, or of a library linked from it, but for
     * instances of templates. */
    void (*list_kernels)(const char *path, void (*kernel)(void *self, const char *name),
                         void *self);

    /* ---- telling of a launch ---- */

    /* The rule that a hazard of this kind breaks, and the usual cure; "" of those that the device doesn't see. */
    const char *(*lesson)(enum rd_hazard_kind kind);

    /* ---- memory, whose addresses are those of the process ---- */

    /* RD_ERROR_MEMORY, without a message. */
    enum rd_status (*alloc)(struct rd_device *device, const struct rd_file_buffer *buffer,
                            void **memory);
    /* Names an address that leads to no memory, and is passed to the kernel. */
    void (*name_address)(struct rd_device *device, const void *address, const char *name);
    /* Names memory by the parameter that points to its start. */
    void (*name_memory)(struct rd_device *device, const void *memory, unsigned number);
    /* Mark bytes of a variable as uninitialised or as set. `set_at`, which must stay, is the place "x.cu:12" of the host
     * code that would set it but does not run; NULL: there is none. */
    void (*mark_uninitialised)(struct rd_device *device, uintptr_t address, size_t size_bytes,
                               const char *set_at);
    void (*mark_initialised)(struct rd_device *device, uintptr_t address, size_t size_bytes);

    /* ---- the file ---- */

    /* Loads it. RD_ERROR_INPUT, RD_ERROR_MEMORY. */
    enum rd_status (*load)(struct rd_device *device, const struct rd_file_source *source,
                           const struct rd_file **file, struct rd_error *error);
    /* The name of the kernel's parameter; "" where it is unknown. */
    void (*parameter_name)(struct rd_device *device, unsigned number, char name[64]);
    /* Calls `visit` for each number and each pointer in the struct that a parameter is, in its order: "n", "v.x", "m[2]". A
     * bit field has the kind 0. None where the type is unknown, or no struct. */
    void (*visit_members)(struct rd_device *device, unsigned parameter,
                          void (*visit)(void *self, const char *path, size_t offset,
                                        const struct rd_file_parameter *type),
                          void *self);
    void (*visit_variables)(struct rd_device *device,
                            void (*visit)(void *self, const struct rd_file_variable *variable),
                            void *self);
    struct rd_file_type (*type_of)(struct rd_device *device,
                                   const struct rd_file_variable *variable);

    /* ---- the launch ---- */

    /* Launches the kernel, and all that it launches. RD_ERROR_MEMORY, RD_ERROR_DEVICE. */
    enum rd_status (*launch)(struct rd_device *device, const struct rd_file_launch *launch,
                             struct rd_error *error);
    /* Runs the main function of a program, and returns what that returns; what it launches is run as that says. It may as
     * well end the process. All must stay. */
    int (*run)(struct rd_device *device, const struct rd_file_program *program, int argc,
               char **argv);
    /* Threads of the program's. One that makes another calls the first before; the new one the second, with what that gave,
     * and, if it comes to it, the third last; one that has waited for its end the fourth, with the same. */
    void *(*fork_thread)(struct rd_device *device);
    void (*begin_thread)(struct rd_device *device, void *made);
    void (*end_thread)(struct rd_device *device);
    void (*join_thread)(struct rd_device *device, void *ended);
    /* Teams of threads that go through a parallel region: the maker calls the first (NULL: there is nothing to be told) and, behind
     * the region, the last; each member, the maker among them, the others at its begin and its end. */
    void *(*fork_team)(struct rd_device *device);
    void (*enter_team)(struct rd_device *device, void *team);
    void (*leave_team)(struct rd_device *device, void *team);
    void (*join_team)(struct rd_device *device, void *team);
    /* The program is over: tells what that shows. Once, and also where it has called exit(). */
    void (*finish)(struct rd_device *device);
    /* Returns the state. Also before the launch, and in a signal handler. */
    struct rd_file_state (*state)(struct rd_device *device);
    /* Calls it for the live blocks of the device heap. False without memory: then for none. */
    bool (*visit_heap)(struct rd_device *device,
                       void (*visit)(void *self, const struct rd_file_heap_blocks *blocks),
                       void *self);
    /* Tells whether all of these bytes of the device's memory have been written. */
    bool (*is_initialised)(struct rd_device *device, const void *memory, size_t size_bytes);
    /* Reports that a cell differs from that of another launch, by an uninitialised local variable: a finding, if a thread
     * has accessed the cell. */
    void (*report_difference)(struct rd_device *device, const void *before, const void *after,
                              size_t size_bytes);
    /* Passes all findings to on_finding, once and last. Also before the launch, and in a signal handler. */
    void (*report_findings)(struct rd_device *device);
};

/* Finds the device of that name, or, for "auto", the first that runs users' files. RD_ERROR_USAGE for a device that runs none,
 * and for an unknown name. */
enum rd_status rd_files_find(const struct rd_device_ops *const *devices, const char *name,
                             const struct rd_device_ops **found, struct rd_error *error);

#endif
