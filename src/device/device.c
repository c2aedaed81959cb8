// SPDX-License-Identifier: MIT
#include "reductio/device.h"
#include "base/sized.h"
#include "base/spelling.h"
#include "device/devices.h"
#include "device/kernel_names.h"
#include "reductio/operation.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Blocks in y that every CUDA device takes. */
enum { GRID_Y_MAX = 65535 };

/* The size of struct rd_launch in version 0.1. */
enum { LAUNCH_FIRST_SIZE = sizeof(struct rd_launch) };

#define IF_ALWAYS(...) __VA_ARGS__
#ifdef RD_HAVE_CUDA
#define IF_WITH_CUDA(...) __VA_ARGS__
static const char absent[] = "";
#else
#define IF_WITH_CUDA(...)
static const char absent[] = "this build has no CUDA";
#endif

#define DECLARE(name, where) IF_##where(extern const struct rd_device_ops rd_device_##name;)
RD_DEVICES(DECLARE)
#define REGISTER(name, where) IF_##where(&rd_device_##name, )
const struct rd_device_ops *const rd_devices[] = {RD_DEVICES(REGISTER) NULL};

/* Devices that a build may lack, with what to do to get them. */
#define LACKING_ALWAYS(name)
#define LACKING_WITH_CUDA(name) {#name, "build with the CUDA Toolkit and -Dcuda=enabled"},
#define LACKING(name, where)    LACKING_##where(name)
static const struct {
    const char *name, *cure;
} optional[] = {RD_DEVICES(LACKING)};

/* The first device that starts; `why` collects why those before it did not. */
static enum rd_status open_any(struct rd_device **device, struct rd_error *why,
                               struct rd_error *error)
{
    enum rd_status status = RD_ERROR_DEVICE;
    struct rd_error reason, failed = {""};
    snprintf(reason.text, sizeof reason.text, "%s", absent);
    for (const struct rd_device_ops *const *ops = rd_devices; *ops; ops++) {
        status = (*ops)->open(device, &failed);
        if (status == RD_OK) {
            bool first = ops == rd_devices && !*absent;
            rd_fail(why, RD_OK, "%s", first ? "it is there" : reason.text);
            break;
        }
        reason = failed;
    }
    if (status != RD_OK)
        *error = failed;
    return status;
}

enum rd_status rd_device_open(const char *name, struct rd_device **device, struct rd_error *why,
                              struct rd_error *error)
{
    static const char *const names[] = {RD_DEVICE_NAMES};
    char list[64];
    struct rd_error local;
    if (!error)
        error = &local;
    if (strcmp(name, "auto") == 0)
        return open_any(device, why, error);
    for (const struct rd_device_ops *const *ops = rd_devices; *ops; ops++) {
        if (strcmp((*ops)->name, name) == 0) {
            rd_fail(why, RD_OK, "asked for");
            return (*ops)->open(device, error);
        }
    }
    for (size_t k = 0; k < sizeof optional / sizeof *optional; k++)
        if (strcmp(optional[k].name, name) == 0)
            return rd_fail(error, RD_ERROR_DEVICE,
                           "'%s' is not in this build: %s, or use --device sim", name,
                           optional[k].cure);
    rd_alternatives(list, sizeof list, names);
    return rd_fail(error, RD_ERROR_USAGE, "'%s' is not a device: use %s", name, list);
}

bool rd_device_simulates(const char *name)
{
    for (const struct rd_device_ops *const *ops = rd_devices; *ops; ops++)
        if (strcmp((*ops)->name, name) == 0)
            return (*ops)->simulates;
    return false;
}

void rd_device_close(struct rd_device *device)
{
    if (device)
        device->ops->close(device);
}

size_t rd_launch_blocks(const struct rd_launch *launch)
{
    return launch->grid * (launch->grid_y ? launch->grid_y : 1);
}

unsigned rd_launch_threads(const struct rd_launch *launch)
{
    return launch->block * (launch->block_y ? launch->block_y : 1);
}

enum rd_status rd_launch_check_members(const struct rd_launch *launch, struct rd_error *error)
{
    if (rd_sized_check(launch, sizeof *launch, LAUNCH_FIRST_SIZE, "launch", error) != RD_OK)
        return RD_ERROR_USAGE;
    if (!rd_kernel_is_known(launch->kernel) || (unsigned)launch->type >= RD_TYPE_COUNT ||
        (unsigned)launch->operation >= RD_OPERATION_COUNT)
        return rd_fail(error, RD_ERROR_USAGE,
                       "a launch of kernel %d, of type %d and operation %d: there is none of that "
                       "number",
                       (int)launch->kernel, (int)launch->type, (int)launch->operation);
    if (launch->n_args > RD_ARG_MAX || (launch->n_omissions > 0 && !launch->omissions))
        return rd_fail(error, RD_ERROR_USAGE, "a launch has %u %s: %s",
                       launch->n_args > RD_ARG_MAX ? launch->n_args : launch->n_omissions,
                       launch->n_args > RD_ARG_MAX ? "arguments" : "omissions",
                       launch->n_args > RD_ARG_MAX ? "it has room for fewer"
                                                   : "and 'omissions' is NULL");
    return RD_OK;
}

