// SPDX-License-Identifier: MIT
/* The driver with programs that claim too little, and what it says of their goals. */
#include "fake_device.h"
#include "harness.h"

static const struct rd_program *fold(void)
{
    return rd_program_named("fold");
}

/* The fold's law, that claims nothing after round 1. */
static const char blind_law[] = "input a[n]\narray A[n]\nlet w = n / 2^d\n"
                                "law when d != 1: for 0 <= i < w: A[i] = sum of a[j], j mod w = i";

static void test_step_without_live_cells_is_inconclusive(void **state)
{
    (void)state;
    struct rd_program program = *fold();
    program.law = blind_law;
    for (int frame = 0; frame < 2; frame++) {
        struct test_record record;
        test_record(&(struct test_case){.custom = &program, .n = 8, .frame = frame}, &record);
        assert_int_equal(record.status, RD_OK);
        assert_int_equal(record.n_steps, 2);
        assert_int_equal(record.steps[1].verdict, RD_INCONCLUSIVE);
        assert_int_equal(record.result.verdict, RD_INCONCLUSIVE);
        assert_int_equal(record.result.obligations[RD_INITIALIZATION], RD_HOLDS);
        assert_int_equal(record.result.obligations[RD_PRESERVATION], RD_INCONCLUSIVE);
        assert_int_equal(record.result.obligations[RD_EXIT], RD_INCONCLUSIVE);
        assert_false(record.result.violated);
        test_record_finish(&record);
    }
}

static void test_step_violated_after_an_inconclusive_one_is_what_counts(void **state)
{
    struct fake fake;
    struct test_record record;
    (void)state;
    struct rd_program program = *fold();
    program.law = blind_law;
    fake_init(&fake, test_device());
    fake.flips = true;
    fake.step = 2;
    test_record(
        &(struct test_case){.custom = &program, .n = 8, .go_on = true, .device = &fake.device},
        &record);
    assert_int_equal(record.n_steps, 4);
    assert_int_equal(record.result.verdict, RD_VIOLATED);
    assert_int_equal(record.result.obligations[RD_PRESERVATION], RD_VIOLATED);
    test_record_finish(&record);
}

static void test_goal_missed_by_a_loop_that_ends_early_is_violated(void **state)
{
    (void)state;
    struct rd_program program = *fold();
    program.launch = "when d = 1: fold(A, w) by w threads, half = w";
    for (unsigned type = 0; type < RD_TYPE_COUNT; type++) {
        const struct rd_numeric *numeric = rd_numeric((enum rd_type)type);
        struct rd_result r;
        assert_int_equal(
            test_run(&(struct test_case){.custom = &program, .n = 8, .type = (enum rd_type)type},
                     &r, NULL),
            RD_OK);
        assert_int_equal(r.verdict, RD_VIOLATED);
        assert_int_equal(r.obligations[RD_PRESERVATION], RD_HOLDS);
        assert_int_equal(r.obligations[RD_EXIT], RD_VIOLATED);
        assert_true(r.violated);
        assert_int_equal(r.violation.kind, RD_VIOLATION_GOAL);
        assert_int_equal(r.violation.step, 1);
        assert_int_equal(r.violation.cell, 0);
        assert_int_equal(r.violation.expected, numeric->from_u64(28));
        assert_int_equal(r.violation.actual, numeric->from_u64(4));
        assert_false(r.explained); /* the invariant itself is kept */
    }
}

static void test_goal_for_all_cells_names_the_first_that_misses_it(void **state)
{
    struct rd_result r;
    (void)state;
    struct rd_program program = *fold();
    program.goal = RD_GOAL_INPUT;
    struct test_case test = {.custom = &program, .n = 8, .frame = true};
    assert_int_equal(test_run(&test, &r, NULL), RD_OK);
    assert_int_equal(r.obligations[RD_EXIT], RD_VIOLATED);
    assert_int_equal(r.violation.cell, 0);
    assert_int_equal(r.violation.expected, 0);
    assert_int_equal(r.violation.actual, 28);
    test.frame = false; /* not all cells were copied */
    assert_int_equal(test_run(&test, &r, NULL), RD_OK);
    assert_int_equal(r.verdict, RD_INCONCLUSIVE);
    assert_int_equal(r.obligations[RD_EXIT], RD_INCONCLUSIVE);
}

