// SPDX-License-Identifier: MIT
#include "element/npy.h"

#include <stdlib.h>
#include <string.h>

static const char magic[RD_NPY_MAGIC_SIZE] = {'\x93', 'N', 'U', 'M', 'P', 'Y'};

/* A piece of the header's text. */
struct span {
    const char *start;
    size_t length;
};

/* The contents of the header: a Python dict of exactly these three entries. */
struct header {
    struct span descr;
    bool is_fortran;
    struct span shape; /* as written, for messages */
    unsigned n_dims;
    size_t first;   /* of the dimensions; */
    size_t count;   /* their product */
    bool too_large; /* for a size_t */
    bool has_descr, has_fortran, has_shape;
};

/* The header's text is NUL-terminated, and holds no other NUL. */
struct reader {
    const char *p;
    const struct rd_text_source *source;
    struct rd_error *error;
};

static enum rd_status refuse_header(const struct reader *in, const char *what)
{
    char near[RD_SUBJECT_SIZE];
    rd_quote(near, in->p, strcspn(in->p, "\n"));
    return rd_fail(in->error, RD_ERROR_INPUT,
                   "%s has a bad .npy header: %s expected, found %s: write it with numpy.save",
                   in->source->subject, what, near);
}

static void skip_blanks(struct reader *in)
{
    in->p += strspn(in->p, " \t\r\n");
}

/* Passes over `text` and the blanks before it, if it is there. */
static bool take(struct reader *in, const char *text)
{
    skip_blanks(in);
    size_t length = strlen(text);
    if (strncmp(in->p, text, length) != 0)
        return false;
    in->p += length;
    return true;
}

/* 'text' or "text"; none of the strings that may stand here needs an escape. */
static bool take_string(struct reader *in, struct span *string)
{
    skip_blanks(in);
    char quote = *in->p;
    if (quote != '\'' && quote != '"')
        return false;
    size_t length = strcspn(in->p + 1, quote == '"' ? "\"\\" : "'\\");
    if (in->p[1 + length] != quote)
        return false;
    *string = (struct span){in->p + 1, length};
    in->p += length + 2;
    return true;
}

static enum rd_status take_size(struct reader *in, size_t *size)
{
    skip_blanks(in);
    if (*in->p < '0' || *in->p > '9')
        return refuse_header(in, "a size");
    for (*size = 0; *in->p >= '0' && *in->p <= '9'; in->p++)
        if (__builtin_mul_overflow(*size, (size_t)10, size) ||
            __builtin_add_overflow(*size, (size_t)(*in->p - '0'), size))
            return refuse_header(in, "a size below 2^64");
    return RD_OK;
}

/* A tuple: (), (8,), (2, 4), (2, 4,). One size without a comma is not a tuple in Python. */
static enum rd_status take_shape(struct reader *in, struct header *header)
{
    skip_blanks(in);
    const char *start = in->p;
    bool is_comma = true;
    if (!take(in, "("))
        return refuse_header(in, "a tuple as 'shape'");
    while (!take(in, ")")) {
        size_t size = 0;
        if (!is_comma)
            return refuse_header(in, "',' or ')'");
        enum rd_status status = take_size(in, &size);
        if (status)
            return status;
        if (header->n_dims++ == 0)
            header->first = size;
        if (__builtin_mul_overflow(header->count, size, &header->count))
            header->too_large = true;
        is_comma = take(in, ",");
    }
    if (header->n_dims == 1 && !is_comma)
        return refuse_header(in, "a tuple as 'shape', such as (8,),");
    header->shape = (struct span){start, (size_t)(in->p - start)};
    return RD_OK;
}

static bool is_key(struct span key, const char *name)
{
    return key.length == strlen(name) && strncmp(key.start, name, key.length) == 0;
}

/* Marks an entry as seen; true if it was before. */
static bool is_repeated(bool *has)
{
    bool had = *has;
    *has = true;
    return had;
}

