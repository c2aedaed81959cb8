// SPDX-License-Identifier: MIT
// CUDA's driver interface, for C++: what its functions are made of that the simulator has none for, or that
// takes the types of what they are given.
#ifndef RD_DRIVER_HPP
#define RD_DRIVER_HPP

#include "reductio_driver.h"

#define CUDAAPI
#define CUDA_CB

// As since CUDA 13.
RD_ARRAY CUresult cuCtxCreate(CUcontext *context, CUctxCreateParams *, unsigned flags,
                              CUdevice device)
{
    return cuCtxCreate(context, flags, device);
}

// Headers of NVIDIA's samples ask for the name of any result; this is it where they have no function of
// their own for those of the driver.
template <class R, class = typename std::enable_if<std::is_same<R, CUresult>::value>::type>
static inline const char *_cudaGetErrorEnum(R result)
{
    const char *name = nullptr;
    cuGetErrorName(result, &name);
    return name ? name : "<unknown>";
}

// ---- launches: of an array of values, its length is known ----

template <class T> RD_ARRAY size_t rd_length_of(const T &)
{
    return 0;
}
template <class T, size_t n> RD_ARRAY size_t rd_length_of(T *const (&)[n])
{
    return n;
}
template <class T> RD_ARRAY void **rd_values_of(T *values)
{
    return (void **)values;
}
RD_ARRAY void **rd_values_of(std::nullptr_t)
{
    return nullptr;
}
RD_ARRAY void **rd_values_of(long)
{
    return nullptr;
}
template <class V, class E>
RD_ARRAY CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y,
                                 unsigned grid_z, unsigned block_x, unsigned block_y,
                                 unsigned block_z, unsigned shared_bytes, CUstream stream,
                                 V &&values, E &&extra)
{
    const rd_cu_launching launch = {"cuLaunchKernel",
                                    {grid_x, grid_y, grid_z},
                                    {block_x, block_y, block_z},
                                    shared_bytes,
                                    stream,
                                    rd_values_of(values),
                                    rd_length_of(values),
                                    rd_values_of(extra)};
    return rd_cu_launch(function, &launch);
}
template <class V>
RD_ARRAY CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y,
                                            unsigned grid_z, unsigned block_x, unsigned block_y,
                                            unsigned block_z, unsigned shared_bytes,
                                            CUstream stream, V &&values)
{
    const rd_cu_launching launch = {"cuLaunchCooperativeKernel",
                                    {grid_x, grid_y, grid_z},
                                    {block_x, block_y, block_z},
                                    shared_bytes,
                                    stream,
                                    rd_values_of(values),
                                    rd_length_of(values),
                                    nullptr};
    return rd_cu_launch(function, &launch);
}

// ---- arrays ----

typedef cudaArray_t CUarray;
typedef cudaMipmappedArray_t CUmipmappedArray;
enum CUarray_format {
    CU_AD_FORMAT_UNSIGNED_INT8 = 0x01,
    CU_AD_FORMAT_UNSIGNED_INT16 = 0x02,
    CU_AD_FORMAT_UNSIGNED_INT32 = 0x03,
    CU_AD_FORMAT_SIGNED_INT8 = 0x08,
    CU_AD_FORMAT_SIGNED_INT16 = 0x09,
    CU_AD_FORMAT_SIGNED_INT32 = 0x0a,
    CU_AD_FORMAT_HALF = 0x10,
    CU_AD_FORMAT_FLOAT = 0x20
};
struct CUDA_ARRAY_DESCRIPTOR {
    size_t Width, Height;
    CUarray_format Format;
    unsigned NumChannels;
};
struct CUDA_ARRAY3D_DESCRIPTOR {
    size_t Width, Height, Depth;
    CUarray_format Format;
    unsigned NumChannels, Flags;
};
#define CUDA_ARRAY3D_LAYERED        0x01
#define CUDA_ARRAY3D_SURFACE_LDST   0x02
#define CUDA_ARRAY3D_CUBEMAP        0x04
#define CUDA_ARRAY3D_TEXTURE_GATHER 0x08

