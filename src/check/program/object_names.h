// SPDX-License-Identifier: MIT
/* The symbols of an object file of this machine, and other names for some of them. */
#ifndef RD_CHECK_OBJECT_NAMES_H
#define RD_CHECK_OBJECT_NAMES_H

#include "reductio/status.h"

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>

struct rd_check_object_names {
    const char *path;
    char *bytes;
    size_t size;
    Elf64_Shdr *sections;
    unsigned n_sections;
    Elf64_Shdr *table; /* of the symbols; NULL: there is none */
    Elf64_Sym *symbols;
    size_t n_symbols;
    const char *texts; /* names of symbols */
    /* By section: the linker keeps one of those that several objects have. */
    bool *is_of_group;
    char *new_texts;    /* those that are added, one behind the other, */
    size_t texts_bytes; /* and their size */
    Elf64_Sym *aliases;
    size_t n_aliases, capacity;
    bool is_changed;
};

/* Reads an object or a library. RD_ERROR_IO, RD_ERROR_MEMORY: there is nothing to finish then. */
enum rd_status rd_check_object_names_init(struct rd_check_object_names *object, const char *path,
                                          struct rd_error *error);
void rd_check_object_names_finish(struct rd_check_object_names *object);

const char *rd_check_object_names_of(const struct rd_check_object_names *object, size_t symbol);

/* Gives a symbol that the object defines another name, and keeps its section whatever others have. With an alias the symbol
 * has its own name, too, which is a weak one. False without memory. */
bool rd_check_object_names_change(struct rd_check_object_names *object, size_t symbol,
                                  const char *name, bool keeps_alias);

/* Ends the names of all symbols where a mark begins. */
void rd_check_object_names_cut(struct rd_check_object_names *object, const char *mark);

/* Writes what was changed. RD_ERROR_IO. */
enum rd_status rd_check_object_names_write(struct rd_check_object_names *object,
                                           struct rd_error *error);

#endif
