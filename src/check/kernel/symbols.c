// SPDX-License-Identifier: MIT
/* The file's own variables in the process of a run: what --set says, and what the host's code would have set. */
#include "check/source/rewrite.h"
#include "element/values_text.h"
#include "check/kernel/check.h"
#include "check/source/kernel_names.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 512, LIST_SIZE = 200 };

struct symbol {
    char name[NAME_SIZE]; /* with its namespaces */
    struct rd_file_variable variable;
    struct rd_file_type type;
};

/* ---- finding them ---- */

struct search {
    struct rd_device *device;
    const char *wanted;
    size_t wanted_length;
    struct symbol found; /* the first, or the one of just that name */
    unsigned n_found;
    bool is_exact;
    char others[LIST_SIZE]; /* the variables of the file */
};

/* "n::k", also of a symbol of C. */
static void name_symbol(const char *symbol, char name[NAME_SIZE])
{
    char *whole = rd_check_demangle(symbol);
    snprintf(name, NAME_SIZE, "%s", whole ? whole : symbol);
    free(whole);
    rd_check_names_restore(name);
    const char *anonymous = "(anonymous namespace)::";
    for (char *at; (at = strstr(name, anonymous));)
        memmove(at, at + strlen(anonymous), strlen(at + strlen(anonymous)) + 1);
}

static bool has_end(const char *name, const char *end, size_t length)
{
    size_t n = strlen(name);
    return n > length + 2 && strncmp(name + n - length, end, length) == 0 &&
           strncmp(name + n - length - 2, "::", 2) == 0;
}

static void list(struct search *search, const char *name)
{
    size_t length = strlen(search->others);
    if (strncmp(name, "rd_", 3) == 0 || strncmp(name, "std::", 5) == 0 || name[0] == '_' ||
        strpbrk(name, ". (<"))
        return;
    snprintf(search->others + length, LIST_SIZE - length, "%s'%s'", length ? ", " : "", name);
}

static void visit_symbol(void *self, const struct rd_file_variable *variable)
{
    struct search *search = self;
    struct symbol one = {.variable = *variable};
    name_symbol(variable->symbol, one.name);
    if (!variable->is_shared && !variable->is_constant)
        list(search, one.name);
    bool is_exact = strlen(one.name) == search->wanted_length &&
                    strncmp(one.name, search->wanted, search->wanted_length) == 0;
    if (!is_exact && !has_end(one.name, search->wanted, search->wanted_length))
        return;
    if (search->n_found > 0 && search->found.variable.value == variable->value)
        return; /* in both of the file's tables */
    if (search->n_found++ == 0 || is_exact)
        search->found = one;
    search->is_exact |= is_exact;
}

static void find(struct search *search, struct rd_device *device, const char *name, size_t length)
{
    const struct rd_file_ops *files = device->ops->files;
    size_t global = length > 2 && strncmp(name, "::", 2) == 0 ? 2 : 0;
    name += global;
    length -= global;
    *search = (struct search){.device = device, .wanted = name, .wanted_length = length};
    files->visit_variables(device, visit_symbol, search);
    if (search->n_found > 0)
        search->found.type = files->type_of(device, &search->found.variable);
}

/* The only one of this name, in memory that can be set. */
static enum rd_status find_one(struct search *search, struct rd_device *device,
                               const struct rd_check_set *set, struct rd_error *error)
{
    char subject[RD_SUBJECT_SIZE];
    rd_quote(subject, set->symbol, set->symbol_length);
    find(search, device, set->symbol, set->symbol_length);
    if (search->n_found == 0)
        return rd_fail(error, RD_ERROR_USAGE, "'--set' names %s, and %s%s", subject,
                       search->others[0] ? "the file's variables are "
                                         : "the file has no variable of the device",
                       search->others);
    if (search->n_found > 1 && !search->is_exact)
        return rd_fail(error, RD_ERROR_USAGE,
                       "'--set' names %s, of which the file has %u: give it with its namespace, as "
                       "'%s'",
                       subject, search->n_found, search->found.name);
    if (search->found.variable.is_shared)
        return rd_fail(
            error, RD_ERROR_USAGE,
            "'--set' names %s, which is in shared memory: that starts anew in each block", subject);
    if (search->found.variable.is_constant)
        return rd_fail(error, RD_ERROR_USAGE,
                       "'--set' names %s, which is const: its value stands in the file", subject);
    return RD_OK;
}

/* ---- setting them ---- */

static bool is_pointer(const struct symbol *symbol)
{
    return symbol->type.is_pointer && !symbol->type.is_array;
}

/* As the parameter of a kernel would be described that has its type. */
static struct rd_file_parameter parameter_of(const struct symbol *symbol)
{
    const struct rd_file_type *type = &symbol->type;
    struct rd_file_parameter parameter = {.kind = 's',
                                          .size = (unsigned)symbol->variable.size_bytes};
    if (is_pointer(symbol)) {
        parameter.kind = 'p';
        parameter.pointee_kind = type->pointee[0] ? type->pointee[0] : 'v';
        parameter.pointee_size = type->pointee[0] ? (unsigned)atoi(type->pointee + 1) / 8 : 0;
    } else if (type->type[0]) {
        parameter.kind = type->is_boolean ? 'b' : type->type[0];
    }
    return parameter;
}

