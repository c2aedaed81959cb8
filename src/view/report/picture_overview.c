// SPDX-License-Identifier: MIT
#include "view/report/picture_parts.h"

/* Of a bar with more cells, so many are looked at. */
enum { BUCKETS_MAX = 128, LOOKS_MAX = 2048 };

/* A bar for so many neighbours, and what is to be seen in it. */
struct bucket {
    size_t changed, wrong;
    bool live;
};

static enum rd_status look(struct rd_drawing *drawing, size_t first, size_t end,
                           struct bucket *bucket, struct rd_error *error)
{
    size_t stride = (end - first + LOOKS_MAX - 1) / LOOKS_MAX;
    for (size_t i = first; i < end; i += stride) {
        struct rd_history_cell cell;
        enum rd_status status = rd_history_cell(drawing->history, drawing->number, i, &cell, error);
        if (status != RD_OK)
            return status;
        bucket->changed += cell.changed;
        bucket->wrong += cell.wrong;
    }
    const struct rd_frame *frame = drawing->frame;
    bucket->live = rd_claim_has_any(&frame->claim, first, end);
    if (frame->violated && frame->violation.cell >= first && frame->violation.cell < end)
        bucket->wrong += bucket->wrong == 0;
    return RD_OK;
}

enum rd_status rd_drawing_overview(struct rd_drawing *drawing, struct rd_error *error)
{
    enum { BAR_HIGH = 26 };
    size_t n = drawing->frame->n_cells, each = (n + BUCKETS_MAX - 1) / BUCKETS_MAX;
    int y = drawing->picture->standalone ? rd_drawing_words_begin(drawing) : 8;
    double wide = (double)(drawing->width - RD_DRAWING_LEFT - RD_DRAWING_RIGHT) / BUCKETS_MAX;
    rd_drawing_label(drawing, y - 10, "all", "");
    rd_markup_format(drawing->to, "<g class=\"overview\">");
    for (size_t first = 0, k = 0; first < n; first += each, k++) {
        size_t end = n - first < each ? n : first + each;
        struct bucket bucket = {0};
        enum rd_status status = look(drawing, first, end, &bucket, error);
        if (status != RD_OK)
            return status;
        rd_markup_format(drawing->to,
                         "<rect class=\"%s%s%s\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\">"
                         "<title>%zu to %zu</title></rect>",
                         bucket.live ? "live" : "dead", bucket.changed ? " changed" : "",
                         bucket.wrong ? " wrong" : "", RD_DRAWING_LEFT + wide * (double)k, y,
                         wide - 0.8, BAR_HIGH, first, end - 1);
    }
    rd_markup_format(drawing->to,
                     "</g><text class=\"note\" x=\"%d\" y=\"%d\">%zu cells, %zu a bar%s; %zu of "
                     "them below</text>",
                     RD_DRAWING_LEFT, y + BAR_HIGH + 18, n, each,
                     each > LOOKS_MAX ? ", not all looked at" : "",
                     rd_drawing_count(&drawing->shown));
    return RD_OK;
}
