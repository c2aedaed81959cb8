// SPDX-License-Identifier: MIT
/* The commutative monoids that reductions go over, one row each. */
#include "law/law.h"

#include <math.h>
#include <string.h>

static rd_bits add(const struct rd_numeric *numeric, rd_bits x, rd_bits y)
{
    return numeric->add(x, y);
}

static rd_bits times(const struct rd_numeric *numeric, rd_bits x, rd_bits y)
{
    return numeric->times(x, y);
}

static rd_bits least(const struct rd_numeric *numeric, rd_bits x, rd_bits y)
{
    if (numeric->is_nan(x) || numeric->is_nan(y))
        return numeric->is_nan(x) ? x : y;
    return numeric->less(y, x) ? y : x;
}

static rd_bits most(const struct rd_numeric *numeric, rd_bits x, rd_bits y)
{
    if (numeric->is_nan(x) || numeric->is_nan(y))
        return numeric->is_nan(x) ? x : y;
    return numeric->less(x, y) ? y : x;
}

static rd_bits bits_and(const struct rd_numeric *numeric, rd_bits x, rd_bits y)
{
    (void)numeric;
    return x & y;
}

static rd_bits bits_or(const struct rd_numeric *numeric, rd_bits x, rd_bits y)
{
    (void)numeric;
    return x | y;
}

static rd_bits bits_xor(const struct rd_numeric *numeric, rd_bits x, rd_bits y)
{
    (void)numeric;
    return x ^ y;
}

static bool zero(const struct rd_numeric *numeric, rd_bits *identity)
{
    *identity = numeric->from_u64(0);
    return true;
}

static bool one(const struct rd_numeric *numeric, rd_bits *identity)
{
    *identity = numeric->from_u64(1);
    return true;
}

static bool zero_bits(const struct rd_numeric *numeric, rd_bits *identity)
{
    *identity = 0;
    return !numeric->is_float;
}

static bool all_bits(const struct rd_numeric *numeric, rd_bits *identity)
{
    *identity = numeric->size_bytes == 4 ? UINT32_MAX : UINT64_MAX;
    return !numeric->is_float;
}

static rd_bits infinite(const struct rd_numeric *numeric, int sign)
{
    const float narrow = sign * INFINITY;
    const double wide = sign * (double)INFINITY;
    return numeric->load(numeric->size_bytes == 4 ? (const void *)&narrow : (const void *)&wide, 0);
}

static bool largest(const struct rd_numeric *numeric, rd_bits *identity)
{
    if (numeric->is_float)
        *identity = infinite(numeric, 1);
    else
        *identity = UINT64_MAX >> (64 - 8 * numeric->size_bytes + numeric->is_signed);
    return true;
}

static bool smallest(const struct rd_numeric *numeric, rd_bits *identity)
{
    if (numeric->is_float)
        *identity = infinite(numeric, -1);
    else
        *identity = numeric->is_signed ? (rd_bits)1 << (8 * numeric->size_bytes - 1) : 0;
    return true;
}

static const struct operation {
    const char *name;
    rd_bits (*combine)(const struct rd_numeric *numeric, rd_bits x, rd_bits y);
    bool (*identity)(const struct rd_numeric *numeric, rd_bits *identity); /* NULL: none */
    bool selects; /* an index, of the term that `combine` keeps */
} operations[RD_LAW_OPERATION_COUNT] = {
    [RD_LAW_SUM] = {"sum", add, zero, false},
    [RD_LAW_PRODUCT] = {"product", times, one, false},
    [RD_LAW_MIN] = {"min", least, largest, false},
    [RD_LAW_MAX] = {"max", most, smallest, false},
    [RD_LAW_AND] = {"and", bits_and, all_bits, false},
    [RD_LAW_OR] = {"or", bits_or, zero_bits, false},
    [RD_LAW_XOR] = {"xor", bits_xor, zero_bits, false},
    [RD_LAW_ARGMIN] = {"argmin", least, NULL, true},
    [RD_LAW_ARGMAX] = {"argmax", most, NULL, true},
};

const char *rd_law_operation_name(enum rd_law_operation operation)
{
    return operations[operation].name;
}

bool rd_law_operation_selects(enum rd_law_operation operation)
{
    return operations[operation].selects;
}

bool rd_law_operation_identity(enum rd_law_operation operation, const struct rd_numeric *numeric,
                               rd_bits *identity)
{
    rd_bits found;
    if (!operations[operation].identity || !operations[operation].identity(numeric, &found))
        return false;
    *identity = found;
    return true;
}

rd_bits rd_law_operation_combine(enum rd_law_operation operation, const struct rd_numeric *numeric,
                                 rd_bits x, rd_bits y)
{
    return operations[operation].combine(numeric, x, y);
}
