// SPDX-License-Identifier: MIT
// The dot product of two vectors: products first, then a fold.
#include <stdio.h>

__global__ void multiply(const float *a, const float *b, float *A, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        A[i] = a[i] * b[i];
}

__global__ void fold(float *A, int half)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < half)
        A[i] += A[i + half];
}

int main(void)
{
    const int n = 64;
    float a[n], b[n], dot, *x, *y, *A;
    for (int j = 0; j < n; j++)
        a[j] = (float)j, b[j] = (float)(n - j);
    //@ requires n = 2^k
    //@ input a[n]
    //@ input b[n]
    cudaMalloc(&x, sizeof a);
    cudaMalloc(&y, sizeof b);
    cudaMalloc(&A, sizeof a);
    cudaMemcpy(x, a, sizeof a, cudaMemcpyHostToDevice);
    cudaMemcpy(y, b, sizeof b, cudaMemcpyHostToDevice);
    multiply<<<2, 32>>>(x, y, A, n);
    //@ invariant for 0 <= i < w: A[i] = sum of a[j]*b[j], j mod w = i
    for (int w = n; w > 1; w /= 2)
        fold<<<1, 32>>>(A, w / 2);
    //@ ensures A[0] = sum of a[j]*b[j]
    cudaMemcpy(&dot, A, sizeof dot, cudaMemcpyDeviceToHost);
    printf("dot %g\n", dot);
    cudaFree(x);
    cudaFree(y);
    cudaFree(A);
    return 0;
}
