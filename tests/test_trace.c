// SPDX-License-Identifier: MIT
/* Traces: written by real runs in the simulator, read back, and spoilt in every way. */
#include "trace/trace.h"
#include "values.h"
#include "witness.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <float.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef TRACES
#define TRACES "traces"
#endif

/* ---- files ---- */

static char folder[] = "/tmp/reductio-trace-XXXXXX";

/* A file of this test; one of four texts that are used in turn. */
static const char *in_folder(const char *name)
{
    static char paths[4][256];
    static unsigned turn;
    char *path = paths[turn++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static char *slurp(const char *path)
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

static void spit_bytes(const char *path, const char *text, size_t length)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void spit(const char *path, const char *text)
{
    spit_bytes(path, text, strlen(text));
}

/* The text with the first `from` behind the first `after` replaced; the caller frees it. */
static char *with(const char *text, const char *after, const char *from, const char *to)
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

/* The text without its line number `line`, 0-based; the caller frees it. */
static char *without_line(const char *text, unsigned line)
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

/* A run to record. What is left out is i32, iota, no cut, live cells only. */
struct recipe {
    const char *program;
    size_t n;
    enum rd_type type;
    const char *values;
    bool cut; /* to `cells` */
    size_t cells;
    bool frame;
    const volatile sig_atomic_t *interrupted;
    const struct rd_observer *then; /* observes behind the writer */
};

static struct rd_device *device;

/* Runs it and writes the trace; returns the run's status. */
static enum rd_status record(const struct recipe *recipe, const char *path,
                             struct rd_result *result, struct rd_error *error)
{
    const struct rd_program *program = rd_program_named(recipe->program);
    assert_non_null(program);
    struct rd_trace_writer *writer;
    struct rd_values values;
    const char *spec = recipe->values ? recipe->values : "iota";
    size_t cells = recipe->cut ? recipe->cells : RD_TRACE_CELLS;
    assert_int_equal(rd_values_init(&values, rd_numeric(recipe->type), spec, recipe->n, recipe->n,
                                    program->has_b, error),
                     RD_OK);
    assert_int_equal(rd_trace_writer_open(&writer, path, cells, error), RD_OK);
    const struct rd_run run = {
        .program = program,
        .numeric = values.numeric,
        .n = values.n,
        .a = values.a,
        .b = values.b,
        .values = values.spec,
        .frame = recipe->frame,
        .device = device,
        .interrupted = recipe->interrupted,
    };
    const struct rd_observer *observers[] = {rd_trace_writer_observer(writer), recipe->then, NULL};
    enum rd_status status = rd_run(&run, observers, result, error);
    enum rd_status closed = rd_trace_writer_close(writer, status ? NULL : error);
    rd_values_finish(&values);
    return status ? status : closed;
}

/* Records it into the test's file and returns the text, which the caller frees. */
static char *recorded_text(const struct recipe *recipe)
{
    struct rd_result result;
    struct rd_error error;
    const char *path = in_folder("recorded");
    assert_int_equal(record(recipe, path, &result, &error), RD_OK);
    return slurp(path);
}

/* Replays a text. */
static enum rd_status replay_bytes(const char *text, size_t length, struct rd_replay *replay,
                                   struct rd_error *error)
{
    const char *path = in_folder("replayed");
    spit_bytes(path, text, length);
    return rd_trace_replay(path, replay, error);
}

static struct rd_replay replay_text(const char *text)
{
    struct rd_replay replay;
    struct rd_error error = {""};
    enum rd_status status = replay_bytes(text, strlen(text), &replay, &error);
    if (status != RD_OK)
        fail_msg("%s", error.text);
    return replay;
}

static void assert_violated(const char *text, const char *reason)
{
    struct rd_replay replay = replay_text(text);
    assert_int_equal(replay.verdict, RD_VIOLATED);
    if (!strstr(replay.reason, reason))
        fail_msg("'%s' is not in '%s'", reason, replay.reason);
}

static void assert_inconclusive(const char *text, const char *reason)
{
    struct rd_replay replay = replay_text(text);
    assert_int_equal(replay.verdict, RD_INCONCLUSIVE);
    if (!strstr(replay.reason, reason))
        fail_msg("'%s' is not in '%s'", reason, replay.reason);
}

static void assert_refused(const char *text, const char *message)
{
    struct rd_replay replay;
    struct rd_error error = {""};
    assert_int_equal(replay_bytes(text, strlen(text), &replay, &error), RD_ERROR_INPUT);
    if (!strstr(error.text, message))
        fail_msg("'%s' is not in '%s'", message, error.text);
}

static void assert_same_as_run(const struct rd_replay *replay, const struct rd_result *result)
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

/* Records, replays, and asserts that the two agree. */
static void check_recipe(const struct recipe *recipe, enum rd_verdict verdict)
{
    struct rd_result result;
    struct rd_replay replay;
    struct rd_error error = {""};
    const char *path = in_folder("recipe");
    assert_int_equal(record(recipe, path, &result, &error), RD_OK);
    if (result.verdict != verdict)
        fail_msg("%s: %s", recipe->program, rd_verdict_name(result.verdict));
    if (rd_trace_replay(path, &replay, &error) != RD_OK)
        fail_msg("%s", error.text);
    assert_same_as_run(&replay, &result);
    assert_string_equal(replay.program, recipe->program);
    assert_string_equal(replay.device, "sim");
    assert_int_equal(replay.n, recipe->n);
}

/* ---- what was right stays right ---- */

static void test_replay_right_programs_of_every_type_hold(void **state)
{
    static const size_t sizes[] = {1, 2, 3, 8, 33, 256, 1000};
    (void)state;
    for (const struct rd_program *const *p = rd_programs; *p; p++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (int type = 0; type < RD_TYPE_COUNT; type++)
                for (int frame = 0; frame < 2; frame++)
                    if (!rd_program_is_lesson(*p) && rd_program_accept(*p, sizes[s], NULL) == RD_OK)
                        check_recipe(&(struct recipe){.program = (*p)->name,
                                                      .n = sizes[s],
                                                      .type = (enum rd_type)type,
                                                      .frame = frame},
                                     RD_HOLDS);
}

static void test_replay_lessons_are_violated_where_the_run_was(void **state)
{
    (void)state;
    for (const struct rd_program *const *p = rd_programs; *p; p++)
        for (int frame = 0; frame < 2; frame++)
            /* What a missing guard spoils are dead cells. */
            if (rd_program_is_lesson(*p) && (frame || strcmp((*p)->name, "fold:missing-guard")))
                check_recipe(&(struct recipe){.program = (*p)->name,
                                              .n = (*p)->n,
                                              .type = (*p)->type,
                                              .values = (*p)->values,
                                              .frame = frame},
                             RD_VIOLATED);
}

static void test_replay_cut_states_agree_with_the_run(void **state)
{
    (void)state;
    for (size_t cells = 0; cells < 9; cells++)
        for (int frame = 0; frame < 2; frame++) {
            struct recipe recipe = {
                .program = "fold", .n = 64, .cut = true, .cells = cells, .frame = frame};
            check_recipe(&recipe, RD_HOLDS);
            recipe.program = "dot-tournament";
            recipe.n = 77;
            recipe.type = RD_TYPE_F32;
            recipe.values = "random:5";
            check_recipe(&recipe, RD_HOLDS);
            recipe.program = "tournament:stride-one";
            check_recipe(&recipe, RD_VIOLATED);
            recipe.program = "fold:inclusive-bound"; /* wrong in a cell that is cut out */
            recipe.n = 64;
            check_recipe(&recipe, RD_VIOLATED);
        }
}

static void test_write_cut_state_keeps_both_ends(void **state)
{
    (void)state;
    char *text =
        recorded_text(&(struct recipe){.program = "fold", .n = 16, .cut = true, .cells = 5});
    assert_non_null(strstr(text, "\"head\":[0,1,2],\"tail\":[14,15],\"digest\":"));
    assert_non_null(strstr(text, "\"head\":[8,10,12],\"tail\":[20,22],\"digest\":"));
    assert_non_null(strstr(text, "\"cells\":[24,28,32,36]"));
    free(text);
}

static void test_replay_cut_list_is_inconclusive(void **state)
{
    (void)state;
    char *text = recorded_text(&(struct recipe){
        .program = "fold", .n = 4, .values = "list:3,1,4,1", .cut = true, .cells = 2});
    assert_inconclusive(text, "no generator");
    free(text);
}

static void test_replay_reason_of_a_right_trace_is_empty(void **state)
{
    (void)state;
    char *text = recorded_text(&(struct recipe){.program = "fold", .n = 8});
    struct rd_replay replay = replay_text(text);
    assert_int_equal(replay.verdict, RD_HOLDS);
    assert_string_equal(replay.reason, "");
    assert_int_equal(replay.steps, 4);
    assert_int_equal(replay.cells, 15);
    free(text);
}

/* ---- values ---- */

/* The array `cells` of the run record's input, as text. */
static char *input_text(const char *text)
{
    const char *start = strstr(text, "\"cells\":[") + strlen("\"cells\":");
    return strndup(start, (size_t)(strchr(start, ']') + 1 - start));
}

/* Records one array of a program that holds whatever the values are. */
static void check_values(enum rd_type type, const char *list, size_t n, const char *expected)
{
    char *text = recorded_text(
        &(struct recipe){.program = "tournament", .n = n, .type = type, .values = list});
    char *cells = input_text(text);
    assert_string_equal(cells, expected);
    assert_int_not_equal(replay_text(text).verdict, RD_VIOLATED);
    free(cells);
    free(text);
}

static void test_write_extreme_values_keep_their_bits(void **state)
{
    (void)state;
    check_values(RD_TYPE_I32, "list:-2147483648,2147483647,-1,0", 4,
                 "[-2147483648,2147483647,-1,0]");
    check_values(RD_TYPE_U32, "list:4294967295,0", 2, "[4294967295,0]");
    check_values(RD_TYPE_U64, "list:18446744073709551615,9007199254740992,9007199254740993,0", 4,
                 "[\"18446744073709551615\",9007199254740992,\"9007199254740993\",0]");
    check_values(RD_TYPE_F32, "list:-0.0,0,1e-45,3.4028234e38,0.1,1,nan,-inf,inf", 9,
                 "[-0.0,0.0,1e-45,3.4028235e+38,0.1,1.0,\"nan\",\"-inf\",\"inf\"]");
    /* As 7.038531e-26, rounded to a double and then to a float, it would be the next one. */
    check_values(RD_TYPE_F32, "list:7.038531e-26", 1, "[7.03853069e-26]");
    check_values(RD_TYPE_F64, "list:-0.0,5e-324,1.7976931348623157e308,0.1,nan,-inf", 6,
                 "[-0.0,5e-324,1.7976931348623157e+308,0.1,\"nan\",\"-inf\"]");
}

/* Values with random bits, held against what jansson reads, and not against our own reader. */
static void check_random_bits(enum rd_type type, size_t n)
{
    const struct rd_numeric *numeric = rd_numeric(type);
    struct rd_result result;
    struct rd_error error;
    uint64_t *bits = malloc(n * sizeof *bits), seed = 1;
    for (size_t i = 0; i < n; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        numeric->store(bits, i, seed >> (type == RD_TYPE_F32 ? 32 : 0));
    }
    struct rd_trace_writer *writer;
    const char *path = in_folder("bits");
    assert_int_equal(rd_trace_writer_open(&writer, path, SIZE_MAX, &error), RD_OK);
    const struct rd_run run = {.program = rd_program_named("tournament"),
                               .numeric = numeric,
                               .n = n,
                               .a = bits,
                               .values = "random bits",
                               .device = device};
    const struct rd_observer *observers[] = {rd_trace_writer_observer(writer), NULL};
    assert_int_equal(rd_run(&run, observers, &result, &error), RD_OK);
    assert_int_equal(rd_trace_writer_close(writer, &error), RD_OK);
    char *text = slurp(path), *cells = input_text(text);
    json_t *array = json_loads(cells, 0, NULL);
    assert_int_equal(json_array_size(array), n);
    for (size_t i = 0; i < n; i++) {
        const json_t *cell = json_array_get(array, i);
        double real = json_real_value(cell);
        float narrow = (float)real;
        if (json_is_real(cell))
            assert_int_equal(type == RD_TYPE_F32 ? numeric->load(&narrow, 0)
                                                 : numeric->load(&real, 0),
                             numeric->load(bits, i));
        else
            assert_false(isfinite(numeric->to_double(numeric->load(bits, i))));
    }
    json_decref(array);
    free(cells);
    free(text);
    free(bits);
}

static void test_write_random_floats_keep_their_bits(void **state)
{
    (void)state;
    check_random_bits(RD_TYPE_F32, 20000);
    check_random_bits(RD_TYPE_F64, 5000);
}

static void test_replay_nan_is_no_violation(void **state)
{
    (void)state;
    check_recipe(
        &(struct recipe){
            .program = "fold", .n = 4, .type = RD_TYPE_F64, .values = "list:1,nan,3,4"},
        RD_HOLDS);
}

static void test_replay_infinite_sum_leaves_the_exit_open(void **state)
{
    (void)state;
    check_recipe(&(struct recipe){.program = "tournament",
                                  .n = 4,
                                  .type = RD_TYPE_F32,
                                  .values = "list:3e38,3e38,-3e38,-3e38"},
                 RD_INCONCLUSIVE);
}

static void test_write_same_run_twice_gives_the_same_text(void **state)
{
    struct recipe recipe = {
        .program = "dot-fold", .n = 16, .type = RD_TYPE_F64, .values = "random:9"};
    (void)state;
    char *one = recorded_text(&recipe), *other = recorded_text(&recipe);
    assert_string_equal(one, other);
    assert_non_null(strstr(one, "\"seed\":9,"));
    free(one);
    free(other);
}

/* ---- what was changed is found ---- */

/* Changes each cell of each array in turn, and asserts that none goes unnoticed. */
static void check_each_cell(const struct recipe *recipe, const char *key)
{
    char *text = recorded_text(recipe);
    unsigned cells = 0;
    for (char *array = strstr(text, key); array; array = strstr(array, key)) {
        array += strlen(key);
        char *end = strchr(array, ']');
        for (char *c = array; c < end; c++) {
            if (*c < '0' || *c > '9' || (c[-1] != '[' && c[-1] != ','))
                continue;
            char kept = *c;
            *c = kept == '1' ? '2' : '1';
            if (replay_text(text).verdict != RD_VIOLATED)
                fail_msg("%s of %s: a change of %.20s passes", recipe->program, key, c);
            *c = kept;
            cells++;
        }
    }
    assert_true(cells > 8);
    assert_int_equal(replay_text(text).verdict, RD_HOLDS);
    free(text);
}

static void test_replay_any_changed_cell_is_violated(void **state)
{
    (void)state;
    for (int type = 0; type < RD_TYPE_COUNT; type++) {
        struct recipe recipe = {.program = "fold", .n = 8, .type = (enum rd_type)type};
        check_each_cell(&recipe, "\"cells\":[");
        recipe.frame = true; /* dead cells too */
        check_each_cell(&recipe, "\"cells\":[");
        recipe.program = "dot-tournament";
        check_each_cell(&recipe, "\"cells\":[");
        recipe.n = 40;
        recipe.cut = true;
        recipe.cells = 6;
        check_each_cell(&recipe, "\"head\":[");
        check_each_cell(&recipe, "\"tail\":[");
    }
}

static void test_replay_any_changed_digest_is_noticed(void **state)
{
    (void)state;
    char *text =
        recorded_text(&(struct recipe){.program = "tournament", .n = 33, .cut = true, .cells = 4});
    unsigned digests = 0;
    for (char *c = strstr(text, "\"digest\":\""); c; c = strstr(c, "\"digest\":\"")) {
        c += strlen("\"digest\":\"");
        char kept = *c;
        *c = kept == '0' ? '1' : '0';
        /* The input is then not what its generator makes; a step contradicts itself. */
        assert_int_equal(replay_text(text).verdict, digests == 0 ? RD_INCONCLUSIVE : RD_VIOLATED);
        *c = kept;
        digests++;
    }
    assert_true(digests > 3);
    free(text);
}

/* Every digit of the steps and the last record, outside of strings, says something that is checked.
 */
static void check_each_digit(const struct recipe *recipe, enum rd_verdict verdict)
{
    struct rd_replay replay;
    struct rd_error error;
    char *text = recorded_text(recipe);
    size_t length = strlen(text);
    bool in_string = false;
    unsigned digits = 0;
    char *evidence = strstr(text, "\"evidence\""); /* is for people */
    char *end = evidence ? evidence : text + length;
    for (char *c = strstr(text, "{\"record\":\"step\""); c < end; c++) {
        in_string ^= *c == '"';
        if (in_string || *c < '0' || *c > '9')
            continue;
        char kept = *c;
        *c = kept == '9' ? '8' : (char)(kept + 1);
        enum rd_status status = replay_bytes(text, length, &replay, &error);
        if (status == RD_OK && (replay.verdict != RD_VIOLATED || !*replay.reason))
            fail_msg("%s of '%s' passes: %.20s", rd_verdict_name(replay.verdict), replay.reason, c);
        *c = kept;
        digits++;
    }
    assert_true(digits > 40);
    assert_int_equal(replay_text(text).verdict, verdict);
    free(text);
}

static void test_replay_any_changed_number_is_noticed(void **state)
{
    (void)state;
    check_each_digit(&(struct recipe){.program = "fold-guard", .n = 6, .frame = true}, RD_HOLDS);
    check_each_digit(&(struct recipe){.program = "tournament", .n = 5, .values = "random:3"},
                     RD_HOLDS);
    check_each_digit(&(struct recipe){.program = "tournament:lost-tail", .n = 3}, RD_VIOLATED);
}

static void test_replay_changed_words_are_noticed(void **state)
{
    static const char *const changes[][3] = {
        {"\"step\":2", "\"kernel\":\"fold\"", "\"kernel\":\"gather\""},
        {"\"step\":2", "\"name\":\"half\"", "\"name\":\"D\""},
        {"\"step\":2", "\"verdict\":\"HOLDS\"", "\"verdict\":\"INCONCLUSIVE\""},
        {"\"obligations\"", "\"exit\":\"HOLDS\"", "\"exit\":\"INCONCLUSIVE\""},
        {"\"obligations\"", "\"preservation\":\"HOLDS\"", "\"preservation\":\"VIOLATED\""},
        {"\"record\":\"verdict\"", "\"verdict\":\"HOLDS\"", "\"verdict\":\"VIOLATED\""},
        {"\"record\":\"verdict\"", "\"verdict\":\"HOLDS\"", "\"verdict\":\"INCONCLUSIVE\""},
        {"\"record\":\"run\"", "\"frame\":false", "\"frame\":true"},
        {"\"record\":\"run\"", "\"fold\"", "\"tournament\""},
    };
    (void)state;
    char *text = recorded_text(&(struct recipe){.program = "fold", .n = 8});
    for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) {
        char *changed = with(text, changes[k][0], changes[k][1], changes[k][2]);
        struct rd_replay replay = replay_text(changed);
        assert_int_equal(replay.verdict, RD_VIOLATED);
        assert_string_not_equal(replay.reason, "");
        free(changed);
    }
    free(text);
}

static void test_replay_lesson_called_right_is_violated(void **state)
{
    (void)state;
    char *text = recorded_text(&(struct recipe){.program = "fold:wrong-half", .n = 8});
    struct rd_replay right = replay_text(text);
    char *changed = with(text, "\"record\":\"verdict\"", "VIOLATED", "HOLDS");
    struct rd_replay replay = replay_text(changed);
    assert_int_equal(replay.verdict, RD_VIOLATED);
    assert_int_equal(replay.recorded, RD_HOLDS);
    assert_string_equal(right.reason, "");
    assert_string_not_equal(replay.reason, "");
    free(changed);
    free(text);
}

static void test_replay_hazard_is_violated(void **state)
{
    (void)state;
    char *text = recorded_text(&(struct recipe){.program = "fold", .n = 8});
    char *changed = with(text, "\"hazards\":0", "0", "1");
    assert_violated(changed, "hazards");
    free(changed);
    changed = with(text, "\n{\"record\":\"verdict\"", "\n",
                   "\n{\"record\":\"hazard\",\"name\":\"race\",\"step\":1,\"message\":\"m\"}\n");
    char *counted = with(changed, "\"hazards\":0", "0", "1");
    assert_violated(changed, "hazards");
    assert_violated(counted, "the trace says HOLDS");
    struct rd_replay replay = replay_text(counted);
    assert_int_equal(replay.hazards, 1);
    assert_string_equal(replay.hazard.name, "race");
    assert_string_equal(replay.hazard.message, "m");
    assert_int_equal(replay.hazard.step, 1);
    free(counted);
    free(changed);
    free(text);
}

/* ---- what is not whole ---- */

static void check_prefixes(const struct recipe *recipe)
{
    struct rd_replay replay;
    struct rd_error error;
    char *text = recorded_text(recipe);
    unsigned good = 0;
    for (size_t length = 0; length < strlen(text); length++) {
        enum rd_status status = replay_bytes(text, length, &replay, &error);
        assert_true(status == RD_OK || status == RD_ERROR_INPUT);
        if (status != RD_OK)
            continue;
        good++;
        assert_int_equal(replay.recorded, RD_INCONCLUSIVE);
        assert_false(replay.complete);
        if (replay.violated)
            assert_int_equal(replay.verdict, RD_VIOLATED);
        else
            assert_int_equal(replay.verdict, RD_INCONCLUSIVE);
        assert_true(replay.violated || *replay.reason);
    }
    assert_true(good > 400);
    free(text);
}

static void test_replay_any_prefix_never_holds(void **state)
{
    (void)state;
    check_prefixes(&(struct recipe){.program = "fold", .n = 4});
    check_prefixes(&(struct recipe){.program = "tournament:lost-tail", .n = 3});
    check_prefixes(&(struct recipe){
        .program = "dot-fold", .n = 4, .type = RD_TYPE_F64, .cut = true, .cells = 2});
}

static void test_replay_without_last_record_is_inconclusive(void **state)
{
    (void)state;
    char *text = recorded_text(&(struct recipe){.program = "fold", .n = 8});
    char *changed = without_line(text, 6);
    assert_inconclusive(changed, "no last record; the trace ends after step 3 of 3");
    changed[strlen(changed) - 5] = '\0';
    assert_inconclusive(changed, "last line is cut; the trace ends after step 2 of 3");
    free(changed);
    free(text);
}

static void test_replay_missing_step_is_noticed(void **state)
{
    (void)state;
    char *text = recorded_text(&(struct recipe){.program = "fold", .n = 8});
    char *changed = without_line(text, 3);
    assert_refused(changed, "replayed:4: step 2 of pass 1, where step 1 of pass 1 is due");
    free(changed);
    changed = without_line(text, 5);
    assert_violated(changed, "the last record counts");
    free(changed);
    free(text);
}

static void test_replay_repeated_step_is_refused(void **state)
{
    (void)state;
    char *text = recorded_text(&(struct recipe){.program = "fold", .n = 1});
    const char *step = strstr(text, "{\"record\":\"step\"");
    char *twice = malloc(2 * strlen(text));
    sprintf(twice, "%.*s%s", (int)(strchr(step, '\n') + 1 - text), text, step);
    assert_refused(twice, "ends with step 0");
    free(twice);
    free(text);
}

/* ---- what is no trace ---- */

static void test_replay_foreign_major_is_refused(void **state)
{
    (void)state;
    char *text = recorded_text(&(struct recipe){.program = "fold", .n = 2});
    char *changed = with(text, "\"major\"", "1", "2");
    assert_refused(changed, "major version 2, and this reader knows 1");
    free(changed);
    changed = with(text, "\"minor\"", "0", "7");
    assert_int_equal(replay_text(changed).verdict, RD_HOLDS);
    free(changed);
    free(text);
}

static void test_replay_unknown_kinds_and_members_are_passed_over(void **state)
{
    (void)state;
    char *text = recorded_text(&(struct recipe){.program = "fold", .n = 2});
    char *kind =
        with(text, "\n{\"record\":\"step\"", "\n", "\n{\"record\":\"weather\",\"n\":[]}\n");
    char *both = with(kind, "\"asserted\"", "\"", "\"mood\":{\"x\":[1,2]},\"");
    assert_int_equal(replay_text(both).verdict, RD_HOLDS);
    free(both);
    free(kind);
    free(text);
}

static void test_replay_garbled_lines_are_refused_with_their_number(void **state)
{
    static const char *const changes[][4] = {
        /* after, from, to, message */
        {"{", "{", "", ":1: the line is not JSON"},
        {"{", "reductio-trace", "tape", ":1: not a trace"},
        {"{", "\"major\":1", "\"major\":\"1\"", ":1: the 'version' record has no 'major'"},
        {"{", "\"record\":\"version\"", "\"record\":\"run\"", ":1: not a trace"},
        {"\n{", "{", "[", ":2: the line is not JSON"},
        {"\n{", "\"record\":\"run\",", "", ":2: the line has no 'record'"},
        {"\n{", "\"run\"", "\"step\"", ":2: a 'step' record before the 'run'"},
        {"\n{", "\"program\":\"fold\"", "\"program\":7", ":2: no 'program' that is a string"},
        {"\n{", "\"program\":\"fold\"", "\"program\":\"knit\"", ":2: 'program' is \"knit\""},
        {"\n{", "\"n\":4", "\"n\":-4", ":2: 'n' is not a whole number"},
        {"\n{", "\"n\":4", "\"n\":0", ":2: 'n' is not a whole number"},
        {"\n{", "\"n\":4", "\"n\":4.0", ":2: 'n' is not a whole number"},
        {"\n{", "\"n\":4", "\"n\":4,\"n\":4", ":2: the line is not JSON"},
        {"\n{", "\"n\":4", "\"m\":4", ":2: no 'n'"},
        {"\n{", "\"n\":4", "\"n\":5", ":2: 'count' of a state is 4, and should be 5"},
        {"\n{", "\"n\":4", "\"n\":1e999", ":2: the line is not JSON"},
        {"\n{", "\"n\":4", "\"n\":99999999999999999999", ":2: the line is not JSON"},
        {"\n{", "\"n\":4", "\"n\":\" 4\"", ":2: 'n' is not a whole number"},
        {"\n{", "\"i32\"", "\"i33\"", ":2: 'type' is \"i33\""},
        {"\n{", "\"block\":256", "\"block\":0", ":2: 'block' is not a whole number"},
        {"\n{", "\"frame\":false", "\"frame\":0", ":2: no 'frame' that is true or false"},
        {"\n{", "\"input\"", "\"output\"", ":2: no 'input' that is an object"},
        {"\n{", "\"values\"", "\"witness\":{},\"values\"", ":2: no 'passes'"},
        {"\n{", "0,1,2,3", "0,1,2", ":2: a state has 3 cells, and its 'count' is 4"},
        {"\n{", "0,1,2,3", "0,1,2.5,3", ":2: cell 2 is not a value of type i32"},
        {"\n{", "0,1,2,3", "0,1,[],3", ":2: cell 2 is not a value of type i32"},
        {"\n{", "0,1,2,3", "0,1,3000000000,3", ":2: cell 2 is not a value of type i32"},
        {"\n{", "0,1,2,3", "0,1,\"2\",3", ":2: cell 2 is not a value of type i32"},
        {"\n{", "\"cells\":[0,1,2,3]", "\"head\":[0],\"tail\":[3]", ":2: no 'digest'"},
        {"\n{", "\"cells\":[0,1,2,3]", "\"head\":[0],\"tail\":[3],\"digest\":\"xyz\"",
         ":2: 'digest' is not of 16"},
        {"\n{", "\"cells\":[0,1,2,3]", "\"head\":[0],\"tail\":[3],\"digest\":\"0123456789abcdefg\"",
         ":2: 'digest' is not of 16"},
        {"\n{", "\"cells\":[0,1,2,3]",
         "\"head\":[0,1],\"tail\":[2,3],\"digest\":\"0123456789abcdef\"",
         ":2: a state has 4 cells in head and tail"},
        {"\"input\":", "}}", "},\"b\":{\"count\":4,\"whole\":true,\"cells\":[1,2,3,4]}}",
         ":2: 'input' has a b, and fold takes none"},
        {"\"step\":0", "\"step\":0", "\"step\":1", ":3: step 1 of pass 1, where step 0"},
        {"\"step\":1", "\"claim\":{", "\"claim\":[{}],\"c\":{", ":4: no 'claim' that is an object"},
        {"\"step\":1", "\"HOLDS\"", "\"FINE\"", ":4: 'verdict' is \"FINE\""},
        {"\"step\":1", "\"round\":{", "\"round\":3,\"r\":{", ":4: no 'round' that is an object"},
        {"\"step\":1", "\"asserted\"", "\"violation\":{\"kind\":\"odd\"},\"asserted\"",
         ":4: no 'step'"},
        {"\n{\"record\":\"verdict\"", "\n", "\n\n", ":6: the line is not JSON"},
        {"\n{\"record\":\"verdict\"", "\n", "\n{\"record\":\"run\"}\n", ":6: a second 'run'"},
        {"\n{\"record\":\"verdict\"", "\n", "\n{\"record\":\"version\"}\n",
         ":6: a second 'version'"},
        {"\"obligations\":", "\"exit\":", "\"exist\":", ":6: no 'exit' that is a string"},
        {"\"hazards\":0}", "\n", "\n{\"record\":\"hazard\"}\n", ":7: a record follows the last"},
    };
    (void)state;
    char *text = recorded_text(&(struct recipe){.program = "fold", .n = 4});
    for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) {
        char *changed = with(text, changes[k][0], changes[k][1], changes[k][2]);
        assert_refused(changed, changes[k][3]);
        free(changed);
    }
    free(text);
}

static void test_replay_other_files_are_refused(void **state)
{
    struct rd_replay replay;
    struct rd_error error;
    (void)state;
    assert_refused("", "is empty");
    assert_refused("{\"record\":\"ver", "not even one whole line");
    assert_refused("0 1 2 3\n", ":1: the line is not JSON");
    assert_refused("[1,2]\n", ":1: the line is not a JSON object");
    assert_refused("{}\n", ":1: the line has no 'record'");
    assert_refused("{\"record\":\"version\",\"format\":\"reductio-trace\",\"major\":1}\n",
                   "before its 'run' record");
    char deep[20000];
    memset(deep, '[', sizeof deep - 2);
    strcpy(deep + sizeof deep - 2, "\n");
    assert_refused(deep, ":1: the line is not JSON");
    const char with_nul[] = "{\"record\":\"version\"\0}\n";
    assert_int_equal(replay_bytes(with_nul, sizeof with_nul - 1, &replay, &error), RD_ERROR_INPUT);
    assert_int_equal(rd_trace_replay(in_folder("none"), &replay, &error), RD_ERROR_IO);
    assert_non_null(strstr(error.text, "No such file"));
    assert_int_equal(rd_trace_replay(folder, &replay, &error), RD_ERROR_IO);
}

static void test_replay_absurd_n_is_not_believed(void **state)
{
    (void)state;
    char *text =
        recorded_text(&(struct recipe){.program = "tournament", .n = 9, .cut = true, .cells = 2});
    char *n = with(text, "\"n\":9", "9", "1000000000000000");
    char *changed = with(n, "\"count\":9", "9", "1000000000000000");
    char *head = without_line(changed, 7); /* the steps no longer fit */
    for (unsigned k = 0; k < 5; k++) {
        char *next = without_line(head, 2);
        free(head);
        head = next;
    }
    assert_inconclusive(head, "this machine has");
    free(head);
    free(changed);
    free(n);
    n = with(text, "\"n\":9", "9", "18446744073709551615");
    assert_refused(n, ":2: the line is not JSON");
    free(n);
    n = with(text, "\"n\":9", "9", "\"18446744073709551615\"");
    changed = with(n, "\"count\":9", "9", "\"18446744073709551615\"");
    assert_refused(changed, "more than memory can hold");
    free(changed);
    free(n);
    free(text);
}

/* ---- witness runs ---- */

static char *recorded_witness(const char *program, size_t n, size_t cells, struct rd_result *result)
{
    struct rd_trace_writer *writer;
    struct rd_error error;
    const char *path = in_folder("witness");
    assert_int_equal(rd_trace_writer_open(&writer, path, cells, &error), RD_OK);
    const struct rd_run run = {.program = rd_program_named(program),
                               .numeric = rd_numeric(RD_TYPE_U64),
                               .n = n,
                               .values = "witness",
                               .device = device};
    const struct rd_observer *observers[] = {rd_trace_writer_observer(writer), NULL};
    assert_int_equal(rd_witness_run(&run, observers, result, &error), RD_OK);
    assert_int_equal(rd_trace_writer_close(writer, &error), RD_OK);
    return slurp(path);
}

static void test_replay_witness_runs_agree_with_the_run(void **state)
{
    static const char *const programs[] = {"fold", "tournament", "dot-fold", "fold:wrong-half",
                                           "fold:inclusive-bound"};
    static const size_t sizes[] = {1, 2, 64};
    (void)state;
    for (size_t p = 0; p < sizeof programs / sizeof *programs; p++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (size_t cells = 5; cells < 100; cells += 90) {
                struct rd_result result;
                char *text = recorded_witness(programs[p], sizes[s], cells, &result);
                struct rd_replay replay = replay_text(text);
                assert_same_as_run(&replay, &result);
                free(text);
            }
}

static void test_replay_missing_pass_is_violated(void **state)
{
    struct rd_result result;
    (void)state;
    char *text = recorded_witness("tournament", 40, 100, &result);
    char *pass_2 = strstr(text, "{\"record\":\"step\",\"pass\":2");
    char *pass_3 = strstr(text, "{\"record\":\"step\",\"pass\":3");
    assert_non_null(pass_2);
    assert_non_null(pass_3);
    char *last = strstr(text, "{\"record\":\"verdict\"");
    char *gap = strdup(text);
    strcpy(gap + (pass_2 - text), pass_3);
    assert_refused(gap, "of pass 3, where step 0 of pass 2 is due");
    strcpy(gap + (pass_2 - text), last);
    assert_violated(gap, "the last record counts");
    /* Nor does it help to make the sums fit. */
    gap[pass_2 - text] = '\0';
    sprintf(gap + strlen(gap), "%.*s,\"cells\":%llu,\"hazards\":0}\n",
            (int)(strstr(last, ",\"cells\"") - last), last,
            (unsigned long long)replay_text(gap).cells);
    assert_violated(gap, "the trace says HOLDS, and its records say INCONCLUSIVE");
    free(gap);
    free(text);
}

/* ---- writing ---- */

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
    assert_int_equal(record(&(struct recipe){.program = "fold", .n = 8, .then = &look}, watched,
                            &result, &error),
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
        record(&(struct recipe){.program = "fold", .n = 8}, "/dev/full", &result, &error),
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
        record(&(struct recipe){.program = "fold", .n = 8}, path, &result, &error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(status, RD_ERROR_IO);
    assert_non_null(strstr(error.text, "small.part': File too large"));
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
    assert_int_equal(record(&(struct recipe){.program = "fold", .n = 2}, path, &result, &error),
                     RD_OK);
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
    assert_int_equal(rd_trace_writer_open(&writer, folder, 8, &error), RD_ERROR_IO);
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
    assert_int_equal(record(&recipe, path, &result, &error), RD_OK);
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
    assert_int_equal(record(&(struct recipe){.program = "fold", .n = 2}, link, &result, &error),
                     RD_OK);
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

static void test_write_interrupted_run_says_so(void **state)
{
    const struct rd_observer stopper = {.step = stop_at_1};
    struct rd_result result;
    struct rd_replay replay;
    struct rd_error error;
    (void)state;
    const char *path = in_folder("interrupted");
    assert_int_equal(
        record(&(struct recipe){.program = "fold", .n = 8, .interrupted = &stop, .then = &stopper},
               path, &result, &error),
        RD_ERROR_INTERRUPTED);
    assert_int_equal(rd_trace_replay(path, &replay, &error), RD_OK);
    assert_true(replay.complete);
    assert_true(replay.interrupted);
    assert_int_equal(replay.verdict, RD_INCONCLUSIVE);
    assert_int_equal(replay.recorded, RD_INCONCLUSIVE);
    assert_string_equal(replay.reason, "the run was interrupted; the trace ends after step 1 of 3");
}

/* Where not all differences are known, what the cell holds is not, and the writer makes nothing up;
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
                               .device = device};
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
    /* It puts no verdict of its own in the result's place. */
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
    assert_int_equal(record(&(struct recipe){.program = "fold", .n = 8, .then = &failing}, path,
                            &result, &error),
                     RD_ERROR_DEVICE);
    assert_string_equal(error.text, "lost");
    char *text = slurp(path);
    assert_null(strstr(text, "\"record\":\"verdict\""));
    assert_inconclusive(text, "no last record; the trace ends after step 1 of 3");
    free(text);
}

static void test_last_path_follows_the_environment(void **state)
{
    struct rd_error error;
    char path[512], expected[512];
    struct stat there;
    (void)state;
    setenv("HOME", folder, 1);
    setenv("XDG_STATE_HOME", "relative", 1);
    snprintf(expected, sizeof expected, "%s/.local/state/reductio/last.ndjson", folder);
    assert_int_equal(rd_trace_last_path(path, sizeof path, false, &error), RD_OK);
    assert_string_equal(path, expected);
    setenv("XDG_STATE_HOME", in_folder("state"), 1);
    snprintf(expected, sizeof expected, "%s/state/reductio/last.ndjson", folder);
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

/* ---- comparing ---- */

static struct rd_trace_difference diff_texts(const char *left, const char *right)
{
    struct rd_trace_difference difference;
    struct rd_error error;
    const char *left_path = in_folder("left"), *right_path = in_folder("right");
    spit(left_path, left);
    spit(right_path, right);
    if (rd_trace_diff(left_path, right_path, &difference, &error) != RD_OK)
        fail_msg("%s", error.text);
    return difference;
}

static void test_diff_same_run_on_another_device_is_no_difference(void **state)
{
    (void)state;
    char *text = recorded_text(&(struct recipe){.program = "tournament:lost-tail", .n = 3});
    char *other = with(text, "\"device\":{", "\"sim\"", "\"cuda\"");
    char *both = with(other, "\"producer\"", "reductio ", "another ");
    assert_false(diff_texts(text, text).differs);
    assert_false(diff_texts(text, both).differs);
    free(both);
    free(other);
    free(text);
}

static void test_diff_finds_the_first_step_and_cell(void **state)
{
    (void)state;
    char *text = recorded_text(&(struct recipe){.program = "tournament", .n = 8});
    char *later = with(text, "\"step\":3", "\"cells\":[28", "\"cells\":[29");
    char *first = with(later, "\"step\":1", "9,13]", "9,-3]");
    struct rd_trace_difference found = diff_texts(text, first);
    assert_true(found.differs && found.in_step && found.in_cell);
    assert_int_equal(found.step, 1);
    assert_int_equal(found.cell, 6); /* the fourth of the cells 0, 2, 4, 6 */
    assert_int_equal(found.array, 'A');
    assert_int_equal(found.pass, 0);
    assert_string_equal(found.left, "13");
    assert_string_equal(found.right, "-3");
    found = diff_texts(text, later);
    assert_int_equal(found.step, 3);
    assert_int_equal(found.cell, 0);
    free(first);
    free(later);
    free(text);
}

static void test_diff_of_inputs_names_the_array(void **state)
{
    (void)state;
    char *text = recorded_text(
        &(struct recipe){.program = "dot-tournament", .n = 3, .values = "list:1,2,3,4,5,6"});
    char *a = with(text, "\"a\":", "2,3]", "2,7]"), *b = with(text, "\"b\":", "4,5", "4,-5");
    struct rd_trace_difference found = diff_texts(text, a);
    assert_true(found.in_cell && !found.in_step);
    assert_int_equal(found.array, 'a');
    assert_int_equal(found.cell, 2);
    found = diff_texts(text, b);
    assert_true(found.in_cell && !found.in_step);
    assert_int_equal(found.array, 'b');
    assert_int_equal(found.cell, 1);
    free(a);
    free(b);
    free(text);
}

static void test_diff_tells_zeros_apart_and_no_nans(void **state)
{
    struct recipe recipe = {
        .program = "tournament", .n = 3, .type = RD_TYPE_F32, .values = "list:0,nan,1"};
    (void)state;
    char *text = recorded_text(&recipe);
    char *other = with(text, "\"step\":0", "[0.0,", "[-0.0,");
    struct rd_trace_difference found = diff_texts(text, other);
    assert_true(found.differs && found.in_cell);
    assert_int_equal(found.cell, 0);
    assert_string_equal(found.right, "-0");
    free(other);
    other = with(text, "\"step\":0", "1.0]", "1]"); /* the same bits */
    assert_false(diff_texts(text, other).differs);
    free(other);
    free(text);
}

static void test_diff_finds_what_is_in_no_cell(void **state)
{
    static const char *const changes[][4] = {
        {"{\"record\":\"run\"", "\"iota\"", "\"ones\"", "values: \"iota\" and \"ones\""},
        {"{\"record\":\"run\"", "\"block\":256", "\"block\":128", "block: 256 and 128"},
        {"{\"record\":\"verdict\"", "\"cells\":15", "\"cells\":16", "cells: 15 and 16"},
        {"\"step\":2", "\"grid\":1", "\"grid\":2", "round: "},
    };
    (void)state;
    char *text = recorded_text(&(struct recipe){.program = "fold", .n = 8});
    for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) {
        char *other = with(text, changes[k][0], changes[k][1], changes[k][2]);
        struct rd_trace_difference found = diff_texts(text, other);
        assert_true(found.differs);
        assert_false(found.in_cell);
        assert_int_equal(found.in_step, k == 3);
        if (!strstr(found.what, changes[k][3]))
            fail_msg("%s", found.what);
        free(other);
    }
    free(text);
}

static void test_diff_of_unequal_lengths_differs(void **state)
{
    (void)state;
    char *text = recorded_text(&(struct recipe){.program = "fold", .n = 8});
    char *last = without_line(text, 6), *step = without_line(last, 5);
    struct rd_trace_difference found = diff_texts(text, last);
    assert_true(found.differs);
    assert_string_equal(found.what, "length: where one has verdict, the other has its end");
    found = diff_texts(step, text);
    assert_true(found.differs && found.in_step);
    assert_int_equal(found.step, 3);
    free(step);
    free(last);
    free(text);
}

static void test_diff_of_cut_states_compares_digests(void **state)
{
    (void)state;
    char *text =
        recorded_text(&(struct recipe){.program = "fold", .n = 16, .cut = true, .cells = 2});
    char *one =
        with(text, "\"step\":1", "\"digest\":\"", "\"digest\":\"0123456789abcdef\",\"x\":\"");
    struct rd_trace_difference found = diff_texts(text, one);
    assert_true(found.differs && found.in_step);
    assert_int_equal(found.step, 1);
    assert_non_null(strstr(found.what, "digests"));
    free(one);
    free(text);
}

/* ---- the document ---- */

static void test_readme_trace_holds_when_replayed(void **state)
{
    (void)state;
    char *readme = slurp(TRACES "/README.md"), *text = strstr(readme, "```ndjson\n");
    assert_non_null(text);
    text = strchr(text, '\n') + 1;
    *strstr(text, "```") = '\0';
    struct rd_replay replay = replay_text(text);
    assert_int_equal(replay.verdict, RD_HOLDS);
    assert_string_equal(replay.reason, "");
    free(readme);
}

/* The README's trace is what this version writes, letter by letter. */
static void test_readme_trace_is_what_is_written(void **state)
{
    (void)state;
    char *readme = slurp(TRACES "/README.md"), *text = strstr(readme, "```ndjson\n");
    assert_non_null(text);
    *strstr(text + 3, "```") = '\0';
    char *written = recorded_text(&(struct recipe){.program = "fold", .n = 4, .frame = true});
    /* Behind the producer's and the device's names. */
    assert_string_equal(strstr(written, "\"values\""), strstr(text, "\"values\""));
    free(written);
    free(readme);
}

static int set_up(void **state)
{
    struct rd_error error;
    (void)state;
    return mkdtemp(folder) && rd_device_open("sim", &device, NULL, &error) == RD_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    char command[128];
    (void)state;
    rd_device_close(device);
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_replay_right_programs_of_every_type_hold),
        cmocka_unit_test(test_replay_lessons_are_violated_where_the_run_was),
        cmocka_unit_test(test_replay_cut_states_agree_with_the_run),
        cmocka_unit_test(test_write_cut_state_keeps_both_ends),
        cmocka_unit_test(test_replay_cut_list_is_inconclusive),
        cmocka_unit_test(test_replay_reason_of_a_right_trace_is_empty),
        cmocka_unit_test(test_write_extreme_values_keep_their_bits),
        cmocka_unit_test(test_write_random_floats_keep_their_bits),
        cmocka_unit_test(test_replay_nan_is_no_violation),
        cmocka_unit_test(test_replay_infinite_sum_leaves_the_exit_open),
        cmocka_unit_test(test_write_same_run_twice_gives_the_same_text),
        cmocka_unit_test(test_replay_any_changed_cell_is_violated),
        cmocka_unit_test(test_replay_any_changed_digest_is_noticed),
        cmocka_unit_test(test_replay_any_changed_number_is_noticed),
        cmocka_unit_test(test_replay_changed_words_are_noticed),
        cmocka_unit_test(test_replay_lesson_called_right_is_violated),
        cmocka_unit_test(test_replay_hazard_is_violated),
        cmocka_unit_test(test_replay_any_prefix_never_holds),
        cmocka_unit_test(test_replay_without_last_record_is_inconclusive),
        cmocka_unit_test(test_replay_missing_step_is_noticed),
        cmocka_unit_test(test_replay_repeated_step_is_refused),
        cmocka_unit_test(test_replay_foreign_major_is_refused),
        cmocka_unit_test(test_replay_unknown_kinds_and_members_are_passed_over),
        cmocka_unit_test(test_replay_garbled_lines_are_refused_with_their_number),
        cmocka_unit_test(test_replay_other_files_are_refused),
        cmocka_unit_test(test_replay_absurd_n_is_not_believed),
        cmocka_unit_test(test_replay_witness_runs_agree_with_the_run),
        cmocka_unit_test(test_replay_missing_pass_is_violated),
        cmocka_unit_test(test_write_grows_as_part_and_replaces_at_close),
        cmocka_unit_test(test_write_full_disk_is_reported),
        cmocka_unit_test(test_write_left_over_part_is_replaced),
        cmocka_unit_test(test_write_failed_write_leaves_the_part),
        cmocka_unit_test(test_write_impossible_paths_are_refused),
        cmocka_unit_test(test_write_pipe_gets_the_trace_directly),
        cmocka_unit_test(test_write_link_is_followed),
        cmocka_unit_test(test_write_interrupted_run_says_so),
        cmocka_unit_test(test_write_partial_evidence_has_no_actual),
        cmocka_unit_test(test_write_failed_run_has_no_last_record),
        cmocka_unit_test(test_last_path_follows_the_environment),
        cmocka_unit_test(test_diff_same_run_on_another_device_is_no_difference),
        cmocka_unit_test(test_diff_finds_the_first_step_and_cell),
        cmocka_unit_test(test_diff_of_inputs_names_the_array),
        cmocka_unit_test(test_diff_tells_zeros_apart_and_no_nans),
        cmocka_unit_test(test_diff_finds_what_is_in_no_cell),
        cmocka_unit_test(test_diff_of_unequal_lengths_differs),
        cmocka_unit_test(test_diff_of_cut_states_compares_digests),
        cmocka_unit_test(test_readme_trace_holds_when_replayed),
        cmocka_unit_test(test_readme_trace_is_what_is_written),
    };
    return cmocka_run_group_tests_name("trace", tests, set_up, tear_down) != 0;
}
