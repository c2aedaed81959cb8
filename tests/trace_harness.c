// SPDX-License-Identifier: MIT
#include "trace_harness.h"
#include "temporary.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- files ---- */

char trace_folder[TEMPORARY_SIZE];

const char *in_folder(const char *name)
{
    static char paths[4][256];
    static unsigned turn;
    char *path = paths[turn++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", trace_folder, name);
    return path;
}

bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

char *slurp(const char *path)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char *text = NULL;
    size_t size = 0;
    if (getdelim(&text, &size, '\0', file) < 0)
        text[0] = '\0';
    fclose(file);
    return text;
}

void spit_bytes(const char *path, const char *text, size_t length)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

void spit(const char *path, const char *text)
{
    spit_bytes(path, text, strlen(text));
}

char *replaced(const char *text, const char *after, const char *from, const char *to)
{
    const char *place = strstr(text, after);
    assert_non_null(place);
    place = strstr(place, from);
    assert_non_null(place);
    char *result = malloc(strlen(text) + strlen(to) + 1);
    assert_non_null(result);
    sprintf(result, "%.*s%s%s", (int)(place - text), text, to, place + strlen(from));
    return result;
}

char *without_line(const char *text, unsigned line)
{
    const char *start = text;
    for (; line > 0; line--)
        start = strchr(start, '\n') + 1;
    char *result = strdup(text);
    assert_non_null(result);
    strcpy(result + (start - text), strchr(start, '\n') + 1);
    return result;
}

/* ---- runs ---- */

struct rd_device *trace_device;

enum rd_status record_trace(const struct recipe *recipe, const char *path, struct rd_result *result,
                            struct rd_error *error)
{
    const struct rd_program *program = rd_program_named(recipe->program);
    assert_non_null(program);
    struct rd_trace_writer *writer;
    struct rd_values values;
    const char *spec = recipe->values ? recipe->values : "iota";
    size_t cells = recipe->cut ? recipe->cells : RD_TRACE_CELLS;
    const struct rd_shape shape =
        rd_program_shape(program, (struct rd_shape){.n = recipe->n, .block = recipe->block});
    assert_int_equal(rd_values_init_two(&values, rd_numeric_over(recipe->type, recipe->operation),
                                        spec, rd_program_inputs(program, &shape),
                                        rd_program_inputs_b(program, &shape), error),
                     RD_OK);
    assert_int_equal(rd_trace_writer_open(&writer, path, cells, error), RD_OK);
    const struct rd_run run = {
        .program = program,
        .numeric = values.numeric,
        .n = recipe->n,
        .block = recipe->block,
        .a = values.a,
        .b = values.b,
        .values = values.spec,
        .frame = recipe->frame,
        .device = trace_device,
        .interrupted = recipe->interrupted,
    };
    const struct rd_observer *observers[] = {rd_trace_writer_observer(writer), recipe->then, NULL};
    enum rd_status status = rd_run(&run, observers, result, error);
    enum rd_status closed = rd_trace_writer_close(writer, status ? NULL : error);
    rd_values_finish(&values);
    return status ? status : closed;
}

char *recorded_text(const struct recipe *recipe)
{
    struct rd_result result;
    struct rd_error error;
    const char *path = in_folder("recorded");
    assert_int_equal(record_trace(recipe, path, &result, &error), RD_OK);
    return slurp(path);
}

enum rd_status replay_bytes(const char *text, size_t length, struct rd_replay *replay,
                            struct rd_error *error)
{
    const char *path = in_folder("replayed");
    spit_bytes(path, text, length);
    return rd_trace_replay(path, replay, error);
}

struct rd_replay replay_text(const char *text)
{
    struct rd_replay replay;
    struct rd_error error = {""};
    enum rd_status status = replay_bytes(text, strlen(text), &replay, &error);
    if (status != RD_OK)
        fail_msg("%s", error.text);
    return replay;
}

void assert_replay_violated(const char *text, const char *reason)
{
    struct rd_replay replay = replay_text(text);
    assert_int_equal(replay.verdict, RD_VIOLATED);
    if (!strstr(replay.reason, reason))
        fail_msg("'%s' is not in '%s'", reason, replay.reason);
}

void assert_replay_inconclusive(const char *text, const char *reason)
{
    struct rd_replay replay = replay_text(text);
    assert_int_equal(replay.verdict, RD_INCONCLUSIVE);
    if (!strstr(replay.reason, reason))
        fail_msg("'%s' is not in '%s'", reason, replay.reason);
}

void assert_replay_refused(const char *text, const char *message)
{
    struct rd_replay replay;
    struct rd_error error = {""};
    assert_int_equal(replay_bytes(text, strlen(text), &replay, &error), RD_ERROR_INPUT);
    if (!strstr(error.text, message))
        fail_msg("'%s' is not in '%s'", message, error.text);
}

void assert_same_as_run(const struct rd_replay *replay, const struct rd_result *result)
{
    if (result->verdict != RD_INCONCLUSIVE)
        assert_string_equal(replay->reason, "");
    assert_int_equal(replay->verdict, result->verdict);
    assert_int_equal(replay->recorded, result->verdict);
    assert_true(replay->complete);
    assert_int_equal(replay->steps, result->steps);
    assert_int_equal(replay->cells, result->cells);
    assert_int_equal(replay->hazards, result->hazards);
    assert_int_equal(replay->violated, result->violated);
    if (!result->violated)
        return;
    assert_int_equal(replay->violation.kind, result->violation.kind);
    assert_int_equal(replay->violation.step, result->violation.step);
    assert_int_equal(replay->violation.cell, result->violation.cell);
    assert_int_equal(replay->violation.actual, result->violation.actual);
}

void check_recipe(const struct recipe *recipe, enum rd_verdict verdict)
{
    struct rd_result result;
    struct rd_replay replay;
    struct rd_error error = {""};
    const char *path = in_folder("recipe");
    assert_int_equal(record_trace(recipe, path, &result, &error), RD_OK);
    if (result.verdict != verdict)
        fail_msg("%s: %s", recipe->program, rd_verdict_name(result.verdict));
    if (rd_trace_replay(path, &replay, &error) != RD_OK)
        fail_msg("%s", error.text);
    assert_same_as_run(&replay, &result);
    assert_string_equal(replay.program->name, recipe->program);
    assert_string_equal(replay.device, "sim");
    assert_int_equal(replay.n, recipe->n);
}

int trace_set_up(void **state)
{
    struct rd_error error;
    (void)state;
    return mkdtemp(temporary_name(trace_folder, "reductio-trace")) &&
                   rd_device_open("sim", &trace_device, NULL, &error) == RD_OK
               ? 0
               : -1;
}

int trace_tear_down(void **state)
{
    char command[TEMPORARY_PATH_SIZE];
    (void)state;
    rd_device_close(trace_device);
    snprintf(command, sizeof command, "rm -r '%s'", trace_folder);
    return system(command);
}
