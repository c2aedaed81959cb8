// SPDX-License-Identifier: MIT
/* Floats of 16 bits: all of them, there and back, and what lies between two. What a pattern stands for is worked out here
 * from the format's definition, and is what the compiler's own type says, where it has one. */
#include "half.h"
#include "harness.h"
#include "reductio/numeric.h"
#include "reductio/operation.h"
#include "base/random.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PATTERNS = 1 << 16, SIGN = 1 << 15, PAIRS = 400000 };

static const struct format {
    enum rd_type type;
    int exponent_bits, fraction_bits;
    double largest;
} formats[] = {{RD_TYPE_F16, 5, 10, 65504}, {RD_TYPE_BF16, 8, 7, 0x1.fep127}};
enum { FORMATS = sizeof formats / sizeof *formats };

static unsigned infinity_of(const struct format *format)
{
    return (unsigned)SIGN - (1u << format->fraction_bits);
}

/* IEEE 754, section 3.4. */
static double value_of(const struct format *format, unsigned bits)
{
    const int all = (1 << format->exponent_bits) - 1, bias = all / 2;
    const int exponent = (int)(bits >> format->fraction_bits) & all;
    const int fraction = (int)bits & ((1 << format->fraction_bits) - 1);
    const double sign = bits & SIGN ? -1 : 1;
    if (exponent == all)
        return fraction ? (double)NAN : sign * (double)INFINITY;
    if (exponent == 0)
        return sign * ldexp(fraction, 1 - bias - format->fraction_bits);
    return sign *
           ldexp(fraction + (1 << format->fraction_bits), exponent - bias - format->fraction_bits);
}

static bool same_double(double x, double y)
{
    return memcmp(&x, &y, sizeof x) == 0 || (isnan(x) && isnan(y));
}

static void assert_nearest(const struct format *format, double x, unsigned wanted)
{
    const struct rd_numeric *numeric = rd_numeric(format->type);
    const rd_bits made = numeric->from_double(x);
    if (made != wanted)
        fail_msg("%s: %a becomes %04x, and %04x is nearest", numeric->name, x, (unsigned)made,
                 wanted);
}

static void test_every_pattern_is_its_number_and_comes_back(void **state)
{
    (void)state;
    for (size_t f = 0; f < FORMATS; f++) {
        const struct rd_numeric *numeric = rd_numeric(formats[f].type);
        for (unsigned bits = 0; bits < PATTERNS; bits++) {
            const double value = numeric->to_double(bits), wanted = value_of(&formats[f], bits);
            if (!same_double(value, wanted))
                fail_msg("%s: %04x is %a, and stands for %a", numeric->name, bits, value, wanted);
            assert_int_equal(numeric->is_nan(bits), isnan(wanted));
            if (!isnan(wanted))
                assert_nearest(&formats[f], value, bits);
            else
                assert_true(numeric->is_nan(numeric->from_double(wanted)));
        }
        assert_true(numeric->largest == formats[f].largest);
        assert_true(numeric->to_double(infinity_of(&formats[f]) - 1) == formats[f].largest);
    }
}

static void test_compiler_has_the_same_f16(void **state)
{
    (void)state;
#ifdef RD_TEST_FLOAT16
    const struct rd_numeric *numeric = rd_numeric(RD_TYPE_F16);
    for (unsigned bits = 0; bits < PATTERNS; bits++) {
        const uint16_t pattern = (uint16_t)bits;
        _Float16 value;
        memcpy(&value, &pattern, sizeof value);
        assert_true(same_double(numeric->to_double(bits), (double)value));
    }
    for (uint64_t j = 0; j < PAIRS; j++) {
        const double x = ldexp((double)rd_random_at(test_seed(), j), -64 - 30 + (int)(j % 50));
        const _Float16 value = (_Float16)x;
        uint16_t pattern;
        memcpy(&pattern, &value, sizeof pattern);
        assert_nearest(&formats[0], x, pattern);
    }
#else
    skip();
#endif
}

/* The middle of two neighbours goes to the even one, what is next to it to the nearer one; from halfway beyond the largest
 * on it is infinite, and half of the smallest number is 0. */
