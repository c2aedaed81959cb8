// SPDX-License-Identifier: MIT
/* The array as it must be, and the expression trees that move it on. One per element type. */
#include "element/numeric_type.h"

#if IS_FLOAT

static void begin_bound(struct rd_expect *expect)
{
    const elem *a = expect->a;
    wide *exact = expect->exact, *weight = expect->weight;
#pragma omp parallel for simd if (expect->n > PARALLEL_MIN)
    for (size_t i = 0; i < expect->n; i++) {
        exact[i] = number_of(a[i]);
        weight[i] = magnitude(number_of(a[i]));
    }
}

static void multiply_bound(struct rd_expect *expect)
{
    const elem *b = expect->b;
    wide *exact = expect->exact, *weight = expect->weight;
#pragma omp parallel for simd if (expect->n > PARALLEL_MIN)
    for (size_t i = 0; i < expect->n; i++) {
        exact[i] *= number_of(b[i]);
        weight[i] = magnitude(exact[i]);
    }
}

static void fold_bound(struct rd_expect *expect, size_t count, size_t half)
{
    wide *exact = expect->exact, *weight = expect->weight;
#pragma omp parallel for simd if (count > PARALLEL_MIN)
    for (size_t i = 0; i < count; i++) {
        exact[i] += exact[i + half];
        weight[i] += weight[i + half];
    }
}

static void pair_bound(struct rd_expect *expect, size_t count, size_t stride)
{
    wide *exact = expect->exact, *weight = expect->weight;
#pragma omp parallel for if (count > PARALLEL_MIN)
    for (size_t k = 0; k < count; k++) {
        size_t i = 2 * stride * k;
        exact[i] += exact[i + stride];
        weight[i] += weight[i + stride];
    }
}

#else

static void begin_bound(struct rd_expect *expect)
{
    (void)expect;
}

static void multiply_bound(struct rd_expect *expect)
{
    (void)expect;
}

static void fold_bound(struct rd_expect *expect, size_t count, size_t half)
{
    (void)expect, (void)count, (void)half;
}

static void pair_bound(struct rd_expect *expect, size_t count, size_t stride)
{
    (void)expect, (void)count, (void)stride;
}

#endif

void NAME(rd_expect_begin)(struct rd_expect *expect)
{
    const elem *a = expect->a;
    elem *cells = expect->cells;
    expect->height = 0;
    expect->stride = 1;
    expect->pending = (struct rd_pending){.tree = RD_TREE_SETTLED};
    if (expect->numeric->lanes->select) { /* each cell is the index of its own input */
        expect->numeric->lanes->input(cells, a, 0, 1, expect->n);
        return;
    }
#pragma omp parallel for simd if (expect->n > PARALLEL_MIN)
    for (size_t i = 0; i < expect->n; i++)
        cells[i] = a[i];
    if (expect->bounded)
        begin_bound(expect);
}

void NAME(rd_expect_multiply)(struct rd_expect *expect)
{
    const elem *b = expect->b;
    elem *cells = expect->cells;
    NAME(rd_expect_settle)(expect);
    expect->height++;
#pragma omp parallel for simd if (expect->n > PARALLEL_MIN)
    for (size_t i = 0; i < expect->n; i++)
        cells[i] = rounded(number_of(cells[i]) * number_of(b[i]));
    if (expect->bounded)
        multiply_bound(expect);
}

/* ---- the trees ---- */

/* Each operation has its own loop: the choice stands outside. */
#define EACH_OPERATION(operation, CASE)                                                            \
    switch (operation) {                                                                           \
        RD_OPERATIONS(CASE)                                                                        \
    }

/* The cells read and the cells written are apart: there are `distance` of these at the most. */
static ALWAYS_INLINE void fold_by(enum rd_operation operation, elem *cells, size_t distance,
                                  size_t first, size_t last)
{
#pragma omp simd
    for (size_t k = first; k < last; k++)
        cells[k] = combined(operation, cells[k], cells[k + distance]);
}

