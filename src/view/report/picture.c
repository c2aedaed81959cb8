// SPDX-License-Identifier: MIT
/* Pictures of a frame, and posters of all rounds. */
#include "view/report/picture.h"
#include "reductio/summary.h"
#include "view/report/picture_parts.h"
#include "view/parts.h"
#include "base/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- cells ---- */

/* Cells of a history that a picture shows, and the words for them. */

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

/* ---- layout ---- */

enum {
    WIDE_MIN = 48, /* a box, */
    SQUEEZED_WIDE = 96,
    LONG_CHARS = 12, /* longer values have smaller letters */
    LONG_TYPE = 13,
    ROWS_APART = 14,
    FALL = 76, /* between what was and what is, for the arrows; */
    DEEP_FALL = 112,
    FEW_ARROWS = 32, /* deeper for more than these */
    BELOW = 14,      /* the last row */
    GAP = 20,
    WIDE_GAP = 44, /* in a grid of few lines, where arrows are flat */
    FEW_LINES = 4,
    OVERVIEW = 64,
    ROW_WIDE_MAX = 1500,
    GRID_WIDE_MAX = 1500,
    LARGE_WIDE_MAX = 2000, /* of a grid of many cells */
    LARGE_CELLS = 256,
    WIDTH_MIN = 420,
};

size_t rd_drawing_count(const struct rd_picture_shown *shown)
{
    size_t count = 0;
    for (unsigned k = 0; k < shown->n; k++)
        count += shown->run[k].count;
    return count;
}

bool rd_drawing_rank(const struct rd_picture_shown *shown, size_t index, size_t *rank)
{
    size_t before = 0;
    for (unsigned k = 0; k < shown->n; k++) {
        size_t behind = index - shown->run[k].first;
        if (index >= shown->run[k].first && behind < shown->run[k].count) {
            *rank = before + behind;
            return true;
        }
        before += shown->run[k].count;
    }
    return false;
}

int rd_drawing_row_x(const struct rd_drawing *drawing, size_t k)
{
    return RD_DRAWING_LEFT + (int)k * drawing->wide;
}

int rd_drawing_grid_x(const struct rd_drawing *drawing, size_t k)
{
    return RD_DRAWING_LEFT + (int)(k % (size_t)drawing->columns) * drawing->wide;
}

int rd_drawing_grid_y(const struct rd_drawing *drawing, size_t k)
{
    return drawing->y + (int)(k / (size_t)drawing->columns) * (RD_DRAWING_HIGH + drawing->gap);
}

static bool own_arrows(const struct rd_flow *flow)
{
    for (size_t k = 0; k < flow->count; k++)
        if (flow->arrows[k].source == 0)
            return true;
    return false;
}

bool rd_drawing_has_far(const struct rd_drawing *drawing)
{
    bool any = false;
    for (size_t k = 0; k < RD_FLOW_ROW_MAX; k++)
        any |= drawing->flow.far[k].count > 0;
    return any && drawing->in_row && drawing->flow.count == 0 &&
           drawing->frame->n_cells <= RD_FLOW_ROW_MAX;
}

/* ---- the parts, from the top ---- */

/* Boxes are as wide as the longest value takes, in smaller letters where it is long. */
static void size_boxes(struct rd_drawing *drawing)
{
    int chars = (int)drawing->picture->chars;
    drawing->type = chars <= LONG_CHARS ? RD_DRAWING_TYPE : LONG_TYPE;
    drawing->wide = (int)(RD_DRAWING_LETTER * drawing->type * chars) + 20;
    if (drawing->wide < WIDE_MIN)
        drawing->wide = WIDE_MIN;
}

/* In a grid there is room for what a cell was before, too, unless they are many. */
static void widen_boxes(struct rd_drawing *drawing)
{
    int letters = (int)drawing->picture->chars + 1;
    int wide = (int)(RD_DRAWING_LETTER * RD_DRAWING_SMALL * letters) + 6 + RD_DRAWING_FLAG +
               RD_DRAWING_CORNER;
    if (drawing->wide < wide)
        drawing->wide = wide;
}

/* A source that would make the picture too wide makes all boxes narrower, and cuts what is in
 * them. */
static void squeeze(struct rd_drawing *drawing, size_t longest)
{
    int room = ROW_WIDE_MAX / (int)longest;
    if (drawing->wide > room && drawing->wide > SQUEEZED_WIDE)
        drawing->wide = room > SQUEEZED_WIDE ? room : SQUEEZED_WIDE;
}

