// SPDX-License-Identifier: MIT
// Pointers to no device memory, the edges of a launch and of a stack, and other places where a kernel that is nearly
// right is wrong.
#include <string.h>

// ---- what a pointer may point to ----

// run device_memory: --grid 1 --block 32 --arg i32[32]:iota --arg i32[32]:uninit
// want device_memory: clean
// run host_memory: --grid 1 --block 32 --arg host:i32[32]:iota --arg i32[32]:uninit
// want host_memory: out-of-bounds/stray
// taught host_memory: out-of-bounds/stray: pass it pointers to that
// right host_memory: device_memory
// run freed_memory: --grid 1 --block 32 --arg freed:i32[32]:iota --arg i32[32]:uninit
// want freed_memory: out-of-bounds/stray
// taught freed_memory: out-of-bounds/stray: Once it is freed
// right freed_memory: device_memory
// run to_the_host: --grid 1 --block 32 --arg i32[32]:iota --arg host:i32[32]:uninit
// want to_the_host: out-of-bounds/stray
// right to_the_host: device_memory
#define COPIES(name)                                                                                                  \
    __global__ void name(const int *from, int *to)                                                                    \
    {                                                                                                                  \
        to[threadIdx.x] = from[threadIdx.x];                                                                           \
    }
COPIES(device_memory)
COPIES(host_memory)
COPIES(freed_memory)
COPIES(to_the_host)

// ---- aligned ----

// run shared_skewed: --grid 1 --block 1 --arg i32[2]:zero
// want shared_skewed: misaligned/shared
// taught shared_skewed: misaligned/shared: __align__(16)
// right shared_skewed: shared_straight
__global__ void shared_skewed(int *out)
{
    __shared__ __align__(16) unsigned char bytes[16];
    memset(bytes, 1, sizeof bytes);
    out[0] = *(volatile int *)(bytes + 6 * blockDim.x);
}

// run shared_straight: --grid 1 --block 1 --arg i32[2]:zero
// want shared_straight: clean
__global__ void shared_straight(int *out)
{
    __shared__ __align__(16) unsigned char bytes[16];
    memset(bytes, 1, sizeof bytes);
    out[0] = *(volatile int *)(bytes + 4 * blockDim.x);
}

// run pairs_skewed: --grid 1 --block 31 --arg f64[64]:iota
// want pairs_skewed: misaligned/global
// taught pairs_skewed: misaligned/global: check the offset
// right pairs_skewed: pairs_straight
__global__ void pairs_skewed(double *a)
{
    double2 v = *(double2 *)(a + 1 + 2 * threadIdx.x);
    a[2 * threadIdx.x + 1] = v.x + v.y;
}

// run pairs_straight: --grid 1 --block 31 --arg f64[64]:iota
// want pairs_straight: clean
__global__ void pairs_straight(double *a)
{
    double2 v = *(double2 *)(a + 2 * threadIdx.x);
    a[2 * threadIdx.x + 1] = v.x + v.y;
}

// ---- copies of bytes ----

// run set_overlaps: --grid 1 --block 33 --arg u8[264]:iota
// want set_overlaps: race/write-write
// right set_overlaps: set_in_parts
__global__ void set_overlaps(unsigned char *a)
{
    memset(a + 8 * threadIdx.x - (threadIdx.x > 0), (int)threadIdx.x + 1, 8);
}

// run set_in_parts: --grid 1 --block 33 --arg u8[264]:iota
// want set_in_parts: clean
__global__ void set_in_parts(unsigned char *a)
{
    memset(a + 8 * threadIdx.x, (int)threadIdx.x + 1, 8);
}

struct wide {
    int head;
    double body[5];
    char tail;
};

// run struct_to_neighbour: --grid 1 --block 2 --arg u8[168]:zero
// want struct_to_neighbour: race/read-write
// right struct_to_neighbour: struct_to_its_own
__global__ void struct_to_neighbour(wide *all)
{
    all[threadIdx.x] = all[threadIdx.x + 1];
}

// run struct_to_its_own: --grid 1 --block 1 --arg u8[112]:zero
// want struct_to_its_own: clean
__global__ void struct_to_its_own(wide *all)
{
    all[threadIdx.x] = all[threadIdx.x + 1];
}

// A read of eight bytes, of which another thread writes the last.
// run long_over_a_byte: --grid 1 --block 2 --arg u64[2]:zero
// want long_over_a_byte: race/read-write/warp
// right long_over_a_byte: long_beside_a_byte
__global__ void long_over_a_byte(unsigned long long *a)
{
    if (threadIdx.x == 0)
        a[1] = a[0];
    else
        ((unsigned char *)a)[7] = 1;
}

// run long_beside_a_byte: --grid 1 --block 2 --arg u64[3]:zero
// want long_beside_a_byte: clean
__global__ void long_beside_a_byte(unsigned long long *a)
{
    if (threadIdx.x == 0)
        a[1] = a[0];
    else
        ((unsigned char *)a)[16] = 1;
}

// ---- barriers ----

// All threads meet five times, at one line, and no two warps in the same turn of the loop.
// run turns_apart: --grid 1 --block 96 --arg i32[96]:zero
// want turns_apart: clean
__global__ void turns_apart(int *a)
{
    unsigned warp = threadIdx.x / 32;
    for (unsigned k = 0; k < 7; k++) {
        if (k < warp || k >= warp + 5)
            continue;
        a[(threadIdx.x + 32 * (k - warp)) % 96] += 1;
        __syncthreads();
    }
}

