// SPDX-License-Identifier: MIT
#include "device/sim/runtime/snapshot.h"
#include "base/array.h"
#include "device/sim/memory/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { GRANULE = 4, ALL = 15 };

static struct rd_sim_snapshot *held; /* that holds back what is printed */

/* ---- memory ---- */

/* Which bytes are initialised, a bit each. */
static unsigned set_of(uint64_t record)
{
    unsigned set = 0;
    if (rd_record_kind(record) != RD_SPLIT)
        return record & RD_INIT ? ALL : 0;
    for (unsigned k = 0; k < GRANULE; k++)
        set |= (rd_sim_split_records(record)[k] & RD_INIT ? 1u : 0) << k;
    return set;
}

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
            saved.set[k] = (unsigned char)set_of(shadow[k]);
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
        uint64_t *record = &saved->shadow[k];
        if (rd_record_kind(*record) == RD_SPLIT && *record != RD_NO_MEMORY) {
            uint64_t *bytes = rd_sim_split(record);
            for (unsigned byte = 0; byte < GRANULE; byte++)
                bytes[byte] = set >> byte & 1 ? RD_INIT : 0;
        } else if (*record != RD_NO_MEMORY) {
            *record = set == ALL ? RD_INIT : 0;
            if (set != ALL && set != 0)
                rd_sim_granule_written(record, set);
        }
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

/* ---- output ---- */

static void hold_back(struct rd_sim_snapshot *snapshot)
{
    snapshot->printed = snapshot->output = -1;
    fflush(stdout);
    int printed = memfd_create("reductio", MFD_CLOEXEC);
    int output = printed < 0 ? -1 : dup(STDOUT_FILENO);
    if (output < 0 || dup2(printed, STDOUT_FILENO) < 0) {
        if (printed >= 0)
            close(printed);
        if (output >= 0)
            close(output);
        return;
    }
    snapshot->printed = printed;
    snapshot->output = output;
    held = snapshot;
}

static void pass_on(struct rd_sim_snapshot *snapshot)
{
    char bytes[1 << 14];
    ssize_t n;
    if (snapshot->printed < 0)
        return;
    fflush(stdout);
    dup2(snapshot->output, STDOUT_FILENO);
    lseek(snapshot->printed, 0, SEEK_SET);
    while ((n = read(snapshot->printed, bytes, sizeof bytes)) > 0)
        for (ssize_t done = 0, once; done < n; done += once)
            if ((once = write(STDOUT_FILENO, bytes + done, (size_t)(n - done))) <= 0)
                break;
    close(snapshot->printed);
    close(snapshot->output);
    snapshot->printed = -1;
    held = NULL;
}

void rd_sim_snapshot_flush(void)
{
    if (held)
        pass_on(held);
}

/* ---- both ---- */

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
    *snapshot = (struct rd_sim_snapshot){.printed = -1};
    if (!rd_sim_memory_regions(save, snapshot)) {
        free_regions(snapshot);
        return false;
    }
    hold_back(snapshot);
    return true;
}

void rd_sim_snapshot_restore(struct rd_sim_snapshot *snapshot)
{
    for (size_t k = 0; k < snapshot->n; k++) {
        restore_bytes(&snapshot->regions[k]);
        restore_records(&snapshot->regions[k]);
    }
    if (snapshot->printed < 0)
        return;
    fflush(stdout);
    if (ftruncate(snapshot->printed, 0) == 0)
        lseek(snapshot->printed, 0, SEEK_SET);
}

void rd_sim_snapshot_drop(struct rd_sim_snapshot *snapshot)
{
    pass_on(snapshot);
    free_regions(snapshot);
}
