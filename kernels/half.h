// SPDX-License-Identifier: MIT
/* Floats of 16 bits where the compiler has no such types: f16, IEEE 754's binary16, and bf16, the upper half of an f32.
 * An element is its bits, and what kernels make of elements are calls: src/element/half.c has them, each rounded once, to
 * nearest, ties to even. So it is in the simulator; a GPU has types of its own, with operators. */
#ifndef RD_HALF_H
#define RD_HALF_H

#include "element_types.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RD_HALF_TYPE(name)                                                                         \
    typedef struct {                                                                               \
        uint16_t bits;                                                                             \
    } rd_##name;                                                                                   \
    rd_##name rd_##name##_of(float x);                                                             \
    rd_##name rd_##name##_sum(rd_##name x, rd_##name y);                                           \
    rd_##name rd_##name##_difference(rd_##name x, rd_##name y);                                    \
    rd_##name rd_##name##_product(rd_##name x, rd_##name y);                                       \
    rd_##name rd_##name##_least(rd_##name x, rd_##name y);                                         \
    rd_##name rd_##name##_most(rd_##name x, rd_##name y);
#define RD_DECLARE_HALF(name, NAME, elem, kind) RD_HALF_TYPE(name)
RD_HALF_TYPES(RD_DECLARE_HALF)
#undef RD_DECLARE_HALF
#undef RD_HALF_TYPE

#ifdef __cplusplus
}
#endif
#endif
