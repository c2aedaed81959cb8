// SPDX-License-Identifier: MIT
#include "fake_device.h"
#include "reductio/hazards.h"

#include <stdlib.h>
#include <string.h>

static struct fake *fake_of(struct rd_device *device)
{
    return (struct fake *)device;
}

/* Counts a call, and says whether it is the one to fail. */
static enum rd_status count(struct fake *fake, const char *call, struct rd_error *error)
{
    if (++fake->calls != fake->fail_at)
        return RD_OK;
    return rd_fail(error, fake->fail_with, "fake: %s failed as call %u", call, fake->calls);
}

/* The inner device is whose it was. */
static void fake_close(struct rd_device *device)
{
    (void)device;
}

static const char *fake_describe(const struct rd_device *device)
{
    (void)device;
    return "fake";
}

static void fake_limits(const struct rd_device *device, struct rd_device_limits *limits)
{
    const struct fake *fake = (const struct fake *)device;
    fake->inner->ops->limits(fake->inner, limits);
}

static enum rd_status fake_alloc(struct rd_device *device, size_t size_bytes,
                                 struct rd_buffer **buffer, struct rd_error *error)
{
    struct fake *fake = fake_of(device);
    enum rd_status status = count(fake, "alloc", error);
    fake->launches = 0;
    if (status == RD_OK)
        status = fake->inner->ops->alloc(fake->inner, size_bytes, buffer, error);
    if (fake->buffers == 0 && status == RD_OK)
        fake->a = *buffer;
    fake->buffers += status == RD_OK;
    return status;
}

static void fake_free(struct rd_device *device, struct rd_buffer *buffer)
{
    struct fake *fake = fake_of(device);
    fake->buffers -= buffer != NULL;
    fake->inner->ops->free(fake->inner, buffer);
}

static enum rd_status fake_host_alloc(struct rd_device *device, size_t size_bytes, void **memory,
                                      struct rd_error *error)
{
    struct fake *fake = fake_of(device);
    enum rd_status status = count(fake, "host_alloc", error);
    if (status == RD_OK)
        status = fake->inner->ops->host_alloc(fake->inner, size_bytes, memory, error);
    fake->host_arrays += status == RD_OK;
    return status;
}

static void fake_host_free(struct rd_device *device, void *memory)
{
    struct fake *fake = fake_of(device);
    fake->host_arrays -= memory != NULL;
    fake->inner->ops->host_free(fake->inner, memory);
    memset(fake->reads, 0, sizeof fake->reads); /* an abandoned read ends with its memory */
}

static enum rd_status fake_write(struct rd_device *device, struct rd_buffer *buffer,
                                 const void *host, size_t size_bytes, struct rd_error *error)
{
    struct fake *fake = fake_of(device);
    enum rd_status status = count(fake, "write", error);
    return status == RD_OK ? fake->inner->ops->write(fake->inner, buffer, host, size_bytes, error)
                           : status;
}

static enum rd_status fake_read(struct rd_device *device, struct rd_buffer *buffer,
                                enum rd_type type, struct rd_cells cells, void *host, unsigned slot,
                                struct rd_error *error)
{
    struct fake *fake = fake_of(device);
    enum rd_status status = count(fake, "read", error);
    if (slot >= RD_READ_SLOTS || fake->reads[slot].under_way) {
        fake->misused = true;
        return rd_fail(error, RD_ERROR_DEVICE, "fake: slot %u is in use", slot);
    }
    if (status == RD_OK)
        status = fake->inner->ops->read(fake->inner, buffer, type, cells, host, slot, error);
    if (status == RD_OK)
        fake->reads[slot] = (struct fake_read){true, buffer, type, cells, host};
    return status;
}

static void flip_bit(struct fake *fake, const struct fake_read *read)
{
    const struct rd_numeric *numeric = rd_numeric(read->type);
    size_t k = fake->cell / read->cells.stride - read->cells.first;
    if (fake->cell % read->cells.stride != 0 ||
        fake->cell / read->cells.stride < read->cells.first || k >= read->cells.count)
        return;
    numeric->store(read->host, k, numeric->load(read->host, k) ^ (rd_bits)1 << fake->bit);
    fake->flipped++;
}

static enum rd_status fake_wait(struct rd_device *device, unsigned slot, struct rd_error *error)
{
    struct fake *fake = fake_of(device);
    enum rd_status status = count(fake, "wait", error);
    if (++fake->waits == fake->interrupt_at)
        fake->interrupted = 1;
    if (slot >= RD_READ_SLOTS || !fake->reads[slot].under_way) {
        fake->misused = true;
        return rd_fail(error, RD_ERROR_DEVICE, "fake: slot %u has no read under way", slot);
    }
    if (status == RD_OK)
        status = fake->inner->ops->wait(fake->inner, slot, error);
    fake->reads[slot].under_way = false;
    bool meant = fake->flips_first ? fake->flipped == 0 : fake->reads[slot].buffer == fake->a;
    if (status == RD_OK && fake->flips && meant && fake->launches == fake->step)
        flip_bit(fake, &fake->reads[slot]);
    return status;
}

