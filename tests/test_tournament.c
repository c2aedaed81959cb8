// SPDX-License-Identifier: MIT
/* The tournament of any number of numbers, the faults about it, and that it is the fold's tree. */
#include "harness.h"

#include <string.h>

static void test_tournament_of_8_goes_as_documented(void **state)
{
    static const char *const rows[] = {
        "0 1 2 3 4 5 6 7", "1 1 5 3 9 5 13 7", "6 1 5 3 22 5 13 7", "28 1 5 3 22 5 13 7", NULL,
    };
    static const char *const live[] = {
        "0 1 2 3 4 5 6 7", "1 . 5 . 9 . 13 .", "6 . . . 22 . . .", "28 . . . . . . .", NULL,
    };
    (void)state;
    for (unsigned type = 0; type < RD_TYPE_COUNT; type++) {
        struct test_case test = {.program = "tournament", .n = 8, .type = (enum rd_type)type};
        assert_steps(&test, live);
        test.frame = true;
        assert_steps(&test, rows);
    }
}

static void test_tournament_of_3_reaches_the_tail(void **state)
{
    static const char *const rows[] = {"0 1 2", "1 1 2", "3 1 2", NULL};
    (void)state;
    assert_steps(&(struct test_case){.program = "tournament", .n = 3, .frame = true}, rows);
}

static void test_tournament_makes_ceil_log2_n_rounds_and_n_minus_1_additions(void **state)
{
    (void)state;
    assert_rounds("tournament", 1, (const size_t[]){0}, 0);
    assert_rounds("tournament", 3, (const size_t[]){1, 2, 0}, 2);
    assert_rounds("tournament", 8, (const size_t[]){1, 2, 4, 0}, 7);
    assert_rounds("tournament", 9, (const size_t[]){1, 2, 4, 8, 0}, 8);
    assert_rounds("tournament", 1000, (const size_t[]){1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 0},
                  999);
}

static void test_tournament_states_the_numbers_of_each_step(void **state)
{
    struct test_record record;
    (void)state;
    test_record(&(struct test_case){.program = "tournament", .n = 7}, &record);
    assert_text(record.steps[2].statement,
                "for i = 0 mod 4, i < 7: A[i] = sum of a[j], i <= j < min(i+4, 7)");
    test_record_finish(&record);
}

/* ---- the fold's tree, by another name: b[bitrev(j)] = a[j] ---- */

static size_t bit_reversed(size_t i, unsigned bits)
{
    size_t reversed = 0;
    for (unsigned b = 0; b < bits; b++)
        reversed |= (i >> b & 1) << (bits - 1 - b);
    return reversed;
}

struct kept_cells {
    unsigned bits;
    bool reversed;  /* look at cell bitrev(i) for i */
    uint64_t *rows; /* of step s, cell i: rows[s << bits | i] */
};

static enum rd_status keep_cells(void *self, const struct rd_run *run, const struct rd_step *step,
                                 struct rd_error *error)
{
    struct kept_cells *kept = self;
    (void)error;
    assert_true(step->whole);
    for (size_t i = 0; i < run->n >> step->number; i++) {
        size_t cell = kept->reversed ? bit_reversed(i, kept->bits) : i;
        kept->rows[(size_t)step->number << kept->bits | i] = run->numeric->load(step->cells, cell);
    }
    return RD_OK;
}

static void run_and_keep(const char *program, const struct rd_numeric *numeric, const void *a,
                         struct kept_cells *kept)
{
    struct rd_result result;
    const struct rd_observer observer = {.self = kept, .step = keep_cells};
    const struct rd_run run = {
        .program = rd_program_named(program),
        .numeric = numeric,
        .n = (size_t)1 << kept->bits,
        .a = a,
        .values = "random",
        .frame = true,
        .device = test_device(),
    };
    assert_int_equal(
        rd_run(&run, (const struct rd_observer *const[]){&observer, NULL}, &result, NULL), RD_OK);
    assert_int_equal(result.verdict, RD_HOLDS);
}

static void check_same_bits(const struct rd_numeric *numeric, unsigned bits)
{
    size_t n = (size_t)1 << bits, rows = (bits + 1) * n;
    struct rd_values a;
    struct rd_error error = {""};
    assert_int_equal(rd_values_init(&a, numeric, test_random_values(bits), n, n, false, &error),
                     RD_OK);
    void *b = malloc(n * numeric->size_bytes);
    struct kept_cells fold = {.bits = bits, .rows = calloc(rows, sizeof(uint64_t))};
    struct kept_cells tournament = {.bits = bits, .rows = calloc(rows, sizeof(uint64_t))};
    tournament.reversed = true;
    assert_true(b && fold.rows && tournament.rows);
    for (size_t j = 0; j < n; j++)
        numeric->store(b, bit_reversed(j, bits), numeric->load(a.a, j));
    run_and_keep("fold", numeric, a.a, &fold);
    run_and_keep("tournament", numeric, b, &tournament);
    assert_memory_equal(fold.rows, tournament.rows, rows * sizeof(uint64_t));
    free(fold.rows);
    free(tournament.rows);
    free(b);
    rd_values_finish(&a);
}

