// SPDX-License-Identifier: MIT
/* A device runs kernels: `sim` on the CPU, `cuda` on a GPU. Devices know nothing of programs,
 * invariants or traces.
 *
 *     #include <reductio/reductio.h>
 *     #include <stdio.h>
 *
 *     int main(void)
 *     {
 *         struct rd_error error;
 *         struct rd_device *device;
 *         struct rd_device_limits limits;
 *         if (rd_device_open("sim", &device, NULL, &error) != RD_OK) {
 *             fprintf(stderr, "%s\n", error.text);
 *             return 1;
 *         }
 *         device->ops->limits(device, &limits);
 *         printf("%s: %u threads a block\n", device->ops->describe(device), limits.block_max);
 *         rd_device_close(device);
 *         return 0;
 *     }
 *
 * A device and its buffers are used by one thread at a time. Two devices may be used by two threads at once, also two
 * simulators: each is an object of its own, and they share nothing but the kernels that are linked in or registered, so that
 * their launches are serialised. (The shared variables of these kernels are one section of the program; as variables
 * of each thread they would take 240 KiB of every thread of the process.) */
#ifndef RD_DEVICE_H
#define RD_DEVICE_H

#include "checkpoint.h"
#include "hazard_table.h"
#include "kernels.h"
#include "numeric.h"
#include "status.h"

#include <signal.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct rd_device;
struct rd_buffer;

enum { RD_BLOCKS_MAX = 64 };

/* Operands of a round, and behind them the input of an operation that selects. */
enum { RD_ARG_MAX = 7 };

/* Number of schedules under which a launch whose threads communicate is tried by default (ascending, descending and two
 * random ones), and the most that can be asked for. */
enum { RD_SCHEDULES_TRIED = 4, RD_SCHEDULES_MAX = 64 };

/* Argument of a kernel: a device array, or a size_t. */
struct rd_arg {
    struct rd_buffer *buffer; /* NULL: the argument is `scalar` */
    size_t scalar;
    bool is_unsigned; /* the buffer is of unsigned numbers, not of elements */
    const char *name; /* of the buffer in findings; NULL: its place among the arguments */
    bool is_scratch;  /* nobody reads its contents afterwards */
};

/* The blocks of a launch that are observed. */
struct rd_blocks {
    /* As many blocks as there is room for are observed, which is also the default if none is named; else those
     * below. */
    bool all;
    unsigned count;
    bool last; /* the grid's last, too */
    size_t block[RD_BLOCKS_MAX];
};

/* Observes the checkpoints of a launch: block by block, in a block in the order of their numbers, at one number warp
 * by warp. Pointers are valid during the call only. A status other than RD_OK ends the observation. */
struct rd_watch {
    struct rd_blocks blocks;
    size_t cells_max; /* the most cells that a checkpoint has; a warp's lanes not counted */
    /* A thread that comes to more checkpoints is ended: its loop may have no end */
    size_t count_max;
    void *self;
    enum rd_status (*checkpoint)(void *self, const struct rd_checkpoint *checkpoint);
    bool truncated; /* set by the device: there was no room for all checkpoints */
    bool endless;   /* set by the device: a thread was ended */
};

/* Fault on purpose: a thread that does not run, or a barrier that no thread waits at. */
struct rd_omission {
    bool of_thread;   /* else of a barrier */
    uint64_t block;   /* of the thread, linear in the grid, */
    unsigned thread;  /* linear in its block */
    unsigned barrier; /* 1 for the first that a thread comes to */
    bool met; /* set by the device: the launch has this thread, or a thread came to this barrier */
};

/* Schedules under which a launch was tried, filled in by the device; `self` and `again` are the caller's. */
struct rd_tried {
    void *self;
    /* Optional: called after each further run, while memory is as that has left it. A status other than RD_OK
     * ends the trials. */
    enum rd_status (*again)(void *self, const char *schedule);
    /* The launch's threads may see each other's work while they run, as by atomics, fences or a barrier of the grid;
     * otherwise every schedule gives the same result */
    bool communicates;
    unsigned n_schedules; /* under which the launch ended */
    char why[160];        /* reason for fewer than were asked for; "" if there are as many */
};

