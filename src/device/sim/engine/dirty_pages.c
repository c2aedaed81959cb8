// SPDX-License-Identifier: MIT
#include "device/sim/engine/engine_internal.h"
#include "base/array.h"
#include "device/sim/memory/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { GRANULE = 4, WORD = 64 };

/* Addresses, not memory: most of it is never used. */
static void *reserve(size_t size_bytes, int sharing)
{
    void *memory = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE,
                        sharing | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

/* The bytes of one part of a region, for each word of bits. */
enum { BITS_BYTES = WORD / 8, MASKS_BYTES = WORD, CONTENT_BYTES = WORD * GRANULE };
enum { SHARED_BYTES = 3 * BITS_BYTES + MASKS_BYTES + CONTENT_BYTES };

static bool add_region(void *self, uintptr_t base, size_t size_bytes, uint64_t *shadow)
{
    struct rd_sim_touched *touched = self;
    if (!rd_array_make_room(&touched->regions, touched->n_regions, &touched->capacity,
                            sizeof *touched->regions))
        return false;
    size_t n_granules = (size_bytes + GRANULE - 1) / GRANULE, n = (n_granules + WORD - 1) / WORD;
    char *shared = reserve(n * SHARED_BYTES, MAP_SHARED);
    if (!shared)
        return false;
    touched->regions[touched->n_regions++] = (struct rd_sim_touched_region){
        .base = base,
        .n_granules = n_granules,
        .n_words = n,
        .shadow = shadow,
        .touched = (_Atomic uint64_t *)shared,
        .written = (_Atomic uint64_t *)(shared + n * BITS_BYTES),
        .partial = (_Atomic uint64_t *)(shared + n * 2 * BITS_BYTES),
        .masks = (uint8_t *)(shared + n * 3 * BITS_BYTES),
        .content = (uint32_t *)(shared + n * (3 * BITS_BYTES + MASKS_BYTES)),
    };
    return true;
}

bool rd_sim_touched_init(struct rd_sim_touched *touched)
{
    *touched = (struct rd_sim_touched){
        .floor = (uint64_t)(rd_sim_here->core.epoch + 1) << RD_EPOCH_SHIFT,
    };
    if (rd_sim_memory_regions(add_region, touched))
        return true;
    rd_sim_touched_finish(touched);
    return false;
}

void rd_sim_touched_finish(struct rd_sim_touched *touched)
{
    for (size_t k = 0; k < touched->n_regions; k++) {
        struct rd_sim_touched_region *region = &touched->regions[k];
        munmap((void *)region->touched, region->n_words * SHARED_BYTES);
    }
    free(touched->regions);
    *touched = (struct rd_sim_touched){.n_regions = 0};
}

/* ---- in each process ---- */

static bool race_in(struct rd_sim_touched_region *region, size_t first, size_t last)
{
    if (!region->raced)
        region->raced = reserve(region->n_words * BITS_BYTES, MAP_PRIVATE);
    for (size_t k = first; k <= last && k < region->n_granules && region->raced; k++)
        region->raced[k / WORD] |= (uint64_t)1 << k % WORD;
    return region->raced;
}

bool rd_sim_touched_race(struct rd_sim_touched *touched, uintptr_t address, size_t size_bytes)
{
    for (size_t k = 0; k < touched->n_regions; k++) {
        struct rd_sim_touched_region *region = &touched->regions[k];
        uintptr_t offset = address - region->base;
        if (offset / GRANULE < region->n_granules)
            return race_in(region, offset / GRANULE, (offset + size_bytes - 1) / GRANULE);
    }
    return true;
}

/* Bits of 64 granules: those that this launch has touched, those that it has written, and those of them
 * that are not initialised as a whole. */
struct bits {
    uint64_t touched, written, partial;
};

static bool is_written(uint64_t record)
{
    return rd_record_kind(record) == RD_EXCLUSIVE || (record & (RD_W | RD_V));
}

static void look_at_bytes(const struct rd_sim_touched_region *region, size_t k, uint64_t floor,
                          struct bits *bits)
{
    const uint64_t *bytes = rd_sim_split_records(region->shadow[k]);
    uint64_t bit = (uint64_t)1 << k % WORD;
    unsigned mask = 0;
    for (int byte = 0; byte < GRANULE; byte++) {
        bool now = bytes[byte] >= floor;
        mask |= (bytes[byte] & RD_INIT ? 1u : 0) << byte;
        bits->touched |= now ? bit : 0;
        bits->written |= now && is_written(bytes[byte]) ? bit : 0;
    }
    if (mask != 15 && (bits->written & bit)) {
        bits->partial |= bit;
        region->masks[k] = (uint8_t)mask;
    }
}

static struct bits look_at(const struct rd_sim_touched_region *region, size_t word, uint64_t floor)
{
    size_t first = word * WORD, last = first + WORD;
    uint64_t raced = region->raced ? region->raced[word] : 0;
    struct bits bits = {.touched = raced, .written = raced};
    bool any = raced;
    last = last < region->n_granules ? last : region->n_granules;
    for (size_t k = first; k < last; k++)
        any |= (region->shadow[k] >= floor) | (rd_record_kind(region->shadow[k]) == RD_SPLIT);
    if (!any)
        return bits;
    for (size_t k = first; k < last; k++) {
        uint64_t record = region->shadow[k], bit = (uint64_t)1 << k % WORD;
        if (rd_record_kind(record) == RD_SPLIT) {
            look_at_bytes(region, k, floor, &bits);
        } else if (record >= floor) {
            bits.touched |= bit;
            bits.written |= is_written(record) ? bit : 0;
        }
    }
    return bits;
}

static void copy(void *to, const void *from, size_t first, uint64_t which)
{
    if (which == UINT64_MAX)
        memcpy((char *)to + first * GRANULE, (const char *)from + first * GRANULE, CONTENT_BYTES);
    else
        for (; which; which &= which - 1) {
            size_t at = (first + (size_t)__builtin_ctzll(which)) * GRANULE;
            memcpy((char *)to + at, (const char *)from + at, GRANULE);
        }
}

/* First it says what it has written, and then what it has touched; only then does it look at what
 * others have said. So, of two processes that are in each other's way, the one that comes second to
 * the second step sees the other. */
static bool share_word(const struct rd_sim_touched_region *region, size_t word, uint64_t floor)
{
    struct bits bits = look_at(region, word, floor);
    if (!bits.touched)
        return true;
    copy(region->content, (const void *)region->base, word * WORD, bits.written);
    if (bits.partial)
        atomic_fetch_or(&region->partial[word], bits.partial);
    if (bits.written)
        atomic_fetch_or(&region->written[word], bits.written);
    uint64_t others = atomic_fetch_or(&region->touched[word], bits.touched);
    return !(others & bits.written) &&
           !(atomic_load(&region->written[word]) & bits.touched & ~bits.written);
}

bool rd_sim_touched_share(struct rd_sim_touched *touched)
{
    for (size_t k = 0; k < touched->n_regions; k++)
        for (size_t word = 0; word < touched->regions[k].n_words; word++)
            if (!share_word(&touched->regions[k], word, touched->floor))
                return false;
    return true;
}

/* ---- afterwards ---- */

void rd_sim_touched_take(const struct rd_sim_touched *touched)
{
    for (size_t k = 0; k < touched->n_regions; k++) {
        const struct rd_sim_touched_region *region = &touched->regions[k];
        for (size_t word = 0; word < region->n_words; word++) {
            uint64_t written = atomic_load(&region->written[word]);
            uint64_t partial = written ? atomic_load(&region->partial[word]) : 0;
            copy((void *)region->base, region->content, word * WORD, written);
            for (; written; written &= written - 1) {
                size_t granule = word * WORD + (size_t)__builtin_ctzll(written);
                bool is_partial = partial >> granule % WORD & 1;
                rd_sim_granule_written(&region->shadow[granule],
                                       is_partial ? region->masks[granule] : 15);
            }
        }
    }
}