static enum rd_status take_entry(struct reader *in, struct header *header)
{
    struct reader before = *in;
    struct span key;
    if (!take_string(in, &key))
        return refuse_header(in, "a key in quotes");
    if (!take(in, ":"))
        return refuse_header(in, "':'");

    if (is_key(key, "descr")) {
        if (is_repeated(&header->has_descr))
            return refuse_header(&before, "one 'descr'");
        return take_string(in, &header->descr) ? RD_OK
                                               : refuse_header(in, "a plain type in quotes");
    }
    if (is_key(key, "fortran_order")) {
        if (is_repeated(&header->has_fortran))
            return refuse_header(&before, "one 'fortran_order'");
        header->is_fortran = take(in, "True");
        return header->is_fortran || take(in, "False") ? RD_OK : refuse_header(in, "True or False");
    }
    if (is_key(key, "shape")) {
        if (is_repeated(&header->has_shape))
            return refuse_header(&before, "one 'shape'");
        return take_shape(in, header);
    }
    return refuse_header(&before, "'descr', 'fortran_order' or 'shape'");
}

static enum rd_status parse_header(struct reader *in, struct header *header)
{
    bool is_comma = true;
    if (!take(in, "{"))
        return refuse_header(in, "'{'");
    while (!take(in, "}")) {
        if (!is_comma)
            return refuse_header(in, "',' or '}'");
        enum rd_status status = take_entry(in, header);
        if (status)
            return status;
        is_comma = take(in, ",");
    }
    skip_blanks(in);
    if (*in->p)
        return refuse_header(in, "nothing behind '}'");
    const char *missing = !header->has_descr     ? "descr"
                          : !header->has_fortran ? "fortran_order"
                          : !header->has_shape   ? "shape"
                                                 : NULL;
    if (missing)
        return rd_fail(in->error, RD_ERROR_INPUT,
                       "%s has a bad .npy header: '%s' is missing: write it with numpy.save",
                       in->source->subject, missing);
    return RD_OK;
}

static char host_order(void)
{
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? '<' : '>';
}

/* The expected type of the array, and how another one is asked for. */
static const char *wanted(const struct rd_text_source *source)
{
    return source->is_buffer ? "the buffer" : "the run";
}

/* Tells whether descr is this type in some byte order; what is in the first place is for the caller. */
static bool is_of_type(struct span descr, const struct rd_numeric *numeric)
{
    return descr.length > 1 && numeric->npy_kind &&
           is_key((struct span){descr.start + 1, descr.length - 1}, numeric->npy_kind);
}

/* The types that there are, by number, up to NULL. */
static const struct rd_numeric *type_for(const struct rd_text_source *source, unsigned k)
{
    if (source->is_buffer)
        return rd_numeric_of_buffers(k);
    return k < RD_TYPE_COUNT ? rd_numeric((enum rd_type)k) : NULL;
}

static enum rd_status check_type(const struct header *header, const struct rd_text_source *source,
                                 const struct rd_numeric *numeric, struct rd_error *error)
{
    const struct rd_numeric *its;
    struct span descr = header->descr;
    char holds[RD_SUBJECT_SIZE];
    rd_quote(holds, descr.start, descr.length);
    if (is_of_type(descr, numeric)) {
        if (*descr.start == '<' || *descr.start == '>' ||
            (*descr.start == '|' && numeric->size_bytes == 1))
            return RD_OK;
        return rd_fail(error, RD_ERROR_INPUT,
                       "%s holds %s, which gives no byte order: convert it with .astype('%c%s')",
                       source->subject, holds, host_order(), numeric->npy_kind);
    }
    if (!numeric->npy_kind)
        return rd_fail(
            error, RD_ERROR_INPUT,
            "%s holds %s, and %s is %s, of which NumPy has no arrays: give the numbers as text",
            source->subject, holds, wanted(source), numeric->name);
    for (unsigned k = 0; (its = type_for(source, k)) != NULL; k++)
        if (is_of_type(descr, its))
            return rd_fail(error, RD_ERROR_INPUT, "%s holds %s, %s is %s: use %s%s",
                           source->subject, holds, wanted(source), numeric->name,
                           source->is_buffer ? "" : "--type ", its->name);
    return rd_fail(error, RD_ERROR_INPUT, "%s holds %s, %s is %s: convert it with .astype('%c%s')",
                   source->subject, holds, wanted(source), numeric->name, host_order(),
                   numeric->npy_kind);
}

