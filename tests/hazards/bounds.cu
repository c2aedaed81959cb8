// SPDX-License-Identifier: MIT
// Bounds, alignment, memory that holds nothing yet.
#include <string.h>

// run unguarded: --grid 2 --block 32 --arg i32[50]:iota
// want unguarded: out-of-bounds/global
// right unguarded: guarded
__global__ void unguarded(int *a)
{
    a[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}

// run guarded: --grid 2 --block 32 --arg i32[50]:iota --arg 50
// want guarded: clean
__global__ void guarded(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] += 1;
}

// run one_before: --block 4 --arg i32[4]:iota --arg i32[4]:zero
// want one_before: out-of-bounds
// right one_before: guarded
__global__ void one_before(int *a, int *out)
{
    out[threadIdx.x] = a[(int)threadIdx.x - 1];
}

// run far_away: --block 1 --arg i32[4]:iota
// want far_away: out-of-bounds
// right far_away: guarded
__global__ void far_away(int *a)
{
    a[1ull << 40] = 1;
}

// run shared_overrun: --block 65 --arg i32[65]:iota
// want shared_overrun: out-of-bounds/shared
// right shared_overrun: shared_last
__global__ void shared_overrun(int *a)
{
    __shared__ int first[64];
    __shared__ int second[64];
    if (threadIdx.x < 64)
        second[threadIdx.x] = 0;
    first[threadIdx.x] = a[threadIdx.x];
}

// run shared_last: --block 64 --arg i32[65]:iota
// want shared_last: clean
__global__ void shared_last(int *a)
{
    __shared__ int first[64];
    __shared__ int second[64];
    first[63 - threadIdx.x] = a[threadIdx.x];
    second[threadIdx.x] = 0;
}

// run by_pointer: --block 33 --arg i32[33]:iota
// want by_pointer: out-of-bounds/shared
// right by_pointer: shared_last
__device__ void put(int *p, int value)
{
    *p = value;
}
__global__ void by_pointer(int *a)
{
    __shared__ int s[32];
    put(s + threadIdx.x, a[threadIdx.x]);
}

// run dynamic_too_small: --block 32 --shared 64 --arg f32[32]:iota
// want dynamic_too_small: out-of-bounds/shared
// right dynamic_too_small: dynamic_fits
__global__ void dynamic_too_small(float *a)
{
    extern __shared__ float d[];
    d[threadIdx.x] = a[threadIdx.x];
}

// run dynamic_fits: --block 32 --shared 128 --arg f32[32]:iota
// want dynamic_fits: clean
__global__ void dynamic_fits(float *a)
{
    extern __shared__ float d[];
    d[threadIdx.x] = a[threadIdx.x];
}

// run null: --block 1 --arg 0
// want null: out-of-bounds
__global__ void null(int *a)
{
    *a = 1;
}

// run skewed: --block 1 --arg u8[16]:zero
// want skewed: misaligned
__global__ void skewed(unsigned char *a)
{
    *(volatile int *)(a + 2) = 1;
}

// run vector_skewed: --block 1 --arg f32[16]:zero
// want vector_skewed: misaligned
// right vector_skewed: vector_straight
__global__ void vector_skewed(float *a)
{
    float4 v = *(float4 *)(a + 1);
    a[8] = v.x + v.y + v.z + v.w;
}

// run vector_straight: --block 1 --arg f32[16]:zero
// want vector_straight: clean
__global__ void vector_straight(float *a)
{
    float4 v = *(float4 *)(a + 4);
    a[8] = v.x + v.y + v.z + v.w;
}

// run fresh_global: --block 4 --arg i32[4]:uninit --arg i32[4]:zero
// want fresh_global: uninitialised/global
// right fresh_global: written_global
__global__ void fresh_global(int *a, int *out)
{
    out[threadIdx.x] = a[threadIdx.x];
}

// run written_global: --block 4 --arg i32[4]:uninit --arg i32[4]:zero
// want written_global: clean
__global__ void written_global(int *a, int *out)
{
    a[threadIdx.x] = 1;
    out[threadIdx.x] = a[threadIdx.x];
}

// Shared memory starts anew in each block.
// run fresh_shared: --grid 2 --block 4 --arg i32[8]:zero
// want fresh_shared: uninitialised/shared
// right fresh_shared: shared_last
__global__ void fresh_shared(int *out)
{
    __shared__ int s[4];
    if (blockIdx.x == 0)
        s[threadIdx.x] = 1;
    __syncthreads();
    out[blockIdx.x * 4 + threadIdx.x] = s[threadIdx.x];
}

// run half_initialised: --block 1 --arg u8[8]:uninit --arg i32[1]:zero
// want half_initialised: uninitialised
__global__ void half_initialised(unsigned char *a, int *out)
{
    a[0] = a[1] = a[2] = 1;
    out[0] = *(int *)a;
}

// run last_odd_byte: --block 7 --arg u8[7]:iota
// want last_odd_byte: clean
__global__ void last_odd_byte(unsigned char *a)
{
    a[threadIdx.x] += 1;
}

// run word_over_the_end: --block 1 --arg u8[7]:iota --arg i32[1]:zero
// want word_over_the_end: out-of-bounds
// right word_over_the_end: last_odd_byte
__global__ void word_over_the_end(unsigned char *a, int *out)
{
    out[0] = *(int *)(a + 4);
}

// run copies: --block 1 --arg u8[100]:iota --arg u8[100]:uninit
// want copies: clean
__global__ void copies(unsigned char *a, unsigned char *b)
{
    memcpy(b, a, 64);
    memset(b + 64, 0, 36);
    a[99] = b[63] + b[99];
}

// run local_array: --block 3 --arg i32[3]:iota
// want local_array: clean
__global__ void local_array(int *a)
{
    volatile int local[100];
    for (int k = 0; k < 100; k++)
        local[k] = k;
    a[threadIdx.x] = local[a[threadIdx.x]];
}

// run recursion: --block 2 --arg i32[2]:iota
// want recursion: clean
__device__ int sum_up_to(int n)
{
    volatile int here = n;
    return n == 0 ? 0 : here + sum_up_to(n - 1);
}
__global__ void recursion(int *a)
{
    a[threadIdx.x] = sum_up_to(200);
}

// run too_deep: --block 2 --arg i32[2]:iota
// want too_deep: out-of-bounds
// right too_deep: recursion
__global__ void too_deep(int *a)
{
    a[threadIdx.x] = sum_up_to(100000000);
}
