// SPDX-License-Identifier: MIT
#include "law/tree.h"
#include "base/texts.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory ---- */

enum { BLOCK_BYTES = 16384 };

struct law_arena_block {
    struct law_arena_block *next;
    size_t used, size;
    max_align_t bytes[];
};

void *rd_law_arena_get(struct law_arena *arena, size_t size_bytes)
{
    struct law_arena_block *block = arena->blocks;
    size_t align = _Alignof(max_align_t);
    if (size_bytes > PTRDIFF_MAX / 2)
        return NULL;
    size_bytes = (size_bytes + align - 1) / align * align;
    if (!block || block->size - block->used < size_bytes) {
        size_t size = size_bytes > BLOCK_BYTES ? size_bytes : BLOCK_BYTES;
        block = calloc(1, sizeof *block + size);
        if (!block)
            return NULL;
        block->size = size;
        block->next = arena->blocks;
        arena->blocks = block;
    }
    void *memory = (char *)block->bytes + block->used;
    block->used += size_bytes;
    return memory;
}

char *rd_law_arena_text(struct law_arena *arena, const char *text, size_t length)
{
    char *copy = rd_law_arena_get(arena, length + 1);
    if (copy)
        memcpy(copy, text, length);
    return copy;
}

void *rd_law_arena_grow(struct law_arena *arena, void *items, size_t count, size_t *capacity,
                        size_t item_bytes)
{
    if (count < *capacity)
        return items;
    size_t more = *capacity ? 2 * *capacity : 4;
    void *grown = rd_law_arena_get(arena, more * item_bytes);
    if (!grown)
        return NULL;
    if (count > 0)
        memcpy(grown, items, count * item_bytes);
    *capacity = more;
    return grown;
}