/* Sources have no rows beside a grid. */
static void drop_sources(struct rd_flow *flow)
{
    size_t kept = 0;
    for (size_t k = 0; k < flow->count; k++)
        if (flow->arrows[k].source == 0)
            flow->arrows[kept++] = flow->arrows[k];
    flow->no_row += flow->count - kept;
    flow->count = kept;
    flow->n_sources = 0;
}

/* Returns where the sources end. */
static int place_sources(struct rd_drawing *drawing, int y)
{
    for (unsigned k = 0; k < drawing->flow.n_sources; k++) {
        y += k == 0 ? RD_DRAWING_INDEX : ROWS_APART;
        drawing->y_source[k] = y;
        y += RD_DRAWING_HIGH;
    }
    return y;
}

/* The array, below what it was where that is drawn. */
static void place_array(struct rd_drawing *drawing, int y)
{
    const struct rd_flow *flow = &drawing->flow;
    bool moved = drawing->frame->before != drawing->number;
    int fall = flow->count > FEW_ARROWS ? DEEP_FALL : FALL;
    if (flow->count == 0 && !rd_drawing_has_far(drawing) && !drawing->picture->chained)
        fall = ROWS_APART;
    drawing->before = drawing->in_row && moved && (own_arrows(flow) || flow->n_sources == 0);
    drawing->chained =
        drawing->picture->chained && drawing->before && flow->n_sources == 0 && drawing->number > 0;
    if (drawing->chained) {
        y = 0;
        drawing->y_before = -RD_DRAWING_HIGH - BELOW; /* what the picture above ends with */
    } else if (drawing->before) {
        y += flow->n_sources ? ROWS_APART : RD_DRAWING_INDEX;
        drawing->y_before = y;
        y += RD_DRAWING_HIGH;
    }
    drawing->y = y + (drawing->before || flow->n_sources ? fall : RD_DRAWING_INDEX);
}

/* Works out where everything is, from `shown` and the flow; arrows that have no place there are
 * taken out of the flow. */
static void drawing_lay_out(struct rd_drawing *drawing)
{
    size_t cells = rd_drawing_count(&drawing->shown), longest = cells;
    struct rd_flow *flow = &drawing->flow;
    size_boxes(drawing);
    drawing->in_row = cells <= RD_FLOW_ROW_MAX && (int)cells * drawing->wide <= ROW_WIDE_MAX;
    if (!drawing->in_row) {
        drop_sources(flow);
        const bool has_room = cells <= LARGE_CELLS && !drawing->about->witness;
        drawing->was = has_room && drawing->frame->before != drawing->number;
        if (has_room) /* at step 0, too: its boxes are as those of the rounds */
            widen_boxes(drawing);
    }
    for (unsigned k = 0; k < flow->n_sources; k++)
        longest = flow->sources[k].n > longest ? flow->sources[k].n : longest;
    if (drawing->in_row)
        squeeze(drawing, longest);

    int wide_max = cells > LARGE_CELLS ? LARGE_WIDE_MAX : GRID_WIDE_MAX;
    if (drawing->picture->beside)
        wide_max = wide_max * 3 / 5;
    drawing->columns = 32;
    while (!drawing->in_row && drawing->columns > 4 && drawing->columns * drawing->wide > wide_max)
        drawing->columns /= 2;
    size_t lines = drawing->in_row ? 1 : (cells - 1) / (size_t)drawing->columns + 1;
    drawing->gap = lines <= FEW_LINES ? WIDE_GAP : GAP;
    size_t across = drawing->in_row ? longest : (size_t)drawing->columns;
    drawing->width = RD_DRAWING_LEFT + (int)across * drawing->wide + RD_DRAWING_RIGHT;
    if (drawing->width < WIDTH_MIN)
        drawing->width = WIDTH_MIN;

    int y = drawing->picture->standalone ? rd_drawing_words_begin(drawing) : 8;
    if (drawing->frame->n_cells > RD_PICTURE_CELLS_MAX)
        y += OVERVIEW;
    place_array(drawing, place_sources(drawing, y));
    drawing->y_words = drawing->y + (int)lines * (RD_DRAWING_HIGH + drawing->gap);
    if (drawing->in_row)
        drawing->y_words += BELOW - drawing->gap;
    rd_drawing_signs(drawing, &drawing->signs);
    drawing->height = drawing->y_words + rd_drawing_words_high(drawing);
}

/* ---- pictures ---- */

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
    drawing_lay_out(&drawing);

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

/* ---- posters ---- */

/* All rounds in one picture: each row is what the arrows from the row above have made, and beside
 * it stands what is claimed of it. */

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
    char space[RD_HOW_SIZE];
    const char *how = rd_asserted_how(&foot, space);
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

/* Facts without a row: rounds that have none, and the hazards of one that did not end. */
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
