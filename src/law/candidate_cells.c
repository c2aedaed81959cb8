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

/* The sentences that are worked out. */
struct wide_data {
    struct rd_law_run *run;
    const struct rd_law *law;
    enum rd_operation operation; /* of the run; of `+` and of a sum where they aren't as written */
    bool as_written, inside_only;
};

/* In long double where the sentences are of a form for that, else in double; with `absolute` of magnitudes. */
static enum rd_status apply_wide(struct rd_candidate *candidate, const struct wide_data *wide,
                                 const struct rd_law_place *at, bool absolute, long double *cells,
                                 size_t n_cells, long double *unit)
{
    const struct rd_law_section *section = rd_candidate_section(wide->law);
    const void *const *inputs = (const void *const *)candidate->wide;
    const struct rd_numeric *sums = rd_numeric(RD_TYPE_F64);
    const struct rd_law_data data = {.numeric = rd_numeric_over(RD_TYPE_F64, wide->operation),
                                     .inputs = inputs,
                                     .absolute = absolute,
                                     .inside_only = wide->inside_only,
                                     .as_written = wide->as_written};
    enum rd_status status = RD_ERROR_USAGE;
    *unit = LDBL_EPSILON / 2;
    if (!wide->inside_only && (wide->as_written || wide->operation == RD_OPERATION_SUM))
        status = rd_law_apply_in(wide->run, section, RD_LAW_LAW, at,
                                 absolute ? sums->weight : sums->exact, inputs, cells,
                                 &candidate->error);
    if (status != RD_ERROR_USAGE)
        return status;
    *unit = DBL_EPSILON / 2;
    double *narrow = malloc((n_cells + 1) * sizeof *narrow);
    if (!narrow)
        return rd_candidate_no_memory(candidate);
    for (size_t i = 0; i < n_cells; i++)
        narrow[i] = (double)cells[i];
    status =
        rd_law_apply(wide->run, section, RD_LAW_LAW, at, &data, narrow, NULL, &candidate->error);
    for (size_t i = 0; i < n_cells; i++)
        cells[i] = narrow[i];
    free(narrow);
    return status;
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
                                    .as_written = as_written};
    const struct wide_data wide = {candidate->run, candidate->proposed, numeric->operation,
                                   as_written, inside_only};
    long double unused;
    enum rd_status status = apply(candidate, at, &run, saying->said);
    if (status == RD_OK && numeric->rounds)
        status = apply_wide(candidate, &wide, at, false, saying->wide, n_cells, &saying->unit);
    if (status == RD_OK && numeric->rounds)
        status = apply_wide(candidate, &wide, at, true, saying->weight, n_cells, &unused);
    return status;
}

/* ---- floats ---- */

enum rd_status rd_candidate_weigh(struct rd_candidate *candidate, const struct rd_numeric *numeric,
                                  unsigned step, size_t n_cells)
{
    const struct rd_law_place at = {.d = step};
    const struct wide_data wide = {candidate->own_run, candidate->own, numeric->operation, false,
                                   false};
    long double unused;
    if (step == 0 || !candidate->weight) {
        free(candidate->weight);
        candidate->weight = calloc(n_cells + 1, sizeof *candidate->weight);
        if (!candidate->weight)
            return rd_candidate_no_memory(candidate);
    }
    return apply_wide(candidate, &wide, &at, true, candidate->weight, n_cells, &unused);
}

size_t rd_candidate_roundings(const struct rd_candidate *candidate, const struct rd_run *run,
                              const struct rd_step *step)
{
    const size_t n = candidate->n_inputs;
    const size_t height = step->expect ? step->expect->height : 0;
    if (step->number == 0 && height == 0)
        return 0;
    return run->numeric->operation == RD_OPERATION_SUM && height > 0 && height < n ? height : n;
}

/* A float of the run may be the sum of its terms in any order: n*u*sum |a_j| bounds what rounding does to it (Higham,
 * "Accuracy and Stability of Numerical Algorithms", 2nd ed., eq. 4.4, and 2.1 for the last rounding). The terms are
 * those that the program's own law has in the cell, whatever the proposed one adds and takes away again; what is worked
 * out of that one is off by likewise its own. Numbers alone. */
