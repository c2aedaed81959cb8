// SPDX-License-Identifier: MIT
#include "device/sim/runtime/memory_digest.h"
#include "base/array.h"
#include "device/sim/memory/memory.h"
#include "device/sim/runtime/runtime_internal.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE = RD_SIM_DIGEST_PAGE, GRANULE = 4 };

/* ---- bytes: XXH64, by Yann Collet, in four lanes ---- */

static const uint64_t p1 = 0x9e3779b185ebca87, p2 = 0xc2b2ae3d27d4eb4f, p3 = 0x165667b19e3779f9;

static inline uint64_t turned(uint64_t word, unsigned bits)
{
    return word << bits | word >> (64 - bits);
}

static inline uint64_t step(uint64_t lane, uint64_t word)
{
    return turned(lane + word * p2, 31) * p1;
}

uint64_t rd_sim_digest_of(const void *bytes, size_t size_bytes, uint64_t before)
{
    const char *at = bytes;
    uint64_t lanes[4] = {before + p1 + p2, before + p2, before, before - p1}, words[4], all;
    size_t left = size_bytes;
    for (; left >= sizeof words; left -= sizeof words, at += sizeof words) {
        memcpy(words, at, sizeof words);
        for (unsigned k = 0; k < 4; k++)
            lanes[k] = step(lanes[k], words[k]);
    }
    memset(words, 0, sizeof words);
    memcpy(words, at, left);
    for (unsigned k = 0; k < 4; k++)
        lanes[k] = step(lanes[k], words[k]);
    all = turned(lanes[0], 1) + turned(lanes[1], 7) + turned(lanes[2], 12) + turned(lanes[3], 18);
    for (unsigned k = 0; k < 4; k++)
        all = (all ^ step(0, lanes[k])) * p1 + p2;
    all += size_bytes;
    all = (all ^ all >> 33) * p2;
    all = (all ^ all >> 29) * p3;
    return all ^ all >> 32;
}

/* ---- which are initialised ---- */

/* Most often all of a page are, or none. */
static uint64_t digest_of_records(const uint64_t *shadow, size_t n)
{
    uint64_t every = UINT64_MAX, some = 0, split = 0;
    unsigned char set[PAGE / GRANULE];
    for (size_t k = 0; k < n; k++) {
        every &= shadow[k];
        some |= shadow[k];
        split |= shadow[k] & shadow[k] >> 1;
    }
    if (!(split & 1) && ((every & RD_INIT) || !(some & RD_INIT)))
        return every & RD_INIT ? 1 : 2;
    for (size_t k = 0; k < n; k++)
        set[k] = (unsigned char)rd_sim_granule_set(shadow[k]);
    return rd_sim_digest_of(set, n, 3);
}

/* ---- all of it ---- */

static bool add_size(void *self, uintptr_t base, size_t size_bytes, uint64_t *shadow)
{
    (void)base, (void)shadow;
    *(size_t *)self += size_bytes;
    return true;
}

size_t rd_sim_digest_bytes(void)
{
    size_t size_bytes = 0;
    rd_sim_memory_regions(add_size, &size_bytes);
    return size_bytes;
}

static bool add_region(void *self, uintptr_t base, size_t size_bytes, uint64_t *shadow)
{
    struct rd_sim_digest *digest = self;
    if (!rd_array_make_room(&digest->regions, digest->n_regions, &digest->region_capacity,
                            sizeof *digest->regions))
        return false;
    const struct rd_sim_allocation *it = rd_sim_allocation_at((const void *)base);
    const bool is_live = it && !it->freed;
    digest->regions[digest->n_regions++] = (struct rd_sim_digest_region){
        .base = base,
        .size_bytes = size_bytes,
        .shadow = shadow,
        .kind = is_live ? (int)it->kind : -1,
        .device = is_live ? it->device : -1,
        .first = digest->n_pages,
    };
    for (size_t at = 0; at < size_bytes; at += PAGE) {
        const size_t n = size_bytes - at < PAGE ? size_bytes - at : PAGE;
        if (!rd_array_make_room(&digest->pages, digest->n_pages, &digest->page_capacity,
                                sizeof *digest->pages))
            return false;
        digest->pages[digest->n_pages++] = (struct rd_sim_digest_page){
            .bytes = rd_sim_digest_of((const void *)(base + at), n, 0),
            .set = digest_of_records(shadow + at / GRANULE, (n + GRANULE - 1) / GRANULE),
        };
    }
    return true;
}

bool rd_sim_digest_take(struct rd_sim_digest *digest)
{
    *digest = (struct rd_sim_digest){.n_regions = 0};
    if (rd_sim_memory_regions(add_region, digest))
        return true;
    rd_sim_digest_finish(digest);
    return false;
}

void rd_sim_digest_finish(struct rd_sim_digest *digest)
{
    free(digest->regions);
    free(digest->pages);
    *digest = (struct rd_sim_digest){.n_regions = 0};
}

bool rd_sim_digest_fits(const struct rd_sim_digest *one, const struct rd_sim_digest *other)
{
    if (one->n_regions != other->n_regions || one->n_pages != other->n_pages)
        return false;
    for (size_t k = 0; k < one->n_regions; k++)
        if (one->regions[k].base != other->regions[k].base ||
            one->regions[k].size_bytes != other->regions[k].size_bytes ||
            one->regions[k].kind != other->regions[k].kind ||
            one->regions[k].device != other->regions[k].device)
            return false;
    return true;
}

bool rd_sim_digest_equals(const struct rd_sim_digest *one, const struct rd_sim_digest *other)
{
    return rd_sim_digest_fits(one, other) &&
           (one->n_pages == 0 ||
            memcmp(one->pages, other->pages, one->n_pages * sizeof *one->pages) == 0);
}
