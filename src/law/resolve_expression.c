// SPDX-License-Identifier: MIT
#include "law/plan.h"
#include "law/resolve.h"

#include <string.h>

/* ---- names ---- */

static bool resolve(struct law_scope *scope, struct law_node *node);

/* The definition of that name that is known; NULL where there is none. */
static struct law_definition *find_definition(const struct law_scope *scope, const char *name)
{
    for (size_t k = scope->n_definitions; k-- > 0;) {
        struct law_definition *definition = scope->law->definitions[k];
        if (strcmp(definition->name, name) == 0 &&
            (definition->section == scope->section || definition->section->index == 0))
            return definition;
    }
    return NULL;
}

static struct law_array *find_input(const struct law_scope *scope, const char *name)
{
    for (size_t k = 0; k < scope->law->n_inputs; k++)
        if (strcmp(scope->law->inputs[k]->name, name) == 0)
            return scope->law->inputs[k];
    return NULL;
}

static bool use_quantities(struct law_scope *scope, const struct law_node *node, unsigned needs)
{
    unsigned missing = needs & ~scope->allowed;
    scope->needs |= needs;
    for (unsigned q = 0; q < LAW_QUANTITY_COUNT; q++)
        if (missing & 1u << q)
            return rd_law_scope_fail(
                scope, node->span, "'%.60s' speaks of '%s', which has no meaning here", node->name,
                q == LAW_STEP ? "the steps of a point"
                              : rd_law_quantity_name((enum law_quantity)q));
    return true;
}

static bool use_definition(struct law_scope *scope, struct law_node *node,
                           struct law_definition *definition)
{
    static const char *const forms[] = {"a number", "a function: write 'NAME(x)'",
                                        "numbered: write 'NAME_0' or 'NAME_(k)'",
                                        "an array: write 'NAME[k]'"};
    static const enum law_kind kinds[] = {LAW_NAME, LAW_FUNCTION, LAW_FAMILY, LAW_ELEMENT};
    const size_t indices = node->n_kids - (definition->kind == LAW_LET_FAMILY);
    if (node->kind != kinds[definition->kind])
        return rd_law_scope_fail(scope, node->span, "'%.60s' was defined as %s", node->name,
                                 forms[definition->kind]);
    if (indices != definition->equations[0].n_parameters)
        return rd_law_scope_fail(scope, node->span,
                                 "'%.60s' was defined with %zu parameters, not %zu", node->name,
                                 definition->equations[0].n_parameters, indices);
    node->meaning = LAW_IS_DEFINITION;
    node->definition = definition;
    node->data = definition->data || definition->kind == LAW_LET_ARRAY;
    return use_quantities(scope, node, definition->needs);
}

static bool resolve_name(struct law_scope *scope, struct law_node *node)
{
    for (size_t k = 0; k < scope->n_variables; k++) {
        if (strcmp(scope->variables[k].name, node->name) == 0) {
            node->meaning = LAW_IS_VARIABLE;
            node->slot = scope->variables[k].slot;
            return true;
        }
    }
    struct law_definition *definition = find_definition(scope, node->name);
    if (definition)
        return use_definition(scope, node, definition);
    if (scope->section->steps && strcmp(scope->section->steps->name, node->name) == 0) {
        node->meaning = LAW_IS_QUANTITY;
        node->slot = LAW_STEP;
        return use_quantities(scope, node, 1u << LAW_STEP);
    }
    for (unsigned q = 0; q < LAW_STEP; q++) {
        if ((scope->allowed & 1u << q) &&
            strcmp(rd_law_quantity_name((enum law_quantity)q), node->name) == 0) {
            node->meaning = LAW_IS_QUANTITY;
            node->slot = q;
            scope->needs |= 1u << q;
            return true;
        }
    }
    if (find_input(scope, node->name))
        return rd_law_scope_fail(scope, (struct law_span){node->span.end, node->span.end},
                                 "expected '[' after the array '%.60s'", node->name);
    return rd_law_scope_fail_unknown(scope, node);
}

