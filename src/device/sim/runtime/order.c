// SPDX-License-Identifier: MIT
#include "device/sim/runtime/order.h"
#include "base/array.h"
#include "device/sim/memory/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GRANULE = 4, ACCESSES_MAX = 1 << 16, RUNS_MAX = 1 << 12 };

/* ---- clocks ---- */

static bool make_room(struct rd_sim_moments *moments, unsigned n)
{
    if (n <= moments->n)
        return true;
    uint64_t *grown = realloc(moments->at, n * sizeof *grown);
    if (!grown)
        return false;
    memset(grown + moments->n, 0, (n - moments->n) * sizeof *grown);
    moments->at = grown;
    moments->n = n;
    return true;
}

void rd_sim_moments_join(struct rd_sim_moments *to, const struct rd_sim_moments *from)
{
    if (!make_room(to, from->n))
        return;
    for (unsigned k = 0; k < from->n; k++)
        if (to->at[k] < from->at[k])
            to->at[k] = from->at[k];
}

void rd_sim_moments_finish(struct rd_sim_moments *moments)
{
    free(moments->at);
    *moments = (struct rd_sim_moments){0};
}

static bool are_behind(const struct rd_sim_moments *moments, unsigned lane, uint64_t number)
{
    return lane < moments->n && moments->at[lane] >= number;
}

/* An access that something may still race with. */
struct access {
    uintptr_t start, end;
    enum rd_sim_op op;
    unsigned lane;
    uint64_t number;
    struct rd_sim_host_place place;
    char what[96];
};

static struct {
    unsigned n_lanes;
    uint64_t *issued; /* by lane */
    size_t issued_capacity;
    struct rd_sim_moments host;
    struct access *accesses;
    size_t n, capacity;
    bool lacks, lacks_threads;
    const struct rd_sim_step *stands_in;
} own;

unsigned rd_sim_lane_new(void)
{
    if (!rd_array_make_room(&own.issued, own.n_lanes, &own.issued_capacity, sizeof *own.issued))
        return 0;
    own.issued[own.n_lanes] = 0;
    return own.n_lanes++;
}

struct rd_sim_moments *rd_sim_host_moments(void)
{
    return &own.host;
}

struct rd_sim_step rd_sim_step_begin(unsigned lane, struct rd_sim_moments *moments,
                                     const struct rd_sim_host_place *place, const char *what)
{
    struct rd_sim_step step = {.lane = lane, .number = ++own.issued[lane], .place = *place};
    snprintf(step.what, sizeof step.what, "%s", what);
    rd_sim_moments_join(moments, &own.host);
    rd_sim_moments_join(&step.before, moments);
    if (make_room(moments, lane + 1))
        moments->at[lane] = step.number;
    return step;
}

void rd_sim_step_end(struct rd_sim_step *step)
{
    rd_sim_moments_finish(&step->before);
}

void rd_sim_host_learns(const struct rd_sim_moments *moments)
{
    size_t kept = 0;
    rd_sim_moments_join(&own.host, moments);
    for (size_t k = 0; k < own.n; k++)
        if (!are_behind(&own.host, own.accesses[k].lane, own.accesses[k].number))
            own.accesses[kept++] = own.accesses[k];
    own.n = kept;
}

/* ---- races ---- */

static void tell(const struct access *earlier, const struct rd_sim_host_place *place,
                 const char *what, bool writes, uintptr_t at, bool is_host)
{
    const struct rd_sim_allocation *it = rd_sim_allocation_at((void *)at);
    char name[200] = "memory";
    const struct rd_sim_host_finding finding = {
        .hazard = RD_HAZARD_RACE,
        .place = *place,
        .other_text = "that was issued",
        .other = earlier->place,
        .lesson =
            is_host ? "The host goes on while a device works: synchronise with the stream, or with "
                      "an event recorded behind the operation, before the host touches its memory."
                    : "Operations on different streams run in any order: have the later stream "
                      "wait for an event of the earlier one, use one stream for both, or "
                      "synchronise between the two.",
    };
    if (it)
        rd_sim_allocation_name(it, name, sizeof name);
    rd_sim_host_tell(&finding, "%s %s %s, while %s may still %s it: nothing orders the two,", what,
                     writes ? "writes" : "reads", name, earlier->what,
                     earlier->op == RD_SIM_READ ? "read" : "write");
}

