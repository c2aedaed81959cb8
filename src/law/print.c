// SPDX-License-Identifier: MIT
/* A paragraph as text that reads as the same. */
#include "law/print.h"
#include "law/plan.h"

#include <inttypes.h>
#include <string.h>

enum law_level rd_law_level(const struct law_node *node)
{
    switch (node->kind) {
    case LAW_LOGIC:
        return node->op == LAW_OR ? LAW_LEVEL_OR : LAW_LEVEL_AND;
    case LAW_NOT:
        return LAW_LEVEL_NOT;
    case LAW_COMPARISON:
    case LAW_CONGRUENCE:
        return LAW_LEVEL_COMPARISON;
    case LAW_NEGATIVE:
        return LAW_LEVEL_SIGN;
    case LAW_BINARY:
        break;
    default:
        return LAW_LEVEL_PRIMARY;
    }
    if (node->op == LAW_POWER)
        return LAW_LEVEL_POWER;
    return node->op == LAW_ADD || node->op == LAW_SUBTRACT || node->op == LAW_XOR ? LAW_LEVEL_SUM
                                                                                  : LAW_LEVEL_TERM;
}

bool rd_law_is_closed(const struct law_node *node, uint32_t known)
{
    return !node->data && !rd_law_is_condition(node) && !(rd_law_variables(node) & ~known) &&
           rd_law_is_named(node);
}

/* Tells whether a reduction ends the text of the node: it would take the conditions that follow. */
static bool ends_open(const struct law_node *node)
{
    if (node->kind == LAW_REDUCTION)
        return true;
    if (node->kind != LAW_BINARY && node->kind != LAW_NEGATIVE)
        return false;
    size_t last = node->n_kids - 1;
    return !rd_law_needs_brackets(node, last) && ends_open(node->kids[last]);
}

bool rd_law_is_ambiguous(const struct law_node *left, unsigned op)
{
    if (left->kind != LAW_BINARY)
        return false;
    bool remainder = left->op == LAW_MOD || left->op == LAW_PERCENT;
    bool sum = left->op == LAW_ADD || left->op == LAW_SUBTRACT;
    switch (op) {
    case LAW_TIMES:
        return remainder || left->op == LAW_SLASH || left->op == LAW_DIV;
    case LAW_SLASH:
    case LAW_DIV:
        return remainder;
    case LAW_XOR:
        return sum;
    case LAW_ADD:
    case LAW_SUBTRACT:
        return left->op == LAW_XOR;
    default:
        return false;
    }
}

/* Tells whether it is digits, with a sign or without. */
static bool is_literal(const struct law_node *node)
{
    return node->kind == LAW_NUMBER ||
           (node->kind == LAW_NEGATIVE && node->kids[0]->kind == LAW_NUMBER);
}

bool rd_law_needs_brackets(const struct law_node *parent, size_t k)
{
    const struct law_node *kid = parent->kids[k];
    enum law_level level = rd_law_level(kid), own = rd_law_level(parent);
    switch (parent->kind) {
    case LAW_BINARY:
        if (k == 0)
            return ends_open(kid) || rd_law_is_ambiguous(kid, parent->op) ||
                   (parent->op == LAW_POWER ? level < LAW_LEVEL_PRIMARY : level < own);
        if (kid->kind == LAW_REDUCTION)
            return kid->bracketed;
        return parent->op == LAW_POWER ? level < LAW_LEVEL_SIGN : level <= own;
    case LAW_NEGATIVE:
        return ends_open(kid) || level < LAW_LEVEL_SIGN;
    case LAW_REDUCTION:
        return k == 0 && ends_open(kid);
    case LAW_COMPARISON:
        /* 5 mod m on the right would be a congruence, and -5 mod m is refused. */
        return k > 0 && parent->relations[k - 1] == LAW_EQUAL && kid->kind == LAW_BINARY &&
               (kid->op == LAW_MOD || kid->op == LAW_PERCENT) && is_literal(kid->kids[0]);
    case LAW_NOT:
        return level < LAW_LEVEL_NOT;
    case LAW_LOGIC:
        return k == 0 ? level < own : level <= own;
    default:
        return false;
    }
}

static void print_node(const struct law_node *node, FILE *out);

static void print_kid(const struct law_node *parent, size_t k, FILE *out)
{
    bool brackets = rd_law_needs_brackets(parent, k);
    if (brackets)
        fputc('(', out);
    print_node(parent->kids[k], out);
    if (brackets)
        fputc(')', out);
}

/* The kids from `first` on, with a text between them. */
static void print_kids(const struct law_node *node, size_t first, const char *between, FILE *out)
{
    for (size_t k = first; k < node->n_kids; k++) {
        if (k > first)
            fputs(between, out);
        print_kid(node, k, out);
    }
}

