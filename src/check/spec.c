// SPDX-License-Identifier: MIT
#include "check/check.h"
#include "sim/memory.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SLACK_BYTES = 8192 };
#define COUNT_MAX ((size_t)1 << 33)

static const struct type {
    const char *name;
    unsigned size_bytes;
    char kind;
} types[] = {{"i8", 1, 'i'},  {"u8", 1, 'u'},  {"i16", 2, 'i'}, {"u16", 2, 'u'}, {"i32", 4, 'i'},
             {"u32", 4, 'u'}, {"i64", 8, 'i'}, {"u64", 8, 'u'}, {"f32", 4, 'f'}, {"f64", 8, 'f'}};
enum { N_TYPES = sizeof types / sizeof *types };

/* ---- numbers ---- */

static void store(void *to, unsigned size_bytes, char kind, uint64_t bits, double real)
{
    float single = (float)real;
    if (kind == 'f' && size_bytes == 4)
        memcpy(to, &single, 4);
    else if (kind == 'f')
        memcpy(to, &real, 8);
    else
        memcpy(to, &bits, size_bytes); /* little-endian, as are all hosts of CUDA */
}

static uint64_t splitmix(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* Reads digits that fill the rest of the text. */
static bool parse_unsigned(const char *text, uint64_t *number)
{
    char *end;
    errno = 0;
    if (!isdigit((unsigned char)*text))
        return false;
    *number = strtoull(text, &end, 0);
    return *end == '\0' && errno == 0;
}

/* ---- buffers ---- */

/* Fills memory as `fill` says. False where it is no fill. */
static bool fill_memory(char *memory, const struct type *type, size_t count, const char *fill)
{
    uint64_t number = 0;
    enum { ZERO, ONE, IOTA, PLUS, MOD, RANDOM } how;
    if (strcmp(fill, "zero") == 0)
        how = ZERO;
    else if (strcmp(fill, "one") == 0)
        how = ONE;
    else if (strcmp(fill, "iota") == 0)
        how = IOTA;
    else if (strncmp(fill, "plus", 4) == 0 && parse_unsigned(fill + 4, &number))
        how = PLUS;
    else if (strncmp(fill, "mod", 3) == 0 && parse_unsigned(fill + 3, &number) && number > 0)
        how = MOD;
    else if (strncmp(fill, "random:", 7) == 0 && parse_unsigned(fill + 7, &number))
        how = RANDOM;
    else
        return false;
    for (size_t i = 0; i < count; i++) {
        uint64_t bits = 0;
        double real = 0;
        switch (how) {
        case ZERO:
            break;
        case ONE:
            bits = 1;
            break;
        case IOTA:
            bits = i;
            break;
        case PLUS:
            bits = i + number;
            break;
        case MOD:
            bits = ((i * 2654435761u) >> 7) % number;
            break;
        case RANDOM:
            bits = splitmix(&number);
            real = (double)(bits >> 11) * 0x1p-52 - 1;
            break;
        }
        store(memory + i * type->size_bytes, type->size_bytes, type->kind, bits,
              how == RANDOM ? real : (double)bits);
    }
    return true;
}

/* Numbers from a text file, as many as there are elements. */
static enum rd_status fill_from_file(char *memory, const struct type *type, size_t count,
                                     const char *path, struct rd_error *error)
{
    FILE *file = fopen(path, "r");
    char word[64];
    size_t i = 0;
    if (!file)
        return rd_fail(error, RD_ERROR_USAGE, "'%s' can't be read: %s", path, strerror(errno));
    while (fscanf(file, "%63s", word) == 1) {
        char *end;
        double real = strtod(word, &end);
        if (*end != '\0' && *end != ',') {
            fclose(file);
            return rd_fail(error, RD_ERROR_USAGE, "'%s' has '%s', which is no number", path, word);
        }
        if (i < count)
            store(memory + i * type->size_bytes, type->size_bytes, type->kind,
                  word[0] == '-' ? (uint64_t)strtoll(word, NULL, 10) : strtoull(word, NULL, 10),
                  real);
        i++;
    }
    fclose(file);
    if (i != count)
        return rd_fail(error, RD_ERROR_USAGE, "'%s' has %zu numbers, and the buffer %zu elements",
                       path, i, count);
    return RD_OK;
}

static enum rd_status make_buffer(struct rd_check_arg *arg, const char *spec,
                                  const struct type *type, struct rd_error *error)
{
    char *end;
    const char *bracket = strchr(spec, '[');
    errno = 0;
    unsigned long long count =
        isdigit((unsigned char)bracket[1]) ? strtoull(bracket + 1, &end, 10) : 0;
    if (count == 0 || errno || count > COUNT_MAX || strncmp(end, "]:", 2) != 0)
        return rd_fail(error, RD_ERROR_USAGE,
                       "'%s' is no buffer: write TYPE[COUNT]:FILL, for instance f32[1024]:iota",
                       spec);
    const char *fill = end + 2;
    size_t size_bytes = (size_t)count * type->size_bytes;
    char *memory = rd_sim_memory_alloc(size_bytes, SLACK_BYTES);
    if (!memory)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for '%s'", spec);
    arg->is_buffer = true;
    arg->memory = memory;
    arg->count = (size_t)count;
    arg->elem_bytes = type->size_bytes;
    snprintf(arg->type, sizeof arg->type, "%s", type->name);
    if (strcmp(fill, "uninit") == 0)
        return RD_OK;
    if (*fill == '@') {
        enum rd_status status = fill_from_file(memory, type, arg->count, fill + 1, error);
        if (status != RD_OK)
            return status;
    } else if (!fill_memory(memory, type, arg->count, fill)) {
        return rd_fail(error, RD_ERROR_USAGE,
                       "'%s' has the fill '%s': use zero, one, iota, random:SEED, plusK, modK, "
                       "uninit or @FILE",
                       spec, fill);
    }
    rd_sim_memory_written(memory, size_bytes);
    return RD_OK;
}

/* ---- scalars ---- */

static enum rd_status make_struct(struct rd_check_arg *arg, const char *spec, unsigned size_bytes,
                                  struct rd_error *error)
{
    const char *digits = spec + 2;
    size_t length = strncmp(spec, "0x", 2) == 0 ? strlen(digits) : 0;
    if (length != (size_t)size_bytes * 2 || strspn(digits, "0123456789abcdefABCDEF") != length)
        return rd_fail(error, RD_ERROR_USAGE,
                       "'%s' is for a struct of %u bytes: write its bytes in hex, 0x and %u digits",
                       spec, size_bytes, size_bytes * 2);
    for (unsigned k = 0; k < size_bytes; k++) {
        char byte[3] = {digits[2 * k], digits[2 * k + 1], '\0'};
        arg->bytes[k] = (unsigned char)strtoul(byte, NULL, 16);
    }
    return RD_OK;
}

static enum rd_status make_scalar(struct rd_check_arg *arg, const char *spec,
                                  const struct rd_check_parameter *parameter,
                                  struct rd_error *error)
{
    char *end;
    errno = 0;
    if (parameter->kind == 'f') {
        double real = strtod(spec, &end);
        store(arg->bytes, parameter->size, 'f', 0, real);
    } else if (*spec == '-') {
        store(arg->bytes, parameter->size, 'i', (uint64_t)strtoll(spec, &end, 0), 0);
    } else {
        store(arg->bytes, parameter->size, 'u', strtoull(spec, &end, 0), 0);
    }
    if (end == spec || *end != '\0' || errno == ERANGE)
        return rd_fail(error, RD_ERROR_USAGE, "'%s' is no %s", spec,
                       parameter->kind == 'f' ? "number" : "whole number");
    return RD_OK;
}

enum rd_status rd_check_arg_init(struct rd_check_arg *arg, const char *spec,
                                 const struct rd_check_parameter *parameter, unsigned number,
                                 struct rd_error *error)
{
    struct rd_check_arg made = {0};
    enum rd_status status;
    size_t length = strcspn(spec, "[");
    const struct type *type = NULL;
    for (int k = 0; k < N_TYPES && spec[length]; k++)
        if (strlen(types[k].name) == length && strncmp(spec, types[k].name, length) == 0)
            type = &types[k];
    if (spec[length] && !type)
        return rd_fail(
            error, RD_ERROR_USAGE,
            "'%s' has an unknown type: use i8, u8, i16, u16, i32, u32, i64, u64, f32 or f64", spec);
    if (type && parameter->kind != 'p')
        return rd_fail(error, RD_ERROR_USAGE, "'%s' is a buffer, and parameter %u is no pointer",
                       spec, number + 1);
    if (type && parameter->pointee_size && parameter->pointee_kind != 's' &&
        parameter->pointee_size != type->size_bytes)
        return rd_fail(error, RD_ERROR_USAGE,
                       "'%s' has elements of %u bytes, and parameter %u points to elements of %u",
                       spec, type->size_bytes, number + 1, parameter->pointee_size);
    if (!type && parameter->kind == 'p' && strcmp(spec, "0") != 0)
        return rd_fail(
            error, RD_ERROR_USAGE,
            "'%s' is a number, and parameter %u is a pointer: write TYPE[COUNT]:FILL, or 0", spec,
            number + 1);
    if (parameter->size > sizeof made.bytes)
        return rd_fail(error, RD_ERROR_USAGE,
                       "parameter %u is a struct of %u bytes; at most %zu are "
                       "taken",
                       number + 1, parameter->size, sizeof made.bytes);
    if (type)
        status = make_buffer(&made, spec, type, error);
    else if (parameter->kind == 's')
        status = make_struct(&made, spec, parameter->size, error);
    else
        status = make_scalar(&made, spec, parameter, error);
    if (status == RD_OK)
        *arg = made;
    return status;
}

void rd_check_arg_print(const struct rd_check_arg *arg, FILE *file)
{
    for (size_t i = 0; i < arg->count; i++) {
        const char *cell = (const char *)arg->memory + i * arg->elem_bytes;
        int64_t bits = 0;
        float single;
        double real;
        memcpy(&bits, cell, arg->elem_bytes);
        if (i > 0)
            fputc(' ', file);
        if (arg->type[0] == 'f' && arg->elem_bytes == 4) {
            memcpy(&single, cell, 4);
            fprintf(file, "%.9g", (double)single);
        } else if (arg->type[0] == 'f') {
            memcpy(&real, cell, 8);
            fprintf(file, "%.17g", real);
        } else if (arg->type[0] == 'i') {
            unsigned shift = 64 - 8 * arg->elem_bytes;
            fprintf(file, "%" PRId64, (int64_t)((uint64_t)bits << shift) >> shift);
        } else {
            fprintf(file, "%" PRIu64, (uint64_t)bits);
        }
    }
    fputc('\n', file);
}
