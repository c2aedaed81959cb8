// SPDX-License-Identifier: MIT
/* A record of a run, for those who look at it afterwards: its result, each violation and hazard that its observers
 * were told, and the explanation that the text view prints of them. */
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
    struct rd_observer observer; /* fills the record; of a witness run, from all passes */
    struct rd_result result;     /* as `end` was told; undefined where there was none */
    bool ended;                  /* `result` is set */
    size_t pass;                 /* of a witness run, the one last begun; else 0 */
    struct rd_violation
        *violations; /* of steps and checkpoints, in the order of the run; the goal's behind them */
    size_t n_violations;
    uint64_t n_violated;       /* those that are not kept included */
    struct rd_hazard *hazards; /* in the order of the run */
    size_t n_hazards;
    const char
        *explanation; /* several lines, the last of which is the summary; "" before the end */
    struct rd_run_record_memory *memory; /* private */
};

/* Makes an empty record, whose observer goes with rd_run or rd_witness_run; it stays where it is until it is finished.
 * RD_ERROR_MEMORY. */
enum rd_status rd_run_record_init(struct rd_run_record *record, struct rd_error *error);
/* One that is all zeros has nothing to finish. */
void rd_run_record_finish(struct rd_run_record *record);

/* Runs the program with nobody else to observe it. Statuses as for rd_run; there is nothing to finish after any but
 * RD_OK and RD_ERROR_INTERRUPTED, the record of which is of what had been asserted until then. */
enum rd_status rd_run_record(const struct rd_run *run, struct rd_run_record *record,
                             struct rd_error *error);

/* Tells whether all rounds of the run were made. */
bool rd_run_record_is_whole(const struct rd_run *run, const struct rd_run_record *record);

/* The first violation at this cell in the round, of the array under test or of one at a checkpoint; NULL where none is
 * kept. The goal's counts as one of the last round. */
const struct rd_violation *rd_run_record_violation(const struct rd_run_record *record,
                                                   unsigned round, size_t cell);

/* The first hazard of that name, "race", at this element of the array, "A"; NULL where there is none. An `array` of NULL is
 * any array and any element. */
const struct rd_hazard *rd_run_record_hazard(const struct rd_run_record *record, const char *name,
                                             const char *array, int64_t index);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
