// SPDX-License-Identifier: MIT
/* The definitions that a law speaks of. */
#include "law/print.h"
#include "base/array.h"

#include <stdlib.h>
#include <string.h>

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

static const struct law_use *find_use(const struct law_uses *uses,
                                      const struct law_definition *definition)
{
    for (size_t k = 0; k < uses->count; k++)
        if (uses->list[k].definition == definition)
            return &uses->list[k];
    return NULL;
}

bool rd_law_use_knows(const struct law_uses *uses, const struct law_definition *definition,
                      size_t index)
{
    const struct law_use *use = find_use(uses, definition);
    return use && use->indices[index] == LAW_INDEX_KNOWN;
}

bool rd_law_has_value(struct rd_law_run *run, const struct law_node *node, uint32_t known,
                      int64_t *value)
{
    return rd_law_is_closed(node, known) && rd_law_number_quietly(run, node, value);
}

/* ---- families ---- */

static bool is_defined(const struct law_definition *family, int64_t index)
{
    for (size_t k = 0; k < family->n_equations; k++)
        if (family->equations[k].successor ? index > 0 : family->equations[k].index == index)
            return true;
    return false;
}

bool rd_law_is_written_out(struct rd_law_run *run, const struct law_node *node, uint32_t known)
{
    enum { WRITTEN_OUT = 4 };
    int64_t index;
    if (node->kind != LAW_FAMILY || node->data || (rd_law_variables(node->kids[0]) & ~known) ||
        !rd_law_number_quietly(run, node->kids[0], &index) || index > WRITTEN_OUT ||
        !is_defined(node->definition, index))
        return false;
    const struct law_equation *equation = &node->definition->equations[0];
    for (size_t k = 1; k < node->n_kids; k++)
        if (node->kids[k]->kind != LAW_NAME ||
            strcmp(node->kids[k]->name, equation->parameters[k - 1].name) != 0)
            return false;
    return true;
}

bool rd_law_enter_family(struct rd_law_run *run, const struct law_node *node,
                         const struct law_node **body, uint32_t *known, size_t *base, size_t *top)
{
    int64_t indices[LAW_INDICES_MAX + 1] = {0}, values[LAW_INDICES_MAX + 1] = {0};
    size_t count;
    if (!rd_law_number(run, node->kids[0], &indices[0]))
        return false;
    const struct law_equation *equation = rd_law_equation_for(run, node, indices, values, &count);
    if (!equation || !rd_law_run_push(run, node, equation->frame, values, count, base, top))
        return false;
    *body = equation->body;
    *known = equation->successor ? 1u << equation->n_parameters : 0;
    return true;
}

bool rd_law_enter_use(struct rd_law_run *run, const struct law_uses *uses,
                      const struct law_definition *definition, const struct law_equation *equation,
                      uint32_t *known, size_t *base, size_t *top)
{
    const struct law_use *use = find_use(uses, definition);
    const bool array = definition->kind == LAW_LET_ARRAY;
    *known = 0;
    for (size_t k = 0; array && k < equation->n_parameters; k++)
        if (use->indices[k] == LAW_INDEX_KNOWN)
            *known |= 1u << k;
    return rd_law_run_push(run, equation->body, equation->frame, use->values,
                           array ? equation->n_parameters : 0, base, top);
}

/* ---- finding ---- */

struct finding {
    struct rd_law_run *run;
    struct law_uses *uses;
    bool changed;
};

static bool find(struct finding *finding, const struct law_node *node, uint32_t known);

static struct law_use *use_of(struct finding *finding, const struct law_definition *definition)
{
    struct law_uses *uses = finding->uses;
    struct law_use *use = (struct law_use *)find_use(uses, definition);
    if (use)
        return use;
    if (uses->count == uses->capacity) {
        size_t capacity = uses->capacity ? 2 * uses->capacity : 8;
        struct law_use *grown = realloc(uses->list, capacity * sizeof *grown);
        if (!grown) {
            rd_law_run_no_memory(finding->run);
            return NULL;
        }
        uses->list = grown;
        uses->capacity = capacity;
    }
    use = &uses->list[uses->count++];
    *use = (struct law_use){.definition = definition};
    finding->changed = true;
    return use;
}

