// SPDX-License-Identifier: MIT
/* Decides whether a proposed law is kept, and enough, whatever the values: where all is sums, it is decided by which inputs
 * are in each cell, and how often. The rounds are those that the program documents. */
#include "base/array.h"
#include "run/candidate_internal.h"
#include "law/tree.h"

#include <string.h>

/* ---- one operation alone ---- */

static bool value_reduces_by(const struct law_node *value, enum rd_operation operation,
                             unsigned depth);
static bool claims_reduce_by(const struct rd_law_section *section, enum rd_law_role role,
                             enum rd_operation operation, unsigned depth);

static bool definition_reduces_by(const struct law_definition *definition,
                                  enum rd_operation operation, unsigned depth)
{
    for (size_t k = 0; k < definition->n_equations; k++)
        if (!value_reduces_by(definition->equations[k].body, operation, depth))
            return false;
    return definition->kind != LAW_LET_FAMILY; /* of itself */
}

/* Tells whether the value is made of elements by that operation: then how often each input is in it says it all, of those
 * that count how often. */
static bool value_reduces_by(const struct law_node *value, enum rd_operation operation,
                             unsigned depth)
{
    const bool sums = operation == RD_OPERATION_SUM;
    if (depth == 0)
        return false;
    switch (value->kind) {
    case LAW_NUMBER:
        return sums && value->number == 0;
    case LAW_BINARY:
        return sums && value->op == LAW_ADD &&
               value_reduces_by(value->kids[0], operation, depth - 1) &&
               value_reduces_by(value->kids[1], operation, depth - 1);
    case LAW_REDUCTION:
        return value->op == (unsigned)operation &&
               value_reduces_by(value->kids[0], operation, depth - 1);
    case LAW_ELEMENT:
    case LAW_FUNCTION:
    case LAW_NAME:
        break;
    default:
        return false;
    }
    switch (value->meaning) {
    case LAW_IS_INPUT:
    case LAW_IS_STATE:
        return true;
    case LAW_IS_LAST_STATE:
        return claims_reduce_by(value->section, RD_LAW_LAW, operation, depth - 1);
    case LAW_IS_DEFINITION:
        return value->data && definition_reduces_by(value->definition, operation, depth - 1);
    default:
        return false;
    }
}

static bool claims_reduce_by(const struct rd_law_section *section, enum rd_law_role role,
                             enum rd_operation operation, unsigned depth)
{
    const struct law_claims *claims = &section->claims[role];
    for (size_t k = 0; k < claims->count; k++)
        if (!value_reduces_by(claims->claims[k].value, operation, depth))
            return false;
    return true;
}

bool rd_candidate_reduces_by(const struct rd_law_section *section, enum rd_law_role role,
                             enum rd_operation operation)
{
    enum { DEPTH_MAX = 32 };
    return claims_reduce_by(section, role, operation, DEPTH_MAX);
}

/* ---- which inputs are where ---- */

/* Where the law is evaluated for an input. */
struct proof {
    struct rd_candidate *candidate;
    struct rd_law_run *run; /* of the program's paragraph with the proposed law in it */
    struct rd_law_error error;
    enum rd_status status;
    int input;
};

/* Tells whether each cell of the one is in the other, with the same inputs as often. */
static bool is_within(const struct rd_law_cells *some, const struct rd_law_cells *all)
{
    bool within = some->n_outside == 0 && all->n_outside == 0;
    for (size_t k = 0; k < some->count && within; k++) {
        const size_t at = rd_array_find(all->cells, all->count, some->cells[k]);
        const size_t count = some->first[k + 1] - some->first[k];
        within = at != SIZE_MAX && count == all->first[at + 1] - all->first[at] &&
                 memcmp(some->inputs + some->first[k], all->inputs + all->first[at],
                        count * sizeof *some->inputs) == 0;
    }
    return within;
}

/* At the beginning all that the law says is so; at the end it says all that the program's own does. */
static bool compare(struct proof *proof, unsigned step, bool at_end)
{
    struct rd_candidate *candidate = proof->candidate;
    const struct rd_law_place at = {.d = step};
    struct rd_law_cells own, proposed;
    proof->status =
        rd_law_cells_init(&own, candidate->own_run, rd_candidate_section(candidate->own), &at,
                          proof->input, &proof->error);
    if (proof->status != RD_OK)
        return false;
    proof->status =
        rd_law_cells_init(&proposed, candidate->run, rd_candidate_section(candidate->proposed), &at,
                          proof->input, &proof->error);
    bool same = proof->status == RD_OK;
    if (same) {
        same = at_end ? is_within(&own, &proposed) : is_within(&proposed, &own);
        rd_law_cells_finish(&proposed);
    }
    rd_law_cells_finish(&own);
    return same;
}

static bool is_kept(struct proof *proof, unsigned step)
{
    const struct rd_law_place before = {.d = step - 1}, after = {.d = step};
    struct rd_law_broken broken;
    bool kept = false;
    proof->status =
        rd_law_preserves(proof->run, rd_candidate_section(proof->candidate->moving), RD_LAW_UPDATE,
                         &before, &after, (size_t)proof->input, &kept, &broken, &proof->error);
    return proof->status == RD_OK && kept;
}

static bool holds_for_all_values(struct proof *proof)
{
    struct rd_candidate *candidate = proof->candidate;
    bool holds = true;
    for (size_t k = 0; k < rd_law_input_count(candidate->own) && holds; k++) {
        proof->input = (int)k;
        holds = compare(proof, 0, false) && compare(proof, candidate->n_rounds, true);
        for (unsigned step = 1; step <= candidate->n_rounds && holds; step++)
            holds = is_kept(proof, step);
    }
    return holds;
}

enum rd_status rd_candidate_prove(struct rd_candidate *candidate, const struct rd_law_sizes *sizes,
                                  bool *always)
{
    const enum rd_operation sum = RD_OPERATION_SUM;
    struct proof proof = {.candidate = candidate};
    *always = false;
    if (!candidate->moving)
        return RD_OK;
    const struct rd_law_section *moving = rd_candidate_section(candidate->moving);
    if (moving->claims[RD_LAW_UPDATE].count == 0 ||
        !rd_candidate_reduces_by(moving, RD_LAW_LAW, sum) ||
        !rd_candidate_reduces_by(moving, RD_LAW_UPDATE, sum) ||
        !rd_candidate_reduces_by(rd_candidate_section(candidate->own), RD_LAW_LAW, sum))
        return RD_OK;
    proof.status = rd_law_run_create(&proof.run, candidate->moving, sizes, &proof.error);
    if (proof.status == RD_OK)
        *always = holds_for_all_values(&proof);
    rd_law_run_destroy(proof.run);
    if (proof.status != RD_ERROR_INTERRUPTED && proof.status != RD_ERROR_MEMORY)
        return RD_OK; /* it takes too long, say: then it has been tried only */
    candidate->error = proof.error;
    return proof.status;
}
