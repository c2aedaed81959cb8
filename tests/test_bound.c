// SPDX-License-Identifier: MIT
/* Bounds on a float's error, and their words at a step and at the goal. */
#include "run/assertion.h"
#include "harness.h"

#include <math.h>
#include <string.h>

/* Puts exact + factor * limit into a cell of the copy, rounded to the type. */
static void put_off(const struct rd_expect *expect, void *cells, size_t cell, double factor)
{
    struct rd_deviation d;
    expect->numeric->deviation(expect, cell, 0, &d);
    double value = d.exact + factor * d.limit;
    float narrow = (float)value;
    if (expect->numeric->type == RD_TYPE_F32)
        memcpy((float *)cells + cell, &narrow, sizeof narrow);
    else
        memcpy((double *)cells + cell, &value, sizeof value);
}

static struct rd_comparison compare_all(struct rd_expect *expect, const struct rd_claim *claim,
                                        const void *cells)
{
    struct rd_comparison found = rd_comparison_none();
    expect->numeric->compare(expect, 0, claim->count, claim->stride, cells, claim->stride, &found);
    return found;
}

/* Every live cell of a step, put off by so many bounds. */
static void check_bound(const struct rd_program *program, struct rd_expect *expect, unsigned step)
{
    static const double outside[] = {4, -4, 1000}, within[] = {0.1, -0.1};
    struct rd_claim claim;
    void *cells = test_copy_cells(expect);
    rd_program_claim(program, SHAPE(expect->n), step, &claim);
    struct rd_comparison found = compare_all(expect, &claim, cells);
    assert_int_equal(found.wrong_bits + found.out_of_bound + found.unbounded, 0);
    for (size_t k = 0; k < claim.count; k++) {
        size_t i = k * claim.stride;
        struct rd_deviation d;
        expect->numeric->deviation(expect, i, expect->numeric->load(cells, i), &d);
        assert_true(d.error <= d.limit);
        assert_true(d.limit > 0 && isfinite(d.limit));
        for (size_t o = 0; o < 3; o++) {
            put_off(expect, cells, i, outside[o]);
            found = compare_all(expect, &claim, cells);
            assert_int_equal(found.out_of_bound, 1);
            assert_int_equal(found.first_outside, i);
            assert_int_equal(found.wrong_bits, 1);
        }
        for (size_t w = 0; w < 2 && expect->height >= 3; w++) { /* a rounding is a third, then */
            put_off(expect, cells, i, within[w]);
            assert_int_equal(compare_all(expect, &claim, cells).out_of_bound, 0);
        }
        expect->numeric->store(cells, i, rd_expect_cell(expect, i));
    }
    free(cells);
}

static void test_bound_is_kept_by_the_tree_and_missed_by_four_bounds(void **state)
{
    static const char *const programs[] = {"fold",      "tournament", "fold-guard",
                                           "fold-ceil", "dot-fold",   "dot-tournament"};
    (void)state;
    for (size_t p = 0; p < sizeof programs / sizeof *programs; p++)
        for (unsigned type = RD_TYPE_F32; type <= RD_TYPE_F64; type++) {
            const struct rd_program *program = rd_program_named(programs[p]);
            struct rd_expect expect;
            struct rd_values values;
            size_t n = program->accept ? 64 : 61;
            test_init_expect(&expect, programs[p], (enum rd_type)type, test_random_values(p), n,
                             &values);
            for (unsigned step = 1; step <= rd_program_rounds(program, SHAPE(n)); step++) {
                assert_int_equal(rd_program_advance(program, &expect, step, NULL), RD_OK);
                assert_int_equal(expect.height, step);
                check_bound(program, &expect, step);
            }
            test_finish_expect(&expect, &values);
        }
}

