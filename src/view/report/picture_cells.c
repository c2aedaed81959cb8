// SPDX-License-Identifier: MIT
/* What a picture has of a history: which cells, and the words for them. */
#include "view/report/picture.h"
#include "reductio/summary.h"

#include <stdio.h>

void rd_picture_shown(struct rd_history *history, size_t frame, struct rd_picture_shown *shown)
{
    enum { HEAD = 32, AROUND = 64 };
    const struct rd_frame *at = rd_history_frame(history, frame);
    *shown = (struct rd_picture_shown){.n = 1};
    shown->run[0].count = at->n_cells;
    if (at->n_cells <= RD_PICTURE_CELLS_MAX)
        return;
    const struct rd_history_about *about = rd_history_about(history);
    size_t focus = at->violated             ? at->violation.cell
                   : about->result.violated ? about->result.violation.cell
                                            : 0;
    focus = focus < at->n_cells ? focus / HEAD * HEAD : 0;
    shown->run[0].count = HEAD;
    if (focus < HEAD) {
        shown->run[0].count = HEAD + AROUND;
        return;
    }
    shown->n = 2;
    shown->run[1].first = focus >= 2 * HEAD ? focus - HEAD : focus;
    size_t left = at->n_cells - shown->run[1].first;
    shown->run[1].count = left < HEAD + AROUND ? left : HEAD + AROUND;
}

enum rd_status rd_picture_cell(struct rd_history *history, size_t frame, size_t index,
                               struct rd_history_cell *cell, char text[RD_PICTURE_TEXT_SIZE],
                               struct rd_error *error)
{
    const struct rd_history_about *about = rd_history_about(history);
    enum rd_status status = rd_history_cell(history, frame, index, cell, error);
    text[0] = '\0';
    if (status != RD_OK || (!cell->known && !about->witness))
        return status;
    if (!about->witness) {
        char value[RD_VALUE_TEXT_SIZE];
        rd_cell_text(about->numeric, about->a, about->n_a, cell->value, value);
        snprintf(text, RD_PICTURE_TEXT_SIZE, "%s", value);
        return RD_OK;
    }
    struct rd_input_set actual, expected;
    if (rd_history_set(history, frame, index, &actual, &expected, NULL) == RD_OK)
        rd_input_set_text(&actual, text, RD_PICTURE_TEXT_SIZE);
    return RD_OK;
}

void rd_picture_title(struct rd_history *history, size_t frame, char *text, size_t size)
{
    const struct rd_frame *at = rd_history_frame(history, frame);
    char place[RD_SENTENCE_SIZE];
    if (!at->has_round)
        snprintf(text, size, "step 0: initialization");
    else if (at->inside)
        snprintf(text, size, "round %u, %s: %s at '%s'", at->round.number,
                 rd_place_text(&at->place, at->variable, place), at->array, at->point);
    else
        snprintf(text, size, "round %u of %u: %s, %s = %zu", at->round.number,
                 rd_history_about(history)->rounds, at->kernel, at->round.width_name,
                 at->round.width);
}

const char *rd_picture_hazards(struct rd_history *history, size_t frame, char *text)
{
    const struct rd_frame *at = rd_history_frame(history, frame);
    text[0] = '\0';
    if (at->n_hazards == 0)
        return text;
    const char *name = rd_history_hazard(history, at->first_hazard)->name;
    if (at->n_hazards == 1)
        snprintf(text, RD_SENTENCE_SIZE, "hazard: %s", name);
    else
        snprintf(text, RD_SENTENCE_SIZE, "%zu hazards, the first: %s", at->n_hazards, name);
    return text;
}

const char *rd_picture_verdict(enum rd_verdict verdict)
{
    return verdict == RD_HOLDS ? "holds" : verdict == RD_VIOLATED ? "violated" : "doubt";
}
