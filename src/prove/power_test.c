// SPDX-License-Identifier: MIT
/* C's test for powers of two. */
#include "prove/state.h"

#include <string.h>

static bool is_binary(const struct rd_syntax_node *node, const char *op)
{
    return node->kind == RD_SYNTAX_BINARY && node->op && strcmp(node->op, op) == 0;
}

static bool is_unsigned(const struct rd_syntax_type *type)
{
    return type && type->kind == RD_SYNTAX_INTEGER && !type->is_signed;
}

/* A variable as it is, or in a wider type. Both types have no sign. */
static const struct rd_syntax_node *widened(const struct rd_syntax_node *node)
{
    while (node->kind == RD_SYNTAX_CAST && is_unsigned(node->type) &&
           is_unsigned(node->kids[0]->type) && node->type->bits >= node->kids[0]->type->bits)
        node = node->kids[0];
    return node->kind == RD_SYNTAX_NAME && node->declaration && is_unsigned(node->type) ? node
                                                                                        : NULL;
}

static bool is_number(const struct rd_syntax_node *node, unsigned number)
{
    while (node->kind == RD_SYNTAX_CAST)
        node = node->kids[0];
    return node->kind == RD_SYNTAX_NUMBER && node->number == number;
}

/* x - 1, in a type without a sign. */
static bool is_one_less(const struct rd_syntax_node *node, const struct rd_syntax_node *x)
{
    return is_binary(node, "-") && is_unsigned(node->type) && is_number(node->kids[1], 1) &&
           widened(node->kids[0]) && widened(node->kids[0])->declaration == x->declaration;
}

const struct rd_syntax_node *rd_tested_power(const struct rd_syntax_node *node)
{
    if (!is_binary(node, "==") && !is_binary(node, "!="))
        return NULL;
    const bool is_left = is_binary(node->kids[0], "&");
    const struct rd_syntax_node *both = node->kids[is_left ? 0 : 1];
    if (!is_binary(both, "&") || !is_unsigned(both->type) ||
        !is_number(node->kids[is_left ? 1 : 0], 0))
        return NULL;
    for (unsigned k = 0; k < 2; k++) {
        const struct rd_syntax_node *x = widened(both->kids[k]);
        if (x && is_one_less(both->kids[1 - k], x))
            return x;
    }
    return NULL;
}
