// SPDX-License-Identifier: MIT
/* Arithmetic of a kernel. Integers are mathematical, and each operation requires that its value fits in its type; elements may be
 * added, multiplied and moved, and nothing else. */
#include "prove/kernel/state.h"

#include <stdlib.h>
#include <string.h>

rd_term rd_value_number(struct rd_execution *execution, struct value value)
{
    return value.term && rd_term_is_condition(value.term)
               ? rd_count_of(execution->terms, value.term)
               : value.term;
}

rd_term rd_value_condition(struct rd_execution *execution, struct value value)
{
    if (value.kind != VALUE_NUMBER || !value.term) {
        rd_execution_fail(execution, NULL, "a condition on values that are no numbers");
        return rd_true(execution->terms);
    }
    return rd_term_is_condition(value.term)
               ? value.term
               : rd_not(execution->terms,
                        rd_equal(execution->terms, value.term, rd_number(execution->terms, 0)));
}

/* ---- ranges of types ---- */

bool rd_type_range(const struct rd_syntax_type *type, rd_wide *least, rd_wide *most)
{
    if (!type || (type->kind != RD_SYNTAX_INTEGER && type->kind != RD_SYNTAX_BOOL))
        return false;
    const unsigned bits = type->kind == RD_SYNTAX_BOOL ? 1 : type->bits;
    const rd_wide one = 1;
    *least = type->is_signed ? -(one << (bits - 1)) : 0;
    *most = (one << (type->is_signed ? bits - 1 : bits)) - 1;
    return true;
}

static const char *name_of(struct rd_execution *execution, const struct rd_syntax_type *type)
{
    return rd_terms_text(execution->terms, "%u bits%s", type->bits,
                         type->is_signed ? " with a sign" : "");
}

/* "i + half fits in 64 bits"; of what is long, the operator alone. */
static const char *fit_text(struct rd_execution *execution, const struct rd_syntax_node *node)
{
    enum { LENGTH_MAX = 60 };
    const bool is_cast = node->kind == RD_SYNTAX_CAST;
    const char *type = name_of(execution, node->type), *text = NULL;
    char *written = NULL;
    size_t length;
    FILE *out = open_memstream(&written, &length);
    if (out)
        rd_syntax_print_expression(is_cast ? node->kids[0] : node, out);
    if (out && fclose(out) == 0 && length <= LENGTH_MAX) {
        const bool enclosed = !is_cast && length > 2 && written[0] == '(';
        text = rd_terms_text(
            execution->terms,
            is_cast ? "the value of %.*s fits in the type to which it is converted, of %s"
                    : "%.*s fits in %s",
            (int)(length - 2 * enclosed), written + enclosed, type);
    }
    free(written);
    if (text)
        return text;
    return is_cast ? rd_terms_text(execution->terms, "the converted value fits in %s", type)
                   : rd_terms_text(execution->terms, "the result of '%s' fits in %s",
                                   node->op ? node->op : "the operation", type);
}

/* Returns the condition that the number is one of the type's: true of a type that has no range. */
static rd_term range_condition(const struct rd_execution *execution, rd_term term,
                               const struct rd_syntax_type *type)
{
    struct rd_terms *terms = execution->terms;
    rd_wide least, most;
    if (!rd_type_range(type, &least, &most))
        return rd_true(terms);
    return rd_and(terms, rd_at_most(terms, rd_number(terms, least), term),
                  rd_at_most(terms, term, rd_number(terms, most)));
}

void rd_require_range(struct rd_execution *execution, struct state *state, rd_term term,
                      const struct rd_syntax_type *type, const char *what, unsigned line)
{
    const struct rd_syntax_node at = {.line = line};
    rd_state_require(execution, state, range_condition(execution, term, type), &at, what);
}

static void require_fit(struct rd_execution *execution, struct state *state, rd_term term,
                        const struct rd_syntax_node *node)
{
    const rd_term fits = range_condition(execution, term, node->type);
    if (fits->kind != RD_TERM_TRUE)
        rd_state_require(execution, state, fits, node, fit_text(execution, node));
}

/* ---- operators ---- */

static bool is_power_of_two(rd_wide number, rd_wide *exponent)
{
    *exponent = 0;
    if (number < 1 || (number & (number - 1)) != 0)
        return false;
    while (number > 1) {
        number /= 2;
        ++*exponent;
    }
    return true;
}

