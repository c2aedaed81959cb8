// SPDX-License-Identifier: MIT
#include "view/paint.h"

#include <stdarg.h>
#include <string.h>

/* ---- text ---- */

/* SGR parameters. */
static const char *const inks[] = {
    [RD_INK_PLAIN] = "",  [RD_INK_BOLD] = "1",   [RD_INK_DIM] = "2",
    [RD_INK_GOOD] = "32", [RD_INK_BAD] = "1;31", [RD_INK_DOUBT] = "33",
};

static void ink_on(const struct rd_paint *paint, enum rd_ink ink)
{
    if (paint->color && ink != RD_INK_PLAIN)
        fprintf(paint->out, "\033[%sm", inks[ink]);
}

static void ink_off(const struct rd_paint *paint, enum rd_ink ink)
{
    if (paint->color && ink != RD_INK_PLAIN)
        fputs("\033[0m", paint->out);
}

void rd_paint_print(const struct rd_paint *paint, enum rd_ink ink, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    ink_on(paint, ink);
    vfprintf(paint->out, format, arguments);
    ink_off(paint, ink);
    va_end(arguments);
}

/* Prints a character `count` times in the ink's colour. */
static void paint_repeat(const struct rd_paint *paint, enum rd_ink ink, char character,
                         size_t count)
{
    if (count == 0)
        return;
    ink_on(paint, ink);
    for (size_t k = 0; k < count; k++)
        fputc(character, paint->out);
    ink_off(paint, ink);
}

/* Columns that `size` bytes of UTF-8 take; every character here is one column wide. */
static size_t columns(const char *text, size_t size)
{
    size_t count = 0;
    for (size_t k = 0; k < size; k++)
        count += ((unsigned char)text[k] & 0xC0) != 0x80;
    return count;
}

size_t rd_paint_flow(const struct rd_paint *paint, enum rd_ink ink, size_t column, unsigned indent,
                     const char *text)
{
    ink_on(paint, ink);
    while (*text) {
        size_t size = strcspn(text, " ");
        size_t word = columns(text, size);
        if (column > 0 && column + 1 + word > paint->width) {
            fputc('\n', paint->out);
            column = 0;
        }
        fprintf(paint->out, "%*s", column > 0 ? 1 : (int)indent, "");
        fwrite(text, 1, size, paint->out);
        column += word + (column > 0 ? 1 : indent);
        text += size;
        text += strspn(text, " ");
    }
    ink_off(paint, ink);
    return column;
}

void rd_paint_wrap(const struct rd_paint *paint, enum rd_ink ink, unsigned indent, const char *text)
{
    rd_paint_flow(paint, ink, 0, indent, text);
    fputc('\n', paint->out);
}

void rd_paint_hang(const struct rd_paint *paint, enum rd_ink ink, unsigned indent, const char *text)
{
    const size_t word = strcspn(text, " ");
    rd_paint_print(paint, ink, "%.*s", (int)word, text);
    rd_paint_flow(paint, ink, columns(text, word), indent, text + word + strspn(text + word, " "));
    fputc('\n', paint->out);
}

enum rd_ink rd_paint_verdict(enum rd_verdict verdict)
{
    switch (verdict) {
    case RD_HOLDS:
        return RD_INK_GOOD;
    case RD_VIOLATED:
        return RD_INK_BAD;
    case RD_INCONCLUSIVE:
        break;
    }
    return RD_INK_DOUBT;
}

const char *rd_plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

/* ---- boxes ---- */

enum {
    INDENT = 4,
    ROWS_MAX = 4, /* a step of more rows would not fit a terminal of 24 lines */
    BOXES_MAX = 512,
    GAP = 5, /* columns that " ... " takes */
};

/* Boxes to draw, by ascending index. */
struct boxes {
    struct rd_box box[BOXES_MAX];
    size_t count;
};

size_t rd_claim_live(const struct rd_claim *claim, size_t n)
{
    size_t room = n == 0 ? 0 : (n - 1) / claim->stride + 1;
    return claim->count < room ? claim->count : room;
}

static void box_init(struct rd_box *box, const struct rd_box_array *array, size_t index)
{
    memset(box, 0, sizeof *box);
    box->index = index;
    box->live = rd_claim_has(&array->claim, index);
    if (box->live || array->whole)
        array->fill(array->self, index, box);
}

