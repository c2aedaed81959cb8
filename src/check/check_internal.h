// SPDX-License-Identifier: MIT
/* Hazards as JSON objects, as they stand in a report. */
#ifndef RD_CHECK_CHECK_INTERNAL_H
#define RD_CHECK_CHECK_INTERNAL_H

#include "base/exit_status.h"
#include "check/check.h"
#include "reductio/device.h"
#include "reductio/hazards.h"
#include "view/results.h"

struct rd_played_verdict;

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

/* A hazard that no device knows: it has happened once, and at no
 * place. */
struct rd_finding rd_check_hazard(const struct rd_check *check, enum rd_hazard_kind kind,
                                  const char *message);

/* The same in JSON, from its first sentence. */
json_t *rd_check_hazard_json(const struct rd_check *check, enum rd_hazard_kind kind,
                             const char *text);

/* "sum.cu:11:28" of a hazard's place; "" where its line is unknown. */
void rd_check_site_text(const json_t *hazard, size_t place, char *site, size_t size);
/* Writes the hazard's place, with a text before it; nothing where that is unknown. */
void rd_check_print_site(const json_t *hazard, const char *before, FILE *file);
/* Writes the hazards of an outcome as text, each in a line, or laid out in so many columns. */
void rd_check_print_hazards(const json_t *outcome, bool one_line, unsigned width, FILE *file);

/* ---- results.c, program_results.c: results for other programs ---- */

/* Adds the outcome's hazards, and their number. */
void rd_check_results_add_hazards(struct rd_results *results, struct rd_subject *subject,
                                  const json_t *outcome);
/* Adds what is known of an annotation. `self` is a struct rd_results. */
void rd_check_results_add_annotation(void *self, const struct rd_played_verdict *verdict);
/* Adds what `own`, the results of the run with the program's own inputs, has of violated annotations to the same ones. */
void rd_check_results_add_own(struct rd_results *results, const struct rd_results *own);
/* Adds the outcome of a program that was run whole. `judged`: an annotation was asserted. */
void rd_check_results_add_program(struct rd_results *results, const json_t *outcome, bool judged);

/* Says what a difference of the device heap is, in a clause. */
void rd_check_heap_difference_text(const json_t *difference, char *text, size_t size);

/* What the launch has left in the file's variables, of the child: {"name": {...}}. Pointers are not among them. */
json_t *rd_check_variables_json(struct rd_device *device);
/* The first variable that the runs have left otherwise, best one of numbers; NULL: none. */
json_t *rd_check_variable_difference(const struct rd_check_run *base,
                                     const struct rd_check_run *run);
/* Tells whether it is known to be a difference of numbers, not perhaps of addresses or padding. */
bool rd_check_is_of_values(const json_t *difference);
void rd_check_variable_difference_text(const json_t *difference, char *text, size_t size);

/* {"race": 2} of hazards, in the order in which they were first seen. */
json_t *rd_check_count_hazards(const json_t *hazards);
/* Leaves out all but the first max_errors hazards of an outcome; 0: none. */
void rd_check_cut(json_t *outcome, unsigned max_errors);

/* A folder of our own in that of temporary files; RD_ERROR_IO. */
enum rd_status rd_check_make_directory(char directory[256], struct rd_error *error);

/* The file's own variables, __device__, __constant__ and __managed__, in place of the host's code. */

/* Gives the loaded file's variables what --set says, and makes what host code would set, and nobody has
 * given, uninitialised. Simulated memory must be there. RD_ERROR_USAGE, RD_ERROR_MEMORY. */
enum rd_status rd_check_symbols_set(const struct rd_check *check, struct rd_device *device,
                                    const struct rd_file *file, struct rd_check_memories *memories,
                                    struct rd_error *error);

#endif
