// SPDX-License-Identifier: MIT
// Under a small --steps: what one thread makes for Thrust and CUB is as long as it has to be, and a kernel's own thread is not.
#include <cstdio>
#include <cub/cub.cuh>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>

#include "results.hpp"

enum { N = 200000 };

__global__ void add_all(const int *from, int *sum)
{
    for (int k = 0; k < N; k++)
        *sum += from[k]; // want no-termination
}

int main()
{
    thrust::device_vector<int> d(N);
    thrust::sequence(d.begin(), d.end());
    thrust::sort(d.begin(), d.end(), thrust::greater<int>());
    check("sort", d[0] == N - 1 && d[N - 1] == 0);
    thrust::inclusive_scan(d.begin(), d.end(), d.begin(), thrust::maximum<int>());
    check("scan", d[N - 1] == N - 1);
    check("reduce", thrust::reduce(d.begin(), d.begin() + 2) == 2 * N - 2);
    int *from = thrust::raw_pointer_cast(d.data()), *sum, got;
    void *room = nullptr;
    size_t size = 0;
    cudaMalloc((void **)&sum, sizeof *sum);
    cub::DeviceReduce::Min(room, size, from, sum, N);
    cudaMalloc(&room, size);
    cub::DeviceReduce::Min(room, size, from, sum, N);
    cudaMemcpy(&got, sum, sizeof got, cudaMemcpyDeviceToHost);
    check("min", got == N - 1);
    cudaFree(room);
    add_all<<<1, 1>>>(from, sum);
    check("own kernel", cudaDeviceSynchronize() != cudaSuccess);
    return 0;
}
