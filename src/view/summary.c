// SPDX-License-Identifier: MIT
#include "reductio/summary.h"
#include "base/texts.h"
#include "view/paint.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Appends the blocks, if not all were observed: " of block 0", " of blocks 0, 2 and the last". */
static void append_blocks(char text[RD_SENTENCE_SIZE], const struct rd_blocks *blocks)
{
    unsigned count = blocks->count + blocks->last;
    if (blocks->all || count == 0)
        return;
    rd_append(text, RD_SENTENCE_SIZE, " of %s",
              blocks->count == 0 ? ""
              : count == 1       ? "block "
                                 : "blocks ");
    for (unsigned k = 0; k < blocks->count; k++)
        rd_append(text, RD_SENTENCE_SIZE, "%s%zu",
                  k == 0           ? ""
                  : k + 1 == count ? " and "
                                   : ", ",
                  blocks->block[k]);
    if (blocks->last)
        rd_append(text, RD_SENTENCE_SIZE, "%sthe last%s", blocks->count > 0 ? " and " : "",
                  blocks->count > 0 ? "" : " block");
    rd_append(text, RD_SENTENCE_SIZE, " only");
}

/* A number of hazards is told only of who has looked for them. */
static void append_hazards(char text[RD_SENTENCE_SIZE], const struct rd_summary *summary)
{
    bool looked = rd_hazards_looked_for(summary->hazards_by);
    if (!looked && summary->hazards == 0) {
        rd_append(text, RD_SENTENCE_SIZE, "hazards %s",
                  summary->hazards_by == RD_HAZARDS_BY_LAUNCH ? "told with the launch"
                                                              : "not looked for");
        return;
    }
    rd_append(text, RD_SENTENCE_SIZE, "%u hazard%s%s", summary->hazards,
              rd_plural(summary->hazards), summary->recorded ? " recorded" : "");
    if (!looked)
        rd_append(text, RD_SENTENCE_SIZE, ", others not looked for");
    if (summary->schedules > 0)
        rd_append(text, RD_SENTENCE_SIZE, " under %u schedule%s", summary->schedules,
                  rd_plural(summary->schedules));
    if (summary->hazards_by == RD_HAZARDS_BY_SANITIZER)
        rd_append(text, RD_SENTENCE_SIZE, " by compute-sanitizer (races: in shared memory only)");
    if (summary->hazards_n > 0)
        rd_append(text, RD_SENTENCE_SIZE, " in the simulator at n=%zu", summary->hazards_n);
}

const char *rd_summary_text(const struct rd_summary *summary, char text[RD_SENTENCE_SIZE])
{
    text[0] = '\0';
    rd_append(text, RD_SENTENCE_SIZE, "%s %s n=%zu %s %s: %u step%s, ",
              summary->interrupted ? "INTERRUPTED" : rd_verdict_name(summary->verdict),
              summary->program, summary->n, summary->type, summary->device, summary->steps,
              rd_plural(summary->steps));
    if (summary->checkpoints > 0) {
        rd_append(text, RD_SENTENCE_SIZE, "%" PRIu64 " checkpoint%s", summary->checkpoints,
                  rd_plural(summary->checkpoints));
        append_blocks(text, &summary->blocks);
        rd_append(text, RD_SENTENCE_SIZE, ", ");
    }
    rd_append(text, RD_SENTENCE_SIZE, "%" PRIu64 " cell%s asserted, ", summary->cells,
              rd_plural(summary->cells));
    append_hazards(text, summary);
    return text;
}

const char *rd_looked_text(const struct rd_result *result, size_t n, char text[RD_SENTENCE_SIZE])
{
    text[0] = '\0';
    if (*result->unlooked)
        rd_append(text, RD_SENTENCE_SIZE, "Hazards were not looked for: %s", result->unlooked);
    else if (result->hazards_by == RD_HAZARDS_BY_NOBODY)
        rd_append(text, RD_SENTENCE_SIZE, "Hazards were not looked for: --hazards sim does");
    else if (result->hazards_by == RD_HAZARDS_BY_LAUNCH)
        rd_append(text, RD_SENTENCE_SIZE,
                  "Hazards are told with the launch, of which all rounds are parts");
    else if (result->hazards_by == RD_HAZARDS_BY_SANITIZER)
        rd_append(
            text, RD_SENTENCE_SIZE,
            "Hazards were looked for by compute-sanitizer: accesses out of bounds and "
            "misaligned, races in shared memory, reads of global memory that nobody wrote, and "
            "barriers; not races in global memory");
    else if (result->hazards_n == n)
        rd_append(
            text, RD_SENTENCE_SIZE,
            "Hazards were looked for by the simulator, in the same rounds on the same n = %zu", n);
    else if (result->hazards_n > 0)
        rd_append(
            text, RD_SENTENCE_SIZE,
            "Hazards were looked for by the simulator, in the same rounds on n = %zu, as n = %zu "
            "would take it too long",
            result->hazards_n, n);
    if (result->hazards_n > 0 && result->hazards_grid > 0)
        rd_append(text, RD_SENTENCE_SIZE, ", with %zu block%s", result->hazards_grid,
                  rd_plural(result->hazards_grid));
    return text;
}

