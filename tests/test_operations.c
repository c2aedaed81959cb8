// SPDX-License-Identifier: MIT
/* The operations that programs reduce by: each with each type and program, next to a plain loop. */
#include "run/assertion.h"
#include "reductio/operation.h"
#include "base/random.h"
#include "reductions.h"
#include "reductio/values.h"
#include "short_run.h"

#include <math.h>
#include <string.h>

/* By plain C, on the widest numbers; of what wraps, modulo 2^64. */
static uint64_t wrapped(enum rd_operation operation, uint64_t x, uint64_t y, bool is_signed)
{
    bool less = is_signed ? (int64_t)x < (int64_t)y : x < y;
    switch (operation) {
    case RD_OPERATION_SUM:
        return x + y;
    case RD_OPERATION_PRODUCT:
        return x * y;
    case RD_OPERATION_MIN:
        return less ? x : y;
    case RD_OPERATION_MAX:
        return less ? y : x;
    case RD_OPERATION_AND:
        return x & y;
    case RD_OPERATION_OR:
        return x | y;
    case RD_OPERATION_XOR:
        return x ^ y;
    case RD_OPERATION_ARGMIN:
    case RD_OPERATION_ARGMAX:
        break;
    }
    fail_msg("no such operation");
    return 0;
}

/* An element of an integer type, as 64 bits with its sign. */
static uint64_t widened(const struct rd_numeric *numeric, rd_bits bits)
{
    return numeric->type == RD_TYPE_I32 ? (uint64_t)(int64_t)(int32_t)bits : bits;
}

static void test_each_operation_of_integers_is_that_of_a_plain_loop(void **state)
{
    static const size_t sizes[] = {1, 2, 3, 4, 31, 32, 33, 256, 1001};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    uint64_t a[1001];
    (void)state;
    for (unsigned op = 0; op < RD_SELECTING_FIRST; op++)
        for (unsigned type = RD_TYPE_I32; type <= RD_TYPE_U64; type++)
            for (unsigned k = 0; k < SIZES * TEST_REDUCTIONS; k++) {
                const struct rd_numeric *numeric =
                    rd_numeric_over((enum rd_type)type, (enum rd_operation)op);
                size_t n = sizes[k % SIZES], p = k / SIZES;
                if ((op + type + k % SIZES) % 4 != p % 4 || (p == 0 && (n & (n - 1))))
                    continue;
                for (size_t j = 0; j < n; j++)
                    /* Odd factors, as no number of which makes 0. */
                    numeric->store(a, j,
                                   rd_random_at(test_seed(), j) | (op == RD_OPERATION_PRODUCT));
                uint64_t wanted = widened(numeric, numeric->load(a, 0));
                for (size_t j = 1; j < n; j++)
                    wanted = wrapped((enum rd_operation)op, wanted,
                                     widened(numeric, numeric->load(a, j)), numeric->is_signed);
                struct test_reduction outcome = test_reduce(test_reductions[p], numeric, a, n);
                assert_int_equal(outcome.result.verdict, RD_HOLDS);
                if (widened(numeric, outcome.first) !=
                    widened(numeric, numeric->size_bytes == 4 ? (uint32_t)wanted : wanted))
                    fail_msg("%s of %s, n = %zu", test_reductions[p], numeric->title, n);
            }
}

static rd_bits bits_of(const struct rd_numeric *numeric, double value)
{
    const float narrow = (float)value;
    return numeric->load(numeric->size_bytes == 4 ? (const void *)&narrow : (const void *)&value,
                         0);
}

static void assert_extreme(enum rd_operation operation, const double *values, size_t n,
                           double wanted)
{
    for (unsigned type = RD_TYPE_F32; type <= RD_TYPE_F64; type++)
        for (unsigned p = 1; p < TEST_REDUCTIONS; p++) {
            const struct rd_numeric *numeric = rd_numeric_over((enum rd_type)type, operation);
            double a[8];
            for (size_t j = 0; j < n; j++)
                numeric->store(a, j, bits_of(numeric, values[j]));
            struct test_reduction outcome = test_reduce(test_reductions[p], numeric, a, n);
            if (outcome.result.verdict != RD_HOLDS ||
                !numeric->same(outcome.first, bits_of(numeric, wanted)))
                fail_msg("%s of %s: not %g", test_reductions[p], numeric->title, wanted);
        }
}

