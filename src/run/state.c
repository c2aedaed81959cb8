// SPDX-License-Identifier: MIT
#include "run/state.h"
#include "run/breaks.h"
#include "run/input_change.h"
#include "reductio/operation.h"
#include "reductio/witness.h"

#include <assert.h>
#include <stdlib.h>

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
    enum rd_status status = rd_breaks_check(run, &s.shape, s.n_cells, error);
    if (status == RD_OK)
        status = make_array(&s, expect->cells, expect->n * size, &s.a, error);
    if (status == RD_OK && expect->b)
        status = make_array(&s, expect->b, rd_program_inputs_b(run->program, &s.shape) * size, &s.b,
                            error);
    if (status == RD_OK && expect->b)
        status = rd_inputs_seal(&s, RD_INPUT_B, error);
    if (status == RD_OK)
        status = device->ops->host_alloc(device, expect->n * size, &s.host, error);
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
    return status == RD_OK ? rd_inputs_seal(state, RD_INPUT_A, error) : status;
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
    return status == RD_OK ? rd_indices_seal(state, error) : status;
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
