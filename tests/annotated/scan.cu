// SPDX-License-Identifier: MIT
// All prefix sums, by Hillis and Steele: each round doubles how far a cell looks back. Two arrays take turns.
#include <stdio.h>
#include <utility>

__global__ void look_back(const int *from, int *to, int n, int D)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = i < D ? from[i] : from[i] + from[i - D];
}

int main(void)
{
    const int n = 21;
    int a[n], *A, *other;
    for (int j = 0; j < n; j++)
        a[j] = j % 5 + 1;
    //@ input a[n]
    cudaMalloc(&A, sizeof a);
    cudaMalloc(&other, sizeof a);
    cudaMemcpy(A, a, sizeof a, cudaMemcpyHostToDevice);
    //@ invariant for 0 <= i < n: A[i] = sum of a[j], i - D < j <= i
    for (int D = 1; D < n; D *= 2) {
        look_back<<<3, 8>>>(A, other, n, D);
        std::swap(A, other);
    }
    //@ ensures for 0 <= i < n: A[i] = sum of a[j], j <= i
    cudaMemcpy(a, A, sizeof a, cudaMemcpyDeviceToHost);
    printf("last %d\n", a[n - 1]);
    cudaFree(A);
    cudaFree(other);
    return 0;
}
