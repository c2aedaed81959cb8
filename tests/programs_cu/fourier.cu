// SPDX-License-Identifier: MIT
// cuFFT beside sums in long double, each line "NAME: ok" or "NAME: WRONG"; then mistakes, each of them told in the line that ends
// in "// want HAZARD".
#include <cmath>
#include <cstdio>
#include <cufft.h>
#include <vector>
#if __has_include(<cufftXt.h>)
#include <cufftXt.h>
#endif

#include "results.hpp"

struct number {
    long double re, im;
};
typedef std::vector<number> numbers;

static numbers inputs(size_t n, bool real)
{
    numbers x(n);
    for (size_t k = 0; k < n; k++)
        x[k] = {(long double)((k * 37 + 11) % 101) / 64 - 0.75L,
                real ? 0 : (long double)((k * 53 + 5) % 89) / 64 - 0.5L};
    return x;
}

// By the definition: each of the sums.
static numbers sums(const numbers &x, int a, int b, int c, int sign)
{
    const long double turn = 2 * acosl(-1.0L);
    numbers y(x.size());
    for (int u = 0; u < a; u++)
        for (int v = 0; v < b; v++)
            for (int w = 0; w < c; w++) {
                number sum = {0, 0};
                for (int i = 0; i < a; i++)
                    for (int j = 0; j < b; j++)
                        for (int k = 0; k < c; k++) {
                            const long double at =
                                sign * turn *
                                ((long double)(u * i % a) / a + (long double)(v * j % b) / b +
                                 (long double)(w * k % c) / c);
                            const number &from = x[(i * b + j) * c + k];
                            sum.re += from.re * cosl(at) - from.im * sinl(at);
                            sum.im += from.re * sinl(at) + from.im * cosl(at);
                        }
                y[(u * b + v) * c + w] = sum;
            }
    return y;
}

static bool near(double x, long double y, double within)
{
    return fabsl(x - y) <= within;
}

template <class C> static std::vector<C> narrowed(const numbers &x)
{
    std::vector<C> to(x.size());
    for (size_t k = 0; k < x.size(); k++) {
        to[k].x = x[k].re;
        to[k].y = x[k].im;
    }
    return to;
}

// All complex elements, and there and back in place.
static void complex_ones(const char *name, cufftHandle plan, int a, int b, int c)
{
    const size_t n = (size_t)a * b * c;
    const numbers x = inputs(n, false), y = sums(x, a, b, c, -1);
    cufftDoubleComplex *in = copy_of(narrowed<cufftDoubleComplex>(x)), *out;
    cudaMalloc(&out, n * sizeof *out);
    cufftExecZ2Z(plan, in, out, CUFFT_FORWARD);
    const auto got = back(out, n);
    cufftExecZ2Z(plan, out, out, CUFFT_INVERSE);
    const auto again = back(out, n);
    bool right = true;
    for (size_t k = 0; k < n; k++)
        right = right && near(got[k].x, y[k].re, 1e-11) && near(got[k].y, y[k].im, 1e-11) &&
                near(again[k].x / n, x[k].re, 1e-13) && near(again[k].y / n, x[k].im, 1e-13);
    check(name, right);
    cudaFree(in);
    cudaFree(out);
    cufftDestroy(plan);
}

static cufftHandle line(int n)
{
    cufftHandle plan;
    cufftPlan1d(&plan, n, CUFFT_Z2Z, 1);
    return plan;
}

// Real numbers, of which half is kept; in place, rows are padded.
static void real_ones(const char *name, int a, int b, int c)
{
    const size_t rows = (size_t)a * b, half = c / 2 + 1;
    const numbers x = inputs(rows * c, true), y = sums(x, a, b, c, -1);
    std::vector<float> from(rows * c), padded(rows * 2 * half);
    for (size_t k = 0; k < from.size(); k++) {
        from[k] = (float)x[k].re;
        padded[k / c * 2 * half + k % c] = from[k];
    }
    cufftHandle there, again;
    int size[] = {a, b, c};
    cufftPlanMany(&there, 3, size, nullptr, 1, 0, nullptr, 1, 0, CUFFT_R2C, 1);
    cufftPlan3d(&again, a, b, c, CUFFT_C2R);
    float *in = copy_of(from), *in_place = copy_of(padded), *real;
    cufftComplex *out;
    cudaMalloc(&out, rows * half * sizeof *out);
    cudaMalloc(&real, rows * c * sizeof *real);
    cufftExecR2C(there, in, out);
    cufftExecR2C(there, in_place, (cufftComplex *)in_place);
    cufftExecC2R(again, out, real);
    cufftExecC2R(again, (cufftComplex *)in_place, in_place);
    const auto got = back(out, rows * half);
    const auto same = back(real, rows * c);
    const auto same_in_place = back(in_place, rows * 2 * half);
    bool right = true;
    for (size_t row = 0; row < rows; row++)
        for (int k = 0; k < c; k++) {
            if ((size_t)k < half)
                right = right && near(got[row * half + k].x, y[row * c + k].re, 1e-4) &&
                        near(got[row * half + k].y, y[row * c + k].im, 1e-4);
            right = right && near(same[row * c + k] / (rows * c), from[row * c + k], 1e-6) &&
                    near(same_in_place[row * 2 * half + k] / (rows * c), from[row * c + k], 1e-6);
        }
    check(name, right);
    cudaFree(in);
    cudaFree(in_place);
    cudaFree(real);
    cudaFree(out);
    cufftDestroy(there);
    cufftDestroy(again);
}

