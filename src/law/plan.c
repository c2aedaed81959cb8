// SPDX-License-Identifier: MIT
#include "law/plan.h"
#include "law/print.h"

/* ---- plans ---- */

uint32_t rd_law_variables(const struct law_node *node)
{
    if (node->looked_at)
        return node->variables;
    uint32_t slots = node->meaning == LAW_IS_VARIABLE ? 1u << node->slot : 0;
    for (size_t k = 0; k < node->n_kids; k++)
        slots |= rd_law_variables(node->kids[k]);
    return slots;
}

bool rd_law_is_named(const struct law_node *node)
{
    if (node->looked_at)
        return node->named;
    if (node->kind == LAW_NAME || node->kind == LAW_FUNCTION || node->kind == LAW_FAMILY)
        return true;
    for (size_t k = 0; k < node->n_kids; k++)
        if (rd_law_is_named(node->kids[k]))
            return true;
    return false;
}

bool rd_law_is_of_definitions(const struct law_node *node)
{
    if (node->looked_at)
        return node->of_definitions;
    if (node->meaning == LAW_IS_DEFINITION)
        return true;
    for (size_t k = 0; k < node->n_kids; k++)
        if (rd_law_is_of_definitions(node->kids[k]))
            return true;
    return false;
}

/* ---- conditions, cut at `and` and in chains ---- */

struct atom {
    struct law_node *node;
    bool risky;    /* it may be undefined */
    bool hides[2]; /* so may values be that a side of it leaves out by itself */
};

struct atoms {
    struct atom *list;
    size_t count, capacity;
    /* No condition is cut into parts of which one may be asked though another is undefined. */
    bool in_order;
};

static bool add_atom(struct law_scope *scope, struct atoms *atoms, struct law_node *node)
{
    struct atom *list = rd_law_arena_grow(&scope->law->arena, atoms->list, atoms->count,
                                          &atoms->capacity, sizeof *list);
    if (!list)
        return rd_law_scope_no_memory(scope);
    atoms->list = list;
    list[atoms->count++] = (struct atom){.node = node};
    return true;
}

static struct law_node *compare(struct law_scope *scope, struct law_node *left,
                                const enum law_relation *relation, struct law_node *right)
{
    struct law_node *node = rd_law_arena_get(&scope->law->arena, sizeof *node);
    struct law_node **kids = rd_law_arena_get(&scope->law->arena, 2 * sizeof *kids);
    if (!node || !kids) {
        rd_law_scope_no_memory(scope);
        return NULL;
    }
    kids[0] = left;
    kids[1] = right;
    *node = (struct law_node){.kind = LAW_COMPARISON,
                              .span = {left->span.begin, right->span.end},
                              .n_kids = 2,
                              .kids = kids,
                              .relations = relation};
    return node;
}

/* left relation right; x < min(p, q) as x < p and x < q, and max(p, q) <= x likewise. */
static bool add_comparison(struct law_scope *scope, struct law_node *left,
                           const enum law_relation *relation, struct law_node *right,
                           struct atoms *atoms)
{
    const bool less = *relation == LAW_LESS || *relation == LAW_LESS_EQUAL;
    const bool greater = *relation == LAW_GREATER || *relation == LAW_GREATER_EQUAL;
    const bool many_left = !atoms->in_order && left->kind == LAW_CALL &&
                           ((less && left->op == LAW_MAX) || (greater && left->op == LAW_MIN));
    const bool many_right = !atoms->in_order && right->kind == LAW_CALL &&
                            ((less && right->op == LAW_MIN) || (greater && right->op == LAW_MAX));
    for (size_t k = 0; many_left && k < left->n_kids; k++)
        if (!add_comparison(scope, left->kids[k], relation, right, atoms))
            return false;
    for (size_t k = 0; !many_left && many_right && k < right->n_kids; k++)
        if (!add_comparison(scope, left, relation, right->kids[k], atoms))
            return false;
    if (many_left || many_right)
        return true;
    struct law_node *atom = compare(scope, left, relation, right);
    return atom && add_atom(scope, atoms, atom);
}

static bool cut(struct law_scope *scope, struct law_node *condition, struct atoms *atoms)
{
    if (condition->kind == LAW_LOGIC && condition->op == LAW_AND)
        return cut(scope, condition->kids[0], atoms) && cut(scope, condition->kids[1], atoms);
    if (condition->kind != LAW_COMPARISON)
        return add_atom(scope, atoms, condition);
    for (size_t k = 0; k + 1 < condition->n_kids; k++)
        if (!add_comparison(scope, condition->kids[k], &condition->relations[k],
                            condition->kids[k + 1], atoms))
            return false;
    return true;
}

