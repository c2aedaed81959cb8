// SPDX-License-Identifier: MIT
/* Inputs of another type than the array, ints that are added up in a long, halves in a float; and integers of 8 and 16 bits,
 * which laws have as numbers of 32. */
#include "check/playback/played.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Holds each number of all types that a law is of. */
_Static_assert(LDBL_MANT_DIG >= 64, "a long double holds each whole number of 64 bits");

static long double get(const struct rd_played_array *array, size_t cell)
{
    switch (array->type) {
    case RD_TYPE_I32:
        return ((const int32_t *)array->cells)[cell];
    case RD_TYPE_U32:
        return ((const uint32_t *)array->cells)[cell];
    case RD_TYPE_I64:
        return ((const int64_t *)array->cells)[cell];
    case RD_TYPE_U64:
        return ((const uint64_t *)array->cells)[cell];
    default:
        return rd_numeric(array->type)
            ->to_double(rd_numeric(array->type)->load(array->cells, cell));
    }
}

/* False where the type doesn't have the number. */
static bool put(const struct rd_played_array *array, size_t cell, long double value)
{
    const struct rd_numeric *numeric = rd_numeric(array->type);
    const bool is_whole = value == floorl(value);
    switch (array->type) {
    case RD_TYPE_I32:
        if (!is_whole || value < INT32_MIN || value > INT32_MAX)
            return false;
        ((int32_t *)array->cells)[cell] = (int32_t)value;
        return true;
    case RD_TYPE_U32:
        if (!is_whole || value < 0 || value > UINT32_MAX)
            return false;
        ((uint32_t *)array->cells)[cell] = (uint32_t)value;
        return true;
    case RD_TYPE_I64:
        if (!is_whole || value < -9223372036854775808.0L || value >= 9223372036854775808.0L)
            return false;
        ((int64_t *)array->cells)[cell] = (int64_t)value;
        return true;
    case RD_TYPE_U64:
        if (!is_whole || value < 0 || value >= 0x1p64L)
            return false;
        ((uint64_t *)array->cells)[cell] = (uint64_t)value;
        return true;
    default: /* a whole number of 64 bits may be none of a double's, too */
        numeric->store(array->cells, cell, numeric->from_double((double)value));
        return get(array, cell) == value;
    }
}

enum rd_status rd_played_convert(const struct rd_played_array *from, enum rd_type type,
                                 struct rd_played_array *to)
{
    *to = (struct rd_played_array){.type = type, .count = from->count};
    to->cells = malloc(from->count * rd_numeric(type)->size_bytes);
    if (!to->cells)
        return RD_ERROR_MEMORY;
    for (size_t cell = 0; cell < from->count; cell++)
        if (!put(to, cell, get(from, cell))) {
            free(to->cells);
            to->cells = NULL;
            return RD_ERROR_USAGE;
        }
    return RD_OK;
}

size_t rd_played_bytes(const struct rd_played_array *array, size_t count)
{
    return count *
           (array->narrow_bytes ? array->narrow_bytes : rd_numeric(array->type)->size_bytes);
}

bool rd_played_store(const struct rd_played_array *as, size_t count, void *cells)
{
    if (as->narrow_bytes == 0)
        return true;
    for (size_t k = 0; k < count; k++) { /* each is written in front of the next that is read */
        int32_t value;
        memcpy(&value, (char *)cells + k * sizeof value, sizeof value);
        if (value < as->narrow_least || value > as->narrow_most)
            return false;
        if (as->narrow_bytes == 1)
            ((uint8_t *)cells)[k] = (uint8_t)value;
        else
            memcpy((char *)cells + 2 * k, &(uint16_t){(uint16_t)value}, 2);
    }
    return true;
}
