// SPDX-License-Identifier: MIT
/* The history of what is no good trace, or is not what it says: nothing that could not be, and nothing
 * explained by what it is not of. */
#include "history_traces.h"
#include "reductio/trace.h"

#include <stdio.h>
#include <string.h>

/* ---- traces that are not what they say ---- */

static void look_at_all(struct rd_history *history)
{
    for (size_t f = 0; f < rd_history_frames(history); f++)
        for (size_t i = 0; i < rd_history_frame(history, f)->n_cells; i++)
            cell_of(history, f, i);
}

/* The history of a text is refused, or what can be shown of it is sound. */
static void check_harmless(const char *text, size_t length)
{
    struct rd_history *history = NULL;
    struct rd_error error = {""};
    spit(text, length);
    enum rd_status status = rd_history_read(&history, trace_path, NULL, &error);
    if (status == RD_OK)
        look_at_all(history);
    else
        assert_true(status == RD_ERROR_INPUT || status == RD_ERROR_MEMORY);
    rd_history_destroy(history);
}

/* The `length` characters at text[at] replaced by others. */
static void check_put_in(const char *text, size_t at, size_t length, const char *others)
{
    size_t behind = strlen(text) - at - length, put = strlen(others);
    char *changed = malloc(strlen(text) + put + 1);
    assert_non_null(changed);
    memcpy(changed, text, at);
    memcpy(changed + at, others, put);
    memcpy(changed + at + put, text + at + length, behind);
    check_harmless(changed, at + put + behind);
    free(changed);
}

/* Digits that are others. */
static void check_changed_digits(const struct test_case *test)
{
    struct seen seen;
    size_t length;
    see(&seen, test);
    record(&seen, RD_TRACE_CELLS);
    char *text = slurp(&length);
    for (size_t k = 0; k < length; k++)
        if (text[k] >= '0' && text[k] <= '9')
            check_put_in(text, k, 1, text[k] == '9' ? "1" : "9");
    free(text);
    seen_finish(&seen);
}

/* Checkpoints where none can be: numbers that are 0, too large or absurd, words that say the
 * opposite. */
static void check_changed_places(const struct test_case *test)
{
    static const char *const numbers[] = {"0", "33", "4611686018427387904",
                                          "\"18446744073709551615\""};
    struct seen seen;
    size_t length;
    unsigned changes = 0;
    see(&seen, test);
    record(&seen, RD_TRACE_CELLS);
    char *text = slurp(&length);
    for (char *at = strstr(text, "\"checkpoint\":{"); at; at = strstr(at, "\"checkpoint\":{")) {
        for (char *end = strchr(at, '}'); at < end; at++)
            for (size_t n = 0; *at == ':' && n < sizeof numbers / sizeof *numbers; n++, changes++)
                if (strspn(at + 1, "0123456789") > 0)
                    check_put_in(text, (size_t)(at + 1 - text), strspn(at + 1, "0123456789"),
                                 numbers[n]);
        at = strstr(at, "\"whole\":true");
        assert_non_null(at);
        at += strlen("\"whole\":");
        check_put_in(text, (size_t)(at - text), strlen("true"), "false");
    }
    assert_true(changes > 0);
    free(text);
    seen_finish(&seen);
}

static void test_changed_digits_do_no_harm(void **state)
{
    (void)state;
    check_changed_digits(&(struct test_case){.program = "fold", .n = 8, .frame = true});
    check_changed_digits(&(struct test_case){.program = "tournament", .n = 5});
    check_changed_digits(&(struct test_case){.program = "dot-shared", .n = 8, .block = 4});
}

