// SPDX-License-Identifier: MIT
/* The ladder's last rungs: packs of elements, and one launch. */
#include "harness_points.h"
#include "run/points.h"

#include <string.h>

static const char *const rungs[] = {"ladder-vectorised-atomic", "ladder-vectorised", "ladder-dot",
                                    "ladder-cooperative"};
enum { RUNGS = sizeof rungs / sizeof *rungs, FEW_THREADS = 4000 };

static uint64_t all(const struct rd_shape *shape, const struct rd_values *values, size_t i)
{
    uint64_t sum = 0;
    (void)shape, (void)i;
    for (size_t j = 0; j < values->n; j++)
        sum +=
            test_whole(values, values->a, j) * (values->b ? test_whole(values, values->b, j) : 1);
    return sum;
}

static void test_rungs_hold_in_all_shapes(void **state)
{
    (void)state;
    for (int r = 0; r < RUNGS; r++)
        assert_ends_with_for_all_shapes(rungs[r], 1024, 1100, all);
}

/* Around whole packs and whole trips of the grid, and tails longer than the grid has threads. */
static void test_rungs_hold_in_any_grid(void **state)
{
    static const size_t grids[] = {1, 2, 3, 33, 64, 70};
    static const unsigned blocks[] = {1, 2, 31, 32, 96, 256, 1024};
    unsigned count = 0;
    (void)state;
    for (size_t g = 0; g < sizeof grids / sizeof *grids; g++)
        for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++) {
            size_t trip = grids[g] * blocks[b] * 16;
            if (grids[g] * blocks[b] > FEW_THREADS)
                continue;
            const size_t sizes[] = {1, 2, 3, 4, 5, 7, 9, trip - 1, trip, trip + 3, trip + 5};
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++, count++) {
                struct test_case test = {.program = rungs[count % RUNGS],
                                         .n = sizes[s] < 50000 ? sizes[s] : 50000 + s,
                                         .block = blocks[b],
                                         .grid = grids[g]};
                if (!test_is_due())
                    continue;
                test.type = (enum rd_type)(count % RD_HALVES_FIRST);
                test.values = count % 2 ? "ones" : "iota";
                assert_ends_with(&test, rd_numeric(test.type)->is_float && count % 2 ? NULL : all);
                test.values = test_random_values(count);
                assert_ends_with(&test, rd_numeric(test.type)->is_float ? NULL : all);
            }
        }
}

static void test_points_are_what_they_define(void **state)
{
    static const unsigned blocks[] = {1, 6, 32, 33, 100};
    (void)state;
    for (int r = 0; r < RUNGS; r++)
        for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++)
            for (size_t grid = 1; grid <= 35; grid = 5 * grid + 2)
                for (size_t n = 1; n <= 400; n = n * 5 + 1)
                    assert_points_are_definition(&(struct test_case){
                        .program = rungs[r], .n = n, .block = blocks[b], .grid = grid});
}

/* Whole packs; the tail comes behind the loop. */
static void test_packs_of_threads_partition_the_input(void **state)
{
    (void)state;
    for (int r = 0; r < RUNGS; r++)
        for (size_t trips = 1; trips <= 3; trips++)
            assert_points_partition(&(struct test_case){.program = rungs[r],
                                                        .n = trips * 4 * 800 - 400,
                                                        .block = 100,
                                                        .grid = 2,
                                                        .type = RD_TYPE_I32},
                                    RD_POINT_PACK_STRIDE, trips * 800);
}

/* ---- the worked examples ---- */

static void test_vectorised_atomic_goes_as_documented(void **state)
{
    static const struct test_checkpoint wanted[] = {
        {RD_POINT_PACK_STRIDE, 0, 0, 0, "0 0"},
        {RD_POINT_PACK_STRIDE, 0, 0, 8, "6 22"},
        {RD_POINT_WARP_SUMS, 0, RD_WHOLE_BLOCK, 1, "28"},
        {0},
    };
    const struct test_case test = {.program = rungs[0], .n = 8, .block = 2, .grid = 1};
    (void)state;
    assert_checkpoints(&test, wanted);
    assert_launch(&test, &(struct test_launch){.grid = 1, .block = 2, .cells = "28"});
}

