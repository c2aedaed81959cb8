// SPDX-License-Identifier: MIT
/* The source text of kernels and invariants, which is part of the library: views show it beside
 * what it does. That of a kernel that a client has registered is in the file that it was compiled
 * from, which is read once, when it is asked for; no other file is.
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
    const char *name;     /* of what it defines: a kernel or a program */
    const char *path;     /* in the source tree, or as a client's compiler was told it */
    const char *text;     /* of the whole file */
    unsigned first, last; /* the part's lines, 1-based, both included; its comment with it */
};

/* The kernel of that name; NULL where there is none. */
const struct rd_source *rd_source_of_kernel(const char *name);

/* Says why there is none, in a clause for people: the file of a registered kernel can't be read or has changed since, or
 * there is no kernel of that name, as of one that only a trace names. */
void rd_source_explain_absence(const char *kernel, struct rd_error *why);

/* The whole file of kernels, or of what they share; the path may have folders before that in the
 * source tree; that of a registered kernel, as seen from any folder. NULL where there is none. */
const struct rd_source *rd_source_of_file(const char *path);

/* The invariant that the program asserts, with its proof. Where a fault keeps to the invariant of
 * its twin, it is the twin's. NULL where there is none. */
const struct rd_source *rd_source_of_invariant(const struct rd_program *program);

/* The program's paragraph in the language of laws, all of it, and the sentence in it that is its claim after a round
 * (`place` NULL) or at a checkpoint. False where it says nothing there. */
void rd_source_of_law(const struct rd_program *program, struct rd_source *law);
bool rd_source_of_claim(const struct rd_program *program, const struct rd_place *place,
                        struct rd_source *claim);

/* The program itself, with the text that explains it; of a fault its own. NULL where there is
 * none. */
const struct rd_source *rd_source_of_program(const struct rd_program *program);

/* The line of that number in a text, 1-based, without its end; NULL where the text has fewer. */
const char *rd_source_line(const char *text, unsigned number, size_t *length);

/* Counts the lines of a text. */
unsigned rd_source_lines(const char *text);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
