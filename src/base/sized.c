// SPDX-License-Identifier: MIT
#include "base/sized.h"

#include <string.h>

bool rd_sized_copy(void *to, size_t size_here, const void *from, size_t size, size_t first)
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
