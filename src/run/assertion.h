// SPDX-License-Identifier: MIT
/* Makes verdicts of comparisons, for live runs and recorded traces alike. */
#ifndef RD_RUN_ASSERTION_H
#define RD_RUN_ASSERTION_H

#include "reductio/run.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An rd_comparison in which nothing has been found yet. */
struct rd_comparison rd_comparison_none(void);

/* A state: the whole array, or the live cells of a claim only, compactly. */
struct rd_state_view {
    const void *cells;
    size_t n_cells;
    bool whole;
    bool no_frame; /* dead cells may be anything */
    double widest; /* the widest bound that its live cells were held to: see struct rd_comparison */
};

/* The value of array cell `cell` in the state; the cell must be in it. */
rd_bits rd_state_cell(const struct rd_state_view *state, const struct rd_expect *expect,
                      const struct rd_claim *claim, size_t cell);

/* The verdict of a step, from what comparing its live cells has found; where the state is the whole
 * array, the frame is asserted too. INCONCLUSIVE where the claim has no live cell. *violation is
 * set where VIOLATED: a live cell with the wrong bits before one outside the bound, and that before
 * a dead cell that changed. */
enum rd_verdict rd_assert_step(const struct rd_expect *expect, unsigned step,
                               const struct rd_claim *claim, const struct rd_comparison *found,
                               const struct rd_state_view *state, struct rd_violation *violation);

/* The law of a recorded loop may claim no cell at some steps, as that of a prefix does at first: there it is true.
 * Returns the verdict of such a step, which rd_assert_step() leaves open; that of another as it is. */
enum rd_verdict rd_verdict_of_claim(const struct rd_program *program, const struct rd_claim *claim,
                                    enum rd_verdict verdict);
/* Leaves all open if the law of a recorded loop has claimed no cell at any step: nothing was asserted. Returns whether it has. */
bool rd_obligations_of_no_cell(const struct rd_program *program, size_t n_cells,
                               enum rd_verdict obligations[RD_OBLIGATION_COUNT]);

/* Tells whether the cell of an asserted state is not as it must be: a live one by its bits and its bound, a dead
 * one by what it was when it was live last. The cells that this is true of are those that a violation
 * counts. */
bool rd_cell_is_wrong(const struct rd_expect *expect, const struct rd_claim *claim, size_t cell,
                      rd_bits value);

/* The verdict of the goal, on the state after the last round. A sum of floats must lie within the
 * bound of the exact sum; INCONCLUSIVE where one of them is infinite or NaN and they differ.
 * *outcome is set where the program ends with a number; else only the limit of its deviation, to the bound of what is asserted, where
 * there is one. */
enum rd_verdict rd_assert_goal(const struct rd_program *program, const struct rd_expect *expect,
                               unsigned step, const struct rd_claim *claim,
                               const struct rd_state_view *state, struct rd_violation *violation,
                               struct rd_outcome *outcome);

/* The verdict of several: the worst, VIOLATED before INCONCLUSIVE before HOLDS. */
enum rd_verdict rd_verdict_worst(enum rd_verdict x, enum rd_verdict y);
/* Makes INCONCLUSIVE of HOLDS: a round that never ends, or is stopped, has no step that could tell. */
void rd_verdict_leave_open(enum rd_verdict *verdict);
/* Leaves open all that holds, as memory was left to chance. */
void rd_obligations_doubt(enum rd_verdict obligations[RD_OBLIGATION_COUNT]);
/* Leaves open what holds so far of a run that was stopped: of rounds or passes that were not made nothing is known. */
void rd_obligations_leave_open(enum rd_verdict obligations[RD_OBLIGATION_COUNT], bool all_rounds,
                               bool all_passes);

/* The verdict on preservation by a round that ends with that one: it fails unless the invariant was false
 * before the round (not `held`). From that nothing follows, and a false one behind it is INCONCLUSIVE.
 * So is a true one behind a round that is `undefined`: another run of it may end otherwise. */
enum rd_verdict rd_verdict_of_round(bool held, bool undefined, enum rd_verdict verdict);

#ifdef __cplusplus
}
#endif
#endif
