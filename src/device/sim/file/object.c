// SPDX-License-Identifier: MIT
#include "device/sim/file/file.h"
#include "device/sim/source/elf.h"

#include <string.h>

/* Red zone after each shared variable: an access that runs over its end is seen there. */
enum { ZONE_BYTES = 4096, VARIABLE_ALIGN = 8 };
/* SHF_GNU_RETAIN, which not each elf.h has: the mark of a section of a __shared__ variable; see include/reductio_cuda.hpp. */
enum { SECTION_RETAIN = 1 << 21 };

enum rd_status rd_sim_object_prepare_program(const char *path, struct rd_error *error)
{
    struct rd_sim_elf elf;
    if (!rd_sim_elf_init(&elf, path, true))
        return rd_fail(error, RD_ERROR_IO, "'%s' is no library of this machine", path);
    Elf64_Dyn *size = rd_sim_elf_dynamic(&elf, DT_INIT_ARRAYSZ);
    if (size)
        size->d_un.d_val = 0;
    rd_sim_elf_finish(&elf);
    return RD_OK;
}

/* The callback for matching symbols. */
struct search {
    const struct rd_sim_elf *elf;
    void (*found)(void *self, const char *name);
    void *self;
};

/* ---- thread-local variables: shared ones, and the host's ---- */

static bool is_marked(const struct rd_sim_elf *elf, const Elf64_Sym *symbol)
{
    return symbol->st_shndx < elf->n_sections &&
           elf->sections[symbol->st_shndx].sh_flags & SECTION_RETAIN;
}

/* A guard of a variable: _ZGVZ1kvE1s is that of _ZZ1kvE1s. */
struct guard {
    const struct rd_sim_elf *elf;
    const char *of; /* "Z1kvE1s" */
    bool is_shared;
};

static void visit_guarded(void *self, const char *name, const Elf64_Sym *symbol)
{
    struct guard *guard = self;
    if (strncmp(name, "_Z", 2) == 0 && strcmp(name + 2, guard->of) == 0)
        guard->is_shared = guard->is_shared || is_marked(guard->elf, symbol);
}

static bool is_shared_variable(const struct rd_sim_elf *elf, const char *name,
                               const Elf64_Sym *symbol)
{
    struct guard guard = {.elf = elf, .of = name + 4};
    if (strncmp(name, "_ZGV", 4) == 0)
        rd_sim_elf_symbols(elf, visit_guarded, &guard);
    return guard.is_shared || is_marked(elf, symbol);
}

struct thread_search {
    const struct rd_sim_elf *elf;
    void (*found)(void *self, const char *name, bool is_defined);
    void *self;
};

/* One of the host's has no size then: what is loaded takes it for none of shared memory. */
static void visit_thread_local(void *self, const char *name, const Elf64_Sym *symbol)
{
    struct thread_search *search = self;
    if (ELF64_ST_TYPE(symbol->st_info) != STT_TLS)
        return;
    if (symbol->st_shndx == SHN_UNDEF) {
        search->found(search->self, name, false);
    } else if (!is_shared_variable(search->elf, name, symbol)) {
        ((Elf64_Sym *)symbol)->st_size = 0;
        if (ELF64_ST_BIND(symbol->st_info) != STB_LOCAL)
            search->found(search->self, name, true);
    }
}

/* ---- all symbols ---- */

/* Hides all symbols but those that the loader is asked for by name. All else that the file defines is its own: no name of it meets
 * one of the program's, or of a library's. */
static void visit_defined(void *self, const char *name, const Elf64_Sym *symbol)
{
    Elf64_Sym *entry = (Elf64_Sym *)symbol;
    unsigned binding = ELF64_ST_BIND(symbol->st_info);
    (void)self;
    if (binding == STB_LOCAL || symbol->st_shndx == SHN_UNDEF || strncmp(name, "rd_check_", 9) == 0)
        return;
    entry->st_other = (unsigned char)((entry->st_other & ~3u) | STV_HIDDEN);
}

enum rd_status rd_sim_object_prepare(const char *path,
                                     void (*found)(void *self, const char *name, bool is_defined),
                                     void *self, struct rd_error *error)
{
    struct rd_sim_elf elf;
    if (!rd_sim_elf_init(&elf, path, true))
        return rd_fail(error, RD_ERROR_IO,
                       "'%s' is no object file of this machine, or has 65,280 sections or more",
                       path);
    /* The compiler gives each variable a section, which takes no place in the file. */
    for (unsigned k = 0; k < elf.n_sections; k++) {
        Elf64_Shdr *section = &elf.sections[k];
        /* No four bytes are of two variables: each set of four has one record. */
        if ((section->sh_flags & SHF_WRITE) && (section->sh_flags & SHF_ALLOC) &&
            section->sh_addralign < VARIABLE_ALIGN)
            section->sh_addralign = VARIABLE_ALIGN;
        if ((section->sh_flags & SHF_TLS) && section->sh_type == SHT_NOBITS && section->sh_size > 0)
            section->sh_size += ZONE_BYTES;
    }
    struct thread_search search = {&elf, found, self};
    bool done = rd_sim_elf_symbols(&elf, visit_thread_local, &search) &&
                rd_sim_elf_symbols(&elf, visit_defined, NULL);
    rd_sim_elf_finish(&elf);
    return done ? RD_OK
                : rd_fail(error, RD_ERROR_IO,
                          "'%s' is no object file of this machine, or has 65,280 sections or more",
                          path);
}

/* The functions that stand in sections of kernels: see __global__ in include/reductio_cuda.hpp. */
static void report_kernel(void *self, const char *name, const Elf64_Sym *symbol)
{
    struct search *search = self;
    if (ELF64_ST_TYPE(symbol->st_info) == STT_FUNC &&
        strncmp(rd_sim_elf_section_name(search->elf, symbol->st_shndx), "rd_kernel.", 10) == 0)
        search->found(search->self, name);
}

void rd_sim_object_kernels(const char *path, void (*kernel)(void *self, const char *name),
                           void *self)
{
    struct rd_sim_elf elf;
    if (!rd_sim_elf_init(&elf, path, false))
        return;
    rd_sim_elf_symbols(&elf, report_kernel, &(struct search){&elf, kernel, self});
    rd_sim_elf_finish(&elf);
}
