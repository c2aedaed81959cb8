// SPDX-License-Identifier: MIT
#include "device/sim/object.h"
#include "device/sim/memory/memory.h"
#include "device/sim/memory/memory_internal.h"
#include "base/array.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* An allocation takes whole units; the zone behind it is nobody's. The addresses are a ring, eight
 * times as long as the limit and two zones: freed memory comes to be used again when the ring has
 * gone round, and however small the limit is, there is room for what it allows. */
enum { UNIT = 64, GRAIN = 16, ZONE_MIN = 48, ZONE_MAX = 1024, RING = 8 };
enum { FIRST_UNIT = ZONE_MAX / UNIT }; /* before the first block there is a zone, too */

struct block {
    uintptr_t base;
    size_t size_bytes, n_units;
    bool freed, told;
    bool kept;        /* a pointer to it is left */
    uint32_t to_scan; /* the next of those that are kept and yet to be looked through */
    struct rd_sim_actor owner, freer;
};

struct rd_sim_heap_state {
    uintptr_t base;
    size_t size_bytes, limit, live_bytes;
    size_t n_units, cursor,
        used;             /* the ring; where the next allocation is tried; used up to here */
    uint32_t *block_of;   /* of each unit; 0: of none */
    struct block *blocks; /* number 0 is none */
    size_t n_blocks, capacity;
    uint32_t vacant;  /* the first of the numbers that can be given again; `n_units` links them */
    uint32_t to_scan; /* the first */
    struct rd_sim_array told; /* the last that was asked for */
};

void rd_sim_heap_init(uintptr_t base, size_t size_bytes)
{
    struct rd_sim_heap_state *own = rd_sim_here->heap;
    own->base = base;
    own->size_bytes = size_bytes;
    own->limit = RD_SIM_HEAP_BYTES;
}

void rd_sim_heap_limit(size_t size_bytes)
{
    struct rd_sim_heap_state *own = rd_sim_here->heap;
    size_t most = (own->size_bytes - 2 * ZONE_MAX) / RING;
    own->limit = size_bytes ? size_bytes : RD_SIM_HEAP_BYTES;
    if (own->limit > most)
        own->limit = most;
}

size_t rd_sim_heap_used(void)
{
    return rd_sim_here->heap->used * UNIT;
}

bool rd_sim_heap_has(uintptr_t address)
{
    return address - rd_sim_here->heap->base < rd_sim_heap_used();
}

bool rd_sim_heap_region(bool (*visit)(void *self, uintptr_t base, size_t size_bytes,
                                      uint64_t *shadow),
                        void *self)
{
    const uintptr_t base = rd_sim_here->heap->base;
    return rd_sim_heap_used() == 0 ||
           visit(self, base, rd_sim_heap_used(), rd_sim_arena_shadow(base));
}

/* ---- blocks ---- */

