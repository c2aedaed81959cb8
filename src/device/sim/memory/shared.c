// SPDX-License-Identifier: MIT
/* Shared memory, and a kernel file's own variables. */
#include "device/sim/memory/memory.h"
#include "device/sim/memory/memory_internal.h"
#include "device/sim/api/hooks.h"
#include "device/sim/api/intrinsics.h"
#include "base/array.h"
#include "device/sim/source/elf.h"
#include "device/sim/source/source.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned char dynamic_shared[RD_SIM_DYNAMIC_MAX]
    __attribute__((section("rd_shared"), aligned(128)));

/* The linker's names for the section of shared variables. */
extern unsigned char shared_start[] __asm__("__start_rd_shared");
extern unsigned char shared_stop[] __asm__("__stop_rd_shared");

void rd_sim_plain_name(char *plain, size_t size, const char *name)
{
    snprintf(plain, size, "%.*s", (int)strcspn(name, "."), name);
}

/* A variable in the section of shared memory, by the symbols of its image. */
struct variable {
    uintptr_t base;
    size_t size_bytes;
    char name[64];
};

struct variables {
    struct rd_sim_shared shared;
    struct variable *all;
    size_t n, capacity;
    uintptr_t bias;
    bool has_symbols; /* also those of the dynamic parts */
    bool no_memory;   /* not all are there */
};

static void add(struct variables *variables, uintptr_t base, size_t size_bytes, const char *name)
{
    if (!rd_array_make_room(&variables->all, variables->n, &variables->capacity,
                            sizeof *variables->all)) {
        variables->no_memory = true;
        return;
    }
    struct variable *added = &variables->all[variables->n++];
    *added = (struct variable){.base = base, .size_bytes = size_bytes};
    rd_sim_plain_name(added->name, sizeof added->name, name);
}

static void visit(void *self, const char *name, const Elf64_Sym *symbol)
{
    struct variables *variables = self;
    const struct rd_sim_shared *shared = &variables->shared;
    const uintptr_t base = symbol->st_value + variables->bias;
    char plain[64];
    if (ELF64_ST_TYPE(symbol->st_info) != STT_OBJECT || symbol->st_size == 0 ||
        base - shared->start >= shared->end - shared->start)
        return;
    variables->has_symbols = true;
    rd_sim_plain_name(plain, sizeof plain, name);
    /* In a program that is linked to the archive both are in one section. */
    if (strcmp(plain, "dynamic_shared") != 0 && strcmp(plain, "rd_own_dynamic_shared") != 0)
        add(variables, base, symbol->st_size, plain);
}

static void search(struct variables *variables)
{
    struct rd_sim_image image;
    /* Most programs have no static shared variable, and are spared the search. */
    if (variables->shared.end - variables->shared.start == RD_SIM_DYNAMIC_MAX ||
        !rd_sim_image_at(variables->shared.start, &image))
        return;
    variables->bias = image.bias;
    rd_sim_elf_symbols_of(image.path, visit, variables);
    if (!variables->has_symbols) { /* stripped: all of it is one variable */
        const struct rd_sim_shared *shared = &variables->shared;
        const uintptr_t behind = shared->dynamic + RD_SIM_DYNAMIC_MAX;
        add(variables, shared->start, shared->dynamic - shared->start, "shared memory");
        add(variables, behind, shared->end - behind, "shared memory");
    }
}

/* Those of this image, as long as it is loaded. */
static struct variables library_variables;

static void search_ours(void)
{
    library_variables.shared = rd_sim_shared_of_library();
    search(&library_variables);
}

struct rd_sim_shared rd_sim_shared_of_library(void)
{
    return (struct rd_sim_shared){(uintptr_t)shared_start, (uintptr_t)shared_stop,
                                  (uintptr_t)rd_sim_dynamic_shared()};
}

static enum rd_status use_variables(const struct variables *variables, struct rd_error *error)
{
    if (variables->no_memory)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the variables of shared memory");
    for (size_t k = 0; k < variables->n; k++)
        rd_sim_shared_variable(variables->all[k].base, variables->all[k].size_bytes,
                               variables->all[k].name);
    return RD_OK;
}

enum rd_status rd_sim_shared_use(const struct rd_sim_shared *shared, struct rd_error *error)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (rd_sim_here->core.shared_dynamic == shared->dynamic)
        return RD_OK;
    enum rd_status status = rd_sim_shared_set(shared->start, shared->end - shared->start, error);
    if (status != RD_OK)
        return status;
    rd_sim_here->core.shared_dynamic = shared->dynamic;
    pthread_once(&once, search_ours);
    if (shared->start == library_variables.shared.start)
        return use_variables(&library_variables, error);
    struct variables others = {.shared = *shared};
    search(&others);
    status = use_variables(&others, error);
    free(others.all);
    return status;
}

