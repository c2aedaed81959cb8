// SPDX-License-Identifier: MIT
/* Resolves the names of a paragraph. */
#include "law/resolve.h"
#include "base/spelling.h"
#include "law/plan.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

/* ---- scopes ---- */

/* Names that are known at a place of a paragraph. */

bool rd_law_scope_fail(struct law_scope *scope, struct law_span span, const char *format, ...)
{
    char text[sizeof scope->error->what.text];
    va_list args;
    if (scope->status != RD_OK)
        return false;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    scope->status = rd_law_fail_at(scope->law, scope->error, span, RD_ERROR_USAGE, "%s", text);
    return false;
}

bool rd_law_scope_no_memory(struct law_scope *scope)
{
    scope->status = rd_law_fail_at(scope->law, scope->error, (struct law_span){0}, RD_ERROR_MEMORY,
                                   "no memory for a law");
    return false;
}

bool rd_law_scope_bind(struct law_scope *scope, const char *name, struct law_span span,
                       unsigned *slot)
{
    if (scope->n_variables == LAW_VARIABLES_MAX || scope->n_slots == LAW_VARIABLES_MAX)
        return rd_law_scope_fail(scope, span, "more than %d variables in one sentence",
                                 LAW_VARIABLES_MAX);
    *slot = scope->n_slots++;
    scope->variables[scope->n_variables++] =
        (struct law_variable){.name = name, .span = span, .slot = *slot};
    return true;
}

bool rd_law_scope_knows(const struct law_scope *scope, const char *name)
{
    for (size_t k = 0; k < scope->n_variables; k++)
        if (strcmp(scope->variables[k].name, name) == 0)
            return true;
    for (size_t k = 0; k < scope->law->n_inputs; k++)
        if (strcmp(scope->law->inputs[k]->name, name) == 0)
            return true;
    for (size_t k = 0; k < scope->n_definitions; k++) {
        const struct law_definition *definition = scope->law->definitions[k];
        if (strcmp(definition->name, name) == 0 &&
            (definition->section == scope->section || definition->section->index == 0))
            return true;
    }
    for (unsigned q = 0; q < LAW_STEP; q++)
        if ((scope->allowed & 1u << q) &&
            strcmp(rd_law_quantity_name((enum law_quantity)q), name) == 0)
            return true;
    if (scope->section->steps && strcmp(scope->section->steps->name, name) == 0)
        return true;
    return scope->section->array && strcmp(scope->section->array->name, name) == 0;
}

struct names {
    const char **list;
    size_t count, capacity;
};

static bool add_name(struct law_scope *scope, struct names *names, const char *name)
{
    const char **list = rd_law_arena_grow(&scope->law->arena, names->list, names->count,
                                          &names->capacity, sizeof *list);
    if (!list)
        return rd_law_scope_no_memory(scope);
    names->list = list;
    list[names->count++] = name;
    return true;
}

static bool add_variables(struct law_scope *scope, struct names *names)
{
    for (size_t k = 0; k < scope->n_variables; k++)
        if (!add_name(scope, names, scope->variables[k].name))
            return false;
    for (unsigned q = 0; q < LAW_STEP; q++)
        if ((scope->allowed & 1u << q) && !(q == LAW_B && scope->law->no_blocks) &&
            !add_name(scope, names, rd_law_quantity_name((enum law_quantity)q)))
            return false;
    return !scope->section->steps || add_name(scope, names, scope->section->steps->name);
}

/* The known names of what the node could be: arrays, functions or numbers. */
static bool known_names(struct law_scope *scope, enum law_kind kind, struct names *names)
{
    const struct rd_law *law = scope->law;
    static const enum law_kind kinds[] = {LAW_NAME, LAW_FUNCTION, LAW_FAMILY, LAW_ELEMENT};
    for (size_t k = 0; kind == LAW_ELEMENT && k < law->n_inputs; k++)
        if (!add_name(scope, names, law->inputs[k]->name))
            return false;
    for (size_t k = 0; k < scope->n_definitions; k++) {
        const struct law_definition *definition = law->definitions[k];
        if (law->no_blocks && (definition->needs & 1u << LAW_B))
            continue;
        if ((definition->section == scope->section || definition->section->index == 0) &&
            kinds[definition->kind] == kind && !add_name(scope, names, definition->name))
            return false;
    }
    for (unsigned f = 0; kind == LAW_FUNCTION && f <= LAW_CEIL; f++)
        if (!add_name(scope, names, rd_law_function_name((enum law_function)f)))
            return false;
    return kind != LAW_NAME || add_variables(scope, names);
}

