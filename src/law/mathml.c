// SPDX-License-Identifier: MIT
/* Presentation MathML, of the elements that browsers have (MathML Core). */
#include "law/print.h"

#include <inttypes.h>

static void write_node(const struct law_node *node, FILE *out);

static void write_operator(const char *text, FILE *out)
{
    fprintf(out, "<mo>%s</mo>", text);
}

static void write_kid(const struct law_node *parent, size_t k, FILE *out)
{
    bool brackets = rd_law_needs_brackets(parent, k);
    fputs(brackets ? "<mrow><mo>(</mo>" : "", out);
    write_node(parent->kids[k], out);
    fputs(brackets ? "<mo>)</mo></mrow>" : "", out);
}

static void write_kids(const struct law_node *node, size_t first, const char *between, FILE *out)
{
    for (size_t k = first; k < node->n_kids; k++) {
        if (k > first)
            write_operator(between, out);
        write_kid(node, k, out);
    }
}

/* The kids from `first` on, in an element of their own. */
static void write_row(const struct law_node *node, size_t first, const char *between, FILE *out)
{
    fputs("<mrow>", out);
    write_kids(node, first, between, out);
    fputs("</mrow>", out);
}

/* `tag` of two kids: a fraction, a power. */
static void write_pair(const struct law_node *node, const char *tag, FILE *out)
{
    bool power = node->kind == LAW_BINARY && node->op == LAW_POWER;
    fprintf(out, "<%s>", tag);
    if (power)
        write_kid(node, 0, out);
    else
        write_node(node->kids[0], out);
    write_node(node->kids[1], out);
    fprintf(out, "</%s>", tag);
}

static void write_rounded(const struct law_node *node, const char *open, const char *close,
                          FILE *out)
{
    fputs("<mrow>", out);
    write_operator(open, out);
    write_pair(node, "mfrac", out);
    write_operator(close, out);
    fputs("</mrow>", out);
}

static void write_binary(const struct law_node *node, FILE *out)
{
    static const char *const signs[LAW_OPERATOR_COUNT] = {
        [LAW_ADD] = "+",   [LAW_SUBTRACT] = "−",  [LAW_XOR] = "⊕",
        [LAW_TIMES] = "·", [LAW_PERCENT] = "mod", [LAW_MOD] = "mod",
    };
    if (node->op == LAW_SLASH || node->op == LAW_DIV)
        write_rounded(node, "⌊", "⌋", out);
    else if (node->op == LAW_POWER)
        write_pair(node, "msup", out);
    else
        write_row(node, 0, signs[node->op], out);
}

/* name(kids) */
static void write_function(const struct law_node *node, const char *name, size_t first, FILE *out)
{
    fprintf(out, "<mrow><mi>%s</mi><mo>(</mo>", name);
    write_kids(node, first, ",", out);
    fputs("<mo>)</mo></mrow>", out);
}

static void write_call(const struct law_node *node, FILE *out)
{
    bool up = node->op == LAW_CEIL_ROOT;
    switch ((enum law_function)node->op) {
    case LAW_FLOOR:
        write_rounded(node, "⌊", "⌋", out);
        return;
    case LAW_CEIL:
        write_rounded(node, "⌈", "⌉", out);
        return;
    case LAW_FLOOR_ROOT:
    case LAW_CEIL_ROOT:
        fprintf(out, "<mrow><mo>%s</mo><msqrt>", up ? "⌈" : "⌊");
        write_node(node->kids[0], out);
        fprintf(out, "</msqrt><mo>%s</mo></mrow>", up ? "⌉" : "⌋");
        return;
    case LAW_LOG2:
        fputs("<mrow><mo>⌊</mo><msub><mi>log</mi><mn>2</mn></msub><mo>(</mo>", out);
        write_node(node->kids[0], out);
        fputs("<mo>)</mo><mo>⌋</mo></mrow>", out);
        return;
    case LAW_ABS:
        fputs("<mrow><mo>|</mo>", out);
        write_node(node->kids[0], out);
        fputs("<mo>|</mo></mrow>", out);
        return;
    default:
        write_function(node, rd_law_function_name((enum law_function)node->op), 0, out);
    }
}

