// SPDX-License-Identifier: MIT
#include "device/sim/runtime/kernels.h"
#include "base/array.h"
#include "device/sim/api/hooks.h"
#include "device/sim/engine/engine.h"
#include "device/sim/file/file.h"
#include "device/sim/memory/memory.h"
#include "device/sim/source/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Limits of compute capability 9.0. */
enum {
    SHARED_USUAL = 48 * 1024,
    SHARED_MAX = 227 * 1024,
    SHARED_OF_PROCESSOR = 228 * 1024,
    SHARED_RESERVED = 1024,
    THREADS_OF_PROCESSOR = 2048,
    BLOCKS_OF_PROCESSOR = 32,
    THREADS_MAX = 1024,
    WARP = 32,
};

/* Attributes that were set of a kernel, which is known by its address, or by what runs its threads. */
struct about {
    const void *function, *thread;
    bool is_found; /* its function in the file, */
    bool is_only;  /* the only one of that name */
    uintptr_t address;
    size_t static_bytes;
    unsigned threads_max;
    size_t dynamic_max; /* 0: as usual */
};

static struct {
    const struct rd_sim_kernel **all;
    size_t n, capacity;
    struct about *about;
    size_t n_about, about_capacity;
} kernels_state;

RD_HOOK void rd_sim_kernel_register(const struct rd_sim_kernel *kernel)
{
    for (size_t k = 0; k < kernels_state.n; k++)
        if (kernels_state.all[k]->function == kernel->function)
            return;
    if (rd_array_make_room(&kernels_state.all, kernels_state.n, &kernels_state.capacity,
                           sizeof *kernels_state.all))
        kernels_state.all[kernels_state.n++] = kernel;
}

static const struct rd_sim_kernel *registered(const void *function)
{
    for (size_t k = 0; k < kernels_state.n; k++)
        if (kernels_state.all[k]->function == function)
            return kernels_state.all[k];
    return NULL;
}

/* ---- what is known of kernels ---- */

static struct about *about_of(const void *function, const void *thread, const char *name)
{
    for (size_t k = 0; k < kernels_state.n_about; k++)
        if ((function && kernels_state.about[k].function == function) ||
            (!function && kernels_state.about[k].thread == thread))
            return &kernels_state.about[k];
    if (!rd_array_make_room(&kernels_state.about, kernels_state.n_about,
                            &kernels_state.about_capacity, sizeof *kernels_state.about))
        return NULL;
    struct about *about = &kernels_state.about[kernels_state.n_about++];
    *about = (struct about){.function = function, .thread = thread, .address = (uintptr_t)function};
    about->is_found = about->is_only = function != NULL;
    if (!function && name)
        about->is_found = rd_sim_file_function(name, &about->address, &about->is_only);
    if (about->is_only)
        rd_sim_file_limits(about->address, &about->static_bytes, &about->threads_max);
    return about;
}

static struct about *about_launch(const struct rd_sim_launch *launch)
{
    struct about *about = about_of(launch->function, (const void *)launch->thread, launch->kernel);
    /* Attributes are set by the address. */
    for (size_t k = 0; about && about->is_only && !launch->function && k < kernels_state.n_about;
         k++)
        if (kernels_state.about[k].function && kernels_state.about[k].address == about->address)
            about->dynamic_max = kernels_state.about[k].dynamic_max;
    return about;
}

bool rd_sim_launch_limits(const struct rd_sim_launch *launch, size_t *static_bytes,
                          unsigned *threads_max)
{
    const struct about *about = about_launch(launch);
    if (!about || !about->is_only)
        return false;
    *static_bytes = about->static_bytes;
    *threads_max = about->threads_max;
    return true;
}

size_t rd_sim_launch_shared_max(const struct rd_sim_launch *launch)
{
    const struct about *about = about_launch(launch);
    /* A template's instance, whose attributes are known by an address that the launch has not. */
    if (!about || !about->is_only)
        return SHARED_MAX;
    return about->dynamic_max > SHARED_USUAL ? about->dynamic_max : SHARED_USUAL;
}

/* ---- names ---- */

/* The type of what a parameter points to: "f32". */
static void type_of(const struct rd_file_parameter *parameter, char type[8])
{
    type[0] = '\0';
    if (parameter->pointee_kind == 'f' || parameter->pointee_kind == 'i' ||
        parameter->pointee_kind == 'u')
        snprintf(type, 8, "%c%u", parameter->pointee_kind, parameter->pointee_size * 8);
}

