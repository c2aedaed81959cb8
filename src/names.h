// SPDX-License-Identifier: MIT
/* Kernels and points by name, for people and traces; and what is known of kernels. */
#ifndef RD_NAMES_H
#define RD_NAMES_H

#include "kernels.h"

#include <stdbool.h>

/* The name in the source, for instance "fold_guard". */
const char *rd_kernel_name(enum rd_kernel kernel);

/* Looks it up; false where there is none of that name. */
bool rd_kernel_named(const char *name, enum rd_kernel *kernel);

/* Whether its threads communicate: RD_KERNELS_THAT_COMMUNICATE. */
bool rd_kernel_communicates(enum rd_kernel kernel);

/* The name of a point, for instance "sequential". */
const char *rd_point_name(enum rd_point point);
/* Looks it up; false where there is none of that name. */
bool rd_point_named(const char *name, enum rd_point *point);

#endif
