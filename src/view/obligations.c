// SPDX-License-Identifier: MIT
/* The end of a run in words: its obligations, who looked for hazards, and the violation. */
#include "view/parts.h"
#include "reductio/sources.h"
#include "base/texts.h"
#include "reductio/operation.h"
#include "device/kernel_names.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { INDENT = 4, REASON_COLUMN = 30 };

struct rd_summary rd_summary_of_run(const struct rd_run *run, const struct rd_result *result)
{
    return (struct rd_summary){
        .verdict = result->verdict,
        .interrupted = result->interrupted,
        .program = run->program->name,
        .type = run->numeric->title,
        .device = run->device->ops->name,
        .n = run->n,
        .steps = result->steps,
        .checkpoints = result->checkpoints,
        .blocks = rd_run_blocks(run),
        .cells = result->cells,
        .hazards = result->hazards,
        .schedules = result->n_schedules,
        .hazards_by = result->hazards_by,
        .hazards_n = result->hazards_n,
    };
}

struct rd_summary rd_summary_of_replay(const struct rd_replay *replay,
                                       const struct rd_numeric *numeric)
{
    return (struct rd_summary){
        .verdict = replay->verdict,
        .program = replay->program->name,
        .type = numeric ? numeric->title : replay->type,
        .device = replay->device,
        .n = replay->n,
        .steps = replay->steps,
        .checkpoints = replay->checkpoints,
        .blocks = replay->blocks,
        .cells = replay->cells,
        .hazards = replay->hazards,
        .recorded = true,
        .hazards_by = replay->hazards_by,
        .hazards_n = replay->hazards_n,
        .schedules = replay->n_schedules,
    };
}

static const char *explain_kind(enum rd_violation_kind kind)
{
    switch (kind) {
    case RD_VIOLATION_BITS:
        break;
    case RD_VIOLATION_BOUND:
        return "the float is farther from the exact value than its additions can round";
    case RD_VIOLATION_FRAME:
        return "a dead cell is no part of the claim any more, and a round must leave it alone";
    case RD_VIOLATION_GOAL:
        return "the invariant held and the loop has ended, but the goal is not reached";
    }
    return NULL;
}

void rd_print_violation(const struct rd_paint *paint, const struct rd_run *run,
                        const struct rd_result *result)
{
    char text[RD_SENTENCE_SIZE];
    if (!result->violated)
        return;
    fputc('\n', paint->out);
    if (run->pass == 0 || !result->explained) { /* of witness values, the sets say it better */
        rd_violation_text(&result->violation, run->numeric, text);
        rd_paint_wrap(paint, RD_INK_BAD, 0, text);
    }
    if (explain_kind(result->violation.kind))
        rd_paint_wrap(paint, RD_INK_PLAIN, 0, explain_kind(result->violation.kind));
    if (rd_deviation_text(&result->violation, text)[0] != '\0')
        rd_paint_wrap(paint, RD_INK_PLAIN, 0, text);
    if (result->explained)
        rd_paint_wrap(paint, run->pass > 0 ? RD_INK_BAD : RD_INK_PLAIN, 0,
                      rd_evidence_text(&result->evidence, run->numeric->operation, text));
}

static const char *goal_text(const struct rd_program *program, enum rd_operation operation)
{
    if (program->goal_text)
        return program->goal_text;
    switch (program->goal) {
    case RD_GOAL_SUM:
        return rd_program_has_b(program) ? "A[0] = sum of all a[j]*b[j]" : "A[0] = sum of all a[j]";
    case RD_GOAL_TOTAL:
        if (operation != RD_OPERATION_SUM)
            return "the cells of A come to the sum of all a[j]";
        return rd_program_has_b(program) ? "the cells of A add up to the sum of all a[j]*b[j]"
                                         : "the cells of A add up to the sum of all a[j]";
    case RD_GOAL_INPUT:
        return "A = a, the input again";
    case RD_GOAL_PRODUCT:
        return "A[i] = a[i]*b[i] for all i";
    case RD_GOAL_NONE:
    case RD_GOAL_UNASKED:
        return "nothing is promised";
    case RD_GOAL_LAST:
    case RD_GOAL_RESULT:
        break;
    }
    return "A is what the last step says";
}

