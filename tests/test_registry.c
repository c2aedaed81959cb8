// SPDX-License-Identifier: MIT
/* Programs and kernels of clients, and structs of other sizes. That they run, tests/test_library.py sees. */
#include "harness.h"
#include "program/paragraph.h"
#include "reductio/history.h"
#include "reductio/launchable.h"
#include "reductio/report.h"
#include "reductio/witness.h"

#include <string.h>

static const char law[] = "input a[n]\narray A[n]\nlet w = n / 2^d\n"
                          "law for 0 <= i < w: A[i] = sum of a[j], j mod w = i\n";

static struct rd_program program_named(const char *name)
{
    return (struct rd_program){
        .size = sizeof(struct rd_program),
        .name = name,
        .summary = "a test",
        .law = law,
        .launch = "when w > 0: fold(A, w) by w threads, half = w",
        .accept = "n = bit_ceil(n) else no",
        .n = 8,
    };
}

static void assert_program_refused(const struct rd_program *program, const char *why)
{
    struct rd_error error = {""};
    const struct rd_program *found = NULL;
    assert_int_equal(rd_program_register(program, &found, &error), RD_ERROR_USAGE);
    if (!strstr(error.text, why))
        fail_msg("'%s' doesn't say '%s'", error.text, why);
    assert_null(found);
    if (program->name)
        assert_null(rd_program_named(program->name));
}

static void test_a_registered_program_is_found_and_outlives_its_texts(void **state)
{
    char name[] = "test-outlives", text[sizeof law];
    struct rd_program program = program_named(name);
    const struct rd_program *found, *again;
    struct rd_error error = {""};
    (void)state;
    memcpy(text, law, sizeof law);
    program.law = text;
    assert_int_equal(rd_program_register(&program, &found, &error), RD_OK);
    assert_int_equal(rd_program_register(&program, &again, &error), RD_OK);
    assert_ptr_equal(found, again);
    memset(name, 'x', 4);
    memset(text, 'x', 8);
    assert_ptr_equal(rd_program_named("test-outlives"), found);
    assert_string_equal(rd_program_law(found), law);
    assert_int_equal(rd_program_rounds(found, &(struct rd_shape){8, 4, 0}), 3);
}

static void test_a_fault_takes_the_law_of_its_program(void **state)
{
    const struct rd_program right = program_named("test-right");
    struct rd_program wrong = program_named("test-right:wrong");
    const struct rd_program *found, *fault;
    (void)state;
    wrong.law = NULL;
    wrong.kernel = "fold_wrong_half";
    assert_program_refused(&wrong, "'test-right:wrong' has no law");
    assert_int_equal(rd_program_register(&right, &found, NULL), RD_OK);
    assert_int_equal(rd_program_register(&wrong, &fault, NULL), RD_OK);
    assert_ptr_equal(rd_program_twin(fault), found);
    assert_string_equal(rd_program_law(fault), law);
}

