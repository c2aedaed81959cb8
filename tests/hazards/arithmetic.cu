// SPDX-License-Identifier: MIT
// Arithmetic where it is easily wrong: what is no number, one rounding or two, and the ways of rounding.
#include <assert.h>
#include <math_constants.h>

// The parameters are known to no compiler.
// run extremes: --grid 1 --block 1 --arg 1 --arg 0.0 --arg 0.0
// want extremes: clean
__global__ void extremes(int one, float f, double d)
{
    float nan = CUDART_NAN_F * one;
    double wide_nan = CUDART_NAN * one;
    assert(min(nan, 2.0f + f) == 2 && min(2.0f + f, nan) == 2 && isnan(min(nan, nan)));
    assert(max(nan, 2.0f + f) == 2 && max(2.0f + f, nan) == 2 && isnan(max(nan, nan)));
    assert(min(wide_nan, 2 + d) == 2 && max(2 + d, wide_nan) == 2 && max(wide_nan, 2 + d) == 2);
    assert(fminf(nan, 3.0f + f) == 3 && fmaxf(3.0f + f, nan) == 3 && fmin(wide_nan, 3 + d) == 3);
    assert(min(-CUDART_INF_F * one, 1.0f + f) < -1e38f && max(CUDART_INF * one, 1 + d) > 1e300);
    assert(min(-one, one) == -1 && max(-one, one) == 1 && min(0u - one, 1u) == 1);
    assert(min(-1ll * one, 1ll) == -1 && max(0ull - one, 1ull) == 0ull - 1);
    assert(min(0x7fffffff + 0 * one, -0x7fffffff - 1) == -0x7fffffff - 1);
}

// One rounding: the product's last bits count.
// run fused: --grid 1 --block 1 --arg 1 --arg 0.0 --arg 0.0
// want fused: clean
__global__ void fused(int one, float f, double d)
{
    float a = 1 + 0x1p-12f * one, b = a * a;
    assert(fmaf(a, a, -b) == 0x1p-24f && __fmaf_rn(a, a, -b) == 0x1p-24f && a * a - b == 0);
    double x = 1 + 0x1p-27 * one, y = x * x;
    assert(fma(x, x, -y) == 0x1p-54 && __fma_rn(x, x, -y) == 0x1p-54);
    assert(__fadd_rn(__fmul_rn(a, a), -b + f) == 0 && __dadd_rn(__dmul_rn(x, x), -y + d) == 0);
}

// To the nearest, towards zero, up, down: 1 + a bit that has no place.
// run roundings: --grid 1 --block 1 --arg 1
// want roundings: clean
__global__ void roundings(int one)
{
    float x = one, bit = 0x1p-30f * one, up = 1 + 0x1p-23f, down = 1 - 0x1p-24f;
    assert(__fadd_rn(x, bit) == 1 && __fadd_rz(x, bit) == 1 && __fadd_rd(x, bit) == 1);
    assert(__fadd_ru(x, bit) == up && __fadd_rd(-x, -bit) == -up && __fadd_rz(-x, -bit) == -1);
    assert(__fsub_rz(x, bit) == down && __fsub_ru(x, bit) == 1 && __fsub_rd(x, bit) == down);
    assert(__fmul_ru(up, up) == 1 + 0x1p-21f - 0x1p-22f + 0x1p-23f && __fmul_rd(up, up) == 1 + 0x1p-22f);
    assert(__fdiv_ru(x, 3) > __fdiv_rd(x, 3) && __fdiv_rz(x, 3) == __fdiv_rd(x, 3));
    assert(__frcp_ru(3.0f * one) == __fdiv_ru(x, 3) && __frcp_rz(-3.0f * one) == -__fdiv_rd(x, 3));
    assert(__fsqrt_ru(2.0f * one) > __fsqrt_rd(2.0f * one) && __fsqrt_rz(2.0f * one) == __fsqrt_rd(2.0f * one));
    assert(__fmaf_ru(x, x, bit) == up && __fmaf_rz(x, x, -bit) == down && __fmaf_rd(x, x, bit) == 1);
    double y = one, small = 0x1p-60 * one, above = 1 + 0x1p-52, below = 1 - 0x1p-53;
    assert(__dadd_rn(y, small) == 1 && __dadd_ru(y, small) == above && __dadd_rz(y, -small) == below);
    assert(__dsub_rd(y, small) == below && __dsub_ru(y, small) == 1 && __dmul_ru(y, above) == above);
    assert(__ddiv_ru(y, 3) > __ddiv_rd(y, 3) && __drcp_ru(3.0 * one) == __ddiv_ru(y, 3));
    assert(__dsqrt_ru(2.0 * one) > __dsqrt_rz(2.0 * one) && __fma_ru(y, y, small) == above);
    assert(__int2float_rn(16777217 * one) == 16777216 && __int2float_ru(16777217 * one) == 16777218);
    assert(__int2float_rz(-16777217 * one) == -16777216 && __int2float_rd(-16777217 * one) == -16777218);
    assert(__double2float_ru(1 + small + 0x1p-40 * one) == up && __double2float_rz(1 + 0x1p-24 * one) == 1);
    assert(__ll2double_ru(9007199254740993ll * one) == 9007199254740994.0);
    assert(__ll2double_rz(9007199254740993ll * one) == 9007199254740992.0);
}

// Functions, not macros: an argument with a side effect has it once.
// run once_each: --grid 1 --block 1 --arg i32[1]:zero
// want once_each: clean
__global__ void once_each(int *a)
{
    int i = 1;
    unsigned u = 7;
    long l = -9;
    assert(min(i++, 3) == 1 && i == 2);
    assert(max(i--, 1) == 2 && i == 1);
    assert(min(-1, 2) == -1 && min(-1, u) == 7 && max(-1, 2u) == 0xffffffffu);
    assert(max(l, -1L) == -1 && min(1.5f, 2.0f) == 1.5f && max(2.5, 1.5f) == 2.5);
    a[min(__popc(u++), 0)] = i;
    assert(u == 8);
}

// An atomic sum of floats in global memory takes subnormal numbers for zeros of their sign, and gives none;
// in shared memory it does not, nor does one of doubles.
// run atomic_subnormals: --grid 1 --block 1 --arg f32[8]:zero --arg f64[2]:zero --arg f32[8]:zero --arg 1e-40 --arg 1e-310
// want atomic_subnormals: clean
__global__ void atomic_subnormals(float *sum, double *wide, float *out, float tiny, double wide_tiny)
{
    __shared__ float s;
    s = tiny;
    out[0] = atomicAdd(&sum[0], tiny);
    out[1] = atomicAdd(&sum[1], 0x1p-126f);
    out[2] = atomicAdd(&sum[1], -0x1.8p-126f);
    atomicAdd(&sum[2], -tiny);
    sum[3] = sum[4] = tiny;
    out[3] = atomicAdd(&sum[3], 0);
    atomicAdd(&sum[4], 1);
    atomicAdd_block(&sum[5], tiny);
    atomicAdd(&s, tiny);
    atomicAdd(&wide[0], wide_tiny);
    out[4] = s;
    assert(sum[0] == 0 && !signbit(sum[0]) && out[0] == 0 && out[1] == 0 && out[2] == 0x1p-126f);
    assert(sum[1] == 0 && signbit(sum[1]));
    assert(sum[2] == 0 && sum[3] == 0 && out[3] == tiny && sum[4] == 1 && sum[5] == 0);
    assert(out[4] == 2 * tiny && out[4] != 0 && wide[0] == wide_tiny && wide[0] != 0);
}