static void test_changed_places_do_no_harm(void **state)
{
    static const struct test_case cases[] = {
        {.program = "dot-shared", .n = 8, .block = 4},
        {.program = "ladder-interleaved-modulo", .n = 4, .block = 4},
        {.program = "puzzle-block-sum", .n = 4, .block = 4},
        {.program = "dot-cpu", .n = 3},
        {.program = "puzzle-dot", .n = 4, .block = 4},
        {.program = "puzzle-matmul", .n = 3, .block = 2},
        {.program = "ladder-tiles", .n = 4, .block = 4},
        {.program = "ladder-vectorised", .n = 4, .block = 4},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        check_changed_places(&cases[c]);
}

/* Its cells would be taken for those of the claim, as far apart, beyond the array. */
static void test_checkpoint_that_is_not_whole_is_refused(void **state)
{
    struct seen seen;
    size_t length;
    (void)state;
    see(&seen, &(struct test_case){.program = "ladder-interleaved-modulo", .n = 64, .block = 64});
    record(&seen, RD_TRACE_CELLS);
    char *text = slurp(&length);
    spit_replaced(text, "\"checkpoint\"", "\"whole\":true", "\"whole\":false");
    assert_history_refused("the state of a checkpoint is not whole");
    free(text);
    seen_finish(&seen);
}

/* A trace that says HOLDS of cells that don't: the cells are believed, also behind it. */
static void test_altered_cell_is_seen_and_the_rest_too(void **state)
{
    struct seen seen;
    size_t length;
    (void)state;
    see(&seen, &(struct test_case){.program = "fold", .n = 8, .frame = true});
    record(&seen, RD_TRACE_CELLS);
    char *text = slurp(&length);
    char *place = strstr(text, "[4,6,8,10,");
    assert_non_null(place);
    place[3] = '7';
    spit(text, length);
    free(text);
    struct rd_history *history = read_bounded(0);
    assert_int_equal(rd_history_frames(history), 4);
    assert_int_equal(rd_history_frame(history, 1)->verdict, RD_VIOLATED);
    assert_true(cell_of(history, 1, 1).wrong);
    assert_int_equal(cell_of(history, 1, 1).value, 7);
    assert_int_equal(cell_of(history, 1, 1).expected, 6);
    assert_false(cell_of(history, 1, 0).wrong);
    assert_int_equal(rd_history_about(history)->result.verdict, RD_VIOLATED);
    assert_contains(rd_history_about(history)->incomplete, "its cells say VIOLATED");
    rd_history_destroy(history);
    seen_finish(&seen);
}

/* The loop's variable follows from the place, but a record may say another one of a violation. */
static void test_violation_of_another_variable_is_another(void **state)
{
    struct seen seen;
    size_t length;
    (void)state;
    if (!test_device_is_sim())
        skip(); /* it races */
    see(&seen, &(struct test_case){.program = "puzzle-matmul:one-barrier", .n = 9, .block = 3});
    record(&seen, RD_TRACE_CELLS);
    char *text = slurp(&length);
    const char *violation = strstr(text, "\"violation\"");
    assert_non_null(violation);
    assert_non_null(strstr(violation, "\"variable\":3"));
    spit_replaced(text, "\"violation\"", "\"variable\":3", "\"variable\":6");
    free(text);
    struct rd_history *history = read_bounded(0);
    assert_non_null(rd_history_about(history)->incomplete);
    assert_contains(rd_history_about(history)->incomplete, "another violation");
    rd_history_destroy(history);
    seen_finish(&seen);
}

static void test_file_that_is_no_trace_is_refused(void **state)
{
    struct rd_history *history = NULL;
    struct rd_error error = {""};
    (void)state;
    spit("no trace\n", 9);
    assert_int_equal(rd_history_read(&history, trace_path, NULL, &error), RD_ERROR_INPUT);
    assert_int_equal(rd_history_read(&history, "/nonexistent/trace", NULL, &error), RD_ERROR_IO);
    assert_null(history);
}

/* ---- what the run, made again, differs in ---- */

static struct rd_rerun rerun_of(struct rd_history *history)
{
    struct rd_rerun rerun;
    struct rd_error error = {""};
    if (rd_history_rerun(history, &rerun, &error) != RD_OK)
        fail_msg("%s", error.text);
    return rerun;
}

static void test_trace_as_it_was_recorded_differs_in_nothing(void **state)
{
    static const struct test_case cases[] = {
        {.program = "fold", .n = 16},
        {.program = "fold", .n = 64, .type = RD_TYPE_F32, .values = "random:3", .frame = true},
        {.program = "fold", .n = 8, .type = RD_TYPE_F32, .values = "list:nan,inf,1,2,-0,0,3,-inf"},
        {.program = "fold:inclusive-bound", .n = 16, .frame = true},
        {.program = "unfold", .n = 16},
        {.program = "dot-shared", .n = 100, .block = 32},
        {.program = "multi-block-two-launch", .n = 96, .block = 16},
        {.program = "ladder-warp-shuffle", .n = 256, .block = 128},
        {.program = "ladder-shuffles-twice", .n = 100, .block = 64},
    };
    static const size_t cuts[] = {RD_TRACE_CELLS, 4};
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct seen seen;
        if (rd_program_is_fault(rd_program_named(cases[c].program)) && !test_device_is_sim())
            continue;
        bool listed = cases[c].values && strstr(cases[c].values, "list:");
        for (size_t k = 0; k < (listed ? 1 : 2); k++) { /* a cut list is not known */
            see(&seen, &cases[c]);
            record(&seen, cuts[k]);
            struct rd_history *history = read_bounded(1);
            struct rd_rerun rerun = rerun_of(history);
            if (rerun.differs)
                fail_msg("%s: step %u, frame %zu, cell %zu", cases[c].program, rerun.step,
                         rerun.frame, rerun.cell);
            rd_history_destroy(history);
            seen_finish(&seen);
        }
    }
}

