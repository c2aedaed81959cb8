// SPDX-License-Identifier: MIT
/* SPECs of files: the numbers that each text and each array of NumPy's gives, and how what does not fit is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "element/values_text.h"
#include "spec_harness.h"
#include "temporary.h"

static char folder[TEMPORARY_SIZE], path[TEMPORARY_PATH_SIZE];

static int set_up(void **state)
{
    if (!mkdtemp(temporary_name(folder, "reductio-spec")) || spec_set_up(state) != 0)
        return -1;
    snprintf(path, sizeof path, "%s/in", folder);
    return 0;
}

static int tear_down(void **state)
{
    spec_tear_down(state);
    unlink(path);
    return rmdir(folder);
}

static void write_file(const void *data, size_t size_bytes)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size_bytes, file), size_bytes);
    assert_int_equal(fclose(file), 0);
}

static void assert_file(const char *content, const char *type, size_t count, const char *wanted)
{
    char text[128];
    write_file(content, strlen(content));
    snprintf(text, sizeof text, "%s[%zu]:@%s", type, count, path);
    assert_cells(text, wanted);
}

static void assert_file_refused(const char *content, const char *type, size_t count,
                                const char *words)
{
    char text[128];
    write_file(content, strlen(content));
    snprintf(text, sizeof text, "%s[%zu]:@%s", type, count, path);
    assert_refused(text, &spec_pointer, words);
}

/* ---- text ---- */

static void test_text_keeps_every_bit(void **state)
{
    (void)state;
    assert_file("-9223372036854775808 9223372036854775807", "i64", 2,
                "-9223372036854775808 9223372036854775807");
    assert_file("18446744073709551615,0", "u64", 2, "18446744073709551615 0");
    assert_file("-128\n127 # the ends\n", "i8", 2, "-128 127");
    assert_file("65535 0", "u16", 2, "65535 0");
    assert_file("inf -inf nan -0 1e-45", "f32", 5, "inf -inf nan -0 1e-45");
    assert_file("0.1", "f64", 1, "0.1");
}

static void test_text_out_of_range_is_refused(void **state)
{
    (void)state;
    assert_file_refused("128", "i8", 1, "'128' is out of the range of i8 (-128 to 127)");
    assert_file_refused("256", "u8", 1, "out of the range of u8 (0 to 255)");
    assert_file_refused("-1", "u16", 1, "out of the range of u16 (0 to 65535)");
    assert_file_refused("-32769", "i16", 1, "out of the range of i16");
    assert_file_refused("9223372036854775808", "i64", 1, "out of the range of i64");
    assert_file_refused("18446744073709551616", "u64", 1, "out of the range of u64");
    assert_file_refused("1e39", "f32", 1, "out of the range of f32");
    assert_file_refused("0.5", "i32", 1, "but a float: use f32 or f64");
    assert_file_refused("one", "i32", 1, "'one' is not an i32 number");
}

static void test_file_must_have_as_many_numbers(void **state)
{
    (void)state;
    assert_file_refused("1 2", "i32", 3, "has 2 numbers, and the buffer 3 elements");
    assert_file_refused("1", "i32", 3, "has 1 number, and the buffer 3 elements");
    assert_file_refused("1 2 3 4", "i32", 3, "has 4 numbers, and the buffer 3 elements");
    assert_file_refused("", "i32", 1, "holds no numbers");
    assert_refused("i32[3]:@", &spec_pointer, "'@' names no file");
    assert_refused("i32[3]:@/nonexistent/file", &spec_pointer, "can't be opened: No such file");
    assert_refused("i32[3]:@/", &spec_pointer, "can't be read: Is a directory");
}

/* ---- arrays of NumPy's ---- */

/* An array of version 1.0, whose elements are the bytes 0, 1, 2, ... */
static void write_npy(const char *descr, const char *shape, size_t size_bytes)
{
    unsigned char data[1024] = "\x93NUMPY\x01";
    int length = sprintf((char *)data + 10,
                         "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", descr, shape);
    data[8] = (unsigned char)length;
    for (size_t k = 0; k < size_bytes; k++)
        data[10 + (size_t)length + k] = (unsigned char)k;
    write_file(data, 10 + (size_t)length + size_bytes);
}

static void test_npy_of_every_type_is_read(void **state)
{
    static const char *const descrs[] = {"|i1", "|u1", "<i2", "<u2", "<i4",
                                         "<u4", "<i8", "<u8", "<f4", "<f8"};
    static const unsigned char bytes[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    (void)state;
    for (int k = 0; k < SPEC_TYPES; k++) {
        char text[128];
        size_t size = rd_numeric_of_text(spec_types[k])->size_bytes;
        write_npy(descrs[k], "(2,)", 2 * size);
        snprintf(text, sizeof text, "%s[2]:@%s", spec_types[k], path);
        struct spec_made made;
        spec_make(&made, text, &spec_pointer);
        assert_memory_equal(made.arg->memory, bytes, 2 * size);
        spec_finish(&made);
    }
}

static void test_npy_of_any_shape_and_order_is_read(void **state)
{
    char text[128];
    (void)state;
    snprintf(text, sizeof text, "u16[6]:@%s", path);
    write_npy("<u2", "(2, 1, 3)", 12);
    assert_cells(text, "256 770 1284 1798 2312 2826");
    write_npy(">u2", "(3, 2)", 12);
    assert_cells(text, "1 515 1029 1543 2057 2571");
    snprintf(text, sizeof text, "i8[1]:@%s", path);
    write_npy("|i1", "()", 1);
    assert_cells(text, "0");
}

static void test_npy_that_does_not_fit_is_refused(void **state)
{
    char text[128];
    (void)state;
    snprintf(text, sizeof text, "i64[2]:@%s", path);
    write_npy("<i4", "(2,)", 8);
    assert_refused(text, &spec_pointer, "holds '<i4', the buffer is i64: use i32");
    write_npy("<c8", "(2,)", 16);
    assert_refused(text, &spec_pointer, "the buffer is i64: convert it with .astype('<i8')");
    write_npy("<i8", "(3,)", 24);
    assert_refused(text, &spec_pointer, "has 3 numbers, and the buffer 2 elements");
    write_npy("<i8", "(2,)", 15);
    assert_refused(text, &spec_pointer, "is cut short");
    write_npy("<i8", "(4294967296, 4294967296)", 16);
    assert_refused(text, &spec_pointer, "more than a memory can hold");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_keeps_every_bit),
        cmocka_unit_test(test_text_out_of_range_is_refused),
        cmocka_unit_test(test_file_must_have_as_many_numbers),
        cmocka_unit_test(test_npy_of_every_type_is_read),
        cmocka_unit_test(test_npy_of_any_shape_and_order_is_read),
        cmocka_unit_test(test_npy_that_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down) != 0;
}
