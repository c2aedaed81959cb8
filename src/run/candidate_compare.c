// SPDX-License-Identifier: MIT
/* Compares the cells of a run with a proposed law. */
#include "run/candidate_internal.h"
#include "reductio/program.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* ---- looks ---- */

/* An array at a step, cell by cell, as a proposed law sees it. */

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

/* Evaluates the law for the first `n_cells` cells. */
static enum rd_status saying_evaluate(struct rd_saying *saying, struct rd_candidate *candidate,
                                      const struct rd_numeric *numeric,
                                      const struct rd_law_place *at, size_t n_cells);

enum rd_status rd_candidate_look_init(struct rd_candidate_look *look,
                                      struct rd_candidate *candidate, const struct rd_run *run,
                                      const struct rd_step *step, struct rd_error *error)
{
    const struct rd_law_place at = {.d = step->number};
    struct rd_saying saying;
    enum rd_status status = rd_saying_init(&saying, candidate, run->numeric, &at, step->n_cells);
    if (status != RD_OK)
        return rd_candidate_pass_on(candidate, status, error);
    status = rd_saying_check_known(candidate, &saying, step);
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
        status = saying_evaluate(&saying, candidate, run->numeric, &at, step->n_cells);
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

/* ---- a cell ---- */

struct compared {
    const struct rd_numeric *numeric;
    double is;
    long double said, slack;        /* by the law that is judged, and how far that may be off; */
    long double exact, exact_slack; /* by the program's own */
    long double weight, limit;      /* the sum of its terms' magnitudes; what rounding does to it */
    bool whole;                     /* numbers that are summed without a rounding */
    bool is_same_sum; /* the law was worked out in the run's type, of terms no larger than those */
    bool documented;  /* it is what the documented rounds make of the inputs */
    bool may_overflow, law_may_overflow; /* on the way to it; on that to what the law says */
};

/* From here on a number is nearer to 2^e, which the type doesn't hold, than to the largest that it does. */
static long double infinite_from(const struct rd_numeric *numeric)
{
    int e;
    frexpl(numeric->largest, &e);
    return ldexpl(1, e) - ldexpl(1, e - 1 - (int)numeric->digits);
}

static bool rounds_to(const struct rd_numeric *numeric, double infinity, long double number)
{
    return fabsl(number) >= infinite_from(numeric) && (infinity < 0) == (number < 0);
}

/* Tells whether the proposed law and the program's own give the same value, as far as both are known. */
static bool agrees(const struct compared *compared)
{
    return fabsl(compared->said - compared->exact) <= compared->slack + compared->exact_slack;
}

/* Tells whether the cell is infinite, or not a number, because its exact value is. */
static bool is_infinite_by_itself(const struct compared *compared)
{
    if (isnan(compared->is) || isinf(compared->exact))
        return isnan(compared->is) ? isnan(compared->exact)
                                   : rounds_to(compared->numeric, compared->is, compared->exact);
    return rounds_to(compared->numeric, compared->is, compared->exact) &&
           fabsl(compared->exact) - compared->slack - compared->exact_slack >=
               infinite_from(compared->numeric);
}

/* Compares a cell that is infinite, or not a number. Where the documented rounds have overflowed on the way from a finite
 * value, the cell neither refutes a law that gives that value nor confirms one. */
static enum rd_saying_mark compare_infinite(const struct compared *compared)
{
    const bool is_said = isnan(compared->is)
                             ? isnan(compared->said)
                             : rounds_to(compared->numeric, compared->is, compared->said);
    if (is_said)
        return isfinite(compared->said) ? RD_SAYING_IS_BUT_FOR_ROUNDING : RD_SAYING_IS;
    if (compared->law_may_overflow)
        return RD_SAYING_OVERFLOWS;
    const bool is_another = compared->weight > 0 && isfinite(compared->exact) && !agrees(compared);
    return compared->may_overflow && !is_infinite_by_itself(compared) && !is_another
               ? RD_SAYING_OVERFLOWS
               : RD_SAYING_IS_NOT;
}

/* Tells whether the law's value is known closely enough to be compared: to a sixteenth of a unit in the last place of
 * the sum in the program's own law, or about as well as that. Terms that cancel must not buy a tolerance.
 *
 * Two claims on a cell are worked out in f64, also of a run of f64. Where the terms are no larger than those of the program's
 * own law, none cancels: the law is a sum of as much in another order, and is judged by the bound of such sums. */
static bool is_known(const struct compared *compared)
{
    const long double unit = ldexpl(1, -(int)compared->numeric->digits);
    return compared->slack <= unit * compared->weight / 16 + 4 * compared->exact_slack ||
           compared->is_same_sum;
}

/* A product that is smaller than a normal number, which no relative bound tells of. */
static bool underflows(const struct compared *compared)
{
    const double least = compared->numeric->least_normal;
    return compared->numeric->operation == RD_OPERATION_PRODUCT && compared->documented &&
           compared->limit > 0 && (fabs(compared->is) < least || fabsl(compared->exact) < least);
}

/* Compares a product that has underflowed: rounding explains any value below the normal numbers. */
static enum rd_saying_mark compare_underflown(const struct compared *compared)
{
    const double small = 2 * compared->numeric->least_normal;
    if (!agrees(compared) &&
        fabsl(compared->is - compared->said) > compared->limit + compared->slack + small)
        return RD_SAYING_IS_NOT;
    return agrees(compared) && fabs(compared->is) <= small && fabsl(compared->exact) <= small
               ? RD_SAYING_IS_BUT_FOR_ROUNDING
               : RD_SAYING_OVERFLOWS;
}

/* A float of the run may be the sum of its terms in any tree of that height. The terms are those that the program's own
 * law has in the cell, whatever the proposed one adds and takes away again; what is worked out of that one is off by
 * likewise its own. No law is refuted by what the documented rounds make of what it says: a product may underflow. */
static enum rd_saying_mark compare_numbers(const struct compared *compared)
{
    if (compared->whole)
        return compared->is == compared->said ? RD_SAYING_IS : RD_SAYING_IS_NOT;
    if (!isfinite(compared->weight) || !isfinite(compared->slack))
        return RD_SAYING_UNTOLD;
    if (underflows(compared))
        return is_known(compared) ? compare_underflown(compared) : RD_SAYING_UNTOLD;
    const bool is_own = is_known(compared) && compared->documented && agrees(compared);
    if (fabsl(compared->is - compared->said) > compared->limit + compared->slack) {
        if (!is_own)
            return RD_SAYING_IS_NOT;
        if (compared->numeric->operation == RD_OPERATION_PRODUCT)
            return RD_SAYING_OVERFLOWS;
    }
    if (!is_known(compared))
        return RD_SAYING_UNTOLD;
    if (compared->limit >= compared->weight && compared->is != compared->said &&
        !is_own) /* anything is within that */
        return compared->documented ? RD_SAYING_IS_NOT : RD_SAYING_UNTOLD;
    return RD_SAYING_IS_BUT_FOR_ROUNDING;
}

/* Tells whether the cell is the result of the documented rounds: to the bit, or within their bound where the order is
 * any. */
static bool is_documented(const struct rd_candidate *candidate, const struct rd_numeric *numeric,
                          uint64_t cell, rd_bits actual)
{
    const struct rd_expect *expect = &candidate->floats.expect;
    struct rd_deviation deviation;
    if (!expect->any_order)
        return numeric->same(actual, rd_expect_cell(expect, cell));
    numeric->deviation(expect, cell, actual, &deviation);
    return deviation.error <= deviation.limit;
}

/* Tells whether the law's value is infinite, or not a number, by an overflow in its own arithmetic. A power that is too
 * large is none: it is not made of cells. */
static bool law_overflows(const struct rd_candidate *candidate, const struct rd_saying *saying,
                          enum rd_operation operation, uint64_t cell)
{
    const struct rd_law_section *section = rd_candidate_section(saying->law);
    return candidate->finite && !isfinite(saying->wide[cell]) && !isfinite(saying->weight[cell]) &&
           (isnan(saying->wide[cell]) ||
            rd_candidate_reduces_by(section, RD_LAW_LAW, RD_OPERATION_SUM) ||
            rd_candidate_reduces_by(section, RD_LAW_LAW, operation));
}

/* Tells whether the documented rounds overflow on the way to the cell, or may, where the order is any. */
static bool run_overflows(const struct rd_candidate *candidate, const struct rd_numeric *numeric,
                          uint64_t cell, long double limit)
{
    const struct rd_expect *expect = &candidate->floats.expect;
    if (!expect->any_order)
        return !isfinite(numeric->to_double(rd_expect_cell(expect, cell)));
    return numeric->operation != RD_OPERATION_SUM ||
           candidate->floats.weight[cell] + limit > numeric->largest;
}

/* Sums of whole numbers are exact in any order, as long as they are no longer than the significand. */
static bool is_exact(const struct rd_candidate *candidate, long double weight, long double unit)
{
    return candidate->whole && weight * 2 * unit < 1;
}

static long double slack_of(const struct rd_candidate *candidate, const struct rd_saying *saying,
                            uint64_t cell)
{
    const long double weight = saying->weight[cell];
    return is_exact(candidate, weight, saying->unit)
               ? 0
               : (long double)candidate->n_inputs * saying->unit * weight;
}

long double rd_saying_tolerance(const struct rd_candidate *candidate,
                                const struct rd_saying *saying, const struct rd_numeric *numeric,
                                uint64_t cell)
{
    return rd_candidate_rounding_limit(candidate, numeric, cell) +
           slack_of(candidate, saying, cell);
}

/* The same of a run that rounds, from what rd_candidate_document has taken up of the step. */
static enum rd_saying_mark saying_compare(const struct rd_candidate *candidate,
                                          const struct rd_saying *saying,
                                          const struct rd_numeric *numeric, uint64_t cell,
                                          rd_bits actual)
{
    const struct rd_candidate_floats *floats = &candidate->floats;
    const long double n = (long double)candidate->n_inputs, own = floats->weight[cell];
    const bool exact = is_exact(candidate, saying->weight[cell], saying->unit);
    struct compared compared = {
        .numeric = numeric,
        .is = numeric->to_double(actual),
        .said = saying->wide[cell],
        .slack = slack_of(candidate, saying, cell),
        .exact = floats->exact[cell],
        .exact_slack = is_exact(candidate, own, floats->unit) ? 0 : n * floats->unit * own,
        .weight = own,
        .limit = rd_candidate_rounding_limit(candidate, numeric, cell),
        .whole = exact && own < ldexpl(1, (int)numeric->digits),
        .documented = is_documented(candidate, numeric, cell, actual),
        .law_may_overflow = law_overflows(candidate, saying, numeric->operation, cell),
    };
    compared.is_same_sum = saying->unit >= ldexpl(1, -(int)numeric->digits) &&
                           saying->weight[cell] <= own + compared.slack;
    compared.whole = compared.whole || (exact && compared.exact_slack == 0 && compared.documented &&
                                        compared.is == compared.exact);
    compared.may_overflow = run_overflows(candidate, numeric, cell, compared.limit);
    if (!isfinite(compared.is))
        return compare_infinite(&compared);
    if (!isfinite(compared.said))
        return compared.law_may_overflow ? RD_SAYING_OVERFLOWS : RD_SAYING_IS_NOT;
    return compare_numbers(&compared);
}

/* ---- cells ---- */

/* Evaluates a proposed law and compares it with the cells. */

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
        status = saying_evaluate(saying, candidate, numeric, at, n_cells);
    if (status != RD_OK)
        rd_saying_finish(saying);
    return status;
}

