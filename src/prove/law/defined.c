// SPDX-License-Identifier: MIT
/* Where a law has a value: no quotient by 0, no power of a negative number, and no element that an input doesn't have. Names that the
 * law binds are constants here, so that what holds of them holds of all. Sizes of arrays are the program's own numbers, of which its
 * code has goals. */
#include "prove/law/reader.h"

#include <string.h>

struct walk {
    struct rd_law_reader *reader;
    struct rd_law_frame frame;
    struct rd_term_list given; /* what holds where the part is evaluated: from left to right */
    rd_term needed;
};

static void walk_number(struct walk *walk, const struct law_node *node);
static void walk_condition(struct walk *walk, const struct law_node *node);

/* The number must not be negative. */
static void need(struct walk *walk, rd_term number)
{
    struct rd_terms *terms = walk->reader->terms;
    if (rd_law_reader_has_failed(walk->reader) ||
        rd_law_reader_follows(walk->reader, number, &walk->given, NULL))
        return;
    walk->needed = rd_and(terms, walk->needed,
                          rd_implies(terms, rd_all_of(terms, &walk->given),
                                     rd_at_most(terms, rd_number(terms, 0), number)));
}

static void need_above(struct walk *walk, const struct law_node *node, rd_wide below)
{
    struct rd_terms *terms = walk->reader->terms;
    need(walk, rd_subtract(terms, rd_law_reader_number(walk->reader, &walk->frame, node),
                           rd_number(terms, below + 1)));
}

static void know(struct walk *walk, rd_term condition)
{
    rd_law_add_cut(walk->reader->terms, &walk->given, condition);
}

/* ---- numbers ---- */

static void walk_binary(struct walk *walk, const struct law_node *node)
{
    switch ((enum law_operator)node->op) {
    case LAW_SLASH:
    case LAW_PERCENT:
        if (!node->kids[0]->data)
            need_above(walk, node->kids[0], -1);
        need_above(walk, node->kids[1], 0);
        break;
    case LAW_DIV:
    case LAW_MOD:
        need_above(walk, node->kids[1], 0);
        break;
    case LAW_POWER:
        need_above(walk, node->kids[1], -1);
        break;
    case LAW_XOR:
        need_above(walk, node->kids[0], -1);
        need_above(walk, node->kids[1], -1);
        break;
    default:
        break;
    }
}

static void walk_call(struct walk *walk, const struct law_node *node)
{
    switch ((enum law_function)node->op) {
    case LAW_FLOOR:
    case LAW_CEIL:
        need_above(walk, node->kids[1], 0);
        break;
    case LAW_LOG2:
        need_above(walk, node->kids[0], 0);
        break;
    case LAW_FLOOR_ROOT:
    case LAW_CEIL_ROOT:
        need_above(walk, node->kids[0], -1);
        break;
    default:
        break;
    }
}

static bool is_given(const struct walk *walk, const struct law_node *node)
{
    const struct rd_law_given *given = walk->frame.at->given;
    for (size_t k = 0; given && k < given->count; k++)
        if (strcmp(given->names[k], node->name) == 0)
            return true;
    return false;
}

static void walk_number(struct walk *walk, const struct law_node *node)
{
    for (size_t k = 0; k < node->n_kids; k++)
        walk_number(walk, node->kids[k]);
    if (node->begins)
        need_above(walk, node, -1 - (rd_wide)node->begins_from);
    if (node->kind == LAW_BINARY)
        walk_binary(walk, node);
    else if (node->kind == LAW_CALL)
        walk_call(walk, node);
    else if (node->kind == LAW_ELEMENT)
        rd_law_reader_fail(walk->reader, node, "an element in a number or a condition");
    else if (node->kind == LAW_FUNCTION || node->kind == LAW_FAMILY ||
             (node->kind == LAW_NAME && node->meaning == LAW_IS_DEFINITION &&
              !is_given(walk, node)))
        rd_law_reader_fail(walk->reader, node, "a definition of the law's own");
}

/* ---- conditions ---- */

static void walk_logic(struct walk *walk, const struct law_node *node)
{
    struct rd_terms *terms = walk->reader->terms;
    const size_t count = walk->given.count;
    for (size_t k = 0; k < node->n_kids; k++) {
        walk_condition(walk, node->kids[k]);
        const rd_term kid = rd_law_reader_condition(walk->reader, &walk->frame, node->kids[k]);
        know(walk, node->op == LAW_OR ? rd_not(terms, kid) : kid);
    }
    walk->given.count = count;
}

static void walk_condition(struct walk *walk, const struct law_node *node)
{
    if (node->kind == LAW_LOGIC) {
        walk_logic(walk, node);
        return;
    }
    for (size_t k = 0; k < node->n_kids; k++)
        if (rd_law_is_condition(node->kids[k]))
            walk_condition(walk, node->kids[k]);
        else
            walk_number(walk, node->kids[k]);
    if (node->kind == LAW_CONGRUENCE)
        need_above(walk, node->kids[2], 0);
}

