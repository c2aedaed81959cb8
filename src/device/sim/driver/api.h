// SPDX-License-Identifier: MIT
/* CUDA's driver interface as host code calls it: types, and functions under names of the simulator's own. Streams and events are the
 * runtime's. Longer than others: it is one list, which users' files are compiled with. Compiled as C here, as C++ in users' files.
 * CUDA Driver API, 12. */
#ifndef RD_SIM_DRIVER_API_H
#define RD_SIM_DRIVER_API_H

#ifdef __CUDACC__ /* a user's file */
#include <reductio_attributes.h>
#include <reductio_results.h>
#include <reductio_runtime.h>
#else
#include "device/sim/driver/attributes.h"
#include "device/sim/driver/results.h"
#include "device/sim/runtime/api.h"
#endif

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RD_CU_RESULT_MEMBER(name, number) name = number,
typedef enum cudaError_enum { RD_CU_RESULTS(RD_CU_RESULT_MEMBER) } CUresult;
#define RD_CU_ATTRIBUTE_MEMBER(name, number) CU_DEVICE_ATTRIBUTE_##name = number,
typedef enum CUdevice_attribute_enum {
    RD_CU_DEVICE_ATTRIBUTES(RD_CU_ATTRIBUTE_MEMBER) CU_DEVICE_ATTRIBUTE_MAX = 150
} CUdevice_attribute;

typedef int CUdevice;
typedef CUdevice CUdevice_v1;
typedef unsigned long long CUdeviceptr, CUtexObject, CUsurfObject, CUmemGenericAllocationHandle;
typedef CUdeviceptr CUdeviceptr_v2;
typedef unsigned cuuint32_t;
typedef unsigned long long cuuint64_t;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUlinkState_st *CUlinkState;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;
typedef cudaMemPool_t CUmemoryPool;
typedef struct CUuuid_st CUuuid;
typedef void (*CUhostFn)(void *data);
typedef void (*CUstreamCallback)(CUstream stream, CUresult status, void *data);
typedef size_t (*CUoccupancyB2DSize)(int block);

