// SPDX-License-Identifier: MIT
/* The simulator as one object. It begins with what each access looks at; behind that, each part has a state of
 * its own, whose members it alone knows.
 *
 * A process may have several, each used by one thread at a time. Kernels' hooks are called without an argument
 * of ours, so that the calling thread's simulator is what rd_sim_here points to: each operation of the device
 * sets it first. */
#ifndef RD_SIM_OBJECT_H
#define RD_SIM_OBJECT_H

#include "device/sim/engine/state.h"

/* Where a place in a kernel was found last: see sites.h. */
struct rd_sim_site_cache {
    uintptr_t pc;
    uint64_t mark;
};
enum { RD_SITE_CACHE = 1024 };

struct rd_sim {
    struct rd_sim_core core;
    struct rd_sim_block block;
    struct rd_sim_site_cache site_cache[RD_SITE_CACHE];
    /* engine/ */
    struct rd_sim_blocks_state *blocks;
    struct rd_sim_epochs_state *epochs;
    struct rd_sim_jobs_state *jobs;
    struct rd_sim_meeting_state *meeting;
    struct rd_sim_omission_state *omission;
    struct rd_sim_park_state *park;
    struct rd_sim_policy_state *policy;
    struct rd_sim_returns_state *returns;
    struct rd_sim_scheduler_state *scheduler;
    struct rd_sim_stacks_state *stacks;
    struct rd_sim_warps_state *warps;
    /* memory/ */
    struct rd_sim_arrays_state *arrays;
    struct rd_sim_heap_state *heap;
    struct rd_sim_layouts_state *layouts;
    struct rd_sim_memory_state *memory;
    struct rd_sim_splits_state *splits;
    /* source/ */
    struct rd_sim_names_state *names;
    struct rd_sim_paths_state *paths;
    struct rd_sim_sites_state *sites;
    struct rd_sim_source_state *source;
    /* detect/ */
    struct rd_sim_budget_state *budget;
    struct rd_sim_causality_state *causality;
    struct rd_sim_cells_state *cells;
    struct rd_sim_checks_state *checks;
    struct rd_sim_clocks_state *clocks;
    struct rd_sim_fingerprints_state *fingerprints;
    struct rd_sim_forgotten_state *forgotten;
    struct rd_sim_fresh_reads_state *fresh_reads;
    struct rd_sim_privates_state *privates;
    struct rd_sim_recording_state *recording;
    struct rd_sim_traits_state *traits;
    struct rd_sim_watching_state *watching;
    /* report/ */
    struct rd_sim_report_state *report;
    struct rd_sim_told_state *told;
    /* api/ */
    struct rd_sim_resume_state *resume;
};

/* Initial-exec: a kernel's hook reaches it without a call. NULL: this thread has none. */
extern RD_PRIVATE _Thread_local struct rd_sim *rd_sim_here
    __attribute__((tls_model("initial-exec")));

/* A part's state: it begins as zeros. */
struct rd_sim_part {
    size_t size_bytes;   /* 0: this build has no such part */
    size_t at;           /* of its pointer in struct rd_sim */
    void (*begin)(void); /* optional: sets what is not to be 0 */
    void (*finish)(
        void); /* optional: frees what the part has allocated; all other parts are still there */
};

#endif
