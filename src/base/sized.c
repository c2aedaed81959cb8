// SPDX-License-Identifier: MIT
#include "base/sized.h"

#include "reductio/version.h"

#include <string.h>

static size_t size_of(const void *given)
{
    size_t size;
    memcpy(&size, given, sizeof size);
    return size;
}

/* Tells whether a struct of a caller's, which begins with its size, is one that is known here: of as many bytes as here, or
 * of more that are 0, or of fewer, but of `first`, as many as it had in version 0.1; the size 0 stands for these. */
static bool is_known(const void *given, size_t size_here, size_t first)
{
    const unsigned char *bytes = given;
    const size_t size = size_of(given);
    for (size_t k = size_here; k < size; k++)
        if (bytes[k] != 0)
            return false;
    return size == 0 || size >= first;
}

enum rd_status rd_sized_check(const void *given, size_t size_here, size_t first, const char *name,
                              struct rd_error *error)
{
    if (is_known(given, size_here, first))
        return RD_OK;
    return rd_fail(error, RD_ERROR_USAGE,
                   "'size' is %zu, and reductio %s has no such %s: set it to sizeof(struct rd_%s)",
                   size_of(given), rd_version(), name, name);
}

bool rd_sized_copy(void *to, size_t size_here, const void *from, size_t size, size_t first)
{
    if (size == 0)
        size = first;
    if (!is_known(from, size_here, first))
        return false;
    memset(to, 0, size_here);
    memcpy(to, from, size < size_here ? size : size_here);
    return true;
}
