// SPDX-License-Identifier: MIT
// A sum in two launches of one kernel: of the input by several blocks, then of their sums by one.
#include <stdio.h>

enum { T = 16, B = 3 };

__global__ void strided_sum(const unsigned *in, unsigned *out, unsigned n)
{
    __shared__ unsigned cache[T];
    unsigned t = threadIdx.x, sum = 0;
    for (unsigned j = blockIdx.x * T + t; j < n; j += gridDim.x * T)
        sum += in[j];
    cache[t] = sum;
    __syncthreads();
    for (unsigned s = T / 2; s > 0; s /= 2) {
        if (t < s)
            cache[t] += cache[t + s];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = cache[0];
}

int main(void)
{
    const unsigned n = 150;
    unsigned a[n], sum, *in, *A;
    for (unsigned j = 0; j < n; j++)
        a[j] = j * j;
    //@ input a[n]
    cudaMalloc(&in, sizeof a);
    cudaMalloc(&A, B * sizeof *A);
    cudaMemcpy(in, a, sizeof a, cudaMemcpyHostToDevice);
    strided_sum<<<B, T>>>(in, A, n);
    //@ assert for 0 <= k < B: A[k] = sum of a[j], floor((j mod (B*T)) / T) = k
    strided_sum<<<1, T>>>(A, A, B);
    //@ ensures A[0] = sum of a[j]
    cudaMemcpy(&sum, A, sizeof sum, cudaMemcpyDeviceToHost);
    printf("sum %u\n", sum);
    cudaFree(in);
    cudaFree(A);
    return 0;
}