typedef enum CUctx_flags_enum {
    CU_CTX_SCHED_AUTO = 0,
    CU_CTX_SCHED_SPIN = 1,
    CU_CTX_SCHED_YIELD = 2,
    CU_CTX_SCHED_BLOCKING_SYNC = 4,
    CU_CTX_BLOCKING_SYNC = 4,
    CU_CTX_SCHED_MASK = 7,
    CU_CTX_MAP_HOST = 8,
    CU_CTX_LMEM_RESIZE_TO_MAX = 16,
    CU_CTX_COREDUMP_ENABLE = 32,
    CU_CTX_USER_COREDUMP_ENABLE = 64,
    CU_CTX_SYNC_MEMOPS = 128,
    CU_CTX_FLAGS_MASK = 255
} CUctx_flags;
typedef struct CUctxCreateParams_st {
    void *execAffinityParams;
    int numExecAffinityParams;
    void *cigParams;
} CUctxCreateParams;
typedef enum CUcomputemode_enum {
    CU_COMPUTEMODE_DEFAULT = 0,
    CU_COMPUTEMODE_PROHIBITED = 2,
    CU_COMPUTEMODE_EXCLUSIVE_PROCESS = 3
} CUcomputemode;
typedef enum CUlimit_enum {
    CU_LIMIT_STACK_SIZE,
    CU_LIMIT_PRINTF_FIFO_SIZE,
    CU_LIMIT_MALLOC_HEAP_SIZE,
    CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH,
    CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT,
    CU_LIMIT_MAX_L2_FETCH_GRANULARITY,
    CU_LIMIT_PERSISTING_L2_CACHE_SIZE,
    CU_LIMIT_MAX = 12
} CUlimit;
typedef enum CUfunc_cache_enum {
    CU_FUNC_CACHE_PREFER_NONE,
    CU_FUNC_CACHE_PREFER_SHARED,
    CU_FUNC_CACHE_PREFER_L1,
    CU_FUNC_CACHE_PREFER_EQUAL
} CUfunc_cache;
typedef enum CUsharedconfig_enum {
    CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE,
    CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE,
    CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE
} CUsharedconfig;
typedef enum CUfunction_attribute_enum {
    CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
    CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES,
    CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES,
    CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES,
    CU_FUNC_ATTRIBUTE_NUM_REGS,
    CU_FUNC_ATTRIBUTE_PTX_VERSION,
    CU_FUNC_ATTRIBUTE_BINARY_VERSION,
    CU_FUNC_ATTRIBUTE_CACHE_MODE_CA,
    CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
    CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
    CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET,
    CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH,
    CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT,
    CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH,
    CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED,
    CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE,
    CU_FUNC_ATTRIBUTE_MAX
} CUfunction_attribute;
typedef enum CUjit_option_enum {
    CU_JIT_MAX_REGISTERS,
    CU_JIT_THREADS_PER_BLOCK,
    CU_JIT_WALL_TIME,
    CU_JIT_INFO_LOG_BUFFER,
    CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
    CU_JIT_ERROR_LOG_BUFFER,
    CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
    CU_JIT_OPTIMIZATION_LEVEL,
    CU_JIT_TARGET_FROM_CUCONTEXT,
    CU_JIT_TARGET,
    CU_JIT_FALLBACK_STRATEGY,
    CU_JIT_GENERATE_DEBUG_INFO,
    CU_JIT_LOG_VERBOSE,
    CU_JIT_GENERATE_LINE_INFO,
    CU_JIT_CACHE_MODE,
    CU_JIT_FAST_COMPILE = 16,
    CU_JIT_NUM_OPTIONS = 40
} CUjit_option;
typedef enum CUjitInputType_enum {
    CU_JIT_INPUT_CUBIN,
    CU_JIT_INPUT_PTX,
    CU_JIT_INPUT_FATBINARY,
    CU_JIT_INPUT_OBJECT,
    CU_JIT_INPUT_LIBRARY,
    CU_JIT_INPUT_NVVM
} CUjitInputType;
typedef enum CUmemorytype_enum {
    CU_MEMORYTYPE_HOST = 1,
    CU_MEMORYTYPE_DEVICE,
    CU_MEMORYTYPE_ARRAY,
    CU_MEMORYTYPE_UNIFIED
} CUmemorytype;
typedef enum CUpointer_attribute_enum {
    CU_POINTER_ATTRIBUTE_CONTEXT = 1,
    CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
    CU_POINTER_ATTRIBUTE_DEVICE_POINTER,
    CU_POINTER_ATTRIBUTE_HOST_POINTER,
    CU_POINTER_ATTRIBUTE_SYNC_MEMOPS = 6,
    CU_POINTER_ATTRIBUTE_BUFFER_ID,
    CU_POINTER_ATTRIBUTE_IS_MANAGED,
    CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
    CU_POINTER_ATTRIBUTE_RANGE_START_ADDR = 11,
    CU_POINTER_ATTRIBUTE_RANGE_SIZE,
    CU_POINTER_ATTRIBUTE_MAPPED
} CUpointer_attribute;
typedef enum CUstream_flags_enum { CU_STREAM_DEFAULT, CU_STREAM_NON_BLOCKING } CUstream_flags;
typedef enum CUevent_flags_enum {
    CU_EVENT_DEFAULT = 0,
    CU_EVENT_BLOCKING_SYNC = 1,
    CU_EVENT_DISABLE_TIMING = 2,
    CU_EVENT_INTERPROCESS = 4
} CUevent_flags;
typedef enum CUmemAttach_flags_enum {
    CU_MEM_ATTACH_GLOBAL = 1,
    CU_MEM_ATTACH_HOST = 2,
    CU_MEM_ATTACH_SINGLE = 4
} CUmemAttach_flags;
typedef enum CUmem_advise_enum {
    CU_MEM_ADVISE_SET_READ_MOSTLY = 1,
    CU_MEM_ADVISE_UNSET_READ_MOSTLY,
    CU_MEM_ADVISE_SET_PREFERRED_LOCATION,
    CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION,
    CU_MEM_ADVISE_SET_ACCESSED_BY,
    CU_MEM_ADVISE_UNSET_ACCESSED_BY
} CUmem_advise;
typedef enum CUoccupancy_flags_enum {
    CU_OCCUPANCY_DEFAULT,
    CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE
} CUoccupancy_flags;

