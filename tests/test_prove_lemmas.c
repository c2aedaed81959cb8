// SPDX-License-Identifier: MIT
/* Lemmas: each is proved, is refuted if a symbol of it is changed, and proves what provers don't know. */
#include "solver_harness.h"

#include <stdlib.h>
#include <string.h>

#include "prove/logic/lemma.h"

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
    {"root-exists", RD_TERM_SUM, "x", 1, -2},
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_lemmas_are_proved, end),
        cmocka_unit_test_teardown(test_lemma_changed_by_a_symbol_is_refuted, end),
        cmocka_unit_test_teardown(test_instances_prove_what_provers_do_not_know, end),
    };
    return has_provers() ? cmocka_run_group_tests(tests, set_up, tear_down) != 0 : SKIPPED;
}
