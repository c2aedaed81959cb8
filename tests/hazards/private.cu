// SPDX-License-Identifier: MIT
// Local variables: read before they are set, accessed beyond their end, or when they are gone; and right uses of them
// that are easily taken for such.
#include <string.h>

// ---- not set ----

// run sum_not_set: --grid 1 --block 4 --arg f32[8]:iota --arg f32[4]:uninit
// want sum_not_set: uninitialised/private
// right sum_not_set: sum_set
__global__ void sum_not_set(const float *a, float *out)
{
    float sum;
    for (int k = 0; k < 8; k++)
        sum += a[k];
    out[threadIdx.x] = sum;
}

// run sum_set: --grid 1 --block 4 --arg f32[8]:iota --arg f32[4]:uninit
// want sum_set: clean
__global__ void sum_set(const float *a, float *out)
{
    float sum = 0;
    for (int k = 0; k < 8; k++)
        sum += a[k];
    out[threadIdx.x] = sum;
}

// The largest of numbers above zero is right by luck, whether it starts as zero or as less.
// run largest_not_set: --grid 2 --block 1 --arg f32[8]:plus3 --arg f32[2]:uninit
// want largest_not_set: uninitialised/private
// right largest_not_set: largest_from_first
__global__ void largest_not_set(const float *a, float *out)
{
    float largest;
    for (int k = 0; k < 8; k++)
        if (a[k] > largest)
            largest = a[k];
    out[blockIdx.x] = largest;
}

// run fmaxf_not_set: --grid 1 --block 1 --arg f32[8]:plus3 --arg f32[1]:uninit
// want fmaxf_not_set: uninitialised/private
__global__ void fmaxf_not_set(const float *a, float *out)
{
    float largest;
    for (int k = 0; k < 8; k++)
        largest = fmaxf(largest, a[k]);
    out[0] = largest;
}

// run largest_from_first: --grid 2 --block 1 --arg f32[8]:plus3 --arg f32[2]:uninit
// want largest_from_first: clean
__global__ void largest_from_first(const float *a, float *out)
{
    float largest;
    for (int k = 0; k < 8; k++)
        largest = k == 0 ? a[0] : fmaxf(largest, a[k]);
    out[blockIdx.x] = largest;
}

// run found_not_set: --grid 1 --block 32 --arg i32[32]:iota --arg i32[32]:uninit
// want found_not_set: uninitialised/private
__global__ void found_not_set(const int *a, int *out)
{
    int found;
    if (a[threadIdx.x] == 7)
        found = 1;
    out[threadIdx.x] = found ? 1 : 0;
}

// Only the last threads take the way on which it is not set.
// run set_on_one_way: --grid 2 --block 32 --arg i32[64]:uninit
// want set_on_one_way: uninitialised/private
// right set_on_one_way: set_on_both_ways
__global__ void set_on_one_way(int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, x;
    if (i < 60)
        x = 2 * i;
    out[i] = x;
}

// run set_on_both_ways: --grid 2 --block 32 --arg i32[64]:uninit
// want set_on_both_ways: clean
__global__ void set_on_both_ways(int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, x;
    if (i < 60)
        x = 2 * i;
    else
        x = -1;
    switch (i & 3) {
    case 0:
        x++;
        break;
    default:
        x--;
    }
    out[i] = x;
}

struct pair {
    int key, value;
};

// run member_not_set: --grid 1 --block 2 --arg i32[2]:uninit
// want member_not_set: uninitialised/private
__global__ void member_not_set(int *out)
{
    pair p;
    p.key = 3;
    out[threadIdx.x] = p.key + p.value;
}

// run element_not_set: --grid 1 --block 8 --arg i32[8]:uninit
// want element_not_set: uninitialised/private
// right element_not_set: elements_set
__global__ void element_not_set(int *out)
{
    int w[8];
    for (int k = 0; k < 7; k++)
        w[k] = k;
    out[threadIdx.x] = w[threadIdx.x];
}

// run elements_set: --grid 1 --block 8 --arg i32[8]:uninit
// want elements_set: clean
__global__ void elements_set(int *out)
{
    int w[16]; // its second half is never read
    for (int k = 0; k < 8; k++)
        w[k] = k;
    out[threadIdx.x] = w[threadIdx.x];
}

