// SPDX-License-Identifier: MIT
/* Numbers, conditions and values in C. */
#include "law/c_writer.h"

#include <inttypes.h>
#include <string.h>

/* ---- signs: C rounds towards zero ---- */

/* For a definition without parameters. */
static bool is_natural_definition(const struct law_definition *definition)
{
    for (size_t k = 0; k < definition->n_equations; k++)
        if (definition->kind != LAW_LET || !rd_c_is_natural(definition->equations[k].body, 0))
            return false;
    return true;
}

static bool is_natural_name(const struct law_node *node, uint32_t signed_slots)
{
    if (node->meaning == LAW_IS_DEFINITION)
        return is_natural_definition(node->definition);
    return node->meaning == LAW_IS_QUANTITY ||
           (node->meaning == LAW_IS_VARIABLE && !(signed_slots & 1u << node->slot));
}

static bool are_natural(const struct law_node *node, uint32_t signed_slots)
{
    for (size_t k = 0; k < node->n_kids; k++)
        if (!rd_c_is_natural(node->kids[k], signed_slots))
            return false;
    return true;
}

bool rd_c_is_natural(const struct law_node *node, uint32_t signed_slots)
{
    switch (node->kind) {
    case LAW_NUMBER:
        return node->number >= 0;
    case LAW_NAME:
        return is_natural_name(node, signed_slots);
    case LAW_BINARY:
        if (node->op == LAW_MOD)
            return rd_c_is_natural(node->kids[1], signed_slots);
        return node->op != LAW_SUBTRACT && are_natural(node, signed_slots);
    case LAW_CALL:
        if (node->op == LAW_MAX && rd_c_is_natural(node->kids[0], signed_slots))
            return true;
        return (node->op != LAW_MIN && node->op != LAW_MAX && node->op != LAW_FLOOR &&
                node->op != LAW_CEIL) ||
               are_natural(node, signed_slots);
    default:
        return false;
    }
}

bool rd_c_is_positive(const struct law_node *node)
{
    switch (node->kind) {
    case LAW_NUMBER:
        return node->number > 0;
    case LAW_NAME:
        if (node->meaning == LAW_IS_DEFINITION)
            return node->definition->kind == LAW_LET &&
                   rd_c_is_positive(node->definition->equations[0].body);
        return node->meaning == LAW_IS_QUANTITY && (node->slot == LAW_T || node->slot == LAW_B);
    case LAW_BINARY:
        if (node->op == LAW_ADD)
            return are_natural(node, UINT32_MAX) &&
                   (rd_c_is_positive(node->kids[0]) || rd_c_is_positive(node->kids[1]));
        return (node->op == LAW_TIMES || node->op == LAW_POWER) &&
               rd_c_is_positive(node->kids[0]) &&
               (node->op == LAW_POWER || rd_c_is_positive(node->kids[1]));
    case LAW_CALL:
        return node->op == LAW_BIT_CEIL;
    default:
        return false;
    }
}

bool rd_c_is_total(const struct law_node *node)
{
    const bool quotient =
        (node->kind == LAW_BINARY && (node->op == LAW_SLASH || node->op == LAW_DIV ||
                                      node->op == LAW_PERCENT || node->op == LAW_MOD)) ||
        (node->kind == LAW_CALL && (node->op == LAW_FLOOR || node->op == LAW_CEIL));
    if (node->kind == LAW_FUNCTION || node->kind == LAW_FAMILY)
        return false;
    if (node->meaning == LAW_IS_DEFINITION && !rd_c_is_constant(node->definition))
        return false;
    if (quotient && !rd_c_is_positive(node->kids[1]))
        return false;
    if (node->kind == LAW_CONGRUENCE && !rd_c_is_positive(node->kids[2]))
        return false;
    for (size_t k = 0; k < node->n_kids; k++)
        if (!rd_c_is_total(node->kids[k]))
            return false;
    return true;
}

bool rd_c_is_constant(const struct law_definition *definition)
{
    return definition->kind == LAW_LET && !definition->data &&
           rd_c_is_total(definition->equations[0].body);
}

/* ---- names ---- */