static void test_min_and_max_of_floats_keep_numbers_and_the_signs_of_zeros(void **state)
{
    const double nan = NAN;
    (void)state;
    assert_extreme(RD_OPERATION_MAX, (double[]){-3, -1, -2}, 3, -1);
    assert_extreme(RD_OPERATION_MIN, (double[]){3, 1, 2, 5, 4}, 5, 1);
    /* a NaN loses, wherever it stands */
    assert_extreme(RD_OPERATION_MAX, (double[]){nan, -1, -2}, 3, -1);
    assert_extreme(RD_OPERATION_MAX, (double[]){-2, -1, nan, nan, nan}, 5, -1);
    assert_extreme(RD_OPERATION_MIN, (double[]){nan, nan, 7}, 3, 7);
    assert_extreme(RD_OPERATION_MIN, (double[]){nan, nan, nan}, 3, nan);
    assert_extreme(RD_OPERATION_MAX, (double[]){nan, -INFINITY}, 2, -INFINITY);
    assert_extreme(RD_OPERATION_MAX, (double[]){-0.0, 0, -0.0}, 3, 0);
    assert_extreme(RD_OPERATION_MAX, (double[]){0, -0.0, -0.0}, 3, 0);
    assert_extreme(RD_OPERATION_MIN, (double[]){0, -0.0, 0}, 3, -0.0);
    assert_extreme(RD_OPERATION_MIN, (double[]){-0.0, 0, 0}, 3, -0.0);
}

static enum rd_verdict exit_of_product(const char *program, enum rd_type type, const double *values,
                                       size_t n, rd_bits *first)
{
    const struct rd_numeric *numeric = rd_numeric_over(type, RD_OPERATION_PRODUCT);
    double a[64];
    for (size_t j = 0; j < n; j++)
        numeric->store(a, j, bits_of(numeric, values[j]));
    struct test_reduction outcome = test_reduce(program, numeric, a, n);
    assert_int_equal(outcome.result.obligations[RD_PRESERVATION], RD_HOLDS);
    *first = outcome.first;
    return outcome.result.obligations[RD_EXIT];
}

static void test_products_of_floats_hold_within_their_bound_where_there_is_one(void **state)
{
    rd_bits first;
    (void)state;
    for (unsigned type = RD_TYPE_F32; type <= RD_TYPE_F64; type++) {
        double a[64];
        for (size_t j = 0; j < 64; j++)
            a[j] = ldexp((double)(rd_random_at(test_seed(), j) >> 11), -53) + 0.5;
        for (unsigned p = 0; p < TEST_REDUCTIONS; p++)
            assert_int_equal(exit_of_product(test_reductions[p], (enum rd_type)type, a, 64, &first),
                             RD_HOLDS);
    }
    /* 2^100 * 2^100 overflows an f32, though the product of all is 1. */
    const double wide[] = {0x1p100, 0x1p100, 0x1p-100, 0x1p-100};
    assert_int_equal(exit_of_product("tournament", RD_TYPE_F32, wide, 4, &first), RD_INCONCLUSIVE);
    assert_true(rd_numeric(RD_TYPE_F32)->is_nan(first)); /* infinity times 0 */
    assert_int_equal(exit_of_product("tournament", RD_TYPE_F64, wide, 4, &first), RD_HOLDS);
    const double zero[] = {3, 0, -2, 5};
    assert_int_equal(exit_of_product("fold", RD_TYPE_F32, zero, 4, &first), RD_HOLDS);
}

/* To the bit as documented, and yet nothing to do with the exact product. */
static void test_products_that_may_leave_the_normal_numbers_are_inconclusive(void **state)
{
    static const struct {
        double a[4];
        enum rd_verdict verdict;
    } cases[] = {
        {{1e30, 1e30, 1e30, 0}, RD_INCONCLUSIVE},
        {{1e30, 1e30, 1e30, 1e30}, RD_INCONCLUSIVE},
        {{1e38, 0.1, 0.1, 1e38}, RD_INCONCLUSIVE},
        {{1e-40, 0.3, 1, 1}, RD_INCONCLUSIVE}, /* the input has lost digits before */
        {{1e-30, 1e-30, 1, 1}, RD_INCONCLUSIVE},
        {{1e-30, 0, 1e-30, 1e-30}, RD_HOLDS},
        {{3, -0.0, 1e30, 1}, RD_HOLDS},
        {{NAN, 1e30, 1e30, 1}, RD_HOLDS},
        {{INFINITY, 0, 1, 1}, RD_HOLDS}, /* NaN */
        {{INFINITY, -1, 2, 1}, RD_HOLDS},
        {{1e-30, 1e-30, INFINITY, 1}, RD_HOLDS},
        {{1e-30, INFINITY, 1e-30, 1}, RD_INCONCLUSIVE}, /* NaN, for infinity */
    };
    static const char *const trees[] = {"fold", "fold-guard", "ladder-sequential",
                                        "ladder-warp-shuffle", "ladder-unrolled"};
    rd_bits first;
    (void)state;
    for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++)
        for (unsigned p = 0; p < sizeof trees / sizeof *trees; p++)
            if (exit_of_product(trees[p], RD_TYPE_F32, cases[k].a, 4, &first) != cases[k].verdict)
                fail_msg("case %u of %s", k, trees[p]);
    const double wide[] = {1e300, 1e300, 0};
    assert_int_equal(exit_of_product("tournament", RD_TYPE_F64, wide, 3, &first), RD_INCONCLUSIVE);
}

