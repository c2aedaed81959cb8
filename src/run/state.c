// SPDX-License-Identifier: MIT
#include "run/state.h"
#include "reductio/operation.h"
#include "reductio/witness.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- inputs ---- */

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

static enum rd_status digest(const struct rd_state *state, const struct input *input, uint64_t *sum,
                             struct rd_error *error)
{
    struct rd_device *device = state->run->device;
    return device->ops->digest(device, input->buffer,
                               input->n_elems * state->run->numeric->size_bytes, sum, error);
}

/* Remembers what an input on the device holds, where the device can digest it: to be called behind the write that
 * put it there, and before any launch that is passed it. RD_ERROR_DEVICE, and RD_ERROR_FAULT where the device has
 * stopped a kernel that was launched before: the input is then not to be compared. The second is of the indices that
 * kernels take in the place of a, and that are compared together with it. */
static enum rd_status inputs_seal(struct rd_state *state, enum rd_input input,
                                  struct rd_error *error)
{
    const struct input source = input_of(state, input);
    return state->run->device->ops->digest ? digest(state, &source, source.digest, error) : RD_OK;
}

static enum rd_status indices_seal(struct rd_state *state, struct rd_error *error)
{
    const struct input input = indices_of(state);
    return state->run->device->ops->digest ? digest(state, &input, input.digest, error) : RD_OK;
}

/* Notes where the window, the elements from `first` on, is another than it was. */
static void note(const struct input *input, size_t first, size_t count, const void *window,
                 struct rd_input_change *change)
{
    const struct rd_numeric *numeric = input->numeric;
    size_t size = numeric->size_bytes;
    const char *was = (const char *)input->host + first * size, *is = window;
    if (memcmp(was, is, count * size) == 0)
        return;
    for (size_t k = 0; k < count; k++) {
        if (memcmp(was + k * size, is + k * size, size) == 0 || change->count++ > 0)
            continue;
        change->index = first + k;
        change->expected = numeric->load(input->host, first + k);
        change->actual = numeric->load(window, k);
    }
}

static enum rd_status copy_and_compare(const struct rd_state *state, const struct input *input,
                                       struct rd_input_change *change, struct rd_error *error)
{
    const struct rd_run *run = state->run;
    struct rd_device *device = run->device;
    size_t most = input->n_elems < WINDOW ? input->n_elems : WINDOW;
    void *window = NULL;
    enum rd_status status =
        device->ops->host_alloc(device, most * run->numeric->size_bytes, &window, error);
    for (size_t first = 0; first < input->n_elems && status == RD_OK; first += most) {
        size_t left = input->n_elems - first, count = left < most ? left : most;
        status = device->ops->read(device, input->buffer, run->numeric->type,
                                   (struct rd_cells){first, count, 1}, window, 0, error);
        if (status == RD_OK)
            status = device->ops->wait(device, 0, error);
        if (status == RD_OK)
            note(input, first, count, window, change);
    }
    device->ops->host_free(device, window);
    return status;
}

