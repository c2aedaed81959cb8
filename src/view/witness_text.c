// SPDX-License-Identifier: MIT
/* Verdicts on witness values in words. */
#include "base/sized.h"
#include "reductio/operation.h"
#include "reductio/witness.h"
#include "reductio/text.h"
#include "view/parts.h"
#include "element/operation_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *plural(size_t count)
{
    return count == 1 ? "" : "es";
}

enum { CONDITION_SIZE = 40 };

/* Writes the condition on the kernel under which the verdict holds. */
static const char *write_condition(const struct rd_run *run, char text[CONDITION_SIZE])
{
    if (run->numeric->operation != RD_OPERATION_SUM)
        snprintf(text, CONDITION_SIZE, "combines by %s",
                 rd_operation_name(run->numeric->operation));
    else
        snprintf(text, CONDITION_SIZE, "%s",
                 rd_program_has_b(run->program) ? "multiplies a by b and adds" : "adds");
    return text;
}

/* Names the counts that witness values can't tell apart: min of an input with itself is that input again. */
static const char *not_told(enum rd_operation operation)
{
    switch (rd_operation_row(operation)->counts) {
    case RD_COUNTS_EACH:
        return "";
    case RD_COUNTS_ODD:
        return ", each input odd or even times";
    case RD_COUNTS_ONCE:
        break;
    }
    return ", each input there or not";
}

/* Writes the claim with its scope and its premise: that the kernel meets the condition is not proved. */
static void write_claim(const struct rd_run *run, const struct rd_premise *premise,
                        char text[RD_SENTENCE_SIZE])
{
    const char *what = rd_program_has_b(run->program) ? "a and b" : "input";
    char condition[CONDITION_SIZE];
    const char *same = premise->has_comparisons ? "the same accesses and comparisons"
                                                : "the same accesses, and branches not looked at";
    int length = snprintf(
        text, RD_SENTENCE_SIZE,
        "HOLDS for every %s of n=%zu provided that the kernel only %s (witness, %zu pass%s%s; "
        "%u on other values in u64 and i32",
        what, run->n, write_condition(run, condition), run->passes, plural(run->passes),
        not_told(run->numeric->operation), premise->passes);
    if (premise->n_compared > 0)
        snprintf(text + length, RD_SENTENCE_SIZE - (size_t)length, ", %u of them compared: %s)",
                 premise->n_compared, same);
    else
        snprintf(text + length, RD_SENTENCE_SIZE - (size_t)length, ", accesses not compared)");
}

/* All passes hold, and yet nothing is claimed of other inputs. */
static void write_open_claim(const struct rd_run *run, const struct rd_premise *premise,
                             char text[RD_SENTENCE_SIZE])
{
    char condition[CONDITION_SIZE];
    int length =
        snprintf(text, RD_SENTENCE_SIZE,
                 "INCONCLUSIVE for n=%zu: HOLDS for the inputs tried (witness, %zu pass%s%s; "
                 "%u on other values in u64 and i32), ",
                 run->n, run->passes, plural(run->passes), not_told(run->numeric->operation),
                 premise->passes);
    if (*premise->dependence)
        snprintf(text + length, RD_SENTENCE_SIZE - (size_t)length,
                 "and what the kernel does depends on values: %s", premise->dependence);
    else
        snprintf(text + length, RD_SENTENCE_SIZE - (size_t)length,
                 "and that the kernel only %s was not tested", write_condition(run, condition));
}

/* The other input of the pass under way. */
static const char *with_ones(const struct rd_run *run)
{
    const struct rd_shape shape = rd_run_shape(run);
    struct rd_witness_plan plan;
    rd_witness_plan(run->program, &shape, run->numeric->operation, &plan);
    return !rd_program_has_b(run->program) ? ""
           : run->pass <= plan.passes_a    ? " with b = 1"
                                           : " with a = 1";
}

const char *rd_witness_text(const struct rd_run *run, const struct rd_result *result,
                            char text[RD_SENTENCE_SIZE])
{
    const struct rd_premise *premise = &result->premise;
    const char *verdict = result->interrupted ? "INTERRUPTED" : rd_verdict_name(result->verdict);
    const char *scope =
        result->verdict == RD_VIOLATED && !result->interrupted ? "some input of " : "";
    bool all_hold = result->obligations[RD_EXIT] == RD_HOLDS && result->hazards == 0 &&
                    !result->truncated && !result->interrupted && !premise->numeric;
    if (all_hold && result->verdict == RD_HOLDS)
        write_claim(run, premise, text);
    else if (all_hold && result->verdict == RD_INCONCLUSIVE)
        write_open_claim(run, premise, text);
    else if (premise->numeric)
        snprintf(text, RD_SENTENCE_SIZE,
                 "%s for %sn=%zu (%s, values %s; witness values alone do not show it)", verdict,
                 scope, run->n, premise->numeric->name, premise->values);
    else
        snprintf(text, RD_SENTENCE_SIZE, "%s for %sn=%zu%s (witness, pass %zu of %zu)", verdict,
                 scope, run->n, with_ones(run), run->pass, run->passes);
    if (!rd_hazards_looked_for(result->hazards_by))
        snprintf(text + strlen(text), RD_SENTENCE_SIZE - strlen(text), "; hazards not looked for");
    return text;
}
