// SPDX-License-Identifier: MIT
/* The dot products whose blocks fold in shared memory, and their faults. */
#include "harness.h"

#include <stdio.h>
#include <string.h>

static uint64_t product(const struct rd_values *values, size_t j)
{
    return test_whole(values, values->a, j) * test_whole(values, values->b, j);
}

/* The sum that block k must leave in A[k]: of the products that its threads come by. */
static uint64_t block_sum(const struct rd_shape *shape, const struct rd_values *values, size_t k)
{
    uint64_t sum = 0;
    for (size_t j = 0; j < values->n; j++)
        if (j % (shape->grid * shape->block) / shape->block == k)
            sum += product(values, j);
    return sum;
}

/* With the second launch, A[0] is the sum of all; the other cells are as the first left them. */
static uint64_t total_or_block_sum(const struct rd_shape *shape, const struct rd_values *values,
                                   size_t k)
{
    uint64_t sum = 0;
    for (size_t j = 0; j < values->n && k == 0; j++)
        sum += product(values, j);
    return k == 0 ? sum : block_sum(shape, values, k);
}

static void test_dot_shared_holds_in_all_shapes(void **state)
{
    (void)state;
    assert_ends_with_for_all_shapes("dot-shared", 1024, 4097, block_sum);
}

static void test_dot_two_phase_holds_in_all_shapes(void **state)
{
    (void)state;
    assert_ends_with_for_all_shapes("dot-two-phase", 1024, 4097, total_or_block_sum);
}

static void test_dot_in_blocks_of_8_goes_as_documented(void **state)
{
    const struct test_case shared = {.program = "dot-shared", .n = 8, .block = 4, .grid = 1};
    const struct test_case two_phase = {
        .program = "dot-two-phase", .n = 8, .block = 4, .grid = 2, .frame = true};
    (void)state;
    assert_launch(&shared, &(struct test_launch){.grid = 1, .block = 4, .cells = "168"});
    assert_launch(&two_phase, &(struct test_launch){.grid = 1, .block = 4, .cells = "168 148"});
}

/* ---- at the checkpoints ---- */

struct seen {
    unsigned count;
    char rows[8][64];
};

static enum rd_status see(void *self, const struct rd_run *run, const struct rd_step *step,
                          struct rd_error *error)
{
    struct seen *seen = self;
    (void)error;
    if (!step->place)
        return RD_OK;
    assert_true(seen->count < 8);
    char *row = seen->rows[seen->count++];
    int length =
        snprintf(row, 64, "%s=%u:", step->point->variable, (unsigned)step->place->variable);
    for (size_t i = 0; i < step->claim.count; i++) {
        char value[RD_VALUE_TEXT_SIZE];
        run->numeric->format(value, run->numeric->load(step->cells, i));
        length += snprintf(row + length, 64 - (size_t)length, " %s", value);
    }
    assert_int_equal(step->verdict, RD_HOLDS);
    return RD_OK;
}

static void test_dot_shared_of_8_shows_its_folds(void **state)
{
    struct seen seen = {0, {""}};
    const struct rd_observer observer = {.self = &seen, .step = see};
    const struct test_case test = {.program = "dot-shared", .n = 8, .block = 4, .grid = 1};
    struct rd_values values;
    struct rd_result result;
    (void)state;
    assert_int_equal(test_run_observed(&test, &observer, &values, &result, NULL), RD_OK);
    assert_int_equal(seen.count, 3);
    assert_text(seen.rows[0], "w=4: 20 32 48 68");
    assert_text(seen.rows[1], "w=2: 68 100");
    assert_text(seen.rows[2], "w=1: 168");
    rd_values_finish(&values);
}

static void test_dot_shared_asserts_every_fold_of_every_block(void **state)
{
    (void)state;
    for (unsigned block = 1, folds = 1; block <= 1024; block *= 2, folds++) {
        struct rd_result result;
        const struct test_case test = {
            .program = "dot-shared", .n = 3000, .block = block, .grid = 5, .type = RD_TYPE_F64};
        assert_int_equal(test_run(&test, &result, NULL), RD_OK);
        assert_int_equal(result.verdict, RD_HOLDS);
        assert_int_equal(result.checkpoints, 5 * folds);
        /* w cells at width w = block, …, 1, in each block; and A before and after. */
        assert_int_equal(result.cells, 5 * (2 * block - 1) + 2 * 5);
    }
}

