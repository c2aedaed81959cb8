// SPDX-License-Identifier: MIT
/* Values of a paragraph as sums of cases: how often a cell counts the elements that the units name. */
#include "prove/law/reader.h"

#include <stdlib.h>

enum { DEPTH_MAX = 200 };

void rd_law_cases_finish(struct rd_law_cases *cases)
{
    for (size_t k = 0; k < cases->count; k++)
        rd_law_case_finish(&cases->list[k]);
    free(cases->list);
    *cases = (struct rd_law_cases){0};
}

/* Adds a case of that factor, without conditions; NULL without memory. */
static struct rd_law_case *add_case(struct rd_law_reader *reader, struct rd_law_cases *cases,
                                    rd_term factor, unsigned inputs)
{
    if (cases->count == cases->capacity) {
        const size_t capacity = cases->capacity ? 2 * cases->capacity : 4;
        struct rd_law_case *grown = realloc(cases->list, capacity * sizeof *grown);
        if (!grown) {
            rd_law_reader_fail(reader, NULL, "no memory");
            return NULL;
        }
        cases->list = grown;
        cases->capacity = capacity;
    }
    struct rd_law_case *added = &cases->list[cases->count++];
    *added = (struct rd_law_case){.factor = factor, .inputs = inputs};
    return added;
}

/* ---- elements ---- */

/* The element's index is that of the counted one: in each dimension its digit. */
static bool add_element(struct rd_law_reader *reader, const struct rd_law_frame *frame,
                        const struct law_node *node, struct rd_law_cases *cases)
{
    struct rd_terms *terms = reader->terms;
    const struct law_array *array = node->array;
    const struct rd_law_frame of_sizes = {.section = reader->law->sections[0], .at = frame->at};
    if (array->index >= 31)
        return rd_law_reader_fail(reader, node, "more than 31 inputs");
    rd_term rest = array->index < reader->units.count ? reader->units.index[array->index] : NULL;
    struct rd_law_case *of =
        rest ? add_case(reader, cases, rd_number(terms, 1), 1u << array->index) : NULL;
    if (!of)
        return !rest;
    for (size_t k = array->n_sizes; k-- > 0;) {
        rd_term digit = rest;
        if (k > 0) {
            const rd_term size = rd_law_reader_number(reader, &of_sizes, array->sizes[k]);
            digit = rd_mod(terms, rest, size);
            rest = rd_div(terms, rest, size);
        }
        rd_law_case_need(
            reader, of, rd_equal(terms, rd_law_reader_number(reader, frame, node->kids[k]), digit));
    }
    return true;
}

static bool add_before(struct rd_law_reader *reader, const struct rd_law_frame *frame,
                       const struct law_node *node, struct rd_law_cases *cases)
{
    if (!frame->reading || !frame->reading->before)
        return rd_law_reader_fail(reader, node, "the array before the round isn't known here");
    const rd_term cell =
        rd_law_reader_flat(reader, frame, node, 0, frame->section, frame->at, node->array);
    return add_case(reader, cases, frame->reading->before(frame->reading->self, cell),
                    RD_LAW_OF_STATE);
}

/* ---- definitions ---- */

/* The ranges of a defined array hold of the indices; those of a sum's variables choose among the terms. */
static void add_ranges(struct rd_law_reader *reader, const struct rd_law_frame *inner,
                       const struct law_definition *definition, struct rd_law_case *of)
{
    const struct law_binding *ranges = definition->ranges;
    for (size_t k = 0; k < ranges->n_conditions; k++) {
        const rd_term range = rd_law_reader_condition(reader, inner, ranges->conditions[k]);
        if (rd_law_has_unknown(range))
            rd_law_case_need(reader, of, range);
        else
            rd_law_case_know(reader, of, range);
    }
}

