// SPDX-License-Identifier: MIT
#include "view/report/picture.h"
#include "names.h"
#include "view/report/assets.h"
#include "view/report/flow.h"
#include "view/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* In units of the picture. Numbers stand in a fixed-width face. */
enum {
    LEFT = 84, /* for the names of rows */
    RIGHT = 12,
    HIGH = 40,  /* a box */
    GAP = 6,    /* between rows of a grid */
    INDEX = 22, /* the line with the indices */
    FALL = 76,  /* between what was and what is, for the arrows */
    ROW_WIDE_MAX = 1500,
    GRID_WIDE_MAX = 1400,
    LARGE_WIDE_MAX = 2000, /* of a grid of many cells */
    LARGE_CELLS = 256,
    CHARS_MAX = 14,
    BUCKETS_MAX = 128,
};
#define CHAR_WIDE 9.7

struct drawing {
    const struct rd_picture *picture;
    struct rd_markup *to;
    struct rd_history *history;
    const struct rd_history_about *about;
    const struct rd_frame *frame;
    size_t number; /* of the frame */
    struct rd_flow flow;
    struct rd_picture_shown shown;
    bool in_row;  /* else in a grid */
    bool before;  /* the row of what was is drawn, too, */
    bool chained; /* or is the picture above */
    int wide;     /* a box */
    int columns;  /* of a grid */
    int y;        /* where the array is */
    int y_before;
    int y_source[RD_FLOW_SOURCES_MAX];
    int width, height;
};

/* ---- cells ---- */

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
    if (status != RD_OK || !cell->known)
        return status;
    if (!about->witness) {
        char value[RD_VALUE_TEXT_SIZE];
        about->numeric->format(value, cell->value);
        snprintf(text, RD_PICTURE_TEXT_SIZE, "%s", value);
        return RD_OK;
    }
    struct rd_input_set actual, expected;
    if (rd_history_set(history, frame, index, &actual, &expected, NULL) == RD_OK)
        rd_input_set_text(&actual, text, RD_PICTURE_TEXT_SIZE);
    return RD_OK;
}

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

const char *rd_picture_verdict(enum rd_verdict verdict)
{
    return verdict == RD_HOLDS ? "holds" : verdict == RD_VIOLATED ? "violated" : "doubt";
}

/* ---- layout ---- */

static size_t shown_count(const struct rd_picture_shown *shown)
{
    size_t count = 0;
    for (unsigned k = 0; k < shown->n; k++)
        count += shown->run[k].count;
    return count;
}

/* Where a cell stands among those that are drawn; false where it is not. */
static bool rank(const struct rd_picture_shown *shown, size_t index, size_t *rank)
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

static int row_x(const struct drawing *drawing, size_t k)
{
    return LEFT + (int)k * drawing->wide;
}

static int grid_x(const struct drawing *drawing, size_t k)
{
    return LEFT + (int)(k % (size_t)drawing->columns) * drawing->wide;
}

static int grid_y(const struct drawing *drawing, size_t k)
{
    return drawing->y + (int)(k / (size_t)drawing->columns) * (HIGH + GAP);
}

static bool own_arrows(const struct rd_flow *flow)
{
    for (size_t k = 0; k < flow->count; k++)
        if (flow->arrows[k].source == 0)
            return true;
    return false;
}

