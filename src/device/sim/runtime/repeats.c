// SPDX-License-Identifier: MIT
#include "device/sim/runtime/repeats.h"
#include "base/array.h"
#include "base/clock.h"
#include "device/sim/file/file.h"
#include "device/sim/memory/memory.h"
#include "device/sim/report/report.h"
#include "device/sim/runtime/held_output.h"
#include "device/sim/runtime/memory_digest.h"
#include "device/sim/runtime/order.h"
#include "device/sim/runtime/runtime_internal.h"
#include "device/sim/runtime/schedules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#else /* a C library that can't tell: no launch is taken over */
enum { __libc_single_threaded = 0 };
#endif

enum {
    GRANULE = 4,
    PAGE = RD_SIM_DIGEST_PAGE,
    KINDS_MAX = 64,
    STATES_MAX = 4,
    SKIP_MAX = 64,
    NAME_SIZE = 96
};

/* A launch that takes less than so many digests of the memory is run, rather than looked at. */
#define WORTH_DIGESTS 4

/* A page that a launch has changed, as it has left it. */
struct page {
    size_t number;
    unsigned char *set; /* which bytes of each granule are initialised; NULL: all of the page */
    unsigned char bytes[PAGE];
};

/* Memory before a launch, and what that changes. */
struct state {
    struct rd_sim_digest before;
    struct page **pages;
    size_t n, capacity;
    size_t kept_bytes; /* its part of own.kept_bytes */
    struct rd_sim_reach reach;
};

/* Launches that are alike but for the memory. */
struct kind {
    struct sketch {
        void (*thread)(void *const *closure);
        const void *function;
        unsigned grid[3], block[3];
        size_t shared_bytes, heap_bytes, closure_bytes;
        int device;
        bool cooperative;
        unsigned looks;
    } sketch;
    char kernel[NAME_SIZE]; /* its name: from another line it has another `thread` */
    void *closure;
    double run_s; /* of the last one that was run */
    bool is_unfit;
    unsigned skip, misses; /* launches that are not to be looked at; misses in a row */
    struct state *states[STATES_MAX];
    unsigned next; /* the state to give up for another */
};

static struct {
    struct kind kinds[KINDS_MAX];
    unsigned n, next;
    double digest_s; /* for each byte */
    size_t kept_bytes;
    /* The launch that runs: */
    struct kind *kind;
    struct state *state; /* to be learnt; NULL: it is not */
    struct rd_sim_held_output held;
    double began_s;
    bool took_clock;
    uint64_t threads; /* of grids that kernels have launched */
} repeats_state = {.digest_s = 0.5e-9};

/* ---- kinds ---- */

static void drop_state(struct state *state)
{
    if (!state)
        return;
    for (size_t k = 0; k < state->n; k++) {
        free(state->pages[k]->set);
        free(state->pages[k]);
    }
    repeats_state.kept_bytes -= state->kept_bytes;
    free(state->pages);
    rd_sim_reach_finish(&state->reach);
    rd_sim_digest_finish(&state->before);
    free(state);
}

static void drop_states(struct kind *kind)
{
    for (unsigned k = 0; k < STATES_MAX; k++) {
        drop_state(kind->states[k]);
        kind->states[k] = NULL;
    }
}

static struct sketch sketch_of(const struct rd_sim_launch *launch, const struct rd_sim_grid *grid,
                               unsigned looks)
{
    struct sketch sketch;
    memset(&sketch, 0, sizeof sketch); /* the gaps between its members are compared, too */
    sketch.thread = launch->thread;
    sketch.function = launch->function;
    memcpy(sketch.grid, launch->grid, sizeof sketch.grid);
    memcpy(sketch.block, launch->block, sizeof sketch.block);
    sketch.shared_bytes = launch->shared_bytes;
    sketch.heap_bytes = grid->heap_bytes;
    sketch.closure_bytes = launch->closure_bytes;
    sketch.device = rd_sim_device_now();
    sketch.cooperative = grid->cooperative;
    sketch.looks = looks;
    return sketch;
}

