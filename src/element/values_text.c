// SPDX-License-Identifier: MIT
#include "element/values_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Bytes read at a time. */
enum { CHUNK = 1 << 20 };

/* ---- messages ---- */

/* Room for `keep` bytes of four characters each, the gap, the quotes and the NUL must be there. */
static void quote(char *quoted, const char *text, size_t length, size_t keep, bool ascii)
{
    size_t head = length <= keep ? length : keep / 2;
    size_t tail = length <= keep ? length : length - keep / 2;
    char *p = quoted;
    *p++ = '\'';
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (i == head && head < tail) {
            p += sprintf(p, "...");
            i = tail - 1;
        } else if (c < 0x20 || c == 0x7f || (ascii && c > 0x7f)) {
            p += sprintf(p, "\\x%02x", c);
        } else {
            *p++ = (char)c;
        }
    }
    *p++ = '\'';
    *p = '\0';
}

enum { KEEP_PATH = 88, KEEP_TEXT = 40 };
_Static_assert(4 * KEEP_PATH + 6 <= RD_SUBJECT_SIZE, "a path of control characters must fit");

void rd_quote_path(char quoted[RD_SUBJECT_SIZE], const char *text)
{
    quote(quoted, text, strlen(text), KEEP_PATH, false);
}

void rd_quote(char quoted[RD_SUBJECT_SIZE], const char *text, size_t length)
{
    quote(quoted, text, length, KEEP_TEXT, true);
}

/* ---- reading ---- */

enum rd_status rd_bytes_read(struct rd_bytes *bytes, FILE *file, size_t limit,
                             const struct rd_text_source *source, struct rd_error *error)
{
    while (bytes->size < limit) {
        size_t want = limit - bytes->size;
        if (want > CHUNK)
            want = CHUNK;
        if (bytes->capacity < bytes->size + want + 1) {
            size_t capacity = bytes->size + want + 1;
            if (capacity < 2 * bytes->capacity)
                capacity = 2 * bytes->capacity;
            char *data = realloc(bytes->data, capacity);
            if (!data)
                return rd_fail(error, RD_ERROR_MEMORY,
                               "no memory to read more than %zu bytes of %s", bytes->size,
                               source->subject);
            bytes->data = data;
            bytes->capacity = capacity;
        }
        errno = 0;
        size_t got = fread(bytes->data + bytes->size, 1, want, file);
        bytes->size += got;
        bytes->data[bytes->size] = '\0';
        if (got < want) {
            if (ferror(file))
                return rd_fail(error, RD_ERROR_IO, "%s can't be read: %s", source->subject,
                               strerror(errno));
            break;
        }
    }
    return RD_OK;
}

enum rd_status rd_text_read(struct rd_bytes *bytes, FILE *file, const struct rd_text_source *source,
                            struct rd_error *error)
{
    size_t searched = 0;
    for (;;) {
        size_t limit = bytes->size + CHUNK;
        enum rd_status status = rd_bytes_read(bytes, file, limit, source, error);
        if (status)
            return status;
        /* A NUL is never text: an endless device of zeros must not fill the memory first. */
        if (bytes->size < limit || memchr(bytes->data + searched, '\0', bytes->size - searched))
            return RD_OK;
        searched = bytes->size;
    }
}

/* ---- parsing ---- */

struct parser {
    const char *p;
    const char *end;
    size_t line; /* from 1 */
    const struct rd_text_source *source;
    const struct rd_numeric *numeric;
    size_t capacity; /* of out.cells */
    struct rd_numbers out;
    struct rd_error *error;
};

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r'); /* \t \n \v \f \r */
}

/* Passes over blanks and comments and counts the lines. A lone CR ends a line too, as it did on old
 * Macs: otherwise a comment in such a file would swallow all that follows. */
static void skip_blanks(struct parser *in)
{
    bool in_comment = false;
    for (; in->p < in->end; in->p++) {
        char c = *in->p;
        bool is_line_end = c == '\n' || (c == '\r' && in->p[1] != '\n');
        if (is_line_end) {
            in->line++;
            in_comment = false;
        } else if (c == '#' && !in->source->is_list) {
            in_comment = true;
        } else if (!in_comment && !is_blank(c)) {
            break;
        }
    }
}

/* "'nums.txt' line 3", or "'list:1,x' item 2" */
static void print_place(char *place, size_t size, const struct parser *in)
{
    if (in->source->is_list)
        snprintf(place, size, "%s item %zu", in->source->subject, in->out.count + 1);
    else
        snprintf(place, size, "%s line %zu", in->source->subject, in->line);
}

static bool is_whole(const char *token, size_t length)
{
    size_t sign = length > 0 && (*token == '-' || *token == '+');
    return length > sign && strspn(token + sign, "0123456789") >= length - sign;
}

