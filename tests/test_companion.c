// SPDX-License-Identifier: MIT
/* The simulator beside a run on a device that does not look for hazards: on how much, and what becomes of what it
 * finds. */
#include "run/driver_internal.h"
#include "fake_device.h"
#include "harness.h"

#include <stdio.h>
#include <string.h>

static struct fake fake;

static struct rd_device *blind(void)
{
    fake_init(&fake, test_device());
    return &fake.device;
}

/* ---- on how much ---- */

static const struct size_case {
    const char *program;
    size_t n, grid;
    unsigned block;
    size_t passes;
    size_t wanted_n;
} size_cases[] = {
    /* As large as it is. */
    {"fold", 8, 0, 0, 0, 8},
    {"fold", 1 << 20, 0, 0, 0, 1 << 20},
    {"dot-shared", 1000, 0, 0, 0, 1000},
    {"puzzle-matmul", 2, 0, 0, 0, 2},
    /* A power of two stays one. */
    {"fold", (size_t)1 << 33, 0, 0, 0, 1 << 20},
    {"fold", (size_t)1 << 33, 0, 96, 0, 1 << 19}, /* with threads that have nothing to do */
    /* The remainder stays, modulo the largest 2^k blocks that fit. */
    {"tournament", ((size_t)1 << 30) + 12345, 0, 0, 0, (1 << 19) + 12345},
    {"tournament", 192 * 1000003 + 7, 0, 192, 0, 192 * 4096 + 192 * (1000003 % 4096) + 7},
    /* The companion's n is smaller if threads communicate, and again under more schedules. */
    {"multi-block-atomic", ((size_t)1 << 30) + 5, 0, 0, 0, (1 << 18) + 5},
    /* A product of squares takes n^3. */
    {"puzzle-matmul", 1000, 0, 0, 0, 48 + 1000 % 48},
    /* All passes of witness values together take as long as one run. */
    {"fold", 1 << 20, 0, 0, 1024, 1 << 10},
};

static void test_companion_size_follows_the_rule(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof size_cases / sizeof *size_cases; c++) {
        const struct size_case *wanted = &size_cases[c];
        const struct rd_run run = {
            .program = rd_program_named(wanted->program),
            .numeric = rd_numeric(RD_TYPE_I32),
            .n = wanted->n,
            .grid = wanted->grid,
            .block = wanted->block,
            .passes = wanted->passes,
        };
        struct rd_shape shape;
        const struct rd_shape whole = rd_run_shape(&run);
        if (!rd_companion_shape(&run, &shape))
            fail_msg("%s n=%zu: no size", wanted->program, wanted->n);
        if (shape.n != wanted->wanted_n)
            fail_msg("%s n=%zu block=%u: %zu, not %zu", wanted->program, wanted->n, whole.block,
                     shape.n, wanted->wanted_n);
        assert_true(shape.n <= wanted->n && shape.grid <= whole.grid);
        assert_int_equal(rd_program_accept(run.program, &shape, NULL), RD_OK);
    }
}

static void test_companion_of_many_blocks_has_fewer_and_two_trips(void **state)
{
    struct rd_shape shape;
    const struct rd_run run = {
        .program = rd_program_named("multi-block-atomic"),
        .numeric = rd_numeric(RD_TYPE_I32),
        .n = ((size_t)1 << 30) + 5,
        .grid = 100003,
    };
    (void)state;
    assert_true(rd_companion_shape(&run, &shape));
    assert_true(shape.grid > 1 && shape.grid < 100003);
    assert_true(shape.n / (shape.grid * shape.block) >= 2);
    assert_int_equal(shape.n % shape.block, run.n % shape.block);
}

/* ---- what it finds ---- */

static void test_hazard_of_the_companion_is_one_of_the_run(void **state)
{
    struct test_outcome outcome;
    struct test_case fault = test_default("dot-naive");
    (void)state;
    fault.device = blind();
    test_outcome(&fault, &outcome);
    assert_int_equal(outcome.result.verdict, RD_VIOLATED);
    assert_int_equal(outcome.result.hazards_by, RD_HAZARDS_BY_SIM);
    assert_int_equal(outcome.result.hazards_n, fault.n);
    const struct test_finding *finding = test_finding(&outcome, "race", "read-write");
    assert_non_null(finding);
    assert_text(finding->array, "A");
    assert_int_equal(finding->n_places, 2);
    assert_int_equal(finding->step, 1);
    test_outcome_finish(&outcome);
}

static void test_companion_does_not_touch_the_device_of_the_run(void **state)
{
    struct rd_result result;
    struct rd_error error;
    const struct test_case fold = {.program = "fold", .n = 8, .device = blind()};
    (void)state;
    assert_int_equal(test_run(&fold, &result, &error), RD_OK);
    assert_int_equal(result.verdict, RD_HOLDS);
    assert_int_equal(fake.launches, 3);
    assert_int_equal(fake.buffers, 0);
    assert_false(fake.misused);
}

