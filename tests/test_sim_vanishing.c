// SPDX-License-Identifier: MIT
/* Accesses that a result does not need are accesses: out of bounds, each is told, and each counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim_launch.h"
#include "sim_kernels.h"
#include "device/sim/object.h"

static const char *const kernels[] = {
    "cancels",          "cancels_by_xor",  "cancels_in_variables",
    "times_zero",       "and_zero",        "sums_to_zero",
    "modulo_one",       "unused_variable", "compares_with_itself",
    "behind_a_call",    "overwritten",     "in_a_loop",
    "either_way",       "written_back",    "written_twice",
    "float_times_zero",
};
enum { N_KERNELS = sizeof kernels / sizeof *kernels };

static void test_access_out_of_bounds_is_told_though_nobody_needs_it(void **state)
{
    unsigned missing = 0;
    (void)state;
    for (size_t k = 0; k < N_KERNELS; k++) {
        size_t count;
        test_launch(kernels[k], &(int){TEST_CELLS});
        const struct rd_finding *findings = rd_sim_report_findings(&count);
        if (count == 0 || findings[0].hazard != RD_HAZARD_OUT_OF_BOUNDS) {
            print_error("%s: nothing out of bounds\n", kernels[k]);
            missing++;
        }
    }
    assert_int_equal(missing, 0);
}

static void test_access_within_bounds_is_right(void **state)
{
    (void)state;
    for (size_t k = 0; k < N_KERNELS; k++) {
        size_t count;
        test_launch(kernels[k], &(int){TEST_CELLS - 1});
        rd_sim_report_findings(&count);
        assert_int_equal(count, 0);
    }
}

static unsigned n_reads, n_writes;

static void count_access(uintptr_t address, size_t size_bytes, enum rd_sim_op op, uintptr_t pc)
{
    (void)address, (void)size_bytes, (void)pc;
    n_reads += op == RD_SIM_READ;
    n_writes += op == RD_SIM_WRITE;
}

static void assert_accesses(const char *kernel, unsigned reads, unsigned writes)
{
    n_reads = n_writes = 0;
    rd_sim_here->core.on_access = count_access;
    test_launch(kernel, &(int){3});
    rd_sim_here->core.on_access = NULL;
    assert_int_equal(n_reads, reads);
    assert_int_equal(n_writes, writes);
}

static void test_accesses_are_counted_as_they_are_written(void **state)
{
    (void)state;
    assert_accesses("reads_twice", 2, 1);
    assert_accesses("writes_twice", 0, 2);
    assert_accesses("cancels", 2, 1);
    assert_accesses("overwritten", 1, 2);
    assert_accesses("unused_variable", 1, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_access_out_of_bounds_is_told_though_nobody_needs_it),
        cmocka_unit_test(test_access_within_bounds_is_right),
        cmocka_unit_test(test_accesses_are_counted_as_they_are_written),
    };
    return cmocka_run_group_tests(tests, test_launch_init, test_launch_finish) != 0;
}
