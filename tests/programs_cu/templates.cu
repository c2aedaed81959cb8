// SPDX-License-Identifier: MIT
// Thrust and CUB: results, each line "NAME: ok" or "NAME: WRONG"; then mistakes, each of them told in the line that ends in
// "// want HAZARD".
#include <cstdio>
#include <cub/cub.cuh>
#include <cuda/std/functional>
#include <thrust/complex.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/unique.h>

#include "results.hpp"

enum { N = 1000 };

struct is_odd {
    __host__ __device__ bool operator()(const int &x) const
    {
        return x % 2 != 0;
    }
};

__global__ void twice(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] *= 2;
}

static void vectors()
{
    thrust::host_vector<int> h(N);
    for (int i = 0; i < N; i++)
        h[i] = i * 7919 % N;
    thrust::device_vector<int> d = h, order(N);
    thrust::sequence(order.begin(), order.end());
    thrust::sort_by_key(d.begin(), d.end(), order.begin(), thrust::greater<int>());
    check("sort_by_key", d[0] == N - 1 && h[order[0]] == N - 1 && h[order[N - 1]] == 0);
    thrust::sort(d.begin(), d.end());
    thrust::copy(d.begin(), d.end(), h.begin());
    bool right = true;
    for (int i = 0; i < N; i++)
        right = right && h[i] == i;
    check("sort, copy", right);
    twice<<<(N + 255) / 256, 256>>>(thrust::raw_pointer_cast(d.data()), N);
    check("reduce", thrust::reduce(d.begin(), d.end()) == N * (N - 1) &&
                        thrust::reduce(d.begin(), d.end(), 5, thrust::maximum<int>()) == 2 * N - 2);
    check("count_if", thrust::count_if(h.begin(), h.end(), is_odd()) == N / 2 &&
                          thrust::count(d.begin(), d.end(), 8) == 1);
    check("max_element", thrust::max_element(d.begin(), d.end()) - d.begin() == N - 1);
    thrust::exclusive_scan(d.begin(), d.end(), d.begin());
    check("exclusive_scan in place", d[N - 1] == (N - 1) * (N - 2));
    auto squares =
        thrust::make_transform_iterator(thrust::counting_iterator<int>(1), thrust::square<int>());
    check("fancy iterators", thrust::reduce(thrust::device, squares, squares + 10) == 385);
    thrust::device_vector<float> x(100, 2), y(100);
    thrust::sequence(y.begin(), y.end());
    using namespace thrust::placeholders;
    thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), 3.0f * _1 + _2);
    check("transform", y[99] == 105 && thrust::inner_product(x.begin(), x.end(), y.begin(), 0.0f) ==
                                           2 * (600 + 4950));
    auto both = thrust::make_zip_iterator(thrust::make_tuple(x.begin(), y.begin()));
    thrust::for_each(both, both + 100,
                     [] __device__(auto t) { thrust::get<0>(t) = thrust::get<1>(t) + 1; });
    check("zip", x[5] == 12);
    thrust::device_vector<int> kept(N);
    auto end = thrust::copy_if(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(N),
                               kept.begin(), is_odd());
    check("copy_if", end - kept.begin() == N / 2 && kept[3] == 7);
    const int keys[] = {1, 1, 2, 3, 3, 3};
    thrust::device_vector<int> of_keys(keys, keys + 6), runs(6), sums(6);
    auto ends =
        thrust::reduce_by_key(of_keys.begin(), of_keys.end(), thrust::make_constant_iterator(1),
                              runs.begin(), sums.begin());
    check("reduce_by_key", ends.first - runs.begin() == 3 && sums[2] == 3);
    auto firsts =
        thrust::unique_by_key_copy(of_keys.begin(), of_keys.end(),
                                   thrust::make_counting_iterator(10), runs.begin(), sums.begin());
    check("unique_by_key_copy", firsts.second - sums.begin() == 3 && runs[2] == 3 && sums[2] == 13);
    auto places = thrust::unique_by_key(of_keys.begin(), of_keys.end(), sums.begin());
    check("unique_by_key",
          places.first - of_keys.begin() == 3 && of_keys[1] == 2 && of_keys[2] == 3);
    const int flags[] = {0, 1, 0, 1, 1, 0};
    thrust::device_vector<int> of_flags(flags, flags + 6);
    auto last =
        thrust::copy_if(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(6),
                        of_flags.begin(), kept.begin(), cuda::std::identity());
    check("identity", last - kept.begin() == 3 && kept[2] == 4);
}

typedef cub::BlockReduce<int, 128> Reduce;

