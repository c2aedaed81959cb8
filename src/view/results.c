// SPDX-License-Identifier: MIT
#include "view/results.h"
#include "base/array.h"
#include "base/exit_status.h"
#include "device/kernel_names.h"
#include "reductio/hazards.h"
#include "reductio/operation.h"
#include "reductio/sources.h"
#include "reductio/summary.h"
#include "view/parts.h"

#include <stdlib.h>
#include <string.h>

/* ---- filling ---- */

const char *const rd_format_names[] = {
#define NAME_OF(name, NAME) #name,
    RD_FORMATS(NAME_OF) NULL,
};

static const struct {
    const char *name;
    int status;
} endings[RD_ENDING_COUNT] = {
    [RD_ENDING_HOLDS] = {"HOLDS", RD_EXIT_HOLDS},
    [RD_ENDING_NO_HAZARD] = {"NO_HAZARD", RD_EXIT_HOLDS},
    [RD_ENDING_INCONCLUSIVE] = {"INCONCLUSIVE", RD_EXIT_INCONCLUSIVE},
    [RD_ENDING_VIOLATED] = {"VIOLATED", RD_EXIT_VIOLATED},
    [RD_ENDING_INTERRUPTED] = {"INTERRUPTED", RD_EXIT_INTERRUPTED},
    [RD_ENDING_FAILED] = {"FAILED", RD_EXIT_FAILED},
};

const char *rd_ending_name(enum rd_ending ending)
{
    return endings[ending].name;
}

int rd_ending_status(enum rd_ending ending)
{
    return endings[ending].status;
}

const char *rd_tested_name(enum rd_tested state)
{
    static const char *const names[RD_TESTED_COUNT] = {
        [RD_TESTED_HOLDS] = "HOLDS",
        [RD_TESTED_SKIPPED] = "SKIPPED",
        [RD_TESTED_OPEN] = "OPEN",
        [RD_TESTED_VIOLATED] = "VIOLATED",
    };
    return names[state];
}

void rd_results_init(struct rd_results *results, const char *command)
{
    *results = (struct rd_results){.command = command};
}

void rd_results_finish(struct rd_results *results)
{
    for (size_t k = 0; k < results->n_subjects; k++) {
        struct rd_subject *subject = &results->subjects[k];
        for (size_t h = 0; h < subject->n_hazards; h++)
            free((void *)subject->hazards[h].schedules);
        free(subject->violations);
        free(subject->hazards);
    }
    free(results->subjects);
    rd_texts_finish(&results->texts);
}

/* ---- filling ---- */

struct rd_subject *rd_results_add(struct rd_results *results, const char *kind, const char *name)
{
    if (!rd_array_make_room(&results->subjects, results->n_subjects, &results->capacity,
                            sizeof *results->subjects)) {
        results->failed = true;
        return NULL;
    }
    struct rd_subject *subject = &results->subjects[results->n_subjects++];
    *subject = (struct rd_subject){
        .kind = kind, .name = rd_texts_keep(&results->texts, name), .summary = ""};
    return subject;
}

static void add_fact(struct rd_subject *subject, struct rd_results_fact fact)
{
    if (subject && subject->n_facts < RD_RESULTS_FACTS_MAX)
        subject->facts[subject->n_facts++] = fact;
}

void rd_subject_add_number(struct rd_subject *subject, const char *name, uint64_t number)
{
    add_fact(subject, (struct rd_results_fact){.name = name, .number = number});
}

void rd_subject_add_text(struct rd_results *results, struct rd_subject *subject, const char *name,
                         const char *text)
{
    if (text)
        add_fact(subject, (struct rd_results_fact){.name = name,
                                                   .text = rd_texts_keep(&results->texts, text)});
}

void rd_subject_add_test(struct rd_results *results, struct rd_subject *subject, const char *name,
                         enum rd_tested state, const char *message)
{
    if (state != RD_TESTED_HOLDS && (!message || !*message))
        message = "nothing more is known";
    if (subject && subject->n_tests < RD_RESULTS_TESTS_MAX)
        subject->tests[subject->n_tests++] = (struct rd_results_test){
            name, state, rd_texts_keep(&results->texts, message ? message : "")};
}