/* Who compares two claims on a cell. */
struct meeting {
    const struct rd_candidate *candidate;
    struct rd_saying *saying;
};

/* Tells whether two claims of floats on a cell differ by more than their own rounding. Where one has overflowed, neither is
 * known: the cell's weight is then no number. */
static bool floats_contradict(void *self, int64_t cell, rd_bits first, rd_bits second)
{
    const struct meeting *meeting = self;
    const struct rd_numeric *wide = rd_numeric(RD_TYPE_F64);
    const double x = wide->to_double(first), y = wide->to_double(second);
    if (isfinite(x) && isfinite(y))
        return fabs(x - y) > 2 * slack_of(meeting->candidate, meeting->saying, (uint64_t)cell);
    if (meeting->candidate->finite)
        meeting->saying->weight[cell] = NAN;
    return !meeting->candidate->finite;
}

static enum rd_status saying_evaluate(struct rd_saying *saying, struct rd_candidate *candidate,
                                      const struct rd_numeric *numeric,
                                      const struct rd_law_place *at, size_t n_cells)
{
    struct meeting meeting = {candidate, saying};
    struct rd_law_conflict rounded = {.found = false}; /* decided in the wider type */
    const bool as_written = candidate->proposed != candidate->own && !candidate->is_own;
    const bool inside_only = saying->live.n_outside > 0;
    const struct rd_law_data run = {.numeric = numeric,
                                    .inputs = candidate->inputs,
                                    .inside_only = inside_only,
                                    .conflict = numeric->rounds ? &rounded : &saying->conflict,
                                    .as_written = as_written};
    const struct rd_wide_law wide = {candidate->run, candidate->proposed, numeric->operation,
                                     as_written, inside_only};
    long double unused;
    enum rd_status status = apply(candidate, at, &run, saying->said);
    if (status == RD_OK && numeric->rounds)
        status = rd_candidate_apply_wide(candidate, &wide, at, true, NULL, saying->weight, n_cells,
                                         &unused);
    if (status == RD_OK && numeric->rounds) {
        saying->conflict.contradicts = floats_contradict;
        saying->conflict.self = &meeting;
        status = rd_candidate_apply_wide(candidate, &wide, at, false, &saying->conflict,
                                         saying->wide, n_cells, &saying->unit);
        saying->conflict.self = NULL;
    }
    return status;
}

