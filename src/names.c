// SPDX-License-Identifier: MIT
#include "names.h"

#include <string.h>

const char *rd_kernel_name(enum rd_kernel kernel)
{
#define KERNEL_NAME(name, NAME) [RD_KERNEL_##NAME] = #name,
    static const char *const names[RD_KERNEL_COUNT] = {RD_KERNELS(KERNEL_NAME)};
#undef KERNEL_NAME
    return names[kernel];
}

bool rd_kernel_named(const char *name, enum rd_kernel *kernel)
{
    for (int k = 0; k < RD_KERNEL_COUNT; k++) {
        if (strcmp(rd_kernel_name((enum rd_kernel)k), name) == 0) {
            *kernel = (enum rd_kernel)k;
            return true;
        }
    }
    return false;
}

bool rd_kernel_communicates(enum rd_kernel kernel)
{
#define COMMUNICATES(NAME) [RD_KERNEL_##NAME] = true,
    static const bool kernels[RD_KERNEL_COUNT] = {RD_KERNELS_THAT_COMMUNICATE(COMMUNICATES)};
#undef COMMUNICATES
    return kernels[kernel];
}

#define POINT_NAME(name, NAME) [RD_POINT_##NAME] = #name,
static const char *const point_names[RD_POINT_COUNT] = {RD_POINTS(POINT_NAME)};
#undef POINT_NAME

const char *rd_point_name(enum rd_point point)
{
    return point_names[point];
}

bool rd_point_named(const char *name, enum rd_point *point)
{
    for (int p = 0; p < RD_POINT_COUNT; p++) {
        if (strcmp(point_names[p], name) == 0) {
            *point = (enum rd_point)p;
            return true;
        }
    }
    return false;
}
