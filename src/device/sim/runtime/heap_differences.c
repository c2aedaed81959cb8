// SPDX-License-Identifier: MIT
/* Compares what a launch leaves in the device heap, and what its threads print, under two schedules. Which memory is given to whom
 * depends on the order by itself, and so does which line is printed first: blocks of one place and size are compared as a set, and
 * lines likewise. */
#include "base/array.h"
#include "device/sim/file/file.h"
#include "device/sim/memory/memory.h"
#include "device/sim/runtime/runtime_internal.h"
#include "device/sim/runtime/schedules.h"
#include "device/sim/source/source.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GRANULE = 4 };

/* A live block: the place of its allocation, its size, and from `bytes` on what it holds, with null pointers in the place of those
 * to the heap: which block is linked to which depends on the order, too. */
struct header {
    uint64_t origin, size_bytes;
};
struct block {
    struct header head;
    const unsigned char *bytes;
};
struct blocks {
    struct block *all;
    size_t n, capacity;
    bool failed;
};

static void add(struct blocks *blocks, const struct header *head, const unsigned char *bytes)
{
    if (blocks->failed ||
        !rd_array_make_room(&blocks->all, blocks->n, &blocks->capacity, sizeof *blocks->all))
        blocks->failed = true;
    else
        blocks->all[blocks->n++] = (struct block){*head, bytes};
}

static void hide_pointers(unsigned char *bytes, size_t size_bytes)
{
    uintptr_t value;
    for (size_t at = 0; at + sizeof value <= size_bytes; at += sizeof value) {
        memcpy(&value, bytes + at, sizeof value);
        if (rd_sim_heap_has(value))
            memset(bytes + at, 0, sizeof value);
    }
}

static void add_own(void *self, const struct rd_sim_array *array)
{
    struct blocks *blocks = self;
    const struct header head = {array->origin, array->size_bytes};
    unsigned char *copy = malloc(array->size_bytes + 1);
    if (!copy) {
        blocks->failed = true;
        return;
    }
    memcpy(copy, (const void *)array->base, array->size_bytes);
    hide_pointers(copy, array->size_bytes);
    add(blocks, &head, copy);
    if (blocks->failed)
        free(copy);
}

static int by_place(const struct header *x, const struct header *y)
{
    if (x->origin != y->origin)
        return x->origin < y->origin ? -1 : 1;
    return (x->size_bytes > y->size_bytes) - (x->size_bytes < y->size_bytes);
}

static int compare(const void *x, const void *y)
{
    const struct block *one = x, *other = y;
    const int places = by_place(&one->head, &other->head);
    return places ? places : memcmp(one->bytes, other->bytes, one->head.size_bytes);
}

static void sort(struct blocks *blocks)
{
    if (blocks->n > 1)
        qsort(blocks->all, blocks->n, sizeof *blocks->all, compare);
}

/* The process's own. */
static void take_own(struct blocks *blocks)
{
    *blocks = (struct blocks){0};
    rd_sim_heap_visit_live(add_own, blocks);
    sort(blocks);
}

static void finish_own(struct blocks *blocks)
{
    for (size_t k = 0; k < blocks->n; k++)
        free((unsigned char *)blocks->all[k].bytes);
    free(blocks->all);
}

static bool write_all(int file, const void *bytes, size_t size_bytes)
{
    const char *at = bytes;
    while (size_bytes > 0) {
        const ssize_t n = write(file, at, size_bytes);
        if (n <= 0)
            return false;
        at += n;
        size_bytes -= (size_t)n;
    }
    return true;
}

bool rd_sim_heap_write(int file)
{
    struct blocks blocks;
    take_own(&blocks);
    bool done = !blocks.failed;
    for (size_t k = 0; k < blocks.n && done; k++)
        done = write_all(file, &blocks.all[k].head, sizeof blocks.all[k].head) &&
               write_all(file, blocks.all[k].bytes, blocks.all[k].head.size_bytes);
    finish_own(&blocks);
    return done && write_all(file, &rd_sim_here->core.printed, sizeof rd_sim_here->core.printed);
}

/* ---- telling ---- */

/* Names that a report uses: the two schedules, and the block. */
struct telling {
    const struct rd_schedule *schedule, *other;
    char name[200];
};

