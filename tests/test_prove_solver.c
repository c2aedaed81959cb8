// SPDX-License-Identifier: MIT
/* Provers: what is taken for a proof and what never is; lemmas; the cache. Provers that lie or fail are scripts in a folder of the test's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "prove/lemma.h"
#include "prove/solver.h"

enum { SKIPPED = 77 };

static char folder[] = "/tmp/reductio-prove-XXXXXX", fakes[64], cache[64];
static char *own_path;

/* ---- goals ---- */

static struct rd_proof proof;
static struct rd_terms *terms;

static void begin(void)
{
    terms = rd_terms_create();
    assert_non_null(terms);
    proof = (struct rd_proof){.name = "test", .terms = terms};
}

static struct rd_proof_goal *add(const char *what)
{
    struct rd_proof_goal *goal = rd_proof_add(&proof, RD_PROOF_FACT, what);
    assert_non_null(goal);
    return goal;
}

static void give(struct rd_proof_goal *goal, rd_term hypothesis)
{
    rd_term_list_add(terms, &goal->hypotheses, hypothesis);
}

static rd_term number(int value)
{
    return rd_number(terms, value);
}

static rd_term constant(const char *name)
{
    return rd_constant(terms, name);
}

/* A goal that is true, but not by what the constructors know. */
static struct rd_proof_goal *add_true(void)
{
    struct rd_proof_goal *goal = add("a square isn't negative");
    const rd_term x = constant("x");
    goal->goal = rd_at_most(terms, number(0), rd_multiply(terms, x, x));
    return goal;
}

static void ask_with(struct rd_solver_options options)
{
    struct rd_error error = {""};
    if (rd_solver_ask(&proof, &options, &error) != RD_OK)
        fail_msg("%s", error.text);
}

static void ask(void)
{
    ask_with((struct rd_solver_options){.no_cache = true});
}

static void assert_answer(const struct rd_proof_goal *goal, enum rd_answer answer)
{
    static const char *const words[] = {"none", "PROVED", "REFUTED", "OPEN"};
    if (goal->answer != answer)
        fail_msg("%s: %s, not %s (%s)", goal->what, words[goal->answer], words[answer],
                 goal->reason ? goal->reason : "no reason");
}

/* ---- provers of the test's ---- */

static void write_prover(const char *name, const char *version, const char *body)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", fakes, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "#!/bin/sh\nif [ \"$1\" = --version ]; then echo 'version %s'; exit; fi\n%s\n",
            version, body);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, 0700), 0);
}

/* Has both provers be that script. */
static void use_fakes(const char *body)
{
    write_prover("cvc5", "1", body);
    write_prover("z3", "1", body);
    setenv("PATH", fakes, 1);
}

static void use_own(void)
{
    setenv("PATH", own_path, 1);
}

static void clear(const char *path)
{
    char file[512];
    DIR *all = opendir(path);
    for (struct dirent *entry; all && (entry = readdir(all));) {
        snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.')
            unlink(file);
    }
    if (all)
        closedir(all);
}

static int end(void **state)
{
    (void)state;
    rd_proof_finish(&proof);
    use_own();
    clear(cache);
    return 0;
}

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
    "printf 'unsat'",
    "printf 'unsat \\n'",
    "printf ' unsat\\n'",
    "printf 'UNSAT\\n'",
    "printf 'unsat\\nunsat\\n'",
    "printf 'unsat\\000\\n'",
    "printf 'sat\\nunsat\\n'",
    "printf '\\377\\000\\001'",
    "printf 'unsat\\n'; echo 'out of memory' >&2",
    "printf 'unknown\\n'",
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
    char command[300];
    begin();
    add_true();
    use_fakes("exit 1");
    snprintf(command, sizeof command, "PATH='%s' exec cvc5 \"$@\"", own_path);
    write_prover("cvc5", "1.2", command);
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

/* ---- lemmas ---- */