static bool same_but_for_case(const char *x, const char *y)
{
    for (; *x && tolower((unsigned char)*x) == tolower((unsigned char)*y); x++, y++)
        ;
    return !*x && !*y;
}

/* One that a `for` could bind: no number of a run that has no value here. */
static bool is_index_name(const char *name)
{
    for (unsigned q = 0; q < LAW_QUANTITY_COUNT; q++) {
        const char *quantity = rd_law_quantity_name((enum law_quantity)q);
        if (quantity && strcmp(quantity, name) == 0)
            return false;
    }
    return true;
}

bool rd_law_scope_fail_unknown(struct law_scope *scope, const struct law_node *node)
{
    const bool is_index = scope->binds_nothing && scope->n_variables == 0 &&
                          node->kind == LAW_NAME && is_index_name(node->name);
    struct names names = {NULL, 0, 0};
    const char *meant = NULL;
    char list[200] = "";
    size_t length = 0;
    enum rd_operation operation;
    if (rd_operation_named(node->name, &operation))
        return rd_law_scope_fail(
            scope, node->span, "'%s' is an operation%s: write it as in '%s of a[j], j < n'",
            node->name, node->kind == LAW_FUNCTION ? ", and no function" : "", node->name);
    if (!known_names(scope, node->kind, &names) || !add_name(scope, &names, NULL))
        return false;
    if (names.count == 1)
        return rd_law_scope_fail(scope, node->span, "'%.60s' isn't known here", node->name);
    for (size_t k = 0; names.list[k]; k++) {
        if (!meant && same_but_for_case(names.list[k], node->name))
            meant = names.list[k];
        if (length < sizeof list - 20)
            length += (size_t)snprintf(list + length, sizeof list - length, "%s%.16s",
                                       k ? ", " : "", names.list[k]);
    }
    if (!meant)
        meant = rd_nearest(node->name, names.list);
    if (meant)
        return rd_law_scope_fail(scope, node->span, "'%.60s' isn't known here: did you mean '%s'?",
                                 node->name, meant);
    return rd_law_scope_fail(scope, node->span, "'%.60s' isn't known here (known: %s)%s%.20s%s",
                             node->name, list,
                             is_index ? ": bind it in front, as in 'for 0 <= " : "",
                             is_index ? node->name : "", is_index ? " < n: '" : "");
}

/* ---- paragraphs ---- */

/* Names of a whole paragraph: declarations, definitions, claims. */

enum {
    EVERYWHERE = 1u << LAW_N | 1u << LAW_T | 1u << LAW_B,
    IN_ROUNDS = EVERYWHERE | 1u << LAW_D,
    IN_BLOCKS = EVERYWHERE | 1u << LAW_BLOCK | 1u << LAW_STEP,
    IN_WARPS = IN_BLOCKS | 1u << LAW_WARP,
    ANYWHERE = IN_ROUNDS | IN_WARPS,
};

static unsigned quantities_of(const struct rd_law_section *section)
{
    return section->kind == RD_LAW_GLOBAL   ? IN_ROUNDS
           : section->kind == RD_LAW_SHARED ? IN_BLOCKS
                                            : IN_WARPS;
}

static struct law_scope scope_of(struct law_scope *outer, struct rd_law_section *section,
                                 unsigned allowed)
{
    return (struct law_scope){.law = outer->law,
                              .section = section,
                              .error = outer->error,
                              .n_definitions = outer->law->n_definitions,
                              .allowed = allowed};
}

