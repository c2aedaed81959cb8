// SPDX-License-Identifier: MIT
/* Witness values: inputs chosen so that a cell's value names the inputs in it.
 *
 * In pass p (1, 2, …) the P inputs (p-1)*P, …, p*P - 1 get a digit each: input (p-1)*P + k has the
 * value 2^(digit_bits * k), all others 0, in u64. A sum of inputs then reads, digit by digit, as
 * how often each of these inputs is in it. A digit is wide enough for as many repeats as the
 * rounds can make, and a sign: each round at most doubles a count, so rounds + 2 bits.
 *
 * One of two inputs has digits and the other is all ones, so that a product is the factor with the
 * digit: first a has them, and then, in as many passes as that takes, b. A kernel that passes over b
 * is right in the first passes, and wrong in the others.
 *
 * By other operations than the sum, a pass marks inputs among others that are the identity: of bits 64, one each; of
 * products one, which is 2; of min and max one, which is 1. A product tells how often an input is there, xor whether an
 * odd number of times, and the others whether it is there at all, which is all that a result depends on.
 *
 * For a kernel that only adds, and in which no address and no branch depends on data, an invariant that
 * holds in every pass, and of which no count is as wrong as to look like another's, holds for every input of
 * that n, and of another operation likewise; of products with b, for every a where b is all ones, and for every b
 * where a is. premise.h says how that is tested, and more.
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
    size_t passes;     /* in all; */
    size_t passes_a;   /* in the first so many, digits are those of a, in the others those of b */
};

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
 * passes set. *result: the verdict over all passes, the steps of one pass, the cells of all, and
 * the premise; INCONCLUSIVE where they hold, and values decide something.
 *
 * Where all passes hold, and one of the premise's does not, the observers see that one alone, as the run that
 * it is, with pass 0; *result is of that one, and result->premise.numeric set.
 *
 * Statuses as for rd_run. */
enum rd_status rd_witness_run(const struct rd_run *run, const struct rd_observer *const *observers,
                              struct rd_result *result, struct rd_error *error);

/* Tells whether the violated cell should hold a sum of inputs that the invariant names, so that witness values
 * tell of it; and these inputs, by the definition. */
bool rd_witness_can_explain(const struct rd_program *program, const struct rd_violation *violation);
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