RD_ARRAY bool rd_format_of(cudaChannelFormatDesc *made, CUarray_format format, unsigned channels)
{
    const int bits = format == CU_AD_FORMAT_HALF ? 16 : 8 << (((format & 0xf) - 1) & 7);
    const int each = format == CU_AD_FORMAT_FLOAT ? 32 : bits;
    const cudaChannelFormatKind kind = format >= CU_AD_FORMAT_HALF ? cudaChannelFormatKindFloat
                                       : format >= CU_AD_FORMAT_SIGNED_INT8
                                           ? cudaChannelFormatKindSigned
                                           : cudaChannelFormatKindUnsigned;
    const int signed_bits = format >= CU_AD_FORMAT_SIGNED_INT8 && format < CU_AD_FORMAT_HALF
                                ? 8 << (format - CU_AD_FORMAT_SIGNED_INT8)
                                : each;
    *made = {signed_bits, channels > 1 ? signed_bits : 0, channels > 2 ? signed_bits : 0,
             channels > 3 ? signed_bits : 0, kind};
    return channels == 1 || channels == 2 || channels == 4;
}
// A call of the driver's that is made of another of it gives its result, of the runtime's its error.
RD_ARRAY CUresult rd_result_of(cudaError_t error)
{
    return error == cudaSuccess                 ? CUDA_SUCCESS
           : error == cudaErrorMemoryAllocation ? CUDA_ERROR_OUT_OF_MEMORY
                                                : CUDA_ERROR_INVALID_VALUE;
}
RD_ARRAY CUresult cuArray3DCreate(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *how)
{
    CUdeviceptr memory;
    cudaChannelFormatDesc format;
    if (!array || !how || !rd_format_of(&format, how->Format, how->NumChannels))
        return CUDA_ERROR_INVALID_VALUE;
    cudaArray *made = (cudaArray *)::malloc(sizeof *made);
    if (!made)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *made = cudaArray{nullptr, format, {how->Width, how->Height, how->Depth}, how->Flags};
    const CUresult result = cuMemAlloc(&memory, made->bytes());
    made->data = (char *)memory;
    if (result == CUDA_SUCCESS)
        *array = made;
    else
        ::free(made);
    return result;
}
RD_ARRAY CUresult cuArrayCreate(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *how)
{
    if (!how)
        return CUDA_ERROR_INVALID_VALUE;
    const CUDA_ARRAY3D_DESCRIPTOR all = {how->Width,  how->Height,      0,
                                         how->Format, how->NumChannels, 0};
    return cuArray3DCreate(array, &all);
}
RD_ARRAY CUresult cuArrayDestroy(CUarray array)
{
    if (!array)
        return CUDA_ERROR_INVALID_HANDLE;
    const CUresult result = cuMemFree((CUdeviceptr)array->data);
    if (result == CUDA_SUCCESS)
        ::free(array);
    return result;
}

// ---- copies of several dimensions ----