static void test_bound_is_highams(void **state)
{
    struct rd_expect expect;
    struct rd_values values;
    struct rd_deviation d;
    (void)state;
    test_init_expect(&expect, "fold", RD_TYPE_F32, "list:1,-2,3,-4", 0, &values);
    expect.numeric->deviation(&expect, 1, rd_expect_cell(&expect, 1), &d);
    assert_true(d.exact == -2 && d.error == 0 && d.limit == 0); /* no rounding yet */
    assert_int_equal(rd_program_advance(rd_program_named("fold"), &expect, 1, NULL), RD_OK);
    assert_int_equal(rd_program_advance(rd_program_named("fold"), &expect, 2, NULL), RD_OK);
    expect.numeric->deviation(&expect, 0, rd_expect_cell(&expect, 0), &d);
    double u = 0x1p-24, gamma = 2 * u / (1 - 2 * u);
    assert_true(d.exact == -2 && d.error == 0);
    assert_true(d.limit >= gamma * 10 && d.limit < gamma * 10 * 1.0001);
    test_finish_expect(&expect, &values);
}

static void test_bound_of_sums_side_by_side_is_kept_and_missed_by_four_bounds(void **state)
{
    const struct rd_program *program = rd_program_named("puzzle-pool");
    (void)state;
    for (unsigned type = RD_TYPE_F32; type <= RD_TYPE_F64; type++) {
        struct rd_expect expect;
        struct rd_values values;
        test_init_expect(&expect, program->name, (enum rd_type)type, test_random_values(type), 61,
                         &values);
        assert_int_equal(rd_program_advance(program, &expect, 1, NULL), RD_OK);
        assert_int_equal(expect.height, 2);
        check_bound(program, &expect, 1);
        test_finish_expect(&expect, &values);
    }
}

static void test_heights_of_puzzles_are_as_explained(void **state)
{
    static const struct {
        const char *program;
        size_t n;
        unsigned height;
    } cases[] = {
        {"puzzle-pool", 1, 0},     {"puzzle-pool", 2, 1},      {"puzzle-pool", 9, 2},
        {"puzzle-conv1d", 1, 1},   {"puzzle-conv1d", 15, 4},   {"puzzle-dot", 8, 8},
        {"puzzle-dot", 17, 8 + 2}, {"puzzle-block-sum", 1, 0}, {"puzzle-block-sum", 15, 3},
        {"puzzle-axis-sum", 6, 3}, {"puzzle-matmul", 1, 1},    {"puzzle-matmul", 8, 8},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct rd_expect expect;
        struct rd_values values;
        test_init_expect(&expect, cases[c].program, RD_TYPE_F32, "ones", cases[c].n, &values);
        assert_int_equal(expect.height, 0);
        assert_int_equal(rd_program_advance(rd_program_named(cases[c].program), &expect, 1, NULL),
                         RD_OK);
        if (expect.height != cases[c].height)
            fail_msg("%s n=%zu: height %u", cases[c].program, cases[c].n, expect.height);
        test_finish_expect(&expect, &values);
    }
}

static void test_bound_says_nothing_of_infinities_and_nans(void **state)
{
    static const struct {
        const char *values;
        float actual;
        size_t wrong, unbounded;
    } cases[] = {
        {"list:inf,1", INFINITY, 0, 1},
        {"list:inf,1", 5, 1, 1},
        {"list:nan,1", NAN, 0, 1},
        {"list:nan,1", 5, 1, 1},
        {"list:1,2", NAN, 1, 1},
        {"list:1,2", INFINITY, 1, 1},
        {"list:3e38,3e38", INFINITY, 0, 1},
        {"list:inf,-inf", NAN, 0, 1},
        {"list:1,2", 3, 0, 0},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct rd_expect expect;
        struct rd_values values;
        struct rd_comparison found = rd_comparison_none();
        test_init_expect(&expect, "fold", RD_TYPE_F32, cases[c].values, 0, &values);
        assert_int_equal(rd_program_advance(rd_program_named("fold"), &expect, 1, NULL), RD_OK);
        expect.numeric->compare(&expect, 0, 1, 1, &cases[c].actual, 1, &found);
        if (found.wrong_bits != cases[c].wrong || found.unbounded != cases[c].unbounded ||
            found.out_of_bound != 0)
            fail_msg("%s, actual %g: %zu wrong, %zu outside, %zu unbounded", cases[c].values,
                     (double)cases[c].actual, found.wrong_bits, found.out_of_bound,
                     found.unbounded);
        test_finish_expect(&expect, &values);
    }
}

