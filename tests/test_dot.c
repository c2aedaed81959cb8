// SPDX-License-Identifier: MIT
/* The dot products: multiply, then sum. */
#include "harness.h"

static const char *const programs[] = {"dot-fold", "dot-tournament"};
enum { PROGRAMS = sizeof programs / sizeof *programs };

static void test_dot_fold_of_8_goes_as_documented(void **state)
{
    static const char *const rows[] = {
        "0 1 2 3 4 5 6 7",
        "0 2 6 12 20 30 42 56",
        "20 32 48 68 | 20 30 42 56",
        "68 100 | 48 68 20 30 42 56",
        "168 | 100 48 68 20 30 42 56",
        NULL,
    };
    (void)state;
    for (unsigned type = 0; type < RD_HALVES_FIRST; type++)
        assert_steps(
            &(struct test_case){
                .program = "dot-fold", .n = 8, .type = (enum rd_type)type, .frame = true},
            rows);
}

static void test_dot_tournament_of_8_goes_as_documented(void **state)
{
    static const char *const rows[] = {
        "0 1 2 3 4 5 6 7",    "0 2 6 12 20 30 42 56", "2 . 18 . 50 . 98 .",
        "20 . . . 148 . . .", "168 . . . . . . .",    NULL,
    };
    (void)state;
    for (unsigned type = 0; type < RD_HALVES_FIRST; type++)
        assert_steps(
            &(struct test_case){.program = "dot-tournament", .n = 8, .type = (enum rd_type)type},
            rows);
}

static void test_dot_makes_one_round_more_than_the_sum(void **state)
{
    (void)state;
    assert_rounds("dot-fold", 1, (const size_t[]){1, 0}, 1);
    assert_rounds("dot-fold", 8, (const size_t[]){8, 4, 2, 1, 0}, 8 + 7);
    assert_rounds("dot-tournament", 1, (const size_t[]){1, 0}, 1);
    assert_rounds("dot-tournament", 9, (const size_t[]){9, 1, 2, 4, 8, 0}, 9 + 8);
}

static void test_dot_states_the_products_from_step_1_on(void **state)
{
    struct test_record record;
    (void)state;
    test_record(&(struct test_case){.program = "dot-fold", .n = 8}, &record);
    assert_text(record.steps[0].statement, "for 0 <= i < 8: A[i] = a[i]");
    assert_text(record.steps[1].statement, "for 0 <= i < 8: A[i] = sum of a[j]*b[j], j mod 8 = i");
    assert_text(record.steps[2].statement, "for 0 <= i < 4: A[i] = sum of a[j]*b[j], j mod 4 = i");
    test_record_finish(&record);
}

static void test_dot_fold_of_other_n_is_refused_and_dot_tournament_takes_it(void **state)
{
    (void)state;
    assert_refused(&(struct test_case){.program = "dot-fold", .n = 12}, "'n' is 12,");
    assert_holds(&(struct test_case){.program = "dot-tournament", .n = 12});
}

/* Both are sums of the same products, in another order: as integers they agree. */
static void test_dot_programs_agree_on_integers(void **state)
{
    (void)state;
    for (size_t n = 1; n <= 512; n *= 2) {
        rd_bits sums[PROGRAMS];
        for (int p = 0; p < PROGRAMS; p++) {
            struct test_record record;
            test_record(&(struct test_case){.program = programs[p],
                                            .n = n,
                                            .type = RD_TYPE_U64,
                                            .values = test_random_values(n)},
                        &record);
            sums[p] = record.values.numeric->load(record.steps[record.n_steps - 1].cells, 0);
            test_record_finish(&record);
        }
        assert_int_equal(sums[0], sums[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TESTS_OF_ROUNDS("dot-fold"),
        TESTS_OF_ROUNDS("dot-tournament"),
        TEST_OF_PARTITION("dot-fold"),
        TEST_OF_PARTITION("dot-tournament"),
        cmocka_unit_test(test_dot_fold_of_8_goes_as_documented),
        cmocka_unit_test(test_dot_tournament_of_8_goes_as_documented),
        cmocka_unit_test(test_dot_makes_one_round_more_than_the_sum),
        cmocka_unit_test(test_dot_states_the_products_from_step_1_on),
        cmocka_unit_test(test_dot_fold_of_other_n_is_refused_and_dot_tournament_takes_it),
        cmocka_unit_test(test_dot_programs_agree_on_integers),
    };
    return cmocka_run_group_tests_name("dot", tests, test_set_up, test_tear_down) != 0;
}
