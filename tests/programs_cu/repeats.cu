// SPDX-License-Identifier: MIT
// Launches that are made again and again, as benchmarks make them.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

enum { THREADS = 256, TIMES = 2000, FEW = 6 };

__device__ int factor = 1;
__constant__ int addend;
__managed__ int given;

// Takes so long that a launch is worth looking at.
__global__ void sum(int *out, const int *in, int rounds)
{
    int all = 0;
    for (int k = 0; k < rounds; k++)
        all += in[(threadIdx.x + k) % THREADS];
    out[threadIdx.x] = all * factor;
}
__global__ void count(int *out, const int *in, int rounds)
{
    int all = 0;
    for (int k = 0; k < rounds; k++)
        all += in[k % THREADS] - in[k % THREADS];
    out[threadIdx.x] += 1 + all;
}
__global__ void say(int *out, const int *in, int rounds)
{
    int all = 0;
    for (int k = 0; k < rounds; k++)
        all += in[k % THREADS];
    out[threadIdx.x] = all;
    if (threadIdx.x == 0)
        printf("said\n");
}
__global__ void take_clock(int *out, const int *in, int rounds)
{
    int all = 0;
    for (int k = 0; k < rounds; k++)
        all += in[k % THREADS];
    out[threadIdx.x] = (int)clock64() + 0 * all;
}
__global__ void race(int *out, const int *in, int rounds)
{
    int all = 0;
    for (int k = 0; k < rounds; k++)
        all += in[k % THREADS];
    out[0] = all + threadIdx.x; // want race
}
// Depends on what the host may change without a word.
__global__ void add(int *out, const int *in, int rounds, const int *more)
{
    int all = 0;
    for (int k = 0; k < rounds; k++)
        all += in[k % THREADS] - in[k % THREADS];
    out[threadIdx.x] = all + addend + given + *more;
}
// A hazard where another launch has left a number behind.
__global__ void trip(int *out, const int *in, int rounds, const int *more)
{
    int all = 0;
    for (int k = 0; k < rounds; k++)
        all += in[k % THREADS];
    if (*more == 1 && threadIdx.x == 0)
        out[THREADS] = all; // want out-of-bounds
}
__global__ void leave(int *out, const int *in, int rounds, int *more)
{
    int all = 0;
    for (int k = 0; k < rounds; k++)
        all += in[k % THREADS];
    if (threadIdx.x == 0)
        *more = all;
}

static int host[THREADS], *in, *out, *pinned;

static void fill(int value)
{
    for (int k = 0; k < THREADS; k++)
        host[k] = value;
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
}
static int result()
{
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    return host[THREADS - 1];
}

// Operations of one stream may overlap with those of another, also where a launch was made before in order.
static void overlap()
{
    cudaStream_t one, other;
    cudaStreamCreate(&one);
    cudaStreamCreate(&other);
    for (int k = 0; k < FEW; k++) {
        cudaMemsetAsync(out, 0, sizeof host, other);
        if (k < FEW - 1)
            cudaDeviceSynchronize();
        sum<<<1, THREADS, 0, one>>>(out, in, 2000); // want order
        cudaDeviceSynchronize();
    }
}

// Right for a while: then something differs.
static void go_wrong()
{
    fill(1);
    for (int k = 0; k < FEW; k++) {
        leave<<<1, THREADS>>>(out, in, 2000, pinned);
        if (k < FEW - 1)
            cudaDeviceSynchronize();
        host[0] = *pinned; // want read
        cudaDeviceSynchronize();
    }
    for (int k = 0; k < FEW; k++) {
        *pinned = k == FEW - 1;
        trip<<<1, THREADS>>>(out, in, 2000, pinned);
        cudaDeviceSynchronize();
    }
}

// Asserted at each round, also where none runs; `times`: launches in the last round but one. Beyond 60 rounds, inputs may come
// more often than witness values count.
static void keep_count(int n, int rounds, int times)
{
    cudaMemset(out, 0, sizeof host);
    //@ invariant for 0 <= i < 256: out[i] = k
    for (int k = 0; k < n; k++)
        for (int again = 0; again < (k == n - 2 ? times : 1); again++)
            count<<<1, THREADS>>>(out, in, rounds);
}

int main(int argc, char **argv)
{
    const bool is_faulty = argc > 1;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    fill(1);
    for (int k = 0; k < TIMES && !is_faulty; k++)
        sum<<<1, THREADS>>>(out, in, 8000);
    printf("sum: %d\n", is_faulty ? 0 : result());
    for (int value = 0; value < FEW; value++) {
        fill(value % 3);
        sum<<<1, THREADS>>>(out, in, 2000);
        printf("sum of %d: %d\n", value % 3, result());
    }
    for (int k = 0; k < FEW; k++) {
        const int now = k / 3 + 1;
        cudaMemcpyToSymbol(factor, &now, sizeof now);
        sum<<<1, THREADS>>>(out, in, 2000);
        printf("by %d: %d\n", now, result());
    }
    cudaMallocHost(&pinned, sizeof *pinned);
    for (int k = 0; k < 2 * FEW; k++) {
        const int now = k / FEW * 100;
        cudaMemcpyToSymbol(addend, &now, sizeof now);
        given = k % 3 == 0 ? 10 : 0;
        *pinned = k % 2;
        add<<<1, THREADS>>>(out, in, 2000, pinned);
        printf("all of them: %d\n", result());
    }
    for (int k = 0; k < FEW; k++)
        keep_count(3, 2000, is_faulty && k == FEW - 1 ? 2 : 1);
    keep_count(70, 1, is_faulty ? 2 : 1);
    cudaMemset(out, 0, sizeof host);
    for (int k = 0; k < FEW; k++)
        count<<<1, THREADS>>>(out, in, 2000);
    printf("counted: %d\n", result());
    for (int k = 0; k < FEW; k++)
        say<<<1, THREADS>>>(out, in, 2000);
    int last = -1, changes = 0;
    for (int k = 0; k < FEW; k++) {
        take_clock<<<1, THREADS>>>(out, in, 2000);
        changes += result() != last;
        last = host[THREADS - 1];
    }
    printf("times: %d\n", changes);
    if (is_faulty) {
        for (int k = 0; k < FEW; k++)
            race<<<1, THREADS>>>(out, in, 2000);
        overlap();
        go_wrong();
    }
    cudaFree(in);
    cudaFree(out);
    cudaFreeHost(pinned);
    return 0;
}
