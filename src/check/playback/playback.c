// SPDX-License-Identifier: MIT
/* A device whose launches were made by a user's program: each gives the next state of the recording; and the driver's
 * runs on it. */
#include "check/playback/played_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rd_buffer {
    bool is_array; /* the one under test */
    size_t size_bytes;
};

struct playback {
    struct rd_device device;  /* first: this is the device */
    struct rd_device_ops ops; /* under the name of the device on which the program ran */
    const struct rd_played *played;
    const struct rd_played_loop *loop;
    size_t at; /* the evaluation whose state the array is in */
    size_t n_buffers;
    struct rd_finding *found; /* of the last round */
    size_t n_found;
};

static struct playback *playback_of(struct rd_device *device)
{
    return (struct playback *)device;
}

static enum rd_status playback_start(struct rd_device **device, struct rd_error *error)
{
    (void)device;
    return rd_fail(error, RD_ERROR_DEVICE, "a recording is opened with what was recorded");
}

static void playback_close(struct rd_device *device)
{
    free(playback_of(device)->found);
    free(playback_of(device));
}

static const char *playback_describe(const struct rd_device *device)
{
    (void)device;
    return "the run of a program, played back";
}

static void playback_limits(const struct rd_device *device, struct rd_device_limits *limits)
{
    (void)device;
    *limits = (struct rd_device_limits){
        .grid_max = SIZE_MAX, .block_max = RD_BLOCK_MAX, .shared_max = SIZE_MAX};
}

static enum rd_status playback_alloc(struct rd_device *device, size_t size_bytes,
                                     struct rd_buffer **buffer, struct rd_error *error)
{
    struct playback *playback = playback_of(device);
    struct rd_buffer *made = calloc(1, sizeof *made);
    if (!made)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for a recording");
    made->is_array = playback->n_buffers++ == 0;
    made->size_bytes = size_bytes;
    if (made->is_array)
        playback->at = 0;
    *buffer = made;
    return RD_OK;
}

static void playback_free(struct rd_device *device, struct rd_buffer *buffer)
{
    if (buffer)
        playback_of(device)->n_buffers--;
    free(buffer);
}

static enum rd_status playback_host_alloc(struct rd_device *device, size_t size_bytes,
                                          void **memory, struct rd_error *error)
{
    (void)device;
    *memory = malloc(size_bytes + 1);
    return *memory ? RD_OK : rd_fail(error, RD_ERROR_MEMORY, "no memory for a recording");
}

static void playback_host_free(struct rd_device *device, void *memory)
{
    (void)device;
    free(memory);
}

/* The program has written its array itself. */
static enum rd_status playback_write(struct rd_device *device, struct rd_buffer *buffer,
                                     const void *host, size_t size_bytes, struct rd_error *error)
{
    (void)device;
    (void)buffer;
    (void)host;
    (void)size_bytes;
    (void)error;
    return RD_OK;
}

static enum rd_status playback_read(struct rd_device *device, struct rd_buffer *buffer,
                                    enum rd_type type, struct rd_cells cells, void *host,
                                    unsigned slot, struct rd_error *error)
{
    const struct playback *playback = playback_of(device);
    const struct rd_played_array *array = &playback->loop->evaluations[playback->at]->array;
    const struct rd_numeric *numeric = rd_numeric(array->type);
    (void)slot;
    if (!buffer->is_array || type != array->type)
        return rd_fail(error, RD_ERROR_DEVICE, "the recording has no such array");
    for (size_t k = 0; k < cells.count; k++) {
        const size_t cell = (cells.first + k) * cells.stride;
        if (cell >= array->count)
            return rd_fail(error, RD_ERROR_DEVICE, "the recording has no cell %zu", cell);
        numeric->store(host, k, numeric->load(array->cells, cell));
    }
    return RD_OK;
}

static enum rd_status playback_wait(struct rd_device *device, unsigned slot, struct rd_error *error)
{
    (void)device;
    (void)slot;
    (void)error;
    return RD_OK;
}

/* Lists the findings in the launches of the round that leads to the state. */
static enum rd_status find(struct playback *playback, struct rd_error *error)
{
    const struct rd_played *played = playback->played;
    const uint64_t from = playback->loop->evaluations[playback->at - 1]->launches;
    const uint64_t to = playback->loop->evaluations[playback->at]->launches;
    free(playback->found);
    playback->n_found = 0;
    playback->found = calloc(played->n_findings + 1, sizeof *playback->found);
    if (!playback->found)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for a recording");
    for (size_t k = 0; k < played->n_findings; k++) {
        const struct rd_played_finding *one = &played->findings[k];
        if (one->launch > from && one->launch <= to)
            playback->found[playback->n_found++] = (struct rd_finding){
                .hazard = one->kind,
                .kind = "",
                .scope = "",
                .message = one->message,
                .lesson = "",
                .count = 1,
                .array = "",
                .type = "",
                .before = "",
                .after = "",
            };
    }
    return RD_OK;
}