/* A guess: as long as the last launch of the kernel with as many threads. */
static double seconds_of(const char *kernel, const struct sketch *sketch)
{
    for (unsigned k = 0; k < repeats_state.n; k++) {
        const struct sketch *other = &repeats_state.kinds[k].sketch;
        if (strcmp(repeats_state.kinds[k].kernel, kernel) == 0 &&
            memcmp(other->grid, sketch->grid, sizeof sketch->grid) == 0 &&
            memcmp(other->block, sketch->block, sizeof sketch->block) == 0)
            return repeats_state.kinds[k].run_s;
    }
    return 0;
}

/* Finds the launch's kind; where it is new, it takes the place of the oldest. NULL without memory. */
static struct kind *kind_of(const struct rd_sim_launch *launch, const struct rd_sim_grid *grid,
                            unsigned looks)
{
    const struct sketch sketch = sketch_of(launch, grid, looks);
    for (unsigned k = 0; k < repeats_state.n; k++)
        if (memcmp(&repeats_state.kinds[k].sketch, &sketch, sizeof sketch) == 0 &&
            memcmp(repeats_state.kinds[k].closure, launch->closure, launch->closure_bytes) == 0)
            return &repeats_state.kinds[k];
    char name[NAME_SIZE];
    snprintf(name, sizeof name, "%s", launch->kernel);
    const double run_s = seconds_of(name, &sketch);
    void *closure = malloc(launch->closure_bytes + 1);
    if (!closure)
        return NULL;
    struct kind *kind = &repeats_state.kinds[repeats_state.next];
    repeats_state.next = (repeats_state.next + 1) % KINDS_MAX;
    repeats_state.n += repeats_state.n < KINDS_MAX;
    drop_states(kind);
    free(kind->closure);
    memcpy(closure, launch->closure, launch->closure_bytes);
    *kind = (struct kind){.sketch = sketch, .closure = closure, .run_s = run_s};
    memcpy(kind->kernel, name, sizeof name);
    return kind;
}

/* ---- what a launch changes ---- */

static const struct rd_sim_digest_region *region_of(const struct rd_sim_digest *digest, size_t page,
                                                    size_t *offset)
{
    size_t k = digest->n_regions;
    while (digest->regions[--k].first > page)
        ;
    *offset = (page - digest->regions[k].first) * PAGE;
    return &digest->regions[k];
}

static size_t bytes_of_page(const struct rd_sim_digest_region *region, size_t offset)
{
    return region->size_bytes - offset < PAGE ? region->size_bytes - offset : PAGE;
}

static struct page *make_page(const struct rd_sim_digest *digest, size_t number)
{
    size_t offset;
    const struct rd_sim_digest_region *region = region_of(digest, number, &offset);
    const size_t n = bytes_of_page(region, offset), n_granules = (n + GRANULE - 1) / GRANULE;
    const uint64_t *shadow = region->shadow + offset / GRANULE;
    unsigned char set[PAGE / GRANULE];
    unsigned every = RD_SIM_GRANULE_ALL;
    struct page *page = malloc(sizeof *page);
    if (!page)
        return NULL;
    for (size_t k = 0; k < n_granules; k++)
        every &= set[k] = (unsigned char)rd_sim_granule_set(shadow[k]);
    *page = (struct page){.number = number};
    if (every != RD_SIM_GRANULE_ALL) {
        if (!(page->set = malloc(n_granules))) {
            free(page);
            return NULL;
        }
        memcpy(page->set, set, n_granules);
    }
    memcpy(page->bytes, (const void *)(region->base + offset), n);
    return page;
}

/* Bytes that all states may keep: a part of what the program's own memory takes. */
static size_t bytes_to_keep(void)
{
    return ((size_t)8 << 20) + rd_sim_digest_bytes() / 4;
}