void rd_sim_launch_name(const struct rd_sim_launch *launch)
{
    const struct about *about = about_launch(launch);
    for (unsigned k = 0; k < launch->n_pointers; k++) {
        char name[64] = "", type[8];
        const void *pointer = launch->pointers[k];
        const struct rd_sim_allocation *allocation = pointer ? rd_sim_allocation_at(pointer) : NULL;
        if (!pointer)
            continue;
        if (about && about->is_found) {
            rd_sim_source_parameter(about->address, k, name, sizeof name);
            rd_sim_file()->source->restore(name);
        }
        if (!name[0])
            snprintf(name, sizeof name, "argument %u", k);
        if (!allocation && !rd_sim_module_has((uintptr_t)pointer)) {
            rd_sim_memory_given((uintptr_t)pointer, name, rd_sim_host_has(pointer));
            continue;
        }
        if (!allocation || allocation->freed || allocation->base != (uintptr_t)pointer)
            continue;
        type_of(&launch->parameters[k], type);
        const uintptr_t base = allocation->alias ? allocation->alias : allocation->base;
        rd_sim_memory_name((void *)base, name, type, launch->parameters[k].pointee_size);
        rd_sim_array_of_structs(
            base, about && about->is_found ? rd_sim_layout_of_parameter(about->address, k) : NULL);
    }
}

void rd_sim_launch_forget(const struct rd_sim_launch *launch)
{
    for (unsigned k = 0; k < launch->n_pointers; k++) {
        const void *pointer = launch->pointers[k];
        if (pointer && !rd_sim_allocation_at(pointer) && !rd_sim_module_has((uintptr_t)pointer))
            rd_sim_memory_forget((uintptr_t)pointer);
    }
}

/* ---- launches by address ---- */

cudaError_t rd_sim_kernel_launch(const void *function, const rd_dim3 *grid, const rd_dim3 *block,
                                 void **arguments, size_t shared_bytes,
                                 const struct rd_sim_host_call *call, struct rd_sim_launch *launch)
{
    const struct rd_sim_kernel *kernel = registered(function);
    struct rd_sim_line line;
    char *file;
    if (!kernel) {
        if (function)
            rd_sim_runtime_lacks("a launch by %s of a kernel of which only the address is known: "
                                 "name the kernel in the call",
                                 call->name);
        return cudaErrorInvalidDeviceFunction;
    }
    if (kernel->n > 0 && !arguments)
        return cudaErrorInvalidValue;
    char *closure = malloc(kernel->closure_bytes);
    const void **pointers = calloc(kernel->n + 1, sizeof *pointers);
    const struct rd_sim_site site = {.pc = call->place.pc};
    line = rd_sim_site_line(&site);
    file = strdup(line.file); /* stays, as findings may name it */
    if (!closure || !pointers || !file) {
        free(closure);
        free(pointers);
        free(file);
        return cudaErrorMemoryAllocation;
    }
    memcpy(closure, &function, sizeof function);
    for (unsigned k = 0; k < kernel->n; k++) {
        memcpy(closure + kernel->offsets[k], arguments[k], kernel->parameters[k].size);
        if (kernel->parameters[k].kind == 'p')
            memcpy(&pointers[k], arguments[k], sizeof pointers[k]);
    }
    *launch = (struct rd_sim_launch){
        .kernel = kernel->name,
        .file = file,
        .line = line.line,
        .grid = {grid->x, grid->y, grid->z},
        .block = {block->x, block->y, block->z},
        .shared_bytes = shared_bytes,
        .thread = kernel->thread,
        .closure = closure,
        .closure_bytes = kernel->closure_bytes,
        .pointers = pointers,
        .n_pointers = kernel->n,
        .function = function,
        .parameters = kernel->parameters,
    };
    return cudaSuccess;
}

void **rd_sim_kernel_arguments(const struct rd_sim_launch *launch)
{
    const struct rd_sim_kernel *kernel = registered(launch->function);
    void **arguments = calloc(launch->n_pointers + 1, sizeof *arguments);
    for (unsigned k = 0; arguments && kernel && k < kernel->n; k++)
        arguments[k] = (char *)launch->closure + kernel->offsets[k];
    return arguments;
}

void rd_sim_kernel_launch_finish(struct rd_sim_launch *launch)
{
    free((void *)launch->closure);
    free((void *)launch->pointers);
}

/* ---- attributes, occupancy ---- */

