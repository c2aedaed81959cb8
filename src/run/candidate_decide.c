// SPDX-License-Identifier: MIT
/* Decides a proposed law by the inputs in its cells. */
#include "base/array.h"
#include "run/candidate_internal.h"
#include "law/tree.h"
#include "law/run.h"
#include "reductio/program.h"
#include "element/operation_table.h"

#include <string.h>

/* ---- one operation alone ---- */

/* Decides whether a proposed law is kept, and enough, whatever the values: where all is sums, it is decided by which inputs
 * are in each cell, and how often. The rounds are those that the program documents. */

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

/* Evaluation of the law for an input. */
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

/* Tells whether the law is kept and enough for all values of these sizes. Statuses as above. */
static enum rd_status candidate_prove(struct rd_candidate *candidate,
                                      const struct rd_law_sizes *sizes, bool *always)
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

/* ---- decisions ---- */

/* Decides by the inputs in its cells what it can of a proposed law: that it is kept whatever the values, or
 * that it counts an input for another. */

/* ---- an input for another ---- */

/* The program's own law and the proposed one, of one size. */
struct sized {
    struct rd_law_run *own, *proposed;
    unsigned rounds;
    uint64_t work; /* done so far */
    enum rd_operation operation;
};

/* Reduces a multiplicity to what matters: by min it is enough that an input is in the cell, by xor two of it
 * cancel. */
static size_t times_that_count(enum rd_operation operation, size_t times)
{
    switch (rd_operation_row(operation)->counts) {
    case RD_COUNTS_EACH:
        return times;
    case RD_COUNTS_ODD:
        return times % 2;
    case RD_COUNTS_ONCE:
        break;
    }
    return times > 0;
}

/* The inputs of a cell, ascending, each as often as it is in there. */
struct inputs_of_cell {
    const uint64_t *list, *end;
};

/* Takes the next input that counts off the list, and how often; false where there is none. */
static bool take_input(enum rd_operation operation, struct inputs_of_cell *inputs, uint64_t *input,
                       size_t *times)
{
    while (inputs->list < inputs->end) {
        const uint64_t *first = inputs->list;
        while (inputs->list < inputs->end && *inputs->list == *first)
            inputs->list++;
        *input = *first;
        *times = times_that_count(operation, (size_t)(inputs->list - first));
        if (*times > 0)
            return true;
    }
    return false;
}

/* An input that two cells don't hold as often, as far as that counts; SIZE_MAX where there is none. */
static size_t differ(enum rd_operation operation, struct inputs_of_cell one,
                     struct inputs_of_cell other)
{
    uint64_t x = 0, y = 0;
    size_t times_x = 0, times_y = 0;
    for (;;) {
        const bool has_x = take_input(operation, &one, &x, &times_x),
                   has_y = take_input(operation, &other, &y, &times_y);
        if (!has_x && !has_y)
            return SIZE_MAX;
        if (!has_x || !has_y)
            return has_x ? x : y;
        if (x != y || times_x != times_y)
            return x < y ? x : y;
    }
}

static struct inputs_of_cell inputs_of(const struct rd_law_cells *cells, size_t k)
{
    return (struct inputs_of_cell){cells->inputs + cells->first[k],
                                   cells->inputs + cells->first[k + 1]};
}

/* Compares the cells that both speak of. */
static size_t differ_anywhere(enum rd_operation operation, const struct rd_law_cells *own,
                              const struct rd_law_cells *proposed)
{
    size_t found = SIZE_MAX;
    for (size_t k = 0; k < own->count && found == SIZE_MAX; k++) {
        const size_t at = rd_array_find(proposed->cells, proposed->count, own->cells[k]);
        if (at != SIZE_MAX)
            found = differ(operation, inputs_of(own, k), inputs_of(proposed, at));
    }
    return found;
}

static enum rd_status compare_step(const struct rd_candidate *candidate, struct sized *sized,
                                   unsigned step, size_t *input, struct rd_law_error *error)
{
    const struct rd_law_place at = {.d = step};
    struct rd_law_cells own, proposed;
    enum rd_status status =
        rd_law_cells_init(&own, sized->own, rd_candidate_section(candidate->own), &at, 0, error);
    sized->work += sized->own->work;
    if (status != RD_OK)
        return status;
    status = rd_law_cells_init(&proposed, sized->proposed,
                               rd_candidate_section(candidate->proposed), &at, 0, error);
    sized->work += sized->proposed->work;
    if (status == RD_OK) {
        *input = differ_anywhere(sized->operation, &own, &proposed);
        rd_law_cells_finish(&proposed);
    }
    rd_law_cells_finish(&own);
    return status;
}

