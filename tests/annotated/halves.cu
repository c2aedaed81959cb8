// SPDX-License-Identifier: MIT
// Sums of halves: by a fold that rounds each, and by one thread in a float.
#include <cstdio>
#include <cuda_fp16.h>

__global__ void fold(__half *A, int half)
{
    int i = threadIdx.x;
    if (i < half)
        A[i] = __hadd(A[i], A[i + half]);
}

__global__ void total(const __half *a, float *sum, __half *rounded, int n)
{
    __half lane = a[threadIdx.x];
    //@ assert for 0 <= l < 32: lane[l] = a[l]
    if (threadIdx.x > 0)
        return;
    *sum = __half2float(lane);
    for (int k = 1; k < n; k++)
        *sum += __half2float(a[k]);
    *rounded = __float2half(*sum);
}

int main()
{
    const int n = 32;
    __half a[n], *A, *input;
    float *sum, x;
    __half *rounded, y;
    for (int i = 0; i < n; i++)
        a[i] = __float2half(0.1f * i);
    cudaMalloc(&A, sizeof a);
    cudaMalloc(&input, sizeof a);
    cudaMalloc(&sum, sizeof x);
    cudaMalloc(&rounded, sizeof y);
    //@ input a[n]
    cudaMemcpy(A, a, sizeof a, cudaMemcpyHostToDevice);
    cudaMemcpy(input, a, sizeof a, cudaMemcpyHostToDevice);
    //@ invariant for 0 <= i < w: A[i] = sum of a[j], j mod w = i
    for (int w = n; w > 1; w /= 2)
        fold<<<1, 32>>>(A, w / 2);
    //@ ensures A[0] = sum of a[j]
    total<<<1, 32>>>(input, sum, rounded, n);
    cudaMemcpy(&x, sum, sizeof x, cudaMemcpyDeviceToHost);
    cudaMemcpy(&y, rounded, sizeof y, cudaMemcpyDeviceToHost);
    //@ ensures x = sum of a[j]
    //@ ensures y = sum of a[j]
    printf("%g %g\n", x, __half2float(y));
    cudaFree(A);
    cudaFree(input);
    cudaFree(sum);
    cudaFree(rounded);
}
