// SPDX-License-Identifier: MIT
#include "device/sim/runtime/order.h"
#include "base/array.h"
#include "device/sim/memory/memory.h"
#include "device/sim/source/sites.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GRANULE = 4, ACCESSES_MAX = 1 << 16, RUNS_MAX = 1 << 12 };
#define HOST UINT32_MAX /* in the place of a lane */

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
    bool of_device; /* some of its atomics are of a device's scope */
    bool of_launch; /* it is a kernel's */
    unsigned lane;
    uint64_t number;
    struct rd_sim_host_place place;
    char what[96];
};

/* Addresses that atomics of a device's scope have accessed in the launch that runs. */
struct range {
    uintptr_t start, end;
};
enum { RANGES_MAX = 64 };

static struct {
    unsigned n_lanes;
    uint64_t *issued; /* by lane */
    size_t issued_capacity;
    struct rd_sim_moments host;
    struct access *accesses;
    size_t n, capacity;
    bool lacks, lacks_threads, lacks_flags, lacks_scopes, lacks_variables;
    unsigned devices; /* a bit for each that has accessed a variable of the program's */
    struct range ranges[RANGES_MAX];
    unsigned n_ranges;
    const struct rd_sim_step *stands_in;
} order_state;

unsigned rd_sim_lane_new(void)
{
    if (!rd_array_make_room(&order_state.issued, order_state.n_lanes, &order_state.issued_capacity,
                            sizeof *order_state.issued))
        return 0;
    order_state.issued[order_state.n_lanes] = 0;
    return order_state.n_lanes++;
}

struct rd_sim_step rd_sim_step_begin(unsigned lane, struct rd_sim_moments *moments,
                                     const struct rd_sim_host_place *place, const char *what)
{
    struct rd_sim_step step = {.lane = lane, .number = ++order_state.issued[lane], .place = *place};
    snprintf(step.what, sizeof step.what, "%s", what);
    rd_sim_moments_join(moments, &order_state.host);
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
    rd_sim_moments_join(&order_state.host, moments);
    for (size_t k = 0; k < order_state.n; k++)
        if (!are_behind(&order_state.host, order_state.accesses[k].lane,
                        order_state.accesses[k].number))
            order_state.accesses[kept++] = order_state.accesses[k];
    order_state.n = kept;
}

bool rd_sim_host_knows(const struct rd_sim_moments *moments)
{
    for (unsigned lane = 0; lane < moments->n; lane++)
        if (moments->at[lane] > 0 && !are_behind(&order_state.host, lane, moments->at[lane]))
            return false;
    return true;
}

/* ---- races ---- */

static const char *lesson_of(bool is_host, bool of_scope)
{
    return of_scope
               ? "An atomic of the device's scope is one among the threads of a device: with the "
                 "host's atomics it takes one of the system's, as atomicAdd_system() or a "
                 "cuda::atomic of thread_scope_system."
           : is_host
               ? "The host goes on while a device works: synchronise with the stream, or with "
                 "an event recorded behind the operation, before the host touches its memory."
               : "Operations on different streams run in any order: have the later stream "
                 "wait for an event of the earlier one, use one stream for both, or "
                 "synchronise between the two.";
}

static void tell(const struct access *earlier, const struct rd_sim_host_place *place,
                 const char *what, enum rd_sim_op op, uintptr_t at, bool is_host)
{
    bool is_inside = false;
    const struct rd_sim_array *array = rd_sim_array_at(at, &is_inside);
    const bool of_scope = op == RD_SIM_ATOMIC && earlier->op == RD_SIM_ATOMIC,
               is_heap = is_inside && array->origin,
               writes = op == RD_SIM_WRITE || (op == RD_SIM_ATOMIC && !is_host);
    const struct rd_sim_allocation *allocation = rd_sim_allocation_at((void *)at);
    char name[200] = "memory";
    const struct rd_sim_host_finding finding = {
        .hazard = RD_HAZARD_RACE,
        .place = *place,
        .other_text = "that was issued",
        .other = earlier->place,
        .lesson = lesson_of(is_host, of_scope),
    };
    if (allocation)
        rd_sim_allocation_name(allocation, name, sizeof name);
    else if (is_heap)
        snprintf(name, sizeof name, "memory of the device heap");
    else if (is_inside && array->name[0])
        snprintf(name, sizeof name, "%s", array->name);
    if (of_scope)
        rd_sim_host_tell(&finding,
                         "%s updates %s by an atomic, while %s may still do so by one of the "
                         "device's scope: nothing orders the two,",
                         what, name, earlier->what);
    else
        rd_sim_host_tell(&finding, "%s %s %s, while %s may still %s it: nothing orders the two,",
                         what, writes ? "writes" : "reads", name, earlier->what,
                         earlier->op == RD_SIM_READ ? "read" : "write");
}