/* The inputs by name, " (a, b)"; nothing where the law names none. */
static const char *input_names(const struct law_scope *scope, char text[80])
{
    size_t length = 0;
    text[0] = '\0';
    for (size_t k = 0; k < scope->law->n_inputs && length < 60; k++)
        length += (size_t)snprintf(text + length, 80 - length, "%s%.16s", k ? ", " : " (",
                                   scope->law->inputs[k]->name);
    if (length > 0)
        snprintf(text + length, 80 - length, ")");
    return text;
}

static bool fail_indices(struct law_scope *scope, const struct law_node *node, size_t wanted)
{
    return rd_law_scope_fail(scope, node->span, "'%.60s' has %zu %s, not %zu", node->name, wanted,
                             wanted == 1 ? "index" : "indices", node->n_kids);
}

/* POINT.array[block]… */
static bool resolve_last_state(struct law_scope *scope, struct law_node *node)
{
    struct rd_law_section *section = NULL;
    for (size_t k = 1; k < scope->law->n_sections; k++)
        if (strcmp(scope->law->sections[k]->name, node->point) == 0)
            section = scope->law->sections[k];
    if (!section)
        return rd_law_scope_fail(scope, node->span, "no point '%.60s' in the paragraph",
                                 node->point);
    if (strcmp(section->array->name, node->name) != 0)
        return rd_law_scope_fail(scope, node->span, "the array at '%.60s' is '%.60s', not '%.60s'",
                                 node->point, section->array->name, node->name);
    if (!scope->moves)
        return rd_law_scope_fail(scope, node->span,
                                 "a law speaks of the inputs, not of the array at a point");
    size_t indices = section->array->n_sizes + (section->kind == RD_LAW_SHARED ? 1 : 2);
    if (node->n_kids != indices)
        return fail_indices(scope, node, indices);
    node->meaning = LAW_IS_LAST_STATE;
    node->section = section;
    return true;
}

static bool resolve_array(struct law_scope *scope, struct law_node *node)
{
    struct law_definition *definition = find_definition(scope, node->name);
    struct law_array *own = scope->section->array;
    char names[80];
    node->data = true;
    if (node->point)
        return resolve_last_state(scope, node);
    node->array = find_input(scope, node->name);
    if (node->array) {
        node->meaning = LAW_IS_INPUT;
        node->term = true;
        return node->n_kids == node->array->n_sizes ||
               fail_indices(scope, node, node->array->n_sizes);
    }
    if (own && strcmp(own->name, node->name) == 0) {
        if (!scope->moves)
            return rd_law_scope_fail(
                scope, node->span,
                "'%.60s' is what the law describes: say what it holds in terms of the inputs%s",
                node->name, input_names(scope, names));
        node->meaning = LAW_IS_STATE;
        node->array = own;
        return node->n_kids == own->n_sizes || fail_indices(scope, node, own->n_sizes);
    }
    return definition ? use_definition(scope, node, definition)
                      : rd_law_scope_fail_unknown(scope, node);
}

/* ---- reductions ---- */

/* Binds the unknown names of the term; those of a reduction in it are its own. */
static bool bind_term(struct law_scope *scope, struct law_binding *binding, struct law_node *node)
{
    if (node->kind == LAW_REDUCTION)
        return true;
    if (node->kind == LAW_NAME && !rd_law_scope_knows(scope, node->name)) {
        struct law_variable *variable = &binding->variables[binding->n_variables];
        if (!rd_law_scope_bind(scope, node->name, node->span, &variable->slot))
            return false;
        variable->name = node->name;
        variable->span = node->span;
        binding->n_variables++;
        return true;
    }
    for (size_t k = 0; k < node->n_kids; k++)
        if (!bind_term(scope, binding, node->kids[k]))
            return false;
    return true;
}

