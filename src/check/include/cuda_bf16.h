// SPDX-License-Identifier: MIT
#ifndef RD_CUDA_BF16_H
#define RD_CUDA_BF16_H

#include "reductio_half.hpp"

RD_HALF(__nv_bfloat16, rd_bf16, 'n')
typedef __nv_bfloat16 nv_bfloat16;
struct __attribute__((aligned(4))) __nv_bfloat162 {
    __nv_bfloat16 x, y;
};
RD_HALF_PAIR(__nv_bfloat162)
typedef __nv_bfloat162 nv_bfloat162;
struct __nv_bfloat16_raw {
    unsigned short x;
};
struct __nv_bfloat162_raw {
    unsigned short x, y;
};

RD_INLINE __nv_bfloat16 __float2bfloat16(float x)
{
    return x;
}
RD_INLINE __nv_bfloat16 __float2bfloat16_rn(float x)
{
    return x;
}
RD_INLINE __nv_bfloat16 __double2bfloat16(double x)
{
    return x;
}
RD_INLINE __nv_bfloat16 __int2bfloat16_rn(int x)
{
    return x;
}
RD_INLINE __nv_bfloat16 __uint2bfloat16_rn(unsigned x)
{
    return x;
}
RD_INLINE float __bfloat162float(__nv_bfloat16 x)
{
    return x;
}
RD_INLINE unsigned short __bfloat16_as_ushort(__nv_bfloat16 x)
{
    return x.rd_half.bits;
}
RD_INLINE __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits)
{
    return rd_bf16{bits};
}

#endif
