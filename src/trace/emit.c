// SPDX-License-Identifier: MIT
#include "trace/emit.h"
#include "base/digits.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

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
