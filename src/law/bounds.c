// SPDX-License-Identifier: MIT
/* Where a bound name begins: not below 0. */
#include "law/plan.h"
#include "law/resolve.h"

enum { VISITS_MAX = 1 << 12 };

/* Tells whether it is written as a number below 0: -2, -r, 0 - r; not (-2), as texts of a law at a step have a number that was worked
 * out. */
static bool is_below_zero(const struct law_node *node)
{
    if (node->bracketed)
        return false;
    if (node->kind == LAW_NUMBER)
        return node->number < 0;
    if (node->kind == LAW_BINARY && node->op == LAW_SUBTRACT)
        return node->kids[0]->kind == LAW_NUMBER && node->kids[0]->number == 0;
    return node->kind == LAW_NEGATIVE;
}

/* A number as it is written, 5, -5 or 0 - 5. */
static bool is_literal(const struct law_node *node, int64_t *number)
{
    const bool is_difference = node->kind == LAW_BINARY && node->op == LAW_SUBTRACT &&
                               node->kids[0]->kind == LAW_NUMBER && node->kids[0]->number == 0,
               negative = is_difference || node->kind == LAW_NEGATIVE;
    const struct law_node *digits = negative ? node->kids[is_difference] : node;
    if (digits->kind != LAW_NUMBER)
        return false;
    *number = negative ? -digits->number : digits->number;
    return true;
}

/* Tells whether the name stands alone in an index: of elements there are none below 0. */
static bool is_index(const struct law_node *of, const struct law_node *name)
{
    for (size_t k = 0; k < of->n_kids; k++) {
        const struct law_node *kid = of->kids[k];
        if (is_index(kid, name) || (of->kind == LAW_ELEMENT && kid->kind == LAW_NAME &&
                                    kid->meaning == LAW_IS_VARIABLE && kid->slot == name->slot))
            return true;
    }
    return false;
}

/* ---- lower bounds ---- */

/* `least` + from <= name. */
struct bound {
    struct law_node *least;
    const struct law_node *name;
    int64_t from;
};

/* Checks one; false, with the error said, where it is refused. */
typedef bool check_bound(struct law_scope *scope, const struct bound *bound,
                         const struct law_node *condition, void *self);

static bool is_bound_name(const struct law_binding *binding, const struct law_node *node)
{
    bool is = false;
    for (size_t k = 0;
         node->kind == LAW_NAME && node->meaning == LAW_IS_VARIABLE && k < binding->n_variables;
         k++)
        is = is || binding->variables[k].slot == node->slot;
    return is;
}

/* Reads a side k, k + 5, 5 + k or k - 5; NULL: another. *from: what is to be added to the other side, for k alone. */
static const struct law_node *name_of(const struct law_binding *binding,
                                      const struct law_node *side, int64_t *from)
{
    *from = 0;
    if (is_bound_name(binding, side))
        return side;
    if (side->kind != LAW_BINARY || (side->op != LAW_ADD && side->op != LAW_SUBTRACT))
        return NULL;
    const struct law_node *left = side->kids[0], *right = side->kids[1];
    if (is_bound_name(binding, left) && right->kind == LAW_NUMBER) {
        *from = side->op == LAW_ADD ? -right->number : right->number;
        return left;
    }
    if (side->op == LAW_ADD && is_bound_name(binding, right) && left->kind == LAW_NUMBER) {
        *from = -left->number;
        return right;
    }
    return NULL;
}

/* Visits the lower bounds that comparisons put on names: those of `least` < side, `least` <= side and `least` = side. */
static bool visit(struct law_scope *scope, const struct law_binding *binding,
                  const struct law_node *condition, check_bound *check, void *self)
{
    if (condition->kind == LAW_LOGIC && condition->op == LAW_AND)
        return visit(scope, binding, condition->kids[0], check, self) &&
               visit(scope, binding, condition->kids[1], check, self);
    for (size_t k = 0; condition->kind == LAW_COMPARISON && k + 1 < condition->n_kids; k++) {
        const enum law_relation relation = condition->relations[k];
        const bool on_right = relation == LAW_LESS || relation == LAW_LESS_EQUAL,
                   on_left = relation == LAW_GREATER || relation == LAW_GREATER_EQUAL,
                   is_strict = relation == LAW_LESS || relation == LAW_GREATER;
        for (size_t side = 0; side < 2; side++) {
            struct bound bound = {.least = condition->kids[k + !side]};
            if (relation != LAW_EQUAL && !(side ? on_right : on_left))
                continue;
            bound.name = name_of(binding, condition->kids[k + side], &bound.from);
            if (bound.name && !__builtin_add_overflow(bound.from, is_strict, &bound.from) &&
                !(rd_law_variables(bound.least) & 1u << bound.name->slot) &&
                !check(scope, &bound, condition, self))
                return false;
        }
    }
    return true;
}

