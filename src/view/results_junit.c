// SPDX-License-Identifier: MIT
/* Results in the XML of JUnit: a suite for each subject. What is violated is a failure, what is open an error, and what was
 * not looked at is skipped: no test case is without one of these that was not looked at and holds. */
#include "view/results_write.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Text between an attribute's quotes: lines in it stay lines. */
static void append_escaped(struct rd_markup *to, const char *text)
{
    for (const char *line = text;; line++) {
        size_t length = strcspn(line, "\n\t");
        rd_markup_text_of(to, line, length);
        line += length;
        if (!*line)
            break;
        rd_markup_raw(to, *line == '\n' ? "&#10;" : "&#9;");
    }
}

static void append_attribute(struct rd_markup *to, const char *name, const char *text)
{
    rd_markup_format(to, " %s=\"", name);
    append_escaped(to, text);
    rd_markup_raw(to, "\"");
}

static void append_counts(struct rd_markup *to, const struct rd_results *results,
                          const struct rd_subject *subject)
{
    size_t n = 0;
    for (int state = 0; state < RD_TESTED_COUNT; state++)
        n += rd_results_count(results, subject, (enum rd_tested)state);
    rd_markup_format(to, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\"", n,
                     rd_results_count(results, subject, RD_TESTED_VIOLATED),
                     rd_results_count(results, subject, RD_TESTED_OPEN),
                     rd_results_count(results, subject, RD_TESTED_SKIPPED));
}

static void append_property(struct rd_markup *to, const char *name, const char *text)
{
    rd_markup_raw(to, "      <property");
    append_attribute(to, "name", name);
    append_attribute(to, "value", text);
    rd_markup_raw(to, "/>\n");
}

static void append_number(struct rd_markup *to, const char *name, uint64_t number)
{
    rd_markup_format(to, "      <property name=\"%s\" value=\"%" PRIu64 "\"/>\n", name, number);
}

/* What the other formats have as data. */
static void append_properties(struct rd_markup *to, const struct rd_subject *subject)
{
    rd_markup_raw(to, "    <properties>\n");
    append_property(to, "verdict", rd_ending_name(subject->ending));
    append_number(to, "violations", subject->n_violated);
    if (subject->hazards_known)
        append_number(to, "hazards", subject->n_found);
    else
        append_property(to, "hazards", "not looked for");
    for (size_t k = 0; k < subject->n_facts; k++)
        if (subject->facts[k].text)
            append_property(to, subject->facts[k].name, subject->facts[k].text);
        else
            append_number(to, subject->facts[k].name, subject->facts[k].number);
    for (size_t k = 0; k < subject->n_unlooked; k++)
        append_property(to, "not looked at", subject->unlooked[k]);
    rd_markup_raw(to, "    </properties>\n");
}

static void append_test(struct rd_markup *to, const struct rd_results *results,
                        const struct rd_subject *subject, const struct rd_results_test *test)
{
    static const char *const elements[RD_TESTED_COUNT] = {
        [RD_TESTED_SKIPPED] = "skipped",
        [RD_TESTED_OPEN] = "error",
        [RD_TESTED_VIOLATED] = "failure",
    };
    const char *element = elements[test->state];
    rd_markup_format(to, "    <testcase classname=\"reductio.%s.", results->command);
    append_escaped(to, subject->name);
    rd_markup_format(to, "\" name=\"%s\"", test->name);
    if (!element) {
        rd_markup_raw(to, "/>\n");
        return;
    }
    rd_markup_format(to, ">\n      <%s", element);
    if (test->state != RD_TESTED_SKIPPED)
        append_attribute(to, "type", rd_tested_name(test->state));
    append_attribute(to, "message", test->message);
    char *explanation = rd_results_explain(subject, test);
    to->failed = to->failed || !explanation;
    if (explanation && *explanation) {
        rd_markup_raw(to, ">");
        rd_markup_text(to, explanation);
        rd_markup_format(to, "</%s>\n", element);
    } else {
        rd_markup_raw(to, "/>\n");
    }
    free(explanation);
    rd_markup_raw(to, "    </testcase>\n");
}

void rd_results_write_junit(struct rd_markup *to, const struct rd_results *results)
{
    rd_markup_raw(to, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"reductio\"");
    append_counts(to, results, NULL);
    rd_markup_raw(to, ">\n");
    for (size_t k = 0; k < results->n_subjects; k++) {
        const struct rd_subject *subject = &results->subjects[k];
        rd_markup_raw(to, "  <testsuite");
        append_attribute(to, "name", subject->name);
        append_counts(to, results, subject);
        rd_markup_raw(to, ">\n");
        append_properties(to, subject);
        for (size_t t = 0; t < subject->n_tests; t++)
            append_test(to, results, subject, &subject->tests[t]);
        rd_markup_raw(to, "    <system-out>");
        rd_markup_text(to, subject->summary);
        rd_markup_raw(to, "</system-out>\n  </testsuite>\n");
    }
    rd_markup_raw(to, "</testsuites>\n");
}
