// SPDX-License-Identifier: MIT
// Textures: what a fetch gives is CUDA C++ Programming Guide, "Texture Fetching". Weights of a
// linear filter have 8 bits behind the point.
#ifndef RD_TEXTURES_HPP
#define RD_TEXTURES_HPP

#include "reductio_half.hpp"
#include "reductio_mipmaps.hpp"

// The texture that an object names.
struct rd_texture {
    const char *data;
    cudaChannelFormatDesc format;
    int n[3]; // elements by dimension; of a layered array, the last are its layers
    size_t element_bytes, row_bytes, slice_bytes;
    cudaTextureDesc how;
    cudaResourceDesc resource;
    rd_texture *levels; // of detail, where there are several
    unsigned n_levels;
};

// A channel of an element, as a float, or as it is.
// Without hooks, which would take the texture's own description for memory of the kernel's: what is
// read of the texture is told.
static inline RD_BARE int rd_bits_of_channel(const cudaChannelFormatDesc &format, int channel)
{
    return channel == 0 ? format.x : channel == 1 ? format.y : channel == 2 ? format.z : format.w;
}
template <class C>
RD_BARE C rd_channel(const char *element, cudaChannelFormatKind kind, int bits, int channel,
                     bool normalized)
{
    const char *at = element + (size_t)channel * (size_t)(bits / 8);
    if (kind == cudaChannelFormatKindFloat)
        return bits == 16 ? (C)rd_value_of(*(const rd_f16 *)at) : (C) * (const float *)at;
    if (kind == cudaChannelFormatKindSigned) {
        int value = bits == 8    ? *(const signed char *)at
                    : bits == 16 ? *(const short *)at
                                 : *(const int *)at;
        float most = bits == 8 ? 127 : 32767, real = (float)value / most;
        return normalized ? (C)(real < -1 ? -1 : real) : (C)value;
    }
    unsigned value = bits == 8    ? *(const unsigned char *)at
                     : bits == 16 ? *(const unsigned short *)at
                                  : *(const unsigned *)at;
    return normalized ? (C)((float)value / (bits == 8 ? 255.0f : 65535.0f)) : (C)value;
}

