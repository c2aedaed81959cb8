// SPDX-License-Identifier: MIT
// Floats of 16 bits, one by one: rounding in any direction, a product and a sum rounded once,
// saturation, and functions. CUDA Math API, "Half Precision Intrinsics" and "Bfloat16 Precision
// Intrinsics".
#ifndef RD_HALF_SCALAR_HPP
#define RD_HALF_SCALAR_HPP

#include "reductio_half.hpp"

// The neighbour towards infinity or minus infinity.
template <class H> RD_INLINE H rd_step(H x, bool up)
{
    unsigned short bits = x.rd_half.bits;
    if ((bits & 0x7fff) == 0)
        bits = up ? 0x0001 : 0x8001;
    else
        bits = (unsigned short)(bits + (((bits & 0x8000) == 0) == up ? 1 : -1));
    x.rd_half.bits = bits;
    return x;
}
enum rd_direction { RD_NEAREST, RD_TO_ZERO, RD_UP, RD_DOWN };
// A float that lies where x does, beside all numbers of 16 bits, is rounded.
template <class H, class X> RD_INLINE H rd_rounded(X x, rd_direction direction)
{
    const float wanted = rd_odd(x);
    H near = H(wanted);
    const float got = near;
    if (direction == RD_TO_ZERO)
        direction = wanted < 0 ? RD_UP : RD_DOWN;
    if (direction == RD_UP && got < wanted)
        near = rd_step(near, true);
    if (direction == RD_DOWN && got > wanted)
        near = rd_step(near, false);
    return near;
}
// x * y + z as a double that rounds once more as if it had not been rounded: where it was, its last
// digit is odd.
RD_INLINE double rd_odd_sum(double product, double z)
{
    const volatile double sum = product + z;
    const volatile double part = sum - product;
    const volatile double rest = sum - part;
    const double error = (product - rest) + (z - part);
    union {
        double value;
        uint64_t bits;
    } both = {sum};
    if (error == 0 || sum - sum != 0 || (both.bits & 1))
        return sum;
    both.bits += (error > 0) == (sum > 0) ? 1 : -1;
    return both.value;
}
template <class H> RD_INLINE H rd_fused(H x, H y, H z)
{
    return H(rd_odd_sum((double)(float)x * (double)(float)y, (double)(float)z));
}
// Within 0 and 1; what is not a number is 0.
template <class H> RD_INLINE H rd_saturated(H x)
{
    const float value = x;
    return value > 0 ? value < 1 ? x : H(1.0f) : H(0.0f);
}
template <class H> RD_INLINE H rd_positive(H x)
{
    return (float)x > 0 || (float)x != (float)x ? x : H(0.0f);
}

#define RD_HALF_ROUNDINGS(H, T, from, to)                                                          \
    RD_INLINE H __##from##2##to##_rn(T x)                                                          \
    {                                                                                              \
        return rd_rounded<H>(x, RD_NEAREST);                                                       \
    }                                                                                              \
    RD_INLINE H __##from##2##to##_rz(T x)                                                          \
    {                                                                                              \
        return rd_rounded<H>(x, RD_TO_ZERO);                                                       \
    }                                                                                              \
    RD_INLINE H __##from##2##to##_ru(T x)                                                          \
    {                                                                                              \
        return rd_rounded<H>(x, RD_UP);                                                            \
    }                                                                                              \
    RD_INLINE H __##from##2##to##_rd(T x)                                                          \
    {                                                                                              \
        return rd_rounded<H>(x, RD_DOWN);                                                          \
    }
#define RD_HALF_TO_INTEGER(H, T, from, to)                                                         \
    RD_INLINE T __##from##2##to##_rn(H x)                                                          \
    {                                                                                              \
        return rd_convert<T, float>(std::nearbyint((float)x));                                     \
    }                                                                                              \
    RD_INLINE T __##from##2##to##_rz(H x)                                                          \
    {                                                                                              \
        return rd_convert<T, float>(std::trunc((float)x));                                         \
    }                                                                                              \
    RD_INLINE T __##from##2##to##_ru(H x)                                                          \
    {                                                                                              \
        return rd_convert<T, float>(std::ceil((float)x));                                          \
    }                                                                                              \
    RD_INLINE T __##from##2##to##_rd(H x)                                                          \
    {                                                                                              \
        return rd_convert<T, float>(std::floor((float)x));                                         \
    }
#define RD_HALF_INTEGER(H, T, integer, half)                                                       \
    RD_HALF_ROUNDINGS(H, T, integer, half)                                                         \
    RD_HALF_TO_INTEGER(H, T, half, integer)
// Written out: an argument that is a macro's name must not be expanded before it is pasted.
#define RD_HALF_CONVERSIONS(H, half)                                                               \
    RD_HALF_INTEGER(H, int, int, half)                                                             \
    RD_HALF_INTEGER(H, unsigned, uint, half)                                                       \
    RD_HALF_INTEGER(H, short, short, half)                                                         \
    RD_HALF_INTEGER(H, unsigned short, ushort, half)                                               \
    RD_HALF_INTEGER(H, long long, ll, half)                                                        \
    RD_HALF_INTEGER(H, unsigned long long, ull, half)                                              \
    RD_HALF_ROUNDINGS(H, float, float, half)                                                       \
    RD_INLINE H __float2##half(float x)                                                            \
    {                                                                                              \
        return x;                                                                                  \
    }                                                                                              \
    RD_INLINE H __double2##half(double x)                                                          \
    {                                                                                              \
        return x;                                                                                  \
    }                                                                                              \
    RD_INLINE float __##half##2float(H x)                                                          \
    {                                                                                              \
        return x;                                                                                  \
    }

