// SPDX-License-Identifier: MIT
/* Puzzle 14, and its faults. */
#include "harness.h"
#include "temporary.h"

#include <stdio.h>
#include <unistd.h>

static uint64_t product(const struct rd_shape *shape, const struct rd_values *values, size_t i)
{
    uint64_t sum = 0;
    size_t n = shape->n, row = i / n, column = i % n;
    for (size_t k = 0; k < n; k++)
        sum += test_whole(values, values->a, row * n + k) *
               test_whole(values, values->b, k * n + column);
    return sum;
}

/* A file of a, 0 .. n*n - 1 row by row, and of the same column by column. */
static void write_squares(char path[TEMPORARY_SIZE], size_t n)
{
    int descriptor = mkstemp(temporary_name(path, "test_puzzle_matmul"));
    assert_true(descriptor >= 0);
    FILE *file = fdopen(descriptor, "w");
    assert_non_null(file);
    for (size_t i = 0; i < n * n; i++)
        fprintf(file, "%zu\n", i);
    for (size_t i = 0; i < n * n; i++)
        fprintf(file, "%zu\n", i % n * n + i / n);
    assert_int_equal(fclose(file), 0);
}

static void test_matmul_of_2_runs_as_in_the_text(void **state)
{
    struct test_case test = test_in_text("puzzle-matmul", 2, "list:0,1,2,3,0,2,1,3");
    (void)state;
    assert_launch(&test,
                  &(struct test_launch){.grid = 1, .block = 3, .block_y = 3, .cells = "1 3 3 13"});
}

static void test_matmul_of_8_runs_as_in_the_text(void **state)
{
    char path[TEMPORARY_SIZE];
    struct test_case test = test_in_text("puzzle-matmul", 2, "list:0,1,2,3,0,2,1,3");
    struct test_outcome outcome;
    (void)state;
    write_squares(path, 8);
    test.n = 8;
    test.values = path;
    assert_ends_with(&test, product);
    test_outcome(&test, &outcome);
    assert_int_equal(outcome.round.grid, 3);
    assert_int_equal(outcome.round.grid_y, 3);
    assert_int_equal(outcome.round.block, 3);
    assert_int_equal(outcome.round.block_y, 3);
    assert_int_equal(outcome.round.reads_max, 6);
    assert_int_equal(outcome.round.writes_max, 1);
    assert_end_cell(&outcome, 0, "140");
    assert_end_cell(&outcome, 7, "1708");
    assert_end_cell(&outcome, 56, "1708");
    assert_end_cell(&outcome, 63, "28364");
    test_outcome_finish(&outcome);
    assert_int_equal(unlink(path), 0);
}

