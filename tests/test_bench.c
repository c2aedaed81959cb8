// SPDX-License-Identifier: MIT
/* The benchmarks of the library: that they measure something, and what they refuse. */
#include "reductio/bench.h"
#include "harness.h"

static void test_dot_takes_time_on_the_device_and_on_the_host(void **state)
{
    static const size_t sizes[] = {1, 255, 256, 257, 5000};
    (void)state;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        struct rd_bench_dot result = {0};
        assert_int_equal(rd_bench_dot(test_device(), sizes[s], 3, &result, NULL), RD_OK);
        assert_true(result.kernel_s > 0);
        assert_true(result.host_s >= 0);
        assert_true(result.whole_s > result.kernel_s);
        assert_true(result.host_whole_s > result.host_s);
    }
}

static void test_dot_of_nothing_or_never_is_refused(void **state)
{
    struct rd_bench_dot result;
    struct rd_error error = {""};
    (void)state;
    assert_int_equal(rd_bench_dot(test_device(), 0, 3, &result, &error), RD_ERROR_USAGE);
    assert_contains(error.text, "'n' is 0");
    assert_int_equal(rd_bench_dot(test_device(), 8, 0, &result, &error), RD_ERROR_USAGE);
    assert_int_equal(rd_bench_dot(test_device(), 8, RD_BENCH_REPEATS_MAX + 1, &result, &error),
                     RD_ERROR_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dot_takes_time_on_the_device_and_on_the_host),
        cmocka_unit_test(test_dot_of_nothing_or_never_is_refused),
    };
    return cmocka_run_group_tests_name("bench", tests, test_set_up, test_tear_down) != 0;
}