static enum rd_status compare(struct rd_state *state, const struct input *input,
                              struct rd_input_change *change, struct rd_error *error)
{
    uint64_t sum = 0;
    *change = (struct rd_input_change){.array = input->name, .numeric = input->numeric};
    if (state->run->device->ops->digest) {
        enum rd_status status = digest(state, input, &sum, error);
        if (status != RD_OK || sum == *input->digest)
            return status;
    }
    return copy_and_compare(state, input, change, error);
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

/* ---- the array under test ---- */

/* Cells a chunk, at the least: large enough for the copy's full speed. */
enum { CHUNK_MIN = 1 << 20 };

/* For a kernel that may not end. */
enum { TIME_LIMIT_S = 5 };

static enum rd_status make_array(struct rd_state *state, const void *cells, size_t size_bytes,
                                 struct rd_buffer **buffer, struct rd_error *error)
{
    struct rd_device *device = state->run->device;
    enum rd_status status = device->ops->alloc(device, size_bytes, buffer, error);
    if (status == RD_OK)
        status = device->ops->write(device, *buffer, cells, size_bytes, error);
    return status;
}

/* ---- breaks ---- */

static enum rd_status put(struct rd_state *state, size_t cell, rd_bits value,
                          struct rd_error *error)
{
    const struct rd_run *run = state->run;
    struct rd_device *device = run->device;
    const struct rd_cells all = {0, state->n_cells, 1};
    enum rd_status status =
        device->ops->read(device, state->a, run->numeric->type, all, state->host, 0, error);
    if (status == RD_OK)
        status = device->ops->wait(device, 0, error);
    if (status != RD_OK)
        return status;
    run->numeric->store(state->host, cell, value);
    return device->ops->write(device, state->a, state->host,
                              state->n_cells * run->numeric->size_bytes, error);
}

/* Puts into A what the run is told to at that step. */
static enum rd_status break_cells(struct rd_state *state, unsigned step, struct rd_error *error)
{
    const struct rd_run *run = state->run;
    enum rd_status status = RD_OK;
    for (unsigned k = 0; k < run->n_breaks && status == RD_OK; k++)
        if (run->breaks[k].kind == RD_BREAK_CELL && run->breaks[k].step == step)
            status = put(state, run->breaks[k].cell, run->breaks[k].value, error);
    return status;
}

static enum rd_status check_met(const struct rd_launch *launch, unsigned step,
                                struct rd_error *error)
{
    for (unsigned k = 0; k < launch->n_omissions; k++)
        if (!launch->omissions[k].met && !launch->omissions[k].of_thread)
            return rd_fail(error, RD_ERROR_USAGE,
                           "there is no barrier %u in round %u: its threads pass fewer, or none",
                           launch->omissions[k].barrier, step);
    return RD_OK;
}

/* ---- the arrays ---- */

enum rd_status rd_state_init(struct rd_state *state, const struct rd_run *run,
                             const struct rd_expect *expect, struct rd_error *error)
{
    struct rd_device *device = run->device;
    struct rd_state s = {.run = run, .shape = expect->shape, .n_cells = expect->n};
    size_t size = run->numeric->size_bytes;
    /* The array is copied there, and a ticket, which may be larger. */
    size_t host_bytes = expect->n * size > sizeof(unsigned) ? expect->n * size : sizeof(unsigned);
    enum rd_status status = rd_breaks_check(run, &s.shape, s.n_cells, error);
    if (status == RD_OK)
        status = make_array(&s, expect->cells, expect->n * size, &s.a, error);
    if (status == RD_OK && expect->b)
        status = make_array(&s, expect->b, rd_program_inputs_b(run->program, &s.shape) * size, &s.b,
                            error);
    if (status == RD_OK && expect->b)
        status = inputs_seal(&s, RD_INPUT_B, error);
    if (status == RD_OK)
        status = device->ops->host_alloc(device, host_bytes, &s.host, error);
    if (status == RD_OK)
        status = break_cells(&s, 0, error);
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
    device->ops->free(device, state->input);
    device->ops->free(device, state->indices);
    device->ops->free(device, state->scratch);
    device->ops->free(device, state->ticket);
    device->ops->host_free(device, state->host);
    free(state->host_indices);
}

/* ---- launches ---- */

static enum rd_status make_zeros(struct rd_state *state, size_t size_bytes,
                                 struct rd_buffer **buffer, struct rd_error *error)
{
    void *zeros = *buffer ? NULL : calloc(size_bytes, 1);
    if (*buffer)
        return RD_OK;
    if (!zeros)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for %zu bytes", size_bytes);
    enum rd_status status = make_array(state, zeros, size_bytes, buffer, error);
    free(zeros);
    return status;
}

static enum rd_status make_input(struct rd_state *state, struct rd_error *error)
{
    const struct rd_run *run = state->run;
    if (state->input)
        return RD_OK;
    enum rd_status status = make_array(
        state, run->a, rd_program_inputs(run->program, &state->shape) * run->numeric->size_bytes,
        &state->input, error);
    return status == RD_OK ? inputs_seal(state, RD_INPUT_A, error) : status;
}

/* 0, 1, and so on: each input's own index. */
static enum rd_status make_indices(struct rd_state *state, struct rd_error *error)
{
    const struct rd_run *run = state->run;
    const size_t n = rd_program_inputs(run->program, &state->shape);
    const size_t size_bytes = n * run->numeric->size_bytes;
    if (state->indices)
        return RD_OK;
    if (!state->host_indices)
        state->host_indices = malloc(size_bytes);
    if (!state->host_indices)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for %zu bytes", size_bytes);
    run->numeric->lanes->input(state->host_indices, run->a, 0, 1, n);
    enum rd_status status =
        make_array(state, state->host_indices, size_bytes, &state->indices, error);
    return status == RD_OK ? indices_seal(state, error) : status;
}

static enum rd_status pass_values(struct rd_state *state, struct rd_arg *arg,
                                  struct rd_error *error)
{
    enum rd_status status = make_input(state, error);
    *arg = (struct rd_arg){.buffer = state->input, .name = "a"};
    return status;
}

/* The values that a kernel reduces: the input, or by an operation that selects the indices of its elements. */
static enum rd_status pass_input(struct rd_state *state, struct rd_arg *arg, struct rd_error *error)
{
    if (!rd_operation_selects(state->run->numeric->operation))
        return pass_values(state, arg, error);
    enum rd_status status = make_indices(state, error);
    *arg = (struct rd_arg){.buffer = state->indices, .name = RD_INDICES_NAME};
    return status;
}

/* An operand, as the device takes it. */
static enum rd_status pass(struct rd_state *state, enum rd_operand kind, size_t size,
                           struct rd_arg *arg, struct rd_error *error)
{
    enum rd_status status = RD_OK;
    switch (kind) {
    case RD_OPERAND_A:
        *arg = (struct rd_arg){.buffer = state->a, .name = "A"};
        break;
    case RD_OPERAND_INPUT:
        status = pass_input(state, arg, error);
        break;
    case RD_OPERAND_B:
        *arg = (struct rd_arg){.buffer = state->b, .name = "b"};
        break;
    case RD_OPERAND_SCRATCH:
        status = make_zeros(state, size * state->run->numeric->size_bytes, &state->scratch, error);
        *arg = (struct rd_arg){.buffer = state->scratch, .name = "scratch", .is_scratch = true};
        break;
    case RD_OPERAND_TICKET:
        status = make_zeros(state, sizeof(unsigned), &state->ticket, error);
        *arg = (struct rd_arg){.buffer = state->ticket, .name = "ticket", .is_unsigned = true};
        break;
    case RD_OPERAND_SIZE:
        *arg = (struct rd_arg){.scalar = size};
        break;
    }
    return status;
}

/* For witness values, in the passes that have digits for the first input. */
static struct rd_digits digits_of(const struct rd_state *state)
{
    const struct rd_run *run = state->run;
    struct rd_witness_plan plan;
    if (run->digit_bits == 0 || run->numeric->operation != RD_OPERATION_SUM)
        return (struct rd_digits){0};
    rd_witness_plan(run->program, &state->shape, RD_OPERATION_SUM, &plan);
    if (run->pass > plan.passes_a)
        return (struct rd_digits){0};
    size_t n = rd_program_inputs(run->program, &state->shape);
    size_t first = (run->pass - 1) * plan.per_pass;
    return (struct rd_digits){
        .bits = plan.digit_bits,
        .first = first,
        .count = n - first < plan.per_pass ? n - first : plan.per_pass,
        .others = n > plan.per_pass,
    };
}

enum rd_status rd_state_launch(struct rd_state *state, const struct rd_round *round,
                               struct rd_watch *watch, struct rd_tried *tried,
                               struct rd_error *error)
{
    struct rd_device *device = state->run->device;
    unsigned n_schedules = state->run->n_schedules;
    bool by_nobody =
        state->run->hazards_by == RD_HAZARDS_BY_NOBODY; /* the others are to find them */
    struct rd_launch launch = {
        .kernel = round->kernel,
        .type = state->run->numeric->type,
        .operation = state->run->numeric->operation,
        .grid = round->grid,
        .block = round->block,
        .grid_y = round->grid_y,
        .block_y = round->block_y,
        .shared_bytes = round->shared_elems * state->run->numeric->size_bytes,
        .cooperative = round->cooperative,
        .digits = digits_of(state),
        .time_limit_s = state->run->program->may_hang ? TIME_LIMIT_S : 0,
        .reads_max = round->reads_max,
        .writes_max = round->writes_max,
        .interrupted = state->run->interrupted,
        .watch = watch,
        .n_schedules = by_nobody     ? 1
                       : n_schedules ? n_schedules
                                     : RD_SCHEDULES_TRIED,
        .tried = tried,
        .n_args = round->n_operands,
    };
    for (unsigned i = 0; i < round->n_operands; i++) {
        enum rd_status status =
            pass(state, round->operands[i].kind, round->operands[i].size, &launch.args[i], error);
        if (status != RD_OK)
            return status;
        launch.acquires_by_fence |= round->operands[i].kind == RD_OPERAND_TICKET;
    }
    static_assert((int)RD_OPERANDS_MAX < (int)RD_ARG_MAX,
                  "the input of a selection goes behind all operands");
    if (rd_operation_selects(launch.operation)) {
        enum rd_status status = pass_values(state, &launch.args[launch.n_args++], error);
        if (status != RD_OK)
            return status;
    }
    struct rd_omission omissions[RD_BREAKS_MAX];
    launch.omissions = omissions;
    launch.n_omissions = rd_breaks_omissions(state->run, round->number, omissions);
    enum rd_status status = device->ops->launch(device, &launch, error);
    if (status == RD_OK)
        status = check_met(&launch, round->number, error);
    if (status == RD_OK)
        status = break_cells(state, round->number, error);
    return status;
}

enum rd_status rd_state_ticket(struct rd_state *state, unsigned *ticket, struct rd_error *error)
{
    struct rd_device *device = state->run->device;
    const struct rd_numeric *numeric = rd_numeric(RD_TYPE_U32);
    if (!state->ticket) {
        *ticket = 0;
        return RD_OK;
    }
    /* The copy of A is made anew before anybody looks at it. */
    enum rd_status status = device->ops->read(device, state->ticket, numeric->type,
                                              (struct rd_cells){0, 1, 1}, state->host, 0, error);
    if (status == RD_OK)
        status = device->ops->wait(device, 0, error);
    if (status == RD_OK)
        *ticket = (unsigned)numeric->load(state->host, 0);
    return status;
}

/* ---- copying back ---- */

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
    size_t total = run->frame ? state->n_cells : claim->count;
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
