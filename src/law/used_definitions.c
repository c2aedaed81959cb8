// SPDX-License-Identifier: MIT
/* Lists the definitions that a law speaks of. */
#include "law/used_definitions.h"
#include "base/array.h"
#include "law/uses.h"

#include <stdlib.h>

static void add_used(const struct law_node *node, struct law_used *used);

static void add_definition(const struct law_definition *definition, struct law_used *used)
{
    for (size_t k = 0; k < used->count; k++)
        if (used->list[k] == definition)
            return;
    if (!rd_array_make_room(&used->list, used->count, &used->capacity, sizeof *used->list)) {
        used->failed = true;
        return;
    }
    used->list[used->count++] = definition;
    for (size_t k = 0; k < definition->n_equations; k++)
        add_used(definition->equations[k].body, used);
}

static void add_used(const struct law_node *node, struct law_used *used)
{
    int64_t value;
    if (used->run && rd_law_has_value(used->run, node, 0, &value))
        return; /* it stands as a number */
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

void rd_law_used_add(struct law_used *used, const struct law_claim *claim)
{
    for (size_t k = 0; k < claim->cell->n_kids; k++)
        add_used(claim->cell->kids[k], used);
    add_used(claim->value, used);
    add_conditions(claim->binding, used);
    if (claim->when && !used->run)
        add_used(claim->when, used);
}

void rd_law_used_close(struct law_used *used)
{
    for (size_t k = 0; k < used->count; k++)
        add_conditions(used->list[k]->ranges, used);
}

void rd_law_used_finish(struct law_used *used)
{
    free(used->list);
}
