// SPDX-License-Identifier: MIT
/* Makes bindings, values and claims ready for a run. */
#include "law/lanes.h"

#include <stdlib.h>
#include <string.h>

/* ---- levels ---- */

/* Makes the cases of a binding ready: which variables are tried, in which order, and what each condition says of the
 * innermost that it speaks of. */

/* v, in a comparison with what is known, as links around a straight line. */
static bool unfold(struct lane_maker *maker, const struct lane_names *names,
                   const struct law_node *node, uint64_t variable, struct lane_atom *atom)
{
    for (;;) {
        struct lane_code code;
        const struct lane_name *name =
            node->meaning == LAW_IS_VARIABLE ? &names->slots[node->slot] : NULL;
        if (!rd_lane_number(maker, names, node, &code))
            return false;
        if (!(code.curved & variable)) {
            atom->line = code;
            return true;
        }
        if (name && name->kind == LANE_NAME_EXPRESSION) {
            node = name->node;
            names = name->names;
            continue;
        }
        if (node->meaning == LAW_IS_DEFINITION && node->definition->kind != LAW_LET_FAMILY) {
            names = rd_lane_enter(maker, names, node, 0, &node);
            if (!names)
                return false;
            continue;
        }
        if (atom->n_links == LANE_CHAIN || (node->kind != LAW_BINARY && node->kind != LAW_CALL) ||
            node->n_kids != 2)
            return false;
        struct lane_code sides[2];
        if (!rd_lane_number(maker, names, node->kids[0], &sides[0]) ||
            !rd_lane_number(maker, names, node->kids[1], &sides[1]))
            return false;
        const bool right = sides[1].variables & variable;
        struct lane_link *link = &atom->links[atom->n_links++];
        if (sides[!right].variables & variable)
            return false;
        link->code = sides[!right];
        /* The left side of '/' and '%' must not be negative, as a variable by itself never is. */
        const bool natural = node->kids[0]->meaning == LAW_IS_VARIABLE;
        if (node->kind == LAW_BINARY && node->op == LAW_ADD)
            link->kind = LANE_LINK_OFFSET;
        else if (right)
            return false;
        else if ((node->kind == LAW_CALL && node->op == LAW_FLOOR) ||
                 (node->kind == LAW_BINARY &&
                  (node->op == LAW_DIV || (node->op == LAW_SLASH && natural))))
            link->kind = LANE_LINK_QUOTIENT;
        else if (node->kind == LAW_BINARY &&
                 (node->op == LAW_MOD || (node->op == LAW_PERCENT && natural)))
            link->kind = LANE_LINK_REMAINDER;
        else
            return false;
        node = node->kids[right];
    }
}

/* left relation right, or left = right (mod modulus) */
struct comparison {
    const struct law_node *left, *right; /* right NULL: 0 */
    const struct law_node *modulus;      /* NULL: none */
    enum law_relation relation;
};

static bool find_hints(struct lane_maker *maker, const struct lane_names *names,
                       const struct comparison *compared, uint64_t variable, struct lane_atom *atom)
{
    struct lane_code left, right;
    if (compared->relation == LAW_NOT_EQUAL || !rd_lane_number(maker, names, compared->left, &left))
        return false;
    if (compared->right) {
        if (!rd_lane_number(maker, names, compared->right, &right))
            return false;
    } else {
        rd_lane_constant(maker, 0, &right);
    }
    if (compared->modulus) {
        atom->congruence = true;
        if (!rd_lane_number(maker, names, compared->modulus, &atom->modulus) ||
            (atom->modulus.variables & variable))
            return false;
    }
    const bool on_right = right.variables & variable;
    if (on_right && (left.variables & variable))
        return false;
    atom->relation = on_right ? rd_law_relation_mirrored(compared->relation) : compared->relation;
    atom->other = on_right ? left : right;
    return unfold(maker, names, on_right ? compared->right : compared->left, variable, atom);
}

/* 0 <= v, which a bound variable is anyway. */
static bool says_nothing(const struct lane_atom *atom)
{
    return atom->hints && !atom->congruence && atom->n_links == 0 && atom->line.count == 1 &&
           atom->relation == LAW_GREATER_EQUAL && rd_lane_is_constant(&atom->other) &&
           atom->other.steps[0].number <= 0;
}

