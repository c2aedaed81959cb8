// SPDX-License-Identifier: MIT
/* Presentation MathML, of the elements that browsers have (MathML Core). */
#include "law/print.h"
#include "element/operation_table.h"

#include <inttypes.h>
#include <stdlib.h>

/* Output, and the place whose numbers replace names. */
struct writer {
    FILE *out;
    struct rd_law_run *run; /* NULL: names stay names */
    bool failed;
};

static void write_node(const struct law_node *node, struct writer *to);

/* As in the text at a place, the largest parts that are numbers. */
static bool is_number(const struct law_node *node, const struct writer *to)
{
    int64_t value;
    return to->run && rd_law_has_value(to->run, node, 0, &value);
}

static void write_number(const struct law_node *node, struct writer *to)
{
    int64_t value = 0;
    if (to->failed || !rd_law_number(to->run, node, &value)) {
        to->failed = true;
        return;
    }
    if (value < 0)
        fprintf(to->out, "<mrow><mo>(</mo><mo>−</mo><mn>%" PRIu64 "</mn><mo>)</mo></mrow>",
                -(uint64_t)value);
    else
        fprintf(to->out, "<mn>%" PRId64 "</mn>", value);
}

static void write_operator(const char *text, struct writer *to)
{
    fprintf(to->out, "<mo>%s</mo>", text);
}

/* Of x - 0, the x, as in the text at a place. */
static const struct law_node *without_zero(const struct law_node *node, const struct writer *to)
{
    const struct law_node *left = NULL;
    if (to->run && !is_number(node, to))
        left = rd_law_beside_zero(to->run, node, 0);
    return left ? without_zero(left, to) : node;
}

static void write_kid(const struct law_node *parent, size_t k, struct writer *to)
{
    const struct law_node *kid = parent->kids[k];
    bool brackets = rd_law_needs_brackets(parent, k) && !is_number(kid, to);
    kid = without_zero(kid, to);
    brackets = brackets && (kid == parent->kids[k] || rd_law_level(kid) < LAW_LEVEL_PRIMARY);
    fputs(brackets ? "<mrow><mo>(</mo>" : "", to->out);
    write_node(kid, to);
    fputs(brackets ? "<mo>)</mo></mrow>" : "", to->out);
}

static void write_kids(const struct law_node *node, size_t first, const char *between,
                       struct writer *to)
{
    for (size_t k = first; k < node->n_kids; k++) {
        if (k > first)
            write_operator(between, to);
        write_kid(node, k, to);
    }
}

/* The kids from `first` on, in an element of their own. */
static void write_row(const struct law_node *node, size_t first, const char *between,
                      struct writer *to)
{
    fputs("<mrow>", to->out);
    write_kids(node, first, between, to);
    fputs("</mrow>", to->out);
}

/* `tag` of two kids: a fraction, a power. */
static void write_pair(const struct law_node *node, const char *tag, struct writer *to)
{
    bool power = node->kind == LAW_BINARY && node->op == LAW_POWER;
    fprintf(to->out, "<%s>", tag);
    if (power)
        write_kid(node, 0, to);
    else
        write_node(node->kids[0], to);
    write_node(node->kids[1], to);
    fprintf(to->out, "</%s>", tag);
}

static void write_rounded(const struct law_node *node, const char *open, const char *close,
                          struct writer *to)
{
    fputs("<mrow>", to->out);
    write_operator(open, to);
    write_pair(node, "mfrac", to);
    write_operator(close, to);
    fputs("</mrow>", to->out);
}

static void write_binary(const struct law_node *node, struct writer *to)
{
    static const char *const signs[LAW_OPERATOR_COUNT] = {
        [LAW_ADD] = "+",   [LAW_SUBTRACT] = "−",  [LAW_XOR] = "⊕",
        [LAW_TIMES] = "·", [LAW_PERCENT] = "mod", [LAW_MOD] = "mod",
    };
    if (node->op == LAW_SLASH || node->op == LAW_DIV)
        write_rounded(node, "⌊", "⌋", to);
    else if (node->op == LAW_POWER)
        write_pair(node, "msup", to);
    else
        write_row(node, 0, signs[node->op], to);
}

/* name(kids) */
static void write_function(const struct law_node *node, const char *name, size_t first,
                           struct writer *to)
{
    fprintf(to->out, "<mrow><mi>%s</mi><mo>(</mo>", name);
    write_kids(node, first, ",", to);
    fputs("<mo>)</mo></mrow>", to->out);
}

