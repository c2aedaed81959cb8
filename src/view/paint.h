// SPDX-License-Identifier: MIT
/* Text on a terminal, with or without colour. Colour only repeats what the text says. */
#ifndef RD_VIEW_PAINT_H
#define RD_VIEW_PAINT_H

#include "reductio/run.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

enum rd_ink { RD_INK_PLAIN, RD_INK_BOLD, RD_INK_DIM, RD_INK_GOOD, RD_INK_BAD, RD_INK_DOUBT };

struct rd_paint {
    FILE *out;
    unsigned width; /* columns */
    bool color;
};

/* Prints in the ink's colour. */
void rd_paint_print(const struct rd_paint *paint, enum rd_ink ink, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Prints a character `count` times in the ink's colour. */
void rd_paint_repeat(const struct rd_paint *paint, enum rd_ink ink, char character, size_t count);

/* Prints the words of a text behind what takes up `column` columns of the line, and goes on in
 * further lines, indented, where the width is used up. Returns the column; the line is
 * not ended. */
size_t rd_paint_flow(const struct rd_paint *paint, enum rd_ink ink, size_t column, unsigned indent,
                     const char *text);

/* Prints a text as lines of at most the width, each indented, broken at spaces. */
void rd_paint_wrap(const struct rd_paint *paint, enum rd_ink ink, unsigned indent,
                   const char *text);

/* Prints a text as a line, and what is beyond the width in further ones, each indented. */
void rd_paint_hang(const struct rd_paint *paint, enum rd_ink ink, unsigned indent,
                   const char *text);

/* What makes the noun behind a count a plural: "" or "s". */
const char *rd_plural(uint64_t count);

/* The ink of a verdict. */
enum rd_ink rd_paint_verdict(enum rd_verdict verdict);

#ifdef __cplusplus
}
#endif
#endif
