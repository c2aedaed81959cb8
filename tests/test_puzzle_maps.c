// SPDX-License-Identifier: MIT
/* Puzzles 1, 2, 3 and 6, and their faults. */
#include "harness.h"

static uint64_t plus_ten(const struct rd_shape *shape, const struct rd_values *values, size_t i)
{
    (void)shape;
    return test_whole(values, values->a, i) + 10;
}

static uint64_t pair_sum(const struct rd_shape *shape, const struct rd_values *values, size_t i)
{
    (void)shape;
    return test_whole(values, values->a, i) + test_whole(values, values->b, i);
}

static void test_puzzles_run_as_in_the_text(void **state)
{
    struct test_case map = test_in_text("puzzle-map", 4, NULL),
                     zip = test_in_text("puzzle-zip", 4, "list:0,1,2,3,0,1,2,3"),
                     guard = test_in_text("puzzle-guard", 4, NULL),
                     blocks = test_in_text("puzzle-blocks", 9, NULL);
    (void)state;
    assert_launch(&map, &(struct test_launch){.grid = 1, .block = 4, .cells = "10 11 12 13"});
    assert_launch(&zip, &(struct test_launch){.grid = 1, .block = 4, .cells = "0 2 4 6"});
    assert_launch(&guard, &(struct test_launch){.grid = 1, .block = 8, .cells = "10 11 12 13"});
    assert_launch(&blocks, &(struct test_launch){
                               .grid = 3, .block = 4, .cells = "10 11 12 13 14 15 16 17 18"});
}

static void test_puzzles_hold_in_all_shapes(void **state)
{
    (void)state;
    assert_ends_with_for_all_shapes("puzzle-map", 1024, 4097, plus_ten);
    assert_ends_with_for_all_shapes("puzzle-guard", 1024, 4097, plus_ten);
    assert_ends_with_for_all_shapes("puzzle-blocks", 1024, 4097, plus_ten);
    assert_ends_with_for_all_shapes("puzzle-zip", 1024, 4097, pair_sum);
}

static void test_puzzles_give_each_thread_one_element(void **state)
{
    static const struct {
        const char *name;
        unsigned reads;
    } programs[] = {
        {"puzzle-map", 1}, {"puzzle-guard", 1}, {"puzzle-blocks", 1}, {"puzzle-zip", 2}};
    (void)state;
    for (size_t p = 0; p < sizeof programs / sizeof *programs; p++) {
        struct rd_round round;
        const struct rd_shape shape = {.n = 1000, .block = 96};
        assert_true(rd_program_round(rd_program_named(programs[p].name), &shape, 1, &round));
        assert_int_equal(round.reads_max, programs[p].reads);
        assert_int_equal(round.writes_max, 1);
        assert_int_equal(round.threads, 1000);
        assert_int_equal(round.grid, 11);
        assert_false(rd_program_round(rd_program_named(programs[p].name), &shape, 2, &round));
    }
}

/* ---- faults ---- */

/* Four threads too many make so many accesses behind the ends of these arrays. */
static void assert_out_of_bounds(const struct test_case *fault, const char *const *arrays,
                                 unsigned count)
{
    struct test_outcome outcome;
    test_outcome(fault, &outcome);
    assert_int_equal(outcome.result.verdict, RD_VIOLATED);
    assert_int_equal(outcome.n_findings, count);
    for (unsigned f = 0; f < count; f++) {
        const struct test_finding *finding = &outcome.findings[f];
        assert_text(finding->name, "out-of-bounds");
        assert_text(finding->kind, "global");
        assert_text(finding->array, arrays[f]);
        assert_int_equal(finding->step, 1);
        assert_int_equal(finding->index, 4);
        assert_int_equal(finding->thread[0].x, 4);
        assert_int_equal(finding->count, 4);
    }
    assert_false(outcome.result.violated); /* all that was asked for is there */
    test_outcome_finish(&outcome);
}

static void test_no_guard_is_out_of_bounds_from_element_4_on(void **state)
{
    struct test_case map = test_default("puzzle-map:no-guard"),
                     zip = test_default("puzzle-zip:no-guard");
    (void)state;
    assert_twin_holds(&map);
    assert_twin_holds(&zip);
    if (!test_device_is_sim())
        return;
    assert_out_of_bounds(&map, (const char *const[]){"a", "A"}, 2);
    assert_out_of_bounds(&zip, (const char *const[]){"a", "b", "A"}, 3);
}

static void test_no_guard_needs_none_where_the_threads_are_as_many_as_the_elements(void **state)
{
    struct test_case map = test_default("puzzle-map:no-guard"),
                     zip = test_default("puzzle-zip:no-guard");
    (void)state;
    map.block = zip.block = 4;
    assert_ends_with(&map, plus_ten);
    assert_ends_with(&zip, pair_sum);
}

/* 8 threads write 4 cells: all but the first write of a cell race with one before. */
static void test_every_cell_is_a_race_of_8_times_4_writes(void **state)
{
    struct test_case fault = test_default("puzzle-guard:every-cell");
    struct test_outcome outcome;
    (void)state;
    assert_twin_holds(&fault);
    if (!test_device_is_sim())
        return;
    test_outcome(&fault, &outcome);
    assert_int_equal(outcome.result.verdict, RD_VIOLATED);
    assert_finding(&outcome, &(struct test_finding){.name = "race",
                                                    .kind = "same-value",
                                                    .scope = "warp",
                                                    .array = "A",
                                                    .step = 1,
                                                    .count = 8 * 4 - 4,
                                                    .index_known = true});
    assert_end_cells(&outcome, "10 11 12 13");
    /* Each thread makes 4 reads and 4 writes, where 1 of either was allowed. */
    assert_int_equal(outcome.n_findings, 3);
    assert_text(outcome.findings[0].name, "over-budget");
    assert_text(outcome.findings[0].array, "a");
    assert_int_equal(outcome.findings[0].count, 8 * 3);
    assert_text(outcome.findings[1].name, "over-budget");
    assert_text(outcome.findings[1].array, "A");
    assert_int_equal(outcome.findings[1].count, 8 * 3);
    test_outcome_finish(&outcome);
}

static void test_every_cell_is_fine_with_one_thread(void **state)
{
    (void)state;
    assert_ends_with(&(struct test_case){.program = "puzzle-guard:every-cell", .n = 1, .block = 1},
                     plus_ten);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_puzzles_run_as_in_the_text),
        cmocka_unit_test(test_puzzles_hold_in_all_shapes),
        cmocka_unit_test(test_puzzles_give_each_thread_one_element),
        cmocka_unit_test(test_no_guard_is_out_of_bounds_from_element_4_on),
        cmocka_unit_test(test_no_guard_needs_none_where_the_threads_are_as_many_as_the_elements),
        cmocka_unit_test(test_every_cell_is_a_race_of_8_times_4_writes),
        cmocka_unit_test(test_every_cell_is_fine_with_one_thread),
    };
    return cmocka_run_group_tests_name("puzzle_maps", tests, test_set_up, test_tear_down) != 0;
}
