// SPDX-License-Identifier: MIT
/* Cells that a law claims, and their inputs: found from the cell and from the input. */
#include "law_harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void test_cells_of_the_fold_are_those_of_each_round(void **state)
{
    static const char *const fold = "for 0 <= i < w: A[i] = sum of a[j], j mod w = i";
    (void)state;
    assert_string_equal(law_cells_text_8(fold, 0), "0:0 1:1 2:2 3:3 4:4 5:5 6:6 7:7");
    assert_string_equal(law_cells_text_8(fold, 1), "0:0,4 1:1,5 2:2,6 3:3,7");
    assert_string_equal(law_cells_text_8(fold, 2), "0:0,2,4,6 1:1,3,5,7");
    assert_string_equal(law_cells_text_8(fold, 3), "0:0,1,2,3,4,5,6,7");
    assert_string_equal(law_cells_text_8(fold, 4), "");
}

static void test_cells_are_those_of_claims_whose_condition_holds(void **state)
{
    static const char *const law =
        "when d = 0: A = 0; when d > 0: A[d] = a[0]; when d = 2: A[7] = b[1]";
    (void)state;
    assert_string_equal(law_cells_text_8(law, 0), "0: 1: 2: 3: 4: 5: 6: 7:");
    assert_string_equal(law_cells_text_8(law, 1), "1:0");
    assert_string_equal(law_cells_text_8(law, 2), "2:0 7:1");
}

static void test_cell_that_does_not_exist_is_told_and_left_out(void **state)
{
    (void)state;
    assert_string_equal(law_cells_text_8("for 0 <= i <= w: A[i] = a[0]", 0),
                        "0:0 1:0 2:0 3:0 4:0 5:0 6:0 7:0 outside 1, 8");
    assert_string_equal(law_cells_text_8("for 0 <= i < 3: A[4*i - 1] = a[i]", 0),
                        "3:1 7:2 outside 1, -1");
}

static void test_claims_on_a_cell_must_agree(void **state)
{
    (void)state;
    assert_string_equal(
        law_cells_text_8("A[0] = a[1] + a[2]; for i < 2: A[i] = sum of a[j], 1 <= j <= 2", 0),
        "0:1,2 1:1,2");
    assert_string_equal(law_cells_text_8("A[0] = a[1]; for i < 2: A[i] = a[2]", 0),
                        "29: two claims say different things of cell 0 at d = 0");
    assert_string_equal(law_cells_text_8("A[0] = a[1]; for i < 2: A[i] = a[1] + a[1]", 0),
                        "29: two claims say different things of cell 0 at d = 0");
}

static void test_input_that_is_added_twice_stands_twice(void **state)
{
    (void)state;
    assert_string_equal(law_cells_text_8("A[0] = a[3] + a[3]", 0), "0:3,3");
    assert_string_equal(
        law_cells_text_8("A[0] = (sum of a[j], j < 3) + sum of a[j], j = 1 mod 2", 0),
        "0:0,1,1,2,3,5,7");
    assert_string_equal(law_cells_text_8("A[0] = sum of a[i + j], i <= 1, j <= 1", 0), "0:0,1,1,2");
    assert_string_equal(law_cells_text_8("A[0] = a[3]*a[3] + a[2]^3 - a[1]", 0), "0:1,2,3");
    assert_string_equal(law_cells_text_8("A[0] = (sum of a[j], j < 2)*(sum of a[j], 0 < j < 3)", 0),
                        "0:0,1,2");
}

