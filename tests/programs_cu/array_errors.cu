// SPDX-License-Identifier: MIT
// Textures, arrays and copies that CUDA refuses, as an H200 does (CUDA 13.0): results, each line "NAME: ok" or "NAME: WRONG"; then
// mistakes, each of them told in the line that ends in "// want HAZARD".
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>

#include "results.hpp"

static cudaArray_t made(const cudaChannelFormatDesc &format)
{
    cudaArray_t array;
    return cudaMallocArray(&array, &format, 4, 4) == cudaSuccess ? array : nullptr;
}

static void formats()
{
    cudaArray_t array;
    const cudaChannelFormatDesc three = {32, 32, 32, 0, cudaChannelFormatKindFloat},
                                odd = {24, 0, 0, 0, cudaChannelFormatKindUnsigned};
    check("array of three channels",
          cudaMallocArray(&array, &three, 4, 4) == cudaErrorInvalidChannelDescriptor);
    check("array of 24 bits",
          cudaMallocArray(&array, &odd, 4, 4) == cudaErrorInvalidChannelDescriptor);
}

static cudaError_t texture_of(const cudaResourceDesc &resource, const cudaTextureDesc &how)
{
    cudaTextureObject_t object;
    const cudaError_t error = cudaCreateTextureObject(&object, &resource, &how, nullptr);
    return error == cudaSuccess ? cudaDestroyTextureObject(object) : error;
}

static void textures_of_memory(char *memory)
{
    bool linear = true, pitched = true;
    for (int ahead : {0, 1, 4, 32, 256, 512}) {
        cudaResourceDesc resource = {};
        resource.resType = cudaResourceTypeLinear;
        resource.res.linear.devPtr = memory + ahead;
        resource.res.linear.desc = cudaCreateChannelDesc<float>();
        resource.res.linear.sizeInBytes = 64;
        linear = linear && (texture_of(resource, {}) == cudaSuccess) == (ahead % 512 == 0);
        for (size_t pitch : {4, 16, 20, 32, 48, 64}) {
            resource = {};
            resource.resType = cudaResourceTypePitch2D;
            resource.res.pitch2D = {memory + ahead, cudaCreateChannelDesc<float>(), 1, 2, pitch};
            const bool fits = ahead % 512 == 0 && pitch % 32 == 0;
            pitched =
                pitched && texture_of(resource, {}) == (fits ? cudaSuccess : cudaErrorInvalidValue);
        }
    }
    check("alignment of a texture of linear memory", linear);
    check("alignment of a texture of rows", pitched);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear = {memory, {32, 32, 32, 0, cudaChannelFormatKindFloat}, 96};
    check("texture of three channels",
          texture_of(resource, {}) == cudaErrorInvalidChannelDescriptor);
}

static void textures_of_arrays()
{
    cudaResourceDesc resource = {};
    cudaTextureDesc filtered = {}, normalized = {};
    filtered.filterMode = cudaFilterModeLinear;
    normalized.readMode = cudaReadModeNormalizedFloat;
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = made(cudaCreateChannelDesc<int>());
    check("integers that are filtered",
          texture_of(resource, filtered) == cudaErrorInvalidFilterSetting);
    check("integers of 32 bits as fractions",
          texture_of(resource, normalized) == cudaErrorInvalidNormSetting);
    cudaFreeArray(resource.res.array.array);
    resource.res.array.array = made(cudaCreateChannelDesc<unsigned char>());
    filtered.readMode = cudaReadModeNormalizedFloat;
    check("bytes as fractions, filtered", texture_of(resource, filtered) == cudaSuccess);
    cudaFreeArray(resource.res.array.array);
}

static cudaError_t copied(float *from, size_t rows, float *to, cudaPos from_at, cudaPos to_at,
                          cudaExtent extent)
{
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(from, 16, 16, rows);
    copy.dstPtr = make_cudaPitchedPtr(to, 16, 16, rows);
    copy.srcPos = from_at;
    copy.dstPos = to_at;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    return cudaMemcpy3D(&copy);
}

