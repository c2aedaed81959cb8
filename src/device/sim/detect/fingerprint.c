// SPDX-License-Identifier: MIT
#include "device/sim/object.h"
#include "device/sim/detect/observers.h"
#include "base/array.h"
#include "base/random.h"
#include "device/sim/memory/memory.h"

#include <stdlib.h>
#include <string.h>

struct rd_sim_fingerprints_state {
    struct rd_sim_fingerprints *into; /* NULL: none are taken */
    bool running;                     /* a launch is */
    size_t first, block_threads;      /* of that launch */
    void (*then)(uintptr_t address, size_t size_bytes, enum rd_sim_op op, uintptr_t pc);
};

bool rd_sim_fingerprints_compare(void)
{
#ifdef RD_HAVE_TRACED_KERNELS
    return true;
#else
    return false;
#endif
}

void rd_sim_fingerprints_take(struct rd_sim_fingerprints *into)
{
    rd_sim_here->fingerprints->into = into;
}

bool rd_sim_fingerprints_are_taken(void)
{
    return rd_sim_here->fingerprints->into != NULL;
}

void rd_sim_fingerprints_finish(struct rd_sim_fingerprints *taken)
{
    free(taken->threads);
    free(taken->launches);
    free(taken->log);
    *taken = (struct rd_sim_fingerprints){0};
}

/* ---- one more deed ---- */

/* The finalizer of SplitMix64, over what came before: the order counts. */
static uint64_t mix(uint64_t sum, uint64_t value)
{
    return rd_random_mix((sum ^ value) + RD_RANDOM_STEP);
}

static uint64_t hash_name(const char *name)
{
    uint64_t hash = 0;
    for (; *name; name++)
        hash = hash * 131 + (unsigned char)*name;
    return hash;
}

static uint64_t *running_thread(void)
{
    struct rd_sim_fingerprints_state *own = rd_sim_here->fingerprints;
    struct rd_sim_fingerprints *into = own->into;
    size_t thread =
        own->first + rd_sim_here->core.block * own->block_threads + rd_sim_here->core.thread;
    return thread < into->n_threads ? &into->threads[thread] : NULL;
}

static void keep(const uint64_t *thread, const struct rd_sim_deed *deed)
{
    struct rd_sim_fingerprints *into = rd_sim_here->fingerprints->into;
    if (!into->logs || (size_t)(thread - into->threads) != into->logged)
        return;
    if (rd_array_make_room(&into->log, into->n_log, &into->log_capacity, sizeof *into->log))
        into->log[into->n_log++] = *deed;
    else
        into->failed = true;
}

static int64_t index_of(const struct rd_sim_array *array, uintptr_t address, size_t size_bytes)
{
    int64_t offset = (int64_t)(address - array->base);
    int64_t size = (int64_t)(array->elem_bytes ? array->elem_bytes : size_bytes);
    return offset < 0 ? -((-offset + size - 1) / size) : offset / size;
}

/* Accesses to a thread's own memory are passed over: what they are for shows in the others. */
static void take_access(uintptr_t address, size_t size_bytes, enum rd_sim_op op, uintptr_t pc)
{
    struct rd_sim_fingerprints_state *own = rd_sim_here->fingerprints;
    bool inside;
    if (own->then)
        own->then(address, size_bytes, op, pc);
    uint64_t *thread = running_thread();
    const struct rd_sim_array *array = rd_sim_array_at(address, &inside);
    if (!thread || !array || array->space == RD_SPACE_NONE)
        return;
    struct rd_sim_deed deed = {
        .pc = pc, .is_access = true, .op = op, .index = index_of(array, address, size_bytes)};
    memcpy(deed.array, array->name, sizeof deed.array);
    *thread = mix(*thread, pc);
    *thread = mix(*thread, (uint64_t)op << 32 | size_bytes);
    *thread = mix(*thread, hash_name(array->name));
    *thread = mix(*thread, address - array->base);
    keep(thread, &deed);
}

/* A pointer to device memory as the place in its array: where the array lies is no part of the program. */
static uint64_t without_base(uint64_t value)
{
    bool inside;
    enum rd_sim_space space;
    if (!rd_sim_shadow(value, &space))
        return value;
    const struct rd_sim_array *array = rd_sim_array_at(value, &inside);
    return array && inside ? value - array->base : value;
}

void rd_sim_fingerprint_compared(uint64_t left, uint64_t right, uintptr_t pc)
{
    uint64_t *thread = rd_sim_here->fingerprints->running ? running_thread() : NULL;
    if (!thread)
        return;
    const struct rd_sim_deed deed = {
        .pc = pc, .left = without_base(left), .right = without_base(right)};
    *thread = mix(*thread, pc);
    *thread = mix(*thread, deed.left);
    *thread = mix(*thread, deed.right);
    keep(thread, &deed);
}

/* ---- launches ---- */

static bool make_room(struct rd_sim_fingerprints *into, size_t more)
{
    if (into->n_threads + more <= into->capacity)
        return true;
    size_t capacity = 2 * (into->n_threads + more);
    uint64_t *threads = realloc(into->threads, capacity * sizeof *threads);
    if (!threads)
        return false;
    into->threads = threads;
    into->capacity = capacity;
    return true;
}

void rd_sim_fingerprint_begin(size_t blocks, size_t block_threads)
{
    struct rd_sim_fingerprints_state *own = rd_sim_here->fingerprints;
    struct rd_sim_fingerprints *into = own->into;
    size_t more = blocks * block_threads;
    if (!into)
        return;
    if (!make_room(into, more) ||
        !rd_array_make_room(&into->launches, into->n_launches, &into->launch_capacity,
                            sizeof *into->launches)) {
        into->failed = true;
        return;
    }
    own->first = into->n_threads;
    own->block_threads = block_threads;
    into->launches[into->n_launches++] = (struct rd_sim_fingerprinted){own->first, block_threads};
    memset(into->threads + own->first, 0, more * sizeof *into->threads);
    into->n_threads += more;
    own->running = true;
    own->then = rd_sim_here->core.on_access;
    rd_sim_here->core.on_access = take_access;
}

void rd_sim_fingerprint_end(void)
{
    struct rd_sim_fingerprints_state *own = rd_sim_here->fingerprints;
    if (!own->running)
        return;
    own->running = false;
    rd_sim_here->core.on_access = own->then;
}

const struct rd_sim_part rd_sim_part_fingerprints = {
    .size_bytes = sizeof(struct rd_sim_fingerprints_state),
    .at = offsetof(struct rd_sim, fingerprints),
};
