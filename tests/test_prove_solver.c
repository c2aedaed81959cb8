// SPDX-License-Identifier: MIT
/* Provers: what is taken for a proof and what never is; the cache. Provers that lie or fail are scripts in a folder of the test's. */
#include "solver_harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- answers ---- */

static void test_true_goal_is_proved_and_false_one_refuted_with_numbers(void **state)
{
    (void)state;
    begin();
    const rd_term x = constant("x");
    add_true();
    struct rd_proof_goal *goal = add("no square is 36");
    give(goal, rd_less(terms, number(0), x));
    goal->goal = rd_not(terms, rd_equal(terms, rd_multiply(terms, x, x), number(36)));
    ask();
    assert_answer(&proof.goals[0], RD_ANSWER_PROVED);
    assert_answer(&proof.goals[1], RD_ANSWER_REFUTED);
    assert_string_equal(proof.goals[1].model, "x = 6\n");
    assert_non_null(proof.goals[0].prover);
    assert_true(proof.goals[0].has_model);
    assert_int_equal(rd_proof_verdict(&proof), RD_ANSWER_REFUTED);
}

static void test_numbers_of_a_counterexample_are_what_functions_make_of_them(void **state)
{
    (void)state;
    begin();
    const rd_term n = constant("n");
    struct rd_proof_goal *goal = add("no power of two is between 9 and 31");
    give(goal, rd_holds(terms, "P2", 1, &n));
    goal->goal = rd_not(terms, rd_within(terms, number(9), n, number(31)));
    ask();
    assert_answer(&proof.goals[0], RD_ANSWER_REFUTED);
    assert_string_equal(proof.goals[0].model, "n = 16\n");
}

static void test_function_of_which_nothing_is_known_leaves_a_goal_refuted(void **state)
{
    (void)state;
    begin();
    const rd_term x = constant("x");
    struct rd_proof_goal *goal = add("f grows");
    goal->goal = rd_less(terms, rd_apply(terms, "f", 1, &x),
                         rd_apply(terms, "f", 1, (rd_term[]){rd_add(terms, x, number(1))}));
    ask();
    assert_answer(&proof.goals[0], RD_ANSWER_REFUTED);
}

static void test_contradiction_proves_nothing(void **state)
{
    (void)state;
    begin();
    const rd_term x = constant("x");
    struct rd_proof_goal *goal = add("anything");
    give(goal, rd_less(terms, x, number(3)));
    give(goal, rd_equal(terms, rd_mod(terms, x, number(5)), number(1)));
    give(goal, rd_less(terms, number(1), x));
    goal->goal = rd_equal(terms, x, number(7));
    ask();
    assert_answer(&proof.goals[0], RD_ANSWER_OPEN);
    assert_string_equal(proof.goals[0].reason, "the hypotheses contradict each other");
    assert_false(proof.goals[0].has_model);
}

static void test_case_that_never_comes_is_proved_from_a_base_that_has_a_model(void **state)
{
    (void)state;
    begin();
    const rd_term x = constant("x");
    for (int k = 0; k < 2; k++) {
        struct rd_proof_goal *goal = add(k == 0 ? "a case" : "the case never comes");
        give(goal, rd_less(terms, x, number(3)));
        give(goal, rd_less(terms, number(5), x));
        goal->n_base = k == 0 ? 1 : 0;
        goal->may_be_void = k == 1;
        goal->goal = rd_truth(terms, false);
    }
    ask();
    for (int k = 0; k < 2; k++) {
        assert_answer(&proof.goals[k], RD_ANSWER_PROVED);
        assert_true(proof.goals[k].has_model);
    }
}

static void test_sentence_that_is_refuted_often_is_not_asked_any_more(void **state)
{
    (void)state;
    enum { N_ALIKE = 12, N_SHOWN = 8 };
    begin();
    for (int k = 0; k < N_ALIKE; k++)
        add("x is small")->goal = rd_less(terms, constant("x"), number(k));
    add("x is large")->goal = rd_less(terms, number(0), constant("x"));
    struct rd_proof_goal *goal = add("x is x");
    give(goal, rd_less(terms, number(0), constant("x")));
    goal->goal = rd_less(terms, number(-1), constant("x"));
    ask_with((struct rd_solver_options){.no_cache = true, .jobs = 1});
    for (int k = 0; k < N_ALIKE; k++)
        assert_answer(&proof.goals[k], k < N_SHOWN ? RD_ANSWER_REFUTED : RD_ANSWER_OPEN);
    assert_string_equal(proof.goals[N_SHOWN].reason,
                        "not asked: 8 goals that say the same are refuted");
    assert_null(proof.goals[N_SHOWN].model);
    assert_answer(&proof.goals[N_ALIKE], RD_ANSWER_REFUTED);
    assert_answer(&proof.goals[N_ALIKE + 1], RD_ANSWER_PROVED);
}