/* The goal is asserted on the device although the simulator misses it, too. */
static void test_goal_that_is_missed_on_both_is_one_of_the_device(void **state)
{
    struct rd_result result;
    struct rd_error error;
    struct test_case fault = test_default("norm:no-root");
    (void)state;
    fault.device = blind();
    assert_int_equal(test_run(&fault, &result, &error), RD_OK);
    assert_int_equal(result.verdict, RD_VIOLATED);
    assert_int_equal(result.obligations[RD_PRESERVATION], RD_HOLDS);
    assert_int_equal(result.obligations[RD_EXIT], RD_VIOLATED);
    assert_int_equal(result.violation.kind, RD_VIOLATION_GOAL);
    assert_int_equal(result.hazards, 0);
}

/* ---- where the device and the simulator disagree ---- */

static void test_rounds_violated_in_the_simulator_alone_are_a_finding(void **state)
{
    struct test_outcome outcome;
    struct test_case fault = test_default("tournament:stride-one");
    (void)state;
    fault.device = blind();
    fake.substitutes = true; /* the device is lucky */
    fake.substitute = RD_KERNEL_TOURNAMENT;
    test_outcome(&fault, &outcome);
    assert_int_equal(outcome.result.verdict, RD_VIOLATED);
    assert_false(outcome.result.violated);
    assert_int_equal(outcome.result.hazards, 1);
    assert_text(outcome.findings[0].name, "violated-in-simulator");
    test_outcome_finish(&outcome);
}

static void test_run_that_the_simulator_can_not_accompany_is_inconclusive(void **state)
{
    struct rd_program large = *rd_program_named("fold");
    struct rd_values values;
    struct rd_result result;
    struct rd_error error = {""};
    (void)state;
    large.accept = "n >= 2^21 else too small";
    assert_int_equal(
        rd_values_init(&values, rd_numeric(RD_TYPE_I32), "ones", 1 << 21, 0, false, &error), RD_OK);
    const struct rd_run run = {
        .program = &large,
        .numeric = values.numeric,
        .n = values.n,
        .a = values.a,
        .values = "ones",
        .device = blind(),
    };
    assert_int_equal(rd_run(&run, NULL, &result, &error), RD_OK);
    assert_int_equal(result.verdict, RD_INCONCLUSIVE);
    assert_int_equal(result.hazards_by, RD_HAZARDS_BY_NOBODY);
    assert_contains(result.unlooked, "takes no n");
    assert_int_equal(result.obligations[RD_EXIT], RD_HOLDS);
    rd_values_finish(&values);
}

/* ---- what is given ---- */

static void test_given_hazards_are_told_in_their_rounds(void **state)
{
    const struct rd_hazard given[] = {
        {.kind = RD_HAZARD_RACE, .step = 2, .message = "as it was found"}};
    const int32_t a[] = {1, 2, 3, 4};
    struct rd_result result;
    struct rd_error error;
    const struct rd_run run = {
        .program = rd_program_named("fold"),
        .numeric = rd_numeric(RD_TYPE_I32),
        .n = 4,
        .a = a,
        .values = "iota",
        .device = blind(),
        .hazards_by = RD_HAZARDS_BY_SANITIZER,
        .given = given,
        .n_given = 1,
    };
    (void)state;
    assert_int_equal(rd_run(&run, NULL, &result, &error), RD_OK);
    assert_int_equal(result.verdict, RD_VIOLATED);
    assert_int_equal(result.hazards, 1);
    assert_int_equal(result.steps, 3);
    assert_int_equal(result.hazards_by, RD_HAZARDS_BY_SANITIZER);
}

/* ---- a device that stops a kernel ---- */

static void test_fault_of_any_call_behind_a_launch_is_a_finding(void **state)
{
    (void)state;
    struct test_case fold = {.program = "fold", .n = 8, .device = blind()};
    struct test_record record;
    test_record(&fold, &record);
    test_record_finish(&record);
    const unsigned calls = fake.calls;
    assert_true(calls > 8);
    for (unsigned at = 1; at <= calls; at++) {
        fold.device = blind();
        fake.fail_at = at;
        fake.fail_with = RD_ERROR_FAULT;
        test_record(&fold, &record);
        if (fake.launches > 0) {
            assert_int_equal(record.status, RD_OK);
            assert_int_equal(record.result.verdict, RD_VIOLATED);
            assert_int_equal(record.hazards, 1);
            assert_text(record.hazard.name, "kernel-fault");
            assert_int_equal(record.hazard.step, fake.launches);
        } else {
            assert_int_equal(record.status, RD_ERROR_FAULT);
        }
        assert_int_equal(fake.buffers, 0);
        assert_int_equal(fake.host_arrays, 0);
        test_record_finish(&record);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_companion_size_follows_the_rule),
        cmocka_unit_test(test_companion_of_many_blocks_has_fewer_and_two_trips),
        cmocka_unit_test(test_hazard_of_the_companion_is_one_of_the_run),
        cmocka_unit_test(test_companion_does_not_touch_the_device_of_the_run),
        cmocka_unit_test(test_goal_that_is_missed_on_both_is_one_of_the_device),
        cmocka_unit_test(test_rounds_violated_in_the_simulator_alone_are_a_finding),
        cmocka_unit_test(test_run_that_the_simulator_can_not_accompany_is_inconclusive),
        cmocka_unit_test(test_given_hazards_are_told_in_their_rounds),
        cmocka_unit_test(test_fault_of_any_call_behind_a_launch_is_a_finding),
    };
    return cmocka_run_group_tests(tests, test_set_up, test_tear_down);
}