static void count_kept(struct state *state, size_t size_bytes)
{
    state->kept_bytes += size_bytes;
    repeats_state.kept_bytes += size_bytes;
}

static bool keep_pages(struct state *state)
{
    struct rd_sim_digest after;
    const size_t most = bytes_to_keep();
    if (!rd_sim_digest_take(&after))
        return false;
    const size_t digest_bytes = after.n_pages * sizeof *after.pages;
    bool good = rd_sim_digest_fits(&state->before, &after) &&
                repeats_state.kept_bytes + digest_bytes <= most;
    if (good)
        count_kept(state, digest_bytes);
    for (size_t k = 0; k < after.n_pages && good; k++) {
        if (memcmp(&state->before.pages[k], &after.pages[k], sizeof *after.pages) == 0)
            continue;
        good = repeats_state.kept_bytes + sizeof(struct page) <= most &&
               rd_array_make_room(&state->pages, state->n, &state->capacity, sizeof *state->pages);
        struct page *page = good ? make_page(&after, k) : NULL;
        good = page;
        if (page) {
            count_kept(state, sizeof *page);
            state->pages[state->n++] = page;
        }
    }
    rd_sim_digest_finish(&after);
    return good;
}

/* Writes what is not there yet: some of a file's variables can't be written. */
static void put_page(const struct rd_sim_digest *digest, const struct page *page)
{
    size_t offset;
    const struct rd_sim_digest_region *region = region_of(digest, page->number, &offset);
    const size_t n = bytes_of_page(region, offset);
    char *bytes = (char *)region->base + offset;
    uint64_t *shadow = region->shadow + offset / GRANULE;
    for (size_t k = 0; k < n; k += GRANULE) {
        const unsigned set = page->set ? page->set[k / GRANULE] : RD_SIM_GRANULE_ALL;
        const size_t size = n - k < GRANULE ? n - k : GRANULE;
        if (memcmp(bytes + k, page->bytes + k, size) != 0)
            memcpy(bytes + k, page->bytes + k, size);
        if (rd_sim_granule_set(shadow[k / GRANULE]) != set)
            rd_sim_granule_restore(&shadow[k / GRANULE], set);
    }
}

/* ---- launches ---- */

/* Tells whether all that a launch depends on is what is compared. Fetches of textures read descriptions of them, which lie
 * elsewhere; what a kernel has allocated does, too, and what a module has; other threads may write to memory meanwhile. */
static bool is_possible(const struct rd_sim_launch *launch, const struct rd_sim_grid *grid)
{
    const struct rd_file_program *program = rd_sim_runtime_program();
    return grid->schedule.order < RD_ORDER_RANDOM && !grid->exact && !grid->cooperative &&
           !launch->of_library && program->n_devices <= 1 && program->n_modules == 0 &&
           !program->has_laws_in_kernels && rd_sim_file_is_only() &&
           !rd_sim_file()->reads_elsewhere && !rd_sim_memory_context() && !rd_sim_outer_call() &&
           !rd_sim_memory_has_aliases() && rd_sim_heap_used() == 0 &&
           !rd_sim_here->core.on_access && __libc_single_threaded;
}

static bool is_worth(const struct kind *kind)
{
    return kind->run_s >
           WORTH_DIGESTS * repeats_state.digest_s * (double)(rd_sim_digest_bytes() + PAGE);
}

/* Takes the digest of the memory before the launch; NULL where there is none. */
static struct state *state_now(void)
{
    struct state *state = calloc(1, sizeof *state);
    const double began_s = rd_clock_s(CLOCK_THREAD_CPUTIME_ID);
    if (!state || !rd_sim_digest_take(&state->before)) {
        free(state);
        return NULL;
    }
    repeats_state.digest_s = (rd_clock_s(CLOCK_THREAD_CPUTIME_ID) - began_s) /
                             (double)(state->before.n_pages * PAGE + PAGE);
    return state;
}

