// SPDX-License-Identifier: MIT
/* Substitute for a GPU where there is none: the simulator as a device that does not look for hazards, nor can
 * choose its schedule. Where FAKE_GPU_FAULT is set, it stops the kernel of that launch, 1 for the first, as a GPU
 * does for an illegal address; where FAKE_GPU_NONE is, it is not there. */
#include "device/cuda/cuda_device.h"
#include "device/sim/sim.h"

#include <stdlib.h>

static struct rd_device fake = {.ops = &rd_device_cuda};
static struct rd_device *inner;
static unsigned launches;
static bool stopped;

static enum rd_status fake_open(struct rd_device **device, struct rd_error *error)
{
    if (getenv("FAKE_GPU_NONE"))
        return rd_fail(error, RD_ERROR_DEVICE, "no GPU can be used: cudaErrorNoDevice");
    enum rd_status status = rd_device_sim.open(&inner, error);
    if (status == RD_OK)
        *device = &fake;
    return status;
}

static void fake_close(struct rd_device *device)
{
    (void)device;
    rd_device_sim.close(inner);
}

static const char *fake_describe(const struct rd_device *device)
{
    (void)device;
    return "no GPU, but what stands for one";
}

static void fake_limits(const struct rd_device *device, struct rd_device_limits *limits)
{
    (void)device;
    rd_device_sim.limits(inner, limits);
}

static enum rd_status fake_alloc(struct rd_device *device, size_t size_bytes,
                                 struct rd_buffer **buffer, struct rd_error *error)
{
    (void)device;
    return rd_device_sim.alloc(inner, size_bytes, buffer, error);
}

static void fake_free(struct rd_device *device, struct rd_buffer *buffer)
{
    (void)device;
    rd_device_sim.free(inner, buffer);
}

static enum rd_status fake_host_alloc(struct rd_device *device, size_t size_bytes, void **memory,
                                      struct rd_error *error)
{
    (void)device;
    return rd_device_sim.host_alloc(inner, size_bytes, memory, error);
}

static void fake_host_free(struct rd_device *device, void *memory)
{
    (void)device;
    rd_device_sim.host_free(inner, memory);
}

static enum rd_status fake_write(struct rd_device *device, struct rd_buffer *buffer,
                                 const void *host, size_t size_bytes, struct rd_error *error)
{
    (void)device;
    return rd_device_sim.write(inner, buffer, host, size_bytes, error);
}

static enum rd_status fake_read(struct rd_device *device, struct rd_buffer *buffer,
                                enum rd_type type, struct rd_cells cells, void *host, unsigned slot,
                                struct rd_error *error)
{
    (void)device;
    return rd_device_sim.read(inner, buffer, type, cells, host, slot, error);
}

static enum rd_status fake_wait(struct rd_device *device, unsigned slot, struct rd_error *error)
{
    (void)device;
    if (stopped)
        return rd_fail(error, RD_ERROR_FAULT,
                       "cudaErrorIllegalAddress: an illegal memory access was encountered "
                       "(cudaEventSynchronize)");
    return rd_device_sim.wait(inner, slot, error);
}

static enum rd_status fake_launch(struct rd_device *device, const struct rd_launch *launch,
                                  struct rd_error *error)
{
    const char *fault = getenv("FAKE_GPU_FAULT");
    struct rd_launch once = *launch;
    (void)device;
    once.n_schedules = 1;
    once.tried = NULL;
    stopped = stopped || (fault && ++launches == strtoul(fault, NULL, 10));
    return rd_device_sim.launch(inner, &once, error);
}

const struct rd_device_ops rd_device_cuda = {
    .name = "cuda",
    .open = fake_open,
    .close = fake_close,
    .describe = fake_describe,
    .limits = fake_limits,
    .alloc = fake_alloc,
    .free = fake_free,
    .host_alloc = fake_host_alloc,
    .host_free = fake_host_free,
    .write = fake_write,
    .read = fake_read,
    .wait = fake_wait,
    .launch = fake_launch,
};
