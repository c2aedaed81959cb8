// SPDX-License-Identifier: MIT
/* The inputs in cells that are wrong in many ways: all of them are told, or that they can't be. */
#include "history_harness.h"

#include <stdlib.h>
#include <string.h>

/* ---- fold:wrong-half, worked out by hand ---- */

/* Counts each input in each cell; threads run in their order. */
static unsigned *wrong_half(size_t n, unsigned rounds)
{
    unsigned *counts = calloc(n * n, sizeof *counts);
    assert_non_null(counts);
    for (size_t i = 0; i < n; i++)
        counts[i * n + i] = 1;
    for (size_t half = n / 2; rounds > 0; half /= 2, rounds--)
        for (size_t i = 0; i < half; i++)
            for (size_t j = 0; j < n; j++)
                counts[i * n + j] += counts[(i + half - 1) * n + j];
    return counts;
}

static void assert_cell_has(struct rd_history *history, size_t frame, size_t index,
                            const unsigned *counts, size_t n)
{
    struct rd_input_set is, should, wanted = {0};
    struct rd_error error = {""};
    if (rd_history_set(history, frame, index, &is, &should, &error) != RD_OK)
        fail_msg("frame %zu, A[%zu]: %s", frame, index, error.text);
    for (size_t j = 0; j < n; j++)
        if (counts[j] > 0)
            rd_input_set_add(&wanted, j, counts[j]);
    assert_memory_equal(&is, &wanted, sizeof is);
}

static void test_sets_of_cells_that_differ_by_many_inputs_are_told(void **state)
{
    enum { N = 512, ROUNDS = 9 };
    struct seen seen;
    (void)state;
    if (!test_device_is_sim())
        skip(); /* it races */
    struct rd_history *history = history_make(
        &seen, &(struct test_case){.program = "fold:wrong-half", .n = N, .frame = true});
    assert_int_equal(rd_history_frames(history), ROUNDS + 1);
    for (unsigned f = 0; f <= ROUNDS; f += 3) {
        unsigned *counts = wrong_half(N, f);
        for (size_t i = 0; i < N; i += 37)
            assert_cell_has(history, f, i, counts + i * N, N);
        assert_cell_has(history, f, 0, counts, N);
        free(counts);
    }
    history_finish(&seen, history);
}

/* A reading has the neighbours of a cell, not all cells. */
static void test_sets_of_cells_far_apart_are_told(void **state)
{
    static const size_t cells[] = {2040, 3, 1023, 1024, 2040};
    struct rd_input_set is, should;
    struct seen seen;
    struct rd_error error = {""};
    (void)state;
    if (!test_device_is_sim())
        skip();
    for (int frame = 0; frame < 2; frame++) {
        struct rd_history *history = history_make(
            &seen, &(struct test_case){.program = "fold:wrong-half", .n = 4096, .frame = frame});
        for (size_t k = 0; k < sizeof cells / sizeof *cells; k++) {
            if (rd_history_set(history, 1, cells[k], &is, &should, &error) != RD_OK)
                fail_msg("%s", error.text);
            assert_int_equal(is.count, 2);
            assert_int_equal(is.index[0], cells[k]);
            assert_int_equal(is.index[1], cells[k] + 2047);
        }
        history_finish(&seen, history);
    }
}

/* ---- an input that is in a cell very often ---- */

static void test_set_of_an_input_counted_very_often_is_told(void **state)
{
    struct rd_program program = *rd_program_named("fold:wrong-half");
    struct rd_input_set is, should;
    struct rd_history *history = NULL;
    struct seen seen;
    struct rd_error error = {""};
    (void)state;
    /* Thread 0 adds A[0] to itself, in each round. */
    program.launch = "when w > 0: fold_wrong_half(A, 1) by w threads, half = w";
    seen_init(&seen, &(struct test_case){.program = "fold:wrong-half", .n = 64});
    seen.run.program = &program;
    if (rd_history_run(&history, &seen.run, NULL, &error) != RD_OK)
        fail_msg("%s", error.text);
    for (unsigned f = 1; f <= 6; f++) {
        if (rd_history_set(history, f, 0, &is, &should, &error) != RD_OK)
            fail_msg("%s", error.text);
        assert_int_equal(is.count, 1);
        assert_int_equal(is.index[0], 0);
        assert_int_equal(is.times[0], 1 << f);
        assert_int_equal(should.count, 1 << f);
    }
    history_finish(&seen, history);
}

/* ---- too many inputs ---- */

static void test_set_that_takes_too_long_is_refused_or_searched_for(void **state)
{
    struct rd_input_set is, should;
    struct seen seen;
    struct rd_error error = {""};
    char text[64];
    (void)state;
    if (!test_device_is_sim())
        skip();
    struct rd_history *history = history_make(
        &seen, &(struct test_case){.program = "fold:wrong-half", .n = 32768, .block = 256});
    size_t last = rd_history_frames(history) - 1;
    assert_int_equal(rd_history_set(history, last, 0, &is, &should, &error), RD_ERROR_USAGE);
    assert_contains(error.text, "differs by too many inputs");
    if (rd_history_set(history, 1, 3, &is, &should, &error) != RD_OK)
        fail_msg("%s", error.text);
    assert_string_equal(rd_input_set_text(&is, text, sizeof text), "{3,16386}");
    history_finish(&seen, history);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sets_of_cells_that_differ_by_many_inputs_are_told),
        cmocka_unit_test(test_sets_of_cells_far_apart_are_told),
        cmocka_unit_test(test_set_of_an_input_counted_very_often_is_told),
        cmocka_unit_test(test_set_that_takes_too_long_is_refused_or_searched_for),
    };
    return cmocka_run_group_tests(tests, test_set_up, test_tear_down) != 0;
}
