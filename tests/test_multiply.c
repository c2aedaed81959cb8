// SPDX-License-Identifier: MIT
/* The product, element by element, and the fault about a launch that is too large. */
#include "harness.h"

static void test_multiply_of_8_goes_as_documented(void **state)
{
    static const char *const rows[] = {"0 1 2 3 4 5 6 7", "0 2 6 12 20 30 42 56", NULL};
    (void)state;
    for (unsigned type = 0; type < RD_HALVES_FIRST; type++)
        assert_steps(
            &(struct test_case){
                .program = "multiply", .n = 8, .type = (enum rd_type)type, .frame = type % 2},
            rows);
}

static void test_multiply_makes_one_round_of_n_threads(void **state)
{
    (void)state;
    assert_rounds("multiply", 1, (const size_t[]){1, 0}, 1);
    assert_rounds("multiply", 1000, (const size_t[]){1000, 0}, 1000);
}

static void test_multiply_states_the_numbers_of_each_step(void **state)
{
    struct test_record record;
    (void)state;
    test_record(&(struct test_case){.program = "multiply", .n = 8}, &record);
    assert_text(record.steps[0].statement, "for 0 <= i < 8: A[i] = a[i]");
    assert_text(record.steps[1].statement, "for 0 <= i < 8: A[i] = a[i] * b[i]");
    test_record_finish(&record);
}

static void test_multiply_takes_products_of_floats_as_they_round(void **state)
{
    static const char *const rows[] = {"0.1 3 1e+30", "0.010000001 1 inf", NULL};
    (void)state;
    assert_steps(&(struct test_case){.program = "multiply",
                                     .type = RD_TYPE_F32,
                                     .values = "list:0.1,3,1e30,0.1,0.33333334,1e30"},
                 rows);
}

/* ---- the fault ---- */

static void test_multiply_one_block_of_1024_holds(void **state)
{
    struct rd_round round;
    (void)state;
    assert_true(
        rd_program_round(rd_program_named("multiply:one-block"), SHAPE_OF(1024, 256), 1, &round));
    assert_int_equal(round.grid, 1);
    assert_int_equal(round.block, 1024);
    assert_holds(&(struct test_case){.program = "multiply:one-block", .n = 1});
    assert_holds(&(struct test_case){.program = "multiply:one-block", .n = 1024});
}

static void test_multiply_one_block_of_1025_is_an_illegal_launch(void **state)
{
    struct test_record record;
    struct test_case test = {.program = "multiply:one-block", .n = 1025};
    (void)state;
    test_record(&test, &record);
    assert_int_equal(record.status, RD_OK);
    assert_int_equal(record.hazards, 1);
    assert_int_equal(record.result.hazards, 1);
    assert_text(record.hazard.name, "illegal-launch");
    assert_int_equal(record.hazard.step, 1);
    assert_contains(record.hazard.message, "cudaErrorInvalid");
    /* A stayed as it was: cell 0 is 0 either way. */
    assert_int_equal(record.result.verdict, RD_VIOLATED);
    assert_true(record.result.violated);
    assert_int_equal(record.result.violation.step, 1);
    assert_int_equal(record.result.violation.cell, 1);
    assert_int_equal(record.result.violation.count, 1024);
    assert_text(test_cell_text(&record, 1, 1024), "1024");
    test_record_finish(&record);
    test.program = "multiply";
    assert_holds(&test);
}

/* The array is right by accident if b is all ones, and the hazard still counts. */
static void test_multiply_one_block_of_ones_is_no_better_than_violated(void **state)
{
    struct test_record record;
    (void)state;
    test_record(&(struct test_case){.program = "multiply:one-block", .n = 1025, .values = "ones"},
                &record);
    assert_int_equal(record.hazards, 1);
    assert_int_equal(record.n_steps, 2);
    assert_int_equal(record.steps[1].verdict, RD_INCONCLUSIVE);
    assert_int_equal(record.result.obligations[RD_PRESERVATION], RD_INCONCLUSIVE);
    assert_int_equal(record.result.verdict, RD_VIOLATED);
    assert_false(record.result.violated);
    assert_int_equal(record.result.obligations[RD_EXIT], RD_INCONCLUSIVE);
    test_record_finish(&record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TESTS_OF_ROUNDS("multiply"),
        TEST_OF_PARTITION("multiply"),
        cmocka_unit_test(test_multiply_of_8_goes_as_documented),
        cmocka_unit_test(test_multiply_makes_one_round_of_n_threads),
        cmocka_unit_test(test_multiply_states_the_numbers_of_each_step),
        cmocka_unit_test(test_multiply_takes_products_of_floats_as_they_round),
        cmocka_unit_test(test_multiply_one_block_of_1024_holds),
        cmocka_unit_test(test_multiply_one_block_of_1025_is_an_illegal_launch),
        cmocka_unit_test(test_multiply_one_block_of_ones_is_no_better_than_violated),
    };
    return cmocka_run_group_tests_name("multiply", tests, test_set_up, test_tear_down) != 0;
}
