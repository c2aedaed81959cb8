// SPDX-License-Identifier: MIT
#include "base/array.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST = 64 };

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
