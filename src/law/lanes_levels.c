// SPDX-License-Identifier: MIT
/* Makes the cases of a binding ready: which variables are tried, in which order, and what each condition says of the
 * innermost that it speaks of. */
#include "law/lanes.h"

#include <stdlib.h>
#include <string.h>

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

/* Makes the code of both sides. */
static bool make_sides(struct lane_maker *maker, const struct lane_names *names,
                       const struct comparison *compared, struct lane_code *left,
                       struct lane_code *right)
{
    if (!rd_lane_number(maker, names, compared->left, left))
        return false;
    if (compared->right)
        return rd_lane_number(maker, names, compared->right, right);
    rd_lane_constant(maker, 0, right);
    return true;
}

static bool find_hints(struct lane_maker *maker, const struct lane_names *names,
                       const struct comparison *compared, uint64_t variable, struct lane_atom *atom)
{
    struct lane_code left, right;
    if (compared->relation == LAW_NOT_EQUAL || !make_sides(maker, names, compared, &left, &right))
        return false;
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
    return make_sides(maker, names, compared, &left, &right) &&
           rd_lane_relation(maker, &left, compared->relation, &right, &condition) &&
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
    for (size_t k = 0; k < binding->n_begins; k++)
        if (!add_condition(maker, names, cases, binding->begins[k]))
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
