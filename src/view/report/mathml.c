// SPDX-License-Identifier: MIT
/* A statement, and the sums in it. */
#include "view/report/mathml.h"
#include "view/report/mathml_parts.h"

#include <string.h>

static const char one_sum[] = "sum of ", some_sums[] = "sums of ";

/* ---- sums ---- */

/* The next part up to a comma outside brackets. */
static struct rd_math part(struct rd_math *math)
{
    struct rd_math found = {.to = math->to, .at = math->at};
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
static bool is_formula(struct rd_math some, bool *related)
{
    const struct rd_math_mark start = rd_math_here(&some);
    bool pure = rd_math_mixed(&some, related);
    rd_math_take_back(&some, start);
    return pure;
}

static bool is_condition(struct rd_math some)
{
    bool related = false;
    return is_formula(some, &related) && related;
}

static void conditions(struct rd_math list)
{
    bool any = false;
    while (list.at < list.end) {
        struct rd_math some = part(&list);
        if (!is_condition(some))
            continue;
        bool related;
        rd_markup_raw(list.to, any ? "</mtd></mtr><mtr><mtd>" : "<mtable><mtr><mtd>");
        rd_math_mixed(&some, &related);
        any = true;
    }
    if (any)
        rd_markup_raw(list.to, "</mtd></mtr></mtable>");
}

static bool has_condition(struct rd_math list)
{
    while (list.at < list.end)
        if (is_condition(part(&list)))
            return true;
    return false;
}

/* The terms are one, or of "sums of" several; what follows are conditions, which go below the sign,
 * and remarks, which go behind. */
static void sum(struct rd_math *math, bool several)
{
    bool related, all = false;
    if (!rd_math_take_word(math, "the"))
        all = rd_math_take_word(math, "all");
    struct rd_math list = *math;
    bool below = all || has_condition(list);
    rd_markup_raw(math->to, below ? "<munder>" : "");
    rd_markup_raw(math->to, "<mo movablelimits=\"false\">∑</mo>");
    if (all)
        rd_markup_raw(math->to, "<mi>j</mi>");
    else
        conditions(list);
    rd_markup_raw(math->to, below ? "</munder>" : "");

    struct rd_math rest = part(&list);
    bool brackets = several || !is_formula(rest, &related);
    if (brackets)
        rd_math_operator(math, "(");
    rd_math_mixed(&rest, &related);
    while (list.at < list.end) {
        struct rd_math some = part(&list);
        if (!all && is_condition(some))
            continue;
        if (!several && brackets) {
            rd_math_operator(math, ")");
            brackets = false;
        }
        rd_math_operator(math, ",");
        rd_markup_raw(math->to, "<mspace width=\"0.3em\"></mspace>");
        rd_math_mixed(&some, &related);
    }
    if (brackets)
        rd_math_operator(math, ")");
}

/* Where a sum begins; `several` of "sums of". NULL: nowhere. */
static const char *find_sum(const struct rd_math *math, bool *several)
{
    size_t length = (size_t)(math->end - math->at);
    const char *one = memmem(math->at, length, one_sum, strlen(one_sum));
    const char *some = memmem(math->at, length, some_sums, strlen(some_sums));
    *several = some && (!one || some < one);
    return *several ? some : one;
}

/* An equation, or whatever stands there. */
static void equation(struct rd_math *math)
{
    bool related, several;
    const char *found = find_sum(math, &several);
    if (!found) {
        rd_math_mixed(math, &related);
        return;
    }
    struct rd_math left = {.to = math->to, .at = math->at, .end = found, .is_left_side = true};
    while (left.end > left.at && (left.end[-1] == ' ' || left.end[-1] == '='))
        left.end--;
    rd_math_mixed(&left, &related);
    rd_math_operator(math, "=");
    math->at = found + strlen(several ? some_sums : one_sum);
    sum(math, several);
}

/* One sentence: what it is of, and an equation. */
static void sentence(struct rd_markup *to, const char *start, const char *end)
{
    const char *colon = memmem(start, (size_t)(end - start), ": ", 2);
    struct rd_math math = {.to = to, .at = start, .end = end};
    bool related;
    if (colon) {
        struct rd_math scope = {.to = to, .at = start, .end = colon};
        rd_markup_raw(to, "<math class=\"scope\"><mrow>");
        rd_math_mixed(&scope, &related);
        rd_markup_raw(to, "<mo>:</mo></mrow></math> ");
        math.at = colon + 2;
    }
    rd_markup_raw(to, "<math display=\"block\"><mrow>");
    equation(&math);
    rd_markup_raw(to, "</mrow></math>");
}

void rd_mathml_statement(struct rd_markup *to, const char *statement)
{
    const char *start = statement, *end = strchr(start, ';');
    for (; end; start = end + 1, end = strchr(start, ';'))
        sentence(to, start, end);
    sentence(to, start, start + strlen(start));
}
