// SPDX-License-Identifier: MIT
/* Obligations after hazards: those of a run, of its history, and of its trace must agree. */
#include "fake_device.h"
#include "history_traces.h"
#include "reductio/trace.h"

#include <stdio.h>
#include <string.h>

struct told {
    enum rd_verdict preservation, exit;
};

static const struct told is_open = {RD_INCONCLUSIVE, RD_INCONCLUSIVE};
static const struct told is_kept = {RD_HOLDS, RD_HOLDS};
static const struct told is_older = {RD_HOLDS, RD_INCONCLUSIVE};
static const struct told is_broken = {RD_VIOLATED, RD_INCONCLUSIVE};

static void assert_told(const char *what, const enum rd_verdict *obligations, struct told wanted)
{
    if (obligations[RD_INITIALIZATION] != RD_HOLDS ||
        obligations[RD_PRESERVATION] != wanted.preservation || obligations[RD_EXIT] != wanted.exit)
        fail_msg("%s: %s, %s, %s", what, rd_verdict_name(obligations[RD_INITIALIZATION]),
                 rd_verdict_name(obligations[RD_PRESERVATION]),
                 rd_verdict_name(obligations[RD_EXIT]));
}

/* Asserts the obligations as decided at the last frame. */
static void assert_ends_with_standings(const char *what, struct rd_history *history,
                                       struct told wanted)
{
    const struct rd_frame *last = rd_history_frame(history, rd_history_frames(history) - 1);
    const enum rd_verdict verdicts[RD_OBLIGATION_COUNT] = {
        last->standings[RD_INITIALIZATION].verdict,
        last->standings[RD_PRESERVATION].verdict,
        last->standings[RD_EXIT].verdict,
    };
    assert_told(what, verdicts, wanted);
}

/* The run, its history, its trace, and the history of that. */
static struct rd_replay check_everywhere(const char *what, const struct test_case *test,
                                         struct told wanted)
{
    struct seen seen;
    struct rd_replay replay;
    struct rd_error error = {""};
    see(&seen, test);
    assert_told(what, seen.result.obligations, wanted);
    assert_int_equal(seen.result.verdict, RD_VIOLATED);
    record(&seen, RD_TRACE_CELLS);
    assert_int_equal(rd_trace_replay(trace_path, &replay, &error), RD_OK);
    assert_string_equal(replay.reason, "");
    assert_told(what, replay.obligations, wanted);
    struct rd_history *read = read_bounded(0);
    assert_told(what, rd_history_about(read)->result.obligations, wanted);
    assert_ends_with_standings(what, read, wanted);
    rd_history_destroy(read);
    seen_finish(&seen);
    seen_init(&seen, test);
    struct rd_history *live = history_of(&seen);
    assert_ends_with_standings(what, live, wanted);
    history_finish(&seen, live);
    return replay;
}

