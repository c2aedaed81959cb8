// SPDX-License-Identifier: MIT
/* The folds of any number of numbers, and their fault. */
#include "harness.h"

static const char *const programs[] = {"fold-guard", "fold-ceil"};
enum { PROGRAMS = sizeof programs / sizeof *programs };

static void test_fold_any_of_8_is_the_fold(void **state)
{
    static const char *const rows[] = {
        "0 1 2 3 4 5 6 7",
        "4 6 8 10 | 4 5 6 7",
        "12 16 | 8 10 4 5 6 7",
        "28 | 16 8 10 4 5 6 7",
        NULL,
    };
    (void)state;
    for (int p = 0; p < PROGRAMS; p++)
        assert_steps(&(struct test_case){.program = programs[p], .n = 8, .frame = true}, rows);
}

static void test_fold_guard_of_6_goes_as_documented(void **state)
{
    static const char *const rows[] = {
        "0 1 2 3 4 5", "4 6 2 3 | 4 5", "6 9 | 2 3 4 5", "15 | 9 2 3 4 5", NULL,
    };
    (void)state;
    for (unsigned type = 0; type < RD_TYPE_COUNT; type++)
        assert_steps(
            &(struct test_case){
                .program = "fold-guard", .n = 6, .type = (enum rd_type)type, .frame = true},
            rows);
}

static void test_fold_ceil_of_5_goes_as_documented(void **state)
{
    static const char *const rows[] = {
        "0 1 2 3 4", "3 5 2 | 3 4", "5 5 | 2 3 4", "10 | 5 2 3 4", NULL,
    };
    (void)state;
    for (unsigned type = 0; type < RD_TYPE_COUNT; type++)
        assert_steps(
            &(struct test_case){
                .program = "fold-ceil", .n = 5, .type = (enum rd_type)type, .frame = true},
            rows);
}

static void test_fold_any_makes_ceil_log2_n_rounds_and_n_minus_1_additions(void **state)
{
    (void)state;
    assert_rounds("fold-guard", 1, (const size_t[]){0}, 0);
    assert_rounds("fold-guard", 6, (const size_t[]){4, 2, 1, 0}, 5);
    assert_rounds("fold-guard", 8, (const size_t[]){4, 2, 1, 0}, 7);
    assert_rounds("fold-guard", 9, (const size_t[]){8, 4, 2, 1, 0}, 8);
    assert_rounds("fold-ceil", 1, (const size_t[]){0}, 0);
    assert_rounds("fold-ceil", 5, (const size_t[]){3, 2, 1, 0}, 4);
    assert_rounds("fold-ceil", 8, (const size_t[]){4, 2, 1, 0}, 7);
    assert_rounds("fold-ceil", 9, (const size_t[]){5, 3, 2, 1, 0}, 8);
    assert_rounds("fold-ceil", 1000, (const size_t[]){500, 250, 125, 63, 32, 16, 8, 4, 2, 1, 0},
                  999);
}

static void test_fold_any_states_the_numbers_of_each_step(void **state)
{
    struct test_record record;
    (void)state;
    test_record(&(struct test_case){.program = "fold-guard", .n = 6}, &record);
    assert_text(record.steps[0].statement,
                "for 0 <= i < 6: A[i] = sum of a[j], 0 <= j < 6, j mod 8 = i");
    assert_text(record.steps[1].statement,
                "for 0 <= i < 4: A[i] = sum of a[j], 0 <= j < 6, j mod 4 = i");
    test_record_finish(&record);
    test_record(&(struct test_case){.program = "fold-ceil", .n = 5}, &record);
    assert_text(record.steps[0].statement, "for 0 <= i < 5: A[i] = sum of a[j], j = i");
    assert_text(record.steps[2].statement, "for 0 <= i < 2: A[i] = sum of a[j], j mod 3 mod 2 = i");
    test_record_finish(&record);
    test_record(&(struct test_case){.program = "fold-ceil", .n = 33}, &record);
    assert_text(record.steps[5].statement,
                "for 0 <= i < 2: A[i] = sum of a[j], "
                "r_5(j) = i; r_0(j) = j; r_(c+1)(j) = r_c(j) mod ceil(33 / 2^(c+1))");
    test_record_finish(&record);
}

