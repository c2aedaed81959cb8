// SPDX-License-Identifier: MIT
/* Makes bindings, values and claims ready for a run. */
#include "law/lanes.h"

#include <stdlib.h>
#include <string.h>

/* ---- values and claims ---- */

/* Makes values and claims ready for a run. */

enum { VALUES_DEEP = 60, VALUES_MAX = 500 };

static const struct lane_value *make(struct lane_maker *maker, const struct lane_names *names,
                                     const struct law_node *node);

static struct lane_value *new_value(struct lane_maker *maker, enum lane_kind kind)
{
    struct lane_value *value = rd_law_arena_get(&maker->lanes->arena, sizeof *value);
    if (value)
        value->kind = kind;
    return value;
}

static struct lane_code *codes(struct lane_maker *maker, size_t count)
{
    return rd_law_arena_get(&maker->lanes->arena, (count + 1) * sizeof(struct lane_code));
}

/* ---- definitions ---- */

/* NAME[…]…: where the indices are in its ranges, its body. */
static const struct lane_value *make_defined_element(struct lane_maker *maker,
                                                     const struct lane_names *names,
                                                     const struct law_node *node)
{
    const struct law_binding *ranges = node->definition->ranges;
    const struct law_node *body;
    struct lane_value *value = new_value(maker, LANE_CHECKED);
    struct lane_names *inner = rd_lane_enter(maker, names, node, 0, &body);
    if (!value || !inner)
        return NULL;
    value->conditions = codes(maker, node->n_kids + ranges->n_conditions);
    if (!value->conditions)
        return NULL;
    for (size_t k = 0; k < node->n_kids; k++) {
        struct lane_code index, zero;
        rd_lane_constant(maker, 0, &zero);
        if (!rd_lane_number(maker, names, node->kids[k], &index) ||
            !rd_lane_relation(maker, &index, LAW_GREATER_EQUAL, &zero,
                              &value->conditions[value->n_conditions++]))
            return NULL;
    }
    for (size_t k = 0; k < ranges->n_conditions; k++)
        if (!rd_lane_condition(maker, inner, ranges->conditions[k],
                               &value->conditions[value->n_conditions++]))
            return NULL;
    value->kids[0] = make(maker, inner, body);
    return value->kids[0] ? value : NULL;
}

static const struct lane_value *make_equation(struct lane_maker *maker,
                                              const struct lane_names *names,
                                              const struct law_node *node, int64_t index)
{
    const struct law_node *body;
    struct lane_names *inner = rd_lane_enter(maker, names, node, index, &body);
    if (!inner)
        return NULL;
    maker->depth++;
    const struct lane_value *value = make(maker, inner, body);
    maker->depth--;
    return value;
}

/* NAME_k(x), of a k that isn't known yet: one of the equations that are written for a k of their own. */
static const struct lane_value *make_choice(struct lane_maker *maker,
                                            const struct lane_names *names,
                                            const struct law_node *node,
                                            const struct lane_code *index)
{
    struct lane_value *value = new_value(maker, LANE_CHOICE);
    const struct law_definition *definition = node->definition;
    if (!value)
        return NULL;
    value->number = *index;
    for (size_t k = 0; k < definition->n_equations; k++) {
        const struct law_equation *equation = &definition->equations[k];
        if (equation->successor || equation->index < 0 || equation->index > 2)
            return NULL;
        value->kids[equation->index] = make_equation(maker, names, node, equation->index);
        if (!value->kids[equation->index])
            return NULL;
    }
    return value;
}

static const struct lane_value *
make_defined(struct lane_maker *maker, const struct lane_names *names, const struct law_node *node)
{
    struct lane_code index;
    if (node->definition->kind == LAW_LET_ARRAY)
        return make_defined_element(maker, names, node);
    if (node->definition->kind != LAW_LET_FAMILY)
        return make_equation(maker, names, node, 0);
    if (!rd_lane_number(maker, names, node->kids[0], &index))
        return NULL;
    return rd_lane_is_constant(&index) ? make_equation(maker, names, node, index.steps[0].number)
                                       : make_choice(maker, names, node, &index);
}

/* ---- elements ---- */