/* Columns that the widest text or index takes. */
static size_t inner_width(const struct boxes *boxes)
{
    size_t widest = 1;
    for (size_t k = 0; k < boxes->count; k++) {
        size_t text = strlen(boxes->box[k].text);
        size_t index = (size_t)snprintf(NULL, 0, "%zu", boxes->box[k].index);
        if (text > widest)
            widest = text;
        if (index > widest)
            widest = index;
    }
    return widest;
}

static bool gap_before(const struct rd_box *row, size_t k)
{
    return k > 0 && row[k].index != row[k - 1].index + 1;
}

/* ---- drawing one row ---- */

enum line { LINE_INDEX, LINE_RULE, LINE_VALUE };

/* The sign between two neighbours; NULL: no neighbour on that side. */
static void draw_border(const struct rd_paint *paint, enum line line, const struct rd_box *left,
                        const struct rd_box *right)
{
    bool live = (left && left->live) || (right && right->live);
    enum rd_ink ink = live ? RD_INK_PLAIN : RD_INK_DIM;
    if (line == LINE_INDEX)
        fputs(left && right ? "  " : " ", paint->out);
    else if (line == LINE_RULE)
        paint_repeat(paint, ink, live ? '+' : '.', 1);
    else
        paint_repeat(paint, ink, live ? '|' : ':', 1);
}

static void draw_inside(const struct rd_paint *paint, enum line line, const struct rd_box *box,
                        size_t inner)
{
    int width = (int)inner;
    if (line == LINE_INDEX) {
        rd_paint_print(paint, RD_INK_DIM, " %*zu", width, box->index);
    } else if (line == LINE_RULE) {
        paint_repeat(paint, box->live ? RD_INK_PLAIN : RD_INK_DIM, box->live ? '-' : '.',
                     inner + 2);
    } else {
        enum rd_ink ink = box->wrong     ? RD_INK_BAD
                          : !box->live   ? RD_INK_DIM
                          : box->changed ? RD_INK_BOLD
                                         : RD_INK_PLAIN;
        char mark = box->wrong ? '!' : box->changed ? '*' : ' ';
        rd_paint_print(paint, ink, " %*s%c", width, box->text, mark);
    }
}

/* Boxes beside each other. */
struct row {
    const struct rd_box *box;
    size_t count;
    size_t inner; /* columns for a text */
    bool more;    /* cells behind the last box are left out */
};

static void draw_line(const struct rd_paint *paint, enum line line, const struct row *row)
{
    fprintf(paint->out, "%*s", INDENT, "");
    for (size_t k = 0; k < row->count; k++) {
        const struct rd_box *box = &row->box[k];
        bool gap = gap_before(row->box, k);
        if (gap) {
            draw_border(paint, line, box - 1, NULL);
            fputs(line == LINE_VALUE  ? " ... "
                  : line == LINE_RULE ? "     "
                                      : "      ",
                  paint->out);
        }
        draw_border(paint, line, gap || k == 0 ? NULL : box - 1, box);
        draw_inside(paint, line, box, row->inner);
    }
    if (line != LINE_INDEX)
        draw_border(paint, line, &row->box[row->count - 1], NULL);
    fputs(line == LINE_VALUE && row->more ? " ...\n" : "\n", paint->out);
}

static void draw_row(const struct rd_paint *paint, const struct row *row)
{
    draw_line(paint, LINE_INDEX, row);
    draw_line(paint, LINE_RULE, row);
    draw_line(paint, LINE_VALUE, row);
    draw_line(paint, LINE_RULE, row);
}

/* ---- all cells, wrapped ---- */

static size_t rows_of(size_t n, size_t per_row)
{
    return (n + per_row - 1) / per_row;
}

/* Returns the number of boxes in a row by which n take at most ROWS_MAX rows; 0 if none does.
 * A power of two is preferred: the fold's halves then stand below each other. */
static size_t boxes_per_row(const struct rd_paint *paint, size_t n, size_t inner)
{
    size_t room = paint->width > INDENT + 1 ? paint->width - INDENT - 1 : 1;
    size_t fit = room / (inner + 3);
    if (n <= fit)
        return n;
    if (fit == 0)
        return n <= ROWS_MAX ? 1 : 0;
    size_t power = 1;
    while (power * 2 <= fit)
        power *= 2;
    if (rows_of(n, power) <= ROWS_MAX)
        return power;
    return rows_of(n, fit) <= ROWS_MAX ? fit : 0;
}

