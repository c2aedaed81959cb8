// SPDX-License-Identifier: MIT
// CUDA's complex numbers: pairs of floats or doubles.
#ifndef RD_CU_COMPLEX_H
#define RD_CU_COMPLEX_H

#include "reductio_cuda.hpp"

// A quotient and an absolute value are scaled, lest squares overflow.
#define RD_COMPLEX(C, T, pair, f, fabs, sqrt)                                                      \
    typedef pair C;                                                                                \
    RD_INLINE C make_##C(T x, T y)                                                                 \
    {                                                                                              \
        return C{x, y};                                                                            \
    }                                                                                              \
    RD_INLINE T cuCreal##f(C x)                                                                    \
    {                                                                                              \
        return x.x;                                                                                \
    }                                                                                              \
    RD_INLINE T cuCimag##f(C x)                                                                    \
    {                                                                                              \
        return x.y;                                                                                \
    }                                                                                              \
    RD_INLINE C cuConj##f(C x)                                                                     \
    {                                                                                              \
        return C{x.x, -x.y};                                                                       \
    }                                                                                              \
    RD_INLINE C cuCadd##f(C x, C y)                                                                \
    {                                                                                              \
        return C{x.x + y.x, x.y + y.y};                                                            \
    }                                                                                              \
    RD_INLINE C cuCsub##f(C x, C y)                                                                \
    {                                                                                              \
        return C{x.x - y.x, x.y - y.y};                                                            \
    }                                                                                              \
    RD_INLINE C cuCmul##f(C x, C y)                                                                \
    {                                                                                              \
        return C{(x.x * y.x) - (x.y * y.y), (x.x * y.y) + (x.y * y.x)};                            \
    }                                                                                              \
    RD_INLINE C cuCdiv##f(C x, C y)                                                                \
    {                                                                                              \
        const T scale = 1 / (fabs(y.x) + fabs(y.y));                                               \
        const T a = x.x * scale, b = x.y * scale, c = y.x * scale, d = y.y * scale;                \
        const T share = 1 / (c * c + d * d);                                                       \
        return C{((a * c) + (b * d)) * share, ((b * c) - (a * d)) * share};                        \
    }                                                                                              \
    RD_INLINE T cuCabs##f(C x)                                                                     \
    {                                                                                              \
        const T a = fabs(x.x), b = fabs(x.y), most = a > b ? a : b, least = a > b ? b : a;         \
        const T ratio = most > 0 ? least / most : 0;                                               \
        return most == 0 || std::isinf(most) ? a + b : most * sqrt(1 + ratio * ratio);             \
    }                                                                                              \
    RD_INLINE C cuCfma##f(C x, C y, C z)                                                           \
    {                                                                                              \
        const T real = (x.x * y.x) + z.x, imaginary = (y.x * x.y) + z.y;                           \
        return C{real - (x.y * y.y), (x.x * y.y) + imaginary};                                     \
    }
RD_COMPLEX(cuFloatComplex, float, float2, f, ::fabsf, ::sqrtf)
RD_COMPLEX(cuDoubleComplex, double, double2, , ::fabs, ::sqrt)
#undef RD_COMPLEX
typedef cuFloatComplex cuComplex;
RD_INLINE cuComplex make_cuComplex(float x, float y)
{
    return cuComplex{x, y};
}
RD_INLINE cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex x)
{
    return cuDoubleComplex{x.x, x.y};
}
RD_INLINE cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex x)
{
    return cuFloatComplex{(float)x.x, (float)x.y};
}

#endif
