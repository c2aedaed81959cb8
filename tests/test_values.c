// SPDX-License-Identifier: MIT
/* Input values through the public header: what generators make, what text and .npy files may hold,
 * and that whatever else they hold is refused with a message that says where and why. */
#include "values.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATH_SIZE = 512 };

static char directory[64];

static int make_directory(void **state)
{
    (void)state;
    strcpy(directory, "/tmp/test_values.XXXXXX");
    return mkdtemp(directory) ? 0 : -1;
}

static int remove_directory(void **state)
{
    (void)state;
    return rmdir(directory);
}

/* ---- helpers ---- */

/* A file in the test's directory; one at a time. */
static const char *write_file(const char *name, const void *data, size_t size_bytes)
{
    static char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size_bytes, file), size_bytes);
    assert_int_equal(fclose(file), 0);
    return path;
}

/* Makes a file, takes the values from it and removes it. */
static enum rd_status init_file(struct rd_values *values, enum rd_type type, const char *name,
                                const void *data, size_t size_bytes, size_t n, bool want_b,
                                struct rd_error *error)
{
    const char *path = write_file(name, data, size_bytes);
    enum rd_status status = rd_values_init(values, rd_numeric(type), path, n, 8, want_b, error);
    assert_int_equal(unlink(path), 0);
    return status;
}

static void assert_says(const struct rd_error *error, const char *fragment)
{
    if (!strstr(error->text, fragment))
        fail_msg("no \"%s\" in \"%s\"", fragment, error->text);
    if (strchr(error->text, '\n'))
        fail_msg("more than one line: \"%s\"", error->text);
}

static void assert_status(enum rd_status status, enum rd_status wanted,
                          const struct rd_error *error)
{
    if (status != wanted)
        fail_msg("status %d, not %d: \"%s\"", status, wanted, error->text);
}

/* A values struct in which any write shows. */
static struct rd_values untouched(void)
{
    struct rd_values values;
    memset(&values, 0xa5, sizeof values);
    return values;
}

static void assert_untouched(const struct rd_values *values)
{
    const unsigned char *bytes = (const unsigned char *)values;
    for (size_t i = 0; i < sizeof *values; i++)
        assert_int_equal(bytes[i], 0xa5);
}

static void assert_refused(enum rd_type type, const char *spec, size_t n, bool want_b,
                           enum rd_status wanted, const char *fragment)
{
    struct rd_error error = {""};
    struct rd_values values = untouched();
    enum rd_status status = rd_values_init(&values, rd_numeric(type), spec, n, 8, want_b, &error);
    assert_status(status, wanted, &error);
    assert_untouched(&values);
    assert_says(&error, fragment);
    assert_int_equal(rd_values_init(&values, rd_numeric(type), spec, n, 8, want_b, NULL), wanted);
}

static void assert_file_refused(enum rd_type type, const void *data, size_t size_bytes, size_t n,
                                bool want_b, enum rd_status wanted, const char *fragment)
{
    struct rd_error error = {""};
    struct rd_values values = untouched();
    enum rd_status status = init_file(&values, type, "in", data, size_bytes, n, want_b, &error);
    assert_status(status, wanted, &error);
    assert_untouched(&values);
    assert_says(&error, "/in'");
    assert_says(&error, fragment);
}

static void assert_text_refused(enum rd_type type, const char *text, const char *fragment)
{
    assert_file_refused(type, text, strlen(text), 0, false, RD_ERROR_INPUT, fragment);
}

/* The cells as text, separated by spaces. */
static void assert_cells(const struct rd_numeric *numeric, const void *cells, size_t n,
                         const char *wanted)
{
    char got[1024] = "", value[RD_VALUE_TEXT_SIZE];
    size_t length = 0;
    for (size_t j = 0; j < n; j++) {
        numeric->format(value, numeric->load(cells, j));
        length += (size_t)snprintf(got + length, sizeof got - length, j ? " %s" : "%s", value);
        assert_true(length < sizeof got);
    }
    assert_string_equal(got, wanted);
}

/* Checks a and, unless NULL, b, and finishes the values. */
static void assert_values(struct rd_values *values, enum rd_type type, size_t n, const char *a,
                          const char *b)
{
    assert_ptr_equal(values->numeric, rd_numeric(type));
    assert_int_equal(values->n, n);
    assert_cells(values->numeric, values->a, n, a);
    if (b)
        assert_cells(values->numeric, values->b, n, b);
    else
        assert_null(values->b);
    rd_values_finish(values);
    assert_null(values->a);
    assert_null(values->b);
}

static void assert_made(enum rd_type type, const char *spec, size_t n, const char *a, const char *b)
{
    struct rd_error error = {""};
    struct rd_values values;
    enum rd_status status =
        rd_values_init(&values, rd_numeric(type), spec, 0, n, b != NULL, &error);
    assert_status(status, RD_OK, &error);
    assert_values(&values, type, n, a, b);
}

static void assert_file_taken(enum rd_type type, const void *data, size_t size_bytes, size_t n,
                              const char *a, const char *b)
{
    struct rd_error error = {""};
    struct rd_values values;
    enum rd_status status = init_file(&values, type, "in", data, size_bytes, 0, b != NULL, &error);
    assert_status(status, RD_OK, &error);
    assert_values(&values, type, n, a, b);
}

static void assert_text_taken(enum rd_type type, const char *text, size_t n, const char *a)
{
    assert_file_taken(type, text, strlen(text), n, a, NULL);
}

/* ---- generators ---- */

