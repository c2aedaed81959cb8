// SPDX-License-Identifier: MIT
/* Copies and fills, as the host asks for them. CUDA Runtime API, "Memory Management" and "API synchronization behavior". */
#include "device/sim/api/hooks.h"
#include "device/sim/file/file.h"
#include "device/sim/memory/memory.h"
#include "device/sim/runtime/graphs.h"

/* Tells whether it is pageable memory of the host, of which a copy is made at once. */
static bool is_pageable(const void *address)
{
    return !rd_sim_allocation_at(address) && !rd_sim_is_device_variable((uintptr_t)address) &&
           !rd_sim_is_managed_variable((uintptr_t)address);
}

static bool is_of_host(const void *address)
{
    const struct rd_sim_allocation *allocation = rd_sim_allocation_at(address);
    return allocation ? allocation->kind == RD_SIM_MEMORY_PINNED : is_pageable(address);
}

static bool is_seen_by_host(const void *address)
{
    const struct rd_sim_allocation *allocation = rd_sim_allocation_at(address);
    return allocation ? allocation->kind != RD_SIM_MEMORY_DEVICE
                      : rd_sim_is_managed_variable((uintptr_t)address);
}

/* The stream takes the box; `waits`: the host goes on when the copy is done, if it is with the host, or when memory that the host
 * sees is set. (CUDA Runtime API, API synchronization behavior.) */
static cudaError_t submit(const struct rd_sim_host_call *call, const struct rd_sim_box *box,
                          cudaStream_t handle, bool waits)
{
    struct CUstream_st *stream = rd_sim_stream_of(handle);
    const struct rd_sim_task operation = {
        .type = box->from ? cudaGraphNodeTypeMemcpy : cudaGraphNodeTypeMemset,
        .call = *call,
        .box = *box,
    };
    if (!stream)
        return cudaErrorInvalidResourceHandle;
    if (waits && stream->capture)
        return rd_sim_capture_fails(stream);
    cudaError_t error = rd_sim_submit(stream, &operation);
    if (error != cudaSuccess || stream->capture)
        return error;
    if (!box->from
            ? waits && is_seen_by_host(box->to)
            : (waits && (is_of_host(box->to) || is_of_host(box->from))) || is_pageable(box->to))
        rd_sim_stream_await(stream);
    return cudaSuccess;
}

static struct rd_sim_box line(void *to, const void *from, size_t size_bytes,
                              enum cudaMemcpyKind kind)
{
    return (struct rd_sim_box){
        .to = to, .from = from, .width = size_bytes, .height = 1, .depth = 1, .kind = kind};
}

static struct rd_sim_box fill_of(void *to, int value, size_t pitch, size_t width, size_t height)
{
    return (struct rd_sim_box){.to = to,
                               .to_pitch = pitch,
                               .width = width,
                               .height = height,
                               .depth = 1,
                               .value = (unsigned)value,
                               .value_bytes = 1};
}

static cudaError_t copy(const struct rd_sim_host_call *call, void *to, const void *from,
                        size_t size_bytes, enum cudaMemcpyKind kind, cudaStream_t stream,
                        bool waits)
{
    const struct rd_sim_box box = line(to, from, size_bytes, kind);
    if (size_bytes > 0 && !from)
        return cudaErrorInvalidValue;
    return size_bytes == 0 ? cudaSuccess : submit(call, &box, stream, waits);
}

RD_HOOK cudaError_t cudaMemcpy(void *to, const void *from, size_t size_bytes,
                               enum cudaMemcpyKind kind)
{
    RD_BEGIN(cudaMemcpy);
    RD_END(copy(&call, to, from, size_bytes, kind, NULL, true));
}

RD_HOOK cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size_bytes,
                                    enum cudaMemcpyKind kind, cudaStream_t stream)
{
    RD_BEGIN(cudaMemcpyAsync);
    RD_END(copy(&call, to, from, size_bytes, kind, stream, false));
}

RD_HOOK cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device,
                                   size_t size_bytes)
{
    (void)to_device, (void)from_device;
    RD_BEGIN(cudaMemcpyPeer);
    RD_END(copy(&call, to, from, size_bytes, cudaMemcpyDefault, NULL, true));
}