/* Not all blocks' checkpoints were recorded: those that were are the same. */
static void test_trace_of_some_blocks_differs_in_nothing(void **state)
{
    struct seen seen;
    (void)state;
    seen_init(&seen, &(struct test_case){.program = "dot-shared", .n = 160, .block = 32});
    seen.run.blocks = (struct rd_blocks){.count = 2, .block = {1, 3}};
    record(&seen, RD_TRACE_CELLS);
    struct rd_history *history = read_bounded(0);
    assert_false(rerun_of(history).differs);
    rd_history_destroy(history);
    seen_finish(&seen);
}

static void assert_differs(const struct test_case *test, const char *from, const char *to,
                           const struct rd_rerun *wanted)
{
    struct seen seen;
    size_t length;
    see(&seen, test);
    record(&seen, RD_TRACE_CELLS);
    char *text = slurp(&length);
    spit_replaced(text, from, from, to);
    free(text);
    struct rd_history *history = read_bounded(0);
    struct rd_rerun is = rerun_of(history);
    assert_true(is.differs);
    assert_int_equal(is.has_cell, wanted->has_cell);
    assert_int_equal(is.step, wanted->step);
    assert_int_equal(is.frame, wanted->frame);
    assert_int_equal(is.cell, wanted->cell);
    assert_int_equal(is.was, wanted->was);
    assert_int_equal(is.is, wanted->is);
    rd_history_destroy(history);
    seen_finish(&seen);
}

static void test_trace_that_was_edited_differs_where_it_was(void **state)
{
    (void)state;
    assert_differs(&(struct test_case){.program = "fold", .n = 8, .frame = true}, "[12,16,8,",
                   "[12,17,8,",
                   &(struct rd_rerun){
                       .has_cell = true, .step = 2, .frame = 2, .cell = 1, .was = 17, .is = 16});
    assert_differs(&(struct test_case){.program = "fold", .n = 8}, "[12,16]", "[12,17]",
                   &(struct rd_rerun){
                       .has_cell = true, .step = 2, .frame = 2, .cell = 1, .was = 17, .is = 16});
    assert_differs(&(struct test_case){.program = "tournament", .n = 8}, "\"cells\":[6,22]",
                   "\"cells\":[6,23]",
                   &(struct rd_rerun){
                       .has_cell = true, .step = 2, .frame = 2, .cell = 4, .was = 23, .is = 22});
    /* A checkpoint, between two steps that are as they were: a * b = 0 * 1, 1 * 2, ... */
    assert_differs(&(struct test_case){.program = "dot-shared", .n = 4, .block = 4}, "[0,2,6,12]",
                   "[0,2,6,13]",
                   &(struct rd_rerun){
                       .has_cell = true, .step = 1, .frame = 1, .cell = 3, .was = 13, .is = 12});
}

static void test_run_in_the_simulator_differs_from_nothing(void **state)
{
    struct seen seen;
    struct rd_history *history = NULL;
    struct rd_error error = {""};
    const struct rd_break broken = {.kind = RD_BREAK_CELL, .step = 1, .cell = 1, .value = 99};
    (void)state;
    seen_init(&seen, &(struct test_case){.program = "fold", .n = 8});
    seen.run.breaks = &broken;
    seen.run.n_breaks = 1;
    assert_int_equal(rd_history_run(&history, &seen.run, NULL, &error), RD_OK);
    assert_false(rerun_of(history).differs);
    rd_history_destroy(history);
    seen_finish(&seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_changed_digits_do_no_harm),
        cmocka_unit_test(test_changed_places_do_no_harm),
        cmocka_unit_test(test_checkpoint_that_is_not_whole_is_refused),
        cmocka_unit_test(test_altered_cell_is_seen_and_the_rest_too),
        cmocka_unit_test(test_violation_of_another_variable_is_another),
        cmocka_unit_test(test_file_that_is_no_trace_is_refused),
        cmocka_unit_test(test_trace_as_it_was_recorded_differs_in_nothing),
        cmocka_unit_test(test_trace_of_some_blocks_differs_in_nothing),
        cmocka_unit_test(test_trace_that_was_edited_differs_where_it_was),
        cmocka_unit_test(test_run_in_the_simulator_differs_from_nothing),
    };
    return cmocka_run_group_tests(tests, history_set_up, history_tear_down) != 0;
}
