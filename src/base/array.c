// SPDX-License-Identifier: MIT
#include "base/array.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { FIRST = 64, HUGE_PAGE_BYTES = 1 << 21, LARGE_BYTES = 1 << 20 };

bool rd_array_make_room(void *array, size_t n, size_t *capacity, size_t elem_bytes)
{
    void *old, *grown;
    if (n < *capacity)
        return true;
    memcpy(&old, array, sizeof old); /* whatever it points to */
    size_t wanted = *capacity ? 2 * *capacity : FIRST;
    grown = realloc(old, wanted * elem_bytes);
    if (!grown)
        return false;
    memcpy(array, &grown, sizeof grown);
    *capacity = wanted;
    return true;
}

size_t rd_array_find(const uint64_t *ascending, size_t count, uint64_t value)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ascending[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && ascending[low] == value ? low : SIZE_MAX;
}

void *rd_array_alloc(size_t size_bytes)
{
#ifdef MADV_HUGEPAGE
    if (size_bytes >= LARGE_BYTES && size_bytes <= SIZE_MAX / 2) {
        const size_t in_all =
            (size_bytes + HUGE_PAGE_BYTES - 1) / HUGE_PAGE_BYTES * HUGE_PAGE_BYTES;
        void *memory = aligned_alloc(HUGE_PAGE_BYTES, in_all);
        if (memory)
            madvise(memory, in_all, MADV_HUGEPAGE); /* without, it is as any other memory */
        return memory;
    }
#endif
    return malloc(size_bytes ? size_bytes : 1);
}
