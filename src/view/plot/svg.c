// SPDX-License-Identifier: MIT
#include "view/plot/svg.h"
#include "base/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- text ---- */

void rd_svg_text(FILE *out, const char *text)
{
    for (const char *end = text + strlen(text); text < end;) {
        struct rd_xml_part part = rd_xml_next(&text, end);
        fwrite(part.bytes, 1, part.size, out);
    }
}

/* ---- numbers ---- */

/* printf's %f has the locale's point, which SVG does not take; its integers have none. */
static void format_fixed(char text[RD_NUMBER_TEXT_SIZE], double value, unsigned digits)
{
    long long power = 1;
    for (unsigned k = 0; k < digits; k++)
        power *= 10;
    long long scaled = llround(fabs(value) * (double)power);
    int length = snprintf(text, RD_NUMBER_TEXT_SIZE, "%s%lld", value < 0 && scaled > 0 ? "-" : "",
                          scaled / power);
    if (digits == 0)
        return;
    snprintf(text + length, RD_NUMBER_TEXT_SIZE - (size_t)length, ".%0*lld", (int)digits,
             scaled % power);
    char *end = text + strlen(text);
    while (end[-1] == '0')
        *--end = '\0';
    if (end[-1] == '.')
        end[-1] = '\0';
}

void rd_svg_number(FILE *out, double value)
{
    char text[RD_NUMBER_TEXT_SIZE];
    format_fixed(text, value, 2);
    fputs(text, out);
}

void rd_svg_length(FILE *out, const char *name, double value)
{
    fprintf(out, " %s=\"", name);
    rd_svg_number(out, value);
    fputc('"', out);
}

static const char *superscript(char digit)
{
    static const char *const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    return digit == '-' ? "⁻" : digits[digit - '0'];
}

const char *rd_svg_power_text(unsigned base, int exponent, char text[RD_NUMBER_TEXT_SIZE])
{
    char plain[12];
    size_t length = (size_t)snprintf(text, RD_NUMBER_TEXT_SIZE, "%u", base);
    snprintf(plain, sizeof plain, "%d", exponent);
    for (const char *c = plain; *c; c++)
        length +=
            (size_t)snprintf(text + length, RD_NUMBER_TEXT_SIZE - length, "%s", superscript(*c));
    return text;
}

const char *rd_svg_value_text(double value, unsigned digits, char text[RD_NUMBER_TEXT_SIZE])
{
    char power[RD_NUMBER_TEXT_SIZE];
    int exponent = value == 0 ? 0 : (int)floor(log10(fabs(value)));
    if (exponent >= 6 || exponent < -4) {
        format_fixed(text, value / pow(10, exponent), digits - 1);
        size_t length = strlen(text);
        snprintf(text + length, RD_NUMBER_TEXT_SIZE - length, "×%s",
                 rd_svg_power_text(10, exponent, power));
        return text;
    }
    int behind = (int)digits - 1 - exponent;
    format_fixed(text, value, behind > 0 ? (unsigned)behind : 0);
    return text;
}
