// SPDX-License-Identifier: MIT
#include "check/check.h"

#include <elf.h>
#include <fcntl.h>
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

static bool prepare(char *file, size_t size, void (*dynamic)(void *self, const char *name),
                    void *self)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)file;
    if (size < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != ELFCLASS64 ||
        !lies_in(size, header->e_shoff, (uint64_t)header->e_shnum * sizeof(Elf64_Shdr)))
        return false;
    Elf64_Shdr *sections = (Elf64_Shdr *)(file + header->e_shoff);
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

enum rd_status rd_check_object_prepare(const char *path,
                                       void (*dynamic)(void *self, const char *name), void *self,
                                       struct rd_error *error)
{
    struct stat status;
    bool done = false;
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file >= 0 && fstat(file, &status) == 0 && status.st_size > 0) {
        size_t size = (size_t)status.st_size;
        char *content = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (content != MAP_FAILED) {
            done = prepare(content, size, dynamic, self);
            munmap(content, size);
        }
    }
    if (file >= 0)
        close(file);
    return done ? RD_OK
                : rd_fail(error, RD_ERROR_IO, "'%s' is no object file of this machine", path);
}
