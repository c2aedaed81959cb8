// SPDX-License-Identifier: MIT
/* The paths of the element types' arithmetic that take many values at a time, next to the plain one that takes one: over
 * lengths, alignments, strides and values, after dav1d's checkasm. What lies beside the values must stay as it was. */
#include "base/random.h"
#include "harness.h"
#include "reductio/numeric.h"
#include "reductio/operation.h"

#include <inttypes.h>
#include <string.h>

enum { CASES = 400, SLACK = 16, CELLS = 3 * RD_LANES_MAX + 2 * SLACK, STRIDE_MAX = 3 };

/* A type and operation, with arrays of random values. */
struct trial {
    const struct rd_numeric *numeric; /* of values that are combined */
    enum rd_operation operation;
    uint64_t random;
    size_t count, at; /* how many values; where they begin, for all alignments */
    uint64_t x[CELLS], y[CELLS], was[CELLS];
};

/* A value of any class; often one that is at an edge. */
static rd_bits random_value(struct trial *t)
{
    static const double edges[] = {0, -0.0, 1, -1, 65504, 3e38, -3e38, 1e-45, 6e-8};
    uint64_t bits = rd_random(&t->random);
    unsigned width = 8 * (unsigned)t->numeric->size_bytes;
    switch (bits % 8) {
    case 0:
        return t->numeric->is_float ? t->numeric->from_double(edges[bits / 8 % 9]) : bits / 8 % 3;
    case 1:
        return ~(rd_bits)0 >> (64 - width) >> bits / 8 % 3;
    default:
        return rd_random(&t->random) >> (64 - width);
    }
}

static void begin(struct trial *t, const struct rd_numeric *numeric, enum rd_operation operation,
                  unsigned k)
{
    t->numeric = numeric;
    t->operation = operation;
    t->random = test_seed() + k;
    t->count = k <= RD_LANES_MAX ? k : rd_random(&t->random) % (RD_LANES_MAX + 1);
    t->at = rd_random(&t->random) % SLACK;
    for (size_t i = 0; i < CELLS; i++) {
        numeric->store(t->x, i, random_value(t));
        numeric->store(t->y, i, random_value(t));
    }
    memcpy(t->was, t->x, sizeof t->was);
}

static void *element(const struct rd_numeric *numeric, uint64_t *array, size_t index)
{
    return (char *)array + index * numeric->size_bytes;
}

/* x[i] is `wanted`, where two NaNs do not differ. */
static void assert_value(const struct trial *t, size_t i, rd_bits wanted, const char *path)
{
    rd_bits is = t->numeric->load(t->x, i);
    if (!t->numeric->same(is, wanted))
        fail_msg("%s of %s, %s: value %zu of %zu is %#" PRIx64 ", and %#" PRIx64
                 " one at a time; seed %" PRIu64,
                 path, t->numeric->name, rd_operation_name(t->operation), i - t->at, t->count, is,
                 wanted, test_seed());
}

/* Nothing beside x[at], ..., x[at + count - 1] has changed. */
static void assert_rest(const struct trial *t, size_t count, const char *path)
{
    size_t size = t->numeric->size_bytes, from = t->at * size, to = (t->at + count) * size;
    if (memcmp(t->x, t->was, from) != 0 ||
        memcmp((const char *)t->x + to, (const char *)t->was + to, CELLS * size - to) != 0)
        fail_msg("%s of %s writes beside its %zu values; seed %" PRIu64, path, t->numeric->name,
                 count, test_seed());
}

/* Calls `check` with trials of each type and operation; of those that select with the others' type of cells. */
static void of_all(bool selecting, void (*check)(struct trial *t))
{
    for (int type = 0; type < RD_TYPE_COUNT; type++)
        for (int o = 0; o < RD_OPERATION_COUNT; o++) {
            const struct rd_numeric *numeric =
                rd_numeric_over((enum rd_type)type, (enum rd_operation)o);
            if (!numeric || rd_operation_selects((enum rd_operation)o) != selecting)
                continue;
            for (unsigned k = 0; k < CASES; k++) {
                struct trial t;
                begin(&t, numeric, (enum rd_operation)o, k);
                check(&t);
            }
        }
}

/* ---- combining ---- */

static void check_combine(struct trial *t)
{
    const struct rd_numeric *numeric = t->numeric;
    numeric->lanes->combine(t->operation, element(numeric, t->x, t->at), element(numeric, t->y, 1),
                            t->count);
    for (size_t k = 0; k < t->count; k++)
        assert_value(t, t->at + k,
                     numeric->combine(numeric->load(t->was, t->at + k), numeric->load(t->y, 1 + k)),
                     "combine");
    assert_rest(t, t->count, "combine");
}

static void test_combine_is_one_at_a_time(void **state)
{
    (void)state;
    of_all(false, check_combine);
}

