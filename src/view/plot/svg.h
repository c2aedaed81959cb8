// SPDX-License-Identifier: MIT
/* Text and numbers of an SVG, the same in every locale. Private to src/view/plot. */
#ifndef RD_VIEW_PLOT_SVG_H
#define RD_VIEW_PLOT_SVG_H

#include <stddef.h>
#include <stdio.h>

/* Writes text, escaped for an element or an attribute; what is no text becomes U+FFFD: see
 * base/utf8.h. */
void rd_svg_text(FILE *out, const char *text);

/* Writes the attribute ` NAME="VALUE"`: a length, with two digits behind the point at most. */
void rd_svg_length(FILE *out, const char *name, double value);
/* The same without name and quotes. */
void rd_svg_number(FILE *out, double value);

enum { RD_NUMBER_TEXT_SIZE = 40 };

/* "0.0123", "402", "1330", "1.5×10⁹": to so many significant digits, 1 to 9, whole numbers below
 * 10^6 in full. Returns text. */
const char *rd_svg_value_text(double value, unsigned digits, char text[RD_NUMBER_TEXT_SIZE]);
/* "2¹⁰". Returns text. */
const char *rd_svg_power_text(unsigned base, int exponent, char text[RD_NUMBER_TEXT_SIZE]);

#endif
