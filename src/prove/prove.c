// SPDX-License-Identifier: MIT
#include "prove/prove.h"

#include <stdlib.h>
#include <string.h>

enum rd_status rd_prove_program(const struct rd_program *program, struct rd_proof *proof,
                                struct rd_error *error)
{
    struct rd_terms *terms = rd_terms_create();
    char *reason = strdup("its kernels are not read yet");
    if (!terms || !reason) {
        rd_terms_destroy(terms);
        free(reason);
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the proof of '%s'", program->name);
    }
    *proof = (struct rd_proof){.name = program->name, .terms = terms, .not_covered = reason};
    return RD_OK;
}
