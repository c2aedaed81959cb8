// SPDX-License-Identifier: MIT
/* Values of a law in SMT-LIB. */
#include "law/plan.h"
#include "law/smt_writer.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- numbers and conditions ---- */

/* Numbers and conditions, with those of a step worked out. */

static void smt_integer(int64_t number, FILE *out)
{
    if (number < 0)
        fprintf(out, "(- %" PRIu64 ")", -(uint64_t)number);
    else
        fprintf(out, "%" PRId64, number);
}

/* The same as text; the caller frees it. NULL without memory, and then the run has failed. */
static char *smt_text(struct smt_writer *to, smt_write *write, const struct law_node *node)
{
    char *text = NULL;
    size_t size;
    FILE *out = to->out;
    to->out = open_memstream(&text, &size);
    if (to->out)
        write(to, node);
    if (!to->out || fclose(to->out) != 0)
        rd_law_run_no_memory(to->run);
    to->out = out;
    return text;
}

struct smt_scope rd_smt_scope_of_case(struct rd_law_run *run, const struct law_binding *binding)
{
    struct smt_scope scope = {0};
    for (size_t k = 0; binding && k < binding->n_variables; k++) {
        const unsigned slot = binding->variables[k].slot;
        scope.known |= 1u << slot;
        scope.numbers[slot] = *rd_law_run_variable(run, slot);
    }
    return scope;
}

bool rd_smt_known(struct smt_writer *to, const struct law_node *node, int64_t *value)
{
    const uint32_t variables = rd_law_variables(node);
    if (node->data || rd_law_is_condition(node) || (variables & ~to->scope->known))
        return false;
    for (unsigned slot = 0; slot < LAW_VARIABLES_MAX; slot++)
        if (variables & 1u << slot)
            *rd_law_run_variable(to->run, slot) = to->scope->numbers[slot];
    return rd_law_number(to->run, node, value);
}

static void refuse(struct smt_writer *to, const struct law_node *node, const char *what)
{
    if (!rd_smt_has_failed(to))
        rd_law_run_fail(to->run, node, "SMT-LIB has no word for %s, and it is no number here",
                        what);
}

static void smt_number(struct smt_writer *to, const struct law_node *node);

static void write_list(struct smt_writer *to, const char *name, const struct law_node *node)
{
    fprintf(to->out, "(%s", name);
    for (size_t k = 0; k < node->n_kids; k++) {
        fputc(' ', to->out);
        smt_number(to, node->kids[k]);
    }
    fputc(')', to->out);
}

/* ---- operators ---- */

/* div and mod of SMT-LIB round down where what is divided by is positive. */
static bool divides_by_number(struct smt_writer *to, const struct law_node *node)
{
    int64_t by;
    if (rd_smt_known(to, node->kids[1], &by) && by > 0)
        return true;
    refuse(to, node, "a quotient by what may not be positive");
    return false;
}

static void write_power(struct smt_writer *to, const struct law_node *node)
{
    enum { EXPONENT_MAX = 8 };
    int64_t exponent;
    if (!rd_smt_known(to, node->kids[1], &exponent) || exponent < 0 || exponent > EXPONENT_MAX) {
        refuse(to, node, "such a power");
        return;
    }
    fputs(exponent > 1 ? "(*" : "", to->out);
    for (int64_t k = 0; k < exponent; k++) {
        fputs(exponent > 1 ? " " : "", to->out);
        smt_number(to, node->kids[0]);
    }
    fputs(exponent > 1 ? ")" : exponent == 0 ? "1" : "", to->out);
}

static void write_binary(struct smt_writer *to, const struct law_node *node)
{
    switch ((enum law_operator)node->op) {
    case LAW_ADD:
        write_list(to, "+", node);
        return;
    case LAW_SUBTRACT:
        write_list(to, "-", node);
        return;
    case LAW_TIMES:
        write_list(to, "*", node);
        return;
    case LAW_POWER:
        write_power(to, node);
        return;
    case LAW_XOR:
        refuse(to, node, "'xor'");
        return;
    case LAW_SLASH:
    case LAW_DIV:
        if (divides_by_number(to, node))
            write_list(to, "div", node);
        return;
    default:
        if (divides_by_number(to, node))
            write_list(to, "mod", node);
    }
}