static void write_call(const struct law_node *node, struct writer *to)
{
    bool up = node->op == LAW_CEIL_ROOT;
    switch ((enum law_function)node->op) {
    case LAW_FLOOR:
        write_rounded(node, "⌊", "⌋", to);
        return;
    case LAW_CEIL:
        write_rounded(node, "⌈", "⌉", to);
        return;
    case LAW_FLOOR_ROOT:
    case LAW_CEIL_ROOT:
        fprintf(to->out, "<mrow><mo>%s</mo><msqrt>", up ? "⌈" : "⌊");
        write_node(node->kids[0], to);
        fprintf(to->out, "</msqrt><mo>%s</mo></mrow>", up ? "⌉" : "⌋");
        return;
    case LAW_LOG2:
        fputs("<mrow><mo>⌊</mo><msub><mi>log</mi><mn>2</mn></msub><mo>(</mo>", to->out);
        write_node(node->kids[0], to);
        fputs("<mo>)</mo><mo>⌋</mo></mrow>", to->out);
        return;
    case LAW_ABS:
        fputs("<mrow><mo>|</mo>", to->out);
        write_node(node->kids[0], to);
        fputs("<mo>|</mo></mrow>", to->out);
        return;
    default:
        write_function(node, rd_law_function_name((enum law_function)node->op), 0, to);
    }
}

/* Below the sign: a condition a line, or the names over which it goes where there is none. */
static void write_conditions(const struct law_node *node, struct writer *to)
{
    if (node->n_kids == 2) {
        write_row(node, 1, ",", to);
        return;
    }
    fputs(node->n_kids > 2 ? "<mtable>" : "<mrow>", to->out);
    for (size_t k = 1; k < node->n_kids; k++) {
        fputs("<mtr><mtd>", to->out);
        write_kid(node, k, to);
        fputs("</mtd></mtr>", to->out);
    }
    for (size_t k = 0; node->n_kids == 1 && node->binding && k < node->binding->n_variables; k++)
        fprintf(to->out, "%s<mi>%s</mi>", k ? "<mo>,</mo>" : "", node->binding->variables[k].name);
    fputs(node->n_kids > 2 ? "</mtable>" : "</mrow>", to->out);
}

static void write_reduction(const struct law_node *node, struct writer *to)
{
    bool brackets = rd_law_level(node->kids[0]) <= LAW_LEVEL_SUM && !is_number(node->kids[0], to);
    fputs("<mrow><munder>", to->out);
    write_operator(rd_operation_row((enum rd_operation)node->op)->mathml, to);
    write_conditions(node, to);
    fputs("</munder>", to->out);
    fputs(brackets ? "<mrow><mo>(</mo>" : "", to->out); /* no higher than the term */
    write_kid(node, 0, to);
    fputs(brackets ? "<mo>)</mo></mrow>" : "", to->out);
    if (node->any_order)
        fputs("<mo>,</mo><mspace width=\"0.3em\"/><mtext>in any order</mtext>", to->out);
    fputs("</mrow>", to->out);
}

static void write_comparison(const struct law_node *node, struct writer *to)
{
    static const char *const signs[] = {"&lt;", "≤", "&gt;", "≥", "=", "≠"};
    fputs("<mrow>", to->out);
    write_kid(node, 0, to);
    for (size_t k = 1; k < node->n_kids; k++) {
        write_operator(signs[node->relations[k - 1]], to);
        write_kid(node, k, to);
    }
    fputs("</mrow>", to->out);
}

static void write_family(const struct law_node *node, struct writer *to)
{
    fputs("<mrow>", to->out);
    fprintf(to->out, "<msub><mi>%s</mi>", node->name);
    write_node(node->kids[0], to);
    fputs("</msub>", to->out);
    if (node->n_kids > 1) {
        fputs("<mo>(</mo>", to->out);
        write_kids(node, 1, ",", to);
        fputs("<mo>)</mo>", to->out);
    }
    fputs("</mrow>", to->out);
}

