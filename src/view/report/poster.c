// SPDX-License-Identifier: MIT
/* All rounds in one picture: each row is what the arrows from the row above have made, and beside
 * it stands what is claimed of it. */
#include "names.h"
#include "view/report/assets.h"
#include "view/report/picture.h"
#include "view/summary.h"
#include "view/utf8.h"

#include <stdlib.h>
#include <string.h>

enum { TOP = 44, WORDS = 24, TYPE = 15, TITLE_TYPE = 18, CHAR_WIDE = 9, FRAMES_MAX = 64 };

static int longer(int wide, const char *text)
{
    int length = CHAR_WIDE * (int)rd_utf8_columns(text);
    return length > wide ? length : wide;
}

/* The words beside a row, whose lower end is at y. Returns how wide they are. */
static int draw_words(struct rd_history *history, struct rd_markup *to, size_t frame, int x, int y)
{
    const struct rd_history_about *about = rd_history_about(history);
    const struct rd_frame *at = rd_history_frame(history, frame);
    char title[512], reason[RD_SENTENCE_SIZE] = "";
    rd_picture_title(history, frame, title, sizeof title);
    if (at->violated && !about->witness)
        rd_violation_text(&at->violation, about->numeric, reason);
    rd_markup_format(to, "<g font-size=\"%d\"><text class=\"title\" x=\"%d\" y=\"%d\">", TYPE, x,
                     y - 52);
    rd_markup_text(to, title);
    rd_markup_format(to, "</text><text class=\"claim\" x=\"%d\" y=\"%d\">", x, y - 31);
    rd_markup_text(to, at->statement);
    rd_markup_format(to, "</text><text class=\"verdict %s\" x=\"%d\" y=\"%d\">%s<tspan dx=\"10\">",
                     rd_picture_verdict(at->verdict), x, y - 10, rd_verdict_name(at->verdict));
    rd_markup_text(to, reason);
    rd_markup_raw(to, "</tspan></text></g>\n");
    return longer(longer(longer(0, title), at->statement), reason) +
           (reason[0] ? longer(0, "VIOLATED  ") : 0);
}

/* Draws the rows into `rows`, and where each ends into `ends`. */
static enum rd_status draw_rows(const struct rd_picture *picture, struct rd_markup *rows,
                                const size_t *frames, size_t n_frames, int *ends, int *width,
                                struct rd_error *error)
{
    int y = TOP;
    for (size_t k = 0; k < n_frames; k++) {
        struct rd_picture_size size;
        rd_markup_format(rows, "<g transform=\"translate(0 %d)\">", y);
        enum rd_status status = rd_picture_draw(picture, rows, frames[k], &size, error);
        if (status != RD_OK)
            return status;
        rd_markup_raw(rows, "</g>");
        y += size.height;
        ends[k] = y;
        *width = size.width > *width ? size.width : *width;
    }
    return RD_OK;
}

enum rd_status rd_picture_draw_all(struct rd_picture *picture, struct rd_markup *to,
                                   struct rd_error *error)
{
    struct rd_history *history = picture->history;
    const struct rd_history_about *about = rd_history_about(history);
    struct rd_markup rows = {.data = NULL}, words = {.data = NULL};
    size_t frames[FRAMES_MAX], n_frames = 0, left_out = 0;
    int ends[FRAMES_MAX], width = 0, wide = 0;
    for (size_t k = 0; k < rd_history_frames(history); k++) {
        if (rd_history_frame(history, k)->inside)
            continue;
        if (n_frames < FRAMES_MAX)
            frames[n_frames++] = k;
        else
            left_out++;
    }
    picture->chained = true;
    enum rd_status status = draw_rows(picture, &rows, frames, n_frames, ends, &width, error);
    for (size_t k = 0; k < n_frames && status == RD_OK; k++) {
        int own = draw_words(history, &words, frames[k], width + WORDS, ends[k]);
        wide = own > wide ? own : wide;
    }
    if (status == RD_OK && !rows.failed && !words.failed) {
        int across = width + WORDS + wide, high = ends[n_frames - 1] + (left_out ? 40 : 8);
        rd_markup_format(
            to,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"picture\" viewBox=\"0 0 "
            "%d %d\" width=\"%d\" height=\"%d\" role=\"img\" aria-label=\"",
            across, high, across, high);
        rd_markup_text(to, about->program->name);
        rd_markup_format(to, " of %zu, round by round\">\n<style>%s</style>\n", about->shape.n,
                         rd_report_picture_css);
        rd_markup_format(to, "<rect class=\"paper\" width=\"%d\" height=\"%d\"/>\n", across, high);
        rd_markup_format(to,
                         "<text class=\"title\" x=\"16\" y=\"30\" font-size=\"%d\"><tspan "
                         "class=\"strong\">",
                         TITLE_TYPE);
        rd_markup_text(to, about->program->name);
        rd_markup_format(to, "</tspan> of %zu</text>\n%s%s", about->shape.n, rows.data, words.data);
        if (left_out)
            rd_markup_format(to,
                             "<text class=\"note\" x=\"16\" y=\"%d\">%zu more round%s not "
                             "drawn here</text>\n",
                             high - 12, left_out, left_out == 1 ? " is" : "s are");
        rd_markup_raw(to, "</svg>\n");
    }
    if (status == RD_OK && (to->failed || rows.failed || words.failed))
        status = rd_fail(error, RD_ERROR_MEMORY, "no memory for the picture");
    free(rows.data);
    free(words.data);
    return status;
}
