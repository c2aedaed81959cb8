// SPDX-License-Identifier: MIT
/* For kernels whose blocks combine in one place, behind identity.h: ATOMIC_OP(p, x) combines what lies at p with x by the
 * operation, and no update by another thread is lost. At first IDENTITY must lie there.
 *
 * It has no include guard, as operation.h hasn't. */

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

/* A loop of atomicCAS(), for operations that have no atomic of their own: it writes the combined value if the cell still
 * holds the value that was combined, and tries again with the value it holds otherwise. It begins with IDENTITY instead of
 * a plain read of the cell, which would race with other threads' atomics. */
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

#ifdef RD_SELECTS
#define ATOMIC_INTEGER_any(p, x) swap_in(p, x)
#define ATOMIC_FLOAT_any(p, x)   swap_in(p, x)
#elif defined RD_OVER
#define CASE_OF(KIND, NAME, name, p, x)                                                            \
    case RD_OPERATION_##NAME:                                                                      \
        ATOMIC_##KIND##_##name(p, x);                                                              \
        break;
#define CASES_INTEGER(p, x)                                                                        \
    CASE_OF(INTEGER, PRODUCT, product, p, x)                                                       \
    CASE_OF(INTEGER, MIN, min, p, x)                                                               \
    CASE_OF(INTEGER, MAX, max, p, x)                                                               \
    CASE_OF(INTEGER, AND, and, p, x)                                                               \
    CASE_OF(INTEGER, OR, or, p, x)                                                                 \
    CASE_OF(INTEGER, XOR, xor, p, x)
#define CASES_FLOAT(p, x)                                                                          \
    CASE_OF(FLOAT, PRODUCT, product, p, x)                                                         \
    CASE_OF(FLOAT, MIN, min, p, x)                                                                 \
    CASE_OF(FLOAT, MAX, max, p, x)
#define SWITCH(CASES)                                                                              \
    switch (rd_of_launch.operation) {                                                              \
        CASES                                                                                      \
    default:                                                                                       \
        rd_no_operation();                                                                         \
    }
/* No function: hazards name the line of the kernel that has the atomic. */
#define ATOMIC_INTEGER_any(p, x) SWITCH(CASES_INTEGER(p, x))
#define ATOMIC_FLOAT_any(p, x)   SWITCH(CASES_FLOAT(p, x))
#endif

#define ATOMIC_OF_KIND  RD_PASTE(RD_PASTE(ATOMIC_, RD_PASTE(KIND_, RD_TYPE)), _)
#define ATOMIC_OP(p, x) RD_PASTE(ATOMIC_OF_KIND, OPERATION)(p, x)
