// SPDX-License-Identifier: MIT
// Bounds, alignment, memory that holds nothing yet.
#include <string.h>

// run unguarded: --grid 2 --block 32 --arg i32[50]:iota
// want unguarded: out-of-bounds/global
// taught unguarded: out-of-bounds/global: if (i < n)
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

// run one_before: --grid 1 --block 4 --arg i32[4]:iota --arg i32[4]:zero
// want one_before: out-of-bounds
// taught one_before: out-of-bounds/global: An array begins at 0
// right one_before: guarded
__global__ void one_before(int *a, int *out)
{
    out[threadIdx.x] = a[(int)threadIdx.x - 1];
}

// run far_away: --grid 1 --block 1 --arg i32[4]:iota
// want far_away: out-of-bounds
// right far_away: guarded
__global__ void far_away(int *a)
{
    a[1ull << 40] = 1;
}

// run shared_overrun: --grid 1 --block 65 --arg i32[65]:iota
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

// run shared_last: --grid 1 --block 64 --arg i32[65]:iota
// want shared_last: clean
__global__ void shared_last(int *a)
{
    __shared__ int first[64];
    __shared__ int second[64];
    first[63 - threadIdx.x] = a[threadIdx.x];
    second[threadIdx.x] = 0;
}

// run by_pointer: --grid 1 --block 33 --arg i32[33]:iota
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

// run dynamic_too_small: --grid 1 --block 32 --shared 64 --arg f32[32]:iota
// want dynamic_too_small: out-of-bounds/shared
// taught dynamic_too_small: out-of-bounds/shared: third place of <<<...>>>
// right dynamic_too_small: dynamic_fits
__global__ void dynamic_too_small(float *a)
{
    extern __shared__ float d[];
    d[threadIdx.x] = a[threadIdx.x];
}

// run dynamic_fits: --grid 1 --block 32 --shared 128 --arg f32[32]:iota
// want dynamic_fits: clean
__global__ void dynamic_fits(float *a)
{
    extern __shared__ float d[];
    d[threadIdx.x] = a[threadIdx.x];
}

// run null: --grid 1 --block 1 --arg 0
// want null: out-of-bounds
__global__ void null(int *a)
{
    *a = 1;
}

// run skewed: --grid 1 --block 1 --arg u8[16]:zero
// want skewed: misaligned
__global__ void skewed(unsigned char *a)
{
    *(volatile int *)(a + 2) = 1;
}

// run vector_skewed: --grid 1 --block 1 --arg f32[16]:zero
// want vector_skewed: misaligned
// right vector_skewed: vector_straight
__global__ void vector_skewed(float *a)
{
    float4 v = *(float4 *)(a + 1);
    a[8] = v.x + v.y + v.z + v.w;
}

// A copy: the processor that simulates may refuse the access as well.
// run vector_copied: --grid 1 --block 2 --arg f32[16]:zero
// want vector_copied: misaligned
// right vector_copied: vector_straight
__global__ void vector_copied(float *a)
{
    if (threadIdx.x == 0)
        ((float4 *)(a + 1))[0] = ((float4 *)a)[2];
    __syncthreads();
    a[threadIdx.x] = 1;
}

// Misaligned accesses to an object whose place the compiler knows.
__device__ char module_bytes[16];

// run known_shared: --grid 1 --block 1 --arg i32[1]:zero
// want known_shared: misaligned/shared
// right known_shared: known_straight
__global__ void known_shared(int *a)
{
    __shared__ char s[16];
    *(int *)(s + 1) = 1;
    a[0] = s[1];
}

// run known_module: --grid 1 --block 1 --arg i32[1]:zero
// want known_module: misaligned/global
// right known_module: known_straight
__global__ void known_module(int *a)
{
    *(short *)(module_bytes + 3) = 1;
    a[0] = module_bytes[3];
}

// run known_straight: --grid 1 --block 1 --arg i32[1]:zero
// want known_straight: clean
__global__ void known_straight(int *a)
{
    __shared__ __align__(8) char s[16];
    *(long long *)(s + 8) = 1;
    *(short *)(module_bytes + 2) = 1;
    a[0] = s[8] + module_bytes[2];
}

// Objects that need no alignment: read byte by byte, or float by float.
struct __attribute__((packed)) packed {
    char c;
    int i;
};
struct couple {
    float first, second;
};

// run packed_anywhere: --grid 1 --block 2 --shared 20 --arg u8[20]:zero --arg f32[4]:zero
// want packed_anywhere: clean
__global__ void packed_anywhere(packed *p, couple *q)
{
    extern __shared__ char carved[];
    couple *s = (couple *)(carved + blockDim.x * 2);
    p[threadIdx.x].i = 7;
    p[threadIdx.x + 2] = p[threadIdx.x];
    s[threadIdx.x] = q[threadIdx.x];
    q[threadIdx.x] = s[threadIdx.x];
}

