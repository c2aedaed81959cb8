// SPDX-License-Identifier: MIT
/* Where a bound name begins: not below 0. */
#include "law/plan.h"
#include "law/resolve.h"

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

static bool is_minus_one(const struct law_node *node)
{
    return node->kind == LAW_NEGATIVE && node->kids[0]->kind == LAW_NUMBER &&
           node->kids[0]->number == 1;
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

static bool binds(const struct law_binding *binding, const struct law_node *name)
{
    for (size_t k = 0; k < binding->n_variables; k++)
        if (binding->variables[k].slot == name->slot)
            return true;
    return false;
}

/* What is 0 or more by its form. */
static bool never_below_zero(const struct law_node *node)
{
    return (node->kind == LAW_NUMBER && node->number >= 0) ||
           (node->kind == LAW_NAME && node->meaning == LAW_IS_QUANTITY);
}

/* `least` is below or at the name. `of`: what is bound, a term; NULL: cells. */
static bool check_least(struct law_scope *scope, struct law_node *least, bool is_strict,
                        const struct law_node *name, const struct law_node *of,
                        struct law_span span)
{
    if (never_below_zero(least) || (is_strict && is_minus_one(least)) ||
        (of && is_index(of, name)) || (rd_law_variables(least) & 1u << name->slot))
        return true;
    if (rd_law_variables(least) == 0 && is_below_zero(least))
        return rd_law_scope_fail(
            scope, span,
            "'%.60s' begins below 0, and a name that a law binds is 0 or more: "
            "of a[i + k], -1 <= k write a[i + k - 1], 0 <= k",
            name->name);
    least->begins = name->name;
    least->begins_behind = is_strict;
    return true;
}

static bool check(struct law_scope *scope, const struct law_binding *binding,
                  const struct law_node *condition, const struct law_node *of)
{
    if (condition->kind == LAW_LOGIC && condition->op == LAW_AND)
        return check(scope, binding, condition->kids[0], of) &&
               check(scope, binding, condition->kids[1], of);
    for (size_t k = 0; condition->kind == LAW_COMPARISON && k + 1 < condition->n_kids; k++) {
        const enum law_relation relation = condition->relations[k];
        const bool grows = relation == LAW_LESS || relation == LAW_LESS_EQUAL;
        const bool is_strict = relation == LAW_LESS || relation == LAW_GREATER;
        const struct law_node *name = condition->kids[grows ? k + 1 : k];
        if (relation != LAW_EQUAL && relation != LAW_NOT_EQUAL && name->kind == LAW_NAME &&
            name->meaning == LAW_IS_VARIABLE && binds(binding, name) &&
            !check_least(scope, condition->kids[grows ? k : k + 1], is_strict, name, of,
                         condition->span))
            return false;
    }
    return true;
}

bool rd_law_check_bounds(struct law_scope *scope, const struct law_binding *binding,
                         const struct law_node *of)
{
    for (size_t k = 0; k < binding->n_conditions; k++)
        if (!check(scope, binding, binding->conditions[k], of))
            return false;
    return true;
}
