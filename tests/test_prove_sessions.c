// SPDX-License-Identifier: MIT
/* Provers that are asked one goal after the other: each answer is its goal's, and what goes wrong at one isn't the next one's. */
#include "solver_harness.h"

#include <string.h>

/* Adds a goal of which the query has |y|. */
static void add_another(const char *name)
{
    struct rd_proof_goal *goal = add("another square isn't negative");
    const rd_term y = constant(name);
    goal->goal = rd_at_most(terms, number(0), rd_multiply(terms, y, y));
}

static void ask_in_turn(void)
{
    ask_with((struct rd_solver_options){.no_cache = true, .jobs = 1, .timeout_s = 0.1});
}

static void test_prover_is_asked_again_and_each_answer_is_its_goals(void **state)
{
    (void)state;
    begin();
    add_true();
    add_another("y");
    add_another("z");
    use_fakes("case $query in *'|y|'*) echo unknown;; *) echo unsat;; esac");
    ask_in_turn();
    assert_answer(&proof.goals[0], RD_ANSWER_PROVED);
    assert_answer(&proof.goals[1], RD_ANSWER_OPEN);
    assert_answer(&proof.goals[2], RD_ANSWER_PROVED);
}

static void test_prover_answers_more_than_one_goal(void **state)
{
    (void)state;
    begin();
    add_true();
    add_another("y");
    use_fakes("[ $number = 1 ] && echo unknown || echo unsat");
    ask_in_turn();
    assert_answer(&proof.goals[1], RD_ANSWER_PROVED);
}

static void test_error_of_one_goal_is_not_the_next_ones(void **state)
{
    (void)state;
    begin();
    add_true();
    add_another("y");
    add_another("z");
    use_fakes("case $query in *'|y|'*) echo '(error \"y\")';; *) echo unsat;; esac");
    ask_in_turn();
    assert_answer(&proof.goals[0], RD_ANSWER_PROVED);
    assert_answer(&proof.goals[1], RD_ANSWER_OPEN);
    assert_answer(&proof.goals[2], RD_ANSWER_PROVED);
    assert_non_null(strstr(proof.goals[1].reason, "said '(error \"y\")'"));
}

/* Where it was asked for a model: then it has nothing to print. */
static void test_unsat_with_an_error_is_no_model_and_no_proof(void **state)
{
    (void)state;
    begin();
    add_true();
    use_fakes("case $query in *get-value*) echo unsat; echo '(error \"no model\")';; *) echo "
              "unknown;; esac");
    ask_in_turn();
    assert_answer(&proof.goals[0], RD_ANSWER_OPEN);
    assert_non_null(strstr(proof.goals[0].reason, "no prover knew"));
}

/* The first prover's answer that a bounded model isn't there is enough: the second isn't asked for one, and the first goes on. */
static void test_unsat_of_a_model_ends_the_search_and_leaves_the_prover(void **state)
{
    (void)state;
    begin();
    const rd_term x = constant("x");
    give(add_true(), rd_holds(terms, "P2", 1, &x));
    use_fakes("exit");
    /* That the hypotheses have a model; of the goal, with few lemmas; a counterexample; with all lemmas. */
    write_session("cvc5", "1",
                  "case $number in 1|2) echo sat;; 3) echo unsat; echo '(error \"none\")';; "
                  "4) echo unsat;; esac");
    write_session("z3", "1", "case $query in *get-value*) echo sat;; *) echo unknown;; esac");
    ask_with((struct rd_solver_options){.no_cache = true, .jobs = 1, .timeout_s = 2});
    assert_answer(&proof.goals[0], RD_ANSWER_PROVED);
}

static void test_prover_that_dies_of_an_earlier_goal_is_asked_anew(void **state)
{
    (void)state;
    begin();
    add_true();
    add_another("y");
    use_fakes("exit");
    write_session("cvc5", "1", "[ $number = 1 ] || kill -9 $$; echo unsat");
    ask_in_turn();
    assert_answer(&proof.goals[0], RD_ANSWER_PROVED);
    assert_answer(&proof.goals[1], RD_ANSWER_PROVED);
}

static void test_prover_that_hangs_at_one_goal_is_asked_the_next(void **state)
{
    (void)state;
    begin();
    add_true();
    add_another("y");
    add_another("z");
    use_fakes("case $query in *'|y|'*) exec /bin/sleep 1000;; *) echo unsat;; esac");
    ask_in_turn();
    assert_answer(&proof.goals[0], RD_ANSWER_PROVED);
    assert_answer(&proof.goals[1], RD_ANSWER_OPEN);
    assert_answer(&proof.goals[2], RD_ANSWER_PROVED);
}

static void test_answer_that_comes_late_is_not_the_next_goals(void **state)
{
    (void)state;
    begin();
    add_true();
    add_another("y");
    use_fakes("case $query in *'|y|'*) ;; *) late='unsat\\n'; echo unsat;; esac");
    ask_in_turn();
    assert_answer(&proof.goals[1], RD_ANSWER_OPEN);
}

/* Such as one that doesn't read what it is asked. */
static void test_prover_without_tags_proves_nothing(void **state)
{
    (void)state;
    static const char *const scripts[] = {
        "echo unsat",
        "echo unsat; /bin/cat",
        "/bin/cat; echo unsat",
        ("while read -r line; do case $line in '(echo \">'*) tag=${line#*>};"
         " printf 'unsat\\n>%s\\n' ${tag%??};; esac; done"),
    };
    for (size_t k = 0; k < sizeof scripts / sizeof *scripts; k++) {
        begin();
        add_true();
        use_fakes("exit");
        write_prover("cvc5", "1", scripts[k]);
        ask_in_turn();
        assert_answer(&proof.goals[0], RD_ANSWER_OPEN);
        rd_proof_finish(&proof);
    }
    begin();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_prover_is_asked_again_and_each_answer_is_its_goals, end),
        cmocka_unit_test_teardown(test_prover_answers_more_than_one_goal, end),
        cmocka_unit_test_teardown(test_error_of_one_goal_is_not_the_next_ones, end),
        cmocka_unit_test_teardown(test_unsat_with_an_error_is_no_model_and_no_proof, end),
        cmocka_unit_test_teardown(test_unsat_of_a_model_ends_the_search_and_leaves_the_prover, end),
        cmocka_unit_test_teardown(test_prover_that_dies_of_an_earlier_goal_is_asked_anew, end),
        cmocka_unit_test_teardown(test_prover_that_hangs_at_one_goal_is_asked_the_next, end),
        cmocka_unit_test_teardown(test_answer_that_comes_late_is_not_the_next_goals, end),
        cmocka_unit_test_teardown(test_prover_without_tags_proves_nothing, end),
    };
    return has_provers() ? cmocka_run_group_tests(tests, set_up, tear_down) != 0 : SKIPPED;
}
