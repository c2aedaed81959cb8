// SPDX-License-Identifier: MIT
/* A trace of witness values: its passes, put together. Private to src/history. */
#ifndef RD_HISTORY_PASSES_H
#define RD_HISTORY_PASSES_H

#include "history/history_internal.h"
#include "reductio/witness.h"

/* Adds a step of a pass: of the first, as a frame. */
enum rd_status rd_passes_add(struct rd_history *history, const struct rd_step *step,
                             const struct rd_layout *layout, size_t n_cells, size_t pass,
                             struct rd_error *error);

/* Whether the cell is changed, and wrong. */
void rd_passes_cell(const struct rd_history *history, size_t frame, size_t index,
                    struct rd_history_cell *cell);
/* As rd_history_set. */
enum rd_status rd_passes_set(const struct rd_history *history, size_t frame, size_t index,
                             struct rd_input_set *actual, struct rd_input_set *expected,
                             struct rd_error *error);

#endif
