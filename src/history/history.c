// SPDX-License-Identifier: MIT
#include "history/history_internal.h"

#include <stdlib.h>

enum rd_status rd_history_create(struct rd_history **history,
                                 const struct rd_history_options *options, struct rd_error *error)
{
    struct rd_history *h = calloc(1, sizeof *h);
    if (!h)
        return rd_history_no_memory(error);
    if (options)
        h->options = *options;
    *history = h;
    return RD_OK;
}

void rd_history_destroy(struct rd_history *history)
{
    if (!history)
        return;
    for (size_t f = 0; f < history->n_frames; f++) {
        rd_delta_finish(&history->frames[f].delta);
        free(history->frames[f].passes);
    }
    free(history->frames);
    free(history->hazards);
    rd_tracks_finish(&history->tracks);
    rd_texts_finish(&history->texts);
    rd_wanted_finish(&history->wanted);
    rd_accesses_destroy(history->accesses);
    rd_access_log_destroy(history->log);
    rd_sets_of_destroy(history->sets);
    rd_history_source_destroy(history->source);
    free(history->shown.now);
    free(history->shown.then);
    free(history);
}

const struct rd_history_about *rd_history_about(const struct rd_history *history)
{
    return &history->about;
}

size_t rd_history_share(const struct rd_history *history)
{
    enum { SHARES = 4 };
    size_t bytes_max = history->options.bytes_max;
    return (bytes_max ? bytes_max : RD_HISTORY_BYTES) / SHARES;
}

size_t rd_history_bytes(const struct rd_history *history)
{
    return history->kept_bytes + rd_accesses_bytes(history->accesses) +
           rd_access_log_bytes(history->log) + rd_sets_of_bytes(history->sets);
}

size_t rd_history_hazards(const struct rd_history *history)
{
    return history->n_hazards;
}

const struct rd_history_hazard *rd_history_hazard(const struct rd_history *history, size_t k)
{
    return k < history->n_hazards ? &history->hazards[k] : NULL;
}

size_t rd_history_frames(const struct rd_history *history)
{
    return history->n_frames;
}

const struct rd_frame *rd_history_frame(const struct rd_history *history, size_t frame)
{
    return frame < history->n_frames ? &history->frames[frame].frame : NULL;
}

/* Frames come in the order of their steps; the last of a step is the one behind its checkpoints. */
size_t rd_history_frame_of_step(const struct rd_history *history, unsigned step)
{
    size_t first = 0, end = history->n_frames;
    while (first < end) {
        size_t middle = first + (end - first) / 2;
        if (history->frames[middle].frame.step <= step)
            first = middle + 1;
        else
            end = middle;
    }
    return first - 1;
}
