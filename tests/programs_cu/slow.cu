// SPDX-License-Identifier: MIT
// A launch of many blocks, each of which comes to its end: it takes long in a simulator; with an argument, one of them has none.
#include <cuda_runtime.h>

__global__ void work(float *x, int n, int endless)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int j = 0; j < 200 && i < n; j++)
        sum += x[i] * j;
    while (endless && blockIdx.x == 9 && x[i] == 0)
        sum += x[i];
    if (i < n)
        x[i] = sum;
}

int main(int argc, char **)
{
    const int n = 1 << 24;
    float *x;
    cudaMalloc(&x, n * sizeof *x);
    cudaMemset(x, 0, n * sizeof *x);
    work<<<n / 256, 256>>>(x, n, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(x);
}
