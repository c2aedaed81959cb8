// SPDX-License-Identifier: MIT
/* Brackets and quotation marks that nothing closes, found in a text that the compiler has refused for it. */
#ifndef RD_CHECK_BRACKETS_H
#define RD_CHECK_BRACKETS_H

#include <stdbool.h>

struct rd_check_unclosed {
    const char *open;   /* the bracket or quotation mark */
    const char *before; /* where it should have been closed at the latest; NULL: the text's end */
};

/* Finds the first that nothing closes; of a brace, by the indentation of what closes it instead. Of the branches of an #if, the
 * first is read. False where all are closed. */
bool rd_check_unclosed_find(struct rd_check_unclosed *unclosed, const char *text);

#endif
