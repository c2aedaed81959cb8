// SPDX-License-Identifier: MIT
#include "check/program/object_names.h"
#include "base/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool lies_in(const struct rd_check_object_names *object, uint64_t offset, uint64_t size)
{
    return offset <= object->size && size <= object->size - offset;
}

static bool read_bytes(struct rd_check_object_names *object)
{
    FILE *file = fopen(object->path, "r");
    long size = file && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    object->bytes = size > (long)sizeof(Elf64_Ehdr) ? malloc((size_t)size) : NULL;
    if (object->bytes) {
        rewind(file);
        object->size = fread(object->bytes, 1, (size_t)size, file);
    }
    if (file)
        fclose(file);
    return object->bytes && object->size == (size_t)size;
}

/* Finds the table of symbols and what goes with it. False where the file is not one of this machine, or has more sections than
 * its header counts. */
static bool find_symbols(struct rd_check_object_names *object)
{
    const Elf64_Ehdr *head = (const Elf64_Ehdr *)object->bytes;
    if (memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 || head->e_ident[EI_CLASS] != ELFCLASS64 ||
        head->e_shnum == 0 ||
        !lies_in(object, head->e_shoff, (uint64_t)head->e_shnum * sizeof(Elf64_Shdr)))
        return false;
    object->sections = (Elf64_Shdr *)(object->bytes + head->e_shoff);
    object->n_sections = head->e_shnum;
    for (unsigned k = 0; k < object->n_sections && !object->table; k++)
        if (object->sections[k].sh_type == SHT_SYMTAB)
            object->table = &object->sections[k];
    if (!object->table)
        return true;
    if (object->table->sh_link >= object->n_sections ||
        !lies_in(object, object->table->sh_offset, object->table->sh_size))
        return false;
    const Elf64_Shdr *texts = &object->sections[object->table->sh_link];
    if (texts->sh_size == 0 || !lies_in(object, texts->sh_offset, texts->sh_size) ||
        object->bytes[texts->sh_offset + texts->sh_size - 1] != '\0')
        return false;
    object->symbols = (Elf64_Sym *)(object->bytes + object->table->sh_offset);
    object->n_symbols = object->table->sh_size / sizeof(Elf64_Sym);
    object->texts = object->bytes + texts->sh_offset;
    for (size_t k = 0; k < object->n_symbols; k++)
        if (object->symbols[k].st_name >= texts->sh_size)
            return false;
    return true;
}

/* The sections of a group, behind its flags; their number. 0: the linker keeps all groups of its name. */
static size_t group_of(const struct rd_check_object_names *object, const Elf64_Shdr *section,
                       Elf64_Word **flags)
{
    *flags = (Elf64_Word *)(object->bytes + section->sh_offset);
    if (section->sh_type != SHT_GROUP || !lies_in(object, section->sh_offset, section->sh_size) ||
        section->sh_size < sizeof **flags || !(**flags & GRP_COMDAT))
        return 0;
    return section->sh_size / sizeof **flags - 1;
}

static bool find_groups(struct rd_check_object_names *object)
{
    Elf64_Word *flags;
    object->is_of_group = calloc(object->n_sections, sizeof *object->is_of_group);
    for (unsigned k = 0; k < object->n_sections && object->is_of_group; k++) {
        const size_t n = group_of(object, &object->sections[k], &flags);
        for (size_t i = 1; i <= n; i++)
            if (flags[i] < object->n_sections)
                object->is_of_group[flags[i]] = true;
    }
    return object->is_of_group != NULL;
}

enum rd_status rd_check_object_names_init(struct rd_check_object_names *object, const char *path,
                                          struct rd_error *error)
{
    *object = (struct rd_check_object_names){.path = path};
    enum rd_status status = RD_OK;
    if (!read_bytes(object) || !find_symbols(object))
        status =
            rd_fail(error, RD_ERROR_IO, "'%s' can't be read as an object of this machine", path);
    else if (!find_groups(object))
        status = rd_fail(error, RD_ERROR_MEMORY, "no memory for '%s'", path);
    if (status != RD_OK)
        rd_check_object_names_finish(object);
    return status;
}

