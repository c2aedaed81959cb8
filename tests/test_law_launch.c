// SPDX-License-Identifier: MIT
/* Launches of laws: what a sentence comes to in a round, how it is printed, and what is said of a mistake. */
#include "law_harness.h"

#include <stdio.h>
#include <string.h>

#define HEAD                                                                                       \
    "input a[n], b[n] array A[n]\n"                                                                \
    "let w = n / 2^d; P = n / T\n"                                                                 \
    "law A = 0\n"                                                                                  \
    "launch "

static const struct rd_law_sizes sizes_8 = {.n = 8, .T = 3, .B = 2};

static size_t write_operands(char *said, const struct rd_law_launch *launch)
{
    static const char *const kinds[] = {"A", "input ", "scratch ", "ticket", ""};
    size_t length = 0;
    for (unsigned k = 0; k < launch->n_operands; k++) {
        const struct rd_law_operand *operand = &launch->operands[k];
        length += (size_t)sprintf(said + length, "%s%s", k ? ", " : "", kinds[operand->kind]);
        if (operand->kind != RD_LAW_OPERAND_ARRAY && operand->kind != RD_LAW_OPERAND_TICKET)
            length += (size_t)sprintf(said + length, "%zu", (size_t)operand->value);
    }
    return length;
}

/* The launch of a round as text, what is 0 left out; "none"; a mistake as "COLUMN: MESSAGE". */
static const char *said(const char *launches, unsigned round)
{
    static char said[600];
    char text[600];
    struct rd_law_launch launch;
    struct rd_law_error error;
    bool found;
    snprintf(text, sizeof text, HEAD "%s", launches);
    struct law_subject subject = law_subject(text, sizes_8);
    enum rd_status status = rd_law_launch(subject.run, round, &launch, &found, &error);
    if (status != RD_OK)
        snprintf(said, sizeof said, "%zu: %s", error.column, error.what.text);
    else if (!found)
        snprintf(said, sizeof said, "none");
    if (status == RD_OK && found) {
        const struct {
            const char *name;
            uint64_t value;
        } numbers[] = {
            {"threads", launch.threads}, {"grid", launch.grid[0]}, {"y", launch.grid[1]},
            {"block", launch.block[0]},  {"y", launch.block[1]},   {launch.counter, launch.count},
            {"shared", launch.shared},   {"reads", launch.reads},  {"writes", launch.writes},
        };
        size_t length = (size_t)sprintf(said, "%zu %s(", launch.index, launch.kernel);
        assert_string_equal(rd_law_launch_kernel(subject.law, launch.index), launch.kernel);
        length += write_operands(said + length, &launch);
        length += (size_t)sprintf(said + length, ")");
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
            if (numbers[k].value > 0)
                length += (size_t)sprintf(said + length, " %s %zu", numbers[k].name,
                                          (size_t)numbers[k].value);
        sprintf(said + length, "%s%s", launch.cooperative ? " cooperative" : "",
                launch.spoils_inputs ? " spoils" : "");
    }
    law_subject_finish(&subject);
    return said;
}

/* ---- rounds ---- */

static void test_round_is_the_first_launch_whose_condition_holds(void **state)
{
    static const char *const fold =
        "when d = 2: other() on 1 block of 1; when w > 0: fold(A, w) by w threads, half = w";
    (void)state;
    assert_string_equal(said(fold, 1), "1 fold(A, 4) threads 4 grid 2 block 3 half 4");
    assert_string_equal(said(fold, 2), "0 other() threads 1 grid 1 block 1");
    assert_string_equal(said(fold, 3), "1 fold(A, 1) threads 1 grid 1 block 1 half 1");
    assert_string_equal(said(fold, 4), "none");
}

static void test_launch_without_a_condition_is_the_first_round(void **state)
{
    (void)state;
    assert_string_equal(said("f() by n threads", 1), "0 f() threads 8 grid 3 block 3");
    assert_string_equal(said("f() by n threads", 2), "none");
    assert_string_equal(said("f() by n threads", 0), "none");
}

static void test_paragraph_without_a_launch_has_no_rounds(void **state)
{
    struct law_subject subject = law_subject("array A[n] law A = 0", sizes_8);
    struct rd_law_launch launch;
    bool found = true;
    (void)state;
    assert_int_equal(rd_law_launch(subject.run, 1, &launch, &found, NULL), RD_OK);
    assert_false(found);
    assert_int_equal(rd_law_launch_count(subject.law), 0);
    assert_null(rd_law_launch_kernel(subject.law, 0));
    law_subject_finish(&subject);
}