static void test_goal_that_nobody_can_decide_is_open(void **state)
{
    (void)state;
    begin();
    rd_term cubes[3];
    static const char *const names[] = {"x", "y", "z"};
    for (int k = 0; k < 3; k++) {
        const rd_term x = constant(names[k]);
        cubes[k] = rd_multiply(terms, x, rd_multiply(terms, x, x));
    }
    struct rd_proof_goal *goal = add("114 is no sum of three cubes");
    goal->goal =
        rd_not(terms, rd_equal(terms, rd_add(terms, cubes[0], rd_add(terms, cubes[1], cubes[2])),
                               number(114)));
    ask_with((struct rd_solver_options){.no_cache = true, .timeout_s = 0.1});
    assert_answer(&proof.goals[0], RD_ANSWER_OPEN);
    assert_non_null(strstr(proof.goals[0].reason, "no prover knew"));
}

/* ---- provers that fail ---- */

static const char *const failures[] = {
    "printf 'unsat\\n(error \"late\")\\n'",
    "printf '(error \"early\")\\nunsat\\n'",
    "printf 'unsat\\n'; exit 1",
    "printf 'unsat\\n'; kill -9 $$",
    "printf 'unsat\\n'; kill -11 $$",
    "printf 'unsat'; exit",
    "printf 'unsat\\n'; exit",
    "printf 'unsat \\n'",
    "printf ' unsat\\n'",
    "printf 'UNSAT\\n'",
    "printf 'unsat\\nunsat\\n'",
    "printf 'unsat\\000\\n'",
    "printf 'sat\\nunsat\\n'",
    "printf '\\377\\000\\001\\n'",
    "printf 'unsat\\n'; echo 'out of memory' >&2",
    "printf 'unknown\\n'",
    ":",
    /* The second tag too early, in an error, in one of many lines; another's tag. */
    "printf '>%s\\nunsat\\n' $tag",
    "printf 'unsat\\n(error \"in (echo >%s)\")\\n' $tag",
    "printf 'unsat\\n(error \"in\\n>%s\\n\")\\n' $tag",
    "printf '(error \"in\\n>%s\\n\")\\nunsat\\n' $tag",
    "printf 'unsat\\n>%s\\n' 0123456789abcdef0123456789abcdef",
    /* The first tag once more. */
    "printf '<%s\\nunsat\\n' $tag",
    "printf 'unsat\\n<%s\\n' $tag",
    "late='unsat\\n'; printf 'unknown\\n'",
    "exit 0",
    "exit 1",
};

static void test_prover_that_fails_proves_nothing(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof failures / sizeof *failures; k++) {
        begin();
        add_true();
        use_fakes(failures[k]);
        ask();
        if (proof.goals[0].answer != RD_ANSWER_OPEN)
            fail_msg("'%s' is taken for an answer", failures[k]);
        rd_proof_finish(&proof);
    }
    begin();
    add_true();
    use_fakes("printf 'unsat\\n'"); /* what would be one */
    ask();
    assert_answer(&proof.goals[0], RD_ANSWER_PROVED);
}

static void test_prover_that_hangs_is_ended(void **state)
{
    (void)state;
    begin();
    add_true();
    use_fakes("printf 'unsat\\n'; exec /bin/sleep 1000");
    ask_with((struct rd_solver_options){.no_cache = true, .timeout_s = 0.1});
    assert_answer(&proof.goals[0], RD_ANSWER_OPEN);
}

static void test_prover_that_fails_leaves_the_other(void **state)
{
    (void)state;
    char *command;
    begin();
    add_true();
    use_fakes("exit 1");
    assert_true(asprintf(&command, "PATH='%s' exec cvc5 \"$@\"", own_path) > 0);
    write_prover("cvc5", "1.2", command);
    free(command);
    ask();
    assert_answer(&proof.goals[0], RD_ANSWER_PROVED);
    assert_string_equal(proof.goals[0].prover, "cvc5 1.2");
}