const char *rd_hazards_alone_text(const struct rd_result *result, char text[RD_SENTENCE_SIZE])
{
    bool alone = result->verdict == RD_VIOLATED && result->hazards > 0 && !result->violated;
    for (int k = 0; k < RD_OBLIGATION_COUNT; k++)
        alone = alone && result->obligations[k] != RD_VIOLATED;
    text[0] = '\0';
    if (alone)
        rd_append(text, RD_SENTENCE_SIZE,
                  "VIOLATED for %s alone: nothing that was asserted is violated",
                  result->hazards == 1 ? "a hazard" : "hazards");
    return text;
}

const char *rd_place_text(const struct rd_place *place, const char *variable,
                          char text[RD_SENTENCE_SIZE])
{
    text[0] = '\0';
    rd_append(text, RD_SENTENCE_SIZE, "block %" PRIu64, place->block);
    if (place->warp != RD_WHOLE_BLOCK)
        rd_append(text, RD_SENTENCE_SIZE, ", warp %d", place->warp);
    rd_append(text, RD_SENTENCE_SIZE, ", %s = %" PRIu64, variable, place->variable);
    return text;
}

/* Appends the reason why the type can't hold the sum. */
static void append_overflow(char text[RD_SENTENCE_SIZE], const struct rd_outcome *outcome)
{
    const struct rd_numeric *numeric = outcome->too_narrow;
    rd_append(text, RD_SENTENCE_SIZE, "the sum of all %s is %.9g, and %s holds %s: ", outcome->sum,
              outcome->sum_exact, numeric->name, numeric->range);
    if (numeric->is_float)
        rd_append(text, RD_SENTENCE_SIZE,
                  "it overflows, and nothing is promised of a number made of it");
    else
        rd_append(text, RD_SENTENCE_SIZE,
                  "it wraps, and is right modulo 2^%zu only, not as a number",
                  8 * numeric->size_bytes);
}

/* "; 1 cell is wrong", "; 1 live cell and 2 dead cells are wrong": as many as views mark. */
static void append_counts(char text[RD_SENTENCE_SIZE], const struct rd_violation *violation)
{
    size_t live = violation->kind == RD_VIOLATION_FRAME ? 0 : violation->count;
    size_t dead = violation->dead;
    if (live > 0 && dead > 0)
        rd_append(text, RD_SENTENCE_SIZE, "; %zu live cell%s and %zu dead cell%s are wrong", live,
                  rd_plural(live), dead, rd_plural(dead));
    else if (live > 0)
        rd_append(text, RD_SENTENCE_SIZE, "; %zu cell%s wrong", live, live == 1 ? " is" : "s are");
    else if (dead > 1)
        rd_append(text, RD_SENTENCE_SIZE, "; %zu dead cells are wrong", dead);
}