/* Makes the ring at the first allocation, of the limit that there is then. */
static bool make_ring(void)
{
    struct rd_sim_heap_state *own = rd_sim_here->heap;
    if (own->block_of)
        return true;
    size_t n_units = (own->limit * RING + 2 * ZONE_MAX) / UNIT;
    void *table = mmap(NULL, n_units * sizeof *own->block_of, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (table == MAP_FAILED)
        return false;
    own->block_of = table;
    own->n_units = n_units;
    own->cursor = FIRST_UNIT;
    return true;
}

static struct block *block_at(size_t unit)
{
    struct rd_sim_heap_state *own = rd_sim_here->heap;
    return unit < own->n_units && own->block_of[unit] ? &own->blocks[own->block_of[unit]] : NULL;
}

static size_t first_unit(const struct block *block)
{
    return (block->base - rd_sim_here->heap->base) / UNIT;
}

/* A number for a new block; 0 without memory. */
static uint32_t take_number(void)
{
    struct rd_sim_heap_state *own = rd_sim_here->heap;
    uint32_t number = own->vacant;
    if (number) {
        own->vacant = (uint32_t)own->blocks[number].n_units;
        return number;
    }
    if (!rd_array_make_room(&own->blocks, own->n_blocks + 1, &own->capacity, sizeof *own->blocks))
        return 0;
    return (uint32_t)++own->n_blocks;
}

/* So many units in a row in which no memory is live; heap.n_units where there are none. */
static size_t find_units(size_t n, size_t alignment)
{
    struct rd_sim_heap_state *own = rd_sim_here->heap;
    size_t step = alignment > UNIT ? alignment / UNIT : 1, at = rd_sim_round_up(own->cursor, step);
    for (int laps = 0; laps < 2;) {
        size_t k = 0;
        if (at + n > own->n_units) {
            laps++;
            at = rd_sim_round_up(FIRST_UNIT, step);
            continue;
        }
        const struct block *block = NULL;
        for (; k < n && !(block && !block->freed); k++)
            block = block_at(at + k);
        if (!block || block->freed)
            return at;
        at = rd_sim_round_up(first_unit(block) + block->n_units, step);
    }
    return own->n_units;
}

/* Forgets the freed blocks in these units, which are to be used again. */
static void clear_units(size_t at, size_t n)
{
    struct rd_sim_heap_state *own = rd_sim_here->heap;
    for (size_t k = at; k < at + n; k++) {
        struct block *block = block_at(k);
        if (!block)
            continue;
        uint32_t number = own->block_of[k];
        memset(own->block_of + first_unit(block), 0, block->n_units * sizeof *own->block_of);
        block->n_units = own->vacant;
        own->vacant = number;
    }
}

static void forget_accesses(const struct block *block)
{
    enum rd_sim_space space;
    memset(rd_sim_shadow(block->base, &space), 0, block->n_units * UNIT / 4 * sizeof(uint64_t));
}

/* NULL for those who come too late: that depends on the order. */
static void *refuse(void)
{
    rd_sim_here->core.communicates = true;
    return NULL;
}

void *rd_sim_heap_alloc(size_t size_bytes, size_t alignment, uintptr_t pc)
{
    struct rd_sim_heap_state *own = rd_sim_here->heap;
    size_t whole = rd_sim_round_up(size_bytes + !size_bytes, GRAIN), zone = whole;
    if (size_bytes > own->limit || own->live_bytes > own->limit ||
        whole > own->limit - own->live_bytes || !make_ring())
        return refuse();
    zone = zone < ZONE_MIN ? ZONE_MIN : zone > ZONE_MAX ? ZONE_MAX : zone;
    size_t n = (whole + zone + UNIT - 1) / UNIT, at = find_units(n, alignment);
    if (at == own->n_units)
        return refuse();
    clear_units(at, n);
    uint32_t number = take_number();
    if (!number)
        return refuse();
    struct block *block = &own->blocks[number];
    *block = (struct block){
        .base = own->base + at * UNIT,
        .size_bytes = size_bytes,
        .n_units = n,
        .owner = rd_sim_actor_self(RD_SIM_WRITE, pc),
    };
    for (size_t k = 0; k < n; k++)
        own->block_of[at + k] = number;
    forget_accesses(block);
    memset((void *)block->base, RD_SIM_POISON, n * UNIT);
    own->live_bytes += whole;
    own->cursor = at + n;
    if (own->used < own->cursor)
        own->used = own->cursor;
    return (void *)block->base;
}

/* The live block that begins there; NULL where none does. */
static struct block *live_block(const void *memory)
{
    const struct rd_sim_heap_state *own = rd_sim_here->heap;
    uintptr_t offset = (uintptr_t)memory - own->base;
    struct block *block = offset < own->n_units * UNIT ? block_at(offset / UNIT) : NULL;
    return block && block->base == (uintptr_t)memory && !block->freed ? block : NULL;
}

bool rd_sim_heap_find(const void *memory, size_t *size_bytes)
{
    const struct block *block = live_block(memory);
    if (block)
        *size_bytes = block->size_bytes;
    return block != NULL;
}

void rd_sim_heap_free(void *memory, uintptr_t pc)
{
    struct block *block = live_block(memory);
    block->freed = true;
    block->freer = rd_sim_actor_self(RD_SIM_WRITE, pc);
    block->freer.launch = rd_sim_here->core.launch;
    rd_sim_here->heap->live_bytes -= rd_sim_round_up(block->size_bytes + !block->size_bytes, GRAIN);
    forget_accesses(block);
}

/* ---- which one ---- */

static const struct rd_sim_array *as_array(const struct block *block)
{
    struct rd_sim_heap_state *own = rd_sim_here->heap;
    own->told = (struct rd_sim_array){
        .space = RD_SPACE_GLOBAL,
        .base = block->base,
        .size_bytes = block->size_bytes,
        .freed = block->freed,
        .origin = block->owner.site.pc,
        .freer = block->freer,
    };
    return &own->told;
}

const struct rd_sim_array *rd_sim_heap_array(uintptr_t address, bool *inside)
{
    size_t unit = (address - rd_sim_here->heap->base) / UNIT;
    const struct block *block = block_at(unit);
    *inside = false;
    for (size_t k = 1; !block && k <= FIRST_UNIT; k++)
        block = block_at(unit + k);
    if (!block)
        return NULL;
    if (address >= block->base && address - block->base < block->size_bytes) {
        *inside = !block->freed;
    } else if (address >= block->base) { /* in the zone: behind this one, or before the next */
        const struct block *next = block_at(first_unit(block) + block->n_units);
        if (next && next->base - address < address - (block->base + block->size_bytes))
            block = next;
    }
    return as_array(block);
}

void rd_sim_heap_visit_live(void (*visit)(void *self, const struct rd_sim_array *array), void *self)
{
    const struct rd_sim_heap_state *own = rd_sim_here->heap;
    if (own->live_bytes == 0)
        return;
    for (size_t unit = FIRST_UNIT; unit * UNIT < rd_sim_heap_used();) {
        const struct block *block = block_at(unit);
        if (block && !block->freed)
            visit(self, as_array(block));
        unit += block ? block->n_units : 1;
    }
}

/* ---- leaks ---- */

/* Marks what these bytes hold a pointer to. */
static void mark_from(const struct rd_sim_array *array)
{
    struct rd_sim_heap_state *own = rd_sim_here->heap;
    for (size_t k = 0; k + sizeof(uintptr_t) <= array->size_bytes; k += sizeof(uintptr_t)) {
        uintptr_t value;
        memcpy(&value, (const void *)(array->base + k), sizeof value);
        if (value - own->base >= own->n_units * UNIT)
            continue;
        struct block *block = block_at((value - own->base) / UNIT);
        if (!block || block->freed || block->kept || value - block->base > block->size_bytes)
            continue;
        block->kept = true;
        block->to_scan = own->to_scan;
        own->to_scan = (uint32_t)(block - own->blocks);
    }
}

/* Marks what can still be reached from memory that outlives the launch. */
static void mark_kept(void)
{
    struct rd_sim_heap_state *own = rd_sim_here->heap;
    rd_sim_memory_visit(mark_from);
    while (own->to_scan) {
        const struct block *block = &own->blocks[own->to_scan];
        own->to_scan = block->to_scan;
        mark_from(as_array(block));
    }
}

void rd_sim_heap_tell_leaks(void)
{
    struct rd_sim_heap_state *own = rd_sim_here->heap;
    bool marked = false;
    if (own->live_bytes == 0)
        return;
    for (size_t unit = 0; unit < own->used; unit++) {
        struct block *block = block_at(unit);
        if (!block || block->freed || block->told)
            continue;
        if (!marked)
            mark_kept();
        marked = block->told = true;
        rd_sim_here->core.on_event(&(struct rd_sim_event){
            .hazard = RD_HAZARD_LEAK,
            .address = block->base,
            .actor = block->owner,
            .size_bytes = block->size_bytes,
            .kept = block->kept,
        });
    }
}

static void heap_finish(void)
{
    struct rd_sim_heap_state *own = rd_sim_here->heap;
    if (own->block_of)
        munmap(own->block_of, own->n_units * sizeof *own->block_of);
    free(own->blocks);
}

const struct rd_sim_part rd_sim_part_heap = {
    .size_bytes = sizeof(struct rd_sim_heap_state),
    .at = offsetof(struct rd_sim, heap),
    .finish = heap_finish,
};
