// SPDX-License-Identifier: MIT
/* The arithmetic of one element type: single values, their text, and the table of all functions. */
#include "element/numeric_type.h"
#include "base/texts.h"
#include "base/random.h"

#include <ctype.h>
#include <errno.h>
#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>

#define QUOTE_(x) #x
#define QUOTE(x)  QUOTE_(x)

static rd_bits bits_of(elem value)
{
    return load(&value, 0);
}

static rd_bits from_u64(uint64_t value)
{
    return bits_of(of_unsigned(value));
}

#if IS_FLOAT
static rd_bits from_double(double value)
{
    return bits_of(rounded((computed)value));
}
#endif

static double to_double(rd_bits value)
{
    return (double)number_of(elem_of(value));
}

static rd_bits add(rd_bits x, rd_bits y)
{
    return bits_of(rounded(number_of(elem_of(x)) + number_of(elem_of(y))));
}

static rd_bits subtract(rd_bits x, rd_bits y)
{
    return bits_of(rounded(number_of(elem_of(x)) - number_of(elem_of(y))));
}

static rd_bits times(rd_bits x, rd_bits y)
{
    return bits_of(rounded(number_of(elem_of(x)) * number_of(elem_of(y))));
}

#define COMBINE(name, NAME, selects, integers) COMBINE_##selects(name, NAME)
#define COMBINE_true(name, NAME)
#define COMBINE_false(name, NAME)                                                                  \
    static rd_bits combine_##name(rd_bits x, rd_bits y)                                            \
    {                                                                                              \
        return bits_of(combined(RD_OPERATION_##NAME, elem_of(x), elem_of(y)));                     \
    }
RD_OPERATIONS(COMBINE)

static bool less(rd_bits x, rd_bits y)
{
    return number_of(elem_of(x)) < number_of(elem_of(y));
}

static uint64_t digest(const void *cells, size_t count)
{
    uint64_t result = 0;
#pragma omp parallel for reduction(+ : result) if (count > PARALLEL_MIN)
    for (size_t i = 0; i < count; i++) {
        rd_bits value = load(cells, i);
        if (is_nan(value))
            value = ~(rd_bits)0;
        result += rd_random_mix(value ^ rd_random_mix(i + 1));
    }
    return result;
}

/* ---- text ---- */

#if IS_FLOAT
/* The floor of digits * log10(2), of at most 64 digits. */
#define DECIMAL(digits) ((digits)*30103 / 100000)
/* So many digits always survive a trip through the type, and so many always suffice. */
enum { SURE_DIGITS = DECIMAL(TRAIT(DIGITS) - 1), MAX_DIGITS = DECIMAL(TRAIT(DIGITS)) + 2 };
/* Below that, whole numbers have all their digits. */
#define MOST_IN_FULL (sizeof(elem) == sizeof(double) ? 1e15 : 1e6)
#define STRTO_16     read_odd
#define STRTO_32     strtof
#define STRTO_64     strtod
#elif IS_SIGNED
/* The bounds of the type. */
#define MOST  (INT64_MAX >> (64 - 8 * sizeof(elem)))
#define LEAST (-MOST - 1)
#endif

#if IS_HALF
/* The number at the start of text, rounded to an odd last digit where a double doesn't hold it, so that it is still on its
 * side of the middle between two numbers of 16 bits: see rd_half_odd. */
static double read_odd(const char *text, char **end)
{
    const int usual = fegetround();
    fesetround(FE_DOWNWARD);
    const double low = strtod(text, end);
    fesetround(FE_UPWARD);
    const double high = strtod(text, NULL);
    fesetround(usual);
    uint64_t of_low;
    memcpy(&of_low, &low, sizeof of_low);
    return of_low & 1 ? low : high;
}
#endif

#if IS_FLOAT
/* The number at the start of text, as strtod() has it. */
static computed read_number(const char *text, char **end)
{
    return RD_BY_WIDTH(STRTO)(text, end);
}
#endif

static int format(char text[RD_VALUE_TEXT_SIZE], rd_bits value)
{
#if IS_FLOAT
    const computed e = number_of(elem_of(value));
    if (isnan(e))
        return snprintf(text, RD_VALUE_TEXT_SIZE, "nan");
    int length = 0;
    /* Whole numbers of 16 bits are all exact: they are told in full, instead of "6.55e+04". */
    const double most = MOST_IN_FULL;
    if (fabs((double)e) < most && e == trunc((double)e))
        return rd_digits(text, signbit(e), (uint64_t)fabs((double)e));
    /* A subnormal has fewer digits than the type. */
    for (int digits = fabs((double)e) >= TRAIT(LEAST_NORMAL) ? SURE_DIGITS : 1;
         digits <= MAX_DIGITS; digits++) {
        length = snprintf(text, RD_VALUE_TEXT_SIZE, "%.*g", digits, (double)e);
        if (bits_of(rounded(read_number(text, NULL))) == value)
            break;
    }
    return length;
#else
#if IS_SIGNED
    return rd_digits_signed(text, elem_of(value));
#else
    return rd_digits(text, false, elem_of(value));
#endif
#endif
}

static const char *parse(const char *text, rd_bits *value)
{
    char *end;
    if (isspace((unsigned char)*text)) /* the number starts here, and not further on */
        return NULL;
    errno = 0;
#if IS_FLOAT
    const computed read = read_number(text, &end);
    const elem e = rounded(read);
    /* Too small for a normal number is rounded; too large is refused. */
    if (end == text || ((errno == ERANGE || isfinite(read)) && isinf(number_of(e))))
        return NULL;
#elif IS_SIGNED
    long long wide = strtoll(text, &end, 10);
    if (end == text || errno || wide < LEAST || wide > MOST)
        return NULL;
    elem e = (elem)wide;
#else
    if (*text == '-') /* strtoull would wrap it */
        return NULL;
    unsigned long long wide = strtoull(text, &end, 10);
    elem e = (elem)wide;
    if (end == text || errno || e != wide)
        return NULL;
#endif
    *value = load(&e, 0);
    return end;
}

/* Names each type: type_i32 is RD_TYPE_I32. */
#define TYPE_BY_NAME(name, NAME, elem, kind) type_##name = RD_TYPE_##NAME,
enum { RD_TYPES(TYPE_BY_NAME) };

/* Members for floats. */
#if IS_FLOAT
#define FLOAT_MEMBERS                                                                              \
    .max_digits = MAX_DIGITS, .least_normal = TRAIT(LEAST_NORMAL),                                 \
    .largest = TRAIT(LARGEST_FLOAT), .from_double = from_double,
#define DIGITS            TRAIT(DIGITS)
#define WIDE_BYTES        sizeof(wide)
#define WIDE_LANES(lanes) &NAME(lanes)
#else
#define FLOAT_MEMBERS
#define DIGITS            (8 * sizeof(elem) - IS_SIGNED)
#define WIDE_BYTES        0
#define WIDE_LANES(lanes) NULL
#endif

/* Members for all types. */
#define MEMBERS(op, OP, of)                                                                        \
    .operation = RD_OPERATION_##OP,                                                                \
    .title = RD_OPERATION_##OP == RD_OPERATION_SUM ? of : #op " of " of,                           \
    .size_bytes = sizeof(elem), .range = TRAIT(RANGE), .npy_kind = TRAIT(NPY),                     \
    .begin = NAME(rd_expect_begin), .multiply = NAME(rd_expect_multiply),                          \
    .fold = NAME(rd_expect_fold), .pair = NAME(rd_expect_pair), .settle = NAME(rd_expect_settle),  \
    .compare = NAME(rd_expect_compare), .frame = NAME(rd_expect_frame),                            \
    .deviation = NAME(rd_expect_deviation), .total = NAME(rd_expect_total),                        \
    .sum_any_order = NAME(rd_expect_sum_any_order), .elementwise = NAME(rd_expect_elementwise),    \
    .digest = digest, .add = add, .subtract = subtract, .times = times, .load = load,              \
    .store = store, .from_u64 = from_u64, .to_double = to_double, .same = same, .less = less,      \
    .is_nan = is_nan, .format = format, .parse = parse

/* One row for each operation that the type has and that doesn't select. */
#define ROW(op, OP, selects, integers) ROW_##selects(op, OP, integers)
#define ROW_true(op, OP, integers)
#define ROW_false(op, OP, integers)                                                                \
    [RD_OPERATION_##OP] = {                                                                        \
        MEMBERS(op, OP, QUOTE(RD_TYPE)),                                                           \
        .rounds = IS_FLOAT && (RD_OPERATION_##OP == RD_OPERATION_SUM ||                            \
                               RD_OPERATION_##OP == RD_OPERATION_PRODUCT),                         \
        .combine = combine_##op,                                                                   \
        .type = (enum rd_type)NAME(type),                                                          \
        .name = IS_FLOAT && (integers) ? NULL : QUOTE(RD_TYPE),                                    \
        .wide_bytes = WIDE_BYTES,                                                                  \
        .is_float = IS_FLOAT,                                                                      \
        .is_signed = IS_SIGNED,                                                                    \
        .digits = DIGITS,                                                                          \
        FLOAT_MEMBERS.inputs = &NAME(rd_numeric)[RD_OPERATION_##OP],                               \
        .lanes = &NAME(rd_lanes),                                                                  \
        .exact = WIDE_LANES(rd_lanes_exact),                                                       \
        .weight = WIDE_LANES(rd_lanes_weight),                                                     \
    },
const struct rd_numeric NAME(rd_numeric)[RD_OPERATION_COUNT] = {RD_OPERATIONS(ROW)};

/* ---- indices ---- */

/* One row for each operation that selects among types whose indices are of type elem. */
#define INDEX_ROW(op, OP, BEST, T, TYPE)                                                           \
    {                                                                                              \
        MEMBERS(op, OP, #T), .type = RD_TYPE_##TYPE, .name = #T,                                   \
                             .inputs = &rd_numeric_##T[RD_OPERATION_##BEST],                       \
                             .lanes = &rd_indices_lanes_##T,                                       \
    }
#define INDICES(T, TYPE)                                                                           \
    extern const struct rd_numeric rd_numeric_##T[RD_OPERATION_COUNT];                             \
    extern const struct rd_lanes rd_indices_lanes_##T;                                             \
    const struct rd_numeric rd_indices_##T[RD_SELECTING_COUNT] = {                                 \
        INDEX_ROW(argmin, ARGMIN, MIN, T, TYPE),                                                   \
        INDEX_ROW(argmax, ARGMAX, MAX, T, TYPE),                                                   \
    };
/* An index is of a type without a sign, of the width of the inputs. */
#define IS_INDEX_u32 1
#define IS_INDEX_u64 1
#if RD_PASTE(IS_INDEX_, RD_TYPE)
#define OF_32_BY_32 INDICES
#define OF_64_BY_64 INDICES
#define OF_16_BY_32(T, TYPE)
#define OF_16_BY_64(T, TYPE)
#define OF_32_BY_64(T, TYPE)
#define OF_64_BY_32(T, TYPE)
#define BY_WIDTH                      RD_PASTE(_BY_, RD_WIDTH)
#define INDICES_OF(T, TYPE, of, kind) RD_PASTE(RD_PASTE(OF_, RD_WIDTH_##T), BY_WIDTH)(T, TYPE)
RD_TYPES(INDICES_OF)
#endif