static void lay_out(struct drawing *drawing)
{
    size_t cells = shown_count(&drawing->shown), longest = cells;
    struct rd_flow *flow = &drawing->flow;
    drawing->wide = (int)(CHAR_WIDE * drawing->picture->chars) + 20;
    if (drawing->wide < 48)
        drawing->wide = 48;
    drawing->in_row = cells <= RD_FLOW_ROW_MAX && (int)cells * drawing->wide <= ROW_WIDE_MAX;
    if (!drawing->in_row) { /* sources have no rows there */
        size_t kept = 0;
        for (size_t k = 0; k < flow->count; k++)
            if (flow->arrows[k].source == 0)
                flow->arrows[kept++] = flow->arrows[k];
        flow->left_out += flow->count - kept;
        flow->count = kept;
        flow->n_sources = 0;
    }
    int y = drawing->picture->standalone ? 44 : 8;
    if (drawing->frame->n_cells > RD_PICTURE_CELLS_MAX)
        y += 64;
    for (unsigned k = 0; k < flow->n_sources; k++) {
        y += k == 0 ? INDEX : 14;
        drawing->y_source[k] = y;
        y += HIGH;
        longest = flow->sources[k].n > longest ? flow->sources[k].n : longest;
    }
    bool moved = drawing->frame->before != drawing->number;
    drawing->before = drawing->in_row && moved && (own_arrows(flow) || flow->n_sources == 0);
    drawing->chained =
        drawing->picture->chained && drawing->before && flow->n_sources == 0 && drawing->number > 0;
    if (drawing->chained) {
        y = 0;
        drawing->y_before = -HIGH - GAP - 8; /* what the picture above ends with */
    } else if (drawing->before) {
        y += flow->n_sources ? 14 : INDEX;
        drawing->y_before = y;
        y += HIGH;
    }
    if (drawing->before)
        y += FALL;
    else
        y += flow->n_sources ? FALL : INDEX;
    drawing->y = y;
    int wide_max = cells > LARGE_CELLS ? LARGE_WIDE_MAX : GRID_WIDE_MAX;
    drawing->columns = 32;
    while (!drawing->in_row && drawing->columns > 4 && drawing->columns * drawing->wide > wide_max)
        drawing->columns /= 2;
    size_t lines =
        drawing->in_row ? 1 : (cells + (size_t)drawing->columns - 1) / (size_t)drawing->columns;
    size_t across = drawing->in_row ? longest : (size_t)drawing->columns;
    drawing->width = LEFT + (int)across * drawing->wide + RIGHT;
    if (drawing->width < 420)
        drawing->width = 420;
    drawing->height = y + (int)lines * (HIGH + GAP) + (drawing->picture->standalone ? 62 : 8);
}

/* ---- boxes ---- */

static void draw_box(struct drawing *drawing, int x, int y, const struct rd_history_cell *cell,
                     const char *text, const char *more)
{
    int wide = drawing->wide - 4;
    size_t length = 0; /* in characters */
    for (const char *c = text; *c; c++)
        length += ((unsigned char)*c & 0xc0) != 0x80;
    rd_markup_format(drawing->to, "<g class=\"cell %s%s%s\"%s>", cell->live ? "live" : "dead",
                     cell->changed ? " changed" : "", cell->wrong ? " wrong" : "", more);
    rd_markup_format(drawing->to, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"5\"/>",
                     x + 2, y, wide, HIGH);
    if (cell->changed)
        rd_markup_format(drawing->to, "<path class=\"mark\" d=\"M%d %dh-11l11 11z\"/>",
                         x + 2 + wide - 1, y + 1);
    rd_markup_format(drawing->to, "<text class=\"v\" x=\"%d\" y=\"%d\"", x + 2 + wide / 2, y + 26);
    if (length > drawing->picture->chars + 1)
        rd_markup_format(drawing->to, " textLength=\"%d\" lengthAdjust=\"spacingAndGlyphs\"",
                         wide - 8);
    rd_markup_raw(drawing->to, ">");
    rd_markup_text(drawing->to, text);
    rd_markup_raw(drawing->to, "</text>");
    if (cell->wrong)
        rd_markup_format(drawing->to, "<text class=\"bang\" x=\"%d\" y=\"%d\">!</text>", x + 10,
                         y + 15);
    rd_markup_raw(drawing->to, "</g>\n");
}

static void draw_label(struct drawing *drawing, int y, const char *name, const char *when)
{
    rd_markup_format(drawing->to, "<text class=\"row\" x=\"%d\" y=\"%d\">", LEFT - 12,
                     y + (when[0] ? 20 : 26));
    rd_markup_text(drawing->to, name);
    rd_markup_format(drawing->to, "</text>");
    if (when[0]) {
        rd_markup_format(drawing->to, "<text class=\"when\" x=\"%d\" y=\"%d\">", LEFT - 12, y + 36);
        rd_markup_text(drawing->to, when);
        rd_markup_raw(drawing->to, "</text>");
    }
}

static void draw_indices(struct drawing *drawing, int y, size_t count)
{
    for (size_t k = 0; k < count; k++)
        rd_markup_format(drawing->to, "<text class=\"index\" x=\"%d\" y=\"%d\">%zu</text>",
                         row_x(drawing, k) + drawing->wide / 2, y - 7, k);
}