// As many turns, of which one warp leaves out one more.
// run turns_left_out: --grid 1 --block 96 --arg i32[96]:zero
// want turns_left_out: barrier-divergence
// right turns_left_out: turns_apart
__global__ void turns_left_out(int *a)
{
    unsigned warp = threadIdx.x / 32;
    for (unsigned k = 0; k < 7; k++) {
        if (k < warp || k >= warp + 5 - (warp == 1))
            continue;
        a[(threadIdx.x + 32 * (k - warp)) % 96] += 1;
        __syncthreads();
    }
}

// The barrier that some meet in a loop, and others behind it.
// run loop_and_behind: --grid 1 --block 64 --arg i32[64]:zero
// want loop_and_behind: barrier-divergence
// right loop_and_behind: all_in_the_loop
__global__ void loop_and_behind(int *a)
{
    for (unsigned k = 0; k < 3; k++) {
        if (k == 2 && threadIdx.x >= 32)
            break;
        a[threadIdx.x] += 1;
        __syncthreads();
    }
    a[threadIdx.x] += 2;
    if (threadIdx.x >= 32)
        __syncthreads();
}

// run all_in_the_loop: --grid 1 --block 64 --arg i32[64]:zero
// want all_in_the_loop: clean
__global__ void all_in_the_loop(int *a)
{
    for (unsigned k = 0; k < 3; k++) {
        if (k < 2 || threadIdx.x < 32)
            a[threadIdx.x] += 1;
        __syncthreads();
    }
    a[threadIdx.x] += 2;
}

// 1024 threads in three dimensions: who stands in the last row leaves.
// run cube_loses_a_row: --grid 1 --block 8,16,8 --arg i32[1024]:zero
// want cube_loses_a_row: barrier-skipped-by-exit
// right cube_loses_a_row: cube
__global__ void cube_loses_a_row(int *a)
{
    unsigned i = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    if (threadIdx.y == 15)
        return;
    a[i] = 1;
    __syncthreads();
    a[i] += 1;
}

// run cube: --grid 1 --block 8,16,8 --arg i32[1024]:zero
// want cube: clean
__global__ void cube(int *a)
{
    unsigned i = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    a[i] = (int)threadIdx.z;
    __syncthreads();
    int above = a[(i + 128) % 1024];
    __syncthreads();
    a[i] = above;
}

// An index that leaves out a dimension.
// run cube_flat: --grid 1 --block 8,16,8 --arg i32[1024]:zero
// want cube_flat: race/write-write
// right cube_flat: cube
__global__ void cube_flat(int *a)
{
    a[threadIdx.x + blockDim.x * threadIdx.y] = (int)threadIdx.z;
}

// ---- launches ----

// run one_thread_too_many: --grid 1 --block 1025 --arg i32[1025]:zero
// want one_thread_too_many: illegal-launch
// taught one_thread_too_many: illegal-launch: keep to its limits
// right one_thread_too_many: all_threads
__global__ void one_thread_too_many(int *a)
{
    a[threadIdx.x] = 1;
}

// run all_threads: --grid 1 --block 1024 --arg i32[1024]:zero
// want all_threads: clean
__global__ void all_threads(int *a)
{
    a[threadIdx.x] = 1;
}

// ---- stacks ----

__device__ int large(int n)
{
    volatile char cells[256 * 1024];
    cells[0] = (char)n;
    cells[sizeof cells - 1] = (char)n;
    return cells[0] + (n > 0 ? large(n - 1) : 0);
}

// Frames larger than any guard of a page or two.
// run large_frames: --grid 1 --block 33 --arg i32[33]:zero
// want large_frames: out-of-bounds
// taught large_frames: out-of-bounds/stray: large arrays in global memory
// right large_frames: large_frame
__global__ void large_frames(int *a)
{
    a[threadIdx.x] = large(100000);
}

// run large_frame: --grid 1 --block 33 --arg i32[33]:zero
// want large_frame: clean
__global__ void large_frame(int *a)
{
    volatile int cells[1000];
    for (int k = 0; k < 1000; k++)
        cells[k] = k;
    a[threadIdx.x] = cells[threadIdx.x];
}

// More threads than the kernel says that it is compiled for.
constexpr unsigned BOUND = 64;

// run beyond_its_bound: --grid 1 --block 13,5 --arg i32[65]:zero
// want beyond_its_bound: illegal-launch
// right beyond_its_bound: at_its_bound
__global__ void __launch_bounds__(BOUND) beyond_its_bound(int *a)
{
    a[threadIdx.y * 13 + threadIdx.x] = 1;
}

// run at_its_bound: --grid 1 --block 16,4 --arg i32[64]:zero
// want at_its_bound: clean
__launch_bounds__(BOUND) __global__ void at_its_bound(int *a)
{
    a[threadIdx.y * 16 + threadIdx.x] = 1;
}

template <class T, unsigned N> __global__ void __launch_bounds__(N *sizeof(T), 2) of_template(T *a)
{
    a[threadIdx.x] = 1;
}

// run of_template<int,16>: --grid 1 --block 65 --arg i32[65]:zero
// want of_template<int,16>: illegal-launch
// right of_template<int,16>: of_template<int,32>

// run of_template<int,32>: --grid 1 --block 65 --arg i32[65]:zero
// want of_template<int,32>: clean

// A kernel without launch bounds, behind one that has them.
// run behind_a_bound: --grid 1 --block 1024 --arg i32[1024]:zero
// want behind_a_bound: clean
__global__ void behind_a_bound(int *a)
{
    a[threadIdx.x] = 1;
}