static void test_tournament_makes_the_bits_of_the_fold_in_every_round(void **state)
{
    (void)state;
    for (unsigned bits = 0; bits <= 14; bits++)
        for (unsigned type = 0; type < RD_TYPE_COUNT; type++)
            check_same_bits(rd_numeric((enum rd_type)type), bits);
}

/* ---- faults ---- */

static void test_tournament_interval_fails_at_step_0_in_cell_1(void **state)
{
    struct test_case test = {.program = "tournament:interval", .n = 8, .frame = true};
    (void)state;
    assert_fault(&test, &(struct test_violation){
                            .kind = RD_VIOLATION_BITS,
                            .step = 0,
                            .cell = 1,
                            .expected = "0",
                            .actual = "1",
                            .expected_set = "{}",
                            .actual_set = "{1}",
                            .lost = "{}",
                            .extra = "{1}",
                        });
}

static void test_tournament_interval_is_right_in_cell_0(void **state)
{
    struct test_record record;
    (void)state;
    test_record(&(struct test_case){.program = "tournament:interval", .n = 8, .go_on = true},
                &record);
    assert_int_equal(record.n_steps, 4);
    for (unsigned step = 0; step < 4; step++)
        assert_int_equal(record.values.numeric->load(record.steps[step].cells, 0),
                         record.values.numeric->load(record.steps[step].expected, 0));
    test_record_finish(&record);
}

static void test_tournament_lost_tail_fails_at_step_2_without_input_2(void **state)
{
    struct test_case test = {.program = "tournament:lost-tail", .n = 3, .frame = true};
    (void)state;
    assert_fault(&test, &(struct test_violation){
                            .kind = RD_VIOLATION_BITS,
                            .step = 2,
                            .cell = 0,
                            .expected = "3",
                            .actual = "1",
                            .expected_set = "{0..2}",
                            .actual_set = "{0,1}",
                            .lost = "{2}",
                            .extra = "{}",
                        });
}

static void test_tournament_lost_tail_holds_for_powers_of_two_only(void **state)
{
    (void)state;
    for (size_t n = 1; n <= 65; n++) {
        struct test_case test = {.program = "tournament:lost-tail", .n = n, .values = "powers"};
        struct rd_result result;
        test.type = RD_TYPE_U64;
        assert_int_equal(test_run(&test, &result, NULL), RD_OK);
        assert_int_equal(result.verdict, (n & (n - 1)) == 0 ? RD_HOLDS : RD_VIOLATED);
    }
}

static void test_tournament_stride_one_fails_at_step_2_in_cell_0(void **state)
{
    struct test_case test = {.program = "tournament:stride-one", .n = 8, .frame = true};
    (void)state;
    assert_fault(&test, &(struct test_violation){
                            .kind = RD_VIOLATION_BITS,
                            .step = 2,
                            .cell = 0,
                            .expected = "6",
                            .actual = "2",
                            .expected_set = "{0..3}",
                            .actual_set = "{0,1x2}",
                            .lost = "{2,3}",
                            .extra = "{1}",
                        });
}

static void test_tournament_lesson_table_is_its_definition(void **state)
{
    (void)state;
    assert_table_is_definition("tournament:interval", false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TESTS_OF_ROUNDS("tournament"),
        TEST_OF_PARTITION("tournament"),
        cmocka_unit_test(test_tournament_of_8_goes_as_documented),
        cmocka_unit_test(test_tournament_of_3_reaches_the_tail),
        cmocka_unit_test(test_tournament_makes_ceil_log2_n_rounds_and_n_minus_1_additions),
        cmocka_unit_test(test_tournament_states_the_numbers_of_each_step),
        cmocka_unit_test(test_tournament_makes_the_bits_of_the_fold_in_every_round),
        cmocka_unit_test(test_tournament_interval_fails_at_step_0_in_cell_1),
        cmocka_unit_test(test_tournament_interval_is_right_in_cell_0),
        cmocka_unit_test(test_tournament_lost_tail_fails_at_step_2_without_input_2),
        cmocka_unit_test(test_tournament_lost_tail_holds_for_powers_of_two_only),
        cmocka_unit_test(test_tournament_stride_one_fails_at_step_2_in_cell_0),
        cmocka_unit_test(test_tournament_lesson_table_is_its_definition),
    };
    return cmocka_run_group_tests_name("tournament", tests, test_set_up, test_tear_down) != 0;
}
