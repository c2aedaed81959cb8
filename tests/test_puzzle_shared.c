// SPDX-License-Identifier: MIT
/* Puzzle 8, and its fault. */
#include "harness.h"

static uint64_t plus_ten(const struct rd_shape *shape, const struct rd_values *values, size_t i)
{
    (void)shape;
    return test_whole(values, values->a, i) + 10;
}

static void test_shared_runs_as_in_the_text(void **state)
{
    struct test_case test = test_in_text("puzzle-shared", 8, "ones");
    (void)state;
    assert_launch(&test,
                  &(struct test_launch){.grid = 2, .block = 4, .cells = "11 11 11 11 11 11 11 11"});
}

static void test_shared_holds_in_all_shapes(void **state)
{
    (void)state;
    assert_ends_with_for_all_shapes("puzzle-shared", 1024, 4097, plus_ten);
}

static void test_barrier_in_if_is_passed_by_the_thread_without_an_element(void **state)
{
    const struct test_case fault = test_default("puzzle-shared:barrier-in-if");
    (void)state;
    assert_found(&fault, &(struct test_found){.finding = {.name = "barrier-divergence",
                                                          .step = 1,
                                                          .n_places = 2,
                                                          .thread = {{0, 0, 0}, {3, 0, 0}},
                                                          .block = {{1, 0, 0}, {1, 0, 0}}},
                                              .n_findings = 1,
                                              .cells = "11 11 11 11 11 11 11"});
}

static void test_barrier_in_if_does_not_show_where_all_threads_have_an_element(void **state)
{
    (void)state;
    assert_ends_with(
        &(struct test_case){.program = "puzzle-shared:barrier-in-if", .n = 8, .block = 4},
        plus_ten);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shared_runs_as_in_the_text),
        cmocka_unit_test(test_shared_holds_in_all_shapes),
        cmocka_unit_test(test_barrier_in_if_is_passed_by_the_thread_without_an_element),
        cmocka_unit_test(test_barrier_in_if_does_not_show_where_all_threads_have_an_element),
    };
    return cmocka_run_group_tests_name("puzzle_shared", tests, test_set_up, test_tear_down) != 0;
}
