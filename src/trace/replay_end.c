// SPDX-License-Identifier: MIT
/* The end of a replayed trace: what its last record says, and the verdict of all records. */
#include "trace/replayer.h"
#include "reductio/hazards.h"

#include <string.h>

/* ---- the last record ---- */

/* The sums of the last record must be those of the records before it. */
static void check_totals(struct rd_replayer *replayer, const struct rd_trace_result *said)
{
    const struct rd_replay *result = &replayer->result;
    if (said->checkpoints != result->checkpoints)
        rd_replay_contradict(
            replayer, "the last record counts %llu checkpoints, and there are %llu",
            (unsigned long long)said->checkpoints, (unsigned long long)result->checkpoints);
    if (said->steps != result->steps || said->cells != result->cells ||
        said->hazards != result->hazards)
        rd_replay_contradict(
            replayer,
            "the last record counts %u steps, %llu cells and %u hazards, and there are %u, "
            "%llu and %u",
            said->steps, (unsigned long long)said->cells, said->hazards, result->steps,
            (unsigned long long)result->cells, result->hazards);
    if (!rd_replay_can_assert(replayer))
        return;
    if (said->violated != result->violated ||
        (said->violated &&
         !rd_replay_same_violation(&replayer->expect, &said->violation, &result->violation)))
        rd_replay_contradict(replayer, "the last record tells another violation than the cells do");
    for (int k = 0; k < RD_OBLIGATION_COUNT; k++)
        if (said->obligations[k] != replayer->obligations[k])
            rd_replay_contradict(replayer, "the trace says %s of %s, and its cells say %s",
                                 rd_verdict_name(said->obligations[k]), rd_obligation_name(k),
                                 rd_verdict_name(replayer->obligations[k]));
}

/* Decides preservation by the checkpoints of a round that did not end. */
static void end_preservation(struct rd_replayer *replayer)
{
    enum rd_verdict *preservation = &replayer->obligations[RD_PRESERVATION];
    if (!replayer->in_round || replayer->inside_count == 0)
        return;
    enum rd_verdict told =
        rd_verdict_of_round(replayer->held, replayer->undefined, replayer->inside);
    *preservation = replayer->next_step <= 1 ? told : rd_verdict_worst(*preservation, told);
}

/* Withdraws the goal of a run that lost checkpoints or was stopped: it asserted none. */
static void drop_goal(struct rd_replayer *replayer, bool truncated)
{
    struct rd_replay *result = &replayer->result;
    replayer->truncated |= truncated;
    replayer->obligations[RD_EXIT] = RD_INCONCLUSIVE;
    result->outcome = (struct rd_outcome){0};
    if (result->violation.kind == RD_VIOLATION_GOAL)
        result->violated = false;
}

static size_t count_passes(const struct rd_replayer *replayer)
{
    return replayer->run.passes ? replayer->run.passes : 1;
}

static void leave_rest_open(struct rd_replayer *replayer)
{
    rd_obligations_leave_open(replayer->obligations, replayer->next_step > replayer->rounds,
                              replayer->pass >= count_passes(replayer));
}

/* The number that the program ends with: older versions did not write it, and an interruption may
 * have come before it. */
static void check_outcome(struct rd_replayer *replayer, const struct rd_trace_result *said)
{
    const struct rd_replay *result = &replayer->result;
    const struct rd_outcome *outcome = &result->outcome;
    if (!rd_replay_can_assert(replayer))
        return;
    if (!said->outcome_name) {
        if (outcome->name && replayer->reader.minor >= RD_TRACE_MINOR_OUTCOME &&
            !result->interrupted)
            rd_replay_contradict(replayer,
                                 "the last record has no outcome, and the cells give %s = %.17g",
                                 outcome->name, outcome->actual);
    } else if (!outcome->name) {
        rd_replay_contradict(
            replayer, "the last record says %.40s = %.17g, and the cells give no such number",
            said->outcome_name, said->outcome);
    } else if (strcmp(said->outcome_name, outcome->name) != 0 ||
               !rd_trace_same_outcome(said->outcome, outcome->actual)) {
        rd_replay_contradict(replayer,
                             "the last record says %.40s = %.17g, and the cells give %s = %.17g",
                             said->outcome_name, said->outcome, outcome->name, outcome->actual);
    } else if (rd_replay_other_limit(&said->deviation, &outcome->deviation)) {
        rd_replay_contradict(
            replayer, "the last record says that %s may be off by %.17g, and it may by %.17g",
            outcome->name, said->deviation.limit, outcome->deviation.limit);
    } else if (!rd_replay_same_deviation(&said->deviation, &outcome->deviation)) {
        rd_replay_contradict(replayer,
                             "the last record says that %s is off by %.17g from %.17g, "
                             "and it is off by %.17g from %.17g",
                             outcome->name, said->deviation.error, said->deviation.exact,
                             outcome->deviation.error, outcome->deviation.exact);
    }
}

