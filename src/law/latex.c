// SPDX-License-Identifier: MIT
#include "law/print.h"
#include "element/operation_table.h"

#include <inttypes.h>
#include <string.h>

static void write_node(const struct law_node *node, FILE *out);

static void write_kid(const struct law_node *parent, size_t k, FILE *out)
{
    bool brackets = rd_law_needs_brackets(parent, k);
    fputs(brackets ? "\\left(" : "", out);
    write_node(parent->kids[k], out);
    fputs(brackets ? "\\right)" : "", out);
}

static void write_kids(const struct law_node *node, size_t first, const char *between, FILE *out)
{
    for (size_t k = first; k < node->n_kids; k++) {
        fputs(k > first ? between : "", out);
        write_kid(node, k, out);
    }
}

/* A letter as it is, a word upright, with _ as LaTeX has it. */
static void write_name(const char *name, FILE *out)
{
    bool word = strlen(name) > 1;
    fputs(word ? "\\mathrm{" : "", out);
    for (; *name; name++)
        fputs(*name == '_' ? "\\_" : (const char[]){*name, '\0'}, out);
    fputs(word ? "}" : "", out);
}

static const char *operator_text(const struct law_node *node)
{
    switch (node->op) {
    case LAW_ADD:
        return " + ";
    case LAW_SUBTRACT:
        return " - ";
    case LAW_XOR:
        return " \\oplus ";
    case LAW_TIMES:
        return " \\cdot ";
    default:
        return " \\bmod ";
    }
}

static void write_quotient(const struct law_node *node, const char *before, const char *behind,
                           FILE *out)
{
    fprintf(out, "%s\\frac{", before);
    write_node(node->kids[0], out);
    fputs("}{", out);
    write_node(node->kids[1], out);
    fprintf(out, "}%s", behind);
}

static void write_binary(const struct law_node *node, FILE *out)
{
    if (node->op == LAW_SLASH || node->op == LAW_DIV) {
        write_quotient(node, "\\left\\lfloor ", " \\right\\rfloor", out);
    } else if (node->op == LAW_POWER) {
        write_kid(node, 0, out);
        fputs("^{", out);
        write_node(node->kids[1], out);
        fputc('}', out);
    } else {
        write_kids(node, 0, operator_text(node), out);
    }
}

static void write_call(const struct law_node *node, FILE *out)
{
    switch ((enum law_function)node->op) {
    case LAW_FLOOR:
        write_quotient(node, "\\left\\lfloor ", " \\right\\rfloor", out);
        return;
    case LAW_CEIL:
        write_quotient(node, "\\left\\lceil ", " \\right\\rceil", out);
        return;
    case LAW_FLOOR_ROOT:
    case LAW_CEIL_ROOT:
        fprintf(out, "\\left\\l%s \\sqrt{", node->op == LAW_CEIL_ROOT ? "ceil" : "floor");
        write_node(node->kids[0], out);
        fprintf(out, "} \\right\\r%s", node->op == LAW_CEIL_ROOT ? "ceil" : "floor");
        return;
    case LAW_LOG2:
        fputs("\\left\\lfloor \\log_2\\left(", out);
        write_node(node->kids[0], out);
        fputs("\\right) \\right\\rfloor", out);
        return;
    case LAW_ABS:
        fputs("\\left|", out);
        write_node(node->kids[0], out);
        fputs("\\right|", out);
        return;
    case LAW_BIT_CEIL:
        write_name("bit_ceil", out);
        break;
    default:
        fprintf(out, "\\%s", rd_law_function_name((enum law_function)node->op));
        break;
    }
    fputs("\\left(", out);
    write_kids(node, 0, ", ", out);
    fputs("\\right)", out);
}

static void write_reduction(const struct law_node *node, FILE *out)
{
    fputs(rd_operation_row((enum rd_operation)node->op)->latex, out);
    if (node->n_kids > 1) {
        fputs("_{", out);
        write_kids(node, 1, ",\\; ", out);
        fputc('}', out);
    }
    fputc(' ', out);
    /* A summand ends where a sum begins. */
    bool brackets = rd_law_level(node->kids[0]) <= LAW_LEVEL_SUM;
    fputs(brackets ? "\\left(" : "", out);
    write_kid(node, 0, out);
    fputs(brackets ? "\\right)" : "", out);
}

static void write_relation(enum law_relation relation, FILE *out)
{
    static const char *const names[] = {" < ", " \\le ", " > ", " \\ge ", " = ", " \\ne "};
    fputs(names[relation], out);
}

