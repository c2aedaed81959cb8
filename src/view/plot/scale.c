// SPDX-License-Identifier: MIT
#include "view/plot/panel.h"
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

/* ---- axes ---- */

/* Intervals between the ticks of a linear axis, more or less; powers of two that have a label. */
enum { INTERVALS = 5, LABELS_MAX = 14 };

/* Up to so many decades an axis has ticks at 1, 2 and 5; up to so many it has all nine. */
#define DECADES_FEW  2.4
#define DECADES_MANY 4

bool rd_scale_takes(enum rd_plot_scale kind, double value)
{
    bool is_log = kind == RD_PLOT_LOG10 || kind == RD_PLOT_LOG2;
    return isfinite(value) && (!is_log || value > 0);
}

/* The step of 1, 2 or 5 times a power of ten that divides `range` into about INTERVALS. */
static double nice_step(double range)
{
    double rough = range / INTERVALS, power = pow(10, floor(log10(rough)));
    double times = rough / power;
    return power * (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10);
}

static void fit_linear(struct rd_scale *scale, double least, double most)
{
    least = fmin(least, 0);
    most = fmax(most, 0);
    if (least == most)
        most = 1;
    double step = nice_step(most - least);
    scale->low = step * floor(least / step);
    scale->high = step * ceil(most / step);
}

/* The next of 1, 2 and 5 times a power of ten, downwards or upwards. */
static double round_125(double value, bool up)
{
    static const double times[] = {1, 2, 5, 10};
    double power = pow(10, floor(log10(value)));
    double result = up ? 10 * power : power;
    for (int k = 0; k < 4; k++) {
        double candidate = times[k] * power;
        if (up && candidate >= value)
            return candidate;
        if (!up && candidate <= value)
            result = candidate;
    }
    return result;
}

/* Markers at the ends are to stand clear of them; an axis has half a decade at least. */
static void fit_log10(struct rd_scale *scale, double least, double most)
{
    const double clear = 1.12, shortest = 5;
    scale->low = round_125(least / clear, false);
    scale->high = round_125(most * clear, true);
    if (scale->high / scale->low < shortest * 0.999)
        scale->high = round_125(scale->low * shortest * 0.999, true);
}

static void fit_log2(struct rd_scale *scale, double least, double most)
{
    scale->low = exp2(floor(log2(least)));
    scale->high = exp2(ceil(log2(most)));
    if (scale->low == scale->high)
        scale->high *= 2;
}

struct rd_scale rd_scale_fit(enum rd_plot_scale kind, double least, double most)
{
    struct rd_scale scale = {.kind = kind};
    bool is_log = kind == RD_PLOT_LOG10 || kind == RD_PLOT_LOG2;
    if (least > most) {
        least = is_log;
        most = is_log ? 10 : 1;
    }
    switch (kind) {
    case RD_PLOT_LINEAR:
        fit_linear(&scale, least, most);
        break;
    case RD_PLOT_LOG10:
        fit_log10(&scale, least, most);
        break;
    case RD_PLOT_LOG2:
        fit_log2(&scale, least, most);
        break;
    case RD_PLOT_NAMES: /* half a place at both ends */
        scale.low = least - 0.5;
        scale.high = most + 0.5;
        break;
    }
    return scale;
}

double rd_scale_at(const struct rd_scale *scale, double value)
{
    bool is_log = scale->kind == RD_PLOT_LOG10 || scale->kind == RD_PLOT_LOG2;
    double part = is_log ? log(value / scale->low) / log(scale->high / scale->low)
                         : (value - scale->low) / (scale->high - scale->low);
    return scale->from + part * (scale->to - scale->from);
}

/* ---- ticks ---- */

static void add(struct rd_tick *ticks, size_t *count, double value)
{
    if (*count < RD_TICKS_MAX)
        ticks[(*count)++] = (struct rd_tick){.value = value};
}

static size_t linear_ticks(const struct rd_scale *scale, struct rd_tick *ticks)
{
    size_t count = 0;
    double step = nice_step(scale->high - scale->low);
    for (double k = ceil(scale->low / step - 0.01); k * step <= scale->high + 0.01 * step; k++) {
        add(ticks, &count, k * step);
        rd_svg_value_text(k * step, 4, ticks[count - 1].label);
    }
    return count;
}

/* "0.02", "500", "2×10⁵", "10⁶" */
static void label_log10(int times, int exponent, char label[RD_NUMBER_TEXT_SIZE])
{
    char power[RD_NUMBER_TEXT_SIZE];
    if (exponent >= -3 && exponent < 5)
        rd_svg_value_text(times * pow(10, exponent), 1, label);
    else if (times == 1)
        rd_svg_power_text(10, exponent, label);
    else
        snprintf(label, RD_NUMBER_TEXT_SIZE, "%d×%s", times,
                 rd_svg_power_text(10, exponent, power));
}

static size_t log10_ticks(const struct rd_scale *scale, struct rd_tick *ticks)
{
    const double slack = 1.001;
    size_t count = 0;
    double decades = log10(scale->high / scale->low);
    int first = (int)floor(log10(scale->low) + 0.001),
        last = (int)floor(log10(scale->high) + 0.001);
    for (int exponent = first; exponent <= last; exponent++)
        for (int times = 1; times < 10; times++) {
            double value = times * pow(10, exponent);
            bool is_few = decades <= DECADES_FEW;
            bool is_labelled = times == 1 || (is_few && (times == 2 || times == 5));
            if (value * slack < scale->low || value > scale->high * slack ||
                (times > 1 && decades > DECADES_MANY))
                continue;
            add(ticks, &count, value);
            if (!is_labelled)
                continue;
            label_log10(times, exponent, ticks[count - 1].label);
        }
    return count;
}

static size_t log2_ticks(const struct rd_scale *scale, struct rd_tick *ticks)
{
    size_t count = 0;
    int first = (int)lround(log2(scale->low)), last = (int)lround(log2(scale->high));
    int step = 1 + (last - first) / LABELS_MAX;
    for (int exponent = first; exponent <= last; exponent++) {
        add(ticks, &count, exp2(exponent));
        if (exponent % step == 0)
            rd_svg_power_text(2, exponent, ticks[count - 1].label);
    }
    return count;
}

size_t rd_scale_ticks(const struct rd_scale *scale, struct rd_tick ticks[RD_TICKS_MAX])
{
    switch (scale->kind) {
    case RD_PLOT_LINEAR:
        return linear_ticks(scale, ticks);
    case RD_PLOT_LOG10:
        return log10_ticks(scale, ticks);
    case RD_PLOT_LOG2:
        return log2_ticks(scale, ticks);
    case RD_PLOT_NAMES:
        break;
    }
    return 0;
}
