// SPDX-License-Identifier: MIT
/* What laws say: live cells and their inputs, numbers, operations, updates, and what is undefined. */
#include "law/law.h"

#include <setjmp.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A paragraph, with sizes. */
struct subject {
    struct rd_law *law;
    struct rd_law_run *run;
    const struct rd_law_section *section; /* the last */
};

static struct subject subject_of(const char *text, struct rd_law_sizes sizes)
{
    struct subject subject;
    struct rd_law_error error;
    if (rd_law_create(&subject.law, text, &error) != RD_OK)
        fail_msg("%s\n%zu:%zu: %s", text, error.line, error.column, error.what.text);
    assert_int_equal(rd_law_run_create(&subject.run, subject.law, &sizes, &error), RD_OK);
    subject.section = rd_law_section(subject.law, rd_law_section_count(subject.law) - 1);
    return subject;
}

static void finish(struct subject *subject)
{
    rd_law_run_destroy(subject->run);
    rd_law_destroy(subject->law);
}

static const struct rd_law_sizes sizes_8 = {.n = 8, .T = 4, .B = 2};

/* The cells as text: "0:0,4 1:1,5"; a mistake as "COLUMN: MESSAGE". */
static const char *said_of(const char *text, struct rd_law_sizes sizes, struct rd_law_place place,
                           int input)
{
    static char said[2000];
    struct subject subject = subject_of(text, sizes);
    struct rd_law_cells cells;
    struct rd_law_error error;
    size_t length = 0;
    said[0] = '\0';
    if (rd_law_cells_init(&cells, subject.run, subject.section, &place, input, &error) != RD_OK) {
        snprintf(said, sizeof said, "%zu: %s", error.column, error.what.text);
        finish(&subject);
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
    rd_law_cells_finish(&cells);
    finish(&subject);
    return said;
}

#define HEAD "input a[n], b[n] array A[n] let w = n / 2^d\n"

/* Of n = 8, T = 4, B = 2 and a round. */
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

/* What an index expression is, as the one cell that is claimed. */
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
        {"(-7) / 2",
         "37: '/' of a negative number, which C rounds up ('div' rounds down): undefined at d = 1"},
        {"(-7) % 2",
         "37: '%' of a negative number, of which C's is negative ('mod' isn't): undefined "
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
    /* The bound of what follows may be undefined where it isn't asked for. */
    assert_string_equal(said("A[0] = sum of a[i + j], i < 2, i > 0, j < 4 / i", 0), "0:1,2,3,4");
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
                        "20: takes too long: more than 10000 evaluations at d = 0");
    sizes.n = (uint64_t)1 << 62;
    assert_string_equal(
        said_of("array A[n] law A = 0", sizes, (struct rd_law_place){0}, RD_LAW_NO_INPUT),
        "16: takes too long: more than 10000 evaluations at d = 0");
}

/* An interval, every w-th and a window take as much work as they have cases, not as there are inputs. */
static void test_cases_are_narrowed_down_by_their_conditions(void **state)
{
    static const char *const laws[] = {
        "A[5] = sum of a[j], j mod (n div 2) = 5",
        "A[5] = sum of a[j], (j + 3) mod (n div 2) = 5",
        "A[5] = sum of a[j], j = 5 (mod n div 2)",
        "A[5] = sum of a[j], n - 3 < j",
        "A[5] = sum of a[j], 5 <= j < min(5 + 4, n)",
        "A[5] = sum of a[j], 3*j + 1 = 16",
        "A[5] = sum of a[j], 7 - j >= 5",
        "A[5] = sum of a[j], floor(j / 4) = 5",
        "A[5] = sum of a[j], floor((j mod (n div 2)) / 2) = 5",
        "for i = 5 mod (n div 2), i < n: A[i] = a[i]",
    };
    (void)state;
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
        char text[300];
        snprintf(text, sizeof text, "input a[n] array A[n] law %s", laws[k]);
        const char *is =
            said_of(text, (struct rd_law_sizes){.n = 1 << 20, .T = 1, .work_max = 2000},
                    (struct rd_law_place){0}, RD_LAW_FIRST_INPUT);
        if (!strchr(is, '5') || strstr(is, "too long"))
            fail_msg("%s: %s", laws[k], is);
    }
}

