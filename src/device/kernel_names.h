// SPDX-License-Identifier: MIT
/* Kernels and points by name, for people and traces; and what is known of kernels, of those that clients have registered,
 * too: their numbers follow on RD_KERNEL_ABSENT. */
#ifndef RD_DEVICE_KERNEL_NAMES_H
#define RD_DEVICE_KERNEL_NAMES_H

#include "element_types.h"
#include "kernels.h"
#include "reductio/status.h"

#include <stdbool.h>

struct rd_launchable;

/* A kernel that a program of a trace names, and this process doesn't have. It has no name here: see rd_round.kernel_name. */
enum { RD_KERNEL_ABSENT = RD_KERNEL_COUNT };

/* The name in the source, for instance "fold_guard". */
const char *rd_kernel_name(enum rd_kernel kernel);

/* Tells whether there is such a kernel, that others may be asked of. */
bool rd_kernel_is_known(enum rd_kernel kernel);

/* Looks it up; false where there is none of that name. */
bool rd_kernel_named(const char *name, enum rd_kernel *kernel);

/* Tells whether its threads communicate: see kernels.h. */
bool rd_kernel_communicates(enum rd_kernel kernel);

/* Tells whether it is built of elements of the type; one that is absent may be. */
bool rd_kernel_has_type(enum rd_kernel kernel, enum rd_type type);

enum { RD_KERNEL_PARAMS_MAX = 6 };

/* The build of that type that a client has registered; NULL: it is a kernel of the library, or has none. */
const struct rd_launchable *rd_kernel_launchable(enum rd_kernel kernel, enum rd_type type);

/* Returns the number of the kernel's parameters, and their types. */
unsigned rd_kernel_params(enum rd_kernel kernel, const enum rd_param **params);

/* The type in the source, for instance "const elem *". */
const char *rd_param_type(enum rd_param param);

/* The name of a point, for instance "sequential". */
const char *rd_point_name(enum rd_point point);
/* Looks it up; false where there is none of that name. */
bool rd_point_named(const char *name, enum rd_point *point);

#endif