// hexp and the like are computed as floats, and rounded.
#define RD_HALF_FUNCTION(H, name, expression)                                                      \
    RD_INLINE H name(H rd_half_value)                                                              \
    {                                                                                              \
        const float x = rd_half_value;                                                             \
        return H((float)(expression));                                                             \
    }
#define RD_HALF_FUNCTIONS(H)                                                                       \
    RD_HALF_FUNCTION(H, hexp, ::expf(x))                                                           \
    RD_HALF_FUNCTION(H, hexp2, ::exp2f(x))                                                         \
    RD_HALF_FUNCTION(H, hexp10, ::exp10f(x))                                                       \
    RD_HALF_FUNCTION(H, hlog, ::logf(x))                                                           \
    RD_HALF_FUNCTION(H, hlog2, ::log2f(x))                                                         \
    RD_HALF_FUNCTION(H, hlog10, ::log10f(x))                                                       \
    RD_HALF_FUNCTION(H, hsqrt, __builtin_sqrtf(x))                                                 \
    RD_HALF_FUNCTION(H, hrsqrt, 1 / __builtin_sqrtf(x))                                            \
    RD_HALF_FUNCTION(H, hrcp, 1 / x)                                                               \
    RD_HALF_FUNCTION(H, hsin, ::sinf(x))                                                           \
    RD_HALF_FUNCTION(H, hcos, ::cosf(x))                                                           \
    RD_HALF_FUNCTION(H, htanh, ::tanhf(x))                                                         \
    RD_HALF_FUNCTION(H, htanh_approx, ::tanhf(x))                                                  \
    RD_HALF_FUNCTION(H, hceil, std::ceil(x))                                                       \
    RD_HALF_FUNCTION(H, hfloor, std::floor(x))                                                     \
    RD_HALF_FUNCTION(H, htrunc, std::trunc(x))                                                     \
    RD_HALF_FUNCTION(H, hrint, std::nearbyint(x))                                                  \
    RD_INLINE H __hfma(H x, H y, H z)                                                              \
    {                                                                                              \
        return rd_fused(x, y, z);                                                                  \
    }                                                                                              \
    RD_INLINE H __hfma_sat(H x, H y, H z)                                                          \
    {                                                                                              \
        return rd_saturated(rd_fused(x, y, z));                                                    \
    }                                                                                              \
    RD_INLINE H __hfma_relu(H x, H y, H z)                                                         \
    {                                                                                              \
        return rd_positive(rd_fused(x, y, z));                                                     \
    }                                                                                              \
    RD_INLINE H __hadd_sat(H x, H y)                                                               \
    {                                                                                              \
        return rd_saturated(x + y);                                                                \
    }                                                                                              \
    RD_INLINE H __hsub_sat(H x, H y)                                                               \
    {                                                                                              \
        return rd_saturated(x - y);                                                                \
    }                                                                                              \
    RD_INLINE H __hmul_sat(H x, H y)                                                               \
    {                                                                                              \
        return rd_saturated(x * y);                                                                \
    }                                                                                              \
    RD_INLINE H __hmax_nan(H x, H y)                                                               \
    {                                                                                              \
        return __hisnan(x) || __hisnan(y) ? H(__builtin_nanf("")) : __hmax(x, y);                  \
    }                                                                                              \
    RD_INLINE H __hmin_nan(H x, H y)                                                               \
    {                                                                                              \
        return __hisnan(x) || __hisnan(y) ? H(__builtin_nanf("")) : __hmin(x, y);                  \
    }                                                                                              \
    RD_INLINE int __hisinf(H x)                                                                    \
    {                                                                                              \
        return std::isinf((float)x) ? (float)x > 0 ? 1 : -1 : 0;                                   \
    }                                                                                              \
    RD_INLINE bool __hequ(H x, H y)                                                                \
    {                                                                                              \
        return !((float)x < (float)y || (float)x > (float)y);                                      \
    }                                                                                              \
    RD_INLINE bool __hltu(H x, H y)                                                                \
    {                                                                                              \
        return !(x >= y);                                                                          \
    }                                                                                              \
    RD_INLINE bool __hleu(H x, H y)                                                                \
    {                                                                                              \
        return !(x > y);                                                                           \
    }                                                                                              \
    RD_INLINE bool __hgtu(H x, H y)                                                                \
    {                                                                                              \
        return !(x <= y);                                                                          \
    }                                                                                              \
    RD_INLINE bool __hgeu(H x, H y)                                                                \
    {                                                                                              \
        return !(x < y);                                                                           \
    }                                                                                              \
    RD_INLINE H &operator++(H &x)                                                                  \
    {                                                                                              \
        return x += H(1.0f);                                                                       \
    }                                                                                              \
    RD_INLINE H &operator--(H &x)                                                                  \
    {                                                                                              \
        return x -= H(1.0f);                                                                       \
    }                                                                                              \
    RD_INLINE H operator+(H x)                                                                     \
    {                                                                                              \
        return x;                                                                                  \
    }

#endif