static void test_between_two_it_is_the_nearer_and_of_ties_the_even_one(void **state)
{
    (void)state;
    for (size_t f = 0; f < FORMATS; f++)
        for (unsigned bits = 0; bits < infinity_of(&formats[f]); bits++) {
            const double low = value_of(&formats[f], bits);
            const double step = bits + 1 < infinity_of(&formats[f])
                                    ? value_of(&formats[f], bits + 1) - low
                                    : low - value_of(&formats[f], bits - 1);
            const double middle = low + step / 2;
            for (unsigned sign = 0; sign <= SIGN; sign += SIGN) {
                const double s = sign ? -1 : 1;
                assert_nearest(&formats[f], s * middle, sign | (bits + (bits & 1)));
                assert_nearest(&formats[f], s * nextafter(middle, 0), sign | bits);
                assert_nearest(&formats[f], s * nextafter(middle, INFINITY), sign | (bits + 1));
                assert_nearest(&formats[f], s * (low + step / 4), sign | bits);
            }
        }
}

/* A double holds neither of these numbers: to round them to one first would make ties of them. */
static void test_whole_numbers_are_rounded_once(void **state)
{
    const struct rd_numeric *f16 = rd_numeric(RD_TYPE_F16), *bf16 = rd_numeric(RD_TYPE_BF16);
    (void)state;
    assert_true(f16->to_double(f16->from_u64(2049)) == 2048);
    assert_true(f16->to_double(f16->from_u64(2051)) == 2052);
    assert_true(f16->to_double(f16->from_u64(65519)) == 65504);
    assert_true(isinf(f16->to_double(f16->from_u64(65520))));
    assert_true(bf16->to_double(bf16->from_u64(257)) == 256);
    assert_true(bf16->to_double(bf16->from_u64(259)) == 260);
    const uint64_t tie = UINT64_C(1) << 63 | UINT64_C(1) << 55;
    assert_true(bf16->to_double(bf16->from_u64(tie)) == 0x1p63);
    assert_true(bf16->to_double(bf16->from_u64(tie + 1)) == 0x1p63 + 0x1p56);
    assert_true(bf16->to_double(bf16->from_u64(tie - 1)) == 0x1p63);
    assert_true(bf16->to_double(bf16->from_u64(UINT64_MAX)) == 0x1p64);
}

/* ---- arithmetic ---- */

/* sum + rest is x + y exactly (Knuth, "The Art of Computer Programming", 4.2.2, theorem B). */
static void exact_sum(double x, double y, double *sum, double *rest)
{
    *sum = x + y;
    const double part = *sum - x;
    *rest = (x - (*sum - part)) + (y - part);
}

/* Asserts that r is nearest to x + rest; the rest is far below a step. */
static void assert_rounded_once(const struct format *format, double x, double rest, rd_bits r,
                                const char *what)
{
    const struct rd_numeric *numeric = rd_numeric(format->type);
    const rd_bits sign = signbit(x) ? SIGN : 0;
    const double r_value = value_of(format, (unsigned)r), miss = (x - r_value) + rest;
    if (isinf(r_value)) {
        assert_true(fabs(x) >= format->largest && (r & SIGN) == sign);
        return;
    }
    const rd_bits up = (r & (SIGN - 1)) + 1, down = (r & (SIGN - 1)) - 1;
    const double above =
        up < infinity_of(format) ? fabs(value_of(format, (unsigned)up)) : 2 * format->largest;
    const double below = r & (SIGN - 1) ? fabs(value_of(format, (unsigned)down)) : 0;
    const double room_up = (above - fabs(r_value)) / 2, room_down = (fabs(r_value) - below) / 2;
    const double outward = r & SIGN ? -miss : miss;
    const bool in =
        outward > 0 ? outward < room_up || (outward == room_up && !(r & 1))
                    : -outward < room_down || (-outward == room_down && !(r & 1)) || outward == 0;
    if (!in)
        fail_msg("%s of %s: %04x is not nearest to %a + %a", what, numeric->name, (unsigned)r, x,
                 rest);
}