/* The first input that they have not equally often in a cell; SIZE_MAX where there is none. */
static enum rd_status compare_steps(const struct rd_candidate *candidate, struct sized *sized,
                                    size_t *input, struct rd_law_error *error)
{
    enum rd_status status = RD_OK;
    *input = SIZE_MAX;
    for (unsigned d = 0; d <= sized->rounds && status == RD_OK && *input == SIZE_MAX; d++)
        status = compare_step(candidate, sized, d, input, error);
    return status;
}

/* ---- smaller n ---- */

/* The most that all smaller n together may cost. */
struct budget {
    uint64_t inputs, work;
};

static bool takes(struct rd_acceptance *acceptance, const struct rd_program *program, size_t n,
                  const struct rd_law_sizes *sizes, struct rd_shape *shape)
{
    const size_t grids[] = {sizes->B, 0}; /* as many blocks, or the program's own number */
    for (size_t k = 0; k < sizeof grids / sizeof *grids; k++) {
        *shape = rd_program_shape(program, (struct rd_shape){n, (unsigned)sizes->T, grids[k]});
        if (rd_acceptance_ask(acceptance, shape, NULL) == RD_OK)
            return true;
    }
    return false;
}

/* RD_ERROR_USAGE: it has no value there, or no budget is left. */
static enum rd_status compare_at(const struct rd_candidate *candidate, const struct rd_shape *shape,
                                 const struct rd_candidate_decision *decision,
                                 struct budget *budget, size_t *input, struct rd_law_error *error)
{
    struct sized sized = {.rounds = rd_program_rounds(candidate->program, shape),
                          .operation = decision->operation};
    const struct rd_law_sizes sizes = {.n = shape->n,
                                       .T = shape->block,
                                       .B = shape->grid,
                                       .work_max = budget->work,
                                       .interrupted = decision->sizes.interrupted};
    const uint64_t inputs = (uint64_t)shape->n * (sized.rounds + 1);
    if (inputs > budget->inputs) {
        budget->work = 0;
        return RD_ERROR_USAGE;
    }
    enum rd_status status = rd_law_run_create(&sized.own, candidate->own, &sizes, error);
    if (status == RD_OK)
        status = rd_law_run_create(&sized.proposed, candidate->proposed, &sizes, error);
    if (status == RD_OK)
        status = compare_steps(candidate, &sized, input, error);
    budget->inputs -= inputs;
    budget->work = sized.work < budget->work ? budget->work - sized.work : 0;
    rd_law_run_destroy(sized.own);
    rd_law_run_destroy(sized.proposed);
    return status;
}

/* From the smallest n on, in as many threads, up to the first at which they differ, or which is too much. Where the law
 * has no value, it counts nothing. */
static enum rd_status compare_up(struct rd_candidate *candidate, struct rd_acceptance *acceptance,
                                 struct rd_candidate_decision *decision)
{
    const struct rd_law_sizes *sizes = &decision->sizes;
    enum { INPUTS_MAX = 1 << 18, WORK_MAX = 1 << 22 };
    struct budget budget = {INPUTS_MAX, WORK_MAX};
    for (size_t n = 1;
         n < sizes->n && n <= budget.inputs && budget.work > 0 && !decision->differs_at_smaller;
         n++) {
        struct rd_law_error error;
        struct rd_shape shape;
        size_t input = SIZE_MAX;
        if (sizes->interrupted && *sizes->interrupted)
            return rd_fail(&candidate->error.what, RD_ERROR_INTERRUPTED, "interrupted");
        if (!takes(acceptance, candidate->program, n, sizes, &shape))
            continue;
        enum rd_status status = compare_at(candidate, &shape, decision, &budget, &input, &error);
        if (status == RD_ERROR_USAGE)
            continue;
        if (status != RD_OK) {
            candidate->error = error;
            return status;
        }
        decision->n_compared = n;
        decision->differs_at_smaller = input != SIZE_MAX;
        decision->smaller_input = input;
    }
    return RD_OK;
}

