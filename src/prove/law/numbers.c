// SPDX-License-Identifier: MIT
/* Numbers and conditions of a paragraph as terms. */
#include "prove/law/reader.h"

#include <string.h>

enum { DEPTH_MAX = 200 };

static rd_term number_of(struct rd_law_reader *reader, rd_wide number)
{
    return rd_number(reader->terms, number);
}

static rd_term zero_after_failure(struct rd_law_reader *reader, const struct law_node *node,
                                  const char *why)
{
    rd_law_reader_fail(reader, node, "%s", why);
    return number_of(reader, 0);
}

/* ---- quotients ---- */

/* y = number * 2^exponent, the number > 1: then *power is 2^exponent. */
static bool is_multiple_of_power(rd_term y, rd_wide *number, rd_term *power)
{
    if (y->kind != RD_TERM_SUM || y->n_kids != 1 || y->number != 0 || y->coefficients[0] < 2)
        return false;
    *number = y->coefficients[0];
    *power = y->kids[0];
    return (*power)->kind == RD_TERM_APPLY && strcmp((*power)->name, "pow2") == 0;
}

/* x / 2^(S + 1) as (x / 2^S) / 2: said by what there was a step before. */
static rd_term quotient(struct rd_terms *terms, rd_term x, rd_term y)
{
    rd_wide number;
    rd_term power;
    if (!is_multiple_of_power(y, &number, &power))
        return rd_div(terms, x, y);
    return rd_div(terms, rd_div(terms, x, power), rd_number(terms, number));
}

static rd_term ceil_quotient(struct rd_terms *terms, rd_term x, rd_term y)
{
    rd_wide number;
    rd_term power;
    if (!is_multiple_of_power(y, &number, &power))
        return rd_ceil_div(terms, x, y);
    return rd_ceil_div(terms, rd_ceil_div(terms, x, power), rd_number(terms, number));
}

/* ---- operators ---- */

static rd_term power(struct rd_law_reader *reader, const struct law_node *node, rd_term base,
                     rd_term exponent)
{
    enum { FACTORS_MAX = 8, EXPONENT_MAX = 100 };
    rd_wide of_base, of_exponent;
    unsigned log2 = 0;
    if (rd_term_is_number(exponent, &of_exponent) && of_exponent < 0)
        return zero_after_failure(reader, node, "a negative exponent");
    if (rd_term_is_number(base, &of_base) && of_base >= 2 && of_base <= 1 << 30 &&
        (of_base & (of_base - 1)) == 0) {
        while ((rd_wide)2 << log2 <= of_base)
            log2++;
        return rd_power_of_two(reader->terms,
                               rd_multiply(reader->terms, number_of(reader, log2), exponent));
    }
    if (!rd_term_is_number(exponent, &of_exponent) || of_exponent > FACTORS_MAX)
        return zero_after_failure(reader, node,
                                  "a power that is neither of 2 nor with a small exponent");
    rd_term product = number_of(reader, 1);
    for (rd_wide k = 0; k < of_exponent; k++)
        product = rd_multiply(reader->terms, product, base);
    return product;
}

static rd_term binary(struct rd_law_reader *reader, const struct rd_law_frame *frame,
                      const struct law_node *node)
{
    struct rd_terms *terms = reader->terms;
    const rd_term kids[] = {rd_law_reader_number(reader, frame, node->kids[0]),
                            rd_law_reader_number(reader, frame, node->kids[1])};
    rd_wide x, y;
    switch ((enum law_operator)node->op) {
    case LAW_ADD:
        return rd_add(terms, kids[0], kids[1]);
    case LAW_SUBTRACT:
        return rd_subtract(terms, kids[0], kids[1]);
    case LAW_TIMES:
        return rd_multiply(terms, kids[0], kids[1]);
    case LAW_POWER:
        return power(reader, node, kids[0], kids[1]);
    case LAW_XOR:
        if (rd_term_is_number(kids[0], &x) && rd_term_is_number(kids[1], &y) && x >= 0 && y >= 0)
            return rd_number(terms, x ^ y);
        return rd_apply(terms, "xor", 2, kids);
    default:
        break;
    }
    if (rd_term_is_number(kids[1], &y) && y < 1)
        return zero_after_failure(reader, node, "a quotient by what isn't positive");
    return node->op == LAW_SLASH || node->op == LAW_DIV ? quotient(terms, kids[0], kids[1])
                                                        : rd_mod(terms, kids[0], kids[1]);
}

/* ---- functions ---- */

