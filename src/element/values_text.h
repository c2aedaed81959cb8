// SPDX-License-Identifier: MIT
/* Private to values.c, npy.c and check/: where values are read from, and numbers as text. */
#ifndef RD_ELEMENT_VALUES_TEXT_H
#define RD_ELEMENT_VALUES_TEXT_H

#include "reductio/numeric.h"
#include "reductio/status.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { RD_SUBJECT_SIZE = 360 };

/* Source of numbers, as messages name it. */
struct rd_text_source {
    char subject[RD_SUBJECT_SIZE]; /* how a message calls it: 'nums.txt', quoted already */
    enum rd_status bad;            /* the status of content that cannot be taken */
    bool is_list;                  /* an argument: places are items, not lines; no comments */
    bool is_buffer; /* of a checked kernel: any shape, more types, named without an option */
};

/* Bytes read so far, followed by a NUL that does not count. Begins as {0}; free(data) ends it. */
struct rd_bytes {
    char *data; /* NULL until something has been read */
    size_t size;
    size_t capacity;
};

/* Numbers read, in the run's type. The caller frees cells. */
struct rd_numbers {
    void *cells; /* elem[count] */
    size_t count;
};

bool rd_text_begins(const char *text, const char *prefix);

/* Tells whether the text is a whole number in hex, as 0x3f800000: of a float nobody knows whether that is its
 * value or its bits. A hex float, as 0x1p0, is none. */
bool rd_text_is_hex(const char *text, size_t length);

/* Reads on, until `bytes` holds `limit` bytes or the file ends; memory follows what is really
 * there, not the limit. RD_ERROR_IO, RD_ERROR_MEMORY: what was read before is kept. */
enum rd_status rd_bytes_read(struct rd_bytes *bytes, FILE *file, size_t limit,
                             const struct rd_text_source *source, struct rd_error *error);

/* Reads the rest of `file` as text behind what `bytes` holds already. Stops early at a NUL byte,
 * which rd_text_parse refuses. Errors as rd_bytes_read. */
enum rd_status rd_text_read(struct rd_bytes *bytes, FILE *file, const struct rd_text_source *source,
                            struct rd_error *error);

/* Reads the numbers in text[0..length), which a NUL follows: separated by blanks, line ends or
 * single commas; # starts a comment that runs to the end of the line. No number at all is an error.
 * Returns source->bad or RD_ERROR_MEMORY; *out is untouched then. */
enum rd_status rd_text_parse(const char *text, size_t length, const struct rd_text_source *source,
                             const struct rd_numeric *numeric, struct rd_numbers *out,
                             struct rd_error *error);

/* The types of buffers: i8, u8, i16 and u16, of which only the members that read and write numbers are set, and those of
 * runs. By number, up to NULL, and by name; NULL where there is none of that name. */
const struct rd_numeric *rd_numeric_of_buffers(unsigned k);
const struct rd_numeric *rd_numeric_of_text(const char *name);
/* "i8, u8, ... or bf16": their names, for people. */
void rd_names_of_buffers(char *names, size_t size);

/* Writes `text` for a message: in single quotes, on one line, a long one without its middle. A path
 * keeps its letters of any script; in anything else a byte that is not printable ASCII is written
 * as \xNN, so that a minus sign that is none can be seen. */
void rd_quote_path(char quoted[RD_SUBJECT_SIZE], const char *text);
void rd_quote(char quoted[RD_SUBJECT_SIZE], const char *text, size_t length);

#ifdef __cplusplus
}
#endif
#endif
