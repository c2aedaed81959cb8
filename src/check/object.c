// SPDX-License-Identifier: MIT
#include "check/check.h"

#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Nobody's, behind each shared variable: an access that runs over its end is seen there. */
enum { ZONE_BYTES = 4096 };

static bool lies_in(size_t size, uint64_t offset, uint64_t length)
{
    return offset <= size && length <= size - offset;
}

/* NULL where the file is none of this machine. */
static const Elf64_Shdr *sections_of(const char *file, size_t size)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)file;
    if (size < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != ELFCLASS64 ||
        !lies_in(size, header->e_shoff, (uint64_t)header->e_shnum * sizeof(Elf64_Shdr)))
        return NULL;
    return (const Elf64_Shdr *)(file + header->e_shoff);
}

static bool prepare(char *file, size_t size, void (*dynamic)(void *self, const char *name),
                    void *self)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)file;
    Elf64_Shdr *sections = (Elf64_Shdr *)(uintptr_t)sections_of(file, size);
    if (!sections)
        return false;
    for (unsigned k = 0; k < header->e_shnum; k++) {
        Elf64_Shdr *section = &sections[k];
        /* The compiler gives each variable a section, which takes no place in the file. */
        if ((section->sh_flags & SHF_TLS) && section->sh_type == SHT_NOBITS && section->sh_size > 0)
            section->sh_size += ZONE_BYTES;
        if (section->sh_type != SHT_SYMTAB || section->sh_link >= header->e_shnum)
            continue;
        const Elf64_Shdr *strings = &sections[section->sh_link];
        if (!lies_in(size, section->sh_offset, section->sh_size) ||
            !lies_in(size, strings->sh_offset, strings->sh_size))
            return false;
        const Elf64_Sym *symbols = (const Elf64_Sym *)(file + section->sh_offset);
        for (size_t s = 0; s < section->sh_size / sizeof *symbols; s++)
            if (ELF64_ST_TYPE(symbols[s].st_info) == STT_TLS && symbols[s].st_shndx == SHN_UNDEF &&
                symbols[s].st_name < strings->sh_size)
                dynamic(self, file + strings->sh_offset + symbols[s].st_name);
    }
    return true;
}

/* The functions that stand in sections of kernels: see __global__ in include/reductio_cuda.hpp. */
static bool list_kernels(const char *file, size_t size,
                         void (*kernel)(void *self, const char *name), void *self)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)file;
    const Elf64_Shdr *sections = sections_of(file, size);
    const Elf64_Shdr *names =
        sections && header->e_shstrndx < header->e_shnum ? &sections[header->e_shstrndx] : NULL;
    if (!names || !lies_in(size, names->sh_offset, names->sh_size))
        return false;
    for (unsigned k = 0; k < header->e_shnum; k++) {
        const Elf64_Shdr *table = &sections[k];
        if (table->sh_type != SHT_SYMTAB || table->sh_link >= header->e_shnum)
            continue;
        const Elf64_Shdr *strings = &sections[table->sh_link];
        if (!lies_in(size, table->sh_offset, table->sh_size) ||
            !lies_in(size, strings->sh_offset, strings->sh_size))
            return false;
        const Elf64_Sym *symbols = (const Elf64_Sym *)(file + table->sh_offset);
        for (size_t s = 0; s < table->sh_size / sizeof *symbols; s++) {
            unsigned its = symbols[s].st_shndx;
            if (ELF64_ST_TYPE(symbols[s].st_info) == STT_FUNC && its < header->e_shnum &&
                symbols[s].st_name < strings->sh_size && sections[its].sh_name < names->sh_size &&
                strncmp(file + names->sh_offset + sections[its].sh_name, "rd_kernel.", 10) == 0)
                kernel(self, file + strings->sh_offset + symbols[s].st_name);
        }
    }
    return true;
}

/* Maps a file, shared: what is written is written to it. */
static char *map_file(const char *path, size_t *size)
{
    struct stat status;
    char *content = MAP_FAILED;
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file >= 0 && fstat(file, &status) == 0 && status.st_size > 0) {
        *size = (size_t)status.st_size;
        content = mmap(NULL, *size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    }
    if (file >= 0)
        close(file);
    return content == MAP_FAILED ? NULL : content;
}

enum rd_status rd_check_object_prepare(const char *path,
                                       void (*dynamic)(void *self, const char *name), void *self,
                                       struct rd_error *error)
{
    size_t size;
    char *content = map_file(path, &size);
    bool done = content && prepare(content, size, dynamic, self);
    if (content)
        munmap(content, size);
    return done ? RD_OK
                : rd_fail(error, RD_ERROR_IO, "'%s' is no object file of this machine", path);
}

void rd_check_object_kernels(const char *path, void (*kernel)(void *self, const char *name),
                             void *self)
{
    size_t size;
    char *content = map_file(path, &size);
    if (content)
        list_kernels(content, size, kernel, self);
    if (content)
        munmap(content, size);
}
