// SPDX-License-Identifier: MIT
/* CUDA's headers for the prover: those that `reductio run` has. Private to the readers of syntax. */
#ifndef RD_PROVE_CUDA_HEADERS_H
#define RD_PROVE_CUDA_HEADERS_H

#include "base/texts.h"
#include "prove/syntax/preprocess.h"

/* Lists those whose names occur in a text, as files in a folder "cuda", `most` at most; all of them where a text asks by __has_include
 * which there are. Returns how many. The paths are kept in `names`. */
size_t rd_cuda_headers(struct rd_texts *names, const char *text, struct rd_preprocess_file *files,
                       size_t most);

/* Returns the name of the one that an error of the compiler's says is missing, or NULL. */
const char *rd_cuda_header_missing(const struct rd_error *error);

/* Tells whether a file of the program's that was included asks by __has_include which headers there are. */
bool rd_cuda_headers_are_asked_for(const struct rd_preprocessed *made);

/* RD_ERROR_INPUT, with the macro, where a condition of the user's files asks for one that a run has by such a header, and the prover
 * has not: it would read another program. */
enum rd_status rd_cuda_headers_check_macros(const struct rd_preprocessed *made,
                                            struct rd_error *error);

/* The text of one of the prover's own: "prove_cuda.h". */
const char *rd_cuda_header_own(const char *name);

/* Adds to an error of the compiler's which of them may not be covered, where it is of a name of theirs. */
void rd_cuda_headers_explain(const struct rd_preprocessed *made, struct rd_error *error);

#endif
