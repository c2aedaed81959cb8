// SPDX-License-Identifier: MIT
/* The history of live runs: every frame and every cell is what the plainest observer saw. */
#include "fake_device.h"
#include "history_harness.h"

#include <stdio.h>
#include <string.h>

static struct rd_history *make_bounded(const struct seen *seen, size_t bytes_max)
{
    const struct rd_history_options options = {.bytes_max = bytes_max};
    struct rd_history *history = NULL;
    struct rd_error error = {""};
    if (rd_history_run(&history, &seen->run, &options, &error) != RD_OK)
        fail_msg("%s: %s", seen->run.program->name, error.text);
    return history;
}

static struct rd_history *make(const struct seen *seen)
{
    return make_bounded(seen, 0);
}

static void check(const struct test_case *test)
{
    struct seen seen;
    if (!test_repeats(test))
        return;
    seen_run(&seen, test);
    struct rd_history *history = make(&seen);
    assert_history_is(history, &seen);
    const struct rd_result *result = &rd_history_about(history)->result;
    assert_int_equal(result->verdict, seen.result.verdict);
    assert_int_equal(result->steps, seen.result.steps);
    assert_int_equal(result->checkpoints, seen.result.checkpoints);
    assert_int_equal(result->hazards, seen.hazards);
    assert_int_equal(result->violated, seen.result.violated);
    rd_history_destroy(history);
    seen_finish(&seen);
}

static void test_history_of_right_programs_is_what_an_observer_saw(void **state)
{
    static const struct test_case cases[] = {
        {.program = "fold", .n = 8},
        {.program = "fold", .n = 1},
        {.program = "fold", .n = 64, .type = RD_TYPE_F32, .values = "random:7"},
        {.program = "fold-guard", .n = 33, .type = RD_TYPE_U64},
        {.program = "tournament", .n = 13, .type = RD_TYPE_F64, .values = "random:8"},
        {.program = "unfold", .n = 16},
        {.program = "multiply", .n = 9},
        {.program = "dot-fold", .n = 16},
        {.program = "dot-shared", .n = 100, .block = 32},
        {.program = "dot-shared", .n = 70, .block = 16, .type = RD_TYPE_F32, .values = "random:9"},
        {.program = "multi-block-last-block", .n = 96, .block = 16},
        {.program = "multi-block-two-launch", .n = 100, .block = 16},
        {.program = "ladder-warp-shuffle", .n = 128, .block = 64},
        {.program = "ladder-shuffles-twice", .n = 256, .block = 128},
        {.program = "puzzle-axis-sum", .n = 24},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int frame = 0; frame < 2; frame++) {
            struct test_case test = cases[c];
            test.frame = frame;
            check(&test);
        }
}

static void test_history_goes_on_beyond_what_is_wrong(void **state)
{
    static const struct test_case cases[] = {
        {.program = "fold:wrong-half", .n = 16},
        {.program = "fold:inclusive-bound", .n = 16},
        {.program = "dot-naive", .n = 16},
        {.program = "dot-shared:floor-halving", .n = 90, .block = 30},
        {.program = "ladder-warp-shuffle:short-mask", .n = 256, .block = 128},
        {.program = "multi-block:even", .n = 24, .block = 8},
        {.program = "ladder-vectorised:no-fence", .n = 256, .block = 32},
    };
    (void)state;
    /* A GPU may run a fault otherwise each time, or without end. */
    if (!test_device_is_sim())
        skip();
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct test_case test = cases[c];
        if (!rd_program_named(test.program))
            fail_msg("no '%s'", test.program);
        test.frame = true;
        check(&test);
        test.type = RD_TYPE_F32;
        check(&test);
    }
}

/* Repeats the run with room for next to nothing, for a few states, and for most of them:
 * every cell is what it is without a bound. */
static void test_history_in_little_memory_is_the_same(void **state)
{
    static const struct test_case cases[] = {
        {.program = "fold", .n = 16, .frame = true},
        {.program = "fold:wrong-half", .n = 16, .frame = true},
        {.program = "unfold", .n = 16, .type = RD_TYPE_U64},
        {.program = "tournament", .n = 21, .type = RD_TYPE_F32, .values = "random:3"},
        {.program = "dot-shared", .n = 100, .block = 32},
        {.program = "ladder-shuffles-twice", .n = 128, .block = 64},
        {.program = "ladder-warp-shuffle:short-mask", .n = 128, .block = 128},
    };
    static const size_t bounds[] = {1, 100, 300, 1000};
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct seen seen;
        if (rd_program_is_fault(rd_program_named(cases[c].program)) && !test_device_is_sim())
            continue;
        seen_run(&seen, &cases[c]);
        for (size_t b = 0; b < sizeof bounds / sizeof *bounds; b++) {
            struct rd_history *history = make_bounded(&seen, bounds[b]);
            assert_history_is(history, &seen);
            rd_history_destroy(history);
        }
        seen_finish(&seen);
    }
}

