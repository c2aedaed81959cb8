// SPDX-License-Identifier: MIT
// Barriers of libcu++, pipelines and asynchronous copies; `// want HAZARD` stands above the line of a finding.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cstdio>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda/std/array>
#include <cuda/std/complex>
#include <cuda_pipeline.h>
#include <utility>

namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;
enum { N = 64, BLOCKS = 4 };

// ---- right ones ----

__global__ void meets(int *out)
{
    __shared__ barrier b;
    __shared__ int tile[N];
    if (threadIdx.x == 0)
        init(&b, blockDim.x);
    __syncthreads();
    for (int k = 0; k < 3; k++) {
        tile[threadIdx.x] = (int)threadIdx.x + k;
        barrier::arrival_token token = b.arrive();
        b.wait(std::move(token));
        int x = tile[N - 1 - threadIdx.x];
        b.arrive_and_wait();
        out[threadIdx.x] = x;
    }
}

struct add_up {
    int *sum;
    __device__ void operator()() const
    {
        *sum += 1;
    }
};
__global__ void completes(int *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block, add_up> b;
    __shared__ int sum;
    if (threadIdx.x == 0) {
        sum = 0;
        init(&b, blockDim.x, add_up{&sum});
    }
    __syncthreads();
    if (threadIdx.x >= 32) {
        b.arrive_and_drop();
        return;
    }
    b.arrive_and_wait();
    b.arrive_and_wait();
    if (threadIdx.x == 0)
        out[0] = sum;
}

__global__ void counts(int *out)
{
    __shared__ cuda::latch<cuda::thread_scope_block> l;
    __shared__ cuda::binary_semaphore<cuda::thread_scope_block> s;
    __shared__ int sum;
    if (threadIdx.x == 0) {
        init(&l, blockDim.x);
        init(&s, 1);
        sum = 0;
    }
    __syncthreads();
    s.acquire();
    sum += 1;
    s.release();
    l.arrive_and_wait();
    cuda::std::array<cuda::std::complex<float>, 2> z = {{{1, 2}, {3, 4}}};
    if (threadIdx.x == 1)
        out[0] = sum + (int)(z[0] * z[1]).imag();
}