static void write_reduction(const struct law_node *node, FILE *out)
{
    static const char *const signs[RD_LAW_OPERATION_COUNT] = {
        [RD_LAW_SUM] = "∑",   [RD_LAW_PRODUCT] = "∏",      [RD_LAW_MIN] = "min",
        [RD_LAW_MAX] = "max", [RD_LAW_AND] = "⋀",          [RD_LAW_OR] = "⋁",
        [RD_LAW_XOR] = "⨁",   [RD_LAW_ARGMIN] = "arg min", [RD_LAW_ARGMAX] = "arg max",
    };
    bool brackets = rd_law_level(node->kids[0]) <= LAW_LEVEL_SUM;
    fputs("<mrow>", out);
    fputs(node->n_kids > 1 ? "<munder>" : "", out);
    write_operator(signs[node->op], out);
    if (node->n_kids > 1) {
        write_row(node, 1, ",", out);
        fputs("</munder>", out);
    }
    fputs(brackets ? "<mo>(</mo>" : "", out);
    write_kid(node, 0, out);
    fputs(brackets ? "<mo>)</mo></mrow>" : "</mrow>", out);
}

static void write_comparison(const struct law_node *node, FILE *out)
{
    static const char *const signs[] = {"&lt;", "≤", "&gt;", "≥", "=", "≠"};
    fputs("<mrow>", out);
    write_kid(node, 0, out);
    for (size_t k = 1; k < node->n_kids; k++) {
        write_operator(signs[node->relations[k - 1]], out);
        write_kid(node, k, out);
    }
    fputs("</mrow>", out);
}

static void write_family(const struct law_node *node, FILE *out)
{
    fputs("<mrow>", out);
    fprintf(out, "<msub><mi>%s</mi>", node->name);
    write_node(node->kids[0], out);
    fputs("</msub>", out);
    if (node->n_kids > 1) {
        fputs("<mo>(</mo>", out);
        write_kids(node, 1, ",", out);
        fputs("<mo>)</mo>", out);
    }
    fputs("</mrow>", out);
}

static void write_node(const struct law_node *node, FILE *out)
{
    switch (node->kind) {
    case LAW_NUMBER:
        fprintf(out, "<mn>%" PRId64 "</mn>", node->number);
        return;
    case LAW_NAME:
        fprintf(out, "<mi>%s</mi>", node->name);
        return;
    case LAW_CALL:
        write_call(node, out);
        return;
    case LAW_FUNCTION:
        write_function(node, node->name, 0, out);
        return;
    case LAW_FAMILY:
        write_family(node, out);
        return;
    case LAW_NEGATIVE:
        fputs("<mrow><mo>−</mo>", out);
        write_kid(node, 0, out);
        fputs("</mrow>", out);
        return;
    case LAW_BINARY:
        write_binary(node, out);
        return;
    case LAW_ELEMENT:
        fprintf(out, "<msub><mi>%s</mi>", node->name);
        write_row(node, 0, ",", out);
        fputs("</msub>", out);
        return;
    case LAW_REDUCTION:
        write_reduction(node, out);
        return;
    case LAW_COMPARISON:
        write_comparison(node, out);
        return;
    case LAW_CONGRUENCE:
        fputs("<mrow>", out);
        write_kid(node, 0, out);
        write_operator("≡", out);
        write_kid(node, 1, out);
        fputs("<mspace width=\"1em\"/><mo>(</mo><mi>mod</mi><mspace width=\"0.3em\"/>", out);
        write_node(node->kids[2], out);
        fputs("<mo>)</mo></mrow>", out);
        return;
    case LAW_NOT:
        fputs("<mrow><mo>¬</mo>", out);
        write_kid(node, 0, out);
        fputs("</mrow>", out);
        return;
    case LAW_LOGIC:
        write_row(node, 0, node->op == LAW_OR ? "∨" : "∧", out);
        return;
    }
}

void rd_law_mathml(const struct rd_law_section *section, FILE *out)
{
    const struct law_claims *claims = &section->claims[RD_LAW_LAW];
    for (size_t k = 0; k < claims->count; k++) {
        const struct law_claim *claim = &claims->claims[k];
        fputs("<math>", out);
        write_node(claim->cell, out);
        write_operator("=", out);
        write_node(claim->value, out);
        for (size_t c = 0; claim->binding && c < claim->binding->n_conditions; c++) {
            fputs(c ? "<mo>,</mo>" : "<mo>,</mo><mspace width=\"1em\"/>", out);
            write_node(claim->binding->conditions[c], out);
        }
        if (claim->when) {
            fputs("<mo>,</mo><mspace width=\"1em\"/><mtext>when </mtext>", out);
            write_node(claim->when, out);
        }
        fputs("</math>\n", out);
    }
}
