// SPDX-License-Identifier: MIT
/* Comparing traces: the first difference is found, and named. */
#include "trace_harness.h"

#include <string.h>

static struct rd_trace_difference diff_texts(const char *left, const char *right)
{
    struct rd_trace_difference difference;
    struct rd_error error;
    const char *left_path = in_folder("left"), *right_path = in_folder("right");
    spit(left_path, left);
    spit(right_path, right);
    if (rd_trace_diff(left_path, right_path, &difference, &error) != RD_OK)
        fail_msg("%s", error.text);
    return difference;
}

static void test_diff_same_run_on_another_device_is_no_difference(void **state)
{
    (void)state;
    char *text = recorded_text(&(struct recipe){.program = "tournament:lost-tail", .n = 3});
    char *other = replaced(text, "\"device\":{", "\"sim\"", "\"cuda\"");
    char *both = replaced(other, "\"producer\"", "reductio ", "another ");
    assert_false(diff_texts(text, text).differs);
    assert_false(diff_texts(text, both).differs);
    free(both);
    free(other);
    free(text);
}

static void test_diff_finds_the_first_step_and_cell(void **state)
{
    (void)state;
    char *text = recorded_text(&(struct recipe){.program = "tournament", .n = 8});
    char *later = replaced(text, "\"step\":3", "\"cells\":[28", "\"cells\":[29");
    char *first = replaced(later, "\"step\":1", "9,13]", "9,-3]");
    struct rd_trace_difference found = diff_texts(text, first);
    assert_true(found.differs && found.in_step && found.in_cell);
    assert_int_equal(found.step, 1);
    assert_int_equal(found.cell, 6); /* the fourth of the cells 0, 2, 4, 6 */
    assert_string_equal(found.array, "A");
    assert_int_equal(found.pass, 0);
    assert_string_equal(found.left, "13");
    assert_string_equal(found.right, "-3");
    found = diff_texts(text, later);
    assert_int_equal(found.step, 3);
    assert_int_equal(found.cell, 0);
    free(first);
    free(later);
    free(text);
}

static void test_diff_of_inputs_names_the_array(void **state)
{
    (void)state;
    char *text = recorded_text(
        &(struct recipe){.program = "dot-tournament", .n = 3, .values = "list:1,2,3,4,5,6"});
    char *a = replaced(text, "\"a\":", "2,3]", "2,7]"),
         *b = replaced(text, "\"b\":", "4,5", "4,-5");
    struct rd_trace_difference found = diff_texts(text, a);
    assert_true(found.in_cell && !found.in_step);
    assert_string_equal(found.array, "a");
    assert_int_equal(found.cell, 2);
    found = diff_texts(text, b);
    assert_true(found.in_cell && !found.in_step);
    assert_string_equal(found.array, "b");
    assert_int_equal(found.cell, 1);
    free(a);
    free(b);
    free(text);
}

static void test_diff_tells_zeros_apart_and_no_nans(void **state)
{
    struct recipe recipe = {
        .program = "tournament", .n = 3, .type = RD_TYPE_F32, .values = "list:0,nan,1"};
    (void)state;
    char *text = recorded_text(&recipe);
    char *other = replaced(text, "\"step\":0", "[0.0,", "[-0.0,");
    struct rd_trace_difference found = diff_texts(text, other);
    assert_true(found.differs && found.in_cell);
    assert_int_equal(found.cell, 0);
    assert_string_equal(found.right, "-0");
    free(other);
    other = replaced(text, "\"step\":0", "1.0]", "1]"); /* the same bits */
    assert_false(diff_texts(text, other).differs);
    free(other);
    free(text);
}

/* Of a program that isn't there, what is recorded can be compared all the same. */
static void test_diff_of_an_unknown_program_compares_what_there_is(void **state)
{
    (void)state;
    char *known = recorded_text(&(struct recipe){.program = "fold:wrong-half", .n = 8});
    char *text = replaced(known, "\"program\"", "fold:wrong-half", "nobody-s");
    char *other = replaced(text, "{\"record\":\"verdict\"", "\"cells\":", "\"cells\":1");
    assert_false(diff_texts(text, text).differs);
    assert_true(diff_texts(text, other).differs);
    free(other);
    free(text);
    free(known);
}