static void test_programs_that_cannot_be_are_refused_with_the_reason(void **state)
{
    static const char *const no_names[] = {"", ":", "a:", ":b", "a:b:c", "-x", "Fold_1"};
    struct rd_program program;
    (void)state;
    for (size_t k = 0; k < sizeof no_names / sizeof *no_names; k++) {
        program = program_named(no_names[k]);
        assert_program_refused(&program, "can't be a program's name");
    }
    program = program_named("test-any");
    program.any_operation = true;
    assert_program_refused(&program, "a registered kernel of the one it is written for");
    program = program_named("test-argmax");
    program.operation = RD_OPERATION_ARGMAX;
    assert_program_refused(&program, "reduces by 'argmax', which takes kernels of the library");
    program = program_named("test-xor");
    program.operation = RD_OPERATION_XOR;
    program.type = RD_TYPE_F32;
    assert_program_refused(&program, "'operation' of 'test-xor' doesn't fit its 'type'");
    program = program_named("test-unread");
    program.law = "input a[n]\narray A[n]\nlaw for 0 <= i < n: A[i = a[i]\n";
    assert_program_refused(&program, "line 3, column ");
    program = program_named("test-unlaunched");
    program.launch = NULL;
    assert_program_refused(&program, "launches no kernel");
    program = program_named("test-unknown");
    program.launch = "when w > 0: no_such(A, w) by w threads";
    assert_program_refused(&program, "there is no kernel 'no_such'");
    program = program_named("test-endless");
    program.launch = "when d > 0: fold(A, 1) by 1 threads";
    assert_program_refused(&program, "the paragraph of test-endless: its rounds don't end");
    program = program_named("test-arguments");
    program.launch = "when w > 0: fold(A, w, w) by w threads";
    assert_program_refused(&program, "passes 3 arguments to kernel 'fold'");
    program = program_named("test-swapped");
    program.launch = "when w > 0: fold(w, A) by w threads";
    assert_program_refused(&program, "as argument 1");
    program = program_named("test-apart");
    program.law = "input a[n]\narray A[n]\nlet w = n / 2^d\n"
                  "law for w - 1 <= i < w: A[i] = sum of a[j], j mod w = i\n";
    assert_program_refused(&program, "the law's cells at step 0 are not the array's first ones");
    program.law = "input a[n]\narray A[n]\nlet w = n / 2^d\n"
                  "law for 0 <= i < w, i * i < 2 * i + 8: A[i] = sum of a[j], j mod w = i\n";
    assert_program_refused(&program, "the law's cells at step 0 are not the array's first ones");
    program = program_named("test-disagrees");
    program.law = "input a[n]\narray A[n]\nlet w = n / 2^d\n"
                  "law for 0 <= i < w: A[i] = sum of a[j], j div 2^d = i\n"
                  "start for 0 <= i < n: A[i] = a[i]\n"
                  "update for 0 <= i < w: A[i] = A[i] + A[i + w]\n";
    assert_program_refused(&program,
                           "the law of 'test-disagrees' and its 'update' give A[0] different "
                           "values at step 1 of n = 8: correct one of them");
    program.law = "input a[n]\narray A[n]\nlet w = n / 2^d\n"
                  "law for 0 <= i < w: A[i] = sum of a[j], j mod w = i\n"
                  "start for 0 <= i < n: A[i] = a[n - 1 - i]\n"
                  "update for 0 <= i < w: A[i] = A[i] + A[i + w]\n";
    assert_program_refused(&program, "'start' give A[0] different values at step 0 of n = 8");
    program = program_named("test-refuses-itself");
    program.n = 7;
    assert_program_refused(&program, "no");
    program = program_named("test-result");
    program.goal = RD_GOAL_RESULT;
    assert_program_refused(&program, "can't be told in a trace");
    program = program_named("test-silent");
    program.summary = NULL;
    assert_program_refused(&program, "has no summary");
    program = program_named("test-older");
    program.size = 8;
    assert_program_refused(&program, "'size' is not that of a program of this version");
}

/* Registers a program with that law, of a fold; the text says why not. */
static const char *why_not(const char *name, enum rd_operation operation, size_t n, const char *row,
                           const char *update)
{
    static struct rd_error error;
    char text[400];
    struct rd_program program = program_named(name);
    snprintf(text, sizeof text,
             "input a[n]\narray A[n]\nlet w = n / 2^d\nlaw for 0 <= i < w: A[i] = %s\n"
             "start for 0 <= i < n: A[i] = a[i]\nupdate for 0 <= i < w: A[i] = %s\n",
             row, update);
    program.law = text;
    program.operation = operation;
    program.n = n;
    error.text[0] = '\0';
    rd_program_register(&program, NULL, &error);
    return error.text;
}

