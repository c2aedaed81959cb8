// SPDX-License-Identifier: MIT
// cuBLAS and cuRAND: results beside plain loops and published numbers, each line "NAME: ok" or "NAME: WRONG"; then mistakes, each
// of them told in the line that ends in "// want HAZARD".
#include <cmath>
#include <cstdio>
#include <cstring>
#include <cublasXt.h>
#include <cublas_v2.h>
#include <curand.h>
#include <curand_kernel.h>
#include <vector>

#include "results.hpp"

// An element of op(A), by columns.
static double at(const std::vector<double> &a, int ld, bool turned, int i, int j)
{
    return turned ? a[i * ld + j] : a[j * ld + i];
}

// Matrices that stand in larger ones, turned and not.
template <class T, class F> static void products(const char *name, F gemm)
{
    const int m = 5, n = 3, k = 7, ld = 9;
    std::vector<T> a(ld * ld), b(ld * ld), c(ld * ld);
    for (int i = 0; i < ld * ld; i++) {
        a[i] = (T)((i * 5) % 11 - 4);
        b[i] = (T)((i * 3) % 7 - 2);
        c[i] = (T)(i % 5);
    }
    const std::vector<double> x(a.begin(), a.end()), y(b.begin(), b.end());
    T *A = copy_of(a), *B = copy_of(b), alpha = 2, beta = 3;
    bool right = true;
    for (int turns = 0; turns < 4; turns++) {
        const bool of_a = turns & 1, of_b = turns & 2;
        T *C = copy_of(c);
        gemm(of_a ? CUBLAS_OP_T : CUBLAS_OP_N, of_b ? CUBLAS_OP_T : CUBLAS_OP_N, m, n, k, &alpha, A,
             ld, B, ld, &beta, C, ld);
        const std::vector<T> got = back(C, ld * ld);
        for (int j = 0; j < ld; j++)
            for (int i = 0; i < ld; i++) {
                double sum = 0;
                for (int l = 0; l < k && i < m && j < n; l++)
                    sum += at(x, ld, of_a, i, l) * at(y, ld, of_b, l, j);
                const double was = c[j * ld + i];
                right = right && got[j * ld + i] == (i < m && j < n ? 2 * sum + 3 * was : was);
            }
        cudaFree(C);
    }
    check(name, right);
    cudaFree(A);
    cudaFree(B);
}

static void vectors(cublasHandle_t blas)
{
    std::vector<float> x(20), y(20);
    for (int i = 0; i < 20; i++) {
        x[i] = (float)(i % 7 - 3);
        y[i] = (float)i;
    }
    float *X = copy_of(x), *Y = copy_of(y), result, alpha = 2, *device_result;
    int index;
    cublasSdot(blas, 10, X, 2, Y, -2, &result);
    float sum = 0;
    for (int i = 0; i < 10; i++)
        sum += x[2 * i] * y[18 - 2 * i];
    check("dot of steps", result == sum);
    cublasSasum(blas, 20, X, 1, &result);
    check("asum", result == 33);
    cublasSnrm2(blas, 2, Y + 3, 1, &result);
    check("nrm2", result == 5);
    cublasIsamax(blas, 20, X, 1, &index);
    check("amax is the first, from 1 on", index == 1);
    cublasIsamin(blas, 20, X, 1, &index);
    check("amin", index == 4);
    cublasSaxpy(blas, 20, &alpha, X, 1, Y, 1);
    check("axpy", back(Y, 20)[19] == 19 + 2 * x[19]);
    cudaMalloc(&device_result, 2 * sizeof(float));
    cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_DEVICE);
    cublasSasum(blas, 20, X, 1, device_result);
    cublasSscal(blas, 20, device_result, X, 1);
    cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_HOST);
    check("a scalar of the device", back(X, 20)[0] == -3 * 33);
    float one = 1, zero = 0, *M, *V;
    cudaMalloc(&M, 12 * sizeof(float));
    cudaMalloc(&V, 3 * sizeof(float));
    cudaMemset(M, 0, 12 * sizeof(float));
    cublasSger(blas, 4, 3, &one, Y, 1, Y + 10, 1, M, 4);
    cublasSgemv(blas, CUBLAS_OP_T, 4, 3, &one, M, 4, Y, 1, &zero, V, 1); // V need not be set
    y = back(Y, 20);
    sum = y[11] * (y[0] * y[0] + y[1] * y[1] + y[2] * y[2] + y[3] * y[3]);
    check("ger, gemv", back(V, 3)[1] == sum);
    cudaFree(X);
    cudaFree(Y);
    cudaFree(M);
    cudaFree(V);
    cudaFree(device_result);
}