/* One symbol of a lemma changed: a part of that kind becomes factor * part + summand. */
static const struct change {
    const char *lemma;
    enum rd_term_kind kind;
    const char *of; /* optional: the constant that the part is of */
    int factor, summand;
} changes[] = {
    {"quotient", RD_TERM_MOD, NULL, 1, 1},
    {"unique", RD_TERM_MOD, NULL, 1, 1},
    {"within", RD_TERM_DIV, NULL, 1, 1},
    {"halving", RD_TERM_MOD, NULL, 1, 1},
    {"small", RD_TERM_PRODUCT, NULL, 1, -1},
    {"apart", RD_TERM_MOD, NULL, 1, 1},
    {"monotone", RD_TERM_DIV, "x", 1, 1},
    {"bounded", RD_TERM_DIV, NULL, 1, 1},
    {"nested", RD_TERM_MOD, NULL, 1, 1},
    {"pow2-positive", RD_TERM_APPLY, NULL, 1, -1},
    {"pow2-grows", RD_TERM_APPLY, "e", 4, 0},
    {"pow2-sum", RD_TERM_APPLY, NULL, 2, 0},
    {"log2-exists", RD_TERM_SUM, "x", 4, 0},
    {"log2-monotone", RD_TERM_APPLY, "x", 1, 1},
    {"pow2-power", RD_TERM_APPLY, NULL, 2, 0},
    {"power-positive", RD_TERM_NUMBER, NULL, 1, 1},
    {"power-double", RD_TERM_SUM, NULL, 3, 0},
    {"power-half", RD_TERM_DIV, NULL, 1, 2},
    {"power-apart", RD_TERM_SUM, NULL, 2, 0},
    {"power-divides", RD_TERM_DIV, NULL, 3, 0},
    {"power-product", RD_TERM_PRODUCT, NULL, 3, 0},
    {"bit-ceil", RD_TERM_APPLY, NULL, 1, 1},
    {"bit-ceil-between", RD_TERM_APPLY, NULL, 1, 1},
};

struct search {
    const struct change *change;
    rd_term found;
};

static void look_at(void *self, rd_term part)
{
    struct search *search = self;
    const char *of = search->change->of;
    const rd_term one = part->n_kids > 0 ? part->kids[0] : part;
    if (!search->found && part->kind == search->change->kind &&
        (!of || (one->kind == RD_TERM_CONSTANT && strcmp(one->name, of) == 0)))
        search->found = part;
}

static bool change_goal(struct rd_proof_goal *goal, const struct change *change)
{
    struct rd_seen seen = {0};
    struct search search = {.change = change};
    rd_term_visit(goal->goal, &seen, look_at, &search);
    rd_seen_finish(&seen);
    if (!search.found)
        return false;
    const rd_term to = rd_add(terms, rd_multiply(terms, number(change->factor), search.found),
                              number(change->summand));
    goal->goal = rd_replace(terms, goal->goal, 1, &search.found, &to);
    return true;
}

/* A number, or a comparison, of a lemma in bit vectors. */
static void change_bits(struct rd_proof_goal *goal)
{
    const char *power = strstr(goal->smt, "bv8 "),
               *at = power ? power : strstr(goal->smt, "bvult rest");
    assert_non_null(at);
    goal->smt = rd_terms_text(terms, "%.*s%s%s", (int)(at - goal->smt), goal->smt,
                              power ? "bv9" : "bvule", at + strcspn(at, " "));
}

static const struct change *change_of(const char *what)
{
    for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) {
        const size_t length = strlen(changes[k].lemma);
        if (strncmp(what, "lemma ", 6) == 0 && strncmp(what + 6, changes[k].lemma, length) == 0 &&
            strchr(":,", what[6 + length]))
            return &changes[k];
    }
    return NULL;
}

static void test_lemmas_are_proved(void **state)
{
    (void)state;
    struct rd_error error;
    begin();
    assert_int_equal(rd_lemma_goals(&proof, &error), RD_OK);
    ask();
    for (size_t k = 0; k < proof.count; k++) {
        assert_answer(&proof.goals[k], RD_ANSWER_PROVED);
        assert_true(proof.goals[k].has_model);
    }
}

static void test_lemma_changed_by_a_symbol_is_refuted(void **state)
{
    (void)state;
    struct rd_error error;
    size_t n = 0;
    begin();
    assert_int_equal(rd_lemma_goals(&proof, &error), RD_OK);
    for (size_t k = 0; k < proof.count; k++) {
        struct rd_proof_goal *goal = &proof.goals[k];
        if (goal->smt) {
            change_bits(goal);
            continue;
        }
        goal->may_be_void = true; /* the hypotheses are those of the lemmas */
        const struct change *change = change_of(goal->what);
        if (!change)
            fail_msg("'%s' is not changed by the test", goal->what);
        if (goal->goal->kind == RD_TERM_TRUE) /* an induction's beginning, which needs no prover */
            goal->goal = rd_truth(terms, false);
        else if (!change_goal(goal, change))
            fail_msg("'%s' has no such part", goal->what);
        n++;
    }
    assert_true(n >= sizeof changes / sizeof *changes);
    ask();
    for (size_t k = 0; k < proof.count; k++)
        assert_answer(&proof.goals[k], RD_ANSWER_REFUTED);
}

