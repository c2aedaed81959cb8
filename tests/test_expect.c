// SPDX-License-Identifier: MIT
/* The array as it must be: how it is worked out, and how another is compared with it. */
#include "run/assertion.h"
#include "harness.h"

#include <string.h>

static void assert_cell(const struct rd_expect *expect, size_t i, const char *wanted)
{
    char text[RD_VALUE_TEXT_SIZE];
    expect->numeric->format(text, rd_expect_cell(expect, i));
    assert_text(text, wanted);
}

/* ---- arithmetic ---- */

static void test_sums_and_products_of_integers_wrap(void **state)
{
    static const struct {
        enum rd_type type;
        const char *values, *sum, *product;
    } cases[] = {
        {RD_TYPE_I32, "list:2147483647,1,2,3", "-2147483648", "-2"},
        {RD_TYPE_I32, "list:-2147483648,-1,-1,1", "2147483647", "-2147483648"},
        {RD_TYPE_I32, "list:65536,5,65536,5", "65541", "0"},
        {RD_TYPE_U32, "list:4294967295,2,4294967295,3", "1", "1"},
        {RD_TYPE_U64, "list:18446744073709551615,2,18446744073709551615,3", "1", "1"},
        {RD_TYPE_U64, "list:4294967296,5,4294967296,5", "4294967301", "0"},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct rd_expect expect;
        struct rd_values values;
        struct rd_deviation deviation;
        rd_bits sum;
        char text[RD_VALUE_TEXT_SIZE];
        test_init_expect(&expect, "multiply", cases[c].type, cases[c].values, 0, &values);
        expect.numeric->fold(&expect, 2, 1);
        assert_cell(&expect, 0, cases[c].sum);
        expect.numeric->begin(&expect);
        expect.numeric->pair(&expect, 1);
        assert_cell(&expect, 0, cases[c].sum);
        expect.numeric->begin(&expect);
        expect.numeric->multiply(&expect);
        assert_cell(&expect, 0, cases[c].product);
        expect.b = NULL;
        expect.numeric->total(&expect, 0, &sum, &deviation);
        expect.numeric->format(text, sum);
        assert_text(text, cases[c].sum);
        test_finish_expect(&expect, &values);
    }
}

static void test_fold_and_pair_write_the_cells_that_they_say(void **state)
{
    (void)state;
    for (size_t n = 1; n <= 20; n++)
        for (size_t width = 1; width <= 20; width++)
            for (int tree = 0; tree < 2; tree++) {
                struct rd_expect expect;
                struct rd_values values;
                test_init_expect(&expect, "tournament", RD_TYPE_I32, "powers", n, &values);
                if (tree == 0)
                    expect.numeric->fold(&expect, n, width);
                else
                    expect.numeric->pair(&expect, width);
                assert_int_equal(expect.height, 1);
                for (size_t i = 0; i < n; i++) {
                    bool adds = i + width < n && (tree == 0 ? i < width : i % (2 * width) == 0);
                    assert_int_equal(rd_expect_cell(&expect, i),
                                     (UINT64_C(1) << i) + (adds ? UINT64_C(1) << (i + width) : 0));
                }
                test_finish_expect(&expect, &values);
            }
}

