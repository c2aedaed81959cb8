// SPDX-License-Identifier: MIT
/* The element types: their arithmetic, their text, their digest. */
#include "harness.h"
#include "reductio/numeric.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const enum rd_type all_types[RD_TYPE_COUNT] = {RD_TYPE_I32, RD_TYPE_U32, RD_TYPE_I64,
                                                      RD_TYPE_U64, RD_TYPE_F32, RD_TYPE_F64,
                                                      RD_TYPE_F16, RD_TYPE_BF16};

static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* Random bits of the type's size: of floats, any class. */
static rd_bits random_bits(const struct rd_numeric *numeric, uint64_t j)
{
    return mix(test_seed() + j * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - 8 * numeric->size_bytes);
}

static void assert_formats(enum rd_type type, rd_bits value, const char *wanted)
{
    char text[RD_VALUE_TEXT_SIZE];
    int length = rd_numeric(type)->format(text, value);
    assert_text(text, wanted);
    assert_int_equal(length, strlen(wanted));
}

static rd_bits f32_bits(float value)
{
    return rd_numeric(RD_TYPE_F32)->load(&value, 0);
}

static rd_bits f64_bits(double value)
{
    return rd_numeric(RD_TYPE_F64)->load(&value, 0);
}

/* ---- the table of types ---- */

static void test_types_are_what_their_names_say(void **state)
{
    static const struct {
        const char *name, *npy_kind;
        size_t size_bytes;
        bool is_float;
    } types[RD_TYPE_COUNT] = {
        {"i32", "i4", 4, false}, {"u32", "u4", 4, false}, {"i64", "i8", 8, false},
        {"u64", "u8", 8, false}, {"f32", "f4", 4, true},  {"f64", "f8", 8, true},
        {"f16", "f2", 2, true},  {"bf16", NULL, 2, true},
    };
    (void)state;
    for (int t = 0; t < RD_TYPE_COUNT; t++) {
        const struct rd_numeric *numeric = rd_numeric(all_types[t]);
        assert_int_equal(numeric->type, all_types[t]);
        assert_text(numeric->name, types[t].name);
        if (types[t].npy_kind)
            assert_text(numeric->npy_kind, types[t].npy_kind);
        else
            assert_null(numeric->npy_kind);
        assert_int_equal(numeric->size_bytes, types[t].size_bytes);
        assert_int_equal(numeric->is_float, types[t].is_float);
        assert_int_equal(numeric->wide_bytes > numeric->size_bytes, types[t].is_float);
        assert_ptr_equal(rd_numeric_named(types[t].name), numeric);
    }
    assert_null(rd_numeric_named("i16"));
    assert_null(rd_numeric_named(""));
    assert_null(rd_numeric_named("I32"));
}

static void test_load_and_store_keep_all_bits_and_touch_no_neighbour(void **state)
{
    (void)state;
    for (int t = 0; t < RD_TYPE_COUNT; t++) {
        const struct rd_numeric *numeric = rd_numeric(all_types[t]);
        uint64_t cells[3];
        for (uint64_t j = 0; j < 1000; j++) {
            rd_bits value = random_bits(numeric, j);
            memset(cells, 0x5a, sizeof cells);
            numeric->store(cells, 1, value);
            assert_int_equal(numeric->load(cells, 1), value);
            const rd_bits untouched =
                UINT64_C(0x5a5a5a5a5a5a5a5a) >> (64 - 8 * numeric->size_bytes);
            assert_int_equal(numeric->load(cells, 0), untouched);
            assert_int_equal(numeric->load(cells, 2), untouched);
        }
    }
}

static void test_from_u64_wraps_integers_and_rounds_floats(void **state)
{
    (void)state;
    assert_int_equal(rd_numeric(RD_TYPE_I32)->from_u64(UINT64_C(0x123456789)), 0x23456789);
    assert_int_equal(rd_numeric(RD_TYPE_U32)->from_u64(UINT64_MAX), UINT32_MAX);
    assert_int_equal(rd_numeric(RD_TYPE_U64)->from_u64(UINT64_MAX), UINT64_MAX);
    assert_int_equal(rd_numeric(RD_TYPE_F32)->from_u64(16777217), f32_bits(16777216));
    assert_int_equal(rd_numeric(RD_TYPE_F32)->from_u64(16777219), f32_bits(16777220));
    assert_int_equal(rd_numeric(RD_TYPE_F64)->from_u64(UINT64_MAX), f64_bits(0x1p64));
}

