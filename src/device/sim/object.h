// SPDX-License-Identifier: MIT
/* The simulator as one object. It begins with what each access looks at, and the block that runs; behind that, each part
 * has a state of its own, whose members it alone knows.
 *
 * A process may have several, each used by one thread at a time. Kernels' hooks are called without an argument
 * of ours, so that the calling thread's simulator is what rd_sim_here points to: each operation of the device
 * sets it first. */
#ifndef RD_SIM_OBJECT_H
#define RD_SIM_OBJECT_H

#include "device/sim/engine/event.h"
#include "device/sim/memory/record.h"
#include "device/sim/source/source.h"
#include "reductio/status.h"

#include <stdatomic.h>

enum { RD_SIM_BLOCK_MAX = 1024, RD_SIM_WARP = 32 };

/* Attribute of a declaration, so that position-independent code reaches the object without a look into
 * the table of global offsets: -fvisibility does not speak of declarations. */
#define RD_PRIVATE __attribute__((visibility("hidden")))

/* A call of a warp function that names no lanes, as those of before CUDA 9; `name` is NULL where there is none. */
struct rd_sim_outdated {
    const char *name, *file;
    unsigned line;
};

/* Memory of which host code's accesses are told. All threads of the host's have the same. */
struct rd_sim_host_seen {
    uintptr_t arena, module,
        others; /* variables of the program; and those of modules, all of which lie in a range */
    uintptr_t unset; /* memory of the host that got bytes which nothing has written */
    size_t arena_size, module_size, others_size, unset_size;
    _Atomic unsigned all; /* 0: no other */
};

static inline bool rd_sim_host_sees(const struct rd_sim_host_seen *seen, uintptr_t address)
{
    return address - seen->arena < seen->arena_size || address - seen->module < seen->module_size ||
           address - seen->others < seen->others_size || address - seen->unset < seen->unset_size ||
           atomic_load_explicit(&seen->all, memory_order_relaxed) > 0;
}

/* The part that every access looks at. */
struct rd_sim_core {
    uintptr_t arena; /* global memory */
    size_t arena_size;
    uint64_t *arena_shadow;
    uintptr_t shared; /* static and dynamic shared memory */
    size_t shared_size;
    /* The dynamic part of a segment that rd_sim_shared_use() has set; else 0. */
    uintptr_t shared_dynamic;
    uint64_t *shared_shadow;
    uint64_t (*splits)[4]; /* see SPLIT in record.h */
    uint64_t stamp;        /* of the thread that runs, in its epoch */
    uint64_t launch_floor; /* records below it are of earlier launches, */
    /* of other blocks, and of earlier barrier intervals; of an exact launch, as launch_floor */
    uint64_t block_floor, interval_floor;
    /* Records of whole granules of an array that was accessed in this launch, for its first writes: see fast_path.h. */
    const uint64_t *known_shadow;
    size_t known_granules;
    uint64_t interval_stamp; /* the block's epoch since its last barrier, as in a stamp */
    uint64_t budget;         /* accesses until the scheduler wants to be asked, */
    /* What the budget was when the thread's turn began: RD_SIM_SLICE, in all orders but one. */
    uint64_t granted;
    /* Optional: told of each access before it happens. The budget is then 1, and `patience` what it
     * else would be. */
    void (*on_access)(uintptr_t address, size_t size_bytes, enum rd_sim_op op, uintptr_t pc);
    uint64_t patience;
    /* Optional: told of accesses while no kernel runs, where `host_seen` says so. The budget is then 1. */
    void (*on_host_access)(uintptr_t address, size_t size_bytes, enum rd_sim_op op, uintptr_t pc);
    const struct rd_sim_host_seen *host_seen;
    /* Optional: told of each atomic that is one among threads of a device alone. */
    void (*on_device_atomic)(uintptr_t address, size_t size_bytes);
    void (*on_host_allocated)(void *memory, size_t size_bytes); /* optional, both */
    bool (*on_host_freed)(void *memory, uintptr_t pc); /* true: it is not the C library's */
    /* Optional: told of each meeting of lanes, before they go on: `lanes` of the warp whose lane 0 is
     * thread `first`. */
    void (*on_meeting)(unsigned first, unsigned lanes);
    unsigned epoch;     /* the last one given out */
    unsigned thread;    /* that runs, linear in its block */
    uint64_t block;     /* that runs, linear in the grid */
    unsigned interval;  /* barriers that the block has passed */
    bool is_waiting;    /* see rd_sim_settle */
    bool is_running;    /* a kernel is */
    bool is_misaligned; /* see rd_sim_access_misaligned */
    uint64_t jobs_next; /* the block before which to ask whether processes are to run the rest */
    void (*on_event)(const struct rd_sim_event *event);
    struct rd_sim_launched launch;                  /* that runs */
    struct rd_sim_printed printed;                  /* by its threads */
    const struct rd_sim_detector *const *detectors; /* up to NULL: see detector.h */
    long long clock;                                /* what the block last read from it */
    bool is_part;          /* this process runs some of the blocks: see engine.h */
    bool exact;            /* the launch is an exact one: see engine.h */
    long long clock_step;  /* by which the last call of it has moved it */
    unsigned clock_thread; /* who has called it, with what of the budget left */
    uint64_t clock_budget;
    bool took_mask, took_clock;      /* some thread of this process has, which no schedule varies */
    struct rd_sim_outdated outdated; /* a thread of this process has called it */
    bool communicates; /* threads of this launch have met by more than barriers and shuffles */
    /* A value that an atomic has read counts only behind a fence of the reader (PTX asks for it; CUDA's own
     * examples do without, and so it is asked of those who promise it). */
    bool acquires_by_fence;
    /* A read of bytes that no hook has told to be written, and that are not as memory is that nobody has written: the
     * compiler has not told who wrote them. In kernels of a user's file; 0: none so far. */
    bool misses_writes;
    uintptr_t untold_pc;
};

