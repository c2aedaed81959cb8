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

/* Macros that tell a text who reads it. */
enum rd_preprocess_as {
    RD_PREPROCESS_C,
    RD_PREPROCESS_CLANG, /* C++, as clang reads it */
    RD_PREPROCESS_HOST, /* C++, as nvcc has it compiled for the host, by the compiler that is there */
    RD_PREPROCESS_DEVICE, /* likewise, for the device */
};

struct rd_preprocess {
    const struct rd_preprocess_file *files; /* at hand to be included */
    size_t n_files;
    const char *path; /* of the one to read, among them */
    enum rd_preprocess_as as;
    const char *folder;         /* optional: where "..." is looked for besides */
    const char *const *options; /* optional, up to NULL: more of the compiler's */
};

/* RD_ERROR_DEVICE: no compiler; RD_ERROR_IO; RD_ERROR_INPUT: it refuses, with its first message; RD_ERROR_USAGE: too many options;
 * RD_ERROR_MEMORY, RD_ERROR_INTERRUPTED. */
enum rd_status rd_preprocess(const struct rd_preprocess *what, struct rd_preprocessed *made,
                             struct rd_error *error);

/* Looks whether what clang reads is what nvcc has compiled, for the host and for a device of sm_90, but for the system's headers.
 * RD_ERROR_INPUT: it isn't, with the first line that differs; or as rd_preprocess_look() of one of the program's files. Or an error
 * of rd_preprocess(). */
enum rd_status rd_preprocess_compare(const struct rd_preprocess *what,
                                     const struct rd_preprocessed *by_clang,
                                     struct rd_error *error);

/* RD_ERROR_INPUT: a text of the program's has #line or a line marker, behind which code would be taken for another file's, or a
 * name with the prefix of the prover's own. */
enum rd_status rd_preprocess_look(const char *path, const char *text, struct rd_error *error);

/* Folders in which the compiler looks for headers whatever its options and the environment are, but for /usr/local/include. */
struct rd_system_folders {
    char *all[32]; /* without links in them */
    size_t n;
};

/* RD_ERROR_DEVICE, RD_ERROR_IO or RD_ERROR_INPUT: the compiler can't be asked. Finished also after an error. */
enum rd_status rd_system_folders_init(struct rd_system_folders *folders, struct rd_error *error);
/* Tells whether a file lies in one of them, or below; links are followed. */
bool rd_system_folders_have(const struct rd_system_folders *folders, const char *file);
void rd_system_folders_finish(struct rd_system_folders *folders);

#endif