// The element that stands for one outside of the texture; -1: the border's colour does.
static inline RD_BARE int rd_texel(int at, int n, cudaTextureAddressMode mode, bool normalized)
{
    if (at >= 0 && at < n)
        return at;
    if (mode == cudaAddressModeBorder)
        return -1;
    if (!normalized || mode == cudaAddressModeClamp)
        return at < 0 ? 0 : n - 1;
    int period = mode == cudaAddressModeMirror ? 2 * n : n, rest = (at % period + period) % period;
    return rest < n ? rest : 2 * n - 1 - rest;
}
template <class T>
RD_BARE T rd_texel_at(const rd_texture *texture, int x, int y, int z, bool normalized, void *pc)
{
    using C = typename rd_channels<T>::type;
    T result = {};
    const bool outside = x < 0 || y < 0 || z < 0;
    const char *element = outside ? nullptr
                                  : texture->data + (size_t)z * texture->slice_bytes +
                                        (size_t)y * texture->row_bytes +
                                        (size_t)x * texture->element_bytes;
    if (!outside)
        rd_sim_accessed(element, texture->element_bytes, 0, pc);
    for (int k = 0; k < rd_channels<T>::n; k++) {
        int bits = rd_bits_of_channel(texture->format, k);
        if (bits == 0)
            continue;
        ((C *)&result)[k] =
            outside ? (C)texture->how.borderColor[k]
                    : rd_channel<C>(element, texture->format.f, texture->format.x, k, normalized);
    }
    return result;
}
// At a place in up to three dimensions. The last of a layered texture is a number of a layer.
template <class T>
RD_BARE T rd_fetch(const rd_texture *texture, float x, float y, float z, int dimensions, int layer,
                   void *pc)
{
    const float at[] = {x, y, z};
    if (!texture->data)
        rd_sim_assert_fail("a texture is bound to an array", "", 0);
    using C = typename rd_channels<T>::type;
    const bool scaled = texture->how.normalizedCoords;
    const bool normalized = texture->how.readMode == cudaReadModeNormalizedFloat &&
                            texture->format.f != cudaChannelFormatKindFloat;
    const bool linear =
        texture->how.filterMode == cudaFilterModeLinear && std::is_floating_point<C>::value;
    int low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    float weight[3] = {0, 0, 0};
    for (int k = 0; k < dimensions; k++) {
        const cudaTextureAddressMode mode = texture->how.addressMode[k];
        const float place = scaled ? at[k] * (float)texture->n[k] : at[k];
        const float start = floorf(linear ? place - 0.5f : place);
        const int first = start < -1e9f ? -1000000000 : start > 1e9f ? 1000000000 : (int)start;
        low[k] = rd_texel(first, texture->n[k], mode, scaled);
        if (linear) {
            weight[k] = floorf((place - 0.5f - start) * 256 + 0.5f) / 256;
            high[k] = rd_texel(first + 1, texture->n[k], mode, scaled);
        }
    }
    if (layer >= 0) {
        const int last = texture->n[dimensions] - 1, z = layer > last ? last : layer;
        low[dimensions] = high[dimensions] = z;
    }
    if (!linear)
        return rd_texel_at<T>(texture, low[0], low[1], low[2], normalized, pc);
    // As an H100 has them: the weight of two upper neighbours is rounded to 1/256, and the others are
    // what is left. In three dimensions each plane is weighed so, and then both planes.
    int share[8];
    const int x_weight = (int)(weight[0] * 256), y_weight = (int)(weight[1] * 256);
    const int both = dimensions > 1 ? (x_weight * y_weight + 128) / 256 : 0;
    share[0] = 256 - x_weight - y_weight + both;
    share[1] = x_weight - both;
    share[2] = y_weight - both;
    share[3] = both;
    // Numbers of 8 and of 16 bits are filtered as ones of 16.
    const bool of_16_bits = normalized && texture->format.f == cudaChannelFormatKindUnsigned;
    double units[4] = {0, 0, 0, 0};
    T sum = {};
    for (int corner = 0; corner < 1 << dimensions; corner++) {
        const float part = dimensions < 3 ? (float)share[corner] / 256
                           : corner & 4   ? (float)share[corner & 3] / 256 * weight[2]
                                          : (float)share[corner & 3] / 256 * (1 - weight[2]);
        if (part == 0)
            continue;
        const T texel =
            rd_texel_at<T>(texture, corner & 1 ? high[0] : low[0],
                           dimensions > 1 && (corner & 2) ? high[1] : low[1],
                           dimensions > 2 && (corner & 4) ? high[2] : low[2], normalized, pc);
        for (int k = 0; k < rd_channels<T>::n; k++)
            units[k] += part * std::nearbyint((double)((const C *)&texel)[k] * 65535);
        for (int k = 0; k < rd_channels<T>::n; k++)
            ((C *)&sum)[k] += (C)(part * (float)((const C *)&texel)[k]);
    }
    if (of_16_bits)
        for (int k = 0; k < rd_channels<T>::n; k++)
            ((C *)&sum)[k] = (C)((float)std::floor(units[k] + 0.5) / 65535);
    return sum;
}
// At a level of detail, counted from 0: the nearest, or between two. Weights between levels have 8 bits, as within one.
template <class T>
RD_BARE T rd_fetch_level(const rd_texture *texture, float x, float y, float z, int dimensions,
                         int layer, float level, void *pc)
{
    using C = typename rd_channels<T>::type;
    const cudaTextureDesc &how = texture->how;
    if (!texture->levels)
        return rd_fetch<T>(texture, x, y, z, dimensions, layer, pc);
    level += how.mipmapLevelBias;
    level = level < how.minMipmapLevelClamp ? how.minMipmapLevelClamp : level;
    level = level > how.maxMipmapLevelClamp ? how.maxMipmapLevelClamp : level;
    const float last = (float)(texture->n_levels - 1);
    level = level > last ? last : level > 0 ? level : 0;
    const bool linear =
        how.mipmapFilterMode == cudaFilterModeLinear && std::is_floating_point<C>::value;
    const int low = (int)(linear ? level : level + 0.5f);
    const float weight = linear ? floorf((level - (float)low) * 256 + 0.5f) / 256 : 0;
    T sum = rd_fetch<T>(&texture->levels[low], x, y, z, dimensions, layer, pc);
    if (weight > 0) {
        const T high = rd_fetch<T>(&texture->levels[low + 1], x, y, z, dimensions, layer, pc);
        for (int k = 0; k < rd_channels<T>::n; k++)
            ((C *)&sum)[k] = (C)((1 - weight) * (float)((const C *)&sum)[k] +
                                 weight * (float)((const C *)&high)[k]);
    }
    return sum;
}
// Of a cube: the face that a direction meets, and where. CUDA C++ Programming Guide, "Cubemap Textures".
template <class T>
RD_BARE T rd_fetch_cube(const rd_texture *texture, float x, float y, float z, int layer, void *pc)
{
    const float ax = fabsf(x), ay = fabsf(y), az = fabsf(z);
    const int axis = ax >= ay && ax >= az ? 0 : ay >= az ? 1 : 2;
    const float along = axis == 0 ? x : axis == 1 ? y : z;
    const bool back = along < 0;
    const float m = fabsf(along),
                s = axis == 0            ? (back ? z : -z)
                    : axis == 1 || !back ? x
                                         : -x,
                t = axis == 1 ? (back ? -z : z) : -y;
    return rd_fetch<T>(texture, (s / m + 1) / 2, (t / m + 1) / 2, 0, 2, 6 * layer + 2 * axis + back,
                       pc);
}
template <class T> RD_BARE T rd_fetch_linear(const rd_texture *texture, int at, void *pc)
{
    const bool inside = at >= 0 && at < texture->n[0];
    return rd_texel_at<T>(texture, inside ? at : -1, 0, 0,
                          texture->how.readMode == cudaReadModeNormalizedFloat, pc);
}

