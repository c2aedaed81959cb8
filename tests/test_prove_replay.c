// SPDX-License-Identifier: MIT
/* Counterexamples of provers, told from runs that fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "prove/replay/replay.h"

/* A proof with one goal, to which a prover is said to have found these numbers. */
static struct rd_proof proof_with(enum rd_answer answer, const char *model)
{
    struct rd_proof proof = {.name = "any", .terms = rd_terms_create()};
    assert_non_null(proof.terms);
    struct rd_proof_goal *goal = rd_proof_add(&proof, RD_PROOF_EXIT, "A[0] holds every input once");
    assert_non_null(goal);
    goal->answer = answer;
    goal->model = model ? strdup(model) : NULL;
    return proof;
}

static struct rd_proof replayed(const char *program, enum rd_answer answer, const char *model)
{
    struct rd_error error = {""};
    struct rd_proof proof = proof_with(answer, model);
    if (rd_proof_replay(&proof, rd_program_named(program), NULL, &error) != RD_OK)
        fail_msg("%s", error.text);
    return proof;
}

static void test_counterexample_without_a_run_that_fails_leaves_the_proof_open(void **state)
{
    struct rd_proof proof = replayed("fold", RD_ANSWER_REFUTED, "d = 1\nn = 96\nT = 7\n");
    (void)state;
    assert_int_equal(rd_proof_verdict(&proof), RD_ANSWER_OPEN);
    assert_true(proof.replay.made && !proof.replay.fails);
    assert_in_range(proof.replay.n_tried, 1, 64);
    assert_non_null(strstr(proof.goals[0].reason, "not inductive"));
    assert_string_equal(proof.goals[0].model, "d = 1\nn = 96\nT = 7\n");
    rd_proof_finish(&proof);
}

static void test_run_that_fails_refutes_with_the_least_n(void **state)
{
    struct rd_proof proof = replayed("tournament:lost-tail", RD_ANSWER_REFUTED, "n = 5\n");
    (void)state;
    assert_int_equal(rd_proof_verdict(&proof), RD_ANSWER_REFUTED);
    assert_int_equal(proof.replay.n, 3);
    assert_string_equal(proof.replay.run, "reductio run tournament:lost-tail -n 3 --device sim");
    assert_string_equal(proof.replay.step, "reductio step tournament:lost-tail -n 3 --device sim");
    assert_non_null(strstr(proof.replay.what, "step 2, A[0]"));
    assert_int_equal(proof.goals[0].answer, RD_ANSWER_REFUTED);
    rd_proof_finish(&proof);
}

static void test_run_that_fails_refutes_what_no_prover_knew(void **state)
{
    struct rd_proof proof = replayed("fold:wrong-half", RD_ANSWER_OPEN, NULL);
    (void)state;
    assert_int_equal(rd_proof_verdict(&proof), RD_ANSWER_REFUTED);
    assert_int_equal(proof.goals[0].answer, RD_ANSWER_OPEN);
    rd_proof_finish(&proof);
}

/* No block of up to 1024 elements shows it. */
static void test_numbers_of_the_counterexample_are_tried(void **state)
{
    struct rd_proof proof = replayed("multiply:one-block", RD_ANSWER_REFUTED, "n = 2000\nT = 1\n");
    (void)state;
    assert_true(proof.replay.fails);
    assert_int_equal(proof.replay.n, 2000);
    rd_proof_finish(&proof);
}

static void test_what_is_proved_is_not_run(void **state)
{
    struct rd_proof proof = replayed("fold:wrong-half", RD_ANSWER_PROVED, NULL);
    (void)state;
    assert_false(proof.replay.made);
    assert_int_equal(rd_proof_verdict(&proof), RD_ANSWER_PROVED);
    rd_proof_finish(&proof);
}

static void test_interruption_ends_it(void **state)
{
    const volatile sig_atomic_t interrupted = 1;
    struct rd_error error;
    struct rd_proof proof = proof_with(RD_ANSWER_REFUTED, NULL);
    (void)state;
    assert_int_equal(rd_proof_replay(&proof, rd_program_named("fold"), &interrupted, &error),
                     RD_ERROR_INTERRUPTED);
    rd_proof_finish(&proof);
}

static void test_run_of_a_file_whose_command_is_too_long_is_told_not_to_be_made(void **state)
{
    enum { OPTIONS = 130 };
    const char *options[OPTIONS + 1] = {NULL};
    struct rd_error error;
    struct rd_proof proof = proof_with(RD_ANSWER_REFUTED, NULL);
    (void)state;
    for (unsigned k = 0; k < OPTIONS; k++)
        options[k] = "-DX";
    assert_int_equal(rd_proof_replay_file(&proof, "a.cu", options, NULL, &error), RD_OK);
    assert_int_equal(rd_proof_verdict(&proof), RD_ANSWER_OPEN);
    assert_false(proof.replay.made);
    assert_non_null(strstr(proof.goals[0].reason, "no run was tried"));
    rd_proof_finish(&proof);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counterexample_without_a_run_that_fails_leaves_the_proof_open),
        cmocka_unit_test(test_run_that_fails_refutes_with_the_least_n),
        cmocka_unit_test(test_run_that_fails_refutes_what_no_prover_knew),
        cmocka_unit_test(test_numbers_of_the_counterexample_are_tried),
        cmocka_unit_test(test_what_is_proved_is_not_run),
        cmocka_unit_test(test_interruption_ends_it),
        cmocka_unit_test(test_run_of_a_file_whose_command_is_too_long_is_told_not_to_be_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