/* ---- the block ---- */

enum {
    RD_SIM_SLICE = 1 << 16, /* accesses of a thread until it is asked to give way */
    RD_SIM_NOBODY = RD_SIM_BLOCK_MAX,
    RD_SIM_WARPS = RD_SIM_BLOCK_MAX / RD_SIM_WARP,
};

enum rd_sim_state {
    RD_SIM_UNSTARTED,
    RD_SIM_READY,
    RD_SIM_AT_BARRIER, /* where the first to come waits, */
    RD_SIM_ASTRAY,     /* or elsewhere */
    RD_SIM_AT_GRID,
    RD_SIM_IN_WARP,
    RD_SIM_DONE,
};

/* State of a thread that a turn needs: apart, so that a block's fit into the first cache beside the
 * stacks. */
struct rd_sim_turn {
    void *context;  /* where it goes on, while it waits */
    uint64_t stamp; /* of the thread, without an epoch */
    struct rd_sim_dim index;
} __attribute__((aligned(32)));

/* A thread that waits for another looks at a place again and again. */
struct rd_sim_poll {
    uintptr_t address; /* of its last atomic or volatile access; 0: there was none */
    size_t size_bytes;
    uint64_t value; /* what was there before it */
    /* So many accesses of that kind in a row have changed nothing, nor seen a change. */
    unsigned in_vain;
    unsigned turns;    /* so often has it given way since then, */
    uint64_t progress; /* while nobody else came further, either: see schedule_policy.c */
};

struct rd_sim_thread_state {
    /* Since the last warp barrier or fence; it is of this interval if not below the block's. */
    unsigned epoch;
    unsigned steps_of;          /* the interval's epoch in which it has made */
    uint64_t steps;             /* so many accesses, roughly */
    unsigned n_reads, n_writes; /* where they are counted: see recorder.c */
    struct rd_sim_poll poll;
    /* The place at which it waits, in a warp or astray, or as the first at the block's barrier. */
    const char *file;
    unsigned line;
    /* The place at which it last met some lanes of its warp, and not all, and the mask that it named; NULL: none. */
    const char *met_file;
    unsigned met_line, met_mask;
    const struct rd_sim_frame *at_grid; /* where it waits at the grid's barrier */
    bool trapped;                       /* it was ended before its time */
    /* The thread has ended by a return at file and line, in a function that begins at line `first`, and so skips what stands
     * from line `from` on: the line of the return, or of the loop around it. */
    bool has_returned;
    unsigned first, from;
    unsigned barriers; /* that it has come to, where some are left out */
    bool carry;        /* of PTX's integers: from one asm statement to the next */
    struct rd_sim_lane *lane;
};

