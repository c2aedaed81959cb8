// SPDX-License-Identifier: MIT
/* The ladder's rungs whose threads stride over the grid. */
#include "harness_points.h"

static const char *const rungs[] = {"ladder-grid-stride", "ladder-shuffles-twice", "ladder-tiles"};
/* Each trip is a checkpoint, and a GPU's log has room for some thousand a block. */
enum { RUNGS = sizeof rungs / sizeof *rungs, FEW_THREADS = 4000, TRIPS_MAX = 900 };

/* Thread t of the grid adds the elements t, t + G, t + 2G, … */
static uint64_t block_sum(const struct rd_shape *shape, const struct rd_values *values, size_t k)
{
    uint64_t sum = 0;
    for (size_t t = k * shape->block; t < (k + 1) * shape->block; t++)
        for (size_t j = t; j < values->n; j += shape->grid * shape->block)
            sum += test_whole(values, values->a, j);
    return sum;
}

static void test_rungs_hold_in_all_shapes(void **state)
{
    (void)state;
    for (int r = 0; r < RUNGS; r++)
        assert_ends_with_for_all_shapes(rungs[r], 1024, 2049, block_sum);
}

/* Fewer blocks than there is work for, and more. */
static void test_rungs_hold_in_any_grid(void **state)
{
    static const size_t grids[] = {1, 2, 3, 5, 13, 64};
    static const unsigned blocks[] = {1, 31, 32, 96, 256, 1024};
    static const size_t sizes[] = {1, 63, 64, 65, 1000, 8192};
    unsigned count = 0;
    (void)state;
    for (size_t g = 0; g < sizeof grids / sizeof *grids; g++)
        for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++)
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++, count++) {
                struct test_case test = {.program = rungs[count % RUNGS],
                                         .n = sizes[s],
                                         .block = blocks[b],
                                         .grid = grids[g]};
                size_t threads = grids[g] * blocks[b];
                if (threads > FEW_THREADS || test.n / threads > TRIPS_MAX || !test_is_due())
                    continue;
                test.type = (enum rd_type)(count % RD_HALVES_FIRST);
                assert_ends_with(&test, block_sum);
                test.values = test_random_values(count);
                assert_ends_with(&test, rd_numeric(test.type)->is_float ? NULL : block_sum);
            }
}

static void test_rungs_hold_for_large_n(void **state)
{
    (void)state;
    for (int r = 0; r < RUNGS; r++)
        assert_ends_with_for_large_n(rungs[r], 512, block_sum);
}

static void test_points_are_what_they_define(void **state)
{
    static const unsigned blocks[] = {1, 6, 16, 17, 32, 33, 48, 100, 255};
    (void)state;
    for (int r = 0; r < RUNGS; r++)
        for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++)
            for (size_t grid = 1; grid <= 3; grid += 2)
                for (size_t n = 1; n <= 400; n = n * 5 + 1)
                    assert_points_are_definition(&(struct test_case){
                        .program = rungs[r], .n = n, .block = blocks[b], .grid = grid});
}

