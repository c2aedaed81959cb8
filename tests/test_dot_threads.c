// SPDX-License-Identifier: MIT
/* The dot products without shared memory: one thread, one cell for all, one cell for each. */
#include "harness.h"

static uint64_t product(const struct rd_values *values, size_t j)
{
    return test_whole(values, values->a, j) * test_whole(values, values->b, j);
}

static uint64_t total(const struct rd_shape *shape, const struct rd_values *values, size_t i)
{
    uint64_t sum = 0;
    (void)shape, (void)i;
    for (size_t j = 0; j < values->n; j++)
        sum += product(values, j);
    return sum;
}

static uint64_t thread_sum(const struct rd_shape *shape, const struct rd_values *values, size_t t)
{
    uint64_t sum = 0;
    for (size_t j = t; j < values->n; j += shape->grid * shape->block)
        sum += product(values, j);
    return sum;
}

static void test_dot_cpu_holds_for_any_n(void **state)
{
    (void)state;
    for (size_t n = 1; n <= 1100; n += n < 70 ? 1 : 103)
        for (unsigned type = 0; type < RD_HALVES_FIRST; type++)
            assert_ends_with(
                &(struct test_case){.program = "dot-cpu", .n = n, .type = (enum rd_type)type},
                total);
}

static void test_dot_cpu_asserts_its_sum_at_powers_of_two(void **state)
{
    static const struct {
        size_t n;
        unsigned checkpoints; /* i = 0, 1, 2, 4, … below n, and n */
    } cases[] = {{1, 2}, {2, 3}, {3, 4}, {8, 5}, {9, 6}, {1000, 12}};
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct rd_result result;
        assert_int_equal(
            test_run(&(struct test_case){.program = "dot-cpu", .n = cases[c].n}, &result, NULL),
            RD_OK);
        assert_int_equal(result.verdict, RD_HOLDS);
        assert_int_equal(result.checkpoints, cases[c].checkpoints);
        assert_int_equal(result.cells, cases[c].checkpoints + 2);
    }
}

static void test_dot_partial_holds_in_all_shapes(void **state)
{
    (void)state;
    assert_ends_with_for_all_shapes("dot-partial", 1024, 4097, thread_sum);
}

static void test_dot_partial_of_8_goes_as_documented(void **state)
{
    const struct test_case test = {.program = "dot-partial", .n = 8, .block = 4, .grid = 1};
    (void)state;
    assert_launch(&test, &(struct test_launch){.grid = 1, .block = 4, .cells = "20 32 48 68"});
}

/* 2^20 products of 1, 32 blocks of 256 threads: 128 for each. */
static void test_dot_partial_of_2_to_the_20_gives_each_thread_128(void **state)
{
    struct test_outcome outcome;
    (void)state;
    test_outcome(
        &(struct test_case){
            .program = "dot-partial", .n = (size_t)1 << 20, .type = RD_TYPE_F32, .values = "ones"},
        &outcome);
    assert_int_equal(outcome.result.verdict, RD_HOLDS);
    assert_int_equal(outcome.shape.grid, 32);
    assert_int_equal(outcome.shape.block, 256);
    assert_int_equal(outcome.n_cells, 8192);
    for (size_t t = 0; t < outcome.n_cells; t++)
        assert_end_cell(&outcome, t, "128");
    test_outcome_finish(&outcome);
}

/* A float that has come to 2^24 stays there when ones are added; the bound allows it, as n*u is 1. */
static void test_sequential_sum_of_ones_stops_at_2_to_the_24(void **state)
{
    struct test_outcome outcome;
    (void)state;
    test_outcome(&(struct test_case){.program = "dot-cpu",
                                     .n = ((size_t)1 << 24) + 8,
                                     .type = RD_TYPE_F32,
                                     .values = "ones"},
                 &outcome);
    assert_end_cells(&outcome, "16777216");
    assert_int_equal(outcome.result.obligations[RD_PRESERVATION], RD_HOLDS);
    assert_int_equal(outcome.result.obligations[RD_EXIT], RD_INCONCLUSIVE);
    assert_int_equal(outcome.result.verdict, RD_INCONCLUSIVE);
    test_outcome_finish(&outcome);
}

/* The race is reported whatever result the schedule gives. */
static void test_dot_naive_races_for_its_cell(void **state)
{
    const struct test_case fault = test_default("dot-naive");
    struct test_outcome outcome;
    (void)state;
    assert_text(rd_program_twin(rd_program_named("dot-naive"))->name, "dot-partial");
    assert_twin_holds(&fault);
    test_outcome(&fault, &outcome);
    assert_int_equal(outcome.result.verdict, RD_VIOLATED);
    assert_finding(&outcome,
                   &(struct test_finding){
                       .name = "race", .kind = "read-write", .array = "A", .index_known = true});
    test_outcome_finish(&outcome);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dot_cpu_holds_for_any_n),
        cmocka_unit_test(test_dot_cpu_asserts_its_sum_at_powers_of_two),
        cmocka_unit_test(test_dot_partial_holds_in_all_shapes),
        cmocka_unit_test(test_dot_partial_of_8_goes_as_documented),
        cmocka_unit_test(test_dot_partial_of_2_to_the_20_gives_each_thread_128),
        cmocka_unit_test(test_sequential_sum_of_ones_stops_at_2_to_the_24),
        cmocka_unit_test(test_dot_naive_races_for_its_cell),
    };
    return cmocka_run_group_tests_name("dot_threads", tests, test_set_up, test_tear_down) != 0;
}
