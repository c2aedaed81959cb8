// SPDX-License-Identifier: MIT
/* Products with two elements of one input. */
#include "prove/law/law_terms.h"

#include <stdlib.h>

/* Definitions that a walk has come through, by their index: NAME_(d+1) speaks of NAME_d. */
struct walk {
    const struct rd_law *law;
    bool *seen;
};

/* Adds the inputs of which elements are in the node's value, k as the bit 2^k. */
static void add_inputs(const struct walk *walk, const struct law_node *node, unsigned *inputs)
{
    if (node->meaning == LAW_IS_INPUT && node->array && node->array->index < 31)
        *inputs |= 1u << node->array->index;
    const struct law_definition *definition =
        node->meaning == LAW_IS_DEFINITION ? node->definition : NULL;
    if (definition && definition->data && !walk->seen[definition->index]) {
        walk->seen[definition->index] = true;
        for (size_t e = 0; e < definition->n_equations; e++)
            add_inputs(walk, definition->equations[e].body, inputs);
    }
    for (size_t k = 0; k < node->n_kids; k++)
        add_inputs(walk, node->kids[k], inputs);
}

static unsigned inputs_of(const struct rd_law *law, const struct law_node *node)
{
    const struct walk walk = {law, calloc(law->n_definitions + 1, sizeof *walk.seen)};
    unsigned inputs = 0;
    if (walk.seen)
        add_inputs(&walk, node, &inputs);
    free(walk.seen);
    return inputs;
}

static bool has_square(const struct rd_law *law, const struct law_node *node)
{
    if (!node->data)
        return false;
    if (node->kind == LAW_BINARY && node->op == LAW_TIMES && node->kids[0]->data &&
        node->kids[1]->data && (inputs_of(law, node->kids[0]) & inputs_of(law, node->kids[1])) != 0)
        return true;
    if (node->kind == LAW_BINARY && node->op == LAW_POWER && inputs_of(law, node->kids[0]) != 0)
        return true;
    for (size_t k = 0; k < node->n_kids; k++)
        if (has_square(law, node->kids[k]))
            return true;
    return false;
}

bool rd_law_has_squares(const struct rd_law *law)
{
    for (size_t k = 0; k < law->n_definitions; k++)
        for (size_t e = 0; e < law->definitions[k]->n_equations; e++)
            if (has_square(law, law->definitions[k]->equations[e].body))
                return true;
    for (size_t s = 0; s < law->n_sections; s++) {
        const struct law_claims *claims = &law->sections[s]->claims[RD_LAW_LAW];
        for (size_t k = 0; k < claims->count; k++)
            if (has_square(law, claims->claims[k].value))
                return true;
    }
    return false;
}
