// SPDX-License-Identifier: MIT
/* Findings as JSON objects, as they stand in a report: of a check, or of a program that is run whole. */
#ifndef RD_CHECK_FINDINGS_H
#define RD_CHECK_FINDINGS_H

#include "reductio/device.h"
#include "reductio/hazards.h"
#include "view/results.h"

#include <jansson.h>

/* Text; bytes that are not UTF-8 become U+FFFD. */
json_t *rd_check_text(const char *text, size_t length);

/* A member that is a text; "" where there is none. */
const char *rd_check_text_of(const json_t *object, const char *key);

/* The kind of a hazard, as it stands in a report, which has its name. */
enum rd_hazard_kind rd_check_hazard_kind(const json_t *hazard);
/* Tells whether the record of a run, or what several have come to, has a hazard of that kind. */
bool rd_check_has_hazard(const json_t *record, enum rd_hazard_kind kind);

/* Tells whether the hazard, as it stands in a report, is one of local variables. */
bool rd_check_hazard_is_private(const json_t *hazard);

/* Tells whether kernels have launched others, beyond launches that were asked for. */
bool rd_check_launches_inside(const json_t *outcome);

json_t *rd_check_finding_json(const struct rd_finding *finding);

/* {"race": 2} of hazards, in the order in which they were first seen. */
json_t *rd_check_count_hazards(const json_t *hazards);
/* Leaves out all but the first max_errors hazards of an outcome; 0: none. */
void rd_check_cut(json_t *outcome, unsigned max_errors);

/* Tells whether two hazards of reports are the same. Threads, values and counts may differ. */
bool rd_check_same_hazard(const json_t *x, const json_t *y);

/* ---- as text ---- */

/* "sum.cu:11:28" of a hazard's place; "" where its line is unknown. */
void rd_check_site_text(const json_t *hazard, size_t place, char *site, size_t size);
/* Writes the hazard's place, with a text before it; nothing where that is unknown. */
void rd_check_print_site(const json_t *hazard, const char *before, FILE *file);
/* Writes the hazards of an outcome as text, each in a line, or laid out in so many columns. */
void rd_check_print_hazards(const json_t *outcome, bool one_line, unsigned width, FILE *file);

/* Says what a program has asked for that was not varied, behind the other parts of a report's last line. */
void rd_check_print_unvaried(const json_t *outcome, FILE *file);

/* ---- in results for other programs ---- */

/* Adds the outcome's hazards, and their number. */
void rd_check_results_add_hazards(struct rd_results *results, struct rd_subject *subject,
                                  const json_t *outcome);

#endif
