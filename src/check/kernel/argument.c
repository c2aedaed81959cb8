// SPDX-License-Identifier: MIT
/* Arguments of a checked kernel, made of SPECs by the types of its parameters. */
#include "check/kernel/spec.h"
#include "check/source/expression.h"
#include "element/values_text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

static void write_spec(const void *self, void *memory)
{
    rd_check_spec_write(self, memory);
}

/* Makes the buffer's memory, by the name that findings have for it. */
static enum rd_status alloc_buffer(struct rd_check_arg *arg, const struct rd_check_spec *spec,
                                   const char *name, struct rd_error *error)
{
    struct rd_check_memories *memories = arg->memories;
    snprintf(memories->names[spec->index], RD_CHECK_NAME_SIZE, "%s", name);
    const struct rd_file_buffer buffer = {
        .size_bytes = spec->count * spec->numeric->size_bytes,
        .name = memories->names[spec->index],
        .type = spec->numeric->name,
        .elem_bytes = (unsigned)spec->numeric->size_bytes,
        .is_host = spec->space == RD_CHECK_HOST,
        .is_freed = spec->space == RD_CHECK_FREED,
        .is_unset = spec->fill == RD_CHECK_UNINIT,
        .fill = write_spec,
        .self = spec,
    };
    if (arg->device->ops->files->alloc(arg->device, &buffer, &memories->all[spec->index]) != RD_OK)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for %s", subject_of(spec).text);
    return RD_OK;
}