// Columns of a matrix whose rows are longer, and the results side by side.
static void columns()
{
    const int n = 10, count = 3, wide = 4;
    const numbers all = inputs(n * wide, false);
    cufftHandle plan;
    int size[] = {n}, in_size[] = {n}, out_size[] = {n};
    size_t bytes = 1;
    cufftCreate(&plan);
    cufftMakePlanMany(plan, 1, size, in_size, wide, 1, out_size, 1, n, CUFFT_C2C, count, &bytes);
    cufftComplex *in = copy_of(narrowed<cufftComplex>(all)), *out;
    cudaMalloc(&out, n * count * sizeof *out);
    cufftExecC2C(plan, in, out, CUFFT_FORWARD);
    const auto got = back(out, n * count);
    bool right = true;
    for (int column = 0; column < count; column++) {
        numbers x(n);
        for (int k = 0; k < n; k++)
            x[k] = all[k * wide + column];
        const numbers y = sums(x, 1, 1, n, -1);
        for (int k = 0; k < n; k++)
            right = right && near(got[column * n + k].x, y[k].re, 1e-5) &&
                    near(got[column * n + k].y, y[k].im, 1e-5);
    }
    check("columns", right);
    cudaFree(in);
    cudaFree(out);
    cufftDestroy(plan);
}

static void mistakes()
{
    cufftHandle plan, real, none = 1234;
    cufftComplex *a, *b, host[16] = {};
    cudaStream_t s, t;
    cudaMalloc(&a, 16 * sizeof *a);
    cudaMalloc(&b, 16 * sizeof *b);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cufftPlan1d(&plan, 16, CUFFT_C2C, 1);
    cufftPlan1d(&real, 32, CUFFT_R2C, 1);
    cufftExecC2C(plan, a, b, CUFFT_FORWARD); // want uninitialised
    cudaMemset(a, 0, 16 * sizeof *a);
    cufftExecR2C(real, (float *)a, b);           // want out-of-bounds
    cufftExecC2C(plan, host, b, CUFFT_FORWARD);  // want out-of-bounds
    cufftExecC2C(plan, a, b + 1, CUFFT_FORWARD); // want out-of-bounds
    cufftExecC2C(real, a, b, CUFFT_FORWARD);     // want unchecked-error
    cufftExecC2C(none, a, b, CUFFT_FORWARD);     // want unchecked-error
    check("a length of 0", cufftPlan1d(&none, 0, CUFFT_C2C, 1) == CUFFT_INVALID_SIZE);
    cufftSetStream(plan, s);
    cufftExecC2C(plan, a, b, CUFFT_FORWARD);
    cufftSetStream(plan, t);
    cufftExecC2C(plan, b, a, CUFFT_FORWARD); // want race
    cudaDeviceSynchronize();
    cufftDestroy(plan);
    cufftDestroy(real);
    cudaFree(a);
    cudaFree(b);
    cudaStreamDestroy(s);
    cudaStreamDestroy(t);
}

int main()
{
    complex_ones("one element", line(1), 1, 1, 1);
    complex_ones("a power of two", line(64), 1, 1, 64);
    complex_ones("small factors", line(2 * 3 * 5 * 7), 1, 1, 210);
    complex_ones("a prime", line(61), 1, 1, 61);
    complex_ones("a larger prime", line(127), 1, 1, 127);
    complex_ones("its double", line(134), 1, 1, 134);
    cufftHandle plan;
    cufftPlan2d(&plan, 6, 9, CUFFT_Z2Z);
    complex_ones("two dimensions", plan, 1, 6, 9);
    cufftPlan3d(&plan, 3, 4, 5, CUFFT_Z2Z);
    complex_ones("three dimensions", plan, 3, 4, 5);
#if __has_include(<cufftXt.h>)
    long long n = 12;
    size_t bytes;
    cufftCreate(&plan);
    cufftXtMakePlanMany(plan, 1, &n, nullptr, 1, 1, CUDA_C_64F, nullptr, 1, 1, CUDA_C_64F, 1,
                        &bytes, CUDA_C_64F);
    complex_ones("types by their names", plan, 1, 1, 12);
#endif
    real_ones("real", 1, 1, 16);
    real_ones("real, of an odd length", 1, 1, 15);
    real_ones("real, in three dimensions", 3, 4, 6);
    columns();
    mistakes();
}