/* Says how "=" is asserted of floats in the goal: see rd_assert_goal. */
static const char *goal_how(const struct rd_program *program, const struct rd_numeric *numeric)
{
    static const char *const how[] = {
        [RD_GOAL_SUM] = ", within rounding",
        [RD_GOAL_TOTAL] = ", within rounding",
        [RD_GOAL_RESULT] = ", within rounding",
        [RD_GOAL_INPUT] = ", to the bit",
        [RD_GOAL_PRODUCT] = ", each rounded once",
        [RD_GOAL_NONE] = "",
        [RD_GOAL_UNASKED] = "",
    };
    if (!numeric->rounds)
        return numeric->is_float ? ", to the bit" : "";
    if (program->goal == RD_GOAL_LAST && program->played)
        return ", within rounding";
    if (program->goal == RD_GOAL_LAST)
        return program->bounded ? ", to the bit as documented, and within rounding"
                                : ", to the bit as documented";
    return how[program->goal];
}

static const char *why_not_of_hazards(const struct rd_result *result, enum rd_obligation obligation)
{
    if (result->undefined && obligation == RD_PRESERVATION)
        return "with such a hazard, a round is no function of the array before it";
    return result->undefined ? "nothing follows from a round that is undefined"
                             : "the run has ended at a hazard";
}

/* NULL where that is not the reason: witness values are whole numbers, and what the first step leaves open of them is
 * left to other passes. */
static const char *why_stopped(const struct rd_numeric *numeric, const struct rd_result *result,
                               enum rd_obligation obligation)
{
    if (obligation == RD_PRESERVATION && result->steps > 1)
        return "the run was stopped before all rounds were made";
    if (obligation == RD_INITIALIZATION && result->steps > 0)
        return numeric->is_float || result->unseen != RD_UNSEEN_NOTHING
                   ? NULL
                   : "the run was stopped before all passes were made";
    return "the run was stopped before";
}

/* The reason why nothing is said of an exit: it has no verdict, and the run may hold without. */
#define UNASKED "not asserted: "
static const char unasked[] = UNASKED "no 'ensures' behind the loop says what holds there";

static const char *why_inconclusive(const struct rd_program *program,
                                    const struct rd_numeric *numeric,
                                    const struct rd_result *result, enum rd_obligation obligation,
                                    char text[RD_REASON_SIZE])
{
    const bool of_exit = obligation == RD_EXIT;
    const char *stopped =
        result->interrupted || result->failed ? why_stopped(numeric, result, obligation) : NULL;
    const bool is_first = obligation == RD_INITIALIZATION; /* no step before it was false */
    if (result->violated && !(is_first && *result->undefined_by))
        return "nothing follows from a false invariant";
    if (result->missing)
        return "not all checkpoints were come to";
    if (result->hazards && (result->undefined || !stopped))
        return why_not_of_hazards(result, obligation);
    if (stopped)
        return stopped;
    if (of_exit && program->goal == RD_GOAL_UNASKED)
        return unasked;
    if (*result->undefined_by) {
        snprintf(text, RD_REASON_SIZE, "so it was in this run, with the %s", result->undefined_by);
        return text;
    }
    if (result->truncated)
        return "not all checkpoints were kept: name fewer --blocks";
    if (result->unseen == RD_UNSEEN_INPUTS)
        return "its inputs are not known";
    if (result->unseen == RD_UNSEEN_CELLS)
        return of_exit ? "nothing follows from what is not decided"
                       : "cells that were cut out can't be asserted again";
    if (of_exit && result->outcome.too_narrow)
        return "a sum is too large for its type";
    if (of_exit && result->outcome.underflows)
        return "squares underflow, and no bound is promised";
    if (of_exit && result->obligations[RD_PRESERVATION] != RD_HOLDS)
        return "nothing follows from what is not decided";
    if (of_exit && result->outcome.many_roundings)
        return "so many roundings may change a product by as much as it is, and no bound is "
               "promised";
    if (numeric->operation == RD_OPERATION_PRODUCT)
        return "some of its factors may have a product too large or too small for a normal float, "
               "and no "
               "bound is promised";
    if (of_exit && program->played)
        return "not decided: the reason stands below";
    return numeric->is_float    ? "no bound is promised of infinite values and NaNs"
           : result->cells == 0 ? "none of it was asserted"
                                : "not all of it was asserted";
}