static void write_node(const struct law_node *node, FILE *out)
{
    switch (node->kind) {
    case LAW_NUMBER:
        fprintf(out, "%" PRId64, node->number);
        return;
    case LAW_NAME:
        write_name(node->name, out);
        return;
    case LAW_CALL:
        write_call(node, out);
        return;
    case LAW_FUNCTION:
    case LAW_FAMILY:
        write_name(node->name, out);
        if (node->kind == LAW_FAMILY) {
            fputs("_{", out);
            write_node(node->kids[0], out);
            fputc('}', out);
        }
        if (node->n_kids > (node->kind == LAW_FAMILY)) {
            fputs("\\left(", out);
            write_kids(node, node->kind == LAW_FAMILY, ", ", out);
            fputs("\\right)", out);
        }
        return;
    case LAW_NEGATIVE:
        fputc('-', out);
        write_kid(node, 0, out);
        return;
    case LAW_BINARY:
        write_binary(node, out);
        return;
    case LAW_ELEMENT:
        write_name(node->name, out);
        fputs("_{", out);
        write_kids(node, 0, ",\\, ", out);
        fputc('}', out);
        return;
    case LAW_REDUCTION:
        write_reduction(node, out);
        return;
    case LAW_COMPARISON:
        write_kid(node, 0, out);
        for (size_t k = 1; k < node->n_kids; k++) {
            write_relation(node->relations[k - 1], out);
            write_kid(node, k, out);
        }
        return;
    case LAW_CONGRUENCE:
        write_kid(node, 0, out);
        fputs(" \\equiv ", out);
        write_kid(node, 1, out);
        fputs(" \\pmod{", out);
        write_node(node->kids[2], out);
        fputc('}', out);
        return;
    case LAW_NOT:
        fputs("\\lnot ", out);
        write_kid(node, 0, out);
        return;
    case LAW_LOGIC:
        write_kids(node, 0, node->op == LAW_OR ? " \\lor " : " \\land ", out);
        return;
    }
}

static void write_conditions(const struct law_binding *binding, FILE *out)
{
    for (size_t c = 0; binding && c < binding->n_conditions; c++) {
        fputs(c ? ",\\; " : ", \\quad ", out);
        write_node(binding->conditions[c], out);
    }
}

/* x_{k,\, t}, m_{d + 1}, r_{0}(j), f(x): what an equation of a definition defines. */
static void write_defined(const struct law_definition *definition,
                          const struct law_equation *equation, FILE *out)
{
    const bool array = definition->kind == LAW_LET_ARRAY;
    write_name(definition->name, out);
    if (definition->kind == LAW_LET_FAMILY && equation->successor)
        fprintf(out, "_{%s + 1}", equation->index_name);
    else if (definition->kind == LAW_LET_FAMILY)
        fprintf(out, "_{%" PRId64 "}", equation->index);
    if (equation->n_parameters == 0)
        return;
    fputs(array ? "_{" : "\\left(", out);
    for (size_t k = 0; k < equation->n_parameters; k++) {
        fputs(k == 0 ? "" : array ? ",\\, " : ", ", out);
        write_name(equation->parameters[k].name, out);
    }
    fputs(array ? "}" : "\\right)", out);
}

static void write_where(const struct law_definition *definition, FILE *out)
{
    bool leaves_out;
    for (size_t k = 0; k < definition->n_equations;
         k = rd_law_next_written(definition, k, &leaves_out)) {
        fputs("\\text{where } ", out);
        write_defined(definition, &definition->equations[k], out);
        fputs(" = ", out);
        write_node(definition->equations[k].body, out);
        write_conditions(definition->ranges, out);
        rd_law_next_written(definition, k, &leaves_out);
        fputs(leaves_out ? ", \\dots\n" : "\n", out);
    }
}

enum rd_status rd_law_latex(const struct rd_law_section *section, FILE *out)
{
    const struct law_claims *claims = &section->claims[RD_LAW_LAW];
    struct law_used used = {0};
    for (size_t k = 0; k < claims->count; k++) {
        const struct law_claim *claim = &claims->claims[k];
        rd_law_used_add(&used, claim);
        write_node(claim->cell, out);
        fputs(" = ", out);
        write_node(claim->value, out);
        write_conditions(claim->binding, out);
        if (claim->when) {
            fputs(", \\quad \\text{when } ", out);
            write_node(claim->when, out);
        }
        fputc('\n', out);
    }
    rd_law_used_close(&used);
    for (size_t k = 0; k < used.count; k++)
        write_where(used.list[k], out);
    rd_law_used_finish(&used);
    return used.failed ? RD_ERROR_MEMORY : RD_OK;
}