/* Buffers of a struct's members have the names of both: "p.x". */
static enum rd_status alloc_all(struct rd_check_arg *arg, const struct rd_check_spec *spec,
                                const char *name, struct rd_error *error)
{
    enum rd_status status = spec->is_buffer ? alloc_buffer(arg, spec, name, error) : RD_OK;
    for (unsigned k = 0; k < spec->n_members && status == RD_OK; k++) {
        char inner[2 * RD_CHECK_NAME_SIZE + 16];
        if (*spec->members[k].member)
            snprintf(inner, sizeof inner, "%s.%s", name, spec->members[k].member);
        else
            snprintf(inner, sizeof inner, "%s.%u", name, k);
        inner[RD_CHECK_NAME_SIZE - 1] = '\0';
        status = alloc_all(arg, &spec->members[k], inner, error);
    }
    return status;
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
        return rd_fail(error, RD_ERROR_USAGE,
                       "%s is for %s, a struct of %u bytes: write {MEMBER=SPEC, ...}, or its bytes "
                       "in hex, 0x and %u digits",
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
    int64_t whole;
    char digits[24];
    if (!numeric->is_float && rd_check_is_expression(spec) &&
        rd_check_expression(spec, strlen(spec), &whole, error) == RD_OK) {
        snprintf(digits, sizeof digits, "%" PRId64, whole);
        spec = digits;
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

/* ---- pointers ---- */

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
    const struct rd_check_spec *spec = arg->spec->target ? arg->spec->target : arg->spec;
    const struct rd_numeric *numeric = spec->numeric, *wanted = pointee_type(parameter);
    if (parameter->kind != 'p')
        return rd_fail(error, RD_ERROR_USAGE, "%s is a buffer, and %s is no pointer",
                       subject_of(arg->spec).text, arg->what);
    if (!wanted || suits(numeric, wanted))
        return RD_OK;
    return rd_fail(error, RD_ERROR_USAGE,
                   "%s is a buffer of %s, and %s points to %s%s: write %s[%zu]",
                   subject_of(arg->spec).text, numeric->name, arg->what,
                   parameter->pointee_kind == 'p' ? "pointers, which are " : "", wanted->name,
                   wanted->name, spec->count);
}

/* ---- structs by their members ---- */

static enum rd_status make(struct rd_check_arg *arg, const struct rd_file_parameter *parameter,
                           struct rd_error *error);

enum { MEMBERS_MAX = 512, PATH_SIZE = 128, LIST_SIZE = 240 };

/* The numbers and pointers in a struct, in its order. */
struct members {
    struct member {
        char path[PATH_SIZE]; /* "v.x", "m[2]" */
        size_t offset;
        struct rd_file_parameter type;
        bool is_given;
    } all[MEMBERS_MAX];
    unsigned n;
    bool has_more;
};

static void add_member(void *self, const char *path, size_t offset,
                       const struct rd_file_parameter *type)
{
    struct members *members = self;
    if (members->n == MEMBERS_MAX || strlen(path) >= PATH_SIZE) {
        members->has_more = true;
        return;
    }
    struct member *member = &members->all[members->n++];
    *member = (struct member){.offset = offset, .type = *type};
    snprintf(member->path, PATH_SIZE, "%s", path);
}

static void list_members(const struct members *members, char list[LIST_SIZE])
{
    size_t length = 0;
    list[0] = '\0';
    for (unsigned k = 0; k < members->n && length + PATH_SIZE < LIST_SIZE; k++)
        length += (size_t)snprintf(list + length, LIST_SIZE - length, "%s%s", k ? ", " : "",
                                   members->all[k].path);
    if (length + PATH_SIZE >= LIST_SIZE)
        snprintf(list + length, LIST_SIZE - length, ", ...");
}

/* The member of that path; without a name the first behind *next that lies in the prefix. NULL: there is none. */
static struct member *find_member(struct members *members, const char *prefix, const char *name,
                                  unsigned *next)
{
    char path[2 * PATH_SIZE];
    snprintf(path, sizeof path, "%s%s", prefix, name);
    for (unsigned k = *name ? 0 : *next; k < members->n; k++) {
        struct member *member = &members->all[k];
        if (*name ? strcmp(member->path, path) != 0
                  : strncmp(member->path, prefix, strlen(prefix)) != 0)
            continue;
        *next = k + 1;
        return member;
    }
    return NULL;
}

static enum rd_status set_member(struct rd_check_arg *arg, const struct rd_check_spec *spec,
                                 struct member *member, struct rd_error *error)
{
    if (member->is_given)
        return rd_fail(error, RD_ERROR_USAGE, "'%s' of %s is given twice", member->path, arg->what);
    if (member->type.kind == 0)
        return rd_fail(error, RD_ERROR_USAGE,
                       "'%s' of %s is a bit field: write the struct's bytes in hex", member->path,
                       arg->what);
    if (spec->is_struct)
        return rd_fail(error, RD_ERROR_USAGE, "%s is a struct, and '%s' of %s is none",
                       subject_of(spec).text, member->path, arg->what);
    struct rd_check_arg *part = aligned_alloc(64, sizeof *part);
    if (!part)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for '%s'", member->path);
    part->device = arg->device;
    part->spec = spec;
    part->memories = arg->memories;
    part->number = UINT_MAX;
    snprintf(part->name, sizeof part->name, "%.30s.%.30s", arg->name, member->path);
    snprintf(part->what, sizeof part->what, "member '%.60s'", part->name);
    enum rd_status status = make(part, &member->type, error);
    if (status == RD_OK)
        memcpy(arg->bytes + member->offset, rd_check_arg_value(part), member->type.size);
    member->is_given = true;
    free(part);
    return status;
}

/* Sets the members that the SPEC gives; `prefix` is "" or "v.". */
static enum rd_status set_members(struct rd_check_arg *arg, const struct rd_check_spec *spec,
                                  struct members *members, const char *prefix,
                                  struct rd_error *error)
{
    enum rd_status status = RD_OK;
    unsigned next = 0;
    for (unsigned k = 0; k < spec->n_members && status == RD_OK; k++) {
        const struct rd_check_spec *given = &spec->members[k];
        char inner[2 * PATH_SIZE], list[LIST_SIZE];
        struct member *member = NULL;
        if (given->is_struct && *given->member) {
            snprintf(inner, sizeof inner, "%s%s", prefix, given->member);
            size_t length = strlen(inner);
            for (unsigned m = 0; m < members->n && !member; m++)
                if (strncmp(members->all[m].path, inner, length) == 0 &&
                    (members->all[m].path[length] == '.' || members->all[m].path[length] == '['))
                    member = &members->all[m];
            if (member) {
                snprintf(inner + length, sizeof inner - length, "%c", member->path[length]);
                status = set_members(arg, given, members, inner, error);
                continue;
            }
        }
        member = find_member(members, prefix, given->member, &next);
        if (member) {
            status = set_member(arg, given, member, error);
            continue;
        }
        list_members(members, list);
        if (*given->member)
            return rd_fail(error, RD_ERROR_USAGE, "'%s%s' is no member of %s, which has %s", prefix,
                           given->member, arg->what, list);
        return rd_fail(error, RD_ERROR_USAGE, "%s has more values than %s has members: %s",
                       subject_of(spec).text, arg->what, list);
    }
    return status;
}

static enum rd_status make_by_members(struct rd_check_arg *arg,
                                      const struct rd_file_parameter *parameter,
                                      struct rd_error *error)
{
    if (parameter->kind != 's' && parameter->kind != RD_FILE_KIND_F16 &&
        parameter->kind != RD_FILE_KIND_BF16)
        return rd_fail(error, RD_ERROR_USAGE, "%s is a struct, and %s is none",
                       subject_of(arg->spec).text, arg->what);
    if (parameter->size > RD_CHECK_STRUCT_MAX)
        return rd_fail(error, RD_ERROR_USAGE, "%s is a struct of %u bytes; at most %d are taken",
                       arg->what, parameter->size, RD_CHECK_STRUCT_MAX);
    struct members *members = calloc(1, sizeof *members);
    if (!members)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the members of %s", arg->what);
    if (arg->number != UINT_MAX)
        arg->device->ops->files->visit_members(arg->device, arg->number, add_member, members);
    enum rd_status status =
        members->n == 0 && arg->spec->n_members > 0
            ? rd_fail(error, RD_ERROR_USAGE,
                      "the members of %s are unknown: write its bytes in hex, 0x and %u digits",
                      arg->what, parameter->size * 2)
            : set_members(arg, arg->spec, members, "", error);
    free(members);
    return status;
}

/* ---- the interface ---- */

static enum rd_status make(struct rd_check_arg *arg, const struct rd_file_parameter *parameter,
                           struct rd_error *error)
{
    const struct rd_check_spec *buffer = arg->spec->target ? arg->spec->target : arg->spec;
    arg->memory = NULL;
    memset(arg->bytes, 0, sizeof arg->bytes);
    if (arg->spec->is_struct)
        return make_by_members(arg, parameter, error);
    if (!buffer->is_buffer)
        return make_value(arg, parameter, error);
    enum rd_status status = check_buffer(arg, parameter, error);
    if (status != RD_OK)
        return status;
    struct rd_file_parameter *type = &arg->memories->types[buffer->index];
    if (!arg->spec->target || !type->kind)
        *type = *parameter;
    arg->memory = (char *)arg->memories->all[buffer->index] +
                  arg->spec->shift * (int64_t)buffer->numeric->size_bytes;
    return RD_OK;
}

enum rd_status rd_check_arg_alloc(struct rd_check_arg *arg, struct rd_device *device,
                                  const struct rd_check_spec *spec,
                                  struct rd_check_memories *memories, unsigned number,
                                  const char *name, struct rd_error *error)
{
    arg->device = device;
    arg->spec = spec;
    arg->memories = memories;
    arg->number = number;
    int length = snprintf(arg->what, sizeof arg->what, "parameter %u", number);
    if (*name) {
        snprintf(arg->name, sizeof arg->name, "%s", name);
        snprintf(arg->what + length, sizeof arg->what - (size_t)length, " ('%s')", arg->name);
    } else {
        snprintf(arg->name, sizeof arg->name, "parameter %u", number);
    }
    const bool is_named = spec->name[strspn(spec->name, "0123456789")] != '\0';
    return alloc_all(arg, spec, is_named ? spec->name : arg->name, error);
}

enum rd_status rd_check_arg_make(struct rd_check_arg *arg,
                                 const struct rd_file_parameter *parameter, struct rd_error *error)
{
    return make(arg, parameter, error);
}

enum rd_status rd_check_arg_init_symbol(struct rd_check_arg *arg, struct rd_device *device,
                                        const struct rd_check_spec *spec,
                                        struct rd_check_memories *memories,
                                        const struct rd_file_parameter *type, const char *name,
                                        struct rd_error *error)
{
    arg->device = device;
    arg->spec = spec;
    arg->memories = memories;
    arg->number = UINT_MAX;
    snprintf(arg->name, sizeof arg->name, "%s", name);
    snprintf(arg->what, sizeof arg->what, "'%s'", arg->name);
    enum rd_status status = alloc_all(arg, spec, arg->name, error);
    return status == RD_OK ? make(arg, type, error) : status;
}

void *rd_check_arg_value(struct rd_check_arg *arg)
{
    return arg->spec->is_buffer || arg->spec->target ? (void *)&arg->memory : (void *)arg->bytes;
}
