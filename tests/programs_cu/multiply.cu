// SPDX-License-Identifier: MIT
// The product of two squares by tiles: laws with two indices, of the host's arrays and of what each thread adds up.
#include <cstdio>
#include <cstdlib>
#define T 8
__global__ void multiply(const int *a, const int *b, int *c, int n)
{
    __shared__ int as[T][T], bs[T][T];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * T + y, column = blockIdx.x * T + x;
    int sum = 0, first = (y * T + x) / 32 * 32;
    //@ invariant for 0 <= l < 32, r = blockIdx.y*T + floor((first + l) / T), s = blockIdx.x*T + l mod T:
    //@     sum[l] = sum of a[r][k]*b[k][s], 0 <= k < m
    for (int m = 0; m < n; m += T) {
        as[y][x] = a[row * n + m + x];
        bs[y][x] = b[(m + y) * n + column];
        __syncthreads();
        //@ assert for 0 <= p, q < T: as[p][q] = a[blockIdx.y*T + p][m + q]
        for (int k = 0; k < T; k++)
            sum += as[y][k] * bs[k][x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}
int main()
{
    const int n = 16;
    int *a = (int *)malloc(n * n * sizeof *a), *b = (int *)malloc(n * n * sizeof *b), *A, *B, *C;
    for (int i = 0; i < n * n; i++)
        a[i] = i % 7, b[i] = i % 5;
    cudaMalloc(&A, n * n * sizeof *A);
    cudaMalloc(&B, n * n * sizeof *B);
    cudaMalloc(&C, n * n * sizeof *C);
    //@ input a[n][n]
    cudaMemcpy(A, a, n * n * sizeof *A, cudaMemcpyHostToDevice);
    //@ input b[n][n]
    cudaMemcpy(B, b, n * n * sizeof *B, cudaMemcpyHostToDevice);
    multiply<<<dim3(n / T, n / T), dim3(T, T)>>>(A, B, C, n);
    //@ ensures for 0 <= i, j < n: C[i*n + j] = sum of a[i][k]*b[k][j]
    cudaFree(A), cudaFree(B), cudaFree(C);
    free(a), free(b);
}
