// SPDX-License-Identifier: MIT
#include "hostile.h"

__global__ void race(int *a)
{
    a[0] = threadIdx.x;
}

/* Launches what is wrong in a process of its own making. */
HOSTILE()
{
    int *a = nullptr;
    if (!IN_MAIN)
        return 0;
    cudaMalloc(&a, 4);
    if (fork() == 0) {
        race<<<1, 64>>>(a);
        cudaDeviceSynchronize();
        _exit(0);
    }
    wait(nullptr);
    cudaFree(a);
    return 0;
}

int main(void)
{
    return IN_MAIN ? hostile() : 0;
}
