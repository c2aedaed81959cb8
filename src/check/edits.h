// SPDX-License-Identifier: MIT
/* Changes to a file's text that leave all else on its line and in its column. */
#ifndef RD_CHECK_EDITS_H
#define RD_CHECK_EDITS_H

#include <stdbool.h>
#include <stddef.h>

struct rd_check_edit {
    const char *from, *to;
    char *text;
};

/* Begins as {0}. */
struct rd_check_edits {
    struct rd_check_edit *all;
    size_t n, capacity;
    bool failed; /* there was no memory for one */
};

/* What stands from `from` up to `to` is to be this. */
void rd_check_edits_add(struct rd_check_edits *edits, const char *from, const char *to,
                        const char *format, ...) __attribute__((format(printf, 4, 5)));
void rd_check_edits_finish(struct rd_check_edits *edits);

/* The text as it is then; the caller frees it. What lies in another edit is left out. NULL where
 * there is no memory. */
char *rd_check_edits_apply(struct rd_check_edits *edits, const char *text);

#endif
