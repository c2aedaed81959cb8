// SPDX-License-Identifier: MIT
/* argmin and argmax: the index of an input, of each type and program, next to a plain loop. */
#include "reductio/law.h"
#include "reductio/operation.h"
#include "base/random.h"
#include "reductions.h"
#include "reductio/values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N_MAX = 1000 };

/* By the table's own comparison, and by what the text says of NaNs and zeros. */
static bool is_ahead(const struct rd_numeric *inputs, bool least, rd_bits x, rd_bits y)
{
    if (inputs->is_nan(x) || inputs->is_nan(y))
        return !inputs->is_nan(x) && inputs->is_nan(y);
    if (inputs->is_float && inputs->to_double(x) == 0 && inputs->to_double(y) == 0) {
        const bool x_negative = signbit(inputs->to_double(x));
        return x_negative != (bool)signbit(inputs->to_double(y)) && x_negative == least;
    }
    return least ? inputs->less(x, y) : inputs->less(y, x);
}

static size_t plain_loop(const struct rd_numeric *numeric, const void *a, size_t n)
{
    const struct rd_numeric *inputs = numeric->inputs;
    const bool least = numeric->operation == RD_OPERATION_ARGMIN;
    size_t best = 0;
    for (size_t j = 1; j < n; j++)
        if (is_ahead(inputs, least, inputs->load(a, j), inputs->load(a, best)))
            best = j;
    return best;
}

/* By the folds, and by each `every`-th of the other programs from `first` on. */
static void assert_some(const struct rd_numeric *numeric, const void *a, size_t n, unsigned first,
                        unsigned every)
{
    const size_t wanted = plain_loop(numeric, a, n);
    for (unsigned p = n & (n - 1) ? 1 : 0; p < TEST_REDUCTIONS; p++) {
        if (p >= TEST_FOLDS && p % every != first % every)
            continue;
        struct test_reduction outcome = test_reduce(test_reductions[p], numeric, a, n);
        assert_int_equal(outcome.result.verdict, RD_HOLDS);
        if (outcome.first != wanted)
            fail_msg("%s of %s, n = %zu: %zu instead of %zu", test_reductions[p], numeric->title, n,
                     (size_t)outcome.first, wanted);
    }
}

static void assert_all(const struct rd_numeric *numeric, const void *a, size_t n)
{
    assert_some(numeric, a, n, 0, 1);
}

static const struct rd_numeric *numeric_of(unsigned op, unsigned type)
{
    return rd_numeric_over((enum rd_type)type, (enum rd_operation)op);
}

static void test_index_is_that_of_a_plain_loop(void **state)
{
    static const size_t sizes[] = {1, 2, 3, 4, 31, 32, 33, 256, N_MAX};
    static const char *const specs[] = {"random:5", "edges:3", "iota"};
    (void)state;
    for (unsigned op = RD_OPERATION_ARGMIN; op <= RD_OPERATION_ARGMAX; op++)
        for (unsigned type = 0; type < RD_HALVES_FIRST; type++)
            for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
                const struct rd_numeric *numeric = numeric_of(op, type);
                struct rd_values values;
                struct rd_error error;
                assert_int_equal(rd_values_init(&values, numeric->inputs, specs[(k + type) % 3],
                                                sizes[k], 1, false, &error),
                                 RD_OK);
                assert_some(numeric, values.a, sizes[k], k + type, 4);
                rd_values_finish(&values);
            }
}

static void test_of_equal_inputs_it_is_the_lowest_index(void **state)
{
    uint64_t a[64];
    (void)state;
    for (unsigned op = RD_OPERATION_ARGMIN; op <= RD_OPERATION_ARGMAX; op++)
        for (unsigned type = 0; type < RD_HALVES_FIRST; type++)
            for (unsigned distinct = 1; distinct <= 4; distinct++) {
                const struct rd_numeric *numeric = numeric_of(op, type);
                for (size_t j = 0; j < 64; j++)
                    numeric->inputs->store(
                        a, j, numeric->inputs->from_u64(rd_random_at(test_seed(), j) % distinct));
                assert_all(numeric, a, 64);
                assert_all(numeric, a, 37);
            }
}

static void test_one_marked_input_is_found_at_each_index(void **state)
{
    enum { N = 13 };
    (void)state;
    for (unsigned op = RD_OPERATION_ARGMIN; op <= RD_OPERATION_ARGMAX; op++)
        for (unsigned type = 0; type < RD_HALVES_FIRST; type++)
            for (unsigned marked = 0; marked < N; marked++) {
                const struct rd_numeric *numeric = numeric_of(op, type);
                struct rd_values values;
                struct rd_error error;
                char spec[16];
                snprintf(spec, sizeof spec, "marked:%u", marked);
                assert_int_equal(
                    rd_values_init(&values, numeric->inputs, spec, N, N, false, &error), RD_OK);
                for (unsigned p = 1; p < TEST_REDUCTIONS; p++)
                    assert_int_equal(test_reduce(test_reductions[p], numeric, values.a, N).first,
                                     marked);
                rd_values_finish(&values);
            }
}