/* Reads race with none of their like, nor do atomics: of which width and scope, records don't tell. */
static bool is_in_the_way(enum rd_sim_op one, enum rd_sim_op other)
{
    return one != other || one == RD_SIM_WRITE;
}

/* The first access that is in the way; NULL: none. */
static const struct access *find_race(const struct rd_sim_moments *before, unsigned lane,
                                      uintptr_t start, uintptr_t end, enum rd_sim_op op)
{
    for (size_t k = 0; k < own.n; k++) {
        const struct access *it = &own.accesses[k];
        if (it->start < end && start < it->end && is_in_the_way(op, it->op) && it->lane != lane &&
            !are_behind(before, it->lane, it->number))
            return it;
    }
    return NULL;
}

/* Keeps an access; one of the same lane that it stands for is forgotten. */
static void keep(const struct access *access)
{
    for (size_t k = own.n; k-- > 0;) {
        struct access *it = &own.accesses[k];
        if (it->lane == access->lane && it->start >= access->start && it->end <= access->end &&
            (access->op == RD_SIM_WRITE || access->op == it->op)) {
            *it = *access;
            return;
        }
    }
    if (own.n < ACCESSES_MAX &&
        rd_array_make_room(&own.accesses, own.n, &own.capacity, sizeof *own.accesses)) {
        own.accesses[own.n++] = *access;
    } else if (!own.lacks) {
        own.lacks = true;
        rd_sim_runtime_lacks("races between streams: more than %d operations are under way",
                             ACCESSES_MAX);
    }
}

static bool accesses(const struct rd_sim_step *step, uintptr_t address, size_t size_bytes,
                     enum rd_sim_op op)
{
    uintptr_t end = address + size_bytes;
    const struct access *earlier = find_race(&step->before, step->lane, address, end, op);
    const struct access access = {
        .start = address,
        .end = end,
        .op = op,
        .lane = step->lane,
        .number = step->number,
        .place = step->place,
    };
    if (earlier)
        tell(earlier, &step->place, step->what, op != RD_SIM_READ, address, false);
    struct access kept = access;
    memcpy(kept.what, step->what, sizeof kept.what);
    keep(&kept);
    return earlier != NULL;
}

void rd_sim_step_accesses(const struct rd_sim_step *step, uintptr_t address, size_t size_bytes,
                          bool writes)
{
    const struct rd_sim_core *core = &rd_sim_here->core;
    bool is_ours = address - core->arena < core->arena_size || rd_sim_module_has(address);
    const struct rd_sim_allocation *it =
        !is_ours && rd_sim_memory_has_aliases() ? rd_sim_allocation_at((void *)address) : NULL;
    if (it && it->alias) {
        address = address - it->base + it->alias;
        is_ours = true;
    }
    if (is_ours && size_bytes > 0)
        accesses(step, address, size_bytes, writes ? RD_SIM_WRITE : RD_SIM_READ);
}

void rd_sim_host_stands_in(const struct rd_sim_step *step)
{
    own.stands_in = step;
}

void rd_sim_host_accesses(uintptr_t address, size_t size_bytes, enum rd_sim_op op, uintptr_t pc)
{
    const struct rd_sim_host_place place = {.pc = pc};
    if (own.n == 0)
        return;
    if (rd_sim_runtime_is_other_thread()) {
        if (!own.lacks_threads)
            rd_sim_runtime_lacks("whether what other threads of the host access is ordered with "
                                 "what streams do");
        own.lacks_threads = true;
        return;
    }
    const struct rd_sim_step *step = own.stands_in;
    const struct access *earlier =
        find_race(step ? &step->before : &own.host, step ? step->lane : UINT32_MAX, address,
                  address + size_bytes, op);
    if (earlier)
        tell(earlier, &place, "the host", op != RD_SIM_READ, address, true);
}

