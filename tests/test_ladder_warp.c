// SPDX-License-Identifier: MIT
/* The ladder's rungs whose last warp works by itself. */
#include "harness_points.h"

static const char *const rungs[] = {"ladder-warp-shuffle", "ladder-unrolled"};
enum { RUNGS = sizeof rungs / sizeof *rungs };

static uint64_t block_sum(const struct rd_shape *shape, const struct rd_values *values, size_t k)
{
    uint64_t sum = 0;
    for (size_t j = 2 * k * shape->block; j < 2 * (k + 1) * shape->block && j < values->n; j++)
        sum += test_whole(values, values->a, j);
    return sum;
}

static void test_rungs_hold_in_all_shapes(void **state)
{
    (void)state;
    for (int r = 0; r < RUNGS; r++)
        assert_ends_with_for_all_shapes(rungs[r], 1024, 4097, block_sum);
}

static void test_rungs_hold_for_large_n(void **state)
{
    (void)state;
    for (int r = 0; r < RUNGS; r++)
        assert_ends_with_for_large_n(rungs[r], 512, block_sum);
}

static void test_points_are_what_they_define(void **state)
{
    static const unsigned blocks[] = {64, 65, 96, 255, 1000};
    (void)state;
    for (int r = 0; r < RUNGS; r++)
        for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++)
            for (size_t n = 1; n <= 400; n = n * 5 + 1)
                assert_points_are_definition(
                    &(struct test_case){.program = rungs[r], .n = n, .block = blocks[b]});
}

static void test_each_input_is_in_one_cell_at_every_width(void **state)
{
    (void)state;
    for (int r = 0; r < RUNGS; r++) {
        const struct test_case test = {.program = rungs[r], .n = 700, .block = 100};
        for (uint64_t w = 128; w >= 64; w /= 2)
            assert_points_partition(&test, RD_POINT_SEQUENTIAL, w);
        for (uint64_t w = 32; w > 0; w /= 2)
            assert_points_partition(&test, RD_POINT_SHUFFLE_DOWN, w);
    }
}

static void test_rungs_go_as_documented(void **state)
{
    static const struct test_checkpoint wanted[] = {
        {RD_POINT_SHUFFLE_DOWN, 0, 0, 32, "4 6 8 10"},
        {RD_POINT_SHUFFLE_DOWN, 0, 0, 4, "4 6 8 10"},
        {RD_POINT_SHUFFLE_DOWN, 0, 0, 2, "12 16"},
        {RD_POINT_SHUFFLE_DOWN, 0, 0, 1, "28"},
        {0},
    };
    (void)state;
    for (int r = 0; r < RUNGS; r++)
        for (unsigned type = 0; type < RD_TYPE_COUNT; type++)
            assert_checkpoints(
                &(struct test_case){
                    .program = rungs[r], .n = 8, .block = 4, .type = (enum rd_type)type},
                wanted);
}

/* Unrolled or not, the tree is first-add's. */
static void test_rungs_agree_with_first_add_to_the_bit(void **state)
{
    (void)state;
    for (unsigned block = 1; block <= 1024; block = block * 3 + 1) {
        struct test_outcome first, rung;
        struct test_case test = {.program = "ladder-first-add", .n = 5000, .block = block};
        test.type = RD_TYPE_F32;
        test.values = test_random_values(block);
        test_outcome(&test, &first);
        for (int r = 0; r < RUNGS; r++) {
            test.program = rungs[r];
            test_outcome(&test, &rung);
            assert_int_equal(rung.n_cells, first.n_cells);
            assert_memory_equal(rung.cells, first.cells, first.n_cells * sizeof(float));
            test_outcome_finish(&rung);
        }
        test_outcome_finish(&first);
    }
}

/* ---- faults ---- */

static void test_stops_at_512_drops_half_a_block_of_1024(void **state)
{
    struct test_case fault = test_default("ladder-unrolled:stops-at-512");
    (void)state;
    fault.n = 2048;
    fault.block = 1024;
    assert_twin_holds(&fault);
    /* x[i] holds what thread i brought, 2, and not what thread i + 512 did */
    assert_broken(&fault, &(struct test_broken){.point = RD_POINT_SEQUENTIAL,
                                                .warp = RD_WHOLE_BLOCK,
                                                .variable = 512,
                                                .cell = 0,
                                                .count = 512,
                                                .expected = "4",
                                                .actual = "2"});
    fault.go_on = true;
    struct test_outcome outcome;
    test_outcome(&fault, &outcome);
    assert_end_cells(&outcome, "1024"); /* of 2048 */
    test_outcome_finish(&outcome);
}