/* Reads race with none of their like, nor do atomics: of which width and scope, records don't tell. */
static bool is_in_the_way(enum rd_sim_op one, enum rd_sim_op other)
{
    return one != other || one == RD_SIM_WRITE;
}

/* Tells whether an access of the host's is in the way of that of a launch. */
static bool is_in_hosts_way(const struct access *access, enum rd_sim_op op)
{
    return is_in_the_way(op, access->op) || access->of_device;
}

/* The first access that is in the way; NULL: none. */
static const struct access *find_race(const struct rd_sim_moments *before, unsigned lane,
                                      uintptr_t start, uintptr_t end, enum rd_sim_op op)
{
    for (size_t k = 0; k < order_state.n; k++) {
        const struct access *access = &order_state.accesses[k];
        const bool is_way =
            lane == HOST ? is_in_hosts_way(access, op) : is_in_the_way(op, access->op);
        if (access->start < end && start < access->end && is_way && access->lane != lane &&
            !are_behind(before, access->lane, access->number))
            return access;
    }
    return NULL;
}

/* Keeps an access; one of the same lane that it stands for is forgotten. */
static void keep(const struct access *access)
{
    for (size_t k = order_state.n; k-- > 0;) {
        struct access *noted = &order_state.accesses[k];
        const bool is_alike = access->op == noted->op && access->of_device == noted->of_device;
        if (noted->lane == access->lane && noted->start >= access->start &&
            noted->end <= access->end && (access->op == RD_SIM_WRITE || is_alike)) {
            *noted = *access;
            return;
        }
    }
    if (order_state.n < ACCESSES_MAX &&
        rd_array_make_room(&order_state.accesses, order_state.n, &order_state.capacity,
                           sizeof *order_state.accesses)) {
        order_state.accesses[order_state.n++] = *access;
    } else if (!order_state.lacks) {
        order_state.lacks = true;
        rd_sim_runtime_lacks("races between streams: more than %d operations are under way",
                             ACCESSES_MAX);
    }
}

/* Tells whether host code can access what lies there. */
static bool is_of_host(uintptr_t address)
{
    const struct rd_sim_core *core = &rd_sim_here->core;
    const struct rd_sim_allocation *allocation = rd_sim_allocation_at((void *)address);
    if (allocation)
        return allocation->kind != RD_SIM_MEMORY_DEVICE;
    return (address - core->arena < core->arena_size && !rd_sim_heap_has(address)) ||
           rd_sim_is_managed_variable(address);
}

void rd_sim_step_device_atomic(uintptr_t address, size_t size_bytes)
{
    const uintptr_t end = address + size_bytes;
    for (unsigned k = 0; k < order_state.n_ranges; k++) {
        struct range *range = &order_state.ranges[k];
        if (address <= range->end && end >= range->start) {
            range->start = address < range->start ? address : range->start;
            range->end = end > range->end ? end : range->end;
            return;
        }
    }
    if (!is_of_host(address))
        return;
    if (order_state.n_ranges < RANGES_MAX) {
        order_state.ranges[order_state.n_ranges++] = (struct range){address, end};
    } else if (!order_state.lacks_scopes) {
        order_state.lacks_scopes = true;
        rd_sim_runtime_lacks("races of the host's atomics with those of a kernel, of the device's "
                             "scope, in more than %d places",
                             RANGES_MAX);
    }
}

static bool has_device_atomics(uintptr_t start, uintptr_t end)
{
    for (unsigned k = 0; k < order_state.n_ranges; k++)
        if (start < order_state.ranges[k].end && order_state.ranges[k].start < end)
            return true;
    return false;
}

static bool accesses(const struct rd_sim_step *step, uintptr_t address, size_t size_bytes,
                     enum rd_sim_op op, bool of_launch)
{
    uintptr_t end = address + size_bytes;
    const struct access *earlier = find_race(&step->before, step->lane, address, end, op);
    const struct access access = {
        .start = address,
        .end = end,
        .op = op,
        .of_device = op == RD_SIM_ATOMIC && has_device_atomics(address, end),
        .of_launch = of_launch,
        .lane = step->lane,
        .number = step->number,
        .place = step->place,
    };
    if (earlier)
        tell(earlier, &step->place, step->what, op, address, false);
    struct access kept = access;
    memcpy(kept.what, step->what, sizeof kept.what);
    keep(&kept);
    return earlier != NULL;
}

/* Tells whether it is in the program's variables, and several devices have accessed these: each has its own, which are one here, as
 * is then said. */
