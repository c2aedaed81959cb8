// SPDX-License-Identifier: MIT
/* The element type of a file that is compiled once per type, with -DRD_TYPE=i32 and so on:
 * `elem` is that type, NAME(fold) is fold_i32. */
#ifndef RD_ELEMENT_H
#define RD_ELEMENT_H

#include <stddef.h>
#include <stdint.h>

#ifndef __CUDACC__
#include "half.h"
#endif

#if !defined RD_TYPE && !defined RD_ALL_TYPES
#define RD_TYPE f32 /* for editors and linters, which see the file on its own */
#endif

/* Each type: what it is in C, its kind, as its row in element_types.h has it, and how many bits it has. All else that kernels
 * know of types is of their kinds and widths. */
#define RD_ELEM_i32  int32_t
#define RD_KIND_i32  signed
#define RD_WIDTH_i32 32

#define RD_ELEM_u32  uint32_t
#define RD_KIND_u32  unsigned
#define RD_WIDTH_u32 32

#define RD_ELEM_i64  int64_t
#define RD_KIND_i64  signed
#define RD_WIDTH_i64 64

#define RD_ELEM_u64  uint64_t
#define RD_KIND_u64  unsigned
#define RD_WIDTH_u64 64

#define RD_ELEM_f32  float
#define RD_KIND_f32  real
#define RD_WIDTH_f32 32

#define RD_ELEM_f64  double
#define RD_KIND_f64  real
#define RD_WIDTH_f64 64

#define RD_ELEM_f16  rd_f16
#define RD_KIND_f16  half
#define RD_WIDTH_f16 16

#define RD_ELEM_bf16  rd_bf16
#define RD_KIND_bf16  half
#define RD_WIDTH_bf16 16

#define RD_PASTE_(x, y) x##y
#define RD_PASTE(x, y)  RD_PASTE_(x, y)

#define NAME(name) RD_PASTE(name##_, RD_TYPE)

/* Its bits, also in what RD_PASTE makes. */
#define RD_WIDTH_OF_(type) RD_WIDTH_##type
#define RD_WIDTH_OF(type)  RD_WIDTH_OF_(type)
#define RD_WIDTH           RD_WIDTH_OF(RD_TYPE)

/* The macro of that name for the type's kind, or its width, or both: name_signed, name_32, name_signed_32. */
#define RD_BY_KIND(name)  RD_PASTE(name##_, RD_PASTE(RD_KIND_, RD_TYPE))
#define RD_BY_WIDTH(name) RD_PASTE(name##_, RD_PASTE(RD_WIDTH_, RD_TYPE))
#define RD_BY_KIND_AND_WIDTH(name)                                                                 \
    RD_PASTE(RD_BY_KIND(name), RD_PASTE(_, RD_PASTE(RD_WIDTH_, RD_TYPE)))

/* The index of an element, as wide as it: what the cells of operations that select hold (operation.h). */
#define RD_INDEX_32 uint32_t
#define RD_INDEX_64 uint64_t

#ifndef RD_ALL_TYPES /* whoever compiles a file for all types says what elem is, each time */
#ifdef RD_SELECTS
typedef RD_BY_WIDTH(RD_INDEX) elem;
typedef RD_PASTE(RD_ELEM_, RD_TYPE) value; /* of the input */
#else
typedef RD_PASTE(RD_ELEM_, RD_TYPE) elem;
#endif
#endif

#endif
