// SPDX-License-Identifier: MIT
// The largest number, by a fold.
#include <stdio.h>

__global__ void fold(int *A, int half)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < half)
        A[i] = max(A[i], A[i + half]);
}

int main(void)
{
    const int n = 32;
    int a[n], largest, *A;
    for (int j = 0; j < n; j++)
        a[j] = -5 - (j * 7) % 11;
    //@ requires n = 2^k
    //@ input a[n]
    cudaMalloc(&A, sizeof a);
    cudaMemcpy(A, a, sizeof a, cudaMemcpyHostToDevice);
    int w = n;
    //@ invariant for 0 <= i < w: A[i] = max of a[j], j mod w = i
    do {
        fold<<<1, 16>>>(A, w / 2);
        w /= 2;
    } while (w > 1);
    //@ ensures A[0] = max of a[j]
    cudaMemcpy(&largest, A, sizeof largest, cudaMemcpyDeviceToHost);
    printf("largest %d\n", largest);
    cudaFree(A);
    return 0;
}