/* Digits of witness values, the lowest first: digit k counts input first + k. */
struct rd_digits {
    unsigned bits;       /* of a digit; 0: the values have no digits */
    size_t first, count; /* the inputs that have one */
    bool others;         /* there are inputs without a digit */
};

/* The name of the array of indices 0, 1, ... that a kernel takes in the place of its input, by an operation that selects. */
#define RD_INDICES_NAME "indices"

/* Description of a launch. With an operation that selects, the last argument is the input, which no parameter of the
 * kernel takes. */
struct rd_launch {
    size_t size; /* sizeof(struct rd_launch), or 0: see struct rd_run */
    enum rd_kernel kernel;
    enum rd_type type;
    enum rd_operation operation; /* of kernels that are compiled for any; else the sum */
    size_t grid;                 /* blocks, in x */
    unsigned block;              /* threads a block, in x */
    unsigned grid_y;             /* the second dimensions; 0 is 1 */
    unsigned block_y;
    size_t shared_bytes;     /* dynamic shared memory */
    bool cooperative;        /* all blocks are resident, and may meet */
    struct rd_digits digits; /* of the elements, for reports of their values */
    unsigned time_limit_s;   /* of a kernel that may not end; 0: none */
    /* Accesses that a thread may make to global memory; 0: any number. Devices that don't count accesses pass over
     * it. */
    unsigned reads_max, writes_max;
    /* An atomic orders earlier writes before the thread's later accesses only with a fence behind it, as PTX has
     * it. Devices that don't look for hazards pass over it. */
    bool acquires_by_fence;
    /* Number of schedules under which a launch whose threads communicate is tried, from the same memory; the first
     * one's result stays. 0 is 1. Devices that can't choose one pass over it, and over `tried` (optional). */
    unsigned n_schedules;
    struct rd_tried *tried;
    const volatile sig_atomic_t *interrupted; /* as in rd_run; devices may pass over it */
    struct rd_watch *watch;                   /* NULL: nobody is told of checkpoints */
    struct rd_omission *omissions; /* threads and barriers to leave out, if the device `omits` */
    unsigned n_omissions;
    unsigned n_args;
    struct rd_arg args[RD_ARG_MAX]; /* in the kernel's order */
};

/* Return the number of the launch's blocks, and of the threads in a block, over all dimensions. */
size_t rd_launch_blocks(const struct rd_launch *launch);
unsigned rd_launch_threads(const struct rd_launch *launch);

/* Limits of the hardware, as read off the device. */
struct rd_device_limits {
    size_t grid_max;              /* blocks in x */
    unsigned block_max;           /* threads a block */
    size_t shared_max;            /* bytes of dynamic shared memory a block */
    unsigned host_bytes_per_byte; /* host memory that a byte of a buffer takes; 0: none */
};

/* Cells first*stride, (first+1)*stride, … of an array of elements: what one read brings back. */
struct rd_cells {
    size_t first, count, stride;
};

/* Index in three dimensions, as threadIdx and blockIdx. */
struct rd_index3 {
    unsigned x, y, z;
};

/* The place of a finding in the kernel's source, and the thread that was there. */
struct rd_finding_place {
    const char *file; /* NULL where it is unknown */
    unsigned line, column;
    const char *op; /* of an access: "read", "write", "atomic" or "free"; else "" */
    bool thread_known, block_known;
    unsigned thread;                            /* linear in its block */
    uint64_t block;                             /* linear in the grid */
    struct rd_index3 thread_index, block_index; /* the same in three dimensions */
};

/* A fault in the execution of a kernel, whatever its result. Of two places, the first is
 * where it showed, the second what was there before. */
