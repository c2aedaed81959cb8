// SPDX-License-Identifier: MIT
// A sum for each block, in shared memory.
#include <stdio.h>

enum { T = 32 };

__global__ void block_sum(const int *in, int *out, int n)
{
    __shared__ int cache[T];
    int t = threadIdx.x, j = blockIdx.x * T + t;
    cache[t] = j < n ? in[j] : 0;
    __syncthreads();
    //@ invariant for 0 <= i < s: cache[i] = sum of a[j], floor(j / T) = blockIdx.x, j mod s = i
    for (int s = T; s > 1; s /= 2) {
        if (t < s / 2)
            cache[t] += cache[t + s / 2];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = cache[0];
}

int main(void)
{
    const int n = 100, B = (n + T - 1) / T;
    int a[n], out[B], *in, *sums, sum = 0;
    for (int j = 0; j < n; j++)
        a[j] = j + 1;
    //@ input a[n]
    cudaMalloc(&in, sizeof a);
    cudaMalloc(&sums, sizeof out);
    cudaMemcpy(in, a, sizeof a, cudaMemcpyHostToDevice);
    block_sum<<<B, T>>>(in, sums, n);
    //@ assert for 0 <= k < B: sums[k] = sum of a[j], floor(j / T) = k
    cudaMemcpy(out, sums, sizeof out, cudaMemcpyDeviceToHost);
    for (int k = 0; k < B; k++)
        sum += out[k];
    printf("sum %d\n", sum);
    cudaFree(in);
    cudaFree(sums);
    return sum != n * (n + 1) / 2;
}