/* The largest r with r*r <= x. */
static rd_term root(struct rd_terms *terms, rd_term x)
{
    rd_wide number, found = 0;
    if (!rd_term_is_number(x, &number) || number < 0)
        return rd_apply(terms, "root", 1, &x);
    for (rd_wide bit = (rd_wide)1 << 40; bit > 0; bit >>= 1)
        if ((found | bit) * (found | bit) <= number)
            found |= bit;
    return rd_number(terms, found);
}

static rd_term extreme(struct rd_law_reader *reader, const struct rd_law_frame *frame,
                       const struct law_node *node)
{
    rd_term found = rd_law_reader_number(reader, frame, node->kids[0]);
    for (size_t k = 1; k < node->n_kids; k++) {
        const rd_term other = rd_law_reader_number(reader, frame, node->kids[k]);
        found = node->op == LAW_MIN ? rd_least(reader->terms, found, other)
                                    : rd_most(reader->terms, found, other);
    }
    return found;
}

static rd_term call(struct rd_law_reader *reader, const struct rd_law_frame *frame,
                    const struct law_node *node)
{
    struct rd_terms *terms = reader->terms;
    rd_wide number;
    if (node->op == LAW_MIN || node->op == LAW_MAX)
        return extreme(reader, frame, node);
    const rd_term x = rd_law_reader_number(reader, frame, node->kids[0]);
    if (node->op == LAW_FLOOR || node->op == LAW_CEIL) {
        const rd_term y = rd_law_reader_number(reader, frame, node->kids[1]);
        if (rd_term_is_number(y, &number) && number < 1)
            return zero_after_failure(reader, node, "a quotient by what isn't positive");
        return node->op == LAW_FLOOR ? quotient(terms, x, y) : ceil_quotient(terms, x, y);
    }
    switch ((enum law_function)node->op) {
    case LAW_ABS:
        return rd_choice(terms, rd_less(terms, x, rd_number(terms, 0)),
                         rd_subtract(terms, rd_number(terms, 0), x), x);
    case LAW_BIT_CEIL:
        if (rd_term_is_number(x, &number) && number < 1)
            return rd_number(terms, 1);
        return rd_apply(terms, "bit_ceil", 1, &x);
    case LAW_LOG2:
        return rd_apply(terms, "log2", 1, &x);
    case LAW_FLOOR_ROOT:
        return root(terms, x);
    default: {
        const rd_term below = root(terms, x);
        return rd_choice(terms, rd_equal(terms, rd_multiply(terms, below, below), x), below,
                         rd_add(terms, below, rd_number(terms, 1)));
    }
    }
}

/* ---- definitions ---- */

/* The equation of NAME_k for this k. *applied where it isn't known which that is, or none is to be used. */
static const struct law_equation *equation_for(struct rd_law_reader *reader,
                                               const struct law_node *node, rd_term index,
                                               bool *applied)
{
    const struct law_definition *definition = node->definition;
    const struct law_equation *successor = NULL;
    rd_wide least = index->kind == RD_TERM_SUM ? index->number : 0;
    const bool is_number = rd_term_is_number(index, &least);
    for (unsigned k = 0; index->kind == RD_TERM_SUM && k < index->n_kids; k++)
        if (index->coefficients[k] < 0)
            least = 0;
    for (size_t k = 0; k < definition->n_equations; k++) {
        const struct law_equation *equation = &definition->equations[k];
        if (equation->successor)
            successor = equation;
        else if (is_number && equation->index == least)
            return equation;
        else if (!is_number && equation->index >= least)
            *applied = true;
    }
    if (!successor && is_number)
        rd_law_reader_fail(reader, node, "that isn't defined");
    if (!successor || least < 1)
        *applied = true;
    return *applied ? NULL : successor;
}

const struct law_equation *rd_law_reader_enter(struct rd_law_reader *reader,
                                               const struct rd_law_frame *frame,
                                               const struct law_node *node,
                                               struct rd_law_frame *inner, bool *applied)
{
    const bool family = node->kind == LAW_FAMILY;
    const struct law_equation *equation = node->definition->equations;
    *inner = (struct rd_law_frame){
        .section = frame->section, .at = frame->at, .reading = frame->reading};
    *applied = false;
    for (size_t k = family; k < node->n_kids; k++)
        inner->variables[k - family] = rd_law_reader_number(reader, frame, node->kids[k]);
    if (family) {
        const rd_term index = rd_law_reader_number(reader, frame, node->kids[0]);
        equation = equation_for(reader, node, index, applied);
        if (equation && equation->successor)
            inner->variables[equation->n_parameters] =
                rd_subtract(reader->terms, index, number_of(reader, 1));
    }
    return rd_law_reader_has_failed(reader) ? NULL : equation;
}