static const char *const looked_by[] = {
    [RD_HAZARDS_BY_SIM] = "the simulator",
    [RD_HAZARDS_BY_NOBODY] = "nobody",
    [RD_HAZARDS_BY_SANITIZER] = "compute-sanitizer",
    [RD_HAZARDS_BY_LAUNCH] = "the launch's own run",
};

/* The simulator beside the device runs the same program, at the same size or a smaller one. */
static void check_size_of_search(struct rd_replayer *replayer, const struct rd_trace_result *said)
{
    const struct rd_trace_run *run = &replayer->run;
    struct rd_shape shape = run->shape;
    shape.n = said->hazards_n;
    if (said->hazards_n > run->n)
        rd_replay_contradict(replayer,
                             "the last record says that the simulator had run n = %zu beside a run "
                             "of n = %zu",
                             said->hazards_n, run->n);
    else if (said->hazards_n > 0 && shape.grid == 0 && run->program &&
             rd_program_accept(run->program, &shape, NULL) != RD_OK)
        rd_replay_contradict(replayer,
                             "the last record says that the simulator had run n = %zu, which the "
                             "program does not take",
                             said->hazards_n);
}

/* Checks what the last record says of the search for hazards. No other record tells of it, but it must agree with the
 * device, with the search that the run asked for, and with itself. */
static void check_who_looked(struct rd_replayer *replayer, const struct rd_trace_result *said)
{
    const struct rd_trace_run *run = &replayer->run;
    const bool by_sanitizer = said->hazards_by == RD_HAZARDS_BY_SANITIZER;
    const bool by_nobody = !rd_hazards_looked_for(said->hazards_by) && !said->unlooked;
    if (run->simulated && by_sanitizer)
        rd_replay_contradict(replayer, "the last record says that compute-sanitizer had looked for "
                                       "hazards of a run in the simulator");
    if (run->simulated && said->hazards_n > 0)
        rd_replay_contradict(replayer, "the last record says that the simulator had accompanied a "
                                       "run in the simulator");
    check_size_of_search(replayer, said);
    if (replayer->reader.minor >= RD_TRACE_MINOR_HAZARDS_BY &&
        said->hazards_by != run->hazards_by &&
        (run->hazards_by != RD_HAZARDS_BY_SIM || said->hazards_by == RD_HAZARDS_BY_LAUNCH))
        rd_replay_contradict(replayer,
                             "the last record says that %s had looked for hazards, and %s was to",
                             looked_by[said->hazards_by], looked_by[run->hazards_by]);
    if (said->n_schedules > RD_SCHEDULES_MAX)
        rd_replay_contradict(replayer,
                             "the last record says %u schedules, and at most %d are tried",
                             said->n_schedules, RD_SCHEDULES_MAX);
    if (by_sanitizer && said->hazards_n > 0)
        rd_replay_contradict(replayer,
                             "the last record says n = %zu, and compute-sanitizer looks at the run "
                             "itself",
                             said->hazards_n);
    if (by_sanitizer && said->n_schedules > 0)
        rd_replay_contradict(replayer,
                             "the last record says %u schedules, and compute-sanitizer tries none",
                             said->n_schedules);
    if (by_nobody && said->hazards_n > 0)
        rd_replay_contradict(replayer, "the last record says n = %zu, and no device had looked",
                             said->hazards_n);
    if (by_nobody && said->n_schedules > run->simulated)
        rd_replay_contradict(replayer,
                             "the last record says %u schedules, and no device had looked",
                             said->n_schedules);
}

enum rd_status rd_replay_last(struct rd_replayer *replayer)
{
    struct rd_trace_result said;
    struct rd_replay *result = &replayer->result;
    enum rd_status status =
        rd_trace_read_result(&replayer->reader, &replayer->run, &said, replayer->error);
    if (status != RD_OK)
        return status;
    result->complete = true;
    result->interrupted = replayer->reader.kind == RD_RECORD_INTERRUPTED;
    result->recorded = said.verdict;
    result->truncated = said.truncated;
    result->hazards_by = said.hazards_by;
    result->hazards_n = said.hazards_n;
    result->n_schedules = said.n_schedules;
    check_who_looked(replayer, &said);
    if (said.unlooked)
        snprintf(replayer->unlooked, sizeof replayer->unlooked,
                 "hazards were not looked for: %.120s", said.unlooked);
    if (replayer->unsaid[0] && !said.truncated)
        rd_replay_contradict(replayer, "%s", replayer->unsaid);
    if (said.truncated && !replayer->missing[0])
        rd_replay_contradict(replayer, "the last record says that checkpoints were lost, and none "
                                       "is missing");
    if (said.truncated || result->interrupted)
        drop_goal(replayer, said.truncated);
    end_preservation(replayer);
    if (result->interrupted && replayer->reader.minor >= RD_TRACE_MINOR_SO_FAR)
        leave_rest_open(replayer);
    if (replayer->wants_step && !replayer->lost && !result->interrupted)
        rd_replay_contradict(replayer, "round %u has a hazard, and no step behind it",
                             replayer->next_step);
    if (replayer->undefined) /* by a round that has no step */
        rd_verdict_leave_open(&replayer->obligations[RD_PRESERVATION]);
    if (*result->undefined_by)
        rd_obligations_doubt(replayer->obligations);
    check_totals(replayer, &said);
    check_outcome(replayer, &said);
    rd_replay_check_evidence(replayer, &said);
    return RD_OK;
}

