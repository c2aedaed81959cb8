// SPDX-License-Identifier: MIT
/* A law of sums as what a program claims that reduces by another operation. */
#include "law/tree.h"
#include "reductio/operation.h"

/* What selects is of the inputs themselves, and any other cell is their index. */
static bool is_index(const struct law_node *node, enum rd_operation operation)
{
    return rd_operation_selects(operation) && node->kind == LAW_ELEMENT &&
           node->meaning == LAW_IS_INPUT && node->n_kids == 1;
}

static void rewrite(struct law_node *node, enum rd_operation operation)
{
    const bool is_reduction = node->kind == LAW_REDUCTION;
    for (size_t k = 0; k < node->n_kids; k++)
        if (!(is_reduction && k == 0 && is_index(node->kids[k], operation)))
            rewrite(node->kids[k], operation);
    if (!node->data)
        return;
    if (is_index(node, operation)) {
        *node = *node->kids[0];
    } else if (node->kind == LAW_REDUCTION && node->op == RD_OPERATION_SUM) {
        node->op = operation;
    } else if (node->kind == LAW_BINARY && node->op == LAW_ADD) { /* max(x, y) */
        node->kind = LAW_FUNCTION;
        node->name = rd_operation_name(operation);
    }
}

static void rewrite_claims(struct law_claims *claims, enum rd_operation operation)
{
    for (size_t k = 0; k < claims->count; k++)
        rewrite(claims->claims[k].value, operation);
}

void rd_law_over(struct rd_law *law, enum rd_operation operation)
{
    if (operation == RD_OPERATION_SUM)
        return;
    for (size_t k = 0; k < law->n_definitions; k++)
        for (size_t e = 0; e < law->definitions[k]->n_equations; e++)
            rewrite(law->definitions[k]->equations[e].body, operation);
    for (size_t k = 0; k < law->n_sections; k++)
        for (int role = RD_LAW_LAW; role <= RD_LAW_UPDATE; role++)
            rewrite_claims(&law->sections[k]->claims[role], operation);
}