/* A name of a law as one of C: what C or this text means something else by gets a _ behind it. */
void rd_c_name(const char *name, FILE *out)
{
    static const char *const words[] = {
        "auto",      "break",      "case",      "char",     "const",  "continue", "default",
        "do",        "double",     "else",      "enum",     "extern", "float",    "for",
        "goto",      "if",         "inline",    "int",      "long",   "main",     "register",
        "restrict",  "return",     "short",     "signed",   "sizeof", "static",   "struct",
        "switch",    "typedef",    "union",     "unsigned", "void",   "volatile", "while",
        "bool",      "true",       "false",     "elem",     "wrong",  "power",    "raised",
        "floor_div", "floor_mod",  "ceil_div",  "min",      "max",    "absolute", "floor_log2",
        "bit_ceil",  "floor_root", "ceil_root", "index",    "cell",   "asm",      "typeof",
        "int64_t",   "linux",      "unix",
    };
    size_t length = strlen(name);
    bool taken = length > 0 && name[length - 1] == '_';
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        taken |= strcmp(name, words[k]) == 0;
    fprintf(out, taken ? "%s_" : "%s", name);
}

static void write_helper(struct c_writer *to, enum c_helper helper, const char *name)
{
    to->helpers |= 1u << helper;
    fprintf(to->function->body, "%s(", name);
}

static void write_list(struct c_writer *to, const struct law_node *node, size_t first)
{
    for (size_t k = first; k < node->n_kids; k++) {
        fputs(k > first ? ", " : "", to->function->body);
        rd_c_expression(to, node->kids[k], C_LEVEL_OR);
    }
}

/* Calls a helper with the node's kids. */
static void write_helper_call(struct c_writer *to, enum c_helper helper, const char *name,
                              const struct law_node *node)
{
    write_helper(to, helper, name);
    write_list(to, node, 0);
    fputc(')', to->function->body);
}

static void write_sides(struct c_writer *to, const struct law_node *node, const char *sign,
                        enum c_level level)
{
    rd_c_expression(to, node->kids[0], level);
    fprintf(to->function->body, " %s ", sign);
    rd_c_expression(to, node->kids[1], (enum c_level)(level + 1));
}

/* ---- operators ---- */

/* A data value to a small power is written out. */
static bool is_square(const struct law_node *node)
{
    return node->kind == LAW_BINARY && node->op == LAW_POWER && node->data &&
           node->kids[1]->kind == LAW_NUMBER && node->kids[1]->number == 2;
}

static bool rounds_as_c(const struct c_writer *to, const struct law_node *node)
{
    return node->op == LAW_SLASH || node->op == LAW_PERCENT ||
           are_natural(node, to->function->signed_slots);
}

static void write_binary(struct c_writer *to, const struct law_node *node)
{
    switch ((enum law_operator)node->op) {
    case LAW_ADD:
        write_sides(to, node, "+", C_LEVEL_SUM);
        return;
    case LAW_SUBTRACT:
        write_sides(to, node, "-", C_LEVEL_SUM);
        return;
    case LAW_TIMES:
        write_sides(to, node, "*", C_LEVEL_TERM);
        return;
    case LAW_XOR:
        fputc('(', to->function->body);
        write_sides(to, node, "^", C_LEVEL_UNARY);
        fputc(')', to->function->body);
        return;
    case LAW_POWER:
        if (is_square(node)) {
            rd_c_expression(to, node->kids[0], C_LEVEL_PRIMARY);
            fputs(" * ", to->function->body);
            rd_c_expression(to, node->kids[0], C_LEVEL_PRIMARY);
        } else {
            write_helper_call(to, node->data ? C_RAISED : C_POWER, node->data ? "raised" : "power",
                              node);
        }
        return;
    case LAW_SLASH:
    case LAW_DIV:
        if (rounds_as_c(to, node))
            write_sides(to, node, "/", C_LEVEL_TERM);
        else
            write_helper_call(to, C_FLOOR_DIV, "floor_div", node);
        return;
    default:
        if (rounds_as_c(to, node))
            write_sides(to, node, "%", C_LEVEL_TERM);
        else
            write_helper_call(to, C_FLOOR_MOD, "floor_mod", node);
    }
}

/* min(p, q, r) is min(p, min(q, r)). */
static void write_extreme(struct c_writer *to, const struct law_node *node)
{
    const bool least = node->op == LAW_MIN;
    for (size_t k = 0; k < node->n_kids; k++) {
        fputs(k > 0 ? ", " : "", to->function->body);
        if (k + 1 < node->n_kids)
            write_helper(to, least ? C_MIN : C_MAX, least ? "min" : "max");
        rd_c_expression(to, node->kids[k], C_LEVEL_OR);
    }
    for (size_t k = 1; k < node->n_kids; k++)
        fputc(')', to->function->body);
}

