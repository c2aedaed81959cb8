// SPDX-License-Identifier: MIT
// The functions by which kernels access textures and surfaces.
#ifndef RD_FETCHES_HPP
#define RD_FETCHES_HPP

// ---- textures: by an object, into a variable, by a reference ----

#define RD_FETCH(name, parameters, fetch, ...)                                                     \
    template <class T> RD_BARE T name(cudaTextureObject_t object, RD_LIST parameters)              \
    {                                                                                              \
        return fetch<T>((const rd_texture *)object, __VA_ARGS__, RD_HERE_PC);                      \
    }                                                                                              \
    template <class T>                                                                             \
    RD_INLINE void name(T *result, cudaTextureObject_t object, RD_LIST parameters)                 \
    {                                                                                              \
        *result = fetch<T>((const rd_texture *)object, __VA_ARGS__, RD_HERE_PC);                   \
    }                                                                                              \
    template <class T, int d, cudaTextureReadMode m>                                               \
    RD_BARE typename rd_fetched<T, m>::type name(const texture<T, d, m> &reference,                \
                                                 RD_LIST parameters)                               \
    {                                                                                              \
        return fetch<typename rd_fetched<T, m>::type>(reference.rd_now(), __VA_ARGS__,             \
                                                      RD_HERE_PC);                                 \
    }
#define RD_LIST(...) __VA_ARGS__
RD_FETCH(tex1D, (float x), rd_fetch, x, 0, 0, 1, -1)
RD_FETCH(tex2D, (float x, float y), rd_fetch, x, y, 0, 2, -1)
RD_FETCH(tex3D, (float x, float y, float z), rd_fetch, x, y, z, 3, -1)
RD_FETCH(tex1DLayered, (float x, int n), rd_fetch, x, 0, 0, 1, n)
RD_FETCH(tex2DLayered, (float x, float y, int n), rd_fetch, x, y, 0, 2, n)
RD_FETCH(tex1DLod, (float x, float level), rd_fetch_level, x, 0, 0, 1, -1, level)
RD_FETCH(tex2DLod, (float x, float y, float level), rd_fetch_level, x, y, 0, 2, -1, level)
RD_FETCH(tex3DLod, (float x, float y, float z, float level), rd_fetch_level, x, y, z, 3, -1, level)
RD_FETCH(tex1DLayeredLod, (float x, int n, float level), rd_fetch_level, x, 0, 0, 1, n, level)
RD_FETCH(tex2DLayeredLod, (float x, float y, int n, float level), rd_fetch_level, x, y, 0, 2, n,
         level)
RD_FETCH(texCubemap, (float x, float y, float z), rd_fetch_cube, x, y, z, 0)
RD_FETCH(texCubemapLayered, (float x, float y, float z, int n), rd_fetch_cube, x, y, z, n)
#undef RD_FETCH
template <class T> RD_BARE T tex1Dfetch(cudaTextureObject_t object, int x)
{
    return rd_fetch_linear<T>((const rd_texture *)object, x, RD_HERE_PC);
}
template <class T> RD_INLINE void tex1Dfetch(T *result, cudaTextureObject_t object, int x)
{
    *result = rd_fetch_linear<T>((const rd_texture *)object, x, RD_HERE_PC);
}
template <class T, int d, cudaTextureReadMode m>
RD_BARE typename rd_fetched<T, m>::type tex1Dfetch(const texture<T, d, m> &reference, int x)
{
    return rd_fetch_linear<typename rd_fetched<T, m>::type>(reference.rd_now(), x, RD_HERE_PC);
}
template <class T> RD_BARE T tex2Dgather(cudaTextureObject_t, float, float, int = 0, RD_HERE)
{
    rd_unsimulated("gathering of textures", rd_line, rd_file);
}
template <class T> RD_BARE T tex2DGrad(cudaTextureObject_t, float, float, float2, float2, RD_HERE)
{
    rd_unsimulated("gradients of textures", rd_line, rd_file);
}

// ---- surfaces: x in bytes ----

