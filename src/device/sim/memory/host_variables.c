// SPDX-License-Identifier: MIT
/* Memory of the host's: variables of a program's data segment that the host alone has, or that it shares with devices, and what is
 * registered for them. */
#include "device/sim/memory/memory.h"
#include "device/sim/memory/memory_internal.h"
#include "base/array.h"

#include <string.h>

void rd_sim_module_device(uintptr_t base)
{
    struct rd_sim_array *array = rd_sim_arrays_of((void *)base);
    if (array && rd_sim_module_has(base))
        array->is_device = true;
}

void rd_sim_module_managed(uintptr_t base)
{
    struct rd_sim_array *array = rd_sim_arrays_of((void *)base);
    if (array && rd_sim_module_has(base) && !array->is_managed) {
        array->is_managed = true;
        rd_sim_here->memory->n_managed++;
    }
}

bool rd_sim_module_has_managed(void)
{
    return rd_sim_here->memory->n_managed > 0;
}

bool rd_sim_module_managed_regions(bool (*visit)(void *self, uintptr_t base, size_t size_bytes,
                                                 uint64_t *shadow),
                                   void *self)
{
    const struct rd_sim_memory_state *own = rd_sim_here->memory;
    enum { GRANULE = 4 };
    for (size_t k = 0; k < rd_sim_here->arrays->n && rd_sim_module_has_managed(); k++) {
        const struct rd_sim_array *array = &rd_sim_here->arrays->all[k];
        const uintptr_t base = array->base / GRANULE * GRANULE;
        for (size_t m = 0; m < own->n_modules && array->is_managed; m++) {
            const struct rd_sim_region *in = &own->modules[m];
            if (base - in->base < in->size_bytes &&
                !visit(self, base, array->base + array->size_bytes - base,
                       in->shadow + (base - in->base) / GRANULE))
                return false;
        }
    }
    return true;
}

/* The number of those that begin at or before the address. */
static size_t count_up_to(const struct rd_sim_memory_state *own, uintptr_t address)
{
    size_t low = 0, high = own->n_host;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (own->host[middle].base <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void rd_sim_module_host(uintptr_t base)
{
    struct rd_sim_memory_state *own = rd_sim_here->memory;
    struct rd_sim_array *array = rd_sim_arrays_of((void *)base);
    if (!array || !rd_sim_module_has(base) ||
        !rd_array_make_room(&own->host, own->n_host, &own->host_capacity, sizeof *own->host))
        return; /* it then counts as the device's */
    const size_t at = count_up_to(own, base);
    array->is_host = true;
    memmove(&own->host[at + 1], &own->host[at], (own->n_host++ - at) * sizeof *own->host);
    own->host[at] = (struct rd_sim_range){base, array->size_bytes};
}

bool rd_sim_module_is_host(uintptr_t address)
{
    const struct rd_sim_memory_state *own = rd_sim_here->memory;
    const size_t n = own->n_host ? count_up_to(own, address) : 0;
    return n > 0 && address - own->host[n - 1].base < own->host[n - 1].size_bytes;
}

/* ---- memory that is registered ---- */

enum { PAGE = 4096 };

bool rd_sim_registered_add(uintptr_t base, size_t size_bytes, uintptr_t alias)
{
    struct rd_sim_memory_state *own = rd_sim_here->memory;
    if (!rd_array_make_room(&own->registered, own->n_registered, &own->registered_capacity,
                            sizeof *own->registered))
        return false;
    own->registered[own->n_registered++] = (struct rd_sim_registered){base, size_bytes, alias};
    return true;
}

void rd_sim_registered_drop(uintptr_t base)
{
    struct rd_sim_memory_state *own = rd_sim_here->memory;
    for (size_t k = 0; k < own->n_registered; k++)
        if (own->registered[k].base == base) {
            own->registered[k] = own->registered[--own->n_registered];
            return;
        }
}

uintptr_t rd_sim_registered_alias(uintptr_t address)
{
    const struct rd_sim_memory_state *own = rd_sim_here->memory;
    for (size_t k = 0; k < own->n_registered; k++) {
        const struct rd_sim_registered *registered = &own->registered[k];
        const uintptr_t page = registered->base / PAGE * PAGE,
                        end = rd_sim_round_up(registered->base + registered->size_bytes, PAGE);
        if (address - registered->base < registered->size_bytes ||
            (address - page < end - page && !rd_sim_module_has(address)))
            return address - registered->base + registered->alias;
    }
    return address;
}
