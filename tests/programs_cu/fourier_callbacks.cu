// SPDX-License-Identifier: MIT
// cuFFT's callbacks beside transforms of what they would load, each line "NAME: ok" or "NAME: WRONG"; then mistakes, each of them told in
// the line that ends in "// want HAZARD".
#include <cmath>
#include <cstdio>
#include <cufftXt.h>
#include <vector>

#include "results.hpp"

static bool near(double x, double y)
{
    return fabs(x - y) < 1e-4;
}

// ---- the callbacks ----

struct filter {
    cufftComplex *factors;
    float scale;
};
__device__ cufftComplex load_filtered(void *in, size_t at, void *info, void *)
{
    const filter *by = (const filter *)info;
    const cufftComplex x = ((cufftComplex *)in)[at], y = by->factors[at];
    return {by->scale * (x.x * y.x - x.y * y.y), by->scale * (x.x * y.y + x.y * y.x)};
}
__device__ cufftReal load_byte(void *in, size_t at, void *, void *)
{
    return (float)((const unsigned char *)in)[at];
}
__device__ void store_halved(void *out, size_t at, cufftReal x, void *info, void *shared)
{
    float *own = (float *)shared;
    own[threadIdx.x] = x / 2;
    ((float *)out)[at] = own[threadIdx.x] + *(const float *)info;
}
__device__ void store_first(void *out, size_t, cufftComplex x, void *, void *)
{
    *(cufftComplex *)out = x; // want race
}
__device__ cufftComplex load_beyond(void *in, size_t at, void *, void *)
{
    return ((cufftComplex *)in)[at + 1]; // want out-of-bounds
}
__device__ cufftCallbackLoadC filtered = load_filtered, beyond = load_beyond;
__device__ cufftCallbackLoadR byte = load_byte;
__device__ cufftCallbackStoreR halved = store_halved;
__device__ cufftCallbackStoreC first = store_first;

template <class F, class I>
static cufftResult set(cufftHandle plan, const F &symbol, cufftXtCallbackType type, I *info)
{
    F function;
    cudaMemcpyFromSymbol(&function, symbol, sizeof function);
    return cufftXtSetCallback(plan, (void **)&function, type, info ? (void **)&info : nullptr);
}

// A filter, in place; and the same without it, when the callback has been cleared.
static void filters()
{
    const int n = 12;
    std::vector<cufftComplex> x(n), y(n), products(n);
    for (int k = 0; k < n; k++) {
        x[k] = {(float)(k * 37 % 11), (float)(k % 5)};
        y[k] = {(float)(k * 53 % 7), (float)(k % 3)};
        products[k] = {3 * (x[k].x * y[k].x - x[k].y * y[k].y),
                       3 * (x[k].x * y[k].y + x[k].y * y[k].x)};
    }
    cufftHandle plan;
    cufftPlan1d(&plan, n, CUFFT_C2C, 1);
    cufftComplex *in = copy_of(x), *wanted = copy_of(products), *plain = copy_of(x);
    cufftComplex *factors = copy_of(y);
    filter *by = copy_of(std::vector<filter>{{factors, 3}});
    cufftExecC2C(plan, wanted, wanted, CUFFT_FORWARD);
    check("a callback that loads", set(plan, filtered, CUFFT_CB_LD_COMPLEX, by) == CUFFT_SUCCESS &&
                                       cufftExecC2C(plan, in, in, CUFFT_FORWARD) == CUFFT_SUCCESS);
    bool right = true;
    for (int k = 0; k < n; k++)
        right = right && near(back(in, n)[k].x, back(wanted, n)[k].x) &&
                near(back(in, n)[k].y, back(wanted, n)[k].y);
    check("in place", right);
    check("it is cleared", cufftXtClearCallback(plan, CUFFT_CB_LD_COMPLEX) == CUFFT_SUCCESS);
    cufftExecC2C(plan, plain, plain, CUFFT_FORWARD);
    double sum = 0;
    for (const cufftComplex &it : x)
        sum += it.x;
    check("and not called any more", near(back(plain, 1)[0].x, sum));
    cufftDestroy(plan);
    for (void *memory : {(void *)in, (void *)wanted, (void *)plain, (void *)factors, (void *)by})
        cudaFree(memory);
}

