// SPDX-License-Identifier: MIT
#include "law/cells.h"
#include "base/array.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- claims ---- */

struct claiming {
    const struct law_claim *claim;
    law_claim_visit *visit;
    void *context;
};

static bool visit_case(struct rd_law_run *run, void *context)
{
    const struct claiming *claiming = context;
    const struct law_array *array = run->section->array;
    struct law_claimed claimed = {.claim = claiming->claim};
    for (size_t k = 0; k < array->n_sizes; k++) {
        int64_t index, size;
        if (!rd_law_number(run, claiming->claim->cell->kids[k], &index) ||
            !rd_law_number(run, array->sizes[k], &size))
            return false;
        if (index < 0 || index >= size) {
            claimed.outside = true;
            claimed.cell = index;
            break;
        }
        if (__builtin_mul_overflow(claimed.cell, size, &claimed.cell) ||
            __builtin_add_overflow(claimed.cell, index, &claimed.cell))
            return rd_law_run_fail(run, claiming->claim->cell, "the array has 2^63 cells or more");
    }
    return claiming->visit(run, &claimed, claiming->context);
}

/* All cells of the array. */
static bool visit_whole(struct rd_law_run *run, const struct claiming *claiming)
{
    int64_t count;
    if (!rd_law_count(run, run->section->array, &count))
        return false;
    for (int64_t cell = 0; cell < count; cell++) {
        const struct law_claimed claimed = {.claim = claiming->claim, .cell = cell};
        if (!rd_law_run_work(run, claiming->claim->cell) ||
            !claiming->visit(run, &claimed, claiming->context))
            return false;
    }
    return true;
}

static bool visit_claim(struct rd_law_run *run, const struct claiming *claiming)
{
    const struct law_claim *claim = claiming->claim;
    if (claim->whole)
        return visit_whole(run, claiming);
    if (!claim->binding)
        return visit_case(run, (void *)claiming);
    return rd_law_cases(run, claim->binding, visit_case, (void *)claiming);
}

bool rd_law_claimed_cells(struct rd_law_run *run, const struct law_claims *claims,
                          law_claim_visit *visit, void *context)
{
    for (size_t k = 0; k < claims->count; k++) {
        const struct claiming claiming = {&claims->claims[k], visit, context};
        size_t base, top;
        bool active = true;
        if (!rd_law_run_push(run, claiming.claim->cell, claiming.claim->frame, NULL, 0, &base,
                             &top))
            return false;
        bool done = !claiming.claim->when || rd_law_condition(run, claiming.claim->when, &active);
        if (done && active)
            done = visit_claim(run, &claiming);
        rd_law_run_pop(run, base, top);
        if (!done)
            return false;
    }
    return true;
}

/* ---- cells ---- */

/* Evaluates a law at a place: the live cells, and the inputs that each holds. */

/* A cell, with its inputs in the tally. */
struct entry {
    uint64_t cell;
    size_t first, count;
    const struct law_claim *claim;
    bool unknown;
};

struct collecting {
    int input;
    struct entry *entries;
    size_t count, capacity;
    struct law_tally tally;
    size_t n_outside;
    int64_t outside;
};

static bool collect(struct rd_law_run *run, const struct law_claimed *claimed, void *context)
{
    struct collecting *collecting = context;
    if (claimed->outside) {
        if (collecting->n_outside++ == 0)
            collecting->outside = claimed->cell;
        return true;
    }
    if (collecting->count == collecting->capacity) {
        size_t capacity = collecting->capacity ? 2 * collecting->capacity : 64;
        struct entry *grown = realloc(collecting->entries, capacity * sizeof *grown);
        if (!grown)
            return rd_law_run_no_memory(run);
        collecting->entries = grown;
        collecting->capacity = capacity;
    }
    struct law_states *states = collecting->tally.states;
    size_t first = collecting->tally.count;
    if (states)
        states->unknown = false;
    if (collecting->input != RD_LAW_NO_INPUT &&
        !rd_law_inputs(run, claimed->claim->value, collecting->input, &collecting->tally))
        return false;
    rd_law_tally_sort(&collecting->tally, first);
    collecting->entries[collecting->count++] =
        (struct entry){.cell = (uint64_t)claimed->cell,
                       .first = first,
                       .count = collecting->tally.count - first,
                       .claim = claimed->claim,
                       .unknown = states && states->unknown};
    return true;
}

static int compare_entries(const void *x, const void *y)
{
    const struct entry *a = x, *b = y;
    if (a->cell != b->cell)
        return a->cell > b->cell ? 1 : -1;
    return (a->first > b->first) - (a->first < b->first);
}

