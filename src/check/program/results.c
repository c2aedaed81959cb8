// SPDX-License-Identifier: MIT
/* A program that was run whole, as results for other programs: a subject for each of its annotations, and one for the program. */
#include "check/report/findings.h"
#include "check/playback/played.h"
#include "check/program/told.h"
#include "reductio/run.h"
#include "reductio/text.h"
#include "view/paint.h"
#include "view/parts.h"

#include <inttypes.h>
#include <string.h>

/* ---- annotations ---- */

static const struct rd_results_violation *add_violation(struct rd_results *results,
                                                        struct rd_subject *subject,
                                                        const struct rd_played_loop *loop)
{
    struct rd_texts *texts = &results->texts;
    char expected[RD_VALUE_TEXT_SIZE], actual[RD_VALUE_TEXT_SIZE], text[RD_SENTENCE_SIZE];
    const struct rd_violation *violation = &loop->result.violation;
    const struct rd_numeric *numeric = rd_numeric(loop->evaluations[0]->array.type);
    rd_violation_values(violation, numeric, expected, actual);
    const bool is_loop = loop->annotation->kind == RD_ANNOTATION_INVARIANT;
    const char *message = is_loop ? rd_violation_text(violation, numeric, text)
                                  : rd_played_violation_text(loop, text);
    rd_subject_add_violation(results, subject,
                             &(struct rd_results_violation){
                                 .kind = rd_violation_kind_name(violation->kind),
                                 .in_round = is_loop,
                                 .round = violation->step,
                                 .array = rd_texts_keep(texts, loop->annotation->array.expression),
                                 .cell = violation->cell,
                                 .expected = rd_texts_keep(texts, expected),
                                 .actual = rd_texts_keep(texts, actual),
                                 .count = violation->count,
                                 .message = rd_texts_keep(texts, message),
                                 .file = subject->file,
                                 .line = subject->line,
                             });
    subject->n_violated++;
    return subject->n_violations > 0 ? subject->violations : NULL;
}

/* The reason of a loop's obligation that does not hold, or is not looked at. */
static const char *reason_of(const struct rd_played_loop *loop, enum rd_obligation obligation,
                             char text[RD_REASON_SIZE])
{
    if (obligation == RD_EXIT && loop->open[0])
        return loop->open;
    return loop->program
               ? rd_obligation_reason(loop->program, rd_numeric(loop->evaluations[0]->array.type),
                                      &loop->result, obligation, text)
               : loop->why.text;
}

static void add_obligations(struct rd_results *results, struct rd_subject *subject,
                            const struct rd_played_loop *loop)
{
    for (int k = 0; k < RD_OBLIGATION_COUNT; k++) {
        char text[RD_REASON_SIZE];
        const enum rd_obligation obligation = (enum rd_obligation)k;
        enum rd_tested state = rd_tested_of(loop->result.obligations[k]);
        if (obligation == RD_EXIT && state == RD_TESTED_OPEN && loop->is_unasked)
            state = RD_TESTED_SKIPPED;
        const char *reason = reason_of(loop, obligation, text);
        rd_subject_add_test(results, subject, rd_obligation_name(obligation), state, reason);
        if (state == RD_TESTED_SKIPPED)
            rd_subject_add_unlooked(results, subject, reason);
    }
}

void rd_check_results_add_annotation(void *self, const struct rd_played_verdict *verdict)
{
    struct rd_results *results = self;
    const struct rd_annotation *of = verdict->annotation;
    const struct rd_played_loop *loop = verdict->loop;
    const char *name = rd_texts_format(&results->texts, "%s:%u: %s %s", verdict->file->file,
                                       of->line, rd_annotation_kind_name(of->kind), of->text);
    struct rd_subject *subject = rd_results_add(results, "annotation", name);
    if (!subject)
        return;
    subject->ending = rd_ending_of(verdict->verdict);
    subject->summary =
        rd_texts_format(&results->texts, "%s %s", rd_verdict_name(verdict->verdict), subject->name);
    subject->file = rd_texts_keep(&results->texts, verdict->file->file);
    subject->line = of->line;
    subject->hazards_apart = true;
    rd_subject_add_number(subject, "executions", verdict->n);
    const struct rd_results_violation *violation =
        loop && loop->result.violated ? add_violation(results, subject, loop) : NULL;
    const bool is_asserted = loop && (loop->program || loop->is_plain);
    if (is_asserted)
        rd_subject_add_number(subject, "cells", loop->result.cells);
    if (is_asserted && of->kind == RD_ANNOTATION_INVARIANT)
        add_obligations(results, subject, loop);
    else
        rd_subject_add_test(results, subject, RD_TEST_OF_ASSERTION, rd_tested_of(verdict->verdict),
                            violation ? violation->message
                            : loop    ? loop->why.text
                                      : verdict->why);
    rd_subject_settle(results, subject, subject->summary);
}

/* ---- the program ---- */

