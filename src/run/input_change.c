// SPDX-License-Identifier: MIT
#include "run/input_change.h"
#include "reductio/operation.h"

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
    const char *name;
    const struct rd_numeric *numeric;
    struct rd_buffer *buffer;
    const void *host;
    size_t n_elems;
    uint64_t *digest;
};

static struct input input_of(struct rd_state *state, enum rd_input input)
{
    const struct rd_run *run = state->run;
    const bool is_a = input == RD_INPUT_A;
    return (struct input){
        .name = rd_input_name(input),
        .numeric = run->numeric->inputs,
        .buffer = is_a ? state->input : state->b,
        .host = is_a ? run->a : run->b,
        .n_elems = is_a ? rd_program_inputs(run->program, &state->shape)
                        : rd_program_inputs_b(run->program, &state->shape),
        .digest = is_a ? &state->digest_a : &state->digest_b,
    };
}

static struct input indices_of(struct rd_state *state)
{
    return (struct input){
        .name = RD_INDICES_NAME,
        .numeric = state->run->numeric,
        .buffer = state->indices,
        .host = state->host_indices,
        .n_elems = rd_program_inputs(state->run->program, &state->shape),
        .digest = &state->digest_indices,
    };
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

enum rd_status rd_indices_seal(struct rd_state *state, struct rd_error *error)
{
    const struct input it = indices_of(state);
    return state->run->device->ops->digest ? digest(state, &it, it.digest, error) : RD_OK;
}

/* Notes where the window, the elements from `first` on, is another than it was. */
static void note(const struct input *it, size_t first, size_t count, const void *window,
                 struct rd_input_change *change)
{
    const struct rd_numeric *numeric = it->numeric;
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
            note(it, first, count, window, change);
    }
    device->ops->host_free(device, window);
    return status;
}

static enum rd_status compare(struct rd_state *state, const struct input *it,
                              struct rd_input_change *change, struct rd_error *error)
{
    uint64_t sum = 0;
    *change = (struct rd_input_change){.array = it->name, .numeric = it->numeric};
    if (state->run->device->ops->digest) {
        enum rd_status status = digest(state, it, &sum, error);
        if (status != RD_OK || sum == *it->digest)
            return status;
    }
    return copy_and_compare(state, it, change, error);
}

enum rd_status rd_inputs_compare(struct rd_state *state, enum rd_input input, bool *changed,
                                 struct rd_input_change *change, struct rd_error *error)
{
    const struct input of_values = input_of(state, input), of_indices = indices_of(state);
    struct rd_input_change found;
    enum rd_status status = compare(state, &of_values, &found, error);
    if (status == RD_OK && found.count == 0 && input == RD_INPUT_A && of_indices.buffer)
        status = compare(state, &of_indices, &found, error);
    if (status != RD_OK)
        return status;
    *changed = found.count > 0;
    if (*changed)
        *change = found;
    return RD_OK;
}
