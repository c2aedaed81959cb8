// SPDX-License-Identifier: MIT
#include "device/kernel_names.h"
#include "kernel_units.h"

#include <string.h>

static const struct row {
    const char *name;
    bool communicates;
    unsigned n_params;
    enum rd_param params[RD_KERNEL_PARAMS_MAX];
} kernels[RD_KERNEL_COUNT] = {
#define KERNEL(name, NAME, communicates, ...)                                                      \
    [RD_KERNEL_##NAME] = {#name,                                                                   \
                          communicates,                                                            \
                          sizeof((enum rd_param[]){__VA_ARGS__}) / sizeof(enum rd_param),          \
                          {__VA_ARGS__}},
    RD_KERNELS(KERNEL)
#undef KERNEL
};

const char *rd_kernel_name(enum rd_kernel kernel)
{
    return kernels[kernel].name;
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
    return kernels[kernel].communicates;
}

bool rd_kernel_has_type(enum rd_kernel kernel, enum rd_type type)
{
#define HAS_TYPE(name, NAME, type, TYPE) [RD_KERNEL_##NAME][RD_TYPE_##TYPE] = true,
    static const bool has_type[RD_KERNEL_COUNT][RD_TYPE_COUNT] = {RD_KERNEL_UNITS(HAS_TYPE)};
#undef HAS_TYPE
    return has_type[kernel][type];
}

unsigned rd_kernel_params(enum rd_kernel kernel, const enum rd_param **params)
{
    *params = kernels[kernel].params;
    return kernels[kernel].n_params;
}

const char *rd_param_type(enum rd_param param)
{
#define PARAM_TYPE(NAME, type) [RD_PARAM_##NAME] = type,
    static const char *const types[RD_PARAM_COUNT] = {RD_PARAMS(PARAM_TYPE)};
#undef PARAM_TYPE
    return types[param];
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
