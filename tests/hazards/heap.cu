// SPDX-License-Identifier: MIT
// The device heap: malloc, free, new and delete in a kernel, and what is left of them.
#include <cassert>
#include <cstdlib>
#include <new>
#include <vector>

// ---- the host's side of the file has a heap of its own ----

struct table {
    std::vector<int> rows;
    int *cells;
    table() : rows(100, 7), cells(new int[32])
    {
        for (int k = 0; k < 32; k++)
            cells[k] = rows[k];
        free(malloc(100));
        delete[] cells;
        cells = (int *)calloc(32, sizeof *cells);
        cells = (int *)realloc(cells, 64 * sizeof *cells);
    }
    ~table()
    {
        free(cells);
    }
};
static table on_host; // constructed when the file is loaded

int main()
{
    int *left = new int[1000]; // the host's leaks are none of ours
    return left[0];
}

// run beside_host: --grid 1 --block 32 --arg i32[32]:iota
// want beside_host: clean
__global__ void beside_host(int *a)
{
    a[threadIdx.x]++;
}

// ---- right, and a leak ----

// run freed: --grid 2 --block 33 --arg i32[66]:iota
// want freed: clean
__global__ void freed(int *a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int *p = (int *)malloc(4 * sizeof *p);
    for (int k = 0; k < 4; k++)
        p[k] = i + k;
    a[i] = p[3];
    free(p);
}

// To a kernel cudaMalloc() and cudaFree() are malloc() and free(); the pointer may be the kernel's own, or in memory.
// run by_runtime: --grid 2 --block 33 --arg i64[66]:zero --arg i32[66]:iota
// want by_runtime: clean
// gpu by_runtime: its cells hold addresses
__global__ void by_runtime(long *cells, int *a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, *own;
    int **p = (int **)&cells[i];
    a[i] = cudaMalloc((void **)p, 4 * sizeof **p) == cudaSuccess && cudaMalloc(&own, 4) == cudaSuccess;
    **p = *own = i;
    free(*p);
    cudaFree(own);
}

// run by_runtime_leaked: --grid 1 --block 1 --arg i64[1]:zero
// want by_runtime_leaked: leak/kept
// right by_runtime_leaked: by_runtime
__global__ void by_runtime_leaked(long *cells)
{
    cudaMalloc((void **)cells, 4);
}

// run leaked: --grid 2 --block 33 --arg i32[66]:iota
// want leaked: leak/lost
// right leaked: freed
__global__ void leaked(int *a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int *p = (int *)malloc(4 * sizeof *p);
    p[3] = i;
    a[i] = p[3];
}

// run leaked_unused: --grid 1 --block 1
// want leaked_unused: leak/lost
__global__ void leaked_unused()
{
    malloc(64);
}

// run kept: --grid 1 --block 3 --arg u64[3]:zero
// want kept: leak/kept
// taught kept: leak/kept: not cudaFree
// right kept: freed
__global__ void kept(char **a)
{
    a[threadIdx.x] = new char[8];
}

__device__ struct node {
    node *next;
} *list;

// run kept_by_kept: --grid 1 --block 1
// want kept_by_kept: leak/kept
__global__ void kept_by_kept()
{
    node *last = new node{nullptr};
    list = new node{last};
}

// run one_leaks: --grid 1 --block 64
// want one_leaks: leak/lost
// taught one_leaks: leak/lost: free it behind its last use
// right one_leaks: freed
__global__ void one_leaks()
{
    void *p = malloc(threadIdx.x + 1);
    if (threadIdx.x != 37)
        free(p);
}

// ---- new and delete ----

struct pair {
    int first, second;
    __device__ pair(int i) : first(i), second(2 * i)
    {
    }
    __device__ ~pair()
    {
        first = -1;
    }
};
struct alignas(256) wide {
    int n;
};

// run with_new: --grid 1 --block 33 --arg i32[33]:zero
// want with_new: clean
__global__ void with_new(int *a)
{
    pair *one = new pair(threadIdx.x);
    int *many = new int[3]();
    wide *aligned = new wide{1};
    int *single = new int(4);
    a[threadIdx.x] = one->second + many[2] + aligned->n + *single + (int)((size_t)aligned % 256);
    delete one;
    delete[] many;
    delete aligned;
    delete single;
    delete (int *)nullptr;
    free(nullptr);
}

// run without_delete: --grid 1 --block 2
// want without_delete: leak/lost
// right without_delete: with_new
__global__ void without_delete()
{
    new pair(threadIdx.x);
}

// ---- bounds ----

// run overrun: --grid 1 --block 32
// want overrun: out-of-bounds
// taught overrun: out-of-bounds/global: multiply by the size of an element
// right overrun: to_the_end
__global__ void overrun()
{
    int *p = new int[4];
    for (int k = 0; k <= 4; k++)
        p[k] = k;
    delete[] p;
}

// run to_the_end: --grid 1 --block 32
// want to_the_end: clean
__global__ void to_the_end()
{
    int *p = new int[4];
    for (int k = 0; k < 4; k++)
        p[k] = k;
    delete[] p;
}

// run byte_overrun: --grid 1 --block 1
// want byte_overrun: out-of-bounds
// right byte_overrun: to_the_end
__global__ void byte_overrun()
{
    char *p = (char *)malloc(5);
    for (int k = 0; k < 6; k++)
        p[k] = 'a';
    free(p);
}

// run underrun: --grid 1 --block 2 --arg i32[2]:zero
// want underrun: out-of-bounds
// right underrun: to_the_end
__global__ void underrun(int *a)
{
    int *p = new int[4]();
    a[threadIdx.x] = p[-1];
    delete[] p;
}