// Real numbers of bytes in windows that overlap, on a stream; and back, halved, with a number added.
static void real_ones()
{
    const int n = 8, hop = 3, windows = 4, half = n / 2 + 1;
    std::vector<unsigned char> bytes((windows - 1) * hop + n);
    for (size_t k = 0; k < bytes.size(); k++)
        bytes[k] = (unsigned char)(k * 41 % 200);
    int size[] = {n}, in_size[] = {n}, out_size[] = {half};
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cufftHandle there, again;
    cufftPlanMany(&there, 1, size, in_size, 1, hop, out_size, 1, half, CUFFT_R2C, windows);
    cufftPlan1d(&again, n, CUFFT_C2R, windows);
    cufftSetStream(there, stream);
    cufftSetStream(again, stream);
    unsigned char *in = copy_of(bytes);
    float *info = copy_of(std::vector<float>{100}), *out;
    cufftComplex *between;
    cudaMalloc(&between, windows * half * sizeof *between);
    cudaMalloc(&out, windows * n * sizeof *out);
    check("a callback of real numbers",
          set(there, byte, CUFFT_CB_LD_REAL, (void *)nullptr) == CUFFT_SUCCESS &&
              set(again, halved, CUFFT_CB_ST_REAL, info) == CUFFT_SUCCESS &&
              cufftXtSetCallbackSharedSize(again, CUFFT_CB_ST_REAL, 4096) == CUFFT_SUCCESS);
    cufftExecR2C(there, (cufftReal *)in, between);
    cufftExecC2R(again, between, out);
    cudaStreamSynchronize(stream);
    bool right = true;
    for (int w = 0; w < windows; w++)
        for (int k = 0; k < n; k++)
            right =
                right && near(back(out, windows * n)[w * n + k], 100 + n / 2. * bytes[w * hop + k]);
    check("there and back", right);
    check("more shared memory than there is",
          cufftXtSetCallbackSharedSize(again, CUFFT_CB_ST_REAL, 20000) == CUFFT_ALLOC_FAILED);
    cufftDestroy(there);
    cufftDestroy(again);
    cudaStreamDestroy(stream);
    for (void *memory : {(void *)in, (void *)info, (void *)between, (void *)out})
        cudaFree(memory);
}

static void mistakes()
{
    cufftHandle plan;
    cufftComplex *a, *b;
    cudaMalloc(&a, 16 * sizeof *a);
    cudaMalloc(&b, 16 * sizeof *b);
    cudaMemset(a, 0, 16 * sizeof *a);
    cufftCreate(&plan);
    check("no plan yet", set(plan, beyond, CUFFT_CB_LD_COMPLEX, b) == CUFFT_INVALID_PLAN);
    cufftMakePlan1d(plan, 16, CUFFT_C2C, 1, nullptr);
    check("of another type", set(plan, beyond, CUFFT_CB_LD_REAL, b) == CUFFT_INVALID_TYPE);
    void *none = nullptr;
    check("no function",
          cufftXtSetCallback(plan, &none, CUFFT_CB_LD_COMPLEX, nullptr) == CUFFT_INVALID_VALUE);
    set(plan, first, CUFFT_CB_ST_COMPLEX, b);
    cufftExecC2C(plan, a, b, CUFFT_FORWARD);
    cufftXtClearCallback(plan, CUFFT_CB_ST_COMPLEX);
    set(plan, beyond, CUFFT_CB_LD_COMPLEX, b);
    cufftExecC2C(plan, a, b, CUFFT_FORWARD);
    cudaFree(a);
    cudaFree(b);
    cufftDestroy(plan);
}

int main()
{
    filters();
    real_ones();
    mistakes();
    return 0;
}