__global__ void sums(const int *in, int *out, int n)
{
    __shared__ typename Reduce::TempStorage temp;
    int i = blockIdx.x * 128 + threadIdx.x, sum = Reduce(temp).Sum(i < n ? in[i] : 0);
    __syncthreads();
    int most = Reduce(temp).Reduce(i < n ? in[i] : 0, cub::Max());
    if (threadIdx.x == 0) {
        out[2 * blockIdx.x] = sum;
        out[2 * blockIdx.x + 1] = most;
    }
}

__global__ void of_smaller_block(const int *in, int *out, int valid)
{
    __shared__ typename Reduce::TempStorage temp;
    const int most = Reduce(temp).Reduce(in[threadIdx.x], cub::Max(), valid);
    __syncthreads();
    const int beyond =
        Reduce(temp).Sum(in[threadIdx.x], valid + 1); // want shuffle-from-inactive-lane
    if (threadIdx.x == 0) {
        out[0] = most;
        out[1] = beyond;
    }
}

__global__ void without_barrier(const int *in, int *out)
{
    __shared__ typename Reduce::TempStorage temp;
    int sum = Reduce(temp).Sum(in[threadIdx.x]);
    sum += Reduce(temp).Sum(in[threadIdx.x]); // want race
    if (threadIdx.x == 0)
        *out = sum;
}

__global__ void scan(const int *in, int *out)
{
    typedef cub::BlockLoad<int, 128, 4, cub::BLOCK_LOAD_TRANSPOSE> Load;
    typedef cub::BlockScan<int, 128> Scan;
    typedef cub::BlockStore<int, 128, 4, cub::BLOCK_STORE_WARP_TRANSPOSE> Store;
    __shared__ union {
        typename Load::TempStorage load;
        typename Scan::TempStorage scan;
        typename Store::TempStorage store;
    } temp;
    int items[4], all;
    Load(temp.load).Load(in, items);
    __syncthreads();
    Scan(temp.scan).ExclusiveSum(items, items, all);
    __syncthreads();
    Store(temp.store).Store(out, items);
    if (threadIdx.x == 0)
        out[512] = all;
}

// CUB's headers bring the narrow floats.
template <class T> struct wider;
template <> struct wider<__half> {
    typedef float type;
};
template <> struct wider<nv_bfloat16> {
    typedef float type;
};

__global__ void sort(const float *in, float *keys, int *values)
{
    typedef cub::BlockRadixSort<float, 64, 2, int> Sort;
    __shared__ typename Sort::TempStorage temp;
    float key[2];
    int value[2];
    cub::LoadDirectBlocked(threadIdx.x, in, key);
    for (int k = 0; k < 2; k++)
        value[k] = 2 * threadIdx.x + k;
    Sort(temp).SortDescending(key, value);
    cub::StoreDirectBlocked(threadIdx.x, keys, key);
    cub::StoreDirectBlocked(threadIdx.x, values, value);
}

__global__ void warp_sums(const int *in, int *out)
{
    typedef cub::WarpReduce<int> WarpReduce;
    __shared__ typename WarpReduce::TempStorage temp[2];
    int warp = threadIdx.x / 32, sum = WarpReduce(temp[warp]).Sum(in[threadIdx.x]);
    if (threadIdx.x % 32 == 0)
        out[warp] = sum;
}

static void blocks()
{
    int h[N], sum = 0, most = 0, wrong = 0, *in, *out, r[1024];
    float f[128], *from, *to;
    for (int i = 0; i < N; i++)
        sum += h[i] = i * 37 % 101 - 20;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof r);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    sums<<<8, 128>>>(in, out, N);
    cudaMemcpy(r, out, 64, cudaMemcpyDeviceToHost);
    for (int b = 0; b < 8; b++) {
        sum -= r[2 * b];
        most = r[2 * b + 1] > most ? r[2 * b + 1] : most;
    }
    check("BlockReduce", sum == 0 && most == 80);
    of_smaller_block<<<1, 100>>>(in, out, 100);
    cudaMemcpy(r, out, sizeof *r, cudaMemcpyDeviceToHost);
    for (int i = most = 0; i < 100; i++)
        most = h[i] > most ? h[i] : most;
    check("BlockReduce of a smaller block", r[0] == most);
    scan<<<1, 128>>>(in, out);
    cudaMemcpy(r, out, 513 * sizeof *r, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 512; sum += h[i++])
        wrong += r[i] != sum;
    check("BlockLoad, BlockScan, BlockStore", wrong == 0 && r[512] == sum);
    for (int i = 0; i < 128; i++)
        f[i] = i * 53 % 128 - 60.5f;
    cudaMalloc(&from, sizeof f);
    cudaMalloc(&to, sizeof f);
    cudaMemcpy(from, f, sizeof f, cudaMemcpyHostToDevice);
    sort<<<1, 64>>>(from, to, out);
    float sorted[128];
    cudaMemcpy(sorted, to, sizeof f, cudaMemcpyDeviceToHost);
    cudaMemcpy(r, out, sizeof f, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 128; i++)
        wrong += sorted[i] != 66.5f - i || f[r[i]] != sorted[i];
    check("BlockRadixSort", wrong == 0);
    warp_sums<<<1, 64>>>(in, out);
    cudaMemcpy(r, out, 8, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; i++)
        r[i / 32] -= h[i];
    check("WarpReduce", r[0] == 0 && r[1] == 0);
    without_barrier<<<1, 128>>>(in, out);
    cudaFree(in);
    cudaFree(out);
    cudaFree(from);
    cudaFree(to);
}

