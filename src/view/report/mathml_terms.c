// SPDX-License-Identifier: MIT
/* Formulas without sums: a recursive descent. */
#include "view/report/mathml_parts.h"

#include <ctype.h>
#include <string.h>

static bool expression(struct rd_math *math);

/* ---- atoms ---- */

static bool number(struct rd_math *math)
{
    rd_math_skip_blanks(math);
    const char *start = math->at;
    while (math->at < math->end && isdigit((unsigned char)*math->at))
        math->at++;
    if (math->at == start)
        return false;
    rd_markup_format(math->to, "<mn>%.*s</mn>", (int)(math->at - start), start);
    return true;
}

/* What stands between brackets: one or more expressions. */
static bool arguments(struct rd_math *math, const char *close)
{
    do {
        if (!expression(math))
            return false;
        if (rd_math_take(math, close))
            return true;
        rd_math_operator(math, ",");
    } while (rd_math_take(math, ","));
    return false;
}

/* "[i]", "[i][j]": a list of all of them. */
static bool subscripts(struct rd_math *math)
{
    for (bool first = true; math->at < math->end && *math->at == '['; first = false) {
        math->at++;
        if (!first)
            rd_math_operator(math, ",");
        if (!arguments(math, "]"))
            return false;
    }
    return true;
}

/* What is below a name: "_2", "_q[t]", "[i][j]". */
static bool below(struct rd_math *math, struct rd_math_mark start)
{
    const char *index = *math->at == '_' ? math->at + 1 : NULL;
    if (index)
        for (math->at++; math->at < math->end && isalnum((unsigned char)*math->at);)
            math->at++;
    const bool indexed = math->at < math->end && *math->at == '[';
    if (math->at == index)
        return false;
    rd_math_wrap(math, start, "<msub>");
    rd_markup_raw(math->to, indexed ? "<mrow>" : "");
    if (index)
        rd_markup_format(math->to,
                         isdigit((unsigned char)*index) ? "<mn>%.*s</mn>" : "<mi>%.*s</mi>",
                         (int)(math->at - index), index);
    if (index && indexed)
        rd_math_operator(math, ",");
    if (!subscripts(math))
        return false;
    rd_markup_raw(math->to, indexed ? "</mrow></msub>" : "</msub>");
    return true;
}

/* Whether an equals sign stands behind what was read. */
static bool is_equated(const struct rd_math *math)
{
    return rd_math_next_is(math, " =") || (math->at == math->end && math->is_left_side);
}

/* "A", "cache[i]", "x_q[t]", "r_2(j)". A word of several letters is a name only where it is indexed
 * or has an equals sign behind it. */
static bool name(struct rd_math *math)
{
    const struct rd_math_mark start = rd_math_here(math);
    const char *first = math->at;
    while (math->at < math->end && isalpha((unsigned char)*math->at))
        math->at++;
    const size_t length = (size_t)(math->at - first);
    const bool has_below = math->at < math->end && strchr("_[", *math->at);
    if (length == 0)
        return rd_math_take_back(math, start);
    rd_markup_format(math->to, "<mi>%.*s</mi>", (int)length, first);
    if (has_below && !below(math, start))
        return rd_math_take_back(math, start);
    if (length > 1 && !is_equated(math) && math->at[-1] != ']')
        return rd_math_take_back(math, start);
    if (length == 1 && math->at < math->end && *math->at == '(') {
        math->at++;
        rd_math_operator(math, "(");
        if (!arguments(math, ")"))
            return rd_math_take_back(math, start);
        rd_math_operator(math, ")");
    }
    return true;
}

/* "floor(…)", "min(…)" and plain brackets. */
static bool bracket(struct rd_math *math)
{
    static const struct {
        const char *word, *open, *close;
    } kinds[] = {
        {"floor(", "⌊", "⌋"},
        {"ceil(", "⌈", "⌉"},
        {"min(", "(", ")"},
        {"(", "(", ")"},
    };
    const struct rd_math_mark start = rd_math_here(math);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        if (!rd_math_take(math, kinds[k].word))
            continue;
        rd_markup_raw(math->to, kinds[k].word[0] == 'm' ? "<mrow><mi>min</mi>" : "<mrow>");
        rd_math_operator(math, kinds[k].open);
        if (arguments(math, ")")) {
            rd_math_operator(math, kinds[k].close);
            rd_markup_raw(math->to, "</mrow>");
            return true;
        }
        return rd_math_take_back(math, start);
    }
    return false;
}

static bool atom(struct rd_math *math)
{
    rd_math_skip_blanks(math);
    const struct rd_math_mark start = rd_math_here(math);
    const bool is_number = number(math);
    if (!is_number && !bracket(math) && !name(math))
        return false;
    if (is_number && math->at < math->end && isalpha((unsigned char)*math->at))
        return name(math) || rd_math_take_back(math, start); /* "3k" is a product */
    if (!rd_math_next_is(math, "^"))
        return true;
    math->at++;
    rd_math_wrap(math, start, "<msup>");
    if (!number(math) && !name(math))
        return rd_math_take_back(math, start);
    rd_markup_raw(math->to, "</msup>");
    return true;
}