/* The array as one row, at this frame or at the one before. */
static enum rd_status draw_row(struct drawing *drawing, size_t frame, int y, bool is_before,
                               struct rd_error *error)
{
    size_t n = rd_history_frame(drawing->history, frame)->n_cells;
    rd_markup_format(drawing->to, "<g class=\"%s\">", is_before ? "before" : "after");
    for (size_t i = 0; i < n && i < drawing->shown.run[0].count; i++) {
        struct rd_history_cell cell;
        char text[RD_PICTURE_TEXT_SIZE], more[48] = "";
        enum rd_status status = rd_picture_cell(drawing->history, frame, i, &cell, text, error);
        if (status != RD_OK)
            return status;
        if (is_before) /* its marks were those of the round before */
            cell.changed = cell.wrong = false;
        else
            snprintf(more, sizeof more, " data-i=\"%zu\"", i);
        draw_box(drawing, row_x(drawing, i), y, &cell, text, more);
    }
    rd_markup_raw(drawing->to, "</g>");
    return RD_OK;
}

static void draw_source(struct drawing *drawing, const struct rd_flow_source *source, int y)
{
    char when[48] = "";
    if (source->shared)
        snprintf(when, sizeof when, "block %llu", (unsigned long long)source->block);
    draw_label(drawing, y, source->name, when);
    rd_markup_raw(drawing->to, "<g class=\"source\">");
    for (size_t i = 0; i < source->n; i++) {
        const struct rd_history_cell cell = {.live = source->read[i]};
        char text[RD_VALUE_TEXT_SIZE] = "";
        if (source->read[i] && !drawing->about->witness)
            source->numeric->format(text, source->value[i]);
        draw_box(drawing, row_x(drawing, i), y, &cell, text, "");
    }
    rd_markup_raw(drawing->to, "</g>");
}

static enum rd_status draw_grid(struct drawing *drawing, struct rd_error *error)
{
    size_t k = 0;
    draw_label(drawing, drawing->y - INDEX - 12, drawing->frame->array, "");
    for (int column = 0; column < drawing->columns; column++)
        rd_markup_format(drawing->to, "<text class=\"index\" x=\"%d\" y=\"%d\">+%d</text>",
                         row_x(drawing, (size_t)column) + drawing->wide / 2, drawing->y - 8,
                         column);
    rd_markup_raw(drawing->to, "<g class=\"after\">");
    for (unsigned run = 0; run < drawing->shown.n; run++)
        for (size_t j = 0; j < drawing->shown.run[run].count; j++, k++) {
            size_t i = drawing->shown.run[run].first + j;
            struct rd_history_cell cell;
            char text[RD_PICTURE_TEXT_SIZE], more[48];
            enum rd_status status =
                rd_picture_cell(drawing->history, drawing->number, i, &cell, text, error);
            if (status != RD_OK)
                return status;
            if (k % (size_t)drawing->columns == 0)
                rd_markup_format(drawing->to, "<text class=\"row\" x=\"%d\" y=\"%d\">%zu</text>",
                                 LEFT - 12, grid_y(drawing, k) + 26, i);
            snprintf(more, sizeof more, " data-i=\"%zu\"", i);
            draw_box(drawing, grid_x(drawing, k), grid_y(drawing, k), &cell, text, more);
        }
    rd_markup_raw(drawing->to, "</g>");
    return RD_OK;
}

/* ---- arrows ---- */

static void draw_head(struct drawing *drawing, double x, double y, double angle)
{
    enum { LONG = 9 };
    const double half = 0.42;
    rd_markup_format(drawing->to, "M%.1f %.1fL%.1f %.1fL%.1f %.1fz", x, y,
                     x - LONG * cos(angle - half), y - LONG * sin(angle - half),
                     x - LONG * cos(angle + half), y - LONG * sin(angle + half));
}

static void begin_arrow(struct drawing *drawing, const struct rd_flow_arrow *arrow)
{
    rd_markup_format(
        drawing->to,
        "<g class=\"arrow%s\" data-t=\"%llu.%u\" data-from=\"%u.%zu\" data-to=\"%zu\">",
        arrow->late ? " late" : "", (unsigned long long)arrow->block, arrow->thread, arrow->source,
        arrow->from, arrow->to);
}

