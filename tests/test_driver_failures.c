// SPDX-License-Identifier: MIT
/* The driver when something else fails: the device, an observer, the person at the keyboard. */
#include "fake_device.h"
#include "harness.h"
#include "reductio/bench.h"
#include "reductio/bench_rounds.h"
#include "reductio/history.h"
#include "reductio/premise.h"
#include "reductio/witness.h"

#include <stdio.h>
#include <string.h>

/* ---- an observer that keeps a log of what it is told ---- */

enum moment { NEVER, AT_BEGIN, AT_STEP, AT_HAZARD, AT_END };

struct logger {
    char name;
    struct log {
        char text[256];
    } * log;
    enum moment fails; /* and at which step */
    unsigned step;
    enum rd_status status;
    volatile sig_atomic_t *interrupt; /* set at that step, when not NULL */
    struct rd_result ended;
};

static enum rd_status note(struct logger *logger, char what, bool fails, struct rd_error *error)
{
    size_t length = strlen(logger->log->text);
    snprintf(logger->log->text + length, sizeof logger->log->text - length, "%c%c ", logger->name,
             what);
    return fails ? rd_fail(error, logger->status, "observer %c gave up", logger->name) : RD_OK;
}

static enum rd_status log_begin(void *self, const struct rd_run *run, struct rd_error *error)
{
    struct logger *logger = self;
    (void)run;
    return note(logger, 'b', logger->fails == AT_BEGIN, error);
}

static enum rd_status log_step(void *self, const struct rd_run *run, const struct rd_step *step,
                               struct rd_error *error)
{
    struct logger *logger = self;
    (void)run;
    if (logger->interrupt && step->number == logger->step)
        *logger->interrupt = 1;
    return note(logger, (char)('0' + step->number),
                logger->fails == AT_STEP && step->number == logger->step, error);
}

static enum rd_status log_hazard(void *self, const struct rd_run *run,
                                 const struct rd_hazard *hazard, struct rd_error *error)
{
    struct logger *logger = self;
    (void)run, (void)hazard;
    return note(logger, 'h', logger->fails == AT_HAZARD, error);
}

static enum rd_status log_end(void *self, const struct rd_run *run, const struct rd_result *result,
                              struct rd_error *error)
{
    struct logger *logger = self;
    (void)run;
    logger->ended = *result;
    return note(logger, 'e', logger->fails == AT_END, error);
}

static struct rd_observer observer_of(struct logger *logger)
{
    return (struct rd_observer){
        .self = logger,
        .begin = log_begin,
        .step = log_step,
        .hazard = log_hazard,
        .end = log_end,
    };
}

static const int32_t iota[8] = {0, 1, 2, 3, 4, 5, 6, 7}, ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};

/* A program on 8 numbers, watched by loggers x and y. */
struct watched {
    struct rd_run run;
    struct log log;
    struct logger x, y;
    struct rd_result result;
    struct rd_error error;
};

static void watch(struct watched *w, const char *program)
{
    *w = (struct watched){
        .run =
            {
                .program = rd_program_named(program),
                .numeric = rd_numeric(RD_TYPE_I32),
                .n = 8,
                .a = iota,
                .b = ones,
                .values = "iota",
                .device = test_device(),
            },
        .x = {.name = 'x', .status = RD_ERROR_IO},
        .y = {.name = 'y', .status = RD_ERROR_IO},
    };
    w->x.log = w->y.log = &w->log;
}

static enum rd_status run_watched(struct watched *w)
{
    const struct rd_observer x = observer_of(&w->x), silent = {0}, y = observer_of(&w->y);
    memset(&w->result, 0xa5, sizeof w->result);
    return rd_run(&w->run, (const struct rd_observer *const[]){&x, &silent, &y, NULL}, &w->result,
                  &w->error);
}

static bool result_is_untouched(const struct watched *w)
{
    struct rd_result untouched;
    memset(&untouched, 0xa5, sizeof untouched);
    return memcmp(&untouched, &w->result, sizeof untouched) == 0;
}

/* ---- members that must be there ---- */