static const struct state *find_state(const struct kind *kind, const struct state *now)
{
    for (unsigned k = 0; k < STATES_MAX; k++)
        if (kind->states[k] && !kind->states[k]->reach.failed &&
            rd_sim_digest_equals(&kind->states[k]->before, &now->before))
            return kind->states[k];
    return NULL;
}

static bool has_states(const struct kind *kind)
{
    for (unsigned k = 0; k < STATES_MAX; k++)
        if (kind->states[k])
            return true;
    return false;
}

/* Memory differs each time: it is looked at less often. */
static void miss(struct kind *kind)
{
    if (!has_states(kind))
        return;
    kind->misses++;
    kind->skip = kind->misses <= STATES_MAX      ? 0
                 : kind->misses - STATES_MAX < 6 ? 1u << (kind->misses - STATES_MAX)
                                                 : SKIP_MAX;
}

bool rd_sim_repeat_take(const struct rd_sim_launch *launch, const struct rd_sim_grid *grid,
                        unsigned looks, const struct rd_sim_reach **reach)
{
    repeats_state.state = NULL;
    repeats_state.kind = is_possible(launch, grid) ? kind_of(launch, grid, looks) : NULL;
    struct kind *kind = repeats_state.kind;
    if (!kind || kind->is_unfit || !is_worth(kind))
        return false;
    if (kind->skip > 0) {
        kind->skip--;
        return false;
    }
    struct state *now = state_now();
    const struct state *known = now ? find_state(kind, now) : NULL;
    if (!known) {
        miss(kind);
        repeats_state.state = now;
        return false;
    }
    for (size_t k = 0; k < known->n; k++)
        put_page(&now->before, known->pages[k]);
    drop_state(now);
    kind->misses = 0;
    rd_sim_schedules_spare(kind->run_s);
    *reach = &known->reach;
    return true;
}

void rd_sim_repeat_begin(void)
{
    struct rd_sim_core *core = &rd_sim_here->core;
    if (repeats_state.state) {
        repeats_state.took_clock = core->took_clock;
        repeats_state.threads = rd_sim_launches_threads() - rd_sim_threads_run();
        core->took_clock = false;
        rd_sim_output_hold(&repeats_state.held);
    }
    repeats_state.began_s = rd_clock_s(CLOCK_MONOTONIC);
}

/* Tells whether the launch that has run shows in memory alone, and depends on nothing else. Where its threads communicate, their
 * order may matter, and other schedules are tried. */
static bool is_plain(bool is_silent)
{
    const struct rd_sim_core *core = &rd_sim_here->core;
    size_t n_findings = 0;
    rd_sim_report_findings(&n_findings);
    return is_silent && n_findings == 0 && !core->took_clock && !rd_sim_launches_communicate() &&
           !rd_sim_here->block.trapped && rd_sim_heap_used() == 0 && __libc_single_threaded &&
           repeats_state.threads == rd_sim_launches_threads() - rd_sim_threads_run();
}

struct rd_sim_reach *rd_sim_repeat_end(bool is_sound)
{
    struct rd_sim_core *core = &rd_sim_here->core;
    struct kind *kind = repeats_state.kind;
    struct state *state = repeats_state.state;
    if (kind)
        kind->run_s = rd_clock_s(CLOCK_MONOTONIC) - repeats_state.began_s;
    repeats_state.kind = NULL;
    repeats_state.state = NULL;
    if (!state)
        return NULL;
    const bool is_silent = rd_sim_output_release(&repeats_state.held) == 0;
    kind->is_unfit = !is_sound || !is_plain(is_silent) || !keep_pages(state);
    core->took_clock |= repeats_state.took_clock;
    if (kind->is_unfit) {
        drop_state(state);
        return NULL;
    }
    drop_state(kind->states[kind->next]);
    kind->states[kind->next] = state;
    kind->next = (kind->next + 1) % STATES_MAX;
    return &state->reach;
}