static void print_family(const struct law_node *node, FILE *out)
{
    const struct law_node *index = node->kids[0];
    bool plain =
        index->kind == LAW_NUMBER || (index->kind == LAW_NAME && !strchr(index->name, '_'));
    fprintf(out, plain ? "%s_" : "%s_(", node->name);
    print_node(index, out);
    if (!plain)
        fputc(')', out);
    if (node->n_kids > 1) {
        fputc('(', out);
        print_kids(node, 1, ", ", out);
        fputc(')', out);
    }
}

static void print_call(const struct law_node *node, FILE *out)
{
    bool quotient = node->op == LAW_FLOOR || node->op == LAW_CEIL;
    bool root = node->op == LAW_FLOOR_ROOT || node->op == LAW_CEIL_ROOT;
    fprintf(out, root ? "%s(sqrt(" : "%s(", rd_law_function_name((enum law_function)node->op));
    if (quotient) {
        /* As the sides of a division are bracketed. */
        struct law_node division = *node;
        division.kind = LAW_BINARY;
        division.op = LAW_SLASH;
        print_node(&division, out);
    } else {
        print_kids(node, 0, ", ", out);
    }
    fputs(root ? "))" : ")", out);
}

static void print_node(const struct law_node *node, FILE *out)
{
    switch (node->kind) {
    case LAW_NUMBER:
        fprintf(out, "%" PRId64, node->number);
        return;
    case LAW_NAME:
        fputs(node->name, out);
        return;
    case LAW_CALL:
        print_call(node, out);
        return;
    case LAW_FUNCTION:
        fprintf(out, "%s(", node->name);
        print_kids(node, 0, ", ", out);
        fputc(')', out);
        return;
    case LAW_FAMILY:
        print_family(node, out);
        return;
    case LAW_NEGATIVE:
        fputc('-', out);
        print_kid(node, 0, out);
        return;
    case LAW_BINARY:
        print_kid(node, 0, out);
        fprintf(out, node->op == LAW_TIMES || node->op == LAW_POWER ? "%s" : " %s ",
                rd_law_operator_name((enum law_operator)node->op));
        print_kid(node, 1, out);
        return;
    case LAW_ELEMENT:
        fprintf(out, "%s%s%s[", node->point ? node->point : "", node->point ? "." : "", node->name);
        print_kids(node, 0, "][", out);
        fputc(']', out);
        return;
    case LAW_REDUCTION:
        fprintf(out, "%s of ", rd_operation_name((enum rd_operation)node->op));
        print_kids(node, 0, ", ", out);
        fputs(node->any_order ? ", in any order" : "", out);
        return;
    case LAW_COMPARISON:
        print_kid(node, 0, out);
        for (size_t k = 1; k < node->n_kids; k++) {
            fprintf(out, " %s ", rd_law_relation_name(node->relations[k - 1]));
            print_kid(node, k, out);
        }
        return;
    case LAW_CONGRUENCE:
        print_kid(node, 0, out);
        fputs(" = ", out);
        print_kid(node, 1, out);
        fputs(" (mod ", out);
        print_kid(node, 2, out);
        fputc(')', out);
        return;
    case LAW_NOT:
        fputs("not ", out);
        print_kid(node, 0, out);
        return;
    case LAW_LOGIC:
        print_kids(node, 0, node->op == LAW_OR ? " or " : " and ", out);
        return;
    }
}

static void print_array(const struct law_array *array, FILE *out)
{
    fputs(array->name, out);
    for (size_t k = 0; k < array->n_sizes; k++) {
        fputc('[', out);
        print_node(array->sizes[k], out);
        fputc(']', out);
    }
}

static void print_ranges(const struct law_binding *binding, FILE *out)
{
    fputs("for ", out);
    for (size_t k = 0; k < binding->n_conditions; k++) {
        if (k > 0)
            fputs(", ", out);
        print_node(binding->conditions[k], out);
    }
    fputs(": ", out);
}

void rd_law_print_head(const struct law_definition *definition, const struct law_equation *equation,
                       FILE *out)
{
    const bool is_array = definition->kind == LAW_LET_ARRAY;
    fputs(definition->name, out);
    if (definition->kind == LAW_LET_FAMILY && equation->successor)
        fprintf(out, "_(%s+1)", equation->index_name);
    else if (definition->kind == LAW_LET_FAMILY)
        fprintf(out, "_%" PRId64, equation->index);
    for (size_t k = 0; k < equation->n_parameters; k++)
        fprintf(out, "%s%s%s",
                is_array ? "["
                : k      ? ", "
                         : "(",
                equation->parameters[k].name, is_array ? "]" : "");
    fputs(!is_array && equation->n_parameters > 0 ? ")" : "", out);
}