enum rd_status rd_sim_shared_init(struct rd_error *error)
{
    const struct rd_sim_shared own = rd_sim_shared_of_library();
    return rd_sim_shared_use(&own, error);
}

RD_HOOK void *rd_sim_dynamic_shared_as(const char *name)
{
    return rd_sim_dynamic_shared_named(dynamic_shared, name);
}

RD_HOOK void *rd_sim_dynamic_shared_named(void *dynamic, const char *name)
{
    rd_sim_shared_name((uintptr_t)dynamic, name);
    return dynamic;
}

RD_HOOK void *rd_sim_dynamic_shared(void)
{
    return dynamic_shared;
}

size_t rd_sim_dynamic_shared_max(void)
{
    return sizeof dynamic_shared;
}

/* ---- its arrays ---- */

enum rd_status rd_sim_shared_set(uintptr_t base, size_t size_bytes, struct rd_error *error)
{
    struct rd_sim_memory_state *own = rd_sim_here->memory;
    struct rd_sim_core *core = &rd_sim_here->core;
    uintptr_t start = base & ~(uintptr_t)7;
    size_t size = rd_sim_round_up(base + size_bytes - start, 8);
    uint64_t *shadow = calloc(size / RD_SIM_GRANULE + 1, sizeof *shadow);
    if (!shadow)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the shadow of shared memory");
    free(own->shared_shadow);
    for (size_t k = 0; k < size / RD_SIM_GRANULE; k++)
        shadow[k] = RD_NO_MEMORY;
    for (size_t k = rd_sim_here->arrays->n; k-- > 0;)
        if (rd_sim_here->arrays->all[k].space == RD_SPACE_SHARED)
            rd_sim_arrays_drop(k);
    core->shared = start;
    core->shared_size = size;
    core->shared_dynamic = 0;
    core->shared_shadow = own->shared_shadow = shadow;
    own->shared_used = 0;
    own->shared_first = UINTPTR_MAX;
    own->shared_last = 0;
    return RD_OK;
}

void rd_sim_shared_move(intptr_t bytes)
{
    struct rd_sim_memory_state *own = rd_sim_here->memory;
    if (own->shared_first <= own->shared_last) {
        own->shared_first += (uintptr_t)bytes;
        own->shared_last += (uintptr_t)bytes;
    }
    rd_sim_here->core.shared += (uintptr_t)bytes;
    for (size_t k = 0; k < rd_sim_here->arrays->n; k++)
        if (rd_sim_here->arrays->all[k].space == RD_SPACE_SHARED)
            rd_sim_here->arrays->all[k].base += (uintptr_t)bytes;
}

static void shared_fill(uintptr_t base, size_t size_bytes, uint64_t record)
{
    struct rd_sim_memory_state *own = rd_sim_here->memory;
    size_t first = base - rd_sim_here->core.shared;
    for (size_t k = first / RD_SIM_GRANULE;
         k < (first + size_bytes + RD_SIM_GRANULE - 1) / RD_SIM_GRANULE; k++)
        own->shared_shadow[k] = record;
    if (record == 0 && own->shared_used < first + size_bytes)
        own->shared_used = first + size_bytes;
}

void rd_sim_shared_variable(uintptr_t base, size_t size_bytes, const char *name)
{
    if (base - rd_sim_here->core.shared >= rd_sim_here->core.shared_size)
        return;
    struct rd_sim_array *array = rd_sim_arrays_add(RD_SPACE_SHARED, base, size_bytes);
    if (array)
        snprintf(array->name, sizeof array->name, "%s", name);
    shared_fill(base, size_bytes, 0);
}

void rd_sim_shared_name(uintptr_t base, const char *name)
{
    struct rd_sim_memory_state *own = rd_sim_here->memory;
    struct rd_sim_array *array = own->dynamic_name == name ? NULL : rd_sim_arrays_of((void *)base);
    own->dynamic_name = name;
    if (array && array->dynamic)
        snprintf(array->name, sizeof array->name, "%s", name);
}

void rd_sim_shared_dynamic(uintptr_t base, size_t size_bytes)
{
    rd_sim_here->memory->dynamic_name = NULL;
    for (size_t k = rd_sim_here->arrays->n; k-- > 0;)
        if (rd_sim_here->arrays->all[k].space == RD_SPACE_SHARED &&
            rd_sim_here->arrays->all[k].base == base) {
            if (rd_sim_here->arrays->all[k].size_bytes == size_bytes)
                return;
            shared_fill(base, rd_sim_here->arrays->all[k].size_bytes, RD_NO_MEMORY);
            rd_sim_arrays_drop(k);
        }
    if (size_bytes > 0)
        rd_sim_shared_variable(base, size_bytes, "dynamic shared memory");
    struct rd_sim_array *array = rd_sim_arrays_of((void *)base);
    if (array)
        array->dynamic = true;
}

