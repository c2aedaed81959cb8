// SPDX-License-Identifier: MIT
#include "device/sim/runtime/snapshot.h"
#include "base/array.h"
#include "device/sim/memory/memory.h"

#include <stdlib.h>
#include <string.h>

enum { GRANULE = 4, ALL = 15 };

static bool is_set(const uint64_t *shadow, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (rd_record_kind(shadow[k]) == RD_SPLIT || !(shadow[k] & RD_INIT))
            return false;
    return true;
}

static bool save(void *self, uintptr_t base, size_t size_bytes, uint64_t *shadow)
{
    struct rd_sim_snapshot *snapshot = self;
    size_t n = (size_bytes + GRANULE - 1) / GRANULE;
    if (!rd_array_make_room(&snapshot->regions, snapshot->n, &snapshot->capacity,
                            sizeof *snapshot->regions))
        return false;
    struct rd_sim_saved saved = {base, size_bytes, shadow, malloc(size_bytes + !size_bytes), NULL};
    if (!saved.bytes)
        return false;
    if (!is_set(shadow, n)) {
        saved.set = malloc(n + !n);
        for (size_t k = 0; k < n && saved.set; k++)
            saved.set[k] = (unsigned char)rd_sim_granule_set(shadow[k]);
        if (!saved.set) {
            free(saved.bytes);
            return false;
        }
    }
    memcpy(saved.bytes, (const void *)base, size_bytes);
    snapshot->regions[snapshot->n++] = saved;
    return true;
}

static void restore_records(const struct rd_sim_saved *saved)
{
    size_t n = (saved->size_bytes + GRANULE - 1) / GRANULE;
    for (size_t k = 0; k < n; k++) {
        unsigned set = saved->set ? saved->set[k] : ALL;
        rd_sim_granule_restore(&saved->shadow[k], set);
    }
}

/* Writes only what has changed: some of a file's variables can't be. */
static void restore_bytes(const struct rd_sim_saved *saved)
{
    enum { PAGE = 4096 };
    for (size_t done = 0, n; done < saved->size_bytes; done += n) {
        void *at = (void *)(saved->base + done);
        n = PAGE - (uintptr_t)at % PAGE;
        n = saved->size_bytes - done < n ? saved->size_bytes - done : n;
        if (memcmp(at, saved->bytes + done, n) != 0)
            memcpy(at, saved->bytes + done, n);
    }
}

static void free_regions(struct rd_sim_snapshot *snapshot)
{
    for (size_t k = 0; k < snapshot->n; k++) {
        free(snapshot->regions[k].bytes);
        free(snapshot->regions[k].set);
    }
    free(snapshot->regions);
    snapshot->regions = NULL;
    snapshot->n = 0;
}

bool rd_sim_snapshot_take(struct rd_sim_snapshot *snapshot)
{
    *snapshot = (struct rd_sim_snapshot){.held = {.printed = -1, .output = -1}};
    if (!rd_sim_memory_regions(save, snapshot)) {
        free_regions(snapshot);
        return false;
    }
    rd_sim_output_hold(&snapshot->held);
    return true;
}

void rd_sim_snapshot_restore(struct rd_sim_snapshot *snapshot)
{
    for (size_t k = 0; k < snapshot->n; k++) {
        restore_bytes(&snapshot->regions[k]);
        restore_records(&snapshot->regions[k]);
    }
    rd_sim_output_forget(&snapshot->held);
}

void rd_sim_snapshot_drop(struct rd_sim_snapshot *snapshot)
{
    rd_sim_output_release(&snapshot->held);
    free_regions(snapshot);
}
