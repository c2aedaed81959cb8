// SPDX-License-Identifier: MIT
#include "sim/symbols.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static bool lies_in(size_t size, uint64_t offset, uint64_t length)
{
    return offset <= size && length <= size - offset;
}

static bool walk(const char *file, size_t size,
                 void (*visit)(void *self, const char *name, const Elf64_Sym *symbol), void *self)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)file;
    if (size < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != ELFCLASS64 ||
        !lies_in(size, header->e_shoff, (uint64_t)header->e_shnum * sizeof(Elf64_Shdr)))
        return false;
    const Elf64_Shdr *sections = (const Elf64_Shdr *)(file + header->e_shoff);
    for (unsigned k = 0; k < header->e_shnum; k++) {
        const Elf64_Shdr *table = &sections[k];
        if (table->sh_type != SHT_SYMTAB || table->sh_link >= header->e_shnum)
            continue;
        const Elf64_Shdr *strings = &sections[table->sh_link];
        if (!lies_in(size, table->sh_offset, table->sh_size) ||
            !lies_in(size, strings->sh_offset, strings->sh_size))
            return false;
        const Elf64_Sym *symbols = (const Elf64_Sym *)(file + table->sh_offset);
        for (size_t s = 0; s < table->sh_size / sizeof *symbols; s++)
            if (symbols[s].st_name < strings->sh_size)
                visit(self, file + strings->sh_offset + symbols[s].st_name, &symbols[s]);
    }
    return true;
}

bool rd_sim_symbols(const char *path,
                    void (*visit)(void *self, const char *name, const Elf64_Sym *symbol),
                    void *self)
{
    struct stat status;
    bool done = false;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    if (fstat(file, &status) == 0 && status.st_size > 0) {
        size_t size = (size_t)status.st_size;
        char *content = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
        if (content != MAP_FAILED) {
            done = walk(content, size, visit, self);
            munmap(content, size);
        }
    }
    close(file);
    return done;
}
