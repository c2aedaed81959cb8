// SPDX-License-Identifier: MIT
/* An array at a step, cell by cell, as a proposed law sees it. */
#include "run/candidate_internal.h"

#include <stdlib.h>

void rd_candidate_look_finish(struct rd_candidate_look *look)
{
    free(look->marks);
    free(look->said);
    free(look->exact);
    free(look->statement);
    *look = (struct rd_candidate_look){0};
}

static void mark_cells(struct rd_candidate_look *look, const struct rd_candidate *candidate,
                       const struct rd_saying *saying, const struct rd_numeric *numeric,
                       const struct rd_step *step)
{
    for (size_t k = 0; k < saying->live.count; k++) {
        uint64_t cell = saying->live.cells[k];
        const rd_bits is = numeric->load(step->cells, cell);
        const enum rd_saying_mark mark = rd_saying_is(candidate, saying, numeric, cell, is);
        if (mark == RD_SAYING_OVERFLOWS && !look->overflows)
            look->overflown = rd_saying_cell(saying, numeric, step->number, cell, is);
        look->overflows = look->overflows || mark == RD_SAYING_OVERFLOWS;
        const bool is_known = mark != RD_SAYING_UNTOLD && mark != RD_SAYING_OVERFLOWS;
        const bool contradicts =
            rd_saying_cell(saying, numeric, step->number, cell, is).contradicts;
        look->marks[cell] = contradicts || mark == RD_SAYING_IS_NOT ? RD_CANDIDATE_IS_NOT
                            : is_known                              ? RD_CANDIDATE_IS
                                                                    : RD_CANDIDATE_UNSAID;
    }
}

enum rd_status rd_candidate_look_init(struct rd_candidate_look *look,
                                      struct rd_candidate *candidate, const struct rd_run *run,
                                      const struct rd_step *step, struct rd_error *error)
{
    const struct rd_law_place at = {.d = step->number};
    struct rd_saying saying;
    enum rd_status status = rd_saying_init(&saying, candidate, run->numeric, &at, step->n_cells);
    if (status != RD_OK)
        return rd_candidate_pass_on(candidate, status, error);
    for (unsigned d = 0; d <= step->number && run->numeric->rounds && status == RD_OK; d++)
        status = rd_candidate_document(candidate, run, d, step->n_cells);
    if (status != RD_OK) {
        rd_saying_finish(&saying);
        return rd_candidate_pass_on(candidate, status, error);
    }
    struct rd_candidate_look made = {
        .n_cells = step->n_cells,
        .marks = calloc(step->n_cells + 1, 1),
        .n_live = saying.live.count,
    };
    made.n_false = rd_saying_count_false(candidate, &saying, run->numeric, step->number,
                                         step->cells, &made.first);
    status = made.marks ? rd_candidate_statement(candidate, &at, &made.statement)
                        : rd_candidate_no_memory(candidate);
    bool is_said = saying.live.n_outside == 0;
    if (status == RD_OK && !is_said) { /* what has no value beside them is left unsaid */
        status = rd_saying_evaluate(&saying, candidate, run->numeric, &at, step->n_cells);
        is_said = status == RD_OK;
        status = status == RD_ERROR_USAGE ? RD_OK : status;
    }
    if (is_said)
        mark_cells(&made, candidate, &saying, run->numeric, step);
    for (size_t k = 0; k < saying.live.count && is_said; k++)
        run->numeric->store(saying.said, saying.live.cells[k],
                            rd_saying_value(&saying, run->numeric, saying.live.cells[k]));
    made.said = saying.said;
    made.exact = saying.wide;
    saying.said = NULL;
    saying.wide = NULL;
    rd_saying_finish(&saying);
    if (status == RD_OK)
        *look = made;
    else
        rd_candidate_look_finish(&made);
    return rd_candidate_pass_on(candidate, status, error);
}