static void test_to_double_is_the_value(void **state)
{
    (void)state;
    assert_true(rd_numeric(RD_TYPE_I32)->to_double(UINT32_MAX) == -1);
    assert_true(rd_numeric(RD_TYPE_U32)->to_double(UINT32_MAX) == 4294967295.0);
    assert_true(rd_numeric(RD_TYPE_I64)->to_double(UINT64_MAX) == -1);
    assert_true(rd_numeric(RD_TYPE_U64)->to_double(UINT64_MAX) == 0x1p64);
    assert_true(rd_numeric(RD_TYPE_F32)->to_double(f32_bits(0.1f)) == (double)0.1f);
    assert_true(rd_numeric(RD_TYPE_F64)->to_double(f64_bits(-0.1)) == -0.1);
}

static void test_nans_are_all_the_same_and_zeros_are_not(void **state)
{
    const struct rd_numeric *f32 = rd_numeric(RD_TYPE_F32), *f64 = rd_numeric(RD_TYPE_F64);
    (void)state;
    assert_true(f32->is_nan(0x7fc00000) && f32->is_nan(0xff800001) && f32->is_nan(0x7fffffff));
    assert_false(f32->is_nan(0x7f800000) || f32->is_nan(0xff800000) || f32->is_nan(0));
    assert_true(f64->is_nan(UINT64_C(0x7ff0000000000001)));
    assert_false(f64->is_nan(UINT64_C(0x7ff0000000000000)));
    assert_true(f32->same(0x7fc00000, 0xffc12345));
    assert_false(f32->same(0x7fc00000, 0x7f800000));
    assert_false(f32->same(0, 0x80000000)); /* bits decide */
    assert_true(f32->same(0x3f800000, 0x3f800000));
    for (int t = RD_TYPE_I32; t <= RD_TYPE_U64; t++) {
        assert_false(rd_numeric(all_types[t])->is_nan(0x7fc00000));
        assert_false(rd_numeric(all_types[t])->same(0x7fc00000, 0x7fc00001));
    }
}

/* ---- text ---- */

static void test_format_of_extremes_is_known(void **state)
{
    (void)state;
    assert_formats(RD_TYPE_I32, 0x80000000, "-2147483648");
    assert_formats(RD_TYPE_I32, INT32_MAX, "2147483647");
    assert_formats(RD_TYPE_I32, UINT32_MAX, "-1");
    assert_formats(RD_TYPE_U32, UINT32_MAX, "4294967295");
    assert_formats(RD_TYPE_I64, (rd_bits)1 << 63, "-9223372036854775808");
    assert_formats(RD_TYPE_I64, UINT64_MAX, "-1");
    assert_formats(RD_TYPE_U64, UINT64_MAX, "18446744073709551615");
    assert_formats(RD_TYPE_F32, f32_bits(INFINITY), "inf");
    assert_formats(RD_TYPE_F32, f32_bits(-INFINITY), "-inf");
    assert_formats(RD_TYPE_F64, f64_bits(-INFINITY), "-inf");
    assert_formats(RD_TYPE_F32, 0x7fc00000, "nan");
    assert_formats(RD_TYPE_F32, 0xffc00001, "nan");
    assert_formats(RD_TYPE_F64, UINT64_C(0xfff8000000000000), "nan");
    assert_formats(RD_TYPE_F32, 0x80000000, "-0");
    assert_formats(RD_TYPE_F32, f32_bits(3.40282347e38f), "3.4028235e+38");
    assert_formats(RD_TYPE_F64, f64_bits(1.7976931348623157e308), "1.7976931348623157e+308");
}

static void test_format_is_the_shortest_that_reads_back(void **state)
{
    (void)state;
    assert_formats(RD_TYPE_F32, f32_bits(0.1f), "0.1");
    assert_formats(RD_TYPE_F32, f32_bits(1.0f / 3), "0.33333334");
    assert_formats(RD_TYPE_F32, f32_bits(16777216), "16777216");
    assert_formats(RD_TYPE_F32, f32_bits(2.5f), "2.5");
    assert_formats(RD_TYPE_F64, f64_bits(0.1), "0.1");
    assert_formats(RD_TYPE_F64, f64_bits(0.1 + 0.2), "0.30000000000000004");
    assert_formats(RD_TYPE_F64, f64_bits(9007199254740992), "9007199254740992");
}

static void test_format_of_the_smallest_is_the_shortest_too(void **state)
{
    (void)state;
    assert_formats(RD_TYPE_F32, 1, "1e-45");
    assert_formats(RD_TYPE_F64, 1, "5e-324");
}

