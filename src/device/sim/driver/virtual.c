// SPDX-License-Identifier: MIT
/* CUDA Driver API, "Virtual Memory Management". Memory comes into being where it is mapped; a handle is a size, and may be mapped
 * once; that it is compressed changes nothing here. Mappings that lie one behind the other are one array to kernels. */
#include "base/array.h"
#include "device/sim/driver/driver.h"
#include "device/sim/memory/memory.h"

#include <string.h>

enum { GRANULARITY = 2 << 20 };

/* Physical memory. */
struct physical {
    size_t size_bytes;
    CUmemAllocationProp properties;
    unsigned n_mapped;
    bool released;
};

struct mapping {
    uintptr_t base;
    size_t size_bytes;
    size_t handle; /* its number among the physical ones */
    bool is_accessible;
};

struct reservation {
    uintptr_t base;
    size_t size_bytes;
};

static struct {
    struct physical *all; /* handles are their numbers, from 1 */
    size_t n, capacity;
    struct mapping *mappings;
    size_t n_mappings, mappings_capacity;
    struct reservation *reserved;
    size_t n_reserved, reserved_capacity;
} virtual_state;

static struct physical *physical_of(CUmemGenericAllocationHandle handle)
{
    return handle > 0 && handle <= virtual_state.n && !virtual_state.all[handle - 1].released
               ? &virtual_state.all[handle - 1]
               : NULL;
}

static bool is_reserved(uintptr_t base, size_t size_bytes)
{
    for (size_t k = 0; k < virtual_state.n_reserved; k++)
        if (base >= virtual_state.reserved[k].base &&
            size_bytes <= virtual_state.reserved[k].size_bytes &&
            base - virtual_state.reserved[k].base <=
                virtual_state.reserved[k].size_bytes - size_bytes)
            return true;
    return false;
}

/* The mapping in these addresses, from number k on; n_mappings where there is none. */
static size_t next_mapping(size_t k, uintptr_t base, size_t size_bytes)
{
    while (k < virtual_state.n_mappings &&
           (virtual_state.mappings[k].base >= base + size_bytes ||
            virtual_state.mappings[k].base + virtual_state.mappings[k].size_bytes <= base))
        k++;
    return k;
}

static bool is_whole(size_t size_bytes)
{
    return size_bytes > 0 && size_bytes % GRANULARITY == 0;
}

RD_HOOK CUresult cuMemGetAllocationGranularity(size_t *granularity,
                                               const CUmemAllocationProp *properties,
                                               CUmemAllocationGranularity_flags flags)
{
    RD_CU_BEGIN(cuMemGetAllocationGranularity, RD_CU_NEEDS_INIT);
    if (!granularity || !properties || (unsigned)flags > CU_MEM_ALLOC_GRANULARITY_RECOMMENDED)
        RD_CU_END(CUDA_ERROR_INVALID_VALUE);
    *granularity = GRANULARITY;
    RD_CU_END(CUDA_SUCCESS);
}

/* ---- addresses ---- */

RD_HOOK CUresult cuMemAddressReserve(CUdeviceptr *pointer, size_t size_bytes, size_t alignment,
                                     CUdeviceptr wanted, unsigned long long flags)
{
    (void)wanted; /* a hint */
    RD_CU_BEGIN(cuMemAddressReserve, RD_CU_NEEDS_INIT);
    if (!pointer || !is_whole(size_bytes) || flags || (alignment & (alignment - 1)))
        RD_CU_END(CUDA_ERROR_INVALID_VALUE);
    if (!rd_array_make_room(&virtual_state.reserved, virtual_state.n_reserved,
                            &virtual_state.reserved_capacity, sizeof *virtual_state.reserved))
        RD_CU_END(CUDA_ERROR_OUT_OF_MEMORY);
    void *memory =
        rd_sim_memory_reserve(size_bytes, alignment > GRANULARITY ? alignment : GRANULARITY);
    if (!memory)
        RD_CU_END(CUDA_ERROR_OUT_OF_MEMORY);
    virtual_state.reserved[virtual_state.n_reserved++] =
        (struct reservation){(uintptr_t)memory, size_bytes};
    *pointer = (CUdeviceptr)(uintptr_t)memory;
    RD_CU_END(CUDA_SUCCESS);
}

RD_HOOK CUresult cuMemAddressFree(CUdeviceptr pointer, size_t size_bytes)
{
    RD_CU_BEGIN(cuMemAddressFree, RD_CU_NEEDS_INIT);
    size_t k = 0;
    while (k < virtual_state.n_reserved && (virtual_state.reserved[k].base != pointer ||
                                            virtual_state.reserved[k].size_bytes != size_bytes))
        k++;
    if (k == virtual_state.n_reserved ||
        next_mapping(0, pointer, size_bytes) < virtual_state.n_mappings)
        RD_CU_END(CUDA_ERROR_INVALID_VALUE);
    rd_sim_memory_unreserve((void *)(uintptr_t)pointer);
    virtual_state.reserved[k] = virtual_state.reserved[--virtual_state.n_reserved];
    RD_CU_END(CUDA_SUCCESS);
}

