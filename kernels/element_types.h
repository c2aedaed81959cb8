// SPDX-License-Identifier: MIT
/* The element types, one row each: X(name, name in the enumeration, elem on a GPU). The build reads the
 * rows, too. A GPU's integers are computed without a sign, to the same bits: signed overflow is undefined in
 * CUDA C++; and those of 64 bits are of the type that CUDA's atomics take. */
#ifndef RD_ELEMENT_TYPES_H
#define RD_ELEMENT_TYPES_H

#define RD_TYPES(X)                                                                                \
    X(i32, I32, uint32_t)                                                                          \
    X(u32, U32, uint32_t)                                                                          \
    X(i64, I64, unsigned long long)                                                                \
    X(u64, U64, unsigned long long)                                                                \
    X(f32, F32, float)                                                                             \
    X(f64, F64, double)

/* The names, for people. */
#define RD_TYPE_NAMES "i32, u32, i64, u64, f32 or f64"

#define RD_TYPE_MEMBER(name, NAME, elem) RD_TYPE_##NAME,
enum rd_type { RD_TYPES(RD_TYPE_MEMBER) };
#undef RD_TYPE_MEMBER

#define RD_TYPE_ONE(name, NAME, elem) +1
enum { RD_TYPE_COUNT = RD_TYPES(RD_TYPE_ONE) };
#undef RD_TYPE_ONE

#endif