const char *rd_violation_text(const struct rd_violation *violation,
                              const struct rd_numeric *numeric, char text[RD_SENTENCE_SIZE])
{
    char expected[RD_VALUE_TEXT_SIZE], actual[RD_VALUE_TEXT_SIZE];
    rd_violation_values(violation, numeric, expected, actual);
    const char *array = violation->array ? violation->array : "A";
    unsigned step = violation->step;
    size_t cell = violation->cell;
    char place[RD_SENTENCE_SIZE] = "";
    if (violation->inside) {
        rd_place_text(&violation->place, violation->variable, place);
        memmove(place + 1, place, sizeof place - 1);
        place[0] = ' ';
    }

    text[0] = '\0';
    switch (violation->kind) {
    case RD_VIOLATION_BITS:
        rd_append(text, RD_SENTENCE_SIZE, "step %u,%s%s %s[%zu]: expected %s, actual %s", step,
                  place, *place ? "," : "", array, cell, expected, actual);
        break;
    case RD_VIOLATION_BOUND:
        rd_append(text, RD_SENTENCE_SIZE,
                  "step %u, %s[%zu]: expected %s, actual %s, outside the bound", step, array, cell,
                  expected, actual);
        break;
    case RD_VIOLATION_FRAME:
        rd_append(text, RD_SENTENCE_SIZE,
                  "step %u, dead cell %s[%zu]: expected %s to stay, actual %s", step, array, cell,
                  expected, actual);
        break;
    case RD_VIOLATION_GOAL:
        if (violation->outcome.name) {
            rd_append(text, RD_SENTENCE_SIZE,
                      "goal at step %u: %s = %.9g, and the exact value is %.9g", step,
                      violation->outcome.name, violation->outcome.actual,
                      violation->outcome.deviation.exact);
            if (violation->outcome.too_narrow) {
                rd_append(text, RD_SENTENCE_SIZE, "; ");
                append_overflow(text, &violation->outcome);
            }
            return text;
        }
        rd_append(text, RD_SENTENCE_SIZE, "goal at step %u, %s[%zu]: expected %s, actual %s", step,
                  array, cell, expected, actual);
        break;
    }
    append_counts(text, violation);
    return text;
}

const char *rd_outcome_text(const struct rd_outcome *outcome, char text[RD_SENTENCE_SIZE])
{
    const struct rd_deviation *deviation = &outcome->deviation;
    text[0] = '\0';
    rd_append(text, RD_SENTENCE_SIZE, "%s = %.9g, where the exact value is %.9g: ", outcome->name,
              outcome->actual, deviation->exact);
    if (outcome->too_narrow)
        append_overflow(text, outcome);
    else if (outcome->underflows)
        rd_append(text, RD_SENTENCE_SIZE, "squares underflow, and no bound is promised");
    else
        rd_append(text, RD_SENTENCE_SIZE, "the error is %.3g, the bound allows %.3g",
                  deviation->error, deviation->limit);
    return text;
}

const char *rd_hazard_text(const struct rd_hazard *hazard, char text[RD_SENTENCE_SIZE])
{
    text[0] = '\0';
    rd_append(text, RD_SENTENCE_SIZE, "hazard in round %u: %s: %s", hazard->step, hazard->name,
              hazard->message);
    return text;
}

const char *rd_deviation_text(const struct rd_violation *violation, char text[RD_SENTENCE_SIZE])
{
    const struct rd_deviation *deviation = &violation->deviation;
    text[0] = '\0';
    if (isinf(deviation->exact)) /* the maximum of none, or of infinite values */
        rd_append(text, RD_SENTENCE_SIZE, "the exact value is %g", deviation->exact);
    else if (deviation->exact != 0 || deviation->error != 0 || deviation->limit != 0)
        rd_append(text, RD_SENTENCE_SIZE,
                  "the exact value is %.17g: the error is %.3g, the bound allows %.3g",
                  deviation->exact, deviation->error, deviation->limit);
    return text;
}

/* ---- evidence ---- */

static const char *array_of(const struct rd_evidence *evidence)
{
    return evidence->array ? evidence->array : "A";
}

/* Inputs of which the same is said. */
struct clause {
    size_t index[RD_INPUT_SET_MAX];
    size_t count;
    size_t more;       /* not known by name */
    const char *words; /* "lost" */
};

/* Appends "13 was lost" or "5, 7 and 13 were lost". */
static void append_clause(char text[RD_SENTENCE_SIZE], const struct clause *clause)
{
    for (size_t k = 0; k < clause->count; k++) {
        bool last = k + 1 == clause->count && clause->more == 0;
        rd_append(text, RD_SENTENCE_SIZE, "%s%zu",
                  k == 0 ? ""
                  : last ? " and "
                         : ", ",
                  clause->index[k]);
    }
    if (clause->more > 0)
        rd_append(text, RD_SENTENCE_SIZE, " and %zu more", clause->more);
    rd_append(text, RD_SENTENCE_SIZE, " %s %s", clause->count + clause->more == 1 ? "was" : "were",
              clause->words);
}

enum fate {
    FATE_LOST,
    FATE_SELDOM,
    FATE_SUBTRACTED,
    FATE_TWICE,
    FATE_REPEATED,
    FATE_FOREIGN,
    /* Of one that is to be subtracted. */
    FATE_NOT_SUBTRACTED,
    FATE_SUBTRACTED_SELDOM,
    FATE_SUBTRACTED_OFTEN,
    FATE_ADDED,
    FATE_COUNT
};

