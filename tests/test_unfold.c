// SPDX-License-Identifier: MIT
/* The fold backwards: exact for integers, and not for floats. */
#include "harness.h"

static void test_unfold_table_is_the_definition(void **state)
{
    (void)state;
    assert_table_is_definition("unfold", false);
}

static void test_unfold_of_8_goes_as_documented(void **state)
{
    static const char *const rows[] = {
        "28 | 16 8 10 4 5 6 7",
        "12 16 | 8 10 4 5 6 7",
        "4 6 8 10 | 4 5 6 7",
        "0 1 2 3 4 5 6 7",
        NULL,
    };
    (void)state;
    for (unsigned type = 0; type < RD_TYPE_COUNT; type++)
        assert_steps(
            &(struct test_case){
                .program = "unfold", .n = 8, .type = (enum rd_type)type, .frame = type % 2},
            rows);
}

static void test_unfold_is_the_fold_read_from_its_end(void **state)
{
    struct test_record fold, unfold;
    struct test_case test = {
        .program = "fold", .n = 64, .values = test_random_values(0), .frame = true};
    (void)state;
    test_record(&test, &fold);
    test.program = "unfold";
    test_record(&test, &unfold);
    assert_int_equal(fold.n_steps, unfold.n_steps);
    for (unsigned step = 0; step < fold.n_steps; step++)
        assert_memory_equal(fold.steps[step].cells, unfold.steps[fold.n_steps - 1 - step].cells,
                            64 * sizeof(int32_t));
    test_record_finish(&fold);
    test_record_finish(&unfold);
}

static void test_unfold_makes_log2_n_rounds_and_n_minus_1_subtractions(void **state)
{
    (void)state;
    assert_rounds("unfold", 1, (const size_t[]){0}, 0);
    assert_rounds("unfold", 8, (const size_t[]){1, 2, 4, 0}, 7);
    assert_rounds("unfold", 512, (const size_t[]){1, 2, 4, 8, 16, 32, 64, 128, 256, 0}, 511);
}

static void test_unfold_asserts_every_cell_at_every_step(void **state)
{
    struct rd_result result;
    (void)state;
    assert_int_equal(test_run(&(struct test_case){.program = "unfold", .n = 8}, &result, NULL),
                     RD_OK);
    assert_int_equal(result.steps, 4);
    assert_int_equal(result.cells, 32);
}

static void test_unfold_states_the_numbers_of_each_step(void **state)
{
    struct test_record record;
    (void)state;
    test_record(&(struct test_case){.program = "unfold", .n = 4}, &record);
    assert_text(record.steps[1].statement,
                "for 0 <= i < 2: A[i] = sum of a[j], j mod 2 = i; for 2 <= i < 4: A[i] = sum of "
                "a[j], j mod bit_ceil(i + 1) = i");
    assert_text(record.steps[2].statement, "for 0 <= i < 4: A[i] = sum of a[j], j mod 4 = i");
    test_record_finish(&record);
}

static void test_unfold_of_other_n_is_refused(void **state)
{
    (void)state;
    assert_refused(&(struct test_case){.program = "unfold", .n = 12}, "'n' is 12,");
    assert_refused(&(struct test_case){.program = "unfold:float", .n = 12, .type = RD_TYPE_F32},
                   "not a power of two");
}

/* ---- the fault ---- */

static void test_unfold_float_loses_the_1_beside_2_to_the_24(void **state)
{
    struct test_case test = {.program = "unfold:float", .values = "list:1,16777216"};
    (void)state;
    test.type = RD_TYPE_F32;
    const struct test_violation lost = {
        .kind = RD_VIOLATION_BITS,
        .step = 1,
        .cell = 0,
        .expected = "1",
        .actual = "0",
    };
    assert_violated(&test, &lost);
    test.program = "unfold"; /* the program is the same: floats are the fault */
    assert_violated(&test, &lost);

    static const enum rd_type exact[] = {RD_TYPE_I32, RD_TYPE_U32, RD_TYPE_U64, RD_TYPE_F64};
    for (size_t i = 0; i < sizeof exact / sizeof *exact; i++) {
        test.type = exact[i];
        assert_holds(&test);
    }
}

static void test_unfold_float_loses_the_1_beside_2_to_the_53(void **state)
{
    struct test_case test = {.program = "unfold:float", .values = "list:1,9007199254740992"};
    (void)state;
    test.type = RD_TYPE_F64;
    assert_violated(&test, &(struct test_violation){
                               .kind = RD_VIOLATION_BITS,
                               .step = 1,
                               .cell = 0,
                               .expected = "1",
                               .actual = "0",
                           });
    test.type = RD_TYPE_U64;
    assert_holds(&test);
}

static void test_unfold_float_runs_as_documented_by_default(void **state)
{
    const struct rd_program *program = rd_program_named("unfold:float");
    (void)state;
    assert_int_equal(program->n, 2);
    assert_int_equal(program->type, RD_TYPE_F32);
    assert_text(program->values, "list:1,16777216");
}

static void test_unfold_float_holds_where_all_sums_are_exact(void **state)
{
    (void)state;
    for (size_t n = 1; n <= 4096; n *= 2) /* the sum of 0 .. 4095 is below 2^24 */
        for (unsigned type = RD_TYPE_F32; type <= RD_TYPE_F64; type++)
            assert_holds(&(struct test_case){
                .program = "unfold:float", .n = n, .type = (enum rd_type)type, .values = "iota"});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TESTS_OF_ROUNDS("unfold"),
        cmocka_unit_test(test_unfold_table_is_the_definition),
        cmocka_unit_test(test_unfold_of_8_goes_as_documented),
        cmocka_unit_test(test_unfold_is_the_fold_read_from_its_end),
        cmocka_unit_test(test_unfold_makes_log2_n_rounds_and_n_minus_1_subtractions),
        cmocka_unit_test(test_unfold_asserts_every_cell_at_every_step),
        cmocka_unit_test(test_unfold_states_the_numbers_of_each_step),
        cmocka_unit_test(test_unfold_of_other_n_is_refused),
        cmocka_unit_test(test_unfold_float_loses_the_1_beside_2_to_the_24),
        cmocka_unit_test(test_unfold_float_loses_the_1_beside_2_to_the_53),
        cmocka_unit_test(test_unfold_float_runs_as_documented_by_default),
        cmocka_unit_test(test_unfold_float_holds_where_all_sums_are_exact),
    };
    return cmocka_run_group_tests_name("unfold", tests, test_set_up, test_tear_down) != 0;
}
