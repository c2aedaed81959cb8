// SPDX-License-Identifier: MIT
// Adds ten to each number: no loop, so what holds is said where it does.
#include <stdio.h>

__global__ void add_ten(const double *in, double *A, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        A[i] = in[i] + 10;
}

int main(void)
{
    const int n = 40;
    double a[n], *in, *A;
    for (int j = 0; j < n; j++)
        a[j] = 0.5 * j;
    //@ input a[n]
    cudaMalloc(&in, sizeof a);
    cudaMalloc(&A, sizeof a);
    cudaMemcpy(in, a, sizeof a, cudaMemcpyHostToDevice);
    add_ten<<<(n + 15) / 16, 16>>>(in, A, n);
    //@ ensures for 0 <= i < n: A[i] = a[i] + 10
    cudaMemcpy(a, A, sizeof a, cudaMemcpyDeviceToHost);
    printf("last %g\n", a[n - 1]);
    cudaFree(in);
    cudaFree(A);
    return 0;
}