/* min(p, q, r) is (min p (min q r)); SMT-LIB has neither, and chooses. */
static void write_extreme(struct smt_writer *to, const struct law_node *node, size_t first)
{
    if (first + 1 == node->n_kids) {
        smt_number(to, node->kids[first]);
        return;
    }
    fputs("(let ((x ", to->out);
    smt_number(to, node->kids[first]);
    fputs(") (y ", to->out);
    write_extreme(to, node, first + 1);
    fprintf(to->out, ")) (ite (%s x y) x y))", node->op == LAW_MIN ? "<" : ">");
}

static void write_call(struct smt_writer *to, const struct law_node *node)
{
    switch ((enum law_function)node->op) {
    case LAW_MIN:
    case LAW_MAX:
        write_extreme(to, node, 0);
        return;
    case LAW_ABS:
        write_list(to, "abs", node);
        return;
    case LAW_FLOOR:
        if (divides_by_number(to, node))
            write_list(to, "div", node);
        return;
    case LAW_CEIL: /* -floor(-x / y) */
        if (!divides_by_number(to, node))
            return;
        fputs("(- (div (- ", to->out);
        smt_number(to, node->kids[0]);
        fputs(") ", to->out);
        smt_number(to, node->kids[1]);
        fputs("))", to->out);
        return;
    case LAW_FLOOR_ROOT:
    case LAW_CEIL_ROOT:
        refuse(to, node, "a root");
        return;
    default:
        refuse(to, node, node->op == LAW_LOG2 ? "a logarithm" : "'bit_ceil'");
    }
}

/* ---- definitions ---- */

/* The parameters of a definition in a call: numbers, where they are known. The caller frees the terms. */
static bool take_arguments(struct smt_writer *to, const struct law_node *node, size_t first,
                           struct smt_scope *scope, char *terms[LAW_INDICES_MAX + 1])
{
    for (size_t k = first; k < node->n_kids && !rd_smt_has_failed(to); k++) {
        if (rd_smt_known(to, node->kids[k], &scope->numbers[k - first]))
            scope->known |= 1u << (k - first);
        else
            scope->terms[k - first] = terms[k] = smt_text(to, smt_number, node->kids[k]);
    }
    return !rd_smt_has_failed(to);
}

static const struct law_equation *
choose_equation(struct smt_writer *to, const struct law_node *node, struct smt_scope *scope)
{
    int64_t indices[LAW_INDICES_MAX + 1] = {0}, values[LAW_INDICES_MAX + 1];
    size_t count;
    if (node->kind != LAW_FAMILY)
        return node->definition->equations;
    if (!rd_smt_known(to, node->kids[0], &indices[0])) {
        refuse(to, node, "definitions by number");
        return NULL;
    }
    const struct law_equation *equation =
        rd_law_equation_for(to->run, node, indices, values, &count);
    if (equation && equation->successor) {
        scope->numbers[equation->n_parameters] = indices[0] - 1;
        scope->known |= 1u << equation->n_parameters;
    }
    return equation;
}

void rd_smt_defined(struct smt_writer *to, const struct law_node *node, smt_write *write)
{
    enum { DEPTH_MAX = 100 };
    struct smt_scope scope = {0}, *outer = to->scope;
    char *terms[LAW_INDICES_MAX + 1] = {NULL};
    size_t base = to->run->base, top = to->run->top;
    const struct law_equation *equation = NULL;
    if (to->depth++ > DEPTH_MAX)
        refuse(to, node, "what stands so deep");
    else if (take_arguments(to, node, node->kind == LAW_FAMILY, &scope, terms))
        equation = choose_equation(to, node, &scope);
    if (equation && rd_law_run_work(to->run, node) &&
        rd_law_run_push(to->run, node, equation->frame, NULL, 0, &base, &top)) {
        to->scope = &scope;
        write(to, equation->body);
        to->scope = outer;
    }
    rd_law_run_pop(to->run, base, top);
    for (size_t k = 0; k <= LAW_INDICES_MAX; k++)
        free(terms[k]);
    to->depth--;
}