static void test_instances_prove_what_provers_do_not_know(void **state)
{
    (void)state;
    begin();
    const rd_term n = constant("n"), d = constant("d"), j = constant("j"), t = constant("t");
    const rd_term power = rd_power_of_two(terms, d), two = number(2);
    const rd_term w = rd_div(terms, n, power), half = rd_div(terms, w, two);
    const rd_term next = rd_div(terms, n, rd_power_of_two(terms, rd_add(terms, d, number(1))));
    for (int is_wrong = 0; is_wrong < 2; is_wrong++) {
        struct rd_proof_goal *goal = add(is_wrong ? "a wrong fold" : "the fold");
        give(goal, rd_less(terms, number(0), n));
        give(goal, rd_holds(terms, "P2", 1, &n));
        give(goal, rd_at_most(terms, number(0), d));
        give(goal, rd_at_most(terms, power, n));
        give(goal, rd_not(terms, rd_equal(terms, w, number(1))));
        give(goal, rd_within(terms, number(0), j, n));
        give(goal, rd_within(terms, number(0), t, half));
        const rd_term other = rd_add(terms, t, rd_subtract(terms, half, number(is_wrong)));
        goal->goal =
            rd_equal(terms, rd_count_of(terms, rd_equal(terms, rd_mod(terms, j, next), t)),
                     rd_add(terms, rd_count_of(terms, rd_equal(terms, rd_mod(terms, j, w), t)),
                            rd_count_of(terms, rd_equal(terms, rd_mod(terms, j, w), other))));
    }
    ask();
    assert_answer(&proof.goals[0], RD_ANSWER_PROVED);
    assert_answer(&proof.goals[1], RD_ANSWER_REFUTED);
    assert_non_null(strstr(proof.goals[1].model, "n = "));
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

/* ---- */

static int set_up(void **state)
{
    (void)state;
    char parent[64];
    own_path = strdup(getenv("PATH"));
    if (!own_path || !mkdtemp(folder))
        return -1;
    snprintf(fakes, sizeof fakes, "%s/bin", folder);
    snprintf(parent, sizeof parent, "%s/cache", folder);
    snprintf(cache, sizeof cache, "%s/cache/reductio/proofs", folder);
    setenv("XDG_CACHE_HOME", parent, 1);
    return mkdir(fakes, 0700);
}

static int tear_down(void **state)
{
    (void)state;
    char path[64];
    clear(fakes);
    rmdir(fakes);
    for (int k = 0; k < 3; k++) {
        static const char *const parts[] = {"cache/reductio/proofs", "cache/reductio", "cache"};
        snprintf(path, sizeof path, "%s/%s", folder, parts[k]);
        rmdir(path);
    }
    free(own_path);
    return rmdir(folder);
}

int main(void)
{
    char names[200];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_true_goal_is_proved_and_false_one_refuted_with_numbers, end),
        cmocka_unit_test_teardown(test_numbers_of_a_counterexample_are_what_functions_make_of_them,
                                  end),
        cmocka_unit_test_teardown(test_function_of_which_nothing_is_known_leaves_a_goal_refuted,
                                  end),
        cmocka_unit_test_teardown(test_contradiction_proves_nothing, end),
        cmocka_unit_test_teardown(test_case_that_never_comes_is_proved_from_a_base_that_has_a_model,
                                  end),
        cmocka_unit_test_teardown(test_goal_that_nobody_can_decide_is_open, end),
        cmocka_unit_test_teardown(test_prover_that_fails_proves_nothing, end),
        cmocka_unit_test_teardown(test_prover_that_hangs_is_ended, end),
        cmocka_unit_test_teardown(test_prover_that_fails_leaves_the_other, end),
        cmocka_unit_test_teardown(test_without_a_prover_goals_are_open_with_what_to_install, end),
        cmocka_unit_test_teardown(test_interruption_ends_it, end),
        cmocka_unit_test_teardown(test_lemmas_are_proved, end),
        cmocka_unit_test_teardown(test_lemma_changed_by_a_symbol_is_refuted, end),
        cmocka_unit_test_teardown(test_instances_prove_what_provers_do_not_know, end),
        cmocka_unit_test_teardown(test_cache_has_what_was_proved, end),
        cmocka_unit_test_teardown(test_cache_has_nothing_of_another_text, end),
        cmocka_unit_test_teardown(test_cache_has_nothing_of_another_version, end),
        cmocka_unit_test_teardown(test_entry_that_was_changed_is_no_proof, end),
        cmocka_unit_test_teardown(test_entry_that_others_can_write_is_no_proof, end),
    };
    rd_solver_names(names, sizeof names);
    if (!strstr(names, "cvc5 ") || !strstr(names, "Z3 ")) {
        puts("skipped: cvc5 and z3 are needed");
        return SKIPPED;
    }
    return cmocka_run_group_tests(tests, set_up, tear_down) != 0;
}
