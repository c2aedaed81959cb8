// SPDX-License-Identifier: MIT
#include "check/spec.h"
#include "element/npy.h"
#include "base/random.h"
#include "element/values_text.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define COUNT_MAX ((uint64_t)1 << 33)

/* Reads decimal digits that fill the rest of the text. */
static bool parse_digits(const char *text, uint64_t *number)
{
    errno = 0;
    if (!*text || text[strspn(text, "0123456789")])
        return false;
    *number = strtoull(text, NULL, 10);
    return errno == 0;
}

/* ---- files ---- */

enum rd_status rd_check_read(const char *path, const struct rd_numeric *numeric, size_t count,
                             void **cells, struct rd_error *error)
{
    struct rd_text_source source = {.bad = RD_ERROR_INPUT, .is_buffer = true};
    struct rd_numbers numbers = {0};
    rd_quote_path(source.subject, path);
    if (!*path)
        return rd_fail(error, RD_ERROR_USAGE, "'@' names no file: write @FILE");
    FILE *file = fopen(path, "rb");
    if (!file)
        return rd_fail(error, RD_ERROR_IO, "%s can't be opened: %s", source.subject,
                       strerror(errno));
    enum rd_status status = rd_npy_or_text_read(file, &source, numeric, false, &numbers, error);
    fclose(file);
    if (status == RD_OK && numbers.count != count) {
        free(numbers.cells);
        return rd_fail(error, RD_ERROR_INPUT, "%s has %zu number%s, and the buffer %zu elements",
                       source.subject, numbers.count, numbers.count == 1 ? "" : "s", count);
    }
    if (status == RD_OK)
        *cells = numbers.cells;
    return status;
}

/* ---- buffers ---- */

/* Reads the fill behind the colon. False where it is none. */
static bool parse_fill(struct rd_check_spec *spec, const char *fill)
{
    static const struct {
        const char *name;
        bool takes_number;
        enum rd_check_fill fill;
    } fills[] = {
        {"zero", false, RD_CHECK_ZERO},     {"one", false, RD_CHECK_ONE},
        {"iota", false, RD_CHECK_IOTA},     {"uninit", false, RD_CHECK_UNINIT},
        {"plus", true, RD_CHECK_PLUS},      {"mod", true, RD_CHECK_MOD},
        {"random:", true, RD_CHECK_RANDOM},
    };
    for (size_t k = 0; k < sizeof fills / sizeof *fills; k++) {
        spec->fill = fills[k].fill;
        if (!fills[k].takes_number && strcmp(fill, fills[k].name) == 0)
            return true;
        if (fills[k].takes_number && rd_text_begins(fill, fills[k].name))
            return parse_digits(fill + strlen(fills[k].name), &spec->number) &&
                   (spec->fill != RD_CHECK_MOD || spec->number > 0);
    }
    spec->fill = RD_CHECK_FILE;
    return *fill == '@';
}

/* TYPE[COUNT]:FILL, where `text` is all of it behind "host:" and "freed:". */
static enum rd_status parse_buffer(struct rd_check_spec *spec, const char *text,
                                   struct rd_error *error)
{
    char type[8] = "", subject[RD_SUBJECT_SIZE], names[100], *end = NULL;
    const char *bracket = strchr(text, '[');
    rd_quote(subject, spec->text, strlen(spec->text));
    if (bracket && (size_t)(bracket - text) < sizeof type)
        memcpy(type, text, (size_t)(bracket - text));
    spec->numeric = rd_numeric_of_text(type);
    if (bracket && !spec->numeric) {
        rd_names_of_buffers(names, sizeof names);
        return rd_fail(error, RD_ERROR_USAGE, "%s has an unknown type: use %s", subject, names);
    }
    errno = 0;
    uint64_t count =
        bracket && isdigit((unsigned char)bracket[1]) ? strtoull(bracket + 1, &end, 10) : 0;
    if (!end || strncmp(end, "]:", 2) != 0)
        return rd_fail(error, RD_ERROR_USAGE,
                       "%s is no buffer: write TYPE[COUNT]:FILL, for instance f32[1024]:iota",
                       subject);
    if (count == 0 || errno || count > COUNT_MAX)
        return rd_fail(error, RD_ERROR_USAGE, "%s has a count that is not in 1 to 2^33", subject);
    spec->count = (size_t)count;
    if (!parse_fill(spec, end + 2)) {
        char fill[RD_SUBJECT_SIZE];
        rd_quote(fill, end + 2, strlen(end + 2));
        return rd_fail(error, RD_ERROR_USAGE,
                       "the buffer %s has the fill %s: use zero, one, iota, random:SEED, plusK, "
                       "modK, uninit or @FILE",
                       subject, fill);
    }
    if (spec->fill == RD_CHECK_FILE)
        return rd_check_read(end + 3, spec->numeric, spec->count, &spec->cells, error);
    return RD_OK;
}

