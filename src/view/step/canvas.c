// SPDX-License-Identifier: MIT
#include "view/step/canvas.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum rd_status rd_canvas_init(struct rd_canvas *canvas, unsigned width, unsigned height, bool ascii,
                              struct rd_error *error)
{
    struct rd_canvas_cell *cells = calloc((size_t)width * height + 1, sizeof *cells);
    if (!cells)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for a screen of %u x %u", width, height);
    *canvas = (struct rd_canvas){.width = width, .height = height, .ascii = ascii, .cells = cells};
    rd_canvas_clear(canvas);
    return RD_OK;
}

void rd_canvas_finish(struct rd_canvas *canvas)
{
    free(canvas->cells);
    canvas->cells = NULL;
}

void rd_canvas_clear(struct rd_canvas *canvas)
{
    for (size_t k = 0; k < (size_t)canvas->width * canvas->height; k++)
        canvas->cells[k] = (struct rd_canvas_cell){.character = ' ', .ink = RD_INK_PLAIN};
}

struct rd_canvas_cell *rd_canvas_at(struct rd_canvas *canvas, int x, int y)
{
    if (x < 0 || y < 0 || (unsigned)x >= canvas->width || (unsigned)y >= canvas->height)
        return NULL;
    return &canvas->cells[(size_t)y * canvas->width + (size_t)x];
}

/* ---- characters ---- */

/* The nearest ASCII character. Lines follow below. */
static const struct {
    uint32_t character;
    char ascii;
} nearest[] = {
    {0x2026, '~'},                                              /* … */
    {0x25B6, '>'}, {0x25C0, '<'}, {0x25BC, 'v'}, {0x25B2, '^'}, /* ▶ ◀ ▼ ▲ */
    {0x2192, '>'}, {0x2190, '<'},                               /* → ← */
    {0x2588, '#'}, {0x2593, '#'}, {0x2592, '='}, {0x2591, '-'}, /* █ ▓ ▒ ░ */
    {0x00D7, 'x'}, {0x00B7, '.'}, {0x2713, '+'}, {0x2717, '!'}, /* × · ✓ ✗ */
    {0x2264, '<'}, {0x2212, '-'}, {0x2022, '*'},                /* ≤ − • */
    {0x2260, '/'},                                              /* ≠ */
};

static uint32_t ascii_of(uint32_t character)
{
    if (character < 0x80)
        return character;
    for (size_t k = 0; k < sizeof nearest / sizeof *nearest; k++)
        if (nearest[k].character == character)
            return (uint32_t)nearest[k].ascii;
    return '?';
}

void rd_canvas_put(struct rd_canvas *canvas, int x, int y, enum rd_ink ink, uint32_t character)
{
    struct rd_canvas_cell *cell = rd_canvas_at(canvas, x, y);
    if (!cell)
        return;
    *cell = (struct rd_canvas_cell){
        .character = canvas->ascii ? ascii_of(character) : character,
        .ink = ink,
    };
}

/* The next character, and moves on behind it; '?' for what a terminal would obey, or can't show. */
static uint32_t decode(const char **text)
{
    uint32_t character;
    *text += rd_utf8_decode(*text, strnlen(*text, RD_UTF8_BYTES_MAX), &character);
    bool shown = character != RD_UTF8_REPLACEMENT && character >= ' ' && rd_utf8_is_text(character);
    return shown ? character : '?';
}

static int put_text(struct rd_canvas *canvas, int x, int y, enum rd_ink ink, const char *text)
{
    while (*text)
        rd_canvas_put(canvas, x++, y, ink, decode(&text));
    return x;
}

int rd_canvas_print(struct rd_canvas *canvas, int x, int y, enum rd_ink ink, const char *format,
                    ...)
{
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return put_text(canvas, x, y, ink, text);
}

int rd_canvas_clip(struct rd_canvas *canvas, int x, int y, int end, enum rd_ink ink,
                   const char *text)
{
    bool fits = rd_canvas_columns(text) <= end - x;
    while (*text && x < end - !fits)
        rd_canvas_put(canvas, x++, y, ink, decode(&text));
    if (!fits && x < end)
        rd_canvas_put(canvas, x++, y, ink, 0x2026); /* … */
    return x;
}

int rd_canvas_columns(const char *text)
{
    return (int)rd_utf8_columns(text);
}

int rd_canvas_wrap(struct rd_canvas *canvas, const struct rd_canvas_area *area, enum rd_ink ink,
                   const char *text)
{
    int x = area->x, row = 0;
    bool first = true; /* of its line */
    while (*text && row < area->rows_max) {
        char word[256];
        size_t size = strcspn(text, " ");
        snprintf(word, sizeof word, "%.*s", (int)size, text);
        int columns = rd_canvas_columns(word);
        if (!first && x + 1 + columns > area->end) {
            if (row + 1 == area->rows_max) {
                rd_canvas_print(canvas, x + 1 < area->end ? x + 1 : area->end - 1, area->y + row,
                                ink, "…");
                return row + 1;
            }
            row++;
            x = area->x + area->indent;
            first = true;
        }
        x = put_text(canvas, first ? x : x + 1, area->y + row, ink, word);
        first = false;
        text += size;
        text += strspn(text, " ");
    }
    return first ? row : row + 1;
}