static enum rd_saying_mark compare_floats(const struct rd_candidate *candidate,
                                          const struct rd_saying *saying, uint64_t cell, double is,
                                          const struct rd_numeric *numeric)
{
    const long double unit = ldexpl(1, -(int)numeric->digits);
    const long double n = (long double)candidate->n_inputs, said = saying->wide[cell],
                      weight = saying->weight[cell], summed = candidate->weight[cell],
                      roundings = (long double)candidate->roundings,
                      limit = 2 * roundings * unit * summed;
    /* Sums of whole numbers are exact in any order, as long as they are no longer than the significand. */
    const bool is_exact = candidate->whole && weight * 2 * saying->unit < 1;
    const long double slack = is_exact ? 0 : n * saying->unit * weight;
    if (is_exact && summed < 1 / unit)
        return is == said ? RD_SAYING_IS : RD_SAYING_IS_NOT;
    const long double most = numeric->largest;
    if (isinf(is) && fabsl(said) + limit > most && isfinite(limit) && (is < 0) == (said < 0))
        return RD_SAYING_IS_BUT_FOR_ROUNDING; /* it rounds to what the type doesn't hold */
    if (!isfinite(is))
        return candidate->finite && summed + limit > most ? RD_SAYING_OVERFLOWS : RD_SAYING_IS_NOT;
    if (!isfinite(limit) || !isfinite(slack))
        return RD_SAYING_UNTOLD;
    if (fabsl(is - said) > limit + slack)
        return RD_SAYING_IS_NOT;
    if (limit >= summed && is != said) /* anything is within that */
        return RD_SAYING_UNTOLD;
    return slack <= 2 * n * unit * summed ? RD_SAYING_IS_BUT_FOR_ROUNDING : RD_SAYING_UNTOLD;
}

static bool is_normal(double value, const struct rd_numeric *numeric)
{
    return fabs(value) >= numeric->least_normal && fabs(value) <= numeric->largest;
}

/* Whether what the law says of numbers, which is infinite or none, comes of its own way to it. A power that is too large is
 * none of the cells. */
static bool law_overflows(const struct rd_saying *saying, uint64_t cell)
{
    return !isfinite(saying->weight[cell]) &&
           (isnan(saying->wide[cell]) ||
            rd_candidate_is_of(rd_candidate_section(saying->law), RD_LAW_LAW, RD_OPERATION_SUM));
}

enum rd_saying_mark rd_saying_is(const struct rd_candidate *candidate,
                                 const struct rd_saying *saying, const struct rd_numeric *numeric,
                                 uint64_t cell, rd_bits actual)
{
    const bool same = numeric->same(actual, numeric->load(saying->said, cell));
    if (!numeric->rounds)
        return same ? RD_SAYING_IS : RD_SAYING_IS_NOT;
    const double is = numeric->to_double(actual);
    const long double said = saying->wide[cell];
    const bool may_overflow = candidate->finite && numeric->operation == RD_OPERATION_SUM;
    if (same && !isfinite(is))
        return RD_SAYING_IS;
    if (!isfinite(said) || (isnan(is) && !may_overflow)) {
        if (isnan(is) && isnan(said))
            return RD_SAYING_IS;
        return may_overflow && law_overflows(saying, cell) ? RD_SAYING_OVERFLOWS : RD_SAYING_IS_NOT;
    }
    enum rd_saying_mark mark = compare_floats(candidate, saying, cell, is, numeric);
    /* What leaves the normal numbers on the way to a product, no relative bound tells of. */
    if (numeric->operation == RD_OPERATION_PRODUCT && mark == RD_SAYING_IS_NOT &&
        (same || !is_normal(is, numeric) || !is_normal((double)said, numeric)))
        mark = RD_SAYING_UNTOLD;
    return same && mark == RD_SAYING_UNTOLD ? RD_SAYING_IS_BUT_FOR_ROUNDING : mark;
}

size_t rd_saying_count_false(struct rd_candidate *candidate, const struct rd_saying *saying,
                             const struct rd_numeric *numeric, unsigned step, const void *cells,
                             struct rd_candidate_cell *first)
{
    size_t count = saying->live.n_outside;
    if (count > 0)
        *first = (struct rd_candidate_cell){step, saying->live.outside, true, 0, 0};
    for (size_t k = 0; k < saying->live.count && saying->live.n_outside == 0; k++) {
        const uint64_t cell = saying->live.cells[k];
        const rd_bits actual = numeric->load(cells, cell);
        const enum rd_saying_mark mark = rd_saying_is(candidate, saying, numeric, cell, actual);
        const struct rd_candidate_cell found = {step, (int64_t)cell, false, actual,
                                                numeric->load(saying->said, cell)};
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
