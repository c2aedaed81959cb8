// SPDX-License-Identifier: MIT
// Pairs of floats of 16 bits: each of both by itself.
#ifndef RD_HALF_PAIRS_HPP
#define RD_HALF_PAIRS_HPP

#include "reductio_half_scalar.hpp"

#define RD_PAIR_TYPE(P, H, R)                                                                      \
    struct R {                                                                                     \
        unsigned short x, y;                                                                       \
    };                                                                                             \
    struct __attribute__((aligned(4))) P {                                                         \
        H x, y;                                                                                    \
        P() = default;                                                                             \
        P(const H &first, const H &second) : x(first), y(second)                                   \
        {                                                                                          \
        }                                                                                          \
        P(const R &raw)                                                                            \
        {                                                                                          \
            x.rd_half.bits = raw.x;                                                                \
            y.rd_half.bits = raw.y;                                                                \
        }                                                                                          \
        operator R() const                                                                         \
        {                                                                                          \
            return {x.rd_half.bits, y.rd_half.bits};                                               \
        }                                                                                          \
    };
#define RD_PAIR_1(P, name, function)                                                               \
    RD_INLINE P name(P x)                                                                          \
    {                                                                                              \
        return P(function(x.x), function(x.y));                                                    \
    }
#define RD_PAIR_2(P, name, function)                                                               \
    RD_INLINE P name(P x, P y)                                                                     \
    {                                                                                              \
        return P(function(x.x, y.x), function(x.y, y.y));                                          \
    }
#define RD_PAIR_3(P, name, function)                                                               \
    RD_INLINE P name(P x, P y, P z)                                                                \
    {                                                                                              \
        return P(function(x.x, y.x, z.x), function(x.y, y.y, z.y));                                \
    }