static bool is_quantity(const char *name, unsigned quantities)
{
    for (unsigned q = 0; q < LAW_STEP; q++)
        if ((quantities & 1u << q) && strcmp(rd_law_quantity_name((enum law_quantity)q), name) == 0)
            return true;
    return false;
}

/* Fails where the name stands for something in the section already: an input, a quantity, one of the first
 * so many definitions, the array of the section. */
static bool check_new(struct law_scope *scope, const struct rd_law_section *section,
                      const char *name, struct law_span span, unsigned quantities,
                      size_t n_definitions, const struct law_array *array)
{
    const struct rd_law *law = scope->law;
    bool taken = is_quantity(name, quantities);
    for (size_t k = 0; k < law->n_inputs; k++)
        taken |= law->inputs[k] != array && strcmp(law->inputs[k]->name, name) == 0;
    /* A definition of one point is not known at another. */
    for (size_t k = 0; k < n_definitions; k++) {
        const struct rd_law_section *where = law->definitions[k]->section;
        taken |= law->definitions[k]->span.end > 0 &&
                 strcmp(law->definitions[k]->name, name) == 0 &&
                 (where == section || where->index == 0 || section->index == 0);
    }
    const struct law_array *own = section->array;
    taken |= own && own != array && strcmp(own->name, name) == 0;
    return !taken ||
           rd_law_scope_fail(scope, span, "'%.60s' is bound twice: choose another name", name);
}

/* ---- definitions ---- */

/* Binds the names that a `for` compares and that aren't known. */
static bool bind_range(struct law_scope *scope, struct law_binding *binding,
                       const struct law_node *condition, struct law_span span)
{
    if (condition->kind == LAW_LOGIC && condition->op == LAW_AND)
        return bind_range(scope, binding, condition->kids[0], span) &&
               bind_range(scope, binding, condition->kids[1], span);
    if (condition->kind != LAW_COMPARISON && condition->kind != LAW_CONGRUENCE)
        return true;
    for (size_t k = 0; k < condition->n_kids; k++) {
        const struct law_node *name = condition->kids[k];
        if (name->kind != LAW_NAME || rd_law_scope_knows(scope, name->name))
            continue;
        struct law_variable *variable = &binding->variables[binding->n_variables];
        if (!rd_law_scope_bind(scope, name->name, span, &variable->slot))
            return false;
        variable->name = name->name;
        variable->span = name->span;
        variable->range = span;
        binding->n_variables++;
    }
    return true;
}

static bool bind_ranges(struct law_scope *scope, struct law_binding *binding)
{
    binding->variables =
        rd_law_arena_get(&scope->law->arena, LAW_VARIABLES_MAX * sizeof *binding->variables);
    if (!binding->variables)
        return rd_law_scope_no_memory(scope);
    for (size_t k = 0; k < binding->n_conditions; k++)
        if (!bind_range(scope, binding, binding->conditions[k], binding->conditions[k]->span))
            return false;
    return true;
}

static bool resolve_conditions(struct law_scope *scope, struct law_binding *binding)
{
    for (size_t k = 0; k < binding->n_conditions; k++)
        if (!rd_law_resolve_number(scope, binding->conditions[k]))
            return false;
    return true;
}

/* For a defined array: finds `k < SIZE` or `k <= MOST` for the index. */
static bool find_size(struct law_scope *scope, struct law_definition *array, size_t index)
{
    const struct law_variable *parameter = &array->equations[0].parameters[index];
    for (size_t c = 0; c < array->ranges->n_conditions; c++) {
        const struct law_node *range = array->ranges->conditions[c];
        if (range->kind != LAW_COMPARISON)
            continue;
        for (size_t k = 0; k + 1 < range->n_kids; k++) {
            const struct law_node *name = range->kids[k];
            bool less = range->relations[k] == LAW_LESS || range->relations[k] == LAW_LESS_EQUAL;
            if (less && name->meaning == LAW_IS_VARIABLE && name->slot == parameter->slot &&
                rd_law_variables(range->kids[k + 1]) == 0) {
                array->sizes[index] = range->kids[k + 1];
                array->inclusive[index] = range->relations[k] == LAW_LESS_EQUAL;
                return true;
            }
        }
    }
    return rd_law_scope_fail(scope, parameter->span,
                             "'%.60s' has no upper bound: add one, such as '0 <= %.60s < n'",
                             parameter->name, parameter->name);
}

