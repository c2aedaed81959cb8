// SPDX-License-Identifier: MIT
/* Values that make no sense, in all structs that a client fills: each is refused, by a message that names it. */
#include "harness.h"
#include "reductio/candidate.h"
#include "reductio/history.h"
#include "reductio/launchable.h"
#include "reductio/text.h"

#include <limits.h>
#include <string.h>

static void assert_said(enum rd_status status, const struct rd_error *error, const char *why)
{
    if (status != RD_ERROR_USAGE || !strstr(error->text, why))
        fail_msg("status %d: '%s' doesn't say '%s'", status, error->text, why);
}

/* ---- runs ---- */

static const int32_t a[8] = {1, 2, 3, 4, 5, 6, 7, 8};
static const struct rd_program lawless = {.name = "lawless"},
                               aimless = {.name = "aimless", .law = "input a[n]", .goal = 77},
                               resultless = {.name = "resultless",
                                             .law = "input a[n]",
                                             .goal = RD_GOAL_RESULT};
static const struct rd_break no_break = {.kind = 77}, large_break = {.size = 8};
static const struct rd_hazard no_hazard = {.kind = 777, .step = 1, .message = "x"},
                              silent = {.kind = RD_HAZARD_RACE, .step = 1};

static void spoil_by(struct rd_run *run)
{
    run->hazards_by = 77;
}

static void spoil_n(struct rd_run *run)
{
    run->n = 0;
}

static void spoil_large_n(struct rd_run *run)
{
    run->n = SIZE_MAX;
}

static void spoil_program(struct rd_run *run)
{
    run->program = &lawless;
}

static void spoil_goal(struct rd_run *run)
{
    run->program = &aimless;
}

static void spoil_result(struct rd_run *run)
{
    run->program = &resultless;
}

static void spoil_pass(struct rd_run *run)
{
    run->pass = 3;
    run->passes = 2;
}

static void spoil_passes(struct rd_run *run)
{
    run->passes = 2;
}

static void spoil_digits(struct rd_run *run)
{
    run->digit_bits = 65;
}

static void spoil_blocks(struct rd_run *run)
{
    run->blocks.count = RD_BLOCKS_MAX + 1;
}

static void spoil_block(struct rd_run *run)
{
    run->block = UINT_MAX;
}

static void spoil_schedules(struct rd_run *run)
{
    run->n_schedules = UINT_MAX;
}

static void spoil_breaks(struct rd_run *run)
{
    run->n_breaks = 1;
}

static void spoil_break(struct rd_run *run)
{
    run->breaks = &no_break;
    run->n_breaks = 1;
}

static void spoil_break_size(struct rd_run *run)
{
    run->breaks = &large_break;
    run->n_breaks = 1;
}

static void spoil_given(struct rd_run *run)
{
    run->n_given = 1;
}

static void spoil_hazard(struct rd_run *run)
{
    run->given = &no_hazard;
    run->n_given = 1;
}

static void spoil_message(struct rd_run *run)
{
    run->given = &silent;
    run->n_given = 1;
}

static void spoil_size(struct rd_run *run)
{
    run->size = 8;
}