static bool visit_all(struct law_scope *scope, const struct law_binding *binding,
                      check_bound *check, void *self)
{
    for (size_t k = 0; k < binding->n_conditions; k++)
        if (!visit(scope, binding, binding->conditions[k], check, self))
            return false;
    return true;
}

/* ---- names that begin at 0 or above ---- */

struct marking {
    const struct law_node *of; /* what is bound, a term; NULL: cells */
    struct law_binding *binding;
    size_t capacity; /* of its begins */
    uint32_t own,
        natural; /* its names, and those that a condition keeps at 0 or above by its form: slot k as the bit 2^k */
};

static bool find_natural(struct law_scope *scope, const struct bound *bound,
                         const struct law_node *condition, void *self)
{
    struct marking *marking = self;
    int64_t number;
    (void)scope, (void)condition;
    if ((is_literal(bound->least, &number) &&
         !__builtin_add_overflow(number, bound->from, &number) && number >= 0) ||
        (bound->least->kind == LAW_NAME && bound->from >= 0 &&
         (bound->least->meaning == LAW_IS_QUANTITY ||
          is_bound_name(marking->binding, bound->least))))
        marking->natural |= 1u << bound->name->slot;
    return true;
}

/* Has the number asked before all cases, by what is true wherever it has a value. */
static bool add_begin(struct law_scope *scope, struct marking *marking, struct law_node *least)
{
    static const enum law_relation equal = LAW_EQUAL;
    struct law_binding *binding = marking->binding;
    struct law_node **begins = rd_law_arena_grow(
        &scope->law->arena, binding->begins, binding->n_begins, &marking->capacity, sizeof *begins);
    struct law_node *node = rd_law_arena_get(&scope->law->arena, sizeof *node);
    struct law_node **kids = rd_law_arena_get(&scope->law->arena, 2 * sizeof *kids);
    if (!begins || !node || !kids)
        return rd_law_scope_no_memory(scope);
    kids[0] = kids[1] = least;
    *node = (struct law_node){.kind = LAW_COMPARISON,
                              .span = least->span,
                              .n_kids = 2,
                              .kids = kids,
                              .relations = &equal};
    binding->begins = begins;
    begins[binding->n_begins++] = node;
    return true;
}

/* Tells whether the name may be below 0 for all that its other bounds say. */
static bool is_free(const struct marking *marking, const struct law_node *name)
{
    return !(marking->natural & 1u << name->slot) && !(marking->of && is_index(marking->of, name));
}

static bool refuse(struct law_scope *scope, const struct law_node *condition,
                   const struct law_node *name)
{
    return rd_law_scope_fail(scope, condition->span,
                             "'%.60s' begins below 0, and a name that a law binds is 0 or more: "
                             "of a[i + k], -1 <= k write a[i + k - 1], 0 <= k",
                             name->name);
}

static bool is_natural(const struct law_node *node, unsigned *visits);

static bool are_natural(const struct law_node *node, unsigned *visits)
{
    const struct law_definition *definition = node->definition;
    bool are = true;
    for (size_t k = 0; are && definition && k < definition->n_equations; k++)
        are = is_natural(definition->equations[k].body, visits);
    for (size_t k = 0; are && k < node->n_kids; k++)
        are = is_natural(node->kids[k], visits);
    return are;
}

/* Tells whether a number is 0 or more by its form: of names, each of which is, without a difference. *visits: of nodes, so many are
 * left; a form that is larger is not looked at. */
static bool is_natural(const struct law_node *node, unsigned *visits)
{
    if (*visits == 0)
        return false;
    --*visits;
    switch (node->kind) {
    case LAW_NUMBER:
        return node->number >= 0;
    case LAW_NEGATIVE:
    case LAW_ELEMENT:
    case LAW_FAMILY:
        return false;
    case LAW_BINARY:
        if (node->op == LAW_MOD) /* has the sign of what it divides by */
            return is_natural(node->kids[1], visits);
        return node->op != LAW_SUBTRACT && are_natural(node, visits);
    case LAW_CALL:
        if (node->op == LAW_MAX)
            for (size_t k = 0; k < node->n_kids; k++)
                if (is_natural(node->kids[k], visits))
                    return true;
        return node->op == LAW_ABS || (node->op != LAW_MAX && are_natural(node, visits));
    default:
        return are_natural(node, visits);
    }
}