/* virtual memory */
typedef enum CUmemAllocationType_enum {
    CU_MEM_ALLOCATION_TYPE_INVALID,
    CU_MEM_ALLOCATION_TYPE_PINNED
} CUmemAllocationType;
typedef enum CUmemLocationType_enum {
    CU_MEM_LOCATION_TYPE_INVALID,
    CU_MEM_LOCATION_TYPE_DEVICE,
    CU_MEM_LOCATION_TYPE_HOST
} CUmemLocationType;
typedef enum CUmemAllocationHandleType_enum {
    CU_MEM_HANDLE_TYPE_NONE = 0,
    CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR = 1,
    CU_MEM_HANDLE_TYPE_WIN32 = 2,
    CU_MEM_HANDLE_TYPE_WIN32_KMT = 4
} CUmemAllocationHandleType;
typedef enum CUmemAccess_flags_enum {
    CU_MEM_ACCESS_FLAGS_PROT_NONE = 0,
    CU_MEM_ACCESS_FLAGS_PROT_READ = 1,
    CU_MEM_ACCESS_FLAGS_PROT_READWRITE = 3
} CUmemAccess_flags;
typedef enum CUmemAllocationGranularity_flags_enum {
    CU_MEM_ALLOC_GRANULARITY_MINIMUM,
    CU_MEM_ALLOC_GRANULARITY_RECOMMENDED
} CUmemAllocationGranularity_flags;
typedef enum CUmemAllocationCompType_enum {
    CU_MEM_ALLOCATION_COMP_NONE,
    CU_MEM_ALLOCATION_COMP_GENERIC
} CUmemAllocationCompType;
typedef struct CUmemLocation_st {
    CUmemLocationType type;
    int id;
} CUmemLocation;
typedef struct CUmemAllocationProp_st {
    CUmemAllocationType type;
    CUmemAllocationHandleType requestedHandleTypes;
    CUmemLocation location;
    void *win32HandleMetaData;
    struct {
        unsigned char compressionType, gpuDirectRDMACapable;
        unsigned short usage;
        unsigned char reserved[4];
    } allocFlags;
} CUmemAllocationProp;
typedef struct CUmemAccessDesc_st {
    CUmemLocation location;
    CUmemAccess_flags flags;
} CUmemAccessDesc;

#define CU_MEMHOSTALLOC_PORTABLE       0x01
#define CU_MEMHOSTALLOC_DEVICEMAP      0x02
#define CU_MEMHOSTALLOC_WRITECOMBINED  0x04
#define CU_MEMHOSTREGISTER_PORTABLE    0x01
#define CU_MEMHOSTREGISTER_DEVICEMAP   0x02
#define CU_MEMHOSTREGISTER_IOMEMORY    0x04
#define CU_MEMHOSTREGISTER_READ_ONLY   0x08
#define CU_LAUNCH_PARAM_END            ((void *)0x00)
#define CU_LAUNCH_PARAM_BUFFER_POINTER ((void *)0x01)
#define CU_LAUNCH_PARAM_BUFFER_SIZE    ((void *)0x02)
#define CU_STREAM_LEGACY               ((CUstream)0x1)
#define CU_STREAM_PER_THREAD           ((CUstream)0x2)
#define CU_DEVICE_CPU                  ((CUdevice)-1)
#define CU_DEVICE_INVALID              ((CUdevice)-2)

#define RD_CU(name, ...) RD_RUNTIME(CUresult, name, __VA_ARGS__)

/* errors, devices */
RD_CU(cuInit, unsigned flags);
RD_CU(cuDriverGetVersion, int *version);
RD_CU(cuGetErrorName, CUresult error, const char **name);
RD_CU(cuGetErrorString, CUresult error, const char **text);
RD_CU(cuDeviceGet, CUdevice *device, int ordinal);
RD_CU(cuDeviceGetCount, int *count);
RD_CU(cuDeviceGetName, char *name, int length, CUdevice device);
RD_CU(cuDeviceGetUuid, CUuuid *uuid, CUdevice device);
RD_CU(cuDeviceTotalMem, size_t *bytes, CUdevice device);
RD_CU(cuDeviceGetAttribute, int *value, CUdevice_attribute attribute, CUdevice device);
RD_CU(cuDeviceComputeCapability, int *major, int *minor, CUdevice device);
RD_CU(cuDeviceGetPCIBusId, char *bus, int length, CUdevice device);
RD_CU(cuDeviceGetByPCIBusId, CUdevice *device, const char *bus);
RD_CU(cuDeviceCanAccessPeer, int *can, CUdevice device, CUdevice peer);
RD_CU(cuDevicePrimaryCtxRetain, CUcontext *context, CUdevice device);
RD_CU(cuDevicePrimaryCtxRelease, CUdevice device);
RD_CU(cuDevicePrimaryCtxReset, CUdevice device);
RD_CU(cuDevicePrimaryCtxSetFlags, CUdevice device, unsigned flags);
RD_CU(cuDevicePrimaryCtxGetState, CUdevice device, unsigned *flags, int *active);

