// SPDX-License-Identifier: MIT
/* Rules of CUDA C++ about kernels that a C++ compiler knows nothing of. */
#ifndef RD_CHECK_KERNEL_RULES_H
#define RD_CHECK_KERNEL_RULES_H

#include "reductio/status.h"

struct rd_check_unit;

/* Tells on standard error of each kernel that returns something, and of each that is called as a function, without <<<>>>: nvcc
 * refuses both. Code in an #if is passed over: it may be compiled by nobody. RD_ERROR_INPUT where there is one. */
enum rd_status rd_check_kernel_rules_refuse(const struct rd_check_unit *unit,
                                            struct rd_error *error);

#endif