__device__ void add_to(int *sum, int x)
{
    *sum += x;
}

// run by_pointer_not_set: --grid 1 --block 2 --arg i32[2]:uninit
// want by_pointer_not_set: uninitialised/private
__global__ void by_pointer_not_set(int *out)
{
    int sum;
    add_to(&sum, 5);
    out[threadIdx.x] = sum;
}

__device__ void set_to(int &x, int y)
{
    x = y;
}

// run by_reference_set: --grid 1 --block 2 --arg i32[2]:uninit
// want by_reference_set: clean
__global__ void by_reference_set(int *out)
{
    int x;
    set_to(x, 5);
    out[threadIdx.x] = x;
}

// An index that is not set: where it is 0, all seems well.
// run index_not_set: --grid 1 --block 1 --arg i32[8]:iota --arg i32[1]:uninit
// want index_not_set: uninitialised/private
__global__ void index_not_set(const int *a, int *out)
{
    unsigned i;
    if (a[0] > 0)
        i = 3;
    out[0] = a[i];
}

// A variable that is set only where it is used.
// run set_where_used: --grid 1 --block 32 --arg i32[32]:uninit
// want set_where_used: clean
__global__ void set_where_used(int *out)
{
    int x;
    bool is_set = false;
    if (threadIdx.x > 16) {
        x = (int)threadIdx.x;
        is_set = true;
    }
    out[threadIdx.x] = is_set && x < 20 ? x : -1;
}

// A number that gcc would fill a variable with, but that is read.
// run like_a_fill: --grid 1 --block 2 --arg u32[2]:plus4278124286 --arg i32[2]:uninit
// want like_a_fill: clean
__global__ void like_a_fill(const unsigned *a, int *out)
{
    unsigned x = a[threadIdx.x], y = x;
    out[threadIdx.x] = x == y ? x > 5 : -1;
}

struct padded {
    char c;
    int i;
};

// Padding is copied with a struct, and holds nothing.
// run padding_copied: --grid 1 --block 4 --arg u8[32]:zero
// want padding_copied: clean
__global__ void padding_copied(padded *out)
{
    padded p, q;
    p.c = 'c';
    p.i = (int)threadIdx.x;
    q = p;
    out[threadIdx.x] = q;
}

// A struct of which a part is set is copied, and that part is read.
// run part_copied: --grid 1 --block 4 --arg i32[4]:uninit
// want part_copied: clean
__global__ void part_copied(int *out)
{
    pair p, q;
    p.key = (int)threadIdx.x;
    q = p;
    out[threadIdx.x] = q.key;
}

union bits {
    int i;
    float f;
};

// run union_read: --grid 1 --block 4 --arg f32[4]:uninit --arg f32[16]:zero
// want union_read: clean
__global__ void union_read(float *out, float4 *vectors)
{
    bits b;
    b.i = 0x3f800000;
    float4 v;
    v.x = b.f;
    v.y = v.z = v.w = 2;
    vectors[threadIdx.x] = v;
    out[threadIdx.x] = b.f;
}

// ---- beyond the end ----

__device__ int sum_of(const int *p, int n)
{
    int sum = 0;
    for (int k = 0; k < n; k++)
        sum += p[k];
    return sum;
}

// The neighbour is read.
// run one_too_far: --grid 1 --block 2 --arg i32[2]:uninit --arg 5
// want one_too_far: out-of-bounds/private
// right one_too_far: just_far_enough
__global__ void one_too_far(int *out, int n)
{
    int w[4] = {1, 2, 3, 4}, z[4] = {5, 6, 7, 8};
    out[threadIdx.x] = sum_of(w, n) + z[0];
}

// run just_far_enough: --grid 1 --block 2 --arg i32[2]:uninit --arg 4
// want just_far_enough: clean
__global__ void just_far_enough(int *out, int n)
{
    int w[4] = {1, 2, 3, 4}, z[4] = {5, 6, 7, 8};
    out[threadIdx.x] = sum_of(w, n) + z[0];
}

