// SPDX-License-Identifier: MIT
/* Decides whether an update preserves the law, also under another operation. */
#include "law/tree.h"
#include "reductio/operation.h"
#include "base/array.h"
#include "law/cells.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- another operation ---- */

/* A law of sums as what a program claims that reduces by another operation. */

/* Tells whether an element stands for its index: operations that select compare inputs, and their cells hold indices. */
static bool is_index(const struct law_node *node, enum rd_operation operation)
{
    return rd_operation_selects(operation) && node->kind == LAW_ELEMENT &&
           node->meaning == LAW_IS_INPUT && node->n_kids == 1;
}

static void rewrite(struct law_node *node, enum rd_operation operation)
{
    const bool is_reduction = node->kind == LAW_REDUCTION;
    for (size_t k = 0; k < node->n_kids; k++)
        if (!(is_reduction && k == 0 && is_index(node->kids[k], operation)))
            rewrite(node->kids[k], operation);
    if (!node->data)
        return;
    if (is_index(node, operation)) {
        *node = *node->kids[0];
    } else if (node->kind == LAW_REDUCTION && node->op == RD_OPERATION_SUM) {
        node->op = operation;
    } else if (node->kind == LAW_BINARY && node->op == LAW_ADD) { /* max(x, y) */
        node->kind = LAW_FUNCTION;
        node->name = rd_operation_name(operation);
    }
}

static void rewrite_claims(struct law_claims *claims, enum rd_operation operation)
{
    for (size_t k = 0; k < claims->count; k++)
        rewrite(claims->claims[k].value, operation);
}

void rd_law_over(struct rd_law *law, enum rd_operation operation)
{
    if (operation == RD_OPERATION_SUM)
        return;
    for (size_t k = 0; k < law->n_definitions; k++)
        for (size_t e = 0; e < law->definitions[k]->n_equations; e++)
            rewrite(law->definitions[k]->equations[e].body, operation);
    for (size_t k = 0; k < law->n_sections; k++)
        for (int role = RD_LAW_LAW; role <= RD_LAW_UPDATE; role++)
            rewrite_claims(&law->sections[k]->claims[role], operation);
}

/* ---- preservation ---- */

/* Decides whether an update preserves the law: compares what the law before it says of the cells, moved on by the update,
 * with what the law after it says. Of an array at a point, the point's own law is what is known. */

/* Evaluates the law of a point after the last step, in one block and warp. */
struct law_last_inputs {
    struct law_last_inputs *next;
    const struct rd_law_section *section;
    int64_t block, warp;
    struct rd_law_cells cells;
};

static void states_finish(struct law_states *states)
{
    while (states->last) {
        struct law_last_inputs *next = states->last->next;
        rd_law_cells_finish(&states->last->cells);
        free(states->last);
        states->last = next;
    }
}

bool rd_law_go_to_last_step(struct rd_law_run *run)
{
    int64_t value;
    bool more = run->section->steps;
    if (more && !rd_law_number(run, run->section->first, &value))
        return false;
    while (more) {
        int64_t next = value;
        if (!rd_law_run_work(run, run->section->next) ||
            !rd_law_next_step(run, value, &next, &more))
            return false;
        value = next;
    }
    return true;
}

static bool make_last(struct rd_law_run *run, struct law_last_inputs *last, int input)
{
    const struct rd_law_place place = {.d = (uint64_t)run->quantities[LAW_D],
                                       .block = (uint64_t)last->block,
                                       .warp = (uint64_t)last->warp};
    const struct law_position position = rd_law_run_position(run);
    run->base = run->top;
    bool done =
        rd_law_run_go(run, last->section, &place) && rd_law_go_to_last_step(run) &&
        rd_law_collect(run, &last->section->claims[RD_LAW_LAW], input, NULL, &last->cells, NULL);
    rd_law_run_return(run, &position);
    return done;
}

static bool find_last(struct rd_law_run *run, struct law_states *states,
                      const struct law_node *element, int64_t block, int64_t warp, int input,
                      const struct rd_law_cells **cells)
{
    struct law_last_inputs *last;
    for (last = states->last; last; last = last->next) {
        if (last->section == element->section && last->block == block && last->warp == warp) {
            *cells = &last->cells;
            return true;
        }
    }
    last = calloc(1, sizeof *last);
    if (!last)
        return rd_law_run_no_memory(run);
    *last = (struct law_last_inputs){
        .next = states->last, .section = element->section, .block = block, .warp = warp};
    states->last = last;
    *cells = &last->cells;
    return make_last(run, last, input);
}

/* The flat index of a cell at the point, in its block and warp. */
static bool flat_at_point(struct rd_law_run *run, const struct law_node *element, int64_t block,
                          int64_t warp, const int64_t *indices, int64_t *flat)
{
    const struct law_position position = rd_law_run_position(run);
    const struct rd_law_place place = {.block = (uint64_t)block, .warp = (uint64_t)warp};
    bool done = rd_law_run_go(run, element->section, &place) &&
                rd_law_flat_index(run, element, element->section->array, indices, flat);
    rd_law_run_return(run, &position);
    return done;
}

