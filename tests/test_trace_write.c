// SPDX-License-Identifier: MIT
/* Writing: a file grows as a part, gets its name at the end, and says what went wrong. */
#include "trace_harness.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *watched;

/* While the run goes on, its trace is a part, and what the part has so far can be read. */
static enum rd_status look_at_part(void *self, const struct rd_run *run, const struct rd_step *step,
                                   struct rd_error *error)
{
    char part[300];
    struct rd_replay replay;
    (void)self, (void)run;
    snprintf(part, sizeof part, "%s.part", watched);
    assert_true(exists(part));
    assert_int_equal(rd_trace_replay(part, &replay, error), RD_OK);
    assert_int_equal(replay.steps, step->number + 1);
    assert_int_equal(replay.verdict, RD_INCONCLUSIVE);
    return RD_OK;
}

static void test_write_grows_as_part_and_replaces_at_close(void **state)
{
    const struct rd_observer look = {.step = look_at_part};
    struct rd_result result;
    struct rd_error error;
    char part[300];
    (void)state;
    watched = in_folder("watched");
    snprintf(part, sizeof part, "%s.part", watched);
    spit(watched, "what was there before\n");
    struct rd_trace_writer *writer, *other;
    assert_int_equal(rd_trace_writer_open(&writer, watched, 8, &error), RD_OK);
    char *before = slurp(watched);
    assert_string_equal(before, "what was there before\n");
    free(before);
    assert_int_equal(rd_trace_writer_open(&other, watched, 8, &error), RD_ERROR_IO);
    assert_non_null(strstr(error.text, "is being written by another run"));
    assert_int_equal(rd_trace_writer_close(writer, &error), RD_OK);
    before = slurp(watched); /* no run began: nothing changed */
    assert_string_equal(before, "what was there before\n");
    free(before);
    assert_false(exists(part));
    assert_int_equal(record_trace(&(struct recipe){.program = "fold", .n = 8, .then = &look},
                                  watched, &result, &error),
                     RD_OK);
    assert_false(exists(part));
    struct rd_replay replay;
    assert_int_equal(rd_trace_replay(watched, &replay, &error), RD_OK);
    assert_int_equal(replay.verdict, RD_HOLDS);
}

static void test_write_full_disk_is_reported(void **state)
{
    struct rd_result result;
    struct rd_error error = {""};
    (void)state;
    assert_int_equal(
        record_trace(&(struct recipe){.program = "fold", .n = 8}, "/dev/full", &result, &error),
        RD_ERROR_IO);
    assert_non_null(strstr(error.text, "/dev/full"));
    assert_non_null(strstr(error.text, "No space left"));
}

