// SPDX-License-Identifier: MIT
// CUDA's floats of 8 bits: storage that is converted. Open Compute Project, "8-bit Floating Point
// Specification": E4M3 has no infinity, and its largest number is 448; E5M2 is the upper half of a
// half.
#ifndef RD_CUDA_FP8_H
#define RD_CUDA_FP8_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

RD_INLINE __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturation,
                                                    __nv_fp8_interpretation_t kind)
{
    const int mantissa = kind == __NV_E4M3 ? 3 : 2, bias = kind == __NV_E4M3 ? 7 : 15;
    const double most = kind == __NV_E4M3 ? 448 : 57344;
    const unsigned sign = std::signbit(x) ? 0x80 : 0, none = 0x7f;
    const unsigned top = kind == __NV_E4M3 ? 0x7e : 0x7b, beyond = kind == __NV_E4M3 ? none : 0x7c;
    double size = std::fabs(x);
    if (x != x)
        return (__nv_fp8_storage_t)none;
    int exponent = size > 0 ? std::ilogb(size) : -1000;
    exponent = exponent < 1 - bias ? 1 - bias : exponent;
    const double unit = std::ldexp(1.0, exponent - mantissa);
    size = std::isinf(size) ? size : std::nearbyint(size / unit) * unit;
    if (size > most)
        return (__nv_fp8_storage_t)(sign | (saturation == __NV_SATFINITE ? top : beyond));
    // A carry of the rounding goes into the exponent by itself.
    const unsigned digits = (unsigned)(size / unit);
    return (__nv_fp8_storage_t)(sign | (((unsigned)(exponent + bias - 1) << mantissa) + digits));
}
RD_INLINE float rd_fp8_value(__nv_fp8_storage_t bits, __nv_fp8_interpretation_t kind)
{
    const int mantissa = kind == __NV_E4M3 ? 3 : 2, bias = kind == __NV_E4M3 ? 7 : 15;
    const int exponent = (bits & 0x7f) >> mantissa, digits = bits & ((1 << mantissa) - 1);
    float size = exponent == 0
                     ? std::ldexp((float)digits, 1 - bias - mantissa)
                     : std::ldexp((float)(digits + (1 << mantissa)), exponent - bias - mantissa);
    if (kind == __NV_E4M3 ? (bits & 0x7f) == 0x7f : exponent == 31)
        size = kind == __NV_E5M2 && digits == 0 ? __builtin_inff() : __builtin_nanf("");
    return bits & 0x80 ? -size : size;
}
RD_INLINE __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturation,
                                                   __nv_fp8_interpretation_t kind)
{
    return __nv_cvt_double_to_fp8(x, saturation, kind);
}
RD_INLINE __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t saturation,
                                                     __nv_fp8_interpretation_t kind)
{
    return __nv_cvt_double_to_fp8((float)__half(x), saturation, kind);
}
RD_INLINE __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x,
                                                         __nv_saturation_t saturation,
                                                         __nv_fp8_interpretation_t kind)
{
    return __nv_cvt_double_to_fp8((float)__nv_bfloat16(x), saturation, kind);
}
RD_INLINE __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind)
{
    return __half(rd_fp8_value(x, kind));
}
RD_INLINE __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 x, __nv_saturation_t saturation,
                                                        __nv_fp8_interpretation_t kind)
{
    return (__nv_fp8x2_storage_t)(__nv_cvt_float_to_fp8(x.x, saturation, kind) |
                                  __nv_cvt_float_to_fp8(x.y, saturation, kind) << 8);
}
RD_INLINE __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x,
                                                 __nv_fp8_interpretation_t kind)
{
    return {__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)x, kind).x,
            __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x >> 8), kind).x};
}

#define RD_FP8(name, kind)                                                                         \
    struct name {                                                                                  \
        __nv_fp8_storage_t __x;                                                                    \
        name() = default;                                                                          \
        template <class T, class = decltype((double)(float)std::declval<T>())>                     \
        explicit name(T x) : __x(__nv_cvt_double_to_fp8((double)x, __NV_SATFINITE, kind))          \
        {                                                                                          \
        }                                                                                          \
        operator float() const                                                                     \
        {                                                                                          \
            return rd_fp8_value(__x, kind);                                                        \
        }                                                                                          \
    };
#define RD_FP8_LANE(bits, k, kind) rd_fp8_value((__nv_fp8_storage_t)((bits) >> 8 * (k)), kind)
#define RD_FP8_PAIR(name, kind)                                                                    \
    struct name {                                                                                  \
        __nv_fp8x2_storage_t __x;                                                                  \
        name() = default;                                                                          \
        explicit name(float2 x) : __x(__nv_cvt_float2_to_fp8x2(x, __NV_SATFINITE, kind))           \
        {                                                                                          \
        }                                                                                          \
        explicit operator float2() const                                                           \
        {                                                                                          \
            return {RD_FP8_LANE(__x, 0, kind), RD_FP8_LANE(__x, 1, kind)};                         \
        }                                                                                          \
    };
#define RD_FP8_FOUR(name, kind)                                                                    \
    struct name {                                                                                  \
        __nv_fp8x4_storage_t __x;                                                                  \
        name() = default;                                                                          \
        explicit name(float4 x)                                                                    \
            : __x((unsigned)__nv_cvt_float2_to_fp8x2({x.x, x.y}, __NV_SATFINITE, kind) |           \
                  (unsigned)__nv_cvt_float2_to_fp8x2({x.z, x.w}, __NV_SATFINITE, kind) << 16)      \
        {                                                                                          \
        }                                                                                          \
        explicit operator float4() const                                                           \
        {                                                                                          \
            return {RD_FP8_LANE(__x, 0, kind), RD_FP8_LANE(__x, 1, kind),                          \
                    RD_FP8_LANE(__x, 2, kind), RD_FP8_LANE(__x, 3, kind)};                         \
        }                                                                                          \
    };
RD_FP8(__nv_fp8_e4m3, __NV_E4M3)
RD_FP8(__nv_fp8_e5m2, __NV_E5M2)
RD_FP8_PAIR(__nv_fp8x2_e4m3, __NV_E4M3)
RD_FP8_PAIR(__nv_fp8x2_e5m2, __NV_E5M2)
RD_FP8_FOUR(__nv_fp8x4_e4m3, __NV_E4M3)
RD_FP8_FOUR(__nv_fp8x4_e5m2, __NV_E5M2)

#endif
