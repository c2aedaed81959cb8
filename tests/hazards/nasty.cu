// SPDX-License-Identifier: MIT
// Cases that a compiler or a checker easily loses. First accesses that an optimiser would leave out: each
// must be seen as written.
#include <string.h>

// A read whose value nobody wants.
// run unused_read: --grid 1 --block 64 --arg i32[65]:iota
// want unused_read: race/read-write
// right unused_read: unused_read_of_its_own
__global__ void unused_read(int *a)
{
    int next = a[threadIdx.x + 1];
    a[threadIdx.x] = (int)threadIdx.x;
}

// run unused_read_of_its_own: --grid 1 --block 64 --arg i32[65]:iota
// want unused_read_of_its_own: clean
__global__ void unused_read_of_its_own(int *a)
{
    int mine = a[threadIdx.x];
    a[threadIdx.x] = (int)threadIdx.x;
}

__device__ int first_of(const int *p)
{
    return p[0];
}

// The same behind a call without other effects.
// run unused_call: --grid 1 --block 64 --arg i32[64]:iota
// want unused_call: race/read-write
// right unused_call: used_call
__global__ void unused_call(int *a)
{
    first_of(a);
    if (threadIdx.x == 33)
        a[0] = 7;
}

// run used_call: --grid 1 --block 64 --arg i32[64]:iota --arg i32[64]:uninit
// want used_call: clean
__global__ void used_call(const int *a, int *out)
{
    out[threadIdx.x] = first_of(a);
}

// A write that the next one hides: of the two, the first is of another value.
// run hidden_write: --grid 1 --block 2 --arg i32[1]:zero
// want hidden_write: race/write-write
// right hidden_write: hidden_write_of_its_own
__global__ void hidden_write(int *a)
{
    a[0] = (int)threadIdx.x + 1;
    a[0] = 5;
}

// run hidden_write_of_its_own: --grid 1 --block 2 --arg i32[2]:zero
// want hidden_write_of_its_own: clean
__global__ void hidden_write_of_its_own(int *a)
{
    a[threadIdx.x] = (int)threadIdx.x + 1;
    a[threadIdx.x] = 5;
}

// A loop that waits for a plain variable: to be read in each turn, or it never ends.
// run plain_flag: --grid 1 --block 64 --arg i32[1]:zero
// want plain_flag: race/read-write
// right plain_flag: flag_behind_a_barrier
__global__ void plain_flag(int *flag)
{
    if (threadIdx.x == 0)
        *flag = 1;
    else
        while (*flag == 0)
            ;
}

// run flag_behind_a_barrier: --grid 1 --block 64 --arg i32[1]:zero
// want flag_behind_a_barrier: clean
__global__ void flag_behind_a_barrier(int *flag)
{
    if (threadIdx.x == 0)
        *flag = 1;
    __syncthreads();
    while (*flag == 0)
        ;
}

// A sum in memory that a register could hold until the loop's end.
// run sum_in_memory: --grid 1 --block 2 --arg i32[1]:zero --arg 9
// want sum_in_memory: race/read-write
// right sum_in_memory: sum_in_a_register
__global__ void sum_in_memory(int *sum, int n)
{
    for (int k = 0; k < n; k++)
        *sum += k;
}

// run sum_in_a_register: --grid 1 --block 2 --arg i32[2]:zero --arg 9
// want sum_in_a_register: clean
__global__ void sum_in_a_register(int *out, int n)
{
    int sum = 0;
    for (int k = 0; k < n; k++)
        sum += k;
    out[threadIdx.x] = sum;
}

// Two fields beside each other: who reads one must not be seen to read the other.
struct two {
    int x, y;
};
// run one_of_two: --grid 1 --block 64 --arg i32[2]:zero --arg i32[64]:uninit
// want one_of_two: clean
__global__ void one_of_two(two *p, int *out)
{
    int v;
    if (threadIdx.x > 0)
        v = p->x;
    else
        v = p->y;
    if (threadIdx.x == 0)
        p->y = 3;
    out[threadIdx.x] = v;
}

// run other_of_two: --grid 1 --block 64 --arg i32[2]:zero --arg i32[64]:uninit
// want other_of_two: race/read-write
// right other_of_two: one_of_two
__global__ void other_of_two(two *p, int *out)
{
    int v;
    if (threadIdx.x > 0)
        v = p->x;
    else
        v = p->y;
    if (threadIdx.x == 0)
        p->x = 3;
    out[threadIdx.x] = v;
}

// A write under a condition that nobody but thread 0 meets must not become one that writes back what it read.
// run write_under_a_condition: --grid 1 --block 64 --arg i32[1]:zero --arg i32[64]:uninit
// want write_under_a_condition: clean
__global__ void write_under_a_condition(int *a, int *out)
{
    out[threadIdx.x] = a[0];
    if (threadIdx.x > 63)
        a[0] = 1;
}

// run write_of_one: --grid 1 --block 64 --arg i32[1]:zero --arg i32[64]:uninit
// want write_of_one: race/read-write
// right write_of_one: write_under_a_condition
__global__ void write_of_one(int *a, int *out)
{
    out[threadIdx.x] = a[0];
    if (threadIdx.x == 63)
        a[0] = 1;
}

// Copies that a compiler does by itself: of odd sizes, and where the name of the function is hidden.
#define COPY(to, from, size) __builtin_memcpy(to, from, size)
// run copies_overlap: --grid 1 --block 2 --arg u8[24]:iota --arg u8[24]:zero
// want copies_overlap: race/write-write
// right copies_overlap: copies_meet
__global__ void copies_overlap(unsigned char *a, unsigned char *b)
{
    COPY(b + threadIdx.x * 6, a, 12);
}

// run copies_meet: --grid 1 --block 2 --arg u8[24]:iota --arg u8[24]:zero
// want copies_meet: clean
__global__ void copies_meet(unsigned char *a, unsigned char *b)
{
    COPY(b + threadIdx.x * 12, a, 12);
}

// run builtin_set: --grid 1 --block 2 --arg u8[24]:zero
// want builtin_set: race/same-value
__global__ void builtin_set(unsigned char *a)
{
    __builtin_memset(a + threadIdx.x, 9, 7);
}

// run copy_over_the_end: --grid 1 --block 1 --arg u8[24]:iota
// want copy_over_the_end: out-of-bounds
// right copy_over_the_end: copies_meet
__global__ void copy_over_the_end(unsigned char *a)
{
    COPY(a + 12, a, 13);
}
