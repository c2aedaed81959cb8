// SPDX-License-Identifier: MIT
#ifndef RD_CUDA_BF16_H
#define RD_CUDA_BF16_H

#define __CUDA_BF16_TYPES_EXIST__

#include "reductio_half_pairs.hpp"

struct __nv_bfloat16_raw {
    unsigned short x;
};
RD_HALF(__nv_bfloat16, rd_bf16, 'n', __nv_bfloat16_raw)
typedef __nv_bfloat16 nv_bfloat16;
RD_INLINE __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits)
{
    return rd_bf16{bits};
}
RD_HALF_CONVERSIONS(__nv_bfloat16, bfloat16)
RD_HALF_FUNCTIONS(__nv_bfloat16)
RD_PAIR_TYPE(__nv_bfloat162, __nv_bfloat16, __nv_bfloat162_raw)
typedef __nv_bfloat162 nv_bfloat162;
RD_PAIRS(__nv_bfloat162, __nv_bfloat16)
RD_PAIR_WORDS(__nv_bfloat162, __nv_bfloat16, bfloat16, bfloat162)

#endif
