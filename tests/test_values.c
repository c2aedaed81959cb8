// SPDX-License-Identifier: MIT
/* Input values that are made or listed: what generators and lists give, and what is refused. */
#include "values_harness.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void test_iota_counts_from_zero_and_b_from_one(void **state)
{
    (void)state;
    for (enum rd_type type = RD_TYPE_I32; type <= RD_TYPE_BF16; type++) {
        assert_made(type, "iota", 1, "0", "1");
        assert_made(type, "iota", 5, "0 1 2 3 4", "1 2 3 4 5");
        assert_made(type, "iota", 3, "0 1 2", NULL);
    }
}

static void test_ones_is_one_in_every_type(void **state)
{
    (void)state;
    for (enum rd_type type = RD_TYPE_I32; type <= RD_TYPE_BF16; type++)
        assert_made(type, "ones", 3, "1 1 1", "1 1 1");
}

static void test_powers_starts_again_after_the_digits_of_the_type(void **state)
{
    (void)state;
    static const size_t digits[RD_TYPE_COUNT] = {31, 32, 63, 64, 24, 53, 11, 8};
    for (enum rd_type type = RD_TYPE_I32; type <= RD_TYPE_BF16; type++) {
        const struct rd_numeric *numeric = rd_numeric(type);
        size_t w = digits[type];
        struct rd_values values;
        assert_int_equal(rd_values_init(&values, numeric, "powers", 2 * w + 2, 8, true, NULL),
                         RD_OK);
        for (size_t j = 0; j < values.n; j++) {
            assert_true(numeric->to_double(numeric->load(values.a, j)) == ldexp(1, (int)(j % w)));
            assert_true(numeric->to_double(numeric->load(values.b, j)) == 1);
        }
        rd_values_finish(&values);
    }
}

/* The reference outputs of SplitMix64 for seed 1234567. */
static void test_random_u64_is_splitmix64(void **state)
{
    (void)state;
    assert_made(RD_TYPE_U64, "random:1234567", 5,
                "6457827717110365317 3203168211198807973 9817491932198370423 4593380528125082431 "
                "16408922859458223821",
                NULL);
}

static void test_random_narrow_types_come_from_the_same_sequence(void **state)
{
    (void)state;
    assert_made(RD_TYPE_U32, "random:1234567", 2, "4211670149 1481904037", NULL);
    assert_made(RD_TYPE_I32, "random:1234567", 2, "-83297147 1481904037", NULL);
    /* 6457827717110365317 >> 11 is 3153236189995295, 6457827717110365317 >> 40 is 5873360 */
    struct rd_values values;
    assert_int_equal(
        rd_values_init(&values, rd_numeric(RD_TYPE_F64), "random:1234567", 1, 8, false, NULL),
        RD_OK);
    assert_true(*(double *)values.a == 3153236189995295 * 0x1p-52 - 1);
    rd_values_finish(&values);
    assert_int_equal(
        rd_values_init(&values, rd_numeric(RD_TYPE_F32), "random:1234567", 1, 8, false, NULL),
        RD_OK);
    assert_true(*(float *)values.a == 5873360 * 0x1p-23f - 1);
    rd_values_finish(&values);
}

static void test_random_floats_fill_minus_one_to_one(void **state)
{
    (void)state;
    for (enum rd_type type = RD_TYPE_F32; type <= RD_TYPE_BF16; type++) {
        const struct rd_numeric *numeric = rd_numeric(type);
        struct rd_values values;
        double least = 1, most = -1, sum = 0;
        assert_int_equal(rd_values_init(&values, numeric, "random:7", 4096, 8, false, NULL), RD_OK);
        for (size_t j = 0; j < values.n; j++) {
            double x = numeric->to_double(numeric->load(values.a, j));
            assert_true(x >= -1 && x < 1);
            least = x < least ? x : least;
            most = x > most ? x : most;
            sum += x;
        }
        assert_true(least < -0.99 && most > 0.99 && fabs(sum / 4096) < 0.05);
        rd_values_finish(&values);
    }
}

