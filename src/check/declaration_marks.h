// SPDX-License-Identifier: MIT
/* Words of a declaration that mark it as one of the device's, or may do so as macros. Found without a compiler: a word that may
 * stand for a mark is doubtful. */
#ifndef RD_CHECK_DECLARATION_MARKS_H
#define RD_CHECK_DECLARATION_MARKS_H

#include "check/rewrite.h"

#include <stdbool.h>
#include <stddef.h>

struct rd_check_unit;

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

#endif
