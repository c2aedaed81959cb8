// SPDX-License-Identifier: MIT
#include "view/results.h"
#include "base/array.h"
#include "view/results_write.h"

#include <stdlib.h>
#include <string.h>

const char *const rd_format_names[] = {
    [RD_FORMAT_TEXT] = "text",   [RD_FORMAT_JSON] = "json",   [RD_FORMAT_TAP] = "tap",
    [RD_FORMAT_JUNIT] = "junit", [RD_FORMAT_SARIF] = "sarif", NULL,
};

static const struct {
    const char *name;
    int status;
} endings[RD_ENDING_COUNT] = {
    [RD_ENDING_HOLDS] = {"HOLDS", 0},
    [RD_ENDING_NO_HAZARD] = {"NO_HAZARD", 0},
    [RD_ENDING_INCONCLUSIVE] = {"INCONCLUSIVE", 3},
    [RD_ENDING_VIOLATED] = {"VIOLATED", 1},
    [RD_ENDING_INTERRUPTED] = {"INTERRUPTED", 130},
    [RD_ENDING_FAILED] = {"FAILED", 2},
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
        [RD_FORMAT_JSON] = rd_results_write_json,
        [RD_FORMAT_TAP] = rd_results_write_tap,
        [RD_FORMAT_JUNIT] = rd_results_write_junit,
        [RD_FORMAT_SARIF] = rd_results_write_sarif,
    };
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