static void check_reduce(struct trial *t)
{
    const struct rd_numeric *numeric = t->numeric;
    rd_bits wanted = numeric->load(t->x, t->at);
    for (size_t k = 0; k < t->count; k++)
        wanted = numeric->combine(wanted, numeric->load(t->y, 1 + k));
    numeric->lanes->reduce(t->operation, element(numeric, t->x, t->at), element(numeric, t->y, 1),
                           t->count);
    assert_value(t, t->at, wanted, "reduce");
    assert_rest(t, 1, "reduce");
}

static void test_reduce_goes_from_left_to_right(void **state)
{
    (void)state;
    of_all(false, check_reduce);
}

static void check_identity(struct trial *t)
{
    const struct rd_numeric *numeric = t->numeric;
    numeric->lanes->identity(t->operation, element(numeric, t->x, t->at), t->count);
    assert_rest(t, t->count, "identity");
    for (size_t k = 0; k < t->count; k++) {
        rd_bits value = numeric->load(t->y, k), nothing = numeric->load(t->x, t->at + k);
        rd_bits kept = numeric->combine(nothing, value);
        /* A sum of -0 and 0 is 0; min and max drop a NaN for a number. */
        if (numeric->to_double(value) != 0 && !numeric->is_nan(value) &&
            !numeric->same(kept, value))
            fail_msg("%s of %s: the identity changes %#" PRIx64 " to %#" PRIx64,
                     rd_operation_name(t->operation), numeric->name, value, kept);
    }
}

static void test_identity_changes_nothing(void **state)
{
    (void)state;
    of_all(false, check_identity);
}

static void check_arithmetic(struct trial *t)
{
    const struct rd_numeric *numeric = t->numeric;
    static const char *const paths[] = {"subtract", "times"};
    for (int p = 0; p < 2; p++) {
        void *x = element(numeric, t->x, t->at);
        const void *y = element(numeric, t->y, 1);
        memcpy(t->x, t->was, sizeof t->was);
        (p == 0 ? numeric->lanes->subtract : numeric->lanes->times)(x, y, t->count);
        for (size_t k = 0; k < t->count; k++) {
            rd_bits a = numeric->load(t->was, t->at + k), b = numeric->load(t->y, 1 + k);
            assert_value(t, t->at + k, (p == 0 ? numeric->subtract : numeric->times)(a, b),
                         paths[p]);
        }
        assert_rest(t, t->count, paths[p]);
    }
}

static void test_subtract_and_times_are_one_at_a_time(void **state)
{
    (void)state;
    of_all(false, check_arithmetic);
}

/* ---- copies ---- */

/* Index of the first value with that stride, so that all lie in the array. */
static size_t first_of(struct trial *t, ptrdiff_t stride)
{
    size_t reach = t->count > 0 ? (t->count - 1) * (size_t)(stride < 0 ? -stride : stride) : 0;
    return t->at % SLACK + (stride < 0 ? reach : 0);
}

static void check_copies(struct trial *t)
{
    const struct rd_numeric *numeric = t->numeric;
    for (ptrdiff_t stride = -STRIDE_MAX; stride <= STRIDE_MAX; stride++) {
        size_t first = first_of(t, stride);
        memcpy(t->x, t->was, sizeof t->was);
        numeric->lanes->load(element(numeric, t->x, t->at), t->y, first, stride, t->count);
        for (size_t k = 0; k < t->count; k++)
            assert_value(t, t->at + k, numeric->load(t->y, first + (size_t)((ptrdiff_t)k * stride)),
                         "load");
        assert_rest(t, t->count, "load");
        if (stride == 0)
            continue; /* several values to one cell */
        memcpy(t->x, t->was, sizeof t->was);
        numeric->lanes->store(t->x, first, stride, t->y, t->count);
        for (size_t i = 0; i < CELLS; i++) {
            ptrdiff_t off = (ptrdiff_t)i - (ptrdiff_t)first;
            bool is_to =
                off % stride == 0 && off / stride >= 0 && (size_t)(off / stride) < t->count;
            assert_value(t, i,
                         is_to ? numeric->load(t->y, (size_t)(off / stride))
                               : numeric->load(t->was, i),
                         "store");
        }
    }
}

static void test_load_and_store_go_by_strides_of_both_signs(void **state)
{
    (void)state;
    of_all(false, check_copies);
}