/* Tells whether it is known how often the cell should hold the input. */
static bool find_wanted(const struct rd_evidence *evidence, size_t index, int64_t *wanted)
{
    const struct rd_input_set *expected = &evidence->expected;
    *wanted = rd_input_set_times(expected, index);
    return *wanted != 0 || expected->count <= RD_INPUT_SET_MAX ||
           expected->in_runs == expected->count ||
           index <= expected->index[RD_INPUT_SET_MAX - 1]; /* members ascend */
}

/* The fate of a member of evidence->lost. */
static enum fate lost_fate(const struct rd_evidence *evidence, size_t index, int64_t lack)
{
    int64_t wanted;
    if (!find_wanted(evidence, index, &wanted) || wanted == lack)
        return FATE_LOST;
    if (wanted < 0)
        return FATE_SUBTRACTED_OFTEN;
    return wanted > lack ? FATE_SELDOM : FATE_SUBTRACTED;
}

/* The fate of a member of evidence->extra. */
static enum fate extra_fate(const struct rd_evidence *evidence, size_t index, int64_t surplus)
{
    int64_t wanted;
    if (find_wanted(evidence, index, &wanted) && wanted == 0)
        return FATE_FOREIGN;
    if (wanted < 0)
        return wanted + surplus < 0    ? FATE_SUBTRACTED_SELDOM
               : wanted + surplus == 0 ? FATE_NOT_SUBTRACTED
                                       : FATE_ADDED;
    return wanted + surplus == 2 ? FATE_TWICE : FATE_REPEATED;
}

/* Appends "3, 7, ... (and maybe more)". */
static void append_some(char text[RD_SENTENCE_SIZE], const struct rd_input_set *set)
{
    for (size_t k = 0; k < set->count && k < RD_INPUT_SET_MAX; k++)
        rd_append(text, RD_SENTENCE_SIZE, "%s%zu", k == 0 ? "" : ", ", set->index[k]);
    rd_append(text, RD_SENTENCE_SIZE, "%s (and maybe more)",
              set->count > RD_INPUT_SET_MAX ? ", ..." : "");
}

/* How often the cell should hold the inputs, and how often it does, where that is known and the same for all that are named. */
static bool find_counts(const struct rd_evidence *evidence, const struct rd_input_set *set,
                        int sign, int64_t *wanted, int64_t *actual)
{
    for (size_t k = 0; k < set->count && k < RD_INPUT_SET_MAX; k++) {
        int64_t one;
        if (!find_wanted(evidence, set->index[k], &one))
            return false;
        const int64_t held = one + sign * set->times[k];
        if (k > 0 && (one != *wanted || held != *actual))
            return false;
        *wanted = one;
        *actual = held;
    }
    return true;
}

static void append_times(char text[RD_SENTENCE_SIZE], int64_t times)
{
    if (times == 1 || times == 2)
        rd_append(text, RD_SENTENCE_SIZE, "%s", times == 1 ? "once" : "twice");
    else
        rd_append(text, RD_SENTENCE_SIZE, "%lld times", (long long)times);
}

/* "lacks 3, 7", "holds 3, 7 twice each, not once"; sign: -1 of those that the cell holds too seldom, 1 of the others. */
static void append_difference(char text[RD_SENTENCE_SIZE], const struct rd_evidence *evidence,
                              const struct rd_input_set *set, int sign)
{
    int64_t wanted = 0, actual = 0;
    const bool is_known = find_counts(evidence, set, sign, &wanted, &actual);
    if (is_known && wanted > 0 && actual < 0) {
        rd_append(text, RD_SENTENCE_SIZE, "subtracts ");
        append_some(text, set);
        rd_append(text, RD_SENTENCE_SIZE, " ");
        append_times(text, -actual);
        rd_append(text, RD_SENTENCE_SIZE,
                  set->count > 1 ? " each, and should hold each " : ", and should hold it ");
        append_times(text, wanted);
        return;
    }
    if (is_known && wanted != 0 && actual != 0) {
        rd_append(text, RD_SENTENCE_SIZE, "holds ");
        append_some(text, set);
        rd_append(text, RD_SENTENCE_SIZE, " ");
        append_times(text, actual);
        rd_append(text, RD_SENTENCE_SIZE, "%s, not ", set->count > 1 ? " each" : "");
        append_times(text, wanted);
        return;
    }
    rd_append(text, RD_SENTENCE_SIZE, "%s",
              is_known && wanted < 0    ? "does not subtract "
              : sign > 0                ? "holds, wrongly or too often, "
              : is_known && actual == 0 ? "lacks "
                                        : "lacks, subtracts or holds too seldom ");
    append_some(text, set);
}

