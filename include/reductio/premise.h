// SPDX-License-Identifier: MIT
/* The premise of witness values: that a program only adds, and that values decide nothing in it.
 *
 * A program that makes sums alone of its inputs is linear modulo 2^w, w the width of the type: it is known
 * for every input once it is known how often each input is in each cell. Witness values tell that of a
 * linear program alone, and digit by digit. So the program runs on further values, whose every step is asserted
 * as always:
 *
 *   random     uniform in all bits, w = 64 and w = 32; two such inputs x and y, and their sum x + y
 *              modulo 2^w, of which all cells must then be linear; a second input, too, is random
 *   edges      the powers of two, and what lies next to them, of both signs; every input is 0, 1, -1, -2, each of the
 *              type's limits and 2^(w/2) in one of them
 *   ones, iota, powers
 *
 * A linear program that is wrong in a coefficient by an odd multiple of 2^t passes a random input with
 * probability 2^(t-w) (a sum of products that is: at most (w-t+2) 2^(t-w-1)). A program that is wrong for
 * a share q of all inputs, however it works, passes K independent ones with probability (1-q)^K;
 * K = RD_PREMISE_INDEPENDENT in each type. No number of passes rules out a small q: what is wrong for a single
 * value, say. For that a program has to look at the value. So in some passes, in the simulator, each
 * thread's accesses are compared with those of the other passes, cell by cell, and what its comparisons compare:
 * not how they end, so that one that no value of these passes has satisfied is seen as well.
 *
 * Thread safety: calls that use devices of their own may be made at once, on any threads; device.h says
 * what devices share. */
#ifndef RD_PREMISE_H
#define RD_PREMISE_H

#include "numeric.h"
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum {
    RD_DEPENDENCE_SIZE = 512,
    RD_PREMISE_VALUES_SIZE = 48,
    RD_PREMISE_INDEPENDENT = 32,
    RD_PREMISE_PASSES = 142
};

struct rd_run;
struct rd_result;
struct rd_observer;

/* The result. */
struct rd_premise {
    unsigned passes;      /* that were made and hold, in i32 and u64; 0: none */
    unsigned n_compared;  /* of these, those whose accesses were compared, */
    bool has_comparisons; /* and their comparisons: this build sees them */
                          /* The place at which a value decides something; "": none was seen. */
    char dependence[RD_DEPENDENCE_SIZE];
    /* The pass that does not hold: its type and its values, as for --values, or the sum of two such. NULL:
     * all hold. */
    const struct rd_numeric *numeric;
    char values[RD_PREMISE_VALUES_SIZE];
    /* This run was one of them: it ran in the simulator, by the build of the kernels that reports comparisons. */
    bool was_compared;
};

/* Makes the passes, until one does not hold; nobody observes them. `run` as for rd_witness_run. Statuses as for
 * rd_run. */
enum rd_status rd_premise_test(const struct rd_run *run, struct rd_premise *premise,
                               struct rd_error *error);

/* Makes the pass again that does not hold, observed as a run of its own. Statuses as for rd_run. */
enum rd_status rd_premise_run_failing(const struct rd_run *run, const struct rd_premise *premise,
                                      const struct rd_observer *const *observers,
                                      struct rd_result *result, struct rd_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
