// SPDX-License-Identifier: MIT
#include "trace/json.h"
#include "trace/record.h"
#include "base/texts.h"

#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- writing ---- */

static void emit_key(struct rd_trace_emitter *emitter, const char *key)
{
    if (emitter->comma)
        putc(',', emitter->file);
    emitter->comma = true;
    if (!key)
        return;
    putc('"', emitter->file); /* ours, and in no need of escapes */
    fputs(key, emitter->file);
    fwrite("\":", 1, 2, emitter->file);
}

static void emit_quoted(struct rd_trace_emitter *emitter, const char *text, size_t length)
{
    putc('"', emitter->file);
    fwrite(text, 1, length, emitter->file);
    putc('"', emitter->file);
}

void rd_trace_emit_open(struct rd_trace_emitter *emitter, const char *key, char bracket)
{
    emit_key(emitter, key);
    fputc(bracket, emitter->file);
    emitter->comma = false;
}

void rd_trace_emit_close(struct rd_trace_emitter *emitter, char bracket)
{
    fputc(bracket, emitter->file);
    emitter->comma = true;
}

/* A string of JSON, or NULL: no memory. */
static json_t *json_from(const char *string)
{
    json_t *json = json_string(string);
    if (json)
        return json;
    char *ascii = strdup(string);
    for (char *c = ascii; c && *c; c++)
        if ((unsigned char)*c >= 0x80)
            *c = '?';
    json = ascii ? json_string(ascii) : NULL;
    free(ascii);
    return json;
}

/* Tells whether a string needs no escapes in JSON. */
static bool is_plain(const char *string, size_t length)
{
    bool plain = true;
    for (size_t k = 0; k < length; k++) {
        const unsigned char c = (unsigned char)string[k];
        plain &= c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
    }
    return plain;
}

void rd_trace_emit_string(struct rd_trace_emitter *emitter, const char *key, const char *string)
{
    const size_t length = strlen(string);
    if (is_plain(string, length)) {
        emit_key(emitter, key);
        emit_quoted(emitter, string, length);
        return;
    }
    json_t *json = json_from(string);
    char *text = json ? json_dumps(json, JSON_ENCODE_ANY) : NULL;
    emit_key(emitter, key);
    if (text)
        fputs(text, emitter->file);
    else
        emitter->failed = true;
    free(text);
    json_decref(json);
}

void rd_trace_emit_bool(struct rd_trace_emitter *emitter, const char *key, bool value)
{
    emit_key(emitter, key);
    fputs(value ? "true" : "false", emitter->file);
}

void rd_trace_emit_uint(struct rd_trace_emitter *emitter, const char *key, uint64_t value)
{
    char digits[RD_DIGITS_SIZE];
    const size_t length = (size_t)rd_digits(digits, false, value);
    emit_key(emitter, key);
    if (value > RD_TRACE_EXACT)
        emit_quoted(emitter, digits, length);
    else
        fwrite(digits, 1, length, emitter->file);
}

void rd_trace_emit_int(struct rd_trace_emitter *emitter, const char *key, int64_t value)
{
    char digits[RD_DIGITS_SIZE];
    const size_t length = (size_t)rd_digits_signed(digits, value);
    emit_key(emitter, key);
    fwrite(digits, 1, length, emitter->file);
}

/* Makes the text of a finite real good for JSON. A reader takes it as a double first and then as a
 * narrower float, and of some short texts the two roundings together miss that: then all digits do. */
static void finish_real(const struct rd_numeric *numeric, rd_bits value,
                        char text[RD_VALUE_TEXT_SIZE + 2])
{
    /* The few digits of a whole number are a double. */
    if (numeric->size_bytes < sizeof(double) && strpbrk(text, ".e") &&
        numeric->from_double(strtod(text, NULL)) != value)
        snprintf(text, RD_VALUE_TEXT_SIZE, "%.*g", (int)numeric->max_digits,
                 numeric->to_double(value));
    if (!strpbrk(text, ".e"))
        strcat(text, ".0");
}

void rd_trace_emit_value(struct rd_trace_emitter *emitter, const char *key,
                         const struct rd_numeric *numeric, rd_bits value)
{
    char text[RD_VALUE_TEXT_SIZE + 2];
    emit_key(emitter, key);
    numeric->format(text, value);
    const char first = text[text[0] == '-'];
    const bool finite = first >= '0' && first <= '9';
    bool exact = numeric->is_float || rd_numeric_is_exact_double(numeric, value);
    if (numeric->is_float && finite)
        finish_real(numeric, value, text);
    if (finite && exact)
        fputs(text, emitter->file);
    else
        emit_quoted(emitter, text, strlen(text));
}

void rd_trace_emit_double(struct rd_trace_emitter *emitter, const char *key, double value)
{
    const struct rd_numeric *numeric = rd_numeric(RD_TYPE_F64);
    rd_trace_emit_value(emitter, key, numeric, numeric->load(&value, 0));
}

/* ---- reading ---- */

