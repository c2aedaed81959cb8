// SPDX-License-Identifier: MIT
/* Puzzles 10, 12 and 13, and their faults. */
#include "harness.h"

static size_t blocks_of(const struct rd_shape *shape)
{
    return (shape->n + shape->block - 1) / shape->block;
}

static uint64_t dot_of_block(const struct rd_shape *shape, const struct rd_values *values, size_t i)
{
    uint64_t sum = 0;
    for (size_t j = 0; j < shape->n; j++)
        if (j / shape->block == i)
            sum += test_whole(values, values->a, j) * test_whole(values, values->b, j);
    return sum;
}

static uint64_t sum_of_block(const struct rd_shape *shape, const struct rd_values *values, size_t i)
{
    uint64_t sum = 0;
    for (size_t j = 0; j < shape->n; j++)
        if (j / shape->block == i)
            sum += test_whole(values, values->a, j);
    return sum;
}

static uint64_t sum_of_piece(const struct rd_shape *shape, const struct rd_values *values, size_t i)
{
    uint64_t sum = 0;
    for (size_t row = 0; row < 4; row++)
        for (size_t j = 0; j < shape->n; j++)
            if (row * blocks_of(shape) + j / shape->block == i)
                sum += test_whole(values, values->a, row * shape->n + j);
    return sum;
}

static void test_sums_run_as_in_the_text(void **state)
{
    struct test_case dot = test_in_text("puzzle-dot", 8, "list:0,1,2,3,4,5,6,7,0,1,2,3,4,5,6,7"),
                     full = test_in_text("puzzle-block-sum", 15, NULL), simple = full,
                     axis = test_in_text("puzzle-axis-sum", 6, NULL);
    (void)state;
    simple.n = 8;
    assert_launch(&dot, &(struct test_launch){.grid = 1, .block = 8, .cells = "140"});
    assert_launch(&simple, &(struct test_launch){.grid = 1, .block = 8, .cells = "28"});
    assert_launch(&full, &(struct test_launch){.grid = 2, .block = 8, .cells = "28 77"});
    assert_launch(
        &axis, &(struct test_launch){.grid = 1, .grid_y = 4, .block = 8, .cells = "15 51 87 123"});
}

static void test_sums_hold_in_all_shapes(void **state)
{
    (void)state;
    assert_ends_with_for_all_shapes("puzzle-dot", 1024, 4097, dot_of_block);
    assert_ends_with_for_all_shapes("puzzle-block-sum", 1024, 4097, sum_of_block);
    assert_ends_with_for_all_shapes("puzzle-axis-sum", 1024, 2049, sum_of_piece);
}

static void test_sums_read_each_element_once_and_write_once_a_block(void **state)
{
    static const struct {
        const char *name;
        unsigned reads, grid_y;
    } programs[] = {{"puzzle-dot", 2, 0}, {"puzzle-block-sum", 1, 0}, {"puzzle-axis-sum", 1, 4}};
    (void)state;
    for (size_t p = 0; p < sizeof programs / sizeof *programs; p++) {
        struct rd_round round;
        const struct rd_shape shape = {.n = 1000, .block = 64};
        assert_true(rd_program_round(rd_program_named(programs[p].name), &shape, 1, &round));
        assert_int_equal(round.reads_max, programs[p].reads);
        assert_int_equal(round.writes_max, 1);
        assert_int_equal(round.grid, 16);
        assert_int_equal(round.grid_y, programs[p].grid_y);
        assert_false(rd_program_round(rd_program_named(programs[p].name), &shape, 2, &round));
    }
}

/* ---- inside the kernels ---- */

/* Each checkpoint's claims, in the order of their telling. */
struct seen {
    size_t n, cells[32];
    uint64_t variable[32];
};

static enum rd_status see(void *self, const struct rd_run *run, const struct rd_step *step,
                          struct rd_error *error)
{
    struct seen *seen = self;
    (void)run, (void)error;
    if (!step->place)
        return RD_OK;
    assert_int_equal(step->verdict, RD_HOLDS);
    assert_true(seen->n < 32);
    seen->cells[seen->n] = step->claim.count;
    seen->variable[seen->n++] = step->place->variable;
    return RD_OK;
}

static void see_checkpoints(const struct test_case *test, struct seen *seen)
{
    struct rd_error error = {""};
    struct rd_values values;
    struct rd_result result;
    const struct rd_observer observer = {.self = seen, .step = see};
    *seen = (struct seen){0};
    assert_int_equal(test_run_observed(test, &observer, &values, &result, &error), RD_OK);
    assert_int_equal(result.verdict, RD_HOLDS);
    assert_int_equal(result.checkpoints, seen->n);
    rd_values_finish(&values);
}

static void test_serial_sum_is_asserted_after_each_addition(void **state)
{
    struct test_case dot = test_in_text("puzzle-dot", 8, NULL);
    struct seen seen;
    (void)state;
    see_checkpoints(&dot, &seen);
    assert_int_equal(seen.n, 8);
    for (size_t k = 0; k < 8; k++) {
        assert_int_equal(seen.variable[k], k + 1);
        assert_int_equal(seen.cells[k], 1);
    }
}

