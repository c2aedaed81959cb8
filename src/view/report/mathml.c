// SPDX-License-Identifier: MIT
/* A recursive descent over the statement. A rule that does not apply takes back what it has written:
 * its caller then takes the next word as text. */
#include "view/report/mathml.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct math {
    struct rd_markup *to;
    const char *at, *end;
};

static bool comparison(struct math *math, bool *related);
static bool expression(struct math *math);

/* ---- the words ---- */

static void skip_blanks(struct math *math)
{
    while (math->at < math->end && *math->at == ' ')
        math->at++;
}

static bool next_is(const struct math *math, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(math->end - math->at) >= length && memcmp(math->at, word, length) == 0;
}

/* Takes a sign; of two that begin alike the longer is to be asked for first. */
static bool take(struct math *math, const char *sign)
{
    const char *start = math->at;
    skip_blanks(math);
    if (!next_is(math, sign)) {
        math->at = start;
        return false;
    }
    math->at += strlen(sign);
    return true;
}

static bool take_word(struct math *math, const char *word)
{
    const char *start = math->at;
    if (take(math, word) && (math->at == math->end || !isalnum((unsigned char)*math->at)))
        return true;
    math->at = start;
    return false;
}

static void operator(struct math *math, const char *sign)
{
    bool bracket = strchr("()", sign[0]) != NULL;
    rd_markup_format(math->to, bracket ? "<mo stretchy=\"false\">%s</mo>" : "<mo>%s</mo>", sign);
}

/* Where a rule began, so that it can be taken back. */
struct mark {
    const char *at;
    size_t size;
};

static struct mark mark(const struct math *math)
{
    return (struct mark){math->at, math->to->size};
}

static bool take_back(struct math *math, struct mark start)
{
    math->at = start.at;
    math->to->size = start.size;
    if (math->to->data)
        math->to->data[start.size] = '\0';
    return false;
}

/* Puts markup before what was written since `start`. */
static void wrap(struct math *math, struct mark start, const char *markup)
{
    char *inner = math->to->failed ? NULL : strdup(math->to->data + start.size);
    if (!inner) {
        math->to->failed = true;
        return;
    }
    math->to->size = start.size;
    rd_markup_raw(math->to, markup);
    rd_markup_raw(math->to, inner);
    free(inner);
}

/* ---- atoms ---- */

static bool number(struct math *math)
{
    skip_blanks(math);
    const char *start = math->at;
    while (math->at < math->end && isdigit((unsigned char)*math->at))
        math->at++;
    if (math->at == start)
        return false;
    rd_markup_format(math->to, "<mn>%.*s</mn>", (int)(math->at - start), start);
    return true;
}

/* What stands between brackets: one or more expressions. */
static bool arguments(struct math *math, const char *close)
{
    do {
        if (!expression(math))
            return false;
        if (take(math, close))
            return true;
        operator(math, ",");
    } while (take(math, ","));
    return false;
}

static bool subscripts(struct math *math, struct mark start)
{
    wrap(math, start, "<msub>");
    rd_markup_raw(math->to, "<mrow>");
    for (bool first = true; math->at < math->end && *math->at == '['; first = false) {
        math->at++;
        if (!first)
            operator(math, ",");
        if (!arguments(math, "]"))
            return false;
    }
    rd_markup_raw(math->to, "</mrow></msub>");
    return true;
}

/* "A", "cache[i]", "x_q[t]", "r_2(j)". A word of several letters is a name only where it is indexed or
 * has an equals sign behind it. */
static bool name(struct math *math)
{
    const struct mark start = mark(math);
    const char *first = math->at;
    while (math->at < math->end && isalpha((unsigned char)*math->at))
        math->at++;
    size_t length = (size_t)(math->at - first);
    const char *index = math->at < math->end && *math->at == '_' ? math->at + 1 : NULL;
    if (index)
        for (math->at++; math->at < math->end && isalnum((unsigned char)*math->at);)
            math->at++;
    bool indexed = math->at < math->end && *math->at == '[';
    bool applied = math->at < math->end && *math->at == '(';
    if (length == 0 || math->at == index || (length > 1 && !indexed && !next_is(math, " =")))
        return take_back(math, start);
    rd_markup_format(math->to, "<mi>%.*s</mi>", (int)length, first);
    if (index) {
        wrap(math, start, "<msub>");
        rd_markup_format(math->to,
                         isdigit((unsigned char)*index) ? "<mn>%.*s</mn></msub>"
                                                        : "<mi>%.*s</mi></msub>",
                         (int)(math->at - index), index);
    }
    if (indexed && !subscripts(math, start))
        return take_back(math, start);
    if (applied && length == 1) {
        math->at++;
        operator(math, "(");
        if (!arguments(math, ")"))
            return take_back(math, start);
        operator(math, ")");
    }
    return true;
}