/* At the loop's end each input is in the register of just one thread of the grid. */
static void test_index_sets_of_threads_partition_the_input(void **state)
{
    static const size_t sizes[] = {1, 200, 201, 400, 1000};
    (void)state;
    for (int r = 0; r < RUNGS; r++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            assert_points_partition(
                &(struct test_case){.program = rungs[r], .n = sizes[s], .block = 100, .grid = 2},
                RD_POINT_GRID_STRIDE, (sizes[s] + 199) / 200 * 200);
}

/* ---- the worked examples ---- */

static void test_grid_stride_goes_as_documented(void **state)
{
    static const struct test_checkpoint wanted[] = {
        {RD_POINT_GRID_STRIDE, 0, 0, 0, "0 0 0"},
        {RD_POINT_GRID_STRIDE, 0, 0, 3, "0 1 2"},
        {RD_POINT_GRID_STRIDE, 0, 0, 6, "3 5 7"},
        {RD_POINT_GRID_STRIDE, 0, 0, 9, "9 12 7"},
        {RD_POINT_SHUFFLE_DOWN, 0, 0, 2, "16 12"},
        {RD_POINT_SHUFFLE_DOWN, 0, 0, 1, "28"},
        {0},
    };
    (void)state;
    for (unsigned type = 0; type < RD_TYPE_COUNT; type++)
        assert_checkpoints(&(struct test_case){.program = "ladder-grid-stride",
                                               .n = 8,
                                               .block = 3,
                                               .grid = 1,
                                               .type = (enum rd_type)type},
                           wanted);
}

static void test_shuffles_twice_goes_as_documented(void **state)
{
    static const struct test_checkpoint wanted[] = {
        {RD_POINT_SHUFFLE_DOWN, 0, 0, 32, "4 6 8 10"},
        {RD_POINT_SHUFFLE_DOWN, 0, 0, 2, "12 16"},
        {RD_POINT_SHUFFLE_DOWN, 0, 0, 1, "28"},
        {RD_POINT_WARP_SUMS, 0, RD_WHOLE_BLOCK, 1, "28"},
        {RD_POINT_SHUFFLE_SUMS, 0, 0, 1, "28"},
        {0},
    };
    (void)state;
    assert_checkpoints(
        &(struct test_case){.program = "ladder-shuffles-twice", .n = 8, .block = 4, .grid = 1},
        wanted);
}

static void test_tiles_goes_as_documented(void **state)
{
    static const struct test_checkpoint wanted[] = {
        {RD_POINT_SHUFFLE_XOR, 0, 0, 16, "4 6 8 10"},
        {RD_POINT_SHUFFLE_XOR, 0, 0, 8, "4 6 8 10"},
        {RD_POINT_SHUFFLE_XOR, 0, 0, 4, "4 6 8 10"},
        {RD_POINT_SHUFFLE_XOR, 0, 0, 2, "12 16 12 16"},
        {RD_POINT_SHUFFLE_XOR, 0, 0, 1, "28 28 28 28"},
        {RD_POINT_TILE_SUMS, 0, RD_WHOLE_BLOCK, 1, "28"},
        {0},
    };
    (void)state;
    assert_checkpoints(
        &(struct test_case){.program = "ladder-tiles", .n = 8, .block = 4, .grid = 1}, wanted);
}

/* A second warp's sums, of whole warps and of one that lacks lanes. */
static void test_sums_of_warps_are_those_of_their_threads(void **state)
{
    static const struct test_checkpoint warps[] = {
        {RD_POINT_WARP_SUMS, 0, RD_WHOLE_BLOCK, 3, "32 32 6"},
        {RD_POINT_SHUFFLE_SUMS, 0, 0, 32,
         "32 32 6 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0"},
        {RD_POINT_SHUFFLE_SUMS, 0, 0, 2, "38 32"},
        {0},
    };
    static const struct test_checkpoint tiles[] = {
        {RD_POINT_TILE_SUMS, 0, RD_WHOLE_BLOCK, 5, "16 16 16 16 6"},
        {RD_POINT_SHUFFLE_SUMS, 0, 0, 2, "38 32"},
        {0},
    };
    struct test_case test = {.program = "ladder-shuffles-twice", .n = 70, .block = 70, .grid = 1};
    (void)state;
    test.values = "ones";
    assert_checkpoints(&test, warps);
    test.program = "ladder-tiles";
    assert_checkpoints(&test, tiles);
}

/* ---- faults ---- */

static void test_index_wraps_loses_element_65536(void **state)
{
    const struct test_case fault = test_default("ladder-grid-stride:index-wraps");
    (void)state;
    assert_int_equal(fault.n, 65537);
    assert_twin_holds(&fault);
    /* thread 0 should have 8192 * (0 + 1 + … + 8), and has a[0] for the last of them */
    assert_broken(&fault, &(struct test_broken){.point = RD_POINT_GRID_STRIDE,
                                                .warp = 0,
                                                .variable = 65536 + 8192,
                                                .cell = 0,
                                                .count = 32,
                                                .expected = "294912",
                                                .actual = "229376"});
}

/* Right as long as the last trip's indices fit: surely up to 65536 - G + 1 elements. */
static void test_index_wraps_shows_where_the_last_trip_does_not_fit(void **state)
{
    static const struct {
        size_t grid;
        unsigned block;
    } launches[] = {{1, 1000}, {2, 512}, {3, 256}, {5, 96}, {32, 256}};
    (void)state;
    for (size_t k = 0; k < sizeof launches / sizeof *launches; k++) {
        size_t threads = launches[k].grid * launches[k].block, surely = 65536 - threads + 1;
        const size_t sizes[] = {surely, surely + 1, 65400, 65536};
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            struct test_case test = {.program = "ladder-grid-stride:index-wraps",
                                     .n = sizes[s],
                                     .type = RD_TYPE_U64,
                                     .values = "ones",
                                     .block = launches[k].block,
                                     .grid = launches[k].grid};
            bool fits = (sizes[s] - 1) / threads * threads + threads <= 65536;
            struct rd_result result;
            assert_int_equal(test_run(&test, &result, NULL), RD_OK);
            assert_int_equal(result.verdict, fits ? RD_HOLDS : RD_VIOLATED);
            assert_true(fits || sizes[s] > surely);
        }
    }
}

static void test_no_barrier_races_within_the_block(void **state)
{
    struct test_case fault = test_default("ladder-shuffles-twice:no-barrier");
    struct test_outcome outcome;
    (void)state;
    assert_twin_holds(&fault);
    if (!test_device_is_sim())
        return;
    test_outcome(&fault, &outcome);
    const struct test_finding *race = test_finding(&outcome, "race", "read-write");
    assert_int_equal(outcome.result.verdict, RD_VIOLATED);
    assert_non_null(race);
    assert_text(race->scope, "block");
    assert_int_equal(race->step, 1);
    assert_true(race->index >= 1 && race->index < 8); /* of warps other than the first */
    test_outcome_finish(&outcome);
}

static void test_no_barrier_does_not_show_in_a_block_of_one_warp(void **state)
{
    (void)state;
    assert_ends_with(
        &(struct test_case){.program = "ladder-shuffles-twice:no-barrier", .n = 1000, .block = 32},
        block_sum);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rungs_hold_in_all_shapes),
        cmocka_unit_test(test_rungs_hold_in_any_grid),
        cmocka_unit_test(test_rungs_hold_for_large_n),
        cmocka_unit_test(test_points_are_what_they_define),
        cmocka_unit_test(test_index_sets_of_threads_partition_the_input),
        cmocka_unit_test(test_grid_stride_goes_as_documented),
        cmocka_unit_test(test_shuffles_twice_goes_as_documented),
        cmocka_unit_test(test_tiles_goes_as_documented),
        cmocka_unit_test(test_sums_of_warps_are_those_of_their_threads),
        cmocka_unit_test(test_index_wraps_loses_element_65536),
        cmocka_unit_test(test_index_wraps_shows_where_the_last_trip_does_not_fit),
        cmocka_unit_test(test_no_barrier_races_within_the_block),
        cmocka_unit_test(test_no_barrier_does_not_show_in_a_block_of_one_warp),
    };
    return cmocka_run_group_tests_name("ladder_stride", tests, test_set_up, test_tear_down) != 0;
}
