// SPDX-License-Identifier: MIT
/* A C compiler as a preprocessor. libclang reads what it makes: to libclang's C interface, all that a macro has made lies at one
 * place. Private to the readers of syntax. */
#ifndef RD_PROVE_PREPROCESS_H
#define RD_PROVE_PREPROCESS_H

#include "reductio/status.h"

#include <stdbool.h>
#include <stddef.h>

struct rd_preprocess_file {
    const char *path; /* "kernels/fold.cu" */
    const char *text;
};

struct rd_preprocessed {
    char *text;          /* with line markers; the caller frees it */
    char directory[264]; /* in front of the paths in the markers */
};

struct rd_preprocess {
    const struct rd_preprocess_file *files; /* at hand to be included */
    size_t n_files;
    const char *path;           /* of the one to read, among them */
    bool is_cpp;                /* C++ as clang reads it, else C */
    const char *folder;         /* optional: where "..." is looked for besides */
    const char *const *options; /* optional, up to NULL: more of the compiler's */
};

/* RD_ERROR_DEVICE: no compiler; RD_ERROR_IO; RD_ERROR_INPUT: it refuses, with its first message; RD_ERROR_USAGE: too many options;
 * RD_ERROR_MEMORY, RD_ERROR_INTERRUPTED. */
enum rd_status rd_preprocess(const struct rd_preprocess *what, struct rd_preprocessed *made,
                             struct rd_error *error);

#endif
