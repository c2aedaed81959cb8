// SPDX-License-Identifier: MIT
/* Features of CUDA that the simulator does not know: some libraries, clusters, references as parameters of kernels. Code that uses it is compiled as a call that says so, so that the rest of a file can be
 * checked. */
#ifndef RD_CHECK_UNSIMULATED_H
#define RD_CHECK_UNSIMULATED_H

#include "check/source/rewrite.h"
#include "check/source/lexer.h"

/* The first that is used between these places of a file's text, also as one of its headers: "textures".
 * NULL: none. */
const char *rd_check_feature_on(const char *text, const char *at, const char *end);

/* Returns the feature that a text of any other kind names, as the compiler's errors do; NULL: none. */
const char *rd_check_feature_named(const char *said);

/* Changes that must be made in any case: what would compile here and mean something else. */
void rd_check_features_replace(struct rd_check_edits *edits, const char *text,
                               const struct rd_check_functions *functions);
/* Lines of a text that the compiler has refused, the first of them. */
struct rd_check_error_lines {
    unsigned all[64], n;
};

/* Changes without which the file does not compile: the bodies of functions with a use, and the
 * headers. False where there is none. What is told is the use at an error, in the body or of a header, if there is one; `errors`
 * may be NULL. */
bool rd_check_features_remove(struct rd_check_edits *edits, const char *text,
                              const struct rd_check_functions *functions,
                              const struct rd_check_error_lines *errors);

#endif