/* All that takes a run, after one of its members. */
static void assert_run_is_refused(const struct rd_run *run, bool is_input, const char *text)
{
    struct rd_premise premise;
    struct rd_evidence evidence;
    struct rd_history *history;
    struct rd_bench_rounds rounds;
    struct rd_bench_verified verified;
    struct rd_result result;
    const struct rd_violation violation = {0};
    struct rd_error error = {""};
    assert_int_equal(rd_run(run, NULL, &result, &error), RD_ERROR_USAGE);
    assert_text(error.text, text);
    assert_int_equal(rd_history_run(&history, run, NULL, &error), RD_ERROR_USAGE);
    assert_int_equal(rd_bench_rounds(run, 1, &rounds, &error), RD_ERROR_USAGE);
    assert_int_equal(rd_bench_verified(run, 1, &verified, &error), RD_ERROR_USAGE);
    assert_text(error.text, text);
    if (is_input) /* those that follow have inputs of their own */
        return;
    assert_int_equal(rd_witness_run(run, NULL, &result, &error), RD_ERROR_USAGE);
    assert_int_equal(rd_witness_explain(run, &violation, &evidence, &error), RD_ERROR_USAGE);
    assert_int_equal(rd_premise_test(run, &premise, &error), RD_ERROR_USAGE);
    assert_text(error.text, text);
}

static void test_members_that_are_missing_are_named(void **state)
{
    struct watched w;
    (void)state;
    watch(&w, "dot-shared");
    w.run.program = NULL;
    assert_run_is_refused(&w.run, false,
                          "'program' of the run is NULL: set it (rd_program_named() returns NULL "
                          "for an unknown name)");
    watch(&w, "dot-shared");
    w.run.numeric = NULL;
    assert_run_is_refused(&w.run, false, "'numeric' of the run is NULL: set it");
    watch(&w, "dot-shared");
    w.run.device = NULL;
    assert_run_is_refused(&w.run, false, "'device' of the run is NULL: set it");
    watch(&w, "dot-shared");
    w.run.b = NULL;
    assert_run_is_refused(&w.run, true,
                          "'b' of the run is NULL, and dot-shared takes two inputs, a and b");
    watch(&w, "fold");
    w.run.a = NULL;
    assert_run_is_refused(&w.run, true, "'a' of the run is NULL, and fold takes an input, a");
}

/* ---- observers ---- */

static void test_observers_are_told_in_order_and_ended_once(void **state)
{
    struct watched w;
    (void)state;
    watch(&w, "fold");
    assert_int_equal(run_watched(&w), RD_OK);
    assert_text(w.log.text, "xb yb x0 y0 x1 y1 x2 y2 x3 y3 xe ye ");
    assert_false(w.x.ended.failed);
    assert_false(w.x.ended.interrupted);
    assert_int_equal(w.x.ended.verdict, RD_HOLDS);
}

static void test_observers_are_not_needed(void **state)
{
    struct watched w;
    (void)state;
    watch(&w, "fold");
    assert_int_equal(rd_run(&w.run, NULL, &w.result, NULL), RD_OK);
    assert_int_equal(w.result.verdict, RD_HOLDS);
}

static void test_observers_failing_at_begin_end_only_those_that_have_begun(void **state)
{
    struct watched w;
    (void)state;
    watch(&w, "fold");
    w.y.fails = AT_BEGIN;
    assert_int_equal(run_watched(&w), RD_ERROR_IO);
    assert_text(w.log.text, "xb yb xe ");
    assert_text(w.error.text, "observer y gave up");
    assert_true(w.x.ended.failed);
    assert_true(result_is_untouched(&w));
}

static void test_observers_failing_at_a_step_end_the_run(void **state)
{
    struct watched w;
    (void)state;
    watch(&w, "fold");
    w.x.fails = AT_STEP;
    w.x.step = 1;
    assert_int_equal(run_watched(&w), RD_ERROR_IO);
    assert_text(w.log.text, "xb yb x0 y0 x1 xe ye ");
    assert_text(w.error.text, "observer x gave up");
    assert_true(w.x.ended.failed && w.y.ended.failed);
    assert_false(w.y.ended.interrupted);
    assert_int_equal(w.y.ended.steps, 2); /* what had been asserted until then */
    assert_true(result_is_untouched(&w));
}

static void test_observers_failing_at_the_end_fail_the_run_and_others_are_ended(void **state)
{
    struct watched w;
    (void)state;
    watch(&w, "fold");
    w.x.fails = w.y.fails = AT_END;
    w.y.status = RD_ERROR_MEMORY;
    assert_int_equal(run_watched(&w), RD_ERROR_IO); /* the first failure is the one to report */
    assert_text(w.log.text, "xb yb x0 y0 x1 y1 x2 y2 x3 y3 xe ye ");
    assert_text(w.error.text, "observer x gave up");
    assert_true(result_is_untouched(&w));
}

