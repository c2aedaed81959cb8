// SPDX-License-Identifier: MIT
#include "array.h"

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