static void test_vectorised_goes_as_documented(void **state)
{
    const struct test_case test = {.program = rungs[1], .n = 8, .block = 1, .grid = 2};
    (void)state;
    assert_checkpoints(&test, (const struct test_checkpoint[]){
                                  {RD_POINT_PACK_STRIDE, 0, 0, 8, "6"},
                                  {RD_POINT_PACK_STRIDE, 1, 0, 8, "22"},
                                  {0},
                              });
    assert_launch(&test, &(struct test_launch){.grid = 2, .block = 1, .cells = "28"});
}

static void test_cooperative_goes_as_documented(void **state)
{
    const struct test_case test = {.program = rungs[3], .n = 8, .block = 1, .grid = 2};
    (void)state;
    assert_checkpoints(&test, (const struct test_checkpoint[]){
                                  {RD_POINT_WARP_SUMS, 0, RD_WHOLE_BLOCK, 1, "6"},
                                  {RD_POINT_WARP_SUMS, 1, RD_WHOLE_BLOCK, 1, "22"},
                                  {RD_POINT_SHUFFLE_PARTIALS, 0, 0, 1, "28"},
                                  {0},
                              });
    assert_launch(&test, &(struct test_launch){.grid = 2, .block = 1, .cells = "28"});
}

static void test_dot_goes_as_documented(void **state)
{
    const struct test_case test = {.program = rungs[2], .n = 8, .block = 1, .grid = 2};
    (void)state;
    assert_checkpoints(&test, (const struct test_checkpoint[]){
                                  {RD_POINT_PACK_STRIDE, 0, 0, 8, "20"},
                                  {RD_POINT_PACK_STRIDE, 1, 0, 8, "148"},
                                  {0},
                              });
    assert_launch(&test, &(struct test_launch){.grid = 2, .block = 1, .cells = "168"});
}

/* ---- what is promised of the bits ---- */

static void run_twice(const struct test_case *test, float sums[2])
{
    for (int k = 0; k < 2; k++) {
        struct test_outcome outcome;
        test_outcome(test, &outcome);
        assert_int_equal(outcome.result.verdict, RD_HOLDS);
        memcpy(&sums[k], outcome.cells, sizeof sums[k]);
        test_outcome_finish(&outcome);
    }
}

static void test_vectorised_gives_the_same_bits_each_time(void **state)
{
    struct test_case test = {.program = rungs[1], .n = 100003, .grid = 100, .type = RD_TYPE_F32};
    float sums[2];
    (void)state;
    test.values = test_random_values(0);
    run_twice(&test, sums);
    assert_memory_equal(&sums[0], &sums[1], sizeof sums[0]);
}

static void test_cooperative_gives_the_bits_of_vectorised(void **state)
{
    struct test_case test = {.n = 100003, .block = 96, .grid = 40, .type = RD_TYPE_F32};
    struct test_outcome outcomes[2];
    (void)state;
    test.values = test_random_values(0);
    for (int k = 0; k < 2; k++) {
        test.program = rungs[k ? 3 : 1];
        test_outcome(&test, &outcomes[k]);
        assert_int_equal(outcomes[k].result.verdict, RD_HOLDS);
    }
    assert_memory_equal(outcomes[0].cells, outcomes[1].cells, sizeof(float));
    test_outcome_finish(&outcomes[0]);
    test_outcome_finish(&outcomes[1]);
}

static void test_cooperative_with_more_blocks_than_fit_is_no_launch(void **state)
{
    const struct test_case test = {
        .program = rungs[3], .n = 1000, .block = 1024, .grid = 5000, .unexplained = true};
    struct test_outcome outcome;
    (void)state;
    test_outcome(&test, &outcome);
    assert_int_equal(outcome.result.verdict, RD_VIOLATED);
    assert_non_null(test_finding(&outcome, "illegal-launch", NULL));
    test_outcome_finish(&outcome);
}

