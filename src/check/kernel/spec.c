// SPDX-License-Identifier: MIT
#include "check/kernel/spec.h"
#include "check/source/expression.h"
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

/* Bits of a type's number, less the sign of an integer and the exponent of a float. */
static unsigned digits_of(const struct rd_numeric *numeric)
{
    return numeric->is_float ? numeric->digits
                             : 8 * (unsigned)numeric->size_bytes - (numeric->name[0] == 'i');
}

/* K of plusK, modK or random:SEED; plus may have a sign. */
static bool parse_number(struct rd_check_spec *spec, const char *text)
{
    spec->negative = spec->fill == RD_CHECK_PLUS && *text == '-';
    if (!parse_digits(text + spec->negative, &spec->number) ||
        (spec->fill == RD_CHECK_MOD && spec->number == 0))
        return false;
    if (spec->negative)
        spec->number = -spec->number;
    return !spec->negative || (int64_t)spec->number <= 0;
}

/* Reads the fill behind the colon. False where it is none. */
static bool parse_fill(struct rd_check_spec *spec, const char *fill)
{
    static const struct {
        const char *name;
        bool takes_number;
        enum rd_check_fill fill;
    } fills[] = {
        {"zero", false, RD_CHECK_ZERO},       {"one", false, RD_CHECK_ONE},
        {"iota", false, RD_CHECK_IOTA},       {"uninit", false, RD_CHECK_UNINIT},
        {"witness", false, RD_CHECK_WITNESS}, {"alternate", false, RD_CHECK_ALTERNATE},
        {"plus", true, RD_CHECK_PLUS},        {"mod", true, RD_CHECK_MOD},
        {"random:", true, RD_CHECK_RANDOM},
    };
    for (size_t k = 0; k < sizeof fills / sizeof *fills; k++) {
        spec->fill = fills[k].fill;
        if (!fills[k].takes_number && strcmp(fill, fills[k].name) == 0)
            return true;
        if (fills[k].takes_number && rd_text_begins(fill, fills[k].name))
            return parse_number(spec, fill + strlen(fills[k].name));
    }
    spec->fill = RD_CHECK_ALL;
    if (rd_text_begins(fill, "all")) {
        const char *end = spec->numeric->parse(fill + strlen("all"), &spec->number);
        return end && end > fill + strlen("all") && *end == '\0';
    }
    spec->fill = RD_CHECK_FILE;
    return *fill == '@';
}

/* TYPE[COUNT]:FILL, where `text` is all of it behind "host:" and "freed:". */
static enum rd_status parse_buffer(struct rd_check_spec *spec, const char *text,
                                   struct rd_error *error)
{
    char type[8] = "", subject[RD_SUBJECT_SIZE], names[100];
    const char *bracket = strchr(text, '['), *end = bracket ? strstr(bracket, "]:") : NULL;
    int64_t count = 0;
    rd_quote(subject, spec->text, strlen(spec->text));
    if (bracket && (size_t)(bracket - text) < sizeof type)
        memcpy(type, text, (size_t)(bracket - text));
    spec->numeric = rd_numeric_of_text(type);
    if (bracket && !spec->numeric) {
        rd_names_of_buffers(names, sizeof names);
        return rd_fail(error, RD_ERROR_USAGE, "%s has an unknown type: use %s", subject, names);
    }
    if (!end || end == bracket + 1)
        return rd_fail(error, RD_ERROR_USAGE,
                       "%s is no buffer: write TYPE[COUNT]:FILL, for instance f32[1024]:iota",
                       subject);
    struct rd_error why;
    if (rd_check_expression(bracket + 1, (size_t)(end - bracket - 1), &count, &why) != RD_OK &&
        strspn(bracket + 1, "0123456789") != (size_t)(end - bracket - 1))
        return rd_fail(error, RD_ERROR_USAGE,
                       "%s is no buffer: write TYPE[COUNT]:FILL, for instance f32[1024]:iota; the "
                       "count %s",
                       subject, why.text);
    if (count <= 0 || (uint64_t)count > COUNT_MAX)
        return rd_fail(error, RD_ERROR_USAGE, "%s has a count that is not in 1 to 2^33", subject);
    spec->count = (size_t)count;
    if (!parse_fill(spec, end + 2)) {
        char fill[RD_SUBJECT_SIZE];
        rd_quote(fill, end + 2, strlen(end + 2));
        return rd_fail(error, RD_ERROR_USAGE,
                       "the buffer %s has the fill %s: use zero, one, iota, alternate, allX, "
                       "random:SEED, plusK, modK, witness, uninit or @FILE",
                       subject, fill);
    }
    if (spec->fill == RD_CHECK_WITNESS && spec->count > digits_of(spec->numeric))
        return rd_fail(error, RD_ERROR_USAGE,
                       "%s has more elements than there are powers of 2 in %s: use at most %u",
                       subject, spec->numeric->name, digits_of(spec->numeric));
    if (spec->fill == RD_CHECK_FILE)
        return rd_check_read(end + 3, spec->numeric, spec->count, &spec->cells, error);
    return RD_OK;
}

