// SPDX-License-Identifier: MIT
/* Puzzles 4, 5 and 7, and their faults. */
#include "harness.h"

#include <string.h>

static uint64_t plus_ten(const struct rd_shape *shape, const struct rd_values *values, size_t i)
{
    (void)shape;
    return test_whole(values, values->a, i) + 10;
}

static uint64_t outer_sum(const struct rd_shape *shape, const struct rd_values *values, size_t i)
{
    return test_whole(values, values->a, i / shape->n) +
           test_whole(values, values->b, i % shape->n);
}

static void test_puzzles_run_as_in_the_text(void **state)
{
    struct test_case map = test_in_text("puzzle-map2d", 2, NULL),
                     blocks = test_in_text("puzzle-blocks2d", 5, "ones"),
                     broadcast = test_in_text("puzzle-broadcast", 2, "list:0,1,0,1");
    (void)state;
    assert_launch(
        &map, &(struct test_launch){.grid = 1, .block = 3, .block_y = 3, .cells = "10 11 12 13"});
    assert_launch(&broadcast,
                  &(struct test_launch){.grid = 1, .block = 3, .block_y = 3, .cells = "0 1 1 2"});
    assert_launch(&blocks, &(struct test_launch){.grid = 2,
                                                 .grid_y = 2,
                                                 .block = 3,
                                                 .block_y = 3,
                                                 .cells = "11 11 11 11 11 11 11 11 11 11 11 11 11 "
                                                          "11 11 11 11 11 11 11 11 11 11 11 11"});
}

static void test_puzzles_hold_in_all_shapes(void **state)
{
    (void)state;
    assert_ends_with_for_all_shapes("puzzle-map2d", 32, 97, plus_ten);
    assert_ends_with_for_all_shapes("puzzle-blocks2d", 32, 97, plus_ten);
    assert_ends_with_for_all_shapes("puzzle-broadcast", 32, 97, outer_sum);
}

static void test_puzzles_give_each_thread_one_element(void **state)
{
    struct rd_round round;
    const struct rd_shape shape = {.n = 100, .block = 32};
    (void)state;
    assert_true(rd_program_round(rd_program_named("puzzle-blocks2d"), &shape, 1, &round));
    assert_int_equal(round.threads, 10000);
    assert_int_equal(round.reads_max, 1);
    assert_int_equal(round.writes_max, 1);
    assert_true(rd_program_round(rd_program_named("puzzle-broadcast"), &shape, 1, &round));
    assert_int_equal(round.reads_max, 2);
    assert_int_equal(round.writes_max, 1);
}

static void test_shapes_that_no_launch_takes_are_refused(void **state)
{
    struct rd_error error = {""};
    const struct rd_program *program = rd_program_named("puzzle-map2d");
    const struct rd_shape most = {.n = (size_t)65535 * 32, .block = 32},
                          more = {.n = (size_t)65535 * 32 + 1, .block = 32},
                          wide = {.n = 2, .block = 33};
    (void)state;
    assert_int_equal(rd_program_accept(program, &most, &error), RD_OK);
    assert_int_equal(rd_program_accept(program, &more, &error), RD_ERROR_USAGE);
    assert_contains(error.text, "'n' is 2097121,");
    assert_int_equal(rd_program_accept(program, &wide, &error), RD_ERROR_USAGE);
    assert_contains(error.text, "'block' is 33, the side of a square");
    assert_contains(error.text, "use at most 32");
}

/* 9 threads write 4 cells: all but the first write of a cell race with one before. */
static void assert_race_of_9_times_4_writes(const char *program, unsigned reads_over,
                                            const char *cells)
{
    struct test_case fault = test_default(program);
    struct test_outcome outcome;
    assert_twin_holds(&fault);
    if (!test_device_is_sim())
        return;
    test_outcome(&fault, &outcome);
    assert_int_equal(outcome.result.verdict, RD_VIOLATED);
    assert_finding(&outcome, &(struct test_finding){.name = "race",
                                                    .kind = "same-value",
                                                    .array = "A",
                                                    .step = 1,
                                                    .count = 9 * 4 - 4,
                                                    .index_known = true,
                                                    .n_places = 2,
                                                    .thread = {{1, 0, 0}, {0, 0, 0}}});
    assert_end_cells(&outcome, cells);
    uint64_t reads = 0, writes = 0; /* over the budget */
    for (unsigned f = 0; f < outcome.n_findings; f++)
        if (strcmp(outcome.findings[f].name, "over-budget") == 0)
            *(strcmp(outcome.findings[f].array, "A") == 0 ? &writes : &reads) +=
                outcome.findings[f].count;
    assert_int_equal(reads, reads_over);
    assert_int_equal(writes, 9 * (4 - 1));
    test_outcome_finish(&outcome);
}

static void test_every_cell_is_a_race_of_9_times_4_writes(void **state)
{
    (void)state;
    assert_race_of_9_times_4_writes("puzzle-map2d:every-cell", 9 * (4 - 1), "10 11 12 13");
    assert_race_of_9_times_4_writes("puzzle-broadcast:every-cell", 9 * (8 - 2), "0 1 1 2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_puzzles_run_as_in_the_text),
        cmocka_unit_test(test_puzzles_hold_in_all_shapes),
        cmocka_unit_test(test_puzzles_give_each_thread_one_element),
        cmocka_unit_test(test_shapes_that_no_launch_takes_are_refused),
        cmocka_unit_test(test_every_cell_is_a_race_of_9_times_4_writes),
    };
    return cmocka_run_group_tests_name("puzzle_maps2d", tests, test_set_up, test_tear_down) != 0;
}
