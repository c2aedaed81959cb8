// SPDX-License-Identifier: MIT
// A sum of floats, in any order. Where it runs once more, under another order of its launches, its process is killed.
#include <csignal>
#include <cstdio>
#include <unistd.h>

__global__ void add(float *sum, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(sum, 1.0f / (1 + i));
}

int main(int, char **argv)
{
    float *sum, result;
    if (access(argv[1], F_OK) == 0)
        kill(getpid(), SIGKILL);
    fclose(fopen(argv[1], "w"));
    cudaMalloc(&sum, sizeof *sum);
    cudaMemset(sum, 0, sizeof *sum);
    add<<<8, 64>>>(sum, 500);
    cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(sum);
    const int whole = (int)result;
    //@ assert whole = 6
    printf("%f\n", result);
}