static void test_a_law_that_leaves_out_an_input_is_refused_with_each_operation(void **state)
{
    static const enum rd_operation some[] = {RD_OPERATION_MIN, RD_OPERATION_MAX, RD_OPERATION_AND,
                                             RD_OPERATION_OR};
    static const char *const words[] = {"min", "max", "and", "or"};
    static const char *const names[] = {"own-min", "own-max", "own-and", "own-or"};
    static const char differs[] = "give A[3] different values at step 1 of n = 8";
    (void)state;
    for (size_t k = 0; k < sizeof some / sizeof *some; k++) {
        char row[100], update[100];
        assert_non_null(
            strstr(why_not("test-left-out", some[k], 8, "sum of a[j], j mod w = i, j != 7 or d = 0",
                           "A[i] + A[i + w]"),
                   differs));
        snprintf(row, sizeof row, "%s of a[j], j mod w = i, j != 7 or d = 0", words[k]);
        snprintf(update, sizeof update, "%s of A[i + q*w], 0 <= q < 2", words[k]);
        assert_non_null(
            strstr(why_not("test-left-out", RD_OPERATION_SUM, 8, row, update), differs));
        assert_non_null(
            strstr(why_not("test-left-out", some[k], 128,
                           "sum of a[j], j mod w = i, j != 100 or d = 0", "A[i] + A[i + w]"),
                   "give A[36] different values at step 1 of n = 128"));
        /* An input that is taken twice changes nothing. */
        assert_string_equal(
            why_not(names[k], some[k], 128, "sum of a[j], j mod w = i", "A[i] + A[i + w] + A[i]"),
            "");
    }
}

static void test_a_name_is_of_one_program(void **state)
{
    struct rd_program program = program_named("fold");
    struct rd_error error;
    (void)state;
    assert_int_equal(rd_program_register(&program, NULL, &error), RD_ERROR_USAGE);
    assert_non_null(strstr(error.text, "another program, of the library's"));
    program = program_named("test-taken");
    assert_int_equal(rd_program_register(&program, NULL, &error), RD_OK);
    program.n = 16;
    assert_int_equal(rd_program_register(&program, NULL, &error), RD_ERROR_USAGE);
    assert_int_equal(rd_program_named("test-taken")->n, 8);
}

/* ---- kernels ---- */

static void no_thread(void *const *arguments)
{
    (void)arguments;
}

static struct rd_launchable kernel_named(const char *name)
{
    return (struct rd_launchable){
        .size = sizeof(struct rd_launchable),
        .name = name,
        .type = "i32",
        .parameters = "elem *, size_t",
        .thread = no_thread,
    };
}

static void assert_kernel_refused(const struct rd_launchable *kernel, const char *why)
{
    struct rd_error error = {""};
    assert_int_equal(rd_kernel_register(kernel, &error), RD_ERROR_USAGE);
    if (!strstr(error.text, why))
        fail_msg("'%s' doesn't say '%s'", error.text, why);
}

static void test_kernels_that_cannot_be_are_refused_with_the_reason(void **state)
{
    static struct rd_launchable first, second, other;
    struct rd_launchable kernel = kernel_named("fold");
    struct rd_program program = program_named("test-no-kernel");
    (void)state;
    assert_kernel_refused(&kernel, "'fold' is a kernel of the library");
    kernel = kernel_named("test_kernel");
    kernel.size--;
    assert_kernel_refused(&kernel, "headers of another version");
    kernel = kernel_named("test_kernel");
    kernel.type = "i33";
    assert_kernel_refused(&kernel, "'i33' of kernel 'test_kernel' is no type");
    kernel = kernel_named("test_kernel");
    kernel.parameters = "elem *, int";
    assert_kernel_refused(&kernel, "'int' of kernel 'test_kernel' is no type that the host passes");
    program.launch = "when w > 0: test_kernel(A, w) by w threads";
    assert_program_refused(&program, "there is no kernel 'test_kernel'");
    first = second = other = kernel_named("test_kernel");
    assert_int_equal(rd_kernel_register(&first, NULL), RD_OK);
    assert_int_equal(rd_kernel_register(&first, NULL), RD_OK);
    assert_kernel_refused(&second, "is registered already");
    other.type = "u64";
    other.parameters = "elem *";
    assert_kernel_refused(&other, "with other parameters");
    assert_int_equal(rd_program_register(&program, NULL, NULL), RD_OK);
    assert_int_equal(rd_program_accept_type(rd_program_named("test-no-kernel"), RD_TYPE_U64, NULL),
                     RD_ERROR_USAGE);
}

/* ---- what has no value ---- */

