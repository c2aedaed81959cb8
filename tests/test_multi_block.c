// SPDX-License-Identifier: MIT
/* The sum of a vector by several blocks: the right ways, and the faults. */
#include "harness.h"

#include <stdio.h>

static uint64_t total(const struct rd_shape *shape, const struct rd_values *values, size_t i)
{
    uint64_t sum = 0;
    (void)shape, (void)i;
    for (size_t j = 0; j < values->n; j++)
        sum += test_whole(values, values->a, j);
    return sum;
}

/* After the second launch: A[0] is the total, and the others are the first launch's. */
static uint64_t total_or_block_sum(const struct rd_shape *shape, const struct rd_values *values,
                                   size_t k)
{
    uint64_t sum = 0;
    if (k == 0)
        return total(shape, values, 0);
    for (size_t j = 0; j < values->n; j++)
        if (j % (shape->grid * shape->block) / shape->block == k)
            sum += test_whole(values, values->a, j);
    return sum;
}

static const char *const one_launch[] = {"multi-block-grid-sync", "multi-block-last-block",
                                         "multi-block-atomic"};
enum { ONE_LAUNCH = sizeof one_launch / sizeof *one_launch };

static void test_two_launches_hold_in_all_shapes(void **state)
{
    (void)state;
    assert_ends_with_for_all_shapes("multi-block-two-launch", 1024, 4097, total_or_block_sum);
}

static void test_one_launch_holds_in_all_shapes(void **state)
{
    (void)state;
    for (int p = 0; p < ONE_LAUNCH; p++)
        assert_ends_with_for_all_shapes(one_launch[p], 1024, 4097, total);
}

static void test_right_ones_agree_on_8_x_1024(void **state)
{
    (void)state;
    for (int p = 0; p < ONE_LAUNCH; p++)
        assert_launch(
            &(struct test_case){
                .program = one_launch[p], .n = 8192, .block = 1024, .grid = 8, .values = "ones"},
            &(struct test_launch){.grid = 8, .block = 1024, .cells = "8192"});
    assert_launch(&(struct test_case){.program = "multi-block-two-launch",
                                      .n = 8192,
                                      .block = 1024,
                                      .grid = 8,
                                      .values = "ones"},
                  &(struct test_launch){.grid = 1, .block = 1024, .cells = "8192"});
}

/* The kernel leaves the ticket at 0 for the next launch. The invariant, of the whole sum, is violated
 * then: it is the cell that tells whether the second launch has ended. */
static void test_last_block_can_be_launched_again(void **state)
{
    struct rd_program twice = *rd_program_named("multi-block-last-block");
    struct test_record record;
    (void)state;
    /* Once more, with half of the elements and the same ticket. */
    twice.launch =
        "when d <= 2: sum_last_block(a, scratch[B], ticket, A, n / d) on B blocks of T, shared T";
    twice.points = "";
    test_record(&(struct test_case){.custom = &twice,
                                    .n = 64,
                                    .block = 4,
                                    .grid = 3,
                                    .values = "ones",
                                    .go_on = true,
                                    .unexplained = true},
                &record);
    assert_int_equal(record.n_steps, 3);
    assert_string_equal(test_cell_text(&record, 1, 0), "64");
    assert_string_equal(test_cell_text(&record, 2, 0), "32");
    test_record_finish(&record);
}

static void test_blocks_that_are_no_power_of_two_are_refused(void **state)
{
    (void)state;
    for (int p = 0; p < ONE_LAUNCH; p++)
        assert_refused(&(struct test_case){.program = one_launch[p], .n = 24, .block = 6},
                       "power of two");
    assert_refused(&(struct test_case){.program = "multi-block-two-launch", .n = 24, .block = 6},
                   "power of two");
}

/* The bound decides for floats, whose order of additions is unspecified. */
static void test_atomic_sum_of_floats_is_held_to_the_bound(void **state)
{
    const struct rd_program *program = rd_program_named("multi-block-atomic");
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct rd_result result;
        assert_int_equal(test_run(&(struct test_case){.program = program->name,
                                                      .n = 5000,
                                                      .block = 64,
                                                      .grid = 16,
                                                      .type = RD_TYPE_F32,
                                                      .values = test_random_values(seed)},
                                  &result, NULL),
                         RD_OK);
        assert_int_equal(result.verdict, RD_HOLDS);
    }
}

/* ---- faults ---- */

static void test_vectors_with_other_than_a_cell_a_thread_are_refused(void **state)
{
    static const char *const faults[] = {
        "multi-block", "multi-block:shared-split", "multi-block:divergent-barrier",
        "multi-block:no-grid-barrier", "multi-block:no-round-barrier"};
    (void)state;
    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++)
        assert_refused(&(struct test_case){.program = faults[k], .n = 30, .block = 8},
                       "multi-block-two-launch");
}