void rd_subject_add_unlooked(struct rd_results *results, struct rd_subject *subject,
                             const char *what)
{
    if (subject && subject->n_unlooked < RD_RESULTS_UNLOOKED_MAX)
        subject->unlooked[subject->n_unlooked++] = rd_texts_keep(&results->texts, what);
}

void rd_subject_set_not_contained(struct rd_results *results, struct rd_subject *subject,
                                  const char *what)
{
    if (subject && what && *what)
        subject->not_contained = rd_texts_keep(&results->texts, what);
}

void rd_subject_add_violation(struct rd_results *results, struct rd_subject *subject,
                              const struct rd_results_violation *violation)
{
    if (!subject)
        return;
    if (rd_array_make_room(&subject->violations, subject->n_violations,
                           &subject->violations_capacity, sizeof *violation))
        subject->violations[subject->n_violations++] = *violation;
    else
        results->failed = true;
}

void rd_subject_add_hazard(struct rd_results *results, struct rd_subject *subject,
                           const struct rd_results_hazard *hazard)
{
    if (!subject)
        return;
    if (rd_array_make_room(&subject->hazards, subject->n_hazards, &subject->hazards_capacity,
                           sizeof *hazard))
        subject->hazards[subject->n_hazards++] = *hazard;
    else
        results->failed = true;
}

static size_t count_of(const struct rd_subject *subject, enum rd_tested state)
{
    size_t count = 0;
    for (size_t k = 0; k < subject->n_tests; k++)
        count += subject->tests[k].state == state;
    return count;
}

void rd_subject_settle(struct rd_results *results, struct rd_subject *subject, const char *why)
{
    if (!subject || subject->ending <= RD_ENDING_NO_HAZARD)
        return;
    enum rd_tested due =
        subject->ending == RD_ENDING_VIOLATED ? RD_TESTED_VIOLATED : RD_TESTED_OPEN;
    if (count_of(subject, due) == 0)
        rd_subject_add_test(results, subject, RD_TEST_OF_VERDICT, due, why);
}

/* A subject of which no more is known. */
static void add_undone(struct rd_results *results, const char *kind, const char *name,
                       enum rd_ending ending, const char *why)
{
    struct rd_subject *subject = rd_results_add(results, kind, name);
    if (!subject)
        return;
    subject->ending = ending;
    subject->error = ending == RD_ENDING_FAILED ? rd_texts_keep(&results->texts, why) : NULL;
    subject->summary =
        rd_texts_format(&results->texts, "%s %s: %s", rd_ending_name(ending), name, why);
    rd_subject_settle(results, subject, why);
}

void rd_results_add_failure(struct rd_results *results, const char *kind, const char *name,
                            const char *error)
{
    add_undone(results, kind, name, RD_ENDING_FAILED, error);
}

void rd_results_add_interruption(struct rd_results *results, const char *kind, const char *name)
{
    add_undone(results, kind, name, RD_ENDING_INTERRUPTED, "nothing was asserted before");
}

/* ---- telling ---- */

enum rd_ending rd_results_ending(const struct rd_results *results)
{
    enum rd_ending worst = results->n_subjects > 0 ? RD_ENDING_HOLDS : RD_ENDING_FAILED;
    for (size_t k = 0; k < results->n_subjects; k++)
        if (results->subjects[k].ending > worst)
            worst = results->subjects[k].ending;
    return worst;
}

size_t rd_results_count(const struct rd_results *results, const struct rd_subject *subject,
                        enum rd_tested state)
{
    size_t count = subject ? count_of(subject, state) : 0;
    for (size_t k = 0; k < results->n_subjects && !subject; k++)
        count += count_of(&results->subjects[k], state);
    return count;
}

enum rd_status rd_results_write(const struct rd_results *results, enum rd_format format, FILE *file,
                                struct rd_error *error)
{
    static void (*const writers[])(struct rd_markup * to, const struct rd_results *results) = {
#define WRITER(name, NAME) [RD_FORMAT_##NAME] = rd_results_write_##name,
        RD_DOCUMENT_FORMATS(WRITER)};
    struct rd_markup document = {0};
    bool good = !results->failed && !results->texts.failed;
    if (good)
        writers[format](&document, results);
    good = good && !document.failed;
    if (good)
        fwrite(document.data, 1, document.size, file);
    free(document.data);
    return good ? RD_OK : rd_fail(error, RD_ERROR_MEMORY, "no memory for the results");
}

