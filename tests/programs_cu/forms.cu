// SPDX-License-Identifier: MIT
// Forms that few programs have and nvcc takes.
#include <cstdio>

template <int a, int b> __global__ void add(double *to)
{
#include "forms_locals.h"
    to[0] = a + b + third;
}

class number
{
    double value;

  public:
    __host__ __device__ number(double of) : value(of)
    {
    }

  public:
    __host__ __device__ double get() const
    {
#ifdef __CUDA_ARCH__
        return value;
#else
        return -value;
#endif
    }
};

__global__ void put(double *to)
{
    to[1] = number(5).get();
}

int main(int argc, const char *const argv[])
{
    double *to, got[2];
    cudaMalloc(&to, sizeof got);
    add            /* (of a kernel) > */
        <1, 2>     // arguments (of the template) <
        <<<1, 1>>> // and of the launch
        (to);
    put<<<1, 1>>>(to);
    cudaMemcpy(got, to, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(to);
    printf("%g %g %g %d %c\n", got[0], got[1], number(5).get(), argc, argv[1][0]);
}