static void test_bound_is_not_kept_for_programs_without_one(void **state)
{
    struct rd_expect expect;
    struct rd_values values;
    (void)state;
    test_init_expect(&expect, "unfold", RD_TYPE_F32, "ones", 8, &values);
    assert_false(expect.bounded);
    test_finish_expect(&expect, &values);
    test_init_expect(&expect, "fold", RD_TYPE_I32, "ones", 8, &values);
    assert_false(expect.bounded);
    test_finish_expect(&expect, &values);
    test_init_expect(&expect, "tournament", RD_TYPE_F32, "ones", RD_BOUND_MAX + 1, &values);
    assert_false(expect.bounded);
    test_finish_expect(&expect, &values);
}

/* ---- sums in any order ---- */

/* Sums of the same inputs, each begun at another one and made with another stride. */
static rd_bits sum_from(const struct rd_expect *expect, size_t start, size_t stride)
{
    const struct rd_numeric *numeric = expect->numeric;
    size_t n = expect->n_inputs;
    rd_bits sum = numeric->from_u64(0);
    for (size_t k = 0; k < n; k++)
        sum = numeric->add(sum, numeric->load(expect->a, (start + k * stride) % n));
    return sum;
}

static enum rd_verdict verdict_of_sum(struct rd_expect *expect, rd_bits actual,
                                      struct rd_violation *v)
{
    const struct rd_claim claim = {1, 1};
    uint64_t cell = 0;
    expect->numeric->store(&cell, 0, actual);
    const struct rd_state_view state = {.cells = &cell, .n_cells = 1};
    struct rd_comparison found = compare_all(expect, &claim, &cell);
    assert_int_equal(found.wrong_bits, 0);
    return rd_assert_step(expect, 1, &claim, &found, &state, v);
}

/* An expectation of one cell, that holds the sum of all inputs in any order. */
static void init_any_order(struct rd_expect *expect, enum rd_type type, const char *spec, size_t n,
                           struct rd_values *values)
{
    test_init_expect(expect, "fold", type, spec, n, values);
    expect->height = (unsigned)expect->n_inputs;
    expect->numeric->sum_any_order(expect);
}

static void test_sum_in_any_order_holds_of_floats_within_the_bound(void **state)
{
    (void)state;
    for (unsigned type = RD_TYPE_F32; type <= RD_TYPE_F64; type++) {
        struct rd_expect expect;
        struct rd_values values;
        struct rd_violation v;
        bool differ = false;
        init_any_order(&expect, (enum rd_type)type, test_random_values(type), 1024, &values);
        rd_bits first = sum_from(&expect, 0, 1);
        for (size_t k = 1; k < 64; k++) {
            rd_bits sum = sum_from(&expect, k, 2 * k + 1);
            differ |= sum != first;
            assert_int_equal(verdict_of_sum(&expect, sum, &v), RD_HOLDS);
        }
        assert_true(differ); /* or the bits could have been asserted */
        test_finish_expect(&expect, &values);
    }
}

static void test_sum_in_any_order_outside_the_bound_is_violated(void **state)
{
    (void)state;
    for (unsigned type = RD_TYPE_F32; type <= RD_TYPE_F64; type++) {
        struct rd_expect expect;
        struct rd_values values;
        struct rd_violation v;
        init_any_order(&expect, (enum rd_type)type, test_random_values(type), 64, &values);
        void *cells = test_copy_cells(&expect);
        put_off(&expect, cells, 0, 0.9);
        assert_int_equal(verdict_of_sum(&expect, expect.numeric->load(cells, 0), &v), RD_HOLDS);
        put_off(&expect, cells, 0, 1.5);
        rd_bits off = expect.numeric->load(cells, 0);
        assert_int_equal(verdict_of_sum(&expect, off, &v), RD_VIOLATED);
        assert_int_equal(v.kind, RD_VIOLATION_BOUND);
        assert_int_equal(v.cell, 0);
        assert_int_equal(v.actual, off);
        assert_true(v.deviation.error > v.deviation.limit);
        free(cells);
        test_finish_expect(&expect, &values);
    }
}

