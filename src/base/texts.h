// SPDX-License-Identifier: MIT
/* Copies of texts that all live until they go together. */
#ifndef RD_BASE_TEXTS_H
#define RD_BASE_TEXTS_H

#include <stdbool.h>

/* Begins as {0}. */
struct rd_texts {
    struct rd_texts_page *pages;
    bool failed; /* there was no memory for one of them */
};

/* Returns a copy; NULL of NULL, and without memory, where `failed` is set. */
const char *rd_texts_keep(struct rd_texts *texts, const char *text);
/* Returns the formatted text, or NULL likewise. */
const char *rd_texts_format(struct rd_texts *texts, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void rd_texts_finish(struct rd_texts *texts);

#endif
