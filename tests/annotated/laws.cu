// SPDX-License-Identifier: MIT
// Laws of what programs do besides sums of a row: each is wrong where the program is given an argument.
#include <stdio.h>

// How often each number is there.
__global__ void count(const int *in, int *bins, int n, int wrong)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < n - wrong)
        atomicAdd(&bins[in[j]], 1);
}

// A sparse matrix times a vector: rows behind one another, each element with its column.
__global__ void multiply(const int *row, const int *column, const float *m, const float *x,
                         float *y, int n, int wrong)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    if (r >= n)
        return;
    for (int k = row[r]; k < row[r + 1] - wrong; k++)
        sum += m[k] * x[column[k]];
    y[r] = sum;
}

// A sum for each warp, in registers.
__global__ void warp_sum(const int *in, int *sums, int wrong)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, w_number = t / 32, x = in[t];
    //@ invariant for 0 <= l < w: x[l] = sum of a[32*w_number + k], 0 <= k < 32, k mod w = l
    for (int w = 32; w > 1; w /= 2)
        x += __shfl_down_sync(0xffffffff, x, w / 2 - (wrong && w == 8));
    //@ ensures x[0] = sum of a[j], floor(j / 32) = w_number
    if (t % 32 == 0)
        sums[w_number] = x;
}

__global__ void transpose(const int *in, int *out, int wrong)
{
    __shared__ int tile[8][9];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = in[y * 8 + x];
    __syncthreads();
    //@ assert for 0 <= r, c < 8: tile[r][c] = square[r][c]
    out[x * 8 + y] = tile[y][x + wrong * (y == 3 && x < 7)];
}

// A loop of the host's.
template <int N> void fold(int (&A)[N], int n, int wrong)
{
    //@ invariant for 0 <= i < w: A[i] = sum of B[j], j mod w = i
    for (int w = n; w > 1; w /= 2)
        for (int i = 0; i < w / 2; i++)
            A[i] += A[i + w / 2 - (wrong && w == 4)];
    //@ ensures A[0] = sum of B[j]
}

int main(int argc, char **argv)
{
    const int n = 128, bins = 8, rows = 4;
    const int wrong = argc > 1;
    (void)argv;

    int a[n], *in, *H;
    for (int j = 0; j < n; j++)
        a[j] = j * j % 7;
    //@ input a[n]
    cudaMalloc(&in, sizeof a);
    cudaMalloc(&H, bins * sizeof *H);
    cudaMemcpy(in, a, sizeof a, cudaMemcpyHostToDevice);
    cudaMemset(H, 0, bins * sizeof *H);
    count<<<2, 64>>>(in, H, n, wrong);
    //@ ensures for 0 <= b < bins: H[b] = count of a[j], a[j] = b

    int row[rows + 1] = {0, 2, 3, 3, 6}, column[6] = {0, 2, 1, 0, 1, 2};
    float m[6] = {1, 2, 3, 4, 5, 6}, x[3] = {7, 8, 9}, *y;
    int *d_row, *d_column;
    float *d_m, *d_x;
    //@ input row[rows + 1]
    //@ input column[6]
    //@ input m[6]
    //@ input x[3]
    cudaMalloc(&d_row, sizeof row);
    cudaMalloc(&d_column, sizeof column);
    cudaMalloc(&d_m, sizeof m);
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&y, rows * sizeof *y);
    cudaMemcpy(d_row, row, sizeof row, cudaMemcpyHostToDevice);
    cudaMemcpy(d_column, column, sizeof column, cudaMemcpyHostToDevice);
    cudaMemcpy(d_m, m, sizeof m, cudaMemcpyHostToDevice);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    multiply<<<1, 32>>>(d_row, d_column, d_m, d_x, y, rows, wrong);
    //@ ensures for 0 <= r < rows: y[r] = sum of m[k]*x[column[k]], row[r] <= k < row[r + 1]

    int sums[n / 32], *d_sums;
    cudaMalloc(&d_sums, sizeof sums);
    warp_sum<<<2, 64>>>(in, d_sums, wrong);
    //@ ensures for 0 <= k < n / 32: d_sums[k] = sum of a[j], floor(j / 32) = k
    cudaMemcpy(sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost);

    int square[8][8], turned[8][8], *from, *to;
    for (int r = 0; r < 8; r++)
        for (int c = 0; c < 8; c++)
            square[r][c] = 10 * r + c;
    //@ input square[8][8]
    cudaMalloc(&from, sizeof square);
    cudaMalloc(&to, sizeof square);
    cudaMemcpy(from, square, sizeof square, cudaMemcpyHostToDevice);
    transpose<<<1, dim3(8, 8)>>>(from, to, wrong);
    cudaMemcpy(turned, to, sizeof turned, cudaMemcpyDeviceToHost);
    //@ ensures for 0 <= r, c < 8: turned[r][c] = square[c][r]

    // Ints that are added up in a long, and the place of the largest.
    long total = 0;
    int best = 0;
    for (int j = 0; j < n; j++) {
        total += a[j];
        if (a[j] > a[best] - wrong)
            best = j;
    }
    total -= wrong * a[5];
    //@ ensures total = sum of a[j]
    //@ ensures best = argmax of a[j]

    // For k may stand any number.
    int A[8], B[8];
    for (int k = 0; k < 8; k++)
        B[k] = A[k] = k * k;
    //@ requires: bins = 2^k
    //@ input B[8]
    fold(A, bins, wrong);
    printf("%d numbers, the largest at %d\n", n, best);
    cudaFree(in);
    cudaFree(H);
    cudaFree(d_row);
    cudaFree(d_column);
    cudaFree(d_m);
    cudaFree(d_x);
    cudaFree(y);
    cudaFree(d_sums);
    cudaFree(from);
    cudaFree(to);
    return 0;
}
