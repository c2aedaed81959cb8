// SPDX-License-Identifier: MIT
/* Which definitions the law of a section speaks of. */
#include "law/print.h"

static void add_used(const struct law_node *node, struct law_used *used);

static void add_definition(const struct law_definition *definition, struct law_used *used)
{
    for (size_t k = 0; k < used->count; k++)
        if (used->list[k] == definition)
            return;
    if (used->count == LAW_USED_MAX)
        return;
    used->list[used->count++] = definition;
    for (size_t k = 0; k < definition->n_equations; k++)
        add_used(definition->equations[k].body, used);
}

static void add_used(const struct law_node *node, struct law_used *used)
{
    if (node->definition)
        add_definition(node->definition, used);
    for (size_t k = 0; k < node->n_kids; k++)
        add_used(node->kids[k], used);
}

static void add_conditions(const struct law_binding *binding, struct law_used *used)
{
    for (size_t k = 0; binding && k < binding->n_conditions; k++)
        add_used(binding->conditions[k], used);
}

void rd_law_used(const struct rd_law_section *section, struct law_used *used)
{
    const struct law_claims *claims = &section->claims[RD_LAW_LAW];
    used->count = 0;
    for (size_t k = 0; k < claims->count; k++) {
        const struct law_claim *claim = &claims->claims[k];
        add_used(claim->cell, used);
        add_used(claim->value, used);
        add_conditions(claim->binding, used);
        if (claim->when)
            add_used(claim->when, used);
    }
    for (size_t k = 0; k < used->count; k++)
        add_conditions(used->list[k]->ranges, used);
}
