// SPDX-License-Identifier: MIT
#include "law/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 16384 };

struct law_arena_block {
    struct law_arena_block *next;
    size_t used, size;
    max_align_t bytes[];
};

void *rd_law_arena_get(struct law_arena *arena, size_t size_bytes)
{
    struct law_arena_block *block = arena->blocks;
    size_t align = _Alignof(max_align_t);
    if (size_bytes > PTRDIFF_MAX / 2)
        return NULL;
    size_bytes = (size_bytes + align - 1) / align * align;
    if (!block || block->size - block->used < size_bytes) {
        size_t size = size_bytes > BLOCK_BYTES ? size_bytes : BLOCK_BYTES;
        block = calloc(1, sizeof *block + size);
        if (!block)
            return NULL;
        block->size = size;
        block->next = arena->blocks;
        arena->blocks = block;
    }
    void *memory = (char *)block->bytes + block->used;
    block->used += size_bytes;
    return memory;
}

char *rd_law_arena_text(struct law_arena *arena, const char *text, size_t length)
{
    char *copy = rd_law_arena_get(arena, length + 1);
    if (copy)
        memcpy(copy, text, length);
    return copy;
}

void *rd_law_arena_grow(struct law_arena *arena, void *items, size_t count, size_t *capacity,
                        size_t item_bytes)
{
    if (count < *capacity)
        return items;
    size_t more = *capacity ? 2 * *capacity : 4;
    void *grown = rd_law_arena_get(arena, more * item_bytes);
    if (!grown)
        return NULL;
    if (count > 0)
        memcpy(grown, items, count * item_bytes);
    *capacity = more;
    return grown;
}

void rd_law_arena_finish(struct law_arena *arena)
{
    while (arena->blocks) {
        struct law_arena_block *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
}