static bool is_variable_of_several(uintptr_t address)
{
    if (rd_sim_runtime_program()->n_devices <= 1 || !rd_sim_is_device_variable(address))
        return false;
    order_state.devices |= 1u << rd_sim_device_now();
    const bool are_several = (order_state.devices & (order_state.devices - 1)) != 0;
    if (are_several && !order_state.lacks_variables)
        rd_sim_runtime_lacks("variables of the device, __device__ and __constant__: each device "
                             "has its own, and here they are one");
    order_state.lacks_variables |= are_several;
    return are_several;
}

void rd_sim_step_accesses(const struct rd_sim_step *step, uintptr_t address, size_t size_bytes,
                          bool writes)
{
    const struct rd_sim_core *core = &rd_sim_here->core;
    bool is_ours = address - core->arena < core->arena_size || rd_sim_module_has(address);
    const struct rd_sim_allocation *allocation =
        !is_ours && rd_sim_memory_has_aliases() ? rd_sim_allocation_at((void *)address) : NULL;
    if (allocation && allocation->alias) {
        address = address - allocation->base + allocation->alias;
        is_ours = true;
    }
    if (is_ours && size_bytes > 0 && !is_variable_of_several(address))
        accesses(step, address, size_bytes, writes ? RD_SIM_WRITE : RD_SIM_READ, false);
}

void rd_sim_host_stands_in(const struct rd_sim_step *step)
{
    order_state.stands_in = step;
}

/* The host looks at a flag, by a volatile access or an atomic one, that a launch under way has set by another: what the launch has
 * written before is in order from then on. How far it had come by then, records don't tell. */
static void learn_of_flag(uintptr_t address, size_t size_bytes)
{
    for (size_t k = 0; k < order_state.n; k++) {
        const struct access *access = &order_state.accesses[k];
        if (access->op != RD_SIM_ATOMIC || access->start >= address + size_bytes ||
            address >= access->end || are_behind(&order_state.host, access->lane, access->number) ||
            !make_room(&order_state.host, access->lane + 1))
            continue;
        order_state.host.at[access->lane] = access->number;
        if (!order_state.lacks_flags)
            rd_sim_runtime_lacks(
                "whether %s has written what the host reads before it sets the flag "
                "that the host has seen",
                access->what);
        order_state.lacks_flags = true;
    }
}

/* A function of the host's has accessed this as a step: what lies side by side is one access. */
static void keep_as_step(const struct rd_sim_step *step, uintptr_t address, size_t size_bytes,
                         enum rd_sim_op op)
{
    struct access *last = order_state.n > 0 ? &order_state.accesses[order_state.n - 1] : NULL;
    const bool is_same =
        last && last->lane == step->lane && last->number == step->number && last->op == op;
    if (is_same && last->end == address) {
        last->end += size_bytes;
        return;
    }
    struct access access = {
        .start = address,
        .end = address + size_bytes,
        .op = op,
        .lane = step->lane,
        .number = step->number,
        .place = step->place,
    };
    memcpy(access.what, step->what, sizeof access.what);
    keep(&access);
}

void rd_sim_host_accesses(uintptr_t address, size_t size_bytes, enum rd_sim_op op, uintptr_t pc)
{
    const struct rd_sim_host_place place = {.pc = pc};
    if (order_state.n == 0 && !order_state.stands_in)
        return;
    if (rd_sim_runtime_is_other_thread()) {
        if (!order_state.lacks_threads)
            rd_sim_runtime_lacks("whether what other threads of the host access is ordered with "
                                 "what streams do");
        order_state.lacks_threads = true;
        return;
    }
    const struct rd_sim_step *step = order_state.stands_in;
    const struct access *earlier =
        find_race(step ? &step->before : &order_state.host, step ? step->lane : HOST, address,
                  address + size_bytes, op);
    if (earlier)
        tell(earlier, &place, "the host", op, address, true);
    if (step)
        keep_as_step(step, address, size_bytes, op);
    else if (op == RD_SIM_ATOMIC)
        learn_of_flag(address, size_bytes);
}

