// SPDX-License-Identifier: MIT
/* Evaluation of laws: numbers, undefined values, definitions, steps and points. */
#include "law_harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The value of an index expression, as the one cell that is claimed. */
static const char *number(const char *expression)
{
    char text[600];
    snprintf(text, sizeof text, "array A[1000] let w = n / 2^d law A[%s] = 0", expression);
    return law_cells_text(text, law_sizes_8, (struct rd_law_place){.d = 1}, RD_LAW_NO_INPUT);
}

static void test_numbers_are_as_in_mathematics(void **state)
{
    static const struct {
        const char *expression, *value;
    } numbers[] = {
        {"2 + 3*4 - 1", "13:"},
        {"2^3^2", "512:"},
        {"-2^2 + 5", "1:"},
        {"(-2)^2", "4:"},
        {"17 / 5", "3:"},
        {"17 mod 5", "2:"},
        {"17 % 5", "2:"},
        {"5 + (-1) div 3", "4:"},
        {"(-1) mod 3", "2:"},
        {"5 + floor(-1 / 3)", "4:"},
        {"5 + ceil((-1) / 3)", "5:"},
        {"ceil(7 / 2)", "4:"},
        {"6 xor 3", "5:"},
        {"min(4, 2, 3) + 10*max(4, 2, 5)", "52:"},
        {"abs(3 - 5)", "2:"},
        {"log2(1) + 10*log2(9)", "30:"},
        {"bit_ceil(0) + 10*bit_ceil(8) + 100*bit_ceil(5)", "881:"},
        {"floor(sqrt(24)) + 10*ceil(sqrt(24)) + 100*ceil(sqrt(25))", "554:"},
        {"n + 10*T + 100*B + w", "252:"},
        {"G", "8:"},
        {"3w", "12:"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        if (strcmp(number(numbers[k].expression), numbers[k].value) != 0)
            fail_msg("%s is %s, not %s", numbers[k].expression, number(numbers[k].expression),
                     numbers[k].value);
}

static void test_what_has_no_value_is_told_with_its_place(void **state)
{
    static const struct {
        const char *expression, *message;
    } undefined[] = {
        {"7 / (w - 4)", "37: division by 0: undefined at d = 1"},
        {"7 mod (w - 4)", "37: division by 0: undefined at d = 1"},
        {"ceil(7 / (w - 4))", "37: division by 0: undefined at d = 1"},
        {"2^(w - 5)", "37: a negative exponent: undefined at d = 1"},
        {"1 + log2(w - 4)", "41: the logarithm of a number below 1: undefined at d = 1"},
        {"ceil(sqrt(0 - w))", "37: the root of a negative number: undefined at d = 1"},
        {"(-1) xor 2", "37: 'xor' of a negative number: undefined at d = 1"},
        {"(-7) / 2", "37: '/' of a negative number, where C rounds towards 0 ('div' rounds down): "
                     "undefined at d = 1"},
        {"(-7) % 2",
         "37: '%' of a negative number, where C rounds towards 0 ('mod' rounds down): undefined "
         "at d = 1"},
        {"9223372036854775807 + w", "37: the number is 2^63 or more: undefined at d = 1"},
        {"9223372036854775807 * w", "37: the number is 2^63 or more: undefined at d = 1"},
        {"-9223372036854775807 - 2", "37: the number is 2^63 or more: undefined at d = 1"},
        {"2^63", "37: the number is 2^63 or more: undefined at d = 1"},
        {"bit_ceil(2^62 + 1)", "37: the number is 2^63 or more: undefined at d = 1"},
        {"(-9223372036854775807 - 1) div (0 - 1)",
         "37: the number is 2^63 or more: undefined at d = 1"},
        {"abs(-9223372036854775807 - 1)", "37: the number is 2^63 or more: undefined at d = 1"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof undefined / sizeof *undefined; k++)
        if (strcmp(number(undefined[k].expression), undefined[k].message) != 0)
            fail_msg("%s is %s, not %s", undefined[k].expression, number(undefined[k].expression),
                     undefined[k].message);
    assert_string_equal(law_cells_text("array A[n] law A[B] = 0",
                                       (struct rd_law_sizes){.n = 1, .T = 1},
                                       (struct rd_law_place){0}, RD_LAW_NO_INPUT),
                        "18: 'B' has no value: the run has no number of blocks at d = 0");
    assert_string_equal(law_cells_text_8("for i < n: A[i] = a[i + 1]", 0),
                        "23: 'a' has no element 8 of 8 at d = 0");
    assert_string_equal(
        law_cells_text(
            "input a[n] array A[n] law A = 0\nat p register r[2] steps s = 1, 2, ..., 2\n"
            "law r[0] = a[s + 7 + 1 / (1 - warp)]",
            law_sizes_8, (struct rd_law_place){.block = 3, .warp = 1, .variable = 2},
            RD_LAW_FIRST_INPUT),
        "22: division by 0: undefined at 'p', block 3, warp 1, s = 2");
}

static void test_condition_to_the_left_keeps_from_what_is_undefined(void **state)
{
    (void)state;
    assert_string_equal(law_cells_text_8("for i < n, d > 0 and n / d = 4 or i = 5: A[i] = 0", 0),
                        "5:");
    assert_string_equal(law_cells_text_8("for i < n, n / d = 4: A[i] = 0", 0),
                        "16: division by 0: undefined at d = 0");
    assert_string_equal(law_cells_text_8("when d > 0 and n / d = 8: A[0] = 0", 0), "");
    assert_string_equal(law_cells_text_8("when d > 0: for i < n / d: A[i] = 0", 0), "");
    assert_string_equal(law_cells_text_8("A[0] = sum of a[j], j > 8, 3 / (j - j) = 1", 0), "0:");
    assert_string_equal(
        law_cells_text_8("for i < d, n / d > 2: A[i] = a[i]; when d = 0: A[1] = a[2]", 0), "1:2");
    assert_string_equal(
        law_cells_text_8("for i < d: A[(n / d)*i] = a[i]; for i < 2: A[i] = a[i]", 0), "0:0 1:1");
    /* The bound of what follows may be undefined where it isn't asked for. */
    assert_string_equal(law_cells_text_8("A[0] = sum of a[i + j], i < 2, i > 0, j < 4 / i", 0),
                        "0:1,2,3,4");
}

static void test_condition_to_the_right_does_not_keep_from_what_is_undefined(void **state)
{
    (void)state;
    assert_string_equal(law_cells_text_8("for i < n, 5 mod d < 9, d > 0: A[i] = 0", 0),
                        "16: division by 0: undefined at d = 0");
    assert_string_equal(law_cells_text_8("for 0 <= i < 2 mod log2(0), n = 9: A[i] = 0", 0),
                        "24: the logarithm of a number below 1: undefined at d = 0");
    assert_string_equal(law_cells_text_8("A[0] = sum of a[j], n mod j = 0, j > 0", 0),
                        "25: division by 0: undefined at d = 0");
    assert_string_equal(law_cells_text_8("A[0] = sum of a[j], j > 0, n mod j = 0", 0), "0:1,2,4");
    /* Nor does what a condition itself says of the values. */
    assert_string_equal(
        law_cells_text_8("A[0] = sum of a[j], (j - 3) % 4 = 5", 0),
        "25: '%' of a negative number, where C rounds towards 0 ('mod' rounds down): "
        "undefined at d = 0");
    assert_string_equal(law_cells_text_8("A[0] = sum of a[j], j < min(0, 4 mod d)", 0),
                        "36: division by 0: undefined at d = 0");
    /* One that is known isn't asked before one that isn't. */
    assert_string_equal(law_cells_text_8("A[0] = sum of a[j], j > 8, 3 / d = 1", 0), "0:");
    assert_string_equal(
        law_cells_text_8("for i < n: A[i] = sum of a[i + j], j < 2, i > 8, 3 / d = 1", 0),
        "0: 1: 2: 3: 4: 5: 6: 7:");
}

static void test_families_are_defined_by_their_equations(void **state)
{
    static const char *const text =
        "array A[1000] let m_0 = n; m_(k+1) = ceil(m_k / 3); s_0(x) = x; s_5(x) = 100*x;\n"
        "    s_(k+1)(x) = s_k(x + 1)\nlaw A[%s] = 0";
    static const struct {
        const char *expression, *value;
    } families[] = {
        {"m_0", "8:"},    {"m_1", "3:"},          {"m_d", "3:"},      {"m_(d+1)", "1:"},
        {"s_2(7)", "9:"}, {"s_(d + 3)(1)", "5:"}, {"s_5(1)", "100:"}, {"s_6(1)", "200:"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof families / sizeof *families; k++) {
        char law[300];
        snprintf(law, sizeof law, text, families[k].expression);
        const char *is =
            law_cells_text(law, law_sizes_8, (struct rd_law_place){.d = 1}, RD_LAW_NO_INPUT);
        if (strcmp(is, families[k].value) != 0)
            fail_msg("%s is %s, not %s", families[k].expression, is, families[k].value);
    }
    char law[300];
    snprintf(law, sizeof law, text, "m_(0 - 1)");
    assert_string_equal(law_cells_text(law, law_sizes_8, (struct rd_law_place){0}, RD_LAW_NO_INPUT),
                        "7: 'm_-1' isn't defined at d = 0");
}

static void test_endless_definition_is_told(void **state)
{
    (void)state;
    assert_string_equal(
        law_cells_text("array A[n] let m_0 = 0; m_(k+1) = m_(k + 2)\nlaw A[m_1] = 0", law_sizes_8,
                       (struct rd_law_place){0}, RD_LAW_NO_INPUT),
        "38: definitions stand too deep in each other at d = 0");
    assert_string_equal(
        law_cells_text("input a[n] array A[n] let f_0 = a[0]; f_(k+1) = a[0] + f_(k + 2)\n"
                       "law A[0] = f_1",
                       law_sizes_8, (struct rd_law_place){0}, RD_LAW_FIRST_INPUT),
        "51: definitions stand too deep in each other at d = 0");
}

static void test_too_much_work_is_told(void **state)
{
    struct rd_law_sizes sizes = law_sizes_8;
    (void)state;
    sizes.work_max = 10000;
    assert_string_equal(law_cells_text("array A[n] law for i < 2^40: A[i] = 0", sizes,
                                       (struct rd_law_place){0}, RD_LAW_NO_INPUT),
                        "20: takes too long: more than 10000 evaluations at d = 0: take a smaller "
                        "n, or bound its variables more closely");
    sizes.n = (uint64_t)1 << 62;
    assert_string_equal(
        law_cells_text("array A[n] law A = 0", sizes, (struct rd_law_place){0}, RD_LAW_NO_INPUT),
        "16: takes too long: more than 10000 evaluations at d = 0: take a smaller n, or bound its "
        "variables more closely");
}

static void test_steps_go_towards_the_last_and_not_beyond(void **state)
{
    static const struct {
        const char *steps, *values;
    } rows[] = {
        {"s = 1, 2*s, ..., 8", "1 2 4 8"}, {"s = 1, 2*s, ..., 9", "1 2 4 8"},
        {"s = 8, s/2, ..., 1", "8 4 2 1"}, {"s = 9, s/2, ..., 2", "9 4 2"},
        {"s = 0, s + 3, ..., n", "0 3 6"}, {"s = 3, s + 1, ..., 3", "3"},
        {"s = 3, s, ..., 8", "3"},         {"s = 3, s - 1, ..., 8", "3"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char text[300], said[200] = "";
        uint64_t *values;
        size_t count, length = 0;
        snprintf(text, sizeof text, "array A[n] law A = 0\nat p shared s0[n] steps %s law s0 = 0",
                 rows[k].steps);
        struct law_subject subject = law_subject(text, law_sizes_8);
        assert_int_equal(rd_law_steps(subject.run, subject.section, NULL, &values, &count, NULL),
                         RD_OK);
        for (size_t q = 0; q < count; q++)
            length += (size_t)sprintf(said + length, "%s%zu", q ? " " : "", (size_t)values[q]);
        if (strcmp(said, rows[k].values) != 0)
            fail_msg("%s: %s, not %s", rows[k].steps, said, rows[k].values);
        free(values);
        assert_int_equal(
            rd_law_steps(subject.run, rd_law_section(subject.law, 0), NULL, &values, &count, NULL),
            RD_OK);
        assert_int_equal(count, 0);
        free(values);
        law_subject_finish(&subject);
    }
}

/* The condition chooses among steps, rounds, warps and blocks. */
static void test_threads_come_to_a_point_where_it_says(void **state)
{
    static const struct {
        const char *point;
        struct rd_law_place place;
        const char *values;
    } rows[] = {
        {"steps s = 8, s/2, ..., 1", {.d = 1}, "8 4 2 1"},
        {"steps s = 8, s/2, ..., 1 when s > 2", {.d = 1}, "8 4"},
        {"steps s = 8, s/2, ..., 1 when d = 2", {.d = 1}, ""},
        {"steps s = 8, s/2, ..., 1 when d = 2", {.d = 2}, "8 4 2 1"},
        {"steps s = 0, s + 2, ..., 2*n when s = 0 (mod bytes)", {.bytes = 4}, "0 4 8 12 16"},
        {"steps s = 0, s + 2, ..., 2*n when s = 0 (mod bytes)", {.bytes = 8}, "0 8 16"},
        {"steps s = n", {.d = 1}, "8"},
        {"steps s = n when warp = 0 and block = 1", {.block = 1}, "8"},
        {"steps s = n when warp = 0 and block = 1", {.block = 1, .warp = 1}, ""},
        {"steps s = n when warp = 0 and block = 1", {.warp = 0}, ""},
        {"", {.d = 1}, "0"},
        {"when d > 1", {.d = 1}, ""},
        {"when d > 1", {.d = 2}, "0"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char text[300], said[200] = "";
        uint64_t *values;
        size_t count, length = 0;
        snprintf(text, sizeof text, "array A[n] law A = 0\nat p register r[32] %s law r = 0",
                 rows[k].point);
        struct law_subject subject = law_subject(text, law_sizes_8);
        assert_int_equal(
            rd_law_met(subject.run, subject.section, &rows[k].place, &values, &count, NULL), RD_OK);
        for (size_t q = 0; q < count; q++)
            length += (size_t)sprintf(said + length, "%s%zu", q ? " " : "", (size_t)values[q]);
        if (strcmp(said, rows[k].values) != 0)
            fail_msg("%s: %s, not %s", rows[k].point, said, rows[k].values);
        free(values);
        law_subject_finish(&subject);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_are_as_in_mathematics),
        cmocka_unit_test(test_what_has_no_value_is_told_with_its_place),
        cmocka_unit_test(test_condition_to_the_left_keeps_from_what_is_undefined),
        cmocka_unit_test(test_condition_to_the_right_does_not_keep_from_what_is_undefined),
        cmocka_unit_test(test_families_are_defined_by_their_equations),
        cmocka_unit_test(test_endless_definition_is_told),
        cmocka_unit_test(test_too_much_work_is_told),
        cmocka_unit_test(test_steps_go_towards_the_last_and_not_beyond),
        cmocka_unit_test(test_threads_come_to_a_point_where_it_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
