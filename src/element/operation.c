// SPDX-License-Identifier: MIT
#include "element/operation_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NAME_OF(name, NAME, selects, integers) [RD_OPERATION_##NAME] = #name,
static const char *const names[RD_OPERATION_COUNT] = {RD_OPERATIONS(NAME_OF)};

#define SELECTS(name, NAME, selects, integers) [RD_OPERATION_##NAME] = (selects),
static const bool selecting[RD_OPERATION_COUNT] = {RD_OPERATIONS(SELECTS)};

const char *rd_operation_name(enum rd_operation operation)
{
    return names[operation];
}

bool rd_operation_named(const char *name, enum rd_operation *operation)
{
    for (int k = 0; k < RD_OPERATION_COUNT; k++) {
        if (strcmp(names[k], name) == 0) {
            *operation = (enum rd_operation)k;
            return true;
        }
    }
    return false;
}

bool rd_operation_selects(enum rd_operation operation)
{
    return selecting[operation];
}

enum rd_status rd_operation_over(enum rd_operation operation, enum rd_type type,
                                 const struct rd_numeric **numeric, struct rd_error *error)
{
    const struct rd_numeric *found = rd_numeric_over(type, operation);
    if (!found && selecting[operation])
        return rd_fail(
            error, RD_ERROR_USAGE,
            "'%s' keeps indices in cells as wide as the inputs, and the type is %s: use a "
            "type of 32 or 64 bits",
            names[operation], rd_numeric(type)->name);
    if (!found)
        return rd_fail(
            error, RD_ERROR_USAGE,
            "'%s' works on the bits of integers, and the type is %s: use an integer type",
            names[operation], rd_numeric(type)->name);
    *numeric = found;
    return RD_OK;
}

#define ROW(NAME, combined, identity, absorbing, counts, mark, ...)                                \
    [RD_OPERATION_##NAME] = {RD_VALUE_##identity, RD_VALUE_##absorbing, RD_COUNTS_##counts,        \
                             RD_MARK_##mark, __VA_ARGS__},
static const struct rd_operation_row rows[] = {RD_OPERATION_ROWS(ROW)};
_Static_assert(sizeof rows / sizeof *rows == RD_OPERATION_COUNT,
               "an operation has no row in operation_table.h");

const struct rd_operation_row *rd_operation_row(enum rd_operation operation)
{
    return &rows[operation];
}

static rd_bits all_ones(const struct rd_numeric *numeric)
{
    return UINT64_MAX >> (64 - 8 * numeric->size_bytes);
}

/* A special value of an integer type; of floats those that are the same in all types. */
static bool special_value(enum rd_special_value special, const struct rd_numeric *numeric,
                          rd_bits *value)
{
    switch (special) {
    case RD_VALUE_NONE:
        return false;
    case RD_VALUE_ZERO:
        *value = numeric->from_u64(0);
        return true;
    case RD_VALUE_ONE:
        *value = numeric->from_u64(1);
        return true;
    case RD_VALUE_ALL_ONES:
        *value = all_ones(numeric);
        return true;
    case RD_VALUE_LARGEST:
        *value = all_ones(numeric) >> numeric->is_signed;
        return true;
    case RD_VALUE_SMALLEST:
        *value = numeric->is_signed ? (rd_bits)1 << (8 * numeric->size_bytes - 1) : 0;
        return true;
    case RD_VALUE_NO_INDEX:
        *value = rd_numeric_no_index(numeric);
        return true;
    }
    return false;
}

static bool is_extreme(enum rd_special_value special)
{
    return special == RD_VALUE_LARGEST || special == RD_VALUE_SMALLEST;
}

bool rd_operation_identity(enum rd_operation operation, const struct rd_numeric *numeric,
                           rd_bits *identity)
{
    const enum rd_special_value special = rows[operation].identity;
    if (!rd_numeric_over(numeric->type, operation) ||
        (special == RD_VALUE_NO_INDEX && numeric->operation != operation))
        return false;
    /* Any number wins over a NaN: beside an infinity, min and max of nothing but NaNs would be lost. */
    if (numeric->is_float && is_extreme(special))
        *identity = numeric->from_double((double)NAN);
    else
        special_value(special, numeric, identity);
    return true;
}

bool rd_operation_absorbing(enum rd_operation operation, const struct rd_numeric *numeric,
                            rd_bits *value)
{
    const enum rd_special_value special = rows[operation].absorbing;
    if (!numeric->is_float || !is_extreme(special))
        return special_value(special, numeric, value);
    *value = numeric->from_double(special == RD_VALUE_LARGEST ? INFINITY : -INFINITY);
    return true;
}

rd_bits rd_operation_combine(enum rd_operation operation, const struct rd_numeric *numeric,
                             rd_bits x, rd_bits y)
{
    if (operation != numeric->operation)
        numeric = rd_numeric_over(numeric->type, operation);
    return (numeric->combine ? numeric : numeric->inputs)->combine(x, y);
}

/* The first `length` characters at `at`, in text[size], become the word; returns what is behind it. */
static char *replace(char *text, size_t size, char *at, size_t length, const char *word)
{
    const size_t before = (size_t)(at - text), room = size - before;
    const size_t word_length = strlen(word) < room ? strlen(word) : room - 1;
    size_t rest = strlen(at + length) + 1;
    if (word_length + rest > room)
        rest = room - word_length;
    memmove(at + word_length, at + length, rest);
    memcpy(at, word, word_length);
    text[size - 1] = '\0';
    return at + word_length;
}

void rd_operation_in_words(enum rd_operation operation, char *text, size_t size)
{
    static const char sum[] = "sum of ", zero[] = "] = 0";
    char nothing[40];
    if (operation == RD_OPERATION_SUM)
        return;
    for (char *at = text; (at = strstr(at, sum)) != NULL;)
        at = replace(text, size, at, sizeof sum - sizeof " of ", names[operation]);
    /* Without a case, as a law says it. */
    snprintf(nothing, sizeof nothing, "] = %s of a[j], j < 0", names[operation]);
    for (char *at = text; (at = strstr(at, zero)) != NULL;) {
        const char behind = at[sizeof zero - 1];
        at = behind == '\0' || behind == ';' ? replace(text, size, at, sizeof zero - 1, nothing)
                                             : at + 1;
    }
}