static const struct lane_value *
make_element(struct lane_maker *maker, const struct lane_names *names, const struct law_node *node)
{
    struct lane_value *value = new_value(maker, LANE_ELEMENT);
    const bool last = node->meaning == LAW_IS_LAST_STATE;
    const struct law_array *array = last ? node->section->array : node->array;
    const size_t before = last ? node->n_kids - array->n_sizes : 0;
    static const struct lane_names nothing;
    if (!value || before > 2 ||
        (node->meaning != LAW_IS_STATE && node->meaning != LAW_IS_INPUT && !last))
        return NULL;
    value->meaning = node->meaning;
    value->input = array->index;
    value->section = last ? node->section : maker->section;
    value->n_indices = array->n_sizes;
    value->indices = codes(maker, array->n_sizes);
    value->sizes = codes(maker, array->n_sizes);
    if (!value->indices || !value->sizes)
        return NULL;
    for (size_t k = 0; k < array->n_sizes; k++)
        if (!rd_lane_number(maker, names, node->kids[before + k], &value->indices[k]) ||
            !rd_lane_number(maker, &nothing, array->sizes[k], &value->sizes[k]))
            return NULL;
    rd_lane_constant(maker, 0, &value->block);
    rd_lane_constant(maker, 0, &value->warp);
    if ((before > 0 && !rd_lane_number(maker, names, node->kids[0], &value->block)) ||
        (before > 1 && !rd_lane_number(maker, names, node->kids[1], &value->warp)))
        return NULL;
    return value;
}

/* ---- operations ---- */

static const struct lane_value *make_reduction(struct lane_maker *maker,
                                               const struct lane_names *names,
                                               const struct law_node *node,
                                               const struct lane_value *onto)
{
    struct lane_value *value = new_value(maker, LANE_REDUCTION);
    struct lane_names *inner = rd_law_arena_get(&maker->lanes->arena, sizeof *inner);
    if (!value || !inner || rd_operation_selects((enum rd_operation)node->op))
        return NULL;
    *inner = *names;
    value->operation = (enum rd_operation)node->op;
    value->any_order = node->any_order;
    if (!rd_lane_cases(maker, inner, node->binding, &value->cases))
        return NULL;
    value->kids[0] = make(maker, inner, node->kids[0]);
    value->kids[1] = onto;
    return value->kids[0] ? value : NULL;
}

static const struct lane_value *make_power(struct lane_maker *maker, const struct lane_names *names,
                                           const struct law_node *node)
{
    struct lane_value *value = new_value(maker, LANE_RAISED);
    struct lane_code exponent;
    if (!value || !rd_lane_number(maker, names, node->kids[1], &exponent) ||
        !rd_lane_is_constant(&exponent) || exponent.steps[0].number < 1 ||
        exponent.steps[0].number > 64)
        return NULL;
    value->exponent = exponent.steps[0].number;
    value->kids[0] = make(maker, names, node->kids[0]);
    return value->kids[0] ? value : NULL;
}

static const struct lane_value *
make_binary(struct lane_maker *maker, const struct lane_names *names, const struct law_node *node)
{
    const struct law_node *right = node->kids[1];
    if (node->op == LAW_POWER)
        return make_power(maker, names, node);
    if (node->op != LAW_ADD && node->op != LAW_SUBTRACT && node->op != LAW_TIMES)
        return NULL;
    const struct lane_value *x = make(maker, names, node->kids[0]);
    if (!x)
        return NULL;
    if (node->op == LAW_ADD && right->kind == LAW_REDUCTION && right->op == RD_OPERATION_SUM &&
        !right->bracketed)
        return make_reduction(maker, names, right, x);
    struct lane_value *value = new_value(maker, node->op == LAW_ADD        ? LANE_SUM_OF_TWO
                                                : node->op == LAW_SUBTRACT ? LANE_DIFFERENCE
                                                                           : LANE_PRODUCT_OF_TWO);
    if (!value)
        return NULL;
    value->kids[0] = x;
    value->kids[1] = make(maker, names, right);
    return value->kids[1] ? value : NULL;
}