/* A regular file on a full disk: by a limit on its size. */
static void test_write_failed_write_leaves_the_part(void **state)
{
    struct rlimit before, limit;
    struct rd_result result;
    struct rd_error error = {""};
    char part[300];
    (void)state;
    const char *path = in_folder("small");
    snprintf(part, sizeof part, "%s.part", path);
    spit(path, "what was there before\n");
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = (struct rlimit){.rlim_cur = 500, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    enum rd_status status =
        record_trace(&(struct recipe){.program = "fold", .n = 8}, path, &result, &error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(status, RD_ERROR_IO);
    assert_non_null(strstr(error.text, "small.part' can't be written: File too large"));
    assert_true(exists(part));
    char *text = slurp(path);
    assert_string_equal(text, "what was there before\n");
    free(text);
}

static void test_write_left_over_part_is_replaced(void **state)
{
    struct rd_result result;
    struct rd_replay replay;
    struct rd_error error;
    char long_text[5000];
    (void)state;
    memset(long_text, '\n', sizeof long_text);
    spit_bytes(in_folder("killed.part"), long_text, sizeof long_text);
    const char *path = in_folder("killed");
    assert_int_equal(
        record_trace(&(struct recipe){.program = "fold", .n = 2}, path, &result, &error), RD_OK);
    assert_int_equal(rd_trace_replay(path, &replay, &error), RD_OK);
    assert_int_equal(replay.verdict, RD_HOLDS);
}

static void test_write_impossible_paths_are_refused(void **state)
{
    struct rd_trace_writer *writer;
    struct rd_error error;
    (void)state;
    assert_int_equal(rd_trace_writer_open(&writer, "/no/such/folder/x", 8, &error), RD_ERROR_IO);
    assert_non_null(strstr(error.text, "No such file"));
    assert_int_equal(rd_trace_writer_open(&writer, trace_folder, 8, &error), RD_ERROR_IO);
    assert_non_null(strstr(error.text, "Is a directory"));
    assert_int_equal(rd_trace_writer_open(&writer, "", 8, &error), RD_ERROR_IO);
    assert_int_equal(rd_trace_writer_close(NULL, &error), RD_OK);
}

static void test_write_pipe_gets_the_trace_directly(void **state)
{
    struct recipe recipe = {.program = "tournament", .n = 5};
    struct rd_result result;
    struct rd_error error;
    int ends[2];
    char path[64], buffer[65536];
    (void)state;
    assert_int_equal(pipe(ends), 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
    assert_int_equal(record_trace(&recipe, path, &result, &error), RD_OK);
    ssize_t length = read(ends[0], buffer, sizeof buffer - 1);
    assert_true(length > 0);
    buffer[length] = '\0';
    char *text = recorded_text(&recipe);
    assert_string_equal(buffer, text);
    free(text);
    close(ends[0]);
    close(ends[1]);
}

static void test_write_link_is_followed(void **state)
{
    struct rd_result result;
    struct rd_error error;
    struct stat there;
    (void)state;
    const char *target = in_folder("target"), *link = in_folder("link");
    spit(target, "");
    assert_int_equal(symlink(target, link), 0);
    assert_int_equal(
        record_trace(&(struct recipe){.program = "fold", .n = 2}, link, &result, &error), RD_OK);
    assert_int_equal(lstat(link, &there), 0);
    assert_true(S_ISLNK(there.st_mode));
    assert_int_equal(stat(target, &there), 0);
    assert_true(there.st_size > 0);
}

static volatile sig_atomic_t stop;

static enum rd_status stop_at_1(void *self, const struct rd_run *run, const struct rd_step *step,
                                struct rd_error *error)
{
    (void)self, (void)run, (void)error;
    stop = step->number == 1;
    return RD_OK;
}

/* Asserts the obligations of runs that were stopped before their goal. */
static void assert_obligations(const enum rd_verdict obligations[RD_OBLIGATION_COUNT],
                               enum rd_verdict initialization, enum rd_verdict preservation)
{
    assert_int_equal(obligations[RD_INITIALIZATION], initialization);
    assert_int_equal(obligations[RD_PRESERVATION], preservation);
    assert_int_equal(obligations[RD_EXIT], RD_INCONCLUSIVE);
}

/* Records a fold that is interrupted behind step 1; returns the trace's path. */
static const char *record_interrupted(struct rd_result *result)
{
    const struct rd_observer stopper = {.step = stop_at_1};
    const char *path = in_folder("interrupted");
    struct rd_error error;
    assert_int_equal(
        record_trace(
            &(struct recipe){.program = "fold", .n = 8, .interrupted = &stop, .then = &stopper},
            path, result, &error),
        RD_ERROR_INTERRUPTED);
    return path;
}

static void test_write_interrupted_run_says_so(void **state)
{
    struct rd_result result;
    struct rd_replay replay;
    struct rd_error error;
    (void)state;
    const char *path = record_interrupted(&result);
    assert_int_equal(rd_trace_replay(path, &replay, &error), RD_OK);
    assert_true(replay.complete);
    assert_true(replay.interrupted);
    assert_int_equal(replay.verdict, RD_INCONCLUSIVE);
    assert_int_equal(replay.recorded, RD_INCONCLUSIVE);
    assert_string_equal(replay.reason, "the run was interrupted; the trace ends after step 1 of 3");
    assert_obligations(result.obligations, RD_HOLDS, RD_INCONCLUSIVE);
    assert_obligations(replay.obligations, RD_HOLDS, RD_INCONCLUSIVE);
}

/* Before 1.4, what held so far held. */
static void test_replay_leaves_open_what_an_older_record_says_of_an_interruption(void **state)
{
    struct rd_result result;
    struct rd_replay replay;
    struct rd_error error;
    (void)state;
    const char *path = record_interrupted(&result);
    char *text = slurp(path);
    char *holds = replaced(text, "\"record\":\"interrupted\"", "\"preservation\":\"INCONCLUSIVE\"",
                           "\"preservation\":\"HOLDS\"");
    char *older = replaced(holds, "", "\"minor\":9", "\"minor\":3");
    spit(path, older);
    assert_int_equal(rd_trace_replay(path, &replay, &error), RD_OK);
    assert_int_equal(replay.verdict, RD_INCONCLUSIVE);
    assert_obligations(replay.obligations, RD_HOLDS, RD_INCONCLUSIVE);
    spit(path, holds);
    assert_int_equal(rd_trace_replay(path, &replay, &error), RD_OK);
    assert_int_equal(replay.verdict, RD_VIOLATED);
    free(older);
    free(holds);
    free(text);
}

/* The second pass is stopped: its first step holds, and others have not been made. */
static enum rd_status stop_in_pass_2(void *self, const struct rd_run *run,
                                     const struct rd_step *step, struct rd_error *error)
{
    (void)self, (void)error;
    stop = run->pass == 2 && step->number == 0;
    return RD_OK;
}

static void test_write_interrupted_passes_leave_all_open(void **state)
{
    const struct rd_observer stopper = {.step = stop_in_pass_2};
    struct rd_trace_writer *writer;
    struct rd_result result;
    struct rd_replay replay;
    struct rd_error error;
    (void)state;
    const char *path = in_folder("passes");
    const struct rd_run run = {.program = rd_program_named("fold"),
                               .numeric = rd_numeric(RD_TYPE_U64),
                               .n = 64,
                               .values = "witness",
                               .interrupted = &stop,
                               .device = trace_device};
    stop = 0;
    assert_int_equal(rd_trace_writer_open(&writer, path, 16, NULL), RD_OK);
    const struct rd_observer *const observers[] = {rd_trace_writer_observer(writer), &stopper,
                                                   NULL};
    assert_int_equal(rd_witness_run(&run, observers, &result, &error), RD_ERROR_INTERRUPTED);
    assert_int_equal(rd_trace_writer_close(writer, NULL), RD_OK);
    assert_obligations(result.obligations, RD_INCONCLUSIVE, RD_INCONCLUSIVE);
    assert_int_equal(rd_trace_replay(path, &replay, &error), RD_OK);
    assert_int_equal(replay.verdict, RD_INCONCLUSIVE);
    assert_string_equal(replay.reason, "the run was interrupted; the trace ends after step 0 of 6");
    assert_obligations(replay.obligations, RD_INCONCLUSIVE, RD_INCONCLUSIVE);
}

static void test_write_wants_the_values_to_be_told(void **state)
{
    static const int32_t a[2] = {1, 2};
    struct rd_trace_writer *writer;
    struct rd_result result;
    struct rd_error error;
    (void)state;
    const char *path = in_folder("untold");
    const struct rd_run run = {.program = rd_program_named("fold"),
                               .numeric = rd_numeric(RD_TYPE_I32),
                               .n = 2,
                               .a = a,
                               .device = trace_device};
    assert_int_equal(rd_trace_writer_open(&writer, path, 16, NULL), RD_OK);
    const struct rd_observer *const observers[] = {rd_trace_writer_observer(writer), NULL};
    assert_int_equal(rd_run(&run, observers, &result, &error), RD_ERROR_USAGE);
    assert_string_equal(error.text,
                        "'values' of the run is NULL, and its trace tells them: set it");
    assert_int_equal(rd_trace_writer_close(writer, NULL), RD_OK);
    assert_false(exists(path));
}

/* If not all differences are known, the set in the cell is unknown, and the writer makes none up;
 * and the verdict is the result's, whatever it is. */
static void test_write_partial_evidence_has_no_actual(void **state)
{
    static const uint64_t a[2] = {1, 2};
    struct rd_result result = {.verdict = RD_VIOLATED, .explained = true};
    struct rd_trace_writer *writer;
    (void)state;
    const char *path = in_folder("partial");
    const struct rd_run run = {.program = rd_program_named("fold"),
                               .numeric = rd_numeric(RD_TYPE_U64),
                               .n = 2,
                               .a = a,
                               .values = "list:1,2",
                               .device = trace_device};
    rd_input_set_add(&result.evidence.lost, 1, 1);
    for (int partial = 0; partial < 2; partial++) {
        result.evidence.partial = partial;
        result.interrupted = partial;
        assert_int_equal(rd_trace_writer_open(&writer, path, 16, NULL), RD_OK);
        const struct rd_observer *observer = rd_trace_writer_observer(writer);
        assert_int_equal(observer->begin(observer->self, &run, NULL), RD_OK);
        assert_int_equal(observer->end(observer->self, &run, &result, NULL), RD_OK);
        uint64_t written = rd_trace_writer_bytes(writer);
        assert_int_equal(rd_trace_writer_close(writer, NULL), RD_OK);
        char *text = slurp(path);
        assert_int_equal(written, strlen(text));
        assert_non_null(strstr(text, "\"lost\":{\"count\":1,"));
        assert_int_equal(strstr(text, "\"actual\"") != NULL, !partial);
        free(text);
    }
    /* The writer puts no verdict of its own in the result's place. */
    result.verdict = RD_HOLDS;
    assert_int_equal(rd_trace_writer_open(&writer, path, 16, NULL), RD_OK);
    const struct rd_observer *observer = rd_trace_writer_observer(writer);
    assert_int_equal(observer->begin(observer->self, &run, NULL), RD_OK);
    assert_int_equal(observer->end(observer->self, &run, &result, NULL), RD_OK);
    assert_int_equal(rd_trace_writer_close(writer, NULL), RD_OK);
    char *text = slurp(path);
    assert_non_null(strstr(text, "\"interrupted\",\"verdict\":\"HOLDS\""));
    free(text);
}

static enum rd_status fail_at_1(void *self, const struct rd_run *run, const struct rd_step *step,
                                struct rd_error *error)
{
    (void)self, (void)run;
    return step->number == 1 ? rd_fail(error, RD_ERROR_DEVICE, "lost") : RD_OK;
}

static void test_write_failed_run_has_no_last_record(void **state)
{
    const struct rd_observer failing = {.step = fail_at_1};
    struct rd_result result;
    struct rd_error error;
    (void)state;
    const char *path = in_folder("failed");
    assert_int_equal(record_trace(&(struct recipe){.program = "fold", .n = 8, .then = &failing},
                                  path, &result, &error),
                     RD_ERROR_DEVICE);
    assert_string_equal(error.text, "lost");
    char *text = slurp(path);
    assert_null(strstr(text, "\"record\":\"verdict\""));
    assert_replay_inconclusive(text, "no last record; the trace ends after step 1 of 3");
    free(text);
}

static void test_last_path_follows_the_environment(void **state)
{
    struct rd_error error;
    char path[512], expected[512];
    struct stat there;
    (void)state;
    setenv("HOME", trace_folder, 1);
    setenv("XDG_STATE_HOME", "relative", 1);
    snprintf(expected, sizeof expected, "%s/.local/state/reductio/last.ndjson", trace_folder);
    assert_int_equal(rd_trace_last_path(path, sizeof path, false, &error), RD_OK);
    assert_string_equal(path, expected);
    setenv("XDG_STATE_HOME", in_folder("state"), 1);
    snprintf(expected, sizeof expected, "%s/state/reductio/last.ndjson", trace_folder);
    assert_int_equal(rd_trace_last_path(path, sizeof path, true, &error), RD_OK);
    assert_string_equal(path, expected);
    *strrchr(expected, '/') = '\0';
    assert_int_equal(stat(expected, &there), 0);
    assert_int_equal(rd_trace_last_path(path, 5, false, &error), RD_ERROR_IO);
    spit(in_folder("file"), "");
    setenv("XDG_STATE_HOME", in_folder("file"), 1);
    assert_int_equal(rd_trace_last_path(path, sizeof path, true, &error), RD_ERROR_IO);
    unsetenv("XDG_STATE_HOME");
    unsetenv("HOME");
    assert_int_equal(rd_trace_last_path(path, sizeof path, false, &error), RD_ERROR_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_write_grows_as_part_and_replaces_at_close),
        cmocka_unit_test(test_write_full_disk_is_reported),
        cmocka_unit_test(test_write_failed_write_leaves_the_part),
        cmocka_unit_test(test_write_left_over_part_is_replaced),
        cmocka_unit_test(test_write_impossible_paths_are_refused),
        cmocka_unit_test(test_write_pipe_gets_the_trace_directly),
        cmocka_unit_test(test_write_link_is_followed),
        cmocka_unit_test(test_write_interrupted_run_says_so),
        cmocka_unit_test(test_replay_leaves_open_what_an_older_record_says_of_an_interruption),
        cmocka_unit_test(test_write_wants_the_values_to_be_told),
        cmocka_unit_test(test_write_interrupted_passes_leave_all_open),
        cmocka_unit_test(test_write_partial_evidence_has_no_actual),
        cmocka_unit_test(test_write_failed_run_has_no_last_record),
        cmocka_unit_test(test_last_path_follows_the_environment),
    };
    return cmocka_run_group_tests_name("trace_write", tests, trace_set_up, trace_tear_down) != 0;
}