static void copies(float *to)
{
    float from[64] = {};
    const cudaPos none = {0, 0, 0}, right = {4, 0, 0}, down = {0, 1, 0};
    check("copy", copied(from, 2, to, none, none, {16, 2, 1}) == cudaSuccess &&
                      copied(from, 0, to, none, none, {16, 2, 1}) == cudaSuccess);
    check("copy beyond the pitch",
          copied(from, 2, to, none, right, {16, 2, 1}) == cudaErrorInvalidValue &&
              copied(from, 2, to, none, right, {16, 1, 1}) == cudaErrorInvalidValue &&
              copied(from, 2, to, right, none, {16, 2, 1}) == cudaErrorInvalidValue);
    check("copy beyond the slice",
          copied(from, 2, to, none, down, {16, 2, 1}) == cudaErrorInvalidValue &&
              copied(from, 2, to, none, down, {16, 2, 2}) == cudaErrorInvalidValue &&
              copied(from, 2, to, down, none, {16, 2, 2}) == cudaErrorInvalidValue &&
              copied(from, 2, to, none, none, {16, 3, 1}) == cudaErrorInvalidValue);
    check("rows wider than the pitch",
          copied(from, 2, to, none, none, {20, 1, 2}) == cudaErrorInvalidPitchValue &&
              copied(from, 2, to, none, none, {20, 1, 1}) == cudaErrorInvalidValue);
    check("slices of no rows",
          copied(from, 0, to, none, none, {16, 2, 2}) == cudaErrorInvalidPitchValue);
    check("pitch of a fill", cudaMemset2D(to, 16, 0, 20, 2) == cudaErrorInvalidValue);
    check("slice of a fill",
          cudaMemset3D(make_cudaPitchedPtr(to, 16, 16, 2), 0, {16, 3, 2}) == cudaErrorInvalidValue);
    CUDA_MEMCPY2D rows = {};
    rows.srcMemoryType = CU_MEMORYTYPE_HOST;
    rows.srcHost = from;
    rows.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    rows.dstDevice = (CUdeviceptr)to;
    rows.srcPitch = rows.dstPitch = 16;
    rows.WidthInBytes = 12;
    rows.Height = 2;
    const bool copies = cuMemcpy2D(&rows) == CUDA_SUCCESS;
    rows.dstXInBytes = 8;
    check("the driver's copy beyond the pitch",
          copies && cuMemcpy2D(&rows) == CUDA_ERROR_INVALID_VALUE);
}

static cudaError_t put(float *from, cudaArray_t to, cudaPos at, cudaExtent extent)
{
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(from, 16, 4, 4);
    copy.dstArray = to;
    copy.dstPos = at;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    return cudaMemcpy3D(&copy);
}

static void copies_to_arrays()
{
    float from[64] = {};
    cudaArray_t array = made(cudaCreateChannelDesc<float>());
    check("copy to an array", put(from, array, {0, 0, 0}, {4, 4, 1}) == cudaSuccess);
    check("copy beyond an array",
          put(from, array, {2, 0, 0}, {3, 1, 1}) == cudaErrorInvalidValue &&
              put(from, array, {0, 3, 0}, {4, 2, 1}) == cudaErrorInvalidValue &&
              put(from, array, {0, 0, 0}, {4, 2, 2}) == cudaErrorInvalidValue);
    cudaFreeArray(array);
}

// An error is told where it is dropped, and not of another call behind one that is right.
static void mistakes(float *to)
{
    float from[64] = {};
    cudaArray_t array = made(cudaCreateChannelDesc<float>());
    cudaMemcpy2DToArray(array, 8, 0, from, 16, 16, 1, cudaMemcpyHostToDevice);
    check("error of a copy", cudaGetLastError() == cudaErrorInvalidValue);
    cudaResourceDesc resource = {};
    cudaTextureObject_t object;
    cudaTextureDesc how = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaCreateTextureObject(&object, &resource, &how, nullptr);
    void *room;
    cudaError_t error = cudaMalloc(&room, (size_t)1 << 60);
    check("error of another call",
          error == cudaErrorMemoryAllocation && cudaGetLastError() == error);
    cudaDestroyTextureObject(object);
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear = {to + 1, cudaCreateChannelDesc<float>(), 16};
    cudaCreateTextureObject(&object, &resource, &how, nullptr); // want unchecked-error
    cudaFreeArray(array);
}

int main()
{
    float *memory;
    cudaMalloc(&memory, 4096);
    formats();
    textures_of_memory((char *)memory);
    textures_of_arrays();
    copies(memory);
    copies_to_arrays();
    mistakes(memory);
    cudaFree(memory);
}