RD_HOOK cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                        size_t size_bytes, cudaStream_t stream)
{
    (void)to_device, (void)from_device;
    RD_BEGIN(cudaMemcpyPeerAsync);
    RD_END(copy(&call, to, from, size_bytes, cudaMemcpyDefault, stream, false));
}

/* ---- of two and three dimensions ---- */

static cudaError_t copy_2d(const struct rd_sim_host_call *call, const struct rd_sim_box *box,
                           cudaStream_t stream, bool waits)
{
    if (box->width > box->to_pitch || box->width > box->from_pitch)
        return cudaErrorInvalidPitchValue;
    return box->from ? submit(call, box, stream, waits) : cudaErrorInvalidValue;
}

static struct rd_sim_box box_2d(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                                size_t width, size_t height, enum cudaMemcpyKind kind)
{
    return (struct rd_sim_box){.to = to,
                               .from = from,
                               .to_pitch = to_pitch,
                               .from_pitch = from_pitch,
                               .width = width,
                               .height = height,
                               .depth = 1,
                               .kind = kind};
}

cudaError_t rd_sim_copy_rows(const struct rd_sim_host_call *call, void *to, size_t to_pitch,
                             const void *from, size_t from_pitch, size_t width, size_t height,
                             enum cudaMemcpyKind kind, cudaStream_t stream, bool waits)
{
    const struct rd_sim_box box = box_2d(to, to_pitch, from, from_pitch, width, height, kind);
    return copy_2d(call, &box, stream, waits);
}

RD_HOOK cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                                 size_t width, size_t height, enum cudaMemcpyKind kind)
{
    RD_BEGIN(cudaMemcpy2D);
    const struct rd_sim_box box = box_2d(to, to_pitch, from, from_pitch, width, height, kind);
    RD_END(copy_2d(&call, &box, NULL, true));
}

RD_HOOK cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from,
                                      size_t from_pitch, size_t width, size_t height,
                                      enum cudaMemcpyKind kind, cudaStream_t stream)
{
    RD_BEGIN(cudaMemcpy2DAsync);
    const struct rd_sim_box box = box_2d(to, to_pitch, from, from_pitch, width, height, kind);
    RD_END(copy_2d(&call, &box, stream, false));
}

static cudaError_t copy_3d(const struct rd_sim_host_call *call,
                           const struct cudaMemcpy3DParms *copy, cudaStream_t stream, bool waits)
{
    struct rd_sim_box box;
    if (copy && (copy->srcArray || copy->dstArray)) {
        rd_sim_unsimulated("copies of CUDA arrays", "", 0, (void *)call->place.pc);
        return cudaErrorNotSupported;
    }
    return rd_sim_box_of_3d(copy, &box) ? submit(call, &box, stream, waits) : cudaErrorInvalidValue;
}

RD_HOOK cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *copy)
{
    RD_BEGIN(cudaMemcpy3D);
    RD_END(copy_3d(&call, copy, NULL, true));
}

RD_HOOK cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *copy, cudaStream_t stream)
{
    RD_BEGIN(cudaMemcpy3DAsync);
    RD_END(copy_3d(&call, copy, stream, false));
}

/* ---- fills ---- */

static cudaError_t set(const struct rd_sim_host_call *call, struct rd_sim_box box,
                       cudaStream_t stream, bool waits)
{
    return submit(call, &box, stream, waits);
}

RD_HOOK cudaError_t cudaMemset(void *to, int value, size_t size_bytes)
{
    RD_BEGIN(cudaMemset);
    RD_END(set(&call, fill_of(to, value, size_bytes, size_bytes, 1), NULL, true));
}

RD_HOOK cudaError_t cudaMemsetAsync(void *to, int value, size_t size_bytes, cudaStream_t stream)
{
    RD_BEGIN(cudaMemsetAsync);
    RD_END(set(&call, fill_of(to, value, size_bytes, size_bytes, 1), stream, false));
}

RD_HOOK cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height)
{
    RD_BEGIN(cudaMemset2D);
    RD_END(set(&call, fill_of(to, value, pitch, width, height), NULL, true));
}

