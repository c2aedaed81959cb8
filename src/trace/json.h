// SPDX-License-Identifier: MIT
/* Writes JSON text member by member. jansson's own dumper can't be told how to write a number, and
 * a trace wants each float in the shortest text that reads back as the same bits; so the commas
 * and the numbers are made here, and jansson makes the strings. Private to src/trace. */
#ifndef RD_TRACE_JSON_H
#define RD_TRACE_JSON_H

#include "reductio/numeric.h"
#include "reductio/run.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

struct rd_trace_reader;

/* A number beyond this is written as a string: a reader that keeps numbers as doubles, as JSON
 * allows it to, would change it. */
#define RD_TRACE_EXACT ((uint64_t)1 << 53)

struct rd_trace_emitter {
    FILE *file;
    bool comma;  /* a member stands before the next one */
    bool failed; /* no memory; what the file did wrong is in ferror(file) */
};

/* `key` is NULL within an array and for the outermost object; `bracket` is '{' or '['. */
void rd_trace_emit_open(struct rd_trace_emitter *emitter, const char *key, char bracket);
void rd_trace_emit_close(struct rd_trace_emitter *emitter, char bracket);

/* Bytes that are not UTF-8 (a file name may have them) are written as '?'. */
void rd_trace_emit_string(struct rd_trace_emitter *emitter, const char *key, const char *string);
void rd_trace_emit_bool(struct rd_trace_emitter *emitter, const char *key, bool value);
void rd_trace_emit_uint(struct rd_trace_emitter *emitter, const char *key, uint64_t value);
void rd_trace_emit_int(struct rd_trace_emitter *emitter, const char *key, int64_t value);

/* A value of a cell: an integer; a real with a point or an exponent, so that "-0.0" stays apart
 * from 0; or one of the strings "nan", "inf", "-inf". */
void rd_trace_emit_value(struct rd_trace_emitter *emitter, const char *key,
                         const struct rd_numeric *numeric, rd_bits value);
void rd_trace_emit_double(struct rd_trace_emitter *emitter, const char *key, double value);

/* The members of a JSON object, each checked. Nothing in a trace is believed: a member may be
 * missing, of another kind, or out of its range. The first failure stays; after it each function
 * returns 0 or an empty value, so that a record is read straight down and asked once whether all
 * was well. Private to src/trace. */

struct rd_trace_fields {
    const struct rd_trace_reader *reader; /* for path and line */
    struct rd_error *error;
    enum rd_status status; /* RD_OK, or of the first failure */
};

/* RD_ERROR_INPUT with path, line and message, unless something failed before. */
void rd_trace_fields_refuse(struct rd_trace_fields *in, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Tells whether the object has a member of that name. */
bool rd_trace_has(const json_t *object, const char *key);

/* A whole number from min to max; beyond 2^53 it may be a string. Returns min on failure. */
uint64_t rd_trace_get_uint(struct rd_trace_fields *in, const json_t *object, const char *key,
                           uint64_t min, uint64_t max);
size_t rd_trace_get_size(struct rd_trace_fields *in, const json_t *object, const char *key);
unsigned rd_trace_get_unsigned(struct rd_trace_fields *in, const json_t *object, const char *key);
bool rd_trace_get_bool(struct rd_trace_fields *in, const json_t *object, const char *key);
/* Lives as long as the object; "" on failure. */
const char *rd_trace_get_string(struct rd_trace_fields *in, const json_t *object, const char *key);
/* NULL on failure, of which nothing more can be had. */
const json_t *rd_trace_get_object(struct rd_trace_fields *in, const json_t *object,
                                  const char *key);
const json_t *rd_trace_get_array(struct rd_trace_fields *in, const json_t *object, const char *key);
enum rd_verdict rd_trace_get_verdict(struct rd_trace_fields *in, const json_t *object,
                                     const char *key);
rd_bits rd_trace_get_value(struct rd_trace_fields *in, const json_t *object, const char *key,
                           const struct rd_numeric *numeric);

/* The bits of a cell, or false where it is no value of the type. */
bool rd_trace_bits(const struct rd_numeric *numeric, const json_t *json, rd_bits *bits);

#endif