/* Leaves one of the entries of a cell, and fails where they differ. */
static bool unite(struct rd_law_run *run, struct collecting *collecting)
{
    size_t kept = 0;
    if (collecting->count > 0)
        qsort(collecting->entries, collecting->count, sizeof *collecting->entries, compare_entries);
    for (size_t k = 0; k < collecting->count; k++) {
        const struct entry *entry = &collecting->entries[k];
        const struct entry *before = kept > 0 ? &collecting->entries[kept - 1] : NULL;
        if (!before || before->cell != entry->cell) {
            collecting->entries[kept++] = *entry;
            continue;
        }
        if (before->count != entry->count ||
            (entry->count > 0 &&
             memcmp(collecting->tally.items + before->first, collecting->tally.items + entry->first,
                    entry->count * sizeof(uint64_t)) != 0))
            return rd_law_run_fail(run, entry->claim->cell,
                                   "two claims say different things of cell %" PRIu64, entry->cell);
        collecting->entries[kept - 1].unknown |= entry->unknown;
    }
    collecting->count = kept;
    return true;
}

static bool hand_out(struct rd_law_run *run, const struct collecting *collecting,
                     struct rd_law_cells *cells)
{
    struct rd_law_cells made = {.count = collecting->count,
                                .n_outside = collecting->n_outside,
                                .outside = collecting->outside};
    size_t n_inputs = 0;
    for (size_t k = 0; k < collecting->count; k++)
        n_inputs += collecting->entries[k].count;
    made.cells = malloc((made.count + 1) * sizeof *made.cells);
    made.first = malloc((made.count + 1) * sizeof *made.first);
    made.inputs = malloc((n_inputs + 1) * sizeof *made.inputs);
    if (!made.cells || !made.first || !made.inputs) {
        rd_law_cells_finish(&made);
        return rd_law_run_no_memory(run);
    }
    n_inputs = 0;
    for (size_t k = 0; k < made.count; k++) {
        const struct entry *entry = &collecting->entries[k];
        made.cells[k] = entry->cell;
        made.first[k] = n_inputs;
        if (entry->count > 0)
            memcpy(made.inputs + n_inputs, collecting->tally.items + entry->first,
                   entry->count * sizeof *made.inputs);
        n_inputs += entry->count;
    }
    made.first[made.count] = n_inputs;
    *cells = made;
    return true;
}

/* Marks each cell that is unknown. */
static bool hand_out_unknown(struct rd_law_run *run, const struct collecting *collecting,
                             bool **unknown)
{
    bool *made = malloc((collecting->count + 1) * sizeof *made);
    if (!made)
        return rd_law_run_no_memory(run);
    for (size_t k = 0; k < collecting->count; k++)
        made[k] = collecting->entries[k].unknown;
    *unknown = made;
    return true;
}

bool rd_law_collect(struct rd_law_run *run, const struct law_claims *claims, int input,
                    struct law_states *states, struct rd_law_cells *cells, bool **unknown)
{
    struct collecting collecting = {.input = input, .tally.states = states};
    struct rd_law_cells made;
    bool done = rd_law_claimed_cells(run, claims, collect, &collecting) &&
                unite(run, &collecting) && hand_out(run, &collecting, &made);
    if (done && unknown && !hand_out_unknown(run, &collecting, unknown)) {
        rd_law_cells_finish(&made);
        done = false;
    }
    if (done)
        *cells = made;
    free(collecting.entries);
    free(collecting.tally.items);
    return done;
}

enum rd_status rd_law_cells_init(struct rd_law_cells *cells, struct rd_law_run *run,
                                 const struct rd_law_section *section,
                                 const struct rd_law_place *place, int input,
                                 struct rd_law_error *error)
{
    rd_law_run_begin(run, error);
    if (rd_law_run_go(run, section, place))
        rd_law_collect(run, &section->claims[RD_LAW_LAW], input, NULL, cells, NULL);
    return run->status;
}

/* ---- one cell ---- */

struct of_cell {
    const struct law_claim *claim;
    uint64_t cell;
    int input;
    bool live;
    struct law_tally tally;
};

/* The first of claims that agree says all. */
static bool collect_inputs(struct rd_law_run *run, void *context)
{
    struct of_cell *of_cell = context;
    if (of_cell->live)
        return true;
    of_cell->live = true;
    return rd_law_inputs(run, of_cell->claim->value, of_cell->input, &of_cell->tally);
}