/* ---- runs and traces ---- */

/* Results of runs, and of traces that were replayed. */

enum rd_ending rd_ending_of(enum rd_verdict verdict)
{
    return verdict == RD_HOLDS      ? RD_ENDING_HOLDS
           : verdict == RD_VIOLATED ? RD_ENDING_VIOLATED
                                    : RD_ENDING_INCONCLUSIVE;
}

enum rd_tested rd_tested_of(enum rd_verdict verdict)
{
    return verdict == RD_HOLDS      ? RD_TESTED_HOLDS
           : verdict == RD_VIOLATED ? RD_TESTED_VIOLATED
                                    : RD_TESTED_OPEN;
}

/* ---- facts ---- */

static void add_shape(struct rd_subject *subject, const struct rd_shape *shape)
{
    if (shape->block > 0)
        rd_subject_add_number(subject, "block", shape->block);
    if (shape->grid > 0)
        rd_subject_add_number(subject, "grid", shape->grid);
}

static void add_counts(struct rd_results *results, struct rd_subject *subject,
                       const struct rd_result *result)
{
    rd_subject_add_number(subject, "steps", result->steps);
    rd_subject_add_number(subject, "checkpoints", result->checkpoints);
    rd_subject_add_number(subject, "cells", result->cells);
    rd_subject_add_text(results, subject, "hazards_by", rd_hazards_by_name(result->hazards_by));
    if (result->hazards_n > 0)
        rd_subject_add_number(subject, "hazards_n", result->hazards_n);
    if (result->n_schedules > 0)
        rd_subject_add_number(subject, "schedules", result->n_schedules);
    if (result->outcome.name) {
        char number[40];
        snprintf(number, sizeof number, "%.17g", result->outcome.actual);
        rd_subject_add_text(results, subject, result->outcome.name, number);
    }
}

/* ---- tests ---- */

/* Facts that a subject's obligations are told by. */
struct obligations {
    const struct rd_program *program; /* NULL, as `numeric`, where it is unknown */
    const struct rd_numeric *numeric;
    const struct rd_result *result;
    bool is_whole;    /* all rounds were made, and all that is to be asserted in them was */
    const char *open; /* why what is open is so; NULL: the obligation itself tells */
};

/* Initialization, preservation and exit, each with its reason. What holds so far does not hold yet. */
static void add_obligations(struct rd_results *results, struct rd_subject *subject,
                            const struct obligations *of)
{
    for (int k = 0; k < RD_OBLIGATION_COUNT; k++) {
        char reason[RD_REASON_SIZE];
        const enum rd_obligation obligation = (enum rd_obligation)k;
        enum rd_tested state = rd_tested_of(of->result->obligations[k]);
        const char *message = of->open ? of->open : "";
        if (obligation == RD_PRESERVATION && state == RD_TESTED_HOLDS && !of->is_whole) {
            state = RD_TESTED_OPEN;
            message = "the rounds that were made keep it, and they are not all";
        } else if ((state != RD_TESTED_OPEN || !of->open) && of->program && of->numeric) {
            message =
                rd_obligation_reason(of->program, of->numeric, of->result, obligation, reason);
        }
        rd_subject_add_test(results, subject, rd_obligation_name(obligation), state, message);
    }
}

/* "2 hazards: race, leak". */
static const char *hazards_text(struct rd_results *results, const struct rd_subject *subject,
                                const char *more)
{
    return rd_texts_format(&results->texts, "%zu hazard%s%s: %s%s", (size_t)subject->n_found,
                           rd_plural(subject->n_found), more, subject->hazards[0].name,
                           subject->n_found > 1 ? ", ..." : "");
}

static bool made_all_rounds(const struct rd_run *run, const struct rd_result *result)
{
    const struct rd_shape shape = rd_run_shape(run);
    return !result->interrupted && result->steps == rd_program_rounds(run->program, &shape) + 1;
}

