// SPDX-License-Identifier: MIT
#include "prove/syntax_read.h"

#include <stdlib.h>

struct rd_syntax_page {
    struct rd_syntax_page *next;
    size_t used, size;
    _Alignas(16) unsigned char bytes[];
};

void *rd_syntax_allocate(struct rd_syntax_memory *memory, size_t size_bytes)
{
    enum { PAGE_BYTES = 1 << 16 };
    struct rd_syntax_page *page = memory->pages;
    const size_t size = (size_bytes + 15) / 16 * 16;
    if (!page || page->size - page->used < size) {
        const size_t room = size > PAGE_BYTES ? size : PAGE_BYTES;
        page = calloc(1, sizeof *page + room);
        if (!page) {
            memory->failed = true;
            return NULL;
        }
        page->next = memory->pages;
        page->size = room;
        memory->pages = page;
    }
    void *made = page->bytes + page->used;
    page->used += size;
    return made;
}

void rd_syntax_memory_finish(struct rd_syntax_memory *memory)
{
    while (memory->pages) {
        struct rd_syntax_page *next = memory->pages->next;
        free(memory->pages);
        memory->pages = next;
    }
}