static void test_without_a_prover_goals_are_open_with_what_to_install(void **state)
{
    (void)state;
    char names[200];
    begin();
    add_true();
    setenv("PATH", "/nonexistent", 1);
    ask();
    assert_answer(&proof.goals[0], RD_ANSWER_OPEN);
    assert_non_null(strstr(proof.goals[0].reason, "apt-get install cvc5 z3"));
    rd_solver_names(names, sizeof names);
    assert_non_null(strstr(names, "apt-get install"));
}

static void test_interruption_ends_it(void **state)
{
    (void)state;
    static const int interrupted = 1;
    struct rd_error error;
    begin();
    add_true();
    assert_int_equal(
        rd_solver_ask(&proof, &(struct rd_solver_options){.interrupted = &interrupted}, &error),
        RD_ERROR_INTERRUPTED);
}

/* Candidates need none: a goal that isn't proved is dropped. */
static void
test_counterexample_of_larger_numbers_is_left_out_where_proofs_are_asked_for(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        begin();
        struct rd_proof_goal *goal = add("nothing is above 50");
        goal->goal = rd_less(terms, rd_multiply(terms, constant("x"), constant("y")), number(2500));
        give(goal, rd_less(terms, constant("x"), constant("y")));
        ask_with((struct rd_solver_options){.no_cache = true, .proofs_only = k == 1});
        assert_answer(&proof.goals[0], k == 1 ? RD_ANSWER_OPEN : RD_ANSWER_REFUTED);
        rd_proof_finish(&proof);
    }
    begin();
}

/* ---- the cache ---- */

static void ask_cached(void)
{
    ask_with((struct rd_solver_options){.timeout_s = 1});
}

/* Asks a prover that proves all, then has it know nothing any more. */
static void fill_cache(void)
{
    clear(cache);
    begin();
    add_true();
    use_fakes("printf 'unsat\\n'");
    ask_cached();
    assert_answer(&proof.goals[0], RD_ANSWER_PROVED);
    assert_false(proof.goals[0].cached);
    use_fakes("printf 'unknown\\n'");
}

static void path_of_entry(char path[512])
{
    DIR *all = opendir(cache);
    assert_non_null(all);
    path[0] = '\0';
    for (struct dirent *entry; (entry = readdir(all));)
        if (entry->d_name[0] != '.')
            snprintf(path, 512, "%s/%s", cache, entry->d_name);
    closedir(all);
    assert_true(path[0] != '\0');
}

static void test_cache_has_what_was_proved(void **state)
{
    (void)state;
    fill_cache();
    ask_cached();
    assert_answer(&proof.goals[0], RD_ANSWER_PROVED);
    assert_true(proof.goals[0].cached);
    ask(); /* without it */
    assert_answer(&proof.goals[0], RD_ANSWER_OPEN);
}

/* What took more lemmas, or hypotheses without a bound, is looked for so: no prover is asked again. */
static void test_nothing_is_asked_again_that_took_more(void **state)
{
    char asked[128], body[1024];
    (void)state;
    clear(cache);
    begin();
    const rd_term n = constant("n"), d = constant("d"), t = constant("t");
    struct rd_proof_goal *goal = add("a half is less");
    give(goal, rd_holds(terms, "P2", 1, &n));
    give(goal, rd_at_most(terms, number(2), n));
    give(goal, rd_at_most(terms, rd_power_of_two(terms, d), n));
    goal->goal = rd_less(terms, rd_mod(terms, t, rd_div(terms, n, number(2))), n);
    /* The first question of its kind is one that the prover doesn't know. */
    snprintf(
        body, sizeof body,
        "case $query in *'(assert (not'*) kind=goal; knows=unsat;; *) kind=base; knows=sat;; esac; "
        "first=%s/first-$kind-${0##*/}; "
        "if [ -e $first ]; then echo $knows; else : >$first; echo unknown; fi",
        cache);
    use_fakes(body);
    ask_cached();
    assert_answer(&proof.goals[0], RD_ANSWER_PROVED);
    snprintf(asked, sizeof asked, "%s/asked", cache);
    snprintf(body, sizeof body, ": >%s; echo unknown", asked);
    use_fakes(body);
    ask_cached();
    assert_answer(&proof.goals[0], RD_ANSWER_PROVED);
    assert_true(proof.goals[0].cached);
    assert_int_equal(access(asked, F_OK), -1);
}

