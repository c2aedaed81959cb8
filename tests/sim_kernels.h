// SPDX-License-Identifier: MIT
/* The kernels of sim_kernels.c, by their names. */
#ifndef RD_TEST_SIM_KERNELS_H
#define RD_TEST_SIM_KERNELS_H

#include <stddef.h>

#define TEST_KERNELS(K)                                                                            \
    K(shift)                                                                                       \
    K(convert)                                                                                     \
    K(divide)                                                                                      \
    K(wrap)                                                                                        \
    K(cancels)                                                                                     \
    K(cancels_by_xor)                                                                              \
    K(cancels_in_variables)                                                                        \
    K(times_zero)                                                                                  \
    K(and_zero)                                                                                    \
    K(sums_to_zero)                                                                                \
    K(modulo_one)                                                                                  \
    K(unused_variable)                                                                             \
    K(compares_with_itself)                                                                        \
    K(behind_a_call)                                                                               \
    K(overwritten)                                                                                 \
    K(in_a_loop)                                                                                   \
    K(either_way)                                                                                  \
    K(written_back)                                                                                \
    K(written_twice)                                                                               \
    K(float_times_zero)                                                                            \
    K(reads_twice)                                                                                 \
    K(writes_twice)                                                                                \
    K(meets_in_a_loop)                                                                             \
    K(meets_often)                                                                                 \
    K(meets_in_branches)                                                                           \
    K(meets_in_branches_of_a_line)                                                                 \
    K(meets_by_one_call)                                                                           \
    K(meets_by_two_calls)                                                                          \
    K(frees_too_soon)

struct test_kernel {
    const char *name;
    void (*thread)(void *const *arguments);
};
extern const struct test_kernel test_kernels[]; /* the last has no name */

#endif
