// SPDX-License-Identifier: MIT
// What NVIDIA's samples take from headers of their own, beside a file of the host's that calls a type of its own as CUDA does:
// each line "NAME: ok" or "NAME: WRONG".
#if defined(NOWHERE)
#include <GL/wglew.h>
#endif
#include <cstdio>
#include <cstring>
#include <exception.h>
#include <fstream>
#include <helper_math.h>
#include <math_constants.h>

#include "results.hpp"

extern "C" float sum_of_parts(float x, float y, float z, float w);
extern "C" float read_first(const float *from);

// A name of CUDA's, which gets another here.
static int atomicInc(int x)
{
    return x + 1;
}

__global__ void mix(float4 *a)
{
    a[0] = lerp(a[0], make_float4(1.0f), 0.5f) * 2.0f;
    a[0] += make_float4(make_float3(CUDART_SQRT_HALF_F), 1);
}

#pragma pack(push, 4)
struct packed {
    int first;
    cudaMipmappedArray_t levels;
};
#pragma pack(pop)

// As much as an image has: where the host keeps it is not aligned.
static bool has_levels()
{
    static packed images[1];
    cudaArray_t second = nullptr;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
    const bool made = cudaMallocMipmappedArray(&images[0].levels, &format, make_cudaExtent(6, 5, 0),
                                               3) == cudaSuccess;
    cudaGetMipmappedArrayLevel(&second, images[0].levels, 1);
    return made && second && cudaFreeMipmappedArray(images[0].levels) == cudaSuccess;
}

int main()
{
    float4 *a, got, from = make_float4(1, 2, 3, 4);
    cudaMalloc(&a, sizeof *a);
    cudaMemcpy(a, &from, sizeof from, cudaMemcpyHostToDevice);
    mix<<<1, 1>>>(a);
    cudaMemcpy(&got, a, sizeof got, cudaMemcpyDeviceToHost);
    check("a kernel's vectors", got.x == 2 + 0.707106781f && got.w == 6);
    const float3 z = cross(make_float3(1, 0, 0), make_float3(0, 1, 0)), n = normalize(z * 5);
    check("a cross product", z.z == 1 && z.x == 0 && length(n) == 1 && dot(z, n) == 1);
    const int3 i = clamp(make_int3(5, -5, 1), 0, 3);
    check("clamped", i.x == 3 && i.y == 0 && i.z == 1);
    const uint2 u = make_uint2(3u) + make_uint2(2, 1) * 4u;
    check("unsigned", u.x == 11 && u.y == 7);
    check("negative", (-make_int2(3, 4)).y == -4 && smoothstep(0, 1, 0.5f) == 0.5f);
    bool caught = false;
    try {
        RUNTIME_EXCEPTION("what it says");
    } catch (const std::runtime_error &error) {
        caught = strstr(error.what(), "what it says");
    }
    check("an exception", caught);
    check("a function of its own", atomicInc(1) == 2);
    cudaArray_t row;
    const cudaChannelFormatDesc of_row = cudaCreateChannelDesc<float4>();
    cudaMallocArray(&row, &of_row, 1, 2);
    check("a row without a pitch", cudaMemcpy2DToArray(row, 0, 0, &from, 0, sizeof from, 1,
                                                       cudaMemcpyHostToDevice) == cudaSuccess);
    cudaFreeArray(row);
    const char *volatile nowhere = nullptr; // as of an option that was not given
    check("a stream without a name", !std::ifstream(nowhere, std::ios::binary).is_open());
    check("levels at a misaligned address", has_levels());
    check("a file of the host's", sum_of_parts(1, 2, 3, 4) == 10);
    read_first((const float *)a);
    cudaFree(a);
}
