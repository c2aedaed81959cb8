// SPDX-License-Identifier: MIT
#include "device/sim/runtime/order.h"
#include "base/array.h"
#include "device/sim/memory/memory.h"
#include "device/sim/runtime/order_internal.h"
#include "device/sim/source/sites.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ACCESSES_MAX = 1 << 16, HOST_ACCESSES_MAX = 1 << 10 };

/* An access that something may still race with. */
struct access {
    uintptr_t start, end;
    enum rd_sim_op op;
    bool of_device;                /* some of its atomics are of a device's scope */
    bool of_launch;                /* it is a kernel's */
    unsigned queue, segment, lane; /* queue 0: it is of the host's code, and over */
    uint64_t number;
    struct rd_sim_host_place place;
    char what[96];
};

static struct {
    uint64_t *issued; /* by lane */
    size_t n_issued, issued_capacity;
    struct rd_sim_moments host; /* what threads of the host have waited for, taken together */
    struct access *accesses;
    size_t n, capacity;
    bool lacks, lacks_threads, lacks_order, lacks_flags, lacks_variables;
    unsigned devices; /* a bit for each that has accessed a variable of the program's */
    const struct rd_sim_step *stands_in;
} order_state;

/* The number of the next operation on a lane; without memory, that of none. */
static uint64_t number_on(unsigned lane)
{
    while (order_state.n_issued <= lane) {
        if (!rd_array_make_room(&order_state.issued, order_state.n_issued,
                                &order_state.issued_capacity, sizeof *order_state.issued))
            return 0;
        order_state.issued[order_state.n_issued++] = 0;
    }
    return ++order_state.issued[lane];
}

struct rd_sim_step rd_sim_step_begin(struct rd_sim_queue *queue,
                                     const struct rd_sim_host_place *place, const char *what)
{
    struct rd_sim_track *own = rd_sim_queue_own(queue);
    struct rd_sim_step step = {.queue = queue->number,
                               .segment = own->segment,
                               .lane = own->lane,
                               .number = number_on(own->lane),
                               .place = *place};
    snprintf(step.what, sizeof step.what, "%s", what);
    rd_sim_queue_join(&step.before, queue);
    rd_sim_moments_join(&step.before, &order_state.host, RD_SIM_HERE);
    rd_sim_moments_join(&step.before, rd_sim_host_awaited(), RD_SIM_ALWAYS);
    rd_sim_moments_join(&own->moments, &step.before, RD_SIM_BOTH);
    rd_sim_moments_add(&own->moments, step.lane, step.number);
    return step;
}

void rd_sim_step_end(struct rd_sim_step *step)
{
    rd_sim_moments_finish(&step->before);
}

void rd_sim_host_has_learnt(void)
{
    size_t kept = 0;
    for (size_t k = 0; k < order_state.n; k++)
        if (!rd_sim_host_all_await(order_state.accesses[k].segment, order_state.accesses[k].lane,
                                   order_state.accesses[k].number))
            order_state.accesses[kept++] = order_state.accesses[k];
    order_state.n = kept;
}

void rd_sim_host_learns(const struct rd_sim_moments *moments)
{
    rd_sim_moments_join(&order_state.host, moments, RD_SIM_HERE);
    rd_sim_moments_join(rd_sim_host_awaited(), moments, RD_SIM_ALWAYS);
    rd_sim_host_has_learnt();
}

