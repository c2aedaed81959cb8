// SPDX-License-Identifier: MIT
#include "law/ways.h"

#include <string.h>

/* The variables bound between the value and where the search is. */
struct path {
    size_t n_variables, n_conditions, capacity;
    struct law_variable variables[LAW_VARIABLES_MAX];
    struct law_node **conditions;
};

struct finding {
    struct law_scope *scope;
    const struct law_node *value;
    struct law_ways *ways;
    struct path path;
};

static bool add_condition(struct finding *finding, struct law_node *condition)
{
    struct path *path = &finding->path;
    struct law_node **grown =
        rd_law_arena_grow(&finding->scope->law->arena, path->conditions, path->n_conditions,
                          &path->capacity, sizeof(struct law_node *));
    if (!grown)
        return rd_law_scope_no_memory(finding->scope);
    path->conditions = grown;
    grown[path->n_conditions++] = condition;
    return true;
}

static bool add_binding(struct finding *finding, const struct law_binding *binding)
{
    struct path *path = &finding->path;
    for (size_t k = 0; binding && k < binding->n_variables; k++)
        path->variables[path->n_variables++] = binding->variables[k];
    for (size_t k = 0; binding && k < binding->n_conditions; k++)
        if (!add_condition(finding, binding->conditions[k]))
            return false;
    return true;
}

/* index = the variable in the slot */
static bool add_equation(struct finding *finding, struct law_node *index, unsigned slot)
{
    static const enum law_relation equal = LAW_EQUAL;
    struct law_arena *arena = &finding->scope->law->arena;
    struct law_node *target = rd_law_arena_get(arena, sizeof *target);
    struct law_node *equation = rd_law_arena_get(arena, sizeof *equation);
    struct law_node **kids = rd_law_arena_get(arena, 2 * sizeof *kids);
    if (!target || !equation || !kids)
        return rd_law_scope_no_memory(finding->scope);
    *target = (struct law_node){
        .kind = LAW_NAME, .span = index->span, .meaning = LAW_IS_VARIABLE, .slot = slot};
    kids[0] = index;
    kids[1] = target;
    *equation = (struct law_node){.kind = LAW_COMPARISON,
                                  .span = index->span,
                                  .n_kids = 2,
                                  .kids = kids,
                                  .relations = &equal};
    return add_condition(finding, equation);
}

/* Adds the way that ends at the leaf; a way without a plan makes all of them unknown. */
static bool add_way(struct finding *finding, const struct law_node *leaf)
{
    struct law_scope *scope = finding->scope;
    struct path *path = &finding->path;
    const size_t n_conditions = path->n_conditions;
    struct law_way *way = rd_law_arena_get(&scope->law->arena, sizeof *way);
    if (!way)
        return rd_law_scope_no_memory(scope);
    way->leaf = leaf;
    way->target = scope->n_slots;
    if (way->target + leaf->n_kids > LAW_VARIABLES_MAX) {
        finding->ways->known = false;
        return true;
    }
    if (way->target + leaf->n_kids > finding->ways->frame)
        finding->ways->frame = way->target + (unsigned)leaf->n_kids;
    for (size_t k = 0; k < leaf->n_kids; k++)
        if (!add_equation(finding, leaf->kids[k], way->target + (unsigned)k))
            return false;
    struct law_binding *binding = &way->binding;
    binding->n_variables = path->n_variables;
    binding->n_conditions = path->n_conditions;
    binding->variables =
        rd_law_arena_get(&scope->law->arena, path->n_variables * sizeof *binding->variables);
    binding->conditions =
        rd_law_arena_get(&scope->law->arena, path->n_conditions * sizeof *binding->conditions);
    if (!binding->variables || !binding->conditions)
        return rd_law_scope_no_memory(scope);
    memcpy(binding->variables, path->variables, path->n_variables * sizeof *binding->variables);
    if (path->n_conditions > 0)
        memcpy(binding->conditions, path->conditions,
               path->n_conditions * sizeof *binding->conditions);
    path->n_conditions = n_conditions;
    /* A variable without a bound this way round is no mistake. */
    struct law_scope quiet = *scope;
    quiet.error = NULL;
    if (!rd_law_plan_in_any_order(&quiet, binding, finding->value)) {
        finding->ways->known = false;
        return quiet.status != RD_ERROR_MEMORY || rd_law_scope_no_memory(scope);
    }
    way->next = finding->ways->first;
    finding->ways->first = way;
    return true;
}

static bool find(struct finding *finding, const struct law_node *node)
{
    struct path *path = &finding->path;
    const size_t n_variables = path->n_variables, n_conditions = path->n_conditions;
    if (!node->data)
        return true;
    if (node->kind == LAW_ELEMENT && node->meaning == LAW_IS_INPUT)
        return add_way(finding, node);
    if (node->kind == LAW_ELEMENT && node->meaning == LAW_IS_DEFINITION) {
        finding->ways->known &= node->definition->ways.known;
        return add_way(finding, node);
    }
    if (node->kind == LAW_REDUCTION) {
        if (!add_binding(finding, node->binding) || !find(finding, node->kids[0]))
            return false;
        path->n_variables = n_variables;
        path->n_conditions = n_conditions;
        return true;
    }
    if ((node->kind != LAW_BINARY && node->kind != LAW_NEGATIVE) || rd_law_may_be_empty(node)) {
        finding->ways->known = false;
        return true;
    }
    for (size_t k = 0; k < node->n_kids; k++)
        if (!find(finding, node->kids[k]))
            return false;
    return true;
}

bool rd_law_find_ways(struct law_scope *scope, const struct law_node *value,
                      const struct law_binding *outer, struct law_ways *ways)
{
    struct finding finding = {.scope = scope, .value = value, .ways = ways};
    *ways = (struct law_ways){.known = true, .frame = scope->n_slots};
    return add_binding(&finding, outer) && find(&finding, value);
}

bool rd_law_find_cell(struct law_scope *scope, struct law_claim *claim)
{
    struct finding finding = {.scope = scope};
    const struct law_node *cell = claim->cell;
    claim->target = scope->n_slots;
    if (claim->whole || claim->target + cell->n_kids > LAW_VARIABLES_MAX)
        return true;
    if (!add_binding(&finding, claim->binding))
        return false;
    for (size_t k = 0; k < cell->n_kids; k++)
        if (!add_equation(&finding, cell->kids[k], claim->target + (unsigned)k))
            return false;
    claim->of_cell = (struct law_binding){
        .n_variables = claim->binding ? claim->binding->n_variables : 0,
        .variables = claim->binding ? claim->binding->variables : NULL,
        .n_conditions = finding.path.n_conditions,
        .conditions = finding.path.conditions,
    };
    /* A variable without a bound this way round is no mistake. */
    struct law_scope quiet = *scope;
    quiet.error = NULL;
    return rd_law_plan_in_any_order(&quiet, &claim->of_cell, NULL) ||
           quiet.status != RD_ERROR_MEMORY || rd_law_scope_no_memory(scope);
}
