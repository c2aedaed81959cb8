// SPDX-License-Identifier: MIT
/* The history of traces: what was recorded, asserted again. */
#include "fake_device.h"
#include "history_traces.h"
#include "reductio/trace.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- whole traces ---- */

static void check(const struct test_case *test)
{
    static const size_t bounds[] = {0, 1, 400};
    struct seen seen;
    if (!test_repeats(test))
        return;
    see(&seen, test);
    record(&seen, RD_TRACE_CELLS);
    for (size_t b = 0; b < sizeof bounds / sizeof *bounds; b++) {
        struct rd_history *history = read_bounded(bounds[b]);
        const struct rd_history_about *about = rd_history_about(history);
        assert_history_is(history, &seen);
        assert_null(about->incomplete);
        assert_false(about->live);
        assert_ptr_equal(about->program, seen.run.program);
        assert_string_equal(about->device, test_device()->ops->name);
        assert_string_equal(about->described, test_device()->ops->describe(test_device()));
        assert_string_equal(about->values, seen.run.values);
        assert_memory_equal(about->a, seen.run.a, about->n_a * seen.run.numeric->size_bytes);
        assert_int_equal(about->result.verdict, seen.result.verdict);
        assert_int_equal(about->result.steps, seen.result.steps);
        assert_int_equal(about->result.hazards, seen.result.hazards);
        for (int k = 0; k < RD_OBLIGATION_COUNT; k++)
            assert_int_equal(about->result.obligations[k], seen.result.obligations[k]);
        rd_history_destroy(history);
    }
    seen_finish(&seen);
}

