// SPDX-License-Identifier: MIT
// Floats in inline PTX and in CUDA's mathematics, where digits, subnormal numbers and NaNs are lost or kept: bits as the PTX
// ISA and the CUDA Math API have them.
#include <cstdint>
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ unsigned wrong;

__device__ void expect(int line, uint64_t actual, uint64_t expected)
{
    if (actual == expected)
        return;
    printf("line %d: %llx, not %llx\n", line, (unsigned long long)actual,
           (unsigned long long)expected);
    atomicAdd(&wrong, 1u);
}
#define EXPECT(actual, expected) expect(__LINE__, actual, expected)

// The bits that an instruction makes of bits: a register for each letter.
#define PTX1(text, to, T, expected, letter, x)                                                     \
    do {                                                                                           \
        T y = 0;                                                                                   \
        asm(text " %0, %1;" : "=" to(y) : letter(x));                                              \
        EXPECT(y, expected);                                                                       \
    } while (0)
#define PTX2(text, to, T, expected, letter, x1, x2)                                                \
    do {                                                                                           \
        T y = 0;                                                                                   \
        asm(text " %0, %1, %2;" : "=" to(y) : letter(x1), letter(x2));                             \
        EXPECT(y, expected);                                                                       \
    } while (0)
#define PTX3(text, to, T, expected, letter, x1, x2, x3)                                            \
    do {                                                                                           \
        T y = 0;                                                                                   \
        asm(text " %0, %1, %2, %3;" : "=" to(y) : letter(x1), letter(x2), letter(x3));             \
        EXPECT(y, expected);                                                                       \
    } while (0)
typedef unsigned short u16;
typedef unsigned long long u64;

__global__ void nan_to_integers(u16 half, unsigned single, u64 wide)
{
    PTX1("cvt.rzi.s32.f32", "r", unsigned, 0u, "r", single);
    PTX1("cvt.rni.u32.f32", "r", unsigned, 0u, "r", single);
    PTX1("cvt.rmi.u16.f32", "h", u16, 0u, "r", single);
    PTX1("cvt.rzi.s32.f16", "r", unsigned, 0u, "h", half);
    PTX1("cvt.rzi.s64.f32", "l", u64, 1ull << 63, "r", single);
    PTX1("cvt.rpi.u64.f32", "l", u64, 1ull << 63, "r", single);
    PTX1("cvt.rni.s64.f16", "l", u64, 1ull << 63, "h", half);
    PTX1("cvt.rzi.s64.f64", "l", u64, 1ull << 63, "l", wide);
    PTX1("cvt.rzi.u64.f64", "l", u64, 1ull << 63, "l", wide);
    PTX1("cvt.rni.s32.f64", "r", unsigned, 1u << 31, "l", wide);
    PTX1("cvt.rzi.u32.f64", "r", unsigned, 1u << 31, "l", wide);
    PTX1("cvt.rzi.s16.f64", "h", u16, 1u << 15, "l", wide);
    PTX1("cvt.rzi.u16.f64", "h", u16, 1u << 15, "l", wide);
}