/* ---- numbers ---- */

static void smt_number(struct smt_writer *to, const struct law_node *node)
{
    int64_t value;
    if (rd_smt_has_failed(to) || !rd_law_run_work(to->run, node))
        return;
    if (rd_smt_known(to, node, &value)) {
        smt_integer(value, to->out);
        return;
    }
    if (rd_smt_has_failed(to))
        return;
    switch (node->kind) {
    case LAW_NAME:
        fputs(to->scope->terms[node->slot] ? to->scope->terms[node->slot] : node->name, to->out);
        return;
    case LAW_CALL:
        write_call(to, node);
        return;
    case LAW_NEGATIVE:
        write_list(to, "-", node);
        return;
    case LAW_BINARY:
        write_binary(to, node);
        return;
    default:
        rd_smt_defined(to, node, smt_number);
    }
}

void rd_smt_flat(struct smt_writer *to, const struct law_node *element,
                 const struct law_array *array)
{
    for (size_t k = 1; k < element->n_kids; k++)
        fputs("(+ (* ", to->out);
    for (size_t k = 0; k < element->n_kids; k++) {
        if (k > 0) {
            fputc(' ', to->out);
            smt_number(to, array->sizes[k]);
            fputs(") ", to->out);
        }
        smt_number(to, element->kids[k]);
        fputs(k > 0 ? ")" : "", to->out);
    }
    fputs(element->n_kids == 0 ? "0" : "", to->out);
}

/* ---- conditions ---- */

static void write_pair(struct smt_writer *to, const struct law_node *node, size_t k)
{
    static const char *const names[] = {"<", "<=", ">", ">=", "=", "distinct"};
    fprintf(to->out, "(%s ", names[node->relations[k]]);
    smt_number(to, node->kids[k]);
    fputc(' ', to->out);
    smt_number(to, node->kids[k + 1]);
    fputc(')', to->out);
}

static void write_congruence(struct smt_writer *to, const struct law_node *node)
{
    int64_t modulus, right;
    const bool to_zero = rd_smt_known(to, node->kids[1], &right) && right == 0;
    if (!rd_smt_known(to, node->kids[2], &modulus) || modulus < 1) {
        refuse(to, node, "a congruence by what may not be positive");
        return;
    }
    fputs(to_zero ? "(= (mod " : "(= (mod (- ", to->out);
    smt_number(to, node->kids[0]);
    if (!to_zero) {
        fputc(' ', to->out);
        smt_number(to, node->kids[1]);
        fputc(')', to->out);
    }
    fprintf(to->out, " %" PRId64 ") 0)", modulus);
}

void rd_smt_condition(struct smt_writer *to, const struct law_node *node)
{
    if (rd_smt_has_failed(to))
        return;
    switch (node->kind) {
    case LAW_COMPARISON:
        fputs(node->n_kids > 2 ? "(and " : "", to->out);
        for (size_t k = 0; k + 1 < node->n_kids; k++) {
            fputs(k > 0 ? " " : "", to->out);
            write_pair(to, node, k);
        }
        fputs(node->n_kids > 2 ? ")" : "", to->out);
        return;
    case LAW_CONGRUENCE:
        write_congruence(to, node);
        return;
    default:
        fputs(node->kind == LAW_NOT ? "(not " : node->op == LAW_OR ? "(or " : "(and ", to->out);
        for (size_t k = 0; k < node->n_kids; k++) {
            fputs(k > 0 ? " " : "", to->out);
            rd_smt_condition(to, node->kids[k]);
        }
        fputc(')', to->out);
    }
}
