// SPDX-License-Identifier: MIT
/* An access is told before it happens: what it writes is there when the next one is told. */
#include "device/sim/object.h"
#include "device/sim/detect/observers.h"
#include "device/sim/source/source.h"
#include "device/sim/engine/engine_internal.h"
#include "device/sim/engine/detector.h"
#include "device/sim/memory/memory.h"

#include <stdio.h>
#include <string.h>

enum { LINES = 256, FILES = 16 };

struct rd_sim_recording_state {
    bool on;
    struct rd_sim_recorder recorder;
    void (*then)(uintptr_t address, size_t size_bytes, enum rd_sim_op op, uintptr_t pc);
    unsigned checkpoints[RD_SIM_BLOCK_MAX]; /* that the threads of `recorder.block` came to */
    unsigned snapshots; /* the last of `recorder.point` that one of them came to */
    /* A write, or an atomic, whose value is not there yet. */
    bool is_pending, is_put_off, is_read; /* it may be the write of a copy whose read was told */
    struct rd_sim_access pending;         /* its first element */
    uintptr_t address, pc;
    size_t size_bytes;
    unsigned char before[16];
    size_t n_before; /* bytes of it that were kept */
    struct line {
        uintptr_t pc;
        unsigned line;
        const char *file;
    } lines[LINES];
    char files[FILES][sizeof(struct rd_sim_line){0}.file]; /* that were met; the last is "" */
};

void rd_sim_recorder_set(const struct rd_sim_recorder *recorder)
{
    struct rd_sim_recording_state *own = rd_sim_here->recording;
    own->on = recorder != NULL;
    if (recorder)
        own->recorder = *recorder;
}

static const char *keep_file(const char *file)
{
    struct rd_sim_recording_state *own = rd_sim_here->recording;
    size_t k = 0;
    while (k + 1 < FILES && own->files[k][0] != '\0' && strcmp(own->files[k], file) != 0)
        k++;
    if (k + 1 < FILES)
        snprintf(own->files[k], sizeof own->files[k], "%s", file);
    return own->files[k];
}

/* To look a line up takes long, and kernels have few places. */
static const struct line *line_of(uintptr_t pc)
{
    struct line *known = &rd_sim_here->recording->lines[pc % LINES];
    if (known->pc != pc || !known->file) {
        struct rd_sim_line line;
        rd_sim_source_line(pc, &line);
        *known = (struct line){pc, line.line, keep_file(line.file)};
    }
    return known;
}

/* `ahead`: also what the thread does as it comes to checkpoint `from`. */
static bool is_wanted(unsigned thread, bool ahead)
{
    struct rd_sim_recording_state *own = rd_sim_here->recording;
    const struct rd_sim_recorder *recorder = &own->recorder;
    if (!recorder->of_block)
        return true;
    if (rd_sim_here->core.block != recorder->block)
        return recorder->others;
    if (recorder->warp >= 0 && thread / RD_SIM_WARP != (unsigned)recorder->warp)
        return false;
    unsigned passed = recorder->by_snapshot ? own->snapshots : own->checkpoints[thread];
    return passed + ahead >= recorder->from && passed <= recorder->to;
}

/* Shared variables may be a sanitizer's. */
__attribute__((no_sanitize("address"))) static uint64_t load(uintptr_t address, unsigned size_bytes)
{
    uint64_t value = 0;
    for (unsigned k = 0; k < size_bytes && k < sizeof value; k++)
        ((unsigned char *)&value)[k] = ((const volatile unsigned char *)address)[k];
    return value;
}

static unsigned elem_bytes(const struct rd_sim_array *array, size_t size_bytes)
{
    return array->elem_bytes ? array->elem_bytes : (unsigned)size_bytes;
}

/* The element there; before the array they are negative. */
static int64_t index_of(const struct rd_sim_array *array, uintptr_t address, unsigned size)
{
    int64_t offset = (int64_t)(address - array->base);
    return offset < 0 ? -((-offset + size - 1) / size) : offset / size;
}

/* Each element of the access, one after the other: a thread may read four at once. */
static void tell(struct rd_sim_access access, uintptr_t address, size_t size_bytes)
{
    struct rd_sim_recording_state *own = rd_sim_here->recording;
    const struct rd_sim_array *array = access.array;
    unsigned size = elem_bytes(array, size_bytes);
    int64_t last = index_of(array, address + size_bytes - 1, size);
    for (int64_t k = index_of(array, address, size); k <= last; k++) {
        access.index = (size_t)k;
        access.outside = access.index >= array->size_bytes / size;
        access.value = access.outside ? 0 : load(array->base + access.index * size, size);
        own->recorder.take(own->recorder.self, &access);
    }
}