/* x & (2^k - 1) is a remainder. */
static rd_term masked(struct rd_execution *execution, const struct rd_syntax_node *node, rd_term x,
                      rd_term y)
{
    struct rd_terms *terms = execution->terms;
    rd_wide mask, exponent;
    if (x->kind == RD_TERM_NUMBER && y->kind != RD_TERM_NUMBER)
        return masked(execution, node, y, x);
    if (rd_term_is_number(y, &mask) && is_power_of_two(mask + 1, &exponent))
        return rd_mod(terms, x, rd_number(terms, mask + 1));
    rd_execution_fail(execution, node, "'&' with a mask other than 2^k - 1");
    return x;
}

static rd_term shifted(struct rd_execution *execution, struct state *state,
                       const struct rd_syntax_node *node, bool left, rd_term x, rd_term y)
{
    struct rd_terms *terms = execution->terms;
    const rd_term all_lanes = rd_number(terms, ((rd_wide)1 << 32) - 1);
    const rd_wide bits =
        node->type && node->type->kind == RD_SYNTAX_INTEGER ? node->type->bits : 32;
    rd_state_require(execution, state,
                     rd_within(terms, rd_number(terms, 0), y, rd_number(terms, bits)), node,
                     "a shift is by less than the bits of its type");
    if (!left && x == all_lanes && bits == 32 && y->kind != RD_TERM_NUMBER) {
        const rd_term count = rd_subtract(terms, rd_number(terms, 32), y); /* ones */
        return rd_apply(terms, "first lanes", 1, &count);
    }
    return left ? rd_multiply(terms, x, rd_power_of_two(terms, y))
                : rd_div(terms, x, rd_power_of_two(terms, y));
}

/* x ^ 2^k turns one bit over: the number of which it is part is larger or smaller by that. The lemma "xor-power" says so. */
static rd_term turned_over(struct rd_execution *execution, struct state *state,
                           const struct rd_syntax_node *node, rd_term x, rd_term power)
{
    struct rd_terms *terms = execution->terms;
    const rd_term zero = rd_number(terms, 0),
                  rest = rd_mod(terms, x, rd_multiply(terms, rd_number(terms, 2), power));
    execution->turns_bits = execution->turns_bits || power->kind != RD_TERM_NUMBER;
    rd_state_require(execution, state,
                     rd_and(terms, rd_at_most(terms, zero, x), rd_holds(terms, "P2", 1, &power)),
                     node, "'^' is of a number and a power of two");
    return rd_choice(terms, rd_less(terms, rest, power), rd_add(terms, x, power),
                     rd_subtract(terms, x, power));
}

static rd_term quotient(struct rd_execution *execution, struct state *state,
                        const struct rd_syntax_node *node, bool rest, rd_term x, rd_term y)
{
    struct rd_terms *terms = execution->terms;
    const rd_term zero = rd_number(terms, 0);
    rd_state_require(execution, state, rd_less(terms, zero, y), node, "the divisor is more than 0");
    if (node->type && node->type->is_signed)
        rd_state_require(execution, state, rd_at_most(terms, zero, x), node,
                         "the dividend is not negative");
    return rest ? rd_mod(terms, x, y) : rd_div(terms, x, y);
}

struct value rd_compute(struct rd_execution *execution, struct state *state,
                        const struct rd_syntax_node *node, const char *op, rd_term x, rd_term y)
{
    struct rd_terms *terms = execution->terms;
    rd_term made = x;
    if (strcmp(op, "<") == 0)
        return rd_number_value(rd_less(terms, x, y));
    if (strcmp(op, ">") == 0)
        return rd_number_value(rd_less(terms, y, x));
    if (strcmp(op, "<=") == 0)
        return rd_number_value(rd_at_most(terms, x, y));
    if (strcmp(op, ">=") == 0)
        return rd_number_value(rd_at_most(terms, y, x));
    if (strcmp(op, "==") == 0)
        return rd_number_value(rd_compare_ticket(execution, rd_equal(terms, x, y)));
    if (strcmp(op, "!=") == 0)
        return rd_number_value(rd_not(terms, rd_compare_ticket(execution, rd_equal(terms, x, y))));
    if (*op == '+')
        made = rd_add(terms, x, y);
    else if (*op == '-')
        made = rd_subtract(terms, x, y);
    else if (*op == '*' && ((x == execution->block && y == execution->threads) ||
                            (y == execution->block && x == execution->threads)))
        made = execution->origin;
    else if (*op == '*' && execution->y.origin &&
             ((x == execution->y.block && y == execution->y.threads) ||
              (y == execution->y.block && x == execution->y.threads)))
        made = execution->y.origin;
    else if (*op == '*')
        made = rd_multiply(terms, x, y);
    else if (*op == '/' || *op == '%')
        return rd_number_value(quotient(execution, state, node, *op == '%', x, y));
    else if (*op == '&')
        return rd_number_value(masked(execution, node, x, y));
    else if (strncmp(op, ">>", 2) == 0) /* it is not larger than x */
        return rd_number_value(shifted(execution, state, node, false, x, y));
    else if (*op == '^')
        return rd_number_value(turned_over(execution, state, node, x, y));
    else if (strncmp(op, "<<", 2) == 0 &&
             (made = rd_shifted_lanes(execution, state, node, x, y)) != NULL)
        return rd_number_value(made);
    else if (strncmp(op, "<<", 2) == 0)
        made = shifted(execution, state, node, true, x, y);
    else
        rd_execution_fail(execution, node, "the operator '%s'", op);
    require_fit(execution, state, made, node);
    return rd_number_value(made);
}

