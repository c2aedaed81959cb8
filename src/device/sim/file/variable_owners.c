// SPDX-License-Identifier: MIT
/* Tells the device's variables from the host's, by what the compiled files say of their names: "rd_device_names" has plain names of
 * the device's, behind a "*" those of managed ones, "rd_host_names" what rd_check_host_variables_write() says. A static variable is judged by the names of its own file:
 * in the table of symbols it follows that of its source, as they do. */
#include "device/sim/file/file.h"
#include "device/sim/source/elf.h"
#include "device/sim/memory/memory.h"
#include "base/array.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct list {
    const char **all;
    size_t n, capacity;
};

struct unit {
    size_t source;        /* the number of its source among all */
    struct list device;   /* plain names */
    struct list managed;  /* plain names */
    struct list doubtful; /* plain names of variables that may be the device's */
    struct list host;     /* "=n::x" and ">f x": declared as the host's */
    struct list sure;     /* of those, what no other variable has the name of */
};

struct owners {
    const struct rd_sim_file *file;
    struct unit *units; /* the first has the names of all */
    size_t n_units, capacity, source;
};

static void add(struct list *list, const char *text)
{
    if (rd_array_make_room(&list->all, list->n, &list->capacity, sizeof *list->all))
        list->all[list->n++] = text;
}

static int compare(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

static void sort(struct list *list)
{
    if (list->n > 0)
        qsort(list->all, list->n, sizeof *list->all, compare);
}

static bool has(const struct list *sorted, const char *word)
{
    return sorted->n > 0 && bsearch(&word, sorted->all, sorted->n, sizeof *sorted->all, compare);
}

/* ---- what the files say ---- */

static void read_names(struct unit *unit, const char *name, const char *end, bool are_of_device)
{
    for (; name < end; name += strlen(name) + 1)
        if (are_of_device && *name == '*') {
            add(&unit->managed, name + 1);
        } else if (are_of_device && *name) {
            add(&unit->device, name);
            add(&unit->doubtful, name);
        } else if (*name == '-') {
            add(&unit->doubtful, name + 1);
        } else if (*name == '~') {
            add(&unit->host, name + 1);
        } else if (*name) {
            add(&unit->host, name);
            add(&unit->sure, name);
        }
}

static struct unit *find_unit(const struct owners *owners)
{
    for (size_t k = 1; k < owners->n_units; k++)
        if (owners->units[k].source == owners->source)
            return &owners->units[k];
    return NULL;
}

static bool add_unit(struct owners *owners)
{
    if (!rd_array_make_room(&owners->units, owners->n_units, &owners->capacity,
                            sizeof *owners->units))
        return false;
    owners->units[owners->n_units++] = (struct unit){.source = owners->source};
    return true;
}

static void visit_names(void *self, const char *symbol, const Elf64_Sym *entry)
{
    struct owners *owners = self;
    const bool are_of_device = strstr(symbol, "__rd_device_names");
    owners->source += ELF64_ST_TYPE(entry->st_info) == STT_FILE;
    if (entry->st_shndx == SHN_UNDEF || ELF64_ST_TYPE(entry->st_info) != STT_OBJECT ||
        !(are_of_device || strstr(symbol, "__rd_host_names")))
        return;
    const char *names = (const char *)(owners->file->base + entry->st_value);
    read_names(&owners->units[0], names, names + entry->st_size, are_of_device);
    if (find_unit(owners) || add_unit(owners))
        read_names(find_unit(owners), names, names + entry->st_size, are_of_device);
}

/* ---- variables ---- */

/* Behind the last "::" or blank: of "=n::x", ">f x" and "n::f(int)::x" it is x. */
static const char *variable_of(const char *name)
{
    const char *last = name;
    for (const char *at = name; *at; at++)
        if (*at == ':' || *at == ' ')
            last = at + 1;
    return *last == '=' ? last + 1 : last;
}

static bool is_of_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* Tells whether a name, "int n::f<int>(int)::x", is of the variable x of a function f. */
static bool is_in_function(const char *name, const char *said)
{
    const char *variable = variable_of(said), *function = said + 1;
    const size_t length = (size_t)(variable - 1 - function), size = strlen(name);
    const size_t behind = strlen(variable) + 2;
    if (size < behind || strncmp(name + size - behind, "::", 2) != 0 ||
        strcmp(name + size - behind + 2, variable) != 0)
        return false;
    for (const char *at = name; at + length <= name + size - behind; at++)
        if (strncmp(at, function, length) == 0 && (at == name || !is_of_word(at[-1])) &&
            !is_of_word(at[length]))
            return true;
    return false;
}

static bool is_among(const struct list *said, const char *name, bool is_local)
{
    for (size_t k = 0; k < said->n; k++) {
        const char *one = said->all[k];
        if (is_local ? *one == '>' && is_in_function(name, one)
                     : *one == '=' && strcmp(one + 1, name) == 0)
            return true;
    }
    return false;
}

static void visit_variable(void *self, const char *symbol, const Elf64_Sym *entry)
{
    struct owners *owners = self;
    const struct rd_sim_file *file = owners->file;
    const uintptr_t address = file->base + entry->st_value;
    owners->source += ELF64_ST_TYPE(entry->st_info) == STT_FILE;
    if (entry->st_shndx == SHN_UNDEF || ELF64_ST_TYPE(entry->st_info) != STT_OBJECT ||
        entry->st_size == 0 || address < file->data || address >= file->data_end ||
        strncmp(symbol, "_ZG", 3) == 0 || strncmp(symbol, "_ZT", 3) == 0)
        return;
    /* The linker makes hidden ones local, behind all sources. */
    const bool is_static = ELF64_ST_BIND(entry->st_info) == STB_LOCAL &&
                           ELF64_ST_VISIBILITY(entry->st_other) == STV_DEFAULT;
    const struct unit *unit = is_static ? find_unit(owners) : NULL;
    unit = unit ? unit : &owners->units[0];
    char *plain = file->source->demangle(symbol), *name = plain ? plain : strdup(symbol);
    if (name) {
        const bool is_local = strncmp(symbol, "_ZZ", 3) == 0;
        file->source->restore(name);
        const char *variable = variable_of(name);
        if (!has(&unit->doubtful, variable) && is_among(&unit->sure, name, is_local))
            rd_sim_module_host(address);
        else if (has(&unit->device, variable) && !is_among(&unit->host, name, is_local))
            rd_sim_module_device(address);
        else if (has(&unit->managed, variable) && !is_local && !is_among(&unit->host, name, false))
            rd_sim_module_managed(address);
    }
    free(name);
}

void rd_sim_file_tell_owners(const struct rd_sim_file *file)
{
    struct owners owners = {.file = file};
    if (!add_unit(&owners))
        return;
    rd_sim_elf_symbols_of(file->source->library, visit_names, &owners);
    for (size_t k = 0; k < owners.n_units; k++) {
        sort(&owners.units[k].device);
        sort(&owners.units[k].managed);
        sort(&owners.units[k].doubtful);
    }
    owners.source = 0;
    rd_sim_elf_symbols_of(file->source->library, visit_variable, &owners);
    for (size_t k = 0; k < owners.n_units; k++) {
        free(owners.units[k].device.all);
        free(owners.units[k].managed.all);
        free(owners.units[k].doubtful.all);
        free(owners.units[k].host.all);
        free(owners.units[k].sure.all);
    }
    free(owners.units);
}
