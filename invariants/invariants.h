// SPDX-License-Identifier: MIT
/* The programs and the invariants that families share. */
#ifndef RD_INVARIANTS_H
#define RD_INVARIANTS_H

#include "reductio/program.h"

/* A lesson is its right program and a difference, which overrides members of it; where nothing is said of its shape, that is
 * not the right program's. */
#pragma GCC diagnostic ignored "-Woverride-init"
#define RD_LESSON(id, right, ...)                                                                  \
    const struct rd_program rd_program_##id = {right, .n_block = 0, .n_grid = 0, __VA_ARGS__}

/* Laws that several paragraphs have, of what is folded and of what plays: w and D are theirs. */
#define RD_LAW_OF_FOLD(term) "for 0 <= i < w: A[i] = sum of " term ", j mod w = i"
#define RD_LAW_OF_TOURNAMENT(term)                                                                 \
    "for i = 0 mod D, i < n: A[i] = sum of " term ", i <= j < min(i+D, n)"

/* The tournament's paragraph. */
#define RD_LAW_TOURNAMENT                                                                          \
    "input a[n]\n"                                                                                 \
    "array A[n]\n"                                                                                 \
    "let D = 2^d\n"                                                                                \
    "law " RD_LAW_OF_TOURNAMENT(                                                                   \
        "a[j]") "\n"                                                                               \
                "start for 0 <= i < n: A[i] = a[i]\n"                                              \
                "update for i = 0 mod D, i + D/2 < n: A[i] = A[i] + A[i + D/2]\n"

/* Requirements on shapes. */
#define RD_ACCEPT_POWER_OF_TWO "n = bit_ceil(n) else 'n' is {n}, not a power of two: "

/* RD_PROGRAMS(X): every program, each followed by its faults, made from these files by tools/programs.py, which says in
 * which order. */
#include "program_list.h"

#define RD_PROGRAM_DECLARE(program) extern const struct rd_program rd_program_##program;
RD_PROGRAMS(RD_PROGRAM_DECLARE)
#undef RD_PROGRAM_DECLARE

#endif
