// SPDX-License-Identifier: MIT
// Arrays of CUDA's: memory of the device whose rows lie one behind the other, which only copies,
// textures and surfaces access.
#ifndef RD_ARRAYS_HPP
#define RD_ARRAYS_HPP

#include "reductio_texture_types.hpp"

struct cudaArray {
    char *data;
    cudaChannelFormatDesc format;
    cudaExtent extent; // in elements; 0 where there are fewer dimensions
    unsigned flags;

    RD_UNSEEN size_t element_bytes() const
    {
        return (size_t)(format.x + format.y + format.z + format.w) / 8;
    }
    RD_UNSEEN size_t row_bytes() const
    {
        return extent.width * element_bytes();
    }
    RD_UNSEEN size_t rows() const
    {
        return extent.height ? extent.height : 1;
    }
    RD_UNSEEN size_t layers() const
    {
        return extent.depth ? extent.depth : 1;
    }
    RD_UNSEEN size_t bytes() const
    {
        return row_bytes() * rows() * layers();
    }
};

#define RD_ARRAY static inline __attribute__((always_inline, no_sanitize("thread")))
// Tells whether an element may have such channels: 1, 2 or 4 of the same 8, 16 or 32 bits, or what a compressed format has.
RD_ARRAY bool rd_is_format(const cudaChannelFormatDesc &format)
{
    const int bits = format.x;
    const bool has_y = format.y > 0, has_z = format.z > 0, has_w = format.w > 0;
    return format.f > cudaChannelFormatKindNone ||
           ((bits == 8 || bits == 16 || bits == 32) && (!has_y || format.y == bits) &&
            has_z == has_w && (!has_z || (has_y && format.z == bits && format.w == bits)));
}
RD_ARRAY cudaError_t cudaMalloc3DArray(cudaArray_t *array, const cudaChannelFormatDesc *format,
                                       cudaExtent extent, unsigned flags = 0)
{
    if (!rd_is_format(*format))
        return rd_sim_call_made("cudaMalloc3DArray", cudaErrorInvalidChannelDescriptor);
    cudaArray *made = (cudaArray *)::malloc(sizeof *made);
    if (!made)
        return rd_sim_call_made("cudaMalloc3DArray", cudaErrorMemoryAllocation);
    *made = cudaArray{nullptr, *format, extent, flags};
    cudaError_t error = made->bytes() == 0 ? cudaErrorInvalidValue
                                           : cudaMalloc((void **)&made->data, made->bytes());
    if (error != cudaSuccess)
        ::free(made);
    else
        *array = made;
    return rd_sim_call_made("cudaMalloc3DArray", error);
}
RD_ARRAY cudaError_t cudaMallocArray(cudaArray_t *array, const cudaChannelFormatDesc *format,
                                     size_t width, size_t height = 0, unsigned flags = 0)
{
    return cudaMalloc3DArray(array, format, cudaExtent{width, height, 0}, flags);
}
RD_ARRAY cudaError_t cudaFreeArray(cudaArray_t array)
{
    cudaError_t error = array ? cudaFree(array->data) : cudaSuccess;
    if (error == cudaSuccess)
        ::free(array);
    return rd_sim_call_made("cudaFreeArray", error);
}
RD_ARRAY cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *format, cudaExtent *extent,
                                      unsigned *flags, cudaArray_t array)
{
    if (format)
        *format = array->format;
    if (extent)
        *extent = array->extent;
    if (flags)
        *flags = array->flags;
    return rd_sim_call_made("cudaArrayGetInfo", cudaSuccess);
}
RD_ARRAY cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *format, cudaArray_const_t array)
{
    *format = array->format;
    return rd_sim_call_made("cudaGetChannelDesc", cudaSuccess);
}

// ---- copies: x in bytes ----