WIDE_TOO static void apply_fold(enum rd_operation operation, elem *cells, size_t distance,
                                size_t first, size_t last)
{
#define FOLD(name, NAME, selects, integers)                                                        \
    case RD_OPERATION_##NAME:                                                                      \
        fold_by(RD_OPERATION_##NAME, cells, distance, first, last);                                \
        break;
    EACH_OPERATION(operation, FOLD)
}

static ALWAYS_INLINE void compact_by(enum rd_operation operation, const elem *restrict from,
                                     elem *restrict to, size_t first, size_t end)
{
    for (size_t k = first; k < end; k++)
        to[k] = combined(operation, from[2 * k], from[2 * k + 1]);
}

WIDE_TOO static void apply_compact(enum rd_operation operation, const struct rd_pending *pending,
                                   elem *restrict to, size_t first, size_t last)
{
    const elem *restrict from = pending->from;
    size_t pairs = pending->n_from / 2;
    size_t end = last < pairs ? last : pairs;
#define COMPACT(name, NAME, selects, integers)                                                     \
    case RD_OPERATION_##NAME:                                                                      \
        compact_by(RD_OPERATION_##NAME, from, to, first, end);                                     \
        break;
    EACH_OPERATION(operation, COMPACT)
    if (last > pairs)
        to[pairs] = from[2 * pairs];
}

static ALWAYS_INLINE void pair_by(enum rd_operation operation, elem *cells, size_t distance,
                                  size_t first, size_t last)
{
    for (size_t k = first; k < last; k++) {
        size_t i = 2 * distance * k;
        cells[i] = combined(operation, cells[i], cells[i + distance]);
    }
}

static void apply_pair(enum rd_operation operation, elem *cells, size_t distance, size_t first,
                       size_t last)
{
#define PAIR(name, NAME, selects, integers)                                                        \
    case RD_OPERATION_##NAME:                                                                      \
        pair_by(RD_OPERATION_##NAME, cells, distance, first, last);                                \
        break;
    EACH_OPERATION(operation, PAIR)
}

/* For indices: to[k*to_stride] is that of from[k*stride] and from[k*stride + distance] which the inputs keep. */
static void select_cells(const struct rd_expect *expect, elem *to, size_t to_stride,
                         const elem *from, size_t stride, size_t distance, size_t first,
                         size_t last)
{
    const struct rd_numeric *numeric = expect->numeric;
    for (size_t k = first; k < last; k += RD_LANES_MAX) {
        elem x[RD_LANES_MAX], y[RD_LANES_MAX];
        const size_t count = last - k < RD_LANES_MAX ? last - k : RD_LANES_MAX;
        numeric->lanes->load(x, from, k * stride, (ptrdiff_t)stride, count);
        numeric->lanes->load(y, from, k * stride + distance, (ptrdiff_t)stride, count);
        numeric->lanes->select(numeric->operation, expect->a, expect->n_inputs, x, y, count);
        numeric->lanes->store(to, k * to_stride, (ptrdiff_t)to_stride, x, count);
    }
}

static void apply_selecting(const struct rd_expect *expect, size_t first, size_t last)
{
    const struct rd_pending *pending = &expect->pending;
    const size_t distance = pending->distance, pairs = pending->n_from / 2;
    elem *cells = expect->cells;
    if (pending->tree == RD_TREE_FOLD)
        select_cells(expect, cells, 1, cells, 1, distance, first, last);
    if (pending->tree == RD_TREE_PAIR)
        select_cells(expect, cells, 2 * distance, cells, 2 * distance, distance, first, last);
    if (pending->tree != RD_TREE_COMPACT)
        return;
    select_cells(expect, cells, 1, pending->from, 2, 1, first, last < pairs ? last : pairs);
    if (last > pairs)
        cells[pairs] = ((const elem *)pending->from)[2 * pairs];
}

void NAME(rd_expect_apply)(struct rd_expect *expect, size_t first, size_t last)
{
    const struct rd_pending *pending = &expect->pending;
    const enum rd_operation operation = expect->numeric->operation;
    size_t distance = pending->distance;
    elem *cells = expect->cells;
    if (last > pending->count)
        last = pending->count;
    if (first >= last)
        return;
    if (expect->numeric->lanes->select) {
        apply_selecting(expect, first, last);
        return;
    }
    switch (pending->tree) {
    case RD_TREE_SETTLED:
        break;
    case RD_TREE_FOLD:
        apply_fold(operation, cells, distance, first, last);
        break;
    case RD_TREE_PAIR:
        apply_pair(operation, cells, distance, first, last);
        break;
    case RD_TREE_COMPACT:
        apply_compact(operation, pending, cells, first, last);
        break;
    }
}

void NAME(rd_expect_settle)(struct rd_expect *expect)
{
    struct rd_pending *pending = &expect->pending;
    if (pending->tree == RD_TREE_SETTLED)
        return;
#pragma omp parallel for if (pending->count > pending->done + PARALLEL_MIN)
    for (size_t first = pending->done; first < pending->count; first += BLOCK)
        NAME(rd_expect_apply)(expect, first, first + BLOCK);
    *pending = (struct rd_pending){.tree = RD_TREE_SETTLED};
}

static void begin_round(struct rd_expect *expect, struct rd_pending round)
{
    expect->pending = round;
    expect->height++;
    if (!expect->lazy)
        NAME(rd_expect_settle)(expect);
}

void NAME(rd_expect_fold)(struct rd_expect *expect, size_t len, size_t half)
{
    size_t count = len > half ? len - half : 0;
    if (count > half)
        count = half;
    NAME(rd_expect_settle)(expect);
    begin_round(expect,
                (struct rd_pending){.tree = RD_TREE_FOLD, .count = count, .distance = half});
    if (expect->bounded)
        fold_bound(expect, count, half);
}

/* Live cells only: they lie side by side, and so will their sums. */
static void begin_compact(struct rd_expect *expect, size_t stride)
{
    void *from = expect->cells;
    size_t live = (expect->n - 1) / stride + 1;
    expect->cells = expect->spare;
    expect->spare = from;
    expect->stride = 2 * stride;
    begin_round(expect, (struct rd_pending){.tree = RD_TREE_COMPACT,
                                            .count = live / 2 + live % 2,
                                            .from = from,
                                            .n_from = live});
}

void NAME(rd_expect_pair)(struct rd_expect *expect, size_t stride)
{
    size_t n = expect->n;
    size_t count = n > stride ? (n - stride - 1) / (2 * stride) + 1 : 0;
    NAME(rd_expect_settle)(expect);
    if (expect->live_only)
        begin_compact(expect, stride);
    else
        begin_round(expect,
                    (struct rd_pending){.tree = RD_TREE_PAIR, .count = count, .distance = stride});
    if (expect->bounded)
        pair_bound(expect, count, stride);
}