static void batches(cublasHandle_t blas)
{
    const std::vector<double> a = {1, 2, 3, 4, 5, 6, 7, 8};
    double *A = copy_of(a), *C, one = 1, zero = 0;
    cudaMalloc(&C, 8 * sizeof *C);
    cublasDgemmStridedBatched(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, A, 2, 4, A, 2, 4,
                              &zero, C, 2, 4, 2);
    check("strided products", back(C, 8) == std::vector<double>({7, 10, 15, 22, 67, 78, 91, 106}));
    double **all_a = copy_of(std::vector<double *>{A + 4, A}),
           **all_c = copy_of(std::vector<double *>{C, C + 4});
    cublasDgemmBatched(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, all_a, 2, all_a, 2, &zero,
                       all_c, 2, 2);
    check("products by pointers",
          back(C, 8) == std::vector<double>({67, 78, 91, 106, 7, 10, 15, 22}));
    std::vector<__half> h(4);
    for (int i = 0; i < 4; i++)
        h[i] = __float2half(i + 0.5f);
    __half *H = copy_of(h);
    float *F, f_one = 1, f_zero = 0;
    cudaMalloc(&F, 4 * sizeof *F);
    cublasGemmEx(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &f_one, H, CUDA_R_16F, 2, H, CUDA_R_16F,
                 2, &f_zero, F, CUDA_R_32F, 2, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
    check("a product of halves", back(F, 4) == std::vector<float>({4, 6, 10, 16}));
    check("its name of an error",
          !strcmp(cublasGetStatusName(CUBLAS_STATUS_INVALID_VALUE), "CUBLAS_STATUS_INVALID_VALUE"));
    check("a handle that is none",
          cublasDgemm(nullptr, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, A, 2, A, 2, &zero, C, 2) ==
              CUBLAS_STATUS_NOT_INITIALIZED);
    // Where alpha is 0, the matrices need not be there.
    double two = 2, sums[4] = {1, 2, 3, 4};
    cudaMemcpy(C, sums, sizeof sums, cudaMemcpyHostToDevice);
    cublasDgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &zero, nullptr, 2, nullptr, 2, &two, C, 2);
    check("a product that is left out", back(C, 4) == std::vector<double>({2, 4, 6, 8}));
    cudaFree(A);
    cudaFree(C);
    cudaFree(all_a);
    cudaFree(all_c);
    cudaFree(H);
    cudaFree(F);
}

// The first number, and the sixth, of a stream far away; seeds, streams and offsets as of cuRAND's own functions.
template <class S> __global__ void draw(unsigned *out)
{
    S state;
    curand_init(0x123456789abcdefull, 12345, 1000003, &state);
    for (int k = 0; k < 6; k++)
        out[k] = curand(&state);
}
template <class S> static void draws(const char *name, unsigned first, unsigned sixth)
{
    unsigned *out;
    cudaMalloc(&out, 6 * sizeof *out);
    draw<S><<<1, 1>>>(out);
    const std::vector<unsigned> got = back(out, 6);
    check(name, got[0] == first && got[5] == sixth);
    cudaFree(out);
}

template <class T, class F> static std::vector<T> generated(curandRngType_t type, size_t n, F fill)
{
    curandGenerator_t generator;
    T *out;
    cudaMalloc(&out, n * sizeof *out);
    curandCreateGenerator(&generator, type);
    curandSetPseudoRandomGeneratorSeed(generator, 1234);
    fill(generator, out);
    curandDestroyGenerator(generator);
    const std::vector<T> got = back(out, n);
    cudaFree(out);
    return got;
}