static void test_diff_finds_what_is_in_no_cell(void **state)
{
    static const char *const changes[][4] = {
        {"{\"record\":\"run\"", "\"iota\"", "\"ones\"", "values: \"iota\" and \"ones\""},
        {"{\"record\":\"run\"", "\"block\":256", "\"block\":128", "block: 256 and 128"},
        {"{\"record\":\"verdict\"", "\"cells\":15", "\"cells\":16", "cells: 15 and 16"},
        {"\"step\":2", "\"grid\":1", "\"grid\":2", "round: "},
    };
    (void)state;
    char *text = recorded_text(&(struct recipe){.program = "fold", .n = 8});
    for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) {
        char *other = replaced(text, changes[k][0], changes[k][1], changes[k][2]);
        struct rd_trace_difference found = diff_texts(text, other);
        assert_true(found.differs);
        assert_false(found.in_cell);
        assert_int_equal(found.in_step, k == 3);
        if (!strstr(found.what, changes[k][3]))
            fail_msg("%s", found.what);
        free(other);
    }
    free(text);
}

static void test_diff_compares_outcomes_where_both_versions_tell(void **state)
{
    (void)state;
    char *text = recorded_text(&(struct recipe){.program = "norm", .n = 8, .type = RD_TYPE_F64});
    char *changed = replaced(text, "\"outcome\"", "11.8", "12.8");
    struct rd_trace_difference found = diff_texts(text, changed);
    assert_true(found.differs && !found.in_step);
    assert_string_equal(found.what,
                        "outcome: norm = 11.832159566199232 and norm = 12.832159566199232");
    char *without = replaced(text, "\"outcome\"", "\"outcome\"", "\"unknown\"");
    found = diff_texts(text, without);
    assert_string_equal(found.what, "outcome: only one of them has a number, norm");
    char *older = replaced(without, "\"major\":1", "\"minor\":9", "\"minor\":1");
    assert_false(diff_texts(text, older).differs);
    assert_false(diff_texts(older, text).differs);
    free(older);
    free(without);
    free(changed);
    free(text);
}

static void test_diff_tells_all_that_differs_in_the_headers(void **state)
{
    (void)state;
    char *text = recorded_text(&(struct recipe){.program = "dot-shared", .n = 8});
    char *n = recorded_text(&(struct recipe){
        .program = "tournament", .n = 7, .type = RD_TYPE_U64, .values = "random:1"});
    struct rd_trace_difference found = diff_texts(text, n);
    assert_true(found.differs && found.only_header && !found.in_step && !found.in_cell);
    static const char *const header[] = {
        "program: \"dot-shared\" and \"tournament\"",
        "n: 8 and 7",
        "type: \"i32\" and \"u64\"",
        "grid: 1 and -",
        "values: \"iota\" and \"random:1\"",
        "seed: - and 1",
    };
    assert_int_equal(found.n_header, 6);
    for (unsigned k = 0; k < 6; k++)
        assert_string_equal(found.header[k], header[k]);
    assert_string_equal(found.what, header[0]);
    free(n);
    free(text);
}

/* Steps are compared, too, if the headers differ in nothing but the input or the blocks. */
static void test_diff_goes_on_behind_headers_where_steps_are_comparable(void **state)
{
    (void)state;
    char *text = recorded_text(&(struct recipe){.program = "fold", .n = 8});
    char *ones = recorded_text(&(struct recipe){.program = "fold", .n = 8, .values = "ones"});
    struct rd_trace_difference found = diff_texts(text, ones);
    assert_int_equal(found.n_header, 1);
    assert_true(found.differs && found.in_cell && !found.only_header);
    assert_string_equal(found.array, "a");
    free(ones);
    char *block = replaced(text, "\"block\":256", "256", "2");
    char *round = replaced(block, "\"step\":1", "\"grid\":1", "\"grid\":2");
    found = diff_texts(text, round);
    assert_true(found.differs && found.only_header);
    assert_string_equal(found.what, "block: 256 and 2");
    char *cell = replaced(round, "\"step\":2", "\"cells\":[12", "\"cells\":[13");
    found = diff_texts(text, cell);
    assert_true(found.in_step && found.in_cell && !found.only_header);
    assert_int_equal(found.step, 2);
    free(cell);
    free(round);
    free(block);
    free(text);
}

