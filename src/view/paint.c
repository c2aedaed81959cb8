// SPDX-License-Identifier: MIT
#include "view/paint.h"

#include <stdarg.h>
#include <string.h>

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

void rd_paint_repeat(const struct rd_paint *paint, enum rd_ink ink, char character, size_t count)
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