static bool draw_all(const struct rd_box_array *array, const struct rd_paint *paint,
                     struct boxes *boxes)
{
    if (array->n > BOXES_MAX || array->n > (size_t)ROWS_MAX * paint->width / 4)
        return false;
    boxes->count = array->n;
    for (size_t index = 0; index < array->n; index++)
        box_init(&boxes->box[index], array, index);
    size_t inner = inner_width(boxes);
    size_t per_row = boxes_per_row(paint, array->n, inner);
    if (per_row == 0)
        return false;
    for (size_t first = 0; first < array->n; first += per_row) {
        size_t left = array->n - first;
        const struct row row = {
            .box = &boxes->box[first],
            .count = left < per_row ? left : per_row,
            .inner = inner,
        };
        draw_row(paint, &row);
    }
    return true;
}

/* ---- some cells, in one row ---- */

static size_t row_width(const struct boxes *boxes)
{
    size_t width = INDENT + 1 + boxes->count * (inner_width(boxes) + 3);
    for (size_t k = 1; k < boxes->count; k++)
        if (gap_before(boxes->box, k))
            width += GAP + 1;
    return width + GAP - 1; /* for " ..." at the end */
}

/* Puts a cell into the row if it fits. Returns whether the row has it. */
static bool admit(struct boxes *boxes, const struct rd_box_array *array,
                  const struct rd_paint *paint, size_t index)
{
    size_t at = boxes->count;
    while (at > 0 && boxes->box[at - 1].index >= index)
        at--;
    if (at < boxes->count && boxes->box[at].index == index)
        return true;
    if (boxes->count == BOXES_MAX)
        return false;
    struct rd_box *place = &boxes->box[at];
    memmove(place + 1, place, (boxes->count - at) * sizeof *place);
    box_init(place, array, index);
    boxes->count++;
    if (boxes->count == 1 || row_width(boxes) <= paint->width)
        return true;
    boxes->count--;
    memmove(place, place + 1, (boxes->count - at) * sizeof *place);
    return false;
}

/* The first cell, the one in focus, the last live one; then as many as fit, live ones first. */
static void select_boxes(struct boxes *boxes, const struct rd_box_array *array,
                         const struct rd_paint *paint)
{
    size_t n = array->n, focus = array->focus;
    size_t stride = array->claim.stride;
    size_t live = rd_claim_live(&array->claim, n);

    boxes->count = 0;
    if (focus < n)
        admit(boxes, array, paint, focus);
    if (array->whole || live > 0)
        admit(boxes, array, paint, 0);
    if (live > 0)
        admit(boxes, array, paint, (live - 1) * stride);
    if (array->whole && focus < n && focus > 0)
        admit(boxes, array, paint, focus - 1);
    if (array->whole && focus + 1 < n)
        admit(boxes, array, paint, focus + 1);
    for (size_t k = 0; k < live && admit(boxes, array, paint, k * stride); k++)
        ;
    for (size_t index = 0; array->whole && index < n; index++)
        if (!admit(boxes, array, paint, index))
            break;
}

struct rd_elided rd_boxes_draw(const struct rd_box_array *array, const struct rd_paint *paint)
{
    struct boxes boxes;
    size_t n = array->n, live = rd_claim_live(&array->claim, n), shown = 0;
    if (draw_all(array, paint, &boxes))
        return (struct rd_elided){.uncopied = array->whole ? 0 : n - live};

    select_boxes(&boxes, array, paint);
    for (size_t k = 0; k < boxes.count; k++)
        shown += boxes.box[k].live;
    if (boxes.count > 0) {
        const struct row row = {
            .box = boxes.box,
            .count = boxes.count,
            .inner = inner_width(&boxes),
            .more = boxes.box[boxes.count - 1].index < n - 1,
        };
        draw_row(paint, &row);
    }
    return (struct rd_elided){
        .live = live - shown,
        .dead = array->whole ? n - live - (boxes.count - shown) : 0,
        .uncopied = array->whole ? 0 : n - live,
    };
}
