// SPDX-License-Identifier: MIT
/* Devices: each is an H100 SXM as far as limits go. CUDA C++ Programming Guide, "Technical Specifications per Compute
 * Capability", 9.0; CUDA Runtime API, "Device Management". */
#include "device/sim/api/hooks.h"
#include "device/sim/runtime/streams.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { DEVICES_MAX = 16, LIMITS = cudaLimitPersistingL2CacheSize + 1 };

static struct {
    int now;
    unsigned flags;
    bool peers[DEVICES_MAX][DEVICES_MAX]; /* may access that one */
    bool shares_pools;
    size_t limits[LIMITS];
    enum cudaFuncCache cache;
    enum cudaSharedMemConfig shared;
} devices_state = {
    .limits = {[cudaLimitStackSize] = 1024,
               [cudaLimitPrintfFifoSize] = 1 << 20,
               [cudaLimitMallocHeapSize] = 8 << 20,
               [cudaLimitDevRuntimeSyncDepth] = 2,
               [cudaLimitDevRuntimePendingLaunchCount] = 2048,
               [cudaLimitMaxL2FetchGranularity] = 64,
               [cudaLimitPersistingL2CacheSize] = 0},
};

int rd_sim_device_now(void)
{
    return devices_state.now;
}

bool rd_sim_device_may_access(int device, int peer)
{
    return device == peer || devices_state.peers[device][peer];
}

void rd_sim_pools_share(void)
{
    devices_state.shares_pools = true;
}

bool rd_sim_pools_are_shared(void)
{
    return devices_state.shares_pools;
}

size_t rd_sim_heap_wanted(void)
{
    return devices_state.limits[cudaLimitMallocHeapSize];
}

static int n_devices(void)
{
    int n = (int)rd_sim_runtime_program()->n_devices;
    return n < DEVICES_MAX ? n : DEVICES_MAX;
}

bool rd_sim_device_exists(int device)
{
    return device >= 0 && device < n_devices();
}

size_t rd_sim_device_bytes(void)
{
    /* With what is known of each byte, memory takes three times its size. */
    const size_t most = (size_t)80 << 30;
    size_t machine = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE) / 4;
    return machine < most ? machine : most;
}