static void print_definition(const struct law_definition *definition, FILE *out)
{
    fputs("let ", out);
    if (definition->kind == LAW_LET_ARRAY)
        print_ranges(definition->ranges, out);
    for (size_t e = 0; e < definition->n_equations; e++) {
        const struct law_equation *equation = &definition->equations[e];
        fputs(e ? "; " : "", out);
        rd_law_print_head(definition, equation, out);
        fputs(" = ", out);
        print_node(equation->body, out);
    }
    fputc('\n', out);
}

static void print_claims(const struct law_claims *claims, const char *word, FILE *out)
{
    for (size_t k = 0; k < claims->count; k++) {
        const struct law_claim *claim = &claims->claims[k];
        fputs(k ? "; " : word, out);
        if (claim->when) {
            fputs("when ", out);
            print_node(claim->when, out);
            fputs(": ", out);
        }
        if (claim->binding)
            print_ranges(claim->binding, out);
        print_node(claim->cell, out);
        fputs(" = ", out);
        print_node(claim->value, out);
    }
    if (claims->count > 0)
        fputc('\n', out);
}

static void print_extent(struct law_node *const extent[2], const char *word, FILE *out)
{
    fputs(word, out);
    print_node(extent[0], out);
    if (extent[1]) {
        fputs(" by ", out);
        print_node(extent[1], out);
    }
}

static void print_option(const struct law_node *number, const char *word, FILE *out)
{
    if (!number)
        return;
    fprintf(out, ", %s ", word);
    print_node(number, out);
}

static void print_launch(const struct law_launch *launch, FILE *out)
{
    if (launch->when) {
        fputs("when ", out);
        print_node(launch->when, out);
        fputs(": ", out);
    }
    fprintf(out, "%s(", launch->kernel);
    for (unsigned k = 0; k < launch->n_operands; k++) {
        fputs(k ? ", " : "", out);
        print_node(launch->operands[k].node, out);
    }
    fputc(')', out);
    if (launch->threads[0]) {
        print_extent(launch->threads, " by ", out);
        fputs(" threads", out);
    }
    if (launch->grid[0])
        print_extent(launch->grid, " on ", out);
    if (launch->block[0])
        print_extent(launch->block, launch->grid[0] ? " blocks of " : " in blocks of ", out);
    if (launch->counter) {
        fprintf(out, ", %s = ", launch->counter);
        print_node(launch->count, out);
    }
    print_option(launch->shared, "shared", out);
    print_option(launch->reads, "reads", out);
    print_option(launch->writes, "writes", out);
    fputs(launch->cooperative ? ", cooperative" : "", out);
    fputs(launch->spoils_inputs ? ", spoils inputs" : "", out);
}

static void print_launches(const struct rd_law *law, FILE *out)
{
    for (size_t k = 0; k < law->n_launches; k++) {
        fputs(k ? "; " : "launch ", out);
        print_launch(&law->launches[k], out);
    }
    fputs(law->n_launches > 0 ? "\n" : "", out);
}

static void print_section(const struct rd_law *law, const struct rd_law_section *section, FILE *out)
{
    fputs(section->kind == RD_LAW_GLOBAL   ? "array "
          : section->kind == RD_LAW_SHARED ? "shared "
                                           : "register ",
          out);
    print_array(section->array, out);
    fputc('\n', out);
    if (section->steps) {
        fprintf(out, "steps %s = ", section->steps->name);
        print_node(section->first, out);
        if (section->next != section->first) {
            fputs(", ", out);
            print_node(section->next, out);
            fputs(", ..., ", out);
            print_node(section->last, out);
        }
        fputc('\n', out);
    }
    if (section->met) {
        fputs("when ", out);
        print_node(section->met, out);
        fputs(section->of_last_block ? ", in the last block\n" : "\n", out);
    }
    for (size_t k = 0; k < law->n_definitions; k++)
        if (law->definitions[k]->section == section && law->definitions[k]->span.end > 0)
            print_definition(law->definitions[k], out);
    print_claims(&section->claims[RD_LAW_LAW], "law ", out);
    print_claims(&section->claims[RD_LAW_START], "start ", out);
    print_claims(&section->claims[RD_LAW_UPDATE], "update ", out);
}

void rd_law_print(const struct rd_law *law, FILE *out)
{
    for (size_t k = 0; k < law->n_inputs; k++) {
        fputs(k ? ", " : "input ", out);
        print_array(law->inputs[k], out);
    }
    fputs(law->n_inputs > 0 ? "\n" : "", out);
    for (size_t k = 0; k < law->n_sections; k++) {
        if (k > 0)
            fprintf(out, "at %s\n", law->sections[k]->name);
        print_section(law, law->sections[k], out);
        if (k == 0)
            print_launches(law, out);
    }
}