/* Blocks that multiply in any order: not to the bit, and yet within the bound of any tree. */
static void test_a_product_in_any_order_is_held_against_its_bound(void **state)
{
    enum { N = 100 };
    const struct rd_program *program = rd_program_named("ladder-vectorised-atomic");
    const struct rd_numeric *numeric = rd_numeric_over(RD_TYPE_F32, RD_OPERATION_PRODUCT);
    const struct rd_shape shape = rd_program_shape(program, (struct rd_shape){N, 8, 3});
    const float off[] = {0x1p-20f, 0x1p-10f};
    struct rd_expect expect;
    struct rd_error error;
    float a[N], cell;
    (void)state;
    for (size_t j = 0; j < N; j++)
        a[j] = j % 2 ? 1.5f : -0.75f;
    assert_int_equal(rd_expect_init(&expect, program, numeric, &shape, a, NULL, &error), RD_OK);
    assert_int_equal(rd_program_advance(program, &expect, 1, &error), RD_OK);
    assert_true(expect.any_order);
    for (unsigned k = 0; k < 2; k++) {
        struct rd_comparison found = rd_comparison_none();
        memcpy(&cell, expect.cells, sizeof cell);
        cell += cell * off[k];
        numeric->compare(&expect, 0, 1, 1, &cell, 1, &found);
        assert_int_equal(found.out_of_bound, k);
        assert_int_equal(found.unbounded, 0);
    }
    rd_expect_finish(&expect);

    const double wide[] = {1e30, 1e30, 1e-30, 1};
    for (size_t j = 0; j < 4; j++)
        a[j] = (float)wide[j];
    const struct test_reduction outcome = test_reduce(program->name, numeric, a, 4);
    assert_int_equal(outcome.result.obligations[RD_PRESERVATION], RD_INCONCLUSIVE);
}

/* One marked input, all others the identity: it is found in the result, wherever it stands. */
static void test_one_marked_input_is_in_the_result(void **state)
{
    enum { N = 13 };
    (void)state;
    for (unsigned op = 0; op < RD_SELECTING_FIRST; op++)
        for (unsigned type = 0; type < RD_TYPE_COUNT; type++) {
            const struct rd_numeric *numeric =
                rd_numeric_over((enum rd_type)type, (enum rd_operation)op);
            rd_bits identity, a[N];
            if (!numeric)
                continue;
            assert_true(rd_operation_identity((enum rd_operation)op, numeric, &identity));
            for (size_t marked = 0; marked < N; marked += short_run_step(4)) {
                rd_bits mark = numeric->from_u64(6);
                for (size_t j = 0; j < N; j++)
                    numeric->store(a, j, j == marked ? mark : identity);
                for (unsigned p = 1; p < TEST_REDUCTIONS && type < test_types(test_reductions[p]);
                     p++) {
                    struct test_reduction outcome = test_reduce(test_reductions[p], numeric, a, N);
                    assert_int_equal(outcome.result.verdict, RD_HOLDS);
                    if (!numeric->same(outcome.first, mark))
                        fail_msg("%s of %s loses input %zu", test_reductions[p], numeric->title,
                                 marked);
                }
            }
        }
}

