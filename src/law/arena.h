// SPDX-License-Identifier: MIT
/* Memory that is freed as a whole. */
#ifndef RD_LAW_ARENA_H
#define RD_LAW_ARENA_H

#include <stddef.h>

struct law_arena {
    struct law_arena_block *blocks; /* the one in use first */
};

/* Zeroed memory, aligned for any type; NULL where there is none. A size of 0 is fine. */
void *rd_law_arena_get(struct law_arena *arena, size_t size_bytes);

/* A copy of the first `length` bytes, with a NUL behind. */
char *rd_law_arena_text(struct law_arena *arena, const char *text, size_t length);

/* Room for one more behind items[count]: the array itself, or a copy of twice the size; *capacity is how many it has
 * room for. NULL where there is no memory. */
void *rd_law_arena_grow(struct law_arena *arena, void *items, size_t count, size_t *capacity,
                        size_t item_bytes);

void rd_law_arena_finish(struct law_arena *arena);

#endif