/* ---- the verdict ---- */

static enum rd_verdict worst_obligation(const struct rd_replayer *replayer)
{
    enum rd_verdict worst = RD_HOLDS;
    for (int k = 0; k < RD_OBLIGATION_COUNT; k++) {
        const bool is_asked = k != RD_EXIT || replayer->program->goal != RD_GOAL_UNASKED;
        worst = is_asked ? rd_verdict_worst(worst, replayer->obligations[k]) : worst;
    }
    return worst;
}

static const char *why_it_ends(const struct rd_replayer *replayer)
{
    if (replayer->result.interrupted)
        return "the run was interrupted";
    return replayer->reader.cut ? "its last line is cut" : "it has no last record";
}

static const char undefined[] = "a hazard had left memory to chance";

/* Derives the verdict from the steps, without the last record; sets *why where they do not suffice. */
static enum rd_verdict derive_verdict(const struct rd_replayer *replayer, const char **why)
{
    const struct rd_replay *result = &replayer->result;
    if (result->violated || replayer->hazard_verdict == RD_VIOLATED)
        return RD_VIOLATED;
    if (!rd_replay_can_assert(replayer)) {
        *why = replayer->inputs.reason.text;
        return RD_INCONCLUSIVE;
    }
    if (!result->complete || result->interrupted)
        *why = why_it_ends(replayer);
    else if (replayer->truncated)
        *why = "not all checkpoints were kept";
    else if (replayer->missing[0])
        *why = replayer->missing;
    else if (*replayer->unlooked)
        *why = replayer->unlooked;
    else if (*result->undefined_by)
        *why = undefined;
    else if (worst_obligation(replayer) != RD_HOLDS)
        *why = "a step or the goal is INCONCLUSIVE";
    else if (replayer->pass < count_passes(replayer))
        *why = "passes are missing";
    return *why ? RD_INCONCLUSIVE : RD_HOLDS;
}

static const char cut_out[] =
    "cells were cut out of its states, and can't be asserted again: '--trace-cells all' keeps them";

/* The run has seen the cells that were cut out of checkpoints, and sums in any order: the trace alone can't say what
 * they were. */
static void leave_unseen_open(struct rd_replayer *replayer, const char **why)
{
    struct rd_replay *result = &replayer->result;
    if (!rd_replay_can_assert(replayer))
        result->unseen = RD_UNSEEN_INPUTS;
    else if (replayer->unseen_cells)
        result->unseen = RD_UNSEEN_CELLS;
    if (result->unseen != RD_UNSEEN_CELLS)
        return;
    rd_verdict_leave_open(&result->obligations[RD_PRESERVATION]);
    if (result->obligations[RD_PRESERVATION] == RD_INCONCLUSIVE)
        rd_verdict_leave_open(&result->obligations[RD_EXIT]);
    if (result->verdict == RD_HOLDS) {
        result->verdict = RD_INCONCLUSIVE;
        *why = cut_out;
    }
}

void rd_replay_conclude(struct rd_replayer *replayer)
{
    struct rd_replay *result = &replayer->result;
    const char *why = NULL;
    if (!result->complete || result->interrupted)
        leave_rest_open(replayer);
    result->verdict = derive_verdict(replayer, &why);
    if (!why && !rd_replay_can_assert(replayer))
        why = replayer->inputs.reason.text;
    else if (!why && (!result->complete || result->interrupted))
        why = why_it_ends(replayer);
    memcpy(result->obligations, replayer->obligations, sizeof result->obligations);
    if (result->complete && rd_replay_can_assert(replayer) && !replayer->unknown &&
        result->recorded != result->verdict)
        rd_replay_contradict(replayer, "the trace says %s, and its records say %s",
                             rd_verdict_name(result->recorded), rd_verdict_name(result->verdict));
    leave_unseen_open(replayer, &why);
    if (replayer->contradicted)
        result->verdict = RD_VIOLATED;
    else if (why && result->steps == 0)
        snprintf(result->reason, sizeof result->reason, "%.400s; no step was recorded", why);
    else if (why == undefined)
        snprintf(result->reason, sizeof result->reason,
                 "it holds as that run went; whether another, with the %.250s, ends otherwise was "
                 "not looked at",
                 result->undefined_by);
    else if (why == replayer->missing || why == cut_out)
        snprintf(result->reason, sizeof result->reason, "%.500s", why);
    else if (why)
        snprintf(result->reason, sizeof result->reason,
                 "%.400s; the trace ends after step %u of %u", why, result->steps - 1,
                 replayer->rounds);
}