static void test_fold_is_asserted_at_each_width(void **state)
{
    struct test_case sum = test_in_text("puzzle-block-sum", 15, NULL),
                     axis = test_in_text("puzzle-axis-sum", 6, NULL);
    struct seen seen;
    (void)state;
    see_checkpoints(&sum, &seen);
    assert_int_equal(seen.n, 2 * 4);
    for (size_t k = 0; k < seen.n; k++) {
        assert_int_equal(seen.variable[k], 8 >> k % 4);
        assert_int_equal(seen.cells[k], 8 >> k % 4);
    }
    see_checkpoints(&axis, &seen);
    assert_int_equal(seen.n, 4 * 4);
}

static void test_sums_contain_their_inputs(void **state)
{
    (void)state;
    assert_cells_are_what_they_contain("puzzle-dot", 15, 4);
    assert_cells_are_what_they_contain("puzzle-block-sum", 15, 4);
    assert_cells_are_what_they_contain("puzzle-axis-sum", 7, 4);
    assert_cells_are_what_they_contain("puzzle-axis-sum", 3, 1);
}

static void test_blocks_that_do_not_halve_are_refused(void **state)
{
    (void)state;
    assert_refused(&(struct test_case){.program = "puzzle-block-sum", .n = 15, .block = 6},
                   "'block' is 6, not a power of two");
    assert_refused(&(struct test_case){.program = "puzzle-axis-sum", .n = 6, .block = 96},
                   "'block' is 96, not a power of two");
}

/* ---- faults ---- */

/* The content of a GPU's memory behind the shared array is not asserted. */
static void test_beyond_the_block_is_out_of_bounds_from_product_8_on(void **state)
{
    struct test_case fault = test_default("puzzle-dot:beyond-the-block");
    (void)state;
    assert_found(&fault, &(struct test_found){.finding = {.name = "out-of-bounds",
                                                          .kind = "shared",
                                                          .step = 1,
                                                          .index_known = true,
                                                          .index = 8,
                                                          .count = 2 * 8,
                                                          .n_places = 1},
                                              .n_findings = 1});
    fault.n = 8; /* one block */
    assert_ends_with(&fault, dot_of_block);
}

/* On any device A[1] stays 0, and A[0] is the sum of one of the blocks. */
static void test_one_cell_for_two_blocks_loses_a_sum(void **state)
{
    struct test_case fault = test_default("puzzle-dot:one-cell");
    struct test_outcome outcome;
    (void)state;
    assert_twin_holds(&fault);
    test_outcome(&fault, &outcome);
    assert_int_equal(outcome.result.verdict, RD_VIOLATED);
    assert_true(outcome.result.violated);
    assert_int_equal(outcome.result.violation.step, 1);
    assert_end_cell(&outcome, 1, "0");
    if (test_device_is_sim()) {
        assert_finding(&outcome, &(struct test_finding){.name = "race",
                                                        .kind = "write-write",
                                                        .scope = "grid",
                                                        .array = "A",
                                                        .index_known = true,
                                                        .count = 1});
        assert_int_equal(outcome.n_findings, 1);
        assert_int_equal(outcome.result.violation.cell, 0);
        assert_end_cell(&outcome, 0, "1192"); /* blocks run in their order, and 1 is the last */
    }
    test_outcome_finish(&outcome);
    fault.n = 8;
    assert_ends_with(&fault, dot_of_block);
}

static void test_write_in_loop_writes_three_times(void **state)
{
    const struct test_case fault = test_default("puzzle-axis-sum:write-in-loop");
    (void)state;
    /* of each row's block, the second write and the third, which is the right one */
    assert_found(
        &fault,
        &(struct test_found){
            .finding = {.name = "over-budget", .array = "A", .index_known = true, .count = 4 * 2},
            .n_findings = 1,
            .is_right = true,
            .cells = "15 51 87 123"});
}

/* Nothing halves, and nothing is written: wrong on any device. */
static void test_write_in_loop_of_blocks_of_one_writes_nothing(void **state)
{
    struct test_case fault = test_default("puzzle-axis-sum:write-in-loop");
    (void)state;
    fault.block = 1;
    assert_twin_holds(&fault);
    assert_violated(&fault, &(struct test_violation){.kind = RD_VIOLATION_BITS,
                                                     .step = 1,
                                                     .cell = 1, /* a[0] is 0 */
                                                     .expected = "1",
                                                     .actual = "0",
                                                     .expected_set = "{1}",
                                                     .actual_set = "{}",
                                                     .lost = "{1}",
                                                     .extra = "{}"});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums_run_as_in_the_text),
        cmocka_unit_test(test_sums_hold_in_all_shapes),
        cmocka_unit_test(test_sums_read_each_element_once_and_write_once_a_block),
        cmocka_unit_test(test_serial_sum_is_asserted_after_each_addition),
        cmocka_unit_test(test_fold_is_asserted_at_each_width),
        cmocka_unit_test(test_sums_contain_their_inputs),
        cmocka_unit_test(test_blocks_that_do_not_halve_are_refused),
        cmocka_unit_test(test_beyond_the_block_is_out_of_bounds_from_product_8_on),
        cmocka_unit_test(test_one_cell_for_two_blocks_loses_a_sum),
        cmocka_unit_test(test_write_in_loop_writes_three_times),
        cmocka_unit_test(test_write_in_loop_of_blocks_of_one_writes_nothing),
    };
    return cmocka_run_group_tests_name("puzzle_sums", tests, test_set_up, test_tear_down) != 0;
}