// ---- objects ----

RD_ARRAY bool rd_texture_init(rd_texture *texture, const cudaResourceDesc *resource,
                              const cudaTextureDesc *how)
{
    *texture = rd_texture{};
    texture->how = *how;
    texture->resource = *resource;
    int *n = texture->n;
    n[1] = n[2] = 1;
    if (resource->resType == cudaResourceTypeArray) {
        const cudaArray *array = resource->res.array.array;
        texture->data = array->data;
        texture->format = array->format;
        n[0] = (int)array->extent.width;
        n[1] = (int)array->rows();
        n[2] = (int)array->layers();
        texture->row_bytes = array->row_bytes();
        if ((array->flags & cudaArrayLayered) && array->extent.height == 0)
            n[1] = n[2]; // layers of one row
    } else if (resource->resType == cudaResourceTypeLinear) {
        texture->data = (const char *)resource->res.linear.devPtr;
        texture->format = resource->res.linear.desc;
    } else if (resource->resType == cudaResourceTypePitch2D) {
        texture->data = (const char *)resource->res.pitch2D.devPtr;
        texture->format = resource->res.pitch2D.desc;
        n[0] = (int)resource->res.pitch2D.width;
        n[1] = (int)resource->res.pitch2D.height;
        texture->row_bytes = resource->res.pitch2D.pitchInBytes;
    } else {
        return false;
    }
    const cudaChannelFormatDesc &format = texture->format;
    texture->element_bytes = (size_t)(format.x + format.y + format.z + format.w) / 8;
    if (resource->resType == cudaResourceTypeLinear && texture->element_bytes > 0)
        n[0] = (int)(resource->res.linear.sizeInBytes / texture->element_bytes);
    texture->slice_bytes = texture->row_bytes * (size_t)n[1];
    return texture->element_bytes > 0;
}
RD_ARRAY void rd_texture_destroy(rd_texture *texture)
{
    if (texture)
        ::free(texture->levels);
    ::free(texture);
}
// A texture whose levels are each one of an array; the first stands for all where no level is asked for.
RD_ARRAY bool rd_texture_init_levels(rd_texture *texture, const cudaResourceDesc *resource,
                                     const cudaTextureDesc *how)
{
    const cudaMipmappedArray *mipmap = resource->res.mipmap.mipmap;
    if (resource->resType != cudaResourceTypeMipmappedArray)
        return rd_texture_init(texture, resource, how);
    *texture = rd_texture{};
    if (!mipmap || !how->normalizedCoords)
        return false;
    rd_texture *levels = (rd_texture *)::calloc(mipmap->n, sizeof *levels);
    bool fits = levels != nullptr;
    for (unsigned k = 0; k < mipmap->n && fits; k++) {
        cudaResourceDesc level = {};
        level.resType = cudaResourceTypeArray;
        level.res.array.array = mipmap->levels[k];
        fits = rd_texture_init(&levels[k], &level, how);
    }
    if (fits)
        *texture = levels[0];
    texture->resource = *resource;
    texture->levels = levels;
    texture->n_levels = mipmap->n;
    return fits;
}
// The alignment of memory that textures read, in bytes, and of the pitch of its rows: cudaDeviceProp::textureAlignment,
// texturePitchAlignment.
enum {
    RD_TEXTURE_ALIGNMENT = 512,
    RD_TEXTURE_PITCH_ALIGNMENT = 32,
    RD_TEXTURE_BYTES_MAX = 0x7fffffff
};
RD_ARRAY cudaError_t rd_check_memory(const void *pointer, const cudaChannelFormatDesc &format)
{
    if (!rd_is_format(format))
        return cudaErrorInvalidChannelDescriptor;
    return (uintptr_t)pointer % RD_TEXTURE_ALIGNMENT == 0 ? cudaSuccess : cudaErrorInvalidValue;
}
RD_ARRAY cudaError_t rd_check_resource(const cudaResourceDesc *resource)
{
    if (resource->resType == cudaResourceTypeLinear)
        return rd_check_memory(resource->res.linear.devPtr, resource->res.linear.desc);
    if (resource->resType != cudaResourceTypePitch2D)
        return cudaSuccess;
    const size_t pitch = resource->res.pitch2D.pitchInBytes;
    const cudaError_t error =
        rd_check_memory(resource->res.pitch2D.devPtr, resource->res.pitch2D.desc);
    return error == cudaSuccess && (pitch == 0 || pitch % RD_TEXTURE_PITCH_ALIGNMENT != 0)
               ? cudaErrorInvalidValue
               : error;
}
// The error where elements can't be read so.
RD_ARRAY cudaError_t rd_check_reading(const rd_texture *texture, const cudaTextureDesc *how)
{
    const bool is_integer = texture->format.f == cudaChannelFormatKindSigned ||
                            texture->format.f == cudaChannelFormatKindUnsigned,
               is_normalized = how->readMode == cudaReadModeNormalizedFloat;
    if (is_integer && is_normalized && texture->format.x == 32)
        return cudaErrorInvalidNormSetting;
    if (is_integer && !is_normalized && how->filterMode == cudaFilterModeLinear)
        return cudaErrorInvalidFilterSetting;
    if (how->sRGB && is_normalized && texture->format.x == 8)
        rd_unsimulated("textures of sRGB");
    return cudaSuccess;
}
RD_ARRAY cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object,
                                             const cudaResourceDesc *resource,
                                             const cudaTextureDesc *how,
                                             const cudaResourceViewDesc *view = nullptr)
{
    if (view)
        rd_unsimulated("views of textures");
    if (how->seamlessCubemap && how->filterMode == cudaFilterModeLinear)
        rd_unsimulated("cubes of textures that are filtered across their edges");
    cudaError_t error = rd_check_resource(resource);
    if (error != cudaSuccess)
        return rd_sim_call_made("cudaCreateTextureObject", error);
    rd_texture *texture = (rd_texture *)::malloc(sizeof *texture);
    if (!texture || !rd_texture_init_levels(texture, resource, how)) {
        rd_texture_destroy(texture);
        return rd_sim_call_made("cudaCreateTextureObject", cudaErrorInvalidValue);
    }
    if (texture->format.f > cudaChannelFormatKindNone)
        rd_unsimulated("textures of normalized and compressed formats");
    error = rd_check_reading(texture, how);
    if (error != cudaSuccess) {
        rd_texture_destroy(texture);
        return rd_sim_call_made("cudaCreateTextureObject", error);
    }
    *object = (cudaTextureObject_t)texture;
    return rd_sim_call_made("cudaCreateTextureObject", cudaSuccess);
}
RD_ARRAY cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object)
{
    rd_texture_destroy((rd_texture *)object);
    return rd_sim_call_made("cudaDestroyTextureObject", cudaSuccess);
}
RD_ARRAY cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc *how,
                                                     cudaTextureObject_t object)
{
    *how = ((const rd_texture *)object)->how;
    return rd_sim_call_made("cudaGetTextureObjectTextureDesc", cudaSuccess);
}
RD_ARRAY cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc *resource,
                                                      cudaTextureObject_t object)
{
    *resource = ((const rd_texture *)object)->resource;
    return rd_sim_call_made("cudaGetTextureObjectResourceDesc", cudaSuccess);
}