static bool resolve_ranges(struct law_scope *scope, struct law_definition *array)
{
    struct law_equation *equation = &array->equations[0];
    array->sizes =
        rd_law_arena_get(&scope->law->arena, equation->n_parameters * sizeof *array->sizes);
    array->inclusive =
        rd_law_arena_get(&scope->law->arena, equation->n_parameters * sizeof *array->inclusive);
    if (!array->sizes || !array->inclusive)
        return rd_law_scope_no_memory(scope);
    if (!resolve_conditions(scope, array->ranges))
        return false;
    for (size_t k = 0; k < equation->n_parameters; k++)
        if (!find_size(scope, array, k))
            return false;
    return true;
}

static bool resolve_equation(struct law_scope *outer, struct law_definition *definition,
                             struct law_equation *equation)
{
    unsigned allowed = definition->section->index ? IN_WARPS : ANYWHERE;
    struct law_scope scope = scope_of(outer, definition->section, allowed);
    unsigned slot;
    scope.n_definitions = definition->index + equation->successor;
    if (definition->span.end == 0) /* G = B*T stands behind B, if that is defined */
        scope.n_definitions = definition->index;
    for (size_t k = 0; k < equation->n_parameters; k++) {
        struct law_variable *parameter = &equation->parameters[k];
        if (!check_new(&scope, definition->section, parameter->name, parameter->span, EVERYWHERE,
                       definition->index, NULL) ||
            !rd_law_scope_bind(&scope, parameter->name, parameter->span, &slot))
            goto failed;
    }
    if (equation->successor &&
        (!check_new(&scope, definition->section, equation->index_name, equation->index_span,
                    EVERYWHERE, definition->index, NULL) ||
         !rd_law_scope_bind(&scope, equation->index_name, equation->index_span, &slot)))
        goto failed;
    if (definition->ranges && !resolve_ranges(&scope, definition))
        goto failed;
    if (!rd_law_resolve_value(&scope, equation->body))
        goto failed;
    definition->data |= equation->body->data;
    definition->needs |= scope.needs;
    equation->frame = scope.n_slots;
    if (definition->kind == LAW_LET_ARRAY) {
        struct law_binding element = *definition->ranges;
        element.n_variables = equation->n_parameters;
        element.variables = equation->parameters;
        if (!rd_law_find_ways(&scope, equation->body, &element, &definition->ways))
            goto failed;
    }
    return true;
failed:
    outer->status = scope.status;
    return false;
}

static bool resolve_definition(struct law_scope *scope, struct law_definition *definition)
{
    bool may_stand_for_b = definition->kind == LAW_LET;
    unsigned function;
    unsigned quantities = ANYWHERE & ~(may_stand_for_b ? 1u << LAW_B : 0);
    if (!check_new(scope, definition->section, definition->name, definition->span, quantities,
                   definition->index, NULL))
        return false;
    for (function = 0; function < LAW_FUNCTION_COUNT; function++)
        if (strcmp(rd_law_function_name((enum law_function)function), definition->name) == 0)
            return rd_law_scope_fail(scope, definition->span, "'%s' has a meaning already",
                                     definition->name);
    /* Equations of the first value come before those that refer to the definition itself. */
    for (unsigned successor = 0; successor < 2; successor++)
        for (size_t k = 0; k < definition->n_equations; k++)
            if (definition->equations[k].successor == successor &&
                !resolve_equation(scope, definition, &definition->equations[k]))
                return false;
    for (size_t k = 1; k < definition->n_equations; k++)
        if (definition->equations[k].body->data != definition->equations[0].body->data)
            return rd_law_scope_fail(scope, definition->span,
                                     "'%.60s' is a number here and a value of the elements there",
                                     definition->name);
    return true;
}