static bool resolve_reduction(struct law_scope *scope, struct law_node *node)
{
    const size_t outer = scope->n_variables;
    struct law_binding *binding = rd_law_arena_get(&scope->law->arena, sizeof *binding);
    struct law_variable *variables =
        rd_law_arena_get(&scope->law->arena, LAW_VARIABLES_MAX * sizeof *variables);
    if (!binding || !variables)
        return rd_law_scope_no_memory(scope);
    node->binding = binding;
    binding->variables = variables;
    binding->conditions = node->kids + 1;
    binding->n_conditions = node->n_kids - 1;
    node->data = true;
    if (!bind_term(scope, binding, node->kids[0]))
        return false;
    if (binding->n_variables == 0 && scope->n_reductions > 0)
        return rd_law_scope_fail(scope, node->span,
                                 "this ranges over nothing: its term has no name of its own");
    scope->n_reductions++;
    if (!resolve(scope, node->kids[0]))
        return false;
    scope->n_reductions--;
    if (!node->kids[0]->data)
        return rd_law_scope_fail(scope, node->kids[0]->span,
                                 "expected a term that names an array, such as 'a[j]', after 'of'");
    for (size_t k = 1; k < node->n_kids; k++)
        if (!rd_law_resolve_number(scope, node->kids[k]))
            return false;
    scope->n_variables = outer;
    return rd_law_plan(scope, binding, node->kids[0], NULL);
}

/* ---- operators ---- */

static bool resolve_operator(struct law_scope *scope, struct law_node *node)
{
    node->term = true;
    for (size_t k = 0; k < node->n_kids; k++) {
        if (!resolve(scope, node->kids[k]))
            return false;
        node->data |= node->kids[k]->data;
        node->term &= node->kids[k]->term || !node->kids[k]->data;
    }
    if (!node->data)
        return true;
    if (node->kind == LAW_NEGATIVE)
        return true;
    if (node->op == LAW_POWER && node->kids[1]->data)
        return rd_law_scope_fail(scope, node->kids[1]->span, "an exponent is a number");
    if (node->op != LAW_ADD && node->op != LAW_SUBTRACT && node->op != LAW_TIMES &&
        node->op != LAW_POWER)
        return rd_law_scope_fail(
            scope, node->span, "elements are added, subtracted and multiplied: '%s' is of numbers",
            rd_law_operator_name((enum law_operator)node->op));
    return true;
}

static bool resolve_any(struct law_scope *scope, struct law_node *node)
{
    switch (node->kind) {
    case LAW_NUMBER:
        return true;
    case LAW_NAME:
        if (scope->moves && scope->section->array->n_sizes == 0 &&
            strcmp(scope->section->array->name, node->name) == 0)
            return resolve_array(scope, node);
        return resolve_name(scope, node);
    case LAW_NEGATIVE:
    case LAW_BINARY:
        return resolve_operator(scope, node);
    case LAW_REDUCTION:
        return resolve_reduction(scope, node);
    case LAW_FUNCTION:
    case LAW_FAMILY: {
        struct law_definition *definition = find_definition(scope, node->name);
        if (!definition)
            return rd_law_scope_fail_unknown(scope, node);
        if (!use_definition(scope, node, definition))
            return false;
        break;
    }
    case LAW_ELEMENT:
        if (!resolve_array(scope, node))
            return false;
        break;
    case LAW_CALL:
    case LAW_COMPARISON:
    case LAW_CONGRUENCE:
    case LAW_NOT:
    case LAW_LOGIC:
        break;
    }
    for (size_t k = 0; k < node->n_kids; k++)
        if (!rd_law_resolve_number(scope, node->kids[k]))
            return false;
    return true;
}

static bool resolve(struct law_scope *scope, struct law_node *node)
{
    if (!resolve_any(scope, node))
        return false;
    node->variables = rd_law_variables(node);
    node->named = rd_law_is_named(node);
    node->of_definitions = rd_law_is_of_definitions(node);
    node->looked_at = true;
    return true;
}

bool rd_law_resolve_value(struct law_scope *scope, struct law_node *node)
{
    return resolve(scope, node);
}

bool rd_law_resolve_number(struct law_scope *scope, struct law_node *node)
{
    if (!resolve(scope, node))
        return false;
    return !node->data || rd_law_scope_fail(scope, node->span,
                                            "the value of an element can't stand here: conditions, "
                                            "indices and sizes know only numbers, such as n and d");
}

/* ---- ways ---- */

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
    for (size_t k = 0; binding && k < binding->n_begins; k++)
        if (!add_condition(finding, binding->begins[k]))
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
