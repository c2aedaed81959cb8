// SPDX-License-Identifier: MIT
/* Memory of runs: the estimate, and that a run which needs more than there is does not begin. */
#include "run/capacity.h"
#include "harness.h"

#include <math.h>
#include <string.h>

static struct rd_run run_of(const char *program, enum rd_type type, size_t n)
{
    return (struct rd_run){
        .program = rd_program_named(program), .numeric = rd_numeric(type), .n = n};
}

/* The input, the expectation, the copy; and in the simulator each array three times, as it has a shadow. */
static void test_needed_counts_all_arrays(void **state)
{
    const double mib = 0x1p20;
    struct rd_device *sim;
    struct rd_error error;
    (void)state;
    struct rd_run run = run_of("fold", RD_TYPE_I32, 1 << 20);
    assert_true(rd_memory_needed(&run) == (1 + 2) * 4 * mib);
    assert_int_equal(rd_device_open("sim", &sim, NULL, &error), RD_OK);
    run.device = sim;
    assert_true(rd_memory_needed(&run) == (1 + 2 + 3) * 4 * mib);
    run.a = &run;
    assert_true(rd_memory_needed(&run) == (2 + 3) * 4 * mib);
    run.numeric = rd_numeric(RD_TYPE_F64);
    assert_true(rd_memory_needed(&run) == (2 + 3) * 8 * mib);
    run = run_of("multiply", RD_TYPE_F32, 1 << 20); /* a and b */
    run.device = sim;
    assert_true(rd_memory_needed(&run) == (2 + 2 + 2 * 3) * 4 * mib);
    run = run_of("dot-shared", RD_TYPE_F32, 1 << 20); /* A has a cell a block */
    run.device = sim;
    run.grid = 4;
    assert_true(rd_memory_needed(&run) == (2 + 2 * 3) * 4 * mib + (2 + 3) * 4 * 4);
    rd_device_close(sim);
}

static void test_available_is_some_and_finite(void **state)
{
    (void)state;
    double available = rd_memory_available();
    assert_true(available > 0x1p20);
    assert_true(isfinite(available)); /* on Linux */
}

static void test_run_that_takes_more_than_there_is_is_refused(void **state)
{
    struct rd_error error;
    struct rd_run run = run_of("fold", RD_TYPE_F64, (size_t)1 << 50);
    (void)state;
    assert_int_equal(rd_memory_check(&run, &error), RD_ERROR_MEMORY);
    assert_non_null(strstr(error.text, "'n' is 1125899906842624, for which fold takes 25165824.0 "
                                       "GiB of memory, and "));
    assert_non_null(strstr(error.text, " GiB are available: use a smaller n"));
    run.n = 1024;
    assert_int_equal(rd_memory_check(&run, &error), RD_OK);
}

/* Before it has taken any. */
static void test_driver_refuses_what_does_not_fit(void **state)
{
    struct rd_result result;
    struct rd_error error = {""};
    struct rd_run run = run_of("dot-shared", RD_TYPE_F64, 8);
    const double ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    (void)state;
    run.a = run.b = ones;
    run.values = "ones";
    run.block = 1;
    run.grid = INT32_MAX; /* a cell a block: 16 GiB, five times */
    run.device = test_device();
    if (rd_memory_available() < rd_memory_needed(&run)) {
        assert_int_equal(rd_run(&run, NULL, &result, &error), RD_ERROR_MEMORY);
        assert_non_null(strstr(error.text, "GiB of memory besides its input, and "));
    }
    run.grid = (size_t)INT32_MAX + 1;
    assert_int_equal(rd_run(&run, NULL, &result, &error), RD_ERROR_USAGE);
    assert_non_null(strstr(error.text, "(cudaErrorInvalidConfiguration)"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_needed_counts_all_arrays),
        cmocka_unit_test(test_available_is_some_and_finite),
        cmocka_unit_test(test_run_that_takes_more_than_there_is_is_refused),
        cmocka_unit_test(test_driver_refuses_what_does_not_fit),
    };
    return cmocka_run_group_tests_name("memory", tests, test_set_up, test_tear_down) != 0;
}
