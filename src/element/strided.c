// SPDX-License-Identifier: MIT
#include "element/strided.h"

#include <stdint.h>
#include <string.h>

#define COPIES(bytes, uint)                                                                        \
    typedef uint __attribute__((may_alias)) bits_##bytes;                                          \
    void rd_strided_load_##bytes(void *values, const void *array, size_t first, ptrdiff_t stride,  \
                                 size_t count)                                                     \
    {                                                                                              \
        bits_##bytes *to = values;                                                                 \
        const bits_##bytes *from = (const bits_##bytes *)array + first;                            \
        if (stride == 1) {                                                                         \
            memcpy(to, from, count * sizeof *to);                                                  \
            return;                                                                                \
        }                                                                                          \
        for (size_t k = 0; k < count; k++)                                                         \
            to[k] = from[(ptrdiff_t)k * stride];                                                   \
    }                                                                                              \
    void rd_strided_store_##bytes(void *array, size_t first, ptrdiff_t stride, const void *values, \
                                  size_t count)                                                    \
    {                                                                                              \
        bits_##bytes *to = (bits_##bytes *)array + first;                                          \
        const bits_##bytes *from = values;                                                         \
        if (stride == 1) {                                                                         \
            memcpy(to, from, count * sizeof *to);                                                  \
            return;                                                                                \
        }                                                                                          \
        for (size_t k = 0; k < count; k++)                                                         \
            to[(ptrdiff_t)k * stride] = from[k];                                                   \
    }

COPIES(1, uint8_t)
COPIES(2, uint16_t)
COPIES(4, uint32_t)
COPIES(8, uint64_t)
