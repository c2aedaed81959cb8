// SPDX-License-Identifier: MIT
/* Numbers and texts that belong to one element type each; what follows from its kind and its size is worked out where it is
 * needed. Read by -DRD_TYPE: TRAIT(RANGE) is RANGE_i32. */
#ifndef RD_ELEMENT_TYPE_FACTS_H
#define RD_ELEMENT_TYPE_FACTS_H

#include <float.h>

/* Integers: NumPy's type string, and the range in words. */
#define NPY_i32   "i4"
#define RANGE_i32 "-2147483648 to 2147483647"

#define NPY_u32   "u4"
#define RANGE_u32 "0 to 4294967295"

#define NPY_i64   "i8"
#define RANGE_i64 "-9223372036854775808 to 9223372036854775807"

#define NPY_u64   "u8"
#define RANGE_u64 "0 to 18446744073709551615"

/* Floats: besides, the binary digits of the significand, the hidden one included; the exponent of the least normal
 * number, that number, and the largest. */
#define NPY_f32            "f4"
#define RANGE_f32          "at most 3.40282347e+38"
#define DIGITS_f32         FLT_MANT_DIG
#define LEAST_EXPONENT_f32 (FLT_MIN_EXP - 1)
#define LEAST_NORMAL_f32   FLT_MIN
#define LARGEST_FLOAT_f32  FLT_MAX

#define NPY_f64            "f8"
#define RANGE_f64          "at most 1.7976931348623157e+308"
#define DIGITS_f64         DBL_MANT_DIG
#define LEAST_EXPONENT_f64 (DBL_MIN_EXP - 1)
#define LEAST_NORMAL_f64   DBL_MIN
#define LARGEST_FLOAT_f64  DBL_MAX

#define NPY_f16            "f2"
#define RANGE_f16          "at most 65504"
#define DIGITS_f16         11
#define LEAST_EXPONENT_f16 (-14)
#define LEAST_NORMAL_f16   0x1p-14
#define LARGEST_FLOAT_f16  0x1.ffcp15

#define NPY_bf16            NULL /* NumPy has none */
#define RANGE_bf16          "at most 3.38953139e+38"
#define DIGITS_bf16         8
#define LEAST_EXPONENT_bf16 (-126)
#define LEAST_NORMAL_bf16   0x1p-126
#define LARGEST_FLOAT_bf16  0x1.fep127

#endif
