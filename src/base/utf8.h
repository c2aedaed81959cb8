// SPDX-License-Identifier: MIT
/* Characters of UTF-8, and the text of XML and HTML that is made of them. Private to the library.
 *
 * Text comes from traces and users, so any bytes may be in it. What is malformed is U+FFFD, once
 * for each maximal subpart (Unicode 15, section 3.9, and the WHATWG's decoder): as far as bytes
 * could begin a character they are replaced together, and the byte that no longer can begins anew.
 *
 *     C3 | 41         a character cut short              U+FFFD A
 *     E2 82 | 41      cut short behind two of its three  U+FFFD A
 *     C0 | AF         overlong: C0, C1 begin nothing     U+FFFD U+FFFD
 *     E0 | 80 | AF    overlong: not E0 80 either         U+FFFD U+FFFD U+FFFD
 *     ED | A0 | 80    a surrogate                        U+FFFD U+FFFD U+FFFD
 *     F4 | 90 | 80 80 beyond U+10FFFF                    U+FFFD, four times
 *     80, F5 to FF    begin nothing                      U+FFFD
 */
#ifndef RD_BASE_UTF8_H
#define RD_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RD_UTF8_REPLACEMENT = 0xFFFD, RD_UTF8_BYTES_MAX = 4 };

/* Reads the first character of `length` bytes, of which there is at least one. Returns how many
 * bytes it takes: never 0. */
size_t rd_utf8_decode(const char *text, size_t length, uint32_t *character);

/* Writes a character of at most U+10FFFF, without a NUL behind it. Returns how many bytes. */
size_t rd_utf8_encode(uint32_t character, char bytes[RD_UTF8_BYTES_MAX]);

/* Counts characters, each taken to be one column wide; a malformed byte counts as U+FFFD. */
size_t rd_utf8_columns(const char *text);

/* Returns the length in bytes of the first `characters` characters. */
size_t rd_utf8_bytes(const char *text, size_t characters);

/* Tells whether the character is text: a control character (but tab and line feed), a surrogate or a
 * noncharacter is none, as neither XML 1.0 nor HTML may contain it or a terminal would obey it. */
bool rd_utf8_is_text(uint32_t character);

/* A part of the text as it stands in an element or between an attribute's quotes. */
struct rd_xml_part {
    const char *bytes; /* a character of the text, an entity, or U+FFFD for what is no text */
    size_t size;
};

/* The first character's; *text, which is before `end`, moves behind it. */
struct rd_xml_part rd_xml_next(const char **text, const char *end);

#endif
