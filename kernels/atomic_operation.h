// SPDX-License-Identifier: MIT
/* For kernels whose blocks combine in one place, behind identity.h: ATOMIC_OP(p, x) combines what lies at p with x by the
 * operation, and no update by another thread is lost. At first IDENTITY must lie there.
 *
 * It is guarded as operation.h is. */
#if defined __CUDACC__ || !defined RD_KERNEL_ATOMIC_OPERATION_H
#define RD_KERNEL_ATOMIC_OPERATION_H

/* CUDA's atomics know 64-bit numbers by another name than C does, and take signed ones where they compare. */
#define ATOMIC_signed_32    int
#define ATOMIC_unsigned_32  unsigned
#define ATOMIC_signed_64    unsigned long long
#define ATOMIC_unsigned_64  unsigned long long
#define ATOMIC_real_32      float
#define ATOMIC_real_64      double
#define ATOMIC_half_16      elem
#define ORDERED_signed_32   int
#define ORDERED_unsigned_32 unsigned
#define ORDERED_signed_64   long long
#define ORDERED_unsigned_64 unsigned long long
#define ORDERED_real_32     float
#define ORDERED_real_64     double
#define ORDERED_half_16     elem
#define SWAPPED_16          unsigned short
#define SWAPPED_32          unsigned
#define SWAPPED_64          unsigned long long
typedef RD_BY_KIND_AND_WIDTH(ATOMIC) atomic_elem;
typedef RD_BY_KIND_AND_WIDTH(ORDERED) ordered_elem;
typedef RD_BY_WIDTH(SWAPPED) swapped_bits;

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

#define ATOMIC_BITS(function, p, x)            function((atomic_elem *)(p), (atomic_elem)(x))
#define ATOMIC_ADD_INTEGER(p, x)               ATOMIC_BITS(atomicAdd, p, x)
#define ATOMIC_ADD_FLOAT(p, x)                 ATOMIC_BITS(atomicAdd, p, x)
#define ATOMIC_ADD_HALF(p, x)                  atomicAdd(p, x)
#define ATOMIC_ORDERED_INTEGER(function, p, x) function((ordered_elem *)(p), (ordered_elem)(x))
#define ATOMIC_ORDERED_FLOAT(function, p, x)   swap_in(p, x)
#define ATOMIC_ORDERED_HALF(function, p, x)    swap_in(p, x)

#ifdef RD_SELECTS
#define ATOMIC_any(p, x) swap_in(p, x)
#elif defined RD_OVER
#define ATOMIC_CASE(name, NAME, selects, integers)                                                 \
    IF_##selects##_##integers(case RD_OPERATION_##NAME : ATOMIC_##name(cell_, term_); break;)

/* No function: hazards name the line of the kernel that has the atomic. */
#define ATOMIC_any(p, x)                                                                           \
    do {                                                                                           \
        elem *const cell_ = (p);                                                                   \
        const elem term_ = (x);                                                                    \
        switch (rd_of_launch.operation) {                                                          \
            RD_OPERATIONS_OVER(ATOMIC_CASE)                                                        \
        default:                                                                                   \
            rd_no_operation();                                                                     \
        }                                                                                          \
    } while (0)
#endif

#define ATOMIC_OP(p, x) RD_PASTE(ATOMIC_, OPERATION)(p, x)

#endif
