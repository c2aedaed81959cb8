// SPDX-License-Identifier: MIT
/* Puzzles 9 and 11, and their faults. */
#include "harness.h"

static uint64_t last_three(const struct rd_shape *shape, const struct rd_values *values, size_t i)
{
    uint64_t sum = 0;
    (void)shape;
    for (size_t j = i < 2 ? 0 : i - 2; j <= i; j++)
        sum += test_whole(values, values->a, j);
    return sum;
}

static uint64_t convolution(const struct rd_shape *shape, const struct rd_values *values, size_t i)
{
    uint64_t sum = 0;
    for (size_t j = 0; j == 0 || (j * j < shape->n && i + j < shape->n); j++)
        sum += test_whole(values, values->a, i + j) * test_whole(values, values->b, j);
    return sum;
}

static void test_pool_runs_as_in_the_text(void **state)
{
    struct test_case test = test_in_text("puzzle-pool", 8, NULL);
    (void)state;
    assert_launch(&test,
                  &(struct test_launch){.grid = 1, .block = 8, .cells = "0 1 3 6 9 12 15 18"});
}

static void test_conv1d_runs_as_in_the_text(void **state)
{
    struct test_case simple = test_in_text("puzzle-conv1d", 6, "list:0,1,2,3,4,5,0,1,2"),
                     full = simple;
    (void)state;
    assert_launch(&simple, &(struct test_launch){.grid = 1, .block = 8, .cells = "5 8 11 14 5 0"});
    full.n = 15;
    full.values = "list:0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,0,1,2,3";
    assert_launch(
        &full, &(struct test_launch){
                   .grid = 2, .block = 8, .cells = "14 20 26 32 38 44 50 56 62 68 74 80 41 14 0"});
}

static void test_windows_hold_in_all_shapes(void **state)
{
    (void)state;
    assert_ends_with_for_all_shapes("puzzle-pool", 1024, 4097, last_three);
    assert_ends_with_for_all_shapes("puzzle-conv1d", 1024, 4097, convolution);
}

static void test_windows_contain_their_inputs(void **state)
{
    (void)state;
    assert_cells_are_what_they_contain("puzzle-pool", 17, 8);
    assert_cells_are_what_they_contain("puzzle-conv1d", 15, 8);
    assert_cells_are_what_they_contain("puzzle-conv1d", 1, 8);
}

/* a is 0 there, and 0 times an infinity is not a number. */
static void test_conv1d_takes_no_b_beyond_the_end_of_a(void **state)
{
    struct test_case conv = test_in_text("puzzle-conv1d", 6, NULL);
    struct test_outcome outcome;
    (void)state;
    conv.values = "list:1,1,1,1,1,1,0,1,inf";
    test_outcome(&conv, &outcome);
    assert_int_equal(outcome.result.verdict, RD_HOLDS);
    assert_end_cells(&outcome, "inf inf inf inf 1 0");
    test_outcome_finish(&outcome);
}

static void test_pool_of_many_blocks_overlaps_by_two(void **state)
{
    static const struct {
        size_t n, grid;
    } cases[] = {{1, 1}, {7, 1}, {8, 1}, {9, 2}, {14, 2}, {15, 3}, {20, 3}, {21, 4}};
    const struct rd_program *pool = rd_program_named("puzzle-pool");
    struct rd_round round;
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const struct rd_shape shape = {.n = cases[k].n, .block = 8};
        assert_true(rd_program_round(pool, &shape, 1, &round));
        assert_int_equal(round.grid, cases[k].grid);
        assert_int_equal(round.reads_max, 1);
        assert_int_equal(round.writes_max, 1);
        assert_false(rd_program_round(pool, &shape, 2, &round));
    }
}

static void test_conv1d_reads_twice_and_writes_once(void **state)
{
    const struct rd_shape shape = {.n = 100, .block = 32};
    struct rd_round round;
    (void)state;
    assert_true(rd_program_round(rd_program_named("puzzle-conv1d"), &shape, 1, &round));
    assert_int_equal(round.reads_max, 2);
    assert_int_equal(round.writes_max, 1);
    assert_int_equal(round.shared_elems, 32 + 9 + 10);
}

