// SPDX-License-Identifier: MIT
#include "view/report/picture.h"
#include "view/report/assets.h"
#include "view/report/picture_parts.h"

#include <string.h>

/* Longer values are written smaller, or cut. */
enum { CHARS_MAX = 24 };

enum rd_status rd_picture_init(struct rd_picture *picture, struct rd_history *history,
                               struct rd_error *error)
{
    enum { FRAMES_MAX = 256 };
    size_t chars = 3, frames = rd_history_frames(history);
    for (size_t frame = 0; frame < frames && frame < FRAMES_MAX; frame++) {
        struct rd_picture_shown shown;
        rd_picture_shown(history, frame, &shown);
        for (unsigned k = 0; k < shown.n; k++)
            for (size_t i = 0; i < shown.run[k].count; i++) {
                struct rd_history_cell cell;
                char text[RD_PICTURE_TEXT_SIZE];
                enum rd_status status =
                    rd_picture_cell(history, frame, shown.run[k].first + i, &cell, text, error);
                if (status != RD_OK)
                    return status;
                chars = strlen(text) > chars ? strlen(text) : chars;
            }
    }
    *picture = (struct rd_picture){
        .history = history,
        .chars = (unsigned)(chars < CHARS_MAX ? chars : CHARS_MAX),
    };
    return RD_OK;
}

static enum rd_status draw_array(struct rd_drawing *drawing, struct rd_error *error)
{
    rd_drawing_arrows(drawing); /* below the boxes, so that none is over a value */
    return drawing->in_row ? rd_drawing_rows(drawing, error) : rd_drawing_grid(drawing, error);
}

enum rd_status rd_picture_draw(const struct rd_picture *picture, struct rd_markup *to, size_t frame,
                               struct rd_picture_size *size, struct rd_error *error)
{
    struct rd_drawing drawing = {
        .picture = picture,
        .to = to,
        .history = picture->history,
        .about = rd_history_about(picture->history),
        .frame = rd_history_frame(picture->history, frame),
        .number = frame,
    };
    enum rd_status status = RD_OK;
    if (!picture->reduced && drawing.frame->n_cells <= RD_PICTURE_CELLS_MAX)
        status = rd_flow_init(&drawing.flow, picture->history, frame, error);
    if (status != RD_OK && status != RD_ERROR_USAGE)
        return status;
    rd_picture_shown(picture->history, frame, &drawing.shown);
    rd_drawing_lay_out(&drawing);

    char title[512];
    rd_picture_title(picture->history, frame, title, sizeof title);
    rd_markup_format(to,
                     "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"picture\" viewBox=\"0 0 %d "
                     "%d\" width=\"%d\" height=\"%d\" font-size=\"%d\" role=\"img\" aria-label=\"",
                     drawing.width, drawing.height, drawing.width, drawing.height, drawing.type);
    rd_markup_text(to, drawing.frame->array);
    rd_markup_raw(to, ", ");
    rd_markup_text(to, title);
    /* The arrows of a chained one begin in the picture above. */
    rd_markup_raw(to, drawing.chained ? "\" overflow=\"visible\">\n" : "\">\n");
    if (picture->standalone)
        rd_markup_format(to,
                         "<style>%s</style>\n<rect class=\"paper\" width=\"%d\" height=\"%d\"/>\n",
                         rd_report_picture_css, drawing.width, drawing.height);
    rd_drawing_words(&drawing);
    status = drawing.frame->n_cells > RD_PICTURE_CELLS_MAX ? rd_drawing_overview(&drawing, error)
                                                           : RD_OK;
    if (status == RD_OK)
        status = draw_array(&drawing, error);
    rd_markup_raw(to, "</svg>\n");
    if (size)
        *size = (struct rd_picture_size){drawing.width, drawing.height, drawing.signs};
    rd_flow_finish(&drawing.flow);
    if (status == RD_OK && to->failed)
        status = rd_fail(error, RD_ERROR_MEMORY, "no memory for the picture of a round");
    return status;
}
