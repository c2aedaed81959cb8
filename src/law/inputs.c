// SPDX-License-Identifier: MIT
/* The inputs of a sum are those of its terms, and `+` unites. A product, as a[j]*b[j] or a[j]^2, counts each of
 * its elements once; with a defined sum of nothing, none. */
#include "law/inputs.h"

#include <stdlib.h>

static int compare_indices(const void *x, const void *y)
{
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

void rd_law_tally_sort(struct law_tally *tally, size_t first)
{
    for (size_t k = first; k + 1 < tally->count; k++) {
        if (tally->items[k] > tally->items[k + 1]) {
            qsort(tally->items + first, tally->count - first, sizeof *tally->items,
                  compare_indices);
            return;
        }
    }
}

bool rd_law_tally_add(struct rd_law_run *run, struct law_tally *tally, uint64_t item)
{
    if (tally->count == tally->capacity) {
        size_t capacity = tally->capacity ? 2 * tally->capacity : 64;
        uint64_t *grown = realloc(tally->items, capacity * sizeof *grown);
        if (!grown)
            return rd_law_run_no_memory(run);
        tally->items = grown;
        tally->capacity = capacity;
    }
    tally->items[tally->count++] = item;
    return true;
}

/* The first declared input of which the term has an element; SIZE_MAX where it has none. */
static size_t first_input(const struct law_node *term)
{
    size_t first = SIZE_MAX;
    if (term->kind == LAW_ELEMENT)
        return term->array->index;
    for (size_t k = 0; k < term->n_kids; k++) {
        size_t of_kid = term->kids[k]->data ? first_input(term->kids[k]) : SIZE_MAX;
        if (of_kid < first)
            first = of_kid;
    }
    return first;
}

static bool is_product(const struct law_node *node)
{
    return node->kind == LAW_BINARY && (node->op == LAW_TIMES || node->op == LAW_POWER);
}

/* Leaves one of each index from items[first] on. */
static void drop_repeated(struct law_tally *tally, size_t first)
{
    size_t kept = first;
    rd_law_tally_sort(tally, first);
    for (size_t k = first; k < tally->count; k++)
        if (k == first || tally->items[k] != tally->items[kept - 1])
            tally->items[kept++] = tally->items[k];
    tally->count = kept;
}

/* Counts the inputs of a term, which is made of elements alone. */
static bool add_elements(struct rd_law_run *run, const struct law_node *term, size_t input,
                         struct law_tally *tally)
{
    const size_t first = tally->count;
    if (term->kind == LAW_ELEMENT) {
        int64_t indices[LAW_INDICES_MAX + 1], flat;
        for (size_t k = 0; k < term->n_kids; k++)
            if (!rd_law_number(run, term->kids[k], &indices[k]))
                return false;
        return rd_law_flat_index(run, term, term->array, indices, &flat) &&
               (term->array->index != input || rd_law_tally_add(run, tally, (uint64_t)flat));
    }
    for (size_t k = 0; k < term->n_kids; k++)
        if (term->kids[k]->data && !add_elements(run, term->kids[k], input, tally))
            return false;
    if (is_product(term))
        drop_repeated(tally, first);
    return true;
}

struct reducing {
    const struct law_node *term;
    int input;
    struct law_tally *tally;
};

static bool visit_term(struct rd_law_run *run, void *context)
{
    const struct reducing *reducing = context;
    return rd_law_inputs(run, reducing->term, reducing->input, reducing->tally);
}

static bool add_defined(struct rd_law_run *run, const struct law_node *node, int input,
                        struct law_tally *tally)
{
    const struct law_node *body;
    size_t base = run->base, top = run->top;
    bool done =
        rd_law_enter(run, node, &body, &base, &top) && rd_law_inputs(run, body, input, tally);
    rd_law_run_pop(run, base, top);
    return done || rd_law_run_fail_in_use(run, node);
}

/* Tells whether a factor was defined, and is a sum of nothing: 0. */
static bool has_empty_factor(struct rd_law_run *run, const struct law_node *product,
                             struct law_tally *tally, bool *has)
{
    const size_t first = tally->count;
    for (size_t k = 0; k < product->n_kids && !*has; k++) {
        if (product->kids[k]->meaning != LAW_IS_DEFINITION)
            continue;
        if (!rd_law_inputs(run, product->kids[k], RD_LAW_FIRST_INPUT, tally))
            return false;
        *has = tally->count == first;
        tally->count = first;
    }
    return true;
}

static bool add_inputs(struct rd_law_run *run, const struct law_node *value, int input,
                       struct law_tally *tally)
{
    if (!value->data)
        return true;
    if (value->term)
        return add_elements(run, value, input < 0 ? first_input(value) : (size_t)input, tally);
    if (value->kind == LAW_REDUCTION) {
        struct reducing reducing = {value->kids[0], input, tally};
        return rd_law_cases(run, value->binding, visit_term, &reducing);
    }
    if (value->meaning == LAW_IS_DEFINITION)
        return add_defined(run, value, input, tally);
    if (value->meaning == LAW_IS_STATE || value->meaning == LAW_IS_LAST_STATE)
        return rd_law_state_inputs(run, value, input, tally);
    const size_t first = tally->count;
    bool zero = false;
    if (rd_law_may_be_empty(value) && !has_empty_factor(run, value, tally, &zero))
        return false;
    for (size_t k = 0; k < value->n_kids && !zero; k++)
        if (!rd_law_inputs(run, value->kids[k], input, tally))
            return false;
    if (is_product(value))
        drop_repeated(tally, first);
    return true;
}

bool rd_law_inputs(struct rd_law_run *run, const struct law_node *value, int input,
                   struct law_tally *tally)
{
    enum { LEVELS = 8 }; /* a level here takes as much of the stack as so many of a number */
    if (!rd_law_run_work(run, value))
        return false;
    run->depth += LEVELS;
    bool done = run->depth <= LAW_LEVELS_MAX
                    ? add_inputs(run, value, input, tally)
                    : rd_law_run_fail(run, value, "definitions stand too deep in each other");
    run->depth -= LEVELS;
    return done;
}