// 1 or 0 for each, true for both, and bits for each.
#define RD_PAIR_COMPARISON(P, H, name)                                                             \
    RD_INLINE P __h##name##2(P x, P y)                                                             \
    {                                                                                              \
        return P(H(__h##name(x.x, y.x) ? 1.0f : 0.0f), H(__h##name(x.y, y.y) ? 1.0f : 0.0f));      \
    }                                                                                              \
    RD_INLINE bool __hb##name##2(P x, P y)                                                         \
    {                                                                                              \
        return __h##name(x.x, y.x) && __h##name(x.y, y.y);                                         \
    }                                                                                              \
    RD_INLINE unsigned __h##name##2_mask(P x, P y)                                                 \
    {                                                                                              \
        return (__h##name(x.x, y.x) ? 0xffffu : 0) | (__h##name(x.y, y.y) ? 0xffff0000u : 0);      \
    }
#define RD_PAIR_OPERATOR(P, op)                                                                    \
    RD_INLINE P operator op(P x, P y)                                                              \
    {                                                                                              \
        return P(x.x op y.x, x.y op y.y);                                                          \
    }                                                                                              \
    RD_INLINE P &operator op##=(P &x, P y)                                                         \
    {                                                                                              \
        return x = x op y;                                                                         \
    }
#define RD_PAIR_RELATION(P, op)                                                                    \
    RD_INLINE bool operator op(P x, P y)                                                           \
    {                                                                                              \
        return x.x op y.x && x.y op y.y;                                                           \
    }
#define RD_PAIRS(P, H)                                                                             \
    RD_HALF_PAIR(P)                                                                                \
    RD_PAIR_OPERATOR(P, +)                                                                         \
    RD_PAIR_OPERATOR(P, -)                                                                         \
    RD_PAIR_OPERATOR(P, *)                                                                         \
    RD_PAIR_OPERATOR(P, /)                                                                         \
    RD_PAIR_RELATION(P, ==)                                                                        \
    RD_PAIR_RELATION(P, !=)                                                                        \
    RD_PAIR_RELATION(P, <)                                                                         \
    RD_PAIR_RELATION(P, <=)                                                                        \
    RD_PAIR_RELATION(P, >)                                                                         \
    RD_PAIR_RELATION(P, >=)                                                                        \
    RD_PAIR_2(P, __hadd2, __hadd)                                                                  \
    RD_PAIR_2(P, __hsub2, __hsub)                                                                  \
    RD_PAIR_2(P, __hmul2, __hmul)                                                                  \
    RD_PAIR_2(P, __h2div, __hdiv)                                                                  \
    RD_PAIR_2(P, __hadd2_rn, __hadd)                                                               \
    RD_PAIR_2(P, __hsub2_rn, __hsub)                                                               \
    RD_PAIR_2(P, __hmul2_rn, __hmul)                                                               \
    RD_PAIR_2(P, __hadd2_sat, __hadd_sat)                                                          \
    RD_PAIR_2(P, __hsub2_sat, __hsub_sat)                                                          \
    RD_PAIR_2(P, __hmul2_sat, __hmul_sat)                                                          \
    RD_PAIR_2(P, __hmin2, __hmin)                                                                  \
    RD_PAIR_2(P, __hmax2, __hmax)                                                                  \
    RD_PAIR_2(P, __hmin2_nan, __hmin_nan)                                                          \
    RD_PAIR_2(P, __hmax2_nan, __hmax_nan)                                                          \
    RD_PAIR_3(P, __hfma2, __hfma)                                                                  \
    RD_PAIR_3(P, __hfma2_sat, __hfma_sat)                                                          \
    RD_PAIR_3(P, __hfma2_relu, __hfma_relu)                                                        \
    RD_PAIR_1(P, __hneg2, __hneg)                                                                  \
    RD_PAIR_1(P, __habs2, __habs)                                                                  \
    RD_PAIR_1(P, operator-, __hneg)                                                                \
    RD_PAIR_1(P, h2exp, hexp)                                                                      \
    RD_PAIR_1(P, h2exp2, hexp2)                                                                    \
    RD_PAIR_1(P, h2exp10, hexp10)                                                                  \
    RD_PAIR_1(P, h2log, hlog)                                                                      \
    RD_PAIR_1(P, h2log2, hlog2)                                                                    \
    RD_PAIR_1(P, h2log10, hlog10)                                                                  \
    RD_PAIR_1(P, h2sqrt, hsqrt)                                                                    \
    RD_PAIR_1(P, h2rsqrt, hrsqrt)                                                                  \
    RD_PAIR_1(P, h2rcp, hrcp)                                                                      \
    RD_PAIR_1(P, h2sin, hsin)                                                                      \
    RD_PAIR_1(P, h2cos, hcos)                                                                      \
    RD_PAIR_1(P, h2tanh_approx, htanh_approx)                                                      \
    RD_PAIR_1(P, h2tanh, htanh)                                                                    \
    RD_PAIR_1(P, h2ceil, hceil)                                                                    \
    RD_PAIR_1(P, h2floor, hfloor)                                                                  \
    RD_PAIR_1(P, h2trunc, htrunc)                                                                  \
    RD_PAIR_1(P, h2rint, hrint)                                                                    \
    RD_PAIR_COMPARISON(P, H, eq)                                                                   \
    RD_PAIR_COMPARISON(P, H, ne)                                                                   \
    RD_PAIR_COMPARISON(P, H, lt)                                                                   \
    RD_PAIR_COMPARISON(P, H, le)                                                                   \
    RD_PAIR_COMPARISON(P, H, gt)                                                                   \
    RD_PAIR_COMPARISON(P, H, ge)                                                                   \
    RD_PAIR_COMPARISON(P, H, equ)                                                                  \
    RD_PAIR_COMPARISON(P, H, neu)                                                                  \
    RD_PAIR_COMPARISON(P, H, ltu)                                                                  \
    RD_PAIR_COMPARISON(P, H, leu)                                                                  \
    RD_PAIR_COMPARISON(P, H, gtu)                                                                  \
    RD_PAIR_COMPARISON(P, H, geu)                                                                  \
    RD_INLINE P __hisnan2(P x)                                                                     \
    {                                                                                              \
        return P(H(__hisnan(x.x) ? 1.0f : 0.0f), H(__hisnan(x.y) ? 1.0f : 0.0f));                  \
    }                                                                                              \
    RD_INLINE float __low2float(P x)                                                               \
    {                                                                                              \
        return x.x;                                                                                \
    }                                                                                              \
    RD_INLINE float __high2float(P x)                                                              \
    {                                                                                              \
        return x.y;                                                                                \
    }
// "half" is in the names of one type's functions what "bfloat16" is in those of the other's.
#define RD_PAIR_WORDS(P, H, half, half2)                                                           \
    RD_INLINE P __halves2##half2(H x, H y)                                                         \
    {                                                                                              \
        return P(x, y);                                                                            \
    }                                                                                              \
    RD_INLINE P __##half##2##half2(H x)                                                            \
    {                                                                                              \
        return P(x, x);                                                                            \
    }                                                                                              \
    RD_INLINE H __low2##half(P x)                                                                  \
    {                                                                                              \
        return x.x;                                                                                \
    }                                                                                              \
    RD_INLINE H __high2##half(P x)                                                                 \
    {                                                                                              \
        return x.y;                                                                                \
    }                                                                                              \
    RD_INLINE P __low2##half2(P x)                                                                 \
    {                                                                                              \
        return P(x.x, x.x);                                                                        \
    }                                                                                              \
    RD_INLINE P __high2##half2(P x)                                                                \
    {                                                                                              \
        return P(x.y, x.y);                                                                        \
    }                                                                                              \
    RD_INLINE P __lows2##half2(P x, P y)                                                           \
    {                                                                                              \
        return P(x.x, y.x);                                                                        \
    }                                                                                              \
    RD_INLINE P __highs2##half2(P x, P y)                                                          \
    {                                                                                              \
        return P(x.y, y.y);                                                                        \
    }                                                                                              \
    RD_INLINE P __lowhigh2highlow(P x)                                                             \
    {                                                                                              \
        return P(x.y, x.x);                                                                        \
    }                                                                                              \
    RD_INLINE P __float2##half2##_rn(float x)                                                      \
    {                                                                                              \
        return P(H(x), H(x));                                                                      \
    }                                                                                              \
    RD_INLINE P __floats2##half2##_rn(float x, float y)                                            \
    {                                                                                              \
        return P(H(x), H(y));                                                                      \
    }                                                                                              \
    RD_INLINE P __float22##half2##_rn(float2 x)                                                    \
    {                                                                                              \
        return P(H(x.x), H(x.y));                                                                  \
    }                                                                                              \
    RD_INLINE float2 __##half##22float2(P x)                                                       \
    {                                                                                              \
        return float2{x.x, x.y};                                                                   \
    }                                                                                              \
    RD_INLINE P make_##half2(H x, H y)                                                             \
    {                                                                                              \
        return P(x, y);                                                                            \
    }                                                                                              \
    RD_INLINE short __##half##_as_short(H x)                                                       \
    {                                                                                              \
        return (short)x.rd_half.bits;                                                              \
    }                                                                                              \
    RD_INLINE unsigned short __##half##_as_ushort(H x)                                             \
    {                                                                                              \
        return x.rd_half.bits;                                                                     \
    }                                                                                              \
    RD_INLINE H __short_as_##half(short bits)                                                      \
    {                                                                                              \
        return __ushort_as_##half((unsigned short)bits);                                           \
    }

#endif
