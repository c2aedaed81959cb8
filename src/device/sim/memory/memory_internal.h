// SPDX-License-Identifier: MIT
/* The parts of device memory: its state, and the list of all arrays, buffers, shared variables, a kernel file's own, and what
 * was given for one. Private to this folder. */
#ifndef RD_SIM_MEMORY_INTERNAL_H
#define RD_SIM_MEMORY_INTERNAL_H

#include "device/sim/memory/memory.h"

enum { RD_SIM_GRANULE = 4 }; /* bytes that have one record */

struct rd_sim_memory_state {
    uintptr_t next_address; /* where the next buffer is tried */
    uintptr_t buffers_end;  /* behind it lies the device heap */
    /* Variables of the kernel file, the first, and of modules. */
    struct rd_sim_region {
        uintptr_t base;
        size_t size_bytes;
        uint64_t *shadow;
    } * modules;
    size_t n_modules, modules_capacity;
    /* Variables of the host's in them, by their addresses; and what is registered of the host's memory. */
    struct rd_sim_range {
        uintptr_t base;
        size_t size_bytes;
    } * host;
    size_t n_host, host_capacity, n_managed;
    struct rd_sim_registered {
        uintptr_t base;
        size_t size_bytes;
        uintptr_t alias;
    } * registered;
    size_t n_registered, registered_capacity;
    /* Addresses that are kept for what is mapped there. */
    struct rd_sim_reserved {
        uintptr_t base;
        size_t size_bytes;
    } * reserved;
    size_t n_reserved, reserved_capacity;
    uint64_t *shared_shadow;
    size_t shared_used; /* of its bytes, up to here some may be used */
    /* Lowest and highest address of shared memory that accesses have looked up, which each does once before it may be plain;
     * shared_first > shared_last: none so far. */
    uintptr_t shared_first, shared_last;
    const char *dynamic_name; /* of the last that was told */
};

static inline size_t rd_sim_round_up(size_t size_bytes, size_t unit)
{
    return (size_bytes + unit - 1) / unit * unit;
}

static inline uint64_t *rd_sim_arena_shadow(uintptr_t address)
{
    return rd_sim_here->core.arena_shadow + (address - rd_sim_here->core.arena) / RD_SIM_GRANULE;
}

/* The variables of a file that the address is in; NULL: it is in none. */
static inline const struct rd_sim_region *rd_sim_module_of(uintptr_t address)
{
    const struct rd_sim_memory_state *own = rd_sim_here->memory;
    for (size_t k = 0; k < own->n_modules; k++)
        if (address - own->modules[k].base < own->modules[k].size_bytes)
            return &own->modules[k];
    return NULL;
}

/* ---- arrays.c ---- */

/* Arrays, in the order in which they were made. */
struct rd_sim_arrays_state {
    struct rd_sim_array *all;
    size_t n, capacity, n_freed;
};

/* NULL without memory. */
struct rd_sim_array *rd_sim_arrays_add(enum rd_sim_space space, uintptr_t base, size_t size_bytes);
/* Forgets the one of that number; the others move up. */
void rd_sim_arrays_drop(size_t k);

/* The one that begins there, and has not been freed; NULL where there is none. */
struct rd_sim_array *rd_sim_arrays_of(const void *memory);
/* Finds the live array that the address is in; NULL where there is none. */
const struct rd_sim_array *rd_sim_arrays_live_at(uintptr_t address);
/* Finds the freed array of a space that the address was in, or the nearest; NULL where
 * there is none. */
const struct rd_sim_array *rd_sim_arrays_nearest(enum rd_sim_space space, uintptr_t address);
/* Finds what has been given for device memory, and is none; NULL where the address is of none. */
const struct rd_sim_array *rd_sim_arrays_given_at(uintptr_t address);

#endif