static void assert_finds(const char *program, const char *name, const char *kind, const char *scope)
{
    const struct test_case fault = test_default(program);
    struct test_outcome outcome;
    if (!test_device_is_sim())
        skip();
    test_outcome(&fault, &outcome);
    assert_int_equal(outcome.result.verdict, RD_VIOLATED);
    const struct test_finding *finding = test_finding(&outcome, name, kind);
    if (!finding)
        fail_msg("%s: no %s", program, name);
    if (scope)
        assert_text(finding->scope, scope);
    test_outcome_finish(&outcome);
}

static void test_shared_split_is_out_of_bounds_from_block_1_on(void **state)
{
    const struct test_case fault = test_default("multi-block:shared-split");
    (void)state;
    assert_found(&fault,
                 &(struct test_found){
                     .finding = {.name = "out-of-bounds", .n_places = 1, .block = {{1, 0, 0}}}});
}

static void test_divergent_barrier_is_reported(void **state)
{
    const struct test_case fault = test_default("multi-block:divergent-barrier");
    (void)state;
    assert_twin_holds(&fault);
    assert_finds("multi-block:divergent-barrier", "barrier-divergence", NULL, NULL);
}

static void test_multi_block_has_all_of_the_faults(void **state)
{
    const struct test_case fault = test_default("multi-block");
    (void)state;
    assert_twin_holds(&fault);
    assert_finds("multi-block", "barrier-divergence", NULL, NULL);
    assert_finds("multi-block", "race", "read-write", "grid");
}

/* B blocks of T ones, k of whose sums are stale: B*T - k*(T-1). */
static void test_no_grid_barrier_misses_what_is_stale(void **state)
{
    static const struct {
        size_t grid;
        unsigned block;
    } shapes[] = {{8, 1024}, {4, 8}, {2, 32}, {16, 64}};
    (void)state;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        const size_t grid = shapes[s].grid, block = shapes[s].block, n = grid * block;
        const struct test_case fault = {.program = "multi-block:no-grid-barrier",
                                        .n = n,
                                        .block = shapes[s].block,
                                        .values = "ones"};
        struct test_outcome outcome;
        test_outcome(&fault, &outcome);
        size_t sum = outcome.values.numeric->load(outcome.cells, 0);
        assert_true(sum <= n);
        assert_int_equal((n - sum) % (block - 1), 0);
        assert_true((n - sum) / (block - 1) < grid);
        if (test_device_is_sim()) { /* block 0 comes first: all others are stale */
            const struct test_finding *finding = test_finding(&outcome, "race", "read-write");
            assert_int_equal((n - sum) / (block - 1), grid - 1);
            assert_int_equal(outcome.result.verdict, RD_VIOLATED);
            assert_non_null(finding);
            assert_text(finding->scope, "grid");
            assert_int_equal(finding->count, grid - 1);
        }
        test_outcome_finish(&outcome);
        assert_twin_holds(&fault);
    }
}

static void test_no_round_barrier_is_a_race_within_a_warp(void **state)
{
    const struct test_case fault = test_default("multi-block:no-round-barrier");
    (void)state;
    assert_twin_holds(&fault);
    assert_finds("multi-block:no-round-barrier", "race", "read-write", "warp");
}

/* An even number is not enough: each block of 6 loses its threads 2 and 5. */
static void test_even_blocks_of_6_sum_16_of_24(void **state)
{
    struct test_case fault = test_default("multi-block:even");
    struct test_outcome outcome;
    (void)state;
    test_outcome(&fault, &outcome);
    assert_int_equal(outcome.result.verdict, RD_VIOLATED);
    assert_int_equal(outcome.result.hazards, 0);
    assert_int_equal(outcome.result.violation.step, 1);
    assert_int_equal(outcome.result.violation.cell, 0);
    assert_int_equal(outcome.result.violation.count, 4);
    assert_end_cells(&outcome, "4 4 4 4");
    test_outcome_finish(&outcome);
    fault.block = 8;
    assert_twin_holds(&fault);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_launches_hold_in_all_shapes),
        cmocka_unit_test(test_one_launch_holds_in_all_shapes),
        cmocka_unit_test(test_right_ones_agree_on_8_x_1024),
        cmocka_unit_test(test_last_block_can_be_launched_again),
        cmocka_unit_test(test_blocks_that_are_no_power_of_two_are_refused),
        cmocka_unit_test(test_atomic_sum_of_floats_is_held_to_the_bound),
        cmocka_unit_test(test_vectors_with_other_than_a_cell_a_thread_are_refused),
        cmocka_unit_test(test_shared_split_is_out_of_bounds_from_block_1_on),
        cmocka_unit_test(test_divergent_barrier_is_reported),
        cmocka_unit_test(test_multi_block_has_all_of_the_faults),
        cmocka_unit_test(test_no_grid_barrier_misses_what_is_stale),
        cmocka_unit_test(test_no_round_barrier_is_a_race_within_a_warp),
        cmocka_unit_test(test_even_blocks_of_6_sum_16_of_24),
    };
    return cmocka_run_group_tests_name("multi_block", tests, test_set_up, test_tear_down) != 0;
}