/* A lazy round is worked out by comparing, in whatever pieces, or by settling. */
static void test_lazy_rounds_come_to_the_same(void **state)
{
    static const char *const programs[] = {"fold", "tournament", "fold-ceil", "dot-tournament"};
    static const size_t piece_sizes[] = {1, 3, 64, 1000, 4096, 5000, SIZE_MAX};
    enum { N = 16384 };
    (void)state;
    for (size_t p = 0; p < 4; p++)
        for (size_t s = 0; s < 7; s++)
            for (int live_only = 0; live_only < 2; live_only++) {
                const struct rd_program *program = rd_program_named(programs[p]);
                struct rd_expect eager, lazy;
                struct rd_values values, same_values;
                size_t n = piece_sizes[s] < 64 ? 512 : N;
                test_init_expect(&eager, programs[p], RD_TYPE_F32, "random:5", n, &values);
                test_init_expect(&lazy, programs[p], RD_TYPE_F32, "random:5", n, &same_values);
                if (live_only)
                    assert_int_equal(rd_expect_live_only(&lazy, program, NULL), RD_OK);
                lazy.lazy = true;
                for (unsigned step = 1; step <= rd_program_rounds(program, SHAPE(n)); step++) {
                    struct rd_claim claim;
                    struct rd_comparison found = rd_comparison_none();
                    rd_program_claim(program, SHAPE(n), step, &claim);
                    assert_int_equal(rd_program_advance(program, &eager, step, NULL), RD_OK);
                    assert_int_equal(rd_program_advance(program, &lazy, step, NULL), RD_OK);
                    for (size_t first = 0; first < claim.count;) {
                        size_t left = claim.count - first;
                        size_t count = left < piece_sizes[s] ? left : piece_sizes[s];
                        const char *actual = eager.cells;
                        lazy.numeric->compare(&lazy, first, count, claim.stride,
                                              actual + 4 * first * claim.stride, claim.stride,
                                              &found);
                        first += count;
                    }
                    assert_int_equal(found.wrong_bits, 0);
                    lazy.numeric->settle(&lazy);
                    for (size_t i = 0; i < n; i += lazy.stride)
                        if (live_only ? i % claim.stride == 0 && i / claim.stride < claim.count
                                      : true)
                            assert_int_equal(rd_expect_cell(&lazy, i), rd_expect_cell(&eager, i));
                }
                test_finish_expect(&eager, &values);
                test_finish_expect(&lazy, &same_values);
            }
}

/* ---- comparing ---- */

static void test_compare_counts_wrong_cells_and_names_the_first(void **state)
{
    static const struct {
        size_t first, count, stride, actual_stride;
    } views[] = {
        {0, 40, 1, 1}, {0, 10, 4, 4}, {0, 10, 4, 1}, {5, 20, 1, 1}, {3, 7, 4, 4}, {3, 7, 4, 1},
    };
    (void)state;
    for (unsigned type = 0; type < RD_TYPE_COUNT; type++)
        for (size_t v = 0; v < sizeof views / sizeof *views; v++) {
            struct rd_expect expect;
            struct rd_values values;
            test_init_expect(&expect, "multiply", (enum rd_type)type, "iota", 40, &values);
            const struct rd_numeric *numeric = expect.numeric;
            char *actual = test_copy_cells(&expect);
            for (size_t k = 0; k < views[v].count; k++) /* the cells as the view has them */
                numeric->store(actual, (views[v].first + k) * views[v].actual_stride,
                               rd_expect_cell(&expect, (views[v].first + k) * views[v].stride));
            const char *from =
                actual + views[v].first * views[v].actual_stride * numeric->size_bytes;
            for (size_t k = views[v].count; k-- > 0;) { /* from the last on: all of them wrong */
                struct rd_comparison found = rd_comparison_none();
                size_t at = (views[v].first + k) * views[v].actual_stride;
                numeric->compare(&expect, views[v].first, views[v].count, views[v].stride, from,
                                 views[v].actual_stride, &found);
                assert_int_equal(found.wrong_bits, views[v].count - 1 - k);
                numeric->store(actual, at, numeric->load(actual, at) ^ 1);
                numeric->compare(&expect, views[v].first, views[v].count, views[v].stride, from,
                                 views[v].actual_stride, &found);
                assert_int_equal(found.wrong_bits, 2 * (views[v].count - k) - 1); /* adds up */
                assert_int_equal(found.first_wrong, (views[v].first + k) * views[v].stride);
            }
            free(actual);
            test_finish_expect(&expect, &values);
        }
}