RD_ARRAY bool rd_fits(const cudaArray *array, size_t x, size_t y, size_t width, size_t height)
{
    return array && x + width <= array->row_bytes() && y + height <= array->rows();
}
// Of a single row the pitch may be 0.
RD_ARRAY size_t rd_pitch_of_rows(size_t pitch, size_t width, size_t height)
{
    return pitch == 0 && height <= 1 ? width : pitch;
}
RD_ARRAY cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from,
                                         size_t pitch, size_t width, size_t height,
                                         cudaMemcpyKind kind)
{
    if (!rd_fits(to, x, y, width, height))
        return rd_sim_call_made("cudaMemcpy2DToArray", cudaErrorInvalidValue);
    return cudaMemcpy2D(to->data + y * to->row_bytes() + x, to->row_bytes(), from,
                        rd_pitch_of_rows(pitch, width, height), width, height, kind);
}
RD_ARRAY cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                              size_t pitch, size_t width, size_t height,
                                              cudaMemcpyKind kind, cudaStream_t stream = 0)
{
    if (!rd_fits(to, x, y, width, height))
        return rd_sim_call_made("cudaMemcpy2DToArrayAsync", cudaErrorInvalidValue);
    return cudaMemcpy2DAsync(to->data + y * to->row_bytes() + x, to->row_bytes(), from,
                             rd_pitch_of_rows(pitch, width, height), width, height, kind, stream);
}
RD_ARRAY cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                           size_t y, size_t width, size_t height,
                                           cudaMemcpyKind kind)
{
    if (!rd_fits(from, x, y, width, height))
        return rd_sim_call_made("cudaMemcpy2DFromArray", cudaErrorInvalidValue);
    return cudaMemcpy2D(to, pitch, from->data + y * from->row_bytes() + x, from->row_bytes(), width,
                        height, kind);
}
RD_ARRAY cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from,
                                                size_t x, size_t y, size_t width, size_t height,
                                                cudaMemcpyKind kind, cudaStream_t stream = 0)
{
    if (!rd_fits(from, x, y, width, height))
        return rd_sim_call_made("cudaMemcpy2DFromArrayAsync", cudaErrorInvalidValue);
    return cudaMemcpy2DAsync(to, pitch, from->data + y * from->row_bytes() + x, from->row_bytes(),
                             width, height, kind, stream);
}
RD_ARRAY cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t x, size_t y,
                                              cudaArray_const_t from, size_t from_x, size_t from_y,
                                              size_t width, size_t height,
                                              cudaMemcpyKind = cudaMemcpyDeviceToDevice)
{
    if (!rd_fits(to, x, y, width, height) || !rd_fits(from, from_x, from_y, width, height))
        return rd_sim_call_made("cudaMemcpy2DArrayToArray", cudaErrorInvalidValue);
    return cudaMemcpy2D(to->data + y * to->row_bytes() + x, to->row_bytes(),
                        from->data + from_y * from->row_bytes() + from_x, from->row_bytes(), width,
                        height, cudaMemcpyDeviceToDevice);
}
// The rows of an array, one behind the other.
RD_ARRAY cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from,
                                       size_t count, cudaMemcpyKind kind)
{
    if (!to || y * to->row_bytes() + x + count > to->bytes())
        return rd_sim_call_made("cudaMemcpyToArray", cudaErrorInvalidValue);
    return cudaMemcpy(to->data + y * to->row_bytes() + x, from, count, kind);
}
RD_ARRAY cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y,
                                         size_t count, cudaMemcpyKind kind)
{
    if (!from || y * from->row_bytes() + x + count > from->bytes())
        return rd_sim_call_made("cudaMemcpyFromArray", cudaErrorInvalidValue);
    return cudaMemcpy(to, from->data + y * from->row_bytes() + x, count, kind);
}
RD_ARRAY cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                            size_t count, cudaMemcpyKind kind,
                                            cudaStream_t stream = 0)
{
    if (!to || y * to->row_bytes() + x + count > to->bytes())
        return rd_sim_call_made("cudaMemcpyToArrayAsync", cudaErrorInvalidValue);
    return cudaMemcpyAsync(to->data + y * to->row_bytes() + x, from, count, kind, stream);
}
RD_ARRAY cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_const_t from, size_t x, size_t y,
                                              size_t count, cudaMemcpyKind kind,
                                              cudaStream_t stream = 0)
{
    if (!from || y * from->row_bytes() + x + count > from->bytes())
        return rd_sim_call_made("cudaMemcpyFromArrayAsync", cudaErrorInvalidValue);
    return cudaMemcpyAsync(to, from->data + y * from->row_bytes() + x, count, kind, stream);
}
RD_ARRAY cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t x, size_t y,
                                            cudaArray_const_t from, size_t from_x, size_t from_y,
                                            size_t count, cudaMemcpyKind = cudaMemcpyDeviceToDevice)
{
    if (!from || from_y * from->row_bytes() + from_x + count > from->bytes())
        return rd_sim_call_made("cudaMemcpyArrayToArray", cudaErrorInvalidValue);
    return cudaMemcpyToArray(to, x, y, from->data + from_y * from->row_bytes() + from_x, count,
                             cudaMemcpyDeviceToDevice);
}
// Arrays as the memory that they are; where there is one, the width is in elements.
RD_ARRAY cudaMemcpy3DParms rd_plain_copy(const cudaMemcpy3DParms *copy)
{
    cudaMemcpy3DParms plain = *copy;
    size_t bytes = 1;
    if (copy->srcArray) {
        const cudaArray *from = copy->srcArray;
        bytes = from->element_bytes();
        plain.srcPtr = {from->data, from->row_bytes(), from->row_bytes(), from->rows()};
        plain.srcPos.x *= bytes;
        plain.srcArray = nullptr;
    }
    if (copy->dstArray) {
        const cudaArray *to = copy->dstArray;
        bytes = to->element_bytes();
        plain.dstPtr = {to->data, to->row_bytes(), to->row_bytes(), to->rows()};
        plain.dstPos.x *= bytes;
        plain.dstArray = nullptr;
    }
    plain.extent.width *= bytes;
    return plain;
}
// A copy to or from an array is within it; positions and width in elements.
RD_ARRAY bool rd_is_within(const cudaArray *array, const cudaPos &at, const cudaExtent &extent)
{
    return !array ||
           (at.x + extent.width <= array->extent.width && at.y + extent.height <= array->rows() &&
            at.z + extent.depth <= array->layers());
}
RD_ARRAY bool rd_is_within(const cudaMemcpy3DParms *copy)
{
    return rd_is_within(copy->srcArray, copy->srcPos, copy->extent) &&
           rd_is_within(copy->dstArray, copy->dstPos, copy->extent);
}
RD_ARRAY cudaError_t rd_memcpy_3d(const cudaMemcpy3DParms *copy)
{
    if (copy && !rd_is_within(copy))
        return rd_sim_call_made("cudaMemcpy3D", cudaErrorInvalidValue);
    const cudaMemcpy3DParms plain = rd_plain_copy(copy);
    return cudaMemcpy3D(&plain);
}
RD_ARRAY cudaError_t rd_memcpy_3d_async(const cudaMemcpy3DParms *copy, cudaStream_t stream = 0)
{
    if (copy && !rd_is_within(copy))
        return rd_sim_call_made("cudaMemcpy3DAsync", cudaErrorInvalidValue);
    const cudaMemcpy3DParms plain = rd_plain_copy(copy);
    return cudaMemcpy3DAsync(&plain, stream);
}
#define cudaMemcpy3D      rd_memcpy_3d
#define cudaMemcpy3DAsync rd_memcpy_3d_async

#endif
