// SPDX-License-Identifier: MIT
#include "device/sim/object.h"
#include "device/sim/memory/memory_internal.h"
#include "base/array.h"
#include "device/sim/source/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rd_sim_array *rd_sim_arrays_add(enum rd_sim_space space, uintptr_t base, size_t size_bytes)
{
    if (!rd_array_make_room(&rd_sim_here->arrays->all, rd_sim_here->arrays->n,
                            &rd_sim_here->arrays->capacity, sizeof *rd_sim_here->arrays->all))
        return NULL;
    rd_sim_here->arrays->all[rd_sim_here->arrays->n] =
        (struct rd_sim_array){.space = space, .base = base, .size_bytes = size_bytes};
    return &rd_sim_here->arrays->all[rd_sim_here->arrays->n++];
}

void rd_sim_arrays_drop(size_t k)
{
    if (rd_sim_here->arrays->all[k].freed)
        rd_sim_here->arrays->n_freed--;
    memmove(&rd_sim_here->arrays->all[k], &rd_sim_here->arrays->all[k + 1],
            (--rd_sim_here->arrays->n - k) * sizeof *rd_sim_here->arrays->all);
}

struct rd_sim_array *rd_sim_arrays_of(const void *memory)
{
    for (size_t k = rd_sim_here->arrays->n; k-- > 0;)
        if (rd_sim_here->arrays->all[k].base == (uintptr_t)memory &&
            !rd_sim_here->arrays->all[k].freed)
            return &rd_sim_here->arrays->all[k];
    return NULL;
}

/* Distance from a given pointer up to which an address is taken to come from it. */
enum { GIVEN_BYTES = 1 << 20 };

const struct rd_sim_array *rd_sim_arrays_given_at(uintptr_t address)
{
    for (size_t k = 0; k < rd_sim_here->arrays->n; k++)
        if (rd_sim_here->arrays->all[k].space == RD_SPACE_NONE &&
            (address - rd_sim_here->arrays->all[k].base < rd_sim_here->arrays->all[k].size_bytes ||
             address - rd_sim_here->arrays->all[k].base + GIVEN_BYTES / 2 < GIVEN_BYTES))
            return &rd_sim_here->arrays->all[k];
    return NULL;
}

static size_t distance(const struct rd_sim_array *array, uintptr_t address)
{
    return address < array->base ? array->base - address
                                 : address - array->base - array->size_bytes;
}

const struct rd_sim_array *rd_sim_arrays_live_at(uintptr_t address)
{
    for (size_t k = rd_sim_here->arrays->n; k-- > 0;) {
        const struct rd_sim_array *array = &rd_sim_here->arrays->all[k];
        if (address - array->base < array->size_bytes && !array->freed &&
            array->space != RD_SPACE_NONE)
            return array;
    }
    return NULL;
}

void rd_sim_memory_made(const void *memory, const char *call, const struct rd_sim_site *site)
{
    struct rd_sim_array *array = rd_sim_arrays_of(memory);
    if (array)
        array->filled = (struct rd_sim_filled){.made = call, .made_site = *site};
}

void rd_sim_memory_filled(uintptr_t address, size_t size_bytes, const char *call,
                          const struct rd_sim_site *site)
{
    const struct rd_sim_array *found = rd_sim_arrays_live_at(address);
    if (!found || !found->filled.made)
        return;
    struct rd_sim_filled *filled =
        &rd_sim_here->arrays->all[found - rd_sim_here->arrays->all].filled;
    filled->call = call;
    filled->site = *site;
    filled->from = address - found->base;
    filled->to = filled->from + size_bytes;
}

const struct rd_sim_array *rd_sim_arrays_nearest(enum rd_sim_space space, uintptr_t address)
{
    const struct rd_sim_array *nearest = NULL;
    for (size_t k = 0; k < rd_sim_here->arrays->n; k++) {
        const struct rd_sim_array *array = &rd_sim_here->arrays->all[k];
        if (array->space != space)
            continue;
        if (address - array->base < array->size_bytes)
            return array;
        if (array->dynamic && address < array->base && array->size_bytes == 0)
            continue;
        if (!nearest || distance(array, address) < distance(nearest, address))
            nearest = array;
    }
    return nearest;
}