/* Keeps what the write changes, where it is within its array. */
static void keep_before(struct rd_sim_recording_state *own)
{
    const struct rd_sim_array *array = own->pending.array;
    bool within = own->address - array->base < array->size_bytes &&
                  own->size_bytes <= array->base + array->size_bytes - own->address;
    size_t most = sizeof own->before;
    own->n_before = !within ? 0 : own->size_bytes < most ? own->size_bytes : most;
    for (size_t k = 0; k < own->n_before; k++)
        own->before[k] = (unsigned char)load(own->address + k, 1);
}

static bool may_be_undone(const struct rd_sim_recording_state *own)
{
    for (size_t k = 0; k < own->n_before; k++)
        if (own->before[k] != load(own->address + k, 1))
            return false;
    return own->n_before > 0;
}

static bool settle(bool done)
{
    struct rd_sim_recording_state *own = rd_sim_here->recording;
    if (!own->is_pending)
        return true;
    if (!done && !own->is_put_off && may_be_undone(own)) {
        own->is_put_off = true;
        return false;
    }
    own->is_pending = false;
    tell(own->pending, own->address, own->size_bytes);
    return true;
}

/* Code between a copy's two hooks: it works out an address. */
enum { COPY_CODE_BYTES = 64 };

/* Settles the write before this access, but for a read that it copies: that is called right behind it, in the same line. */
static void settle_before(enum rd_sim_op op, uintptr_t pc)
{
    struct rd_sim_recording_state *own = rd_sim_here->recording;
    const struct line *line = own->is_pending && op == RD_SIM_READ ? line_of(pc) : NULL;
    bool is_copied = line && !own->is_read && pc - own->pc < COPY_CODE_BYTES &&
                     line->line == own->pending.line && line->file == own->pending.file &&
                     may_be_undone(own);
    own->is_read = is_copied;
    if (!is_copied)
        settle(true);
}

static void record(uintptr_t address, size_t size_bytes, enum rd_sim_op op, uintptr_t pc)
{
    struct rd_sim_recording_state *own = rd_sim_here->recording;
    const struct rd_sim_core *core = &rd_sim_here->core;
    bool inside;
    settle_before(op, pc);
    if (own->then)
        own->then(address, size_bytes, op, pc);
    const struct rd_sim_array *array =
        is_wanted(core->thread, false) ? rd_sim_array_at(address, &inside) : NULL;
    /* An access to no array is told of the one next to it; one to an array that is gone is not told. */
    if (!array || (!inside && address - array->base < array->size_bytes) ||
        array->space == RD_SPACE_NONE || array->origin)
        return;
    const struct line *line = line_of(pc);
    const struct rd_sim_access access = {
        .block = core->block,
        .thread = core->thread,
        .op = op,
        .array = array,
        .interval = core->interval,
        .line = line->line,
        .file = line->file,
    };
    if (op == RD_SIM_READ) {
        tell(access, address, size_bytes);
        return;
    }
    own->pending = access;
    own->address = address;
    own->size_bytes = size_bytes;
    own->pc = pc;
    own->is_pending = true;
    own->is_put_off = own->is_read = false;
    keep_before(own);
    rd_sim_here->core.is_waiting = true;
}

/* ---- registers ---- */

static void tell_lane(struct rd_sim_lane_event event)
{
    struct rd_sim_recording_state *own = rd_sim_here->recording;
    event.block = rd_sim_here->core.block;
    event.interval = rd_sim_here->core.interval;
    if (own->recorder.lane && is_wanted(event.thread, event.op == RD_SIM_LANE_SHOWS))
        own->recorder.lane(own->recorder.self, &event);
}

static void memory_changes(void)
{
    settle(true);
}

static void record_meeting(unsigned first, unsigned lanes)
{
    const struct rd_sim_thread_state *threads = &rd_sim_here->block.threads[first];
    const struct rd_sim_lane *before = NULL;
    const char *file = "";
    if (threads[__builtin_ctz(lanes)].lane->meeting != RD_MEET_SHUFFLE)
        return;
    settle(true);
    for (int takes = 0; takes < 2; takes++)
        for (unsigned k = 0; k < RD_SIM_WARP; k++) {
            const struct rd_sim_lane *lane = lanes >> k & 1 ? threads[k].lane : NULL;
            if (!lane)
                continue;
            const bool absent = takes && !(lanes >> lane->source & 1);
            const struct rd_sim_site site = {.file = lane->file, .line = lane->line};
            if (!before || before->file != lane->file)
                file = keep_file(rd_sim_site_line(&site).file);
            before = lane;
            tell_lane((struct rd_sim_lane_event){
                .thread = first + k,
                .op = takes ? RD_SIM_LANE_TAKES : RD_SIM_LANE_HANDS,
                .source = first + (takes ? lane->source : k),
                .absent = absent,
                .value = (takes && !absent ? threads[lane->source].lane : lane)->value,
                .line = lane->line,
                .file = file,
            });
        }
}

/* ---- launches ---- */

