// SPDX-License-Identifier: MIT
// Macros of one capital letter, before headers that have such names of their own.
#define A  1
#define B  2
#define C  3
#define D  4
#define E  5
#define F  6
#define G  7
#define H  8
#define I  9
#define J  10
#define K  11
#define M  12
#define N  13
#define O  14
#define P  15
#define R  16
#define S  17
#define T  18
#define U  19
#define W  20
#define X  21
#define T1 22
#define N2 23
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
#include <cuComplex.h>
#include <cuda/atomic>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <curand.h>
#include <curand_kernel.h>
#include <helper_cuda.h>
#include <helper_functions.h>
#include <helper_timer.h>
#include <math_constants.h>

__global__ void scale(int *p)
{
    p[threadIdx.x] = Y * (int)threadIdx.x; // Y is of the command line
}

#define SAY(...)      (std::puts(#__VA_ARGS__), __VA_ARGS__)
#define NAME          "launch"
#define SAY_TOO(call) (std::printf(NAME ": " #call "\n"), call)
#define SAY_AS(call)                                                                               \
    do {                                                                                           \
        static_assert(true, "none of " #call);                                                     \
        const char *said = "as " #call;                                                            \
        std::puts(said);                                                                           \
        call;                                                                                      \
    } while (0)

int main()
{
    int *p, a[N];
    cudaMalloc(&p, sizeof a);
    SAY(scale<<<1, N>>>(p));
    SAY_TOO((scale<<<1, N>>>(p)));
    SAY_AS((scale<<<1, N>>>(p)));
    cudaMemcpy(a, p, sizeof a, cudaMemcpyDeviceToHost);
    std::printf("%d %d\n", a[N - 1], L);
    cudaFree(p);
}
