// SPDX-License-Identifier: MIT
/* What the text of a unit is made of. Private to this folder. */
#ifndef RD_CHECK_UNIT_INTERNAL_H
#define RD_CHECK_UNIT_INTERNAL_H

#include "check/unit/unit.h"

/* ---- said_launches.c ---- */

/* Has macros of the text that make strings of launches, which some text of the unit's gives them, say the launches as they stand
 * there. */
void rd_check_said_launches_replace(struct rd_check_edits *edits, const struct rd_check_unit *unit,
                                    const char *text);

/* ---- declaration_marks.c ---- */

/* Words of a declaration that mark it as one of the device's, or may do so as macros. Found without a compiler: a word that may
 * stand for a mark is doubtful. */
struct rd_check_marks {
    const struct rd_check_unit *unit;
    bool knows_macros; /* false: an option includes a file that is not read, and nothing is sure */
    /* False: some header is not read, and a word that is no known type's is doubtful. */
    bool knows_headers;
    struct rd_check_names defined; /* macros of the texts and of the command line */
    /* Types that the texts define, in capitals or not: no macro has their names. */
    struct rd_check_names types;
    struct rd_check_names type_macros, other_macros; /* those that have been looked up */
};

void rd_check_marks_init(struct rd_check_marks *marks, const struct rd_check_unit *unit);
/* Tells whether there was no memory for a name. */
bool rd_check_marks_failed(const struct rd_check_marks *marks);
void rd_check_marks_finish(struct rd_check_marks *marks);

/* Tells whether a word up to `end` may stand for a mark. */
bool rd_check_marks_are_doubtful(struct rd_check_marks *marks, const char *at, const char *end);
/* Tells whether a word up to `end` is a mark, or says that what is declared is no plain variable. */
bool rd_check_marks_are_there(const char *at, const char *end);

/* ---- host_sets.c ---- */

/* A line "NAME@FILE:LINE" for each variable that host code may set, with the place where it does: by
 * cudaMemcpyToSymbol or its like, also in a function or a macro that passes it on, by the address that
 * cudaGetSymbolAddress gives, or, of managed memory, by an assignment. In the file and in those that it
 * includes by quotation marks. NAME may also be a word that is no variable's. The caller frees it; NULL
 * where there is no memory. */
char *rd_check_host_sets_find(const struct rd_check_unit *unit);

/* ---- host_variables.c ---- */

/* Writes the strings of a section that the loader reads, each with a NUL behind it: "=n::x" is a variable outside of functions,
 * ">f x" a static one in functions f of the host's. "-x" takes back all names x, of this
 * unit and of others: there may be an x of the device's. A name that has a "-x" itself stands behind a "~". False
 * without memory. */
bool rd_check_host_variables_write(const struct rd_check_unit *unit, FILE *file);

#endif