static void tell(const struct telling *telling, struct rd_file_difference *difference)
{
    const struct rd_file_program *program = rd_sim_runtime_program();
    char schedule[RD_SCHEDULE_NAME_SIZE], other[RD_SCHEDULE_NAME_SIZE];
    rd_schedule_name(telling->schedule, schedule);
    rd_schedule_name(telling->other, other);
    difference->array = telling->name;
    difference->type = "";
    difference->schedule = schedule;
    difference->other_schedule = other;
    program->on_difference(program->how.self, difference);
}

/* How many blocks there are of one place and size, from the k-th on. */
static size_t count(const struct blocks *blocks, size_t k)
{
    size_t n = 0;
    while (k + n < blocks->n && by_place(&blocks->all[k].head, &blocks->all[k + n].head) == 0)
        n++;
    return n;
}

static int by_bytes(const void *x, const void *y)
{
    return memcmp(x, y, GRANULE);
}

static size_t whole_granules(size_t size_bytes)
{
    return (size_bytes + GRANULE - 1) / GRANULE * GRANULE;
}

/* All granules of n blocks, sorted, the last of each filled up with zeros; NULL without memory. */
static unsigned char *granules_of(const struct block *blocks, size_t n)
{
    const size_t size = whole_granules(blocks->head.size_bytes);
    unsigned char *made = calloc(n * size + 1, 1);
    for (size_t k = 0; made && k < n; k++)
        memcpy(made + k * size, blocks[k].bytes, blocks->head.size_bytes);
    if (made)
        qsort(made, n * size / GRANULE, GRANULE, by_bytes);
    return made;
}

static bool is_reordered(const struct block *one, const struct block *other, size_t n)
{
    const size_t size = n * whole_granules(one->head.size_bytes);
    unsigned char *x = granules_of(one, n), *y = granules_of(other, n);
    const bool same = x && y && memcmp(x, y, size) == 0;
    free(x);
    free(y);
    return same;
}

static void write_granule(char text[32], const unsigned char *bytes, size_t size_bytes, size_t at)
{
    uint32_t value = 0;
    memcpy(&value, bytes + at, size_bytes - at < GRANULE ? size_bytes - at : GRANULE);
    snprintf(text, 32, "0x%08" PRIx32, value);
}

/* As many blocks here as there, of which some hold something else. */
static void tell_content(const struct telling *telling, const struct block *one,
                         const struct block *other, size_t n)
{
    char cell[256], value[32], other_value[32];
    size_t first = 0, at = 0;
    while (first < n && memcmp(one[first].bytes, other[first].bytes, one->head.size_bytes) == 0)
        first++;
    if (first == n)
        return;
    for (size_t k = one->head.size_bytes; k-- > 0;)
        if (one[first].bytes[k] != other[first].bytes[k])
            at = k / GRANULE * GRANULE;
    snprintf(cell, sizeof cell, "byte %zu of %s", at, telling->name);
    write_granule(value, one[first].bytes, one->head.size_bytes, at);
    write_granule(other_value, other[first].bytes, one->head.size_bytes, at);
    tell(telling, &(struct rd_file_difference){
                      .kind = is_reordered(one, other, n) ? RD_FILE_REORDERED : RD_FILE_DIFFERS,
                      .cell = cell,
                      .value = value,
                      .other_value = other_value,
                      .index = at / GRANULE,
                      .count = 1,
                      .n_elems = 1,
                  });
}

static void tell_number(const struct telling *telling, size_t n, size_t other)
{
    char value[40], other_value[40];
    snprintf(value, sizeof value, "%zu times", n);
    snprintf(other_value, sizeof other_value, "%zu times", other);
    tell(telling, &(struct rd_file_difference){.kind = RD_FILE_DIFFERS,
                                               .cell = telling->name,
                                               .value = value,
                                               .other_value = other_value,
                                               .count = 1,
                                               .n_elems = 1});
}

/* FNV-1a. */
static uint64_t number_of(const unsigned char *bytes, size_t size_bytes)
{
    uint64_t number = 0xcbf29ce484222325u;
    for (size_t k = 0; k < size_bytes; k++)
        number = (number ^ bytes[k]) * 0x100000001b3u;
    return number;
}