static void test_inputs_are_those_of_a_or_of_b_where_there_is_no_a(void **state)
{
    static const char *const law =
        LAW_HEAD "law A[0] = sum of (a[j] - b[j + 1])^2, j < 3; A[1] = b[5]";
    (void)state;
    assert_string_equal(
        law_cells_text(law, law_sizes_8, (struct rd_law_place){0}, RD_LAW_FIRST_INPUT),
        "0:0,1,2 1:5");
    assert_string_equal(law_cells_text(law, law_sizes_8, (struct rd_law_place){0}, 0),
                        "0:0,1,2 1:");
    assert_string_equal(law_cells_text(law, law_sizes_8, (struct rd_law_place){0}, 1),
                        "0:1,2,3 1:5");
    assert_string_equal(law_cells_text(law, law_sizes_8, (struct rd_law_place){0}, RD_LAW_NO_INPUT),
                        "0: 1:");
}

static void test_rows_and_defined_arrays_have_flat_indices(void **state)
{
    (void)state;
    assert_string_equal(
        law_cells_text(
            "input a[2][n] array A[n]\n"
            "let for 0 <= k < B, 1 <= t <= T: x[k][t] = sum of a[k][j], j mod T = t - 1\n"
            "law for k < B, 0 < t <= T: A[k*T + t - 1] = x[k][t]",
            law_sizes_8, (struct rd_law_place){0}, RD_LAW_FIRST_INPUT),
        "0:0,4 1:1,5 2:2,6 3:3,7 4:8,12 5:9,13 6:10,14 7:11,15");
    assert_string_equal(law_cells_text("input a[n] array A[n] let for 1 <= k < 3: x[k] = a[k]\n"
                                       "law for k < 3: A[k] = x[k]",
                                       law_sizes_8, (struct rd_law_place){0}, RD_LAW_FIRST_INPUT),
                        "23: 'x' has no such element: 0 at d = 0");
}

static void test_law_at_a_point_is_of_its_block_and_warp(void **state)
{
    const char *text = "input a[n] array A[n] law A = 0\n"
                       "at p register r[2] steps s = 1, 2*s, ..., 8 let u = s + 10*warp\n"
                       "law for l < 2: r[l] = a[(u + 100*block + l) mod 7]";
    (void)state;
    assert_string_equal(law_cells_text(text, law_sizes_8,
                                       (struct rd_law_place){.block = 1, .warp = 2, .variable = 4},
                                       RD_LAW_FIRST_INPUT),
                        "0:5 1:6");
}

