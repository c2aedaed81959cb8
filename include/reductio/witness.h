// SPDX-License-Identifier: MIT
/* Witness values: inputs chosen so that a cell's value names the inputs in it.
 *
 * In pass p (1, 2, …) the P inputs (p-1)*P, …, p*P - 1 get a digit each: input (p-1)*P + k has the
 * value 2^(digit_bits * k), all others 0, in u64. A sum of inputs then reads, digit by digit, as
 * how often each of these inputs is in it. A digit is wide enough for as many repeats as the
 * rounds can make, and a sign: each round at most doubles a count, so rounds + 2 bits.
 *
 * Of two inputs, one has digits and the other is all ones, so that a product is the factor with the
 * digit: first a has digits, then, in as many further passes as b needs, b. A kernel that ignores b
 * is right in the first passes, and wrong in the others.
 *
 * With operations other than the sum, a pass marks some inputs, and all others are the identity. Bit operations mark 64
 * inputs, one bit each; product marks one, as 2; min and max mark one, as 1. A product then counts an input, xor tells
 * whether it is there an odd number of times, and the others whether it is there at all, which is all that a result
 * depends on.
 *
 * For a kernel that only adds, and in which no address and no branch depends on data, an invariant that
 * holds in every pass holds for every input of that n, unless a digit overflows into its neighbour; the same goes for
 * other operations. With products of a and b it holds for every a if b is all ones, and for every b if a is all ones.
 * premise.h says how these conditions are tested.
 *
 * Thread safety: calls that use devices of their own may be made at once, on any threads; device.h says
 * what devices share. */
#ifndef RD_WITNESS_H
#define RD_WITNESS_H

#include "run.h"
#include "evidence.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The passes of a run of n elements. */
struct rd_witness_plan {
    enum rd_operation operation;
    unsigned digit_bits;
    unsigned per_pass; /* inputs a pass: P */
    size_t passes;     /* in all */
    size_t passes_a;   /* the first of them, in which a has the digits; in the others b has them */
};

/* Plans the passes for a run of that shape and operation. */
void rd_witness_plan(const struct rd_program *program, const struct rd_shape *shape,
                     enum rd_operation operation, struct rd_witness_plan *plan);

/* Fills a[0..n), or b[0..n), with the values of pass `pass`, 1-based. */
void rd_witness_fill(const struct rd_witness_plan *plan, size_t pass, size_t n, uint64_t *a);
void rd_witness_fill_b(const struct rd_witness_plan *plan, size_t pass, size_t n, uint64_t *b);

/* Returns the multiplicity of input `index` in a cell, by the cell's value in the pass of that input; 1 or 0 with an
 * operation that can't count. */
uint64_t rd_witness_count(const struct rd_witness_plan *plan, size_t index, uint64_t value);

/* Tests the premise, and runs all passes, until one is not HOLDS. `run` gives program, n, block, frame, device and
 * operation; its type must be u64, its inputs are not used. The observers see each pass as a run, with pass and
 * passes set. *result has the verdict over all passes, the steps of one pass, the cells of all, and
 * the premise; it is INCONCLUSIVE if the passes hold, but an address or a branch depends on values.
 *
 * If all passes hold, and one of the premise's does not, the observers see the latter alone, as a run with
 * pass 0; *result is that run's, and result->premise.numeric is set.
 *
 * Statuses as for rd_run. */
enum rd_status rd_witness_run(const struct rd_run *run, const struct rd_observer *const *observers,
                              struct rd_result *result, struct rd_error *error);

/* Tells whether the program's cells are sums of inputs, so that witness values can explain a violation. */
bool rd_witness_can_explain(const struct rd_program *program);
/* Finds the inputs of which the violated cell should hold the sum, by the definition. */
void rd_witness_expected(const struct rd_program *program, const struct rd_shape *shape,
                         const struct rd_violation *violation, struct rd_input_set *set);

/* Finds out which inputs are in the violated cell, by runs with witness values up to that step, on
 * the run's device: a group test halves the input until the passes that differ are found.
 * Statuses as for rd_run; RD_ERROR_INPUT where the violation does not show again. */
enum rd_status rd_witness_explain(const struct rd_run *run, const struct rd_violation *violation,
                                  struct rd_evidence *evidence, struct rd_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