struct rd_finding {
    enum rd_hazard_kind hazard;
    /* Of a race "read-write", "write-write" or "same-value"; of an access "global", "shared" or "private", or
     * "stray", by a pointer to none; of a leak "kept", where global memory holds a pointer to it, or "lost"; else
     * "". */
    const char *kind;
    const char *scope;   /* of a race "warp", "block" or "grid"; else "" */
    const char *message; /* in words: what, who, where, how often, and the lesson */
    const char *lesson;  /* the rule that is broken, and the usual cure */
    /* How often it happened between these two places; of a block that misses a barrier, also how often it missed
     * others from then on. */
    uint64_t count;
    /* Number of pairs of places, if races at several are reported as one; else 0 */
    unsigned n_pairs;
    uint64_t bytes; /* of leaks, all together; else 0 */
    /* A race: fences around the atomics or flags that there are would order it; or fences and barriers in
     * front of, or behind, these would. */
    bool lacks_fence, lacks_barrier;
    bool order_dependent; /* the launch leaves something else under another schedule */
    unsigned n_places;    /* 1 or 2 */
    struct rd_finding_place places[2];
    /* From here on: the cell, where the finding is about one. Name of its array, or "the allocation at FILE:LINE" in
     * a kernel; "" where it has none, or the address is in no array. */
    const char *array;
    const char *type; /* of its elements, as "f32"; "" where it is unknown */
    bool index_known;
    int64_t index;  /* the element; of an array of unknown type in units of the access */
    size_t n_elems; /* of the array; 0 where it is unknown */
    /* Of a race: what the cell held before and after the access of the first place, as text; "" where it is
     * unknown. */
    const char *before, *after;
    unsigned interval; /* barriers that the block had passed */
};

/* Limit on the reads under way at a time; each has a slot number below this. */
enum { RD_READ_SLOTS = 32 };

/* Number of marks of a device; each has a slot number below this. */
enum { RD_MARKS = 65 };

/* Operations on kernels of a user's file: of interest to `reductio check` alone. */
struct rd_file_ops;

/* All members but `digest`, `findings`, `mark`, `between`, `omits`, `play` and `files` are required. Functions that take an
 * rd_error describe each failure in it. */
struct rd_device_ops {
    const char *name; /* "sim" */
    /* Marks the simulator: no kernel in it runs for ever, and it can list the accesses of each thread, in order. */
    bool simulates;

    /* Starts the device; the caller owns *device until `close`. RD_ERROR_DEVICE if there is none, with the driver's own
     * reason. RD_ERROR_MEMORY. */
    enum rd_status (*open)(struct rd_device **device, struct rd_error *error);
    /* Closes the device; its buffers must have been freed. */
    void (*close)(struct rd_device *device);
    /* A name for people, for instance "NVIDIA H200 (compute capability 9.0)"; lives as long as
     * the device. */
    const char *(*describe)(const struct rd_device *device);
    void (*limits)(const struct rd_device *device, struct rd_device_limits *limits);

    /* Device memory of size_bytes and, behind it, slack for one block's worth of elements, so that
     * a fault that runs over the end by less than a block harms nobody. */
    enum rd_status (*alloc)(struct rd_device *device, size_t size_bytes, struct rd_buffer **buffer,
                            struct rd_error *error);
    void (*free)(struct rd_device *device, struct rd_buffer *buffer); /* NULL is fine */
    /* Host memory that the device copies to and from at full speed (pinned, on a GPU). */
    enum rd_status (*host_alloc)(struct rd_device *device, size_t size_bytes, void **memory,
                                 struct rd_error *error);
    void (*host_free)(struct rd_device *device, void *memory); /* NULL is fine */

    /* Copies size_bytes from the host to the start of the buffer; returns when it is done. */
    enum rd_status (*write)(struct rd_device *device, struct rd_buffer *buffer, const void *host,
                            size_t size_bytes, struct rd_error *error);
    /* Starts copying cells of the buffer, compactly, to host memory from host_alloc, after all
     * launches before it. `slot` must not have a read under way. */
    enum rd_status (*read)(struct rd_device *device, struct rd_buffer *buffer, enum rd_type type,
                           struct rd_cells cells, void *host, unsigned slot,
                           struct rd_error *error);
    /* Waits until the read of that slot has arrived. A fault of a kernel before it shows here. */
    enum rd_status (*wait)(struct rd_device *device, unsigned slot, struct rd_error *error);

    /* Queues a kernel; with a watch, returns when it is over and all checkpoints are told.
     * RD_ERROR_LAUNCH for a launch that the hardware would refuse, with CUDA's name for the error
     * as the first word of the message. RD_ERROR_HUNG where it did not end within its time limit:
     * the device is then lost to this process. RD_ERROR_FAULT where the device has stopped it, as for an
     * access to no memory; so do `read`, `wait` and `between` tell it of a launch before them. */
    enum rd_status (*launch)(struct rd_device *device, const struct rd_launch *launch,
                             struct rd_error *error);

