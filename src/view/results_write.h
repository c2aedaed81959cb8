// SPDX-License-Identifier: MIT
/* The writers of results, one for each format, and what they share. Private to src/view. */
#ifndef RD_VIEW_RESULTS_WRITE_H
#define RD_VIEW_RESULTS_WRITE_H

#include "view/report/markup.h"
#include "view/results.h"

/* Each appends the whole document. */
void rd_results_write_json(struct rd_markup *to, const struct rd_results *results);
void rd_results_write_tap(struct rd_markup *to, const struct rd_results *results);
void rd_results_write_junit(struct rd_markup *to, const struct rd_results *results);
void rd_results_write_sarif(struct rd_markup *to, const struct rd_results *results);

/* Parts of the document in JSON. */
json_t *rd_results_json_violation(const struct rd_results_violation *violation);
json_t *rd_results_json_hazard(const struct rd_results_hazard *hazard);
/* The facts of a subject, and its counts: those of violations and of hazards, null where nobody looked. */
json_t *rd_results_json_facts(const struct rd_subject *subject);
json_t *rd_results_json_counts(const struct rd_subject *subject);
/* How many tests of the subject, or of all (NULL), are in each state. */
json_t *rd_results_json_tests(const struct rd_results *results, const struct rd_subject *subject);

/* Appends a value, in a line or laid out; it is given up. */
void rd_results_append(struct rd_markup *to, json_t *value, size_t flags);

/* What is wrong with one test, in full: its message, and the violations or the hazards that it is about. The caller frees
 * it; NULL without memory. */
char *rd_results_explain(const struct rd_subject *subject, const struct rd_results_test *test);
/* Whether the test is about that hazard; and whether it is about the subject's violations. */
bool rd_results_test_has_hazard(const struct rd_results_test *test,
                                const struct rd_results_hazard *hazard);
bool rd_results_test_has_violations(const struct rd_results_test *test);
/* Whether the subject has a violation or a hazard that the test is about. */
bool rd_results_test_is_told(const struct rd_subject *subject, const struct rd_results_test *test);

#endif
