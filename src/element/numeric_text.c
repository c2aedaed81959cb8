// SPDX-License-Identifier: MIT
/* Types whose numbers are only read and written: those of the buffers of a checked kernel. Runs
 * have none of them, and no arithmetic is defined. */
#include "base/spelling.h"
#include "element/values_text.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool same_bits(rd_bits x, rd_bits y)
{
    return x == y;
}

static bool never_nan(rd_bits value)
{
    (void)value;
    return false;
}

/* Reads a whole number; NULL where there is none, or where it is not in [min, max]. */
static const char *parse_signed(const char *text, long long min, long long max, rd_bits *value)
{
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    if (isspace((unsigned char)*text) || end == text || errno || number < min || number > max)
        return NULL;
    *value = (rd_bits)number;
    return end;
}

static const char *parse_unsigned(const char *text, unsigned long long max, rd_bits *value)
{
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (isspace((unsigned char)*text) || *text == '-' || end == text || errno || number > max)
        return NULL;
    *value = number;
    return end;
}

#define PARSE_i(MIN, MAX) parse_signed(text, MIN, MAX, value)
#define PARSE_u(MIN, MAX) parse_unsigned(text, MAX, value)

#define INTEGER(NAME, ELEM, KIND, MIN, MAX, FORMAT, NPY, RANGE)                                    \
    static const char *parse_##NAME(const char *text, rd_bits *value)                              \
    {                                                                                              \
        return PARSE_##KIND(MIN, MAX);                                                             \
    }                                                                                              \
    static rd_bits load_##NAME(const void *cells, size_t index)                                    \
    {                                                                                              \
        ELEM value;                                                                                \
        rd_bits bits = 0;                                                                          \
        memcpy(&value, (const char *)cells + index * sizeof value, sizeof value);                  \
        memcpy(&bits, &value, sizeof value);                                                       \
        return bits;                                                                               \
    }                                                                                              \
    static void store_##NAME(void *cells, size_t index, rd_bits bits)                              \
    {                                                                                              \
        ELEM value = (ELEM)bits;                                                                   \
        memcpy((char *)cells + index * sizeof value, &value, sizeof value);                        \
    }                                                                                              \
    static int format_##NAME(char text[RD_VALUE_TEXT_SIZE], rd_bits bits)                          \
    {                                                                                              \
        return snprintf(text, RD_VALUE_TEXT_SIZE, FORMAT, (ELEM)bits);                             \
    }                                                                                              \
    static const struct rd_numeric text_##NAME = {                                                 \
        .type = (enum rd_type)RD_TYPE_COUNT,                                                       \
        .name = #NAME,                                                                             \
        .size_bytes = sizeof(ELEM),                                                                \
        .npy_kind = NPY,                                                                           \
        .range = RANGE,                                                                            \
        .load = load_##NAME,                                                                       \
        .store = store_##NAME,                                                                     \
        .same = same_bits,                                                                         \
        .is_nan = never_nan,                                                                       \
        .format = format_##NAME,                                                                   \
        .parse = parse_##NAME,                                                                     \
    }
INTEGER(i8, int8_t, i, INT8_MIN, INT8_MAX, "%" PRId8, "i1", "-128 to 127");
INTEGER(u8, uint8_t, u, 0, UINT8_MAX, "%" PRIu8, "u1", "0 to 255");
INTEGER(i16, int16_t, i, INT16_MIN, INT16_MAX, "%" PRId16, "i2", "-32768 to 32767");
INTEGER(u16, uint16_t, u, 0, UINT16_MAX, "%" PRIu16, "u2", "0 to 65535");

const struct rd_numeric *rd_numeric_of_buffers(unsigned k)
{
    static const struct rd_numeric *const narrow[] = {&text_i8, &text_u8, &text_i16, &text_u16};
    enum { N_NARROW = sizeof narrow / sizeof *narrow };
    if (k < N_NARROW)
        return narrow[k];
    return k - N_NARROW < RD_TYPE_COUNT ? rd_numeric((enum rd_type)(k - N_NARROW)) : NULL;
}

void rd_names_of_buffers(char *names, size_t size)
{
    enum { TYPES_MAX = 16 };
    const struct rd_numeric *type;
    const char *list[TYPES_MAX + 1] = {NULL};
    for (unsigned k = 0; k < TYPES_MAX && (type = rd_numeric_of_buffers(k)) != NULL; k++)
        list[k] = type->name;
    rd_alternatives(names, size, list);
}

const struct rd_numeric *rd_numeric_of_text(const char *name)
{
    const struct rd_numeric *type;
    for (unsigned k = 0; (type = rd_numeric_of_buffers(k)) != NULL; k++)
        if (strcmp(type->name, name) == 0)
            return type;
    return NULL;
}
