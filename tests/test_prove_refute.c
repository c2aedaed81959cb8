// SPDX-License-Identifier: MIT
/* Candidates that models refute, several at once; and which questions are asked of which prover. */
#include "solver_harness.h"

#include "prove/solver/solver.h"

#include <stdio.h>
#include <string.h>

#include <unistd.h>

static char asked[128]; /* a file that a prover writes a line to with each question */

/* ---- candidates ---- */

static void add_bound(rd_term x, int bound)
{
    struct rd_proof_goal *goal = add("a candidate");
    goal->may_be_void = true;
    give(goal, rd_at_most(terms, number(0), x));
    goal->goal = rd_less(terms, x, number(bound));
}

/* x < 1, x < 2, x < 3, x < 4; and y < 1, of another group. */
static void add_candidates(void)
{
    rd_proof_finish(&proof);
    begin();
    for (int bound = 1; bound <= 4; bound++)
        add_bound(constant("x"), bound);
    add_bound(constant("y"), 1);
}

/* Has both provers give those values for a model at the first question, of x, and else do the rest. */
static void use_model(const char *values, const char *rest)
{
    char body[512];
    snprintf(asked, sizeof asked, "%s-asked", cache);
    unlink(asked);
    snprintf(body, sizeof body, "echo >>%s; case $number in 1) echo sat; echo '%s';; *) %s;; esac",
             asked, values, rest);
    use_fakes(body);
}

static unsigned count_asked(void)
{
    unsigned n = 0;
    FILE *file = fopen(asked, "r");
    for (int c; file && (c = fgetc(file)) != EOF;)
        n += c == '\n';
    if (file)
        fclose(file);
    return n;
}

static void refute(bool known_only)
{
    const struct rd_solver_options options = {
        .jobs = 1, .proofs_only = true, .known_only = known_only};
    struct rd_error error = {""};
    if (rd_refute(&proof, &options, &error) != RD_OK)
        fail_msg("%s", error.text);
}

/* The first so many of all are refuted, others have no answer. */
static void assert_refuted(size_t n)
{
    for (size_t k = 0; k < proof.count; k++)
        assert_answer(&proof.goals[k], k < n ? RD_ANSWER_REFUTED : RD_ANSWER_NONE);
}

/* 0 <= 2, and neither 2 < 1 nor 2 < 2. Then it is asked for x < 3 and x < 4, and no more. */
static void test_model_refutes_all_that_are_false_in_it(void **state)
{
    (void)state;
    add_candidates();
    use_model("((|x| 2))", "echo unsat; echo '(error \"no model\")'");
    refute(false);
    assert_refuted(2);
    assert_int_equal(count_asked(), 3);
    unlink(asked);
}

static void test_candidate_that_is_true_in_the_model_is_not_refuted(void **state)
{
    (void)state;
    add_candidates();
    use_model("((|x| 0))", "echo unsat");
    refute(false);
    assert_refuted(0);
    unlink(asked);
}

static void test_what_is_no_model_refutes_nothing(void **state)
{
    static const char *const values[] = {"", "((|x| 2)", "((|z| 2))", "(error \"none\")",
                                         "((|x| two))"};
    (void)state;
    for (unsigned k = 0; k < sizeof values / sizeof *values; k++) {
        add_candidates();
        use_model(values[k], "echo unknown");
        refute(false);
        assert_refuted(0);
        unlink(asked);
    }
}

/* No prover is asked again; one of another version, of all that are left. */
static void test_refuted_candidate_is_known_the_next_time(void **state)
{
    (void)state;
    add_candidates();
    use_model("((|x| 2))", "echo unknown");
    refute(false);
    unlink(asked);
    add_candidates();
    refute(true);
    assert_refuted(2);
    assert_int_equal(count_asked(), 0);
    add_candidates();
    write_session("cvc5", "2", "echo unknown");
    write_session("z3", "2", "echo unknown");
    refute(true);
    assert_refuted(0);
}

/* ---- goals ---- */

/* What the first prover doesn't find soon is asked with all lemmas: neither of another prover before, nor for a counterexample. */
static void test_goal_that_takes_long_gets_all_lemmas_at_once(void **state)
{
    char body[512];
    (void)state;
    begin();
    add_true();
    snprintf(asked, sizeof asked, "%s-asked", cache);
    use_fakes("exit");
    write_session("cvc5", "1",
                  "case $query in *get-value*) echo sat;; *) if [ -e \"${0%/*}/first\" ]; then "
                  "echo unsat; else : >\"${0%/*}/first\"; while :; do :; done; fi;; esac");
    snprintf(body, sizeof body, "echo >>%s; echo unknown", asked);
    write_session("z3", "1", body);
    ask_with((struct rd_solver_options){.no_cache = true, .jobs = 1, .timeout_s = 20});
    assert_answer(&proof.goals[0], RD_ANSWER_PROVED);
    assert_int_equal(count_asked(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_model_refutes_all_that_are_false_in_it, end),
        cmocka_unit_test_teardown(test_candidate_that_is_true_in_the_model_is_not_refuted, end),
        cmocka_unit_test_teardown(test_what_is_no_model_refutes_nothing, end),
        cmocka_unit_test_teardown(test_refuted_candidate_is_known_the_next_time, end),
        cmocka_unit_test_teardown(test_goal_that_takes_long_gets_all_lemmas_at_once, end),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down) != 0;
}