static void test_obligations_after_a_hazard_are_as_its_round_is_defined(void **state)
{
    static const struct {
        const char *hazard;
        bool undefines;
    } cases[] = {
        {"race", true},
        {"uninitialised", true},
        {"out-of-bounds", true},
        {"misaligned", true},
        {"barrier-divergence", true},
        {"barrier-skipped-by-exit", true},
        {"shuffle-from-inactive-lane", true},
        {"mask-mismatch", true},
        {"assert-failed", true},
        {"crash", true},
        {"one that this version does not know", true},
        {"over-budget", false},
        {"leak", false},
        {"stale-ticket", false},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (unsigned round = 1; round <= 3; round++) {
            struct fake fake;
            fake_init(&fake, test_device());
            fake_tell_hazard(&fake, cases[c].hazard, round);
            const struct test_case test = {
                .program = "fold", .n = 8, .device = &fake.device, .go_on = true};
            check_everywhere(cases[c].hazard, &test, cases[c].undefines ? is_open : is_kept);
        }
}

/* A hazard that leaves the rounds as they are does not keep the others from being made. */
static void test_run_with_a_certain_hazard_goes_on_to_the_goal(void **state)
{
    (void)state;
    for (unsigned round = 1; round <= 3; round++) {
        struct fake fake;
        fake_init(&fake, test_device());
        fake_tell_hazard(&fake, "over-budget", round);
        struct test_case test = {.program = "fold", .n = 8, .device = &fake.device};
        struct rd_replay replay = check_everywhere("over-budget", &test, is_kept);
        assert_int_equal(replay.steps, 4);
        fake_tell_hazard(&fake, "race", round);
        test.go_on = true;
        replay = check_everywhere("race", &test, is_open);
        test.go_on = false;
        replay = check_everywhere("race", &test, is_open);
        assert_int_equal(replay.steps, round + 1);
    }
}

static void test_round_with_a_race_that_breaks_the_invariant_is_violated(void **state)
{
    struct fake fake;
    (void)state;
    fake_init(&fake, test_device());
    fake.hazard = "race";
    fake.round = 2;
    fake.fault = FAKE_DOUBLES_CELL;
    fake.fault_cell = 1;
    check_everywhere("race", &(struct test_case){.program = "fold", .n = 8, .device = &fake.device},
                     is_broken);
}

/* The rounds before it have kept the invariant; whether it does, nobody has seen. */
static void test_round_that_never_ends_leaves_preservation_open(void **state)
{
    (void)state;
    for (unsigned round = 1; round <= 3; round++) {
        struct seen seen;
        struct rd_replay replay;
        struct rd_error error = {""};
        struct fake fake;
        fake_init(&fake, test_device());
        fake.fail_at = 3 + 3 * round; /* 3 to prepare; read, wait and launch */
        fake.fail_with = RD_ERROR_HUNG;
        see(&seen, &(struct test_case){.program = "fold", .n = 8, .device = &fake.device});
        assert_told("hung", seen.result.obligations, is_open);
        fake.calls = 0;
        record(&seen, RD_TRACE_CELLS);
        assert_int_equal(rd_trace_replay(trace_path, &replay, &error), RD_OK);
        assert_string_equal(replay.reason, "");
        assert_told("hung", replay.obligations, is_open);
        seen_finish(&seen);
    }
}

/* Each fault, on its own values: what it tells, its trace tells. */
static void test_obligations_of_lessons_are_those_of_their_traces(void **state)
{
    unsigned open = 0, kept = 0;
    (void)state;
    if (!test_device_is_sim())
        return; /* they race, and two runs may differ */
    for (const struct rd_program *const *p = rd_programs; *p; p++) {
        struct seen seen;
        if (!rd_program_is_fault(*p))
            continue;
        const struct test_case test = test_default((*p)->name);
        see(&seen, &test);
        const struct rd_result result = seen.result;
        seen_finish(&seen);
        if (result.violated || result.hazards == 0)
            continue;
        check_everywhere((*p)->name, &test, result.undefined ? is_open : is_kept);
        open += result.undefined;
        kept += !result.undefined;
    }
    assert_true(open > 10);
    assert_true(kept >= 3);
}

/* A trace that says HOLDS where a race was found contradicts itself; an older one had to. */
static void test_trace_that_hides_what_a_race_leaves_open_is_violated(void **state)
{
    static const char open[] = "\"preservation\":\"INCONCLUSIVE\"";
    struct seen seen;
    struct rd_replay replay;
    struct rd_error error = {""};
    size_t length;
    (void)state;
    if (!test_device_is_sim())
        return;
    see(&seen, &(struct test_case){.program = "dot-naive", .n = 8});
    record(&seen, RD_TRACE_CELLS);
    char *text = slurp(&length);
    spit_replaced(text, "\"obligations\"", open, "\"preservation\":\"HOLDS\"");
    assert_int_equal(rd_trace_replay(trace_path, &replay, &error), RD_OK);
    assert_contains(replay.reason, "the trace says HOLDS of preservation");
    free(text);
    text = slurp(&length); /* which says HOLDS of it */
    spit_replaced(text, "\"major\"", "\"minor\":9", "\"minor\":2");
    assert_int_equal(rd_trace_replay(trace_path, &replay, &error), RD_OK);
    assert_string_equal(replay.reason, "");
    assert_told("older", replay.obligations, is_older);
    free(text);
    seen_finish(&seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_obligations_after_a_hazard_are_as_its_round_is_defined),
        cmocka_unit_test(test_run_with_a_certain_hazard_goes_on_to_the_goal),
        cmocka_unit_test(test_round_with_a_race_that_breaks_the_invariant_is_violated),
        cmocka_unit_test(test_round_that_never_ends_leaves_preservation_open),
        cmocka_unit_test(test_obligations_of_lessons_are_those_of_their_traces),
        cmocka_unit_test(test_trace_that_hides_what_a_race_leaves_open_is_violated),
    };
    return cmocka_run_group_tests_name("history-obligations", tests, history_set_up,
                                       history_tear_down) != 0;
}
