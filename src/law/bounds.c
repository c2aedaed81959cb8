// SPDX-License-Identifier: MIT
/* Bounds of a bound name that are written below 0. */
#include "law/plan.h"
#include "law/resolve.h"

/* Tells whether it is written as a number below 0: -2, -r, 0 - r. */
static bool is_below_zero(const struct law_node *node)
{
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

bool rd_law_check_least(struct law_scope *scope, const struct law_node *condition)
{
    if (condition->kind == LAW_LOGIC && condition->op == LAW_AND)
        return rd_law_check_least(scope, condition->kids[0]) &&
               rd_law_check_least(scope, condition->kids[1]);
    for (size_t k = 0; condition->kind == LAW_COMPARISON && k + 1 < condition->n_kids; k++) {
        const enum law_relation relation = condition->relations[k];
        const bool grows = relation == LAW_LESS || relation == LAW_LESS_EQUAL;
        const bool is_strict = relation == LAW_LESS || relation == LAW_GREATER;
        const struct law_node *name = condition->kids[grows ? k + 1 : k],
                              *least = condition->kids[grows ? k : k + 1];
        if (relation == LAW_EQUAL || relation == LAW_NOT_EQUAL || name->kind != LAW_NAME ||
            name->meaning != LAW_IS_VARIABLE || rd_law_variables(least) != 0 ||
            !is_below_zero(least) || (is_strict && is_minus_one(least)))
            continue;
        return rd_law_scope_fail(
            scope, condition->span,
            "'%.60s' begins below 0, and a name that a law binds is 0 or more: "
            "of a[i + k], -1 <= k write a[i + k - 1], 0 <= k",
            name->name);
    }
    return true;
}