static void test_stops_at_512_does_not_show_in_smaller_blocks(void **state)
{
    (void)state;
    for (unsigned block = 1; block <= 512; block *= 2)
        assert_ends_with(&(struct test_case){.program = "ladder-unrolled:stops-at-512",
                                             .n = 3000,
                                             .block = block},
                         block_sum);
}

static void test_descending_makes_5905_of_64_ones(void **state)
{
    const struct test_case fault = test_default("ladder-warp-shuffle:descending");
    (void)state;
    assert_twin_holds(&fault);
    assert_broken(
        &fault,
        &(struct test_broken){
            .point = RD_POINT_COUNT, .cell = 0, .count = 1, .expected = "64", .actual = "5905"});
}

/* A race within the warp, in shared memory, and nothing else. */
static void assert_races_in_warp(const char *program, const char *sum)
{
    struct test_case fault = test_default(program);
    struct test_outcome outcome;
    assert_twin_holds(&fault);
    if (!test_device_is_sim())
        return;
    test_outcome(&fault, &outcome);
    assert_int_equal(outcome.result.verdict, RD_VIOLATED);
    assert_true(outcome.n_findings > 0);
    for (unsigned f = 0; f < outcome.n_findings; f++) {
        assert_text(outcome.findings[f].name, "race");
        assert_text(outcome.findings[f].kind, "read-write");
        assert_text(outcome.findings[f].scope, "warp");
        assert_int_equal(outcome.findings[f].step, 1);
    }
    assert_end_cells(&outcome, sum);
    test_outcome_finish(&outcome);
}

static void test_lockstep_races_within_the_warp(void **state)
{
    (void)state;
    assert_races_in_warp("ladder-warp-shuffle:lockstep", "7");
}

static void test_one_syncwarp_races_within_the_warp(void **state)
{
    (void)state;
    assert_races_in_warp("ladder-warp-shuffle:one-syncwarp", "65");
}

static void test_short_mask_reads_lanes_that_take_no_part(void **state)
{
    struct test_case fault = test_default("ladder-warp-shuffle:short-mask");
    struct test_outcome outcome;
    (void)state;
    /* lanes 0 .. 15 at o = 16, and 8 .. 15, 12 .. 15, 14, 15, and 15 */
    assert_found(&fault, &(struct test_found){.finding = {.name = "shuffle-from-inactive-lane",
                                                          .step = 1,
                                                          .count = 16 + 8 + 4 + 2 + 1},
                                              .n_findings = 1,
                                              .cells = "1504"});
    if (!test_device_is_sim())
        return;
    fault.values = "ones"; /* right by luck */
    test_outcome(&fault, &outcome);
    assert_int_equal(outcome.result.verdict, RD_VIOLATED);
    assert_end_cells(&outcome, "64");
    test_outcome_finish(&outcome);
}

static void test_lessons_of_the_warp_refuse_other_blocks(void **state)
{
    static const char *const faults[] = {
        "ladder-warp-shuffle:short-mask", "ladder-warp-shuffle:lockstep",
        "ladder-warp-shuffle:one-syncwarp", "ladder-warp-shuffle:descending"};
    static const unsigned blocks[] = {1, 32, 63, 96, 1000};
    (void)state;
    for (size_t l = 0; l < sizeof faults / sizeof *faults; l++)
        for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++)
            assert_refused(&(struct test_case){.program = faults[l], .n = 64, .block = blocks[b]},
                           "this fault takes 64, 128, 256, 512 or 1024: use ladder-warp-shuffle");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rungs_hold_in_all_shapes),
        cmocka_unit_test(test_rungs_hold_for_large_n),
        cmocka_unit_test(test_points_are_what_they_define),
        cmocka_unit_test(test_each_input_is_in_one_cell_at_every_width),
        cmocka_unit_test(test_rungs_go_as_documented),
        cmocka_unit_test(test_rungs_agree_with_first_add_to_the_bit),
        cmocka_unit_test(test_stops_at_512_drops_half_a_block_of_1024),
        cmocka_unit_test(test_stops_at_512_does_not_show_in_smaller_blocks),
        cmocka_unit_test(test_descending_makes_5905_of_64_ones),
        cmocka_unit_test(test_lockstep_races_within_the_warp),
        cmocka_unit_test(test_one_syncwarp_races_within_the_warp),
        cmocka_unit_test(test_short_mask_reads_lanes_that_take_no_part),
        cmocka_unit_test(test_lessons_of_the_warp_refuse_other_blocks),
    };
    return cmocka_run_group_tests_name("ladder_warp", tests, test_set_up, test_tear_down) != 0;
}
