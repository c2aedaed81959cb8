// SPDX-License-Identifier: MIT
/* Trees as text, one line a statement: what tests compare and what --debug shows. */
#include "prove/syntax/syntax.h"

#include <inttypes.h>

static void print_type(const struct rd_syntax_type *type, FILE *out)
{
    if (!type) {
        fputs("?", out);
        return;
    }
    const bool behind = type->kind == RD_SYNTAX_POINTER;
    const char *qualifiers = type->is_const && type->is_volatile ? "const volatile"
                             : type->is_const                    ? "const"
                             : type->is_volatile                 ? "volatile"
                                                                 : "";
    if (!behind && qualifiers[0])
        fprintf(out, "%s ", qualifiers);
    switch (type->kind) {
    case RD_SYNTAX_VOID:
        fputs("void", out);
        break;
    case RD_SYNTAX_BOOL:
        fputs("bool", out);
        break;
    case RD_SYNTAX_INTEGER:
        fprintf(out, "%c%u", type->is_signed ? 'i' : 'u', type->bits);
        break;
    case RD_SYNTAX_FLOAT:
        fprintf(out, "f%u", type->bits);
        break;
    case RD_SYNTAX_POINTER:
        print_type(type->of, out);
        fprintf(out, "*%s%s", qualifiers[0] ? " " : "", qualifiers);
        break;
    case RD_SYNTAX_ARRAY:
        print_type(type->of, out);
        fprintf(out, "[%" PRIu64 "]", type->length);
        break;
    case RD_SYNTAX_RECORD:
    case RD_SYNTAX_NO_TYPE:
        fprintf(out, "{%s}", type->name);
        break;
    }
}

static void print_kids(const struct rd_syntax_node *node, size_t from, FILE *out)
{
    for (size_t k = from; k < node->n_kids; k++) {
        if (k > from)
            fputs(", ", out);
        rd_syntax_print_expression(node->kids[k], out);
    }
}

static void print_number(const struct rd_syntax_node *node, FILE *out)
{
    if (node->type && node->type->is_signed)
        fprintf(out, "%" PRId64, (int64_t)node->number);
    else
        fprintf(out, "%" PRIu64 "u", node->number);
    if (node->type && node->type->bits > 32)
        fputs("l", out);
}

void rd_syntax_print_expression(const struct rd_syntax_node *node, FILE *out)
{
    if (!node) {
        fputs("-", out);
        return;
    }
    switch (node->kind) {
    case RD_SYNTAX_NUMBER:
        print_number(node, out);
        break;
    case RD_SYNTAX_REAL:
        if (node->name)
            fputs(node->name, out);
        else
            fprintf(out, "%" PRIu64 ".", node->number);
        break;
    case RD_SYNTAX_TEXT:
        fprintf(out, "\"%s\"", node->name);
        break;
    case RD_SYNTAX_NAME:
        fputs(node->name, out);
        break;
    case RD_SYNTAX_CALL:
        rd_syntax_print_expression(node->kids[0], out);
        fputs("(", out);
        print_kids(node, 1, out);
        fputs(")", out);
        break;
    case RD_SYNTAX_MEMBER:
        rd_syntax_print_expression(node->kids[0], out);
        fprintf(out, "%s%s", node->arrow ? "->" : ".", node->name);
        break;
    case RD_SYNTAX_INDEX:
        rd_syntax_print_expression(node->kids[0], out);
        fputs("[", out);
        rd_syntax_print_expression(node->kids[1], out);
        fputs("]", out);
        break;
    case RD_SYNTAX_UNARY:
        fprintf(out, "(%s", node->postfix ? "" : node->op);
        rd_syntax_print_expression(node->kids[0], out);
        fprintf(out, "%s)", node->postfix ? node->op : "");
        break;
    case RD_SYNTAX_BINARY:
    case RD_SYNTAX_ASSIGN:
        fputs("(", out);
        rd_syntax_print_expression(node->kids[0], out);
        fprintf(out, " %s ", node->op);
        rd_syntax_print_expression(node->kids[1], out);
        fputs(")", out);
        break;
    case RD_SYNTAX_CONDITIONAL:
        fputs("(", out);
        rd_syntax_print_expression(node->kids[0], out);
        fputs(" ? ", out);
        rd_syntax_print_expression(node->kids[1], out);
        fputs(" : ", out);
        rd_syntax_print_expression(node->kids[2], out);
        fputs(")", out);
        break;
    case RD_SYNTAX_CAST:
        print_type(node->type, out);
        fputs("(", out);
        rd_syntax_print_expression(node->kids[0], out);
        fputs(")", out);
        break;
    case RD_SYNTAX_LIST:
        fputs("{", out);
        print_kids(node, 0, out);
        fputs("}", out);
        break;
    case RD_SYNTAX_OTHER:
        fprintf(out, "<%s>", node->name);
        break;
    default:
        fputs("<a statement>", out);
        break;
    }
}

