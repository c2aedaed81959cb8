// SPDX-License-Identifier: MIT
#include "device/sim/memory/memory.h"
#include "device/sim/api/intrinsics.h"
#include "device/sim/source/elf.h"
#include "device/sim/source/source.h"

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
    const struct rd_sim_shared *shared;
    uintptr_t bias;
    size_t found; /* the dynamic parts included */
};

static void visit(void *self, const char *name, const Elf64_Sym *symbol)
{
    struct search *search = self;
    const struct rd_sim_shared *shared = search->shared;
    uintptr_t address = symbol->st_value + search->bias;
    char plain[64];
    if (ELF64_ST_TYPE(symbol->st_info) != STT_OBJECT || symbol->st_size == 0 ||
        address - shared->start >= shared->end - shared->start)
        return;
    search->found++;
    rd_sim_plain_name(plain, sizeof plain, name);
    /* In a program that is linked to the archive both are in one section. */
    if (strcmp(plain, "dynamic_shared") != 0 && strcmp(plain, "rd_own_dynamic_shared") != 0)
        rd_sim_shared_variable(address, symbol->st_size, plain);
}

struct rd_sim_shared rd_sim_shared_ours(void)
{
    return (struct rd_sim_shared){(uintptr_t)shared_start, (uintptr_t)shared_stop,
                                  (uintptr_t)rd_sim_dynamic_shared()};
}

enum rd_status rd_sim_shared_use(const struct rd_sim_shared *shared, struct rd_error *error)
{
    struct search search = {.shared = shared};
    struct rd_sim_image image;
    size_t size = shared->end - shared->start;
    if (rd_sim_here->core.shared_dynamic == shared->dynamic)
        return RD_OK;
    enum rd_status status = rd_sim_shared_set(shared->start, size, error);
    if (status != RD_OK)
        return status;
    rd_sim_here->core.shared_dynamic = shared->dynamic;
    /* Most programs have no static shared variable, and are spared the search. */
    if (size == RD_SIM_DYNAMIC_MAX || !rd_sim_image_at(shared->start, &image))
        return RD_OK;
    search.bias = image.bias;
    rd_sim_elf_symbols_of(image.path, visit, &search);
    if (search.found == 0) { /* stripped: all of it is one variable */
        uintptr_t behind = shared->dynamic + RD_SIM_DYNAMIC_MAX;
        rd_sim_shared_variable(shared->start, shared->dynamic - shared->start, "shared memory");
        rd_sim_shared_variable(behind, shared->end - behind, "shared memory");
    }
    return RD_OK;
}

enum rd_status rd_sim_shared_init(struct rd_error *error)
{
    const struct rd_sim_shared ours = rd_sim_shared_ours();
    return rd_sim_shared_use(&ours, error);
}
