// SPDX-License-Identifier: MIT
/* Variables of the program's files: whose they are. */
#include "device/sim/file/file.h"
#include "device/sim/memory/memory.h"
#include "device/sim/runtime/runtime_internal.h"

#include <stdlib.h>

const struct rd_sim_array *rd_sim_variable_at(uintptr_t address)
{
    bool inside = false;
    const struct rd_sim_array *array =
        rd_sim_module_has(address) ? rd_sim_array_at(address, &inside) : NULL;
    return inside ? array : NULL;
}

bool rd_sim_is_device_variable(uintptr_t address)
{
    const struct rd_sim_array *variable = rd_sim_variable_at(address);
    return variable && variable->is_device;
}

bool rd_sim_is_managed_variable(uintptr_t address)
{
    const struct rd_sim_array *variable = rd_sim_variable_at(address);
    return variable && variable->is_managed;
}

/* ---- their addresses in host code ---- */

/* Variables whose addresses the program has asked for, or copied from memory of the device. */
static struct {
    uintptr_t *all;
    size_t n;
} asked;

static bool was_asked(const struct rd_sim_array *variable)
{
    for (size_t k = 0; k < asked.n; k++)
        if (asked.all[k] == variable->base)
            return true;
    return false;
}

void rd_sim_variable_is_asked(uintptr_t address)
{
    const struct rd_sim_array *variable = rd_sim_variable_at(address);
    uintptr_t *grown = variable && !was_asked(variable)
                           ? realloc(asked.all, (asked.n + 1) * sizeof *asked.all)
                           : NULL;
    if (!grown)
        return;
    asked.all = grown;
    asked.all[asked.n++] = variable->base;
}

void rd_sim_variables_are_copied(const void *from, size_t size_bytes)
{
    const uintptr_t data = rd_sim_file()->data, data_bytes = rd_sim_file()->data_end - data;
    const uintptr_t first = ((uintptr_t)from + sizeof first - 1) / sizeof first * sizeof first;
    for (uintptr_t at = first; at + sizeof at <= (uintptr_t)from + size_bytes; at += sizeof at)
        if (*(const uintptr_t *)at - data < data_bytes)
            rd_sim_variable_is_asked(*(const uintptr_t *)at);
}

/* Tells whether a variable of the device has a pointer into the range. */
static bool variables_point_to(uintptr_t base, size_t size_bytes)
{
    const uintptr_t *end = (const uintptr_t *)rd_sim_file()->data_end;
    for (const uintptr_t *at = (const uintptr_t *)rd_sim_file()->data; at + 1 <= end; at++)
        if (*at - base < size_bytes && rd_sim_is_device_variable((uintptr_t)at))
            return true;
    return false;
}

bool rd_sim_tell_shadow(const void *pointer, const struct rd_sim_host_place *place,
                        const char *what)
{
    const struct rd_sim_array *variable = rd_sim_variable_at((uintptr_t)pointer);
    const struct rd_sim_host_finding finding = {
        .hazard = RD_HAZARD_HOST_ACCESS,
        .place = *place,
        .lesson = "In host code, the address of a variable of the device is that of a shadow on "
                  "the host: ask for the other one by cudaGetSymbolAddress(), or copy by "
                  "cudaMemcpyToSymbol() and cudaMemcpyFromSymbol().",
    };
    /* A kernel may have handed the address out, in memory that the host sees, too. */
    if (!variable || !variable->is_device || was_asked(variable) ||
        rd_sim_allocations_point_to(variable->base, variable->size_bytes) ||
        variables_point_to(variable->base, variable->size_bytes))
        return false;
    rd_sim_host_tell(&finding, "%s the address that host code has of %s, a variable of the device,",
                     what, variable->name);
    return true;
}