// Of f32: -s is the least number below 0, t the largest subnormal one. Of f16 likewise.
__global__ void flushed(unsigned s, unsigned t, u16 hs, u16 ht)
{
    const unsigned one = 0x3f800000, zero = 0x80000000;
    PTX2("min.ftz.f32", "r", unsigned, zero, "r", s, one);
    PTX2("max.ftz.f32", "r", unsigned, zero, "r", s, one | zero);
    PTX2("max.ftz.NaN.f32", "r", unsigned, 0u, "r", s, t);
    PTX2("min.f32", "r", unsigned, s, "r", s, t);
    PTX1("abs.ftz.f32", "r", unsigned, 0u, "r", s);
    PTX1("neg.ftz.f32", "r", unsigned, 0u, "r", s);
    PTX1("neg.f32", "r", unsigned, 1u, "r", s);
    PTX3("slct.ftz.u32.f32", "r", unsigned, 1u, "r", 1, 2, s);
    PTX3("slct.u32.f32", "r", unsigned, 2u, "r", 1, 2, s);
    PTX2("set.eq.ftz.u32.f32", "r", unsigned, ~0u, "r", s, t);
    PTX2("set.eq.u32.f32", "r", unsigned, 0u, "r", s, t);
    PTX2("add.ftz.f32", "r", unsigned, one, "r", t, one);
    PTX2("mul.rn.ftz.f32", "r", unsigned, zero, "r", 0x00800000u, 0xbf000000u);
    PTX1("rcp.rn.ftz.f32", "r", unsigned, 0xff800000u, "r", s);
    PTX1("cvt.ftz.f64.f32", "l", u64, 1ull << 63, "r", s);
    PTX1("cvt.rn.ftz.f32.f64", "r", unsigned, 0u, "l", 0x3800000000000000ull); // 2^-127
    PTX1("cvt.rn.f32.f64", "r", unsigned, 0x00400000u, "l", 0x3800000000000000ull);
    PTX1("cvt.ftz.f32.f16", "r", unsigned, 0x33800000u, "h", (u16)1); // 2^-24: normal as an f32
    PTX1("cvt.rn.ftz.bf16.f32", "h", u16, 0x8000u, "r", 0x80400000u);
    PTX1("cvt.rpi.ftz.s32.f32", "r", unsigned, 0u, "r", t);
    PTX1("cvt.rpi.s32.f32", "r", unsigned, 1u, "r", t);
    PTX2("min.ftz.f16", "h", u16, 0x8000u, "h", hs, (u16)0x3c00);
    PTX1("abs.ftz.f16", "h", u16, 0u, "h", hs);
    PTX1("neg.ftz.f16x2", "r", unsigned, 0x80000000u, "r", (unsigned)ht << 16 | hs);
    PTX2("max.ftz.f16x2", "r", unsigned, 0x3c000000u, "r", 0x3c000001u, 0x80018001u);
    PTX2("add.rn.ftz.f16", "h", u16, 0x0400u, "h", ht, (u16)0x0400);
    PTX2("add.rn.f16", "h", u16, 0x07ffu, "h", ht, (u16)0x0400);
    PTX2("mul.rn.ftz.f16", "h", u16, 0x8000u, "h", (u16)0x0400, (u16)0xb800);
    PTX3("fma.rn.ftz.f16", "h", u16, 0u, "h", ht, (u16)0x3c00, (u16)0);
    PTX2("set.eq.ftz.u32.f16", "r", unsigned, ~0u, "h", hs, ht);
}

__global__ void nan_kept(u16 half, unsigned single)
{
    const u16 one = 0x3c00;
    PTX3("fma.rn.relu.f16", "h", u16, 0x7fffu, "h", half, one, one);
    PTX3("fma.rn.relu.f16x2", "r", unsigned, 0x7fff0000u, "r", (unsigned)half << 16 | 0xbc00u,
         0x3c003c00u, 0u);
    PTX3("fma.rn.relu.bf16", "h", u16, 0x7fffu, "h", (u16)0x7fc0, (u16)0x3f80, (u16)0x3f80);
    PTX3("fma.rn.relu.bf16", "h", u16, 0u, "h", (u16)0x3f80, (u16)0xbf80, (u16)0);
    PTX3("fma.rn.relu.bf16", "h", u16, 0x3f80u, "h", (u16)0x3f80, (u16)0x3f80, (u16)0);
    PTX1("cvt.rn.relu.f16.f32", "h", u16, 0x7fffu, "r", single);
    PTX1("cvt.rz.relu.bf16.f32", "h", u16, 0x7fffu, "r", single);
    PTX1("cvt.rn.relu.f16.f32", "h", u16, 0u, "r", 0xbf800000u);
    PTX2("cvt.rn.relu.f16x2.f32", "r", unsigned, 0x7fff0000u, "r", single, 0xbf800000u);
    PTX2("cvt.rn.relu.bf16x2.f32", "r", unsigned, 0x3f807fffu, "r", 0x3f800000u, single);
    PTX2("max.NaN.f16", "h", u16, 0x7fffu, "h", half, one);
    PTX2("min.NaN.bf16x2", "r", unsigned, 0x7fff3f80u, "r", 0x7fc03f80u, 0x40004000u);
}