/* ---- what an expression tells about a variable in it ---- */

enum growth { GROWS, FALLS, EITHER_WAY, UNRELATED };

static enum growth opposite(enum growth growth)
{
    return growth == GROWS ? FALLS : growth == FALLS ? GROWS : growth;
}

/* Returns how the expression, which names the variable, grows with it. UNRELATED ones don't bound the variable. */
static enum growth growth_of(const struct law_node *node, uint32_t variable)
{
    enum growth growth;
    if (node->kind == LAW_NAME)
        return GROWS;
    if (node->kind == LAW_NEGATIVE)
        return opposite(growth_of(node->kids[0], variable));
    if (node->kind == LAW_CALL && node->op == LAW_FLOOR)
        return rd_law_variables(node->kids[1]) & variable ? UNRELATED
                                                          : growth_of(node->kids[0], variable);
    if (node->kind != LAW_BINARY)
        return UNRELATED;
    bool left = rd_law_variables(node->kids[0]) & variable;
    bool right = rd_law_variables(node->kids[1]) & variable;
    if (left && right)
        return UNRELATED;
    growth = growth_of(node->kids[right], variable);
    switch (node->op) {
    case LAW_ADD:
        return growth;
    case LAW_SUBTRACT:
        return left ? growth : opposite(growth);
    case LAW_TIMES:
        if (growth == UNRELATED || node->kids[left]->kind == LAW_NUMBER)
            return node->kids[left]->kind == LAW_NUMBER && node->kids[left]->number == 0 ? UNRELATED
                                                                                         : growth;
        return EITHER_WAY;
    case LAW_SLASH:
    case LAW_DIV:
        return left ? growth : UNRELATED;
    default:
        return UNRELATED;
    }
}

static bool bounds_above(const struct law_hint *hint, uint32_t variable)
{
    enum growth growth = growth_of(hint->side, variable);
    if (hint->modulus || growth == UNRELATED)
        return false;
    if (growth == EITHER_WAY || hint->relation == LAW_EQUAL)
        return true;
    bool below = hint->relation == LAW_LESS || hint->relation == LAW_LESS_EQUAL;
    return below == (growth == GROWS);
}

/* ---- levels ---- */

struct planning {
    struct law_scope *scope;
    struct atoms atoms;
    const struct law_node *term, *cell; /* NULL: none */
    uint32_t open;                      /* the variables that no level has yet */
    bool any_order;
    bool in_order;                   /* nothing that may be undefined is passed over */
    const struct law_plan_level *as; /* the level is to have its variable. NULL: any */
};

/* `u < SIZE` or `u <= MOST` of what is known, for a variable that has no level yet. */
static bool find_limit(const struct planning *planning, unsigned slot, struct law_limit *limit)
{
    for (size_t k = 0; k < planning->atoms.count; k++) {
        const struct law_node *atom = planning->atoms.list[k].node;
        if (atom->kind == LAW_COMPARISON &&
            (atom->relations[0] == LAW_LESS || atom->relations[0] == LAW_LESS_EQUAL) &&
            atom->kids[0]->meaning == LAW_IS_VARIABLE && atom->kids[0]->slot == slot &&
            !(rd_law_variables(atom->kids[1]) & planning->open)) {
            *limit = (struct law_limit){.size = atom->kids[1],
                                        .inclusive = atom->relations[0] == LAW_LESS_EQUAL};
            return true;
        }
    }
    return false;
}

/* Tells whether the hint can be used though its side speaks of these others, too. */
static bool take_rest(const struct planning *planning, struct law_hint *hint, uint32_t others)
{
    if (others == 0)
        return true;
    if (!planning->any_order || hint->relation != LAW_EQUAL || hint->modulus ||
        (others & (others - 1)) != 0)
        return false;
    hint->has_rest = true;
    hint->rest = (unsigned)__builtin_ctz(others);
    /* The values of the rest between its ends must lie between what it makes there. */
    return growth_of(hint->side, others) != UNRELATED &&
           find_limit(planning, hint->rest, &hint->limit);
}

static bool add_hint(struct planning *planning, struct law_plan_level *level, size_t *capacity,
                     struct law_hint hint)
{
    uint32_t of_others = planning->open & ~(1u << level->slot) & rd_law_variables(hint.side);
    uint32_t known = rd_law_variables(hint.other);
    if (hint.modulus)
        known |= rd_law_variables(hint.modulus);
    if (!(rd_law_variables(hint.side) & 1u << level->slot) || (known & planning->open) ||
        !take_rest(planning, &hint, of_others))
        return true;
    struct law_hint *hints = rd_law_arena_grow(&planning->scope->law->arena, level->hints,
                                               level->n_hints, capacity, sizeof *hints);
    if (!hints)
        return rd_law_scope_no_memory(planning->scope);
    level->hints = hints;
    hints[level->n_hints++] = hint;
    return true;
}