/* contexts */
RD_CU(cuCtxCreate, CUcontext *context, unsigned flags, CUdevice device);
RD_CU(cuCtxDestroy, CUcontext context);
RD_CU(cuCtxPushCurrent, CUcontext context);
RD_CU(cuCtxPopCurrent, CUcontext *context);
RD_CU(cuCtxSetCurrent, CUcontext context);
RD_CU(cuCtxGetCurrent, CUcontext *context);
RD_CU(cuCtxGetDevice, CUdevice *device);
RD_CU(cuCtxGetFlags, unsigned *flags);
RD_CU(cuCtxGetApiVersion, CUcontext context, unsigned *version);
RD_CU(cuCtxSynchronize, void);
RD_CU(cuCtxSetLimit, CUlimit limit, size_t value);
RD_CU(cuCtxGetLimit, size_t *value, CUlimit limit);
RD_CU(cuCtxSetCacheConfig, CUfunc_cache config);
RD_CU(cuCtxGetCacheConfig, CUfunc_cache *config);
RD_CU(cuCtxSetSharedMemConfig, CUsharedconfig config);
RD_CU(cuCtxGetSharedMemConfig, CUsharedconfig *config);
RD_CU(cuCtxGetStreamPriorityRange, int *least, int *greatest);
RD_CU(cuCtxEnablePeerAccess, CUcontext peer, unsigned flags);
RD_CU(cuCtxDisablePeerAccess, CUcontext peer);

/* memory */
RD_CU(cuMemGetInfo, size_t *available, size_t *total);
RD_CU(cuMemAlloc, CUdeviceptr *pointer, size_t size_bytes);
RD_CU(cuMemAllocPitch, CUdeviceptr *pointer, size_t *pitch, size_t width, size_t height,
      unsigned element_bytes);
RD_CU(cuMemAllocManaged, CUdeviceptr *pointer, size_t size_bytes, unsigned flags);
RD_CU(cuMemAllocHost, void **pointer, size_t size_bytes);
RD_CU(cuMemHostAlloc, void **pointer, size_t size_bytes, unsigned flags);
RD_CU(cuMemAllocAsync, CUdeviceptr *pointer, size_t size_bytes, CUstream stream);
RD_CU(cuMemFree, CUdeviceptr pointer);
RD_CU(cuMemFreeHost, void *pointer);
RD_CU(cuMemFreeAsync, CUdeviceptr pointer, CUstream stream);
RD_CU(cuMemHostRegister, void *pointer, size_t size_bytes, unsigned flags);
RD_CU(cuMemHostUnregister, void *pointer);
RD_CU(cuMemHostGetDevicePointer, CUdeviceptr *device, void *host, unsigned flags);
RD_CU(cuMemHostGetFlags, unsigned *flags, void *host);
RD_CU(cuMemGetAddressRange, CUdeviceptr *base, size_t *size_bytes, CUdeviceptr pointer);
RD_CU(cuPointerGetAttribute, void *value, CUpointer_attribute attribute, CUdeviceptr pointer);

RD_CU(cuMemPrefetchAsync, CUdeviceptr pointer, size_t size_bytes, CUdevice device, CUstream stream);
RD_CU(cuMemAdvise, CUdeviceptr pointer, size_t size_bytes, CUmem_advise advice, CUdevice device);

/* copies, fills */
RD_CU(cuMemcpy, CUdeviceptr to, CUdeviceptr from, size_t size_bytes);
RD_CU(cuMemcpyAsync, CUdeviceptr to, CUdeviceptr from, size_t size_bytes, CUstream stream);
RD_CU(cuMemcpyHtoD, CUdeviceptr to, const void *from, size_t size_bytes);
RD_CU(cuMemcpyDtoH, void *to, CUdeviceptr from, size_t size_bytes);
RD_CU(cuMemcpyDtoD, CUdeviceptr to, CUdeviceptr from, size_t size_bytes);
RD_CU(cuMemcpyHtoDAsync, CUdeviceptr to, const void *from, size_t size_bytes, CUstream stream);
RD_CU(cuMemcpyDtoHAsync, void *to, CUdeviceptr from, size_t size_bytes, CUstream stream);
RD_CU(cuMemcpyDtoDAsync, CUdeviceptr to, CUdeviceptr from, size_t size_bytes, CUstream stream);
RD_CU(cuMemcpyPeer, CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
      size_t size_bytes);
