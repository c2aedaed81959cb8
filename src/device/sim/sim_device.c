// SPDX-License-Identifier: MIT
/* The simulator as a device. */
#include "device/sim/object.h"
#include "device/sim/sim.h"
#include "kernel_units.h"
#include "device/kernel_names.h"
#include "reductio/launchable.h"
#include "reductio/operation.h"
#include "device/sim/detect/observers.h"
#include "device/sim/api/cuda.h"
#include "device/sim/source/elf.h"
#include "device/sim/source/source.h"
#include "device/sim/memory/memory.h"
#include "device/sim/engine/engine.h"
#include "device/sim/report/report.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A block of the largest elements: see `alloc` in device.h. */
enum { SLACK_BYTES = RD_SIM_BLOCK_MAX * sizeof(uint64_t) };

struct rd_buffer {
    size_t size_bytes;
    unsigned char *bytes;
};

/* kernels[kernel][type], in the orders of their enumerations. */
#define DECLARE(name, NAME, type, TYPE) rd_sim_thread sim_##name##_thread_##type;
RD_KERNEL_UNITS(DECLARE)
#define ENTRY(name, NAME, type, TYPE)                                                              \
    [RD_KERNEL_##NAME][RD_TYPE_##TYPE] = sim_##name##_thread_##type,
static rd_sim_thread *const kernels[RD_KERNEL_COUNT][RD_TYPE_COUNT] = {RD_KERNEL_UNITS(ENTRY)};

/* Kernels of the second build, of the types that have one: see detect/observers.h. */
#define DECLARE_TRACED(name, NAME, type, TYPE) rd_sim_thread sim_traced_##name##_thread_##type;
RD_KERNEL_UNITS_TRACED(DECLARE_TRACED)
#define TRACED(name, NAME, type, TYPE)                                                             \
    [RD_KERNEL_##NAME][RD_TYPE_##TYPE] = sim_traced_##name##_thread_##type,
static rd_sim_thread *const traced[RD_KERNEL_COUNT][RD_TYPE_COUNT] = {
    RD_KERNEL_UNITS_TRACED(TRACED)};

/* Kernels built for operations other than the sum, one of which each launch names (kernels/over.h). */
#define DECLARE_OVER(name, NAME, op, OP, type, TYPE, build, family)                                \
    rd_sim_thread sim_##build##_##name##_thread_##type;
RD_KERNEL_UNITS_OVER(DECLARE_OVER)
#define ENTRY_OVER(name, NAME, op, OP, type, TYPE, build, family)                                  \
    [RD_KERNEL_##NAME][RD_TYPE_##TYPE][RD_OPERATION_##OP] = sim_##build##_##name##_thread_##type,
static rd_sim_thread *const over[RD_KERNEL_COUNT][RD_TYPE_COUNT][RD_OPERATION_COUNT] = {
    RD_KERNEL_UNITS_OVER(ENTRY_OVER)};

/* The kernels that are linked in have one place for their thread's index, and one for each shared variable:
 * one launch of theirs runs at a time. (Thread-local ones would take 240 KiB of each thread of a process,
 * whether it simulates or not.) */
static pthread_mutex_t kernels_are_busy = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local bool is_launching; /* this thread has it */

void rd_sim_enter(const struct rd_device *device)
{
    rd_sim_here = device->self;
}

static enum rd_status sim_open(struct rd_device **device, struct rd_error *error)
{
    struct rd_device *made = malloc(sizeof *made);
    struct rd_sim *sim = made ? rd_sim_create(error) : NULL;
    if (!sim || rd_sim_shared_init(error) != RD_OK) {
        rd_sim_destroy(sim);
        free(made);
        return made ? RD_ERROR_MEMORY
                    : rd_fail(error, RD_ERROR_MEMORY, "no memory for the simulator");
    }
    *made = (struct rd_device){.ops = &rd_device_sim, .self = sim};
    *device = made;
    return RD_OK;
}

static void sim_close(struct rd_device *device)
{
    rd_sim_destroy(device->self);
    free(device);
}

static const char *sim_describe(const struct rd_device *device)
{
    (void)device;
    return "SIMT simulator on the CPU";
}

static void sim_limits(const struct rd_device *device, struct rd_device_limits *limits)
{
    (void)device;
    *limits = (struct rd_device_limits){
        .grid_max = INT32_MAX,
        .block_max = RD_SIM_BLOCK_MAX,
        .shared_max = rd_sim_dynamic_shared_max(),
        .host_bytes_per_byte = 3, /* itself, and its shadow */
    };
}

static enum rd_status sim_alloc(struct rd_device *device, size_t size_bytes,
                                struct rd_buffer **buffer, struct rd_error *error)
{
    struct rd_buffer *b = malloc(sizeof *b);
    rd_sim_enter(device);
    unsigned char *bytes = b ? rd_sim_memory_alloc(size_bytes, SLACK_BYTES) : NULL;
    if (!bytes) {
        free(b);
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for a device array of %zu bytes",
                       size_bytes);
    }
    memset(bytes, RD_SIM_POISON, size_bytes);
    *b = (struct rd_buffer){size_bytes, bytes};
    *buffer = b;
    return RD_OK;
}

static void sim_free(struct rd_device *device, struct rd_buffer *buffer)
{
    rd_sim_enter(device);
    if (buffer)
        rd_sim_memory_free(buffer->bytes);
    free(buffer);
}

static enum rd_status sim_host_alloc(struct rd_device *device, size_t size_bytes, void **memory,
                                     struct rd_error *error)
{
    (void)device;
    void *m = malloc(size_bytes);
    if (!m)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for a host array of %zu bytes",
                       size_bytes);
    *memory = m;
    return RD_OK;
}

static void sim_host_free(struct rd_device *device, void *memory)
{
    (void)device;
    free(memory);
}

static enum rd_status sim_write(struct rd_device *device, struct rd_buffer *buffer,
                                const void *host, size_t size_bytes, struct rd_error *error)
{
    (void)error;
    rd_sim_enter(device);
    memcpy(buffer->bytes, host, size_bytes);
    rd_sim_memory_written(buffer->bytes, size_bytes);
    return RD_OK;
}

static enum rd_status sim_read(struct rd_device *device, struct rd_buffer *buffer,
                               enum rd_type type, struct rd_cells cells, void *host, unsigned slot,
                               struct rd_error *error)
{
    (void)device, (void)slot, (void)error;
    size_t size = rd_numeric(type)->size_bytes, step = cells.stride * size;
    const unsigned char *from = buffer->bytes + cells.first * step;
    unsigned char *to = host;
    if (cells.stride == 1)
        memcpy(to, from, cells.count * size);
    else
        for (size_t k = 0; k < cells.count; k++)
            memcpy(to + k * size, from + k * step, size);
    return RD_OK;
}

static enum rd_status sim_wait(struct rd_device *device, unsigned slot, struct rd_error *error)
{
    (void)device, (void)slot, (void)error;
    return RD_OK;
}

/* Numeric type of all arrays of the launch but its input: of elements, or by an operation that selects of indices. */
static const struct rd_numeric *cells_of(const struct rd_launch *launch)
{
    const struct rd_numeric *numeric = rd_numeric(launch->type);
    if (!rd_operation_selects(launch->operation))
        return numeric;
    return rd_numeric(numeric->size_bytes == sizeof(uint64_t) ? RD_TYPE_U64 : RD_TYPE_U32);
}

/* The last argument of a launch by an operation that selects is its input; see rd_state_launch(). */
static bool is_input(const struct rd_launch *launch, unsigned number)
{
    return rd_operation_selects(launch->operation) && number == launch->n_args - 1;
}

static void name_buffer(const struct rd_launch *launch, unsigned number)
{
    char place[32];
    const struct rd_arg *arg = &launch->args[number];
    const struct rd_numeric *numeric =
        is_input(launch, number) ? rd_numeric(launch->type) : cells_of(launch);
    snprintf(place, sizeof place, "argument %u", number + 1);
    rd_sim_memory_name(arg->buffer->bytes, arg->name ? arg->name : place,
                       arg->is_unsigned ? "u32" : numeric->name,
                       arg->is_unsigned ? sizeof(unsigned) : (unsigned)numeric->size_bytes);
}

/* Shared memory and constants are those of the file that the kernel is in. What a kernel has in dynamic shared memory is
 * elements. */
static enum rd_status set_memory(const struct rd_launch *launch, struct rd_error *error)
{
    const struct rd_launchable *own = rd_kernel_launchable(launch->kernel, launch->type);
    struct rd_sim_shared shared = rd_sim_shared_of_library();
    struct rd_sim_image image = {.end = 0};
    if (own) {
        shared = (struct rd_sim_shared){(uintptr_t)own->shared, (uintptr_t)own->shared_end,
                                        (uintptr_t)own->dynamic};
        rd_sim_image_at((uintptr_t)own, &image);
    }
    enum rd_status status = rd_sim_shared_use(&shared, error);
    if (status != RD_OK)
        return status;
    rd_sim_constants_set(image.start, image.end);
    const struct rd_numeric *numeric = cells_of(launch);
    struct rd_sim_variable elements = {.elem_bytes = (unsigned)numeric->size_bytes,
                                       .is_array = true};
    rd_sim_shared_dynamic(shared.dynamic, launch->shared_bytes);
    snprintf(elements.type, sizeof elements.type, "%s", numeric->name);
    rd_sim_array_typed(shared.dynamic, &elements);
    return RD_OK;
}

static enum rd_status check_launch(struct rd_device *device, const struct rd_launch *launch,
                                   struct rd_error *error)
{
    struct rd_device_limits limits;
    sim_limits(device, &limits);
    enum rd_status status =
        rd_launch_check(launch, &limits, "cudaErrorInvalidConfiguration", error);
    if (status != RD_OK || !launch->cooperative)
        return status;
    if (rd_launch_blocks(launch) > rd_sim_grid_max(rd_launch_threads(launch), launch->shared_bytes))
        return rd_launch_too_large(launch, "cudaErrorCooperativeLaunchTooLarge", error);
    return RD_OK;
}

/* The buffers of a launch, each once. */
static void set_buffers(struct rd_sim_trials *trials, const struct rd_launch *launch)
{
    for (unsigned i = 0; i < launch->n_args; i++) {
        const struct rd_arg *arg = &launch->args[i];
        unsigned k = 0;
        while (k < trials->n_buffers && arg->buffer &&
               trials->buffers[k].bytes != arg->buffer->bytes)
            k++;
        if (arg->buffer && k == trials->n_buffers)
            trials->buffers[trials->n_buffers++] = (struct rd_sim_trial_buffer){
                arg->buffer->bytes, arg->buffer->size_bytes, !arg->is_scratch};
    }
}

static rd_sim_thread *thread_of(const struct rd_launch *launch)
{
    if (launch->kernel >= RD_KERNEL_COUNT) {
        const struct rd_launchable *own = rd_kernel_launchable(launch->kernel, launch->type);
        return own && !rd_operation_selects(launch->operation) ? own->thread : NULL;
    }
    if (launch->operation != RD_OPERATION_SUM)
        return over[launch->kernel][launch->type][launch->operation];
    rd_sim_thread *told = traced[launch->kernel][launch->type];
    return rd_sim_fingerprints_are_taken() && told ? told : kernels[launch->kernel][launch->type];
}

static const void *place_of(const struct rd_buffer *buffer)
{
    return &buffer->bytes;
}

static enum rd_status sim_launch(struct rd_device *device, const struct rd_launch *launch,
                                 struct rd_error *error)
{
    if (is_launching)
        return rd_fail(error, RD_ERROR_USAGE,
                       "a launch within a launch of this thread, as in an observer at a "
                       "checkpoint: make it when the round is over");
    rd_sim_enter(device);
    void *arguments[RD_ARG_MAX];
    enum rd_status status = check_launch(device, launch, error);
    if (status == RD_OK)
        status = rd_launch_set_up(launch, thread_of(launch), place_of, arguments, error);
    if (status != RD_OK)
        return status;

    struct rd_sim_trials trials = {
        .communicates = rd_kernel_communicates(launch->kernel),
        .n_schedules = launch->n_schedules ? launch->n_schedules : 1,
        .tried = launch->tried,
    };
    for (unsigned i = 0; i < launch->n_args; i++)
        if (launch->args[i].buffer)
            name_buffer(launch, i);
    set_buffers(&trials, launch);
    const struct rd_sim_grid grid = {
        .thread = rd_sim_omit_begin(launch->omissions, launch->n_omissions, thread_of(launch)),
        .arguments = arguments,
        .calls_kernel = true,
        .grid = {(unsigned)launch->grid, launch->grid_y ? launch->grid_y : 1, 1},
        .block = {launch->block, launch->block_y ? launch->block_y : 1, 1},
        .shared_bytes = launch->shared_bytes,
        /* None of our kernels returns before its end. */
        .tells_returns = launch->kernel < RD_KERNEL_COUNT,
        .cooperative = launch->cooperative,
        .interrupted = launch->interrupted,
        .block_over = rd_sim_watch_block,
    };
    status = set_memory(launch, error);
    if (status != RD_OK)
        return status;
    rd_sim_report_begin(grid.grid, grid.block);
    rd_sim_report_digits(&launch->digits);
    rd_sim_watch_begin(launch->watch, rd_launch_blocks(launch), rd_launch_threads(launch),
                       rd_numeric(launch->type)->size_bytes);
    rd_sim_budget_begin(launch->reads_max, launch->writes_max);
    rd_sim_recorder_begin();
    rd_sim_fingerprint_begin(rd_launch_blocks(launch), rd_launch_threads(launch));
    rd_sim_here->core.acquires_by_fence = launch->acquires_by_fence;
    pthread_mutex_lock(&kernels_are_busy);
    is_launching = true;
    rd_sim_reduction.operation = (int)launch->operation;
    if (launch->n_args > 0 && is_input(launch, launch->n_args - 1))
        rd_sim_reduction.input = launch->args[launch->n_args - 1].buffer->bytes;
    status = rd_sim_try(&grid, &trials, error);
    is_launching = false;
    pthread_mutex_unlock(&kernels_are_busy);
    rd_sim_here->core.acquires_by_fence = false;
    rd_sim_fingerprint_end();
    rd_sim_recorder_end();
    rd_sim_omit_end();
    rd_sim_budget_end();
    enum rd_status told = rd_sim_watch_end();
    return status == RD_OK ? told : status;
}

static const struct rd_finding *sim_findings(struct rd_device *device, size_t *count)
{
    rd_sim_enter(device);
    return rd_sim_report_findings(count);
}

/* Defined in the program `reductio`. NULL in the library: running users' files takes signals, and statics. */
extern const struct rd_file_ops rd_sim_files __attribute__((weak));

const struct rd_device_ops rd_device_sim = {
    .name = "sim",
    .simulates = true,
    .open = sim_open,
    .close = sim_close,
    .describe = sim_describe,
    .limits = sim_limits,
    .alloc = sim_alloc,
    .free = sim_free,
    .host_alloc = sim_host_alloc,
    .host_free = sim_host_free,
    .write = sim_write,
    .read = sim_read,
    .wait = sim_wait,
    .launch = sim_launch,
    .omits = true,
    .findings = sim_findings,
    .files = &rd_sim_files,
};