/* A program that was made to may tell any number: none is below 0. */
static uint64_t number_of(const json_t *outcome, const char *key)
{
    const json_int_t number = json_integer_value(json_object_get(outcome, key));
    return number > 0 ? (uint64_t)number : 0;
}

static void add_test_of_end(struct rd_results *results, struct rd_subject *subject,
                            const json_t *outcome)
{
    const char *ended = rd_check_text_of(outcome, "ended");
    const bool is_at_its_end = strcmp(ended, "returned") == 0 || strcmp(ended, "exit") == 0;
    const json_int_t status = json_integer_value(json_object_get(outcome, "exit_status"));
    const bool is_wrong = strcmp(ended, "signal") == 0 || (is_at_its_end && status != 0);
    rd_subject_add_test(results, subject, RD_TEST_OF_END,
                        is_wrong        ? RD_TESTED_VIOLATED
                        : is_at_its_end ? RD_TESTED_HOLDS
                                        : RD_TESTED_OPEN,
                        rd_check_text_of(outcome, "end"));
}

static void add_test_of_hazards(struct rd_results *results, struct rd_subject *subject,
                                const json_t *outcome)
{
    const json_t *first = json_array_get(json_object_get(outcome, "hazards"), 0);
    const size_t n_lacks = json_array_size(json_object_get(outcome, "lacks"));
    enum rd_tested state = RD_TESTED_HOLDS;
    const char *message = "";
    if (subject->n_found > 0) {
        state = RD_TESTED_VIOLATED;
        message = rd_texts_format(&results->texts, "%" PRIu64 " hazard%s: %s%s", subject->n_found,
                                  rd_plural(subject->n_found), rd_check_text_of(first, "name"),
                                  subject->n_found == 1 ? "" : ", ...");
    } else if (n_lacks > 0) {
        state = RD_TESTED_OPEN;
        message = "not all was looked at";
    } else if (!subject->hazards_known) {
        state = RD_TESTED_SKIPPED;
        message = "nobody has looked for them (--hazards off)";
    }
    rd_subject_add_test(results, subject, RD_TEST_OF_HAZARDS, state, message);
    if (!subject->hazards_known)
        rd_subject_add_unlooked(results, subject, "hazards: nobody has looked for them");
}

/* Adds the sentences on what was not looked at; beyond the limit it counts them. */
static void add_lacks(struct rd_results *results, struct rd_subject *subject, const json_t *outcome)
{
    enum { TOLD_MAX = RD_RESULTS_UNLOOKED_MAX - 2 };
    size_t k;
    json_t *lack;
    const json_t *lacks = json_object_get(outcome, "lacks");
    json_array_foreach(lacks, k, lack)
    {
        if (k < TOLD_MAX)
            rd_subject_add_unlooked(results, subject, json_string_value(lack));
    }
    if (k > TOLD_MAX)
        rd_subject_add_unlooked(results, subject,
                                rd_texts_format(&results->texts, "and %zu more", k - TOLD_MAX));
}

/* Adds under how many schedules launches whose threads communicate have run, what differs, and what was not tried. */
static void add_orders(struct rd_results *results, struct rd_subject *subject,
                       const json_t *outcome)
{
    char text[1200];
    size_t k, told = 0;
    json_t *difference;
    const uint64_t communicating = number_of(outcome, "communicating"),
                   less = number_of(outcome, "under_fewer");
    if (communicating == 0)
        return;
    rd_subject_add_number(subject, "communicating_launches", communicating);
    rd_subject_add_number(subject, "schedules", number_of(outcome, "schedules"));
    if (less > 0)
        rd_subject_add_unlooked(results, subject,
                                rd_texts_format(&results->texts,
                                                "other schedules, of %" PRIu64 " of %" PRIu64
                                                " launches that communicate: %s",
                                                less, communicating,
                                                rd_check_text_of(outcome, "why_fewer")));
    else if (number_of(outcome, "schedules") < 2)
        rd_subject_add_unlooked(results, subject, "other schedules: one alone was asked for");
    json_array_foreach(json_object_get(outcome, "differences"), k, difference)
    {
        if (json_object_get(difference, "is_hazard") || told++ > 0)
            continue;
        rd_check_orders_difference_text(difference, text, sizeof text);
        rd_subject_add_text(results, subject, "results_differ",
                            rd_texts_keep(&results->texts, text));
    }
    json_array_foreach(json_object_get(outcome, "not_asserted_under"), k, difference)
    {
        if (k == 0)
            rd_subject_add_unlooked(
                results, subject,
                rd_texts_format(&results->texts,
                                "annotations under schedule %s%s, where results differ",
                                json_string_value(difference),
                                json_array_size(json_object_get(outcome, "not_asserted_under")) > 1
                                    ? " and others"
                                    : ""));
    }
    if (told > 0)
        rd_subject_add_number(subject, "results_that_differ", told);
}