/* ---- what a launch has accessed ---- */

struct looking {
    const struct rd_sim_step *step;
    uint64_t floor;
    bool host_only;
    struct rd_sim_reach *reach;
};

void rd_sim_reach_finish(struct rd_sim_reach *reach)
{
    free(reach->all);
    *reach = (struct rd_sim_reach){0};
}

static void keep_reached(struct rd_sim_reach *reach, const struct rd_sim_reached *reached)
{
    if (!reach)
        return;
    if (rd_array_make_room(&reach->all, reach->n, &reach->capacity, sizeof *reach->all))
        reach->all[reach->n++] = *reached;
    else
        reach->failed = true;
}

enum { UNTOUCHED, READ, ATOMIC, WRITTEN };

static int access_of(uint64_t record, uint64_t floor)
{
    int most = UNTOUCHED;
    for (unsigned k = 0; k < GRANULE && rd_record_kind(record) == RD_SPLIT; k++) {
        int one = access_of(rd_sim_split_records(record)[k], floor);
        most = one + most == READ + ATOMIC ? WRITTEN : one > most ? one : most;
    }
    if (rd_record_kind(record) == RD_SPLIT || record < floor)
        return most;
    if (record & (RD_W | RD_V))
        return WRITTEN;
    return rd_record_kind(record) == RD_READS     ? READ
           : rd_record_kind(record) == RD_ATOMICS ? ATOMIC
                                                  : WRITTEN;
}

/* The runs of granules that were accessed alike. Of too many, it is said that they were not looked at. */
static bool look_at(void *self, uintptr_t base, size_t size_bytes, uint64_t *shadow)
{
    const struct looking *looking = self;
    const struct rd_sim_allocation *it = rd_sim_allocation_at((void *)base);
    size_t n = (size_bytes + GRANULE - 1) / GRANULE, start = 0, runs = 0;
    int last = UNTOUCHED;
    bool raced = false;
    bool is_alias = !it && base - rd_sim_here->core.arena < rd_sim_here->core.arena_size;
    if (looking->host_only && !is_alias && (!it || it->kind == RD_SIM_MEMORY_DEVICE))
        return true;
    for (size_t k = 0; k <= n; k++) {
        int now = k == n || (rd_record_kind(shadow[k]) == RD_SPLIT && shadow[k] == RD_NO_MEMORY)
                      ? UNTOUCHED
                      : access_of(shadow[k], looking->floor);
        if (now == last)
            continue;
        const struct rd_sim_reached reached = {
            .start = base + start * GRANULE,
            .size_bytes = (k - start) * GRANULE,
            .region = base,
            .op = last == READ     ? RD_SIM_READ
                  : last == ATOMIC ? RD_SIM_ATOMIC
                                   : RD_SIM_WRITE,
        };
        if (last != UNTOUCHED && !raced && runs++ < RUNS_MAX) {
            raced = accesses(looking->step, reached.start, reached.size_bytes, reached.op);
            keep_reached(looking->reach, &reached);
        }
        start = k;
        last = now;
    }
    if (runs > RUNS_MAX && !own.lacks) {
        own.lacks = true;
        rd_sim_runtime_lacks("races between streams with %s, which accesses memory in more than %d "
                             "pieces",
                             looking->step->what, RUNS_MAX);
    }
    return true;
}

void rd_sim_step_launched(const struct rd_sim_step *step, uint64_t floor, bool host_only,
                          struct rd_sim_reach *reach)
{
    struct looking looking = {step, floor, host_only, reach};
    rd_sim_memory_regions(look_at, &looking);
}

void rd_sim_step_repeats(const struct rd_sim_step *step, const struct rd_sim_reach *reach)
{
    size_t raced = 0; /* the region of the last race: one is told of each */
    for (size_t k = 0; k < reach->n; k++) {
        const struct rd_sim_reached *it = &reach->all[k];
        if (it->region != raced && accesses(step, it->start, it->size_bytes, it->op))
            raced = it->region;
    }
}