/* Adds the test of a run's hazards. Without any, it says which were looked for, in all of its rounds. */
static void add_test_of_hazards(struct rd_results *results, struct rd_subject *subject,
                                const struct rd_run *run, const struct rd_result *result)
{
    bool is_wrong = false;
    for (size_t k = 0; k < subject->n_hazards; k++)
        is_wrong = is_wrong || rd_hazard_verdict(subject->hazards[k].finding.hazard) == RD_VIOLATED;
    char text[RD_SENTENCE_SIZE];
    enum rd_tested state = RD_TESTED_HOLDS;
    const char *message = rd_looked_text(result, run->n, text);
    if (subject->n_hazards > 0) {
        state = is_wrong ? RD_TESTED_VIOLATED : RD_TESTED_OPEN;
        message = hazards_text(results, subject, "");
    } else if (*result->unlooked) {
        state = RD_TESTED_OPEN;
    } else if (!subject->hazards_known) {
        state = RD_TESTED_SKIPPED;
    } else if (!made_all_rounds(run, result)) {
        state = RD_TESTED_OPEN;
        message = "none in the rounds that were made, which are not all";
    }
    rd_subject_add_test(results, subject, RD_TEST_OF_HAZARDS, state, message);
}

/* ---- violations and hazards ---- */

static void add_violation(struct rd_results *results, struct rd_subject *subject,
                          const struct rd_violation *violation, const struct rd_numeric *numeric,
                          const struct rd_source *source, const struct rd_evidence *evidence)
{
    struct rd_texts *texts = &results->texts;
    char expected[RD_VALUE_TEXT_SIZE], actual[RD_VALUE_TEXT_SIZE], text[RD_SENTENCE_SIZE];
    const struct rd_outcome *outcome = &violation->outcome;
    rd_violation_values(violation, numeric, expected, actual);
    if (outcome->name) { /* a number, and no cell's */
        snprintf(expected, sizeof expected, "%.9g", outcome->deviation.exact);
        snprintf(actual, sizeof actual, "%.9g", outcome->actual);
    }
    struct rd_results_violation told = {
        .kind = rd_violation_kind_name(violation->kind),
        .in_round = true,
        .round = violation->step,
        .array =
            outcome->name ? NULL : rd_texts_keep(texts, violation->array ? violation->array : "A"),
        .cell = violation->cell,
        .expected = rd_texts_keep(texts, expected),
        .actual = rd_texts_keep(texts, actual),
        .count = violation->count,
        .message = rd_texts_keep(texts, rd_violation_text(violation, numeric, text)),
        .file = source ? source->path : NULL,
        .line = source ? source->first : 0,
    };
    if (violation->inside)
        told.place =
            rd_texts_keep(texts, rd_place_text(&violation->place, violation->variable, text));
    if (evidence)
        told.evidence = rd_texts_keep(texts, rd_evidence_text(evidence, numeric->operation, text));
    rd_subject_add_violation(results, subject, &told);
}

/* The kernel that the round launches; before the first the program. */
static const struct rd_source *source_of(const struct rd_run *run, unsigned step)
{
    const struct rd_shape shape = rd_run_shape(run);
    struct rd_round round;
    if (step == 0 || !rd_program_round(run->program, &shape, step, &round))
        return rd_source_of_program(run->program);
    return rd_kernel_source(run->program, round.kernel_name, NULL);
}

static bool is_same(const struct rd_violation *x, const struct rd_violation *y)
{
    return x->kind == y->kind && x->step == y->step && x->cell == y->cell && x->inside == y->inside;
}

static void add_violations(struct rd_results *results, struct rd_subject *subject,
                           const struct rd_run *run, const struct rd_run_record *record,
                           const struct rd_result *result)
{
    for (size_t k = 0; k < record->n_violations; k++) {
        const struct rd_violation *violation = &record->violations[k];
        const bool is_explained = result->explained && is_same(violation, &result->violation);
        add_violation(results, subject, violation, run->numeric, source_of(run, violation->step),
                      is_explained ? &result->evidence : NULL);
    }
    subject->n_violated = record->n_violated;
}

/* Refers to what the hazard points to. */
static void add_hazard(struct rd_results *results, struct rd_subject *subject,
                       const struct rd_hazard *hazard)
{
    struct rd_results_hazard told = {.name = hazard->name, .in_round = true, .round = hazard->step};
    told.finding = hazard->finding ? *hazard->finding
                                   : (struct rd_finding){.kind = "",
                                                         .scope = "",
                                                         .lesson = "",
                                                         .count = 1,
                                                         .array = "",
                                                         .type = "",
                                                         .before = "",
                                                         .after = ""};
    told.finding.hazard = hazard->kind;
    told.finding.message = hazard->message;
    rd_subject_add_hazard(results, subject, &told);
}