/* An index that isn't the number which it was elsewhere is open everywhere. */
static void see_index(struct finding *finding, struct law_use *use, size_t k,
                      const struct law_node *index, uint32_t known)
{
    const enum law_index before = use->indices[k];
    int64_t value = 0;
    const bool closed =
        !(rd_law_variables(index) & ~known) && rd_law_number_quietly(finding->run, index, &value);
    if (before == LAW_INDEX_UNSEEN) {
        use->indices[k] = closed ? LAW_INDEX_KNOWN : LAW_INDEX_OPEN;
        use->values[k] = value;
    } else if (before == LAW_INDEX_KNOWN && (!closed || use->values[k] != value)) {
        use->indices[k] = LAW_INDEX_OPEN;
    }
    finding->changed |= use->indices[k] != before;
}

static bool see_definition(struct finding *finding, const struct law_node *node, uint32_t known)
{
    struct law_use *use = use_of(finding, node->definition);
    if (!use)
        return false;
    for (size_t k = 0; node->kind == LAW_ELEMENT && k < node->n_kids; k++)
        see_index(finding, use, k, node->kids[k], known);
    return true;
}

static bool find_in_family(struct finding *finding, const struct law_node *node)
{
    const struct law_node *body;
    uint32_t known;
    size_t base, top;
    if (!rd_law_enter_family(finding->run, node, &body, &known, &base, &top))
        return false;
    bool done = find(finding, body, known);
    rd_law_run_pop(finding->run, base, top);
    return done;
}

static bool find(struct finding *finding, const struct law_node *node, uint32_t known)
{
    int64_t value;
    if (!rd_law_is_of_definitions(node) || rd_law_has_value(finding->run, node, known, &value))
        return true;
    if (rd_law_is_written_out(finding->run, node, known))
        return find_in_family(finding, node);
    if (node->meaning == LAW_IS_DEFINITION && !see_definition(finding, node, known))
        return false;
    for (size_t k = 0; k < node->n_kids; k++)
        if (!find(finding, node->kids[k], known))
            return false;
    return true;
}

static bool find_in_claim(struct finding *finding, const struct law_claim *claim)
{
    bool active = true;
    if (claim->when && !rd_law_condition(finding->run, claim->when, &active))
        return false;
    if (!active)
        return true;
    for (size_t k = 0; claim->binding && k < claim->binding->n_conditions; k++)
        if (!find(finding, claim->binding->conditions[k], 0))
            return false;
    return find(finding, claim->cell, 0) && find(finding, claim->value, 0);
}

static bool find_in_use(struct finding *finding, size_t index)
{
    const struct law_definition *definition = finding->uses->list[index].definition;
    for (size_t e = 0; e < definition->n_equations; e++) {
        const struct law_equation *equation = &definition->equations[e];
        uint32_t known;
        size_t base, top;
        if (!rd_law_enter_use(finding->run, finding->uses, definition, equation, &known, &base,
                              &top))
            return false;
        bool done = find(finding, equation->body, known);
        rd_law_run_pop(finding->run, base, top);
        if (!done)
            return false;
    }
    return true;
}

/* An index can only become less known: this ends. */
bool rd_law_find_uses(struct rd_law_run *run, const struct law_claims *claims,
                      struct law_uses *uses)
{
    struct finding finding = {.run = run, .uses = uses, .changed = true};
    while (finding.changed) {
        finding.changed = false;
        for (size_t k = 0; k < claims->count; k++)
            if (!find_in_claim(&finding, &claims->claims[k]))
                return false;
        for (size_t k = 0; k < uses->count; k++)
            if (!find_in_use(&finding, k))
                return false;
    }
    return true;
}
