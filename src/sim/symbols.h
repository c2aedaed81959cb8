// SPDX-License-Identifier: MIT
/* The symbol table of an ELF file: what the simulator calls shared variables by. */
#ifndef RD_SIM_SYMBOLS_H
#define RD_SIM_SYMBOLS_H

#include <elf.h>
#include <stdbool.h>

/* Calls `visit` for each symbol of the file. False where the file can't be read as 64-bit ELF. */
bool rd_sim_symbols(const char *path,
                    void (*visit)(void *self, const char *name, const Elf64_Sym *symbol),
                    void *self);

#endif