static const struct lane_value *make_value(struct lane_maker *maker, const struct lane_names *names,
                                           const struct law_node *node)
{
    struct lane_value *value;
    if (!node->data) {
        value = new_value(maker, LANE_NUMBER);
        return value && rd_lane_number(maker, names, node, &value->number) ? value : NULL;
    }
    if (node->meaning == LAW_IS_DEFINITION)
        return make_defined(maker, names, node);
    switch (node->kind) {
    case LAW_REDUCTION:
        return make_reduction(maker, names, node, NULL);
    case LAW_BINARY:
        return make_binary(maker, names, node);
    case LAW_NEGATIVE:
        value = new_value(maker, LANE_MINUS);
        if (!value)
            return NULL;
        value->kids[0] = make(maker, names, node->kids[0]);
        return value->kids[0] ? value : NULL;
    default:
        return make_element(maker, names, node);
    }
}

static const struct lane_value *make(struct lane_maker *maker, const struct lane_names *names,
                                     const struct law_node *node)
{
    if (maker->depth > VALUES_DEEP || maker->n_values == VALUES_MAX)
        return NULL;
    maker->n_values++;
    maker->depth++;
    const struct lane_value *value = make_value(maker, names, node);
    maker->depth--;
    return value;
}

/* ---- claims ---- */

enum { SHORT = 8 };

static bool is_small_constant(const struct lane_code *code)
{
    return rd_lane_is_constant(code) && code->steps[0].number <= SHORT;
}

/* Tells whether the variable takes few values: q < 3. */
static bool is_short(const struct lane_level *level)
{
    for (size_t k = 0; k < level->n_limits; k++)
        if (is_small_constant(&level->limits[k].size))
            return true;
    for (size_t k = 0; k < level->n_atoms; k++) {
        const struct lane_atom *atom = &level->atoms[k];
        if (atom->hints && !atom->congruence && atom->n_links == 0 && atom->line.count == 1 &&
            (atom->relation == LAW_LESS || atom->relation == LAW_LESS_EQUAL) &&
            is_small_constant(&atom->other))
            return true;
    }
    return false;
}

static bool speaks_of(const struct lane_level *level, uint64_t variable)
{
    for (size_t k = 0; k < level->n_limits; k++)
        if (level->limits[k].size.variables & variable)
            return true;
    for (size_t k = 0; k < level->n_atoms; k++)
        if (level->atoms[k].condition.variables & variable)
            return true;
    return false;
}

/* Tells whether the variable is the block or warp whose array of a point the value reads: such arrays take long. */
static bool asks_by(const struct lane_value *value, uint64_t variable)
{
    for (size_t k = 0; k < sizeof value->kids / sizeof *value->kids; k++)
        if (value->kids[k] && asks_by(value->kids[k], variable))
            return true;
    return (value->block.variables | value->warp.variables) & variable;
}

/* Three sums in a cell each, for instance, are worked out a sum at a time: a short innermost variable goes outside
 * another one that it has nothing to do with, so that many lanes stand side by side. */
static bool turn(struct lane_cases *cases, const struct lane_value *value)
{
    if (cases->n_levels < 2)
        return false;
    struct lane_level *outer = &cases->levels[cases->n_levels - 2], *inner = outer + 1;
    const uint64_t variable = (uint64_t)1 << outer->variable;
    if (!is_short(inner) || speaks_of(inner, variable) || asks_by(value, variable))
        return false;
    const struct lane_level moved = *outer;
    *outer = *inner;
    *inner = moved;
    return true;
}

static bool cases_differ_by_block(const struct lane_cases *cases)
{
    for (size_t k = 0; k < cases->n_risks; k++)
        if (cases->risks[k].code.variables & RD_LANE_BLOCK)
            return true;
    for (size_t k = 0; k < cases->n_checks; k++)
        if (cases->checks[k].variables & RD_LANE_BLOCK)
            return true;
    for (size_t k = 0; k < cases->n_levels; k++)
        if (speaks_of(&cases->levels[k], RD_LANE_BLOCK))
            return true;
    return false;
}

static bool sizes_differ_by_block(const struct lane_value *value)
{
    for (size_t k = 0; k < sizeof value->kids / sizeof *value->kids; k++)
        if (value->kids[k] && sizes_differ_by_block(value->kids[k]))
            return true;
    for (size_t k = 0; k < value->n_indices; k++)
        if (value->sizes[k].variables & RD_LANE_BLOCK)
            return true;
    return false;
}