bool rd_sim_host_knows(const struct rd_sim_moments *moments)
{
    for (unsigned lane = 0; lane < moments->n; lane++)
        if (moments->at[lane].here > 0 &&
            !rd_sim_moments_are_behind(&order_state.host, lane, moments->at[lane].here))
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

/* What accesses memory now: a step, or the host's code. */
struct accessing {
    unsigned queue; /* 0: the host's code */
    const struct rd_sim_moments *here, *always;
    const struct rd_sim_host_place *place;
    const char *what;
};

/* Tells whether the access has come to its end before, in this order of the host's threads. */
static bool is_before(const struct access *access, const struct accessing *now)
{
    return !access->queue || access->queue == now->queue ||
           rd_sim_moments_are_behind(now->here, access->lane, access->number);
}

/* The same in each order. */
static bool is_always_before(const struct access *access, const struct accessing *now)
{
    return rd_sim_host_knows_segment(access->segment) &&
           (!access->queue || access->queue == now->queue ||
            rd_sim_moments_are_always_behind(now->always, access->lane, access->number));
}

static void line_of(const struct rd_sim_host_place *place, char text[300])
{
    const struct rd_sim_site site = {.pc = place->pc, .file = place->file, .line = place->line};
    const struct rd_sim_line line = rd_sim_site_line(&site);
    snprintf(text, 300, "%s:%u", line.file, line.line);
}

static void lack_order(const struct access *earlier, const struct accessing *now)
{
    char one[300], other[300];
    if (order_state.lacks_order)
        return;
    order_state.lacks_order = true;
    line_of(&earlier->place, one);
    line_of(now->place, other);
    rd_sim_runtime_lacks(
        "other orders of threads of the host, of which %s at %s and %s at %s access "
        "the same memory",
        earlier->what, one, now->what, other);
}

/* The first access that is in the way; NULL: none. Where the order of the host's threads alone keeps one from that, says so. */
static const struct access *find_race(const struct accessing *now, uintptr_t start, uintptr_t end,
                                      enum rd_sim_op op)
{
    const struct access *by_chance = NULL;
    for (size_t k = 0; k < order_state.n; k++) {
        const struct access *access = &order_state.accesses[k];
        if (access->start >= end || start >= access->end ||
            !(now->queue && access->queue   ? is_in_the_way(op, access->op)
              : now->queue || access->queue ? is_in_hosts_way(access, op)
                                            : false))
            continue;
        if (!is_before(access, now))
            return access;
        if (!by_chance && !is_always_before(access, now))
            by_chance = access;
    }
    if (by_chance)
        lack_order(by_chance, now);
    return NULL;
}

static struct accessing accessing_of(const struct rd_sim_step *step)
{
    return (struct accessing){step->queue, &step->before, &step->before, &step->place, step->what};
}

bool rd_sim_order_lacks(void)
{
    const bool is_first = !order_state.lacks;
    order_state.lacks = true;
    return is_first;
}

/* Keeps an access; one of the same lane that it stands for is forgotten. */
static void keep(const struct access *access)
{
    for (size_t k = order_state.n; k-- > 0;) {
        struct access *noted = &order_state.accesses[k];
        const bool is_alike = access->op == noted->op && access->of_device == noted->of_device;
        if (noted->lane == access->lane && noted->segment == access->segment &&
            noted->start >= access->start && noted->end <= access->end &&
            (access->op == RD_SIM_WRITE || is_alike)) {
            *noted = *access;
            return;
        }
    }
    if (order_state.n < ACCESSES_MAX &&
        rd_array_make_room(&order_state.accesses, order_state.n, &order_state.capacity,
                           sizeof *order_state.accesses)) {
        order_state.accesses[order_state.n++] = *access;
    } else if (rd_sim_order_lacks()) {
        rd_sim_runtime_lacks("races between streams: more than %d operations are under way",
                             ACCESSES_MAX);
    }
}

bool rd_sim_order_is_of_host(uintptr_t address)
{
    const struct rd_sim_core *core = &rd_sim_here->core;
    const struct rd_sim_allocation *allocation = rd_sim_allocation_at((void *)address);
    if (allocation)
        return allocation->kind != RD_SIM_MEMORY_DEVICE;
    return (address - core->arena < core->arena_size && !rd_sim_heap_has(address)) ||
           rd_sim_is_managed_variable(address);
}

bool rd_sim_order_accesses(const struct rd_sim_step *step, uintptr_t address, size_t size_bytes,
                           enum rd_sim_op op, bool of_launch, bool of_device)
{
    uintptr_t end = address + size_bytes;
    const struct accessing now = accessing_of(step);
    const struct access *earlier = find_race(&now, address, end, op);
    const struct access access = {
        .start = address,
        .end = end,
        .op = op,
        .of_device = of_device,
        .of_launch = of_launch,
        .queue = step->queue,
        .segment = step->segment,
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

bool rd_sim_order_is_of_several(uintptr_t address)
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
    if (is_ours && size_bytes > 0 && !rd_sim_order_is_of_several(address))
        rd_sim_order_accesses(step, address, size_bytes, writes ? RD_SIM_WRITE : RD_SIM_READ, false,
                              false);
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
            address >= access->end || !access->queue ||
            rd_sim_moments_are_behind(&order_state.host, access->lane, access->number))
            continue;
        rd_sim_moments_add(&order_state.host, access->lane, access->number);
        rd_sim_moments_add(rd_sim_host_awaited(), access->lane, access->number);
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
        .queue = step->queue,
        .segment = step->segment,
        .lane = step->lane,
        .number = step->number,
        .place = step->place,
    };
    memcpy(access.what, step->what, sizeof access.what);
    keep(&access);
}

