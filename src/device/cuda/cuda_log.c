// SPDX-License-Identifier: MIT
#include "device/cuda/cuda_log.h"
#include "device/cuda/cuda_error.h"
#include "observed_families.h"

#include <stdlib.h>
#include <string.h>

/* The most that a log may take, and how many checkpoints of a block it has room for. */
#define LOG_BYTES_MAX ((size_t)256 << 20)
enum { ENTRIES_MIN = 64, ENTRIES_MAX = 1024, ALIGNMENT = 256 };

_Static_assert(RD_POINT_COUNT <= 32, "a head has a bit for each point");

/* Bytes of a lane that did not come, as in the simulator. */
enum { ABSENT = 0xa5 };

#define DECLARE(family) int cuda_observe_##family(struct rd_log *log, cudaStream_t stream);
RD_OBSERVED_FAMILIES(DECLARE)
#define ENTRY(family) cuda_observe_##family,
static int (*const observe[])(struct rd_log *log,
                              cudaStream_t stream) = {RD_OBSERVED_FAMILIES(ENTRY) NULL};

static enum rd_status check(cudaError_t result, const char *call, struct rd_error *error)
{
    return rd_cuda_check(result, call, ", for the log of checkpoints", error);
}

static size_t align(size_t size_bytes)
{
    return (size_bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static size_t entry_bytes(const struct rd_log *log, size_t elem_bytes)
{
    return log->warps * sizeof(struct rd_log_head) + log->cells * elem_bytes;
}

static int by_number(const void *x, const void *y)
{
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

/* Lists the blocks that have a slot: each once, in their order. */
static void list_blocks(struct rd_log *log, const struct rd_blocks *blocks, size_t n_blocks)
{
    log->all = blocks->all;
    if (blocks->all) {
        log->n_slots = n_blocks < UINT32_MAX ? (uint32_t)n_blocks : UINT32_MAX;
        return;
    }
    for (unsigned k = 0; k < blocks->count; k++)
        if (blocks->block[k] < n_blocks)
            log->listed[log->n_slots++] = blocks->block[k];
    if (blocks->last)
        log->listed[log->n_slots++] = n_blocks - 1;
    qsort(log->listed, log->n_slots, sizeof *log->listed, by_number);
    uint32_t n = 0;
    for (uint32_t k = 0; k < log->n_slots; k++)
        if (n == 0 || log->listed[n - 1] != log->listed[k])
            log->listed[n++] = log->listed[k];
    log->n_slots = n;
}

/* As many entries as there is room for; then as many slots. */
static void fit(struct rd_log *log, size_t elem_bytes)
{
    size_t room =
        LOG_BYTES_MAX / (entry_bytes(log, elem_bytes) * (log->n_slots ? log->n_slots : 1));
    log->entries = (uint32_t)(room < ENTRIES_MIN   ? ENTRIES_MIN
                              : room > ENTRIES_MAX ? ENTRIES_MAX
                                                   : room);
    size_t slots = LOG_BYTES_MAX / (entry_bytes(log, elem_bytes) * log->entries);
    if (log->n_slots > slots) {
        log->n_slots = (uint32_t)slots;
        log->truncated |= !log->all; /* of all, those that find no slot say so themselves */
    }
}

enum rd_status rd_cuda_log_begin(struct rd_cuda_log *log, const struct rd_launch *launch,
                                 cudaStream_t stream, struct rd_error *error)
{
    struct rd_log *l = &log->log;
    size_t elem_bytes = rd_numeric(launch->type)->size_bytes;
    unsigned threads = rd_launch_threads(launch);
    log->type = launch->type;
    l->threads = threads;
    l->warps = (threads + RD_WARP_LANES - 1) / RD_WARP_LANES;
    l->cells = (uint32_t)(log->watch->cells_max > threads ? log->watch->cells_max : threads);
    l->count_max = log->watch->count_max;
    list_blocks(l, &log->watch->blocks, rd_launch_blocks(launch));
    fit(l, elem_bytes);

    size_t entries = (size_t)l->n_slots * l->entries;
    size_t counts_at = align(sizeof *l);
    size_t heads_at = counts_at + align((size_t)l->n_slots * threads * sizeof *l->counts);
    size_t values_at = heads_at + align(entries * l->warps * sizeof *l->heads);
    char *memory;
    log->size_bytes = values_at + entries * l->cells * elem_bytes;
    enum rd_status status =
        check(cudaMallocAsync((void **)&memory, log->size_bytes, stream), "cudaMallocAsync", error);
    if (status != RD_OK)
        return status;
    log->on_device = (struct rd_log *)memory;
    l->counts = (uint32_t *)(memory + counts_at);
    l->heads = (struct rd_log_head *)(memory + heads_at);
    l->values = memory + values_at;
    status = check(cudaMemsetAsync(memory, 0, log->size_bytes, stream), "cudaMemsetAsync", error);
    if (status == RD_OK)
        status = check(cudaMemcpyAsync(memory, l, sizeof *l, cudaMemcpyHostToDevice, stream),
                       "cudaMemcpyAsync", error);
    for (int k = 0; observe[k] && status == RD_OK; k++)
        status = check((cudaError_t)observe[k](log->on_device, stream), "cudaMemcpyToSymbolAsync",
                       error);
    return status;
}

/* ---- telling ---- */

static bool is_mixed(const struct rd_log_head *head)
{
    return head->variable != ~head->complement || (head->points & (head->points - 1)) != 0;
}

static bool is_same(const struct rd_log_head *x, const struct rd_log_head *y)
{
    return x->points == y->points && x->variable == y->variable && x->n_cells == y->n_cells &&
           is_mixed(x) == is_mixed(y);
}

/* A block's array, with all warps that came to it there; the first of them is told of it. */
static bool take_array(const struct rd_cuda_log *log, const struct rd_log_head *heads,
                       unsigned warp, struct rd_checkpoint *checkpoint)
{
    for (unsigned before = 0; before < warp; before++)
        if (is_same(&heads[before], &heads[warp]))
            return false;
    checkpoint->place.warp = RD_WHOLE_BLOCK;
    checkpoint->n_cells = heads[warp].n_cells;
    checkpoint->threads = 0;
    for (unsigned w = warp; w < log->log.warps; w++)
        if (is_same(&heads[w], &heads[warp])) {
            checkpoint->threads += (unsigned)__builtin_popcount(heads[w].present);
            checkpoint->written |= heads[w].written != 0;
        }
    return true;
}

/* Merges what the warps of a block came to with their checkpoint of this number: a warp's lanes by
 * themselves, a block's array once. */
static enum rd_status tell_entry(const struct rd_cuda_log *log, uint64_t block, unsigned number,
                                 const struct rd_log_head *heads, const char *values)
{
    size_t elem_bytes = rd_numeric(log->type)->size_bytes;
    char lanes[RD_WARP_LANES * sizeof(uint64_t)];
    enum rd_status status = RD_OK;
    for (unsigned warp = 0; warp < log->log.warps && status == RD_OK; warp++) {
        const struct rd_log_head *head = &heads[warp];
        if (head->points == 0)
            continue;
        memset(lanes, ABSENT, sizeof lanes);
        for (unsigned lane = 0; lane < RD_WARP_LANES; lane++)
            if (head->present >> lane & 1)
                memcpy(lanes + lane * elem_bytes,
                       values + (warp * RD_WARP_LANES + lane) * elem_bytes, elem_bytes);
        struct rd_checkpoint checkpoint = {
            .place =
                {
                    .point = (enum rd_point)__builtin_ctz(head->points),
                    .block = block,
                    .warp = (int)warp,
                    .number = number,
                    .variable = head->variable,
                },
            .cells = head->n_cells > 0 ? values : lanes,
            .n_cells = RD_WARP_LANES,
            .present = head->present,
            .threads = (unsigned)__builtin_popcount(head->present),
            .mixed = is_mixed(head),
        };
        if (head->n_cells == 0 || take_array(log, heads, warp, &checkpoint))
            status = log->watch->checkpoint(log->watch->self, &checkpoint);
    }
    return status;
}

static enum rd_status tell_slot(const struct rd_cuda_log *log, const char *copy, uint32_t slot)
{
    const struct rd_log *l = &log->log;
    const char *on_device = (const char *)log->on_device;
    size_t elem_bytes = rd_numeric(log->type)->size_bytes;
    const struct rd_log_head *heads =
        (const struct rd_log_head *)(copy + ((const char *)l->heads - on_device));
    const char *values = copy + ((const char *)l->values - on_device);
    enum rd_status status = RD_OK;
    for (uint32_t number = 0; number < l->entries && status == RD_OK; number++) {
        size_t entry = (size_t)slot * l->entries + number;
        status = tell_entry(log, l->all ? slot : l->listed[slot], number + 1,
                            heads + entry * l->warps, values + entry * l->cells * elem_bytes);
    }
    return status;
}

enum rd_status rd_cuda_log_tell(struct rd_cuda_log *log, cudaStream_t stream,
                                struct rd_error *error)
{
    char *copy = malloc(log->size_bytes);
    if (!copy)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the log of checkpoints");
    enum rd_status status = check(
        cudaMemcpyAsync(copy, log->on_device, log->size_bytes, cudaMemcpyDeviceToHost, stream),
        "cudaMemcpyAsync", error);
    if (status == RD_OK)
        status = check(cudaStreamSynchronize(stream), "cudaStreamSynchronize", error);
    if (status == RD_OK && ((const struct rd_log *)copy)->truncated)
        log->watch->truncated = true;
    if (status == RD_OK && ((const struct rd_log *)copy)->endless)
        log->watch->endless = true;
    for (uint32_t slot = 0; slot < log->log.n_slots && status == RD_OK; slot++)
        status = tell_slot(log, copy, slot);
    free(copy);
    return status;
}

void rd_cuda_log_finish(struct rd_cuda_log *log, cudaStream_t stream)
{
    if (log->on_device)
        cudaFreeAsync(log->on_device, stream);
}
