// SPDX-License-Identifier: MIT
/* Writes JSON text member by member. jansson's own dumper can't be told how to write a number, and
 * a trace wants each float in the shortest text that reads back as the same bits; so the commas
 * and the numbers are made here, and jansson makes the strings. Private to src/trace. */
#ifndef RD_TRACE_EMIT_H
#define RD_TRACE_EMIT_H

#include "reductio/numeric.h"

#include <stdio.h>

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

#endif