/* ---- values ---- */

/* Moves cells of f64 on and writes them: "1 2 3.5"; a mistake as "COLUMN: MESSAGE". */
static const char *moved_as(enum rd_type type, const char *sentences, enum rd_law_role role,
                            const double *a, double *cells, size_t n, bool *any_order)
{
    static char said[1000];
    static const char *const head = "input a[n] array A[n] law A = 0 ";
    const struct rd_numeric *numeric = rd_numeric(type);
    char text[600];
    rd_bits inputs[20], array[20];
    size_t length = 0;
    const void *const pointers[] = {inputs};
    const struct rd_law_data data = {numeric, pointers};
    struct rd_law_error error;
    snprintf(text, sizeof text, "%s%s", head, sentences);
    for (size_t k = 0; k < n; k++) {
        char value[40];
        rd_bits bits;
        snprintf(value, sizeof value, "%.17g", a[k]);
        assert_non_null(numeric->parse(value, &bits));
        numeric->store(inputs, k, bits);
        snprintf(value, sizeof value, "%.17g", cells[k]);
        assert_non_null(numeric->parse(value, &bits));
        numeric->store(array, k, bits);
    }
    struct subject subject = subject_of(text, (struct rd_law_sizes){.n = n, .T = 4, .B = 2});
    subject.section = rd_law_section(subject.law, 0);
    if (rd_law_apply(subject.run, subject.section, role, &(struct rd_law_place){.d = 1}, &data,
                     array, any_order, &error) != RD_OK) {
        snprintf(said, sizeof said, "%d: %s", (int)error.column - (int)strlen(head),
                 error.what.text);
    } else {
        for (size_t k = 0; k < n; k++) {
            char value[RD_VALUE_TEXT_SIZE];
            numeric->format(value, numeric->load(array, k));
            length += (size_t)sprintf(said + length, "%s%s", k ? " " : "", value);
        }
    }
    finish(&subject);
    return said;
}

static const char *updated(enum rd_type type, const char *update)
{
    char text[500];
    double a[] = {3, 1, 4, 1}, cells[] = {10, 20, 30, 40};
    snprintf(text, sizeof text, "update %s", update);
    return moved_as(type, text, RD_LAW_UPDATE, a, cells, 4, NULL);
}

static void test_update_reads_the_state_before_it(void **state)
{
    (void)state;
    assert_string_equal(updated(RD_TYPE_I32, "for i < 3: A[i] = A[i + 1]"), "20 30 40 40");
    assert_string_equal(updated(RD_TYPE_I32, "for 0 < i < 4: A[i] = A[i - 1]"), "10 10 20 30");
    assert_string_equal(updated(RD_TYPE_I32, "A[0] = A[1]; A[1] = A[0]"), "20 10 30 40");
    assert_string_equal(updated(RD_TYPE_I32, "for i < n: A[i] = A[i] + 10*i - (i - 1)"),
                        "11 30 49 68");
    assert_string_equal(updated(RD_TYPE_I32, "A = A[3] - d"), "39 39 39 39");
}

static void test_update_of_a_cell_that_does_not_exist_changes_nothing(void **state)
{
    (void)state;
    assert_string_equal(updated(RD_TYPE_I32, "for i <= 4: A[i] = a[0]"),
                        "20: 'A' has no cell 4 at d = 1");
    assert_string_equal(updated(RD_TYPE_I32, "for i < 4: A[i] = A[i + 1]"),
                        "26: 'A' has no element 4 of 4 at d = 1");
}