/* ---- a run ---- */

static void add_unlooked_of_run(struct rd_results *results, struct rd_subject *subject,
                                const struct rd_run *run, const struct rd_result *result)
{
    char text[RD_SENTENCE_SIZE];
    const bool is_whole = result->hazards_by == RD_HAZARDS_BY_SIM &&
                          (result->hazards_n == 0 || result->hazards_n == run->n);
    if (!is_whole || *result->unlooked)
        rd_subject_add_unlooked(results, subject, rd_looked_text(result, run->n, text));
    if (*result->untried)
        rd_subject_add_unlooked(results, subject, result->untried);
    if (*result->accepted)
        rd_subject_add_unlooked(results, subject,
                                rd_texts_format(&results->texts,
                                                "what depends on the schedule, as "
                                                "expected: %s",
                                                result->accepted));
    if (result->truncated)
        rd_subject_add_unlooked(results, subject,
                                "not all checkpoints were kept: name fewer --blocks");
    if (!rd_run_blocks(run).all && rd_program_has_points(run->program))
        rd_subject_add_unlooked(results, subject,
                                "checkpoints of the blocks that --blocks leaves out");
    if (!run->frame)
        rd_subject_add_unlooked(
            results, subject, "dead cells, and the inputs but after the last round (--frame off)");
    if (result->interrupted)
        rd_subject_add_unlooked(results, subject, "what was to come behind the interruption");
}

void rd_results_add_run(struct rd_results *results, const struct rd_run *run,
                        const struct rd_run_record *record, const struct rd_result *result,
                        const char *statement)
{
    struct rd_subject *subject = rd_results_add(results, "run", run->program->name);
    if (!subject)
        return;
    const struct rd_summary summary = rd_summary_of_run(run, result);
    const struct rd_source *source = rd_source_of_program(run->program);
    const struct rd_shape shape = rd_run_shape(run);
    char text[RD_SENTENCE_SIZE];
    subject->ending = result->interrupted ? RD_ENDING_INTERRUPTED : rd_ending_of(result->verdict);
    subject->summary =
        rd_texts_keep(&results->texts, statement ? statement : rd_summary_text(&summary, text));
    subject->file = source ? source->path : NULL;
    subject->line = source ? source->first : 0;
    rd_subject_add_number(subject, "n", run->n);
    rd_subject_add_text(results, subject, "type", run->numeric->name);
    rd_subject_add_text(results, subject, "op", rd_operation_name(run->numeric->operation));
    rd_subject_add_text(results, subject, "values", run->values);
    add_shape(subject, &shape);
    rd_subject_add_text(results, subject, "device", run->device->ops->name);
    rd_subject_add_text(results, subject, "device_name", run->device->ops->describe(run->device));
    add_counts(results, subject, result);
    add_violations(results, subject, run, record, result);
    for (size_t k = 0; k < record->n_hazards; k++)
        add_hazard(results, subject, &record->hazards[k]);
    subject->n_found = record->n_hazards;
    subject->hazards_known = rd_hazards_looked_for(result->hazards_by) || subject->n_hazards > 0;
    add_obligations(results, subject,
                    &(struct obligations){.program = run->program,
                                          .numeric = run->numeric,
                                          .result = result,
                                          .is_whole = made_all_rounds(run, result) &&
                                                      !result->truncated && !result->missing});
    add_test_of_hazards(results, subject, run, result);
    add_unlooked_of_run(results, subject, run, result);
    rd_subject_settle(results, subject, subject->summary);
}

/* ---- a trace ---- */