static void test_history_of_a_trace_is_that_of_its_run(void **state)
{
    static const struct test_case cases[] = {
        {.program = "fold", .n = 8, .frame = true},
        {.program = "fold", .n = 64, .type = RD_TYPE_F32, .values = "random:7"},
        {.program = "tournament", .n = 13, .type = RD_TYPE_F64, .values = "random:8"},
        {.program = "unfold", .n = 16, .type = RD_TYPE_U64, .frame = true},
        {.program = "dot-shared", .n = 100, .block = 32, .frame = true},
        {.program = "multi-block-two-launch", .n = 100, .block = 16},
        {.program = "ladder-shuffles-twice", .n = 256, .block = 128},
        {.program = "puzzle-axis-sum", .n = 24},
        {.program = "fold:wrong-half", .n = 16, .frame = true},
        {.program = "fold:inclusive-bound", .n = 16, .frame = true},
        {.program = "multi-block:even", .n = 24, .block = 8, .frame = true},
        {.program = "dot-shared:floor-halving", .n = 90, .block = 30},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        check(&cases[c]);
}

/* A trace ends with the step that is violated, and the run of a history goes on: what is decided at that
 * step is the same. What the one leaves open there, stays undecided in the other, as its run has ended. */
static void test_trace_that_stops_decides_what_its_run_does_there(void **state)
{
    static const char *const programs[] = {"fold", "fold:wrong-half", "fold:inclusive-bound",
                                           "tournament:interval"};
    struct rd_error error;
    (void)state;
    if (!test_device_is_sim())
        return; /* faults race, and two runs may differ */
    for (size_t p = 0; p < sizeof programs / sizeof *programs; p++) {
        struct seen seen;
        struct rd_history *live;
        see(&seen, &(struct test_case){.program = programs[p], .n = 16});
        record(&seen, RD_TRACE_CELLS);
        struct rd_history *history = read_bounded(0);
        assert_int_equal(rd_history_run(&live, &seen.run, NULL, &error), RD_OK);
        for (size_t f = 0; f < rd_history_frames(history); f++)
            for (int k = 0; k < RD_OBLIGATION_COUNT; k++) {
                const struct rd_standing *is = &rd_history_frame(history, f)->standings[k];
                const struct rd_standing *was = &rd_history_frame(live, f)->standings[k];
                if (f + 1 == rd_history_frames(history) && was->decided == RD_DECIDED_NOT) {
                    assert_int_equal(is->decided, RD_DECIDED);
                    assert_int_equal(is->verdict, RD_INCONCLUSIVE);
                    continue;
                }
                if (is->decided != was->decided || is->verdict != was->verdict ||
                    is->round != was->round)
                    fail_msg("%s, frame %zu: %s is decided %d, %s in the trace, and %d, %s live",
                             programs[p], f, rd_obligation_name((enum rd_obligation)k), is->decided,
                             rd_verdict_name(is->verdict), was->decided,
                             rd_verdict_name(was->verdict));
            }
        rd_history_destroy(live);
        rd_history_destroy(history);
        seen_finish(&seen);
    }
}

static void test_hazard_of_a_trace_is_told(void **state)
{
    struct seen seen;
    (void)state;
    if (!test_device_is_sim())
        skip();
    see(&seen, &(struct test_case){.program = "fold:wrong-half", .n = 8});
    assert_true(seen.hazards > 0);
    record(&seen, RD_TRACE_CELLS);
    struct rd_history *history = read_bounded(0);
    const struct rd_history_hazard *hazard = rd_history_hazard(history, 0);
    assert_string_equal(hazard->name, "race");
    assert_int_equal(hazard->step, 1);
    assert_contains(hazard->message, "A[");
    assert_null(rd_history_hazard(history, rd_history_hazards(history)));
    rd_history_destroy(history);
    seen_finish(&seen);
}

/* No step ends the round: the last one there is must tell. */
static void test_hazard_behind_the_last_step_is_that_steps(void **state)
{
    struct seen seen;
    size_t length;
    (void)state;
    if (!test_device_is_sim())
        skip();
    see(&seen, &(struct test_case){.program = "fold:wrong-half", .n = 8});
    record(&seen, RD_TRACE_CELLS);
    char *text = slurp(&length);
    const char *hazard = strstr(text, "{\"record\":\"hazard\"");
    assert_non_null(hazard);
    spit(text, (size_t)(strchr(hazard, '\n') + 1 - text));
    struct rd_history *history = read_bounded(0);
    const struct rd_frame *last = rd_history_frame(history, rd_history_frames(history) - 1);
    assert_int_equal(rd_history_hazards(history), 1);
    assert_int_equal(last->n_hazards, 1);
    assert_int_equal(last->first_hazard, 0);
    rd_history_destroy(history);
    free(text);
    seen_finish(&seen);
}

/* A pipe can be read only once: all of it is kept, whatever room it takes. */
static void test_trace_of_a_named_pipe_is_read_once(void **state)
{
    struct seen seen;
    size_t length;
    (void)state;
    see(&seen, &(struct test_case){.program = "fold", .n = 16, .frame = true});
    record(&seen, RD_TRACE_CELLS);
    char *text = slurp(&length);
    unlink(trace_path);
    assert_int_equal(mkfifo(trace_path, 0600), 0);
    pid_t writer = fork();
    assert_true(writer >= 0);
    if (writer == 0) {
        FILE *file = fopen(trace_path, "w");
        _exit(!file || fwrite(text, 1, length, file) != length || fclose(file) != 0);
    }
    struct rd_history *history = read_bounded(1);
    int status;
    assert_int_equal(waitpid(writer, &status, 0), writer);
    assert_int_equal(status, 0);
    unlink(trace_path); /* to open it again would fail, rather than wait for a writer */
    assert_history_is(history, &seen);
    rd_history_destroy(history);
    free(text);
    seen_finish(&seen);
}

/* A trace that is another one by the time it is read again must not be taken for the first. */
static void test_trace_that_has_changed_is_told(void **state)
{
    static const struct test_case others[] = {
        {.program = "fold", .n = 16, .frame = true, .values = "random:3"},
        {.program = "fold", .n = 16},
        {.program = "fold", .n = 8, .frame = true},
        {.program = "fold", .n = 16, .frame = true, .type = RD_TYPE_U64},
        {.program = "fold", .n = 16, .frame = true, .type = RD_TYPE_F32},
    };
    struct seen seen;
    (void)state;
    see(&seen, &(struct test_case){.program = "fold", .n = 16, .frame = true});
    for (size_t c = 0; c < sizeof others / sizeof *others; c++) {
        struct seen other;
        struct rd_history_cell cell;
        struct rd_error error = {""};
        record(&seen, RD_TRACE_CELLS);
        struct rd_history *history = read_bounded(1);
        see(&other, &others[c]);
        record(&other, RD_TRACE_CELLS);
        enum rd_status status = rd_history_cell(history, 3, 0, &cell, &error);
        assert_true(status == RD_ERROR_DEVICE || status == RD_ERROR_INPUT);
        assert_true(strstr(error.text, "another trace") || strstr(error.text, "repeat itself"));
        rd_history_destroy(history);
        seen_finish(&other);
    }
    seen_finish(&seen);
}

/* ---- what was cut ---- */

static void test_cut_state_is_known_at_its_ends(void **state)
{
    static const struct test_case cases[] = {
        {.program = "fold", .n = 32, .frame = true},
        {.program = "tournament", .n = 32},
        {.program = "fold:wrong-half", .n = 32, .frame = true},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct seen seen;
        see(&seen, &cases[c]);
        record(&seen, 6);
        struct rd_history *history = read_bounded(0);
        assert_non_null(rd_history_about(history)->incomplete);
        assert_int_equal(rd_history_frames(history), seen.n_steps);
        for (size_t f = 0; f < seen.n_steps; f++) {
            const struct rd_frame *frame = rd_history_frame(history, f);
            size_t count = seen.steps[f].step.n_cells;
            size_t stride = seen.steps[f].step.whole ? 1 : frame->claim.stride;
            assert_int_equal(frame->verdict, seen.steps[f].step.verdict);
            for (size_t i = 0; i < 32; i++) {
                struct rd_history_cell cell = cell_of(history, f, i);
                rd_bits value;
                bool there = seen_cell(&seen, f, i, &value);
                size_t k = i / stride;
                bool kept = there && (count <= 6 || k < 3 || k >= count - 3);
                bool violated = frame->violated && frame->violation.cell == i;
                assert_int_equal(cell.known, kept || violated);
                if (cell.known)
                    assert_int_equal(cell.value, value);
                assert_int_equal(cell.wrong, cell.known && seen.steps[f].wrong[i]);
            }
        }
        rd_history_destroy(history);
        seen_finish(&seen);
    }
}

/* The violation tells of its cell, wherever that is. */
static void test_violated_cell_is_known_where_it_was_cut_out(void **state)
{
    struct fake fake;
    struct seen seen;
    (void)state;
    fake_init(&fake, test_device());
    fake.flips = true;
    fake.step = 1;
    fake.cell = 7;
    fake.bit = 3;
    see(&seen,
        &(struct test_case){.program = "fold", .n = 32, .frame = true, .device = &fake.device});
    record(&seen, 6);
    struct rd_history *history = read_bounded(0);
    struct rd_history_cell cell = cell_of(history, 1, 7);
    assert_true(cell.known);
    assert_true(cell.wrong);
    assert_int_equal(cell.value, (7 + 23) ^ 8);
    assert_int_equal(cell.expected, 7 + 23);
    assert_false(cell_of(history, 1, 8).known);
    rd_history_destroy(history);
    seen_finish(&seen);
}

/* An input of a file or a list that was cut can't be made again: nothing can be asserted, and what was
 * recorded still shows. */
static void test_cut_input_leaves_values_and_no_expectation(void **state)
{
    struct seen seen;
    (void)state;
    see(&seen, &(struct test_case){.program = "fold", .n = 8, .frame = true});
    seen.run.values = "list:0,1,2,3,4,5,6,7";
    record(&seen, 4);
    struct rd_history *history = read_bounded(0);
    assert_contains(rd_history_about(history)->incomplete, "the input was cut");
    assert_null(rd_history_about(history)->a);
    assert_int_equal(rd_history_frames(history), 4);
    assert_int_equal(rd_history_frame(history, 1)->verdict, RD_INCONCLUSIVE);
    struct rd_history_cell cell = cell_of(history, 1, 0);
    assert_true(cell.known);
    assert_int_equal(cell.value, 0 + 4);
    assert_false(cell.expected_known);
    assert_false(cell.wrong);
    rd_history_destroy(history);
    seen_finish(&seen);
}

/* ---- traces that end early ---- */

static void test_trace_that_breaks_off_shows_what_there_is(void **state)
{
    struct seen seen;
    size_t length;
    (void)state;
    see(&seen, &(struct test_case){.program = "fold", .n = 8, .frame = true});
    record(&seen, RD_TRACE_CELLS);
    char *text = slurp(&length);
    for (size_t cut = 0; cut < length; cut += 7) {
        struct rd_history *history = NULL;
        struct rd_error error = {""};
        size_t lines = 0;
        for (size_t k = 0; k < cut; k++)
            lines += text[k] == '\n';
        spit(text, cut);
        enum rd_status status = rd_history_read(&history, trace_path, NULL, &error);
        assert_int_equal(status, lines >= 3 ? RD_OK : RD_ERROR_INPUT);
        if (status != RD_OK)
            continue;
        assert_int_equal(rd_history_frames(history), lines - 2);
        assert_non_null(rd_history_about(history)->incomplete);
        assert_cells_are(history, &seen, lines - 3);
        rd_history_destroy(history);
    }
    free(text);
    seen_finish(&seen);
}

static void test_interrupted_trace_says_so(void **state)
{
    static const volatile sig_atomic_t interrupted = 1;
    struct seen seen;
    (void)state;
    seen_init(&seen, &(struct test_case){.program = "fold", .n = 8});
    seen.run.interrupted = &interrupted;
    record(&seen, RD_TRACE_CELLS);
    struct rd_history *history = read_bounded(0);
    assert_int_equal(rd_history_frames(history), 1);
    assert_true(rd_history_about(history)->result.interrupted);
    assert_contains(rd_history_about(history)->incomplete, "interrupted");
    rd_history_destroy(history);
    seen_finish(&seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_history_of_a_trace_is_that_of_its_run),
        cmocka_unit_test(test_trace_that_stops_decides_what_its_run_does_there),
        cmocka_unit_test(test_hazard_of_a_trace_is_told),
        cmocka_unit_test(test_hazard_behind_the_last_step_is_that_steps),
        cmocka_unit_test(test_trace_of_a_named_pipe_is_read_once),
        cmocka_unit_test(test_trace_that_has_changed_is_told),
        cmocka_unit_test(test_cut_state_is_known_at_its_ends),
        cmocka_unit_test(test_violated_cell_is_known_where_it_was_cut_out),
        cmocka_unit_test(test_cut_input_leaves_values_and_no_expectation),
        cmocka_unit_test(test_trace_that_breaks_off_shows_what_there_is),
        cmocka_unit_test(test_interrupted_trace_says_so),
    };
    return cmocka_run_group_tests(tests, history_set_up, history_tear_down) != 0;
}
