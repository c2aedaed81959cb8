// SPDX-License-Identifier: MIT
/* Evaluation of laws: live cells and their inputs, numbers, and undefined values. Longer than others: each law is
 * evaluated in all ways that there are, which must agree. */
#include "law_harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct rd_law_sizes sizes_8 = {.n = 8, .T = 4, .B = 2};

/* The first element of a in the cell leads back to it. */
static void assert_located(const struct law_subject *subject, const struct rd_law_place *place,
                           uint64_t cell)
{
    struct rd_law_error error;
    bool live, found = false;
    uint64_t *inputs, *cells;
    size_t count;
    assert_int_equal(
        rd_law_cell(subject->run, subject->section, place, cell, 0, &live, &inputs, &count, &error),
        RD_OK);
    if (count > 0 && rd_law_is_invertible(subject->section)) {
        assert_int_equal(rd_law_locate(subject->run, subject->section, place, 0, inputs[0], &cells,
                                       &count, &error),
                         RD_OK);
        for (size_t k = 0; k < count; k++)
            found |= cells[k] == cell;
        assert_true(found);
        free(cells);
    }
    free(inputs);
}

/* One cell asked for, the cells of one input, and the cells as a progression are as in the list of all. */
static void assert_asked_one_by_one(const struct law_subject *subject,
                                    const struct rd_law_place *place, int input,
                                    const struct rd_law_cells *cells)
{
    struct rd_law_error error;
    struct rd_law_progression row;
    bool live, regular;
    uint64_t *list;
    size_t count;
    assert_int_equal(rd_law_live(subject->run, subject->section, place, &row, &regular, &error),
                     RD_OK);
    if (regular)
        assert_int_equal(row.count, cells->count + cells->n_outside);
    for (size_t k = 0; k < cells->count; k++) {
        const uint64_t *inputs = cells->inputs + cells->first[k];
        const size_t n_inputs = cells->first[k + 1] - cells->first[k];
        assert_int_equal(rd_law_cell(subject->run, subject->section, place, cells->cells[k], input,
                                     &live, &list, &count, &error),
                         RD_OK);
        assert_true(live);
        assert_int_equal(count, n_inputs);
        if (count > 0)
            assert_memory_equal(list, inputs, count * sizeof *list);
        free(list);
        assert_located(subject, place, cells->cells[k]);
    }
}

/* The cells as text: "0:0,4 1:1,5"; a mistake as "COLUMN: MESSAGE". */
static const char *said_of(const char *text, struct rd_law_sizes sizes, struct rd_law_place place,
                           int input)
{
    static char said[2000];
    struct law_subject subject = law_subject(text, sizes);
    struct rd_law_cells cells;
    struct rd_law_error error;
    size_t length = 0;
    said[0] = '\0';
    if (rd_law_cells_init(&cells, subject.run, subject.section, &place, input, &error) != RD_OK) {
        snprintf(said, sizeof said, "%zu: %s", error.column, error.what.text);
        law_subject_finish(&subject);
        return said;
    }
    for (size_t k = 0; k < cells.count; k++) {
        length += (size_t)sprintf(said + length, "%s%zu:", k ? " " : "", (size_t)cells.cells[k]);
        for (size_t q = cells.first[k]; q < cells.first[k + 1]; q++)
            length += (size_t)sprintf(said + length, "%s%zu", q > cells.first[k] ? "," : "",
                                      (size_t)cells.inputs[q]);
    }
    if (cells.n_outside > 0)
        sprintf(said + length, " outside %zu, %d", cells.n_outside, (int)cells.outside);
    if (input != RD_LAW_NO_INPUT)
        assert_asked_one_by_one(&subject, &place, input, &cells);
    rd_law_cells_finish(&cells);
    law_subject_finish(&subject);
    return said;
}

#define HEAD "input a[n], b[n] array A[n] let w = n / 2^d\n"

/* Evaluates the law for n = 8, T = 4, B = 2 and a round. */
static const char *said(const char *law, unsigned d)
{
    char text[600];
    snprintf(text, sizeof text, HEAD "law %s", law);
    return said_of(text, sizes_8, (struct rd_law_place){.d = d}, RD_LAW_FIRST_INPUT);
}

/* ---- cells ---- */

