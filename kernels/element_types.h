// SPDX-License-Identifier: MIT
/* The element types, one row each: X(name, name in the enumeration, elem on a GPU, kind). The build reads the
 * rows, too. The kind is signed or unsigned, of integers, real, or half: a float of 16 bits, of which only some families are
 * built (ALSO_OF_HALVES in kernel.h). A GPU's integers are computed without a sign, to the same bits: signed overflow
 * is undefined in CUDA C++; and those of 64 bits are of the type that CUDA's atomics take. */
#ifndef RD_ELEMENT_TYPES_H
#define RD_ELEMENT_TYPES_H

#define RD_TYPES(X)                                                                                \
    X(i32, I32, uint32_t, signed)                                                                  \
    X(u32, U32, uint32_t, unsigned)                                                                \
    X(i64, I64, unsigned long long, signed)                                                        \
    X(u64, U64, unsigned long long, unsigned)                                                      \
    X(f32, F32, float, real)                                                                       \
    X(f64, F64, double, real)                                                                      \
    RD_HALF_TYPES(X)

/* Floats of 16 bits come last. */
#define RD_HALF_TYPES(X)                                                                           \
    X(f16, F16, __half, half)                                                                      \
    X(bf16, BF16, __nv_bfloat16, half)

/* The names, as the value of an option: "i32|u32|...". */
#define RD_TYPE_WORD(name, NAME, elem, kind) "|" #name
#define RD_TYPE_WORDS                        (&(RD_TYPES(RD_TYPE_WORD))[1])

#define RD_TYPE_MEMBER(name, NAME, elem, kind) RD_TYPE_##NAME,
enum rd_type { RD_TYPES(RD_TYPE_MEMBER) };
#undef RD_TYPE_MEMBER

#define RD_TYPE_ONE(name, NAME, elem, kind) +1
enum { RD_TYPE_COUNT = RD_TYPES(RD_TYPE_ONE) };
#undef RD_TYPE_ONE

/* The first of these. */
enum { RD_HALVES_FIRST = RD_TYPE_F16 };

#endif
