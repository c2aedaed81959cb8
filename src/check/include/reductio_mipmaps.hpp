// SPDX-License-Identifier: MIT
// Arrays of several levels of detail, each half as large as the one before.
#ifndef RD_MIPMAPS_HPP
#define RD_MIPMAPS_HPP

#include "reductio_arrays.hpp"

enum { RD_LEVELS_MAX = 18 }; // of 2^17 elements
struct cudaMipmappedArray {
    cudaArray_t levels[RD_LEVELS_MAX];
    unsigned n;
};

RD_ARRAY size_t rd_level_extent(size_t extent, unsigned level)
{
    return extent == 0 ? 0 : extent >> level ? extent >> level : 1;
}
RD_ARRAY cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t mipmap)
{
    cudaError_t error = cudaSuccess;
    for (unsigned k = 0; mipmap && k < mipmap->n && error == cudaSuccess; k++)
        error = cudaFreeArray(mipmap->levels[k]);
    if (error == cudaSuccess)
        ::free(mipmap);
    return rd_sim_call_made("cudaFreeMipmappedArray", error);
}
RD_ARRAY cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *mipmap,
                                              const cudaChannelFormatDesc *format,
                                              cudaExtent extent, unsigned n, unsigned flags = 0)
{
    const bool has_layers = flags & (cudaArrayLayered | cudaArrayCubemap); // which stay as many
    size_t largest = extent.width > extent.height ? extent.width : extent.height;
    if (!has_layers && extent.depth > largest)
        largest = extent.depth;
    unsigned most = 1;
    while (most < RD_LEVELS_MAX && largest >> most)
        most++;
    if (!mipmap || !format || extent.width == 0 || n == 0)
        return rd_sim_call_made("cudaMallocMipmappedArray", cudaErrorInvalidValue);
    cudaMipmappedArray *made = (cudaMipmappedArray *)::calloc(1, sizeof *made);
    cudaError_t error = made ? cudaSuccess : cudaErrorMemoryAllocation;
    for (unsigned k = 0; k < (n < most ? n : most) && error == cudaSuccess; k++) {
        const cudaExtent level = {rd_level_extent(extent.width, k),
                                  rd_level_extent(extent.height, k),
                                  has_layers ? extent.depth : rd_level_extent(extent.depth, k)};
        error = cudaMalloc3DArray(&made->levels[k], format, level, flags);
        made->n += error == cudaSuccess;
    }
    if (error == cudaSuccess)
        *mipmap = made;
    else
        cudaFreeMipmappedArray(made);
    return rd_sim_call_made("cudaMallocMipmappedArray", error);
}
RD_ARRAY cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *level,
                                                cudaMipmappedArray_const_t mipmap, unsigned n)
{
    if (!level || !mipmap || n >= mipmap->n)
        return rd_sim_call_made("cudaGetMipmappedArrayLevel", cudaErrorInvalidValue);
    *level = mipmap->levels[n];
    return rd_sim_call_made("cudaGetMipmappedArrayLevel", cudaSuccess);
}

#endif
