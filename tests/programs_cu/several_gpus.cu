// SPDX-License-Identifier: MIT
// cuFFT on two devices, beside the same on one: results, each line "NAME: ok" or "NAME: WRONG"; then mistakes, each of them told in
// the line that ends in "// want HAZARD".
#include <cmath>
#include <cstdio>
#include <cufftXt.h>
#include <vector>

#include "results.hpp"

typedef std::vector<cufftDoubleComplex> numbers;

static bool are_same(const numbers &x, const numbers &y)
{
    bool good = true;
    for (size_t k = 0; k < x.size(); k++)
        good = good && fabs(x[k].x - y[k].x) < 1e-9 && fabs(x[k].y - y[k].y) < 1e-9;
    return good;
}

// On one device.
static numbers transform(cufftHandle plan, const numbers &from)
{
    numbers to(from.size());
    cufftDoubleComplex *memory;
    const size_t bytes = from.size() * sizeof *memory;
    cudaMalloc((void **)&memory, bytes);
    cudaMemcpy(memory, from.data(), bytes, cudaMemcpyHostToDevice);
    cufftExecZ2Z(plan, memory, memory, CUFFT_FORWARD);
    cudaMemcpy(to.data(), memory, bytes, cudaMemcpyDeviceToHost);
    cudaFree(memory);
    return to;
}

static numbers of_device(const cudaLibXtDesc *it, int device)
{
    numbers all(it->descriptor->size[device] / sizeof(cufftDoubleComplex));
    cudaMemcpy(all.data(), it->descriptor->data[device], it->descriptor->size[device],
               cudaMemcpyDefault);
    return all;
}

// A plan of two devices, made like one of one.
template <class F> static void compare(const char *name, size_t n, F make, size_t first_of_second)
{
    int devices[] = {0, 1};
    cufftHandle one, two;
    cudaLibXtDesc *data, *natural;
    numbers from(n), to(n), shuffled;
    for (size_t k = 0; k < n; k++)
        from[k] = {(double)(k * k % 17), (double)(k % 5)};
    cufftCreate(&one);
    cufftCreate(&two);
    make(one);
    const bool made = cufftXtSetGPUs(two, 2, devices) == CUFFT_SUCCESS &&
                      make(two) == CUFFT_SUCCESS &&
                      cufftXtMalloc(two, &data, CUFFT_XT_FORMAT_INPLACE) == CUFFT_SUCCESS &&
                      cufftXtMalloc(two, &natural, CUFFT_XT_FORMAT_INPLACE) == CUFFT_SUCCESS;
    check(name, made && data->descriptor->nGPUs == 2 && data->descriptor->GPUs[1] == 1);
    const numbers wanted = transform(one, from);
    cufftXtMemcpy(two, data, from.data(), CUFFT_COPY_HOST_TO_DEVICE);
    check("halves", of_device(data, 1)[0].x == from[n / 2].x);
    cufftXtExecDescriptorZ2Z(two, data, data, CUFFT_FORWARD);
    cufftXtMemcpy(two, to.data(), data, CUFFT_COPY_DEVICE_TO_HOST);
    check("forward", are_same(to, wanted));
    shuffled = of_device(data, 1);
    check("shuffled", fabs(shuffled[0].x - wanted[first_of_second].x) < 1e-9);
    cufftXtMemcpy(two, natural, data, CUFFT_COPY_DEVICE_TO_DEVICE);
    check("in order", fabs(of_device(natural, 1)[0].x - wanted[n / 2].x) < 1e-9);
    cufftXtExecDescriptorZ2Z(two, data, data, CUFFT_INVERSE);
    shuffled = of_device(data, 1);
    check("and back", fabs(shuffled[0].x / (double)n - from[n / 2].x) < 1e-9);
    cufftXtFree(data);
    cufftXtFree(natural);
    cufftDestroy(one);
    cufftDestroy(two);
}

int main()
{
    compare(
        "of one dimension", 64,
        [](cufftHandle plan) { return cufftMakePlan1d(plan, 64, CUFFT_Z2Z, 1, nullptr); }, 1);
    compare(
        "of two", 24,
        [](cufftHandle plan) { return cufftMakePlan2d(plan, 4, 6, CUFFT_Z2Z, nullptr); }, 3);
    compare(
        "of three", 48,
        [](cufftHandle plan) { return cufftMakePlan3d(plan, 4, 6, 2, CUFFT_Z2Z, nullptr); }, 6);
    cufftHandle plan;
    int nowhere[] = {0, 2}, twice[] = {1, 1};
    cudaLibXtDesc *data;
    cufftCreate(&plan);
    check("no such device", cufftXtSetGPUs(plan, 2, nowhere) == CUFFT_INVALID_DEVICE);
    check("a device twice", cufftXtSetGPUs(plan, 2, twice) == CUFFT_INVALID_DEVICE);
    check("no number of devices", cufftXtSetGPUs(plan, 0, twice) == CUFFT_INVALID_VALUE);
    check("no plan", cufftXtSetGPUs(1234, 1, twice) == CUFFT_INVALID_PLAN);
    cufftXtSetGPUs(plan, 2, twice); // want unchecked-error
    check("no devices", cufftXtMalloc(plan, &data, CUFFT_XT_FORMAT_INPLACE) == CUFFT_INVALID_PLAN);
    nowhere[1] = 1;
    cufftXtSetGPUs(plan, 2, nowhere);
    cufftMakePlan1d(plan, 8, CUFFT_Z2Z, 1, nullptr);
    check("made before", cufftXtSetGPUs(plan, 2, nowhere) == CUFFT_INVALID_PLAN);
    cufftXtMalloc(plan, &data, CUFFT_XT_FORMAT_INPLACE);
    cufftXtExecDescriptorZ2Z(plan, data, data, CUFFT_FORWARD); // want uninitialised
    cufftXtFree(data);
    return 0;
}
