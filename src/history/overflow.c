// SPDX-License-Identifier: MIT
/* Sums of integers that their type cannot hold. */
#include "history/history_internal.h"

#include <math.h>

/* Beyond this, a view would wait too long. */
#define INPUTS_MAX ((size_t)1 << 22)

/* A sum modulo 2^64, and about as it is. */
struct sum {
    uint64_t wrapped;
    long double whole;
};

static struct sum of_bits(const struct rd_numeric *numeric, rd_bits bits)
{
    if (numeric->size_bytes == sizeof bits) /* a double does not hold all of them */
        return (struct sum){bits,
                            numeric->is_signed ? (long double)(int64_t)bits : (long double)bits};
    double value = numeric->to_double(bits);
    return (struct sum){(uint64_t)(int64_t)value, value};
}

/* What input j brings: a[j], or a[j] * b[j]. */
static struct sum of_input(const struct rd_history_about *about, size_t j)
{
    const struct rd_numeric *numeric = about->numeric;
    struct sum x = of_bits(numeric, numeric->load(about->a, j));
    if (about->n_b == 0)
        return x;
    struct sum y = of_bits(numeric, numeric->load(about->b, j));
    return (struct sum){x.wrapped * y.wrapped, x.whole * y.whole};
}

/* Whether there is a sum of inputs that the type does not hold. */
static bool may_wrap(const struct rd_history_about *about, long double half)
{
    long double all = 0;
    for (size_t j = 0; j < about->n_a && all < half; j++)
        all += fabsl(of_input(about, j).whole);
    return all >= half;
}

bool rd_history_wraps(struct rd_history *history, size_t frame, size_t index, long double *whole)
{
    const struct rd_history_about *about = &history->about;
    const struct rd_numeric *numeric = about->numeric;
    unsigned bits = 8 * (unsigned)numeric->size_bytes;
    long double half = ldexpl(1, (int)bits - 1);
    struct rd_members members;
    struct rd_history_cell cell;
    struct sum sum = {0, 0};
    if (about->witness || numeric->is_float || numeric->operation != RD_OPERATION_SUM ||
        !about->a || about->n_a > INPUTS_MAX ||
        (about->n_b != 0 && (!about->b || about->n_b != about->n_a)) || !may_wrap(about, half) ||
        rd_members_init(&members, history, frame, index) != RD_OK ||
        rd_history_cell(history, frame, index, &cell, NULL) != RD_OK || !cell.expected_known)
        return false;
    for (size_t j = 0; j < about->n_a; j++)
        if (rd_members_has(&members, j)) {
            struct sum one = of_input(about, j);
            sum.wrapped += one.wrapped;
            sum.whole += one.whole;
        }
    /* Where the cell is not to hold that sum, as where a break was made, nothing is said. */
    struct sum wanted = of_bits(numeric, cell.expected);
    if ((sum.wrapped ^ wanted.wrapped) << (64 - bits) != 0)
        return false;
    *whole = sum.whole;
    return fabsl(sum.whole - wanted.whole) > half;
}
