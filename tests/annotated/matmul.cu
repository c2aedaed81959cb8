// SPDX-License-Identifier: MIT
// The product of two square matrices.
#include <stdio.h>

__global__ void multiply(const int *x, const int *y, int *C, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x,
        sum = 0;
    if (row >= n || column >= n)
        return;
    for (int k = 0; k < n; k++)
        sum += x[row * n + k] * y[k * n + column];
    C[row * n + column] = sum;
}

int main(void)
{
    const int n = 6;
    int a[n * n], b[n * n], *x, *y, *C;
    for (int j = 0; j < n * n; j++)
        a[j] = j % 7, b[j] = j % 5 - 2;
    //@ input a[n*n]
    //@ input b[n*n]
    cudaMalloc(&x, sizeof a);
    cudaMalloc(&y, sizeof b);
    cudaMalloc(&C, sizeof a);
    cudaMemcpy(x, a, sizeof a, cudaMemcpyHostToDevice);
    cudaMemcpy(y, b, sizeof b, cudaMemcpyHostToDevice);
    multiply<<<dim3(2, 2), dim3(4, 4)>>>(x, y, C, n);
    //@ ensures for 0 <= i, j < n: C[i*n + j] = sum of a[i*n + k]*b[k*n + j], 0 <= k < n
    cudaMemcpy(a, C, sizeof a, cudaMemcpyDeviceToHost);
    printf("corner %d\n", a[n * n - 1]);
    cudaFree(x);
    cudaFree(y);
    cudaFree(C);
    return 0;
}
