// SPDX-License-Identifier: MIT
/* Kernels by name, for people and traces. */
#ifndef RD_KERNEL_NAME_H
#define RD_KERNEL_NAME_H

#include "kernels.h"

/* The name in the source, for instance "fold_guard". */
const char *rd_kernel_name(enum rd_kernel kernel);

#endif
