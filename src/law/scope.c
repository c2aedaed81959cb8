// SPDX-License-Identifier: MIT
/* Names that are known at a place of a paragraph. */
#include "law/resolve.h"
#include "base/spelling.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

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
