// SPDX-License-Identifier: MIT
#include "check/source/expression.h"
#include "element/values_text.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 64 };

struct reader {
    const char *at, *end;
    const char *why; /* NULL: all is well so far */
    unsigned depth;
};

static void skip_blanks(struct reader *reader)
{
    while (reader->at < reader->end && *reader->at == ' ')
        reader->at++;
}

static bool take(struct reader *reader, char c)
{
    skip_blanks(reader);
    if (reader->at == reader->end || *reader->at != c)
        return false;
    reader->at++;
    return true;
}

static int64_t fail(struct reader *reader, const char *why)
{
    if (!reader->why)
        reader->why = why;
    return 0;
}

static int64_t read_sum(struct reader *reader);

static int64_t read_digits(struct reader *reader)
{
    int64_t value = 0;
    while (reader->at < reader->end && isdigit((unsigned char)*reader->at))
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, *reader->at++ - '0', &value))
            return fail(reader, "is beyond 2^63");
    return value;
}

/* min(x, y) or max(x, y), behind the name. */
static int64_t read_call(struct reader *reader, bool is_max)
{
    if (!take(reader, '('))
        return fail(reader, "is no expression");
    int64_t x = read_sum(reader);
    if (!take(reader, ','))
        return fail(reader, "is no expression");
    int64_t y = read_sum(reader);
    if (!take(reader, ')'))
        return fail(reader, "lacks a bracket");
    return (x > y) == is_max ? x : y;
}

static int64_t read_primary(struct reader *reader)
{
    int64_t value = 0;
    skip_blanks(reader);
    if (reader->why || ++reader->depth > DEPTH_MAX)
        return fail(reader, "is too deep");
    size_t left = (size_t)(reader->end - reader->at);
    if (left > 0 && isdigit((unsigned char)*reader->at)) {
        value = read_digits(reader);
    } else if (take(reader, '-')) {
        value = -read_primary(reader);
    } else if (take(reader, '(')) {
        value = read_sum(reader);
        if (!take(reader, ')'))
            fail(reader, "lacks a bracket");
    } else if (left > 3 &&
               (strncmp(reader->at, "min", 3) == 0 || strncmp(reader->at, "max", 3) == 0)) {
        bool is_max = reader->at[1] == 'a';
        reader->at += 3;
        value = read_call(reader, is_max);
    } else {
        fail(reader, "is no whole number, and no expression of such");
    }
    reader->depth--;
    return value;
}

static int64_t divide(struct reader *reader, char op, int64_t x, int64_t y)
{
    if (y == 0)
        return fail(reader, "divides by 0");
    if (y == -1)
        return op == '/' ? -x : 0;
    int64_t rest = x % y;
    bool down = rest != 0 && (rest < 0) != (y < 0);
    return op == '/' ? x / y - down : rest + (down ? y : 0);
}

static int64_t read_product(struct reader *reader)
{
    int64_t value = read_primary(reader);
    while (!reader->why) {
        skip_blanks(reader);
        char op = reader->at < reader->end ? *reader->at : '\0';
        if (!op || !strchr("*/%", op))
            break;
        reader->at++;
        int64_t other = read_primary(reader);
        if (reader->why)
            break;
        if (op != '*')
            value = divide(reader, op, value, other);
        else if (__builtin_mul_overflow(value, other, &value))
            fail(reader, "is beyond 2^63");
    }
    return value;
}

static int64_t read_sum(struct reader *reader)
{
    int64_t value = read_product(reader);
    while (!reader->why) {
        skip_blanks(reader);
        char op = reader->at < reader->end ? *reader->at : '\0';
        if (op != '+' && op != '-')
            break;
        reader->at++;
        int64_t other = read_product(reader);
        if (op == '+' ? __builtin_add_overflow(value, other, &value)
                      : __builtin_sub_overflow(value, other, &value))
            fail(reader, "is beyond 2^63");
    }
    return value;
}

enum rd_status rd_check_expression(const char *text, size_t length, int64_t *value,
                                   struct rd_error *error)
{
    struct reader reader = {.at = text, .end = text + length};
    int64_t read = read_sum(&reader);
    skip_blanks(&reader);
    if (!reader.why && reader.at < reader.end)
        reader.why = "is no whole number, and no expression of such";
    if (reader.why) {
        char subject[RD_SUBJECT_SIZE];
        rd_quote(subject, text, length);
        return rd_fail(error, RD_ERROR_USAGE, "%s %s", subject, reader.why);
    }
    *value = read;
    return RD_OK;
}

bool rd_check_is_expression(const char *text)
{
    bool has_operator = false;
    for (const char *at = text; *at; at++) {
        if (!isdigit((unsigned char)*at) && !strchr("+-*/%() ,minax", *at))
            return false;
        has_operator = has_operator || strchr("*/%(", *at) || (at > text && strchr("+-", *at));
    }
    return has_operator;
}

bool rd_check_is_name(const char *text, size_t length)
{
    if (length == 0 || isdigit((unsigned char)*text))
        return false;
    for (size_t k = 0; k < length; k++)
        if (!isalnum((unsigned char)text[k]) && text[k] != '_')
            return false;
    return true;
}

/* ---- names in texts ---- */

static bool is_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Finds the next word that may be a name of a value, from `at` on. NULL: there is none. */
static const char *next_word(const char *text, const char *at, size_t *length)
{
    while (*at) {
        if (*at == '@') { /* up to the end, or that of a member */
            at += strcspn(at, ",}");
            continue;
        }
        if (!is_letter(*at)) {
            at++;
            continue;
        }
        const char *word = at;
        while (is_letter(*at))
            at++;
        const char *behind = at + strspn(at, " ");
        bool is_kept = isdigit((unsigned char)*word) || (word > text && word[-1] == '.') ||
                       strchr("=[:.(", *behind ? *behind : ' ') != NULL;
        *length = (size_t)(at - word);
        if (!is_kept)
            return word;
    }
    return NULL;
}

bool rd_check_has_name(const char *text, const char *name)
{
    size_t length;
    for (const char *at = text; (at = next_word(text, at, &length)); at += length)
        if (strlen(name) == length && strncmp(at, name, length) == 0)
            return true;
    return false;
}

char *rd_check_put_values(const char *text, const struct rd_check_name_value *values, size_t n)
{
    char *made = NULL;
    size_t size, length;
    FILE *out = open_memstream(&made, &size);
    const char *from = text;
    if (!out)
        return NULL;
    for (const char *at = text; (at = next_word(text, at, &length)); at += length)
        for (size_t k = 0; k < n; k++) {
            if (strlen(values[k].name) != length || strncmp(at, values[k].name, length) != 0)
                continue;
            fwrite(from, 1, (size_t)(at - from), out);
            fprintf(out, "%" PRId64, values[k].value);
            from = at + length;
            break;
        }
    fputs(from, out);
    if (fclose(out) == 0)
        return made;
    free(made);
    return NULL;
}
