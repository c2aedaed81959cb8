// What runs beside each other: kernels on two streams and the device's heap, and the host's atomics with those of a kernel;
// `// want HAZARD` stands above the line of a finding.
#include <cstdio>
#include <cuda/atomic>

enum { N = 64 };
__device__ int *kept;

__global__ void take()
{
    kept = (int *)malloc(N * sizeof(int));
    for (int k = 0; k < N; k++)
        kept[k] = k;
}
__global__ void set(int x)
{
    kept[threadIdx.x] = x;
}
__global__ void give(int *out)
{
    *out = kept[N - 1];
    free(kept);
}
__global__ void add(int *n)
{
    atomicAdd(n, 1);
}
__global__ void add_of_system(int *n)
{
    atomicAdd_system(&n[0], 1);
    cuda::atomic_ref<int>(n[1]).fetch_add(1);
    // Nobody else accesses this one.
    atomicAdd(&n[2], 1);
}

int main()
{
    int *n;
    cudaStream_t a, b;
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    cudaMallocManaged(&n, 4 * sizeof *n);
    for (int k = 0; k < 4; k++)
        n[k] = 0;
    take<<<1, 1>>>();
    cudaDeviceSynchronize();
    set<<<1, N, 0, a>>>(1);
    cudaStreamSynchronize(a);
    set<<<1, N, 0, b>>>(2);
    // want race
    set<<<1, N, 0, a>>>(3);
    cudaDeviceSynchronize();
    give<<<1, 1>>>(n + 3);
    cudaDeviceSynchronize();
    add_of_system<<<2, N>>>(n);
    __atomic_fetch_add(&n[0], 1, __ATOMIC_SEQ_CST);
    __atomic_fetch_add(&n[1], 1, __ATOMIC_SEQ_CST);
    cudaDeviceSynchronize();
    add<<<2, N>>>(n);
    // want race
    __atomic_fetch_add(&n[0], 1, __ATOMIC_SEQ_CST);
    cudaDeviceSynchronize();
    puts(n[0] == 4 * N + 2 && n[1] == 2 * N + 1 && n[2] == 2 * N && n[3] == 3 ? "right" : "wrong");
    cudaFree(n);
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
}