static void test_without_sentences_of_the_role_the_law_says_what_is_left(void **state)
{
    double a[] = {3, 1}, cells[] = {10, 20};
    (void)state;
    assert_string_equal(moved_as(RD_TYPE_I32, "", RD_LAW_UPDATE, a, cells, 2, NULL), "0 0");
    assert_string_equal(moved_as(RD_TYPE_I32, "start A = a[0]", RD_LAW_UPDATE, a, cells, 2, NULL),
                        "0 0");
    assert_string_equal(moved_as(RD_TYPE_I32, "start A = a[0]", RD_LAW_START, a, cells, 2, NULL),
                        "3 3");
}

static void test_operations_are_monoids_with_their_identity(void **state)
{
    static const struct {
        const char *operation, *of_i32, *nothing_i32, *of_f32, *nothing_f32;
    } rows[] = {
        {"sum", "9", "0", "9", "0"},
        {"product", "12", "1", "12", "1"},
        {"min", "1", "2147483647", "1", "inf"},
        {"max", "4", "-2147483648", "4", "-inf"},
        {"and", "0", "-1", NULL, NULL},
        {"or", "7", "0", NULL, NULL},
        {"xor", "7", "0", NULL, NULL},
        {"argmin", "1", NULL, "1", NULL},
        {"argmax", "2", NULL, "2", NULL},
    };
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        for (unsigned empty = 0; empty < 2; empty++) {
            for (unsigned is_float = 0; is_float < 2; is_float++) {
                const char *wanted = is_float ? empty ? rows[k].nothing_f32 : rows[k].of_f32
                                     : empty  ? rows[k].nothing_i32
                                              : rows[k].of_i32;
                char update[100], all[100];
                snprintf(update, sizeof update, "A = %s of a[j]%s", rows[k].operation,
                         empty ? ", j > 4" : "");
                const char *is = updated(is_float ? RD_TYPE_F32 : RD_TYPE_I32, update);
                snprintf(all, sizeof all, "%s %s %s %s", wanted ? wanted : "", wanted ? wanted : "",
                         wanted ? wanted : "", wanted ? wanted : "");
                if (wanted ? strcmp(is, all) != 0 : !strstr(is, "' "))
                    fail_msg("%s: %s, not %s", update, is, wanted ? wanted : "an error");
            }
        }
    }
    assert_string_equal(updated(RD_TYPE_F32, "A = or of a[j]"),
                        "12: 'or' isn't an operation of f32 at d = 1");
    assert_string_equal(updated(RD_TYPE_I32, "A = argmax of a[j], j > 4"),
                        "12: 'argmax' of nothing: undefined at d = 1");
    assert_string_equal(updated(RD_TYPE_U32, "A = min of a[j], j > 4"),
                        "4294967295 4294967295 4294967295 4294967295");
    /* Of equal terms the least index; of a term, that of its element. */
    assert_string_equal(updated(RD_TYPE_I32, "A = argmin of (a[j + 1] - 3)^2*2, j < 3"), "2 2 2 2");
}

static void test_operations_combine_as_in_their_type(void **state)
{
    const struct rd_numeric *f32 = rd_numeric(RD_TYPE_F32), *i32 = rd_numeric(RD_TYPE_I32);
    rd_bits nan, one = f32->from_u64(1), identity = 77;
    (void)state;
    const float value = NAN;
    nan = f32->load(&value, 0);
    assert_true(f32->is_nan(rd_law_operation_combine(RD_LAW_MIN, f32, nan, one)));
    assert_true(f32->is_nan(rd_law_operation_combine(RD_LAW_MAX, f32, one, nan)));
    assert_int_equal(rd_law_operation_combine(RD_LAW_MIN, i32, UINT32_MAX, 3), UINT32_MAX);
    assert_int_equal(rd_law_operation_combine(RD_LAW_MAX, i32, UINT32_MAX, 3), 3);
    assert_false(rd_law_operation_identity(RD_LAW_AND, f32, &identity));
    assert_false(rd_law_operation_identity(RD_LAW_ARGMIN, i32, &identity));
    assert_int_equal(identity, 77);
    for (unsigned type = 0; type < RD_TYPE_COUNT; type++) {
        const struct rd_numeric *numeric = rd_numeric((enum rd_type)type);
        for (unsigned k = 0; k < RD_LAW_OPERATION_COUNT; k++) {
            const enum rd_law_operation operation = (enum rd_law_operation)k;
            if (rd_law_operation_selects(operation) ||
                !rd_law_operation_identity(operation, numeric, &identity))
                continue;
            rd_bits x = numeric->from_u64(5);
            assert_true(rd_law_operation_combine(operation, numeric, x, identity) == x);
            assert_true(rd_law_operation_combine(operation, numeric, identity, x) == x);
        }
    }
}