static void test_threads_and_blocks_follow_from_each_other(void **state)
{
    static const struct {
        const char *launch, *said;
    } rows[] = {
        {"f() by 2 threads", "threads 2 grid 1 block 2"},
        {"f() by 1 thread", "threads 1 grid 1 block 1"},
        {"f() by n threads in blocks of T", "threads 8 grid 3 block 3"},
        {"f() by n threads in blocks of n + 1", "threads 8 grid 1 block 9"},
        {"f() by n by n threads in blocks of T by 2", "threads 64 grid 3 y 4 block 3 y 2"},
        {"f() by n by 4 threads in blocks of T", "threads 32 grid 3 y 4 block 3"},
        {"f() on B blocks of T", "threads 6 grid 2 block 3"},
        {"f() on B by 5 blocks of T by 2", "threads 60 grid 2 y 5 block 3 y 2"},
        {"f() by n threads on 2*B blocks of T", "threads 8 grid 4 block 3"},
        {"f() by 0 threads in blocks of T", "block 3"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const char *is = said(rows[k].launch, 1);
        if (strcmp(is + strlen("0 f() "), rows[k].said) != 0)
            fail_msg("%s: %s, not %s", rows[k].launch, is, rows[k].said);
    }
}

static void test_operands_and_options_are_told(void **state)
{
    (void)state;
    assert_string_equal(said("f(a, b, A, scratch[B + 1], ticket, n - 1) on 1 block of 1", 1),
                        "0 f(input 0, input 1, A, scratch 3, ticket, 7) threads 1 grid 1 block 1");
    assert_string_equal(said("f(A) on 1 block of 1, spoils inputs, writes 1, cooperative, "
                             "reads 2*P, D = 5, shared T",
                             1),
                        "0 f(A) threads 1 grid 1 block 1 D 5 shared 3 reads 4 writes 1 "
                        "cooperative spoils");
}

/* ---- mistakes ---- */

static void test_launch_without_a_value_is_told_with_its_place(void **state)
{
    (void)state;
    assert_string_equal(said("f(n - 9) by 1 thread", 1),
                        "10: a launch takes no negative number, and this is -1 at d = 1");
    assert_string_equal(said("f() by 0 threads", 1), "15: a block of no threads at d = 1");
    assert_string_equal(said("f() on 1 block of T - 3", 1), "15: a block of no threads at d = 1");
    assert_string_equal(said("f() by 2^40 by 2^40 threads in blocks of T", 1),
                        "15: a launch of 2^63 threads or more at d = 1");
    assert_string_equal(said("when n / (d - 1) > 0: f() by 1 thread", 1),
                        "13: division by 0: undefined at d = 1");
    assert_string_equal(said("f() by 1 thread, shared 2^63", 1),
                        "32: the number is 2^63 or more: undefined at d = 1");
}

/* Behind HEAD, of which `launch ` is in the last line. */
static void assert_mistake(const char *launch, size_t column, const char *message)
{
    char text[600];
    struct rd_law *law = NULL;
    struct rd_law_error error;
    snprintf(text, sizeof text, HEAD "%s", launch);
    assert_int_equal(rd_law_create(&law, text, &error), RD_ERROR_USAGE);
    if (error.line != 4 || error.column != column || strcmp(error.what.text, message) != 0)
        fail_msg("%s: %zu:%zu: %s", launch, error.line, error.column, error.what.text);
}

static void test_mistakes_are_told_with_what_was_expected(void **state)
{
    (void)state;
    assert_mistake("", 8, "expected 'when' or a kernel, found the end of the sentence");
    assert_mistake("when d = 1 f()", 19, "expected ':' after the condition, found 'f'");
    assert_mistake("when d = 1: 5", 20, "expected a kernel, found '5'");
    assert_mistake("f by 1 thread", 10, "expected '(' after the kernel, found 'by'");
    assert_mistake("f(A", 11,
                   "expected ',' or ')' after the operand, found the end of the sentence");
    assert_mistake("f(1, 2, 3, 4, 5, 6, 7) by 1 thread", 28, "a kernel takes at most 6 operands");
    assert_mistake("f(A)", 12,
                   "expected 'by' and the threads, or 'on' and the blocks, found the end of the "
                   "sentence");
    assert_mistake("f(A) by w", 17,
                   "expected 'threads' after their number, found the end of the sentence");
    assert_mistake("f(A) by w blocks", 18, "expected 'threads' after their number, found 'blocks'");
    assert_mistake("f(A) by w by w threads", 30,
                   "expected 'in blocks of' after threads in two dimensions, found the end of the "
                   "sentence");
    assert_mistake("f(A) on B threads", 18,
                   "expected 'blocks of' after their number, found "
                   "'threads'");
    assert_mistake("f(A) on B blocks", 24,
                   "expected 'of' and the threads of a block, found the end of the sentence");
    assert_mistake("f(A) by 1 thread, spoils", 32,
                   "expected 'spoils inputs', found the end of the sentence");
    assert_mistake("f(A) by 1 thread, 5", 26,
                   "expected 'shared', 'reads', 'writes', 'cooperative', 'spoils inputs' or "
                   "'NAME =', found '5'");
    assert_mistake("f(A) by 1 thread, shared 1, shared 2", 36, "it is said of the launch already");
    assert_mistake("f(A) by 1 thread, D = 1, E = 2", 33, "it is said of the launch already");
    assert_mistake("f(A) by 1 thread launch f(A) by 1 thread", 25,
                   "the sentence stands there already: join launches with ';'");
    assert_mistake("f(A) by W threads", 16, "'W' isn't known here: did you mean 'w'?");
    assert_mistake("f(C) by 1 thread", 10, "'C' isn't known here (known: G, w, P, n, T, B, d)");
    assert_mistake("f(warp) by 1 thread", 10,
                   "'warp' isn't known here (known: G, w, P, n, T, B, d)");
}

/* ---- what is asked beside rounds ---- */

static void test_inputs_that_are_passed_are_told_without_a_run(void **state)
{
    struct law_subject subject = law_subject("input a[n], b[n][n], c[2*n] array A[n] law A = 0\n"
                                             "launch f(A, ticket) by n threads; when d = 2: "
                                             "f(b) by 1 thread",
                                             sizes_8);
    (void)state;
    assert_true(rd_law_input_has_n(subject.law, 0));
    for (size_t k = 1; k < 4; k++)
        assert_false(rd_law_input_has_n(subject.law, k));
    for (size_t k = 0; k < 4; k++)
        assert_int_equal(rd_law_launches_pass(subject.law, k), k == 1);
    law_subject_finish(&subject);
}

static void test_expression_has_a_value(void **state)
{
    static const struct {
        const char *expression;
        size_t value; /* 0: a mistake, with its column */
        size_t column;
    } rows[] = {
        {"min(ceil(n / T), 32)", 3, 0}, {"n", 8, 0}, {"B*T", 6, 0}, {"n +", 0, 4},
        {"n / (T - 3)", 0, 1},          {"m", 0, 1}, {"n n", 0, 3}, {"T - n", 0, 1},
    };
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct rd_law_error error = {0};
        uint64_t value = 0;
        enum rd_status status = rd_law_value(rows[k].expression, &sizes_8, &value, &error);
        assert_int_equal(status, rows[k].column ? RD_ERROR_USAGE : RD_OK);
        if (value != rows[k].value || error.column != rows[k].column)
            fail_msg("%s: %zu, %zu: %s", rows[k].expression, (size_t)value, error.column,
                     error.what.text);
    }
}