void rd_canvas_reverse(struct rd_canvas *canvas, int x, int y, int width)
{
    for (int k = 0; k < width; k++) {
        struct rd_canvas_cell *cell = rd_canvas_at(canvas, x + k, y);
        if (cell)
            cell->reverse = true;
    }
}

/* ---- as text ---- */

int rd_canvas_encode(uint32_t character, char bytes[5])
{
    size_t size = rd_utf8_encode(character, bytes);
    bytes[size] = '\0';
    return (int)size;
}

static unsigned length_of(const struct rd_canvas *canvas, unsigned row)
{
    unsigned length = canvas->width;
    while (length > 0 && canvas->cells[(size_t)row * canvas->width + length - 1].character == ' ')
        length--;
    return length;
}

void rd_canvas_write(const struct rd_canvas *canvas, FILE *out)
{
    unsigned rows = canvas->height;
    while (rows > 0 && length_of(canvas, rows - 1) == 0)
        rows--;
    for (unsigned row = 0; row < rows; row++) {
        unsigned length = length_of(canvas, row);
        for (unsigned x = 0; x < length; x++) {
            char bytes[5];
            rd_canvas_encode(canvas->cells[(size_t)row * canvas->width + x].character, bytes);
            fputs(bytes, out);
        }
        fputc('\n', out);
    }
}

/* ---- lines ---- */

/* By arms: the sum of RD_LINE_…. */
static const uint32_t solid[16] = {
    ' ',    0x2502, 0x2502, 0x2502, 0x2500, 0x2518, 0x2510, 0x2524,
    0x2500, 0x2514, 0x250C, 0x251C, 0x2500, 0x2534, 0x252C, 0x253C,
};

enum { DOTTED_VERTICAL = 0x2506, DOTTED_HORIZONTAL = 0x2504 };

static uint32_t character_of(const struct rd_canvas *canvas, unsigned arms, bool dotted)
{
    bool vertical = (arms & ~(unsigned)(RD_LINE_UP | RD_LINE_DOWN)) == 0;
    bool horizontal = (arms & ~(unsigned)(RD_LINE_LEFT | RD_LINE_RIGHT)) == 0;
    if (canvas->ascii)
        return vertical ? (dotted ? ':' : '|') : dotted ? '.' : horizontal ? '-' : '+';
    if (dotted && vertical)
        return DOTTED_VERTICAL;
    if (dotted && horizontal)
        return DOTTED_HORIZONTAL;
    return solid[arms];
}

void rd_canvas_line(struct rd_canvas *canvas, int x, int y, enum rd_ink ink,
                    enum rd_line_style style, unsigned arms)
{
    struct rd_canvas_cell *cell = rd_canvas_at(canvas, x, y);
    if (!cell || arms == 0)
        return;
    bool dotted = style == RD_STYLE_DOTTED;
    if (cell->arms == 0 || (cell->ink == RD_INK_DIM && ink != RD_INK_DIM))
        cell->ink = ink;
    cell->dotted = dotted && (cell->arms == 0 || cell->dotted);
    cell->arms |= (unsigned char)arms;
    cell->character = character_of(canvas, cell->arms, cell->dotted);
}

void rd_canvas_horizontal(struct rd_canvas *canvas, int from, int to, int y, enum rd_ink ink,
                          enum rd_line_style style)
{
    if (from > to) {
        int swap = from;
        from = to;
        to = swap;
    }
    for (int x = from; x <= to; x++)
        rd_canvas_line(canvas, x, y, ink, style,
                       (x > from ? RD_LINE_LEFT : 0u) | (x < to ? RD_LINE_RIGHT : 0u));
}

void rd_canvas_vertical(struct rd_canvas *canvas, int x, int from, int to, enum rd_ink ink,
                        enum rd_line_style style)
{
    for (int y = from; y <= to; y++)
        rd_canvas_line(canvas, x, y, ink, style,
                       (y > from ? RD_LINE_UP : 0u) | (y < to ? RD_LINE_DOWN : 0u));
}

void rd_canvas_frame(struct rd_canvas *canvas, int x, int y, int width, int height, enum rd_ink ink)
{
    for (int row = 0; row < height; row++)
        for (int column = 0; column < width; column++)
            rd_canvas_put(canvas, x + column, y + row, RD_INK_PLAIN, ' ');
    rd_canvas_horizontal(canvas, x, x + width - 1, y, ink, RD_STYLE_SOLID);
    rd_canvas_horizontal(canvas, x, x + width - 1, y + height - 1, ink, RD_STYLE_SOLID);
    rd_canvas_vertical(canvas, x, y, y + height - 1, ink, RD_STYLE_SOLID);
    rd_canvas_vertical(canvas, x + width - 1, y, y + height - 1, ink, RD_STYLE_SOLID);
}
