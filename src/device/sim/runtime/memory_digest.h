// SPDX-License-Identifier: MIT
/* Digests of all memory that kernels can access, page by page: of its bytes, and of which are initialised. */
#ifndef RD_SIM_RUNTIME_MEMORY_DIGEST_H
#define RD_SIM_RUNTIME_MEMORY_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RD_SIM_DIGEST_PAGE = 4096 };

struct rd_sim_digest {
    struct rd_sim_digest_region {
        uintptr_t base;
        size_t size_bytes;
        uint64_t *shadow;
        int kind, device; /* of the allocation, -1: it is none */
        size_t first;     /* of its pages */
    } * regions;
    size_t n_regions, region_capacity;
    struct rd_sim_digest_page {
        struct rd_sim_hash {
            uint64_t words[4];
        } bytes, set;
    } * pages;
    size_t n_pages, page_capacity;
};

/* Returns the size in bytes of the memory that a digest covers. */
size_t rd_sim_digest_bytes(void);
/* Takes the digest of it as it is now. False without memory or random numbers: nothing is to be finished then. */
bool rd_sim_digest_take(struct rd_sim_digest *digest);
void rd_sim_digest_finish(struct rd_sim_digest *digest);
/* Tells whether both digests cover the same regions: addresses, sizes, kinds and devices. */
bool rd_sim_digest_fits(const struct rd_sim_digest *one, const struct rd_sim_digest *other);
/* Tells whether they do, and the contents are the same, too. */
bool rd_sim_digest_equals(const struct rd_sim_digest *one, const struct rd_sim_digest *other);

#endif