/* "floor(…)", "min(…)" and plain brackets. */
static bool bracket(struct math *math)
{
    static const struct {
        const char *word, *open, *close;
    } kinds[] = {
        {"floor(", "⌊", "⌋"},
        {"min(", "(", ")"},
        {"(", "(", ")"},
    };
    const struct mark start = mark(math);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        if (!take(math, kinds[k].word))
            continue;
        rd_markup_raw(math->to, kinds[k].word[0] == 'm' ? "<mrow><mi>min</mi>" : "<mrow>");
        operator(math, kinds[k].open);
        if (arguments(math, ")")) {
            operator(math, kinds[k].close);
            rd_markup_raw(math->to, "</mrow>");
            return true;
        }
        return take_back(math, start);
    }
    return false;
}

static bool atom(struct math *math)
{
    skip_blanks(math);
    const struct mark start = mark(math);
    if (number(math)) /* "3k" is a product */
        return math->at == math->end || !isalpha((unsigned char)*math->at) || name(math) ||
               take_back(math, start);
    if (!bracket(math) && !name(math))
        return false;
    if (!next_is(math, "^"))
        return true;
    math->at++;
    wrap(math, start, "<msup>");
    if (!number(math))
        return take_back(math, start);
    rd_markup_raw(math->to, "</msup>");
    return true;
}

/* ---- expressions and relations ---- */

static bool expression(struct math *math)
{
    static const struct {
        const char *sign, *markup;
    } signs[] = {{"+", "+"}, {"-", "−"}, {"*", "⋅"}, {"/", "/"}, {"mod ", "mod"}};
    const struct mark start = mark(math);
    if (!atom(math))
        return take_back(math, start);
    for (;;) {
        const struct mark behind = mark(math);
        bool found = false;
        for (size_t k = 0; !found && k < sizeof signs / sizeof *signs; k++) {
            if (!take(math, signs[k].sign))
                continue;
            operator(math, signs[k].markup);
            found = true;
        }
        if (!found || !atom(math)) {
            take_back(math, behind);
            return true;
        }
    }
}

/* "0 <= i < 4", "j mod 4 = i", "j = i (mod 4)", or an expression alone; `related` tells which. A list
 * "0 <= i, j < 8" is two of them. */
static bool comparison(struct math *math, bool *related)
{
    static const struct {
        const char *sign, *markup;
    } signs[] = {{"<=", "≤"}, {"<", "&lt;"}, {"=", "="}};
    const struct mark start = mark(math);
    *related = false;
    if (!expression(math))
        return take_back(math, start);
    for (;;) {
        const struct mark behind = mark(math);
        bool found = false;
        for (size_t k = 0; !found && k < sizeof signs / sizeof *signs; k++) {
            if (!take(math, signs[k].sign))
                continue;
            operator(math, signs[k].markup);
            found = true;
        }
        if (!found || !expression(math)) {
            take_back(math, behind);
            break;
        }
        *related = true;
    }
    const struct mark behind = mark(math);
    if (take(math, "(mod")) {
        rd_markup_raw(math->to,
                      "<mspace width=\"0.5em\"></mspace><mo stretchy=\"false\">(</mo><mi>mod</mi>"
                      "<mspace width=\"0.25em\"></mspace>");
        if (!number(math) || !take(math, ")"))
            take_back(math, behind);
        else
            operator(math, ")");
    }
    return true;
}

static bool ends_word(const struct math *math)
{
    return math->at == math->end || strchr(" ,:;", *math->at);
}

/* Words and formulas in turn. True where there was no word: all of it is a formula, and `related` tells
 * whether it says how two things relate. */
static bool mixed(struct math *math, bool *related)
{
    bool pure = true;
    *related = false;
    skip_blanks(math);
    while (math->at < math->end) {
        const struct mark start = mark(math);
        bool says = false;
        if (comparison(math, &says) && ends_word(math)) {
            *related |= says;
        } else {
            take_back(math, start);
            while (!ends_word(math))
                math->at++;
            if (math->at == start.at) /* a mark of its own */
                math->at++;
            bool sign = ispunct((unsigned char)*start.at) && math->at == start.at + 1;
            pure &= sign;
            rd_markup_raw(math->to, sign ? "<mo>" : "<mtext>");
            rd_markup_text_of(math->to, start.at, (size_t)(math->at - start.at));
            rd_markup_raw(math->to, sign ? "</mo>" : "</mtext>");
        }
        if (math->at < math->end && *math->at == ' ')
            rd_markup_raw(math->to, "<mspace width=\"0.3em\"></mspace>");
        skip_blanks(math);
    }
    return pure;
}