static void test_fold_any_of_none_is_refused(void **state)
{
    (void)state;
    struct rd_error error = {""};
    for (int p = 0; p < PROGRAMS; p++) {
        assert_int_equal(rd_program_accept(rd_program_named(programs[p]), SHAPE(0), &error),
                         RD_ERROR_USAGE);
        assert_contains(error.text, "'n' is 0");
    }
}

/* ---- the fault ---- */

static void test_fold_ceil_floor_fails_at_step_2_in_cell_0(void **state)
{
    struct test_case test = {.program = "fold-ceil:floor", .n = 6, .frame = true};
    (void)state;
    assert_violated(&test, &(struct test_violation){
                               .kind = RD_VIOLATION_BITS,
                               .step = 2,
                               .cell = 0,
                               .expected = "10",
                               .actual = "8",
                               .expected_set = "{0,2,3,5}",
                               .actual_set = "{0,1,3,4}",
                               .lost = "{2,5}",
                               .extra = "{1,4}",
                           });
    for (int p = 0; p < PROGRAMS; p++) {
        test.program = programs[p];
        assert_holds(&test);
    }
}

static void test_fold_ceil_floor_of_6_ends_without_2_and_5(void **state)
{
    static const char *const rows[] = {
        "0 1 2 3 4 5",
        "3 5 7 3 4 5",
        "8 5 7 3 4 5", /* 0 + 3 + 1 + 4 */
        NULL,
    };
    (void)state;
    assert_steps(
        &(struct test_case){.program = "fold-ceil:floor", .n = 6, .frame = true, .go_on = true},
        rows);
}

/* The sum of T ones becomes the largest power of two that is not above T. */
static void test_fold_ceil_floor_keeps_a_power_of_two_of_ones(void **state)
{
    static const struct {
        size_t n;
        const char *kept;
    } cases[] = {{6, "4"}, {96, "64"}, {1000, "512"}, {1023, "512"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct test_record record;
        test_record(
            &(struct test_case){
                .program = "fold-ceil:floor", .n = cases[i].n, .values = "ones", .go_on = true},
            &record);
        assert_text(test_cell_text(&record, record.n_steps - 1, 0), cases[i].kept);
        assert_int_equal(record.result.verdict, RD_VIOLATED);
        test_record_finish(&record);
    }
}

static void test_fold_ceil_floor_holds_for_powers_of_two_only(void **state)
{
    (void)state;
    for (size_t n = 1; n <= 65; n++) {
        struct test_case test = {.program = "fold-ceil:floor", .n = n, .values = "powers"};
        struct rd_result result;
        test.type = RD_TYPE_U64;
        assert_int_equal(test_run(&test, &result, NULL), RD_OK);
        assert_int_equal(result.verdict, (n & (n - 1)) == 0 ? RD_HOLDS : RD_VIOLATED);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TESTS_OF_ROUNDS("fold-guard"),
        TESTS_OF_ROUNDS("fold-ceil"),
        TEST_OF_PARTITION("fold-guard"),
        TEST_OF_PARTITION("fold-ceil"),
        cmocka_unit_test(test_fold_any_of_8_is_the_fold),
        cmocka_unit_test(test_fold_guard_of_6_goes_as_documented),
        cmocka_unit_test(test_fold_ceil_of_5_goes_as_documented),
        cmocka_unit_test(test_fold_any_makes_ceil_log2_n_rounds_and_n_minus_1_additions),
        cmocka_unit_test(test_fold_any_states_the_numbers_of_each_step),
        cmocka_unit_test(test_fold_any_of_none_is_refused),
        cmocka_unit_test(test_fold_ceil_floor_fails_at_step_2_in_cell_0),
        cmocka_unit_test(test_fold_ceil_floor_of_6_ends_without_2_and_5),
        cmocka_unit_test(test_fold_ceil_floor_keeps_a_power_of_two_of_ones),
        cmocka_unit_test(test_fold_ceil_floor_holds_for_powers_of_two_only),
    };
    return cmocka_run_group_tests_name("fold-any", tests, test_set_up, test_tear_down) != 0;
}
