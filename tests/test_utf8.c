// SPDX-License-Identifier: MIT
/* UTF-8: the table over utf8.h, the standard's own example, and all characters there and back. */
#include "base/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROOM = 64 };

/* The characters of exactly these bytes, as "61 FFFD 42 ". They are read from the heap, with nothing behind
 * them, so that a sanitizer sees a byte too many. */
static void decode(const char *text, size_t length, char told[ROOM])
{
    char *bytes = malloc(length);
    memcpy(bytes, text, length);
    told[0] = '\0';
    for (size_t at = 0; at < length;) {
        uint32_t character;
        size_t size = rd_utf8_decode(bytes + at, length - at, &character);
        assert_in_range(size, 1, length - at);
        at += size;
        snprintf(told + strlen(told), ROOM - strlen(told), "%X ", (unsigned)character);
    }
    free(bytes);
}

static void test_utf8_malformed_is_replaced_by_maximal_subparts(void **state)
{
    static const struct {
        const char *text, *told;
    } cases[] = {
        {"A\xC3\xA4\xE2\x88\x91\xF0\x9F\x99\x82", "41 E4 2211 1F642 "},
        {"\xC3"
         "A",
         "FFFD 41 "},
        {"\xC3", "FFFD "},
        {"\xE2\x82"
         "A",
         "FFFD 41 "},
        {"\xE2\x82", "FFFD "},
        {"\xF0\x9F\x99", "FFFD "},
        {"\xF0\x9F\x99\xC3\xA4", "FFFD E4 "},
        {"\xC0\xAF", "FFFD FFFD "},
        {"\xC1\xBF", "FFFD FFFD "},
        {"\xE0\x80\xAF", "FFFD FFFD FFFD "},
        {"\xE0\xA0\x80", "800 "},
        {"\xF0\x8F\xBF\xBF", "FFFD FFFD FFFD FFFD "},
        {"\xF0\x90\x80\x80", "10000 "},
        {"\xED\x9F\xBF", "D7FF "},
        {"\xED\xA0\x80", "FFFD FFFD FFFD "},
        {"\xED\xBF\xBF", "FFFD FFFD FFFD "},
        {"\xEE\x80\x80", "E000 "},
        {"\xF4\x8F\xBF\xBF", "10FFFF "},
        {"\xF4\x90\x80\x80", "FFFD FFFD FFFD FFFD "},
        {"\xF5\x80\x80\x80", "FFFD FFFD FFFD FFFD "},
        {"\x80"
         "a\xFF",
         "FFFD 61 FFFD "},
        {"\xEF\xBF\xBD", "FFFD "},
        /* Unicode 15, table 3-11 */
        {"\xE1\x80\xE2\xF0\x91\x92\xF1\xBF"
         "A",
         "FFFD FFFD FFFD FFFD 41 "},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char told[ROOM];
        decode(cases[k].text, strlen(cases[k].text), told);
        assert_string_equal(told, cases[k].told);
    }
}

static void test_utf8_every_character_comes_back(void **state)
{
    (void)state;
    for (uint32_t wanted = 0; wanted <= 0x10FFFF; wanted++) {
        char bytes[RD_UTF8_BYTES_MAX];
        uint32_t character;
        size_t size = rd_utf8_encode(wanted, bytes);
        size_t taken = rd_utf8_decode(bytes, size, &character);
        if (wanted >= 0xD800 && wanted < 0xE000) { /* a surrogate is none */
            assert_int_equal(character, RD_UTF8_REPLACEMENT);
            continue;
        }
        assert_int_equal(character, wanted);
        assert_int_equal(taken, size);
    }
}

static void test_utf8_columns_are_the_characters_that_are_shown(void **state)
{
    (void)state;
    assert_int_equal(rd_utf8_columns(""), 0);
    assert_int_equal(rd_utf8_columns("a\xC3\xA4\xE2\x88\x91"), 3);
    assert_int_equal(rd_utf8_columns("a\xE2\x82"), 2);
    assert_int_equal(rd_utf8_columns("\x80\x80"), 2);
    assert_int_equal(rd_utf8_bytes("a\xC3\xA4\xE2\x88\x91", 2), 3);
    assert_int_equal(rd_utf8_bytes("a\xC3\xA4", 9), 3);
    assert_int_equal(rd_utf8_bytes("a", 0), 0);
}

/* ---- text of XML ---- */

static void assert_xml(const char *text, const char *wanted)
{
    char told[ROOM] = "";
    for (const char *end = text + strlen(text); text < end;) {
        struct rd_xml_part part = rd_xml_next(&text, end);
        strncat(told, part.bytes, part.size);
    }
    assert_string_equal(told, wanted);
}

#define MENDED "\xEF\xBF\xBD"

static void test_xml_has_text_and_nothing_else(void **state)
{
    (void)state;
    assert_xml("<a b=\"c\" d='&'>", "&lt;a b=&quot;c&quot; d=&#39;&amp;&#39;&gt;");
    assert_xml("\t\n\xC3\xA4\xE2\x80\xA8", "\t\n\xC3\xA4\xE2\x80\xA8");
    assert_xml("\r\x1B\x7F\xC2\x85", MENDED MENDED MENDED MENDED);
    assert_xml("\xEF\xBF\xBE\xEF\xBF\xBF", MENDED MENDED);
    assert_xml("\xEF\xB7\x90\xF0\x9F\xBF\xBF", MENDED MENDED);
    assert_xml("\xC3<\xFF", MENDED "&lt;" MENDED);
    assert_xml(MENDED, MENDED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_utf8_malformed_is_replaced_by_maximal_subparts),
        cmocka_unit_test(test_utf8_every_character_comes_back),
        cmocka_unit_test(test_utf8_columns_are_the_characters_that_are_shown),
        cmocka_unit_test(test_xml_has_text_and_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