static void test_observers_failing_twice_report_the_first_failure(void **state)
{
    struct watched w;
    (void)state;
    watch(&w, "fold");
    w.x.fails = AT_STEP;
    w.y.fails = AT_END;
    w.y.status = RD_ERROR_MEMORY;
    assert_int_equal(run_watched(&w), RD_ERROR_IO);
    assert_text(w.error.text, "observer x gave up");
}

static void test_observers_failing_at_a_hazard_end_the_run(void **state)
{
    struct watched w;
    struct fake fake;
    (void)state;
    watch(&w, "fold");
    fake_init(&fake, test_device());
    fake.fail_at = 6; /* alloc write host_alloc read wait, and the first launch */
    fake.fail_with = RD_ERROR_LAUNCH;
    w.run.device = &fake.device;
    w.x.fails = AT_HAZARD;
    assert_int_equal(run_watched(&w), RD_ERROR_IO);
    assert_text(w.log.text, "xb yb x0 y0 xh xe ye ");
    assert_true(w.y.ended.failed);
}

/* ---- interruption ---- */

static void test_interruption_ends_the_run_after_the_step(void **state)
{
    struct watched w;
    volatile sig_atomic_t interrupted = 0;
    (void)state;
    watch(&w, "fold");
    w.run.interrupted = &interrupted;
    w.x.interrupt = &interrupted;
    w.x.step = 1;
    assert_int_equal(run_watched(&w), RD_ERROR_INTERRUPTED);
    assert_text(w.log.text, "xb yb x0 y0 x1 y1 xe ye ");
    assert_text(w.error.text, "interrupted");
    assert_true(w.x.ended.interrupted);
    assert_false(w.x.ended.failed);
    assert_memory_equal(&w.result, &w.y.ended, sizeof w.result);
    assert_int_equal(w.result.steps, 2);
    assert_int_equal(w.result.verdict,
                     RD_INCONCLUSIVE); /* it held until then, and no more is known */
    assert_int_equal(w.result.obligations[RD_EXIT], RD_INCONCLUSIVE);
}

/* Its sums have 2^32 terms each: no test would wait for them. */
static void test_interruption_in_a_long_law_ends_the_run(void **state)
{
    struct watched w;
    volatile sig_atomic_t interrupted = 1;
    (void)state;
    watch(&w, "fold");
    struct rd_program own = *w.run.program;
    own.law = "input a[n]\narray A[n]\nlet w = n / 2^d\n"
              "law for 0 <= i < w: A[i] = sum of a[j], j mod w = i\n"
              "start for 0 <= i < n: A[i] = sum of a[j mod n], 0 <= j < 2^32\n"
              "update for 0 <= i < w: A[i] = A[i] + A[i + w]\n";
    w.run.program = &own;
    w.run.interrupted = &interrupted;
    const enum rd_status status = run_watched(&w);
    assert_text(w.error.text, "interrupted");
    assert_int_equal(status, RD_ERROR_INTERRUPTED);
    assert_text(w.log.text, "");
    assert_true(w.result.interrupted);
}

static void test_interruption_while_explaining_ends_the_run(void **state)
{
    struct watched w;
    struct fake fake;
    (void)state;
    watch(&w, "fold:wrong-half");
    fake_init(&fake, test_device());
    fake.interrupt_at = 3; /* steps 0 and 1 of the run, then step 0 of the first re-run */
    w.run.device = &fake.device;
    w.run.interrupted = &fake.interrupted;
    assert_int_equal(run_watched(&w), RD_ERROR_INTERRUPTED);
    assert_text(w.log.text, "xb yb x0 y0 xh yh x1 y1 xe ye ");
    assert_true(w.result.interrupted);
    assert_true(w.result.violated);
    assert_false(w.result.explained);
    assert_text(w.error.text, "interrupted");
}

/* ---- the device ---- */

