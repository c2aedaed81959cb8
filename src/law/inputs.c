// SPDX-License-Identifier: MIT
/* Inputs that a value is made of, and cells that hold an input. */
#include "base/array.h"
#include "law/cells.h"

#include <stdlib.h>
#include <string.h>

/* ---- inputs of a value ---- */

/* The inputs of a sum are those of its terms, and `+` unites. A product, as a[j]*b[j] or a[j]^2, counts each of
 * its elements once; with a defined sum of nothing, none. */

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
    if (rd_law_is_product(term))
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
    if (rd_law_is_product(value))
        drop_repeated(tally, first);
    return true;
}

bool rd_law_inputs(struct rd_law_run *run, const struct law_node *value, int input,
                   struct law_tally *tally)
{
    const bool done = rd_law_run_enter(run, value) && add_inputs(run, value, input, tally);
    rd_law_run_leave(run);
    return done;
}

/* ---- cells of an input ---- */

/* The cells that hold an input, found from the input. */

/* Rows of numbers: the indices of elements, or a cell each. */
struct rows {
    int64_t *items;
    size_t width, count, capacity;
};

static bool add_row(struct rd_law_run *run, struct rows *rows, const int64_t *row)
{
    if (rows->count == rows->capacity) {
        size_t capacity = rows->capacity ? 2 * rows->capacity : 8;
        int64_t *grown = realloc(rows->items, capacity * (rows->width + 1) * sizeof *grown);
        if (!grown)
            return rd_law_run_no_memory(run);
        rows->items = grown;
        rows->capacity = capacity;
    }
    if (rows->width > 0)
        memcpy(rows->items + rows->count * rows->width, row, rows->width * sizeof *row);
    rows->count++;
    return true;
}

/* The element that is looked for. */
struct wanted {
    size_t input; /* which input's */
    int64_t index;
};

typedef bool law_located(struct rd_law_run *run, void *context);

static bool follow(struct rd_law_run *run, const struct law_ways *ways, const struct wanted *wanted,
                   law_located *located, void *context);

static bool collect_indices(struct rd_law_run *run, void *context)
{
    return add_row(run, context, rd_law_run_variable(run, 0));
}

/* The elements of a defined array in which the wanted one is. */
static bool find_elements(struct rd_law_run *run, const struct law_node *leaf,
                          const struct wanted *wanted, struct rows *rows)
{
    const struct law_definition *definition = leaf->definition;
    size_t base, top;
    rows->width = definition->equations[0].n_parameters;
    if (!rd_law_run_push(run, leaf, definition->ways.frame, NULL, 0, &base, &top))
        return false;
    bool done = follow(run, &definition->ways, wanted, collect_indices, rows);
    rd_law_run_pop(run, base, top);
    return done;
}

/* The indices of the wanted element itself. */
static bool find_input(struct rd_law_run *run, const struct law_node *leaf,
                       const struct wanted *wanted, struct rows *rows)
{
    int64_t indices[LAW_INDICES_MAX], rest = wanted->index;
    rows->width = leaf->array->n_sizes;
    for (size_t k = leaf->array->n_sizes; k-- > 0;) {
        int64_t size;
        if (!rd_law_number(run, leaf->array->sizes[k], &size))
            return false;
        if (size < 1)
            return true;
        indices[k] = rest % size;
        rest /= size;
    }
    return rest > 0 || add_row(run, rows, indices);
}

static bool follow_way(struct rd_law_run *run, const struct law_way *way,
                       const struct wanted *wanted, law_located *located, void *context)
{
    struct rows rows = {0};
    bool input = way->leaf->meaning == LAW_IS_INPUT;
    if (input && way->leaf->array->index != wanted->input)
        return true;
    bool done = input ? find_input(run, way->leaf, wanted, &rows)
                      : find_elements(run, way->leaf, wanted, &rows);
    for (size_t k = 0; done && k < rows.count; k++) {
        for (size_t q = 0; q < rows.width; q++)
            *rd_law_run_variable(run, way->target + (unsigned)q) = rows.items[k * rows.width + q];
        done = rd_law_cases(run, &way->binding, located, context);
    }
    free(rows.items);
    return done;
}

static bool follow(struct rd_law_run *run, const struct law_ways *ways, const struct wanted *wanted,
                   law_located *located, void *context)
{
    for (const struct law_way *way = ways->first; way; way = way->next)
        if (!follow_way(run, way, wanted, located, context))
            return false;
    return true;
}

/* ---- cells ---- */

struct locating {
    const struct law_claim *claim;
    struct rows cells;
};

static bool collect_cell(struct rd_law_run *run, void *context)
{
    struct locating *locating = context;
    const struct law_array *array = run->section->array;
    int64_t cell = 0;
    for (size_t k = 0; k < array->n_sizes; k++) {
        int64_t index, size;
        if (!rd_law_number(run, locating->claim->cell->kids[k], &index) ||
            !rd_law_number(run, array->sizes[k], &size))
            return false;
        if (index < 0 || index >= size)
            return true;
        if (__builtin_mul_overflow(cell, size, &cell) || __builtin_add_overflow(cell, index, &cell))
            return rd_law_run_fail(run, locating->claim->cell, "the array has 2^63 cells or more");
    }
    return add_row(run, &locating->cells, &cell);
}