/* G = B*T stands first: moves it behind a definition of B. */
static void place_grid(struct rd_law *law)
{
    struct law_definition *grid = law->definitions[0];
    bool is_given = false; /* G, by the paragraph itself */
    size_t b = 0;
    for (size_t k = 1; k < law->n_definitions; k++) {
        if (law->definitions[k]->section->index == 0 && strcmp(law->definitions[k]->name, "B") == 0)
            b = k;
        if (law->definitions[k]->section->index == 0 && strcmp(law->definitions[k]->name, "G") == 0)
            is_given = true;
    }
    if (is_given)
        b = --law->n_definitions;
    for (size_t k = 0; k < b; k++)
        law->definitions[k] = law->definitions[k + 1];
    law->definitions[b] = grid;
    for (size_t k = 0; k < law->n_definitions; k++)
        law->definitions[k]->index = k;
}

/* ---- claims ---- */

/* The first name in the expression that is known, or that isn't; NULL where there is none. */
static const struct law_node *find_name(const struct law_scope *scope, const struct law_node *node,
                                        bool known)
{
    if (node->kind == LAW_NAME && rd_law_scope_knows(scope, node->name) == known)
        return node;
    for (size_t k = 0; k < node->n_kids; k++) {
        const struct law_node *found = find_name(scope, node->kids[k], known);
        if (found)
            return found;
    }
    return NULL;
}

/* Complains of a `for` that compares no unknown name. */
static void fail_unbound(struct law_scope *scope, const struct law_claim *claim)
{
    for (unsigned known = 0; known < 2; known++) {
        for (size_t c = 0; c < claim->binding->n_conditions; c++) {
            const struct law_node *name = find_name(scope, claim->binding->conditions[c], known);
            if (name && known)
                rd_law_scope_fail(scope, name->span,
                                  "'%.60s' has a meaning already: bind another name", name->name);
            else if (name)
                rd_law_scope_fail(scope, claim->binding->conditions[c]->span,
                                  "'%.60s' has no upper bound: add one, such as '%.60s < n'",
                                  name->name, name->name);
        }
    }
    rd_law_scope_fail(scope, claim->span,
                      "the 'for' binds no name: use 'when' for a condition of the whole claim");
}

static bool resolve_claim(struct law_scope *outer, struct rd_law_section *section,
                          enum rd_law_role role, struct law_claim *claim)
{
    struct law_scope scope = scope_of(outer, section, quantities_of(section));
    const struct law_array *array = section->array;
    struct law_node *cell = claim->cell;
    if (claim->when && !rd_law_resolve_number(&scope, claim->when))
        goto failed;
    scope.binds_nothing = !claim->binding;
    if (claim->binding) {
        if (!bind_ranges(&scope, claim->binding))
            goto failed;
        if (claim->binding->n_variables == 0) {
            fail_unbound(&scope, claim);
            goto failed;
        }
        if (!resolve_conditions(&scope, claim->binding))
            goto failed;
    }
    if (strcmp(cell->name, array->name) != 0) {
        rd_law_scope_fail(&scope, cell->span, "'%.60s' isn't the array here: that is '%.60s'",
                          cell->name, array->name);
        goto failed;
    }
    claim->whole = cell->kind == LAW_NAME && array->n_sizes > 0;
    if (claim->whole && claim->binding) {
        rd_law_scope_fail(&scope, cell->span, "expected '[' after the array '%.60s'", cell->name);
        goto failed;
    }
    if (!claim->whole && cell->n_kids != array->n_sizes) {
        rd_law_scope_fail(&scope, cell->span, "'%.60s' has %zu %s, not %zu", cell->name,
                          array->n_sizes, array->n_sizes == 1 ? "index" : "indices", cell->n_kids);
        goto failed;
    }
    for (size_t k = 0; k < cell->n_kids; k++)
        if (!rd_law_resolve_number(&scope, cell->kids[k]))
            goto failed;
    if (claim->binding && !rd_law_plan(&scope, claim->binding, NULL, cell))
        goto failed;
    if (role == RD_LAW_LAW)
        section->live_needs |= scope.needs;
    scope.moves = role != RD_LAW_LAW;
    if (!rd_law_resolve_value(&scope, claim->value))
        goto failed;
    claim->frame = scope.n_slots;
    if (role == RD_LAW_LAW &&
        (!rd_law_find_ways(&scope, claim->value, claim->binding, &claim->ways) ||
         !rd_law_find_cell(&scope, claim)))
        goto failed;
    return true;
failed:
    outer->status = scope.status;
    return false;
}