/* Refuses what is a well-formed array, but not one this run can take. */
static enum rd_status check_header(const struct header *header, const struct rd_text_source *source,
                                   const struct rd_numeric *numeric, bool want_b,
                                   struct rd_error *error)
{
    char shape[RD_SUBJECT_SIZE];
    enum rd_status status = check_type(header, source, numeric, error);
    if (status)
        return status;
    rd_quote(shape, header->shape.start, header->shape.length);
    if (header->is_fortran)
        return rd_fail(error, RD_ERROR_INPUT,
                       "%s is in Fortran order (shape %s): save it in C order, with "
                       "numpy.ascontiguousarray",
                       source->subject, shape);
    if (header->n_dims != 1 && !source->is_buffer &&
        !(want_b && header->n_dims == 2 && header->first == 2))
        return rd_fail(error, RD_ERROR_INPUT, "%s has the shape %s: give an array of %s",
                       source->subject, shape,
                       want_b ? "one dimension, or of two rows" : "one dimension, such as (8,)");
    return RD_OK;
}

/* The number of elements and of bytes. */
static enum rd_status measure(const struct header *header, const struct rd_text_source *source,
                              const struct rd_numeric *numeric, size_t *count, size_t *size,
                              struct rd_error *error)
{
    char shape[RD_SUBJECT_SIZE];
    rd_quote(shape, header->shape.start, header->shape.length);
    *count = header->count;
    if (header->too_large || __builtin_mul_overflow(*count, numeric->size_bytes, size) ||
        *size > PTRDIFF_MAX)
        return rd_fail(error, RD_ERROR_INPUT,
                       "%s has the shape %s, more than a memory can hold: is the header damaged?",
                       source->subject, shape);
    if (*count == 0)
        return rd_fail(error, RD_ERROR_INPUT, "%s has the shape %s, no numbers: give at least one",
                       source->subject, shape);
    return RD_OK;
}

static void swap_bytes(char *cells, size_t count, size_t size_bytes)
{
    for (size_t i = 0; i < count; i++, cells += size_bytes)
        for (size_t k = 0; k < size_bytes / 2; k++) {
            char c = cells[k];
            cells[k] = cells[size_bytes - 1 - k];
            cells[size_bytes - 1 - k] = c;
        }
}

static enum rd_status read_data(FILE *file, const struct rd_text_source *source,
                                const struct rd_numeric *numeric, const struct header *header,
                                struct rd_numbers *out, struct rd_error *error)
{
    struct rd_bytes data = {0};
    size_t count = 0, size = 0;
    enum rd_status status = measure(header, source, numeric, &count, &size, error);
    if (status)
        return status;
    /* One byte more is asked for, to see that the file ends where it should. */
    status = rd_bytes_read(&data, file, size + 1, source, error);
    if (status)
        goto fail;
    if (data.size < size) {
        status = rd_fail(error, RD_ERROR_INPUT,
                         "%s is cut short: it ends after %zu of the %zu bytes of its %zu numbers",
                         source->subject, data.size, size, count);
        goto fail;
    }
    if (data.size > size) {
        status = rd_fail(error, RD_ERROR_INPUT,
                         "%s has bytes left over after its %zu numbers (%zu bytes): give one array "
                         "a file",
                         source->subject, count, size);
        goto fail;
    }
    if (*header->descr.start != host_order())
        swap_bytes(data.data, count, numeric->size_bytes);
    void *exact = realloc(data.data, size);
    if (exact)
        data.data = exact;
    *out = (struct rd_numbers){data.data, count};
    return RD_OK;

fail:
    free(data.data);
    return status;
}