/* Says which inputs are known to differ where not all were looked for, so that the set in the cell is not known. */
static const char *partial_text(const struct rd_evidence *evidence, char text[RD_SENTENCE_SIZE])
{
    const struct rd_input_set *lost = &evidence->lost, *extra = &evidence->extra;
    char expected[200];
    text[0] = '\0';
    rd_append(text, RD_SENTENCE_SIZE, "%s[%zu] should hold %s", array_of(evidence), evidence->cell,
              rd_input_set_text(&evidence->expected, expected, sizeof expected));
    if (evidence->step > 0)
        rd_append(text, RD_SENTENCE_SIZE, " after round %u", evidence->step);
    rd_append(text, RD_SENTENCE_SIZE, "; it ");
    if (lost->count > 0)
        append_difference(text, evidence, lost, -1);
    if (extra->count > 0) {
        rd_append(text, RD_SENTENCE_SIZE, "%s", lost->count > 0 ? " and " : "");
        append_difference(text, evidence, extra, 1);
    }
    return text;
}

const char *rd_evidence_text(const struct rd_evidence *evidence, enum rd_operation operation,
                             char text[RD_SENTENCE_SIZE])
{
    if (evidence->partial)
        return partial_text(evidence, text);
    struct clause clauses[FATE_COUNT] = {
        [FATE_LOST] = {.words = "lost"},
        [FATE_SELDOM] = {.words = "counted too seldom"},
        [FATE_SUBTRACTED] = {.words = "wrongly subtracted"},
        [FATE_TWICE] = {.words = "counted twice"},
        [FATE_REPEATED] = {.words = "counted too often"},
        [FATE_FOREIGN] = {.words =
                              operation == RD_OPERATION_SUM ? "wrongly added" : "wrongly combined"},
        [FATE_NOT_SUBTRACTED] = {.words = "not subtracted"},
        [FATE_SUBTRACTED_SELDOM] = {.words = "subtracted too seldom"},
        [FATE_SUBTRACTED_OFTEN] = {.words = "subtracted too often"},
        [FATE_ADDED] = {.words = "added instead of subtracted"},
    };
    const struct rd_input_set *lost = &evidence->lost, *extra = &evidence->extra;
    for (size_t k = 0; k < lost->count && k < RD_INPUT_SET_MAX; k++) {
        struct clause *clause = &clauses[lost_fate(evidence, lost->index[k], lost->times[k])];
        clause->index[clause->count++] = lost->index[k];
    }
    for (size_t k = 0; k < extra->count && k < RD_INPUT_SET_MAX; k++) {
        struct clause *clause = &clauses[extra_fate(evidence, extra->index[k], extra->times[k])];
        clause->index[clause->count++] = extra->index[k];
    }
    if (lost->count > RD_INPUT_SET_MAX)
        clauses[lost_fate(evidence, lost->index[RD_INPUT_SET_MAX - 1],
                          lost->times[RD_INPUT_SET_MAX - 1])]
            .more = lost->count - RD_INPUT_SET_MAX;
    if (extra->count > RD_INPUT_SET_MAX)
        clauses[extra_fate(evidence, extra->index[RD_INPUT_SET_MAX - 1],
                           extra->times[RD_INPUT_SET_MAX - 1])]
            .more = extra->count - RD_INPUT_SET_MAX;

    char expected[200], actual[200];
    text[0] = '\0';
    rd_append(text, RD_SENTENCE_SIZE, "%s[%zu] should hold %s; it holds %s", array_of(evidence),
              evidence->cell, rd_input_set_text(&evidence->expected, expected, sizeof expected),
              rd_input_set_text(&evidence->actual, actual, sizeof actual));
    const char *joint = ": ";
    for (int fate = 0; fate < FATE_COUNT; fate++) {
        if (clauses[fate].count == 0)
            continue;
        rd_append(text, RD_SENTENCE_SIZE, "%s", joint);
        append_clause(text, &clauses[fate]);
        joint = " and ";
    }
    if (evidence->step > 0)
        rd_append(text, RD_SENTENCE_SIZE, " in round %u", evidence->step);
    return text;
}