/* ---- what is bound ---- */

static void bind(struct walk *walk, const struct law_binding *binding)
{
    struct rd_terms *terms = walk->reader->terms;
    for (size_t k = 0; binding && k < binding->n_variables; k++) {
        const rd_term name =
            rd_constant(terms, rd_terms_text(terms, "%s of the law", binding->variables[k].name));
        walk->frame.variables[binding->variables[k].slot] = name;
        know(walk, rd_at_most(terms, rd_number(terms, 0), name)); /* names are 0 or more */
    }
}

static void walk_conditions(struct walk *walk, const struct law_binding *binding)
{
    for (size_t k = 0; binding && k < binding->n_begins; k++)
        walk_condition(walk, binding->begins[k]);
    for (size_t k = 0; binding && k < binding->n_conditions; k++) {
        walk_condition(walk, binding->conditions[k]);
        know(walk, rd_law_reader_condition(walk->reader, &walk->frame, binding->conditions[k]));
    }
}

static rd_term size_of(struct walk *walk, const struct law_node *element, size_t dimension)
{
    const struct rd_law_frame of_sizes = {.section = walk->reader->law->sections[0],
                                          .at = walk->frame.at};
    return rd_law_reader_number(walk->reader, &of_sizes, element->array->sizes[dimension]);
}

static bool is_bound_by(const struct law_binding *binding, const struct law_node *node)
{
    bool is = false;
    for (size_t k = 0; binding && k < binding->n_variables; k++)
        is = is || (node->kind == LAW_NAME && node->meaning == LAW_IS_VARIABLE &&
                    node->slot == binding->variables[k].slot);
    return is;
}

/* A name that stands alone in an index of the reduction's term ends with the input. */
static void know_limits(struct walk *walk, const struct law_binding *binding,
                        const struct law_node *term)
{
    struct rd_terms *terms = walk->reader->terms;
    for (size_t k = 0; k < term->n_kids; k++) {
        if (term->kind == LAW_ELEMENT && term->meaning == LAW_IS_INPUT &&
            is_bound_by(binding, term->kids[k]))
            know(walk,
                 rd_less(terms, rd_law_reader_number(walk->reader, &walk->frame, term->kids[k]),
                         size_of(walk, term, k)));
        know_limits(walk, binding, term->kids[k]);
    }
}

/* ---- values ---- */

static void walk_value(struct walk *walk, const struct law_node *node)
{
    struct rd_terms *terms = walk->reader->terms;
    const size_t count = walk->given.count;
    if (!node->data) {
        walk_number(walk, node);
        return;
    }
    if (node->kind == LAW_REDUCTION) {
        bind(walk, node->binding);
        know_limits(walk, node->binding, node->kids[0]);
        walk_conditions(walk, node->binding);
        walk_value(walk, node->kids[0]);
        walk->given.count = count;
        return;
    }
    for (size_t k = 0; k < node->n_kids; k++)
        walk_value(walk, node->kids[k]);
    if (node->kind == LAW_BINARY && !node->kids[1]->data)
        walk_binary(walk, node);
    for (size_t k = 0;
         node->kind == LAW_ELEMENT && node->meaning == LAW_IS_INPUT && k < node->n_kids; k++) {
        const rd_term index = rd_law_reader_number(walk->reader, &walk->frame, node->kids[k]);
        need(walk, index);
        need(walk, rd_subtract(terms, rd_subtract(terms, size_of(walk, node, k), index),
                               rd_number(terms, 1)));
    }
}

static void walk_claim(struct walk *walk, const struct law_claim *claim)
{
    const size_t count = walk->given.count;
    if (claim->when) {
        walk_condition(walk, claim->when);
        know(walk, rd_law_reader_condition(walk->reader, &walk->frame, claim->when));
    }
    bind(walk, claim->binding);
    walk_conditions(walk, claim->binding);
    for (size_t k = 0; k < claim->cell->n_kids; k++)
        walk_number(walk, claim->cell->kids[k]);
    walk_value(walk, claim->value);
    walk->given.count = count;
}

rd_term rd_law_term_defined(struct rd_law_reader *reader, const struct rd_law_section *section,
                            enum rd_law_role role, const struct rd_law_numbers *at)
{
    struct walk walk = {.reader = reader,
                        .frame = {.section = section, .at = at},
                        .needed = rd_true(reader->terms)};
    reader->at = *at;
    for (size_t k = 0; k < section->claims[role].count && !rd_law_reader_has_failed(reader); k++)
        walk_claim(&walk, &section->claims[role].claims[k]);
    rd_term_list_finish(&walk.given);
    return rd_law_reader_has_failed(reader) ? rd_false(reader->terms) : walk.needed;
}
