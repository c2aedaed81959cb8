// SPDX-License-Identifier: MIT
/* Variables of a program that are the host's alone, by what the compiled files say of their names: see
 * rd_check_host_variables_write(). */
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

struct host_names {
    const struct rd_sim_file *file;
    struct list said, doubtful;
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

/* Reads a section of strings. In "rd_device_names" all are doubtful: some are the device's. */
static void read_names(struct host_names *names, const struct rd_sim_elf *elf, const char *of,
                       bool are_doubtful)
{
    const Elf64_Shdr *section = rd_sim_elf_section(elf, of);
    const char *name = section ? (const char *)(names->file->base + section->sh_addr) : NULL;
    const char *end = section ? name + section->sh_size : NULL;
    for (; name < end; name += strlen(name) + 1)
        if (are_doubtful || *name == '-')
            add(&names->doubtful, are_doubtful ? name : name + 1);
        else if (*name)
            add(&names->said, name);
}

/* Behind the last "::" or blank: of "=n::x" and ">f x" it is x. */
static const char *variable_of(const char *said)
{
    const char *last = said + 1;
    for (const char *at = last; *at; at++)
        if (*at == ':' || *at == ' ')
            last = at + 1;
    return last;
}

static void drop_doubtful(struct host_names *names)
{
    size_t n = 0;
    qsort(names->doubtful.all, names->doubtful.n, sizeof *names->doubtful.all, compare);
    for (size_t k = 0; k < names->said.n; k++) {
        const char *variable = variable_of(names->said.all[k]);
        if (names->doubtful.n == 0 || !bsearch(&variable, names->doubtful.all, names->doubtful.n,
                                               sizeof *names->doubtful.all, compare))
            names->said.all[n++] = names->said.all[k];
    }
    names->said.n = n;
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

static bool is_said(const struct host_names *names, const char *name, bool is_local)
{
    for (size_t k = 0; k < names->said.n; k++) {
        const char *said = names->said.all[k];
        if (is_local ? *said == '>' && is_in_function(name, said)
                     : *said == '=' && strcmp(said + 1, name) == 0)
            return true;
    }
    return false;
}

static void visit(void *self, const char *symbol, const Elf64_Sym *entry)
{
    const struct host_names *names = self;
    const struct rd_sim_file *file = names->file;
    const uintptr_t address = file->base + entry->st_value;
    if (entry->st_shndx == SHN_UNDEF || ELF64_ST_TYPE(entry->st_info) != STT_OBJECT ||
        entry->st_size == 0 || address < file->data || address >= file->data_end ||
        strncmp(symbol, "_ZG", 3) == 0 || strncmp(symbol, "_ZT", 3) == 0)
        return;
    char *plain = file->source->demangle(symbol);
    char *name = plain ? plain : strdup(symbol);
    if (name) {
        file->source->restore(name);
        if (is_said(names, name, strncmp(symbol, "_ZZ", 3) == 0))
            rd_sim_module_host(address);
    }
    free(name);
}

void rd_sim_file_mark_host(const struct rd_sim_file *file)
{
    struct host_names names = {.file = file};
    struct rd_sim_elf elf;
    if (!rd_sim_elf_init(&elf, file->source->library, false))
        return;
    read_names(&names, &elf, "rd_host_names", false);
    read_names(&names, &elf, "rd_device_names", true);
    rd_sim_elf_finish(&elf);
    drop_doubtful(&names);
    if (names.said.n > 0)
        rd_sim_elf_symbols_of(file->source->library, visit, &names);
    free(names.said.all);
    free(names.doubtful.all);
}