static enum rd_status playback_launch(struct rd_device *device, const struct rd_launch *launch,
                                      struct rd_error *error)
{
    struct playback *playback = playback_of(device);
    (void)launch;
    if (playback->at + 1 >= playback->loop->n)
        return rd_fail(error, RD_ERROR_DEVICE, "the recording has no more rounds");
    playback->at++;
    return find(playback, error);
}

static const struct rd_finding *playback_findings(struct rd_device *device, size_t *count)
{
    *count = playback_of(device)->n_found;
    return playback_of(device)->found;
}

static enum rd_status playback_play(struct rd_device *device, enum rd_type type, const void *a,
                                    size_t n_a, const void *b, size_t n_b, struct rd_error *error)
{
    struct playback *playback = playback_of(device);
    const struct rd_played_loop *loop = playback->loop;
    const void *const given[] = {a, b};
    const size_t counts[] = {n_a, n_b};
    playback->at = 0;
    for (unsigned k = 0; k < loop->n_inputs; k++) {
        const struct rd_played_array *input = &loop->inputs[k]->array;
        if (type != input->type || counts[k] != input->count || !given[k] ||
            memcmp(given[k], input->cells, input->count * rd_numeric(type)->size_bytes) != 0)
            return rd_fail(error, RD_ERROR_INPUT,
                           "the program was run with inputs of its own, and not with these");
    }
    return RD_OK;
}

static const struct rd_device_ops playback_ops = {
    .open = playback_start,
    .close = playback_close,
    .describe = playback_describe,
    .limits = playback_limits,
    .alloc = playback_alloc,
    .free = playback_free,
    .host_alloc = playback_host_alloc,
    .host_free = playback_host_free,
    .write = playback_write,
    .read = playback_read,
    .wait = playback_wait,
    .launch = playback_launch,
    .findings = playback_findings,
    .play = playback_play,
};

enum rd_status rd_playback_open(struct rd_device **device, const struct rd_played *played,
                                const struct rd_played_loop *loop, struct rd_error *error)
{
    struct playback *playback = calloc(1, sizeof *playback);
    if (!playback)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for a recording");
    playback->ops = playback_ops;
    playback->ops.name = played->device ? played->device : "sim";
    playback->device = (struct rd_device){.ops = &playback->ops, .self = playback};
    playback->played = played;
    playback->loop = loop;
    *device = &playback->device;
    return RD_OK;
}

enum rd_status rd_playback_run(const struct rd_played_judging *judging,
                               const struct rd_played_loop *loop,
                               const struct rd_observer *const *observers, struct rd_result *result)
{
    struct rd_device *device;
    const struct rd_numeric *numeric = rd_numeric(loop->evaluations[0]->array.type);
    char undefined_by[RD_UNDEFINED_SIZE];
    const struct rd_played *played = judging->played;
    /* Those of a host's loop's rounds are told with them; a kernel's loop has none of its own. */
    const size_t at =
        rd_played_is_in_kernel(loop) ? loop->last : (size_t)(loop->evaluations[0] - played->events);
    char given[100]; /* no generator's name: a loop may have them in another order */
    snprintf(given, sizeof given, "given: %.80s",
             judging->options->own ? judging->options->values : "");
    enum rd_status status = rd_playback_open(&device, played, loop, judging->error);
    if (status != RD_OK)
        return status;
    void *none = loop->n_inputs == 0 ? calloc(loop->size, numeric->size_bytes) : NULL;
    const struct rd_run run = {
        .size = sizeof run,
        .program = loop->program,
        .numeric = numeric,
        .n = loop->size,
        .a = loop->n_inputs > 0 ? loop->inputs[0]->array.cells : none,
        .b = loop->n_inputs > 1 ? loop->inputs[1]->array.cells : NULL,
        .values = judging->options->own ? given : "of the program",
        .device = device,
        .hazards_by = judging->options->hazards_off  ? RD_HAZARDS_BY_NOBODY
                      : rd_played_is_in_kernel(loop) ? RD_HAZARDS_BY_LAUNCH
                                                     : RD_HAZARDS_BY_SIM,
        .interrupted = judging->options->interrupted,
        .undefined_by = rd_played_hazard_before(played, at, undefined_by) ? undefined_by : NULL,
    };
    status = loop->n_inputs == 0 && !none
                 ? rd_fail(judging->error, RD_ERROR_MEMORY, "no memory for annotations")
                 : rd_run(&run, observers, result, judging->error);
    free(none);
    rd_device_close(device);
    return status;
}