void rd_sim_shared_missing(uintptr_t base)
{
    struct rd_sim_array *array = rd_sim_arrays_add(RD_SPACE_SHARED, base, 0);
    if (!array)
        return;
    array->dynamic = true;
    snprintf(array->name, sizeof array->name, "dynamic shared memory");
}

static void poison(uintptr_t first, uintptr_t last)
{
    const struct rd_sim_arrays_state *arrays = rd_sim_here->arrays;
    for (size_t k = 0; k < arrays->n; k++) {
        const struct rd_sim_array *array = &arrays->all[k];
        if (array->space == RD_SPACE_SHARED && array->base <= last &&
            array->base + array->size_bytes > first)
            memset((void *)array->base, RD_SIM_POISON, array->size_bytes);
    }
}

void rd_sim_shared_poison(void)
{
    poison(0, UINTPTR_MAX);
}

void rd_sim_shared_poison_used(void)
{
    const struct rd_sim_memory_state *own = rd_sim_here->memory;
    if (own->shared_first <= own->shared_last)
        poison(own->shared_first, own->shared_last);
}

/* ---- a kernel file's own variables ---- */

enum rd_status rd_sim_module_add(uintptr_t base, size_t size_bytes, struct rd_error *error)
{
    struct rd_sim_memory_state *own = rd_sim_here->memory;
    uintptr_t start = base & ~(uintptr_t)7;
    size_t size = rd_sim_round_up(base + size_bytes - start, 8);
    uint64_t *shadow = calloc(size / RD_SIM_GRANULE + 1, sizeof *shadow);
    if (!shadow || !rd_array_make_room(&own->modules, own->n_modules, &own->modules_capacity,
                                       sizeof *own->modules)) {
        free(shadow);
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the shadow of the file's variables");
    }
    for (size_t k = 0; k < size / RD_SIM_GRANULE; k++)
        shadow[k] = RD_INIT;
    own->modules[own->n_modules++] = (struct rd_sim_region){start, size, shadow};
    return RD_OK;
}

enum rd_status rd_sim_module_set(uintptr_t base, size_t size_bytes, struct rd_error *error)
{
    struct rd_sim_memory_state *own = rd_sim_here->memory;
    while (own->n_modules > 0)
        free(own->modules[--own->n_modules].shadow);
    own->n_host = own->n_managed = 0;
    return rd_sim_module_add(base, size_bytes, error);
}

void rd_sim_module_variable(uintptr_t base, size_t size_bytes, const char *name)
{
    struct rd_sim_array *array = rd_sim_arrays_add(RD_SPACE_GLOBAL, base, size_bytes);
    if (array)
        snprintf(array->name, sizeof array->name, "%s", name);
}

static void set_module_records(uintptr_t base, size_t size_bytes, uint64_t record,
                               const char *set_at)
{
    const struct rd_sim_region *module = rd_sim_module_of(base);
    struct rd_sim_array *array = rd_sim_arrays_of((void *)base);
    for (uintptr_t at = base - base % RD_SIM_GRANULE; at < base + size_bytes; at += RD_SIM_GRANULE)
        module->shadow[(at - module->base) / RD_SIM_GRANULE] = record;
    if (array)
        array->set_at = set_at;
}

void rd_sim_module_forget(uintptr_t base, size_t size_bytes, const char *set_at)
{
    set_module_records(base, size_bytes, 0, set_at);
}

bool rd_sim_module_has(uintptr_t address)
{
    return rd_sim_module_of(address) != NULL;
}

void rd_sim_module_range(uintptr_t *base, size_t *size_bytes)
{
    const struct rd_sim_memory_state *own = rd_sim_here->memory;
    *base = own->n_modules > 0 ? own->modules[0].base : 0;
    *size_bytes = own->n_modules > 0 ? own->modules[0].size_bytes : 0;
}

void rd_sim_module_others(uintptr_t *base, size_t *size_bytes)
{
    const struct rd_sim_memory_state *own = rd_sim_here->memory;
    uintptr_t low = UINTPTR_MAX, high = 0;
    for (size_t k = 1; k < own->n_modules; k++) {
        const uintptr_t end = own->modules[k].base + own->modules[k].size_bytes;
        low = own->modules[k].base < low ? own->modules[k].base : low;
        high = end > high ? end : high;
    }
    *base = low;
    *size_bytes = high > low ? high - low : 0;
}

void rd_sim_module_give(uintptr_t base, size_t size_bytes)
{
    const struct rd_sim_array *array = rd_sim_arrays_of((void *)base);
    bool is_whole = !array || size_bytes == array->size_bytes;
    set_module_records(base, size_bytes, RD_INIT, is_whole ? NULL : array->set_at);
}