/* From the row that was read down to the array. */
static void draw_fall(struct drawing *drawing, const struct rd_flow_arrow *arrow)
{
    int x1 = row_x(drawing, arrow->from) + drawing->wide / 2;
    int x2 = row_x(drawing, arrow->to) + drawing->wide / 2;
    int y1 = (arrow->source ? drawing->y_source[arrow->source - 1] : drawing->y_before) + HIGH;
    int y2 = drawing->y - 2;
    int bend = (drawing->y - y1) / 2;
    begin_arrow(drawing, arrow);
    rd_markup_format(drawing->to,
                     "<path class=\"line\" pathLength=\"1\" d=\"M%d %dC%d %d %d %d %d %d\"/>"
                     "<path class=\"head\" d=\"",
                     x1, y1, x1, y1 + bend, x2, y2 - bend - 6, x2, y2 - 6);
    draw_head(drawing, x2, y2, 1.5707963);
    rd_markup_raw(drawing->to, "\"/></g>\n");
}

/* From cell to cell of a grid. A cell that a thread adds to has none to itself. */
static void draw_jump(struct drawing *drawing, const struct rd_flow_arrow *arrow)
{
    size_t from, to;
    if (arrow->from == arrow->to || !rank(&drawing->shown, arrow->from, &from) ||
        !rank(&drawing->shown, arrow->to, &to))
        return;
    double x1 = grid_x(drawing, from) + drawing->wide / 2.0;
    double y1 = grid_y(drawing, from) + HIGH / 2.0;
    double x2 = grid_x(drawing, to) + drawing->wide / 2.0;
    double y2 = grid_y(drawing, to) + HIGH / 2.0;
    double dx = x2 - x1, dy = y2 - y1, far = hypot(dx, dy);
    double bend = far < 160 ? 0.3 : 48 / far;
    double mx = (x1 + x2) / 2 + dy * bend, my = (y1 + y2) / 2 - dx * bend;
    double angle = atan2(y2 - my, x2 - mx);
    x2 -= 13 * cos(angle);
    y2 -= 13 * sin(angle);
    begin_arrow(drawing, arrow);
    rd_markup_format(drawing->to,
                     "<path class=\"line\" pathLength=\"1\" d=\"M%.1f %.1fQ%.1f %.1f %.1f %.1f\"/>"
                     "<path class=\"head\" d=\"",
                     x1, y1, mx, my, x2, y2);
    draw_head(drawing, x2, y2, angle);
    rd_markup_raw(drawing->to, "\"/></g>\n");
}

static void draw_arrows(struct drawing *drawing)
{
    rd_markup_format(drawing->to, "<g class=\"arrows%s\">",
                     drawing->flow.count > 64 ? " many" : "");
    for (size_t k = 0; k < drawing->flow.count; k++)
        if (drawing->in_row)
            draw_fall(drawing, &drawing->flow.arrows[k]);
        else
            draw_jump(drawing, &drawing->flow.arrows[k]);
    rd_markup_raw(drawing->to, "</g>");
}

/* ---- the overview of a long array ---- */

/* A bar for so many neighbours, and what is to be seen in it. */
struct bucket {
    size_t looked, live, changed, wrong;
};

static enum rd_status look(struct drawing *drawing, size_t first, size_t end, struct bucket *bucket,
                           struct rd_error *error)
{
    enum { LOOKS_MAX = 2048 };
    size_t stride = (end - first + LOOKS_MAX - 1) / LOOKS_MAX;
    for (size_t i = first; i < end; i += stride) {
        struct rd_history_cell cell;
        enum rd_status status = rd_history_cell(drawing->history, drawing->number, i, &cell, error);
        if (status != RD_OK)
            return status;
        bucket->looked++;
        bucket->live += cell.live;
        bucket->changed += cell.changed;
        bucket->wrong += cell.wrong;
    }
    const struct rd_frame *frame = drawing->frame;
    if (frame->violated && frame->violation.cell >= first && frame->violation.cell < end)
        bucket->wrong += bucket->wrong == 0;
    return RD_OK;
}

static enum rd_status draw_overview(struct drawing *drawing, struct rd_error *error)
{
    enum { BAR_HIGH = 26 };
    size_t n = drawing->frame->n_cells, each = (n + BUCKETS_MAX - 1) / BUCKETS_MAX;
    int y = drawing->picture->standalone ? 44 : 8;
    double wide = (double)(drawing->width - LEFT - RIGHT) / BUCKETS_MAX;
    draw_label(drawing, y - 6, "all", "");
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
                         bucket.wrong ? " wrong" : "", LEFT + wide * (double)k, y, wide - 0.8,
                         BAR_HIGH, first, end - 1);
    }
    rd_markup_format(
        drawing->to,
        "</g><text class=\"note\" x=\"%d\" y=\"%d\">%zu cells, %zu a bar; %zu of them below</text>",
        LEFT, y + BAR_HIGH + 18, n, each, shown_count(&drawing->shown));
    return RD_OK;
}