/* Computes with two elements. */
static struct value combined(struct rd_execution *execution, struct state *state,
                             const struct rd_syntax_node *node, const char *op, struct value x,
                             struct value y)
{
    struct value product;
    if (execution->operation != RD_OPERATION_SUM)
        return rd_combine(execution, node, op, x, y);
    execution->adds = true;
    execution->subtracts = execution->subtracts || (*op == '-' && !rd_element_is_apart(x, y)) ||
                           (*op != '*' && (x.is_difference || y.is_difference));
    if (*op == '+' || *op == '-') {
        struct value sum = rd_element_sum(execution, x, y, *op == '+' ? 1 : -1);
        sum.is_difference = *op == '-';
        return sum;
    }
    if (*op == '*' && rd_element_product(execution, x, y, &product))
        return product;
    if (*op == '*') {
        /* Cells that may hold elements of both inputs: it goes by the cell. Where squares are counted, unit vectors
         * alone don't tell. */
        const rd_term term =
            execution->has_squares ? NULL : rd_product_of_units(execution, state, node, &x, &y);
        if (term) {
            product = rd_element_value(term);
            product.inputs = x.inputs | y.inputs;
            product.height = rd_height_product(execution, x.height, y.height);
            return product;
        }
        rd_execution_fail(execution, node, "a product of elements that are not of two inputs");
    }
    rd_execution_fail(execution, node, "'%s' of elements: a proof knows sums and products alone",
                      op);
    return x;
}

bool rd_become_element(struct rd_execution *execution, const struct rd_syntax_node *node,
                       struct value *value)
{
    rd_wide number;
    if (!execution->of_any_type || value->kind != VALUE_NUMBER || !value->term ||
        !rd_term_is_number(value->term, &number))
        return false;
    *value = rd_element_stated(execution, node, number);
    return true;
}

struct value rd_binary(struct rd_execution *execution, struct state *state,
                       const struct rd_syntax_node *node, const char *op, struct value x,
                       struct value y)
{
    struct rd_terms *terms = execution->terms;
    if (x.kind == VALUE_ELEMENT)
        rd_become_element(execution, node, &y);
    else if (y.kind == VALUE_ELEMENT)
        rd_become_element(execution, node, &x);
    if (x.kind == VALUE_NUMBER && y.kind == VALUE_NUMBER)
        return rd_compute(execution, state, node, op, rd_value_number(execution, x),
                          rd_value_number(execution, y));
    if (x.kind == VALUE_ELEMENT && y.kind == VALUE_ELEMENT)
        return combined(execution, state, node, op, x, y);
    if (x.kind == VALUE_POINTER && y.kind == VALUE_NUMBER && (*op == '+' || *op == '-')) {
        const rd_term by =
            rd_multiply(terms, rd_number(terms, rd_stride(&x)), rd_value_number(execution, y));
        x.term = *op == '+' ? rd_add(terms, x.term, by) : rd_subtract(terms, x.term, by);
        x.row = 0;
        return x;
    }
    rd_execution_fail(execution, node, "'%s' of such operands", op);
    return rd_nothing();
}

/* ---- conversions ---- */

/* Every value of the other type is one of this type. */
static bool is_wider(const struct rd_syntax_type *type, const struct rd_syntax_type *other)
{
    rd_wide least, most, other_least, other_most;
    return rd_type_range(type, &least, &most) && rd_type_range(other, &other_least, &other_most) &&
           least <= other_least && other_most <= most;
}

/* An array that decays, or a pointer to what is as large. */
static bool points_to_same(const struct rd_syntax_type *type, const struct rd_syntax_type *other)
{
    if (!type->of || !other || !other->of || type->of->kind != other->of->kind)
        return false;
    if (type->of->kind == RD_SYNTAX_ARRAY)
        return type->of->length == other->of->length && points_to_same(type->of, other->of);
    return type->of->kind != RD_SYNTAX_RECORD && type->of->bits == other->of->bits;
}

