// SPDX-License-Identifier: MIT
#include "program/outcome.h"

#include <float.h>
#include <math.h>

static void add_exactly(struct rd_exact_sum *sum, long double term)
{
    long double value = sum->value + term;
    sum->rest +=
        fabsl(sum->value) >= fabsl(term) ? sum->value - value + term : term - value + sum->value;
    sum->value = value;
    sum->weight += fabsl(term);
}

/* A double would round a large integer of 64 bits. */
static long double exact_value(const struct rd_numeric *numeric, const void *cells, size_t j)
{
    rd_bits bits = numeric->load(cells, j);
    if (numeric->is_float || numeric->size_bytes < sizeof bits)
        return numeric->to_double(bits);
    return numeric->is_signed ? (long double)(int64_t)bits : (long double)bits;
}

struct rd_exact_sum rd_exact_sum(const struct rd_expect *expect, enum rd_exact_term term)
{
    const struct rd_numeric *numeric = expect->numeric;
    struct rd_exact_sum sum = {0, 0, 0};
    for (size_t j = 0; j < expect->n_inputs; j++) {
        long double a = exact_value(numeric, expect->a, j);
        long double b = expect->b ? exact_value(numeric, expect->b, j) : a;
        add_exactly(&sum, term == RD_AB   ? a * b
                          : term == RD_AA ? a * a
                          : term == RD_BB ? b * b
                                          : (a - b) * (a - b));
    }
    if (isfinite(sum.value)) /* else the rest is not a number */
        sum.value += sum.rest;
    return sum;
}

/* A term of the exact sum is rounded up to three times, the sum once or twice. */
#define EXACT_SUM_ROUNDING (4 * LDBL_EPSILON)

struct rd_rounding rd_rounding_of(const struct rd_expect *expect)
{
    const struct rd_numeric *numeric = expect->numeric;
    if (!numeric->is_float)
        return (struct rd_rounding){0, 0};
    long double unit = ldexpl(1, -(int)numeric->digits);
    long double hu = expect->height * unit;
    long double relative = hu < 1 ? hu / (1 - hu) : INFINITY;
    /* A product loses half of the smallest number to underflow, which is then rounded as the sum is. */
    long double underflow = numeric->least_normal * unit;
    return (struct rd_rounding){
        .relative = relative + EXACT_SUM_ROUNDING,
        .absolute = (long double)expect->n_inputs * underflow * (1 + relative),
    };
}

long double rd_off_by(const struct rd_rounding *rounding, const struct rd_exact_sum *sum)
{
    return sum->weight * rounding->relative + rounding->absolute;
}

/* The host's own steps are made in double: some roundings more, and the last one may underflow. */
#define HOST_ROUNDING  (8 * DBL_EPSILON)
#define HOST_UNDERFLOW 0x1p-1075L

void rd_tell_outcome(struct rd_outcome *outcome, const char *name, double actual, long double exact,
                     long double limit)
{
    long double error = actual == exact ? 0 : fabsl(actual - exact); /* of infinities, too */
    limit += fabsl(exact) * HOST_ROUNDING + HOST_UNDERFLOW;
    *outcome = (struct rd_outcome){
        .name = name,
        .actual = isnan(actual) ? (double)NAN : actual, /* without a sign */
        .deviation = {.exact = (double)exact,
                      .error = isnan(error) ? (double)NAN : (double)error,
                      .limit = isnan(limit) ? INFINITY : (double)limit},
    };
}

static bool holds(const struct rd_numeric *numeric, long double sum)
{
    if (numeric->is_float)
        return fabsl(sum) <= numeric->largest;
    const long double end = ldexpl(1, (int)numeric->digits);
    return (numeric->is_signed ? -end : 0) <= sum && sum < end;
}

void rd_tell_overflow(struct rd_outcome *outcome, const struct rd_numeric *numeric,
                      const struct rd_exact_sum *sum, const char *term)
{
    if (outcome->too_narrow || !isfinite(sum->value) || holds(numeric, sum->value))
        return;
    outcome->too_narrow = numeric;
    outcome->sum = term;
    outcome->sum_exact = (double)sum->value;
}

double rd_host_sum(const struct rd_expect *expect, const void *cells, size_t first, size_t stride)
{
    const struct rd_numeric *numeric = expect->numeric;
    rd_bits sum = numeric->load(cells, first);
    for (size_t k = first + stride; k < expect->n; k += stride)
        sum = numeric->add(sum, numeric->load(cells, k));
    return numeric->to_double(sum);
}
