// SPDX-License-Identifier: MIT
#include "device/sim/source/elf.h"

#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static bool lies_in(const struct rd_sim_elf *elf, uint64_t offset, uint64_t length)
{
    return offset <= elf->size_bytes && length <= elf->size_bytes - offset;
}

static bool find_sections(struct rd_sim_elf *elf)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)elf->content;
    if (elf->size_bytes < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != ELFCLASS64 ||
        header->e_shnum == 0 || /* none, or too many for this field and for the symbols' */
        !lies_in(elf, header->e_shoff, (uint64_t)header->e_shnum * sizeof(Elf64_Shdr)))
        return false;
    elf->sections = (Elf64_Shdr *)(elf->content + header->e_shoff);
    elf->n_sections = header->e_shnum;
    return true;
}

bool rd_sim_elf_init(struct rd_sim_elf *elf, const char *path, bool writable)
{
    struct rd_sim_elf made = {.content = MAP_FAILED};
    struct stat status;
    int file = open(path, (writable ? O_RDWR : O_RDONLY) | O_CLOEXEC);
    if (file >= 0 && fstat(file, &status) == 0 && status.st_size > 0) {
        made.size_bytes = (size_t)status.st_size;
        made.content = mmap(NULL, made.size_bytes, PROT_READ | (writable ? PROT_WRITE : 0),
                            writable ? MAP_SHARED : MAP_PRIVATE, file, 0);
    }
    if (file >= 0)
        close(file);
    if (made.content == MAP_FAILED)
        return false;
    if (!find_sections(&made)) {
        rd_sim_elf_finish(&made);
        return false;
    }
    *elf = made;
    return true;
}

void rd_sim_elf_finish(struct rd_sim_elf *elf)
{
    munmap(elf->content, elf->size_bytes);
}

/* A text of a section that holds nothing else. */
static const char *text_at(const struct rd_sim_elf *elf, unsigned section, uint64_t offset)
{
    if (section >= elf->n_sections)
        return NULL;
    const Elf64_Shdr *texts = &elf->sections[section];
    if (!lies_in(elf, texts->sh_offset, texts->sh_size) || offset >= texts->sh_size)
        return NULL;
    const char *start = elf->content + texts->sh_offset, *text = start + offset;
    const bool all_end = start[texts->sh_size - 1] == '\0'; /* as they do in files that are whole */
    return all_end || memchr(text, '\0', texts->sh_size - offset) ? text : NULL;
}

const char *rd_sim_elf_section_name(const struct rd_sim_elf *elf, unsigned section)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)elf->content;
    const char *name = section < elf->n_sections
                           ? text_at(elf, header->e_shstrndx, elf->sections[section].sh_name)
                           : NULL;
    return name ? name : "";
}

const Elf64_Shdr *rd_sim_elf_section(const struct rd_sim_elf *elf, const char *name)
{
    for (unsigned k = 0; k < elf->n_sections; k++)
        if (strcmp(rd_sim_elf_section_name(elf, k), name) == 0)
            return &elf->sections[k];
    return NULL;
}

bool rd_sim_elf_symbols(const struct rd_sim_elf *elf, rd_sim_elf_visit *visit, void *self)
{
    for (unsigned k = 0; k < elf->n_sections; k++) {
        const Elf64_Shdr *table = &elf->sections[k];
        if (table->sh_type != SHT_SYMTAB)
            continue;
        if (!lies_in(elf, table->sh_offset, table->sh_size))
            return false;
        const Elf64_Sym *symbols = (const Elf64_Sym *)(elf->content + table->sh_offset);
        for (size_t s = 0; s < table->sh_size / sizeof *symbols; s++) {
            const char *name = text_at(elf, table->sh_link, symbols[s].st_name);
            if (name)
                visit(self, name, &symbols[s]);
        }
    }
    return true;
}

bool rd_sim_elf_symbols_of(const char *path, rd_sim_elf_visit *visit, void *self)
{
    struct rd_sim_elf elf;
    if (!rd_sim_elf_init(&elf, path, false))
        return false;
    bool done = rd_sim_elf_symbols(&elf, visit, self);
    rd_sim_elf_finish(&elf);
    return done;
}

/* The entries that say what the loader has to do; NULL where there are none. */
static Elf64_Dyn *dynamic_of(const struct rd_sim_elf *elf, size_t *n, unsigned *texts)
{
    const Elf64_Shdr *section = rd_sim_elf_section(elf, ".dynamic");
    if (!section || !lies_in(elf, section->sh_offset, section->sh_size))
        return NULL;
    *n = section->sh_size / sizeof(Elf64_Dyn);
    *texts = section->sh_link;
    return (Elf64_Dyn *)(elf->content + section->sh_offset);
}

Elf64_Dyn *rd_sim_elf_dynamic(const struct rd_sim_elf *elf, int64_t tag)
{
    size_t n;
    unsigned texts;
    Elf64_Dyn *all = dynamic_of(elf, &n, &texts);
    for (size_t k = 0; all && k < n && all[k].d_tag != DT_NULL; k++)
        if (all[k].d_tag == tag)
            return &all[k];
    return NULL;
}

static bool needs(const struct rd_sim_elf *elf, const char *library)
{
    size_t n;
    unsigned texts;
    const Elf64_Dyn *all = dynamic_of(elf, &n, &texts);
    for (size_t k = 0; all && k < n && all[k].d_tag != DT_NULL; k++) {
        const char *name =
            all[k].d_tag == DT_NEEDED ? text_at(elf, texts, all[k].d_un.d_val) : NULL;
        if (name && strcmp(name, library) == 0)
            return true;
    }
    return false;
}

bool rd_sim_elf_needs(const char *path, const char *library)
{
    struct rd_sim_elf elf;
    if (!rd_sim_elf_init(&elf, path, false))
        return false;
    const bool is_needed = needs(&elf, library);
    rd_sim_elf_finish(&elf);
    return is_needed;
}

/* ---- where files have been loaded to ---- */

static const char landmark;
static struct rd_sim_image image;

struct search {
    uintptr_t address;
    struct rd_sim_image found;
};

static int visit(struct dl_phdr_info *info, size_t size, void *self)
{
    struct search *search = self;
    struct rd_sim_image seen = {.start = UINTPTR_MAX, .bias = info->dlpi_addr};
    (void)size;
    for (int k = 0; k < info->dlpi_phnum; k++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[k];
        uintptr_t start = info->dlpi_addr + segment->p_vaddr, end = start + segment->p_memsz;
        if (segment->p_type != PT_LOAD)
            continue;
        seen.start = start < seen.start ? start : seen.start;
        seen.end = end > seen.end ? end : seen.end;
    }
    if (search->address < seen.start || search->address >= seen.end)
        return 0;
    /* The program's own name is empty there. */
    seen.path = info->dlpi_name && *info->dlpi_name ? info->dlpi_name : "/proc/self/exe";
    search->found = seen;
    return 1;
}

bool rd_sim_image_at(uintptr_t address, struct rd_sim_image *found)
{
    struct search search = {.address = address};
    bool is_there = dl_iterate_phdr(visit, &search) != 0;
    *found = search.found;
    return is_there;
}

static void find(void)
{
    rd_sim_image_at((uintptr_t)&landmark, &image);
}

const struct rd_sim_image *rd_sim_image(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find);
    return &image;
}