static void random_numbers()
{
    draws<curandStateXORWOW_t>("xorwow", 2092804866, 696682719);
    draws<curandStatePhilox4_32_10_t>("philox", 1105443849, 2556834075);
    draws<curandStateMRG32k3a_t>("mrg32k3a", 2101660546, 235153487);
    auto bits = [](curandGenerator_t g, unsigned *out) {
        curandGenerate(g, out, 3), curandGenerate(g, out + 3, 5000);
    };
    auto of_xorwow = generated<unsigned>(CURAND_RNG_PSEUDO_DEFAULT, 5003, bits);
    check("streams of xorwow in turn",
          of_xorwow[0] == 624778773 && of_xorwow[5] == 3732235839 && of_xorwow[4096] == 1867875844);
    auto of_philox = generated<unsigned>(CURAND_RNG_PSEUDO_PHILOX4_32_10, 5003, bits);
    check("streams of philox", of_philox[3] == 3419031310 && of_philox[4] == 3507855656);
    auto normal =
        generated<float>(CURAND_RNG_PSEUDO_MRG32K3A, 8, [](curandGenerator_t g, float *out) {
            check("an odd number of normal ones",
                  curandGenerateNormal(g, out, 7, 0, 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
            curandGenerateNormal(g, out, 8, 10, 2);
        });
    check("normal", fabsf(normal[0] - (10 - 2 * 0.360654f)) < 1e-4f &&
                        fabsf(normal[7] - (10 + 2 * 0.08952f)) < 1e-4f);
    auto uniform =
        generated<double>(CURAND_RNG_PSEUDO_XORWOW, 2, [](curandGenerator_t g, double *out) {
            curandGenerateUniformDouble(g, out, 2);
        });
    check("uniform", uniform[1] == 0.92641692020243771);
}

static void mistakes(cublasHandle_t blas)
{
    const float one = 1, zero = 0;
    const cublasOperation_t op = CUBLAS_OP_N;
    float *a, *b, *freed, host[16] = {0};
    cudaStream_t s, t;
    cudaMalloc(&a, 16 * sizeof *a);
    cudaMalloc(&b, 16 * sizeof *b);
    cudaMalloc(&freed, 16 * sizeof *freed);
    cudaMemset(a, 0, 16 * sizeof *a);
    cudaFree(freed);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cublasSgemm(blas, op, op, 4, 4, 5, &one, a, 4, a, 5, &zero, b, 4);   // want out-of-bounds
    cublasSgemm(blas, op, op, 4, 4, 4, &one, a, 4, a, 4, &one, b, 4);    // want uninitialised
    cublasSscal(blas, 16, &one, freed, 1);                               // want out-of-bounds
    cublasSscal(blas, 16, &one, host, 1);                                // want out-of-bounds
    cublasSscal(blas, 16, a, b, 1);                                      // want host-access
    cublasSgemv(blas, CUBLAS_OP_N, 4, 4, &one, a, 3, a, 1, &zero, b, 1); // want unchecked-error
    cublasSetStream(blas, s);
    cublasSscal(blas, 16, &one, b, 1);
    cublasSetStream(blas, t);
    cublasSscal(blas, 16, &one, b, 1); // want race
    cudaDeviceSynchronize();
    curandGenerator_t generator;
    curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);
    curandGenerateUniform(generator, a, 17);      // want out-of-bounds
    curandGenerateNormal(generator, a, 15, 0, 1); // want unchecked-error
    curandDestroyGenerator(generator);
    cudaFree(a);
    cudaFree(b);
    cudaStreamDestroy(s);
    cudaStreamDestroy(t);
}

// cuBLASXt takes the host's matrices: C = A B' + C of 3 by 2, with rows to spare.
static void products_of_the_host()
{
    cublasXtHandle_t handle;
    const float a[] = {1, 2, 3, -1, 4, 5, 6, -1}, b[] = {1, 0, 2, 1}, alpha = 1, beta = 1;
    float c[] = {10, 10, 10, -1, 20, 20, 20, -1};
    int devices[] = {0};
    cublasXtCreate(&handle);
    cublasXtDeviceSelect(handle, 1, devices);
    const bool done = cublasXtSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, 3, 2, 2, &alpha, a, 4, b, 2,
                                    &beta, c, 4) == CUBLAS_STATUS_SUCCESS;
    check("cublasXtSgemm",
          done && c[0] == 19 && c[2] == 25 && c[4] == 24 && c[6] == 26 && c[3] == -1 && c[7] == -1);
    cublasXtDestroy(handle);
}

int main()
{
    cublasHandle_t blas;
    cublasCreate(&blas);
    products<float>("sgemm", [=](auto... a) { cublasSgemm(blas, a...); });
    products<double>("dgemm", [=](auto... a) { cublasDgemm(blas, a...); });
    vectors(blas);
    batches(blas);
    products_of_the_host();
    random_numbers();
    mistakes(blas);
    cublasDestroy(blas);
}
