// SPDX-License-Identifier: MIT
/* The mean squared error, the norm and the cosine, and their faults. */
#include "harness.h"

#include <math.h>

static uint64_t block_sum(const struct rd_shape *shape, const struct rd_values *values, size_t k,
                          uint64_t (*term)(const struct rd_values *values, size_t j))
{
    uint64_t sum = 0;
    for (size_t j = 0; j < values->n; j++)
        if (j % (shape->grid * shape->block) / shape->block == k)
            sum += term(values, j);
    return sum;
}

static uint64_t a_b(const struct rd_values *values, size_t j)
{
    return test_whole(values, values->a, j) * test_whole(values, values->b, j);
}

static uint64_t a_a(const struct rd_values *values, size_t j)
{
    return test_whole(values, values->a, j) * test_whole(values, values->a, j);
}

static uint64_t b_b(const struct rd_values *values, size_t j)
{
    return test_whole(values, values->b, j) * test_whole(values, values->b, j);
}

static uint64_t difference(const struct rd_values *values, size_t j)
{
    uint64_t d = test_whole(values, values->a, j) - test_whole(values, values->b, j);
    return d * d;
}

static uint64_t mse_cell(const struct rd_shape *shape, const struct rd_values *values, size_t k)
{
    return block_sum(shape, values, k, difference);
}

static uint64_t norm_cell(const struct rd_shape *shape, const struct rd_values *values, size_t k)
{
    return block_sum(shape, values, k, a_a);
}

static uint64_t cosine_cell(const struct rd_shape *shape, const struct rd_values *values, size_t i)
{
    return block_sum(shape, values, i / 3, i % 3 == 0 ? a_b : i % 3 == 1 ? a_a : b_b);
}

/* Small whole numbers and, as floats, random ones; integers would overflow. */
static void assert_holds_in_all_shapes(const char *program, test_cell_of *wanted)
{
    static const enum rd_type types[] = {RD_TYPE_F32, RD_TYPE_F64, RD_TYPE_I32, RD_TYPE_U64};
    static const size_t grids[] = {0, 1, 3, 33};
    unsigned count = 0;
    for (unsigned block = 1; block <= 1024; block *= 2)
        for (size_t n = 1; n <= 1030; n = n < 9 ? n + 1 : n * 2 - 7, count++) {
            struct test_case test = {.program = program,
                                     .n = n,
                                     .block = block,
                                     .grid = grids[count / 4 % 4],
                                     .type = types[count % 4]};
            assert_ends_with(&test, wanted);
            test.type = types[count % 2];
            test.values = test_random_values(count);
            assert_ends_with(&test, NULL);
        }
}

static void test_mse_norm_and_cosine_hold_in_all_shapes(void **state)
{
    (void)state;
    assert_holds_in_all_shapes("mse", mse_cell);
    assert_holds_in_all_shapes("norm", norm_cell);
    assert_holds_in_all_shapes("cosine", cosine_cell);
}

static void assert_outcome(const struct test_case *test, enum rd_verdict verdict, double actual,
                           double exact)
{
    struct rd_result result;
    assert_int_equal(test_run(test, &result, NULL), RD_OK);
    if (result.verdict != verdict || fabs(result.outcome.actual - actual) > 1e-6 ||
        fabs(result.outcome.deviation.exact - exact) > 1e-6)
        fail_msg("%s: %s, %g instead of %g, exactly %g instead of %g", test->program,
                 rd_verdict_name(result.verdict), result.outcome.actual, actual,
                 result.outcome.deviation.exact, exact);
}

/* a = 0 1 2 …, b = 1 2 3 … */
static void test_mse_norm_and_cosine_of_few_are_as_documented(void **state)
{
    (void)state;
    for (unsigned type = 0; type < RD_HALVES_FIRST; type++) {
        struct test_case test = {.program = "mse", .n = 4, .block = 2, .type = (enum rd_type)type};
        assert_outcome(&test, RD_HOLDS, 1, 1);
        test =
            (struct test_case){.program = "norm", .n = 4, .block = 4, .type = (enum rd_type)type};
        assert_outcome(&test, RD_HOLDS, sqrt(14), sqrt(14));
        test =
            (struct test_case){.program = "cosine", .n = 2, .block = 2, .type = (enum rd_type)type};
        assert_outcome(&test, RD_HOLDS, 2 / sqrt(5), 2 / sqrt(5));
    }
}