static void assert_reads_back(const struct rd_numeric *numeric, rd_bits value)
{
    char text[RD_VALUE_TEXT_SIZE];
    rd_bits back = ~value;
    int length = numeric->format(text, value);
    assert_true(length > 0 && length < RD_VALUE_TEXT_SIZE);
    const char *end = numeric->parse(text, &back);
    if (end != text + length || !numeric->same(back, value))
        fail_msg("%s: %" PRIx64 " is written as '%s', which reads as %" PRIx64, numeric->name,
                 value, text, back);
}

static void test_values_read_back_as_the_same_bits(void **state)
{
    (void)state;
    for (int t = 0; t < RD_TYPE_COUNT; t++) {
        const struct rd_numeric *numeric = rd_numeric(all_types[t]);
        unsigned bits = 8 * (unsigned)numeric->size_bytes;
        rd_bits all = ~(rd_bits)0 >> (64 - bits);
        for (unsigned b = 0; b < bits; b++) { /* every power of two, and those around it */
            assert_reads_back(numeric, (rd_bits)1 << b);
            assert_reads_back(numeric, ((rd_bits)1 << b) - 1);
            assert_reads_back(numeric, all ^ (rd_bits)1 << b);
        }
        assert_reads_back(numeric, 0);
        assert_reads_back(numeric, all);
        for (uint64_t j = 0; j < 20000; j++)
            assert_reads_back(numeric, random_bits(numeric, j));
    }
}

static void test_parse_out_of_range_or_not_a_number_is_refused(void **state)
{
    static const struct {
        enum rd_type type;
        const char *text;
    } cases[] = {
        {RD_TYPE_I32, "2147483648"},
        {RD_TYPE_I32, "-2147483649"},
        {RD_TYPE_I32, "9223372036854775808"},
        {RD_TYPE_U32, "4294967296"},
        {RD_TYPE_U32, "-1"},
        {RD_TYPE_U32, "18446744073709551616"},
        {RD_TYPE_U64, "18446744073709551616"},
        {RD_TYPE_U64, "-1"},
        {RD_TYPE_F32, "3.5e38"},
        {RD_TYPE_F32, "-1e39"},
        {RD_TYPE_F64, "1e309"},
        {RD_TYPE_I32, "abc"},
        {RD_TYPE_I32, ""},
        {RD_TYPE_U64, ""},
        {RD_TYPE_U64, "+"},
        {RD_TYPE_F32, "e5"},
        {RD_TYPE_F64, "."},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        rd_bits value = 77;
        if (rd_numeric(cases[c].type)->parse(cases[c].text, &value))
            fail_msg("'%s' is taken as %s", cases[c].text, rd_numeric(cases[c].type)->name);
        assert_int_equal(value, 77);
    }
}

/* strtoull takes blanks and then a sign, and wraps. */
static void test_parse_of_negative_number_behind_a_blank_is_refused_for_unsigned(void **state)
{
    rd_bits value = 77;
    (void)state;
    assert_null(rd_numeric(RD_TYPE_U32)->parse(" -1", &value));
    assert_null(rd_numeric(RD_TYPE_U64)->parse(" -1", &value));
    assert_int_equal(value, 77);
}

static void test_parse_stops_behind_the_number(void **state)
{
    rd_bits value;
    const char *text = "12,34";
    (void)state;
    for (int t = 0; t < RD_TYPE_COUNT; t++) {
        const struct rd_numeric *numeric = rd_numeric(all_types[t]);
        assert_ptr_equal(numeric->parse(text, &value), text + 2);
        assert_int_equal(value, numeric->from_u64(12));
    }
}

static void test_parse_rounds_what_is_too_small(void **state)
{
    rd_bits value = 77;
    (void)state;
    assert_non_null(rd_numeric(RD_TYPE_F32)->parse("1e-60", &value));
    assert_int_equal(value, 0);
    assert_non_null(rd_numeric(RD_TYPE_F64)->parse("-1e-400", &value));
    assert_int_equal(value, UINT64_C(0x8000000000000000));
    assert_non_null(rd_numeric(RD_TYPE_F32)->parse("1.5e-45", &value));
    assert_int_equal(value, 1);
}

/* ---- the digest ---- */

enum { DIGEST_CELLS = 100000 }; /* enough for several threads */