static void test_cache_has_nothing_of_another_text(void **state)
{
    (void)state;
    fill_cache();
    proof.goals[0].goal =
        rd_at_most(terms, number(1), rd_multiply(terms, constant("x"), constant("x")));
    ask_cached();
    assert_answer(&proof.goals[0], RD_ANSWER_OPEN);
}

static void test_cache_has_nothing_of_another_version(void **state)
{
    (void)state;
    fill_cache();
    write_prover("cvc5", "2", "printf 'unknown\\n'");
    write_prover("z3", "2", "printf 'unknown\\n'");
    ask_cached();
    assert_answer(&proof.goals[0], RD_ANSWER_OPEN);
}

/* Each byte of an entry but its number of seconds. */
static void test_entry_that_was_changed_is_no_proof(void **state)
{
    (void)state;
    char path[512], text[4096], changed[4096];
    fill_cache();
    path_of_entry(path);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    const size_t size = fread(text, 1, sizeof text - 1, file);
    text[size] = '\0';
    fclose(file);
    const char *seconds = strstr(text, "seconds: ");
    assert_non_null(seconds);
    for (size_t k = 0; k <= size; k += k < 60 ? 1 : 7) {
        if (text + k >= seconds + 9 && text + k < strchr(seconds, '\n'))
            continue;
        memcpy(changed, text, sizeof text);
        changed[k] = changed[k] == 'x' ? 'y' : 'x'; /* or one more at the end */
        file = fopen(path, "w");
        fwrite(changed, 1, size + (k == size), file);
        fclose(file);
        ask_cached();
        if (proof.goals[0].answer != RD_ANSWER_OPEN)
            fail_msg("byte %zu is not looked at", k);
    }
}

static void test_entry_that_others_can_write_is_no_proof(void **state)
{
    (void)state;
    char path[512];
    fill_cache();
    path_of_entry(path);
    assert_int_equal(chmod(path, 0666), 0);
    ask_cached();
    assert_answer(&proof.goals[0], RD_ANSWER_OPEN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_true_goal_is_proved_and_false_one_refuted_with_numbers, end),
        cmocka_unit_test_teardown(test_numbers_of_a_counterexample_are_what_functions_make_of_them,
                                  end),
        cmocka_unit_test_teardown(test_function_of_which_nothing_is_known_leaves_a_goal_refuted,
                                  end),
        cmocka_unit_test_teardown(test_contradiction_proves_nothing, end),
        cmocka_unit_test_teardown(test_case_that_never_comes_is_proved_from_a_base_that_has_a_model,
                                  end),
        cmocka_unit_test_teardown(test_sentence_that_is_refuted_often_is_not_asked_any_more, end),
        cmocka_unit_test_teardown(test_goal_that_nobody_can_decide_is_open, end),
        cmocka_unit_test_teardown(test_prover_that_fails_proves_nothing, end),
        cmocka_unit_test_teardown(test_prover_that_hangs_is_ended, end),
        cmocka_unit_test_teardown(test_prover_that_fails_leaves_the_other, end),
        cmocka_unit_test_teardown(test_without_a_prover_goals_are_open_with_what_to_install, end),
        cmocka_unit_test_teardown(test_interruption_ends_it, end),
        cmocka_unit_test_teardown(
            test_counterexample_of_larger_numbers_is_left_out_where_proofs_are_asked_for, end),
        cmocka_unit_test_teardown(test_cache_has_what_was_proved, end),
        cmocka_unit_test_teardown(test_nothing_is_asked_again_that_took_more, end),
        cmocka_unit_test_teardown(test_cache_has_nothing_of_another_text, end),
        cmocka_unit_test_teardown(test_cache_has_nothing_of_another_version, end),
        cmocka_unit_test_teardown(test_entry_that_was_changed_is_no_proof, end),
        cmocka_unit_test_teardown(test_entry_that_others_can_write_is_no_proof, end),
    };
    return has_provers() ? cmocka_run_group_tests(tests, set_up, tear_down) != 0 : SKIPPED;
}
