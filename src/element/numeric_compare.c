// SPDX-License-Identifier: MIT
/* The array as it is, compared with the array as it must be. One per element type. */
#include "element/numeric_type.h"

WIDE_TOO static bits any_difference(const bits *wanted, size_t wanted_stride, const bits *actual,
                                    size_t actual_stride, size_t count)
{
    bits different = 0;
    if (wanted_stride == 1 && actual_stride == 1) {
#pragma omp simd reduction(| : different)
        for (size_t k = 0; k < count; k++)
            different |= wanted[k] ^ actual[k];
    } else {
        for (size_t k = 0; k < count; k++)
            different |= wanted[k * wanted_stride] ^ actual[k * actual_stride];
    }
    return different;
}

/* Works the block out where it is pending, and tells whether it differs anywhere. */
static bits compare_block(struct rd_expect *expect, size_t first, size_t count, size_t stride,
                          const bits *actual, size_t actual_stride)
{
    const size_t wanted_stride = stride / expect->stride;
    NAME(rd_expect_apply)(expect, first, first + count);
    return any_difference((const bits *)expect->cells + first * wanted_stride, wanted_stride,
                          actual, actual_stride, count);
}

/* Looks for any difference first, and for where it is only when there is one: a right run never
 * leaves the fast loop. What is pending is worked out block by block, just before it is looked at.
 */
static void compare_bits(struct rd_expect *expect, size_t first, size_t count, size_t stride,
                         const bits *actual, size_t actual_stride, struct rd_comparison *found)
{
    size_t wanted_stride = stride / expect->stride;
    const bits *wanted = (const bits *)expect->cells + first * wanted_stride;
    bits different = 0;
    if (first != expect->pending.done)
        NAME(rd_expect_settle)(expect);
    if (count <= BLOCK) { /* to begin a parallel loop takes longer than a few cells do */
        different = compare_block(expect, first, count, stride, actual, actual_stride);
    } else {
#pragma omp parallel for reduction(| : different) if (count > PARALLEL_MIN)
        for (size_t k = 0; k < count; k += BLOCK)
            different |= compare_block(expect, first + k, count - k < BLOCK ? count - k : BLOCK,
                                       stride, actual + k * actual_stride, actual_stride);
    }
    expect->pending.done = first + count;
    for (size_t k = 0; different != 0 && k < count; k++) {
        bits w = wanted[k * wanted_stride], g = actual[k * actual_stride];
        if (same(w, g))
            continue;
        found->wrong_bits++;
        if ((first + k) * stride < found->first_wrong)
            found->first_wrong = (first + k) * stride;
    }
}

#if IS_FLOAT

/* Tells whether the bound applies and holds: not where an infinity or a NaN is on either side. */
static bool is_within(wide error, wide limit)
{
    return error <= limit && limit < (wide)INFINITY;
}

static void compare_bound(const struct rd_expect *expect, size_t first, size_t count, size_t stride,
                          const elem *actual, size_t actual_stride, struct rd_comparison *found)
{
    const wide *exact = (const wide *)expect->exact + first * stride;
    const wide *weight = (const wide *)expect->weight + first * stride;
    wide relative = relative_limit(expect), absolute = absolute_limit(expect);
    size_t suspicious = 0;
#pragma omp parallel for reduction(+ : suspicious) if (count > PARALLEL_MIN)
    for (size_t k = 0; k < count; k++) {
        wide error = magnitude(number_of(actual[k * actual_stride]) - exact[k * stride]);
        suspicious += !is_within(error, relative * weight[k * stride] + absolute);
    }
    for (size_t k = 0; suspicious > 0 && k < count; k++) {
        wide error = magnitude(number_of(actual[k * actual_stride]) - exact[k * stride]);
        wide limit = relative * weight[k * stride] + absolute;
        if (is_within(error, limit))
            continue;
        suspicious--;
        if (!isfinite(number_of(actual[k * actual_stride])) || !isfinite(limit)) {
            found->unbounded++;
            continue;
        }
        found->out_of_bound++;
        if ((first + k) * stride < found->first_outside)
            found->first_outside = (first + k) * stride;
    }
}

