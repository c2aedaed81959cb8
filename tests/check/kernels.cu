// SPDX-License-Identifier: MIT
// Kernels for tests/test_check_*.py: what each is for, it says there.
#include <cstdio>
#include <cstdlib>

__global__ void fill(int *a, int value)
{
    a[threadIdx.x] = value;
}

__global__ void halves(float *a)
{
    a[threadIdx.x] = a[threadIdx.x] / 2;
}

__global__ void copy(const int *a, int *out)
{
    out[threadIdx.x] = a[threadIdx.x];
}

__global__ void float_sum(float *sum)
{
    atomicAdd(sum, 1.0f / (1 + threadIdx.x));
}

__global__ void int_sum(int *sum)
{
    atomicAdd(sum, (int)threadIdx.x);
}

__global__ void lost_update(int *sum)
{
    sum[0] += 1;
}

// The last thread in the order is the one that finds the count complete: only descending it is thread 0.
__global__ void last_one(int *count, int *out)
{
    if (atomicAdd(count, 1) == (int)blockDim.x - 1 && threadIdx.x == 0)
        out[64] = 1;
}

__global__ void many(int *a)
{
    a[blockDim.x] = 1;
    a[blockDim.x + 1] = 1;
    a[blockDim.x + 2] = 1;
}

__global__ void tile(int *out)
{
    __shared__ float cells[4][33];
    cells[2][1] = (float)threadIdx.x + 0.5f;
    out[threadIdx.x] = 0;
}

__global__ void grid_race(double *a)
{
    a[3] = blockIdx.y + 10 * threadIdx.y;
}

__global__ void print(int *a)
{
    printf("thread %d, \"%s\"\n", (int)threadIdx.x, "\xff");
    a[threadIdx.x] = 1;
}

__global__ void divide(int *a, int by)
{
    a[1] /= by;
}

__global__ void forever(int *a)
{
    for (unsigned k = 0;; k++)
        asm volatile("");
}

__global__ void spin(volatile int *a)
{
    while (a[0] == 0)
        ;
}

__device__ int depth(int n)
{
    volatile int here[100] = {n};
    return n == 0 ? 0 : here[0] + depth(n - 1);
}

__global__ void deep(int *a)
{
    a[0] = depth(100000000);
}

__global__ void leave(int *a)
{
    a[0] = 1;
    exit(0);
}

__global__ void stop(int *a)
{
    a[0] = 1;
    abort();
}

struct pair {
    float x;
    int y;
};

__global__ void all_kinds(char c, bool b, unsigned short s, long long l, double d, pair p, float4 v,
                          double *out)
{
    out[0] = c;
    out[1] = b;
    out[2] = s;
    out[3] = (double)l;
    out[4] = d;
    out[5] = p.x + p.y;
    out[6] = v.x + v.w;
}

enum class tiny : unsigned char { none };
__global__ void all_pointers(const char *bytes, volatile size_t *sizes, tiny *tinies, pair *pairs,
                             const void *any, bool *flags, float **rows)
{
}

__global__ void allocates(int *got)
{
    void *p = malloc(1 << 20);
    *got = p != NULL;
    free(p);
}

__global__ void takes_all(int *got)
{
    *got = 0;
    for (int k = 0; k < 3; k++) {
        char *all = new char[16];
        *got += all && !malloc(1);
        delete[] all;
    }
}

__global__ void wild(int *a)
{
    a[1ull << 40] = 1;
}

__global__ void over(int *a)
{
    a[0] = 1;
}

__global__ void over(float *a)
{
    a[0] = 2;
}

template <class T> __global__ void made(T *a)
{
    a[0] = 3;
}

namespace inner
{
__global__ void nested(int *a)
{
    a[0] = NESTED;
}
} // namespace inner

__global__ void nothing()
{
}

int main()
{
    int *a = 0;
    fill<<<1, 1>>>(a, 1);
    return 0;
}

// What depends on the order is on the device heap, or is printed, and not in a buffer.
__device__ int id(int x)
{
    return x;
}
struct heap_block {
    int value, *pointer, (*function)(int);
    heap_block *next;
};
__device__ heap_block *heap_list;
__global__ void leaves_heap(int *out, int how)
{
    heap_block *mine = (heap_block *)malloc(sizeof(heap_block));
    const int ticket = atomicAdd(out, 1);
    *mine = {how == 0   ? (int)threadIdx.x
             : how == 1 ? ticket
             : ticket   ? -1
                        : (int)threadIdx.x,
             out + threadIdx.x, id, nullptr};
    if (how == 1)
        mine->pointer = (int *)(size_t)threadIdx.x;
    mine->next =
        (heap_block *)atomicExch((unsigned long long *)&heap_list, (unsigned long long)mine);
}
__global__ void leaves_some(int *out)
{
    if (atomicAdd(out, 1) + threadIdx.x == 40)
        heap_list = (heap_block *)malloc(sizeof(heap_block));
}
__device__ int last_of[4], last_of_many[2000];
__device__ heap_block last_block;
__global__ void leaves_variables(int *out, int how)
{
    const int own = (int)threadIdx.x;
    out[own] = 1;
    if (how == 0)
        atomicAdd(&last_of[2], own);
    else if (how == 1)
        atomicExch(&last_of[2], own);
    else if (how == 2)
        atomicExch(&last_of_many[1999], own);
    else if (how == 3)
        atomicExch(&last_block.value, own);
    else
        atomicExch((unsigned long long *)&heap_list, (unsigned long long)(out + own));
}
__global__ void prints(int *out, int draws)
{
    const int ticket = atomicAdd(out, 1);
    printf("%d\n", draws ? ticket + (int)threadIdx.x : (int)threadIdx.x);
}