static void test_random_b_is_a_of_the_inverted_seed(void **state)
{
    (void)state;
    struct rd_values one, other;
    assert_int_equal(rd_values_init(&one, rd_numeric(RD_TYPE_U64), "random:5", 9, 8, true, NULL),
                     RD_OK);
    assert_int_equal(rd_values_init(&other, rd_numeric(RD_TYPE_U64), "random:18446744073709551610",
                                    9, 8, true, NULL),
                     RD_OK);
    assert_memory_equal(one.b, other.a, 9 * sizeof(uint64_t));
    assert_memory_equal(one.a, other.b, 9 * sizeof(uint64_t));
    assert_memory_not_equal(one.a, one.b, 9 * sizeof(uint64_t));
    rd_values_finish(&one);
    rd_values_finish(&other);
}

static void assert_spec(const char *spec, const char *full, bool has_seed, uint64_t seed)
{
    struct rd_values values;
    assert_int_equal(rd_values_init(&values, rd_numeric(RD_TYPE_I32), spec, 0, 2, false, NULL),
                     RD_OK);
    assert_string_equal(values.spec, full);
    assert_int_equal(values.has_seed, has_seed);
    assert_int_equal(values.seed, seed);
    rd_values_finish(&values);
}

static void test_spec_is_given_in_full_with_its_seed(void **state)
{
    (void)state;
    assert_spec("random", "random:1", true, 1);
    assert_spec("random:007", "random:7", true, 7);
    assert_spec("random:0", "random:0", true, 0);
    assert_spec("random:18446744073709551615", "random:18446744073709551615", true, UINT64_MAX);
    assert_spec("iota", "iota", false, 0);
    assert_spec("list:4,5", "list:4,5", false, 0);
}

static void test_spec_too_long_is_cut_between_characters(void **state)
{
    (void)state;
    char path[VALUES_PATH_SIZE];
    char name[256] = "";
    while (strlen(name) < 240)
        strcat(name, "\xc3\xa6");
    for (int shift = 0; shift < 2; shift++) {
        struct rd_values values;
        snprintf(path, sizeof path, "%s/%s%s", values_folder, shift ? "x" : "", name);
        FILE *file = fopen(path, "wb");
        assert_non_null(file);
        fputs("1", file);
        fclose(file);
        enum rd_status status =
            rd_values_init(&values, rd_numeric(RD_TYPE_I32), path, 0, 2, false, NULL);
        unlink(path);
        assert_int_equal(status, RD_OK);
        size_t length = strlen(values.spec);
        assert_in_range(length, 254, 255);
        assert_string_equal(values.spec + length - 5, "\xc3\xa6...");
        assert_memory_equal(values.spec, path, length - 3);
        rd_values_finish(&values);
    }
}

static void test_generator_given_n_wins_over_the_default(void **state)
{
    (void)state;
    struct rd_values values;
    assert_int_equal(rd_values_init(&values, rd_numeric(RD_TYPE_I32), "iota", 3, 8, false, NULL),
                     RD_OK);
    assert_values(&values, RD_TYPE_I32, 3, "0 1 2", NULL);
    assert_int_equal(rd_values_init(&values, rd_numeric(RD_TYPE_I32), "iota", 0, 4, false, NULL),
                     RD_OK);
    assert_values(&values, RD_TYPE_I32, 4, "0 1 2 3", NULL);
}

/* Long enough to be made by several threads. */
static void test_generator_many_values_are_each_in_their_place(void **state)
{
    (void)state;
    enum { N = (1 << 16) + 1 };
    struct rd_values values;
    assert_int_equal(rd_values_init(&values, rd_numeric(RD_TYPE_I32), "iota", N, 8, true, NULL),
                     RD_OK);
    for (int j = 0; j < N; j++) {
        assert_true(((int32_t *)values.a)[j] == j);
        assert_true(((int32_t *)values.b)[j] == j + 1);
    }
    rd_values_finish(&values);
}

static void test_generator_without_values_is_refused(void **state)
{
    (void)state;
    struct rd_values values = untouched();
    struct rd_error error = {""};
    assert_int_equal(rd_values_init(&values, rd_numeric(RD_TYPE_I32), "iota", 0, 0, false, &error),
                     RD_ERROR_USAGE);
    assert_untouched(&values);
    assert_says(&error, "'n' is 0");
}

static void test_generator_beyond_memory_is_refused(void **state)
{
    (void)state;
    assert_spec_refused(RD_TYPE_I32, "ones", SIZE_MAX, true, RD_ERROR_MEMORY,
                        "no memory for 1844674407");
    assert_spec_refused(RD_TYPE_U64, "ones", SIZE_MAX / 8 + 2, false, RD_ERROR_MEMORY, "of u64");
    assert_spec_refused(RD_TYPE_I32, "ones", SIZE_MAX / 8 + 1, false, RD_ERROR_MEMORY, "of i32");
}