void rd_sim_recorder_begin(void)
{
    struct rd_sim_recording_state *own = rd_sim_here->recording;
    if (!own->on)
        return;
    memset(own->checkpoints, 0, sizeof own->checkpoints);
    own->snapshots = 0;
    own->is_pending = false;
    own->then = rd_sim_here->core.on_access;
    rd_sim_here->core.on_access = record;
    rd_sim_here->core.on_meeting = record_meeting;
}

void rd_sim_recorder_end(void)
{
    if (rd_sim_here->core.on_access != record)
        return;
    settle(true);
    rd_sim_here->core.on_access = rd_sim_here->recording->then;
    rd_sim_here->core.on_meeting = NULL;
}

/* The running thread has come to a checkpoint. Returns how many it has come to. */
static unsigned come(void)
{
    struct rd_sim_recording_state *own = rd_sim_here->recording;
    if (rd_sim_here->core.block != own->recorder.block)
        return 0;
    return ++own->checkpoints[rd_sim_here->core.thread];
}

static __attribute__((noinline)) void record_checkpoint(int point, const void *array)
{
    struct rd_sim_recording_state *own = rd_sim_here->recording;
    bool inside;
    settle(true);
    const struct rd_sim_array *at = rd_sim_array_at((uintptr_t)array, &inside);
    if (at && inside && at->base == (uintptr_t)array)
        own->recorder.checkpoint(own->recorder.self, point, at);
    unsigned number = come();
    if (point == own->recorder.point && number > own->snapshots)
        own->snapshots = number;
}

/* A function of its own, as most launches are not recorded. */
void rd_sim_recorder_checkpoint(int point, const void *array)
{
    if (rd_sim_here->core.on_access == record)
        record_checkpoint(point, array);
}

void rd_sim_recorder_checkpoint_lane(int point, const void *value, size_t elem_bytes, uintptr_t pc)
{
    struct rd_sim_lane_event event = {
        .thread = rd_sim_here->core.thread,
        .op = RD_SIM_LANE_SHOWS,
        .source = rd_sim_here->core.thread,
        .point = point,
    };
    if (rd_sim_here->core.on_access != record)
        return;
    settle(true);
    const struct line *line = line_of(pc);
    event.line = line->line;
    event.file = line->file;
    memcpy(&event.value, value, elem_bytes < sizeof event.value ? elem_bytes : sizeof event.value);
    tell_lane(event);
    come();
}

const struct rd_sim_part rd_sim_part_recording = {
    .size_bytes = sizeof(struct rd_sim_recording_state),
    .at = offsetof(struct rd_sim, recording),
};

const struct rd_sim_detector rd_sim_detector_recorder = {
    .first_end = rd_sim_recorder_end, /* a launch's accesses are those of its first run */
    .settle = settle,
    .memory_changes = memory_changes,
};

/* ---- budgets ---- */

struct rd_sim_budget_state {
    unsigned reads_max, writes_max;
};

static void tell_over_budget(uintptr_t address, size_t size_bytes, enum rd_sim_op op, uintptr_t pc,
                             unsigned made, unsigned allowed)
{
    rd_sim_here->core.on_event(&(struct rd_sim_event){
        .hazard = RD_HAZARD_OVER_BUDGET,
        .actor = rd_sim_actor_self(op, pc),
        .address = address,
        .size_bytes = size_bytes,
        .interval = rd_sim_here->core.interval,
        .made = made,
        .allowed = allowed,
    });
}

static void count(uintptr_t address, size_t size_bytes, enum rd_sim_op op, uintptr_t pc)
{
    struct rd_sim_budget_state *own = rd_sim_here->budget;
    enum rd_sim_space space;
    struct rd_sim_thread_state *me = &rd_sim_here->block.threads[rd_sim_here->core.thread];
    if (!rd_sim_shadow(address, &space) || space != RD_SPACE_GLOBAL)
        return;
    rd_sim_here->block.kept = true;
    if (op != RD_SIM_WRITE && ++me->n_reads > own->reads_max && own->reads_max)
        tell_over_budget(address, size_bytes, RD_SIM_READ, pc, me->n_reads, own->reads_max);
    if (op != RD_SIM_READ && ++me->n_writes > own->writes_max && own->writes_max)
        tell_over_budget(address, size_bytes, RD_SIM_WRITE, pc, me->n_writes, own->writes_max);
}

void rd_sim_budget_begin(unsigned reads_max, unsigned writes_max)
{
    struct rd_sim_budget_state *own = rd_sim_here->budget;
    own->reads_max = reads_max;
    own->writes_max = writes_max;
    if (reads_max || writes_max)
        rd_sim_here->core.on_access = count;
}

void rd_sim_budget_end(void)
{
    rd_sim_here->core.on_access = NULL;
}

const struct rd_sim_part rd_sim_part_budget = {
    .size_bytes = sizeof(struct rd_sim_budget_state),
    .at = offsetof(struct rd_sim, budget),
};