/* A run that comes out otherwise the second time must not pass for the first. */
static void test_run_that_does_not_repeat_itself_is_told(void **state)
{
    struct fake fake;
    struct seen seen;
    struct rd_history_cell cell;
    struct rd_error error = {""};
    (void)state;
    fake_init(&fake, test_device());
    seen_run(&seen, &(struct test_case){.program = "fold", .n = 16, .device = &fake.device});
    struct rd_history *history = make_bounded(&seen, 1);
    fake_init(&fake, test_device());
    fake.flips = true;
    fake.step = 2;
    fake.cell = 1;
    fake.bit = 0;
    assert_int_equal(rd_history_cell(history, 2, 0, &cell, &error), RD_ERROR_DEVICE);
    assert_contains(error.text, "does not repeat itself");
    rd_history_destroy(history);
    seen_finish(&seen);
}

static void test_frame_of_step_is_the_one_after_its_round(void **state)
{
    struct seen seen;
    (void)state;
    seen_run(&seen, &(struct test_case){.program = "dot-shared", .n = 64, .block = 32});
    struct rd_history *history = make(&seen);
    size_t last = rd_history_frames(history) - 1;
    assert_true(last > 2);
    assert_int_equal(rd_history_frame_of_step(history, 0), 0);
    assert_int_equal(rd_history_frame_of_step(history, 1), last);
    assert_int_equal(rd_history_frame_of_step(history, 77), last);
    assert_null(rd_history_frame(history, last + 1));
    rd_history_destroy(history);
    seen_finish(&seen);
}

static void test_about_says_what_was_run(void **state)
{
    struct seen seen;
    (void)state;
    seen_run(&seen, &(struct test_case){.program = "multi-block-two-launch", .n = 96, .block = 16});
    struct rd_history *history = make(&seen);
    const struct rd_history_about *about = rd_history_about(history);
    assert_ptr_equal(about->program, seen.run.program);
    assert_ptr_equal(about->numeric, seen.run.numeric);
    assert_int_equal(about->shape.n, 96);
    assert_int_equal(about->shape.block, 16);
    assert_int_equal(about->n_a, 96);
    assert_int_equal(about->n_cells, rd_history_frame(history, 0)->n_cells);
    assert_string_equal(about->device, test_device()->ops->name);
    assert_string_equal(about->values, "iota");
    assert_ptr_equal(about->a, seen.values.a);
    assert_int_equal(about->rounds, seen.result.steps - 1);
    assert_true(about->live);
    assert_false(about->witness);
    assert_null(about->incomplete);
    rd_history_destroy(history);
    seen_finish(&seen);
}

static void test_cell_that_is_none_is_refused(void **state)
{
    struct seen seen;
    struct rd_history_cell cell;
    struct rd_error error = {""};
    (void)state;
    seen_run(&seen, &(struct test_case){.program = "fold", .n = 8});
    struct rd_history *history = make(&seen);
    assert_int_equal(rd_history_cell(history, 0, 8, &cell, &error), RD_ERROR_USAGE);
    assert_contains(error.text, "A has 8 cells");
    assert_int_equal(rd_history_cell(history, 4, 0, &cell, &error), RD_ERROR_USAGE);
    assert_contains(error.text, "frame 4");
    rd_history_destroy(history);
    seen_finish(&seen);
}

/* A history refuses what its run refuses. */
static void test_run_that_is_refused_has_no_history(void **state)
{
    struct seen seen;
    struct rd_history *history = NULL;
    struct rd_error error = {""};
    (void)state;
    seen_init(&seen, &(struct test_case){.program = "fold-guard", .n = 12});
    seen.run.program = rd_program_named("fold");
    assert_int_equal(rd_history_run(&history, &seen.run, NULL, &error), RD_ERROR_USAGE);
    assert_contains(error.text, "not a power of two");
    assert_null(history);
    seen_finish(&seen);
}

/* ---- what is decided of the obligations ---- */

