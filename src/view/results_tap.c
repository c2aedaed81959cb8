// SPDX-License-Identifier: MIT
/* Results for the Test Anything Protocol, version 13. "ok" without a directive is said of nothing but what was looked at
 * and holds; TODO, which excuses a failure, is said of nothing. */
#include "view/results_write.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Text in one line: what ends a line is a space, what begins a directive is escaped. */
static void append_line(struct rd_markup *to, const char *text)
{
    json_t *mended = rd_markup_string(text);
    const char *at = mended ? json_string_value(mended) : NULL;
    to->failed = to->failed || !at;
    for (; at && *at; at++) {
        const char one[] = {*at == '\n' || *at == '\t' ? ' ' : *at, '\0'};
        if (*at == '#' || *at == '\\')
            rd_markup_raw(to, "\\");
        rd_markup_raw(to, one);
    }
    json_decref(mended);
}

/* JSON is YAML, too, in a line. */
static void append_yaml(struct rd_markup *to, const char *key, json_t *value)
{
    rd_markup_format(to, "  %s: ", key);
    rd_results_append(to, value, 0);
    rd_markup_raw(to, "\n");
}

/* The block behind what is not ok. */
static void append_diagnostic(struct rd_markup *to, const struct rd_subject *subject,
                              const struct rd_results_test *test)
{
    rd_markup_raw(to, "  ---\n");
    append_yaml(to, "message", rd_markup_string(test->message));
    append_yaml(to, "severity", json_string(test->state == RD_TESTED_OPEN ? "open" : "fail"));
    json_t *hazards = json_array(), *violations = json_array();
    const bool is_violated = test->state == RD_TESTED_VIOLATED;
    for (size_t k = 0; k < subject->n_hazards && is_violated; k++)
        if (rd_results_test_has_hazard(test, &subject->hazards[k]))
            json_array_append_new(hazards, rd_results_json_hazard(&subject->hazards[k]));
    for (size_t k = 0; k < subject->n_violations && is_violated; k++)
        if (rd_results_test_has_violations(test))
            json_array_append_new(violations, rd_results_json_violation(&subject->violations[k]));
    if (json_array_size(hazards) > 0)
        append_yaml(to, "hazards", json_incref(hazards));
    if (json_array_size(violations) > 0)
        append_yaml(to, "violations", json_incref(violations));
    json_decref(hazards);
    json_decref(violations);
    rd_markup_raw(to, "  ...\n");
}

static void append_test(struct rd_markup *to, const struct rd_subject *subject,
                        const struct rd_results_test *test, size_t number)
{
    const bool bad = test->state == RD_TESTED_OPEN || test->state == RD_TESTED_VIOLATED;
    rd_markup_format(to, "%s %zu - ", bad ? "not ok" : "ok", number);
    append_line(to, subject->name);
    rd_markup_format(to, ": %s", test->name);
    if (test->state == RD_TESTED_SKIPPED) {
        rd_markup_raw(to, " # SKIP ");
        append_line(to, test->message);
    }
    rd_markup_raw(to, "\n");
    if (bad)
        append_diagnostic(to, subject, test);
}

/* What the other formats have as data. */
static void append_comments(struct rd_markup *to, const struct rd_subject *subject)
{
    rd_markup_format(to, "# verdict: %s\n# violations: %" PRIu64 "\n",
                     rd_ending_name(subject->ending), subject->n_violated);
    if (subject->hazards_known)
        rd_markup_format(to, "# hazards: %" PRIu64 "\n", subject->n_found);
    else
        rd_markup_raw(to, "# hazards: not looked for\n");
    for (size_t k = 0; k < subject->n_facts; k++) {
        const struct rd_results_fact *fact = &subject->facts[k];
        rd_markup_format(to, "# %s: ", fact->name);
        if (fact->text)
            append_line(to, fact->text);
        else
            rd_markup_format(to, "%" PRIu64, fact->number);
        rd_markup_raw(to, "\n");
    }
    for (size_t k = 0; k < subject->n_unlooked; k++) {
        rd_markup_raw(to, "# not looked at: ");
        append_line(to, subject->unlooked[k]);
        rd_markup_raw(to, "\n");
    }
    rd_markup_raw(to, "# summary: ");
    append_line(to, subject->summary);
    rd_markup_raw(to, "\n");
}

void rd_results_write_tap(struct rd_markup *to, const struct rd_results *results)
{
    size_t n = 0, number = 0;
    for (size_t k = 0; k < results->n_subjects; k++)
        n += results->subjects[k].n_tests;
    rd_markup_format(to, "TAP version 13\n1..%zu\n", n);
    for (size_t k = 0; k < results->n_subjects; k++) {
        const struct rd_subject *subject = &results->subjects[k];
        for (size_t t = 0; t < subject->n_tests; t++)
            append_test(to, subject, &subject->tests[t], ++number);
        append_comments(to, subject);
    }
    if (rd_results_ending(results) == RD_ENDING_INTERRUPTED)
        rd_markup_raw(to, "Bail out! interrupted\n");
}
