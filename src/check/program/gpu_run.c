// SPDX-License-Identifier: MIT
/* A program on a GPU, and the simulator beside it. */
#include "check/program/gpu.h"
#include "base/array.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Noreturn void rd_check_gpu_child(const struct rd_check_program_run *run)
{
    struct rd_error error;
    char number[32];
    int argc = 0;
    const int fd = dup(fileno(run->recording));
    char **argv = rd_check_program_arguments(run, &argc);
    if (argv && fd >= 0) {
        snprintf(number, sizeof number, "%d", fd);
        setenv("REDUCTIO_RECORDING", number, 1);
        snprintf(number, sizeof number, "%u", run->options->common.timeout_s);
        setenv("REDUCTIO_TIMEOUT", number, 1);
        setenv("REDUCTIO_SEAL", run->seal, 1);
        execv(run->gpu_program, argv);
    }
    rd_fail(&error, RD_ERROR_IO, "the program that nvcc has made can't be run: %s",
            strerror(errno));
    rd_recording_write(run->recording, json_pack("{s:s, s:s}", "event", "lack", "text", error.text),
                       NULL, 0);
    rd_recording_write(run->recording,
                       json_pack("{s:s, s:s, s:i, s:s, s:i}", "event", "end", "how", "failed",
                                 "status", 0, "seal", run->seal, "events", 1),
                       NULL, 0);
    _exit(1);
}

/* ---- beside it ---- */

/* The simulator has the launch's own text for a name, the recorder at times the function's. */
static bool is_same_kernel(const char *one, const char *other)
{
    return strstr(one, other) || strstr(other, one);
}

static bool is_same_launch(const struct rd_played_launch *one, const struct rd_played_launch *other)
{
    return is_same_kernel(one->kernel, other->kernel) &&
           memcmp(one->grid, other->grid, sizeof one->grid) == 0 &&
           memcmp(one->block, other->block, sizeof one->block) == 0;
}

static void compare_launches(const struct rd_played *one, const struct rd_played *other,
                             char why[200])
{
    size_t k = 0;
    while (k < one->n_launches && k < other->n_launches &&
           is_same_launch(&one->launches[k], &other->launches[k]))
        k++;
    if (k < one->n_launches && k < other->n_launches)
        snprintf(why, 200, "launch %zu is of %.60s on the GPU, of %.60s there, or of another shape",
                 k + 1, one->launches[k].kernel, other->launches[k].kernel);
    else if (one->n_launches != other->n_launches)
        snprintf(why, 200, "%zu launches on the GPU, %zu there", one->n_launches,
                 other->n_launches);
}

/* Tells whether the event is of an annotation in a kernel. */
static bool is_in_kernel(const struct rd_check_laws *laws, const struct rd_played_event *event)
{
    const struct rd_annotations *file;
    const struct rd_annotation *annotation =
        rd_played_annotation(&laws->played, event->site, &file);
    return annotation &&
           rd_check_gpu_is_in_kernel(laws, (unsigned)(file - laws->files), annotation);
}

/* Moves the events of annotations in kernels to where they have happened: behind what the host has told before their
 * launch. */
static enum rd_status move_events(struct rd_check_laws *laws, struct rd_check_laws *beside,
                                  struct rd_error *error)
{
    struct rd_played *to = &laws->played, *from = &beside->played;
    const size_t capacity = to->n_events + from->n_events;
    struct rd_played_event *all = calloc(capacity + 1, sizeof *all);
    size_t n = 0, hosts = 0;
    if (!all)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the states of a program");
    for (size_t k = 0; k < from->n_events; k++) {
        struct rd_played_event *event = &from->events[k];
        if (!is_in_kernel(beside, event))
            continue;
        while (hosts < to->n_events && to->events[hosts].launches < event->launches)
            all[n++] = to->events[hosts++];
        all[n] = *event;
        all[n++].annotation = rd_played_annotation(to, event->site, NULL);
        event->values = NULL; /* they are the other's now */
        event->array.cells = NULL;
        event->unwritten = NULL;
        event->lack = NULL;
    }
    while (hosts < to->n_events)
        all[n++] = to->events[hosts++];
    free(to->events);
    to->events = all;
    to->n_events = n;
    to->events_capacity = capacity + 1;
    return RD_OK;
}

/* Moves the hazards of launches. */
static enum rd_status move_findings(struct rd_played *to, struct rd_played *from,
                                    struct rd_error *error)
{
    for (size_t k = 0; k < from->n_findings; k++) {
        if (!rd_array_make_room(&to->findings, to->n_findings, &to->findings_capacity,
                                sizeof *to->findings))
            return rd_fail(error, RD_ERROR_MEMORY, "no memory for the findings of a program");
        to->findings[to->n_findings++] = from->findings[k];
        from->findings[k].message = NULL;
    }
    return RD_OK;
}

enum rd_status rd_check_gpu_take_kernels(struct rd_check_laws *laws, struct rd_check_laws *beside,
                                         char why[200], struct rd_error *error)
{
    why[0] = '\0';
    if (beside->played.unsound)
        snprintf(why, 200, "its recording is not understood");
    else
        compare_launches(&laws->played, &beside->played, why);
    if (*why)
        return RD_OK;
    enum rd_status status = move_events(laws, beside, error);
    return status == RD_OK ? move_findings(&laws->played, &beside->played, error) : status;
}