/* ---- handles ---- */

RD_HOOK CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t size_bytes,
                             const CUmemAllocationProp *properties, unsigned long long flags)
{
    int n_devices = 0;
    RD_CU_BEGIN(cuMemCreate, RD_CU_NEEDS_INIT);
    if (!handle || !properties || flags || !is_whole(size_bytes) ||
        properties->type != CU_MEM_ALLOCATION_TYPE_PINNED ||
        properties->location.type != CU_MEM_LOCATION_TYPE_DEVICE ||
        properties->allocFlags.compressionType > CU_MEM_ALLOCATION_COMP_GENERIC)
        RD_CU_END(CUDA_ERROR_INVALID_VALUE);
    if (cudaGetDeviceCount(&n_devices) != cudaSuccess || properties->location.id < 0 ||
        properties->location.id >= n_devices)
        RD_CU_END(CUDA_ERROR_INVALID_DEVICE);
    if (properties->requestedHandleTypes != CU_MEM_HANDLE_TYPE_NONE)
        RD_CU_END(CUDA_ERROR_NOT_SUPPORTED); /* as the device's attributes say */
    if (size_bytes > rd_sim_device_bytes() - rd_sim_memory_live_bytes() ||
        !rd_array_make_room(&virtual_state.all, virtual_state.n, &virtual_state.capacity,
                            sizeof *virtual_state.all))
        RD_CU_END(CUDA_ERROR_OUT_OF_MEMORY);
    virtual_state.all[virtual_state.n++] =
        (struct physical){.size_bytes = size_bytes, .properties = *properties};
    *handle = virtual_state.n;
    RD_CU_END(CUDA_SUCCESS);
}

RD_HOOK CUresult cuMemRelease(CUmemGenericAllocationHandle handle)
{
    RD_CU_BEGIN(cuMemRelease, RD_CU_NEEDS_INIT);
    struct physical *physical = physical_of(handle);
    if (!physical)
        RD_CU_END(CUDA_ERROR_INVALID_VALUE);
    physical->released = true;
    RD_CU_END(CUDA_SUCCESS);
}

RD_HOOK CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *properties,
                                                        CUmemGenericAllocationHandle handle)
{
    RD_CU_BEGIN(cuMemGetAllocationPropertiesFromHandle, RD_CU_NEEDS_INIT);
    const struct physical *physical = physical_of(handle);
    if (!physical || !properties)
        RD_CU_END(CUDA_ERROR_INVALID_VALUE);
    *properties = physical->properties;
    RD_CU_END(CUDA_SUCCESS);
}

RD_HOOK CUresult cuMemExportToShareableHandle(void *shared, CUmemGenericAllocationHandle handle,
                                              CUmemAllocationHandleType type,
                                              unsigned long long flags)
{
    (void)shared, (void)handle, (void)type, (void)flags;
    RD_CU_BEGIN(cuMemExportToShareableHandle, RD_CU_NEEDS_INIT);
    rd_sim_unsimulated("memory that processes share", "", 0, (void *)cu.call.place.pc);
    RD_CU_END(CUDA_ERROR_NOT_SUPPORTED);
}

RD_HOOK CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *handle, void *shared,
                                                CUmemAllocationHandleType type)
{
    (void)shared, (void)handle, (void)type;
    RD_CU_BEGIN(cuMemImportFromShareableHandle, RD_CU_NEEDS_INIT);
    rd_sim_unsimulated("memory that processes share", "", 0, (void *)cu.call.place.pc);
    RD_CU_END(CUDA_ERROR_NOT_SUPPORTED);
}

/* ---- mappings ---- */

/* Makes memory of what is accessible, of mappings that lie one behind the other one array. */
static cudaError_t make_accessible(const struct rd_sim_host_call *call, uintptr_t base,
                                   size_t size_bytes)
{
    for (uintptr_t at = base; at < base + size_bytes;) {
        const size_t k = next_mapping(0, at, 1);
        uintptr_t end = at;
        if (k == virtual_state.n_mappings)
            return cudaErrorInvalidValue;
        if (virtual_state.mappings[k].is_accessible) {
            at = virtual_state.mappings[k].base + virtual_state.mappings[k].size_bytes;
            continue;
        }
        for (size_t next = k;
             next < virtual_state.n_mappings && !virtual_state.mappings[next].is_accessible &&
             end < base + size_bytes;
             next = next_mapping(0, end, 1)) {
            virtual_state.mappings[next].is_accessible = true;
            end = virtual_state.mappings[next].base + virtual_state.mappings[next].size_bytes;
        }
        const cudaError_t error = rd_sim_memory_map_at(call, (void *)virtual_state.mappings[k].base,
                                                       end - virtual_state.mappings[k].base);
        if (error != cudaSuccess)
            return error;
        at = end;
    }
    return cudaSuccess;
}