/* NAME_q of a number that isn't known: each equation where q is its number. */
static bool add_any_of(struct rd_law_reader *reader, const struct rd_law_frame *frame,
                       const struct law_node *node, const struct rd_law_frame *inner,
                       struct rd_law_cases *cases)
{
    const struct law_definition *definition = node->definition;
    const rd_term index = rd_law_reader_number(reader, frame, node->kids[0]);
    for (size_t e = 0; e < definition->n_equations; e++) {
        const struct law_equation *equation = &definition->equations[e];
        const size_t first = cases->count;
        if (equation->successor)
            return rd_law_reader_fail(reader, node,
                                      "which of the definitions by number it is isn't known");
        if (!rd_law_reader_value(reader, inner, equation->body, cases))
            return false;
        for (size_t k = first; k < cases->count; k++)
            rd_law_case_need(
                reader, &cases->list[k],
                rd_equal(reader->terms, index, rd_number(reader->terms, equation->index)));
    }
    return true;
}

static bool add_defined(struct rd_law_reader *reader, const struct rd_law_frame *frame,
                        const struct law_node *node, struct rd_law_cases *cases)
{
    struct rd_law_frame inner;
    bool applied;
    const size_t first = cases->count;
    const struct law_equation *equation =
        rd_law_reader_enter(reader, frame, node, &inner, &applied);
    if (!equation && applied)
        return add_any_of(reader, frame, node, &inner, cases);
    if (!equation)
        return false;
    if (!rd_law_reader_value(reader, &inner, equation->body, cases))
        return false;
    for (size_t k = first; node->definition->ranges && k < cases->count; k++)
        add_ranges(reader, &inner, node->definition, &cases->list[k]);
    return true;
}

/* ---- POINT.array ---- */

/* What a claim of the point says of the cell, where the claims before it say nothing: `others` joins what they name. */
static bool add_claimed(struct rd_law_reader *reader, const struct law_claim *claim,
                        struct rd_law_claimed *claimed, bool only, rd_term *others,
                        struct rd_law_cases *cases)
{
    struct rd_terms *terms = reader->terms;
    const size_t first = cases->count;
    const rd_term named =
        rd_and(terms, claimed->when, rd_all_of(terms, &claimed->named.conditions));
    if (!rd_law_reader_value(reader, &claimed->frame, claim->value, cases))
        return false;
    for (size_t k = first; k < cases->count; k++) {
        if (only) {
            rd_law_case_know(reader, &cases->list[k], named);
        } else {
            rd_law_case_need(reader, &cases->list[k], named);
            rd_law_case_need(reader, &cases->list[k], rd_not(terms, *others));
        }
    }
    *others = rd_or(terms, *others, named);
    return true;
}

static bool add_last(struct rd_law_reader *reader, const struct rd_law_frame *frame,
                     const struct law_node *node, struct rd_law_cases *cases)
{
    const struct rd_law_section *section = node->section;
    const struct law_claims *claims = &section->claims[RD_LAW_LAW];
    const size_t outer = node->n_kids - section->array->n_sizes;
    struct rd_law_numbers at = *frame->at;
    rd_term others = rd_false(reader->terms);
    at.block = rd_law_reader_number(reader, frame, node->kids[0]);
    at.warp = outer > 1 ? rd_law_reader_number(reader, frame, node->kids[1]) : NULL;
    at.variable = section->steps ? rd_law_reader_last_step(reader, section, &at) : NULL;
    const rd_term cell =
        rd_law_reader_flat(reader, frame, node, outer, section, &at, section->array);
    for (size_t k = 0; k < claims->count && !rd_law_reader_has_failed(reader); k++) {
        struct rd_law_claimed claimed;
        if (rd_law_reader_claim(reader, section, &claims->claims[k], NULL, &at, cell, &claimed) &&
            claimed.when->kind != RD_TERM_FALSE)
            add_claimed(reader, &claims->claims[k], &claimed, claims->count == 1, &others, cases);
        rd_law_case_finish(&claimed.named);
    }
    return !rd_law_reader_has_failed(reader);
}

/* ---- sums ---- */