/* Reads a side of the condition as a hint for the level's variable; false where it gives none. */
static bool read_hint(const struct law_node *atom, unsigned side, struct law_hint *hint)
{
    const bool congruence = atom->kind == LAW_CONGRUENCE;
    if (!congruence && (atom->kind != LAW_COMPARISON || atom->relations[0] == LAW_NOT_EQUAL))
        return false;
    const enum law_relation relation = congruence ? LAW_EQUAL : atom->relations[0];
    *hint = (struct law_hint){.side = atom->kids[side],
                              .other = atom->kids[!side],
                              .relation = side ? rd_law_relation_mirrored(relation) : relation,
                              .modulus = congruence ? atom->kids[2] : NULL};
    return true;
}

/* Adds the conditions up to the first that may be undefined. */
static bool find_narrowing(struct planning *planning, struct law_plan_level *level,
                           size_t *capacity, size_t *first)
{
    const struct atoms *atoms = &planning->atoms;
    for (; *first < atoms->count; ++*first) {
        const struct atom *atom = &atoms->list[*first];
        const bool risky = planning->in_order && atom->risky;
        struct law_hint hint;
        for (unsigned side = 0; side < 2; side++)
            if (!(risky && atom->hides[side]) && read_hint(atom->node, side, &hint) &&
                !add_hint(planning, level, capacity, hint))
                return false;
        if (risky)
            break;
    }
    level->n_narrowing = level->n_hints;
    return true;
}

/* Adds those of the other conditions that bound the variable above, the ones that hide nothing undefined first. */
static bool find_bounds(struct planning *planning, struct law_plan_level *level, size_t *capacity,
                        size_t first)
{
    const struct atoms *atoms = &planning->atoms;
    struct law_hint hint;
    for (unsigned hides = 0; hides < 2; hides++)
        for (size_t k = 2 * first; k < 2 * atoms->count; k++)
            if (atoms->list[k / 2].hides[k % 2] == hides &&
                read_hint(atoms->list[k / 2].node, k % 2, &hint) &&
                bounds_above(&hint, 1u << level->slot) &&
                !add_hint(planning, level, capacity, hint))
                return false;
    return true;
}

static bool find_hints(struct planning *planning, struct law_plan_level *level)
{
    size_t capacity = 0, first = 0;
    return find_narrowing(planning, level, &capacity, &first) &&
           find_bounds(planning, level, &capacity, first);
}

/* The sizes of arrays in the term that the variable alone indexes. */
static bool find_limits(struct planning *planning, struct law_plan_level *level, size_t *capacity,
                        const struct law_node *node)
{
    for (size_t k = 0; k < node->n_kids; k++) {
        const struct law_node *kid = node->kids[k];
        if (node->kind == LAW_ELEMENT && kid->meaning == LAW_IS_VARIABLE &&
            kid->slot == level->slot &&
            (node->meaning == LAW_IS_INPUT || node->meaning == LAW_IS_DEFINITION)) {
            struct law_limit *limits =
                rd_law_arena_grow(&planning->scope->law->arena, level->limits, level->n_limits,
                                  capacity, sizeof *limits);
            if (!limits)
                return rd_law_scope_no_memory(planning->scope);
            level->limits = limits;
            struct law_limit *limit = &limits[level->n_limits++];
            const bool input = node->meaning == LAW_IS_INPUT;
            limit->size = input ? node->array->sizes[k] : node->definition->sizes[k];
            limit->inclusive = !input && node->definition->inclusive[k];
        }
        if (!find_limits(planning, level, capacity, kid))
            return false;
    }
    return true;
}

static bool is_bounded(const struct law_plan_level *level)
{
    for (size_t k = 0; k < level->n_hints; k++)
        if (bounds_above(&level->hints[k], 1u << level->slot))
            return true;
    return level->n_limits > 0;
}

/* Takes the conditions that speak of no open variable any more, in the order in which they stand; in order, none before
 * another that stands to its left if either may be undefined. */
