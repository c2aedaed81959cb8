// SPDX-License-Identifier: MIT
#include "history/passes.h"

enum rd_status rd_history_set(struct rd_history *history, size_t frame, size_t index,
                              struct rd_input_set *actual, struct rd_input_set *expected,
                              struct rd_error *error)
{
    if (history->about.witness && frame < history->n_frames)
        return rd_passes_set(history, frame, index, actual, expected, error);
    return rd_fail(error, RD_ERROR_USAGE, "sets of inputs can't be had yet");
}

enum rd_status rd_history_origin(struct rd_history *history, size_t frame, size_t index,
                                 struct rd_origin *nodes, size_t n_max, size_t *count,
                                 struct rd_error *error)
{
    (void)history, (void)frame, (void)index, (void)nodes, (void)n_max, (void)count;
    return rd_fail(error, RD_ERROR_USAGE, "origins can't be had yet");
}