RD_ARRAY cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object,
                                             const cudaResourceDesc *resource)
{
    if (resource->resType != cudaResourceTypeArray || !resource->res.array.array)
        return rd_sim_call_made("cudaCreateSurfaceObject", cudaErrorInvalidValue);
    *object = (cudaSurfaceObject_t)resource->res.array.array;
    return rd_sim_call_made("cudaCreateSurfaceObject", cudaSuccess);
}
RD_ARRAY cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t)
{
    return rd_sim_call_made("cudaDestroySurfaceObject", cudaSuccess);
}
template <class T, int dimensions = 1> struct surface {
    cudaSurfaceObject_t rd_array = 0;
    operator cudaSurfaceObject_t() const
    {
        return rd_array;
    }
};
template <class T, int d>
RD_ARRAY cudaError_t cudaBindSurfaceToArray(const surface<T, d> &reference, cudaArray_const_t array)
{
    const_cast<surface<T, d> &>(reference).rd_array = (cudaSurfaceObject_t)array;
    return rd_sim_call_made("cudaBindSurfaceToArray", cudaSuccess);
}
template <class T, int d>
RD_ARRAY cudaError_t cudaBindSurfaceToArray(const surface<T, d> &reference, cudaArray_const_t array,
                                            const cudaChannelFormatDesc &)
{
    return cudaBindSurfaceToArray(reference, array);
}

// Where an element lies; NULL outside, where that reads zeros and writes nothing.
static inline RD_BARE char *rd_surface_place(cudaSurfaceObject_t object, int x, int y, int z,
                                             size_t size_bytes, cudaSurfaceBoundaryMode mode,
                                             void *pc)
{
    const cudaArray *array = (const cudaArray *)object;
    const int most[] = {(int)(array->row_bytes() - size_bytes), (int)array->rows() - 1,
                        (int)array->layers() - 1};
    int at[] = {x, y, z};
    for (int k = 0; k < 3; k++) {
        if (at[k] >= 0 && at[k] <= most[k])
            continue;
        if (mode == cudaBoundaryModeTrap) /* which is told as what it is: beyond the array */
            rd_sim_accessed(array->data + array->bytes(), size_bytes, 0, pc);
        if (mode != cudaBoundaryModeClamp)
            return nullptr;
        at[k] = at[k] < 0 ? 0 : most[k];
    }
    return array->data + ((size_t)at[2] * array->rows() + (size_t)at[1]) * array->row_bytes() +
           (size_t)at[0];
}
template <class T>
RD_BARE T rd_surface_read(cudaSurfaceObject_t object, int x, int y, int z,
                          cudaSurfaceBoundaryMode mode, void *pc)
{
    const char *place = rd_surface_place(object, x, y, z, sizeof(T), mode, pc);
    T value = {};
    if (place) {
        rd_sim_accessed(place, sizeof(T), 0, pc);
        __builtin_memcpy(&value, place, sizeof value);
    }
    return value;
}
template <class T>
RD_BARE void rd_surface_write(T value, cudaSurfaceObject_t object, int x, int y, int z,
                              cudaSurfaceBoundaryMode mode, void *pc)
{
    char *place = rd_surface_place(object, x, y, z, sizeof(T), mode, pc);
    if (place) {
        rd_sim_accessed(place, sizeof(T), 1, pc);
        __builtin_memcpy(place, &value, sizeof value);
    }
}
#define RD_SURFACE(name, parameters, x, y, z)                                                      \
    template <class T>                                                                             \
    RD_BARE T name##read(cudaSurfaceObject_t object, RD_LIST parameters,                           \
                         cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                      \
    {                                                                                              \
        return rd_surface_read<T>(object, x, y, z, mode, RD_HERE_PC);                              \
    }                                                                                              \
    template <class T>                                                                             \
    RD_INLINE void name##read(T *result, cudaSurfaceObject_t object, RD_LIST parameters,           \
                              cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                 \
    {                                                                                              \
        *result = rd_surface_read<T>(object, x, y, z, mode, RD_HERE_PC);                           \
    }                                                                                              \
    template <class T>                                                                             \
    RD_BARE void name##write(T value, cudaSurfaceObject_t object, RD_LIST parameters,              \
                             cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                  \
    {                                                                                              \
        rd_surface_write<T>(value, object, x, y, z, mode, RD_HERE_PC);                             \
    }
RD_SURFACE(surf1D, (int rd_x), rd_x, 0, 0)
RD_SURFACE(surf2D, (int rd_x, int rd_y), rd_x, rd_y, 0)
RD_SURFACE(surf3D, (int rd_x, int rd_y, int rd_z), rd_x, rd_y, rd_z)
RD_SURFACE(surf2DLayered, (int rd_x, int rd_y, int rd_z), rd_x, rd_y, rd_z)
RD_SURFACE(surf1DLayered, (int rd_x, int rd_z), rd_x, 0, rd_z)
RD_SURFACE(surfCubemap, (int rd_x, int rd_y, int rd_face), rd_x, rd_y, rd_face)
RD_SURFACE(surfCubemapLayered, (int rd_x, int rd_y, int rd_face), rd_x, rd_y, rd_face)
#undef RD_SURFACE
#undef RD_LIST

#endif
