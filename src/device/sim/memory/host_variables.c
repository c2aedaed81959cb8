// SPDX-License-Identifier: MIT
/* Variables of a program's data segment that the host alone has. */
#include "device/sim/memory/memory.h"
#include "device/sim/memory/memory_internal.h"
#include "base/array.h"

#include <string.h>

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

void rd_sim_module_registered(uintptr_t base, size_t size_bytes, bool are_registered)
{
    struct rd_sim_memory_state *own = rd_sim_here->memory;
    if (are_registered && rd_array_make_room(&own->registered, own->n_registered,
                                             &own->registered_capacity, sizeof *own->registered))
        own->registered[own->n_registered++] = (struct rd_sim_range){base, size_bytes};
    for (size_t k = 0; !are_registered && k < own->n_registered; k++)
        if (own->registered[k].base == base && own->registered[k].size_bytes == size_bytes) {
            own->registered[k] = own->registered[--own->n_registered];
            return;
        }
}

static bool is_registered(const struct rd_sim_memory_state *own, uintptr_t address)
{
    for (size_t k = 0; k < own->n_registered; k++)
        if (address - own->registered[k].base < own->registered[k].size_bytes)
            return true;
    return false;
}

bool rd_sim_module_is_host(uintptr_t address)
{
    const struct rd_sim_memory_state *own = rd_sim_here->memory;
    const size_t n = own->n_host ? count_up_to(own, address) : 0;
    return n > 0 && address - own->host[n - 1].base < own->host[n - 1].size_bytes &&
           !is_registered(own, address);
}