static rd_bits random_pattern(uint64_t j, rd_bits near)
{
    const rd_bits any = rd_random_at(test_seed(), j) & (PATTERNS - 1);
    if (j % 3 == 0) /* of about the same size, so that sums cancel and carry */
        return (near + (any & 0xff) * 3) & (PATTERNS - 1);
    return any;
}

static void test_sums_and_products_are_rounded_once(void **state)
{
    (void)state;
    for (size_t f = 0; f < FORMATS; f++) {
        const struct rd_numeric *numeric = rd_numeric(formats[f].type);
        for (uint64_t j = 0; j < PAIRS; j++) {
            const rd_bits x = rd_random_at(~test_seed(), j) & (PATTERNS - 1);
            const rd_bits y = random_pattern(j, x);
            const double a = value_of(&formats[f], (unsigned)x),
                         b = value_of(&formats[f], (unsigned)y);
            double sum, rest;
            if (!isfinite(a) || !isfinite(b)) {
                assert_true(numeric->same(numeric->add(x, y), numeric->from_double(a + b)));
                assert_true(numeric->same(numeric->times(x, y), numeric->from_double(a * b)));
                continue;
            }
            exact_sum(a, b, &sum, &rest);
            assert_rounded_once(&formats[f], sum, rest, numeric->add(x, y), "sum");
            exact_sum(a, -b, &sum, &rest);
            assert_rounded_once(&formats[f], sum, rest, numeric->subtract(x, y), "difference");
            assert_rounded_once(&formats[f], a * b, 0, numeric->times(x, y), "product");
        }
    }
}

