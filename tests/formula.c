// SPDX-License-Identifier: MIT
#include "formula.h"
#include "harness.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* A reader of a formula: where it stands. `bad`, if what stands there is none. */
struct reader {
    const char *at;
    const struct rd_shape *shape;
    bool bad;
};

static double expression(struct reader *reader);

static bool take(struct reader *reader, const char *word)
{
    const char *at = reader->at;
    while (*at == ' ')
        at++;
    if (strncmp(at, word, strlen(word)) != 0)
        return false;
    reader->at = at + strlen(word);
    return true;
}

static double named(struct reader *reader, char name)
{
    const struct rd_shape *shape = reader->shape;
    double n = (double)shape->n, T = shape->block, B = (double)shape->grid;
    switch (name) {
    case 'n':
        return n;
    case 'T':
        return T;
    case 'B':
        return B;
    case 'G':
        return T * B;
    case 'P':
        return floor(n / 4);
    case 'L':
        return fmin(T, 32);
    case 'm':
        return ceil(sqrt(n));
    default:
        reader->bad = true;
        return 0;
    }
}

static double call(struct reader *reader)
{
    static const char *const names[] = {"ceil(", "floor(", "log2(", "min(", "max(", "("};
    size_t f = 0;
    while (f < 6 && !take(reader, names[f]))
        f++;
    if (f == 6) {
        reader->bad = true;
        return 0;
    }
    double x = expression(reader), y = 0;
    if (f == 3 || f == 4) {
        reader->bad |= !take(reader, ",");
        y = expression(reader);
    }
    reader->bad |= !take(reader, ")");
    const double values[] = {ceil(x), floor(x), log2(x), fmin(x, y), fmax(x, y), x};
    return values[f];
}

static double atom(struct reader *reader)
{
    while (*reader->at == ' ')
        reader->at++;
    if (isdigit((unsigned char)*reader->at)) {
        char *end;
        double value = strtod(reader->at, &end);
        reader->at = end - (end[-1] == '.'); /* which ends the sentence */
        return value;
    }
    if (isalpha((unsigned char)*reader->at) && !isalpha((unsigned char)reader->at[1]))
        return named(reader, *reader->at++);
    return call(reader);
}

static double product(struct reader *reader)
{
    double value = atom(reader);
    for (;;) {
        if (take(reader, "*"))
            value *= atom(reader);
        else if (take(reader, "/"))
            value /= atom(reader);
        else if (take(reader, "mod "))
            value = fmod(value, atom(reader));
        else if (*reader->at == '(' || isalpha((unsigned char)*reader->at)) /* "m(m-1)", "2n" */
            value *= atom(reader);
        else
            return value;
    }
}

static double expression(struct reader *reader)
{
    double value = product(reader);
    for (;;) {
        const char *before = reader->at;
        double sign = take(reader, "+ ") || take(reader, "+")   ? 1
                      : take(reader, "- ") || take(reader, "-") ? -1
                                                                : 0;
        if (sign == 0)
            return value;
        double term = product(reader);
        if (reader->bad) { /* a dash, or the end of the sentence */
            reader->at = before;
            return value;
        }
        value += sign * term;
    }
}

double formula_value(const char *text, const struct rd_shape *shape, const char **end)
{
    struct reader reader = {.at = text, .shape = shape};
    double value = expression(&reader);
    if (reader.bad || (!end && *reader.at != '\0'))
        fail_msg("no formula: %.80s", text);
    if (end)
        *end = reader.at;
    return value;
}

char *formula_text_of(const struct rd_program *program)
{
    char *from = rd_program_explain(program);
    assert_non_null(from);
    char *text = malloc(strlen(from) + 1);
    size_t length = 0;
    assert_non_null(text);
    for (const char *c = from; *c; c++) {
        bool blank = *c == ' ' || *c == '\n';
        if (!blank || (length > 0 && text[length - 1] != ' '))
            text[length++] = blank ? ' ' : *c;
    }
    text[length] = '\0';
    free(from);
    return text;
}
