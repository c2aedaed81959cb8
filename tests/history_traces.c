// SPDX-License-Identifier: MIT
#include "history_traces.h"
#include "reductio/trace.h"
#include "reductio/witness.h"
#include "temporary.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char folder[TEMPORARY_SIZE];
char trace_path[TRACE_PATH_SIZE];

int history_set_up(void **state)
{
    assert_non_null(mkdtemp(temporary_name(folder, "reductio-history")));
    snprintf(trace_path, sizeof trace_path, "%s/trace", folder);
    return test_set_up(state);
}

int history_tear_down(void **state)
{
    unlink(trace_path);
    rmdir(folder);
    return test_tear_down(state);
}

/* Writes the run's trace, states of more than `cells` cut. */
void record(const struct seen *seen, size_t cells)
{
    struct rd_trace_writer *writer;
    struct rd_result result;
    struct rd_error error = {""};
    assert_int_equal(rd_trace_writer_open(&writer, trace_path, cells, &error), RD_OK);
    const struct rd_observer *const observers[] = {rd_trace_writer_observer(writer), NULL};
    enum rd_status status = seen->run.passes
                                ? rd_witness_run(&seen->run, observers, &result, &error)
                                : rd_run(&seen->run, observers, &result, &error);
    if (status != RD_OK && status != RD_ERROR_INTERRUPTED)
        fail_msg("%s", error.text);
    assert_int_equal(rd_trace_writer_close(writer, &error), RD_OK);
}

char *slurp(size_t *length)
{
    FILE *file = fopen(trace_path, "r");
    char *text = NULL;
    size_t size = 0;
    assert_non_null(file);
    ssize_t got = getdelim(&text, &size, '\0', file);
    assert_true(got > 0);
    fclose(file);
    *length = (size_t)got;
    return text;
}

void spit(const char *text, size_t length)
{
    FILE *file = fopen(trace_path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

/* Writes the text with the first `from` behind the last `after` replaced. */
void spit_replaced(const char *text, const char *after, const char *from, const char *to)
{
    const char *at = NULL;
    for (const char *next = strstr(text, after); next; next = strstr(next + 1, after))
        at = next;
    assert_non_null(at);
    at = strstr(at, from);
    assert_non_null(at);
    FILE *file = fopen(trace_path, "w");
    assert_non_null(file);
    assert_true(fprintf(file, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from)) > 0);
    assert_int_equal(fclose(file), 0);
}

void assert_history_refused(const char *words)
{
    struct rd_history *history = NULL;
    struct rd_error error = {""};
    assert_int_equal(rd_history_read(&history, trace_path, NULL, &error), RD_ERROR_INPUT);
    assert_null(history);
    assert_contains(error.text, words);
}

struct rd_history *read_bounded(size_t bytes_max)
{
    const struct rd_history_options options = {.bytes_max = bytes_max};
    struct rd_history *history = NULL;
    struct rd_error error = {""};
    if (rd_history_read(&history, trace_path, &options, &error) != RD_OK)
        fail_msg("%s", error.text);
    return history;
}

/* As a trace is recorded: the run ends with what is wrong. */
void see(struct seen *seen, const struct test_case *test)
{
    seen_init(seen, test);
    seen->run.go_on = test->go_on;
    seen_make(seen);
}