/* The words on initialization and preservation. */
struct words {
    const char *begins, *begins_not;
    const char *kept, *each_kept;
    const char *broken, *broken_in; /* broken_in: a format of the round's number */
};

static const struct words program_words = {
    "the invariant is true before the first round",
    "the invariant is false before the first round",
    "the round keeps it",
    "each round keeps it",
    "a round does not keep it",
    "round %u does not keep it",
};

/* In a user's file the law is seen at each evaluation of the condition, which a `do` has behind its first round. Whether each round
 * keeps it, from any array of which it is true, is a question of `prove`. */
static const struct words file_words = {
    "the invariant is true at the first evaluation",
    "the invariant is false at the first evaluation",
    "it is true after the round",
    "it is true after each round",
    "it is false after a round",
    "it is false after round %u",
};

static const char *why_so(const struct words *words, const struct rd_result *result,
                          enum rd_obligation obligation, char text[RD_REASON_SIZE])
{
    const bool holds = result->obligations[obligation] == RD_HOLDS;
    if (obligation == RD_INITIALIZATION)
        return holds ? words->begins : words->begins_not;
    if (!holds && result->violation.step == 0) /* of the first step that is wrong */
        return words->broken;
    if (!holds) {
        snprintf(text, RD_REASON_SIZE, words->broken_in, result->violation.step);
        return text;
    }
    return result->steps <= 1   ? "there is no round to make"
           : result->steps == 2 ? words->kept
                                : words->each_kept;
}

const char *rd_obligation_reason(const struct rd_program *program, const struct rd_numeric *numeric,
                                 const struct rd_result *result, enum rd_obligation obligation,
                                 char text[RD_REASON_SIZE])
{
    enum rd_verdict verdict = result->obligations[obligation];
    if (verdict == RD_INCONCLUSIVE)
        return why_inconclusive(program, numeric, result, obligation, text);
    if (obligation != RD_EXIT)
        return why_so(program->played ? &file_words : &program_words, result, obligation, text);
    char goal[RD_REASON_SIZE], width[40] = "";
    const char *how = goal_how(program, numeric);
    const double limit = result->outcome.deviation.limit;
    if (strstr(how, "within rounding") && !result->outcome.name && limit > 0 && isfinite(limit))
        snprintf(width, sizeof width, " (bound %.2g)", limit);
    if (program->goal_words) {
        snprintf(goal, sizeof goal, "%s", program->goal_words);
    } else {
        snprintf(goal, sizeof goal, "%s", goal_text(program, numeric->operation));
        rd_operation_in_words(numeric->operation, goal, sizeof goal);
    }
    snprintf(text, RD_REASON_SIZE, "the loop has ended, %s %s%s%s",
             verdict == RD_HOLDS ? "and" : "but not", goal, how, width);
    return text;
}

const char *rd_obligation_unasked(const char *reason)
{
    return reason == unasked ? reason + strlen(UNASKED) : NULL;
}

const char *rd_rerun_text(struct rd_history *history, char text[RD_RERUN_TEXT_SIZE])
{
    const struct rd_history_about *about = rd_history_about(history);
    const char *source = about->live ? "run" : "trace";
    struct rd_rerun rerun;
    text[0] = '\0';
    if (rd_history_rerun(history, &rerun, NULL) != RD_OK || !rerun.differs)
        return text; /* what can't be made again has nothing to be told of */
    int length = snprintf(text, RD_RERUN_TEXT_SIZE,
                          "the accesses, trees and sets are those of a re-run in the "
                          "simulator, which differs from the %s at step %u",
                          source, rerun.step);
    if (!rerun.has_cell)
        return text;
    char was[RD_VALUE_TEXT_SIZE], is[RD_VALUE_TEXT_SIZE];
    rd_cell_text(about->numeric, about->a, about->n_a, rerun.was, was);
    rd_cell_text(about->numeric, about->a, about->n_a, rerun.is, is);
    length += snprintf(text + length, RD_RERUN_TEXT_SIZE - (size_t)length, " in %s[%zu]",
                       rd_history_frame(history, rerun.frame)->array, rerun.cell);
    if (!about->witness)
        snprintf(text + length, RD_RERUN_TEXT_SIZE - (size_t)length,
                 ": %s in the %s, %s in the re-run", was, source, is);
    return text;
}