/* ---- expressions and relations ---- */

static bool expression(struct rd_math *math)
{
    static const struct {
        const char *sign, *markup;
    } signs[] = {{"+", "+"}, {"-", "−"}, {"*", "⋅"}, {"/", "/"}, {"mod ", "mod"}};
    const struct rd_math_mark start = rd_math_here(math);
    if (!atom(math))
        return rd_math_take_back(math, start);
    for (;;) {
        const struct rd_math_mark behind = rd_math_here(math);
        bool found = false;
        for (size_t k = 0; !found && k < sizeof signs / sizeof *signs; k++) {
            if (!rd_math_take(math, signs[k].sign))
                continue;
            rd_math_operator(math, signs[k].markup);
            found = true;
        }
        if (!found || !atom(math)) {
            rd_math_take_back(math, behind);
            return true;
        }
    }
}

/* " (mod 4)", of what was "mod 4" or that already. */
static bool modulus(struct rd_math *math)
{
    const bool closed = rd_math_take(math, "(mod ");
    if (!closed && !rd_math_take(math, "mod "))
        return false;
    rd_markup_raw(math->to,
                  "<mspace width=\"0.5em\"></mspace><mo stretchy=\"false\">(</mo><mi>mod</mi>"
                  "<mspace width=\"0.25em\"></mspace>");
    if (!number(math) || (closed && !rd_math_take(math, ")")))
        return false;
    rd_math_operator(math, ")");
    return true;
}

/* "= 0 mod 2", "= i (mod 4)": not that a remainder is equal, but that it differs by multiples. */
static bool congruence(struct rd_math *math)
{
    const struct rd_math_mark start = rd_math_here(math);
    if (!rd_math_take(math, "="))
        return false;
    rd_math_operator(math, "≡");
    return (atom(math) && modulus(math)) || rd_math_take_back(math, start);
}

/* "0 <= i < 4", "j mod 4 = i", "j = i (mod 4)", or an expression alone; `related` tells which. A
 * list "0 <= i, j < 8" is two of them. */
static bool comparison(struct rd_math *math, bool *related)
{
    static const struct {
        const char *sign, *markup;
    } signs[] = {{"<=", "≤"}, {"<", "&lt;"}, {"=", "="}};
    const struct rd_math_mark start = rd_math_here(math);
    *related = false;
    if (!expression(math))
        return rd_math_take_back(math, start);
    for (;;) {
        const struct rd_math_mark behind = rd_math_here(math);
        bool found = false;
        if (congruence(math)) {
            *related = true;
            break;
        }
        for (size_t k = 0; !found && k < sizeof signs / sizeof *signs; k++) {
            if (!rd_math_take(math, signs[k].sign))
                continue;
            rd_math_operator(math, signs[k].markup);
            found = true;
        }
        if (!found || !expression(math)) {
            rd_math_take_back(math, behind);
            break;
        }
        *related = true;
    }
    return true;
}

/* ---- words and formulas ---- */

/* What was read since `start` and is no formula, as text; a sign alone, and "..", as a sign.
 * Returns whether it is one. */
static bool write_word(struct rd_math *math, const char *start)
{
    const size_t size = (size_t)(math->at - start);
    const bool dots = size == 2 && memcmp(start, "..", size) == 0;
    const bool sign = dots || (size == 1 && ispunct((unsigned char)*start));
    rd_markup_raw(math->to, sign ? "<mo>" : "<mtext>");
    if (dots)
        rd_markup_raw(math->to, "\u2026");
    else
        rd_markup_text_of(math->to, start, size);
    rd_markup_raw(math->to, sign ? "</mo>" : "</mtext>");
    return sign;
}

static bool ends_word(const struct rd_math *math)
{
    return math->at == math->end || strchr(" ,:;", *math->at);
}

bool rd_math_mixed(struct rd_math *math, bool *related)
{
    bool pure = true;
    *related = false;
    rd_math_skip_blanks(math);
    while (math->at < math->end) {
        const struct rd_math_mark start = rd_math_here(math);
        bool says = false;
        if (comparison(math, &says) && ends_word(math)) {
            *related |= says;
        } else {
            rd_math_take_back(math, start);
            while (!ends_word(math))
                math->at++;
            if (math->at == start.at) /* a mark of its own */
                math->at++;
            pure &= write_word(math, start.at);
        }
        if (math->at < math->end && *math->at == ' ')
            rd_markup_raw(math->to, "<mspace width=\"0.3em\"></mspace>");
        rd_math_skip_blanks(math);
    }
    return pure;
}
