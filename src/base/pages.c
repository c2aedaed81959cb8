// SPDX-License-Identifier: MIT
#include "base/pages.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { HUGE_PAGE_BYTES = 1 << 21, LARGE_BYTES = 1 << 20 };

void *rd_pages_alloc(size_t size_bytes)
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