    /* Optional; NULL: memory is compared by copying it. A 64-bit digest of the buffer's first size_bytes,
     * which may be any number, after all launches before it: by any change in them it becomes another, but for a chance
     * of 2^-64. A fault of a kernel before it shows here. */
    enum rd_status (*digest)(struct rd_device *device, struct rd_buffer *buffer, size_t size_bytes,
                             uint64_t *digest, struct rd_error *error);

    /* Optional: a launch leaves out the threads and barriers that its omissions name. */
    bool omits;

    /* Optional; NULL: this device does not look for hazards. Returns the findings of the last launch, valid until
     * the next one; *count of them. */
    const struct rd_finding *(*findings)(struct rd_device *device, size_t *count);

    /* Optional, both or neither; NULL: the device has no clock, and `launch` returns when all is
     * over. Puts a mark behind all launches before it. */
    enum rd_status (*mark)(struct rd_device *device, unsigned slot, struct rd_error *error);
    /* Waits until the device has passed both marks, of which `to` was put later, and measures the
     * seconds between them. A fault of a kernel before them shows here. */
    enum rd_status (*between)(struct rd_device *device, unsigned from, unsigned to, double *seconds,
                              struct rd_error *error);

    /* Optional; NULL: launches run the program's kernels. Plays back rounds that others have made, so that the kernels need
     * not be there: called before the first, with the inputs of the run (b may be NULL), for which it may have them made
     * anew. Statuses as of `launch`. */
    enum rd_status (*play)(struct rd_device *device, enum rd_type type, const void *a, size_t n_a,
                           const void *b, size_t n_b, struct rd_error *error);

    /* Optional; NULL: this device runs no kernels of a user's file. */
    const struct rd_file_ops *files;
};

/* Base struct of every device. One that hands some of its calls on to another begins as a copy of that. */
struct rd_device {
    const struct rd_device_ops *ops;
    void *self; /* the device's own, which its ops understand */
};

/* The devices of this build, the preferred one first, NULL-terminated. */
extern const struct rd_device_ops *const rd_devices[];

/* Opens a device by name ("sim", "cuda"), or with "auto" the first one that starts. `why` (optional) gets a
 * phrase that says why this device was taken, for instance "no GPU: …". The caller closes it with
 * rd_device_close. RD_ERROR_USAGE for a name that no build has; RD_ERROR_DEVICE if the device does not start or is
 * not in this build; RD_ERROR_MEMORY. */
enum rd_status rd_device_open(const char *name, struct rd_device **device, struct rd_error *why,
                              struct rd_error *error);
void rd_device_close(struct rd_device *device); /* NULL is fine */

/* Tells whether the device of that name is a simulator; false for "auto", and for a name that no build has. */
bool rd_device_simulates(const char *name);

/* Each device calls this before it reads a launch. RD_ERROR_USAGE if `size` is that of another version, if kernel, type or
 * operation don't exist, if there are more arguments than RD_ARG_MAX, or if there are omissions, and `omissions` is NULL. */
enum rd_status rd_launch_check_members(const struct rd_launch *launch, struct rd_error *error);
/* Likewise, and checks that CUDA's rules allow the launch on a device of these limits. RD_ERROR_LAUNCH if they don't, with
 * a message that starts with `cuda_name`, CUDA's name for the error. */
enum rd_status rd_launch_check(const struct rd_launch *launch,
                               const struct rd_device_limits *limits, const char *cuda_name,
                               struct rd_error *error);
/* Sets up the arguments of a launch, as each device does before it: arguments[k] points to the value of the kernel's k-th
 * parameter; `place_of` gives that pointer for an array. RD_ERROR_USAGE if the device has no build of the kernel
 * (`has_kernel`), or if the arguments differ from its parameters in number, or in being arrays or numbers. */
enum rd_status rd_launch_set_up(const struct rd_launch *launch, bool has_kernel,
                                const void *(*place_of)(const struct rd_buffer *buffer),
                                void *arguments[RD_ARG_MAX], struct rd_error *error);
/* Fails for a cooperative launch of more blocks than the device holds at once: RD_ERROR_LAUNCH, with a
 * message that starts with `cuda_name`. */
enum rd_status rd_launch_too_large(const struct rd_launch *launch, const char *cuda_name,
                                   struct rd_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