/* To the innermost level that the condition speaks of. */
static bool add_atom(struct lane_maker *maker, const struct lane_names *names,
                     struct lane_cases *cases, const struct lane_code *condition,
                     const struct comparison *compared)
{
    struct law_arena *arena = &maker->lanes->arena;
    for (size_t k = cases->n_levels; k-- > 0;) {
        struct lane_level *level = &cases->levels[k];
        const uint64_t variable = (uint64_t)1 << level->variable;
        if (!(condition->variables & variable))
            continue;
        struct lane_atom *atoms = rd_law_arena_grow(arena, level->atoms, level->n_atoms,
                                                    &level->atoms_capacity, sizeof *atoms);
        if (!atoms)
            return false;
        level->atoms = atoms;
        struct lane_atom *atom = &atoms[level->n_atoms++];
        *atom = (struct lane_atom){.condition = *condition};
        atom->hints = compared && find_hints(maker, names, compared, variable, atom);
        level->n_atoms -= says_nothing(atom);
        return true;
    }
    struct lane_code *checks = rd_law_arena_grow(arena, cases->checks, cases->n_checks,
                                                 &cases->checks_capacity, sizeof *checks);
    if (!checks)
        return false;
    cases->checks = checks;
    checks[cases->n_checks++] = *condition;
    return true;
}

static bool add_condition(struct lane_maker *maker, const struct lane_names *names,
                          struct lane_cases *cases, const struct law_node *node)
{
    struct lane_code condition;
    const bool is_comparison = node->kind == LAW_COMPARISON && node->n_kids == 2;
    const struct comparison compared = {
        .left = node->n_kids > 0 ? node->kids[0] : NULL,
        .right = node->n_kids > 1 ? node->kids[1] : NULL,
        .modulus = node->kind == LAW_CONGRUENCE ? node->kids[2] : NULL,
        .relation = is_comparison ? node->relations[0] : LAW_EQUAL,
    };
    return rd_lane_condition(maker, names, node, &condition) &&
           add_atom(maker, names, cases, &condition,
                    is_comparison || node->kind == LAW_CONGRUENCE ? &compared : NULL);
}

/* The value of the variable, where a condition gives it. */
static const struct law_node *value_of(const struct law_plan_level *level,
                                       const struct law_node **where)
{
    for (size_t k = 0; k < level->n_checks; k++) {
        const struct law_node *atom = level->checks[k];
        if (atom->kind != LAW_COMPARISON || atom->n_kids != 2 || atom->relations[0] != LAW_EQUAL)
            continue;
        for (unsigned side = 0; side < 2; side++) {
            const struct law_node *name = atom->kids[side];
            if (name->kind == LAW_NAME && name->meaning == LAW_IS_VARIABLE &&
                name->slot == level->slot &&
                !(rd_law_variables(atom->kids[!side]) & 1u << level->slot)) {
                *where = atom;
                return atom->kids[!side];
            }
        }
    }
    return NULL;
}

static bool relate(struct lane_maker *maker, const struct lane_names *names,
                   struct lane_cases *cases, const struct comparison *compared)
{
    struct lane_code left, right, condition;
    if (!rd_lane_number(maker, names, compared->left, &left))
        return false;
    if (compared->right) {
        if (!rd_lane_number(maker, names, compared->right, &right))
            return false;
    } else {
        rd_lane_constant(maker, 0, &right);
    }
    return rd_lane_relation(maker, &left, compared->relation, &right, &condition) &&
           add_atom(maker, names, cases, &condition, compared);
}

/* A variable that is determined by those before it stands for its value. */
static bool replace(struct lane_maker *maker, struct lane_names *names, struct lane_cases *cases,
                    const struct law_plan_level *level, const struct law_node *value,
                    const struct law_node *where)
{
    const struct comparison natural = {.left = value, .relation = LAW_GREATER_EQUAL};
    names->slots[level->slot] =
        (struct lane_name){.kind = LANE_NAME_EXPRESSION, .node = value, .names = names};
    if (!relate(maker, names, cases, &natural))
        return false;
    for (size_t k = 0; k < level->n_limits; k++) {
        const struct law_limit *limit = &level->limits[k];
        const struct comparison below = {
            .left = value,
            .right = limit->size,
            .relation = limit->inclusive ? LAW_LESS_EQUAL : LAW_LESS,
        };
        if (!relate(maker, names, cases, &below))
            return false;
    }
    for (size_t k = 0; k < level->n_checks; k++)
        if (level->checks[k] != where && !add_condition(maker, names, cases, level->checks[k]))
            return false;
    return true;
}

