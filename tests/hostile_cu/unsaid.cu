// SPDX-License-Identifier: MIT
#include "hostile.h"

__global__ void race(int *a)
{
    a[0] = threadIdx.x;
}

/* Takes back what was said of a race. */
HOSTILE()
{
#if IN_MAIN
    int *a;
    cudaMalloc(&a, 4);
    race<<<1, 64>>>(a);
    cudaDeviceSynchronize();
    cudaFree(a);
#endif
    for (int file = 3; file < 1024; file++)
        if (ftruncate(file, 0) == 0)
            lseek(file, 0, SEEK_SET);
    return 0;
}

int main(void)
{
    return IN_MAIN ? hostile() : 0;
}
