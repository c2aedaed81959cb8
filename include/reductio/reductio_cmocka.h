// SPDX-License-Identifier: MIT
/* Assertions for tests with cmocka. Each makes the run that it is passed, a const struct rd_run *, and fails with the
 * caller's file and line and with the text view's explanation of the violation and the hazards. A run that can't be made,
 * or that was interrupted, fails, too; INCONCLUSIVE never counts as HOLDS. */
#ifndef RD_REDUCTIO_CMOCKA_H
#define RD_REDUCTIO_CMOCKA_H

#include "hazards.h"
#include "run_record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" { /* cmocka.h doesn't say so itself */
#endif
#include <cmocka.h>

/* Asserts that initialization, preservation and exit hold: the law is true at first, each round keeps it, and the goal is
 * reached. Hazards are not asked for. */
#define rd_assert_law_holds(run) rd_cmocka_law_holds(run, __FILE__, __LINE__)

/* Asserts that there was a step, and that no step or checkpoint that was asserted is violated or INCONCLUSIVE. Whether
 * the goal is reached is not asked for. */
#define rd_assert_every_step_holds(run) rd_cmocka_every_step_holds(run, __FILE__, __LINE__)

/* Asserts that the cell is wrong after the round, 0 being before the first: that it is among the first
 * RD_RUN_RECORD_VIOLATIONS_MAX violations that are told, one a step or checkpoint, each of its first wrong cell. */
#define rd_assert_violated_at(run, round, cell)                                                    \
    rd_cmocka_violated_at(run, round, cell, __FILE__, __LINE__)

/* Asserts that hazards were looked for, in all rounds, and that there was none. */
#define rd_assert_no_hazard(run) rd_cmocka_no_hazard(run, __FILE__, __LINE__)

/* Asserts that there was a hazard of this kind, an enum rd_hazard_kind, at that element of the array, "A"; a NULL for the
 * array is any place. */
#define rd_assert_hazard(run, kind, array, index)                                                  \
    rd_cmocka_hazard(run, kind, array, index, __FILE__, __LINE__)

/* ---- implementation of the assertions ---- */

/* Makes the run, or fails. */
static inline void rd_cmocka_record(const struct rd_run *run, struct rd_run_record *record,
                                    const char *file, int line)
{
    struct rd_error error = {""};
    enum rd_status status = rd_run_record(run, record, &error);
    if (status == RD_OK)
        return;
    if (status == RD_ERROR_INTERRUPTED)
        rd_run_record_finish(record);
    print_error("ERROR: %s could not be run: %s\n", run->program ? run->program->name : "the run",
                error.text);
    _fail(file, line);
}

/* Finishes the record; fails with `asserted` and the explanation unless `good`. */
static inline void rd_cmocka_end(struct rd_run_record *record, bool good, const char *asserted,
                                 const char *file, int line)
{
    if (!good)
        print_error("ERROR: %s\n%s\n", asserted, record->explanation);
    rd_run_record_finish(record);
    if (!good)
        _fail(file, line);
}

static inline void rd_cmocka_law_holds(const struct rd_run *run, const char *file, int line)
{
    struct rd_run_record record;
    bool good = true;
    rd_cmocka_record(run, &record, file, line);
    for (int k = 0; k < RD_OBLIGATION_COUNT; k++)
        good = good && record.result.obligations[k] == RD_HOLDS;
    rd_cmocka_end(&record, good, "the law does not hold", file, line);
}

static inline void rd_cmocka_every_step_holds(const struct rd_run *run, const char *file, int line)
{
    struct rd_run_record record;
    rd_cmocka_record(run, &record, file, line);
    bool good = record.result.steps > 0 && !record.result.truncated && !record.result.missing &&
                record.result.obligations[RD_INITIALIZATION] == RD_HOLDS &&
                record.result.obligations[RD_PRESERVATION] == RD_HOLDS;
    rd_cmocka_end(&record, good, "not every step holds", file, line);
}

static inline void rd_cmocka_violated_at(const struct rd_run *run, unsigned round, size_t cell,
                                         const char *file, int line)
{
    struct rd_run_record record;
    char asserted[96];
    rd_cmocka_record(run, &record, file, line);
    snprintf(asserted, sizeof asserted, "cell %zu is not the first wrong one of round %u", cell,
             round);
    bool good = rd_run_record_violation(&record, round, cell) != NULL;
    rd_cmocka_end(&record, good, asserted, file, line);
}

static inline void rd_cmocka_no_hazard(const struct rd_run *run, const char *file, int line)
{
    struct rd_run_record record;
    rd_cmocka_record(run, &record, file, line);
    bool found = record.result.hazards > 0;
    bool looked =
        rd_hazards_looked_for(record.result.hazards_by) && rd_run_record_is_whole(run, &record);
    rd_cmocka_end(&record, looked && !found,
                  found    ? "there is a hazard"
                  : looked ? ""
                           : "hazards were not looked for, or not in all rounds",
                  file, line);
}

static inline void rd_cmocka_hazard(const struct rd_run *run, enum rd_hazard_kind kind,
                                    const char *array, int64_t index, const char *file, int line)
{
    struct rd_run_record record;
    char asserted[160];
    rd_cmocka_record(run, &record, file, line);
    if (array)
        snprintf(asserted, sizeof asserted, "no hazard %s at %s[%lld]", rd_hazard_name(kind), array,
                 (long long)index);
    else
        snprintf(asserted, sizeof asserted, "no hazard %s", rd_hazard_name(kind));
    bool good = rd_run_record_hazard(&record, kind, array, index) != NULL;
    rd_cmocka_end(&record, good, asserted, file, line);
}

#ifdef __cplusplus
}
#endif
#endif
