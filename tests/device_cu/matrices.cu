// SPDX-License-Identifier: MIT
// Matrices of a warp, beside plain loops; `// want HAZARD` stands above the line of a finding.
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

__device__ int wrong[16];

// Small whole numbers, which every type has.
template <class T> __device__ T number(int k)
{
    return (T)(float)(k % 7 - 2);
}
template <> __device__ signed char number(int k)
{
    return (signed char)(k % 7 - 2);
}
template <> __device__ unsigned char number(int k)
{
    return (unsigned char)(k % 5);
}
template <> __device__ double number(int k)
{
    return (double)(k % 7 - 2);
}
__device__ double value(float x)
{
    return (double)x;
}
__device__ double value(double x)
{
    return x;
}
__device__ double value(int x)
{
    return (double)x;
}
__device__ double value(__half x)
{
    return (double)__half2float(x);
}
__device__ double value(__nv_bfloat16 x)
{
    return (double)__bfloat162float(x);
}

// D = A B + C, with A by rows and B by columns, or the other way round.
template <int m, int n, int k, class T, class E, class R, class LA, class LB>
__global__ void multiply(int number_of_check)
{
    __shared__ __align__(32) T a[m * k];
    __shared__ __align__(32) T b[k * n];
    __shared__ __align__(32) R d[m * n];
    constexpr bool a_rows = std::is_same<LA, wmma::row_major>::value,
                   b_rows = std::is_same<LB, wmma::row_major>::value;
    for (int j = (int)threadIdx.x; j < m * k; j += 32)
        a[j] = number<T>(j);
    for (int j = (int)threadIdx.x; j < k * n; j += 32)
        b[j] = number<T>(3 * j + 1);
    __syncthreads();
    wmma::fragment<wmma::matrix_a, m, n, k, E, LA> fa;
    wmma::fragment<wmma::matrix_b, m, n, k, E, LB> fb;
    wmma::fragment<wmma::accumulator, m, n, k, R> fc;
    wmma::fill_fragment(fc, (R)1);
    wmma::load_matrix_sync(fa, a, a_rows ? k : m);
    wmma::load_matrix_sync(fb, b, b_rows ? n : k);
    wmma::mma_sync(fc, fa, fb, fc);
    for (int e = 0; e < fc.num_elements; e++)
        fc.x[e] = fc.x[e] + (R)1;
    wmma::store_matrix_sync(d, fc, n, wmma::mem_row_major);
    __syncthreads();
    for (int j = (int)threadIdx.x; j < m * n; j += 32) {
        int row = j / n, column = j % n;
        double sum = 2;
        for (int l = 0; l < k; l++)
            sum += value(a[a_rows ? row * k + l : l * m + row]) *
                   value(b[b_rows ? l * n + column : column * k + l]);
        if (value(d[j]) != sum)
            atomicAdd(&wrong[number_of_check], 1);
    }
}

__global__ void sizes()
{
    using A = wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major>;
    using B = wmma::fragment<wmma::matrix_b, 32, 8, 16, signed char, wmma::col_major>;
    using C = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;
    if (A::num_elements != 16 || B::num_elements != 4 || C::num_elements != 8 || sizeof(C) != 32)
        atomicAdd(&wrong[15], 1);
}

// ---- faults ----

__global__ void unordered(float *out)
{
    __shared__ __align__(32) float c[256];
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> f;
    wmma::fill_fragment(f, 1.0f);
    // want race
    wmma::store_matrix_sync(c, f, 16, wmma::mem_row_major);
    out[threadIdx.x] = c[threadIdx.x ^ 1];
}

__global__ void too_short(const __half *in, float *out)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> f;
    // want out-of-bounds
    wmma::load_matrix_sync(f, in, 24);
    out[threadIdx.x] = __half2float(f.x[0]);
}

int main()
{
    using row = wmma::row_major;
    using col = wmma::col_major;
    multiply<16, 16, 16, __half, __half, float, row, col><<<1, 32>>>(0);
    multiply<16, 16, 16, __half, __half, __half, col, row><<<1, 32>>>(1);
    multiply<32, 8, 16, __half, __half, float, row, row><<<1, 32>>>(2);
    multiply<8, 32, 16, __nv_bfloat16, __nv_bfloat16, float, col, col><<<1, 32>>>(3);
    multiply<16, 16, 8, float, wmma::precision::tf32, float, row, col><<<1, 32>>>(4);
    multiply<8, 8, 4, double, double, double, row, col><<<1, 32>>>(5);
    multiply<16, 16, 16, signed char, signed char, int, row, col><<<1, 32>>>(6);
    multiply<32, 8, 16, unsigned char, unsigned char, int, row, col><<<1, 32>>>(7);
    sizes<<<1, 1>>>();
    int bad[16];
    bool right = true;
    cudaMemcpyFromSymbol(bad, wrong, sizeof bad);
    for (int k = 0; k < 16; k++) {
        if (bad[k])
            printf("check %d fails for %d elements\n", k, bad[k]);
        right = right && !bad[k];
    }
    __half *in;
    float *out;
    cudaMalloc(&in, 256 * sizeof *in);
    cudaMalloc(&out, 32 * sizeof *out);
    cudaMemset(in, 0, 256 * sizeof *in);
    unordered<<<1, 32>>>(out);
    too_short<<<1, 32>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    puts(right ? "right" : "wrong");
    return 0;
}
