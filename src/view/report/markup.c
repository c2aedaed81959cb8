// SPDX-License-Identifier: MIT
#include "view/report/markup.h"
#include "base/utf8.h"

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

void rd_markup_text_of(struct rd_markup *to, const char *text, size_t length)
{
    for (const char *end = text + length; text < end;) {
        struct rd_xml_part part = rd_xml_next(&text, end);
        add(to, part.bytes, part.size);
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
    for (const char *end = text + strlen(text); text < end;) {
        uint32_t character;
        char bytes[RD_UTF8_BYTES_MAX];
        text += rd_utf8_decode(text, (size_t)(end - text), &character);
        add(&mended, bytes,
            rd_utf8_encode(rd_utf8_is_text(character) ? character : RD_UTF8_REPLACEMENT, bytes));
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