static void test_diff_of_unequal_lengths_differs(void **state)
{
    (void)state;
    char *text = recorded_text(&(struct recipe){.program = "fold", .n = 8});
    char *last = without_line(text, 6), *step = without_line(last, 5);
    struct rd_trace_difference found = diff_texts(text, last);
    assert_true(found.differs);
    assert_string_equal(found.what,
                        "where the first trace has its verdict, the second has its end");
    found = diff_texts(step, text);
    assert_true(found.differs && found.in_step);
    assert_int_equal(found.step, 3);
    free(step);
    free(last);
    free(text);
}

static void test_diff_of_cut_states_compares_digests(void **state)
{
    (void)state;
    char *text =
        recorded_text(&(struct recipe){.program = "fold", .n = 16, .cut = true, .cells = 2});
    char *one =
        replaced(text, "\"step\":1", "\"digest\":\"", "\"digest\":\"0123456789abcdef\",\"x\":\"");
    struct rd_trace_difference found = diff_texts(text, one);
    assert_true(found.differs && found.in_step);
    assert_int_equal(found.step, 1);
    assert_non_null(strstr(found.what, "digests"));
    free(one);
    free(text);
}

static void test_diff_goes_on_behind_a_hazard_that_only_one_has(void **state)
{
    static const char race[] = "{\"record\":\"hazard\",\"name\":\"race\",\"step\":1,"
                               "\"message\":\"two write A[0]\"}\n{\"record\":\"step\",\"step\":2";
    static const char both[] = "{\"record\":\"hazard\",\"name\":\"bank\",\"step\":1,"
                               "\"message\":\"slow\"}\n";
    char first[sizeof race + sizeof both];
    (void)state;
    char *text = recorded_text(&(struct recipe){.program = "fold", .n = 8});
    snprintf(first, sizeof first, "%s%s", both, race);
    char *raced = replaced(text, "\"step\":1", "{\"record\":\"step\",\"step\":2", first);
    snprintf(first, sizeof first, "%s%s", both, "{\"record\":\"step\",\"step\":2");
    char *other = replaced(text, "\"step\":1", "{\"record\":\"step\",\"step\":2", first);
    char *wrong = replaced(other, "\"step\":2", "\"cells\":[", "\"cells\":[9");
    struct rd_trace_difference found = diff_texts(raced, other);
    assert_true(found.differs && found.only_hazards && !found.in_step);
    assert_int_equal(found.n_hazards, 1);
    assert_string_equal(found.hazards[0],
                        "step 1: only the first trace has this hazard: race: two write A[0]");
    assert_string_equal(found.what, found.hazards[0]);
    found = diff_texts(wrong, raced);
    assert_string_equal(found.hazards[0],
                        "step 1: only the second trace has this hazard: race: two write A[0]");
    assert_true(found.in_step && found.in_cell && !found.only_hazards);
    assert_int_equal(found.step, 2);
    assert_int_equal(found.cell, 0);
    assert_false(diff_texts(raced, raced).differs);
    free(wrong);
    free(other);
    free(raced);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_diff_same_run_on_another_device_is_no_difference),
        cmocka_unit_test(test_diff_finds_the_first_step_and_cell),
        cmocka_unit_test(test_diff_of_inputs_names_the_array),
        cmocka_unit_test(test_diff_tells_zeros_apart_and_no_nans),
        cmocka_unit_test(test_diff_of_an_unknown_program_compares_what_there_is),
        cmocka_unit_test(test_diff_finds_what_is_in_no_cell),
        cmocka_unit_test(test_diff_compares_outcomes_where_both_versions_tell),
        cmocka_unit_test(test_diff_tells_all_that_differs_in_the_headers),
        cmocka_unit_test(test_diff_goes_on_behind_headers_where_steps_are_comparable),
        cmocka_unit_test(test_diff_of_unequal_lengths_differs),
        cmocka_unit_test(test_diff_of_cut_states_compares_digests),
        cmocka_unit_test(test_diff_goes_on_behind_a_hazard_that_only_one_has),
    };
    return cmocka_run_group_tests_name("trace_diff", tests, trace_set_up, trace_tear_down) != 0;
}