/* Tells whether the cell is held to no bound: no order rounds a sum of whole numbers that has room in the significand. A cell that
 * is no whole number shows that its program rounds elsewhere, as where it divides and multiplies again. */
static bool is_exact(const struct rd_expect *expect, wide weight, elem cell)
{
    const wide value = number_of(cell);
    return expect->whole && weight < EXACT_BELOW && isfinite(value) && value == truncl(value);
}

static void note_limit(double limit, struct rd_comparison *found)
{
    if (isfinite(limit) && limit > found->widest)
        found->widest = limit;
}

/* A product that was made in any order: its bound is that of any tree. */
static void compare_product(const struct rd_expect *expect, size_t i, elem cell,
                            struct rd_comparison *found)
{
    struct rd_deviation deviation;
    rd_bits nearest;
    NAME(rd_expect_total)(expect, load(&cell, 0), &nearest, &deviation);
    note_limit(deviation.limit, found);
    if (deviation.error <= deviation.limit && deviation.limit < INFINITY)
        return;
    if (deviation.out_of_range || !isfinite(number_of(cell)) || !isfinite(deviation.limit)) {
        found->unbounded += deviation.out_of_range || !same(nearest, load(&cell, 0));
        return;
    }
    found->out_of_bound++;
    if (i < found->first_outside)
        found->first_outside = i;
}

/* The bound alone decides. Where it says nothing, infinities and NaNs must be as they are in the exact
 * sum, or nothing can be said. */
static void compare_any_order(const struct rd_expect *expect, size_t first, size_t count,
                              size_t stride, const elem *actual, size_t actual_stride,
                              struct rd_comparison *found)
{
    const wide *exact = expect->exact, *weight = expect->weight;
    wide relative = relative_limit(expect), absolute = absolute_limit(expect);
    wide widest = expect->roundings_max > expect->height
                      ? relative_limit_of(expect, expect->roundings_max)
                      : relative;
    for (size_t k = 0; k < count; k++) {
        size_t i = (first + k) * stride;
        elem cell = actual[k * actual_stride];
        if (expect->numeric->operation == RD_OPERATION_PRODUCT) {
            compare_product(expect, i, cell, found);
            continue;
        }
        if (is_exact(expect, weight[i], cell)) {
            if (number_of(cell) == exact[i])
                continue;
            found->out_of_bound++;
            if (i < found->first_outside)
                found->first_outside = i;
            continue;
        }
        wide limit = relative * weight[i] + absolute;
        note_limit((double)limit, found);
        if (is_within(magnitude(number_of(cell) - exact[i]), limit) || number_of(cell) == exact[i])
            continue;
        /* What isn't rounded is a term, or the maximum of none: no number is near it. */
        if (expect->height == 0 && isinf(exact[i]) && !isnan(number_of(cell))) {
            found->out_of_bound++;
            if (i < found->first_outside)
                found->first_outside = i;
            continue;
        }
        limit = widest * weight[i] + absolute;
        if (!isfinite(number_of(cell)) || !isfinite(limit) ||
            is_within(magnitude(number_of(cell) - exact[i]), limit)) {
            const bool is_lost = !isfinite(number_of(cell)) && /* on the way to a number */
                                 magnitude(exact[i]) <= expect->numeric->largest;
            found->unbounded += is_lost || !same(load(expect->cells, i), load(&cell, 0));
            continue;
        }
        found->out_of_bound++;
        if (i < found->first_outside)
            found->first_outside = i;
    }
}

#endif