static void check_number(struct trial *t)
{
    const struct rd_numeric *numeric = t->numeric;
    int64_t number = (int64_t)rd_random(&t->random) >> rd_random(&t->random) % 60;
    int64_t slope = (int64_t)(rd_random(&t->random) % 2001) - 1000;
    if (number > INT64_MAX / 2 || number < INT64_MIN / 2)
        number /= 2;
    numeric->lanes->number(element(numeric, t->x, t->at), number, slope, t->count);
    for (size_t k = 0; k < t->count; k++) {
        int64_t value = number + (int64_t)k * slope;
        rd_bits wanted = numeric->from_u64(value < 0 ? -(uint64_t)value : (uint64_t)value);
        assert_value(t, t->at + k,
                     value < 0 ? numeric->subtract(numeric->from_u64(0), wanted) : wanted,
                     "number");
    }
    assert_rest(t, t->count, "number");
}

static void test_number_wraps_or_rounds_as_one(void **state)
{
    (void)state;
    of_all(false, check_number);
}

/* ---- selecting ---- */

enum { INPUTS = 40 };

/* Indices of inputs, of no input, and of nothing. */
static void make_indices(struct trial *t, uint64_t *array)
{
    for (size_t i = 0; i < CELLS; i++) {
        uint64_t k = rd_random(&t->random) % (INPUTS + 4);
        t->numeric->store(array, i, k > INPUTS + 1 ? rd_numeric_no_index(t->numeric) : k);
    }
}

static void check_select(struct trial *t)
{
    const struct rd_numeric *cells = t->numeric, *inputs = cells->inputs;
    uint64_t input[INPUTS];
    struct trial values = *t;
    values.numeric = inputs;
    for (size_t i = 0; i < INPUTS; i++) /* many are equal */
        inputs->store(input, i, i % 3 ? inputs->from_u64(i % 5) : random_value(&values));
    make_indices(t, t->x);
    make_indices(t, t->y);
    memcpy(t->was, t->x, sizeof t->was);
    cells->lanes->select(t->operation, input, INPUTS, element(cells, t->x, t->at),
                         element(cells, t->y, 1), t->count);
    for (size_t k = 0; k < t->count; k++)
        assert_value(t, t->at + k,
                     rd_cell_combine(cells, input, INPUTS, cells->load(t->was, t->at + k),
                                     cells->load(t->y, 1 + k)),
                     "select");
    assert_rest(t, t->count, "select");
    memcpy(t->x, t->was, sizeof t->was);
    rd_bits wanted = cells->load(t->x, t->at);
    for (size_t k = 0; k < t->count; k++)
        wanted = rd_cell_combine(cells, input, INPUTS, wanted, cells->load(t->y, 1 + k));
    cells->lanes->select_one(t->operation, input, INPUTS, element(cells, t->x, t->at),
                             element(cells, t->y, 1), t->count);
    assert_value(t, t->at, wanted, "select_one");
    assert_rest(t, 1, "select_one");
}

static void test_select_is_one_at_a_time(void **state)
{
    (void)state;
    of_all(true, check_select);
}

/* ---- comparing ---- */

/* An expectation of integers, or of floats without a bound. */
static struct rd_expect expectation(struct trial *t, size_t n)
{
    return (struct rd_expect){
        .numeric = t->numeric, .n = n, .n_inputs = n, .a = t->x, .cells = t->x, .stride = 1};
}

static void check_compare(struct trial *t)
{
    const struct rd_numeric *numeric = t->numeric;
    size_t n = t->count, wrong = 0, first = SIZE_MAX;
    struct rd_expect expect = expectation(t, n);
    struct rd_comparison found = {.first_wrong = SIZE_MAX, .first_outside = SIZE_MAX};
    memcpy(t->y, t->x, sizeof t->y);
    for (size_t k = rd_random(&t->random) % 4; n > 0 && k > 0; k--)
        numeric->store(t->y, rd_random(&t->random) % n, random_value(t));
    for (size_t i = 0; i < n; i++)
        if (!numeric->same(numeric->load(t->x, i), numeric->load(t->y, i)) && wrong++ == 0)
            first = i;
    numeric->compare(&expect, 0, n, 1, t->y, 1, &found);
    assert_int_equal(found.wrong_bits, wrong);
    assert_true(found.first_wrong == first);
    assert_int_equal(numeric->frame(&expect, 0, 1, t->y), first == SIZE_MAX ? n : first);
}

static void test_compare_and_frame_find_the_first_and_count_all(void **state)
{
    (void)state;
    of_all(false, check_compare);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_combine_is_one_at_a_time),
        cmocka_unit_test(test_reduce_goes_from_left_to_right),
        cmocka_unit_test(test_identity_changes_nothing),
        cmocka_unit_test(test_subtract_and_times_are_one_at_a_time),
        cmocka_unit_test(test_load_and_store_go_by_strides_of_both_signs),
        cmocka_unit_test(test_number_wraps_or_rounds_as_one),
        cmocka_unit_test(test_select_is_one_at_a_time),
        cmocka_unit_test(test_compare_and_frame_find_the_first_and_count_all),
    };
    return cmocka_run_group_tests_name("numeric_paths", tests, NULL, NULL) != 0;
}
