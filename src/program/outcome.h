// SPDX-License-Identifier: MIT
/* Outcomes of programs that end with a number which the host computes from the kernels' sums: the exact number,
 * and the bound on the error that the roundings of the sums may cause. */
#ifndef RD_PROGRAM_OUTCOME_H
#define RD_PROGRAM_OUTCOME_H

#include "reductio/program.h"

/* The sum of many terms, to the last bits of a long double: the rounding of each addition is kept
 * (Neumaier, "Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen", 1974). */
struct rd_exact_sum {
    long double value, rest, weight; /* weight: the sum of the terms' magnitudes */
};

enum rd_exact_term { RD_AB, RD_AA, RD_BB, RD_SQUARED_DIFFERENCE };

/* The sum of a[j]*b[j], a[j]^2, b[j]^2 or (a[j]-b[j])^2, over all inputs. */
struct rd_exact_sum rd_exact_sum(const struct rd_expect *expect, enum rd_exact_term term);

/* The bound of a sum of floats with expect->height roundings on its longest path: g_h, see rd_deviation, and
 * what products may lose to underflow. Integers are exact. */
struct rd_rounding {
    long double relative, absolute;
};
struct rd_rounding rd_rounding_of(const struct rd_expect *expect);

/* Returns the bound on the distance of such a sum from the exact one. */
long double rd_off_by(const struct rd_rounding *rounding, const struct rd_exact_sum *sum);

/* Sets the outcome: the limit is widened by the host's own roundings, which are in double. */
void rd_tell_outcome(struct rd_outcome *outcome, const char *name, double actual, long double exact,
                     long double limit);

/* Notes in the outcome where the type cannot hold this sum of terms, which are called `term`. */
void rd_tell_overflow(struct rd_outcome *outcome, const struct rd_numeric *numeric,
                      const struct rd_exact_sum *sum, const char *term);

/* The cells that the host adds up, in the blocks' order: first, first + stride, … */
double rd_host_sum(const struct rd_expect *expect, const void *cells, size_t first, size_t stride);

#endif