/* Its rounds have a number of n = 8 alone. */
static struct rd_program dividing_named(const char *name)
{
    struct rd_program program = program_named(name);
    program.launch = "when w > 0: fold(A, w div (9 - n)) by w threads, half = w";
    program.accept = "n = 8 else 'n' is {n}: use 8";
    return program;
}

static const struct rd_shape divided = {16, 4, 0};

static void test_registering_again_is_not_told_of_what_was_asked_before(void **state)
{
    const struct rd_program program = dividing_named("test-dividing");
    const struct rd_program *found, *again;
    struct rd_error error = {""};
    (void)state;
    if (rd_program_register(&program, &found, &error) != RD_OK)
        fail_msg("%s", error.text);
    assert_int_equal(rd_program_rounds(found, &divided), 0);
    if (rd_program_register(&program, &again, &error) != RD_OK)
        fail_msg("%s", error.text);
    assert_ptr_equal(found, again);
}

/* A count that broke off is no count, however often it is asked for. */
static void test_each_asker_is_told_why_there_are_no_rounds(void **state)
{
    const struct rd_program program = dividing_named("test-told");
    const struct rd_program *found;
    struct rd_paragraph_watch watch;
    struct rd_error error = {""};
    (void)state;
    assert_int_equal(rd_program_register(&program, &found, &error), RD_OK);
    for (int k = 0; k < 3; k++) {
        rd_paragraph_watch_begin(&watch, found);
        rd_program_rounds(found, &divided);
        assert_int_equal(rd_paragraph_watch_end(&watch, &error), RD_ERROR_USAGE);
        assert_non_null(strstr(error.text, "no negative number"));
    }
}

static enum rd_status ask_at_step(void *self, const struct rd_run *run, const struct rd_step *step,
                                  struct rd_error *error)
{
    (void)step, (void)error;
    *(unsigned *)self += rd_program_rounds(run->program, &divided) == 0;
    return RD_OK;
}

static void ask_at_activity(void *self, enum rd_activity activity, unsigned round, unsigned rounds)
{
    (void)activity, (void)round, (void)rounds;
    *(unsigned *)self += rd_program_rounds(rd_program_named("test-asked"), &divided) == 0;
}