static void test_a_run_with_a_value_that_makes_no_sense_is_refused(void **state)
{
    static const struct {
        void (*spoil)(struct rd_run *run);
        const char *why;
    } rows[] = {
        {spoil_by, "'hazards_by' of the run is 77"},
        {spoil_n, "'n' is 0"},
        {spoil_large_n, "'n' is 18446744073709551615"},
        {spoil_program, "'lawless' has no law"},
        {spoil_goal, "'goal' of 'aimless' is 77"},
        {spoil_result, "'goal' of 'resultless' is 5"},
        {spoil_pass, "'pass' of the run is 3 of 2"},
        {spoil_passes, "'pass' of the run is 0 of 2"},
        {spoil_digits, "'digit_bits' of the run is 65"},
        {spoil_blocks, "'blocks' of the run has 65"},
        {spoil_block, "'block' is 4294967295"},
        {spoil_schedules, "'n_schedules' is 4294967295"},
        {spoil_breaks, "'breaks' of the run is NULL"},
        {spoil_break, "'kind' of break 0 is 77"},
        {spoil_break_size, "'size' of break 0 is 8"},
        {spoil_given, "'given' of the run is NULL"},
        {spoil_hazard, "given hazard 0 has no kind"},
        {spoil_message, "given hazard 0 has no message"},
        {spoil_size, "has no such run"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct rd_run run = {.program = rd_program_named("fold"),
                             .numeric = rd_numeric(RD_TYPE_I32),
                             .n = 8,
                             .a = a,
                             .device = test_device()};
        struct rd_result result;
        struct rd_error error = {""};
        rows[k].spoil(&run);
        assert_said(rd_run(&run, NULL, &result, &error), &error, rows[k].why);
    }
}

static void test_an_observer_of_another_size_is_refused(void **state)
{
    const struct rd_observer observer = {.size = 8};
    const struct rd_observer *observers[] = {&observer, NULL};
    const struct rd_run run = {.program = rd_program_named("fold"),
                               .numeric = rd_numeric(RD_TYPE_I32),
                               .n = 8,
                               .a = a,
                               .device = test_device()};
    struct rd_result result;
    struct rd_error error = {""};
    (void)state;
    assert_said(rd_run(&run, observers, &result, &error), &error, "has no such observer");
}

/* ---- options ---- */

/* As clients of a later version have them. */
struct later_progress {
    struct rd_progress progress;
    const void *later;
};
struct later_observer {
    struct rd_observer observer;
    const void *later;
};
struct later_options {
    struct rd_history_options options;
    size_t later;
};

static void tell_nothing(void *self, enum rd_activity activity, unsigned round, unsigned rounds)
{
    (void)self, (void)activity, (void)round, (void)rounds;
}

static void hear_nothing(void *self, const struct rd_candidate_step *step)
{
    (void)self, (void)step;
}

static struct rd_run usual_run(void)
{
    return (struct rd_run){.program = rd_program_named("fold"),
                           .numeric = rd_numeric(RD_TYPE_I32),
                           .n = 8,
                           .a = a,
                           .device = test_device()};
}

static void test_options_of_another_size_are_refused(void **state)
{
    struct rd_run run = usual_run();
    struct rd_progress progress = {.size = 8, .tell = tell_nothing};
    struct rd_history_options options = {.size = 8};
    struct rd_text_options text = {.size = 8, .out = stdout, .width = 80};
    struct rd_candidate_listener listener = {.size = 8, .step = hear_nothing};
    struct rd_result result;
    struct rd_history *history;
    struct rd_text_view *view;
    struct rd_candidate *candidate;
    struct rd_error error = {""};
    struct rd_law_error why = {0};
    (void)state;
    run.progress = &progress;
    assert_said(rd_run(&run, NULL, &result, &error), &error, "has no such progress");
    progress.size = sizeof progress;
    assert_int_equal(rd_run(&run, NULL, &result, &error), RD_OK);
    assert_said(rd_history_run(&history, &run, &options, &error), &error,
                "has no such history_options");
    assert_said(rd_history_read(&history, "/dev/null", &options, &error), &error,
                "has no such history_options");
    assert_said(rd_text_view_create(&view, &text, &error), &error, "has no such text_options");
    text = (struct rd_text_options){.width = 80};
    assert_said(rd_text_view_create(&view, &text, &error), &error, "'out' of the text view");
    text = (struct rd_text_options){.out = stdout};
    assert_said(rd_text_view_create(&view, &text, &error), &error, "'width' of the text view");
    assert_said(rd_candidate_create(&candidate, run.program, NULL, &listener, &why), &why.what,
                "has no such candidate_listener");
    listener = (struct rd_candidate_listener){.size = sizeof listener};
    assert_said(rd_candidate_create(&candidate, run.program, NULL, &listener, &why), &why.what,
                "the listener's 'step' is NULL");
}

static void test_later_options_are_taken_where_they_say_nothing_unknown(void **state)
{
    struct rd_run run = usual_run();
    struct later_progress progress = {.progress = {.size = sizeof progress, .tell = tell_nothing}};
    struct later_observer observer = {.observer = {.size = sizeof observer}};
    const struct rd_observer *observers[] = {&observer.observer, NULL};
    struct later_options options = {.options = {.size = sizeof options}};
    struct rd_result result;
    struct rd_history *history;
    struct rd_error error = {""};
    (void)state;
    run.progress = &progress.progress;
    assert_int_equal(rd_run(&run, observers, &result, &error), RD_OK);
    assert_int_equal(rd_history_run(&history, &run, &options.options, &error), RD_OK);
    rd_history_destroy(history);
    observer.later = &observer;
    assert_said(rd_run(&run, observers, &result, &error), &error, "has no such observer");
    progress.later = &progress;
    assert_said(rd_run(&run, NULL, &result, &error), &error, "has no such progress");
    run.progress = NULL;
    options.later = 1;
    assert_said(rd_history_run(&history, &run, &options.options, &error), &error,
                "has no such history_options");
}

/* ---- runs within runs ---- */

struct within {
    bool at_checkpoints;
    unsigned n_refused, n_held;
};

static enum rd_status run_within(void *self, const struct rd_run *run, const struct rd_step *step,
                                 struct rd_error *error)
{
    struct within *within = self;
    struct rd_run inner = usual_run();
    struct rd_result result;
    (void)run;
    if ((step->place != NULL) != within->at_checkpoints || within->n_refused + within->n_held > 2)
        return RD_OK;
    enum rd_status status = rd_device_open("sim", &inner.device, NULL, error);
    if (status != RD_OK)
        return status;
    status = rd_run(&inner, NULL, &result, error);
    if (status == RD_OK && result.verdict == RD_HOLDS)
        within->n_held++;
    else if (status == RD_ERROR_USAGE && strstr(error->text, "a launch within a launch"))
        within->n_refused++;
    rd_device_close(inner.device);
    return RD_OK;
}

static void test_observer_makes_runs_but_not_while_a_round_is_under_way(void **state)
{
    static const int32_t ones[64];
    (void)state;
    for (int k = 0; k < 2; k++) {
        struct within within = {.at_checkpoints = k};
        const struct rd_observer observer = {.self = &within, .step = run_within};
        const struct rd_observer *observers[] = {&observer, NULL};
        struct rd_run run = usual_run();
        struct rd_result result;
        struct rd_error error = {""};
        run.program = rd_program_named("ladder-sequential");
        run.n = 64;
        run.a = ones;
        if (!run.device->ops->simulates)
            skip();
        if (rd_run(&run, observers, &result, &error) != RD_OK)
            fail_msg("%s", error.text);
        assert_int_equal(result.verdict, RD_HOLDS);
        assert_int_equal(result.hazards, 0);
        assert_int_equal(within.n_refused, k ? 3 : 0);
        assert_int_equal(within.n_held, k ? 0 : 2);
    }
}

static void test_there_is_no_arithmetic_of_a_type_that_there_is_not(void **state)
{
    (void)state;
    assert_null(rd_numeric((enum rd_type)99));
    assert_null(rd_numeric((enum rd_type) - 1));
    assert_null(rd_numeric_over((enum rd_type)99, RD_OPERATION_SUM));
    assert_null(rd_numeric_over(RD_TYPE_I32, (enum rd_operation)99));
    assert_null(rd_numeric_over((enum rd_type)99, RD_OPERATION_ARGMAX));
}

/* ---- launches ---- */

static void test_a_launch_of_what_is_not_there_is_refused(void **state)
{
    const struct rd_launch usual = {.grid = 1, .block = 1};
    static const struct {
        struct rd_launch launch;
        enum rd_status status;
        const char *why;
    } rows[] = {
        {{.size = 8, .grid = 1, .block = 1}, RD_ERROR_USAGE, "has no such launch"},
        {{.kernel = 99999, .grid = 1, .block = 1}, RD_ERROR_USAGE, "kernel 99999"},
        {{.type = 99, .grid = 1, .block = 1}, RD_ERROR_USAGE, "of type 99"},
        {{.operation = 99, .grid = 1, .block = 1}, RD_ERROR_USAGE, "operation 99"},
        {{.n_args = 99, .grid = 1, .block = 1}, RD_ERROR_USAGE, "99 arguments"},
        {{.n_omissions = 9, .grid = 1, .block = 1}, RD_ERROR_USAGE, "9 omissions"},
        {{.grid = 1, .block = 2, .block_y = 1u << 31}, RD_ERROR_LAUNCH, "2147483648 threads in y"},
        {{.grid = 0, .block = 1}, RD_ERROR_LAUNCH, "a grid of 0 blocks"},
    };
    struct rd_device *device = test_device();
    struct rd_error error = {""};
    (void)state;
    assert_said(device->ops->launch(device, &usual, &error), &error, "takes 2 arguments");
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        error.text[0] = '\0';
        assert_int_equal(device->ops->launch(device, &rows[k].launch, &error), rows[k].status);
        if (!strstr(error.text, rows[k].why))
            fail_msg("'%s' doesn't say '%s'", error.text, rows[k].why);
    }
}

