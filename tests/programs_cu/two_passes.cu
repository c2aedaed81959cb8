// SPDX-License-Identifier: MIT
// Code that differs by __CUDA_ARCH__: what a function gives the host, and what the device.
#include <cstdio>
#ifdef __CUDA_ARCH__
#define SIDE 7
#else
#define SIDE 3
#endif
#if defined(OUTSIDE) && defined(__CUDA_ARCH__)
__host__ __device__ int outside()
{
    return 1;
}
#endif
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
#else
__device__ double atomicAdd(double *a, double b)
{
    return 0;
}
#endif
__host__ __device__ int side(int x)
{
#ifdef __CUDA_ARCH__
    return x + 1;
#else
    return x + 100;
#endif
}
template <class T> __host__ __device__ constexpr T twice(T x)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
    return 2 * x;
#else
    return 3 * x;
#endif
}
__host__ __device__ int macro()
{
    return SIDE;
}
int host_only()
{
#ifdef __CUDA_ARCH__
    return -1;
#else
    return SIDE + __LINE__;
#endif
}
__global__ void k(int *a)
{
    a[0] = side(1);
    a[1] = twice(5);
    a[2] = macro();
}
struct both {
    int x;
    __host__ __device__ both(int v) : x(v)
    {
#ifndef __CUDA_ARCH__
        x = -x;
#endif
    }
};
static_assert(twice(2) == 6, "constant");
#define HERE(x) (x), __func__
int main()
{
    printf("%s %d %s\n", __PRETTY_FUNCTION__, HERE(2));
    int *d, h[3];
    cudaMalloc(&d, sizeof h);
    k<<<1, 1>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(d);
    printf("device %d %d %d host %d %d %d %d %d line %d\n", h[0], h[1], h[2], side(1), twice(5),
           macro(), host_only(), both(4).x, __LINE__);
}