static bool add_reduction(struct rd_law_reader *reader, const struct rd_law_frame *frame,
                          const struct law_node *node, struct rd_law_cases *cases)
{
    const struct law_binding *binding = node->binding;
    struct rd_law_frame inner = *frame;
    const size_t first = cases->count;
    if (node->op != reader->units.operation)
        return rd_law_reader_fail(reader, node,
                                  reader->units.operation == RD_OPERATION_SUM
                                      ? "a reduction that is no sum"
                                      : "a reduction by a second operation");
    for (size_t k = 0; k < binding->n_variables; k++)
        inner.variables[binding->variables[k].slot] = rd_law_reader_unknown(reader);
    if (!rd_law_reader_value(reader, &inner, node->kids[0], cases))
        return false;
    for (size_t c = first; c < cases->count; c++) {
        for (size_t k = 0; k < binding->n_variables; k++)
            rd_law_case_bind(reader, &cases->list[c], inner.variables[binding->variables[k].slot]);
        for (size_t k = 0; k < binding->n_conditions; k++)
            rd_law_case_need(reader, &cases->list[c],
                             rd_law_reader_condition(reader, &inner, binding->conditions[k]));
    }
    return !rd_law_reader_has_failed(reader);
}

/* Inputs of which the product has two elements: those of the right factor are counted by units of their own. */
static bool take_again(struct rd_law_reader *reader, const struct law_node *node,
                       struct rd_law_case *right, unsigned both)
{
    const struct rd_law_units *units = &reader->units;
    for (size_t k = 0; k < units->count; k++)
        if ((both & 1u << k) && units->again && units->again[k])
            rd_law_case_put(reader, right, units->index[k], units->again[k]);
        else if (both & 1u << k && units->again)
            right->factor = rd_number(reader->terms, 0);
    return (units->again && !(both & RD_LAW_OF_STATE)) ||
           rd_law_reader_fail(reader, node,
                              "a product with two elements of the same array: laws are proved that "
                              "are sums of elements, each times a number, and 'reductio run' "
                              "asserts this one, too");
}

static bool add_product_of(struct rd_law_reader *reader, const struct law_node *node,
                           const struct rd_law_case *x, struct rd_law_case *y,
                           struct rd_law_cases *cases)
{
    const unsigned both = x->inputs & y->inputs;
    if (both & (x->again | y->again))
        return rd_law_reader_fail(reader, node, "a product with three elements of the same array");
    if (both && !take_again(reader, node, y, both))
        return false;
    struct rd_law_case *of = add_case(
        reader, cases, rd_multiply(reader->terms, x->factor, y->factor), x->inputs | y->inputs);
    if (!of)
        return false;
    of->again = x->again | y->again | both;
    rd_law_case_add(reader, of, x);
    rd_law_case_add(reader, of, y);
    return true;
}

static bool add_product(struct rd_law_reader *reader, const struct law_node *node,
                        const struct rd_law_cases *left, const struct rd_law_cases *right,
                        struct rd_law_cases *cases)
{
    for (size_t i = 0; i < left->count; i++) {
        for (size_t k = 0; k < right->count; k++) {
            struct rd_law_case y = {.factor = right->list[k].factor,
                                    .inputs = right->list[k].inputs,
                                    .again = right->list[k].again};
            rd_law_case_add(reader, &y, &right->list[k]);
            const bool done = add_product_of(reader, node, &left->list[i], &y, cases);
            rd_law_case_finish(&y);
            if (!done)
                return false;
        }
    }
    return true;
}

static bool add_times(struct rd_law_reader *reader, const struct rd_law_frame *frame,
                      const struct law_node *node, const struct law_node *left,
                      const struct law_node *right, struct rd_law_cases *cases)
{
    struct rd_law_cases of_left = {0}, of_right = {0};
    const bool done = rd_law_reader_value(reader, frame, left, &of_left) &&
                      rd_law_reader_value(reader, frame, right, &of_right) &&
                      add_product(reader, node, &of_left, &of_right, cases);
    rd_law_cases_finish(&of_left);
    rd_law_cases_finish(&of_right);
    return done;
}