__global__ void pipes(const float *in, float *out)
{
    auto block = cg::this_thread_block();
    __shared__ float tile[2][N];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto pipe = cuda::make_pipeline(block, &state);
    float sum = 0;
    for (int k = 0, next = 0; k < BLOCKS; k++) {
        for (; next < BLOCKS && next < k + 2; next++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, tile[next % 2], in + next * N,
                               cuda::aligned_size_t<16>(sizeof tile[0]), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += tile[k % 2][N - 1 - threadIdx.x];
        pipe.consumer_release();
    }
    out[threadIdx.x] = sum;
}

// Half of the threads fill, the others use.
__global__ void divides(const float *in, float *out)
{
    auto block = cg::this_thread_block();
    __shared__ float tile[2][32];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    bool fills = threadIdx.x < 32;
    auto pipe = cuda::make_pipeline(
        block, &state, fills ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    float sum = 0;
    for (int k = 0; k < BLOCKS; k++) {
        if (fills) {
            pipe.producer_acquire();
            cuda::memcpy_async(&tile[k % 2][threadIdx.x], in + k * N + threadIdx.x, sizeof(float),
                               pipe);
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            sum += tile[k % 2][63 - threadIdx.x];
            pipe.consumer_release();
        }
    }
    if (!fills)
        out[63 - threadIdx.x] = sum;
}

// Each thread for itself.
__global__ void alone(const float *in, float *out)
{
    __shared__ float tile[2][N];
    unsigned i = threadIdx.x;
    float sum = 0;
    auto pipe = cuda::make_pipeline();
    for (int k = 0; k < BLOCKS; k++) {
        pipe.producer_acquire();
        cuda::memcpy_async(&tile[0][i], in + k * N + i, sizeof(float), pipe);
        pipe.producer_commit();
        pipe.consumer_wait();
        sum += tile[0][i];
        pipe.consumer_release();
    }
    __pipeline_memcpy_async(&tile[0][i], in + i, 4);
    __pipeline_commit();
    __pipeline_memcpy_async(&tile[1][i], in + N + i, 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    sum -= tile[0][i];
    __pipeline_wait_prior(0);
    out[i] = sum - tile[1][i];
}

// The last elements of a row, filled up with zeros.
__global__ void fills_up(const float *few, float *out)
{
    __shared__ __align__(16) float tile[4];
    __pipeline_memcpy_async(tile, few, 16, 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[0] = tile[2] + tile[3];
}

__global__ void together(const float *in, float *out)
{
    auto block = cg::this_thread_block();
    __shared__ float tile[2][N];
    cg::memcpy_async(block, tile[0], in, sizeof tile[0]);
    cg::memcpy_async(block, tile[1], N, in + N, N);
    cg::wait_prior<1>(block);
    float sum = tile[0][N - 1 - threadIdx.x];
    cg::wait(block);
    out[threadIdx.x] = sum + tile[1][N - 1 - threadIdx.x];
}

__global__ void awaits(const float *in, float *out)
{
    auto block = cg::this_thread_block();
    __shared__ barrier b;
    __shared__ float tile[N];
    if (block.thread_rank() == 0)
        init(&b, block.size());
    block.sync();
    cuda::memcpy_async(block, tile, in, sizeof tile, b);
    b.arrive_and_wait();
    out[threadIdx.x] = tile[N - 1 - threadIdx.x];
}

__global__ void hands_over(int *out)
{
    __shared__ cuda::atomic<int, cuda::thread_scope_block> flag;
    __shared__ int value;
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int seven = cg::invoke_one_broadcast(warp, [] { return 7; });
    if (threadIdx.x == 0)
        flag.store(0);
    __syncthreads();
    if (threadIdx.x == 32) {
        cg::invoke_one(warp, [&] { value = seven; });
        flag.store(1, cuda::memory_order_release);
        flag.notify_all();
    } else if (threadIdx.x == 0) {
        flag.wait(0, cuda::memory_order_acquire);
        out[0] = value;
    }
}

// ---- faults ----

__global__ void skips(int *out)
{
    __shared__ barrier b;
    __shared__ int tile[N];
    if (threadIdx.x == 0)
        init(&b, blockDim.x);
    __syncthreads();
    // want race
    tile[threadIdx.x] = (int)threadIdx.x;
    auto token = b.arrive();
    out[threadIdx.x] = tile[N - 1 - threadIdx.x];
    b.wait(std::move(token));
}

__global__ void begins_too_late(int *out)
{
    __shared__ barrier b;
    if (threadIdx.x == 0)
        // want race
        init(&b, blockDim.x);
    (void)b.arrive();
    out[threadIdx.x] = 1;
}

__global__ void reads_too_soon(const float *in, float *out)
{
    __shared__ float tile[N];
    // want race
    __pipeline_memcpy_async(&tile[threadIdx.x], in + threadIdx.x, 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    out[threadIdx.x] = tile[threadIdx.x];
    __pipeline_wait_prior(0);
}

__global__ void fills_up_too_little(const float *few, float *out)
{
    __shared__ __align__(16) float tile[4];
    // want out-of-bounds
    __pipeline_memcpy_async(tile, few, 16, 2);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[0] = tile[2];
}

__global__ void waits_for_its_own(const float *in, float *out)
{
    __shared__ float tile[N];
    cg::thread_block block = cg::this_thread_block();
    // want race
    cg::memcpy_async(block, tile, in, sizeof tile);
    // want race
    out[threadIdx.x] = tile[N - 1 - threadIdx.x];
    cg::wait(block);
}

// What is read in one turn is written in the next, and the barrier between the two is of the writes alone.
__global__ void turns_too_soon(int *out)
{
    __shared__ barrier b;
    __shared__ int tile[N];
    if (threadIdx.x == 0)
        init(&b, blockDim.x);
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < 3; k++) {
        tile[threadIdx.x] = (int)threadIdx.x + k;
        b.arrive_and_wait();
        // want race
        sum += tile[N - 1 - threadIdx.x];
    }
    out[threadIdx.x] = sum;
}

__global__ void waits_forever(int *out)
{
    __shared__ barrier b;
    if (threadIdx.x == 0)
        init(&b, blockDim.x + 1);
    __syncthreads();
    // want no-termination
    b.arrive_and_wait();
    out[threadIdx.x] = 1;
}

static bool is_right = true;
static void expect(const char *what, bool holds)
{
    if (!holds)
        printf("%s is wrong\n", what);
    is_right = is_right && holds;
}

int main()
{
    float *in, *out, *few;
    int *n;
    cudaMallocManaged(&in, BLOCKS * N * sizeof *in);
    cudaMallocManaged(&out, N * sizeof *out);
    cudaMallocManaged(&n, N * sizeof *n);
    cudaMallocManaged(&few, 3 * sizeof *few);
    few[0] = few[1] = few[2] = 5;
    for (int k = 0; k < BLOCKS * N; k++)
        in[k] = (float)k;
    meets<<<1, N>>>(n);
    cudaDeviceSynchronize();
    expect("meets", n[0] == N - 1 + 2 && n[N - 1] == 2);
    completes<<<1, N>>>(n);
    cudaDeviceSynchronize();
    expect("completes", n[0] == 2);
    counts<<<1, N>>>(n);
    cudaDeviceSynchronize();
    expect("counts", n[0] == N + 10);
    pipes<<<1, N>>>(in, out);
    cudaDeviceSynchronize();
    expect("pipes", out[3] == 4 * (N - 4) + 6 * N);
    divides<<<1, N>>>(in, out);
    cudaDeviceSynchronize();
    expect("divides", out[3] == 4 * 3 + 6 * N);
    alone<<<1, N>>>(in, out);
    cudaDeviceSynchronize();
    expect("alone", out[3] == 2 * 3 + 5 * N);
    together<<<1, N>>>(in, out);
    cudaDeviceSynchronize();
    expect("together", out[3] == 2 * (N - 4) + N);
    awaits<<<1, N>>>(in, out);
    cudaDeviceSynchronize();
    expect("awaits", out[3] == N - 4);
    hands_over<<<1, N>>>(n);
    cudaDeviceSynchronize();
    expect("hands_over", n[0] == 7);
    fills_up<<<1, 1>>>(few, out);
    cudaDeviceSynchronize();
    expect("fills_up", out[0] == 5);
    skips<<<1, N>>>(n);
    begins_too_late<<<1, N>>>(n);
    reads_too_soon<<<1, N>>>(in, out);
    waits_for_its_own<<<1, N>>>(in, out);
    turns_too_soon<<<1, N>>>(n);
    fills_up_too_little<<<1, 1>>>(few, out);
    waits_forever<<<1, N>>>(n);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    cudaFree(few);
    cudaFree(n);
    puts(is_right ? "right" : "wrong");
    return 0;
}