// By an index, whose check knows no name.
// run index_too_large: --grid 1 --block 2 --arg i32[2]:uninit
// want index_too_large: out-of-bounds/private
__global__ void index_too_large(int *out)
{
    int w[4], sum = 0;
    for (int k = 0; k < 4; k++)
        w[k] = k;
    for (int k = 0; k <= 4; k++)
        sum += w[k];
    out[threadIdx.x] = sum;
}

// The arguments that registers have no room for lie below the caller's variables, and keep its return address from what is
// written there.
__device__ void fill(float *p, int from, int to, int = 0, int = 0, int = 0, int = 0, int = 0)
{
    for (int k = from; k < to; k++)
        p[k] = (float)k;
}

// run written_below: --grid 1 --block 1 --arg f32[1]:uninit
// want written_below: out-of-bounds/private
__global__ void written_below(float *out)
{
    float w[4], z[4];
    fill(z, 0, 4);
    fill(w, -1, 4);
    out[0] = w[0] + z[0];
}

// run copied_too_far: --grid 1 --block 1 --arg i32[8]:iota --arg i32[1]:uninit --arg 20
// want copied_too_far: out-of-bounds/private
__global__ void copied_too_far(const int *a, int *out, int n)
{
    int w[4];
    memcpy(w, a, n);
    out[0] = w[3];
}

// Rows of a matrix, an array that waits at a barrier, and one of each call of a recursion.
__device__ int depth_of(int n)
{
    int v[3] = {n, n + 1, n + 2};
    return n <= 0 ? v[0] : v[n % 3] - v[0] + depth_of(n - 1);
}

// run arrays: --grid 2 --block 64 --arg i32[128]:uninit
// want arrays: clean
__global__ void arrays(int *out)
{
    __shared__ int s[64];
    int rows[3][4], t = (int)threadIdx.x;
    for (int k = 0; k < 12; k++)
        rows[k / 4][k % 4] = k + t;
    s[t] = rows[t % 3][t % 4];
    __syncthreads();
    rows[1][2] += s[63 - t];
    __syncthreads();
    s[t] = rows[1][2] + depth_of(t % 5);
    __syncthreads();
    auto at = [&](int k) { return s[k] + rows[k % 3][k % 4]; };
    out[blockIdx.x * 64 + t] = at(63 - t);
}

// ---- gone ----

__device__ int *address_of(int *p)
{
    return p;
}

__device__ int *local_of(int x)
{
    int y = x;
    return address_of(&y);
}

// run returned_address: --grid 1 --block 2 --arg i32[2]:uninit
// want returned_address: dead-frame/private
// right returned_address: callers_address
__global__ void returned_address(int *out)
{
    out[threadIdx.x] = *local_of(3);
}

// run callers_address: --grid 1 --block 2 --arg i32[2]:uninit
// want callers_address: clean
__global__ void callers_address(int *out)
{
    int y = 3;
    out[threadIdx.x] = *address_of(&y);
}

__device__ void keep(int **where, int x)
{
    int y = x;
    *where = &y;
}

// run kept_in_shared: --grid 1 --block 1 --arg i32[1]:uninit
// want kept_in_shared: dead-frame/private
__global__ void kept_in_shared(int *out)
{
    __shared__ int *p;
    keep((int **)&p, 4);
    out[0] = *p;
}

// run block_ended: --grid 1 --block 1 --arg i32[2]:uninit
// want block_ended: dead-frame/private
// taught block_ended: dead-frame/private: until its block or its function ends
__global__ void block_ended(int *out)
{
    int *p;
    {
        int x = 3;
        p = &x;
    }
    {
        int y = 4;
        out[1] = y;
    }
    out[0] = *p;
}

// ---- beside a wait for a block that comes later ----

// run not_set_behind_a_wait: --grid 2 --block 1 --arg u32[1]:zero --arg i32[2]:zero
// want not_set_behind_a_wait: uninitialised/private
__global__ void not_set_behind_a_wait(unsigned *come, int *out)
{
    int never[2];
    if (blockIdx.x == 0) {
        volatile unsigned *flag = come;
        while (*flag == 0)
            ;
        __threadfence();
    } else {
        __threadfence();
        atomicExch(come, 1);
    }
    out[blockIdx.x] = never[threadIdx.x & 1];
}