RD_CU(cuMemcpyPeerAsync, CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
      CUcontext from_context, size_t size_bytes, CUstream stream);
/* Copies of rows, as of cudaMemcpy2D(), and of boxes: what the functions of several dimensions, of this name, come to. */
CUresult rd_cu_rows(const char *name, void *to, size_t to_pitch, const void *from,
                    size_t from_pitch, size_t width, size_t height, CUstream stream,
                    int waits) __asm__("rd_sim_cu_rows");
CUresult rd_cu_box(const char *name, const struct cudaMemcpy3DParms *copy, CUstream stream,
                   int waits) __asm__("rd_sim_cu_box");
RD_CU(cuMemsetD8, CUdeviceptr to, unsigned char value, size_t n);
RD_CU(cuMemsetD16, CUdeviceptr to, unsigned short value, size_t n);
RD_CU(cuMemsetD32, CUdeviceptr to, unsigned value, size_t n);
RD_CU(cuMemsetD8Async, CUdeviceptr to, unsigned char value, size_t n, CUstream stream);
RD_CU(cuMemsetD16Async, CUdeviceptr to, unsigned short value, size_t n, CUstream stream);
RD_CU(cuMemsetD32Async, CUdeviceptr to, unsigned value, size_t n, CUstream stream);
RD_CU(cuMemsetD2D8, CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height);
RD_CU(cuMemsetD2D16, CUdeviceptr to, size_t pitch, unsigned short value, size_t width,
      size_t height);
RD_CU(cuMemsetD2D32, CUdeviceptr to, size_t pitch, unsigned value, size_t width, size_t height);
RD_CU(cuMemsetD2D8Async, CUdeviceptr to, size_t pitch, unsigned char value, size_t width,
      size_t height, CUstream stream);
RD_CU(cuMemsetD2D16Async, CUdeviceptr to, size_t pitch, unsigned short value, size_t width,
      size_t height, CUstream stream);
RD_CU(cuMemsetD2D32Async, CUdeviceptr to, size_t pitch, unsigned value, size_t width, size_t height,
      CUstream stream);

/* virtual memory */
RD_CU(cuMemGetAllocationGranularity, size_t *granularity, const CUmemAllocationProp *properties,
      CUmemAllocationGranularity_flags flags);
RD_CU(cuMemAddressReserve, CUdeviceptr *pointer, size_t size_bytes, size_t alignment,
      CUdeviceptr wanted, unsigned long long flags);
RD_CU(cuMemAddressFree, CUdeviceptr pointer, size_t size_bytes);
RD_CU(cuMemCreate, CUmemGenericAllocationHandle *handle, size_t size_bytes,
      const CUmemAllocationProp *properties, unsigned long long flags);
RD_CU(cuMemRelease, CUmemGenericAllocationHandle handle);
RD_CU(cuMemMap, CUdeviceptr pointer, size_t size_bytes, size_t offset,
      CUmemGenericAllocationHandle handle, unsigned long long flags);
RD_CU(cuMemUnmap, CUdeviceptr pointer, size_t size_bytes);
RD_CU(cuMemSetAccess, CUdeviceptr pointer, size_t size_bytes, const CUmemAccessDesc *list,
      size_t count);
RD_CU(cuMemGetAccess, unsigned long long *flags, const CUmemLocation *location,
      CUdeviceptr pointer);
RD_CU(cuMemGetAllocationPropertiesFromHandle, CUmemAllocationProp *properties,
      CUmemGenericAllocationHandle handle);
RD_CU(cuMemExportToShareableHandle, void *shared, CUmemGenericAllocationHandle handle,
      CUmemAllocationHandleType type, unsigned long long flags);
RD_CU(cuMemImportFromShareableHandle, CUmemGenericAllocationHandle *handle, void *shared,
      CUmemAllocationHandleType type);

