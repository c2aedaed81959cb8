// SPDX-License-Identifier: MIT
// Sobol's numbers: results, each line "NAME: ok" or "NAME: WRONG", as cuRAND's own functions of the host give them; then mistakes, each
// of them told in the line that ends in "// want HAZARD".
#include <cstdio>
#include <curand.h>
#include <curand_kernel.h>

#include "results.hpp"

enum { DIMENSIONS = 21, POINTS = 100 };

static unsigned long long hash(unsigned long long h, unsigned long long x)
{
    return (h ^ x) * 1099511628211ull;
}

static void vectors()
{
    curandDirectionVectors32_t *v;
    curandDirectionVectors64_t *w;
    curandGetDirectionVectors32(&v, CURAND_DIRECTION_VECTORS_32_JOEKUO6);
    curandGetDirectionVectors64(&w, CURAND_DIRECTION_VECTORS_64_JOEKUO6);
    unsigned long long h = 14695981039346656037ull;
    for (int d = 0; d < DIMENSIONS; d++) {
        for (int k = 0; k < 32; k++)
            h = hash(h, v[d][k]);
        for (int k = 0; k < 64; k++)
            h = hash(h, w[d][k]);
    }
    check("vectors", h == 7418920694730482853ull);
}

static double sum_of(curandRngType_t type)
{
    static double points[DIMENSIONS * POINTS];
    curandGenerator_t generator;
    double sum = 0;
    curandCreateGeneratorHost(&generator, type);
    curandSetQuasiRandomGeneratorDimensions(generator, DIMENSIONS);
    curandSetGeneratorOffset(generator, 1000);
    curandGenerateUniformDouble(generator, points, DIMENSIONS * POINTS);
    for (int k = 0; k < DIMENSIONS * POINTS; k++)
        sum += points[k] * (k % 97 + 1);
    curandDestroyGenerator(generator);
    return sum;
}

template <class S, class V, class T> __global__ void draw(V *vectors, T *out)
{
    S state;
    curand_init(vectors[threadIdx.x], 5, &state);
    out[4 * threadIdx.x] = curand(&state);
    skipahead(30, &state);
    for (int k = 1; k < 4; k++)
        out[4 * threadIdx.x + k] = curand(&state);
}

template <class S, class V, class T, class F>
static void in_kernels(const char *name, const V *vectors, curandRngType_t type, F generate)
{
    V *copy;
    T *out, host[DIMENSIONS * 64];
    curandGenerator_t generator;
    bool right = true;
    cudaMalloc(&copy, DIMENSIONS * sizeof *copy);
    cudaMallocManaged(&out, 4 * DIMENSIONS * sizeof *out);
    cudaMemcpy(copy, vectors, DIMENSIONS * sizeof *copy, cudaMemcpyHostToDevice);
    draw<S><<<1, DIMENSIONS>>>(copy, out);
    cudaDeviceSynchronize();
    curandCreateGeneratorHost(&generator, type);
    curandSetQuasiRandomGeneratorDimensions(generator, DIMENSIONS);
    generate(generator, host, DIMENSIONS * 64);
    for (int d = 0; d < DIMENSIONS; d++)
        for (int k = 0; k < 4; k++)
            right = right && out[4 * d + k] == host[64 * d + (k == 0 ? 5 : 35 + k)];
    check(name, right);
    curandDestroyGenerator(generator);
    cudaFree(copy);
    cudaFree(out);
}

__global__ void uniforms(curandDirectionVectors32_t *v, curandDirectionVectors64_t *w, double *out)
{
    curandStateSobol32_t s;
    curandStateSobol64_t t;
    curand_init(v[0], 5, &s); // want out-of-bounds
    curand_init(w[0], 5, &t);
    out[0] = curand_uniform(&s);
    out[1] = curand_uniform(&t);
    out[2] = curand_uniform_double(&s);
    out[3] = curand_uniform_double(&t);
}

int main()
{
    vectors();
    check("sobol32", sum_of(CURAND_RNG_QUASI_SOBOL32) == 50869.226097927662);
    check("sobol64", sum_of(CURAND_RNG_QUASI_SOBOL64) == 50869.22607421875);

    curandDirectionVectors32_t *v, *on_device;
    curandDirectionVectors64_t *w, *of_64_bits;
    double *out;
    curandGetDirectionVectors32(&v, CURAND_DIRECTION_VECTORS_32_JOEKUO6);
    curandGetDirectionVectors64(&w, CURAND_DIRECTION_VECTORS_64_JOEKUO6);
    in_kernels<curandStateSobol32, curandDirectionVectors32_t, unsigned>(
        "kernels", v, CURAND_RNG_QUASI_SOBOL32, curandGenerate);
    in_kernels<curandStateSobol64, curandDirectionVectors64_t, unsigned long long>(
        "kernels of 64 bits", w, CURAND_RNG_QUASI_SOBOL64, curandGenerateLongLong);
    cudaMalloc(&on_device, sizeof *on_device);
    cudaMalloc(&of_64_bits, sizeof *of_64_bits);
    cudaMallocManaged(&out, 4 * sizeof *out);
    cudaMemcpy(on_device, v, sizeof *v, cudaMemcpyHostToDevice);
    cudaMemcpy(of_64_bits, w, sizeof *w, cudaMemcpyHostToDevice);
    uniforms<<<1, 1>>>(on_device, of_64_bits, out);
    cudaDeviceSynchronize();
    check("uniform",
          out[0] == 0.875 && out[1] == 0.875 && out[2] == 0.625 + 0x1p-32 && out[3] == 0.625);

    unsigned bits[7];
    curandGenerator_t generator;
    curandCreateGeneratorHost(&generator, CURAND_RNG_QUASI_DEFAULT);
    curandSetQuasiRandomGeneratorDimensions(generator, 2);
    curandGenerate(generator, bits, 7);                        // want unchecked-error
    curandSetQuasiRandomGeneratorDimensions(generator, 20001); // want unchecked-error
    curandSetPseudoRandomGeneratorSeed(generator, 1);          // want unchecked-error
    curandDestroyGenerator(generator);
    uniforms<<<1, 1>>>(v, of_64_bits, out); // the host's
    cudaDeviceSynchronize();
    cudaFree(on_device);
    cudaFree(of_64_bits);
    cudaFree(out);
}