void rd_trace_fields_refuse(struct rd_trace_fields *in, const char *format, ...)
{
    char message[sizeof in->error->text];
    if (in->status)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    in->status = rd_trace_refuse(in->reader, in->error, "%s", message);
}

bool rd_trace_has(const json_t *object, const char *key)
{
    return json_object_get(object, key) != NULL;
}

/* A whole number, or the string of one. */
static bool uint_of(const json_t *json, uint64_t *value)
{
    if (json_is_integer(json) && json_integer_value(json) >= 0) {
        *value = (uint64_t)json_integer_value(json);
        return true;
    }
    const char *text = json_string_value(json);
    if (!text || text[0] < '0' || text[0] > '9') /* a sign or a blank would be taken too */
        return false;
    rd_bits bits;
    const char *end = rd_numeric(RD_TYPE_U64)->parse(text, &bits);
    if (!end || *end != '\0')
        return false;
    *value = bits;
    return true;
}

uint64_t rd_trace_get_uint(struct rd_trace_fields *in, const json_t *object, const char *key,
                           uint64_t min, uint64_t max)
{
    const json_t *json = json_object_get(object, key);
    uint64_t value;
    if (json && uint_of(json, &value) && min <= value && value <= max)
        return value;
    rd_trace_fields_refuse(in, json ? "'%s' is not a whole number in its range" : "no '%s'", key);
    return min;
}

size_t rd_trace_get_size(struct rd_trace_fields *in, const json_t *object, const char *key)
{
    return (size_t)rd_trace_get_uint(in, object, key, 0, SIZE_MAX);
}

unsigned rd_trace_get_unsigned(struct rd_trace_fields *in, const json_t *object, const char *key)
{
    return (unsigned)rd_trace_get_uint(in, object, key, 0, UINT_MAX);
}

bool rd_trace_get_bool(struct rd_trace_fields *in, const json_t *object, const char *key)
{
    const json_t *json = json_object_get(object, key);
    if (!json_is_boolean(json))
        rd_trace_fields_refuse(in, "no '%s' that is true or false", key);
    return json_is_true(json);
}

const char *rd_trace_get_string(struct rd_trace_fields *in, const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    if (!text)
        rd_trace_fields_refuse(in, "no '%s' that is a string", key);
    return text ? text : "";
}

const json_t *rd_trace_get_object(struct rd_trace_fields *in, const json_t *object, const char *key)
{
    const json_t *json = json_object_get(object, key);
    if (json_is_object(json))
        return json;
    rd_trace_fields_refuse(in, "no '%s' that is an object", key);
    return NULL;
}

const json_t *rd_trace_get_array(struct rd_trace_fields *in, const json_t *object, const char *key)
{
    const json_t *json = json_object_get(object, key);
    if (json_is_array(json))
        return json;
    rd_trace_fields_refuse(in, "no '%s' that is an array", key);
    return NULL;
}

enum rd_verdict rd_trace_get_verdict(struct rd_trace_fields *in, const json_t *object,
                                     const char *key)
{
    enum rd_verdict verdict = RD_INCONCLUSIVE;
    const char *name = rd_trace_get_string(in, object, key);
    if (!rd_verdict_named(name, &verdict))
        rd_trace_fields_refuse(in, "'%s' is \"%.20s\": not HOLDS, VIOLATED or INCONCLUSIVE", key,
                               name);
    return verdict;
}

/* A real becomes a float by one more rounding, of which the writer has made sure. */
static bool bits_of_real(const struct rd_numeric *numeric, double real, rd_bits *bits)
{
    *bits = numeric->from_double(real);
    return !isinf(numeric->to_double(*bits)) || isinf(real);
}

bool rd_trace_bits(const struct rd_numeric *numeric, const json_t *json, rd_bits *bits)
{
    char text[32];
    const char *string = json_string_value(json);
    if (numeric->is_float && json_is_number(json))
        return bits_of_real(numeric, json_number_value(json), bits);
    if (numeric->is_float)
        return string &&
               (strcmp(string, "nan") == 0 || strcmp(string, "inf") == 0 ||
                strcmp(string, "-inf") == 0) &&
               numeric->parse(string, bits);
    if (json_is_integer(json)) {
        snprintf(text, sizeof text, "%" JSON_INTEGER_FORMAT, json_integer_value(json));
        return numeric->parse(text, bits) != NULL;
    }
    if (!string || numeric->size_bytes < 8 ||
        (string[0] != '-' && (string[0] < '0' || string[0] > '9')))
        return false;
    const char *end = numeric->parse(string, bits);
    return end && *end == '\0';
}

rd_bits rd_trace_get_value(struct rd_trace_fields *in, const json_t *object, const char *key,
                           const struct rd_numeric *numeric)
{
    rd_bits bits = 0;
    if (!rd_trace_bits(numeric, json_object_get(object, key), &bits))
        rd_trace_fields_refuse(in, "no '%s' that is a value of type %s", key, numeric->name);
    return bits;
}