bool rd_text_begins(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool rd_text_is_hex(const char *text, size_t length)
{
    size_t sign = length > 0 && (*text == '-' || *text == '+');
    const char *digits = text + sign + 2;
    return length > sign + 2 && text[sign] == '0' && (text[sign + 1] | 32) == 'x' &&
           strspn(digits, "0123456789abcdefABCDEF") >= length - sign - 2;
}

/* Says why the token is no number of the type. */
static enum rd_status refuse_token(const struct parser *in, size_t length)
{
    const struct rd_numeric *numeric = in->numeric;
    const char *article = strchr("bu", *numeric->name) ? "a" : "an";
    char place[RD_SUBJECT_SIZE + 40], token[RD_SUBJECT_SIZE];
    char *end;
    print_place(place, sizeof place, in);
    rd_quote(token, in->p, length);

    double number = strtod(in->p, &end);
    if (rd_text_is_hex(in->p, length))
        return rd_fail(in->error, in->source->bad,
                       "%s: %s is a whole number in hex, not %s %s number: write %.0f%s", place,
                       token, article, numeric->name, number,
                       numeric->is_float ? ", or a hex float, as 0x1p0" : "");
    bool is_number = end == in->p + length;
    if (is_number && (numeric->is_float || is_whole(in->p, length)))
        return rd_fail(in->error, in->source->bad, "%s: %s is out of the range of %s (%s)", place,
                       token, numeric->name, numeric->range);
    if (is_number)
        return rd_fail(in->error, in->source->bad,
                       "%s: %s is not %s %s number but a float: use %sf32 or f64", place, token,
                       article, numeric->name, in->source->is_buffer ? "" : "--type ");
    return rd_fail(in->error, in->source->bad, "%s: %s is not %s %s number", place, token, article,
                   numeric->name);
}

/* Reads one number at in->p, which is not a blank, into the next cell. */
static enum rd_status take_number(struct parser *in)
{
    size_t length = strcspn(in->p, in->source->is_list ? ", \t\n\v\f\r" : ", \t\n\v\f\r#");
    rd_bits value;
    if (in->numeric->parse(in->p, &value) != in->p + length ||
        (in->numeric->is_float && rd_text_is_hex(in->p, length)))
        return refuse_token(in, length);
    if (in->out.count == in->capacity) {
        size_t capacity = in->capacity ? 2 * in->capacity : 64;
        void *cells = realloc(in->out.cells, capacity * in->numeric->size_bytes);
        if (!cells)
            return rd_fail(in->error, RD_ERROR_MEMORY, "no memory for more than %zu numbers of %s",
                           in->out.count, in->source->subject);
        in->out.cells = cells;
        in->capacity = capacity;
    }
    in->numeric->store(in->out.cells, in->out.count++, value);
    in->p += length;
    return RD_OK;
}

/* Two commas with nothing between are a missing number (an empty field of a CSV file), which must
 * not pass for a shorter input. A comma at the end of the text is none. */
static enum rd_status take_all(struct parser *in)
{
    bool is_after_number = false;
    for (skip_blanks(in); in->p < in->end; skip_blanks(in)) {
        if (*in->p != ',') {
            enum rd_status status = take_number(in);
            if (status)
                return status;
            is_after_number = true;
        } else if (is_after_number) {
            is_after_number = false;
            in->p++;
        } else {
            char place[RD_SUBJECT_SIZE + 40];
            print_place(place, sizeof place, in);
            return rd_fail(in->error, in->source->bad,
                           "%s: a number is missing before ',': write it, or remove the comma",
                           place);
        }
    }
    if (in->out.count == 0)
        return rd_fail(in->error, in->source->bad, "%s holds no numbers: give at least one",
                       in->source->subject);
    return RD_OK;
}

static enum rd_status refuse_binary(struct parser *in, const char *nul)
{
    if ((unsigned char)*in->p == 0x93 && strncmp(in->p + 1, "NUMPY", 5) == 0)
        return rd_fail(in->error, in->source->bad,
                       "%s is a NumPy file, and only text is read there: give the file's name",
                       in->source->subject);
    for (; in->p < nul; in->p++)
        in->line += *in->p == '\n';
    return rd_fail(in->error, in->source->bad,
                   "%s line %zu has a NUL byte, so this is not text: give numbers as text, or a "
                   "NumPy .npy file",
                   in->source->subject, in->line);
}

enum rd_status rd_text_parse(const char *text, size_t length, const struct rd_text_source *source,
                             const struct rd_numeric *numeric, struct rd_numbers *out,
                             struct rd_error *error)
{
    struct parser in = {
        .p = text,
        .end = text + length,
        .line = 1,
        .source = source,
        .numeric = numeric,
        .error = error,
    };
    const char *nul = memchr(text, '\0', length);
    if (nul)
        return refuse_binary(&in, nul);
    if (strncmp(in.p, "\xef\xbb\xbf", 3) == 0) /* a byte order mark, as Windows writes it */
        in.p += 3;

    enum rd_status status = take_all(&in);
    if (status) {
        free(in.out.cells);
        return status;
    }
    /* The array ends where its last number does, so that a tool for memory errors sees the end. */
    void *exact = realloc(in.out.cells, in.out.count * numeric->size_bytes);
    if (exact)
        in.out.cells = exact;
    *out = in.out;
    return RD_OK;
}
