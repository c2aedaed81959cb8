// SPDX-License-Identifier: MIT
#include "cli/cli.h"
#include "base/utf8.h"
#include "check/sandbox/interruption.h"
#include "reductio/trace.h"
#include "trace/recorded.h"
#include "view/parts.h"
#include "reductio/summary.h"
#include "reductio/operation.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct verify_options {
    char **traces; /* the paths, n of them */
    int n;
    bool quiet, json;
    enum rd_format format;
    char last[RD_CLI_LAST_PATH_SIZE];
};

enum { KEY_LAST = 256, KEY_FORMAT };

static const struct argp_option verify_options[] = {
    {"last", KEY_LAST, NULL, 0, "Verify the trace of the last run", 0},
    {"quiet", 'q', NULL, 0, "Print only the traces that do not hold", 0},
    {"json", 'j', NULL, 0, "Print a JSON array", 0},
    {"format", KEY_FORMAT, RD_FORMAT_WORDS, 0,
     "Print the results, and nothing else, in this format", 0},
    {0},
};

static error_t parse_verify(int key, char *argument, struct argp_state *state)
{
    struct verify_options *verify = state->input;
    switch (key) {
    case KEY_LAST:
        rd_cli_last_find("verify", verify->last);
        verify->traces[verify->n++] = verify->last;
        return 0;
    case 'q':
        verify->quiet = true;
        return 0;
    case 'j':
        verify->json = true;
        return 0;
    case KEY_FORMAT:
        verify->format = rd_cli_format("verify", argument);
        return 0;
    case ARGP_KEY_ARG:
        rd_cli_check_trace("verify", argument);
        verify->traces[verify->n++] = argument;
        return 0;
    case ARGP_KEY_END:
        if (verify->n == 0)
            rd_cli_usage("verify", "no trace: name the files, or use --last");
        rd_cli_check_format("verify", verify->format, verify->json);
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

/* Prints the obligations that do not hold, with the reasons. */
static void print_obligations(const struct rd_replay *replay, const struct rd_numeric *numeric)
{
    const struct rd_program *program = replay->program;
    const struct rd_result result = rd_replay_result(replay);
    char reason[RD_REASON_SIZE];
    for (int k = 0; k < RD_OBLIGATION_COUNT; k++) {
        const enum rd_obligation obligation = (enum rd_obligation)k;
        if (result.obligations[k] != RD_HOLDS)
            printf("    %s %s: %s\n", rd_obligation_name(obligation),
                   rd_verdict_name(result.obligations[k]),
                   rd_obligation_reason(program, numeric, &result, obligation, reason));
    }
}

/* NULL where the trace has not come to say it. */
static const struct rd_numeric *numeric_of(const struct rd_replay *replay)
{
    const struct rd_numeric *numeric = rd_numeric_named(replay->type);
    return numeric ? rd_numeric_over(numeric->type, replay->operation) : NULL;
}

/* A line of what a trace says, which may have any bytes: no control character reaches the terminal, and no line of its own. */
static void print_line(const char *indent, const char *text)
{
    fputs(indent, stdout);
    for (size_t left = strlen(text); left > 0;) {
        char bytes[RD_UTF8_BYTES_MAX];
        uint32_t character;
        const size_t taken = rd_utf8_decode(text, left, &character);
        const bool is_text = rd_utf8_is_text(character) && character != '\n';
        const size_t size = rd_utf8_encode(is_text ? character : RD_UTF8_REPLACEMENT, bytes);
        fwrite(bytes, 1, size, stdout);
        text += taken;
        left -= taken;
    }
    putchar('\n');
}

static void print_replay(const char *path, const struct rd_replay *replay)
{
    char text[RD_SENTENCE_SIZE], line[RD_SENTENCE_SIZE + PATH_MAX];
    const struct rd_numeric *numeric = numeric_of(replay);
    const struct rd_summary summary = rd_summary_of_replay(replay, numeric);
    snprintf(line, sizeof line, "%s  %s", rd_summary_text(&summary, text), path);
    print_line("", line);
    if (replay->violated && numeric)
        print_line("    ", rd_violation_text(&replay->violation, numeric, text));
    if (replay->outcome.name)
        print_line("    ", rd_outcome_text(&replay->outcome, text));
    const struct rd_hazard hazard = {
        .kind = replay->hazard.kind,
        .name = replay->hazard.name,
        .step = replay->hazard.step,
        .message = replay->hazard.message,
    };
    if (replay->hazards > 0)
        print_line("    ", rd_hazard_text(&hazard, text));
    const struct rd_result result = rd_replay_result(replay);
    if (replay->reason[0] == '\0' && *rd_hazards_alone_text(&result, text))
        print_line("    ", text);
    if (replay->reason[0] != '\0')
        print_line("    ", replay->reason);
    const bool told =
        replay->reason[0] == '\0' || (replay->complete && replay->verdict == RD_INCONCLUSIVE);
    if (numeric && told)
        print_obligations(replay, numeric);
}

static json_t *replay_json(const char *path, const struct rd_replay *replay)
{
    const struct rd_numeric *numeric = numeric_of(replay);
    json_t *hazard = replay->hazards > 0 ? json_pack("{s:o, s:i, s:o}", "name",
                                                     rd_cli_json_text(replay->hazard.name), "step",
                                                     (int)replay->hazard.step, "message",
                                                     rd_cli_json_text(replay->hazard.message))
                                         : json_null();
    json_t *violation = replay->violated && numeric
                            ? rd_cli_json_violation(&replay->violation, numeric)
                            : json_null();
    json_t *object = json_pack(
        "{s:o, s:s, s:I, s:s, s:s, s:s, s:s, s:b, s:b, s:i, s:I, s:I, s:i, s:o, s:o, s:s}", "trace",
        rd_cli_json_text(path), "program", replay->program->name, "n", (json_int_t)replay->n,
        "type", replay->type, "device", replay->device, "verdict", rd_verdict_name(replay->verdict),
        "recorded", rd_verdict_name(replay->recorded), "complete", (int)replay->complete,
        "interrupted", (int)replay->interrupted, "steps", (int)replay->steps, "checkpoints",
        (json_int_t)replay->checkpoints, "cells", (json_int_t)replay->cells, "hazards",
        (int)replay->hazards, "hazard", hazard, "violation", violation, "reason", replay->reason);
    json_object_set_new(object, "hazards_by", json_string(rd_hazards_by_name(replay->hazards_by)));
    if (replay->operation != RD_OPERATION_SUM)
        json_object_set_new(object, "op", json_string(rd_operation_name(replay->operation)));
    if (replay->n_schedules > 0)
        json_object_set_new(object, "schedules", json_integer(replay->n_schedules));
    if (replay->hazards_n > 0)
        json_object_set_new(object, "hazards_n", json_integer((json_int_t)replay->hazards_n));
    if (replay->outcome.name) {
        const struct rd_numeric *f64 = rd_numeric(RD_TYPE_F64);
        json_object_set_new(object, replay->outcome.name,
                            rd_cli_json_value(f64, f64->load(&replay->outcome.actual, 0)));
    }
    return object;
}

/* The worst of two exit statuses: a trace that can't be read, then an interruption, VIOLATED, INCONCLUSIVE. */
static int worse(int x, int y)
{
    static const int rank[] = {
        [RD_EXIT_HOLDS] = 0,       [RD_EXIT_INCONCLUSIVE] = 1, [RD_EXIT_VIOLATED] = 2,
        [RD_EXIT_INTERRUPTED] = 3, [RD_EXIT_FAILED] = 4,
    };
    return rank[x] > rank[y] ? x : y;
}

/* Receivers of the results: both NULL if text is printed. */
struct output {
    json_t *array;
    struct rd_results *results;
};

static void tell_failure(const struct output *output, const char *path, const char *error)
{
    rd_cli_complain("%s", error);
    if (output->array)
        json_array_append_new(output->array,
                              json_pack("{s:o, s:o}", "trace", rd_cli_json_text(path), "error",
                                        rd_cli_json_text(error)));
    if (output->results)
        rd_results_add_failure(output->results, "trace", path, error);
}

static void tell_interruption(const struct output *output, const char *path)
{
    if (output->array)
        json_array_append_new(
            output->array,
            json_pack("{s:o, s:b}", "trace", rd_cli_json_text(path), "interrupted", true));
    else if (output->results)
        rd_results_add_interruption(output->results, "trace", path);
    else
        printf("INTERRUPTED %s\n", path);
}

static enum rd_status stop_if_interrupted(void *self, const struct rd_trace_step *recorded,
                                          const struct rd_step *step, struct rd_error *error)
{
    (void)self, (void)recorded, (void)step;
    return *rd_interruption() ? rd_fail(error, RD_ERROR_INTERRUPTED, "interrupted") : RD_OK;
}

static int verify_one(const struct verify_options *verify, const char *path,
                      const struct output *output)
{
    struct rd_replay replay;
    struct rd_error error;
    static const struct rd_trace_visitor visitor = {.step = stop_if_interrupted};
    rd_interruption_end_calls();
    enum rd_status status =
        *rd_interruption() ? RD_ERROR_INTERRUPTED : rd_trace_walk(path, &visitor, &replay, &error);
    rd_interruption_let_calls_go_on();
    if (status != RD_OK && *rd_interruption()) {
        tell_interruption(output, path);
        return RD_EXIT_INTERRUPTED;
    }
    if (status != RD_OK) {
        tell_failure(output, path, error.text);
        return RD_EXIT_FAILED;
    }
    if (output->results)
        rd_results_add_trace(output->results, path, &replay);
    else if (output->array)
        json_array_append_new(output->array, replay_json(path, &replay));
    else if (!verify->quiet || replay.verdict != RD_HOLDS)
        print_replay(path, &replay);
    const int exit_status = rd_cli_exit_status(replay.verdict);
    rd_replay_finish(&replay);
    return exit_status;
}

static int verify_all(const struct verify_options *verify, const struct output *output)
{
    int status = RD_EXIT_HOLDS;
    struct rd_error error;
    for (int k = 0; k < verify->n && !ferror(stdout); k++)
        status = worse(status, verify_one(verify, verify->traces[k], output));
    if (output->array)
        rd_cli_json_print(output->array);
    if (output->results &&
        rd_results_write(output->results, verify->format, stdout, &error) != RD_OK) {
        rd_cli_complain("%s", error.text);
        status = RD_EXIT_FAILED;
    }
    return status;
}

int rd_cli_verify(int argc, char **argv)
{
    const struct argp argp = {
        .options = verify_options,
        .parser = parse_verify,
        .args_doc = "TRACE...|--last",
        .doc = "Asserts every invariant of recorded traces again; needs no device. '-' reads "
               "standard input.\vExit status: 0 all hold, 1 one is VIOLATED, 2 one can't be read, "
               "3 one is INCONCLUSIVE, 130 interrupted; the worst of them.",
    };
    struct verify_options verify = {.traces = calloc((size_t)argc + 1, sizeof *verify.traces)};
    if (!verify.traces) {
        rd_cli_complain("no memory for the list of traces");
        return RD_EXIT_FAILED;
    }
    rd_cli_parse(&argp, "reductio verify", argc, argv, &verify);

    struct rd_results results;
    rd_interruption_catch();
    rd_results_init(&results, "verify");
    const struct output output = {
        .array = verify.json ? json_array() : NULL,
        .results = verify.format == RD_FORMAT_TEXT ? NULL : &results,
    };
    int status = verify_all(&verify, &output);
    rd_results_finish(&results);
    free(verify.traces);
    return status;
}