RD_HOOK cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width,
                                      size_t height, cudaStream_t stream)
{
    RD_BEGIN(cudaMemset2DAsync);
    RD_END(set(&call, fill_of(to, value, pitch, width, height), stream, false));
}

static struct rd_sim_box fill_3d(const struct cudaPitchedPtr *to, int value,
                                 const struct cudaExtent *extent)
{
    struct rd_sim_box box = fill_of(to->ptr, value, to->pitch, extent->width, extent->height);
    box.to_slice = to->pitch * to->ysize;
    box.depth = extent->depth;
    return box;
}

static cudaError_t set_3d(const struct rd_sim_host_call *call, const struct cudaPitchedPtr *to,
                          int value, const struct cudaExtent *extent, cudaStream_t stream,
                          bool waits)
{
    return to->ysize > 0 && extent->height > to->ysize
               ? cudaErrorInvalidValue
               : set(call, fill_3d(to, value, extent), stream, waits);
}

RD_HOOK cudaError_t cudaMemset3D(struct cudaPitchedPtr to, int value, struct cudaExtent extent)
{
    RD_BEGIN(cudaMemset3D);
    RD_END(set_3d(&call, &to, value, &extent, NULL, true));
}

RD_HOOK cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr to, int value, struct cudaExtent extent,
                                      cudaStream_t stream)
{
    RD_BEGIN(cudaMemset3DAsync);
    RD_END(set_3d(&call, &to, value, &extent, stream, false));
}

/* ---- variables of a file ---- */

static bool is_variable(const struct rd_sim_host_call *call, const void *symbol)
{
    const struct rd_sim_host_place *at = &call->place;
    rd_sim_absent_tell(symbol,
                       &(struct rd_sim_site){.pc = at->pc, .file = at->file, .line = at->line});
    return rd_sim_module_has((uintptr_t)symbol) && !rd_sim_module_is_host((uintptr_t)symbol);
}

/* The bytes of a variable from an offset on; NULL: it has fewer. */
static void *variable_at(const void *symbol, size_t size_bytes, size_t offset)
{
    bool inside;
    const struct rd_sim_array *array = rd_sim_array_at((uintptr_t)symbol, &inside);
    if (inside && (offset > array->size_bytes || size_bytes > array->size_bytes - offset))
        return NULL;
    return (char *)symbol + offset;
}

static cudaError_t copy_variable(const struct rd_sim_host_call *call, void *to, const void *from,
                                 size_t size_bytes, cudaStream_t stream, bool waits)
{
    struct rd_sim_box box = line(to, from, size_bytes, cudaMemcpyDefault);
    box.is_of_symbol = true;
    if (size_bytes > 0 && !from)
        return cudaErrorInvalidValue;
    return size_bytes == 0 ? cudaSuccess : submit(call, &box, stream, waits);
}

static cudaError_t to_symbol(const struct rd_sim_host_call *call, const void *symbol,
                             const void *from, size_t size_bytes, size_t offset,
                             cudaStream_t stream, bool waits)
{
    if (!is_variable(call, symbol))
        return cudaErrorInvalidSymbol;
    void *to = variable_at(symbol, size_bytes, offset);
    return to ? copy_variable(call, to, from, size_bytes, stream, waits) : cudaErrorInvalidValue;
}

static cudaError_t from_symbol(const struct rd_sim_host_call *call, void *to, const void *symbol,
                               size_t size_bytes, size_t offset, cudaStream_t stream, bool waits)
{
    if (!is_variable(call, symbol))
        return cudaErrorInvalidSymbol;
    const void *from = variable_at(symbol, size_bytes, offset);
    return from ? copy_variable(call, to, from, size_bytes, stream, waits) : cudaErrorInvalidValue;
}

RD_HOOK cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t size_bytes,
                                       size_t offset, enum cudaMemcpyKind kind)
{
    (void)kind;
    RD_BEGIN(cudaMemcpyToSymbol);
    RD_END(to_symbol(&call, symbol, from, size_bytes, offset, NULL, true));
}