/* Values on which each can: of others, a wrong partner may well leave the maximum right. */
static void test_a_fault_is_found_by_each_operation_that_can_tell(void **state)
{
    enum { SEED = 7 };
    static const char *const faults[] = {"fold:wrong-half", "tournament:stride-one"};
    (void)state;
    for (unsigned op = 0; op < RD_SELECTING_FIRST; op++)
        for (unsigned f = 0; f < 2; f++) {
            const struct rd_numeric *numeric = rd_numeric_over(RD_TYPE_U64, (enum rd_operation)op);
            uint64_t a[16];
            for (size_t j = 0; j < 16; j++)
                a[j] = rd_random_at(SEED, j);
            assert_int_equal(test_reduce(faults[f], numeric, a, 16).result.verdict, RD_VIOLATED);
        }
}

/* A race is one whichever the operation: two warps, and no barrier. */
static void test_a_race_is_found_with_each_operation(void **state)
{
    uint64_t a[101];
    (void)state;
    for (size_t j = 0; j < 101; j++)
        a[j] = rd_random_at(test_seed(), j);
    for (unsigned op = 0; op < RD_SELECTING_FIRST; op++) {
        const struct test_reduction outcome =
            test_reduce("ladder-shuffles-twice:no-barrier",
                        rd_numeric_over(RD_TYPE_U64, (enum rd_operation)op), a, 101);
        assert_int_equal(outcome.result.verdict, RD_VIOLATED);
        assert_true(outcome.result.hazards > 0);
    }
}

static void test_what_is_not_taken_is_refused(void **state)
{
    struct rd_error error;
    const struct rd_numeric *numeric = NULL;
    (void)state;
    assert_int_equal(rd_operation_over(RD_OPERATION_XOR, RD_TYPE_F64, &numeric, &error),
                     RD_ERROR_USAGE);
    assert_string_equal(error.text,
                        "'xor' works on the bits of integers, and the type is f64: use an "
                        "integer type");
    assert_null(numeric);
    assert_int_equal(
        rd_program_accept_operation(rd_program_named("dot-shared"), RD_OPERATION_MAX, &error),
        RD_ERROR_USAGE);
    assert_non_null(strstr(error.text, "'dot-shared' reduces by sums alone"));
    assert_int_equal(
        rd_program_accept_operation(rd_program_named("ladder-dot"), RD_OPERATION_MAX, &error),
        RD_ERROR_USAGE);
    assert_int_equal(
        rd_program_accept_operation(rd_program_named("ladder-dot"), RD_OPERATION_ARGMAX, &error),
        RD_ERROR_USAGE);
    assert_string_equal(error.text, "'ladder-dot' reduces by sums alone, and not by 'argmax': use "
                                    "fold, fold-guard, fold-ceil, tournament or 12 others");
    assert_int_equal(
        rd_program_accept_operation(rd_program_named("dot-shared"), RD_OPERATION_SUM, &error),
        RD_OK);
}

static void test_sentences_about_sums_become_those_of_the_operation(void **state)
{
    char text[48] = "A[0] = sum of all a[j], sum of none";
    (void)state;
    rd_operation_in_words(RD_OPERATION_MAX, text, sizeof text);
    assert_string_equal(text, "A[0] = max of all a[j], max of none");
    rd_operation_in_words(RD_OPERATION_SUM, text, sizeof text);
    assert_string_equal(text, "A[0] = max of all a[j], max of none");
    strcpy(text, "sum of a; sum of b");
    rd_operation_in_words(RD_OPERATION_PRODUCT, text, 24);
    assert_string_equal(text, "product of a; product o");
    strcpy(text, "for i = 0 mod 2: A[i] = 0");
    rd_operation_in_words(RD_OPERATION_MIN, text, sizeof text);
    assert_string_equal(text, "for i = 0 mod 2: A[i] = min of a[j], j < 0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_operation_of_integers_is_that_of_a_plain_loop),
        cmocka_unit_test(test_min_and_max_of_floats_keep_numbers_and_the_signs_of_zeros),
        cmocka_unit_test(test_products_of_floats_hold_within_their_bound_where_there_is_one),
        cmocka_unit_test(test_a_product_in_any_order_is_held_against_its_bound),
        cmocka_unit_test(test_one_marked_input_is_in_the_result),
        cmocka_unit_test(test_products_that_may_leave_the_normal_numbers_are_inconclusive),
        cmocka_unit_test(test_a_fault_is_found_by_each_operation_that_can_tell),
        cmocka_unit_test(test_a_race_is_found_with_each_operation),
        cmocka_unit_test(test_what_is_not_taken_is_refused),
        cmocka_unit_test(test_sentences_about_sums_become_those_of_the_operation),
    };
    return cmocka_run_group_tests_name("operations", tests, test_set_up, test_tear_down) != 0;
}