static bool make_claim(struct law_lanes *lanes, const struct rd_law_section *section,
                       const struct law_claim *from, struct lane_claim *claim)
{
    struct lane_maker maker = {
        .lanes = lanes, .section = section, .n_variables = LAW_QUANTITY_COUNT};
    struct lane_names *names = rd_law_arena_get(&lanes->arena, sizeof *names);
    if (from->whole || !names)
        return false;
    claim->has_when = from->when != NULL;
    if (from->when && !rd_lane_condition(&maker, names, from->when, &claim->when))
        return false;
    if (from->binding && !rd_lane_cases(&maker, names, from->binding, &claim->cases))
        return false;
    claim->n_indices = section->array->n_sizes;
    claim->indices = codes(&maker, claim->n_indices);
    if (!claim->indices)
        return false;
    for (size_t k = 0; k < claim->n_indices; k++)
        if (!rd_lane_number(&maker, names, from->cell->kids[k], &claim->indices[k]))
            return false;
    claim->value = make(&maker, names, from->value);
    if (!claim->value)
        return false;
    claim->turned = turn(&claim->cases, claim->value);
    claim->by_block = (claim->when.variables & RD_LANE_BLOCK) ||
                      cases_differ_by_block(&claim->cases) || sizes_differ_by_block(claim->value);
    return true;
}

bool rd_lane_make_section(struct law_lanes *lanes, const struct rd_law_section *section)
{
    struct lane_section *made = &lanes->sections[section->index];
    struct lane_maker maker = {.lanes = lanes, .section = section};
    static const struct lane_names nothing;
    if (made->made)
        return made->known;
    made->made = true;
    made->sizes = codes(&maker, section->array->n_sizes);
    made->known = made->sizes != NULL;
    for (size_t k = 0; made->known && k < section->array->n_sizes; k++)
        made->known = rd_lane_number(&maker, &nothing, section->array->sizes[k], &made->sizes[k]);
    if (made->known && section->steps)
        made->known = rd_lane_number(&maker, &nothing, section->first, &made->first) &&
                      rd_lane_number(&maker, &nothing, section->next, &made->next) &&
                      rd_lane_number(&maker, &nothing, section->last, &made->last);
    return made->known;
}

bool rd_lane_make_claims(struct law_lanes *lanes, const struct rd_law_section *section,
                         enum rd_law_role role)
{
    const struct law_claims *from = &section->claims[role];
    if (!rd_lane_make_section(lanes, section))
        return false;
    struct lane_claims *claims = &lanes->sections[section->index].claims[role];
    if (claims->made)
        return claims->known;
    claims->made = true;
    claims->claims = rd_law_arena_get(&lanes->arena, from->count * sizeof *claims->claims);
    claims->known = claims->claims != NULL;
    for (size_t k = 0; claims->known && k < from->count; k++)
        claims->known = make_claim(lanes, section, &from->claims[k], &claims->claims[k]);
    claims->count = from->count;
    return claims->known;
}

struct law_lanes *rd_law_lanes_create(const struct rd_law *law, const struct rd_law_run *run)
{
    struct law_lanes *lanes = calloc(1, sizeof *lanes);
    if (!lanes)
        return NULL;
    lanes->law = law;
    lanes->has_b = run->has_b;
    memcpy(lanes->quantities, run->quantities, sizeof lanes->quantities);
    lanes->sections = calloc(law->n_sections + 1, sizeof *lanes->sections);
    if (!lanes->sections) {
        rd_law_lanes_destroy(lanes);
        return NULL;
    }
    return lanes;
}

void rd_law_lanes_destroy(struct law_lanes *lanes)
{
    if (!lanes)
        return;
    for (size_t k = 0; lanes->sections && k < lanes->law->n_sections; k++)
        rd_lane_state_finish(&lanes->sections[k].state);
    rd_lane_before_finish(&lanes->before);
    rd_law_arena_finish(&lanes->arena);
    free(lanes->sections);
    free(lanes->written);
    free(lanes->buffers);
    free(lanes);
}
