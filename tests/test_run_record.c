// SPDX-License-Identifier: MIT
/* The record of a run: what it keeps of the violations and hazards, and what it says of them. */
#include "reductio/run_record.h"
#include "reductio/hazards.h"
#include "reductio/values.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct rd_device *device;
static struct rd_values values;

static int open_device(void **state)
{
    (void)state;
    return rd_device_open("sim", &device, NULL, NULL) == RD_OK ? 0 : -1;
}

static int close_device(void **state)
{
    (void)state;
    rd_device_close(device);
    return 0;
}

static int finish_values(void **state)
{
    (void)state;
    rd_values_finish(&values);
    return 0;
}

/* A run of the program on iota, in the type and the shape of its own. */
static struct rd_run run_of(const char *name, size_t n)
{
    const struct rd_program *program = rd_program_named(name);
    assert_non_null(program);
    const struct rd_numeric *numeric = rd_numeric(program->type);
    assert_int_equal(
        rd_values_init(&values, numeric, "iota", n, n, rd_program_has_b(program), NULL), RD_OK);
    return (struct rd_run){
        .program = program,
        .numeric = numeric,
        .n = n,
        .a = values.a,
        .b = values.b,
        .values = values.spec,
        .frame = true,
        .device = device,
    };
}

static void test_record_right_run_has_nothing_but_the_summary(void **state)
{
    struct rd_run_record record;
    const struct rd_run run = run_of("fold", 8);
    (void)state;
    assert_int_equal(rd_run_record(&run, &record, NULL), RD_OK);
    assert_true(record.ended);
    assert_true(rd_run_record_is_whole(&run, &record));
    assert_int_equal(record.result.verdict, RD_HOLDS);
    assert_int_equal(record.n_violations + record.n_violated + record.n_hazards, 0);
    assert_null(rd_run_record_violation(&record, 1, 0));
    assert_null(rd_run_record_hazard(&record, RD_HAZARD_RACE, NULL, 0));
    assert_non_null(strstr(record.explanation, "exit            HOLDS"));
    assert_non_null(strstr(record.explanation,
                           "\nHOLDS fold n=8 i32 sim: 4 steps, 15 cells asserted, 0 hazards"));
    rd_run_record_finish(&record);
}

static void test_record_wrong_run_has_violation_hazard_and_explanation(void **state)
{
    struct rd_run_record record;
    const struct rd_run run = run_of("fold:wrong-half", 8);
    (void)state;
    assert_int_equal(rd_run_record(&run, &record, NULL), RD_OK);
    assert_false(rd_run_record_is_whole(&run, &record)); /* it has ended behind round 1 */
    assert_int_equal(record.n_violated, 1);
    const struct rd_violation *violation = rd_run_record_violation(&record, 1, 0);
    assert_non_null(violation);
    assert_int_equal(violation->kind, RD_VIOLATION_BITS);
    assert_null(rd_run_record_violation(&record, 1, 1));
    assert_null(rd_run_record_violation(&record, 2, 0));
    assert_int_equal(record.n_hazards, 1);
    const struct rd_hazard *hazard = rd_run_record_hazard(&record, RD_HAZARD_RACE, "A", 3);
    assert_non_null(hazard);
    assert_ptr_equal(hazard, rd_run_record_hazard(&record, RD_HAZARD_RACE, NULL, 0));
    assert_null(rd_run_record_hazard(&record, RD_HAZARD_RACE, "A", 2));
    assert_null(rd_run_record_hazard(&record, RD_HAZARD_RACE, "B", 3));
    assert_null(rd_run_record_hazard(&record, RD_HAZARD_LEAK, "A", 3));
    assert_int_equal(hazard->step, 1);
    assert_int_equal(hazard->finding->n_places, 2);
    assert_string_equal(hazard->finding->before, "3");
    static const char *const said[] = {
        "hazard in round 1: race: read-write",
        "\nstep 1, A[0]: expected 4, actual 3; 4 cells are wrong",
        "\nA[0] should hold {0,4}; it holds {0,3}",
        "\npreservation    VIOLATED      round 1 does not keep it",
        "\nVIOLATED fold:wrong-half n=8 i32 sim: 2 steps, 12 cells asserted, 1 hazard",
    };
    for (size_t k = 0; k < sizeof said / sizeof *said; k++)
        if (!strstr(record.explanation, said[k]))
            fail_msg("no '%s' in '%s'", said[k], record.explanation);
    rd_run_record_finish(&record);
}