/* A claim on all cells: where the input is in its value, it is in each. */
static bool collect_whole(struct rd_law_run *run, void *context)
{
    struct locating *locating = context;
    int64_t count;
    if (!rd_law_count(run, run->section->array, &count))
        return false;
    for (int64_t cell = 0; cell < count; cell++)
        if (!rd_law_run_work(run, locating->claim->cell) || !add_row(run, &locating->cells, &cell))
            return false;
    return true;
}

static int compare_cells(const void *x, const void *y)
{
    int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
    return (a > b) - (a < b);
}

static bool locate(struct rd_law_run *run, const struct wanted *wanted, struct locating *locating)
{
    const struct law_claims *claims = &run->section->claims[RD_LAW_LAW];
    for (size_t k = 0; k < claims->count; k++) {
        const struct law_claim *claim = &claims->claims[k];
        size_t base, top;
        bool active = true;
        locating->claim = claim;
        if (!rd_law_run_push(run, claim->cell, claim->ways.frame, NULL, 0, &base, &top))
            return false;
        bool done = !claim->when || rd_law_condition(run, claim->when, &active);
        if (done && active)
            done = follow(run, &claim->ways, wanted, claim->whole ? collect_whole : collect_cell,
                          locating);
        rd_law_run_pop(run, base, top);
        if (!done)
            return false;
    }
    return true;
}

bool rd_law_is_invertible(const struct rd_law_section *section)
{
    for (size_t k = 0; k < section->claims[RD_LAW_LAW].count; k++)
        if (!section->claims[RD_LAW_LAW].claims[k].ways.known)
            return false;
    return true;
}

static enum rd_status locate_by_ways(struct rd_law_run *run, const struct rd_law_section *section,
                                     const struct rd_law_place *place, const struct wanted *wanted,
                                     struct locating *locating, struct rd_law_error *error)
{
    rd_law_run_begin(run, error);
    if (!rd_law_is_invertible(section) || wanted->index < 0)
        rd_law_run_fail(run, section->claims[RD_LAW_LAW].claims[0].cell,
                        "the law can't be read from the input to the cell");
    else if (rd_law_run_go(run, section, place))
        locate(run, wanted, locating);
    return run->status;
}

/* Goes through the inputs of all cells. */
static enum rd_status locate_by_cells(struct rd_law_run *run, const struct rd_law_section *section,
                                      const struct rd_law_place *place, const struct wanted *wanted,
                                      struct locating *locating, struct rd_law_error *error)
{
    struct rd_law_cells cells;
    const enum rd_status status =
        rd_law_cells_init(&cells, run, section, place, (int)wanted->input, error);
    if (status != RD_OK)
        return status;
    bool done = true;
    for (size_t k = 0; k < cells.count && done; k++) {
        const int64_t cell = (int64_t)cells.cells[k];
        if (rd_array_find(cells.inputs + cells.first[k], cells.first[k + 1] - cells.first[k],
                          (uint64_t)wanted->index) != SIZE_MAX)
            done = add_row(run, &locating->cells, &cell);
    }
    rd_law_cells_finish(&cells);
    return run->status;
}

/* Sorts the cells, and leaves each once. */
static void take_located(struct locating *locating, uint64_t **cells, size_t *count)
{
    int64_t *items = locating->cells.items;
    size_t kept = 0;
    if (locating->cells.count > 0)
        qsort(items, locating->cells.count, sizeof *items, compare_cells);
    for (size_t k = 0; k < locating->cells.count; k++)
        if (k == 0 || items[k] != items[kept - 1])
            items[kept++] = items[k];
    *cells = (uint64_t *)items;
    *count = kept;
}

enum rd_status rd_law_locate(struct rd_law_run *run, const struct rd_law_section *section,
                             const struct rd_law_place *place, size_t input, uint64_t index,
                             uint64_t **cells, size_t *count, struct rd_law_error *error)
{
    struct locating locating = {.cells.width = 1};
    const struct wanted wanted = {.input = input,
                                  .index = index <= INT64_MAX ? (int64_t)index : -1};
    struct rd_law_error why = {0};
    enum rd_status status = locate_by_ways(run, section, place, &wanted, &locating, &why);
    const bool may_turn = rd_law_is_invertible(section) && wanted.index >= 0;
    if (status != RD_OK && (status != RD_ERROR_USAGE || !may_turn) && error)
        *error = why;
    run->error = error;
    if (status == RD_ERROR_USAGE && may_turn) {
        /* the other way round it may be undefined what the law never asks */
        free(locating.cells.items);
        locating = (struct locating){.cells.width = 1};
        status = locate_by_cells(run, section, place, &wanted, &locating, error);
    }
    if (status == RD_OK)
        take_located(&locating, cells, count);
    else
        free(locating.cells.items);
    return status;
}