/* ---- names and members ---- */

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

/* The length of the name in front of an equals sign, "x" or "v.x[0]"; 0: the text has none. */
static size_t name_length(const char *text, bool of_member)
{
    size_t length = strspn(text, letters);
    while (of_member && length > 0 && (text[length] == '.' || text[length] == '[')) {
        length += text[length] == '[' ? strcspn(text + length, "]") + 1 : 1;
        length += strspn(text + length, letters);
    }
    if (length == 0 || isdigit((unsigned char)*text) || text[length] != '=' ||
        text[length + 1] == '=')
        return 0;
    return length;
}

/* The length up to a comma, or the closing brace, that no bracket encloses. */
static size_t member_length(const char *text)
{
    size_t k = 0;
    for (int depth = 0; text[k] && (depth > 0 || !strchr(",}", text[k])); k++)
        depth += (strchr("{[(", text[k]) != NULL) - (strchr("}])", text[k]) != NULL);
    return k;
}

static enum rd_status add_member(struct rd_check_spec *spec, const char *text, size_t length,
                                 struct rd_error *error)
{
    char label[2 * RD_CHECK_NAME_SIZE], *copy = strndup(text, length);
    size_t named = copy ? name_length(copy, true) : 0;
    enum rd_status status = RD_ERROR_MEMORY;
    struct rd_check_spec *grown =
        copy ? realloc(spec->members, (spec->n_members + 1) * sizeof *grown) : NULL;
    if (grown) {
        spec->members = grown;
        snprintf(label, sizeof label, "%s.%.*s", spec->name, (int)named, copy);
        if (!named)
            snprintf(label, sizeof label, "%s.%u", spec->name, spec->n_members);
        label[RD_CHECK_NAME_SIZE - 1] = '\0';
        const char *value = copy + (named ? named + 1 : 0);
        status =
            rd_check_spec_init(&grown[spec->n_members], value + strspn(value, " "), label, error);
    } else {
        rd_fail(error, status, "no memory for '%s'", spec->text);
    }
    if (status == RD_OK)
        snprintf(grown[spec->n_members++].member, RD_CHECK_NAME_SIZE, "%.*s", (int)named, copy);
    free(copy);
    return status;
}

/* {n=8, x=buf}. */
static enum rd_status parse_struct(struct rd_check_spec *spec, struct rd_error *error)
{
    char subject[RD_SUBJECT_SIZE];
    enum rd_status status = RD_OK;
    const char *at = spec->text + 1;
    rd_quote(subject, spec->text, strlen(spec->text));
    if (strcmp(spec->text, "{}") == 0)
        return RD_OK;
    while (status == RD_OK) {
        at += strspn(at, " ");
        size_t length = member_length(at), used = length;
        while (used > 0 && at[used - 1] == ' ')
            used--;
        bool is_last = at[length] == '}' && at[length + 1] == '\0';
        if ((at[length] != ',' && !is_last) || used == 0)
            return rd_fail(error, RD_ERROR_USAGE,
                           "%s is no struct: write {MEMBER=SPEC, ...}, as in {n=8, x=f32[8]:iota}",
                           subject);
        status = add_member(spec, at, used, error);
        if (is_last)
            break;
        at += length + 1;
    }
    return status;
}

enum rd_status rd_check_spec_init(struct rd_check_spec *spec, const char *text, const char *label,
                                  struct rd_error *error)
{
    struct rd_check_spec made = {0};
    size_t named = name_length(text, false);
    if (named >= sizeof made.name)
        return rd_fail(error, RD_ERROR_USAGE, "'%.20s...' is too long for a name", text);
    snprintf(made.name, sizeof made.name, "%s", label);
    if (named)
        snprintf(made.name, sizeof made.name, "%.*s", (int)named, text);
    made.text = strdup(text + (named ? named + 1 : 0));
    if (!made.text)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for '%s'", text);
    const char *buffer = made.text;
    if (rd_text_begins(buffer, "host:")) {
        made.space = RD_CHECK_HOST;
        buffer += strlen("host:");
    } else if (rd_text_begins(buffer, "freed:")) {
        made.space = RD_CHECK_FREED;
        buffer += strlen("freed:");
    }
    made.is_struct = *made.text == '{';
    made.is_buffer = !made.is_struct && (buffer > made.text || strchr(made.text, '['));
    enum rd_status status = made.is_struct   ? parse_struct(&made, error)
                            : made.is_buffer ? parse_buffer(&made, buffer, error)
                                             : RD_OK;
    if (status == RD_OK)
        *spec = made;
    else
        rd_check_spec_finish(&made);
    return status;
}

void rd_check_spec_finish(struct rd_check_spec *spec)
{
    if (!spec)
        return;
    for (unsigned k = 0; k < spec->n_members; k++)
        rd_check_spec_finish(&spec->members[k]);
    free(spec->members);
    free(spec->cells);
    free(spec->text);
    *spec = (struct rd_check_spec){0};
}