/* ---- programs and kernels ---- */

#define PROGRAM                                                                                    \
    .size = sizeof(struct rd_program), .summary = "a test", .n = 8,                                \
    .launch = "when w > 0: fold(A, w) by w threads, half = w",                                     \
    .law = "input a[n]\narray A[n]\nlet w = n / 2^d\n"                                             \
           "law for 0 <= i < w: A[i] = sum of a[j], j mod w = i\n"

/* Section of a point, to stand behind the law. */
#define AT(point) "at " point " shared x[T]\nlaw for 0 <= i < T: x[i] = sum of a[j], j mod T = i\n"

static void test_a_program_with_a_value_that_makes_no_sense_is_refused(void **state)
{
    static const struct {
        struct rd_program program;
        const char *why;
    } rows[] = {
        {{PROGRAM, .name = NULL}, "can't be a program's name"},
        {{PROGRAM, .name = "hostile", .reads = "no such"}, "'reads' of 'hostile'"},
        {{PROGRAM, .name = "hostile", .reads = "0"}, "'reads' of 'hostile'"},
        {{PROGRAM, .name = "hostile", .blocks = "/"}, "'blocks' of 'hostile'"},
        {{PROGRAM, .name = "hostile", .blocks = "n - n"}, "'blocks' of 'hostile'"},
        {{PROGRAM, .name = "hostile", .points = "nowhere"}, "'nowhere', and there is no such"},
        {{PROGRAM, .name = "hostile", .points = "sequential"},
         "'points' of 'hostile' lists 'sequential', of which its paragraph says nothing"},
        {{PROGRAM AT("sequential"), .name = "hostile", .points = ""},
         "'points' of 'hostile' leaves out 'sequential', of which its paragraph says"},
        {{PROGRAM AT("nowhere"), .name = "hostile"},
         "'law' of 'hostile' says what holds at 'nowhere', and there is no such point"},
        {{PROGRAM, .name = "hostile", .goal = RD_GOAL_LAST,
          .accept = "n > 1 and n = bit_ceil(n) else no", .goal_text = "A[1] = a[1]"},
         "promises of A[1] what its law doesn't say: of n = 2 the law says nothing of that cell"},
        {{PROGRAM, .name = "hostile", .goal = RD_GOAL_LAST, .accept = "n = bit_ceil(n) else no",
          .goal_text = "A[0] = a[0]"},
         "promises of A[0] what its law doesn't say: of n = 2 the law says something else"},
        {{PROGRAM, .name = "hostile", .goal = RD_GOAL_SUM, .accept = "n = bit_ceil(n) else no",
          .goal_text = "A[0] = sum of a[j], j < 4"},
         "promises of A[0] what its law doesn't say: of n = 8"},
        {{PROGRAM, .name = "hostile", .goal = RD_GOAL_LAST, .accept = "n = bit_ceil(n) else no",
          .goal_text = "A[0] = max of a[j]"},
         "promises of A[0] what its law doesn't say: of n = 2 the law says something else"},
        {{PROGRAM, .name = "hostile", .goal = RD_GOAL_LAST, .accept = "n = bit_ceil(n) else no",
          .goal_text = "for 1 <= i < w: A[i] = sum of a[j]"},
         "'goal_text' of 'hostile' claims no cell of n = 1"},
        {{PROGRAM, .name = "hostile", .twin = "nobody"}, "'twin' of 'hostile'"},
        {{PROGRAM, .name = "hostile", .values = "list:x"}, "'values' of 'hostile'"},
        {{PROGRAM, .name = "hostile", .values = "list:1,2"}, "'values' of 'hostile'"},
        {{PROGRAM, .name = "hostile", .goal = RD_GOAL_LAST, .goal_text = "all is well"},
         "'goal_text' of 'hostile'"},
        {{PROGRAM, .name = "hostile", .goal_text = ""}, "'goal_text' of 'hostile'"},
        {{PROGRAM, .name = "hostile", .goal = 77}, "the goal of 'hostile'"},
        {{PROGRAM, .name = "hostile", .type = 77}, "'type' of 'hostile' is 77"},
        {{PROGRAM, .name = "hostile", .operation = 77}, "'operation' of 'hostile' is 77"},
        {{PROGRAM, .name = "hostile", .block = 2000}, "'block' of 'hostile'"},
        {{PROGRAM, .name = "hostile", .n_block = 2000}, "'n_block' of 'hostile'"},
        {{PROGRAM, .name = "hostile", .accept = "n >"}, ""},
        {{PROGRAM, .name = "hostile", .kernel = ""}, "there is no kernel ''"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const struct rd_program *found = NULL;
        struct rd_error error = {""};
        assert_said(rd_program_register(&rows[k].program, &found, &error), &error, rows[k].why);
        assert_null(found);
        assert_null(rd_program_named("hostile"));
    }
}

static void no_thread(void *const *arguments)
{
    (void)arguments;
}

static void test_a_kernel_without_a_name_is_refused(void **state)
{
#define KERNEL .size = sizeof(struct rd_launchable)
    static const struct {
        struct rd_launchable kernel;
        const char *why;
    } rows[] = {
        {{KERNEL, .type = "i32", .parameters = "", .thread = no_thread},
         "can't be a kernel's name"},
        {{KERNEL, .name = "", .type = "i32", .parameters = "", .thread = no_thread},
         "can't be a kernel's name"},
        {{KERNEL, .name = "a b", .type = "i32", .parameters = "", .thread = no_thread},
         "can't be a kernel's name"},
        {{KERNEL, .name = "hostile", .parameters = "", .thread = no_thread}, "'type' of kernel"},
        {{KERNEL, .name = "hostile", .type = "i32", .thread = no_thread}, "'parameters' of kernel"},
        {{KERNEL, .name = "hostile", .type = "i32", .parameters = ""}, "'thread' of kernel"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct rd_error error = {""};
        assert_said(rd_kernel_register(&rows[k].kernel, &error), &error, rows[k].why);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_run_with_a_value_that_makes_no_sense_is_refused),
        cmocka_unit_test(test_an_observer_of_another_size_is_refused),
        cmocka_unit_test(test_options_of_another_size_are_refused),
        cmocka_unit_test(test_later_options_are_taken_where_they_say_nothing_unknown),
        cmocka_unit_test(test_observer_makes_runs_but_not_while_a_round_is_under_way),
        cmocka_unit_test(test_there_is_no_arithmetic_of_a_type_that_there_is_not),
        cmocka_unit_test(test_a_launch_of_what_is_not_there_is_refused),
        cmocka_unit_test(test_a_program_with_a_value_that_makes_no_sense_is_refused),
        cmocka_unit_test(test_a_kernel_without_a_name_is_refused),
    };
    return cmocka_run_group_tests(tests, test_set_up, test_tear_down) != 0;
}
