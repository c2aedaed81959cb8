// SPDX-License-Identifier: MIT
/* By which calls threads come to a barrier: told of kernels that their thread calls out of line, at whose
 * barriers less is compared, as of others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim_launch.h"
#include "reductio/hazards.h"

static void assert_finding(const char *kernel, const char *name)
{
    for (int calls_kernel = 0; calls_kernel < 2; calls_kernel++) {
        size_t count;
        test_launch_block(kernel, &(int){3}, 64, calls_kernel);
        const struct rd_finding *findings = rd_sim_report_findings(&count);
        assert_int_equal(count, name ? 1 : 0);
        if (name)
            assert_string_equal(rd_hazard_name(findings[0].hazard), name);
    }
}

static void test_threads_at_one_barrier_are_not_told(void **state)
{
    (void)state;
    assert_finding("meets_in_a_loop", NULL);
    assert_finding("meets_by_one_call", NULL);
}

static void test_threads_at_two_barriers_are_told(void **state)
{
    (void)state;
    assert_finding("meets_in_branches", "barrier-divergence");
    assert_finding("meets_in_branches_of_a_line", "barrier-divergence");
}

static void test_threads_of_two_calls_are_told(void **state)
{
    (void)state;
    test_skip_without_lines();
    assert_finding("meets_by_two_calls", "barrier-divergence");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads_at_one_barrier_are_not_told),
        cmocka_unit_test(test_threads_at_two_barriers_are_told),
        cmocka_unit_test(test_threads_of_two_calls_are_told),
    };
    return cmocka_run_group_tests(tests, test_launch_init, test_launch_finish) != 0;
}