static void test_iota_counts_from_zero_and_b_from_one(void **state)
{
    (void)state;
    for (enum rd_type type = RD_TYPE_I32; type <= RD_TYPE_F64; type++) {
        assert_made(type, "iota", 1, "0", "1");
        assert_made(type, "iota", 5, "0 1 2 3 4", "1 2 3 4 5");
        assert_made(type, "iota", 3, "0 1 2", NULL);
    }
}

static void test_ones_is_one_in_every_type(void **state)
{
    (void)state;
    for (enum rd_type type = RD_TYPE_I32; type <= RD_TYPE_F64; type++)
        assert_made(type, "ones", 3, "1 1 1", "1 1 1");
}

static void test_powers_starts_again_after_the_digits_of_the_type(void **state)
{
    (void)state;
    static const size_t digits[RD_TYPE_COUNT] = {31, 32, 64, 24, 53};
    for (enum rd_type type = RD_TYPE_I32; type <= RD_TYPE_F64; type++) {
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
    for (enum rd_type type = RD_TYPE_F32; type <= RD_TYPE_F64; type++) {
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
    char path[PATH_SIZE];
    char name[256] = "";
    while (strlen(name) < 240)
        strcat(name, "\xc3\xa6");
    for (int shift = 0; shift < 2; shift++) {
        struct rd_values values;
        snprintf(path, sizeof path, "%s/%s%s", directory, shift ? "x" : "", name);
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
    assert_refused(RD_TYPE_I32, "ones", SIZE_MAX, true, RD_ERROR_MEMORY,
                   "no memory for 1844674407");
    assert_refused(RD_TYPE_U64, "ones", SIZE_MAX / 8 + 2, false, RD_ERROR_MEMORY, "of u64");
    assert_refused(RD_TYPE_I32, "ones", SIZE_MAX / 8 + 1, false, RD_ERROR_MEMORY, "of i32");
}

static void test_random_bad_seed_is_refused(void **state)
{
    (void)state;
    static const char *const specs[] = {"random:",     "random:x",  "random:1x",
                                        "random:-1",   "random:+1", "random: 1",
                                        "random:0x10", "random:1 ", "random:18446744073709551616",
                                        "random:1.5"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        assert_refused(RD_TYPE_I32, specs[i], 0, false, RD_ERROR_USAGE, specs[i]);
        assert_refused(RD_TYPE_I32, specs[i], 0, false, RD_ERROR_USAGE, "seed");
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

static void test_spec_unknown_names_the_generators(void **state)
{
    (void)state;
    assert_refused(RD_TYPE_I32, "foo", 0, false, RD_ERROR_USAGE,
                   "'foo' is neither a generator (iota, ones, powers, random[:SEED]) nor a "
                   "readable file: No such file or directory");
    assert_refused(RD_TYPE_I32, "iota:5", 0, false, RD_ERROR_USAGE, "'iota:5' is neither");
    assert_refused(RD_TYPE_I32, "", 0, false, RD_ERROR_USAGE, "'' names no values");
}

/* ---- lists ---- */

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
    assert_refused(RD_TYPE_I32, "list:1,x2,3", 0, false, RD_ERROR_USAGE,
                   "'list:1,x2,3' item 2: 'x2' is not an i32 number");
    assert_refused(RD_TYPE_U32, "list:1,-2", 0, false, RD_ERROR_USAGE, "item 2: '-2' is out of");
    assert_refused(RD_TYPE_I32, "list:1 2#3", 0, false, RD_ERROR_USAGE, "item 2: '2#3' is not");
    assert_refused(RD_TYPE_I32, "list:1,,3", 0, false, RD_ERROR_USAGE,
                   "item 2: a number is missing");
    assert_refused(RD_TYPE_I32, "list:1,#2", 0, false, RD_ERROR_USAGE, "item 2: '#2' is not");
    assert_refused(RD_TYPE_I32, "list:", 0, false, RD_ERROR_USAGE, "'list:' holds no numbers");
}

static void test_list_count_that_does_not_fit_is_refused(void **state)
{
    (void)state;
    assert_refused(RD_TYPE_I32, "list:1,2,3", 8, false, RD_ERROR_USAGE,
                   "holds 3 numbers, but 'n' is 8");
    assert_refused(RD_TYPE_I32, "list:1,2,3,4", 4, true, RD_ERROR_USAGE,
                   "holds 2 numbers for each input, but 'n' is 4");
    assert_refused(RD_TYPE_I32, "list:1,2,3", 0, true, RD_ERROR_USAGE,
                   "holds 3 numbers, an odd count");
}

/* ---- text ---- */

static void test_text_separators_of_every_kind_are_taken(void **state)
{
    (void)state;
    assert_text_taken(RD_TYPE_I32, "5", 1, "5");
    assert_text_taken(RD_TYPE_I32, "1 2\t3,4\n5", 5, "1 2 3 4 5");
    assert_text_taken(RD_TYPE_I32, "\r\n 1,\r\n 2 ,3\r\n\r\n", 3, "1 2 3");
    assert_text_taken(RD_TYPE_I32, "1\n,2,\n3,\n", 3, "1 2 3");
    assert_text_taken(RD_TYPE_I32, "1\v2\f3", 3, "1 2 3");
    assert_text_taken(RD_TYPE_I32,
                      "\xef\xbb\xbf"
                      "1 2",
                      2, "1 2");
}

static void test_text_comments_are_passed_over(void **state)
{
    (void)state;
    assert_text_taken(RD_TYPE_I32, "# three numbers, 99\n1 2# two\n#\n3 #", 3, "1 2 3");
    /* the line ends of old Macs */
    assert_text_taken(RD_TYPE_I32, "1 # one\r2\r3", 3, "1 2 3");
}

static void test_text_extremes_of_each_type_are_taken(void **state)
{
    (void)state;
    assert_text_taken(RD_TYPE_I32, "-2147483648 2147483647", 2, "-2147483648 2147483647");
    assert_text_taken(RD_TYPE_U32, "0 4294967295", 2, "0 4294967295");
    assert_text_taken(RD_TYPE_U64, "0 18446744073709551615", 2, "0 18446744073709551615");
    assert_text_taken(RD_TYPE_F32, "-3.4028235e38 nan inf -inf -0 .5 1e3", 7,
                      "-3.4028235e+38 nan inf -inf -0 0.5 1000");
    assert_text_taken(RD_TYPE_F64, "1.7976931348623157e308,NaN,Infinity,-INF,1e-400", 5,
                      "1.7976931348623157e+308 nan inf -inf 0");
}

static void test_text_out_of_range_is_refused_as_such(void **state)
{
    (void)state;
    assert_text_refused(RD_TYPE_I32, "1\n2147483648",
                        "/in' line 2: '2147483648' is out of the range of i32 "
                        "(-2147483648 to 2147483647)");
    assert_text_refused(RD_TYPE_I32, "-2147483649", "line 1: '-2147483649' is out of the range");
    assert_text_refused(RD_TYPE_U32, "4294967296", "is out of the range of u32 (0 to 4294967295)");
    assert_text_refused(RD_TYPE_U32, "-1", "'-1' is out of the range of u32");
    assert_text_refused(RD_TYPE_U64, "18446744073709551616", "is out of the range of u64");
    assert_text_refused(RD_TYPE_U64, "-1", "'-1' is out of the range of u64");
    assert_text_refused(RD_TYPE_F32, "1e39", "'1e39' is out of the range of f32 (at most 3.4");
    assert_text_refused(RD_TYPE_F64, "-1e400", "'-1e400' is out of the range of f64 (at most 1.7");
}

static void test_text_float_for_an_integer_type_is_refused(void **state)
{
    (void)state;
    static const char *const floats[] = {"1.5", "1.0", "1e3", "nan", "-inf", ".5", "1."};
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++)
        for (enum rd_type type = RD_TYPE_I32; type <= RD_TYPE_U64; type++)
            assert_text_refused(type, floats[i], "but a float: use --type f32 or f64");
    assert_text_refused(RD_TYPE_I32, "1.5", "'1.5' is not an i32 number");
    assert_text_refused(RD_TYPE_U64, "1.5", "'1.5' is not a u64 number");
}

static void test_text_that_is_no_number_is_refused_by_line(void **state)
{
    (void)state;
    assert_text_refused(RD_TYPE_I32, "1 2\n# 3\nx12 4", "/in' line 3: 'x12' is not an i32 number");
    assert_text_refused(RD_TYPE_I32, "1\r\n2\r\nx", "line 3: 'x' is not");
    assert_text_refused(RD_TYPE_I32, "1\r2\rx", "line 3: 'x' is not");
    assert_text_refused(RD_TYPE_F64, "1\n2x", "line 2: '2x' is not an f64 number");
    assert_text_refused(RD_TYPE_F32, "1;2", "line 1: '1;2' is not an f32 number");
    assert_text_refused(RD_TYPE_U32, "0x10", "line 1: '0x10' is not a u32 number");
    assert_text_refused(RD_TYPE_U32, "+-1", "line 1: '+-1' is not a u32 number");
    assert_text_refused(RD_TYPE_I32, "-", "line 1: '-' is not an i32 number");
    /* a minus sign that is none */
    assert_text_refused(RD_TYPE_I32,
                        "\xe2\x88\x92"
                        "5",
                        "'\\xe2\\x88\\x925' is not");
}

static void test_text_long_token_is_quoted_without_its_middle(void **state)
{
    (void)state;
    char text[5001],
        wanted[] = "'aaaaaaaaaaaaaaaaaaaa...aaaaaaaaaaaaaaaaaaab' is not an i32 number";
    memset(text, 'a', sizeof text);
    memcpy(text + 4999, "b", 2);
    assert_text_refused(RD_TYPE_I32, text, wanted);
    assert_text_refused(RD_TYPE_I32, text + 4960, "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab' is");
}

static void test_text_missing_number_is_refused(void **state)
{
    (void)state;
    assert_text_refused(RD_TYPE_I32, "1,2\n3,,4", "line 2: a number is missing before ','");
    assert_text_refused(RD_TYPE_I32, ",1", "line 1: a number is missing");
    assert_text_refused(RD_TYPE_I32, "1,\n,2", "line 2: a number is missing");
    assert_text_refused(RD_TYPE_I32, ",", "line 1: a number is missing");
}

static void test_text_without_numbers_is_refused(void **state)
{
    (void)state;
    assert_text_refused(RD_TYPE_I32, "", "holds no numbers");
    assert_text_refused(RD_TYPE_I32, " \n\t\r\n", "holds no numbers");
    assert_text_refused(RD_TYPE_I32, "# 1 2 3", "holds no numbers");
    assert_text_refused(RD_TYPE_I32, "\xef\xbb\xbf", "holds no numbers");
}

static void test_text_with_nul_is_refused_as_binary(void **state)
{
    (void)state;
    assert_file_refused(RD_TYPE_I32, "1\n2\0003", 5, 0, false, RD_ERROR_INPUT,
                        "line 2 has a NUL byte, so this is not text");
    assert_file_refused(RD_TYPE_I32, "\177ELF\2\1\1\0", 8, 0, false, RD_ERROR_INPUT,
                        "line 1 has a NUL byte");
    assert_file_refused(RD_TYPE_I32, "", 1, 0, false, RD_ERROR_INPUT, "line 1 has a NUL byte");
}

/* A device of zeros never ends: it must be given up at the first of them. */
static void test_text_from_endless_zeros_is_refused(void **state)
{
    (void)state;
    assert_refused(RD_TYPE_I32, "/dev/zero", 0, false, RD_ERROR_INPUT,
                   "'/dev/zero' line 1 has a NUL byte");
}

/* More than is read at once, and a NUL behind that. */
static void test_text_of_many_chunks_is_read_whole(void **state)
{
    (void)state;
    enum { N = 700000 };
    char *text = malloc(4 * N + 1);
    assert_non_null(text);
    for (size_t j = 0; j < N; j++)
        memcpy(text + 4 * j, j % 10 == 9 ? "-77\n" : "123,", 4);

    struct rd_values values;
    struct rd_error error;
    assert_status(init_file(&values, RD_TYPE_I32, "in", text, 4 * N, N, false, &error), RD_OK,
                  &error);
    for (size_t j = 0; j < N; j++)
        assert_true(((int32_t *)values.a)[j] == (j % 10 == 9 ? -77 : 123));
    rd_values_finish(&values);

    text[4 * N] = '\0';
    assert_file_refused(RD_TYPE_I32, text, 4 * N + 1, 0, false, RD_ERROR_INPUT,
                        "line 70001 has a NUL byte");
    free(text);
}

static void test_text_with_b_is_split_in_halves(void **state)
{
    (void)state;
    assert_file_taken(RD_TYPE_I32, "1 2 3\n4 5 6\n", 12, 3, "1 2 3", "4 5 6");
    assert_file_taken(RD_TYPE_F32, "1 2", 3, 1, "1", "2");
    assert_file_refused(RD_TYPE_I32, "1 2 3", 5, 0, true, RD_ERROR_INPUT,
                        "3 numbers, an odd count");
    assert_file_refused(RD_TYPE_I32, "1", 1, 0, true, RD_ERROR_INPUT, "1 numbers, an odd count");
}

static void test_text_count_other_than_n_is_refused(void **state)
{
    (void)state;
    assert_file_refused(RD_TYPE_I32, "1 2 3", 5, 4, false, RD_ERROR_USAGE,
                        "holds 3 numbers, but 'n' is 4: leave 'n' out, or give 3");
    assert_file_refused(RD_TYPE_I32, "1 2 3 4", 7, 4, true, RD_ERROR_USAGE,
                        "holds 2 numbers for each input, but 'n' is 4");
    struct rd_values values;
    assert_int_equal(init_file(&values, RD_TYPE_I32, "in", "1 2 3", 5, 3, false, NULL), RD_OK);
    rd_values_finish(&values);
}

/* ---- files and standard input ---- */

static void test_file_missing_is_an_io_error(void **state)
{
    (void)state;
    assert_refused(RD_TYPE_I32, "/nonexistent/nums.txt", 0, false, RD_ERROR_IO,
                   "'/nonexistent/nums.txt' cannot be opened: No such file or directory");
    assert_refused(RD_TYPE_I32, "no-such-nums.txt", 0, false, RD_ERROR_IO,
                   "'no-such-nums.txt' cannot be opened");
    assert_refused(RD_TYPE_I32, "/dev/null/x", 0, false, RD_ERROR_IO, "Not a directory");
}

static void test_file_that_is_a_directory_is_an_io_error(void **state)
{
    (void)state;
    assert_refused(RD_TYPE_I32, directory, 0, false, RD_ERROR_IO, "cannot be read: Is a directory");
}

static void test_file_with_odd_name_is_quoted_on_one_line(void **state)
{
    (void)state;
    assert_refused(RD_TYPE_I32, "/a\nb/\xc3\xa6", 0, false, RD_ERROR_IO, "'/a\\x0ab/\xc3\xa6'");
    char path[4000];
    memset(path, '\1', sizeof path);
    path[0] = '/';
    memcpy(path + sizeof path - 5, ".txt", 5);
    assert_refused(RD_TYPE_I32, path, 0, false, RD_ERROR_IO, ".txt' cannot be opened: File name");
}

static void use_as_stdin(const char *path)
{
    assert_non_null(freopen(path, "rb", stdin));
}

static void test_stdin_text_is_taken(void **state)
{
    (void)state;
    struct rd_values values;
    const char *path = write_file("stdin", "4 5 # x\n6", 9);
    use_as_stdin(path);
    enum rd_status status =
        rd_values_init(&values, rd_numeric(RD_TYPE_I32), "-", 0, 8, false, NULL);
    unlink(path);
    assert_int_equal(status, RD_OK);
    assert_string_equal(values.spec, "-");
    assert_values(&values, RD_TYPE_I32, 3, "4 5 6", NULL);
}

static void test_stdin_errors_name_standard_input(void **state)
{
    (void)state;
    struct rd_values values = untouched();
    struct rd_error error = {""};
    const char *path = write_file("stdin", "4\nx", 3);
    use_as_stdin(path);
    unlink(path);
    assert_int_equal(rd_values_init(&values, rd_numeric(RD_TYPE_I32), "-", 0, 8, false, &error),
                     RD_ERROR_INPUT);
    assert_says(&error, "standard input line 2: 'x' is not an i32 number");
    assert_untouched(&values);

    /* it has been read to its end */
    assert_refused(RD_TYPE_I32, "-", 0, false, RD_ERROR_INPUT, "standard input holds no numbers");

    use_as_stdin(directory);
    assert_refused(RD_TYPE_I32, "-", 0, false, RD_ERROR_IO, "standard input cannot be read: Is a");
}

static void test_stdin_npy_is_refused_by_name(void **state)
{
    (void)state;
    struct rd_error error = {""};
    struct rd_values values = untouched();
    use_as_stdin(write_file("stdin", "\x93NUMPY\1\0\2\0{}", 12));
    enum rd_status status =
        rd_values_init(&values, rd_numeric(RD_TYPE_I32), "-", 0, 8, false, &error);
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/stdin", directory);
    unlink(path);
    assert_int_equal(status, RD_ERROR_INPUT);
    assert_says(&error, "standard input is a NumPy file");
    assert_untouched(&values);
}

/* ---- .npy ---- */

/* A .npy file in memory. */
struct npy {
    unsigned char bytes[70000];
    size_t size;
};

/* Without numpy's padding, which no reader needs. */
static const struct npy *npy(unsigned major, const char *header, const void *data,
                             size_t size_bytes)
{
    static struct npy out;
    size_t length = strlen(header);
    memcpy(out.bytes, "\x93NUMPY", 6);
    out.bytes[6] = (unsigned char)major;
    out.bytes[7] = 0;
    size_t start = major == 1 ? 10 : 12;
    for (size_t i = 8; i < start; i++)
        out.bytes[i] = (unsigned char)(length >> 8 * (i - 8));
    assert_true(start + length + size_bytes <= sizeof out.bytes);
    memcpy(out.bytes + start, header, length);
    memcpy(out.bytes + start + length, data, size_bytes);
    out.size = start + length + size_bytes;
    return &out;
}

#define HEADER(descr, fortran, shape)                                                              \
    "{'descr': '" descr "', 'fortran_order': " fortran ", 'shape': " shape ", }\n"

static const unsigned char little_i32[] = {1, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff,
                                           3, 2, 1, 0, 4,    0,    0,    0};
static const unsigned char big_i32[] = {0, 0, 0, 1, 0xff, 0xff, 0xff, 0xfe, 0, 1, 2, 3, 0, 0, 0, 4};

static void assert_npy_taken(enum rd_type type, const struct npy *file, size_t n, const char *a,
                             const char *b)
{
    assert_file_taken(type, file->bytes, file->size, n, a, b);
}

static void assert_npy_refused(enum rd_type type, const struct npy *file, bool want_b,
                               const char *fragment)
{
    assert_file_refused(type, file->bytes, file->size, 0, want_b, RD_ERROR_INPUT, fragment);
}

static void assert_header_refused(const char *header, const char *fragment)
{
    assert_npy_refused(RD_TYPE_I32, npy(1, header, little_i32, 16), false, fragment);
}

/* Byte for byte what numpy.save writes for np.array([1.5, -2.0]), padded to 128 bytes. */
static void test_npy_as_numpy_writes_it_is_taken(void **state)
{
    (void)state;
    char file[128 + 16];
    memset(file, ' ', 128);
    static const char dict[] = "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }";
    memcpy(file, "\x93NUMPY\1\0v\0", 10);
    memcpy(file + 10, dict, sizeof dict - 1);
    file[127] = '\n';
    memcpy(file + 128, "\0\0\0\0\0\0\xf8\x3f\0\0\0\0\0\0\0\xc0", 16);
    assert_file_taken(RD_TYPE_F64, file, sizeof file, 2, "1.5 -2", NULL);
}

static void test_npy_versions_one_to_three_are_taken(void **state)
{
    (void)state;
    for (unsigned major = 1; major <= 3; major++)
        assert_npy_taken(RD_TYPE_I32, npy(major, HEADER("<i4", "False", "(4,)"), little_i32, 16), 4,
                         "1 -2 66051 4", NULL);
}

/* What version 2.0 is for. */
static void test_npy_header_above_64_kib_is_taken(void **state)
{
    (void)state;
    static char header[66000];
    memset(header, ' ', sizeof header - 1);
    memcpy(header, HEADER("<i4", "False", "(1,)"), strlen(HEADER("<i4", "False", "(1,)")) - 1);
    assert_npy_taken(RD_TYPE_I32, npy(2, header, little_i32, 4), 1, "1", NULL);
}

static void test_npy_version_unknown_is_refused(void **state)
{
    (void)state;
    struct npy file = *npy(4, HEADER("<i4", "False", "(4,)"), little_i32, 16);
    assert_npy_refused(RD_TYPE_I32, &file, false, "is in .npy version 4.0: only 1.0, 2.0 and 3.0");
    file.bytes[6] = 0;
    assert_npy_refused(RD_TYPE_I32, &file, false, "version 0.0");
    file.bytes[6] = 1;
    file.bytes[7] = 1;
    assert_npy_refused(RD_TYPE_I32, &file, false, "version 1.1");
}

static void test_npy_both_byte_orders_are_taken(void **state)
{
    (void)state;
    assert_npy_taken(RD_TYPE_I32, npy(1, HEADER("<i4", "False", "(4,)"), little_i32, 16), 4,
                     "1 -2 66051 4", NULL);
    assert_npy_taken(RD_TYPE_I32, npy(1, HEADER(">i4", "False", "(4,)"), big_i32, 16), 4,
                     "1 -2 66051 4", NULL);
    assert_npy_taken(RD_TYPE_U32, npy(1, HEADER(">u4", "False", "(2,)"), big_i32, 8), 2,
                     "1 4294967294", NULL);
    assert_npy_taken(RD_TYPE_U64, npy(1, HEADER(">u8", "False", "(1,)"), big_i32, 8), 1,
                     "8589934590", NULL);
    assert_npy_taken(RD_TYPE_U64, npy(1, HEADER("<u8", "False", "(1,)"), big_i32 + 8, 8), 1,
                     "288230376202174720", NULL);
    assert_npy_taken(
        RD_TYPE_F32,
        npy(1, HEADER(">f4", "False", "(3,)"), "\x3f\xc0\0\0\x7f\xc0\0\0\xff\x80\0\0", 12), 3,
        "1.5 nan -inf", NULL);
    assert_npy_taken(RD_TYPE_F64, npy(1, HEADER(">f8", "False", "(1,)"), "\x3f\xf8\0\0\0\0\0\0", 8),
                     1, "1.5", NULL);
}

static void test_npy_header_written_otherwise_is_taken(void **state)
{
    (void)state;
    static const char *const headers[] = {
        "{'shape':(4,),'fortran_order':False,'descr':'<i4'}",
        "{\"descr\" : \"<i4\" , \"shape\" : ( 4 , ) , \"fortran_order\" : False , } \n",
        " { 'fortran_order': False, 'descr': '<i4', 'shape': (4,) }  \r\n\t",
    };
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        assert_npy_taken(RD_TYPE_I32, npy(1, headers[i], little_i32, 16), 4, "1 -2 66051 4", NULL);
}

static void test_npy_of_another_type_is_refused_by_both_names(void **state)
{
    (void)state;
    const struct npy *f8 = npy(1, HEADER("<f8", "False", "(2,)"), little_i32, 16);
    assert_npy_refused(RD_TYPE_F32, f8, false, "/in' holds '<f8', the run is f32: use --type f64");
    assert_npy_refused(RD_TYPE_I32, f8, false, "holds '<f8', the run is i32: use --type f64");
    assert_header_refused(HEADER(">u4", "False", "(4,)"),
                          "holds '>u4', the run is i32: use --type u32");
    assert_header_refused(HEADER("<i8", "False", "(2,)"),
                          "holds '<i8', the run is i32: convert it with .astype('");
    assert_header_refused(HEADER("|b1", "False", "(16,)"), "holds '|b1', the run is i32");
    assert_header_refused(HEADER("<i44", "False", "(4,)"), "holds '<i44', the run is i32");
    assert_header_refused(HEADER("i4", "False", "(4,)"), "holds 'i4', the run is i32");
    assert_header_refused(HEADER("", "False", "(4,)"), "holds '', the run is i32");
    assert_header_refused(HEADER("=i4", "False", "(4,)"), "holds '=i4', which gives no byte order");
    assert_header_refused("{'descr': [('x', '<i4')], 'fortran_order': False, 'shape': (4,)}",
                          "a plain type in quotes expected, found '[('x', '<i4')]");
}

static void test_npy_in_fortran_order_is_refused(void **state)
{
    (void)state;
    assert_header_refused(HEADER("<i4", "True", "(4,)"), "is in Fortran order (shape '(4,)')");
    assert_npy_refused(RD_TYPE_I32, npy(1, HEADER("<i4", "True", "(2, 2)"), little_i32, 16), true,
                       "is in Fortran order (shape '(2, 2)')");
}

static void test_npy_with_b_takes_two_rows_or_two_halves(void **state)
{
    (void)state;
    assert_npy_taken(RD_TYPE_I32, npy(1, HEADER("<i4", "False", "(2, 2)"), little_i32, 16), 2,
                     "1 -2", "66051 4");
    assert_npy_taken(RD_TYPE_I32, npy(1, HEADER("<i4", "False", "(2, 1,)"), little_i32, 8), 1, "1",
                     "-2");
    assert_npy_taken(RD_TYPE_I32, npy(1, HEADER("<i4", "False", "(4,)"), little_i32, 16), 2, "1 -2",
                     "66051 4");
    assert_npy_refused(RD_TYPE_I32, npy(1, HEADER("<i4", "False", "(3,)"), little_i32, 12), true,
                       "holds 3 numbers, an odd count");
}

static void test_npy_of_another_shape_is_refused(void **state)
{
    (void)state;
    assert_header_refused(HEADER("<i4", "False", "(2, 2)"),
                          "has the shape '(2, 2)': give an array of one dimension");
    assert_header_refused(HEADER("<i4", "False", "(1, 4)"), "has the shape '(1, 4)'");
    assert_header_refused(HEADER("<i4", "False", "()"), "has the shape '()'");
    assert_header_refused(HEADER("<i4", "False", "(0,)"), "has the shape '(0,)', no numbers");
    static const char *const headers[] = {
        HEADER("<i4", "False", "(1, 4)"),
        HEADER("<i4", "False", "(4, 1)"),
        HEADER("<i4", "False", "(2, 2, 1)"),
        HEADER("<i4", "False", "()"),
    };
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        assert_npy_refused(RD_TYPE_I32, npy(1, headers[i], little_i32, 16), true,
                           "give an array of one dimension, or of two rows");
    assert_npy_refused(RD_TYPE_I32, npy(1, HEADER("<i4", "False", "(2, 0)"), "", 0), true,
                       "has the shape '(2, 0)', no numbers");
}

static void test_npy_shape_beyond_memory_is_refused(void **state)
{
    (void)state;
    assert_header_refused(HEADER("<i4", "False", "(18446744073709551616,)"), "a size below 2^64");
    assert_header_refused(HEADER("<i4", "False", "(99999999999999999999999,)"),
                          "a size below 2^64");
    /* in bytes 2^64 + 16, which is 16 modulo 2^64: the size of the data that is there */
    assert_header_refused(HEADER("<i4", "False", "(4611686018427387908,)"),
                          "more than a memory can hold");
    assert_header_refused(HEADER("<i4", "False", "(2305843009213693952,)"),
                          "more than a memory can hold");
    /* 2 * (2^63 + 2) is 4 modulo 2^64 */
    assert_npy_refused(RD_TYPE_I32,
                       npy(1, HEADER("<i4", "False", "(2, 9223372036854775810)"), little_i32, 16),
                       true, "more than a memory can hold");
    /* could be held, but is not there */
    assert_header_refused(HEADER("<i4", "False", "(1000000000000000,)"),
                          "it ends after 16 of the 4000000000000000 bytes of its 1000000000000000");
}

static void test_npy_count_other_than_n_is_refused(void **state)
{
    (void)state;
    const struct npy *file = npy(1, HEADER("<i4", "False", "(4,)"), little_i32, 16);
    assert_file_refused(RD_TYPE_I32, file->bytes, file->size, 8, false, RD_ERROR_USAGE,
                        "holds 4 numbers, but 'n' is 8");
}

/* Cut after each of its bytes, a file is refused and never read past its end. */
static void test_npy_cut_anywhere_is_refused(void **state)
{
    (void)state;
    for (unsigned major = 1; major <= 2; major++) {
        const struct npy *file = npy(major, HEADER("<i4", "False", "(4,)"), little_i32, 16);
        size_t data = file->size - 16;
        for (size_t size = 1; size < file->size; size++) {
            char wanted[80];
            if (size < data)
                snprintf(wanted, sizeof wanted, "within its .npy header, after %zu bytes", size);
            else
                snprintf(wanted, sizeof wanted,
                         "it ends after %zu of the 16 bytes of its 4 numbers", size - data);
            assert_file_refused(RD_TYPE_I32, file->bytes, size, 0, false, RD_ERROR_INPUT, wanted);
        }
    }
}

static void test_npy_with_bytes_left_over_is_refused(void **state)
{
    (void)state;
    assert_header_refused(HEADER("<i4", "False", "(3,)"),
                          "has bytes left over after its 3 numbers (12 bytes)");
    assert_npy_refused(RD_TYPE_I32, npy(1, HEADER("<i4", "False", "(4,)"), "12345678901234567", 17),
                       false, "has bytes left over after its 4 numbers");
}

static void test_npy_bad_header_is_refused_at_its_place(void **state)
{
    (void)state;
    static const struct {
        const char *header, *fragment;
    } cases[] = {
        {"", "'{' expected, found ''"},
        {"\n", "'{' expected"},
        {"[1, 2]", "'{' expected, found '[1, 2]'"},
        {"{", "a key in quotes expected, found ''"},
        {"{}", "'descr' is missing"},
        {"{,}", "a key in quotes expected"},
        {"{descr: '<i4'}", "a key in quotes expected, found 'descr: "},
        {"{'descr", "a key in quotes expected, found ''descr'"},
        {"{'descr' '<i4'}", "':' expected, found ''<i4'}'"},
        {"{'descr': '<i4}", "a plain type in quotes expected"},
        {"{'descr': \"<\\i4\"}", "a plain type in quotes expected"},
        {"{'descr': 4}", "a plain type in quotes expected, found '4}'"},
        {"{'descr': '<\\i4'}", "a plain type in quotes expected"},
        {"{'descr': '<i4' 'shape': (4,)}", "',' or '}' expected, found ''shape'"},
        {"{'descr': '<i4', 'fortran_order': False}", "'shape' is missing"},
        {"{'descr': '<i4', 'shape': (4,)}", "'fortran_order' is missing"},
        {"{'fortran_order': False, 'shape': (4,)}", "'descr' is missing"},
        {"{'fortran_order': 0}", "True or False expected, found '0}'"},
        {"{'fortran_order': false}", "True or False expected"},
        {"{'fortran_order': Falsehood}", "',' or '}' expected"},
        {"{'shape': 4}", "a tuple as 'shape' expected"},
        {"{'shape': [4]}", "a tuple as 'shape' expected"},
        {"{'shape': (4)}", "a tuple as 'shape', such as (8,), expected"},
        {"{'shape': (4", "',' or ')' expected, found ''"},
        {"{'shape': (4 4)}", "',' or ')' expected, found '4)}'"},
        {"{'shape': (,)}", "a size expected, found ',)}'"},
        {"{'shape': (-4,)}", "a size expected, found '-4,)}'"},
        {"{'shape': (4.0,)}", "',' or ')' expected, found '.0,)}'"},
        {"{'extra': 1}", "'descr', 'fortran_order' or 'shape' expected, found ''extra'"},
        {"{'descr2': '<i4'}", "'descr', 'fortran_order' or 'shape' expected"},
        {"{'desc': '<i4'}", "'descr', 'fortran_order' or 'shape' expected"},
        {"{'descr': '<i4', 'descr': '<i4'}", "one 'descr' expected"},
        {"{'shape': (4,), 'shape': (4,)}", "one 'shape' expected"},
        {"{'fortran_order': False, 'fortran_order': False}", "one 'fortran_order' expected"},
        {HEADER("<i4", "False", "(4,)") "x", "nothing behind '}' expected, found 'x'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_header_refused(cases[i].header, cases[i].fragment);
}

static void test_npy_header_with_nul_is_refused(void **state)
{
    (void)state;
    struct npy file = *npy(1, HEADER("<i4", "False", "(4,)"), little_i32, 16);
    for (size_t i = 10; i < file.size - 16; i++) {
        unsigned char kept = file.bytes[i];
        file.bytes[i] = 0;
        assert_npy_refused(RD_TYPE_I32, &file, false, "text without a NUL byte expected");
        file.bytes[i] = kept;
    }
}

/* Whatever byte is wrong, reading ends in a status; the sanitizers watch over the rest. */
static void test_npy_with_any_byte_changed_never_crashes(void **state)
{
    (void)state;
    struct npy file = *npy(1, HEADER("<i4", "False", "(4,)"), little_i32, 16);
    static const unsigned char flips[] = {0x01, 0x02, 0x10, 0x80, 0xff};
    for (size_t i = 0; i < file.size; i++)
        for (size_t k = 0; k < sizeof flips; k++) {
            struct rd_values values = untouched();
            struct rd_error error = {""};
            file.bytes[i] ^= flips[k];
            if (init_file(&values, RD_TYPE_I32, "in", file.bytes, file.size, 0, false, &error)) {
                assert_untouched(&values);
                assert_says(&error, "/in'");
            } else {
                assert_int_equal(values.n, 4);
                rd_values_finish(&values);
            }
            file.bytes[i] ^= flips[k];
        }
}

/* A pipe can't be rewound after a look at the magic. */
static void test_file_that_is_a_pipe_is_taken(void **state)
{
    (void)state;
    const struct npy *file = npy(1, HEADER("<i4", "False", "(4,)"), little_i32, 16);
    const void *const contents[] = {"1 -2 66051 4", file->bytes};
    const size_t sizes[] = {12, file->size};
    for (int i = 0; i < 2; i++) {
        int ends[2];
        char path[64];
        struct rd_values values;
        struct rd_error error = {""};
        assert_int_equal(pipe(ends), 0);
        assert_int_equal(write(ends[1], contents[i], sizes[i]), sizes[i]);
        close(ends[1]);
        snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
        enum rd_status status =
            rd_values_init(&values, rd_numeric(RD_TYPE_I32), path, 0, 8, false, &error);
        close(ends[0]);
        assert_status(status, RD_OK, &error);
        assert_values(&values, RD_TYPE_I32, 4, "1 -2 66051 4", NULL);
    }
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
        cmocka_unit_test(test_spec_unknown_names_the_generators),
        cmocka_unit_test(test_list_gives_its_numbers),
        cmocka_unit_test(test_list_bad_item_is_refused_by_its_number),
        cmocka_unit_test(test_list_count_that_does_not_fit_is_refused),
        cmocka_unit_test(test_text_separators_of_every_kind_are_taken),
        cmocka_unit_test(test_text_comments_are_passed_over),
        cmocka_unit_test(test_text_extremes_of_each_type_are_taken),
        cmocka_unit_test(test_text_out_of_range_is_refused_as_such),
        cmocka_unit_test(test_text_float_for_an_integer_type_is_refused),
        cmocka_unit_test(test_text_that_is_no_number_is_refused_by_line),
        cmocka_unit_test(test_text_long_token_is_quoted_without_its_middle),
        cmocka_unit_test(test_text_missing_number_is_refused),
        cmocka_unit_test(test_text_without_numbers_is_refused),
        cmocka_unit_test(test_text_with_nul_is_refused_as_binary),
        cmocka_unit_test(test_text_from_endless_zeros_is_refused),
        cmocka_unit_test(test_text_of_many_chunks_is_read_whole),
        cmocka_unit_test(test_text_with_b_is_split_in_halves),
        cmocka_unit_test(test_text_count_other_than_n_is_refused),
        cmocka_unit_test(test_file_missing_is_an_io_error),
        cmocka_unit_test(test_file_that_is_a_directory_is_an_io_error),
        cmocka_unit_test(test_file_with_odd_name_is_quoted_on_one_line),
        cmocka_unit_test(test_stdin_text_is_taken),
        cmocka_unit_test(test_stdin_errors_name_standard_input),
        cmocka_unit_test(test_stdin_npy_is_refused_by_name),
        cmocka_unit_test(test_npy_as_numpy_writes_it_is_taken),
        cmocka_unit_test(test_npy_versions_one_to_three_are_taken),
        cmocka_unit_test(test_npy_header_above_64_kib_is_taken),
        cmocka_unit_test(test_npy_version_unknown_is_refused),
        cmocka_unit_test(test_npy_both_byte_orders_are_taken),
        cmocka_unit_test(test_npy_header_written_otherwise_is_taken),
        cmocka_unit_test(test_npy_of_another_type_is_refused_by_both_names),
        cmocka_unit_test(test_npy_in_fortran_order_is_refused),
        cmocka_unit_test(test_npy_with_b_takes_two_rows_or_two_halves),
        cmocka_unit_test(test_npy_of_another_shape_is_refused),
        cmocka_unit_test(test_npy_shape_beyond_memory_is_refused),
        cmocka_unit_test(test_npy_count_other_than_n_is_refused),
        cmocka_unit_test(test_npy_cut_anywhere_is_refused),
        cmocka_unit_test(test_npy_with_bytes_left_over_is_refused),
        cmocka_unit_test(test_npy_bad_header_is_refused_at_its_place),
        cmocka_unit_test(test_npy_header_with_nul_is_refused),
        cmocka_unit_test(test_npy_with_any_byte_changed_never_crashes),
        cmocka_unit_test(test_file_that_is_a_pipe_is_taken),
        cmocka_unit_test(test_finish_of_nothing_does_nothing),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory) != 0;
}
