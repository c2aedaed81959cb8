// SPDX-License-Identifier: MIT
/* Memory of CUDA's, and what is in it. */
#define _GNU_SOURCE
#include "recorder.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static struct {
    struct rd_gpu_memory *all;
    size_t n, capacity;
} own;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

const struct rd_gpu_memory *rd_gpu_memory_at(const void *address)
{
    static __thread struct rd_gpu_memory found;
    const char *at = address;
    bool is_found = false;
    pthread_mutex_lock(&lock);
    for (size_t k = own.n; k-- > 0 && !(is_found && !found.freed);) {
        const struct rd_gpu_memory *it = &own.all[k];
        if (at < it->base || at >= it->base + it->size_bytes || (is_found && it->freed))
            continue;
        found = *it;
        is_found = true;
    }
    pthread_mutex_unlock(&lock);
    return is_found ? &found : NULL;
}

void rd_gpu_memory_add(const void *base, size_t size_bytes, bool is_symbol)
{
    struct rd_gpu_memory added = {.base = base, .size_bytes = size_bytes, .is_symbol = is_symbol};
    if (!base)
        return;
    if (!is_symbol && cudaGetDevice(&added.device) != cudaSuccess)
        added.device = 0;
    pthread_mutex_lock(&lock);
    size_t k = 0;
    while (k < own.n && !(own.all[k].freed && own.all[k].base == base))
        k++; /* what was there before is no more */
    if (k == own.n && own.n == own.capacity) {
        const size_t capacity = own.capacity ? 2 * own.capacity : 64;
        struct rd_gpu_memory *all = realloc(own.all, capacity * sizeof *all);
        if (all) {
            own.all = all;
            own.capacity = capacity;
        }
    }
    if (k < own.capacity) {
        own.all[k] = added;
        own.n += k == own.n;
    }
    pthread_mutex_unlock(&lock);
}

void rd_gpu_memory_free(const void *base)
{
    pthread_mutex_lock(&lock);
    for (size_t k = 0; k < own.n; k++)
        if (!own.all[k].is_symbol && (!base || own.all[k].base == base))
            own.all[k].freed = true;
    pthread_mutex_unlock(&lock);
}

/* ---- reading ---- */

static const char *read_host(void *to, const void *from, size_t size_bytes)
{
    const struct iovec local = {to, size_bytes}, remote = {(void *)from, size_bytes};
    const ssize_t n = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
    if (n == (ssize_t)size_bytes)
        return NULL;
    if (n >= 0 || errno == EFAULT)
        return "the array lies in no memory that can be read";
    memcpy(to, from, size_bytes); /* the call itself is not allowed here */
    return NULL;
}

static cudaError_t read_device(void *to, const void *from, size_t size_bytes,
                               const struct rd_gpu_memory *memory)
{
    int before = 0;
    if (memory && memory->is_symbol)
        return cudaMemcpyFromSymbol(to, memory->base, size_bytes,
                                    (size_t)((const char *)from - memory->base),
                                    cudaMemcpyDeviceToHost);
    const bool is_elsewhere =
        memory && cudaGetDevice(&before) == cudaSuccess && before != memory->device;
    cudaError_t error = is_elsewhere ? cudaSetDevice(memory->device) : cudaSuccess;
    if (error == cudaSuccess && is_elsewhere)
        error = cudaDeviceSynchronize();
    if (error == cudaSuccess)
        error = cudaMemcpy(to, from, size_bytes, cudaMemcpyDefault);
    if (is_elsewhere)
        cudaSetDevice(before);
    return error;
}

const char *rd_gpu_memory_read(void *to, const void *from, size_t size_bytes)
{
    static __thread char why[300];
    const struct rd_gpu_memory *memory = rd_gpu_memory_at(from);
    struct cudaPointerAttributes about = {.type = cudaMemoryTypeUnregistered};
    if (rd_gpu_is_capturing())
        return "nothing can be read while a stream is captured into a graph";
    cudaError_t error = rd_gpu_settle("a copy of an array that a law speaks of");
    if (error == cudaSuccess && !memory)
        error = cudaPointerGetAttributes(&about, from);
    if (error == cudaSuccess &&
        (memory || about.type == cudaMemoryTypeDevice || about.type == cudaMemoryTypeManaged))
        error = read_device(to, from, size_bytes, memory);
    else if (error == cudaSuccess)
        return read_host(to, from, size_bytes);
    if (error == cudaSuccess)
        return NULL;
    snprintf(why, sizeof why, "the array can't be copied from the GPU: %s (%s)",
             cudaGetErrorName(error), cudaGetErrorString(error));
    return why;
}