const struct rd_sim_array *rd_sim_array_of_index(uintptr_t address, int64_t index, size_t n_rows)
{
    for (size_t k = 0; k < rd_sim_here->arrays->n && n_rows > 0; k++) {
        const struct rd_sim_array *array = &rd_sim_here->arrays->all[k];
        uintptr_t row = array->size_bytes / n_rows;
        if (!array->freed && array->size_bytes % n_rows == 0 &&
            address - (array->base + (uintptr_t)index * row) < row)
            return array;
    }
    return NULL;
}

void rd_sim_memory_visit(void (*visit)(const struct rd_sim_array *array))
{
    for (size_t k = 0; k < rd_sim_here->arrays->n; k++)
        if (rd_sim_here->arrays->all[k].space == RD_SPACE_GLOBAL &&
            !rd_sim_here->arrays->all[k].freed)
            visit(&rd_sim_here->arrays->all[k]);
}

/* ---- what they are called ---- */

void rd_sim_memory_given(uintptr_t address, const char *name, bool is_host)
{
    struct rd_sim_array *same = rd_sim_arrays_of((void *)address);
    struct rd_sim_array *array = same ? same : rd_sim_arrays_add(RD_SPACE_NONE, address, 0);
    if (array) /* of two null pointers nobody knows which one it is */
        snprintf(array->name, sizeof array->name, "%s", same ? "" : name);
    if (array)
        array->is_pointed_to = is_host;
}

void rd_sim_memory_forget(uintptr_t address)
{
    struct rd_sim_array *array = rd_sim_arrays_of((void *)address);
    if (array && array->space == RD_SPACE_NONE)
        rd_sim_arrays_drop((size_t)(array - rd_sim_here->arrays->all));
}

void rd_sim_memory_name(const void *memory, const char *name, const char *type, unsigned elem_bytes)
{
    struct rd_sim_array *array = rd_sim_arrays_of(memory);
    if (!array)
        return;
    array->elem_bytes = elem_bytes;
    snprintf(array->name, sizeof array->name, "%s", name);
    snprintf(array->type, sizeof array->type, "%s", type);
}

void rd_sim_array_typed(uintptr_t base, const struct rd_sim_variable *variable)
{
    struct rd_sim_array *array = rd_sim_arrays_of((void *)base);
    if (!array || variable->elem_bytes == 0)
        return;
    array->elem_bytes = variable->elem_bytes;
    array->is_single = !variable->is_array;
    array->layout = variable->layout;
    array->n_inner = variable->n_inner;
    memcpy(array->inner, variable->inner, sizeof array->inner);
    snprintf(array->type, sizeof array->type, "%s", variable->type);
}

void rd_sim_array_of_structs(uintptr_t base, const struct rd_sim_layout *layout)
{
    struct rd_sim_array *array = rd_sim_arrays_of((void *)base);
    if (array)
        array->layout = layout;
}

void rd_sim_array_named(uintptr_t base, const char *name)
{
    struct rd_sim_array *array = rd_sim_arrays_of((void *)base);
    if (array)
        snprintf(array->name, sizeof array->name, "%s", name);
}

/* What rd_sim_memory_host made is freed with them. */
static void arrays_finish(void)
{
    const struct rd_sim_arrays_state *own = rd_sim_here->arrays;
    for (size_t k = 0; k < own->n; k++)
        if (own->all[k].space == RD_SPACE_NONE && own->all[k].size_bytes > 0)
            free((void *)own->all[k].base);
    free(rd_sim_here->arrays->all);
}

const struct rd_sim_part rd_sim_part_arrays = {
    .size_bytes = sizeof(struct rd_sim_arrays_state),
    .at = offsetof(struct rd_sim, arrays),
    .finish = arrays_finish,
};