static void test_sum_in_any_order_of_integers_is_asserted_to_the_bit(void **state)
{
    static const enum rd_type types[] = {RD_TYPE_I32, RD_TYPE_U32, RD_TYPE_U64};
    (void)state;
    for (size_t t = 0; t < 3; t++) {
        struct rd_expect expect;
        struct rd_values values;
        struct rd_comparison found;
        const struct rd_claim claim = {1, 1};
        uint64_t cell = 0;
        init_any_order(&expect, types[t], test_random_values(t), 64, &values);
        rd_bits sum = sum_from(&expect, 5, 7);
        assert_int_equal(rd_expect_cell(&expect, 0), sum);
        expect.numeric->store(&cell, 0, sum);
        found = compare_all(&expect, &claim, &cell);
        assert_int_equal(found.wrong_bits, 0);
        expect.numeric->store(&cell, 0, sum ^ 1);
        found = compare_all(&expect, &claim, &cell);
        assert_int_equal(found.wrong_bits, 1);
        test_finish_expect(&expect, &values);
    }
}

static void test_sum_in_any_order_of_infinities_holds_as_they_are_or_is_inconclusive(void **state)
{
    static const struct {
        const char *values;
        float actual;
        enum rd_verdict verdict;
    } cases[] = {
        {"list:inf,1", INFINITY, RD_HOLDS},
        {"list:inf,1", 5, RD_INCONCLUSIVE},
        {"list:nan,1", NAN, RD_HOLDS},
        {"list:nan,1", 5, RD_INCONCLUSIVE},
        {"list:inf,-inf", NAN, RD_HOLDS},
        {"list:1,2", NAN, RD_INCONCLUSIVE},
        {"list:3e38,3e38,-3e38,-3e38", INFINITY, RD_INCONCLUSIVE}, /* in this order */
        {"list:3e38,3e38,-3e38,-3e38", 0, RD_HOLDS},               /* in another */
        {"list:3e38,3e38", INFINITY, RD_HOLDS},
        {"list:1,2", 3, RD_HOLDS},
        {"list:1,2", 4, RD_VIOLATED},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct rd_expect expect;
        struct rd_values values;
        struct rd_violation v;
        uint32_t actual;
        memcpy(&actual, &cases[c].actual, sizeof actual);
        test_init_expect(&expect, "fold-guard", RD_TYPE_F32, cases[c].values, 0, &values);
        expect.height = 4;
        expect.numeric->sum_any_order(&expect);
        enum rd_verdict verdict = verdict_of_sum(&expect, actual, &v);
        if (verdict != cases[c].verdict)
            fail_msg("%s, actual %g: %s", cases[c].values, (double)cases[c].actual,
                     rd_verdict_name(verdict));
        test_finish_expect(&expect, &values);
    }
}

/* ---- verdicts ---- */

static enum rd_verdict goal_of(struct rd_expect *expect, const void *cells,
                               struct rd_violation *violation)
{
    const struct rd_claim claim = {1, 1};
    const struct rd_state_view state = {.cells = cells, .n_cells = 1};
    struct rd_outcome unused;
    return rd_assert_goal(rd_program_named("fold"), expect, 6, &claim, &state, violation, &unused);
}

static void test_goal_of_floats_is_missed_by_four_bounds(void **state)
{
    (void)state;
    for (unsigned type = RD_TYPE_F32; type <= RD_TYPE_F64; type++) {
        struct rd_expect expect;
        struct rd_values values;
        struct rd_violation v = {.count = 77};
        test_init_expect(&expect, "fold", (enum rd_type)type, test_random_values(0), 64, &values);
        for (unsigned step = 1; step <= 6; step++)
            assert_int_equal(rd_program_advance(rd_program_named("fold"), &expect, step, NULL),
                             RD_OK);
        void *cells = test_copy_cells(&expect);
        assert_int_equal(goal_of(&expect, cells, &v), RD_HOLDS);
        put_off(&expect, cells, 0, 0.1);
        assert_int_equal(goal_of(&expect, cells, &v), RD_HOLDS);
        assert_int_equal(v.count, 77); /* untouched */
        put_off(&expect, cells, 0, 4);
        assert_int_equal(goal_of(&expect, cells, &v), RD_VIOLATED);
        assert_int_equal(v.kind, RD_VIOLATION_GOAL);
        assert_int_equal(v.step, 6);
        assert_true(v.deviation.error > 2 * v.deviation.limit);
        free(cells);
        test_finish_expect(&expect, &values);
    }
}