static void test_of_floats_a_nan_loses_and_zeros_differ(void **state)
{
    static const struct {
        double a[4];
        size_t least, greatest;
    } cases[] = {
        {{NAN, 1, 2, NAN}, 1, 2},   {{NAN, NAN, NAN, NAN}, 0, 0},
        {{0, -0.0, 0, -0.0}, 1, 0}, {{-0.0, 0, -0.0, 0}, 0, 1},
        {{1, NAN, 1, NAN}, 0, 0},   {{NAN, INFINITY, -INFINITY, INFINITY}, 2, 1},
        {{3, 1, 1, 3}, 1, 0},       {{NAN, NAN, NAN, -INFINITY}, 3, 3},
    };
    (void)state;
    for (unsigned type = RD_TYPE_F32; type <= RD_TYPE_F64; type++)
        for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++)
            for (unsigned op = RD_OPERATION_ARGMIN; op <= RD_OPERATION_ARGMAX; op++) {
                const struct rd_numeric *numeric = numeric_of(op, type);
                double a[4];
                for (size_t j = 0; j < 4; j++) {
                    const float narrow = (float)cases[k].a[j];
                    numeric->inputs->store(a, j,
                                           type == RD_TYPE_F32
                                               ? numeric->inputs->load(&narrow, 0)
                                               : numeric->inputs->load(&cases[k].a[j], 0));
                }
                const size_t wanted =
                    op == RD_OPERATION_ARGMIN ? cases[k].least : cases[k].greatest;
                assert_int_equal(plain_loop(numeric, a, 4), wanted);
                assert_all(numeric, a, 4);
            }
}

static void test_left_of_two_equal_inputs_is_not_always_the_first(void **state)
{
    const struct rd_numeric *numeric = numeric_of(RD_OPERATION_ARGMIN, RD_TYPE_I32);
    const int32_t ties[] = {3, 3, 1, 3, 1, 3, 3, 3}, none[] = {3, 8, 1, 7, 2, 6, 4, 5},
                  ones[] = {1, 1, 1, 1, 1, 1, 1, 1};
    (void)state;
    const struct test_reduction outcome = test_reduce("fold:tie-index", numeric, ties, 8);
    const struct rd_violation *violation = &outcome.result.violation;
    assert_int_equal(outcome.result.verdict, RD_VIOLATED);
    assert_int_equal(violation->step, 2);
    assert_int_equal(violation->cell, 0);
    assert_int_equal(violation->expected, 2);
    assert_int_equal(violation->actual, 4);
    assert_int_equal(violation->expected_input, violation->actual_input);
    assert_int_equal(test_reduce("fold:tie-index", numeric, none, 8).result.verdict, RD_HOLDS);
    assert_int_equal(test_reduce("fold:tie-index", numeric, ones, 8).result.verdict, RD_HOLDS);
    assert_int_equal(test_reduce("fold:tie-index", rd_numeric(RD_TYPE_I32), ties, 8).result.verdict,
                     RD_HOLDS);
}

/* A law's sum, read term by term, says what its update comes to. */
static void test_claims_of_faults_are_of_indices(void **state)
{
    uint32_t a[16];
    (void)state;
    for (size_t j = 0; j < 16; j++)
        a[j] = (uint32_t)(7 * j + 3) % 16;
    for (unsigned op = RD_OPERATION_ARGMIN; op <= RD_OPERATION_ARGMAX; op++) {
        const struct rd_numeric *numeric = numeric_of(op, RD_TYPE_U32);
        assert_int_equal(test_reduce("fold:tournament-table", numeric, a, 16).result.verdict,
                         RD_VIOLATED);
        assert_int_equal(test_reduce("fold:inclusive-bound", numeric, a, 16).result.verdict,
                         RD_VIOLATED);
        assert_int_equal(test_reduce("tournament", numeric, a, 16).result.verdict, RD_HOLDS);
    }
}

