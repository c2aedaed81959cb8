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

#define RD_ELEM_i32  int32_t
#define RD_ELEM_u32  uint32_t
#define RD_ELEM_i64  int64_t
#define RD_ELEM_u64  uint64_t
#define RD_ELEM_f16  rd_f16
#define RD_ELEM_bf16 rd_bf16
#define RD_ELEM_f32  float
#define RD_ELEM_f64  double

/* The index of one, as wide as it: what the cells of operations that select hold (operation.h). */
#define RD_INDEX_i32 uint32_t
#define RD_INDEX_u32 uint32_t
#define RD_INDEX_i64 uint64_t
#define RD_INDEX_u64 uint64_t
#define RD_INDEX_f32 uint32_t
#define RD_INDEX_f64 uint64_t

#define RD_PASTE_(x, y) x##y
#define RD_PASTE(x, y)  RD_PASTE_(x, y)

#define NAME(name) RD_PASTE(name##_, RD_TYPE)

#ifndef RD_ALL_TYPES /* whoever compiles a file for all types says what elem is, each time */
#ifdef RD_SELECTS
typedef RD_PASTE(RD_INDEX_, RD_TYPE) elem;
typedef RD_PASTE(RD_ELEM_, RD_TYPE) value; /* of the input */
#else
typedef RD_PASTE(RD_ELEM_, RD_TYPE) elem;
#endif
#endif

#endif
