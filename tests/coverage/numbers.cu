// SPDX-License-Identifier: MIT
// Functions of narrow floats on all their bits, or on many: a line each, with a sum over the bits of
// all results. A GPU prints the same lines as the simulator.
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

__device__ unsigned mixed(unsigned x)
{
    x = (x ^ (x >> 16)) * 0x7feb352du;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    return x ^ (x >> 16);
}
__device__ float some_float(unsigned i)
{
    unsigned bits = mixed(i);
    // Exponents around those that a half has.
    return __uint_as_float((bits & 0x807fffffu) | ((100u + (bits >> 9) % 48u) << 23));
}
__device__ unsigned bits_of(__half x)
{
    return __hisnan(x) ? 0x7fffu : __half_as_ushort(x);
}
__device__ unsigned bits_of(__nv_bfloat16 x)
{
    return __hisnan(x) ? 0x7fffu : __bfloat16_as_ushort(x);
}
__device__ unsigned bits_of(__half2 x)
{
    return bits_of(__low2half(x)) | bits_of(__high2half(x)) << 16;
}
__device__ unsigned bits_of(unsigned x)
{
    return x;
}

#define CASE(name, expression)                                                                     \
    __global__ void name(unsigned long long *sum)                                                  \
    {                                                                                              \
        unsigned i = blockIdx.x * blockDim.x + threadIdx.x, j = mixed(i), k = mixed(j);            \
        __half h = __ushort_as_half((unsigned short)i), g = __ushort_as_half((unsigned short)j);   \
        __half f = __ushort_as_half((unsigned short)k);                                            \
        __nv_bfloat16 b = __ushort_as_bfloat16((unsigned short)i);                                 \
        __nv_bfloat16 c = __ushort_as_bfloat16((unsigned short)j);                                 \
        __nv_bfloat16 d = __ushort_as_bfloat16((unsigned short)k);                                 \
        __half2 p = __halves2half2(h, g), q = __halves2half2(g, f);                                \
        float x = some_float(i);                                                                   \
        (void)h, (void)g, (void)f, (void)b, (void)c, (void)d, (void)p, (void)q, (void)x;           \
        atomicAdd(sum, (unsigned long long)mixed(bits_of(expression) + 31 * i));                   \
    }
#define CASES(X)                                                                                   \
    X(half_sum, h + g)                                                                             \
    X(half_product, __hmul(h, g))                                                                  \
    X(half_quotient, __hdiv(h, g))                                                                 \
    X(half_fused, __hfma(h, g, f))                                                                 \
    X(half_fused_saturated, __hfma_sat(h, g, f))                                                   \
    X(half_sum_saturated, __hadd_sat(h, g))                                                        \
    X(half_least, __hmin(h, g))                                                                    \
    X(half_most_nan, __hmax_nan(h, g))                                                             \
    X(half_of_float_to_zero, __float2half_rz(x))                                                   \
    X(half_of_float_up, __float2half_ru(x))                                                        \
    X(half_of_float_down, __float2half_rd(x))                                                      \
    X(half_of_float, __float2half_rn(x))                                                           \
    X(half_of_int_up, __int2half_ru((int)j % 100000))                                              \
    X(half_to_int, (unsigned)__half2int_rn(h))                                                     \
    X(half_to_int_down, (unsigned)__half2int_rd(h))                                                \
    X(half_to_short, (unsigned)(unsigned short)__half2short_rz(h))                                 \
    X(half_ceiling, hceil(h))                                                                      \
    X(half_nearest, hrint(h))                                                                      \
    X(pair_fused, __hfma2(p, q, p))                                                                \
    X(pair_less, __hlt2(p, q))                                                                     \
    X(pair_unordered, __hneu2(p, q))                                                               \
    X(pair_mask, __hge2_mask(p, q))                                                                \
    X(pair_swapped, __lowhigh2highlow(__hneg2(p)))                                                 \
    X(bf16_sum, b + c)                                                                             \
    X(bf16_fused, __hfma(b, c, d))                                                                 \
    X(bf16_of_float_up, __float2bfloat16_ru(x))                                                    \
    X(bf16_to_int, (unsigned)__bfloat162int_rz(b))                                                 \
    X(e4m3_of_float, (unsigned)__nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E4M3))                \
    X(e4m3_of_float_free, (unsigned)__nv_cvt_float_to_fp8(x, __NV_NOSAT, __NV_E4M3))               \
    X(e5m2_of_float, (unsigned)__nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E5M2))                \
    X(half_of_e4m3, bits_of(__half(__nv_cvt_fp8_to_halfraw((unsigned char)i, __NV_E4M3))))         \
    X(half_of_e5m2, bits_of(__half(__nv_cvt_fp8_to_halfraw((unsigned char)i, __NV_E5M2))))
CASES(CASE)

#define RUN(name, expression)                                                                      \
    cudaMemset(sum, 0, sizeof *sum);                                                               \
    name<<<64, 1024>>>(sum);                                                                       \
    cudaMemcpy(&total, sum, sizeof total, cudaMemcpyDeviceToHost);                                 \
    printf("%-22s %016llx\n", #name, total);

int main()
{
    unsigned long long *sum, total = 0;
    cudaMalloc(&sum, sizeof *sum);
    CASES(RUN)
    cudaFree(sum);
    return cudaGetLastError() != cudaSuccess;
}