enum rd_status rd_launch_check(const struct rd_launch *launch,
                               const struct rd_device_limits *limits, const char *cuda_name,
                               struct rd_error *error)
{
    if (rd_launch_check_members(launch, error) != RD_OK)
        return RD_ERROR_USAGE;
    const unsigned threads = rd_launch_threads(launch);
    if (launch->block_y > limits->block_max)
        return rd_fail(error, RD_ERROR_LAUNCH,
                       "%s: a block of %u threads in y, where the device takes 1 to %u", cuda_name,
                       launch->block_y, limits->block_max);
    if (launch->block == 0 || launch->block > limits->block_max || threads > limits->block_max)
        return rd_fail(error, RD_ERROR_LAUNCH,
                       "%s: a block of %u threads, where the device takes 1 to %u", cuda_name,
                       threads, limits->block_max);
    if (launch->grid == 0 || launch->grid > limits->grid_max)
        return rd_fail(error, RD_ERROR_LAUNCH,
                       "%s: a grid of %zu blocks, where the device takes 1 to %zu", cuda_name,
                       launch->grid, limits->grid_max);
    if (launch->grid_y > GRID_Y_MAX)
        return rd_fail(error, RD_ERROR_LAUNCH,
                       "%s: a grid of %u blocks in y, where a device takes 1 to %d", cuda_name,
                       launch->grid_y, GRID_Y_MAX);
    if (launch->shared_bytes > limits->shared_max)
        return rd_fail(error, RD_ERROR_LAUNCH,
                       "%s: %zu bytes of dynamic shared memory, where the device takes at most %zu",
                       cuda_name, launch->shared_bytes, limits->shared_max);
    return RD_OK;
}

enum rd_status rd_launch_too_large(const struct rd_launch *launch, const char *cuda_name,
                                   struct rd_error *error)
{
    return rd_fail(error, RD_ERROR_LAUNCH,
                   "%s: %zu blocks of %u threads are more than the device can hold at once",
                   cuda_name, rd_launch_blocks(launch), rd_launch_threads(launch));
}

static const char *text_of(const struct rd_arg *arg)
{
    if (!arg->buffer)
        return "a number";
    return arg->is_unsigned ? "an array of unsigned numbers" : "an array of elements";
}

static bool takes(enum rd_param param, const struct rd_arg *arg)
{
    switch (param) {
    case RD_PARAM_ELEMS:
    case RD_PARAM_CONST_ELEMS:
        return arg->buffer && !arg->is_unsigned;
    case RD_PARAM_UNSIGNED:
        return arg->buffer && arg->is_unsigned;
    case RD_PARAM_UNSIGNED_LONG_LONG: /* there is no word for such an array */
        return arg->buffer;
    default:
        return !arg->buffer;
    }
}

static enum rd_status check_arguments(const struct rd_launch *launch, struct rd_error *error)
{
    const enum rd_param *params;
    unsigned n_params = rd_kernel_params(launch->kernel, &params);
    const char *kernel = rd_kernel_name(launch->kernel);
    const unsigned n_inputs = rd_operation_selects(launch->operation); /* behind what it says */
    if (launch->n_args == n_params + n_inputs && n_inputs > 0 &&
        !takes(RD_PARAM_CONST_ELEMS, &launch->args[n_params]))
        return rd_fail(error, RD_ERROR_USAGE,
                       "kernel '%s' is passed %s as argument %u, and takes the input there", kernel,
                       text_of(&launch->args[n_params]), n_params + 1);
    if (launch->n_args != n_params + n_inputs)
        return rd_fail(error, RD_ERROR_USAGE,
                       "kernel '%s' takes %u arguments, and is passed %u: pass what "
                       "LAUNCHABLE(%s, ...) says",
                       kernel, n_params + n_inputs, launch->n_args, kernel);
    for (unsigned k = 0; k < n_params; k++)
        if (!takes(params[k], &launch->args[k]))
            return rd_fail(error, RD_ERROR_USAGE,
                           "kernel '%s' is passed %s as argument %u, and takes '%s' there: pass "
                           "what LAUNCHABLE(%s, ...) says",
                           kernel, text_of(&launch->args[k]), k + 1, rd_param_type(params[k]),
                           kernel);
    return RD_OK;
}

static enum rd_status has_no_kernel(const struct rd_launch *launch, struct rd_error *error)
{
    if (launch->kernel >= RD_KERNEL_COUNT)
        return rd_fail(error, RD_ERROR_USAGE,
                       "kernel '%s' can't be launched here for '%s' of %s: it takes the simulator, "
                       "and a registered build of that type",
                       rd_kernel_name(launch->kernel), rd_operation_name(launch->operation),
                       rd_numeric(launch->type)->name);
    return rd_fail(error, RD_ERROR_USAGE, "the kernel has no build for '%s' of %s",
                   rd_operation_name(launch->operation), rd_numeric(launch->type)->name);
}

enum rd_status rd_launch_set_up(const struct rd_launch *launch, bool has_kernel,
                                const void *(*place_of)(const struct rd_buffer *buffer),
                                void *arguments[RD_ARG_MAX], struct rd_error *error)
{
    enum rd_status status =
        has_kernel ? check_arguments(launch, error) : has_no_kernel(launch, error);
    for (unsigned k = 0; k < launch->n_args && status == RD_OK; k++) {
        const struct rd_arg *arg = &launch->args[k];
        const void *place = arg->buffer ? place_of(arg->buffer) : &arg->scalar;
        arguments[k] = (void *)(uintptr_t)place;
    }
    return status;
}