/* A pointer to elements becomes one to packs of them: it must be aligned for them, as the arrays in device memory are. */
static struct value packed(struct rd_execution *execution, struct state *state,
                           const struct rd_syntax_node *node, struct value pointer)
{
    struct rd_terms *terms = execution->terms;
    const struct rd_syntax_type *of = node->type->kind == RD_SYNTAX_POINTER ? node->type->of : NULL,
                                *from = node->kids[0]->type;
    const unsigned count = of && of->kind == RD_SYNTAX_RECORD ? rd_type_parts(of) : 0;
    if (count == 0 || rd_stride(&pointer) != 1 || pointer.array->is_shared || !from || !from->of ||
        from->of->kind != RD_SYNTAX_FLOAT || of->bits != count * from->of->bits) {
        rd_execution_fail(execution, node, "a pointer that is cast to one to another type");
        return pointer;
    }
    rd_state_require(
        execution, state,
        rd_equal(terms, rd_mod(terms, pointer.term, rd_number(terms, count)), rd_number(terms, 0)),
        node, "a pointer is aligned for what it is cast to");
    pointer.stride = count;
    return pointer;
}

struct value rd_convert(struct rd_execution *execution, struct state *state,
                        const struct rd_syntax_node *node, struct value value)
{
    const struct rd_syntax_type *type = node->type;
    rd_wide constant;
    if (!type || value.kind == VALUE_NONE)
        return value;
    if (value.kind == VALUE_POINTER && !points_to_same(type, node->kids[0]->type))
        return packed(execution, state, node, value);
    if (value.kind == VALUE_PARTS || value.kind == VALUE_OF_CALLER)
        rd_execution_fail(execution, node, "a cast of a thread's own array or record");
    if (value.kind == VALUE_NUMBER && type->kind == RD_SYNTAX_FLOAT) {
        if (rd_term_is_number(rd_value_number(execution, value), &constant))
            return rd_element_stated(execution, node, constant);
        rd_execution_fail(execution, node, "an unknown number that is converted to an element");
    } else if (value.kind == VALUE_NUMBER && type->kind == RD_SYNTAX_BOOL) {
        return rd_number_value(rd_value_condition(execution, value));
    } else if (value.kind == VALUE_NUMBER && type->kind == RD_SYNTAX_INTEGER) {
        if (!rd_term_is_condition(value.term) && !is_wider(type, node->kids[0]->type))
            require_fit(execution, state, value.term, node);
    } else if (value.kind == VALUE_ELEMENT &&
               (type->kind == RD_SYNTAX_INTEGER || type->kind == RD_SYNTAX_BOOL)) {
        /* Sums modulo 2^bits are those of numbers without a sign, too. */
        const struct rd_syntax_type *from = node->kids[0]->type;
        if (!execution->of_any_type || type->kind != RD_SYNTAX_INTEGER || !from ||
            from->kind != RD_SYNTAX_INTEGER || from->bits != type->bits)
            rd_execution_fail(execution, node, "an element that is converted to a number");
        if (!rd_is_ordered_as(execution, type))
            rd_execution_fail(execution, node, "an element that becomes one of another order");
    } else if (value.kind == VALUE_ELEMENT && type->kind == RD_SYNTAX_FLOAT &&
               node->kids[0]->type && node->kids[0]->type->kind != RD_SYNTAX_FLOAT) {
        rd_execution_fail(execution, node, "an integer of the array that is converted to a float");
    } else if (value.kind == VALUE_ELEMENT) {
        rd_check_rounding(execution, node, node->kids[0]->type, type);
    }
    return value;
}

void rd_check_rounding(struct rd_execution *execution, const struct rd_syntax_node *node,
                       const struct rd_syntax_type *from, const struct rd_syntax_type *to)
{
    const bool is_bounded = execution->operation == RD_OPERATION_SUM && !execution->of_any_type;
    if (!is_bounded && from && to && from->kind == RD_SYNTAX_FLOAT && to->kind == RD_SYNTAX_FLOAT &&
        to->bits < from->bits)
        rd_execution_fail(execution, node, "an element that is rounded");
}

bool rd_is_of_type(struct value value, const struct rd_syntax_type *type)
{
    if (value.kind == VALUE_PARTS)
        return type && type->kind != RD_SYNTAX_POINTER && rd_type_parts(type) == value.term->n_kids;
    return !type || (type->kind != RD_SYNTAX_ARRAY && type->kind != RD_SYNTAX_RECORD) ||
           value.kind == VALUE_POINTER || value.kind == VALUE_NONE;
}