static void test_random_bad_seed_is_refused(void **state)
{
    (void)state;
    static const char *const specs[] = {"random:",     "random:x",  "random:1x",
                                        "random:-1",   "random:+1", "random: 1",
                                        "random:0x10", "random:1 ", "random:18446744073709551616",
                                        "random:1.5"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        assert_spec_refused(RD_TYPE_I32, specs[i], 0, false, RD_ERROR_USAGE, specs[i]);
        assert_spec_refused(RD_TYPE_I32, specs[i], 0, false, RD_ERROR_USAGE, "seed");
        assert_false(rd_values_is_generator(specs[i]));
    }
}

static void test_is_generator_tells_generators_from_data(void **state)
{
    (void)state;
    static const char *const yes[] = {"iota",   "ones",     "powers",
                                      "random", "random:0", "random:18446744073709551615"};
    static const char *const no[] = {"",       "-",      "list:1", "iotas", "iot",
                                     "iota:1", "Random", "./iota", "x.npy", "witness"};
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        assert_true(rd_values_is_generator(yes[i]));
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        assert_false(rd_values_is_generator(no[i]));
}

static bool is_somewhere(const struct rd_values *values, size_t j, const char *wanted)
{
    char text[RD_VALUE_TEXT_SIZE];
    values->numeric->format(text, values->numeric->load(values->a, j));
    return strcmp(text, wanted) == 0;
}

static void test_marked_is_one_input_among_identities(void **state)
{
    static const struct {
        enum rd_operation operation;
        enum rd_type type;
        const char *wanted;
    } cases[] = {
        {RD_OPERATION_SUM, RD_TYPE_I32, "0 0 1 0"},
        {RD_OPERATION_PRODUCT, RD_TYPE_F64, "1 1 2 1"},
        {RD_OPERATION_MIN, RD_TYPE_I64,
         "9223372036854775807 9223372036854775807 1 9223372036854775807"},
        {RD_OPERATION_MIN, RD_TYPE_F32, "nan nan 1 nan"},
        {RD_OPERATION_MAX, RD_TYPE_I32, "-2147483648 -2147483648 1 -2147483648"},
        {RD_OPERATION_MAX, RD_TYPE_U32, "0 0 1 0"},
        {RD_OPERATION_AND, RD_TYPE_U32, "4294967295 4294967295 1 4294967295"},
        {RD_OPERATION_XOR, RD_TYPE_U64, "0 0 1 0"},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct rd_values values;
        struct rd_error error;
        const struct rd_numeric *numeric = rd_numeric_over(cases[c].type, cases[c].operation);
        assert_status(rd_values_init(&values, numeric, "marked:2", 4, 0, false, &error), RD_OK,
                      &error);
        values.numeric = rd_numeric(cases[c].type);
        assert_values(&values, cases[c].type, 4, cases[c].wanted, NULL);
    }
}

static void test_marked_beyond_the_values_is_refused(void **state)
{
    struct rd_values values;
    struct rd_error error;
    const struct rd_numeric *numeric = rd_numeric(RD_TYPE_I32);
    (void)state;
    assert_int_equal(rd_values_init(&values, numeric, "marked:4", 4, 0, false, &error),
                     RD_ERROR_USAGE);
    assert_string_equal(error.text,
                        "'marked:4' marks none of 4 values: they are counted from 0 on");
    assert_int_equal(rd_values_init(&values, numeric, "marked:3", 4, 0, false, &error), RD_OK);
    rd_values_finish(&values);
}