__global__ void rounded_once(u64 n, u64 m)
{
    // 1 + 2^-7, 1.5 and -2^-100: a hair below the middle of two numbers.
    PTX3("fma.rn.bf16", "h", u16, 0x3fc1u, "h", (u16)0x3f81, (u16)0x3fc0, (u16)0x8d80);
    PTX3("fma.rn.bf16", "h", u16, 0x3fc2u, "h", (u16)0x3f81, (u16)0x3fc0, (u16)0x0d80);
    PTX3("fma.rn.bf16x2", "r", unsigned, 0x3fc13fc2u, "r", 0x3f813f81u, 0x3fc03fc0u, 0x8d800d80u);
    // n is 2^63 + 2^55 + 1, as a signed number -2^63 + 2^55 + 1; m is 2^62 - 1.
    PTX1("cvt.rn.bf16.u64", "h", u16, 0x5f01u, "l", n);
    PTX1("cvt.rn.bf16.s64", "h", u16, 0xdefeu, "l", n - 1 + (1ull << 54));
    PTX1("cvt.rn.bf16.s64", "h", u16, 0xdeffu, "l", (1ull << 63) + (1ull << 54) + 1);
    PTX1("cvt.rn.bf16.s64", "h", u16, 0x5e80u, "l", m);
    PTX1("cvt.rz.bf16.s64", "h", u16, 0x5e7fu, "l", m);
    PTX1("cvt.rm.bf16.s64", "h", u16, 0x5e7fu, "l", m);
    PTX1("cvt.rp.bf16.s64", "h", u16, 0x5e81u, "l", m + 2);
    PTX1("cvt.rz.tf32.f32", "r", unsigned, 0x3f800000u, "r", 0x3f801fffu);
    PTX1("cvt.rz.tf32.f32", "r", unsigned, 0xbf800000u, "r", 0xbf801fffu);
    PTX1("cvt.rn.tf32.f32", "r", unsigned, 0x3f802000u, "r", 0x3f801fffu);
    PTX1("cvt.rna.tf32.f32", "r", unsigned, 0x3f802000u, "r", 0x3f801000u);
    PTX1("rcp.approx.ftz.f64", "l", u64, 0x7ff0000000000000ull, "l", 1ull);
}

#define BITS(x) __bfloat16_as_ushort(x)
__global__ void halves_of_integers(u64 n, long long m)
{
    EXPECT(BITS(__ull2bfloat16_rn(n)), 0x5f01);
    EXPECT(BITS(__nv_bfloat16(n)), 0x5f01);
    EXPECT(BITS(__ull2bfloat16_rz(n)), 0x5f00);
    EXPECT(BITS(__ull2bfloat16_ru(n)), 0x5f01);
    EXPECT(BITS(__ll2bfloat16_rn(m)), 0x5e80);
    EXPECT(BITS(__nv_bfloat16(m)), 0x5e80);
    EXPECT(BITS(__ll2bfloat16_rz(m)), 0x5e7f);
    EXPECT(BITS(__ll2bfloat16_rd(m)), 0x5e7f);
    EXPECT(BITS(__ll2bfloat16_ru(m + 2)), 0x5e81);
    EXPECT(BITS(__ll2bfloat16_rz(-m)), 0xde7f);
    EXPECT(BITS(__ll2bfloat16_ru(-m)), 0xde7f);
    EXPECT(BITS(__ll2bfloat16_rd(-m)), 0xde80);
    EXPECT(BITS(__ll2bfloat16_rd(-m - 2)), 0xde81);
    EXPECT(BITS(__uint2bfloat16_rz(~0u)), 0x4f7f);
    EXPECT(__half_as_ushort(__ull2half_rn(2049)), 0x6800);
    EXPECT(__half_as_ushort(__ull2half_rn(n)), 0x7c00);
    EXPECT(__half_as_ushort(__ull2half_rz(n)), 0x7bff);
    EXPECT(__half_as_ushort(__ll2half_rd(-2049)), 0xe801);
    EXPECT(__half_as_ushort(__half((long long)-7)), 0xc700);
}

__device__ bool near(double x, double y, double error)
{
    return fabs(x - y) <= error * fabs(y);
}