/* ---- the whole ---- */

static void draw_words(struct drawing *drawing)
{
    const struct rd_frame *frame = drawing->frame;
    char title[512];
    rd_picture_title(drawing->history, drawing->number, title, sizeof title);
    rd_markup_format(drawing->to,
                     "<text class=\"title\" x=\"16\" y=\"28\"><tspan class=\"program\">");
    rd_markup_text(drawing->to, drawing->about->program->name);
    rd_markup_raw(drawing->to, "</tspan>  ");
    rd_markup_text(drawing->to, title);
    rd_markup_format(drawing->to, "</text><text class=\"claim\" x=\"16\" y=\"%d\">",
                     drawing->height - 38);
    rd_markup_text(drawing->to, frame->statement);
    rd_markup_format(drawing->to, "</text><text class=\"verdict %s\" x=\"16\" y=\"%d\">%s</text>",
                     rd_picture_verdict(frame->verdict), drawing->height - 14,
                     rd_verdict_name(frame->verdict));
}

static int top_row(const struct drawing *drawing)
{
    return drawing->flow.n_sources ? drawing->y_source[0]
           : drawing->before       ? drawing->y_before
                                   : drawing->y;
}

/* In cells. */
static size_t longest_row(const struct drawing *drawing)
{
    size_t longest = drawing->frame->n_cells;
    for (unsigned k = 0; k < drawing->flow.n_sources; k++)
        longest = drawing->flow.sources[k].n > longest ? drawing->flow.sources[k].n : longest;
    return longest;
}

static enum rd_status draw_array(struct drawing *drawing, struct rd_error *error)
{
    struct rd_flow *flow = &drawing->flow;
    enum rd_status status = RD_OK;
    if (!drawing->in_row) {
        status = draw_grid(drawing, error);
        draw_arrows(drawing);
        return status;
    }
    draw_arrows(drawing); /* below the boxes */
    for (unsigned k = 0; k < flow->n_sources; k++)
        draw_source(drawing, &flow->sources[k], drawing->y_source[k]);
    if (!drawing->chained)
        draw_indices(drawing, top_row(drawing), longest_row(drawing));
    if (drawing->before && !drawing->chained) {
        draw_label(drawing, drawing->y_before, drawing->frame->array, "before");
        status = draw_row(drawing, drawing->frame->before, drawing->y_before, true, error);
    }
    bool two = drawing->before && !drawing->chained;
    draw_label(drawing, drawing->y, drawing->frame->array, two ? "after" : "");
    if (status == RD_OK)
        status = draw_row(drawing, drawing->number, drawing->y, false, error);
    return status;
}

enum rd_status rd_picture_draw(const struct rd_picture *picture, struct rd_markup *to, size_t frame,
                               struct rd_picture_size *size, struct rd_error *error)
{
    struct drawing drawing = {
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
    lay_out(&drawing);

    char title[512];
    rd_picture_title(picture->history, frame, title, sizeof title);
    rd_markup_format(to,
                     "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"picture\" viewBox=\"0 0 %d "
                     "%d\" width=\"%d\" height=\"%d\" role=\"img\" aria-label=\"",
                     drawing.width, drawing.height, drawing.width, drawing.height);
    rd_markup_text(to, drawing.frame->array);
    rd_markup_raw(to, ", ");
    rd_markup_text(to, title);
    /* The arrows of a chained one begin in the picture above. */
    rd_markup_raw(to, drawing.chained ? "\" overflow=\"visible\">\n" : "\">\n");
    if (picture->standalone) {
        rd_markup_format(to,
                         "<style>%s</style>\n<rect class=\"paper\" width=\"%d\" height=\"%d\"/>\n",
                         rd_report_picture_css, drawing.width, drawing.height);
        draw_words(&drawing);
    }
    status = drawing.frame->n_cells > RD_PICTURE_CELLS_MAX ? draw_overview(&drawing, error) : RD_OK;
    if (status == RD_OK)
        status = draw_array(&drawing, error);
    rd_markup_raw(to, "</svg>\n");
    if (size)
        *size = (struct rd_picture_size){drawing.width, drawing.height, drawing.flow.left_out};
    rd_flow_finish(&drawing.flow);
    if (status == RD_OK && to->failed)
        status = rd_fail(error, RD_ERROR_MEMORY, "no memory for the picture of a round");
    return status;
}