// run vector_straight: --grid 1 --block 1 --arg f32[16]:zero
// want vector_straight: clean
__global__ void vector_straight(float *a)
{
    float4 v = *(float4 *)(a + 4);
    a[8] = v.x + v.y + v.z + v.w;
}

// run fresh_global: --grid 1 --block 4 --arg i32[4]:uninit --arg i32[4]:zero
// want fresh_global: uninitialised/global
// taught fresh_global: uninitialised/global: cudaMemset
// right fresh_global: written_global
__global__ void fresh_global(int *a, int *out)
{
    out[threadIdx.x] = a[threadIdx.x];
}

// run written_global: --grid 1 --block 4 --arg i32[4]:uninit --arg i32[4]:zero
// want written_global: clean
__global__ void written_global(int *a, int *out)
{
    a[threadIdx.x] = 1;
    out[threadIdx.x] = a[threadIdx.x];
}

// Shared memory starts anew in each block.
// run fresh_shared: --grid 2 --block 4 --arg i32[8]:zero
// want fresh_shared: uninitialised/shared
// taught fresh_shared: uninitialised/shared: with __syncthreads() between
// right fresh_shared: shared_last
__global__ void fresh_shared(int *out)
{
    __shared__ int s[4];
    if (blockIdx.x == 0)
        s[threadIdx.x] = 1;
    __syncthreads();
    out[blockIdx.x * 4 + threadIdx.x] = s[threadIdx.x];
}

// run half_initialised: --grid 1 --block 1 --arg u8[8]:uninit --arg i32[1]:zero
// want half_initialised: uninitialised
__global__ void half_initialised(unsigned char *a, int *out)
{
    a[0] = a[1] = a[2] = 1;
    out[0] = *(int *)a;
}

// run last_odd_byte: --grid 1 --block 7 --arg u8[7]:iota
// want last_odd_byte: clean
__global__ void last_odd_byte(unsigned char *a)
{
    a[threadIdx.x] += 1;
}

// run word_over_the_end: --grid 1 --block 1 --arg u8[7]:iota --arg i32[1]:zero
// want word_over_the_end: out-of-bounds
// right word_over_the_end: last_odd_byte
__global__ void word_over_the_end(unsigned char *a, int *out)
{
    out[0] = *(int *)(a + 4);
}

// run copies: --grid 1 --block 1 --arg u8[100]:iota --arg u8[100]:uninit
// want copies: clean
__global__ void copies(unsigned char *a, unsigned char *b)
{
    memcpy(b, a, 64);
    memset(b + 64, 0, 36);
    a[99] = b[63] + b[99];
}

// run local_array: --grid 1 --block 3 --arg i32[3]:iota
// want local_array: clean
__global__ void local_array(int *a)
{
    volatile int local[100];
    for (int k = 0; k < 100; k++)
        local[k] = k;
    a[threadIdx.x] = local[a[threadIdx.x]];
}

// run recursion: --grid 1 --block 2 --arg i32[2]:iota
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

// run too_deep: --grid 1 --block 2 --arg i32[2]:iota
// want too_deep: out-of-bounds
// right too_deep: recursion
__global__ void too_deep(int *a)
{
    a[threadIdx.x] = sum_up_to(100000000);
}

// Frames as large as a thread's local memory may be; and larger, however far beyond they reach.
template <int N> __device__ int large_frame(int k)
{
    volatile char x[N];
    x[k] = 1;
    x[N - 1 - k] = 2;
    return x[k] + x[N - 1 - k];
}

// run frame_of_500_kb: --grid 2 --block 40 --arg i32[40]:zero --arg 3
// want frame_of_500_kb: clean
__global__ void frame_of_500_kb(int *a, int k)
{
    int sum = large_frame<500000>(k);
    __syncthreads();
    if (blockIdx.x == 0)
        a[threadIdx.x] = sum + large_frame<400000>(k);
}

// nvcc takes no frame of 2 MB: it sees a small one.
#ifndef FRAME
#define FRAME 1000
#endif
// run frame_of_2_mb: -DFRAME=2000000 --grid 2 --block 40 --arg i32[40]:zero --arg 3
// want frame_of_2_mb: out-of-bounds
__global__ void frame_of_2_mb(int *a, int k)
{
    a[threadIdx.x] = large_frame<FRAME>(k);
}