static void test_brackets_of_a_sum_decide_about_roundings(void **state)
{
    double a[] = {5e-8, 5e-8}, cells[] = {1, 0};
    (void)state;
    assert_string_equal(
        moved_as(RD_TYPE_F32, "update A[0] = A[0] + sum of a[j]", RD_LAW_UPDATE, a, cells, 2, NULL),
        "1 0");
    assert_string_equal(moved_as(RD_TYPE_F32, "update A[0] = A[0] + (sum of a[j])", RD_LAW_UPDATE,
                                 a, cells, 2, NULL),
                        "1.0000001 0");
}

static void test_any_order_is_told(void **state)
{
    double a[] = {3, 1}, cells[] = {10, 20};
    bool any_order = false;
    (void)state;
    moved_as(RD_TYPE_I32, "update A = sum of a[j]", RD_LAW_UPDATE, a, cells, 2, &any_order);
    assert_false(any_order);
    moved_as(RD_TYPE_I32, "update A = sum of a[j], in any order", RD_LAW_UPDATE, a, cells, 2,
             &any_order);
    assert_true(any_order);
}

static void test_array_at_a_point_is_that_after_its_last_step(void **state)
{
    double a[] = {1, 2, 3, 4}, cells[] = {0, 0, 0, 0};
    (void)state;
    assert_string_equal(
        moved_as(RD_TYPE_I32,
                 "update for k < 2: A[k] = p.r[k][1][0]; A[2] = q.total[1][0]\n"
                 "at p register r[2] steps w = 2, w/2, ..., 1 law r = 0\n"
                 "start for i < 2: r[i] = a[2*block + i] + 100*warp\n"
                 "update for i < w: r[i] = r[i] + r[i + w]\n"
                 "at q register total law total = 0 start total = p.r[block][0][0] + p.r[0][0][1]",
                 RD_LAW_UPDATE, a, cells, 4, NULL),
        "203 207 9 0");
    assert_string_equal(moved_as(RD_TYPE_I32,
                                 "update A[0] = p.r[0][0]\n"
                                 "at p shared r[2] law r = 0 start r = q.s[block][0]\n"
                                 "at q shared s[2] law s = 0 start s = p.r[block][1]",
                                 RD_LAW_UPDATE, a, cells, 4, NULL),
                        "6: 'p' starts from its own end at 'q', block 0");
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
        cmocka_unit_test(test_families_are_defined_by_their_equations),
        cmocka_unit_test(test_endless_definition_is_told),
        cmocka_unit_test(test_too_much_work_is_told),
        cmocka_unit_test(test_cases_are_narrowed_down_by_their_conditions),
        cmocka_unit_test(test_update_reads_the_state_before_it),
        cmocka_unit_test(test_update_of_a_cell_that_does_not_exist_changes_nothing),
        cmocka_unit_test(test_without_sentences_of_the_role_the_law_says_what_is_left),
        cmocka_unit_test(test_operations_are_monoids_with_their_identity),
        cmocka_unit_test(test_operations_combine_as_in_their_type),
        cmocka_unit_test(test_brackets_of_a_sum_decide_about_roundings),
        cmocka_unit_test(test_any_order_is_told),
        cmocka_unit_test(test_array_at_a_point_is_that_after_its_last_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
