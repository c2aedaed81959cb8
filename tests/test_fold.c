// SPDX-License-Identifier: MIT
/* The fold of 2^k numbers, and its faults. */
#include "harness.h"

#include <stdio.h>
#include <string.h>

static void test_fold_of_8_goes_as_documented(void **state)
{
    static const char *const rows[] = {
        "0 1 2 3 4 5 6 7",
        "4 6 8 10 | 4 5 6 7",
        "12 16 | 8 10 4 5 6 7",
        "28 | 16 8 10 4 5 6 7",
        NULL,
    };
    (void)state;
    for (unsigned type = 0; type < RD_TYPE_COUNT; type++)
        assert_steps(
            &(struct test_case){
                .program = "fold", .n = 8, .type = (enum rd_type)type, .frame = true},
            rows);
}

static void test_fold_of_8_without_frame_shows_live_cells_only(void **state)
{
    static const char *const rows[] = {
        "0 1 2 3 4 5 6 7", "4 6 8 10 . . . .", "12 16 . . . . . .", "28 . . . . . . .", NULL,
    };
    struct test_record record;
    (void)state;
    assert_steps(&(struct test_case){.program = "fold", .n = 8}, rows);
    test_record(&(struct test_case){.program = "fold", .n = 8}, &record);
    for (unsigned step = 0; step < record.n_steps; step++)
        assert_int_equal(record.steps[step].n_cells, 8 >> step);
    test_record_finish(&record);
}

static void test_fold_states_the_numbers_of_each_step(void **state)
{
    static const char *const statements[] = {
        "for 0 <= i < 8: A[i] = sum of a[j], j mod 8 = i",
        "for 0 <= i < 4: A[i] = sum of a[j], j mod 4 = i",
        "for 0 <= i < 2: A[i] = sum of a[j], j mod 2 = i",
        "for 0 <= i < 1: A[i] = sum of a[j], j mod 1 = i",
    };
    struct test_record record;
    (void)state;
    test_record(&(struct test_case){.program = "fold", .n = 8}, &record);
    assert_int_equal(record.n_steps, 4);
    for (unsigned step = 0; step < 4; step++)
        assert_text(record.steps[step].statement, statements[step]);
    test_record_finish(&record);
}

static void test_fold_makes_log2_n_rounds_and_n_minus_1_additions(void **state)
{
    (void)state;
    assert_rounds("fold", 1, (const size_t[]){0}, 0);
    assert_rounds("fold", 2, (const size_t[]){1, 0}, 1);
    assert_rounds("fold", 8, (const size_t[]){4, 2, 1, 0}, 7);
    assert_rounds("fold", 1024, (const size_t[]){512, 256, 128, 64, 32, 16, 8, 4, 2, 1, 0}, 1023);
}

static void test_fold_of_one_makes_no_round_and_asserts_two_obligations(void **state)
{
    struct test_record record;
    (void)state;
    assert_holds(&(struct test_case){.program = "fold", .n = 1});
    test_record(&(struct test_case){.program = "fold", .n = 1, .values = "list:42"}, &record);
    assert_int_equal(record.n_steps, 1);
    assert_false(record.steps[0].has_round);
    assert_text(test_cell_text(&record, 0, 0), "42");
    test_record_finish(&record);
}

static void test_fold_of_other_n_is_refused_with_what_to_use(void **state)
{
    static const size_t sizes[] = {3, 5, 6, 7, 12, 1023, 1025, 1048575};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct test_case test = {.program = "fold", .n = sizes[i]};
        char n[32];
        snprintf(n, sizeof n, "'n' is %zu,", sizes[i]);
        assert_refused(&test, n);
        assert_refused(&test, "fold-guard");
        assert_refused(&test, "fold-ceil");
    }
}

/* ---- faults ---- */

static void test_fold_inclusive_bound_fails_at_step_2_in_cell_2(void **state)
{
    struct test_case test = {.program = "fold:inclusive-bound", .n = 8, .frame = true};
    (void)state;
    for (int frame = 0; frame < 2; frame++) {
        test.frame = frame;
        assert_violated(&test, &(struct test_violation){
                                   .kind = RD_VIOLATION_BITS,
                                   .step = 2,
                                   .cell = 2,
                                   .expected = "12",
                                   .actual = "8",
                                   .expected_set = "{0,2,4,6}",
                                   .actual_set = "{2,6}",
                                   .lost = "{0,4}",
                                   .extra = "{}",
                               });
    }
    test.program = "fold";
    assert_holds(&test);
}

/* The fault is hidden at step 1 by a[0] = 0 alone. */
static void test_fold_inclusive_bound_fails_at_step_1_where_a0_is_not_0(void **state)
{
    struct test_case test = {.program = "fold:inclusive-bound", .n = 8, .values = "ones"};
    (void)state;
    assert_fault(&test, &(struct test_violation){
                            .kind = RD_VIOLATION_BITS,
                            .step = 1,
                            .cell = 4,
                            .expected = "2",
                            .actual = "1",
                            .expected_set = "{0,4}",
                            .actual_set = "{4}",
                            .lost = "{0}",
                            .extra = "{}",
                        });
}

static void test_fold_tournament_table_fails_at_step_1_in_cell_0(void **state)
{
    struct test_case test = {.program = "fold:tournament-table", .n = 8, .frame = true};
    (void)state;
    assert_fault(&test, &(struct test_violation){
                            .kind = RD_VIOLATION_BITS,
                            .step = 1,
                            .cell = 0,
                            .expected = "1",
                            .actual = "4",
                            .expected_set = "{0,1}",
                            .actual_set = "{0,4}",
                            .lost = "{1}",
                            .extra = "{4}",
                        });
}