static void check_failures(const char *program, enum rd_status status, unsigned calls)
{
    for (unsigned k = 1; k <= calls; k++) {
        struct watched w;
        struct fake fake;
        char call[32];
        watch(&w, program);
        fake_init(&fake, test_device());
        fake.fail_at = k;
        fake.fail_with = status;
        w.run.device = &fake.device;
        assert_int_equal(run_watched(&w), status);
        snprintf(call, sizeof call, "failed as call %u", k);
        assert_contains(w.error.text, call);
        assert_int_equal(fake.buffers, 0);
        assert_int_equal(fake.host_arrays, 0);
        assert_false(fake.misused);
        assert_int_equal(fake.calls, k); /* nothing is tried after a failure */
        assert_true(result_is_untouched(&w));
        assert_int_equal(strstr(w.log.text, "yb") != NULL, strstr(w.log.text, "ye") != NULL);
        if (strstr(w.log.text, "ye"))
            assert_true(w.y.ended.failed);
    }
}

static void test_device_failing_at_any_call_is_passed_on_and_leaks_nothing(void **state)
{
    (void)state;
    /* fold: alloc write host_alloc, and 4 x (read wait), 3 x launch; with b: alloc write more. */
    check_failures("fold", RD_ERROR_DEVICE, 3 + 8 + 3);
    check_failures("fold", RD_ERROR_MEMORY, 3 + 8 + 3);
    check_failures("dot-tournament", RD_ERROR_DEVICE, 5 + 10 + 4);
    struct watched w;
    struct fake fake;
    watch(&w, "fold");
    fake_init(&fake, test_device());
    fake.fail_at = 15; /* there is no such call */
    w.run.device = &fake.device;
    assert_int_equal(run_watched(&w), RD_OK);
    assert_int_equal(fake.calls, 14);
}

static void test_device_failing_while_explaining_leaves_the_violation_unexplained(void **state)
{
    struct watched w;
    struct fake fake;
    (void)state;
    for (unsigned k = 9; k < 20; k++) { /* the run itself makes 8 calls */
        watch(&w, "fold:wrong-half");
        fake_init(&fake, test_device());
        fake.fail_at = k;
        fake.fail_with = RD_ERROR_DEVICE;
        w.run.device = &fake.device;
        assert_int_equal(run_watched(&w), RD_OK);
        assert_int_equal(w.result.verdict, RD_VIOLATED);
        assert_int_equal(w.result.explained, fake.calls < k);
        assert_int_equal(fake.buffers, 0);
        assert_int_equal(fake.host_arrays, 0);
    }
}

static void test_device_refusing_a_launch_is_a_hazard_of_that_step(void **state)
{
    (void)state;
    for (unsigned round = 1; round <= 3; round++) {
        struct test_record record;
        struct fake fake;
        fake_init(&fake, test_device());
        fake.fail_at = 3 + 3 * round; /* 3 to prepare; read, wait and launch */
        fake.fail_with = RD_ERROR_LAUNCH;
        test_record(
            &(struct test_case){
                .program = "fold", .n = 8, .values = "ones", .device = &fake.device},
            &record);
        assert_int_equal(record.status, RD_OK);
        assert_int_equal(record.hazards, 1);
        assert_text(record.hazard.name, "illegal-launch");
        assert_int_equal(record.hazard.step, round);
        assert_contains(record.hazard.message, "fake: launch failed");
        assert_int_equal(record.result.verdict, RD_VIOLATED);
        assert_int_equal(record.result.hazards, 1);
        assert_int_equal(record.result.violation.step, round); /* the array stayed as it was */
        assert_int_equal(record.n_steps, round + 1);
        test_record_finish(&record);
    }
}

/* ---- a program of one's own ---- */

static enum rd_status run_own(const struct rd_program *own, const struct rd_observer *observer,
                              struct rd_error *error)
{
    const struct rd_observer *const observers[] = {observer, NULL};
    struct rd_values values;
    struct rd_result result;
    const struct rd_shape shape = rd_program_shape(own, (struct rd_shape){.n = 16, .block = 4});
    assert_int_equal(
        rd_values_init(&values, rd_numeric(RD_TYPE_I32), "iota", shape.n, 1, true, error), RD_OK);
    const struct rd_run run = {.program = own,
                               .numeric = values.numeric,
                               .n = shape.n,
                               .a = values.a,
                               .b = values.b,
                               .values = values.spec,
                               .block = shape.block,
                               .grid = shape.grid,
                               .blocks.all = true,
                               .device = test_device()};
    const enum rd_status status = rd_run(&run, observers, &result, error);
    rd_values_finish(&values);
    return status;
}

/* dot-shared, with a line before the law of its checkpoint. */
static struct rd_program with_line(const char *line, char law[2000])
{
    struct rd_program own = *rd_program_named("dot-shared");
    const char *end = strstr(strstr(own.law, "steps w"), "\nlaw ") + 1;
    snprintf(law, 2000, "%.*s%s%s", (int)(end - own.law), own.law, line, end);
    own.law = law;
    return own;
}

