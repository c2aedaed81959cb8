// SPDX-License-Identifier: MIT
/* The table of hazards: each row is there once, and says of its hazard what the driver and traces rely on. */
#include "reductio/hazards.h"
#include "reductio/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

static void test_table_each_kind_has_a_name_of_its_own(void **state)
{
    (void)state;
    for (int k = 0; k < RD_HAZARD_COUNT; k++) {
        const char *name = rd_hazard_name((enum rd_hazard_kind)k);
        assert_non_null(name);
        assert_true(strlen(name) > 0);
        assert_int_equal(rd_hazard_named(name), k);
    }
}

/* Tells whether the hazard leaves the array as it should be. */
static bool is_harmless(int kind)
{
    return kind == RD_HAZARD_LEAK || kind == RD_HAZARD_OVER_BUDGET ||
           kind == RD_HAZARD_STALE_TICKET || kind == RD_HAZARD_PRINTF_ARGUMENTS;
}

/* Tells whether the result of the round is certain with the hazard, and only the end of the rounds is open. */
static bool is_certain(int kind)
{
    return kind == RD_HAZARD_INPUT_CHANGED || kind >= RD_HAZARD_CHECKPOINT_ORDER;
}

static void test_table_undefines_all_but_what_is_certain_or_harmless(void **state)
{
    (void)state;
    for (int k = 0; k < RD_HAZARD_COUNT; k++) {
        const enum rd_hazard_kind kind = (enum rd_hazard_kind)k;
        assert_int_equal(rd_hazard_ends(kind), !is_harmless(k));
        assert_int_equal(rd_hazard_undefines(kind), !is_harmless(k) && !is_certain(k));
    }
}

static void test_table_only_missing_checkpoints_leave_the_verdict_open(void **state)
{
    (void)state;
    for (int k = 0; k < RD_HAZARD_COUNT; k++)
        assert_int_equal(rd_hazard_verdict((enum rd_hazard_kind)k),
                         k == RD_HAZARD_CHECKPOINT_MISSING ? RD_INCONCLUSIVE : RD_VIOLATED);
}

static void test_table_device_is_lost_by_a_fault_or_a_kernel_without_an_end(void **state)
{
    (void)state;
    for (int k = 0; k < RD_HAZARD_COUNT; k++)
        assert_int_equal(rd_hazard_loses_device((enum rd_hazard_kind)k),
                         k == RD_HAZARD_NO_TERMINATION || k == RD_HAZARD_KERNEL_FAULT);
}

/* As in the trace of a later version. */
static void test_unknown_name_leaves_everything_undefined(void **state)
{
    const enum rd_hazard_kind unknown = rd_hazard_named("unheard-of");
    (void)state;
    assert_int_equal(unknown, RD_HAZARD_UNKNOWN);
    assert_int_equal(rd_hazard_named(NULL), RD_HAZARD_UNKNOWN);
    assert_true(rd_hazard_ends(unknown));
    assert_true(rd_hazard_undefines(unknown));
    assert_int_equal(rd_hazard_verdict(unknown), RD_VIOLATED);
    assert_false(rd_hazard_may_stop_kernel(unknown));
    assert_false(rd_hazard_loses_device(unknown));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table_each_kind_has_a_name_of_its_own),
        cmocka_unit_test(test_table_undefines_all_but_what_is_certain_or_harmless),
        cmocka_unit_test(test_table_only_missing_checkpoints_leave_the_verdict_open),
        cmocka_unit_test(test_table_device_is_lost_by_a_fault_or_a_kernel_without_an_end),
        cmocka_unit_test(test_unknown_name_leaves_everything_undefined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