static bool resolve_sizes(struct law_scope *outer, struct rd_law_section *section,
                          struct law_array *array, unsigned allowed)
{
    struct law_scope scope = scope_of(outer, section, allowed);
    for (size_t k = 0; k < array->n_sizes; k++) {
        if (!rd_law_resolve_number(&scope, array->sizes[k])) {
            outer->status = scope.status;
            return false;
        }
    }
    section->live_needs |= scope.needs;
    return true;
}

static bool resolve_section(struct law_scope *outer, struct rd_law_section *section)
{
    unsigned known = (quantities_of(section) | 1u << LAW_D) & ~(1u << LAW_STEP);
    /* An array with an index is no number: B[i] is not B. */
    const unsigned taken = section->array->n_sizes > 0 ? 1u << LAW_N : ANYWHERE;
    if (!check_new(outer, section, section->array->name, section->array->span, taken,
                   outer->law->n_definitions, section->array) ||
        !resolve_sizes(outer, section, section->array,
                       EVERYWHERE | (section->index ? 1u << LAW_BLOCK : 0)))
        return false;
    if (section->steps) {
        struct law_scope scope = scope_of(outer, section, known);
        if (!check_new(outer, section, section->steps->name, section->steps->span, ANYWHERE,
                       outer->law->n_definitions, NULL))
            return false;
        const bool single = section->next == section->first;
        if (!rd_law_resolve_number(&scope, section->first) ||
            (!single && !rd_law_resolve_number(&scope, section->last)) ||
            (scope.allowed |= 1u << LAW_STEP,
             !single && !rd_law_resolve_number(&scope, section->next))) {
            outer->status = scope.status;
            return false;
        }
        section->needs = scope.needs;
    }
    if (section->met) {
        struct law_scope scope =
            scope_of(outer, section, quantities_of(section) | 1u << LAW_D | 1u << LAW_BYTES);
        if (!rd_law_resolve_number(&scope, section->met)) {
            outer->status = scope.status;
            return false;
        }
        section->needs |= scope.needs;
    }
    for (unsigned role = 0; role < 3; role++)
        for (size_t k = 0; k < section->claims[role].count; k++)
            if (!resolve_claim(outer, section, (enum rd_law_role)role,
                               &section->claims[role].claims[k]))
                return false;
    return true;
}

enum rd_status rd_law_resolve(struct rd_law *law, struct rd_law_error *error)
{
    struct law_scope scope = {
        .law = law, .section = law->sections[0], .error = error, .status = RD_OK};
    place_grid(law);
    for (size_t k = 0; k < law->n_inputs; k++)
        if (!check_new(&scope, law->sections[0], law->inputs[k]->name, law->inputs[k]->span,
                       law->inputs[k]->n_sizes > 0 ? 1u << LAW_N : ANYWHERE, 0,
                       law->inputs[k])) /* a definition tells of its own name */
            return scope.status;
    for (size_t k = 0; k < law->n_definitions; k++)
        if (!resolve_definition(&scope, law->definitions[k]))
            return scope.status;
    for (size_t k = 0; k < law->n_inputs; k++)
        if (!resolve_sizes(&scope, law->sections[0], law->inputs[k], EVERYWHERE))
            return scope.status;
    for (size_t k = 0; k < law->n_sections; k++)
        if (!resolve_section(&scope, law->sections[k]))
            return scope.status;
    struct law_scope rounds = scope_of(&scope, law->sections[0], IN_ROUNDS);
    for (size_t k = 0; k < law->n_launches; k++)
        if (!rd_law_resolve_launch(&rounds, &law->launches[k]))
            return rounds.status;
    return RD_OK;
}
