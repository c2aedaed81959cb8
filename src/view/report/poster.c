// SPDX-License-Identifier: MIT
/* All rounds in one picture: each row is what the arrows from the row above have made, and beside
 * it stands what is claimed of it. */
#include "view/parts.h"
#include "view/report/assets.h"
#include "view/report/picture.h"
#include "reductio/summary.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

enum {
    TOP = 44,
    LINE_HIGH = 21,
    WORDS = 24,
    TYPE = 15,
    TITLE_TYPE = 18,
    CHAR_WIDE = 9,
    FRAMES_MAX = 64
};

static int larger(int x, int y)
{
    return x > y ? x : y;
}

/* A line of words whose foot is at y; nothing where there are none. Returns how wide it is. */
static int draw_line(struct rd_markup *to, const char *class, int x, int y, const char *text)
{
    if (!text[0])
        return 0;
    rd_markup_format(to, "<text class=\"%s\" x=\"%d\" y=\"%d\">", class, x, y);
    rd_markup_text(to, text);
    rd_markup_raw(to, "</text>");
    return CHAR_WIDE * (int)rd_utf8_columns(text);
}

/* The words beside a row, whose lower end is at y. Returns how wide they are. */
static int draw_words(struct rd_history *history, struct rd_markup *to, size_t frame, int x, int y)
{
    const struct rd_history_about *about = rd_history_about(history);
    const struct rd_frame *at = rd_history_frame(history, frame);
    char title[512], reason[RD_SENTENCE_SIZE] = "", hazards[RD_SENTENCE_SIZE];
    rd_picture_title(history, frame, title, sizeof title);
    rd_picture_hazards(history, frame, hazards);
    if (at->violated && !about->witness)
        rd_violation_text(&at->violation, about->numeric, reason);
    y -= 10 + (hazards[0] ? LINE_HIGH : 0);
    rd_markup_format(to, "<g font-size=\"%d\">", TYPE);
    int wide = draw_line(to, "title", x, y - 2 * LINE_HIGH, title);
    wide = larger(wide, draw_line(to, "claim", x, y - LINE_HIGH, at->statement));
    const struct rd_step_foot foot = rd_frame_foot(about, at);
    const char *how = rd_asserted_how(&foot);
    rd_markup_format(to, "<text class=\"verdict %s\" x=\"%d\" y=\"%d\">%s%s<tspan dx=\"10\">",
                     rd_picture_verdict(at->verdict), x, y, rd_verdict_name(at->verdict), how);
    rd_markup_text(to, reason);
    rd_markup_raw(to, "</tspan></text>");
    if (reason[0])
        wide = larger(
            wide, CHAR_WIDE * (int)(rd_utf8_columns(reason) + strlen("VIOLATED  ") + strlen(how)));
    wide = larger(wide, draw_line(to, "reason", x, y + LINE_HIGH, hazards));
    rd_markup_raw(to, "</g>\n");
    return wide;
}

/* The rows, and what is told of them. */
struct poster {
    struct rd_markup rows, words;
    size_t frames[FRAMES_MAX], n_frames, left_out;
    int ends[FRAMES_MAX]; /* of the rows */
    int width, wide;      /* of the rows, and of the words beside them */
    struct rd_picture_signs signs;
};

static void choose_frames(struct rd_history *history, struct poster *poster)
{
    for (size_t k = 0; k < rd_history_frames(history); k++) {
        if (rd_history_frame(history, k)->inside)
            continue;
        if (poster->n_frames < FRAMES_MAX)
            poster->frames[poster->n_frames++] = k;
        else
            poster->left_out++;
    }
}

static enum rd_status draw_rows(const struct rd_picture *picture, struct poster *poster,
                                struct rd_error *error)
{
    int y = TOP;
    for (size_t k = 0; k < poster->n_frames; k++) {
        struct rd_picture_size size;
        rd_markup_format(&poster->rows, "<g transform=\"translate(0 %d)\">", y);
        enum rd_status status =
            rd_picture_draw(picture, &poster->rows, poster->frames[k], &size, error);
        if (status != RD_OK)
            return status;
        rd_markup_raw(&poster->rows, "</g>");
        y += size.height;
        poster->ends[k] = y;
        poster->width = larger(poster->width, size.width);
        rd_picture_signs_add(&poster->signs, &size.signs);
    }
    return RD_OK;
}

/* What no row tells: rounds that have none, and the hazards of one that did not end. */
static int draw_rest(struct rd_history *history, const struct poster *poster, struct rd_markup *to,
                     int y)
{
    const size_t last = rd_history_frames(history) - 1;
    char hazards[RD_SENTENCE_SIZE];
    if (poster->left_out) {
        rd_markup_format(to,
                         "<text class=\"note\" x=\"16\" y=\"%d\">%zu more round%s not drawn "
                         "here</text>\n",
                         y + 20, poster->left_out, poster->left_out == 1 ? " is" : "s are");
        y += 24;
    }
    if (rd_history_frame(history, last)->inside && rd_picture_hazards(history, last, hazards)[0]) {
        rd_markup_format(to, "<g font-size=\"%d\">", TYPE);
        draw_line(to, "reason", 16, y + 20, hazards);
        rd_markup_raw(to, "</g>\n");
        y += 24;
    }
    return y;
}

static void join(struct rd_history *history, const struct poster *poster, struct rd_markup *to)
{
    const struct rd_history_about *about = rd_history_about(history);
    struct rd_markup rest = {.data = NULL};
    const int across = poster->width + WORDS + poster->wide;
    int y = draw_rest(history, poster, &rest, poster->ends[poster->n_frames - 1]);
    const int high = y + rd_picture_notes_high(&poster->signs, across) + 8;
    rd_markup_format(to,
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
    rd_markup_format(to, "</tspan> of %zu</text>\n%s%s%s", about->shape.n, poster->rows.data,
                     poster->words.data, rest.data ? rest.data : "");
    rd_picture_notes(&poster->signs, to, y, across);
    rd_markup_raw(to, "</svg>\n");
    to->failed |= rest.failed;
    free(rest.data);
}

enum rd_status rd_picture_draw_all(struct rd_picture *picture, struct rd_markup *to,
                                   struct rd_error *error)
{
    struct rd_history *history = picture->history;
    struct poster poster = {.n_frames = 0};
    choose_frames(history, &poster);
    picture->chained = true;
    enum rd_status status = draw_rows(picture, &poster, error);
    for (size_t k = 0; k < poster.n_frames && status == RD_OK; k++)
        poster.wide = larger(poster.wide, draw_words(history, &poster.words, poster.frames[k],
                                                     poster.width + WORDS, poster.ends[k]));
    if (status == RD_OK && !poster.rows.failed && !poster.words.failed)
        join(history, &poster, to);
    if (status == RD_OK && (to->failed || poster.rows.failed || poster.words.failed))
        status = rd_fail(error, RD_ERROR_MEMORY, "no memory for the picture");
    free(poster.rows.data);
    free(poster.words.data);
    return status;
}
