// SPDX-License-Identifier: MIT
/* Evaluates a proposed law and compares it with the cells. */
#include "run/candidate_internal.h"

#include <stdlib.h>

const struct rd_law_section *rd_candidate_section(const struct rd_law *law)
{
    return rd_law_section_at(law, NULL);
}

void rd_saying_finish(struct rd_saying *saying)
{
    rd_law_cells_finish(&saying->live);
    free(saying->said);
    free(saying->wide);
    free(saying->weight);
}

static enum rd_status apply(struct rd_candidate *candidate, const struct rd_law_place *at,
                            const struct rd_law_data *data, void *cells)
{
    return rd_law_apply(candidate->run, rd_candidate_section(candidate->proposed), RD_LAW_LAW, at,
                        data, cells, NULL, &candidate->error);
}

enum rd_status rd_candidate_no_memory(struct rd_candidate *candidate)
{
    candidate->error = (struct rd_law_error){0};
    return rd_fail(&candidate->error.what, RD_ERROR_MEMORY, "no memory for the cells of a law");
}

enum rd_status rd_saying_init(struct rd_saying *saying, struct rd_candidate *candidate,
                              const struct rd_numeric *numeric, const struct rd_law_place *at,
                              size_t n_cells)
{
    *saying = (struct rd_saying){.law = candidate->proposed,
                                 .said = calloc(n_cells + 1, numeric->size_bytes),
                                 .wide = calloc(n_cells + 1, sizeof *saying->wide),
                                 .weight = calloc(n_cells + 1, sizeof *saying->weight)};
    enum rd_status status = RD_OK;
    if (!saying->said || !saying->wide || !saying->weight)
        status = rd_candidate_no_memory(candidate);
    else
        status = rd_law_cells_init(&saying->live, candidate->run,
                                   rd_candidate_section(candidate->proposed), at, RD_LAW_NO_INPUT,
                                   &candidate->error);
    if (status == RD_OK && saying->live.n_outside == 0)
        status = rd_saying_evaluate(saying, candidate, numeric, at, n_cells);
    if (status != RD_OK)
        rd_saying_finish(saying);
    return status;
}

enum rd_status rd_saying_evaluate(struct rd_saying *saying, struct rd_candidate *candidate,
                                  const struct rd_numeric *numeric, const struct rd_law_place *at,
                                  size_t n_cells)
{
    const bool as_written = candidate->proposed != candidate->own && !candidate->is_own;
    const bool inside_only = saying->live.n_outside > 0;
    const struct rd_law_data run = {.numeric = numeric,
                                    .inputs = candidate->inputs,
                                    .inside_only = inside_only,
                                    .conflict = numeric->rounds ? NULL : &saying->conflict,
                                    .as_written = as_written};
    const struct rd_wide_law wide = {candidate->run, candidate->proposed, numeric->operation,
                                     as_written, inside_only};
    long double unused;
    enum rd_status status = apply(candidate, at, &run, saying->said);
    if (status == RD_OK && numeric->rounds)
        status = rd_candidate_apply_wide(candidate, &wide, at, false, saying->wide, n_cells,
                                         &saying->unit);
    if (status == RD_OK && numeric->rounds)
        status =
            rd_candidate_apply_wide(candidate, &wide, at, true, saying->weight, n_cells, &unused);
    return status;
}

enum rd_saying_mark rd_saying_is(const struct rd_candidate *candidate,
                                 const struct rd_saying *saying, const struct rd_numeric *numeric,
                                 uint64_t cell, rd_bits actual)
{
    const bool same = numeric->same(actual, numeric->load(saying->said, cell));
    if (!numeric->rounds)
        return same ? RD_SAYING_IS : RD_SAYING_IS_NOT;
    const enum rd_saying_mark mark = rd_saying_compare(candidate, saying, numeric, cell, actual);
    return same && mark == RD_SAYING_UNTOLD ? RD_SAYING_IS_BUT_FOR_ROUNDING : mark;
}

rd_bits rd_saying_value(const struct rd_saying *saying, const struct rd_numeric *numeric,
                        uint64_t cell)
{
    const rd_bits said = numeric->load(saying->said, cell);
    return numeric->rounds ? numeric->from_double((double)saying->wide[cell]) : said;
}

static bool is_contradicted(const struct rd_saying *saying, uint64_t cell)
{
    return saying->conflict.found && (uint64_t)saying->conflict.cell == cell;
}

struct rd_candidate_cell rd_saying_cell(const struct rd_saying *saying,
                                        const struct rd_numeric *numeric, unsigned step,
                                        uint64_t cell, rd_bits actual)
{
    return (struct rd_candidate_cell){
        .step = step,
        .cell = (int64_t)cell,
        .actual = actual,
        .said = rd_saying_value(saying, numeric, cell),
        .exact = numeric->rounds ? saying->wide[cell] : 0,
        .contradicts = is_contradicted(saying, cell),
        .also = is_contradicted(saying, cell) ? saying->conflict.second : 0,
    };
}

size_t rd_saying_count_false(struct rd_candidate *candidate, const struct rd_saying *saying,
                             const struct rd_numeric *numeric, unsigned step, const void *cells,
                             struct rd_candidate_cell *first)
{
    size_t count = saying->live.n_outside;
    if (count > 0)
        *first =
            (struct rd_candidate_cell){.step = step, .cell = saying->live.outside, .outside = true};
    if (count == 0 && saying->conflict.found) {
        const uint64_t cell = (uint64_t)saying->conflict.cell;
        *first = rd_saying_cell(saying, numeric, step, cell, numeric->load(cells, cell));
        count = 1;
    }
    for (size_t k = 0; k < saying->live.count && saying->live.n_outside == 0; k++) {
        const uint64_t cell = saying->live.cells[k];
        const rd_bits actual = numeric->load(cells, cell);
        const enum rd_saying_mark mark = rd_saying_is(candidate, saying, numeric, cell, actual);
        const struct rd_candidate_cell found = rd_saying_cell(saying, numeric, step, cell, actual);
        if (found.contradicts) /* counted above */
            continue;
        if (candidate->notes && mark == RD_SAYING_UNTOLD && !candidate->untold) {
            candidate->untold = true;
            candidate->doubt = found;
        }
        if (candidate->notes && mark == RD_SAYING_OVERFLOWS && candidate->overflown.cell < 0)
            candidate->overflown = found;
        candidate->result.rounded |= candidate->notes && mark == RD_SAYING_IS_BUT_FOR_ROUNDING;
        if (mark == RD_SAYING_IS_NOT && count++ == 0)
            *first = found;
    }
    return count;
}
