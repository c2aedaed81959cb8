// SPDX-License-Identifier: MIT
// A program without a fault: its result is checked by itself, and its first argument is the number of elements.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    float *a = (float *)malloc(n * sizeof *a), *b = (float *)malloc(n * sizeof *b),
          *c = (float *)malloc(n * sizeof *c);
    for (int i = 0; i < n; i++) {
        a[i] = i;
        b[i] = 2 * i;
    }
    float *A, *B, *C;
    cudaMalloc(&A, n * sizeof *A);
    cudaMalloc((void **)&B, n * sizeof *B);
    cudaMalloc(&C, n * sizeof *C);
    cudaMemcpy(A, a, n * sizeof *A, cudaMemcpyHostToDevice);
    cudaMemcpy(B, b, n * sizeof *B, cudaMemcpyHostToDevice);
    add<<<(n + 255) / 256, 256>>>(A, B, C, n);
    cudaMemcpy(c, C, n * sizeof *C, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        if (c[i] != a[i] + b[i]) {
            printf("wrong at %d: %g\n", i, c[i]);
            return 1;
        }
    printf("c[%d] = %g\n", n - 1, c[n - 1]);
    cudaFree(A);
    cudaFree(B);
    cudaFree(C);
    free(a);
    free(b);
    free(c);
    return 0;
}