static void assert_standing(struct rd_history *history, size_t frame, enum rd_obligation which,
                            struct rd_standing wanted)
{
    const struct rd_standing *is = &rd_history_frame(history, frame)->standings[which];
    if (is->decided != wanted.decided || is->verdict != wanted.verdict || is->round != wanted.round)
        fail_msg("frame %zu, %s: decided %d, %s, round %u", frame, rd_obligation_name(which),
                 is->decided, rd_verdict_name(is->verdict), is->round);
}

static const struct rd_standing open_still = {RD_DECIDED_NOT, RD_INCONCLUSIVE, 0};
static const struct rd_standing holds_so_far = {RD_DECIDED_SO_FAR, RD_HOLDS, 0};
static const struct rd_standing holds = {RD_DECIDED, RD_HOLDS, 0};
static const struct rd_standing undecided = {RD_DECIDED, RD_INCONCLUSIVE, 0};

static void test_obligations_are_decided_as_the_loop_goes(void **state)
{
    struct seen seen;
    (void)state;
    seen_run(&seen, &(struct test_case){.program = "fold", .n = 8});
    struct rd_history *history = make(&seen);
    for (size_t f = 0; f <= 3; f++) {
        assert_standing(history, f, RD_INITIALIZATION, holds);
        assert_standing(history, f, RD_PRESERVATION,
                        f == 0   ? open_still
                        : f == 3 ? holds
                                 : holds_so_far);
        assert_standing(history, f, RD_EXIT, f == 3 ? holds : open_still);
    }
    rd_history_destroy(history);
    seen_finish(&seen);
}

/* A round that broke it has done so for good; what was shown before does not know of it. */
static void test_preservation_is_decided_by_the_round_that_breaks_it(void **state)
{
    struct seen seen;
    const struct rd_break broken = {.kind = RD_BREAK_CELL, .step = 2, .cell = 1, .value = 99};
    (void)state;
    seen_init(&seen, &(struct test_case){.program = "fold", .n = 16});
    seen.run.breaks = &broken;
    seen.run.n_breaks = 1;
    struct rd_history *history = make(&seen);
    assert_standing(history, 1, RD_PRESERVATION, holds_so_far);
    for (size_t f = 2; f <= 4; f++)
        assert_standing(history, f, RD_PRESERVATION,
                        (struct rd_standing){RD_DECIDED, RD_VIOLATED, 2});
    assert_standing(history, 3, RD_EXIT, open_still);
    assert_standing(history, 4, RD_EXIT, undecided);
    rd_history_destroy(history);
    seen_finish(&seen);
}

static void test_start_that_is_wrong_fails_in_no_round(void **state)
{
    struct seen seen;
    const struct rd_break broken = {.kind = RD_BREAK_CELL, .step = 0, .cell = 1, .value = 99};
    (void)state;
    seen_init(&seen, &(struct test_case){.program = "fold", .n = 4});
    seen.run.breaks = &broken;
    seen.run.n_breaks = 1;
    struct rd_history *history = make(&seen);
    assert_standing(history, 0, RD_INITIALIZATION,
                    (struct rd_standing){RD_DECIDED, RD_VIOLATED, 0});
    assert_standing(history, 0, RD_PRESERVATION, open_still);
    assert_standing(history, 1, RD_PRESERVATION, open_still);
    assert_standing(history, 2, RD_PRESERVATION, undecided);
    assert_int_equal(rd_history_frame(history, 1)->verdict, RD_VIOLATED);
    const struct rd_result *result = &rd_history_about(history)->result;
    assert_int_equal(result->obligations[RD_INITIALIZATION], RD_VIOLATED);
    assert_int_equal(result->obligations[RD_PRESERVATION], RD_INCONCLUSIVE);
    rd_history_destroy(history);
    seen_finish(&seen);
}

/* An array that is put right after round 1 is broken by round 2 alone. */
static void test_round_after_a_wrong_start_breaks_what_held_before_it(void **state)
{
    struct seen seen;
    struct rd_break broken[] = {
        {.kind = RD_BREAK_CELL, .step = 0, .cell = 1, .value = 99},
        {.kind = RD_BREAK_CELL, .step = 1, .cell = 1, .value = 0},
        {.kind = RD_BREAK_CELL, .step = 2, .cell = 0, .value = 77},
    };
    (void)state;
    seen_init(&seen, &(struct test_case){.program = "fold", .n = 8});
    struct rd_history *whole = make(&seen);
    broken[1].value = cell_of(whole, 1, 1).value;
    rd_history_destroy(whole);
    seen.run.breaks = broken;
    for (unsigned n = 2; n <= 3; n++) {
        seen.run.n_breaks = n;
        struct rd_history *history = make(&seen);
        struct rd_standing broken_in_2 = {RD_DECIDED, RD_VIOLATED, 2};
        assert_int_equal(rd_history_frame(history, 1)->verdict, RD_HOLDS);
        assert_standing(history, 1, RD_PRESERVATION, holds_so_far);
        assert_standing(history, 2, RD_PRESERVATION, n == 3 ? broken_in_2 : holds_so_far);
        assert_standing(history, 3, RD_PRESERVATION, n == 3 ? broken_in_2 : holds);
        assert_int_equal(rd_history_about(history)->result.obligations[RD_PRESERVATION],
                         n == 3 ? RD_VIOLATED : RD_HOLDS);
        rd_history_destroy(history);
    }
    seen_finish(&seen);
}