void NAME(rd_expect_compare)(struct rd_expect *expect, size_t first, size_t count, size_t stride,
                             const void *actual, size_t actual_stride, struct rd_comparison *found)
{
#if IS_FLOAT
    if (expect->any_order) {
        compare_any_order(expect, first, count, stride, actual, actual_stride, found);
        return;
    }
#endif
    compare_bits(expect, first, count, stride, actual, actual_stride, found);
#if IS_FLOAT
    if (expect->bounded)
        compare_bound(expect, first, count, stride, actual, actual_stride, found);
#endif
}

static size_t first_difference(const bits *wanted, const bits *got, size_t start, size_t end)
{
    for (size_t i = start; i < end; i++)
        if (wanted[i] != got[i] && !same(wanted[i], got[i]))
            return i;
    return end;
}

/* The dead cells are the gaps between live ones, and all that lies behind the last. */
size_t NAME(rd_expect_frame)(const struct rd_expect *expect, size_t count, size_t stride,
                             const void *actual)
{
    const bits *wanted = expect->cells, *got = actual;
    size_t behind = (count - 1) * stride + 1;
    for (size_t i = 1; stride > 1 && i < behind; i += stride) {
        size_t end = i + stride - 1;
        size_t cell = first_difference(wanted, got, i, end);
        if (cell < end)
            return cell;
    }
    return first_difference(wanted, got, behind, expect->n);
}

void NAME(rd_expect_deviation)(const struct rd_expect *expect, size_t i, rd_bits actual,
                               struct rd_deviation *result)
{
#if IS_FLOAT
    const wide *exact = expect->exact, *weight = expect->weight;
    rd_bits nearest;
    if (expect->numeric->operation == RD_OPERATION_PRODUCT) {
        NAME(rd_expect_total)(expect, actual, &nearest, result);
        return;
    }
    result->exact = (double)exact[i];
    result->error = (double)magnitude(number_of(elem_of(actual)) - exact[i]);
    result->limit = is_exact(expect, weight[i], elem_of(actual))
                        ? 0
                        : (double)(relative_limit(expect) * weight[i] + absolute_limit(expect));
#else
    (void)expect, (void)i, (void)actual;
    *result = (struct rd_deviation){0};
#endif
}

static ALWAYS_INLINE elem combine_by(enum rd_operation operation, const elem *a, size_t n)
{
    elem all = a[0];
    for (size_t j = 1; j < n; j++)
        all = combined(operation, all, a[j]);
    return all;
}

