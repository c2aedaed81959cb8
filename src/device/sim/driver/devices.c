// SPDX-License-Identifier: MIT
/* CUDA Driver API, "Device Management". */
#include "device/sim/driver/driver.h"

#include <stdio.h>
#include <string.h>

static bool is_device(CUdevice device)
{
    int n = 0;
    return cudaGetDeviceCount(&n) == cudaSuccess && device >= 0 && device < n;
}

RD_HOOK CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    RD_CU_BEGIN(cuDeviceGet, RD_CU_NEEDS_INIT);
    if (!device)
        RD_CU_END(CUDA_ERROR_INVALID_VALUE);
    if (!is_device(ordinal))
        RD_CU_END(CUDA_ERROR_INVALID_DEVICE);
    *device = ordinal;
    RD_CU_END(CUDA_SUCCESS);
}

RD_HOOK CUresult cuDeviceGetCount(int *count)
{
    RD_CU_BEGIN(cuDeviceGetCount, RD_CU_NEEDS_INIT);
    RD_CU_DO(cudaGetDeviceCount(count));
}

RD_HOOK CUresult cuDeviceGetName(char *name, int length, CUdevice device)
{
    struct cudaDeviceProp properties;
    RD_CU_BEGIN(cuDeviceGetName, RD_CU_NEEDS_INIT);
    if (!name || length <= 0)
        RD_CU_END(CUDA_ERROR_INVALID_VALUE);
    const cudaError_t error = cudaGetDeviceProperties(&properties, device);
    if (error == cudaSuccess)
        snprintf(name, (size_t)length, "%s", properties.name);
    RD_CU_DO(error);
}

RD_HOOK CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device)
{
    struct cudaDeviceProp properties;
    RD_CU_BEGIN(cuDeviceGetUuid, RD_CU_NEEDS_INIT);
    if (!uuid)
        RD_CU_END(CUDA_ERROR_INVALID_VALUE);
    const cudaError_t error = cudaGetDeviceProperties(&properties, device);
    if (error == cudaSuccess)
        *uuid = properties.uuid;
    RD_CU_DO(error);
}

RD_HOOK CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device)
{
    RD_CU_BEGIN(cuDeviceTotalMem, RD_CU_NEEDS_INIT);
    if (!bytes)
        RD_CU_END(CUDA_ERROR_INVALID_VALUE);
    if (!is_device(device))
        RD_CU_END(CUDA_ERROR_INVALID_DEVICE);
    *bytes = rd_sim_device_bytes();
    RD_CU_END(CUDA_SUCCESS);
}

RD_HOOK CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
    RD_CU_BEGIN(cuDeviceGetAttribute, RD_CU_NEEDS_INIT);
    const cudaError_t error = cudaDeviceGetAttribute(value, (enum cudaDeviceAttr)attribute, device);
    if (error == cudaSuccess &&
        (attribute == CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED ||
         attribute == CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED))
        *value = 1;
    RD_CU_DO(error);
}

RD_HOOK CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device)
{
    RD_CU_BEGIN(cuDeviceComputeCapability, RD_CU_NEEDS_INIT);
    const cudaError_t error =
        cudaDeviceGetAttribute(major, cudaDevAttrComputeCapabilityMajor, device);
    RD_CU_DO(error != cudaSuccess
                 ? error
                 : cudaDeviceGetAttribute(minor, cudaDevAttrComputeCapabilityMinor, device));
}

RD_HOOK CUresult cuDeviceGetPCIBusId(char *bus, int length, CUdevice device)
{
    RD_CU_BEGIN(cuDeviceGetPCIBusId, RD_CU_NEEDS_INIT);
    RD_CU_DO(cudaDeviceGetPCIBusId(bus, length, device));
}

RD_HOOK CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *bus)
{
    RD_CU_BEGIN(cuDeviceGetByPCIBusId, RD_CU_NEEDS_INIT);
    RD_CU_DO(cudaDeviceGetByPCIBusId(device, bus));
}

RD_HOOK CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer)
{
    RD_CU_BEGIN(cuDeviceCanAccessPeer, RD_CU_NEEDS_INIT);
    RD_CU_DO(cudaDeviceCanAccessPeer(can, device, peer));
}