// run frames_between_barriers: --grid 1 --block 64 --arg i32[64]:iota --arg 20
// want frames_between_barriers: clean
__device__ int summed_at_depth(volatile int *s, int depth)
{
    volatile int kept[200];
    kept[0] = s[threadIdx.x];
    __syncthreads();
    return depth == 0 ? kept[0] : kept[0] + summed_at_depth(s, depth - 1);
}
__global__ void frames_between_barriers(int *a, int depth)
{
    a[threadIdx.x] = summed_at_depth(a, depth);
}

// A pointer that stands in a struct, to nothing.
struct view {
    int *cells;
    long long n;
};

// run through_null: --grid 1 --block 4 --arg 0x00000000000000000400000000000000 --arg i32[4]:zero
// want through_null: out-of-bounds
__global__ void through_null(view v, int *out)
{
    if (threadIdx.x < v.n)
        out[threadIdx.x] = v.cells[threadIdx.x];
}

// run through_nonsense: --grid 1 --block 4 --arg 0xf0ffffffffffffff0400000000000000 --arg i32[4]:zero
// want through_nonsense: out-of-bounds
__global__ void through_nonsense(view v, int *out)
{
    v.cells[-4] = out[threadIdx.x];
}

// run through_nobody: --grid 1 --block 4 --arg 0x00000000000000000000000000000000 --arg i32[4]:zero
// want through_nobody: clean
__global__ void through_nobody(view v, int *out)
{
    if (threadIdx.x < v.n)
        out[threadIdx.x] = v.cells[threadIdx.x];
}

// Another thread's variable: each thread's are its own. What comes of it, is no fault of the barrier's.
// run variable_of_another: --grid 1 --block 4 --arg u64[1]:zero --arg i32[4]:zero
// want variable_of_another: out-of-bounds
__global__ void variable_of_another(int **place, int *out)
{
    int mine = threadIdx.x;
    if (threadIdx.x == 0)
        *place = &mine;
    __syncthreads();
    out[threadIdx.x] = **place;
    __syncthreads();
}

// A range of bytes at the null pointer, by the first thread of all.
// run copies_to_null: --grid 1 --block 2 --arg 0 --arg u8[18]:iota
// want copies_to_null: out-of-bounds
__global__ void copies_to_null(unsigned char *a, const unsigned char *b)
{
    memcpy(a, b + threadIdx.x, 3);
}

// An access that goes too far still accesses its part within bounds.
// run copies_one_more: --grid 1 --block 2 --arg u8[6]:one --arg u8[6]:uninit
// want copies_one_more: out-of-bounds/global, race/warp
__global__ void copies_one_more(const unsigned char *a, unsigned char *b)
{
    memcpy(b + 3 * threadIdx.x, a + 3 * threadIdx.x, 4);
}

// run copies_each: --grid 1 --block 2 --arg u8[6]:one --arg u8[6]:uninit
// want copies_each: clean
__global__ void copies_each(const unsigned char *a, unsigned char *b)
{
    memcpy(b + 3 * threadIdx.x, a + 3 * threadIdx.x, 3);
}

// A read before another thread's write is a race, and that alone.
// run read_too_early: --grid 2 --block 64 --arg i32[128]:uninit
// want read_too_early: race/read-write
__global__ void read_too_early(int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    out[blockIdx.x * 64 + threadIdx.x] = s[(threadIdx.x + 1) % 64];
}

// run read_of_another_block: --grid 4 --block 64 --arg i32[256]:uninit --arg i32[256]:uninit
// want read_of_another_block: race/read-write/grid
__global__ void read_of_another_block(int *a, int *out)
{
    unsigned i = blockIdx.x * 64 + threadIdx.x;
    a[i] = i;
    out[i] = a[255 - i];
}

// The last thread's neighbour is nobody's.
// run also_never_written: --grid 1 --block 64 --arg i32[64]:uninit
// want also_never_written: race/read-write, uninitialised/shared
__global__ void also_never_written(int *out)
{
    __shared__ int s[65];
    s[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = s[threadIdx.x + 1];
}

// Its own cell each thread reads too early itself.
// run also_its_own: --grid 1 --block 64 --arg i32[64]:uninit
// want also_its_own: race/read-write, uninitialised/shared
__global__ void also_its_own(int *out)
{
    __shared__ int s[64];
    int own = s[threadIdx.x] + s[threadIdx.x ^ 1];
    s[threadIdx.x] = own;
    out[threadIdx.x] = own;
}

// A barrier stands between that read and the write, which races with a later one.
// run also_before_the_barrier: --grid 1 --block 64 --arg i32[64]:uninit
// want also_before_the_barrier: race/read-write, uninitialised/shared
__global__ void also_before_the_barrier(int *out)
{
    __shared__ int s[64];
    int other = s[63 - threadIdx.x];
    __syncthreads();
    other += s[63 - threadIdx.x];
    s[threadIdx.x] = other;
    out[threadIdx.x] = other;
}
