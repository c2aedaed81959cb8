// SPDX-License-Identifier: MIT
/* Structs that callers fill, whose first member is their size when the caller was compiled, so that the library may add
 * members behind the others. */
#ifndef RD_BASE_SIZED_H
#define RD_BASE_SIZED_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Copies a struct of `size` bytes to one of `size_here`, whose other members become 0; a `size` of 0 is `first`, the size in
 * version 0.1. False if it is smaller than `first`, or has members that are unknown here and not 0. */
static inline bool rd_sized_copy(void *to, size_t size_here, const void *from, size_t size,
                                 size_t first)
{
    const unsigned char *bytes = from;
    if (size == 0)
        size = first;
    if (size < first)
        return false;
    for (size_t k = size_here; k < size; k++)
        if (bytes[k] != 0)
            return false;
    memset(to, 0, size_here);
    memcpy(to, from, size < size_here ? size : size_here);
    return true;
}

#endif
