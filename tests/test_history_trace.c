// SPDX-License-Identifier: MIT
/* The history of traces: what was recorded, asserted again; and of what is no good trace, nothing
 * that could not be. */
#include "fake_device.h"
#include "history_harness.h"
#include "trace/trace.h"
#include "witness.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/reductio-history-XXXXXX";
static char path[sizeof folder + 16];

static int set_up(void **state)
{
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/trace", folder);
    return test_set_up(state);
}

static int tear_down(void **state)
{
    unlink(path);
    rmdir(folder);
    return test_tear_down(state);
}

/* ---- traces ---- */

/* Writes the run's trace, states of more than `cells` cut. */
static void record(const struct seen *seen, size_t cells)
{
    struct rd_trace_writer *writer;
    struct rd_result result;
    struct rd_error error = {""};
    assert_int_equal(rd_trace_writer_open(&writer, path, cells, &error), RD_OK);
    const struct rd_observer *const observers[] = {rd_trace_writer_observer(writer), NULL};
    enum rd_status status = seen->run.passes
                                ? rd_witness_run(&seen->run, observers, &result, &error)
                                : rd_run(&seen->run, observers, &result, &error);
    if (status != RD_OK && status != RD_ERROR_INTERRUPTED)
        fail_msg("%s", error.text);
    assert_int_equal(rd_trace_writer_close(writer, &error), RD_OK);
}

static char *slurp(size_t *length)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;
    assert_non_null(file);
    ssize_t got = getdelim(&text, &size, '\0', file);
    assert_true(got > 0);
    fclose(file);
    *length = (size_t)got;
    return text;
}

static void spit(const char *text, size_t length)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

/* Writes the text with the first `from` behind the last `after` replaced. */
static void spit_replaced(const char *text, const char *after, const char *from, const char *to)
{
    const char *at = NULL;
    for (const char *next = strstr(text, after); next; next = strstr(next + 1, after))
        at = next;
    assert_non_null(at);
    at = strstr(at, from);
    assert_non_null(at);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fprintf(file, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from)) > 0);
    assert_int_equal(fclose(file), 0);
}

static void assert_history_refused(const char *words)
{
    struct rd_history *history = NULL;
    struct rd_error error = {""};
    assert_int_equal(rd_history_read(&history, path, NULL, &error), RD_ERROR_INPUT);
    assert_null(history);
    assert_contains(error.text, words);
}

static struct rd_history *read_bounded(size_t bytes_max)
{
    const struct rd_history_options options = {bytes_max};
    struct rd_history *history = NULL;
    struct rd_error error = {""};
    if (rd_history_read(&history, path, &options, &error) != RD_OK)
        fail_msg("%s", error.text);
    return history;
}

static struct rd_history_cell cell_of(struct rd_history *history, size_t frame, size_t index)
{
    struct rd_history_cell cell;
    struct rd_error error = {""};
    if (rd_history_cell(history, frame, index, &cell, &error) != RD_OK)
        fail_msg("%s", error.text);
    return cell;
}

/* As a trace is recorded: the run ends with what is wrong. */
static void see(struct seen *seen, const struct test_case *test)
{
    seen_init(seen, test);
    seen->run.go_on = test->go_on;
    seen_make(seen);
}

/* ---- whole traces ---- */

static void check(const struct test_case *test)
{
    static const size_t bounds[] = {0, 1, 400};
    struct seen seen;
    if (rd_program_is_lesson(rd_program_named(test->program)) && !test_device_is_sim())
        return; /* it races, and two runs may differ */
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
        for (int k = 0; k < RD_OBLIGATION_COUNT && !seen.result.hazards; k++)
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

/* What came through a pipe is gone: all of it is kept, whatever room it takes. */
static void test_trace_of_a_named_pipe_is_read_once(void **state)
{
    struct seen seen;
    size_t length;
    (void)state;
    see(&seen, &(struct test_case){.program = "fold", .n = 16, .frame = true});
    record(&seen, RD_TRACE_CELLS);
    char *text = slurp(&length);
    unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    pid_t writer = fork();
    assert_true(writer >= 0);
    if (writer == 0) {
        FILE *file = fopen(path, "w");
        _exit(!file || fwrite(text, 1, length, file) != length || fclose(file) != 0);
    }
    struct rd_history *history = read_bounded(1);
    int status;
    assert_int_equal(waitpid(writer, &status, 0), writer);
    assert_int_equal(status, 0);
    unlink(path); /* to open it again would fail, rather than wait for a writer */
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
        enum rd_status status = rd_history_read(&history, path, NULL, &error);
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
            count += frame->inside
                         ? rd_program_point(about->program, frame->place.point)
                               ->contains(&about->shape, &frame->place, i, j)
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
        seen.run.passes = 1;
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
    seen.run.passes = 1;
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
    seen.run.passes = 1;
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
    enum rd_status status = rd_history_read(&history, path, NULL, &error);
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

static void test_file_that_is_no_trace_is_refused(void **state)
{
    struct rd_history *history = NULL;
    struct rd_error error = {""};
    (void)state;
    spit("no trace\n", 9);
    assert_int_equal(rd_history_read(&history, path, NULL, &error), RD_ERROR_INPUT);
    assert_int_equal(rd_history_read(&history, "/nonexistent/trace", NULL, &error), RD_ERROR_IO);
    assert_null(history);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_history_of_a_trace_is_that_of_its_run),
        cmocka_unit_test(test_hazard_of_a_trace_is_told),
        cmocka_unit_test(test_hazard_behind_the_last_step_is_that_steps),
        cmocka_unit_test(test_trace_of_a_named_pipe_is_read_once),
        cmocka_unit_test(test_trace_that_has_changed_is_told),
        cmocka_unit_test(test_cut_state_is_known_at_its_ends),
        cmocka_unit_test(test_violated_cell_is_known_where_it_was_cut_out),
        cmocka_unit_test(test_cut_input_leaves_values_and_no_expectation),
        cmocka_unit_test(test_trace_that_breaks_off_shows_what_there_is),
        cmocka_unit_test(test_interrupted_trace_says_so),
        cmocka_unit_test(test_passes_of_a_witness_trace_are_sets),
        cmocka_unit_test(test_checkpoint_of_another_pass_is_refused),
        cmocka_unit_test(test_set_of_a_wrong_cell_differs),
        cmocka_unit_test(test_changed_digits_do_no_harm),
        cmocka_unit_test(test_changed_places_do_no_harm),
        cmocka_unit_test(test_checkpoint_that_is_not_whole_is_refused),
        cmocka_unit_test(test_altered_cell_is_seen_and_the_rest_too),
        cmocka_unit_test(test_file_that_is_no_trace_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down) != 0;
}