static bool add_level(struct lane_maker *maker, struct lane_names *names, struct lane_cases *cases,
                      const struct law_plan_level *from)
{
    struct lane_level *level = &cases->levels[cases->n_levels];
    if (maker->n_variables == LANE_VARIABLES)
        return false;
    *level = (struct lane_level){.variable = maker->n_variables++};
    level->limits = rd_law_arena_get(&maker->lanes->arena, from->n_limits * sizeof *level->limits);
    if (!level->limits)
        return false;
    names->slots[from->slot] =
        (struct lane_name){.kind = LANE_NAME_VARIABLE, .variable = level->variable};
    cases->n_levels++;
    for (size_t k = 0; k < from->n_limits; k++) {
        struct lane_limit *limit = &level->limits[level->n_limits++];
        limit->inclusive = from->limits[k].inclusive;
        if (!rd_lane_number(maker, names, from->limits[k].size, &limit->size))
            return false;
    }
    for (size_t k = 0; k < from->n_checks; k++)
        if (!add_condition(maker, names, cases, from->checks[k]))
            return false;
    return true;
}

/* Adds the risks of no value that depend on the place, or on variables around the binding; others are decided at once. */
static bool add_risks(struct lane_maker *maker, const struct lane_names *names,
                      const struct law_plan *plan, struct lane_cases *cases)
{
    struct law_arena *arena = &maker->lanes->arena;
    uint64_t variables = 0;
    cases->risks = rd_law_arena_get(arena, (plan->n_risks + 1) * sizeof *cases->risks);
    if (!cases->risks)
        return false;
    for (size_t k = 0; k < plan->n_risks; k++) {
        struct lane_risk *risk = &cases->risks[cases->n_risks];
        risk->divides = plan->risks[k].kind != LAW_RISK_NO_VALUE;
        risk->least = plan->risks[k].kind == LAW_RISK_ZERO ? INT64_MIN : 1;
        if (!rd_lane_number(maker, names, plan->risks[k].node, &risk->code))
            return false;
        if (!rd_lane_is_constant(&risk->code)) {
            variables |= risk->code.variables;
            cases->n_risks++;
        } else if (risk->divides &&
                   (risk->code.steps[0].number < risk->least || risk->code.steps[0].number == 0)) {
            return false;
        }
    }
    if (variables == 0 && !(cases->safe_at = rd_law_arena_get(arena, sizeof *cases->safe_at)))
        return false;
    return true;
}

bool rd_lane_cases(struct lane_maker *maker, struct lane_names *names,
                   const struct law_binding *binding, struct lane_cases *cases)
{
    const struct law_plan *plan = binding->plan;
    *cases = (struct lane_cases){.n_levels = 0};
    if (plan->in_order)
        return false; /* here all hints leave values out before a condition is asked */
    if (!add_risks(maker, names, plan, cases))
        return false;
    cases->levels =
        rd_law_arena_get(&maker->lanes->arena, (plan->n_levels + 1) * sizeof *cases->levels);
    if (!cases->levels)
        return false;
    for (size_t k = 0; k < plan->n_checks; k++)
        if (!add_condition(maker, names, cases, plan->checks[k]))
            return false;
    for (size_t k = 0; k < plan->n_levels; k++) {
        const struct law_plan_level *level = &plan->levels[k];
        const struct law_node *where = NULL, *value = value_of(level, &where);
        if (level->slot >= LAW_VARIABLES_MAX ||
            !(value ? replace(maker, names, cases, level, value, where)
                    : add_level(maker, names, cases, level)))
            return false;
    }
    return true;
}

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

static bool is_few(const struct lane_code *code)
{
    return rd_lane_is_constant(code) && code->steps[0].number <= SHORT;
}

/* Tells whether the variable takes few values: q < 3. */
static bool is_short(const struct lane_level *level)
{
    for (size_t k = 0; k < level->n_limits; k++)
        if (is_few(&level->limits[k].size))
            return true;
    for (size_t k = 0; k < level->n_atoms; k++) {
        const struct lane_atom *atom = &level->atoms[k];
        if (atom->hints && !atom->congruence && atom->n_links == 0 && atom->line.count == 1 &&
            (atom->relation == LAW_LESS || atom->relation == LAW_LESS_EQUAL) &&
            is_few(&atom->other))
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