RD_HOOK cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *kernel)
{
    RD_BEGIN(cudaFuncGetAttributes);
    const struct about *about = kernel ? about_of(kernel, NULL, NULL) : NULL;
    if (!attributes || !kernel)
        RD_END(attributes ? cudaErrorInvalidDeviceFunction : cudaErrorInvalidValue);
    if (!about)
        RD_END(cudaErrorMemoryAllocation);
    *attributes = (struct cudaFuncAttributes){
        .sharedSizeBytes = about->static_bytes,
        .maxThreadsPerBlock = about->threads_max ? (int)about->threads_max : THREADS_MAX,
        .numRegs = 32,
        .ptxVersion = 90,
        .binaryVersion = 90,
        .maxDynamicSharedSizeBytes = about->dynamic_max ? (int)about->dynamic_max
                                                        : (int)(SHARED_USUAL - about->static_bytes),
        .preferredShmemCarveout = cudaSharedmemCarveoutDefault,
    };
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaFuncSetAttribute(const void *kernel, enum cudaFuncAttribute attribute,
                                         int value)
{
    RD_BEGIN(cudaFuncSetAttribute);
    struct about *about = kernel ? about_of(kernel, NULL, NULL) : NULL;
    if (!about)
        RD_END(kernel ? cudaErrorMemoryAllocation : cudaErrorInvalidDeviceFunction);
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize)
        RD_END(attribute >= 8 && attribute < cudaFuncAttributeMax ? cudaSuccess
                                                                  : cudaErrorInvalidValue);
    if (value < 0 || (size_t)value + about->static_bytes > SHARED_MAX)
        RD_END(cudaErrorInvalidValue);
    about->dynamic_max = (size_t)value;
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaFuncSetCacheConfig(const void *kernel, enum cudaFuncCache config)
{
    (void)config;
    RD_BEGIN(cudaFuncSetCacheConfig);
    RD_END(kernel ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}

RD_HOOK cudaError_t cudaFuncSetSharedMemConfig(const void *kernel, enum cudaSharedMemConfig config)
{
    (void)config;
    RD_BEGIN(cudaFuncSetSharedMemConfig);
    RD_END(kernel ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}

static unsigned least(unsigned x, unsigned y)
{
    return x < y ? x : y;
}

/* As many as a multiprocessor holds at once, as far as threads and shared memory limit it; registers are not known. */
static cudaError_t occupancy(int *blocks, const void *kernel, int threads, size_t shared_bytes)
{
    const struct about *about = kernel ? about_of(kernel, NULL, NULL) : NULL;
    if (!blocks || threads <= 0)
        return cudaErrorInvalidValue;
    if (!about)
        return cudaErrorInvalidDeviceFunction;
    unsigned warps = ((unsigned)threads + WARP - 1) / WARP;
    size_t shared = shared_bytes + about->static_bytes + SHARED_RESERVED;
    *blocks = 0;
    if (threads <= (about->threads_max ? (int)about->threads_max : THREADS_MAX) &&
        shared <= SHARED_OF_PROCESSOR)
        *blocks = (int)least(least(BLOCKS_OF_PROCESSOR, THREADS_OF_PROCESSOR / (warps * WARP)),
                             (unsigned)(SHARED_OF_PROCESSOR / shared));
    return cudaSuccess;
}

RD_HOOK cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel,
                                                                  int threads, size_t shared_bytes)
{
    RD_BEGIN(cudaOccupancyMaxActiveBlocksPerMultiprocessor);
    RD_END(occupancy(blocks, kernel, threads, shared_bytes));
}

RD_HOOK cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, const void *kernel, int threads, size_t shared_bytes, unsigned flags)
{
    (void)flags;
    RD_BEGIN(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags);
    RD_END(occupancy(blocks, kernel, threads, shared_bytes));
}

RD_HOOK cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *shared_bytes,
                                                              const void *kernel, int blocks,
                                                              int threads)
{
    RD_BEGIN(cudaOccupancyAvailableDynamicSMemPerBlock);
    const struct about *about = kernel ? about_of(kernel, NULL, NULL) : NULL;
    if (!shared_bytes || blocks <= 0 || threads <= 0 || !about)
        RD_END(cudaErrorInvalidValue);
    size_t each = SHARED_OF_PROCESSOR / (size_t)blocks,
           taken = SHARED_RESERVED + about->static_bytes;
    *shared_bytes = each > taken ? each - taken : 0;
    RD_END(cudaSuccess);
}