/* A NaN is data: the bits decide, and the bound says nothing. */
static void test_goal_of_infinities_and_nans_is_inconclusive_where_they_differ(void **state)
{
    static const struct {
        const char *values;
        enum rd_verdict exit;
    } cases[] = {
        {"list:3e38,3e38,-3e38,-3e38", RD_INCONCLUSIVE}, /* inf - inf; the exact sum is 0 */
        {"list:3e38,3e38,-3e38,1", RD_INCONCLUSIVE},     /* inf; the exact sum is 3e38 */
        {"list:3e38,3e38,1,1", RD_INCONCLUSIVE},         /* inf; the exact sum is 6e38 */
        {"list:nan,1,2,3", RD_HOLDS},
        {"list:inf,1,2,3", RD_HOLDS},
        {"list:inf,-inf,2,3", RD_HOLDS},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct test_record record;
        test_record(&(struct test_case){.program = "tournament",
                                        .type = RD_TYPE_F32,
                                        .values = cases[c].values},
                    &record);
        assert_int_equal(record.status, RD_OK);
        assert_int_equal(record.n_steps, 3);
        for (unsigned s = 0; s < 3; s++)
            assert_int_equal(record.steps[s].verdict, RD_HOLDS);
        assert_true(record.steps[2].n_unbounded > 0);
        assert_int_equal(record.result.obligations[RD_EXIT], cases[c].exit);
        assert_int_equal(record.result.verdict, cases[c].exit);
        assert_false(record.result.violated);
        test_record_finish(&record);
    }
}

/* The sum is right, and the next launch would not be. */
static void test_ticket_that_is_not_0_after_the_launch_is_a_hazard(void **state)
{
    static const char *const programs[] = {"multi-block-last-block", "ladder-vectorised",
                                           "ladder-dot"};
    (void)state;
    for (size_t p = 0; p < 3; p++) {
        struct fake fake;
        struct test_outcome outcome;
        fake_init(&fake, test_device());
        const struct test_case test = {.program = programs[p],
                                       .n = 64,
                                       .block = 4,
                                       .grid = 3,
                                       .n_schedules = 1,
                                       .device = &fake.device};
        test_outcome(&test, &outcome);
        assert_int_equal(outcome.result.verdict, RD_HOLDS);
        assert_int_equal(outcome.n_findings, 0);
        test_outcome_finish(&outcome);
        fake.flips = fake.flips_first = true; /* the first number that is copied is the ticket */
        fake.step = 1;
        fake.bit = 3;
        test_outcome(&test, &outcome);
        const struct test_finding *stale = test_finding(&outcome, "stale-ticket", NULL);
        assert_non_null(stale);
        assert_int_equal(stale->step, 1);
        assert_int_equal(outcome.result.hazards, 1);
        assert_int_equal(outcome.result.verdict, RD_VIOLATED);
        test_outcome_finish(&outcome);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_step_without_live_cells_is_inconclusive),
        cmocka_unit_test(test_step_violated_after_an_inconclusive_one_is_what_counts),
        cmocka_unit_test(test_goal_missed_by_a_loop_that_ends_early_is_violated),
        cmocka_unit_test(test_goal_for_all_cells_names_the_first_that_misses_it),
        cmocka_unit_test(test_goal_of_infinities_and_nans_is_inconclusive_where_they_differ),
        cmocka_unit_test(test_ticket_that_is_not_0_after_the_launch_is_a_hazard),
    };
    return cmocka_run_group_tests_name("driver-goals", tests, test_set_up, test_tear_down) != 0;
}