enum rd_status rd_check_spec_init(struct rd_check_spec *spec, const char *text,
                                  struct rd_error *error)
{
    struct rd_check_spec made = {.text = text};
    const char *buffer = text;
    if (rd_text_begins(text, "host:")) {
        made.space = RD_CHECK_HOST;
        buffer += strlen("host:");
    } else if (rd_text_begins(text, "freed:")) {
        made.space = RD_CHECK_FREED;
        buffer += strlen("freed:");
    }
    made.is_buffer = buffer > text || strchr(text, '[');
    enum rd_status status = made.is_buffer ? parse_buffer(&made, buffer, error) : RD_OK;
    if (status == RD_OK)
        *spec = made;
    return status;
}

void rd_check_spec_finish(struct rd_check_spec *spec)
{
    if (!spec)
        return;
    free(spec->cells);
    *spec = (struct rd_check_spec){0};
}

/* The SPEC as a message calls it. */
struct subject {
    char text[RD_SUBJECT_SIZE];
};

static struct subject subject_of(const struct rd_check_spec *spec)
{
    struct subject subject = {""};
    rd_quote(subject.text, spec->text, strlen(spec->text));
    return subject;
}

/* ---- buffers ---- */

/* Element i of a generated fill: whole numbers modulo the size of the type. */
static uint64_t element(const struct rd_check_spec *spec, uint64_t i)
{
    switch (spec->fill) {
    case RD_CHECK_ONE:
        return 1;
    case RD_CHECK_IOTA:
        return i;
    case RD_CHECK_PLUS:
        return i + spec->number;
    case RD_CHECK_MOD:
        return ((i * 2654435761u) >> 7) % spec->number;
    case RD_CHECK_ZERO:
    case RD_CHECK_RANDOM:
    case RD_CHECK_UNINIT:
    case RD_CHECK_FILE:
        break;
    }
    return 0;
}

static void fill(char *memory, const struct rd_check_spec *spec)
{
    const struct rd_numeric *numeric = spec->numeric;
    uint64_t state = spec->number;
    for (size_t i = 0; i < spec->count; i++) {
        bool random = spec->fill == RD_CHECK_RANDOM;
        uint64_t bits = random ? rd_random(&state) : element(spec, i);
        if (numeric->is_float)
            bits = numeric->from_double(random ? (double)(bits >> 11) * 0x1p-52 - 1 : (double)bits);
        numeric->store(memory, i, bits);
    }
}

void rd_check_spec_write(const struct rd_check_spec *spec, void *memory)
{
    if (spec->cells)
        memcpy(memory, spec->cells, spec->count * spec->numeric->size_bytes);
    else if (spec->fill != RD_CHECK_UNINIT)
        fill(memory, spec);
}

static void write_spec(const void *self, void *memory)
{
    rd_check_spec_write(self, memory);
}