static void test_digest_is_the_documented_sum(void **state)
{
    uint64_t *cells = malloc(DIGEST_CELLS * sizeof *cells);
    (void)state;
    assert_non_null(cells);
    for (int t = 0; t < RD_TYPE_COUNT; t++) {
        const struct rd_numeric *numeric = rd_numeric(all_types[t]);
        uint64_t wanted = 0;
        for (size_t i = 0; i < DIGEST_CELLS; i++) {
            rd_bits value = random_bits(numeric, i);
            numeric->store(cells, i, value);
            wanted += mix((numeric->is_nan(value) ? ~(rd_bits)0 : value) ^ mix(i + 1));
        }
        assert_int_equal(numeric->digest(cells, DIGEST_CELLS), wanted);
        assert_int_equal(numeric->digest(cells, 0), 0);
    }
    free(cells);
}

static void test_digest_changes_with_each_bit_and_the_order(void **state)
{
    (void)state;
    for (int t = 0; t < RD_TYPE_COUNT; t++) {
        const struct rd_numeric *numeric = rd_numeric(all_types[t]);
        uint64_t cells[9];
        for (size_t i = 0; i < 9; i++)
            numeric->store(cells, i, numeric->from_u64(i * 1000 + 1));
        uint64_t digest = numeric->digest(cells, 9);
        for (size_t i = 0; i < 9; i++) {
            rd_bits value = numeric->load(cells, i);
            for (unsigned bit = 0; bit < 8 * numeric->size_bytes; bit++) {
                numeric->store(cells, i, value ^ (rd_bits)1 << bit);
                assert_int_not_equal(numeric->digest(cells, 9), digest);
            }
            numeric->store(cells, i, value);
        }
        assert_int_equal(numeric->digest(cells, 9), digest);
        assert_int_not_equal(numeric->digest(cells, 8), digest);
        rd_bits first = numeric->load(cells, 0);
        numeric->store(cells, 0, numeric->load(cells, 5));
        numeric->store(cells, 5, first);
        assert_int_not_equal(numeric->digest(cells, 9), digest);
    }
}

static void test_digest_takes_every_nan_for_the_same(void **state)
{
    uint32_t f32[2][3] = {{1, 0x7fc00000, 2}, {1, 0xff812345, 2}};
    uint64_t f64[2][2] = {{1, UINT64_C(0x7ff8000000000000)}, {1, UINT64_C(0xfff0000000000001)}};
    (void)state;
    assert_int_equal(rd_numeric(RD_TYPE_F32)->digest(f32[0], 3),
                     rd_numeric(RD_TYPE_F32)->digest(f32[1], 3));
    assert_int_equal(rd_numeric(RD_TYPE_F64)->digest(f64[0], 2),
                     rd_numeric(RD_TYPE_F64)->digest(f64[1], 2));
    assert_int_not_equal(rd_numeric(RD_TYPE_U32)->digest(f32[0], 3),
                         rd_numeric(RD_TYPE_U32)->digest(f32[1], 3));
    f32[1][1] = 0x7f800000; /* infinity is no NaN */
    assert_int_not_equal(rd_numeric(RD_TYPE_F32)->digest(f32[0], 3),
                         rd_numeric(RD_TYPE_F32)->digest(f32[1], 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types_are_what_their_names_say),
        cmocka_unit_test(test_load_and_store_keep_all_bits_and_touch_no_neighbour),
        cmocka_unit_test(test_from_u64_wraps_integers_and_rounds_floats),
        cmocka_unit_test(test_to_double_is_the_value),
        cmocka_unit_test(test_nans_are_all_the_same_and_zeros_are_not),
        cmocka_unit_test(test_format_of_extremes_is_known),
        cmocka_unit_test(test_format_is_the_shortest_that_reads_back),
        cmocka_unit_test(test_format_of_the_smallest_is_the_shortest_too),
        cmocka_unit_test(test_values_read_back_as_the_same_bits),
        cmocka_unit_test(test_parse_out_of_range_or_not_a_number_is_refused),
        cmocka_unit_test(test_parse_of_negative_number_behind_a_blank_is_refused_for_unsigned),
        cmocka_unit_test(test_parse_stops_behind_the_number),
        cmocka_unit_test(test_parse_rounds_what_is_too_small),
        cmocka_unit_test(test_digest_is_the_documented_sum),
        cmocka_unit_test(test_digest_changes_with_each_bit_and_the_order),
        cmocka_unit_test(test_digest_takes_every_nan_for_the_same),
    };
    return cmocka_run_group_tests_name("numeric", tests, NULL, NULL) != 0;
}
