// SPDX-License-Identifier: MIT
/* The operation of families that are compiled once per operation, too, with -DRD_OP=max and so on:
 * OP(x, y) is x and y combined, IDENTITY the result of nothing, and ATOMIC_OP(p, x) combines what lies at p with x,
 * whoever else does so. Nothing else in such a family depends on it.
 *
 * It has no include guard: a family is compiled for all types in one unit for the GPU, and each type has functions of
 * its own. */
#include "kernel.h"

/* Integers of a GPU have no sign: where they are compared they get it back. */
#define SIGNED_i32 int32_t
#define SIGNED_u32 uint32_t
#define SIGNED_i64 int64_t
#define SIGNED_u64 uint64_t
#define SIGNED(x)  ((RD_PASTE(SIGNED_, RD_TYPE))(x))

#define LEAST_INTEGER(x, y) (SIGNED(y) < SIGNED(x) ? (y) : (x))
#define MOST_INTEGER(x, y)  (SIGNED(x) < SIGNED(y) ? (y) : (x))

/* Of floats: -0 is less than 0, and of a number and a NaN, the number is both the least and the most. So the
 * instructions of a GPU have it (PTX ISA, "min" and "max"); of C's fmin() and fmax() the zeros may be either. */
#ifdef __CUDACC__
#define LEAST_FLOAT(x, y) fmin(x, y)
#define MOST_FLOAT(x, y)  fmax(x, y)
#else
#define LEAST_FLOAT(x, y)                                                                          \
    ((x) != (x) || (y) < (x) || ((y) == (x) && __builtin_signbit((double)(y))) ? (y) : (x))
#define MOST_FLOAT(x, y)                                                                           \
    ((x) != (x) || (x) < (y) || ((y) == (x) && __builtin_signbit((double)(x))) ? (y) : (x))
#endif

#define KIND_i32 INTEGER
#define KIND_u32 INTEGER
#define KIND_i64 INTEGER
#define KIND_u64 INTEGER
#define KIND_f32 FLOAT
#define KIND_f64 FLOAT

__device__ inline elem least(elem x, elem y)
{
    return RD_PASTE(LEAST_, RD_PASTE(KIND_, RD_TYPE))(x, y);
}

__device__ inline elem most(elem x, elem y)
{
    return RD_PASTE(MOST_, RD_PASTE(KIND_, RD_TYPE))(x, y);
}

/* What a kernel gives an operation is read from left to right, as of a sum: C leaves the order of arguments open. */
#define IN_ORDER(function, x, y)                                                                   \
    __extension__({                                                                                \
        elem left_ = (x), right_ = (y);                                                            \
        function(left_, right_);                                                                   \
    })

#define OP_sum(x, y)     ((x) + (y))
#define OP_product(x, y) ((x) * (y))
#define OP_min(x, y)     IN_ORDER(least, x, y)
#define OP_max(x, y)     IN_ORDER(most, x, y)
#define OP_and(x, y)     ((x) & (y))
#define OP_or(x, y)      ((x) | (y))
#define OP_xor(x, y)     ((x) ^ (y))

#ifdef RD_OP
#define OPERATION RD_OP
#else
#define OPERATION sum
#endif
#define OP(x, y) RD_PASTE(OP_, OPERATION)(x, y)

/* ---- what changes nothing ---- */

#define LARGEST_i32  INT32_MAX
#define LARGEST_u32  UINT32_MAX
#define LARGEST_i64  INT64_MAX
#define LARGEST_u64  UINT64_MAX
#define SMALLEST_i32 INT32_MIN
#define SMALLEST_u32 0
#define SMALLEST_i64 INT64_MIN
#define SMALLEST_u64 0

/* Any number wins over a NaN, and so does an infinity: beside one, min and max of nothing but NaNs would be lost. */
#define LARGEST_f32  __builtin_nanf("")
#define LARGEST_f64  __builtin_nan("")
#define SMALLEST_f32 __builtin_nanf("")
#define SMALLEST_f64 __builtin_nan("")