static void test_record_run_that_goes_on_has_all_violations(void **state)
{
    struct rd_run_record record;
    struct rd_run run = run_of("fold:wrong-half", 8);
    (void)state;
    run.go_on = true;
    assert_int_equal(rd_run_record(&run, &record, NULL), RD_OK);
    assert_true(rd_run_record_is_whole(&run, &record));
    assert_int_equal(record.n_violations, 3);
    for (unsigned round = 1; round <= 3; round++)
        assert_non_null(rd_run_record_violation(&record, round, 0));
    rd_run_record_finish(&record);
}

static void test_record_many_violations_are_counted_and_some_are_kept(void **state)
{
    struct rd_run_record record;
    struct rd_run run = run_of("fold", 8);
    (void)state;
    rd_run_record_init(&record, NULL);
    const struct rd_violation violation = {.step = 1, .cell = 2};
    const struct rd_step step = {.violation = &violation};
    for (unsigned k = 0; k < RD_RUN_RECORD_VIOLATIONS_MAX + 5; k++)
        assert_int_equal(record.observer.step(record.observer.self, &run, &step, NULL), RD_OK);
    assert_int_equal(record.n_violations, RD_RUN_RECORD_VIOLATIONS_MAX);
    assert_int_equal(record.n_violated, RD_RUN_RECORD_VIOLATIONS_MAX + 5);
    assert_string_equal(record.explanation, "");
    assert_false(record.ended);
    rd_run_record_finish(&record);
}

/* A run's record has all that went wrong, at its goal and at checkpoints, too. */
static void test_record_of_each_program_agrees_with_its_result(void **state)
{
    unsigned goals = 0, inside = 0;
    (void)state;
    for (size_t k = 0; rd_programs[k]; k++) {
        const struct rd_program *program = rd_programs[k];
        if (program->may_hang || !rd_program_has_n_inputs(program))
            continue;
        struct rd_run_record record;
        struct rd_run run = run_of(program->name, program->n);
        run.block = program->n_block;
        run.grid = program->n_grid;
        assert_int_equal(rd_run_record(&run, &record, NULL), RD_OK);
        assert_int_equal(record.n_hazards, record.result.hazards);
        assert_int_equal(record.n_violated > 0, record.result.violated);
        if (record.result.violated) {
            const struct rd_violation *violation = &record.result.violation;
            assert_non_null(rd_run_record_violation(&record, violation->step, violation->cell));
            goals += violation->kind == RD_VIOLATION_GOAL;
            inside += violation->inside;
        }
        rd_run_record_finish(&record);
        rd_values_finish(&values);
        values = (struct rd_values){0};
    }
    assert_true(goals > 0);
    assert_true(inside > 0);
}

static void test_record_of_what_is_refused_is_none(void **state)
{
    struct rd_run_record record;
    struct rd_error error = {""};
    struct rd_run run = run_of("fold", 8);
    (void)state;
    run.n = 7;
    assert_int_equal(rd_run_record(&run, &record, &error), RD_ERROR_USAGE);
    assert_true(*error.text);
}

static void test_record_of_an_interrupted_run_is_until_then(void **state)
{
    static const volatile sig_atomic_t interrupted = 1;
    struct rd_run_record record;
    struct rd_run run = run_of("fold", 8);
    (void)state;
    run.interrupted = &interrupted;
    assert_int_equal(rd_run_record(&run, &record, NULL), RD_ERROR_INTERRUPTED);
    assert_true(record.result.interrupted);
    assert_false(rd_run_record_is_whole(&run, &record));
    assert_non_null(strstr(record.explanation, "INTERRUPTED fold n=8"));
    rd_run_record_finish(&record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_record_right_run_has_nothing_but_the_summary, finish_values),
        cmocka_unit_test_teardown(test_record_wrong_run_has_violation_hazard_and_explanation,
                                  finish_values),
        cmocka_unit_test_teardown(test_record_run_that_goes_on_has_all_violations, finish_values),
        cmocka_unit_test_teardown(test_record_many_violations_are_counted_and_some_are_kept,
                                  finish_values),
        cmocka_unit_test_teardown(test_record_of_each_program_agrees_with_its_result,
                                  finish_values),
        cmocka_unit_test_teardown(test_record_of_what_is_refused_is_none, finish_values),
        cmocka_unit_test_teardown(test_record_of_an_interrupted_run_is_until_then, finish_values),
    };
    return cmocka_run_group_tests(tests, open_device, close_device) != 0;
}