static enum rd_status make_buffer(struct rd_check_arg *arg, struct rd_error *error)
{
    const struct rd_check_spec *spec = arg->spec;
    const struct rd_file_buffer buffer = {
        .size_bytes = spec->count * spec->numeric->size_bytes,
        .name = arg->name,
        .type = spec->numeric->name,
        .elem_bytes = (unsigned)spec->numeric->size_bytes,
        .is_host = spec->space == RD_CHECK_HOST,
        .is_freed = spec->space == RD_CHECK_FREED,
        .is_unset = spec->fill == RD_CHECK_UNINIT,
        .fill = write_spec,
        .self = spec,
    };
    if (arg->device->ops->files->alloc(arg->device, &buffer, &arg->memory) != RD_OK)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for %s", subject_of(spec).text);
    return RD_OK;
}

/* ---- values ---- */

static enum rd_status make_struct(struct rd_check_arg *arg, unsigned size_bytes,
                                  struct rd_error *error)
{
    const char *spec = arg->spec->text, *digits = spec + 2;
    size_t length = strncmp(spec, "0x", 2) == 0 ? strlen(digits) : 0;
    if (size_bytes > RD_CHECK_STRUCT_MAX)
        return rd_fail(error, RD_ERROR_USAGE, "%s is a struct of %u bytes; at most %d are taken",
                       arg->what, size_bytes, RD_CHECK_STRUCT_MAX);
    if (length != (size_t)size_bytes * 2 || strspn(digits, "0123456789abcdefABCDEF") != length)
        return rd_fail(
            error, RD_ERROR_USAGE,
            "%s is for %s, a struct of %u bytes: write its bytes in hex, 0x and %u digits",
            subject_of(arg->spec).text, arg->what, size_bytes, size_bytes * 2);
    for (unsigned k = 0; k < size_bytes; k++) {
        char byte[3] = {digits[2 * k], digits[2 * k + 1], '\0'};
        arg->bytes[k] = (unsigned char)strtoul(byte, NULL, 16);
    }
    return RD_OK;
}

/* Bits in hex, of at most size_bytes. */
static bool parse_hex(const char *text, unsigned size_bytes, uint64_t *bits)
{
    size_t length = strncmp(text, "0x", 2) == 0 ? strlen(text + 2) : 0;
    if (length == 0 || strspn(text + 2, "0123456789abcdefABCDEF") != length)
        return false;
    errno = 0;
    *bits = strtoull(text + 2, NULL, 16);
    return errno == 0 && (size_bytes == 8 || *bits >> (8 * size_bytes) == 0);
}

/* The type of a number of that kind and size, as a SPEC has it; NULL where it has none. */
static const struct rd_numeric *type_of(char kind, unsigned size_bytes)
{
    char name[8];
    if (kind == RD_FILE_KIND_F16)
        return rd_numeric(RD_TYPE_F16);
    if (kind == RD_FILE_KIND_BF16)
        return rd_numeric(RD_TYPE_BF16);
    if (!strchr("iuf", kind) || size_bytes > 8)
        return NULL;
    snprintf(name, sizeof name, "%c%u", kind, 8 * size_bytes);
    return rd_numeric_of_text(name);
}

/* The type that a value names in front of a colon, as in f16:1.5, with what stands behind in *number; NULL where it names none. */
static const struct rd_numeric *named_type(const char *spec, const char **number)
{
    char name[8] = "";
    const char *colon = strchr(spec, ':');
    if (!colon || (size_t)(colon - spec) >= sizeof name)
        return NULL;
    memcpy(name, spec, (size_t)(colon - spec));
    const struct rd_numeric *numeric = rd_numeric_of_text(name);
    if (numeric)
        *number = colon + 1;
    return numeric;
}

static bool is_number(const char *text, bool is_float)
{
    char *end;
    strtod(text, &end);
    if (is_float)
        return *end == '\0';
    if (rd_text_is_hex(text, strlen(text)))
        return true;
    text += *text == '-' || *text == '+';
    return *text && text[strspn(text, "0123456789")] == '\0';
}