static void test_edges_have_every_corner_at_every_index_in_16_seeds(void **state)
{
    static const struct {
        enum rd_type type;
        const char *corners[6];
    } types[] = {
        {RD_TYPE_I32, {"0", "1", "-1", "-2", "2147483647", "-2147483648"}},
        {RD_TYPE_U32, {"0", "1", "4294967295", "4294967294", "2147483648", "2147483647"}},
        {RD_TYPE_U64,
         {"0", "1", "18446744073709551615", "18446744073709551614", "9223372036854775808",
          "4294967295"}},
        {RD_TYPE_F32, {"0", "1", "-1", "-2", "8388607", "-8388608"}},
        {RD_TYPE_F64, {"0", "1", "-1", "-2", "4503599627370495", "-4503599627370496"}},
    };
    enum { N = 5, SEEDS = 16 };
    (void)state;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        bool found[6][N] = {{false}};
        for (unsigned seed = 1; seed <= SEEDS; seed++) {
            char spec[32];
            struct rd_values values;
            snprintf(spec, sizeof spec, "edges:%u", seed);
            assert_int_equal(
                rd_values_init(&values, rd_numeric(types[t].type), spec, N, 0, false, NULL), RD_OK);
            assert_string_equal(values.spec, spec);
            for (size_t k = 0; k < 6; k++)
                for (size_t j = 0; j < N; j++)
                    found[k][j] |= is_somewhere(&values, j, types[t].corners[k]);
            rd_values_finish(&values);
        }
        for (size_t k = 0; k < 6; k++)
            for (size_t j = 0; j < N; j++)
                if (!found[k][j])
                    fail_msg("%s: a[%zu] is never %s", rd_numeric(types[t].type)->name, j,
                             types[t].corners[k]);
    }
}

static void test_spec_unknown_names_the_generators(void **state)
{
    (void)state;
    assert_spec_refused(RD_TYPE_I32, "foo", 0, false, RD_ERROR_USAGE,
                        "'foo' is neither a generator (iota, ones, powers, random[:SEED], "
                        "edges[:SEED], marked[:J], list:X,Y,...) nor a "
                        "readable file: No such file or directory");
    assert_spec_refused(RD_TYPE_I32, "iota:5", 0, false, RD_ERROR_USAGE, "'iota:5' is neither");
    assert_spec_refused(RD_TYPE_I32, "", 0, false, RD_ERROR_USAGE, "'' names no values");
}

static void test_list_gives_its_numbers(void **state)
{
    (void)state;
    assert_made(RD_TYPE_I32, "list:7", 1, "7", NULL);
    assert_made(RD_TYPE_I32, "list:3,-1,+4", 3, "3 -1 4", NULL);
    assert_made(RD_TYPE_F64, "list: 0.5 , nan,-inf ,", 3, "0.5 nan -inf", NULL);
    assert_made(RD_TYPE_I32, "list:1,2,3,4", 2, "1 2", "3 4");
}

static void test_list_bad_item_is_refused_by_its_number(void **state)
{
    (void)state;
    assert_spec_refused(RD_TYPE_I32, "list:1,x2,3", 0, false, RD_ERROR_USAGE,
                        "'list:1,x2,3' item 2: 'x2' is not an i32 number");
    assert_spec_refused(RD_TYPE_U32, "list:1,-2", 0, false, RD_ERROR_USAGE,
                        "item 2: '-2' is out of");
    assert_spec_refused(RD_TYPE_I32, "list:1 2#3", 0, false, RD_ERROR_USAGE,
                        "item 2: '2#3' is not");
    assert_spec_refused(RD_TYPE_I32, "list:1,,3", 0, false, RD_ERROR_USAGE,
                        "item 2: a number is missing");
    assert_spec_refused(RD_TYPE_I32, "list:1,#2", 0, false, RD_ERROR_USAGE, "item 2: '#2' is not");
    assert_spec_refused(RD_TYPE_I32, "list:", 0, false, RD_ERROR_USAGE, "'list:' holds no numbers");
}

static void test_list_count_that_does_not_fit_is_refused(void **state)
{
    (void)state;
    assert_spec_refused(RD_TYPE_I32, "list:1,2,3", 8, false, RD_ERROR_USAGE,
                        "holds 3 numbers, but 'n' is 8");
    assert_spec_refused(RD_TYPE_I32, "list:1,2,3,4", 4, true, RD_ERROR_USAGE,
                        "holds 2 numbers for each input, but 'n' is 4");
    assert_spec_refused(RD_TYPE_I32, "list:1,2,3", 0, true, RD_ERROR_USAGE,
                        "holds 3 numbers, an odd count");
}

/* ---- inputs of sizes of their own ---- */

