// SPDX-License-Identifier: MIT
/* The source text of kernels and invariants, which is linked into the library: views show it beside the steps.
 * That of a kernel that a client has registered is in the file that it was compiled from, which is read once,
 * when it is asked for; no other file is.
 *
 * Thread safety: any thread may call these functions at any time. All texts are constant. */
#ifndef RD_SOURCES_H
#define RD_SOURCES_H

#include "program.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* A part of a source file. */
struct rd_source {
    const char *name; /* of the kernel or the program that the part defines */
    /* In the source tree, "kernels/fold.cu", or as a client's compiler was told it. */
    const char *path;
    const char *text;     /* of the whole file */
    unsigned first, last; /* the part's lines, 1-based, both included, with the comment over it */
};

/* Returns the source of the kernel of that name; NULL if there is none. */
const struct rd_source *rd_source_of_kernel(const char *name);

/* Says why there is none, in a clause for people: the file of a registered kernel can't be read or has changed
 * since, or there is no kernel of that name, as of one that only a trace names. */
void rd_source_explain_absence(const char *kernel, struct rd_error *why);

/* Returns a whole file of kernels, or a header that they share; `path` may be longer at its front than
 * that in the source tree; that of a registered kernel, as seen from any folder. NULL if there is none. */
const struct rd_source *rd_source_of_file(const char *path);

/* Returns the source of the invariant that the program asserts, with its proof; for a fault without an
 * invariant of its own, its twin's. NULL if there is none. */
const struct rd_source *rd_source_of_invariant(const struct rd_program *program);

/* Find the program's whole paragraph in the language of laws, and the sentence in it that is its claim after a round
 * (`place` NULL) or at a checkpoint; false if it has no claim there. */
void rd_source_of_law(const struct rd_program *program, struct rd_source *law);
bool rd_source_of_claim(const struct rd_program *program, const struct rd_place *place,
                        struct rd_source *claim);

/* Returns the source of the program's definition, with the text that explains it; a fault has its own. NULL if there is
 * none. */
const struct rd_source *rd_source_of_program(const struct rd_program *program);

/* Returns the line of that number in a text, 1-based; *length is without the line's end. NULL if the text has fewer. */
const char *rd_source_line(const char *text, unsigned number, size_t *length);

/* Counts the lines of a text. */
unsigned rd_source_lines(const char *text);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
