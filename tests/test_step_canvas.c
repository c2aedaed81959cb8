// SPDX-License-Identifier: MIT
#include "view/step/canvas.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct rd_canvas canvas;

static void start(unsigned width, unsigned height, bool ascii)
{
    struct rd_error error;
    assert_int_equal(rd_canvas_init(&canvas, width, height, ascii, &error), RD_OK);
}

/* Asserts what the canvas is as text, and ends it. */
static void assert_drawn(const char *expected)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    rd_canvas_write(&canvas, out);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(text, expected);
    free(text);
    rd_canvas_finish(&canvas);
}

static void draw_two_boxes(enum rd_line_style right)
{
    rd_canvas_frame(&canvas, 0, 0, 4, 3, RD_INK_PLAIN);
    rd_canvas_horizontal(&canvas, 3, 6, 0, RD_INK_DIM, right);
    rd_canvas_horizontal(&canvas, 3, 6, 2, RD_INK_DIM, right);
    rd_canvas_vertical(&canvas, 6, 0, 2, RD_INK_DIM, right);
}

static void test_lines_that_meet_become_junctions(void **state)
{
    (void)state;
    start(10, 4, false);
    draw_two_boxes(RD_STYLE_SOLID);
    rd_canvas_vertical(&canvas, 1, 2, 3, RD_INK_PLAIN, RD_STYLE_SOLID);
    assert_drawn("┌──┬──┐\n│  │  │\n└┬─┴──┘\n │\n");
}

static void test_dotted_lines_differ_from_solid_ones(void **state)
{
    (void)state;
    start(10, 3, false);
    draw_two_boxes(RD_STYLE_DOTTED);
    assert_drawn("┌──┬┄┄┐\n│  │  ┆\n└──┴┄┄┘\n");
    start(10, 3, true);
    draw_two_boxes(RD_STYLE_DOTTED);
    assert_drawn("+--+...\n|  |  :\n+--+...\n");
}

static void test_lines_that_cross_show_as_a_cross(void **state)
{
    (void)state;
    start(3, 3, false);
    rd_canvas_horizontal(&canvas, 2, 0, 1, RD_INK_PLAIN, RD_STYLE_SOLID);
    rd_canvas_vertical(&canvas, 1, 0, 2, RD_INK_PLAIN, RD_STYLE_SOLID);
    assert_drawn(" │\n─┼─\n │\n");
}

static void test_text_beyond_the_edge_is_left_out(void **state)
{
    (void)state;
    start(5, 2, false);
    rd_canvas_print(&canvas, 3, 0, RD_INK_PLAIN, "abc");
    rd_canvas_print(&canvas, -1, 1, RD_INK_PLAIN, "abc");
    rd_canvas_print(&canvas, 0, 2, RD_INK_PLAIN, "abc");
    rd_canvas_line(&canvas, 9, 9, RD_INK_PLAIN, RD_STYLE_SOLID, RD_LINE_UP);
    assert_drawn("   ab\nbc\n");
}

static void test_clip_cuts_with_an_ellipsis_where_it_must(void **state)
{
    (void)state;
    start(12, 3, false);
    assert_int_equal(rd_canvas_clip(&canvas, 1, 0, 5, RD_INK_PLAIN, "äbcd"), 5);
    assert_int_equal(rd_canvas_clip(&canvas, 1, 1, 5, RD_INK_PLAIN, "äbcde"), 5);
    assert_int_equal(rd_canvas_clip(&canvas, 1, 2, 1, RD_INK_PLAIN, "ab"), 1);
    assert_drawn(" äbcd\n äbc…\n");
}

static void test_wrap_breaks_at_spaces_and_says_that_it_cut(void **state)
{
    (void)state;
    const struct rd_canvas_area area = {.x = 1, .y = 0, .end = 9, .indent = 1, .rows_max = 3};
    const struct rd_canvas_area low = {.x = 1, .y = 0, .end = 9, .rows_max = 1};
    start(10, 4, false);
    assert_int_equal(rd_canvas_wrap(&canvas, &area, RD_INK_PLAIN, "one two three four"), 3);
    assert_drawn(" one two\n  three\n  four\n");
    start(10, 4, false);
    assert_int_equal(rd_canvas_wrap(&canvas, &low, RD_INK_PLAIN, "one two three"), 1);
    assert_drawn(" one two…\n");
    start(10, 4, false);
    assert_int_equal(rd_canvas_wrap(&canvas, &area, RD_INK_PLAIN, ""), 0);
    assert_drawn("");
}

/* The content of a hostile trace stays text. */
static void test_control_characters_and_broken_utf8_show_as_a_question_mark(void **state)
{
    (void)state;
    start(12, 1, false);
    rd_canvas_print(&canvas, 0, 0, RD_INK_PLAIN, "a\033[2J\x7f\xc3(\xff\xe2\x82");
    assert_drawn("a?[2J?"
                 "?(?"
                 "?\n"); /* a character cut short is one: see base/utf8.h */
}

static void test_ascii_has_a_character_for_each_that_is_drawn(void **state)
{
    (void)state;
    start(12, 1, true);
    rd_canvas_print(&canvas, 0, 0, RD_INK_PLAIN, "…▶▼→█▒·×ä");
    assert_drawn("~>v>#=.x?\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_that_meet_become_junctions),
        cmocka_unit_test(test_dotted_lines_differ_from_solid_ones),
        cmocka_unit_test(test_lines_that_cross_show_as_a_cross),
        cmocka_unit_test(test_text_beyond_the_edge_is_left_out),
        cmocka_unit_test(test_clip_cuts_with_an_ellipsis_where_it_must),
        cmocka_unit_test(test_wrap_breaks_at_spaces_and_says_that_it_cut),
        cmocka_unit_test(test_control_characters_and_broken_utf8_show_as_a_question_mark),
        cmocka_unit_test(test_ascii_has_a_character_for_each_that_is_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
