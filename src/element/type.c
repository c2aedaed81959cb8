// SPDX-License-Identifier: MIT
#include "reductio/numeric.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define DECLARE(name, NAME, elem, kind) extern const struct rd_numeric rd_numeric_##name[];
RD_TYPES(DECLARE)

#define ENTRY(name, NAME, elem, kind) [RD_TYPE_##NAME] = rd_numeric_##name,
static const struct rd_numeric *const types[RD_TYPE_COUNT] = {RD_TYPES(ENTRY)};

/* Indices are as wide as the elements: in 16 bits there would be room for few. */
#define DECLARE_INDICES(name, NAME, elem, kind) DECLARE_INDICES_##kind(name)
#define DECLARE_INDICES_signed(name)            extern const struct rd_numeric rd_indices_##name[];
#define DECLARE_INDICES_unsigned(name)          DECLARE_INDICES_signed(name)
#define DECLARE_INDICES_real(name)              DECLARE_INDICES_signed(name)
#define DECLARE_INDICES_half(name)
RD_TYPES(DECLARE_INDICES)

#define INDICES(name, NAME, elem, kind) INDICES_##kind(name, NAME)
#define INDICES_signed(name, NAME)      [RD_TYPE_##NAME] = rd_indices_##name,
#define INDICES_unsigned(name, NAME)    INDICES_signed(name, NAME)
#define INDICES_real(name, NAME)        INDICES_signed(name, NAME)
#define INDICES_half(name, NAME)
static const struct rd_numeric *const indices[RD_TYPE_COUNT] = {RD_TYPES(INDICES)};

const struct rd_numeric *rd_numeric(enum rd_type type)
{
    return (unsigned)type < RD_TYPE_COUNT ? types[type] : NULL;
}

const struct rd_numeric *rd_numeric_over(enum rd_type type, enum rd_operation operation)
{
    if ((unsigned)type >= RD_TYPE_COUNT || (unsigned)operation >= RD_OPERATION_COUNT)
        return NULL;
    if ((unsigned)operation >= RD_SELECTING_FIRST)
        return indices[type] ? &indices[type][operation - RD_SELECTING_FIRST] : NULL;
    return types[type][operation].name ? &types[type][operation] : NULL;
}

const struct rd_numeric *rd_numeric_named(const char *name)
{
    for (int type = 0; type < RD_TYPE_COUNT; type++)
        if (strcmp(types[type]->name, name) == 0)
            return types[type];
    return NULL;
}

bool rd_numeric_is_exact_double(const struct rd_numeric *numeric, rd_bits value)
{
    bool negative = numeric->is_signed && value >> (8 * numeric->size_bytes - 1);
    rd_bits magnitude = negative && numeric->size_bytes == 8 ? -value : value;
    return magnitude <= UINT64_C(1) << 53;
}

/* The index of nothing. */
static const char none[] = "none";

static bool selects(const struct rd_numeric *numeric)
{
    return numeric->lanes && numeric->lanes->select;
}

rd_bits rd_numeric_no_index(const struct rd_numeric *numeric)
{
    return UINT64_MAX >> (64 - 8 * numeric->size_bytes);
}

rd_bits rd_cell_combine(const struct rd_numeric *numeric, const void *a, size_t n_a, rd_bits x,
                        rd_bits y)
{
    uint64_t kept, other;
    if (!selects(numeric))
        return numeric->combine(x, y);
    if (x >= n_a || y >= n_a)
        return x < y ? x : y;
    numeric->store(&kept, 0, x);
    numeric->store(&other, 0, y);
    numeric->lanes->select(numeric->operation, a, n_a, &kept, &other, 1);
    return numeric->load(&kept, 0);
}

const char *rd_cell_text(const struct rd_numeric *numeric, const void *a, size_t n_a, rd_bits value,
                         char text[RD_VALUE_TEXT_SIZE])
{
    if (selects(numeric) && value == rd_numeric_no_index(numeric)) {
        snprintf(text, RD_VALUE_TEXT_SIZE, "%s", none);
        return text;
    }
    if (!selects(numeric) || !a || value >= n_a) {
        numeric->format(text, value);
        return text;
    }
    const int length = numeric->inputs->format(text, numeric->inputs->load(a, value));
    snprintf(text + length, (size_t)(RD_VALUE_TEXT_SIZE - length), " at %" PRIu64, value);
    return text;
}

const char *rd_cell_parse(const struct rd_numeric *numeric, const char *text, rd_bits *value)
{
    const size_t length = strlen(none);
    if (!selects(numeric) || strncmp(text, none, length) != 0)
        return numeric->parse(text, value);
    *value = rd_numeric_no_index(numeric);
    return text + length;
}

rd_bits rd_expect_cell(const struct rd_expect *expect, size_t i)
{
    return expect->numeric->load(expect->cells, i / expect->stride);
}