static void test_launch_is_printed_so_that_it_reads_as_the_same(void **state)
{
    static const char *const launches[] = {
        "when w > 0: fold(A, w) by w threads, half = w",
        "when d = 1: f(a, scratch[n*(B + 1)], ticket) by n by 4 threads in blocks of T; g() on 1 "
        "by 2 "
        "blocks of T by 3, D = w, shared 2*T, reads 1, writes 2, cooperative, spoils inputs",
        "f() by n threads on 2*B blocks of T",
    };
    (void)state;
    for (size_t k = 0; k < sizeof launches / sizeof *launches; k++) {
        char text[600], *once;
        size_t length;
        struct rd_law *law = NULL, *again = NULL, *other = NULL;
        FILE *out = open_memstream(&once, &length);
        snprintf(text, sizeof text, HEAD "%s", launches[k]);
        assert_int_equal(rd_law_create(&law, text, NULL), RD_OK);
        rd_law_print(law, out);
        assert_int_equal(fclose(out), 0);
        if (!strstr(once, launches[k]))
            fail_msg("%s is printed as %s", launches[k], once);
        assert_int_equal(rd_law_create(&again, once, NULL), RD_OK);
        assert_true(rd_law_same(law, again));
        snprintf(text, sizeof text, HEAD "%s, xs = 1", launches[k]);
        if (strstr(launches[k], " = w"))
            snprintf(text, sizeof text, HEAD "f() by 1 thread");
        assert_int_equal(rd_law_create(&other, text, NULL), RD_OK);
        assert_false(rd_law_same(law, other));
        free(once);
        rd_law_destroy(law);
        rd_law_destroy(again);
        rd_law_destroy(other);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_is_the_first_launch_whose_condition_holds),
        cmocka_unit_test(test_launch_without_a_condition_is_the_first_round),
        cmocka_unit_test(test_paragraph_without_a_launch_has_no_rounds),
        cmocka_unit_test(test_threads_and_blocks_follow_from_each_other),
        cmocka_unit_test(test_operands_and_options_are_told),
        cmocka_unit_test(test_launch_without_a_value_is_told_with_its_place),
        cmocka_unit_test(test_mistakes_are_told_with_what_was_expected),
        cmocka_unit_test(test_inputs_that_are_passed_are_told_without_a_run),
        cmocka_unit_test(test_expression_has_a_value),
        cmocka_unit_test(test_launch_is_printed_so_that_it_reads_as_the_same),
    };
    return cmocka_run_group_tests_name("law_launch", tests, NULL, NULL) != 0;
}