static void write_call(struct c_writer *to, const struct law_node *node)
{
    static const struct {
        enum c_helper helper;
        const char *name;
    } helpers[LAW_FUNCTION_COUNT] = {
        [LAW_ABS] = {C_ABSOLUTE, "absolute"},
        [LAW_LOG2] = {C_FLOOR_LOG2, "floor_log2"},
        [LAW_BIT_CEIL] = {C_BIT_CEIL, "bit_ceil"},
        [LAW_FLOOR] = {C_FLOOR_DIV, "floor_div"},
        [LAW_CEIL] = {C_CEIL_DIV, "ceil_div"},
        [LAW_FLOOR_ROOT] = {C_FLOOR_ROOT, "floor_root"},
        [LAW_CEIL_ROOT] = {C_CEIL_ROOT, "ceil_root"},
    };
    if (node->op == LAW_MIN || node->op == LAW_MAX)
        write_extreme(to, node);
    else if (node->op == LAW_FLOOR && are_natural(node, to->function->signed_slots))
        write_sides(to, node, "/", C_LEVEL_TERM);
    else
        write_helper_call(to, helpers[node->op].helper, helpers[node->op].name, node);
    /* Others are made of this. */
    if (node->op == LAW_CEIL)
        to->helpers |= 1u << C_FLOOR_DIV;
    if (node->op == LAW_CEIL_ROOT)
        to->helpers |= 1u << C_FLOOR_ROOT;
}

/* ---- conditions ---- */

static void write_comparison(struct c_writer *to, const struct law_node *node)
{
    static const char *const signs[] = {"<", "<=", ">", ">=", "==", "!="};
    for (size_t k = 0; k + 1 < node->n_kids; k++) {
        fputs(k > 0 ? " && " : "", to->function->body);
        rd_c_expression(to, node->kids[k], C_LEVEL_SUM);
        fprintf(to->function->body, " %s ", signs[node->relations[k]]);
        rd_c_expression(to, node->kids[k + 1], C_LEVEL_SUM);
    }
}

static void write_remainder(struct c_writer *to, const struct law_node *number,
                            const struct law_node *modulus)
{
    struct law_node *kids[] = {(struct law_node *)number, (struct law_node *)modulus};
    const struct law_node node = {.kind = LAW_BINARY, .op = LAW_MOD, .n_kids = 2, .kids = kids};
    rd_c_expression(to, &node, C_LEVEL_SUM);
}

static void write_congruence(struct c_writer *to, const struct law_node *node)
{
    const struct law_node *right = node->kids[1];
    write_remainder(to, node->kids[0], node->kids[2]);
    fputs(" == ", to->function->body);
    if (right->kind == LAW_NUMBER && right->number == 0)
        fputc('0', to->function->body);
    else
        write_remainder(to, right, node->kids[2]);
}

/* `and` in `or` has brackets, as compilers ask for them. */
static void write_logic(struct c_writer *to, const struct law_node *node)
{
    const bool either = node->op == LAW_OR;
    rd_c_expression(to, node->kids[0], either ? C_LEVEL_COMPARISON : C_LEVEL_AND);
    fputs(either ? " || " : " && ", to->function->body);
    rd_c_expression(to, node->kids[1], either ? C_LEVEL_COMPARISON : C_LEVEL_AND);
}

/* ---- expressions ---- */

static enum c_level level_of(const struct c_writer *to, const struct law_node *node)
{
    switch (node->kind) {
    case LAW_LOGIC:
        return node->op == LAW_OR ? C_LEVEL_OR : C_LEVEL_AND;
    case LAW_COMPARISON:
        return node->n_kids > 2 ? C_LEVEL_AND : C_LEVEL_COMPARISON;
    case LAW_CONGRUENCE:
        return C_LEVEL_COMPARISON;
    case LAW_NOT:
    case LAW_NEGATIVE:
        return C_LEVEL_UNARY;
    case LAW_CALL:
        return node->op == LAW_FLOOR && are_natural(node, to->function->signed_slots)
                   ? C_LEVEL_TERM
                   : C_LEVEL_PRIMARY;
    case LAW_BINARY:
        if (node->op == LAW_ADD || node->op == LAW_SUBTRACT)
            return C_LEVEL_SUM;
        if (node->op == LAW_TIMES || is_square(node))
            return C_LEVEL_TERM;
        return node->op != LAW_POWER && node->op != LAW_XOR && rounds_as_c(to, node)
                   ? C_LEVEL_TERM
                   : C_LEVEL_PRIMARY;
    default:
        return C_LEVEL_PRIMARY;
    }
}