static enum rd_status make_number(struct rd_check_arg *arg, const struct rd_numeric *numeric,
                                  const char *spec, struct rd_error *error)
{
    const char *end;
    rd_bits bits;
    bool is_bits = strncmp(spec, "bits:", 5) == 0;
    if (is_bits && !parse_hex(spec + 5, (unsigned)numeric->size_bytes, &bits))
        return rd_fail(error, RD_ERROR_USAGE,
                       "%s is for %s, of type %s: write its bits in hex, as bits:0x%0*d",
                       subject_of(arg->spec).text, arg->what, numeric->name,
                       2 * (int)numeric->size_bytes, 0);
    if (is_bits) {
        memcpy(arg->bytes, &bits, numeric->size_bytes);
        return RD_OK;
    }
    if (numeric->is_float && rd_text_is_hex(spec, strlen(spec)))
        return rd_fail(error, RD_ERROR_USAGE,
                       "%s is a whole number in hex, and %s is of type %s: write bits:%s for its "
                       "bits, or %.0f for the number",
                       subject_of(arg->spec).text, arg->what, numeric->name, spec,
                       strtod(spec, NULL));
    if (!numeric->is_float && parse_hex(spec, (unsigned)numeric->size_bytes, &bits)) {
        numeric->store(arg->bytes, 0, bits);
        return RD_OK;
    }
    end = numeric->parse(spec, &bits);
    if (end && end > spec && *end == '\0') {
        numeric->store(arg->bytes, 0, bits);
        return RD_OK;
    }
    if (*spec && is_number(spec, numeric->is_float))
        return rd_fail(error, RD_ERROR_USAGE, "%s is out of the range of %s, of type %s (%s)",
                       subject_of(arg->spec).text, arg->what, numeric->name, numeric->range);
    return rd_fail(error, RD_ERROR_USAGE, "%s is no %s, and %s is of type %s",
                   subject_of(arg->spec).text, numeric->is_float ? "number" : "whole number",
                   arg->what, numeric->name);
}

static enum rd_status make_boolean(struct rd_check_arg *arg, struct rd_error *error)
{
    const char *spec = arg->spec->text;
    bool yes = strcmp(spec, "1") == 0 || strcmp(spec, "true") == 0;
    if (!yes && strcmp(spec, "0") != 0 && strcmp(spec, "false") != 0)
        return rd_fail(error, RD_ERROR_USAGE, "%s is for %s, a bool: write 0 or 1",
                       subject_of(arg->spec).text, arg->what);
    arg->bytes[0] = yes;
    return RD_OK;
}

/* A pointer to no buffer: null, or an address that the caller makes up. */
static enum rd_status make_pointer(struct rd_check_arg *arg, struct rd_error *error)
{
    const char *spec = arg->spec->text;
    uint64_t address = 0;
    if (strcmp(spec, "0") != 0 && !parse_hex(spec, sizeof(void *), &address))
        return rd_fail(error, RD_ERROR_USAGE,
                       "%s is no buffer, and %s is a pointer: write TYPE[COUNT]:FILL, 0, or an "
                       "address 0x...",
                       subject_of(arg->spec).text, arg->what);
    arg->device->ops->files->name_address(arg->device, (const void *)(uintptr_t)address, arg->name);
    memcpy(arg->bytes, &address, sizeof(void *));
    return RD_OK;
}

static enum rd_status make_value(struct rd_check_arg *arg,
                                 const struct rd_file_parameter *parameter, struct rd_error *error)
{
    const char *number = arg->spec->text;
    const struct rd_numeric *numeric = type_of(parameter->kind, parameter->size),
                            *named = named_type(arg->spec->text, &number);
    if (named && (numeric ? named != numeric
                          : parameter->kind != 's' || named->size_bytes != parameter->size))
        return rd_fail(error, RD_ERROR_USAGE, "%s is a number of type %s, and %s is %s",
                       subject_of(arg->spec).text, named->name, arg->what,
                       numeric ? numeric->name : "none of its size");
    if (numeric || named)
        return make_number(arg, numeric ? numeric : named, number, error);
    if (parameter->kind == 'b')
        return make_boolean(arg, error);
    if (parameter->kind == 'p')
        return make_pointer(arg, error);
    return make_struct(arg, parameter->size, error);
}