__device__ inline elem largest(void)
{
    return (elem)RD_PASTE(LARGEST_, RD_TYPE);
}

__device__ inline elem smallest(void)
{
    return (elem)RD_PASTE(SMALLEST_, RD_TYPE);
}

#define IDENTITY_sum     0
#define IDENTITY_product 1
#define IDENTITY_min     largest()
#define IDENTITY_max     smallest()
#define IDENTITY_and     ~(elem)0
#define IDENTITY_or      0
#define IDENTITY_xor     0
#define IDENTITY         ((elem)(RD_PASTE(IDENTITY_, OPERATION)))

/* ---- in memory that others combine with, too ---- */

/* CUDA's atomics know 64-bit numbers by another name than C does, and take signed ones where they compare. */
#define ATOMIC_i32  int
#define ATOMIC_u32  unsigned
#define ATOMIC_i64  unsigned long long
#define ATOMIC_u64  unsigned long long
#define ATOMIC_f32  float
#define ATOMIC_f64  double
#define ORDERED_i32 int
#define ORDERED_u32 unsigned
#define ORDERED_i64 long long
#define ORDERED_u64 unsigned long long
#define ORDERED_f32 float
#define ORDERED_f64 double
#define SWAPPED_i32 unsigned
#define SWAPPED_u32 unsigned
#define SWAPPED_i64 unsigned long long
#define SWAPPED_u64 unsigned long long
#define SWAPPED_f32 unsigned
#define SWAPPED_f64 unsigned long long
typedef RD_PASTE(ATOMIC_, RD_TYPE) atomic_elem;
typedef RD_PASTE(ORDERED_, RD_TYPE) ordered_elem;
typedef RD_PASTE(SWAPPED_, RD_TYPE) swapped_bits;

union swapped {
    elem value;
    swapped_bits bits;
};

/* For what no atomic of a GPU does: puts in what it makes of what is there, unless that has changed meanwhile, and
 * then once more. It begins with what lies there before all: to look would be a plain read of what others change. */
__device__ inline void swap_in(elem *p, elem x)
{
    union swapped seen, made;
    swapped_bits guess;
    seen.value = IDENTITY;
    do {
        guess = seen.bits;
        made.value = OP(seen.value, x);
        seen.bits = atomicCAS((swapped_bits *)p, guess, made.bits);
    } while (seen.bits != guess);
}

#define ATOMIC_INTEGER_sum(p, x)     atomicAdd((atomic_elem *)(p), (atomic_elem)(x))
#define ATOMIC_INTEGER_product(p, x) swap_in(p, x)
#define ATOMIC_INTEGER_min(p, x)     atomicMin((ordered_elem *)(p), (ordered_elem)(x))
#define ATOMIC_INTEGER_max(p, x)     atomicMax((ordered_elem *)(p), (ordered_elem)(x))
#define ATOMIC_INTEGER_and(p, x)     atomicAnd((atomic_elem *)(p), (atomic_elem)(x))
#define ATOMIC_INTEGER_or(p, x)      atomicOr((atomic_elem *)(p), (atomic_elem)(x))
#define ATOMIC_INTEGER_xor(p, x)     atomicXor((atomic_elem *)(p), (atomic_elem)(x))
#define ATOMIC_FLOAT_sum(p, x)       ATOMIC_INTEGER_sum(p, x)
#define ATOMIC_FLOAT_product(p, x)   swap_in(p, x)
#define ATOMIC_FLOAT_min(p, x)       swap_in(p, x)
#define ATOMIC_FLOAT_max(p, x)       swap_in(p, x)

#define ATOMIC_OF_KIND  RD_PASTE(RD_PASTE(ATOMIC_, RD_PASTE(KIND_, RD_TYPE)), _)
#define ATOMIC_OP(p, x) RD_PASTE(ATOMIC_OF_KIND, OPERATION)(p, x)
