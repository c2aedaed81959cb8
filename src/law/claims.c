// SPDX-License-Identifier: MIT
#include "law/claims.h"

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