/* Names that lemmas speak of. */
static bool is_known_function(const char *name)
{
    static const char *const known[] = {"pow2", "P2", "log2", "bit_ceil", "root", "xor", "dead"};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (strcmp(name, known[k]) == 0)
            return true;
    return false;
}

static rd_term defined(struct rd_law_reader *reader, const struct rd_law_frame *frame,
                       const struct law_node *node)
{
    struct rd_law_frame inner;
    bool applied;
    rd_term value = number_of(reader, 0);
    if (++reader->depth > DEPTH_MAX) {
        rd_law_reader_fail(reader, node, "definitions so deep in each other");
    } else {
        const struct law_equation *equation =
            rd_law_reader_enter(reader, frame, node, &inner, &applied);
        rd_term kids[LAW_INDICES_MAX + 1];
        if (equation) {
            value = rd_law_reader_number(reader, &inner, equation->body);
        } else if (applied && is_known_function(node->definition->name)) {
            rd_law_reader_fail(reader, node, "a definition that has the name of another function");
        } else if (applied && node->n_kids <= LAW_INDICES_MAX) {
            for (size_t k = 0; k < node->n_kids; k++)
                kids[k] = rd_law_reader_number(reader, frame, node->kids[k]);
            value = rd_apply(reader->terms, node->definition->name, (unsigned)node->n_kids, kids);
        }
    }
    reader->depth--;
    return value;
}

/* ---- numbers ---- */

static rd_term quantity(struct rd_law_reader *reader, const struct rd_law_frame *frame,
                        const struct law_node *node)
{
    const struct rd_law_numbers *at = frame->at;
    const rd_term known[LAW_QUANTITY_COUNT] = {
        [LAW_N] = at->n,         [LAW_T] = at->T,          [LAW_B] = at->B,
        [LAW_D] = at->d,         [LAW_BLOCK] = at->block,  [LAW_WARP] = at->warp,
        [LAW_BYTES] = at->bytes, [LAW_STEP] = at->variable};
    if (known[node->slot])
        return known[node->slot];
    rd_law_reader_fail(reader, node, "that has no value here");
    return number_of(reader, 0);
}

/* The value that is given for the definition; NULL: none is. */
static rd_term given(const struct rd_law_frame *frame, const struct law_node *node)
{
    const struct rd_law_given *given = frame->at->given;
    for (size_t k = 0; given && k < given->count; k++)
        if (strcmp(given->names[k], node->name) == 0)
            return given->terms[k];
    return NULL;
}

static rd_term named(struct rd_law_reader *reader, const struct rd_law_frame *frame,
                     const struct law_node *node)
{
    if (node->meaning == LAW_IS_DEFINITION && given(frame, node))
        return given(frame, node);
    if (node->meaning == LAW_IS_DEFINITION)
        return defined(reader, frame, node);
    if (node->meaning == LAW_IS_QUANTITY)
        return quantity(reader, frame, node);
    if (node->meaning == LAW_IS_VARIABLE && frame->variables[node->slot])
        return frame->variables[node->slot];
    return zero_after_failure(reader, node, "that has no value here");
}

rd_term rd_law_reader_number(struct rd_law_reader *reader, const struct rd_law_frame *frame,
                             const struct law_node *node)
{
    if (rd_law_reader_has_failed(reader))
        return number_of(reader, 0);
    switch (node->kind) {
    case LAW_NUMBER:
        return number_of(reader, node->number);
    case LAW_NAME:
        return named(reader, frame, node);
    case LAW_CALL:
        return call(reader, frame, node);
    case LAW_FUNCTION:
    case LAW_FAMILY:
        return defined(reader, frame, node);
    case LAW_NEGATIVE:
        return rd_subtract(reader->terms, number_of(reader, 0),
                           rd_law_reader_number(reader, frame, node->kids[0]));
    case LAW_BINARY:
        return binary(reader, frame, node);
    default:
        return zero_after_failure(reader, node, "no number");
    }
}

rd_term rd_law_reader_flat(struct rd_law_reader *reader, const struct rd_law_frame *frame,
                           const struct law_node *node, size_t first,
                           const struct rd_law_section *section, const struct rd_law_numbers *at,
                           const struct law_array *array)
{
    const struct rd_law_frame of_array = {.section = section, .at = at};
    rd_term flat = number_of(reader, 0);
    for (size_t k = first; k < node->n_kids; k++) {
        if (k > first)
            flat = rd_multiply(reader->terms, flat,
                               rd_law_reader_number(reader, &of_array, array->sizes[k - first]));
        flat = rd_add(reader->terms, flat, rd_law_reader_number(reader, frame, node->kids[k]));
    }
    return flat;
}

/* ---- conditions ---- */

/* A side of a comparison: where it stands for a definition, that. */
struct side {
    const struct law_node *node;
    struct rd_law_frame frame;
};

