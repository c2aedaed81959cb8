// SPDX-License-Identifier: MIT
// CUB and Thrust: the type that is summed in, and scans of a part of a warp. Results, each line "NAME: ok" or "NAME: WRONG"; then a mistake.
#include <cstdio>
#include <cub/cub.cuh>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/inner_product.h>
#include <thrust/reduce.h>
#include <thrust/transform_reduce.h>

#include "results.hpp"

static const int N = 300;

struct third {
    __host__ __device__ int operator()(int x) const
    {
        return x / 3;
    }
};

struct plus {
    template <class T, class U> __host__ __device__ auto operator()(T x, U y) const
    {
        return x + y;
    }
};

struct most {
    template <class T, class U> __host__ __device__ auto operator()(T x, U y) const
    {
        return x < y ? y : x;
    }
};

template <class F> static void with_storage(F call)
{
    void *room = nullptr;
    size_t size = 0;
    call(room, size);
    cudaMalloc(&room, size);
    call(room, size);
    cudaFree(room);
}

template <class T> static T at(const T *place)
{
    T value;
    cudaMemcpy(&value, place, sizeof value, cudaMemcpyDeviceToHost);
    return value;
}

static void sums_of_bytes()
{
    unsigned char *bytes;
    int *sums, *ends;
    float *f;
    cudaMalloc(&bytes, N);
    cudaMalloc(&sums, N * sizeof *sums);
    cudaMalloc(&ends, 2 * sizeof *ends);
    cudaMalloc(&f, N * sizeof *f);
    cudaMemset(bytes, 1, N);
    with_storage(
        [=](void *room, size_t &size) { cub::DeviceReduce::Sum(room, size, bytes, sums, N); });
    check("Sum of bytes", at(sums) == N);
    with_storage([=](void *room, size_t &size) {
        cub::DeviceScan::ExclusiveSum(room, size, bytes, sums, N);
    });
    check("ExclusiveSum of bytes", at(sums + N - 1) == N - 1);
    with_storage([=](void *room, size_t &size) {
        cub::DeviceScan::InclusiveSum(room, size, bytes, sums, N);
    });
    check("InclusiveSum of bytes", at(sums + N - 1) == N);
    int bounds[] = {0, N};
    cudaMemcpy(ends, bounds, sizeof bounds, cudaMemcpyHostToDevice);
    with_storage([=](void *room, size_t &size) {
        cub::DeviceSegmentedReduce::Sum(room, size, bytes, sums, 1, ends, ends + 1);
    });
    check("SegmentedReduce of bytes", at(sums) == N);
    with_storage([=](void *room, size_t &size) {
        cub::DeviceReduce::ReduceByKey(room, size, bytes, bytes, bytes, sums, ends, plus(), N);
    });
    check("ReduceByKey of bytes", at(sums) == N && at(ends) == 1);
    float halves[N];
    for (float &half : halves)
        half = .5f;
    cudaMemcpy(f, halves, sizeof halves, cudaMemcpyHostToDevice);
    with_storage([=](void *room, size_t &size) {
        cub::DeviceReduce::Reduce(room, size, f, f, N, plus(), 0);
    });
    check("Reduce of floats from an int", at(f) == N / 2);
    cudaMemcpy(f, halves, sizeof halves, cudaMemcpyHostToDevice);
    with_storage([=](void *room, size_t &size) {
        cub::DeviceReduce::Reduce(room, size, f, f, N, most(), 0);
    });
    check("Reduce of floats by Max from an int", at(f) == .5f);
    cudaMemcpy(f, halves, sizeof halves, cudaMemcpyHostToDevice);
    with_storage([=](void *room, size_t &size) {
        cub::DeviceScan::ExclusiveScan(room, size, f, f, plus(), 0, N);
    });
    check("ExclusiveScan of floats from an int", at(f + 1) == .5f);
    const float sevens[] = {.7f, .3f};
    cudaMemcpy(f, sevens, sizeof sevens, cudaMemcpyHostToDevice);
    with_storage([=](void *room, size_t &size) {
        cub::DeviceHistogram::HistogramEven(room, size, f, sums, 11, 0.f, 1.f, 2);
    });
    check("HistogramEven of floats", at(sums + 7) == 1 && at(sums + 3) == 1);
    unsigned char bytes_of[N];
    for (int k = 0; k < N; k++)
        bytes_of[k] = k % 256;
    cudaMemcpy(bytes, bytes_of, N, cudaMemcpyHostToDevice);
    cub::TransformInputIterator<float, third, unsigned char *> thirds(bytes, third());
    with_storage([=](void *room, size_t &size) {
        cub::DeviceReduce::Reduce(room, size, thirds, f, 8, plus(), .25f);
    });
    check("TransformInputIterator", at(f) == 7.25f);
    cudaFree(bytes);
    cudaFree(sums);
    cudaFree(ends);
    cudaFree(f);
}

__global__ void scans(const int *in, int *out)
{
    typedef cub::WarpScan<int, 8> Scan;
    __shared__ typename Scan::TempStorage room[4];
    const int i = threadIdx.x;
    int all, before;
    Scan(room[i / 8]).InclusiveSum(in[i], out[i]);
    Scan(room[i / 8]).ExclusiveSum(in[i], before, all);
    out[32 + i] = before;
    out[64 + i] = all;
    Scan(room[i / 8]).InclusiveScan(in[i], before, most(), all);
    out[96 + i] = all - before;
}

static void sums_of_thrust()
{
    const thrust::device_vector<float> halves(N, .5f);
    check("reduce of floats from an int",
          thrust::reduce(halves.begin(), halves.end(), 0, thrust::plus<float>()) == N / 2 &&
              thrust::reduce(halves.begin(), halves.end(), 0) == 0);
    check("transform_reduce of floats to an int",
          thrust::transform_reduce(halves.begin(), halves.end(), thrust::negate<float>(), 0,
                                   thrust::plus<float>()) == -N / 2);
    check("inner_product of floats from an int",
          thrust::inner_product(halves.begin(), halves.end(), halves.begin(), 0) == 0 &&
              thrust::inner_product(halves.begin(), halves.end(), halves.begin(), 0.f) == N / 4);
}

static void parts_of_a_warp()
{
    int h[32], r[128], *in, *out, wrong = 0;
    for (int i = 0; i < 32; i++)
        h[i] = i * 11 % 17;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof r); // want leak
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    scans<<<1, 32>>>(in, out);
    cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost);
    for (int i = 0, sum = 0, most = 0; i < 32; i++) {
        sum = i % 8 == 0 ? 0 : sum;
        wrong += r[32 + i] != sum;
        sum += h[i];
        wrong += r[i] != sum;
        most = i % 8 == 0 || h[i] > most ? h[i] : most;
        wrong += r[64 + i] != r[i | 7] || r[96 + i] < 0 || (i % 8 == 7 && r[96 + i] != 0);
    }
    check("WarpScan of 8 lanes", wrong == 0);
    cudaFree(in);
}

int main()
{
    sums_of_bytes();
    sums_of_thrust();
    parts_of_a_warp();
}