/* Row by row: a[i][j] is a[i * n + j]. */
static void write_element(struct c_writer *to, const struct law_node *node)
{
    FILE *out = to->function->body;
    if (node->meaning == LAW_IS_DEFINITION) {
        rd_c_call(to, node);
        return;
    }
    rd_c_uses_input(to, node->array);
    rd_c_name(node->name, out);
    fputc('[', out);
    for (size_t k = 2; k < node->n_kids; k++)
        fputc('(', out);
    for (size_t k = 0; k < node->n_kids; k++) {
        if (k > 0) {
            fputs(" * ", out);
            rd_c_expression(to, node->array->sizes[k], C_LEVEL_UNARY);
            fputs(" + ", out);
        }
        rd_c_expression(to, node->kids[k], node->n_kids > 1 ? C_LEVEL_TERM : C_LEVEL_OR);
        fputs(k > 0 && k + 1 < node->n_kids ? ")" : "", out);
    }
    fputc(']', out);
}

static void write_name(struct c_writer *to, const struct law_node *node)
{
    if (node->meaning == LAW_IS_DEFINITION) {
        rd_c_call(to, node);
        return;
    }
    if (node->meaning == LAW_IS_QUANTITY)
        rd_c_uses_quantity(to, node->slot);
    rd_c_name(node->name, to->function->body);
}

void rd_c_sum(const struct c_sum *sum, FILE *out)
{
    fputs(sum->word, out);
    if (sum->number > 1)
        fprintf(out, "%u", sum->number);
}

static void write_sum(struct c_writer *to, const struct law_node *node)
{
    const struct c_function *function = to->function;
    for (unsigned k = 0; k < function->n_sums; k++)
        if (function->sums[k].node == node)
            rd_c_sum(&function->sums[k], function->body);
}

static void write_node(struct c_writer *to, const struct law_node *node)
{
    FILE *out = to->function->body;
    switch (node->kind) {
    case LAW_NUMBER:
        fprintf(out, "%" PRId64, node->number);
        return;
    case LAW_NAME:
        write_name(to, node);
        return;
    case LAW_CALL:
        write_call(to, node);
        return;
    case LAW_FUNCTION:
    case LAW_FAMILY:
        if (node->definition)
            rd_c_call(to, node);
        else
            rd_c_fail(to, node, "C has no sentence for the %s of two values", node->name);
        return;
    case LAW_NEGATIVE:
    case LAW_NOT:
        fputc(node->kind == LAW_NOT ? '!' : '-', out);
        rd_c_expression(to, node->kids[0], C_LEVEL_PRIMARY);
        return;
    case LAW_BINARY:
        write_binary(to, node);
        return;
    case LAW_ELEMENT:
        write_element(to, node);
        return;
    case LAW_REDUCTION:
        write_sum(to, node);
        return;
    case LAW_COMPARISON:
        write_comparison(to, node);
        return;
    case LAW_CONGRUENCE:
        write_congruence(to, node);
        return;
    case LAW_LOGIC:
        write_logic(to, node);
        return;
    }
}

void rd_c_expression(struct c_writer *to, const struct law_node *node, enum c_level level)
{
    const bool brackets = level_of(to, node) < level;
    fputs(brackets ? "(" : "", to->function->body);
    write_node(to, node);
    fputs(brackets ? ")" : "", to->function->body);
}

char *rd_c_text(struct c_writer *to, const struct law_node *node, enum c_level level)
{
    char *text = NULL;
    size_t size;
    FILE *body = to->function->body, *out = open_memstream(&text, &size);
    if (!out) {
        to->status = RD_ERROR_MEMORY;
        return NULL;
    }
    to->function->body = out;
    rd_c_expression(to, node, level);
    to->function->body = body;
    if (fclose(out) != 0)
        to->status = RD_ERROR_MEMORY;
    return text;
}
