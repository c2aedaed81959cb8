// SPDX-License-Identifier: MIT
// Each winner plays the next winner to its right: after a round with stride D, A[i] holds the sum from i on.
#include <stdio.h>

__global__ void play(int *A, unsigned n, unsigned D)
{
    unsigned i = 2 * D * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + D < n)
        A[i] += A[i + D];
}

int main(void)
{
    const unsigned n = 13;
    int a[n], sum, *A;
    for (unsigned j = 0; j < n; j++)
        a[j] = 3 * (int)j - 7;
    //@ input a[n]
    cudaMalloc((void **)&A, sizeof a);
    cudaMemcpy(A, a, sizeof a, cudaMemcpyHostToDevice);
    unsigned D = 1;
    //@ invariant for i = 0 mod D, i < n: A[i] = sum of a[j], i <= j < min(i + D, n)
    while (D < n) {
        play<<<(n + 63) / 64, 32>>>(A, n, D);
        D *= 2;
    }
    //@ ensures A[0] = sum of a[j]
    cudaMemcpy(&sum, A, sizeof sum, cudaMemcpyDeviceToHost);
    printf("sum %d\n", sum);
    cudaFree(A);
    return 0;
}