void rd_check_object_names_finish(struct rd_check_object_names *object)
{
    free(object->bytes);
    free(object->is_of_group);
    free(object->new_texts);
    free(object->aliases);
    *object = (struct rd_check_object_names){0};
}

const char *rd_check_object_names_of(const struct rd_check_object_names *object, size_t symbol)
{
    return object->texts + object->symbols[symbol].st_name;
}

/* Has the linker keep the sections of the groups that have this one. */
static void keep_section(struct rd_check_object_names *object, unsigned section)
{
    Elf64_Word *flags;
    for (unsigned k = 0; k < object->n_sections; k++) {
        const size_t n = group_of(object, &object->sections[k], &flags);
        for (size_t i = 1; i <= n; i++)
            if (flags[i] == section) {
                flags[0] &= ~(Elf64_Word)GRP_COMDAT;
                break;
            }
    }
}

bool rd_check_object_names_change(struct rd_check_object_names *object, size_t symbol,
                                  const char *name, bool keeps_alias)
{
    Elf64_Sym *own = &object->symbols[symbol];
    const size_t length = strlen(name) + 1;
    char *grown = realloc(object->new_texts, object->texts_bytes + length);
    if (!grown)
        return false;
    object->new_texts = grown;
    if (keeps_alias) {
        if (!rd_array_make_room(&object->aliases, object->n_aliases, &object->capacity,
                                sizeof *object->aliases))
            return false;
        Elf64_Sym *alias = &object->aliases[object->n_aliases++];
        *alias = *own;
        alias->st_info = ELF64_ST_INFO(STB_WEAK, ELF64_ST_TYPE(own->st_info));
    }
    memcpy(object->new_texts + object->texts_bytes, name, length);
    own->st_name =
        (Elf64_Word)(object->sections[object->table->sh_link].sh_size + object->texts_bytes);
    object->texts_bytes += length;
    keep_section(object, own->st_shndx);
    object->is_changed = true;
    return true;
}

void rd_check_object_names_cut(struct rd_check_object_names *object, const char *mark)
{
    for (size_t k = 0; k < object->n_symbols; k++) {
        char *at = strstr(
            object->bytes + (object->texts - object->bytes) + object->symbols[k].st_name, mark);
        if (at)
            *at = '\0';
        object->is_changed = object->is_changed || at;
    }
}

/* Both tables stand anew at the file's end where names were added. */
static bool write_bytes(struct rd_check_object_names *object, FILE *file)
{
    static const char zeros[sizeof(Elf64_Sym)];
    if (object->texts_bytes == 0)
        return fwrite(object->bytes, 1, object->size, file) == object->size;
    const size_t gap = (size_t)-object->size % 8;
    Elf64_Shdr *texts = &object->sections[object->table->sh_link];
    const size_t symbols_bytes = object->n_symbols * sizeof(Elf64_Sym),
                 aliases_bytes = object->n_aliases * sizeof(Elf64_Sym), old_bytes = texts->sh_size;
    object->table->sh_offset = object->size + gap;
    object->table->sh_size = symbols_bytes + aliases_bytes;
    texts->sh_offset = object->table->sh_offset + object->table->sh_size;
    texts->sh_size = old_bytes + object->texts_bytes;
    return fwrite(object->bytes, 1, object->size, file) == object->size &&
           fwrite(zeros, 1, gap, file) == gap &&
           fwrite(object->symbols, 1, symbols_bytes, file) == symbols_bytes &&
           fwrite(object->aliases, 1, aliases_bytes, file) == aliases_bytes &&
           fwrite(object->texts, 1, old_bytes, file) == old_bytes &&
           fwrite(object->new_texts, 1, object->texts_bytes, file) == object->texts_bytes;
}

enum rd_status rd_check_object_names_write(struct rd_check_object_names *object,
                                           struct rd_error *error)
{
    if (!object->is_changed)
        return RD_OK;
    FILE *file = fopen(object->path, "r+");
    bool done = file && write_bytes(object, file);
    done = file && fclose(file) == 0 && done;
    return done ? RD_OK : rd_fail(error, RD_ERROR_IO, "'%s' can't be written", object->path);
}
