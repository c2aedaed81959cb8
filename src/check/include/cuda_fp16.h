// SPDX-License-Identifier: MIT
#ifndef RD_CUDA_FP16_H
#define RD_CUDA_FP16_H

#include "reductio_half.hpp"

RD_HALF(__half, rd_f16, 'h')
typedef __half half;
struct __attribute__((aligned(4))) __half2 {
    __half x, y;
};
RD_HALF_PAIR(__half2)
typedef __half2 half2;
struct __half_raw {
    unsigned short x;
};
struct __half2_raw {
    unsigned short x, y;
};

RD_INLINE __half __float2half(float x)
{
    return x;
}
RD_INLINE __half __float2half_rn(float x)
{
    return x;
}
RD_INLINE __half __double2half(double x)
{
    return x;
}
RD_INLINE __half __int2half_rn(int x)
{
    return x;
}
RD_INLINE __half __uint2half_rn(unsigned x)
{
    return x;
}
RD_INLINE float __half2float(__half x)
{
    return x;
}
RD_INLINE unsigned short __half_as_ushort(__half x)
{
    return x.rd_half.bits;
}
RD_INLINE __half __ushort_as_half(unsigned short bits)
{
    return rd_f16{bits};
}

#endif