RD_HOOK cudaError_t cudaGetDeviceCount(int *count)
{
    RD_BEGIN(cudaGetDeviceCount);
    if (!count)
        RD_END(cudaErrorInvalidValue);
    *count = n_devices();
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaGetDevice(int *device)
{
    RD_BEGIN(cudaGetDevice);
    if (!device)
        RD_END(cudaErrorInvalidValue);
    *device = devices_state.now;
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaSetDevice(int device)
{
    RD_BEGIN(cudaSetDevice);
    if (!rd_sim_device_exists(device))
        RD_END(cudaErrorInvalidDevice);
    devices_state.now = device;
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaSetValidDevices(int *devices, int count)
{
    RD_BEGIN(cudaSetValidDevices);
    RD_END(devices && count > 0 ? cudaSuccess : cudaErrorInvalidValue);
}

RD_HOOK cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *properties)
{
    RD_BEGIN(cudaChooseDevice);
    if (!device || !properties)
        RD_END(cudaErrorInvalidValue);
    *device = 0;
    RD_END(cudaSuccess);
}

static const struct cudaDeviceProp model = {
    .name = "Reductio's simulator of an NVIDIA H100",
    .sharedMemPerBlock = 48 * 1024,
    .regsPerBlock = 65536,
    .warpSize = 32,
    .memPitch = INT_MAX,
    .maxThreadsPerBlock = 1024,
    .maxThreadsDim = {1024, 1024, 64},
    .maxGridSize = {INT_MAX, 65535, 65535},
    .clockRate = 1980000,
    .totalConstMem = 65536,
    .major = 9,
    .minor = 0,
    .textureAlignment = 512,
    .texturePitchAlignment = 32,
    .deviceOverlap = 1,
    .multiProcessorCount = 132,
    .canMapHostMemory = 1,
    .maxTexture1D = 131072,
    .maxTexture1DMipmap = 32768,
    .maxTexture1DLinear = 268435456,
    .maxTexture2D = {131072, 65536},
    .maxTexture2DMipmap = {32768, 32768},
    .maxTexture2DLinear = {131072, 65000, 2097120},
    .maxTexture2DGather = {32768, 32768},
    .maxTexture3D = {16384, 16384, 16384},
    .maxTexture3DAlt = {8192, 8192, 32768},
    .maxTextureCubemap = 32768,
    .maxTexture1DLayered = {32768, 2048},
    .maxTexture2DLayered = {32768, 32768, 2048},
    .maxTextureCubemapLayered = {32768, 2046},
    .maxSurface1D = 32768,
    .maxSurface2D = {131072, 65536},
    .maxSurface3D = {16384, 16384, 16384},
    .maxSurface1DLayered = {32768, 2048},
    .maxSurface2DLayered = {32768, 32768, 2048},
    .maxSurfaceCubemap = 32768,
    .maxSurfaceCubemapLayered = {32768, 2046},
    .surfaceAlignment = 512,
    .concurrentKernels = 1,
    .ECCEnabled = 1,
    .asyncEngineCount = 3,
    .unifiedAddressing = 1,
    .memoryClockRate = 2619000,
    .memoryBusWidth = 5120,
    .l2CacheSize = 52428800,
    .persistingL2CacheMaxSize = 32768000,
    .maxThreadsPerMultiProcessor = 2048,
    .streamPrioritiesSupported = 1,
    .globalL1CacheSupported = 1,
    .localL1CacheSupported = 1,
    .sharedMemPerMultiprocessor = 228 * 1024,
    .regsPerMultiprocessor = 65536,
    .managedMemory = 1,
    .singleToDoublePrecisionPerfRatio = 2,
    .concurrentManagedAccess = 1,
    .computePreemptionSupported = 1,
    .canUseHostPointerForRegisteredMem = 1,
    .cooperativeLaunch = 1,
    .sharedMemPerBlockOptin = 227 * 1024,
    .maxBlocksPerMultiProcessor = 32,
    .accessPolicyMaxWindowSize = 134217728,
    .reservedSharedMemPerBlock = 1024,
    .hostRegisterSupported = 1,
    .memoryPoolsSupported = 1,
    .clusterLaunch = 0, /* clusters are not simulated */
};

RD_HOOK cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device)
{
    RD_BEGIN(cudaGetDeviceProperties);
    if (!properties || !rd_sim_device_exists(device))
        RD_END(properties ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    *properties = model;
    properties->totalGlobalMem = rd_sim_device_bytes();
    properties->pciBusID = device + 1;
    properties->uuid.bytes[0] = (char)(device + 1);
    RD_END(cudaSuccess);
}

/* Returns the value of an attribute; -1 for a number outside the range. Numbers that the runtime has no name for (reserved, or
 * the driver's alone) are 0. */
static int attribute_of(enum cudaDeviceAttr attribute, int device)
{
    switch (attribute) {
#define VALUE(name, number, value)                                                                 \
    case cudaDevAttr##name:                                                                        \
        return (int)(value);
        RD_CUDA_ATTRIBUTES(VALUE)
#undef VALUE
    default:
        return attribute > 0 && attribute < cudaDevAttrMax ? 0 : -1;
    }
}

RD_HOOK cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    RD_BEGIN(cudaDeviceGetAttribute);
    int found = attribute_of(attribute, device);
    if (!rd_sim_device_exists(device))
        RD_END(cudaErrorInvalidDevice);
    if (!value || found < 0)
        RD_END(cudaErrorInvalidValue);
    *value = found;
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaDeviceGetPCIBusId(char *bus, int length, int device)
{
    RD_BEGIN(cudaDeviceGetPCIBusId);
    if (!bus || length < 13 || !rd_sim_device_exists(device))
        RD_END(rd_sim_device_exists(device) ? cudaErrorInvalidValue : cudaErrorInvalidDevice);
    snprintf(bus, (size_t)length, "0000:%02x:00.0", (unsigned)device + 1);
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *bus)
{
    unsigned number = 0;
    RD_BEGIN(cudaDeviceGetByPCIBusId);
    if (!device || !bus || sscanf(bus, "%*x:%x:", &number) != 1 ||
        !rd_sim_device_exists((int)number - 1))
        RD_END(cudaErrorInvalidDevice);
    *device = (int)number - 1;
    RD_END(cudaSuccess);
}

/* ---- peers ---- */

RD_HOOK cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    RD_BEGIN(cudaDeviceCanAccessPeer);
    if (!can || !rd_sim_device_exists(device) || !rd_sim_device_exists(peer))
        RD_END(can ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    *can = device != peer;
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
    RD_BEGIN(cudaDeviceEnablePeerAccess);
    if (!rd_sim_device_exists(peer) || peer == devices_state.now)
        RD_END(cudaErrorInvalidDevice);
    if (flags)
        RD_END(cudaErrorInvalidValue);
    if (devices_state.peers[devices_state.now][peer])
        RD_END(cudaErrorPeerAccessAlreadyEnabled);
    devices_state.peers[devices_state.now][peer] = true;
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    RD_BEGIN(cudaDeviceDisablePeerAccess);
    if (!rd_sim_device_exists(peer))
        RD_END(cudaErrorInvalidDevice);
    if (!devices_state.peers[devices_state.now][peer])
        RD_END(cudaErrorPeerAccessNotEnabled);
    devices_state.peers[devices_state.now][peer] = false;
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attribute,
                                              int from, int to)
{
    RD_BEGIN(cudaDeviceGetP2PAttribute);
    if (!value || !rd_sim_device_exists(from) || !rd_sim_device_exists(to) || from == to)
        RD_END(value ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    *value = attribute != cudaDevP2PAttrPerformanceRank;
    RD_END(cudaSuccess);
}

/* ---- settings ---- */

RD_HOOK cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    RD_BEGIN(cudaDeviceSetLimit);
    if ((unsigned)limit >= LIMITS)
        RD_END(cudaErrorUnsupportedLimit);
    devices_state.limits[limit] = value;
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    RD_BEGIN(cudaDeviceGetLimit);
    if (!value || (unsigned)limit >= LIMITS)
        RD_END(value ? cudaErrorUnsupportedLimit : cudaErrorInvalidValue);
    *value = devices_state.limits[limit];
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config)
{
    RD_BEGIN(cudaDeviceSetCacheConfig);
    devices_state.cache = config;
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config)
{
    RD_BEGIN(cudaThreadSetCacheConfig);
    devices_state.cache = config;
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config)
{
    RD_BEGIN(cudaDeviceGetCacheConfig);
    if (!config)
        RD_END(cudaErrorInvalidValue);
    *config = devices_state.cache;
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
    RD_BEGIN(cudaDeviceSetSharedMemConfig);
    devices_state.shared = config;
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config)
{
    RD_BEGIN(cudaDeviceGetSharedMemConfig);
    if (!config)
        RD_END(cudaErrorInvalidValue);
    *config = devices_state.shared;
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaSetDeviceFlags(unsigned flags)
{
    RD_BEGIN(cudaSetDeviceFlags);
    devices_state.flags = flags;
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaGetDeviceFlags(unsigned *flags)
{
    RD_BEGIN(cudaGetDeviceFlags);
    if (!flags)
        RD_END(cudaErrorInvalidValue);
    *flags = devices_state.flags | cudaDeviceMapHost;
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaDriverGetVersion(int *version)
{
    RD_BEGIN(cudaDriverGetVersion);
    if (!version)
        RD_END(cudaErrorInvalidValue);
    *version = 12000;
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaRuntimeGetVersion(int *version)
{
    RD_BEGIN(cudaRuntimeGetVersion);
    if (!version)
        RD_END(cudaErrorInvalidValue);
    *version = 12000;
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaProfilerStart(void)
{
    RD_BEGIN(cudaProfilerStart);
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaProfilerStop(void)
{
    RD_BEGIN(cudaProfilerStop);
    RD_END(cudaSuccess);
}