struct CUDA_MEMCPY2D {
    size_t srcXInBytes, srcY;
    CUmemorytype srcMemoryType;
    const void *srcHost;
    CUdeviceptr srcDevice;
    CUarray srcArray;
    size_t srcPitch, dstXInBytes, dstY;
    CUmemorytype dstMemoryType;
    void *dstHost;
    CUdeviceptr dstDevice;
    CUarray dstArray;
    size_t dstPitch, WidthInBytes, Height;
};
struct CUDA_MEMCPY3D {
    size_t srcXInBytes, srcY, srcZ, srcLOD;
    CUmemorytype srcMemoryType;
    const void *srcHost;
    CUdeviceptr srcDevice;
    CUarray srcArray;
    void *reserved0;
    size_t srcPitch, srcHeight;
    size_t dstXInBytes, dstY, dstZ, dstLOD;
    CUmemorytype dstMemoryType;
    void *dstHost;
    CUdeviceptr dstDevice;
    CUarray dstArray;
    void *reserved1;
    size_t dstPitch, dstHeight;
    size_t WidthInBytes, Height, Depth;
};
// One side of a copy: where it begins, and its rows.
struct rd_side {
    char *start;
    size_t pitch, rows;
};
RD_ARRAY rd_side rd_side_of(CUmemorytype type, const void *host, CUdeviceptr device, CUarray array,
                            size_t pitch, size_t rows)
{
    if (type == CU_MEMORYTYPE_ARRAY)
        return {array->data, array->row_bytes(), array->rows()};
    return {type == CU_MEMORYTYPE_HOST ? (char *)host : (char *)device, pitch, rows};
}
// Where pitch and number of rows are said, rows of so many bytes at a position are within them.
RD_ARRAY bool rd_is_in_rows(const rd_side &side, size_t x, size_t width, size_t y, size_t height)
{
    return (side.pitch == 0 || x + width <= side.pitch) &&
           (side.rows == 0 || y + height <= side.rows);
}
RD_ARRAY CUresult rd_copy_2d(const char *name, const CUDA_MEMCPY2D *copy, CUstream stream,
                             int waits)
{
    const rd_side to = rd_side_of(copy->dstMemoryType, copy->dstHost, copy->dstDevice,
                                  copy->dstArray, copy->dstPitch, 0),
                  from = rd_side_of(copy->srcMemoryType, copy->srcHost, copy->srcDevice,
                                    copy->srcArray, copy->srcPitch, 0);
    size_t to_pitch = to.pitch ? to.pitch : copy->WidthInBytes;
    const size_t from_pitch = from.pitch ? from.pitch : copy->WidthInBytes;
    if (!rd_is_in_rows(to, copy->dstXInBytes, copy->WidthInBytes, copy->dstY, copy->Height) ||
        !rd_is_in_rows(from, copy->srcXInBytes, copy->WidthInBytes, copy->srcY, copy->Height))
        to_pitch = 0; // which is refused
    return rd_cu_rows(name, to.start + copy->dstY * to_pitch + copy->dstXInBytes, to_pitch,
                      from.start + copy->srcY * from_pitch + copy->srcXInBytes, from_pitch,
                      copy->WidthInBytes, copy->Height, stream, waits);
}
RD_ARRAY CUresult cuMemcpy2D(const CUDA_MEMCPY2D *copy)
{
    return rd_copy_2d("cuMemcpy2D", copy, 0, 1);
}
RD_ARRAY CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *copy)
{
    return rd_copy_2d("cuMemcpy2DUnaligned", copy, 0, 1);
}
RD_ARRAY CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *copy, CUstream stream)
{
    return rd_copy_2d("cuMemcpy2DAsync", copy, stream, 0);
}
RD_ARRAY CUresult rd_copy_3d(const char *name, const CUDA_MEMCPY3D *copy, CUstream stream,
                             int waits)
{
    const rd_side to = rd_side_of(copy->dstMemoryType, copy->dstHost, copy->dstDevice,
                                  copy->dstArray, copy->dstPitch, copy->dstHeight),
                  from = rd_side_of(copy->srcMemoryType, copy->srcHost, copy->srcDevice,
                                    copy->srcArray, copy->srcPitch, copy->srcHeight);
    cudaMemcpy3DParms all = {};
    all.srcPos = {copy->srcXInBytes, copy->srcY, copy->srcZ};
    all.srcPtr = {from.start, from.pitch ? from.pitch : copy->srcXInBytes + copy->WidthInBytes,
                  copy->WidthInBytes, from.rows ? from.rows : copy->srcY + copy->Height};
    all.dstPos = {copy->dstXInBytes, copy->dstY, copy->dstZ};
    all.dstPtr = {to.start, to.pitch ? to.pitch : copy->dstXInBytes + copy->WidthInBytes,
                  copy->WidthInBytes, to.rows ? to.rows : copy->dstY + copy->Height};
    all.extent = {copy->WidthInBytes, copy->Height, copy->Depth};
    all.kind = cudaMemcpyDefault;
    return rd_cu_box(name, &all, stream, waits);
}
RD_ARRAY CUresult cuMemcpy3D(const CUDA_MEMCPY3D *copy)
{
    return rd_copy_3d("cuMemcpy3D", copy, 0, 1);
}
RD_ARRAY CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D *copy, CUstream stream)
{
    return rd_copy_3d("cuMemcpy3DAsync", copy, stream, 0);
}
RD_ARRAY CUresult cuMemcpyHtoA(CUarray to, size_t offset, const void *from, size_t size_bytes)
{
    return cuMemcpyHtoD((CUdeviceptr)to->data + offset, from, size_bytes);
}
RD_ARRAY CUresult cuMemcpyAtoH(void *to, CUarray from, size_t offset, size_t size_bytes)
{
    return cuMemcpyDtoH(to, (CUdeviceptr)from->data + offset, size_bytes);
}

// ---- textures and surfaces ----