/* ---- sums ---- */

/* The next part up to a comma outside brackets. */
static struct math part(struct math *math)
{
    struct math found = {.to = math->to, .at = math->at};
    int depth = 0;
    while (math->at < math->end && (*math->at != ',' || depth > 0)) {
        depth += (*math->at == '(' || *math->at == '[') - (*math->at == ')' || *math->at == ']');
        math->at++;
    }
    found.end = math->at;
    if (math->at < math->end)
        math->at++;
    return found;
}

/* Whether the part has no word in it; `related`, whether it relates two things. */
static bool is_formula(struct math some, bool *related)
{
    const struct mark start = mark(&some);
    bool pure = mixed(&some, related);
    take_back(&some, start);
    return pure;
}

static bool is_condition(struct math some)
{
    bool related = false;
    return is_formula(some, &related) && related;
}

static void conditions(struct math list)
{
    bool any = false;
    while (list.at < list.end) {
        struct math some = part(&list);
        if (!is_condition(some))
            continue;
        bool related;
        rd_markup_raw(list.to, any ? "</mtd></mtr><mtr><mtd>" : "<mtable><mtr><mtd>");
        mixed(&some, &related);
        any = true;
    }
    if (any)
        rd_markup_raw(list.to, "</mtd></mtr></mtable>");
}

static bool has_condition(struct math list)
{
    while (list.at < list.end)
        if (is_condition(part(&list)))
            return true;
    return false;
}

/* The terms are one, or of "sums of" several; what follows are conditions, which go below the sign, and
 * remarks, which go behind. */
static void sum(struct math *math, bool several)
{
    bool related, all = false;
    if (!take_word(math, "the"))
        all = take_word(math, "all");
    struct math list = *math;
    bool below = all || has_condition(list);
    rd_markup_raw(math->to, below ? "<munder>" : "");
    rd_markup_raw(math->to, "<mo movablelimits=\"false\">∑</mo>");
    if (all)
        rd_markup_raw(math->to, "<mi>j</mi>");
    else
        conditions(list);
    rd_markup_raw(math->to, below ? "</munder>" : "");

    struct math rest = part(&list);
    bool brackets = several || !is_formula(rest, &related);
    if (brackets)
        operator(math, "(");
    mixed(&rest, &related);
    while (list.at < list.end) {
        struct math some = part(&list);
        if (!all && is_condition(some))
            continue;
        if (!several && brackets) {
            operator(math, ")");
            brackets = false;
        }
        operator(math, ",");
        rd_markup_raw(math->to, "<mspace width=\"0.3em\"></mspace>");
        mixed(&some, &related);
    }
    if (brackets)
        operator(math, ")");
}

/* An equation, or whatever stands there. */
static void equation(struct math *math)
{
    static const char *const sums[] = {"sums of ", "sum of "};
    const char *found = NULL;
    size_t kind = 0;
    for (; !found && kind < 2; kind++)
        found = memmem(math->at, (size_t)(math->end - math->at), sums[kind], strlen(sums[kind]));
    struct math left = {.to = math->to, .at = math->at, .end = found ? found : math->end};
    bool related;
    /* The equals sign before the sum is the left side's last. */
    while (found && left.end > left.at && (left.end[-1] == ' ' || left.end[-1] == '='))
        left.end--;
    mixed(&left, &related);
    if (!found)
        return;
    operator(math, "=");
    math->at = found + strlen(sums[kind - 1]);
    sum(math, kind == 1);
}

void rd_mathml_statement(struct rd_markup *to, const char *statement)
{
    const char *colon = strstr(statement, ": "), *end = strchr(statement, ';');
    struct math math = {.to = to, .at = statement, .end = statement + strlen(statement)};
    bool related;
    if (colon) {
        struct math scope = {.to = to, .at = statement, .end = colon};
        rd_markup_raw(to, "<math class=\"scope\"><mrow>");
        mixed(&scope, &related);
        rd_markup_raw(to, "<mo>:</mo></mrow></math> ");
        math.at = colon + 2;
    }
    if (end && end > math.at)
        math.end = end;
    rd_markup_raw(to, "<math display=\"block\"><mrow>");
    equation(&math);
    rd_markup_raw(to, "</mrow></math>");
    if (end) {
        rd_markup_raw(to, "<span>");
        rd_markup_text(to, end + 1);
        rd_markup_raw(to, "</span>");
    }
}