static bool collect_if_same(struct rd_law_run *run, const struct law_claimed *claimed,
                            void *context)
{
    struct of_cell *of_cell = context;
    of_cell->claim = claimed->claim;
    return claimed->outside || (uint64_t)claimed->cell != of_cell->cell ||
           collect_inputs(run, of_cell);
}

/* From the cell to the variables of the claim. */
static bool find_of_cell(struct rd_law_run *run, const struct law_claim *claim,
                         struct of_cell *of_cell)
{
    const struct law_array *array = run->section->array;
    uint64_t rest = of_cell->cell;
    of_cell->claim = claim;
    for (size_t k = array->n_sizes; k-- > 0;) {
        int64_t size;
        if (!rd_law_number(run, array->sizes[k], &size))
            return false;
        if (size < 1)
            return true;
        *rd_law_run_variable(run, claim->target + (unsigned)k) = (int64_t)(rest % (uint64_t)size);
        rest /= (uint64_t)size;
    }
    return rest > 0 || rd_law_cases(run, &claim->of_cell, collect_inputs, of_cell);
}

static bool find_in_claim(struct rd_law_run *run, const struct law_claims *claims, size_t index,
                          struct of_cell *of_cell)
{
    const struct law_claim *claim = &claims->claims[index];
    const struct law_claims alone = {.count = 1, .claims = &claims->claims[index]};
    size_t base, top;
    bool active = true;
    if (!claim->of_cell.plan)
        return rd_law_claimed_cells(run, &alone, collect_if_same, of_cell);
    if (!rd_law_run_push(run, claim->cell, claim->target + LAW_INDICES_MAX, NULL, 0, &base, &top))
        return false;
    bool done = !claim->when || rd_law_condition(run, claim->when, &active);
    if (done && active)
        done = find_of_cell(run, claim, of_cell);
    rd_law_run_pop(run, base, top);
    return done;
}

/* Goes from the cell to the variables of the claims. */
static enum rd_status find_cell(struct rd_law_run *run, const struct rd_law_section *section,
                                const struct rd_law_place *place, struct of_cell *of_cell,
                                struct rd_law_error *error)
{
    const struct law_claims *claims = &section->claims[RD_LAW_LAW];
    rd_law_run_begin(run, error);
    bool done = rd_law_run_go(run, section, place);
    for (size_t k = 0; done && !of_cell->live && k < claims->count; k++)
        done = find_in_claim(run, claims, k, of_cell);
    return run->status;
}

/* Finds the cell among all. */
static enum rd_status look_cell_up(struct rd_law_run *run, const struct rd_law_section *section,
                                   const struct rd_law_place *place, struct of_cell *of_cell,
                                   struct rd_law_error *error)
{
    struct rd_law_cells cells;
    enum rd_status status = rd_law_cells_init(&cells, run, section, place, of_cell->input, error);
    if (status != RD_OK)
        return status;
    const size_t at = rd_array_find(cells.cells, cells.count, of_cell->cell);
    of_cell->live = at != SIZE_MAX;
    for (size_t k = of_cell->live ? cells.first[at] : 0;
         of_cell->live && status == RD_OK && k < cells.first[at + 1]; k++)
        if (!rd_law_tally_add(run, &of_cell->tally, cells.inputs[k]))
            status = run->status;
    rd_law_cells_finish(&cells);
    return status;
}

enum rd_status rd_law_cell(struct rd_law_run *run, const struct rd_law_section *section,
                           const struct rd_law_place *place, uint64_t cell, int input, bool *live,
                           uint64_t **inputs, size_t *count, struct rd_law_error *error)
{
    struct of_cell of_cell = {.cell = cell, .input = input};
    struct rd_law_error why = {0};
    enum rd_status status = find_cell(run, section, place, &of_cell, &why);
    if (status != RD_OK && status != RD_ERROR_USAGE && error)
        *error = why;
    run->error = error;
    if (status == RD_ERROR_USAGE) { /* from the cell, it may be undefined what the law never asks */
        free(of_cell.tally.items);
        of_cell = (struct of_cell){.cell = cell, .input = input};
        status = look_cell_up(run, section, place, &of_cell, error);
    }
    if (status != RD_OK) {
        free(of_cell.tally.items);
        return status;
    }
    rd_law_tally_sort(&of_cell.tally, 0);
    *live = of_cell.live;
    *inputs = of_cell.tally.items;
    *count = of_cell.tally.count;
    return RD_OK;
}

void rd_law_cells_finish(struct rd_law_cells *cells)
{
    free(cells->cells);
    free(cells->first);
    free(cells->inputs);
    *cells = (struct rd_law_cells){0};
}