enum CUresourcetype {
    CU_RESOURCE_TYPE_ARRAY,
    CU_RESOURCE_TYPE_MIPMAPPED_ARRAY,
    CU_RESOURCE_TYPE_LINEAR,
    CU_RESOURCE_TYPE_PITCH2D
};
enum CUaddress_mode {
    CU_TR_ADDRESS_MODE_WRAP,
    CU_TR_ADDRESS_MODE_CLAMP,
    CU_TR_ADDRESS_MODE_MIRROR,
    CU_TR_ADDRESS_MODE_BORDER
};
enum CUfilter_mode { CU_TR_FILTER_MODE_POINT, CU_TR_FILTER_MODE_LINEAR };
#define CU_TRSF_READ_AS_INTEGER                0x01
#define CU_TRSF_NORMALIZED_COORDINATES         0x02
#define CU_TRSF_SRGB                           0x10
#define CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION 0x20
struct CUDA_RESOURCE_DESC {
    CUresourcetype resType;
    union {
        struct {
            CUarray hArray;
        } array;
        struct {
            CUmipmappedArray hMipmappedArray;
        } mipmap;
        struct {
            CUdeviceptr devPtr;
            CUarray_format format;
            unsigned numChannels;
            size_t sizeInBytes;
        } linear;
        struct {
            CUdeviceptr devPtr;
            CUarray_format format;
            unsigned numChannels;
            size_t width, height, pitchInBytes;
        } pitch2D;
        struct {
            int reserved[32];
        } reserved;
    } res;
    unsigned flags;
};
struct CUDA_TEXTURE_DESC {
    CUaddress_mode addressMode[3];
    CUfilter_mode filterMode;
    unsigned flags, maxAnisotropy;
    CUfilter_mode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp, borderColor[4];
    int reserved[12];
};
struct CUDA_RESOURCE_VIEW_DESC {
    int format;
    size_t width, height, depth;
    unsigned firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer, reserved[16];
};
RD_ARRAY bool rd_resource_of(cudaResourceDesc *made, const CUDA_RESOURCE_DESC *resource)
{
    *made = {};
    made->resType = (cudaResourceType)resource->resType;
    if (resource->resType == CU_RESOURCE_TYPE_ARRAY) {
        made->res.array.array = resource->res.array.hArray;
        return made->res.array.array != nullptr;
    }
    if (resource->resType == CU_RESOURCE_TYPE_LINEAR) {
        made->res.linear.devPtr = (void *)resource->res.linear.devPtr;
        made->res.linear.sizeInBytes = resource->res.linear.sizeInBytes;
        return rd_format_of(&made->res.linear.desc, resource->res.linear.format,
                            resource->res.linear.numChannels);
    }
    if (resource->resType == CU_RESOURCE_TYPE_PITCH2D) {
        made->res.pitch2D.devPtr = (void *)resource->res.pitch2D.devPtr;
        made->res.pitch2D.width = resource->res.pitch2D.width;
        made->res.pitch2D.height = resource->res.pitch2D.height;
        made->res.pitch2D.pitchInBytes = resource->res.pitch2D.pitchInBytes;
        return rd_format_of(&made->res.pitch2D.desc, resource->res.pitch2D.format,
                            resource->res.pitch2D.numChannels);
    }
    rd_unsimulated("textures with mipmaps, views or cubes");
    return false;
}
// Numbers are read as fractions of their range, but where that is asked for, or they have 32 bits.
RD_ARRAY CUresult cuTexObjectCreate(CUtexObject *object, const CUDA_RESOURCE_DESC *resource,
                                    const CUDA_TEXTURE_DESC *how,
                                    const CUDA_RESOURCE_VIEW_DESC *view)
{
    cudaResourceDesc its;
    if (!object || !resource || !how || !rd_resource_of(&its, resource))
        return CUDA_ERROR_INVALID_VALUE;
    if (view)
        rd_unsimulated("textures with mipmaps, views or cubes");
    const cudaChannelFormatDesc &format =
        its.resType == cudaResourceTypeArray    ? its.res.array.array->format
        : its.resType == cudaResourceTypeLinear ? its.res.linear.desc
                                                : its.res.pitch2D.desc;
    cudaTextureDesc made = {};
    for (int k = 0; k < 3; k++)
        made.addressMode[k] = (cudaTextureAddressMode)how->addressMode[k];
    for (int k = 0; k < 4; k++)
        made.borderColor[k] = how->borderColor[k];
    made.filterMode = (cudaTextureFilterMode)how->filterMode;
    made.readMode = how->flags & CU_TRSF_READ_AS_INTEGER || format.x == 32 ||
                            format.f == cudaChannelFormatKindFloat
                        ? cudaReadModeElementType
                        : cudaReadModeNormalizedFloat;
    made.normalizedCoords = (how->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
    made.sRGB = (how->flags & CU_TRSF_SRGB) != 0;
    cudaTextureObject_t texture;
    const cudaError_t error = cudaCreateTextureObject(&texture, &its, &made, nullptr);
    if (error == cudaSuccess)
        *object = texture;
    return rd_result_of(error);
}
RD_ARRAY CUresult cuTexObjectDestroy(CUtexObject object)
{
    return rd_result_of(cudaDestroyTextureObject(object));
}
RD_ARRAY CUresult cuSurfObjectCreate(CUsurfObject *object, const CUDA_RESOURCE_DESC *resource)
{
    cudaResourceDesc its;
    cudaSurfaceObject_t surface;
    if (!object || !resource || !rd_resource_of(&its, resource))
        return CUDA_ERROR_INVALID_VALUE;
    const cudaError_t error = cudaCreateSurfaceObject(&surface, &its);
    if (error == cudaSuccess)
        *object = surface;
    return rd_result_of(error);
}
RD_ARRAY CUresult cuSurfObjectDestroy(CUsurfObject object)
{
    return rd_result_of(cudaDestroySurfaceObject(object));
}

// ---- what is not simulated: each ends the program where it comes to it ----

typedef cudaGraph_t CUgraph;
typedef cudaGraphExec_t CUgraphExec;
typedef cudaGraphNode_t CUgraphNode;
#define RD_NOT_OF_DRIVER(name)                                                                     \
    template <class... A> RD_BARE CUresult name(A &&...)                                           \
    {                                                                                              \
        rd_sim_unsimulated(#name, "", 0, __builtin_return_address(0));                             \
        return CUDA_ERROR_NOT_SUPPORTED;                                                           \
    }
RD_NOT_OF_DRIVER(cuCtxAttach)
RD_NOT_OF_DRIVER(cuCtxDetach)
RD_NOT_OF_DRIVER(cuDestroyExternalMemory)
RD_NOT_OF_DRIVER(cuDestroyExternalSemaphore)
RD_NOT_OF_DRIVER(cuDeviceGetGraphMemAttribute)
RD_NOT_OF_DRIVER(cuDeviceGetMemPool)
RD_NOT_OF_DRIVER(cuDeviceGetDefaultMemPool)
RD_NOT_OF_DRIVER(cuDeviceGetP2PAttribute)
RD_NOT_OF_DRIVER(cuDeviceGetTexture1DLinearMaxWidth)
RD_NOT_OF_DRIVER(cuDeviceSetMemPool)
RD_NOT_OF_DRIVER(cuEventRecordWithFlags)
RD_NOT_OF_DRIVER(cuExternalMemoryGetMappedBuffer)
RD_NOT_OF_DRIVER(cuFuncSetBlockShape)
RD_NOT_OF_DRIVER(cuGetExportTable)
RD_NOT_OF_DRIVER(cuGetProcAddress)
RD_NOT_OF_DRIVER(cuGraphAddDependencies)
RD_NOT_OF_DRIVER(cuGraphAddEmptyNode)
RD_NOT_OF_DRIVER(cuGraphAddHostNode)
RD_NOT_OF_DRIVER(cuGraphAddKernelNode)
RD_NOT_OF_DRIVER(cuGraphAddMemcpyNode)
RD_NOT_OF_DRIVER(cuGraphAddMemsetNode)
RD_NOT_OF_DRIVER(cuGraphAddNode)
RD_NOT_OF_DRIVER(cuGraphClone)
RD_NOT_OF_DRIVER(cuGraphCreate)
RD_NOT_OF_DRIVER(cuGraphDestroy)
RD_NOT_OF_DRIVER(cuGraphExecDestroy)
RD_NOT_OF_DRIVER(cuGraphExecUpdate)
RD_NOT_OF_DRIVER(cuGraphGetNodes)
RD_NOT_OF_DRIVER(cuGraphInstantiate)
RD_NOT_OF_DRIVER(cuGraphInstantiateWithFlags)
RD_NOT_OF_DRIVER(cuGraphLaunch)
RD_NOT_OF_DRIVER(cuGraphUpload)
RD_NOT_OF_DRIVER(cuImportExternalMemory)
RD_NOT_OF_DRIVER(cuImportExternalSemaphore)
RD_NOT_OF_DRIVER(cuIpcCloseMemHandle)
RD_NOT_OF_DRIVER(cuIpcGetEventHandle)
RD_NOT_OF_DRIVER(cuIpcGetMemHandle)
RD_NOT_OF_DRIVER(cuIpcOpenEventHandle)
RD_NOT_OF_DRIVER(cuIpcOpenMemHandle)
RD_NOT_OF_DRIVER(cuKernelGetAttribute)
RD_NOT_OF_DRIVER(cuKernelGetFunction)
RD_NOT_OF_DRIVER(cuKernelSetAttribute)
RD_NOT_OF_DRIVER(cuLaunch)
RD_NOT_OF_DRIVER(cuLaunchGrid)
RD_NOT_OF_DRIVER(cuLaunchKernelEx)
RD_NOT_OF_DRIVER(cuLibraryGetGlobal)
RD_NOT_OF_DRIVER(cuLibraryGetKernel)
RD_NOT_OF_DRIVER(cuLibraryGetModule)
RD_NOT_OF_DRIVER(cuLibraryLoadData)
RD_NOT_OF_DRIVER(cuLibraryLoadFromFile)
RD_NOT_OF_DRIVER(cuLibraryUnload)
RD_NOT_OF_DRIVER(cuMemAllocFromPoolAsync)
RD_NOT_OF_DRIVER(cuMemPoolCreate)
RD_NOT_OF_DRIVER(cuMemPoolDestroy)
RD_NOT_OF_DRIVER(cuMemPoolGetAttribute)
RD_NOT_OF_DRIVER(cuMemPoolSetAccess)
RD_NOT_OF_DRIVER(cuMemPoolSetAttribute)
RD_NOT_OF_DRIVER(cuMemPoolTrimTo)
RD_NOT_OF_DRIVER(cuMemRangeGetAttribute)
RD_NOT_OF_DRIVER(cuMemRetainAllocationHandle)
RD_NOT_OF_DRIVER(cuMipmappedArrayCreate)
RD_NOT_OF_DRIVER(cuMipmappedArrayDestroy)
RD_NOT_OF_DRIVER(cuMipmappedArrayGetLevel)
RD_NOT_OF_DRIVER(cuModuleGetSurfRef)
RD_NOT_OF_DRIVER(cuModuleGetTexRef)
RD_NOT_OF_DRIVER(cuOccupancyMaxActiveClusters)
RD_NOT_OF_DRIVER(cuOccupancyMaxPotentialClusterSize)
RD_NOT_OF_DRIVER(cuOccupancyMaxPotentialBlockSizeWithFlags)
RD_NOT_OF_DRIVER(cuParamSetSize)
RD_NOT_OF_DRIVER(cuPointerGetAttributes)
RD_NOT_OF_DRIVER(cuPointerSetAttribute)
RD_NOT_OF_DRIVER(cuSignalExternalSemaphoresAsync)
RD_NOT_OF_DRIVER(cuStreamBatchMemOp)
RD_NOT_OF_DRIVER(cuStreamBeginCapture)
RD_NOT_OF_DRIVER(cuStreamCopyAttributes)
RD_NOT_OF_DRIVER(cuStreamEndCapture)
RD_NOT_OF_DRIVER(cuStreamGetCtx)
RD_NOT_OF_DRIVER(cuStreamIsCapturing)
RD_NOT_OF_DRIVER(cuStreamUpdateCaptureDependencies)
RD_NOT_OF_DRIVER(cuStreamWaitValue32)
RD_NOT_OF_DRIVER(cuStreamWaitValue64)
RD_NOT_OF_DRIVER(cuStreamWriteValue32)
RD_NOT_OF_DRIVER(cuStreamWriteValue64)
RD_NOT_OF_DRIVER(cuTensorMapEncodeTiled)
RD_NOT_OF_DRIVER(cuThreadExchangeStreamCaptureMode)
RD_NOT_OF_DRIVER(cuUserObjectCreate)
RD_NOT_OF_DRIVER(cuWaitExternalSemaphoresAsync)
#undef RD_NOT_OF_DRIVER
RD_ARRAY CUresult cuProfilerStart()
{
    return CUDA_SUCCESS;
}
RD_ARRAY CUresult cuProfilerStop()
{
    return CUDA_SUCCESS;
}

#endif