/* Adds that the annotation is violated in a run of another kind, "under schedule descending": it is no clean one then. */
static void add_violated_in(struct rd_results *results, struct rd_subject *subject, const char *run,
                            const char *message)
{
    rd_subject_add_test(results, subject, rd_texts_keep(&results->texts, run), RD_TESTED_VIOLATED,
                        rd_texts_keep(&results->texts, message));
    if (subject->ending != RD_ENDING_VIOLATED)
        subject->summary = rd_texts_format(&results->texts, "%s %s: %s",
                                           rd_verdict_name(RD_VIOLATED), subject->name, run);
    subject->ending = RD_ENDING_VIOLATED;
}

void rd_check_results_add_own(struct rd_results *results, const struct rd_results *own)
{
    for (size_t k = 0; k < own->n_subjects; k++) {
        const struct rd_subject *violated = &own->subjects[k];
        for (size_t i = 0; i < results->n_subjects && violated->ending == RD_ENDING_VIOLATED; i++) {
            struct rd_subject *subject = &results->subjects[i];
            if (strcmp(subject->kind, violated->kind) == 0 &&
                strcmp(subject->name, violated->name) == 0)
                add_violated_in(results, subject, "with the program's own inputs",
                                violated->n_violations > 0 ? violated->violations[0].message : "");
        }
    }
}

/* Adds which annotations another schedule violates. */
static void add_violated_under(struct rd_results *results, const json_t *outcome)
{
    size_t k;
    json_t *violated;
    json_array_foreach(json_object_get(outcome, "violated_under"), k, violated)
    {
        const json_int_t line = json_integer_value(json_object_get(violated, "line"));
        const char *file = rd_check_text_of(violated, "file");
        for (size_t i = 0; i < results->n_subjects; i++) {
            struct rd_subject *subject = &results->subjects[i];
            if (strcmp(subject->kind, "annotation") != 0 || subject->line != line ||
                strcmp(subject->file, file) != 0)
                continue;
            add_violated_in(results, subject,
                            rd_texts_format(&results->texts, "under schedule %s",
                                            rd_check_text_of(violated, "schedule")),
                            rd_check_text_of(violated, "message"));
        }
    }
}

void rd_check_results_add_program(struct rd_results *results, const json_t *outcome, bool judged)
{
    static const char *const numbers[] = {"launches", "threads", "exit_status"};
    const uint64_t n_launches = number_of(outcome, "launches");
    char orders[300];
    add_violated_under(results, outcome);
    struct rd_subject *subject =
        rd_results_add(results, "program", rd_check_text_of(outcome, "file"));
    if (!subject)
        return;
    subject->file = subject->name;
    rd_subject_add_text(results, subject, "device", rd_check_text_of(outcome, "device"));
    rd_subject_add_text(results, subject, "hazards_by", rd_check_text_of(outcome, "hazards_by"));
    rd_subject_add_text(results, subject, "end", rd_check_text_of(outcome, "end"));
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        rd_subject_add_number(subject, numbers[k], number_of(outcome, numbers[k]));
    rd_check_results_add_hazards(results, subject, outcome);
    subject->hazards_known =
        subject->n_found > 0 || strcmp(rd_check_text_of(outcome, "hazards_by"), "off") != 0;
    add_test_of_end(results, subject, outcome);
    add_test_of_hazards(results, subject, outcome);
    if (!judged)
        rd_subject_add_test(results, subject, RD_TEST_OF_VERDICT, RD_TESTED_OPEN,
                            "no invariant was asserted");
    add_lacks(results, subject, outcome);
    add_orders(results, subject, outcome);
    if (json_is_string(json_object_get(outcome, "unvaried")))
        rd_subject_add_unlooked(results, subject,
                                rd_texts_format(&results->texts,
                                                "other values of what was not varied: %s",
                                                rd_check_text_of(outcome, "unvaried")));
    rd_subject_set_not_contained(results, subject,
                                 json_string_value(json_object_get(outcome, "not_contained")));
    subject->ending =
        rd_results_count(results, subject, RD_TESTED_VIOLATED) > 0 ? RD_ENDING_VIOLATED
        : rd_results_count(results, subject, RD_TESTED_OPEN) > 0   ? RD_ENDING_INCONCLUSIVE
                                                                   : RD_ENDING_HOLDS;
    rd_check_orders_summary(outcome, orders);
    subject->summary = rd_texts_format(
        &results->texts, "%s %s: %s, %" PRIu64 " launch%s, %s%s: %s",
        rd_ending_name(rd_results_ending(results)), subject->name, rd_check_text_of(outcome, "end"),
        n_launches, n_launches == 1 ? "" : "es",
        subject->hazards_known ? rd_texts_format(&results->texts, "%" PRIu64 " hazard%s",
                                                 subject->n_found, rd_plural(subject->n_found))
                               : "hazards not looked for",
        orders, rd_check_text_of(outcome, "laws"));
}