static void write_names(const struct law_node *node, struct writer *to)
{
    switch (node->kind) {
    case LAW_NUMBER:
        fprintf(to->out, "<mn>%" PRId64 "</mn>", node->number);
        return;
    case LAW_NAME:
        fprintf(to->out, "<mi>%s</mi>", node->name);
        return;
    case LAW_CALL:
        write_call(node, to);
        return;
    case LAW_FUNCTION:
        write_function(node, node->name, 0, to);
        return;
    case LAW_FAMILY:
        write_family(node, to);
        return;
    case LAW_NEGATIVE:
        fputs("<mrow><mo>−</mo>", to->out);
        write_kid(node, 0, to);
        fputs("</mrow>", to->out);
        return;
    case LAW_BINARY:
        write_binary(node, to);
        return;
    case LAW_ELEMENT:
        fprintf(to->out, "<msub><mi>%s</mi>", node->name);
        write_row(node, 0, ",", to);
        fputs("</msub>", to->out);
        return;
    case LAW_REDUCTION:
        write_reduction(node, to);
        return;
    case LAW_COMPARISON:
        write_comparison(node, to);
        return;
    case LAW_CONGRUENCE:
        fputs("<mrow>", to->out);
        write_kid(node, 0, to);
        write_operator("≡", to);
        write_kid(node, 1, to);
        fputs("<mspace width=\"1em\"/><mo>(</mo><mi>mod</mi><mspace width=\"0.3em\"/>", to->out);
        write_node(node->kids[2], to);
        fputs("<mo>)</mo></mrow>", to->out);
        return;
    case LAW_NOT:
        fputs("<mrow><mo>¬</mo>", to->out);
        write_kid(node, 0, to);
        fputs("</mrow>", to->out);
        return;
    case LAW_LOGIC:
        write_row(node, 0, node->op == LAW_OR ? "∨" : "∧", to);
        return;
    }
}

static void write_node(const struct law_node *node, struct writer *to)
{
    if (is_number(node, to))
        write_number(node, to);
    else
        write_names(node, to);
}

/* A cell is never a number. */
static void write_equation(const struct law_claim *claim, struct writer *to)
{
    write_names(claim->cell, to);
    write_operator("=", to);
    write_node(claim->value, to);
}

/* "x_(k,t)", "m_(d+1)", "r_0(j)", "f(x)": what an equation of a definition defines. */
static void write_defined(const struct law_definition *definition,
                          const struct law_equation *equation, struct writer *to)
{
    const bool array = definition->kind == LAW_LET_ARRAY,
               family = definition->kind == LAW_LET_FAMILY;
    fputs("<mrow>", to->out); /* its brackets are no higher than it */
    fprintf(to->out, array || family ? "<msub><mi>%s</mi><mrow>" : "<mi>%s</mi>", definition->name);
    if (family && equation->successor)
        fprintf(to->out, "<mi>%s</mi><mo>+</mo><mn>1</mn>", equation->index_name);
    else if (family)
        fprintf(to->out, "<mn>%" PRId64 "</mn>", equation->index);
    fputs(family ? "</mrow></msub>" : "", to->out);
    fputs(!array && equation->n_parameters > 0 ? "<mo>(</mo>" : "", to->out);
    for (size_t k = 0; k < equation->n_parameters; k++)
        fprintf(to->out, "%s<mi>%s</mi>", k ? "<mo>,</mo>" : "", equation->parameters[k].name);
    fputs(array ? "</mrow></msub>" : equation->n_parameters > 0 ? "<mo>)</mo>" : "", to->out);
    fputs("</mrow>", to->out);
}

static void write_conditions_of(const struct law_binding *binding, struct writer *to)
{
    for (size_t c = 0; binding && c < binding->n_conditions; c++) {
        fputs(c ? "<mo>,</mo>" : "<mo>,</mo><mspace width=\"1em\"/>", to->out);
        write_node(binding->conditions[c], to);
    }
}

/* Writes a definition, an equation a line. */
static void write_where(const struct law_definition *definition, struct writer *to)
{
    bool leaves_out;
    for (size_t k = 0; k < definition->n_equations;
         k = rd_law_next_written(definition, k, &leaves_out)) {
        const struct law_equation *equation = &definition->equations[k];
        fputs("<math><mtext>where </mtext>", to->out);
        write_defined(definition, equation, to);
        write_operator("=", to);
        write_node(equation->body, to);
        write_conditions_of(definition->ranges, to);
        rd_law_next_written(definition, k, &leaves_out);
        fputs(leaves_out ? "<mo>,</mo><mo>…</mo></math>\n" : "</math>\n", to->out);
    }
}