/* The fold's law, at a step: side by side, term by term, and as a law of one's own has it. */
static void assert_law(const struct rd_numeric *numeric, const char *text, bool as_written,
                       bool one_by_one, const void *a, unsigned d)
{
    enum { N = 16 };
    const void *const inputs[] = {a};
    const struct rd_law_data data = {
        .numeric = numeric, .inputs = inputs, .one_by_one = one_by_one, .as_written = as_written};
    const struct rd_law_sizes sizes = {.n = N};
    const struct rd_law_place place = {.d = d};
    const size_t w = N >> d;
    struct rd_law_error error;
    struct rd_law *law;
    struct rd_law_run *run;
    uint64_t cells[N] = {0};
    if (rd_law_create(&law, text, &error) != RD_OK ||
        rd_law_run_create(&run, law, &sizes, &error) != RD_OK ||
        rd_law_apply(run, rd_law_section(law, 0), RD_LAW_LAW, &place, &data, cells, NULL, &error) !=
            RD_OK)
        fail_msg("%s", error.what.text);
    for (size_t i = 0; i < w; i++) {
        size_t wanted = i;
        for (size_t j = i + w; j < N; j += w)
            if (is_ahead(numeric->inputs, numeric->operation == RD_OPERATION_ARGMIN,
                         numeric->inputs->load(a, j), numeric->inputs->load(a, wanted)))
                wanted = j;
        assert_int_equal(numeric->load(cells, i), wanted);
    }
    rd_law_run_destroy(run);
    rd_law_destroy(law);
}

static void test_law_says_the_same_side_by_side_and_term_by_term(void **state)
{
    uint64_t a[16];
    (void)state;
    for (unsigned op = RD_OPERATION_ARGMIN; op <= RD_OPERATION_ARGMAX; op++)
        for (unsigned type = 0; type < RD_HALVES_FIRST; type++) {
            const struct rd_numeric *numeric = numeric_of(op, type);
            char text[400];
            for (size_t j = 0; j < 16;
                 j++) /* input 0 wins everywhere, where it is not asked for, too */
                numeric->inputs->store(a, j,
                                       numeric->inputs->from_u64(j > 0 ? 5 + (7 * j + 3) % 11
                                                                 : op == RD_OPERATION_ARGMIN ? 1
                                                                                             : 90));
            snprintf(text, sizeof text,
                     "input a[n] array A[n] let w = n / 2^d "
                     "law for 0 <= i < w: A[i] = %s of a[j], j mod w = i",
                     rd_operation_name((enum rd_operation)op));
            for (unsigned d = 0; d <= 4; d++)
                for (unsigned one_by_one = 0; one_by_one < 2; one_by_one++) {
                    assert_law(numeric, rd_program_law(rd_program_named("fold")), false, one_by_one,
                               a, d);
                    assert_law(numeric, text, true, one_by_one, a, d);
                }
        }
}

/* Terms come in another order than the inputs in them. */
static void test_law_that_goes_backwards_has_the_lowest_index_too(void **state)
{
    static const char head[] = "input a[n] array A[n] let w = n / 2^d law for 0 <= i < w: A[i] = ";
    static const char *const laws[] = {"argmin of a[n - 1 - j], j < n, n - 1 - j = i (mod w)",
                                       "argmin of a[j], j mod w = i"};
    char text[200];
    const struct rd_numeric *numeric = numeric_of(RD_OPERATION_ARGMIN, RD_TYPE_U32);
    uint32_t a[16];
    (void)state;
    for (size_t j = 0; j < 16; j++)
        a[j] = j % 3;
    for (unsigned k = 0; k < 10; k++) {
        snprintf(text, sizeof text, "%s%s", head, laws[k % 2]);
        assert_law(numeric, text, true, true, a, k / 2);
    }
}

/* The kernel looks at inputs by what the cells hold. */
static void test_index_of_no_input_is_read_out_of_bounds(void **state)
{
    const int32_t a[] = {3, 8, 1, 7, 2, 6, 4, 5};
    const struct rd_numeric *numeric = numeric_of(RD_OPERATION_ARGMAX, RD_TYPE_I32);
    const struct rd_break broken = {.kind = RD_BREAK_CELL, .step = 0, .cell = 5, .value = 1000};
    char text[RD_VALUE_TEXT_SIZE];
    (void)state;
    if (strcmp(test_device()->ops->name, "sim") == 0)
        assert_string_equal(test_reduce_broken("fold-guard", numeric, a, 8, &broken).hazard,
                            "out-of-bounds");
    assert_string_equal(rd_cell_text(numeric, a, 8, 1, text), "8 at 1");
    assert_string_equal(rd_cell_text(numeric, a, 8, 1000, text), "1000");
    assert_string_equal(rd_cell_text(numeric, NULL, 0, 1, text), "1");
    assert_string_equal(rd_cell_text(numeric->inputs, a, 8, 1, text), "1");
}