size_t rd_check_spec_bytes(const struct rd_check_spec *spec)
{
    return spec->is_buffer ? spec->count * spec->numeric->size_bytes : 0;
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
    case RD_CHECK_ALTERNATE:
        return i % 2 ? -i : i;
    case RD_CHECK_WITNESS:
        return (uint64_t)1 << i;
    case RD_CHECK_ZERO:
    case RD_CHECK_RANDOM:
    case RD_CHECK_ALL:
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
        bool is_signed = spec->negative || spec->fill == RD_CHECK_ALTERNATE;
        uint64_t bits = random ? rd_random(&state) : element(spec, i);
        if (numeric->is_float)
            bits = numeric->from_double(random      ? (double)(bits >> 11) * 0x1p-52 - 1
                                        : is_signed ? (double)(int64_t)bits
                                                    : (double)bits);
        numeric->store(memory, i, spec->fill == RD_CHECK_ALL ? spec->number : bits);
    }
}

void rd_check_spec_write(const struct rd_check_spec *spec, void *memory)
{
    if (spec->cells)
        memcpy(memory, spec->cells, spec->count * spec->numeric->size_bytes);
    else if (spec->fill != RD_CHECK_UNINIT)
        fill(memory, spec);
}

/* ---- all of a check ---- */

static enum rd_status list_one(struct rd_check_spec *spec, unsigned argument,
                               struct rd_check_buffers *buffers, struct rd_error *error)
{
    enum rd_status status = RD_OK;
    for (unsigned k = 0; k < spec->n_members && status == RD_OK; k++)
        status = list_one(&spec->members[k], argument, buffers, error);
    if (!spec->is_buffer || status != RD_OK)
        return status;
    if (buffers->n == RD_CHECK_BUFFERS_MAX)
        return rd_fail(error, RD_ERROR_USAGE, "there are more than %d buffers",
                       RD_CHECK_BUFFERS_MAX);
    if (rd_check_buffer_named(buffers, spec->name, strlen(spec->name)))
        return rd_fail(error, RD_ERROR_USAGE, "two buffers have the name '%s'", spec->name);
    spec->index = buffers->n;
    buffers->all[buffers->n++] = (struct rd_check_buffer){spec, argument};
    return RD_OK;
}

enum rd_status rd_check_specs_list(struct rd_check_spec *specs, unsigned n,
                                   struct rd_check_buffers *buffers, struct rd_error *error)
{
    enum rd_status status = RD_OK;
    for (unsigned k = 0; k < n && status == RD_OK; k++)
        status = list_one(&specs[k], k, buffers, error);
    return status;
}

const struct rd_check_buffer *rd_check_buffer_named(const struct rd_check_buffers *buffers,
                                                    const char *name, size_t length)
{
    for (unsigned k = 0; k < buffers->n; k++)
        if (strlen(buffers->all[k].spec->name) == length &&
            strncmp(buffers->all[k].spec->name, name, length) == 0)
            return &buffers->all[k];
    return NULL;
}

/* "buf", "buf+3", "buf-1": a name that no buffer has stays what it is. */
static enum rd_status resolve_one(struct rd_check_spec *spec,
                                  const struct rd_check_buffers *buffers, struct rd_error *error)
{
    enum rd_status status = RD_OK;
    for (unsigned k = 0; k < spec->n_members && status == RD_OK; k++)
        status = resolve_one(&spec->members[k], buffers, error);
    if (spec->is_buffer || spec->is_struct || status != RD_OK)
        return status;
    size_t length = strspn(spec->text, letters);
    while (spec->text[length] == '.' && !isdigit((unsigned char)*spec->text))
        length += 1 + strspn(spec->text + length + 1, letters);
    const char *behind = spec->text + length + strspn(spec->text + length, " ");
    const struct rd_check_buffer *buffer = length > 0 && !isdigit((unsigned char)*spec->text)
                                               ? rd_check_buffer_named(buffers, spec->text, length)
                                               : NULL;
    if (!buffer || (*behind && *behind != '+' && *behind != '-'))
        return RD_OK;
    if (*behind)
        status = rd_check_expression(behind + 1, strlen(behind + 1), &spec->shift, error);
    if (*behind == '-')
        spec->shift = -spec->shift;
    if (status != RD_OK)
        return status;
    if (spec->shift < 0 || (uint64_t)spec->shift > buffer->spec->count)
        return rd_fail(error, RD_ERROR_USAGE, "'%s' leads out of '%s', which has %zu elements",
                       spec->text, buffer->spec->name, buffer->spec->count);
    spec->target = buffer->spec;
    return RD_OK;
}

enum rd_status rd_check_specs_resolve(struct rd_check_spec *specs, unsigned n,
                                      const struct rd_check_buffers *buffers,
                                      struct rd_error *error)
{
    enum rd_status status = RD_OK;
    for (unsigned k = 0; k < n && status == RD_OK; k++)
        status = resolve_one(&specs[k], buffers, error);
    return status;
}