bool rd_law_state_inputs(struct rd_law_run *run, const struct law_node *element, int input,
                         struct law_tally *tally)
{
    const struct rd_law_cells *cells = tally->states->before;
    int64_t indices[LAW_INDICES_MAX + 1], flat;
    for (size_t k = 0; k < element->n_kids; k++)
        if (!rd_law_number(run, element->kids[k], &indices[k]))
            return false;
    if (element->meaning == LAW_IS_STATE) {
        if (!rd_law_flat_index(run, element, run->section->array, indices, &flat))
            return false;
    } else {
        const size_t outer = element->n_kids - element->section->array->n_sizes;
        const int64_t block = indices[0], warp = outer > 1 ? indices[1] : 0;
        if (block < 0 || warp < 0)
            return rd_law_run_fail(run, element, "a negative block or warp: undefined");
        if (!find_last(run, tally->states, element, block, warp, input, &cells) ||
            !flat_at_point(run, element, block, warp, indices + outer, &flat))
            return false;
    }
    size_t found = cells ? rd_array_find(cells->cells, cells->count, (uint64_t)flat) : SIZE_MAX;
    if (found == SIZE_MAX) {
        tally->states->unknown = true;
        return true;
    }
    for (size_t k = cells->first[found]; k < cells->first[found + 1]; k++)
        if (!rd_law_tally_add(run, tally, cells->inputs[k]))
            return false;
    return true;
}

/* ---- next to the law ---- */

/* Counts the index among the inputs of a cell. */
static size_t times_of(const struct rd_law_cells *cells, size_t k, uint64_t index)
{
    size_t count = 0;
    for (size_t q = cells->first[k]; q < cells->first[k + 1]; q++)
        count += cells->inputs[q] == index;
    return count;
}

/* The first index that is in one cell more often than in the other; false where there is none. */
static bool first_difference(const struct rd_law_cells *x, size_t i, const struct rd_law_cells *y,
                             size_t j, uint64_t *index)
{
    size_t p = x->first[i], q = y->first[j];
    for (; p < x->first[i + 1] && q < y->first[j + 1]; p++, q++) {
        if (x->inputs[p] != y->inputs[q]) {
            *index = x->inputs[p] < y->inputs[q] ? x->inputs[p] : y->inputs[q];
            return true;
        }
    }
    if (p == x->first[i + 1] && q == y->first[j + 1])
        return false;
    *index = p < x->first[i + 1] ? x->inputs[p] : y->inputs[q];
    return true;
}

/* The states of an array around an update. */
struct update {
    struct rd_law_cells before, made, after;
    bool *unknown; /* of made */
};

/* Tells whether the update leaves in after.cells[k] what the law says. */
static bool is_preserved(const struct update *update, size_t k, struct rd_law_broken *broken)
{
    struct rd_law_broken found = {.cell = update->after.cells[k]};
    const struct rd_law_cells *is = &update->made;
    size_t at = rd_array_find(is->cells, is->count, found.cell);
    if (at != SIZE_MAX) {
        found.unknown = update->unknown[at];
    } else {
        is = &update->before;
        at = rd_array_find(is->cells, is->count, found.cell);
        found.unknown = at == SIZE_MAX;
    }
    if (!found.unknown) {
        if (!first_difference(is, at, &update->after, k, &found.index))
            return true;
        found.made = times_of(is, at, found.index);
        found.wanted = times_of(&update->after, k, found.index);
    }
    *broken = found;
    return false;
}

/* Fails where a claimed cell doesn't exist. */
static bool are_inside(struct rd_law_run *run, const struct rd_law_section *section,
                       const struct law_claims *claims, const struct rd_law_cells *cells)
{
    return cells->n_outside == 0 ||
           rd_law_run_fail(run, claims->claims[0].cell, "'%.40s' has no cell %" PRId64,
                           section->array->name, cells->outside);
}

static bool evaluate(struct rd_law_run *run, const struct rd_law_section *section,
                     enum rd_law_role role, const struct rd_law_place *before,
                     const struct rd_law_place *after, int input, struct update *update)
{
    const struct law_claims *law = &section->claims[RD_LAW_LAW];
    struct law_states states = {.before = role == RD_LAW_UPDATE ? &update->before : NULL};
    if (role == RD_LAW_UPDATE && (!rd_law_run_go(run, section, before) ||
                                  !rd_law_collect(run, law, input, NULL, &update->before, NULL)))
        return false;
    bool done = rd_law_run_go(run, section, after) &&
                rd_law_collect(run, law, input, NULL, &update->after, NULL) &&
                rd_law_collect(run, &section->claims[role], input, &states, &update->made,
                               &update->unknown);
    states_finish(&states);
    return done && are_inside(run, section, law, &update->before) &&
           are_inside(run, section, law, &update->after) &&
           are_inside(run, section, &section->claims[role], &update->made);
}

enum rd_status rd_law_preserves(struct rd_law_run *run, const struct rd_law_section *section,
                                enum rd_law_role role, const struct rd_law_place *before,
                                const struct rd_law_place *after, size_t input, bool *preserved,
                                struct rd_law_broken *broken, struct rd_law_error *error)
{
    struct update update = {.unknown = NULL};
    bool holds = true;
    rd_law_run_begin(run, error);
    if (section->claims[role].count > 0 &&
        evaluate(run, section, role, before, after, (int)input, &update))
        for (size_t k = 0; holds && k < update.after.count; k++)
            holds = is_preserved(&update, k, broken);
    if (run->status == RD_OK)
        *preserved = holds;
    rd_law_cells_finish(&update.before);
    rd_law_cells_finish(&update.made);
    rd_law_cells_finish(&update.after);
    free(update.unknown);
    return run->status;
}