/* ---- what is refused, and what goes wrong ---- */

static void test_dot_in_blocks_refuses_other_blocks_by_name(void **state)
{
    static const unsigned blocks[] = {3, 6, 31, 33, 96, 255, 1000};
    (void)state;
    for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++) {
        char fragment[32];
        snprintf(fragment, sizeof fragment, "%u", blocks[b]);
        assert_refused(&(struct test_case){.program = "dot-shared", .n = 100, .block = blocks[b]},
                       fragment);
        assert_refused(
            &(struct test_case){.program = "dot-two-phase", .n = 100, .block = blocks[b]},
            "power of two");
    }
}

/* A block of T ones keeps 2^floor(log2 T) of them. */
static void test_floor_halving_keeps_a_power_of_two(void **state)
{
    static const struct {
        unsigned block;
        const char *sum;
    } cases[] = {{6, "4"}, {96, "64"}, {1000, "512"}};
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const struct test_case test = {.program = "dot-shared:floor-halving",
                                       .n = cases[c].block,
                                       .block = cases[c].block,
                                       .values = "ones"};
        struct test_outcome outcome;
        test_outcome(&test, &outcome);
        assert_int_equal(outcome.result.verdict, RD_VIOLATED);
        assert_int_equal(outcome.result.violation.step, 1);
        assert_int_equal(outcome.result.violation.kind, RD_VIOLATION_BITS);
        assert_int_equal(outcome.result.hazards, 0);
        assert_end_cells(&outcome, cases[c].sum);
        test_outcome_finish(&outcome);
    }
}

static void test_floor_halving_of_6_loses_2_and_5(void **state)
{
    struct test_case fault = test_default("dot-shared:floor-halving");
    (void)state;
    assert_violated(&fault, &(struct test_violation){.kind = RD_VIOLATION_BITS,
                                                     .step = 1,
                                                     .cell = 0,
                                                     .expected = "70",
                                                     .actual = "34",
                                                     .expected_set = "{0..5}",
                                                     .actual_set = "{0,1,3,4}",
                                                     .lost = "{2,5}",
                                                     .extra = "{}"});
    fault.block = 8;
    assert_twin_holds(&fault);
}

static void test_fixed_cache_is_out_of_bounds_beyond_256(void **state)
{
    struct test_case fault = test_default("dot-shared:fixed-cache");
    (void)state;
    assert_found(&fault, &(struct test_found){.finding = {.name = "out-of-bounds",
                                                          .index_known = true,
                                                          .index = 256,
                                                          .n_places = 1,
                                                          .thread = {{256, 0, 0}}}});
    fault.block = 256; /* as long as the cache is */
    assert_ends_with(&fault, block_sum);
}

static void test_partials_are_folded_by_the_only_block(void **state)
{
    const struct rd_program *program = rd_program_named("dot-two-phase");
    const struct rd_shape shape = {.n = 40, .block = 4, .grid = 5};
    (void)state;
    for (size_t j = 0; j < 40; j++)
        for (size_t i = 0; i < 2; i++) {
            const struct rd_place at = {.point = RD_POINT_PARTIALS, .variable = 2};
            size_t k = j % 20 / 4; /* the block that makes it */
            assert_int_equal(rd_program_contains_at(program, &shape, &at, i, j), k % 4 % 2 == i);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dot_shared_holds_in_all_shapes),
        cmocka_unit_test(test_dot_two_phase_holds_in_all_shapes),
        cmocka_unit_test(test_dot_in_blocks_of_8_goes_as_documented),
        cmocka_unit_test(test_dot_shared_of_8_shows_its_folds),
        cmocka_unit_test(test_dot_shared_asserts_every_fold_of_every_block),
        cmocka_unit_test(test_dot_in_blocks_refuses_other_blocks_by_name),
        cmocka_unit_test(test_partials_are_folded_by_the_only_block),
        cmocka_unit_test(test_floor_halving_keeps_a_power_of_two),
        cmocka_unit_test(test_floor_halving_of_6_loses_2_and_5),
        cmocka_unit_test(test_fixed_cache_is_out_of_bounds_beyond_256),
    };
    return cmocka_run_group_tests_name("dot_blocks", tests, test_set_up, test_tear_down) != 0;
}
