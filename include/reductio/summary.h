// SPDX-License-Identifier: MIT
/* Sentences on how a run has ended.
 *
 * Thread safety: any thread may call these functions at any time. */
#ifndef RD_SUMMARY_H
#define RD_SUMMARY_H

#include "run.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Contents of the last line of a run. */
struct rd_summary {
    enum rd_verdict verdict;
    bool interrupted;
    const char *program;
    const char *type;
    const char *device;
    size_t n;
    unsigned steps;
    uint64_t checkpoints;    /* 0: not mentioned */
    struct rd_blocks blocks; /* those whose checkpoints were observed */
    uint64_t cells;
    unsigned hazards;
    unsigned schedules; /* under which launches were tried; 0: not mentioned */
    bool recorded;      /* the run is that of a trace, in which hazards can't be looked for */
    enum rd_hazards_by hazards_by;
    size_t hazards_n; /* n of the simulator's run beside the device's; 0: there was none */
};

enum { RD_SENTENCE_SIZE = 1536 };

/* "HOLDS fold n=8 i32 sim: 4 steps, 15 cells asserted, 0 hazards"; beside another device "0 hazards in the
 * simulator at n=8"; and if no device has looked for them, "hazards not looked for". Returns text. */
const char *rd_summary_text(const struct rd_summary *summary, char text[RD_SENTENCE_SIZE]);

/* "block 0, s = 4", or "block 0, warp 1, offset = 8". Returns text. */
const char *rd_place_text(const struct rd_place *place, const char *variable,
                          char text[RD_SENTENCE_SIZE]);

/* "mse = 0.25, where the exact value is 0.25: the error is 0, the bound allows 1e-07". Returns
 * text. */
const char *rd_outcome_text(const struct rd_outcome *outcome, char text[RD_SENTENCE_SIZE]);

/* "step 2, A[1]: expected 28, actual 22; 1 cell is wrong". Returns text. */
const char *rd_violation_text(const struct rd_violation *violation,
                              const struct rd_numeric *numeric, char text[RD_SENTENCE_SIZE]);

/* "hazard in round 1: illegal-launch: cudaErrorInvalidConfiguration: …". Returns text. */
const char *rd_hazard_text(const struct rd_hazard *hazard, char text[RD_SENTENCE_SIZE]);

/* Names the device that has looked for hazards, and its input; "" if it is the run's own device. Returns text. */
const char *rd_looked_text(const struct rd_result *result, size_t n, char text[RD_SENTENCE_SIZE]);

/* Says why a run is VIOLATED though its obligations are not: "VIOLATED for a hazard alone: ..."; "" for all other runs.
 * Returns text. */
const char *rd_hazards_alone_text(const struct rd_result *result, char text[RD_SENTENCE_SIZE]);

/* Says how far a float is from the exact sum, and how far it may be; "" if no bound applies. Returns
 * text. */
const char *rd_deviation_text(const struct rd_violation *violation, char text[RD_SENTENCE_SIZE]);

/* "A[1] should hold {1,5,9,13}; it holds {1,5,9}: 13 was lost in round 2"; where the evidence
 * is partial, "A[1] should hold {1,5,9,13} after round 2; it lacks 13 (and maybe more)". Returns
 * text. */
const char *rd_evidence_text(const struct rd_evidence *evidence, enum rd_operation operation,
                             char text[RD_SENTENCE_SIZE]);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