static void test_cells_of_the_fold_are_those_of_each_round(void **state)
{
    static const char *const fold = "for 0 <= i < w: A[i] = sum of a[j], j mod w = i";
    (void)state;
    assert_string_equal(said(fold, 0), "0:0 1:1 2:2 3:3 4:4 5:5 6:6 7:7");
    assert_string_equal(said(fold, 1), "0:0,4 1:1,5 2:2,6 3:3,7");
    assert_string_equal(said(fold, 2), "0:0,2,4,6 1:1,3,5,7");
    assert_string_equal(said(fold, 3), "0:0,1,2,3,4,5,6,7");
    assert_string_equal(said(fold, 4), "");
}

static void test_cells_are_those_of_claims_whose_condition_holds(void **state)
{
    static const char *const law =
        "when d = 0: A = 0; when d > 0: A[d] = a[0]; when d = 2: A[7] = b[1]";
    (void)state;
    assert_string_equal(said(law, 0), "0: 1: 2: 3: 4: 5: 6: 7:");
    assert_string_equal(said(law, 1), "1:0");
    assert_string_equal(said(law, 2), "2:0 7:1");
}

static void test_cell_that_does_not_exist_is_told_and_left_out(void **state)
{
    (void)state;
    assert_string_equal(said("for 0 <= i <= w: A[i] = a[0]", 0),
                        "0:0 1:0 2:0 3:0 4:0 5:0 6:0 7:0 outside 1, 8");
    assert_string_equal(said("for 0 <= i < 3: A[4*i - 1] = a[i]", 0), "3:1 7:2 outside 1, -1");
}

static void test_claims_on_a_cell_must_agree(void **state)
{
    (void)state;
    assert_string_equal(said("A[0] = a[1] + a[2]; for i < 2: A[i] = sum of a[j], 1 <= j <= 2", 0),
                        "0:1,2 1:1,2");
    assert_string_equal(said("A[0] = a[1]; for i < 2: A[i] = a[2]", 0),
                        "29: two claims say different things of cell 0 at d = 0");
    assert_string_equal(said("A[0] = a[1]; for i < 2: A[i] = a[1] + a[1]", 0),
                        "29: two claims say different things of cell 0 at d = 0");
}

static void test_input_that_is_added_twice_stands_twice(void **state)
{
    (void)state;
    assert_string_equal(said("A[0] = a[3] + a[3]", 0), "0:3,3");
    assert_string_equal(said("A[0] = (sum of a[j], j < 3) + sum of a[j], j = 1 mod 2", 0),
                        "0:0,1,1,2,3,5,7");
    assert_string_equal(said("A[0] = sum of a[i + j], i <= 1, j <= 1", 0), "0:0,1,1,2");
    assert_string_equal(said("A[0] = a[3]*a[3] + a[2]^3 - a[1]", 0), "0:1,2,3");
    assert_string_equal(said("A[0] = (sum of a[j], j < 2)*(sum of a[j], 0 < j < 3)", 0), "0:0,1,2");
}

static void test_inputs_are_those_of_a_or_of_b_where_there_is_no_a(void **state)
{
    static const char *const law = HEAD "law A[0] = sum of (a[j] - b[j + 1])^2, j < 3; A[1] = b[5]";
    (void)state;
    assert_string_equal(said_of(law, sizes_8, (struct rd_law_place){0}, RD_LAW_FIRST_INPUT),
                        "0:0,1,2 1:5");
    assert_string_equal(said_of(law, sizes_8, (struct rd_law_place){0}, 0), "0:0,1,2 1:");
    assert_string_equal(said_of(law, sizes_8, (struct rd_law_place){0}, 1), "0:1,2,3 1:5");
    assert_string_equal(said_of(law, sizes_8, (struct rd_law_place){0}, RD_LAW_NO_INPUT), "0: 1:");
}

static void test_rows_and_defined_arrays_have_flat_indices(void **state)
{
    (void)state;
    assert_string_equal(
        said_of("input a[2][n] array A[n]\n"
                "let for 0 <= k < B, 1 <= t <= T: x[k][t] = sum of a[k][j], j mod T = t - 1\n"
                "law for k < B, 0 < t <= T: A[k*T + t - 1] = x[k][t]",
                sizes_8, (struct rd_law_place){0}, RD_LAW_FIRST_INPUT),
        "0:0,4 1:1,5 2:2,6 3:3,7 4:8,12 5:9,13 6:10,14 7:11,15");
    assert_string_equal(said_of("input a[n] array A[n] let for 1 <= k < 3: x[k] = a[k]\n"
                                "law for k < 3: A[k] = x[k]",
                                sizes_8, (struct rd_law_place){0}, RD_LAW_FIRST_INPUT),
                        "23: 'x' has no such element: 0 at d = 0");
}