/* Cell 3k+q is of a[j]*b[j], a[j]^2, b[j]^2: of two blocks of 2, a and b have these factors in it. */
static void test_cosine_names_the_factors_of_each_sum(void **state)
{
    static const bool of_a[] = {true, true, false}, of_b[] = {true, false, true};
    const struct rd_program *program = rd_program_named("cosine");
    const struct rd_shape shape = {.n = 9, .block = 2, .grid = 2};
    (void)state;
    for (size_t i = 0; i < 6; i++)
        for (size_t j = 0; j < 9; j++) {
            bool mine = j % 4 / 2 == i / 3;
            assert_int_equal(rd_program_contains(program, &shape, 1, i, j), mine && of_a[i % 3]);
            assert_int_equal(rd_program_contains_b(program, &shape, 1, i, j), mine && of_b[i % 3]);
            const struct rd_place at = {
                .point = RD_POINT_THREE_DOTS, .block = i / 3, .variable = 1};
            assert_int_equal(rd_program_contains_at(program, &shape, &at, i % 3, j),
                             mine && of_a[i % 3]);
            assert_int_equal(rd_program_contains_b_at(program, &shape, &at, i % 3, j),
                             mine && of_b[i % 3]);
        }
}

static void test_cosine_of_a_zero_vector_is_0(void **state)
{
    (void)state;
    assert_outcome(&(struct test_case){.program = "cosine", .n = 1, .type = RD_TYPE_F32}, RD_HOLDS,
                   0, 0);
}

static void test_outcome_of_nans_is_nan_and_of_infinities_is_not_decided(void **state)
{
    struct rd_result result;
    struct test_case test = {.program = "norm", .type = RD_TYPE_F32, .values = "list:nan,1"};
    (void)state;
    assert_int_equal(test_run(&test, &result, NULL), RD_OK);
    assert_int_equal(result.verdict, RD_HOLDS);
    assert_true(isnan(result.outcome.actual));
    test.values = "list:1,inf,2";
    assert_int_equal(test_run(&test, &result, NULL), RD_OK);
    assert_int_equal(result.verdict, RD_HOLDS);
    assert_true(isinf(result.outcome.actual));
    test.values = "list:3e38,1"; /* the square overflows */
    assert_int_equal(test_run(&test, &result, NULL), RD_OK);
    assert_int_equal(result.obligations[RD_PRESERVATION], RD_HOLDS);
    assert_int_equal(result.verdict, RD_INCONCLUSIVE);
    test.program = "cosine";
    test.values = "list:3e38,1,1,1";
    assert_int_equal(test_run(&test, &result, NULL), RD_OK);
    assert_int_equal(result.obligations[RD_PRESERVATION], RD_HOLDS);
    assert_int_equal(result.verdict, RD_INCONCLUSIVE);
}

static void assert_too_narrow(const struct test_case *test, enum rd_verdict exit, const char *sum,
                              double sum_exact)
{
    struct rd_result result;
    assert_int_equal(test_run(test, &result, NULL), RD_OK);
    const struct rd_outcome *outcome = &result.outcome;
    assert_int_equal(result.obligations[RD_PRESERVATION], RD_HOLDS);
    if (result.obligations[RD_EXIT] != exit)
        fail_msg("%s of %s: %s", test->program, test->values,
                 rd_verdict_name(result.obligations[RD_EXIT]));
    if (sum) {
        assert_ptr_equal(outcome->too_narrow, rd_numeric(test->type));
        assert_string_equal(outcome->sum, sum);
        assert_true(outcome->sum_exact == sum_exact);
    } else {
        assert_null(outcome->too_narrow);
    }
}

/* Integers wrap: each round holds, modulo 2^32, and then the number is not what was promised. */
static void test_numbers_of_integers_that_wrap_are_violated(void **state)
{
    struct test_case test = {.program = "norm", .type = RD_TYPE_I32, .values = "list:65536,3"};
    (void)state;
    assert_too_narrow(&test, RD_VIOLATED, "a[j]^2", 0x1p32 + 9);
    test.values = "list:32768,32768"; /* 2^31: the first that is too large, the root of -2^31 */
    assert_too_narrow(&test, RD_VIOLATED, "a[j]^2", 0x1p31);
    test.values = "list:46340,-304"; /* 2147488016 - 2^31: 4368 above the largest */
    assert_too_narrow(&test, RD_VIOLATED, "a[j]^2", 2147488016);
    test.values = "list:46340"; /* 2147395600 */
    assert_too_narrow(&test, RD_HOLDS, NULL, 0);
    test.type = RD_TYPE_U32;
    test.values = "list:46341,46340"; /* 4294884282, beyond i32 */
    assert_too_narrow(&test, RD_HOLDS, NULL, 0);
    test.values = "list:46341,46341"; /* 4294976562 */
    assert_too_narrow(&test, RD_VIOLATED, "a[j]^2", 4294976562);
    test = (struct test_case){.program = "mse", .type = RD_TYPE_I32, .values = "list:0,65536"};
    assert_too_narrow(&test, RD_VIOLATED, "(a[j]-b[j])^2", 0x1p32);
    test = (struct test_case){.program = "cosine", .type = RD_TYPE_I32, .values = "list:1,65536"};
    assert_too_narrow(&test, RD_VIOLATED, "b[j]^2", 0x1p32);
    test.values = "list:50000,-50000";
    assert_too_narrow(&test, RD_VIOLATED, "a[j]*b[j]", -2.5e9);
    test.values = "list:46341,1"; /* -2147479015 as it wraps: the root of it is not a number */
    assert_too_narrow(&test, RD_VIOLATED, "a[j]^2", 2147488281);
}