/* Makes the cell of an argument `times` what it is, and `more`, on the inner device. */
static enum rd_status change(struct fake *fake, const struct rd_launch *launch, unsigned arg,
                             size_t cell, rd_bits times, rd_bits more, struct rd_error *error)
{
    const struct rd_device_ops *ops = fake->inner->ops;
    const struct rd_numeric *numeric = rd_numeric(launch->type);
    struct rd_buffer *a = launch->args[arg].buffer;
    size_t count = cell + 1;
    void *cells;
    enum rd_status status =
        ops->host_alloc(fake->inner, count * numeric->size_bytes, &cells, error);
    if (status != RD_OK)
        return status;
    status =
        ops->read(fake->inner, a, launch->type, (struct rd_cells){0, count, 1}, cells, 0, error);
    if (status == RD_OK)
        status = ops->wait(fake->inner, 0, error);
    numeric->store(cells, cell, numeric->load(cells, cell) * times + more);
    if (status == RD_OK)
        status = ops->write(fake->inner, a, cells, count * numeric->size_bytes, error);
    ops->host_free(fake->inner, cells);
    return status;
}

/* Keeps a copy of a checkpoint. The device under test has no more than fit. */
static enum rd_status keep_checkpoint(void *self, const struct rd_checkpoint *checkpoint)
{
    struct fake_told *told = self;
    size_t size_bytes = checkpoint->n_cells * sizeof(rd_bits);
    void *cells = calloc(1, size_bytes);
    if (told->count == FAKE_TOLD_MAX || !cells) {
        free(cells);
        return RD_ERROR_MEMORY;
    }
    memcpy(cells, checkpoint->cells, checkpoint->n_cells * told->elem_bytes);
    told->checkpoints[told->count] = *checkpoint;
    told->checkpoints[told->count].cells = told->memory[told->count] = cells;
    told->count++;
    return RD_OK;
}

/* Launches, and tells what the edit has left of the checkpoints. */
static enum rd_status launch_edited(struct fake *fake, const struct rd_launch *launch,
                                    struct rd_error *error)
{
    static struct fake_told told;
    struct rd_watch watch = *launch->watch;
    struct rd_launch edited = *launch;
    told = (struct fake_told){.elem_bytes = rd_numeric(launch->type)->size_bytes};
    watch.self = &told;
    watch.checkpoint = keep_checkpoint;
    edited.watch = &watch;
    enum rd_status status = fake->inner->ops->launch(fake->inner, &edited, error);
    size_t kept = told.count;
    fake->edit(&told);
    for (size_t k = 0; k < told.count && status == RD_OK; k++)
        status = launch->watch->checkpoint(launch->watch->self, &told.checkpoints[k]);
    launch->watch->truncated = told.truncated;
    launch->watch->endless = told.endless;
    for (size_t k = 0; k < kept; k++)
        free(told.memory[k]);
    return status;
}

static enum rd_status fake_launch(struct rd_device *device, const struct rd_launch *launch,
                                  struct rd_error *error)
{
    struct fake *fake = fake_of(device);
    enum rd_status status = count(fake, "launch", error);
    fake->launches++;
    if (status == RD_OK && fake->fault != FAKE_SOUND && fake->launches == fake->round) {
        if (fake->fault == FAKE_SKIPS_ROUND)
            return RD_OK;
        rd_bits times = fake->fault == FAKE_DOUBLES_CELL ? 2 : 0;
        status = change(fake, launch, 0, fake->fault_cell, times, 0, error);
    }
    struct rd_launch made = *launch;
    if (fake->substitutes)
        made.kernel = fake->substitute;
    if (status == RD_OK && fake->edit && launch->watch)
        status = launch_edited(fake, &made, error);
    else if (status == RD_OK)
        status = fake->inner->ops->launch(fake->inner, &made, error);
    if (status == RD_OK && fake->launches == fake->change_at)
        status = change(fake, launch, fake->change_arg, fake->change_cell, 1, 1, error);
    return status;
}

/* Copies the words, and digests them here. */
static enum rd_status fake_digest(struct rd_device *device, struct rd_buffer *buffer,
                                  size_t size_bytes, uint64_t *digest, struct rd_error *error)
{
    struct fake *fake = fake_of(device);
    const struct rd_device_ops *ops = fake->inner->ops;
    const struct rd_cells words = {0, size_bytes / sizeof(uint32_t), 1};
    void *copy;
    fake->digested++;
    enum rd_status status = ops->host_alloc(fake->inner, size_bytes, &copy, error);
    if (status != RD_OK)
        return status;
    status = ops->read(fake->inner, buffer, RD_TYPE_U32, words, copy, 0, error);
    if (status == RD_OK)
        status = ops->wait(fake->inner, 0, error);
    if (status == RD_OK)
        *digest = rd_numeric(RD_TYPE_U32)->digest(copy, words.count);
    ops->host_free(fake->inner, copy);
    return status;
}

static const struct rd_finding *fake_findings(struct rd_device *device, size_t *count)
{
    struct fake *fake = fake_of(device);
    fake->finding = (struct rd_finding){
        .hazard = rd_hazard_named(fake->hazard),
        .kind = "",
        .scope = "",
        .message = "fake: it was told to be",
        .lesson = "",
        .count = 1,
        .array = "",
        .type = "",
        .before = "",
        .after = "",
    };
    *count = fake->hazard && fake->launches == fake->round;
    return &fake->finding;
}

static const struct rd_device_ops fake_ops = {
    .name = "fake",
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

void fake_init(struct fake *fake, struct rd_device *inner)
{
    *fake = (struct fake){.device = {.ops = &fake_ops}, .inner = inner};
}

void fake_init_digesting(struct fake *fake, struct rd_device *inner)
{
    static struct rd_device_ops ops;
    fake_init(fake, inner);
    ops = fake_ops;
    ops.digest = fake_digest;
    fake->device.ops = &ops;
}

void fake_tell_hazard(struct fake *fake, const char *name, unsigned round)
{
    static struct rd_device_ops ops;
    ops = *fake->device.ops;
    ops.findings = fake_findings;
    fake->device.ops = &ops;
    fake->hazard = name;
    fake->round = round;
}