/* An interval, every w-th and a window take as much work as they have cases, not as there are inputs. */
static void test_cases_are_narrowed_down_by_their_conditions(void **state)
{
    static const struct {
        const char *law, *cells;
    } rows[] = {
        {"A[5] = sum of a[j], j mod (n div 2) = 5", "5:5,524293"},
        {"A[5] = sum of a[j], (j + 3) mod (n div 2) = 5", "5:2,524290"},
        {"A[5] = sum of a[j], j = 5 (mod n div 2)", "5:5,524293"},
        {"A[5] = sum of a[j], n - 3 < j", "5:1048574,1048575"},
        {"A[5] = sum of a[j], 5 <= j < min(5 + 4, n)", "5:5,6,7,8"},
        {"A[5] = sum of a[j], 3*j + 1 = 16", "5:5"},
        {"A[5] = sum of a[j], 7 - j >= 5", "5:0,1,2"},
        {"A[5] = sum of a[j], floor(j / 4) = 5", "5:20,21,22,23"},
        {"A[5] = sum of a[j], floor((j mod (n div 2)) / 2) = 5", "5:10,11,524298,524299"},
        {"A[5] = sum of a[j], floor(((n + 12 - j) mod (n div 2)) / 4) = 1",
         "5:5,6,7,8,524293,524294,524295,524296"},
        {"A[5] = sum of a[j], max(3, 5) <= j <= min(j + 3, 7)", "5:5,6,7"},
        {"for i = 5 mod (n div 2), i < n: A[i] = a[i]", "5:5 524293:524293"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char text[300];
        snprintf(text, sizeof text, "input a[n] array A[n] law %s", rows[k].law);
        const char *is =
            law_cells_text(text, (struct rd_law_sizes){.n = 1 << 20, .T = 1, .work_max = 2000},
                           (struct rd_law_place){0}, RD_LAW_FIRST_INPUT);
        if (strcmp(is, rows[k].cells) != 0)
            fail_msg("%s: %s, not %s", rows[k].law, is, rows[k].cells);
    }
}

/* The cells of an input, or why not. */
static const char *located(const char *text, struct rd_law_sizes sizes, size_t input,
                           uint64_t index)
{
    static char said[1000];
    struct law_subject subject = law_subject(text, sizes);
    struct rd_law_error error;
    uint64_t *cells;
    size_t count, length = 0;
    said[0] = '\0';
    if (rd_law_locate(subject.run, subject.section, &(struct rd_law_place){.d = 1, .block = 1},
                      input, index, &cells, &count, &error) != RD_OK) {
        snprintf(said, sizeof said, "%zu: %s", error.column, error.what.text);
    } else {
        for (size_t k = 0; k < count; k++)
            length += (size_t)sprintf(said + length, "%s%zu", k ? " " : "", (size_t)cells[k]);
        free(cells);
    }
    law_subject_finish(&subject);
    return said;
}

static void test_cells_of_an_input_are_found_without_a_search(void **state)
{
    static const struct {
        const char *law;
        size_t input, index;
        const char *cells;
    } rows[] = {
        {"law for 0 <= i < n / 2: A[i] = sum of a[j], j mod (n / 2) = i", 0, 524290, "2"},
        {"law for i = 0 mod 4, i < n: A[i] = sum of a[j], i <= j < min(i + 4, n)", 0, 99, "96"},
        {"law for i < n: A[i] = sum of a[j]*b[j + 1], 2*j - i = 6", 0, 10, "14"},
        {"law for i < n: A[i] = sum of a[j]*b[j + 1], 2*j - i = 6", 1, 10, "12"},
        {"law for i < n: A[i] = sum of a[i + q], q < 3", 0, 10, "8 9 10"},
        {"law for k < n / T, t < T: A[k*T + T - 1 - t] = sum of a[j], j = k*T + t", 0, 10, "9"},
        {"let for k < n / T, t < T: x[k][t] = sum of a[j], j mod (n / 2) = k*T + t\n"
         "law for i < T: A[i] = sum of x[3][t], t mod 2 = i",
         0, 524288 + 15, "1"},
        {"law A[3] = a[7] + a[7]; A[2] = a[8] + sum of a[j], j = 7 (mod n)", 0, 7, "2 3"},
        {"law when d = 0: A = a[1]; when d = 1: for i < 2: A[i] = a[1]", 0, 1, "0 1"},
        {"law A[3] = a[7]", 0, 2000000, ""},
        {"law for k < 8: A[k] = sum of a[(k xor 2)*4 + j], j < 4", 0, 1, "2"},
        {"law for k < 8: A[k] = sum of a[(7 - k)*4 + j], j < 4", 0, 6, "6"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char text[400];
        snprintf(text, sizeof text, "input a[n], b[n] array A[n]\n%s", rows[k].law);
        const char *is =
            located(text, (struct rd_law_sizes){.n = 1 << 20, .T = 4, .B = 2, .work_max = 600},
                    rows[k].input, rows[k].index);
        if (strcmp(is, rows[k].cells) != 0)
            fail_msg("%s: %s, not %s", rows[k].law, is, rows[k].cells);
    }
    assert_string_equal(located("input a[n] array A[n] law A = a[1]", law_sizes_8, 0, 1),
                        "0 1 2 3 4 5 6 7");
    assert_string_equal(
        located("input a[n] array A[n] let f(i) = a[i] law A[1] = f(1)", law_sizes_8, 0, 1),
        "43: the law can't be read from the input to the cell");
}

/* 0 times something holds nothing: of tiles whose rest is filled up with zeros. */
static void test_product_with_a_defined_sum_of_nothing_holds_no_input(void **state)
{
    struct law_subject subject = law_subject("input a[n], b[n] array A[2*n]\n"
                                             "let for 0 <= i < 2*n: x[i] = sum of a[r], r = i\n"
                                             "let for 0 <= i < 2*n: y[i] = sum of b[r], r = i + 4\n"
                                             "law for 0 <= i < 2*n: A[i] = x[i]*y[i]\n",
                                             law_sizes_8);
    (void)state;
    assert_false(rd_law_is_invertible(subject.section));
    for (int input = 0; input < 2; input++) {
        struct rd_law_cells cells;
        assert_int_equal(rd_law_cells_init(&cells, subject.run, subject.section, NULL, input, NULL),
                         RD_OK);
        assert_int_equal(cells.count, 16);
        for (size_t k = 0; k < cells.count; k++) {
            assert_int_equal(cells.first[k + 1] - cells.first[k], k < 4);
            if (k < 4)
                assert_int_equal(cells.inputs[cells.first[k]], input ? k + 4 : k);
        }
        rd_law_cells_finish(&cells);
    }
    law_subject_finish(&subject);
}

/* Pairs would be 2^26 evaluations and more. */
static void test_cells_by_values_without_a_formula_back_take_one_pass_over_the_inputs(void **state)
{
    static const char *const values[] = {"r_d(j) = i", "i = r_d(j)", "j mod 1024 mod w = i",
                                         "(j xor 5) = i", "s(j) = i"};
    const struct rd_law_sizes sizes = {.n = 8192, .T = 4, .B = 2, .work_max = 80 * 8192};
    (void)state;
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
        char text[400];
        snprintf(text, sizeof text,
                 LAW_HEAD "let r_0(j) = j; r_(c+1)(j) = r_c(j) mod ceil(n / 2^(c + 1)); "
                          "s(j) = (j*5 mod 8191) mod w law for 0 <= i < w: A[i] = sum of a[j], %s",
                 values[k]);
        struct law_subject subject = law_subject(text, sizes);
        for (unsigned d = 0; d <= 13; d++) {
            const struct rd_law_place place = {.d = d};
            struct rd_law_cells cells;
            struct rd_law_error error = {.column = 0};
            if (rd_law_cells_init(&cells, subject.run, subject.section, &place, RD_LAW_FIRST_INPUT,
                                  &error) != RD_OK)
                fail_msg("%s at d = %u: %s", values[k], d, error.what.text);
            assert_int_equal(cells.count, 8192 >> d);
            if (k < 3) /* each input is in a cell */
                assert_int_equal(cells.first[cells.count], 8192);
            for (size_t q = 1; k < 2 && q < cells.first[1]; q++)
                assert_int_equal(cells.inputs[q], cells.inputs[q - 1] + (8192 >> d));
            rd_law_cells_finish(&cells);
        }
        law_subject_finish(&subject);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cells_of_the_fold_are_those_of_each_round),
        cmocka_unit_test(test_cells_are_those_of_claims_whose_condition_holds),
        cmocka_unit_test(test_cell_that_does_not_exist_is_told_and_left_out),
        cmocka_unit_test(test_claims_on_a_cell_must_agree),
        cmocka_unit_test(test_input_that_is_added_twice_stands_twice),
        cmocka_unit_test(test_inputs_are_those_of_a_or_of_b_where_there_is_no_a),
        cmocka_unit_test(test_rows_and_defined_arrays_have_flat_indices),
        cmocka_unit_test(test_law_at_a_point_is_of_its_block_and_warp),
        cmocka_unit_test(test_cases_are_narrowed_down_by_their_conditions),
        cmocka_unit_test(test_cells_of_an_input_are_found_without_a_search),
        cmocka_unit_test(test_product_with_a_defined_sum_of_nothing_holds_no_input),
        cmocka_unit_test(test_cells_by_values_without_a_formula_back_take_one_pass_over_the_inputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