enum rd_status rd_law_mathml(const struct rd_law_section *section, FILE *out)
{
    const struct law_claims *claims = &section->claims[RD_LAW_LAW];
    struct writer writer = {.out = out}, *to = &writer;
    struct law_used used = {0};
    for (size_t k = 0; k < claims->count; k++) {
        const struct law_claim *claim = &claims->claims[k];
        rd_law_used_add(&used, claim);
        fputs("<math>", out);
        write_equation(claim, to);
        write_conditions_of(claim->binding, to);
        if (claim->when) {
            fputs("<mo>,</mo><mspace width=\"1em\"/><mtext>when </mtext>", out);
            write_node(claim->when, to);
        }
        fputs("</math>\n", out);
    }
    rd_law_used_close(&used);
    for (size_t k = 0; k < used.count; k++)
        write_where(used.list[k], to);
    rd_law_used_finish(&used);
    return used.failed ? RD_ERROR_MEMORY : RD_OK;
}

/* ---- at a place ---- */

/* "for 0 <= i < 4:" or "where, for 0 <= k < 2:" */
static void write_scope(const struct law_binding *binding, const char *word, struct writer *to)
{
    if (!binding || binding->n_conditions == 0)
        return;
    fprintf(to->out, "<math class=\"scope\"><mrow><mtext>%s</mtext><mspace width=\"0.3em\"/>",
            word);
    for (size_t c = 0; c < binding->n_conditions; c++) {
        fputs(c ? "<mo>,</mo><mspace width=\"0.3em\"/>" : "", to->out);
        write_node(binding->conditions[c], to);
    }
    fputs("<mo>:</mo></mrow></math> ", to->out);
}

static void write_definition(const struct law_definition *definition, struct writer *to)
{
    if (definition->ranges && definition->ranges->n_conditions > 0)
        write_scope(definition->ranges, "where, for", to);
    else
        fputs("<math class=\"scope\"><mrow><mtext>where</mtext></mrow></math> ", to->out);
    bool leaves_out;
    for (size_t k = 0; k < definition->n_equations;
         k = rd_law_next_written(definition, k, &leaves_out)) {
        const struct law_equation *equation = &definition->equations[k];
        fputs("<math display=\"block\"><mrow>", to->out);
        write_defined(definition, equation, to);
        write_operator("=", to);
        write_node(equation->body, to);
        rd_law_next_written(definition, k, &leaves_out);
        fputs(leaves_out ? "<mo>,</mo><mo>…</mo></mrow></math>" : "</mrow></math>", to->out);
    }
}

static void write_at_place(const struct law_claims *claims, struct writer *to)
{
    struct law_used used = {.run = to->run};
    for (size_t k = 0; k < claims->count && !to->failed; k++) {
        const struct law_claim *claim = &claims->claims[k];
        bool active = true;
        if (claim->when && !rd_law_condition(to->run, claim->when, &active))
            to->failed = true;
        if (!active || to->failed)
            continue;
        write_scope(claim->binding, "for", to);
        fputs("<math display=\"block\"><mrow>", to->out);
        write_equation(claim, to);
        fputs("</mrow></math>", to->out);
        rd_law_used_add(&used, claim);
    }
    rd_law_used_close(&used);
    for (size_t k = 0; k < used.count && !to->failed; k++)
        write_definition(used.list[k], to);
    if (used.failed)
        rd_law_run_no_memory(to->run);
    rd_law_used_finish(&used);
}

enum rd_status rd_law_mathml_at(struct rd_law_run *run, const struct rd_law_section *section,
                                const struct rd_law_place *place, FILE *out,
                                struct rd_law_error *error)
{
    char *text = NULL;
    size_t length = 0;
    struct writer to = {.run = run};
    rd_law_run_begin(run, error);
    to.out = open_memstream(&text, &length);
    if (!to.out) {
        rd_law_run_no_memory(run);
        return run->status;
    }
    if (rd_law_run_go(run, section, place))
        write_at_place(&section->claims[RD_LAW_LAW], &to);
    if (run->status == RD_OK)
        rd_law_run_work(run, NULL); /* what it takes too long to work out stands as a name */
    if (fclose(to.out) != 0 && run->status == RD_OK)
        rd_law_run_no_memory(run);
    if (run->status == RD_OK)
        fwrite(text, 1, length, out);
    free(text);
    return run->status;
}
