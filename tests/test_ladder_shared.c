// SPDX-License-Identifier: MIT
/* The ladder's first rungs, which sum in shared memory. */
#include "harness_points.h"

static const char *const rungs[] = {"ladder-interleaved-modulo", "ladder-interleaved-strided",
                                    "ladder-sequential", "ladder-first-add"};
enum { RUNGS = sizeof rungs / sizeof *rungs, FIRST_ADD = 3 };

/* ---- what block k adds ---- */

static uint64_t sum_between(const struct rd_values *values, size_t from, size_t to)
{
    uint64_t sum = 0;
    for (size_t j = from; j < to && j < values->n; j++)
        sum += test_whole(values, values->a, j);
    return sum;
}

static uint64_t one_each(const struct rd_shape *shape, const struct rd_values *values, size_t k)
{
    return sum_between(values, k * shape->block, (k + 1) * shape->block);
}

static uint64_t two_each(const struct rd_shape *shape, const struct rd_values *values, size_t k)
{
    return sum_between(values, 2 * k * shape->block, 2 * (k + 1) * shape->block);
}

static test_cell_of *block_sum(int rung)
{
    return rung == FIRST_ADD ? two_each : one_each;
}

/* ---- */

static void test_rungs_hold_in_all_shapes(void **state)
{
    (void)state;
    for (int r = 0; r < RUNGS; r++)
        assert_ends_with_for_all_shapes(rungs[r], 1024, 4097, block_sum(r));
}

static void test_rungs_hold_for_large_n(void **state)
{
    (void)state;
    for (int r = 0; r < RUNGS; r++)
        assert_ends_with_for_large_n(rungs[r], 0, block_sum(r));
}

/* Blocks beyond the end bring zeros. */
static void test_rungs_take_more_blocks_than_they_need(void **state)
{
    (void)state;
    for (int r = 0; r < RUNGS; r++)
        assert_ends_with(&(struct test_case){.program = rungs[r], .n = 70, .block = 33, .grid = 7},
                         block_sum(r));
}

static void test_rungs_refuse_grids_that_leave_elements_over(void **state)
{
    (void)state;
    for (int r = 0; r < FIRST_ADD; r++) {
        assert_refused(&(struct test_case){.program = rungs[r], .n = 1000, .block = 96, .grid = 10},
                       "'grid' is 10, and so many blocks of 96 threads load 960 of 1000 elements: "
                       "use 11, or ladder-grid-stride");
        assert_ends_with(
            &(struct test_case){.program = rungs[r], .n = 1000, .block = 96, .grid = 11},
            block_sum(r));
    }
    assert_refused(
        &(struct test_case){.program = "ladder-first-add", .n = 1000, .block = 96, .grid = 5},
        "load 960 of 1000 elements: use 6,");
}

static void test_points_are_what_they_define(void **state)
{
    static const unsigned blocks[] = {2, 6, 31, 32, 33, 96, 128};
    (void)state;
    for (int r = 0; r < RUNGS; r++)
        for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++)
            for (size_t n = 1; n <= 200; n = n * 3 + 1)
                assert_points_are_definition(
                    &(struct test_case){.program = rungs[r], .n = n, .block = blocks[b]});
}

static void test_each_input_is_in_one_cell_at_every_width(void **state)
{
    (void)state;
    for (uint64_t v = 1; v <= 64; v *= 2)
        for (int r = 0; r < RUNGS; r++)
            assert_points_partition(&(struct test_case){.program = rungs[r], .n = 150, .block = 33},
                                    r < 2 ? RD_POINT_INTERLEAVED : RD_POINT_SEQUENTIAL, v);
}

/* ---- the worked examples ---- */

