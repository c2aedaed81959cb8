// SPDX-License-Identifier: MIT
#include "input_change.h"
#include "operation.h"

#include <string.h>

/* Elements that are copied back at a time. */
enum { WINDOW = 1 << 20 };

const char *rd_input_name(enum rd_input input)
{
    return input == RD_INPUT_A ? "a" : "b";
}

static unsigned passed(const struct rd_round *round)
{
    unsigned inputs = 0;
    for (unsigned k = 0; k < round->n_operands && !round->spoils_inputs; k++) {
        inputs |= round->operands[k].kind == RD_OPERAND_INPUT ? RD_INPUT_A : 0u;
        inputs |= round->operands[k].kind == RD_OPERAND_B ? RD_INPUT_B : 0u;
    }
    return inputs;
}

unsigned rd_inputs_due(const struct rd_program *program, enum rd_operation operation,
                       const struct rd_shape *shape, bool frame, unsigned round)
{
    struct rd_round plan;
    /* All kernels of an operation that selects are passed a. */
    const unsigned always = rd_operation_selects(operation) ? RD_INPUT_A : 0u;
    unsigned inputs = always;
    if (frame)
        return rd_program_round(program, shape, round, &plan) ? passed(&plan) | always : 0;
    if (round != rd_program_rounds(program, shape))
        return 0;
    for (unsigned k = 1; k <= round && rd_program_round(program, shape, k, &plan); k++)
        inputs |= passed(&plan);
    return inputs;
}

/* ---- on the device ---- */

/* An input, where it is and where it came from. */
struct input {
    struct rd_buffer *buffer;
    const void *host;
    size_t n_elems;
    uint64_t *digest;
};

static struct input input_of(struct rd_state *state, enum rd_input input)
{
    const struct rd_run *run = state->run;
    if (input == RD_INPUT_A)
        return (struct input){state->input, run->a, rd_program_inputs(run->program, &state->shape),
                              &state->digest_a};
    return (struct input){state->b, run->b, rd_program_inputs_b(run->program, &state->shape),
                          &state->digest_b};
}

static enum rd_status digest(const struct rd_state *state, const struct input *it, uint64_t *sum,
                             struct rd_error *error)
{
    struct rd_device *device = state->run->device;
    return device->ops->digest(device, it->buffer, it->n_elems * state->run->numeric->size_bytes,
                               sum, error);
}

enum rd_status rd_inputs_seal(struct rd_state *state, enum rd_input input, struct rd_error *error)
{
    const struct input it = input_of(state, input);
    return state->run->device->ops->digest ? digest(state, &it, it.digest, error) : RD_OK;
}

/* Notes where the window, the elements from `first` on, is another than it was. */
static void note(const struct rd_numeric *numeric, const struct input *it, size_t first,
                 size_t count, const void *window, struct rd_input_change *change)
{
    size_t size = numeric->size_bytes;
    const char *was = (const char *)it->host + first * size, *is = window;
    if (memcmp(was, is, count * size) == 0)
        return;
    for (size_t k = 0; k < count; k++) {
        if (memcmp(was + k * size, is + k * size, size) == 0 || change->count++ > 0)
            continue;
        change->index = first + k;
        change->expected = numeric->load(it->host, first + k);
        change->actual = numeric->load(window, k);
    }
}

static enum rd_status copy_and_compare(const struct rd_state *state, const struct input *it,
                                       struct rd_input_change *change, struct rd_error *error)
{
    const struct rd_run *run = state->run;
    struct rd_device *device = run->device;
    size_t most = it->n_elems < WINDOW ? it->n_elems : WINDOW;
    void *window = NULL;
    enum rd_status status =
        device->ops->host_alloc(device, most * run->numeric->size_bytes, &window, error);
    for (size_t first = 0; first < it->n_elems && status == RD_OK; first += most) {
        size_t left = it->n_elems - first, count = left < most ? left : most;
        status = device->ops->read(device, it->buffer, run->numeric->type,
                                   (struct rd_cells){first, count, 1}, window, 0, error);
        if (status == RD_OK)
            status = device->ops->wait(device, 0, error);
        if (status == RD_OK)
            note(run->numeric->inputs, it, first, count, window, change);
    }
    device->ops->host_free(device, window);
    return status;
}

enum rd_status rd_inputs_compare(struct rd_state *state, enum rd_input input, bool *changed,
                                 struct rd_input_change *change, struct rd_error *error)
{
    const struct input it = input_of(state, input);
    struct rd_input_change found = {.array = rd_input_name(input)};
    enum rd_status status = RD_OK;
    uint64_t sum = 0;
    bool same = false;
    if (state->run->device->ops->digest) {
        status = digest(state, &it, &sum, error);
        same = sum == *it.digest;
    }
    if (status == RD_OK && !same)
        status = copy_and_compare(state, &it, &found, error);
    if (status != RD_OK)
        return status;
    *changed = found.count > 0;
    if (*changed)
        *change = found;
    return RD_OK;
}