static void test_law_at_a_point_is_of_its_block_and_warp(void **state)
{
    const char *text = "input a[n] array A[n] law A = 0\n"
                       "at p register r[2] steps s = 1, 2*s, ..., 8 let u = s + 10*warp\n"
                       "law for l < 2: r[l] = a[(u + 100*block + l) mod 7]";
    (void)state;
    assert_string_equal(said_of(text, sizes_8,
                                (struct rd_law_place){.block = 1, .warp = 2, .variable = 4},
                                RD_LAW_FIRST_INPUT),
                        "0:5 1:6");
}

/* ---- numbers ---- */

/* The value of an index expression, as the one cell that is claimed. */
static const char *number(const char *expression)
{
    char text[600];
    snprintf(text, sizeof text, "array A[1000] let w = n / 2^d law A[%s] = 0", expression);
    return said_of(text, sizes_8, (struct rd_law_place){.d = 1}, RD_LAW_NO_INPUT);
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
    assert_string_equal(said_of("array A[n] law A[B] = 0", (struct rd_law_sizes){.n = 1, .T = 1},
                                (struct rd_law_place){0}, RD_LAW_NO_INPUT),
                        "18: 'B' has no value: the run has no number of blocks at d = 0");
    assert_string_equal(said("for i < n: A[i] = a[i + 1]", 0),
                        "23: 'a' has no element 8 of 8 at d = 0");
    assert_string_equal(
        said_of("input a[n] array A[n] law A = 0\nat p register r[2] steps s = 1, 2, ..., 2\n"
                "law r[0] = a[s + 7 + 1 / (1 - warp)]",
                sizes_8, (struct rd_law_place){.block = 3, .warp = 1, .variable = 2},
                RD_LAW_FIRST_INPUT),
        "22: division by 0: undefined at 'p', block 3, warp 1, s = 2");
}

static void test_condition_to_the_left_keeps_from_what_is_undefined(void **state)
{
    (void)state;
    assert_string_equal(said("for i < n, d > 0 and n / d = 4 or i = 5: A[i] = 0", 0), "5:");
    assert_string_equal(said("for i < n, n / d = 4: A[i] = 0", 0),
                        "16: division by 0: undefined at d = 0");
    assert_string_equal(said("when d > 0 and n / d = 8: A[0] = 0", 0), "");
    assert_string_equal(said("when d > 0: for i < n / d: A[i] = 0", 0), "");
    assert_string_equal(said("A[0] = sum of a[j], j > 8, 3 / (j - j) = 1", 0), "0:");
    assert_string_equal(said("for i < d, n / d > 2: A[i] = a[i]; when d = 0: A[1] = a[2]", 0),
                        "1:2");
    assert_string_equal(said("for i < d: A[(n / d)*i] = a[i]; for i < 2: A[i] = a[i]", 0),
                        "0:0 1:1");
    /* The bound of what follows may be undefined where it isn't asked for. */
    assert_string_equal(said("A[0] = sum of a[i + j], i < 2, i > 0, j < 4 / i", 0), "0:1,2,3,4");
}

static void test_condition_to_the_right_does_not_keep_from_what_is_undefined(void **state)
{
    (void)state;
    assert_string_equal(said("for i < n, 5 mod d < 9, d > 0: A[i] = 0", 0),
                        "16: division by 0: undefined at d = 0");
    assert_string_equal(said("for 0 <= i < 2 mod log2(0), n = 9: A[i] = 0", 0),
                        "24: the logarithm of a number below 1: undefined at d = 0");
    assert_string_equal(said("A[0] = sum of a[j], n mod j = 0, j > 0", 0),
                        "25: division by 0: undefined at d = 0");
    assert_string_equal(said("A[0] = sum of a[j], j > 0, n mod j = 0", 0), "0:1,2,4");
    /* Nor does what a condition itself says of the values. */
    assert_string_equal(
        said("A[0] = sum of a[j], (j - 3) % 4 = 5", 0),
        "25: '%' of a negative number, where C rounds towards 0 ('mod' rounds down): "
        "undefined at d = 0");
    assert_string_equal(said("A[0] = sum of a[j], j < min(0, 4 mod d)", 0),
                        "36: division by 0: undefined at d = 0");
    /* One that is known isn't asked before one that isn't. */
    assert_string_equal(said("A[0] = sum of a[j], j > 8, 3 / d = 1", 0), "0:");
    assert_string_equal(said("for i < n: A[i] = sum of a[i + j], j < 2, i > 8, 3 / d = 1", 0),
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
        const char *is = said_of(law, sizes_8, (struct rd_law_place){.d = 1}, RD_LAW_NO_INPUT);
        if (strcmp(is, families[k].value) != 0)
            fail_msg("%s is %s, not %s", families[k].expression, is, families[k].value);
    }
    char law[300];
    snprintf(law, sizeof law, text, "m_(0 - 1)");
    assert_string_equal(said_of(law, sizes_8, (struct rd_law_place){0}, RD_LAW_NO_INPUT),
                        "7: 'm_-1' isn't defined at d = 0");
}

