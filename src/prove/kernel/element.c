// SPDX-License-Identifier: MIT
/* Elements: how often each holds what is counted, and of which inputs it is.
 *
 * Without squares a product's factors are of different inputs: it is linear in each input, and known by unit vectors.
 *
 * With squares values are polynomials of degree 2 in the elements of all inputs. One is known by its constant and its
 * coefficients: of each element, and of each product of two. They are counted one by one: a factor of a product is
 * linear, and comes with what it holds of the counted elements. Of a product of two inputs' elements these are one of
 * each, in whichever order they are multiplied; of one input's, `units` has the left factor's and `again` the right
 * one's, and the law's factors stand in the same order. */
#include "prove/kernel/state.h"

static rd_term zero(struct rd_execution *execution)
{
    return rd_number(execution->terms, 0);
}

static bool is_zero(struct rd_execution *execution, struct value x)
{
    return x.inputs == 0 && x.term == zero(execution);
}

struct value rd_element_number(struct rd_execution *execution, rd_wide number)
{
    struct value value = {.kind = VALUE_ELEMENT,
                          .term = rd_number(execution->terms, number),
                          .is_linear = number == 0,
                          .height = number == 0 ? rd_height_nothing() : rd_height_load(execution)};
    for (unsigned k = 0; k < RD_PROVE_INPUTS_MAX; k++)
        value.left[k] = value.right[k] = zero(execution);
    return value;
}

static rd_term counted(struct rd_execution *execution, rd_term unit, rd_term index)
{
    return unit ? rd_count_of(execution->terms, rd_equal(execution->terms, index, unit))
                : zero(execution);
}

struct value rd_element_of_input(struct rd_execution *execution, unsigned input, rd_term index,
                                 rd_term term)
{
    struct value value = rd_element_number(execution, 0);
    value.term = term;
    value.inputs = 1u << input;
    value.height = rd_height_load(execution);
    value.left[input] = counted(execution, execution->units[input], index);
    value.right[input] =
        counted(execution, execution->again ? execution->again[input] : NULL, index);
    return value;
}

struct value rd_element_sum(struct rd_execution *execution, struct value x, struct value y,
                            int sign)
{
    struct rd_terms *terms = execution->terms;
    rd_term (*const add)(struct rd_terms *, rd_term, rd_term) = sign > 0 ? rd_add : rd_subtract;
    struct value sum = {.kind = VALUE_ELEMENT,
                        .term = add(terms, x.term, y.term),
                        .inputs = x.inputs | y.inputs,
                        .is_linear = x.is_linear && y.is_linear};
    if (sign > 0) /* a difference isn't bounded by its inputs' sizes in sum */
        sum.height = rd_height_sum(execution, x.height, y.height);
    for (unsigned k = 0; k < RD_PROVE_INPUTS_MAX && sum.is_linear; k++) {
        sum.left[k] = add(terms, x.left[k], y.left[k]);
        sum.right[k] = add(terms, x.right[k], y.right[k]);
    }
    return sum;
}

struct value rd_element_choice(struct rd_execution *execution, rd_term condition, struct value yes,
                               struct value no)
{
    struct rd_terms *terms = execution->terms;
    struct value chosen = {.kind = VALUE_ELEMENT,
                           .term = rd_choice(terms, condition, yes.term, no.term),
                           .inputs = yes.inputs | no.inputs,
                           .is_linear = yes.is_linear && no.is_linear,
                           .is_difference = yes.is_difference || no.is_difference,
                           .height = rd_height_either(execution, yes.height, no.height)};
    for (unsigned k = 0; k < RD_PROVE_INPUTS_MAX && chosen.is_linear; k++) {
        chosen.left[k] = rd_choice(terms, condition, yes.left[k], no.left[k]);
        chosen.right[k] = rd_choice(terms, condition, yes.right[k], no.right[k]);
    }
    return chosen;
}

bool rd_element_is_apart(struct value x, struct value y)
{
    return x.is_linear && y.is_linear && (x.inputs & y.inputs) == 0;
}

/* ---- products ---- */

/* The product, multiplied out: sums of counts are what loops are summed up from. */
static rd_term multiplied(struct rd_terms *terms, rd_term x, rd_term y)
{
    if (x->kind != RD_TERM_SUM && y->kind != RD_TERM_SUM)
        return rd_multiply(terms, x, y);
    if (x->kind != RD_TERM_SUM)
        return multiplied(terms, y, x);
    rd_term product = rd_multiply(terms, rd_number(terms, x->number), y);
    for (unsigned k = 0; k < x->n_kids; k++)
        product = rd_add(terms, product,
                         rd_multiply(terms, rd_number(terms, x->coefficients[k]),
                                     multiplied(terms, x->kids[k], y)));
    return product;
}

static rd_term product_of_forms(struct rd_execution *execution, struct value x, struct value y)
{
    struct rd_terms *terms = execution->terms;
    rd_term product = zero(execution);
    for (unsigned k = 0; k < RD_PROVE_INPUTS_MAX; k++)
        for (unsigned l = 0; l < RD_PROVE_INPUTS_MAX; l++)
            product = rd_add(terms, product,
                             multiplied(terms, x.left[k], k == l ? y.right[l] : y.left[l]));
    return product;
}

static struct value scaled(struct rd_execution *execution, rd_term number, struct value x)
{
    struct rd_terms *terms = execution->terms;
    x.term = rd_multiply(terms, number, x.term);
    x.height = rd_height_product(execution, rd_height_load(execution), x.height);
    for (unsigned k = 0; k < RD_PROVE_INPUTS_MAX && x.is_linear; k++) {
        x.left[k] = rd_multiply(terms, number, x.left[k]);
        x.right[k] = rd_multiply(terms, number, x.right[k]);
    }
    return x;
}

static bool is_of_one(unsigned inputs)
{
    return (inputs & (inputs - 1)) == 0;
}

bool rd_element_product(struct rd_execution *execution, struct value x, struct value y,
                        struct value *product)
{
    struct rd_terms *terms = execution->terms;
    if (is_zero(execution, x) || is_zero(execution, y)) {
        *product = rd_element_number(execution, 0);
        return true;
    }
    if (x.inputs == 0 || y.inputs == 0) {
        *product = x.inputs == 0 ? scaled(execution, x.term, y) : scaled(execution, y.term, x);
        return true;
    }
    *product = rd_element_value(rd_multiply(terms, x.term, y.term));
    product->inputs = x.inputs | y.inputs;
    product->height = rd_height_product(execution, x.height, y.height);
    if (!execution->has_squares)
        return is_of_one(x.inputs) && is_of_one(y.inputs) && (x.inputs & y.inputs) == 0;
    product->term = x.is_linear && y.is_linear ? product_of_forms(execution, x, y) : x.term;
    return x.is_linear && y.is_linear;
}
