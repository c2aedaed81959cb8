// SPDX-License-Identifier: MIT
/* What a device of compute capability 9.0 takes: CUDA C++ Programming Guide, "Technical Specifications
 * per Compute Capability". A launch of more is refused, under CUDA's own name for that. */
#include "check/check.h"

enum {
    THREADS_MAX = 1024,
    THREADS_MAX_Z = 64,
    BLOCKS_MAX_YZ = 65535,
    SHARED_MAX = 227 * 1024,
    SHARED_USUAL = 48 * 1024, /* of static variables; and in all, unless the launch asks for more */
};

enum rd_status rd_check_limits(const struct rd_check_options *options, struct rd_error *error)
{
    const struct rd_sim_dim *g = &options->grid, *b = &options->block;
    if (b->x == 0 || b->y == 0 || b->z == 0 || b->x > THREADS_MAX || b->y > THREADS_MAX ||
        b->z > THREADS_MAX_Z || (uint64_t)b->x * b->y * b->z > THREADS_MAX)
        return rd_fail(error, RD_ERROR_LAUNCH,
                       "cudaErrorInvalidConfiguration: a block of %u x %u x %u threads, where the "
                       "device takes 1 to %d, and at most %d in z",
                       b->x, b->y, b->z, THREADS_MAX, THREADS_MAX_Z);
    if (g->x == 0 || g->y == 0 || g->z == 0 || g->x > INT32_MAX || g->y > BLOCKS_MAX_YZ ||
        g->z > BLOCKS_MAX_YZ)
        return rd_fail(
            error, RD_ERROR_LAUNCH,
            "cudaErrorInvalidConfiguration: a grid of %u x %u x %u blocks, where the device "
            "takes at most %d x %d x %d",
            g->x, g->y, g->z, INT32_MAX, BLOCKS_MAX_YZ, BLOCKS_MAX_YZ);
    if (options->shared_bytes > SHARED_MAX)
        return rd_fail(
            error, RD_ERROR_LAUNCH,
            "cudaErrorInvalidValue: %zu bytes of dynamic shared memory, where the device "
            "takes at most %d",
            options->shared_bytes, SHARED_MAX);
    return RD_OK;
}

enum rd_status rd_check_limits_kernel(const struct rd_check_options *options,
                                      const struct rd_check_module *module, struct rd_error *error)
{
    size_t all = module->static_bytes + options->shared_bytes;
    const struct rd_sim_dim *b = &options->block;
    if (module->threads_max > 0 && b->x * b->y * b->z > module->threads_max)
        return rd_fail(
            error, RD_ERROR_LAUNCH,
            "cudaErrorInvalidValue: a block of %u threads, where '%s' is compiled for at "
            "most %u by its __launch_bounds__",
            b->x * b->y * b->z, options->kernel, module->threads_max);
    if (module->static_bytes > SHARED_USUAL)
        return rd_fail(error, RD_ERROR_LAUNCH,
                       "cudaErrorInvalidPtx: %zu bytes of static shared memory, where a kernel has "
                       "at most %d: take it as dynamic shared memory",
                       module->static_bytes, SHARED_USUAL);
    if (all > SHARED_MAX)
        return rd_fail(error, RD_ERROR_LAUNCH,
                       "cudaErrorInvalidValue: %zu bytes of dynamic shared memory and %zu of "
                       "static, where the device has %d for a block",
                       options->shared_bytes, module->static_bytes, SHARED_MAX);
    if (all > SHARED_USUAL && module->n_launches > 0 && !module->asks_for_shared)
        return rd_fail(error, RD_ERROR_LAUNCH,
                       "cudaErrorInvalidValue: %zu bytes of shared memory, where a launch gets at "
                       "most %d unless cudaFuncSetAttribute asks for more, and the file launches "
                       "'%s' without",
                       all, SHARED_USUAL, options->kernel);
    return RD_OK;
}