static void test_matmul_holds_in_all_shapes(void **state)
{
    static const size_t sizes[] = {33, 61, 62, 63, 64, 65, 97};
    (void)state;
    /* On a GPU the log of more blocks than this has would be truncated. */
    assert_ends_with_for_all_shapes("puzzle-matmul", 32, 32, product);
    for (unsigned side = 31; side <= 32; side++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
            assert_ends_with(&(struct test_case){.program = "puzzle-matmul",
                                                 .n = sizes[k],
                                                 .block = side,
                                                 .type = (enum rd_type)(k % RD_HALVES_FIRST),
                                                 .values = "ones"},
                             product);
}

/* A tile has zeros outside the square, and 0 times an infinity is not a number: it must not come into
 * a sum that counts. */
static void test_infinities_at_the_edge_stay_in_their_cells(void **state)
{
    struct test_case test = test_in_text("puzzle-matmul", 2, "list:0,1,2,3,0,2,1,3");
    struct test_outcome outcome;
    (void)state;
    test.values = "list:1,2,3,inf,1,1,-inf,1";
    test_outcome(&test, &outcome);
    assert_int_equal(outcome.result.verdict, RD_HOLDS);
    assert_end_cells(&outcome, "-inf 3 -inf inf");
    test_outcome_finish(&outcome);
}

/* The sums of all threads of a warp, at the head of the loop. */
static enum rd_status see_tiles(void *self, const struct rd_run *run, const struct rd_step *step,
                                struct rd_error *error)
{
    unsigned *seen = self;
    (void)run, (void)error;
    if (!step->place)
        return RD_OK;
    assert_int_equal(step->verdict, RD_HOLDS);
    assert_int_equal(step->place->variable, *seen % 4 < 3 ? *seen % 4 * 3 : 8);
    assert_int_equal(step->n_asserted, 9);
    ++*seen;
    return RD_OK;
}

static void test_sums_are_asserted_at_the_head_of_the_loop(void **state)
{
    struct test_case test = {.program = "puzzle-matmul", .n = 8, .block = 3};
    struct rd_error error = {""};
    struct rd_values values;
    struct rd_result result;
    unsigned seen = 0;
    const struct rd_observer observer = {.self = &seen, .step = see_tiles};
    (void)state;
    assert_int_equal(test_run_observed(&test, &observer, &values, &result, &error), RD_OK);
    assert_int_equal(seen, 9 * 4);
    assert_int_equal(result.verdict, RD_HOLDS);
    rd_values_finish(&values);
}

static void test_products_contain_their_rows(void **state)
{
    (void)state;
    assert_cells_are_what_they_contain("puzzle-matmul", 5, 3);
    assert_cells_are_what_they_contain("puzzle-matmul", 7, 6); /* 36 threads: two warps */
}

static void test_sides_that_no_block_has_are_refused(void **state)
{
    (void)state;
    assert_refused(&(struct test_case){.program = "puzzle-matmul", .n = 2, .block = 33},
                   "use at most 32");
}

/* ---- faults ---- */

static void test_no_tiles_makes_16_reads_where_6_were_allowed(void **state)
{
    struct test_case fault = test_default("puzzle-matmul:no-tiles");
    const uint64_t over = 64 * (16 - 6) / 2;
    (void)state;
    assert_found(&fault, &(struct test_found){
                             .finding = {.name = "over-budget", .array = "a", .count = over},
                             .n_findings = 2,
                             .is_right = true});
    assert_found(&fault, &(struct test_found){
                             .finding = {.name = "over-budget", .array = "b", .count = over},
                             .n_findings = 2,
                             .is_right = true});
    fault.block = 1;
    assert_ends_with(&fault, product);
}

/* The race may show in the result, depending on the schedule. */
static void test_one_barrier_is_a_race_in_both_tiles(void **state)
{
    struct test_case fault = test_default("puzzle-matmul:one-barrier");
    struct test_outcome outcome;
    (void)state;
    assert_twin_holds(&fault);
    if (test_device_is_sim()) {
        test_outcome(&fault, &outcome);
        assert_int_equal(outcome.result.verdict, RD_VIOLATED);
        assert_int_equal(outcome.n_findings, 2);
        assert_text(outcome.findings[0].name, "race");
        assert_text(outcome.findings[1].name, "race");
        assert_finding(&outcome,
                       &(struct test_finding){
                           .name = "race", .kind = "read-write", .scope = "warp", .step = 1});
        test_outcome_finish(&outcome);
    }
    fault.n = 3; /* one tile */
    assert_ends_with(&fault, product);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matmul_of_2_runs_as_in_the_text),
        cmocka_unit_test(test_matmul_of_8_runs_as_in_the_text),
        cmocka_unit_test(test_matmul_holds_in_all_shapes),
        cmocka_unit_test(test_infinities_at_the_edge_stay_in_their_cells),
        cmocka_unit_test(test_sums_are_asserted_at_the_head_of_the_loop),
        cmocka_unit_test(test_products_contain_their_rows),
        cmocka_unit_test(test_sides_that_no_block_has_are_refused),
        cmocka_unit_test(test_no_tiles_makes_16_reads_where_6_were_allowed),
        cmocka_unit_test(test_one_barrier_is_a_race_in_both_tiles),
    };
    return cmocka_run_group_tests_name("puzzle_matmul", tests, test_set_up, test_tear_down) != 0;
}