static void test_endless_definition_is_told(void **state)
{
    (void)state;
    assert_string_equal(said_of("array A[n] let m_0 = 0; m_(k+1) = m_(k + 2)\nlaw A[m_1] = 0",
                                sizes_8, (struct rd_law_place){0}, RD_LAW_NO_INPUT),
                        "38: definitions stand too deep in each other at d = 0");
    assert_string_equal(said_of("input a[n] array A[n] let f_0 = a[0]; f_(k+1) = a[0] + f_(k + 2)\n"
                                "law A[0] = f_1",
                                sizes_8, (struct rd_law_place){0}, RD_LAW_FIRST_INPUT),
                        "51: definitions stand too deep in each other at d = 0");
}

static void test_too_much_work_is_told(void **state)
{
    struct rd_law_sizes sizes = sizes_8;
    (void)state;
    sizes.work_max = 10000;
    assert_string_equal(said_of("array A[n] law for i < 2^40: A[i] = 0", sizes,
                                (struct rd_law_place){0}, RD_LAW_NO_INPUT),
                        "20: takes too long: more than 10000 evaluations at d = 0: take a smaller "
                        "n, or bound its variables more closely");
    sizes.n = (uint64_t)1 << 62;
    assert_string_equal(
        said_of("array A[n] law A = 0", sizes, (struct rd_law_place){0}, RD_LAW_NO_INPUT),
        "16: takes too long: more than 10000 evaluations at d = 0: take a smaller n, or bound its "
        "variables more closely");
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
            said_of(text, (struct rd_law_sizes){.n = 1 << 20, .T = 1, .work_max = 2000},
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
    assert_string_equal(located("input a[n] array A[n] law A = a[1]", sizes_8, 0, 1),
                        "0 1 2 3 4 5 6 7");
    assert_string_equal(
        located("input a[n] array A[n] let f(i) = a[i] law A[1] = f(1)", sizes_8, 0, 1),
        "43: the law can't be read from the input to the cell");
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
        struct law_subject subject = law_subject(text, sizes_8);
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
        struct law_subject subject = law_subject(text, sizes_8);
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

/* 0 times something holds nothing: of tiles whose rest is filled up with zeros. */
static void test_product_with_a_defined_sum_of_nothing_holds_no_input(void **state)
{
    struct law_subject subject = law_subject("input a[n], b[n] array A[2*n]\n"
                                             "let for 0 <= i < 2*n: x[i] = sum of a[r], r = i\n"
                                             "let for 0 <= i < 2*n: y[i] = sum of b[r], r = i + 4\n"
                                             "law for 0 <= i < 2*n: A[i] = x[i]*y[i]\n",
                                             sizes_8);
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
                 HEAD "let r_0(j) = j; r_(c+1)(j) = r_c(j) mod ceil(n / 2^(c + 1)); "
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
        cmocka_unit_test(test_numbers_are_as_in_mathematics),
        cmocka_unit_test(test_what_has_no_value_is_told_with_its_place),
        cmocka_unit_test(test_condition_to_the_left_keeps_from_what_is_undefined),
        cmocka_unit_test(test_condition_to_the_right_does_not_keep_from_what_is_undefined),
        cmocka_unit_test(test_families_are_defined_by_their_equations),
        cmocka_unit_test(test_endless_definition_is_told),
        cmocka_unit_test(test_too_much_work_is_told),
        cmocka_unit_test(test_cases_are_narrowed_down_by_their_conditions),
        cmocka_unit_test(test_cells_of_an_input_are_found_without_a_search),
        cmocka_unit_test(test_steps_go_towards_the_last_and_not_beyond),
        cmocka_unit_test(test_threads_come_to_a_point_where_it_says),
        cmocka_unit_test(test_product_with_a_defined_sum_of_nothing_holds_no_input),
        cmocka_unit_test(test_cells_by_values_without_a_formula_back_take_one_pass_over_the_inputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