void rd_law_arena_finish(struct law_arena *arena)
{
    while (arena->blocks) {
        struct law_arena_block *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
}

/* ---- trees ---- */

const char *rd_law_operator_name(enum law_operator op)
{
    static const char *const names[LAW_OPERATOR_COUNT] = {
        [LAW_ADD] = "+",   [LAW_SUBTRACT] = "-", [LAW_XOR] = "xor", [LAW_TIMES] = "*",
        [LAW_SLASH] = "/", [LAW_DIV] = "div",    [LAW_MOD] = "mod", [LAW_PERCENT] = "%",
        [LAW_POWER] = "^", [LAW_AND] = "and",    [LAW_OR] = "or",
    };
    return names[op];
}

const char *rd_law_function_name(enum law_function function)
{
    static const char *const names[LAW_FUNCTION_COUNT] = {
        [LAW_MIN] = "min",   [LAW_MAX] = "max",           [LAW_ABS] = "abs",
        [LAW_LOG2] = "log2", [LAW_BIT_CEIL] = "bit_ceil", [LAW_FLOOR] = "floor",
        [LAW_CEIL] = "ceil", [LAW_FLOOR_ROOT] = "floor",  [LAW_CEIL_ROOT] = "ceil",
    };
    return names[function];
}

const char *rd_law_relation_name(enum law_relation relation)
{
    static const char *const names[] = {"<", "<=", ">", ">=", "=", "!="};
    return names[relation];
}

enum law_relation rd_law_relation_mirrored(enum law_relation relation)
{
    static const enum law_relation mirror[] = {
        [LAW_LESS] = LAW_GREATER, [LAW_LESS_EQUAL] = LAW_GREATER_EQUAL,
        [LAW_GREATER] = LAW_LESS, [LAW_GREATER_EQUAL] = LAW_LESS_EQUAL,
        [LAW_EQUAL] = LAW_EQUAL,  [LAW_NOT_EQUAL] = LAW_NOT_EQUAL,
    };
    return mirror[relation];
}

size_t rd_law_next_written(const struct law_definition *definition, size_t k, bool *leaves_out)
{
    enum { LISTED = 8 };
    const size_t last = definition->n_equations - 1;
    *leaves_out = k == 0 && last >= LISTED && !definition->equations[last].successor;
    return *leaves_out ? last : k + 1;
}

const char *rd_law_quantity_name(enum law_quantity quantity)
{
    static const char *const names[LAW_QUANTITY_COUNT] = {
        [LAW_N] = "n",         [LAW_T] = "T",       [LAW_B] = "B",         [LAW_D] = "d",
        [LAW_BLOCK] = "block", [LAW_WARP] = "warp", [LAW_BYTES] = "bytes",
    };
    return names[quantity];
}

bool rd_law_same_node(const struct law_node *x, const struct law_node *y)
{
    if (!x || !y)
        return x == y;
    if (x->kind != y->kind || x->op != y->op || x->number != y->number || x->n_kids != y->n_kids ||
        x->any_order != y->any_order || !rd_text_is_same(x->name, y->name) ||
        !rd_text_is_same(x->point, y->point))
        return false;
    for (size_t k = 0; k < x->n_kids; k++)
        if (!rd_law_same_node(x->kids[k], y->kids[k]))
            return false;
    for (size_t k = 0; x->relations && k + 1 < x->n_kids; k++)
        if (x->relations[k] != y->relations[k])
            return false;
    /* x + sum of … and x + (sum of …) are different trees of additions. */
    if (x->kind == LAW_BINARY && x->kids[1]->kind == LAW_REDUCTION)
        return x->kids[1]->bracketed == y->kids[1]->bracketed;
    return true;
}

static bool same_nodes(struct law_node *const *x, struct law_node *const *y, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (!rd_law_same_node(x[k], y[k]))
            return false;
    return true;
}

static bool same_array(const struct law_array *x, const struct law_array *y)
{
    return rd_text_is_same(x->name, y->name) && x->n_sizes == y->n_sizes &&
           same_nodes(x->sizes, y->sizes, x->n_sizes);
}

static bool same_binding(const struct law_binding *x, const struct law_binding *y)
{
    if (!x || !y)
        return x == y;
    return x->n_conditions == y->n_conditions &&
           same_nodes(x->conditions, y->conditions, x->n_conditions);
}

static bool same_equation(const struct law_equation *x, const struct law_equation *y)
{
    if (x->successor != y->successor || x->index != y->index ||
        !rd_text_is_same(x->index_name, y->index_name) || x->n_parameters != y->n_parameters)
        return false;
    for (size_t k = 0; k < x->n_parameters; k++)
        if (!rd_text_is_same(x->parameters[k].name, y->parameters[k].name))
            return false;
    return rd_law_same_node(x->body, y->body);
}

static bool same_definition(const struct law_definition *x, const struct law_definition *y)
{
    if (x->kind != y->kind || !rd_text_is_same(x->name, y->name) ||
        x->n_equations != y->n_equations || x->section->index != y->section->index ||
        !same_binding(x->ranges, y->ranges))
        return false;
    for (size_t k = 0; k < x->n_equations; k++)
        if (!same_equation(&x->equations[k], &y->equations[k]))
            return false;
    return true;
}

static bool same_section(const struct rd_law_section *x, const struct rd_law_section *y)
{
    if (!rd_text_is_same(x->name, y->name) || x->kind != y->kind ||
        !same_array(x->array, y->array) || !x->steps != !y->steps ||
        (x->steps && !rd_text_is_same(x->steps->name, y->steps->name)) ||
        !rd_law_same_node(x->first, y->first) || !rd_law_same_node(x->next, y->next) ||
        !rd_law_same_node(x->last, y->last) || !rd_law_same_node(x->met, y->met) ||
        x->of_last_block != y->of_last_block)
        return false;
    for (unsigned role = 0; role < 3; role++) {
        if (x->claims[role].count != y->claims[role].count)
            return false;
        for (size_t k = 0; k < x->claims[role].count; k++) {
            const struct law_claim *a = &x->claims[role].claims[k], *b = &y->claims[role].claims[k];
            if (!rd_law_same_node(a->when, b->when) || !same_binding(a->binding, b->binding) ||
                !rd_law_same_node(a->cell, b->cell) || !rd_law_same_node(a->value, b->value))
                return false;
        }
    }
    return true;
}

bool rd_law_same(const struct rd_law *x, const struct rd_law *y)
{
    if (x->n_inputs != y->n_inputs || x->n_sections != y->n_sections ||
        x->n_definitions != y->n_definitions || x->n_launches != y->n_launches)
        return false;
    for (size_t k = 0; k < x->n_inputs; k++)
        if (!same_array(x->inputs[k], y->inputs[k]))
            return false;
    for (size_t k = 0; k < x->n_definitions; k++)
        if (!same_definition(x->definitions[k], y->definitions[k]))
            return false;
    for (size_t k = 0; k < x->n_sections; k++)
        if (!same_section(x->sections[k], y->sections[k]))
            return false;
    for (size_t k = 0; k < x->n_launches; k++)
        if (!rd_law_same_launch(&x->launches[k], &y->launches[k]))
            return false;
    return true;
}

void rd_law_destroy(struct rd_law *law)
{
    if (!law)
        return;
    rd_law_arena_finish(&law->arena);
    free(law);
}

size_t rd_law_section_count(const struct rd_law *law)
{
    return law->n_sections;
}

const struct rd_law_section *rd_law_section(const struct rd_law *law, size_t index)
{
    return index < law->n_sections ? law->sections[index] : NULL;
}

const struct rd_law_section *rd_law_section_at(const struct rd_law *law, const char *point)
{
    for (size_t k = 0; k < law->n_sections; k++)
        if (rd_text_is_same(law->sections[k]->name, point))
            return law->sections[k];
    return NULL;
}

size_t rd_law_input_count(const struct rd_law *law)
{
    return law->n_inputs;
}

const char *rd_law_input_name(const struct rd_law *law, size_t input)
{
    return input < law->n_inputs ? law->inputs[input]->name : NULL;
}

bool rd_law_input_has_n(const struct rd_law *law, size_t input)
{
    const struct law_array *array = input < law->n_inputs ? law->inputs[input] : NULL;
    return array && array->n_sizes == 1 && array->sizes[0]->kind == LAW_NAME &&
           rd_text_is_same(array->sizes[0]->name, rd_law_quantity_name(LAW_N));
}

bool rd_law_is_product(const struct law_node *node)
{
    return node->kind == LAW_BINARY && (node->op == LAW_TIMES || node->op == LAW_POWER);
}

bool rd_law_may_be_empty(const struct law_node *product)
{
    return rd_law_is_product(product) && product->kids[0]->data && product->kids[1]->data &&
           (product->kids[0]->meaning == LAW_IS_DEFINITION ||
            product->kids[1]->meaning == LAW_IS_DEFINITION);
}

static bool speaks_of(const struct law_node *node, enum law_meaning meaning)
{
    if (node->meaning == meaning)
        return true;
    for (size_t k = 0; k < node->n_kids; k++)
        if (speaks_of(node->kids[k], meaning))
            return true;
    return false;
}

static bool claims_speak_of(const struct law_claims *claims, enum law_meaning meaning)
{
    for (size_t k = 0; k < claims->count; k++)
        if (speaks_of(claims->claims[k].value, meaning))
            return true;
    return false;
}

void rd_law_about(const struct rd_law_section *section, struct rd_law_about *about)
{
    *about = (struct rd_law_about){
        .point = section->name,
        .array = section->array->name,
        .kind = section->kind,
        .scalar = section->array->n_sizes == 0,
        .steps = section->steps ? section->steps->name : NULL,
        .has_update = section->claims[RD_LAW_UPDATE].count > 0,
        .update_reads = claims_speak_of(&section->claims[RD_LAW_UPDATE], LAW_IS_STATE),
        .starts_from_point = claims_speak_of(&section->claims[RD_LAW_START], LAW_IS_LAST_STATE),
        .differs_by_block = section->needs & 1u << LAW_BLOCK,
        .live_differs_by_block = section->live_needs & 1u << LAW_BLOCK,
        .differs_by_warp = section->needs & 1u << LAW_WARP,
        .of_last_block = section->of_last_block,
    };
}