const char *rd_standing_text(const struct rd_standing *standing, char text[RD_STANDING_TEXT_SIZE])
{
    const char *name = rd_verdict_name(standing->verdict);
    if (standing->decided == RD_DECIDED_NOT)
        snprintf(text, RD_STANDING_TEXT_SIZE, "open");
    else if (standing->decided == RD_DECIDED_SO_FAR)
        snprintf(text, RD_STANDING_TEXT_SIZE, "%s so far", name);
    else if (standing->round > 0)
        snprintf(text, RD_STANDING_TEXT_SIZE, "%s in round %u", name, standing->round);
    else
        snprintf(text, RD_STANDING_TEXT_SIZE, "%s", name);
    return text;
}

void rd_print_obligations(const struct rd_paint *paint, const struct rd_run *run,
                          const struct rd_result *result)
{
    fputc('\n', paint->out);
    for (int obligation = 0; obligation < RD_OBLIGATION_COUNT; obligation++) {
        enum rd_verdict verdict = result->obligations[obligation];
        char text[RD_REASON_SIZE];
        fprintf(paint->out, "%-14s  ", rd_obligation_name((enum rd_obligation)obligation));
        const char *reason = rd_obligation_reason(run->program, run->numeric, result,
                                                  (enum rd_obligation)obligation, text);
        const char *unasked_for = rd_obligation_unasked(reason);
        if (unasked_for) {
            fputs(RD_NOT_ASSERTED, paint->out);
            reason = unasked_for;
        } else {
            rd_paint_print(paint, rd_paint_verdict(verdict), "%-12s", rd_verdict_name(verdict));
        }
        fputc(' ', paint->out);
        rd_paint_flow(paint, RD_INK_PLAIN, REASON_COLUMN - 1,
                      paint->width < 2 * REASON_COLUMN ? INDENT : REASON_COLUMN, reason);
        fputc('\n', paint->out);
    }
    char text[RD_SENTENCE_SIZE];
    if (result->outcome.name)
        rd_paint_wrap(paint, RD_INK_PLAIN, 0, rd_outcome_text(&result->outcome, text));
    if (*rd_hazards_alone_text(result, text))
        rd_paint_wrap(paint, RD_INK_BAD, 0, text);
    if (rd_program_is_fault(run->program)) {
        const bool is_other = run->numeric->operation != run->program->operation;
        const char *unseen = result->verdict != RD_HOLDS ? ""
                             : is_other
                                 ? "The fault does not show with this operation on these values. "
                                 : "The fault does not show in this run. ";
        snprintf(text, sizeof text, "%sWhat is wrong, and where: reductio explain %s", unseen,
                 run->program->name);
        rd_paint_wrap(paint, RD_INK_PLAIN, 0, text);
    }
}

void rd_print_schedules(const struct rd_paint *paint, const struct rd_result *result)
{
    char text[RD_SENTENCE_SIZE];
    if (*result->accepted) {
        snprintf(text, sizeof text, "Depends on the schedule, as it may: %s", result->accepted);
        rd_paint_wrap(paint, RD_INK_PLAIN, 0, text);
    }
    if (*result->untried) {
        snprintf(text, sizeof text, "Tried under %u schedule%s only: %s", result->n_schedules,
                 rd_plural(result->n_schedules), result->untried);
        rd_paint_wrap(paint, RD_INK_PLAIN, 0, text);
    }
}

void rd_print_looked(const struct rd_paint *paint, const struct rd_run *run,
                     const struct rd_result *result)
{
    char text[RD_SENTENCE_SIZE];
    enum rd_ink ink = rd_hazards_looked_for(result->hazards_by) ? RD_INK_PLAIN : RD_INK_DOUBT;
    if (rd_looked_text(result, run->n, text)[0] != '\0')
        rd_paint_wrap(paint, ink, 0, text);
}
