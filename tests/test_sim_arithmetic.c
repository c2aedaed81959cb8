// SPDX-License-Identifier: MIT
/* Undefined arithmetic in kernels that are linked in: told, and the thread goes on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim_launch.h"

/* Asserts that the finding says so if the thread goes on with the processor's value, which the compiler may have
 * computed in front of its check. */
static void assert_goes_on(const struct rd_finding *finding, const char *as_a_gpu, int got,
                           int wanted)
{
    bool as_wanted = strstr(finding->message, as_a_gpu) != NULL;
    assert_true(as_wanted || strstr(finding->message, "this computer's processor"));
    if (as_wanted)
        assert_int_equal(got, wanted);
}

static void assert_all(const char *kernel, const char *kind, size_t n)
{
    size_t count;
    const struct rd_finding *findings = rd_sim_report_findings(&count);
    assert_int_equal(count, n);
    for (size_t k = 0; k < n; k++) {
        assert_int_equal(findings[k].hazard, RD_HAZARD_UNDEFINED_ARITHMETIC);
        assert_string_equal(findings[k].kind, kind);
        assert_int_equal(findings[k].n_places, 1);
        assert_true(findings[k].places[0].thread_known);
        if (findings[k].places[0].file)
            assert_non_null(strstr(findings[k].places[0].file, "sim_kernels.c"));
        assert_non_null(strstr(findings[k].message, findings[k].lesson));
    }
    (void)kernel;
}

static void test_shift_beyond_the_width_is_told_and_clamped(void **state)
{
    static const int amounts[] = {32, 33, -1, 255};
    size_t count;
    (void)state;
    test_skip_without_lines();
    for (size_t k = 0; k < sizeof amounts / sizeof *amounts; k++) {
        test_cells[0] = -5;
        test_launch("shift", &amounts[k]);
        assert_all("shift", "shift", 2);
        const struct rd_finding *findings = rd_sim_report_findings(&count);
        assert_goes_on(&findings[0], "to the left", test_cells[1], 0);
        assert_goes_on(&findings[1], "to the right", test_cells[2], -1);
    }
    test_launch("shift", &(int){31});
    rd_sim_report_findings(&count);
    assert_int_equal(count, 0);
}

static void test_conversion_out_of_range_is_told_and_clamped(void **state)
{
    static const struct {
        float x;
        int as_int, as_unsigned;
        size_t n;
    } rows[] = {
        {1e20f, 0x7fffffff, -1, 2},
        {-3.7f, -3, 0, 1},
        {-1e20f, -0x7fffffff - 1, 0, 2},
        {7.9f, 7, 7, 0},
    };
    size_t count;
    (void)state;
    test_skip_without_lines();
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        test_launch("convert", &rows[k].x);
        assert_all("convert", "conversion", rows[k].n);
        const struct rd_finding *findings = rd_sim_report_findings(&count);
        if (count > 0)
            assert_goes_on(&findings[count - 1], "as PTX has it", test_cells[2],
                           rows[k].as_unsigned);
        if (count != 1)
            assert_goes_on(count ? &findings[0] : &(struct rd_finding){.message = "-"},
                           count ? "as PTX has it" : "-", test_cells[1], rows[k].as_int);
    }
}

static void test_division_by_zero_is_told_and_goes_on(void **state)
{
    size_t count;
    (void)state;
    test_skip_without_lines();
    test_cells[0] = 7;
    test_launch("divide", &(int){0});
    assert_all("divide", "division", 2);
    test_cells[0] = -0x7fffffff - 1;
    test_launch("divide", &(int){-1});
    assert_all("divide", "division", 2);
    test_launch("divide", &(int){3});
    rd_sim_report_findings(&count);
    assert_int_equal(count, 0);
}

static void test_sums_and_products_that_wrap_are_none(void **state)
{
    size_t count;
    (void)state;
    test_launch("wrap", &(int){2});
    rd_sim_report_findings(&count);
    assert_int_equal(count, 0);
    assert_int_equal(test_cells[1], -0x7fffffff);
    assert_int_equal(test_cells[2], -2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shift_beyond_the_width_is_told_and_clamped),
        cmocka_unit_test(test_conversion_out_of_range_is_told_and_clamped),
        cmocka_unit_test(test_division_by_zero_is_told_and_goes_on),
        cmocka_unit_test(test_sums_and_products_that_wrap_are_none),
    };
    return cmocka_run_group_tests(tests, test_launch_init, test_launch_finish) != 0;
}
