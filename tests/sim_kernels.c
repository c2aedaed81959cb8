// SPDX-License-Identifier: MIT
/* Kernels of a test, compiled as those of kernels/ are: what they do must be seen as it is written. */
#include "sim_kernels.h"

#define RD_SIM_KERNEL
#include "device/sim/api/cuda.h"

#define NAME(name) name

/* ---- arithmetic ---- */

void shift(int *a, int n)
{
    a[1] = a[0] << n;
    a[2] = a[0] >> n;
}
LAUNCHABLE(shift, int *, int)

void convert(int *a, float x)
{
    a[1] = (int)x;
    a[2] = (int)(unsigned)x;
}
LAUNCHABLE(convert, int *, float)

void divide(int *a, int by)
{
    a[1] = a[0] / by;
    a[2] = a[0] % by;
}
LAUNCHABLE(divide, int *, int)

void wrap(int *a, int by)
{
    a[1] = 0x7fffffff + by;
    a[2] = 0x7fffffff * by;
}
LAUNCHABLE(wrap, int *, int)

/* ---- accesses that the results don't need; but (void)a[i] is none, in C++ ---- */

void cancels(int *a, int i)
{
    a[0] = a[i] - a[i];
}
LAUNCHABLE(cancels, int *, int)

void cancels_by_xor(int *a, int i)
{
    a[0] = a[i] ^ a[i];
}
LAUNCHABLE(cancels_by_xor, int *, int)

void cancels_in_variables(int *a, int i)
{
    int x = a[i];
    a[0] = x - x;
}
LAUNCHABLE(cancels_in_variables, int *, int)

void times_zero(int *a, int i)
{
    a[0] = a[i] * 0;
}
LAUNCHABLE(times_zero, int *, int)

void and_zero(int *a, int i)
{
    a[0] = a[i] & 0;
}
LAUNCHABLE(and_zero, int *, int)

void sums_to_zero(int *a, int i)
{
    a[0] = a[i] + a[i] - 2 * a[i];
}
LAUNCHABLE(sums_to_zero, int *, int)

void modulo_one(int *a, int i)
{
    a[0] = a[i] % 1;
}
LAUNCHABLE(modulo_one, int *, int)

void unused_variable(int *a, int i)
{
    int x = a[i];
    (void)x;
}
LAUNCHABLE(unused_variable, int *, int)

void compares_with_itself(int *a, int i)
{
    if (a[i] == a[i])
        a[0] = 1;
}
LAUNCHABLE(compares_with_itself, int *, int)

static int second_of(const int *p, int first, int i)
{
    int second = p[i];
    (void)second;
    return first;
}

void behind_a_call(int *a, int i)
{
    a[0] = second_of(a, 1, i);
}
LAUNCHABLE(behind_a_call, int *, int)

void overwritten(int *a, int i)
{
    a[0] = a[i];
    a[0] = 5;
}
LAUNCHABLE(overwritten, int *, int)

void in_a_loop(int *a, int i)
{
    int x = 0;
    for (int k = 0; k < 4; k++)
        x = a[i];
    a[0] = x - x;
}
LAUNCHABLE(in_a_loop, int *, int)

void either_way(int *a, int i)
{
    a[0] = a[i] > 0 ? 1 : 1;
}
LAUNCHABLE(either_way, int *, int)

void written_back(int *a, int i)
{
    a[i] = a[i];
}
LAUNCHABLE(written_back, int *, int)

void written_twice(int *a, int i)
{
    a[i] = 1;
    a[i] = 2;
}
LAUNCHABLE(written_twice, int *, int)

void float_times_zero(int *a, int i)
{
    const float *f = (const float *)a;
    float x = f[i];
    a[0] = x < x;
}
LAUNCHABLE(float_times_zero, int *, int)

/* Reads a cell twice and writes it once, in the line's order. */
void reads_twice(int *a, int i)
{
    a[1] = a[i] + a[i];
}
LAUNCHABLE(reads_twice, int *, int)

void writes_twice(int *a, int i)
{
    a[i] = 1;
    a[i] = 2;
}
LAUNCHABLE(writes_twice, int *, int)

/* ---- barriers ---- */

__global__ void meets_in_a_loop(int *a, int n)
{
    for (int k = 0; k < n; k++) {
        if (threadIdx.x == 0)
            a[k] = k;
        __syncthreads();
    }
}
LAUNCHABLE(meets_in_a_loop, int *, int)

__global__ void meets_often(int *a, int n)
{
    (void)a;
    for (int k = 0; k < n; k++) {
        __syncthreads();
        __syncwarp();
    }
}
LAUNCHABLE(meets_often, int *, int)

__global__ void meets_in_branches(int *a, int n)
{
    (void)a;
    if ((int)threadIdx.x < n)
        __syncthreads();
    else
        __syncthreads();
}
LAUNCHABLE(meets_in_branches, int *, int)

/* clang-format off */
__global__ void meets_in_branches_of_a_line(int *a, int n)
{
    (void)a;
    if ((int)threadIdx.x < n) __syncthreads(); else __syncthreads();
}
/* clang-format on */
LAUNCHABLE(meets_in_branches_of_a_line, int *, int)

__device__ __attribute__((noinline)) void meet(void)
{
    __syncthreads();
}

__global__ void meets_by_one_call(int *a, int n)
{
    (void)a;
    for (int k = 0; k < n; k++)
        meet();
}
LAUNCHABLE(meets_by_one_call, int *, int)

__global__ void meets_by_two_calls(int *a, int n)
{
    (void)a;
    if ((int)threadIdx.x < n)
        meet();
    else
        meet();
}
LAUNCHABLE(meets_by_two_calls, int *, int)

/* ---- the device heap ---- */

/* Names that `check` gives malloc() and free(). */
void *__wrap_malloc(size_t size);
void __wrap_free(void *memory);

__global__ void frees_too_soon(int *a, int n)
{
    if (threadIdx.x == 0)
        *(int **)a = __wrap_malloc((size_t)n * sizeof(int));
    __syncthreads();
    int *mine = *(int **)a;
    if (threadIdx.x == 0)
        mine[n - 1] = n;
    else
        __wrap_free(mine);
}
LAUNCHABLE(frees_too_soon, int *, int)

/* ---- names ---- */

#define TEST_KERNEL(name) {#name, name##_thread},
const struct test_kernel test_kernels[] = {TEST_KERNELS(TEST_KERNEL){NULL, NULL}};
