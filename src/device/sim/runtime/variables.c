// SPDX-License-Identifier: MIT
/* Variables of the program's files: whose they are. */
#include "device/sim/memory/memory.h"
#include "device/sim/runtime/runtime_internal.h"

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