static enum rd_status set_array(struct rd_device *device, const struct symbol *symbol,
                                const struct rd_check_spec *spec, struct rd_error *error)
{
    char subject[RD_SUBJECT_SIZE];
    const struct rd_file_type *type = &symbol->type;
    size_t elem = type->elem_bytes ? type->elem_bytes : 1, n = symbol->variable.size_bytes / elem;
    const char *wanted = type->type[0] ? type->type : "u8";
    rd_quote(subject, spec->text, strlen(spec->text));
    if (!type->type[0])
        n = symbol->variable.size_bytes;
    if (!spec->is_buffer || spec->space != RD_CHECK_DEVICE)
        return rd_fail(error, RD_ERROR_USAGE, "%s is for '%s', an array: write %s[%zu]:FILL",
                       subject, symbol->name, wanted, n);
    size_t size_bytes = spec->count * spec->numeric->size_bytes;
    if (type->type[0] &&
        (spec->numeric->size_bytes != elem || spec->numeric->is_float != (type->type[0] == 'f')))
        return rd_fail(error, RD_ERROR_USAGE, "%s is for '%s', an array of %s: write %s[%zu]:FILL",
                       subject, symbol->name, wanted, wanted, n);
    if (size_bytes > symbol->variable.size_bytes)
        return rd_fail(error, RD_ERROR_USAGE, "%s has %zu bytes, and '%s' %zu: write %s[%zu]:FILL",
                       subject, size_bytes, symbol->name, symbol->variable.size_bytes, wanted, n);
    rd_check_spec_write(spec, (void *)symbol->variable.address);
    if (spec->fill == RD_CHECK_UNINIT)
        device->ops->files->mark_uninitialised(device, symbol->variable.address, size_bytes, NULL);
    else
        device->ops->files->mark_initialised(device, symbol->variable.address, size_bytes);
    return RD_OK;
}

static enum rd_status set_one(struct rd_device *device, const struct rd_check_set *set,
                              const struct rd_check_spec *spec, struct rd_check_memories *memories,
                              struct rd_error *error)
{
    struct search *search = malloc(sizeof *search);
    struct rd_check_arg *arg = aligned_alloc(64, sizeof *arg);
    enum rd_status status = search && arg
                                ? find_one(search, device, set, error)
                                : rd_fail(error, RD_ERROR_MEMORY, "no memory for '--set'");
    if (status != RD_OK)
        goto done;
    const struct symbol *symbol = &search->found;
    if (!symbol->type.is_known) {
        status = rd_fail(error, RD_ERROR_DEVICE,
                         "'--set' needs the type of '%s', and this build reads no debug "
                         "information: build it with libdw",
                         symbol->name);
        goto done;
    }
    if (symbol->type.is_array) {
        status = set_array(device, symbol, spec, error);
        goto done;
    }
    struct rd_file_parameter type = parameter_of(symbol);
    status = rd_check_arg_init_symbol(arg, device, spec, memories, &type, symbol->name, error);
    if (status != RD_OK)
        goto done;
    memcpy((void *)symbol->variable.address, rd_check_arg_value(arg), symbol->variable.size_bytes);
    device->ops->files->mark_initialised(device, symbol->variable.address,
                                         symbol->variable.size_bytes);
done:
    free(arg); /* its buffer stays: the kernel uses it */
    free(search);
    return status;
}

/* ---- what host code would set ---- */

/* The first line "NAME@FILE:LINE" of a name counts. */
static enum rd_status forget_all(struct rd_device *device, const struct rd_file *file,
                                 struct rd_error *error)
{
    struct search *search = malloc(sizeof *search);
    if (!search)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the file's variables");
    for (const char *line = file->host_sets; *line; line = strchr(line, '\n') + 1) {
        const char *at = strchr(line, '@');
        find(search, device, line, (size_t)(at - line));
        const struct symbol *symbol = &search->found;
        if (search->n_found > 0 && !symbol->variable.is_shared && !symbol->variable.is_constant)
            device->ops->files->mark_uninitialised(device, symbol->variable.address,
                                                   symbol->variable.size_bytes, at + 1);
    }
    free(search);
    return RD_OK;
}

enum rd_status rd_check_symbols_set(const struct rd_check *check, struct rd_device *device,
                                    const struct rd_file *file, struct rd_check_memories *memories,
                                    struct rd_error *error)
{
    enum rd_status status = forget_all(device, file, error);
    for (unsigned k = 0; k < check->options->n_sets && status == RD_OK; k++)
        status = set_one(device, &check->options->sets[k], &check->set_specs[k], memories, error);
    return status;
}