/* Without the frame nobody asserts what is behind the live cells. */
static void test_dead_cell_must_hold_something_only_with_the_frame(void **state)
{
    struct seen seen;
    (void)state;
    for (int with = 0; with <= 1; with++) {
        seen_run(&seen, &(struct test_case){.program = "fold", .n = 8, .frame = with});
        struct rd_history *history = make(&seen);
        assert_int_equal(rd_history_about(history)->frame, with);
        assert_true(cell_of(history, 1, 3).expected_known);
        assert_int_equal(cell_of(history, 1, 4).expected_known, with);
        rd_history_destroy(history);
        seen_finish(&seen);
    }
}

/* A checkpoint decides nothing that its round may still break; a run of one element has no round. */
static void test_obligations_at_checkpoints_and_without_rounds(void **state)
{
    struct seen seen;
    (void)state;
    seen_run(&seen, &(struct test_case){.program = "dot-shared", .n = 64, .block = 32});
    struct rd_history *history = make(&seen);
    size_t last = rd_history_frames(history) - 1;
    for (size_t f = 1; f < last; f++) {
        assert_standing(history, f, RD_PRESERVATION, holds_so_far);
        assert_standing(history, f, RD_EXIT, open_still);
    }
    assert_standing(history, last, RD_PRESERVATION, holds);
    rd_history_destroy(history);
    seen_finish(&seen);
    seen_run(&seen, &(struct test_case){.program = "fold", .n = 1});
    history = make(&seen);
    for (int k = 0; k < RD_OBLIGATION_COUNT; k++)
        assert_standing(history, 0, (enum rd_obligation)k, holds);
    rd_history_destroy(history);
    seen_finish(&seen);
}

static void test_interrupted_run_has_a_history(void **state)
{
    static const volatile sig_atomic_t interrupted = 1;
    struct seen seen;
    (void)state;
    seen_init(&seen, &(struct test_case){.program = "fold", .n = 8});
    seen.run.interrupted = &interrupted;
    struct rd_history *history = make(&seen);
    assert_int_equal(rd_history_frames(history), 1);
    assert_true(rd_history_about(history)->result.interrupted);
    assert_standing(history, 0, RD_INITIALIZATION, holds);
    assert_standing(history, 0, RD_PRESERVATION, open_still);
    assert_standing(history, 0, RD_EXIT, open_still);
    rd_history_destroy(history);
    seen_finish(&seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_history_of_right_programs_is_what_an_observer_saw),
        cmocka_unit_test(test_history_goes_on_beyond_what_is_wrong),
        cmocka_unit_test(test_history_in_little_memory_is_the_same),
        cmocka_unit_test(test_run_that_does_not_repeat_itself_is_told),
        cmocka_unit_test(test_frame_of_step_is_the_one_after_its_round),
        cmocka_unit_test(test_about_says_what_was_run),
        cmocka_unit_test(test_cell_that_is_none_is_refused),
        cmocka_unit_test(test_run_that_is_refused_has_no_history),
        cmocka_unit_test(test_obligations_are_decided_as_the_loop_goes),
        cmocka_unit_test(test_preservation_is_decided_by_the_round_that_breaks_it),
        cmocka_unit_test(test_start_that_is_wrong_fails_in_no_round),
        cmocka_unit_test(test_round_after_a_wrong_start_breaks_what_held_before_it),
        cmocka_unit_test(test_dead_cell_must_hold_something_only_with_the_frame),
        cmocka_unit_test(test_obligations_at_checkpoints_and_without_rounds),
        cmocka_unit_test(test_interrupted_run_has_a_history),
    };
    return cmocka_run_group_tests(tests, test_set_up, test_tear_down) != 0;
}
