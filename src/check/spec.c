// SPDX-License-Identifier: MIT
#include "check/spec.h"
#include "element/npy.h"
#include "base/random.h"
#include "device/sim/memory/memory.h"
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

/* Slack behind a buffer, which a kernel may overrun without harm: a block of the largest elements. */
enum { SLACK_BYTES = 8192 };

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

static void store_real(const struct rd_numeric *numeric, char *cell, double real)
{
    float single = (float)real;
    if (numeric->size_bytes == sizeof single)
        memcpy(cell, &single, sizeof single);
    else
        memcpy(cell, &real, sizeof real);
}

static void fill(char *memory, const struct rd_check_spec *spec)
{
    const struct rd_numeric *numeric = spec->numeric;
    uint64_t state = spec->number;
    for (size_t i = 0; i < spec->count; i++) {
        char *cell = memory + i * numeric->size_bytes;
        bool random = spec->fill == RD_CHECK_RANDOM;
        uint64_t bits = random ? rd_random(&state) : element(spec, i);
        if (numeric->is_float)
            store_real(numeric, cell, random ? (double)(bits >> 11) * 0x1p-52 - 1 : (double)bits);
        else
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

static enum rd_status make_buffer(struct rd_check_arg *arg, struct rd_error *error)
{
    const struct rd_check_spec *spec = arg->spec;
    size_t size_bytes = spec->count * spec->numeric->size_bytes;
    bool host = spec->space == RD_CHECK_HOST;
    char *memory =
        host ? rd_sim_memory_host(size_bytes) : rd_sim_memory_alloc(size_bytes, SLACK_BYTES);
    if (!memory)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for %s", subject_of(spec).text);
    rd_check_spec_write(spec, memory);
    arg->memory = memory;
    if (!host && spec->fill != RD_CHECK_UNINIT)
        rd_sim_memory_written(memory, size_bytes);
    rd_sim_memory_name(memory, arg->name, spec->numeric->name, (unsigned)spec->numeric->size_bytes);
    if (spec->space == RD_CHECK_FREED)
        rd_sim_memory_free(memory);
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

/* The type that a scalar parameter has; NULL where it has none of these. */
static const struct rd_numeric *scalar_type(const struct rd_check_parameter *parameter)
{
    char name[8];
    if (!strchr("iuf", parameter->kind) || parameter->size > 8)
        return NULL;
    snprintf(name, sizeof name, "%c%u", parameter->kind, 8 * parameter->size);
    return rd_numeric_of_text(name);
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
                                  struct rd_error *error)
{
    const char *spec = arg->spec->text, *end;
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
    rd_sim_memory_given((uintptr_t)address, arg->name);
    memcpy(arg->bytes, &address, sizeof(void *));
    return RD_OK;
}

static enum rd_status make_value(struct rd_check_arg *arg,
                                 const struct rd_check_parameter *parameter, struct rd_error *error)
{
    const struct rd_numeric *numeric = scalar_type(parameter);
    if (numeric)
        return make_number(arg, numeric, error);
    if (parameter->kind == 'b')
        return make_boolean(arg, error);
    if (parameter->kind == 'p')
        return make_pointer(arg, error);
    return make_struct(arg, parameter->size, error);
}

/* ---- the interface ---- */

/* What the elements are that the parameter points to, as a SPEC would say it; "" where any will do. */
static void pointee_name(const struct rd_check_parameter *parameter, char name[8])
{
    char kind = parameter->pointee_kind;
    name[0] = '\0';
    if (kind == 'b' || kind == 'p') /* a boolean is a byte, and a pointer an address */
        kind = 'u';
    if (kind == 'i' || kind == 'u' || kind == 'f')
        snprintf(name, 8, "%c%u", kind, 8 * parameter->pointee_size);
}

/* As void * and pointers to structs tell nothing of the elements, and a conversion between signed and
 * unsigned changes no bit, these are taken; all else the C++ compiler would refuse, too. */
static enum rd_status check_buffer(const struct rd_check_arg *arg,
                                   const struct rd_check_parameter *parameter,
                                   struct rd_error *error)
{
    const struct rd_check_spec *spec = arg->spec;
    const struct rd_numeric *numeric = spec->numeric;
    char wanted[8];
    if (parameter->kind != 'p')
        return rd_fail(error, RD_ERROR_USAGE, "%s is a buffer, and %s is no pointer",
                       subject_of(spec).text, arg->what);
    pointee_name(parameter, wanted);
    if (!*wanted || (parameter->pointee_size == numeric->size_bytes &&
                     (parameter->pointee_kind == 'f') == numeric->is_float))
        return RD_OK;
    return rd_fail(
        error, RD_ERROR_USAGE, "%s is a buffer of %s, and %s points to %s%s: write %s[%zu]",
        subject_of(spec).text, numeric->name, arg->what,
        parameter->pointee_kind == 'p' ? "pointers, which are " : "", wanted, wanted, spec->count);
}

static enum rd_status make(struct rd_check_arg *arg, const struct rd_check_parameter *parameter,
                           struct rd_error *error)
{
    arg->memory = NULL;
    memset(arg->bytes, 0, sizeof arg->bytes);
    if (!arg->spec->is_buffer)
        return make_value(arg, parameter, error);
    enum rd_status status = check_buffer(arg, parameter, error);
    return status == RD_OK ? make_buffer(arg, error) : status;
}

enum rd_status rd_check_arg_init(struct rd_check_arg *arg, const struct rd_check_spec *spec,
                                 const struct rd_check_parameter *parameter, unsigned number,
                                 const char *name, struct rd_error *error)
{
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

enum rd_status rd_check_arg_init_symbol(struct rd_check_arg *arg, const struct rd_check_spec *spec,
                                        const struct rd_check_parameter *type, const char *name,
                                        struct rd_error *error)
{
    arg->spec = spec;
    snprintf(arg->name, sizeof arg->name, "%s", name);
    snprintf(arg->what, sizeof arg->what, "'%s'", arg->name);
    return make(arg, type, error);
}

void rd_check_arg_finish(struct rd_check_arg *arg)
{
    if (arg->memory)
        rd_sim_memory_free(arg->memory);
    arg->memory = NULL;
}

void *rd_check_arg_value(struct rd_check_arg *arg)
{
    return arg->spec->is_buffer ? (void *)&arg->memory : (void *)arg->bytes;
}