/* Floats become infinite: no bound is promised, also where a double holds no exact sum. */
static void test_numbers_of_floats_that_overflow_are_inconclusive(void **state)
{
    struct test_case test = {.program = "norm", .type = RD_TYPE_F32, .values = "list:1e30,1"};
    (void)state;
    const float a = 1e30F;
    assert_too_narrow(&test, RD_INCONCLUSIVE, "a[j]^2", (double)a * (double)a);
    test.type = RD_TYPE_F64;
    test.values = "list:1e200,1";
    assert_too_narrow(&test, RD_INCONCLUSIVE, "a[j]^2", INFINITY);
    test.program = "mse";
    assert_too_narrow(&test, RD_INCONCLUSIVE, "(a[j]-b[j])^2", INFINITY);
    test.program = "cosine";
    assert_too_narrow(&test, RD_INCONCLUSIVE, "a[j]^2", INFINITY);
}

/* As doubles, the two are the same. */
static void test_mse_of_large_integers_is_exact(void **state)
{
    (void)state;
    assert_outcome(&(struct test_case){.program = "mse",
                                       .type = RD_TYPE_U64,
                                       .values = "list:1152921504606846977,1152921504606846976"},
                   RD_HOLDS, 1, 1);
    assert_outcome(&(struct test_case){.program = "mse",
                                       .type = RD_TYPE_U64,
                                       .values = "list:1152921504606846975,1152921504606846976"},
                   RD_HOLDS, 1, 1);
}

static void test_blocks_that_are_no_power_of_two_are_refused(void **state)
{
    static const char *const programs[] = {"mse", "norm", "cosine"};
    (void)state;
    for (size_t p = 0; p < 3; p++)
        assert_refused(&(struct test_case){.program = programs[p], .n = 10, .block = 96},
                       "power of two");
}

/* ---- faults: each round is right, and the number is not ---- */

static void assert_only_the_exit_fails(const struct test_case *fault, double actual, double exact)
{
    struct rd_result result;
    assert_int_equal(test_run(fault, &result, NULL), RD_OK);
    assert_int_equal(result.verdict, RD_VIOLATED);
    assert_int_equal(result.obligations[RD_PRESERVATION], RD_HOLDS);
    assert_int_equal(result.obligations[RD_EXIT], RD_VIOLATED);
    assert_int_equal(result.violation.kind, RD_VIOLATION_GOAL);
    assert_int_equal(result.hazards, 0);
    assert_non_null(result.violation.outcome.name);
    assert_true(isnan(actual) ? isnan(result.violation.outcome.actual)
                              : fabs(result.violation.outcome.actual - actual) < 1e-6);
    assert_true(fabs(result.violation.outcome.deviation.exact - exact) < 1e-6);
    assert_twin_holds(fault);
}

static void test_lessons_miss_the_number_they_promise(void **state)
{
    const struct test_case dot = test_default("mse:dot"), no_root = test_default("norm:no-root"),
                           zero = test_default("cosine:zero-norm");
    (void)state;
    assert_only_the_exit_fails(&dot, 1, 0); /* a = b = 1 1 */
    assert_only_the_exit_fails(&no_root, 140, sqrt(140));
    assert_only_the_exit_fails(&zero, NAN, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mse_norm_and_cosine_hold_in_all_shapes),
        cmocka_unit_test(test_mse_norm_and_cosine_of_few_are_as_documented),
        cmocka_unit_test(test_cosine_names_the_factors_of_each_sum),
        cmocka_unit_test(test_cosine_of_a_zero_vector_is_0),
        cmocka_unit_test(test_outcome_of_nans_is_nan_and_of_infinities_is_not_decided),
        cmocka_unit_test(test_numbers_of_integers_that_wrap_are_violated),
        cmocka_unit_test(test_numbers_of_floats_that_overflow_are_inconclusive),
        cmocka_unit_test(test_mse_of_large_integers_is_exact),
        cmocka_unit_test(test_blocks_that_are_no_power_of_two_are_refused),
        cmocka_unit_test(test_lessons_miss_the_number_they_promise),
    };
    return cmocka_run_group_tests_name("similarity", tests, test_set_up, test_tear_down) != 0;
}
