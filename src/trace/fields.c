// SPDX-License-Identifier: MIT
#include "trace/fields.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

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
