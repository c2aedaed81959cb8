// SPDX-License-Identifier: MIT
#include "device/sim/detect/fresh_reads.h"

#include <string.h>

enum { READS_MAX = 1 << 16, BUCKETS = 1 << 14, GRANULE_BYTES = 16 };

static struct rd_sim_fresh_read reads[READS_MAX];
static unsigned n_reads, buckets[BUCKETS];
static bool is_full;

static void link_read(unsigned k)
{
    unsigned *bucket = &buckets[reads[k].address / GRANULE_BYTES % BUCKETS];
    reads[k].next = *bucket;
    *bucket = k + 1;
}

void rd_sim_fresh_reads_begin(void)
{
    if (n_reads > 0)
        memset(buckets, 0, sizeof buckets);
    n_reads = 0;
    is_full = false;
}

/* Forgets the explained ones. Where they are few it is not done again. */
static void tidy(void)
{
    unsigned n = 0;
    memset(buckets, 0, sizeof buckets);
    for (unsigned k = 0; k < n_reads; k++) {
        if (reads[k].is_explained)
            continue;
        reads[n] = reads[k];
        link_read(n++);
    }
    n_reads = n;
    is_full = n > READS_MAX / 2;
}

void rd_sim_fresh_reads_add(size_t finding, const struct rd_sim_event *read)
{
    if (n_reads == READS_MAX && !is_full)
        tidy();
    if (n_reads == READS_MAX)
        return;
    reads[n_reads] = (struct rd_sim_fresh_read){
        .finding = finding,
        .address = read->address,
        .pc = read->actor.site.pc,
        .block = read->actor.block,
        .thread = read->actor.thread,
        .interval = read->interval,
        .size_bytes = (unsigned)read->size_bytes,
    };
    link_read(n_reads++);
}

/* Whether nothing orders the read in front of the write: it is the one of the race, or another thread's of the same
 * interval. */
static bool is_raced(const struct rd_sim_fresh_read *read, const struct rd_sim_event *race)
{
    const struct rd_sim_actor *writer = &race->actor;
    bool same_block = read->block == writer->block;
    if (same_block && read->thread == writer->thread)
        return false;
    return race->address < read->address + read->size_bytes &&
           read->address < race->address + race->size_bytes &&
           (read->pc == race->other.site.pc || (same_block && read->interval == race->interval));
}

void rd_sim_fresh_reads_raced(const struct rd_sim_event *race,
                              void (*explain)(const struct rd_sim_fresh_read *read))
{
    if (race->actor.op != RD_SIM_WRITE || race->other.op != RD_SIM_READ || n_reads == 0)
        return;
    unsigned at = buckets[race->address / GRANULE_BYTES % BUCKETS];
    for (; at > 0; at = reads[at - 1].next) {
        struct rd_sim_fresh_read *read = &reads[at - 1];
        if (read->is_explained || !is_raced(read, race))
            continue;
        read->is_explained = true;
        explain(read);
    }
}

const struct rd_sim_fresh_read *rd_sim_fresh_reads_first(size_t finding)
{
    for (unsigned k = 0; k < n_reads; k++)
        if (reads[k].finding == finding && !reads[k].is_explained)
            return &reads[k];
    return NULL;
}