// ---- texture references, as before CUDA 12 ----

struct textureReference {
    int normalized;
    cudaTextureFilterMode filterMode;
    cudaTextureAddressMode addressMode[3];
    cudaChannelFormatDesc channelDesc;
    int sRGB;
    rd_texture rd_bound;
};
template <class T, int dimensions = 1, cudaTextureReadMode mode = cudaReadModeElementType>
struct texture : textureReference {
    texture(int is_normalized = 0, cudaTextureFilterMode filter = cudaFilterModePoint,
            cudaTextureAddressMode address = cudaAddressModeClamp)
        : texture(is_normalized, filter, address, cudaCreateChannelDesc<T>())
    {
    }
    texture(int is_normalized, cudaTextureFilterMode filter, cudaTextureAddressMode address,
            cudaChannelFormatDesc format)
        : textureReference{is_normalized, filter, {address, address, address}, format, 0, {}}
    {
    }
    // Its properties are those at the time of the fetch.
    RD_BARE const rd_texture *rd_now() const
    {
        rd_texture *now = const_cast<rd_texture *>(&rd_bound);
        now->how.normalizedCoords = normalized;
        now->how.filterMode = filterMode;
        now->how.readMode = mode;
        for (int k = 0; k < 3; k++)
            now->how.addressMode[k] = addressMode[k];
        return now;
    }
};
// The type of what a fetch gives.
template <class T, cudaTextureReadMode mode> struct rd_fetched {
    using type = T;
};
template <int n> struct rd_floats {
    using type = float;
};
template <> struct rd_floats<2> {
    using type = float2;
};
template <> struct rd_floats<4> {
    using type = float4;
};
template <class T> struct rd_fetched<T, cudaReadModeNormalizedFloat> {
    using type = typename rd_floats<rd_channels<T>::n>::type;
};
// A reference by its address, with the format by its address, too; and by itself.
RD_ARRAY cudaError_t rd_bind(const textureReference *reference, const cudaResourceDesc *resource)
{
    const cudaTextureDesc how = {};
    return rd_texture_init(&const_cast<textureReference *>(reference)->rd_bound, resource, &how)
               ? cudaSuccess
               : cudaErrorInvalidValue;
}
RD_ARRAY cudaError_t cudaBindTexture(size_t *offset, const textureReference *reference,
                                     const void *pointer, const cudaChannelFormatDesc *format,
                                     size_t size_bytes = RD_TEXTURE_BYTES_MAX)
{
    // The texture begins at an aligned place before; a caller who doesn't ask how far has an aligned one.
    const size_t ahead = (uintptr_t)pointer % RD_TEXTURE_ALIGNMENT;
    cudaResourceDesc resource = {};
    if (ahead > 0 && !offset)
        return rd_sim_call_made("cudaBindTexture", cudaErrorInvalidValue);
    resource.resType = cudaResourceTypeLinear;
    if (size_bytes > RD_TEXTURE_BYTES_MAX - ahead)
        size_bytes = RD_TEXTURE_BYTES_MAX - ahead;
    resource.res.linear = {(char *)const_cast<void *>(pointer) - ahead, *format,
                           size_bytes + ahead};
    if (offset)
        *offset = ahead;
    return rd_sim_call_made("cudaBindTexture", rd_bind(reference, &resource));
}
RD_ARRAY cudaError_t cudaBindTexture2D(size_t *offset, const textureReference *reference,
                                       const void *pointer, const cudaChannelFormatDesc *format,
                                       size_t width, size_t height, size_t pitch)
{
    const size_t ahead = (uintptr_t)pointer % RD_TEXTURE_ALIGNMENT;
    cudaResourceDesc resource = {};
    if ((ahead > 0 && !offset) || pitch == 0 || pitch % RD_TEXTURE_PITCH_ALIGNMENT != 0)
        return rd_sim_call_made("cudaBindTexture2D", cudaErrorInvalidValue);
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D = {(char *)const_cast<void *>(pointer) - ahead, *format, width, height,
                            pitch};
    if (offset)
        *offset = ahead;
    return rd_sim_call_made("cudaBindTexture2D", rd_bind(reference, &resource));
}
RD_ARRAY cudaError_t cudaBindTextureToArray(const textureReference *reference,
                                            cudaArray_const_t array, const cudaChannelFormatDesc *)
{
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = const_cast<cudaArray_t>(array);
    return rd_sim_call_made("cudaBindTextureToArray", rd_bind(reference, &resource));
}
RD_ARRAY cudaError_t cudaUnbindTexture(const textureReference *reference)
{
    const_cast<textureReference *>(reference)->rd_bound = rd_texture{};
    return rd_sim_call_made("cudaUnbindTexture", cudaSuccess);
}
template <class T, int d, cudaTextureReadMode m>
RD_ARRAY cudaError_t cudaBindTexture(size_t *offset, const texture<T, d, m> &reference,
                                     const void *pointer, const cudaChannelFormatDesc &format,
                                     size_t size_bytes = RD_TEXTURE_BYTES_MAX)
{
    return cudaBindTexture(offset, &reference, pointer, &format, size_bytes);
}
template <class T, int d, cudaTextureReadMode m>
RD_ARRAY cudaError_t cudaBindTexture(size_t *offset, const texture<T, d, m> &reference,
                                     const void *pointer, size_t size_bytes = RD_TEXTURE_BYTES_MAX)
{
    return cudaBindTexture(offset, &reference, pointer, &reference.channelDesc, size_bytes);
}
template <class T, int d, cudaTextureReadMode m>
RD_ARRAY cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, d, m> &reference,
                                       const void *pointer, const cudaChannelFormatDesc &format,
                                       size_t width, size_t height, size_t pitch)
{
    return cudaBindTexture2D(offset, &reference, pointer, &format, width, height, pitch);
}
template <class T, int d, cudaTextureReadMode m>
RD_ARRAY cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, d, m> &reference,
                                       const void *pointer, size_t width, size_t height,
                                       size_t pitch)
{
    return cudaBindTexture2D(offset, &reference, pointer, &reference.channelDesc, width, height,
                             pitch);
}
template <class T, int d, cudaTextureReadMode m>
RD_ARRAY cudaError_t cudaBindTextureToArray(const texture<T, d, m> &reference,
                                            cudaArray_const_t array)
{
    return cudaBindTextureToArray(&reference, array, nullptr);
}
template <class T, int d, cudaTextureReadMode m>
RD_ARRAY cudaError_t cudaBindTextureToArray(const texture<T, d, m> &reference,
                                            cudaArray_const_t array, const cudaChannelFormatDesc &)
{
    return cudaBindTextureToArray(&reference, array, nullptr);
}
template <class T, int d, cudaTextureReadMode m>
RD_ARRAY cudaError_t cudaUnbindTexture(const texture<T, d, m> &reference)
{
    return cudaUnbindTexture(&reference);
}

#include "reductio_fetches.hpp"

#endif