static bool take_checks(struct planning *planning, struct law_node ***checks, size_t *count)
{
    struct atoms *atoms = &planning->atoms;
    size_t capacity = 0, kept = 0;
    bool passed_over = false; /* what may be undefined */
    *count = 0;
    for (size_t k = 0; k < atoms->count; k++) {
        const struct atom atom = atoms->list[k];
        if (passed_over || (planning->in_order && atom.risky && kept > 0) ||
            (rd_law_variables(atom.node) & planning->open)) {
            passed_over |= planning->in_order && atom.risky;
            atoms->list[kept++] = atom;
            continue;
        }
        struct law_node **list = rd_law_arena_grow(&planning->scope->law->arena, *checks, *count,
                                                   &capacity, sizeof(struct law_node *));
        if (!list)
            return rd_law_scope_no_memory(planning->scope);
        *checks = list;
        list[(*count)++] = atom.node;
    }
    atoms->count = kept;
    return true;
}

/* A name that a `for` compares, and that the cell has nothing of, is rather one that isn't known. */
static bool fail_unbounded(struct planning *planning, const struct law_binding *binding,
                           const struct law_variable *unbounded)
{
    for (size_t k = 0; planning->cell && k < binding->n_variables; k++) {
        const struct law_variable *variable = &binding->variables[k];
        const struct law_node name = {
            .kind = LAW_NAME, .span = variable->span, .name = variable->name};
        if ((planning->open & 1u << variable->slot) &&
            !(rd_law_variables(planning->cell) & 1u << variable->slot)) {
            planning->scope->n_variables = 0;
            return rd_law_scope_fail_unknown(planning->scope, &name);
        }
    }
    return rd_law_scope_fail(planning->scope, planning->cell ? unbounded->range : unbounded->span,
                             "'%.60s' has no upper bound: add one, such as '%.60s < n'",
                             unbounded->name, unbounded->name);
}

/* Ranks the level's hints by how far they narrow its variable down: 0 if they don't bound it. */
static unsigned rank_of(const struct law_plan_level *level)
{
    unsigned rank = is_bounded(level);
    for (size_t k = 0; k < level->n_hints; k++) {
        const struct law_hint *hint = &level->hints[k];
        if (rank == 0 || hint->relation != LAW_EQUAL)
            continue;
        const bool linear = growth_of(hint->side, 1u << level->slot) != UNRELATED;
        const unsigned by_hint = !linear || hint->modulus ? 2 : hint->has_rest ? 3 : 4;
        if (by_hint > rank)
            rank = by_hint;
    }
    return rank;
}

/* The first variable with an upper bound by what is known becomes the next level; in any order, the one that is
 * narrowed down most. */
static bool next_level(struct planning *planning, const struct law_binding *binding,
                       struct law_plan_level *level)
{
    const struct law_variable *unbounded = NULL;
    unsigned best = 0;
    for (size_t k = 0; k < binding->n_variables; k++) {
        const struct law_variable *variable = &binding->variables[k];
        struct law_plan_level candidate = {
            .slot = variable->slot, .name = variable->name, .span = variable->span};
        size_t capacity = 0;
        if (!(planning->open & 1u << variable->slot) ||
            (planning->as && planning->as->slot != variable->slot))
            continue;
        if (!find_hints(planning, &candidate) ||
            (planning->term && !find_limits(planning, &candidate, &capacity, planning->term)))
            return false;
        const unsigned rank = rank_of(&candidate);
        if (rank > best) {
            *level = candidate;
            best = rank;
            if (!planning->any_order)
                return true;
        }
        if (!unbounded)
            unbounded = variable;
    }
    return best > 0 || fail_unbounded(planning, binding, unbounded);
}

/* `as`: the variables come as in this plan. NULL: as they are bounded. */
static bool find_levels(struct planning *planning, const struct law_binding *binding,
                        const struct law_plan *as, struct law_plan *plan)
{
    struct law_scope *scope = planning->scope;
    plan->in_order = planning->in_order;
    plan->levels =
        rd_law_arena_get(&scope->law->arena, binding->n_variables * sizeof *plan->levels);
    if (!plan->levels)
        return rd_law_scope_no_memory(scope);
    for (size_t k = 0; k < binding->n_variables; k++)
        planning->open |= 1u << binding->variables[k].slot;
    if (!take_checks(planning, &plan->checks, &plan->n_checks))
        return false;
    for (size_t k = 0; k < binding->n_variables; k++) {
        struct law_plan_level *level = &plan->levels[k];
        planning->as = as ? &as->levels[k] : NULL;
        if (!next_level(planning, binding, level))
            return false;
        planning->open &= ~(1u << level->slot);
        if (!take_checks(planning, &level->checks, &level->n_checks))
            return false;
        plan->n_levels++;
    }
    return true;
}

static bool cut_all(struct planning *planning, const struct law_binding *binding)
{
    for (size_t k = 0; k < binding->n_conditions; k++)
        if (!cut(planning->scope, binding->conditions[k], &planning->atoms))
            return false;
    return true;
}

