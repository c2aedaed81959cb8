// SPDX-License-Identifier: MIT
/* Proofs of programs: for every n, every shape and every input. */
#ifndef RD_PROVE_PROVE_H
#define RD_PROVE_PROVE_H

#include "prove/logic/proof.h"
#include "reductio/program.h"

#include <signal.h>

struct rd_prover_pool;

struct rd_prove_options {
    struct rd_prover_pool *pool;              /* optional: provers that others ask, too */
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

/* The same for a user's CUDA program with annotations: for every value of the numbers that its `requires` and the
 * sizes of its inputs name, where they are set to a literal. A file that can't be read by the prover has
 * `not_covered`. RD_ERROR_INPUT: there is no such file, or an annotation is wrong; else as above. `compiler_options`
 * (optional, up to NULL): "-DN=3". */
enum rd_status rd_prove_file(const char *path, const char *const *compiler_options,
                             const struct rd_prove_options *options, struct rd_proof *proof,
                             struct rd_error *error);

#endif
