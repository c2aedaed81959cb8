// SPDX-License-Identifier: MIT
#ifndef RD_CUDA_FP16_H
#define RD_CUDA_FP16_H

#define __CUDA_FP16_TYPES_EXIST__

#include "reductio_half_pairs.hpp"

struct __half_raw {
    unsigned short x;
};
RD_HALF(__half, rd_f16, 'h', __half_raw)
typedef __half half, nv_half;
RD_INLINE __half __ushort_as_half(unsigned short bits)
{
    return rd_f16{bits};
}
RD_HALF_CONVERSIONS(__half, half)
RD_HALF_FUNCTIONS(__half)
RD_PAIR_TYPE(__half2, __half, __half2_raw)
typedef __half2 half2, nv_half2;
RD_PAIRS(__half2, __half)
RD_PAIR_WORDS(__half2, __half, half, half2)
RD_INLINE signed char __half2char_rz(__half x)
{
    return (signed char)rd_convert<int, float>(fminf(fmaxf(std::trunc((float)x), -128), 127));
}
RD_INLINE unsigned char __half2uchar_rz(__half x)
{
    return (unsigned char)rd_convert<int, float>(fminf(fmaxf(std::trunc((float)x), 0), 255));
}

#endif