struct rd_sim_block {
    const struct rd_sim_grid *grid;
    void *home;   /* whoever runs the block */
    unsigned n;   /* threads of a block */
    bool failed;  /* no memory */
    bool stopped; /* the launch is not to go on */
    bool trapped; /* a thread of this launch was ended before its time */
    /* Of a launch whose thread works for many: calls of a user's functions that have begun, the one in which the thread was when it was
     * last asked, and how many have not returned. */
    uint64_t user_calls, user_call_asked;
    unsigned user_depth;
    bool omits;  /* some barrier of it is left out: see fault_injection.c */
    bool leaves; /* the block gives way to another one, */
    bool waits;  /* for which it waits */
    /* The members from here on are the block's, and are put aside with it. */
    unsigned cursor; /* the next position in the order to look at */
    unsigned n_done, n_ready, n_unstarted, n_in_warp, n_at_grid;
    /* Threads that have given way to each other in a row, waiting for somebody. */
    unsigned n_in_vain;
    unsigned interval_epoch;
    unsigned starting;
    bool kept;         /* something of threads is left over from this block */
    bool has_accessed; /* some thread, since the last barrier */
    bool uneven;       /* threads have epochs of their own, or turns of random length */
    /* The barrier that threads come to: */
    bool diverged;    /* not all came to the place of the first: */
    const char *file; /* NULL until one has come */
    unsigned line, first;
    struct rd_sim_way way; /* by which the first has come; of 0: there is more to compare */
    uintptr_t pc; /* of that way, where all that come from there come by the same calls; else 0 */
    unsigned n_true;
    unsigned released, truths; /* of the last one: how many met, and how many with a true value */
    unsigned first_at_grid;
    uint64_t random;
    /* An entry behind the last thread that counts as done ends the order. Some loops look one entry further
     * ahead. */
    uint8_t state[RD_SIM_BLOCK_MAX + 1];
    uint16_t order[RD_SIM_BLOCK_MAX + 2];
    uint8_t in_warp[RD_SIM_WARPS]; /* lanes that wait for their warp */
    struct rd_sim_turn turns[RD_SIM_BLOCK_MAX + 1];
    /* Stacks that threads have run on since their start; kept apart, as a thread without barriers needs nothing else. */
    struct rd_sim_stack *stacks[RD_SIM_BLOCK_MAX + 1];
    struct rd_sim_thread_state threads[RD_SIM_BLOCK_MAX + 1];
};

/* ---- all of it ---- */

/* Cache of places in kernels: see sites.h. */
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
    struct rd_sim_async_state *async;
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

/* ---- functions on the launch and the thread that run ---- */

/* `first` becomes the other one, where that stands in front of it: so that it is the same whoever comes first. */
void rd_sim_outdated_add(struct rd_sim_outdated *first, const struct rd_sim_outdated *other);

/* Tells whether a kernel is running. */
static inline bool rd_sim_is_running(void)
{
    return rd_sim_here && rd_sim_here->core.is_running;
}
/* The thread that runs, as an actor. */
struct rd_sim_actor rd_sim_actor_self(enum rd_sim_op op, uintptr_t pc);
struct rd_sim_actor rd_sim_actor_at(const char *file, unsigned line);

/* Tells whoever wants to know of each access. */
static inline void rd_sim_tell_access(uintptr_t address, size_t size_bytes, enum rd_sim_op op,
                                      uintptr_t pc)
{
    if (rd_sim_here->core.on_access)
        rd_sim_here->core.on_access(address, size_bytes, op, pc);
}

/* A write is told before it takes place: what it writes shows only afterwards. Settles what waits for that, as two
 * writes that race. `done`: the write has taken place; else it may have. */
bool rd_sim_settle_now(bool done);
static inline void rd_sim_settle(void)
{
    if (rd_sim_here->core.is_waiting)
        rd_sim_settle_now(true);
}
/* At the running thread's next access. False where its last write may not have taken place: of a struct that is
 * copied, compilers tell the write before the read. The next access settles it, and the thread has to go on to there. */
static inline bool rd_sim_settle_before(enum rd_sim_op op)
{
    return !rd_sim_here->core.is_waiting || rd_sim_settle_now(op != RD_SIM_READ);
}

/* ---- create.c ---- */

/* A simulator whose device memory is empty; it becomes that of the calling thread. NULL without memory. */
struct rd_sim *rd_sim_create(struct rd_error *error);
/* The thread that has it may have none then. NULL is fine. */
void rd_sim_destroy(struct rd_sim *sim);

#endif