/* Has pointers to global memory and to the file relative to these, which lie elsewhere in another process. */
static void relate_pointers(unsigned char *bytes, size_t size_bytes)
{
    const struct rd_sim_core *core = &rd_sim_here->core;
    const struct rd_sim_file *file = rd_sim_file();
    uintptr_t value;
    for (size_t at = 0; at + sizeof value <= size_bytes; at += sizeof value) {
        memcpy(&value, bytes + at, sizeof value);
        if (value - core->arena < core->arena_size)
            value -= core->arena;
        else if (value >= file->start && value < file->end)
            value -= file->start;
        memcpy(bytes + at, &value, sizeof value);
    }
}

bool rd_sim_heap_visit_blocks(void (*visit)(void *self, const struct rd_file_heap_blocks *blocks),
                              void *self)
{
    struct blocks own;
    take_own(&own);
    for (size_t k = 0; k < own.n && !own.failed;) {
        const size_t n = count(&own, k), size = own.all[k].head.size_bytes;
        const struct rd_sim_line line =
            rd_sim_site_line(&(struct rd_sim_site){.pc = (uintptr_t)own.all[k].head.origin});
        struct rd_file_heap_blocks blocks = {
            .file = line.file, .line = line.line, .size_bytes = size, .n = n};
        for (size_t end = k + n; k < end; k++) {
            relate_pointers((unsigned char *)own.all[k].bytes, size);
            blocks.blocks += number_of(own.all[k].bytes, size);
            for (size_t at = 0; at < size; at += GRANULE)
                blocks.words +=
                    number_of(own.all[k].bytes + at, size - at < GRANULE ? size - at : GRANULE);
        }
        visit(self, &blocks);
    }
    const bool done = !own.failed;
    finish_own(&own);
    return done;
}

static void compare_blocks(struct telling *telling, const struct blocks *one,
                           const struct blocks *other)
{
    for (size_t i = 0, j = 0; i < one->n || j < other->n;) {
        const int sign = i == one->n     ? 1
                         : j == other->n ? -1
                                         : by_place(&one->all[i].head, &other->all[j].head);
        const size_t n = sign <= 0 ? count(one, i) : 0, m = sign >= 0 ? count(other, j) : 0;
        const struct header *head = sign <= 0 ? &one->all[i].head : &other->all[j].head;
        const struct rd_sim_line line =
            rd_sim_site_line(&(struct rd_sim_site){.pc = (uintptr_t)head->origin});
        snprintf(telling->name, sizeof telling->name,
                 "what a kernel allocates at %.120s:%u, %" PRIu64 " bytes,", line.file, line.line,
                 head->size_bytes);
        if (n == m)
            tell_content(telling, &one->all[i], &other->all[j], n);
        else
            tell_number(telling, n, m);
        i += n;
        j += m;
    }
}

bool rd_sim_heap_compare(const unsigned char *bytes, size_t size_bytes,
                         const struct rd_schedule *schedule, const struct rd_schedule *other)
{
    struct telling telling = {.schedule = schedule, .other = other};
    struct rd_sim_printed printed;
    struct blocks own, theirs = {0};
    if (size_bytes < sizeof printed)
        return false;
    const unsigned char *end = bytes + size_bytes - sizeof printed;
    memcpy(&printed, end, sizeof printed);
    bool is_whole = true;
    while (bytes < end && is_whole) {
        struct header head = {0};
        is_whole = (size_t)(end - bytes) >= sizeof head;
        if (is_whole)
            memcpy(&head, bytes, sizeof head);
        is_whole = is_whole && head.size_bytes <= (size_t)(end - bytes) - sizeof head;
        if (is_whole) {
            add(&theirs, &head, bytes + sizeof head);
            bytes += sizeof head + head.size_bytes;
        }
    }
    take_own(&own);
    const bool fits = is_whole && !own.failed && !theirs.failed;
    if (fits)
        compare_blocks(&telling, &own, &theirs);
    const struct rd_sim_printed *own_printed = &rd_sim_here->core.printed;
    if (own_printed->n != printed.n || own_printed->sum != printed.sum) {
        snprintf(telling.name, sizeof telling.name, "what threads print");
        tell(&telling, &(struct rd_file_difference){.kind = RD_FILE_PRINTED,
                                                    .cell = telling.name,
                                                    .value = "",
                                                    .other_value = "",
                                                    .count = 1,
                                                    .n_elems = 1});
    }
    finish_own(&own);
    free(theirs.all);
    return fits;
}