/* ---- the interface ---- */

/* The type of the elements that the parameter points to; NULL where any will do. */
static const struct rd_numeric *pointee_type(const struct rd_file_parameter *parameter)
{
    const char kind = parameter->pointee_kind;
    const bool is_plain =
        kind == 'b' || kind == 'p'; /* a boolean is a byte, a pointer an address */
    return type_of(is_plain ? 'u' : kind, parameter->pointee_size);
}

/* A conversion between signed and unsigned changes no bit, nor does that of a float of 16 bits, which is a struct in C++, from
 * such an integer; all else the C++ compiler would refuse, too. */
static bool suits(const struct rd_numeric *numeric, const struct rd_numeric *wanted)
{
    const bool is_half = wanted->type == RD_TYPE_F16 || wanted->type == RD_TYPE_BF16;
    return numeric == wanted || (numeric->size_bytes == wanted->size_bytes && !numeric->is_float &&
                                 (!wanted->is_float || is_half));
}

/* Pointers to void and to structs tell nothing of the elements: they take any. */
static enum rd_status check_buffer(const struct rd_check_arg *arg,
                                   const struct rd_file_parameter *parameter,
                                   struct rd_error *error)
{
    const struct rd_check_spec *spec = arg->spec;
    const struct rd_numeric *numeric = spec->numeric, *wanted = pointee_type(parameter);
    if (parameter->kind != 'p')
        return rd_fail(error, RD_ERROR_USAGE, "%s is a buffer, and %s is no pointer",
                       subject_of(spec).text, arg->what);
    if (!wanted || suits(numeric, wanted))
        return RD_OK;
    return rd_fail(error, RD_ERROR_USAGE,
                   "%s is a buffer of %s, and %s points to %s%s: write %s[%zu]",
                   subject_of(spec).text, numeric->name, arg->what,
                   parameter->pointee_kind == 'p' ? "pointers, which are " : "", wanted->name,
                   wanted->name, spec->count);
}

static enum rd_status make(struct rd_check_arg *arg, const struct rd_file_parameter *parameter,
                           struct rd_error *error)
{
    arg->memory = NULL;
    memset(arg->bytes, 0, sizeof arg->bytes);
    if (!arg->spec->is_buffer)
        return make_value(arg, parameter, error);
    enum rd_status status = check_buffer(arg, parameter, error);
    return status == RD_OK ? make_buffer(arg, error) : status;
}

enum rd_status rd_check_arg_init(struct rd_check_arg *arg, struct rd_device *device,
                                 const struct rd_check_spec *spec,
                                 const struct rd_file_parameter *parameter, unsigned number,
                                 const char *name, struct rd_error *error)
{
    arg->device = device;
    arg->spec = spec;
    int length = snprintf(arg->what, sizeof arg->what, "parameter %u", number);
    if (*name) {
        snprintf(arg->name, sizeof arg->name, "%s", name);
        snprintf(arg->what + length, sizeof arg->what - (size_t)length, " ('%s')", arg->name);
    } else {
        snprintf(arg->name, sizeof arg->name, "parameter %u", number);
    }
    return make(arg, parameter, error);
}

enum rd_status rd_check_arg_init_symbol(struct rd_check_arg *arg, struct rd_device *device,
                                        const struct rd_check_spec *spec,
                                        const struct rd_file_parameter *type, const char *name,
                                        struct rd_error *error)
{
    arg->device = device;
    arg->spec = spec;
    snprintf(arg->name, sizeof arg->name, "%s", name);
    snprintf(arg->what, sizeof arg->what, "'%s'", arg->name);
    return make(arg, type, error);
}

void *rd_check_arg_value(struct rd_check_arg *arg)
{
    return arg->spec->is_buffer ? (void *)&arg->memory : (void *)arg->bytes;
}
