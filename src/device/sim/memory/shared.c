// SPDX-License-Identifier: MIT
#include "device/sim/memory/shared.h"
#include "device/sim/memory/image.h"
#include "device/sim/memory/memory.h"
#include "device/sim/source/elf.h"
#include "device/sim/sim.h"

#include <stdio.h>
#include <string.h>

/* The linker's names for the section of shared variables. */
extern unsigned char shared_start[] __asm__("__start_rd_shared");
extern unsigned char shared_stop[] __asm__("__stop_rd_shared");

void rd_sim_plain_name(char *plain, size_t size, const char *name)
{
    snprintf(plain, size, "%.*s", (int)strcspn(name, "."), name);
}

struct search {
    uintptr_t bias; /* 0 until the program's own place is known */
    bool add;
    size_t found;
};

static void visit(void *self, const char *name, const Elf64_Sym *symbol)
{
    struct search *search = self;
    uintptr_t address = symbol->st_value + search->bias;
    char plain[64];
    if (strcmp(name, "rd_device_sim") == 0 && !search->add)
        search->bias = (uintptr_t)&rd_device_sim - symbol->st_value;
    if (!search->add || ELF64_ST_TYPE(symbol->st_info) != STT_OBJECT || symbol->st_size == 0 ||
        address - (uintptr_t)shared_start >= (uintptr_t)shared_stop - (uintptr_t)shared_start ||
        address == (uintptr_t)rd_sim_dynamic_shared())
        return;
    rd_sim_plain_name(plain, sizeof plain, name);
    rd_sim_shared_variable(address, symbol->st_size, plain);
    search->found++;
}

enum rd_status rd_sim_shared_init(struct rd_error *error)
{
    struct search search = {0};
    uintptr_t start = (uintptr_t)shared_start, dynamic = (uintptr_t)rd_sim_dynamic_shared();
    size_t size = (uintptr_t)shared_stop - (uintptr_t)shared_start;
    if (rd_sim_here->core.shared == start)
        return RD_OK;
    enum rd_status status = rd_sim_shared_set(start, size, error);
    /* Most programs have no static shared variable, and are spared the search. */
    if (status != RD_OK || size == rd_sim_dynamic_shared_max())
        return status;
    rd_sim_elf_symbols_of(rd_sim_image()->path, visit, &search);
    search.add = true;
    rd_sim_elf_symbols_of(rd_sim_image()->path, visit, &search);
    if (search.found == 0) { /* stripped: all of it is one variable */
        rd_sim_shared_variable(start, dynamic - start, "shared memory");
        dynamic += rd_sim_dynamic_shared_max();
        rd_sim_shared_variable(dynamic, start + size - dynamic, "shared memory");
    }
    return status;
}
