// SPDX-License-Identifier: MIT
#include "device/sim/runtime/memory_digest.h"
#include "base/array.h"
#include "device/sim/memory/memory.h"
#include "device/sim/runtime/runtime_internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum { PAGE = RD_SIM_DIGEST_PAGE, GRANULE = 4 };

/* ---- bytes: NH, of UMAC (RFC 4418), with words of 64 bits and a key that is drawn anew for each program ----
 *
 * Two different pages of the same size have the same hash with a probability of at most 2^-128, over the choice of the key,
 * whatever the pages hold: so the hash may stand for the bytes. Each half of it is a sum of products modulo 2^128,
 *
 *     sum of (m[2i] + k[2i]) * (m[2i + 1] + k[2i + 1])
 *
 * where the inner sums are modulo 2^64; the second half uses the same key, shifted by two words (Toeplitz). */

__extension__ typedef unsigned __int128 product;

enum { SHIFT = 2, WORDS = PAGE / sizeof(uint64_t) };

static struct {
    uint64_t words[WORDS + SHIFT];
    bool is_drawn;
} key;

static bool draw_key(void)
{
    if (!key.is_drawn)
        key.is_drawn = getrandom(key.words, sizeof key.words, 0) == sizeof key.words;
    return key.is_drawn;
}

static inline void add_words(product sums[2], const uint64_t pair[2], const uint64_t *k)
{
    sums[0] += (product)(pair[0] + k[0]) * (pair[1] + k[1]);
    sums[1] += (product)(pair[0] + k[SHIFT]) * (pair[1] + k[SHIFT + 1]);
}

/* Hashes of pages of different sizes can't be compared. */
static struct rd_sim_hash hash_of(const void *bytes, size_t size_bytes)
{
    const char *at = bytes;
    const uint64_t *k = key.words;
    product sums[2] = {0, 0};
    uint64_t pair[2];
    size_t left = size_bytes;
    for (; left >= sizeof pair; left -= sizeof pair, at += sizeof pair, k += 2) {
        memcpy(pair, at, sizeof pair);
        add_words(sums, pair, k);
    }
    if (left > 0) {
        memset(pair, 0, sizeof pair);
        memcpy(pair, at, left);
        add_words(sums, pair, k);
    }
    return (struct rd_sim_hash){{(uint64_t)sums[0], (uint64_t)(sums[0] >> 64), (uint64_t)sums[1],
                                 (uint64_t)(sums[1] >> 64)}};
}

/* ---- initialised bytes ---- */

/* Most often all of a page are, or none. */
static struct rd_sim_hash hash_of_records(const uint64_t *shadow, size_t n)
{
    uint64_t every = UINT64_MAX, some = 0;
    bool is_split = false;
    unsigned char set[PAGE / GRANULE];
    for (size_t k = 0; k < n; k++) {
        every &= shadow[k];
        some |= shadow[k];
        is_split |= rd_record_kind(shadow[k]) == RD_SPLIT;
    }
    if (!is_split && ((every & RD_INIT) || !(some & RD_INIT)))
        return (struct rd_sim_hash){{every & RD_INIT ? 1 : 2}};
    for (size_t k = 0; k < n; k++)
        set[k] = (unsigned char)rd_sim_granule_set(shadow[k]);
    return hash_of(set, n);
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
    const struct rd_sim_allocation *allocation = rd_sim_allocation_at((const void *)base);
    const bool is_live = allocation && !allocation->freed;
    digest->regions[digest->n_regions++] = (struct rd_sim_digest_region){
        .base = base,
        .size_bytes = size_bytes,
        .shadow = shadow,
        .kind = is_live ? (int)allocation->kind : -1,
        .device = is_live ? allocation->device : -1,
        .first = digest->n_pages,
    };
    for (size_t at = 0; at < size_bytes; at += PAGE) {
        const size_t n = size_bytes - at < PAGE ? size_bytes - at : PAGE;
        if (!rd_array_make_room(&digest->pages, digest->n_pages, &digest->page_capacity,
                                sizeof *digest->pages))
            return false;
        digest->pages[digest->n_pages++] = (struct rd_sim_digest_page){
            .bytes = hash_of((const void *)(base + at), n),
            .set = hash_of_records(shadow + at / GRANULE, (n + GRANULE - 1) / GRANULE),
        };
    }
    return true;
}

bool rd_sim_digest_take(struct rd_sim_digest *digest)
{
    *digest = (struct rd_sim_digest){.n_regions = 0};
    if (!draw_key())
        return false;
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
