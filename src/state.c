// SPDX-License-Identifier: MIT
#include "state.h"

/* Cells a chunk, at the least: large enough for the copy's full speed. */
enum { CHUNK_MIN = 1 << 20 };

static enum rd_status make_array(struct rd_state *state, const void *cells,
                                 struct rd_buffer **buffer, struct rd_error *error)
{
    struct rd_device *device = state->run->device;
    size_t size_bytes = state->run->n * state->run->numeric->size_bytes;
    enum rd_status status = device->ops->alloc(device, size_bytes, buffer, error);
    if (status == RD_OK)
        status = device->ops->write(device, *buffer, cells, size_bytes, error);
    return status;
}

enum rd_status rd_state_init(struct rd_state *state, const struct rd_run *run,
                             const struct rd_expect *expect, struct rd_error *error)
{
    struct rd_device *device = run->device;
    struct rd_state s = {.run = run};
    enum rd_status status = make_array(&s, expect->cells, &s.a, error);
    if (status == RD_OK && expect->b)
        status = make_array(&s, expect->b, &s.b, error);
    if (status == RD_OK)
        status = device->ops->host_alloc(device, run->n * run->numeric->size_bytes, &s.host, error);
    if (status == RD_OK)
        *state = s;
    else
        rd_state_finish(&s);
    return status;
}

void rd_state_finish(struct rd_state *state)
{
    struct rd_device *device = state->run->device;
    device->ops->free(device, state->a);
    device->ops->free(device, state->b);
    device->ops->host_free(device, state->host);
}

enum rd_status rd_state_launch(struct rd_state *state, const struct rd_round *round,
                               struct rd_error *error)
{
    struct rd_device *device = state->run->device;
    struct rd_launch launch = {
        .kernel = round->kernel,
        .type = state->run->numeric->type,
        .grid = round->grid,
        .block = round->block,
        .n_args = round->n_operands,
    };
    for (unsigned i = 0; i < round->n_operands; i++) {
        switch (round->operands[i].kind) {
        case RD_OPERAND_A:
            launch.args[i].buffer = state->a;
            launch.args[i].name = "A";
            break;
        case RD_OPERAND_B:
            launch.args[i].buffer = state->b;
            launch.args[i].name = "B";
            break;
        case RD_OPERAND_SIZE:
            launch.args[i].scalar = round->operands[i].size;
            break;
        }
    }
    return device->ops->launch(device, &launch, error);
}

/* The cells [start, end) of the array or, where only live cells are copied, of the claim. */
static void compare_chunk(const struct rd_state *state, const struct rd_claim *claim,
                          struct rd_expect *expect, size_t start, size_t end,
                          struct rd_comparison *found)
{
    size_t stride = claim->stride, size = expect->numeric->size_bytes;
    bool whole = state->run->frame;
    size_t first = whole ? (start + stride - 1) / stride : start;
    size_t last = whole ? (end + stride - 1) / stride : end;
    if (last > claim->count)
        last = claim->count;
    if (first >= last)
        return;
    const char *actual = (const char *)state->host + first * (whole ? stride : 1) * size;
    expect->numeric->compare(expect, first, last - first, stride, actual, whole ? stride : 1,
                             found);
}

static size_t chunk_size(size_t total)
{
    size_t chunk = (total + RD_READ_SLOTS - 1) / RD_READ_SLOTS;
    return chunk < CHUNK_MIN ? CHUNK_MIN : chunk;
}

static size_t chunk_end(size_t start, size_t total)
{
    size_t chunk = chunk_size(total);
    return total - start < chunk ? total : start + chunk;
}

enum rd_status rd_state_copy_begin(struct rd_state *state, const struct rd_claim *claim,
                                   struct rd_error *error)
{
    const struct rd_run *run = state->run;
    struct rd_device *device = run->device;
    size_t total = run->frame ? run->n : claim->count;
    size_t stride = run->frame ? 1 : claim->stride;
    enum rd_status status = RD_OK;
    unsigned slot = 0;

    for (size_t start = 0; start < total && status == RD_OK; start = chunk_end(start, total)) {
        struct rd_cells cells = {start, chunk_end(start, total) - start, stride};
        char *to = (char *)state->host + start * run->numeric->size_bytes;
        status = device->ops->read(device, state->a, run->numeric->type, cells, to, slot++, error);
    }
    if (status == RD_OK)
        state->n_copied = total;
    return status;
}

enum rd_status rd_state_copy_compare(struct rd_state *state, const struct rd_claim *claim,
                                     struct rd_expect *expect, struct rd_comparison *found,
                                     struct rd_error *error)
{
    struct rd_device *device = state->run->device;
    size_t total = state->n_copied;
    enum rd_status status = RD_OK;
    unsigned slot = 0;

    for (size_t start = 0; start < total && status == RD_OK; start = chunk_end(start, total)) {
        status = device->ops->wait(device, slot++, error);
        if (status == RD_OK && expect)
            compare_chunk(state, claim, expect, start, chunk_end(start, total), found);
    }
    return status;
}

struct rd_state_view rd_state_view(const struct rd_state *state)
{
    return (struct rd_state_view){
        .cells = state->host,
        .n_cells = state->n_copied,
        .whole = state->run->frame,
    };
}