static void test_frame_names_the_first_dead_cell_that_changed(void **state)
{
    static const struct rd_claim claims[] = {{40, 1}, {7, 1}, {1, 1},  {20, 2},
                                             {5, 8},  {2, 8}, {1, 64}, {3, 13}};
    (void)state;
    for (unsigned type = 0; type < RD_TYPE_COUNT; type++)
        for (size_t c = 0; c < sizeof claims / sizeof *claims; c++) {
            const struct rd_claim *claim = &claims[c];
            struct rd_expect expect;
            struct rd_values values;
            test_init_expect(&expect, "multiply", (enum rd_type)type, "iota", 40, &values);
            const struct rd_numeric *numeric = expect.numeric;
            void *actual = test_copy_cells(&expect);
            size_t first = 40;
            assert_int_equal(numeric->frame(&expect, claim->count, claim->stride, actual), 40);
            for (size_t i = 40; i-- > 0;) {
                bool live = i % claim->stride == 0 && i / claim->stride < claim->count;
                numeric->store(actual, i, numeric->load(actual, i) ^ 1);
                if (!live)
                    first = i;
                assert_int_equal(numeric->frame(&expect, claim->count, claim->stride, actual),
                                 first);
            }
            free(actual);
            test_finish_expect(&expect, &values);
        }
}

static void test_compare_and_frame_take_any_nan_for_a_nan(void **state)
{
    struct rd_expect expect;
    struct rd_values values;
    struct rd_comparison found = rd_comparison_none();
    (void)state;
    test_init_expect(&expect, "fold", RD_TYPE_F32, "list:nan,1,nan,2", 0, &values);
    uint32_t actual[4];
    memcpy(actual, expect.cells, sizeof actual);
    actual[0] = 0xffc12345;
    actual[2] = 0x7f800001;
    expect.numeric->compare(&expect, 0, 4, 1, actual, 1, &found);
    assert_int_equal(found.wrong_bits, 0);
    assert_int_equal(expect.numeric->frame(&expect, 1, 1, actual), 4);
    actual[2] = 0x7f800000; /* infinity */
    expect.numeric->compare(&expect, 0, 4, 1, actual, 1, &found);
    assert_int_equal(found.wrong_bits, 1);
    assert_int_equal(found.first_wrong, 2);
    assert_int_equal(expect.numeric->frame(&expect, 1, 1, actual), 2);
    test_finish_expect(&expect, &values);
}

static void test_elementwise_names_the_first_cell_off_its_input_or_product(void **state)
{
    (void)state;
    for (unsigned type = 0; type < RD_TYPE_COUNT; type++)
        for (int product = 0; product < 2; product++) {
            struct rd_expect expect;
            struct rd_values values;
            rd_bits wanted;
            test_init_expect(&expect, "multiply", (enum rd_type)type, "random:3", 40, &values);
            const struct rd_numeric *numeric = expect.numeric;
            if (product)
                numeric->multiply(&expect);
            else
                expect.b = NULL;
            void *cells = test_copy_cells(&expect);
            assert_int_equal(numeric->elementwise(&expect, cells, &wanted), 40);
            for (size_t i = 40; i-- > 0;) {
                rd_bits right = numeric->load(cells, i);
                numeric->store(cells, i, right ^ 1);
                assert_int_equal(numeric->elementwise(&expect, cells, &wanted), i);
                assert_int_equal(wanted, right);
            }
            free(cells);
            test_finish_expect(&expect, &values);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums_and_products_of_integers_wrap),
        cmocka_unit_test(test_fold_and_pair_write_the_cells_that_they_say),
        cmocka_unit_test(test_lazy_rounds_come_to_the_same),
        cmocka_unit_test(test_compare_counts_wrong_cells_and_names_the_first),
        cmocka_unit_test(test_frame_names_the_first_dead_cell_that_changed),
        cmocka_unit_test(test_compare_and_frame_take_any_nan_for_a_nan),
        cmocka_unit_test(test_elementwise_names_the_first_cell_off_its_input_or_product),
    };
    return cmocka_run_group_tests_name("expect", tests, NULL, NULL) != 0;
}
