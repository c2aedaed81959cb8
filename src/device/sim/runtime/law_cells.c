// SPDX-License-Identifier: MIT
/* Cells of an array that a law speaks of: those that nobody has written. */
#include "device/sim/memory/memory.h"
#include "device/sim/memory/record.h"
#include "device/sim/runtime/law_internal.h"
#include "device/sim/runtime/runtime_internal.h"

static bool is_written(uintptr_t address)
{
    enum rd_sim_space space;
    const uint64_t *shadow = rd_sim_shadow(address, &space);
    if (!shadow || *shadow == RD_NO_MEMORY) /* the host's own memory */
        return !rd_sim_host_unset_has(address);
    const uint64_t record =
        rd_record_kind(*shadow) == RD_SPLIT ? rd_sim_split_records(*shadow)[address % 4] : *shadow;
    return record & RD_INIT;
}

size_t rd_sim_law_unwritten(const void *cells, size_t n_elems, size_t elem_bytes,
                            size_t pairs[2 * RD_SIM_LAW_UNWRITTEN_MAX])
{
    const unsigned char *bytes = cells;
    size_t n = 0;
    for (size_t k = 0; k < n_elems; k++) {
        if (bytes[k * elem_bytes] != RD_SIM_POISON ||
            is_written((uintptr_t)(bytes + k * elem_bytes)))
            continue;
        if (n > 0 && pairs[2 * n - 1] == k) {
            pairs[2 * n - 1]++;
            continue;
        }
        if (n == RD_SIM_LAW_UNWRITTEN_MAX)
            break;
        pairs[2 * n] = k;
        pairs[2 * n++ + 1] = k + 1;
    }
    return n;
}
