// SPDX-License-Identifier: MIT
/* An access is told before it happens: what it writes is there when the next one is told. */
#include "device/sim/detect/recorder.h"
#include "device/sim/report/source.h"
#include "device/sim/engine/threads.h"
#include "device/sim/report/report_internal.h"

#include <stdio.h>
#include <string.h>

enum { LINES = 256, FILES = 16 };

static struct {
    bool on;
    struct rd_sim_recorder recorder;
    void (*then)(uintptr_t address, size_t size_bytes, enum rd_sim_op op, uintptr_t pc);
    unsigned checkpoints[RD_SIM_BLOCK_MAX]; /* that the threads of `recorder.block` came to */
    unsigned snapshots; /* the last of `recorder.point` that one of them came to */
    /* A write, or an atomic, whose value is not there yet. */
    bool is_pending;
    struct rd_sim_access pending; /* its first element */
    uintptr_t address;
    size_t size_bytes;
    struct line {
        uintptr_t pc;
        unsigned line;
        const char *file;
    } lines[LINES];
    char files[FILES][sizeof(struct rd_sim_line){0}.file]; /* that were met; the last is "" */
} r;

void rd_sim_recorder_set(const struct rd_sim_recorder *recorder)
{
    r.on = recorder != NULL;
    if (recorder)
        r.recorder = *recorder;
}

static const char *keep_file(const char *file)
{
    size_t k = 0;
    while (k + 1 < FILES && r.files[k][0] != '\0' && strcmp(r.files[k], file) != 0)
        k++;
    if (k + 1 < FILES)
        snprintf(r.files[k], sizeof r.files[k], "%s", file);
    return r.files[k];
}

/* To look a line up takes long, and kernels have few places. */
static const struct line *line_of(uintptr_t pc)
{
    struct line *known = &r.lines[pc % LINES];
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
    const struct rd_sim_recorder *recorder = &r.recorder;
    if (!recorder->of_block)
        return true;
    if (rd_sim_core.block != recorder->block)
        return recorder->others;
    if (recorder->warp >= 0 && thread / RD_SIM_WARP != (unsigned)recorder->warp)
        return false;
    unsigned passed = recorder->by_snapshot ? r.snapshots : r.checkpoints[thread];
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
    const struct rd_sim_array *array = access.array;
    unsigned size = elem_bytes(array, size_bytes);
    int64_t last = index_of(array, address + size_bytes - 1, size);
    for (int64_t k = index_of(array, address, size); k <= last; k++) {
        access.index = (size_t)k;
        access.outside = access.index >= array->size_bytes / size;
        access.value = access.outside ? 0 : load(array->base + access.index * size, size);
        r.recorder.take(r.recorder.self, &access);
    }
}

void rd_sim_recorder_settle(void)
{
    if (!r.is_pending)
        return;
    r.is_pending = false;
    tell(r.pending, r.address, r.size_bytes);
}

static void record(uintptr_t address, size_t size_bytes, enum rd_sim_op op, uintptr_t pc)
{
    const struct rd_sim_core *core = &rd_sim_core;
    bool inside;
    rd_sim_recorder_settle();
    if (r.then)
        r.then(address, size_bytes, op, pc);
    const struct rd_sim_array *array =
        is_wanted(core->thread, false) ? rd_sim_array_at(address, &inside) : NULL;
    /* What lies in no array is told of the one next to it; what lies in one that is gone is not told. */
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
    r.pending = access;
    r.address = address;
    r.size_bytes = size_bytes;
    r.is_pending = true;
}

/* ---- registers ---- */

static void tell_lane(struct rd_sim_lane_event event)
{
    event.block = rd_sim_core.block;
    event.interval = rd_sim_core.interval;
    if (r.recorder.lane && is_wanted(event.thread, event.op == RD_SIM_LANE_SHOWS))
        r.recorder.lane(r.recorder.self, &event);
}

static void record_meeting(unsigned first, unsigned lanes)
{
    const struct rd_sim_thread_state *threads = &rd_sim_block.threads[first];
    const struct rd_sim_lane *before = NULL;
    const char *file = "";
    if (threads[__builtin_ctz(lanes)].lane->meeting != RD_MEET_SHUFFLE)
        return;
    rd_sim_recorder_settle();
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
    if (!r.on)
        return;
    memset(r.checkpoints, 0, sizeof r.checkpoints);
    r.snapshots = 0;
    r.is_pending = false;
    r.then = rd_sim_core.on_access;
    rd_sim_core.on_access = record;
    rd_sim_core.on_meeting = record_meeting;
}

void rd_sim_recorder_end(void)
{
    if (rd_sim_core.on_access != record)
        return;
    rd_sim_recorder_settle();
    rd_sim_core.on_access = r.then;
    rd_sim_core.on_meeting = NULL;
}

/* The running thread has come to a checkpoint. Returns how many it has come to. */
static unsigned come(void)
{
    if (rd_sim_core.block != r.recorder.block)
        return 0;
    return ++r.checkpoints[rd_sim_core.thread];
}

void rd_sim_recorder_checkpoint(int point, const void *array)
{
    bool inside;
    if (rd_sim_core.on_access != record)
        return;
    rd_sim_recorder_settle();
    const struct rd_sim_array *at = rd_sim_array_at((uintptr_t)array, &inside);
    if (at && inside && at->base == (uintptr_t)array)
        r.recorder.checkpoint(r.recorder.self, point, at);
    unsigned number = come();
    if (point == r.recorder.point && number > r.snapshots)
        r.snapshots = number;
}

void rd_sim_recorder_checkpoint_lane(int point, const void *value, size_t elem_bytes, uintptr_t pc)
{
    struct rd_sim_lane_event event = {
        .thread = rd_sim_core.thread,
        .op = RD_SIM_LANE_SHOWS,
        .source = rd_sim_core.thread,
        .point = point,
    };
    if (rd_sim_core.on_access != record)
        return;
    rd_sim_recorder_settle();
    const struct line *line = line_of(pc);
    event.line = line->line;
    event.file = line->file;
    memcpy(&event.value, value, elem_bytes < sizeof event.value ? elem_bytes : sizeof event.value);
    tell_lane(event);
    come();
}
