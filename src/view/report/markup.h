// SPDX-License-Identifier: MIT
/* Writing markup: whatever text comes from a trace, it stays text. Private to src/view. */
#ifndef RD_VIEW_MARKUP_H
#define RD_VIEW_MARKUP_H

#include "reductio/status.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* Text that grows. Begins as {0}; free(data) ends it. A failed allocation is remembered and makes
 * all that follows do nothing. */
struct rd_markup {
    char *data; /* NUL-terminated once anything was written */
    size_t size, capacity;
    bool failed;
};

/* Takes back all beyond the first `size` bytes. */
void rd_markup_cut(struct rd_markup *to, size_t size);

/* Markup as it stands. */
void rd_markup_raw(struct rd_markup *to, const char *markup);
void rd_markup_format(struct rd_markup *to, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Text, for the content of an element or between the quotes of an attribute, in HTML and in XML.
 * Bytes that are not UTF-8, and characters that are no text, become U+FFFD: see base/utf8.h. */
void rd_markup_text(struct rd_markup *to, const char *text);
void rd_markup_text_of(struct rd_markup *to, const char *text, size_t length);

/* JSON for the content of a script element: no character in it can end the element or begin a
 * comment. */
void rd_markup_json(struct rd_markup *to, const json_t *value);

/* A JSON string of any bytes, mended as rd_markup_text does. */
json_t *rd_markup_string(const char *text);

#endif
