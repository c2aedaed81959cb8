// SPDX-License-Identifier: MIT
/* Proofs of programs: for every n, every shape and every input. */
#ifndef RD_PROVE_PROVE_H
#define RD_PROVE_PROVE_H

#include "prove/goal.h"
#include "reductio/program.h"

#include <signal.h>

struct rd_prove_options {
    const volatile sig_atomic_t *interrupted; /* optional: non-zero ends it */
    bool known_only; /* facts are those that the cache knows: no prover is started to find them */
    /* Optional: a kernel's file whose text is replaced, which makes a mutant. */
    const char *changed_file; /* "fold.cu"; NULL: none */
    const char *changed_text; /* read in its place */
};

/* Makes the goals of the program's proof, of which none is asked yet. *proof is overwritten; rd_proof_finish() frees it, and may
 * be called after an error, too. A program that can't be proved has `not_covered`, which is no error. `options` may be NULL.
 * RD_ERROR_IO: no libclang, with what to install, or a file that can't be written; RD_ERROR_DEVICE: no compiler to preprocess
 * kernels; RD_ERROR_MEMORY; RD_ERROR_INTERRUPTED. */
enum rd_status rd_prove_program(const struct rd_program *program,
                                const struct rd_prove_options *options, struct rd_proof *proof,
                                struct rd_error *error);

#endif
