// SPDX-License-Identifier: MIT
/* Report of a free() that races: it says that the memory is freed, names no value, and reaches the listener; also if the
 * listener ends the thread. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "device/sim/engine/engine.h"
#include "device/sim/object.h"
#include "reductio/hazards.h"
#include "sim_launch.h"

static struct rd_sim_event told;
static unsigned n_told;
static bool ends;

static void listen(const struct rd_sim_event *event)
{
    told = *event;
    n_told++;
    if (ends)
        rd_sim_thread_end();
}

static void test_race_of_a_free_has_no_value(void **state)
{
    (void)state;
    ends = false;
    for (int size = 1; size < 5; size++) {
        n_told = 0;
        test_launch_block("frees_too_soon", &size, 2, false);
        assert_int_equal(n_told, 1);
        assert_int_equal(told.hazard, RD_HAZARD_RACE);
        assert_true(told.frees);
        assert_false(told.bits_known || told.same_value);
    }
}

static void test_listener_that_ends_the_thread_goes_on_listening(void **state)
{
    (void)state;
    ends = true;
    for (int k = 0; k < 3; k++) {
        n_told = 0;
        test_launch_block("frees_too_soon", &(int){2}, 2, false);
        assert_true(rd_sim_here->core.on_event == listen);
        assert_int_equal(n_told, 1);
        assert_true(told.frees);
    }
}

static int set_up(void **state)
{
    const int failed = test_launch_init(state);
    if (failed == 0)
        rd_sim_here->core.on_event = listen;
    return failed;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_race_of_a_free_has_no_value),
        cmocka_unit_test(test_listener_that_ends_the_thread_goes_on_listening),
    };
    return cmocka_run_group_tests(tests, set_up, test_launch_finish) != 0;
}