static void test_fold_tournament_table_on_ones_looks_right_in_cell_0(void **state)
{
    struct test_record record;
    struct test_case test = {.program = "fold:tournament-table", .n = 8, .values = "ones"};
    (void)state;
    test.go_on = true;
    test_record(&test, &record);
    assert_int_equal(record.status, RD_OK);
    assert_int_equal(record.n_steps, 4);
    for (unsigned step = 0; step < 4; step++) {
        const struct test_step *s = &record.steps[step];
        const struct rd_numeric *numeric = record.values.numeric;
        assert_int_equal(numeric->load(s->cells, 0), numeric->load(s->expected, 0));
    }
    assert_true(record.result.violated); /* elsewhere it shows */
    assert_int_equal(record.result.violation.cell, 4);
    test_record_finish(&record);
}

static void test_fold_missing_guard_spoils_the_frame_at_step_2(void **state)
{
    struct test_case test = {.program = "fold:missing-guard", .n = 8, .frame = true};
    (void)state;
    if (!test_device_is_sim()) { /* a race: a live cell may be spoiled too */
        struct rd_result result;
        assert_int_equal(test_run(&test, &result, NULL), RD_OK);
        assert_true(result.violated);
        assert_int_equal(result.violation.step, 2);
        return;
    }
    assert_fault(&test, &(struct test_violation){
                            .kind = RD_VIOLATION_FRAME,
                            .step = 2,
                            .cell = 2,
                            .expected = "8",
                            .actual = "12",
                            .expected_set = "{2,6}",
                            .actual_set = "{2,4,6}",
                            .lost = "{}",
                            .extra = "{4}",
                        });
}

static void test_fold_missing_guard_makes_the_documented_dead_cells(void **state)
{
    static const char *const rows[] = {
        "0 1 2 3 4 5 6 7",
        "4 6 8 10 | 4 5 6 7",
        ". . | 12 15 4 5 6 7",
        NULL,
    };
    (void)state;
    assert_steps(&(struct test_case){.program = "fold:missing-guard", .n = 8, .frame = true}, rows);
}

static void test_fold_missing_guard_uses_the_first_block_in_all_rounds(void **state)
{
    struct rd_round round;
    (void)state;
    for (unsigned number = 1; number <= 4; number++) {
        assert_true(rd_program_round(rd_program_named("fold:missing-guard"), SHAPE_OF(16, 256),
                                     number, &round));
        assert_int_equal(round.block, 8);
        assert_int_equal(round.grid, 1);
    }
}

static void test_fold_wrong_half_fails_at_step_1_in_cell_0(void **state)
{
    struct test_case test = {.program = "fold:wrong-half", .n = 8, .frame = true};
    (void)state;
    assert_fault(&test, &(struct test_violation){
                            .kind = RD_VIOLATION_BITS,
                            .step = 1,
                            .cell = 0,
                            .expected = "4",
                            .actual = "3",
                            .expected_set = "{0,4}",
                            .actual_set = "{0,3}",
                            .lost = "{4}",
                            .extra = "{3}",
                        });
}

static void test_fold_lessons_fail_with_every_type(void **state)
{
    static const struct {
        const char *program;
        unsigned step;
    } faults[] = {
        {"fold:inclusive-bound", 2},
        {"fold:tournament-table", 1},
        {"fold:missing-guard", 2},
        {"fold:wrong-half", 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        for (unsigned type = 0; type < RD_TYPE_COUNT; type++) {
            struct test_case test = {.program = faults[i].program, .n = 8, .frame = true};
            struct rd_result result;
            test.type = (enum rd_type)type;
            assert_int_equal(test_run(&test, &result, NULL), RD_OK);
            assert_int_equal(result.verdict, RD_VIOLATED);
            assert_int_equal(result.violation.step, faults[i].step);
            assert_true(result.explained);
        }
    }
}

static void test_fold_lesson_tables_are_their_definitions(void **state)
{
    (void)state;
    assert_table_is_definition("fold:inclusive-bound", false);
    assert_table_is_definition("fold:tournament-table", false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TESTS_OF_ROUNDS("fold"),
        TEST_OF_PARTITION("fold"),
        cmocka_unit_test(test_fold_of_8_goes_as_documented),
        cmocka_unit_test(test_fold_of_8_without_frame_shows_live_cells_only),
        cmocka_unit_test(test_fold_states_the_numbers_of_each_step),
        cmocka_unit_test(test_fold_makes_log2_n_rounds_and_n_minus_1_additions),
        cmocka_unit_test(test_fold_of_one_makes_no_round_and_asserts_two_obligations),
        cmocka_unit_test(test_fold_of_other_n_is_refused_with_what_to_use),
        cmocka_unit_test(test_fold_inclusive_bound_fails_at_step_2_in_cell_2),
        cmocka_unit_test(test_fold_inclusive_bound_fails_at_step_1_where_a0_is_not_0),
        cmocka_unit_test(test_fold_tournament_table_fails_at_step_1_in_cell_0),
        cmocka_unit_test(test_fold_tournament_table_on_ones_looks_right_in_cell_0),
        cmocka_unit_test(test_fold_missing_guard_spoils_the_frame_at_step_2),
        cmocka_unit_test(test_fold_missing_guard_makes_the_documented_dead_cells),
        cmocka_unit_test(test_fold_missing_guard_uses_the_first_block_in_all_rounds),
        cmocka_unit_test(test_fold_wrong_half_fails_at_step_1_in_cell_0),
        cmocka_unit_test(test_fold_lessons_fail_with_every_type),
        cmocka_unit_test(test_fold_lesson_tables_are_their_definitions),
    };
    return cmocka_run_group_tests_name("fold", tests, test_set_up, test_tear_down) != 0;
}
