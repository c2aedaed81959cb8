// SPDX-License-Identifier: MIT
/* The premise of witness values: the program only adds, and no address or branch in it depends on values.
 *
 * A program that only adds its inputs is linear modulo 2^w, w the width of the type: its result on
 * every input follows from the multiplicity of each input in each cell. Witness values find these
 * multiplicities, digit by digit, but only in a linear program. So the program also runs on further values, on which
 * every step is asserted as always:
 *
 *   random     uniform in all bits, w = 64 and w = 32; two such inputs x and y, and their sum x + y
 *              modulo 2^w, of which all cells must then be linear; a second input, too, is random
 *   edges      the powers of two and their neighbours, of both signs; in some pass each input is 0, 1, -1, -2, each of
 *              the type's limits and 2^(w/2)
 *   ones, iota, powers
 *
 * A linear program that is wrong in a coefficient by an odd multiple of 2^t passes a random input with
 * probability 2^(t-w) (a sum of products that is: at most (w-t+2) 2^(t-w-1)). A program that is wrong for
 * a share q of all inputs, however it works, passes K independent ones with probability (1-q)^K;
 * K = RD_PREMISE_INDEPENDENT in each type. No number of passes rules out a small q, as that of a program that is wrong
 * for a single value. Such a program has to compare the value with something. So some passes, in the simulator, compare
 * each thread's accesses with those of the other passes, cell by cell, and the operands of its comparisons. Operands show
 * a dependence on values also if no value of these passes satisfies the comparison.
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

/* Result of testing the premise. */
struct rd_premise {
    unsigned passes;      /* number of passes that hold, in i32 and u64 */
    unsigned n_compared;  /* number of these whose accesses were compared */
    bool has_comparisons; /* their comparisons were compared, too, as this build reports them */
    /* A place at which an address or a branch depends on a value; "": none was seen. */
    char dependence[RD_DEPENDENCE_SIZE];
    /* The pass that does not hold: its type and its values, as for --values, or the sum of two such. NULL:
     * all hold. */
    const struct rd_numeric *numeric;
    char values[RD_PREMISE_VALUES_SIZE];
    /* This run's accesses were compared: it ran in the simulator, by the build of the kernels that reports comparisons. */
    bool was_compared;
};

/* Makes the passes, until one does not hold; they have no observers. `run` as for rd_witness_run. Statuses as for
 * rd_run. */
enum rd_status rd_premise_test(const struct rd_run *run, struct rd_premise *premise,
                               struct rd_error *error);

/* Repeats the pass that does not hold, observed as a run. Statuses as for rd_run. */
enum rd_status rd_premise_run_failing(const struct rd_run *run, const struct rd_premise *premise,
                                      const struct rd_observer *const *observers,
                                      struct rd_result *result, struct rd_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
