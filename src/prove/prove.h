// SPDX-License-Identifier: MIT
/* Proofs of programs: for every n, every shape and every input. */
#ifndef RD_PROVE_PROVE_H
#define RD_PROVE_PROVE_H

#include "prove/goal.h"
#include "reductio/program.h"

/* Kernels other than the program's own. */
struct rd_prove_options {
    const char *changed_file,
        *changed_text; /* read in place of that file, "fold.cu": a mutant; NULL: of none */
};

/* Makes the goals of the program's proof, of which none is asked yet. *proof is overwritten, and rd_proof_finish() frees it. A program that can't be proved has
 * `not_covered`, and that is no error. `options` may be NULL. RD_ERROR_MEMORY; RD_ERROR_DEVICE: no libclang, with what to install. */
enum rd_status rd_prove_program(const struct rd_program *program,
                                const struct rd_prove_options *options, struct rd_proof *proof,
                                struct rd_error *error);

#endif
