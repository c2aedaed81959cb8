// SPDX-License-Identifier: MIT
/* A C compiler as a preprocessor. libclang reads what it makes: to libclang's C interface, all that a macro has made lies at one
 * place. Private to the readers of syntax. */
#ifndef RD_PROVE_PREPROCESS_H
#define RD_PROVE_PREPROCESS_H

#include "reductio/status.h"

#include <stddef.h>

struct rd_preprocess_file {
    const char *path; /* "kernels/fold.cu" */
    const char *text;
};

struct rd_preprocessed {
    char *text;          /* with line markers; the caller frees it */
    char directory[264]; /* in front of the paths in the markers */
};

/* Preprocesses the file of that path among these; the others are there to be included. RD_ERROR_DEVICE: no compiler; RD_ERROR_IO; RD_ERROR_INPUT:
 * it refuses, with its first message; RD_ERROR_MEMORY, RD_ERROR_INTERRUPTED. */
enum rd_status rd_preprocess(const struct rd_preprocess_file *files, size_t n_files,
                             const char *path, struct rd_preprocessed *made,
                             struct rd_error *error);

#endif