static void test_blocks_that_are_too_small_are_refused(void **state)
{
    struct test_case pool = {.program = "puzzle-pool", .n = 3, .block = 2},
                     conv = {.program = "puzzle-conv1d", .n = 17, .block = 8},
                     long_b = {.program = "puzzle-conv1d", .n = 262145, .block = 1024};
    (void)state;
    assert_refused(&pool, "'block' is 2, and two threads of each block but the first only load");
    assert_refused(&conv, "'block' is 8, and 9 threads load b and the halo: use at least 9");
    assert_refused(&long_b, "use at most 262144");
    pool.n = 2;
    assert_ends_with(&pool, last_three);
    conv.block = 9;
    assert_ends_with(&conv, convolution);
    const struct rd_shape longest = {.n = 262144, .block = 1023};
    assert_int_equal(rd_program_accept(rd_program_named("puzzle-conv1d"), &longest, NULL), RD_OK);
}

/* ---- faults ---- */

/* Wrong on any device. */
static void test_no_halo_loses_two_elements_at_the_edge(void **state)
{
    struct test_case fault = test_default("puzzle-pool:no-halo");
    struct test_outcome outcome;
    (void)state;
    assert_twin_holds(&fault);
    test_outcome(&fault, &outcome);
    assert_int_equal(outcome.result.hazards, 0);
    test_outcome_finish(&outcome);
    assert_violated(&fault, &(struct test_violation){.kind = RD_VIOLATION_BITS,
                                                     .step = 1,
                                                     .cell = 8,
                                                     .expected = "21",
                                                     .actual = "8",
                                                     .expected_set = "{6..8}",
                                                     .actual_set = "{8}",
                                                     .lost = "{6,7}",
                                                     .extra = "{}"});
}

static void test_no_halo_does_not_show_in_one_block(void **state)
{
    struct test_case fault = test_default("puzzle-pool:no-halo");
    (void)state;
    fault.n = 8;
    assert_ends_with(&fault, last_three);
}

static void test_three_reads_are_one_too_many(void **state)
{
    struct test_case fault = test_default("puzzle-conv1d:three-reads");
    (void)state;
    assert_found(&fault, &(struct test_found){.finding = {.name = "over-budget",
                                                          .array = "a",
                                                          .index_known = true,
                                                          .index = 8,
                                                          .count = 3,
                                                          .step = 1},
                                              .n_findings = 1,
                                              .is_right = true});
    fault.n = 6; /* there is no halo */
    assert_ends_with(&fault, convolution);
}

/* The content there depends on the device; it is not b[4], which no thread has loaded. */
static void test_room_for_4_is_overrun_by_5(void **state)
{
    struct test_case fault = test_default("puzzle-conv1d:room-for-4");
    struct test_outcome outcome;
    (void)state;
    assert_twin_holds(&fault);
    test_outcome(&fault, &outcome);
    assert_int_equal(outcome.result.verdict, RD_VIOLATED);
    assert_true(outcome.result.violated);
    assert_int_equal(outcome.result.violation.step, 1);
    assert_int_equal(outcome.result.violation.cell, 0);
    assert_false(outcome.result.explained);
    if (test_device_is_sim()) {
        /* a has 17, so threads 0 .. 12 come to b[4] */
        assert_finding(&outcome, &(struct test_finding){.name = "out-of-bounds",
                                                        .kind = "shared",
                                                        .array = "b_tile",
                                                        .count = 13});
        assert_int_equal(outcome.n_findings, 1);
    }
    test_outcome_finish(&outcome);
    fault.n = 16; /* m = 4 */
    assert_ends_with(&fault, convolution);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pool_runs_as_in_the_text),
        cmocka_unit_test(test_conv1d_runs_as_in_the_text),
        cmocka_unit_test(test_windows_hold_in_all_shapes),
        cmocka_unit_test(test_windows_contain_their_inputs),
        cmocka_unit_test(test_conv1d_takes_no_b_beyond_the_end_of_a),
        cmocka_unit_test(test_pool_of_many_blocks_overlaps_by_two),
        cmocka_unit_test(test_conv1d_reads_twice_and_writes_once),
        cmocka_unit_test(test_blocks_that_are_too_small_are_refused),
        cmocka_unit_test(test_no_halo_loses_two_elements_at_the_edge),
        cmocka_unit_test(test_no_halo_does_not_show_in_one_block),
        cmocka_unit_test(test_three_reads_are_one_too_many),
        cmocka_unit_test(test_room_for_4_is_overrun_by_5),
    };
    return cmocka_run_group_tests_name("puzzle_windows", tests, test_set_up, test_tear_down) != 0;
}
