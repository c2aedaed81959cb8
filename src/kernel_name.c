// SPDX-License-Identifier: MIT
#include "kernel_name.h"

const char *rd_kernel_name(enum rd_kernel kernel)
{
#define KERNEL_NAME(name, NAME) [RD_KERNEL_##NAME] = #name,
    static const char *const names[RD_KERNEL_COUNT] = {RD_KERNELS(KERNEL_NAME)};
#undef KERNEL_NAME
    return names[kernel];
}