/* For an operation that rounds nothing, so that any order will do. */
static rd_bits combine_all(const struct rd_expect *expect)
{
    const struct rd_lanes *lanes = expect->numeric->lanes;
    elem all = elem_of(0);
    for (size_t j = 0; lanes->select && j < expect->n_inputs; j += RD_LANES_MAX) {
        elem terms[RD_LANES_MAX];
        const size_t rest = expect->n_inputs - j;
        const size_t count = rest < RD_LANES_MAX ? rest : RD_LANES_MAX;
        lanes->input(terms, expect->a, j, 1, count);
        lanes->select_one(expect->numeric->operation, expect->a, expect->n_inputs, &all, terms,
                          count);
    }
    if (lanes->select)
        return load(&all, 0);
    switch (expect->numeric->operation) {
#define ALL(name, NAME, selects, integers)                                                         \
    case RD_OPERATION_##NAME:                                                                      \
        all = combine_by(RD_OPERATION_##NAME, expect->a, expect->n_inputs);                        \
        break;
        RD_OPERATIONS(ALL)
    }
    return load(&all, 0);
}

#if IS_FLOAT

/* A sum and what its roundings lost (Neumaier, ZAMM 54, 1974): off by 2 roundings of the wide type,
 * or so, however many terms it has. */
struct compensated {
    wide sum, lost;
};

static void add_compensated(struct compensated *total, wide term)
{
    wide sum = total->sum + term;
    total->lost += magnitude(total->sum) >= magnitude(term) ? total->sum - sum + term
                                                            : term - sum + total->sum;
    total->sum = sum;
}

/* The sum of all terms, of its magnitudes in *weight. Where a term is infinite, what was lost is not
 * a number, and nothing was. */
static wide sum_of_terms(const struct rd_expect *expect, wide *weight)
{
    const elem *a = expect->a, *b = expect->b;
    size_t n = expect->n_inputs;
    struct compensated all = {0, 0};
    wide all_weight = 0;
#pragma omp parallel for ordered schedule(static, 1) if (n > PARALLEL_MIN)
    for (size_t start = 0; start < n; start += PARALLEL_MIN) {
        size_t end = n - start < PARALLEL_MIN ? n : start + PARALLEL_MIN;
        struct compensated part = {0, 0};
        wide part_weight = 0;
        for (size_t j = start; j < end; j++) {
            wide term = b ? (wide)number_of(a[j]) * number_of(b[j]) : number_of(a[j]);
            add_compensated(&part, term);
            part_weight += magnitude(term);
        }
#pragma omp ordered /* the same sum at each run */
        {
            add_compensated(&all, part.sum);
            all.lost += part.lost;
            all_weight += part_weight;
        }
    }
    *weight = all_weight;
    return isfinite(all.lost) ? all.sum + all.lost : all.sum;
}

/* A product without end: magnitude * 2^exponent, magnitude in [1/2, 1) or 0. */
struct scaled {
    long double magnitude;
    int64_t exponent;
};

static void scale_by(struct scaled *product, long double factor)
{
    int exponent;
    product->magnitude = frexpl(product->magnitude * factor, &exponent);
    product->exponent += exponent;
}

/* As of C's numbers below 1: FLT_MIN_EXP and FLT_MAX_EXP of f32. */
#define MIN_EXP (TRAIT(LEAST_EXPONENT) + 1)
#define MAX_EXP (2 - TRAIT(LEAST_EXPONENT))

static long double value_of(const struct scaled *product)
{
    int exponent = product->exponent < INT_MIN / 2   ? INT_MIN / 2
                   : product->exponent > INT_MAX / 2 ? INT_MAX / 2
                                                     : (int)product->exponent;
    return ldexpl(product->magnitude, exponent);
}

static bool is_power_of_2(long double factor)
{
    int exponent;
    return fabsl(frexpl(factor, &exponent)) == 0.5L;
}

/* A tree of any shape multiplies k + 1 factors by k multiplications, and each rounds by a factor 1 + e of the result,
 * |e| <= u: it is between (1 - u)^k and (1 + u)^k times the exact product (Higham, "Accuracy and Stability of Numerical
 * Algorithms", 2nd ed., section 3.1, whose g_k is a little more). Powers of 2 round nothing and don't count.
 *
 * That holds for any k, where nothing overflows or underflows on the way. What is multiplied on the way, by any tree, lies
 * between the product of all factors below 1 and that of all above it: both must be within the normal numbers, by the
 * factor 2 that all roundings may make where (1 - u)^k >= 1/2. With more of them nothing is promised: they may change
 * the product by more than it is. Next to a 0 nothing can underflow but to 0 in the end, while what has overflowed makes
 * a NaN of it. */
static void product_of_terms(const struct rd_expect *expect, rd_bits actual, rd_bits *rounded,
                             struct rd_deviation *result)
{
    const elem *a = expect->a;
    struct scaled all = {1, 0}, small = {1, 0}, large = {1, 0};
    bool has_zero = false, finite = true;
    size_t rough = 0;
    computed special = 1; /* where it is 0, infinite or NaN, which no other factor changes */
    for (size_t j = 0; j < expect->n_inputs; j++) {
        const computed factor = number_of(a[j]);
        finite = finite && isfinite(factor);
        has_zero = has_zero || factor == 0;
        if (!isfinite(factor) || factor == 0) {
            special *= factor;
            continue;
        }
        special = factor < 0 ? -special : special;
        rough += !is_power_of_2(factor);
        scale_by(&all, factor);
        scale_by(factor < 1 && factor > -1 ? &small : &large, factor);
    }
    long double product = finite && !has_zero ? value_of(&all) : special;
    const long double k = rough > 0 ? (long double)(rough - 1) : 0, unit = UNIT + LDBL_EPSILON;
    bool underflows = !has_zero && small.exponent <= MIN_EXP;
    bool overflows = large.exponent >= MAX_EXP;
    elem nearest = of_long_double(product);
    *rounded = load(&nearest, 0);
    result->exact = (double)product;
    result->error = (double)fabsl(number_of(elem_of(actual)) - product);
    result->out_of_range = finite && (underflows || overflows);
    result->many_roundings = finite && !has_zero && expm1l(k * log1pl(-unit)) < -0.5L;
    result->limit = finite && !result->out_of_range && !result->many_roundings
                        ? (double)(expm1l(k * log1pl(unit)) * fabsl(product))
                        : INFINITY;
}

void NAME(rd_expect_total)(const struct rd_expect *expect, rd_bits actual, rd_bits *sum,
                           struct rd_deviation *result)
{
    if (expect->numeric->operation == RD_OPERATION_PRODUCT) {
        product_of_terms(expect, actual, sum, result);
        return;
    }
    if (expect->numeric->operation != RD_OPERATION_SUM) {
        *sum = combine_all(expect);
        *result = (struct rd_deviation){0};
        return;
    }
    wide weight, total = sum_of_terms(expect, &weight);
    wide relative = relative_limit(expect) + 4 * WIDE_UNIT;
    elem nearest = rounded((computed)total);
    *sum = load(&nearest, 0);
    result->exact = (double)total;
    result->error = (double)magnitude(number_of(elem_of(actual)) - total);
    result->limit = (double)(relative * weight + absolute_limit(expect));
}

void NAME(rd_expect_sum_any_order)(struct rd_expect *expect)
{
    wide *exact = expect->exact, *weight = expect->weight;
    elem *cells = expect->cells;
    if (expect->numeric->operation != RD_OPERATION_SUM) {
        struct rd_deviation unused;
        rd_bits all;
        NAME(rd_expect_total)(expect, 0, &all, &unused);
        store(cells, 0, all);
        expect->any_order = expect->numeric->rounds;
        return;
    }
    exact[0] = sum_of_terms(expect, &weight[0]);
    cells[0] = rounded((computed)exact[0]);
    expect->any_order = true;
}

#else

void NAME(rd_expect_total)(const struct rd_expect *expect, rd_bits actual, rd_bits *sum,
                           struct rd_deviation *result)
{
    const elem *a = expect->a, *b = expect->b;
    size_t n = expect->n_inputs;
    bits all = 0;
    (void)actual;
    *result = (struct rd_deviation){0};
    if (expect->numeric->operation != RD_OPERATION_SUM) {
        *sum = combine_all(expect);
        return;
    }
#pragma omp parallel for simd reduction(+ : all) if (n > PARALLEL_MIN)
    for (size_t j = 0; j < n; j++)
        all += b ? (bits)a[j] * (bits)b[j] : (bits)a[j];
    *sum = all;
}

void NAME(rd_expect_sum_any_order)(struct rd_expect *expect)
{
    struct rd_deviation none;
    rd_bits sum;
    NAME(rd_expect_total)(expect, 0, &sum, &none);
    bits *cells = expect->cells;
    cells[0] = (bits)sum;
}

#endif

size_t NAME(rd_expect_elementwise)(const struct rd_expect *expect, const void *cells,
                                   rd_bits *wanted)
{
    const elem *a = expect->a, *b = expect->b;
    for (size_t i = 0; i < expect->n; i++) {
        elem want = b ? rounded(number_of(a[i]) * number_of(b[i])) : a[i];
        *wanted = load(&want, 0);
        if (!same(load(cells, i), *wanted))
            return i;
    }
    return expect->n;
}