/* Another thread may launch what accesses the same. */
static void keep_of_host(uintptr_t address, size_t size_bytes, enum rd_sim_op op, uintptr_t pc)
{
    const unsigned segment = rd_sim_host_segment();
    size_t n = 0;
    for (size_t k = 0; k < order_state.n; k++) {
        struct access *known = &order_state.accesses[k];
        n += !known->queue;
        if (known->queue || known->segment != segment || known->op != op ||
            known->start > address + size_bytes || address > known->end)
            continue;
        known->start = address < known->start ? address : known->start;
        known->end = address + size_bytes > known->end ? address + size_bytes : known->end;
        return;
    }
    if (n < HOST_ACCESSES_MAX) {
        const struct access access = {.start = address,
                                      .end = address + size_bytes,
                                      .op = op,
                                      .segment = segment,
                                      .lane = RD_SIM_NO_LANE,
                                      .place = {.pc = pc},
                                      .what = "the host"};
        keep(&access);
    } else if (!order_state.lacks_threads) {
        order_state.lacks_threads = true;
        rd_sim_runtime_lacks("whether what threads of the host access is ordered with what others "
                             "launch: it is in more than %d pieces",
                             HOST_ACCESSES_MAX);
    }
}

void rd_sim_host_accesses(uintptr_t address, size_t size_bytes, enum rd_sim_op op, uintptr_t pc)
{
    const struct rd_sim_host_place place = {.pc = pc};
    const struct rd_sim_step *step = order_state.stands_in;
    const bool has_others = !step && rd_sim_host_has_several();
    if (order_state.n == 0 && !step && !has_others)
        return;
    const struct accessing now =
        step ? accessing_of(step)
             : (struct accessing){0, &order_state.host, rd_sim_host_awaited(), &place, "the host"};
    const struct access *earlier = find_race(&now, address, address + size_bytes, op);
    if (earlier)
        tell(earlier, &place, "the host", op, address, true);
    if (step)
        keep_as_step(step, address, size_bytes, op);
    else if (op == RD_SIM_ATOMIC)
        learn_of_flag(address, size_bytes);
    if (has_others)
        keep_of_host(address, size_bytes, op, pc);
}

bool rd_sim_host_pending(size_t *next, uintptr_t start, uintptr_t end,
                         struct rd_sim_pending *pending)
{
    const struct rd_sim_step *step = order_state.stands_in;
    while (*next < order_state.n) {
        const struct access *access = &order_state.accesses[(*next)++];
        if (access->op == RD_SIM_READ || access->of_launch || access->start >= end ||
            start >= access->end || !access->queue || (step && access->queue == step->queue) ||
            !rd_sim_order_is_of_host(start) ||
            rd_sim_moments_are_behind(step ? &step->before : &order_state.host, access->lane,
                                      access->number))
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