bool rd_sim_host_pending(size_t *next, uintptr_t start, uintptr_t end,
                         struct rd_sim_pending *pending)
{
    const struct rd_sim_step *step = order_state.stands_in;
    while (*next < order_state.n) {
        const struct access *access = &order_state.accesses[(*next)++];
        if (access->op == RD_SIM_READ || access->of_launch || access->start >= end ||
            start >= access->end || (step && access->lane == step->lane) || !is_of_host(start) ||
            are_behind(step ? &step->before : &order_state.host, access->lane, access->number))
            continue;
        const struct rd_sim_site site = {
            .pc = access->place.pc, .file = access->place.file, .line = access->place.line};
        *pending = (struct rd_sim_pending){
            .start = access->start > start ? access->start : start,
            .end = access->end < end ? access->end : end,
            .line = rd_sim_site_line(&site),
            .what = access->what,
        };
        return true;
    }
    return false;
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

/* Keeps a range. The list is incomplete after a race, behind which the region is not looked at, and with atomics, whose scope
 * it does not hold. */
static void keep_reached(struct rd_sim_reach *reach, const struct rd_sim_reached *reached,
                         bool raced)
{
    if (!reach || reach->failed)
        return;
    if (!raced && reached->op != RD_SIM_ATOMIC &&
        rd_array_make_room(&reach->all, reach->n, &reach->capacity, sizeof *reach->all))
        reach->all[reach->n++] = *reached;
    else
        reach->failed = true;
}

enum { UNTOUCHED, READ, ATOMIC, WRITTEN, DEVICE_ATOMIC };

/* Tells whether the last access is one of a volatile object. */
static bool is_volatile(uint64_t record)
{
    const uintptr_t pc = rd_sim_site_first(rd_record_sites(record));
    return pc && rd_sim_trait_has(pc, RD_SIM_IS_VOLATILE);
}

/* Of a record that is not split. */
static int access_of(uint64_t record, uint64_t floor)
{
    if (record < floor)
        return UNTOUCHED;
    if (record & (RD_W | RD_V))
        return WRITTEN;
    if (rd_record_kind(record) == RD_EXCLUSIVE && is_volatile(record))
        return ATOMIC; /* relaxed, to all: PTX ISA, "st" */
    return rd_record_kind(record) == RD_READS     ? READ
           : rd_record_kind(record) == RD_ATOMICS ? ATOMIC
                                                  : WRITTEN;
}

/* Bytes of a region that lie side by side and were accessed alike. */
struct run {
    const struct looking *looking;
    uintptr_t region, start;
    int access;
    size_t n; /* of them, so far */
    bool raced;
};

/* The next bytes, from `address` on, were accessed so: ends the run if these are not. */
static void go_on(struct run *run, uintptr_t address, int access)
{
    if (access == run->access)
        return;
    const struct rd_sim_reached reached = {
        .start = run->start,
        .size_bytes = address - run->start,
        .region = run->region,
        .op = run->access == READ                                     ? RD_SIM_READ
              : run->access == ATOMIC || run->access == DEVICE_ATOMIC ? RD_SIM_ATOMIC
                                                                      : RD_SIM_WRITE,
    };
    if (run->access != UNTOUCHED && !run->raced && !is_variable_of_several(run->start) &&
        run->n++ < RUNS_MAX) {
        run->raced =
            accesses(run->looking->step, reached.start, reached.size_bytes, reached.op, true);
        keep_reached(run->looking->reach, &reached, run->raced);
    }
    run->start = address;
    run->access = access;
}

static int at_device_scope(int access, uintptr_t address, size_t size_bytes)
{
    return access == ATOMIC && has_device_atomics(address, address + size_bytes) ? DEVICE_ATOMIC
                                                                                 : access;
}

/* The runs of bytes that were accessed alike. Of too many, it is said that they were not looked at. */
static bool look_at(void *self, uintptr_t base, size_t size_bytes, uint64_t *shadow)
{
    const struct looking *looking = self;
    const uintptr_t end = base + (size_bytes + GRANULE - 1) / GRANULE * GRANULE;
    struct run run = {.looking = looking, .region = base, .start = base, .access = UNTOUCHED};
    if (looking->host_only && !is_of_host(base))
        return true;
    for (uintptr_t at = base; at < end; at += GRANULE, shadow++) {
        const bool is_split = rd_record_kind(*shadow) == RD_SPLIT;
        if (*shadow == RD_NO_MEMORY)
            go_on(&run, at, UNTOUCHED);
        else if (!is_split)
            go_on(&run, at, at_device_scope(access_of(*shadow, looking->floor), at, GRANULE));
        for (size_t k = 0; k < GRANULE && is_split && *shadow != RD_NO_MEMORY; k++)
            go_on(&run, at + k,
                  at_device_scope(access_of(rd_sim_split_records(*shadow)[k], looking->floor),
                                  at + k, 1));
    }
    go_on(&run, end, UNTOUCHED);
    if (run.n > RUNS_MAX && !order_state.lacks) {
        order_state.lacks = true;
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
    if (host_only)
        rd_sim_module_managed_regions(look_at, &looking);
    else
        rd_sim_heap_region(look_at, &looking);
    order_state.n_ranges = 0;
}

void rd_sim_step_repeats(const struct rd_sim_step *step, const struct rd_sim_reach *reach)
{
    size_t raced = 0; /* the region of the last race: one is told of each */
    for (size_t k = 0; k < reach->n; k++) {
        const struct rd_sim_reached *reached = &reach->all[k];
        if (reached->region != raced &&
            accesses(step, reached->start, reached->size_bytes, reached->op, true))
            raced = reached->region;
    }
}
