// SPDX-License-Identifier: MIT
/* Input values as text, from files and standard input: whatever else they hold is refused with a
 * message that says where and why. */
#include "values_harness.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

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
    assert_text_taken(RD_TYPE_I64, "-9223372036854775808 9223372036854775807", 2,
                      "-9223372036854775808 9223372036854775807");
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
    assert_text_refused(RD_TYPE_I64, "9223372036854775808", "is out of the range of i64");
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
    assert_text_refused(RD_TYPE_U32, "0x10",
                        "line 1: '0x10' is a whole number in hex, not a u32 number: write 16");
    assert_text_refused(RD_TYPE_F32, "1 0x3f800000", "write 1065353216, or a hex float, as 0x1p0");
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
    assert_spec_refused(RD_TYPE_I32, "/dev/zero", 0, false, RD_ERROR_INPUT,
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
    assert_spec_refused(RD_TYPE_I32, "/nonexistent/nums.txt", 0, false, RD_ERROR_IO,
                        "'/nonexistent/nums.txt' can't be opened: No such file or directory");
    assert_spec_refused(RD_TYPE_I32, "no-such-nums.txt", 0, false, RD_ERROR_IO,
                        "'no-such-nums.txt' can't be opened");
    assert_spec_refused(RD_TYPE_I32, "/dev/null/x", 0, false, RD_ERROR_IO, "Not a directory");
}

static void test_file_that_is_a_directory_is_an_io_error(void **state)
{
    (void)state;
    assert_spec_refused(RD_TYPE_I32, values_folder, 0, false, RD_ERROR_IO,
                        "can't be read: Is a directory");
}

static void test_file_with_odd_name_is_quoted_on_one_line(void **state)
{
    (void)state;
    assert_spec_refused(RD_TYPE_I32, "/a\nb/\xc3\xa6", 0, false, RD_ERROR_IO,
                        "'/a\\x0ab/\xc3\xa6'");
    char path[4000];
    memset(path, '\1', sizeof path);
    path[0] = '/';
    memcpy(path + sizeof path - 5, ".txt", 5);
    assert_spec_refused(RD_TYPE_I32, path, 0, false, RD_ERROR_IO,
                        ".txt' can't be opened: File name");
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
    assert_spec_refused(RD_TYPE_I32, "-", 0, false, RD_ERROR_INPUT,
                        "standard input holds no numbers");

    use_as_stdin(values_folder);
    assert_spec_refused(RD_TYPE_I32, "-", 0, false, RD_ERROR_IO,
                        "standard input can't be read: Is a");
}

static void test_stdin_npy_is_refused_by_name(void **state)
{
    (void)state;
    struct rd_error error = {""};
    struct rd_values values = untouched();
    use_as_stdin(write_file("stdin", "\x93NUMPY\1\0\2\0{}", 12));
    enum rd_status status =
        rd_values_init(&values, rd_numeric(RD_TYPE_I32), "-", 0, 8, false, &error);
    char path[VALUES_PATH_SIZE];
    snprintf(path, sizeof path, "%s/stdin", values_folder);
    unlink(path);
    assert_int_equal(status, RD_ERROR_INPUT);
    assert_says(&error, "standard input is a NumPy file");
    assert_untouched(&values);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
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
    };
    return cmocka_run_group_tests_name("values_text", tests, values_set_up, values_tear_down) != 0;
}