/* A replay can't look again for hazards that a trace records. */
static void add_recorded_hazards(struct rd_results *results, struct rd_subject *subject,
                                 const struct rd_replay *replay)
{
    const char *by = rd_hazards_by_name(replay->hazards_by);
    struct rd_texts *texts = &results->texts;
    const struct rd_hazard first = {.kind = replay->hazard.kind,
                                    .name = rd_texts_keep(texts, replay->hazard.name),
                                    .step = replay->hazard.step,
                                    .message = rd_texts_keep(texts, replay->hazard.message)};
    subject->n_found = replay->hazards;
    subject->hazards_known = replay->hazards > 0 || rd_hazards_looked_for(replay->hazards_by);
    if (replay->hazards > 0) {
        add_hazard(results, subject, &first);
        rd_subject_add_test(results, subject, RD_TEST_OF_HAZARDS,
                            rd_tested_of(rd_hazard_verdict(first.kind)),
                            hazards_text(results, subject, " recorded"));
        if (!rd_hazards_looked_for(replay->hazards_by))
            rd_subject_add_unlooked(results, subject, "hazards: nobody had looked for others");
        return;
    }
    const char *why =
        subject->hazards_known
            ? rd_texts_format(&results->texts,
                              "hazards: 0 are recorded, by %s, and a trace does not show them", by)
        : replay->hazards_by == RD_HAZARDS_BY_LAUNCH
            ? "hazards: those of the launch are told by its run"
            : "hazards: nobody had looked for them";
    rd_subject_add_test(results, subject, RD_TEST_OF_HAZARDS, RD_TESTED_SKIPPED, why);
    rd_subject_add_unlooked(results, subject, why);
}

static bool is_whole(const struct rd_replay *replay)
{
    return replay->complete && !replay->interrupted && !replay->truncated;
}

/* Tells whether the records are all there, and agree with the inputs and with each other. */
static void add_test_of_trace(struct rd_results *results, struct rd_subject *subject,
                              const struct rd_replay *replay)
{
    const bool whole = is_whole(replay);
    enum rd_tested state = RD_TESTED_HOLDS;
    if (*replay->reason || !whole)
        state = whole ? rd_tested_of(replay->verdict) : RD_TESTED_OPEN;
    rd_subject_add_test(results, subject, RD_TEST_OF_TRACE, state, replay->reason);
    if (state == RD_TESTED_OPEN)
        rd_subject_add_unlooked(results, subject, replay->reason);
}

static void add_summary_of_trace(struct rd_results *results, struct rd_subject *subject,
                                 const struct rd_replay *replay, const struct rd_numeric *numeric)
{
    char text[RD_SENTENCE_SIZE];
    const struct rd_summary summary = rd_summary_of_replay(replay, numeric);
    subject->summary = rd_texts_keep(&results->texts, rd_summary_text(&summary, text));
}

void rd_results_add_trace(struct rd_results *results, const char *path,
                          const struct rd_replay *replay)
{
    struct rd_subject *subject = rd_results_add(results, "trace", path);
    if (!subject)
        return;
    const struct rd_numeric *plain = rd_numeric_named(replay->type);
    const struct rd_numeric *numeric =
        plain ? rd_numeric_over(plain->type, replay->operation) : NULL;
    const struct rd_result result = rd_replay_result(replay);
    subject->ending = rd_ending_of(replay->verdict);
    subject->file = subject->name;
    add_summary_of_trace(results, subject, replay, numeric);
    rd_subject_add_text(results, subject, "program", replay->program->name);
    rd_subject_add_number(subject, "n", replay->n);
    rd_subject_add_text(results, subject, "type", replay->type);
    rd_subject_add_text(results, subject, "op", rd_operation_name(replay->operation));
    rd_subject_add_text(results, subject, "device", replay->device);
    rd_subject_add_text(results, subject, "recorded", rd_verdict_name(replay->recorded));
    rd_subject_add_text(results, subject, "complete", replay->complete ? "yes" : "no");
    add_counts(results, subject, &result);
    if (replay->violated && numeric)
        add_violation(results, subject, &replay->violation, numeric, NULL, NULL);
    subject->n_violated = replay->violated;
    const bool told = replay->complete && replay->verdict == RD_INCONCLUSIVE;
    add_obligations(
        results, subject,
        &(struct obligations){.program = replay->program,
                              .numeric = numeric,
                              .result = &result,
                              .is_whole = is_whole(replay),
                              .open = *replay->reason && !told ? replay->reason : NULL});
    add_recorded_hazards(results, subject, replay);
    add_test_of_trace(results, subject, replay);
    rd_subject_settle(results, subject, subject->summary);
}
