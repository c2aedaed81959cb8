// SPDX-License-Identifier: MIT
/* Finds the parts of a condition that may be undefined. */
#include "law/plan.h"

struct looking {
    struct law_scope *scope;
    uint32_t own;
    struct law_risks *risks;
};

static bool look(const struct looking *looking, const struct law_node *node);

static bool look_at_kids(const struct looking *looking, const struct law_node *node)
{
    for (size_t k = 0; k < node->n_kids; k++)
        if (!look(looking, node->kids[k]))
            return false;
    return true;
}

static bool add_risk(const struct looking *looking, const struct law_node *node, unsigned kind)
{
    struct law_risks *risks = looking->risks;
    struct law_risk *list = rd_law_arena_grow(&looking->scope->law->arena, risks->list,
                                              risks->count, &risks->capacity, sizeof *list);
    if (!list)
        return rd_law_scope_no_memory(looking->scope);
    risks->list = list;
    list[risks->count++] = (struct law_risk){.node = node, .kind = kind};
    return true;
}

static bool is_quantity(const struct law_node *node)
{
    return node->kind == LAW_NAME && node->meaning == LAW_IS_QUANTITY && node->slot != LAW_B;
}

/* Tells whether the form of a node shows that it is at least `least`, 0 or 1: variables of a binding and quantities
 * aren't negative. */
static bool is_at_least(const struct looking *looking, const struct law_node *node, int64_t least)
{
    switch (node->kind) {
    case LAW_NUMBER:
        return node->number >= least;
    case LAW_NAME:
        if (node->meaning == LAW_IS_VARIABLE)
            return least == 0 && (looking->own & 1u << node->slot);
        return is_quantity(node) && (least == 0 || node->slot == LAW_T);
    case LAW_BINARY:
        break;
    default:
        return false;
    }
    const struct law_node *left = node->kids[0], *right = node->kids[1];
    if (node->op == LAW_ADD)
        return is_at_least(looking, left, 0) && is_at_least(looking, right, 0) &&
               (is_at_least(looking, left, least) || is_at_least(looking, right, least));
    if (node->op == LAW_TIMES)
        return is_at_least(looking, left, least) && is_at_least(looking, right, least);
    if (node->op == LAW_POWER) /* x^0 is 1 */
        return is_at_least(looking, left, least) && is_at_least(looking, right, 0);
    return (node->op == LAW_MOD || node->op == LAW_PERCENT) && least == 0 &&
           is_at_least(looking, right, 1);
}

/* The divisor. */
static bool look_at_divisor(const struct looking *looking, const struct law_node *divisor,
                            unsigned kind)
{
    if (is_at_least(looking, divisor, 1))
        return true;
    if (!(rd_law_variables(divisor) & looking->own))
        return add_risk(looking, divisor, kind);
    looking->risks->open = true;
    return true;
}

static bool look_at_binary(const struct looking *looking, const struct law_node *node)
{
    const bool down = node->op == LAW_DIV || node->op == LAW_MOD;
    bool safe = true;
    switch ((enum law_operator)node->op) {
    case LAW_SLASH:
    case LAW_PERCENT:
    case LAW_DIV:
    case LAW_MOD:
        safe = down || is_at_least(looking, node->kids[0], 0);
        looking->risks->open |= !safe;
        return look(looking, node->kids[0]) &&
               look_at_divisor(looking, node->kids[1],
                               down ? LAW_RISK_ZERO : LAW_RISK_ZERO_OR_LESS);
    case LAW_XOR:
        safe = is_at_least(looking, node->kids[0], 0) && is_at_least(looking, node->kids[1], 0);
        break;
    case LAW_POWER:
        safe = is_at_least(looking, node->kids[1], 0);
        break;
    default:
        break;
    }
    looking->risks->open |= !safe;
    return look_at_kids(looking, node);
}

static bool look_at_call(const struct looking *looking, const struct law_node *node)
{
    switch ((enum law_function)node->op) {
    case LAW_FLOOR:
    case LAW_CEIL:
        return look(looking, node->kids[0]) &&
               look_at_divisor(looking, node->kids[1], LAW_RISK_ZERO);
    case LAW_LOG2:
    case LAW_FLOOR_ROOT:
    case LAW_CEIL_ROOT:
        looking->risks->open |= !is_at_least(looking, node->kids[0], node->op == LAW_LOG2);
        break;
    default:
        break;
    }
    return look_at_kids(looking, node);
}

static bool look(const struct looking *looking, const struct law_node *node)
{
    if (!rd_law_is_condition(node) && !(rd_law_variables(node) & looking->own))
        return node->kind == LAW_NUMBER || is_quantity(node) ||
               (node->meaning == LAW_IS_VARIABLE && !node->begins) ||
               add_risk(looking, node, LAW_RISK_NO_VALUE);
    looking->risks->open |=
        node->begins && (node->begins_from < 0 || !is_at_least(looking, node, 0));
    switch (node->kind) {
    case LAW_NAME:
        return true;
    case LAW_BINARY:
        return look_at_binary(looking, node);
    case LAW_CALL:
        return look_at_call(looking, node);
    case LAW_CONGRUENCE:
        return look(looking, node->kids[0]) && look(looking, node->kids[1]) &&
               look_at_divisor(looking, node->kids[2], LAW_RISK_ZERO);
    case LAW_NEGATIVE:
    case LAW_COMPARISON:
    case LAW_NOT:
    case LAW_LOGIC:
        return look_at_kids(looking, node);
    default:
        looking->risks->open = true; /* what a definition says of its arguments */
        return true;
    }
}

bool rd_law_add_risks(struct law_scope *scope, const struct law_node *node, uint32_t own,
                      struct law_risks *risks)
{
    const struct looking looking = {scope, own, risks};
    return look(&looking, node);
}