/* Tells whether `bytes`, all that was read of up to RD_NPY_MAGIC_SIZE bytes, begin such a file. A file
 * that ends within the magic is one, cut short. */
static bool npy_begins(const struct rd_bytes *bytes)
{
    size_t size = bytes->size < sizeof magic ? bytes->size : sizeof magic;
    return size > 0 && memcmp(bytes->data, magic, size) == 0;
}

/* Reads on to `size` bytes of the header, all of which must be there. */
static enum rd_status read_header(struct rd_bytes *bytes, FILE *file, size_t size,
                                  const struct rd_text_source *source, struct rd_error *error)
{
    enum rd_status status = rd_bytes_read(bytes, file, size, source, error);
    if (!status && bytes->size < size)
        return rd_fail(error, RD_ERROR_INPUT,
                       "%s is cut short: it ends within its .npy header, after %zu bytes",
                       source->subject, bytes->size);
    return status;
}

/* Reads the array from `file`, whose first bytes are in `bytes` already and which must end with the
 * array. Its elements must be of the run's type, in either byte order; its shape one dimension, or
 * with want_b also two rows, which then follow each other in *out; for a buffer any.
 * RD_ERROR_INPUT, RD_ERROR_IO, RD_ERROR_MEMORY; *out is untouched then. */
static enum rd_status npy_read(struct rd_bytes *bytes, FILE *file,
                               const struct rd_text_source *source,
                               const struct rd_numeric *numeric, bool want_b,
                               struct rd_numbers *out, struct rd_error *error)
{
    /* magic, major, minor, then the length of the header: 2 bytes in 1.0, 4 since 2.0, the lowest
     * first whatever the machine */
    enum { MAJOR = RD_NPY_MAGIC_SIZE, MINOR, LENGTH };
    struct header header = {.count = 1};
    enum rd_status status = read_header(bytes, file, LENGTH, source, error);
    if (status)
        return status;
    unsigned major = (unsigned char)bytes->data[MAJOR], minor = (unsigned char)bytes->data[MINOR];
    if (major < 1 || major > 3 || minor != 0)
        return rd_fail(error, RD_ERROR_INPUT,
                       "%s is in .npy version %u.%u: only 1.0, 2.0 and 3.0 are read",
                       source->subject, major, minor);

    size_t start = LENGTH + (major == 1 ? 2 : 4), length = 0;
    status = read_header(bytes, file, start, source, error);
    if (status)
        return status;
    for (size_t i = start; i-- > LENGTH;)
        length = length << 8 | (unsigned char)bytes->data[i];
    status = read_header(bytes, file, start + length, source, error);
    if (status)
        return status;

    struct reader in = {.p = bytes->data + start, .source = source, .error = error};
    if (strlen(in.p) != length) {
        in.p += strlen(in.p);
        return refuse_header(&in, "text without a NUL byte");
    }
    status = parse_header(&in, &header);
    if (!status)
        status = check_header(&header, source, numeric, want_b, error);
    if (!status)
        status = read_data(file, source, numeric, &header, out, error);
    return status;
}

enum rd_status rd_npy_or_text_read(FILE *file, const struct rd_text_source *source,
                                   const struct rd_numeric *numeric, bool want_b,
                                   struct rd_numbers *out, struct rd_error *error)
{
    struct rd_bytes bytes = {0};
    enum rd_status status = rd_bytes_read(&bytes, file, RD_NPY_MAGIC_SIZE, source, error);
    if (!status && npy_begins(&bytes)) {
        status = npy_read(&bytes, file, source, numeric, want_b, out, error);
    } else if (!status) {
        status = rd_text_read(&bytes, file, source, error);
        if (!status)
            status = rd_text_parse(bytes.data, bytes.size, source, numeric, out, error);
    }
    free(bytes.data);
    return status;
}
