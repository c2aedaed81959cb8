// SPDX-License-Identifier: MIT
#include "view/report/markup.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void add(struct rd_markup *to, const char *bytes, size_t length)
{
    if (to->failed)
        return;
    if (to->capacity - to->size <= length) {
        size_t capacity = 2 * to->capacity + length + 4096;
        char *data = realloc(to->data, capacity);
        if (!data) {
            to->failed = true;
            return;
        }
        to->data = data;
        to->capacity = capacity;
    }
    memcpy(to->data + to->size, bytes, length);
    to->size += length;
    to->data[to->size] = '\0';
}

void rd_markup_cut(struct rd_markup *to, size_t size)
{
    if (size >= to->size)
        return;
    to->size = size;
    to->data[size] = '\0';
}

void rd_markup_raw(struct rd_markup *to, const char *markup)
{
    add(to, markup, strlen(markup));
}

void rd_markup_format(struct rd_markup *to, const char *format, ...)
{
    char text[1024];
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length >= 0 && (size_t)length < sizeof text) {
        add(to, text, (size_t)length);
    } else if (length >= 0) {
        char *longer = malloc((size_t)length + 1);
        if (longer) {
            vsnprintf(longer, (size_t)length + 1, format, again);
            add(to, longer, (size_t)length);
        }
        to->failed |= !longer;
        free(longer);
    }
    va_end(again);
}

/* How many bytes the character at `text` has, at most `length`; 0 where it is no UTF-8, or a
 * character that neither XML nor HTML may contain. */
static size_t character(const unsigned char *text, size_t length)
{
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char lead = text[0];
    if (lead < 0x80)
        return (lead >= 0x20 && lead != 0x7f) || lead == '\n' || lead == '\t' ? 1 : 0;
    size_t size = lead >= 0xc0 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3 : 4;
    if (lead < 0xc0 || lead >= 0xf8 || size > length)
        return 0;
    unsigned code = lead & (0x7fU >> size);
    for (size_t k = 1; k < size; k++) {
        if ((text[k] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (text[k] & 0x3f);
    }
    bool surrogate = code >= 0xd800 && code < 0xe000;
    bool control = code < 0xa0 || (code & 0xfffe) == 0xfffe || (code >= 0xfdd0 && code < 0xfdf0);
    return code < least[size] || code > 0x10ffff || surrogate || control ? 0 : size;
}

static const char *entity(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    }
    return NULL;
}

void rd_markup_text_of(struct rd_markup *to, const char *text, size_t length)
{
    for (size_t k = 0; k < length;) {
        size_t size = character((const unsigned char *)text + k, length - k);
        const char *instead = size == 0 ? "\xef\xbf\xbd" : entity(text[k]);
        if (instead)
            rd_markup_raw(to, instead);
        else
            add(to, text + k, size);
        k += size ? size : 1;
    }
}

void rd_markup_text(struct rd_markup *to, const char *text)
{
    rd_markup_text_of(to, text, strlen(text));
}

json_t *rd_markup_string(const char *text)
{
    struct rd_markup mended = {0};
    json_t *string = NULL;
    for (size_t k = 0, length = strlen(text); k < length;) {
        size_t size = character((const unsigned char *)text + k, length - k);
        add(&mended, size ? text + k : "\xef\xbf\xbd", size ? size : 3);
        k += size ? size : 1;
    }
    if (!mended.failed)
        string = json_string(mended.data ? mended.data : "");
    free(mended.data);
    return string;
}

/* In JSON these stand in strings alone, where they may be written as escapes. */
static int add_json(const char *text, size_t length, void *to)
{
    for (size_t k = 0; k < length; k++)
        if (text[k] == '<' || text[k] == '>' || text[k] == '&')
            rd_markup_format(to, "\\u%04x", (unsigned)text[k]);
        else
            add(to, text + k, 1);
    return 0;
}

void rd_markup_json(struct rd_markup *to, const json_t *value)
{
    if (!value ||
        json_dump_callback(value, add_json, to, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_ENCODE_ANY))
        to->failed = true;
}
