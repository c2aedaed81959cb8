// SPDX-License-Identifier: MIT
// Adds the upper half onto the lower, until one number is left.
#include <stdio.h>
#include <stdlib.h>

__global__ void fold(int *A, size_t half)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < half)
        A[i] += A[i + half];
}

int main(void)
{
    const size_t n = 16;
    int a[n], sum, *A;
    for (size_t j = 0; j < n; j++)
        a[j] = (int)(j * j);
    //@ requires n = 2^k
    //@ input a[n]
    cudaMalloc(&A, sizeof a);
    cudaMemcpy(A, a, sizeof a, cudaMemcpyHostToDevice);
    //@ invariant for 0 <= i < w: A[i] = sum of a[j], j mod w = i
    for (size_t w = n; w > 1; w /= 2)
        fold<<<(w / 2 + 255) / 256, 256>>>(A, w / 2);
    //@ ensures A[0] = sum of a[j]
    cudaMemcpy(&sum, A, sizeof sum, cudaMemcpyDeviceToHost);
    printf("sum %d\n", sum);
    cudaFree(A);
    return 0;
}