__global__ void functions(float zero, double large)
{
    float s, c;
    double wide_s, wide_c;
    EXPECT(__float_as_uint(sinpif(1.0f + zero)), 0u);
    EXPECT(__float_as_uint(sinpif(-1.0f + zero)), 0x80000000u);
    EXPECT(__float_as_uint(sinpif(8388609.0f + zero)), 0u);
    EXPECT(__float_as_uint(cospif(0.5f + zero)), 0u);
    EXPECT(__float_as_uint(cospif(-1.5f + zero)), 0u);
    EXPECT(__float_as_uint(cospif(8388609.0f + zero)), 0xbf800000u);
    EXPECT(sinpi(1e15 + 0.5 + zero) == 1, 1);
    EXPECT(sinpi(large) == 0 && cospi(large) == 1, 1);
    EXPECT(sinpi(2.5 + zero) == 1 && sinpi(3.5 + zero) == -1 && cospi(3.0 + zero) == -1, 1);
    EXPECT(near(sinpi(0.25 + zero), 0.70710678118654752, 1e-15), 1);
    EXPECT(near(cospi(-2.75 + zero), -0.70710678118654752, 1e-15), 1);
    EXPECT(near(sinpi(1e6 + 1.0 / 1024), 0.0030679567629659763, 1e-15), 1);
    EXPECT(isnan(sinpi(large * large)) && isnan(cospif(INFINITY + zero)), 1);
    sincospif(1.0f + zero, &s, &c);
    EXPECT(s == 0 && c == -1, 1);
    sincospi(-0.5 + zero, &wide_s, &wide_c);
    EXPECT(wide_s == -1 && wide_c == 0, 1);
    EXPECT(near(norm3df(1e30f + zero, 1e30f, 1e30f), 1.7320508e30, 1e-6), 1);
    EXPECT(near(rnorm3df(1e30f + zero, 1e30f, 1e30f), 5.7735027e-31, 1e-6), 1);
    EXPECT(near(norm3d(large, large, large), 1.7320508075688772 * large, 1e-15), 1);
    EXPECT(near(rnorm3d(large, large, large), 0.57735026918962576 / large, 1e-15), 1);
    EXPECT(near(norm4df(1e-30f + zero, 1e-30f, 1e-30f, 1e-30f), 2e-30, 1e-6), 1);
    EXPECT(near(norm4d(large, -large, large, large), 2 * large, 1e-15), 1);
    EXPECT(near(rnorm4d(1 / large, 0, 0, 0), large, 1e-15), 1);
    EXPECT(near(rhypotf(3e38f + zero, 3e38f), 2.3570226e-39, 1e-5), 1);
    EXPECT(isinf(norm3d(NAN, INFINITY + zero, 0)) && isnan(norm3d(NAN, zero, 0)), 1);
    EXPECT(__float_as_uint(__frsqrt_rn(__uint_as_float(0x3f800001))), 0x3f7fffffu);
    const double parts[] = {1.2e308, 1.2e308}, no_number[] = {NAN + zero};
    EXPECT(near(norm(2, parts), 1.6970562748477140e308, 1e-15), 1);
    EXPECT(isnan(norm(1, no_number)), 1);
}

// The number of its arguments, not of its characters.
__global__ void printing(int *out)
{
    out[0] = printf("%d %s, ", 5, "and") * 10 + printf("%5.2f\n", 1.5);
    out[1] = printf("a line without arguments\n");
}

int main()
{
    unsigned bad = 0;
    int counts[2], *out;
    cudaMalloc(&out, sizeof counts);
    nan_to_integers<<<1, 1>>>(0x7e00, 0x7fc00000, 0x7ff8000000000000ull);
    flushed<<<1, 1>>>(0x80000001, 0x007fffff, 0x8001, 0x03ff);
    nan_kept<<<1, 1>>>(0x7e00, 0x7fc00000);
    rounded_once<<<1, 1>>>((1ull << 63) + (1ull << 55) + 1, (1ull << 62) - 1);
    halves_of_integers<<<1, 1>>>((1ull << 63) + (1ull << 55) + 1, (1ll << 62) - 1);
    functions<<<1, 1>>>(0, 1e300);
    cudaMemcpyFromSymbol(&bad, wrong, sizeof bad);
    puts(bad ? "wrong" : "right");
    printing<<<1, 1>>>(out);
    cudaMemcpy(counts, out, sizeof counts, cudaMemcpyDeviceToHost);
    printf("%d %d\n", counts[0], counts[1]);
    cudaFree(out);
    return counts[0] != 21 || counts[1] != 0;
}