static void print_declaration(const struct rd_syntax_declaration *declaration, FILE *out)
{
    static const char none[] = "";
    fprintf(out, "%s%s%s%s", declaration->is_extern ? "extern " : none,
            declaration->is_static ? "static " : none, declaration->is_shared ? "shared " : none,
            declaration->is_constant ? "constant " : none);
    print_type(declaration->type, out);
    fprintf(out, " %s", declaration->name);
}

/* The statement of a loop, or behind `else`, deeper. */
static void print_within(const struct rd_syntax_node *node, unsigned depth, FILE *out)
{
    rd_syntax_print(node, node && node->kind == RD_SYNTAX_BLOCK ? depth : depth + 1, out);
}

static void print_for(const struct rd_syntax_node *node, FILE *out)
{
    const struct rd_syntax_node *first = node->kids[0];
    const size_t n = first && first->kind == RD_SYNTAX_BLOCK ? first->n_kids : 1;
    fputs("for ", out);
    for (size_t k = 0; k < n; k++) {
        const struct rd_syntax_node *one =
            first && first->kind == RD_SYNTAX_BLOCK ? first->kids[k] : first;
        fputs(k > 0 ? ", " : "", out);
        if (one && one->kind == RD_SYNTAX_DECLARE) {
            print_declaration(one->declaration, out);
            fputs(" = ", out);
            rd_syntax_print_expression(one->n_kids > 0 ? one->kids[0] : NULL, out);
        } else {
            rd_syntax_print_expression(one, out);
        }
    }
    fputs("; ", out);
    rd_syntax_print_expression(node->kids[1], out);
    fputs("; ", out);
    rd_syntax_print_expression(node->kids[2], out);
    fputs("\n", out);
}

void rd_syntax_print(const struct rd_syntax_node *node, unsigned depth, FILE *out)
{
    if (!node)
        return;
    if (node->kind != RD_SYNTAX_BLOCK)
        fprintf(out, "%*s", (int)(4 * depth), "");
    switch (node->kind) {
    case RD_SYNTAX_BLOCK:
        for (size_t k = 0; k < node->n_kids; k++)
            rd_syntax_print(node->kids[k], depth + 1, out);
        break;
    case RD_SYNTAX_DECLARE:
        print_declaration(node->declaration, out);
        if (node->n_kids > 0) {
            fputs(node->op ? ", of length " : " = ", out);
            rd_syntax_print_expression(node->kids[0], out);
        }
        fputs("\n", out);
        break;
    case RD_SYNTAX_IF:
        fputs("if ", out);
        rd_syntax_print_expression(node->kids[0], out);
        fputs("\n", out);
        print_within(node->kids[1], depth, out);
        if (node->n_kids > 2) {
            fprintf(out, "%*selse\n", (int)(4 * depth), "");
            print_within(node->kids[2], depth, out);
        }
        break;
    case RD_SYNTAX_FOR:
        print_for(node, out);
        print_within(node->kids[3], depth, out);
        break;
    case RD_SYNTAX_WHILE:
        fputs("while ", out);
        rd_syntax_print_expression(node->kids[0], out);
        fputs("\n", out);
        print_within(node->kids[1], depth, out);
        break;
    case RD_SYNTAX_DO:
        fputs("do\n", out);
        print_within(node->kids[0], depth, out);
        fprintf(out, "%*swhile ", (int)(4 * depth), "");
        rd_syntax_print_expression(node->kids[1], out);
        fputs("\n", out);
        break;
    case RD_SYNTAX_RETURN:
        fputs("return", out);
        if (node->n_kids > 0) {
            fputs(" ", out);
            rd_syntax_print_expression(node->kids[0], out);
        }
        fputs("\n", out);
        break;
    case RD_SYNTAX_BREAK:
        fputs("break\n", out);
        break;
    case RD_SYNTAX_CONTINUE:
        fputs("continue\n", out);
        break;
    case RD_SYNTAX_EMPTY:
        fputs(";\n", out);
        break;
    default:
        rd_syntax_print_expression(node, out);
        fputs("\n", out);
        break;
    }
}

void rd_syntax_print_function(const struct rd_syntax_function *function, FILE *out)
{
    fputs(function->is_kernel ? "kernel " : "", out);
    print_type(function->returns, out);
    fprintf(out, " %s(", function->name);
    for (size_t k = 0; k < function->n_parameters; k++) {
        fputs(k > 0 ? ", " : "", out);
        print_declaration(function->parameters[k], out);
    }
    fputs(")\n", out);
    rd_syntax_print(function->body, 0, out);
}