/* A value that is missing in rounds or checkpoints is neither the end of the loop nor a checkpoint that nobody reaches. */
static void test_paragraph_without_a_value_fails_the_run(void **state)
{
    static const struct {
        const char *met, *launch, *text;
    } rows[] = {
        {"when T div (d - 1) = 0\n", NULL, "division by 0: undefined at 'sequential'"},
        {"when cache > 0\n", NULL, "'cache'"},
        {"", "when n div (d - 1) = 0: dot_shared(a, b, A, n) by n threads",
         "division by 0: undefined at d = 1"},
        {"", "nothing(A) by 1 thread", "there is no kernel 'nothing'"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct rd_error error = {""};
        char law[2000];
        struct rd_program own = with_line(rows[k].met, law);
        own.launch = rows[k].launch ? rows[k].launch : own.launch;
        assert_int_equal(run_own(&own, NULL, &error), RD_ERROR_USAGE);
        assert_contains(error.text, "the paragraph of dot-shared");
        assert_contains(error.text, rows[k].text);
    }
}

/* Runs another program in the midst of a run. */
static enum rd_status run_another(void *self, const struct rd_run *run, const struct rd_step *step,
                                  struct rd_error *error)
{
    struct rd_error why = {""};
    (void)run, (void)step, (void)error;
    run_own(self, NULL, &why);
    return RD_OK;
}

static void test_paragraph_without_a_value_fails_its_run_whatever_another_does(void **state)
{
    char law[2000], other_law[2000];
    const struct rd_program own = with_line("when T div (d - 1) = 0\n", law);
    struct rd_program others[] = {*rd_program_named("fold"),
                                  with_line("when cache > 0\n", other_law)};
    (void)state;
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        struct rd_error error = {""};
        const struct rd_observer observer = {.self = &others[k], .step = run_another};
        assert_int_equal(run_own(&own, &observer, &error), RD_ERROR_USAGE);
        assert_contains(error.text, "division by 0: undefined at 'sequential'");
    }
}

static void test_paragraph_without_a_value_leaves_a_refusal_as_it_is(void **state)
{
    char law[2000];
    struct rd_program own = with_line("", law);
    struct rd_error error = {""};
    struct logger logger = {.name = 'x', .fails = AT_BEGIN, .status = RD_ERROR_IO};
    struct log log = {""};
    const struct rd_observer observer = observer_of(&logger);
    (void)state;
    logger.log = &log;
    own.launch = "when n div (d - 1) = 0: dot_shared(a, b, A, n) by n threads";
    assert_int_equal(run_own(&own, &observer, &error), RD_ERROR_IO);
    assert_contains(error.text, "observer x gave up");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_members_that_are_missing_are_named),
        cmocka_unit_test(test_observers_are_told_in_order_and_ended_once),
        cmocka_unit_test(test_observers_are_not_needed),
        cmocka_unit_test(test_observers_failing_at_begin_end_only_those_that_have_begun),
        cmocka_unit_test(test_observers_failing_at_a_step_end_the_run),
        cmocka_unit_test(test_observers_failing_at_the_end_fail_the_run_and_others_are_ended),
        cmocka_unit_test(test_observers_failing_twice_report_the_first_failure),
        cmocka_unit_test(test_observers_failing_at_a_hazard_end_the_run),
        cmocka_unit_test(test_interruption_ends_the_run_after_the_step),
        cmocka_unit_test(test_interruption_in_a_long_law_ends_the_run),
        cmocka_unit_test(test_interruption_while_explaining_ends_the_run),
        cmocka_unit_test(test_device_failing_at_any_call_is_passed_on_and_leaks_nothing),
        cmocka_unit_test(test_device_failing_while_explaining_leaves_the_violation_unexplained),
        cmocka_unit_test(test_device_refusing_a_launch_is_a_hazard_of_that_step),
        cmocka_unit_test(test_paragraph_without_a_value_fails_the_run),
        cmocka_unit_test(test_paragraph_without_a_value_fails_its_run_whatever_another_does),
        cmocka_unit_test(test_paragraph_without_a_value_leaves_a_refusal_as_it_is),
    };
    return cmocka_run_group_tests_name("driver-failures", tests, test_set_up, test_tear_down) != 0;
}
