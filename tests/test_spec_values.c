// SPDX-License-Identifier: MIT
/* SPECs of values: what each gives by the parameter's type, and how each bad one is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "device/sim/memory/memory.h"
#include "spec_harness.h"

static uint64_t value_of(const char *text, char kind, unsigned size)
{
    const struct rd_file_parameter parameter = {kind, 0, size, 0, NULL};
    uint64_t bits = 0;
    struct spec_made made;
    spec_make(&made, text, &parameter);
    memcpy(&bits, rd_check_arg_value(made.arg), size);
    spec_finish(&made);
    return bits;
}

static void test_numbers_are_taken_to_the_ends_of_their_types(void **state)
{
    float single;
    double wide;
    (void)state;
    assert_int_equal(value_of("-128", 'i', 1), 0x80);
    assert_int_equal(value_of("0xff", 'i', 1), 0xff);
    assert_int_equal(value_of("65535", 'u', 2), 0xffff);
    assert_int_equal(value_of("010", 'i', 4), 10);
    assert_int_equal(value_of("-2147483648", 'i', 4), 0x80000000);
    assert_int_equal(value_of("0xFFFFFFFF", 'i', 4), 0xffffffff);
    assert_true(value_of("18446744073709551615", 'u', 8) == UINT64_MAX);
    assert_true(value_of("-9223372036854775808", 'i', 8) == (uint64_t)1 << 63);
    assert_int_equal(value_of("true", 'b', 1), 1);
    assert_int_equal(value_of("0", 'b', 1), 0);
    uint32_t low = (uint32_t)value_of("0.5", 'f', 4);
    memcpy(&single, &low, sizeof single);
    assert_true(single == 0.5f);
    uint64_t bits = value_of("-inf", 'f', 8);
    memcpy(&wide, &bits, sizeof wide);
    assert_true(wide < -1e308);
}

static void assert_value_refused(const char *text, char kind, unsigned size, const char *words)
{
    const struct rd_file_parameter parameter = {kind, 0, size, 0, NULL};
    assert_refused(text, &parameter, words);
}

static void test_bad_numbers_are_refused(void **state)
{
    (void)state;
    assert_value_refused("128", 'i', 1,
                         "'128' is out of the range of parameter 0 ('a'), of type i8 (-128");
    assert_value_refused("0x100", 'u', 1,
                         "is out of the range of parameter 0 ('a'), of type u8 (0 to");
    assert_value_refused("-1", 'u', 4,
                         "is out of the range of parameter 0 ('a'), of type u32 (0 to");
    assert_value_refused("2147483648", 'i', 4, "is out of the range");
    assert_value_refused("18446744073709551616", 'u', 8, "is out of the range");
    assert_value_refused("1.5", 'i', 4, "'1.5' is no whole number");
    assert_value_refused("", 'i', 4, "'' is no whole number");
    assert_value_refused(" 1", 'i', 4, "' 1' is no whole number");
    assert_value_refused("1x", 'i', 4, "'1x' is no whole number");
    assert_value_refused("", 'f', 4, "'' is no number");
    assert_value_refused("half", 'f', 8, "'half' is no number");
    assert_value_refused("1e39", 'f', 4, "is out of the range of parameter 0 ('a'), of type f32");
    assert_value_refused("2", 'b', 1, "for parameter 0 ('a'), a bool: write 0 or 1");
}

static void test_hex_of_a_float_says_whether_it_is_its_bits(void **state)
{
    (void)state;
    assert_int_equal(value_of("bits:0x3f800000", 'f', 4), 0x3f800000);
    assert_true(value_of("bits:0x3ff0000000000000", 'f', 8) == (uint64_t)0x3ff << 52);
    assert_int_equal(value_of("bits:0xffffffff", 'i', 4), 0xffffffff);
    assert_int_equal(value_of("0x1p0", 'f', 4), 0x3f800000);
    assert_int_equal(value_of("0x1.8", 'f', 4), 0x3fc00000);
    assert_value_refused("0x3f800000", 'f', 4,
                         "is a whole number in hex, and parameter 0 ('a') is of type f32: write "
                         "bits:0x3f800000 for its bits, or 1065353216 for the number");
    assert_value_refused("0X10", 'f', 8, "or 16 for the number");
    assert_value_refused("bits:0x3f80000000", 'f', 4, "as bits:0x00000000");
    assert_value_refused("bits:1.0", 'f', 4, "write its bits in hex");
}

static void test_structs_are_bytes(void **state)
{
    (void)state;
    assert_int_equal(value_of("0x0102030a", 's', 4), 0x0a030201);
    assert_value_refused(
        "0x0102", 's', 4,
        "a struct of 4 bytes: write {MEMBER=SPEC, ...}, or its bytes in hex, 0x and 8");
    assert_value_refused("01020304", 's', 4, "a struct of 4 bytes");
    assert_value_refused("0x0102030g", 's', 4, "a struct of 4 bytes");
    assert_value_refused("0x00", 's', 5000, "is a struct of 5000 bytes; at most 4096 are taken");
    /* A number wider than any type of CUDA's own. */
    assert_value_refused("1", 'i', 16, "a struct of 16 bytes");
}

static void test_pointers_may_be_stray(void **state)
{
    bool inside;
    (void)state;
    assert_int_equal(value_of("0", 'p', 8), 0);
    assert_int_equal(value_of("0x1000", 'p', 8), 0x1000);
    assert_value_refused("7", 'p', 8,
                         "'7' is no buffer, and parameter 0 ('a') is a pointer: write TYPE");
    assert_value_refused("0x10000000000000000", 'p', 8, "is no buffer");

    struct spec_made freed, host;
    spec_make(&freed, "freed:i32[4]:iota", &spec_pointer);
    spec_make(&host, "host:i32[4]:iota", &spec_pointer);
    const struct rd_sim_array *array = rd_sim_array_at((uintptr_t)freed.arg->memory, &inside);
    assert_true(!inside && array && array->freed);
    array = rd_sim_array_at((uintptr_t)host.arg->memory + 4, &inside);
    assert_true(!inside && array && array->space == RD_SPACE_NONE);
    assert_int_equal(((int32_t *)host.arg->memory)[3], 3);
    spec_finish(&freed);
    spec_finish(&host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_are_taken_to_the_ends_of_their_types),
        cmocka_unit_test(test_bad_numbers_are_refused),
        cmocka_unit_test(test_hex_of_a_float_says_whether_it_is_its_bits),
        cmocka_unit_test(test_structs_are_bytes),
        cmocka_unit_test(test_pointers_may_be_stray),
    };
    return cmocka_run_group_tests(tests, spec_set_up, spec_tear_down) != 0;
}