/* As floats the sum is asserted within the bound: infinities in any order are what they are. */
static void test_vectorised_atomic_takes_what_is_no_number(void **state)
{
    static const struct {
        const char *values;
        enum rd_verdict verdict;
    } cases[] = {
        {"list:1,2,inf,4,5", RD_HOLDS},
        {"list:1,2,nan,4,5", RD_HOLDS},
        {"list:inf,2,3,4,-inf", RD_HOLDS},
        {"list:1e38,2,3,4,5,6,7,8", RD_HOLDS},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct test_outcome outcome;
        test_outcome(&(struct test_case){.program = rungs[0],
                                         .type = RD_TYPE_F32,
                                         .values = cases[c].values,
                                         .block = 1,
                                         .grid = 2},
                     &outcome);
        if (outcome.result.verdict != cases[c].verdict)
            fail_msg("%s: %s", cases[c].values, rd_verdict_name(outcome.result.verdict));
        test_outcome_finish(&outcome);
    }
}

/* ---- faults ---- */

static void assert_races_between_blocks(const char *program)
{
    const struct test_case fault = test_default(program);
    /* the last block reads what all the others wrote, and the sum is right, here */
    assert_found(&fault, &(struct test_found){.finding = {.name = "race",
                                                          .kind = "read-write",
                                                          .scope = "grid",
                                                          .step = 1,
                                                          .count = test_shape(&fault).grid - 1},
                                              .n_findings = 1,
                                              .is_right = true});
}

/* Before the ticket, or behind it: either is missed. */
static void test_no_fence_and_one_fence_race_between_blocks(void **state)
{
    (void)state;
    assert_races_between_blocks("ladder-vectorised:no-fence");
    assert_races_between_blocks("ladder-vectorised:one-fence");
}

static void test_missing_fences_do_not_show_with_one_block(void **state)
{
    static const char *const faults[] = {"ladder-vectorised:no-fence",
                                         "ladder-vectorised:one-fence"};
    (void)state;
    for (int k = 0; k < 2; k++)
        assert_ends_with(&(struct test_case){.program = faults[k], .n = 1000, .grid = 1}, all);
}

/* Behind a barrier of the grid block 0 adds; of tickets, whichever block draws the last one. */
static void test_partials_are_added_by_the_first_block_or_by_any(void **state)
{
    const struct rd_shape shape = {.n = 100, .block = 4, .grid = 3};
    const struct rd_program *last = rd_program_named("ladder-vectorised");
    const struct rd_program *first = rd_program_named("ladder-cooperative");
    struct rd_round round;
    (void)state;
    assert_true(rd_program_round(first, &shape, 1, &round));
    for (uint64_t block = 0; block < 3; block++) {
        const struct rd_place at = {
            .point = RD_POINT_SHUFFLE_PARTIALS, .number = 1, .variable = 1, .block = block};
        const struct rd_passing by = {.shape = &shape, .round = &round, .block = block};
        assert_true(rd_program_point_passes(last, rd_program_point(last, at.point), &by) > 0);
        assert_int_equal(rd_program_point_passes(first, rd_program_point(first, at.point), &by) > 0,
                         block == 0);
        for (size_t j = 0; j < 100; j++) {
            assert_true(rd_program_contains_at(last, &shape, &at, 0, j));
            assert_true(block > 0 || rd_program_contains_at(first, &shape, &at, 0, j));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rungs_hold_in_all_shapes),
        cmocka_unit_test(test_rungs_hold_in_any_grid),
        cmocka_unit_test(test_points_are_what_they_define),
        cmocka_unit_test(test_packs_of_threads_partition_the_input),
        cmocka_unit_test(test_vectorised_atomic_goes_as_documented),
        cmocka_unit_test(test_vectorised_goes_as_documented),
        cmocka_unit_test(test_cooperative_goes_as_documented),
        cmocka_unit_test(test_dot_goes_as_documented),
        cmocka_unit_test(test_vectorised_gives_the_same_bits_each_time),
        cmocka_unit_test(test_cooperative_gives_the_bits_of_vectorised),
        cmocka_unit_test(test_cooperative_with_more_blocks_than_fit_is_no_launch),
        cmocka_unit_test(test_vectorised_atomic_takes_what_is_no_number),
        cmocka_unit_test(test_no_fence_and_one_fence_race_between_blocks),
        cmocka_unit_test(test_missing_fences_do_not_show_with_one_block),
        cmocka_unit_test(test_partials_are_added_by_the_first_block_or_by_any),
    };
    return cmocka_run_group_tests_name("ladder_vector", tests, test_set_up, test_tear_down) != 0;
}