static enum rd_status compare_smaller(struct rd_candidate *candidate,
                                      struct rd_candidate_decision *decision)
{
    struct rd_acceptance *acceptance;
    if (rd_acceptance_create(&acceptance, candidate->program, NULL) != RD_OK)
        return rd_candidate_no_memory(candidate);
    enum rd_status status = compare_up(candidate, acceptance, decision);
    rd_acceptance_destroy(acceptance);
    decision->has_suspect = decision->differs_at_smaller; /* it may well be the same here */
    decision->suspect = decision->smaller_input;
    return status;
}

/* ---- deciding ---- */

static bool has_lists(const struct rd_candidate *candidate, enum rd_operation operation)
{
    /* The program's own law says sums, and is of any operation. */
    return rd_candidate_reduces_by(rd_candidate_section(candidate->proposed), RD_LAW_LAW,
                                   candidate->is_own ? RD_OPERATION_SUM : operation) &&
           rd_candidate_reduces_by(rd_candidate_section(candidate->own), RD_LAW_LAW,
                                   RD_OPERATION_SUM);
}

static enum rd_status find_suspect(struct rd_candidate *candidate,
                                   struct rd_candidate_decision *decision)
{
    struct sized sized = {candidate->own_run, candidate->run, candidate->n_rounds, 0,
                          decision->operation};
    struct rd_law_error error;
    size_t input;
    enum rd_status status = compare_steps(candidate, &sized, &input, &error);
    decision->has_suspect = status == RD_OK && input != SIZE_MAX;
    decision->suspect = input;
    if (status == RD_ERROR_USAGE) {
        decision->gap = RD_CANDIDATE_TOO_LONG;
        return compare_smaller(candidate, decision);
    }
    if (status != RD_OK)
        candidate->error = error;
    return status;
}

static enum rd_status decide(struct rd_candidate *candidate, struct rd_candidate_decision *decision)
{
    const bool many = candidate->n_inputs * (candidate->n_rounds + 1) > RD_CANDIDATE_INPUTS_MAX;
    enum rd_status status = RD_OK;
    if (decision->proves && !many)
        status = candidate_prove(candidate, &decision->sizes, &decision->always);
    if (status != RD_OK || decision->always)
        return status;
    if (!has_lists(candidate, decision->operation)) {
        decision->gap = RD_CANDIDATE_NO_LISTS;
        return RD_OK;
    }
    if (!many)
        return find_suspect(candidate, decision);
    decision->gap = RD_CANDIDATE_TOO_MANY;
    return compare_smaller(candidate, decision);
}

static bool is_same_question(const struct rd_candidate_decision *known,
                             const struct rd_candidate_decision *asked)
{
    return known->known && known->sizes.n == asked->sizes.n && known->sizes.T == asked->sizes.T &&
           known->sizes.B == asked->sizes.B && known->sizes.work_max == asked->sizes.work_max &&
           known->operation == asked->operation && known->proves == asked->proves;
}

enum rd_status rd_candidate_decide(struct rd_candidate *candidate, const struct rd_run *run)
{
    struct rd_candidate_result *result = &candidate->result;
    const struct rd_numeric *numeric = run->numeric;
    struct rd_candidate_decision decision = {
        .known = true,
        .sizes = rd_candidate_sizes(candidate, run),
        .operation = numeric->operation,
        /* Floats round, and overflow; and the theorem is of sums. */
        .proves = !numeric->is_float && numeric->operation == RD_OPERATION_SUM &&
                  !result->untried && !result->unsaid,
    };
    enum rd_status status = RD_OK;
    if (!is_same_question(&candidate->decision, &decision)) {
        status = decide(candidate, &decision);
        if (status != RD_OK)
            return status;
        candidate->decision = decision;
    }
    const struct rd_candidate_decision *known = &candidate->decision;
    result->always = known->always;
    result->has_suspect = known->has_suspect;
    result->suspect = known->suspect;
    result->gap = known->gap;
    result->n_compared = known->n_compared;
    result->differs_at_smaller = known->differs_at_smaller;
    result->smaller_input = known->smaller_input;
    return RD_OK;
}