enum rd_saying_mark rd_saying_is(const struct rd_candidate *candidate,
                                 const struct rd_saying *saying, const struct rd_numeric *numeric,
                                 uint64_t cell, rd_bits actual)
{
    const bool same = numeric->same(actual, numeric->load(saying->said, cell));
    if (!numeric->rounds)
        return same ? RD_SAYING_IS : RD_SAYING_IS_NOT;
    if (candidate->finite && isnan(saying->weight[cell]))
        return RD_SAYING_UNTOLD;
    const enum rd_saying_mark mark = saying_compare(candidate, saying, numeric, cell, actual);
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
    const bool contradicts = is_contradicted(saying, cell);
    const rd_bits second = contradicts ? saying->conflict.second : 0;
    const double also = numeric->rounds ? rd_numeric(RD_TYPE_F64)->to_double(second) : 0;
    return (struct rd_candidate_cell){
        .step = step,
        .cell = (int64_t)cell,
        .actual = actual,
        .said = rd_saying_value(saying, numeric, cell),
        .exact = numeric->rounds ? saying->wide[cell] : 0,
        .contradicts = contradicts,
        .also = numeric->rounds ? numeric->from_double(also) : second,
        .also_exact = also,
    };
}

enum rd_status rd_saying_check_known(struct rd_candidate *candidate, const struct rd_saying *saying,
                                     const struct rd_step *step)
{
    for (size_t k = 0; step->known && k < saying->live.count; k++)
        if (!step->known[saying->live.cells[k]]) {
            candidate->error = (struct rd_law_error){0};
            return rd_fail(&candidate->error.what, RD_ERROR_USAGE,
                           "what it says of cell %" PRIu64 " behind round %u can't be asserted: a "
                           "program's run keeps the cells that its own law speaks of, and of "
                           "this one it does not speak there",
                           (uint64_t)saying->live.cells[k], step->number);
        }
    return RD_OK;
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