static bool add_power(struct rd_law_reader *reader, const struct rd_law_frame *frame,
                      const struct law_node *node, struct rd_law_cases *cases)
{
    rd_wide exponent;
    if (!rd_term_is_number(rd_law_reader_number(reader, frame, node->kids[1]), &exponent) ||
        exponent > 2)
        return rd_law_reader_fail(reader, node, "such a power of an element");
    if (exponent == 2)
        return add_times(reader, frame, node, node->kids[0], node->kids[0], cases);
    if (exponent == 1)
        return rd_law_reader_value(reader, frame, node->kids[0], cases);
    return add_case(reader, cases, rd_number(reader->terms, 1), 0);
}

static bool add_binary(struct rd_law_reader *reader, const struct rd_law_frame *frame,
                       const struct law_node *node, struct rd_law_cases *cases)
{
    if (node->op == LAW_TIMES)
        return add_times(reader, frame, node, node->kids[0], node->kids[1], cases);
    if (node->op == LAW_POWER)
        return add_power(reader, frame, node, cases);
    if (!rd_law_reader_value(reader, frame, node->kids[0], cases))
        return false;
    const size_t second = cases->count;
    if (!rd_law_reader_value(reader, frame, node->kids[1], cases))
        return false;
    for (size_t k = second; node->op == LAW_SUBTRACT && k < cases->count; k++)
        cases->list[k].factor =
            rd_subtract(reader->terms, rd_number(reader->terms, 0), cases->list[k].factor);
    return true;
}

/* ---- values ---- */

static bool add_number(struct rd_law_reader *reader, const struct rd_law_frame *frame,
                       const struct law_node *node, struct rd_law_cases *cases)
{
    const rd_term number = rd_law_reader_number(reader, frame, node);
    return (number->kind == RD_TERM_NUMBER && number->number == 0) ||
           add_case(reader, cases, number, 0);
}

static bool add_value(struct rd_law_reader *reader, const struct rd_law_frame *frame,
                      const struct law_node *node, struct rd_law_cases *cases)
{
    if (reader->units.operation != RD_OPERATION_SUM &&
        (!node->data || node->kind == LAW_BINARY || node->kind == LAW_NEGATIVE))
        return rd_law_reader_fail(
            reader, node, "a value of numbers, sums or products, where reductions are none");
    if (!node->data)
        return add_number(reader, frame, node, cases);
    switch (node->meaning) {
    case LAW_IS_INPUT:
        return add_element(reader, frame, node, cases);
    case LAW_IS_STATE:
        return add_before(reader, frame, node, cases);
    case LAW_IS_LAST_STATE:
        return add_last(reader, frame, node, cases);
    case LAW_IS_DEFINITION:
        return add_defined(reader, frame, node, cases);
    default:
        break;
    }
    if (node->kind == LAW_REDUCTION)
        return add_reduction(reader, frame, node, cases);
    if (node->kind == LAW_BINARY)
        return add_binary(reader, frame, node, cases);
    if (node->kind != LAW_NEGATIVE)
        return rd_law_reader_fail(reader, node, "no value of elements");
    const size_t first = cases->count;
    if (!rd_law_reader_value(reader, frame, node->kids[0], cases))
        return false;
    for (size_t k = first; k < cases->count; k++)
        cases->list[k].factor =
            rd_subtract(reader->terms, rd_number(reader->terms, 0), cases->list[k].factor);
    return true;
}

bool rd_law_reader_value(struct rd_law_reader *reader, const struct rd_law_frame *frame,
                         const struct law_node *node, struct rd_law_cases *cases)
{
    if (++reader->depth > DEPTH_MAX)
        rd_law_reader_fail(reader, node, "values so deep in each other");
    const bool done = !rd_law_reader_has_failed(reader) && add_value(reader, frame, node, cases);
    reader->depth--;
    return done && !rd_law_reader_has_failed(reader);
}
