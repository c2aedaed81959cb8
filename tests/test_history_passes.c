// SPDX-License-Identifier: MIT
/* The history of traces on witness values: all passes together say which inputs are in a cell. */
#include "history_traces.h"
#include "reductio/trace.h"
#include "reductio/witness.h"

#include <string.h>

/* ---- witness values ---- */

static void check_sets(struct rd_history *history, size_t f)
{
    const struct rd_history_about *about = rd_history_about(history);
    const struct rd_frame *frame = rd_history_frame(history, f);
    for (size_t i = 0; i < frame->n_cells; i++) {
        struct rd_history_cell cell = cell_of(history, f, i);
        struct rd_input_set actual, expected;
        struct rd_error error = {""};
        assert_false(cell.known);
        assert_false(cell.wrong);
        if (!cell.live)
            continue;
        if (rd_history_set(history, f, i, &actual, &expected, &error) != RD_OK)
            fail_msg("%s", error.text);
        size_t count = 0;
        for (size_t j = 0; j < about->n_a; j++)
            count +=
                frame->inside
                    ? rd_program_contains_at(about->program, &about->shape, &frame->place, i, j)
                    : rd_program_contains(about->program, &about->shape, frame->step, i, j);
        assert_int_equal(actual.count, count);
        assert_memory_equal(&actual, &expected, sizeof actual);
    }
}

static void test_passes_of_a_witness_trace_are_sets(void **state)
{
    static const struct test_case cases[] = {
        {.program = "fold", .n = 16},
        {.program = "tournament", .n = 13},
        {.program = "dot-shared", .n = 64, .block = 16},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct test_case test = cases[c];
        struct seen seen;
        test.type = RD_TYPE_U64;
        test.values = "ones";
        seen_init(&seen, &test);
        seen.run.pass = seen.run.passes = 1;
        record(&seen, RD_TRACE_CELLS);
        struct rd_history *history = read_bounded(0);
        assert_true(rd_history_about(history)->witness);
        assert_null(rd_history_about(history)->incomplete);
        assert_true(rd_history_frames(history) > rd_history_about(history)->rounds);
        for (size_t f = 0; f < rd_history_frames(history); f++)
            check_sets(history, f);
        rd_history_destroy(history);
        seen_finish(&seen);
    }
}

static void test_checkpoint_of_another_pass_is_refused(void **state)
{
    struct test_case test = {
        .program = "dot-shared", .n = 300, .block = 64, .type = RD_TYPE_U64, .values = "ones"};
    struct seen seen;
    size_t length;
    (void)state;
    seen_init(&seen, &test);
    seen.run.pass = seen.run.passes = 1;
    record(&seen, RD_TRACE_CELLS);
    char *text = slurp(&length);
    spit_replaced(text, "\"pass\":1,\"step\":1,\"checkpoint\"", "\"pass\":1", "\"pass\":2");
    assert_history_refused("a checkpoint of pass 2, where pass 1 is due");
    free(text);
    seen_finish(&seen);
}

static void test_set_of_a_wrong_cell_differs(void **state)
{
    struct seen seen;
    struct rd_input_set actual, expected;
    struct rd_error error = {""};
    char text[256];
    (void)state;
    seen_init(&seen, &(struct test_case){.program = "fold:wrong-half",
                                         .n = 8,
                                         .type = RD_TYPE_U64,
                                         .values = "ones",
                                         .frame = true});
    seen.run.pass = seen.run.passes = 1;
    record(&seen, RD_TRACE_CELLS);
    struct rd_history *history = read_bounded(0);
    const struct rd_frame *frame = rd_history_frame(history, 1);
    assert_int_equal(frame->verdict, RD_VIOLATED);
    assert_int_equal(rd_history_set(history, 1, 0, &actual, &expected, &error), RD_OK);
    assert_text(rd_input_set_text(&actual, text, sizeof text), "{0,3}");
    assert_text(rd_input_set_text(&expected, text, sizeof text), "{0,4}");
    assert_true(cell_of(history, 1, 0).wrong);
    assert_true(cell_of(history, 1, 0).changed);
    assert_false(cell_of(history, 1, 7).changed);
    rd_history_destroy(history);
    seen_finish(&seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_passes_of_a_witness_trace_are_sets),
        cmocka_unit_test(test_checkpoint_of_another_pass_is_refused),
        cmocka_unit_test(test_set_of_a_wrong_cell_differs),
    };
    return cmocka_run_group_tests(tests, history_set_up, history_tear_down) != 0;
}
