// SPDX-License-Identifier: MIT
/* A record of a run, to be examined afterwards: its result, each violation and hazard that was reported to
 * observers, and the text view's explanation of them.
 *
 * Thread safety: any thread may call these functions; a record serves one at a time. */
#ifndef RD_RUN_RECORD_H
#define RD_RUN_RECORD_H

#include "run.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Violations whose data are kept; the others are counted. */
enum { RD_RUN_RECORD_VIOLATIONS_MAX = 256 };

/* Results of a run. The record owns all that it points to, except what belongs to the program, as names of arrays. */
struct rd_run_record {
    struct rd_observer observer; /* fills the record; in a witness run, from all passes */
    struct rd_result result;     /* as passed to `end`; undefined unless `ended` */
    bool ended;                  /* `result` is set */
    size_t pass;                 /* in a witness run, the pass that began last; else 0 */
    /* Violations of steps and checkpoints, in the order of the run; the goal's behind them. */
    struct rd_violation *violations;
    size_t n_violations;
    uint64_t n_violated;       /* number of all violations, kept or not */
    struct rd_hazard *hazards; /* in the order of the run */
    size_t n_hazards;
    /* Several lines, the last of which is the summary; "" before the end. */
    const char *explanation;
    struct rd_run_record_memory *memory; /* private */
};

/* Sets up an empty record, whose observer can be passed to rd_run or rd_witness_run. It must not be moved before it is
 * finished. RD_ERROR_MEMORY. */
enum rd_status rd_run_record_init(struct rd_run_record *record, struct rd_error *error);
/* Frees what the record owns; a record of zeros is fine. */
void rd_run_record_finish(struct rd_run_record *record);

/* Runs the program with the record as its only observer. Statuses as for rd_run. The caller calls rd_run_record_finish
 * after RD_OK and RD_ERROR_INTERRUPTED, after which the record covers the steps until then. */
enum rd_status rd_run_record(const struct rd_run *run, struct rd_run_record *record,
                             struct rd_error *error);

/* Tells whether all rounds of the run were made. */
bool rd_run_record_is_whole(const struct rd_run *run, const struct rd_run_record *record);

/* Returns the first violation at this cell in the round, of the array under test or of one at a checkpoint; NULL if none
 * is kept. A violation of the goal counts as one of the last round. */
const struct rd_violation *rd_run_record_violation(const struct rd_run_record *record,
                                                   unsigned round, size_t cell);

/* Returns the first hazard of that kind at this element of the array, "A"; NULL if there is none. A NULL `array` stands
 * for any array and any element. */
const struct rd_hazard *rd_run_record_hazard(const struct rd_run_record *record,
                                             enum rd_hazard_kind kind, const char *array,
                                             int64_t index);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