static __global__ void rotate(thrust::complex<float> *z)
{
    z[threadIdx.x] *= thrust::complex<float>(0, 1);
    z[threadIdx.x] = 2 * conj(z[threadIdx.x]) / thrust::complex<float>(0, 2) - 1.0;
}

static void complex_numbers()
{
    thrust::device_vector<thrust::complex<float>> z(2, thrust::complex<float>(3, 4));
    rotate<<<1, 2>>>(thrust::raw_pointer_cast(z.data()));
    const thrust::complex<float> one = z[1],
                                 four = thrust::exp(thrust::log(thrust::complex<double>(4)));
    check("complex", one == thrust::complex<float>(-4, 4) && thrust::norm(one) == 32);
    check("complex functions",
          thrust::abs(four - 4.0f) < 1e-6 && thrust::abs(one / one - 1) < 1e-6);
}

static void devices()
{
    thrust::device_vector<int> in(N), out(N), count(1);
    thrust::sequence(in.begin(), in.end(), -5);
    int *from = thrust::raw_pointer_cast(in.data()), *to = thrust::raw_pointer_cast(out.data());
    void *temp = nullptr;
    size_t bytes = 0, wanted = 0;
    cub::DeviceRadixSort::SortKeysDescending(temp, bytes, from, to, N);
    cub::DeviceReduce::Sum(temp, wanted, from, to, N);
    bytes = wanted > bytes ? wanted : bytes;
    cudaMalloc(&temp, bytes);
    cub::DeviceReduce::Sum(temp, bytes, from, to, N);
    check("DeviceReduce", out[0] == N * (N - 11) / 2);
    cub::DeviceScan::InclusiveSum(temp, bytes, from, to, N);
    check("DeviceScan", out[N - 1] == N * (N - 11) / 2 && out[1] == -9);
    cub::DeviceRadixSort::SortKeysDescending(temp, bytes, from, to, N);
    check("DeviceRadixSort", out[0] == N - 6 && out[N - 1] == -5);
    cub::DeviceSelect::If(temp, bytes, from, to, thrust::raw_pointer_cast(count.data()), N,
                          is_odd());
    check("DeviceSelect", count[0] == N / 2 && out[0] == -5);
    cub::DeviceHistogram::HistogramEven(temp, bytes, from, to, 5, 0, 100, N);
    check("DeviceHistogram", out[0] == 25 && out[3] == 25);
    wanted = 1;
    check("too little storage",
          cub::DeviceReduce::Sum(temp, wanted, from, to, N) == cudaErrorInvalidValue);
    cub::DeviceReduce::Sum(temp, bytes, from, to, N + 1); // want out-of-bounds
    cudaFree(temp);
}

static void mistakes()
{
    int *raw;
    cudaMalloc(&raw, 10 * sizeof *raw);
    thrust::device_ptr<int> p(raw);
    thrust::reduce(p, p + 10); // want uninitialised
    thrust::fill(p, p + 10, 7);
    thrust::sort(p, p + 11); // want out-of-bounds
    thrust::for_each(thrust::device, thrust::counting_iterator<int>(0),
                     thrust::counting_iterator<int>(100), [=] __device__(int i) {
                         raw[i % 4] = i; // want 2 race
                     });
    thrust::transform(p, p + 5, p, [=] __device__(int x) {
        return raw[x + 10]; // want out-of-bounds
    });
    thrust::fill(raw, raw + 10, 1); // want host-access
    cudaFree(raw);
}

int main()
{
    vectors();
    blocks();
    complex_numbers();
    devices();
    mistakes();
}