/* Blocks, lanes and cells without elements hold the index of nothing. */
static void test_index_of_nothing_loses_to_all(void **state)
{
    static const char nothing[] = "input a[n] array A[n] law A[0] = argmax of a[j], j < 0";
    const struct rd_law_sizes sizes = {.n = 2};
    (void)state;
    for (unsigned type = 0; type < RD_HALVES_FIRST; type++) {
        const struct rd_numeric *numeric = numeric_of(RD_OPERATION_ARGMAX, type);
        const uint64_t none = numeric->size_bytes == 4 ? UINT32_MAX : UINT64_MAX;
        char text[RD_VALUE_TEXT_SIZE];
        rd_bits identity;
        uint64_t a[2] = {0}, cells[2] = {7, 7};
        const void *const inputs[] = {a};
        assert_true(rd_operation_identity(RD_OPERATION_ARGMAX, numeric, &identity));
        assert_true(identity == none && rd_numeric_no_index(numeric) == none);
        assert_int_equal(rd_cell_combine(numeric, a, 2, none, 1), 1);
        assert_int_equal(rd_cell_combine(numeric, a, 2, 1, none), 1);
        assert_int_equal(rd_cell_combine(numeric, a, 2, 1000, 1), 1); /* of no input either */
        assert_int_equal(rd_cell_combine(numeric, a, 2, none, 1000), 1000);
        assert_true(rd_cell_combine(numeric, a, 2, none, none) == none);
        assert_string_equal(rd_cell_text(numeric, a, 2, none, text), "none");
        for (unsigned one_by_one = 0; one_by_one < 2; one_by_one++) {
            const struct rd_law_data data = {
                .numeric = numeric, .inputs = inputs, .one_by_one = one_by_one, .as_written = true};
            const struct rd_law_place place = {.d = 0};
            struct rd_law_error error;
            struct rd_law *law;
            struct rd_law_run *run;
            assert_int_equal(rd_law_create(&law, nothing, &error), RD_OK);
            assert_int_equal(rd_law_run_create(&run, law, &sizes, &error), RD_OK);
            assert_int_equal(rd_law_apply(run, rd_law_section(law, 0), RD_LAW_LAW, &place, &data,
                                          cells, NULL, &error),
                             RD_OK);
            assert_true(numeric->load(cells, 0) == none);
            rd_law_run_destroy(run);
            rd_law_destroy(law);
        }
    }
}

/* An array that the kernel has yet to write holds nothing. */
static void test_cell_of_nothing_must_hold_none(void **state)
{
    const float a[] = {3, 8, 1, 7, 2, 6};
    const struct rd_numeric *numeric = numeric_of(RD_OPERATION_ARGMIN, RD_TYPE_F32);
    const struct rd_break broken = {.kind = RD_BREAK_CELL, .step = 0, .cell = 0, .value = 4};
    static const char *const rungs[] = {"ladder-vectorised-atomic", "ladder-sequential"};
    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        const struct test_reduction outcome = test_reduce_broken(rungs[k], numeric, a, 6, &broken);
        const struct rd_violation *violation = &outcome.result.violation;
        char expected[RD_VALUE_TEXT_SIZE], actual[RD_VALUE_TEXT_SIZE];
        assert_int_equal(outcome.result.verdict, RD_VIOLATED);
        assert_int_equal(violation->step, 0);
        rd_violation_values(violation, numeric, expected, actual);
        assert_string_equal(expected, "none");
        assert_string_equal(actual, "2 at 4");
        assert_false(violation->expected_is_input);
    }
}

static void test_widest_cell_has_room(void **state)
{
    const struct rd_numeric *numeric = numeric_of(RD_OPERATION_ARGMIN, RD_TYPE_F64);
    const double widest = -2.2250738585072014e-308;
    char text[RD_VALUE_TEXT_SIZE];
    (void)state;
    const int length = numeric->inputs->format(text, numeric->inputs->load(&widest, 0));
    assert_true(length + (int)strlen(" at 18446744073709551615") < RD_VALUE_TEXT_SIZE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_index_is_that_of_a_plain_loop),
        cmocka_unit_test(test_of_equal_inputs_it_is_the_lowest_index),
        cmocka_unit_test(test_one_marked_input_is_found_at_each_index),
        cmocka_unit_test(test_of_floats_a_nan_loses_and_zeros_differ),
        cmocka_unit_test(test_left_of_two_equal_inputs_is_not_always_the_first),
        cmocka_unit_test(test_claims_of_faults_are_of_indices),
        cmocka_unit_test(test_law_says_the_same_side_by_side_and_term_by_term),
        cmocka_unit_test(test_law_that_goes_backwards_has_the_lowest_index_too),
        cmocka_unit_test(test_index_of_no_input_is_read_out_of_bounds),
        cmocka_unit_test(test_index_of_nothing_loses_to_all),
        cmocka_unit_test(test_cell_of_nothing_must_hold_none),
        cmocka_unit_test(test_widest_cell_has_room),
    };
    return cmocka_run_group_tests_name("selecting", tests, test_set_up, test_tear_down) != 0;
}