/* streams, events */
RD_CU(cuStreamCreate, CUstream *stream, unsigned flags);
RD_CU(cuStreamCreateWithPriority, CUstream *stream, unsigned flags, int priority);
RD_CU(cuStreamDestroy, CUstream stream);
RD_CU(cuStreamQuery, CUstream stream);
RD_CU(cuStreamSynchronize, CUstream stream);
RD_CU(cuStreamWaitEvent, CUstream stream, CUevent event, unsigned flags RD_OR(0));
RD_CU(cuStreamGetPriority, CUstream stream, int *priority);
RD_CU(cuStreamGetFlags, CUstream stream, unsigned *flags);
RD_CU(cuStreamAddCallback, CUstream stream, CUstreamCallback callback, void *data, unsigned flags);
RD_CU(cuLaunchHostFunc, CUstream stream, CUhostFn function, void *data);
RD_CU(cuStreamAttachMemAsync, CUstream stream, CUdeviceptr pointer, size_t size_bytes,
      unsigned flags);
RD_CU(cuEventCreate, CUevent *event, unsigned flags);
RD_CU(cuEventDestroy, CUevent event);
RD_CU(cuEventRecord, CUevent event, CUstream stream);
RD_CU(cuEventQuery, CUevent event);
RD_CU(cuEventSynchronize, CUevent event);
RD_CU(cuEventElapsedTime, float *milliseconds, CUevent start, CUevent end);

/* modules, launches */
RD_CU(cuModuleLoad, CUmodule *module, const char *path);
RD_CU(cuModuleLoadData, CUmodule *module, const void *image);
RD_CU(cuModuleLoadDataEx, CUmodule *module, const void *image, unsigned count,
      CUjit_option *options, void **values);
RD_CU(cuModuleLoadFatBinary, CUmodule *module, const void *image);
RD_CU(cuModuleUnload, CUmodule module);
RD_CU(cuModuleGetFunction, CUfunction *function, CUmodule module, const char *name);
RD_CU(cuModuleGetGlobal, CUdeviceptr *pointer, size_t *size_bytes, CUmodule module,
      const char *name);
RD_CU(cuLinkCreate, unsigned count, CUjit_option *options, void **values, CUlinkState *state);
RD_CU(cuLinkAddData, CUlinkState state, CUjitInputType type, void *data, size_t size_bytes,
      const char *name, unsigned count, CUjit_option *options, void **values);
RD_CU(cuLinkAddFile, CUlinkState state, CUjitInputType type, const char *path, unsigned count,
      CUjit_option *options, void **values);
RD_CU(cuLinkComplete, CUlinkState state, void **image, size_t *size_bytes);
RD_CU(cuLinkDestroy, CUlinkState state);
RD_CU(cuFuncGetAttribute, int *value, CUfunction_attribute attribute, CUfunction function);
RD_CU(cuFuncSetAttribute, CUfunction function, CUfunction_attribute attribute, int value);
RD_CU(cuFuncSetCacheConfig, CUfunction function, CUfunc_cache config);
RD_CU(cuFuncSetSharedMemConfig, CUfunction function, CUsharedconfig config);
RD_CU(cuFuncGetModule, CUmodule *module, CUfunction function);
RD_CU(cuFuncGetName, const char **name, CUfunction function);
RD_CU(cuOccupancyMaxActiveBlocksPerMultiprocessor, int *blocks, CUfunction function, int threads,
      size_t shared_bytes);
RD_CU(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, int *blocks, CUfunction function,
      int threads, size_t shared_bytes, unsigned flags);
RD_CU(cuOccupancyAvailableDynamicSMemPerBlock, size_t *shared_bytes, CUfunction function,
      int blocks, int threads);
RD_CU(cuOccupancyMaxPotentialBlockSize, int *grid, int *block, CUfunction function,
      CUoccupancyB2DSize shared_of, size_t shared_bytes, int limit);
/* The launch that a function of this name makes; `n` values were given, 0: nobody knows how many. */
struct rd_cu_launching {
    const char *name;
    unsigned grid[3], block[3], shared_bytes;
    CUstream stream;
    void **values;
    size_t n;
    void **extra;
};
CUresult rd_cu_launch(CUfunction function,
                      const struct rd_cu_launching *launch) __asm__("rd_sim_cu_launch");

#ifdef __cplusplus
}
#endif

#endif