RD_HOOK cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t size_bytes,
                                         size_t offset, enum cudaMemcpyKind kind)
{
    (void)kind;
    RD_BEGIN(cudaMemcpyFromSymbol);
    RD_END(from_symbol(&call, to, symbol, size_bytes, offset, NULL, true));
}

RD_HOOK cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t size_bytes,
                                            size_t offset, enum cudaMemcpyKind kind,
                                            cudaStream_t stream)
{
    (void)kind;
    RD_BEGIN(cudaMemcpyToSymbolAsync);
    RD_END(to_symbol(&call, symbol, from, size_bytes, offset, stream, false));
}

RD_HOOK cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t size_bytes,
                                              size_t offset, enum cudaMemcpyKind kind,
                                              cudaStream_t stream)
{
    (void)kind;
    RD_BEGIN(cudaMemcpyFromSymbolAsync);
    RD_END(from_symbol(&call, to, symbol, size_bytes, offset, stream, false));
}

RD_HOOK cudaError_t cudaGetSymbolAddress(void **pointer, const void *symbol)
{
    RD_BEGIN(cudaGetSymbolAddress);
    if (!is_variable(&call, symbol) || !pointer)
        RD_END(cudaErrorInvalidSymbol);
    *pointer = (void *)symbol;
    rd_sim_variable_is_asked((uintptr_t)symbol);
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaGetSymbolSize(size_t *size_bytes, const void *symbol)
{
    bool inside = false;
    RD_BEGIN(cudaGetSymbolSize);
    const struct rd_sim_array *array =
        is_variable(&call, symbol) ? rd_sim_array_at((uintptr_t)symbol, &inside) : NULL;
    if (!inside || !size_bytes)
        RD_END(cudaErrorInvalidSymbol);
    *size_bytes = array->size_bytes;
    RD_END(cudaSuccess);
}

/* ---- the host's functions ---- */

static cudaError_t call_host(const struct rd_sim_host_call *call, cudaStream_t handle,
                             cudaHostFn_t function, cudaStreamCallback_t callback, void *data)
{
    struct CUstream_st *stream = rd_sim_stream_of(handle);
    const struct rd_sim_task operation = {
        .type = cudaGraphNodeTypeHost,
        .call = *call,
        .function = function,
        .callback = callback,
        .data = data,
        .stream = handle,
    };
    if (!function && !callback)
        return cudaErrorInvalidValue;
    return stream ? rd_sim_submit(stream, &operation) : cudaErrorInvalidResourceHandle;
}

RD_HOOK cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data)
{
    RD_BEGIN(cudaLaunchHostFunc);
    RD_END(call_host(&call, stream, function, NULL, data));
}

RD_HOOK cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                          void *data, unsigned flags)
{
    RD_BEGIN(cudaStreamAddCallback);
    RD_END(flags ? cudaErrorInvalidValue : call_host(&call, stream, NULL, callback, data));
}

RD_HOOK cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t size_bytes, int device,
                                         cudaStream_t stream)
{
    (void)size_bytes, (void)device;
    RD_BEGIN(cudaMemPrefetchAsync);
    const struct rd_sim_allocation *allocation = rd_sim_allocation_at(pointer);
    if (!rd_sim_stream_of(stream))
        RD_END(cudaErrorInvalidResourceHandle);
    RD_END((allocation && allocation->kind == RD_SIM_MEMORY_MANAGED) ||
                   rd_sim_module_has((uintptr_t)pointer)
               ? cudaSuccess
               : cudaErrorInvalidValue);
}

RD_HOOK cudaError_t cudaMemAdvise(const void *pointer, size_t size_bytes,
                                  enum cudaMemoryAdvise advice, int device)
{
    (void)size_bytes, (void)advice, (void)device;
    RD_BEGIN(cudaMemAdvise);
    const struct rd_sim_allocation *allocation = rd_sim_allocation_at(pointer);
    RD_END((allocation && allocation->kind == RD_SIM_MEMORY_MANAGED) ||
                   rd_sim_module_has((uintptr_t)pointer)
               ? cudaSuccess
               : cudaErrorInvalidValue);
}