// ---- what it holds at first ----

// run read_fresh: --grid 1 --block 4 --arg i32[4]:zero
// want read_fresh: uninitialised
// taught read_fresh: uninitialised/global: What malloc or new gives
// right read_fresh: read_written
__global__ void read_fresh(int *a)
{
    int *p = (int *)malloc(sizeof *p);
    a[threadIdx.x] = *p;
    free(p);
}

// run read_reused: --grid 1 --block 1 --arg i32[1]:zero
// want read_reused: uninitialised
// right read_reused: read_written
__global__ void read_reused(int *a)
{
    for (int k = 0; k < 3; k++) {
        int *p = (int *)malloc(4 << 20);
        if (k == 2)
            *a = p[1];
        else
            p[1] = k;
        free(p);
    }
}

// run read_written: --grid 1 --block 4 --arg i32[4]:zero
// want read_written: clean
__global__ void read_written(int *a)
{
    int *p = (int *)malloc(sizeof *p);
    *p = threadIdx.x;
    a[threadIdx.x] = *p;
    free(p);
}

// ---- after free ----

// run used_after_free: --grid 1 --block 2 --arg i32[2]:zero
// want used_after_free: out-of-bounds
// right used_after_free: freed
__global__ void used_after_free(int *a)
{
    int *p = new int(3);
    delete p;
    a[threadIdx.x] = *p;
}

// run written_after_free: --grid 1 --block 2
// want written_after_free: out-of-bounds
__global__ void written_after_free()
{
    volatile int *p = new int(3);
    delete p;
    int *q = new int(4);
    *p = 5;
    delete q;
}

// run freed_twice: --grid 1 --block 1
// want freed_twice: out-of-bounds
// right freed_twice: freed
__global__ void freed_twice()
{
    void *p = malloc(16);
    free(p);
    free(p);
}

// run freed_inside: --grid 1 --block 1
// want freed_inside: out-of-bounds, leak/lost
// taught freed_inside: out-of-bounds/global: only by its first address
__global__ void freed_inside()
{
    char *p = (char *)malloc(16);
    free(p + 4);
}

// run freed_argument: --grid 1 --block 1 --arg i32[4]:zero
// want freed_argument: out-of-bounds
__global__ void freed_argument(int *a)
{
    free(a);
}

// run freed_shared: --grid 1 --block 1
// want freed_shared: out-of-bounds
__global__ void freed_shared()
{
    __shared__ int s[4];
    s[0] = 1;
    free(s);
}

// run freed_stack: --grid 1 --block 1
// want freed_stack: out-of-bounds
__global__ void freed_stack()
{
    int x[4];
    free(x);
}

// ---- shared by a block ----

// run by_one: --grid 2 --block 64 --arg i32[128]:zero
// want by_one: clean
__global__ void by_one(int *a)
{
    __shared__ int *p;
    if (threadIdx.x == 0)
        p = (int *)malloc(blockDim.x * sizeof *p);
    __syncthreads();
    p[threadIdx.x] = threadIdx.x;
    __syncthreads();
    a[blockIdx.x * blockDim.x + threadIdx.x] = p[63 - threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0)
        free(p);
}

// The same without the barrier before it is freed: some have used it before, some will afterwards.
// run freed_too_soon: --grid 1 --block 64 --arg i32[64]:zero
// want freed_too_soon: race/read-write, out-of-bounds
// taught freed_too_soon: race/read-write/warp: behind a barrier that all who use it have passed
// right freed_too_soon: by_one
__global__ void freed_too_soon(int *a)
{
    __shared__ int *p;
    if (threadIdx.x == 0)
        p = (int *)malloc(blockDim.x * sizeof *p);
    __syncthreads();
    p[threadIdx.x] = threadIdx.x;
    __syncthreads();
    a[threadIdx.x] = p[63 - threadIdx.x];
    if (threadIdx.x == 5)
        free(p);
}

// run raced: --grid 1 --block 64
// want raced: race/write-write/block
__global__ void raced()
{
    __shared__ int *p;
    if (threadIdx.x == 0)
        p = new int;
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        *p = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0)
        delete p;
}

// Freed memory may come to another thread, with no race between them.
// run again_and_again: --grid 1 --block 32
// want again_and_again: clean
__global__ void again_and_again()
{
    for (int k = 0; k < 100; k++) {
        int *p = (int *)malloc(100000);
        p[0] = p[24999] = k;
        free(p);
    }
}

// ---- used up ----

// run used_up: --grid 1 --block 1 --arg i32[1]:zero
// want used_up: clean
__global__ void used_up(int *a)
{
    void *first = malloc(5 << 20), *second = malloc(5 << 20);
    int *third = new int[2 << 20];
    *a = first && !second && !third;
    assert(*a);
    free(first);
    second = malloc(7 << 20);
    assert(second);
    free(second);
}

// run not_tested: --grid 1 --block 9
// want not_tested: out-of-bounds
// right not_tested: used_up
__global__ void not_tested()
{
    int *p = (int *)malloc(1 << 20);
    *p = 1;
}

// A thread that was ended before its time had no chance to free anything.
// run ended: --grid 1 --block 2
// want ended: assert-failed
__global__ void ended()
{
    int *p = new int(1);
    assert(*p == 2);
    delete p;
}

// run larger_heap: --grid 1 --block 32 --heap 64M
// want larger_heap: clean
__global__ void larger_heap()
{
    int *p = (int *)malloc(1 << 20);
    *p = 1;
    __syncthreads();
    free(p);
}
