// SPDX-License-Identifier: MIT
// The first thread waits for a flag of the host's, which here goes on later: what all others do without it is no mistake of theirs.
#include <cstdio>
__global__ void k(volatile int *flag, int *a, int *sum)
{
    __shared__ int s[32];
    if (threadIdx.x == 0) {
        while (*flag == 0)
            ;
        *a = 1;
        s[0] = 1;
    }
    if (threadIdx.x != 0)
        s[threadIdx.x] = 1;
    __syncthreads();
    int x = __shfl_sync(0xffffffff, s[0], 0);
    if (threadIdx.x == 1)
        *sum = *a + x;
}
__global__ void next(int *a, int *sum)
{
    *sum += *a;
}
int main()
{
    int *flag, *a, *sum;
    cudaMallocHost((void **)&flag, 4);
    *(volatile int *)flag = 0;
    cudaMalloc((void **)&a, 4);
    cudaMalloc((void **)&sum, 4);
    k<<<1, 32>>>(flag, a, sum);
    *(volatile int *)flag = 1;
    next<<<1, 1>>>(a, sum);
    cudaDeviceSynchronize();
    cudaFreeHost(flag);
    cudaFree(a);
    cudaFree(sum);
    return 0;
}
