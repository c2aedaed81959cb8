// SPDX-License-Identifier: MIT
#include "base/utf8.h"

#include <string.h>

/* By a character's first byte: its number of bytes, and the range of its second. The narrower ranges
 * refuse overlong forms, surrogates, and code points beyond U+10FFFF. */
static const struct lead {
    unsigned char first, last;
    unsigned char size;
    unsigned char least, most;
} leads[] = {
    {0x00, 0x7F, 1, 0x00, 0x00}, {0xC2, 0xDF, 2, 0x80, 0xBF}, {0xE0, 0xE0, 3, 0xA0, 0xBF},
    {0xE1, 0xEC, 3, 0x80, 0xBF}, {0xED, 0xED, 3, 0x80, 0x9F}, {0xEE, 0xEF, 3, 0x80, 0xBF},
    {0xF0, 0xF0, 4, 0x90, 0xBF}, {0xF1, 0xF3, 4, 0x80, 0xBF}, {0xF4, 0xF4, 4, 0x80, 0x8F},
};

static const struct lead *lead_of(unsigned char byte)
{
    for (size_t k = 0; k < sizeof leads / sizeof *leads; k++)
        if (byte >= leads[k].first && byte <= leads[k].last)
            return &leads[k];
    return NULL;
}

size_t rd_utf8_decode(const char *text, size_t length, uint32_t *character)
{
    const unsigned char *bytes = (const unsigned char *)text;
    const struct lead *lead = lead_of(bytes[0]);
    *character = RD_UTF8_REPLACEMENT;
    if (!lead)
        return 1;
    uint32_t code = lead->size == 1 ? bytes[0] : bytes[0] & (0x7Fu >> lead->size);
    for (size_t k = 1; k < lead->size; k++) {
        unsigned char least = k == 1 ? lead->least : 0x80, most = k == 1 ? lead->most : 0xBF;
        if (k == length || bytes[k] < least || bytes[k] > most)
            return k;
        code = code << 6 | (bytes[k] & 0x3Fu);
    }
    *character = code;
    return lead->size;
}

size_t rd_utf8_encode(uint32_t character, char bytes[RD_UTF8_BYTES_MAX])
{
    static const unsigned char marks[] = {0, 0, 0xC0, 0xE0, 0xF0};
    size_t size = character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
    for (size_t k = size; k-- > 1; character >>= 6)
        bytes[k] = (char)(0x80 | (character & 0x3F));
    bytes[0] = (char)(marks[size] | character);
    return size;
}

size_t rd_utf8_columns(const char *text)
{
    const char *end = text + strlen(text);
    size_t columns = 0;
    for (uint32_t character; text < end; columns++)
        text += rd_utf8_decode(text, (size_t)(end - text), &character);
    return columns;
}

size_t rd_utf8_bytes(const char *text, size_t characters)
{
    const char *at = text, *end = text + strlen(text);
    for (uint32_t character; at < end && characters > 0; characters--)
        at += rd_utf8_decode(at, (size_t)(end - at), &character);
    return (size_t)(at - text);
}

bool rd_utf8_is_text(uint32_t character)
{
    if (character < 0x20)
        return character == '\t' || character == '\n';
    bool control = character >= 0x7F && character < 0xA0;
    bool surrogate = character >= 0xD800 && character < 0xE000;
    bool noncharacter =
        (character & 0xFFFE) == 0xFFFE || (character >= 0xFDD0 && character < 0xFDF0);
    return !control && !surrogate && !noncharacter && character <= 0x10FFFF;
}

/* Returns the substitute of a character that may not stand as it is; NULL where it may. What is malformed
 * keeps its bytes no more than what is no text. */
static const char *instead_of(uint32_t character)
{
    switch (character) {
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
    bool kept = rd_utf8_is_text(character) && character != RD_UTF8_REPLACEMENT;
    return kept ? NULL : "\xEF\xBF\xBD";
}

struct rd_xml_part rd_xml_next(const char **text, const char *end)
{
    uint32_t character;
    const char *start = *text;
    *text += rd_utf8_decode(start, (size_t)(end - start), &character);
    const char *instead = instead_of(character);
    return instead ? (struct rd_xml_part){instead, strlen(instead)}
                   : (struct rd_xml_part){start, (size_t)(*text - start)};
}
