// SPDX-License-Identifier: MIT
/* What a proposed law says of the cells, and whether they are that. */
#include "law/candidate_internal.h"

#include <float.h>
#include <math.h>
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
    *saying = (struct rd_saying){.said = calloc(n_cells + 1, numeric->size_bytes),
                                 .wide = calloc(n_cells + 1, sizeof(double)),
                                 .weight = calloc(n_cells + 1, sizeof(double))};
    enum rd_status status = RD_OK;
    if (!saying->said || !saying->wide || !saying->weight)
        status = rd_candidate_no_memory(candidate);
    else
        status = rd_law_cells_init(&saying->live, candidate->run,
                                   rd_candidate_section(candidate->proposed), at, RD_LAW_NO_INPUT,
                                   &candidate->error);
    bool fits = status == RD_OK && saying->live.n_outside == 0;
    const void *const *wide = (const void *const *)candidate->wide;
    const bool as_written = candidate->proposed != candidate->own && !candidate->is_own;
    const struct rd_law_data run = {
        .numeric = numeric, .inputs = candidate->inputs, .as_written = as_written};
    const struct rd_law_data sums = {.numeric = rd_numeric_over(RD_TYPE_F64, numeric->operation),
                                     .inputs = wide,
                                     .as_written = as_written};
    struct rd_law_data weights = sums;
    weights.absolute = true;
    if (fits)
        status = apply(candidate, at, &run, saying->said);
    if (fits && status == RD_OK && numeric->rounds)
        status = apply(candidate, at, &sums, saying->wide);
    if (fits && status == RD_OK && numeric->rounds)
        status = apply(candidate, at, &weights, saying->weight);
    if (status != RD_OK)
        rd_saying_finish(saying);
    return status;
}

/* A float may be the sum in any order: n*u*sum |a_j| bounds what rounding does (Higham, "Accuracy and Stability of
 * Numerical Algorithms", 2nd ed., eq. 4.4, and 2.1 for the last rounding). */
bool rd_saying_is(const struct rd_candidate *candidate, const struct rd_saying *saying,
                  const struct rd_numeric *numeric, uint64_t cell, rd_bits actual)
{
    if (!numeric->rounds)
        return numeric->same(actual, numeric->load(saying->said, cell));
    double is = numeric->to_double(actual), said = saying->wide[cell],
           weight = saying->weight[cell];
    bool narrow = numeric->type == RD_TYPE_F32;
    /* Sums of whole numbers are exact in any order, as long as they are no longer than the significand. */
    if (candidate->whole && weight < (narrow ? 0x1p24 : 0x1p53))
        return is == said;
    if (numeric->same(actual, numeric->load(saying->said, cell)) || (isnan(is) && isnan(said)))
        return true;
    double limit = (double)candidate->n_inputs * (narrow ? FLT_EPSILON : DBL_EPSILON) * weight;
    if (isinf(is) && isfinite(said)) /* the sum may round to what the type doesn't hold */
        return fabs(said) + limit > (narrow ? (double)FLT_MAX : DBL_MAX) && isfinite(limit) &&
               signbit(is) == signbit(said);
    /* An infinite limit: a partial sum overflows in one order, and not in another. */
    return isfinite(is) && isfinite(said) && fabs(is - said) <= limit;
}

size_t rd_saying_count_false(const struct rd_candidate *candidate, const struct rd_saying *saying,
                             const struct rd_numeric *numeric, unsigned step, const void *cells,
                             struct rd_candidate_cell *first)
{
    size_t count = saying->live.n_outside;
    if (count > 0)
        *first = (struct rd_candidate_cell){step, saying->live.outside, true, 0, 0};
    for (size_t k = 0; k < saying->live.count && saying->live.n_outside == 0; k++) {
        uint64_t cell = saying->live.cells[k];
        rd_bits actual = numeric->load(cells, cell);
        if (rd_saying_is(candidate, saying, numeric, cell, actual))
            continue;
        if (count++ == 0)
            *first = (struct rd_candidate_cell){step, (int64_t)cell, false, actual,
                                                numeric->load(saying->said, cell)};
    }
    return count;
}
