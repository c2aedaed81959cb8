// SPDX-License-Identifier: MIT
/* Cells of an array that a law speaks of: those that nobody has written, and those that other blocks write. */
#include "device/sim/detect/races.h"
#include "device/sim/memory/memory.h"
#include "device/sim/memory/record.h"
#include "device/sim/runtime/law_internal.h"
#include "device/sim/runtime/order.h"
#include "device/sim/runtime/runtime_internal.h"

#include <stdio.h>

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

/* Adds an element to the pairs; false where there is no room for another pair. */
static bool add(size_t *pairs, size_t *n, size_t most, size_t element)
{
    if (*n > 0 && pairs[2 * *n - 1] == element) {
        pairs[2 * *n - 1]++;
        return true;
    }
    if (*n == most)
        return false;
    pairs[2 * *n] = element;
    pairs[2 * *n + 1] = element + 1;
    ++*n;
    return true;
}

size_t rd_sim_law_unwritten(const void *cells, size_t n_elems, size_t elem_bytes,
                            size_t pairs[2 * RD_SIM_LAW_UNWRITTEN_MAX])
{
    const unsigned char *bytes = cells;
    size_t n = 0;
    for (size_t k = 0; k < n_elems; k++)
        if (bytes[k * elem_bytes] == RD_SIM_POISON &&
            !is_written((uintptr_t)(bytes + k * elem_bytes)) &&
            !add(pairs, &n, RD_SIM_LAW_UNWRITTEN_MAX, k))
            break;
    return n;
}

static bool is_of_another_block(uintptr_t address)
{
    enum rd_sim_space space;
    const uint64_t *shadow = rd_sim_shadow(address, &space);
    if (!shadow || *shadow == RD_NO_MEMORY)
        return false;
    const uint64_t record =
        rd_record_kind(*shadow) == RD_SPLIT ? rd_sim_split_records(*shadow)[address % 4] : *shadow;
    return rd_sim_cell_is_of_another_block(record);
}

size_t rd_sim_law_of_others(const void *cells, size_t n_elems, size_t elem_bytes,
                            size_t pairs[2 * RD_SIM_LAW_OTHERS_MAX])
{
    const struct rd_sim_core *core = &rd_sim_here->core;
    const uintptr_t first = (uintptr_t)cells;
    size_t n = 0;
    if (first - core->arena >= core->arena_size)
        return 0;
    for (size_t k = 0; k < n_elems; k++)
        if (is_of_another_block(first + k * elem_bytes) &&
            !add(pairs, &n, RD_SIM_LAW_OTHERS_MAX, k))
            break;
    return n;
}

static void tell_pending(const struct rd_sim_pending *pending, char *text, size_t size)
{
    const struct rd_sim_line *line = &pending->line;
    const int n = snprintf(text, size, "%.90s", pending->what);
    if (line->file[0])
        snprintf(text + n, size - (size_t)n, " at %s:%u", line->file, line->line);
}

size_t rd_sim_law_pending(const void *cells, size_t n_elems, size_t elem_bytes,
                          size_t pairs[2 * RD_SIM_LAW_OTHERS_MAX], char *text, size_t size)
{
    const uintptr_t first = (uintptr_t)cells, end = first + n_elems * elem_bytes;
    struct rd_sim_pending pending;
    size_t n = 0, next = 0;
    for (; rd_sim_host_pending(&next, first, end, &pending); n++) {
        const size_t from = (pending.start - first) / elem_bytes,
                     behind = (pending.end - first + elem_bytes - 1) / elem_bytes;
        if (n == 0)
            tell_pending(&pending, text, size);
        if (n == RD_SIM_LAW_OTHERS_MAX) { /* of the rest the last one stands for all */
            pairs[2 * n - 2] = 0;
            pairs[2 * n - 1] = n_elems;
            return n;
        }
        pairs[2 * n] = from;
        pairs[2 * n + 1] = behind;
    }
    return n;
}