static void assert_two(const char *spec, size_t n_a, size_t n_b, const char *a, const char *b)
{
    struct rd_values values;
    struct rd_error error = {""};
    const struct rd_numeric *numeric = rd_numeric(RD_TYPE_I32);
    assert_status(rd_values_init_two(&values, numeric, spec, n_a, n_b, &error), RD_OK, &error);
    assert_int_equal(values.b != NULL, n_b > 0);
    const char *row = a;
    for (size_t j = 0; j < n_a + n_b; j++) {
        char *end;
        if (j == n_a)
            row = b;
        long wanted = strtol(row, &end, 10);
        assert_ptr_not_equal(end, row);
        row = end;
        const void *cells = j < n_a ? values.a : values.b;
        assert_int_equal((int32_t)numeric->load(cells, j < n_a ? j : j - n_a), wanted);
    }
    assert_int_equal(values.n, n_a);
    rd_values_finish(&values);
}

static void assert_two_refused(const char *spec, size_t n_a, size_t n_b, const char *fragment)
{
    struct rd_values values = untouched();
    struct rd_error error = {""};
    assert_status(rd_values_init_two(&values, rd_numeric(RD_TYPE_I32), spec, n_a, n_b, &error),
                  RD_ERROR_USAGE, &error);
    assert_says(&error, fragment);
    assert_untouched(&values);
}

static void test_two_inputs_of_unlike_sizes_are_given_one_behind_the_other(void **state)
{
    (void)state;
    assert_two("list:1,2,3,4,5", 3, 2, "1 2 3", "4 5");
    assert_two("list:1,2,3,4,5", 2, 3, "1 2", "3 4 5");
    assert_two("list:1,2,3,4", 2, 2, "1 2", "3 4");
    assert_two("list:1,2,3", 3, 0, "1 2 3", "");
    assert_two("iota", 3, 2, "0 1 2", "1 2");
    assert_two("iota", 1, 3, "0", "1 2 3");
    assert_two("iota", 2, 0, "0 1", "");
}

static void test_two_inputs_of_another_count_are_refused(void **state)
{
    (void)state;
    assert_two_refused("list:1,2,3,4", 3, 2,
                       "'list:1,2,3,4' holds 4 numbers, and 5 are needed: give 5, or another 'n'");
    assert_two_refused("list:1,2,3,4", 9, 9, "holds 2 numbers for each input, and 9 are needed");
    assert_two_refused("list:1", 3, 0, "holds 1 number, and 3 are needed");
}

static void test_finish_of_nothing_does_nothing(void **state)
{
    (void)state;
    struct rd_values values = {0};
    rd_values_finish(&values);
    rd_values_finish(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_iota_counts_from_zero_and_b_from_one),
        cmocka_unit_test(test_ones_is_one_in_every_type),
        cmocka_unit_test(test_powers_starts_again_after_the_digits_of_the_type),
        cmocka_unit_test(test_random_u64_is_splitmix64),
        cmocka_unit_test(test_random_narrow_types_come_from_the_same_sequence),
        cmocka_unit_test(test_random_floats_fill_minus_one_to_one),
        cmocka_unit_test(test_random_b_is_a_of_the_inverted_seed),
        cmocka_unit_test(test_spec_is_given_in_full_with_its_seed),
        cmocka_unit_test(test_spec_too_long_is_cut_between_characters),
        cmocka_unit_test(test_generator_given_n_wins_over_the_default),
        cmocka_unit_test(test_generator_many_values_are_each_in_their_place),
        cmocka_unit_test(test_generator_without_values_is_refused),
        cmocka_unit_test(test_generator_beyond_memory_is_refused),
        cmocka_unit_test(test_random_bad_seed_is_refused),
        cmocka_unit_test(test_is_generator_tells_generators_from_data),
        cmocka_unit_test(test_marked_is_one_input_among_identities),
        cmocka_unit_test(test_marked_beyond_the_values_is_refused),
        cmocka_unit_test(test_edges_have_every_corner_at_every_index_in_16_seeds),
        cmocka_unit_test(test_spec_unknown_names_the_generators),
        cmocka_unit_test(test_list_gives_its_numbers),
        cmocka_unit_test(test_list_bad_item_is_refused_by_its_number),
        cmocka_unit_test(test_list_count_that_does_not_fit_is_refused),
        cmocka_unit_test(test_two_inputs_of_unlike_sizes_are_given_one_behind_the_other),
        cmocka_unit_test(test_two_inputs_of_another_count_are_refused),
        cmocka_unit_test(test_finish_of_nothing_does_nothing),
    };
    return cmocka_run_group_tests_name("values", tests, values_set_up, values_tear_down) != 0;
}
