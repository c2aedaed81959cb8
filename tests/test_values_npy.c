// SPDX-License-Identifier: MIT
/* Input values from .npy files: what they may hold, and that whatever else they hold is refused with a
 * message that says where and why. */
#include "values_harness.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

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

/* A long header needs version 2.0. */
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
                          "holds '<i8', the run is i32: use --type i64");
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

/* Reading ends in a status, whichever byte is wrong; the sanitizers watch over the rest. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
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
    };
    return cmocka_run_group_tests_name("values_npy", tests, values_set_up, values_tear_down) != 0;
}
