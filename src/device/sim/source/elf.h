/* ELF files: mapped, for their sections and symbols, which tell what variables, kernels and bounds are called and where
 * they lie; and where they have been loaded to. */
#ifndef RD_SIM_ELF_H
#define RD_SIM_ELF_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A 64-bit file of this machine. */

struct rd_sim_elf {
    char *content; /* what is written to it is written to the file, if that was asked for */
    size_t size_bytes;
    Elf64_Shdr *sections; /* in it */
    unsigned n_sections;
};

typedef void rd_sim_elf_visit(void *self, const char *name, const Elf64_Sym *symbol);

/* False where the file can't be read as 64-bit ELF of at most 65,279 sections; there is nothing to finish then. */
bool rd_sim_elf_init(struct rd_sim_elf *elf, const char *path, bool writable);
void rd_sim_elf_finish(struct rd_sim_elf *elf);

/* The name of a section; "" where it has none, or there is no such section. */
const char *rd_sim_elf_section_name(const struct rd_sim_elf *elf, unsigned section);
/* The first section of a name; NULL where there is none. */
const Elf64_Shdr *rd_sim_elf_section(const struct rd_sim_elf *elf, const char *name);

/* Calls `visit` for each symbol. False where a table does not lie in the file: it may then have
 * been called for some. */
bool rd_sim_elf_symbols(const struct rd_sim_elf *elf, rd_sim_elf_visit *visit, void *self);

/* Opens a file, visits its symbols and closes it. False as above. */
bool rd_sim_elf_symbols_of(const char *path, rd_sim_elf_visit *visit, void *self);

/* The first entry of this kind, of those that tell the loader what to do; NULL where there is none. */
Elf64_Dyn *rd_sim_elf_dynamic(const struct rd_sim_elf *elf, int64_t tag);
/* Tells whether a file names a library that it is to be loaded with: "libgomp.so.1". */
bool rd_sim_elf_needs(const char *path, const char *library);

/* The files that code was loaded from: a program, or a shared library. */

struct rd_sim_image {
    uintptr_t start, end; /* where it lies */
    uintptr_t bias;       /* an address less its symbol's value */
    const char *path;     /* as long as it is loaded */
};

/* Image of the simulator itself, the same at each call; image in which an address lies, false if it is in none. */
const struct rd_sim_image *rd_sim_image(void);
bool rd_sim_image_at(uintptr_t address, struct rd_sim_image *image);

#endif