/* Tells whether what a side of a comparison leaves out may be undefined there: x in x mod 4 = 5, or x / 4 of x < 0. */
static bool leaves_undefined_out(struct law_scope *scope, const struct law_node *side, uint32_t own,
                                 bool *risky)
{
    struct law_risks risks = {0};
    const bool sum = side->kind == LAW_BINARY && side->op == LAW_ADD;
    const bool quotient = side->kind == LAW_CALL && side->op == LAW_FLOOR;
    if (sum)
        return leaves_undefined_out(scope, side->kids[0], own, risky) &&
               leaves_undefined_out(scope, side->kids[1], own, risky);
    if (!quotient && (side->kind != LAW_BINARY || rd_law_level(side) != LAW_LEVEL_TERM))
        return true;
    const bool sign = !quotient && (side->op == LAW_SLASH || side->op == LAW_PERCENT);
    if (!rd_law_add_risks(scope, side->kids[0], own, &risks))
        return false;
    *risky |= risks.count > 0 || risks.open;
    if (!rd_law_add_risks(scope, side, own, &risks))
        return false;
    *risky |= sign && risks.open;
    return true;
}

static bool find_hiding_sides(struct law_scope *scope, struct atom *atom, uint32_t own)
{
    if (atom->node->kind != LAW_COMPARISON && atom->node->kind != LAW_CONGRUENCE)
        return true;
    for (size_t k = 0; k < 2; k++)
        if (!leaves_undefined_out(scope, atom->node->kids[k], own, &atom->hides[k]))
            return false;
    return true;
}

/* Marks what may be undefined, and finds what that depends on. The last condition comes last anyway where it speaks of all
 * variables, and stands in the other plan as a `whole`. */
static bool find_risks(struct planning *planning, const struct law_binding *binding, bool whole,
                       struct law_risks *risks)
{
    uint32_t own = 0;
    for (size_t k = 0; k < binding->n_variables; k++)
        own |= 1u << binding->variables[k].slot;
    const size_t count = planning->atoms.count;
    for (size_t k = 0; k < count; k++) {
        struct atom *atom = &planning->atoms.list[k];
        const bool last = whole && k + 1 == count && (rd_law_variables(atom->node) & own) == own;
        struct law_risks of_atom = {0};
        if (!rd_law_add_risks(planning->scope, atom->node, own, &of_atom))
            return false;
        atom->risky = of_atom.count > 0 || of_atom.open;
        if (!find_hiding_sides(planning->scope, atom, own))
            return false;
        if (last)
            atom->risky = atom->hides[0] || atom->hides[1];
        if (atom->risky && !rd_law_add_risks(planning->scope, atom->node, own, risks))
            return false;
    }
    return true;
}

static bool make_plan(struct planning *planning, struct law_binding *binding)
{
    struct law_scope *scope = planning->scope;
    struct planning ordered = *planning;
    struct law_plan *plans = rd_law_arena_get(&scope->law->arena, 2 * sizeof *plans);
    struct law_risks risks = {0};
    if (!plans)
        return rd_law_scope_no_memory(scope);
    ordered.in_order = ordered.atoms.in_order = true;
    if (!cut_all(planning, binding))
        return false;
    const size_t n_atoms = planning->atoms.count;
    if (!find_levels(planning, binding, NULL, &plans[0]))
        return false;
    binding->plan = &plans[0];
    if (planning->any_order)
        return true;
    if (!cut_all(&ordered, binding) ||
        !find_risks(&ordered, binding, ordered.atoms.count == n_atoms, &risks))
        return false;
    if (risks.count == 0 && !risks.open)
        return true;
    if (!find_levels(&ordered, binding, &plans[0], &plans[1]))
        return false;
    if (risks.open) {
        binding->plan = &plans[1];
        return true;
    }
    plans[0].otherwise = &plans[1];
    plans[0].n_risks = risks.count;
    plans[0].risks = risks.list;
    return true;
}

bool rd_law_plan(struct law_scope *scope, struct law_binding *binding, const struct law_node *term,
                 const struct law_node *cell)
{
    struct planning planning = {.scope = scope, .term = term, .cell = cell};
    return rd_law_check_bounds(scope, binding, cell ? NULL : term) && make_plan(&planning, binding);
}

bool rd_law_plan_in_any_order(struct law_scope *scope, struct law_binding *binding,
                              const struct law_node *term)
{
    struct planning planning = {.scope = scope, .term = term, .any_order = true};
    return make_plan(&planning, binding);
}