static struct side side_of(const struct rd_law_frame *frame, const struct law_node *node)
{
    struct side side = {node, *frame};
    while (side.node->kind == LAW_NAME && side.node->meaning == LAW_IS_DEFINITION &&
           !given(&side.frame, side.node)) {
        side.node = side.node->definition->equations[0].body;
        side.frame = (struct rd_law_frame){.section = frame->section, .at = frame->at};
    }
    return side;
}

/* x < y, or x <= y; x < min(p, q) as x < p and x < q, and max(p, q) < y likewise. */
static rd_term less(struct rd_law_reader *reader, const struct side *x, bool or_equal,
                    const struct side *y)
{
    struct rd_terms *terms = reader->terms;
    const bool many_x = x->node->kind == LAW_CALL && x->node->op == LAW_MAX;
    const bool many_y = y->node->kind == LAW_CALL && y->node->op == LAW_MIN;
    rd_term all = rd_true(terms);
    for (size_t k = 0; many_x && k < x->node->n_kids; k++) {
        const struct side kid = side_of(&x->frame, x->node->kids[k]);
        all = rd_and(terms, all, less(reader, &kid, or_equal, y));
    }
    for (size_t k = 0; !many_x && many_y && k < y->node->n_kids; k++) {
        const struct side kid = side_of(&y->frame, y->node->kids[k]);
        all = rd_and(terms, all, less(reader, x, or_equal, &kid));
    }
    if (many_x || many_y)
        return all;
    const rd_term left = rd_law_reader_number(reader, &x->frame, x->node);
    const rd_term right = rd_law_reader_number(reader, &y->frame, y->node);
    return or_equal ? rd_at_most(terms, left, right) : rd_less(terms, left, right);
}

static rd_term compare(struct rd_law_reader *reader, const struct rd_law_frame *frame,
                       const struct law_node *left, enum law_relation relation,
                       const struct law_node *right)
{
    const struct side x = side_of(frame, left), y = side_of(frame, right);
    switch (relation) {
    case LAW_LESS:
    case LAW_LESS_EQUAL:
        return less(reader, &x, relation == LAW_LESS_EQUAL, &y);
    case LAW_GREATER:
    case LAW_GREATER_EQUAL:
        return less(reader, &y, relation == LAW_GREATER_EQUAL, &x);
    default: {
        const rd_term same = rd_equal(reader->terms, rd_law_reader_number(reader, frame, left),
                                      rd_law_reader_number(reader, frame, right));
        return relation == LAW_EQUAL ? same : rd_not(reader->terms, same);
    }
    }
}

static rd_term congruence(struct rd_law_reader *reader, const struct rd_law_frame *frame,
                          const struct law_node *node)
{
    const rd_term x = rd_law_reader_number(reader, frame, node->kids[0]);
    const rd_term y = rd_law_reader_number(reader, frame, node->kids[1]);
    const rd_term modulus = rd_law_reader_number(reader, frame, node->kids[2]);
    rd_wide number;
    if (rd_term_is_number(modulus, &number) && number < 1) {
        rd_law_reader_fail(reader, node, "a congruence by what isn't positive");
        return rd_false(reader->terms);
    }
    return rd_equal(reader->terms, rd_mod(reader->terms, x, modulus),
                    rd_mod(reader->terms, y, modulus));
}

rd_term rd_law_reader_condition(struct rd_law_reader *reader, const struct rd_law_frame *frame,
                                const struct law_node *node)
{
    struct rd_terms *terms = reader->terms;
    if (rd_law_reader_has_failed(reader))
        return rd_false(terms);
    switch (node->kind) {
    case LAW_COMPARISON: {
        rd_term all = rd_true(terms);
        for (size_t k = 0; k + 1 < node->n_kids; k++)
            all = rd_and(
                terms, all,
                compare(reader, frame, node->kids[k], node->relations[k], node->kids[k + 1]));
        return all;
    }
    case LAW_CONGRUENCE:
        return congruence(reader, frame, node);
    case LAW_NOT:
        return rd_not(terms, rd_law_reader_condition(reader, frame, node->kids[0]));
    case LAW_LOGIC: {
        rd_term joined = rd_law_reader_condition(reader, frame, node->kids[0]);
        for (size_t k = 1; k < node->n_kids; k++) {
            const rd_term kid = rd_law_reader_condition(reader, frame, node->kids[k]);
            joined = node->op == LAW_OR ? rd_or(terms, joined, kid) : rd_and(terms, joined, kid);
        }
        return joined;
    }
    default:
        rd_law_reader_fail(reader, node, "no condition");
        return rd_false(terms);
    }
}