/* Asserts that the simulator's kernels compute as the host does. */
#define ASSERT_KERNELS_AGREE(name, TYPE)                                                           \
    for (uint64_t j = 0; j < PAIRS; j++) {                                                         \
        const struct rd_numeric *n = rd_numeric(RD_TYPE_##TYPE);                                   \
        const rd_##name x = {(uint16_t)rd_random_at(test_seed(), 2 * j)};                          \
        const rd_##name y = {(uint16_t)(j % 5 ? rd_random_at(test_seed(), 2 * j + 1)               \
                                              : x.bits ^ (j % 2 ? SIGN : 0))};                     \
        assert_true(n->same(n->add(x.bits, y.bits), rd_##name##_sum(x, y).bits));                  \
        assert_true(n->same(n->times(x.bits, y.bits), rd_##name##_product(x, y).bits));            \
        assert_true(n->same(rd_operation_combine(RD_OPERATION_MIN, n, x.bits, y.bits),             \
                            rd_##name##_least(x, y).bits));                                        \
        assert_true(n->same(rd_operation_combine(RD_OPERATION_MAX, n, x.bits, y.bits),             \
                            rd_##name##_most(x, y).bits));                                         \
    }

static void test_kernels_compute_as_the_host_does(void **state)
{
    (void)state;
    ASSERT_KERNELS_AGREE(f16, F16)
    ASSERT_KERNELS_AGREE(bf16, BF16)
    assert_int_equal(rd_f16_of(1).bits, 0x3c00);
    assert_int_equal(rd_bf16_of(1).bits, 0x3f80);
}

/* ---- text ---- */

static void test_every_pattern_reads_back_from_its_text(void **state)
{
    (void)state;
    for (size_t f = 0; f < FORMATS; f++) {
        const struct rd_numeric *numeric = rd_numeric(formats[f].type);
        for (unsigned bits = 0; bits < PATTERNS; bits++) {
            char text[RD_VALUE_TEXT_SIZE];
            rd_bits back = 0;
            const int length = numeric->format(text, bits);
            if (numeric->parse(text, &back) != text + length || !numeric->same(back, bits))
                fail_msg("%s: %04x is '%s', which reads as %04x", numeric->name, bits, text,
                         (unsigned)back);
        }
    }
}

static void test_texts_are_short_and_whole_numbers_in_full(void **state)
{
    static const struct {
        enum rd_type type;
        double value;
        const char *text;
    } cases[] = {
        {RD_TYPE_F16, 65504, "65504"},       {RD_TYPE_F16, 1000, "1000"},
        {RD_TYPE_F16, -2050, "-2050"},       {RD_TYPE_F16, 0.1, "0.1"},
        {RD_TYPE_F16, 0x1p-24, "6e-08"},     {RD_TYPE_F16, -0.0, "-0"},
        {RD_TYPE_F16, 1.0 / 3, "0.3333"},    {RD_TYPE_BF16, 256, "256"},
        {RD_TYPE_BF16, 300, "300"},          {RD_TYPE_BF16, 0.1, "0.1"},
        {RD_TYPE_BF16, 3.14159, "3.14"},     {RD_TYPE_BF16, 0x1p-133, "9e-41"},
        {RD_TYPE_BF16, 0x1p100, "1.27e+30"}, {RD_TYPE_BF16, INFINITY, "inf"},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const struct rd_numeric *numeric = rd_numeric(cases[c].type);
        char text[RD_VALUE_TEXT_SIZE];
        numeric->format(text, numeric->from_double(cases[c].value));
        assert_text(text, cases[c].text);
    }
}

/* Makes a decimal number the one below it that has a digit more. */
static void put_below(char *text)
{
    char *digit = text + strlen(text) - 1;
    strcat(text, "9");
    for (; *digit == '0' || *digit == '.'; digit--)
        if (*digit == '0')
            *digit = '9';
    --*digit;
}

/* A double is the middle of two, and the text is next to it. */
static void test_text_is_rounded_once(void **state)
{
    const struct format *format = &formats[0];
    const struct rd_numeric *numeric = rd_numeric(format->type);
    (void)state;
    for (unsigned bits = 0; bits + 1 < infinity_of(format); bits++) {
        const double middle = (value_of(format, bits) + value_of(format, bits + 1)) / 2;
        char text[128];
        rd_bits read;
        snprintf(text, sizeof text, "-%.30f", middle); /* in full: 2^-25 has 25 digits */
        assert_non_null(numeric->parse(text, &read));
        assert_int_equal(read, SIGN | (bits + (bits & 1)));
        strcat(text, "000000000000000000001");
        assert_non_null(numeric->parse(text, &read));
        assert_int_equal(read, SIGN | (bits + 1));
        snprintf(text, sizeof text, "%.30f", middle);
        put_below(text);
        assert_non_null(numeric->parse(text, &read));
        assert_int_equal(read, bits);
    }
}

static void test_text_out_of_range_is_refused(void **state)
{
    static const struct {
        enum rd_type type;
        const char *text;
        bool taken;
    } cases[] = {
        {RD_TYPE_F16, "65519.99", true}, {RD_TYPE_F16, "65520", false},
        {RD_TYPE_F16, "-65520", false},  {RD_TYPE_F16, "1e999", false},
        {RD_TYPE_F16, "-1e999", false},  {RD_TYPE_F16, "inf", true},
        {RD_TYPE_F16, "1e-999", true},   {RD_TYPE_BF16, "3.3895e38", true},
        {RD_TYPE_BF16, "3.4e38", false}, {RD_TYPE_BF16, "-infinity", true},
        {RD_TYPE_BF16, "-1e999", false}, {RD_TYPE_BF16, "nan", true},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        rd_bits value;
        const bool taken = rd_numeric(cases[c].type)->parse(cases[c].text, &value) != NULL;
        if (taken != cases[c].taken)
            fail_msg("'%s' is %s", cases[c].text, taken ? "taken" : "refused");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_pattern_is_its_number_and_comes_back),
        cmocka_unit_test(test_compiler_has_the_same_f16),
        cmocka_unit_test(test_between_two_it_is_the_nearer_and_of_ties_the_even_one),
        cmocka_unit_test(test_whole_numbers_are_rounded_once),
        cmocka_unit_test(test_sums_and_products_are_rounded_once),
        cmocka_unit_test(test_kernels_compute_as_the_host_does),
        cmocka_unit_test(test_every_pattern_reads_back_from_its_text),
        cmocka_unit_test(test_texts_are_short_and_whole_numbers_in_full),
        cmocka_unit_test(test_text_is_rounded_once),
        cmocka_unit_test(test_text_out_of_range_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