static bool mark(struct law_scope *scope, const struct bound *bound,
                 const struct law_node *condition, void *self)
{
    struct marking *marking = self;
    struct law_node *least = bound->least;
    int64_t number;
    if (!is_free(marking, bound->name))
        return true;
    if (rd_law_variables(least) & marking->own)
        return (bound->from >= 0 && is_natural(least, &(unsigned){VISITS_MAX})) ||
               rd_law_scope_fail(scope, condition->span,
                                 "'%.60s' may begin below 0 here, and a name that a law binds is 0 "
                                 "or more: add '0 <= %.60s'",
                                 bound->name->name, bound->name->name);
    if (bound->from >= 0 && !least->bracketed &&
        (is_literal(least, &number) ||
         (bound->from <= 1 && rd_law_variables(least) == 0 && is_below_zero(least))))
        return refuse(scope, condition, bound->name);
    least->begins = bound->name->name;
    least->begins_from = bound->from;
    return add_begin(scope, marking, least);
}

/* ---- bounds below 0 of another form ---- */

/* The bound name of k, c*k and k*c, and *factor, c > 0; NULL: another form. */
static const struct law_node *multiplied_name(const struct law_binding *binding,
                                              const struct law_node *side, int64_t *factor)
{
    *factor = 1;
    if (side->kind != LAW_BINARY || side->op != LAW_TIMES)
        return is_bound_name(binding, side) ? side : NULL;
    const bool number_first = side->kids[0]->kind == LAW_NUMBER;
    const struct law_node *number = side->kids[!number_first], *name = side->kids[number_first];
    if (number->kind != LAW_NUMBER || number->number <= 0 || !is_bound_name(binding, name))
        return NULL;
    *factor = number->number;
    return name;
}

/* The name that `number` <= side, or number < side, lets be below 0, where nothing else bounds it: of c*k and k, and among
 * alternatives of k + c; elsewhere, that is told where the bound has its value. NULL: none. */
static const struct law_node *name_below(const struct marking *marking, const struct law_node *side,
                                         int64_t number, bool is_strict, bool is_among)
{
    int64_t factor, from;
    const struct law_node *name = multiplied_name(marking->binding, side, &factor);
    bool is_below = name && (number < -factor || (number == -factor && !is_strict));
    if (!name && is_among) {
        name = name_of(marking->binding, side, &from);
        is_below = name && !__builtin_add_overflow(number, from, &number) &&
                   (number < -1 || (number == -1 && !is_strict));
    }
    return is_below && is_free(marking, name) ? name : NULL;
}

/* Tells whether a comparison bounds one of its sides, the second or the first, from below, where it is true or where it is denied;
 * *is_strict: without the bound itself. */
static bool is_from_below(enum law_relation relation, bool is_second, bool is_denied,
                          bool *is_strict)
{
    const bool is_rising = relation == LAW_LESS || relation == LAW_LESS_EQUAL,
               is_equation = relation == LAW_EQUAL || relation == LAW_NOT_EQUAL;
    *is_strict = !is_equation && (relation == LAW_LESS || relation == LAW_GREATER) != is_denied;
    return is_equation ? (relation == LAW_EQUAL) != is_denied
                       : (is_rising == is_second) != is_denied;
}

/* Refuses a name that is written to be below 0 among alternatives, denied, or as a multiple; -1 < k says nothing of what is below. */
static bool refuse_below(struct law_scope *scope, const struct marking *marking,
                         const struct law_node *condition, bool is_denied, bool is_among)
{
    is_among = is_among || condition->kind == LAW_NOT ||
               (condition->kind == LAW_LOGIC && condition->op == LAW_OR);
    for (size_t k = 0; condition->kind != LAW_COMPARISON && k < condition->n_kids; k++)
        if (rd_law_is_condition(condition->kids[k]) &&
            !refuse_below(scope, marking, condition->kids[k],
                          is_denied != (condition->kind == LAW_NOT), is_among))
            return false;
    for (size_t k = 0; condition->kind == LAW_COMPARISON && k + 1 < condition->n_kids; k++)
        for (size_t side = 0; side < 2; side++) {
            const struct law_node *least = condition->kids[k + !side], *name = NULL;
            int64_t number;
            bool is_strict;
            if (is_from_below(condition->relations[k], side == 1, is_denied, &is_strict) &&
                !least->bracketed && is_literal(least, &number))
                name = name_below(marking, condition->kids[k + side], number, is_strict, is_among);
            if (name)
                return refuse(scope, condition, name);
        }
    return true;
}

bool rd_law_check_bounds(struct law_scope *scope, struct law_binding *binding,
                         const struct law_node *of)
{
    struct marking marking = {.of = of, .binding = binding};
    for (size_t k = 0; k < binding->n_variables; k++)
        marking.own |= 1u << binding->variables[k].slot;
    bool passed = visit_all(scope, binding, find_natural, &marking) &&
                  visit_all(scope, binding, mark, &marking);
    for (size_t k = 0; passed && k < binding->n_conditions; k++)
        passed = refuse_below(scope, &marking, binding->conditions[k], false, false);
    return passed;
}
