// SPDX-License-Identifier: MIT
/* Floats: what rounding may do to a cell of a run, and whether it is what a proposed law says but for that. */
#include "run/candidate_internal.h"
#include "reductio/program.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* ---- in a wider type ---- */

enum rd_status rd_candidate_apply_wide(struct rd_candidate *candidate,
                                       const struct rd_wide_law *wide,
                                       const struct rd_law_place *at, bool absolute,
                                       struct rd_law_conflict *conflict, long double *cells,
                                       size_t n_cells, long double *unit)
{
    const struct rd_law_section *section = rd_candidate_section(wide->law);
    const void *const *inputs = (const void *const *)candidate->wide;
    const struct rd_numeric *sums = rd_numeric(RD_TYPE_F64);
    const struct rd_law_data data = {.numeric = rd_numeric_over(RD_TYPE_F64, wide->operation),
                                     .inputs = inputs,
                                     .absolute = absolute,
                                     .conflict = conflict,
                                     .inside_only = wide->inside_only,
                                     .as_written = wide->as_written};
    enum rd_status status = RD_ERROR_USAGE;
    *unit = LDBL_EPSILON / 2;
    if (!wide->inside_only)
        status = rd_law_apply_in(wide->run, section, RD_LAW_LAW, at,
                                 absolute ? sums->weight : sums->exact,
                                 wide->as_written ? RD_OPERATION_SUM : wide->operation, inputs,
                                 cells, &candidate->error);
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

/* ---- what the program documents ---- */

void rd_candidate_floats_finish(struct rd_candidate_floats *floats)
{
    rd_expect_finish(&floats->expect);
    free(floats->exact);
    free(floats->weight);
    free(floats->factors);
    *floats = (struct rd_candidate_floats){0};
}

static enum rd_status begin(struct rd_candidate *candidate, const struct rd_run *run,
                            size_t n_cells)
{
    struct rd_candidate_floats *floats = &candidate->floats;
    const struct rd_shape shape = rd_run_shape(run);
    rd_candidate_floats_finish(floats);
    floats->exact = calloc(n_cells + 1, sizeof *floats->exact);
    floats->weight = calloc(n_cells + 1, sizeof *floats->weight);
    floats->factors = calloc(n_cells + 1, sizeof *floats->factors);
    if (!floats->exact || !floats->weight || !floats->factors)
        return rd_candidate_no_memory(candidate);
    return rd_expect_init(&floats->expect, candidate->program, run->numeric, &shape, run->a, run->b,
                          &candidate->error.what);
}

/* Counts the factors of each cell, as a sum of ones; n if that can't be worked out. */
static enum rd_status count_factors(struct rd_candidate *candidate, const struct rd_law_place *at,
                                    size_t n_cells)
{
    double *ones = malloc((candidate->n_inputs + 1) * sizeof *ones);
    if (!ones)
        return rd_candidate_no_memory(candidate);
    for (size_t j = 0; j < candidate->n_inputs; j++)
        ones[j] = 1;
    enum rd_status status = rd_law_apply_in(
        candidate->own_run, rd_candidate_section(candidate->own), RD_LAW_LAW, at,
        rd_numeric(RD_TYPE_F64)->exact, RD_OPERATION_SUM, (const void *const[]){ones, ones},
        candidate->floats.factors, &candidate->error);
    free(ones);
    for (size_t i = 0; i < n_cells && status == RD_ERROR_USAGE; i++)
        candidate->floats.factors[i] = (long double)candidate->n_inputs;
    return status == RD_ERROR_USAGE ? RD_OK : status;
}

enum rd_status rd_candidate_document(struct rd_candidate *candidate, const struct rd_run *run,
                                     unsigned step, size_t n_cells)
{
    struct rd_candidate_floats *floats = &candidate->floats;
    const struct rd_law_place at = {.d = step};
    const struct rd_wide_law wide = {candidate->own_run, candidate->own, run->numeric->operation,
                                     false, false};
    long double unused;
    enum rd_status status = RD_OK;
    candidate->error = (struct rd_law_error){0};
    if (step == 0 || floats->n_steps == 0)
        status = begin(candidate, run, n_cells);
    for (; status == RD_OK && floats->n_steps <= step; floats->n_steps++)
        status = rd_program_advance(candidate->program, &floats->expect, floats->n_steps,
                                    &candidate->error.what);
    if (status == RD_OK)
        status = rd_candidate_apply_wide(candidate, &wide, &at, false, NULL, floats->exact, n_cells,
                                         &floats->unit);
    if (status == RD_OK)
        status = rd_candidate_apply_wide(candidate, &wide, &at, true, NULL, floats->weight, n_cells,
                                         &unused);
    if (status == RD_OK && run->numeric->operation == RD_OPERATION_PRODUCT)
        status = count_factors(candidate, &at, n_cells);
    return status;
}

long double rd_candidate_rounding_limit(const struct rd_candidate *candidate,
                                        const struct rd_numeric *numeric, uint64_t cell)
{
    const struct rd_candidate_floats *floats = &candidate->floats;
    const long double unit = ldexpl(1, -(int)numeric->digits);
    if (numeric->operation != RD_OPERATION_PRODUCT)
        return 2 * (long double)floats->expect.height * unit * floats->weight[cell];
    const long double roundings = floats->factors[cell] > 1 ? floats->factors[cell] - 1 : 0;
    return roundings > 0 && floats->weight[cell] > 0
               ? expm1l(roundings * log1pl(unit)) * floats->weight[cell]
               : 0;
}