RD_HOOK CUresult cuMemMap(CUdeviceptr pointer, size_t size_bytes, size_t offset,
                          CUmemGenericAllocationHandle handle, unsigned long long flags)
{
    RD_CU_BEGIN(cuMemMap, RD_CU_NEEDS_INIT);
    struct physical *physical = physical_of(handle);
    if (!physical || flags || offset || size_bytes != physical->size_bytes ||
        pointer % GRANULARITY != 0 || !is_reserved(pointer, size_bytes))
        RD_CU_END(CUDA_ERROR_INVALID_VALUE);
    if (next_mapping(0, pointer, size_bytes) < virtual_state.n_mappings)
        RD_CU_END(CUDA_ERROR_INVALID_VALUE);
    if (physical->n_mapped > 0) {
        rd_sim_unsimulated("memory that is mapped at several addresses", "", 0,
                           (void *)cu.call.place.pc);
        RD_CU_END(CUDA_ERROR_NOT_SUPPORTED);
    }
    if (!rd_array_make_room(&virtual_state.mappings, virtual_state.n_mappings,
                            &virtual_state.mappings_capacity, sizeof *virtual_state.mappings))
        RD_CU_END(CUDA_ERROR_OUT_OF_MEMORY);
    virtual_state.mappings[virtual_state.n_mappings++] =
        (struct mapping){pointer, size_bytes, handle - 1, false};
    physical->n_mapped++;
    RD_CU_END(CUDA_SUCCESS);
}

RD_HOOK CUresult cuMemSetAccess(CUdeviceptr pointer, size_t size_bytes, const CUmemAccessDesc *list,
                                size_t count)
{
    RD_CU_BEGIN(cuMemSetAccess, RD_CU_NEEDS_INIT);
    if (!list || count == 0 || !is_reserved(pointer, size_bytes))
        RD_CU_END(CUDA_ERROR_INVALID_VALUE);
    for (size_t k = 0; k < count; k++)
        if (list[k].flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE) {
            rd_sim_unsimulated("memory that may be read and not written", "", 0,
                               (void *)cu.call.place.pc);
            RD_CU_END(CUDA_ERROR_NOT_SUPPORTED);
        }
    RD_CU_DO(make_accessible(&cu.call, pointer, size_bytes));
}

RD_HOOK CUresult cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location,
                                CUdeviceptr pointer)
{
    RD_CU_BEGIN(cuMemGetAccess, RD_CU_NEEDS_INIT);
    const size_t k = next_mapping(0, pointer, 1);
    if (!flags || !location || k == virtual_state.n_mappings)
        RD_CU_END(CUDA_ERROR_INVALID_VALUE);
    *flags = virtual_state.mappings[k].is_accessible ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE
                                                     : CU_MEM_ACCESS_FLAGS_PROT_NONE;
    RD_CU_END(CUDA_SUCCESS);
}

/* Gives back the arrays of these addresses; false where one goes on beyond them. */
static bool give_arrays(const struct rd_sim_host_call *call, uintptr_t base, size_t size_bytes)
{
    for (uintptr_t at = base; at < base + size_bytes; at += GRANULARITY) {
        const struct rd_sim_allocation *allocation = rd_sim_allocation_at((const void *)(at + 1));
        if (allocation && !allocation->freed &&
            (allocation->base < base ||
             allocation->base + allocation->size_bytes > base + size_bytes))
            return false;
    }
    for (uintptr_t at = base; at < base + size_bytes; at += GRANULARITY) {
        const struct rd_sim_allocation *allocation = rd_sim_allocation_at((const void *)(at + 1));
        if (allocation && !allocation->freed)
            rd_sim_memory_give(call, (void *)allocation->base);
    }
    return true;
}

RD_HOOK CUresult cuMemUnmap(CUdeviceptr pointer, size_t size_bytes)
{
    size_t covered = 0;
    RD_CU_BEGIN(cuMemUnmap, RD_CU_NEEDS_INIT);
    for (size_t k = 0; (k = next_mapping(k, pointer, size_bytes)) < virtual_state.n_mappings; k++) {
        if (virtual_state.mappings[k].base < pointer ||
            virtual_state.mappings[k].base + virtual_state.mappings[k].size_bytes >
                pointer + size_bytes)
            RD_CU_END(CUDA_ERROR_INVALID_VALUE);
        covered += virtual_state.mappings[k].size_bytes;
    }
    if (size_bytes == 0 || covered != size_bytes)
        RD_CU_END(CUDA_ERROR_INVALID_VALUE);
    cudaDeviceSynchronize();
    if (!give_arrays(&cu.call, pointer, size_bytes)) {
        rd_sim_unsimulated("unmapping a part of what was made accessible at once", "", 0,
                           (void *)cu.call.place.pc);
        RD_CU_END(CUDA_ERROR_NOT_SUPPORTED);
    }
    for (size_t k = 0; (k = next_mapping(k, pointer, size_bytes)) < virtual_state.n_mappings;) {
        virtual_state.all[virtual_state.mappings[k].handle].n_mapped--;
        virtual_state.mappings[k] = virtual_state.mappings[--virtual_state.n_mappings];
    }
    RD_CU_END(CUDA_SUCCESS);
}