static void test_step_outside_the_bound_is_violated_where_bits_are_not_asked(void **state)
{
    struct rd_expect expect;
    struct rd_values values;
    struct rd_violation v;
    (void)state;
    test_init_expect(&expect, "fold", RD_TYPE_F32, test_random_values(0), 64, &values);
    assert_int_equal(rd_program_advance(rd_program_named("fold"), &expect, 1, NULL), RD_OK);
    const struct rd_claim claim = {32, 1};
    float *cells = test_copy_cells(&expect);
    put_off(&expect, cells, 7, 4);
    const struct rd_state_view state_view = {.cells = cells, .n_cells = 32};
    struct rd_comparison found = compare_all(&expect, &claim, cells);
    assert_int_equal(rd_assert_step(&expect, 1, &claim, &found, &state_view, &v), RD_VIOLATED);
    assert_int_equal(v.kind, RD_VIOLATION_BITS); /* the worse of the two is named */
    found.wrong_bits = 0;
    assert_int_equal(rd_assert_step(&expect, 1, &claim, &found, &state_view, &v), RD_VIOLATED);
    assert_int_equal(v.kind, RD_VIOLATION_BOUND);
    assert_int_equal(v.cell, 7);
    assert_int_equal(v.count, 1);
    assert_true(v.deviation.error > 3 * v.deviation.limit);
    free(cells);
    test_finish_expect(&expect, &values);
}

static void test_verdicts_of_several_are_the_worst(void **state)
{
    (void)state;
    assert_int_equal(rd_verdict_worst(RD_HOLDS, RD_HOLDS), RD_HOLDS);
    assert_int_equal(rd_verdict_worst(RD_HOLDS, RD_INCONCLUSIVE), RD_INCONCLUSIVE);
    assert_int_equal(rd_verdict_worst(RD_INCONCLUSIVE, RD_HOLDS), RD_INCONCLUSIVE);
    assert_int_equal(rd_verdict_worst(RD_VIOLATED, RD_INCONCLUSIVE), RD_VIOLATED);
    assert_int_equal(rd_verdict_worst(RD_INCONCLUSIVE, RD_VIOLATED), RD_VIOLATED);
    assert_int_equal(rd_verdict_worst(RD_VIOLATED, RD_HOLDS), RD_VIOLATED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bound_is_kept_by_the_tree_and_missed_by_four_bounds),
        cmocka_unit_test(test_bound_is_highams),
        cmocka_unit_test(test_bound_of_sums_side_by_side_is_kept_and_missed_by_four_bounds),
        cmocka_unit_test(test_heights_of_puzzles_are_as_explained),
        cmocka_unit_test(test_bound_says_nothing_of_infinities_and_nans),
        cmocka_unit_test(test_bound_is_not_kept_for_programs_without_one),
        cmocka_unit_test(test_sum_in_any_order_holds_of_floats_within_the_bound),
        cmocka_unit_test(test_sum_in_any_order_outside_the_bound_is_violated),
        cmocka_unit_test(test_sum_in_any_order_of_integers_is_asserted_to_the_bit),
        cmocka_unit_test(test_sum_in_any_order_of_infinities_holds_as_they_are_or_is_inconclusive),
        cmocka_unit_test(test_goal_of_floats_is_missed_by_four_bounds),
        cmocka_unit_test(test_step_outside_the_bound_is_violated_where_bits_are_not_asked),
        cmocka_unit_test(test_verdicts_of_several_are_the_worst),
    };
    return cmocka_run_group_tests_name("bound", tests, NULL, NULL) != 0;
}