static void test_run_goes_on_where_a_client_asks_for_what_has_no_value(void **state)
{
    static const int32_t a[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    const struct rd_program program = dividing_named("test-asked");
    unsigned asked[2] = {0};
    const struct rd_progress progress = {.self = &asked[0], .tell = ask_at_activity};
    const struct rd_observer observer = {.self = &asked[1], .step = ask_at_step};
    const struct rd_observer *observers[] = {&observer, NULL};
    struct rd_run run = {
        .numeric = rd_numeric(RD_TYPE_I32),
        .n = 8,
        .a = a,
        .device = test_device(),
        .progress = &progress,
    };
    struct rd_result result;
    struct rd_error error = {""};
    (void)state;
    assert_int_equal(rd_program_register(&program, &run.program, &error), RD_OK);
    if (rd_run(&run, observers, &result, &error) != RD_OK)
        fail_msg("%s", error.text);
    assert_int_equal(result.verdict, RD_HOLDS);
    assert_true(asked[0] > 0 && asked[1] == 4);
}

/* Which cells a checkpoint's claim is of depends on the place: no run says that it holds. */
static void test_run_stops_where_a_checkpoint_speaks_of_other_cells(void **state)
{
    static const char claim[] = "law for 0 <= i < min(w, T): cache[i]";
    static const int32_t inputs[16] = {0};
    struct rd_program program = *rd_program_named("dot-shared");
    char *text = strdup(rd_program_law(&program)), *found = text ? strstr(text, claim) : NULL;
    struct rd_run run = {
        .numeric = rd_numeric(RD_TYPE_I32),
        .n = 16,
        .a = inputs,
        .b = inputs,
        .block = 4,
        .grid = 2,
        .device = test_device(),
    };
    struct rd_result result;
    struct rd_error error = {""};
    (void)state;
    assert_non_null(found);
    found[strlen("law for ")] = '1';
    program.size = sizeof program;
    program.name = "test-beside";
    program.law = text;
    if (rd_program_register(&program, &run.program, &error) != RD_OK)
        fail_msg("%s", error.text);
    assert_int_equal(rd_run(&run, NULL, &result, &error), RD_ERROR_USAGE);
    if (!strstr(error.text, "the law's cells at 'sequential' of block 0 are not"))
        fail_msg("%s", error.text);
    free(text);
}

/* A client's struct, and its texts, may be those of one program after another. */
static void test_program_is_what_its_texts_say_when_it_is_asked(void **state)
{
    char name[] = "fold-guard:x", launch[] = "when w > 1: fold(A, w) by w threads";
    struct rd_program program = {.name = name, .launch = launch};
    const struct rd_shape shape = {5, 4, 0};
    (void)state;
    assert_int_equal(rd_program_rounds(&program, &shape), 2);
    memcpy(name, "fold:twice", sizeof "fold:twice");
    assert_int_equal(rd_program_rounds(&program, &shape), 1);
    memcpy(strchr(launch, '1'), "0", 1);
    assert_int_equal(rd_program_rounds(&program, &shape), 2);
}

/* ---- sizes ---- */

/* As a client of a later version has it. */
struct later_run {
    struct rd_run run;
    const void *later;
};

static void test_runs_of_other_sizes_are_taken_where_they_say_nothing_unknown(void **state)
{
    static const int32_t a[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    struct later_run later = {.run = {
                                  .program = rd_program_named("fold"),
                                  .numeric = rd_numeric(RD_TYPE_I32),
                                  .n = 8,
                                  .a = a,
                                  .device = test_device(),
                              }};
    const size_t sizes[] = {0, sizeof later.run, sizeof later};
    struct rd_result result;
    struct rd_history *history;
    struct rd_error error;
    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        later.run.size = sizes[k];
        assert_int_equal(rd_run(&later.run, NULL, &result, &error), RD_OK);
        assert_int_equal(result.verdict, RD_HOLDS);
    }
    later.later = a;
    assert_int_equal(rd_run(&later.run, NULL, &result, &error), RD_ERROR_USAGE);
    assert_non_null(strstr(error.text, "has no such run"));
    assert_int_equal(rd_witness_run(&later.run, NULL, &result, &error), RD_ERROR_USAGE);
    assert_int_equal(rd_history_run(&history, &later.run, NULL, &error), RD_ERROR_USAGE);
    later.run.size = offsetof(struct rd_run, progress);
    assert_int_equal(rd_run(&later.run, NULL, &result, &error), RD_ERROR_USAGE);
}

static void test_a_report_of_another_size_is_refused(void **state)
{
    const struct rd_report report = {.size = sizeof(size_t)};
    struct rd_error error;
    (void)state;
    assert_int_equal(rd_report_write("/dev/null", &report, &error), RD_ERROR_USAGE);
    assert_non_null(strstr(error.text, "has no such report"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_registered_program_is_found_and_outlives_its_texts),
        cmocka_unit_test(test_a_fault_takes_the_law_of_its_program),
        cmocka_unit_test(test_programs_that_cannot_be_are_refused_with_the_reason),
        cmocka_unit_test(test_a_law_that_leaves_out_an_input_is_refused_with_each_operation),
        cmocka_unit_test(test_a_name_is_of_one_program),
        cmocka_unit_test(test_kernels_that_cannot_be_are_refused_with_the_reason),
        cmocka_unit_test(test_registering_again_is_not_told_of_what_was_asked_before),
        cmocka_unit_test(test_each_asker_is_told_why_there_are_no_rounds),
        cmocka_unit_test(test_run_goes_on_where_a_client_asks_for_what_has_no_value),
        cmocka_unit_test(test_run_stops_where_a_checkpoint_speaks_of_other_cells),
        cmocka_unit_test(test_program_is_what_its_texts_say_when_it_is_asked),
        cmocka_unit_test(test_runs_of_other_sizes_are_taken_where_they_say_nothing_unknown),
        cmocka_unit_test(test_a_report_of_another_size_is_refused),
    };
    return cmocka_run_group_tests(tests, test_set_up, test_tear_down) != 0;
}