static void test_interleaved_goes_as_documented(void **state)
{
    static const struct test_checkpoint wanted[] = {
        {RD_POINT_INTERLEAVED, 0, RD_WHOLE_BLOCK, 1, "0 1 2 3 4 5 6 7"},
        {RD_POINT_INTERLEAVED, 0, RD_WHOLE_BLOCK, 2, "1 5 9 13"},
        {RD_POINT_INTERLEAVED, 0, RD_WHOLE_BLOCK, 4, "6 22"},
        {RD_POINT_INTERLEAVED, 0, RD_WHOLE_BLOCK, 8, "28"},
        {0},
    };
    (void)state;
    for (int r = 0; r < 2; r++)
        for (unsigned type = 0; type < RD_TYPE_COUNT; type++)
            assert_checkpoints(
                &(struct test_case){
                    .program = rungs[r], .n = 8, .block = 8, .type = (enum rd_type)type},
                wanted);
}

static void test_sequential_goes_as_documented(void **state)
{
    static const struct test_checkpoint wanted[] = {
        {RD_POINT_SEQUENTIAL, 0, RD_WHOLE_BLOCK, 8, "0 1 2 3 4 5"},
        {RD_POINT_SEQUENTIAL, 0, RD_WHOLE_BLOCK, 4, "4 6 2 3"},
        {RD_POINT_SEQUENTIAL, 0, RD_WHOLE_BLOCK, 2, "6 9"},
        {RD_POINT_SEQUENTIAL, 0, RD_WHOLE_BLOCK, 1, "15"},
        {RD_POINT_SEQUENTIAL, 1, RD_WHOLE_BLOCK, 8, "6 7 0 0 0 0"},
        {RD_POINT_SEQUENTIAL, 1, RD_WHOLE_BLOCK, 1, "13"},
        {0},
    };
    const struct test_case test = {.program = "ladder-sequential", .n = 8, .block = 6};
    (void)state;
    assert_checkpoints(&test, wanted);
    assert_launch(&test, &(struct test_launch){.grid = 2, .block = 6, .cells = "15 13"});
}

static void test_first_add_goes_as_documented(void **state)
{
    static const struct test_checkpoint wanted[] = {
        {RD_POINT_SEQUENTIAL, 0, RD_WHOLE_BLOCK, 4, "4 6 8 10"},
        {RD_POINT_SEQUENTIAL, 0, RD_WHOLE_BLOCK, 2, "12 16"},
        {RD_POINT_SEQUENTIAL, 0, RD_WHOLE_BLOCK, 1, "28"},
        {0},
    };
    const struct test_case test = {.program = "ladder-first-add", .n = 8, .block = 4};
    (void)state;
    assert_checkpoints(&test, wanted);
    assert_launch(&test, &(struct test_launch){.grid = 1, .block = 4, .cells = "28"});
}

/* Both trees add neighbours: to the bit the same, as floats too. */
static void test_interleaved_rungs_agree_to_the_bit(void **state)
{
    struct test_outcome modulo, strided;
    (void)state;
    struct test_case test = {.program = rungs[0], .n = 5000, .type = RD_TYPE_F32};
    test.values = test_random_values(1);
    test_outcome(&test, &modulo);
    test.program = rungs[1];
    test_outcome(&test, &strided);
    assert_int_equal(modulo.n_cells, strided.n_cells);
    assert_memory_equal(modulo.cells, strided.cells, modulo.n_cells * sizeof(float));
    test_outcome_finish(&modulo);
    test_outcome_finish(&strided);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rungs_hold_in_all_shapes),
        cmocka_unit_test(test_rungs_hold_for_large_n),
        cmocka_unit_test(test_rungs_take_more_blocks_than_they_need),
        cmocka_unit_test(test_rungs_refuse_grids_that_leave_elements_over),
        cmocka_unit_test(test_points_are_what_they_define),
        cmocka_unit_test(test_each_input_is_in_one_cell_at_every_width),
        cmocka_unit_test(test_interleaved_goes_as_documented),
        cmocka_unit_test(test_sequential_goes_as_documented),
        cmocka_unit_test(test_first_add_goes_as_documented),
        cmocka_unit_test(test_interleaved_rungs_agree_to_the_bit),
    };
    return cmocka_run_group_tests_name("ladder_shared", tests, test_set_up, test_tear_down) != 0;
}
