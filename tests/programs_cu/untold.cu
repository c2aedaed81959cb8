// SPDX-License-Identifier: MIT
// A mistake, or its right twin, for each argument: memory of another device, strings that kernels print, matrices of a part of a
// warp, flags between the host and a kernel.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mma.h>
using namespace nvcuda;

__device__ const char greeting[] = "hello";
__global__ void put(int *a)
{
    a[threadIdx.x] = threadIdx.x;
}
__global__ void get(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x]; // want peer
}
__global__ void print_right(const char *text)
{
    char local[4] = {'a', 'b', 0};
    printf("%s %s %s %.2s %s %d %% %5.1f %*d %p\n", "x", greeting, text, "yes", local, 1, 2.0f, 3,
           4, text);
    std::printf("plain\n");
}
__global__ void print(const char *text)
{
    printf("%s\n", text); // want string
}
__global__ void print_wrong(int kind, int x)
{
    if (kind == 0)
        printf("%d %d\n", x); // want fewer
    if (kind == 1)
        printf("%d\n", x, x); // want more
    if (kind == 2)
        printf("%f\n", x); // want float
}
__global__ void multiply(const half *a, float *c, int lanes)
{
    if ((int)threadIdx.x < lanes) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
        wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
        wmma::fill_fragment(fc, 0.0f);
        wmma::load_matrix_sync(fa, a, 16); // want matrix
        wmma::load_matrix_sync(fb, a, 16);
        wmma::mma_sync(fc, fa, fb, fc);
        wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
    }
}
__global__ void set(volatile int *flag, int *data)
{
    data[0] = 7;
    __threadfence_system();
    flag[0] = 1;
}
__global__ void set_twice(volatile int *flag)
{
    flag[0] = 1;
    flag[0] = 2;
}
__global__ void await(volatile int *flag, int *out)
{
    while (flag[0] == 0) { // want await
    }
    out[0] = 5;
}
__global__ void exchange(int *out, bool takes)
{
    __shared__ int s;
    int old = 0;
    if (threadIdx.x == 0 && takes)
        old = atomicExch(&s, 3); // want exchange
    else if (threadIdx.x == 0)
        atomicExch(&s, 3);
    __syncthreads();
    out[threadIdx.x] = s + old;
}

__global__ void add(int *held, int n)
{
    if (threadIdx.x < n)
        held[threadIdx.x] += 2; // want registered
}

int main(int argc, char **argv)
{
    const auto is = [=](const char *name) {
        bool is_said = false;
        for (int k = 1; k < argc; k++)
            is_said = is_said || strcmp(argv[k], name) == 0;
        return is_said;
    };
    int *a, *b, *data, *flag;
    char *text;
    float *c;
    cudaHostAlloc((void **)&flag, sizeof *flag, cudaHostAllocMapped);
    cudaMallocHost(&data, sizeof *data);
    cudaMalloc(&a, 256);
    cudaMalloc(&text, 8);
    cudaMalloc(&c, 4096);
    cudaMemset(c, 0, 4096);
    *flag = 0;
    volatile int *polled = flag;
    cudaMemset(text, 'a', 2);
    if (is("unset"))
        print<<<1, 1>>>(text);
    cudaMemcpy(text, is("string") ? "abcdefgh" : "ab\0\0\0\0\0", 8, cudaMemcpyHostToDevice);
    put<<<1, 64>>>(a);
    cudaDeviceSynchronize();
    if (is("printed"))
        print_right<<<1, 1>>>(text);
    if (is("string"))
        print<<<1, 1>>>(text);
    for (int kind = 0; kind < 3 && is("arguments"); kind++)
        print_wrong<<<1, 1>>>(kind, 1);
    if (is("matrix") || is("matrix-whole"))
        multiply<<<1, 32>>>((const half *)c, c + 256, is("matrix") ? 16 : 32);
    if (is("poll")) {
        set<<<1, 1>>>(flag, data);
        while (*polled == 0) {
        }
        printf("data %d\n", *data);
    }
    if (is("poll-twice")) {
        cudaDeviceSynchronize();
        *flag = 0;
        set_twice<<<1, 1>>>(flag);
        while (*polled == 0) {
        }
    }
    if (is("unpolled")) {
        set<<<1, 1>>>(flag, data);
        printf("data %d\n", *data); // want unpolled
    }
    if (is("await")) {
        await<<<1, 1>>>(flag, a);
        *polled = 1;
    }
    if (is("exchange") || is("exchange-dropped"))
        exchange<<<1, 32>>>(a, is("exchange"));
    if (is("registered") || is("registered-whole") || is("registered-twice")) {
        int *held = (int *)calloc(8, sizeof *held), *more = (int *)calloc(8, sizeof *more);
        cudaHostRegister(held, 6 * sizeof *held, 0);
        if (is("registered-twice"))
            cudaHostRegister(more, 6 * sizeof *more, 0); // want registered-twice
        add<<<1, 32>>>(held, is("registered") ? 8 : 6);
        cudaDeviceSynchronize();
        printf("held %d %d\n", held[5], held[6]);
        cudaHostUnregister(held);
        free(held);
        free(more);
    }
    if (is("peer") || is("peer-enabled")) {
        cudaSetDevice(1);
        cudaMalloc(&b, 256);
        if (is("peer-enabled"))
            cudaDeviceEnablePeerAccess(0, 0);
        get<<<1, 64>>>(b, a);
        cudaFree(b);
    }
    cudaDeviceSynchronize();
    cudaFree(a);
    cudaFree(text);
    cudaFree(c);
    cudaFreeHost(flag);
    cudaFreeHost(data);
    return 0;
}
