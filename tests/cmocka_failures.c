// SPDX-License-Identifier: MIT
/* Assertions of reductio_cmocka.h, all of which fail: test_run_assertions.py reads what they say. */
#include "reductio/reductio_cmocka.h"
#include "reductio/values.h"

static struct rd_device *device;
static struct rd_values values;

static struct rd_run run_of(const char *name)
{
    return (struct rd_run){
        .program = rd_program_named(name),
        .numeric = rd_numeric(RD_TYPE_I32),
        .n = values.n,
        .a = values.a,
        .values = values.spec,
        .frame = true,
        .device = device,
    };
}

static int set_up(void **state)
{
    (void)state;
    return rd_device_open("sim", &device, NULL, NULL) == RD_OK &&
                   rd_values_init(&values, rd_numeric(RD_TYPE_I32), "iota", 8, 8, false, NULL) ==
                       RD_OK
               ? 0
               : -1;
}

static int tear_down(void **state)
{
    (void)state;
    rd_values_finish(&values);
    rd_device_close(device);
    return 0;
}

static void law_holds(void **state)
{
    const struct rd_run wrong = run_of("fold:wrong-half");
    (void)state;
    rd_assert_law_holds(&wrong); /* line of law_holds */
}

static void every_step_holds(void **state)
{
    const struct rd_run wrong = run_of("fold:wrong-half");
    (void)state;
    rd_assert_every_step_holds(&wrong); /* line of every_step_holds */
}

static void violated_at(void **state)
{
    const struct rd_run right = run_of("fold");
    (void)state;
    rd_assert_violated_at(&right, 1, 0); /* line of violated_at */
}

static void violated_elsewhere(void **state)
{
    const struct rd_run wrong = run_of("fold:wrong-half");
    (void)state;
    rd_assert_violated_at(&wrong, 2, 0); /* line of violated_elsewhere */
}

static void no_hazard(void **state)
{
    const struct rd_run wrong = run_of("fold:wrong-half");
    (void)state;
    rd_assert_no_hazard(&wrong); /* line of no_hazard */
}

/* Nothing that was not looked at passes for none. */
static void no_hazard_unlooked(void **state)
{
    struct rd_run right = run_of("fold");
    (void)state;
    right.hazards_by = RD_HAZARDS_BY_NOBODY;
    rd_assert_no_hazard(&right); /* line of no_hazard_unlooked */
}

/* Violated in round 1, without a hazard until there: the other rounds were not made. */
static void no_hazard_in_part(void **state)
{
    const struct rd_run wrong = run_of("fold:tournament-table");
    (void)state;
    rd_assert_no_hazard(&wrong); /* line of no_hazard_in_part */
}

static void hazard(void **state)
{
    const struct rd_run right = run_of("fold");
    (void)state;
    rd_assert_hazard(&right, RD_HAZARD_RACE, "A", 3); /* line of hazard */
}

static void hazard_elsewhere(void **state)
{
    const struct rd_run wrong = run_of("fold:wrong-half");
    (void)state;
    rd_assert_hazard(&wrong, RD_HAZARD_RACE, "A", 2); /* line of hazard_elsewhere */
}

static void hazard_of_another_kind(void **state)
{
    const struct rd_run wrong = run_of("fold:wrong-half");
    (void)state;
    rd_assert_hazard(&wrong, RD_HAZARD_LEAK, NULL, 0); /* line of hazard_of_another_kind */
}

/* A name that is mistyped, and no crash. */
static void unknown(void **state)
{
    const struct rd_run none = run_of("flod");
    (void)state;
    rd_assert_law_holds(&none); /* line of unknown */
}

static void refused(void **state)
{
    struct rd_run right = run_of("fold");
    (void)state;
    right.n = 7;
    rd_assert_law_holds(&right); /* line of refused */
}

static void interrupted(void **state)
{
    static const volatile sig_atomic_t now = 1;
    struct rd_run right = run_of("fold");
    (void)state;
    right.interrupted = &now;
    rd_assert_every_step_holds(&right); /* line of interrupted */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(law_holds),         cmocka_unit_test(every_step_holds),
        cmocka_unit_test(violated_at),       cmocka_unit_test(violated_elsewhere),
        cmocka_unit_test(no_hazard),         cmocka_unit_test(no_hazard_unlooked),
        cmocka_unit_test(no_hazard_in_part), cmocka_unit_test(hazard),
        cmocka_unit_test(hazard_elsewhere),  cmocka_unit_test(hazard_of_another_kind),
        cmocka_unit_test(unknown),           cmocka_unit_test(refused),
        cmocka_unit_test(interrupted),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
